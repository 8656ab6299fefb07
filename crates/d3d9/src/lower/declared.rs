//! The declarations as the lowering asks for them: each register and semantic once.
//!
//! A stream may declare a register as often as it likes, and the lowering looks at the declarations at each read of an input and
//! at each end of the program.

use super::semantics::Semantic;
use crate::tokens::{Declaration, Register, Shader};
use aquatint_base::HashMap;

/// Declarations of inputs and outputs in stream order, those of one register and semantic joined: their lanes together, and
/// centroid where one is. A declaration without lanes declares nothing. At most four for each register, as the lanes of
/// different semantics are apart (E-DCL).
pub fn joined(shader: &Shader) -> Vec<Declaration> {
    let mut places: HashMap<(Register, Semantic), usize> = HashMap::default();
    let mut all: Vec<Declaration> = Vec::new();
    for declaration in &shader.declarations {
        let Some((usage, index)) = declaration.semantic(shader.version) else { continue };
        let destination = &declaration.destination;
        if destination.mask.0 & 0xF == 0 {
            continue;
        }
        let key = (destination.register, Semantic::new(usage, index));
        match places.get(&key).and_then(|&place| all.get_mut(place)) {
            Some(known) => {
                known.destination.mask.0 |= destination.mask.0;
                known.destination.centroid |= destination.centroid;
            }
            None => {
                places.insert(key, all.len());
                all.push(*declaration);
            }
        }
    }
    all
}
