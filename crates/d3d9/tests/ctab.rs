//! Constant tables (sheet 5.1, cases of 7.3 row 50, runtime sheet 4.4), and all tables of the corpus.

use aquatint_base::{Diags, SourceId};
use aquatint_d3d9::ctab::{self, BaseType, Class, Constant, ConstantTable, Member, RegisterSet};
use std::path::PathBuf;

const PS_2_0: u32 = 0xFFFF_0200;

/// Reads a payload; gives the table and the texts of the warnings. Nothing here may be an error.
fn read(payload: &[u8]) -> (Option<ConstantTable>, Vec<String>) {
    let mut diags = Diags::new();
    let table = ctab::parse(payload, 0, SourceId(0), &mut diags);
    assert!(!diags.has_errors(), "a constant table never fails its shader");
    assert!(diags.iter().all(|d| d.code.id == "E-CTAB" && !d.span().is_none()));
    (table, diags.iter().map(|d| d.message.clone()).collect())
}

/// One constant of one type.
struct One {
    set: u16,
    index: u16,
    count: u16,
    class: u16,
    base: u16,
    rows: u16,
    columns: u16,
    elements: u16,
    default: Vec<u32>,
}

const FLOAT4: One =
    One { set: 2, index: 0, count: 1, class: 1, base: 3, rows: 1, columns: 4, elements: 1, default: Vec::new() };

/// A payload with the constants named `x`, byte by byte as the sheet lays it out.
fn payload(constants: &[One]) -> Vec<u8> {
    let mut tail = Vec::new();
    let mut out = Vec::new();
    let start = 28 + 20 * constants.len() as u32;
    tail.extend(b"x\0\xAB\xAB");
    for word in [28, 0, PS_2_0, constants.len() as u32, 28, 0, 0] {
        out.extend(u32::to_le_bytes(word));
    }
    for one in constants {
        let ty = start + tail.len() as u32;
        for half in [one.class, one.base, one.rows, one.columns, one.elements, 0, 0, 0] {
            tail.extend(half.to_le_bytes());
        }
        let default = if one.default.is_empty() { 0 } else { start + tail.len() as u32 };
        tail.extend(one.default.iter().flat_map(|word| word.to_le_bytes()));
        out.extend(start.to_le_bytes());
        for half in [one.set, one.index, one.count, 0] {
            out.extend(half.to_le_bytes());
        }
        out.extend(ty.to_le_bytes());
        out.extend(default.to_le_bytes());
    }
    out.extend(tail);
    out
}

fn put(payload: &mut [u8], at: usize, word: u32) {
    payload[at..at + 4].copy_from_slice(&word.to_le_bytes());
}

fn registers(one: One) -> u32 {
    let set = RegisterSet::from_number(one.set).unwrap();
    let (table, warnings) = read(&payload(&[one]));
    assert_eq!(warnings, [""; 0]);
    let table = table.unwrap();
    table.ty(table.constants[0].ty).unwrap().registers(set)
}

#[test]
fn ctab_28() {
    let (table, warnings) = read(&payload(&[FLOAT4]));
    assert_eq!(warnings, [""; 0]);
    let table = table.unwrap();
    assert_eq!(table.version, PS_2_0);
    let found = table.find("x", RegisterSet::Float4).unwrap();
    assert_eq!((found.index, found.count, &found.default), (0, 1, &None));
    let ty = table.ty(found.ty).unwrap();
    assert_eq!((ty.class, ty.base, ty.rows, ty.columns, ty.elements), (Class::Vector, BaseType::Float, 1, 4, 1));
}

#[test]
fn ctab_20() {
    // The entries follow the short header, so words 5 and 6 are not flags and target but the first entry.
    let long = payload(&[FLOAT4]);
    let mut short = long[..20].to_vec();
    short.extend(&long[28..]);
    put(&mut short, 0, 20);
    put(&mut short, 16, 20);
    put(&mut short, 20, 40);
    put(&mut short, 32, 44);
    let (table, warnings) = read(&short);
    assert_eq!(warnings, [""; 0]);
    let table = table.unwrap();
    assert_eq!((table.flags, &table.target), (0, &None));
    assert_eq!(table.find("x", RegisterSet::Float4).unwrap().count, 1);
    assert!(read(&ctab::write(&table)).0.unwrap().same(&table));
}

#[test]
fn ctab_two() {
    let words = |register: u16| ctab::comment(&payload(&[One { index: register, ..FLOAT4 }])).unwrap();
    let mut stream = vec![PS_2_0];
    stream.extend(words(7));
    stream.extend(words(9));
    stream.push(0xFFFF);
    let bytes: Vec<u8> = stream.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut diags = Diags::new();
    let table = ctab::of_stream(&bytes, 0, SourceId(0), &mut diags).unwrap();
    assert_eq!(table.constants[0].index, 7);
    assert_eq!((diags.errors(), diags.warnings()), (0, 1));
}

#[test]
fn ctab_version_mismatch_warns() {
    let mut stream = vec![0xFFFE_0200];
    stream.extend(ctab::comment(&payload(&[FLOAT4])).unwrap());
    let bytes: Vec<u8> = stream.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut diags = Diags::new();
    assert!(ctab::of_stream(&bytes, 0, SourceId(0), &mut diags).is_some());
    assert_eq!((diags.errors(), diags.warnings()), (0, 1));
}

#[test]
fn ctab_bad_offsets() {
    let good = payload(&[FLOAT4, One { index: 4, ..FLOAT4 }]);
    // Header: size below 20, size past the payload, entries past the payload. The whole table goes.
    for (at, word) in [(0, 19), (0, good.len() as u32 + 1), (16, good.len() as u32 - 39), (16, u32::MAX)] {
        let mut bad = good.clone();
        put(&mut bad, at, word);
        let (table, warnings) = read(&bad);
        assert!(table.is_none() && warnings.len() == 1, "{at} {word}");
    }
    // Entry: name, type. That entry goes, the other stays.
    for at in [28, 40] {
        let mut bad = good.clone();
        put(&mut bad, at, u32::MAX - 3);
        let (table, warnings) = read(&bad);
        assert_eq!((table.unwrap().constants.len(), warnings.len()), (1, 1));
    }
    // Initial value: the constant stays.
    let mut bad = good.clone();
    put(&mut bad, 44, good.len() as u32 - 15);
    let (table, warnings) = read(&bad);
    let table = table.unwrap();
    assert_eq!((table.constants.len(), &table.constants[0].default, warnings.len()), (2, &None, 1));
    // Registers past the widest file.
    let (table, warnings) = read(&payload(&[One { index: 8192, ..FLOAT4 }]));
    assert_eq!((table.unwrap().constants.len(), warnings.len()), (0, 1));
    assert_eq!(read(&payload(&[One { index: 8191, ..FLOAT4 }])).1.len(), 0);
}

#[test]
fn ctab_type_cycle() {
    // A struct type at `ty` with two members: the first a float, the second the struct itself.
    let mut bytes = payload(&[FLOAT4]);
    let (name, ty) = (48, 52);
    let members = bytes.len() as u32;
    let leaf = members + 16;
    for word in [name, leaf, name, ty] {
        bytes.extend(u32::to_le_bytes(word));
    }
    for half in [0u16, 3, 1, 1, 1, 0, 0, 0] {
        bytes.extend(half.to_le_bytes());
    }
    bytes[ty as usize] = 5;
    bytes[ty as usize + 10] = 2;
    put(&mut bytes, ty as usize + 12, members);
    let (table, warnings) = read(&bytes);
    assert_eq!(table.unwrap().constants.len(), 0);
    assert!(warnings[0].contains("contains itself"), "{warnings:?}");
}

/// A chain of `depth` struct types, each with `width` members of the next one's type.
fn chain(depth: u32, width: u32) -> Vec<u8> {
    let mut bytes = payload(&[FLOAT4]);
    let (name, mut below) = (48, 52);
    for _ in 0..depth {
        let members = bytes.len() as u32;
        for _ in 0..width {
            bytes.extend(u32::to_le_bytes(name));
            bytes.extend(u32::to_le_bytes(below));
        }
        below = bytes.len() as u32;
        for half in [5u16, 0, 1, 1, 1, width as u16] {
            bytes.extend(half.to_le_bytes());
        }
        bytes.extend(u32::to_le_bytes(members));
    }
    put(&mut bytes, 40, below);
    bytes
}

#[test]
fn ctab_shared_types_are_not_exponential() {
    // 15 levels of 40 members each stand for 40^15 leaves, and are 600 members.
    let (table, warnings) = read(&chain(15, 40));
    assert_eq!(warnings, [""; 0]);
    let table = table.unwrap();
    assert_eq!(table.types.len(), 16);
    assert!(read(&ctab::write(&table)).0.unwrap().same(&table));
    let mut text = String::new();
    ctab::print(&table, &mut text);
    assert!(text.len() < 8 << 20);
}

#[test]
fn ctab_type_nesting_is_bounded() {
    let (table, warnings) = read(&chain(40, 1));
    assert_eq!((table.unwrap().constants.len(), warnings.len()), (0, 1));
}

#[test]
fn ctab_name_without_nul() {
    let mut bytes = payload(&[FLOAT4]);
    let end = bytes.len() as u32;
    bytes.extend(b"name");
    put(&mut bytes, 28, end);
    let (table, warnings) = read(&bytes);
    assert_eq!(table.unwrap().constants.len(), 0);
    assert!(warnings[0].contains("NUL"), "{warnings:?}");
}

#[test]
fn ctab_count_overflow() {
    for count in [2, 65535, 65536, 0x0CCC_CCCD, u32::MAX] {
        let mut bytes = payload(&[FLOAT4]);
        bytes.truncate(28 + 20 + 4);
        put(&mut bytes, 12, count);
        let (table, warnings) = read(&bytes);
        assert!(table.is_none() && warnings.len() == 1, "{count}");
    }
}

#[test]
fn ctab_matrix_columns_registers() {
    let matrix = |class, rows, columns, elements| One { class, rows, columns, elements, ..FLOAT4 };
    assert_eq!(registers(matrix(3, 4, 3, 1)), 3); // float4x3, columns
    assert_eq!(registers(matrix(2, 4, 3, 1)), 4); // row_major float4x3
    assert_eq!(registers(matrix(3, 4, 3, 5)), 15);
    assert_eq!(registers(matrix(1, 1, 4, 8)), 8);
    assert_eq!(registers(matrix(0, 1, 1, 1)), 1);
    assert_eq!(registers(One { set: 1, base: 2, ..matrix(3, 2, 3, 1) }), 3);
}

#[test]
fn ctab_struct_members_start_new_registers() {
    let mut table = ConstantTable::default();
    let float = table.add_type(Class::Scalar, BaseType::Float, [1, 1], 1, Vec::new());
    let matrix = table.add_type(Class::MatrixColumns, BaseType::Float, [4, 3], 2, Vec::new());
    let member = |name: &str, ty| Member { name: name.into(), ty };
    let ty = table.add_type(Class::Struct, BaseType::Void, [1, 13], 3, vec![member("a", float), member("m", matrix)]);
    assert_eq!(table.ty(ty).unwrap().registers(RegisterSet::Float4), 3 * (1 + 2 * 3));
    assert_eq!(table.ty(ty).unwrap().element_registers(RegisterSet::Float4), 7);
    assert_eq!(table.ty(ty).unwrap().registers(RegisterSet::Bool), 3 * (1 + 2 * 12));
}

#[test]
fn ctab_bool_matrix() {
    assert_eq!(registers(One { set: 0, base: 1, class: 3, rows: 2, columns: 3, ..FLOAT4 }), 6);
    assert_eq!(registers(One { set: 0, base: 1, class: 1, rows: 1, columns: 4, ..FLOAT4 }), 4);
}

#[test]
fn ctab_sampler_array() {
    let sampler = One { set: 3, index: 2, count: 3, class: 4, base: 12, rows: 1, columns: 1, elements: 3, ..FLOAT4 };
    let (table, warnings) = read(&payload(&[sampler]));
    assert_eq!(warnings, [""; 0]);
    let table = table.unwrap();
    let ty = table.ty(table.constants[0].ty).unwrap();
    assert_eq!((ty.base, ty.registers(RegisterSet::Sampler)), (BaseType::Sampler2D, 3));
    assert_eq!(table.covering(RegisterSet::Sampler, 4).unwrap().name, "x");
    assert!(table.covering(RegisterSet::Sampler, 5).is_none() && table.covering(RegisterSet::Float4, 2).is_none());
}

#[test]
fn ctab_same_name_two_sets() {
    let as_int = One { set: 1, index: 3, class: 0, base: 2, columns: 1, ..FLOAT4 };
    let as_float = One { set: 2, index: 8, class: 0, base: 2, columns: 1, ..FLOAT4 };
    let (table, _) = read(&payload(&[as_int, as_float]));
    let table = table.unwrap();
    assert_eq!(table.find("x", RegisterSet::Int4).unwrap().index, 3);
    assert_eq!(table.find("x", RegisterSet::Float4).unwrap().index, 8);
    assert!(table.find("x", RegisterSet::Bool).is_none());
}

#[test]
fn ctab_default_values() {
    // Float4 per register in the float set, for the whole type even where fewer registers are used.
    let words: Vec<u32> = (0..8).map(|i| (i as f32).to_bits()).collect();
    let one = One { base: 2, columns: 2, elements: 2, count: 1, default: words.clone(), ..FLOAT4 };
    let (table, warnings) = read(&payload(&[one]));
    assert_eq!(warnings, [""; 0]);
    assert_eq!(table.unwrap().constants[0].default.as_deref(), Some(&words[..]));
}

#[test]
fn ctab_write_sorts_and_pads() {
    let mut table = ConstantTable { version: PS_2_0, creator: Some("me".into()), ..ConstantTable::default() };
    let ty = table.add_type(Class::Vector, BaseType::Float, [1, 4], 1, Vec::new());
    for (name, index) in [("b", 1), ("a", 0)] {
        let (set, name) = (RegisterSet::Float4, name.into());
        table.constants.push(Constant { name, set, index, count: 1, reserved: 0, ty, default: None });
    }
    // "a" and its type, then "b" alone since the type is there, then the creator.
    let expected = [
        28,
        90,
        PS_2_0,
        2,
        28,
        0,
        0, //
        68,
        0x0000_0002,
        1,
        72,
        0, //
        88,
        0x0001_0002,
        1,
        72,
        0, //
        0xABAB_0061,
        0x0003_0001,
        0x0004_0001,
        1,
        0, //
        0x656D_0062,
        0xABAB_AB00,
    ];
    let bytes: Vec<u8> = expected.into_iter().flat_map(u32::to_le_bytes).collect();
    assert_eq!(ctab::write(&table), bytes);
}

#[test]
fn ctab_synthetic_words() {
    let vs = ctab::synthetic(0xFFFE_0101, 256);
    let expected = "001AFFFE 42415443 0000001C 00000040 FFFE0101 00000001 0000001C 00000000 0000005A 00000061 00000002 \
        00000100 00000030 00000000 00030001 00040001 00000100 00000000 6F6C6148 69736956 73206E6F 68746E79 63697465 \
        41544320 73760042 315F315F 00006300";
    let expected: Vec<u32> = expected.split_whitespace().map(|word| u32::from_str_radix(word, 16).unwrap()).collect();
    assert_eq!(vs, expected);
    let ps = ctab::synthetic(0xFFFF_0200, 224);
    let differences: Vec<_> = (0..27).filter(|&i| ps[i] != vs[i]).map(|i| (i, ps[i])).collect();
    assert_eq!(differences, [(4, 0xFFFF_0200), (11, 0xE0), (16, 0xE0), (24, 0x7370_0042)]);
    let payload: Vec<u8> = vs[2..].iter().flat_map(|word| word.to_le_bytes()).collect();
    let (table, warnings) = read(&payload);
    assert_eq!(warnings, [""; 0]);
    assert!(table.unwrap().same(&ConstantTable::of_one_array(0xFFFE_0101, 256)));
}

#[test]
fn ctab_header_lines() {
    let mut table = ConstantTable { version: PS_2_0, creator: Some("C 1".into()), ..ConstantTable::default() };
    let matrix = table.add_type(Class::MatrixColumns, BaseType::Float, [4, 4], 1, Vec::new());
    let sampler = table.add_type(Class::Object, BaseType::Sampler2D, [1, 1], 1, Vec::new());
    let float = table.add_type(Class::Vector, BaseType::Float, [1, 3], 2, Vec::new());
    let ty = table.add_type(Class::Struct, BaseType::Void, [1, 6], 1, vec![Member { name: "v".into(), ty: float }]);
    let mut add = |name: &str, set, index, count, ty| {
        table.constants.push(Constant { name: name.into(), set, index, count, reserved: 0, ty, default: None });
    };
    add("a_s", RegisterSet::Sampler, 0, 1, sampler);
    add("g_light", RegisterSet::Float4, 4, 2, ty);
    add("g_mWVP", RegisterSet::Float4, 0, 4, matrix);
    let mut text = String::new();
    ctab::print(&table, &mut text);
    let expected = "\
//
// Generated by C 1
//
// Parameters:
//
//   sampler2D a_s;
//   struct
//   {
//       float3 v[2];
//   } g_light;
//   float4x4 g_mWVP;
//
//
// Registers:
//
//   Name         Reg   Size
//   ------------ ----- ----
//   g_mWVP       c0       4
//   g_light      c4       2
//   a_s          s0       1
//

";
    assert_eq!(text, expected);
}

fn corpus() -> Option<Vec<PathBuf>> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/d3d9");
    let Ok(folders) = std::fs::read_dir(root) else {
        eprintln!("skipped: no corpus at {root}");
        return None;
    };
    let mut files = Vec::new();
    for folder in folders.flatten() {
        let Ok(entries) = std::fs::read_dir(folder.path()) else { continue };
        files.extend(entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "bin")));
    }
    files.sort();
    Some(files)
}

#[test]
fn corpus_tables_read_and_write_back() {
    let Some(files) = corpus() else { return };
    let mut tables = 0;
    for file in files {
        let stream = std::fs::read(&file).unwrap();
        for comment in ctab::leading_comments(&stream).filter(|comment| &comment.four_cc == b"CTAB") {
            let (table, warnings) = read(comment.payload);
            assert_eq!(warnings, [""; 0], "{}", file.display());
            let table = table.unwrap();
            let written = ctab::write(&table);
            let (again, warnings) = read(&written);
            assert_eq!(warnings, [""; 0], "{}", file.display());
            assert!(again.unwrap().same(&table), "{}", file.display());
            tables += 1;
            // The compiler's own layout, so the same bytes again.
            assert_eq!(written, comment.payload, "{}", file.display());
            let mut text = String::new();
            ctab::print(&table, &mut text);
            assert!(table.constants.iter().all(|constant| text.contains(&constant.name)));
        }
    }
    assert_eq!(tables, 1403);
}

#[test]
fn fuzz_ctab() {
    let base = chain(6, 3);
    let base = [&base[..], &payload(&[FLOAT4, FLOAT4])[..]].concat();
    for length in 0..base.len() {
        read(&base[..length]);
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
        if let (Some(table), _) = read(&bytes) {
            let mut text = String::new();
            ctab::print(&table, &mut text);
            assert!(read(&ctab::write(&table)).0.is_some());
        }
    }
}
