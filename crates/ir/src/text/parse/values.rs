//! Types and constants.

use super::super::{context, number, write};
use super::{Parser, clip};
use crate::codes;
use crate::constants::{Constant, ConstantId, ConstantValue};
use crate::text::lex::Kind;
use crate::types::{self, Access, Dim, Scalar, Space, TexelFormat, Texture, TextureKind, Type, TypeId};
use aquatint_base::Span;
use smallvec::SmallVec;

impl Parser<'_, '_> {
    /// A type.
    pub(super) fn ty(&mut self) -> Option<TypeId> {
        self.nested(Self::ty_here)
    }

    fn ty_here(&mut self) -> Option<TypeId> {
        let span = self.here();
        if self.kind() == Kind::Local {
            let (name, token) = self.sigil_name(Kind::Local, "a struct")?;
            let Some(&id) = self.structs.get(&name) else { return self.unknown(token, "struct") };
            return self.intern(Type::Struct(id));
        }
        let word = self.word();
        if word.is_empty() {
            return self.expected("a type");
        }
        if let Some(kind) = scalar_named(word) {
            self.bump();
            return Some(types::scalar(kind));
        }
        match word {
            "void" => {
                self.bump();
                return Some(types::VOID);
            }
            "sampler" | "sampler_cmp" => {
                self.bump();
                return self.intern(Type::Sampler { comparison: word == "sampler_cmp" });
            }
            "array" => {
                self.bump();
                return self.array();
            }
            "ptr" => {
                self.bump();
                return self.pointer();
            }
            _ => {}
        }
        if let Some((rows, columns)) = shape(word) {
            self.bump();
            self.want(b'<')?;
            let scalar = self.scalar()?;
            self.want(b'>')?;
            return match rows {
                0 => Some(types::vector(scalar, columns)),
                _ => self.intern(Type::Matrix { scalar, rows, columns }),
            };
        }
        match texture_named(word) {
            Some((texture, storage)) => {
                self.bump();
                self.texture(texture, storage)
            }
            None => self.fail(&codes::UNKNOWN_TYPE, span, format!("there is no type `{}`", clip(word))),
        }
    }

    fn intern(&mut self, ty: Type) -> Option<TypeId> {
        self.room(self.module.types.len(), "types")?;
        Some(self.module.types.intern(ty))
    }

    fn scalar(&mut self) -> Option<Scalar> {
        match scalar_named(self.word()) {
            Some(kind) => {
                self.bump();
                Some(kind)
            }
            None => self.expected("a scalar type"),
        }
    }

    fn array(&mut self) -> Option<TypeId> {
        self.want(b'<')?;
        let element = self.ty()?;
        let (mut length, mut stride) = (None, 0);
        if self.take(b',') {
            if self.kind() == Kind::Number {
                length = Some(self.u32()?);
                if self.take(b',') {
                    self.want_word("stride")?;
                    stride = self.u32_argument()?;
                }
            } else {
                self.want_word("stride")?;
                stride = self.u32_argument()?;
            }
        }
        self.want(b'>')?;
        self.intern(Type::Array { element, length, stride })
    }

    fn pointer(&mut self) -> Option<TypeId> {
        self.want(b'<')?;
        let Some(space) = Space::ALL.into_iter().find(|s| s.name() == self.word()) else {
            return self.expected("an address space");
        };
        self.bump();
        self.want(b',')?;
        let pointee = self.ty()?;
        self.want(b'>')?;
        self.intern(Type::Pointer { space, pointee })
    }

    fn texture(&mut self, mut texture: Texture, storage: bool) -> Option<TypeId> {
        self.want(b'<')?;
        texture.scalar = self.scalar()?;
        if storage {
            self.want(b',')?;
            let Some(&format) = TexelFormat::ALL.iter().find(|f| f.name() == self.word()) else {
                return self.expected("a texel format");
            };
            self.bump();
            self.want(b',')?;
            let all = [Access::Read, Access::Write, Access::ReadWrite];
            let Some(access) = all.into_iter().find(|a| a.name() == self.word()) else {
                return self.expected("`read`, `write` or `read_write`");
            };
            self.bump();
            texture.kind = TextureKind::Storage(format, access);
        }
        self.want(b'>')?;
        self.intern(Type::Texture(texture))
    }

    /// Whether a constant begins here.
    pub(super) fn at_constant(&self) -> bool {
        match self.kind() {
            Kind::Number => true,
            Kind::Word => {
                let word = self.word();
                matches!(word, "true" | "false" | "inf" | "nan" | "zero" | "array" | "struct") || shape(word).is_some()
            }
            _ => false,
        }
    }

    /// A constant in a place that implies the scalar kind `context`.
    pub(super) fn constant(&mut self, context: Option<Scalar>) -> Option<ConstantId> {
        self.nested(|p| p.constant_here(context))
    }

    fn constant_here(&mut self, context: Option<Scalar>) -> Option<ConstantId> {
        self.room(self.module.constants.len(), "constants")?;
        let word = self.word();
        if word == "zero" {
            self.bump();
            let ty = self.ty()?;
            return Some(self.module.constants.zero(ty));
        }
        if word == "array" || word == "struct" || shape(word).is_some() {
            if word == "struct" {
                self.bump();
                if self.kind() != Kind::Local {
                    return self.expected("`%` and the name of a struct");
                }
            }
            let span = self.here();
            let ty = self.ty()?;
            return match types::lanes_of(ty) {
                Some((kind, lanes)) => self.vector(kind, lanes, span),
                None => self.composite(ty),
            };
        }
        let (kind, bits) = self.number(context)?;
        Some(self.module.constants.scalar(kind, bits))
    }

    fn vector(&mut self, kind: Scalar, lanes: u8, span: Span) -> Option<ConstantId> {
        self.want(b'(')?;
        let mut bits: SmallVec<[u64; 4]> = SmallVec::new();
        while !self.is_mark(b')') {
            let place = self.here();
            let (found, value) = self.number(Some(kind))?;
            if found != kind || bits.len() == 4 {
                let message = format!("a vector of {} {} has no such lane", lanes, kind.name());
                return self.fail(&codes::LITERAL, place, message);
            }
            bits.push(value);
            if !self.take(b',') && !self.is_mark(b')') {
                return self.expected("`,` or `)`");
            }
        }
        self.bump();
        if let [one] = bits[..] {
            bits.resize(usize::from(lanes), one);
        }
        if bits.len() != usize::from(lanes) {
            let message = format!("the vector has {} lanes, its type {lanes}", bits.len());
            return self.fail(&codes::LITERAL, span, message);
        }
        Some(self.module.constants.vector(kind, &bits))
    }

    fn composite(&mut self, ty: TypeId) -> Option<ConstantId> {
        self.want(b'(')?;
        let mut parts = Vec::new();
        while !self.is_mark(b')') {
            self.room(parts.len(), "parts of a constant")?;
            let kind = write::part_kind(&self.module, ty, parts.len());
            parts.push(self.constant(kind)?);
            if !self.take(b',') && !self.is_mark(b')') {
                return self.expected("`,` or `)`");
            }
        }
        self.bump();
        Some(self.module.constants.intern(Constant { ty, value: ConstantValue::Composite(parts.into()) }))
    }

    /// A number or truth value: its kind and bits.
    fn number(&mut self, implied: Option<Scalar>) -> Option<(Scalar, u64)> {
        let token = self.token();
        let text = self.str_of(token);
        let span = self.span_of(token);
        match (token.kind, text) {
            (Kind::Word, "true" | "false") => {
                self.bump();
                Some((Scalar::Bool, u64::from(text == "true")))
            }
            (Kind::Word, "inf") | (Kind::Number, "-inf") => {
                self.bump();
                let kind = self.suffix(implied, true)?;
                if !kind.is_float() {
                    return self.fail(&codes::LITERAL, span, format!("{} has no infinity", kind.name()));
                }
                Some((kind, number::infinity(kind, text == "-inf")))
            }
            (Kind::Word, "nan") => {
                self.bump();
                self.want(b'(')?;
                let digits = self.token();
                if digits.kind != Kind::Number {
                    return self.expected("the bits of a NaN");
                }
                self.bump();
                self.want(b')')?;
                let kind = self.suffix(implied, true)?;
                let bits = number::parse_integer(self.str_of(digits)).and_then(|v| u64::try_from(v).ok());
                match bits.filter(|&b| kind.is_float() && number::is_nan(kind, b)) {
                    Some(bits) => Some((kind, bits)),
                    None => {
                        let message = format!("`{}` is no NaN of {}", clip(self.str_of(digits)), kind.name());
                        self.fail(&codes::LITERAL, self.span_of(digits), message)
                    }
                }
            }
            (Kind::Number, _) => {
                self.bump();
                let hex = text.trim_start_matches('-').starts_with("0x");
                let float_form = !hex && text.bytes().any(|b| matches!(b, b'.' | b'e' | b'E'));
                let kind = self.suffix(implied, float_form)?;
                let bits = if kind.is_float() && float_form {
                    number::parse_float(kind, text)
                } else if kind.is_integer() && !float_form {
                    number::parse_integer(text).and_then(|v| number::integer_bits(kind, v))
                } else {
                    None
                };
                match bits {
                    Some(bits) => Some((kind, bits)),
                    None => self.fail(&codes::LITERAL, span, format!("`{}` is no {}", clip(text), kind.name())),
                }
            }
            _ => self.expected("a constant"),
        }
    }

    /// The kind behind `:`, or the implied one.
    fn suffix(&mut self, implied: Option<Scalar>, float_form: bool) -> Option<Scalar> {
        if self.is_mark(b':') {
            self.bump();
            return self.scalar();
        }
        Some(context::implied(implied, float_form))
    }

    /// A selector of a switch on `kind`.
    pub(super) fn selector(&mut self, kind: Scalar) -> Option<u64> {
        let span = self.here();
        let (found, bits) = self.number(Some(kind))?;
        if found != kind {
            return self.fail(&codes::LITERAL, span, format!("a selector of {} is a whole number", kind.name()));
        }
        Some(bits)
    }
}

fn scalar_named(word: &str) -> Option<Scalar> {
    Scalar::ALL.into_iter().find(|s| s.name() == word)
}

/// `vec3` as `(0, 3)`, `mat2x4` as `(2, 4)`.
fn shape(word: &str) -> Option<(u8, u8)> {
    let digit = |b: u8, from: u8| (from..=4).contains(&b.wrapping_sub(b'0')).then(|| b - b'0');
    match word.as_bytes() {
        [b'v', b'e', b'c', n] => Some((0, digit(*n, 2)?)),
        [b'm', b'a', b't', r, b'x', c] => Some((digit(*r, 1)?, digit(*c, 1)?)),
        _ => None,
    }
}

/// The texture type of a name, and whether a format and access follow.
fn texture_named(word: &str) -> Option<(Texture, bool)> {
    let (word, storage) = match word.strip_prefix("storage_") {
        Some(rest) => (rest, true),
        None => (word, false),
    };
    let (dim, depth, rest) = if let Some(rest) = word.strip_prefix("texel_buffer") {
        (Dim::Buffer, false, rest)
    } else if let Some(rest) = word.strip_prefix("texel_depth_buffer") {
        (Dim::Buffer, true, rest)
    } else {
        let rest = word.strip_prefix("texture_")?;
        let (depth, rest) = match rest.strip_prefix("depth_") {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let (dim, rest) = [Dim::D1, Dim::D2, Dim::D3, Dim::Cube]
            .into_iter()
            .find_map(|dim| rest.strip_prefix(dim.name()).map(|rest| (dim, rest)))?;
        (dim, depth, rest)
    };
    let (arrayed, rest) = match rest.strip_prefix("_array") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let multisampled = match rest {
        "" => false,
        "_ms" => true,
        _ => return None,
    };
    if storage && depth {
        return None;
    }
    let kind = if depth { TextureKind::Depth } else { TextureKind::Sampled };
    Some((Texture { arrayed, multisampled, kind, ..Texture::sampled(dim) }, storage))
}
