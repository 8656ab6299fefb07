//! Textures and sampler states as options spell them.

use super::image::{self, Image};
use super::stage::Stage;
use super::{Notes, impossible};
use crate::args::low;
use crate::exit::Failure;
use crate::files;
use aquatint::d3d9::lower::TextureKind;
use aquatint::exec::compare::Compare;
use aquatint::exec::texture::{Address, Encoding, Face, Filter, MipFilter, Sampler, Shape, Texture};
use std::path::Path;

/// Side of the built-in pictures, in texels.
const SIDE: u32 = 256;
/// Side of the faces of built-in cubes, and of built-in volumes.
const SMALL_SIDE: u32 = 64;

/// Textures and samplers of both stages, by register.
pub struct Bindings {
    /// Of the vertex shader.
    pub vertex: Vec<(u32, Texture)>,
    /// Of the pixel shader.
    pub pixel: Vec<(u32, Texture)>,
    /// Sampler states of either, by register.
    pub samplers: [Sampler; 16],
}

impl Bindings {
    /// Reads the images, and makes a texture of the kind that each sampler wants.
    pub fn new(
        low: &low::Render,
        vertex: Option<&Stage>,
        pixel: &Stage,
        notes: &mut Notes,
    ) -> Result<Bindings, Failure> {
        let mut samplers = std::array::from_fn(|_| Sampler { seamless: false, ..Sampler::linear(Address::Wrap) });
        for (number, states) in &low.samp {
            if let Some(sampler) = samplers.get_mut(usize::from(*number)) {
                set_states(sampler, states)?;
            }
        }
        Ok(Bindings {
            vertex: match vertex {
                Some(vertex) => of_stage(vertex, &low.vtex, "--vtex", notes)?,
                None => Vec::new(),
            },
            pixel: of_stage(pixel, &low.tex, "--tex", notes)?,
            samplers,
        })
    }
}

fn of_stage(
    stage: &Stage,
    given: &[(u16, String)],
    option: &str,
    notes: &mut Notes,
) -> Result<Vec<(u32, Texture)>, Failure> {
    let mut all = Vec::new();
    for (number, image) in given {
        match stage.reflection.samplers.iter().find(|sampler| sampler.register == *number) {
            Some(sampler) => {
                let texture = texture(image, sampler.kind)?;
                all.retain(|(register, _)| *register != u32::from(*number));
                all.push((u32::from(*number), texture));
            }
            None => notes.untaken(format!("'{}' reads no sampler s{number}", stage.name)),
        }
    }
    for sampler in &stage.reflection.samplers {
        if !all.iter().any(|(register, _)| *register == u32::from(sampler.register)) {
            let register = sampler.register;
            notes.unbound(
                format!("'{}' reads sampler s{register}, which has no texture and gives opaque black", stage.name),
                &format!("bind one with {option} {register}=FILE.png, or {register}=checker"),
            );
        }
    }
    Ok(all)
}

/// A texture of a kind from what an option says.
fn texture(text: &str, kind: TextureKind) -> Result<Texture, Failure> {
    let (name, encoding) = match text.strip_suffix(",srgb") {
        Some(name) => (name, Encoding::Srgb),
        None => (text, Encoding::Unorm),
    };
    let (shape, rgba) = match Pattern::from_name(name) {
        Some(pattern) => pattern.texels(kind),
        None => {
            let path = Path::new(name);
            file_texels(image::decode(&files::display(path), &files::read(path)?)?, kind)
        }
    };
    let fail =
        |error| Failure::File(Box::new(impossible(format!("'{name}' cannot be a {} texture: {error}", kind.name()))));
    let mut texture = Texture::from_rgba8(shape.with_all_levels(), &rgba, encoding).map_err(fail)?;
    texture.generate_mips();
    Ok(texture)
}

/// An image for a sampler of that kind: a cube takes six square faces below or beside each other, else one for all; a
/// volume takes square slices below each other, else it has one slice.
fn file_texels(image: Image, kind: TextureKind) -> (Shape, Vec<u8>) {
    let Image { width, height, rgba } = image;
    match kind {
        TextureKind::D2 => (Shape::d2(width, height), rgba),
        TextureKind::Volume if width > 0 && height > width && height.is_multiple_of(width) => {
            (Shape::d3(width, width, height / width), rgba)
        }
        TextureKind::Volume => (Shape::d3(width, height, 1), rgba),
        TextureKind::Cube if height == 6 * width => (Shape::cube(width), rgba),
        TextureKind::Cube => {
            let strip = width == 6 * height;
            let side = if strip { height } else { width.min(height) };
            let row = |face: u32, y: u32| {
                let x = if strip { face * side } else { 0 };
                let start = 4 * (y as usize * width as usize + x as usize);
                rgba.get(start..start + 4 * side as usize).unwrap_or(&[])
            };
            let faces = (0..6).flat_map(|face| (0..side).flat_map(move |y| [(face, y)]));
            (Shape::cube(side), faces.flat_map(|(face, y)| row(face, y).to_vec()).collect())
        }
    }
}

/// A built-in picture.
#[derive(Clone, Copy)]
enum Pattern {
    Checker,
    Gradient,
    White,
    Noise,
}

impl Pattern {
    fn from_name(name: &str) -> Option<Pattern> {
        Some(match name {
            "checker" => Pattern::Checker,
            "gradient" => Pattern::Gradient,
            "white" => Pattern::White,
            "noise" => Pattern::Noise,
            _ => return None,
        })
    }

    /// The colour at a place in the unit cube, or for cubes in a direction.
    fn at(self, [u, v, w]: [f32; 3], cube: bool) -> [u8; 4] {
        let byte = |x: f32| (x.clamp(0.0, 1.0) * 255.0 + 0.5) as u8;
        match self {
            Pattern::White => [255; 4],
            Pattern::Checker => {
                let cells = if cube { 4.0 } else { 8.0 };
                let cell = |x: f32| (x * cells + 64.0).floor() as i32;
                // A fine grid of two tones, so that directions can be told apart.
                let odd = (cell(u) + cell(v) + cell(w)) & 1 != 0;
                if odd { [38, 46, 66, 255] } else { [236, 230, 214, 255] }
            }
            Pattern::Gradient if cube => {
                // A sky: horizon to zenith above, earth below.
                let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
                let up = v.max(0.0).sqrt();
                let ground = (-v).clamp(0.0, 1.0);
                let (low, high, earth) = ([0.98, 0.83, 0.66], [0.16, 0.36, 0.72], [0.16, 0.13, 0.12]);
                let lane =
                    |k: usize| if v >= 0.0 { mix(low[k], high[k], up) } else { mix(low[k], earth[k], ground.sqrt()) };
                [byte(lane(0)), byte(lane(1)), byte(lane(2)), 255]
            }
            Pattern::Gradient => [byte(u), byte(v), byte(w), 255],
            Pattern::Noise => {
                let value = noise([u, v, w], if cube { 4 } else { 8 });
                [byte(value), byte(value), byte(value), 255]
            }
        }
    }

    fn texels(self, kind: TextureKind) -> (Shape, Vec<u8>) {
        let middle = |i: u32, side: u32| (i as f32 + 0.5) / side as f32;
        match kind {
            TextureKind::D2 => {
                let at = |y, x| self.at([middle(x, SIDE), middle(y, SIDE), 0.0], false);
                let rgba = (0..SIDE).flat_map(|y| (0..SIDE).flat_map(move |x| at(y, x))).collect();
                (Shape::d2(SIDE, SIDE), rgba)
            }
            TextureKind::Volume => {
                let side = SMALL_SIDE;
                let at = move |z, y, x| self.at([middle(x, side), middle(y, side), middle(z, side)], false);
                let slice = move |z| (0..side).flat_map(move |y| (0..side).flat_map(move |x| at(z, y, x)));
                (Shape::d3(side, side, side), (0..side).flat_map(slice).collect())
            }
            TextureKind::Cube => {
                let side = SMALL_SIDE;
                let faces = [Face::PosX, Face::NegX, Face::PosY, Face::NegY, Face::PosZ, Face::NegZ];
                let mut rgba = Vec::with_capacity(24 * side as usize * side as usize);
                for face in faces {
                    for y in 0..side {
                        for x in 0..side {
                            let direction = direction(face, 2.0 * middle(x, side) - 1.0, 2.0 * middle(y, side) - 1.0);
                            rgba.extend(self.at(direction, true));
                        }
                    }
                }
                (Shape::cube(side), rgba)
            }
        }
    }
}

/// The unit direction of a place on a face, s to the right and t down, each in −1…1.
fn direction(face: Face, s: f32, t: f32) -> [f32; 3] {
    let v = match face {
        Face::PosX => [1.0, -t, -s],
        Face::NegX => [-1.0, -t, s],
        Face::PosY => [s, 1.0, t],
        Face::NegY => [s, -1.0, -t],
        Face::PosZ => [s, -t, 1.0],
        Face::NegZ => [-s, -t, -1.0],
    };
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    v.map(|lane| lane / length)
}

/// Smooth noise in 0…1 that repeats after 1, in four octaves.
fn noise(at: [f32; 3], cells: u32) -> f32 {
    let (mut sum, mut weight, mut cells) = (0.0, 0.5, cells as i32);
    for _ in 0..4 {
        sum += weight * octave(at, cells);
        weight *= 0.5;
        cells *= 2;
    }
    sum / 0.9375
}

fn octave(at: [f32; 3], cells: i32) -> f32 {
    let place = at.map(|x| x * cells as f32);
    let cell = place.map(|x| x.floor() as i32);
    let t: [f32; 3] = std::array::from_fn(|k| {
        let f = place[k] - cell[k] as f32;
        f * f * (3.0 - 2.0 * f)
    });
    let mut sum = 0.0;
    for corner in 0..8 {
        let bit = |k: usize| corner >> k & 1;
        let weight: f32 = (0..3).map(|k| if bit(k) == 1 { t[k] } else { 1.0 - t[k] }).product();
        let [x, y, z] = std::array::from_fn(|k| (cell[k] + bit(k)).rem_euclid(cells) as u32);
        sum += weight * hash(x, y, z);
    }
    sum
}

fn hash(x: u32, y: u32, z: u32) -> f32 {
    let mut h = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77) ^ z.wrapping_mul(0xC2B2_AE3D);
    h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
    h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
    ((h ^ (h >> 15)) >> 8) as f32 / 16_777_215.0
}

/// States between commas: `clamp,point,bias:0.5`.
fn set_states(sampler: &mut Sampler, states: &str) -> Result<(), Failure> {
    for state in states.split(',').map(str::trim) {
        let (name, value) = state.split_once(':').unwrap_or((state, ""));
        let wrong = |what: &str| Failure::Usage(format!("sampler state '{state}': {what}"));
        let number = || value.parse::<f32>().map_err(|_| wrong("it takes a number behind the colon"));
        match name {
            "wrap" => sampler.address = [Address::Wrap; 3],
            "mirror" => sampler.address = [Address::Mirror; 3],
            "clamp" => sampler.address = [Address::Clamp; 3],
            "mirroronce" => sampler.address = [Address::MirrorOnce; 3],
            "border" => {
                sampler.address = [Address::Border; 3];
                if !value.is_empty() {
                    let lanes: Vec<f32> = value.split(':').filter_map(|lane| lane.parse().ok()).collect();
                    sampler.border = *lanes.first_chunk::<4>().ok_or_else(|| wrong("a border is four numbers"))?;
                }
            }
            "point" => (sampler.min, sampler.mag, sampler.mip) = (Filter::Point, Filter::Point, MipFilter::Point),
            "linear" => (sampler.min, sampler.mag, sampler.mip) = (Filter::Linear, Filter::Linear, MipFilter::Linear),
            "aniso" => {
                (sampler.min, sampler.mag, sampler.mip) = (Filter::Linear, Filter::Linear, MipFilter::Linear);
                sampler.max_anisotropy = if value.is_empty() { 8 } else { number()?.clamp(1.0, 16.0) as u32 };
            }
            "mip" => sampler.mip = MipFilter::Linear,
            "nomip" => sampler.mip = MipFilter::None,
            "bias" => sampler.lod_bias = number()?,
            "compare" => sampler.compare = Compare::LessEqual,
            _ => {
                return Err(wrong(
                    "it is none of wrap, mirror, clamp, border, mirroronce, point, linear, aniso, mip, nomip, bias:X",
                ));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use aquatint::exec::texture::Dimension;

    #[test]
    fn faces_look_where_they_should() {
        for (face, x, y, s, t) in [(Face::PosX, 1.0, 0.0, 0.0, 0.0), (Face::PosY, 0.0, 1.0, 0.0, 0.0)] {
            let found = direction(face, s, t);
            assert!((found[0] - x).abs() < 1e-6 && (found[1] - y).abs() < 1e-6, "{face:?} {found:?}");
            assert_eq!(Face::of(found), face);
        }
        assert_eq!(Face::of(direction(Face::NegZ, 0.9, -0.9)), Face::NegZ);
    }

    #[test]
    fn noise_repeats() {
        let (left, right) = (noise([0.0, 0.3, 0.0], 8), noise([1.0, 0.3, 0.0], 8));
        assert!((left - right).abs() < 1e-4 && (0.0..=1.0).contains(&left));
    }

    #[test]
    fn states_set_the_sampler() {
        let mut sampler = Sampler::default();
        assert!(set_states(&mut sampler, "clamp,linear,nomip,bias:-1").is_ok());
        assert_eq!((sampler.address, sampler.min, sampler.mip), ([Address::Clamp; 3], Filter::Linear, MipFilter::None));
        assert_eq!(sampler.lod_bias, -1.0);
        assert!(set_states(&mut sampler, "wrpa").is_err() && set_states(&mut sampler, "border:1").is_err());
    }

    #[test]
    fn a_strip_of_six_squares_is_a_cube() {
        let rgba: Vec<u8> = (0..6).flat_map(|face| [face, 0, 0, 255]).collect();
        let (shape, texels) = file_texels(Image { width: 6, height: 1, rgba: rgba.clone() }, TextureKind::Cube);
        assert_eq!((shape.dimension, shape.extent.width, texels), (Dimension::Cube, 1, rgba));
    }
}
