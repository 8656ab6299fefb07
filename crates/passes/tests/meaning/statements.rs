//! The statements of random modules that are no control flow.

use super::{Body, F};
use aquatint_ir::types::{self, Scalar, Type, TypeId};
use aquatint_ir::{Attr, Op, Value};

impl Body<'_, '_> {
    pub(super) fn float(&mut self) {
        const ONE: &[Op] = &[
            Op::FNeg,
            Op::FAbs,
            Op::FSaturate,
            Op::Floor,
            Op::Ceil,
            Op::Round,
            Op::Trunc,
            Op::Fract,
            Op::Sqrt,
            Op::RSqrt,
            Op::Rcp,
            Op::RcpD3d9,
            Op::RSqrtD3d9,
            Op::Exp2D3d9,
            Op::Log2D3d9,
            Op::FractD3d9,
            Op::SgnD3d9,
            Op::FSign,
        ];
        const TWO: &[Op] = &[
            Op::FAdd,
            Op::FSub,
            Op::FMul,
            Op::FDiv,
            Op::FMin,
            Op::FMax,
            Op::FMulLegacy,
            Op::MinD3d9,
            Op::MaxD3d9,
            Op::PowD3d9,
            Op::Step,
            Op::FAdd,
            Op::FMul,
            Op::FMulLegacy,
            Op::Pow,
        ];
        const THREE: &[Op] = &[Op::Fma, Op::FmaLegacy, Op::LrpLegacy, Op::FClamp, Op::Mix, Op::Smoothstep];
        const REDUCE: &[Op] = &[Op::Dot, Op::DotLegacy, Op::Distance];
        const SAME: &[Op] = &[Op::NrmD3d9, Op::LitD3d9, Op::DstD3d9, Op::Normalize, Op::Reflect, Op::FaceForward];
        let ty = [types::F32, types::VEC4F, types::vector(F, 2)][self.random.below(3)];
        let list = self.random.below(12);
        let (ops, count) = match list {
            0..=2 => (ONE, 1),
            3..=7 => (TWO, 2),
            8..=9 => (THREE, 3),
            10 => (REDUCE, 2),
            _ => (SAME, 0),
        };
        let op = ops[self.random.below(ops.len())];
        let (ty, count) = match op {
            Op::LitD3d9 => (types::VEC4F, 1),
            Op::DstD3d9 => (types::VEC4F, 2),
            Op::NrmD3d9 | Op::Normalize => (ty, 1),
            Op::Reflect => (ty, 2),
            Op::FaceForward => (ty, 3),
            _ => (ty, count),
        };
        let before = self.b.set_precise(self.random.below(8) == 0);
        let mut operands = self.picks(&vec![ty; count]);
        if count > 1 && self.random.below(8) == 0 {
            operands[1] = operands[0];
        }
        let value = match op {
            Op::LitD3d9 | Op::DstD3d9 => self.b.value(op, Attr::None, &operands, ty),
            _ => self.b.op(op, &operands),
        };
        self.b.set_precise(before);
        self.add(value);
    }

    pub(super) fn integer(&mut self) {
        const OPS: &[Op] = &[
            Op::IAdd,
            Op::ISub,
            Op::IMul,
            Op::IDiv,
            Op::IRem,
            Op::And,
            Op::Or,
            Op::Xor,
            Op::Shl,
            Op::Shr,
            Op::IMin,
            Op::IMax,
            Op::Not,
            Op::INeg,
            Op::IAdd,
        ];
        let ty = [types::U32, types::I32, types::BOOL][self.random.below(3)];
        let mut op = OPS[self.random.below(OPS.len())];
        if ty == types::BOOL {
            op = [Op::And, Op::Or, Op::Xor, Op::Not][self.random.below(4)];
        }
        let count = if matches!(op, Op::Not | Op::INeg) { 1 } else { 2 };
        let mut operands = self.picks(&vec![ty; count]);
        if count > 1 && self.random.below(8) == 0 {
            operands[1] = operands[0];
        }
        let value = match if ty == types::U32 { self.random.below(8) } else { 7 } {
            0 => {
                let (offset, bits) = (self.pick(types::U32), self.pick(types::U32));
                self.b.value(Op::BitsExtract, Attr::None, &[operands[0], offset, bits], ty)
            }
            1 => {
                let (insert, offset, bits) = (self.pick(ty), self.pick(types::U32), self.pick(types::U32));
                self.b.value(Op::BitsInsert, Attr::None, &[operands[0], insert, offset, bits], ty)
            }
            2 => {
                let other = self.pick(ty);
                let carry = self.b.push(Op::IAddCarry, Attr::None, &[operands[0], other], &[ty, ty]);
                let second = self.b.result_at(carry, 1);
                self.add(second);
                self.b.result(carry)
            }
            _ => self.b.op(op, &operands),
        };
        self.add(value);
    }

    pub(super) fn comparison(&mut self) {
        let floats = [Op::FEq, Op::FNe, Op::FLt, Op::FLe, Op::FGt, Op::FGe];
        let integers = [Op::IEq, Op::INe, Op::ILt, Op::ILe, Op::IGt, Op::IGe];
        let index = self.random.below(6);
        let value = match self.random.below(5) {
            0 | 1 => {
                let operands = self.picks(&[types::F32, types::F32]);
                self.b.op(floats[index], &operands)
            }
            2 => {
                let operands = self.picks(&[types::I32, types::I32]);
                self.b.op(integers[index], &operands)
            }
            3 => {
                let ty = self.value_type();
                let condition = self.pick(types::BOOL);
                let (yes, no) = (self.pick(ty), self.pick(ty));
                self.b.select(condition, yes, no)
            }
            _ => {
                let (a, b) = (self.pick(types::VEC4F), self.pick(types::VEC4F));
                let each = self.b.op(floats[index], &[a, b]);
                if index > 2 {
                    let (yes, no) = (self.pick(types::VEC4F), self.pick(types::VEC4F));
                    self.b.select(each, yes, no)
                } else {
                    self.b.op([Op::Any, Op::All][index % 2], &[each])
                }
            }
        };
        self.add(value);
    }

    pub(super) fn lanes(&mut self) {
        let vector = [types::VEC4F, types::vector(F, 2)][self.random.below(2)];
        let whole = self.pick(vector);
        let (_, count) = self.b.lanes_of(whole);
        let count = usize::from(count);
        let value = match self.random.below(9) {
            0..=2 => {
                let wanted = 1 + self.random.below(4);
                let lanes: Vec<u8> = (0..wanted).map(|_| self.random.below(count) as u8).collect();
                self.b.shuffle(whole, &lanes)
            }
            3 => self.b.extract(whole, self.random.below(count) as u32),
            4 => {
                let part = self.pick(types::F32);
                self.b.insert(whole, part, self.random.below(count) as u32)
            }
            5 => {
                let scalar = self.pick(types::F32);
                self.b.splat(scalar, 4)
            }
            6 => {
                let parts = match self.random.below(4) {
                    0 => self.picks(&[types::F32; 4]),
                    1 => self.picks(&[types::vector(F, 2), types::F32, types::F32]),
                    2 => self.picks(&[types::F32, types::vector(F, 2), types::F32]),
                    _ => self.picks(&[types::vector(F, 2); 2]),
                };
                self.b.construct(types::VEC4F, &parts)
            }
            7 => {
                let (part, index) = (self.pick(types::F32), self.pick(types::U32));
                match self.random.below(2) {
                    0 => self.b.value(Op::ExtractDyn, Attr::None, &[whole, index], types::F32),
                    _ => self.b.value(Op::InsertDyn, Attr::None, &[whole, part, index], vector),
                }
            }
            _ => {
                let from = self.value_type();
                let value = self.pick(from);
                let kind = [Scalar::F32, Scalar::U32, Scalar::I32, Scalar::Bool, Scalar::F16][self.random.below(5)];
                let made = self.b.convert(value, kind);
                self.b.convert(made, [Scalar::F32, Scalar::U32, Scalar::I32][self.random.below(3)])
            }
        };
        self.add(value);
    }

    pub(super) fn variable(&mut self) {
        if self.vars.len() < 3 || self.random.below(12) == 0 {
            let ty = match self.random.below(9) {
                8 => {
                    let rows = self.b.types.array(types::vector(F, 2), 2);
                    self.b.types.array(rows, 2)
                }
                0..=1 => self.b.types.array(types::F32, 3),
                2 => {
                    let inner = self.b.types.array(types::VEC4F, 2);
                    self.b.types.array(inner, 2)
                }
                3 => self.b.types.intern(Type::Matrix { scalar: F, rows: 2, columns: 2 }),
                _ => self.value_type(),
            };
            let var = self.b.var(ty);
            return self.vars.push(var);
        }
        // The first ones more often: they are visible everywhere.
        let few = 1 + self.random.below(self.vars.len());
        let mut pointer = self.vars[self.random.below(few)];
        // Down to something that can be stored, mostly by constants.
        loop {
            let Type::Pointer { pointee, .. } = self.b.types.get(self.b.type_of(pointer)) else { return };
            let parts = match self.b.types.get(pointee) {
                Type::Array { length: Some(length), .. } => length,
                Type::Matrix { rows, .. } => u32::from(rows),
                Type::Vector(_, lanes) if self.random.below(3) == 0 => u32::from(lanes),
                _ => break,
            };
            if self.random.below(8) == 0 && types::lanes_of(pointee).is_none() {
                return self.whole(pointer, pointee);
            }
            let index = match self.random.below(5) {
                0 => self.step(parts),
                _ => self.b.u32(self.random.below(parts as usize) as u32),
            };
            pointer = self.b.access(pointer, index);
        }
        let Type::Pointer { pointee, .. } = self.b.types.get(self.b.type_of(pointer)) else { return };
        if self.random.below(2) == 0 {
            let value = self.pick(pointee);
            self.b.store(pointer, value);
        } else {
            let value = self.b.load(pointer);
            self.add(value);
        }
    }

    /// Loads an aggregate and stores it back, or a part of it to the pool.
    fn whole(&mut self, pointer: Value, ty: TypeId) {
        let value = self.b.load(pointer);
        let part = self.b.extract(value, 0);
        let part_type = self.b.type_of(part);
        if types::lanes_of(part_type).is_some() {
            self.add(part);
        }
        let zero = self.b.zero(ty);
        let stored = match self.random.below(3) {
            0 => zero,
            1 => value,
            _ => self.b.insert(zero, part, 1),
        };
        self.b.store(pointer, stored);
    }

    pub(super) fn memory(&mut self) {
        let globals = self.globals;
        match self.random.below(8) {
            0 | 1 => {
                let index = self.random.below(2);
                let value = self.pick([types::F32, types::VEC4F][index]);
                self.b.store(Value::global(globals.privates[index]), value);
            }
            2 | 3 => {
                let value = self.b.load(Value::global(globals.privates[self.random.below(2)]));
                self.add(value);
            }
            4 => {
                let (one, row) = (self.b.u32(1), self.step(4));
                let rows = self.b.access(Value::global(globals.uniform), one);
                let pointer = self.b.access(rows, row);
                let value = self.b.load(pointer);
                self.add(value);
            }
            5 => {
                let zero = self.b.u32(0);
                let pointer = self.b.access(Value::global(globals.uniform), zero);
                let value = self.b.load(pointer);
                self.add(value);
            }
            // Lanes run in lockstep and share the buffer, so it is only read, and written by nobody else.
            6 => {
                let index = self.pick(types::U32);
                let pointer = self.b.access(Value::global(globals.storage), index);
                let value = self.b.load(pointer);
                self.add(value);
            }
            _ => {
                let offset = self.pick(types::U32);
                let four = self.b.u32(0xFFFF_FFFC);
                let offset = self.b.op(Op::And, &[offset, four]);
                let value =
                    self.b.value(Op::LoadBytes, Attr::None, &[Value::global(globals.storage), offset], types::U32);
                self.add(value);
            }
        }
    }

    pub(super) fn call(&mut self) {
        if self.functions.is_empty() {
            return;
        }
        let function = self.functions[self.random.below(self.functions.len())];
        let arguments = self.picks(&[types::F32, types::VEC4F, types::U32]);
        let value = self.b.value(Op::Call, Attr::Function(function), &arguments, types::F32);
        self.add(value);
    }
}
