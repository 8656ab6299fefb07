//! Forms without a meaning.

use super::super::decode::INVALID;
use super::super::opcode::DestinationRule;
use super::super::*;
use super::{Place, report};
use crate::codes;
use aquatint_base::{Code, Diags, HashMap, Severity};
use smallvec::SmallVec;

/// Reports E-WRITE, E-OPERAND for registers in the wrong slot, E-DCL, E-COISSUE and E-PHASE.
pub fn structural(shader: &Shader, diags: &mut Diags) {
    declarations(shader, diags);
    let mut phases = 0;
    for (i, instruction) in shader.instructions.iter().enumerate() {
        let mut fault = |code: &'static Code, message: String, help: &'static str| {
            report(shader, Place::Instruction(instruction), Severity::Error, code, message, help, diags);
        };
        if let Some(destination) = &instruction.destination {
            write(shader.version, instruction, destination.register, &mut fault);
        }
        for (slot, source) in instruction.sources.iter().enumerate() {
            if source.register != INVALID {
                read(shader.version, instruction.opcode, slot, source.register, &mut fault);
            }
        }
        if instruction.coissue && shader.version.is_ps_1() {
            let before = i.checked_sub(1).and_then(|n| shader.instructions.get(n));
            coissue(shader.version, before, instruction, &mut fault);
        }
        if instruction.opcode == Opcode::Phase && shader.version.is_pixel() {
            phases += 1;
            if !shader.version.is_ps_1_4() {
                fault(&codes::E_PHASE, format!("phase in {}", shader.version), "only ps_1_4 has phases");
            } else if phases > 1 {
                fault(&codes::E_PHASE, "a second phase".into(), "a shader has two phases, so one marker");
            }
        }
    }
}

fn write(
    version: Version,
    instruction: &Instruction,
    register: Register,
    fault: &mut impl FnMut(&'static Code, String, &'static str),
) {
    use RegisterKind as K;
    let name = instruction.opcode.row().name;
    if register == INVALID {
        return;
    }
    if instruction.opcode.row().destination == DestinationRule::Operand {
        // texkill and texdepth read it.
        if !matches!(register.kind, K::Temp | K::Texture | K::Input | K::Const | K::PixelPosition | K::Face) {
            fault(
                &codes::E_WRITE,
                format!("{name} reads {}, which cannot be read", register.kind.name()),
                "it takes a temporary or a texture coordinate",
            );
        }
        return;
    }
    if instruction.opcode == Opcode::SetP && register.kind != K::Predicate {
        fault(
            &codes::E_WRITE,
            format!("setp writes {}{}, expected p0", register.kind.name(), register.index),
            "setp writes the predicate register",
        );
        return;
    }
    let help = match register.kind {
        K::Temp | K::PositionOut | K::FogOut | K::PointSizeOut | K::AttrOut | K::TexCoordOut | K::Output => return,
        K::ColorOut | K::DepthOut => return,
        K::Texture if version.is_ps_1_0_to_1_3() => return,
        K::Address if matches!(instruction.opcode, Opcode::Mov | Opcode::Mova) => return,
        K::Predicate if instruction.opcode == Opcode::SetP => return,
        K::Texture => "t# is written in ps_1_0 to ps_1_3 only",
        K::Address => "a0 is written by mova (vs_1_1: mov)",
        K::Predicate => "p0 is written by setp",
        K::Const => "c# is written by def only",
        K::ConstInt => "i# is written by defi only",
        K::ConstBool => "b# is written by defb only",
        K::Loop => "aL is written by loop only",
        K::Input | K::PixelPosition | K::Face => "inputs cannot be written",
        K::Sampler | K::Label => "this is no data register",
    };
    fault(&codes::E_WRITE, format!("{name} writes {}{}", register.kind.name(), number(register)), help);
}

fn number(register: Register) -> String {
    if register.kind.is_single() { String::new() } else { register.index.to_string() }
}

/// Which kinds a source slot of a flow or texture instruction takes; `None` where it is an ordinary value.
fn slot_kinds(version: Version, opcode: Opcode, slot: usize) -> Option<&'static [RegisterKind]> {
    use RegisterKind as K;
    match (opcode, slot) {
        (Opcode::Tex, 1) if version.major >= 2 => Some(&[K::Sampler]),
        (Opcode::TexLdd | Opcode::TexLdl, 1) => Some(&[K::Sampler]),
        (Opcode::Call | Opcode::CallNz | Opcode::Label, 0) => Some(&[K::Label]),
        (Opcode::CallNz, 1) | (Opcode::If, 0) => Some(&[K::ConstBool, K::Predicate]),
        (Opcode::BreakP, 0) => Some(&[K::Predicate]),
        (Opcode::Loop, 0) => Some(&[K::Loop]),
        (Opcode::Loop, 1) | (Opcode::Rep, 0) => Some(&[K::ConstInt]),
        _ => None,
    }
}

fn read(
    version: Version,
    opcode: Opcode,
    slot: usize,
    register: Register,
    fault: &mut impl FnMut(&'static Code, String, &'static str),
) {
    use RegisterKind as K;
    let name = opcode.row().name;
    let text = || format!("{}{}", register.kind.name(), number(register));
    if let Some(kinds) = slot_kinds(version, opcode, slot) {
        if !kinds.contains(&register.kind) {
            let wanted: Vec<_> = kinds
                .iter()
                .map(|k| if k.is_single() { k.name().to_owned() } else { format!("{}#", k.name()) })
                .collect();
            fault(
                &codes::E_OPERAND,
                format!("source {slot} of {name} is {}, expected {}", text(), wanted.join(" or ")),
                "the operand has a fixed register type",
            );
        }
        return;
    }
    let help = match register.kind {
        K::Temp | K::Input | K::Const | K::Texture | K::PixelPosition | K::Face => return,
        K::Address | K::Loop => "a0 and aL are read as an index only",
        K::ConstInt => "i# is read by loop and rep only",
        K::ConstBool => "b# is read by if and callnz only",
        K::Predicate => "p0 is read as a predicate, and by if, breakp and callnz",
        K::Sampler => "s# stands in the sampler slot of texture instructions only",
        K::Label => "l# is the operand of call, callnz and label only",
        K::PositionOut
        | K::FogOut
        | K::PointSizeOut
        | K::AttrOut
        | K::TexCoordOut
        | K::Output
        | K::ColorOut
        | K::DepthOut => "outputs cannot be read; keep the value in a temporary",
    };
    fault(&codes::E_WRITE, format!("{name} reads {}", text()), help);
}

fn coissue(
    version: Version,
    before: Option<&Instruction>,
    instruction: &Instruction,
    fault: &mut impl FnMut(&'static Code, String, &'static str),
) {
    let Some(before) = before.filter(|b| b.opcode != Opcode::Phase) else {
        return fault(
            &codes::E_COISSUE,
            "the first instruction is co-issued".into(),
            "a co-issued instruction needs one before it to run with",
        );
    };
    if before.coissue {
        return fault(
            &codes::E_COISSUE,
            "it follows another co-issued instruction".into(),
            "only two instructions run together",
        );
    }
    let (Some(a), Some(b)) = (&before.destination, &instruction.destination) else { return };
    let (a, b) = (a.mask, b.mask);
    let fits = match version.is_ps_1_4() {
        true => a.0 & b.0 == 0,
        false => (a == Mask::XYZ && b == Mask::W) || (a == Mask::W && b == Mask::XYZ),
    };
    if !fits {
        let wanted = if version.is_ps_1_4() { "separate lanes" } else { ".rgb and .a" };
        fault(
            &codes::E_COISSUE,
            format!("the pair writes .{a:?} and .{b:?}, expected {wanted}"),
            "co-issued instructions use the colour and the alpha unit",
        );
    }
}

/// Lanes of a register that carry one semantic, with the declaration that said so first.
type Parts = SmallVec<[(Mask, (Usage, u8), usize); 1]>;

fn declarations(shader: &Shader, diags: &mut Diags) {
    let version = shader.version;
    let mut seen: HashMap<Register, Parts> = HashMap::default();
    for (i, declaration) in shader.declarations.iter().enumerate() {
        let register = declaration.destination.register;
        if register == INVALID {
            continue;
        }
        use RegisterKind as K;
        let takes = match register.kind {
            K::Input | K::Sampler | K::PixelPosition | K::Face => true,
            K::Texture => version.major == 2,
            K::Output => version.is_vertex(),
            _ => false,
        };
        if !takes {
            let text = format!("{}{}", register.kind.name(), number(register));
            report(
                shader,
                Place::Declaration(declaration),
                Severity::Error,
                &codes::E_DCL,
                format!("{text} cannot be declared in {version}"),
                "dcl declares inputs, vs_3_0 outputs and samplers",
                diags,
            );
            continue;
        }
        let Some(semantic) = declaration.semantic(version) else { continue };
        let mask = declaration.destination.mask;
        if mask.0 == 0 {
            continue;
        }
        let parts = seen.entry(register).or_default();
        // Semantics of one register have separate lanes, so there are never more than four parts.
        if let Some(&(_, other, first)) = parts.iter().find(|(m, s, _)| m.0 & mask.0 != 0 && *s != semantic) {
            let text = |(usage, index): (Usage, u8)| format!("{}{index}", usage.name());
            let message = format!(
                "{}{} is {} and {} on the same lanes",
                register.kind.name(),
                register.index,
                text(other),
                text(semantic)
            );
            let span = shader.declarations.get(first).map(|d| shader.span(d.word, d.words));
            let own = shader.span(declaration.word, declaration.words);
            let mut diagnostic = aquatint_base::Diagnostic::error(&codes::E_DCL, message)
                .at_excerpt(
                    own,
                    format!("word {}, byte {}", declaration.word, own.start),
                    crate::disassemble::declaration_text(version, declaration),
                )
                .help("give each semantic lanes of its own");
            if let Some(span) = span {
                diagnostic = diagnostic.at(span, "the first declaration");
            }
            diags.push(diagnostic);
        } else if let Some(part) = parts.iter_mut().find(|(_, s, _)| *s == semantic) {
            part.0.0 |= mask.0;
        } else {
            parts.push((mask, semantic, i));
        }
    }
}
