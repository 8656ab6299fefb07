//! What goes in.

/// The language of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Language {
    /// Direct3D 9 token stream, or a container with a feature level 9 stream.
    Bytecode,
    /// Direct3D 9 assembly text.
    Assembly,
    /// An fx_2_0 effect: it holds shaders, and is not one itself.
    Effect,
    /// HLSL, which no first bytes tell: its file's name does.
    Hlsl,
    /// The text form of the intermediate representation.
    Ir,
}

impl Language {
    /// All languages.
    pub const ALL: &'static [Language] =
        &[Language::Bytecode, Language::Assembly, Language::Effect, Language::Hlsl, Language::Ir];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Language::Bytecode => "d3d9",
            Language::Assembly => "d3d9-asm",
            Language::Effect => "fx",
            Language::Hlsl => "hlsl",
            Language::Ir => "ir",
        }
    }

    /// The language of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|l| l.name() == name)
    }

    /// The language that the name of a file tells, for languages that no first bytes tell.
    pub fn of_file_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        ["hlsl", "hlsli", "hlslf", "hlslv"].iter().any(|e| e.eq_ignore_ascii_case(extension)).then_some(Language::Hlsl)
    }

    /// Guesses the language from the first bytes; `None` where nothing fits.
    pub fn detect(bytes: &[u8]) -> Option<Self> {
        #[cfg(feature = "d3d9")]
        {
            use aquatint_d3d9::tokens::container::{FileKind, identify};
            match identify(bytes) {
                FileKind::Shader(_) | FileKind::Container | FileKind::TextureShader | FileKind::Expression => {
                    return Some(Language::Bytecode);
                }
                FileKind::Effect | FileKind::WrappedEffect => return Some(Language::Effect),
                FileKind::Unknown => {}
            }
        }
        if bytes.starts_with(b"XNB") || bytes.starts_with(b"MGFX") {
            return Some(Language::Effect);
        }
        // A version word that does not exist is still bytecode: the decoder says what is wrong with it.
        if let [_, _, 0xFE | 0xFF, 0xFF, ..] = bytes {
            return Some(Language::Bytecode);
        }
        let text = std::str::from_utf8(bytes).ok()?;
        let first = text.lines().map(str::trim).find(|line| {
            !line.is_empty() && !line.starts_with("//") && !line.starts_with(';') && !line.starts_with('#')
        })?;
        let is_version = ["vs_", "ps_", "vs.", "ps."]
            .iter()
            .any(|p| first.get(..3).is_some_and(|head| head.eq_ignore_ascii_case(p)));
        if is_version {
            return Some(Language::Assembly);
        }
        let word = first.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
        (word == "module").then_some(Language::Ir)
    }
}

/// An input with its name.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    /// How messages call it: a path as the user gave it, or a description.
    pub name: &'a str,
    /// What it holds.
    pub bytes: &'a [u8],
    /// Its language; guessed from the name and the first bytes where absent.
    pub language: Option<Language>,
}

impl<'a> Input<'a> {
    /// An input whose language is guessed.
    pub const fn new(name: &'a str, bytes: &'a [u8]) -> Self {
        Self { name, bytes, language: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_told_by_their_first_bytes() {
        let of = Language::detect;
        assert_eq!(of(&[0x00, 0x02, 0xFF, 0xFF]), Some(Language::Bytecode));
        assert_eq!(of(&[0x09, 0x09, 0xFE, 0xFF]), Some(Language::Bytecode));
        assert_eq!(of(&[0x01, 0x09, 0xFF, 0xFE]), Some(Language::Effect));
        assert_eq!(of(b"// water\n  ps_2_0\nmov oC0, c0\n"), Some(Language::Assembly));
        assert_eq!(of(b"VS.1.1\n"), Some(Language::Assembly));
        assert_eq!(of(b"// lit\nmodule\nglobal @x: ..."), Some(Language::Ir));
        assert_eq!(of(b"struct V { float4 p; };"), None);
        assert_eq!(of(b"hello"), None);
        assert_eq!(Language::of_file_name("a/lit.HLSL"), Some(Language::Hlsl));
        assert_eq!(Language::of_file_name("hlsl"), None);
        assert_eq!(of(&[0xC3, 0x28]), None);
    }
}
