//! The codes of this writer.

use aquatint_base::{Code, Kind};

/// A construct that this writer does not express.
pub static AQ5001: Code = Code {
    id: "AQ5001",
    kind: Kind::Unsupported,
    title: "not expressible in SPIR-V here",
    explanation: "The module uses an operation, type or built-in that the SPIR-V writer has no form for. The message names it. \
                  Choose another target for this shader, or write it without the construct.",
};

/// An entry point that does not exist.
pub static AQ5002: Code = Code {
    id: "AQ5002",
    kind: Kind::Invalid,
    title: "no such entry point",
    explanation: "The name given is not an entry point of the module. Names are case-sensitive; reflection lists those there are.",
};

/// A raise pass is missing.
pub static AQ5003: Code = Code {
    id: "AQ5003",
    kind: Kind::Bug,
    title: "an operation was left for the SPIR-V encoder",
    explanation: "The passes that turn a module into what the encoder takes left an operation that it does not take. That is a \
                  bug of the translator, whatever the shader says. The message names the operation.",
};

/// All codes of this writer.
pub static CODES: &[&Code] = &[&AQ5001, &AQ5002, &AQ5003];
