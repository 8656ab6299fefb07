//! A raised module as words. One pass over the functions; types, constants and globals are written when first needed.
//!
//! | module | holds |
//! |---|---|
//! | [`words`] | instructions as words |
//! | [`types`] | types, constants |
//! | [`interface`] | globals, decorations, the entry point |
//! | [`function`] | functions, memory, calls |
//! | [`control`] | regions as blocks, with phis |
//! | [`arithmetic`] | pure operations |
//! | [`texture`] | images and samplers |

pub mod arithmetic;
pub mod control;
pub mod function;
pub mod interface;
pub mod texture;
pub mod types;
pub mod words;

use crate::Options;
use crate::check::reached;
use aquatint_base::HashMap;
use aquatint_ir::types::Scalar;
use aquatint_ir::{FunctionId, Module};
use spirv::Op;
use words::Words;

/// The number that Khronos gave no one: generators that are not registered use 0.
const GENERATOR: u32 = 0;

/// State of the encoding of one module.
pub struct Encoder<'m> {
    module: &'m Module,
    options: &'m Options,
    stage: aquatint_ir::Stage,
    next: u32,
    capabilities: Vec<spirv::Capability>,
    extensions: Vec<&'static str>,
    names: Words,
    decorations: Words,
    declarations: Words,
    functions: Words,
    types: Vec<u32>,
    structs: Vec<u32>,
    pointers: HashMap<(u32, u32), u32>,
    /// Scalar constants by kind and bits.
    scalars: HashMap<(Scalar, u64), u32>,
    /// Image types by their operands: several of the IR's are one of SPIR-V's, and those must not be declared twice.
    images: HashMap<[u32; 7], u32>,
    sampler: u32,
    sampled_images: HashMap<u32, u32>,
    function_types: HashMap<Vec<u32>, u32>,
    results: HashMap<(u32, u32), u32>,
    nulls: HashMap<u32, u32>,
    constants: Vec<u32>,
    globals: Vec<u32>,
    /// Struct types that are decorated as blocks.
    blocks: Vec<u32>,
    /// Widths (bits 16, 32, 64 as such) of the floats that the module computes with.
    float_widths: u32,
    function_ids: Vec<u32>,
    glsl: u32,
    // State of the current function.
    locals: Vec<u32>,
    block: u32,
    /// Whether the current block has its terminator.
    closed: bool,
}

/// Encodes entry point `index` of a module that [`crate::check`] accepted and [`crate::raise`] raised.
pub fn encode(module: &Module, index: usize, options: &Options) -> Vec<u32> {
    let entry = &module.entry_points[index];
    let mut e = Encoder {
        module,
        options,
        stage: entry.stage,
        next: 1,
        capabilities: vec![spirv::Capability::Shader],
        extensions: Vec::new(),
        names: Words::default(),
        decorations: Words::with_capacity(256),
        declarations: Words::with_capacity(512),
        functions: Words::with_capacity(room(module) * 6),
        types: vec![0; module.types.len()],
        structs: vec![0; module.types.structs.len()],
        pointers: HashMap::default(),
        scalars: HashMap::default(),
        images: HashMap::default(),
        sampler: 0,
        sampled_images: HashMap::default(),
        function_types: HashMap::default(),
        results: HashMap::default(),
        nulls: HashMap::default(),
        constants: vec![0; module.constants.len()],
        globals: vec![0; module.globals.len()],
        blocks: Vec::new(),
        float_widths: 0,
        function_ids: vec![0; module.functions.len()],
        glsl: 0,
        locals: Vec::new(),
        block: 0,
        closed: true,
    };
    e.glsl = e.id();
    let functions = reached(module, entry.function);
    for &function in &functions {
        e.function_ids[function.index()] = e.id();
    }
    for &function in &functions {
        e.function(function);
    }
    e.finish(index, entry.function)
}

/// Instructions of the module, at most.
fn room(module: &Module) -> usize {
    let regions = module.functions.iter().flat_map(|(_, f)| f.regions.iter());
    regions.map(|(_, region)| region.insts.len()).sum::<usize>() + 64
}

impl Encoder<'_> {
    fn id(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn capability(&mut self, capability: spirv::Capability) {
        if !self.capabilities.contains(&capability) {
            self.capabilities.push(capability);
        }
    }

    fn extension(&mut self, name: &'static str) {
        if !self.extensions.contains(&name) {
            self.extensions.push(name);
        }
    }

    fn name(&mut self, id: u32, text: &str) {
        if self.options.names && !text.is_empty() {
            self.names.op_text(Op::Name, &[id], text, &[]);
        }
    }

    fn finish(mut self, index: usize, function: FunctionId) -> Vec<u32> {
        let entry = self.entry_words(index, self.function_ids[function.index()]);
        let mut head = Words::with_capacity(64);
        for &capability in &self.capabilities {
            head.op(Op::Capability, &[capability as u32]);
        }
        for name in &self.extensions {
            head.op_text(Op::Extension, &[], name, &[]);
        }
        head.op_text(Op::ExtInstImport, &[self.glsl], "GLSL.std.450", &[]);
        head.op(Op::MemoryModel, &[spirv::AddressingModel::Logical as u32, spirv::MemoryModel::GLSL450 as u32]);
        let sections =
            [&head, &entry, &self.names, &self.decorations, &self.declarations, &self.functions].map(Words::as_slice);
        let mut out = Vec::with_capacity(5 + sections.iter().map(|s| s.len()).sum::<usize>());
        out.extend([spirv::MAGIC_NUMBER, self.options.environment.spirv_version(), GENERATOR, self.next, 0]);
        for section in sections {
            out.extend_from_slice(section);
        }
        out
    }
}
