//! Bytes to effect: strings, type records and values in the data area.

use aquatint_base::Id;

use super::model::{FxType, State, Value};
use super::parse::Parser;
use crate::ctab::bytes::{text, words};
use crate::ctab::{BaseType, Class};

/// Deepest nesting of struct types (1.17).
const DEPTH: u32 = 16;
/// Longest name, NUL included (1.17).
const NAME: u32 = 4096;

impl Parser<'_> {
    /// The word at `offset` of the data area.
    fn word(&self, offset: u64) -> Option<u32> {
        self.slice(offset, 4).and_then(|bytes| Some(u32::from_le_bytes(bytes.try_into().ok()?)))
    }

    fn slice(&self, offset: u64, len: u64) -> Option<&[u8]> {
        if offset.checked_add(len)? > self.size {
            return None;
        }
        self.bytes.slice(self.data + offset, len)
    }

    /// The name or semantic at `offset`, for an entry at `at` of the file.
    pub fn string(&mut self, offset: u32, at: u64) -> Option<String> {
        let place = u64::from(offset);
        let Some(length) = self.word(place) else {
            self.error(at, 4, format!("name at offset {offset} lies outside the data area of {} bytes", self.size));
            return None;
        };
        if length == 0 {
            return None;
        }
        let found = self.slice(place + 4, length.into()).filter(|_| length <= NAME);
        let Some(found) = found else {
            self.error(self.data + place, 4, format!("name of {length} bytes at offset {offset} is too long"));
            return None;
        };
        let end = found.iter().position(|&byte| byte == 0);
        let Some(name) = end.and_then(|end| found.get(..end)).map(text) else {
            self.error(self.data + place, 4, format!("name at offset {offset} has no NUL"));
            return None;
        };
        let Some(left) = self.text_left.checked_sub(name.len()) else {
            self.error(self.data + place, 4, "names take more space than the effect has".into());
            return None;
        };
        self.text_left = left;
        Some(name).filter(|name| !name.is_empty())
    }

    /// The type record at `offset`, for an entry at `at` of the file; [`FxType::UNKNOWN`] where it is damaged.
    pub fn ty(&mut self, offset: u32, at: u64) -> Id<FxType> {
        match self.type_record(u64::from(offset), at, 0) {
            Some((id, _, _)) => id,
            None => self.effect.types.push(FxType::UNKNOWN),
        }
    }

    /// The record, the offset after it, and how deep structs nest in it. Recursion is bounded by [`DEPTH`]; members
    /// lie behind their struct, so there are no cycles.
    fn type_record(&mut self, offset: u64, at: u64, depth: u32) -> Option<(Id<FxType>, u64, u32)> {
        let key = u32::try_from(offset).ok()?;
        let found = match self.types.get(&key) {
            Some(&known) => known?,
            None => {
                let found = self.new_type(offset, at, depth);
                self.types.insert(key, found);
                found?
            }
        };
        if depth + found.2 > DEPTH {
            self.error(at, 4, format!("struct types nest deeper than {DEPTH}"));
            return None;
        }
        Some(found)
    }

    fn new_type(&mut self, offset: u64, at: u64, depth: u32) -> Option<(Id<FxType>, u64, u32)> {
        let mut fields = [0; 7];
        for (i, field) in fields.iter_mut().enumerate() {
            // Objects have 5 words, all others at least 6.
            let word = self.word(offset + 4 * i as u64);
            *field = match (word, i) {
                (Some(word), _) => word,
                (None, 5..) => 0,
                (None, _) => {
                    let message = format!("type at offset {offset} lies outside the data area of {} bytes", self.size);
                    self.error(at, 4, message);
                    return None;
                }
            };
        }
        let [base, class, name, semantic, elements, first, second] = fields;
        let kinds = (BaseType::from_number(base), Class::from_number(class));
        let (Some(base), Some(class)) = kinds else {
            let place = self.data + offset;
            self.error(
                place,
                8,
                format!("type at offset {offset} has type {base} and class {class}, which do not exist"),
            );
            return None;
        };
        let (rows, columns, more) = match class {
            Class::Vector => (second, first, 8),
            Class::Scalar | Class::MatrixRows | Class::MatrixColumns => (first, second, 8),
            Class::Object => (0, 0, 0),
            Class::Struct => (0, 0, 4),
        };
        let mut end = offset + 20 + more;
        if end > self.size {
            self.error(at, 4, format!("type at offset {offset} reaches past the data area of {} bytes", self.size));
            return None;
        }
        let (name, semantic) = (self.string(name, self.data + offset), self.string(semantic, self.data + offset));
        let mut members = Vec::new();
        let mut height = 0;
        if class == Class::Struct {
            let Some(left) = self.members_left.checked_sub(first as usize) else {
                self.error(self.data + offset, 24, format!("struct of {first} members: effects have 65536 in all"));
                return None;
            };
            if depth >= DEPTH {
                self.error(self.data + offset, 24, format!("struct types nest deeper than {DEPTH}"));
                return None;
            }
            self.members_left = left;
            for _ in 0..first {
                let (member, after, below) = self.type_record(end, self.data + offset, depth + 1)?;
                members.push(member);
                end = after;
                height = height.max(below + 1);
            }
        }
        let ty = FxType { base, class, name, semantic, elements, rows, columns, members };
        Some((self.effect.types.push(ty), end, height))
    }

    /// The value at `offset`, for an entry at `at` of the file.
    pub fn value(&mut self, offset: u32, ty: Id<FxType>, at: u64) -> Value {
        if offset == 0 {
            return Value::None;
        }
        let mut place = u64::from(offset);
        match self.value_at(&mut place, ty) {
            Ok(value) => value,
            Err(message) => {
                self.error(at, 8, message);
                Value::None
            }
        }
    }

    fn charge(&mut self, words: u64) -> Result<(), String> {
        let left = usize::try_from(words).ok().and_then(|words| self.words_left.checked_sub(words));
        self.words_left = left.ok_or("values take more space than the effect has")?;
        Ok(())
    }

    /// `count` words at `place`, which moves on.
    fn take(&mut self, place: &mut u64, count: u64) -> Result<Vec<u32>, String> {
        let bytes = count.checked_mul(4).filter(|&bytes| self.slice(*place, bytes).is_some());
        let Some(bytes) = bytes else {
            return Err(format!("value of {count} words at offset {place} reaches past the data area"));
        };
        self.charge(count)?;
        let found = words(self.slice(*place, bytes).unwrap_or(&[]));
        *place += bytes;
        Ok(found)
    }

    fn value_at(&mut self, place: &mut u64, ty: Id<FxType>) -> Result<Value, String> {
        let (class, base, count) = {
            let ty = self.effect.ty(ty);
            (ty.class, ty.base, ty.count())
        };
        match class {
            Class::Scalar | Class::Vector | Class::MatrixRows | Class::MatrixColumns => {
                let ty = self.effect.ty(ty);
                let one = u64::from(ty.rows) * u64::from(ty.columns);
                let total = one.checked_mul(count.into()).ok_or("value has too many numbers")?;
                self.take(place, total).map(Value::Words)
            }
            Class::Struct => {
                let members = self.effect.ty(ty).members.len();
                let mut values = Vec::new();
                if members > 0 {
                    self.charge(u64::from(count) * members as u64)?;
                    for position in 0..count as usize * members {
                        // The type may not be held across the call; its members do not change.
                        let member = self.effect.ty(ty).members.get(position % members).copied();
                        values.push(self.value_at(place, member.ok_or("struct lost a member")?)?);
                    }
                }
                Ok(Value::Struct(values))
            }
            Class::Object if base.is_sampler() => {
                let mut elements = Vec::new();
                for _ in 0..count {
                    elements.push(self.sampler(place)?);
                }
                Ok(Value::Samplers(elements))
            }
            Class::Object => {
                let at = self.data + *place;
                let mut ids = self.take(place, count.into())?;
                for id in &mut ids {
                    match self.effect.objects.get_mut(*id as usize) {
                        Some(object) if *id != 0 => object.base = object.base.or(Some(base)),
                        Some(_) => {}
                        None => {
                            let last = self.effect.objects.len().saturating_sub(1);
                            self.error(at, 4, format!("object {id} does not exist, the last one is {last}"));
                            *id = 0;
                        }
                    }
                }
                Ok(Value::Objects(ids))
            }
        }
    }

    fn sampler(&mut self, place: &mut u64) -> Result<Vec<State>, String> {
        let count = u64::from(self.word(*place).ok_or("sampler lies outside the data area")?);
        *place += 4;
        if self.slice(*place, 16 * count).is_none() {
            return Err(format!("sampler of {count} states reaches past the data area"));
        }
        self.charge(4 * count)?;
        let mut states = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let words = [0, 4, 8, 12].map(|i| self.word(*place + i).unwrap_or(0));
            states.push(self.state(words, self.data + *place, true));
            *place += 16;
        }
        Ok(states)
    }
}
