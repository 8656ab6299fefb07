//! Cube maps: which face a direction meets, and what lies beyond a face's edge.

/// A face of a cube, in the order in which faces are stored (Direct3D, Vulkan and Metal agree).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Face {
    /// +X, stored first.
    PosX = 0,
    /// −X.
    NegX = 1,
    /// +Y.
    PosY = 2,
    /// −Y.
    NegY = 3,
    /// +Z.
    PosZ = 4,
    /// −Z.
    NegZ = 5,
}

/// Major axis, its sign, and axis and sign of s and of t, by face:
/// +X (−z, −y), −X (+z, −y), +Y (+x, +z), −Y (+x, −z), +Z (+x, −y), −Z (−x, −y).
const AXES: [[(usize, i8); 3]; 6] = [
    [(0, 1), (2, -1), (1, -1)],
    [(0, -1), (2, 1), (1, -1)],
    [(1, 1), (0, 1), (2, 1)],
    [(1, -1), (0, 1), (2, -1)],
    [(2, 1), (0, 1), (1, -1)],
    [(2, -1), (0, -1), (1, -1)],
];

const FACES: [Face; 6] = [Face::PosX, Face::NegX, Face::PosY, Face::NegY, Face::PosZ, Face::NegZ];

/// Where a direction meets the cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FaceCoord {
    /// The face.
    pub face: Face,
    /// The coordinates on the face, each in 0…1.
    pub uv: [f32; 2],
}

impl Face {
    /// The face that a direction meets: the axis of largest magnitude, Z before Y before X on a tie, and the positive
    /// face of a zero.
    pub fn of(direction: [f32; 3]) -> Face {
        let [x, y, z] = direction.map(|lane| if lane.is_nan() { 0.0 } else { lane });
        let (axis, value) = if z.abs() >= x.abs() && z.abs() >= y.abs() {
            (2, z)
        } else if y.abs() >= x.abs() {
            (1, y)
        } else {
            (0, x)
        };
        FACES[axis * 2 + usize::from(value < 0.0)]
    }

    /// The face's s, t and major components of a vector.
    fn components(self, vector: [f32; 3]) -> [f64; 3] {
        let [major, s, t] = AXES[self as usize];
        [s, t, major].map(|(axis, sign)| f64::from(vector[axis]) * f64::from(sign))
    }

    /// The direction through a point of the face, `uv` in 0…1: the inverse of [`FaceCoord::of`] up to length.
    pub fn direction(self, uv: [f32; 2]) -> [f32; 3] {
        let [major, s, t] = AXES[self as usize];
        let mut direction = [0.0; 3];
        direction[major.0] = f32::from(major.1);
        direction[s.0] = f32::from(s.1) * (2.0 * uv[0] - 1.0);
        direction[t.0] = f32::from(t.1) * (2.0 * uv[1] - 1.0);
        direction
    }

    /// The texel that texel (i, j) of this face means where it lies one row beyond an edge: the adjoining texel of the
    /// neighbour. `None` beyond a corner, where there is none. `size` is the side in texels.
    pub(super) fn fold(self, i: i64, j: i64, size: i64) -> Option<(Face, i64, i64)> {
        let inside = |k: i64| 0 <= k && k < size;
        match (inside(i), inside(j)) {
            (true, true) => return Some((self, i, j)),
            (false, false) => return None,
            _ => {}
        }
        // Twice the texel's centre, from the middle of the cube, with the face plane at `size`.
        let centre = [2 * i + 1 - size, 2 * j + 1 - size];
        let (outer, along) = if inside(i) { (1, 0) } else { (0, 1) };
        let axes = AXES[self as usize];
        let mut point = [0_i64; 3];
        point[axes[0].0] = i64::from(axes[0].1) * (size - 1); // half a texel down the neighbour's side
        point[axes[1 + along].0] = i64::from(axes[1 + along].1) * centre[along];
        let (outer_axis, outer_sign) = axes[1 + outer];
        let toward = i64::from(outer_sign) * centre[outer].signum();
        let face = FACES[outer_axis * 2 + usize::from(toward < 0)];
        let [_, s, t] = AXES[face as usize];
        let texel = |(axis, sign): (usize, i8)| (i64::from(sign) * point[axis] + size - 1) / 2;
        Some((face, texel(s), texel(t)))
    }
}

impl FaceCoord {
    /// Projects a direction. A zero direction meets the middle of +Z; coordinates that are not numbers become ½.
    pub fn of(direction: [f32; 3]) -> FaceCoord {
        let face = Face::of(direction);
        let [s, t, major] = face.components(direction);
        let project = |value: f64| {
            let ratio = value / major;
            if ratio.is_nan() { 0.5 } else { ((ratio + 1.0) * 0.5).clamp(0.0, 1.0) as f32 }
        };
        FaceCoord { face, uv: [project(s), project(t)] }
    }

    /// The gradient of `uv` for a gradient of the direction, by the quotient rule.
    pub(super) fn gradient(direction: [f32; 3], change: [f32; 3]) -> [f64; 2] {
        let face = Face::of(direction);
        let [s, t, major] = face.components(direction);
        let [ds, dt, dmajor] = face.components(change);
        let quotient = |value: f64, dvalue: f64| 0.5 * (dvalue * major - value * dmajor) / (major * major);
        [quotient(s, ds), quotient(t, dt)]
    }
}
