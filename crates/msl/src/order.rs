//! The instructions of a function in order, as a list: a function is looked at several times, and walking its regions
//! costs more than reading a list of 32-bit numbers.

use aquatint_ir::walk::{Step, Walk};
use aquatint_ir::{Function, InstId, RegionId};

/// The steps of a walk over a function. Good until an instruction is added, moved or taken away.
#[derive(Debug, Default)]
pub(crate) struct Order(Vec<u32>);

const ENTER: u32 = 1 << 30;
const LEAVE: u32 = 2 << 30;

impl Order {
    /// Walks the function.
    pub fn new(function: &Function) -> Self {
        let mut steps = Vec::with_capacity(function.insts.len() + 2 * function.regions.len());
        steps.extend(Walk::new(function).map(|step| match step {
            Step::Inst(id) => id.index() as u32,
            Step::Enter(region, _) => region.index() as u32 | ENTER,
            Step::Leave(region) => region.index() as u32 | LEAVE,
        }));
        Self(steps)
    }

    /// The steps. The depth that the walk tells is not kept: it is 0.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Step> + '_ {
        self.0.iter().map(|&packed| {
            let index = (packed & (ENTER - 1)) as usize;
            match packed & (ENTER | LEAVE) {
                0 => Step::Inst(InstId::new(index)),
                ENTER => Step::Enter(RegionId::new(index), 0),
                _ => Step::Leave(RegionId::new(index)),
            }
        })
    }
}
