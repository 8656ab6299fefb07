//! Raising: the rewrites that only Metal needs, then where each value goes and what everything is called.
//!
//! | step | what for |
//! |---|---|
//! | `legalise_bounds` (of the passes crate) | indices past the end read zero, under `strict` (D15.7) or `bounds` |
//! | `expand_scalar_forms` (of the passes crate) | Metal's geometric functions take vectors |
//! | `return_after_discard` | a discarded fragment returns at once, where the options say so |
//! | `give_levels` | outside fragment functions there is no implicit level |
//! | `expand_precise` | library bodies do not see the pragmas that make arithmetic precise (D13.4) |
//! | `subtract_negations` | `a + -b` reads better as `a - b`, and means the same |
//! | `name_interface` | names, attributes and indices of everything outside of functions |
//! | `place_values` | which values are named, which stand in the expression that uses them |

mod expand_precise;
mod give_levels;
pub(crate) mod helpers;
pub(crate) mod name_interface;
mod place_values;
pub(crate) mod plan;
mod return_after_discard;
mod subtract_negations;

use crate::order::Order;
use crate::reach::{Flags, Reach};
use crate::{AfterDiscard, Options};
use aquatint_ir::{Function, FunctionId, Module, Op, Stage};
use aquatint_passes::{LegaliseBounds, OpSet};
use helpers::Helpers;
use name_interface::Interface;
use plan::Plan;

/// What printing needs beside the module.
pub(crate) struct Raised {
    /// Names, attributes, indices.
    pub interface: Interface,
    /// One plan for each function of [`Reach::functions`].
    pub plans: Vec<Plan>,
    /// The helper functions that the text calls.
    pub helpers: Helpers,
}

/// Metal checks no index. Storage buffers stay out: nobody tells a shader how long they are.
const BOUNDS: LegaliseBounds =
    LegaliseBounds { variables: true, uniforms: true, storage: false, io: true, values: true };

/// What Metal has of vectors only.
const GEOMETRIC: OpSet =
    OpSet::of(&[Op::Dot, Op::Length, Op::Distance, Op::Normalize, Op::Reflect, Op::Refract, Op::FaceForward]);

/// Runs the list.
pub(crate) fn raise(module: &mut Module, reach: &Reach, options: &Options) -> Raised {
    let guarded = (options.strict || options.bounds) && aquatint_passes::legalise_bounds(module, &BOUNDS).yes();
    let expanded = aquatint_passes::expand_scalar_forms(module, &GEOMETRIC).yes();
    // Whose order of instructions is no longer what it was.
    let mut moved = Flags::from_elem(guarded || expanded, reach.functions.len());
    for (&id, moved) in reach.functions.iter().zip(&mut moved) {
        if reach.entry.stage == Stage::Fragment && options.after_discard == AfterDiscard::Return {
            *moved |= edit(module, id, |_, f| return_after_discard::return_after_discard(f));
        }
        if reach.entry.stage != Stage::Fragment {
            edit(module, id, give_levels::give_levels);
        }
        *moved |= edit(module, id, expand_precise::expand_precise);
        edit(module, id, |_, f| subtract_negations::subtract_negations(f));
    }
    let interface = name_interface::name_interface(module, reach, options);
    let mut helpers = Helpers::default();
    let mut plans = Vec::with_capacity(reach.functions.len());
    for ((&id, order), moved) in reach.functions.iter().zip(&reach.orders).zip(moved) {
        let function = &module.functions[id];
        let fresh = moved.then(|| Order::new(function));
        let order = fresh.as_ref().unwrap_or(order);
        plans.push(place_values::place_values(module, function, order, &interface.specs, options, &mut helpers));
    }
    Raised { interface, plans, helpers }
}

/// Takes a function out of the module while it is edited.
fn edit<R>(module: &mut Module, id: FunctionId, pass: impl FnOnce(&mut Module, &mut Function) -> R) -> R {
    let empty = Function::placeholder();
    let mut function = std::mem::replace(&mut module.functions[id], empty);
    let result = pass(module, &mut function);
    module.functions[id] = function;
    result
}
