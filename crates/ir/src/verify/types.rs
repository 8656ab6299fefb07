//! Types, constants, layouts, globals by themselves: V001, V002, V011, V014.

use super::{Report, bounded};
use crate::codes;
use crate::constants::{Constant, ConstantValue, mask};
use crate::globals::{Global, GlobalKind};
use crate::types::{Dim, Member, Scalar, Space, Struct, Texture, TextureKind, Type, TypeId, lanes_of};
use aquatint_base::{Diags, Id, Span};

/// What the verifier knows of a type.
#[derive(Clone, Copy, Default)]
pub(super) struct Info {
    /// A value of it can be computed, stored, and made from zeros.
    pub data: bool,
    /// A handle, or an array of handles.
    pub handle: bool,
    /// A runtime array, or a struct that ends in one.
    pub runtime: bool,
    /// A message was given; say no more.
    pub broken: bool,
    /// Members have offsets, arrays strides, as far down as they go.
    pub laid_out: bool,
    /// Bytes in a buffer.
    size: u64,
    /// Alignment of the largest scalar inside.
    align: u32,
    depth: u16,
}

/// What the verifier knows of all types, by index.
pub(super) struct Infos {
    all: Vec<Info>,
}

impl Infos {
    /// Of one type; nothing is known of types that do not exist.
    #[inline]
    pub fn get(&self, ty: TypeId) -> Info {
        self.all.get(ty.index()).copied().unwrap_or(Info { broken: true, ..Info::default() })
    }
}

/// Checks the tables of types, constants and globals.
pub(super) fn check(report: &Report<'_>, diags: &mut Diags) -> Infos {
    let module = report.module;
    let limits = &report.options.limits;
    let many = limits.entities.saturating_add(limits.instructions);
    bounded(report, diags, module.types.len(), many, "types");
    bounded(report, diags, module.types.structs.len(), limits.entities, "structs");
    bounded(report, diags, module.constants.len(), many, "constants");
    bounded(report, diags, module.globals.len(), limits.entities, "globals");
    bounded(report, diags, module.functions.len(), limits.entities, "functions");
    bounded(report, diags, module.entry_points.len(), limits.entities, "entry points");
    let count = module.types.len();
    let structs = module.types.structs.len();
    let mut state = State {
        report,
        diags,
        infos: vec![Info::default(); count],
        state: vec![Visit::New; count],
        structs: vec![Info::default(); structs],
        struct_state: vec![Visit::New; structs],
    };
    for index in 0..count {
        state.ty(Id::new(index), 0);
    }
    for index in 0..structs {
        state.structure(Id::new(index), 0);
    }
    let infos = Infos { all: state.infos };
    for (id, constant) in module.constants.iter() {
        if let Err(message) = constant_shape(report, &infos, id.index(), constant) {
            report.error(diags, message.0, Span::NONE, message.1);
        }
    }
    let mut seen = vec![false; structs];
    for (_, global) in module.globals.iter() {
        check_global(report, &infos, global, &mut seen, diags);
    }
    infos
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Active,
    Done,
}

struct State<'r, 'm, 'd> {
    report: &'r Report<'m>,
    diags: &'d mut Diags,
    infos: Vec<Info>,
    state: Vec<Visit>,
    structs: Vec<Info>,
    struct_state: Vec<Visit>,
}

const BROKEN: Info =
    Info { data: false, handle: false, runtime: false, broken: true, laid_out: true, size: 0, align: 1, depth: 0 };

impl State<'_, '_, '_> {
    fn error(&mut self, code: &'static aquatint_base::Code, message: String) -> Info {
        self.report.error(self.diags, code, Span::NONE, message);
        BROKEN
    }

    /// The bound of nesting also bounds this recursion.
    fn ty(&mut self, id: TypeId, depth: usize) -> Info {
        let index = id.index();
        match self.state.get(index) {
            None => return self.error(&codes::V001, format!("there is no type of number {index}")),
            Some(Visit::Done) => return self.infos[index],
            Some(Visit::Active) => {
                return self.error(&codes::V002, format!("type {} contains itself", self.report.ty(id)));
            }
            Some(Visit::New) => {}
        }
        if depth > self.report.options.limits.nesting {
            let message = format!("a type nests deeper than {}", self.report.options.limits.nesting);
            return self.error(&codes::V014, message);
        }
        self.state[index] = Visit::Active;
        let mut info = self.ty_new(id, depth);
        if usize::from(info.depth) > self.report.options.limits.nesting {
            let message = format!("a type nests deeper than {}", self.report.options.limits.nesting);
            info = self.error(&codes::V014, message);
        }
        self.infos[index] = info;
        self.state[index] = Visit::Done;
        info
    }

    fn ty_new(&mut self, id: TypeId, depth: usize) -> Info {
        let wrong = |state: &mut Self, why: &str| {
            let message = format!("{} is no type: {why}", state.report.ty(id));
            state.error(&codes::V002, message)
        };
        let leaf = Info { depth: 1, align: 1, ..Info::default() };
        match self.report.module.types.get(id) {
            Type::Void => leaf,
            Type::Scalar(kind) => numbers(kind, 1),
            Type::Vector(kind, lanes) if lanes_of(id).is_some() => numbers(kind, lanes),
            Type::Vector(..) => wrong(self, "a vector has 2 to 4 lanes"),
            Type::Matrix { scalar, rows, columns } => {
                let least = if scalar.is_float() { 2 } else { 1 };
                if !(least..=4).contains(&rows) || !(least..=4).contains(&columns) {
                    return wrong(self, "a matrix has 2 to 4 rows and columns");
                }
                numbers(scalar, rows * columns)
            }
            Type::Array { element, length, stride } => {
                let inner = self.ty(element, depth + 1);
                if inner.broken {
                    return BROKEN;
                }
                if inner.runtime || !(inner.data || inner.handle) {
                    return wrong(self, "an array holds data or handles");
                }
                if length == Some(0) {
                    return wrong(self, "an array has at least one element");
                }
                if stride != 0 && (u64::from(stride) < inner.size || !stride.is_multiple_of(inner.align)) {
                    let message = format!(
                        "elements of {} take {} bytes aligned to {}, more than the stride says",
                        self.report.ty(id),
                        inner.size,
                        inner.align
                    );
                    return self.error(&codes::V011, message);
                }
                let count = u64::from(length.unwrap_or(1));
                Info {
                    data: inner.data && length.is_some(),
                    handle: inner.handle,
                    runtime: inner.data && length.is_none(),
                    laid_out: inner.laid_out && stride != 0,
                    size: if stride == 0 { inner.size } else { u64::from(stride) }
                        .saturating_mul(count - 1)
                        .saturating_add(inner.size),
                    align: inner.align,
                    depth: inner.depth.saturating_add(1),
                    ..inner
                }
            }
            Type::Struct(structure) => self.structure(structure, depth),
            Type::Pointer { space, pointee } => {
                let inner = self.ty(pointee, depth + 1);
                if inner.broken {
                    return BROKEN;
                }
                if !(inner.data || inner.runtime) {
                    return wrong(self, "a pointer points to data");
                }
                if space == Space::Handle {
                    return wrong(self, "no pointer points into the handle space");
                }
                if inner.runtime && space != Space::Storage {
                    return wrong(self, "a runtime array lies in a storage buffer");
                }
                Info { depth: inner.depth.saturating_add(1), align: 1, ..Info::default() }
            }
            Type::Texture(texture) => match texture_fault(texture) {
                Some(why) => wrong(self, why),
                None => Info { handle: true, ..leaf },
            },
            Type::Sampler { .. } => Info { handle: true, ..leaf },
        }
    }

    fn structure(&mut self, id: Id<Struct>, depth: usize) -> Info {
        let index = id.index();
        match self.struct_state.get(index) {
            None => return self.error(&codes::V001, format!("there is no struct of number {index}")),
            Some(Visit::Done) => return self.structs[index],
            Some(Visit::Active) => {
                let name = self.report.name(self.report.module.types.structs[id].name);
                return self.error(&codes::V002, format!("struct %{name} contains itself"));
            }
            Some(Visit::New) => {}
        }
        self.struct_state[index] = Visit::Active;
        let info = self.structure_new(&self.report.module.types.structs[id], depth);
        self.structs[index] = info;
        self.struct_state[index] = Visit::Done;
        info
    }

    fn structure_new(&mut self, data: &Struct, depth: usize) -> Info {
        let name = self.report.name(data.name);
        if data.members.len() > self.report.options.limits.entities {
            return self.error(&codes::V014, format!("struct %{name} has {} members", data.members.len()));
        }
        let mut info = Info { data: true, laid_out: true, align: 1, depth: 1, ..Info::default() };
        let mut inner = Vec::with_capacity(data.members.len());
        for (i, member) in data.members.iter().enumerate() {
            let part = self.ty(member.ty, depth + 1);
            inner.push(part);
            if part.broken {
                info.broken = true;
                continue;
            }
            let last = i + 1 == data.members.len();
            if !(part.data
                || part.runtime && last && matches!(self.report.module.types.get(member.ty), Type::Array { .. }))
            {
                let (field, ty) = (self.report.name(member.name), self.report.ty(member.ty));
                let message = format!("member {field} of struct %{name} cannot be {ty} in this place");
                self.error(&codes::V002, message);
                info.broken = true;
            }
            info.runtime |= part.runtime;
            info.data &= part.data;
            info.laid_out &= part.laid_out && member.layout.is_some();
            info.align = info.align.max(part.align);
            info.depth = info.depth.max(part.depth.saturating_add(1));
        }
        if info.broken {
            return BROKEN;
        }
        match self.layout(data, &inner) {
            Ok(end) => info.size = if data.size != 0 { u64::from(data.size) } else { end },
            Err(why) => return self.error(&codes::V011, format!("in struct %{name} {why}")),
        }
        info
    }

    /// The end of the last member, or what is wrong with the layout.
    fn layout(&self, data: &Struct, inner: &[Info]) -> Result<u64, String> {
        let given = data.members.iter().filter(|m| m.layout.is_some()).count();
        if given == 0 {
            return Ok(inner.iter().fold(0, |sum: u64, i| sum.saturating_add(i.size)));
        }
        if given != data.members.len() {
            return Err("some members have an offset and some have none".to_owned());
        }
        let mut places: Vec<(u64, u64, usize)> = Vec::with_capacity(inner.len());
        for (i, (member, info)) in data.members.iter().zip(inner).enumerate() {
            let Some(layout) = member.layout else { continue };
            let field = self.report.name(member.name);
            if !layout.offset.is_multiple_of(info.align) {
                return Err(format!("offset {} of {field} is not aligned to {}", layout.offset, info.align));
            }
            let size = self.member_size(member, info)?;
            places.push((u64::from(layout.offset), u64::from(layout.offset).saturating_add(size), i));
        }
        if !places.is_sorted() {
            places.sort_unstable();
        }
        for pair in places.windows(2) {
            if pair[1].0 < pair[0].1 {
                let names = [pair[0].2, pair[1].2].map(|i| self.report.name(data.members[i].name));
                return Err(format!("{} and {} overlap", names[0], names[1]));
            }
        }
        let end = places.last().map_or(0, |p| p.1);
        if data.size != 0 && end > u64::from(data.size) {
            return Err(format!("the members end at {end}, past the size {}", data.size));
        }
        Ok(end)
    }

    fn member_size(&self, member: &Member, info: &Info) -> Result<u64, String> {
        let Some(layout) = member.layout else { return Ok(info.size) };
        let mut ty = member.ty;
        // At most as deep as types nest.
        while let Type::Array { element, .. } = self.report.module.types.get(ty) {
            ty = element;
        }
        let Type::Matrix { scalar, rows, columns } = self.report.module.types.get(ty) else {
            return Ok(info.size);
        };
        let (lines, length) = if layout.row_major { (rows, columns) } else { (columns, rows) };
        let line = scalar.bytes() * u32::from(length);
        if layout.matrix_stride < line || !layout.matrix_stride.is_multiple_of(scalar.bytes()) {
            let field = self.report.name(member.name);
            return Err(format!("the matrix stride {} of {field} holds no line of {line} bytes", layout.matrix_stride));
        }
        let one = u64::from(layout.matrix_stride) * u64::from(lines - 1) + u64::from(line);
        let (element, count, stride) = match self.report.module.types.get(member.ty) {
            Type::Array { element, length, stride } => (element, u64::from(length.unwrap_or(1)), u64::from(stride)),
            _ => return Ok(one),
        };
        if element == ty && stride < one {
            let field = self.report.name(member.name);
            return Err(format!("the array stride {stride} of {field} holds no matrix of {one} bytes"));
        }
        Ok(stride.saturating_mul(count - 1).saturating_add(one))
    }
}

fn numbers(kind: Scalar, count: u8) -> Info {
    Info {
        data: true,
        laid_out: true,
        size: u64::from(kind.bytes()) * u64::from(count),
        align: kind.bytes(),
        depth: 1,
        ..Info::default()
    }
}

fn texture_fault(texture: Texture) -> Option<&'static str> {
    let Texture { dim, arrayed, multisampled, scalar, kind } = texture;
    if scalar == Scalar::Bool || scalar == Scalar::F64 {
        return Some("texels are numbers of up to 32 bits, or 64-bit integers");
    }
    if multisampled && dim != Dim::D2 {
        return Some("only 2d textures have samples");
    }
    if arrayed && matches!(dim, Dim::D3 | Dim::Buffer) {
        return Some("neither 3d textures nor buffers have layers");
    }
    match kind {
        TextureKind::Sampled => None,
        TextureKind::Depth if scalar != Scalar::F32 || !matches!(dim, Dim::D2 | Dim::Cube) => {
            Some("depth textures are 2d or cube, of f32")
        }
        TextureKind::Depth => None,
        TextureKind::Storage(..) if multisampled => Some("storage textures have no samples"),
        TextureKind::Storage(format, _) => match format.scalar() {
            None => None,
            Some(found)
                if found.is_float() == scalar.is_float()
                    && found.is_signed() == scalar.is_signed()
                    && (found.bits() == 64) == (scalar.bits() == 64) =>
            {
                None
            }
            Some(_) => Some("the format is of another kind than the component"),
        },
    }
}

fn constant_shape(report: &Report<'_>, infos: &Infos, index: usize, constant: &Constant) -> Result<(), super::Fault> {
    let module = report.module;
    let info = infos.get(constant.ty);
    if !module.types.contains(constant.ty) {
        return Err((&codes::V001, format!("constant {index} has a type that does not exist")));
    }
    if info.broken {
        return Ok(());
    }
    let wrong = |why: &str| (&codes::V002, format!("a constant of {} {why}", report.ty(constant.ty)));
    if !info.data {
        return Err(wrong("cannot be"));
    }
    match (&constant.value, lanes_of(constant.ty)) {
        (ConstantValue::Scalar(bits), Some((kind, 1))) if mask(kind, *bits) == *bits => Ok(()),
        (ConstantValue::Vector(lanes), Some((kind, count))) if count > 1 => {
            let (used, rest) = lanes.split_at(usize::from(count));
            if used.iter().any(|&b| mask(kind, b) != b) || rest.iter().any(|&b| b != 0) {
                return Err(wrong("has bits beyond its lanes"));
            }
            Ok(())
        }
        (ConstantValue::Scalar(_), Some((_, 1))) => Err(wrong("has bits beyond its width")),
        (ConstantValue::Zero, None) => Ok(()),
        (ConstantValue::Composite(parts), None) => {
            let wanted = match module.types.get(constant.ty) {
                Type::Matrix { rows, .. } => usize::from(rows),
                Type::Array { length, .. } => length.unwrap_or(0) as usize,
                Type::Struct(id) => module.types.structs.get(id).map_or(0, |s| s.members.len()),
                _ => 0,
            };
            if parts.len() != wanted {
                return Err(wrong(&format!("has {} parts, not {wanted}", parts.len())));
            }
            for (i, &part) in parts.iter().enumerate() {
                if part.index() >= index {
                    return Err((&codes::V001, format!("part {i} of constant {index} does not stand before it")));
                }
                let (found, step) = (module.constants[part].ty, module.types.step(constant.ty, i as u32));
                if step != Some(found) {
                    return Err(wrong(&format!("has a part {i} of {}", report.ty(found))));
                }
            }
            Ok(())
        }
        _ => Err(wrong("does not have its shape")),
    }
}

fn check_global(report: &Report<'_>, infos: &Infos, global: &Global, seen: &mut [bool], diags: &mut Diags) {
    let module = report.module;
    let name = report.name(global.name);
    if !module.types.contains(global.ty) || !module.types.contains(global.value_ty) {
        report.error(diags, &codes::V001, global.span, format!("global @{name} has a type that does not exist"));
        return;
    }
    let info = infos.get(global.ty);
    if info.broken {
        return;
    }
    let handle = global.space == Space::Handle;
    let kind_fits = match global.kind {
        GlobalKind::Input(_) => global.space == Space::Input,
        GlobalKind::Output(_) => global.space == Space::Output,
        GlobalKind::Resource { .. } => matches!(global.space, Space::Uniform | Space::Storage | Space::Handle),
        GlobalKind::Push => global.space == Space::Push,
        GlobalKind::Workgroup => global.space == Space::Workgroup,
        GlobalKind::Private(_) => global.space == Space::Private,
    };
    let value_fits = match module.types.get(global.value_ty) {
        Type::Pointer { space, pointee } => space == global.space && pointee == global.ty && !handle,
        _ => handle && global.value_ty == global.ty,
    };
    let type_fits = if handle { info.handle } else { info.data || info.runtime && global.space == Space::Storage };
    if !(kind_fits && value_fits && type_fits) {
        let message =
            format!("global @{name} of {} cannot lie in the {} space", report.ty(global.ty), global.space.name());
        report.error(diags, &codes::V002, global.span, message);
        return;
    }
    if let GlobalKind::Private(Some(first)) = global.kind {
        match module.constants.get(first) {
            None => {
                let message = format!("the first value of global @{name} does not exist");
                report.error(diags, &codes::V001, global.span, message);
            }
            Some(constant) if constant.ty != global.ty => {
                let message = format!("the first value of global @{name} is {}", report.ty(constant.ty));
                report.error(diags, &codes::V002, global.span, message);
            }
            Some(_) => {}
        }
    }
    if matches!(global.space, Space::Uniform | Space::Storage | Space::Push) {
        if !info.laid_out {
            let message = format!("the type of buffer @{name} has members or elements without a place");
            report.error(diags, &codes::V011, global.span, message);
        } else if global.space == Space::Uniform
            && let Some(field) = crossing(report, global.ty, seen)
        {
            let message = format!("member {field} of uniform buffer @{name} crosses a 16-byte line");
            report.error(diags, &codes::V011, global.span, message);
        }
    }
}

/// The first member that lies across a 16-byte line of a uniform buffer. Each struct is looked at once: inner structs
/// begin on a line, which is part of the rule.
fn crossing(report: &Report<'_>, ty: TypeId, seen: &mut [bool]) -> Option<String> {
    let module = report.module;
    let mut todo = vec![ty];
    while let Some(ty) = todo.pop() {
        let id = match module.types.get(ty) {
            Type::Array { element, .. } => {
                todo.push(element);
                continue;
            }
            Type::Struct(id) if !std::mem::replace(seen.get_mut(id.index())?, true) => id,
            _ => continue,
        };
        for member in &module.types.structs.get(id)?.members {
            let at = member.layout.map_or(0, |l| l.offset);
            let crosses = match (lanes_of(member.ty), module.types.get(member.ty)) {
                (Some((kind, lanes)), _) => {
                    let size = kind.bytes() * u32::from(lanes);
                    if size > 16 { at % 16 != 0 } else { at % 16 + size > 16 }
                }
                (None, Type::Struct(_)) => at % 16 != 0,
                _ => false,
            };
            if crosses {
                return Some(report.name(member.name).to_owned());
            }
            todo.push(member.ty);
        }
    }
    None
}
