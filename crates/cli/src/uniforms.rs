//! Values from JSON to registers, and constant tables from JSON.

use aquatint::base::Id;
use aquatint::d3d9::ctab::{BaseType, Class, Constant, ConstantTable, RegisterSet, TypeInfo};
use aquatint::d3d9::effect::Registers;
use serde_json::{Map, Value};

/// The registers of a constant from a value: numbers row by row, elements one after the other, members of structs by name
/// or by position. Goes to registers by row or by column as the type says (sheet 5.4); lanes that are not used are 0.
pub fn convert(table: &ConstantTable, constant: &Constant, value: &Value) -> Result<Registers, String> {
    let count = usize::from(constant.count);
    let registers = match constant.set {
        RegisterSet::Float4 => Registers::Float(vec![[0.0; 4]; count]),
        RegisterSet::Int4 => Registers::Int(vec![[0; 4]; count]),
        RegisterSet::Bool => Registers::Bool(vec![false; count]),
        RegisterSet::Sampler => return Err("a sampler takes no value".to_owned()),
    };
    let mut fill = Fill { table, set: constant.set, registers };
    fill.whole(constant.ty, value, 0)?;
    Ok(fill.registers)
}

struct Fill<'t> {
    table: &'t ConstantTable,
    set: RegisterSet,
    registers: Registers,
}

impl Fill<'_> {
    /// A value of a type, from register `at` on. Nests as deep as the table's types, which reading bounds.
    fn whole(&mut self, ty: Id<TypeInfo>, value: &Value, at: usize) -> Result<(), String> {
        let Some(info) = self.table.ty(ty).cloned() else { return Ok(()) };
        let elements = usize::from(info.elements.max(1));
        if info.class != Class::Struct {
            let mut numbers = Vec::new();
            flatten(value, &mut numbers)?;
            let one = usize::from(info.rows.max(1)) * usize::from(info.columns.max(1));
            if numbers.is_empty() || !numbers.len().is_multiple_of(one) || numbers.len() > one * elements {
                let whole = one * elements;
                return Err(format!("it takes {whole} numbers, {} were given", numbers.len()));
            }
            let step = info.element_registers(self.set) as usize;
            for (element, numbers) in numbers.chunks(one).enumerate() {
                self.numbers(&info, numbers, at + element * step);
            }
            return Ok(());
        }
        if elements == 1 {
            return self.members(&info, value, at);
        }
        let Value::Array(values) = value else { return Err("an array of structs takes a list".to_owned()) };
        if values.len() > elements {
            return Err(format!("it has {elements} elements, {} were given", values.len()));
        }
        let step = info.element_registers(self.set) as usize;
        for (element, value) in values.iter().enumerate() {
            self.members(&info, value, at + element * step)?;
        }
        Ok(())
    }

    fn members(&mut self, info: &TypeInfo, value: &Value, mut at: usize) -> Result<(), String> {
        if let Value::Object(given) = value
            && let Some(unknown) = given.keys().find(|key| !info.members.iter().any(|member| &member.name == *key))
        {
            return Err(format!("it has no member '{unknown}'"));
        }
        for (position, member) in info.members.iter().enumerate() {
            let inner = match value {
                Value::Object(given) => given.get(&member.name),
                Value::Array(given) => given.get(position),
                _ => return Err("a struct takes an object, or a list of its members".to_owned()),
            };
            if let Some(inner) = inner {
                self.whole(member.ty, inner, at).map_err(|error| format!("member '{}': {error}", member.name))?;
            }
            at = at.saturating_add(self.table.ty(member.ty).map_or(0, |ty| ty.registers(self.set)) as usize);
        }
        Ok(())
    }

    /// One number, vector or matrix, row by row.
    fn numbers(&mut self, info: &TypeInfo, numbers: &[f64], at: usize) {
        let by_column = info.class == Class::MatrixColumns;
        let (rows, columns) = (usize::from(info.rows.max(1)), usize::from(info.columns.max(1)));
        for (i, &number) in numbers.iter().enumerate() {
            let (row, column) = (i / columns, i % columns);
            let (register, lane) = if by_column { (column, row) } else { (row, column) };
            match &mut self.registers {
                Registers::Float(all) => {
                    if let Some(place) = all.get_mut(at + register).and_then(|lanes| lanes.get_mut(lane)) {
                        *place = number as f32;
                    }
                }
                Registers::Int(all) => {
                    if let Some(place) = all.get_mut(at + register).and_then(|lanes| lanes.get_mut(lane)) {
                        *place = number as i32;
                    }
                }
                Registers::Bool(all) => {
                    let scalar = if by_column { column * rows + row } else { row * columns + column };
                    if let Some(place) = all.get_mut(at + scalar) {
                        *place = number != 0.0;
                    }
                }
            }
        }
    }
}

/// All numbers in a value, in order; true is 1.
pub fn flatten(value: &Value, out: &mut Vec<f64>) -> Result<(), String> {
    match value {
        Value::Number(number) => out.push(number.as_f64().unwrap_or(0.0)),
        Value::Bool(truth) => out.push(f64::from(u8::from(*truth))),
        // serde_json bounds how deep lists nest.
        Value::Array(values) => values.iter().try_for_each(|value| flatten(value, out))?,
        Value::Null | Value::String(_) | Value::Object(_) => {
            return Err("it takes numbers, true, false, or lists of them".to_owned());
        }
    }
    Ok(())
}

/// A register of a file by name: `c12`, `i0`, `b3`, `s1`.
pub fn register(name: &str) -> Option<(RegisterSet, u16)> {
    let set = match name.chars().next()? {
        'c' => RegisterSet::Float4,
        'i' => RegisterSet::Int4,
        'b' => RegisterSet::Bool,
        's' => RegisterSet::Sampler,
        _ => return None,
    };
    let number: u16 = name.get(1..)?.parse().ok()?;
    (u32::from(number) < set.widest()).then_some((set, number))
}

/// A constant table from JSON: an object of `NAME: {"register", "type", "count", "default"}`.
pub fn table(json: &Value, version: u32, target: &str) -> Result<ConstantTable, String> {
    let Value::Object(constants) = json else { return Err("a constant table is a JSON object".to_owned()) };
    let mut table = ConstantTable {
        creator: Some(concat!("aquatint ", env!("CARGO_PKG_VERSION")).to_owned()),
        version,
        target: Some(target.to_owned()),
        ..ConstantTable::default()
    };
    for (name, about) in constants {
        let constant = entry(&mut table, name, about).map_err(|error| format!("constant '{name}': {error}"))?;
        table.constants.push(constant);
    }
    table.constants.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(table)
}

fn entry(table: &mut ConstantTable, name: &str, about: &Value) -> Result<Constant, String> {
    let Value::Object(about) = about else { return Err("it takes an object".to_owned()) };
    if let Some(key) = about.keys().find(|key| !["register", "type", "count", "default"].contains(&key.as_str())) {
        return Err(format!("'{key}' is none of register, type, count, default"));
    }
    let text = |key: &str| text(about, key);
    let (set, index) = register(text("register")?).ok_or("'register' is one such as c4, i0, b1, s2")?;
    let ty = type_of(table, text("type")?)?;
    let whole = table.ty(ty).map_or(1, |ty| ty.registers(set));
    let count = match about.get("count") {
        None => u64::from(whole),
        Some(count) => count.as_u64().ok_or("'count' is a number of registers")?,
    };
    let count = u16::try_from(count)
        .ok()
        .filter(|&count| count > 0 && u32::from(index) + u32::from(count) <= set.widest())
        .ok_or("its registers do not fit the file")?;
    let mut constant = Constant { name: name.to_owned(), set, index, count, reserved: 0, ty, default: None };
    if let Some(value) = about.get("default") {
        // Defaults are stored for the whole type, whatever the shader uses of it.
        let all = Constant { count: u16::try_from(whole).unwrap_or(count), ..constant.clone() };
        constant.default = Some(match convert(table, &all, value)? {
            Registers::Float(lanes) => lanes.iter().flatten().map(|lane| lane.to_bits()).collect(),
            Registers::Int(lanes) => lanes.iter().flatten().map(|&lane| lane as u32).collect(),
            Registers::Bool(all) => all.iter().map(|&truth| u32::from(truth)).collect(),
        });
    }
    Ok(constant)
}

fn text<'v>(about: &'v Map<String, Value>, key: &str) -> Result<&'v str, String> {
    about.get(key).and_then(Value::as_str).ok_or_else(|| format!("'{key}' is missing"))
}

/// `float4x4`, `row_major float4x3[32]`, `int`, `sampler2D`.
fn type_of(table: &mut ConstantTable, text: &str) -> Result<Id<TypeInfo>, String> {
    let wrong = || format!("'{text}' is no type such as float4, row_major float4x3[8], int, bool, sampler2D");
    let (row_major, rest) = match text.strip_prefix("row_major ") {
        Some(rest) => (true, rest.trim()),
        None => (false, text.trim()),
    };
    let (name, elements) = match rest.split_once('[') {
        Some((name, length)) => {
            let length = length.strip_suffix(']').and_then(|length| length.trim().parse::<u16>().ok());
            (name.trim(), length.filter(|&length| length > 0).ok_or_else(wrong)?)
        }
        None => (rest, 1),
    };
    if let Some(sampler) = BaseType::ALL.iter().find(|base| base.is_sampler() && base.name() == name) {
        return Ok(table.add_type(Class::Object, *sampler, [1, 1], elements, Vec::new()));
    }
    let base = [BaseType::Float, BaseType::Int, BaseType::Bool].into_iter().find(|base| name.starts_with(base.name()));
    let base = base.ok_or_else(wrong)?;
    let side = |text: &str| text.parse::<u16>().ok().filter(|side| (1..=4).contains(side)).ok_or_else(wrong);
    let dimensions = name.get(base.name().len()..).unwrap_or("");
    let (class, sides) = match dimensions.split_once('x') {
        Some((rows, columns)) => {
            let class = if row_major { Class::MatrixRows } else { Class::MatrixColumns };
            (class, [side(rows)?, side(columns)?])
        }
        None if dimensions.is_empty() => (Class::Scalar, [1, 1]),
        None => (Class::Vector, [1, side(dimensions)?]),
    };
    Ok(table.add_type(class, base, sides, elements, Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn registers(ty: &str, register: &str, value: &Value) -> Result<Registers, String> {
        let table = table(&json!({ "x": { "register": register, "type": ty } }), 0xFFFF_0200, "ps_2_0")?;
        convert(&table, &table.constants[0], value)
    }

    #[test]
    fn matrices_go_by_column_unless_they_are_row_major() {
        // Sheet 5.4: class 2: register r = row r; class 3: register c = column c. A float2x3 by columns is three registers.
        let value = json!([[1, 2, 3], [4, 5, 6]]);
        let columns = vec![[1.0, 4.0, 0.0, 0.0], [2.0, 5.0, 0.0, 0.0], [3.0, 6.0, 0.0, 0.0]];
        assert_eq!(registers("float2x3", "c0", &value), Ok(Registers::Float(columns)));
        let rows = vec![[1.0, 2.0, 3.0, 0.0], [4.0, 5.0, 6.0, 0.0]];
        assert_eq!(registers("row_major float2x3", "c0", &value), Ok(Registers::Float(rows)));
    }

    #[test]
    fn numbers_convert_to_the_kind_of_the_file() {
        assert_eq!(registers("int", "i0", &json!(2.9)), Ok(Registers::Int(vec![[2, 0, 0, 0]])));
        assert_eq!(registers("bool2", "b4", &json!([0, -1])), Ok(Registers::Bool(vec![false, true])));
        assert_eq!(registers("int2", "c4", &json!([true, 7])), Ok(Registers::Float(vec![[1.0, 7.0, 0.0, 0.0]])));
    }

    #[test]
    fn a_value_of_another_shape_is_refused() {
        assert_eq!(registers("float4", "c0", &json!([1, 2, 3])), Err("it takes 4 numbers, 3 were given".to_owned()));
        assert!(registers("float4[2]", "c0", &json!([1, 2, 3, 4])).is_ok(), "the rest of an array stays 0");
        assert!(registers("float5", "c0", &json!(1)).is_err() && registers("float", "c9999", &json!(1)).is_err());
    }
}
