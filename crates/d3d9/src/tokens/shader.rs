//! A decoded shader.

use super::{
    Comparison, Destination, Opcode, Predicate, Program, Register, RegisterKind, Source, Stage, TexldKind, Version,
};
use aquatint_base::{SourceId, Span};
use smallvec::SmallVec;
use std::ops::Range;

/// The sources of an instruction; no opcode has more than four.
pub type Sources = SmallVec<[Source; 4]>;

/// An instruction other than dcl, def, defi and defb.
#[derive(Clone, PartialEq, Debug)]
pub struct Instruction {
    /// What it does.
    pub opcode: Opcode,
    /// The comparison of `if_`, `break_` and `setp_`.
    pub comparison: Option<Comparison>,
    /// Which form of texld.
    pub texld: TexldKind,
    /// The predicate.
    pub predicate: Option<Predicate>,
    /// Whether it runs together with the instruction before it (ps_1_x).
    pub coissue: bool,
    /// Where the result goes; for `texkill` and `texdepth` the register that they read.
    pub destination: Option<Destination>,
    /// What is read, in the order of the tokens.
    pub sources: Sources,
    /// Index of its first word in the stream; the version word is 0.
    pub word: u32,
    /// Its words, the opcode token included.
    pub words: u32,
}

/// Usages of a dcl (sheet 1.8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Usage {
    /// `position`.
    Position = 0,
    /// `blendweight`.
    BlendWeight = 1,
    /// `blendindices`.
    BlendIndices = 2,
    /// `normal`.
    Normal = 3,
    /// `psize`.
    PSize = 4,
    /// `texcoord`.
    TexCoord = 5,
    /// `tangent`.
    Tangent = 6,
    /// `binormal`.
    Binormal = 7,
    /// `tessfactor`.
    TessFactor = 8,
    /// `positiont`.
    PositionT = 9,
    /// `color`.
    Color = 10,
    /// `fog`.
    Fog = 11,
    /// `depth`.
    Depth = 12,
    /// `sample`.
    Sample = 13,
}

impl Usage {
    /// All, in the order of their numbers.
    pub const ALL: &'static [Usage] = &[
        Usage::Position,
        Usage::BlendWeight,
        Usage::BlendIndices,
        Usage::Normal,
        Usage::PSize,
        Usage::TexCoord,
        Usage::Tangent,
        Usage::Binormal,
        Usage::TessFactor,
        Usage::PositionT,
        Usage::Color,
        Usage::Fog,
        Usage::Depth,
        Usage::Sample,
    ];

    /// The usage of that number.
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }

    /// Its name in text.
    pub const fn name(self) -> &'static str {
        match self {
            Usage::Position => "position",
            Usage::BlendWeight => "blendweight",
            Usage::BlendIndices => "blendindices",
            Usage::Normal => "normal",
            Usage::PSize => "psize",
            Usage::TexCoord => "texcoord",
            Usage::Tangent => "tangent",
            Usage::Binormal => "binormal",
            Usage::TessFactor => "tessfactor",
            Usage::PositionT => "positiont",
            Usage::Color => "color",
            Usage::Fog => "fog",
            Usage::Depth => "depth",
            Usage::Sample => "sample",
        }
    }
}

/// The kind of texture that a sampler declaration names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
#[repr(u8)]
pub enum SamplerKind {
    /// Not said: an option of the translation decides, else 2D.
    #[default]
    Unknown = 0,
    /// A 2D texture of height 1, sampled with v = 0.
    OneD = 1,
    /// 2D.
    TwoD = 2,
    /// Cube map.
    Cube = 3,
    /// Volume.
    Volume = 4,
}

impl SamplerKind {
    /// All, in the order of their numbers.
    pub const ALL: [SamplerKind; 5] =
        [SamplerKind::Unknown, SamplerKind::OneD, SamplerKind::TwoD, SamplerKind::Cube, SamplerKind::Volume];

    /// The suffix of dcl: empty, `_1d`, `_2d`, `_cube`, `_volume`.
    pub const fn suffix(self) -> &'static str {
        match self {
            SamplerKind::Unknown => "",
            SamplerKind::OneD => "_1d",
            SamplerKind::TwoD => "_2d",
            SamplerKind::Cube => "_cube",
            SamplerKind::Volume => "_volume",
        }
    }
}

/// A dcl. Which of `usage` and `sampler` means something is the register's affair: see [`Declaration::semantic`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Declaration {
    /// The register with mask, `_pp` and `_centroid`.
    pub destination: Destination,
    /// The usage as encoded.
    pub usage: Usage,
    /// The usage index as encoded, 0–15.
    pub usage_index: u8,
    /// The kind of a sampler.
    pub sampler: SamplerKind,
    /// Index of its first word in the stream.
    pub word: u32,
    /// Its words, the opcode token included.
    pub words: u32,
}

impl Declaration {
    /// The semantic of an input or output. In ps_2 the register decides, whatever the usage word says: v# is COLOR#, t# is
    /// TEXCOORD#. None for samplers, vPos and vFace.
    pub fn semantic(&self, version: Version) -> Option<(Usage, u8)> {
        let Register { kind, index } = self.destination.register;
        match kind {
            RegisterKind::Texture => Some((Usage::TexCoord, index as u8)),
            RegisterKind::Input if version.is_pixel() && version.major < 3 => Some((Usage::Color, index as u8)),
            RegisterKind::Input | RegisterKind::Output => Some((self.usage, self.usage_index)),
            _ => None,
        }
    }
}

/// The value of a def.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefinitionValue {
    /// def: the bits of four floats.
    Float([u32; 4]),
    /// defi.
    Int([i32; 4]),
    /// defb: the word as stored; every value but 0 is true.
    Bool(u32),
}

/// A def, defi or defb.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Definition {
    /// The constant.
    pub register: Register,
    /// Its value.
    pub value: DefinitionValue,
    /// Index of its first word in the stream.
    pub word: u32,
    /// Its words, the opcode token included.
    pub words: u32,
}

/// A comment token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Index of the comment token in the stream.
    pub word: u32,
    /// The first payload word as four characters in file order, where there is one.
    pub fourcc: Option<[u8; 4]>,
    /// Payload, in words of the stream, the FourCC included.
    pub payload: Range<u32>,
}

/// A decoded shader: dcl, def and comments taken out of the instruction list, each with its place in the stream.
#[derive(Clone, PartialEq, Debug)]
pub struct Shader {
    /// Its version.
    pub version: Version,
    /// The words of the stream, from the version word on, those after END included.
    pub words: Box<[u32]>,
    /// The instructions, without dcl and def.
    pub instructions: Vec<Instruction>,
    /// The declarations, in stream order.
    pub declarations: Vec<Declaration>,
    /// The definitions, in stream order; the last of a register wins ([`Shader::defined_float`]).
    pub definitions: Vec<Definition>,
    /// The declared samplers by register: the last dcl of each.
    pub samplers: [Option<SamplerKind>; 16],
    /// The comments, in stream order.
    pub comments: Vec<Comment>,
    /// Main program, subroutines and nesting.
    pub program: Program,
    /// Index of the END token.
    pub end: u32,
    /// The number of words after END, which nothing reads.
    pub trailing_words: u32,
    /// The input that the stream came from.
    pub source: SourceId,
    /// Byte offset of the version word in that input.
    pub base: u32,
}

/// One element of the stream, by its place in the lists of [`Shader`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// Of [`Shader::comments`].
    Comment(usize),
    /// Of [`Shader::declarations`].
    Declaration(usize),
    /// Of [`Shader::definitions`].
    Definition(usize),
    /// Of [`Shader::instructions`].
    Instruction(usize),
}

impl Shader {
    /// The stage.
    pub const fn stage(&self) -> Stage {
        self.version.stage
    }

    /// The place of `count` words from word `word` on.
    pub fn span(&self, word: u32, count: u32) -> Span {
        let at = |w: u32| self.base.saturating_add(w.saturating_mul(4));
        Span::new(self.source, at(word), at(word.saturating_add(count)))
    }

    /// The place of an instruction.
    pub fn instruction_span(&self, instruction: &Instruction) -> Span {
        self.span(instruction.word, instruction.words)
    }

    /// The payload words of a comment, the FourCC included.
    pub fn comment_words(&self, comment: &Comment) -> &[u32] {
        self.words.get(comment.payload.start as usize..comment.payload.end as usize).unwrap_or(&[])
    }

    /// The stream's elements in stream order, END excluded.
    pub fn sequence(&self) -> impl Iterator<Item = Item> + '_ {
        let (mut c, mut l, mut d, mut i) = (0, 0, 0, 0);
        std::iter::from_fn(move || {
            let at = |word: Option<u32>| word.unwrap_or(u32::MAX);
            let comment = at(self.comments.get(c).map(|x| x.word));
            let declaration = at(self.declarations.get(l).map(|x| x.word));
            let definition = at(self.definitions.get(d).map(|x| x.word));
            let instruction = at(self.instructions.get(i).map(|x| x.word));
            let first = comment.min(declaration).min(definition).min(instruction);
            if first == u32::MAX {
                return None;
            }
            Some(if first == instruction {
                i += 1;
                Item::Instruction(i - 1)
            } else if first == comment {
                c += 1;
                Item::Comment(c - 1)
            } else if first == declaration {
                l += 1;
                Item::Declaration(l - 1)
            } else {
                d += 1;
                Item::Definition(d - 1)
            })
        })
    }

    /// The value that holds for a constant that the shader defines itself: its last def. `None` where there is none.
    /// A walk over all definitions; callers that ask often build a table from [`Shader::definitions`].
    pub fn defined(&self, register: Register) -> Option<DefinitionValue> {
        self.definitions.iter().rev().find(|d| d.register == register).map(|d| d.value)
    }

    /// The bits of `def c<index>`, if the shader has one.
    pub fn defined_float(&self, index: u16) -> Option<[u32; 4]> {
        match self.defined(Register::new(RegisterKind::Const, index))? {
            DefinitionValue::Float(bits) => Some(bits),
            DefinitionValue::Int(_) | DefinitionValue::Bool(_) => None,
        }
    }

    /// The kind that the last declaration gives to s`index`; unknown where undeclared.
    pub fn sampler_kind(&self, index: u16) -> SamplerKind {
        self.samplers.get(usize::from(index)).copied().flatten().unwrap_or_default()
    }

    /// The first comment of that FourCC.
    pub fn comment(&self, fourcc: &[u8; 4]) -> Option<&Comment> {
        self.comments.iter().find(|comment| comment.fourcc.as_ref() == Some(fourcc))
    }

    /// Instruction slots that one instruction takes (sheet 1.11).
    pub fn slots_of(&self, instruction: &Instruction) -> Slots {
        let cube = instruction.opcode == Opcode::TexLdl
            && instruction.sources.get(1).is_some_and(|s| self.sampler_kind(s.register.index) == SamplerKind::Cube);
        let count = instruction.opcode.slots(self.version, cube) + u32::from(instruction.predicate.is_some());
        if !(instruction.opcode.is_texture() && self.version.is_pixel()) {
            return Slots { texture: 0, arithmetic: count };
        }
        // texbeml is one texture and one arithmetic instruction.
        let arithmetic = u32::from(instruction.opcode == Opcode::TexBemL).min(count);
        Slots { texture: count - arithmetic, arithmetic }
    }

    /// Instruction slots that the shader takes (sheet 1.11, 6.4).
    pub fn slots(&self) -> Slots {
        self.instructions.iter().fold(Slots::default(), |sum, instruction| {
            let slots = self.slots_of(instruction);
            Slots { texture: sum.texture + slots.texture, arithmetic: sum.arithmetic + slots.arithmetic }
        })
    }
}

/// Instruction slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Slots {
    /// Of texture instructions of a pixel shader.
    pub texture: u32,
    /// Of all others.
    pub arithmetic: u32,
}

impl Slots {
    /// All slots.
    pub const fn total(self) -> u32 {
        self.texture.saturating_add(self.arithmetic)
    }
}
