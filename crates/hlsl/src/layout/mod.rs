//! Memory layout: one engine for all modes (Part C). A type under a rule gives an IR type with explicit offsets, strides and
//! orientations, once; writers, reflection and executors read it, none computes it again (C1.3).
//!
//! A value has no layout: [`Layouts::value`] gives the IR type in which it is held. The same struct under two rules is two
//! IR structs, between which lowering converts leaf by leaf (C1.2).

#[cfg(test)]
mod tests;

use crate::types::{Field, Kind, Shape, Ty, Type, Types};
use aquatint_base::{HashMap, HashSet, Id, Names};
use aquatint_ir::types::{self as ir, MemberLayout, TypeId};

/// The option `layout`: which rules hold for which buffer (C1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Mode {
    /// Direct3D's: legacy constant buffers, natural everywhere else.
    #[default]
    Dx,
    /// Vulkan's relaxed rules.
    Vk,
    /// OpenGL's std140 and std430.
    Gl,
    /// Natural everywhere.
    Scalar,
}

impl Mode {
    /// The mode of that name on the command line.
    pub fn of_name(name: &str) -> Option<Mode> {
        match name {
            "dx" => Some(Mode::Dx),
            "vk" => Some(Mode::Vk),
            "gl" => Some(Mode::Gl),
            "scalar" => Some(Mode::Scalar),
            _ => None,
        }
    }
}

/// What a buffer is, as far as its rule goes: the columns of C1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Use {
    /// `cbuffer`, `ConstantBuffer`, `$Globals`, `$Params`.
    Constant,
    /// `tbuffer`, `TextureBuffer`.
    TextureBuffer,
    /// Structured buffers of all kinds.
    Structured,
    /// `Load<T>` and `Store<T>` of byte-address buffers.
    Bytes,
    /// Push constants.
    Push,
}

/// A set of packing rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Rule {
    /// C2.
    Legacy,
    /// C3.
    Natural,
    /// C4.2.
    Std140,
    /// C4.1.
    Std430,
    /// C4.3 on std140.
    Relaxed140,
    /// C4.3 on std430.
    Relaxed430,
}

impl Mode {
    /// The rule of a buffer: the table of C1.
    pub const fn rule(self, of: Use) -> Rule {
        match (self, of) {
            (Mode::Dx, Use::Constant | Use::TextureBuffer) => Rule::Legacy,
            (_, Use::Bytes) | (Mode::Dx | Mode::Scalar, _) => Rule::Natural,
            (Mode::Vk, Use::Constant) => Rule::Relaxed140,
            (Mode::Vk, _) => Rule::Relaxed430,
            (Mode::Gl, Use::Constant) => Rule::Std140,
            (Mode::Gl, _) => Rule::Std430,
        }
    }
}

impl Rule {
    const fn is_140(self) -> bool {
        matches!(self, Rule::Std140 | Rule::Relaxed140)
    }

    const fn is_relaxed(self) -> bool {
        matches!(self, Rule::Relaxed140 | Rule::Relaxed430)
    }

    /// The name in reflection (E2).
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Legacy => "legacy_cbuffer",
            Rule::Natural => "natural",
            Rule::Std140 => "std140",
            Rule::Std430 => "std430",
            Rule::Relaxed140 => "relaxed_std140",
            Rule::Relaxed430 => "relaxed_std430",
        }
    }

    const fn suffix(self) -> &'static str {
        match self {
            Rule::Legacy | Rule::Std140 | Rule::Relaxed140 => "_cb",
            Rule::Natural | Rule::Std430 | Rule::Relaxed430 => "_sb",
        }
    }
}

/// Why a type has no layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Error {
    /// Larger than 256 MiB (F4, AQ4009).
    TooLarge,
    /// An offset that is not aligned for its member: index of the field (AQ3044).
    Misaligned(usize),
    /// Two members overlap: index of the later field (AQ3232).
    Overlap(usize),
    /// A type that is no data.
    NoData,
}

/// The largest type (F4).
pub const MAX_SIZE: u64 = 256 << 20;

/// A type in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Laid {
    /// The IR type, with strides and offsets.
    pub ty: TypeId,
    /// Bytes that it takes. Under legacy rules without a padded tail.
    pub size: u32,
    /// Alignment.
    pub align: u32,
    /// Bytes from one line of a matrix to the next, and whether a line is a row; for matrices and arrays of them.
    pub matrix: Option<(u32, bool)>,
}

impl Laid {
    /// What the member of this type says of its place.
    pub fn member(&self, offset: u32) -> MemberLayout {
        let (matrix_stride, row_major) = self.matrix.unwrap_or((0, false));
        MemberLayout { offset, matrix_stride, row_major }
    }
}

/// What layouts are made from and into.
pub struct Tables<'a> {
    /// The source's types.
    pub types: &'a Types,
    /// The module's types.
    pub ir: &'a mut ir::Types,
    /// Names.
    pub names: &'a mut Names,
}

/// The layouts of a compilation: each type under each rule once.
#[derive(Debug, Default)]
pub struct Layouts {
    laid: HashMap<(Ty, Rule), Result<Laid, Error>>,
    values: HashMap<Ty, TypeId>,
    struct_names: HashSet<String>,
    /// Whether 16-bit types are enabled.
    pub native16: bool,
}

fn round_up(value: u64, align: u32) -> u64 {
    value.next_multiple_of(u64::from(align.max(1)))
}

fn checked(size: u64) -> Result<u32, Error> {
    if size > MAX_SIZE { Err(Error::TooLarge) } else { Ok(size as u32) }
}

impl Layouts {
    /// No layouts yet.
    pub fn new(native16: bool) -> Self {
        Self { native16, ..Self::default() }
    }

    /// A type under a rule.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn of(&mut self, tables: &mut Tables<'_>, ty: Ty, rule: Rule) -> Result<Laid, Error> {
        if let Some(&laid) = self.laid.get(&(ty, rule)) {
            return laid;
        }
        let laid = self.compute(tables, ty, rule);
        self.laid.insert((ty, rule), laid);
        laid
    }

    /// The scalar of one element, as a buffer holds it: bool is a word (C1.4).
    fn stored(&self, kind: Kind) -> aquatint_ir::Scalar {
        match kind.scalar(self.native16) {
            aquatint_ir::Scalar::Bool => aquatint_ir::Scalar::U32,
            scalar => scalar,
        }
    }

    /// The bytes of one element, as a buffer holds it (C1.4).
    fn bytes(&self, kind: Kind) -> u32 {
        kind.scalar(self.native16).bytes()
    }

    fn compute(&mut self, tables: &mut Tables<'_>, ty: Ty, rule: Rule) -> Result<Laid, Error> {
        if let Type::Matrix { kind, rows, columns, row_major } = tables.types.get(ty) {
            return self.matrix(tables, kind, rows, columns, row_major, rule);
        }
        if let Some((kind, shape)) = tables.types.numeric(ty) {
            let lanes = shape.count();
            let align = vector_align(self.bytes(kind), lanes, rule);
            let size = self.bytes(kind) * u32::from(lanes);
            let ty = ir::vector(self.stored(kind), lanes);
            return Ok(Laid { ty, size, align, matrix: None });
        }
        match tables.types.get(ty) {
            Type::Array(element, length) => {
                let inner = self.of(tables, element, rule)?;
                let mut align = inner.align;
                if let (true, Some((kind, Shape::Vector(n)))) = (rule.is_relaxed(), tables.types.numeric(element)) {
                    // Only a member that is a vector itself may lie anywhere (C4.3).
                    align = align.max(vector_align(self.bytes(kind), n, Rule::Std430));
                }
                if rule == Rule::Legacy || rule.is_140() {
                    align = align.max(16);
                }
                let stride = checked(round_up(u64::from(inner.size), align))?;
                let count = u64::from(length.unwrap_or(1));
                // C2.5: the last element has no tail pad.
                let size = match rule {
                    Rule::Legacy => u64::from(stride) * (count - 1) + u64::from(inner.size),
                    _ => u64::from(stride).checked_mul(count).ok_or(Error::TooLarge)?,
                };
                let size = checked(size)?;
                let ty = tables.ir.intern(ir::Type::Array { element: inner.ty, length, stride: stride.max(1) });
                Ok(Laid { ty, size, align, matrix: inner.matrix })
            }
            Type::Struct(id) => {
                let data = &tables.types.structs[id];
                let name = match tables.names.get(data.name) {
                    "" => "anonymous",
                    name => name,
                };
                let name = format!("{name}{}", rule.suffix());
                let fields = &data.fields;
                self.block(tables, &name, fields, rule, false)
            }
            _ => Err(Error::NoData),
        }
    }

    fn matrix(
        &mut self,
        tables: &mut Tables<'_>,
        kind: Kind,
        rows: u8,
        columns: u8,
        row_major: bool,
        rule: Rule,
    ) -> Result<Laid, Error> {
        let scalar = self.stored(kind);
        let bytes = self.bytes(kind);
        // C2.4: L lines of K elements.
        let (lines, length) = if row_major { (rows, columns) } else { (columns, rows) };
        let line = bytes * u32::from(length);
        let (stride, size, align) = match rule {
            Rule::Legacy if lines == 1 => (line, line, bytes),
            Rule::Legacy => {
                let stride = round_up(u64::from(line), 16) as u32;
                (stride, stride * u32::from(lines - 1) + line, 16)
            }
            Rule::Natural => (line, line * u32::from(lines), bytes),
            _ => {
                let strict = if rule.is_140() { Rule::Std140 } else { Rule::Std430 };
                let mut align = vector_align(bytes, length, strict);
                if rule.is_140() {
                    align = align.max(16);
                }
                let stride = round_up(u64::from(line), align) as u32;
                (stride, stride * u32::from(lines), align)
            }
        };
        let (ty, matrix) = match Shape::Matrix(rows, columns).held() {
            Shape::Scalar => (ir::scalar(scalar), None),
            Shape::Vector(n) if lines == 1 || stride == bytes => (ir::vector(scalar, n), None),
            Shape::Vector(n) => {
                let element = ir::scalar(scalar);
                let array = ir::Type::Array { element, length: Some(u32::from(n)), stride };
                (tables.ir.intern(array), None)
            }
            Shape::Matrix(rows, columns) => {
                (tables.ir.intern(ir::Type::Matrix { scalar, rows, columns }), Some((stride, row_major)))
            }
        };
        Ok(Laid { ty, size, align, matrix })
    }

    /// Fields in order as an IR struct: a struct, or the members of a buffer (`outer`), whose size is rounded up (C2.8).
    ///
    /// # Errors
    /// See [`Error`].
    pub fn block(
        &mut self,
        tables: &mut Tables<'_>,
        name: &str,
        fields: &[Field],
        rule: Rule,
        outer: bool,
    ) -> Result<Laid, Error> {
        let mut members = Vec::with_capacity(fields.len());
        let mut places: Vec<(u64, u64, usize)> = Vec::with_capacity(fields.len());
        let mut names = HashSet::default();
        let mut end = 0u64;
        let mut highest = 0u64;
        let mut struct_align = if rule == Rule::Legacy || rule.is_140() { 16 } else { 1 };
        for (index, field) in tables.types.member_fields(fields) {
            let laid = self.of(tables, field.ty, rule)?;
            let vector = self.crosses(tables, field.ty, rule);
            let offset = match field.offset.map(u64::from) {
                // A given place is one that the rule could have given.
                Some(fixed) if place(fixed, &laid, vector) != fixed => return Err(Error::Misaligned(index)),
                Some(fixed) => fixed,
                None => place(end, &laid, vector),
            };
            end = offset + u64::from(laid.size);
            checked(end)?;
            places.push((offset, end, index));
            // C2.9: what has no place of its own continues after the highest end.
            highest = highest.max(end);
            end = highest;
            struct_align = struct_align.max(laid.align);
            let mut member = field.name;
            if !names.insert(member) {
                // A field may hide one of the base.
                let text = format!("{}.{index}", tables.names.get(member));
                member = tables.names.intern(&text);
                names.insert(member);
            }
            let layout = Some(laid.member(offset as u32));
            members.push(ir::Member { name: member, ty: laid.ty, layout });
        }
        places.sort_unstable();
        if let Some(pair) = places.windows(2).find(|pair| pair[1].0 < pair[0].1) {
            return Err(Error::Overlap(pair[0].2.max(pair[1].2)));
        }
        let size = match rule {
            Rule::Legacy if outer => round_up(highest, 16),
            Rule::Legacy => highest,
            _ => round_up(highest, struct_align),
        };
        let size = checked(size)?;
        let name = self.struct_name(tables, name);
        let id = tables.ir.structs.push(ir::Struct { name, members, size });
        let ty = tables.ir.intern(ir::Type::Struct(id));
        Ok(Laid { ty, size, align: struct_align, matrix: None })
    }

    /// The bytes of a vector that may not lie across a 16-byte line under the rule; 0 for what may.
    fn crosses(&self, tables: &Tables<'_>, ty: Ty, rule: Rule) -> u32 {
        let Some((kind, shape)) = tables.types.numeric(ty) else { return 0 };
        let bytes = self.bytes(kind);
        let lanes = match (shape, tables.types.get(ty)) {
            (Shape::Scalar, _) => return 0,
            (Shape::Vector(n), _) => n,
            // C2.4: one line is as a vector.
            (Shape::Matrix(1, n), Type::Matrix { row_major: true, .. })
            | (Shape::Matrix(n, 1), Type::Matrix { row_major: false, .. })
                if rule == Rule::Legacy =>
            {
                n
            }
            (Shape::Matrix(..), _) => return 0,
        };
        match rule {
            Rule::Legacy => bytes * u32::from(lanes),
            _ if rule.is_relaxed() && bytes <= 4 => bytes * u32::from(lanes),
            _ => 0,
        }
    }

    /// A name that no struct of the module has.
    pub fn struct_name(&mut self, tables: &mut Tables<'_>, wanted: &str) -> aquatint_base::Name {
        let mut name = wanted.to_owned();
        let mut number = 1;
        while !self.struct_names.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        tables.names.intern(&name)
    }

    /// The IR type in which a value is held: no layout, matrices of one line as vectors (A4.3), objects and empty structs
    /// not at all.
    pub fn value(&mut self, tables: &mut Tables<'_>, ty: Ty) -> TypeId {
        if let Some((kind, shape)) = tables.types.numeric(ty) {
            let scalar = kind.scalar(self.native16);
            return match shape.held() {
                Shape::Scalar => ir::scalar(scalar),
                Shape::Vector(n) => ir::vector(scalar, n),
                Shape::Matrix(rows, columns) => tables.ir.intern(ir::Type::Matrix { scalar, rows, columns }),
            };
        }
        if let Some(&known) = self.values.get(&ty) {
            return known;
        }
        let value = match tables.types.get(ty) {
            Type::Array(element, length) => {
                let element = self.value(tables, element);
                tables.ir.intern(ir::Type::Array { element, length: Some(length.unwrap_or(1)), stride: 0 })
            }
            Type::Struct(id) => self.value_struct(tables, id),
            _ => ir::VOID,
        };
        self.values.insert(ty, value);
        value
    }

    fn value_struct(&mut self, tables: &mut Tables<'_>, id: Id<crate::types::Struct>) -> TypeId {
        let data = &tables.types.structs[id];
        let mut members = Vec::with_capacity(data.fields.len());
        let mut names = HashSet::default();
        for (index, field) in tables.types.member_fields(&data.fields) {
            let ty = self.value(tables, field.ty);
            let mut name = field.name;
            if !names.insert(name) {
                let text = format!("{}.{index}", tables.names.get(name));
                name = tables.names.intern(&text);
                names.insert(name);
            }
            members.push(ir::Member { name, ty, layout: None });
        }
        let name = match tables.names.get(data.name) {
            "" => "anonymous".to_owned(),
            name => name.to_owned(),
        };
        let name = self.struct_name(tables, &name);
        let id = tables.ir.structs.push(ir::Struct { name, members, size: 0 });
        tables.ir.intern(ir::Type::Struct(id))
    }
}

/// The alignment of a vector or scalar.
fn vector_align(bytes: u32, lanes: u8, rule: Rule) -> u32 {
    match (rule, lanes) {
        (Rule::Legacy | Rule::Natural, _) | (_, 1) => bytes,
        (Rule::Relaxed140 | Rule::Relaxed430, _) if bytes <= 4 => bytes,
        (_, 2) => 2 * bytes,
        _ => 4 * bytes,
    }
}

/// Where a member goes that may start at `end`. `vector` is the size of one that may not cross a line, or 0.
fn place(end: u64, laid: &Laid, vector: u32) -> u64 {
    let at = round_up(end, laid.align);
    if vector == 0 {
        return at;
    }
    // C2.3: the first and the last byte lie in one register; longer ones start on one.
    let straddles = at / 16 != (at + u64::from(vector) - 1) / 16;
    if straddles { round_up(at, 16) } else { at }
}
