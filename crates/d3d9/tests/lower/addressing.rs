//! a0, aL, and relative inputs and outputs (sheet 1.6, 2.4, 2.8).

use crate::shader::{draw, lower, lowered, words};
use aquatint_d3d9::lower::Options;

#[test]
fn a0_relative_identity_swizzle() {
    // `c0[a0]`: some assemblers leave the swizzle E4. The x lane counts.
    let mut stream = words("vs_2_0\ndcl_position v0\nmov oPos, v0\nmova a0, v0\nmov oT0, c0[a0.x]\n");
    let token = stream.iter().position(|&word| word == 0xB000_0000).expect("the a0 token");
    stream[token] = 0xB0E4_0000;
    let lowered = lowered(&stream, &Options::default()).expect("accepted");
    let draw = draw(&lowered).c(1, [1.0; 4]).c(2, [2.0; 4]).input(("position", 0), [1.0, 2.0, 2.0, 2.0]);
    assert_eq!(draw.texcoord(), [1.0; 4]);
}

#[test]
fn mova_saturates_before_it_rounds() {
    let text = "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_texcoord o1\nmov o0, v0\nmova_sat a0.x, v0.x\nmov o1, c4[a0.x]\n";
    let lowered = lower(text);
    for (x, want) in [(7.0, 1.0), (0.75, 1.0), (0.5, 0.0), (-3.0, 0.0), (f32::NAN, 0.0)] {
        let draw = draw(&lowered).c(5, [1.0; 4]).input(("position", 0), [x; 4]);
        assert_eq!(draw.texcoord(), [want; 4], "{x}");
    }
}

/// A mov to a0 of vs_2_0 is a profile fault, and rounds as mova does; in vs_1_1 it rounds down.
#[test]
fn mov_to_a0_by_version() {
    for (x, floor, round) in [(1.6, 1.0, 2.0), (0.5, 0.0, 0.0), (1.5, 1.0, 2.0), (2.5, 2.0, 2.0), (0.4, 0.0, 0.0)] {
        for (version, want) in [("vs_1_1", floor), ("vs_2_0", round)] {
            let read = if version == "vs_1_1" { "c0[a0.x]" } else { "c[a0.x]" };
            let text = format!("{version}\ndcl_position v0\nmov oPos, v0\nmov a0.x, v0.x\nmov oT0, {read}\n");
            let lowered = lower(&text);
            let draw = draw(&lowered).c(1, [1.0; 4]).c(2, [2.0; 4]).input(("position", 0), [x; 4]);
            assert_eq!(draw.texcoord(), [want; 4], "{version} {x}");
        }
    }
}

#[test]
fn predicated_mova_keeps_the_old_index() {
    let text = "vs_2_x\ndcl_position v0\ndef c20, 0, 0, 0, 0\nmov oPos, v0\nmova a0.x, v0.y\nsetp_gt p0, v0.x, c20\n(p0) mova a0.x, \
                v0.z\nmov oT0, c0[a0.x]\n";
    let lowered = lower(text);
    for (x, want) in [(1.0, 2.0), (-1.0, 1.0)] {
        let draw = draw(&lowered).c(1, [1.0; 4]).c(2, [2.0; 4]).input(("position", 0), [x, 1.0, 2.0, 0.0]);
        assert_eq!(draw.texcoord(), [want; 4]);
    }
}

/// Outputs by index meet outputs by name and packed semantics in the same register.
#[test]
fn relative_output_into_a_packed_register() {
    let text = "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_texcoord3 o1.xy\ndcl_color o1.zw\ndcl_texcoord o2\nmov o0, v0\nmova \
                a0.x, v0.x\nmov o1, c0\nmov o2, c1\nmov o0[a0.x].yz, c2\n";
    let lowered = lower(text);
    let (c0, c1, c2) = ([1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [-1.0, -2.0, -3.0, -4.0]);
    let run = |x: f32| {
        let ran = draw(&lowered).c(0, c0).c(1, c1).c(2, c2).input(("position", 0), [x, 0.0, 0.0, 1.0]).run();
        [("texcoord", 3), ("color", 0), ("texcoord", 0)].map(|port| ran.output(port).unwrap())
    };
    assert_eq!(run(1.0), [[1.0, -2.0, 0.0, 0.0], [0.0, 0.0, -3.0, 4.0], c1]);
    assert_eq!(run(2.0), [[1.0, 2.0, 0.0, 0.0], [0.0, 0.0, 3.0, 4.0], [5.0, -2.0, -3.0, 8.0]]);
    // Writes outside are dropped.
    assert_eq!(run(100.0), [[1.0, 2.0, 0.0, 0.0], [0.0, 0.0, 3.0, 4.0], c1]);
    assert_eq!(run(-1.0), run(100.0));
}

/// Registers that are not declared read 0 through an index, and the declared ones keep their numbers.
#[test]
fn relative_input_with_gaps() {
    let text = "vs_3_0\ndcl_position v0\ndcl_texcoord2 v3.xy\ndcl_color v3.zw\ndcl_normal v15\ndcl_position o0\ndcl_texcoord o1\nmov \
                o0, v0\nmova a0.x, v0.x\nmov o1, v1[a0.x]\n";
    let lowered = lower(text);
    for (x, want) in [
        (-1.0, [-1.0, 0.0, 0.0, 1.0]),
        (0.0, [0.0; 4]),
        (2.0, [1.0, 2.0, 7.0, 8.0]),
        (14.0, [9.0; 4]),
        (15.0, [0.0; 4]),
        (-2.0, [0.0; 4]),
    ] {
        let draw = draw(&lowered)
            .input(("position", 0), [x, 0.0, 0.0, 1.0])
            .input(("texcoord", 2), [1.0, 2.0, 3.0, 4.0])
            .input(("color", 0), [5.0, 6.0, 7.0, 8.0])
            .input(("normal", 0), [9.0; 4]);
        assert_eq!(draw.texcoord(), want, "{x}");
    }
}

/// aL counts through a loop whose body breaks, and a loop after it starts anew.
#[test]
fn al_after_a_break() {
    let text = "vs_2_x\ndcl_position v0\ndefi i0, 10, 4, 2, 0\ndefi i1, 2, 1, 1, 0\ndef c40, 6, 0, 0, 0\nmov oPos, v0\nmov r0, \
                c40.y\nloop aL, i0\nadd r0.x, r0.x, c0[aL].x\nif_ge c0[aL].x, c40.x\nbreak\nendif\nendloop\nloop aL, i1\nadd r0.y, \
                r0.y, c0[aL].x\nendloop\nmov oT0, r0\n";
    let lowered = lower(text);
    let mut draw = draw(&lowered);
    for register in 0..32 {
        draw = draw.c(register, [register as f32; 4]);
    }
    // c4 and c6, then c1 and c2.
    assert_eq!(draw.texcoord(), [10.0, 3.0, 0.0, 0.0]);
}
