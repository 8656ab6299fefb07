//! Constant files, definitions, packing (sheet 4.1, 4.2).

use crate::shader::{decoded, draw, lower, lower_with, lowered, words};
use aquatint_base::{Diags, SourceId};
use aquatint_d3d9::assemble::{AssembleOptions, assemble};
use aquatint_d3d9::ctab::{BaseType, Class, Constant, ConstantTable, RegisterSet};
use aquatint_d3d9::lower::{self, Lowered, Options};
use aquatint_ir::Op;

/// c10 + a0, where v1.x rounds to a0; c10, c11, c12 hold 10, 11, 12 unless defined.
const RELATIVE: &str = "vs_2_0\ndcl_position v0\ndcl_texcoord v1\ndef c11, 1, 2, 3, 4\nmov oPos, v0\nmova a0.x, v1.x\nmov r0, \
                        c10[a0.x]\nmov oT0, r0\n";

fn at(lowered: &Lowered, index: f32) -> [f32; 4] {
    draw(lowered).c(10, [10.0; 4]).c(11, [11.0; 4]).c(12, [12.0; 4]).input(("texcoord", 0), [index; 4]).texcoord()
}

fn count(lowered: &Lowered, op: Op) -> usize {
    let function = &lowered.module.functions[lowered.module.entry_points[0].function];
    aquatint_ir::walk::Walk::new(function).insts().filter(|&inst| function.insts[inst].op == op).count()
}

#[test]
fn def_under_relative() {
    let lowered = lower(RELATIVE);
    assert_eq!([at(&lowered, 0.0), at(&lowered, 1.0), at(&lowered, 2.0)], [[10.0; 4], [1.0, 2.0, 3.0, 4.0], [12.0; 4]]);
    // The host merges the definitions into what it uploads: the shader then reads the file as it is, and tests nothing.
    let uploaded = lower_with(RELATIVE, &Options { defs_uploaded: true, ..Options::default() });
    assert_eq!([at(&uploaded, 0.0), at(&uploaded, 1.0)], [[10.0; 4], [11.0; 4]]);
    assert_eq!((count(&lowered, Op::Select), count(&uploaded, Op::Select)), (1, 0));
    let defs: Vec<_> =
        uploaded.reflection.float_defs.iter().map(|d| (d.register, d.bits.map(f32::from_bits))).collect();
    assert_eq!(defs, [(11, [1.0, 2.0, 3.0, 4.0])]);
}

/// A def that is read directly is its value under either option.
#[test]
fn def_beside_relative_is_itself() {
    let text = format!("{RELATIVE}mov oT1, c11\n");
    for defs_uploaded in [false, true] {
        let lowered = lower_with(&text, &Options { defs_uploaded, ..Options::default() });
        let ran = draw(&lowered).c(11, [9.0; 4]).input(("texcoord", 0), [0.0; 4]).run();
        assert_eq!(ran.output(("texcoord", 1)), Some([1.0, 2.0, 3.0, 4.0]));
    }
}

#[test]
fn def_after_code() {
    // The last def wins also for what stands before it.
    let text = "ps_2_0\ndef c0, 1, 1, 1, 1\nmov r0, c0\nmov oC0, r0\ndef c0, 2, 3, 4, 5\n";
    assert_eq!(draw(&lower(text)).color(), [2.0, 3.0, 4.0, 5.0]);
}

#[test]
fn rel_const_oor_at_the_far_ends_of_i32() {
    let lowered = lower(RELATIVE);
    // mova saturates: a0 is i32::MAX and i32::MIN, and a NaN is 0; the sum with c10 does not come round to a register.
    for (index, want) in [(3e9, 0.0), (-3e9, 0.0), (f32::INFINITY, 0.0), (f32::NEG_INFINITY, 0.0), (f32::NAN, 10.0)] {
        assert_eq!(at(&lowered, index), [want; 4], "{index}");
    }
    // The last register of the file, and the one behind it.
    let last = draw(&lowered).c(255, [7.0; 4]).input(("texcoord", 0), [245.0; 4]).texcoord();
    let behind = draw(&lowered).c(256, [7.0; 4]).input(("texcoord", 0), [246.0; 4]).texcoord();
    assert_eq!((last, behind), ([7.0; 4], [0.0; 4]));
}

/// Registers beyond the file that are named directly do not lengthen the file that a0 reaches.
#[test]
fn rel_const_oor_high_beside_a_register_past_the_end() {
    let mut stream =
        words("vs_2_0\ndcl_position v0\nmov oPos, v0\nmova a0.x, v0.x\nmov oT0, c0[a0.x]\nmov oT1, c255\n");
    // c300, which the text form of vs_2_0 does not have.
    let place = stream.iter().rposition(|&word| word == 0xA0E4_00FF).expect("c255");
    stream[place] = 0xA0E4_0000 | 300;
    let lowered = lowered(&stream, &Options::default()).expect("a profile fault is no error");
    let ran = draw(&lowered).c(300, [3.0; 4]).c(256, [9.0; 4]).input(("position", 0), [256.0; 4]).run();
    assert_eq!(ran.output(("texcoord", 0)), Some([0.0; 4]));
    assert_eq!(ran.output(("texcoord", 1)), Some([3.0; 4]));
}

#[test]
fn const_banks_2049_4100_8191() {
    // One register of each bank directly, and the same by an index.
    let text = "vs_2_sw\ndcl_position v0\nmov oPos, v0\nmov oT0, c2049\nmov oT1, c4100\nmov oT2, c8191\n";
    let lowered = lower(text);
    let ranges: Vec<_> = lowered.reflection.floats.ranges.iter().map(|r| (r.first, r.count, r.packed)).collect();
    assert_eq!(ranges, [(2049, 1, 0), (4100, 1, 1), (8191, 1, 2)]);
    let ran = draw(&lowered).c(2049, [1.0; 4]).c(4100, [2.0; 4]).c(8191, [3.0; 4]).run();
    assert_eq!([0, 1, 2].map(|n| ran.output(("texcoord", n)).unwrap()[0]), [1.0, 2.0, 3.0]);
    let text = "vs_2_sw\ndcl_position v0\nmov oPos, v0\nmova a0.x, v0.x\nmov oT0, c4090[a0.x]\n";
    let lowered = lower(text);
    for (index, want) in [(10.0, 2.0), (4101.0, 3.0), (4102.0, 0.0), (-4090.0, 5.0), (-4091.0, 0.0)] {
        let draw = draw(&lowered).c(0, [5.0; 4]).c(4100, [2.0; 4]).c(8191, [3.0; 4]);
        assert_eq!(draw.input(("position", 0), [index; 4]).texcoord(), [want; 4], "{index}");
    }
}

#[test]
fn ints_and_bools_of_software_versions() {
    let text = "vs_2_sw\ndcl_position v0\nmov oPos, v0\nmov r0, c0\nrep i2047\nadd r0, r0, c1\nendrep\nif b2047\nadd r0, r0, \
                c2\nendif\nmov oT0, r0\n";
    let lowered = lower(text);
    for (on, want) in [(false, 3.0), (true, 103.0)] {
        let draw = draw(&lowered).c(1, [1.0; 4]).c(2, [100.0; 4]).i(2047, [3, 0, 0, 0]).b(2047, on);
        assert_eq!(draw.texcoord(), [want; 4]);
    }
}

fn array(table: &mut ConstantTable, name: &str, index: u16, count: u16) {
    let ty = table.add_type(Class::Vector, BaseType::Float, [1, 4], count, Vec::new());
    let set = RegisterSet::Float4;
    table.constants.push(Constant { name: name.to_owned(), set, index, count, reserved: 0, ty, default: None });
}

/// The words of a text with a constant table of such arrays.
fn table_and_words(text: &str, arrays: &[(&str, u16, u16)]) -> Vec<u32> {
    let mut table = ConstantTable { version: 0xFFFE_0200, ..ConstantTable::default() };
    arrays.iter().for_each(|&(name, index, count)| array(&mut table, name, index, count));
    let options = AssembleOptions { ctab: Some(&table), ..AssembleOptions::default() };
    assemble(text, SourceId(0), &options, &mut Diags::new()).expect("a shader")
}

fn with_ctab(text: &str, arrays: &[(&str, u16, u16)], pack_by_ctab: bool) -> Lowered {
    let words = table_and_words(text, arrays);
    lowered(&words, &Options { pack_by_ctab, ..Options::default() }).unwrap_or_else(|why| panic!("{why}"))
}

/// Two arrays that are addressed, and single registers before, between and right behind them.
const PACKED: &str = "vs_2_0\ndcl_position v0\nmov oPos, v0\nmova a0, v0\nmov oT0, c5[a0.x]\nmov oT1, c20[a0.y]\nmov oT2, \
                      c0\nmov oT3, c8\nmov oT4, c15\n";
const ARRAYS: [(&str, u16, u16); 3] = [("bones", 4, 4), ("lights", 20, 3), ("unused", 40, 8)];

#[test]
fn pack_by_ctab() {
    let lowered = with_ctab(PACKED, &ARRAYS, true);
    let floats = &lowered.reflection.floats;
    let ranges: Vec<_> = floats.ranges.iter().map(|r| (r.first, r.count, r.packed)).collect();
    assert_eq!(ranges, [(0, 1, 0), (4, 5, 1), (15, 1, 6), (20, 3, 7)]);
    assert!(floats.relative);
    let at = |x: f32, y: f32| {
        let mut draw = draw(&lowered).input(("position", 0), [x, y, 0.0, 1.0]);
        for register in 0..64 {
            draw = draw.c(register, [register as f32 + 1.0; 4]);
        }
        let ran = draw.run();
        [0, 1, 2, 3, 4].map(|n| ran.output(("texcoord", n)).unwrap()[0])
    };
    // c5 and c20 themselves, and the single registers.
    assert_eq!(at(0.0, 0.0), [6.0, 21.0, 1.0, 9.0, 16.0]);
    // The ends of the arrays.
    assert_eq!(at(-1.0, 2.0)[..2], [5.0, 23.0]);
    assert_eq!(at(2.0, 1.0)[..2], [8.0, 22.0]);
    // Outside reads 0, also where another register lies next to the array in the packed block.
    assert_eq!(at(3.0, 3.0)[..2], [0.0, 0.0]);
    assert_eq!(at(-2.0, -1.0)[..2], [0.0, 0.0]);
    assert_eq!(at(-5.0, -20.0)[..2], [0.0, 0.0]);
}

/// Sheet 4.2: the table is a hint, and that it was taken is said.
#[test]
fn pack_by_ctab_warns() {
    let shader = decoded(&table_and_words(PACKED, &ARRAYS)).expect("a shader");
    for (pack_by_ctab, want) in [(false, vec![]), (true, vec!["W-PACK-CTAB"])] {
        let mut diags = Diags::new();
        assert!(lower::lower(&shader, &Options { pack_by_ctab, ..Options::default() }, &mut diags).is_some());
        assert_eq!(diags.iter().map(|d| d.code.id).collect::<Vec<_>>(), want);
        assert!(diags.iter().all(|d| d.message.contains("c4 to c7, c20 to c22")));
    }
}

#[test]
fn pack_by_ctab_needs_an_array_for_every_base() {
    // c20 is in no array: the whole file is uploaded, and indices go anywhere.
    for (arrays, pack) in [(&ARRAYS[..1], true), (&ARRAYS[..0], true), (&ARRAYS[..], false)] {
        let lowered = with_ctab(PACKED, arrays, pack);
        let ranges: Vec<_> = lowered.reflection.floats.ranges.iter().map(|r| (r.first, r.count)).collect();
        assert_eq!(ranges, [(0, 256)]);
        let ran = draw(&lowered).c(100, [7.0; 4]).input(("position", 0), [95.0, 0.0, 0.0, 1.0]).run();
        assert_eq!(ran.output(("texcoord", 0)), Some([7.0; 4]));
    }
}

/// More bases than are told apart: still every one has its value.
#[test]
fn pack_by_ctab_with_very_many_bases() {
    let mut text = "vs_2_0\ndcl_position v0\nmov oPos, v0\nmova a0, v0\nmov r0, c0[a0.x]\n".to_owned();
    (1..100).for_each(|base| text.push_str(&format!("add r0, r0, c{base}[a0.x]\n")));
    text.push_str("mov oT0, r0\n");
    let lowered = with_ctab(&text, &[("first", 0, 64), ("second", 64, 10)], true);
    let mut draw = draw(&lowered);
    for register in 0..100 {
        draw = draw.c(register, [1.0; 4]);
    }
    assert_eq!(draw.texcoord(), [100.0; 4]);
}

/// Rows of a matrix stay in the array of its base.
#[test]
fn pack_by_ctab_of_matrices() {
    let text = "vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmova a0.x, v1.x\nm4x4 oT0, v0, c8[a0.x]\nmov oT1, c12\n";
    let lowered = with_ctab(text, &[("world", 8, 4)], true);
    let mut draw = draw(&lowered).input(("position", 0), [1.0, 0.0, 0.0, 0.0]).input(("texcoord", 0), [1.0; 4]);
    for register in 8..13 {
        draw = draw.c(register, [register as f32; 4]);
    }
    // Rows c9 to c11, and one outside, though c12 is uploaded.
    assert_eq!(draw.texcoord(), [9.0, 10.0, 11.0, 0.0]);
}

#[test]
fn bools_known_now_are_folded() {
    let text = "ps_2_x\ndef c0, 1, 1, 1, 1\nmov r0, c0\nif b3\nadd r0, r0, c0\nendif\nif !b4\nadd r0, r0, r0\nendif\nmov oC0, r0\n";
    let mut options = Options::default();
    options.bools[3] = Some(true);
    options.bools[4] = Some(false);
    let lowered = lower_with(text, &options);
    assert_eq!(count(&lowered, Op::If), 0);
    assert!(lowered.reflection.bools.ranges.is_empty());
    assert_eq!(draw(&lowered).b(3, false).b(4, true).color(), [4.0; 4]);
    // A def outweighs the option.
    let lowered = lower_with(&text.replace("mov r0, c0", "defb b3, false\nmov r0, c0"), &options);
    assert_eq!(draw(&lowered).color(), [2.0; 4]);
}

#[test]
fn several_bools_and_ints_are_packed_apart() {
    let text = "vs_2_x\ndcl_position v0\nmov oPos, v0\nmov r0, c5\nrep i3\nadd r0.x, r0.x, c9.x\nendrep\nrep i7\nadd r0.y, r0.y, \
                c9.x\nendrep\nif b1\nadd r0.z, r0.z, c9.x\nendif\nif b14\nadd r0.w, r0.w, c9.x\nendif\nif b6\nadd r0, r0, \
                r0\nendif\nmov oT0, r0\n";
    let lowered = lower(text);
    let reflection = &lowered.reflection;
    assert_eq!(reflection.ints.registers().collect::<Vec<_>>(), [3, 7]);
    assert_eq!(reflection.bools.registers().collect::<Vec<_>>(), [1, 6, 14]);
    // Two floats, two ints, three bools in one vector.
    assert_eq!(reflection.uniform_bytes(), 16 * 5);
    let draw = || draw(&lowered).c(9, [1.0; 4]).i(3, [2, 0, 0, 0]).i(7, [5, 0, 0, 0]);
    assert_eq!(draw().b(1, true).texcoord(), [2.0, 5.0, 1.0, 0.0]);
    assert_eq!(draw().b(14, true).b(6, true).texcoord(), [4.0, 10.0, 0.0, 2.0]);
}

/// NaN and infinities from the application pass unchanged; a NaN of a def keeps its bits (sheet 2.1).
#[test]
fn constants_keep_their_bits() {
    let plain = lower("ps_3_0\nmov oC0, c0\n");
    let value = [f32::from_bits(0x7FC0_1234), f32::INFINITY, f32::NEG_INFINITY, -0.0];
    let bits = |color: [f32; 4]| color.map(f32::to_bits);
    assert_eq!(bits(draw(&plain).c(0, value).color()), bits(value));
    let mut stream = words("ps_3_0\ndef c0, 1, 2, 3, 4\nmov oC0, c0\n");
    let place = stream.iter().position(|&word| word == 1.0f32.to_bits()).expect("the def");
    stream[place] = 0xFFC0_4321;
    let lowered = lowered(&stream, &Options::default()).expect("a shader");
    assert_eq!(draw(&lowered).color()[0].to_bits(), 0xFFC0_4321);
}
