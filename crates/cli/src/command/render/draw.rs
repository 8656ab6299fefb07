//! The state, and drawing in bands on all cores.

use super::constants::{Both, Constants};
use super::impossible;
use super::scene::Scene;
use super::stage::Stage;
use super::texture::Bindings;
use crate::args::low;
use crate::exit::Failure;
use aquatint::d3d9::driver::extras;
use aquatint::exec::compare::Compare;
use aquatint::exec::interpret::Resources;
use aquatint::exec::interpret::draw::{Attribute, AttributeData, DrawCall, DrawError, ShadedVertex, VertexSource};
use aquatint::exec::raster::{
    Blend, BlendFactor, BlendOp, ColorFormat, ColorState, Cull, DepthFormat, DepthState, Elements, PixelCentre, Rect,
    State, Target, Topology,
};
use aquatint::exec::texture::{Sampler, Texture};
use aquatint::ir::RegisterClass;
use rayon::prelude::*;

/// Rows of a band: even, so that no quad is cut, and few, so that no core waits long for another.
const BAND: u32 = 16;
/// Pixels below which threads cost more than they bring.
const ALONE: u32 = 4096;

/// Everything that a draw takes.
pub struct Picture<'a> {
    /// The command line.
    pub low: &'a low::Render,
    /// Vertices.
    pub scene: &'a Scene,
    /// The vertex shader.
    pub vertex: Option<&'a Stage>,
    /// The pixel shader.
    pub pixel: &'a Stage,
    /// Constants of both.
    pub constants: &'a Both,
    /// Textures and samplers of both.
    pub textures: &'a Bindings,
}

/// A picture that was drawn.
pub struct Drawn {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Pixels of the chosen colour target.
    pub rgba: Vec<u8>,
    /// Depths.
    pub depth: Vec<f32>,
}

impl Drawn {
    /// Takes rows of a target.
    fn take(&mut self, target: &Target, rgba: &[u8], row: u32, rows: u32) {
        let width = self.width as usize;
        let range = row as usize * width..(row + rows) as usize * width;
        let bytes = 4 * range.start..4 * range.end;
        if let (Some(to), Some(from)) = (self.rgba.get_mut(bytes.clone()), rgba.get(bytes)) {
            to.copy_from_slice(from);
        }
        if let Some(to) = self.depth.get_mut(range) {
            for (place, depth) in to.iter_mut().enumerate() {
                *depth = target.depth((place % width) as u32, row + (place / width) as u32).unwrap_or(1.0);
            }
        }
    }
}

/// What a thread draws with.
struct Worker {
    target: Target,
    vertex: Resources,
    pixel: Resources,
}

impl Picture<'_> {
    /// Draws the picture.
    pub fn draw(&self) -> Result<Drawn, Failure> {
        let [width, height] = self.low.size;
        let state = self.state()?;
        let starts: Vec<u32> = (0..height).step_by(BAND as usize).collect();
        let alone = width * height <= ALONE;
        let workers = if alone { 1 } else { rayon::current_num_threads().min(starts.len()).max(1) };
        // Each thread has a target of its own, in which it draws every so manieth band; they are put together after.
        let draw = |worker: usize| -> Result<(Vec<u32>, Target), Failure> {
            let share: Vec<u32> = starts.iter().copied().skip(worker).step_by(workers).collect();
            let mut worker = self.worker()?;
            share.iter().try_for_each(|&row| self.rows(&state, row, BAND.min(height - row), &mut worker))?;
            Ok((share, worker.target))
        };
        let drawn: Vec<Result<_, Failure>> =
            if alone { vec![draw(0)] } else { (0..workers).into_par_iter().map(draw).collect() };
        let pixels = width as usize * height as usize;
        let mut whole = Drawn { width, height, rgba: vec![0; 4 * pixels], depth: vec![1.0; pixels] };
        for one in drawn {
            let (share, target) = one?;
            let rgba = target.rgba8(self.low.color_target as usize).unwrap_or_default();
            share.iter().for_each(|&row| whole.take(&target, &rgba, row, BAND.min(height - row)));
        }
        Ok(whole)
    }

    /// Draws some rows.
    fn rows(&self, state: &State, row: u32, rows: u32, worker: &mut Worker) -> Result<(), Failure> {
        let scissor = Rect { x0: 0, y0: row as i32, x1: self.low.size[0] as i32, y1: (row + rows) as i32 };
        let state = State { scissor: Some(scissor), ..state.clone() };
        let inputs = self.vertex.map_or(&[][..], |vertex| &vertex.reflection.inputs);
        let contents: Vec<(u32, Vec<[f32; 4]>)> =
            inputs.iter().filter_map(|input| Some((input.location?, self.scene.attribute(input.semantic)))).collect();
        let attributes: Vec<Attribute<'_>> = contents
            .iter()
            .map(|(location, data)| Attribute {
                location: *location,
                data: AttributeData::Float(data),
                per_instance: false,
            })
            .collect();
        let mut shade = |number: u32, out: &mut ShadedVertex<'_>| self.scene.shade(number, self.pixel, out);
        let vertices = match self.vertex {
            Some(vertex) => VertexSource::Program {
                program: &vertex.program,
                resources: &mut worker.vertex,
                attributes: &attributes,
                instance: 0,
            },
            None => VertexSource::Shaded(&mut shade),
        };
        let elements = match &self.scene.mesh {
            Some(mesh) => Elements::Indices { indices: &mesh.indices, base: 0, restart: None },
            None => Elements::Range { first: 0, count: 3 },
        };
        let call = DrawCall {
            vertices,
            vertex_count: self.scene.vertices(),
            topology: Topology::TriangleList,
            elements,
            fragment: &self.pixel.program,
            resources: &mut worker.pixel,
            state: &state,
            target: &mut worker.target,
        };
        call.run().map(|_| ()).map_err(|error| {
            let name = match (&error, self.vertex) {
                (DrawError::Vertex(_), Some(vertex)) => &vertex.name,
                _ => &self.pixel.name,
            };
            Failure::Shader(Box::new(impossible(format!("'{name}': {error}"))))
        })
    }

    fn worker(&self) -> Result<Worker, Failure> {
        let [width, height] = self.low.size;
        // As many colour targets as the shader writes, or as the picture is taken from.
        let written = self.pixel.reflection.outputs.iter().filter_map(|output| output.location).max().unwrap_or(0);
        let colors = vec![ColorFormat::Unorm8; written.max(self.low.color_target).min(7) as usize + 1];
        let mut target = Target::new(width, height, &colors, Some(DepthFormat::Float32), false)
            .map_err(|error| Failure::Usage(error.to_string()))?;
        (0..colors.len()).for_each(|attachment| target.clear_color(attachment, self.low.clear));
        let bind = |stage: Option<&Stage>, constants: &Constants, textures: &[(u32, Texture)]| {
            stage.map_or_else(Resources::new, |stage| self.resources(stage, constants, textures))
        };
        Ok(Worker {
            target,
            vertex: bind(self.vertex, &self.constants.vertex, &self.textures.vertex),
            pixel: bind(Some(self.pixel), &self.constants.pixel, &self.textures.pixel),
        })
    }

    /// Binds all that a stage reads.
    fn resources(&self, stage: &Stage, constants: &Constants, textures: &[(u32, Texture)]) -> Resources {
        let mut resources = Resources::new();
        for binding in stage.program.resources().iter().filter_map(|resource| resource.binding) {
            match (binding.class, binding.register) {
                (RegisterClass::B, 0) => {
                    let (floats, ints) = (constants.floats.values(), constants.ints.values());
                    let bytes = stage.reflection.pack(floats, ints, constants.bools.values());
                    resources.set_buffer(binding, bytes);
                }
                (RegisterClass::B, _) => resources.set_buffer(binding, self.driver_block(stage)),
                (RegisterClass::T, register) => {
                    if let Some((_, texture)) = textures.iter().find(|(number, _)| *number == register) {
                        resources.set_texture(binding, texture.clone());
                    }
                }
                (RegisterClass::S, register) => {
                    let sampler: Option<&Sampler> = self.textures.samplers.get(register as usize);
                    resources.set_sampler(binding, sampler.cloned().unwrap_or_default());
                }
                (RegisterClass::U, _) => {}
            }
        }
        resources
    }

    /// The driver's block of a stage. What the options fix is in the code already.
    fn driver_block(&self, stage: &Stage) -> Vec<u8> {
        let [width, height] = self.low.size.map(|side| side as f32);
        let (size, values): (u32, &[(usize, f32)]) = match stage.reflection.version.is_pixel() {
            // Fog from 0 to 1, of density 1.
            true => (extras::PIXEL_BYTES, &[(36, 1.0), (40, 1.0)]),
            false => {
                // Half a pixel in clip units, and point sizes up to what Direct3D 9 hardware had.
                (extras::VERTEX_BYTES, &[(0, 1.0 / width), (4, -1.0 / height), (16, 1.0), (20, 8192.0), (24, 1.0)])
            }
        };
        let mut bytes = vec![0; size as usize];
        for (offset, value) in values {
            if let Some(place) = bytes.get_mut(*offset..offset + 4) {
                place.copy_from_slice(&value.to_le_bytes());
            }
        }
        bytes
    }

    fn state(&self) -> Result<State, Failure> {
        let low = self.low;
        let [width, height] = low.size;
        let depth =
            low.depth.unwrap_or(if self.scene.mesh.is_some() { low::Depth::Lessequal } else { low::Depth::Off });
        let compare = match depth {
            low::Depth::Off | low::Depth::Always => Compare::Always,
            low::Depth::Never => Compare::Never,
            low::Depth::Less => Compare::Less,
            low::Depth::Equal => Compare::Equal,
            low::Depth::Lessequal => Compare::LessEqual,
            low::Depth::Greater => Compare::Greater,
            low::Depth::Notequal => Compare::NotEqual,
            low::Depth::Greaterequal => Compare::GreaterEqual,
        };
        let blend = blend(&low.blend)?;
        let mut state = State::new(width, height);
        state.pixel_centre = match low.pixel_centre {
            low::PixelCentre::Half => PixelCentre::HalfInteger,
            low::PixelCentre::D3d9 => PixelCentre::D3d9,
        };
        state.cull = match low.cull {
            low::Cull::None => Cull::None,
            low::Cull::Cw => Cull::Front,
            low::Cull::Ccw => Cull::Back,
        };
        state.depth = DepthState { test: depth != low::Depth::Off, write: true, compare, ..DepthState::default() };
        state.colors = vec![ColorState { blend, ..ColorState::default() }; 8];
        state.point_sprites = low.shader.point_sprite;
        Ok(state)
    }
}

/// Factors by their names in Direct3D 9.
const FACTORS: [(&str, BlendFactor); 13] = [
    ("zero", BlendFactor::Zero),
    ("one", BlendFactor::One),
    ("srccolor", BlendFactor::SrcColor),
    ("invsrccolor", BlendFactor::InvSrcColor),
    ("srcalpha", BlendFactor::SrcAlpha),
    ("invsrcalpha", BlendFactor::InvSrcAlpha),
    ("destalpha", BlendFactor::DstAlpha),
    ("invdestalpha", BlendFactor::InvDstAlpha),
    ("destcolor", BlendFactor::DstColor),
    ("invdestcolor", BlendFactor::InvDstColor),
    ("srcalphasat", BlendFactor::SrcAlphaSaturate),
    ("srccolor2", BlendFactor::Src1Color),
    ("invsrccolor2", BlendFactor::InvSrc1Color),
];

/// Operations by their names in Direct3D 9.
const OPERATIONS: [(&str, BlendOp); 5] = [
    ("add", BlendOp::Add),
    ("subtract", BlendOp::Subtract),
    ("revsubtract", BlendOp::ReverseSubtract),
    ("min", BlendOp::Min),
    ("max", BlendOp::Max),
];

/// `none`, `over`, `add`, `multiply`, or `SOURCE,DEST[,OP]`.
fn blend(text: &str) -> Result<Option<Blend>, Failure> {
    match text {
        "none" => return Ok(None),
        "over" => return Ok(Some(Blend::OVER)),
        "add" => return Ok(Some(Blend::ADDITIVE)),
        "multiply" => return Ok(Some(Blend::uniform(BlendFactor::Zero, BlendFactor::SrcColor, BlendOp::Add))),
        _ => {}
    }
    let parts: Vec<&str> = text.split(',').collect();
    let factor = |name: &str| FACTORS.iter().find(|(known, _)| *known == name).map(|(_, factor)| *factor);
    let operation = |name: &str| OPERATIONS.iter().find(|(known, _)| *known == name).map(|(_, operation)| *operation);
    let found = match parts.as_slice() {
        [src, dst] => factor(src).zip(factor(dst)).map(|(src, dst)| (src, dst, BlendOp::Add)),
        [src, dst, op] => factor(src).zip(factor(dst)).zip(operation(op)).map(|((src, dst), op)| (src, dst, op)),
        _ => None,
    };
    let (src, dst, op) = found.ok_or_else(|| {
        let factors = FACTORS.map(|(name, _)| name).join(", ");
        let operations = OPERATIONS.map(|(name, _)| name).join(", ");
        Failure::Usage(format!(
            "--blend '{text}' is none of none, over, add, multiply, SOURCE,DEST[,OP] with factors {factors} and operations \
             {operations}"
        ))
    })?;
    Ok(Some(Blend::uniform(src, dst, op)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blending_is_spelled_with_the_names_of_direct3d() {
        assert_eq!(blend("srcalpha,invsrcalpha").ok().flatten(), Some(Blend::OVER));
        let found = blend("one,one,revsubtract").ok().flatten().map(|blend| blend.color.op);
        assert_eq!(found, Some(BlendOp::ReverseSubtract));
        assert!(blend("one").is_err() && blend("none").is_ok_and(|blend| blend.is_none()));
    }
}
