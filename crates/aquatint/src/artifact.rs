//! A finished translation.

/// The output proper.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Output {
    /// Text.
    Text(String),
    /// SPIR-V words.
    Words(Vec<u32>),
}

impl Output {
    /// The bytes of an output file; words are little-endian.
    pub fn into_bytes(self) -> Vec<u8> {
        match self {
            Output::Text(text) => text.into_bytes(),
            Output::Words(words) => words.iter().flat_map(|word| word.to_le_bytes()).collect(),
        }
    }

    /// The text, if it is text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Output::Text(text) => Some(text),
            Output::Words(_) => None,
        }
    }
}

/// What a compilation gives.
#[derive(Clone, PartialEq, Debug)]
pub struct Artifact {
    /// The output.
    pub output: Output,
    /// What a renderer must know of a Direct3D 9 shader.
    #[cfg(feature = "d3d9")]
    pub reflection: Option<aquatint_d3d9::lower::Reflection>,
    /// What each pass took, where a clock was given.
    pub passes: Vec<aquatint_passes::run::Report>,
}
