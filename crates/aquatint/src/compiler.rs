//! The way through: read, driver's passes, optimise, write.

use crate::artifact::{Artifact, Output};
use crate::codes::{AQ0002, AQ0008, AQ0010, AQ0011};
use crate::options::Options;
use crate::source::{Input, Language};
use crate::target::Target;
use aquatint_base::{Diagnostic, Diags, Source, SourceId, Sources, Span};
use aquatint_ir::Module;
use aquatint_passes::run::{Report, Runner, Show, Sink};
use std::time::Duration;

/// Where included files come from; nothing where no language includes any.
#[cfg(feature = "hlsl")]
type Files<'i> = dyn aquatint_hlsl::include::IncludeHandler + 'i;
#[cfg(not(feature = "hlsl"))]
type Files = ();

/// A run: its inputs and the messages about them. One session may compile several inputs.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// The inputs so far.
    pub sources: Sources,
    /// The messages so far.
    pub diags: Diags,
}

/// A module that was read, with what the reader says about it.
#[derive(Clone, Debug)]
pub struct Read {
    /// The module; it verifies.
    pub module: Module,
    /// What a renderer must know of a Direct3D 9 shader.
    #[cfg(feature = "d3d9")]
    pub reflection: Option<aquatint_d3d9::lower::Reflection>,
    /// Language that it came from.
    pub language: Language,
}

/// What a caller may watch while passes run.
#[derive(Default)]
pub struct Watch<'w> {
    /// Time since any fixed moment.
    pub clock: Option<&'w dyn Fn() -> Duration>,
    /// Which modules to show, and to whom.
    pub show: Option<(Show<'w>, Sink<'w>)>,
}

impl Session {
    /// A session without inputs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Compiles one input. Messages, warnings too, are in [`Session::diags`]; `None` after an error.
    pub fn compile(&mut self, input: &Input<'_>, options: &Options) -> Option<Artifact> {
        self.compile_watched(input, options, Watch::default())
    }

    /// [`Session::compile`], with a look at the passes.
    pub fn compile_watched(&mut self, input: &Input<'_>, options: &Options, watch: Watch<'_>) -> Option<Artifact> {
        let mut read = self.read(input, options)?;
        let passes = self.optimise(&mut read.module, options, watch)?;
        let entry = self.entry(&read.module, options)?;
        #[cfg(feature = "d3d9")]
        let reflection = read.reflection.take();
        let output = self.write(read, &entry, options)?;
        Some(Artifact {
            output,
            #[cfg(feature = "d3d9")]
            reflection,
            passes,
        })
    }

    /// Enters an input and tells its language.
    fn enter(&mut self, input: &Input<'_>) -> (SourceId, Option<Language>) {
        let language =
            input.language.or_else(|| Language::of_file_name(input.name)).or_else(|| Language::detect(input.bytes));
        let text = match language {
            Some(Language::Assembly | Language::Hlsl | Language::Ir) => std::str::from_utf8(input.bytes).ok(),
            _ => None,
        };
        let source = match text {
            Some(text) => Source::text(input.name, text),
            None => Source::binary(input.name, input.bytes.len()),
        };
        (self.sources.add(source), language)
    }

    /// Reads one input: a verified module. `None` after an error. HLSL that includes files is read by
    /// `read_with_includes` alone.
    pub fn read(&mut self, input: &Input<'_>, options: &Options) -> Option<Read> {
        #[cfg(feature = "hlsl")]
        return self.read_with_includes(input, options, &mut aquatint_hlsl::include::FileIncludes::default());
        #[cfg(not(feature = "hlsl"))]
        self.read_one(input, options, &mut ())
    }

    /// [`Session::read`], with the files that HLSL includes.
    #[cfg(feature = "hlsl")]
    pub fn read_with_includes(
        &mut self,
        input: &Input<'_>,
        options: &Options,
        includes: &mut dyn aquatint_hlsl::include::IncludeHandler,
    ) -> Option<Read> {
        self.read_one(input, options, includes)
    }

    fn read_one(&mut self, input: &Input<'_>, options: &Options, includes: &mut Files) -> Option<Read> {
        let (source, language) = self.enter(input);
        let start = Span::new(source, 0, 0);
        let Some(language) = language else {
            self.diags.push(
                Diagnostic::error(&AQ0011, "the input is of no kind that is read here")
                    .at(start, "")
                    .help("name its language, if it is one of d3d9, d3d9-asm, hlsl, ir"),
            );
            return None;
        };
        match language {
            #[cfg(feature = "d3d9")]
            Language::Bytecode => self.read_bytecode(input.bytes, source, options),
            #[cfg(feature = "d3d9")]
            Language::Assembly => {
                let shader = self.assemble(input.bytes, source, options)?;
                self.lower(&shader, options)
            }
            #[cfg(not(feature = "d3d9"))]
            Language::Bytecode | Language::Assembly => self.not_built("d3d9", start),
            Language::Effect => {
                self.diags.push(
                    Diagnostic::error(&AQ0008, "this is an effect, which holds shaders and is not one itself")
                        .at(start, "")
                        .help("list its shaders with `aquatint effect list`, and compile what `effect extract` writes"),
                );
                None
            }
            #[cfg(feature = "hlsl")]
            Language::Hlsl => {
                self.utf8(input.bytes, start)?;
                self.read_hlsl(source, options, includes)
            }
            #[cfg(not(feature = "hlsl"))]
            Language::Hlsl => {
                let () = includes;
                self.not_built("hlsl", start)
            }
            Language::Ir => {
                let text = self.utf8(input.bytes, start)?;
                let module = aquatint_ir::text::parse(text, source, &options.limits, &mut self.diags)?;
                aquatint_ir::verify::verify(&module, &mut self.diags).then_some(Read {
                    module,
                    #[cfg(feature = "d3d9")]
                    reflection: None,
                    language,
                })
            }
        }
    }

    fn utf8<'b>(&mut self, bytes: &'b [u8], start: Span) -> Option<&'b str> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Some(text),
            Err(error) => {
                let message = format!("the text is not UTF-8 from byte {} on", error.valid_up_to());
                self.diags.push(Diagnostic::error(&AQ0002, message).at(start, "").help("save it as UTF-8"));
                None
            }
        }
    }

    /// Translates HLSL; an entry point that the options name is asked for.
    #[cfg(feature = "hlsl")]
    fn read_hlsl(&mut self, source: SourceId, options: &Options, includes: &mut Files) -> Option<Read> {
        let mut hlsl = options.hlsl.clone();
        if let (Some(name), []) = (&options.entry, hlsl.sema.entries.as_slice()) {
            hlsl.sema.entries.push(aquatint_hlsl::sema::options::EntryRequest { name: name.clone(), stage: None });
        }
        let module = aquatint_hlsl::compile(source, &mut self.sources, &hlsl, includes, &mut self.diags)?;
        aquatint_ir::verify::verify(&module, &mut self.diags).then_some(Read {
            module,
            #[cfg(feature = "d3d9")]
            reflection: None,
            language: Language::Hlsl,
        })
    }

    #[cfg(feature = "d3d9")]
    fn read_bytecode(&mut self, bytes: &[u8], source: SourceId, options: &Options) -> Option<Read> {
        use aquatint_d3d9::tokens;
        let decode = tokens::DecodeOptions { strict: options.strict, limits: options.limits.clone() };
        let shader = tokens::decode(bytes, source, &decode, &mut self.diags)?;
        if options.advise || options.strict {
            let before = self.diags.errors();
            tokens::validate::profile(&shader, options.strict, &mut self.diags);
            if self.diags.errors() > before {
                return None;
            }
        }
        self.lower(&shader, options)
    }

    /// Assembles text to a shader whose spans point into the text's own words.
    #[cfg(feature = "d3d9")]
    fn assemble(&mut self, bytes: &[u8], source: SourceId, options: &Options) -> Option<aquatint_d3d9::tokens::Shader> {
        use aquatint_d3d9::{assemble, tokens};
        let text = self.utf8(bytes, Span::new(source, 0, 0))?;
        let settings = assemble::AssembleOptions { strict: options.strict, ..Default::default() };
        let words = assemble::assemble(text, source, &settings, &mut self.diags)?;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        // What the assembler made is an input of its own: positions in it are those of words, not of the text.
        let name = self.sources.get(source).map_or_else(String::new, |s| format!("{} (assembled)", s.name));
        let assembled = self.sources.add(Source::binary(name, bytes.len()));
        let decode = tokens::DecodeOptions { strict: options.strict, limits: options.limits.clone() };
        tokens::decode(&bytes, assembled, &decode, &mut self.diags)
    }

    /// Lowers a decoded shader and runs the driver's passes on it.
    #[cfg(feature = "d3d9")]
    pub fn lower(&mut self, shader: &aquatint_d3d9::tokens::Shader, options: &Options) -> Option<Read> {
        let mut lowered = aquatint_d3d9::lower::lower(shader, &options.d3d9, &mut self.diags)?;
        aquatint_d3d9::driver::apply(&mut lowered, &options.driver);
        // The lowering's own output is checked where a mistake would be ours; hostile input cannot break its rules.
        if options.checks.verify && !aquatint_ir::verify::verify(&lowered.module, &mut self.diags) {
            return None;
        }
        Some(Read { module: lowered.module, reflection: Some(lowered.reflection), language: Language::Bytecode })
    }

    /// Runs the optimising passes.
    pub fn optimise(&mut self, module: &mut Module, options: &Options, watch: Watch<'_>) -> Option<Vec<Report>> {
        let mut runner = Runner::new(module).with_options(options.checks);
        if let Some(clock) = watch.clock {
            runner = runner.with_clock(clock);
        }
        if let Some((show, sink)) = watch.show {
            runner = runner.with_sink(show, sink);
        }
        if let Some(trips) = options.unroll {
            let unroll = aquatint_passes::Unroll { trips: trips as _, ..Default::default() };
            let _ = runner.pass("unroll", |m| aquatint_passes::unroll(m, &unroll));
        }
        let _ = aquatint_passes::optimise(options.level, &mut runner);
        let failed = runner.failed();
        let (reports, diags) = runner.finish();
        self.diags.append(diags);
        (!failed).then_some(reports)
    }

    /// The entry point that the options name, or the only one; empty where the target takes whole modules. `None` after an
    /// error.
    pub fn entry(&mut self, module: &Module, options: &Options) -> Option<String> {
        let all: Vec<&str> = module.entry_points.iter().map(|e| module.names.get(e.name)).collect();
        let found = match (&options.entry, all.as_slice()) {
            (Some(wanted), all) => all.iter().find(|name| **name == wanted.as_str()).copied(),
            (None, [only]) => Some(*only),
            (None, _) => None,
        };
        if found.is_none() && options.target == Target::Ir {
            return Some(String::new());
        }
        if found.is_none() {
            let message = match &options.entry {
                Some(wanted) => format!("there is no entry point '{wanted}'"),
                None => format!("the module has {} entry points, and none was named", all.len()),
            };
            let list = all.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
            self.diags.push(Diagnostic::error(&AQ0010, message).help(match list.is_empty() {
                true => "a module needs an `entry` line".to_owned(),
                false => format!("name one of {list}"),
            }));
        }
        found.map(str::to_owned)
    }

    /// Writes an entry point of a module for the target.
    pub fn write(&mut self, read: Read, entry: &str, options: &Options) -> Option<Output> {
        match options.target {
            Target::Ir => Some(Output::Text(aquatint_ir::text::print(&read.module))),
            #[cfg(feature = "msl")]
            Target::Msl => {
                let default = match read.language {
                    Language::Bytecode | Language::Assembly => aquatint_msl::Options::direct3d9(),
                    Language::Effect | Language::Hlsl | Language::Ir => aquatint_msl::Options::default(),
                };
                let msl = options.msl.as_ref().unwrap_or(&default);
                aquatint_msl::write_owned(read.module, entry, msl, &mut self.diags).map(Output::Text)
            }
            #[cfg(feature = "spirv")]
            Target::Spirv => {
                aquatint_spirv::write_owned(read.module, entry, &options.spirv, &mut self.diags).map(Output::Words)
            }
            #[cfg(feature = "spirv-asm")]
            Target::SpirvAsm => {
                let words = aquatint_spirv::write_owned(read.module, entry, &options.spirv, &mut self.diags)?;
                disassemble_spirv(&words).map(Output::Text)
            }
            #[cfg(not(all(feature = "msl", feature = "spirv-asm")))]
            other => {
                let message = format!("the target '{}' is not built into this library", other.name());
                self.diags.push(Diagnostic::error(&crate::codes::AQ0006, message));
                None
            }
        }
    }

    #[cfg(not(all(feature = "d3d9", feature = "hlsl")))]
    fn not_built(&mut self, feature: &str, start: Span) -> Option<Read> {
        let message = format!("the input needs the feature '{feature}', which this library was built without");
        self.diags.push(Diagnostic::error(&crate::codes::AQ0006, message).at(start, ""));
        None
    }
}

/// SPIR-V words as text.
#[cfg(feature = "spirv-asm")]
pub fn disassemble_spirv(words: &[u32]) -> Option<String> {
    use rspirv::binary::Disassemble;
    let module = rspirv::dr::load_words(words).ok()?;
    let mut text = module.disassemble();
    text.push('\n');
    Some(text)
}
