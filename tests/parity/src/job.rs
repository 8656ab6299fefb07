//! A golden case's job as draws: state, buffers, textures, each at the time of its draw.

use aquatint_d3d9::tokens::Usage;
use std::collections::BTreeMap;

/// A texture's shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A picture.
    D2,
    /// Six faces.
    Cube,
    /// A volume.
    Volume,
}

/// A texture, one level.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// Its shape.
    pub kind: Kind,
    /// Width, height, depth.
    pub size: [u32; 3],
    /// Four floats a texel.
    pub texels: Vec<f32>,
}

/// The number in Direct3D 9 of the first sampler of the vertex stage.
pub const VERTEX_SAMPLERS: u32 = 257;

/// The number in Direct3D 9 of sampler `register` of a stage, 0 vertex or 1 pixel.
pub const fn sampler_number(stage: u32, register: u32) -> u32 {
    if stage == 0 { VERTEX_SAMPLERS + register } else { register }
}

/// The constants of a stage: as many as software processing has.
#[derive(Clone, Debug)]
pub struct Constants {
    /// c#
    pub floats: Vec<[f32; 4]>,
    /// i#
    pub ints: Vec<[i32; 4]>,
    /// b#
    pub bools: Vec<bool>,
}

impl Default for Constants {
    fn default() -> Self {
        Self { floats: vec![[0.0; 4]; 8192], ints: vec![[0; 4]; 2048], bools: vec![false; 2048] }
    }
}

/// A vertex element: where, its D3DDECLTYPE, and what it means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Element {
    /// Bytes from the start of the vertex.
    pub offset: usize,
    /// D3DDECLTYPE.
    pub kind: u32,
    /// Usage.
    pub usage: Usage,
    /// Usage index.
    pub index: u8,
}

/// All state.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Constants of the vertex and pixel stage.
    pub constants: [Constants; 2],
    /// Textures by stage.
    pub textures: BTreeMap<u32, Texture>,
    /// Sampler states by (stage, state).
    pub samplers: BTreeMap<(u32, u32), u32>,
    /// Render states that were set.
    pub render: BTreeMap<u32, u32>,
    /// Texture stage states by (stage, state).
    pub stages: BTreeMap<(u32, u32), u32>,
    /// Vertex elements.
    pub elements: Vec<Element>,
}

/// A draw and the state at its time.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The state.
    pub state: State,
    /// Bytes a vertex.
    pub stride: usize,
    /// The vertex buffer.
    pub vertices: Vec<u8>,
    /// D3DPRIMITIVETYPE.
    pub primitive: u32,
    /// Number of primitives.
    pub count: u32,
}

/// A job.
#[derive(Clone, Debug)]
pub struct Job {
    /// Size of the target.
    pub size: [u32; 2],
    /// What it is cleared to.
    pub clear: [f32; 4],
    /// The draws in order.
    pub draws: Vec<Draw>,
}

struct Line<'a> {
    text: &'a str,
    parts: std::str::SplitWhitespace<'a>,
}

impl<'a> Line<'a> {
    fn word(&mut self) -> Result<&'a str, String> {
        self.parts.next().ok_or_else(|| format!("'{}' lacks an operand", self.text))
    }

    fn number(&mut self) -> Result<u32, String> {
        number(self.word()?)
    }

    fn floats(&mut self) -> Result<Vec<f32>, String> {
        self.parts.by_ref().map(|t| t.parse().map_err(|_| format!("'{t}' is no number"))).collect()
    }
}

fn number(text: &str) -> Result<u32, String> {
    let bad = || format!("'{text}' is no number");
    if let Some(float) = text.strip_prefix("f:") {
        return float.parse::<f32>().map(f32::to_bits).map_err(|_| bad());
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return u32::from_str_radix(hex, 16).map_err(|_| bad());
    }
    text.parse::<u32>().or_else(|_| text.parse::<i32>().map(|n| n as u32)).map_err(|_| bad())
}

/// Reads a job.
///
/// # Errors
/// The line that is not understood.
pub fn parse(lines: &[String]) -> Result<Job, String> {
    let mut state = State::default();
    let mut job = Job { size: [0; 2], clear: [0.0; 4], draws: Vec::new() };
    let (mut stride, mut vertices) = (16, Vec::new());
    for text in lines {
        let text = text.split_once('#').map_or(text.as_str(), |(line, _)| line);
        let mut line = Line { text, parts: text.split_whitespace() };
        let Some(command) = line.parts.next() else { continue };
        let stage = usize::from(command.starts_with('p'));
        match command {
            "rt" => job.size = [line.number()?, line.number()?],
            "clear" => job.clear = four(&line.floats()?),
            "vsf" | "psf" => {
                let first = line.number()? as usize;
                for (offset, value) in line.floats()?.chunks_exact(4).enumerate() {
                    let place = state.constants[stage].floats.get_mut(first + offset);
                    *place.ok_or("a constant past the file")? = four(value);
                }
            }
            "vsi" | "psi" => {
                let at = line.number()? as usize;
                let mut value = [0; 4];
                for lane in &mut value {
                    *lane = line.number()? as i32;
                }
                *state.constants[stage].ints.get_mut(at).ok_or("a constant past the file")? = value;
            }
            "vsb" | "psb" => {
                let at = line.number()? as usize;
                let value = line.number()? != 0;
                *state.constants[stage].bools.get_mut(at).ok_or("a constant past the file")? = value;
            }
            "tex" => {
                let at = line.number()?;
                state.textures.insert(at, texture(&mut line)?);
            }
            "samp" => {
                let key = (line.number()?, line.number()?);
                state.samplers.insert(key, line.number()?);
            }
            "rs" => {
                let key = line.number()?;
                state.render.insert(key, line.number()?);
            }
            "tss" => {
                let key = (line.number()?, line.number()?);
                state.stages.insert(key, line.number()?);
            }
            "elem" => {
                let _stream = line.number()?;
                let offset = line.number()? as usize;
                let kind = line.number()?;
                let usage = line.number()?;
                let usage = Usage::from_number(usage).ok_or_else(|| format!("usage {usage}"))?;
                state.elements.push(Element { offset, kind, usage, index: line.number()? as u8 });
            }
            "stride" => stride = line.number()? as usize,
            "vf" => vertices.extend(line.floats()?.iter().flat_map(|x| x.to_le_bytes())),
            "vu" => {
                for word in line.parts {
                    vertices.extend(number(word)?.to_le_bytes());
                }
            }
            "draw" => {
                let (primitive, count) = (line.number()?, line.number()?);
                let vertices = std::mem::take(&mut vertices);
                job.draws.push(Draw { state: state.clone(), stride, vertices, primitive, count });
            }
            other => return Err(format!("the job command '{other}'")),
        }
    }
    Ok(job)
}

fn four(values: &[f32]) -> [f32; 4] {
    std::array::from_fn(|i| values.get(i).copied().unwrap_or(0.0))
}

fn texture(line: &mut Line<'_>) -> Result<Texture, String> {
    let kind = line.word()?;
    let (kind, size, faces) = match kind {
        "2d" => (Kind::D2, [line.number()?, line.number()?, 1], 1),
        "cube" => {
            let side = line.number()?;
            (Kind::Cube, [side, side, 1], 6)
        }
        "vol" => (Kind::Volume, [line.number()?, line.number()?, line.number()?], 1),
        other => return Err(format!("a texture '{other}'")),
    };
    let mut texels = line.floats()?;
    texels.resize((size.iter().product::<u32>() * faces * 4) as usize, 0.0);
    Ok(Texture { kind, size, texels })
}

impl Draw {
    /// The number of vertices.
    pub fn vertex_count(&self) -> u32 {
        aquatint_exec::raster::Topology::from_d3d9(self.primitive)
            .and_then(|topology| topology.vertices_of(self.count))
            .unwrap_or(0)
    }

    /// The attribute of a usage for all vertices; zeros where there is no such element (sheet 3.2).
    pub fn attribute(&self, usage: Usage, index: u8) -> Vec<[f32; 4]> {
        let element = self.state.elements.iter().find(|e| e.usage == usage && e.index == index);
        let count = self.vertex_count() as usize;
        let Some(element) = element else { return vec![[0.0; 4]; count] };
        (0..count).map(|vertex| self.fetch(element, vertex * self.stride + element.offset)).collect()
    }

    fn fetch(&self, element: &Element, at: usize) -> [f32; 4] {
        let byte = |i: usize| self.vertices.get(at + i).copied().unwrap_or(0);
        let float = |i: usize| f32::from_le_bytes(std::array::from_fn(|k| byte(4 * i + k)));
        let short = |i: usize| f32::from(i16::from_le_bytes([byte(2 * i), byte(2 * i + 1)]));
        match element.kind {
            0 => [float(0), 0.0, 0.0, 1.0],
            1 => [float(0), float(1), 0.0, 1.0],
            2 => [float(0), float(1), float(2), 1.0],
            3 => [float(0), float(1), float(2), float(3)],
            // D3DCOLOR lies as B, G, R, A.
            4 => [byte(2), byte(1), byte(0), byte(3)].map(|b| f32::from(b) / 255.0),
            5 => [byte(0), byte(1), byte(2), byte(3)].map(f32::from),
            6 => [short(0), short(1), 0.0, 1.0],
            _ => [short(0), short(1), short(2), short(3)],
        }
    }
}
