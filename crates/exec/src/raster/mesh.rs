//! Built-in meshes to look at shaders with.
//!
//! Faces look outward: the cross product of a triangle's first and second edge points away from the mesh, which makes
//! front faces clockwise in a left-handed view space (Direct3D) and counter-clockwise in a right-handed one (OpenGL).
//! [`Mesh::reversed`] turns them.

use std::f64::consts::TAU;

/// One vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshVertex {
    /// Position, within −1…1.
    pub position: [f32; 3],
    /// Unit normal, outward.
    pub normal: [f32; 3],
    /// Texture coordinate, (0, 0) at the upper left of the image.
    pub texcoord: [f32; 2],
    /// Colour, opaque: a ramp over the mesh, so that interpolation shows.
    pub color: [f32; 4],
    /// Unit tangent along growing u; its fourth lane is the sign by which cross(normal, tangent) gives growing v.
    pub tangent: [f32; 4],
}

/// An indexed list of triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// Vertices.
    pub vertices: Vec<MeshVertex>,
    /// Three a triangle.
    pub indices: Vec<u32>,
}

/// Most segments that a round mesh is divided into, each way.
const MAX_SEGMENTS: u32 = 1024;

impl Mesh {
    /// A mesh by name: `quad`, `cube`, `sphere`, `torus`.
    pub fn by_name(name: &str) -> Option<Mesh> {
        Some(match name {
            "quad" => Self::quad(),
            "cube" => Self::cube(),
            "sphere" => Self::sphere(48, 24),
            "torus" => Self::torus(48, 24, 0.35),
            _ => return None,
        })
    }

    /// The square −1…1 in x and y at z = 0, looking toward −z; u grows with x, v against y.
    pub fn quad() -> Mesh {
        let mut mesh = Mesh::default();
        mesh.square([0.0; 3], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]);
        mesh
    }

    /// The cube −1…1, each face with the whole image.
    pub fn cube() -> Mesh {
        let mut mesh = Mesh::default();
        // Normal and direction of growing u; v grows along cross(normal, u), seen from outside downward.
        for (normal, u) in [
            ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
            ([-1.0, 0.0, 0.0], [0.0, 0.0, -1.0]),
            ([0.0, 1.0, 0.0], [1.0, 0.0, 0.0]),
            ([0.0, -1.0, 0.0], [1.0, 0.0, 0.0]),
            ([0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]),
            ([0.0, 0.0, -1.0], [1.0, 0.0, 0.0]),
        ] {
            let v = cross(u, normal).map(|lane| -lane);
            mesh.square(normal, u, v, normal);
        }
        mesh
    }

    /// A sphere of radius 1; u runs around the y axis, v from the top down. Both counts are clamped to 3…1024.
    pub fn sphere(around: u32, down: u32) -> Mesh {
        let (around, down) = (around.clamp(3, MAX_SEGMENTS), down.clamp(3, MAX_SEGMENTS));
        Self::grid(around, down, |u, v| {
            let ((sin_u, cos_u), (sin_v, cos_v)) = ((u * TAU).sin_cos(), (v * TAU * 0.5).sin_cos());
            let normal = [sin_v * cos_u, cos_v, sin_v * sin_u];
            (normal, normal, [-sin_u, 0.0, cos_u])
        })
    }

    /// A torus around the y axis, 1 from the middle to the outermost point, with a tube of that radius (clamped to
    /// 0.05…0.5); u runs around the axis, v around the tube.
    pub fn torus(around: u32, tube: u32, radius: f32) -> Mesh {
        let (around, tube) = (around.clamp(3, MAX_SEGMENTS), tube.clamp(3, MAX_SEGMENTS));
        let minor = if radius.is_nan() { 0.25 } else { f64::from(radius.clamp(0.05, 0.5)) };
        let major = 1.0 - minor;
        Self::grid(around, tube, |u, v| {
            let ((sin_u, cos_u), (sin_v, cos_v)) = ((u * TAU).sin_cos(), (v * TAU).sin_cos());
            // v starts at the top and goes over the outside down, so that it grows downward where one looks.
            let normal = [sin_v * cos_u, cos_v, sin_v * sin_u];
            let ring = major + minor * sin_v;
            ([ring * cos_u, minor * cos_v, ring * sin_u], normal, [-sin_u, 0.0, cos_u])
        })
    }

    /// The same with the other winding (normals stay).
    pub fn reversed(mut self) -> Mesh {
        self.indices.as_chunks_mut::<3>().0.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        self
    }

    /// A square around `centre` with half-edges `u` and `v`, and cross(u, −v) toward `normal`.
    fn square(&mut self, centre: [f32; 3], u: [f32; 3], v: [f32; 3], normal: [f32; 3]) {
        let first = self.vertices.len() as u32;
        for [s, t] in [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0_f32]] {
            let position = std::array::from_fn(|k| centre[k] + u[k] * (2.0 * s - 1.0) + v[k] * (2.0 * t - 1.0));
            self.vertices.push(vertex(position, normal, [s, t], u, v));
        }
        let turned = dot(cross(u, v), normal) < 0.0;
        let order = if turned { [0, 2, 1, 1, 2, 3] } else { [0, 1, 2, 2, 1, 3] };
        self.indices.extend(order.map(|k| first + k));
    }

    /// A surface over (u, v) in 0…1; `at` gives position, normal and tangent.
    fn grid(columns: u32, rows: u32, at: impl Fn(f64, f64) -> ([f64; 3], [f64; 3], [f64; 3])) -> Mesh {
        let mut mesh = Mesh::default();
        for row in 0..=rows {
            for column in 0..=columns {
                let (u, v) = (f64::from(column) / f64::from(columns), f64::from(row) / f64::from(rows));
                let single = |vector: [f64; 3]| vector.map(|lane| lane as f32);
                let (position, normal, tangent) = at(u, v);
                let down = cross(single(normal), single(tangent)); // or its opposite
                let step = (at(u, v + 1e-4).0, at(u, v - 1e-4).0);
                let growing: [f32; 3] = std::array::from_fn(|k| (step.0[k] - step.1[k]) as f32);
                let down = if dot(down, growing) < 0.0 { down.map(|lane| -lane) } else { down };
                mesh.vertices.push(vertex(
                    single(position),
                    single(normal),
                    [u as f32, v as f32],
                    single(tangent),
                    down,
                ));
            }
        }
        let place = |column: u32, row: u32| row * (columns + 1) + column;
        for row in 0..rows {
            for column in 0..columns {
                let corners =
                    [place(column, row), place(column + 1, row), place(column, row + 1), place(column + 1, row + 1)];
                for triangle in [[0, 1, 2], [2, 1, 3]] {
                    mesh.outward(triangle.map(|k: usize| corners[k]));
                }
            }
        }
        mesh
    }

    /// Adds a triangle turned outward, unless it has no area (at a pole).
    fn outward(&mut self, [a, b, c]: [u32; 3]) {
        let corner = |place: u32| self.vertices.get(place as usize).map(|vertex| (vertex.position, vertex.normal));
        let (Some((p, n)), Some((q, m)), Some((r, o))) = (corner(a), corner(b), corner(c)) else { return };
        let edge = |to: [f32; 3]| std::array::from_fn(|k| to[k] - p[k]);
        let facing = cross(edge(q), edge(r));
        if dot(facing, facing) < 1e-14 {
            return;
        }
        let normal = std::array::from_fn(|k| n[k] + m[k] + o[k]);
        self.indices.extend(if dot(facing, normal) < 0.0 { [a, c, b] } else { [a, b, c] });
    }
}

fn vertex(position: [f32; 3], normal: [f32; 3], texcoord: [f32; 2], u: [f32; 3], v: [f32; 3]) -> MeshVertex {
    let sign = if dot(cross(normal, u), v) < 0.0 { -1.0 } else { 1.0 };
    let [r, g, b] = position.map(|lane| lane * 0.5 + 0.5);
    MeshVertex { position, normal, texcoord, color: [r, g, b, 1.0], tangent: [u[0], u[1], u[2], sign] }
}

fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
