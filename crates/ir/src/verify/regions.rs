//! Regions and what flows along control flow: V005 and V006.

use super::Fault;
use super::body::Walk;
use crate::codes;
use crate::function::{Attr, Inst, Slice, Value};
use crate::op::Op;
use crate::types::{self, TypeId};
use aquatint_base::Id;

impl Walk<'_, '_, '_> {
    /// V005 and V006 of a terminator.
    pub(super) fn terminator(&self, inst: &Inst, operands: &[Value]) -> Result<(), Fault> {
        let function = self.function;
        let Some(frame) = self.scratch.frames.last() else { return Ok(()) };
        let owner = frame.owner.map(|(id, which)| (&function.insts[id], which));
        let direct_continuing = matches!(owner, Some((i, 1)) if i.op == Op::Loop);
        let not_here = |why: &str| Err((&codes::V005, format!("{} does not end this region: {why}", inst.op.name())));
        if direct_continuing && !matches!(inst.op, Op::Next | Op::Unreachable) {
            return not_here("a continuing region ends in `next`");
        }
        let enclosing = || {
            let frame = self.scratch.frames.get(frame.innermost_loop?)?;
            let (id, which) = frame.owner?;
            Some((&function.insts[id], which))
        };
        match inst.op {
            Op::Yield => match owner {
                Some((owner, _)) if matches!(owner.op, Op::If | Op::Switch) => {
                    self.flow(operands, owner.results, "result")
                }
                _ => not_here("it is no region of `if` or `switch`"),
            },
            Op::Next => match owner {
                Some((owner, 1)) if owner.op == Op::Loop => self.flow(operands, self.params_of(owner, 0), "parameter"),
                _ => not_here("it is no continuing region"),
            },
            Op::Fallthrough => match owner {
                Some((owner, which)) if owner.op == Op::Switch => {
                    if which + 1 >= owner.regions.len as usize {
                        return not_here("it is the last of its `switch`");
                    }
                    self.flow(operands, self.params_of(owner, which + 1), "parameter")
                }
                _ => not_here("it is no region of `switch`"),
            },
            Op::Break => match enclosing() {
                Some((owner, _)) => self.flow(operands, owner.results, "result"),
                None => not_here("no loop encloses it"),
            },
            Op::Continue => match enclosing() {
                Some((owner, 0)) => self.flow(operands, self.params_of(owner, 1), "parameter"),
                Some(_) => not_here("it lies within the continuing region of its loop"),
                None => not_here("no loop encloses it"),
            },
            Op::Return | Op::Terminate if frame.in_continuing => not_here("it lies within a continuing region"),
            Op::Return => self.returns(operands),
            Op::Terminate | Op::Unreachable if !operands.is_empty() => {
                Err((&codes::V004, format!("{} has no operands", inst.op.name())))
            }
            _ => Ok(()),
        }
    }

    fn returns(&self, operands: &[Value]) -> Result<(), Fault> {
        let wanted = self.function.result;
        match operands {
            [] if wanted == types::VOID => Ok(()),
            [one] if wanted != types::VOID && self.type_of(*one) == wanted => Ok(()),
            [one] if wanted != types::VOID => {
                let (found, wanted) = (self.report.ty(self.type_of(*one)), self.report.ty(wanted));
                Err((&codes::V006, format!("the function returns {wanted}, not {found}")))
            }
            _ => {
                let wanted = usize::from(wanted != types::VOID);
                Err((&codes::V006, format!("{} values are returned, {wanted} are wanted", operands.len())))
            }
        }
    }

    #[inline]
    fn type_of(&self, value: Value) -> TypeId {
        self.report.module.type_of(self.function, value)
    }

    /// The parameters of region `which` of an instruction, as far as they exist.
    fn params_of(&self, owner: &Inst, which: usize) -> Slice {
        let regions = self.function.owned.get(owner.regions.range()).unwrap_or(&[]);
        let params =
            regions.get(which).and_then(|&r| self.function.regions.get(r)).map_or(Slice::default(), |r| r.params);
        let exist = params.start as usize + params.len as usize <= self.function.locals.len();
        if exist { params } else { Slice::default() }
    }

    /// V006: values that go to results or parameters.
    fn flow(&self, operands: &[Value], to: Slice, what: &str) -> Result<(), Fault> {
        if operands.len() != to.len as usize {
            return Err((&codes::V006, format!("{} values go to {} {what}s", operands.len(), to.len)));
        }
        for (i, (&value, index)) in operands.iter().zip(to.range()).enumerate() {
            let (found, wanted) = (self.type_of(value), self.function.locals[Id::new(index)].ty);
            if found != wanted {
                let (found, wanted) = (self.report.ty(found), self.report.ty(wanted));
                return Err((&codes::V006, format!("value {i} is {found}, {what} {i} is {wanted}")));
            }
        }
        Ok(())
    }

    /// V005 and V006 of the start of `if`, `loop`, `switch`.
    pub(super) fn structure(&mut self, inst: &Inst, operands: &[Value]) -> Result<(), Fault> {
        let regions = inst.regions.len as usize;
        match inst.op {
            Op::If | Op::Loop if regions != 2 => {
                Err((&codes::V005, format!("{} owns {regions} regions, not 2", inst.op.name())))
            }
            Op::If => {
                if self.params_of(inst, 0).len + self.params_of(inst, 1).len > 0 {
                    return Err((&codes::V006, "the regions of `if` have no parameters".to_owned()));
                }
                Ok(())
            }
            Op::Loop => self.flow(operands, self.params_of(inst, 0), "parameter"),
            _ => self.cases(inst, operands),
        }
    }

    fn cases(&mut self, inst: &Inst, operands: &[Value]) -> Result<(), Fault> {
        let Attr::Cases(id) = inst.attr else { return Ok(()) };
        let Some(cases) = self.function.cases.get(id) else {
            return Err((&codes::V001, "the selectors of the switch do not exist".to_owned()));
        };
        if cases.regions.len() != inst.regions.len as usize {
            let message = format!("{} cases for {} regions", cases.regions.len(), inst.regions.len);
            return Err((&codes::V005, message));
        }
        let defaults = cases.regions.iter().filter(|c| c.default).count();
        if defaults != 1 {
            return Err((&codes::V005, format!("a switch has one default, not {defaults}")));
        }
        let kind = operands.first().and_then(|&v| types::lanes_of(self.type_of(v))).map(|(kind, _)| kind);
        let values = &mut self.scratch.selectors;
        values.clear();
        values.extend(cases.regions.iter().flat_map(|c| &c.values));
        if let Some(kind) = kind
            && values.iter().any(|&v| crate::constants::mask(kind, v) != v)
        {
            return Err((&codes::V004, format!("a selector does not fit {}", kind.name())));
        }
        // Tables come sorted more often than not.
        if !values.is_sorted() {
            values.sort_unstable();
        }
        match values.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err((&codes::V005, format!("two cases have the selector {}", pair[0]))),
            None => Ok(()),
        }
    }
}
