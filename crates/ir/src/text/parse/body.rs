//! Bodies of functions.

use super::super::context::Targets;
use super::items::Head;
use super::{DEPTH, Parser, clip};
use crate::codes;
use crate::function::{
    Attr, Case, Cases, Def, Function, FunctionId, Inst, InstId, Local, LocalId, Region, RegionId, Slice, Value,
};
use crate::op::Op;
use crate::text::lex::{self, Kind, Token};
use crate::types::{self, Scalar, TypeId};
use aquatint_base::{HashMap, Id, Span};
use smallvec::SmallVec;

/// Appends parameters to a region without any.
pub(super) fn add_params(function: &mut Function, region: RegionId, params: &[TypeId]) {
    let start = function.locals.len() as u32;
    for (i, &ty) in params.iter().enumerate() {
        function.locals.push(Local { ty, def: Def::Param(region, i as u16) });
    }
    function.regions[region].params = Slice { start, len: params.len() as u32 };
}

/// A function while it is read. It is out of the module's table.
pub(super) struct Body<'t> {
    pub(super) data: Function,
    /// The visible names.
    pub(super) visible: HashMap<&'t str, LocalId>,
    /// What the regions that are being read define, innermost last.
    defined: Vec<&'t str>,
    /// Every name that was defined anywhere, with its last value.
    anywhere: HashMap<&'t str, LocalId>,
    /// Operands whose names were not visible: place in the pool.
    pending: Vec<(usize, Token)>,
    /// The same for the instruction at hand: place among its operands.
    pub(super) pending_here: Vec<(usize, Token)>,
    nesting: usize,
    /// What the terminators of the region at hand lead to.
    pub(super) targets: Targets,
    /// The parameters of the region that was read last: of a loop's body, when its continuing region begins.
    carried: Slice,
}

impl Body<'_> {
    pub(super) fn type_of(&self, parser: &Parser<'_, '_>, value: Value) -> TypeId {
        parser.module.type_of(&self.data, value)
    }
}

impl<'t> Parser<'t, '_> {
    /// Reads a body into its function.
    pub(super) fn function_body(&mut self, head: Head) {
        self.at = head.body;
        let empty = Function::placeholder();
        let id: FunctionId = head.function;
        let mut body = Body {
            data: std::mem::replace(&mut self.module.functions[id], empty),
            visible: HashMap::default(),
            defined: Vec::new(),
            anywhere: HashMap::default(),
            pending: Vec::new(),
            pending_here: Vec::new(),
            nesting: 0,
            targets: Targets::default(),
            carried: Slice::default(),
        };
        // Other bodies that call this one see its parameters: only its head counts for them.
        let mut shell = Function::new(body.data.name, body.data.result);
        let params: Vec<_> = body.data.locals.as_slice().iter().map(|l| l.ty).collect();
        let shell_body = shell.body;
        add_params(&mut shell, shell_body, &params);
        self.module.functions[id] = shell;

        let region = body.data.body;
        let locals: Vec<_> = body.data.params(region).collect();
        for (&name, local) in head.params.iter().zip(locals) {
            self.define(&mut body, self.str_of(name), self.span_of(name), local);
        }
        let closed = self.region_body(&mut body, region);
        if closed.is_some() && self.kind() != Kind::End && !self.token().first && self.word() != "fn" {
            let _ = self.expected::<()>("the end of the line");
        }
        for (place, token) in std::mem::take(&mut body.pending) {
            match body.anywhere.get(self.str_of(token)) {
                Some(&local) => body.data.operands[place] = Value::local(local),
                None => {
                    let _ = self.unknown::<()>(token, "value");
                }
            }
        }
        self.module.functions[id] = body.data;
    }

    fn define(&mut self, body: &mut Body<'t>, name: &'t str, span: Span, local: LocalId) {
        let text = &name[1..];
        if text.is_empty() {
            self.error(&codes::SYNTAX, span, "expected a value's name, found `%` alone");
            return;
        }
        if body.visible.insert(name, local).is_some() {
            self.error(&codes::REDEFINED, span, format!("`{}` is already defined here", clip(name)));
        } else {
            body.defined.push(name);
        }
        body.anywhere.insert(name, local);
        let name = if text.starts_with('"') {
            match lex::unescape(text) {
                Some(name) => self.module.names.intern(&name),
                None => {
                    self.error(&codes::TOKEN, span, "the string has an escape that there is not");
                    return;
                }
            }
        } else if text.bytes().all(|b| b.is_ascii_digit()) {
            return;
        } else {
            self.module.names.intern(text)
        };
        body.data.names.insert(local, name);
    }

    /// The instructions of a region, and its `}`.
    fn region_body(&mut self, body: &mut Body<'t>, region: RegionId) -> Option<()> {
        if self.word() == "empty" && self.peek(1) == Kind::Mark(b'}') {
            self.bump();
        }
        loop {
            if self.take(b'}') {
                return Some(());
            }
            if self.kind() == Kind::End {
                return self.expected("`}`");
            }
            let start = self.at;
            self.start = start;
            if self.inst(body, region).is_none() {
                // Its operands are not in the pool, and those of the next instruction are not these.
                body.pending_here.clear();
                self.recover(start);
            }
        }
    }

    /// Goes on at the next line, or at the end of the region.
    fn recover(&mut self, start: usize) {
        // A nested region that was read to its end leaves the cursor behind its brace.
        loop {
            let token = self.token();
            let moved = self.at > start;
            match token.kind {
                Kind::End => return,
                Kind::Mark(b'}') => return,
                _ if moved && token.first => return,
                Kind::Mark(b'{') => self.skip_braces(),
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// A region of `owner` with its braces and its scope of names. `params` are names and types.
    fn region(&mut self, body: &mut Body<'t>, params: &[(Token, TypeId)], owner: InstId) -> Option<RegionId> {
        if !self.is_mark(b'{') {
            return self.expected("`{`");
        }
        let limit = self.limits.nesting.min(DEPTH);
        if body.nesting >= limit {
            self.error(&codes::LIMIT, self.here(), format!("regions nest deeper than {limit} here"));
            self.skip_braces();
            return None;
        }
        self.bump();
        let region = body.data.regions.push(Region::default());
        let types: SmallVec<[TypeId; 8]> = params.iter().map(|p| p.1).collect();
        add_params(&mut body.data, region, &types);
        let outer = body.defined.len();
        let start = body.data.regions[region].params.start as usize;
        for (i, (token, _)) in params.iter().enumerate() {
            self.define(body, self.str_of(*token), self.span_of(*token), Id::new(start + i));
        }
        let (op, results) = (body.data.insts[owner].op, body.data.insts[owner].results);
        let targets = body.targets.within(op, results, body.carried);
        if op == Op::If && self.is_mark(b'}') {
            let span = self.here();
            self.push(body, region, Op::Yield, Attr::None, &[], Slice::default(), span);
        }
        let outer_targets = std::mem::replace(&mut body.targets, targets);
        body.nesting += 1;
        let closed = self.region_body(body, region);
        body.nesting -= 1;
        body.targets = outer_targets;
        body.carried = body.data.regions[region].params;
        for name in body.defined.drain(outer..) {
            body.visible.remove(name);
        }
        closed?;
        Some(region)
    }

    #[allow(clippy::too_many_arguments)]
    fn push(
        &mut self,
        body: &mut Body<'t>,
        region: RegionId,
        op: Op,
        attr: Attr,
        operands: &[Value],
        results: Slice,
        span: Span,
    ) -> InstId {
        self.instructions += 1;
        let start = body.data.operands.len();
        body.data.operands.extend_from_slice(operands);
        for (place, token) in body.pending_here.drain(..) {
            body.pending.push((start + place, token));
        }
        body.data.spans.push(span);
        let id = body.data.insts.push(Inst {
            op,
            precise: false,
            relaxed: false,
            attr,
            operands: Slice { start: start as u32, len: operands.len() as u32 },
            results,
            regions: Slice::default(),
            span: body.data.spans.len() as u32 - 1,
        });
        for (i, local) in results.range().enumerate() {
            body.data.locals[Id::new(local)].def = Def::Result(id, i as u16);
        }
        body.data.regions[region].insts.push(id);
        id
    }

    fn inst(&mut self, body: &mut Body<'t>, region: RegionId) -> Option<()> {
        let start = self.token();
        if self.instructions >= self.limits.instructions {
            let message = format!("the module has more than {} instructions", self.limits.instructions);
            self.error(&codes::LIMIT, self.here(), message);
            self.at = self.tokens.len() - 1;
            return None;
        }
        let results = if start.kind == Kind::Local { self.results(body)? } else { Slice::default() };
        if results.len > 0 {
            self.want(b'=')?;
        }
        let word = self.token();
        if word.kind != Kind::Word {
            return self.expected("an operation");
        }
        self.bump();
        let (op, suffix) = self.op(word)?;
        let attr = self.suffix_attr(op, suffix, word)?;
        let precise = self.take_word("precise");
        let relaxed = self.take_word("relaxed");
        let first = (results.len > 0).then(|| body.data.locals[Id::new(results.start as usize)].ty);
        let (operands, attr, loop_params) = self.rest(body, op, attr, first)?;
        let span = self.span_option()?;
        let end = self.tokens[self.at.saturating_sub(1)].end;
        let span = span.unwrap_or(Span::new(self.source, start.start, end));
        let id = self.push(body, region, op, attr, &operands, results, span);
        let inst = &mut body.data.insts[id];
        inst.precise = precise;
        inst.relaxed = relaxed;
        match op {
            Op::If => {
                let then = self.region(body, &[], id)?;
                self.want_word("else")?;
                let other = self.region(body, &[], id)?;
                own(body, id, &[then, other]);
            }
            Op::Loop => {
                let first = self.region(body, &loop_params, id)?;
                self.want_word("continuing")?;
                let params = self.params()?;
                let continuing = self.region(body, &params, id)?;
                own(body, id, &[first, continuing]);
            }
            Op::Switch => self.cases(body, id, operands.first().copied())?,
            _ => {}
        }
        Some(())
    }

    /// `%a: type, %b: type` before `=`: new locals, named and visible.
    fn results(&mut self, body: &mut Body<'t>) -> Option<Slice> {
        let mut names: SmallVec<[(Token, TypeId); 2]> = SmallVec::new();
        loop {
            names.push(self.param()?);
            if !self.take(b',') {
                break;
            }
        }
        let start = body.data.locals.len();
        for &(_, ty) in &names {
            body.data.locals.push(Local { ty, def: Def::Result(Id::new(0), 0) });
        }
        for (i, &(token, _)) in names.iter().enumerate() {
            self.define(body, self.str_of(token), self.span_of(token), Id::new(start + i));
        }
        Some(Slice { start: start as u32, len: names.len() as u32 })
    }

    pub(super) fn param(&mut self) -> Option<(Token, TypeId)> {
        let token = self.token();
        if token.kind != Kind::Local {
            return self.expected("a value's name");
        }
        self.bump();
        self.want(b':')?;
        Some((token, self.ty()?))
    }

    /// `(%a: type, …)`, or nothing.
    fn params(&mut self) -> Option<SmallVec<[(Token, TypeId); 4]>> {
        let mut params = SmallVec::new();
        if !self.take(b'(') {
            return Some(params);
        }
        while !self.take(b')') {
            self.room(params.len(), "parameters")?;
            params.push(self.param()?);
            if !self.take(b',') && !self.is_mark(b')') {
                return self.expected("`,` or `)`");
            }
        }
        Some(params)
    }

    fn cases(&mut self, body: &mut Body<'t>, id: InstId, selector: Option<Value>) -> Option<()> {
        let kind = selector
            .and_then(|v| types::lanes_of(body.type_of(self, v)))
            .map_or(Scalar::I32, |(kind, _)| if kind.is_integer() { kind } else { Scalar::U64 });
        self.want(b'{')?;
        let mut cases = Cases::default();
        let mut regions: SmallVec<[RegionId; 8]> = SmallVec::new();
        let mut whole = true;
        while !self.take(b'}') {
            if self.kind() == Kind::End {
                return self.expected("`}`");
            }
            let start = self.at;
            self.start = start;
            let read = (|| {
                self.room(cases.regions.len(), "cases")?;
                let case = self.case_label(kind)?;
                let params = self.params()?;
                let region = self.region(body, &params, id)?;
                Some((case, region))
            })();
            match read {
                Some((case, region)) => {
                    cases.regions.push(case);
                    regions.push(region);
                }
                None => {
                    whole = false;
                    self.recover(start);
                }
            }
        }
        own(body, id, &regions);
        body.data.insts[id].attr = Attr::Cases(body.data.cases.push(cases));
        whole.then_some(())
    }

    fn case_label(&mut self, kind: Scalar) -> Option<Case> {
        if self.take_word("default") {
            return Some(Case { values: Vec::new(), default: true });
        }
        self.want_word("case")?;
        let mut case = Case::default();
        while self.kind() == Kind::Number || self.word() == "default" {
            self.room(case.values.len(), "selectors")?;
            if self.take_word("default") {
                case.default = true;
            } else {
                case.values.push(self.selector(kind)?);
            }
            if !self.take(b',') {
                break;
            }
        }
        Some(case)
    }
}

/// Gives an instruction its regions.
fn own(body: &mut Body<'_>, inst: InstId, regions: &[RegionId]) {
    let start = body.data.owned.len() as u32;
    body.data.owned.extend_from_slice(regions);
    body.data.insts[inst].regions = Slice { start, len: regions.len() as u32 };
}
