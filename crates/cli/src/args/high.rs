//! What the command line means.

use crate::args::low;
use crate::exit::Failure;
use crate::files;
use crate::stream::Assembly;
use aquatint::d3d9::driver::{self, FogBlend, FogCoordinate, FogFactor, PointSize, VertexFog};
use aquatint::d3d9::lower::{self, FloatRules};
use aquatint::passes::run;
use aquatint::{Language, Level, Options, Target, hlsl, msl};
use std::path::{Path, PathBuf};

/// Options of the translation of a shader, from those of the command line.
pub fn options(low: &low::Shader, target: Target) -> Options {
    Options {
        level: if low.level == "0" { Level::None } else { Level::Default },
        strict: low.strict,
        advise: low.shows_warnings(),
        d3d9: lower_options(low),
        driver: driver_options(low),
        ..Options::new(target)
    }
}

/// How a shader's text is assembled.
pub fn assembly(low: &low::Shader) -> Assembly {
    Assembly { strict: low.strict, include: low.include.clone(), defines: low.define.clone(), ctab: None }
}

fn bits(samplers: &[u16]) -> u16 {
    samplers.iter().fold(0, |bits, sampler| bits | 1 << (sampler & 15))
}

/// Sets entries of a table by number; later ones win.
fn set<T: Copy, const N: usize>(table: &mut [T; N], values: &[(u16, T)]) {
    for &(number, value) in values {
        if let Some(place) = table.get_mut(usize::from(number)) {
            *place = value;
        }
    }
}

fn lower_options(low: &low::Shader) -> lower::Options {
    let mut options = lower::Options {
        float: low.float.unwrap_or(FloatRules::Strict),
        depth_compare: bits(&low.depth_compare),
        fetch4: bits(&low.fetch4),
        pack_by_ctab: low.pack_by_ctab,
        defs_uploaded: low.defs_uploaded,
        msaa: low.msaa,
        ..lower::Options::default()
    };
    let known = |&(number, kind): &(u16, _)| (number, Some(kind));
    set(&mut options.texture_kinds, &low.sampler.iter().map(known).collect::<Vec<_>>());
    set(&mut options.projections, &low.project);
    set(&mut options.bools, &low.bool.iter().map(|&(number, value)| (number, Some(value))).collect::<Vec<_>>());
    options
}

fn driver_options(low: &low::Shader) -> driver::Options {
    driver::Options {
        alpha_test: low.alpha_test,
        fog: low.fog.map(|factor| FogBlend {
            factor,
            coordinate: if low.fog_w { FogCoordinate::W } else { FogCoordinate::Z },
            color: low.fog_color,
            range: low.fog_range,
        }),
        srgb_write: low.srgb_write.unwrap_or(0),
        clamp_targets: low.clamp.unwrap_or(0),
        point_sprite: low.point_sprite,
        flat_colors: low.flat,
        // A vertex shader without fog under fog is fully fogged (sheet 3.4).
        vertex_fog: (low.fog == Some(FogFactor::Vertex)).then_some(VertexFog::Default(0.0)),
        point_size: low.point_size.map(|size| PointSize { fixed: size.0 }),
        clip_planes: low.clip_planes.unwrap_or(0),
        half_pixel: low.half_pixel,
    }
}

fn hlsl_options(low: &low::Compile) -> hlsl::CompileOptions {
    let mut options = hlsl::CompileOptions::default();
    options.preprocess.version = low.hv;
    options.preprocess.native_16_bit = low.native_16_bit;
    if let Some(profile) = low.profile {
        options.preprocess.target = profile.model;
        options.preprocess.stage = profile.number;
        options.sema.profile_stage = profile.stage;
    }
    let define = |(name, value): &(String, String)| hlsl::options::Define::Define(format!("{name}={value}"));
    options.preprocess.defines = low.shader.define.iter().map(define).collect();
    options.sema.row_major = low.row_major;
    options.sema.layout = low.layout;
    options
}

/// Where the results of `compile` go.
#[derive(Debug)]
pub enum Plan {
    /// One input.
    One {
        /// The input.
        input: PathBuf,
        /// The output, standard output where absent.
        output: Option<PathBuf>,
        /// The reflection.
        reflect: Option<PathBuf>,
    },
    /// Several, each to a file.
    Batch(Vec<Job>),
}

/// One of several inputs.
#[derive(Debug)]
pub struct Job {
    /// The input.
    pub input: PathBuf,
    /// The output.
    pub output: PathBuf,
    /// The reflection.
    pub reflect: Option<PathBuf>,
    /// It was found in a directory: pass over it in silence if it is no shader.
    pub found: bool,
}

/// What `compile` does.
#[derive(Debug)]
pub struct Compile {
    /// Options of the translation, but for those of the Metal writer.
    pub options: Options,
    /// How texts are assembled.
    pub assembly: Assembly,
    /// The language of the inputs, where it was said.
    pub language: Option<Language>,
    /// Whether warnings are shown.
    pub warnings: bool,
    /// Passes after which the module is printed; `all` for all.
    pub print_after: Vec<String>,
    /// Whether times are printed.
    pub time_passes: bool,
    /// Inputs and outputs.
    pub plan: Plan,
    msl: MslOptions,
}

#[derive(Debug)]
struct MslOptions {
    version: msl::LanguageVersion,
    entry: Option<String>,
    strict: bool,
}

impl Compile {
    /// Resolves the command line. Directories are read here.
    pub fn new(low: &low::Compile) -> Result<Compile, Failure> {
        let target = target(low);
        let mut options = options(&low.shader, target);
        options.entry.clone_from(&low.entry);
        options.unroll = low.unroll;
        options.hlsl = hlsl_options(low);
        options.checks =
            run::Options { verify: low.verify || low.stress || cfg!(debug_assertions), stress: low.stress };
        options.spirv.environment = low.target_env.unwrap_or_default();
        for (place, shift) in options.spirv.shifts.iter_mut().zip([low.shift_b, low.shift_t, low.shift_s, low.shift_u])
        {
            // Registers are below 2^16, so the sum stays a 32-bit number.
            *place = shift.unwrap_or(*place).min(1 << 24);
        }
        if low.inputs.iter().filter(|input| files::is_standard(input)).count() > 1 {
            return Err(Failure::Usage("standard input can be read once".to_owned()));
        }
        Ok(Compile {
            plan: plan(low, target)?,
            options,
            assembly: assembly(&low.shader),
            language: low.from,
            warnings: low.shader.shows_warnings(),
            print_after: low.print_after.clone(),
            time_passes: low.time_passes,
            msl: MslOptions {
                version: low.msl_version.unwrap_or_default(),
                entry: low.msl_entry.clone(),
                strict: low.msl_strict,
            },
        })
    }

    /// Options of the Metal writer for an input of that language.
    pub fn msl(&self, language: Option<Language>) -> msl::Options {
        let profile = match language {
            Some(Language::Ir | Language::Hlsl) => msl::Options::default(),
            _ => msl::Options::direct3d9(),
        };
        msl::Options {
            language_version: self.msl.version,
            entry_name: self.msl.entry.clone(),
            strict: self.msl.strict,
            ..profile
        }
    }
}

fn target(low: &low::Compile) -> Target {
    let by_extension = || Target::from_extension(low.output.as_deref()?.extension()?.to_str()?);
    low.to.or_else(by_extension).unwrap_or(Target::Msl)
}

fn plan(low: &low::Compile, target: Target) -> Result<Plan, Failure> {
    if let [input] = low.inputs.as_slice()
        && !input.is_dir()
    {
        // A directory as the output of one input: the file goes into it.
        let output = match &low.output {
            Some(output) if output.is_dir() => Some(output.join(renamed(base_name(input), target.extension()))),
            output => output.clone(),
        };
        return Ok(Plan::One { input: input.clone(), output, reflect: low.reflect.clone() });
    }
    let Some(directory) = low.output.as_deref().filter(|output| !files::is_standard(output)) else {
        return Err(Failure::Usage("several inputs need a directory for their outputs: -o DIR".to_owned()));
    };
    if directory.is_file() {
        return Err(Failure::Usage(format!(
            "several inputs need a directory, and '{}' is a file",
            directory.display()
        )));
    }
    let mut inputs = Vec::new();
    for input in &low.inputs {
        if input.is_dir() {
            inputs.extend(files::walk(input)?.into_iter().map(|file| (input.join(&file), file, true)));
        } else {
            inputs.push((input.clone(), base_name(input).to_owned(), false));
        }
    }
    let outputs = output_names(&inputs.iter().map(|(_, name, _)| name.as_path()).collect::<Vec<_>>(), target)?;
    let jobs = inputs.into_iter().zip(outputs).map(|((input, _, found), name)| Job {
        input,
        output: directory.join(&name),
        reflect: low.reflect.as_ref().map(|reflect| reflect.join(extended(&name, "json"))),
        found,
    });
    Ok(Plan::Batch(jobs.collect()))
}

fn base_name(input: &Path) -> &Path {
    input.file_name().filter(|_| !files::is_standard(input)).map_or(Path::new("stdin"), Path::new)
}

/// `water.pso` to `water.metal`.
fn renamed(name: &Path, extension: &str) -> PathBuf {
    name.with_extension(extension)
}

/// `water.pso` to `water.pso.metal`.
fn extended(name: &Path, extension: &str) -> PathBuf {
    let mut name = name.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// Names of outputs: the extension of the input is replaced, or kept before the new one where two inputs would meet
/// (`water.vso` and `water.pso`).
fn output_names(names: &[&Path], target: Target) -> Result<Vec<PathBuf>, Failure> {
    let mut counts = std::collections::HashMap::new();
    for name in names {
        *counts.entry(renamed(name, target.extension())).or_insert(0_u32) += 1;
    }
    let mut taken = std::collections::HashSet::new();
    let mut outputs = Vec::with_capacity(names.len());
    for name in names {
        let short = renamed(name, target.extension());
        let output = if counts.get(&short) == Some(&1) { short } else { extended(name, target.extension()) };
        if !taken.insert(output.clone()) {
            let message = format!("two inputs would both be written to '{}'; give their directory", output.display());
            return Err(Failure::Usage(message));
        }
        outputs.push(output);
    }
    Ok(outputs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_keep_their_extension_where_names_meet() {
        let names = ["a/water.pso", "a/water.vso", "b/water.pso"].map(Path::new);
        let outputs = output_names(&names, Target::Msl).expect("they differ");
        assert_eq!(outputs, ["a/water.pso.metal", "a/water.vso.metal", "b/water.metal"].map(PathBuf::from));
        assert!(output_names(&["x.bin", "x.bin"].map(Path::new), Target::Spirv).is_err());
    }
}
