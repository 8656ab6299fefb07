//! What a Direct3D 9 driver does around a shader, as passes over the IR with parameters.

pub mod extras;
