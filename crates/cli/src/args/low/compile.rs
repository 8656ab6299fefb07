//! What was typed after `compile`.

use super::Shader;
use crate::args::values;
use aquatint::hlsl::layout::Mode;
use aquatint::hlsl::options::{Profile, Version};
use aquatint::msl::LanguageVersion;
use aquatint::spirv::Environment;
use aquatint::{Language, Target};
use clap::Args;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  aquatint compile water.pso                            # Metal to standard output
  aquatint compile water.pso -o water.spv               # the extension tells the target
  aquatint compile water.pso -o water.metal --reflect water.json
  aquatint compile *.pso *.vso --to spirv -o out        # all cores; out/water.spv and so on
  aquatint compile lit.hlsl -T ps_6_0 -E main -o lit.spv
  aquatint compile shaders -o out                       # a whole directory, and those below it
  aquatint disasm water.pso | aquatint compile -        # standard input
  aquatint compile water.pso --alpha-test greater=127 --sampler 1=cube
  aquatint compile water.pso --to ir --print-after all 2> passes.txt

A directory's files are taken by what they hold, not by their names; what is no shader is passed over. HLSL is taken by
its name (.hlsl), and in a directory by nothing: its files are included by others as often as not.";

fn language(text: &str) -> Result<Language, String> {
    Language::from_name(text).ok_or_else(|| "it is one of d3d9, d3d9-asm, hlsl, ir".to_owned())
}

fn profile(text: &str) -> Result<Profile, String> {
    Profile::of_name(text).ok_or_else(|| "it is one of vs, ps, cs, lib with a model, as ps_6_0".to_owned())
}

fn version(text: &str) -> Result<Version, String> {
    text.parse().ok().and_then(Version::of_year).ok_or_else(|| "it is one of 2016, 2017, 2018, 2021".to_owned())
}

fn layout(text: &str) -> Result<Mode, String> {
    Mode::of_name(text).ok_or_else(|| "it is one of dx, vk, gl, scalar".to_owned())
}

fn target(text: &str) -> Result<Target, String> {
    Target::from_name(text).ok_or_else(|| "it is one of msl, spirv, spirv-asm, ir".to_owned())
}

fn msl_version(text: &str) -> Result<LanguageVersion, String> {
    [LanguageVersion::V2_4, LanguageVersion::V3_0, LanguageVersion::V3_1]
        .into_iter()
        .find(|version| version.name() == text)
        .ok_or_else(|| "it is one of 2.4, 3.0, 3.1".to_owned())
}

fn environment(text: &str) -> Result<Environment, String> {
    Environment::from_name(text).ok_or_else(|| "it is one of vulkan1.1, vulkan1.2, vulkan1.3".to_owned())
}

/// Translates shaders to Metal, SPIR-V or the intermediate representation.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Compile {
    /// Bytecode, assembly, HLSL, or a module of the intermediate representation; a directory of them; - is standard input
    #[arg(required = true)]
    pub inputs: Vec<PathBuf>,
    /// Where to write; a directory where there are several inputs; standard output where absent or -
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// What to produce: msl, spirv, spirv-asm, ir; else the extension of OUT tells (metal, spv, spvasm, ir), else msl
    #[arg(long, value_name = "TARGET", value_parser = target)]
    pub to: Option<Target>,
    /// What the input is: d3d9, d3d9-asm, hlsl, ir; else its name (.hlsl) or its first bytes tell
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    pub from: Option<Language>,
    /// Which entry point of a module, or of HLSL
    #[arg(short = 'E', long, value_name = "NAME")]
    pub entry: Option<String>,
    /// Write what a renderer must know, as JSON; a directory where there are several inputs; - is standard output
    #[arg(long, value_name = "FILE")]
    pub reflect: Option<PathBuf>,
    /// Options of the shader
    #[command(flatten)]
    pub shader: Shader,

    /// Stage and shader model, as ps_6_0; a function's `shader` attribute tells the stage, too
    #[arg(short = 'T', long, value_name = "PROFILE", value_parser = profile, help_heading = "HLSL")]
    pub profile: Option<Profile>,
    /// Version of HLSL: 2016, 2017, 2018, 2021
    #[arg(long, value_name = "YEAR", value_parser = version, default_value = "2021", help_heading = "HLSL")]
    pub hv: Version,
    /// half and the like are 16 bits
    #[arg(long = "enable-16bit-types", help_heading = "HLSL")]
    pub native_16_bit: bool,
    /// Matrices lie in buffers row by row unless they say otherwise
    #[arg(long, help_heading = "HLSL")]
    pub row_major: bool,
    /// How buffers are laid out: dx, vk, gl, scalar
    #[arg(long, value_name = "RULES", value_parser = layout, default_value = "dx", help_heading = "HLSL")]
    pub layout: Mode,

    /// Version of the Metal Shading Language: 2.4, 3.0, 3.1
    #[arg(long, value_name = "VERSION", value_parser = msl_version, help_heading = "Target")]
    pub msl_version: Option<LanguageVersion>,
    /// Name of the Metal function
    #[arg(long, value_name = "NAME", help_heading = "Target")]
    pub msl_entry: Option<String>,
    /// Keep the exact meaning where Metal's own is looser, at some cost
    #[arg(long, help_heading = "Target")]
    pub msl_strict: bool,
    /// Vulkan version that the SPIR-V is for: vulkan1.1, vulkan1.2, vulkan1.3
    #[arg(long, value_name = "ENV", value_parser = environment, help_heading = "Target")]
    pub target_env: Option<Environment>,
    /// Vulkan binding = register of a constant buffer + N [default: 0]
    #[arg(long, value_name = "N", help_heading = "Target")]
    pub shift_b: Option<u32>,
    /// Vulkan binding = register of a texture + N [default: 16]
    #[arg(long, value_name = "N", help_heading = "Target")]
    pub shift_t: Option<u32>,
    /// Vulkan binding = register of a sampler + N [default: 32]
    #[arg(long, value_name = "N", help_heading = "Target")]
    pub shift_s: Option<u32>,
    /// Vulkan binding = register of a storage resource + N [default: 48]
    #[arg(long, value_name = "N", help_heading = "Target")]
    pub shift_u: Option<u32>,

    /// Unroll loops of at most N trips
    #[arg(long, value_name = "N", help_heading = "Passes")]
    pub unroll: Option<u32>,
    /// Print the module after a pass, or after all, to standard error
    #[arg(long, value_name = "PASS|all", value_parser = values::pass_or_all, help_heading = "Passes")]
    pub print_after: Vec<String>,
    /// Print what each pass took, to standard error
    #[arg(long, help_heading = "Passes")]
    pub time_passes: bool,
    /// Check the module after each pass
    #[arg(long, help_heading = "Passes")]
    pub verify: bool,
    /// Print and re-read the module after each pass
    #[arg(long, help_heading = "Passes")]
    pub stress: bool,
}
