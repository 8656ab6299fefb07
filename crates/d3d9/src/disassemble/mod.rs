//! Shader tokens to text.
