//! Diagnostic codes of the Direct3D 9 front-end, with the texts of `aquatint explain` (sheet 1.16).
//!
//! `E-` codes are faults of structure, always errors (damaged side data: warnings). `W-PROFILE-` codes are forms that the
//! real assembler or runtime validator refuses although their meaning is clear: warnings, errors under `strict`.

use aquatint_base::{Code, Kind};

/// A profile fault.
const fn profile(id: &'static str, title: &'static str, explanation: &'static str) -> Code {
    Code { id, kind: Kind::Invalid, title, explanation }
}

/// Not a shader stream.
pub static E_FORMAT: Code = Code {
    id: "E-FORMAT",
    kind: Kind::Unsupported,
    title: "not a shader stream",
    explanation: "The input is a file of another kind, recognised by its first word: an effect, an FX expression or \
        preshader, a texture shader, or a DXBC container without a feature level 9 stream. Effects hold \
        shaders: extract them first. A DXBC container without an `Aon9` chunk holds Direct3D 10+ bytecode, \
        which is another format.",
};

/// Impossible stream length.
pub static E_SIZE: Code = Code {
    id: "E-SIZE",
    kind: Kind::Invalid,
    title: "impossible stream length",
    explanation: "A shader stream is made of 32-bit words and holds at least a version word and the END token, so its \
        length is a multiple of 4, at least 8, and at most the caller's limit (4 MiB unless set). Anything \
        else was cut, padded, or is not a shader.",
};

/// Unknown shader version.
pub static E_VERSION: Code = Code {
    id: "E-VERSION",
    kind: Kind::Invalid,
    title: "unknown shader version",
    explanation: "The first word names stage, major and minor version. Vertex shaders exist as 1_0, 1_1, 2_0, 2_x, \
        2_sw, 3_0, 3_sw; pixel shaders as 1_0 to 1_4, 2_0, 2_x, 2_sw, 3_0, 3_sw. Minor 255 is `_sw`.",
};

/// No END token.
pub static E_END: Code = Code {
    id: "E-END",
    kind: Kind::Invalid,
    title: "no END token",
    explanation: "A stream ends with the word 0000FFFF outside of comments and constants. Without it the stream was \
        cut, or an instruction before swallowed the token because it claims too many words.",
};

/// Token reaches past the end.
pub static E_TRUNC: Code = Code {
    id: "E-TRUNC",
    kind: Kind::Invalid,
    title: "token reaches past the end",
    explanation: "A comment or instruction claims more words than the input has left. The input was cut, or its length \
        field is damaged.",
};

/// Unknown opcode.
pub static E_OPCODE: Code = Code {
    id: "E-OPCODE",
    kind: Kind::Invalid,
    title: "unknown opcode",
    explanation: "No version of this stage has this opcode number. From version 2 on the decoder skips the instruction \
        by its length and goes on; in version 1 the length is not stored, so it has to stop.",
};

/// Length does not fit the operands.
pub static E_LEN: Code = Code {
    id: "E-LEN",
    kind: Kind::Invalid,
    title: "length does not fit the operands",
    explanation: "From version 2 on an instruction token says how many words follow it. The opcode, its relative \
        addresses and its predicate explain another number.",
};

/// Malformed operand.
pub static E_OPERAND: Code = Code {
    id: "E-OPERAND",
    kind: Kind::Invalid,
    title: "malformed operand",
    explanation: "An operand word has bit 31 clear, a source modifier E or F, a result shift that does not exist, or \
        stands where none may be, such as a predicate on a flow instruction.",
};

/// No such register.
pub static E_REG: Code = Code {
    id: "E-REG",
    kind: Kind::Invalid,
    title: "no such register",
    explanation: "The register type does not exist in this stage, or no version of this stage and major version has a \
        register of that number.",
};

/// Relative addressing where none exists.
pub static E_REL: Code = Code {
    id: "E-REL",
    kind: Kind::Invalid,
    title: "relative addressing where none exists",
    explanation: "Only float constants, vs_3_0 and ps_3_0 inputs and vs_3_0 outputs can be addressed relatively, and \
        only by a lane of a0 (vertex) or by aL.",
};

/// Register used against its direction.
pub static E_WRITE: Code = Code {
    id: "E-WRITE",
    kind: Kind::Invalid,
    title: "register used against its direction",
    explanation: "Inputs, constants, samplers, labels and the loop counter cannot be written; outputs cannot be read; \
        a0 and aL are read only as an index, p0 is written by setp only, integers and bools are read by flow \
        instructions only.",
};

/// Reserved comparison or texld kind.
pub static E_CMP: Code = Code {
    id: "E-CMP",
    kind: Kind::Invalid,
    title: "reserved comparison or texld kind",
    explanation: "Comparisons are 1 gt, 2 eq, 3 ge, 4 lt, 5 ne, 6 le; 0 and 7 are reserved. texld kinds are 0 plain, 1 \
        project, 2 bias; 3 does not exist.",
};

/// Unbalanced flow control.
pub static E_NEST: Code = Code {
    id: "E-NEST",
    kind: Kind::Invalid,
    title: "unbalanced flow control",
    explanation: "if/else/endif, rep/endrep and loop/endloop must nest properly, within one main program or \
        subroutine, and at most 64 deep.",
};

/// Break outside a loop.
pub static E_BREAK: Code = Code {
    id: "E-BREAK",
    kind: Kind::Invalid,
    title: "break outside a loop",
    explanation: "break, break_OP and breakp leave the innermost loop or rep, so they must stand inside one of the \
        same subroutine.",
};

/// Duplicate, missing or misplaced label.
pub static E_LABEL: Code = Code {
    id: "E-LABEL",
    kind: Kind::Invalid,
    title: "duplicate, missing or misplaced label",
    explanation: "Each called label exists exactly once, follows a `ret` at nesting 0, and its subroutine ends with \
        `ret`. A shader has at most 4096 labels.",
};

/// Cyclic or exploding calls.
pub static E_CALL: Code = Code {
    id: "E-CALL",
    kind: Kind::Invalid,
    title: "cyclic or exploding calls",
    explanation: "Subroutines cannot call themselves, directly or through others, and the shader with all calls \
        written out must stay within the instruction limit (2^20 unless set).",
};

/// Impossible declaration.
pub static E_DCL: Code = Code {
    id: "E-DCL",
    kind: Kind::Invalid,
    title: "impossible declaration",
    explanation: "dcl declares inputs, vs_3_0 outputs and samplers. One register may carry several semantics only on \
        separate lanes.",
};

/// Misplaced co-issue.
pub static E_COISSUE: Code = Code {
    id: "E-COISSUE",
    kind: Kind::Invalid,
    title: "misplaced co-issue",
    explanation: "Only ps_1_x pairs instructions. The second one of a pair carries the `+`; it is not the first of the \
        shader and does not follow another co-issued one; the pair writes .rgb and .a (ps_1_4: separate \
        lanes).",
};

/// Misplaced phase.
pub static E_PHASE: Code = Code {
    id: "E-PHASE",
    kind: Kind::Invalid,
    title: "misplaced phase",
    explanation: "`phase` separates the two halves of a ps_1_4 shader: no other version has it, and it stands at most \
        once.",
};

/// Position never written.
pub static E_NOPOS: Code = Code {
    id: "E-NOPOS",
    kind: Kind::Invalid,
    title: "position never written",
    explanation: "A vertex shader has to write its position. The position of one that does not is (0, 0, 0, 1); under \
        `strict` it is refused.",
};

/// Malformed assembly.
pub static E_SYNTAX: Code = Code {
    id: "E-SYNTAX",
    kind: Kind::Invalid,
    title: "malformed assembly",
    explanation: "The line is not a statement of the assembly language, or an operand breaks its spelling: an unknown \
        instruction, register, suffix or lane, a mask out of order, a wrong number of operands.",
};

/// Preprocessor error.
pub static E_PREPROCESS: Code = Code {
    id: "E-PREPROCESS",
    kind: Kind::Invalid,
    title: "preprocessor error",
    explanation: "A preprocessor line is malformed, unbalanced, names a file that the caller does not supply, or \
        expands beyond the limits.",
};

/// Profile: opcode of another version.
pub static W_PROFILE_OPCODE: Code = profile(
    "W-PROFILE-OPCODE",
    "opcode of another version",
    "The stage has this opcode, but not in this version. It is given its obvious meaning.",
);

/// Profile: register beyond the version's file.
pub static W_PROFILE_REGISTER: Code = profile(
    "W-PROFILE-REGISTER",
    "register beyond the version's file",
    "A wider version of the same stage and major has this register, this one does not. It is used all the same.",
);

/// Profile: predicate before version 2_x.
pub static W_PROFILE_PREDICATE: Code = profile(
    "W-PROFILE-PREDICATE",
    "predicate before version 2_x",
    "Predicated instructions exist from vs_2_x and ps_2_x on. The predicate is honoured.",
);

/// Profile: reserved bits set.
pub static W_PROFILE_RESERVED: Code =
    profile("W-PROFILE-RESERVED", "reserved bits set", "Bits that must be 0 are set. They are ignored.");

/// Profile: too many register reads.
pub static W_PROFILE_PORTS: Code = profile(
    "W-PROFILE-PORTS",
    "too many register reads",
    "Hardware of this version could read only so many different registers of a file in one instruction. \
        The meaning does not change.",
);

/// Profile: too many instruction slots.
pub static W_PROFILE_SLOTS: Code = profile(
    "W-PROFILE-SLOTS",
    "too many instruction slots",
    "The shader takes more instruction slots than every implementation of this version had to offer. The \
        meaning does not change.",
);

/// Profile: register read before it was written.
pub static W_PROFILE_UNWRITTEN: Code = profile(
    "W-PROFILE-UNWRITTEN",
    "register read before it was written",
    "A temporary that was never written holds 0, a t register of ps_1_1 to ps_1_3 its texture coordinate. \
        Another lane of it may have been written.",
);

/// Profile: source modifier of another version.
pub static W_PROFILE_SOURCE_MODIFIER: Code = profile(
    "W-PROFILE-SOURCE-MODIFIER",
    "source modifier of another version",
    "This version lacks the source modifier, or lacks it on this register or instruction. It is applied as written.",
);

/// Profile: result modifier of another version.
pub static W_PROFILE_RESULT_MODIFIER: Code = profile(
    "W-PROFILE-RESULT-MODIFIER",
    "result modifier of another version",
    "This version lacks the saturation, shift or precision modifier, or lacks it on this instruction. It \
        is applied as written.",
);

/// Profile: swizzle of another version.
pub static W_PROFILE_SWIZZLE: Code = profile(
    "W-PROFILE-SWIZZLE",
    "swizzle of another version",
    "This version, or this instruction, allows fewer source swizzles. It is applied as written.",
);

/// Profile: write mask of another version.
pub static W_PROFILE_MASK: Code = profile(
    "W-PROFILE-MASK",
    "write mask of another version",
    "This version, or this instruction, allows fewer write masks. It is applied as written.",
);

/// Profile: scalar source without a replicate swizzle.
pub static W_PROFILE_SCALAR: Code = profile(
    "W-PROFILE-SCALAR",
    "scalar source without a replicate swizzle",
    "The instruction reads one lane, so its source swizzle should name one. The lane that the swizzle \
        selects for x is read.",
);

/// Profile: destination is also a source.
pub static W_PROFILE_ALIAS: Code = profile(
    "W-PROFILE-ALIAS",
    "destination is also a source",
    "This instruction must not write the register that it reads. All sources are read before anything is written.",
);

/// Profile: declaration after code.
pub static W_PROFILE_ORDER: Code = profile(
    "W-PROFILE-ORDER",
    "declaration after code",
    "dcl and def belong before the first instruction. They hold for the whole shader wherever they stand.",
);

/// Profile: unreachable code.
pub static W_PROFILE_UNREACHABLE: Code = profile(
    "W-PROFILE-UNREACHABLE",
    "unreachable code",
    "Nothing reaches the code between a `ret` and the next label or the end.",
);

/// Profile: ret inside a block.
pub static W_PROFILE_RET: Code = profile(
    "W-PROFILE-RET",
    "ret inside a block",
    "`ret` should stand at nesting 0. Inside an if or loop it returns at once.",
);

/// Profile: backward call.
pub static W_PROFILE_CALL: Code = profile(
    "W-PROFILE-CALL",
    "backward call",
    "A subroutine should stand behind its callers. The call works, since it is not recursive.",
);

/// Profile: nesting beyond the version.
pub static W_PROFILE_DEPTH: Code = profile(
    "W-PROFILE-DEPTH",
    "nesting beyond the version",
    "The version allows fewer levels of if, loop or call. The meaning does not change.",
);

/// Profile: undeclared sampler.
pub static W_PROFILE_SAMPLER: Code = profile(
    "W-PROFILE-SAMPLER",
    "undeclared sampler",
    "From ps_2_0 and vs_3_0 on a sampler needs a dcl. Its kind is what the options say, else 2D.",
);

/// Profile: undeclared input or output.
pub static W_PROFILE_UNDECLARED: Code = profile(
    "W-PROFILE-UNDECLARED",
    "undeclared input or output",
    "From version 2_0 on (vertex outputs: 3_0) inputs and outputs need a dcl. Without one the register \
        takes part in no interface, unless the register itself decides its meaning.",
);

/// Profile: unusual relative address.
pub static W_PROFILE_RELATIVE: Code = profile(
    "W-PROFILE-RELATIVE",
    "unusual relative address",
    "Relative constants in a pixel shader, or an a0 index whose swizzle does not name one lane: the x \
        lane of the swizzle is used.",
);

/// Relative constants packed by the constant table.
pub static W_PACK_CTAB: Code = Code {
    id: "W-PACK-CTAB",
    kind: Kind::Invalid,
    title: "relative constants packed by the constant table",
    explanation: "The caller asked to upload only the arrays that the constant table names where constants are addressed \
        relatively. The table is a hint: an index may legally leave its array, and such a read gives 0 then. Upload the \
        whole file if the shader relies on that.",
};

/// Profile: unusual write to a0.
pub static W_PROFILE_ADDRESS: Code = profile(
    "W-PROFILE-ADDRESS",
    "unusual write to a0",
    "vs_1_1 writes a0.x by mov, later versions write a0 by mova. A mov rounds as mova does there.",
);

/// Profile: unusual pixel output.
pub static W_PROFILE_OUTPUT: Code = profile(
    "W-PROFILE-OUTPUT",
    "unusual pixel output",
    "ps_2 writes each oC# once, whole, with mov, from oC0 on without gaps; oDepth takes a replicate \
        source. Others are accepted.",
);

/// Profile: register read in an unusual place.
pub static W_PROFILE_READ: Code = profile(
    "W-PROFILE-READ",
    "register read in an unusual place",
    "t registers of ps_1_4 are sources of texld, texcrd and texkill only, constants of pixel shaders 1_x \
        sources of arithmetic only. It is read all the same.",
);

/// Profile: r0 never written.
pub static W_PROFILE_R0: Code = profile(
    "W-PROFILE-R0",
    "r0 never written",
    "A ps_1_x shader returns r0; this one never writes it, so it returns 0.",
);

/// Profile: cnd condition is not r0.a.
pub static W_PROFILE_CND: Code = profile(
    "W-PROFILE-CND",
    "cnd condition is not r0.a",
    "In ps_1_1 to ps_1_3 the condition of cnd is r0.a. The w lane of the given register's swizzle is used.",
);

/// Profile: unusual texture addressing.
pub static W_PROFILE_TEXTURE: Code = profile(
    "W-PROFILE-TEXTURE",
    "unusual texture addressing",
    "Texture instructions of ps_1_x read texture registers of lower numbers that hold a texture's colour, \
        and matrix instructions come in rows of consecutive registers with the same source.",
);

/// Profile: dependent read chain too long.
pub static W_PROFILE_DEPENDENT: Code = profile(
    "W-PROFILE-DEPENDENT",
    "dependent read chain too long",
    "ps_2_0 allows four levels of texture reads whose coordinates depend on earlier reads, ps_1_4 two \
        phases. The meaning does not change.",
);

/// Profile: gradient inside dynamic flow control.
pub static W_PROFILE_GRADIENT: Code = profile(
    "W-PROFILE-GRADIENT",
    "gradient inside dynamic flow control",
    "A texture read with implicit derivatives, or dsx or dsy, of a value computed inside dynamic flow \
        control: neighbouring pixels may not have run that code. Derivatives of the 2x2 quad are used as \
        they are.",
);

/// Profile: gap in texture coordinate outputs.
pub static W_PROFILE_TEXCOORD_GAP: Code = profile(
    "W-PROFILE-TEXCOORD-GAP",
    "gap in texture coordinate outputs",
    "vs_1_1 writes contiguous lanes of each oT register. What is missing is 0.",
);

/// A damaged constant table.
pub static E_CTAB: Code = Code {
    id: "E-CTAB",
    kind: Kind::Invalid,
    title: "damaged constant table",
    explanation: "A shader's CTAB comment breaks the layout of the D3DX constant table: an offset outside the comment, a \
        name without its NUL, a type that contains itself, registers outside the widest file. The table only names \
        things, so what is damaged is dropped and the shader is translated without it. Recompile the shader, or strip \
        the comment, to be rid of the warning.",
};

/// A damaged preshader or expression.
pub static E_PRES: Code = Code {
    id: "E-PRES",
    kind: Kind::Invalid,
    title: "damaged preshader",
    explanation: "A PRES comment or an FX expression blob cannot be read: a part is missing or cut off, an operand names a \
        table that does not exist, a count is outside its bounds. A shader is translated all the same, but the \
        registers that its preshader would have computed must come from the application.",
};

/// A damaged effect.
pub static E_FX: Code = Code {
    id: "E-FX",
    kind: Kind::Invalid,
    title: "damaged effect",
    explanation: "An fx_2_0 effect breaks its container's layout: an offset outside the data area, a count that the rest \
        of the file cannot hold, a resource for a state that does not exist. What could be read is still listed; a bad \
        resource is skipped.",
};

/// Every code of this crate.
pub static CODES: &[&Code] = &[
    &E_FORMAT,
    &E_SIZE,
    &E_VERSION,
    &E_END,
    &E_TRUNC,
    &E_OPCODE,
    &E_LEN,
    &E_OPERAND,
    &E_REG,
    &E_REL,
    &E_WRITE,
    &E_CMP,
    &E_NEST,
    &E_BREAK,
    &E_LABEL,
    &E_CALL,
    &E_DCL,
    &E_COISSUE,
    &E_PHASE,
    &E_NOPOS,
    &E_SYNTAX,
    &E_PREPROCESS,
    &E_CTAB,
    &E_PRES,
    &E_FX,
    &W_PROFILE_OPCODE,
    &W_PROFILE_REGISTER,
    &W_PROFILE_PREDICATE,
    &W_PROFILE_RESERVED,
    &W_PROFILE_PORTS,
    &W_PROFILE_SLOTS,
    &W_PROFILE_UNWRITTEN,
    &W_PROFILE_SOURCE_MODIFIER,
    &W_PROFILE_RESULT_MODIFIER,
    &W_PROFILE_SWIZZLE,
    &W_PROFILE_MASK,
    &W_PROFILE_SCALAR,
    &W_PROFILE_ALIAS,
    &W_PROFILE_ORDER,
    &W_PROFILE_UNREACHABLE,
    &W_PROFILE_RET,
    &W_PROFILE_CALL,
    &W_PROFILE_DEPTH,
    &W_PROFILE_SAMPLER,
    &W_PROFILE_UNDECLARED,
    &W_PROFILE_RELATIVE,
    &W_PACK_CTAB,
    &W_PROFILE_ADDRESS,
    &W_PROFILE_OUTPUT,
    &W_PROFILE_READ,
    &W_PROFILE_R0,
    &W_PROFILE_CND,
    &W_PROFILE_TEXTURE,
    &W_PROFILE_DEPENDENT,
    &W_PROFILE_GRADIENT,
    &W_PROFILE_TEXCOORD_GAP,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_distinct_and_explained() {
        let mut seen = aquatint_base::HashSet::default();
        for code in CODES {
            assert!(seen.insert(code.id), "{} twice", code.id);
            assert!(code.explanation.len() > 40 && !code.title.ends_with('.'), "{}", code.id);
            assert!(["E-", "W-PROFILE-", "W-PACK-"].iter().any(|family| code.id.starts_with(family)), "{}", code.id);
        }
    }
}
