//! What every other crate of Aquatint rests on, and nothing about shaders.
//!
//! | module | holds |
//! |---|---|
//! | [`id`], [`arena`] | 32-bit typed ids and the tables that they index |
//! | [`names`] | interned strings ([`Name`]) |
//! | [`source`] | inputs, [`Span`]s into them, line and column look-up |
//! | [`diagnostic`] | [`Diagnostic`], its [`Code`], its place, and the list [`Diags`] that a run fills |
//! | [`render`] | diagnostics as text for people, one line, or JSON |
//! | [`limits`] | the bounds that hostile input meets |
//! | [`text`] | a small writer for indented text |

pub mod arena;
pub mod diagnostic;
pub mod id;
pub mod limits;
pub mod names;
pub mod render;
pub mod source;
pub mod text;

pub use arena::Arena;
pub use diagnostic::{Code, Diagnostic, Diags, Kind, Label, Severity};
pub use id::Id;
pub use limits::Limits;
pub use names::{Name, Names};
pub use source::{LineMark, Source, SourceId, Sources, Span};
pub use text::TextWriter;

/// The hash map of the translator: fast, and never iterated where the order could reach an output.
pub type HashMap<K, V> = rustc_hash::FxHashMap<K, V>;
/// The set that goes with [`HashMap`].
pub type HashSet<K> = rustc_hash::FxHashSet<K>;
