//! Structured control flow as jumps and masks.

use super::{Frame, MAX_DEPTH, Translator};
use crate::interpret::Error;
use crate::interpret::program::{Inst, Label, MaskId, Slots, SwitchTable};
use aquatint_ir::{Attr, InstId, Op, RegionId};

/// An open structured instruction.
pub(super) enum Owner {
    /// `if`, or a case of a `switch` with what `fallthrough` leads to.
    Yields { join: MaskId, results: Vec<Slots>, fall: Option<(MaskId, Vec<Slots>)> },
    /// `loop`, in its body or its continuing region.
    Loop { exit: MaskId, results: Vec<Slots>, again: MaskId, continuing: Vec<Slots>, body: Vec<Slots> },
}

impl<'m> Translator<'m> {
    /// The instructions of a region. `exit` is its end.
    pub(super) fn region(
        &mut self,
        frame: &mut Frame<'m>,
        region: RegionId,
        exit: Label,
        depth: usize,
    ) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            return Err(Error::TooLarge("nesting of regions"));
        }
        let insts = &frame.function.regions[region].insts;
        for &inst in insts {
            self.inst(frame, inst, exit, depth)?;
        }
        match insts.last() {
            Some(&last) if frame.function.insts[last].op.is_terminator() => Ok(()),
            _ => Err(Error::Malformed("a region without a terminator")),
        }
    }

    /// New slots for the parameters of a region.
    fn params(&mut self, frame: &mut Frame<'m>, region: RegionId) -> Result<Vec<Slots>, Error> {
        frame.function.params(region).map(|param| self.define(frame, param)).collect()
    }

    fn results(&mut self, frame: &mut Frame<'m>, inst: InstId) -> Result<Vec<Slots>, Error> {
        frame.function.results(inst).map(|result| self.define(frame, result)).collect()
    }

    pub(super) fn control(
        &mut self,
        frame: &mut Frame<'m>,
        id: InstId,
        exit: Label,
        depth: usize,
    ) -> Result<(), Error> {
        let function = frame.function;
        let operands = function.operands(id);
        match function.insts[id].op {
            Op::If => self.if_(frame, id, exit, depth)?,
            Op::Loop => self.loop_(frame, id, exit, depth)?,
            Op::Switch => self.switch(frame, id, exit, depth)?,
            Op::Yield => {
                let Some(Owner::Yields { join, results, .. }) = frame.owners.last() else {
                    return Err(Error::Malformed("a yield outside if and switch"));
                };
                let (join, results) = (*join, results.clone());
                self.moves(frame, operands, &results)?;
                self.emit(Inst::Leave { into: join });
            }
            Op::Fallthrough => {
                let Some(Owner::Yields { fall: Some((fall, params)), .. }) = frame.owners.last() else {
                    return Err(Error::Malformed("a fallthrough without a next case"));
                };
                let (fall, params) = (*fall, params.clone());
                self.moves(frame, operands, &params)?;
                self.emit(Inst::Leave { into: fall });
            }
            Op::Break | Op::Continue | Op::Next => {
                let innermost = frame.owners.iter().rev().find_map(|owner| match owner {
                    Owner::Loop { exit, results, again, continuing, body } => {
                        Some((*exit, results, *again, continuing, body))
                    }
                    Owner::Yields { .. } => None,
                });
                let Some((leave, results, again, continuing, body)) = innermost else {
                    return Err(Error::Malformed("a break, continue or next outside a loop"));
                };
                let (into, to) = match function.insts[id].op {
                    Op::Break => (Some(leave), results.clone()),
                    Op::Continue => (Some(again), continuing.clone()),
                    _ => (None, body.clone()),
                };
                self.moves(frame, operands, &to)?;
                if let Some(into) = into {
                    self.emit(Inst::Leave { into });
                }
            }
            Op::Return => {
                let to = frame.result;
                match (operands, to.count) {
                    ([], 0) => {}
                    ([_], _) => self.moves(frame, operands, &[to])?,
                    _ => return Err(Error::Malformed("a return without the function's result")),
                }
                self.emit(Inst::Leave { into: frame.returned });
            }
            Op::Terminate => self.emit(Inst::Terminate),
            Op::Unreachable => self.emit(Inst::Unreachable { span: function.span(id) }),
            Op::Discard => self.emit(Inst::Discard),
            _ => self.call(frame, id, exit)?,
        }
        Ok(())
    }

    fn if_(&mut self, frame: &mut Frame<'m>, id: InstId, exit: Label, depth: usize) -> Result<(), Error> {
        let function = frame.function;
        let (&[condition], &[then, other]) = (function.operands(id), function.regions_of(id)) else {
            return Err(Error::Malformed("an if without its parts"));
        };
        let condition = self.sized(frame, condition, 1)?;
        let results = self.results(frame, id)?;
        let (join, masked) = (self.mask(), self.mask());
        let (to_else, to_end) = (self.label(), self.label());
        self.emit(Inst::If { condition, join, other: masked, to_else });
        frame.owners.push(Owner::Yields { join, results, fall: None });
        self.region(frame, then, to_else, depth + 1)?;
        self.place(to_else);
        self.emit(Inst::Else { other: masked, to_end });
        self.region(frame, other, to_end, depth + 1)?;
        frame.owners.pop();
        self.place(to_end);
        self.emit(Inst::Join { mask: join, exit });
        Ok(())
    }

    fn loop_(&mut self, frame: &mut Frame<'m>, id: InstId, exit: Label, depth: usize) -> Result<(), Error> {
        let function = frame.function;
        let &[body, continuing] = function.regions_of(id) else {
            return Err(Error::Malformed("a loop without its regions"));
        };
        let results = self.results(frame, id)?;
        let body_params = self.params(frame, body)?;
        let continuing_params = self.params(frame, continuing)?;
        let (leave, again) = (self.mask(), self.mask());
        let (to_body, to_continuing, to_end) = (self.label(), self.label(), self.label());
        self.moves(frame, function.operands(id), &body_params)?;
        self.emit(Inst::Loop { exit: leave, again });
        self.place(to_body);
        frame.owners.push(Owner::Loop {
            exit: leave,
            results,
            again,
            continuing: continuing_params,
            body: body_params,
        });
        self.region(frame, body, to_continuing, depth + 1)?;
        self.place(to_continuing);
        self.emit(Inst::Continuing { again, to_end });
        let to_back = self.label();
        self.region(frame, continuing, to_back, depth + 1)?;
        frame.owners.pop();
        self.place(to_back);
        self.emit(Inst::Back { to_body, to_end });
        self.place(to_end);
        self.emit(Inst::Join { mask: leave, exit });
        Ok(())
    }

    fn switch(&mut self, frame: &mut Frame<'m>, id: InstId, exit: Label, depth: usize) -> Result<(), Error> {
        let function = frame.function;
        let regions = function.regions_of(id);
        let Attr::Cases(cases) = function.insts[id].attr else {
            return Err(Error::Malformed("a switch without cases"));
        };
        let cases = &function.cases.get(cases).ok_or(Error::Malformed("a switch without cases"))?.regions;
        let &[selector] = function.operands(id) else { return Err(Error::Malformed("a switch without a selector")) };
        if cases.len() != regions.len() {
            return Err(Error::Malformed("a switch whose cases are not its regions"));
        }
        // Without a default other values lead to no region at all, and so to the end.
        let mut table = SwitchTable { default: u32::MAX, ..SwitchTable::default() };
        for (number, case) in cases.iter().enumerate() {
            if case.default {
                table.default = number as u32;
            }
            for &value in &case.values {
                table.cases.entry(value).or_insert(number as u32);
            }
        }
        let selector = self.sized(frame, selector, 1)?;
        let case = self.allocate(1)?.first;
        let results = self.results(frame, id)?;
        let (entry, join, fall) = (self.mask(), self.mask(), self.mask());
        let number = self.program.switches.len() as u32;
        self.program.switches.push(table);
        let mut params = Vec::new();
        for &region in regions {
            params.push(self.params(frame, region)?);
        }
        self.emit(Inst::Switch { selector, case, table: number, entry, join, fall });
        for (number, &region) in regions.iter().enumerate() {
            let to_next = self.label();
            let own = params.get(number).map_or(&[][..], Vec::as_slice);
            // Parameters of one region are allocated in a row.
            let first = own.first().map_or(0, |p| p.first);
            let all = Slots { first, count: own.last().map_or(0, |p| p.first + p.count - first) };
            self.emit(Inst::Case { case, number: number as u32, entry, fall, params: all, to_next });
            let next = params.get(number + 1).map(|params| (fall, params.clone()));
            frame.owners.push(Owner::Yields { join, results: results.clone(), fall: next });
            self.region(frame, region, to_next, depth + 1)?;
            frame.owners.pop();
            self.place(to_next);
        }
        self.emit(Inst::Join { mask: join, exit });
        Ok(())
    }

    fn call(&mut self, frame: &mut Frame<'m>, id: InstId, exit: Label) -> Result<(), Error> {
        let function = frame.function;
        let Attr::Function(callee) = function.insts[id].attr else { return Err(Error::Malformed("a call of nothing")) };
        let callee = self.functions.get(&callee).cloned().ok_or(Error::Malformed("a call of no function"))?;
        self.moves(frame, function.operands(id), &callee.params)?;
        self.emit(Inst::Call { to: callee.entry, returned: callee.returned });
        let results = self.results(frame, id)?;
        if let [to] = results.as_slice() {
            if to.count != callee.result.count {
                return Err(Error::Malformed("a call whose result has another type"));
            }
            let first = self.program.moves.len() as u32;
            self.program.moves.push(crate::interpret::program::Move {
                to: to.first,
                from: callee.result.first,
                count: to.count,
            });
            self.emit(Inst::Moves { range: (first, first + 1) });
        }
        self.emit(Inst::Join { mask: callee.returned, exit });
        Ok(())
    }
}
