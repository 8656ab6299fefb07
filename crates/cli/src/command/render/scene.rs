//! Vertices and what they carry.

use super::Notes;
use super::camera::{Camera, Matrix, transform};
use super::stage::Stage;
use crate::args::low;
use aquatint::d3d9::lower::Semantic;
use aquatint::d3d9::tokens::Usage;
use aquatint::exec::interpret::draw::{ShadedVertex, full_screen};
use aquatint::exec::raster::mesh::{Mesh, MeshVertex};

/// What is drawn.
pub struct Scene {
    /// The mesh; a triangle over the whole picture where absent.
    pub mesh: Option<Mesh>,
    all: Matrix,
    world: Matrix,
}

impl Scene {
    /// The scene of the command line.
    pub fn new(low: &low::Render, has_vertex: bool, camera: &Camera) -> Scene {
        let name = low.mesh.map(low::Mesh::name).or(has_vertex.then_some("quad"));
        Scene { mesh: name.and_then(Mesh::by_name), all: camera.all(), world: *camera.world() }
    }

    /// How many vertices there are.
    pub fn vertices(&self) -> u32 {
        self.mesh.as_ref().map_or(3, |mesh| mesh.vertices.len() as u32)
    }

    /// Warns of inputs that nothing gives.
    pub fn check(&self, vertex: Option<&Stage>, pixel: &Stage, notes: &mut Notes) {
        if let Some(vertex) = vertex {
            let missing = vertex.reflection.inputs.iter().map(|input| input.semantic).filter(|&s| !is_given(s));
            let missing: Vec<String> = missing.map(Semantic::text).collect();
            if !missing.is_empty() {
                let message = format!("'{}' reads what meshes do not have: {}", vertex.name, missing.join(", "));
                notes.unbound(message, "they read as 0");
            }
        }
        let gives = |semantic: Semantic| match vertex {
            Some(vertex) => vertex.reflection.outputs.iter().any(|output| output.semantic == semantic),
            None => is_given(semantic),
        };
        // A colour that the vertex shader does not write has a documented value.
        let inputs = pixel.reflection.inputs.iter().map(|input| input.semantic);
        let missing = inputs.filter(|&s| s.usage != Usage::Color && !gives(s));
        let missing: Vec<String> = missing.map(Semantic::text).collect();
        if !missing.is_empty() {
            let writer = vertex.map_or("the built-in vertex stage".to_owned(), |vertex| format!("'{}'", vertex.name));
            let message = format!("'{}' reads what {writer} does not write: {}", pixel.name, missing.join(", "));
            notes.unbound(message, "they read as 0");
        }
    }

    /// The contents of a vertex attribute.
    pub fn attribute(&self, semantic: Semantic) -> Vec<[f32; 4]> {
        let vertices = self.mesh.as_ref().map_or(&[][..], |mesh| &mesh.vertices);
        vertices.iter().map(|vertex| carried(vertex, semantic).unwrap_or_default()).collect()
    }

    /// The built-in vertex stage: what a vertex gives to the pixel shader's inputs.
    pub fn shade(&self, number: u32, pixel: &Stage, out: &mut ShadedVertex<'_>) {
        let Some(mesh) = &self.mesh else {
            let (position, [u, v]) = full_screen(number);
            out.position = position;
            for input in &pixel.reflection.inputs {
                let value = match input.semantic.usage {
                    Usage::TexCoord => [u, v, 0.0, 1.0],
                    Usage::Color if input.semantic.index == 0 => [1.0; 4],
                    Usage::Normal => [0.0, 0.0, -1.0, 1.0],
                    // Unfogged.
                    Usage::Fog => [1.0; 4],
                    Usage::Position => position,
                    _ => [0.0; 4],
                };
                set(out, input.location, value);
            }
            return;
        };
        let Some(vertex) = mesh.vertices.get(number as usize) else { return };
        out.position = transform(extended(vertex.position, 1.0), &self.all);
        for input in &pixel.reflection.inputs {
            let turned = |v: [f32; 3]| transform(extended(v, 0.0), &self.world);
            let value = match input.semantic.usage {
                Usage::Position => out.position,
                Usage::Normal => turned(vertex.normal),
                Usage::Color if input.semantic.index == 0 => [1.0; 4],
                Usage::Fog => [1.0; 4],
                _ => carried(vertex, input.semantic).unwrap_or_default(),
            };
            set(out, input.location, value);
        }
    }
}

fn set(out: &mut ShadedVertex<'_>, location: Option<u32>, value: [f32; 4]) {
    if let Some(location) = location {
        out.set(location, &value);
    }
}

fn extended([x, y, z]: [f32; 3], w: f32) -> [f32; 4] {
    [x, y, z, w]
}

/// Whether meshes carry something.
fn is_given(semantic: Semantic) -> bool {
    let vertex =
        MeshVertex { position: [0.0; 3], normal: [0.0; 3], texcoord: [0.0; 2], color: [0.0; 4], tangent: [0.0; 4] };
    semantic.usage == Usage::Fog || carried(&vertex, semantic).is_some()
}

/// What a vertex carries. Lanes that an element does not have are (0, 0, 0, 1) (sheet 3.2).
fn carried(vertex: &MeshVertex, semantic: Semantic) -> Option<[f32; 4]> {
    let [tx, ty, tz, sign] = vertex.tangent;
    Some(match (semantic.usage, semantic.index) {
        (Usage::Position, 0) => extended(vertex.position, 1.0),
        (Usage::Normal, 0) => extended(vertex.normal, 1.0),
        (Usage::TexCoord, _) => [vertex.texcoord[0], vertex.texcoord[1], 0.0, 1.0],
        (Usage::Color, 0) => vertex.color,
        (Usage::Tangent, 0) => vertex.tangent,
        (Usage::Binormal, 0) => {
            let [nx, ny, nz] = vertex.normal;
            [sign * (ny * tz - nz * ty), sign * (nz * tx - nx * tz), sign * (nx * ty - ny * tx), 1.0]
        }
        // All of the first bone.
        (Usage::BlendWeight, 0) => [1.0, 0.0, 0.0, 0.0],
        (Usage::BlendIndices, 0) => [0.0; 4],
        _ => return None,
    })
}
