//! One instruction, dcl or def as text (sheet 6.2, 6.3).

use super::Style;
use super::number::{compact_float, fxc_float};
use crate::tokens::operand::{COLOR_LANES, LANES, lane_name};
use crate::tokens::*;
use std::fmt::Write;

/// Prints statements of one shader.
pub(super) struct Printer {
    pub version: Version,
    pub style: Style,
    /// Kinds of declared samplers, which decide how many coordinate lanes the compact style prints.
    pub samplers: [SamplerKind; 16],
}

impl Printer {
    /// A printer; `shader` supplies the sampler kinds.
    pub fn new(shader: &Shader, style: Style) -> Self {
        let samplers = shader.samplers.map(Option::unwrap_or_default);
        Self { version: shader.version, style, samplers }
    }

    /// The names of the lanes: `rgba` in ps_1_x, except in the compact style.
    fn lanes(&self) -> &'static [char; 4] {
        if self.version.is_ps_1() && self.style == Style::Fxc { &COLOR_LANES } else { &LANES }
    }

    /// `mad_sat_pp r0, …`, without indentation.
    pub fn instruction(&self, instruction: &Instruction, out: &mut String) {
        if instruction.coissue {
            out.push('+');
        }
        if let Some(predicate) = instruction.predicate {
            out.push_str(if predicate.negate { "(!p0" } else { "(p0" });
            self.swizzle(predicate.swizzle, out);
            out.push_str(") ");
        }
        out.push_str(instruction.opcode.name_in(self.version, instruction.texld));
        if let Some(comparison) = instruction.comparison {
            out.push('_');
            out.push_str(comparison.name());
        }
        if let Some(destination) = &instruction.destination {
            if !self.hides_modifiers(instruction.opcode) {
                self.modifiers(destination, out);
            }
            out.push(' ');
            self.destination(destination, out);
        }
        for (i, source) in instruction.sources.iter().enumerate() {
            out.push_str(if i > 0 || instruction.destination.is_some() { ", " } else { " " });
            match self.style {
                Style::Fxc => self.source(source, out),
                Style::Compact => self.compact_source(instruction, i, source, out),
            }
        }
    }

    /// The compact text leaves `_sat` and `_pp` out on these (sheet 6.5).
    fn hides_modifiers(&self, opcode: Opcode) -> bool {
        use Opcode::*;
        self.style == Style::Compact
            && (matches!(opcode, Frc | SinCos | Dp2Add | Dsx | Dsy)
                || matches!(opcode.kind(), Kind::Texture | Kind::Depth))
    }

    fn modifiers(&self, destination: &Destination, out: &mut String) {
        out.push_str(match destination.shift {
            1 => "_x2",
            2 => "_x4",
            3 => "_x8",
            -1 => "_d2",
            -2 => "_d4",
            -3 => "_d8",
            _ => "",
        });
        if destination.saturate {
            out.push_str("_sat");
        }
        if destination.partial_precision {
            out.push_str("_pp");
        }
        if destination.centroid {
            out.push_str("_centroid");
        }
    }

    fn destination(&self, destination: &Destination, out: &mut String) {
        self.register(destination.register, destination.relative, out);
        let hidden = self.style == Style::Compact && destination.register.kind == RegisterKind::DepthOut;
        if destination.mask != Mask::ALL && !hidden {
            out.push('.');
            out.extend(destination.mask.lanes().map(|lane| lane_name(self.lanes(), lane)));
        }
    }

    fn register(&self, register: Register, relative: Option<Relative>, out: &mut String) {
        if register == decode::INVALID {
            out.push('?');
            return;
        }
        out.push_str(register.kind.name());
        let index = register.index;
        let Some(relative) = relative else {
            if !register.kind.is_single() {
                let _ = write!(out, "{index}");
            }
            return;
        };
        let prefix_number = self.style == Style::Fxc;
        if prefix_number {
            let _ = write!(out, "{index}[");
        } else if index == 0 {
            out.push('[');
        } else {
            let _ = write!(out, "[{index} + ");
        }
        match relative.index {
            RelativeIndex::Address(lane) => {
                out.push_str("a0.");
                out.push(lane_name(&LANES, lane));
            }
            RelativeIndex::Loop => out.push_str("aL"),
        }
        out.push(']');
    }

    /// A swizzle: nothing for the identity, one letter for a replicate, else all four.
    fn swizzle(&self, swizzle: Swizzle, out: &mut String) {
        if swizzle.is_identity() {
            return;
        }
        out.push('.');
        let count = if swizzle.is_replicate() { 1 } else { 4 };
        out.extend(swizzle.lanes().iter().take(count).map(|&lane| lane_name(self.lanes(), lane)));
    }

    fn source(&self, source: &Source, out: &mut String) {
        out.push_str(source.modifier.prefix());
        self.register(source.register, source.relative, out);
        out.push_str(source.modifier.suffix());
        self.swizzle(source.swizzle, out);
    }

    /// A source cut to the lanes that the instruction reads, the modifier behind the swizzle.
    fn compact_source(&self, instruction: &Instruction, i: usize, source: &Source, out: &mut String) {
        use RegisterKind as K;
        out.push_str(source.modifier.prefix());
        self.register(source.register, source.relative, out);
        let bare = matches!(source.register.kind, K::Face | K::ConstInt | K::Loop);
        if matches!(source.register.kind, K::Predicate | K::Sampler | K::Label | K::ConstBool) {
            self.swizzle(source.swizzle, out);
        } else if !bare {
            let positions = self.positions(instruction, i);
            let lanes: smallvec::SmallVec<[u8; 4]> = positions.lanes().map(|p| source.swizzle.lane(p)).collect();
            let replicated = lanes.len() == 4 && lanes.iter().all(|lane| Some(lane) == lanes.first());
            if lanes.as_slice() != [0, 1, 2, 3] && !lanes.is_empty() {
                out.push('.');
                let count = if replicated { 1 } else { lanes.len() };
                out.extend(lanes.iter().take(count).map(|&lane| lane_name(&LANES, lane)));
            }
        }
        out.push_str(source.modifier.suffix());
    }

    /// Which positions of the swizzle of source `i` matter.
    fn positions(&self, instruction: &Instruction, i: usize) -> Mask {
        use Opcode::*;
        match instruction.opcode {
            Dp2Add => Mask(0x3),
            Dp3 => Mask::XYZ,
            Dp4 | IfC | BreakC | TexLdl => Mask::ALL,
            Tex if instruction.texld != TexldKind::Plain => Mask::ALL,
            Tex | TexLdd if instruction.sources.len() >= 2 && i != 1 => {
                let sampler = instruction.sources.get(1).map_or(0, |s| usize::from(s.register.index));
                match self.samplers.get(sampler) {
                    Some(SamplerKind::Cube | SamplerKind::Volume) => Mask::XYZ,
                    _ => Mask(0x3),
                }
            }
            _ => instruction.destination.map_or(Mask::ALL, |d| d.mask),
        }
    }

    /// `dcl_texcoord3_pp v1.xy`.
    pub fn declaration(&self, declaration: &Declaration, out: &mut String) {
        out.push_str("dcl");
        let destination = &declaration.destination;
        match destination.register.kind {
            RegisterKind::Sampler => out.push_str(declaration.sampler.suffix()),
            RegisterKind::PixelPosition | RegisterKind::Face => {}
            _ if self.version.is_pixel() && self.version.major < 3 => {}
            _ => {
                out.push('_');
                out.push_str(declaration.usage.name());
                if declaration.usage_index != 0 {
                    let _ = write!(out, "{}", declaration.usage_index);
                }
            }
        }
        self.modifiers(destination, out);
        out.push(' ');
        self.destination(destination, out);
    }

    /// `def c0, 1, 2, 3, 4`.
    pub fn definition(&self, definition: &Definition, out: &mut String) {
        out.push_str(match definition.value {
            DefinitionValue::Float(_) => "def ",
            DefinitionValue::Int(_) => "defi ",
            DefinitionValue::Bool(_) => "defb ",
        });
        self.register(definition.register, None, out);
        match definition.value {
            DefinitionValue::Float(bits) => {
                for bits in bits {
                    out.push_str(", ");
                    match self.style {
                        Style::Fxc => fxc_float(bits, out),
                        Style::Compact => compact_float(bits, out),
                    }
                }
            }
            DefinitionValue::Int(values) => {
                for value in values {
                    // Writing to a `String` cannot fail.
                    let _ = match self.style {
                        Style::Fxc => write!(out, ", {value}"),
                        Style::Compact => write!(out, ", {}", value as u32),
                    };
                }
            }
            DefinitionValue::Bool(value) => out.push_str(if value != 0 { ", true" } else { ", false" }),
        }
    }
}

/// Whether the opcode opens a block, for indentation.
pub(super) const fn opens(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::If | Opcode::IfC | Opcode::Else | Opcode::Rep | Opcode::Loop)
}

/// Whether the opcode closes a block.
pub(super) const fn closes(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::EndIf | Opcode::Else | Opcode::EndRep | Opcode::EndLoop)
}
