//! The items of a module: structs, globals, specialisation constants, entry points, heads of functions.

use super::super::context;
use super::{Parser, clip};
use crate::codes;
use crate::constants::ConstantId;
use crate::function::{Function, FunctionId};
use crate::globals::{Binding, Builtin, Global, GlobalKind, Interpolation, Io, RegisterClass, Sampling, Stage};
use crate::module::{Denormals, DepthMode, EntryPoint, SpecConstant};
use crate::text::lex::Kind;
use crate::types::{self, Member, MemberLayout, Space, Struct, TypeId};
use aquatint_base::{Id, Name, Span};

/// The items of a text by kind: where each begins.
#[derive(Default)]
struct Items {
    structs: Vec<usize>,
    globals: Vec<usize>,
    specs: Vec<usize>,
    entries: Vec<usize>,
    functions: Vec<usize>,
}

/// The head of a function whose body is still to read.
pub(super) struct Head {
    pub function: FunctionId,
    /// Names of the parameters.
    pub params: Vec<super::Token>,
    /// The token behind the opening brace.
    pub body: usize,
}

const ITEMS: [&str; 5] = ["struct", "global", "spec", "entry", "fn"];

impl Parser<'_, '_> {
    /// Reads everything: first what is named, then what the names lead to, function bodies last.
    pub(super) fn module(&mut self) {
        self.header();
        let items = self.find_items();
        for &at in &items.structs {
            self.start = at;
            self.at = at;
            let _ = self.declare_struct();
        }
        for (index, &at) in items.structs.iter().enumerate() {
            self.start = at;
            self.at = at + 2;
            let _ = self.struct_body(index);
        }
        for &at in &items.globals {
            self.start = at;
            self.at = at + 1;
            let _ = self.global();
        }
        for &at in &items.specs {
            self.start = at;
            self.at = at + 1;
            let _ = self.spec();
        }
        let heads: Vec<_> = items.functions.iter().map(|&at| self.function_head(at + 1)).collect();
        for &at in &items.entries {
            self.start = at;
            self.at = at + 1;
            let _ = self.entry();
        }
        for head in heads.into_iter().flatten() {
            self.function_body(head);
        }
    }

    fn header(&mut self) {
        if self.want_word("module").is_none() {
            return;
        }
        if self.take_word("denormals") {
            self.module.denormals = match self.word_argument() {
                Some(("keep", _)) => Denormals::Keep,
                Some(("flush", _)) => Denormals::Flush,
                Some(("any", _)) => Denormals::Any,
                Some((_, span)) => {
                    self.error(&codes::SYNTAX, span, "expected `any`, `keep` or `flush`");
                    return;
                }
                None => return,
            };
        }
    }

    /// Where the items begin. What stands between them and belongs to none is reported.
    fn find_items(&mut self) -> Items {
        let mut items = Items::default();
        let mut in_item = false;
        loop {
            self.start = self.at;
            let word = self.word();
            match (word, self.peek(1)) {
                ("struct", Kind::Local) if self.token().first => items.structs.push(self.at),
                ("global", _) if self.token().first => items.globals.push(self.at),
                ("spec", Kind::Mark(b'(')) if self.token().first => items.specs.push(self.at),
                ("entry", _) if self.token().first => items.entries.push(self.at),
                ("fn", _) => items.functions.push(self.at),
                _ if self.kind() == Kind::End => return items,
                _ => {
                    if !in_item || self.token().first && !self.is_mark(b'!') && !self.is_mark(b'{') {
                        let _ = self.expected::<()>("`struct`, `global`, `spec`, `entry` or `fn`");
                        self.skip_line();
                        continue;
                    }
                    if self.is_mark(b'{') {
                        self.skip_braces();
                    } else {
                        self.bump();
                    }
                    continue;
                }
            }
            in_item = true;
            self.bump();
        }
    }

    /// Passes a `{` and everything up to its `}`.
    pub(super) fn skip_braces(&mut self) {
        let mut depth = 0usize;
        loop {
            match self.bump().kind {
                Kind::Mark(b'{') => depth += 1,
                Kind::Mark(b'}') => depth = depth.saturating_sub(1),
                Kind::End => return,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn skip_line(&mut self) {
        self.bump();
        while self.kind() != Kind::End && !self.token().first {
            if self.is_mark(b'{') {
                self.skip_braces();
            } else {
                self.bump();
            }
        }
    }

    /// Reports what stands behind an item and does not belong to it.
    fn end_of_item(&mut self) -> Option<()> {
        if self.kind() == Kind::End || ITEMS.contains(&self.word()) && (self.token().first || self.word() == "fn") {
            return Some(());
        }
        // What begins a line was reported by the search for items.
        if self.token().first { None } else { self.expected("the end of the line") }
    }

    fn declare_struct(&mut self) -> Option<()> {
        self.bump();
        // Entered even after an error, so that the numbers of the others stay what they are.
        let name = self.sigil_name(Kind::Local, "`%` and the name of a struct").map_or(Name::EMPTY, |(name, _)| name);
        let id = self.module.types.structs.push(Struct { name, members: Vec::new(), size: 0 });
        self.structs.entry(name).or_insert(id);
        self.room(id.index(), "structs")
    }

    fn struct_body(&mut self, index: usize) -> Option<()> {
        let id: Id<Struct> = Id::new(index);
        self.want(b'{')?;
        let mut members = Vec::new();
        while !self.is_mark(b'}') {
            self.room(members.len(), "members of a struct")?;
            let name = self.name()?;
            self.want(b':')?;
            let ty = self.ty()?;
            let layout = if self.take_at()? { Some(self.layout()?) } else { None };
            self.members.entry((id, name)).or_insert(members.len() as u32);
            members.push(Member { name, ty, layout });
            if !self.take(b',') && !self.is_mark(b'}') {
                return self.expected("`,` or `}`");
            }
        }
        self.bump();
        let size = if self.take_word("size") { self.u32_argument()? } else { 0 };
        let data = &mut self.module.types.structs[id];
        data.members = members;
        data.size = size;
        self.end_of_item()
    }

    /// Whether `@16` follows. The token is that of a global's name.
    fn take_at(&mut self) -> Option<bool> {
        Some(self.kind() == Kind::Global)
    }

    fn layout(&mut self) -> Option<MemberLayout> {
        let token = self.bump();
        let digits = &self.str_of(token)[1..];
        let Some(offset) = digits.parse::<u32>().ok() else {
            let message = format!("`{}` is no offset in bytes", clip(digits));
            return self.fail(&codes::LITERAL, self.span_of(token), message);
        };
        let matrix_stride = if self.take_word("stride") { self.u32_argument()? } else { 0 };
        let row_major = self.take_word("row_major");
        Some(MemberLayout { offset, matrix_stride, row_major })
    }

    fn global(&mut self) -> Option<()> {
        let (name, token) = self.sigil_name(Kind::Global, "`@` and the name of a global")?;
        self.room(self.module.globals.len(), "globals")?;
        self.want(b':')?;
        let space = Space::ALL.into_iter().find(|s| s.name() == self.word() && self.peek(1) == Kind::Mark(b'<'));
        let ty = if space.is_some() {
            self.bump();
            self.bump();
            let ty = self.ty()?;
            self.want(b'>')?;
            ty
        } else {
            self.ty()?
        };
        let space = space.unwrap_or(Space::Handle);
        let (kind, span) = self.global_kind(space, ty, self.span_of(token))?;
        let value_ty = if space == Space::Handle { ty } else { self.module.types.pointer(space, ty) };
        let id = self.module.globals.push(Global { name, ty, value_ty, space, kind, span });
        self.globals.entry(name).or_insert(id);
        self.end_of_item()
    }

    fn global_kind(&mut self, space: Space, ty: TypeId, place: Span) -> Option<(GlobalKind, Span)> {
        let mut io = Io { location: None, ..Io::at(0) };
        let mut binding = None;
        let (mut writable, mut counter) = (false, false);
        let mut first: Option<ConstantId> = None;
        let in_out = matches!(space, Space::Input | Space::Output);
        let resource = matches!(space, Space::Uniform | Space::Storage | Space::Handle);
        loop {
            let (word, span) = (self.word(), self.here());
            let fits = match word {
                "location" | "builtin" | "usage" | "linear" | "flat" | "centroid" | "sample" | "blend"
                | "invariant" => in_out,
                "binding" | "writable" | "counter" => resource,
                _ => true,
            };
            if !fits {
                let message = format!("`{word}` does not belong to a global in the {} space", space.name());
                return self.fail(&codes::ATTRIBUTE, span, message);
            }
            if word.is_empty() || ITEMS.contains(&word) {
                break;
            }
            self.bump();
            match word {
                "location" => io.location = Some(self.u32_argument()?),
                "builtin" => {
                    let (name, span) = self.word_argument()?;
                    let Some(builtin) = Builtin::from_name(name) else {
                        return self.fail(&codes::SYNTAX, span, format!("`{}` is no built-in", clip(name)));
                    };
                    io.builtin = Some(builtin);
                }
                "usage" => {
                    self.want(b'(')?;
                    let name = self.name()?;
                    self.want(b',')?;
                    let index = self.u32()?;
                    self.want(b')')?;
                    io = io.named(name, index);
                }
                "linear" => io.interpolation = Interpolation::Linear,
                "flat" => io.interpolation = Interpolation::Flat,
                "centroid" => io.sampling = Sampling::Centroid,
                "sample" => io.sampling = Sampling::Sample,
                "blend" => io.blend_index = self.u32_argument()?,
                "invariant" => io.invariant = true,
                "binding" => binding = Some(self.binding()?),
                "writable" => writable = true,
                "counter" => counter = true,
                _ => {
                    let message = format!("`{}` is no attribute of a global", clip(word));
                    return self.fail(&codes::SYNTAX, span, message);
                }
            }
        }
        if self.is_mark(b'=') {
            if space != Space::Private {
                let message = format!("a global in the {} space has no first value", space.name());
                return self.fail(&codes::ATTRIBUTE, self.here(), message);
            }
            self.bump();
            first = Some(self.constant(context::kind_of(&self.module.types, ty))?);
        }
        let span = self.span_option()?.unwrap_or(place);
        let kind = match space {
            Space::Input => GlobalKind::Input(io),
            Space::Output => GlobalKind::Output(io),
            Space::Uniform | Space::Storage | Space::Handle => {
                let Some(binding) = binding else {
                    return self.fail(&codes::ATTRIBUTE, place, "a resource needs a `binding(class c, register n)`");
                };
                GlobalKind::Resource { binding, writable, counter }
            }
            Space::Push => GlobalKind::Push,
            Space::Workgroup => GlobalKind::Workgroup,
            Space::Private | Space::Function => GlobalKind::Private(first),
        };
        Some((kind, span))
    }

    fn binding(&mut self) -> Option<Binding> {
        self.want(b'(')?;
        self.want_word("class")?;
        let Some(class) = RegisterClass::from_name(self.word()) else {
            return self.expected("a register class: `b`, `t`, `s` or `u`");
        };
        self.bump();
        self.want(b',')?;
        self.want_word("register")?;
        let register = self.u32()?;
        let space = if self.take(b',') {
            self.want_word("space")?;
            self.u32()?
        } else {
            0
        };
        self.want(b')')?;
        Some(Binding { class, register, space })
    }

    fn spec(&mut self) -> Option<()> {
        self.room(self.module.spec_constants.len(), "specialisation constants")?;
        let id = self.u32_argument()?;
        let (name, token) = self.sigil_name(Kind::Global, "`@` and the name of a global")?;
        let Some(&global) = self.globals.get(&name) else { return self.unknown(token, "global") };
        self.want(b'=')?;
        let kind = context::kind_of(&self.module.types, self.module.globals[global].ty);
        let default = self.constant(kind)?;
        self.module.spec_constants.push(SpecConstant { id, global, default });
        self.end_of_item()
    }

    pub(super) fn unknown<T>(&mut self, token: super::Token, what: &str) -> Option<T> {
        let message = format!("there is no {what} `{}`", clip(self.str_of(token)));
        self.fail(&codes::UNKNOWN_NAME, self.span_of(token), message)
    }

    fn entry(&mut self) -> Option<()> {
        self.room(self.module.entry_points.len(), "entry points")?;
        let Some(stage) = Stage::from_name(self.word()) else {
            return self.expected("a stage: `vertex`, `fragment` or `compute`");
        };
        self.bump();
        if self.kind() != Kind::Text {
            return self.expected("the name of the entry point in quotes");
        }
        let name = self.name()?;
        let (function, token) = self.sigil_name(Kind::Global, "`@` and the name of a function")?;
        let Some(&function) = self.functions.get(&function) else { return self.unknown(token, "function") };
        let unit = if stage == Stage::Compute { 0 } else { 1 };
        let mut entry =
            EntryPoint { name, stage, function, workgroup_size: [unit; 3], depth: DepthMode::Any, early_tests: false };
        loop {
            if self.take_word("workgroup_size") {
                self.want(b'(')?;
                let x = self.u32()?;
                self.want(b',')?;
                let y = self.u32()?;
                self.want(b',')?;
                let z = self.u32()?;
                self.want(b')')?;
                entry.workgroup_size = [x, y, z];
            } else if self.take_word("depth") {
                entry.depth = match self.word_argument()? {
                    ("greater", _) => DepthMode::Greater,
                    ("less", _) => DepthMode::Less,
                    (_, span) => return self.fail(&codes::SYNTAX, span, "expected `greater` or `less`"),
                };
            } else if self.take_word("early_tests") {
                entry.early_tests = true;
            } else {
                break;
            }
        }
        self.module.entry_points.push(entry);
        self.end_of_item()
    }

    /// Reads a head and enters the function, also after an error, so that calls of it find something.
    fn function_head(&mut self, at: usize) -> Option<Head> {
        self.at = at;
        self.start = at;
        let (name, _) = self.sigil_name(Kind::Global, "`@` and the name of a function")?;
        self.room(self.module.functions.len(), "functions")?;
        let id = self.module.functions.push(Function::new(name, types::VOID));
        self.functions.entry(name).or_insert(id);
        self.want(b'(')?;
        let mut params = Vec::new();
        let mut param_types = Vec::new();
        while !self.is_mark(b')') {
            self.room(params.len(), "parameters")?;
            let token = self.token();
            if token.kind != Kind::Local {
                return self.expected("a parameter");
            }
            self.bump();
            self.want(b':')?;
            params.push(token);
            param_types.push(self.ty()?);
            if !self.take(b',') && !self.is_mark(b')') {
                return self.expected("`,` or `)`");
            }
        }
        self.bump();
        if self.kind() == Kind::Arrow {
            self.bump();
            self.module.functions[id].result = self.ty()?;
        }
        self.want(b'{')?;
        let function = &mut self.module.functions[id];
        let body = function.body;
        super::body::add_params(function, body, &param_types);
        Some(Head { function: id, params, body: self.at })
    }
}
