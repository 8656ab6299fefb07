//! Bounds that hostile input meets. Each is checked on input; passing one is a diagnostic of
//! [`Kind::Limit`](crate::Kind::Limit), never a panic.

/// The bounds of one run. The defaults admit every real shader that we know of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one input file.
    pub input_bytes: usize,
    /// Nesting of `if`, `loop`, `rep`, braces, parentheses or regions.
    pub nesting: usize,
    /// Instructions of one module after inlining.
    pub instructions: usize,
    /// Labels of one bytecode shader.
    pub labels: usize,
    /// Types, constants, globals or members of one module, each.
    pub entities: usize,
    /// Steps that an execution may take before it is stopped.
    pub steps: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            input_bytes: 4 << 20,
            nesting: 64,
            instructions: 1 << 20,
            labels: 4096,
            entities: 1 << 16,
            steps: 1 << 32,
        }
    }
}
