//! The passes that turn a module into what the encoder takes, in order.

pub mod saturate_converts;

use aquatint_ir::Module;

/// Raises a module in place.
pub fn raise(module: &mut Module) {
    saturate_converts::saturate_converts(module);
}
