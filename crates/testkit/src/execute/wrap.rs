//! Entry points around functions.
//!
//! Cases of passes are functions with parameters and a result. An entry point that reads the parameters from inputs, calls the
//! function, and writes the result and what pointers then point at to outputs makes them something that can be run.

use aquatint_ir::types::{self, Scalar, Space, Type, TypeId};
use aquatint_ir::{
    Attr, Builder, EntryPoint, Function, FunctionId, GlobalKind, Interpolation, Io, Module, Op, Stage, Value, verify,
};

/// Most scalars that parameters or results may have together.
const MOST_SCALARS: usize = 64;

/// Adds an entry point to each function that no entry point has yet: a vertex stage, or a fragment stage where the function
/// does what only those can. Functions that neither fits (textures as parameters, barriers) stay as they are. Gives the
/// number of entry points added.
///
/// The module must verify, and does so afterwards.
pub fn wrap_functions(module: &mut Module) -> usize {
    let mut wrapped = 0;
    for function in module.functions.ids().collect::<Vec<_>>() {
        if module.entry_points.iter().any(|entry| entry.function == function) {
            continue;
        }
        for stage in [Stage::Vertex, Stage::Fragment] {
            let mut copy = module.clone();
            if wrap(&mut copy, function, stage).is_some() && verify::check(&copy).is_ok() {
                *module = copy;
                wrapped += 1;
                break;
            }
        }
    }
    wrapped
}

fn wrap(module: &mut Module, callee: FunctionId, stage: Stage) -> Option<()> {
    let called = module.name(module.functions[callee].name).to_owned();
    let name = module.names.intern(&format!("run.{called}"));
    let result = module.functions[callee].result;
    let params: Vec<TypeId> = {
        let function = &module.functions[callee];
        function.params(function.body).map(|param| function.locals[param].ty).collect()
    };
    let mut inputs = Ports { space: Space::Input, stage, next: 0, function: called.clone() };
    let mut outputs = Ports { space: Space::Output, stage, next: 0, function: called };
    let mut shell = Function::new(name, types::VOID);
    // Globals are entered while the body is built, so both are in hand.
    let mut arguments = Vec::new();
    let mut pointers = Vec::new();
    for &ty in &params {
        let argument = match module.types.get(ty) {
            Type::Pointer { space: Space::Function, pointee } => {
                let first = inputs.value(module, &mut shell, pointee)?;
                let mut b = Builder::new(module, &mut shell);
                let var = b.var(pointee);
                b.store(var, first);
                pointers.push(var);
                var
            }
            _ => inputs.value(module, &mut shell, ty)?,
        };
        arguments.push(argument);
    }
    let results: Vec<TypeId> = if result == types::VOID { Vec::new() } else { vec![result] };
    let call = Builder::new(module, &mut shell).push(Op::Call, Attr::Function(callee), &arguments, &results);
    if !results.is_empty() {
        let value = Builder::new(module, &mut shell).result(call);
        outputs.store(module, &mut shell, value)?;
    }
    for pointer in pointers {
        let value = Builder::new(module, &mut shell).load(pointer);
        outputs.store(module, &mut shell, value)?;
    }
    Builder::new(module, &mut shell).terminate(Op::Return, &[]);
    let function = module.functions.push(shell);
    let workgroup_size = [1; 3];
    let depth = Default::default();
    module.entry_points.push(EntryPoint { name, stage, function, workgroup_size, depth, early_tests: false });
    Some(())
}

/// Locations, given out in order.
struct Ports {
    space: Space,
    stage: Stage,
    next: u32,
    function: String,
}

impl Ports {
    fn global(&mut self, module: &mut Module, ty: TypeId, kind: Scalar) -> Option<Value> {
        if self.next as usize >= MOST_SCALARS {
            return None;
        }
        let mut io = Io::at(self.next);
        let input = self.space == Space::Input;
        if input && self.stage == Stage::Fragment && !kind.is_float() {
            io.interpolation = Interpolation::Flat;
        }
        // What has 64 bits takes up to two locations.
        self.next += 2;
        let name = format!("{}.{}{}", self.function, if input { "in" } else { "out" }, self.next / 2);
        let global = if input { GlobalKind::Input(io) } else { GlobalKind::Output(io) };
        Some(Value::global(module.add_global(&name, ty, self.space, global)))
    }

    /// A value of a type, read from inputs.
    fn value(&mut self, module: &mut Module, shell: &mut Function, ty: TypeId) -> Option<Value> {
        if let Some((kind, lanes)) = types::lanes_of(ty) {
            if kind != Scalar::Bool {
                let global = self.global(module, ty, kind)?;
                return Some(Builder::new(module, shell).load(global));
            }
            let words = types::vector(Scalar::U32, lanes);
            let global = self.global(module, words, Scalar::U32)?;
            let mut b = Builder::new(module, shell);
            let value = b.load(global);
            let zero = b.zero(words);
            return Some(b.op(Op::INe, &[value, zero]));
        }
        let parts = parts(module, ty)?;
        let mut values = Vec::new();
        for part in parts {
            values.push(self.value(module, shell, part)?);
        }
        Some(Builder::new(module, shell).construct(ty, &values))
    }

    /// Writes a value to outputs.
    fn store(&mut self, module: &mut Module, shell: &mut Function, value: Value) -> Option<()> {
        let ty = Builder::new(module, shell).type_of(value);
        if let Some((kind, lanes)) = types::lanes_of(ty) {
            let stored = if kind == Scalar::Bool { types::vector(Scalar::U32, lanes) } else { ty };
            let global = self.global(module, stored, kind)?;
            let mut b = Builder::new(module, shell);
            let value = if kind == Scalar::Bool { b.convert(value, Scalar::U32) } else { value };
            b.store(global, value);
            return Some(());
        }
        let count = parts(module, ty)?.len();
        for index in 0..count {
            let part = Builder::new(module, shell).extract(value, index as u32);
            self.store(module, shell, part)?;
        }
        Some(())
    }
}

/// The types of the parts of a composite; `None` for what cannot be taken apart.
fn parts(module: &Module, ty: TypeId) -> Option<Vec<TypeId>> {
    match module.types.get(ty) {
        Type::Matrix { scalar, rows, columns } => {
            let row = if columns == 1 { types::scalar(scalar) } else { types::vector(scalar, columns) };
            Some(vec![row; usize::from(rows)])
        }
        Type::Array { element, length: Some(length), .. } if length as usize <= MOST_SCALARS => {
            Some(vec![element; length as usize])
        }
        Type::Struct(id) => Some(module.types.structs.get(id)?.members.iter().map(|member| member.ty).collect()),
        _ => None,
    }
}
