//! Time in proportion to the words, whatever they say (sheet 1.17): streams that repeat one thing very often.

use crate::shader::{decoded, lowered};
use aquatint_d3d9::lower::Options;
use std::time::{Duration, Instant};

/// The words of a stream that says `head`, then `repeated` so often, then ends.
fn stream(version: u32, head: &[u32], repeated: &[u32], times: usize, tail: &[u32]) -> Vec<u32> {
    let mut words = vec![version];
    words.extend_from_slice(head);
    (0..times).for_each(|_| words.extend_from_slice(repeated));
    words.extend_from_slice(tail);
    words.push(0x0000_FFFF);
    words
}

/// Twice the words take about twice the time; what grows with the square would take four times as long.
#[track_caller]
fn linear(what: &str, make: impl Fn(usize) -> Vec<u32>) {
    let options = Options::default();
    let time = |times: usize| {
        let words = make(times);
        let shader = decoded(&words).unwrap_or_else(|why| panic!("{what}: {why}"));
        let start = Instant::now();
        let done = aquatint_d3d9::lower::lower(&shader, &options, &mut aquatint_base::Diags::new());
        assert!(done.is_some(), "{what}");
        start.elapsed()
    };
    // Other work on the machine makes a run longer, never shorter: one good measurement of several is enough.
    let (mut small, mut large) = (Duration::MAX, Duration::MAX);
    for _ in 0..8 {
        (small, large) = (small.min(time(2000)), large.min(time(16_000)));
        if large < small * 24 + Duration::from_millis(20) {
            return;
        }
    }
    panic!("{what}: {small:?}, and {large:?} for eight times as much");
}

const MOV_R0_V0: [u32; 3] = [0x0200_0001, 0x800F_0000, 0x90E4_0000];

#[test]
fn declarations_again_and_again() {
    let dcl = [0x0200_001F, 0x8000_0000, 0x900F_0000];
    linear("dcl and mov", |times| {
        let repeated: Vec<u32> = dcl.into_iter().chain(MOV_R0_V0).collect();
        stream(0xFFFE_0300, &[], &repeated, times, &[])
    });
    let both = [0x0200_001F, 0x8000_0005, 0xE00F_0001, 0x0100_0028, 0xE0E4_0800, 0x0000_001C, 0x0000_002B];
    linear("dcl of an output, if b0, ret, endif", |times| stream(0xFFFE_0300, &[], &both, times, &[]));
}

#[test]
fn ends_again_and_again() {
    let early = [0x0100_0028, 0xE0E4_0800, 0x0000_001C, 0x0000_002B];
    linear("if b0, ret, endif in vs_2_x", |times| stream(0xFFFE_0201, &[], &early, times, &[]));
    let mov = [0x0200_0001, 0x800F_0800, 0xA0E4_0000];
    linear("if b0, ret, endif in ps_3_0", |times| stream(0xFFFF_0300, &mov, &early, times, &[]));
}

#[test]
fn definitions_under_relative_addresses() {
    // Sixteen definitions a read would be sixteen selects each.
    let read = [0x0300_0001, 0x800F_0000, 0xA0E4_2000, 0xB000_0000];
    let defs = |count: usize| -> Vec<u32> {
        (0..count as u32).flat_map(|register| [0x0500_0051, 0xA00F_0000 | register, 1, 2, 3, 4]).collect()
    };
    let words = stream(0xFFFE_0200, &defs(256), &read, 20_000, &[]);
    let error = lowered(&words, &Options::default()).unwrap_err();
    assert!(error.starts_with("E-CALL"), "{error}");
    let few = stream(0xFFFE_0200, &defs(4), &read, 2000, &[]);
    assert!(lowered(&few, &Options::default()).is_ok());
}

#[test]
fn samplers_declared_again_and_again() {
    let words = [0x0200_001F, 0x9000_0000, 0xA00F_0800, 0x0300_0042, 0x800F_0000, 0x90E4_0000, 0xA0E4_0800];
    linear("dcl_2d s0 and texld", |times| stream(0xFFFF_0300, &[], &words, times, &[]));
    let words = [0x0200_001F, 0x8000_0000, 0xB00F_0000, 0x0200_0001, 0x800F_0000, 0xB0E4_0000];
    linear("dcl t0 and mov", |times| stream(0xFFFF_0200, &[], &words, times, &[]));
}
