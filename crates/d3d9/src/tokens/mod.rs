//! Tokens of a shader stream.
