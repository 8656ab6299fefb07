//! What comes out.

/// What a compilation produces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Target {
    /// Metal Shading Language.
    Msl,
    /// SPIR-V words.
    Spirv,
    /// SPIR-V as text.
    SpirvAsm,
    /// The text form of the intermediate representation.
    Ir,
}

impl Target {
    /// All targets.
    pub const ALL: &'static [Target] = &[Target::Msl, Target::Spirv, Target::SpirvAsm, Target::Ir];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Msl => "msl",
            Target::Spirv => "spirv",
            Target::SpirvAsm => "spirv-asm",
            Target::Ir => "ir",
        }
    }

    /// The target of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|t| t.name() == name)
    }

    /// The target that the extension of an output file means: `metal` or `msl`, `spv`, `spvasm`, `ir`.
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension {
            "metal" | "msl" => Some(Target::Msl),
            "spv" | "spirv" => Some(Target::Spirv),
            "spvasm" => Some(Target::SpirvAsm),
            "ir" => Some(Target::Ir),
            _ => None,
        }
    }

    /// The usual extension of its files.
    pub const fn extension(self) -> &'static str {
        match self {
            Target::Msl => "metal",
            Target::Spirv => "spv",
            Target::SpirvAsm => "spvasm",
            Target::Ir => "ir",
        }
    }
}
