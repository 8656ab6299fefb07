//! The value of `#if` (sheet A3.10), without recursion.

use crate::codes::{AQ1109, AQ1110};
use crate::token::{Literal, Token, TokenKind};
use aquatint_base::{Code, Span};

/// Why there is no value.
pub struct Fault {
    pub code: &'static Code,
    pub span: Span,
    pub message: String,
}

#[derive(Clone, Copy)]
struct Value {
    bits: u64,
    unsigned: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Op {
    Paren,
    Unary(TokenKind),
    Binary(TokenKind),
    Question,
    Colon,
}

/// An operator, its place, and whether what surrounds it is evaluated.
type Waiting = (Op, Span, bool);

fn precedence(kind: TokenKind) -> u8 {
    use TokenKind::*;
    match kind {
        Star | Slash | Percent => 12,
        Plus | Minus => 11,
        Shl | Shr => 10,
        Less | LessEq | Greater | GreaterEq => 9,
        EqEq | NotEq => 8,
        And => 7,
        Caret => 6,
        Or => 5,
        AndAnd => 4,
        OrOr => 3,
        Question | Colon => 2,
        Comma => 1,
        _ => 0,
    }
}

fn op_precedence(op: Op) -> u8 {
    match op {
        Op::Paren | Op::Question => 0,
        Op::Colon => 2,
        Op::Binary(kind) => precedence(kind),
        Op::Unary(_) => 13,
    }
}

fn bad(span: Span, message: impl Into<String>) -> Fault {
    Fault { code: &AQ1109, span, message: message.into() }
}

struct Evaluation {
    values: Vec<Value>,
    ops: Vec<Waiting>,
    live: bool,
    parens: usize,
}

/// The value of `tokens`, of which `literal` knows numbers and characters; words are 0 but for `true`. `end`: behind the
/// last token.
pub fn evaluate(
    tokens: &[Token],
    end: Span,
    mut literal: impl FnMut(&Token) -> Result<Literal, Fault>,
) -> Result<bool, Fault> {
    let mut e = Evaluation { values: Vec::new(), ops: Vec::new(), live: true, parens: 0 };
    let mut operand = true;
    for token in tokens {
        let (kind, span) = (token.kind, token.span);
        if operand {
            match kind {
                TokenKind::LParen => {
                    e.ops.push((Op::Paren, span, e.live));
                    e.parens += 1;
                }
                TokenKind::Plus | TokenKind::Minus | TokenKind::Not | TokenKind::Tilde => {
                    e.ops.push((Op::Unary(kind), span, e.live));
                }
                TokenKind::Number | TokenKind::CharLit => {
                    e.values.push(match literal(token)? {
                        Literal::Int(int) => Value { bits: int.value, unsigned: int.unsigned || int.value >> 63 != 0 },
                        Literal::Char(value) => Value { bits: i64::from(value) as u64, unsigned: false },
                        _ => return Err(bad(span, "floating-point number in a condition")),
                    });
                    operand = false;
                }
                TokenKind::StringLit | TokenKind::HeaderName => return Err(bad(span, "string in a condition")),
                kind if kind.is_word() => {
                    e.values.push(Value { bits: u64::from(kind == TokenKind::True), unsigned: false });
                    operand = false;
                }
                kind => return Err(bad(span, format!("expected a value, found '{kind}'"))),
            }
            continue;
        }
        match kind {
            TokenKind::RParen => {
                e.reduce(1)?;
                match e.ops.pop() {
                    Some((Op::Paren, ..)) => e.parens -= 1,
                    Some((Op::Question, span, _)) => return Err(bad(span, "'?' without ':'")),
                    _ => return Err(bad(span, "')' without '('")),
                }
            }
            TokenKind::Question => {
                e.reduce(3)?;
                let truth = e.truth();
                e.ops.push((Op::Question, span, e.live));
                e.live &= truth;
                operand = true;
            }
            TokenKind::Colon => {
                e.reduce(1)?;
                let Some((Op::Question, _, live)) = e.ops.pop() else { return Err(bad(span, "':' without '?'")) };
                let condition = e.values.iter().rev().nth(1).is_some_and(|v| v.bits != 0);
                e.ops.push((Op::Colon, span, live));
                e.live = live && !condition;
                operand = true;
            }
            TokenKind::Comma if e.parens == 0 => return Err(bad(span, "',' outside of parentheses in a condition")),
            kind if precedence(kind) != 0 => {
                e.reduce(precedence(kind))?;
                let truth = e.truth();
                e.ops.push((Op::Binary(kind), span, e.live));
                match kind {
                    TokenKind::AndAnd => e.live &= truth,
                    TokenKind::OrOr => e.live &= !truth,
                    _ => {}
                }
                operand = true;
            }
            _ if kind.is_word() || !kind.is_punctuator() => {
                return Err(bad(span, "expected an operator between two values in a condition"));
            }
            kind => return Err(bad(span, format!("'{kind}' is no operator of a condition"))),
        }
    }
    if operand {
        return Err(bad(
            end,
            if tokens.is_empty() { "condition without a value" } else { "condition ends with an operator" },
        ));
    }
    e.reduce(1)?;
    match (e.ops.pop(), e.values.pop()) {
        (None, Some(value)) => Ok(value.bits != 0),
        (Some((Op::Question, span, _)), _) => Err(bad(span, "'?' without ':'")),
        (Some((_, span, _)), _) => Err(bad(span, "'(' without ')'")),
        (None, None) => Err(bad(end, "condition without a value")),
    }
}

impl Evaluation {
    fn truth(&self) -> bool {
        self.values.last().is_some_and(|v| v.bits != 0)
    }

    /// Computes the operators on top that bind at least as strongly as `least`.
    fn reduce(&mut self, least: u8) -> Result<(), Fault> {
        while let Some(&(op, span, live)) = self.ops.last() {
            if op_precedence(op) < least || op == Op::Paren || op == Op::Question {
                break;
            }
            self.ops.pop();
            let Some(right) = self.values.pop() else { return Err(bad(span, "operator without a value")) };
            let value = match op {
                Op::Unary(kind) => unary(kind, right),
                Op::Colon => {
                    let (Some(middle), Some(condition)) = (self.values.pop(), self.values.pop()) else {
                        return Err(bad(span, "operator without a value"));
                    };
                    self.live = live;
                    let chosen = if condition.bits != 0 { middle } else { right };
                    Value { bits: chosen.bits, unsigned: middle.unsigned || right.unsigned }
                }
                Op::Binary(kind) => {
                    let Some(left) = self.values.pop() else { return Err(bad(span, "operator without a value")) };
                    let value = binary(kind, left, right);
                    let Some(value) = value else {
                        if self.live {
                            return Err(Fault {
                                code: &AQ1110,
                                span,
                                message: format!("division by zero: right of '{kind}'"),
                            });
                        }
                        self.values.push(Value { bits: 0, unsigned: left.unsigned || right.unsigned });
                        continue;
                    };
                    if matches!(kind, TokenKind::AndAnd | TokenKind::OrOr) {
                        self.live = live;
                    }
                    value
                }
                Op::Paren | Op::Question => right,
            };
            self.values.push(value);
        }
        Ok(())
    }
}

fn unary(kind: TokenKind, v: Value) -> Value {
    match kind {
        TokenKind::Minus => Value { bits: v.bits.wrapping_neg(), ..v },
        TokenKind::Tilde => Value { bits: !v.bits, ..v },
        TokenKind::Not => Value { bits: u64::from(v.bits == 0), unsigned: false },
        _ => v,
    }
}

/// `None`: division by zero.
fn binary(kind: TokenKind, l: Value, r: Value) -> Option<Value> {
    use TokenKind::*;
    let unsigned = l.unsigned || r.unsigned;
    let (a, b) = (l.bits, r.bits);
    let (sa, sb) = (a as i64, b as i64);
    let number = |bits: u64| Some(Value { bits, unsigned });
    let truth = |t: bool| Some(Value { bits: u64::from(t), unsigned: false });
    match kind {
        Star => number(a.wrapping_mul(b)),
        Slash | Percent if b == 0 => None,
        Slash => number(if unsigned { a / b } else { sa.wrapping_div(sb) as u64 }),
        Percent => number(if unsigned { a % b } else { sa.wrapping_rem(sb) as u64 }),
        Plus => number(a.wrapping_add(b)),
        Minus => number(a.wrapping_sub(b)),
        // A negative count shifts the other way, one of 64 or more shifts all out.
        Shl | Shr => {
            let back = !r.unsigned && sb < 0;
            let count = if back { sb.unsigned_abs() } else { b };
            let left = (kind == Shl) != back;
            let bits = match (left, l.unsigned) {
                (true, _) => {
                    if count < 64 {
                        a << count
                    } else {
                        0
                    }
                }
                (false, true) => {
                    if count < 64 {
                        a >> count
                    } else {
                        0
                    }
                }
                (false, false) => (sa >> count.min(63)) as u64,
            };
            Some(Value { bits, unsigned: l.unsigned })
        }
        Less => truth(if unsigned { a < b } else { sa < sb }),
        LessEq => truth(if unsigned { a <= b } else { sa <= sb }),
        Greater => truth(if unsigned { a > b } else { sa > sb }),
        GreaterEq => truth(if unsigned { a >= b } else { sa >= sb }),
        EqEq => truth(a == b),
        NotEq => truth(a != b),
        And => number(a & b),
        Caret => number(a ^ b),
        Or => number(a | b),
        AndAnd => truth(a != 0 && b != 0),
        OrOr => truth(a != 0 || b != 0),
        _ => Some(r),
    }
}
