//! Modifiers, swizzles and masks by version (sheet 1.13, 1.14).

use super::super::opcode::{DestinationRule, Kind};
use super::super::*;
use super::profile::{Check, Phase};
use crate::codes;

impl Check<'_> {
    /// Result modifiers and write mask.
    pub(super) fn destination(&mut self, instruction: &Instruction, destination: &Destination) {
        let version = self.shader.version;
        let opcode = instruction.opcode;
        let texture = matches!(opcode.kind(), Kind::Texture | Kind::Depth);
        let help = "see the result modifiers of the version";
        if destination.shift != 0 && (!version.is_ps_1() || texture) {
            let message = format!("{} has a result shift in {version}", opcode.row().name);
            self.fault(instruction, &codes::W_PROFILE_RESULT_MODIFIER, message, help);
        } else if matches!(destination.shift, 3 | -2 | -3) && version.is_ps_1_0_to_1_3() {
            let message = format!("_x8, _d4 and _d8 in {version}");
            self.fault(instruction, &codes::W_PROFILE_RESULT_MODIFIER, message, "they exist in ps_1_4");
        }
        if destination.saturate {
            let allowed = match version.stage {
                Stage::Pixel => {
                    let output = version.major == 2 && destination.register.kind.is_output();
                    !texture && !output && !matches!(opcode, Opcode::Frc | Opcode::SinCos)
                }
                Stage::Vertex => version.major >= 3 && !matches!(opcode, Opcode::Frc | Opcode::SinCos) && !texture,
            };
            if !allowed {
                let message = format!("{} has _sat in {version}", opcode.row().name);
                self.fault(instruction, &codes::W_PROFILE_RESULT_MODIFIER, message, help);
            }
        }
        if destination.partial_precision && !(version.is_pixel() && version.major >= 2) {
            let message = format!("_pp in {version}");
            self.fault(instruction, &codes::W_PROFILE_RESULT_MODIFIER, message, "_pp exists from ps_2_0 on");
        }
        if destination.centroid {
            let message = "_centroid on an instruction".to_owned();
            self.fault(instruction, &codes::W_PROFILE_RESULT_MODIFIER, message, "_centroid belongs to dcl");
        }
        self.mask(instruction, destination.mask);
        if destination.register.kind == RegisterKind::Address {
            if version.major >= 2 && opcode == Opcode::Mov {
                let message = "a0 is written by mov".to_owned();
                self.fault(instruction, &codes::W_PROFILE_ADDRESS, message, "use mova");
            } else if version.major == 1 && destination.mask != Mask(1) {
                let message = format!("a0.{:?} is written", destination.mask);
                self.fault(instruction, &codes::W_PROFILE_ADDRESS, message, "vs_1_1 has a0.x only");
            }
        }
    }

    fn mask(&mut self, instruction: &Instruction, mask: Mask) {
        use Opcode::*;
        let version = self.shader.version;
        let (fits, wanted) = match instruction.opcode {
            _ if mask.0 == 0 => (false, "at least one lane"),
            Frc if version.is_vertex() && version.major == 1 => (matches!(mask.0, 0b0010 | 0b0011), ".y or .xy"),
            M3x2 => (mask == Mask(0b0011), ".xy"),
            M3x3 | M4x3 => (mask == Mask::XYZ, ".xyz"),
            M4x4 | M3x4 => (mask == Mask::ALL, "all lanes"),
            SinCos => (matches!(mask.0, 1..=3), ".x, .y or .xy"),
            Nrm | Crs => (mask.0 & 0b1000 == 0, "lanes of .xyz"),
            TexKill => (mask == Mask::ALL, "all lanes"),
            _ if version.is_ps_1_0_to_1_3() => (matches!(mask.0, 0b0111 | 0b1000 | 0b1111), "none, .rgb or .a"),
            _ => return,
        };
        if !fits {
            self.fault(
                instruction,
                &codes::W_PROFILE_MASK,
                format!("{} has mask .{mask:?}, expected {wanted}", instruction.opcode.row().name),
                "see the masks of the instruction and the version",
            );
        }
    }

    /// Source modifiers.
    pub(super) fn source_modifiers(&mut self, instruction: &Instruction, phase: Phase) {
        use SourceModifier as M;
        let version = self.shader.version;
        let opcode = instruction.opcode;
        for (i, source) in instruction.sources.iter().enumerate() {
            let kind = source.register.kind;
            let constant = kind == RegisterKind::Const;
            let flag = matches!(kind, RegisterKind::ConstBool | RegisterKind::Predicate);
            let problem = match source.modifier {
                M::None => continue,
                M::Not if flag => continue,
                M::Not => "`!` belongs to b# and p0",
                _ if flag => "b# and p0 take `!` only",
                _ if matches!(
                    kind,
                    RegisterKind::Sampler | RegisterKind::ConstInt | RegisterKind::Label | RegisterKind::Loop
                ) =>
                {
                    "the register takes no modifier"
                }
                _ if is_matrix_rows(instruction, i) => "the matrix of a matrix product takes no modifier",
                _ if opcode == Opcode::Tex && i == 0 && version == Version::pixel(2, 0) => {
                    "coordinates of ps_2_0 take no modifier"
                }
                M::Negate if constant && version.is_ps_1() => "constants of ps_1_x take no modifier",
                M::Negate => continue,
                M::Bias | M::BiasNegate | M::Sign | M::SignNegate | M::Complement => {
                    if !version.is_ps_1() {
                        "_bias, _bx2 and 1- exist in ps_1_x only"
                    } else if constant {
                        "constants of ps_1_x take no modifier"
                    } else if matches!(source.modifier, M::Sign | M::SignNegate)
                        && matches!(opcode, Opcode::TexBem | Opcode::TexBemL)
                        && version.minor < 2
                    {
                        "the source of texbem and texbeml is signed already in ps_1_0 and ps_1_1"
                    } else {
                        continue;
                    }
                }
                M::X2 | M::X2Negate => {
                    if !version.is_ps_1_4() {
                        "_x2 on a source exists in ps_1_4 only"
                    } else if constant {
                        "constants of ps_1_x take no modifier"
                    } else {
                        continue;
                    }
                }
                M::DivideZ | M::DivideW => {
                    let texture = matches!(opcode, Opcode::Tex | Opcode::TexCoord) && version.is_ps_1_4();
                    let z = source.modifier == M::DivideZ;
                    let place = match kind {
                        RegisterKind::Temp => phase == Phase::Second,
                        RegisterKind::Texture => phase == Phase::First,
                        _ => false,
                    };
                    if !texture {
                        "_dz and _dw belong to texld and texcrd of ps_1_4"
                    } else if z && !place {
                        "_dz goes on r# in the second and on t# in the first phase"
                    } else if z && self.one_more_dz() > 2 {
                        "_dz can be used twice"
                    } else {
                        continue;
                    }
                }
                M::Abs | M::AbsNegate => {
                    let is_abs = |s: &Source| matches!(s.modifier, M::Abs | M::AbsNegate);
                    let mixed = constant
                        && instruction.sources.iter().any(|s| s.register.kind == RegisterKind::Const && !is_abs(s));
                    if version.major < 3 {
                        "_abs exists in version 3 only"
                    } else if mixed {
                        "_abs goes on all constants of an instruction or on none"
                    } else {
                        continue;
                    }
                }
            };
            let message = format!("source {i} of {} has a modifier in {version}", opcode.row().name);
            self.fault(instruction, &codes::W_PROFILE_SOURCE_MODIFIER, message, problem);
        }
    }

    /// Source swizzles.
    pub(super) fn swizzles(&mut self, instruction: &Instruction) {
        let version = self.shader.version;
        let opcode = instruction.opcode;
        if let Some(predicate) = instruction.predicate
            && !(predicate.swizzle.is_identity() || predicate.swizzle.is_replicate())
            && version.major == 2
            && version.is_pixel()
        {
            let message = format!("the predicate has swizzle .{:?}", predicate.swizzle);
            self.fault(instruction, &codes::W_PROFILE_SWIZZLE, message, "a predicate takes none or one lane");
        }
        for (i, source) in instruction.sources.iter().enumerate() {
            let swizzle = source.swizzle;
            if reads_one_lane(instruction, i) {
                // vFace has one lane, and compilers write it without a swizzle.
                if !swizzle.is_replicate() && source.register.kind != RegisterKind::Face {
                    self.fault(
                        instruction,
                        &codes::W_PROFILE_SCALAR,
                        format!("source {i} of {} has swizzle .{swizzle:?}, expected one lane", opcode.row().name),
                        "name the lane, such as .x",
                    );
                }
                continue;
            }
            let wanted = match source.register.kind {
                RegisterKind::Sampler if version.major < 3 => (swizzle.is_identity(), "none"),
                RegisterKind::Sampler | RegisterKind::Predicate | RegisterKind::Face => continue,
                RegisterKind::Label | RegisterKind::Loop | RegisterKind::ConstInt | RegisterKind::ConstBool => {
                    (swizzle.is_identity(), "none")
                }
                _ if is_matrix_rows(instruction, i) => (swizzle.is_identity(), "none"),
                _ if version.is_ps_1_0_to_1_3() => match swizzle.0 {
                    0xE4 | 0xFF => continue,
                    0xAA => {
                        let alpha = instruction.destination.is_some_and(|d| d.mask == Mask::W) && version.minor >= 1;
                        (alpha, "none, or .a (.b with mask .a)")
                    }
                    _ => (false, "none, or .a (.b with mask .a)"),
                },
                _ if version.is_ps_1_4() => match opcode {
                    Opcode::Tex | Opcode::TexCoord => (matches!(swizzle.0, 0xE4 | 0xA4 | 0xF4), ".xyz or .xyw"),
                    _ => (swizzle.is_identity() || swizzle.is_replicate(), "none or one lane"),
                },
                _ if version == Version::pixel(2, 0) => match opcode {
                    Opcode::Tex if i == 0 => (swizzle.is_identity(), "none"),
                    _ => (
                        swizzle.is_replicate() || matches!(swizzle.0, 0xE4 | 0xC9 | 0xD2 | 0x1B),
                        "none, one lane, .yzxw, .zxyw or .wzyx",
                    ),
                },
                _ => continue,
            };
            if !wanted.0 {
                self.fault(
                    instruction,
                    &codes::W_PROFILE_SWIZZLE,
                    format!("source {i} of {} has swizzle .{swizzle:?}, expected {}", opcode.row().name, wanted.1),
                    "see the swizzles of the version",
                );
            }
        }
    }

    /// Destinations that must differ from sources.
    pub(super) fn alias(&mut self, instruction: &Instruction) {
        use Opcode::*;
        let Some(destination) = instruction.destination.filter(|d| d.relative.is_none()) else { return };
        if instruction.opcode.row().destination != DestinationRule::Written {
            return;
        }
        let same = |source: &Source, rows: u16| {
            source.relative.is_none()
                && source.register.kind == destination.register.kind
                && (source.register.index..source.register.index.saturating_add(rows))
                    .contains(&destination.register.index)
        };
        let sources = &instruction.sources;
        let aliased = match instruction.opcode {
            Crs | Nrm => sources.iter().any(|s| same(s, 1)),
            SinCos => sources.first().is_some_and(|s| same(s, 1)),
            M4x4 | M3x4 | M4x3 | M3x3 | M3x2 => {
                let rows = matrix_rows(instruction.opcode);
                sources.iter().enumerate().any(|(i, s)| same(s, if i == 1 { rows } else { 1 }))
            }
            Pow => sources.get(1).is_some_and(|s| same(s, 1)),
            Sgn => match (sources.get(1), sources.get(2)) {
                (Some(a), Some(b)) => {
                    a.register == b.register
                        || a.register.kind != RegisterKind::Temp
                        || b.register.kind != RegisterKind::Temp
                }
                _ => false,
            },
            _ => return,
        };
        if aliased {
            self.fault(
                instruction,
                &codes::W_PROFILE_ALIAS,
                format!("the registers of {} have to differ", instruction.opcode.row().name),
                "crs, nrm, sincos and matrix products must not write a source, pow not its exponent; sgn's scratch \
                 sources are two temporaries",
            );
        }
    }
}

/// The number of registers that source 1 of a matrix product stands for.
pub(super) const fn matrix_rows(opcode: Opcode) -> u16 {
    match opcode {
        Opcode::M4x4 | Opcode::M3x4 => 4,
        Opcode::M4x3 | Opcode::M3x3 => 3,
        Opcode::M3x2 => 2,
        _ => 1,
    }
}

fn is_matrix_rows(instruction: &Instruction, source: usize) -> bool {
    instruction.opcode.kind() == Kind::Matrix && source == 1
}

/// Whether the instruction reads one lane of that source.
fn reads_one_lane(instruction: &Instruction, source: usize) -> bool {
    match instruction.opcode {
        Opcode::SinCos => source == 0,
        Opcode::Dp2Add => source == 2,
        Opcode::IfC | Opcode::BreakC => true,
        Opcode::If | Opcode::BreakP | Opcode::CallNz => {
            instruction.sources.get(source).is_some_and(|s| s.register.kind == RegisterKind::Predicate)
        }
        opcode => opcode.is_scalar(),
    }
}
