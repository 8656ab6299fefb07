//! From parameters to a shader's registers: which sampler states go to which sampler, which numbers to which constant.

use aquatint_base::Id;

use super::model::{Content, Effect, FxType, State, Value};
use super::states;
use crate::ctab::{BaseType, Class, Constant, ConstantTable, RegisterSet, TypeInfo};

/// What one sampler register of a shader is bound to.
#[derive(Clone, Debug)]
pub struct SamplerBinding<'a> {
    /// `s#`.
    pub register: u32,
    /// The sampler parameter.
    pub parameter: usize,
    /// Its array element.
    pub element: usize,
    /// Its states.
    pub states: &'a [State],
    /// The texture parameter that its `Texture` state names.
    pub texture: Option<usize>,
}

/// Values of registers in a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Registers {
    /// `c#`.
    Float(Vec<[f32; 4]>),
    /// `i#`.
    Int(Vec<[i32; 4]>),
    /// `b#`.
    Bool(Vec<bool>),
}

/// Registers to upload for one constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Upload {
    /// The first register.
    pub first: u32,
    /// As many as the shader uses.
    pub registers: Registers,
}

/// Types visited for one constant at most. Registers bound real ones; empty structs have none.
const VISITS: usize = 1 << 18;

impl Effect {
    /// Binds the samplers that `table` names to sampler parameters of the same name.
    pub fn sampler_bindings(&self, table: &ConstantTable) -> Vec<SamplerBinding<'_>> {
        let mut all = Vec::new();
        for constant in table.constants.iter().filter(|constant| constant.set == RegisterSet::Sampler) {
            let Some(parameter) = self.parameter(&constant.name) else { continue };
            let Some(Value::Samplers(elements)) = self.parameters.get(parameter).map(|found| &found.value) else {
                continue;
            };
            for (element, states) in elements.iter().enumerate().take(constant.count.into()) {
                let register = u32::from(constant.index) + element as u32;
                all.push(SamplerBinding { register, parameter, element, states, texture: self.texture(states) });
            }
        }
        all
    }

    /// The texture parameter that a sampler's states name.
    pub fn texture(&self, states: &[State]) -> Option<usize> {
        let state = states.iter().find(|state| state.operation == states::TEXTURE)?;
        match self.content(state)? {
            Content::Reference(path) => self.resolve(path).map(|place| place.parameter),
            Content::Shader(_)
            | Content::NullShader
            | Content::Expression(_)
            | Content::Selector { .. }
            | Content::Data(_) => None,
        }
    }

    /// The registers of a constant, from the initial value of the parameter of its name. `None` for samplers and for
    /// names that are no parameter.
    pub fn upload(&self, table: &ConstantTable, constant: &Constant) -> Option<Upload> {
        let parameter = self.parameters.get(self.parameter(&constant.name)?)?;
        self.convert(parameter.ty, &parameter.value, table, constant)
    }

    /// The registers of a constant from a value of type `ty`: only the registers that the shader uses, unused lanes 0
    /// (5.4, upload conversion). Members go by position.
    pub fn convert(&self, ty: Id<FxType>, value: &Value, table: &ConstantTable, constant: &Constant) -> Option<Upload> {
        let count = usize::from(constant.count);
        let registers = match constant.set {
            RegisterSet::Float4 => Registers::Float(vec![[0.0; 4]; count]),
            RegisterSet::Int4 => Registers::Int(vec![[0; 4]; count]),
            RegisterSet::Bool => Registers::Bool(vec![false; count]),
            RegisterSet::Sampler => return None,
        };
        let mut fill = Fill { effect: self, table, set: constant.set, count, registers, visits: VISITS };
        fill.whole(ty, value, constant.ty, 0);
        Some(Upload { first: constant.index.into(), registers: fill.registers })
    }
}

struct Fill<'a> {
    effect: &'a Effect,
    table: &'a ConstantTable,
    set: RegisterSet,
    count: usize,
    registers: Registers,
    visits: usize,
}

impl<'a> Fill<'a> {
    /// All elements of a value, from register `at` on. Nests as deep as the table's types, which reading bounds.
    fn whole(&mut self, ty: Id<FxType>, value: &Value, target: Id<TypeInfo>, at: usize) {
        let (effect, table): (&'a Effect, &'a ConstantTable) = (self.effect, self.table);
        let Some(target) = table.ty(target) else { return };
        let source = effect.ty(ty);
        let step = target.element_registers(self.set) as usize;
        for element in 0..usize::from(target.elements.max(1)).min(source.count() as usize) {
            let base = at.saturating_add(element.saturating_mul(step));
            if step == 0 || base >= self.count || self.visits == 0 {
                return;
            }
            self.visits -= 1;
            match value {
                Value::Words(words) => {
                    let one = source.rows as usize * source.columns as usize;
                    let words = words.get(element * one..).unwrap_or(&[]);
                    self.numbers(source, words.get(..one).unwrap_or(words), target, base);
                }
                Value::Struct(values) => {
                    let first = element * source.members.len();
                    let mut at = base;
                    for (i, (member, &ty)) in target.members.iter().zip(&source.members).enumerate() {
                        if self.visits == 0 {
                            return;
                        }
                        self.visits -= 1;
                        if let Some(value) = values.get(first + i) {
                            self.whole(ty, value, member.ty, at);
                        }
                        at = at.saturating_add(table.ty(member.ty).map_or(0, |ty| ty.registers(self.set)) as usize);
                    }
                }
                Value::None | Value::Objects(_) | Value::Samplers(_) => return,
            }
        }
    }

    /// One row-major number, vector or matrix.
    fn numbers(&mut self, source: &FxType, words: &[u32], target: &TypeInfo, at: usize) {
        let by_column = target.class == Class::MatrixColumns;
        let columns = source.columns.max(1) as usize;
        let (target_rows, target_columns) = (usize::from(target.rows.max(1)), usize::from(target.columns.max(1)));
        for (i, &word) in words.iter().enumerate() {
            let (row, column) = (i / columns, i % columns);
            if row >= target_rows || column >= target_columns {
                continue;
            }
            let (register, lane) = if by_column { (column, row) } else { (row, column) };
            let base = source.base;
            match &mut self.registers {
                Registers::Bool(all) => {
                    let scalar = if by_column { column * target_rows + row } else { row * target_columns + column };
                    if let Some(place) = all.get_mut(at + scalar) {
                        *place = as_bool(base, word);
                    }
                }
                Registers::Float(all) => {
                    if let Some(place) = all.get_mut(at + register).and_then(|lanes| lanes.get_mut(lane)) {
                        *place = as_float(base, word);
                    }
                }
                Registers::Int(all) => {
                    if let Some(place) = all.get_mut(at + register).and_then(|lanes| lanes.get_mut(lane)) {
                        *place = as_int(base, word);
                    }
                }
            }
        }
    }
}

fn as_bool(base: BaseType, word: u32) -> bool {
    if base == BaseType::Float { f32::from_bits(word) != 0.0 } else { word != 0 }
}

fn as_float(base: BaseType, word: u32) -> f32 {
    match base {
        BaseType::Bool => f32::from(u8::from(word != 0)),
        BaseType::Int => word as i32 as f32,
        _ => f32::from_bits(word),
    }
}

fn as_int(base: BaseType, word: u32) -> i32 {
    match base {
        BaseType::Bool => i32::from(word != 0),
        BaseType::Int => word as i32,
        _ => f32::from_bits(word) as i32,
    }
}
