//! The lowering, executed: assembly text, values worked out by hand from the sheet. What the golden cases cover
//! (`tests/golden/d3d9`) is not repeated here; these are options, reflection, combinations, and what a recorded Direct3D 9
//! cannot show.

mod addressing;
mod arithmetic;
mod constants;
mod flow;
mod growth;
mod interface;
mod reflection;
mod shader;
mod stages;
mod texture;
