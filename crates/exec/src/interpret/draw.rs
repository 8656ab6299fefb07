//! Drawing: a vertex stage, the rasteriser, and a fragment program in one call.
//!
//! Varyings are matched by location. An integer varying travels as its bits, flat. What the vertex stage does not give is
//! zero; of a colour output with fewer than four components, green and blue are 0 and alpha is 1.

use super::{Error, Interface, Machine, Program, Resources};
use crate::raster::{
    self, Effects, Elements, PixelCentre, PixelShader, Prepared, Quad, QuadOutput, Sprite, State, Statistics, Target,
    Topology, Varying, Vertices,
};
use aquatint_ir::{Builtin, Interpolation, Sampling};
use std::fmt;

/// Lanes of the machine that shades vertices.
const VERTEX_LANES: usize = 32;

/// The contents of a vertex attribute, one entry a vertex (or instance).
#[derive(Clone, Copy, Debug)]
pub enum AttributeData<'a> {
    /// Floats; converted to the kind of the input.
    Float(&'a [[f32; 4]]),
    /// Integers; as they are.
    Bits(&'a [[u32; 4]]),
}

/// A vertex attribute.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    /// The location of the input.
    pub location: u32,
    /// Its contents; zeros beyond the end.
    pub data: AttributeData<'a>,
    /// Whether it advances by instance, not by vertex.
    pub per_instance: bool,
}

/// What a caller's own vertex stage gives for one vertex.
#[derive(Debug)]
pub struct ShadedVertex<'a> {
    /// Clip-space position.
    pub position: [f32; 4],
    /// Point size in pixels.
    pub point_size: f32,
    varyings: &'a mut [f32],
    places: &'a [Place],
}

impl ShadedVertex<'_> {
    /// Sets the varying of a location; one that the fragment program does not read is dropped.
    pub fn set(&mut self, location: u32, numbers: &[f32]) {
        if let Some(place) = self.places.iter().find(|place| place.location == location)
            && let Some(to) = self.varyings.get_mut(place.first..place.first + place.count)
        {
            for (to, from) in to.iter_mut().zip(numbers) {
                *to = if place.integer { f32::from_bits(*from as i64 as u32) } else { *from };
            }
        }
    }
}

/// Where vertices come from.
pub enum VertexSource<'a> {
    /// A vertex program.
    Program {
        /// The program.
        program: &'a Program,
        /// Its resources.
        resources: &'a mut Resources,
        /// Its attributes.
        attributes: &'a [Attribute<'a>],
        /// The instance.
        instance: u32,
    },
    /// The caller computes each vertex by number.
    Shaded(&'a mut dyn FnMut(u32, &mut ShadedVertex<'_>)),
}

/// The corners of a triangle that covers the whole target, by vertex number 0 to 2: the clip-space position, and a texture
/// coordinate that is (0, 0) at the upper left and (1, 1) at the lower right of the target.
pub fn full_screen(vertex: u32) -> ([f32; 4], [f32; 2]) {
    let (u, v) = match vertex {
        0 => (0.0, 0.0),
        1 => (2.0, 0.0),
        _ => (0.0, 2.0),
    };
    ([u * 2.0 - 1.0, 1.0 - v * 2.0, 0.0, 1.0], [u, v])
}

/// A draw.
pub struct DrawCall<'a> {
    /// The vertex stage.
    pub vertices: VertexSource<'a>,
    /// How many vertices are shaded: numbers 0 up to this.
    pub vertex_count: u32,
    /// How they join.
    pub topology: Topology,
    /// Which of them, in which order.
    pub elements: Elements<'a>,
    /// The fragment program.
    pub fragment: &'a Program,
    /// Its resources.
    pub resources: &'a mut Resources,
    /// The state; `varyings` and `clip_distances` are filled in from the programs.
    pub state: &'a State,
    /// Where to draw.
    pub target: &'a mut Target,
}

/// Why a draw failed.
#[derive(Clone, Debug, PartialEq)]
pub enum DrawError {
    /// The vertex program.
    Vertex(Error),
    /// The fragment program.
    Fragment(Error),
    /// The rasteriser.
    Raster(raster::DrawError),
}

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DrawError::Vertex(error) => write!(f, "vertex stage: {error}"),
            DrawError::Fragment(error) => write!(f, "fragment stage: {error}"),
            DrawError::Raster(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DrawError {}

/// A location's scalars among the varyings of a vertex.
#[derive(Clone, Copy, Debug)]
struct Place {
    location: u32,
    first: usize,
    count: usize,
    integer: bool,
}

/// The layout of the varyings that a fragment program reads.
fn layout(fragment: &Program, state: &State) -> (Vec<Place>, Vec<Varying>) {
    let (mut places, mut varyings) = (Vec::new(), Vec::new());
    for input in fragment.inputs() {
        let Some(location) = input.io.location else { continue };
        let integer = !input.kind.is_float();
        let interpolation = match (input.io.interpolation, input.io.sampling) {
            _ if integer => raster::Interpolation::Flat,
            (Interpolation::Flat, _) => raster::Interpolation::Flat,
            (Interpolation::Linear, _) => raster::Interpolation::Linear,
            (Interpolation::Perspective, Sampling::Centroid) => raster::Interpolation::Centroid,
            (Interpolation::Perspective, _) => raster::Interpolation::Perspective,
        };
        let named = |name: &str| input.usage.as_ref().is_some_and(|(usage, _)| usage == name);
        places.push(Place { location, first: varyings.len(), count: input.count, integer });
        for component in 0..input.count {
            let sprite = match component {
                _ if !state.point_sprites || !named("texcoord") => Sprite::Keep,
                0 => Sprite::U,
                1 => Sprite::V,
                _ => Sprite::Zero,
            };
            varyings.push(Varying { interpolation, color: named("color"), sprite });
        }
    }
    (places, varyings)
}

/// Shaded vertices, ready for the rasteriser.
#[derive(Default)]
struct Shaded {
    positions: Vec<[f32; 4]>,
    varyings: Vec<f32>,
    point_sizes: Vec<f32>,
    clip_distances: Vec<f32>,
}

impl DrawCall<'_> {
    /// Draws.
    ///
    /// # Errors
    /// [`DrawError`]; what was drawn before a fragment failed stays in the target.
    pub fn run(self) -> Result<Statistics, DrawError> {
        let mut state = self.state.clone();
        let (places, varyings) = layout(self.fragment, &state);
        state.varyings = varyings;
        state.clip_distances = 0;
        let scalars = state.varyings.len();
        let shaded = match self.vertices {
            VertexSource::Program { program, resources, attributes, instance } => {
                let distances = program.output_builtin(Builtin::ClipDistance).map_or(0, |output| output.count.min(8));
                state.clip_distances = distances as u8;
                shade(program, resources, attributes, instance, self.vertex_count, &places, scalars)
                    .map_err(DrawError::Vertex)?
            }
            VertexSource::Shaded(each) => call(each, self.vertex_count, &places, scalars, state.point_size),
        };
        let vertices = Vertices {
            positions: &shaded.positions,
            varyings: &shaded.varyings,
            point_sizes: &shaded.point_sizes,
            clip_distances: &shaded.clip_distances,
        };
        let prepared = raster::prepare(&state, vertices, self.topology, self.elements).map_err(DrawError::Raster)?;
        fragments(&prepared, self.fragment, self.resources, self.target).map_err(DrawError::Fragment)
    }
}

/// Runs the caller's vertex stage.
fn call(
    each: &mut dyn FnMut(u32, &mut ShadedVertex<'_>),
    count: u32,
    places: &[Place],
    scalars: usize,
    point_size: f32,
) -> Shaded {
    let mut all = Shaded { varyings: vec![0.0; scalars * count as usize], ..Shaded::default() };
    for vertex in 0..count {
        let first = vertex as usize * scalars;
        let varyings = all.varyings.get_mut(first..first + scalars).unwrap_or_default();
        let mut shaded = ShadedVertex { position: [0.0; 4], point_size, varyings, places };
        each(vertex, &mut shaded);
        all.positions.push(shaded.position);
        all.point_sizes.push(shaded.point_size);
    }
    all
}

/// Runs the vertex program.
fn shade(
    program: &Program,
    resources: &mut Resources,
    attributes: &[Attribute<'_>],
    instance: u32,
    count: u32,
    places: &[Place],
    scalars: usize,
) -> Result<Shaded, Error> {
    let mut all = Shaded::default();
    let mut machine = Machine::new(program, VERTEX_LANES.min(count.max(1) as usize))?;
    let position = program.output_builtin(Builtin::Position);
    let point_size = program.output_builtin(Builtin::PointSize);
    let clip = program.output_builtin(Builtin::ClipDistance);
    let outputs: Vec<_> = places.iter().map(|place| (place, program.output_at(place.location))).collect();
    let lanes = machine.lanes();
    for first in (0..count).step_by(lanes) {
        let here = lanes.min((count - first) as usize);
        for lane in 0..here {
            let vertex = first + lane as u32;
            for input in program.inputs() {
                set_vertex_input(&mut machine, input, lane, vertex, instance, attributes);
            }
        }
        machine.run(resources, here)?;
        for lane in 0..here {
            all.positions.push(position.map_or([0.0; 4], |output| machine.get_f32(output, lane)));
            if let Some(output) = point_size {
                all.point_sizes.push(machine.get_f32(output, lane)[0]);
            }
            if let Some(output) = clip {
                let one = |k| f32::from_bits(machine.get(output, k, lane) as u32);
                all.clip_distances.extend((0..output.count.min(8)).map(one));
            }
            let start = all.varyings.len();
            for (place, output) in &outputs {
                for component in 0..place.count {
                    all.varyings.push(output.map_or(0.0, |output| varying(&machine, output, component, lane)));
                }
            }
            debug_assert_eq!(all.varyings.len() - start, scalars);
        }
    }
    Ok(all)
}

/// A scalar on its way to the rasteriser: an integer as its bits.
fn varying(machine: &Machine<'_>, output: &Interface, component: usize, lane: usize) -> f32 {
    let bits = machine.get(output, component, lane);
    match output.kind.is_float() {
        true => f32::from_bits(aquatint_ir::eval::convert(output.kind, aquatint_ir::Scalar::F32, bits) as u32),
        false => f32::from_bits(bits as u32),
    }
}

fn set_vertex_input(
    machine: &mut Machine<'_>,
    input: &Interface,
    lane: usize,
    vertex: u32,
    instance: u32,
    attributes: &[Attribute<'_>],
) {
    match input.io.builtin {
        Some(Builtin::VertexIndex) => return machine.set_u32(input, lane, &[vertex]),
        Some(Builtin::InstanceIndex) => return machine.set_u32(input, lane, &[instance]),
        Some(_) => return,
        None => {}
    }
    let Some(attribute) = attributes.iter().find(|a| Some(a.location) == input.io.location) else { return };
    let index = if attribute.per_instance { instance } else { vertex } as usize;
    match attribute.data {
        AttributeData::Float(all) => {
            let numbers = all.get(index).copied().unwrap_or_default();
            machine.set_f32(input, lane, &numbers[..input.count.min(4)]);
        }
        AttributeData::Bits(all) => {
            let words = all.get(index).copied().unwrap_or_default();
            for (component, word) in words.into_iter().enumerate() {
                let bits = aquatint_ir::constants::mask(input.kind, u64::from(word));
                machine.set(input, component, lane, bits);
            }
        }
    }
}

/// Draws prepared primitives with a fragment program whose inputs have the layout that the primitives were prepared with.
fn fragments(
    prepared: &Prepared<'_>,
    program: &Program,
    resources: &mut Resources,
    target: &mut Target,
) -> Result<Statistics, Error> {
    let mut shader = FragmentShader::new(program, resources)?;
    // The position that a shader reads has its centres at halves, wherever the target's lie.
    if prepared.pixel_centre() == PixelCentre::D3d9 {
        shader.to_halves = 0.5;
    }
    let statistics = prepared.draw(&mut target.whole(), &mut shader);
    match shader.failure {
        Some(error) => Err(error),
        None => Ok(statistics),
    }
}

/// A fragment program as the rasteriser's pixel shader.
struct FragmentShader<'a> {
    machine: Machine<'a>,
    resources: &'a mut Resources,
    effects: Effects,
    failure: Option<Error>,
    /// What brings a pixel centre to halves.
    to_halves: f32,
}

impl<'a> FragmentShader<'a> {
    fn new(program: &'a Program, resources: &'a mut Resources) -> Result<Self, Error> {
        let effects = Effects {
            kills: program.discards() || program.output_builtin(Builtin::SampleMask).is_some(),
            writes_depth: program.output_builtin(Builtin::FragDepth).is_some(),
            writes_stencil: program.output_builtin(Builtin::FragStencil).is_some(),
            writes_memory: program.writes_memory(),
            early_tests: program.early_tests(),
        };
        Ok(Self { machine: Machine::new(program, 4)?, resources, effects, failure: None, to_halves: 0.0 })
    }

    fn inputs(&mut self, quad: &Quad<'_>) {
        let machine = &mut self.machine;
        let mut next = 0;
        for input in machine.program().inputs() {
            if input.io.location.is_some() {
                for component in 0..input.count {
                    let lanes = quad.varyings.get(next).copied().unwrap_or_default();
                    for (lane, number) in lanes.into_iter().enumerate() {
                        if input.kind.is_float() {
                            let bits = u64::from(number.to_bits());
                            let bits = aquatint_ir::eval::convert(aquatint_ir::Scalar::F32, input.kind, bits);
                            machine.set(input, component, lane, bits);
                        } else {
                            let bits = aquatint_ir::constants::mask(input.kind, u64::from(number.to_bits()));
                            machine.set(input, component, lane, bits);
                        }
                    }
                    next += 1;
                }
                continue;
            }
            for lane in 0..4 {
                match input.io.builtin {
                    Some(Builtin::Position) => {
                        let [x, y, z, w] = quad.position.map(|channel| channel[lane]);
                        machine.set_f32(input, lane, &[x + self.to_halves, y + self.to_halves, z, w]);
                    }
                    Some(Builtin::FrontFacing) => machine.set_u32(input, lane, &[u32::from(quad.front)]),
                    Some(Builtin::PointCoord) => {
                        machine.set_f32(input, lane, &quad.point_coord.map(|channel| channel[lane]));
                    }
                    Some(Builtin::PrimitiveId) => machine.set_u32(input, lane, &[quad.primitive]),
                    Some(Builtin::SampleMask) => {
                        machine.set_u32(input, lane, &[u32::from(quad.coverage >> lane & 1)]);
                    }
                    _ => {}
                }
            }
        }
        for lane in 0..4 {
            machine.set_helper(lane, quad.coverage >> lane & 1 == 0);
        }
    }

    fn outputs(&self, out: &mut QuadOutput) {
        let machine = &self.machine;
        for lane in 0..4 {
            if !machine.is_live(lane) {
                out.kill |= 1 << lane;
            }
        }
        for output in machine.program().outputs() {
            if let Some(location) = output.io.location {
                let mut rgba = [[0.0; 4], [0.0; 4], [0.0; 4], [1.0; 4]];
                for lane in 0..4 {
                    let color = machine.get_f32(output, lane);
                    for (channel, value) in rgba.iter_mut().zip(color).take(output.count) {
                        channel[lane] = value;
                    }
                }
                // The second source of dual-source blending stands at the next attachment.
                out.set_color(location as usize + output.io.blend_index as usize, rgba);
            }
            for lane in 0..4 {
                match output.io.builtin {
                    Some(Builtin::FragDepth) => out.depth[lane] = machine.get_f32(output, lane)[0],
                    Some(Builtin::FragStencil) => out.stencil[lane] = machine.get(output, 0, lane) as u8,
                    Some(Builtin::SampleMask) if machine.get(output, 0, lane) & 1 == 0 => out.kill |= 1 << lane,
                    _ => {}
                }
            }
        }
    }
}

impl PixelShader for FragmentShader<'_> {
    fn effects(&self) -> Effects {
        self.effects
    }

    fn shade(&mut self, quad: &Quad<'_>, out: &mut QuadOutput) {
        if self.failure.is_none() {
            self.inputs(quad);
            match self.machine.run(self.resources, 4) {
                Ok(()) => return self.outputs(out),
                Err(error) => self.failure = Some(error),
            }
        }
        out.kill = 15;
    }
}
