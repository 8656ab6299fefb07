//! Types and constants as text.

use super::context;
use super::label::{Label, write_label};
use super::number;
use super::print::ModuleLabels;
use crate::constants::{ConstantId, ConstantValue};
use crate::module::Module;
use crate::types::{self, Dim, Scalar, Texture, TextureKind, Type, TypeId};
use std::fmt::Write;

/// Types and constants nest at most this deep in print; the verifier allows less (V014).
const DEPTH: usize = 200;

/// A type as text, for messages.
pub(crate) fn type_text(module: &Module, labels: &ModuleLabels, ty: TypeId) -> String {
    let mut out = String::new();
    write_type(&mut out, module, labels, ty);
    out
}

/// Writes a type.
pub(super) fn write_type(out: &mut String, module: &Module, labels: &ModuleLabels, ty: TypeId) {
    write_type_at(out, module, labels, ty, 0);
}

fn write_type_at(out: &mut String, module: &Module, labels: &ModuleLabels, ty: TypeId, depth: usize) {
    if depth > DEPTH || !module.types.contains(ty) {
        out.push_str("<no type>");
        return;
    }
    let _ = match module.types.get(ty) {
        Type::Void => out.write_str("void"),
        Type::Scalar(kind) => out.write_str(kind.name()),
        Type::Vector(kind, lanes) => write!(out, "vec{lanes}<{}>", kind.name()),
        Type::Matrix { scalar, rows, columns } => write!(out, "mat{rows}x{columns}<{}>", scalar.name()),
        Type::Array { element, length, stride } => {
            out.push_str("array<");
            write_type_at(out, module, labels, element, depth + 1);
            if let Some(n) = length {
                let _ = write!(out, ", {n}");
            }
            if stride != 0 {
                let _ = write!(out, ", stride({stride})");
            }
            out.write_str(">")
        }
        Type::Struct(id) => {
            match labels.structs.get(id.index()) {
                Some(&label) => write_label(out, &module.names, '%', label),
                None => out.push_str("<no struct>"),
            }
            Ok(())
        }
        Type::Pointer { space, pointee } => {
            let _ = write!(out, "ptr<{}, ", space.name());
            write_type_at(out, module, labels, pointee, depth + 1);
            out.write_str(">")
        }
        Type::Texture(texture) => write_texture(out, texture),
        Type::Sampler { comparison } => out.write_str(if comparison { "sampler_cmp" } else { "sampler" }),
    };
}

fn write_texture(out: &mut String, texture: Texture) -> std::fmt::Result {
    let Texture { dim, arrayed, multisampled, scalar, kind } = texture;
    match kind {
        TextureKind::Storage(..) => out.push_str("storage_"),
        TextureKind::Sampled | TextureKind::Depth => {}
    }
    match (dim, kind) {
        (Dim::Buffer, TextureKind::Depth) => out.push_str("texel_depth_buffer"),
        (Dim::Buffer, _) => out.push_str("texel_buffer"),
        (_, TextureKind::Depth) => write!(out, "texture_depth_{}", dim.name())?,
        (_, _) => write!(out, "texture_{}", dim.name())?,
    }
    if arrayed {
        out.push_str("_array");
    }
    if multisampled {
        out.push_str("_ms");
    }
    match kind {
        TextureKind::Storage(format, access) => {
            write!(out, "<{}, {}, {}>", scalar.name(), format.name(), access.name())
        }
        TextureKind::Sampled | TextureKind::Depth => write!(out, "<{}>", scalar.name()),
    }
}

/// Writes a constant in a place that implies the scalar kind `context`.
pub(super) fn write_constant(
    out: &mut String,
    module: &Module,
    labels: &ModuleLabels,
    id: ConstantId,
    context: Option<Scalar>,
) {
    write_constant_at(out, module, labels, id, context, 0);
}

fn write_constant_at(
    out: &mut String,
    module: &Module,
    labels: &ModuleLabels,
    id: ConstantId,
    implied: Option<Scalar>,
    depth: usize,
) {
    let Some(constant) = module.constants.get(id).filter(|_| depth <= DEPTH) else {
        out.push_str("<no constant>");
        return;
    };
    let lanes = types::lanes_of(constant.ty);
    match (&constant.value, lanes) {
        (ConstantValue::Scalar(bits), Some((kind, _))) => write_scalar(out, kind, *bits, implied),
        (ConstantValue::Vector(all), Some((kind, count))) => {
            write_type(out, module, labels, constant.ty);
            out.push('(');
            let used = &all[..usize::from(count.min(4))];
            let same = used.iter().all(|bits| *bits == used[0]);
            for (i, &bits) in if same { &used[..1] } else { used }.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                write_scalar(out, kind, bits, Some(kind));
            }
            out.push(')');
        }
        (ConstantValue::Composite(parts), _) => {
            if let Type::Struct(_) = module.types.get(constant.ty) {
                out.push_str("struct ");
            }
            write_type(out, module, labels, constant.ty);
            out.push('(');
            for (i, &part) in parts.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }

                let own = part_kind(module, constant.ty, i);
                write_constant_at(out, module, labels, part, own, depth + 1);
            }
            out.push(')');
        }
        (ConstantValue::Zero, _) => {
            out.push_str("zero ");
            write_type(out, module, labels, constant.ty);
        }
        (ConstantValue::Scalar(_) | ConstantValue::Vector(_), None) => out.push_str("<no constant>"),
    }
}

/// The scalar kind that part `index` of a composite of the type implies.
pub(super) fn part_kind(module: &Module, ty: TypeId, index: usize) -> Option<Scalar> {
    let part = module.types.step(ty, u32::try_from(index).ok()?)?;
    context::kind_of(&module.types, part)
}

fn write_scalar(out: &mut String, kind: Scalar, bits: u64, implied: Option<Scalar>) {
    number::write(out, kind, bits);
    if kind != Scalar::Bool && context::implied(implied, kind.is_float()) != kind {
        let _ = write!(out, ":{}", kind.name());
    }
}

/// Labels of the globals, functions or structs of a module.
pub(super) fn label_of(labels: &[Label], index: usize) -> Label {
    labels.get(index).copied().unwrap_or(Label::Number(u32::MAX))
}
