//! Profile faults (sheet 1.11 to 1.15): forms with a clear meaning that the version, the native assembler or the
//! runtime's validator does not allow.

use super::super::opcode::{DestinationRule, Kind};
use super::super::*;
use super::{Place, report};
use crate::codes;
use aquatint_base::{Code, Diagnostic, Diags, Severity};
use smallvec::SmallVec;

/// Reports every profile fault of a decoded shader: warnings, errors under `strict`. Nothing here changes what the shader
/// means, so a caller that does not want the advice need not ask for it. Time is linear in the words.
pub fn profile(shader: &Shader, strict: bool, diags: &mut Diags) {
    let severity = if strict { Severity::Error } else { Severity::Warning };
    let mut check = Check { shader, severity, diags, phase: Phase::of(shader), dz: 0 };
    check.declarations();
    for instruction in &shader.instructions {
        check.instruction(instruction);
    }
    super::limits::limits(&mut check);
    super::usage::usage(&mut check);
    if shader.version.is_ps_1() {
        super::texture_1x::textures(&mut check);
    }
}

/// Where a walk over a ps_1_4 shader is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    First,
    /// Also a shader without a marker, and every other version.
    Second,
}

impl Phase {
    /// The phase of the first instruction.
    pub fn of(shader: &Shader) -> Self {
        let marked = shader.version.is_ps_1_4() && shader.instructions.iter().any(|i| i.opcode == Opcode::Phase);
        if marked { Phase::First } else { Phase::Second }
    }
}

/// A run of the profile rules.
pub(super) struct Check<'a> {
    pub shader: &'a Shader,
    severity: Severity,
    pub diags: &'a mut Diags,
    phase: Phase,
    /// Uses of `_dz` so far.
    dz: u32,
}

impl Check<'_> {
    /// Reports a fault of an instruction.
    pub fn fault(&mut self, instruction: &Instruction, code: &'static Code, message: String, help: &'static str) {
        let place = Place::Instruction(instruction);
        report(self.shader, place, self.severity, code, message, help, self.diags);
    }

    /// Reports a fault of the shader as a whole.
    pub fn whole(&mut self, code: &'static Code, message: String, help: &'static str) {
        let diagnostic = Diagnostic::new(self.severity, code, message).at(self.shader.span(0, 1), "the shader");
        self.diags.push(diagnostic.help(help));
    }

    /// Counts a use of `_dz`; the number so far.
    pub fn one_more_dz(&mut self) -> u32 {
        self.dz += 1;
        self.dz
    }

    fn declared(&mut self, declaration: &Declaration, code: &'static Code, message: String, help: &'static str) {
        let place = Place::Declaration(declaration);
        report(self.shader, place, self.severity, code, message, help, self.diags);
    }

    fn defined(&mut self, definition: &Definition, code: &'static Code, message: String, help: &'static str) {
        let place = Place::Definition(definition);
        report(self.shader, place, self.severity, code, message, help, self.diags);
    }

    fn declarations(&mut self) {
        let shader = self.shader;
        let version = shader.version;
        let code_starts =
            shader.instructions.iter().find(|i| i.opcode.kind() != Kind::Marker).map_or(u32::MAX, |i| i.word);
        for declaration in &shader.declarations {
            let destination = &declaration.destination;
            let register = destination.register;
            if !Opcode::Dcl.allowed_in(version) {
                self.declared(declaration, &codes::W_PROFILE_OPCODE, format!("dcl in {version}"), "ps_1_x has no dcl");
            }
            if !register.exists_in(version) {
                let message = beyond(register, version);
                self.declared(
                    declaration,
                    &codes::W_PROFILE_REGISTER,
                    message,
                    "see the register files of the version",
                );
            }
            if declaration.word > code_starts {
                self.declared(declaration, &codes::W_PROFILE_ORDER, "dcl after code".into(), "move it to the front");
            }
            let pixel = version.is_pixel() && version.major >= 2;
            let sampler = register.kind == RegisterKind::Sampler;
            let bad = destination.saturate
                || destination.shift != 0
                || (destination.partial_precision && !pixel)
                || (destination.centroid && (!pixel || sampler));
            if bad {
                self.declared(
                    declaration,
                    &codes::W_PROFILE_RESULT_MODIFIER,
                    "this dcl takes no such modifier".into(),
                    "ps_2_0 and later allow _pp and _centroid on inputs and _pp on samplers",
                );
            }
            if register.kind == RegisterKind::PixelPosition && !matches!(destination.mask.0, 1..=3) {
                self.declared(
                    declaration,
                    &codes::W_PROFILE_MASK,
                    format!("vPos is declared with .{:?}", destination.mask),
                    "vPos has the lanes x and y",
                );
            }
        }
        for definition in &shader.definitions {
            let (opcode, name) = match definition.value {
                DefinitionValue::Float(_) => (Opcode::Def, "def"),
                DefinitionValue::Int(_) => (Opcode::DefI, "defi"),
                DefinitionValue::Bool(_) => (Opcode::DefB, "defb"),
            };
            if !opcode.allowed_in(version) {
                let message = format!("{name} in {version}, it exists in {}", opcode.versions(version.stage));
                self.defined(definition, &codes::W_PROFILE_OPCODE, message, "use a later version");
            }
            if !definition.register.exists_in(version) {
                let message = beyond(definition.register, version);
                self.defined(definition, &codes::W_PROFILE_REGISTER, message, "see the register files of the version");
            }
            if definition.word > code_starts {
                self.defined(definition, &codes::W_PROFILE_ORDER, format!("{name} after code"), "move it to the front");
            }
        }
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let version = self.shader.version;
        let opcode = instruction.opcode;
        let name = opcode.name_in(version, instruction.texld);
        if opcode == Opcode::Phase {
            self.phase = Phase::Second;
        }
        if !opcode.allowed_in(version) && opcode != Opcode::Phase {
            self.fault(
                instruction,
                &codes::W_PROFILE_OPCODE,
                format!("{name} in {version}, it exists in {}", opcode.versions(version.stage)),
                "use a version that has it, or other instructions",
            );
        }
        if instruction.predicate.is_some() && !version.at_least(2, 1) {
            let message = format!("{name} is predicated in {version}");
            self.fault(instruction, &codes::W_PROFILE_PREDICATE, message, "use vs_2_x, ps_2_x or later");
        }
        self.scratch_sources(instruction);
        if let Some(destination) = &instruction.destination {
            self.register(instruction, destination.register);
            self.relative(instruction, destination.register, destination.relative);
            self.destination(instruction, destination);
        }
        for source in &instruction.sources {
            self.register(instruction, source.register);
            self.relative(instruction, source.register, source.relative);
        }
        self.source_modifiers(instruction, self.phase);
        self.swizzles(instruction);
        self.alias(instruction);
        self.ports(instruction);
        self.reads(instruction);
    }

    /// sincos and sgn have scratch sources in some versions.
    fn scratch_sources(&mut self, instruction: &Instruction) {
        let major = self.shader.version.major;
        let count = instruction.sources.len();
        let wrong = match instruction.opcode {
            Opcode::SinCos => count != if major >= 3 { 1 } else { 3 },
            Opcode::Sgn => major < 3 && count != 3,
            _ => false,
        };
        if wrong {
            self.fault(
                instruction,
                &codes::W_PROFILE_OPCODE,
                format!("{} has {count} sources in {}", instruction.opcode.row().name, self.shader.version),
                "sincos takes 3 sources below version 3 and 1 in it, sgn 3 below it",
            );
        }
    }

    fn register(&mut self, instruction: &Instruction, register: Register) {
        if !register.exists_in(self.shader.version) {
            let message = beyond(register, self.shader.version);
            self.fault(instruction, &codes::W_PROFILE_REGISTER, message, "see the register files of the version");
        }
    }

    fn relative(&mut self, instruction: &Instruction, register: Register, relative: Option<Relative>) {
        let Some(relative) = relative else { return };
        if register.kind == RegisterKind::Const && self.shader.version.is_pixel() {
            self.fault(
                instruction,
                &codes::W_PROFILE_RELATIVE,
                "a constant is addressed relatively in a pixel shader".into(),
                "only vertex shaders address constants relatively",
            );
        }
        if matches!(relative.index, RelativeIndex::Address(_)) && !relative.swizzle.is_replicate() {
            self.fault(
                instruction,
                &codes::W_PROFILE_RELATIVE,
                format!("the index a0.{:?} does not name one lane", relative.swizzle),
                "write a0.x, a0.y, a0.z or a0.w",
            );
        }
    }

    /// Distinct registers of a file that one instruction reads (sheet 1.11).
    fn ports(&mut self, instruction: &Instruction) {
        use RegisterKind as K;
        let version = self.shader.version;
        let limits: &[(RegisterKind, usize)] = match (version.stage, version.major, version.minor) {
            (Stage::Pixel, 1, 4) => &[(K::Const, 2), (K::Temp, 3), (K::Texture, 1), (K::Input, 2)],
            (Stage::Pixel, 1, 0 | 1) => &[(K::Const, 2), (K::Temp, 2), (K::Texture, 2), (K::Input, 2)],
            (Stage::Pixel, 1, _) => &[(K::Const, 2), (K::Temp, 2), (K::Texture, 3), (K::Input, 2)],
            (Stage::Vertex, 1, _) | (Stage::Vertex, 2, 0) => &[(K::Const, 1), (K::Input, 1)],
            _ => return,
        };
        if instruction.sources.len() < 2 {
            return;
        }
        for &(kind, limit) in limits {
            let mut distinct: SmallVec<[(u16, Option<RelativeIndex>); 4]> = SmallVec::new();
            for source in instruction.sources.iter().filter(|s| s.register.kind == kind) {
                let key = (source.register.index, source.relative.map(|r| r.index));
                if !distinct.contains(&key) {
                    distinct.push(key);
                }
            }
            if distinct.len() > limit {
                self.fault(
                    instruction,
                    &codes::W_PROFILE_PORTS,
                    format!(
                        "it reads {} different {}# registers, {version} allows {limit}",
                        distinct.len(),
                        kind.name()
                    ),
                    "copy one to a temporary first",
                );
            }
        }
    }

    /// Registers read where they should not be (sheet 1.12).
    fn reads(&mut self, instruction: &Instruction) {
        use RegisterKind as K;
        let version = self.shader.version;
        if version.is_ps_1_0_to_1_3()
            && instruction.opcode == Opcode::Cnd
            && instruction.sources.first().is_some_and(|s| {
                s.register != Register::new(K::Temp, 0)
                    || s.swizzle != Swizzle::replicate(3)
                    || s.modifier != SourceModifier::None
            })
        {
            let message = "the condition of cnd is not r0.a".to_owned();
            self.fault(instruction, &codes::W_PROFILE_CND, message, "copy the condition to r0.a");
        }
        if !version.is_ps_1() {
            return;
        }
        let texture = matches!(instruction.opcode.kind(), Kind::Texture | Kind::Depth);
        for (i, source) in instruction.sources.iter().enumerate() {
            let fault = match source.register.kind {
                K::Texture if version.is_ps_1_4() && !texture => "t# is the source of texld, texcrd and texkill only",
                K::Const if texture && !(instruction.opcode == Opcode::TexM3x3Spec && i == 1) => {
                    "c# is the source of arithmetic only"
                }
                K::Input if self.phase == Phase::First => "v# can be read in the second phase only",
                _ => continue,
            };
            let message = format!("source {i} is {}{}", source.register.kind.name(), source.register.index);
            self.fault(instruction, &codes::W_PROFILE_READ, message, fault);
        }
        let operand =
            instruction.destination.filter(|_| instruction.opcode.row().destination == DestinationRule::Operand);
        if version.is_ps_1_4()
            && instruction.opcode == Opcode::TexDepth
            && operand.is_some_and(|d| d.register != Register::new(K::Temp, 5))
        {
            self.fault(instruction, &codes::W_PROFILE_TEXTURE, "texdepth takes r5".into(), "move the values to r5");
        }
    }
}

/// What to say about a register that only a wider version has.
fn beyond(register: Register, version: Version) -> String {
    match register.count(version) {
        0 => format!("{version} has no {}# registers", register.kind.name()),
        count => format!("{}{} in {version}, which has {count}", register.kind.name(), register.index),
    }
}
