//! Damaged effects: an error, the rest still listed, no panic.

use super::builder::*;
use super::corpus::containers;
use aquatint_base::{Diags, SourceId};
use aquatint_d3d9::ctab;
use aquatint_d3d9::effect;

#[test]
fn fx_bad_resource_is_skipped() {
    for (address, usage, data) in [
        ([0, 0, NONE, 9], 0, &VS[..]),
        ([0, 7, NONE, 0], 0, &VS),
        ([9, 0, NONE, 0], 0, &VS),
        ([NONE, 9, 0, 0], 1, b"One\0"),
        ([0, 0, NONE, 0], 3, &VS),
        ([0, 0, NONE, 0], 1, b"One!"),
        ([0, 0, NONE, 0], 2, &bytes(&[900, 0])),
        ([0, 0, NONE, 0], 2, &bytes(&[4, 0x41, 0])),
    ] {
        let mut b = Builder::new();
        let states = [b.object_state(146, VERTEX_SHADER), b.object_state(147, PIXEL_SHADER)];
        b.technique(&states);
        b.large(address, usage, data);
        b.large([0, 0, NONE, 1], 0, &PS);
        let (found, messages) = bad(&b.finish());
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert_eq!(found.unwrap().shaders().map(|s| s.name).collect::<Vec<_>>(), ["T/P/ps"]);
    }
}

#[test]
fn fx_offset_outside() {
    for (ty, value) in [(u32::MAX, 0), (1 << 20, 0), (4, u32::MAX), (4, 24)] {
        let mut b = Builder::new();
        b.put(&[FLOAT, MATRIX, 0, 0, 0, 4, 4]);
        b.parameter(ty, value, 0, &[]);
        b.parameter(4, 0, 0, &[]);
        let (found, messages) = bad(&b.finish());
        let found = found.unwrap();
        assert!(messages[0].starts_with("E-FX"));
        assert_eq!((messages.len(), found.parameters.len()), (1, 2), "{ty} {value}");
        assert_eq!(found.ty(found.parameters[1].ty).rows, 4);
    }
    let mut file = struct_effect();
    file[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(bad(&file).0.is_none());
}

#[test]
fn fx_huge_counts() {
    let file = all_kinds();
    let structure = 8 + u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize;
    for at in (structure..file.len()).step_by(4) {
        for word in [u32::MAX, 0x7FFF_FFFF, 0x1000_0000, 65536] {
            let mut file = file.clone();
            file[at..at + 4].copy_from_slice(&word.to_le_bytes());
            if let (Some(fx), _) = read(&file) {
                effect::print(&fx, &mut |_| String::new());
            }
        }
    }
    // Elements, rows, members.
    for more in [[0, 0, u32::MAX, 4, 4], [0, 0, 2, u32::MAX, u32::MAX], [0, 0, u32::MAX, u32::MAX, u32::MAX]] {
        let mut b = Builder::new();
        let ty = b.put(&[&[FLOAT, MATRIX], &more[..]].concat());
        b.parameter(ty, 4, 0, &[]);
        assert_eq!(bad(&b.finish()).1.len(), 1);
    }
    let mut b = Builder::new();
    let ty = b.put(&[0, 5, 0, 0, u32::MAX, u32::MAX]);
    b.parameter(ty, 4, 0, &[]);
    assert_eq!(bad(&b.finish()).1.len(), 1);
}

#[test]
fn fx_struct_nesting_is_bounded() {
    let mut b = Builder::new();
    let ty = b.put(&[0, 5, 0, 0, 0, 1].repeat(5000));
    b.parameter(ty, 4, 0, &[]);
    assert!(bad(&b.finish()).1[0].contains("nest deeper"));
}

#[test]
fn fx_shared_values_do_not_fill_memory() {
    // 20,000 parameters share one value of 20,000 words: 1.6 GB if each had its own.
    let mut b = Builder::new();
    let ty = b.ty(FLOAT, MATRIX, "m", 20_000, &[1, 1]);
    let value = b.put(&vec![0; 20_000]);
    for _ in 0..20_000 {
        b.parameter(ty, value, 0, &[]);
    }
    let (found, messages) = bad(&b.finish());
    assert!(messages[0].contains("more space"));
    assert_eq!(found.unwrap().parameters.len(), 20_000);
}

#[test]
fn fx_truncated_every_length() {
    for file in [all_kinds(), sampler_array().finish(), struct_effect()] {
        for length in 0..file.len() {
            let (found, diags) = read(&file[..length]);
            // Only padding may be missing without an error.
            assert!(diags.has_errors() || (diags.warnings() > 0 && length + 4 > file.len()), "{length}");
            if let Some(fx) = found {
                effect::print(&fx, &mut |bytes| format!("{}", bytes.len()));
                fx.shaders().for_each(drop);
            }
        }
        good(&file);
    }
}

#[test]
fn fuzz_fx() {
    let mut files = vec![all_kinds(), sampler_array().finish(), struct_effect()];
    files.extend(
        containers("fxb").into_iter().flatten().map(|path| std::fs::read(path).unwrap()).filter(|f| f.len() < 6000),
    );
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed as usize
    };
    for round in 0..12_000 {
        let mut file = files[round % files.len()].clone();
        for _ in 0..1 + next() % 4 {
            let at = next() % file.len();
            file[at] = [0, 1, 0xFF, next() as u8][next() % 4];
        }
        if let (Some(fx), _) = read(&file) {
            effect::print(&fx, &mut |bytes| format!("{}", bytes.len()));
            for shader in fx.shaders() {
                let mut diags = Diags::new();
                if let Some(table) = ctab::of_stream(fx.bytes(shader.range), 0, SourceId(0), &mut diags) {
                    fx.sampler_bindings(&table);
                    table.constants.iter().for_each(|constant| drop(fx.upload(&table, constant)));
                }
            }
        }
        effect::embedded(&file);
    }
}

#[test]
fn fx_reading_time_is_linear() {
    // Four times the parameters, each with a type and value of its own: quadratic would be sixteen times the time.
    let file = |count: u32| {
        let mut b = Builder::new();
        for i in 0..count {
            let ty = b.ty(FLOAT, MATRIX, &format!("p{i}"), 0, &[1, 1]);
            let value = b.put(&[i]);
            b.parameter(ty, value, 0, &[]);
        }
        b.finish()
    };
    let time = |file: &[u8]| {
        let once = || {
            let start = std::time::Instant::now();
            good(file);
            start.elapsed()
        };
        (0..5).map(|_| once()).min().unwrap()
    };
    let (small, large) = (file(20_000), file(80_000));
    let (short, long) = (time(&small), time(&large));
    assert!(long < 16 * short, "{short:?} {long:?}");
}
