//! Counts and nesting by version (sheet 1.11, 1.15).

use super::super::*;
use super::profile::Check;
use crate::codes;

/// Reports slots, nesting depths, and the places of `ret` and calls.
pub(super) fn limits(check: &mut Check<'_>) {
    slots(check);
    let shader = check.shader;
    let program = &shader.program;
    let at = |i: u32| shader.instructions.get(i as usize);
    for instruction in program.early_returns.iter().filter_map(|&i| at(i)) {
        check.fault(instruction, &codes::W_PROFILE_RET, "ret inside a block".into(), "move it behind the block");
    }
    for instruction in program.backward_calls.iter().filter_map(|&i| at(i)) {
        let message = "the called label stands before the call".to_owned();
        check.fault(instruction, &codes::W_PROFILE_CALL, message, "move the subroutine behind its callers");
    }
    for instruction in program.unreachable.iter().filter_map(|&i| at(i)) {
        check.fault(instruction, &codes::W_PROFILE_UNREACHABLE, "nothing reaches this".into(), "remove it");
    }
    let version = shader.version;
    let (ifs, loops, calls) = if version == Version::vertex(2, 0) { (16, 1, 1) } else { (24, 4, 4) };
    let depths = [
        ("if", program.if_depth, ifs, Opcode::If),
        ("loop and rep", program.loop_depth, loops, Opcode::Rep),
        ("calls", program.call_depth, calls, Opcode::Call),
    ];
    for (what, depth, limit, opcode) in depths {
        if depth > limit && version.major >= 2 {
            let same = |o: Opcode| match opcode {
                Opcode::If => matches!(o, Opcode::If | Opcode::IfC),
                Opcode::Rep => matches!(o, Opcode::Rep | Opcode::Loop),
                _ => matches!(o, Opcode::Call | Opcode::CallNz),
            };
            if let Some(instruction) = shader.instructions.iter().find(|i| same(i.opcode)) {
                let message = format!("{what} nest {depth} deep, {version} allows {limit}");
                check.fault(instruction, &codes::W_PROFILE_DEPTH, message, "flatten the control flow");
            }
        }
    }
}

/// Slots of texture and arithmetic instructions; one number where they share.
enum Budget {
    Shared(u32),
    Split { texture: u32, arithmetic: u32 },
    Unlimited,
}

fn budget(version: Version) -> Budget {
    match (version.stage, version.major, version.minor) {
        (_, _, version::SOFTWARE) => Budget::Unlimited,
        (Stage::Vertex, 1, _) => Budget::Shared(128),
        (Stage::Vertex, 2, _) => Budget::Shared(256),
        (Stage::Pixel, 1, 4) => Budget::Split { texture: 6, arithmetic: 8 },
        (Stage::Pixel, 1, _) => Budget::Split { texture: 4, arithmetic: 8 },
        (Stage::Pixel, 2, 0) => Budget::Split { texture: 32, arithmetic: 64 },
        // The widest that the capabilities allow.
        (Stage::Pixel, 2, _) => Budget::Shared(512),
        _ => Budget::Shared(32_768),
    }
}

fn slots(check: &mut Check<'_>) {
    let shader = check.shader;
    let version = shader.version;
    let budget = budget(version);
    let (mut texture, mut arithmetic) = (0u32, 0u32);
    let mut reported = false;
    for instruction in &shader.instructions {
        if instruction.opcode == Opcode::Phase {
            (texture, arithmetic, reported) = (0, 0, false);
        }
        let count = shader.slots_of(instruction);
        // Of a pair, one takes the colour and one the alpha part of the same slot.
        if !instruction.coissue {
            texture += count.texture;
            arithmetic += count.arithmetic;
        }
        let (over, limit) = match budget {
            Budget::Unlimited => return,
            Budget::Shared(limit) => (texture + arithmetic > limit, format!("{limit} slots")),
            Budget::Split { texture: t, arithmetic: a } => {
                (texture > t || arithmetic > a, format!("{t} texture and {a} arithmetic slots"))
            }
        };
        if over && !reported {
            reported = true;
            let message = format!("{version} has {limit}, this instruction goes beyond");
            check.fault(instruction, &codes::W_PROFILE_SLOTS, message, "use a later version, or fewer instructions");
        }
    }
}
