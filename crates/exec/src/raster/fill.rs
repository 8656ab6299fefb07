//! Coverage and interpolation of triangles, lines and points.

use super::depth_stencil::Tests;
use super::draw::{Candidate, Drawing};
use super::prepare::{FRACTION, Item, Screen};
use super::{Interpolation, PixelShader, Sprite};

/// One edge of a clockwise triangle: positive inside.
struct Edge {
    /// Value at pixel (0, 0), and its change a pixel right and down. Exact.
    origin: i64,
    right: i64,
    down: i64,
    /// −1 where the edge is neither top nor left, so that a value of 0 counts as outside.
    bias: i64,
}

impl Edge {
    fn new(from: &Screen, to: &Screen) -> Edge {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        // Clockwise with rows counting downward: a top edge runs right, a left edge runs up.
        let top_left = dy < 0 || (dy == 0 && dx > 0);
        Edge {
            origin: dy * from.x - dx * from.y,
            right: -dy << FRACTION,
            down: dx << FRACTION,
            bias: if top_left { 0 } else { -1 },
        }
    }

    /// Narrows the span of a row to the pixels inside the edge.
    #[inline]
    fn narrow(&self, y: i64, span: &mut [i64; 2]) {
        let start = self.origin + self.bias + self.down * y;
        if self.right > 0 {
            span[0] = span[0].max(-start.div_euclid(self.right));
        } else if self.right < 0 {
            span[1] = span[1].min(start.div_euclid(-self.right) + 1);
        } else if start < 0 {
            span[1] = span[0];
        }
    }

    #[inline]
    fn at(&self, x: i64, y: i64) -> i64 {
        self.origin + self.right * x + self.down * y
    }
}

/// The offset of each lane from lane 0.
const LANE_X: [f64; 4] = [0.0, 1.0, 0.0, 1.0];
const LANE_Y: [f64; 4] = [0.0, 0.0, 1.0, 1.0];

/// Interpolates from a value and two changes, by weights on the target and in perspective.
#[inline]
fn interpolate(
    kinds: &[Interpolation],
    setup: &[[f32; 3]],
    varyings: &mut [[f32; 4]],
    linear: &[[f32; 4]; 2],
    perspective: &[[f32; 4]; 2],
) {
    for ((varying, [value, first, second]), kind) in varyings.iter_mut().zip(setup).zip(kinds) {
        let weights = match kind {
            Interpolation::Flat => {
                *varying = [*value; 4];
                continue;
            }
            Interpolation::Linear => linear,
            Interpolation::Perspective | Interpolation::Centroid => perspective,
        };
        *varying = std::array::from_fn(|lane| value + first * weights[0][lane] + second * weights[1][lane]);
    }
}

impl<S: PixelShader> Drawing<'_, '_, S> {
    fn corner(&self, vertex: u32) -> Screen {
        self.prepared.screen.get(vertex as usize).copied().unwrap_or_default()
    }

    /// Varyings of a primitive as the first vertex's value and the changes to the others (0 where there is no third).
    fn set_up(&mut self, item: &Item) {
        let values = item.vertices.map(|vertex| self.prepared.varyings(vertex));
        let provoking = self.prepared.varyings(item.provoking);
        for (k, (setup, kind)) in self.setup.iter_mut().zip(&self.kinds).enumerate() {
            let value = |corner: usize| values[corner].get(k).copied().unwrap_or(0.0);
            *setup = match kind {
                Interpolation::Flat => [provoking.get(k).copied().unwrap_or(0.0), 0.0, 0.0],
                _ if item.count < 3 => [value(0), if item.count == 2 { value(1) - value(0) } else { 0.0 }, 0.0],
                _ => [value(0), value(1) - value(0), value(2) - value(0)],
            };
        }
    }

    pub(super) fn triangle(&mut self, item: &Item, tests: &Tests) {
        let corners = item.vertices.map(|vertex| self.corner(vertex));
        let [a, b, c] = &corners;
        let least = |values: [i64; 3]| values[0].min(values[1]).min(values[2]);
        let most = |values: [i64; 3]| values[0].max(values[1]).max(values[2]);
        let (xs, ys) = (corners.map(|corner| corner.x), corners.map(|corner| corner.y));
        // Pixels whose centres lie between: rounded inward at the low end; the edges decide the rest.
        let ceiling = |fixed: i64| (fixed + (1 << FRACTION) - 1) >> FRACTION;
        let x0 = ceiling(least(xs)).max(i64::from(self.bounds.x0));
        let x1 = ((most(xs) >> FRACTION) + 1).min(i64::from(self.bounds.x1));
        let y0 = ceiling(least(ys)).max(i64::from(self.bounds.y0));
        let y1 = ((most(ys) >> FRACTION) + 1).min(i64::from(self.bounds.y1));
        if x0 >= x1 || y0 >= y1 {
            return;
        }
        let edges = [Edge::new(b, c), Edge::new(c, a), Edge::new(a, b)];
        let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        let planes = Planes::new(&edges, area, &corners, self.depth_offset(&edges, area, &corners));
        self.set_up(item);
        let row_span = |y: i64| {
            let mut span = [x0, x1];
            if y < y0 || y >= y1 {
                return [x0, x0];
            }
            edges.iter().for_each(|edge| edge.narrow(y, &mut span));
            if span[0] < span[1] { span } else { [x0, x0] }
        };
        let mut y = y0 & !1;
        while y < y1 {
            let [upper, lower] = [row_span(y), row_span(y + 1)];
            let (start, end) = match (upper[0] < upper[1], lower[0] < lower[1]) {
                (true, true) => (upper[0].min(lower[0]), upper[1].max(lower[1])),
                (true, false) => (upper[0], upper[1]),
                (false, true) => (lower[0], lower[1]),
                (false, false) => (0, 0),
            };
            let inside = |x: i64, span: [i64; 2]| u8::from(span[0] <= x && x < span[1]);
            let mut x = start & !1;
            while x < end {
                let coverage =
                    inside(x, upper) | inside(x + 1, upper) << 1 | inside(x, lower) << 2 | inside(x + 1, lower) << 3;
                if coverage != 0 {
                    let (depth, inverse_w, linear, perspective) = planes.at(&edges, x, y);
                    let candidate =
                        Candidate { x: x as i32, y: y as i32, coverage, depth, inverse_w, point_coord: [[0.0; 4]; 2] };
                    self.quad(candidate, item, tests, |kinds, setup, varyings| {
                        interpolate(kinds, setup, varyings, &linear, &perspective);
                    });
                }
                x += 2;
            }
            y += 2;
        }
    }

    /// The polygon offset of a triangle.
    fn depth_offset(&self, edges: &[Edge; 3], area: i64, [a, b, c]: &[Screen; 3]) -> f64 {
        let bias = &self.prepared.state.depth.bias;
        if bias.constant == 0.0 && bias.slope == 0.0 {
            return 0.0;
        }
        let change = |along: [i64; 2]| {
            let [first, second] = along.map(|step| step as f64 / area as f64);
            ((b.depth - a.depth) * first + (c.depth - a.depth) * second).abs()
        };
        let slope = change([edges[1].right, edges[2].right]).max(change([edges[1].down, edges[2].down]));
        let largest = a.depth.abs().max(b.depth.abs()).max(c.depth.abs());
        let step = if bias.in_steps { self.band.depth_format.step(largest) } else { 1.0 };
        let offset = slope * f64::from(bias.slope) + step * f64::from(bias.constant);
        let clamp = f64::from(bias.clamp);
        if clamp > 0.0 {
            offset.min(clamp)
        } else if clamp < 0.0 {
            offset.max(clamp)
        } else {
            offset
        }
    }

    /// Steps along the longer axis; see the module's documentation for which pixels count.
    pub(super) fn line(&mut self, item: &Item, tests: &Tests) {
        let (a, b) = (self.corner(item.vertices[0]), self.corner(item.vertices[1]));
        let steep = (b.y - a.y).abs() > (b.x - a.x).abs();
        let along = |corner: &Screen| if steep { (corner.y, corner.x) } else { (corner.x, corner.y) };
        let ((start, start_across), (end, end_across)) = (along(&a), along(&b));
        let (major, minor) = (end - start, end_across - start_across);
        if major == 0 && !self.prepared.state.last_pixel {
            return;
        }
        self.set_up(item);
        // A pixel's square holds the points up to half a pixel before its centre, upper and left end included.
        const ONE: i64 = 1 << FRACTION;
        let nearest = |fixed: i64| (fixed + ONE / 2).div_euclid(ONE);
        let step = if major < 0 { -1 } else { 1 };
        let (first, mut last) = (nearest(start), nearest(end));
        if !self.prepared.state.last_pixel {
            last -= step;
        }
        let bounds = self.bounds;
        let (low, high) = if steep { (bounds.y0, bounds.y1) } else { (bounds.x0, bounds.x1) };
        let (low, high) = (first.min(last).max(i64::from(low)), first.max(last).min(i64::from(high) - 1));
        if (last - first) * step < 0 {
            return;
        }
        let mut pending = Pending { x: 0, y: 0, coverage: 0 };
        for i in 0..(high - low + 1).max(0) {
            let m = if step > 0 { low + i } else { high - i };
            let across = if major == 0 {
                start_across
            } else {
                let distance = (m * ONE - start).clamp(major.min(0), major.max(0));
                start_across + (distance * minor).div_euclid(major)
            };
            let n = nearest(across);
            let (x, y) = if steep { (n, m) } else { (m, n) };
            let inside = x >= i64::from(bounds.x0)
                && x < i64::from(bounds.x1)
                && y >= i64::from(bounds.y0)
                && y < i64::from(bounds.y1);
            if !inside {
                continue;
            }
            let (x, y) = (x as i32, y as i32);
            if pending.coverage != 0 && (pending.x, pending.y) != (x & !1, y & !1) {
                self.line_quad(item, tests, &a, &b, pending);
                pending.coverage = 0;
            }
            let lane = (x & 1) | (y & 1) << 1;
            pending = Pending { x: x & !1, y: y & !1, coverage: pending.coverage | 1 << lane };
        }
        if pending.coverage != 0 {
            self.line_quad(item, tests, &a, &b, pending);
        }
    }

    fn line_quad(&mut self, item: &Item, tests: &Tests, a: &Screen, b: &Screen, pending: Pending) {
        let one = f64::from(1 << FRACTION);
        let (dx, dy) = ((b.x - a.x) as f64 / one, (b.y - a.y) as f64 / one);
        let square = dx * dx + dy * dy;
        let (mut depth, mut inverse_w) = ([0.0; 4], [0.0; 4]);
        let (mut linear, mut perspective) = ([[0.0; 4]; 2], [[0.0; 4]; 2]);
        for lane in 0..4 {
            let px = f64::from(pending.x) + LANE_X[lane] - a.x as f64 / one;
            let py = f64::from(pending.y) + LANE_Y[lane] - a.y as f64 / one;
            // The foot of the pixel on the line, kept on it.
            let t = if square > 0.0 { ((px * dx + py * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
            let w = a.inverse_w + (b.inverse_w - a.inverse_w) * t;
            depth[lane] = (a.depth + (b.depth - a.depth) * t) as f32;
            inverse_w[lane] = w as f32;
            linear[0][lane] = t as f32;
            perspective[0][lane] = (b.inverse_w * t / w) as f32;
        }
        let candidate = Candidate {
            x: pending.x,
            y: pending.y,
            coverage: pending.coverage,
            depth,
            inverse_w,
            point_coord: [[0.0; 4]; 2],
        };
        self.quad(candidate, item, tests, |kinds, setup, varyings| {
            interpolate(kinds, setup, varyings, &linear, &perspective);
        });
    }

    /// A square around the vertex.
    pub(super) fn point(&mut self, item: &Item, tests: &Tests) {
        const ONE: f64 = (1 << FRACTION) as f64;
        let centre = self.corner(item.vertices[0]);
        let size = f64::from(item.size);
        if size.is_nan() || size <= 0.0 {
            return;
        }
        self.set_up(item);
        let (left, top) = (centre.x as f64 / ONE - size * 0.5, centre.y as f64 / ONE - size * 0.5);
        let range = |start: f64, low: i32, high: i32| {
            ((start.ceil() as i32).max(low), ((start + size).ceil() as i32).min(high)) // the casts saturate
        };
        let (x0, x1) = range(left, self.bounds.x0, self.bounds.x1);
        let (y0, y1) = range(top, self.bounds.y0, self.bounds.y1);
        let sprites = self.prepared.state.point_sprites;
        let prepared = self.prepared;
        let mut y = y0 & !1;
        while y < y1 {
            let mut x = x0 & !1;
            while x < x1 {
                let inside = |x: i32, y: i32| u8::from(x0 <= x && x < x1 && y0 <= y && y < y1);
                let coverage = inside(x, y) | inside(x + 1, y) << 1 | inside(x, y + 1) << 2 | inside(x + 1, y + 1) << 3;
                let u: [f32; 4] = LANE_X.map(|lane| ((f64::from(x) + lane - left) / size) as f32);
                let v: [f32; 4] = LANE_Y.map(|lane| ((f64::from(y) + lane - top) / size) as f32);
                let candidate = Candidate {
                    x,
                    y,
                    coverage,
                    depth: [centre.depth as f32; 4],
                    inverse_w: [centre.inverse_w as f32; 4],
                    point_coord: [u, v],
                };
                self.quad(candidate, item, tests, |_, setup, varyings| {
                    for ((varying, [value, ..]), layout) in varyings.iter_mut().zip(setup).zip(&prepared.state.varyings)
                    {
                        *varying = match layout.sprite {
                            Sprite::U if sprites => u,
                            Sprite::V if sprites => v,
                            Sprite::Zero if sprites => [0.0; 4],
                            Sprite::Keep | Sprite::U | Sprite::V | Sprite::Zero => [*value; 4],
                        };
                    }
                });
                x += 2;
            }
            y += 2;
        }
    }
}

/// Pixels of a line that lie in one quad.
#[derive(Clone, Copy)]
struct Pending {
    x: i32,
    y: i32,
    coverage: u8,
}

/// What a triangle's quads are computed from.
struct Planes {
    inverse_area: f64,
    /// The changes of the second and third corner's weight over the lanes of a quad.
    lanes: [[f64; 4]; 2],
    /// Depth (offset included) and 1/w at the first corner, and their changes to the others.
    depth: [f64; 3],
    inverse_w: [f64; 3],
}

/// Depth, 1/w, and the weights of the second and third corner on the target and in perspective.
type Interpolants = ([f32; 4], [f32; 4], [[f32; 4]; 2], [[f32; 4]; 2]);

impl Planes {
    fn new(edges: &[Edge; 3], area: i64, [a, b, c]: &[Screen; 3], offset: f64) -> Planes {
        let inverse_area = 1.0 / area as f64;
        let lanes = |edge: &Edge| {
            std::array::from_fn(|lane| {
                (LANE_X[lane] * edge.right as f64 + LANE_Y[lane] * edge.down as f64) * inverse_area
            })
        };
        Planes {
            inverse_area,
            lanes: [lanes(&edges[1]), lanes(&edges[2])],
            depth: [a.depth + offset, b.depth - a.depth, c.depth - a.depth],
            inverse_w: [a.inverse_w, b.inverse_w, c.inverse_w],
        }
    }

    #[inline]
    fn at(&self, edges: &[Edge; 3], x: i64, y: i64) -> Interpolants {
        let weight = |edge: &Edge, lanes: &[f64; 4]| {
            let start = edge.at(x, y) as f64 * self.inverse_area;
            lanes.map(|lane| start + lane)
        };
        let second: [f64; 4] = weight(&edges[1], &self.lanes[0]);
        let third: [f64; 4] = weight(&edges[2], &self.lanes[1]);
        let (mut depth, mut inverse_w) = ([0.0; 4], [0.0; 4]);
        let (mut linear, mut perspective) = ([[0.0; 4]; 2], [[0.0; 4]; 2]);
        for lane in 0..4 {
            let (q, r) = (second[lane], third[lane]);
            let (qw, rw) = (q * self.inverse_w[1], r * self.inverse_w[2]);
            let w = (1.0 - q - r) * self.inverse_w[0] + qw + rw;
            let inverse = 1.0 / w;
            depth[lane] = (self.depth[0] + self.depth[1] * q + self.depth[2] * r) as f32;
            inverse_w[lane] = w as f32;
            linear[0][lane] = q as f32;
            linear[1][lane] = r as f32;
            perspective[0][lane] = (qw * inverse) as f32;
            perspective[1][lane] = (rw * inverse) as f32;
        }
        (depth, inverse_w, linear, perspective)
    }
}
