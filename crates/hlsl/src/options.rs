//! What the caller chooses (sheet A1.4), as far as the text is concerned, and the bounds of hostile input (F4).

use aquatint_ir::Stage;

/// The language version (A1.1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
#[repr(u16)]
pub enum Version {
    /// 2016
    V2016 = 2016,
    /// 2017
    V2017 = 2017,
    /// 2018
    V2018 = 2018,
    /// 2021: templates, short-circuit logic, binary literals
    #[default]
    V2021 = 2021,
}

impl Version {
    /// All, the oldest first.
    pub const ALL: [Version; 4] = [Version::V2016, Version::V2017, Version::V2018, Version::V2021];

    /// The version of that year; `None` is AQ0003.
    pub fn of_year(year: u32) -> Option<Version> {
        Self::ALL.into_iter().find(|v| v.year() == year)
    }

    /// Its year, which `__HLSL_VERSION` holds.
    pub fn year(self) -> u32 {
        self as u32
    }
}

/// A target profile, `ps_6_0` (A1.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Profile {
    /// The stage; `None` is a library's profile, or that of a stage for which no code can be generated.
    pub stage: Option<Stage>,
    /// The number of the stage for `__SHADER_TARGET_STAGE`.
    pub number: u32,
    /// Shader model, major and minor; `lib_6_x` counts as 6.15.
    pub model: (u32, u32),
}

impl Profile {
    /// The profile of that name; `None` is AQ0004.
    pub fn of_name(name: &str) -> Option<Profile> {
        let mut parts = name.split('_');
        let (letters, major, minor) = (parts.next()?, parts.next()?, parts.next()?);
        let (stage, number) = match letters {
            "ps" => (Some(Stage::Fragment), 0),
            "vs" => (Some(Stage::Vertex), 1),
            "gs" => (None, 2),
            "hs" => (None, 3),
            "ds" => (None, 4),
            "cs" => (Some(Stage::Compute), 5),
            "lib" => (None, crate::preprocess::predefined::STAGE_LIBRARY),
            "ms" => (None, 13),
            "as" => (None, 14),
            _ => return None,
        };
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        let model = (digits(major)?, if minor == "x" && letters == "lib" { 15 } else { digits(minor)? });
        // Sources of models 2 and 3 are compiled for modern targets, too.
        (parts.next().is_none() && (2..=6).contains(&model.0)).then_some(Profile { stage, number, model })
    }
}

/// `-D` and `-U` (A3.18), in the order of the command line.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Define {
    /// `-D X`, `-D X=body`, `-D F(a)=body`: what stands behind the `-D`.
    Define(String),
    /// `-U X`
    Undef(String),
}

/// What changes the meaning of a text for the preprocessor.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct PreprocessOptions {
    /// Language version.
    pub version: Version,
    /// Shader model, major and minor (`__SHADER_TARGET_MAJOR`).
    pub target: (u32, u32),
    /// Number of the stage (`__SHADER_TARGET_STAGE`), one of [`STAGES`](crate::preprocess::predefined::STAGES). With several
    /// entry points it is that of a library.
    pub stage: u32,
    /// Whether 16-bit types are on (`__HLSL_ENABLE_16_BIT`).
    pub native_16_bit: bool,
    /// Whether `__hlsl_dx_compiler` is defined.
    pub dxc_compat_macros: bool,
    /// Operands of `##` are expanded before they are put together (A3.8).
    pub legacy_macro_expansion: bool,
    /// `#line` changes nothing (A3.14).
    pub ignore_line_directives: bool,
    /// Defines of the command.
    pub defines: Vec<Define>,
}

impl Default for PreprocessOptions {
    fn default() -> Self {
        Self {
            version: Version::default(),
            target: (6, 6),
            stage: crate::preprocess::predefined::STAGE_LIBRARY,
            native_16_bit: false,
            dxc_compat_macros: false,
            legacy_macro_expansion: false,
            ignore_line_directives: false,
            defines: Vec::new(),
        }
    }
}

/// The bounds of F4 that the lexer and the preprocessor keep.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct FrontLimits {
    /// Bytes of one file (AQ4001).
    pub file_bytes: usize,
    /// Bytes of all files, each as often as it is included (AQ4001).
    pub total_bytes: usize,
    /// Files within files (AQ4002).
    pub include_depth: usize,
    /// Files included (AQ4002).
    pub includes: usize,
    /// Tokens after expansion (AQ4003).
    pub tokens: usize,
    /// Macros within macros (AQ4003).
    pub macro_depth: usize,
    /// Tokens that one use in the text makes, all steps counted (AQ4003).
    pub expansion_tokens: usize,
    /// Macros defined at a time (AQ4003).
    pub macros: usize,
    /// Conditionals within conditionals (AQ4004).
    pub conditional_nesting: usize,
    /// Characters of a name (AQ4010).
    pub identifier_length: usize,
    /// Bytes of a literal (AQ4010).
    pub literal_length: usize,
}

impl Default for FrontLimits {
    fn default() -> Self {
        Self {
            file_bytes: 16 << 20,
            total_bytes: 64 << 20,
            include_depth: 64,
            includes: 4096,
            tokens: 16 << 20,
            macro_depth: 256,
            expansion_tokens: 1 << 20,
            macros: 1 << 16,
            conditional_nesting: 256,
            identifier_length: 1024,
            literal_length: 64 << 10,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a1_1_four_versions_are_known_and_2021_is_the_default() {
        for year in 2010..2030 {
            let known = [2016, 2017, 2018, 2021].contains(&year);
            assert_eq!(Version::of_year(year).map(Version::year), known.then_some(year));
        }
        assert_eq!(Version::default().year(), 2021);
    }

    #[test]
    fn a1_2_a_profile_names_a_stage_and_a_model() {
        let of = |name| Profile::of_name(name).map(|p| (p.stage, p.number, p.model));
        assert_eq!(of("ps_6_0"), Some((Some(Stage::Fragment), 0, (6, 0))));
        assert_eq!(of("vs_5_1"), Some((Some(Stage::Vertex), 1, (5, 1))));
        assert_eq!(of("cs_6_8"), Some((Some(Stage::Compute), 5, (6, 8))));
        assert_eq!(of("lib_6_x"), Some((None, 6, (6, 15))));
        assert_eq!(of("hs_5_0"), Some((None, 3, (5, 0))));
        for bad in ["", "ps", "ps_6", "ps_6_0_1", "xs_6_0", "ps_7_0", "ps_6_x", "ps_+6_0", "ps_1_1"] {
            assert_eq!(of(bad), None, "{bad}");
        }
    }

    #[test]
    fn f4_the_defaults_are_those_of_the_table() {
        let limits = FrontLimits::default();
        assert_eq!((limits.file_bytes, limits.total_bytes), (16 * 1024 * 1024, 64 * 1024 * 1024));
        assert_eq!((limits.include_depth, limits.includes), (64, 4096));
        assert_eq!((limits.tokens, limits.expansion_tokens), (16 * 1024 * 1024, 1024 * 1024));
        assert_eq!((limits.macro_depth, limits.macros, limits.conditional_nesting), (256, 65536, 256));
        assert_eq!((limits.identifier_length, limits.literal_length), (1024, 65536));
    }
}
