//! Which value of the IR is the first that two executors compute differently.
//!
//! A module is rewritten so that every value of a scalar or vector type writes itself into a buffer as soon as it exists:
//! for each invocation how often it was computed, a hash of all its bits so far, and its last bits. The rewritten module
//! goes through the same writers and executors as the one that differs, so nothing needs to be known about them. What a
//! helper lane computes is not seen: its stores are dropped.

use super::case::{Resource, Tolerance};
use super::execute::{Executor, Memory};
use super::number::{self, Field};
use super::scene::{Scene, Work};
use aquatint_ir::types::{self, Space, Type};
use aquatint_ir::walk::{Step, Walk};
use aquatint_ir::{
    Binding, Builder, Builtin, FunctionId, GlobalId, GlobalKind, Io, LocalId, Module, Op, RegisterClass, Scalar, Stage,
    Value, text,
};

/// Values that are looked at in one run.
const CHUNK: usize = 24;
/// Values that are looked at in all.
const MOST_VALUES: usize = 4096;
/// Words of a value in an invocation: how often, hash, four lanes of up to two words.
const WORDS: u32 = 10;
/// Most invocations that are looked at.
const MOST_LANES: u32 = 1 << 14;

/// A value of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its function.
    pub function: FunctionId,
    /// The value.
    pub local: LocalId,
}

/// The values that can be written down, in the order in which they are computed.
pub fn places(module: &Module) -> Vec<Place> {
    let mut all = Vec::new();
    for (function, data) in module.functions.iter() {
        // The structured instruction whose last region it is, by region.
        let mut owners = vec![None; data.regions.len()];
        for (inst, owner) in data.insts.iter() {
            if let Some(last) = data.owned[owner.regions.range()].last() {
                owners[last.index()] = Some(inst);
            }
        }
        for step in Walk::new(data) {
            let locals: Vec<LocalId> = match step {
                Step::Inst(inst) if !data.insts[inst].op.is_structured() => data.results(inst).collect(),
                Step::Enter(region, _) => data.params(region).collect(),
                Step::Leave(region) => {
                    // Results of a structured instruction come behind its last region.
                    owners[region.index()].map(|inst| data.results(inst).collect()).unwrap_or_default()
                }
                Step::Inst(_) => continue,
            };
            let fits = |local: &LocalId| types::lanes_of(data.locals[*local].ty).is_some();
            all.extend(locals.into_iter().filter(fits).map(|local| Place { function, local }));
        }
    }
    all.truncate(MOST_VALUES);
    all
}

/// The line of the module's text that defines a value.
pub fn line_of(module: &Module, place: Place) -> String {
    const MARK: &str = "this.is.the.value";
    let mut marked = module.clone();
    let name = marked.names.intern(MARK);
    marked.functions[place.function].names.insert(place.local, name);
    let (plain, marked) = (text::print(module), text::print(&marked));
    let found =
        marked.lines().zip(plain.lines()).zip(1..).find(|((marked, _), _)| marked.contains(&format!("%{MARK}")));
    found.map_or_else(
        || "(a value that is not printed)".to_owned(),
        |((_, line), number)| format!("line {number} of the module: {}", line.trim()),
    )
}

/// How many invocations a stage of a scene has; their numbers are those that [`instrument`] gives them.
fn lanes(scene: &Scene, module: &Module) -> u32 {
    match &scene.work {
        Work::Dispatch(dispatch) => {
            let size = module.entry_points.first().map_or([1; 3], |entry| entry.workgroup_size);
            size.iter().zip(dispatch.groups).map(|(&a, b)| a.saturating_mul(b)).fold(1, u32::saturating_mul)
        }
        Work::Draw(draw) => match module.entry_points.first().map(|entry| entry.stage) {
            Some(Stage::Fragment) => draw.target.width * draw.target.height,
            _ => draw.vertices,
        },
    }
}

fn input(module: &mut Module, builtin: Builtin, ty: types::TypeId) -> GlobalId {
    module.find_builtin(builtin, Space::Input).unwrap_or_else(|| {
        let kind = GlobalKind::Input(Io::built_in(builtin));
        module.add_global(&format!("probe.{}", builtin.name()), ty, Space::Input, kind)
    })
}

/// Makes a module's values write themselves to a buffer at `binding`. `sizes` are the invocations in x, and in x and y.
fn instrument(module: &mut Module, places: &[Place], binding: Binding, lanes: u32, sizes: [u32; 2]) {
    let Some(stage) = module.entry_points.first().map(|entry| entry.stage) else { return };
    let array = Type::Array { element: types::U32, length: None, stride: 4 };
    let array = module.types.intern(array);
    let kind = GlobalKind::Resource { binding, writable: true, counter: false };
    let probe = Value::global(module.add_global("probe", array, Space::Storage, kind));
    let source = Value::global(match stage {
        Stage::Compute => input(module, Builtin::GlobalInvocation, types::vector(Scalar::U32, 3)),
        Stage::Fragment => input(module, Builtin::Position, types::VEC4F),
        Stage::Vertex => input(module, Builtin::VertexIndex, types::U32),
    });
    let mut functions: Vec<FunctionId> = places.iter().map(|place| place.function).collect();
    functions.dedup();
    for function in functions {
        let own: Vec<(u32, LocalId)> = (0..)
            .zip(places)
            .filter(|(_, place)| place.function == function)
            .map(|(number, place)| (number, place.local))
            .collect();
        Builder::edit(module, function, |b| {
            let body = b.function.body;
            let regions: Vec<_> = b.function.regions.ids().collect();
            // The lane's number comes first in the body, so that it is in sight everywhere.
            let olds: Vec<_> = regions.iter().map(|&r| std::mem::take(&mut b.function.regions[r].insts)).collect();
            b.enter(body);
            let lane = lane_number(b, stage, source, sizes);
            let words = b.u32(WORDS);
            let lane = b.op(Op::IMul, &[lane, words]);
            for (&region, old) in regions.iter().zip(olds) {
                b.enter(region);
                for param in b.function.params(region).collect::<Vec<_>>() {
                    write(b, &own, param, probe, lane, lanes);
                }
                for inst in old {
                    b.function.regions[region].insts.push(inst);
                    for result in b.function.results(inst).collect::<Vec<_>>() {
                        write(b, &own, result, probe, lane, lanes);
                    }
                }
            }
        });
    }
}

fn lane_number(b: &mut Builder<'_>, stage: Stage, source: Value, [row, slice]: [u32; 2]) -> Value {
    let value = b.load(source);
    let part = |b: &mut Builder<'_>, index, stride: u32| {
        let part = b.extract(value, index);
        let part = b.convert(part, Scalar::U32);
        let stride = b.u32(stride);
        b.op(Op::IMul, &[part, stride])
    };
    match stage {
        Stage::Vertex => value,
        Stage::Fragment => {
            let (x, y) = (part(b, 0, 1), part(b, 1, row));
            b.op(Op::IAdd, &[x, y])
        }
        Stage::Compute => {
            let (x, y, z) = (part(b, 0, 1), part(b, 1, row), part(b, 2, slice));
            let flat = b.op(Op::IAdd, &[x, y]);
            b.op(Op::IAdd, &[flat, z])
        }
    }
}

fn write(b: &mut Builder<'_>, own: &[(u32, LocalId)], local: LocalId, probe: Value, lane: Value, lanes: u32) {
    let Some((number, _)) = own.iter().find(|(_, other)| *other == local) else { return };
    let base = b.u32(number.saturating_mul(lanes).saturating_mul(WORDS));
    let base = b.op(Op::IAdd, &[base, lane]);
    let place = |b: &mut Builder<'_>, word: u32| {
        let word = b.u32(word);
        let at = b.op(Op::IAdd, &[base, word]);
        b.access(probe, at)
    };
    let times = place(b, 0);
    let (before, one) = (b.load(times), b.u32(1));
    let after = b.op(Op::IAdd, &[before, one]);
    b.store(times, after);
    let hash = place(b, 1);
    let mut sum = b.load(hash);
    let words = words(b, Value::local(local));
    for (word, &value) in (2..).zip(&words) {
        let factor = b.u32(31);
        sum = b.op(Op::IMul, &[sum, factor]);
        sum = b.op(Op::IAdd, &[sum, value]);
        let at = place(b, word);
        b.store(at, value);
    }
    b.store(hash, sum);
}

/// The bits of a value, words of 32.
fn words(b: &mut Builder<'_>, value: Value) -> Vec<Value> {
    let (kind, lanes) = b.lanes_of(value);
    let mut all = Vec::new();
    for lane in 0..lanes {
        let part = if lanes == 1 { value } else { b.extract(value, u32::from(lane)) };
        match kind.bits() {
            64 => {
                let wide = b.bitcast(part, Scalar::U64);
                all.push(b.convert(wide, Scalar::U32));
                let by = Value::constant(b.constants.scalar(Scalar::U64, 32));
                let high = b.op(Op::Shr, &[wide, by]);
                all.push(b.convert(high, Scalar::U32));
            }
            16 => {
                let bits = b.bitcast(part, Scalar::U16);
                all.push(b.convert(bits, Scalar::U32));
            }
            32 => all.push(b.bitcast(part, Scalar::U32)),
            _ => all.push(b.convert(part, Scalar::U32)),
        }
    }
    all
}

/// What an executor computes for some values of one of a scene's modules: the probe buffer's words.
fn run(scene: &Scene, stage: usize, chunk: &[Place], executor: &dyn Executor) -> Result<Vec<u32>, String> {
    let mut scene = scene.clone();
    let (lanes, sizes) = {
        let module = scene.modules()[stage];
        let lanes = lanes(&scene, module);
        let size = module.entry_points.first().map_or([1; 3], |entry| entry.workgroup_size);
        let sizes = match &scene.work {
            Work::Draw(draw) => [draw.target.width, 0],
            Work::Dispatch(dispatch) => {
                let row = size[0] * dispatch.groups[0];
                [row, row * size[1] * dispatch.groups[1]]
            }
        };
        (lanes, sizes)
    };
    if lanes > MOST_LANES {
        return Err(format!("{lanes} invocations are too many to look into"));
    }
    let used = scene.resources.iter().map(|(binding, _)| binding).filter(|b| b.class == RegisterClass::U);
    let register = used.map(|binding| binding.register + 1).max().unwrap_or(0);
    let space = scene.resources.iter().map(|(binding, _)| binding.space).max().unwrap_or(0);
    let binding = Binding { class: RegisterClass::U, register, space };
    if let Some(module) = scene.modules_mut().into_iter().nth(stage) {
        instrument(module, chunk, binding, lanes, sizes);
        crate::module::check(module)?;
    }
    let size = chunk.len() * (lanes * WORDS) as usize;
    let field = |word: usize| Field { offset: 4 * word, kind: Scalar::U32, bits: 0, behind: 0 };
    scene.resources.push((binding, Resource::Buffer((0..size).map(field).collect())));
    let results = executor.run(&scene).map_err(|failure| format!("{}: {failure}", executor.name()))?;
    match results.memory(binding) {
        Some(Memory::Bytes(bytes)) => {
            Ok(bytes.as_chunks::<4>().0.iter().map(|&word| u32::from_le_bytes(word)).collect())
        }
        _ => Err(format!("{} lost the probes", executor.name())),
    }
}

/// What an invocation computed for a value: how often, and the last bits of its lanes.
pub type Computed = (u32, Vec<u64>);

/// A value that differs.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// Which.
    pub place: Place,
    /// The invocations that differ: number, and what both executors computed.
    pub lanes: Vec<(u32, [Computed; 2])>,
}

/// The first value of one of a scene's modules that two executors compute differently.
///
/// # Errors
/// Why it cannot be found out.
pub fn find(
    scene: &Scene,
    stage: usize,
    tolerance: Tolerance,
    executors: [&dyn Executor; 2],
) -> Result<Option<Found>, String> {
    let module = scene.modules().get(stage).map(|&module| module.clone()).ok_or("there is no such stage")?;
    let lanes = lanes(scene, &module);
    for chunk in places(&module).chunks(CHUNK) {
        let [first, second] = executors.map(|executor| run(scene, stage, chunk, executor));
        let (first, second) = (first?, second?);
        for (number, &place) in chunk.iter().enumerate() {
            let ty = module.functions[place.function].locals[place.local].ty;
            let Some((kind, count)) = types::lanes_of(ty) else { continue };
            let of = |all: &[u32], lane: u32| {
                let at = (number as u32 * lanes + lane) as usize * WORDS as usize;
                let words = all.get(at..at + WORDS as usize).unwrap_or(&[0; WORDS as usize]);
                let part = |k: usize| match kind.bits() {
                    64 => u64::from(words[2 + 2 * k]) | u64::from(words[3 + 2 * k]) << 32,
                    _ => u64::from(words[2 + k]),
                };
                (words[0], words[1], (0..usize::from(count)).map(part).collect::<Vec<u64>>())
            };
            let mut differing = Vec::new();
            for lane in 0..lanes {
                let (one, two) = (of(&first, lane), of(&second, lane));
                let near = one.2.iter().zip(&two.2).all(|(&want, &got)| tolerance.accepts(kind, got, want));
                // Of all passes of a loop only the last is kept; where numbers must be equal, the hash tells of the others.
                let hashes = one.0 <= 1 || kind.is_float() || one.1 == two.1;
                if one.0 != two.0 || !near || !hashes {
                    differing.push((lane, [(one.0, one.2), (two.0, two.2)]));
                }
            }
            if !differing.is_empty() {
                return Ok(Some(Found { place, lanes: differing }));
            }
        }
    }
    Ok(None)
}

/// The first value that two executors compute differently, for people: its line, lanes and bits.
pub fn first_difference(scene: &Scene, tolerance: Tolerance, first: &dyn Executor, second: &dyn Executor) -> String {
    for (stage, module) in scene.modules().into_iter().enumerate() {
        let name = module.entry_points.first().map_or("", |entry| entry.stage.name());
        match find(scene, stage, tolerance, [first, second]) {
            Err(why) => return format!("  the first value that differs was not found: {why}\n"),
            Ok(None) => {}
            Ok(Some(found)) => {
                let ty = module.functions[found.place.function].locals[found.place.local].ty;
                let kind = types::lanes_of(ty).map_or(Scalar::U32, |(kind, _)| kind);
                let mut said =
                    format!("  the first value that differs, {name} stage, {}\n", line_of(module, found.place));
                for (lane, [one, two]) in found.lanes.iter().take(4) {
                    said.push_str(&format!("    invocation {lane}:\n"));
                    for (executor, (times, bits)) in [first, second].iter().zip([one, two]) {
                        let bits: Vec<String> = bits.iter().map(|&bits| number::show(kind, bits)).collect();
                        let bits = bits.join(", ");
                        said.push_str(&format!("      {}: {bits}, computed {times} times\n", executor.name()));
                    }
                }
                return said;
            }
        }
    }
    "  no value differs: the difference lies in what is stored or drawn, or goes away when values are written down\n"
        .to_owned()
}
