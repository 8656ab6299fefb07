//! Random modules: every kind of instruction that the passes look at, in nested control flow, with values that are visible
//! where they are used. Loops are bounded by a counter.

#[path = "statements.rs"]
mod statements;

use aquatint_ir::globals::{Binding, RegisterClass};
use aquatint_ir::types::{self, MemberLayout, Scalar, Space, Struct, Type, TypeId};
use aquatint_ir::{
    Builder, Case, Cases, EntryPoint, Function, FunctionId, GlobalId, GlobalKind, Io, Module, Op, RegionId, Stage,
    Value,
};
use aquatint_testkit::execute::values::Random;

const F: Scalar = Scalar::F32;

/// The globals of a random module.
#[derive(Clone, Copy)]
struct Globals {
    outputs: [GlobalId; 3],
    privates: [GlobalId; 2],
    /// A sum over values on the way, so that most of what is computed is seen.
    seen: GlobalId,
    uniform: GlobalId,
    storage: GlobalId,
}

/// A module with an entry point `test` and some functions that it calls.
pub fn module(random: &mut Random) -> Module {
    let mut module = Module::new();
    let inputs: Vec<GlobalId> = (0..5)
        .map(|location| {
            let ty = if location < 4 { types::VEC4F } else { types::vector(Scalar::U32, 4) };
            module.add_global(&format!("in{location}"), ty, Space::Input, GlobalKind::Input(Io::at(location)))
        })
        .collect();
    let outputs = [0, 1, 2].map(|location| {
        let ty = if location < 2 { types::VEC4F } else { types::vector(Scalar::U32, 4) };
        module.add_global(&format!("out{location}"), ty, Space::Output, GlobalKind::Output(Io::at(location)))
    });
    let privates =
        [types::F32, types::VEC4F].map(|ty| module.add_global("p", ty, Space::Private, GlobalKind::Private(None)));
    let seen = module.add_global("seen", types::U32, Space::Private, GlobalKind::Private(None));
    let rows = module.types.intern(Type::Array { element: types::VEC4F, length: Some(4), stride: 16 });
    let place = |offset| Some(MemberLayout { offset, matrix_stride: 0, row_major: false });
    let members = vec![
        types::Member { name: module.names.intern("k"), ty: types::VEC4F, layout: place(0) },
        types::Member { name: module.names.intern("a"), ty: rows, layout: place(16) },
    ];
    let name = module.names.intern("block");
    let block = module.types.structs.push(Struct { name, members, size: 80 });
    let block = module.types.intern(Type::Struct(block));
    let words = module.types.intern(Type::Array { element: types::U32, length: None, stride: 4 });
    let resource = |class, writable| GlobalKind::Resource {
        binding: Binding { class, register: 0, space: 0 },
        writable,
        counter: false,
    };
    let uniform = module.add_global("c", block, Space::Uniform, resource(RegisterClass::B, false));
    let storage = module.add_global("s", words, Space::Storage, resource(RegisterClass::U, true));
    let globals = Globals { outputs, privates, seen, uniform, storage };

    let mut functions: Vec<FunctionId> = Vec::new();
    for index in 0..random.below(3) {
        let name = module.names.intern(&format!("helper{index}"));
        let id = module.functions.push(Function::new(name, types::F32));
        Builder::edit(&mut module, id, |b| {
            let body = b.function.body;
            b.set_params(body, &[types::F32, types::VEC4F, types::U32]);
            let pool = (0..3).map(|i| b.param(body, i)).collect();
            let mut body = Body {
                b,
                random,
                globals,
                functions: functions.clone(),
                pool,
                vars: Vec::new(),
                nesting: 0,
                loops: Vec::new(),
                left: 25,
            };
            if body.block() {
                let value = body.pick(types::F32);
                body.b.terminate(Op::Return, &[value]);
            }
        });
        functions.push(id);
    }
    let name = module.names.intern("test");
    let id = module.functions.push(Function::new(name, types::VOID));
    Builder::edit(&mut module, id, |b| {
        let pool = inputs.iter().map(|&input| b.load(Value::global(input))).collect();
        let mut body =
            Body { b, random, globals, functions, pool, vars: Vec::new(), nesting: 0, loops: Vec::new(), left: 70 };
        if body.block() {
            body.write_outputs();
            body.b.terminate(Op::Return, &[]);
        }
    });
    module.entry_points.push(EntryPoint {
        name,
        stage: Stage::Vertex,
        function: id,
        workgroup_size: [1; 3],
        depth: Default::default(),
        early_tests: false,
    });
    module
}

/// What a way out of a loop takes along.
#[derive(Clone)]
struct OpenLoop {
    /// The types of its carried values, the counter's first.
    carried: Vec<TypeId>,
    results: Vec<TypeId>,
    counter: Value,
}

struct Body<'b, 'm> {
    b: &'b mut Builder<'m>,
    random: &'b mut Random,
    globals: Globals,
    functions: Vec<FunctionId>,
    /// Values that are visible.
    pool: Vec<Value>,
    /// Variables that are visible.
    vars: Vec<Value>,
    nesting: usize,
    loops: Vec<OpenLoop>,
    /// Statements that may still be made.
    left: usize,
}

impl Body<'_, '_> {
    fn value_type(&mut self) -> TypeId {
        match self.random.below(9) {
            0..=2 => types::F32,
            3..=4 => types::VEC4F,
            5 => types::vector(F, 2),
            6 => types::U32,
            7 => types::I32,
            _ => types::BOOL,
        }
    }

    fn constant(&mut self, ty: TypeId) -> Value {
        let (kind, lanes) = types::lanes_of(ty).expect("a scalar or vector");
        let same = self.random.below(3) > 0;
        let first = match self.random.below(2) {
            // What the rules of algebra know.
            0 if kind.is_float() => {
                let number: f64 = [0.0, -0.0, 1.0, -1.0][self.random.below(4)];
                aquatint_ir::eval::convert(Scalar::F64, kind, number.to_bits())
            }
            _ => self.random.scalar(kind),
        };
        let bits: Vec<u64> = (0..lanes).map(|_| if same { first } else { self.random.scalar(kind) }).collect();
        Value::constant(self.b.constants.vector(kind, &bits))
    }

    fn pick(&mut self, ty: TypeId) -> Value {
        let fitting: Vec<Value> = self.pool.iter().copied().filter(|&v| self.b.type_of(v) == ty).collect();
        if fitting.is_empty() || self.random.below(6) == 0 {
            return self.constant(ty);
        }
        // Late ones more often, so that chains grow.
        let from_end = self.random.below(fitting.len()).min(self.random.below(fitting.len()));
        fitting[fitting.len() - 1 - from_end]
    }

    /// A step of a path: any value, but no constant out of range, which the verifier refuses.
    fn step(&mut self, parts: u32) -> Value {
        let index = self.pick(types::U32);
        if index.as_constant().is_some() { self.b.u32(self.random.below(parts as usize) as u32) } else { index }
    }

    fn picks(&mut self, types: &[TypeId]) -> Vec<Value> {
        types.iter().map(|&ty| self.pick(ty)).collect()
    }

    fn add(&mut self, value: Value) {
        self.pool.push(value);
        if self.random.below(3) == 0 {
            self.observe(value);
        }
    }

    /// Mixes the bits of a value into the sum. A NaN counts as 0: its bits may differ.
    fn observe(&mut self, value: Value) {
        let (kind, lanes) = self.b.lanes_of(value);
        let pointer = Value::global(self.globals.seen);
        for lane in 0..u32::from(lanes) {
            let part = if lanes == 1 { value } else { self.b.extract(value, lane) };
            let bits = match kind {
                Scalar::F32 => {
                    let (nan, zero) = (self.b.op(Op::IsNan, &[part]), self.b.f32(0.0));
                    let number = self.b.select(nan, zero, part);
                    self.b.bitcast(number, Scalar::U32)
                }
                Scalar::I32 => self.b.bitcast(part, Scalar::U32),
                _ => self.b.convert(part, Scalar::U32),
            };
            let (sum, factor) = (self.b.load(pointer), self.b.u32(0x0100_0193));
            let mixed = self.b.op(Op::Xor, &[sum, bits]);
            let sum = self.b.op(Op::IMul, &[mixed, factor]);
            self.b.store(pointer, sum);
        }
    }

    /// Statements into the current region. False where the last one ended it.
    fn block(&mut self) -> bool {
        if self.nesting == 0 {
            for ty in [types::F32, types::VEC4F, types::U32] {
                let var = self.b.var(ty);
                self.vars.push(var);
            }
        }
        let count = 2 + self.random.below(7);
        for _ in 0..count {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            self.statement();
        }
        if self.nesting > 0 && self.random.below(7) == 0 {
            return !self.leave();
        }
        true
    }

    /// A way out of the region other than its end, if there is one.
    fn leave(&mut self) -> bool {
        let innermost = self.loops.last().cloned();
        match (self.random.below(4), innermost) {
            (0, _) => {
                if self.b.function.result == types::VOID {
                    self.write_outputs();
                    self.b.terminate(Op::Return, &[]);
                } else {
                    let value = self.pick(types::F32);
                    self.b.terminate(Op::Return, &[value]);
                }
                true
            }
            (1 | 2, Some(open)) => {
                let values = self.picks(&open.results);
                self.b.terminate(Op::Break, &values);
                true
            }
            (_, Some(open)) => {
                let mut values = self.picks(&open.carried);
                // The counter goes on as it is, so that the loop ends.
                values[0] = open.counter;
                self.b.terminate(Op::Continue, &values);
                true
            }
            _ => false,
        }
    }

    fn statement(&mut self) {
        match self.random.below(if self.nesting < 3 { 32 } else { 26 }) {
            0..=4 => self.float(),
            5..=6 => self.integer(),
            7..=8 => self.comparison(),
            9..=12 => self.lanes(),
            13..=20 => self.variable(),
            21..=24 => self.memory(),
            25 => self.call(),
            26..=28 => self.branch(),
            29 => self.switch(),
            _ => self.repeat(),
        }
    }

    /// Fills a region, which sees no more afterwards than before.
    fn region(&mut self, region: RegionId, end: Op, results: &[TypeId]) {
        let (pool, vars) = (self.pool.len(), self.vars.len());
        let outside = self.b.enter(region);
        self.nesting += 1;
        for index in 0..self.b.function.params(region).len() {
            let param = self.b.param(region, index);
            self.add(param);
        }
        if self.block() {
            let values = self.picks(results);
            self.b.terminate(end, &values);
        }
        self.nesting -= 1;
        self.b.enter(outside);
        self.pool.truncate(pool);
        self.vars.truncate(vars);
    }

    fn result_types(&mut self) -> Vec<TypeId> {
        (0..self.random.below(3)).map(|_| self.value_type()).collect()
    }

    fn branch(&mut self) {
        let mut condition = self.pick(types::BOOL);
        if self.random.below(4) == 0 {
            condition = self.b.op(Op::Not, &[condition]);
        }
        let results = self.result_types();
        let (then, other) = (self.b.new_region(&[]), self.b.new_region(&[]));
        self.region(then, Op::Yield, &results);
        if self.random.below(3) == 0 {
            let values = self.picks(&results);
            let outside = self.b.enter(other);
            self.b.terminate(Op::Yield, &values);
            self.b.enter(outside);
        } else {
            self.region(other, Op::Yield, &results);
        }
        let made = self.b.push_if(condition, then, other, &results);
        self.results(made, results.len());
    }

    fn results(&mut self, inst: aquatint_ir::InstId, count: usize) {
        for index in 0..count {
            let value = self.b.result_at(inst, index);
            self.add(value);
        }
    }

    fn switch(&mut self) {
        let selector = self.pick(types::U32);
        let results = self.result_types();
        let count = 2 + self.random.below(3);
        let default = self.random.below(count);
        let mut regions = Vec::new();
        let mut cases = Cases::default();
        let mut params: Vec<TypeId> = Vec::new();
        for index in 0..count {
            let region = self.b.new_region(&params);
            let falls = index + 1 < count && self.random.below(2) == 0;
            params = if falls { self.result_types() } else { Vec::new() };
            let (end, types) = if falls { (Op::Fallthrough, params.clone()) } else { (Op::Yield, results.clone()) };
            self.region(region, end, &types);
            regions.push(region);
            cases.regions.push(Case { values: vec![index as u64], default: index == default });
        }
        let made = self.b.push_switch(selector, cases, &regions, &results);
        self.results(made, results.len());
    }

    fn repeat(&mut self) {
        let mut carried = vec![types::U32];
        carried.extend(self.result_types());
        let results = self.result_types();
        let mut first = self.picks(&carried);
        first[0] = self.b.u32(0);
        let (body, continuing) = (self.b.new_region(&carried), self.b.new_region(&carried));
        let counter = self.b.param(body, 0);
        let (pool, vars) = (self.pool.len(), self.vars.len());
        let outside = self.b.enter(body);
        for index in 0..carried.len() {
            let param = self.b.param(body, index);
            self.add(param);
        }
        let trips = match self.random.below(3) {
            0 => {
                let (any, seven) = (self.pick(types::U32), self.b.u32(7));
                self.b.op(Op::And, &[any, seven])
            }
            _ => self.b.u32(self.random.below(5) as u32),
        };
        if self.random.below(4) == 0 {
            // Round again before the loop asks whether to leave; not for ever.
            let (few, pick) = (self.b.u32(2), self.pick(types::BOOL));
            let few = self.b.op(Op::ILt, &[counter, few]);
            let early = self.b.op(Op::And, &[few, pick]);
            let mut values = self.picks(&carried);
            values[0] = counter;
            self.leave_if(early, Op::Continue, &values);
        }
        let go = self.b.op(Op::ILt, &[counter, trips]);
        let (stay, out) = (self.b.new_region(&[]), self.b.new_region(&[]));
        let values = self.picks(&results);
        self.b.enter(stay);
        self.b.terminate(Op::Yield, &[]);
        self.b.enter(out);
        self.b.terminate(Op::Break, &values);
        self.b.enter(body);
        self.b.push_if(go, stay, out, &[]);
        self.loops.push(OpenLoop { carried: carried.clone(), results: results.clone(), counter });
        self.nesting += 1;
        if self.block() {
            let mut values = self.picks(&carried);
            values[0] = counter;
            self.b.terminate(Op::Continue, &values);
        }
        self.nesting -= 1;
        self.loops.pop();
        self.pool.truncate(pool);
        self.vars.truncate(vars);
        self.b.enter(continuing);
        for index in 0..carried.len() {
            let param = self.b.param(continuing, index);
            self.add(param);
        }
        for _ in 0..self.random.below(3) {
            self.float();
            self.variable();
        }
        if self.random.below(3) == 0 {
            let condition = match self.random.below(3) {
                0 => self.b.bool(true),
                1 => self.b.bool(false),
                _ => self.pick(types::BOOL),
            };
            let values = self.picks(&results);
            self.leave_if(condition, Op::Break, &values);
        }
        let one = self.b.u32(1);
        let param = self.b.param(continuing, 0);
        let mut values = self.picks(&carried);
        values[0] = self.b.op(Op::IAdd, &[param, one]);
        self.b.terminate(Op::Next, &values);
        self.pool.truncate(pool);
        self.vars.truncate(vars);
        self.b.enter(outside);
        let made = self.b.push_loop(&first, body, continuing, &results);
        self.results(made, results.len());
    }

    /// An `if` whose one arm ends in that terminator, or at times both.
    fn leave_if(&mut self, condition: Value, op: Op, values: &[Value]) {
        let (then, other) = (self.b.new_region(&[]), self.b.new_region(&[]));
        let outside = self.b.enter(then);
        self.b.terminate(op, values);
        self.b.enter(other);
        match op == Op::Break && self.random.below(4) == 0 {
            true => self.b.terminate(op, values),
            false => self.b.terminate(Op::Yield, &[]),
        };
        self.b.enter(outside);
        self.b.push_if(condition, then, other, &[]);
    }

    fn write_outputs(&mut self) {
        let [a, b, c] = self.globals.outputs;
        let (mut first, mut second) = (self.pick(types::VEC4F), self.pick(types::VEC4F));
        let scalar = self.pick(types::F32);
        first = self.b.insert(first, scalar, 1);
        let private = self.b.load(Value::global(self.globals.privates[1]));
        if self.random.below(2) == 0 {
            second = private;
        }
        let mut parts = self.picks(&[types::U32; 3]);
        parts[0] = self.b.load(Value::global(self.globals.seen));
        let flag = self.pick(types::BOOL);
        let flag = self.b.convert(flag, Scalar::U32);
        let third = self.b.construct(types::vector(Scalar::U32, 4), &[parts[0], parts[1], parts[2], flag]);
        for (output, value) in [(a, first), (b, second), (c, third)] {
            self.b.store(Value::global(output), value);
        }
    }
}
