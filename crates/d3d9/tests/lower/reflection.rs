//! What a renderer is told of a shader (sheet 4.2).

use crate::shader::lower;
use aquatint_d3d9::lower::{Lowered, TextureKind};

fn ranges(lowered: &Lowered) -> Vec<(u16, u16, u16)> {
    lowered.reflection.floats.ranges.iter().map(|r| (r.first, r.count, r.packed)).collect()
}

#[test]
fn reflection_used_constants_packing() {
    // Read and not defined, sorted, adjacent ones merged; a matrix counts its rows, and one that runs off the file its
    // rows within.
    let text = "vs_2_0\ndcl_position v0\ndef c5, 1, 1, 1, 1\nm4x4 oPos, v0, c3\nadd r0, c90, c1\nm3x2 r1.xy, v0, c200\nadd r0, r0, \
                r1.xyyy\nadd r0, r0, c0\nmov oT0, r0\n";
    let lowered = lower(text);
    // c3, c4, c6 of the matrix (c5 is defined); c0 and c1; c90; c200 and c201.
    assert_eq!(ranges(&lowered), [(0, 2, 0), (3, 2, 2), (6, 1, 4), (90, 1, 5), (200, 2, 6)]);
    assert!(!lowered.reflection.floats.relative);
    assert_eq!(lowered.reflection.uniform_bytes(), 8 * 16);
    let defs: Vec<_> = lowered.reflection.float_defs.iter().map(|d| d.register).collect();
    assert_eq!(defs, [5]);
    // No constants: no block.
    assert_eq!(lower("ps_2_0\ndcl v0\nmov oC0, v0\n").reflection.uniform_bytes(), 0);
}

#[test]
fn reflection_relative_whole_file() {
    let vs = |version: &str| format!("{version}\ndcl_position v0\nmov oPos, v0\nmova a0.x, v0.x\nmov oT0, c9[a0.x]\n");
    let loops = "defi i0, 2, 0, 1, 0\nloop aL, i0\nadd r0, r0, c9[aL]\nendloop\nmov oC0, r0\n";
    for (text, size) in [
        ("vs_1_1\ndcl_position v0\nmov oPos, v0\nmov a0.x, v0.x\nmov oT0, c9[a0.x]\n".to_owned(), 256),
        (vs("vs_2_0"), 256),
        (vs("vs_2_sw"), 8192),
        (format!("ps_3_0\n{loops}"), 224),
        (format!("ps_3_sw\n{loops}"), 8192),
    ] {
        let lowered = lower(&text);
        assert_eq!(ranges(&lowered), [(0, size, 0)], "{text}");
        assert!(lowered.reflection.floats.relative);
    }
}

#[test]
fn reflection_bump_stages() {
    let lowered = lower("ps_1_1\ntex t0\ntexbem t1, t0\ntexbeml t3, t0\nmov r0, t1\nadd r0, r0, t3\n");
    assert_eq!(lowered.reflection.bump_stages, 0b1010);
    // tex and texbem read coordinates that the texture stage state may project.
    assert_eq!(lowered.reflection.projectable_stages, 0b1011);
    // bem's matrix is that of the stage of its destination.
    let lowered = lower("ps_1_4\ntexcrd r0.rgb, t0\ntexcrd r1.rgb, t1\nbem r2.rg, r0, r1\nphase\nmov r0, r2\n");
    assert_eq!((lowered.reflection.bump_stages, lowered.reflection.projectable_stages), (0b100, 0));
    assert_eq!(lower("ps_1_1\ntex t0\nmov r0, t0\n").reflection.bump_stages, 0);
}

#[test]
fn reflection_of_a_vertex_shader() {
    let text = "vs_2_0\ndcl_position v0\ndcl_texcoord2 v7.xy\nmov oPos, v0\nmov oT1.xy, v7\nmov oD0, v0\nmov oFog, v0.x\nmov oPts, \
                v0.x\nmov r5, v0\n";
    let reflection = lower(text).reflection;
    let inputs: Vec<_> =
        reflection.inputs.iter().map(|i| (i.semantic.text(), i.register, i.mask, i.location)).collect();
    assert_eq!(inputs, [("position".to_owned(), 0, 0xF, Some(0)), ("texcoord2".to_owned(), 7, 0b11, Some(7))]);
    let mut outputs: Vec<_> = reflection.outputs.iter().map(|o| (o.semantic.text(), o.mask, o.location)).collect();
    outputs.sort();
    assert_eq!(
        outputs,
        [
            ("color".to_owned(), 0xF, Some(9)),
            ("fog".to_owned(), 0xF, Some(11)),
            ("position".to_owned(), 0xF, None),
            ("psize".to_owned(), 0xF, None),
            ("texcoord1".to_owned(), 0b11, Some(2)),
        ]
    );
    assert!(reflection.writes_fog && reflection.writes_point_size && !reflection.writes_depth);
    assert_eq!((reflection.temps, reflection.instructions), (6, 6));
    let plain = lower("vs_2_0\ndcl_position v0\nmov oPos, v0\n").reflection;
    assert!(!plain.writes_fog && !plain.writes_point_size && plain.temps == 0);
}

#[test]
fn reflection_of_a_pixel_shader() {
    let text = "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ndcl_cube s3\ndcl_volume s15\ntexld r0, v0, s0\ntexldl r1, v0, s3\ntexldd r2, v0, \
                s15, v0, v0\nadd r0, r0, r1\nadd r0, r0, r2\nmov oC0, r0\nmov oC1, r0\nmov oDepth, r0.x\n";
    let reflection = lower(text).reflection;
    let samplers: Vec<_> = reflection.samplers.iter().map(|s| (s.register, s.kind)).collect();
    assert_eq!(samplers, [(0, TextureKind::D2), (3, TextureKind::Cube), (15, TextureKind::Volume)]);
    assert!(reflection.writes_depth && reflection.uses_derivatives);
    assert!(!reflection.uses_kill && !reflection.uses_vpos && !reflection.uses_vface);
    assert_eq!(reflection.outputs.iter().filter_map(|o| o.location).collect::<Vec<_>>(), [0, 1]);
    // Explicit levels and gradients want no derivatives; a sampler that is declared and not read is none.
    let text = "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ndcl_2d s1\ntexldl r0, v0, s1\nmov oC0, r0\n";
    let reflection = lower(text).reflection;
    assert!(!reflection.uses_derivatives && !reflection.writes_depth);
    assert_eq!(reflection.samplers.len(), 1);
    assert!(lower("ps_3_0\ndcl_texcoord v0\ndsy r0, v0\nmov oC0, r0\n").reflection.uses_derivatives);
}
