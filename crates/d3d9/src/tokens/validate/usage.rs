//! Registers that are used without being written or declared, and outputs (sheet 1.12, 1.14).

use super::super::opcode::{DestinationRule, Kind};
use super::super::*;
use super::profile::Check;
use crate::codes;
use aquatint_base::{HashMap, HashSet};

/// Reports unwritten temporaries, undeclared inputs, outputs and samplers, unusual outputs, gradients in dynamic flow and
/// chains of dependent reads.
pub(super) fn usage(check: &mut Check<'_>) {
    let shader = check.shader;
    let mut walk = Walk {
        written: HashSet::default(),
        declared: shader.declarations.iter().map(|d| d.destination.register).collect(),
        reported: HashSet::default(),
        outputs: HashMap::default(),
        reads: HashMap::default(),
        inside: Vec::new(),
        block_of: HashMap::default(),
        long_chain: false,
    };
    // A subroutine stands behind its callers, so what it writes counts as written.
    for subroutine in &shader.program.subroutines {
        let body = subroutine.body.start as usize..subroutine.body.end as usize;
        for instruction in shader.instructions.get(body).unwrap_or(&[]) {
            walk.written.extend(instruction.destination.map(|d| d.register));
        }
    }
    for (i, instruction) in shader.instructions.iter().enumerate() {
        walk.instruction(check, i, instruction);
    }
    walk.finish(check);
}

/// Lanes written of an output, how often, and by what.
#[derive(Default)]
struct Written {
    mask: u8,
    times: u32,
}

struct Walk {
    written: HashSet<Register>,
    declared: HashSet<Register>,
    reported: HashSet<Register>,
    outputs: HashMap<Register, Written>,
    /// Length of the chain of texture reads behind a temporary.
    reads: HashMap<u16, u32>,
    /// Open blocks: whether each depends on values of the pixel.
    inside: Vec<bool>,
    /// Number of dynamic blocks around the last write of a temporary.
    block_of: HashMap<u16, usize>,
    long_chain: bool,
}

impl Walk {
    fn instruction(&mut self, check: &mut Check<'_>, index: usize, instruction: &Instruction) {
        let version = check.shader.version;
        let reads_destination = instruction.opcode.row().destination == DestinationRule::Operand;
        for source in &instruction.sources {
            self.read(check, instruction, source.register, source.relative.is_some());
        }
        if let Some(destination) = instruction.destination.filter(|_| reads_destination) {
            self.read(check, instruction, destination.register, false);
        }
        if version.is_pixel() && version.at_least(2, 0) {
            self.flow(instruction);
            self.gradient(check, instruction);
            self.chain(check, instruction);
        }
        let Some(destination) = instruction.destination.filter(|_| !reads_destination) else { return };
        let register = destination.register;
        // A co-issued pair reads before either writes, so the first one's write is entered late.
        let paired = check.shader.instructions.get(index + 1).is_some_and(|next| next.coissue);
        if !paired || !check.shader.version.is_ps_1() {
            if instruction.coissue
                && let Some(first) = index.checked_sub(1).and_then(|n| check.shader.instructions.get(n))
            {
                self.written.extend(first.destination.map(|d| d.register));
            }
            self.written.insert(register);
        }
        if register.kind == RegisterKind::Temp {
            self.block_of.insert(register.index, self.inside.iter().filter(|&&dynamic| dynamic).count());
        }
        if register.kind.is_output() {
            self.output(check, instruction, &destination);
        }
    }

    fn read(&mut self, check: &mut Check<'_>, instruction: &Instruction, register: Register, relative: bool) {
        use RegisterKind as K;
        let version = check.shader.version;
        if relative || self.reported.contains(&register) {
            return;
        }
        let name = || match register.kind.is_single() {
            true => register.kind.name().to_owned(),
            false => format!("{}{}", register.kind.name(), register.index),
        };
        let (code, message, help) = match register.kind {
            K::Temp if !self.written.contains(&register) => {
                (&codes::W_PROFILE_UNWRITTEN, format!("{} is read before it is written", name()), "write it first")
            }
            K::Texture if version.is_ps_1_0_to_1_3() && !self.written.contains(&register) => {
                if instruction.opcode == Opcode::TexKill {
                    // It reads the texture coordinate, not the register.
                    return;
                }
                let message = format!("{} is read before a texture instruction wrote it", name());
                (&codes::W_PROFILE_UNWRITTEN, message, "load it with tex or texcoord")
            }
            K::Sampler if !self.declared.contains(&register) && version.major >= 2 => {
                let message = format!("{} is not declared", name());
                (&codes::W_PROFILE_SAMPLER, message, "add dcl_2d, dcl_cube or dcl_volume")
            }
            K::Input | K::Texture | K::PixelPosition | K::Face
                if version.major >= 2 && !self.declared.contains(&register) =>
            {
                (&codes::W_PROFILE_UNDECLARED, format!("{} is not declared", name()), "add a dcl")
            }
            _ => return,
        };
        self.reported.insert(register);
        check.fault(instruction, code, message, help);
    }

    fn output(&mut self, check: &mut Check<'_>, instruction: &Instruction, destination: &Destination) {
        use RegisterKind as K;
        let version = check.shader.version;
        let register = destination.register;
        let entry = self.outputs.entry(register).or_default();
        entry.mask |= destination.mask.0;
        entry.times += 1;
        let again = entry.times > 1;
        if register.kind == K::Output
            && destination.relative.is_none()
            && !self.declared.contains(&register)
            && self.reported.insert(register)
        {
            let message = format!("o{} is not declared", register.index);
            check.fault(instruction, &codes::W_PROFILE_UNDECLARED, message, "add a dcl");
        }
        if !(version.is_pixel() && version.major == 2) {
            return;
        }
        let name = if register.kind == K::DepthOut { "oDepth".to_owned() } else { format!("oC{}", register.index) };
        let message = if instruction.opcode != Opcode::Mov {
            format!("{name} is written by {}", instruction.opcode.name_in(version, instruction.texld))
        } else if destination.mask != Mask::ALL && register.kind == K::ColorOut {
            format!("{name} is written with mask .{:?}", destination.mask)
        } else if again {
            format!("{name} is written again")
        } else if register.kind == K::DepthOut && !instruction.sources.first().is_some_and(|s| s.swizzle.is_replicate())
        {
            format!("{name} is written from more than one lane")
        } else {
            return;
        };
        check.fault(
            instruction,
            &codes::W_PROFILE_OUTPUT,
            message,
            "collect the value in a temporary, and mov it once",
        );
    }

    fn flow(&mut self, instruction: &Instruction) {
        match instruction.opcode {
            Opcode::IfC => self.inside.push(true),
            Opcode::If => {
                let dynamic = instruction.sources.first().is_some_and(|s| s.register.kind == RegisterKind::Predicate);
                self.inside.push(dynamic);
            }
            Opcode::Rep | Opcode::Loop => self.inside.push(false),
            Opcode::EndIf | Opcode::EndRep | Opcode::EndLoop => {
                self.inside.pop();
            }
            // Behind a break that depends on the pixel, the rest of the loop does too.
            Opcode::BreakC | Opcode::BreakP => {
                if let Some(innermost) = self.inside.last_mut() {
                    *innermost = true;
                }
            }
            _ => {}
        }
    }

    fn gradient(&mut self, check: &mut Check<'_>, instruction: &Instruction) {
        let implicit = matches!(instruction.opcode, Opcode::Tex | Opcode::Dsx | Opcode::Dsy);
        let dynamic = self.inside.iter().filter(|&&dynamic| dynamic).count();
        if !implicit || dynamic == 0 {
            return;
        }
        let Some(source) = instruction.sources.first() else { return };
        let inner = source.register.kind == RegisterKind::Temp
            && self.block_of.get(&source.register.index).is_some_and(|&depth| depth > 0);
        if inner {
            let message = format!("r{} was computed inside dynamic flow control", source.register.index);
            check.fault(instruction, &codes::W_PROFILE_GRADIENT, message, "use texldl or texldd, or move the read out");
        }
    }

    fn chain(&mut self, check: &mut Check<'_>, instruction: &Instruction) {
        let version = check.shader.version;
        if version != Version::pixel(2, 0) {
            return;
        }
        let of = |source: &Source, reads: &HashMap<u16, u32>| match source.register.kind {
            RegisterKind::Temp => reads.get(&source.register.index).copied().unwrap_or(0),
            _ => 0,
        };
        let behind = instruction.sources.iter().map(|s| of(s, &self.reads)).max().unwrap_or(0);
        let read = instruction.opcode.kind() == Kind::Texture && instruction.opcode != Opcode::TexKill;
        // The first read of a chain depends on none.
        if read && behind > 4 && !self.long_chain {
            self.long_chain = true;
            let message = format!("texture read number {} of a chain", behind + 1);
            check.fault(instruction, &codes::W_PROFILE_DEPENDENT, message, "ps_2_0 allows four dependent reads");
        }
        if let Some(destination) = instruction.destination.filter(|d| d.register.kind == RegisterKind::Temp) {
            let length = behind + u32::from(read);
            let entry = self.reads.entry(destination.register.index).or_default();
            // A partial write keeps what the other lanes depend on.
            *entry = if destination.mask == Mask::ALL { length } else { (*entry).max(length) };
        }
    }

    fn finish(&mut self, check: &mut Check<'_>) {
        let shader = check.shader;
        let version = shader.version;
        let Some(last) = shader.instructions.last() else {
            if version.is_vertex() {
                no_position(check);
            }
            return;
        };
        let wrote = |kind, index| self.outputs.contains_key(&Register::new(kind, index));
        match version.stage {
            Stage::Pixel if version.major == 1 => {
                if !self.written.contains(&Register::new(RegisterKind::Temp, 0)) {
                    check.fault(last, &codes::W_PROFILE_R0, "r0 is never written".into(), "write the colour to r0");
                }
            }
            Stage::Pixel if version.major == 2 => {
                let gap = (1..4).find(|&i| wrote(RegisterKind::ColorOut, i) && !wrote(RegisterKind::ColorOut, i - 1));
                if let Some(i) = gap {
                    let message = format!("oC{i} is written, oC{} is not", i - 1);
                    check.fault(last, &codes::W_PROFILE_OUTPUT, message, "colour outputs start at oC0 without gaps");
                }
            }
            Stage::Pixel => {}
            Stage::Vertex => {
                if !self.writes_position(shader) {
                    no_position(check);
                }
                if version.major == 1 {
                    self.texcoords(check, last);
                }
            }
        }
    }

    fn writes_position(&self, shader: &Shader) -> bool {
        if shader.version.major < 3 {
            return self.outputs.contains_key(&Register::new(RegisterKind::PositionOut, 0));
        }
        let relative = shader.instructions.iter().any(|i| i.destination.is_some_and(|d| d.relative.is_some()));
        relative
            || shader.declarations.iter().any(|d| {
                d.destination.register.kind == RegisterKind::Output
                    && matches!((d.usage, d.usage_index), (Usage::Position | Usage::PositionT, 0))
                    && self
                        .outputs
                        .get(&d.destination.register)
                        .is_some_and(|written| written.mask & d.destination.mask.0 != 0)
            })
    }

    /// vs_1_1: lanes of each oT from x on without a hole, and no oT left out below another.
    fn texcoords(&self, check: &mut Check<'_>, last: &Instruction) {
        let mask = |i| self.outputs.get(&Register::new(RegisterKind::TexCoordOut, i)).map_or(0, |w| w.mask);
        let Some(highest) = (0..8).rev().find(|&i| mask(i) != 0) else { return };
        for i in 0..=highest {
            let mask = mask(i);
            if mask == 0 {
                let message = format!("oT{highest} is written, oT{i} is not");
                check.fault(last, &codes::W_PROFILE_TEXCOORD_GAP, message, "number the outputs from oT0 on");
            } else if mask & (mask + 1) != 0 {
                let message = format!("oT{i} has lanes .{:?}", Mask(mask));
                check.fault(last, &codes::W_PROFILE_TEXCOORD_GAP, message, "write x, xy, xyz or xyzw");
            }
        }
    }
}

fn no_position(check: &mut Check<'_>) {
    let shader = check.shader;
    let message = "the shader never writes its position".to_owned();
    let help = "write oPos, or an output declared with dcl_position";
    match shader.instructions.last() {
        Some(last) => check.fault(last, &codes::E_NOPOS, message, help),
        None => check.whole(&codes::E_NOPOS, message, help),
    }
}
