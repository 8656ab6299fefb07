//! Drawing prepared primitives into a band: quads through the shader, then tests, blending and writes.

use super::blend::Colors;
use super::depth_stencil::Tests;
use super::prepare::Item;
use super::target::{ColorSlice, decode, encode};
use super::{Band, ColorState, Effects, Interpolation, PixelShader, Prepared, Quad, QuadOutput, Rect};

/// Counts of one band's drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Quads shaded.
    pub quads: u64,
    /// Pixels covered within the band, scissor and viewport, before depth and stencil.
    pub covered: u64,
    /// Pixels that passed all tests: what an occlusion query counts.
    pub passed: u64,
}

/// When depth and stencil are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// Before shading, with their effects.
    Early,
    /// After shading; a look beforehand spares quads that would fail in all lanes.
    LateWithLook,
    /// After shading, which always happens.
    Late,
}

/// A quad before shading: where it is, and what is the same for all varyings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub x: i32,
    pub y: i32,
    pub coverage: u8,
    pub depth: [f32; 4],
    pub inverse_w: [f32; 4],
    pub point_coord: [[f32; 4]; 2],
}

/// One band while it is drawn into.
pub(super) struct Drawing<'d, 'band, S> {
    pub prepared: &'d Prepared<'d>,
    /// Where pixels may be drawn.
    pub bounds: Rect,
    pub band: &'d mut Band<'band>,
    /// The interpolation of each varying, the shade mode applied.
    pub kinds: Vec<Interpolation>,
    /// The varyings of the quad at hand.
    pub varyings: Vec<[f32; 4]>,
    /// Varyings of the primitive at hand, as a value and changes.
    pub setup: Vec<[f32; 3]>,
    pub colors: [ColorState; super::MAX_COLORS],
    depth_range: [f32; 2],
    effects: Effects,
    shader: &'d mut S,
    out: QuadOutput,
    statistics: Statistics,
}

impl Prepared<'_> {
    /// Draws into a band.
    pub fn draw<S: PixelShader>(&self, band: &mut Band<'_>, shader: &mut S) -> Statistics {
        let state = self.state;
        let mut bounds = band.rect().intersect(viewport_pixels(state));
        if let Some(scissor) = state.scissor {
            bounds = bounds.intersect(scissor);
        }
        if bounds.is_empty() {
            return Statistics::default();
        }
        let [near, far] = [state.viewport.min_depth, state.viewport.max_depth];
        let mut colors = [ColorState::default(); super::MAX_COLORS];
        colors.iter_mut().zip(&state.colors).for_each(|(color, given)| *color = *given);
        let mut drawing = Drawing {
            prepared: self,
            bounds,
            band,
            kinds: state.varyings.iter().map(|&varying| state.interpolation(varying)).collect(),
            varyings: vec![[0.0; 4]; state.varyings.len()],
            setup: vec![[0.0; 3]; state.varyings.len()],
            colors,
            depth_range: [near.min(far), near.max(far)],
            effects: shader.effects(),
            shader,
            out: QuadOutput::default(),
            statistics: Statistics::default(),
        };
        for item in &self.items {
            let tests = drawing.tests(item);
            match item.count {
                1 => drawing.point(item, &tests),
                2 => drawing.line(item, &tests),
                _ => drawing.triangle(item, &tests),
            }
        }
        drawing.statistics
    }

    /// Draws into a whole target.
    pub fn draw_whole<S: PixelShader>(&self, target: &mut super::Target, shader: &mut S) -> Statistics {
        self.draw(&mut target.whole(), shader)
    }
}

/// The pixels whose centres lie in the viewport.
fn viewport_pixels(state: &super::State) -> Rect {
    let viewport = &state.viewport;
    let range = |start: f32, length: f32| {
        let (start, end) = (f64::from(start), f64::from(start) + f64::from(length));
        let first = |edge: f64| (edge - state.centre()).ceil() as i32; // saturates; NaN is 0
        (first(start.min(end)), first(start.max(end)))
    };
    let ((x0, x1), (y0, y1)) = (range(viewport.x, viewport.width), range(viewport.y, viewport.height));
    Rect { x0, y0, x1, y1 }
}

impl<S: PixelShader> Drawing<'_, '_, S> {
    fn tests(&self, item: &Item) -> Tests {
        let state = self.prepared.state;
        let stencil = state.stencil.map(|sides| if item.front { sides.front } else { sides.back });
        Tests { depth: state.depth, stencil }
    }

    fn order(&self, tests: &Tests) -> Order {
        let Effects { kills, writes_depth, writes_stencil, writes_memory, early_tests } = self.effects;
        if early_tests || !(kills || writes_depth || writes_stencil || writes_memory) || tests.is_off() {
            Order::Early
        } else if writes_depth || writes_stencil || writes_memory || !tests.failure_is_silent() {
            Order::Late
        } else {
            Order::LateWithLook
        }
    }

    /// Tests a quad early if that is legal: the lanes that are left, 0 if the shader need not run.
    fn before(&mut self, candidate: &mut Candidate, tests: &Tests) -> u8 {
        for depth in &mut candidate.depth {
            *depth = self.band.depth_format.quantise(*depth, self.depth_range);
        }
        self.statistics.covered += u64::from(candidate.coverage.count_ones());
        if tests.is_off() {
            return candidate.coverage;
        }
        let (x, y, coverage) = (candidate.x, candidate.y, candidate.coverage);
        let depth = candidate.depth;
        match self.order(tests) {
            Order::Early => self.run_tests(tests, (x, y), coverage, depth, None, true),
            Order::Late => coverage,
            Order::LateWithLook => {
                if self.run_tests(tests, (x, y), coverage, depth, None, false) == 0 {
                    0
                } else {
                    coverage
                }
            }
        }
    }

    /// Shades a quad, whose varyings `interpolate` fills if they are needed at all.
    pub fn quad(
        &mut self,
        mut candidate: Candidate,
        item: &Item,
        tests: &Tests,
        interpolate: impl FnOnce(&[Interpolation], &[[f32; 3]], &mut [[f32; 4]]),
    ) {
        let alive = self.before(&mut candidate, tests);
        if alive == 0 {
            return;
        }
        interpolate(&self.kinds, &self.setup, &mut self.varyings);
        let offset = self.prepared.state.centre() as f32;
        let (x, y) = (candidate.x as f32 + offset, candidate.y as f32 + offset);
        let quad = Quad {
            x: candidate.x,
            y: candidate.y,
            position: [[x, x + 1.0, x, x + 1.0], [y, y, y + 1.0, y + 1.0], candidate.depth, candidate.inverse_w],
            coverage: alive,
            varyings: &self.varyings,
            front: item.front,
            primitive: item.id,
            point_coord: candidate.point_coord,
        };
        self.out.written = 0;
        self.out.kill = 0;
        self.shader.shade(&quad, &mut self.out);
        self.statistics.quads += 1;
        let mut alive = alive & !self.out.kill;
        if self.order(tests) != Order::Early && alive != 0 {
            let mut depth = candidate.depth;
            if self.effects.writes_depth {
                depth = self.out.depth.map(|depth| self.band.depth_format.quantise(depth, self.depth_range));
            }
            let reference = self.effects.writes_stencil.then_some(self.out.stencil);
            alive = self.run_tests(tests, (candidate.x, candidate.y), alive, depth, reference, true);
        }
        self.statistics.passed += u64::from(alive.count_ones());
        self.write(candidate.x, candidate.y, alive);
    }

    /// The place of a lane's pixel in the band's buffers. The lane is covered, so it lies in the band.
    #[inline]
    fn pixel(&self, x: i32, y: i32, lane: usize) -> usize {
        let (column, row) = (x as usize + (lane & 1), y as usize + (lane >> 1));
        (row - self.band.row) * self.band.width + column
    }

    fn run_tests(
        &mut self,
        tests: &Tests,
        (x, y): (i32, i32),
        lanes: u8,
        depth: [f32; 4],
        reference: Option<[u8; 4]>,
        update: bool,
    ) -> u8 {
        let mut passing = 0;
        for lane in (0..4).filter(|lane| lanes >> lane & 1 == 1) {
            let pixel = self.pixel(x, y, lane);
            let reference = reference.map(|values| values[lane]);
            passing |= u8::from(tests.run(self.band, pixel, depth[lane], reference, update)) << lane;
        }
        passing
    }

    /// Blends and writes the shader's colours.
    fn write(&mut self, x: i32, y: i32, lanes: u8) {
        if lanes == 0 || self.out.written == 0 {
            return;
        }
        let constant = self.prepared.state.blend_constant;
        for attachment in (0..self.band.colors.len()).filter(|&i| self.out.written >> i & 1 == 1) {
            let state = self.colors[attachment];
            for lane in (0..4).filter(|lane| lanes >> lane & 1 == 1) {
                let pixel = self.pixel(x, y, lane);
                let src = self.out.rgba(attachment, lane);
                let src1 = if state.blend.is_some() { self.out.rgba(1, lane) } else { src };
                match &mut self.band.colors[attachment] {
                    ColorSlice::Float(pixels) => {
                        if let Some(stored) = pixels.get_mut(pixel) {
                            let new = blended(&state, Colors { src, src1, dst: *stored, constant });
                            merge(stored, new, state.write_mask);
                        }
                    }
                    ColorSlice::Bytes { pixels, srgb } => {
                        if let Some(stored) = pixels.get_mut(pixel) {
                            let new = if state.blend.is_some() {
                                // A fixed-point target clamps what goes into the blend.
                                let [src, src1, constant] =
                                    [src, src1, constant].map(|color| color.map(crate::srgb::clamp_unit));
                                blended(&state, Colors { src, src1, dst: decode(*stored, *srgb), constant })
                            } else {
                                src
                            };
                            merge(stored, encode(new, *srgb), state.write_mask);
                        }
                    }
                }
            }
        }
    }
}

#[inline]
fn blended(state: &ColorState, colors: Colors) -> [f32; 4] {
    state.blend.map_or(colors.src, |blend| blend.apply(&colors))
}

#[inline]
fn merge<T: Copy>(stored: &mut [T; 4], new: [T; 4], mask: u8) {
    if mask & 15 == 15 {
        *stored = new;
        return;
    }
    for lane in (0..4).filter(|lane| mask >> lane & 1 == 1) {
        stored[lane] = new[lane];
    }
}
