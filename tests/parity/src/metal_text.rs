//! Metal of a module with what a host must know about it.

use crate::translate;
use aquatint_base::Diags;
use aquatint_ir::{GlobalKind, Module};
use aquatint_msl::{ArgumentTable, Options};
use aquatint_testkit::parity::Failure;
use aquatint_testkit::parity::scene::entry_name;

/// A Metal source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MetalText {
    /// The source.
    pub source: String,
    /// The function's name.
    pub entry: String,
    /// Where the resources are bound: the binding (`None` for push constants), the table, the index.
    pub arguments: Vec<(Option<aquatint_ir::Binding>, ArgumentTable, u32)>,
}

/// The writer's options for parity cases: the IR's meaning, paid for.
pub fn strict() -> Options {
    Options { strict: true, after_discard: aquatint_msl::AfterDiscard::GoOn, ..Options::default() }
}

/// The writer's options for golden jobs: Direct3D 9's profile, the IR's meaning paid for.
pub fn direct3d9() -> Options {
    Options { strict: true, ..Options::direct3d9() }
}

/// Writes the first entry point of a module under a name.
///
/// # Errors
/// The writer's refusal.
pub fn write(module: &Module, entry: &str, options: &Options) -> Result<MetalText, Failure> {
    let options = Options { entry_name: Some(entry.to_owned()), ..options.clone() };
    let arguments = aquatint_msl::argument_indices(module, &options)
        .into_iter()
        .map(|(global, table, index)| match module.globals[global].kind {
            GlobalKind::Push => (None, table, index),
            _ => (module.globals[global].binding(), table, index),
        })
        .collect();
    let mut diags = Diags::new();
    let source = aquatint_msl::write(module, entry_name(module), &options, &mut diags);
    let source = source.ok_or_else(|| translate::refusal(&diags))?;
    Ok(MetalText { source, entry: entry.to_owned(), arguments })
}
