//! `aquatint render`: sizes and pixels, with values worked out by hand.

use super::{Dir, PLAIN, TINT};

struct Picture {
    width: u32,
    height: u32,
    channels: usize,
    bytes: Vec<u8>,
}

impl Picture {
    fn read(dir: &Dir, name: &str) -> Picture {
        let bytes = dir.bytes(name);
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG file");
        let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut bytes).expect("a picture");
        let channels = info.line_size / info.width as usize;
        Picture { width: info.width, height: info.height, channels, bytes }
    }

    fn at(&self, x: u32, y: u32) -> &[u8] {
        let start = (y * self.width + x) as usize * self.channels;
        &self.bytes[start..start + self.channels]
    }
}

fn png_file(width: u32, height: u32, rgb: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(rgb).expect("pixels");
    writer.finish().expect("an end");
    out
}

/// Draws `ps.asm` of the directory with more options.
fn draw(dir: &Dir, options: &[&str]) -> Picture {
    let mut arguments = vec!["render", "--ps", "ps.asm", "-o", "x.png"];
    arguments.extend(options);
    dir.run(&arguments).silent();
    Picture::read(dir, "x.png")
}

#[test]
fn a_constant_fills_the_picture() {
    let dir = Dir::with(&[("ps.asm", PLAIN)]);
    let picture = draw(&dir, &["--c", "0=1,0.5,0,0", "--size", "70x33"]);
    assert_eq!((picture.width, picture.height, picture.channels), (70, 33, 3));
    // 0.5 · 255 = 127.5, which rounds to even or up: 128.
    for (x, y) in [(0, 0), (69, 32), (35, 16)] {
        assert_eq!(picture.at(x, y), [255, 128, 0]);
    }
    let alpha = draw(&dir, &["--c", "0=1,0.5,0,0", "--size", "8x8", "--alpha"]);
    assert_eq!(alpha.at(3, 3), [255, 128, 0, 0]);
}

#[test]
fn texture_coordinates_run_over_the_picture() {
    // On 100 columns, the centre of column x is at (x + ½) / 100: times 255, rounded.
    let dir =
        Dir::with(&[("ps.asm", "ps_2_0\ndcl t0.xy\ndef c0, 0, 0, 0, 1\nmov r0, c0\nmov r0.xy, t0\nmov oC0, r0\n")]);
    let picture = draw(&dir, &["--size", "100x80"]);
    assert_eq!(picture.at(0, 0), [1, 2, 0]); // 1.275, 1.59
    assert_eq!(picture.at(99, 79), [254, 253, 0]); // 253.7, 253.4
    assert_eq!(picture.at(20, 40), [52, 129, 0]); // 52.3, 129.1
}

#[test]
fn colours_are_white_without_a_vertex_shader() {
    let dir = Dir::with(&[("ps.asm", "ps_1_1\nmov r0, v0\n")]);
    assert_eq!(draw(&dir, &["--size", "4x4"]).at(1, 2), [255, 255, 255]);
}

#[test]
fn positions_of_pixels_are_whole_numbers() {
    // Sheet 3.6: pixel (3, 5) reads (3, 5). Shown as n / 255, however the rows are shared among cores.
    let shader =
        "ps_3_0\ndcl vPos.xy\ndef c0, 0.00392156886, 0, 0, 0\nmul r0.xy, vPos, c0.x\nmov r0.zw, c0.y\nmov oC0, r0\n";
    let dir = Dir::with(&[("ps.asm", shader)]);
    let picture = draw(&dir, &["--size", "120x100"]);
    for (x, y) in [(3, 5), (119, 99), (0, 17), (64, 16)] {
        assert_eq!(picture.at(x, y), [x as u8, y as u8, 0]);
    }
}

#[test]
fn a_png_texture_of_the_same_size_comes_out_again() {
    let dir = Dir::with(&[("ps.asm", "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n")]);
    let rgb: Vec<u8> = (0..4 * 3 * 3).map(|i| (i * 7) as u8).collect();
    dir.put("in.png", &png_file(4, 3, &rgb));
    for states in ["0=clamp,point", "0=wrap,linear,nomip"] {
        let picture = draw(&dir, &["--tex", "0=in.png", "--samp", states, "--size", "4x3"]);
        assert_eq!(picture.bytes, rgb, "{states}");
    }
    for pattern in ["checker", "gradient", "white", "noise"] {
        draw(&dir, &["--tex", &format!("0={pattern}"), "--size", "16x16"]);
    }
    assert_eq!(draw(&dir, &["--tex", "0=white", "--size", "8x8"]).at(4, 4), [255, 255, 255]);
}

#[test]
fn cubes_and_volumes_are_bound_by_what_the_sampler_is() {
    let cube = "ps_2_0\ndcl t0.xyz\ndcl_cube s0\ntexld r0, t0, s0\nmov oC0, r0\n";
    let volume = cube.replace("cube", "volume");
    let dir = Dir::with(&[("ps.asm", cube), ("volume.asm", &volume)]);
    // Six faces side by side; a direction (u, v, 0) with u > v meets +X, the first.
    let faces: Vec<u8> = (0..6_u8).flat_map(|face| [40 * face + 10, 0, 0]).collect();
    dir.put("faces.png", &png_file(6, 1, &faces));
    let picture = draw(&dir, &["--tex", "0=faces.png", "--samp", "0=point", "--size", "16x16"]);
    assert_eq!(picture.at(14, 2), [10, 0, 0]);
    // u < v meets +Y, the third.
    assert_eq!(picture.at(2, 14), [90, 0, 0]);
    let ran =
        dir.run(&["render", "--ps", "volume.asm", "--tex", "0=gradient", "-o", "v.png", "--size", "8x8"]).silent();
    assert!(ran.out.is_empty());
    // The first slice has w near 0; u = (6 + ½) / 8 of a smooth ramp.
    assert_eq!(Picture::read(&dir, "v.png").at(6, 1)[0], 207); // 0.8125 · 255 = 207.2
}

#[test]
fn unbound_things_are_warned_of_and_the_picture_is_drawn() {
    let dir = Dir::with(&[("ps.asm", TINT)]);
    let ran = dir.run(&["render", "--ps", "ps.asm", "-o", "x.png", "--size", "8x8"]).code(0);
    assert!(ran.err.contains("AQ7001") && ran.err.contains("sampler s0") && ran.err.contains("c3, c5"), "{}", ran.err);
    assert_eq!(Picture::read(&dir, "x.png").at(3, 3), [0, 0, 0]);
    let ran = dir.run(&["render", "--ps", "ps.asm", "-o", "x.png", "--size", "8x8", "--tex", "7=white"]).code(0);
    assert!(ran.err.contains("reads no sampler s7"), "{}", ran.err);
    dir.run(&["render", "--ps", "ps.asm", "-o", "x.png", "--size", "8x8", "-W", "none"]).silent();
}

/// A vertex shader that passes positions on.
const PASS: &str = "vs_2_0\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oT0, v1\nmov oD0, c0\n";

#[test]
fn a_vertex_shader_draws_a_quad_where_no_mesh_is_named() {
    let dir = Dir::with(&[("vs.asm", PASS), ("ps.asm", "ps_2_0\ndcl v0\nmov oC0, v0\n")]);
    let picture = draw(&dir, &["--vs", "vs.asm", "--vc", "0=0,1,0,1", "--size", "9x9"]);
    assert_eq!((picture.at(0, 0), picture.at(8, 8)), (&[0, 255, 0][..], &[0, 255, 0][..]));
    // It looks toward −z, at the eye: its face is clockwise, which is front.
    let culled =
        draw(&dir, &["--vs", "vs.asm", "--vc", "0=0,1,0,1", "--size", "9x9", "--cull", "cw", "--clear", "1,0,0,1"]);
    assert_eq!(culled.at(4, 4), [255, 0, 0]);
    let kept = draw(&dir, &["--vs", "vs.asm", "--vc", "0=0,1,0,1", "--size", "9x9", "--cull", "ccw"]);
    assert_eq!(kept.at(4, 4), [0, 255, 0]);
    // oD0 is saturated (sheet 3.5).
    let bright = draw(&dir, &["--vs", "vs.asm", "--vc", "0=4,-1,0.2,1", "--size", "9x9"]);
    assert_eq!(bright.at(4, 4), [255, 0, 51]);
}

#[test]
fn the_camera_fills_the_matrix_by_name_or_register() {
    let vs = "vs_2_0\ndcl_position v0\nm4x4 oPos, v0, c4\n";
    let names = r#"{"g_mWorldViewProj": {"register": "c4", "type": "float4x4"}}"#;
    let dir = Dir::with(&[("vs.asm", vs), ("ps.asm", PLAIN), ("names.json", names)]);
    dir.run(&["asm", "vs.asm", "--ctab", "names.json", "-o", "vs.bin"]).silent();
    let common = ["--mesh", "sphere", "--c", "0=1,1,1,1", "--size", "64x64", "--eye", "0,0,-4"];
    let by_name = draw(&dir, &[&["--vs", "vs.bin", "--camera"], &common[..]].concat());
    let by_register = draw(&dir, &[&["--vs", "vs.asm", "--mvp", "c4"], &common[..]].concat());
    let without_shader = draw(&dir, &common);
    assert_eq!(by_name.bytes, by_register.bytes);
    assert_eq!(by_name.bytes, without_shader.bytes);
    // The unit sphere from 4 away: its outline is at tan(asin(1/4)) = 0.258; half the picture is tan(20°) = 0.364. So it
    // reaches 0.709 · 32 = 22.7 pixels from the middle.
    assert_eq!((by_name.at(32, 32)[0], by_name.at(32 + 21, 32)[0], by_name.at(32 + 24, 32)[0]), (255, 255, 0));
    assert_eq!((by_name.at(32, 32 - 21)[0], by_name.at(32, 32 - 25)[0]), (255, 0));
}

#[test]
fn constants_come_from_tables_files_and_options_in_that_order() {
    let shader = "ps_2_0\nmov r0, c0\nmul r0, r0, c1\nadd r0, r0, c2\nmov oC0, r0\n";
    let names = r#"{"a": {"register": "c0", "type": "float4", "default": [1, 1, 1, 1]},
                    "b": {"register": "c1", "type": "float4", "default": [0.2, 0.4, 0.6, 1]},
                    "m": {"register": "c2", "type": "row_major float1x4"}}"#;
    let dir = Dir::with(&[
        ("src.asm", shader),
        ("names.json", names),
        ("values.json", r#"{"a": [0.5, 0.5, 0.5, 1], "m": [[0, 0, 0.2, 0]]}"#),
        ("register.json", r#"{"ps": {"c0": [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]}}"#),
        ("wrong.json", r#"{"a": [1, 2], "z": 1}"#),
    ]);
    // The name of the shader is that of the helper; what it holds is bytecode with a table.
    dir.run(&["asm", "src.asm", "--ctab", "names.json", "-o", "ps.asm"]).silent();
    let size = ["--size", "4x4"];
    let with = |options: &[&str]| {
        let ran = dir.run(&[&["render", "--ps", "ps.asm", "-o", "x.png"], &size[..], options].concat());
        (Picture::read(&dir, "x.png").at(0, 0).to_vec(), ran.code(0).err)
    };
    let (pixel, message) = with(&[]);
    assert_eq!(pixel, [51, 102, 153]); // 0.2, 0.4, 0.6 times 255
    assert!(message.contains("c2") && !message.contains("c1"), "{message}");
    let (pixel, message) = with(&["--constants", "values.json"]);
    assert_eq!((pixel, message.as_str()), (vec![26, 51, 128], "")); // 25.5, 51, 76.5 + 51
    assert_eq!(with(&["--constants", "values.json", "--c", "0=0,0,0,1"]).0, [0, 0, 51]);
    assert_eq!(with(&["--constants", "register.json"]).0, [0, 255, 0]);
    let (_, message) = with(&["--constants", "wrong.json"]);
    assert!(message.contains("it takes 4 numbers, 2 were given") && message.contains("no shader has a constant 'z'"));
    dir.run(&["render", "--ps", "ps.asm", "-o", "y.png", "--constants", "missing.json"]).code(3);
}

#[test]
fn a_preshader_computes_constants_from_names() {
    let dir = Dir::with(&[
        ("plain.asm", PLAIN),
        ("in.json", r#"{"g_In": {"register": "c0", "type": "float4"}}"#),
        ("values.json", r#"{"g_In": [0.5, 1, 0.2, 1]}"#),
    ]);
    dir.run(&["asm", "plain.asm", "--ctab", "in.json", "-o", "named.bin"]).silent();
    let words = |bytes: Vec<u8>| -> Vec<u32> {
        bytes.chunks(4).map(|w| u32::from_le_bytes(w.try_into().expect("four bytes"))).collect()
    };
    let comment = |four_cc: &[u8; 4], payload: &[u32]| {
        let mut all = vec![0xFFFE | (payload.len() as u32 + 1) << 16, u32::from_le_bytes(*four_cc)];
        all.extend(payload);
        all
    };
    // The constant table moves from the shader into the preshader, whose version it then names (sheet 5.1, 5.3).
    let shader = words(dir.bytes("named.bin"));
    let length = (shader[1] >> 16) as usize;
    let mut table = shader[1..2 + length].to_vec();
    table[2 + 2] = 0x4658_0200;
    let mut preshader = vec![0x4658_0200];
    preshader.extend(table);
    preshader.extend(comment(b"CLIT", &[0]));
    // mul of four components: two inputs, both the c table from 0; output oc from 0.
    preshader.extend(comment(b"FXLC", &[1, 0x2050_0004, 2, 0, 2, 0, 0, 2, 0, 0, 4, 0]));
    preshader.push(0xFFFF);
    let mut all = vec![shader[0]];
    all.extend(comment(b"PRES", &preshader));
    all.extend(&shader[2 + length..]);
    dir.put("ps.asm", &all.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>());
    let picture = draw(&dir, &["--constants", "values.json", "--size", "4x4"]);
    assert_eq!(picture.at(2, 2), [64, 255, 10]); // 0.25, 1, 0.04 times 255
    let ran = dir.run(&["render", "--ps", "ps.asm", "-o", "x.png", "--size", "4x4"]).code(0);
    assert!(ran.err.contains("preshader") && ran.err.contains("g_In"), "{}", ran.err);
    assert!(dir.run(&["info", "ps.asm"]).silent().text().contains("mul c0, c0, c0"));
}

#[test]
fn integers_and_bools_steer_the_flow() {
    // 51 = 0.2 · 255 for each of three turns, then 102 more if b1 holds.
    let shader = "ps_3_0\ndef c0, 0, 0.2, 0.4, 1\nmov r0, c0.x\nrep i2\nadd r0, r0, c0.y\nendrep\nif b1\nadd r0, r0, c0.z\nendif\nmov oC0, r0\n";
    let dir = Dir::with(&[("ps.asm", shader)]);
    let at = |options: &[&str]| draw(&dir, &[&["--size", "4x4"], options].concat()).at(1, 1)[0];
    assert_eq!(at(&["--i", "2=3", "--b", "1=0"]), 153);
    assert_eq!(at(&["--i", "2=3", "--b", "1=1"]), 255);
    assert_eq!(at(&["--i", "2=1,0,0,0", "--bool", "1=1"]), 153, "a bool folded into the code needs no value");
}

#[test]
fn a_shader_that_runs_too_long_fails() {
    // 255 turns, four levels deep: 4.2 thousand million.
    let deep = "rep i0\nrep i0\nrep i0\nrep i0\nadd r0, r0, c0.x\nendrep\nendrep\nendrep\nendrep\n";
    let shader = format!("ps_3_0\ndef c0, 1, 0, 0, 0\ndefi i0, 255, 0, 0, 0\nmov r0, c0\n{deep}mov oC0, r0\n");
    let dir = Dir::with(&[("ps.asm", &shader)]);
    let ran = dir.run(&["render", "--ps", "ps.asm", "-o", "x.png", "--size", "4x4"]).code(1);
    assert!(ran.err.contains("AQ7003") && !dir.has("x.png"), "{}", ran.err);
}

#[test]
fn states_of_the_output() {
    let dir = Dir::with(&[("ps.asm", PLAIN)]);
    let at = |options: &[&str]| {
        draw(&dir, &[&["--size", "4x4", "--c", "0=0.2,0.4,0.6,0.5"], options].concat()).at(0, 0).to_vec()
    };
    assert_eq!(at(&["--blend", "add", "--clear", "0.4,0.4,0.8,0"]), [153, 204, 255]);
    // 0.2 · ½ + 1 · ½ = 0.6, 0.2, 0.3.
    assert_eq!(at(&["--blend", "over", "--clear", "1,0,0,1"]), [153, 51, 77]);
    assert_eq!(at(&["--blend", "srcalpha,invsrcalpha", "--clear", "1,0,0,1"]), [153, 51, 77]);
    assert_eq!(at(&["--depth", "never", "--clear", "0,0,1,1"]), [0, 0, 255]);
    // 0.5 · 255 = 127.5 is below 200: all pixels are discarded.
    assert_eq!(at(&["--alpha-test", "greater=200", "--clear", "0,0,1,1"]), [0, 0, 255]);
    assert_eq!(at(&["--alpha-test", "greater=100", "--clear", "0,0,1,1"]), [51, 102, 153]);
    dir.run(&["render", "--ps", "ps.asm", "-o", "y.png", "--blend", "sideways"]).code(2);
}

#[test]
fn depths_can_be_seen() {
    let vs = "vs_2_0\ndcl_position v0\ndef c0, 0, 0.25, 0, 0\nadd oPos, v0, c0.xxyx\n";
    let dir = Dir::with(&[("vs.asm", vs), ("ps.asm", PLAIN)]);
    draw(&dir, &["--vs", "vs.asm", "--c", "0=1,1,1,1", "--size", "8x8", "--depth-target", "z.png"]);
    // 0.25 · 65535 = 16383.75, rounded 16384, big-endian.
    assert_eq!(Picture::read(&dir, "z.png").at(2, 5), [0x40, 0x00]);
}

#[test]
fn shaders_of_the_other_stage_are_refused() {
    let dir = Dir::with(&[("vs.asm", PASS), ("ps.asm", PLAIN), ("bad.png", "no PNG"), ("tex.asm", TINT)]);
    assert!(dir.run(&["render", "--ps", "vs.asm", "-o", "x.png"]).code(1).err.contains("AQ7003"));
    dir.run(&["render", "--ps", "ps.asm", "--vs", "ps.asm", "-o", "x.png"]).code(1);
    dir.run(&["render", "--ps", "missing.asm", "-o", "x.png"]).code(3);
    dir.run(&["render", "--ps", "tex.asm", "--tex", "0=bad.png", "-o", "x.png"]).code(3);
    dir.run(&["render", "--ps", "ps.asm", "--size", "0x4", "-o", "x.png"]).code(2);
    assert!(!dir.has("x.png"));
}

#[test]
fn vpos_is_the_pixel_under_both_rules_for_pixel_centres() {
    // vPos counts whole pixels (sheet 3.6): pixel (2, 1) of four gives 2/4 and 1/4.
    let shader = "ps_3_0\ndcl vPos.xy\ndef c0, 0.25, 0.25, 0, 1\nmul r0.xy, vPos, c0\nmov r0.zw, c0\nmov oC0, r0\n";
    let dir = Dir::with(&[("ps.asm", shader)]);
    for centre in ["half", "d3d9"] {
        let picture = draw(&dir, &["--size", "4x4", "--pixel-centre", centre]);
        assert_eq!(picture.at(0, 0), [0, 0, 0], "{centre}");
        assert_eq!(picture.at(2, 1), [128, 64, 0], "{centre}");
        assert_eq!(picture.at(3, 3), [191, 191, 0], "{centre}");
    }
}
