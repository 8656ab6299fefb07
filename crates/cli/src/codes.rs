//! The codes of messages that only this program gives.

use aquatint::base::{Code, Kind};

/// An output that could not be written.
pub static AQ0007: Code = Code {
    id: "AQ0007",
    kind: Kind::Invalid,
    title: "output not written",
    explanation: "The output could not be written. Files are written under a temporary name in the same directory and then \
                  renamed, so the directory must be writable and have room; an older file of that name is still whole.",
};

/// Reflection of something that has none.
pub static AQ0012: Code = Code {
    id: "AQ0012",
    kind: Kind::Unsupported,
    title: "no reflection",
    explanation: "Reflection says what a renderer must know of a Direct3D 9 shader. Of HLSL there is none yet; a module of \
                  the intermediate representation carries its interface in its own text.",
};

/// An effect that is asked to do what only effects can.
pub static AQ0013: Code = Code {
    id: "AQ0013",
    kind: Kind::Invalid,
    title: "nothing to extract",
    explanation: "The file is no fx_2_0 effect and holds no DXBC container with a shader that could be read here.",
};

/// A pass that failed on a module given to `aquatint pass`.
pub static AQ0009: Code = Code {
    id: "AQ0009",
    kind: Kind::Invalid,
    title: "unusable constants file",
    explanation: "A constants file is one JSON object. A key is the name of a constant in the constant table of a shader, or a \
                  register (c0, i1, b2) below \"vs\" or \"ps\"; a value is a number, true or false, or a list of them, \
                  matrices row by row. A constant table for `aquatint asm --ctab` is an object of NAME: {\"register\": \"c0\", \
                  \"type\": \"float4x4\"}, with \"count\" and \"default\" where they are wanted.",
};

/// Something that a shader reads and nobody set.
pub static AQ7001: Code = Code {
    id: "AQ7001",
    kind: Kind::Invalid,
    title: "unbound input of a picture",
    explanation: "The shader reads something that the command line does not give: a texture (it reads opaque black), constant \
                  registers (they read as 0), a vertex attribute that the mesh does not have, or a varying that the vertex \
                  shader does not write (they read as 0). The picture is drawn all the same. Give the texture with --tex, the \
                  constants with --c, --vc, --i, --b or --constants, matrices with --camera.",
};

/// A name or register that the shaders do not have.
pub static AQ7002: Code = Code {
    id: "AQ7002",
    kind: Kind::Invalid,
    title: "value without a taker",
    explanation: "The command line or the constants file gives a value for something that neither shader reads, or of a shape \
                  that does not fit. It is left out. `aquatint info FILE` lists what a shader reads.",
};

/// A shader that cannot be drawn.
pub static AQ7003: Code = Code {
    id: "AQ7003",
    kind: Kind::Unsupported,
    title: "not drawable",
    explanation: "The shader cannot be drawn: it is of the other stage, or it exceeds what the interpreter runs.",
};

/// A bug of ours.
pub static AQ9000: Code = Code {
    id: "AQ9000",
    kind: Kind::Bug,
    title: "internal error",
    explanation: "Aquatint itself broke. No input should be able to do that: please report it, with the input if you can share \
                  it. The exit code is 4.",
};

static CODES: &[&Code] = &[&AQ0007, &AQ0009, &AQ0012, &AQ0013, &AQ7001, &AQ7002, &AQ7003, &AQ9000];

/// All codes: the translator's and this program's, by identifier.
pub fn all() -> Vec<&'static Code> {
    let mut all = aquatint::codes::all();
    all.extend(CODES);
    all.sort_by_key(|code| code.id);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_code_is_given_twice() {
        let all = all();
        assert!(all.windows(2).all(|pair| pair[0].id != pair[1].id));
    }
}
