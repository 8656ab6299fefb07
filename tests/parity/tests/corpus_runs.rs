//! Real shaders, drawn: SPIR-V on Vulkan against the interpreter, with random inputs, constants and textures.
//!
//! The two compute transcendental functions and filtering with different precision, and a shader may turn a small
//! difference into a large one (a comparison, a floor, a normal of almost nothing). So a pixel agrees within a wide tolerance, and
//! a shader where most of its pixels do. A wrong translation fails in all of them.
//!
//! One shader in eight by default, all with `AQUATINT_FULL=1`.

use aquatint_d3d9::lower::{Lowered, Options as LowerOptions, TextureKind};
use aquatint_exec::interpret::draw::{Attribute, AttributeData};
use aquatint_exec::interpret::{DrawCall, Options as InterpretOptions, Program, Resources, VertexSource};
use aquatint_exec::raster::{ColorFormat, Elements, State, Target, Topology};
use aquatint_exec::texture::{Address, Sampler, Shape, Texture};
use aquatint_ir::types::Space;
use aquatint_ir::{Binding, GlobalKind, Module, RegisterClass, Scalar};
use aquatint_parity::{corpus_streams, full, on_vulkan, translate};
use aquatint_testkit::parity::synthetic;
use aquatint_vulkan_run as vk;

const PIXELS: usize = 8;

/// Shaders of which most pixels may differ, of the whole corpus. The causes are read from their code and not proven: one
/// samples at a huge coordinate behind a division by 0, where Mesa's CPU driver gives NaN; the other reads a texture at
/// fractions of scaled coordinates, where a difference in the last place can become another texel.
const MAY_DIFFER: usize = 2;

/// A small generator: the same numbers every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as u32
    }

    /// −1 to 2 in coarse steps, so that sums are exact where they can be.
    fn number(&mut self) -> f32 {
        (self.next() % 193) as f32 / 64.0 - 1.0
    }

    fn four(&mut self) -> [f32; 4] {
        std::array::from_fn(|_| self.number())
    }
}

/// What both executors get.
struct Scene {
    vertex: Module,
    pixel: Module,
    targets: usize,
    attributes: Vec<(u32, Vec<[f32; 4]>)>,
    uniforms: Vec<u8>,
    /// Stage of the shader at hand: descriptor set.
    space: u32,
    textures: Vec<(u32, TextureKind, Vec<f32>)>,
}

const SIDE: u32 = 4;
/// Location of the attribute that holds our position: pixel shaders have inputs at most of the others.
const PLACE: u32 = 31;

fn scene(lowered: Lowered, random: &mut Random) -> Scene {
    let reflection = &lowered.reflection;
    let floats: Vec<[f32; 4]> = (0..8192).map(|_| random.four()).collect();
    let ints: Vec<[i32; 4]> = (0..2048).map(|_| [(random.next() % 5) as i32, 0, 1, 0]).collect();
    let bools: Vec<bool> = (0..2048).map(|_| random.next() & 1 == 0).collect();
    let uniforms = reflection.pack(&floats, &ints, &bools);
    let textures = reflection
        .samplers
        .iter()
        .map(|s| {
            let texels = match s.kind {
                TextureKind::D2 => SIDE * SIDE,
                TextureKind::Cube => SIDE * SIDE * 6,
                TextureKind::Volume => SIDE * SIDE * SIDE,
            };
            let texels = (0..texels * 4).map(|_| (random.next() % 65) as f32 / 64.0).collect();
            (u32::from(s.register), s.kind, texels)
        })
        .collect();
    let place = (0..PIXELS).map(|x| [(2 * x + 1) as f32 / PIXELS as f32 - 1.0, 0.0, 0.5, 1.0]).collect();
    let mut attributes = vec![(PLACE, place)];
    let pixel = reflection.version.is_pixel();
    let locations: Vec<u32> = reflection.inputs.iter().filter_map(|i| i.location).collect();
    for (number, &location) in (0..).zip(&locations) {
        let at = if pixel { number } else { location };
        attributes.push((at, (0..PIXELS).map(|_| random.four()).collect()));
    }
    let space = u32::from(pixel);
    if pixel {
        let targets = lowered.reflection.outputs.iter().filter_map(|o| o.location).max().map_or(1, |n| n as usize + 1);
        let varyings = (0..).zip(locations.iter().map(|&location| (location, Scalar::F32, 4)));
        let vertex = synthetic::vertex(varyings, PLACE);
        return Scene { vertex, pixel: lowered.module, targets, attributes, uniforms, space, textures };
    }
    let mut vertex = lowered.module;
    synthetic::open_vertex(&mut vertex, PLACE);
    let varyings = synthetic::varyings(&vertex, Space::Output);
    let pixel = synthetic::fragment(&varyings);
    let targets = varyings.len().clamp(1, synthetic::TARGETS);
    Scene { vertex, pixel, targets, attributes, uniforms, space, textures }
}

type Picture = Vec<Vec<[f32; 4]>>;

fn interpret(scene: &Scene) -> Result<Picture, String> {
    let mut options = InterpretOptions::default();
    options.limits.steps = 2_000_000;
    let program = |m: &Module| Program::with_options(m, "main", options.clone()).map_err(|e| e.to_string());
    let (vertex, pixel) = (program(&scene.vertex)?, program(&scene.pixel)?);
    let mut resources = [Resources::new(), Resources::new()];
    let own = &mut resources[scene.space as usize];
    let at = |class, register| Binding { class, register, space: scene.space };
    own.set_buffer(at(RegisterClass::B, 0), scene.uniforms.clone());
    own.set_buffer(at(RegisterClass::B, 1), vec![0; 512]);
    for (register, kind, texels) in &scene.textures {
        let shape = match kind {
            TextureKind::D2 => Shape::d2(SIDE, SIDE),
            TextureKind::Cube => Shape::cube(SIDE),
            TextureKind::Volume => Shape::d3(SIDE, SIDE, SIDE),
        };
        let made = Texture::from_f32(shape, texels).map_err(|e| e.to_string())?;
        own.set_texture(at(RegisterClass::T, *register), made);
        own.set_sampler(at(RegisterClass::S, *register), Sampler::linear(Address::Wrap));
    }
    let formats = vec![ColorFormat::Float; scene.targets];
    let mut target = Target::new(PIXELS as u32, 1, &formats, None, false).map_err(|e| e.to_string())?;
    let attributes: Vec<Attribute<'_>> = scene
        .attributes
        .iter()
        .map(|(location, data)| Attribute {
            location: *location,
            data: AttributeData::Float(data),
            per_instance: false,
        })
        .collect();
    let state = State::new(PIXELS as u32, 1);
    let [vertex_resources, pixel_resources] = &mut resources;
    DrawCall {
        vertices: VertexSource::Program {
            program: &vertex,
            resources: vertex_resources,
            attributes: &attributes,
            instance: 0,
        },
        vertex_count: PIXELS as u32,
        topology: Topology::PointList,
        elements: Elements::Range { first: 0, count: PIXELS as u32 },
        fragment: &pixel,
        resources: pixel_resources,
        state: &state,
        target: &mut target,
    }
    .run()
    .map_err(|e| e.to_string())?;
    let texel = |color, x| target.color(color, x, 0).unwrap_or_default();
    Ok((0..scene.targets).map(|c| (0..PIXELS as u32).map(|x| texel(c, x)).collect()).collect())
}

fn draw(gpu: &vk::Gpu, scene: &Scene) -> Result<Picture, String> {
    let options = aquatint_spirv::Options::default();
    let write = |module: &Module| {
        let mut diags = aquatint_base::Diags::new();
        aquatint_spirv::write(module, "main", &options, &mut diags).ok_or_else(|| translate::reason(&diags))
    };
    let (vertex, pixel) = (write(&scene.vertex)?, write(&scene.pixel)?);
    let mut made = vk::Draw::new(&vertex, &pixel, vk::Topology::Points, PIXELS as u32);
    for module in [&scene.vertex, &scene.pixel] {
        for (_, global) in module.globals.iter() {
            let GlobalKind::Resource { binding, .. } = global.kind else { continue };
            let texture = || scene.textures.iter().find(|(register, ..)| *register == binding.register);
            let resource = match (binding.class, binding.register) {
                (RegisterClass::B, 0) => vk::Resource::Uniform(scene.uniforms.clone()),
                (RegisterClass::B, _) => vk::Resource::Uniform(vec![0; 512]),
                (RegisterClass::S, _) => vk::Resource::Sampler(vk::Sampler {
                    magnify: vk::Filter::Linear,
                    minify: vk::Filter::Linear,
                    mip: Some(vk::Filter::Linear),
                    ..vk::Sampler::default()
                }),
                (RegisterClass::T, _) => {
                    let Some((_, kind, texels)) = texture() else { return Err("an unknown texture".to_owned()) };
                    let (kind, depth) = match kind {
                        TextureKind::D2 => (vk::ImageKind::D2, 1),
                        TextureKind::Cube => (vk::ImageKind::Cube, 1),
                        TextureKind::Volume => (vk::ImageKind::D3, SIDE),
                    };
                    let texels = vk::Texels::Float(texels.clone());
                    vk::Resource::Image(vk::Image { kind, size: [SIDE, SIDE, depth], levels: 1, layers: None, texels })
                }
                (RegisterClass::U, _) => continue,
            };
            made.bindings.push(((binding.space, options.binding(binding.class, binding.register)), resource));
        }
    }
    made.stride = 16 * scene.attributes.len() as u32;
    for (index, (location, _)) in scene.attributes.iter().enumerate() {
        let format = vk::VertexFormat::Float(4);
        made.attributes.push(vk::Attribute { location: *location, offset: 16 * index as u32, format });
    }
    for vertex in 0..PIXELS {
        for (_, data) in &scene.attributes {
            made.vertices.extend(data[vertex].iter().flat_map(|lane| lane.to_le_bytes()));
        }
    }
    let mut target = vk::Target::new(PIXELS as u32, 1);
    target.colors = scene.targets as u32;
    gpu.render(&target, &[made]).map_err(|e| e.to_string())
}

fn near(a: f32, b: f32) -> bool {
    let same = (a.is_nan() && b.is_nan()) || a == b;
    // Past 2^40 differences of exponents decide; what is so large in one is large in the other.
    let large = |x: f32| x.is_nan() || x.abs() > 1e12;
    same || (large(a) && large(b)) || (a - b).abs() <= 0.01 + 0.01 * a.abs().max(b.abs())
}

/// Pixels that agree in all targets that the shader writes: what comes into others is open in Vulkan.
fn agreeing(scene: &Scene, a: &Picture, b: &Picture) -> usize {
    let written = |target: usize| {
        scene.pixel.globals.iter().any(|(_, g)| {
            matches!(g.kind, GlobalKind::Output(io) if io.location == Some(target as u32) && io.builtin.is_none())
        })
    };
    let only = |all: &Picture| -> Picture {
        all.iter().enumerate().filter(|(target, _)| written(*target)).map(|(_, texels)| texels.clone()).collect()
    };
    let (a, b) = (&only(a), &only(b));
    let pixel = |x: usize| a.iter().zip(b).all(|(a, b)| a[x].iter().zip(b[x]).all(|(&a, b)| near(a, b)));
    (0..PIXELS).filter(|&x| pixel(x)).count()
}

#[test]
fn real_shaders_draw_the_same() {
    let Some(paths) = corpus_streams() else { return println!("SKIPPED: no corpus beside the repository") };
    let gpu = match on_vulkan::device() {
        Ok(gpu) => gpu,
        Err(why) => return println!("SKIPPED: {why}"),
    };
    let wanted = std::env::var("AQUATINT_CASES").unwrap_or_default();
    let step = if full() || !wanted.is_empty() { 1 } else { 8 };
    let (mut drawn, mut pixels, mut skipped, mut different) = (0, 0, Vec::new(), Vec::new());
    for path in paths.iter().step_by(step).filter(|p| p.to_string_lossy().contains(&wanted)) {
        let name =
            path.strip_prefix(path.ancestors().nth(2).expect("a folder")).expect("below it").display().to_string();
        let bytes = std::fs::read(path).expect("a shader");
        let Ok(shader) = translate::decode(&bytes) else { continue };
        let Ok(lowered) = translate::lower(&shader, &LowerOptions::default()) else { continue };
        let seed = bytes.iter().fold(7u64, |h, &b| h.wrapping_mul(31).wrapping_add(u64::from(b)));
        let scene = scene(lowered, &mut Random(seed));
        let pictures = interpret(&scene).and_then(|a| Ok((a, draw(&gpu, &scene)?)));
        match pictures {
            Ok((a, b)) => {
                drawn += 1;
                let same = agreeing(&scene, &a, &b);
                pixels += same;
                if same * 2 < PIXELS {
                    println!("{name}: {same} of {PIXELS} pixels agree");
                    if !wanted.is_empty() {
                        println!("interpreter {a:?}\nVulkan {b:?}\n{}", aquatint_ir::text::print(&scene.vertex));
                        println!("{}", aquatint_ir::text::print(&scene.pixel));
                    }
                    different.push(name);
                }
            }
            Err(why) => skipped.push(format!("{name}: {why}")),
        }
    }
    skipped.iter().for_each(|s| println!("not drawn: {s}"));
    println!("{drawn} shaders drawn, {} not; {pixels} of {} pixels agree", skipped.len(), drawn * PIXELS);
    assert!(drawn > 0, "nothing was drawn");
    assert!(different.len() <= MAY_DIFFER, "{} shaders draw something else: {different:?}", different.len());
}
