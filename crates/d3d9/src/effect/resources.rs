//! Bytes to effect: the object tables at the end.

use std::ops::Range;

use aquatint_base::Severity;

use super::model::{Content, Resource, State, Target, Value};
use super::parse::{Parser, Stop};
use crate::ctab::BaseType;
use crate::preshader::{Preshader, parse_blob};

/// The technique number that means a sampler parameter.
const PARAMETER: u32 = u32::MAX;

impl Parser<'_> {
    /// Reads both tables to the end of the effect.
    pub fn objects(&mut self) -> Result<(), Stop> {
        self.part = "object tables";
        let [small, large] = self.words()?;
        let small = self.count(small, 8, "objects")?;
        for _ in 0..small {
            let at = self.at;
            let [id, size] = self.words()?;
            let data = self.data(size)?;
            match self.effect.objects.get_mut(id as usize) {
                Some(object) if id != 0 => object.data = Some(data),
                _ => self.error(at, 4, format!("object {id} does not exist, so its {size} bytes are left out")),
            }
        }
        let large = self.count(large, 24, "resources")?;
        for _ in 0..large {
            let at = self.at;
            let words = self.words()?;
            let data = self.data(words[5])?;
            self.resource(words, data, at);
        }
        let left = self.bytes.len().saturating_sub(self.at);
        self.effect.trailing = left as usize;
        if left > 0 {
            self.warn(self.at, left, format!("{left} bytes follow the last resource"));
        }
        Ok(())
    }

    /// `size` bytes of the structure area, and over the padding after them.
    fn data(&mut self, size: u32) -> Result<Range<usize>, Stop> {
        let start = self.at;
        let size = u64::from(self.count(size, 1, "bytes of object data")?);
        self.at = start + size.next_multiple_of(4);
        if self.at > self.bytes.len() {
            self.warn(start, size, "effect ends inside the padding after object data".into());
            self.at = self.bytes.len();
        }
        Ok(start as usize..(start + size) as usize)
    }

    fn state_mut(&mut self, target: Target) -> Option<&mut State> {
        match target {
            Target::Pass { technique, pass, state } => {
                self.effect.techniques.get_mut(technique)?.passes.get_mut(pass)?.states.get_mut(state)
            }
            Target::Sampler { parameter, element, state } => {
                match &mut self.effect.parameters.get_mut(parameter)?.value {
                    Value::Samplers(elements) => elements.get_mut(element)?.get_mut(state),
                    Value::None | Value::Words(_) | Value::Objects(_) | Value::Struct(_) => None,
                }
            }
        }
    }

    /// Attaches a resource to its state. A bad one is reported and left out.
    fn resource(&mut self, words: [u32; 6], data: Range<usize>, at: u64) {
        let [technique, index, element, state, usage, _] = words;
        let target = if technique == PARAMETER {
            let element = if element == u32::MAX { 0 } else { element as usize };
            Target::Sampler { parameter: index as usize, element, state: state as usize }
        } else {
            Target::Pass { technique: technique as usize, pass: index as usize, state: state as usize }
        };
        let Some(found) = self.effect.state(target) else {
            let message = match target {
                Target::Pass { technique, pass, state } => {
                    format!(
                        "resource is for state {state} of pass {pass} of technique {technique}, which does not exist"
                    )
                }
                Target::Sampler { parameter, element, state } => {
                    format!(
                        "resource is for state {state} of element {element} of parameter {parameter}, which does not exist"
                    )
                }
            };
            return self.error(at, 24, message);
        };
        if found.resource.is_some() {
            return self.error(at, 24, "resource is for a state that has one".into());
        }
        let ty = self.effect.ty(found.ty);
        let (base, object) = (ty.base, ty.is_object());
        let id = match &found.value {
            Value::Objects(ids) => ids.first().copied().filter(|&id| id != 0),
            Value::None | Value::Words(_) | Value::Samplers(_) | Value::Struct(_) => None,
        };
        let Some(content) = self.content(usage, base, data.clone(), at) else { return };
        if let (true, Some(id)) = (object, id)
            && let Some(object) = self.effect.objects.get_mut(id as usize)
            && usage == 0
        {
            object.data = Some(data.clone());
        }
        let number = self.effect.resources.len();
        if let Some(state) = self.state_mut(target) {
            state.resource = Some(number);
        }
        self.effect.resources.push(Resource { target, content, data });
    }

    fn content(&mut self, usage: u32, base: BaseType, data: Range<usize>, at: u64) -> Option<Content> {
        match usage {
            0 if base.is_shader() && data.is_empty() => Some(Content::NullShader),
            0 if base.is_shader() => Some(Content::Shader(data)),
            0 if base.is_numeric() || base == BaseType::String => {
                self.expression(data).map(|expression| Content::Expression(Box::new(expression)))
            }
            0 => Some(Content::Data(data)),
            1 => {
                let bytes = self.bytes.data.get(data).unwrap_or(&[]);
                let Some(name) = name(bytes) else {
                    self.error(at, 24, "name of a parameter has no NUL".into());
                    return None;
                };
                Some(Content::Reference(name))
            }
            2 => {
                let start = data.start as u64;
                let length = self.bytes.u32(start).filter(|_| data.len() >= 4).unwrap_or(0) as usize;
                let split = (data.start + 4).checked_add(length).filter(|&split| length > 0 && split <= data.end);
                let array = split.and_then(|split| name(self.bytes.data.get(data.start + 4..split)?));
                let (Some(split), Some(array)) = (split, array) else {
                    self.error(at, 24, format!("array selector of {} bytes has no array name", data.len()));
                    return None;
                };
                let index = Box::new(self.expression(split..data.end)?);
                Some(Content::Selector { array, index })
            }
            _ => {
                self.error(at + 16, 4, format!("resource has usage {usage}, 0 to 2 exist"));
                None
            }
        }
    }

    fn expression(&mut self, range: Range<usize>) -> Option<Preshader> {
        let base = u32::try_from(range.start).unwrap_or(u32::MAX);
        let blob = self.bytes.data.get(range).unwrap_or(&[]);
        parse_blob(blob, base, self.bytes.source, Severity::Error, self.diags)
    }
}

/// The text up to the NUL that must be there.
fn name(bytes: &[u8]) -> Option<String> {
    let end = bytes.iter().position(|&byte| byte == 0)?;
    bytes.get(..end).map(crate::ctab::bytes::text)
}
