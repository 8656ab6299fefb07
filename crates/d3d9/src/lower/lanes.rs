//! Registers as lanes of SSA values.
//!
//! A register is four [`Lane`]s, each a lane of some value. A masked write only changes the table; a read gathers the lanes
//! that it wants into one vector, with as few instructions as they need.

use aquatint_ir::types::{self, Scalar};
use aquatint_ir::{Builder, Value};
use smallvec::SmallVec;

/// One lane of a value; a scalar value has lane 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lane {
    /// The value.
    pub value: Value,
    /// Its lane.
    pub index: u8,
}

impl Lane {
    /// A lane.
    pub const fn new(value: Value, index: u8) -> Self {
        Self { value, index }
    }

    /// A scalar.
    pub const fn scalar(value: Value) -> Self {
        Self { value, index: 0 }
    }
}

/// The lanes of one register.
pub type Lanes4 = [Lane; 4];

/// All four lanes of a four-lane value.
pub fn whole(value: Value) -> Lanes4 {
    [0, 1, 2, 3].map(|index| Lane { value, index })
}

/// One scalar in all lanes.
pub fn replicate(value: Value) -> Lanes4 {
    [Lane::scalar(value); 4]
}

/// The lanes as one value: a scalar for one lane, else a vector.
pub fn gather(b: &mut Builder<'_>, lanes: &[Lane]) -> Value {
    let Some(&first) = lanes.first() else { return b.f32(0.0) };
    if lanes.iter().all(|lane| lane.value == first.value) && first.value.as_constant().is_none() {
        return pick(b, first.value, lanes);
    }
    if let Some(constant) = constant(b, lanes) {
        return constant;
    }
    let kind = b.lanes_of(first.value).0;
    let mut parts: SmallVec<[Value; 4]> = SmallVec::new();
    let mut rest = lanes;
    while let Some(&head) = rest.first() {
        let is_constant = head.value.as_constant().is_some();
        let run = rest
            .iter()
            .take_while(|l| l.value == head.value || (is_constant && l.value.as_constant().is_some()))
            .count();
        let (part, after) = rest.split_at(run);
        let value = match is_constant {
            true => constant(b, part).unwrap_or(head.value),
            false if b.lanes_of(head.value).1 == 1 => {
                parts.extend(std::iter::repeat_n(head.value, run - 1));
                head.value
            }
            false => pick(b, head.value, part),
        };
        parts.push(value);
        rest = after;
    }
    b.construct(types::vector(kind, lanes.len() as u8), &parts)
}

/// Lanes of one value.
fn pick(b: &mut Builder<'_>, value: Value, lanes: &[Lane]) -> Value {
    let mut order: SmallVec<[u8; 4]> = lanes.iter().map(|lane| lane.index).collect();
    order.truncate(4);
    b.shuffle(value, &order)
}

/// The lanes as a constant, if all of them are.
fn constant(b: &mut Builder<'_>, lanes: &[Lane]) -> Option<Value> {
    let mut bits: SmallVec<[u64; 4]> = SmallVec::new();
    let mut kind = Scalar::F32;
    for lane in lanes {
        let constant = &b.constants[lane.value.as_constant()?];
        kind = types::lanes_of(constant.ty)?.0;
        bits.push(constant.lane(usize::from(lane.index))?);
    }
    Some(Value::constant(b.constants.vector(kind, &bits)))
}

/// The bits of a lane that is a constant.
pub fn constant_lane(b: &Builder<'_>, lane: Lane) -> Option<u64> {
    b.constants[lane.value.as_constant()?].lane(usize::from(lane.index))
}
