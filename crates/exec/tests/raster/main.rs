//! Drawing against values worked out by hand from the rules in the module's documentation.

mod coverage;
mod draws;
mod interpolation;
mod outputs;

use aquatint_exec::compare::Compare;
use aquatint_exec::raster::mesh::Mesh;
use aquatint_exec::raster::{
    Blend, BlendEquation, BlendFactor, BlendOp, ClipY, ClipZ, ColorFormat, ColorState, Cull, DepthBias, DepthFormat,
    DepthState, DrawError, Effects, Elements, Interpolation, PixelCentre, PixelShader, Primitive, Provoking, Quad,
    QuadOutput, Rect, ShadeMode, Sprite, State, Statistics, StencilFace, StencilOp, StencilState, Target, Topology,
    Varying, Vertices, Viewport, Winding, assemble, prepare,
};

/// A small generator, so that cases are the same each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let x = self.0 ^ (self.0 >> 29);
        x.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 16
    }

    fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    fn unit(&mut self) -> f32 {
        self.below(1 << 24) as f32 / (1 << 24) as f32
    }

    fn signed(&mut self) -> f32 {
        self.unit() * 2.0 - 1.0
    }
}

fn fill(rgba: [f32; 4]) -> impl FnMut(&Quad<'_>, &mut QuadOutput) {
    move |_, out| out.fill_color(0, rgba)
}

/// The first four varyings as the colour.
fn show_varyings(quad: &Quad<'_>, out: &mut QuadOutput) {
    out.set_color(0, std::array::from_fn(|k| quad.varyings.get(k).copied().unwrap_or_default()));
}

fn target(width: u32, height: u32) -> Target {
    Target::new(width, height, &[ColorFormat::Float], Some(DepthFormat::Float32), true).expect("a good size")
}

fn draw_varying<S: PixelShader>(
    target: &mut Target,
    state: &State,
    topology: Topology,
    positions: &[[f32; 4]],
    varyings: &[f32],
    shader: &mut S,
) -> Statistics {
    let vertices = Vertices { positions, varyings, ..Vertices::default() };
    let elements = Elements::Range { first: 0, count: positions.len() as u32 };
    prepare(state, vertices, topology, elements).expect("a good draw").draw_whole(target, shader)
}

fn draw<S: PixelShader>(
    target: &mut Target,
    state: &State,
    topology: Topology,
    positions: &[[f32; 4]],
    shader: &mut S,
) -> Statistics {
    draw_varying(target, state, topology, positions, &[], shader)
}

fn red(target: &Target, x: u32, y: u32) -> f32 {
    target.color(0, x, y).expect("inside")[0]
}

fn count(target: &Target, value: f32) -> usize {
    let all = (0..target.height()).flat_map(|y| (0..target.width()).map(move |x| (x, y)));
    all.filter(|&(x, y)| red(target, x, y) == value).count()
}

/// Rows of `#` where red is set.
fn picture(target: &Target) -> Vec<String> {
    let row = |y| (0..target.width()).map(|x| if red(target, x, y) != 0.0 { '#' } else { '.' }).collect();
    (0..target.height()).map(row).collect()
}

/// A position at pixel coordinates (0 at the left and upper edge), depth z, for a y-up state.
fn pixel(target: &Target, x: f32, y: f32, z: f32) -> [f32; 4] {
    [x / target.width() as f32 * 2.0 - 1.0, 1.0 - y / target.height() as f32 * 2.0, z, 1.0]
}

/// The square −1…1 as a strip, at a depth.
fn screen(z: f32) -> [[f32; 4]; 4] {
    [[-1.0, 1.0, z, 1.0], [1.0, 1.0, z, 1.0], [-1.0, -1.0, z, 1.0], [1.0, -1.0, z, 1.0]]
}

fn additive(width: u32, height: u32) -> State {
    let colors = vec![ColorState { blend: Some(Blend::ADDITIVE), write_mask: 15 }];
    State { colors, ..State::new(width, height) }
}

fn close(a: f32, b: f32, tolerance: f32) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

/// A shader that kills odd columns, gives depths and stencil references, and counts its runs.
struct Special {
    effects: Effects,
    runs: usize,
}

impl PixelShader for Special {
    fn effects(&self) -> Effects {
        self.effects
    }

    fn shade(&mut self, quad: &Quad<'_>, out: &mut QuadOutput) {
        self.runs += 1;
        out.fill_color(0, [1.0; 4]);
        if self.effects.kills {
            out.kill = 0b1010;
        }
        out.depth = quad.position[0].map(|x| x / 4.0);
        out.stencil = [10, 11, 12, 13];
    }
}
