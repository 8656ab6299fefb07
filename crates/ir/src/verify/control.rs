//! V004 of quad and wave operations, of control flow and calls.

use super::Fault;
use super::ops::{Checked, Ctx, wrong};
use crate::codes;
use crate::function::Attr;
use crate::op::{Class, Op, QuadLane, Wave};
use crate::types::{self, BOOL, Scalar, U32, vector};
use aquatint_base::Id;

impl Ctx<'_, '_> {
    pub(super) fn quad(&self) -> Result<Checked, Fault> {
        let Attr::Quad(lane) = self.inst.attr else { return wrong("quad needs its lane") };
        match lane {
            QuadLane::Any | QuadLane::All => {
                self.counts(1, 1)?;
                self.operand_is(0, BOOL)?;
                self.result_is(0, BOOL)
            }
            QuadLane::At => {
                self.counts(2, 1)?;
                self.numbers(0, Class::Any)?;
                self.operand_is(1, U32)?;
                self.result_is(0, self.ty(0))
            }
            QuadLane::AcrossX | QuadLane::AcrossY | QuadLane::Diagonal => {
                self.counts(1, 1)?;
                self.numbers(0, Class::Any)?;
                self.result_is(0, self.ty(0))
            }
        }
    }

    pub(super) fn wave(&self) -> Result<Checked, Fault> {
        let Attr::Wave(op) = self.inst.attr else { return wrong("wave needs its operation") };
        let mask = vector(Scalar::U32, 4);
        let operands = match op {
            Wave::IsFirst | Wave::LaneIndex | Wave::LaneCount => 0,
            Wave::ReadAt
            | Wave::MultiPrefixCountBits
            | Wave::MultiPrefixSum
            | Wave::MultiPrefixProduct
            | Wave::MultiPrefixAnd
            | Wave::MultiPrefixOr
            | Wave::MultiPrefixXor => 2,
            _ => 1,
        };
        self.counts(operands, 1)?;
        match op {
            Wave::IsFirst => self.result_is(0, BOOL),
            Wave::LaneIndex | Wave::LaneCount => self.result_is(0, U32),
            Wave::AnyTrue | Wave::AllTrue => {
                self.operand_is(0, BOOL)?;
                self.result_is(0, BOOL)
            }
            Wave::AllEqual => {
                let (_, lanes) = self.numbers(0, Class::Any)?;
                self.result_is(0, vector(Scalar::Bool, lanes))
            }
            Wave::Ballot => {
                self.operand_is(0, BOOL)?;
                self.result_is(0, mask)
            }
            Wave::CountBits | Wave::PrefixCountBits => {
                self.operand_is(0, BOOL)?;
                self.result_is(0, U32)
            }
            Wave::MultiPrefixCountBits => {
                self.operand_is(0, BOOL)?;
                self.operand_is(1, mask)?;
                self.result_is(0, U32)
            }
            Wave::Match => {
                self.numbers(0, Class::Any)?;
                self.result_is(0, mask)
            }
            Wave::ReadFirst | Wave::ReadAt => {
                self.numbers(0, Class::Any)?;
                if op == Wave::ReadAt {
                    self.operand_is(1, U32)?;
                }
                self.result_is(0, self.ty(0))
            }
            Wave::And | Wave::Or | Wave::Xor => {
                self.numbers(0, Class::IntOrBool)?;
                self.result_is(0, self.ty(0))
            }
            Wave::MultiPrefixAnd | Wave::MultiPrefixOr | Wave::MultiPrefixXor => {
                self.numbers(0, Class::IntOrBool)?;
                self.operand_is(1, mask)?;
                self.result_is(0, self.ty(0))
            }
            Wave::Sum
            | Wave::Product
            | Wave::Min
            | Wave::Max
            | Wave::PrefixSum
            | Wave::PrefixProduct
            | Wave::MultiPrefixSum
            | Wave::MultiPrefixProduct => {
                let (kind, _) = self.numbers(0, Class::Any)?;
                if kind == Scalar::Bool {
                    return wrong(format!("there is no {} of bool", op.name()));
                }
                if operands == 2 {
                    self.operand_is(1, mask)?;
                }
                self.result_is(0, self.ty(0))
            }
        }
    }

    pub(super) fn control(&self) -> Result<Checked, Fault> {
        let attr_fits = match self.inst.op {
            Op::Switch => matches!(self.inst.attr, Attr::Cases(_)),
            Op::Call => matches!(self.inst.attr, Attr::Function(_)),
            Op::Barrier => matches!(self.inst.attr, Attr::Barrier(_)),
            _ => self.inst.attr == Attr::None,
        };
        if !attr_fits {
            return wrong(format!("{} has another attribute than its own", self.inst.op.name()));
        }
        match self.inst.op {
            Op::If if self.operands.len() != 1 => wrong("if has one condition"),
            Op::If => self.operand_is(0, BOOL).map(|()| Checked::Nothing),
            Op::Switch => match (self.operands.len(), self.lanes(0)) {
                (1, Some((kind, 1))) if kind.is_integer() => Ok(Checked::Nothing),
                _ => wrong("switch has one integer"),
            },
            Op::Discard | Op::Barrier => self.counts(0, 0).map(|()| Checked::Nothing),
            Op::Call => self.call(),
            Op::Loop => Ok(Checked::Nothing),
            _ if self.inst.results.len > 0 => wrong(format!("{} has no results", self.inst.op.name())),
            _ => Ok(Checked::Nothing),
        }
    }

    fn call(&self) -> Result<Checked, Fault> {
        let Attr::Function(callee) = self.inst.attr else { return wrong("call needs its function") };
        let Some(callee) = self.report.module.functions.get(callee) else {
            return Err((&codes::V001, "the function that is called does not exist".to_owned()));
        };
        let params = callee.regions.get(callee.body).map_or(0..0, |r| r.params.range());
        if params.end > callee.locals.len() {
            // Reported with the callee.
            return Ok(Checked::Nothing);
        }
        self.counts(params.len(), usize::from(callee.result != types::VOID))?;
        for (i, index) in params.enumerate() {
            self.operand_is(i, callee.locals[Id::new(index)].ty)?;
        }
        if callee.result == types::VOID { Ok(Checked::Nothing) } else { self.result_is(0, callee.result) }
    }
}
