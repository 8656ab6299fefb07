//! Clipping in homogeneous space.

use super::{ClipZ, State};

/// Pixels from the target's origin at which primitives are cut so that fixed-point arithmetic stays in range.
pub(super) const GUARD: f64 = 65536.0;
/// The least w that is divided by.
const LEAST_W: f64 = 1e-20;
/// User clip distances, at most.
pub(super) const MAX_DISTANCES: usize = 8;
const PLANES: usize = 7 + MAX_DISTANCES;

/// The outcode of a vertex that is no finite number.
pub(super) const BROKEN: u32 = 1 << 31;

/// A vertex before the division.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClipVertex {
    pub position: [f64; 4],
    /// Signed distances: near, far, least w, right, left, bottom, top, then the user's.
    distances: [f64; PLANES],
    /// Bit `i` is set outside plane `i`.
    pub outcode: u32,
    /// The shares of the primitive's own vertices.
    pub shares: [f64; 3],
}

/// From clip space to the target, with integer pixel centres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Projection {
    /// Middle and half size: x, y, z.
    middle: [f64; 3],
    half: [f64; 3],
    clip_z: ClipZ,
    depth_clip: bool,
    pretransformed: bool,
}

impl Projection {
    /// `None` if the viewport is not finite.
    pub fn new(state: &State) -> Option<Projection> {
        let viewport = &state.viewport;
        let [x, y, width, height, near, far] =
            [viewport.x, viewport.y, viewport.width, viewport.height, viewport.min_depth, viewport.max_depth]
                .map(f64::from);
        let centre = state.centre();
        let projection = if state.pretransformed {
            Projection {
                middle: [-centre, -centre, 0.0],
                half: [1.0; 3],
                clip_z: ClipZ::ZeroToW,
                depth_clip: state.depth_clip,
                pretransformed: true,
            }
        } else {
            let up = match state.clip_y {
                super::ClipY::Up => -0.5,
                super::ClipY::Down => 0.5,
            };
            let (depth_middle, depth_half) = match state.clip_z {
                ClipZ::ZeroToW => (near, far - near),
                ClipZ::MinusWToW => ((near + far) * 0.5, (far - near) * 0.5),
            };
            Projection {
                middle: [x + width * 0.5 - centre, y + height * 0.5 - centre, depth_middle],
                half: [width * 0.5, height * up, depth_half],
                clip_z: state.clip_z,
                depth_clip: state.depth_clip,
                pretransformed: false,
            }
        };
        [x, y, width, height, near, far].iter().all(|value| value.is_finite()).then_some(projection)
    }

    /// A vertex with its distances and outcode.
    pub fn vertex(&self, position: [f32; 4], user: &[f32]) -> ClipVertex {
        let mut position = position.map(f64::from);
        if self.pretransformed {
            // A reciprocal of 0 carries no perspective; drivers take w as 1.
            let w = if position[3] == 0.0 { 1.0 } else { 1.0 / position[3] };
            position = [position[0] * w, position[1] * w, position[2] * w, w];
        }
        let mut distances = [0.0; PLANES];
        distances[..7].copy_from_slice(&self.planes(position));
        for (distance, &user) in distances[7..].iter_mut().zip(user) {
            // A distance that is no number is outside; an infinite one must not spoil the intersection.
            let user = f64::from(user);
            *distance = if user.is_nan() { -1.0 } else { user.clamp(-1e30, 1e30) };
        }
        let mut vertex = ClipVertex { position, distances, outcode: 0, shares: [0.0; 3] };
        vertex.outcode = if position.iter().all(|lane| lane.is_finite()) { vertex.outside() } else { BROKEN };
        vertex
    }

    fn planes(&self, [x, y, z, w]: [f64; 4]) -> [f64; 7] {
        let (near, far) = match (self.depth_clip, self.clip_z) {
            (false, _) => (0.0, 0.0),
            (true, ClipZ::ZeroToW) => (z, w - z),
            (true, ClipZ::MinusWToW) => (z + w, w - z),
        };
        let screen_x = self.middle[0] * w + x * self.half[0];
        let screen_y = self.middle[1] * w + y * self.half[1];
        let guard = GUARD * w;
        [near, far, w - LEAST_W, guard - screen_x, guard + screen_x, guard - screen_y, guard + screen_y]
    }

    /// x, y (pixels), depth and 1/w of a vertex inside all planes.
    pub fn project(&self, [x, y, z, w]: [f64; 4]) -> [f64; 4] {
        let inverse = 1.0 / w;
        [
            self.middle[0] + x * inverse * self.half[0],
            self.middle[1] + y * inverse * self.half[1],
            self.middle[2] + z * inverse * self.half[2],
            inverse,
        ]
    }
}

impl ClipVertex {
    fn outside(&self) -> u32 {
        self.distances
            .iter()
            .enumerate()
            .fold(0, |code, (plane, &distance)| code | (u32::from(distance < 0.0) << plane))
    }

    /// The point where the edge from `self`, inside, to `other`, outside, meets a plane. Both triangles at an edge call it
    /// with the same ends in the same order, so they get the same point.
    fn cut(&self, other: &ClipVertex, plane: usize) -> ClipVertex {
        let (inside, outside) = (self.distances[plane], other.distances[plane]);
        let t = inside / (inside - outside);
        let mix = |a: f64, b: f64| a + (b - a) * t;
        let mut cut = ClipVertex {
            position: std::array::from_fn(|lane| mix(self.position[lane], other.position[lane])),
            distances: std::array::from_fn(|plane| mix(self.distances[plane], other.distances[plane])),
            outcode: 0,
            shares: std::array::from_fn(|share| mix(self.shares[share], other.shares[share])),
        };
        cut.distances[plane] = 0.0;
        cut.outcode = cut.outside();
        cut
    }
}

/// Cuts a polygon by the planes in `outcodes`; `spare` is room to work in. What is left is in `polygon`.
pub(super) fn clip_polygon(polygon: &mut Vec<ClipVertex>, spare: &mut Vec<ClipVertex>, outcodes: u32) {
    for plane in (0..PLANES).filter(|plane| outcodes >> plane & 1 == 1) {
        spare.clear();
        let Some(mut previous) = polygon.last().copied() else { return };
        for &vertex in polygon.iter() {
            match (previous.distances[plane] >= 0.0, vertex.distances[plane] >= 0.0) {
                (true, true) => spare.push(vertex),
                (true, false) => spare.push(previous.cut(&vertex, plane)),
                (false, true) => spare.extend([vertex.cut(&previous, plane), vertex]),
                (false, false) => {}
            }
            previous = vertex;
        }
        std::mem::swap(polygon, spare);
    }
}

/// Cuts a line by the planes in `outcodes`.
pub(super) fn clip_line(mut line: [ClipVertex; 2], outcodes: u32) -> Option<[ClipVertex; 2]> {
    for plane in (0..PLANES).filter(|plane| outcodes >> plane & 1 == 1) {
        let [a, b] = line;
        line = match (a.distances[plane] >= 0.0, b.distances[plane] >= 0.0) {
            (true, true) => [a, b],
            (true, false) => [a, a.cut(&b, plane)],
            (false, true) => [b.cut(&a, plane), b],
            (false, false) => return None,
        };
    }
    Some(line)
}
