//! What a renderer must know of a translated shader (sheet 4.2).

use super::options::TextureKind;
use super::semantics::Semantic;
use crate::tokens::Version;

/// A run of registers of one file, in the order of upload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RegisterRange {
    /// First register of the application's file.
    pub first: u16,
    /// Number of registers.
    pub count: u16,
    /// Position of the first register in the packed array.
    pub packed: u16,
}

/// One register file of the shader.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RegisterFile {
    /// What to upload, in packed order.
    pub ranges: Vec<RegisterRange>,
    /// Whether it is addressed through a0 or aL.
    pub relative: bool,
}

impl RegisterFile {
    /// Registers in the packed array.
    pub fn packed_count(&self) -> u32 {
        self.ranges.iter().map(|r| u32::from(r.count)).sum()
    }

    /// Position of a register in the packed array.
    pub fn packed_index(&self, register: u16) -> Option<u32> {
        let range = self.ranges.iter().find(|r| (r.first..r.first.saturating_add(r.count)).contains(&register))?;
        Some(u32::from(range.packed) + u32::from(register - range.first))
    }
}

/// A stage input or output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interface {
    /// Its meaning.
    pub semantic: Semantic,
    /// Register in the bytecode.
    pub register: u16,
    /// Lanes declared or written, 4 bits.
    pub mask: u8,
    /// Location in the output; for a vertex input the attribute number, for a colour output the target. `None` for the
    /// position and the point size.
    pub location: Option<u32>,
    /// Whether it is evaluated at the centroid.
    pub centroid: bool,
}

/// A sampler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SamplerUse {
    /// Register (ps_1_x: stage).
    pub register: u16,
    /// Kind of texture.
    pub kind: TextureKind,
    /// Whether it compares depth.
    pub compare: bool,
}

/// A `def`, `defi` or `defb` that is in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Def<T> {
    /// Register.
    pub register: u16,
    /// Value as bits.
    pub bits: T,
}

/// Everything that a renderer must know of a translated shader.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reflection {
    /// Version of the bytecode.
    pub version: Version,
    /// Name of the entry point in the module.
    pub entry: String,
    /// Vertex attributes or varyings that are read.
    pub inputs: Vec<Interface>,
    /// Varyings, position and point size, or colour targets.
    pub outputs: Vec<Interface>,
    /// Whether the pixel shader writes depth.
    pub writes_depth: bool,
    /// Samplers that are read.
    pub samplers: Vec<SamplerUse>,
    /// c# to upload: vec4 of f32 at byte 0 of the uniform block.
    pub floats: RegisterFile,
    /// i# to upload: vec4 of i32 behind the floats.
    pub ints: RegisterFile,
    /// b# to upload: u32 each, behind the ints, padded to 16 bytes.
    pub bools: RegisterFile,
    /// Float constants that the shader defines.
    pub float_defs: Vec<Def<[u32; 4]>>,
    /// Int constants that the shader defines.
    pub int_defs: Vec<Def<[u32; 4]>>,
    /// Bool constants that the shader defines.
    pub bool_defs: Vec<Def<bool>>,
    /// Registers that the shader's preshader writes before a draw.
    pub preshader_floats: Vec<RegisterRange>,
    /// Temporaries used.
    pub temps: u16,
    /// Instructions, definitions and declarations left out.
    pub instructions: u32,
    /// Instruction slots as sheet 1.11 counts them: all, and those of texture instructions.
    pub slots: (u32, u32),
    /// Whether vPos is read.
    pub uses_vpos: bool,
    /// Whether vFace is read.
    pub uses_vface: bool,
    /// Whether pixels can be killed.
    pub uses_kill: bool,
    /// Whether derivatives are taken (also by texture reads without a level).
    pub uses_derivatives: bool,
    /// Whether the vertex shader writes a fog factor.
    pub writes_fog: bool,
    /// Whether the vertex shader writes a point size.
    pub writes_point_size: bool,
    /// Stages (bits) whose bump matrix is read.
    pub bump_stages: u8,
    /// Stages (bits) that project when the texture stage state says so.
    pub projectable_stages: u8,
}

impl Reflection {
    /// Bytes of the uniform block at register b0: floats, ints, then bools padded to 16 bytes.
    pub fn uniform_bytes(&self) -> u32 {
        16 * (self.floats.packed_count() + self.ints.packed_count()) + self.bools.packed_count().div_ceil(4) * 16
    }

    /// The uniform block for a complete set of register files; what the files lack reads as 0.
    pub fn pack(&self, floats: &[[f32; 4]], ints: &[[i32; 4]], bools: &[bool]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.uniform_bytes() as usize);
        for register in self.floats.registers() {
            let value = floats.get(register).copied().unwrap_or_default();
            bytes.extend(value.iter().flat_map(|lane| lane.to_le_bytes()));
        }
        for register in self.ints.registers() {
            let value = ints.get(register).copied().unwrap_or_default();
            bytes.extend(value.iter().flat_map(|lane| lane.to_le_bytes()));
        }
        for register in self.bools.registers() {
            bytes.extend(u32::from(bools.get(register).copied().unwrap_or_default()).to_le_bytes());
        }
        bytes.resize(self.uniform_bytes() as usize, 0);
        bytes
    }
}

impl RegisterFile {
    /// The registers in packed order.
    pub fn registers(&self) -> impl Iterator<Item = usize> + '_ {
        self.ranges.iter().flat_map(|r| usize::from(r.first)..usize::from(r.first) + usize::from(r.count))
    }
}
