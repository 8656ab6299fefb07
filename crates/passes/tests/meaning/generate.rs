//! Random modules: every kind of instruction that the passes look at, in nested control flow, with values that are visible
//! where they are used. Loops are bounded by a counter.

use super::Random;
use aquatint_ir::globals::{Binding, RegisterClass};
use aquatint_ir::types::{self, MemberLayout, Scalar, Space, Struct, Type, TypeId};
use aquatint_ir::{
    Attr, Builder, Case, Cases, EntryPoint, Function, FunctionId, GlobalId, GlobalKind, Io, Module, Op, RegionId,
    Stage, Value,
};

const F: Scalar = Scalar::F32;

/// The globals of a random module.
#[derive(Clone, Copy)]
struct Globals {
    outputs: [GlobalId; 3],
    privates: [GlobalId; 2],
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
    let globals = Globals { outputs, privates, uniform, storage };

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
        let same = self.random.below(2) == 0;
        let first = self.random.number(kind);
        let bits: Vec<u64> = (0..lanes).map(|_| if same { first } else { self.random.number(kind) }).collect();
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
    }

    /// Statements into the current region. False where the last one ended it.
    fn block(&mut self) -> bool {
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
        match self.random.below(if self.nesting < 3 { 24 } else { 20 }) {
            0..=4 => self.float(),
            5..=6 => self.integer(),
            7 => self.comparison(),
            8..=11 => self.lanes(),
            12..=16 => self.variable(),
            17..=18 => self.memory(),
            19 => self.call(),
            20..=21 => self.branch(),
            22 => self.switch(),
            _ => self.repeat(),
        }
    }

    fn float(&mut self) {
        const ONE: &[Op] = &[
            Op::FNeg,
            Op::FAbs,
            Op::FSaturate,
            Op::Floor,
            Op::Ceil,
            Op::Round,
            Op::Trunc,
            Op::Fract,
            Op::Sqrt,
            Op::RSqrt,
            Op::Rcp,
            Op::RcpD3d9,
            Op::RSqrtD3d9,
            Op::Exp2D3d9,
            Op::Log2D3d9,
            Op::FractD3d9,
            Op::SgnD3d9,
            Op::FSign,
        ];
        const TWO: &[Op] = &[
            Op::FAdd,
            Op::FSub,
            Op::FMul,
            Op::FDiv,
            Op::FMin,
            Op::FMax,
            Op::FMulLegacy,
            Op::MinD3d9,
            Op::MaxD3d9,
            Op::PowD3d9,
            Op::Step,
            Op::FAdd,
            Op::FMul,
            Op::FMulLegacy,
            Op::Pow,
        ];
        const THREE: &[Op] = &[Op::Fma, Op::FmaLegacy, Op::LrpLegacy, Op::FClamp, Op::Mix, Op::Smoothstep];
        const REDUCE: &[Op] = &[Op::Dot, Op::DotLegacy, Op::Distance];
        const SAME: &[Op] = &[Op::NrmD3d9, Op::LitD3d9, Op::DstD3d9, Op::Normalize, Op::Reflect, Op::FaceForward];
        let ty = [types::F32, types::VEC4F, types::vector(F, 2)][self.random.below(3)];
        let list = self.random.below(12);
        let (ops, count) = match list {
            0..=2 => (ONE, 1),
            3..=7 => (TWO, 2),
            8..=9 => (THREE, 3),
            10 => (REDUCE, 2),
            _ => (SAME, 0),
        };
        let op = ops[self.random.below(ops.len())];
        let (ty, count) = match op {
            Op::NrmD3d9 | Op::LitD3d9 | Op::Normalize => (types::VEC4F, 1),
            Op::DstD3d9 | Op::Reflect => (types::VEC4F, 2),
            Op::FaceForward => (types::VEC4F, 3),
            _ if list == 10 => (types::VEC4F, 2),
            _ => (ty, count),
        };
        let before = self.b.set_precise(self.random.below(8) == 0);
        let mut operands = self.picks(&vec![ty; count]);
        if count > 1 && self.random.below(8) == 0 {
            operands[1] = operands[0];
        }
        let value = match op {
            Op::LitD3d9 | Op::DstD3d9 => self.b.value(op, Attr::None, &operands, ty),
            _ => self.b.op(op, &operands),
        };
        self.b.set_precise(before);
        self.add(value);
    }

    fn integer(&mut self) {
        const OPS: &[Op] = &[
            Op::IAdd,
            Op::ISub,
            Op::IMul,
            Op::IDiv,
            Op::IRem,
            Op::And,
            Op::Or,
            Op::Xor,
            Op::Shl,
            Op::Shr,
            Op::IMin,
            Op::IMax,
            Op::Not,
            Op::INeg,
            Op::IAdd,
        ];
        let ty = [types::U32, types::I32, types::BOOL][self.random.below(3)];
        let mut op = OPS[self.random.below(OPS.len())];
        if ty == types::BOOL {
            op = [Op::And, Op::Or, Op::Xor, Op::Not][self.random.below(4)];
        }
        let count = if matches!(op, Op::Not | Op::INeg) { 1 } else { 2 };
        let mut operands = self.picks(&vec![ty; count]);
        if count > 1 && self.random.below(8) == 0 {
            operands[1] = operands[0];
        }
        let value = match if ty == types::U32 { self.random.below(8) } else { 7 } {
            0 => {
                let (offset, bits) = (self.pick(types::U32), self.pick(types::U32));
                self.b.value(Op::BitsExtract, Attr::None, &[operands[0], offset, bits], ty)
            }
            1 => {
                let (insert, offset, bits) = (self.pick(ty), self.pick(types::U32), self.pick(types::U32));
                self.b.value(Op::BitsInsert, Attr::None, &[operands[0], insert, offset, bits], ty)
            }
            2 => {
                let other = self.pick(ty);
                let carry = self.b.push(Op::IAddCarry, Attr::None, &[operands[0], other], &[ty, ty]);
                let second = self.b.result_at(carry, 1);
                self.add(second);
                self.b.result(carry)
            }
            _ => self.b.op(op, &operands),
        };
        self.add(value);
    }

    fn comparison(&mut self) {
        let floats = [Op::FEq, Op::FNe, Op::FLt, Op::FLe, Op::FGt, Op::FGe];
        let integers = [Op::IEq, Op::INe, Op::ILt, Op::ILe, Op::IGt, Op::IGe];
        let index = self.random.below(6);
        let value = match self.random.below(5) {
            0 | 1 => {
                let operands = self.picks(&[types::F32, types::F32]);
                self.b.op(floats[index], &operands)
            }
            2 => {
                let operands = self.picks(&[types::I32, types::I32]);
                self.b.op(integers[index], &operands)
            }
            3 => {
                let ty = self.value_type();
                let condition = self.pick(types::BOOL);
                let (yes, no) = (self.pick(ty), self.pick(ty));
                self.b.select(condition, yes, no)
            }
            _ => {
                let (a, b) = (self.pick(types::VEC4F), self.pick(types::VEC4F));
                let each = self.b.op(floats[index], &[a, b]);
                if index > 2 {
                    let (yes, no) = (self.pick(types::VEC4F), self.pick(types::VEC4F));
                    self.b.select(each, yes, no)
                } else {
                    self.b.op([Op::Any, Op::All][index % 2], &[each])
                }
            }
        };
        self.add(value);
    }

    fn lanes(&mut self) {
        let vector = [types::VEC4F, types::vector(F, 2)][self.random.below(2)];
        let whole = self.pick(vector);
        let (_, count) = self.b.lanes_of(whole);
        let count = usize::from(count);
        let value = match self.random.below(9) {
            0..=2 => {
                let wanted = 1 + self.random.below(4);
                let lanes: Vec<u8> = (0..wanted).map(|_| self.random.below(count) as u8).collect();
                self.b.shuffle(whole, &lanes)
            }
            3 => self.b.extract(whole, self.random.below(count) as u32),
            4 => {
                let part = self.pick(types::F32);
                self.b.insert(whole, part, self.random.below(count) as u32)
            }
            5 => {
                let scalar = self.pick(types::F32);
                self.b.splat(scalar, 4)
            }
            6 => {
                let parts = match self.random.below(4) {
                    0 => self.picks(&[types::F32; 4]),
                    1 => self.picks(&[types::vector(F, 2), types::F32, types::F32]),
                    2 => self.picks(&[types::F32, types::vector(F, 2), types::F32]),
                    _ => self.picks(&[types::vector(F, 2); 2]),
                };
                self.b.construct(types::VEC4F, &parts)
            }
            7 => {
                let (part, index) = (self.pick(types::F32), self.pick(types::U32));
                match self.random.below(2) {
                    0 => self.b.value(Op::ExtractDyn, Attr::None, &[whole, index], types::F32),
                    _ => self.b.value(Op::InsertDyn, Attr::None, &[whole, part, index], vector),
                }
            }
            _ => {
                let from = self.value_type();
                let value = self.pick(from);
                let kind = [Scalar::F32, Scalar::U32, Scalar::I32, Scalar::Bool, Scalar::F16][self.random.below(5)];
                let made = self.b.convert(value, kind);
                self.b.convert(made, [Scalar::F32, Scalar::U32, Scalar::I32][self.random.below(3)])
            }
        };
        self.add(value);
    }

    fn variable(&mut self) {
        if self.vars.len() < 2 || self.random.below(7) == 0 {
            let ty = match self.random.below(8) {
                0..=1 => self.b.types.array(types::F32, 3),
                2 => {
                    let inner = self.b.types.array(types::VEC4F, 2);
                    self.b.types.array(inner, 2)
                }
                3 => self.b.types.intern(Type::Matrix { scalar: F, rows: 2, columns: 2 }),
                _ => self.value_type(),
            };
            let var = self.b.var(ty);
            return self.vars.push(var);
        }
        let mut pointer = self.vars[self.random.below(self.vars.len())];
        // Down to something that can be stored, mostly by constants.
        loop {
            let Type::Pointer { pointee, .. } = self.b.types.get(self.b.type_of(pointer)) else { return };
            let parts = match self.b.types.get(pointee) {
                Type::Array { length: Some(length), .. } => length,
                Type::Matrix { rows, .. } => u32::from(rows),
                Type::Vector(_, lanes) if self.random.below(3) == 0 => u32::from(lanes),
                _ => break,
            };
            if self.random.below(8) == 0 && types::lanes_of(pointee).is_none() {
                return self.whole(pointer, pointee);
            }
            let index = match self.random.below(5) {
                0 => self.step(parts),
                _ => self.b.u32(self.random.below(parts as usize) as u32),
            };
            pointer = self.b.access(pointer, index);
        }
        let Type::Pointer { pointee, .. } = self.b.types.get(self.b.type_of(pointer)) else { return };
        if self.random.below(2) == 0 {
            let value = self.pick(pointee);
            self.b.store(pointer, value);
        } else {
            let value = self.b.load(pointer);
            self.add(value);
        }
    }

    /// Loads an aggregate and stores it back, or a part of it to the pool.
    fn whole(&mut self, pointer: Value, ty: TypeId) {
        let value = self.b.load(pointer);
        let part = self.b.extract(value, 0);
        let part_type = self.b.type_of(part);
        if types::lanes_of(part_type).is_some() {
            self.add(part);
        }
        let zero = self.b.zero(ty);
        let stored = match self.random.below(3) {
            0 => zero,
            1 => value,
            _ => self.b.insert(zero, part, 1),
        };
        self.b.store(pointer, stored);
    }

    fn memory(&mut self) {
        let globals = self.globals;
        match self.random.below(8) {
            0 | 1 => {
                let index = self.random.below(2);
                let value = self.pick([types::F32, types::VEC4F][index]);
                self.b.store(Value::global(globals.privates[index]), value);
            }
            2 | 3 => {
                let value = self.b.load(Value::global(globals.privates[self.random.below(2)]));
                self.add(value);
            }
            4 => {
                let (one, row) = (self.b.u32(1), self.step(4));
                let rows = self.b.access(Value::global(globals.uniform), one);
                let pointer = self.b.access(rows, row);
                let value = self.b.load(pointer);
                self.add(value);
            }
            5 => {
                let zero = self.b.u32(0);
                let pointer = self.b.access(Value::global(globals.uniform), zero);
                let value = self.b.load(pointer);
                self.add(value);
            }
            // Lanes run in lockstep and share the buffer, so it is only read, and written by nobody else.
            6 => {
                let index = self.pick(types::U32);
                let pointer = self.b.access(Value::global(globals.storage), index);
                let value = self.b.load(pointer);
                self.add(value);
            }
            _ => {
                let offset = self.pick(types::U32);
                let four = self.b.u32(0xFFFF_FFFC);
                let offset = self.b.op(Op::And, &[offset, four]);
                let value =
                    self.b.value(Op::LoadBytes, Attr::None, &[Value::global(globals.storage), offset], types::U32);
                self.add(value);
            }
        }
    }

    fn call(&mut self) {
        if self.functions.is_empty() {
            return;
        }
        let function = self.functions[self.random.below(self.functions.len())];
        let arguments = self.picks(&[types::F32, types::VEC4F, types::U32]);
        let value = self.b.value(Op::Call, Attr::Function(function), &arguments, types::F32);
        self.add(value);
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
            let falls = index + 1 < count && self.random.below(3) == 0;
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

    fn write_outputs(&mut self) {
        let [a, b, c] = self.globals.outputs;
        let (mut first, mut second) = (self.pick(types::VEC4F), self.pick(types::VEC4F));
        let scalar = self.pick(types::F32);
        first = self.b.insert(first, scalar, 1);
        let private = self.b.load(Value::global(self.globals.privates[1]));
        if self.random.below(2) == 0 {
            second = private;
        }
        let parts = self.picks(&[types::U32; 3]);
        let flag = self.pick(types::BOOL);
        let flag = self.b.convert(flag, Scalar::U32);
        let third = self.b.construct(types::vector(Scalar::U32, 4), &[parts[0], parts[1], parts[2], flag]);
        for (output, value) in [(a, first), (b, second), (c, third)] {
            self.b.store(Value::global(output), value);
        }
    }
}
