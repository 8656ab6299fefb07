//! The built-in camera: left-handed, row vectors, depth 0 to 1, as Direct3D 9 programs have it.

use crate::args::low;
use aquatint::d3d9::ctab::{Class, TypeInfo};
use serde_json::{Value, json};

/// A matrix for row vectors: `v * M`.
pub type Matrix = [[f32; 4]; 4];

/// The camera's matrices.
pub struct Camera {
    /// Whether constants are filled by name.
    pub by_name: bool,
    world: Matrix,
    view: Matrix,
    projection: Matrix,
    eye: [f32; 3],
}

/// What a constant's name asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// world * view * projection.
    WorldViewProjection,
    /// view * projection.
    ViewProjection,
    /// world * view.
    WorldView,
    /// world; also its inverse transpose, since it only turns.
    World,
    /// view.
    View,
    /// projection.
    Projection,
    /// The camera's place.
    Eye,
}

impl Camera {
    /// The camera of the command line.
    pub fn new(low: &low::Render) -> Camera {
        let [width, height] = low.size.map(|side| side as f32);
        let [x, y, z] = low.rotate.map(f32::to_radians);
        Camera {
            by_name: low.camera || !low.mvp.is_empty(),
            world: multiply(&multiply(&turn(1, 2, x), &turn(2, 0, y)), &turn(0, 1, z)),
            view: look_at_origin(low.eye),
            projection: perspective(low.fov.clamp(1.0, 170.0).to_radians(), width / height, 0.05, 100.0),
            eye: low.eye,
        }
    }

    /// world * view * projection.
    pub fn all(&self) -> Matrix {
        multiply(&multiply(&self.world, &self.view), &self.projection)
    }

    /// world.
    pub fn world(&self) -> &Matrix {
        &self.world
    }

    /// The value for a role, row by row, of the shape of a type; `None` where the shape is none of a matrix's or vector's.
    pub fn value(&self, role: Role, ty: &TypeInfo) -> Option<Value> {
        if ty.elements > 1 {
            return None;
        }
        let matrix = match role {
            Role::WorldViewProjection => self.all(),
            Role::ViewProjection => multiply(&self.view, &self.projection),
            Role::WorldView => multiply(&self.world, &self.view),
            Role::World => self.world,
            Role::View => self.view,
            Role::Projection => self.projection,
            Role::Eye => {
                let lanes = [self.eye[0], self.eye[1], self.eye[2], 1.0];
                return (ty.class == Class::Vector).then(|| json!(lanes.get(..usize::from(ty.columns.min(4)))));
            }
        };
        let is_matrix = matches!(ty.class, Class::MatrixRows | Class::MatrixColumns);
        let columns = usize::from(ty.columns.min(4));
        is_matrix.then(|| matrix.iter().take(ty.rows.into()).map(|row| json!(row.get(..columns))).collect())
    }
}

/// What a constant's name asks for, if it is one of the usual names: g_mWorldViewProj, matWVP, ModelViewProjection, World,
/// ViewProj, EyePosition.
pub fn role(name: &str) -> Option<Role> {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let after = |first: &str, then: &str| name.split_once(first).is_some_and(|(_, rest)| rest.contains(then));
    let (world, view, projection) =
        (name.contains("world") || name.contains("model"), name.contains("view"), name.contains("proj"));
    let transposed = name.contains("inversetranspose") || name.contains("invtrans") || name.ends_with("worldit");
    if ["eyepos", "camerapos", "campos", "viewpos", "eyepoint"].iter().any(|word| name.contains(word)) {
        return Some(Role::Eye);
    }
    if name.contains("inv") && !transposed {
        return None;
    }
    if name.contains("wvp") || name.contains("mvp") || (world && after("view", "proj")) {
        return Some(Role::WorldViewProjection);
    }
    Some(match (world, view, projection) {
        (_, true, true) => Role::ViewProjection,
        (true, true, false) => Role::WorldView,
        (true, false, false) => Role::World,
        (false, true, false) => Role::View,
        (false, false, true) => Role::Projection,
        (true, false, true) | (false, false, false) => return None,
    })
}

fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|row| std::array::from_fn(|column| (0..4).map(|k| a[row][k] * b[k][column]).sum()))
}

/// A vector times a matrix.
pub fn transform(v: [f32; 4], m: &Matrix) -> [f32; 4] {
    std::array::from_fn(|column| (0..4).map(|k| v[k] * m[k][column]).sum())
}

fn identity() -> Matrix {
    std::array::from_fn(|row| std::array::from_fn(|column| if row == column { 1.0 } else { 0.0 }))
}

/// A turn that takes axis `from` toward axis `to`.
fn turn(from: usize, to: usize, angle: f32) -> Matrix {
    let (sin, cos) = angle.sin_cos();
    let mut matrix = identity();
    matrix[from][from] = cos;
    matrix[from][to] = sin;
    matrix[to][from] = -sin;
    matrix[to][to] = cos;
    matrix
}

fn look_at_origin(eye: [f32; 3]) -> Matrix {
    let length = |v: [f32; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    let unit = |v: [f32; 3]| {
        let length = length(v).max(1e-12);
        v.map(|lane| lane / length)
    };
    let cross =
        |a: [f32; 3], b: [f32; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let forward = if length(eye) > 0.0 { unit(eye.map(|lane| -lane)) } else { [0.0, 0.0, 1.0] };
    // Straight down or up, the usual up gives no side.
    let up = if forward[0].abs() + forward[2].abs() < 1e-6 { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] };
    let side = unit(cross(up, forward));
    let up = cross(forward, side);
    [
        [side[0], up[0], forward[0], 0.0],
        [side[1], up[1], forward[1], 0.0],
        [side[2], up[2], forward[2], 0.0],
        [-dot(side, eye), -dot(up, eye), -dot(forward, eye), 1.0],
    ]
}

fn perspective(fov: f32, aspect: f32, near: f32, far: f32) -> Matrix {
    let height = 1.0 / (fov / 2.0).tan();
    let depth = far / (far - near);
    [[height / aspect, 0.0, 0.0, 0.0], [0.0, height, 0.0, 0.0], [0.0, 0.0, depth, 1.0], [0.0, 0.0, -near * depth, 0.0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_they_want() {
        for name in ["g_mWorldViewProj", "matWVP", "gWvp", "ModelViewProjection", "worldViewProjectionMatrix", "MVP"] {
            assert_eq!(role(name), Some(Role::WorldViewProjection), "{name}");
        }
        assert_eq!(role("g_ViewProj"), Some(Role::ViewProjection));
        assert_eq!(role("World"), Some(Role::World));
        assert_eq!(role("WorldInverseTranspose"), Some(Role::World));
        assert_eq!(role("g_mView"), Some(Role::View));
        assert_eq!(role("g_vEyePos"), Some(Role::Eye));
        assert_eq!(role("InvView"), None);
        assert_eq!(role("g_Tint"), None);
    }

    #[test]
    fn the_origin_lies_in_the_middle_at_its_distance() {
        let view = look_at_origin([0.0, 3.0, -4.0]);
        let seen = transform([0.0, 0.0, 0.0, 1.0], &view);
        assert!(seen[0].abs() < 1e-6 && seen[1].abs() < 1e-6 && (seen[2] - 5.0).abs() < 1e-6, "{seen:?}");
        // D3DXMatrixPerspectiveFovLH: the near plane goes to depth 0, the far plane to 1.
        let projection = perspective(1.0, 1.0, 0.5, 10.0);
        for (z, depth) in [(0.5, 0.0), (10.0, 1.0)] {
            let clip = transform([0.0, 0.0, z, 1.0], &projection);
            assert!((clip[2] / clip[3] - depth).abs() < 1e-6, "{clip:?}");
        }
    }
}
