//! Operators on values (A9.2 to A9.9).

use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::operand::{Expr, Node};
use crate::types::{self, Kind, Shape, Ty, Type};
use aquatint_base::Span;
use aquatint_ir::{Op, Value};

/// A binary operator whose operands are both evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&&`
    LogicalAnd,
    /// `||`
    LogicalOr,
}

impl Binary {
    /// Its spelling.
    pub const fn text(self) -> &'static str {
        match self {
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "/",
            Binary::Rem => "%",
            Binary::Shl => "<<",
            Binary::Shr => ">>",
            Binary::And => "&",
            Binary::Or => "|",
            Binary::Xor => "^",
            Binary::Lt => "<",
            Binary::Gt => ">",
            Binary::Le => "<=",
            Binary::Ge => ">=",
            Binary::Eq => "==",
            Binary::Ne => "!=",
            Binary::LogicalAnd => "&&",
            Binary::LogicalOr => "||",
        }
    }

    /// Whether it is a comparison.
    pub const fn compares(self) -> bool {
        matches!(self, Binary::Lt | Binary::Gt | Binary::Le | Binary::Ge | Binary::Eq | Binary::Ne)
    }

    const fn bitwise(self) -> bool {
        matches!(self, Binary::Shl | Binary::Shr | Binary::And | Binary::Or | Binary::Xor)
    }

    /// The operation on floats and on integers.
    const fn ops(self) -> (Op, Op) {
        match self {
            Binary::Add => (Op::FAdd, Op::IAdd),
            Binary::Sub => (Op::FSub, Op::ISub),
            Binary::Mul => (Op::FMul, Op::IMul),
            Binary::Div => (Op::FDiv, Op::IDiv),
            Binary::Rem => (Op::FRem, Op::IRem),
            Binary::Shl => (Op::Shl, Op::Shl),
            Binary::Shr => (Op::Shr, Op::Shr),
            Binary::And | Binary::LogicalAnd => (Op::And, Op::And),
            Binary::Or | Binary::LogicalOr => (Op::Or, Op::Or),
            Binary::Xor => (Op::Xor, Op::Xor),
            Binary::Lt => (Op::FLt, Op::ILt),
            Binary::Gt => (Op::FGt, Op::IGt),
            Binary::Le => (Op::FLe, Op::ILe),
            Binary::Ge => (Op::FGe, Op::IGe),
            Binary::Eq => (Op::FEq, Op::IEq),
            Binary::Ne => (Op::FNe, Op::INe),
        }
    }
}

impl Sema<'_> {
    /// `a op b`, both evaluated.
    pub(crate) fn binary(&mut self, op: Binary, a: &Expr, b: &Expr, span: Span) -> Expr {
        if a.is_error() || b.is_error() {
            return Expr::error(span);
        }
        if let Some(literal) = literal(op, a, b) {
            return match literal {
                Ok(node) => {
                    let ty = match node {
                        Node::Float(_) => types::scalar(Kind::LitFloat),
                        Node::Int(_) => types::scalar(Kind::LitInt),
                        _ => types::BOOL,
                    };
                    Expr { ty, node, span }
                }
                Err(Folded::Truth(truth)) => {
                    let value = self.bool(truth);
                    Expr::value(types::BOOL, value, span)
                }
                Err(Folded::DivisionByZero) => {
                    self.error(&codes::AQ3060, span, "division of an integer by zero".to_owned());
                    Expr::error(span)
                }
            };
        }
        if !self.operands_fit(op, a, b, span) {
            return Expr::error(span);
        }
        if matches!(op, Binary::Shl | Binary::Shr) {
            return self.shift(op, a, b, span);
        }
        let Some((kind, shape, truncates)) = self.types.combine(a.ty, b.ty) else {
            let message = format!("'{}' and '{}' do not go together", self.ty_name(a.ty), self.ty_name(b.ty));
            self.error(&codes::AQ3003, span, message);
            return Expr::error(span);
        };
        if truncates {
            for side in [a, b] {
                if self.types.numeric(side.ty).is_some_and(|(_, s)| s.count() > shape.count()) {
                    let to = self.types.of(kind, shape);
                    let message =
                        format!("implicit truncation of '{}' to '{}'", self.ty_name(side.ty), self.ty_name(to));
                    self.warning(&codes::AQ3201, side.span, message);
                }
            }
        }
        let logical = matches!(op, Binary::LogicalAnd | Binary::LogicalOr);
        let kind = match kind.resolved() {
            _ if logical => Kind::Bool,
            Kind::Bool if matches!(op, Binary::Eq | Binary::Ne) => Kind::Bool,
            // A literal that fits no int keeps what it needs.
            Kind::Int if self.needs(a).max(self.needs(b)) == 2 && a.ty == b.ty => Kind::Int64,
            kind => kind.arithmetic(),
        };
        let operand = self.types.of(kind, shape);
        let (x, y) = (self.convert_quietly(a, operand), self.convert_quietly(b, operand));
        if kind.is_int() && matches!(op, Binary::Div | Binary::Rem) && self.is_zero(y) {
            self.error(&codes::AQ3060, span, "division of an integer by zero".to_owned());
            return Expr::error(span);
        }
        if kind == Kind::Double && op == Binary::Rem {
            self.error(&codes::AQ3015, span, "'%' does not work on double".to_owned());
            return Expr::error(span);
        }
        let (float, int) = op.ops();
        let value = self.each(if kind.is_float() { float } else { int }, &[x, y]);
        let ty = match op.compares() || logical {
            true => self.types.of(Kind::Bool, shape),
            false => operand,
        };
        Expr::value(ty, value, span)
    }

    /// 0 for what fits int, 1 for uint, 2 for 64 bits.
    fn needs(&self, expr: &Expr) -> u8 {
        match expr.node {
            Node::Int(n) => match types::kind::resolve_int(n) {
                Kind::Int => 0,
                Kind::Uint => 1,
                _ => 2,
            },
            _ => 0,
        }
    }

    fn is_zero(&self, value: Value) -> bool {
        let Some(constant) = value.as_constant().and_then(|id| self.module.constants.get(id)) else { return false };
        match self.lanes(value).1 {
            1 => constant.lane(0) == Some(0),
            n => (0..usize::from(n)).any(|i| constant.lane(i) == Some(0)),
        }
    }

    /// Whether the operator applies to the operands' types; says why not.
    fn operands_fit(&mut self, op: Binary, a: &Expr, b: &Expr, span: Span) -> bool {
        for side in [a, b] {
            let fits = match self.types.numeric(side.ty) {
                None => false,
                Some((kind, _)) => !(op.bitwise() && kind.is_float()),
            };
            if !fits {
                let code = if side.ty == types::VOID { &codes::AQ3061 } else { &codes::AQ3015 };
                let message = format!("'{}' does not work on '{}'", op.text(), self.ty_name(side.ty));
                self.error(code, side.span, message);
                return false;
            }
        }
        let scoped =
            |sema: &Self, e: &Expr| matches!(sema.types.get(e.ty), Type::Enum(id) if sema.types.enums[id].scoped);
        if (scoped(self, a) || scoped(self, b)) && !(op.compares() && a.ty == b.ty) {
            let message = format!("'{}' does not work on '{}': cast it", op.text(), self.ty_name(a.ty));
            self.error(&codes::AQ3015, span, message);
            return false;
        }
        true
    }

    /// Shifts have the kind of the left operand (A9.7); the IR masks the amount.
    fn shift(&mut self, op: Binary, a: &Expr, b: &Expr, span: Span) -> Expr {
        let (Some((left, sa)), Some((right, sb))) = (self.types.numeric(a.ty), self.types.numeric(b.ty)) else {
            return Expr::error(span);
        };
        let Some((shape, _)) = sa.combine(sb) else {
            let message = format!("'{}' and '{}' do not go together", self.ty_name(a.ty), self.ty_name(b.ty));
            self.error(&codes::AQ3003, span, message);
            return Expr::error(span);
        };
        let kind = match left {
            Kind::LitInt => {
                let kind = if right.is_unsigned() { Kind::Uint } else { Kind::Int };
                let message = format!("a literal is shifted by a value: it is taken as '{}'", kind.name());
                self.warning(&codes::AQ3207, span, message);
                kind
            }
            kind => kind.arithmetic(),
        };
        let ty = self.types.of(kind, shape);
        let (x, y) = (self.convert_quietly(a, ty), self.convert_quietly(b, ty));
        let value = self.each(op.ops().1, &[x, y]);
        Expr::value(ty, value, span)
    }

    /// `-a`.
    pub(crate) fn negate(&mut self, a: &Expr, span: Span) -> Expr {
        match a.node {
            Node::Int(n) => return Expr { ty: a.ty, node: Node::Int(n.wrapping_neg()), span },
            Node::Float(n) => return Expr { ty: a.ty, node: Node::Float(-n), span },
            _ => {}
        }
        let Some((kind, shape)) = self.unary_operand(a, "-") else { return Expr::error(span) };
        if kind.is_unsigned() {
            let message = format!("the negative of '{}' wraps", self.ty_name(a.ty));
            self.warning(&codes::AQ3208, span, message);
        }
        let kind = kind.arithmetic();
        let ty = self.types.of(kind, shape);
        let x = self.convert_quietly(a, ty);
        let value = self.each(if kind.is_float() { Op::FNeg } else { Op::INeg }, &[x]);
        Expr::value(ty, value, span)
    }

    /// `+a`.
    pub(crate) fn plus(&mut self, a: &Expr, span: Span) -> Expr {
        if matches!(a.node, Node::Int(_) | Node::Float(_)) {
            return Expr { span, ..a.clone() };
        }
        let Some((kind, shape)) = self.unary_operand(a, "+") else { return Expr::error(span) };
        let ty = self.types.of(kind.arithmetic(), shape);
        let value = self.convert_quietly(a, ty);
        Expr::value(ty, value, span)
    }

    /// `~a`.
    pub(crate) fn complement(&mut self, a: &Expr, span: Span) -> Expr {
        if let Node::Int(n) = a.node {
            return Expr { ty: a.ty, node: Node::Int(!n), span };
        }
        let Some((kind, shape)) = self.unary_operand(a, "~") else { return Expr::error(span) };
        if kind.is_float() {
            let message = format!("'~' does not work on '{}'", self.ty_name(a.ty));
            self.error(&codes::AQ3015, span, message);
            return Expr::error(span);
        }
        let ty = self.types.of(kind.arithmetic(), shape);
        let x = self.convert_quietly(a, ty);
        let value = self.each(Op::Not, &[x]);
        Expr::value(ty, value, span)
    }

    /// `!a`.
    pub(crate) fn not(&mut self, a: &Expr, span: Span) -> Expr {
        let Some((_, shape)) = self.unary_operand(a, "!") else { return Expr::error(span) };
        let ty = self.types.of(Kind::Bool, shape);
        let x = self.convert_quietly(a, ty);
        let value = self.each(Op::Not, &[x]);
        Expr::value(ty, value, span)
    }

    fn unary_operand(&mut self, a: &Expr, text: &str) -> Option<(Kind, Shape)> {
        if a.is_error() {
            return None;
        }
        let found = self.types.numeric(a.ty);
        if found.is_none() {
            let message = format!("'{text}' does not work on '{}'", self.ty_name(a.ty));
            self.error(&codes::AQ3015, a.span, message);
        }
        found
    }

    /// `++a` and the like: changes the place; gives its value before.
    pub(crate) fn step(&mut self, a: &Expr, up: bool, span: Span) -> Option<(Value, Value)> {
        let (kind, shape) = self.unary_operand(a, if up { "++" } else { "--" })?;
        if kind == Kind::Bool {
            let message = format!("'{}' does not work on bool", if up { "++" } else { "--" });
            self.error(&codes::AQ3015, a.span, message);
            return None;
        }
        if !self.check_assignable(a) {
            return None;
        }
        let before = self.read(a);
        let one = {
            let scalar = self.scalar(kind);
            let one = self.number(scalar, 1, 1.0);
            self.splat_to(one, shape)
        };
        let op = match (kind.is_float(), up) {
            (true, true) => Op::FAdd,
            (true, false) => Op::FSub,
            (false, true) => Op::IAdd,
            (false, false) => Op::ISub,
        };
        let after = self.each(op, &[before, one]);
        let place = a.as_place()?.clone();
        self.store(&place, after, a.ty);
        let _ = span;
        Some((before, after))
    }

    /// The type in which two values meet that one of is chosen (A9.11).
    pub(crate) fn common_type(&mut self, a: &Expr, b: &Expr) -> Option<Ty> {
        if a.is_error() || b.is_error() {
            return Some(types::ERROR);
        }
        if let Some((kind, shape, _)) = self.types.combine(a.ty, b.ty) {
            if a.ty == b.ty && !kind.is_literal() {
                return Some(self.types.canonical(a.ty));
            }
            let kind = match kind {
                Kind::LitInt => {
                    let wide = |e: &Expr| match e.node {
                        Node::Int(n) => types::kind::resolve_int(n),
                        _ => Kind::Int,
                    };
                    wide(a).combine(wide(b))
                }
                kind => kind.resolved(),
            };
            return Some(self.types.of(kind, shape));
        }
        let (ca, cb) = (self.types.canonical(a.ty), self.types.canonical(b.ty));
        (ca == cb).then_some(ca)
    }
}

/// What an operator on literals gives that is no literal.
enum Folded {
    Truth(bool),
    DivisionByZero,
}

/// An operator on two literals: 64-bit (A9.6). `None` where one is no literal.
fn literal(op: Binary, a: &Expr, b: &Expr) -> Option<Result<Node, Folded>> {
    Some(match (&a.node, &b.node) {
        (&Node::Int(a), &Node::Int(b)) => Ok(Node::Int(match op {
            Binary::Add => a.wrapping_add(b),
            Binary::Sub => a.wrapping_sub(b),
            Binary::Mul => a.wrapping_mul(b),
            Binary::Div | Binary::Rem if b == 0 => return Some(Err(Folded::DivisionByZero)),
            Binary::Div => a.wrapping_div(b),
            Binary::Rem => a.wrapping_rem(b),
            Binary::Shl => a.wrapping_shl(b as u32),
            Binary::Shr => a.wrapping_shr(b as u32),
            Binary::And => a & b,
            Binary::Or => a | b,
            Binary::Xor => a ^ b,
            Binary::LogicalAnd => return Some(Err(Folded::Truth(a != 0 && b != 0))),
            Binary::LogicalOr => return Some(Err(Folded::Truth(a != 0 || b != 0))),
            _ => return Some(Err(Folded::Truth(compare(op, &a, &b)))),
        })),
        (&Node::Int(a), &Node::Float(b)) => return floats(op, a as f64, b),
        (&Node::Float(a), &Node::Int(b)) => return floats(op, a, b as f64),
        (&Node::Float(a), &Node::Float(b)) => return floats(op, a, b),
        _ => return None,
    })
}

fn floats(op: Binary, a: f64, b: f64) -> Option<Result<Node, Folded>> {
    Some(Ok(Node::Float(match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::Rem => a % b,
        Binary::LogicalAnd => return Some(Err(Folded::Truth(a != 0.0 && b != 0.0))),
        Binary::LogicalOr => return Some(Err(Folded::Truth(a != 0.0 || b != 0.0))),
        // Said to be no operands of theirs, where values are checked.
        Binary::Shl | Binary::Shr | Binary::And | Binary::Or | Binary::Xor => return None,
        _ => return Some(Err(Folded::Truth(compare(op, &a, &b)))),
    })))
}

fn compare<T: PartialOrd>(op: Binary, a: &T, b: &T) -> bool {
    match op {
        Binary::Lt => a < b,
        Binary::Gt => a > b,
        Binary::Le => a <= b,
        Binary::Ge => a >= b,
        Binary::Eq => a == b,
        _ => a != b,
    }
}
