//! Which pixels primitives cover.

use super::*;

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
fn largest_target() {
    let mut wide = Target::new(16384, 2, &[ColorFormat::Unorm8], None, false).expect("a good size");
    let statistics = draw(&mut wide, &State::new(16384, 2), Topology::TriangleStrip, &screen(0.0), &mut fill([1.0; 4]));
    assert_eq!(statistics.passed, 32768);
    assert_eq!(wide.color(0, 16383, 1), Some([1.0; 4]));
}
