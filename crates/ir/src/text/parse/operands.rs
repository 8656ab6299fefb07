//! Operations, their attributes and operands.

use super::super::{context, print};
use super::body::Body;
use super::{Parser, clip};
use crate::codes;
use crate::function::{Attr, FunctionId, Value};
use crate::op::{AtomicOp, Barrier, Derivative, Lanes, Op, QuadLane, SampleAttr, Wave};
use crate::text::lex::{Kind, Token};
use crate::types::{self, Scalar, Type, TypeId};
use aquatint_base::{HashMap, Id};
use smallvec::SmallVec;
use std::sync::LazyLock;

static OPS: LazyLock<HashMap<&str, Op>> = LazyLock::new(|| Op::ALL.iter().map(|&op| (op.name(), op)).collect());

type Operands = SmallVec<[Value; 8]>;

impl<'t> Parser<'t, '_> {
    /// The operation of a word, and the part behind its name.
    pub(super) fn op(&mut self, token: Token) -> Option<(Op, &'t str)> {
        let word = self.str_of(token);
        // No operation's own name has more than one point.
        let mut points = word.match_indices('.').map(|(at, _)| at);
        let (one, two) = (points.next(), points.next());
        for end in [Some(word.len()).filter(|_| two.is_none()), two, one].into_iter().flatten() {
            if let Some(&op) = OPS.get(&word[..end]) {
                return Some((op, &word[end..]));
            }
        }
        let message = format!("there is no operation `{}`", clip(word));
        self.fail(&codes::UNKNOWN_OP, self.span_of(token), message)
    }

    /// The attribute that is part of the spelling.
    pub(super) fn suffix_attr(&mut self, op: Op, suffix: &str, token: Token) -> Option<Attr> {
        let parts = || suffix.split('.').skip(1);
        let one = suffix.strip_prefix('.');
        let attr = match op {
            Op::Sample => flags(parts()).map(Attr::Sample),
            Op::Fetch => flags(parts()).map(Attr::Fetch),
            Op::Gather => suffix.rsplit_once('.').and_then(|(before, lane)| {
                let component = print::LANES.iter().position(|&l| l == lane)?;
                Some(Attr::Gather(flags(before.split('.').skip(1))?, component as u8))
            }),
            Op::Ddx | Op::Ddy => match one {
                None => Some(Attr::None),
                Some(name) => Derivative::from_name(name).map(Attr::Derivative),
            },
            Op::Atomic | Op::ImageAtomic => one.and_then(AtomicOp::from_name).map(Attr::Atomic),
            Op::CounterAdd => match one {
                Some("up") => Some(Attr::Counter(true)),
                Some("down") => Some(Attr::Counter(false)),
                _ => None,
            },
            Op::QuadOp => one.and_then(QuadLane::from_name).map(Attr::Quad),
            Op::WaveOp => one.and_then(Wave::from_name).map(Attr::Wave),
            _ => suffix.is_empty().then_some(Attr::None),
        };
        if attr.is_some() {
            return attr;
        }
        let message = match suffix {
            "" => format!("`{}` needs an attribute behind a point", op.name()),
            _ => format!("`{}` has no attribute `{}`", op.name(), clip(suffix)),
        };
        self.fail(&codes::UNKNOWN_OP, self.span_of(token), message)
    }

    /// What stands behind the operation: operands, the rest of the attribute, parameters of a loop.
    #[allow(clippy::type_complexity)]
    pub(super) fn rest(
        &mut self,
        body: &mut Body<'t>,
        op: Op,
        attr: Attr,
        result: Option<TypeId>,
    ) -> Option<(Operands, Attr, SmallVec<[(Token, TypeId); 4]>)> {
        let mut operands = Operands::new();
        let mut loop_params = SmallVec::new();
        let kind = result.and_then(|ty| context::kind_of(&self.module.types, ty));
        let mut attr = attr;
        match op {
            Op::Extract | Op::Insert => {
                self.operand(body, &mut operands, None)?;
                self.want(b'[')?;
                attr = Attr::Index(self.u32()?);
                self.want(b']')?;
                while self.take(b',') {
                    self.room(operands.len(), "operands")?;
                    let context = context::operand(op, operands.len(), None, kind);
                    self.operand(body, &mut operands, context)?;
                }
            }
            Op::Shuffle => {
                self.operand(body, &mut operands, None)?;
                self.want(b',')?;
                attr = Attr::Lanes(self.lanes()?);
            }
            Op::Access => {
                self.operand(body, &mut operands, None)?;
                self.path(body, &mut operands)?;
            }
            Op::Call => attr = Attr::Function(self.call(body, &mut operands)?),
            Op::Barrier => attr = Attr::Barrier(self.barrier()?),
            Op::Loop => loop_params = self.loop_head(body, &mut operands)?,
            _ => {
                let mut first = None;
                while self.at_operand() {
                    self.room(operands.len(), "operands")?;
                    let index = operands.len();
                    let context = match op {
                        Op::Return if index == 0 => context::kind_of(&self.module.types, body.data.result),
                        _ if op.is_terminator() => self.target_kind(body, op, index),
                        _ => context::operand(op, index, first, kind),
                    };
                    self.operand(body, &mut operands, context)?;
                    if index == 0 {
                        first = context::kind_of(&self.module.types, body.type_of(self, operands[0]));
                    }
                    if !self.take(b',') {
                        break;
                    }
                    if !self.at_operand() {
                        return self.expected("an operand");
                    }
                }
            }
        }
        Some((operands, attr, loop_params))
    }

    /// The kind of what operand `index` of a terminator goes to.
    fn target_kind(&self, body: &Body<'t>, op: Op, index: usize) -> Option<Scalar> {
        let slice = body.targets.of(op);
        let local = body.data.locals.as_slice().get(slice.range())?.get(index)?;
        context::kind_of(&self.module.types, local.ty)
    }

    /// Whether an operand begins here. A name before `:` begins the next instruction.
    fn at_operand(&self) -> bool {
        match self.kind() {
            Kind::Local => self.peek(1) != Kind::Mark(b':'),
            Kind::Global => true,
            _ => self.at_constant(),
        }
    }

    fn operand(&mut self, body: &mut Body<'t>, operands: &mut Operands, context: Option<Scalar>) -> Option<()> {
        let token = self.token();
        let value = match token.kind {
            Kind::Local => {
                self.bump();
                match body.visible.get(self.str_of(token)) {
                    Some(&local) => Value::local(local),
                    None => {
                        body.pending_here.push((operands.len(), token));
                        // A place that no function fills, should the name stay unknown.
                        Value::local(Id::new((1 << 30) - 1))
                    }
                }
            }
            Kind::Global => {
                let (name, token) = self.sigil_name(Kind::Global, "a global")?;
                match self.globals.get(&name) {
                    Some(&global) => Value::global(global),
                    None => return self.unknown(token, "global"),
                }
            }
            _ if self.at_constant() => Value::constant(self.constant(context)?),
            _ => return self.expected("an operand"),
        };
        operands.push(value);
        Some(())
    }

    fn lanes(&mut self) -> Option<Lanes> {
        self.want(b'[')?;
        let mut lanes: SmallVec<[u8; 4]> = SmallVec::new();
        loop {
            let Some(lane) = print::LANES.iter().position(|&l| l == self.word()).filter(|_| lanes.len() < 4) else {
                return self.expected("a lane: `x`, `y`, `z` or `w`, at most four");
            };
            lanes.push(lane as u8);
            self.bump();
            if self.take(b']') {
                return Some(Lanes::new(&lanes));
            }
            self.want(b',')?;
        }
    }

    /// The steps of `access`.
    fn path(&mut self, body: &mut Body<'t>, operands: &mut Operands) -> Option<()> {
        let base = body.type_of(self, operands[0]);
        let mut ty = match self.module.types.get(base) {
            Type::Pointer { pointee, .. } => pointee,
            _ => base,
        };
        while self.take(b'[') {
            self.room(operands.len(), "steps")?;
            let step = if self.take(b'.') {
                let span = self.here();
                let name = self.name()?;
                let member = match self.module.types.get(ty) {
                    Type::Struct(id) => self.members.get(&(id, name)).copied(),
                    _ => None,
                };
                let Some(index) = member else {
                    let message = format!("there is no member `{}` here", clip(self.module.names.get(name)));
                    return self.fail(&codes::UNKNOWN_NAME, span, message);
                };
                operands.push(Value::constant(self.module.constants.scalar(Scalar::U32, u64::from(index))));
                index
            } else {
                self.operand(body, operands, Some(Scalar::U32))?;
                let last = operands.last().and_then(|v| v.as_constant()).and_then(|c| self.module.constants.get(c));
                last.and_then(|c| c.lane(0)).unwrap_or(0) as u32
            };
            self.want(b']')?;
            ty = self.module.types.step(ty, step).unwrap_or(types::VOID);
        }
        Some(())
    }

    fn call(&mut self, body: &mut Body<'t>, operands: &mut Operands) -> Option<FunctionId> {
        let (name, token) = self.sigil_name(Kind::Global, "`@` and the name of a function")?;
        let Some(&callee) = self.functions.get(&name) else { return self.unknown(token, "function") };
        self.want(b'(')?;
        while !self.take(b')') {
            self.room(operands.len(), "operands")?;
            let function = &self.module.functions[callee];
            let ty = print::nth_param(function, function.body, operands.len());
            let context = ty.and_then(|ty| context::kind_of(&self.module.types, ty));
            self.operand(body, operands, context)?;
            if !self.take(b',') && !self.is_mark(b')') {
                return self.expected("`,` or `)`");
            }
        }
        Some(callee)
    }

    fn barrier(&mut self) -> Option<Barrier> {
        let mut barrier = Barrier::default();
        self.want(b'(')?;
        while !self.take(b')') {
            match self.word() {
                "execution" => barrier.execution = true,
                "workgroup" => barrier.workgroup = true,
                "storage" => barrier.storage = true,
                "texture" => barrier.texture = true,
                _ => return self.expected("`execution`, `workgroup`, `storage` or `texture`"),
            }
            self.bump();
            if !self.take(b',') && !self.is_mark(b')') {
                return self.expected("`,` or `)`");
            }
        }
        Some(barrier)
    }

    /// `(%i: u32 = 0, …)`. A parameter without a value and a value without a parameter are read, for the verifier
    /// to refuse.
    fn loop_head(&mut self, body: &mut Body<'t>, operands: &mut Operands) -> Option<SmallVec<[(Token, TypeId); 4]>> {
        let mut params = SmallVec::new();
        if !self.take(b'(') {
            return Some(params);
        }
        while !self.take(b')') {
            self.room(params.len().max(operands.len()), "parameters")?;
            let mut context = None;
            if !self.is_mark(b'=') {
                let param = self.param()?;
                context = context::kind_of(&self.module.types, param.1);
                params.push(param);
            }
            if self.take(b'=') {
                self.operand(body, operands, context)?;
            }
            if !self.take(b',') && !self.is_mark(b')') {
                return self.expected("`,` or `)`");
            }
        }
        Some(params)
    }
}

fn flags<'a>(names: impl Iterator<Item = &'a str>) -> Option<SampleAttr> {
    let mut flags = 0;
    for name in names {
        let (flag, _) = SampleAttr::NAMES.into_iter().find(|&(_, n)| n == name)?;
        flags |= flag;
    }
    Some(SampleAttr(flags))
}
