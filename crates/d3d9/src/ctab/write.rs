//! Table to payload, in the layout of the native compiler.

use aquatint_base::{HashMap, Id};

use super::{Class, Constant, ConstantTable, RegisterSet, TypeInfo};

/// Byte offset of the constant array, and size of the header.
const HEADER: usize = 28;
/// What the compiler pads with.
const PAD: u8 = 0xAB;

/// Writes the payload of a `CTAB` comment, FourCC not included (5.1): a 28-byte header, entries sorted by name, each
/// name, type and initial value written once, creator and target last, padded to a word.
///
/// A table that [`parse`](super::parse()) read from a compiler's output gives the same bytes again. Strings are cut at a
/// NUL. The result can be too long for a comment: see [`comment`].
pub fn write(table: &ConstantTable) -> Vec<u8> {
    let mut order: Vec<&Constant> = table.constants.iter().collect();
    order.sort_by(|a, b| a.name.as_bytes().cmp(b.name.as_bytes()));
    let mut writer = Writer {
        out: vec![0; HEADER + 20 * order.len()],
        table,
        strings: HashMap::default(),
        types: HashMap::default(),
        values: HashMap::default(),
        members: HashMap::default(),
    };
    for (entry, constant) in order.iter().enumerate() {
        let name = writer.string(&constant.name);
        let ty = writer.ty(constant.ty, 0);
        let default = constant.default.as_deref().map_or(0, |words| writer.value(words));
        let at = HEADER + 20 * entry;
        writer.patch(at, &name.to_le_bytes());
        for (i, half) in
            [constant.set.number(), constant.index, constant.count, constant.reserved].into_iter().enumerate()
        {
            writer.patch(at + 4 + 2 * i, &half.to_le_bytes());
        }
        writer.patch(at + 12, &ty.to_le_bytes());
        writer.patch(at + 16, &default.to_le_bytes());
    }
    let target = table.target.as_deref().map_or(0, |text| writer.string(text));
    let creator = table.creator.as_deref().map_or(0, |text| writer.string(text));
    writer.align();
    let info = if order.is_empty() { 0 } else { HEADER as u32 };
    let header = [HEADER as u32, creator, table.version, order.len() as u32, info, table.flags, target];
    for (i, word) in header.into_iter().enumerate() {
        writer.patch(4 * i, &word.to_le_bytes());
    }
    writer.out
}

/// Wraps a payload of whole words as a comment: token, FourCC `CTAB`, payload. `None` where it is longer than a
/// comment can be (32,767 words) or not whole words.
pub fn comment(payload: &[u8]) -> Option<Vec<u32>> {
    let words = super::bytes::words(payload);
    let length = u32::try_from(words.len() + 1).ok().filter(|&n| n <= 0x7FFF && payload.len().is_multiple_of(4))?;
    let mut out = Vec::with_capacity(words.len() + 2);
    out.extend([length << 16 | 0xFFFE, u32::from_le_bytes(*b"CTAB")]);
    out.extend(words);
    Some(out)
}

/// The comment that declares c0 … as one float4 array `c` of `registers` elements, for streams that address constants
/// relatively and lost their table: 27 words, exact to the byte (runtime sheet 4.4). `version` is the shader's version
/// word; `registers` is 256 in vertex and 224 in pixel shaders.
pub fn synthetic(version: u32, registers: u16) -> Vec<u32> {
    const CREATOR: &[u8] = b"HaloVision synthetic CTAB\0";
    let count = u32::from(registers);
    let head = [28, 64, version, 1, 28, 0, 90, 97, 0x0000_0002, count, 48, 0, 0x0003_0001, 0x0004_0001, count, 0];
    let mut payload: Vec<u8> = head.into_iter().flat_map(u32::to_le_bytes).collect();
    payload.extend(CREATOR);
    payload.extend(if version >> 16 == 0xFFFE { b"vs_1_1\0" } else { b"ps_1_1\0" });
    payload.extend(b"c\0\0");
    let mut out = vec![0x001A_FFFE, u32::from_le_bytes(*b"CTAB")];
    out.extend(super::bytes::words(&payload));
    out
}

struct Writer<'a> {
    out: Vec<u8>,
    table: &'a ConstantTable,
    strings: HashMap<&'a str, u32>,
    types: HashMap<Id<TypeInfo>, u32>,
    values: HashMap<&'a [u32], u32>,
    members: HashMap<Vec<(u32, u32)>, u32>,
}

impl<'a> Writer<'a> {
    fn position(&self) -> u32 {
        u32::try_from(self.out.len()).unwrap_or(u32::MAX)
    }

    fn align(&mut self) {
        self.out.resize(self.out.len().next_multiple_of(4), PAD);
    }

    fn patch(&mut self, at: usize, bytes: &[u8]) {
        if let Some(place) = self.out.get_mut(at..at + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }

    fn string(&mut self, text: &'a str) -> u32 {
        let text = text.split('\0').next().unwrap_or("");
        if let Some(&at) = self.strings.get(text) {
            return at;
        }
        let at = self.position();
        self.out.extend(text.as_bytes());
        self.out.push(0);
        self.strings.insert(text, at);
        at
    }

    fn value(&mut self, words: &'a [u32]) -> u32 {
        if let Some(&at) = self.values.get(words) {
            return at;
        }
        self.align();
        let at = self.position();
        self.out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        self.values.insert(words, at);
        at
    }

    /// Struct types that differ in array length alone share their members.
    fn members(&mut self, members: Vec<(u32, u32)>) -> u32 {
        if members.is_empty() {
            return 0;
        }
        if let Some(&at) = self.members.get(&members) {
            return at;
        }
        let at = self.position();
        self.out.extend(members.iter().flat_map(|&(name, ty)| [name, ty]).flat_map(u32::to_le_bytes));
        self.members.insert(members, at);
        at
    }

    /// Members lie before the struct they belong to. A table can only name types entered before, so this ends; the
    /// depth bound is for tables built by hand.
    fn ty(&mut self, id: Id<TypeInfo>, depth: u32) -> u32 {
        if let Some(&at) = self.types.get(&id) {
            return at;
        }
        let table = self.table;
        let Some(ty) = table.ty(id).filter(|_| depth <= 64) else { return 0 };
        let mut members = Vec::with_capacity(ty.members.len());
        for member in &ty.members {
            let name = self.string(&member.name);
            members.push((name, self.ty(member.ty, depth + 1)));
        }
        self.align();
        let info = self.members(members);
        let at = self.position();
        let count = ty.members.len() as u16;
        let class = ty.class as u16;
        for half in [class, ty.base as u16, ty.rows, ty.columns, ty.elements, count] {
            self.out.extend(half.to_le_bytes());
        }
        self.out.extend(info.to_le_bytes());
        self.types.insert(id, at);
        at
    }
}

impl ConstantTable {
    /// Whether both tables say the same, however their types are numbered or shared.
    pub fn same(&self, other: &ConstantTable) -> bool {
        let mut known = HashMap::default();
        self.version == other.version
            && (self.flags, &self.creator, &self.target) == (other.flags, &other.creator, &other.target)
            && self.constants.len() == other.constants.len()
            && self.constants.iter().zip(&other.constants).all(|(a, b)| {
                (&a.name, a.set, a.index, a.count, a.reserved) == (&b.name, b.set, b.index, b.count, b.reserved)
                    && a.default == b.default
                    && self.same_type(a.ty, other, b.ty, &mut known, 0)
            })
    }

    fn same_type(
        &self,
        a: Id<TypeInfo>,
        other: &ConstantTable,
        b: Id<TypeInfo>,
        known: &mut HashMap<(Id<TypeInfo>, Id<TypeInfo>), bool>,
        depth: u32,
    ) -> bool {
        if let Some(&same) = known.get(&(a, b)) {
            return same;
        }
        let (Some(x), Some(y)) = (self.ty(a), other.ty(b)) else { return false };
        let same = depth <= 64
            && (x.class, x.base, x.rows, x.columns, x.elements) == (y.class, y.base, y.rows, y.columns, y.elements)
            && x.members.len() == y.members.len()
            && x.members
                .iter()
                .zip(&y.members)
                .all(|(m, n)| m.name == n.name && self.same_type(m.ty, other, n.ty, known, depth + 1));
        known.insert((a, b), same);
        same
    }

    /// A table that names one array of float4 registers `c0` …, as [`synthetic`] encodes it.
    pub fn of_one_array(version: u32, registers: u16) -> Self {
        let mut table = ConstantTable {
            creator: Some("HaloVision synthetic CTAB".into()),
            version,
            target: Some(if version >> 16 == 0xFFFE { "vs_1_1" } else { "ps_1_1" }.into()),
            ..Self::default()
        };
        let ty = table.add_type(Class::Vector, super::BaseType::Float, [1, 4], registers, Vec::new());
        let set = RegisterSet::Float4;
        table.constants.push(Constant {
            name: "c".into(),
            set,
            index: 0,
            count: registers,
            reserved: 0,
            ty,
            default: None,
        });
        table
    }
}
