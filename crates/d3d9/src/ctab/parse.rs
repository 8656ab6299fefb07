//! Payload to table.

use aquatint_base::{Diagnostic, Diags, HashMap, Id, SourceId};

use super::bytes::{Bytes, text, words};
use super::{BaseType, Class, Constant, ConstantTable, Member, RegisterSet, TypeInfo};
use crate::codes;

/// Longest string, NUL included (1.17).
const STRING: usize = 4096;
/// Deepest nesting of struct types (1.17).
const DEPTH: u32 = 16;
/// Members of all struct types together (1.17).
const MEMBERS: usize = 1 << 16;
/// Bytes of all names, and of all initial values, together. A payload has 128 KiB at most, but entries may point at
/// overlapping strings.
const TOTAL: usize = 1 << 20;

/// Reads a constant table (5.1).
///
/// `payload` is what follows the FourCC, and `base` its byte offset in the input `source`. Damage is reported as
/// warnings of [`codes::E_CTAB`]: a bad header drops the table, a bad entry that entry, a bad initial value that value.
pub fn parse(payload: &[u8], base: u32, source: SourceId, diags: &mut Diags) -> Option<ConstantTable> {
    let bytes = Bytes { data: payload, base, source };
    let mut reader = Reader {
        bytes,
        diags,
        table: ConstantTable::default(),
        types: HashMap::default(),
        members: MEMBERS,
        names: TOTAL,
        defaults: TOTAL,
    };
    reader.read()?;
    Some(reader.table)
}

/// A type offset that was met before.
#[derive(Clone, Copy)]
enum Seen {
    /// Its members are being read: meeting it again is a cycle.
    Open,
    /// Read; structs below it nest this deep.
    Done(Id<TypeInfo>, u32),
    /// Not usable.
    Bad,
}

struct Reader<'a> {
    bytes: Bytes<'a>,
    diags: &'a mut Diags,
    table: ConstantTable,
    types: HashMap<u32, Seen>,
    members: usize,
    names: usize,
    defaults: usize,
}

impl Reader<'_> {
    fn warn(&mut self, at: u64, len: u64, message: String) {
        let span = self.bytes.span(at, len);
        self.diags.push(Diagnostic::warning(&codes::E_CTAB, message).at(span, "constant table"));
    }

    fn read(&mut self) -> Option<()> {
        let length = self.bytes.len();
        let Some(size) = self.bytes.u32(0).filter(|&size| size >= 20 && u64::from(size) <= length) else {
            let found = self.bytes.u32(0).unwrap_or(0);
            self.warn(0, 4, format!("constant table header of {found} bytes does not fit its {length}-byte payload"));
            return None;
        };
        let size = u64::from(size);
        // A header field that lies past `size` is absent.
        let bytes = self.bytes;
        let field = |at: u64| if at + 4 <= size { bytes.u32(at).unwrap_or(0) } else { 0 };
        let (creator, count, info, target) = (field(4), u64::from(field(12)), u64::from(field(16)), field(24));
        self.table.version = field(8);
        self.table.flags = field(20);
        if count > 65535 || (count > 0 && info + 20 * count > length) {
            let message = format!("{count} constants at offset {info} reach past the {length}-byte constant table");
            self.warn(12, 8, message);
            return None;
        }
        self.table.creator = self.optional_string(creator, "creator");
        self.table.target = self.optional_string(target, "target");
        self.table.constants.reserve_exact(count as usize);
        for entry in 0..count {
            if let Some(constant) = self.constant(info + 20 * entry) {
                self.table.constants.push(constant);
            }
        }
        Some(())
    }

    fn optional_string(&mut self, at: u32, what: &str) -> Option<String> {
        if at == 0 {
            return None;
        }
        self.string(at, what)
    }

    fn string(&mut self, at: u32, what: &str) -> Option<String> {
        let at = u64::from(at);
        let Some(found) = self.bytes.c_string(at, STRING) else {
            self.warn(at, 1, format!("{what} at offset {at} has no NUL inside the constant table"));
            return None;
        };
        let Some(left) = self.names.checked_sub(found.len()) else {
            self.warn(at, 1, format!("names of the constant table take more than {TOTAL} bytes"));
            return None;
        };
        self.names = left;
        Some(text(found))
    }

    fn constant(&mut self, at: u64) -> Option<Constant> {
        let bytes = self.bytes;
        let name = self.string(bytes.u32(at)?, "constant name")?;
        let number = bytes.u16(at + 4)?;
        let Some(set) = RegisterSet::from_number(number) else {
            self.warn(at + 4, 2, format!("constant `{name}` is in register set {number}, the last one is 3"));
            return None;
        };
        let (index, count, reserved) = (bytes.u16(at + 6)?, bytes.u16(at + 8)?, bytes.u16(at + 10)?);
        if u32::from(index) + u32::from(count) > set.widest() {
            let message = format!(
                "constant `{name}` takes {count} registers from {}{index}, the widest file has {}",
                set.letter(),
                set.widest()
            );
            self.warn(at + 6, 4, message);
            return None;
        }
        let (ty, _) = self.ty(bytes.u32(at + 12)?, 0)?;
        let default = match bytes.u32(at + 16)? {
            0 => None,
            offset => self.default(offset, &name, set, ty),
        };
        Some(Constant { name, set, index, count, reserved, ty, default })
    }

    fn default(&mut self, at: u32, name: &str, set: RegisterSet, ty: Id<TypeInfo>) -> Option<Vec<u32>> {
        let registers = u64::from(self.table.ty(ty)?.registers(set));
        let bytes = registers * if set == RegisterSet::Bool { 4 } else { 16 };
        let Some(found) = self.bytes.slice(u64::from(at), bytes) else {
            self.warn(u64::from(at), bytes, format!("initial value of `{name}` reaches past the constant table"));
            return None;
        };
        let Some(left) = self.defaults.checked_sub(found.len()) else {
            self.warn(u64::from(at), bytes, format!("initial values take more than {TOTAL} bytes"));
            return None;
        };
        self.defaults = left;
        Some(words(found))
    }

    /// The type at `at`, with how deep structs nest in it. Recursion is bounded by [`DEPTH`], and each offset is read
    /// once, so that shared types cost nothing.
    fn ty(&mut self, at: u32, depth: u32) -> Option<(Id<TypeInfo>, u32)> {
        match self.types.get(&at) {
            Some(&Seen::Done(id, height)) if depth + height <= DEPTH => return Some((id, height)),
            Some(&Seen::Done(..)) => {
                self.warn(u64::from(at), 16, format!("struct types nest deeper than {DEPTH}"));
                return None;
            }
            Some(Seen::Open) => {
                self.warn(u64::from(at), 16, format!("type at offset {at} contains itself"));
                return None;
            }
            Some(Seen::Bad) => return None,
            None => {}
        }
        if depth >= DEPTH {
            self.warn(u64::from(at), 16, format!("struct types nest deeper than {DEPTH}"));
            return None;
        }
        self.types.insert(at, Seen::Open);
        let found = self.new_type(at, depth);
        let seen = found.map_or(Seen::Bad, |(id, height)| Seen::Done(id, height));
        self.types.insert(at, seen);
        found
    }

    fn new_type(&mut self, offset: u32, depth: u32) -> Option<(Id<TypeInfo>, u32)> {
        let bytes = self.bytes;
        let at = u64::from(offset);
        if bytes.slice(at, 16).is_none() {
            self.warn(at, 16, format!("type at offset {at} lies outside the constant table"));
            return None;
        }
        let [class, base, rows, columns, elements, count] = [0, 2, 4, 6, 8, 10].map(|i| bytes.u16(at + i).unwrap_or(0));
        let kinds = (Class::from_number(class.into()), BaseType::from_number(base.into()));
        let (Some(class), Some(base)) = kinds else {
            self.warn(at, 4, format!("type at offset {at} has class {class} and type {base}, which do not exist"));
            return None;
        };
        let mut members = Vec::new();
        let mut height = 0;
        if class == Class::Struct {
            let info = u64::from(bytes.u32(at + 12)?);
            let Some(left) = self.members.checked_sub(count.into()) else {
                self.warn(at, 16, format!("struct types have more than {MEMBERS} members"));
                return None;
            };
            if bytes.slice(info, 8 * u64::from(count)).is_none() {
                self.warn(at, 16, format!("{count} members at offset {info} reach past the constant table"));
                return None;
            }
            self.members = left;
            members.reserve_exact(count.into());
            for member in 0..u64::from(count) {
                let name = self.string(bytes.u32(info + 8 * member)?, "member name")?;
                let (ty, below) = self.ty(bytes.u32(info + 8 * member + 4)?, depth + 1)?;
                height = height.max(below + 1);
                members.push(Member { name, ty });
            }
        }
        Some((self.table.add_type(class, base, [rows, columns], elements, members), height))
    }
}
