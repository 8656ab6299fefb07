//! Usages, and the locations at which the two stages meet.
//!
//! The register number means nothing across stages; (usage, index) does (sheet 3.1). Either stage can be translated alone,
//! so the usual semantics have fixed locations; the rest are numbered after them, or as a link map says.

use crate::tokens::Usage;

/// A semantic: usage and index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Semantic {
    /// Usage of the dcl.
    pub usage: Usage,
    /// Index behind it, 0–15.
    pub index: u8,
}

impl Semantic {
    /// A semantic.
    pub const fn new(usage: Usage, index: u8) -> Self {
        Self { usage, index }
    }

    /// Lower-case usage and, unless it is 0, the index: `texcoord3`, `fog`.
    pub fn text(self) -> String {
        if self.index == 0 { self.usage.name().to_owned() } else { format!("{}{}", self.usage.name(), self.index) }
    }
}

/// Semantics with a location of their own, in the order of the locations.
const FIXED: [(Usage, u8, u8); 16] = [
    (Usage::Normal, 0, 1),
    (Usage::TexCoord, 0, 8),
    (Usage::Color, 0, 2),
    (Usage::Fog, 0, 1),
    (Usage::TexCoord, 8, 8),
    (Usage::Color, 2, 2),
    (Usage::Tangent, 0, 1),
    (Usage::Binormal, 0, 1),
    (Usage::BlendWeight, 0, 1),
    (Usage::BlendIndices, 0, 1),
    (Usage::Position, 0, 2),
    (Usage::Normal, 1, 1),
    (Usage::Depth, 0, 1),
    (Usage::PositionT, 0, 1),
    (Usage::PSize, 0, 1),
    (Usage::Sample, 0, 0),
];

/// First location behind the fixed ones.
pub const FREE_LOCATION: u32 = 32;

/// The fixed location of a semantic between the stages, if it has one: NORMAL0, TEXCOORD0–7, COLOR0–1, FOG0, TEXCOORD8–15,
/// COLOR2–3, TANGENT0, BINORMAL0, BLENDWEIGHT0, BLENDINDICES0, POSITION0–1, NORMAL1, DEPTH0, POSITIONT0, PSIZE0.
pub fn fixed_location(semantic: Semantic) -> Option<u32> {
    let mut location = 0;
    for (usage, first, count) in FIXED {
        if semantic.usage == usage && (first..first + count).contains(&semantic.index) {
            return Some(location + u32::from(semantic.index - first));
        }
        location += u32::from(count);
    }
    None
}

/// The locations of a set of semantics: fixed ones, explicit ones of `map`, and the others behind them in the order of
/// (usage, index), so that two stages that name the same set agree without knowing each other.
pub fn locations(semantics: &[Semantic], map: &[(Semantic, u32)]) -> Vec<(Semantic, u32)> {
    // Nearly all shaders keep to the semantics that have a place of their own.
    if map.is_empty() {
        let fixed = semantics.iter().map(|&semantic| Some((semantic, fixed_location(semantic)?))).collect();
        if let Some(fixed) = fixed {
            return fixed;
        }
    }
    let mut sorted: Vec<Semantic> = semantics.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let mut next = FREE_LOCATION;
    sorted
        .into_iter()
        .map(|semantic| {
            let given = map.iter().find(|(s, _)| *s == semantic).map(|&(_, location)| location);
            let location = given.or_else(|| fixed_location(semantic)).unwrap_or_else(|| {
                while map.iter().any(|&(_, taken)| taken == next) {
                    next += 1;
                }
                next += 1;
                next - 1
            });
            (semantic, location)
        })
        .collect()
}

/// Direct3D 8's fixed meaning of v0–v15 in a vs_1_1 without dcl (sheet 3.2).
pub fn direct3d8_input(register: u8) -> Option<Semantic> {
    Some(match register {
        0 => Semantic::new(Usage::Position, 0),
        1 => Semantic::new(Usage::BlendWeight, 0),
        2 => Semantic::new(Usage::BlendIndices, 0),
        3 => Semantic::new(Usage::Normal, 0),
        4 => Semantic::new(Usage::PSize, 0),
        5 | 6 => Semantic::new(Usage::Color, register - 5),
        7..=14 => Semantic::new(Usage::TexCoord, register - 7),
        15 => Semantic::new(Usage::Position, 1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_by_semantic_not_number() {
        // Sheet 3.1: NORMAL0, TEXCOORD0–7, COLOR0, COLOR1, FOG0 in this order.
        let at = |usage, index| fixed_location(Semantic::new(usage, index));
        assert_eq!(at(Usage::Normal, 0), Some(0));
        assert_eq!(at(Usage::TexCoord, 0), Some(1));
        assert_eq!(at(Usage::TexCoord, 7), Some(8));
        assert_eq!(at(Usage::Color, 0), Some(9));
        assert_eq!(at(Usage::Color, 1), Some(10));
        assert_eq!(at(Usage::Fog, 0), Some(11));
        assert_eq!(at(Usage::TexCoord, 15), Some(19));
        assert_eq!(at(Usage::Sample, 2), None);
    }

    #[test]
    fn every_fixed_location_is_its_own_and_below_the_free_ones() {
        let mut seen = std::collections::HashSet::new();
        for usage in Usage::ALL {
            for index in 0..16 {
                if let Some(location) = fixed_location(Semantic::new(*usage, index)) {
                    assert!(location < FREE_LOCATION && seen.insert(location), "{usage:?}{index}");
                }
            }
        }
    }

    #[test]
    fn two_stages_that_name_the_same_set_agree() {
        let a = [Semantic::new(Usage::Sample, 2), Semantic::new(Usage::Fog, 3), Semantic::new(Usage::Color, 0)];
        let mut b = a;
        b.reverse();
        assert_eq!(locations(&a, &[]), locations(&b, &[]));
        let map = [(a[0], 32)];
        assert_eq!(locations(&a, &map).iter().find(|(s, _)| *s == a[1]).map(|x| x.1), Some(33));
    }
}
