//! Walking a function: in order, with an explicit stack, so that depth is no danger.

use crate::function::{Function, InstId, RegionId};
use smallvec::SmallVec;

/// What a [`Walk`] meets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// An instruction. The regions of a structured one follow.
    Inst(InstId),
    /// The start of a region; the number counts how many regions enclose it.
    Enter(RegionId, usize),
    /// The end of a region.
    Leave(RegionId),
}

/// All instructions reachable from a region, each before the regions that it owns.
pub struct Walk<'f> {
    function: &'f Function,
    stack: SmallVec<[Frame; 4]>,
    start: Option<RegionId>,
}

struct Frame {
    region: RegionId,
    next: usize,
    /// Regions of the last instruction that are still to visit.
    owned: std::ops::Range<usize>,
}

impl<'f> Walk<'f> {
    /// From the body of a function.
    pub fn new(function: &'f Function) -> Self {
        Self::from(function, function.body)
    }

    /// From a region.
    pub fn from(function: &'f Function, region: RegionId) -> Self {
        Self { function, stack: SmallVec::new(), start: Some(region) }
    }

    /// Only the instructions.
    pub fn insts(self) -> impl Iterator<Item = InstId> + 'f {
        self.filter_map(|step| if let Step::Inst(id) = step { Some(id) } else { None })
    }
}

impl Iterator for Walk<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if let Some(region) = self.start.take() {
            self.stack.push(Frame { region, next: 0, owned: 0..0 });
            return Some(Step::Enter(region, 0));
        }
        let depth = self.stack.len();
        let frame = self.stack.last_mut()?;
        if let Some(index) = frame.owned.next() {
            let region = self.function.owned[index];
            self.stack.push(Frame { region, next: 0, owned: 0..0 });
            return Some(Step::Enter(region, depth));
        }
        match self.function.regions[frame.region].insts.get(frame.next) {
            Some(&inst) => {
                frame.next += 1;
                frame.owned = self.function.insts[inst].regions.range();
                Some(Step::Inst(inst))
            }
            None => {
                let region = frame.region;
                self.stack.pop();
                Some(Step::Leave(region))
            }
        }
    }
}

/// How often each local is used, by index of the local. Only uses that a region reaches count.
pub fn use_counts(function: &Function) -> Vec<u32> {
    let mut counts = vec![0; function.locals.len()];
    for inst in Walk::new(function).insts() {
        for value in function.operands(inst) {
            if let Some(local) = value.as_local()
                && let Some(count) = counts.get_mut(local.index())
            {
                *count += 1;
            }
        }
    }
    counts
}
