//! The part of a draw that does not touch the target: clipping, projection, culling.

use super::assemble::{Primitive, assemble};
use super::clip::{BROKEN, ClipVertex, GUARD, MAX_DISTANCES, Projection, clip_line, clip_polygon};
use super::{Cull, Elements, State, Topology, Winding};
use std::fmt;

/// Shaded vertices.
#[derive(Clone, Copy, Debug, Default)]
pub struct Vertices<'a> {
    /// Clip-space positions (or target positions, see [`State::pretransformed`]).
    pub positions: &'a [[f32; 4]],
    /// Varyings, vertex by vertex, [`State::varyings`] scalars each.
    pub varyings: &'a [f32],
    /// Point sizes in pixels, one a vertex; empty: [`State::point_size`].
    pub point_sizes: &'a [f32],
    /// Clip distances, vertex by vertex, [`State::clip_distances`] each.
    pub clip_distances: &'a [f32],
}

/// Why a draw cannot be prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawError {
    /// Fewer varyings than vertices times [`State::varyings`].
    Varyings,
    /// Fewer clip distances than vertices times [`State::clip_distances`], or more than 8 a vertex.
    ClipDistances,
    /// Point sizes, but not one a vertex.
    PointSizes,
    /// More vertices than 32-bit numbers count.
    TooMany,
}

impl fmt::Display for DrawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DrawError::Varyings => "there are fewer varyings than the vertices need",
            DrawError::ClipDistances => {
                "there are fewer clip distances than the vertices need, or more than 8 a vertex"
            }
            DrawError::PointSizes => "there is not one point size a vertex",
            DrawError::TooMany => "there are too many vertices",
        })
    }
}

impl std::error::Error for DrawError {}

/// Bits of a pixel below the point.
pub(super) const FRACTION: u32 = 8;

/// A vertex on the target.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Screen {
    /// Snapped x and y, in 1/256 pixel, with pixel centres at whole pixels.
    pub x: i64,
    pub y: i64,
    pub depth: f64,
    pub inverse_w: f64,
}

/// A primitive that may cover pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// Places in [`Prepared::screen`]; triangles turn clockwise on the target.
    pub vertices: [u32; 3],
    pub count: u8,
    pub front: bool,
    pub provoking: u32,
    pub id: u32,
    /// Diameter of a point, in pixels.
    pub size: f32,
}

/// A draw ready for any band of a target.
#[derive(Debug)]
pub struct Prepared<'a> {
    pub(super) state: &'a State,
    pub(super) vertices: Vertices<'a>,
    pub(super) screen: Vec<Screen>,
    /// Varyings of vertices that clipping made.
    extra: Vec<f32>,
    pub(super) items: Vec<Item>,
    /// Primitives assembled.
    pub primitives: u64,
    /// Primitives dropped: outside, broken, without area, culled, or with an index out of range.
    pub dropped: u64,
}

/// Assembles, clips, projects and culls.
///
/// Primitives that name a vertex which does not exist are dropped.
pub fn prepare<'a>(
    state: &'a State,
    vertices: Vertices<'a>,
    topology: Topology,
    elements: Elements<'_>,
) -> Result<Prepared<'a>, DrawError> {
    let count = vertices.positions.len();
    let distances = usize::from(state.clip_distances);
    if u32::try_from(count).is_err() {
        return Err(DrawError::TooMany);
    }
    if vertices.varyings.len() / state.varyings.len().max(1) < count && !state.varyings.is_empty() {
        return Err(DrawError::Varyings);
    }
    if distances > MAX_DISTANCES || (distances > 0 && vertices.clip_distances.len() / distances < count) {
        return Err(DrawError::ClipDistances);
    }
    if !vertices.point_sizes.is_empty() && vertices.point_sizes.len() < count {
        return Err(DrawError::PointSizes);
    }
    let prepared = Prepared {
        state,
        vertices,
        screen: Vec::with_capacity(count),
        extra: Vec::new(),
        items: Vec::new(),
        primitives: 0,
        dropped: 0,
    };
    let Some(projection) = Projection::new(state) else { return Ok(prepared) };
    let mut work =
        Work { prepared, projection, outcodes: Vec::with_capacity(count), polygon: Vec::new(), spare: Vec::new() };
    for i in 0..count {
        let vertex = work.vertex(i);
        let inside = vertex.outcode == 0;
        work.outcodes.push(vertex.outcode);
        let screen = if inside { snap(work.projection.project(vertex.position)) } else { Screen::default() };
        work.prepared.screen.push(screen);
    }
    assemble(topology, elements, state.provoking, |primitive| {
        work.prepared.primitives += 1;
        let before = work.prepared.items.len();
        work.primitive(primitive);
        work.prepared.dropped += u64::from(work.prepared.items.len() == before);
    });
    Ok(work.prepared)
}

fn snap([x, y, depth, inverse_w]: [f64; 4]) -> Screen {
    let fixed = |value: f64| {
        let limit = (GUARD + 1.0) * f64::from(1 << FRACTION);
        (value * f64::from(1 << FRACTION)).round_ties_even().clamp(-limit, limit) as i64
    };
    Screen { x: fixed(x), y: fixed(y), depth, inverse_w }
}

struct Work<'a> {
    prepared: Prepared<'a>,
    projection: Projection,
    /// The outcode of each vertex. The few that are cut are transformed again rather than kept.
    outcodes: Vec<u32>,
    polygon: Vec<ClipVertex>,
    spare: Vec<ClipVertex>,
}

impl Work<'_> {
    /// A vertex that exists, before the division.
    fn vertex(&self, i: usize) -> ClipVertex {
        let Vertices { positions, clip_distances, .. } = self.prepared.vertices;
        let distances = usize::from(self.prepared.state.clip_distances);
        let user = clip_distances.get(i * distances..(i + 1) * distances).unwrap_or_default();
        self.projection.vertex(positions[i], user)
    }

    fn primitive(&mut self, primitive: Primitive) {
        let mut all = 0;
        let mut common = u32::MAX;
        let named = primitive.vertices.get(..usize::from(primitive.count)).unwrap_or_default();
        for &vertex in named {
            let Some(outcode) = self.outcodes.get(vertex as usize) else { return };
            all |= outcode;
            common &= outcode;
        }
        if common != 0 || all & BROKEN != 0 {
            return;
        }
        match (primitive.count, all) {
            (1, 0) => self.point(primitive),
            (1, _) => {}
            (2, 0) => self.push(primitive, primitive.vertices, true),
            (2, _) => self.clipped_line(primitive, all),
            (_, 0) => self.triangle(primitive, primitive.vertices),
            _ => self.clipped_triangle(primitive, all),
        }
    }

    fn push(&mut self, primitive: Primitive, vertices: [u32; 3], front: bool) {
        let Primitive { count, provoking, id, .. } = primitive;
        self.prepared.items.push(Item { vertices, count, front, provoking, id, size: 0.0 });
    }

    fn point(&mut self, primitive: Primitive) {
        let state = self.prepared.state;
        let given = self.prepared.vertices.point_sizes.get(primitive.vertices[0] as usize);
        let [least, most] = state.point_size_range;
        // `max` and `min` drop a NaN.
        let size = given.copied().unwrap_or(state.point_size).max(least).min(most);
        self.push(primitive, primitive.vertices, true);
        if let Some(item) = self.prepared.items.last_mut() {
            item.size = size;
        }
    }

    /// Twice the area on the target; positive clockwise.
    fn area(&self, corners: [u32; 3]) -> i64 {
        let [p, q, r] = corners.map(|vertex| self.prepared.screen.get(vertex as usize).copied().unwrap_or_default());
        (q.x - p.x) * (r.y - p.y) - (r.x - p.x) * (q.y - p.y)
    }

    /// Culls, and turns what is left clockwise.
    fn triangle(&mut self, primitive: Primitive, [a, b, c]: [u32; 3]) {
        let area = self.area([a, b, c]);
        if area == 0 {
            return;
        }
        let clockwise = area > 0; // rows count downward
        let front = clockwise == (self.prepared.state.front == Winding::Clockwise);
        match self.prepared.state.cull {
            Cull::Front if front => return,
            Cull::Back if !front => return,
            Cull::None | Cull::Front | Cull::Back => {}
        }
        self.push(primitive, if clockwise { [a, b, c] } else { [a, c, b] }, front);
    }

    fn corners(&self, primitive: Primitive) -> [ClipVertex; 3] {
        std::array::from_fn(|i| {
            let mut vertex = self.vertex(primitive.vertices[i] as usize);
            vertex.shares[i] = 1.0;
            vertex
        })
    }

    fn clipped_triangle(&mut self, primitive: Primitive, outcodes: u32) {
        let mut polygon = std::mem::take(&mut self.polygon);
        polygon.clear();
        polygon.extend(self.corners(primitive));
        clip_polygon(&mut polygon, &mut self.spare, outcodes);
        if polygon.len() >= 3 {
            let places: Vec<u32> = polygon.iter().map(|vertex| self.made(primitive, vertex)).collect();
            let parts = || places[1..].windows(2).map(|pair| [places[0], pair[0], pair[1]]);
            // Snapping may turn a sliver of the polygon over; it must not pass for a face of the other side.
            let turn = parts().map(|part| self.area(part)).sum::<i64>().signum();
            for part in parts() {
                if self.area(part).signum() == turn {
                    self.triangle(primitive, part);
                }
            }
        }
        self.polygon = polygon;
    }

    fn clipped_line(&mut self, primitive: Primitive, outcodes: u32) {
        let ends = [primitive.vertices[0], primitive.vertices[1]];
        let mut line = ends.map(|end| self.vertex(end as usize));
        line[0].shares[0] = 1.0;
        line[1].shares[1] = 1.0;
        if let Some([a, b]) = clip_line(line, outcodes) {
            let places = [self.made(primitive, &a), self.made(primitive, &b), 0];
            self.push(primitive, places, true);
        }
    }

    /// Adds a vertex that clipping made.
    fn made(&mut self, primitive: Primitive, vertex: &ClipVertex) -> u32 {
        let place = self.prepared.screen.len() as u32;
        self.prepared.screen.push(snap(self.projection.project(vertex.position)));
        for k in 0..self.prepared.state.varyings.len() {
            let share = |i: usize| match vertex.shares[i] {
                0.0 => 0.0, // an infinite varying of a vertex that has no part must not turn into NaN
                share => {
                    share * f64::from(self.prepared.varyings(primitive.vertices[i]).get(k).copied().unwrap_or(0.0))
                }
            };
            let value = share(0) + share(1) + share(2);
            self.prepared.extra.push(value as f32);
        }
        place
    }
}

impl Prepared<'_> {
    /// Where pixel centres lie.
    pub fn pixel_centre(&self) -> super::PixelCentre {
        self.state.pixel_centre
    }

    /// The varyings of a vertex, given or made.
    pub(super) fn varyings(&self, vertex: u32) -> &[f32] {
        let stride = self.state.varyings.len();
        let given = self.vertices.positions.len();
        let (values, place) = match (vertex as usize).checked_sub(given) {
            None => (self.vertices.varyings, vertex as usize),
            Some(made) => (self.extra.as_slice(), made),
        };
        values.get(place * stride..(place + 1) * stride).unwrap_or_default()
    }
}
