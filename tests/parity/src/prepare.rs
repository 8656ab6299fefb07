//! From a case and a float mode to a pair of modules with everything that they read: what a renderer on top of the
//! translator would do for each draw.

use crate::golden::Case;
use crate::job::{Draw, Kind, State, sampler_number};
use crate::translate;
use aquatint_d3d9::driver::extras::PIXEL_BYTES;
use aquatint_d3d9::driver::{
    self, AlphaTest, CompareFunction, FogBlend, FogCoordinate, FogFactor, PointSize, VertexFog,
};
use aquatint_d3d9::lower::{FloatRules, LinkedOutputs, Lowered, Options, Projection, ScalarLane, TextureKind};
use aquatint_d3d9::tokens::Shader;

/// A pair of stages, ready to draw.
pub struct Pair {
    /// The vertex stage.
    pub vertex: Lowered,
    /// The pixel stage.
    pub pixel: Lowered,
    /// The uniform block at b0 of each stage.
    pub uniforms: [Vec<u8>; 2],
    /// The driver's block at b1 of the pixel stage.
    pub extras: Vec<u8>,
    /// The attributes that the vertex stage reads, by location.
    pub attributes: Vec<(u32, Vec<[f32; 4]>)>,
}

/// How a case is lowered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    /// Float rules.
    pub float: FloatRules,
    /// Scalar opcodes read w.
    pub lane_w: bool,
    /// Co-issued `cnd` takes its first choice.
    pub first_choice: bool,
}

impl Mode {
    /// A mode with the options of a case file.
    ///
    /// # Errors
    /// An option that is not known.
    pub fn new(float: FloatRules, options: &[String]) -> Result<Self, String> {
        let mut mode = Mode { float, lane_w: false, first_choice: false };
        for option in options {
            match option.as_str() {
                "scalar_lane=w" => mode.lane_w = true,
                "coissued_cnd=first" => mode.first_choice = true,
                other => return Err(format!("the option '{other}'")),
            }
        }
        Ok(mode)
    }
}

fn lowering(state: &State, mode: Mode, pixel: u32, linked: Option<LinkedOutputs>) -> Options {
    let mut options = Options {
        float: mode.float,
        scalar_lane: if mode.lane_w { ScalarLane::W } else { ScalarLane::X },
        coissued_cnd_first: mode.first_choice,
        linked,
        ..Options::default()
    };
    for (stage, place) in (0..).zip(&mut options.texture_kinds) {
        if let Some(texture) = state.textures.get(&sampler_number(pixel, stage)) {
            *place = Some(match texture.kind {
                Kind::D2 => TextureKind::D2,
                Kind::Cube => TextureKind::Cube,
                Kind::Volume => TextureKind::Volume,
            });
        }
    }
    for (&(stage, key), &value) in &state.stages {
        if key == 24
            && value & 256 != 0
            && let Some(place) = options.projections.get_mut(stage as usize)
        {
            *place = match value & 255 {
                2 => Projection::Count2,
                3 => Projection::Count3,
                _ => Projection::Count4,
            };
        }
    }
    options
}

fn driver_options(state: &State) -> driver::Options {
    let render = |key: u32, default: u32| state.render.get(&key).copied().unwrap_or(default);
    let mut options = driver::Options::default();
    if render(15, 0) != 0 {
        let function = CompareFunction::from_number(render(25, 8)).unwrap_or(CompareFunction::Always);
        options.alpha_test = Some(AlphaTest { function, reference: None });
    }
    if render(28, 0) != 0 {
        let factor = match render(35, 0) {
            1 => FogFactor::Exp,
            2 => FogFactor::Exp2,
            3 => FogFactor::Linear,
            _ => FogFactor::Vertex,
        };
        if factor == FogFactor::Vertex {
            options.vertex_fog = Some(VertexFog::Default(0.0));
        }
        options.fog = Some(FogBlend { factor, coordinate: FogCoordinate::Z, color: None, range: None });
    }
    options.flat_colors = render(9, 2) == 1;
    // Points are one pixel large unless the shader says otherwise, and never smaller.
    options.point_size = Some(PointSize { fixed: Some([1.0, 64.0, 1.0]) });
    options
}

/// The driver's block of the pixel stage, as its documentation lays it out.
fn extras(state: &State) -> Vec<u8> {
    let render = |key: u32, default: u32| state.render.get(&key).copied().unwrap_or(default);
    let mut floats = vec![0.0f32; PIXEL_BYTES as usize / 4];
    floats[0] = (render(24, 0) & 0xFF) as f32;
    floats[1] = render(28, 0) as f32;
    let color = render(34, 0);
    for (lane, shift) in [16, 8, 0, 24].into_iter().enumerate() {
        floats[4 + lane] = (color >> shift & 0xFF) as f32 / 255.0;
    }
    let one = 1.0f32.to_bits();
    floats[8..11].copy_from_slice(&[render(36, 0), render(37, one), render(38, one)].map(f32::from_bits));
    for stage in 0..8 {
        let value = |key| f32::from_bits(state.stages.get(&(stage, key)).copied().unwrap_or(0));
        let at = 12 + 8 * stage as usize;
        floats[at..at + 6].copy_from_slice(&[7, 8, 9, 10, 22, 23].map(value));
    }
    floats.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// Decodes both stages of a case.
///
/// # Errors
/// Why a stage is refused.
pub fn decode(case: &Case) -> Result<[Shader; 2], String> {
    let stage = |words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        translate::decode(&bytes)
    };
    Ok([stage(&case.words[0])?, stage(&case.words[1])?])
}

/// Lowers, drives and cleans both stages for a draw.
///
/// # Errors
/// Why a stage is refused.
pub fn prepare(shaders: &[Shader; 2], draw: &Draw, mode: Mode) -> Result<Pair, String> {
    let state = &draw.state;
    let drive = driver_options(state);
    let stage = |shader: &Shader, options: &Options| -> Result<Lowered, String> {
        let mut lowered = translate::lower_only(shader, options)?;
        driver::apply(&mut lowered, &drive);
        translate::verify(&lowered.module)?;
        translate::clean(&mut lowered.module)?;
        Ok(lowered)
    };
    let vertex = stage(&shaders[0], &lowering(state, mode, 0, None))?;
    let written = vertex.reflection.outputs.iter().map(|o| (o.semantic, o.mask)).collect();
    let linked = LinkedOutputs { major: shaders[0].version.major, written };
    let pixel = stage(&shaders[1], &lowering(state, mode, 1, Some(linked)))?;
    let pack = |lowered: &Lowered, at: usize| {
        let all = &state.constants[at];
        lowered.reflection.pack(&all.floats, &all.ints, &all.bools)
    };
    let uniforms = [pack(&vertex, 0), pack(&pixel, 1)];
    let attributes = vertex
        .reflection
        .inputs
        .iter()
        .filter_map(|i| Some((i.location?, draw.attribute(i.semantic.usage, i.semantic.index))))
        .collect();
    Ok(Pair { vertex, pixel, uniforms, extras: extras(state), attributes })
}
