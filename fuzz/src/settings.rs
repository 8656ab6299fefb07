//! Options made from bytes.

use aquatint_d3d9::driver::{
    self, AlphaTest, CompareFunction, FogBlend, FogCoordinate, FogFactor, PointSize, VertexFog,
};
use aquatint_d3d9::lower::{self, FloatRules, LinkedOutputs, Projection, ScalarLane, Semantic, TextureKind};
use aquatint_d3d9::tokens::Usage;

/// Takes choices off the front of some bytes; without bytes left, each choice is the first.
pub struct Choices<'a>(pub &'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.0.split_first().unwrap_or((&0, &[]));
        self.0 = rest;
        *first
    }

    /// One of a list.
    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A number below a limit of at most 256.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()) % limit
    }
}

/// Some bytes, widened to more choices than they are.
pub fn widen(trailing: &[u8]) -> Vec<u8> {
    let mut state = trailing
        .iter()
        .fold(0x9E37_79B9_7F4A_7C15u64, |state, &byte| (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3));
    let count = if trailing.is_empty() { 0 } else { 64 };
    (0..count)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        })
        .collect()
}

/// Options of the lowering.
pub fn lowering(choices: &mut Choices<'_>) -> lower::Options {
    let mut options = lower::Options {
        float: choices.of(&[FloatRules::Strict, FloatRules::Fast, FloatRules::Ieee]),
        scalar_lane: choices.of(&[ScalarLane::X, ScalarLane::W]),
        coissued_cnd_first: choices.of(&[false, true]),
        depth_compare: u16::from(choices.byte()),
        fetch4: u16::from(choices.byte()),
        pack_by_ctab: choices.of(&[false, true]),
        defs_uploaded: choices.of(&[false, true]),
        msaa: choices.of(&[false, true]),
        ..lower::Options::default()
    };
    for kind in &mut options.texture_kinds {
        *kind = choices.of(&[None, Some(TextureKind::D2), Some(TextureKind::Cube), Some(TextureKind::Volume)]);
    }
    for projection in &mut options.projections {
        *projection = choices.of(&[Projection::None, Projection::Count2, Projection::Count3, Projection::Count4]);
    }
    for value in options.bools.iter_mut().take(4) {
        *value = choices.of(&[None, Some(false), Some(true)]);
    }
    if choices.of(&[false, true]) {
        let mut semantic = || {
            let usage = choices.of(&[Usage::Color, Usage::TexCoord, Usage::Fog, Usage::Normal, Usage::Position]);
            Semantic::new(usage, choices.byte() % 16)
        };
        let written = [semantic(), semantic(), semantic()].map(|semantic| (semantic, semantic.index));
        options.linked = Some(LinkedOutputs { major: choices.of(&[1, 2, 3]), written: written.to_vec() });
    }
    options
}

/// Options of the driver's passes.
pub fn driver(choices: &mut Choices<'_>) -> driver::Options {
    use CompareFunction::*;
    let functions = [Never, Less, Equal, LessEqual, Greater, NotEqual, GreaterEqual, Always];
    driver::Options {
        alpha_test: choices
            .of(&[false, true])
            .then(|| AlphaTest { function: choices.of(&functions), reference: choices.of(&[None, Some(0.5)]) }),
        fog: choices.of(&[false, true]).then(|| FogBlend {
            factor: choices.of(&[FogFactor::Vertex, FogFactor::Linear, FogFactor::Exp, FogFactor::Exp2]),
            coordinate: choices.of(&[FogCoordinate::Z, FogCoordinate::W]),
            color: choices.of(&[None, Some([0.25; 3])]),
            range: choices.of(&[None, Some([0.0, 1.0, 0.5])]),
        }),
        srgb_write: choices.of(&[0, 1, 0xFF]),
        clamp_targets: choices.of(&[0, 1, 0xFF]),
        point_sprite: choices.of(&[false, true]),
        flat_colors: choices.of(&[false, true]),
        vertex_fog: choices.of(&[None, Some(VertexFog::Default(1.0)), Some(VertexFog::Depth), Some(VertexFog::W)]),
        point_size: choices.of(&[None, Some(PointSize { fixed: None }), Some(PointSize { fixed: Some([1.0; 3]) })]),
        clip_planes: choices.of(&[0, 1, 6]),
        half_pixel: choices.of(&[false, true]),
    }
}
