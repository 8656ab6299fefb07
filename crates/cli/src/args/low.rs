//! What was typed.

mod compile;
mod render;
mod shader;

pub use compile::Compile;
pub use render::{Cull, Depth, Mesh, PixelCentre, Render};
pub use shader::Shader;

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Printed behind the long help of the program.
const EXIT_CODES: &str = "\
Exit codes:
  0  everything was done (there may have been warnings)
  1  an input has errors
  2  the command line makes no sense
  3  a file could not be read or written
  4  a bug of ours

Files are written under a temporary name and renamed: a run that fails leaves the old file as it was.
Messages go to standard error, results to standard output. `aquatint COMMAND --help` shows examples.";

/// Translates, inspects and draws shaders: Direct3D 9 bytecode, assembly and effects in; Metal, SPIR-V and pictures out.
#[derive(Debug, Parser)]
#[command(name = "aquatint", version, after_long_help = EXIT_CODES, arg_required_else_help = true, max_term_width = 110)]
pub struct Cli {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
    /// How messages look: human (with quoted source), short (a line each), json (one array a run)
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "FORMAT",
        hide_possible_values = true,
        help_heading = "Messages"
    )]
    pub error_format: ErrorFormat,
    /// Colours in messages: auto (where standard error is a terminal and NO_COLOR is not set), always, never
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        hide_possible_values = true,
        help_heading = "Messages"
    )]
    pub color: ColorChoice,
}

/// How messages look.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ErrorFormat {
    /// With quoted source and carets
    #[default]
    Human,
    /// One line a message
    Short,
    /// One JSON array a run
    Json,
}

/// When there are colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum ColorChoice {
    /// On terminals
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Translates shaders to Metal, SPIR-V or the intermediate representation
    Compile(Box<Compile>),
    /// Draws a shader to a PNG file, without a GPU
    Render(Box<Render>),
    /// Turns bytecode into assembly text
    Disasm(Disasm),
    /// Turns assembly text into bytecode
    Asm(Asm),
    /// Looks into effect files and takes their shaders out
    Effect(Effect),
    /// Says what a shader is: version, slots, interface, constants
    Info(Info),
    /// Explains a code from a message
    Explain(Explain),
    /// Lists the optimising passes
    Passes(Passes),
    /// Reads, checks and prints a module of the intermediate representation
    Cat(Cat),
    /// Runs one pass on a module of the intermediate representation
    Pass(Pass),
    /// Writes completions for a shell to standard output
    Completions(Completions),
}

const DISASM: &str = "\
Examples:
  aquatint disasm water.pso
  aquatint disasm water.pso --exact -o water.asm    # asm water.asm gives the same bytes again
  aquatint disasm water.pso --style compact";

/// Turns bytecode into assembly text.
#[derive(Debug, Args)]
#[command(after_help = DISASM)]
pub struct Disasm {
    /// Bytecode (bare, or in a DXBC container), or assembly to be laid out anew; - is standard input
    pub input: PathBuf,
    /// Where to write the text; standard output where absent
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// fxc: header comment, indented, swizzles as stored; compact: bare lines, swizzles cut
    #[arg(long, value_enum, default_value_t)]
    pub style: Style,
    /// Carry comments and odd encodings, so that assembling gives the same bytes (style fxc)
    #[arg(long)]
    pub exact: bool,
}

/// The look of a disassembly.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Style {
    /// Header comment, indented, swizzles as stored
    #[default]
    Fxc,
    /// Bare lines, swizzles cut to the lanes that matter
    Compact,
}

const ASM: &str = "\
Examples:
  aquatint asm tint.asm -o tint.bin
  aquatint asm tint.asm -I shared -D SAMPLES=4 -o tint.bin
  aquatint asm torus.vs.asm --ctab torus.vs.json -o torus.vs.bin
  printf 'ps_2_0\\nmov oC0, c0\\n' | aquatint asm - -o - | aquatint compile -

The constant table of --ctab is a JSON object, one member a constant:
  {\"g_mWorld\": {\"register\": \"c4\", \"type\": \"float4x4\"},
   \"g_Tint\":   {\"register\": \"c8\", \"type\": \"float4\", \"default\": [1, 1, 1, 1]},
   \"g_Bones\":  {\"register\": \"c9\", \"type\": \"row_major float4x3[32]\", \"count\": 90},
   \"g_Map\":    {\"register\": \"s0\", \"type\": \"sampler2D\"}}";

/// Turns assembly text into bytecode.
#[derive(Debug, Args)]
#[command(after_help = ASM)]
pub struct Asm {
    /// Assembly text; - is standard input
    pub input: PathBuf,
    /// Where to write the bytes; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Refuse what the native assembler refuses
    #[arg(long)]
    pub strict: bool,
    /// Look for included files here, after the directory of the input
    #[arg(short = 'I', long = "include", value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Define a name, as 1 where no value is given
    #[arg(short = 'D', long = "define", value_name = "NAME[=VALUE]", value_parser = super::values::definition)]
    pub define: Vec<(String, String)>,
    /// Write a constant table, from a JSON file
    #[arg(long, value_name = "FILE")]
    pub ctab: Option<PathBuf>,
    /// Report warnings too
    #[arg(short = 'W', long = "warnings", value_enum, default_value_t, value_name = "WHICH")]
    pub warnings: Warnings,
}

/// Which warnings are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Warnings {
    /// All warnings
    #[default]
    All,
    /// No warnings
    None,
}

const EFFECT: &str = "\
Examples:
  aquatint effect list water.fxb              # techniques, passes and their shaders
  aquatint effect show water.fxb              # everything as text, shaders disassembled
  aquatint effect extract water.fxb -o water  # shaders as files, states and parameters as JSON
  aquatint compile water -o water-msl         # and all of them translated

Files: fx_2_0 effects (.fxb, .fxo, .fxc), XNA effects (wrapped, or in an uncompressed .xnb), and the DXBC containers
in .mgfxo, .xnb and other files, of which the shaders of feature level 9 are read.";

/// Looks into effect files and takes their shaders out.
#[derive(Debug, Args)]
#[command(after_help = EFFECT, arg_required_else_help = true)]
pub struct Effect {
    /// What to do
    #[command(subcommand)]
    pub action: EffectAction,
}

/// What to do with an effect.
#[derive(Debug, Subcommand)]
pub enum EffectAction {
    /// Lists techniques, passes and shaders
    List {
        /// The file; - is standard input
        input: PathBuf,
    },
    /// Prints the effect as text, with its shaders disassembled
    Show {
        /// The file; - is standard input
        input: PathBuf,
        /// Where to write the text; standard output where absent
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Writes each shader to TECHNIQUE_PASS_vs.bin and so on, and effect.json beside them
    Extract {
        /// The file; - is standard input
        input: PathBuf,
        /// The directory for the files, made if it does not exist
        #[arg(short, long, value_name = "DIR", default_value = ".")]
        output: PathBuf,
    },
}

const INFO: &str = "\
Examples:
  aquatint info water.pso
  aquatint info water.pso --json | jq .counts";

/// Says what a shader is.
#[derive(Debug, Args)]
#[command(after_help = INFO)]
pub struct Info {
    /// Bytecode, assembly, an effect, or a module of the intermediate representation; - is standard input
    pub input: PathBuf,
    /// Print the reflection of a shader as JSON, as `compile --reflect` writes it
    #[arg(long)]
    pub json: bool,
}

const EXPLAIN: &str = "\
Examples:
  aquatint explain E-TRUNC
  aquatint explain --list";

/// Explains a code from a message.
#[derive(Debug, Args)]
#[command(after_help = EXPLAIN)]
pub struct Explain {
    /// The code, such as E-REG
    #[arg(required_unless_present = "list")]
    pub code: Option<String>,
    /// List all codes
    #[arg(long)]
    pub list: bool,
}

const PASSES: &str = "\
Examples:
  aquatint passes
  aquatint compile water.pso --to ir --print-after mem2reg
  aquatint pass fold module.ir";

/// Lists the optimising passes.
#[derive(Debug, Args)]
#[command(after_help = PASSES)]
pub struct Passes {}

const CAT: &str = "\
Examples:
  aquatint cat module.ir
  aquatint compile water.pso --to ir -O0 | aquatint cat -";

/// Reads, checks and prints a module of the intermediate representation.
#[derive(Debug, Args)]
#[command(after_help = CAT)]
pub struct Cat {
    /// The module; - is standard input
    pub input: PathBuf,
    /// Where to write the text; standard output where absent
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

const PASS: &str = "\
Examples:
  aquatint pass fold module.ir
  aquatint compile water.pso --to ir -O0 | aquatint pass mem2reg - | aquatint pass dce -
  aquatint pass unroll module.ir --stress -o unrolled.ir";

/// Runs one pass on a module of the intermediate representation, and checks what comes out.
#[derive(Debug, Args)]
#[command(after_help = PASS)]
pub struct Pass {
    /// The pass; `aquatint passes` lists them
    #[arg(value_parser = super::values::pass)]
    pub name: String,
    /// The module; - is standard input
    pub input: PathBuf,
    /// Where to write the text; standard output where absent
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print and re-read the module after the pass
    #[arg(long)]
    pub stress: bool,
}

const COMPLETIONS: &str = "\
Examples:
  aquatint completions bash > ~/.local/share/bash-completion/completions/aquatint
  aquatint completions zsh > ~/.zfunc/_aquatint
  aquatint completions fish > ~/.config/fish/completions/aquatint.fish";

/// Writes completions for a shell to standard output.
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}
