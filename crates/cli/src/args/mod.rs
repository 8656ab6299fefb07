//! The command line: [`low`] is what was typed, cheap and without side effects; [`high`] is what it means.

pub mod high;
pub mod low;
pub mod values;
