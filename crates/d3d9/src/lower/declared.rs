//! The declarations as the lowering asks for them: each register and semantic once.
//!
//! A stream may declare a register as often as it likes, and the lowering looks at the declarations at each read of an input and
//! at each end of the program.

use super::semantics::Semantic;
use crate::tokens::{Declaration, Register, Shader};
use aquatint_base::HashMap;
use smallvec::SmallVec;

/// As many as a search one by one is good for; nearly all shaders declare no more.
const FEW: usize = 16;

/// Declarations of inputs and outputs in stream order, those of one register and semantic joined: their lanes together, and
/// centroid where one is. A declaration without lanes declares nothing. At most four for each register, as the lanes of
/// different semantics are apart (E-DCL).
pub fn joined(shader: &Shader) -> Vec<Declaration> {
    let mut keys: SmallVec<[(Register, Semantic); FEW]> = SmallVec::new();
    // Filled once there are more than a few.
    let mut places: HashMap<(Register, Semantic), usize> = HashMap::default();
    let mut all: Vec<Declaration> = Vec::with_capacity(shader.declarations.len().min(FEW));
    for declaration in &shader.declarations {
        let Some((usage, index)) = declaration.semantic(shader.version) else { continue };
        let destination = &declaration.destination;
        if destination.mask.0 & 0xF == 0 {
            continue;
        }
        let key = (destination.register, Semantic::new(usage, index));
        let known = match keys.len() {
            0..=FEW => keys.iter().position(|known| *known == key),
            _ => {
                if places.is_empty() {
                    places = keys.iter().copied().zip(0..).collect();
                }
                places.get(&key).copied()
            }
        };
        match known.and_then(|place| all.get_mut(place)) {
            Some(known) => {
                known.destination.mask.0 |= destination.mask.0;
                known.destination.centroid |= destination.centroid;
            }
            None => {
                if !places.is_empty() {
                    places.insert(key, all.len());
                }
                keys.push(key);
                all.push(*declaration);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assemble::assemble;
    use crate::tokens::{RegisterKind, decode};
    use aquatint_base::{Diags, SourceId};

    #[test]
    fn lanes_of_one_register_and_semantic_are_joined_however_many_there_are() {
        let mut text = "vs_3_0\n".to_owned();
        for index in 0..16 {
            text.push_str(&format!("dcl_texcoord{index} v{index}.x\n"));
        }
        for index in 0..12 {
            text.push_str(&format!("dcl_texcoord{index} o{index}.xy\n"));
        }
        for index in 0..12 {
            text.push_str(&format!("dcl_texcoord{index} o{index}.z\n"));
        }
        text.push_str("mov o0, v0\n");
        let mut diags = Diags::new();
        let words = assemble(&text, SourceId(0), &Default::default(), &mut diags).expect("it assembles");
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let shader = decode(&bytes, SourceId(0), &Default::default(), &mut diags).expect("it decodes");
        let all = joined(&shader);
        let masks = |kind| all.iter().map(|d| d.destination).filter(move |d| d.register.kind == kind).map(|d| d.mask.0);
        assert_eq!(masks(RegisterKind::Input).collect::<Vec<_>>(), [0b0001; 16]);
        assert_eq!(masks(RegisterKind::Output).collect::<Vec<_>>(), [0b0111; 12]);
    }
}
