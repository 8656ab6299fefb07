//! Varyings, and what clipping leaves of them.

use super::*;

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
