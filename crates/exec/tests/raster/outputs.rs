//! Depth, stencil, blending and what reaches the target.

use super::*;

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
fn drawn_targets_become_textures() {
    let mut drawn = Target::new(2, 2, &[ColorFormat::Srgb8], Some(DepthFormat::Unorm16), false).expect("a good size");
    drawn.clear_color(0, [0.5, 0.0, 1.0, 0.5]);
    let texture = drawn.color_texture(0).expect("one attachment");
    assert_eq!(Some(texture.fetch([1, 1, 0], 0, 0)), drawn.color(0, 1, 1));
    assert_eq!(drawn.depth_texture().expect("a depth buffer").fetch([0; 3], 0, 0)[0], 1.0);
    assert!(drawn.color_texture(1).is_err());
}
