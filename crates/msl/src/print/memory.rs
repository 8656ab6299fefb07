//! Paths to memory, loads and stores.

use super::Body;
use super::operator::precedence;
use super::types::{Form, element_form, form, is_spread, lanes_name};
use crate::raise::name_interface::is_run;
use aquatint_ir::types::{MemberLayout, Scalar, Space, Type, TypeId, lanes_of, vector};
use aquatint_ir::{Global, GlobalKind, InstId, Op, Value, ValueKind};
use smallvec::SmallVec;

/// A path from its root.
pub(super) struct Path {
    root: Value,
    steps: SmallVec<[Value; 8]>,
    /// The type at the root.
    ty: TypeId,
    space: Space,
}

/// Where a path ended.
struct End {
    ty: TypeId,
    /// Whether vectors there are plain ones.
    plain: bool,
    /// The layout of the member that it went through last.
    layout: Option<MemberLayout>,
}

fn in_buffer(space: Space) -> bool {
    matches!(space, Space::Uniform | Space::Storage | Space::Push)
}

impl Body<'_, '_> {
    /// The root and the steps of a pointer.
    pub(super) fn flatten(&self, pointer: Value) -> Path {
        let mut chain: SmallVec<[InstId; 4]> = SmallVec::new();
        let mut root = pointer;
        while let Some(inst) = root.as_local().and_then(|l| self.function.def_inst(l))
            && self.function.insts[inst].op == Op::Access
            && let Some(&base) = self.function.operands(inst).first()
        {
            chain.push(inst);
            root = base;
        }
        let mut steps = SmallVec::new();
        for &inst in chain.iter().rev() {
            steps.extend(self.function.operands(inst).iter().skip(1).copied());
        }
        let (ty, space) = match self.file.module.types.get(self.type_of(root)) {
            Type::Pointer { space, pointee } => (pointee, space),
            _ => (self.type_of(root), Space::Handle),
        };
        Path { root, steps, ty, space }
    }

    /// Writes where a pointer points.
    pub(super) fn path(&mut self, pointer: Value) {
        let path = self.flatten(pointer);
        self.write_path(&path, path.steps.len());
    }

    fn fixed(&self, step: Value) -> Option<u32> {
        let id = step.as_constant()?;
        self.file.module.constants.get(id)?.lane(0).map(|bits| bits as u32)
    }

    fn root(&mut self, root: Value) {
        match root.kind() {
            ValueKind::Global(id) => self.push(self.interface().global(id)),
            ValueKind::Local(local) => self.push_label(local),
            ValueKind::Constant(_) => self.expr(root, precedence::POSTFIX),
        }
    }

    /// Writes the first `count` steps of a path.
    fn write_path(&mut self, path: &Path, count: usize) -> End {
        let module = self.file.module;
        let begin = self.file.out.len();
        self.root(path.root);
        let buffer = in_buffer(path.space);
        let mut end = End { ty: path.ty, plain: false, layout: None };
        let global = path.root.as_global().and_then(|id| module.globals.get(id));
        let bytes = global.is_some_and(|global| is_run(module, global) && is_spread(module, global.ty));
        let mut shape = if bytes { Form::Bytes(0) } else { Form::Side };
        // Arrays of values are structs with a member `e`; those in buffers and stage structs are plain arrays.
        let mut wrapped = self.file.arrays && matches!(path.space, Space::Function | Space::Private | Space::Workgroup);
        let mut at = 0;
        while let Some(&step) = path.steps.get(at).filter(|_| at < count) {
            at += 1;
            let fixed = self.fixed(step);
            match module.types.get(end.ty) {
                Type::Struct(id) => {
                    let index = fixed.unwrap_or(0) as usize;
                    self.push(".");
                    self.push(self.interface().member(id, index));
                    let Some(s) = module.types.structs.get(id) else { return end };
                    let Some(member) = s.members.get(index) else { return end };
                    end.plain |= self.file.plain.get(id.index()) == Some(&true);
                    end.layout = member.layout;
                    end.ty = member.ty;
                    shape = if buffer { form(module, s, index) } else { Form::Side };
                    wrapped = !buffer;
                }
                Type::Array { element, stride, .. } => match shape {
                    Form::Bytes(_) => {
                        self.push("[");
                        self.byte_offset(step, stride);
                        end.ty = element;
                        while let (Type::Array { element, stride, .. }, Some(&step)) =
                            (module.types.get(end.ty), path.steps.get(at).filter(|_| at < count))
                        {
                            self.push(" + ");
                            self.byte_offset(step, stride);
                            end.ty = element;
                            at += 1;
                        }
                        self.push("])");
                        let mut head = String::from("(*(");
                        let read_only = |g: &Global| matches!(g.kind, GlobalKind::Resource { writable: false, .. });
                        head.push_str(match path.space {
                            Space::Storage if global.is_some_and(read_only) => "const device ",
                            Space::Storage => "device ",
                            _ => "constant ",
                        });
                        let rest = self.file.out.split_off(begin);
                        self.push(&head);
                        self.file.buffer_type(end.ty, end.plain);
                        self.push("*)&");
                        self.push(&rest);
                        shape = Form::Side;
                    }
                    Form::Wrapped => {
                        self.index(step);
                        self.push(".v");
                        end.ty = element;
                        shape = element_form(module, element, stride, end.layout);
                    }
                    Form::Side => {
                        if wrapped {
                            self.push(".e");
                        }
                        self.index(step);
                        end.ty = element;
                    }
                },
                Type::Vector(kind, _) => {
                    match fixed {
                        Some(lane) => {
                            self.push(".");
                            self.push(["x", "y", "z", "w"][lane as usize & 3]);
                        }
                        None => self.index(step),
                    }
                    end.ty = aquatint_ir::types::scalar(kind);
                }
                Type::Matrix { scalar, columns, .. } => {
                    self.index(step);
                    end.ty = vector(scalar, columns);
                }
                _ => return end,
            }
        }
        end
    }

    fn index(&mut self, step: Value) {
        self.push("[");
        match self.fixed(step) {
            Some(number) => self.file.number(number),
            None => self.expr(step, 0),
        }
        self.push("]");
    }

    fn byte_offset(&mut self, step: Value, stride: u32) {
        match self.fixed(step) {
            Some(number) => self.file.number(number.saturating_mul(stride)),
            None => {
                self.push("uint(");
                self.expr(step, 0);
                self.push(") * ");
                self.file.number(stride);
            }
        }
        self.push("u");
    }

    /// Writes what a pointer points to, as a value.
    pub(super) fn load(&mut self, pointer: Value, min: u8) {
        let module = self.file.module;
        let path = self.flatten(pointer);
        if in_buffer(path.space)
            && let Some(at) = self.matrix_step(&path)
        {
            return self.matrix(&path, at);
        }
        let pointee = match module.types.get(self.type_of(pointer)) {
            Type::Pointer { pointee, .. } => pointee,
            _ => path.ty,
        };
        let stored_as_uint = in_buffer(path.space) || self.is_attribute(path.root);
        match lanes_of(pointee) {
            Some((Scalar::Bool, lanes)) if stored_as_uint => {
                let brackets = min > precedence::EQUALITY;
                if brackets {
                    self.push("(");
                }
                if lanes > 1 {
                    self.push(lanes_name(Scalar::U32, lanes));
                    self.push("(");
                }
                self.write_path(&path, path.steps.len());
                self.push(if lanes > 1 { ") != 0u" } else { " != 0u" });
                if brackets {
                    self.push(")");
                }
            }
            Some((kind, lanes)) if lanes > 1 && in_buffer(path.space) => {
                let begin = self.file.out.len();
                let end = self.write_path(&path, path.steps.len());
                if !(end.plain && lanes != 3) {
                    let text = self.file.out.split_off(begin);
                    self.push(lanes_name(kind, lanes));
                    self.push("(");
                    self.push(&text);
                    self.push(")");
                }
            }
            _ => {
                self.write_path(&path, path.steps.len());
            }
        }
    }

    /// Whether the root is an input of bools, which the stage struct holds as numbers.
    fn is_attribute(&self, root: Value) -> bool {
        root.as_global()
            .and_then(|g| self.file.module.globals.get(g))
            .and_then(|g| g.io())
            .is_some_and(|io| io.location.is_some())
    }

    /// How many steps lead to a matrix, if the path meets one.
    fn matrix_step(&self, path: &Path) -> Option<usize> {
        let types = &self.file.module.types;
        let mut ty = path.ty;
        for (at, &step) in path.steps.iter().enumerate() {
            if matches!(types.get(ty), Type::Matrix { .. }) {
                return Some(at);
            }
            ty = types.step(ty, self.fixed(step).unwrap_or(0))?;
        }
        matches!(types.get(ty), Type::Matrix { .. }).then_some(path.steps.len())
    }

    /// Reads a matrix in a buffer, or a row or element of it, from its lines (sheet C6.4, C6.9).
    fn matrix(&mut self, path: &Path, at: usize) {
        let begin = self.file.out.len();
        let end = self.write_path(path, at);
        let place = self.file.out.split_off(begin);
        let Type::Matrix { scalar, rows, columns } = self.file.module.types.get(end.ty) else { return };
        let row_major = end.layout.is_some_and(|l| l.row_major);
        let (lines, width) = if row_major { (rows, columns) } else { (columns, rows) };
        let line = |body: &mut Self, number: u32| {
            body.push(&place);
            body.push("_l");
            body.file.number(number);
        };
        let row = path.steps.get(at).copied();
        let column = path.steps.get(at + 1).copied();
        let fixed = |body: &Self, step: Option<Value>| step.and_then(|s| body.fixed(s));
        match (row, column) {
            (Some(_), Some(column)) if row_major && fixed(self, row).is_some() => {
                line(self, fixed(self, row).unwrap_or(0));
                self.index(column);
            }
            (Some(row), Some(_)) if !row_major && fixed(self, column).is_some() => {
                line(self, fixed(self, column).unwrap_or(0));
                self.index(row);
            }
            (Some(row), None) if row_major && self.fixed(row).is_some() => {
                self.push(lanes_name(scalar, columns));
                self.push("(");
                line(self, self.fixed(row).unwrap_or(0));
                self.push(")");
            }
            (Some(row), None) if !row_major => {
                self.push(lanes_name(scalar, columns));
                self.push("(");
                for number in 0..u32::from(lines) {
                    if number > 0 {
                        self.push(", ");
                    }
                    line(self, number);
                    self.index(row);
                }
                self.push(")");
            }
            _ => {
                if !row_major {
                    self.push("transpose(");
                }
                self.push(lanes_name(scalar, 1));
                self.file.number(lines.into());
                self.push("x");
                self.file.number(width.into());
                self.push("(");
                for number in 0..u32::from(lines) {
                    self.push(if number > 0 { ", " } else { "" });
                    self.push(lanes_name(scalar, width));
                    self.push("(");
                    line(self, number);
                    self.push(")");
                }
                self.push(if row_major { ")" } else { "))" });
                for step in [row, column].into_iter().flatten() {
                    self.index(step);
                }
            }
        }
    }

    /// Writes `place = value;` without the line's beginning and end.
    pub(super) fn store(&mut self, pointer: Value, value: Value) {
        let path = self.flatten(pointer);
        self.write_path(&path, path.steps.len());
        self.push(" = ");
        if in_buffer(path.space)
            && let Some((Scalar::Bool, lanes)) = lanes_of(self.type_of(value))
        {
            self.push(lanes_name(Scalar::U32, lanes));
            self.push("(");
            self.expr(value, 0);
            self.push(")");
        } else {
            self.expr(value, 0);
        }
    }

    /// Declares a local variable.
    pub(super) fn variable(&mut self, inst: InstId) {
        let Some(local) = self.function.result(inst) else { return };
        let Type::Pointer { pointee, .. } = self.file.module.types.get(self.function.locals[local].ty) else { return };
        self.label(local);
        self.file.start();
        let initial = self.function.operands(inst).first().copied();
        self.declarator(pointee, |body| body.push_label(local));
        match initial {
            Some(value) => {
                self.push(" = ");
                self.expr(value, 0);
            }
            None => self.zero(pointee),
        }
        self.push(";\n");
    }

    /// `type name`, or `type name[n]` where arrays are not values.
    pub(super) fn declarator(&mut self, ty: TypeId, name: impl FnOnce(&mut Self)) {
        let mut lengths: SmallVec<[u32; 4]> = SmallVec::new();
        let mut element = ty;
        while !self.file.arrays
            && let Type::Array { element: inner, length, .. } = self.file.module.types.get(element)
        {
            lengths.push(length.unwrap_or(1));
            element = inner;
        }
        self.type_name(element);
        self.push(" ");
        name(self);
        for length in lengths {
            self.push("[");
            self.file.number(length);
            self.push("]");
        }
    }

    /// ` = 0` in the form that the type takes.
    pub(super) fn zero(&mut self, ty: TypeId) {
        match lanes_of(ty) {
            Some((kind, lanes)) => {
                self.push(" = ");
                self.zero_lanes(kind, lanes);
            }
            None => self.push(" = {}"),
        }
    }

    pub(super) fn zero_lanes(&mut self, kind: Scalar, lanes: u8) {
        if lanes > 1 {
            self.push(lanes_name(kind, lanes));
            self.push("(");
        }
        super::literal::scalar(&mut self.file.out, kind, 0, false);
        if lanes > 1 {
            self.push(")");
        }
    }
}
