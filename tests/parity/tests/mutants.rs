//! Damaged streams through the whole translator: an answer or a diagnostic, and never a panic or a run-away.

use aquatint_base::Diags;
use aquatint_d3d9::lower;
use aquatint_parity::{corpus_streams, full, translate};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Mutants of each stream.
const ROUNDS: u64 = 50;
/// Without `AQUATINT_FULL=1`, one stream in so many.
const SAMPLE: usize = 4;
/// A mutant that takes longer is a run-away, in a debug build on a busy machine too.
const PATIENCE: Duration = Duration::from_secs(20);

/// A small generator: the same mutants in every run (xorshift64*, Vigna 2016).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end.max(1)
    }
}

fn mutate(stream: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = stream.to_vec();
    for _ in 0..1 + random.below(4) {
        let words = bytes.len() / 4;
        let at = 4 * random.below(words);
        match random.below(6) {
            0 => {
                let bit = random.below(32);
                if let Some(byte) = bytes.get_mut(at + bit / 8) {
                    *byte ^= 1 << (bit % 8);
                }
            }
            1 => {
                let value = random.next() as u8;
                if let Some(byte) = bytes.get_mut(at + random.below(4)) {
                    *byte = value;
                }
            }
            2 => bytes.truncate(at.max(8)),
            3 => {
                // An instruction again, or a piece of one, somewhere else.
                let from = 4 * random.below(words);
                let piece: Vec<u8> = bytes[from..(from + 4 * (1 + random.below(6))).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
            4 => drop(bytes.drain(at..(at + 4).min(bytes.len()))),
            _ => {
                // Another opcode, with the operands of this one.
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.below(97) as u8;
                }
            }
        }
    }
    bytes
}

/// The whole way; whether something came out.
fn translate(bytes: &[u8]) -> bool {
    let Ok(shader) = translate::decode(bytes) else { return false };
    let Ok(mut lowered) = translate::lower(&shader, &lower::Options::default()) else { return false };
    // A module that verified and no longer does after a pass is a bug, whatever the input was.
    translate::clean(&mut lowered.module).expect("the passes keep the rules");
    let mut diags = Diags::new();
    let metal = aquatint_msl::write(&lowered.module, "main", &aquatint_msl::Options::direct3d9(), &mut diags);
    let spirv = aquatint_spirv::write_owned(lowered.module, "main", &aquatint_spirv::Options::default(), &mut diags);
    metal.is_some() && spirv.is_some()
}

#[test]
fn mutants_of_every_stream_are_translated_or_refused() {
    let Some(files) = corpus_streams() else {
        return println!("skipped: the corpus of real shaders is absent");
    };
    let step = if full() { 1 } else { SAMPLE };
    let files: Vec<PathBuf> = files.into_iter().step_by(step).collect();
    let next = AtomicUsize::new(0);
    let (translated, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let failures = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let bytes = std::fs::read(path).expect("a stream of the corpus");
                    for round in 0..ROUNDS {
                        let seed = (round + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ bytes.len() as u64;
                        let mutant = mutate(&bytes, &mut Random(seed));
                        let start = Instant::now();
                        let outcome = catch_unwind(AssertUnwindSafe(|| translate(&mutant)));
                        let slow = start.elapsed() > PATIENCE;
                        match outcome {
                            Ok(true) => translated.fetch_add(1, Ordering::Relaxed),
                            Ok(false) => refused.fetch_add(1, Ordering::Relaxed),
                            Err(_) => {
                                failures.lock().unwrap().push(format!("{} mutant {round}: panic", path.display()));
                                0
                            }
                        };
                        if slow {
                            failures.lock().unwrap().push(format!("{} mutant {round}: run-away", path.display()));
                        }
                    }
                }
            });
        }
    });
    let (translated, refused) = (translated.into_inner(), refused.into_inner());
    println!("{} streams, {translated} mutants translated, {refused} refused", files.len());
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(translated > refused / 20, "mutants should reach the writers: {translated} of {}", translated + refused);
}
