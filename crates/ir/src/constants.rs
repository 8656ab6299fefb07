//! Constants, interned: equal constant, equal id.

use crate::types::{self, Scalar, TypeId, Types};
use aquatint_base::{Arena, HashMap, Id};

/// The id of a constant.
pub type ConstantId = Id<Constant>;

/// A constant and its type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Constant {
    /// Its type.
    pub ty: TypeId,
    /// Its value.
    pub value: ConstantValue,
}

/// The value of a constant.
///
/// Numbers are bit patterns, zero-extended to 64 bits (also those of signed types), so that every NaN survives.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ConstantValue {
    /// A scalar.
    Scalar(u64),
    /// A vector; lanes past its size are 0.
    Vector([u64; 4]),
    /// A matrix (its rows), array or struct.
    Composite(Box<[ConstantId]>),
    /// The zero of a matrix, array or struct type.
    Zero,
}

impl Constant {
    /// The bits of one lane of a scalar (lane 0) or vector constant.
    pub fn lane(&self, lane: usize) -> Option<u64> {
        match &self.value {
            ConstantValue::Scalar(bits) => (lane == 0).then_some(*bits),
            ConstantValue::Vector(lanes) => lanes.get(lane).copied(),
            ConstantValue::Composite(_) | ConstantValue::Zero => None,
        }
    }
}

/// The constants of a module.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    all: Arena<Constant>,
    index: HashMap<Constant, ConstantId>,
}

impl PartialEq for Constants {
    fn eq(&self, other: &Self) -> bool {
        self.all == other.all
    }
}

/// Up to so many constants a search is a walk: a hash table that small modules never earn back is not made.
const LINEAR: usize = 20;

/// Keeps the bits that a value of the kind has.
pub const fn mask(kind: Scalar, bits: u64) -> u64 {
    match kind.bits() {
        64 => bits,
        n => bits & ((1 << n) - 1),
    }
}

impl Constants {
    /// No constants.
    pub fn new() -> Self {
        Self::default()
    }

    /// The id of a constant, entered if it is new.
    pub fn intern(&mut self, constant: Constant) -> ConstantId {
        if self.all.len() <= LINEAR {
            // The type tells most constants apart.
            if let Some((id, _)) = self.all.iter().find(|(_, c)| c.ty == constant.ty && c.value == constant.value) {
                return id;
            }
        } else {
            if self.index.is_empty() {
                self.index = self.all.iter().map(|(id, c)| (c.clone(), id)).collect();
            }
            if let Some(&id) = self.index.get(&constant) {
                return id;
            }
        }
        if self.index.is_empty() {
            if self.all.is_empty() {
                self.all = Arena::with_capacity(LINEAR);
            }
            return self.all.push(constant);
        }
        let id = self.all.push(constant.clone());
        self.index.insert(constant, id);
        id
    }

    /// A scalar of the given kind.
    pub fn scalar(&mut self, kind: Scalar, bits: u64) -> ConstantId {
        self.intern(Constant { ty: types::scalar(kind), value: ConstantValue::Scalar(mask(kind, bits)) })
    }

    /// A vector of 2 to 4 lanes, or a scalar for one.
    pub fn vector(&mut self, kind: Scalar, lanes: &[u64]) -> ConstantId {
        if let [one] = lanes {
            return self.scalar(kind, *one);
        }
        let mut all = [0; 4];
        for (to, &from) in all.iter_mut().zip(lanes) {
            *to = mask(kind, from);
        }
        let lanes = lanes.len().clamp(2, 4) as u8;
        self.intern(Constant { ty: types::vector(kind, lanes), value: ConstantValue::Vector(all) })
    }

    /// The zero of any type that has one: numbers, vectors, matrices, arrays and structs of them.
    pub fn zero(&mut self, ty: TypeId) -> ConstantId {
        let value = match types::lanes_of(ty) {
            Some((_, 1)) => ConstantValue::Scalar(0),
            Some(_) => ConstantValue::Vector([0; 4]),
            None => ConstantValue::Zero,
        };
        self.intern(Constant { ty, value })
    }

    /// A matrix, array or struct of parts.
    pub fn composite(&mut self, ty: TypeId, parts: &[ConstantId]) -> ConstantId {
        self.intern(Constant { ty, value: ConstantValue::Composite(parts.into()) })
    }

    /// The part of a constant that one step of a path leads to; `None` where there is none.
    pub fn step(&mut self, types: &Types, id: ConstantId, index: u32) -> Option<ConstantId> {
        let constant = self.all.get(id)?;
        let part = types.step(constant.ty, index)?;
        match &constant.value {
            ConstantValue::Vector(lanes) => {
                let (kind, _) = types::lanes_of(constant.ty)?;
                let bits = *lanes.get(index as usize)?;
                Some(self.scalar(kind, bits))
            }
            ConstantValue::Composite(parts) => parts.get(index as usize).copied(),
            ConstantValue::Zero => Some(self.zero(part)),
            ConstantValue::Scalar(_) => None,
        }
    }

    /// The constant of that id, if it is of this module.
    pub fn get(&self, id: ConstantId) -> Option<&Constant> {
        self.all.get(id)
    }

    /// All constants with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (ConstantId, &Constant)> {
        self.all.iter()
    }

    /// The number of constants.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

impl std::ops::Index<ConstantId> for Constants {
    type Output = Constant;
    #[inline]
    fn index(&self, id: ConstantId) -> &Constant {
        &self.all[id]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_payloads_and_negative_zero_stay_apart() {
        let mut constants = Constants::new();
        let a = constants.scalar(Scalar::F32, 0x7FC0_0001);
        let b = constants.scalar(Scalar::F32, 0x7FC0_0002);
        let zero = constants.scalar(Scalar::F32, 0);
        let minus = constants.scalar(Scalar::F32, 0x8000_0000);
        assert_ne!(a, b);
        assert_ne!(zero, minus);
        assert_eq!(constants.zero(types::F32), zero);
    }

    #[test]
    fn signed_values_are_kept_in_their_width() {
        let mut constants = Constants::new();
        let id = constants.scalar(Scalar::I32, -1i64 as u64);
        assert_eq!(constants[id].lane(0), Some(0xFFFF_FFFF));
    }
}
