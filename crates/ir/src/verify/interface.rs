//! What surrounds bodies: names and numbers (V015), entry points (V009, V012, V013), recursion (V010).

use super::body::{Summary, error_at};
use super::types::Infos;
use super::{Fault, Report};
use crate::codes;
use crate::constants::ConstantId;
use crate::function::{FunctionId, InstId};
use crate::globals::{Builtin, Global, GlobalId, GlobalKind, Interpolation, Io, Stage};
use crate::module::{DepthMode, EntryPoint};
use crate::types::{self, Scalar, Space, Type, TypeId, lanes_of, vector};
use aquatint_base::{Diags, Id, Name, Span};

/// The largest workgroup: Direct3D's bound, which Metal and Vulkan devices meet.
const WORKGROUP: u64 = 1024;

/// Steps that all entry points together may take through the call graph and the globals that functions name. It
/// bounds the one product in the verifier, entry points times functions.
const STEPS: usize = 1 << 24;

impl Report<'_> {
    /// Whether a global holds a specialisation constant.
    pub(super) fn is_spec(&self, global: GlobalId) -> bool {
        let specs = self.specs.get_or_init(|| {
            let mut specs = vec![false; self.module.globals.len()];
            for spec in &self.module.spec_constants {
                if let Some(place) = specs.get_mut(spec.global.index()) {
                    *place = true;
                }
            }
            specs
        });
        specs.get(global.index()) == Some(&true)
    }
}

/// V015, and that names exist.
pub(super) fn check_names(report: &Report<'_>, diags: &mut Diags) {
    let module = report.module;
    let mut unique = Unique { report, stamps: vec![0; module.names.len()], stamp: 0 };
    unique.table(diags, "globals", module.globals.iter().map(|(_, g)| (g.name, g.span)));
    unique.table(diags, "functions", module.functions.iter().map(|(_, f)| (f.name, Span::NONE)));
    unique.table(diags, "structs", module.types.structs.iter().map(|(_, s)| (s.name, Span::NONE)));
    unique.table(diags, "entry points", module.entry_points.iter().map(|e| (e.name, Span::NONE)));
    for (_, data) in module.types.structs.iter() {
        unique.table(diags, "members of a struct", data.members.iter().map(|m| (m.name, Span::NONE)));
    }
}

struct Unique<'r, 'm> {
    report: &'r Report<'m>,
    /// By name: the last table that had it.
    stamps: Vec<u32>,
    stamp: u32,
}

impl Unique<'_, '_> {
    fn table(&mut self, diags: &mut Diags, what: &str, names: impl Iterator<Item = (Name, Span)>) {
        self.stamp += 1;
        for (name, span) in names {
            let Some(stamp) = self.stamps.get_mut(name.index()) else {
                self.report.error(diags, &codes::V001, span, format!("a name among the {what} does not exist"));
                continue;
            };
            if std::mem::replace(stamp, self.stamp) == self.stamp {
                let message = format!("two {what} are called {}", self.report.name(name));
                self.report.error(diags, &codes::V015, span, message);
            }
        }
    }
}

/// V009, V010, V012, V013.
pub(super) fn check(report: &Report<'_>, infos: &Infos, summaries: &[Summary], diags: &mut Diags) {
    recursion(report, summaries, diags);
    for (_, global) in report.module.globals.iter() {
        if let Some(io) = global.io()
            && io.location.is_some() == io.builtin.is_some()
        {
            let message = format!("@{} has not exactly one of a location and a built-in", report.name(global.name));
            report.error(diags, &codes::V009, global.span, message);
        }
    }
    for spec in &report.module.spec_constants {
        if let Err((code, message)) = spec_constant(report, spec.global, spec.default) {
            report.error(diags, code, Span::NONE, message);
        }
    }
    let mut numbers: Vec<u32> = report.module.spec_constants.iter().map(|s| s.id).collect();
    numbers.sort_unstable();
    if let Some(pair) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
        let message = format!("two specialisation constants have the number {}", pair[0]);
        report.error(diags, &codes::V015, Span::NONE, message);
    }
    let mut reach = Reach {
        report,
        infos,
        summaries,
        steps: 0,
        function_stamp: vec![0; summaries.len()],
        global_stamp: vec![0; report.module.globals.len()],
        used: Vec::new(),
        todo: Vec::new(),
    };
    for (index, entry) in report.module.entry_points.iter().enumerate() {
        if !reach.entry(entry, index as u32 + 1, diags) {
            let message = "the entry points name too many globals together".to_owned();
            report.error(diags, &codes::V014, Span::NONE, message);
            return;
        }
    }
}

fn spec_constant(report: &Report<'_>, global: GlobalId, default: ConstantId) -> Result<(), Fault> {
    let module = report.module;
    let (Some(global), Some(default)) = (module.globals.get(global), module.constants.get(default)) else {
        return Err((&codes::V001, "a specialisation constant's global or default does not exist".to_owned()));
    };
    let scalar = matches!(lanes_of(global.ty), Some((_, 1)));
    if !matches!(global.kind, GlobalKind::Private(_)) || !scalar || default.ty != global.ty {
        let name = report.name(global.name);
        let message = format!("specialisation constant @{name} is no private scalar with a default of its type");
        return Err((&codes::V002, message));
    }
    Ok(())
}

/// V010: a walk over the calls, each function once, with an explicit stack.
fn recursion(report: &Report<'_>, summaries: &[Summary], diags: &mut Diags) {
    let mut state = vec![0u8; summaries.len()];
    let mut stack: Vec<(usize, usize)> = Vec::new();
    for start in 0..summaries.len() {
        if state[start] != 0 {
            continue;
        }
        state[start] = 1;
        stack.push((start, 0));
        while let Some((function, next)) = stack.last_mut() {
            let Some(&(callee, inst)) = summaries[*function].calls.get(*next) else {
                state[*function] = 2;
                stack.pop();
                continue;
            };
            *next += 1;
            let caller = *function;
            match state.get(callee.index()) {
                Some(0) => {
                    state[callee.index()] = 1;
                    stack.push((callee.index(), 0));
                }
                Some(1) => {
                    let name = report.module.functions.get(callee).map_or("", |f| report.name(f.name));
                    let fault = (&codes::V010, format!("the call leads back to @{name}"));
                    error_at(report, Id::new(caller), inst, fault, diags);
                }
                _ => {}
            }
        }
    }
}

struct Reach<'r, 'm> {
    report: &'r Report<'m>,
    infos: &'r Infos,
    summaries: &'r [Summary],
    steps: usize,
    function_stamp: Vec<u32>,
    global_stamp: Vec<u32>,
    /// The globals that the entry point at hand uses, and where.
    used: Vec<(GlobalId, FunctionId, InstId)>,
    todo: Vec<FunctionId>,
}

impl Reach<'_, '_> {
    /// Whether there are steps left.
    fn entry(&mut self, entry: &EntryPoint, stamp: u32, diags: &mut Diags) -> bool {
        let report = self.report;
        let name = report.name(entry.name);
        let Some(function) = report.module.functions.get(entry.function) else {
            let message = format!("the function of entry point {name:?} does not exist");
            report.error(diags, &codes::V001, Span::NONE, message);
            return true;
        };
        let error = |diags: &mut Diags, code, message: String| report.error(diags, code, Span::NONE, message);
        let params = function.regions.get(function.body).map_or(0, |r| r.params.len);
        if params > 0 || function.result != types::VOID {
            error(diags, &codes::V009, format!("the function of entry point {name:?} has parameters or a result"));
        }
        let [x, y, z] = entry.workgroup_size.map(u64::from);
        let compute = entry.stage == Stage::Compute;
        if compute && (x == 0 || y == 0 || z == 0) {
            error(diags, &codes::V009, format!("compute entry point {name:?} has no workgroup size"));
        }
        if x.saturating_mul(y).saturating_mul(z) > WORKGROUP {
            error(diags, &codes::V014, format!("a workgroup of {name:?} has more than {WORKGROUP} invocations"));
        }
        if !compute && entry.workgroup_size.iter().any(|&n| n > 1) {
            error(diags, &codes::V009, format!("{name:?} has a workgroup size, but is no compute entry point"));
        }
        if entry.stage != Stage::Fragment && (entry.depth != DepthMode::Any || entry.early_tests) {
            error(diags, &codes::V009, format!("{name:?} promises about depth, but is no fragment entry point"));
        }
        self.collect(entry, stamp, diags);
        self.used.sort_unstable_by_key(|u| u.0);
        for i in 0..self.used.len() {
            let (global, function, inst) = self.used[i];
            if let Some(global) = report.module.globals.get(global)
                && let Err(fault) = self.fits(entry.stage, global)
            {
                error_at(report, function, inst, fault, diags);
            }
        }
        self.clashes(name, diags);
        self.steps <= STEPS
    }

    /// Everything that the entry point reaches.
    fn collect(&mut self, entry: &EntryPoint, stamp: u32, diags: &mut Diags) {
        self.used.clear();
        self.todo.clear();
        self.todo.push(entry.function);
        if let Some(place) = self.function_stamp.get_mut(entry.function.index()) {
            *place = stamp;
        }
        while let Some(id) = self.todo.pop() {
            let Some(summary) = self.summaries.get(id.index()) else { continue };
            self.steps += 1 + summary.globals.len() + summary.calls.len();
            if self.steps > STEPS {
                return;
            }
            for &(callee, _) in &summary.calls {
                if let Some(place) = self.function_stamp.get_mut(callee.index())
                    && std::mem::replace(place, stamp) != stamp
                {
                    self.todo.push(callee);
                }
            }
            for &(global, inst) in &summary.globals {
                if std::mem::replace(&mut self.global_stamp[global.index()], stamp) != stamp {
                    self.used.push((global, id, inst));
                }
            }
            let stage = entry.stage;
            let only = |wanted: Stage| format!("only {} stages do this, not a {} stage", wanted.name(), stage.name());
            for (inst, fault) in [
                (
                    summary.quad.filter(|_| stage == Stage::Vertex),
                    (&codes::V013, "vertex stages have no quads".to_owned()),
                ),
                (summary.discard.filter(|_| stage != Stage::Fragment), (&codes::V009, only(Stage::Fragment))),
                (summary.barrier.filter(|_| stage != Stage::Compute), (&codes::V009, only(Stage::Compute))),
            ] {
                if let Some(inst) = inst {
                    error_at(self.report, id, inst, fault, diags);
                }
            }
        }
    }

    /// V009: whether a stage has such a global.
    fn fits(&self, stage: Stage, global: &Global) -> Result<(), Fault> {
        let name = self.report.name(global.name);
        let Some(io) = global.io() else {
            if global.space == Space::Workgroup && stage != Stage::Compute {
                return Err((&codes::V009, format!("@{name} is workgroup memory, which {} stages lack", stage.name())));
            }
            return Ok(());
        };
        match io.builtin {
            Some(builtin) => {
                let Some(wanted) = builtin_type(builtin, stage, global.space) else {
                    let direction = global.space.name();
                    let message = format!("{} is no {direction} of a {} stage", builtin.name(), stage.name());
                    return Err((&codes::V009, message));
                };
                let fits = match wanted {
                    Shape::Exactly(ty) => ty == global.ty,
                    Shape::Distances => matches!(
                        self.report.module.types.get(global.ty),
                        Type::Array { element, length: Some(1..=8), .. } if element == types::F32
                    ),
                };
                if fits || self.infos.get(global.ty).broken {
                    return Ok(());
                }
                let ty = self.report.ty(global.ty);
                Err((&codes::V009, format!("{} cannot be {ty}", builtin.name())))
            }
            None => self.located(stage, global, io),
        }
    }

    fn located(&self, stage: Stage, global: &Global, io: &Io) -> Result<(), Fault> {
        let name = self.report.name(global.name);
        if stage == Stage::Compute {
            return Err((&codes::V009, format!("compute stages have no located inputs and outputs such as @{name}")));
        }
        let Some((kind, _)) = self.locations(global.ty) else {
            let ty = self.report.ty(global.ty);
            return Err((&codes::V009, format!("@{name} is {ty}, which no location holds")));
        };
        let fragment_input = stage == Stage::Fragment && global.space == Space::Input;
        if fragment_input && kind.is_integer() && io.interpolation != Interpolation::Flat {
            return Err((&codes::V009, format!("integer input @{name} of a fragment stage is not flat")));
        }
        if io.blend_index > 1 || io.blend_index == 1 && !(stage == Stage::Fragment && global.space == Space::Output) {
            return Err((&codes::V009, format!("@{name} has a blend index that its stage has not")));
        }
        Ok(())
    }

    /// The kind of a located type and how many locations it takes; `None` for what no location holds.
    fn locations(&self, ty: TypeId) -> Option<(Scalar, u64)> {
        let (mut ty, mut times) = (ty, 1u64);
        // At most as deep as types nest.
        for _ in 0..=self.report.options.limits.nesting {
            match (lanes_of(ty), self.report.module.types.get(ty)) {
                (Some((Scalar::Bool, _)), _) => return None,
                (Some((kind, lanes)), _) => {
                    let wide = u64::from(kind.bits() == 64 && lanes > 2);
                    return Some((kind, times.saturating_mul(1 + wide)));
                }
                (None, Type::Matrix { scalar, rows, columns }) => {
                    ty = vector(scalar, columns);
                    times = times.saturating_mul(u64::from(rows));
                }
                (None, Type::Array { element, length: Some(n), .. }) => {
                    ty = element;
                    times = times.saturating_mul(u64::from(n));
                }
                _ => return None,
            }
        }
        None
    }

    /// V012. Ranges are sorted, so that each is compared with its neighbour only.
    fn clashes(&self, entry: &str, diags: &mut Diags) {
        let mut ranges: Vec<(Group, u64, u64, GlobalId)> = Vec::with_capacity(self.used.len());
        for &(id, ..) in &self.used {
            let Some(global) = self.report.module.globals.get(id) else { continue };
            match (global.io(), global.binding()) {
                (Some(io), _) => {
                    let direction = u8::from(global.space == Space::Output);
                    if let Some(builtin) = io.builtin {
                        let at = builtin as u64;
                        ranges.push(((2 + direction, 0, 0), at, at + 1, id));
                    } else if let Some(location) = io.location {
                        let count = self.locations(global.ty).map_or(1, |l| l.1);
                        let at = u64::from(location);
                        ranges.push(((direction, io.blend_index, 0), at, at.saturating_add(count), id));
                    }
                }
                (None, Some(binding)) => {
                    let at = u64::from(binding.register);
                    let end = at.saturating_add(self.registers(global.ty));
                    ranges.push(((4, binding.class as u32, binding.space), at, end, id));
                }
                (None, None) => {}
            }
        }
        ranges.sort_unstable();
        let mut reach: Option<(Group, u64, GlobalId)> = None;
        for &(group, start, end, id) in &ranges {
            if let Some((last_group, last_end, last)) = reach
                && last_group == group
                && start < last_end
            {
                let names = [last, id].map(|g| self.report.name(self.report.module.globals[g].name));
                let what = if group.0 == 4 { "binding" } else { "location or built-in" };
                let message = format!("@{} and @{} of entry point {entry:?} share a {what}", names[0], names[1]);
                self.report.error(diags, &codes::V012, self.report.module.globals[id].span, message);
            }
            reach = match reach {
                Some((last_group, last_end, last)) if last_group == group && last_end > end => {
                    Some((last_group, last_end, last))
                }
                _ => Some((group, end, id)),
            };
        }
    }

    /// How many registers a resource takes.
    fn registers(&self, ty: TypeId) -> u64 {
        let (mut ty, mut times) = (ty, 1u64);
        while let Type::Array { element, length, .. } = self.report.module.types.get(ty) {
            if !self.infos.get(ty).handle {
                return 1;
            }
            times = times.saturating_mul(length.map_or(u64::from(u32::MAX), u64::from));
            ty = element;
        }
        times
    }
}

/// What can clash: kind of range, then blend index, or register class and space.
type Group = (u8, u32, u32);

enum Shape {
    Exactly(TypeId),
    /// An array of 1 to 8 floats.
    Distances,
}

/// The type of a built-in in a stage and direction; `None` where the stage has it not.
fn builtin_type(builtin: Builtin, stage: Stage, space: Space) -> Option<Shape> {
    use Stage::{Compute, Fragment, Vertex};
    let input = space == Space::Input;
    let (ty, here) = match builtin {
        Builtin::Position => (types::VEC4F, (stage, input) == (Vertex, false) || (stage, input) == (Fragment, true)),
        Builtin::PointSize => (types::F32, (stage, input) == (Vertex, false)),
        Builtin::ClipDistance | Builtin::CullDistance => {
            let here = (stage, input) == (Vertex, false) || (stage, input) == (Fragment, true);
            return here.then_some(Shape::Distances);
        }
        Builtin::VertexIndex | Builtin::InstanceIndex | Builtin::BaseInstance => {
            (types::U32, (stage, input) == (Vertex, true))
        }
        Builtin::BaseVertex => (types::I32, (stage, input) == (Vertex, true)),
        Builtin::FrontFacing => (types::BOOL, (stage, input) == (Fragment, true)),
        Builtin::PointCoord => (vector(Scalar::F32, 2), (stage, input) == (Fragment, true)),
        Builtin::SampleIndex | Builtin::PrimitiveId => (types::U32, (stage, input) == (Fragment, true)),
        Builtin::SampleMask => (types::U32, stage == Fragment),
        Builtin::Barycentric => (vector(Scalar::F32, 3), (stage, input) == (Fragment, true)),
        Builtin::Layer | Builtin::ViewportIndex => {
            (types::U32, (stage, input) == (Vertex, false) || (stage, input) == (Fragment, true))
        }
        Builtin::ViewIndex => (types::U32, stage != Compute && input),
        Builtin::FragDepth => (types::F32, (stage, input) == (Fragment, false)),
        Builtin::FragStencil => (types::U32, (stage, input) == (Fragment, false)),
        Builtin::GlobalInvocation | Builtin::WorkgroupId | Builtin::LocalInvocation | Builtin::WorkgroupCount => {
            (vector(Scalar::U32, 3), (stage, input) == (Compute, true))
        }
        Builtin::LocalIndex => (types::U32, (stage, input) == (Compute, true)),
    };
    here.then_some(Shape::Exactly(ty))
}
