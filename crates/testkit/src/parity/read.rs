//! The file format of parity cases.
//!
//! UTF-8 text. Header lines `key value`, then sections `[name]`. `#` begins a comment. Outside of shaders an indented line
//! goes on with the one before. Everything is strict: what is not described here is an error with its line.
//!
//! ```text
//! format aquatint-parity 1                 always the first line
//! title TEXT                               what the case shows
//! tolerance bits: REASON                   NaNs aside, the same bits
//! tolerance abs A rel R: REASON            |got - want| <= max(A, R * |want|); zeros of both signs are equal
//! differs EXECUTOR: REASON                 its results may be others
//! refuses EXECUTOR CODE: REASON            its writer may refuse the shader with this code
//! skips EXECUTOR: REASON                   it does not run the case
//!
//! [compute ir] | [vertex ir] | [fragment ir]    the stage, the language, and options of the language
//! ...                                      the shader's text, up to the next of these headings
//!
//! [inputs]
//! dispatch X Y Z                           workgroups of a compute stage
//! target W H COLORS [clear R G B A]        32-bit float targets of a draw
//! draw TOPOLOGY COUNT                      points, lines, line-strip, triangles, triangle-strip, triangle-fan; vertices
//! attribute INPUT KINDxN NUMBER...         INPUT is a location or usage.index; f32, i32, u32; 1 to 4 components
//! buffer u0 FIELDS                         register b, t or u; `@N` behind it is the register space
//! texels t0 KIND NUMBER...                 a texel buffer, four components a texel
//! texture t0 DIM [depth] W [H [D]] [layers N] [levels N] [samples N] KIND NUMBER... | ramp | all R G B A
//! sampler s0 WORD...                       point, linear, mip-none, mip-point, mip-linear; wrap, mirror, clamp, border,
//!                                          mirror-once (once for all axes, or one an axis); white, black; compare TEST;
//!                                          bias X; least X; greatest X; anisotropy N
//! push FIELDS                              push constants
//! constant STAGE c|i|b FIRST NUMBER...     Direct3D 9's constants
//!
//! [expect]                                 what a specification says
//! texel COLOR X Y R G B A
//! buffer u0 FIELDS
//! texture u0 FIELDS                        level 0, four components a texel
//!
//! [agreed]                                 the same, written by blessing where at least two executors agreed
//! ```
//!
//! FIELDS are kinds (`u32`, `f16` …) and numbers of the kind before, `pad BYTES`, `zeros COUNT`, `times COUNT NUMBER`.
//! Numbers are decimal, `inf`, `nan`, or bits as `0x…`. `ramp` fills a texture with different values in every component.
//! A draw of points without a vertex stage, or without a fragment stage, gets the other one made
//! ([`super::synthetic`]).

use super::case::{
    Allowance, Attribute, Case, Constant, Expected, Inputs, Resource, Shader, TargetSize, Tolerance, register_name,
};
use super::number;
use crate::execute::Port;
use aquatint_exec::compare::Compare;
use aquatint_exec::raster::Topology;
use aquatint_exec::texture::{Address, Filter, MipFilter, Sampler, Shape, Texture};
use aquatint_ir::{Binding, RegisterClass, Scalar, Stage};
use std::path::Path;
use std::str::SplitWhitespace;

/// The first line of every file.
pub const FORMAT: &str = "format aquatint-parity 1";
/// The heading of what executors agreed on.
pub const AGREED: &str = "[agreed]";

/// Reads a case file.
///
/// # Errors
/// What the file system says, or the line that is wrong and why.
pub fn read(path: &Path) -> Result<Case, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    parse(&name, &text)
}

/// Reads the text of a case.
///
/// # Errors
/// `NAME.case:LINE: what is wrong`.
pub fn parse(name: &str, text: &str) -> Result<Case, String> {
    let mut reader = Reader { case: empty(name), seen: Vec::new() };
    let at = |line: usize, why: String| format!("{name}.case:{line}: {why}");
    let lines: Vec<&str> = text.lines().collect();
    let mut section = Section::Header;
    let mut next = 0;
    while let Some(&first) = lines.get(next) {
        let number = next + 1;
        next += 1;
        if let Some(heading) = heading(first) {
            section = reader.section(heading, number).map_err(|why| at(number, why))?;
            continue;
        }
        if let Section::Shader(index) = section {
            let text = &mut reader.case.shaders[index].text;
            text.push_str(first);
            text.push('\n');
            continue;
        }
        let mut line = plain(first).to_owned();
        if line.starts_with([' ', '\t']) && !line.trim().is_empty() {
            return Err(at(number, "an indented line goes on with none".to_owned()));
        }
        while let Some(more) = lines.get(next).filter(|more| more.starts_with([' ', '\t']) || more.starts_with('#')) {
            line.push(' ');
            line.push_str(plain(more));
            next += 1;
        }
        let line = line.trim();
        if number == 1 && line != FORMAT {
            return Err(at(1, format!("the first line is not '{FORMAT}'")));
        }
        if line.is_empty() || number == 1 {
            continue;
        }
        reader.line(&section, line).map_err(|why| at(number, why))?;
    }
    reader.finish().map_err(|why| at(lines.len().max(1), why))
}

fn empty(name: &str) -> Case {
    let inputs = Inputs {
        groups: None,
        target: None,
        topology: Topology::PointList,
        vertices: 0,
        attributes: Vec::new(),
        resources: Vec::new(),
        push: Vec::new(),
        constants: Vec::new(),
    };
    Case {
        name: name.to_owned(),
        title: String::new(),
        tolerance: Tolerance::Bits,
        reason: String::new(),
        allowances: Vec::new(),
        shaders: Vec::new(),
        inputs,
        expected: Vec::new(),
        agreed: None,
    }
}

/// A line without its comment.
fn plain(line: &str) -> &str {
    line.split_once('#').map_or(line, |(line, _)| line)
}

enum Section {
    Header,
    Shader(usize),
    Inputs,
    Expect,
    Agreed,
}

/// What stands in brackets, if it is the heading of a section: HLSL has lines in brackets too.
fn heading(line: &str) -> Option<&str> {
    let inner = line.trim_end().strip_prefix('[')?.strip_suffix(']')?;
    let known = ["vertex", "fragment", "compute", "inputs", "expect", "agreed"];
    known.contains(&inner.split_whitespace().next()?).then_some(inner)
}

struct Reader {
    case: Case,
    /// Keys that were given and may be given once.
    seen: Vec<String>,
}

/// A word more.
fn word<'a>(words: &mut SplitWhitespace<'a>, what: &str) -> Result<&'a str, String> {
    words.next().ok_or_else(|| format!("{what} is missing"))
}

fn count(words: &mut SplitWhitespace<'_>, what: &str, most: u32) -> Result<u32, String> {
    let text = word(words, what)?;
    let number = text.parse::<u32>().ok().filter(|&number| number <= most);
    number.ok_or_else(|| format!("'{text}' is no {what} up to {most}"))
}

fn float(words: &mut SplitWhitespace<'_>) -> Result<f32, String> {
    number::parse(Scalar::F32, word(words, "a number")?).map(|bits| f32::from_bits(bits as u32))
}

fn four(words: &mut SplitWhitespace<'_>) -> Result<[f32; 4], String> {
    Ok([float(words)?, float(words)?, float(words)?, float(words)?])
}

fn end(mut words: SplitWhitespace<'_>) -> Result<(), String> {
    words.next().map_or(Ok(()), |word| Err(format!("'{word}' is one word too many")))
}

fn word_kind(name: &str) -> Result<Scalar, String> {
    let kind = number::kind(name).filter(|kind| matches!(kind, Scalar::F32 | Scalar::I32 | Scalar::U32));
    kind.ok_or_else(|| format!("'{name}' is none of f32, i32, u32"))
}

/// `u0`, `t3@1`.
fn register(text: &str) -> Result<Binding, String> {
    let bad = || format!("'{text}' is no register");
    let (place, space) = text.split_once('@').unwrap_or((text, "0"));
    let class = place.get(..1).and_then(RegisterClass::from_name).ok_or_else(bad)?;
    let number = |text: &str| text.parse::<u32>().map_err(|_| bad());
    Ok(Binding { class, register: number(&place[1..])?, space: number(space)? })
}

impl Reader {
    fn once(&mut self, key: &str) -> Result<(), String> {
        if self.seen.iter().any(|seen| seen == key) {
            return Err(format!("'{key}' stands here a second time"));
        }
        self.seen.push(key.to_owned());
        Ok(())
    }

    fn section(&mut self, heading: &str, line: usize) -> Result<Section, String> {
        let mut words = heading.split_whitespace();
        let name = word(&mut words, "a name")?;
        self.once(&format!("[{name}]"))?;
        let Some(stage) = Stage::from_name(name) else {
            end(words)?;
            return Ok(match name {
                "inputs" => Section::Inputs,
                "expect" => Section::Expect,
                _ => {
                    self.case.agreed = Some(String::new());
                    Section::Agreed
                }
            });
        };
        let language = word(&mut words, "the language")?.to_owned();
        let options = words.map(str::to_owned).collect();
        self.case.shaders.push(Shader { stage, language, options, text: String::new(), line: line as u32 + 1 });
        Ok(Section::Shader(self.case.shaders.len() - 1))
    }

    fn line(&mut self, section: &Section, line: &str) -> Result<(), String> {
        let (key, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match section {
            Section::Header => self.header(key, rest.trim()),
            Section::Inputs => self.input(key, rest),
            Section::Expect => {
                let expected = expected(key, rest)?;
                self.case.expected.push(expected);
                Ok(())
            }
            Section::Agreed => {
                expected(key, rest)?;
                let text = self.case.agreed.get_or_insert_default();
                text.push_str(line);
                text.push('\n');
                Ok(())
            }
            Section::Shader(_) => Ok(()),
        }
    }

    fn header(&mut self, key: &str, rest: &str) -> Result<(), String> {
        let reason = |text: &str| match text.split_once(':') {
            Some((what, why)) if !why.trim().is_empty() => Ok((what.trim().to_owned(), why.trim().to_owned())),
            _ => Err(format!("'{key}' needs a reason behind a colon")),
        };
        match key {
            "title" if !rest.is_empty() => {
                self.once(key)?;
                rest.clone_into(&mut self.case.title);
            }
            "tolerance" => {
                self.once(key)?;
                let (what, why) = reason(rest)?;
                self.case.reason = why;
                self.case.tolerance = match what.split_whitespace().collect::<Vec<_>>()[..] {
                    ["bits"] => Tolerance::Bits,
                    ["abs", absolute, "rel", relative] => {
                        let part = |text: &str| {
                            let number = text.parse::<f64>().ok().filter(|number| (0.0..=1e30).contains(number));
                            number.ok_or_else(|| format!("'{text}' is no tolerance"))
                        };
                        Tolerance::Near { absolute: part(absolute)?, relative: part(relative)? }
                    }
                    _ => return Err(format!("'{what}' is no tolerance: bits, or abs A rel R")),
                };
            }
            "differs" | "refuses" | "skips" => {
                let (what, why) = reason(rest)?;
                let (executor, allowance) = match (key, what.split_once(' ')) {
                    ("refuses", Some((executor, code))) => (executor, Allowance::Refuses(code.trim().to_owned())),
                    ("refuses", None) => return Err("'refuses' needs an executor and a code".to_owned()),
                    (_, Some(_)) => return Err(format!("'{key}' takes an executor and a reason")),
                    ("differs", None) => (what.as_str(), Allowance::Differs),
                    (_, None) => (what.as_str(), Allowance::Skips),
                };
                self.case.allowances.push((executor.to_owned(), allowance, why));
            }
            _ => return Err(format!("'{key}' is no header line")),
        }
        Ok(())
    }

    fn input(&mut self, key: &str, rest: &str) -> Result<(), String> {
        let mut words = rest.split_whitespace();
        let inputs = &mut self.case.inputs;
        match key {
            "dispatch" => {
                let mut side = || count(&mut words, "number of workgroups", 65535);
                inputs.groups = Some([side()?, side()?, side()?]);
                end(words)?;
                self.once(key)?;
            }
            "target" => {
                let (width, height) = (count(&mut words, "width", 4096)?, count(&mut words, "height", 4096)?);
                let colors = count(&mut words, "number of attachments", 8)?;
                let clear = match words.next() {
                    None => [0.0; 4],
                    Some("clear") => four(&mut words)?,
                    Some(other) => return Err(format!("'{other}' instead of 'clear'")),
                };
                end(words)?;
                inputs.target = Some(TargetSize { width, height, colors, clear });
                self.once(key)?;
            }
            "draw" => {
                inputs.topology = match word(&mut words, "the topology")? {
                    "points" => Topology::PointList,
                    "lines" => Topology::LineList,
                    "line-strip" => Topology::LineStrip,
                    "triangles" => Topology::TriangleList,
                    "triangle-strip" => Topology::TriangleStrip,
                    "triangle-fan" => Topology::TriangleFan,
                    other => return Err(format!("'{other}' is no topology")),
                };
                inputs.vertices = count(&mut words, "number of vertices", 1 << 16)?;
                end(words)?;
                self.once(key)?;
            }
            "attribute" => {
                let attribute = attribute(&mut words)?;
                if inputs.attributes.iter().any(|other| other.port == attribute.port) {
                    return Err("this input has values already".to_owned());
                }
                inputs.attributes.push(attribute);
            }
            "push" => {
                inputs.push = number::fields(words)?;
                self.once(key)?;
            }
            "constant" => {
                let constant = constant(&mut words)?;
                inputs.constants.push(constant);
            }
            "buffer" | "texels" | "texture" | "sampler" => {
                let binding = register(word(&mut words, "a register")?)?;
                if inputs.resources.iter().any(|(other, _)| *other == binding) {
                    return Err(format!("{} has a resource already", register_name(binding)));
                }
                let resource = match key {
                    "buffer" => Resource::Buffer(number::fields(words)?),
                    "texels" => texels(words)?,
                    "texture" => texture(words)?,
                    _ => sampler(words)?,
                };
                inputs.resources.push((binding, resource));
            }
            _ => return Err(format!("'{key}' is no line of inputs")),
        }
        Ok(())
    }

    fn finish(self) -> Result<Case, String> {
        let case = self.case;
        for (missing, what) in [
            (case.title.is_empty(), "a title"),
            (case.reason.is_empty(), "a tolerance with its reason"),
            (case.shaders.is_empty(), "a shader"),
        ] {
            if missing {
                return Err(format!("the case has not {what}"));
            }
        }
        let has = |stage| case.shader(stage).is_some();
        if has(Stage::Compute) {
            if has(Stage::Vertex) || has(Stage::Fragment) || case.inputs.target.is_some() {
                return Err("a compute stage stands alone".to_owned());
            }
            if case.inputs.groups.is_none() {
                return Err("a compute stage needs 'dispatch'".to_owned());
            }
            let writes = |(binding, _): &(Binding, Resource)| binding.class == RegisterClass::U;
            if !case.inputs.resources.iter().any(writes) {
                return Err("nothing is bound to a u register, so there is nothing to compare".to_owned());
            }
        } else if case.inputs.target.is_none() || case.inputs.vertices == 0 {
            return Err("a draw needs 'target' and 'draw'".to_owned());
        }
        let vertices = case.inputs.vertices as usize;
        if case.inputs.attributes.iter().any(|attribute| attribute.values.len() != vertices) {
            return Err(format!("an attribute has not {vertices} values, one a vertex"));
        }
        Ok(case)
    }
}

fn attribute(words: &mut SplitWhitespace<'_>) -> Result<Attribute, String> {
    let place = word(words, "the input")?;
    let port = match (place.parse::<u32>(), place.split_once('.')) {
        (Ok(location), _) => Port::Location(location),
        (_, Some((name, index))) => {
            Port::Usage(name.to_owned(), index.parse().map_err(|_| format!("'{place}' is no input"))?)
        }
        _ => return Err(format!("'{place}' is no input")),
    };
    let format = word(words, "the format")?;
    let (kind, lanes) = format.split_once('x').unwrap_or((format, "1"));
    let kind = word_kind(kind)?;
    let lanes = lanes.parse::<u8>().ok().filter(|lanes| (1..=4).contains(lanes));
    let lanes = lanes.ok_or_else(|| format!("'{format}' has not 1 to 4 components"))?;
    let numbers = numbers(words, kind)?;
    if numbers.len() % usize::from(lanes) != 0 {
        return Err(format!("{} numbers are no whole entries of {lanes}", numbers.len()));
    }
    let one = if kind.is_float() { 1.0f32.to_bits() } else { 1 };
    let entry = |given: &[u32]| std::array::from_fn(|i| given.get(i).copied().unwrap_or(if i == 3 { one } else { 0 }));
    let values = numbers.chunks_exact(usize::from(lanes)).map(entry).collect();
    Ok(Attribute { port, kind, lanes, values })
}

fn constant(words: &mut SplitWhitespace<'_>) -> Result<Constant, String> {
    let stage = word(words, "the stage")?;
    let stage = Stage::from_name(stage).ok_or_else(|| format!("'{stage}' is no stage"))?;
    let file = word(words, "c, i or b")?;
    let (file, kind) = match file {
        "c" => ('c', Scalar::F32),
        "i" => ('i', Scalar::I32),
        "b" => ('b', Scalar::U32),
        _ => return Err(format!("'{file}' is none of c, i, b")),
    };
    let first = count(words, "register", 8191)?;
    let bits = numbers(words, kind)?;
    if bits.is_empty() || (file != 'b' && bits.len() % 4 != 0) {
        return Err("constants have four numbers each, bools one".to_owned());
    }
    Ok(Constant { stage, file, first, bits })
}

fn numbers(words: &mut SplitWhitespace<'_>, kind: Scalar) -> Result<Vec<u32>, String> {
    words.map(|word| number::parse(kind, word).map(|bits| bits as u32)).collect()
}

fn texels(mut words: SplitWhitespace<'_>) -> Result<Resource, String> {
    let kind = word_kind(word(&mut words, "the kind")?)?;
    let all = numbers(&mut words, kind)?;
    let (texels, []) = all.as_chunks::<4>() else { return Err("texels have four numbers each".to_owned()) };
    Ok(Resource::Texels(kind, texels.to_vec()))
}

/// Numbers that differ between neighbours, components and levels: halves up to 64.
fn ramp(index: usize) -> f32 {
    (index * 37 % 129) as f32 / 2.0
}

fn texture(mut words: SplitWhitespace<'_>) -> Result<Resource, String> {
    let dim = word(&mut words, "the dimension")?;
    let mut rest = words.clone();
    let depth = rest.next() == Some("depth");
    if depth {
        words = rest;
    }
    let mut side = || count(&mut words, "side", 4096);
    let mut shape = match dim {
        "1d" => Shape::d1(side()?),
        "2d" => Shape::d2(side()?, side()?),
        "3d" => Shape::d3(side()?, side()?, side()?),
        "cube" => Shape::cube(side()?),
        other => return Err(format!("'{other}' is none of 1d, 2d, 3d, cube")),
    };
    let kind = loop {
        match word(&mut words, "the kind")? {
            "layers" => shape = shape.with_layers(count(&mut words, "number of layers", 256)?),
            "levels" => shape = shape.with_levels(count(&mut words, "number of levels", 16)?),
            "samples" => shape = shape.with_samples(count(&mut words, "number of samples", 16)?),
            kind => break word_kind(kind)?,
        }
    };
    let faces = if dim == "cube" { 6 } else { 1 };
    let texels: usize = (0..shape.levels)
        .map(|level| {
            let size = shape.level(level);
            let plane = size.width as usize * size.height as usize * size.depth as usize;
            plane * (shape.layers * shape.samples * faces) as usize
        })
        .sum();
    if texels > number::MOST_BYTES / 16 {
        return Err("a texture this large is no case".to_owned());
    }
    let mut look = words.clone();
    let all: Vec<u32> = match look.next() {
        Some("ramp") => {
            end(look)?;
            let number = |index| if kind.is_float() { ramp(index).to_bits() } else { (ramp(index) * 2.0) as u32 };
            (0..texels * 4).map(number).collect()
        }
        Some("all") => {
            let one = numbers(&mut look, kind)?;
            if one.len() != 4 {
                return Err("'all' takes four numbers".to_owned());
            }
            one.repeat(texels)
        }
        _ => numbers(&mut words, kind)?,
    };
    let made = if kind.is_float() {
        Texture::from_f32(shape, &all.iter().map(|&bits| f32::from_bits(bits)).collect::<Vec<_>>())
    } else {
        Texture::from_u32(shape, &all)
    };
    Ok(Resource::Texture { texture: made.map_err(|error| error.to_string())?, kind, depth })
}

fn sampler(mut words: SplitWhitespace<'_>) -> Result<Resource, String> {
    let mut made = Sampler { seamless: true, mip: MipFilter::Point, ..Sampler::default() };
    let (mut compares, mut axes) = (false, Vec::new());
    while let Some(word) = words.next() {
        match word {
            "point" => (made.min, made.mag) = (Filter::Point, Filter::Point),
            "linear" => (made.min, made.mag) = (Filter::Linear, Filter::Linear),
            "mip-none" => made.mip = MipFilter::None,
            "mip-point" => made.mip = MipFilter::Point,
            "mip-linear" => made.mip = MipFilter::Linear,
            "wrap" => axes.push(Address::Wrap),
            "mirror" => axes.push(Address::Mirror),
            "clamp" => axes.push(Address::Clamp),
            "border" => axes.push(Address::Border),
            "mirror-once" => axes.push(Address::MirrorOnce),
            "white" => made.border = [1.0; 4],
            "black" => made.border = [0.0, 0.0, 0.0, 1.0],
            "bias" => made.lod_bias = float(&mut words)?,
            "least" => made.min_lod = float(&mut words)?,
            "greatest" => made.max_lod = float(&mut words)?,
            "anisotropy" => made.max_anisotropy = count(&mut words, "number of probes", 16)?.max(1),
            "compare" => {
                let name = words.next().unwrap_or_default();
                let names = ["never", "less", "equal", "less-equal", "greater", "not-equal", "greater-equal", "always"];
                let found = names.iter().position(|known| *known == name);
                made.compare = Compare::ALL[found.ok_or_else(|| format!("'{name}' is no test"))?];
                compares = true;
            }
            other => return Err(format!("'{other}' is no word of a sampler")),
        }
    }
    match axes[..] {
        [] => {}
        [all] => made.address = [all; 3],
        [u, v, w] => made.address = [u, v, w],
        _ => return Err("one address mode for all axes, or three".to_owned()),
    }
    Ok(Resource::Sampler(made, compares))
}

/// A line of `[expect]` or `[agreed]`.
///
/// # Errors
/// What is wrong with it.
pub fn expected(key: &str, rest: &str) -> Result<Expected, String> {
    let mut words = rest.split_whitespace();
    match key {
        "texel" => {
            let mut place = || count(&mut words, "coordinate", 4096);
            let (color, x, y) = (place()?, place()?, place()?);
            let rgba = four(&mut words)?;
            end(words)?;
            Ok(Expected::Texel(color, x, y, rgba))
        }
        "buffer" => Ok(Expected::Buffer(register(word(&mut words, "a register")?)?, number::fields(words)?)),
        "texture" => Ok(Expected::Texture(register(word(&mut words, "a register")?)?, number::fields(words)?)),
        _ => Err(format!("'{key}' is no line of what is expected")),
    }
}
