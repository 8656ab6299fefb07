//! Preshaders and expressions (sheet 5.3, cases of 7.3 row 51), and all preshaders of the corpus.

use aquatint_base::{Diags, Severity, SourceId};
use aquatint_d3d9::ctab::{self, BaseType, Class, Constant, ConstantTable, RegisterSet};
use aquatint_d3d9::preshader::opcode::{Meaning, OPS};
use aquatint_d3d9::preshader::{self, Destination, Preshader, Unsupported};

const IMM: u32 = 1;
const C: u32 = 2;
const OC: u32 = 4;
const OB: u32 = 5;
const OI: u32 = 6;
const R: u32 = 7;
const SCALAR: u32 = 1 << 31;

/// An operand: table and offset, or with the index table and offset before them.
type Arg<'a> = &'a [u32];

/// The words of one instruction; the last operand is the output.
fn instruction(flags: u32, opcode: u32, components: u32, operands: &[Arg<'_>]) -> Vec<u32> {
    let mut words = vec![flags | opcode << 20 | components, operands.len() as u32 - 1];
    for operand in operands {
        words.push(if operand.len() == 4 { 1 } else { 0 });
        words.extend(*operand);
    }
    words
}

fn comment(four_cc: &[u8; 4], words: &[u32]) -> Vec<u32> {
    let mut out = vec![(words.len() as u32 + 1) << 16 | 0xFFFE, u32::from_le_bytes(*four_cc)];
    out.extend(words);
    out
}

fn clit(literals: &[f64]) -> Vec<u32> {
    let mut words = vec![literals.len() as u32];
    words.extend(literals.iter().flat_map(|x| [x.to_bits() as u32, (x.to_bits() >> 32) as u32]));
    comment(b"CLIT", &words)
}

fn fxlc(instructions: &[Vec<u32>]) -> Vec<u32> {
    let mut words = vec![instructions.len() as u32];
    words.extend(instructions.iter().flatten());
    words.extend([0xF0F0_F0F0, 0x0F0F_0F0F]);
    comment(b"FXLC", &words)
}

fn stream(parts: &[Vec<u32>]) -> Vec<u8> {
    let mut words = vec![0x4658_0201];
    words.extend(parts.iter().flatten());
    words.push(0xFFFF);
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn read(bytes: &[u8]) -> (Option<Preshader>, Vec<String>) {
    let mut diags = Diags::new();
    let found = preshader::parse(bytes, 0, SourceId(0), &mut diags);
    assert!(!diags.has_errors(), "a preshader never fails its shader");
    (found, diags.iter().map(|d| format!("{}: {}", d.code, d.message)).collect())
}

fn good(literals: &[f64], instructions: &[Vec<u32>]) -> Preshader {
    let (found, warnings) = read(&stream(&[clit(literals), fxlc(instructions)]));
    assert_eq!(warnings, [""; 0]);
    found.unwrap()
}

fn run(literals: &[f64], constants: &[f32], instructions: &[Vec<u32>]) -> Vec<f32> {
    good(literals, instructions).eval(constants, &[]).unwrap().floats
}

/// The vectors of the native answers, as c0 and c1.
const AB: [f32; 8] = [0.0, -0.0, -2.2, 3.402_823_5e38, 1.0, 2.0, -3.0, 4.0];

#[test]
fn pres_known_answers() {
    let cases: &[(u32, &[Arg<'_>], [u32; 4])] = &[
        (0x103, &[&[C, 0]], [0x7F80_0000, 0xFF80_0000, 0xBEE8_BA2E, 0x0020_0000]),
        (0x107, &[&[C, 0]], [0x7F80_0000, 0x7F80_0000, 0x3F2C_985C, 0x1F80_0001]),
        (0x205, &[&[C, 0], &[C, 4]], [0, 0x8000_0000, 0x40D3_3334, 0x7F80_0000]),
        (0x204, &[&[C, 0], &[C, 4]], [0x3F80_0000, 0x4000_0000, 0xC0A6_6666, 0x7F7F_FFFF]),
        (0x202, &[&[C, 0], &[C, 4]], [0x3F80_0000, 0x3F80_0000, 0, 0]),
        (0x203, &[&[C, 0], &[C, 4]], [0, 0, 0x3F80_0000, 0x3F80_0000]),
        (0x101, &[&[C, 0]], [0x8000_0000, 0, 0x400C_CCCD, 0xFF7F_FFFF]),
        (0x104, &[&[C, 0]], [0, 0, 0x3F4C_CCCC, 0]),
        (0x200, &[&[C, 0], &[C, 4]], [0, 0x8000_0000, 0xC040_0000, 0x4080_0000]),
        (0x201, &[&[C, 0], &[C, 4]], [0x3F80_0000, 0x4000_0000, 0xC00C_CCCD, 0x7F7F_FFFF]),
    ];
    for &(opcode, inputs, expected) in cases {
        let operands = [inputs, &[&[OC, 0]]].concat();
        let found = run(&[], &AB, &[instruction(0, opcode, 4, &operands)]);
        assert_eq!(found.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), expected, "{opcode:X}");
    }
    // 0.01 / a, as the compiler writes it: rcp, then mul with the literal first under the scalar flag.
    let code =
        [instruction(0, 0x103, 4, &[&[C, 0], &[R, 0]]), instruction(SCALAR, 0x205, 4, &[&[IMM, 0], &[R, 0], &[OC, 0]])];
    let found = run(&[0.01], &AB, &code);
    let expected = [0x7F80_0000, 0xFF80_0000, 0xBB94_F209, 0x0000_51EC];
    assert_eq!(found.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), expected);
    // dot writes one component.
    assert_eq!(run(&[], &AB, &[instruction(0, 0x500, 4, &[&[C, 0], &[C, 4], &[OC, 0]])])[0], f32::INFINITY);
    let writes_one = instruction(0, 0x500, 4, &[&[C, 4], &[C, 4], &[OC, 1]]);
    assert_eq!(run(&[], &AB, &[writes_one]), [0.0, 30.0, 0.0, 0.0]);
}

#[test]
fn pres_formulas() {
    let unary = |opcode, x: f32| run(&[], &[x], &[instruction(0, opcode, 1, &[&[C, 0], &[OC, 0]])])[0];
    assert_eq!([unary(0x105, 3.0), unary(0x105, -1.0)], [8.0, 0.5]);
    assert_eq!([unary(0x106, 0.0), unary(0x106, -8.0)], [0.0, 3.0]);
    assert_eq!([unary(0x108, 0.0), unary(0x109, 0.0)], [0.0, 1.0]);
    // Outside their domain: a NaN with its sign set.
    for opcode in [0x10A, 0x10B] {
        let found = unary(opcode, 2.0);
        assert!(found.is_nan() && found.is_sign_negative(), "{opcode:X}");
    }
    assert_eq!(unary(0x10A, 1.0), std::f32::consts::FRAC_PI_2);
    assert_eq!([unary(0x138, 2.5), unary(0x139, -0.5), unary(0x13A, 0.25), unary(0x112, 9.0)], [2.0, -1.0, 1.0, 3.0]);
    let three = |opcode, a: f32| {
        run(&[], &[a, 5.0, 7.0], &[instruction(0, opcode, 1, &[&[C, 0], &[C, 1], &[C, 2], &[OC, 0]])])[0]
    };
    assert_eq!(
        [three(0x300, 0.0), three(0x300, -0.0), three(0x300, -1.0), three(0x300, f32::NAN)],
        [5.0, 5.0, 7.0, 7.0]
    );
    assert_eq!([three(0x301, 0.0), three(0x301, -1.0)], [7.0, 5.0]);
    // 0 times infinity is NaN here, unlike in shaders.
    let product = run(&[], &[0.0, f32::INFINITY], &[instruction(0, 0x205, 1, &[&[C, 0], &[C, 1], &[OC, 0]])]);
    assert!(product[0].is_nan());
    let angle = run(&[], &[1.0, -1.0], &[instruction(0, 0x206, 1, &[&[C, 0], &[C, 1], &[OC, 0]])])[0];
    assert_eq!(angle, 3.0 * std::f32::consts::FRAC_PI_4);
}

#[test]
fn pres_division_warns() {
    let code = instruction(0, 0x208, 1, &[&[C, 0], &[C, 1], &[OC, 0]]);
    let (found, warnings) = read(&stream(&[clit(&[]), fxlc(&[code])]));
    assert_eq!(warnings.len(), 1);
    assert_eq!(found.unwrap().eval(&[6.0, 4.0], &[]).unwrap().floats[0], 1.5);
}

#[test]
fn pres_scalar_flag() {
    // Input 0 alone is one scalar.
    let code = |flags| instruction(flags, 0x204, 3, &[&[C, 0], &[C, 4], &[OC, 0]]);
    let c = [10.0, 20.0, 30.0, 0.0, 1.0, 2.0, 3.0, 0.0];
    assert_eq!(run(&[], &c, &[code(SCALAR)]), [11.0, 12.0, 13.0, 0.0]);
    assert_eq!(run(&[], &c, &[code(0)]), [11.0, 22.0, 33.0, 0.0]);
}

/// A table of one float4 array of `registers`.
fn table(registers: u16) -> Vec<u32> {
    let mut table = ConstantTable { version: 0x4658_0201, ..ConstantTable::default() };
    let ty = table.add_type(Class::Vector, BaseType::Float, [1, 4], registers, Vec::new());
    let (set, name) = (RegisterSet::Float4, "arr".into());
    table.constants.push(Constant { name, set, index: 0, count: registers, reserved: 0, ty, default: None });
    ctab::comment(&ctab::write(&table)).unwrap()
}

#[test]
fn pres_indexed_wrap() {
    // c0..c4 with an index in a literal: 5 registers wrap at 8, and what is still past them reads 0.
    let c: Vec<f32> = (0..20).map(|i| i as f32).collect();
    let at = |index: f64, offset: u32| {
        let code = instruction(0, 0x100, 1, &[&[IMM, 0, C, offset], &[OC, 0]]);
        let (found, warnings) = read(&stream(&[table(5), clit(&[index]), fxlc(&[code])]));
        assert_eq!(warnings, [""; 0]);
        found.unwrap().eval(&c, &[]).unwrap().floats[0]
    };
    assert_eq!([at(0.0, 2), at(3.0, 1), at(1.0, 13)], [2.0, 13.0, 17.0]);
    assert_eq!([at(5.0, 0), at(6.0, 3), at(7.0, 0)], [0.0; 3]);
    assert_eq!([at(8.0, 3), at(11.0, 0), at(-1.0, 0), at(-5.0, 1)], [3.0, 12.0, 0.0, 13.0]);
    // Nearest, ties to even.
    assert_eq!([at(1.5, 0), at(2.5, 0), at(0.4, 0)], [8.0, 8.0, 0.0]);
    assert_eq!([at(f64::NAN, 1), at(1e300, 1)], [1.0, 1.0]);
    // Other tables wrap at their own size: three registers of temporaries.
    let fill = |register: u32| instruction(0, 0x100, 4, &[&[C, 4 * register], &[R, 4 * register]]);
    let code = |index: u32| [fill(0), fill(1), fill(2), instruction(0, 0x100, 1, &[&[IMM, index, R, 1], &[OC, 0]])];
    assert_eq!(run(&[2.0, 3.0, 4.0], &c, &code(0))[0], 9.0);
    assert_eq!(run(&[2.0, 3.0, 4.0], &c, &code(1))[0], 1.0);
    assert_eq!(run(&[2.0, 3.0, 4.0], &c, &code(2))[0], 5.0);
}

#[test]
fn pres_dotswiz() {
    let c = [1.0, 2.0, 3.0, 4.0, 10.0, 100.0, 1000.0, 10000.0];
    let six: Vec<Arg<'_>> = vec![&[C, 0], &[C, 2], &[C, 1], &[C, 4], &[C, 5], &[C, 6], &[OC, 2]];
    assert_eq!(run(&[], &c, &[instruction(0, 0x70E, 3, &six)]), [0.0, 0.0, 10.0 + 300.0 + 2000.0, 0.0]);
    let eight: Vec<Arg<'_>> = vec![&[C, 0], &[C, 1], &[C, 2], &[C, 3], &[C, 4], &[C, 5], &[C, 6], &[C, 7], &[OC, 0]];
    assert_eq!(run(&[], &c, &[instruction(0, 0x70E, 4, &eight)])[0], 43210.0);
    let seven = &eight[1..];
    let (found, warnings) = read(&stream(&[fxlc(&[instruction(0, 0x70E, 4, seven)])]));
    assert!(found.is_none() && warnings.len() == 1);
}

#[test]
fn pres_guard_words() {
    let code = instruction(0, 0x100, 1, &[&[C, 0], &[OC, 0]]);
    let mut words = vec![1];
    words.extend(&code);
    for guard in [&[][..], &[0xF0F0_F0F0, 0x0F0F_0F0F], &[1, 2, 3]] {
        let body = [&words[..], guard].concat();
        let (found, warnings) = read(&stream(&[comment(b"FXLC", &body)]));
        assert_eq!(warnings, [""; 0]);
        assert_eq!(found.unwrap().instructions.len(), 1);
    }
}

#[test]
fn pres_output_oi_ob() {
    let code = [
        instruction(0, 0x100, 3, &[&[C, 0], &[OI, 5]]),
        instruction(0, 0x100, 1, &[&[C, 1], &[OB, 12]]),
        instruction(0, 0x100, 1, &[&[C, 3], &[OB, 4]]),
        instruction(0, 0x100, 1, &[&[C, 2], &[OC, 132]]),
    ];
    let preshader = good(&[], &code);
    let found = preshader.eval(&[1.5, -2.5, 0.7, 0.0], &[]).unwrap();
    assert_eq!(found.ints, [0, 0, 0, 0, 0, 2, -2, 1]);
    assert_eq!(found.bools, [false, false, false, true]);
    assert_eq!((found.floats.len(), found.floats[132]), (136, 0.7));
    let writes = preshader.writes();
    assert_eq!((writes.ints.clone(), writes.floats[33]), (vec![0, 0b1110], 1));
    assert_eq!(writes.bools, [false, true, false, true]);
    // Over the application's values: the written lanes alone.
    let (mut floats, mut ints, mut bools) = (vec![[9.0; 4]; 34], vec![[9; 4]; 16], [true; 16]);
    found.apply(&writes, &mut floats, &mut ints, &mut bools);
    assert_eq!((floats[33], floats[32]), ([0.7, 9.0, 9.0, 9.0], [9.0; 4]));
    assert_eq!((ints[0], ints[1]), ([9; 4], [9, 2, -2, 1]));
    assert_eq!(bools[..5], [true, false, true, true, true]);
}

#[test]
fn pres_parts_in_any_order() {
    let code = fxlc(&[instruction(0, 0x205, 1, &[&[C, 0], &[IMM, 0], &[OC, 0]])]);
    let info = comment(b"PRSI", &[2, 0, 0, 3, 0, 0, 2, 2, 1, 4, 1, 0, 0]);
    let (found, warnings) = read(&stream(&[code.clone(), info, clit(&[3.0]), table(1)]));
    assert_eq!(warnings, [""; 0]);
    let found = found.unwrap();
    assert_eq!(found.eval(&[2.0], &[]).unwrap().floats[0], 6.0);
    let info = found.output_info.unwrap();
    assert_eq!((info.first, info.count, &info.ranges[..]), (2, 3, &[(2, 1), (4, 1)][..]));
    assert!(found.inputs.unwrap().find("arr", RegisterSet::Float4).is_some());
    // Without instructions it is nothing.
    let (found, warnings) = read(&stream(&[clit(&[3.0])]));
    assert!(found.is_none() && warnings[0].contains("FXLC"));
}

#[test]
fn pres_unsupported_operations_have_names() {
    for op in OPS.iter().filter(|op| matches!(op.meaning, Meaning::Unsupported)) {
        let preshader = good(&[], &[instruction(0, op.number.into(), 1, &[&[C, 0], &[C, 1], &[OC, 0]])]);
        assert_eq!(preshader.eval(&[], &[]), Err(Unsupported { name: op.name, instruction: 0 }));
        assert!(preshader.disassemble(Destination::Shader).next().unwrap().starts_with(op.name));
    }
    let native: Vec<u16> =
        OPS.iter().filter(|op| !matches!(op.meaning, Meaning::Unsupported)).map(|op| op.number).collect();
    assert_eq!(native.len(), 28, "one row of the sheet each");
}

#[test]
fn pres_text() {
    let code = [
        instruction(0, 0x205, 3, &[&[C, 0], &[IMM, 0], &[R, 0]]),
        instruction(SCALAR, 0x205, 4, &[&[IMM, 3], &[R, 4], &[OC, 132]]),
        instruction(0, 0x100, 1, &[&[C, 40, C, 0], &[OC, 5]]),
        instruction(0, 0x500, 4, &[&[C, 4], &[C, 8], &[OI, 1]]),
        instruction(0, 0x100, 1, &[&[C, 3], &[OB, 8]]),
    ];
    let preshader = good(&[2.0, 2.0, -0.0, 0.1], &code);
    let shader: Vec<_> = preshader.disassemble(Destination::Shader).collect();
    assert_eq!(
        shader,
        [
            "mul r0.xyz, c0.xyz, (2.0, 2.0, -0.0)",
            "mul c33, (0.1), r1",
            "mov c1.y, c0[c10.x].x",
            "dot oi0.y, c1, c2",
            "mov ob2, c0.w",
        ]
    );
    assert_eq!(preshader.disassemble(Destination::Expression).nth(1).unwrap(), "mul expr33, (0.1), r1");
    let mut block = String::new();
    preshader::print(&preshader, &mut block);
    assert!(block.starts_with("    preshader\n    mul r0.xyz, c0.xyz, "));
    assert!(block.ends_with("\n\n// approximately 5 instructions used\n"));
}

#[test]
fn pres_hostile_counts() {
    let bad = |parts: &[Vec<u32>]| {
        let (found, warnings) = read(&stream(parts));
        assert!(found.is_none() && warnings.len() == 1 && warnings[0].starts_with("E-PRES"), "{warnings:?}");
    };
    bad(&[comment(b"FXLC", &[u32::MAX])]);
    bad(&[comment(b"FXLC", &[])]);
    bad(&[comment(b"CLIT", &[u32::MAX, 0, 0]), fxlc(&[])]);
    bad(&[fxlc(&[instruction(0, 0x100, 0, &[&[C, 0], &[OC, 0]])])]);
    bad(&[fxlc(&[instruction(0, 0x100, 5, &[&[C, 0], &[OC, 0]])])]);
    bad(&[fxlc(&[instruction(0, 0x102, 1, &[&[C, 0], &[OC, 0]])])]);
    bad(&[fxlc(&[instruction(0, 0x100, 1, &[&[C, 0], &[C, 0], &[OC, 0]])])]);
    bad(&[fxlc(&[instruction(0, 0x100, 1, &[&[0, 0], &[OC, 0]])])]);
    bad(&[fxlc(&[instruction(0, 0x100, 1, &[&[8, 0], &[OC, 0]])])]);
    bad(&[fxlc(&[instruction(0, 0x100, 1, &[&[C, 0], &[C, 0]])])]);
    bad(&[fxlc(&[instruction(0, 0x100, 1, &[&[C, 0], &[OC, u32::MAX]])])]);
    // An input past its table is accepted, as natively, and wraps; a table of nothing reads 0.
    let code = |offset| instruction(0, 0x100, 1, &[&[IMM, offset], &[OC, 0]]);
    assert_eq!([run(&[1.0], &[], &[code(8)])[0], run(&[], &[], &[code(8)])[0]], [1.0, 0.0]);
    // Texture shaders are named.
    let (found, warnings) = read(&0x5458_0100_u32.to_le_bytes());
    assert!(found.is_none() && warnings[0].contains("texture shader"));
    // A file of its own fails with an error.
    let mut diags = Diags::new();
    assert!(preshader::parse_blob(&[1, 2, 3], 0, SourceId(0), Severity::Error, &mut diags).is_none());
    assert_eq!(diags.errors(), 1);
}

#[test]
fn corpus_preshaders_read_and_run() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/d3d9");
    let Ok(folders) = std::fs::read_dir(root) else {
        eprintln!("skipped: no corpus at {root}");
        return;
    };
    let (mut count, mut instructions) = (0, 0);
    for folder in folders.flatten() {
        let Ok(entries) = std::fs::read_dir(folder.path()) else { continue };
        for file in entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "bin")) {
            let stream = std::fs::read(&file).unwrap();
            for comment in ctab::leading_comments(&stream).filter(|comment| &comment.four_cc == b"PRES") {
                let (found, warnings) = read(comment.payload);
                assert_eq!(warnings, [""; 0], "{}", file.display());
                let found = found.unwrap();
                let constants = vec![0.5; 4 * 256];
                let outputs = found.eval(&constants, &[]).unwrap();
                // What PRSI announces is what the instructions write.
                let info = found.output_info.as_ref().unwrap();
                let writes = found.writes();
                let written = |&register: &u32| writes.floats.get(register as usize).is_some_and(|&mask| mask != 0);
                let registers: Vec<u32> = (0..writes.floats.len() as u32).filter(written).collect();
                let announced: Vec<u32> = info.ranges.iter().flat_map(|&(at, n)| at..at + n).collect();
                if outputs.ints.is_empty() && outputs.bools.is_empty() {
                    assert_eq!(registers, announced, "{}", file.display());
                    assert_eq!(info.first, announced[0]);
                    assert_eq!(info.first + info.count, announced[announced.len() - 1] + 1);
                }
                assert_eq!(found.disassemble(Destination::Shader).count(), found.instructions.len());
                count += 1;
                instructions += found.instructions.len();
            }
        }
    }
    eprintln!("{count} preshaders, {instructions} instructions");
    assert_eq!(count, 48);
}

#[test]
fn fuzz_preshader() {
    let code = [
        instruction(0, 0x205, 3, &[&[C, 0], &[IMM, 0], &[R, 0]]),
        instruction(SCALAR, 0x205, 4, &[&[IMM, 3], &[R, 4], &[OC, 132]]),
        instruction(0, 0x100, 1, &[&[C, 40, C, 0], &[OC, 5]]),
        instruction(0, 0x70E, 3, &[&[C, 0], &[C, 2], &[C, 1], &[C, 4], &[C, 5], &[C, 6], &[OI, 2]]),
    ];
    let base = stream(&[table(9), comment(b"PRSI", &[0; 11]), clit(&[2.0, 1.0, 5.0, 0.1]), fxlc(&code)]);
    let check = |bytes: &[u8]| {
        if let (Some(found), _) = read(bytes) {
            let _ = found.eval(&[1.0; 16], &[1.0; 4]);
            let mut text = String::new();
            preshader::print(&found, &mut text);
        }
    };
    for length in 0..base.len() {
        check(&base[..length]);
    }
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed as usize
    };
    for _ in 0..20_000 {
        let mut bytes = base.clone();
        for _ in 0..1 + next() % 4 {
            let at = next() % bytes.len();
            bytes[at] = [0, 1, 0xFF, next() as u8][next() % 4];
        }
        check(&bytes);
    }
}
