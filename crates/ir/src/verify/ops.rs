//! V004: operands, results and attribute of each operation, as its row says.

use super::memory::Root;
use super::types::{Info, Infos};
use super::{Fault, Report};
use crate::codes;
use crate::function::{Attr, Function, Inst, Value};
use crate::op::{Class, Op, Rule};
use crate::types::{self, BOOL, F32, Scalar, Type, TypeId, Types, U32, lanes_of, vector};
use aquatint_base::Id;

/// What a right instruction tells the walk.
pub(super) enum Checked {
    /// Nothing.
    Nothing,
    /// Where its pointer leads.
    Root(Root),
}

/// An instruction whose operands and results exist.
pub(super) struct Ctx<'a, 'm> {
    pub report: &'a Report<'m>,
    pub infos: &'a Infos,
    pub function: &'a Function,
    pub inst: &'a Inst,
    pub operands: &'a [Value],
    pub roots: &'a [Root],
}

/// A fault against V004.
#[cold]
pub(super) fn wrong<T>(message: impl Into<String>) -> Result<T, Fault> {
    Err((&codes::V004, message.into()))
}

impl<'a> Ctx<'a, '_> {
    pub(super) fn types(&self) -> &'a Types {
        &self.report.module.types
    }

    /// The type of operand `i`; void where there is none.
    #[inline]
    pub(super) fn ty(&self, i: usize) -> TypeId {
        self.operands.get(i).map_or(types::VOID, |&v| self.report.module.type_of(self.function, v))
    }

    /// The type of result `i`; void where there is none.
    #[inline]
    pub(super) fn result(&self, i: usize) -> TypeId {
        let results = self.inst.results;
        if i < results.len as usize {
            self.function.locals[Id::new(results.start as usize + i)].ty
        } else {
            types::VOID
        }
    }

    pub(super) fn info(&self, ty: TypeId) -> Info {
        self.infos.get(ty)
    }

    #[inline]
    pub(super) fn lanes(&self, i: usize) -> Option<(Scalar, u8)> {
        lanes_of(self.ty(i))
    }

    /// The bits of operand `i` if it is a scalar constant.
    pub(super) fn constant_lane(&self, i: usize) -> Option<u64> {
        let id = self.operands.get(i)?.as_constant()?;
        self.report.module.constants.get(id)?.lane(0)
    }

    #[inline]
    pub(super) fn counts(&self, operands: usize, results: usize) -> Result<(), Fault> {
        if self.operands.len() == operands && self.inst.results.len as usize == results {
            return Ok(());
        }
        let (o, r) = (self.operands.len(), self.inst.results.len);
        wrong(format!("{} has {operands} operands and {results} results, not {o} and {r}", self.inst.op.name()))
    }

    #[inline]
    pub(super) fn no_attr(&self) -> Result<(), Fault> {
        if self.inst.attr == Attr::None { Ok(()) } else { wrong(format!("{} has no attribute", self.inst.op.name())) }
    }

    #[inline]
    pub(super) fn operand_is(&self, i: usize, wanted: TypeId) -> Result<(), Fault> {
        let found = self.ty(i);
        if found == wanted {
            return Ok(());
        }
        wrong(format!("operand {i} is {}, not {}", self.report.ty(found), self.report.ty(wanted)))
    }

    #[inline]
    pub(super) fn result_is(&self, i: usize, wanted: TypeId) -> Result<Checked, Fault> {
        let found = self.result(i);
        if found == wanted {
            return Ok(Checked::Nothing);
        }
        wrong(format!("result {i} is {}, not {}", self.report.ty(found), self.report.ty(wanted)))
    }

    /// Operand `i` as a scalar or vector of a class.
    #[inline]
    pub(super) fn numbers(&self, i: usize, class: Class) -> Result<(Scalar, u8), Fault> {
        match self.lanes(i) {
            Some((kind, lanes)) if class.admits(kind) => Ok((kind, lanes)),
            _ => wrong(format!(
                "operand {i} is {}, not a {} or a vector of them",
                self.report.ty(self.ty(i)),
                class.name()
            )),
        }
    }

    /// The operation's typing; the rules of regions are elsewhere.
    #[inline]
    pub(super) fn check(&self) -> Result<Checked, Fault> {
        match self.inst.op.row().rule {
            Rule::Same(n, class) => self.same(usize::from(n), class),
            Rule::Compare(class) => {
                self.no_attr()?;
                self.counts(2, 1)?;
                let (_, lanes) = self.numbers(0, class)?;
                self.operand_is(1, self.ty(0))?;
                self.result_is(0, vector(Scalar::Bool, lanes))
            }
            Rule::Test(class) => {
                self.no_attr()?;
                self.counts(1, 1)?;
                let (_, lanes) = self.numbers(0, class)?;
                self.result_is(0, vector(Scalar::Bool, lanes))
            }
            Rule::Reduce(class) => {
                self.no_attr()?;
                self.counts(2, 1)?;
                let (kind, _) = self.numbers(0, class)?;
                self.operand_is(1, self.ty(0))?;
                self.result_is(0, types::scalar(kind))
            }
            Rule::Length(class) => {
                self.no_attr()?;
                self.counts(1, 1)?;
                let (kind, _) = self.numbers(0, class)?;
                self.result_is(0, types::scalar(kind))
            }
            Rule::AnyAll => {
                self.no_attr()?;
                self.counts(1, 1)?;
                self.numbers(0, Class::Bool)?;
                self.result_is(0, BOOL)
            }
            Rule::Special => self.special(),
        }
    }

    fn same(&self, n: usize, class: Class) -> Result<Checked, Fault> {
        match (self.inst.op, self.inst.attr) {
            (_, Attr::None) | (Op::Ddx | Op::Ddy, Attr::Derivative(_)) => {}
            _ => return wrong(format!("{} has another attribute than its own", self.inst.op.name())),
        }
        self.counts(n, 1)?;
        let ty = self.result(0);
        let kind = match (lanes_of(ty), self.types().get(ty)) {
            (Some((kind, _)), _) => Some(kind),
            (None, Type::Matrix { scalar, .. }) if takes_matrices(self.inst.op) => Some(scalar),
            _ => None,
        };
        if !kind.is_some_and(|k| class.admits(k)) {
            let message = format!("{} gives no {}", self.inst.op.name(), self.report.ty(ty));
            return wrong(format!("{message}: it is no {} or vector of them", class.name()));
        }
        for i in 0..n {
            self.operand_is(i, ty)?;
        }
        Ok(Checked::Nothing)
    }

    fn special(&self) -> Result<Checked, Fault> {
        use Op::*;
        match self.inst.op {
            Construct | Splat | Extract | Insert | ExtractDyn | InsertDyn | Shuffle | Select | Convert | Bitcast => {
                self.values()
            }
            PackHalf2x16 | PackSnorm2x16 | PackUnorm2x16 => self.fixed(&[vector(Scalar::F32, 2)], U32),
            PackSnorm4x8 | PackUnorm4x8 => self.fixed(&[vector(Scalar::F32, 4)], U32),
            UnpackHalf2x16 | UnpackSnorm2x16 | UnpackUnorm2x16 => self.fixed(&[U32], vector(Scalar::F32, 2)),
            UnpackSnorm4x8 | UnpackUnorm4x8 => self.fixed(&[U32], vector(Scalar::F32, 4)),
            Transpose | Determinant | MulMv | MulVm | MulMm => self.matrices(),
            Ldexp | Frexp | Modf | Cross | CrossLegacy | Refract | LitD3d9 | DstD3d9 => self.floats(),
            IAddCarry | ISubBorrow | BitsExtract | BitsInsert | Msad4 => self.integers(),
            Var | Access | Load | Store | LoadBytes | StoreBytes | ArrayLength | Atomic | CounterAdd => self.memory(),
            Sample | Gather | Fetch | ImageLoad | ImageStore | ImageAtomic | QuerySize | QueryLevels | QuerySamples
            | QueryLod => self.texture(),
            QuadOp => self.quad(),
            WaveOp => self.wave(),
            If | Loop | Switch | Yield | Break | Continue | Next | Fallthrough | Return | Discard | Terminate
            | Unreachable | Call | Barrier => self.control(),
            _ => wrong(format!("{} has a rule of its own that the verifier does not know", self.inst.op.name())),
        }
    }

    /// Operands and result of fixed types.
    fn fixed(&self, operands: &[TypeId], result: TypeId) -> Result<Checked, Fault> {
        self.no_attr()?;
        self.counts(operands.len(), 1)?;
        for (i, &wanted) in operands.iter().enumerate() {
            self.operand_is(i, wanted)?;
        }
        self.result_is(0, result)
    }

    fn values(&self) -> Result<Checked, Fault> {
        if self.inst.op != Op::Select {
            for i in 0..self.operands.len() {
                self.data(i)?;
            }
        }
        if !matches!(self.inst.op, Op::Extract | Op::Insert | Op::Shuffle) {
            self.no_attr()?;
        }
        match (self.inst.op, self.inst.attr) {
            (Op::Construct, _) => self.construct(),
            (Op::Splat, _) => {
                self.counts(1, 1)?;
                match (self.lanes(0), lanes_of(self.result(0))) {
                    (Some((kind, 1)), Some((to, 2..))) if kind == to => Ok(Checked::Nothing),
                    _ => wrong("splat makes a vector of a scalar of its kind"),
                }
            }
            (Op::Extract, Attr::Index(index)) => {
                self.counts(1, 1)?;
                match self.types().step(self.ty(0), index) {
                    Some(part) => self.result_is(0, part),
                    None => wrong(format!("{} has no part {index}", self.report.ty(self.ty(0)))),
                }
            }
            (Op::Insert, Attr::Index(index)) => {
                self.counts(2, 1)?;
                match self.types().step(self.ty(0), index) {
                    Some(part) => self.operand_is(1, part)?,
                    None => return wrong(format!("{} has no part {index}", self.report.ty(self.ty(0)))),
                }
                self.result_is(0, self.ty(0))
            }
            (Op::ExtractDyn, _) => {
                self.counts(2, 1)?;
                let part = self.dynamic(1)?;
                self.result_is(0, part)
            }
            (Op::InsertDyn, _) => {
                self.counts(3, 1)?;
                let part = self.dynamic(2)?;
                self.operand_is(1, part)?;
                self.result_is(0, self.ty(0))
            }
            (Op::Shuffle, Attr::Lanes(lanes)) => {
                self.counts(1, 1)?;
                match self.lanes(0) {
                    Some((kind, count @ 2..)) if lanes.as_slice().iter().all(|&l| l < count) => {
                        self.result_is(0, vector(kind, lanes.count()))
                    }
                    _ => wrong("shuffle takes lanes that its vector has"),
                }
            }
            (Op::Select, _) => self.select(),
            (Op::Convert, _) => {
                self.counts(1, 1)?;
                let shape = |ty: TypeId| match (lanes_of(ty), self.types().get(ty)) {
                    (Some((_, lanes)), _) => Some((0, lanes)),
                    (None, Type::Matrix { rows, columns, .. }) => Some((rows, columns)),
                    _ => None,
                };
                match (shape(self.ty(0)), shape(self.result(0))) {
                    (Some(a), Some(b)) if a == b => Ok(Checked::Nothing),
                    _ => wrong("convert keeps the shape"),
                }
            }
            (Op::Bitcast, _) => {
                self.counts(1, 1)?;
                let size = |lanes: Option<(Scalar, u8)>| {
                    lanes.filter(|l| l.0 != Scalar::Bool).map(|(kind, n)| kind.bits() * u32::from(n))
                };
                match (size(self.lanes(0)), size(lanes_of(self.result(0)))) {
                    (Some(a), Some(b)) if a == b => Ok(Checked::Nothing),
                    _ => wrong("bitcast is between numbers or vectors of one size"),
                }
            }
            _ => wrong(format!("{} has not the attribute that it needs", self.inst.op.name())),
        }
    }

    /// The type of the part that a dynamic index, operand `i`, leads to.
    fn dynamic(&self, i: usize) -> Result<TypeId, Fault> {
        if !matches!(self.lanes(i), Some((Scalar::I32 | Scalar::U32, 1))) {
            return wrong(format!("operand {i} is no 32-bit integer"));
        }
        match self.types().get(self.ty(0)) {
            Type::Vector(..) | Type::Matrix { .. } | Type::Array { .. } => {}
            _ => return wrong("operand 0 is no vector, matrix or array"),
        }
        self.types().step(self.ty(0), 0).map_or_else(|| wrong("operand 0 has no parts"), Ok)
    }

    fn construct(&self) -> Result<Checked, Fault> {
        if self.inst.results.len != 1 {
            return wrong("construct has one result");
        }
        let ty = self.result(0);
        if let Some((kind, count)) = lanes_of(ty) {
            let mut sum = 0usize;
            for i in 0..self.operands.len() {
                match self.lanes(i) {
                    Some((found, lanes)) if found == kind => sum += usize::from(lanes),
                    _ => return wrong(format!("operand {i} has no lanes of {}", kind.name())),
                }
            }
            if count < 2 || sum != usize::from(count) {
                return wrong(format!("{sum} lanes do not make {}", self.report.ty(ty)));
            }
            return Ok(Checked::Nothing);
        }
        let parts = match self.types().get(ty) {
            Type::Matrix { scalar, rows, columns } => {
                if self.operands.len() == usize::from(rows) * usize::from(columns) && columns > 1 {
                    for i in 0..self.operands.len() {
                        self.operand_is(i, types::scalar(scalar))?;
                    }
                    return Ok(Checked::Nothing);
                }
                usize::from(rows)
            }
            Type::Array { length, .. } => length.unwrap_or(0) as usize,
            Type::Struct(id) => self.types().structs.get(id).map_or(0, |s| s.members.len()),
            _ => return wrong(format!("construct does not make {}", self.report.ty(ty))),
        };
        if parts != self.operands.len() {
            return wrong(format!("{} has {parts} parts, not {}", self.report.ty(ty), self.operands.len()));
        }
        for i in 0..parts {
            self.operand_is(i, self.types().step(ty, i as u32).unwrap_or(types::VOID))?;
        }
        Ok(Checked::Nothing)
    }

    fn select(&self) -> Result<Checked, Fault> {
        self.counts(3, 1)?;
        self.data(1)?;
        self.data(2)?;
        let ty = self.result(0);
        match self.lanes(0) {
            Some((Scalar::Bool, 1)) => {}
            Some((Scalar::Bool, n)) if lanes_of(ty).is_some_and(|(_, lanes)| lanes == n) => {}
            _ => return wrong("the condition is no bool, nor a bool vector as wide as the operands"),
        }
        self.operand_is(1, ty)?;
        self.operand_is(2, ty)?;
        Ok(Checked::Nothing)
    }

    fn matrix(&self, i: usize) -> Result<(Scalar, u8, u8), Fault> {
        match self.types().get(self.ty(i)) {
            Type::Matrix { scalar, rows, columns } => Ok((scalar, rows, columns)),
            _ => wrong(format!("operand {i} is no matrix")),
        }
    }

    fn matrix_result(&self, scalar: Scalar, rows: u8, columns: u8) -> Result<Checked, Fault> {
        match self.types().get(self.result(0)) {
            Type::Matrix { scalar: s, rows: r, columns: c } if (s, r, c) == (scalar, rows, columns) => {
                Ok(Checked::Nothing)
            }
            _ => wrong(format!("the result is {}, not a {rows} x {columns} matrix", self.report.ty(self.result(0)))),
        }
    }

    fn matrices(&self) -> Result<Checked, Fault> {
        self.no_attr()?;
        match self.inst.op {
            Op::Transpose => {
                self.counts(1, 1)?;
                let (scalar, rows, columns) = self.matrix(0)?;
                self.matrix_result(scalar, columns, rows)
            }
            Op::Determinant => {
                self.counts(1, 1)?;
                let (scalar, rows, columns) = self.matrix(0)?;
                if rows != columns || !scalar.is_float() {
                    return wrong("determinant takes a square float matrix");
                }
                self.result_is(0, types::scalar(scalar))
            }
            Op::MulMv => {
                self.counts(2, 1)?;
                let (scalar, rows, columns) = self.matrix(0)?;
                self.operand_is(1, vector(scalar, columns))?;
                self.result_is(0, vector(scalar, rows))
            }
            Op::MulVm => {
                self.counts(2, 1)?;
                let (scalar, rows, columns) = self.matrix(1)?;
                self.operand_is(0, vector(scalar, rows))?;
                self.result_is(0, vector(scalar, columns))
            }
            _ => {
                self.counts(2, 1)?;
                let ((scalar, rows, inner), (other, inner_b, columns)) = (self.matrix(0)?, self.matrix(1)?);
                if scalar != other || inner != inner_b {
                    return wrong("the columns of operand 0 are not the rows of operand 1");
                }
                self.matrix_result(scalar, rows, columns)
            }
        }
    }

    fn floats(&self) -> Result<Checked, Fault> {
        self.no_attr()?;
        let vec4 = types::VEC4F;
        match self.inst.op {
            Op::Ldexp => {
                self.counts(2, 1)?;
                let (_, lanes) = self.numbers(0, Class::Float)?;
                self.operand_is(1, vector(Scalar::I32, lanes))?;
                self.result_is(0, self.ty(0))
            }
            Op::Frexp | Op::Modf => {
                self.counts(1, 2)?;
                let (_, lanes) = self.numbers(0, Class::Float)?;
                self.result_is(0, self.ty(0))?;
                self.result_is(1, if self.inst.op == Op::Modf { self.ty(0) } else { vector(Scalar::I32, lanes) })
            }
            Op::Cross | Op::CrossLegacy => {
                self.counts(2, 1)?;
                let (_, lanes) = self.numbers(0, Class::Float)?;
                if lanes != 3 {
                    return wrong("a cross product is of vectors of three lanes");
                }
                self.operand_is(1, self.ty(0))?;
                self.result_is(0, self.ty(0))
            }
            Op::Refract => {
                self.counts(3, 1)?;
                let (kind, _) = self.numbers(0, Class::Float)?;
                self.operand_is(1, self.ty(0))?;
                self.operand_is(2, types::scalar(kind))?;
                self.result_is(0, self.ty(0))
            }
            Op::LitD3d9 => self.fixed(&[vec4], vec4),
            _ => self.fixed(&[vec4, vec4], vec4),
        }
    }

    fn integers(&self) -> Result<Checked, Fault> {
        self.no_attr()?;
        match self.inst.op {
            Op::IAddCarry | Op::ISubBorrow => {
                self.counts(2, 2)?;
                let (kind, _) = self.numbers(0, Class::Int)?;
                if kind.is_signed() {
                    return wrong("the operands are unsigned");
                }
                self.operand_is(1, self.ty(0))?;
                self.result_is(0, self.ty(0))?;
                self.result_is(1, self.ty(0))
            }
            Op::BitsExtract | Op::BitsInsert => {
                let insert = usize::from(self.inst.op == Op::BitsInsert);
                self.counts(3 + insert, 1)?;
                self.numbers(0, Class::Int)?;
                if insert == 1 {
                    self.operand_is(1, self.ty(0))?;
                }
                self.operand_is(1 + insert, U32)?;
                self.operand_is(2 + insert, U32)?;
                self.result_is(0, self.ty(0))
            }
            _ => {
                let vec4 = vector(Scalar::U32, 4);
                self.fixed(&[U32, vector(Scalar::U32, 2), vec4], vec4)
            }
        }
    }
}

/// Whether an operation of one type also takes matrices, until a pass splits them.
fn takes_matrices(op: Op) -> bool {
    matches!(op, Op::FAdd | Op::FSub | Op::FMul | Op::FNeg | Op::IAdd | Op::ISub | Op::IMul | Op::INeg)
}

/// What comparisons of textures give.
pub(super) const COMPARED: TypeId = F32;
