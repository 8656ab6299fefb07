//! What a translation is asked for (A1).

use crate::layout::Mode;
use aquatint_ir::Stage;

/// An entry point that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryRequest {
    /// The function.
    pub name: String,
    /// Its stage; `None` takes that of the profile, or of the function's `shader` attribute.
    pub stage: Option<Stage>,
}

/// How locations are given to stage inputs and outputs without one (A7.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IoOrder {
    /// In the order of declarations.
    #[default]
    Declared,
    /// By semantic, then its index.
    Alphabetical,
}

/// The options that change meaning (A1.4). None depends on the target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Language version: 2016, 2017, 2018 or 2021.
    pub hv: u16,
    /// `float16_t` and the like, and `half` of 16 bits.
    pub native16: bool,
    /// Whether matrices lie in rows unless they say otherwise.
    pub row_major: bool,
    /// The layout of buffers.
    pub layout: Mode,
    /// Direct3D 9's semantics mean system values (A7.8).
    pub legacy_semantics: bool,
    /// Entry points.
    pub entries: Vec<EntryRequest>,
    /// The order of locations.
    pub io_order: IoOrder,
    /// `discard` makes a helper of the invocation instead of ending it (A12.4).
    pub demote_discard: bool,
    /// The stage that the profile names.
    pub profile_stage: Option<Stage>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hv: 2021,
            native16: false,
            row_major: false,
            layout: Mode::default(),
            legacy_semantics: false,
            entries: Vec::new(),
            io_order: IoOrder::default(),
            demote_discard: false,
            profile_stage: None,
        }
    }
}

impl Options {
    /// Options for one entry point.
    pub fn for_entry(name: &str, stage: Stage) -> Self {
        Self { entries: vec![EntryRequest { name: name.to_owned(), stage: Some(stage) }], ..Self::default() }
    }
}

/// The bounds that sema checks (F4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Elements of an array (AQ4011).
    pub array_elements: u32,
    /// Dimensions of an array (AQ4011).
    pub array_dimensions: usize,
    /// Leaves of an initialiser (AQ4014).
    pub initialiser_leaves: usize,
    /// Depth of template instantiation (AQ4005).
    pub template_depth: usize,
    /// Template instances (AQ4005).
    pub template_instances: usize,
    /// Parameters of a function (AQ4012).
    pub parameters: usize,
    /// Fields of a struct (AQ4012).
    pub fields: usize,
    /// Labels of a switch (AQ4012).
    pub cases: usize,
    /// Overloads of a function (AQ4012).
    pub overloads: usize,
    /// Depth of functions that are made for their resource arguments (AQ4013).
    pub call_depth: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            array_elements: 1 << 20,
            array_dimensions: 16,
            initialiser_leaves: 1 << 20,
            template_depth: 64,
            template_instances: 16 << 10,
            parameters: 256,
            fields: 4096,
            cases: 16 << 10,
            overloads: 1024,
            call_depth: 64,
        }
    }
}
