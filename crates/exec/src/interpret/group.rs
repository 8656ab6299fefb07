//! Derivatives, quads and waves.

use super::machine::Machine;
use super::mask;
use super::program::{Arg, GroupInst, Slots};
use aquatint_ir::eval::lane_fn;
use aquatint_ir::op::{QuadLane, Wave};
use aquatint_ir::{Op, Scalar, Stage};

/// 1 of a kind.
fn one(kind: Scalar) -> u64 {
    aquatint_ir::eval::convert(Scalar::U32, kind, 1)
}

impl Machine<'_> {
    pub(super) fn group(&mut self, inst: &GroupInst) {
        match *inst {
            GroupInst::Derivative { out, a, count, kind, vertical, fine } => {
                self.derivative(out, a, count, kind, vertical, fine);
            }
            GroupInst::Quad { lane, out, a, index } => self.quad(lane, out, a, index),
            GroupInst::Wave { wave, out, a, b } => {
                for first in (0..self.lanes).step_by(self.wave) {
                    let all = first..(first + self.wave).min(self.lanes);
                    self.wave(wave, out, a, b, all);
                }
            }
        }
    }

    fn derivative(&mut self, out: u32, a: u32, count: u32, kind: Scalar, vertical: bool, fine: bool) {
        let Some(minus) = lane_fn(Op::FSub, kind) else { return };
        // Distance to the neighbour, and the bit of the lane number that chooses the row or column of a fine one.
        let (step, across) = if vertical { (2, 1) } else { (1, 2) };
        for lane in 0..self.lanes {
            let quad = lane & !3;
            let defined = quad + 3 < self.lanes && self.program.stage != Stage::Vertex;
            let near = quad + if fine { lane & across } else { 0 };
            for word in 0..count {
                let bits = match defined {
                    true => minus(self.slot(a + word, near + step), self.slot(a + word, near), 0),
                    false => 0,
                };
                self.set_slot(out + word, lane, bits);
            }
        }
    }

    fn quad(&mut self, which: QuadLane, out: u32, a: Arg, index: Option<u32>) {
        for lane in 0..self.lanes {
            let quad = lane & !3;
            let votes = |yes: bool| {
                let mut active = (quad..self.lanes.min(quad + 4)).filter(|&lane| mask::has(&self.active, lane));
                active.any(|lane| (self.slot(a.slot, lane) != 0) == yes)
            };
            let other = match which {
                QuadLane::AcrossX => lane ^ 1,
                QuadLane::AcrossY => lane ^ 2,
                QuadLane::Diagonal => lane ^ 3,
                QuadLane::At => quad + index.map_or(0, |index| self.slot(index, lane) as usize & 3),
                QuadLane::Any | QuadLane::All => {
                    let result = if which == QuadLane::Any { votes(true) } else { !votes(false) };
                    self.set_slot(out, lane, u64::from(result));
                    continue;
                }
            };
            for word in 0..a.lanes {
                let bits = if other < self.lanes { self.slot(a.slot + word, other) } else { 0 };
                self.set_slot(out + word, lane, bits);
            }
        }
    }

    /// Whether a lane takes part in wave operations.
    fn takes_part(&self, lane: usize) -> bool {
        mask::has(&self.active, lane) && !mask::has(&self.helpers, lane)
    }

    /// One wave. Masked lanes get results too, which nobody sees.
    fn wave(&mut self, wave: Wave, out: Slots, a: Option<Arg>, b: Option<Arg>, all: std::ops::Range<usize>) {
        let first = all.start;
        // At most 128 lanes: which take part.
        let active =
            all.clone().filter(|&lane| self.takes_part(lane)).fold(0_u128, |set, lane| set | 1 << (lane - first));
        let members = |set: u128| all.clone().filter(move |lane| set >> (lane - first) & 1 != 0);
        let before = |lane: usize| active & ((1_u128 << (lane - first)) - 1);
        let Some(a) = a else {
            for lane in all {
                let value = match wave {
                    Wave::IsFirst => u64::from(active.trailing_zeros() as usize == lane - first),
                    Wave::LaneIndex => (lane - first) as u64,
                    _ => self.wave as u64,
                };
                self.set_slot(out.first, lane, value);
            }
            return;
        };
        let is_true = |machine: &Self, lane: usize| machine.slot(a.slot, lane) != 0;
        let votes =
            members(active).filter(|&lane| is_true(self, lane)).fold(0_u128, |set, lane| set | 1 << (lane - first));
        // The mask operand of the partitioned ones.
        let partition = |machine: &Self, lane: usize| {
            let word = |k: u32| b.map_or(0, |b| u128::from(machine.slot(b.slot + k, lane) as u32)) << (32 * k);
            word(0) | word(1) | word(2) | word(3)
        };
        for lane in all.clone() {
            let scalar = match wave {
                Wave::AnyTrue => u64::from(votes != 0),
                Wave::AllTrue => u64::from(votes == active),
                Wave::CountBits => u64::from(votes.count_ones()),
                Wave::PrefixCountBits => u64::from((votes & before(lane)).count_ones()),
                Wave::MultiPrefixCountBits => u64::from((votes & before(lane) & partition(self, lane)).count_ones()),
                _ => break,
            };
            self.set_slot(out.first, lane, scalar);
        }
        match wave {
            Wave::Ballot | Wave::Match => {
                for lane in all.clone() {
                    let same = |other: usize| (0..a.lanes).all(|word| self.equal(a, word, lane, other));
                    let set = match wave {
                        Wave::Ballot => votes,
                        _ => members(active).filter(|&l| same(l)).fold(0_u128, |set, l| set | 1 << (l - first)),
                    };
                    for word in 0..4 {
                        self.set_slot(out.first + word, lane, u64::from((set >> (32 * word)) as u32));
                    }
                }
            }
            Wave::AllEqual => {
                let head = members(active).next();
                for word in 0..a.lanes {
                    let all_equal = head.is_none_or(|head| members(active).all(|lane| self.equal(a, word, head, lane)));
                    for lane in all.clone() {
                        self.set_slot(out.first + word, lane, u64::from(all_equal));
                    }
                }
            }
            Wave::ReadFirst | Wave::ReadAt => {
                let head = members(active).next();
                for lane in all.clone() {
                    let from = match b {
                        Some(b) if wave == Wave::ReadAt => {
                            let index = self.slot(b.slot, lane) as u32 as usize;
                            members(active).find(|&lane| lane - first == index)
                        }
                        _ => head,
                    };
                    for word in 0..a.lanes {
                        // A result may not change what later lanes read: it has slots of its own.
                        let bits = from.map_or(0, |from| self.slot(a.slot + word, from));
                        self.set_slot(out.first + word, lane, bits);
                    }
                }
            }
            _ => {
                let Some((op, identity)) = reduction(wave, a.kind) else { return };
                let Some(f) = lane_fn(op, a.kind) else { return };
                for word in 0..a.lanes {
                    let sum = |machine: &Self, set: u128| {
                        let mut values = members(set).map(|lane| machine.slot(a.slot + word, lane));
                        let head = values.next();
                        head.map_or(identity, |head| values.fold(head, |sum, value| f(sum, value, 0)))
                    };
                    let whole = sum(self, active);
                    for lane in all.clone() {
                        let value = match wave {
                            Wave::PrefixSum | Wave::PrefixProduct => sum(self, before(lane)),
                            Wave::MultiPrefixSum
                            | Wave::MultiPrefixProduct
                            | Wave::MultiPrefixAnd
                            | Wave::MultiPrefixOr
                            | Wave::MultiPrefixXor => sum(self, before(lane) & partition(self, lane)),
                            _ => whole,
                        };
                        self.set_slot(out.first + word, lane, value);
                    }
                }
            }
        }
    }

    /// Whether two lanes hold equal values: floats by value.
    fn equal(&self, a: Arg, word: u32, x: usize, y: usize) -> bool {
        let (x, y) = (self.slot(a.slot + word, x), self.slot(a.slot + word, y));
        match lane_fn(Op::FEq, a.kind) {
            Some(f) => f(x, y, 0) != 0,
            None => x == y,
        }
    }
}

/// The operation that joins two values, and the value of none.
fn reduction(wave: Wave, kind: Scalar) -> Option<(Op, u64)> {
    let float = kind.is_float();
    let ones = aquatint_ir::constants::mask(kind, u64::MAX);
    Some(match wave {
        Wave::Sum | Wave::PrefixSum | Wave::MultiPrefixSum => (if float { Op::FAdd } else { Op::IAdd }, 0),
        Wave::Product | Wave::PrefixProduct | Wave::MultiPrefixProduct => {
            (if float { Op::FMul } else { Op::IMul }, one(kind))
        }
        Wave::And | Wave::MultiPrefixAnd => (Op::And, ones),
        Wave::Or | Wave::MultiPrefixOr => (Op::Or, 0),
        Wave::Xor | Wave::MultiPrefixXor => (Op::Xor, 0),
        Wave::Min => (if float { Op::FMin } else { Op::IMin }, 0),
        Wave::Max => (if float { Op::FMax } else { Op::IMax }, 0),
        _ => return None,
    })
}
