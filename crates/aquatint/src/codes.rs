//! The codes of the driver, and the list of all codes.

use aquatint_base::{Code, Kind};

/// The language of an input cannot be told.
pub static AQ0011: Code = Code {
    id: "AQ0011",
    kind: Kind::Invalid,
    title: "unknown kind of input",
    explanation: "The first bytes of the input fit no language that Aquatint reads: Direct3D 9 bytecode begins with a version \
                  word (FFFE or FFFF in its high half), assembly with vs_ or ps_, an effect with FEFF0901, the text form of the \
                  intermediate representation with `module`. HLSL is known by its file's name (.hlsl, .hlsli). Name the language where \
                  the guess fails.",
};

/// An effect where a shader is expected.
pub static AQ0008: Code = Code {
    id: "AQ0008",
    kind: Kind::Invalid,
    title: "an effect is not a shader",
    explanation: "An effect file holds several shaders. List them with `aquatint effect list FILE`, extract them with `aquatint \
                  effect extract FILE`, and compile what comes out.",
};

/// Text that is not UTF-8.
pub static AQ0002: Code = Code {
    id: "AQ0002",
    kind: Kind::Invalid,
    title: "unreadable input",
    explanation: "The input could not be read, or is text in another encoding than UTF-8.",
};

/// An entry point that does not exist.
pub static AQ0010: Code = Code {
    id: "AQ0010",
    kind: Kind::Invalid,
    title: "entry point not found",
    explanation: "The module has no entry point of the name asked for, or several and none was named.",
};

/// A target that was left out when the library was built.
pub static AQ0006: Code = Code {
    id: "AQ0006",
    kind: Kind::Unsupported,
    title: "target not built in",
    explanation: "The library was built without the feature that this target or input needs. Add it to the dependency's features.",
};

/// All codes of Aquatint, for `aquatint explain`.
pub fn all() -> Vec<&'static Code> {
    let mut all: Vec<&'static Code> = vec![&AQ0002, &AQ0006, &AQ0008, &AQ0010, &AQ0011];
    all.extend(aquatint_ir::codes::CODES);
    all.push(&aquatint_passes::run::PASS_BROKE_MODULE);
    #[cfg(feature = "d3d9")]
    all.extend(aquatint_d3d9::codes::CODES);
    #[cfg(feature = "hlsl")]
    all.extend(aquatint_hlsl::all_codes());
    #[cfg(feature = "msl")]
    all.extend(aquatint_msl::codes::CODES);
    #[cfg(feature = "spirv")]
    all.extend(aquatint_spirv::codes::CODES);
    // What a reader and a writer both say is explained once, in the reader's words.
    let mut known = std::collections::HashSet::new();
    all.retain(|code| known.insert(code.id));
    all
}

/// The code of that identifier, in any case.
pub fn find(id: &str) -> Option<&'static Code> {
    all().into_iter().find(|code| code.id.eq_ignore_ascii_case(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_unique_and_explained() {
        let all = all();
        for (index, code) in all.iter().enumerate() {
            assert!(code.explanation.len() > 40, "{} explains nothing", code.id);
            assert!(!all[..index].iter().any(|other| other.id == code.id), "{} stands twice", code.id);
        }
    }
}
