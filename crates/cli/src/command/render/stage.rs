//! A shader made ready to run.

use super::impossible;
use crate::exit::{Exit, Failure, working_on};
use crate::files;
use crate::report::Reporter;
use crate::stream::{self, Assembly, Metadata};
use aquatint::base::Limits;
use aquatint::d3d9::lower::Reflection;
use aquatint::exec::interpret::{self, Program};
use aquatint::{Input, Language, Options, Session};
use std::path::Path;

/// Steps that four pixels or a batch of vertices may take: a fraction of a second. A shader that takes more fails.
const STEPS: u64 = 1 << 24;

/// A shader of one stage.
pub struct Stage {
    /// How messages call it.
    pub name: String,
    /// The code.
    pub program: Program,
    /// What it reads and writes.
    pub reflection: Reflection,
    /// Its constant table and preshader.
    pub metadata: Metadata,
}

impl Stage {
    /// Reads a shader; messages are reported.
    pub fn load(
        path: &Path,
        pixel: bool,
        options: &Options,
        assembly: &Assembly,
        report: &Reporter,
        warnings: bool,
    ) -> Result<Stage, Failure> {
        let bytes = files::read(path)?;
        let name = files::display(path);
        working_on(&name);
        let mut session = Session::new();
        let stage = steps(&mut session, &name, &bytes, pixel, options, assembly);
        report.session(&session.diags, &session.sources, warnings);
        stage.ok_or(Failure::Reported(Exit::Diagnostics))
    }
}

/// `None` after an error, which is in the session.
fn steps(
    session: &mut Session,
    name: &str,
    bytes: &[u8],
    pixel: bool,
    options: &Options,
    assembly: &Assembly,
) -> Option<Stage> {
    let language = Language::detect(bytes);
    if language == Some(Language::Ir) {
        session.diags.push(impossible(
            "a module of the intermediate representation has no Direct3D 9 registers to bind".to_owned(),
        ));
        return None;
    }
    let (input, bytes) = stream::bytecode(session, name, bytes, language, assembly)?;
    let language = language.map(|l| if l == Language::Assembly { Language::Bytecode } else { l });
    let mut read = session.read(&Input { name: &input, bytes: &bytes, language }, options)?;
    let reflection = read.reflection.take()?;
    if reflection.version.is_pixel() != pixel {
        let (found, wanted) = if pixel { ("vertex", "--vs") } else { ("pixel", "--ps") };
        session.diags.push(
            impossible(format!("'{name}' is {}, a {found} shader", reflection.version))
                .help(format!("give it with {wanted}")),
        );
        return None;
    }
    session.optimise(&mut read.module, options, Default::default())?;
    let metadata = stream::metadata(session, &bytes);
    let bounds = interpret::Options { limits: Limits { steps: STEPS, ..Limits::default() }, ..Default::default() };
    match Program::with_options(&read.module, &reflection.entry, bounds) {
        Ok(program) => Some(Stage { name: name.to_owned(), program, reflection, metadata }),
        Err(error) => {
            session.diags.push(impossible(format!("'{name}': {error}")));
            None
        }
    }
}
