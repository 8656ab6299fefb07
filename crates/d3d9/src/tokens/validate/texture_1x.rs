//! Texture addressing of ps_1_x (sheet 2.5, as far as it restricts the text).

use super::super::opcode::Kind;
use super::super::*;
use super::profile::{Check, Phase};
use crate::codes;

/// A run of matrix rows.
#[derive(Clone, Copy)]
struct Pads {
    /// Register of the last pad.
    register: u16,
    count: u32,
    opcode: Opcode,
    source: Register,
}

/// Reports sources that no earlier texture instruction loaded, rows that do not follow each other, and what each phase of
/// ps_1_4 forbids.
pub(super) fn textures(check: &mut Check<'_>) {
    let shader = check.shader;
    let version = shader.version;
    let mut phase = Phase::of(shader);
    let mut loaded = [false; 8];
    let mut pads: Option<Pads> = None;
    let mut bems = 0;
    for instruction in &shader.instructions {
        let opcode = instruction.opcode;
        match opcode {
            Opcode::Phase => phase = Phase::Second,
            Opcode::Bem => {
                bems += 1;
                if phase == Phase::Second || bems > 1 {
                    let message = "bem belongs to the first phase, once".to_owned();
                    check.fault(instruction, &codes::W_PROFILE_TEXTURE, message, "move it before phase");
                }
            }
            _ => {}
        }
        if !version.is_ps_1_0_to_1_3() || !matches!(opcode.kind(), Kind::Texture | Kind::Depth) {
            continue;
        }
        let Some(destination) = instruction.destination.map(|d| d.register) else { continue };
        if let Some(source) = instruction.sources.first().map(|s| s.register)
            && source.kind == RegisterKind::Texture
        {
            let known = loaded.get(usize::from(source.index)).copied().unwrap_or(false);
            if source.index >= destination.index || !known {
                check.fault(
                    instruction,
                    &codes::W_PROFILE_TEXTURE,
                    format!("t{} holds no colour of an earlier, lower texture register", source.index),
                    "the source is a lower t# that an earlier texture instruction loaded",
                );
            }
            rows(check, instruction, destination, source, &mut pads);
        }
        if let Some(slot) = loaded.get_mut(usize::from(destination.index)) {
            *slot |= opcode != Opcode::TexKill;
        }
    }
}

/// Pads and the instruction that ends them use consecutive registers and one source.
fn rows(
    check: &mut Check<'_>,
    instruction: &Instruction,
    destination: Register,
    source: Register,
    pads: &mut Option<Pads>,
) {
    use Opcode::*;
    let (pad, wanted) = match instruction.opcode {
        TexM3x2Pad | TexM3x3Pad => (instruction.opcode, 0),
        TexM3x2Tex | TexM3x2Depth => (TexM3x2Pad, 1),
        TexM3x3Tex | TexM3x3 | TexM3x3Spec | TexM3x3VSpec => (TexM3x3Pad, 2),
        _ => return,
    };
    let follows = pads.is_some_and(|p| p.opcode == pad && p.register + 1 == destination.index && p.source == source);
    let count = if follows { pads.map_or(0, |p| p.count) } else { 0 };
    if wanted == 0 {
        // A first pad starts a run, whatever was before.
        let open = pads.is_some_and(|p| p.opcode == pad && pad == TexM3x3Pad && p.count == 1);
        if open && !follows {
            fault(check, instruction);
        }
        *pads = Some(Pads { register: destination.index, count: count + 1, opcode: pad, source });
        return;
    }
    if count != wanted {
        fault(check, instruction);
    }
    *pads = None;
}

fn fault(check: &mut Check<'_>, instruction: &Instruction) {
    check.fault(
        instruction,
        &codes::W_PROFILE_TEXTURE,
        format!("{} does not follow its rows", instruction.opcode.row().name),
        "rows use consecutive t registers and the same source",
    );
}
