//! Pointers: V007 and V008, and the typing of what goes through them.

use super::Fault;
use super::ops::{Checked, Ctx, wrong};
use crate::codes;
use crate::function::{Attr, ValueKind};
use crate::globals::{GlobalId, GlobalKind};
use crate::op::{AtomicOp, Op};
use crate::types::{self, Scalar, Space, Type, TypeId};

/// What a pointer leads into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Root {
    /// A local, a parameter, or no pointer.
    Unknown,
    /// A global.
    Global(GlobalId),
}

impl Ctx<'_, '_> {
    pub(super) fn memory(&self) -> Result<Checked, Fault> {
        match self.inst.op {
            Op::Var => self.var(),
            Op::Access => self.access(),
            Op::Load => {
                self.counts(1, 1)?;
                let (_, pointee) = self.pointer(0)?;
                self.result_is(0, pointee)
            }
            Op::Store => {
                self.counts(2, 0)?;
                let (space, pointee) = self.pointer(0)?;
                self.data(1)?;
                self.operand_is(1, pointee)?;
                self.writable(0, space)
            }
            Op::LoadBytes => {
                self.counts(2, 1)?;
                self.words(0)?;
                self.operand_is(1, types::U32)?;
                match types::lanes_of(self.result(0)) {
                    Some((kind, _)) if kind != Scalar::Bool => Ok(Checked::Nothing),
                    _ => wrong("load.bytes gives a number or vector"),
                }
            }
            Op::StoreBytes => {
                self.counts(3, 0)?;
                let space = self.words(0)?;
                self.operand_is(1, types::U32)?;
                match self.lanes(2) {
                    Some((kind, _)) if kind != Scalar::Bool => self.writable(0, space),
                    _ => wrong("store.bytes takes a number or vector"),
                }
            }
            Op::ArrayLength => {
                self.counts(1, 1)?;
                let (_, pointee) = self.pointer(0)?;
                match self.types().get(pointee) {
                    Type::Array { length: None, .. } => self.result_is(0, types::U32),
                    _ => wrong("array.length takes a pointer to a runtime array"),
                }
            }
            Op::Atomic => self.atomic(),
            Op::CounterAdd => {
                self.counts(1, 1)?;
                let (space, _) = self.pointer(0)?;
                let counts = match self.root(0) {
                    Root::Global(id) => matches!(
                        self.report.module.globals.get(id).map(|g| g.kind),
                        Some(GlobalKind::Resource { counter: true, .. })
                    ),
                    Root::Unknown => true,
                };
                if space != Space::Storage || !counts || !matches!(self.inst.attr, Attr::Counter(_)) {
                    return wrong("counter.add takes a storage buffer with a counter, and a direction");
                }
                self.result_is(0, types::U32)
            }
            _ => Ok(Checked::Nothing),
        }
    }

    fn var(&self) -> Result<Checked, Fault> {
        self.no_attr()?;
        if self.operands.len() > 1 || self.inst.results.len != 1 {
            return wrong("var has one result and at most one operand");
        }
        let Type::Pointer { space: Space::Function, pointee } = self.types().get(self.result(0)) else {
            return wrong("var gives a pointer in the function space");
        };
        if let Some(first) = self.operands.first() {
            if first.as_constant().is_none() {
                return wrong("var starts with a constant");
            }
            self.operand_is(0, pointee)?;
        }
        Ok(Checked::Nothing)
    }

    fn access(&self) -> Result<Checked, Fault> {
        self.no_attr()?;
        if self.operands.len() < 2 || self.inst.results.len != 1 {
            return wrong("access has a pointer, at least one step, and one result");
        }
        let base = self.ty(0);
        let (space, mut ty) = match self.types().get(base) {
            Type::Pointer { space, pointee } => (Some(space), pointee),
            _ if self.info(base).handle => (None, base),
            _ => return wrong("access starts at a pointer or an array of handles"),
        };
        for i in 1..self.operands.len() {
            match self.lanes(i) {
                Some((kind, 1)) if kind.is_integer() => {}
                _ => return wrong(format!("step {i} is no integer")),
            }
            let fixed = self.constant_lane(i);
            let index = match fixed {
                Some(bits) => u32::try_from(bits).unwrap_or(u32::MAX),
                None if matches!(self.types().get(ty), Type::Struct(_)) => {
                    let message = format!("step {i} into {} is no constant", self.report.ty(ty));
                    return Err((&codes::V007, message));
                }
                None => 0,
            };
            // A constant past the end of an array or vector in memory is as good as a dynamic one: it reads zero. Folding may
            // find such a constant at any time. Members and handles must be there.
            let checked = space.is_none() || matches!(self.types().get(ty), Type::Struct(_));
            let part = self.types().step(ty, index).or_else(|| match checked {
                true => None,
                false => self.types().step(ty, 0),
            });
            match part {
                Some(part) => ty = part,
                None => {
                    let message = format!("{} has no part {index} for step {i}", self.report.ty(ty));
                    return Err((&codes::V007, message));
                }
            }
        }
        let fits = match (space, self.types().get(self.result(0))) {
            (Some(space), Type::Pointer { space: found, pointee }) => space == found && pointee == ty,
            (None, _) => self.result(0) == ty,
            (Some(_), _) => false,
        };
        if !fits {
            let message =
                format!("the path leads to {}, the result is {}", self.report.ty(ty), self.report.ty(self.result(0)));
            return Err((&codes::V007, message));
        }
        Ok(Checked::Root(self.root(0)))
    }

    fn atomic(&self) -> Result<Checked, Fault> {
        let Attr::Atomic(op) = self.inst.attr else { return wrong("atomic needs its operation") };
        self.counts(if op == AtomicOp::CompareExchange { 3 } else { 2 }, 1)?;
        let (space, pointee) = self.pointer(0)?;
        self.atomic_kind(op, pointee)?;
        for i in 1..self.operands.len() {
            self.operand_is(i, pointee)?;
        }
        self.result_is(0, pointee)?;
        if !matches!(space, Space::Storage | Space::Workgroup) {
            return Err((&codes::V008, format!("atomics do not go to the {} space", space.name())));
        }
        self.writable(0, space)
    }

    /// Whether an atomic operation works on the type.
    pub(super) fn atomic_kind(&self, op: AtomicOp, ty: TypeId) -> Result<(), Fault> {
        let exchange = matches!(op, AtomicOp::Exchange | AtomicOp::CompareExchange);
        match types::lanes_of(ty) {
            Some((kind, 1)) if kind.is_integer() && kind.bits() >= 32 => Ok(()),
            Some((Scalar::F32, 1)) if exchange => Ok(()),
            _ => {
                let message = format!("{} does not work on {}", op.name(), self.report.ty(ty));
                Err((&codes::V004, message))
            }
        }
    }

    /// The space and pointee of a pointer operand.
    pub(super) fn pointer(&self, i: usize) -> Result<(Space, TypeId), Fault> {
        match self.types().get(self.ty(i)) {
            Type::Pointer { space, pointee } => Ok((space, pointee)),
            _ if self.info(self.ty(i)).handle => {
                Err((&codes::V008, format!("operand {i} is a handle, which has no memory")))
            }
            _ => Err((&codes::V004, format!("operand {i} is no pointer"))),
        }
    }

    /// A pointer to the words of a byte-addressed buffer; its space.
    fn words(&self, i: usize) -> Result<Space, Fault> {
        self.no_attr()?;
        let (space, pointee) = self.pointer(i)?;
        match self.types().get(pointee) {
            // Without gaps: its length is that of the buffer, in words.
            Type::Array { element, length: None, stride: 4 } if element == types::U32 && space == Space::Storage => {
                Ok(space)
            }
            _ => {
                let wanted = "a pointer to a runtime array of u32, one every 4 bytes, in storage";
                Err((&codes::V004, format!("operand {i} is not {wanted}")))
            }
        }
    }

    /// Refuses handles and pointers where data is wanted.
    pub(super) fn data(&self, i: usize) -> Result<(), Fault> {
        let ty = self.ty(i);
        let info = self.info(ty);
        if info.handle || matches!(self.types().get(ty), Type::Pointer { .. }) {
            return Err((&codes::V008, format!("operand {i} is no data: {}", self.report.ty(ty))));
        }
        Ok(())
    }

    fn root(&self, i: usize) -> Root {
        match self.operands.get(i).map(|v| v.kind()) {
            Some(ValueKind::Local(local)) => self.roots.get(local.index()).copied().unwrap_or(Root::Unknown),
            Some(ValueKind::Global(global)) => Root::Global(global),
            Some(ValueKind::Constant(_)) | None => Root::Unknown,
        }
    }

    /// V008: whether the pointer operand `i` leads to a place that may be written.
    fn writable(&self, i: usize, space: Space) -> Result<Checked, Fault> {
        if !space.is_writable() {
            return Err((&codes::V008, format!("nothing is written in the {} space", space.name())));
        }
        let Root::Global(id) = self.root(i) else { return Ok(Checked::Nothing) };
        let Some(global) = self.report.module.globals.get(id) else { return Ok(Checked::Nothing) };
        if let GlobalKind::Resource { writable: false, .. } = global.kind {
            let name = self.report.name(global.name);
            return Err((&codes::V008, format!("buffer @{name} is not declared writable")));
        }
        if space == Space::Private && self.report.is_spec(id) {
            let name = self.report.name(global.name);
            return Err((&codes::V008, format!("@{name} is a specialisation constant")));
        }
        Ok(Checked::Nothing)
    }
}
