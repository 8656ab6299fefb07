//! From assembly text to an execution: what the tests of the lowering and of the driver's passes share.

#![allow(dead_code, reason = "each of the two test programs uses a part")]

use aquatint_base::{Diags, SourceId};
use aquatint_d3d9::assemble::{AssembleOptions, assemble};
use aquatint_d3d9::driver;
use aquatint_d3d9::lower::{self, Lowered, Options};
use aquatint_d3d9::tokens::{self, DecodeOptions, Shader};
use aquatint_exec::texture::{Address, Sampler, Shape, Texture};
use aquatint_ir::{Binding, Module, RegisterClass};
use aquatint_testkit::execute::{Port, Ran, Run};
use aquatint_testkit::module;

/// The words of an assembly text.
pub fn words(text: &str) -> Vec<u32> {
    let mut diags = Diags::new();
    assemble(text, SourceId(0), &AssembleOptions::default(), &mut diags)
        .unwrap_or_else(|| panic!("{}", module::rendered("shader", text, &diags)))
}

/// Decodes words; what the decoder refuses is an error message.
pub fn decoded(words: &[u32]) -> Result<Shader, String> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut diags = Diags::new();
    tokens::decode(&bytes, SourceId(0), &DecodeOptions::default(), &mut diags).ok_or_else(|| said(&diags))
}

fn said(diags: &Diags) -> String {
    diags.iter().map(|d| format!("{} {}\n", d.code.id, d.message)).collect()
}

/// Lowers words; the module keeps the rules and reads back.
pub fn lowered(words: &[u32], options: &Options) -> Result<Lowered, String> {
    let shader = decoded(words)?;
    let mut diags = Diags::new();
    let lowered = lower::lower(&shader, options, &mut diags).ok_or_else(|| said(&diags))?;
    module::check(&lowered.module)?;
    module::round_trip(&lowered.module)?;
    Ok(lowered)
}

/// Lowers a text with default options.
#[track_caller]
pub fn lower(text: &str) -> Lowered {
    lower_with(text, &Options::default())
}

/// Lowers a text.
#[track_caller]
pub fn lower_with(text: &str, options: &Options) -> Lowered {
    lowered(&words(text), options).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

/// Lowers a text and runs the driver's passes; the module keeps the rules and reads back.
#[track_caller]
pub fn driven(text: &str, options: &driver::Options) -> Lowered {
    let mut lowered = lower(text);
    driver::apply(&mut lowered, options);
    sound(&lowered.module);
    lowered
}

/// The module keeps the rules and reads back.
#[track_caller]
pub fn sound(module: &Module) {
    module::check(module).and_then(|()| module::round_trip(module)).unwrap_or_else(|why| panic!("{why}"));
}

/// A draw of one stage: register files, textures, inputs.
pub struct Draw<'l> {
    lowered: &'l Lowered,
    floats: Vec<[f32; 4]>,
    ints: Vec<[i32; 4]>,
    bools: Vec<bool>,
    extras: Vec<u8>,
    run: Run<'l>,
}

/// A draw with all registers zero and nothing bound.
pub fn draw(lowered: &Lowered) -> Draw<'_> {
    Draw {
        lowered,
        floats: vec![[0.0; 4]; 8192],
        ints: vec![[0; 4]; 2048],
        bools: vec![false; 2048],
        extras: Vec::new(),
        run: Run::new(&lowered.module),
    }
}

impl Draw<'_> {
    fn binding(&self, class: RegisterClass, register: u32) -> Binding {
        Binding { class, register, space: u32::from(self.lowered.reflection.version.is_pixel()) }
    }

    /// Sets c#.
    pub fn c(mut self, register: usize, value: [f32; 4]) -> Self {
        self.floats[register] = value;
        self
    }

    /// Sets i#.
    pub fn i(mut self, register: usize, value: [i32; 4]) -> Self {
        self.ints[register] = value;
        self
    }

    /// Sets b#.
    pub fn b(mut self, register: usize, value: bool) -> Self {
        self.bools[register] = value;
        self
    }

    /// An input, the same in all lanes.
    pub fn input(mut self, port: impl Into<Port>, value: [f32; 4]) -> Self {
        self.run = self.run.input(port, value);
        self
    }

    /// An input, a value for each lane.
    pub fn inputs(mut self, port: impl Into<Port>, values: &[[f32; 4]]) -> Self {
        self.run = self.run.inputs(port, values);
        self
    }

    /// Binds a texture with a point sampler that clamps.
    pub fn texture(self, register: u32, texture: Texture) -> Self {
        self.texture_with(register, texture, Sampler { seamless: false, ..Sampler::point(Address::Clamp) })
    }

    /// Binds a texture and a sampler.
    pub fn texture_with(mut self, register: u32, texture: Texture, sampler: Sampler) -> Self {
        let (t, s) = (self.binding(RegisterClass::T, register), self.binding(RegisterClass::S, register));
        self.run = self.run.texture(t, texture).sampler(s, sampler);
        self
    }

    /// Sets floats of the driver's block from a byte on.
    pub fn extra(mut self, byte: usize, values: &[f32]) -> Self {
        self.extras.resize(self.extras.len().max(byte + 4 * values.len()).max(304), 0);
        for (place, value) in self.extras[byte..].chunks_exact_mut(4).zip(values) {
            place.copy_from_slice(&value.to_le_bytes());
        }
        self
    }

    /// Runs.
    #[track_caller]
    pub fn run(self) -> Ran {
        let (uniforms, block) = (self.binding(RegisterClass::B, 0), self.binding(RegisterClass::B, 1));
        let bytes = self.lowered.reflection.pack(&self.floats, &self.ints, &self.bools);
        let run = self.run.buffer(uniforms, bytes).buffer(block, self.extras);
        run.run().unwrap_or_else(|why| panic!("{why}"))
    }

    /// Runs a pixel shader: the colour of target 0.
    #[track_caller]
    pub fn color(self) -> [f32; 4] {
        self.run().output(0).expect("target 0")
    }

    /// Runs a vertex shader: TEXCOORD0.
    #[track_caller]
    pub fn texcoord(self) -> [f32; 4] {
        self.run().output(("texcoord", 0)).expect("TEXCOORD0")
    }
}

/// A 2D texture with a texel for each pair of coordinates.
pub fn texture_2d(width: u32, height: u32, texel: impl Fn(u32, u32) -> [f32; 4]) -> Texture {
    let texels: Vec<f32> =
        (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).flat_map(|(x, y)| texel(x, y)).collect();
    Texture::from_f32(Shape::d2(width, height), &texels).expect("a texture")
}

/// A texture whose sample at (u, v) says where it was read: texel (x, y) of n × n holds the coordinates of its centre.
pub fn place_texture(n: u32) -> Texture {
    texture_2d(n, n, |x, y| [(x as f32 + 0.5) / n as f32, (y as f32 + 0.5) / n as f32, 0.25, 1.0])
}
