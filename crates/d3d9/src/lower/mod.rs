//! From decoded bytecode to the IR.
//!
//! One walk over the instructions builds SSA directly: a register is four lanes of values ([`lanes`]), a masked write changes
//! the table, and `if`, `loop` and calls merge tables by region results. What reads the outside world once (constants,
//! inputs) goes to a prologue at the head of the entry function; outputs are stored once at its end, because earlier writes
//! may be overwritten and because the driver's work follows them.
//!
//! | module | holds |
//! |---|---|
//! | [`options`], [`reflection`] | what goes in beside the shader, and what comes out beside the module |
//! | [`semantics`] | how the stages meet |
//! | [`constants`] | constant files and their packing |
//! | [`state`], [`lanes`] | registers as lanes of values |
//! | `operand` | reading sources, writing destinations |
//! | `arithmetic`, `texture`, `texture_stage` | the opcodes |
//! | `flow` | branches, loops, subroutines |
//! | `inputs`, `uniforms`, `outputs` | what the entry function exchanges with the outside world |
//! | `interface` | globals, and the reflection |

mod arithmetic;
pub mod constants;
mod declared;
mod flow;
mod inputs;
mod interface;
pub mod lanes;
mod operand;
pub mod options;
mod outputs;
pub mod reflection;
pub mod semantics;
pub mod state;
mod texture;
mod texture_stage;
mod uniforms;

pub use options::{FloatRules, LinkedOutputs, Options, Projection, ScalarLane, TextureKind};
pub use reflection::Reflection;
pub use semantics::Semantic;

use crate::codes;
use crate::tokens::{Declaration, Instruction, Opcode, Shader};
use aquatint_base::{Diagnostic, Diags, HashMap};
use aquatint_ir::types::{self, Scalar, TypeId};
use aquatint_ir::{Attr, Builder, DepthMode, EntryPoint, Function, GlobalId, InstId, Module, Op, Stage, Value};
use constants::ConstantFiles;
use flow::{Blocks, LoopScope};
use lanes::{Lane, Lanes4};
use state::{State, WriteSet};

/// A translated shader.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The module: one entry point, one function.
    pub module: Module,
    /// What a renderer must know.
    pub reflection: Reflection,
}

/// Lowers a decoded shader.
///
/// # Errors
/// `None` and diagnostics in `diags` where flow control does not nest or a call cannot be expanded.
pub fn lower(shader: &Shader, options: &Options, diags: &mut Diags) -> Option<Lowered> {
    let blocks = Blocks::find(shader);
    let arrays = match options.pack_by_ctab {
        true => interface::ctab_arrays(shader),
        false => Vec::new(),
    };
    let files = constants::collect(shader, options, &arrays);
    if !files.arrays.is_empty() {
        let list: Vec<String> = files.arrays.iter().map(|&(first, count)| array_name(first, count)).collect();
        let message = format!("relative constants are those of {} only, other indices read 0", list.join(", "));
        diags.push(Diagnostic::warning(&codes::W_PACK_CTAB, message));
    }
    let known = files.float_defs.len() + (files.floats.packed_count() as usize).min(64);
    let mut module = Module::new();
    module.globals = aquatint_base::Arena::with_capacity(shader.declarations.len() + 8);
    let name = module.names.intern(&options.entry);
    let mut function = Function::new(name, types::VOID);
    reserve(&mut function, shader.instructions.len());
    let outcome = {
        let mut b = Builder::new(&mut module, &mut function);
        let zero = Lane::scalar(b.f32(0.0));
        let no = Lane::scalar(b.bool(false));
        let nothing = Lane::scalar(b.i32(0));
        let mut lower = Lower {
            b,
            shader,
            options,
            files,
            blocks: &blocks,
            state: State::new(zero, nothing, no),
            prologue: Vec::with_capacity(32),
            loop_counter: None,
            loops: Vec::new(),
            calls: Vec::new(),
            nesting: 0,
            expanded: 0,
            uniforms: None,
            extras: None,
            float_cache: HashMap::with_capacity_and_hasher(known, Default::default()),
            textures: [None; 16],
            input_cache: Vec::new(),
            input_globals: Vec::new(),
            output_globals: Vec::new(),
            input_array: None,
            output_array: None,
            texture_loaded: 0,
            pads: Vec::new(),
            uses: Uses::default(),
            failed: None,
            written: WriteSet::of(shader),
            declared: declared::joined(shader),
        };
        lower.run();
        lower.finish()
    };
    let (reflection, failed) = outcome;
    if let Some(failed) = failed {
        diags.push(failed);
        return None;
    }
    let id = module.functions.push(function);
    module.entry_points.push(EntryPoint {
        name,
        stage: if shader.version.is_pixel() { Stage::Fragment } else { Stage::Vertex },
        function: id,
        workgroup_size: [1; 3],
        depth: DepthMode::Any,
        early_tests: false,
    });
    if !shader.version.is_pixel() {
        outputs::mark_position_precise(&mut module, id);
    }
    Some(Lowered { module, reflection })
}

/// `c4 to c7`.
fn array_name(first: u16, count: u16) -> String {
    format!("c{first} to c{}", first.saturating_add(count).saturating_sub(1))
}

/// Room for what a shader of that many instructions becomes.
fn reserve(function: &mut Function, instructions: usize) {
    function.insts = aquatint_base::Arena::with_capacity(instructions * 4 + 32);
    function.locals = aquatint_base::Arena::with_capacity(instructions * 4 + 32);
    function.operands.reserve(instructions * 8 + 64);
    function.spans.reserve(instructions + 1);
    let body = function.body;
    function.regions[body].insts.reserve(instructions * 4 + 32);
}

/// Things that the reflection reports and that only the walk finds.
#[derive(Default)]
struct Uses {
    vpos: bool,
    vface: bool,
    kill: bool,
    derivatives: bool,
    bump_stages: u8,
    projectable: u8,
}

/// State of one lowering.
struct Lower<'a, 'm> {
    b: Builder<'m>,
    shader: &'a Shader,
    options: &'a Options,
    files: ConstantFiles,
    blocks: &'a Blocks<'a>,
    state: State,
    /// Instructions for the head of the entry function.
    prologue: Vec<InstId>,
    /// aL.
    loop_counter: Option<Value>,
    loops: Vec<LoopScope>,
    /// Labels of the subroutines being expanded.
    calls: Vec<u16>,
    /// Blocks that are open, those of the callers too.
    nesting: usize,
    /// Instructions lowered so far, those of expanded calls each time.
    expanded: usize,
    uniforms: Option<GlobalId>,
    extras: Option<GlobalId>,
    /// Loaded float constants.
    float_cache: HashMap<u16, Lanes4>,
    textures: [Option<texture::Bound>; 16],
    /// Loaded inputs by global.
    input_cache: Vec<(GlobalId, Value)>,
    input_globals: Vec<interface::Input>,
    output_globals: Vec<interface::Output>,
    /// The array of inputs, where they are addressed relatively.
    input_array: Option<Value>,
    /// The array of outputs, where they are addressed relatively.
    output_array: Option<Value>,
    /// t registers (bits) of ps_1_0–ps_1_3 that hold the result of a texture instruction.
    texture_loaded: u8,
    /// Rows kept by texm3x2pad and texm3x3pad: (stage, row).
    pads: Vec<(u16, Value)>,
    uses: Uses,
    failed: Option<Diagnostic>,
    /// What all instructions together may write.
    written: WriteSet,
    /// The declarations of inputs and outputs, each once.
    declared: Vec<Declaration>,
}

impl Lower<'_, '_> {
    fn run(&mut self) {
        self.begin_interface();
        let main = self.blocks.main();
        let ended = self.range(main.0, main.1);
        if !ended {
            self.epilogue();
            self.b.terminate(Op::Return, &[]);
        }
        // The prologue goes before what the walk wrote.
        let body = self.b.function.body;
        self.b.function.regions[body].insts.splice(0..0, self.prologue.drain(..));
    }

    /// An instruction at the head of the entry function.
    fn prologue_value(&mut self, op: Op, attr: Attr, operands: &[Value], ty: TypeId) -> Value {
        let inst = self.b.create(op, attr, operands, &[ty], &[]);
        self.prologue.push(inst);
        self.b.result(inst)
    }

    /// An instruction without a result at the head of the entry function.
    fn prologue_effect(&mut self, op: Op, operands: &[Value]) {
        let inst = self.b.create(op, Attr::None, operands, &[], &[]);
        self.prologue.push(inst);
    }

    /// Lowers instructions `from..to`; whether the current region has ended before `to`.
    fn range(&mut self, from: usize, to: usize) -> bool {
        let shader = self.shader;
        let mut at = from;
        while at < to && self.failed.is_none() {
            let Some(instruction) = shader.instructions.get(at) else { break };
            self.expanded += 1;
            if self.expanded > self.options.limits.instructions {
                self.fail_expansion(instruction);
                return true;
            }
            self.b.set_span(shader.instruction_span(instruction));
            match self.instruction(at, instruction) {
                Next::Go(next) => at = next,
                Next::Ended => return true,
            }
        }
        false
    }

    fn instruction(&mut self, at: usize, instruction: &Instruction) -> Next {
        use Opcode::*;
        match instruction.opcode {
            Nop | Phase | Dcl | Def | DefI | DefB => {}
            If | IfC | CallNz | Loop | Rep | Break | BreakC | BreakP | Call | Ret | Label | Else | EndIf | EndLoop
            | EndRep => return self.flow(at, instruction),
            TexCoord | TexKill | Tex | TexBem | TexBemL | TexReg2Ar | TexReg2Gb | TexM3x2Pad | TexM3x2Tex
            | TexM3x3Pad | TexM3x3Tex | TexM3x3Spec | TexM3x3VSpec | TexReg2Rgb | TexDp3Tex | TexM3x2Depth | TexDp3
            | TexM3x3 | TexDepth | Bem | TexLdd | TexLdl => self.texture_instruction(instruction),
            Mov | Add | Sub | Mad | Mul | Rcp | Rsq | Dp3 | Dp4 | Min | Max | Slt | Sge | Exp | Log | Lit | Dst
            | Lrp | Frc | M4x4 | M4x3 | M3x4 | M3x3 | M3x2 | Pow | Crs | Sgn | Abs | Nrm | SinCos | Mova | ExpP
            | LogP | Cnd | Cmp | Dp2Add | Dsx | Dsy | SetP => {
                // Both instructions of a co-issued pair read the registers as they were before either (sheet 2.2).
                if let Some(second) = self.shader.instructions.get(at + 1).filter(|i| i.coissue) {
                    return self.coissued(at, instruction, second);
                }
                self.arithmetic(instruction);
            }
        }
        Next::Go(at + 1)
    }

    fn coissued(&mut self, at: usize, first: &Instruction, second: &Instruction) -> Next {
        let before = self.state.clone();
        self.arithmetic(first);
        let after_first = std::mem::replace(&mut self.state, before);
        self.b.set_span(self.shader.instruction_span(second));
        if matches!(second.opcode, Opcode::TexCoord | Opcode::Tex | Opcode::TexKill) {
            self.texture_instruction(second);
        } else if second.opcode != Opcode::Nop {
            self.arithmetic(second);
        }
        // The second writes its own lanes; all others are as the first left them.
        let mut written = WriteSet::default();
        written.add(second);
        let mut merged = after_first;
        for (slot, mask) in written.iter() {
            for lane in state::mask_lanes(mask) {
                merged.slots[slot][lane] = self.state.slots[slot][lane];
            }
        }
        self.state = merged;
        Next::Go(at + 2)
    }

    /// The zero that lanes of a kind start with.
    fn zero_lane(&mut self, kind: Scalar) -> Lane {
        Lane::scalar(self.b.zero(types::scalar(kind)))
    }
}

/// How lowering goes on after an instruction.
enum Next {
    /// With instruction number n.
    Go(usize),
    /// Not: the region has its terminator.
    Ended,
}
