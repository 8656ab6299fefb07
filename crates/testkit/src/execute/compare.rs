//! Whether two modules mean the same: their entry points run on the same random inputs, and what they give is compared.

use super::values::{self, Random};
use aquatint_base::Limits;
use aquatint_exec::interpret::{Error, Interface, Machine, Options, Program, Resources};
use aquatint_ir::{Binding, Builtin, GlobalKind, Module, Scalar, Stage, text};
use std::fmt;
use std::ops::Range;

/// How near two floats must be. NaNs are equal whatever their bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tolerance {
    /// The same bits.
    #[default]
    Exact,
    /// At most so many representable numbers apart; for expansions that compute another way.
    Ulps(u64),
}

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Lanes at once: a multiple of four.
    pub lanes: usize,
    /// The seeds of the inputs; each is a run.
    pub seeds: Range<u64>,
    /// How near the floats must be.
    pub tolerance: Tolerance,
    /// Steps (instructions times lanes) of one run. A run of the first module that takes more proves nothing and counts as
    /// skipped.
    pub steps: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self { lanes: 12, seeds: 1..5, tolerance: Tolerance::Exact, steps: 1 << 20 }
    }
}

/// What a comparison saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Runs that were compared.
    pub runs: usize,
    /// Runs of the first module that were too long.
    pub skipped: usize,
    /// Scalars that were compared.
    pub scalars: usize,
}

impl std::ops::AddAssign for Summary {
    fn add_assign(&mut self, other: Self) {
        self.runs += other.runs;
        self.skipped += other.skipped;
        self.scalars += other.scalars;
    }
}

/// The first place at which two executions differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The entry point.
    pub entry: String,
    /// The seed of the inputs.
    pub seed: u64,
    /// The lane, where it is one lane's.
    pub lane: Option<usize>,
    /// The output and component, the word of a buffer, or what else.
    pub place: String,
    /// What the first module gives.
    pub before: String,
    /// What the second gives.
    pub after: String,
    /// The texts of both.
    pub modules: [String; 2],
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry point {:?}, inputs of seed {}", self.entry, self.seed)?;
        if let Some(lane) = self.lane {
            write!(f, ", lane {lane}")?;
        }
        let [before, after] = &self.modules;
        writeln!(f, ": {} is {} before and {} after", self.place, self.before, self.after)?;
        write!(f, "---- before\n{before}\n---- after\n{after}")
    }
}

/// Runs every entry point of `before` and the one of that name in `after` on the same inputs: those of a location or
/// built-in, buffers, textures. Compares which lanes come through, all outputs of those that do, and what was stored in
/// read-write resources.
///
/// # Errors
/// The first difference.
pub fn compare(before: &Module, after: &Module, plan: &Plan) -> Result<Summary, Box<Difference>> {
    let mut summary = Summary::default();
    for entry in &before.entry_points {
        let name = before.name(entry.name);
        let pair = Pair { before, after, entry: name, plan };
        let options = |steps| Options { limits: Limits { steps, ..Limits::default() }, ..Options::default() };
        let program = |module, steps| Program::with_options(module, name, options(steps));
        let (first, second) = match (program(before, plan.steps), program(after, plan.steps.saturating_mul(4))) {
            (Ok(first), Ok(second)) => (first, second),
            (first, second) => {
                let said = |result: Result<Program, Error>| result.err().map_or("fine".to_owned(), |e| e.to_string());
                return Err(pair.difference(0, None, "the program", said(first), said(second)));
            }
        };
        for seed in plan.seeds.clone() {
            summary += pair.run(&first, &second, seed)?;
        }
    }
    Ok(summary)
}

struct Pair<'a> {
    before: &'a Module,
    after: &'a Module,
    entry: &'a str,
    plan: &'a Plan,
}

impl Pair<'_> {
    fn difference(
        &self,
        seed: u64,
        lane: Option<usize>,
        place: impl Into<String>,
        before: impl Into<String>,
        after: impl Into<String>,
    ) -> Box<Difference> {
        Box::new(Difference {
            entry: self.entry.to_owned(),
            seed,
            lane,
            place: place.into(),
            before: before.into(),
            after: after.into(),
            modules: [text::print(self.before), text::print(self.after)],
        })
    }

    fn run(&self, first: &Program, second: &Program, seed: u64) -> Result<Summary, Box<Difference>> {
        let mut stores = [(); 2].map(|()| values::resources(&[self.before, self.after], seed));
        let [left, right] = &mut stores;
        let (one, two) = (self.execute(first, left, seed), self.execute(second, right, seed));
        let (one, two) = match (one, two) {
            (Ok(one), Ok(two)) => (one, two),
            (Err(Error::Steps), _) => return Ok(Summary { skipped: 1, ..Summary::default() }),
            // Which of several lanes comes to it first is not said.
            (Err(Error::Unreachable(_)), Err(Error::Unreachable(_))) => {
                return Ok(Summary { runs: 1, ..Summary::default() });
            }
            (one, two) => {
                let said = |result: Result<Machine<'_>, Error>| result.err().map_or("fine".into(), |e| e.to_string());
                return Err(self.difference(seed, None, "the run", said(one), said(two)));
            }
        };
        let mut scalars = 0;
        for lane in 0..one.lanes().min(two.lanes()) {
            let live = (one.is_live(lane), two.is_live(lane));
            if live.0 != live.1 {
                let said = |live| if live { "live" } else { "discarded" };
                return Err(self.difference(seed, Some(lane), "the lane", said(live.0), said(live.1)));
            }
            if !live.0 {
                continue;
            }
            for output in first.outputs() {
                let other = second.outputs().iter().find(|other| key(other) == key(output));
                scalars += output.count;
                for component in 0..output.count {
                    let bits = one.get(output, component, lane);
                    // An output that is not mentioned any more is zero.
                    let found = other.map_or(0, |other| two.get(other, component, lane));
                    if !near(output.kind, bits, found, self.plan.tolerance) {
                        let place = format!("@{}[{component}]", output.name);
                        let said = |bits| shown(output.kind, bits);
                        return Err(self.difference(seed, Some(lane), place, said(bits), said(found)));
                    }
                }
            }
        }
        drop((one, two));
        scalars += self.memory(&stores, seed)?;
        Ok(Summary { runs: 1, skipped: 0, scalars })
    }

    fn execute<'p>(&self, program: &'p Program, resources: &mut Resources, seed: u64) -> Result<Machine<'p>, Error> {
        let mut machine = match program.stage() {
            Stage::Compute => Machine::for_workgroup(program)?,
            Stage::Vertex | Stage::Fragment => Machine::new(program, self.plan.lanes)?,
        };
        for input in program.inputs() {
            for component in 0..input.count {
                for lane in 0..machine.lanes() {
                    let (at, number) = key(input);
                    let what = [at, number, component as u64, lane as u64];
                    let bits = given(input, component, lane, &mut Random::new(seed, &what));
                    machine.set(input, component, lane, bits);
                }
            }
        }
        match program.stage() {
            Stage::Compute => machine.run_workgroup(resources, [1, 0, 0], [2, 1, 1])?,
            Stage::Vertex | Stage::Fragment => machine.run(resources, self.plan.lanes)?,
        }
        Ok(machine)
    }

    /// Compares what was stored; how many words there were.
    fn memory(&self, stores: &[Resources; 2], seed: u64) -> Result<usize, Box<Difference>> {
        let mut words = 0;
        for (_, global) in self.before.globals.iter() {
            let GlobalKind::Resource { binding, .. } = global.kind else { continue };
            if !values::is_written(binding) {
                continue;
            }
            let [one, two] = stores.each_ref().map(|resources| stored(resources, binding));
            words += one.len();
            let place = one.iter().zip(&two).position(|(&a, &b)| {
                // Bytes have no kind: what reads as a float is compared as one.
                a != b && !near(Scalar::F32, u64::from(a), u64::from(b), self.plan.tolerance)
            });
            if let Some(word) = place {
                let place = format!("word {word} of @{}", self.before.name(global.name));
                let said = |word: u32| format!("{word:#010x}");
                return Err(self.difference(seed, None, place, said(one[word]), said(two[word])));
            }
        }
        Ok(words)
    }
}

fn stored(resources: &Resources, binding: Binding) -> Vec<u32> {
    if let Some(buffer) = resources.buffer(binding) {
        let mut words: Vec<u32> =
            buffer.bytes.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect();
        words.push(buffer.counter);
        return words;
    }
    if let Some(texels) = resources.texels(binding) {
        return texels.concat();
    }
    let Some(texture) = resources.texture(binding) else { return Vec::new() };
    let (shape, mut words) = (texture.shape(), Vec::new());
    for layer in 0..shape.layers as i32 {
        for z in 0..shape.extent.depth as i32 {
            for y in 0..shape.extent.height as i32 {
                for x in 0..shape.extent.width as i32 {
                    words.extend(texture.fetch_bits([x, y, z], layer, 0, 0));
                }
            }
        }
    }
    words
}

/// What two modules match an input or output by.
fn key(interface: &Interface) -> (u64, u64) {
    match (interface.io.location, interface.io.builtin) {
        (Some(location), _) => (u64::from(interface.io.blend_index), u64::from(location)),
        (None, Some(builtin)) => (2, builtin as u64),
        (None, None) => (3, 0),
    }
}

/// An input's bits: built-ins have values that a pipeline could give.
fn given(input: &Interface, component: usize, lane: usize, random: &mut Random) -> u64 {
    let float = |number: f32| u64::from(number.to_bits());
    match input.io.builtin {
        Some(Builtin::Position) => match component {
            // The quads of a row.
            0 => float((lane / 4 * 2 + lane % 2) as f32 + 0.5),
            1 => float((lane % 4 / 2) as f32 + 0.5),
            2 => float(random.unit()),
            _ => float(random.unit() + 0.25),
        },
        Some(Builtin::PointCoord | Builtin::Barycentric) => float(random.unit()),
        Some(_) if input.kind.is_integer() => random.below(8) as u64,
        _ => random.scalar(input.kind),
    }
}

/// Whether two scalars count as the same.
pub fn near(kind: Scalar, a: u64, b: u64, tolerance: Tolerance) -> bool {
    if a == b {
        return true;
    }
    let Some((exponent, width)) = float_parts(kind) else { return false };
    let nan = |bits: u64| bits & ((1 << (width - 1)) - 1) > exponent;
    if nan(a) || nan(b) {
        return nan(a) && nan(b);
    }
    match tolerance {
        Tolerance::Exact => false,
        Tolerance::Ulps(most) => {
            // Signed order of the numbers; both zeros are 0.
            let order = |bits: u64| {
                let magnitude = (bits & ((1 << (width - 1)) - 1)) as i64;
                if bits >> (width - 1) & 1 != 0 { -magnitude } else { magnitude }
            };
            order(a).abs_diff(order(b)) <= most
        }
    }
}

/// The bits of infinity, and the width.
const fn float_parts(kind: Scalar) -> Option<(u64, u32)> {
    match kind {
        Scalar::F16 => Some((0x7C00, 16)),
        Scalar::F32 => Some((0x7F80_0000, 32)),
        Scalar::F64 => Some((0x7FF0_0000_0000_0000, 64)),
        Scalar::Bool | Scalar::I16 | Scalar::U16 | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => None,
    }
}

fn shown(kind: Scalar, bits: u64) -> String {
    match kind {
        Scalar::F64 => format!("{} ({bits:#018x})", f64::from_bits(bits)),
        Scalar::F16 | Scalar::F32 => {
            let number = aquatint_ir::eval::convert(kind, Scalar::F64, bits);
            format!("{} ({bits:#010x})", f64::from_bits(number))
        }
        _ => format!("{bits:#x}"),
    }
}
