//! Drawing against values worked out by hand from the rules in the module's documentation.

use aquatint_exec::compare::Compare;
use aquatint_exec::raster::mesh::Mesh;
use aquatint_exec::raster::{
    Blend, BlendEquation, BlendFactor, BlendOp, ClipY, ClipZ, ColorFormat, ColorState, Cull, DepthBias, DepthFormat,
    DepthState, DrawError, Effects, Elements, Interpolation, PixelCentre, PixelShader, Primitive, Provoking, Quad,
    QuadOutput, Rect, ShadeMode, Sprite, State, Statistics, StencilFace, StencilOp, StencilState, Target, Topology,
    Varying, Vertices, Viewport, Winding, assemble, prepare,
};

/// A small generator, so that cases are the same each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let x = self.0 ^ (self.0 >> 29);
        x.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 16
    }

    fn below(&mut self, count: u64) -> u64 {
        self.next() % count
    }

    fn unit(&mut self) -> f32 {
        self.below(1 << 24) as f32 / (1 << 24) as f32
    }

    fn signed(&mut self) -> f32 {
        self.unit() * 2.0 - 1.0
    }
}

fn fill(rgba: [f32; 4]) -> impl FnMut(&Quad<'_>, &mut QuadOutput) {
    move |_, out| out.fill_color(0, rgba)
}

/// The first four varyings as the colour.
fn show_varyings(quad: &Quad<'_>, out: &mut QuadOutput) {
    out.set_color(0, std::array::from_fn(|k| quad.varyings.get(k).copied().unwrap_or_default()));
}

fn target(width: u32, height: u32) -> Target {
    Target::new(width, height, &[ColorFormat::Float], Some(DepthFormat::Float32), true).expect("a good size")
}

fn draw_varying<S: PixelShader>(
    target: &mut Target,
    state: &State,
    topology: Topology,
    positions: &[[f32; 4]],
    varyings: &[f32],
    shader: &mut S,
) -> Statistics {
    let vertices = Vertices { positions, varyings, ..Vertices::default() };
    let elements = Elements::Range { first: 0, count: positions.len() as u32 };
    prepare(state, vertices, topology, elements).expect("a good draw").draw_whole(target, shader)
}

fn draw<S: PixelShader>(
    target: &mut Target,
    state: &State,
    topology: Topology,
    positions: &[[f32; 4]],
    shader: &mut S,
) -> Statistics {
    draw_varying(target, state, topology, positions, &[], shader)
}

fn red(target: &Target, x: u32, y: u32) -> f32 {
    target.color(0, x, y).expect("inside")[0]
}

fn count(target: &Target, value: f32) -> usize {
    let all = (0..target.height()).flat_map(|y| (0..target.width()).map(move |x| (x, y)));
    all.filter(|&(x, y)| red(target, x, y) == value).count()
}

/// Rows of `#` where red is set.
fn picture(target: &Target) -> Vec<String> {
    let row = |y| (0..target.width()).map(|x| if red(target, x, y) != 0.0 { '#' } else { '.' }).collect();
    (0..target.height()).map(row).collect()
}

/// A position at pixel coordinates (0 at the left and upper edge), depth z, for a y-up state.
fn pixel(target: &Target, x: f32, y: f32, z: f32) -> [f32; 4] {
    [x / target.width() as f32 * 2.0 - 1.0, 1.0 - y / target.height() as f32 * 2.0, z, 1.0]
}

/// The square −1…1 as a strip, at a depth.
fn screen(z: f32) -> [[f32; 4]; 4] {
    [[-1.0, 1.0, z, 1.0], [1.0, 1.0, z, 1.0], [-1.0, -1.0, z, 1.0], [1.0, -1.0, z, 1.0]]
}

fn additive(width: u32, height: u32) -> State {
    let colors = vec![ColorState { blend: Some(Blend::ADDITIVE), write_mask: 15 }];
    State { colors, ..State::new(width, height) }
}

fn close(a: f32, b: f32, tolerance: f32) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

#[test]
fn full_screen_quad_covers_each_pixel_once() {
    for (width, height) in [(1, 1), (2, 3), (5, 4), (64, 33)] {
        for pixel_centre in [PixelCentre::D3d9, PixelCentre::HalfInteger] {
            let mut target = target(width, height);
            let state = State { pixel_centre, ..additive(width, height) };
            let statistics = draw(&mut target, &state, Topology::TriangleStrip, &screen(0.5), &mut fill([1.0; 4]));
            assert_eq!(count(&target, 1.0), (width * height) as usize);
            assert_eq!(statistics.passed, u64::from(width * height));
        }
    }
}

#[test]
fn pixel_centres() {
    // The coordinate that runs 0…1 over the viewport is x/width at an integer centre, (x + ½)/width at a half one.
    let varyings: Vec<f32> = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]].concat();
    for (pixel_centre, offset) in [(PixelCentre::D3d9, 0.0), (PixelCentre::HalfInteger, 0.5)] {
        let mut target = target(8, 4);
        let state = State { pixel_centre, varyings: vec![Varying::default(); 2], ..State::new(8, 4) };
        let mut positions = Vec::new();
        let mut shader = |quad: &Quad<'_>, out: &mut QuadOutput| {
            positions.push((quad.x, quad.y, quad.position[0][0], quad.position[1][0]));
            show_varyings(quad, out);
        };
        draw_varying(&mut target, &state, Topology::TriangleStrip, &screen(0.5), &varyings, &mut shader);
        for (x, y) in [(0, 0), (3, 1), (7, 3)] {
            let [u, v, ..] = target.color(0, x, y).expect("inside");
            close(u, (x as f32 + offset) / 8.0, 1e-6);
            close(v, (y as f32 + offset) / 4.0, 1e-6);
        }
        for (x, y, px, py) in positions {
            assert_eq!((px, py), (x as f32 + offset, y as f32 + offset));
            assert!(x % 2 == 0 && y % 2 == 0);
        }
    }
}

#[test]
fn top_left_rule() {
    // The square from centre (1, 1) to centre (4, 3): left and top centres are in, right and bottom ones out.
    let mut target = target(6, 5);
    let state = additive(6, 5);
    let corner = |x: f32, y: f32| [x / 6.0 * 2.0 - 1.0, 1.0 - y / 5.0 * 2.0, 0.0, 1.0];
    let square = [corner(1.5, 1.5), corner(4.5, 1.5), corner(1.5, 3.5), corner(4.5, 3.5)];
    draw(&mut target, &state, Topology::TriangleStrip, &square, &mut fill([1.0; 4]));
    assert_eq!(picture(&target), ["......", ".###..", ".###..", "......", "......"]);
    assert_eq!(count(&target, 1.0), 6);
}

#[test]
fn triangle_of_known_pixels() {
    // Legs of four pixels from the corner: centre (x + ½, y + ½) is inside where x + y + 1 < 4; the hypotenuse, a right
    // edge, leaves out the centres on it (x + y = 3).
    let mut target = target(4, 4);
    let state = State::new(4, 4);
    let corners = [(0.0, 0.0), (4.0, 0.0), (0.0, 4.0)].map(|(x, y)| pixel(&target, x, y, 0.0));
    draw(&mut target, &state, Topology::TriangleList, &corners, &mut fill([1.0; 4]));
    assert_eq!(picture(&target), ["###.", "##..", "#...", "...."]);
}

#[test]
fn shared_edges_touch_each_pixel_once() {
    // Random jittered grids, whose vertices often fall exactly on centres: additive blending must give exactly 1.
    let mut random = Random(1);
    let mut checked = 0;
    for round in 0..40 {
        let (width, height) = (17 + random.below(40) as u32, 16 + random.below(33) as u32);
        let cells = 1 + random.below(9) as usize;
        let mut points = Vec::new();
        for row in 0..=cells {
            for column in 0..=cells {
                let edge = |k: usize| if k == 0 || k == cells { 0.0 } else { 0.45 };
                let mut x = (column as f32 + edge(column) * random.signed()) / cells as f32 * width as f32;
                let mut y = (row as f32 + edge(row) * random.signed()) / cells as f32 * height as f32;
                if round % 2 == 0 {
                    (x, y) = ((x * 2.0).round() / 2.0, (y * 2.0).round() / 2.0); // on centres and between
                }
                points.push([x / width as f32 * 2.0 - 1.0, 1.0 - y / height as f32 * 2.0, 0.5, 1.0]);
            }
        }
        let mut indices = Vec::new();
        for row in 0..cells {
            for column in 0..cells {
                let a = (row * (cells + 1) + column) as u32;
                let (b, c, d) = (a + 1, a + cells as u32 + 1, a + cells as u32 + 2);
                let split = if random.below(2) == 0 { [a, b, c, c, b, d] } else { [a, b, d, d, c, a] };
                indices.extend(split);
            }
        }
        let mut target = target(width, height);
        let state = additive(width, height);
        let vertices = Vertices { positions: &points, ..Vertices::default() };
        let elements = Elements::Indices { indices: &indices, base: 0, restart: None };
        let prepared = prepare(&state, vertices, Topology::TriangleList, elements).expect("a good draw");
        prepared.draw_whole(&mut target, &mut fill([1.0; 4]));
        // Jitter under ½ keeps cells from folding over in most rounds, not all: a folded cell covers with both signs.
        let folded = indices.as_chunks::<3>().0.iter().any(|triangle| {
            let [p, q, r] = triangle.map(|i| points[i as usize]);
            (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]) > 0.0
        });
        if !folded {
            assert_eq!(count(&target, 1.0), (width * height) as usize, "round {round}");
            checked += 1;
        }
    }
    assert!(checked >= 20, "{checked}");
}

#[test]
fn fans_around_a_point_touch_each_pixel_once() {
    let mut random = Random(7);
    for round in 0..60 {
        let mut target = target(48, 48);
        let state = additive(48, 48);
        // A convex polygon around the middle; in some rounds it reaches far out, through every clip plane.
        let reach = if round % 3 == 0 { 1e6 } else { 0.9 };
        let corners = 3 + random.below(12);
        let middle = [random.signed() * 0.3, random.signed() * 0.3, 0.5, 1.0];
        let mut points = vec![middle];
        for k in 0..=corners {
            let angle = -((k % corners) as f32) / corners as f32 * std::f32::consts::TAU;
            points.push([angle.cos() * reach, angle.sin() * reach, 0.5, 1.0]);
        }
        let statistics = draw(&mut target, &state, Topology::TriangleFan, &points, &mut fill([1.0; 4]));
        assert_eq!(count(&target, 1.0) + count(&target, 0.0), 48 * 48, "round {round}");
        assert!(statistics.passed > 500);
        if round % 3 == 0 && corners > 4 {
            assert_eq!(count(&target, 1.0), 48 * 48, "round {round}");
        }
    }
}

#[test]
fn perspective_is_the_analytic_formula() {
    // A floor at y = −1 whose varyings are world z and x: the row at ndc y = −1/z sees z, and the column at ndc x sees x = ndc x · z.
    let (near, far) = (1.0_f32, 20.0_f32);
    let vertex = |x: f32, z: f32| [x * z, -1.0, 0.5 * z, z];
    let positions = [vertex(-1.0, far), vertex(1.0, far), vertex(-1.0, near), vertex(1.0, near)];
    let varyings = [far, -far, far, far, near, -near, near, near]; // world z and world x
    let mut target = target(32, 256);
    let state = State { varyings: vec![Varying::default(); 2], ..State::new(32, 256) };
    let mut worst = 0.0_f32;
    let mut shader = |quad: &Quad<'_>, out: &mut QuadOutput| {
        for lane in (0..4).filter(|lane| quad.coverage >> lane & 1 == 1) {
            let ndc_y = 1.0 - quad.position[1][lane] / 128.0;
            let z = -1.0 / ndc_y; // y = −1 in the world, so ndc y = −1/z
            worst = worst.max((quad.varyings[0][lane] - z).abs() / z);
            worst = worst.max((quad.position[3][lane] - 1.0 / z).abs() * z);
            let x = (quad.position[0][lane] / 16.0 - 1.0) * z;
            worst = worst.max((quad.varyings[1][lane] - x).abs() / z);
        }
        show_varyings(quad, out);
    };
    let statistics = draw_varying(&mut target, &state, Topology::TriangleStrip, &positions, &varyings, &mut shader);
    assert!(statistics.passed > 3000);
    // The far row is 6.4 pixels below the horizon: 1/256 pixel of snapping is up to 3e-4 there.
    assert!(worst < 5e-4, "{worst}");
}

#[test]
fn interpolation_kinds() {
    // At the middle of the edge between w = 1 and w = 3: linear ½, perspective (½·1/3)/(½ + ½/3) = ¼.
    let kinds = [Interpolation::Perspective, Interpolation::Linear, Interpolation::Flat, Interpolation::Centroid];
    let layout: Vec<Varying> = kinds.map(|interpolation| Varying { interpolation, ..Varying::default() }).to_vec();
    let positions = [[-1.0, 1.0, 0.0, 1.0], [3.0, 3.0, 0.0, 3.0], [-1.0, -1.0, 0.0, 1.0], [3.0, -3.0, 0.0, 3.0]];
    let varyings: Vec<f32> = [0.0, 1.0, 0.0, 1.0].iter().flat_map(|&value| [value; 4]).collect();
    let mut target = target(3, 3);
    let state = State { varyings: layout, ..State::new(3, 3) };
    draw_varying(&mut target, &state, Topology::TriangleStrip, &positions, &varyings, &mut show_varyings);
    let [perspective, linear, flat, centroid] = target.color(0, 1, 1).expect("inside");
    close(linear, 0.5, 1e-6);
    close(perspective, 0.25, 1e-6);
    close(centroid, 0.25, 1e-6);
    assert!(flat == 0.0 || flat == 1.0);
    // The upper left pixel lies in triangle 0, whose first vertex gives 0; the lower right in triangle 1, vertex 1.
    assert_eq!(target.color(0, 0, 0).expect("inside")[2], 0.0);
    assert_eq!(target.color(0, 2, 2).expect("inside")[2], 1.0);
}

#[test]
fn flat_shading_only_colors() {
    let layout = vec![Varying { color: true, ..Varying::default() }, Varying::default()];
    let positions = [[-1.0, 1.0, 0.0, 1.0], [3.0, 1.0, 0.0, 1.0], [-1.0, -3.0, 0.0, 1.0]];
    let varyings = [5.0, 0.0, 7.0, 1.0, 9.0, 0.0];
    for (provoking, flat) in [(Provoking::First, 5.0), (Provoking::Last, 9.0)] {
        let mut target = target(4, 4);
        let state = State { varyings: layout.clone(), shade_mode: ShadeMode::Flat, provoking, ..State::new(4, 4) };
        draw_varying(&mut target, &state, Topology::TriangleList, &positions, &varyings, &mut show_varyings);
        let [color, texcoord, ..] = target.color(0, 3, 1).expect("inside");
        assert_eq!(color, flat);
        close(texcoord, 3.5 / 8.0, 1e-6);
    }
}

#[test]
fn constant_varyings_stay_exact() {
    let mut target = target(31, 17);
    let state = State { varyings: vec![Varying::default()], ..State::new(31, 17) };
    let positions = [[-3.0, 2.0, 0.1, 1.0], [9.0, 2.5, 0.4, 3.0], [-1.0, -9.0, 1.0, 7.0]];
    draw_varying(&mut target, &state, Topology::TriangleList, &positions, &[0.1; 3], &mut show_varyings);
    assert!(count(&target, 0.1) > 100);
    assert_eq!(count(&target, 0.1) + count(&target, 0.0), 31 * 17);
}

#[test]
fn derivatives_reach_helper_lanes() {
    // A thin triangle: every quad, though partly covered, sees the plane's own slope.
    let mut target = target(32, 32);
    let state = State { varyings: vec![Varying::default(); 2], ..State::new(32, 32) };
    let corners = [(1.0, 1.0), (30.0, 17.3), (29.0, 18.1)];
    let positions = corners.map(|(x, y)| pixel(&target, x, y, 0.0));
    let varyings: Vec<f32> = corners.iter().flat_map(|&(x, y)| [x, y]).collect();
    let mut partial = 0;
    let mut shader = |quad: &Quad<'_>, _: &mut QuadOutput| {
        partial += usize::from(quad.coverage != 15);
        let [x, y] = [quad.varyings[0], quad.varyings[1]];
        for (value, expected) in [(x[1] - x[0], 1.0), (x[2] - x[0], 0.0), (y[1] - y[0], 0.0), (y[2] - y[0], 1.0)] {
            close(value, expected, 0.02);
        }
    };
    draw_varying(&mut target, &state, Topology::TriangleList, &positions, &varyings, &mut shader);
    assert!(partial > 10);
}

#[test]
fn culling_and_winding() {
    // Clockwise on the target: upper left, upper right, lower left.
    let clockwise = [[-1.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0], [-1.0, -1.0, 0.0, 1.0]];
    let turned = [clockwise[0], clockwise[2], clockwise[1]];
    for (positions, is_clockwise) in [(clockwise, true), (turned, false)] {
        for front in [Winding::Clockwise, Winding::CounterClockwise] {
            for cull in [Cull::None, Cull::Front, Cull::Back] {
                let is_front = is_clockwise == (front == Winding::Clockwise);
                let mut target = target(8, 8);
                let mut seen = None;
                let mut shader = |quad: &Quad<'_>, _: &mut QuadOutput| seen = Some(quad.front);
                let state = State { front, cull, ..State::new(8, 8) };
                draw(&mut target, &state, Topology::TriangleList, &positions, &mut shader);
                let dropped = (cull == Cull::Front && is_front) || (cull == Cull::Back && !is_front);
                assert_eq!(seen, (!dropped).then_some(is_front));
            }
        }
        // Vulkan's y turns the picture over, and with it the winding that one sees.
        let mut target = target(8, 8);
        let mut seen = None;
        let mut shader = |quad: &Quad<'_>, _: &mut QuadOutput| seen = Some(quad.front);
        let state = State { clip_y: ClipY::Down, ..State::new(8, 8) };
        draw(&mut target, &state, Topology::TriangleList, &positions, &mut shader);
        assert_eq!(seen, Some(!is_clockwise));
    }
    // D3DCULL_CCW (3) drops what is counter-clockwise, D3DCULL_CW (2) the other.
    assert_eq!(Cull::from_d3d9(3), Some(Cull::Back));
    assert_eq!(Cull::from_d3d9(2), Some(Cull::Front));
    assert_eq!(Cull::from_d3d9(0), None);
}

#[test]
fn viewport_scissor_and_depth_range() {
    let mut target = target(8, 8);
    let viewport = Viewport { x: 2.0, y: 1.0, width: 4.0, height: 6.0, min_depth: 0.25, max_depth: 0.75 };
    let scissor = Some(Rect { x0: 3, y0: -5, x1: 99, y1: 4 });
    let depth = DepthState { test: true, compare: Compare::Always, ..DepthState::default() };
    let state = State { viewport, scissor, depth, ..State::new(8, 8) };
    // Twice as large as the clip volume: the viewport still bounds it.
    let large = screen(0.5).map(|[x, y, z, w]| [x * 2.0, y * 2.0, z, w]);
    draw(&mut target, &state, Topology::TriangleStrip, &large, &mut fill([1.0; 4]));
    let rows = ["........", "...###..", "...###..", "...###..", "........", "........", "........", "........"];
    assert_eq!(picture(&target), rows);
    assert_eq!(target.depth(4, 2), Some(0.5));
    assert_eq!(target.depth(0, 0), Some(1.0));
    let mut flipped = Target::new(2, 4, &[ColorFormat::Float], None, false).expect("a good size");
    let viewport = Viewport { y: 4.0, height: -4.0, ..Viewport::whole(2, 4) };
    let state = State { viewport, clip_y: ClipY::Down, ..State::new(2, 4) };
    let upper = [[-1.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0], [-1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0]];
    draw(&mut flipped, &state, Topology::TriangleStrip, &upper, &mut fill([1.0; 4]));
    assert_eq!(picture(&flipped), ["##", "##", "..", ".."]);
}

#[test]
fn near_and_far_clip() {
    // z runs from −1 at the left to 1 at the right (w = 1): Direct3D shows the right half, OpenGL all.
    let positions = [[-1.0, 1.0, -1.0, 1.0], [1.0, 1.0, 1.0, 1.0], [-1.0, -1.0, -1.0, 1.0], [1.0, -1.0, 1.0, 1.0]];
    for (clip_z, depth_clip, columns) in
        [(ClipZ::ZeroToW, true, 4), (ClipZ::MinusWToW, true, 8), (ClipZ::ZeroToW, false, 8)]
    {
        let mut target = target(8, 8);
        let depth = DepthState { test: true, compare: Compare::Always, ..DepthState::default() };
        let state = State { clip_z, depth_clip, depth, ..additive(8, 8) };
        draw(&mut target, &state, Topology::TriangleStrip, &positions, &mut fill([1.0; 4]));
        assert_eq!(count(&target, 1.0), 8 * columns);
        assert_eq!(red(&target, 7, 0), 1.0);
        let expected = match (clip_z, depth_clip) {
            (ClipZ::MinusWToW, _) => 0.5 + 0.875 / 2.0,
            _ => 0.875,
        };
        close(target.depth(7, 3).expect("inside"), expected, 1e-6);
        if !depth_clip {
            assert_eq!(target.depth(0, 3), Some(0.0)); // clamped
        }
    }
    // z from 0 to 2 at w = 1: half beyond far.
    let positions = positions.map(|[x, y, z, w]| [x, y, z + 1.0, w]);
    let mut beyond = target(8, 8);
    draw(&mut beyond, &additive(8, 8), Topology::TriangleStrip, &positions, &mut fill([1.0; 4]));
    assert_eq!(picture(&beyond)[0], "####....");
}

#[test]
fn clipping_behind_the_eye_keeps_perspective() {
    // A floor that passes under the eye: vertices with w < 0 are cut away, attributes stay on the plane.
    let vertex = |x: f32, z: f32| [x, -1.0, z - 1.0, z];
    let positions = [vertex(-50.0, 50.0), vertex(50.0, 50.0), vertex(-50.0, -50.0), vertex(50.0, -50.0)];
    let varyings = [50.0, 50.0, -50.0, -50.0];
    let mut target = target(64, 64);
    let state = State { varyings: vec![Varying::default()], ..additive(64, 64) };
    let mut worst = 0.0_f32;
    let mut shader = |quad: &Quad<'_>, out: &mut QuadOutput| {
        for lane in (0..4).filter(|lane| quad.coverage >> lane & 1 == 1) {
            let z = 1.0 / (quad.position[1][lane] / 32.0 - 1.0);
            worst = worst.max((quad.varyings[0][lane] - z).abs() / z);
        }
        out.fill_color(0, [1.0; 4]);
    };
    draw_varying(&mut target, &state, Topology::TriangleStrip, &positions, &varyings, &mut shader);
    // From the horizon row (z = 50 is 0.64 pixels below the middle) to the bottom, z = 1 at the near plane.
    let lit = (0..64).filter(|&y| (0..64).all(|x| red(&target, x, y) == 1.0)).count();
    assert!(lit >= 30, "{lit}");
    assert_eq!(count(&target, 1.0) + count(&target, 0.0), 64 * 64);
    assert!(worst < 1e-2, "{worst}");
}

#[test]
fn clipped_meshes_stay_watertight() {
    // A floor of jittered cells under and behind the eye, cut by near plane, far plane and guard band: additive blending
    // must never give more than 1, and exactly 1 on every row between the far plane and the bottom.
    let mut random = Random(5);
    for round in 0..30 {
        const CELLS: usize = 12;
        let mut positions = Vec::new();
        for row in 0..=CELLS {
            for column in 0..=CELLS {
                let mut jitter = || random.signed() * 0.4;
                let (x, z) = (column as f32 + jitter() - 6.0, row as f32 + jitter() - 6.0);
                let z = z * if round % 2 == 0 { 3.0 } else { 1e4 };
                // Near at w = 1, far at w = 10: z/w = (w − 1)/(9w/10) is 0 there and 1 here.
                positions.push([x * 1e3, -1.0, (z - 1.0) * 10.0 / 9.0, z]);
            }
        }
        let mut indices = Vec::new();
        for cell in 0..CELLS * CELLS {
            let a = (cell / CELLS * (CELLS + 1) + cell % CELLS) as u32;
            let (b, c, d) = (a + 1, a + CELLS as u32 + 1, a + CELLS as u32 + 2);
            indices.extend(if random.below(2) == 0 { [a, b, c, c, b, d] } else { [a, b, d, d, c, a] });
        }
        let mut target = target(64, 64);
        let state = State { cull: Cull::None, ..additive(64, 64) };
        let vertices = Vertices { positions: &positions, ..Vertices::default() };
        let elements = Elements::Indices { indices: &indices, base: 0, restart: None };
        let prepared = prepare(&state, vertices, Topology::TriangleList, elements).expect("a good draw");
        prepared.draw_whole(&mut target, &mut fill([1.0; 4]));
        // w = 10 lies 3.2 pixels below the middle.
        for y in 0..64 {
            let expected = if y >= 36 { 1.0 } else { 0.0 };
            if y != 35 {
                assert!((0..64).all(|x| red(&target, x, y) == expected), "round {round} row {y}");
            }
        }
    }
}

#[test]
fn user_clip_distances() {
    let mut target = target(8, 8);
    let state = State { clip_distances: 2, ..additive(8, 8) };
    let positions = screen(0.5);
    // Distance 0 is x, distance 1 is y: the upper right quarter remains.
    let distances: Vec<f32> = positions.iter().flat_map(|position| [position[0], position[1]]).collect();
    let vertices = Vertices { positions: &positions, clip_distances: &distances, ..Vertices::default() };
    let elements = Elements::Range { first: 0, count: 4 };
    let prepared = prepare(&state, vertices, Topology::TriangleStrip, elements).expect("a good draw");
    prepared.draw_whole(&mut target, &mut fill([1.0; 4]));
    for (y, row) in picture(&target).iter().enumerate() {
        assert_eq!(row, if y < 4 { "....####" } else { "........" });
    }
    assert_eq!(count(&target, 1.0), 16);
}

#[test]
fn pretransformed_positions() {
    // Direct3D 9: x, y in pixels, centres at integers, 1/w in the fourth lane.
    let mut target = target(6, 4);
    let state = State {
        pretransformed: true,
        pixel_centre: PixelCentre::D3d9,
        varyings: vec![Varying::default()],
        ..State::new(6, 4)
    };
    let positions = [[1.0, 1.0, 0.0, 1.0], [5.0, 1.0, 0.0, 0.25], [1.0, 3.0, 0.0, 1.0], [5.0, 3.0, 0.0, 0.25]];
    let varyings = [1.0, 2.0, 1.0, 2.0];
    draw_varying(&mut target, &state, Topology::TriangleStrip, &positions, &varyings, &mut show_varyings);
    assert_eq!(picture(&target), ["......", ".####.", ".####.", "......"]);
    // Half way: (½·1 + ½·¼·2)/(½ + ½·¼) = 1.2.
    close(red(&target, 3, 1), 1.2, 1e-6);
    close(red(&target, 1, 2), 1.0, 1e-6);
}

#[test]
fn depth_functions() {
    // New depth against stored 0.5.
    for (new, passes) in [
        (0.25, [false, true, false, true, false, true, false, true]),
        (0.5, [false, false, true, true, false, false, true, true]),
        (0.75, [false, false, false, false, true, true, true, true]),
    ] {
        for (number, passes) in (1..=8).zip(passes) {
            for write in [false, true] {
                let mut target = target(2, 2);
                target.clear_depth(0.5);
                let compare = Compare::from_d3d9(number).expect("eight functions");
                let depth = DepthState { test: true, write, compare, ..DepthState::default() };
                let state = State { depth, ..State::new(2, 2) };
                let statistics = draw(&mut target, &state, Topology::TriangleStrip, &screen(new), &mut fill([1.0; 4]));
                assert_eq!(red(&target, 1, 1) == 1.0, passes, "{compare:?} {new}");
                assert_eq!(target.depth(1, 1), Some(if passes && write { new } else { 0.5 }));
                assert_eq!(statistics.passed, if passes { 4 } else { 0 });
            }
        }
    }
}

#[test]
fn depth_precision() {
    // Neighbouring 24-bit depths are told apart, and a depth drawn twice equals itself.
    let mut target = Target::new(2, 2, &[ColorFormat::Float], Some(DepthFormat::Unorm24), false).expect("a good size");
    let less = DepthState { test: true, compare: Compare::Less, ..DepthState::default() };
    let state = State { depth: less, ..additive(2, 2) };
    for k in [16_777_214_u32, 12_000_000, 8_388_609, 8_388_608, 8_388_607, 1, 0] {
        let z = (f64::from(k) / 16_777_215.0) as f32;
        for expected in [4, 0] {
            let statistics = draw(&mut target, &state, Topology::TriangleStrip, &screen(z), &mut fill([1.0; 4]));
            assert_eq!(statistics.passed, expected, "step {k}");
        }
        assert_eq!(target.depth(0, 0), Some(z));
    }
    // 16 bits: 0.5 is stored as 32768/65535.
    let mut coarse = Target::new(1, 1, &[], Some(DepthFormat::Unorm16), false).expect("a good size");
    coarse.clear_depth(0.5);
    assert_eq!(coarse.depth(0, 0), Some((32768.0 / 65535.0) as f32));
}

#[test]
fn depth_bias() {
    let drawn = |bias: DepthBias, format: DepthFormat, right: f32| {
        let mut target = Target::new(4, 4, &[], Some(format), false).expect("a good size");
        let depth = DepthState { test: true, write: true, compare: Compare::Always, bias };
        let state = State { depth, ..State::new(4, 4) };
        // Depth runs from 0.25 at the left edge to `right` at the right one.
        let mut positions = screen(0.25);
        positions[1][2] = right;
        positions[3][2] = right;
        draw(&mut target, &state, Topology::TriangleStrip, &positions, &mut fill([1.0; 4]));
        target.depth(1, 1).expect("inside")
    };
    let float = DepthFormat::Float32;
    let plain = DepthBias::default();
    close(drawn(DepthBias { constant: 0.125, ..plain }, float, 0.25), 0.375, 1e-7);
    // Slope: ¼ over 4 pixels is 1/16 a pixel; at centre 1.5 the depth is 0.25 + 1.5/16.
    close(drawn(DepthBias { slope: 2.0, ..plain }, float, 0.5), 0.25 + 3.5 / 16.0, 1e-6);
    close(drawn(DepthBias { slope: 2.0, clamp: 0.05, ..plain }, float, 0.5), 0.25 + 1.5 / 16.0 + 0.05, 1e-6);
    close(drawn(DepthBias { slope: -2.0, clamp: -0.05, ..plain }, float, 0.5), 0.25 + 1.5 / 16.0 - 0.05, 1e-6);
    // Steps: 2^−16 for 16 bits; for floats 2^(−2 − 23) at depth ¼.
    let steps = DepthBias { constant: 1024.0, in_steps: true, ..plain };
    close(drawn(steps, DepthFormat::Unorm16, 0.25), 0.25 + 1024.0 / 65536.0, 1.6e-5);
    let steps = DepthBias { constant: (1 << 20) as f32, in_steps: true, ..plain };
    close(drawn(steps, float, 0.25), 0.25 + 1.0 / 32.0, 1e-7);
}

/// Draws once over stencil 2×2 of value `stored`; gives the stencil and whether colour was written.
fn stencil_after(face: StencilFace, stored: u8, depth_passes: bool) -> (u8, bool) {
    let mut target = target(2, 2);
    target.clear_stencil(stored);
    let compare = if depth_passes { Compare::Always } else { Compare::Never };
    let state = State {
        depth: DepthState { test: true, compare, ..DepthState::default() },
        stencil: Some(StencilState { front: face, back: StencilFace::default() }),
        ..State::new(2, 2)
    };
    draw(&mut target, &state, Topology::TriangleStrip, &screen(0.5), &mut fill([1.0; 4]));
    (target.stencil(1, 0).expect("inside"), red(&target, 1, 0) == 1.0)
}

#[test]
fn stencil_operations() {
    // By number: keep, zero, replace, +1 clamped, −1 clamped, invert, +1, −1; reference 0x5A.
    let table = [
        (0x00, [0x00, 0x00, 0x5A, 0x01, 0x00, 0xFF, 0x01, 0xFF]),
        (0x7F, [0x7F, 0x00, 0x5A, 0x80, 0x7E, 0x80, 0x80, 0x7E]),
        (0xFF, [0xFF, 0x00, 0x5A, 0xFF, 0xFE, 0x00, 0x00, 0xFE]),
    ];
    for (stored, results) in table {
        for (number, result) in (1..=8).zip(results) {
            let op = StencilOp::from_d3d9(number).expect("eight operations");
            let base = StencilFace { reference: 0x5A, ..StencilFace::default() };
            let pass = StencilFace { pass: op, ..base };
            assert_eq!(stencil_after(pass, stored, true), (result, true), "{op:?} pass");
            assert_eq!(stencil_after(pass, stored, false), (stored, false));
            let depth_fail = StencilFace { depth_fail: op, ..base };
            assert_eq!(stencil_after(depth_fail, stored, false), (result, false), "{op:?} depth fail");
            assert_eq!(stencil_after(depth_fail, stored, true), (stored, true));
            let fail = StencilFace { fail: op, compare: Compare::Never, ..base };
            for depth_passes in [false, true] {
                assert_eq!(stencil_after(fail, stored, depth_passes), (result, false), "{op:?} fail");
            }
        }
    }
}

#[test]
fn stencil_functions_and_masks() {
    // Reference against stored, both masked.
    for (reference, passes) in [
        (1, [false, true, false, true, false, true, false, true]),
        (2, [false, false, true, true, false, false, true, true]),
        (3, [false, false, false, false, true, true, true, true]),
    ] {
        for (number, passes) in (1..=8).zip(passes) {
            let compare = Compare::from_d3d9(number).expect("eight functions");
            let face = StencilFace { compare, reference, read_mask: 0x03, ..StencilFace::default() };
            assert_eq!(stencil_after(face, 0xF2, true).1, passes, "{compare:?} {reference}");
        }
    }
    let masked = StencilFace { pass: StencilOp::Replace, reference: 0xFF, write_mask: 0x0F, ..StencilFace::default() };
    assert_eq!(stencil_after(masked, 0xA0, true), (0xAF, true));
}

#[test]
fn stencil_is_two_sided() {
    let mut target = target(4, 2);
    let face = |reference| StencilFace { pass: StencilOp::Replace, reference, ..StencilFace::default() };
    let state = State { stencil: Some(StencilState { front: face(1), back: face(2) }), ..State::new(4, 2) };
    let clockwise = [[-1.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [-1.0, -3.0, 0.0, 1.0]];
    draw(&mut target, &state, Topology::TriangleList, &clockwise, &mut fill([1.0; 4]));
    let other = [[1.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [1.0, -3.0, 0.0, 1.0]];
    draw(&mut target, &state, Topology::TriangleList, &other, &mut fill([1.0; 4]));
    assert_eq!((target.stencil(0, 0), target.stencil(3, 0)), (Some(1), Some(2)));
}

/// Draws one colour over another with a blend.
fn blended(format: ColorFormat, blend: Blend, src: [f32; 4], dst: [f32; 4], write_mask: u8) -> [f32; 4] {
    let mut target = Target::new(1, 1, &[format], None, false).expect("a good size");
    target.clear_color(0, dst);
    let colors = vec![ColorState { blend: Some(blend), write_mask }];
    let state = State { colors, blend_constant: [0.1, 0.2, 0.3, 0.4], ..State::new(1, 1) };
    let mut shader = |_: &Quad<'_>, out: &mut QuadOutput| {
        out.fill_color(0, src);
        out.fill_color(1, [0.5, 0.25, 0.125, 0.75]);
    };
    draw(&mut target, &state, Topology::TriangleStrip, &screen(0.0), &mut shader);
    target.color(0, 0, 0).expect("inside")
}

#[test]
fn blend_factors() {
    let (src, dst) = ([0.2, 0.4, 0.6, 0.8], [0.9, 0.7, 0.5, 0.3]);
    // The weight of each factor in r, g, b, a, by its D3DBLEND number.
    let table: [(u32, [f32; 4]); 15] = [
        (1, [0.0; 4]),
        (2, [1.0; 4]),
        (3, [0.2, 0.4, 0.6, 0.8]),
        (4, [0.8, 0.6, 0.4, 0.2]),
        (5, [0.8; 4]),
        (6, [0.2; 4]),
        (7, [0.3; 4]),
        (8, [0.7; 4]),
        (9, [0.9, 0.7, 0.5, 0.3]),
        (10, [0.1, 0.3, 0.5, 0.7]),
        (11, [0.7, 0.7, 0.7, 1.0]),
        (14, [0.1, 0.2, 0.3, 0.4]),
        (15, [0.9, 0.8, 0.7, 0.6]),
        (16, [0.5, 0.25, 0.125, 0.75]),
        (17, [0.5, 0.75, 0.875, 0.25]),
    ];
    let check = |blend: Blend, expected: [f32; 4]| {
        let result = blended(ColorFormat::Float, blend, src, dst, 15);
        result.iter().zip(expected).for_each(|(lane, expected)| close(*lane, expected, 1e-6));
    };
    for (number, weight) in table {
        let factor = BlendFactor::from_d3d9(number).expect("a factor");
        check(Blend::uniform(factor, BlendFactor::Zero, BlendOp::Add), std::array::from_fn(|k| src[k] * weight[k]));
        check(Blend::uniform(BlendFactor::Zero, factor, BlendOp::Add), std::array::from_fn(|k| dst[k] * weight[k]));
    }
    for (factor, weight) in [
        (BlendFactor::ConstantAlpha, 0.4),
        (BlendFactor::InvConstantAlpha, 0.6),
        (BlendFactor::Src1Alpha, 0.75),
        (BlendFactor::InvSrc1Alpha, 0.25),
    ] {
        check(Blend::uniform(factor, BlendFactor::Zero, BlendOp::Add), src.map(|lane| lane * weight));
    }
    for number in [0, 12, 13, 18] {
        assert_eq!(BlendFactor::from_d3d9(number), None);
    }
}

#[test]
fn blend_operations_and_masks() {
    let (src, dst) = ([0.2, 0.4, 0.6, 0.8], [0.5, 0.25, 0.75, 1.0]);
    let with = |number: u32| {
        let op = BlendOp::from_d3d9(number).expect("an operation");
        blended(ColorFormat::Float, Blend::uniform(BlendFactor::One, BlendFactor::One, op), src, dst, 15)
    };
    let expected = [
        [0.7, 0.65, 1.35, 1.8],
        [-0.3, 0.15, -0.15, -0.2],
        [0.3, -0.15, 0.15, 0.2],
        [0.2, 0.25, 0.6, 0.8],
        [0.5, 0.4, 0.75, 1.0],
    ];
    for (number, expected) in (1..=5).zip(expected) {
        with(number).iter().zip(expected).for_each(|(lane, expected)| close(*lane, expected, 1e-6));
    }
    // Min and max ignore the factors.
    let min = Blend::uniform(BlendFactor::Zero, BlendFactor::Zero, BlendOp::Min);
    assert_eq!(blended(ColorFormat::Float, min, src, dst, 15), [0.2, 0.25, 0.6, 0.8]);
    // Separate alpha.
    let alpha = BlendEquation { src: BlendFactor::Zero, dst: BlendFactor::One, op: BlendOp::Add };
    let separate = Blend { alpha, ..Blend::uniform(BlendFactor::One, BlendFactor::Zero, BlendOp::Add) };
    assert_eq!(blended(ColorFormat::Float, separate, src, dst, 15), [0.2, 0.4, 0.6, 1.0]);
    // Write mask: 1 red, 2 green, 4 blue, 8 alpha.
    let replace = Blend::uniform(BlendFactor::One, BlendFactor::Zero, BlendOp::Add);
    for mask in 0..16 {
        let expected = std::array::from_fn(|k| if mask >> k & 1 == 1 { src[k] } else { dst[k] });
        assert_eq!(blended(ColorFormat::Float, replace, src, dst, mask), expected);
    }
}

#[test]
fn unorm_targets_clamp_and_round() {
    let bytes = |format, blend: Option<Blend>, src: [f32; 4], dst: [f32; 4]| {
        let mut target = Target::new(1, 1, &[format], None, false).expect("a good size");
        target.clear_color(0, dst);
        let state = State { colors: vec![ColorState { blend, write_mask: 15 }], ..State::new(1, 1) };
        draw(&mut target, &state, Topology::TriangleStrip, &screen(0.0), &mut fill(src));
        target.rgba8(0).expect("one attachment")
    };
    assert_eq!(bytes(ColorFormat::Unorm8, None, [-1.0, 0.5, 2.0, f32::NAN], [0.0; 4]), [0, 128, 255, 0]);
    // Source 4 is clamped to 1 before it is multiplied by the target.
    let modulate = Blend::uniform(BlendFactor::DstColor, BlendFactor::Zero, BlendOp::Add);
    assert_eq!(bytes(ColorFormat::Unorm8, Some(modulate), [4.0; 4], [0.2; 4]), [51; 4]);
    // sRGB: 0.5 encodes to 188, alpha to 128; blending adds in linear light: 0.214 041 (byte 127) twice is 0.424 (byte 174).
    assert_eq!(bytes(ColorFormat::Srgb8, None, [0.5; 4], [0.0; 4]), [188, 188, 188, 128]);
    let half = aquatint_exec::srgb::from_byte(127);
    assert_eq!(bytes(ColorFormat::Srgb8, Some(Blend::ADDITIVE), [half; 4], [half; 4])[..3], [174, 174, 174]);
}

#[test]
fn attachments_not_written_stay() {
    let mut target = Target::new(2, 2, &[ColorFormat::Float; 3], None, false).expect("a good size");
    for attachment in 0..3 {
        target.clear_color(attachment, [9.0; 4]);
    }
    let mut shader = |_: &Quad<'_>, out: &mut QuadOutput| {
        out.fill_color(0, [1.0; 4]);
        out.fill_color(2, [2.0; 4]);
        out.fill_color(7, [3.0; 4]);
        out.fill_color(8, [4.0; 4]);
    };
    draw(&mut target, &State::new(2, 2), Topology::TriangleStrip, &screen(0.0), &mut shader);
    let colors = [0, 1, 2].map(|attachment| target.color(attachment, 1, 1).expect("inside")[0]);
    assert_eq!(colors, [1.0, 9.0, 2.0]);
}

/// A shader that kills odd columns, gives depths and stencil references, and counts its runs.
struct Special {
    effects: Effects,
    runs: usize,
}

impl PixelShader for Special {
    fn effects(&self) -> Effects {
        self.effects
    }

    fn shade(&mut self, quad: &Quad<'_>, out: &mut QuadOutput) {
        self.runs += 1;
        out.fill_color(0, [1.0; 4]);
        if self.effects.kills {
            out.kill = 0b1010;
        }
        out.depth = quad.position[0].map(|x| x / 4.0);
        out.stencil = [10, 11, 12, 13];
    }
}

/// Draws [`Special`] at depth 0.5 over a 4×2 target whose left half has depth 0.25 and the rest 1.
fn special(effects: Effects, face: StencilFace) -> (Target, usize) {
    let mut target = target(4, 2);
    let depth = DepthState { test: true, compare: Compare::Less, ..DepthState::default() };
    let left = [[-1.0, 1.0, 0.25, 1.0], [0.0, 1.0, 0.25, 1.0], [-1.0, -1.0, 0.25, 1.0], [0.0, -1.0, 0.25, 1.0]];
    let plain = State { depth, ..State::new(4, 2) };
    draw(&mut target, &plain, Topology::TriangleStrip, &left, &mut fill([0.0; 4]));
    let state = State { stencil: Some(StencilState { front: face, back: face }), ..plain };
    let mut shader = Special { effects, runs: 0 };
    draw(&mut target, &state, Topology::TriangleStrip, &screen(0.5), &mut shader);
    (target, shader.runs)
}

#[test]
fn kill_and_early_tests() {
    let replace = StencilFace { pass: StencilOp::Replace, reference: 7, ..StencilFace::default() };
    let stencils = |target: &Target| [0, 1, 2, 3].map(|x| target.stencil(x, 0).expect("inside"));
    let depths = |target: &Target| [0, 1, 2, 3].map(|x| target.depth(x, 0).expect("inside"));
    // Strip of two triangles over four quads: the diagonal runs through both upper quads, so a quad may be shaded twice.
    let plain = Effects::default();
    let (drawn, runs) = special(plain, replace);
    assert_eq!(picture(&drawn)[0], "..##");
    assert_eq!(stencils(&drawn), [0, 0, 7, 7]);
    let only_right = runs;
    // Killed pixels change neither depth nor stencil; hidden quads are still spared.
    let (drawn, runs) = special(Effects { kills: true, ..plain }, replace);
    assert_eq!(picture(&drawn)[0], "..#.");
    assert_eq!(stencils(&drawn), [0, 0, 7, 0]);
    assert_eq!(depths(&drawn), [0.25, 0.25, 0.5, 1.0]);
    assert_eq!(runs, only_right);
    // A stencil that counts depth failures must not count killed pixels: every quad runs.
    let counting = StencilFace { depth_fail: StencilOp::IncrementClamp, ..replace };
    let (drawn, runs) = special(Effects { kills: true, ..plain }, counting);
    assert_eq!(stencils(&drawn), [1, 0, 7, 0]);
    assert!(runs > only_right);
    // A shader that writes memory runs where it is hidden, unless it asks for early tests.
    let (_, runs) = special(Effects { writes_memory: true, ..plain }, replace);
    assert!(runs > only_right);
    let (_, runs) = special(Effects { writes_memory: true, early_tests: true, ..plain }, replace);
    assert_eq!(runs, only_right);
    // Early tests write depth although the pixel is killed later.
    let (drawn, _) = special(Effects { kills: true, early_tests: true, ..plain }, replace);
    assert_eq!(picture(&drawn)[0], "..#.");
    assert_eq!(depths(&drawn), [0.25, 0.25, 0.5, 0.5]);
}

#[test]
fn shader_depth_and_stencil() {
    let replace = StencilFace { pass: StencilOp::Replace, reference: 7, ..StencilFace::default() };
    // Depths (x + ½)/4: 0.125 is in front of 0.25; 0.375 is not; 0.625 and 0.875 are in front of 1.
    let effects = Effects { writes_depth: true, writes_stencil: true, ..Effects::default() };
    let (drawn, _) = special(effects, replace);
    assert_eq!(picture(&drawn)[0], "#.##");
    assert_eq!([0, 1, 2, 3].map(|x| drawn.depth(x, 0).expect("inside")), [0.125, 0.25, 0.625, 0.875]);
    assert_eq!([0, 1, 2, 3].map(|x| drawn.stencil(x, 0).expect("inside")), [10, 0, 10, 11]);
    assert_eq!(drawn.stencil(3, 1), Some(13));
}

#[test]
fn points() {
    let layout = vec![
        Varying { sprite: Sprite::U, ..Varying::default() },
        Varying { sprite: Sprite::V, ..Varying::default() },
        Varying { sprite: Sprite::Zero, ..Varying::default() },
        Varying::default(),
    ];
    let mut target = target(8, 6);
    let state = State {
        varyings: layout,
        point_sprites: true,
        point_size_range: [1.0, 4.0],
        pixel_centre: PixelCentre::D3d9,
        ..State::new(8, 6)
    };
    // A point of size 4 (asked for 9) at integer pixel (3, 3) covers x and y in [1, 5).
    let positions = [pixel(&target, 3.0, 3.0, 0.5)];
    let vertices = Vertices { positions: &positions, varyings: &[7.0; 4], point_sizes: &[9.0], ..Vertices::default() };
    let elements = Elements::Range { first: 0, count: 1 };
    let prepared = prepare(&state, vertices, Topology::PointList, elements).expect("a good draw");
    let statistics = prepared.draw_whole(&mut target, &mut show_varyings);
    assert_eq!(statistics.passed, 16);
    // (x − 1)/4, (y − 1)/4.
    assert_eq!(target.color(0, 1, 1), Some([0.0, 0.0, 0.0, 7.0]));
    assert_eq!(target.color(0, 4, 2), Some([0.75, 0.25, 0.0, 7.0]));
    assert_eq!(target.color(0, 5, 2), Some([0.0; 4]));
    // Size 1 marks one pixel, for either rule of centres.
    for (pixel_centre, x) in [(PixelCentre::D3d9, 4.0), (PixelCentre::HalfInteger, 4.5)] {
        let mut small = self::target(8, 6);
        let state = State { pixel_centre, ..State::new(8, 6) };
        let positions = [pixel(&small, x, x - 2.0, 0.5)];
        draw(&mut small, &state, Topology::PointList, &positions, &mut fill([1.0; 4]));
        assert_eq!(count(&small, 1.0), 1);
        assert_eq!(red(&small, 4, 2), 1.0);
    }
}

#[test]
fn lines() {
    let drawn = |ends: &[(f32, f32)], topology, last_pixel| {
        let mut target = target(8, 5);
        let state = State { last_pixel, ..additive(8, 5) };
        let positions: Vec<[f32; 4]> = ends.iter().map(|&(x, y)| pixel(&target, x + 0.5, y + 0.5, 0.5)).collect();
        draw(&mut target, &state, topology, &positions, &mut fill([1.0; 4]));
        assert!(count(&target, 1.0) + count(&target, 0.0) == 40, "a pixel was drawn twice");
        picture(&target)
    };
    let list = Topology::LineList;
    let empty = "........";
    assert_eq!(drawn(&[(1.0, 1.0), (5.0, 1.0)], list, false), [empty, ".####...", empty, empty, empty]);
    assert_eq!(drawn(&[(1.0, 1.0), (5.0, 1.0)], list, true), [empty, ".#####..", empty, empty, empty]);
    assert_eq!(drawn(&[(5.0, 1.0), (1.0, 1.0)], list, false), [empty, "..####..", empty, empty, empty]);
    let steep = drawn(&[(2.0, 0.0), (2.0, 4.0)], list, false);
    assert_eq!(steep, ["..#.....", "..#.....", "..#.....", "..#.....", empty]);
    let diagonal = drawn(&[(0.0, 0.0), (4.0, 4.0)], list, false);
    assert_eq!(diagonal, ["#.......", ".#......", "..#.....", "...#....", empty]);
    // Slope ½: rows change where the line is nearer to the next one.
    let gentle = drawn(&[(0.0, 0.0), (6.0, 3.0)], list, false);
    assert_eq!(gentle, ["#.......", ".##.....", "...##...", ".....#..", empty]);
    // A strip draws the joint once.
    let strip = drawn(&[(0.0, 0.0), (3.0, 0.0), (3.0, 3.0)], Topology::LineStrip, false);
    assert_eq!(strip, ["####....", "...#....", "...#....", empty, empty]);
    // Leaving the viewport.
    assert_eq!(drawn(&[(4.0, 2.0), (400.0, 2.0)], list, false)[2], "....####");
    assert_eq!(drawn(&[(1e7, 2.0), (4.0, 2.0)], list, false)[2], ".....###");
}

#[test]
fn line_interpolation() {
    let mut target = target(8, 2);
    let state = State { varyings: vec![Varying::default()], ..State::new(8, 2) };
    // From centre 0 (w = 1) to centre 4 (w = 3): at centre 2, (½·0 + ½·⅓·1)/(½ + ½·⅓) = ¼.
    let positions = [pixel(&target, 0.5, 0.5, 0.5), pixel(&target, 4.5, 0.5, 0.5).map(|lane| lane * 3.0)];
    draw_varying(&mut target, &state, Topology::LineList, &positions, &[0.0, 1.0], &mut show_varyings);
    close(red(&target, 2, 0), 0.25, 1e-6);
    close(red(&target, 0, 0), 0.0, 1e-6);
}

#[test]
fn assembly() {
    let assembled = |topology, elements: Elements<'_>, provoking| {
        let mut all = Vec::new();
        assemble(topology, elements, provoking, |Primitive { vertices, count, provoking, id }| {
            assert_eq!(id as usize, all.len());
            all.push((vertices[..usize::from(count)].to_vec(), provoking));
        });
        all
    };
    let range = Elements::Range { first: 10, count: 5 };
    let first = Provoking::First;
    let check = |topology, provoking, expected: &[(&[u32], u32)]| {
        let got = assembled(topology, range, provoking);
        let expected: Vec<(Vec<u32>, u32)> = expected.iter().map(|(list, v)| (list.to_vec(), *v)).collect();
        assert_eq!(got, expected, "{topology:?}");
    };
    check(Topology::PointList, first, &[(&[10], 10), (&[11], 11), (&[12], 12), (&[13], 13), (&[14], 14)]);
    check(Topology::LineList, first, &[(&[10, 11], 10), (&[12, 13], 12)]);
    check(Topology::LineStrip, first, &[(&[10, 11], 10), (&[11, 12], 11), (&[12, 13], 12), (&[13, 14], 13)]);
    check(Topology::TriangleList, first, &[(&[10, 11, 12], 10)]);
    check(Topology::TriangleStrip, first, &[(&[10, 11, 12], 10), (&[11, 13, 12], 11), (&[12, 13, 14], 12)]);
    check(Topology::TriangleFan, first, &[(&[11, 12, 10], 11), (&[12, 13, 10], 12), (&[13, 14, 10], 13)]);
    let last = Provoking::Last;
    check(Topology::TriangleStrip, last, &[(&[10, 11, 12], 12), (&[12, 11, 13], 13), (&[12, 13, 14], 14)]);
    check(Topology::TriangleFan, last, &[(&[10, 11, 12], 12), (&[10, 12, 13], 13), (&[10, 13, 14], 14)]);
    let indices = [0, 1, 2, 3, 0xFFFF, 4, 5, 6, 0xFFFF, 7, 8];
    let elements = Elements::Indices { indices: &indices, base: 100, restart: Some(0xFFFF) };
    let strips: Vec<Vec<u32>> =
        assembled(Topology::TriangleStrip, elements, first).into_iter().map(|(list, _)| list).collect();
    assert_eq!(strips, [[100, 101, 102], [101, 103, 102], [104, 105, 106]]);
    // Direct3D 9 numbers and vertex counts.
    let counts = [(1, 5), (2, 10), (3, 6), (4, 15), (5, 7), (6, 7)];
    for (number, vertices) in counts {
        let topology = Topology::from_d3d9(number).expect("six topologies");
        assert_eq!(topology.vertices_of(5), Some(vertices));
        assert_eq!(topology.vertices_of(0), Some(0));
    }
    assert_eq!(Topology::TriangleList.vertices_of(u32::MAX), None);
    assert_eq!(Topology::from_d3d9(0), None);
}

#[test]
fn bands_give_the_same_picture() {
    let mut random = Random(3);
    let positions: Vec<[f32; 4]> =
        (0..90).map(|_| [random.signed() * 2.0, random.signed() * 2.0, random.unit(), 1.0 + random.unit()]).collect();
    let varyings: Vec<f32> = (0..90 * 4).map(|_| random.unit()).collect();
    let depth = DepthState { test: true, ..DepthState::default() };
    let state = State { depth, varyings: vec![Varying::default(); 4], ..State::new(61, 47) };
    for topology in [Topology::TriangleList, Topology::LineStrip, Topology::PointList] {
        let state = State { point_size: 5.3, ..state.clone() };
        let vertices = Vertices { positions: &positions, varyings: &varyings, ..Vertices::default() };
        let elements = Elements::Range { first: 0, count: 90 };
        let prepared = prepare(&state, vertices, topology, elements).expect("a good draw");
        let mut whole = target(61, 47);
        let total = prepared.draw_whole(&mut whole, &mut show_varyings);
        assert!(total.passed > 50);
        for rows in [1, 7, 16, 1000] {
            let mut cut = target(61, 47);
            let passed: u64 =
                cut.bands(rows).iter_mut().map(|band| prepared.draw(band, &mut show_varyings).passed).sum();
            assert_eq!(passed, total.passed);
            for (x, y) in (0..47).flat_map(|y| (0..61).map(move |x| (x, y))) {
                assert_eq!(whole.color(0, x, y), cut.color(0, x, y));
                assert_eq!(whole.depth(x, y), cut.depth(x, y));
            }
        }
    }
}

#[test]
fn drawn_targets_become_textures() {
    let mut drawn = Target::new(2, 2, &[ColorFormat::Srgb8], Some(DepthFormat::Unorm16), false).expect("a good size");
    drawn.clear_color(0, [0.5, 0.0, 1.0, 0.5]);
    let texture = drawn.color_texture(0).expect("one attachment");
    assert_eq!(Some(texture.fetch([1, 1, 0], 0, 0)), drawn.color(0, 1, 1));
    assert_eq!(drawn.depth_texture().expect("a depth buffer").fetch([0; 3], 0, 0)[0], 1.0);
    assert!(drawn.color_texture(1).is_err());
}

#[test]
fn bad_draws_are_refused() {
    let state = State { varyings: vec![Varying::default(); 2], clip_distances: 1, ..State::new(4, 4) };
    let positions = screen(0.0);
    let error = |state: &State, varyings: &[f32], clip_distances: &[f32], point_sizes: &[f32]| {
        let vertices = Vertices { positions: &positions, varyings, point_sizes, clip_distances };
        prepare(state, vertices, Topology::PointList, Elements::Range { first: 0, count: 4 }).err()
    };
    assert_eq!(error(&state, &[0.0; 7], &[0.0; 4], &[]), Some(DrawError::Varyings));
    assert_eq!(error(&state, &[0.0; 8], &[0.0; 3], &[]), Some(DrawError::ClipDistances));
    assert_eq!(error(&state, &[0.0; 8], &[0.0; 4], &[1.0; 3]), Some(DrawError::PointSizes));
    assert_eq!(error(&state, &[0.0; 8], &[0.0; 4], &[1.0; 4]), None);
    let many = State { clip_distances: 9, ..state };
    assert_eq!(error(&many, &[0.0; 8], &[0.0; 99], &[]), Some(DrawError::ClipDistances));
    assert!(Target::new(16385, 1, &[], None, false).is_err());
    assert!(Target::new(1, 0, &[], None, false).is_err());
    assert!(Target::new(1, 1, &[ColorFormat::Float; 9], None, false).is_err());
    // Indices out of range drop their primitive only.
    let plain = State::new(4, 4);
    let vertices = Vertices { positions: &positions, ..Vertices::default() };
    let elements = Elements::Indices { indices: &[0, 1, 9, 0, 1, 2], base: 0, restart: None };
    let prepared = prepare(&plain, vertices, Topology::TriangleList, elements).expect("a good draw");
    assert_eq!((prepared.primitives, prepared.dropped), (2, 1));
}

#[test]
fn largest_target() {
    let mut wide = Target::new(16384, 2, &[ColorFormat::Unorm8], None, false).expect("a good size");
    let statistics = draw(&mut wide, &State::new(16384, 2), Topology::TriangleStrip, &screen(0.0), &mut fill([1.0; 4]));
    assert_eq!(statistics.passed, 32768);
    assert_eq!(wide.color(0, 16383, 1), Some([1.0; 4]));
}

#[test]
fn fuzz_state_and_vertices() {
    let special = [0.0, -0.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 1e-40, 1e20, -1e20];
    let mut random = Random(99);
    fn value(random: &mut Random, special: &[f32]) -> f32 {
        match random.below(8) {
            0 => special[random.below(special.len() as u64) as usize],
            1 => random.signed() * 1e6,
            _ => random.signed() * 2.0,
        }
    }
    for round in 0..3000 {
        let mut v = || value(&mut random, &special);
        let mut positions: Vec<[f32; 4]> = (0..9).map(|_| [v(), v(), v(), v()]).collect();
        let varyings: Vec<f32> = (0..18).map(|_| v()).collect();
        let clip_distances: Vec<f32> = (0..27).map(|_| v()).collect();
        let sizes: Vec<f32> = (0..9).map(|_| v() * 10.0).collect();
        let mut state = State::new(19, 13);
        let range = [v(), v()];
        let bias = DepthBias { constant: v(), in_steps: round % 2 == 0, slope: v(), clamp: v() };
        if round % 4 == 0 {
            state.viewport = Viewport { x: v(), y: v(), width: v(), height: v(), min_depth: v(), max_depth: v() };
        }
        if round % 3 == 0 {
            for position in &mut positions {
                *position = position.map(|lane| lane.clamp(-3.0, 3.0));
                position[3] = position[3].abs();
            }
        }
        state.point_size_range = range;
        let mut pick = |count: u64| random.below(count) as u32;
        state.pixel_centre = [PixelCentre::D3d9, PixelCentre::HalfInteger][pick(2) as usize];
        state.clip_y = [ClipY::Up, ClipY::Down][pick(2) as usize];
        state.clip_z = [ClipZ::ZeroToW, ClipZ::MinusWToW][pick(2) as usize];
        state.depth_clip = pick(3) != 0;
        state.pretransformed = pick(5) == 0;
        state.clip_distances = pick(4) as u8;
        state.cull = Cull::from_d3d9(1 + pick(3)).expect("three modes");
        state.point_sprites = pick(2) == 0;
        state.last_pixel = pick(2) == 0;
        state.shade_mode = [ShadeMode::Flat, ShadeMode::Gouraud][pick(2) as usize];
        state.scissor = (pick(3) == 0).then(|| Rect { x0: i32::MIN, y0: pick(9) as i32, x1: i32::MAX, y1: i32::MAX });
        state.varyings = vec![Varying { color: true, ..Varying::default() }, Varying::default()];
        let compare = Compare::from_d3d9(1 + pick(8)).expect("eight functions");
        state.depth = DepthState { test: pick(2) == 0, write: pick(2) == 0, compare, bias };
        let op = StencilOp::from_d3d9(1 + pick(8)).expect("eight operations");
        let face = StencilFace { pass: op, fail: op, depth_fail: op, compare, ..StencilFace::default() };
        state.stencil = (pick(2) == 0).then_some(StencilState { front: face, back: StencilFace::default() });
        let blend = Blend::uniform(BlendFactor::SrcAlphaSaturate, BlendFactor::InvDstAlpha, BlendOp::ReverseSubtract);
        state.colors = vec![ColorState { blend: Some(blend), write_mask: pick(16) as u8 }];
        let topology = Topology::from_d3d9(1 + pick(6)).expect("six topologies");
        let format = [ColorFormat::Float, ColorFormat::Unorm8, ColorFormat::Srgb8][pick(3) as usize];
        let depth = [DepthFormat::Float32, DepthFormat::Unorm24, DepthFormat::Unorm16][pick(3) as usize];
        let mut target =
            Target::new(19, 13, &[format], (pick(2) == 0).then_some(depth), pick(2) == 0).expect("a good size");
        let effects = Effects {
            kills: pick(2) == 0,
            writes_depth: pick(2) == 0,
            writes_stencil: pick(2) == 0,
            writes_memory: pick(2) == 0,
            early_tests: pick(4) == 0,
        };
        let vertices = Vertices {
            positions: &positions,
            varyings: &varyings,
            point_sizes: &sizes,
            clip_distances: &clip_distances,
        };
        let indices: Vec<u32> = (0..20).map(|_| pick(11)).collect();
        let elements = Elements::Indices { indices: &indices, base: pick(3) as i32 - 1, restart: Some(10) };
        let prepared = prepare(&state, vertices, topology, elements).expect("a good draw");
        let mut covered = [0_u64; 2];
        for band in &mut target.bands(6) {
            let statistics = prepared.draw(band, &mut Special { effects, runs: 0 });
            covered[0] += statistics.covered;
            covered[1] += statistics.passed;
        }
        assert!(covered[1] <= covered[0] && covered[0] <= prepared.primitives * 18 * 19 * 13);
    }
}

#[test]
fn meshes_face_outward() {
    for (name, closed) in [("quad", false), ("cube", true), ("sphere", true), ("torus", true)] {
        let mesh = Mesh::by_name(name).expect("a mesh");
        let corner = |index: u32| mesh.vertices[index as usize];
        let mut volume = 0.0;
        for triangle in mesh.indices.as_chunks::<3>().0 {
            let [a, b, c] = triangle.map(corner);
            let edge = |to: [f32; 3]| std::array::from_fn::<f32, 3, _>(|k| to[k] - a.position[k]);
            let (p, q) = (edge(b.position), edge(c.position));
            let facing = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
            let dot = |u: [f32; 3], v: [f32; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
            assert!(dot(facing, a.normal) > 0.0, "{name} {triangle:?}");
            volume += dot(facing, a.position) / 6.0;
        }
        assert!(!closed || volume > 0.5, "{name} {volume}");
        for vertex in &mesh.vertices {
            let length = |v: &[f32]| v.iter().map(|lane| lane * lane).sum::<f32>().sqrt();
            close(length(&vertex.normal), 1.0, 1e-5);
            close(length(&vertex.tangent[..3]), 1.0, 1e-5);
            let along: f32 = (0..3).map(|k| vertex.normal[k] * vertex.tangent[k]).sum();
            close(along, 0.0, 1e-5);
            assert!(vertex.position.iter().all(|lane| lane.abs() <= 1.0 + 1e-6));
            assert!(vertex.texcoord.iter().all(|lane| (0.0..=1.0).contains(lane)));
        }
    }
    assert_eq!(Mesh::by_name("teapot"), None);
    assert_eq!((Mesh::cube().vertices.len(), Mesh::cube().indices.len()), (24, 36));
}
