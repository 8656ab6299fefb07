//! Draws: compiled functions in the place of `aquatint_exec::interpret`'s programs, with the same rasteriser.

use super::bound::{Bound, Function};
use super::interface;
use super::job::{AttributeData, Draw, Picture, Target as Job};
use super::plan::{Scalar, Target, builtin};
use super::schedule::Threads;
use super::signature::StageKind;
use aquatint_exec::raster::{
    self, Effects, Elements, Interpolation, PixelCentre, PixelShader, Quad, QuadOutput, Sprite, Varying, Vertices,
};

/// Vertices that run together, as a SIMD group.
const BATCH: usize = 32;

/// Draws one after another into a cleared target.
pub(super) fn render(
    threads: &mut Threads,
    target: &Job,
    draws: &[Draw],
    functions: &[[Function; 2]],
) -> Result<Picture, String> {
    let mut made = raster::Target::new(target.width, target.height, &target.colors, target.depth, true)
        .map_err(|e| e.to_string())?;
    for attachment in 0..target.colors.len() {
        made.clear_color(attachment, target.clear);
    }
    made.clear_depth(target.clear_depth);
    made.clear_stencil(target.clear_stencil);
    let mut picture = Picture::default();
    for (draw, [vertex, fragment]) in draws.iter().zip(functions) {
        let vertex =
            Bound::new(vertex, &draw.vertex, StageKind::Vertex, BATCH).map_err(|e| format!("vertex function: {e}"))?;
        let fragment = Bound::new(fragment, &draw.fragment, StageKind::Fragment, 4)
            .map_err(|e| format!("fragment function: {e}"))?;
        let mut pair = Pair { threads, vertex, fragment };
        for instance in 0..draw.instances {
            pair.draw(draw, instance, &mut made)?;
        }
        picture.written.push([pair.vertex.written(), pair.fragment.written()]);
    }
    let places = || (0..target.height).flat_map(|y| (0..target.width).map(move |x| (x, y)));
    for attachment in 0..target.colors.len() {
        picture.colors.push(places().filter_map(|(x, y)| made.color(attachment, x, y)).collect());
    }
    picture.depth = places().filter_map(|(x, y)| made.depth(x, y)).collect();
    picture.stencil = places().filter_map(|(x, y)| made.stencil(x, y)).collect();
    Ok(picture)
}

struct Pair<'a> {
    threads: &'a mut Threads,
    vertex: Bound,
    fragment: Bound,
}

/// Shaded vertices.
#[derive(Default)]
struct Shaded {
    positions: Vec<[f32; 4]>,
    varyings: Vec<f32>,
    point_sizes: Vec<f32>,
    clip_distances: Vec<f32>,
}

impl Pair<'_> {
    fn draw(&mut self, draw: &Draw, instance: u32, target: &mut raster::Target) -> Result<(), String> {
        let mut state = draw.state.clone();
        state.varyings = self.layout(draw);
        let clip = self.vertex.plan.outputs.iter().find(|output| output.target == Target::ClipDistance);
        state.clip_distances = clip.map_or(0, |output| output.count.min(8)) as u8;
        let shaded = self.shade(draw, instance, state.clip_distances)?;
        let vertices = Vertices {
            positions: &shaded.positions,
            varyings: &shaded.varyings,
            point_sizes: &shaded.point_sizes,
            clip_distances: &shaded.clip_distances,
        };
        let elements = match &draw.indices {
            Some(indices) => Elements::Indices { indices, base: 0, restart: None },
            None => Elements::Range { first: 0, count: draw.vertex_count },
        };
        let prepared = raster::prepare(&state, vertices, draw.topology, elements).map_err(|e| e.to_string())?;
        let has = |wanted: &Target| self.fragment.plan.outputs.iter().any(|output| output.target == *wanted);
        let effects = Effects {
            kills: self.fragment.plan.discards || has(&Target::SampleMask),
            writes_depth: has(&Target::Depth),
            writes_stencil: has(&Target::Stencil),
            writes_memory: self.fragment.writes_memory(),
            early_tests: self.fragment.plan.early_tests,
        };
        self.threads.guarded = self.fragment.writable();
        let to_halves = if prepared.pixel_centre() == PixelCentre::D3d9 { 0.5 } else { 0.0 };
        let mut shader =
            FragmentShader { threads: self.threads, bound: &mut self.fragment, effects, to_halves, failure: None };
        prepared.draw_whole(target, &mut shader);
        let failure = shader.failure;
        self.threads.guarded.clear();
        failure.map_or(Ok(()), Err)
    }

    /// The layout of the varyings that the fragment function reads.
    fn layout(&self, draw: &Draw) -> Vec<Varying> {
        let mut all = Vec::new();
        for input in &self.fragment.plan.inputs {
            let mark = draw.marks.iter().find(|mark| mark.name == input.key);
            for component in 0..input.count {
                let sprite = match component {
                    _ if !draw.state.point_sprites || !mark.is_some_and(|mark| mark.sprite) => Sprite::Keep,
                    0 => Sprite::U,
                    1 => Sprite::V,
                    _ => Sprite::Zero,
                };
                let interpolation =
                    if input.scalar == Scalar::Integer { Interpolation::Flat } else { input.interpolation };
                all.push(Varying { interpolation, color: mark.is_some_and(|mark| mark.color), sprite });
            }
        }
        all
    }

    /// Runs the vertex function.
    fn shade(&mut self, draw: &Draw, instance: u32, distances: u8) -> Result<Shaded, String> {
        let mut all = Shaded::default();
        let outputs = self.vertex.plan.outputs.clone();
        let find = |target: &Target| outputs.iter().find(|output| output.target == *target);
        let (position, point_size) = (find(&Target::Position), find(&Target::PointSize));
        let clip = find(&Target::ClipDistance);
        let wanted: Vec<_> = self.fragment.plan.inputs.iter().map(|input| (input.count, input.key.clone())).collect();
        let wanted: Vec<_> = wanted.into_iter().map(|(count, key)| (count, find(&Target::User(key)))).collect();
        let bound = &mut self.vertex;
        let inputs = bound.plan.inputs.clone();
        let [vertex_id, instance_id] = ["vertex_id", "instance_id"].map(builtin);
        for first in (0..draw.vertex_count).step_by(BATCH) {
            let here = BATCH.min((draw.vertex_count - first) as usize);
            for lane in 0..here {
                let vertex = first + lane as u32;
                bound.set_builtin(lane, vertex_id, &[vertex]);
                bound.set_builtin(lane, instance_id, &[instance]);
                for input in &inputs {
                    let words = attribute(draw, input.location, input.scalar, vertex, instance);
                    if let Some(place) = bound.input(lane).get_mut(input.place..input.place + 4) {
                        place.copy_from_slice(&words);
                    }
                }
            }
            bound.clear_output();
            // SAFETY: threads and objects stay where they are during the run.
            unsafe {
                let threads: *mut Threads = self.threads;
                interface::enter(threads, &raw mut bound.objects, StageKind::Vertex);
                Threads::run(threads, bound.entry, bound.arguments(here), BATCH, 0).map_err(|e| e.to_string())?;
            }
            for lane in 0..here {
                let words = bound.output(lane);
                let float = |place: usize| words.get(place).map_or(0.0, |&word| f32::from_bits(word));
                all.positions.push(position.map_or([0.0; 4], |o| [0, 1, 2, 3].map(|k| float(o.place + k))));
                all.point_sizes.extend(point_size.map(|o| float(o.place)));
                if let Some(o) = clip {
                    all.clip_distances.extend((0..usize::from(distances)).map(|k| float(o.place + k)));
                }
                for (count, output) in &wanted {
                    let component = |k| output.filter(|o| k < o.count).map_or(0.0, |o| float(o.place + k));
                    all.varyings.extend((0..*count).map(component));
                }
            }
        }
        Ok(all)
    }
}

/// The words of an attribute.
fn attribute(draw: &Draw, location: u32, scalar: Scalar, vertex: u32, instance: u32) -> [u32; 4] {
    let Some(found) = draw.attributes.iter().find(|attribute| attribute.location == location) else { return [0; 4] };
    let index = if found.per_instance { instance } else { vertex } as usize;
    match &found.data {
        AttributeData::Float(all) => {
            let numbers = all.get(index).copied().unwrap_or_default();
            numbers.map(|number| if scalar == Scalar::Float { number.to_bits() } else { number as i64 as u32 })
        }
        AttributeData::Bits(all) => all.get(index).copied().unwrap_or_default(),
    }
}

/// The fragment function as the rasteriser's pixel shader.
struct FragmentShader<'a> {
    threads: &'a mut Threads,
    bound: &'a mut Bound,
    effects: Effects,
    /// What brings a pixel centre to halves, which a shader sees wherever the target's lie.
    to_halves: f32,
    failure: Option<String>,
}

impl FragmentShader<'_> {
    fn inputs(&mut self, quad: &Quad<'_>) {
        let bound = &mut *self.bound;
        let [position, front, point] = ["position", "front_facing", "point_coord"].map(builtin);
        let [primitive, mask, in_simd] = ["primitive_id", "sample_mask", "thread_index_in_simdgroup"].map(builtin);
        let [simd, width, in_quad] =
            ["threads_per_simdgroup", "thread_execution_width", "thread_index_in_quadgroup"].map(builtin);
        for lane in 0..4 {
            let [x, y, z, w] = quad.position.map(|channel| channel[lane]);
            let place = [x + self.to_halves, y + self.to_halves, z, w].map(f32::to_bits);
            bound.set_builtin(lane, position, &place);
            bound.set_builtin(lane, front, &[u32::from(quad.front)]);
            bound.set_builtin(lane, point, &quad.point_coord.map(|channel| channel[lane].to_bits()));
            bound.set_builtin(lane, primitive, &[quad.primitive]);
            bound.set_builtin(lane, mask, &[u32::from(quad.coverage >> lane & 1)]);
            bound.set_builtin(lane, in_simd, &[lane as u32]);
            bound.set_builtin(lane, in_quad, &[lane as u32]);
            bound.set_builtin(lane, simd, &[4]);
            bound.set_builtin(lane, width, &[4]);
        }
        let mut next = 0;
        for k in 0..bound.plan.inputs.len() {
            let (place, count) = (bound.plan.inputs[k].place, bound.plan.inputs[k].count);
            for component in 0..count {
                let lanes = quad.varyings.get(next).copied().unwrap_or_default();
                for (lane, number) in lanes.into_iter().enumerate() {
                    if let Some(word) = bound.input(lane).get_mut(place + component) {
                        *word = number.to_bits();
                    }
                }
                next += 1;
            }
        }
    }

    fn outputs(&self, out: &mut QuadOutput) {
        for lane in (0..4).filter(|&lane| self.threads.ended_as_helper(lane)) {
            out.kill |= 1 << lane;
        }
        let word = |lane: usize, place: usize| self.bound.output(lane).get(place).copied().unwrap_or(0);
        for output in &self.bound.plan.outputs {
            if let Target::Color(attachment) = output.target {
                let mut rgba = [[0.0; 4], [0.0; 4], [0.0; 4], [1.0; 4]];
                for (component, channel) in rgba.iter_mut().enumerate().take(output.count) {
                    for (lane, value) in channel.iter_mut().enumerate() {
                        let bits = word(lane, output.place + component);
                        *value = if output.scalar == Scalar::Float { f32::from_bits(bits) } else { bits as f32 };
                    }
                }
                out.set_color(attachment as usize, rgba);
            }
            for lane in 0..4 {
                let bits = word(lane, output.place);
                match output.target {
                    Target::Depth => out.depth[lane] = f32::from_bits(bits),
                    Target::Stencil => out.stencil[lane] = bits as u8,
                    Target::SampleMask if bits & 1 == 0 => out.kill |= 1 << lane,
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
            let helpers = u64::from(!quad.coverage & 15);
            // SAFETY: threads and objects stay where they are during the run.
            let ran = unsafe {
                let threads: *mut Threads = &mut *self.threads;
                interface::enter(threads, &raw mut self.bound.objects, StageKind::Fragment);
                Threads::run(threads, self.bound.entry, self.bound.arguments(4), 4, helpers)
            };
            match ran {
                Ok(()) => return self.outputs(out),
                Err(stuck) => self.failure = Some(stuck.to_string()),
            }
        }
        out.kill = 15;
    }
}
