//! Assembly, refused and hostile draws, and the built-in meshes.

use super::*;

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
