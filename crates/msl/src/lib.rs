//! Metal Shading Language from the IR.
//!
//! Three verbs: [`check`](crate) asks whether Metal can do it, *raise* rewrites what only Metal needs and settles where each
//! value goes, *print* writes the text and decides nothing.
//!
//! # Where Metal cannot keep the IR's meaning
//! - Under fast math (a host setting) infinities, NaNs and the sign of zero are not reliable. `strict` tests bits where it
//!   must know, and the helper functions of Direct3D 9 compare before they divide.
//! - Without `strict`, signed overflow, division of integers by zero and conversion of floats out of the integers' range
//!   are Metal's business, and an index past the end of a local array is not caught.
//! - Buffers do not know their length, so accesses past the end are not caught.
//! - Coarse and fine derivatives are the same.

mod check;
pub mod codes;
mod keywords;
mod names;
mod order;
mod print;
mod raise;
mod reach;

pub use names::entry_function_name;

use aquatint_base::Diags;
use aquatint_ir as ir;

/// The buffer index that carries the vertex attributes of shaders whose bindings are numbered in declaration order.
pub const VERTEX_BUFFER_INDEX: u32 = 30;

/// The version of the language that the text is for. Nothing newer than 2.4 is used; the version is in the first line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub enum LanguageVersion {
    /// macOS 12, iOS 15.
    #[default]
    V2_4,
    /// macOS 13, iOS 16.
    V3_0,
    /// macOS 14, iOS 17.
    V3_1,
}

impl LanguageVersion {
    /// `2.4`, `3.0`, `3.1`.
    pub const fn name(self) -> &'static str {
        match self {
            LanguageVersion::V2_4 => "2.4",
            LanguageVersion::V3_0 => "3.0",
            LanguageVersion::V3_1 => "3.1",
        }
    }
}

/// Where a resource's index comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Bindings {
    /// Three counters (buffers, textures, samplers) over all globals of the module, used or not (sheet D6.1).
    #[default]
    DeclarationOrder,
    /// The register of the binding.
    Register,
}

/// How stages find each other's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Interstage {
    /// `[[user(locn0)]]`, by location.
    #[default]
    Location,
    /// `[[user(texcoord0)]]`, by the source's usage name and index (Direct3D 9 sheet 4.7).
    Usage,
}

/// What a discarded fragment does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum AfterDiscard {
    /// It returns (sheet D9.7).
    #[default]
    Return,
    /// It goes on as a helper, so that its neighbours' derivatives stay whole, as in Direct3D 9.
    GoOn,
}

/// The names and the looks of the interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Naming {
    /// `main_in aq_in [[stage_in]]`, `Frame_cb` of packed vectors (sheets C6, D4, D7).
    #[default]
    Sheet,
    /// `E_Input input [[stage_in]]`, `E_Uniforms`, textures `s0_texture`, plain vectors where the offsets agree
    /// (Direct3D 9 sheet 4.7).
    Direct3d9,
}

/// What to write, and how.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash)]
pub struct Options {
    /// For which version.
    pub language_version: LanguageVersion,
    /// Whether to pay for the IR's meaning where Metal's is looser (sheet D15, the entries marked `[s]`).
    pub strict: bool,
    /// Whether indices past the end of arrays and constant buffers read zero, as under `strict`, without its other costs.
    pub bounds: bool,
    /// Where resource indices come from.
    pub bindings: Bindings,
    /// How stages find each other's values.
    pub interstage: Interstage,
    /// What a discarded fragment does next.
    pub after_discard: AfterDiscard,
    /// Names of the interface.
    pub naming: Naming,
    /// The function's name, instead of the one that [`entry_function_name`] gives.
    pub entry_name: Option<String>,
}

impl Options {
    /// The profile of Direct3D 9: bindings by register, values between stages by usage, `discard` that goes on, relative
    /// addresses outside a register file that read zero.
    pub fn direct3d9() -> Self {
        Self {
            bindings: Bindings::Register,
            interstage: Interstage::Usage,
            after_discard: AfterDiscard::GoOn,
            naming: Naming::Direct3d9,
            bounds: true,
            ..Self::default()
        }
    }
}

/// What Metal counts an argument's index in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum ArgumentTable {
    /// `[[buffer(n)]]`
    Buffer,
    /// `[[texture(n)]]`
    Texture,
    /// `[[sampler(n)]]`
    Sampler,
}

/// Where a host binds each resource of a module, and its push constants: by global the table and the index, in the order of
/// the globals. The index of a hidden counter is one more than its buffer's.
pub fn argument_indices(module: &ir::Module, options: &Options) -> Vec<(ir::GlobalId, ArgumentTable, u32)> {
    use raise::name_interface::{Table, indices, table_of};
    let all = indices(module, options);
    let argument = |(id, global): (ir::GlobalId, &ir::Global)| {
        let table = match table_of(module, global)?.0 {
            Table::Buffer => ArgumentTable::Buffer,
            Table::Texture => ArgumentTable::Texture,
            Table::Sampler => ArgumentTable::Sampler,
        };
        Some((id, table, all[id.index()]))
    };
    module.globals.iter().filter_map(argument).collect()
}

/// Writes the entry point named `entry`, and everything that it reaches, as one source file. `None` when `diags` got an
/// error. The module must be one that the verifier accepts.
pub fn write(module: &ir::Module, entry: &str, options: &Options, diags: &mut Diags) -> Option<String> {
    write_owned(module.clone(), entry, options, diags)
}

/// [`write()`] for a module that is no longer needed: saves the copy.
pub fn write_owned(mut module: ir::Module, entry: &str, options: &Options, diags: &mut Diags) -> Option<String> {
    let reach = check::check(&module, entry, options, diags)?;
    let mut raised = raise::raise(&mut module, &reach, options);
    Some(print::print(&module, &reach, &mut raised, options))
}
