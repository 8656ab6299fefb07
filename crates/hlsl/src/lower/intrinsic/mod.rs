//! Calls of intrinsic functions: the arguments meet in the types of the signature, the operation is emitted.
//!
//! | module | holds |
//! |---|---|
//! | `math` | B1 and B2 |
//! | `geometry` | B3 |
//! | `bits` | B4 |
//! | `group` | B5 to B8: pixel control, barriers, interlocked operations, waves |

mod bits;
mod geometry;
mod group;
mod math;

use crate::intrinsics::signature::Returns;
use crate::intrinsics::{Class, Extent, Intrinsic, Operation, Param, Signature, Special, Stages};
use crate::sema::Sema;
use crate::sema::codes;
use crate::sema::operand::Expr;
use crate::types::{self, Cost, Kind, Shape, Ty};
use aquatint_base::Span;
use aquatint_ir::{Op, Value};
use smallvec::SmallVec;

/// A signature with the types that a call gives it.
pub(crate) struct Resolved {
    pub(crate) row: &'static Intrinsic,
    pub(crate) signature: Signature,
    /// The type of each argument's parameter.
    pub(crate) types: SmallVec<[Ty; 6]>,
    /// Kind and shape of the group.
    pub(crate) group: (Kind, Shape),
    pub(crate) cost: Cost,
}

/// What an operation is given.
pub(crate) struct Call<'a> {
    pub(crate) name: &'static str,
    /// The arguments as written, for those that are places.
    pub(crate) args: &'a [Expr],
    /// The values of `in` arguments; a placeholder for the others.
    pub(crate) values: SmallVec<[Value; 6]>,
    pub(crate) types: &'a [Ty],
    pub(crate) group: (Kind, Shape),
    pub(crate) span: Span,
}

impl Sema<'_> {
    /// Fits a signature to arguments; the reason where it does not.
    pub(crate) fn resolve_intrinsic(&mut self, row: &'static Intrinsic, args: &[Expr]) -> Result<Resolved, String> {
        let Some(signature) = Signature::parse(row.signature) else { return Err("it is unknown".to_owned()) };
        let (least, most) = (signature.required(), signature.params.len());
        if args.len() < least || args.len() > most {
            let wanted = if least == most { least.to_string() } else { format!("{least} to {most}") };
            return Err(format!("it takes {wanted} arguments, not {}", args.len()));
        }
        let mul = matches!(row.operation, Operation::Special(Special::Mul | Special::Select));
        let mut kind: Option<Kind> = None;
        let mut shape: Option<Shape> = None;
        for (param, arg) in signature.params.iter().zip(args) {
            if arg.is_error() || !param.grouped() {
                continue;
            }
            let Some((k, s)) = self.types.numeric(arg.ty) else {
                return Err(format!("'{}' is no number", self.ty_name(arg.ty)));
            };
            if param.place {
                // The place alone says the type.
                kind = Some(k);
                shape = Some(s);
                break;
            }
            if param.out {
                continue;
            }
            let literal = match arg.node {
                crate::sema::operand::Node::Int(n) => Some(types::kind::resolve_int(n)),
                _ => None,
            };
            kind = Some(match kind {
                Some(known) => known.combine(k),
                None if literal == Some(Kind::Int) || literal.is_none() => k,
                None => literal.unwrap_or(k),
            });
            shape = match shape {
                _ if mul => shape.or(Some(s)),
                None => Some(s),
                Some(known) => match known.combine(s) {
                    Some((combined, _)) => Some(combined),
                    None => return Err("the shapes of the arguments do not fit".to_owned()),
                },
            };
        }
        let first = signature.params.iter().find(|p| p.grouped());
        let mut kind = kind.unwrap_or(Kind::Float);
        let mut shape = shape.unwrap_or(Shape::Scalar);
        if let Some(first) = first {
            kind = match first.class {
                Class::Number if kind == Kind::Bool => Kind::Int,
                Class::Float if !kind.is_float() => Kind::Float,
                Class::Float if kind == Kind::Double && !double_allowed(row) => Kind::Float,
                Class::Integer if kind == Kind::Bool => Kind::Uint,
                Class::Integer if kind.is_float() => {
                    return Err(format!("it takes integers, not '{}'", kind.name()));
                }
                Class::Bool => Kind::Bool,
                Class::Double if kind != Kind::Double => {
                    return Err(format!("it takes double only, not '{}'", kind.name()));
                }
                _ => kind,
            };
            kind = kind.resolved();
            shape = match (first.extent, shape) {
                (Extent::Lanes(n), _) => {
                    if n == 1 {
                        Shape::Scalar
                    } else {
                        Shape::Vector(n)
                    }
                }
                (Extent::Vector, Shape::Matrix(..)) => match shape.held() {
                    Shape::Matrix(..) => return Err("it takes vectors, not matrices".to_owned()),
                    held => held,
                },
                (Extent::Square, Shape::Matrix(r, c)) if r == c => shape,
                (Extent::Square, Shape::Scalar) => shape,
                (Extent::Square, _) => return Err("it takes a square matrix".to_owned()),
                (_, shape) => shape,
            };
        }
        let mut cost = Cost::ZERO;
        let mut all = SmallVec::new();
        for (param, arg) in signature.params.iter().zip(args) {
            let ty = self.param_type(param, (kind, shape), arg, mul);
            let one = match param.out || param.place {
                true => match arg.as_place() {
                    Some(_) => self.types.conversion(ty, arg.ty),
                    None if arg.is_error() => Some(Cost::ZERO),
                    None => return Err("an out argument is no place that can be assigned".to_owned()),
                },
                false => self.types.conversion(arg.ty, ty),
            };
            match one {
                Some(one) => cost = cost.plus(one),
                None => {
                    return Err(format!("'{}' does not convert to '{}'", self.ty_name(arg.ty), self.ty_name(ty)));
                }
            }
            all.push(ty);
        }
        Ok(Resolved { row, signature, types: all, group: (kind, shape), cost })
    }

    fn param_type(&mut self, param: &Param, (kind, shape): (Kind, Shape), arg: &Expr, own_shape: bool) -> Ty {
        let kind = match param.class {
            Class::Fixed(kind) => kind,
            // `modf(x, out int)` converts (B1).
            Class::Any if param.out && !own_shape => {
                return self.types.canonical(arg.ty);
            }
            _ => kind,
        };
        if own_shape && let Some((_, own)) = self.types.numeric(arg.ty) {
            return self.types.of(kind, own);
        }
        let shape = match param.extent {
            Extent::Lanes(1) => Shape::Scalar,
            Extent::Lanes(n) => Shape::Vector(n),
            Extent::Vector | Extent::Shape | Extent::Square => shape,
        };
        self.types.of(kind, shape)
    }

    /// Emits a call whose signature has been chosen.
    pub(crate) fn emit_intrinsic(&mut self, resolved: &Resolved, args: &[Expr], span: Span) -> Expr {
        let row = resolved.row;
        self.note_stage(row.name, row.stages, span);
        let mut values = SmallVec::new();
        for ((param, arg), &ty) in resolved.signature.params.iter().zip(args).zip(&resolved.types) {
            if param.out || param.place {
                values.push(self.u32(0));
            } else {
                values.push(self.convert(arg, ty));
            }
        }
        let call = Call { name: row.name, args, values, types: &resolved.types, group: resolved.group, span };
        let group = self.types.of(resolved.group.0, resolved.group.1);
        let ty = match resolved.signature.returns {
            Returns::Group => group,
            Returns::GroupScalar => types::scalar(resolved.group.0),
            Returns::Void => types::VOID,
            Returns::Special => types::ERROR,
            Returns::Of(kind, extent) => {
                let shape = match extent {
                    Extent::Lanes(1) => Shape::Scalar,
                    Extent::Lanes(n) => Shape::Vector(n),
                    _ => resolved.group.1,
                };
                self.types.of(kind, shape)
            }
        };
        let result = self.operation(row.operation, &call, ty);
        match result {
            Some((value, special)) => {
                let ty = if resolved.signature.returns == Returns::Special { special } else { ty };
                Expr::value(ty, value, span)
            }
            None if ty == types::VOID => Expr::void(span),
            None => Expr::error(span),
        }
    }

    /// The value of an operation, with its type where the signature does not say it.
    fn operation(&mut self, operation: Operation, call: &Call<'_>, ty: Ty) -> Option<(Value, Ty)> {
        let value = match operation {
            Operation::Each(float, signed, unsigned) => {
                let op = match call.group.0 {
                    kind if kind.is_float() => float,
                    kind if kind.is_unsigned() => unsigned,
                    _ => signed,
                };
                self.each(op, &call.values)
            }
            Operation::Float(op) => self.each(op, &call.values),
            Operation::Vector(op) => self.op(op, &call.values),
            Operation::Derivative(..)
            | Operation::Wave(_)
            | Operation::Quad(_)
            | Operation::Barrier(..)
            | Operation::Interlocked(..) => return self.group_operation(operation, call, ty).map(|v| (v, ty)),
            Operation::Unsupported | Operation::Legacy(_) => return None,
            Operation::Special(special) => return self.special(special, call, ty),
        };
        Some((value, ty))
    }

    fn special(&mut self, special: Special, call: &Call<'_>, ty: Ty) -> Option<(Value, Ty)> {
        use Special::*;
        let value = match special {
            Abs | Sign | Clamp | Modf | Frexp | Ldexp | Lerp | Mad | Fma | IsNormal | Scale(_) | LogicalAnd
            | LogicalOr | All | Any | Log10 | Sincos => self.math(special, call)?,
            Select => return self.select_intrinsic(call),
            Dot | Length | Distance | Normalize | Reflect | Refract | FaceForward | Lit | Dst | Determinant
            | ColorToBytes => self.geometry(special, call)?,
            Transpose => return self.transpose(call),
            Mul => return self.mul(call),
            Bits(_)
            | Cast(_)
            | SplitDouble
            | JoinDouble
            | HalfToFloat
            | FloatToHalf
            | Msad4
            | AddUint64
            | Dot4Add(_)
            | Dot2Add
            | Pack { .. }
            | Unpack { .. } => self.bits(special, call)?,
            Fwidth | Clip | Identity | IsHelperLane | SameInWave => self.pixel(special, call)?,
            Evaluate => {
                let message = format!("'{}' is not supported", call.name);
                self.error(&codes::AQ3031, call.span, message);
                return None;
            }
        };
        Some((value, ty))
    }

    /// Assigns to the out argument of that number.
    pub(crate) fn assign_out(&mut self, call: &Call<'_>, index: usize, value: Value) {
        let (Some(arg), Some(&ty)) = (call.args.get(index), call.types.get(index)) else { return };
        self.assign_converted(arg, value, ty);
    }

    /// The kind and lanes that a number needs to go with a value.
    pub(crate) fn like(&mut self, value: Value, number: f64) -> Value {
        match self.matrix_of(value) {
            Some((kind, rows, columns)) => {
                let one = self.number(kind, 1, number);
                self.splat_to(one, Shape::Matrix(rows, columns))
            }
            None => {
                let (kind, lanes) = self.lanes(value);
                self.number(kind, lanes, number)
            }
        }
    }

    /// Remembers that the function uses something that only some stages have; the entry that reaches it complains (B0.2).
    pub(crate) fn note_stage(&mut self, name: &'static str, stages: Stages, span: Span) {
        if stages != Stages::All {
            self.cur.stage_uses.push((name, stages, span));
        }
    }
}

/// Whether double is among the float kinds of an intrinsic.
fn double_allowed(row: &Intrinsic) -> bool {
    matches!(row.operation, Operation::Float(Op::IsNan | Op::IsInf | Op::IsFinite | Op::FSaturate))
        || matches!(row.operation, Operation::Special(Special::Determinant))
}
