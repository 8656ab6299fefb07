//! The driver's passes: as text, in the `.case` file beside each, and what they compute, from the sheets' formulas.

mod cases;
mod pixel;
#[path = "../lower/shader.rs"]
mod shader;
mod vertex;
