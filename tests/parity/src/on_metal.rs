//! Golden jobs as Metal, compiled by clang and run on the CPU.
//!
//! Compiling is what takes time, so the functions of many jobs are put into one source ([`Library`]): each has a name of its
//! own, what they share stands there once.

use crate::golden::Texel;
use crate::job::{Draw, Job, sampler_number};
use crate::metal_scene;
use crate::metal_text::{self, MetalText};
use crate::on_interpreter;
use crate::prepare::Pair;
use aquatint_d3d9::lower::Lowered;
use aquatint_exec::raster::Topology;
use aquatint_ir::RegisterClass;
use aquatint_metal_cpu::run::{self, Attribute, AttributeData, Stage, Target};
use aquatint_msl::{ArgumentTable, Options};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The name that a function has while it is compared with others.
const PLACEHOLDER: &str = "AQUATINT_FUNCTION";

/// The Metal of both stages of a pair, by their numbers in [`Sources`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texts {
    /// The vertex stage.
    pub vertex: usize,
    /// The pixel stage.
    pub pixel: usize,
}

/// Functions, each text once.
#[derive(Debug, Default)]
pub struct Sources {
    texts: Vec<MetalText>,
    known: HashMap<String, usize>,
}

impl Sources {
    /// Writes both stages of a pair.
    ///
    /// # Errors
    /// Why one cannot be written.
    pub fn write(&mut self, pair: &Pair, options: &Options) -> Result<Texts, String> {
        let mut stage = |lowered: &Lowered| -> Result<usize, String> {
            let mut text = metal_text::write(&lowered.module, PLACEHOLDER, options).map_err(|why| why.to_string())?;
            let next = self.texts.len();
            let number = *self.known.entry(text.source.clone()).or_insert(next);
            if number == next {
                text.entry = format!("f{number}");
                text.source = text.source.replace(PLACEHOLDER, &text.entry);
                self.texts.push(text);
            }
            Ok(number)
        };
        Ok(Texts { vertex: stage(&pair.vertex)?, pixel: stage(&pair.pixel)? })
    }

    /// Puts the functions into sources of at most `most` functions each; for each function its source.
    pub fn join(&self, most: usize) -> Libraries {
        let mut libraries: Vec<Library> = Vec::new();
        let mut of = Vec::new();
        for text in &self.texts {
            if libraries.last_mut().is_none_or(|last| last.functions >= most || !last.add(&text.source)) {
                let mut fresh = Library::default();
                fresh.add(&text.source);
                libraries.push(fresh);
            }
            of.push(libraries.len() - 1);
        }
        let sources: Vec<Arc<str>> = libraries.iter().map(|library| Arc::from(library.source())).collect();
        Libraries { sources, of }
    }

    /// A function.
    pub fn text(&self, number: usize) -> &MetalText {
        &self.texts[number]
    }
}

/// Sources with many functions each.
#[derive(Debug, Default)]
pub struct Libraries {
    /// The sources.
    pub sources: Vec<Arc<str>>,
    /// By function: which source it is in.
    pub of: Vec<usize>,
}

/// A source that grows.
#[derive(Debug, Default)]
pub struct Library {
    head: String,
    blocks: Vec<String>,
    /// What a block declares, and the block.
    declared: BTreeMap<String, String>,
    functions: usize,
}

/// The end of what stands at the start of every source.
const HEAD_END: &str = "using namespace metal;\n";

impl Library {
    /// Adds a source; `false`, and nothing changes, where it declares something otherwise than one before.
    pub fn add(&mut self, source: &str) -> bool {
        let (head, body) = source.split_once(HEAD_END).unwrap_or(("", source));
        let blocks = blocks(body);
        if blocks.iter().any(|block| self.declared.get(&declares(block)).is_some_and(|other| other != block)) {
            return false;
        }
        if self.head.is_empty() {
            self.head = format!("{head}{HEAD_END}");
        }
        for block in blocks {
            if self.declared.insert(declares(&block), block.clone()).is_none() {
                self.blocks.push(block);
            }
        }
        self.functions += 1;
        true
    }

    /// The whole.
    pub fn source(&self) -> String {
        format!("{}\n{}\n", self.head, self.blocks.join("\n\n"))
    }
}

/// The declarations of a source: blank lines part them, where no bracket is open.
fn blocks(body: &str) -> Vec<String> {
    let (mut all, mut current, mut depth) = (Vec::new(), String::new(), 0i32);
    for line in body.lines() {
        if line.trim().is_empty() && depth == 0 {
            if !current.is_empty() {
                all.push(std::mem::take(&mut current));
            }
            continue;
        }
        let code = line.split("//").next().unwrap_or_default();
        depth += code.matches(['{', '(']).count() as i32 - code.matches(['}', ')']).count() as i32;
        if !current.is_empty() {
            current.push('\n');
        }
        current.push_str(line);
    }
    if !current.is_empty() {
        all.push(current);
    }
    all
}

/// What a block declares: its first line of code up to the parameters or the body. Overloads differ in the whole line.
fn declares(block: &str) -> String {
    let plain = |line: &&str| {
        let line = line.trim_start();
        !line.starts_with("//") && !line.starts_with("template") && !line.is_empty()
    };
    let line = block.lines().find(plain).unwrap_or_default();
    line.trim_end().trim_end_matches('{').trim_end().to_owned()
}

/// Draws all of a job.
///
/// # Errors
/// What the compiler, the runner or the rasteriser has against it.
pub fn run(
    job: &Job,
    pairs: &[Pair],
    texts: &[Texts],
    sources: &Sources,
    libraries: &Libraries,
) -> Result<Vec<Texel>, String> {
    let [width, height] = job.size;
    let target = Target { clear: job.clear, ..Target::new(width, height) };
    let mut draws = Vec::new();
    for ((draw, pair), texts) in job.draws.iter().zip(pairs).zip(texts) {
        let stage = |number: usize, space: u32| -> Result<Stage, String> {
            let source = &libraries.sources[libraries.of[number]];
            stage(draw, pair, space, sources.text(number), source)
        };
        let topology = Topology::from_d3d9(draw.primitive).ok_or("an unknown primitive")?;
        let count = draw.vertex_count();
        let mut made = run::Draw::new(stage(texts.vertex, 0)?, stage(texts.pixel, 1)?, topology, count, &target);
        made.state = on_interpreter::raster_state(draw, width, height);
        for (location, data) in &pair.attributes {
            let data = AttributeData::Float(data.clone());
            made.attributes.push(Attribute { location: *location, data, per_instance: false });
        }
        draws.push(made);
    }
    let picture = run::draw(&target, &draws).map_err(|error| error.to_string())?;
    let texels = picture.colors.first().map(Vec::as_slice).unwrap_or_default();
    Ok(texels.iter().enumerate().map(|(i, &c)| (i as u32 % width, i as u32 / width, c)).collect())
}

fn stage(draw: &Draw, pair: &Pair, space: u32, text: &MetalText, source: &str) -> Result<Stage, String> {
    let mut made = Stage::new(source, &text.entry);
    for &(binding, table, index) in &text.arguments {
        let Some(binding) = binding else { continue };
        let number = sampler_number(space, binding.register);
        match (table, binding.class, binding.register) {
            (ArgumentTable::Buffer, RegisterClass::B, 0) => {
                made.buffers.push((index, pair.uniforms[space as usize].clone()));
            }
            (ArgumentTable::Buffer, ..) => made.buffers.push((index, pair.extras.clone())),
            (ArgumentTable::Texture, ..) => {
                // Nothing bound reads as opaque black (sheet 2.5), in the runner as well.
                if let Some(texture) = draw.state.textures.get(&number) {
                    made.textures.push((index, metal_scene::image(&on_interpreter::made(texture)?)));
                }
            }
            (ArgumentTable::Sampler, ..) => {
                made.samplers.push((index, on_interpreter::sampler(&draw.state, number)));
            }
        }
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "// v\n#include <metal_stdlib>\n\nusing namespace metal;\n\n// Doubles.\nstatic float twice(float x)\n\
                     {\n    float y = x;\n\n    return y + y;\n}\n\nfragment float4 f0 (\n    float4 p [[position]]\n) {\n    \
                     return twice(p.x);\n}\n";

    #[test]
    fn what_sources_share_stands_once() {
        let mut library = Library::default();
        assert!(library.add(A) && library.add(&A.replace("f0", "f1")));
        let source = library.source();
        assert_eq!(source.matches("static float twice").count(), 1);
        assert_eq!((source.matches("f0").count(), source.matches("f1").count()), (1, 1));
        assert_eq!(source.matches("#include").count(), 1);
    }

    #[test]
    fn what_is_declared_otherwise_is_not_joined() {
        let mut library = Library::default();
        assert!(library.add(A));
        assert!(!library.add(&A.replace("f0", "f1").replace("y + y", "y * 2.0f")));
        assert_eq!(library.source().matches("fragment").count(), 1);
    }
}
