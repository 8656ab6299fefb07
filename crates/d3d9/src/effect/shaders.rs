//! Every shader of an effect, with how it was found.

use std::ops::Range;

use super::model::{Content, Effect, State, Value};
use super::path::Place;
use super::states;
use crate::ctab::BaseType;
use crate::preshader::Preshader;

/// Shaders listed at most: a hostile effect can select from one large array in each of many passes.
const LISTED: usize = 1 << 16;

/// Which kind of shader.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// A vertex shader.
    Vertex,
    /// A pixel shader.
    Pixel,
}

impl Stage {
    /// `vs` or `ps`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vertex => "vs",
            Self::Pixel => "ps",
        }
    }

    /// The state operation that assigns it.
    pub const fn operation(self) -> u32 {
        match self {
            Self::Vertex => states::VERTEX_SHADER,
            Self::Pixel => states::PIXEL_SHADER,
        }
    }
}

/// How a shader was found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Found {
    /// In the pass itself.
    Inline,
    /// The pass names a parameter, or an element of one.
    Parameter {
        /// The parameter.
        parameter: usize,
    },
    /// The pass selects an element of an array parameter by an expression.
    Selected {
        /// The parameter.
        parameter: usize,
        /// This element.
        element: usize,
        /// The resource with the expression.
        resource: usize,
    },
    /// It is the value of a shader-typed parameter, whether or not a pass uses it.
    OfParameter {
        /// The parameter.
        parameter: usize,
    },
}

/// A shader in an effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EffectShader {
    /// `technique/pass/vs`, with `[element]` where it is one of several, or the parameter's path. Techniques and passes
    /// without a name go by their number.
    pub name: String,
    /// Its kind.
    pub stage: Stage,
    /// Its bytes in the file: [`Effect::bytes`] gives them.
    pub range: Range<usize>,
    /// How it was found.
    pub found: Found,
}

/// What a pass has for a stage.
#[derive(Clone, Debug)]
pub enum PassShader<'a> {
    /// Nothing: fixed function, or what was set before.
    None,
    /// NULL: fixed function.
    Null,
    /// A shader of its own.
    Inline(Range<usize>),
    /// A parameter or a part of one; its bytes where it has some.
    Parameter(Place<'a>, Option<Range<usize>>),
    /// An element of an array parameter.
    Selected(Place<'a>, &'a Preshader, usize),
    /// A path that names no shader parameter.
    Unknown(&'a str),
}

impl Effect {
    /// What a pass has for a stage: its last assignment.
    pub fn pass_shader(&self, technique: usize, pass: usize, stage: Stage) -> PassShader<'_> {
        let states = self.techniques.get(technique).and_then(|t| t.passes.get(pass)).map(|p| &p.states[..]);
        let state = states.unwrap_or(&[]).iter().rev().find(|state| state.operation == stage.operation());
        state.map_or(PassShader::None, |state| self.state_shader(state))
    }

    /// What a shader state says.
    pub fn state_shader(&self, state: &State) -> PassShader<'_> {
        match (self.content(state), state.resource) {
            (Some(Content::Shader(range)), _) => PassShader::Inline(range.clone()),
            (Some(Content::Reference(path)), _) => match self.resolve(path) {
                Some(place) if self.ty(place.ty).base.is_shader() => {
                    let range = place.objects().first().and_then(|&id| self.object(id));
                    PassShader::Parameter(place, range)
                }
                _ => PassShader::Unknown(path),
            },
            (Some(Content::Selector { array, index }), Some(resource)) => match self.resolve(array) {
                Some(place) if self.ty(place.ty).base.is_shader() => PassShader::Selected(place, index, resource),
                _ => PassShader::Unknown(array),
            },
            (None, _) => {
                let id = match &state.value {
                    Value::Objects(ids) => ids.first().copied(),
                    Value::None | Value::Words(_) | Value::Samplers(_) | Value::Struct(_) => None,
                };
                id.and_then(|id| self.object(id)).map_or(PassShader::Null, PassShader::Inline)
            }
            _ => PassShader::Null,
        }
    }

    /// All shaders: those of the passes in order, then those of shader-typed parameters. A shader that a pass takes
    /// from a parameter is listed for both. NULL shaders are not listed. At most 65,536.
    pub fn shaders(&self) -> impl Iterator<Item = EffectShader> {
        let mut all = Vec::new();
        for (t, technique) in self.techniques.iter().enumerate() {
            for (p, pass) in technique.passes.iter().enumerate() {
                for stage in [Stage::Vertex, Stage::Pixel] {
                    let label = |name: &Option<String>, number| name.clone().unwrap_or_else(|| format!("{number}"));
                    let name = || format!("{}/{}/{}", label(&technique.name, t), label(&pass.name, p), stage.name());
                    self.of_pass(t, p, stage, &name, &mut all);
                }
            }
        }
        for (index, parameter) in self.parameters.iter().enumerate() {
            let Some(place) = self.place(index) else { continue };
            self.of_parameter(place, self.name(parameter.ty).to_owned(), &mut all);
        }
        all.into_iter()
    }

    fn of_pass(
        &self,
        technique: usize,
        pass: usize,
        stage: Stage,
        name: &dyn Fn() -> String,
        all: &mut Vec<EffectShader>,
    ) {
        if all.len() >= LISTED {
            return;
        }
        match self.pass_shader(technique, pass, stage) {
            PassShader::None | PassShader::Null | PassShader::Unknown(_) => {}
            PassShader::Inline(range) => {
                all.push(EffectShader { name: name(), stage, range, found: Found::Inline });
            }
            PassShader::Parameter(place, Some(range)) => {
                let found = Found::Parameter { parameter: place.parameter };
                all.push(EffectShader { name: name(), stage, range, found });
            }
            PassShader::Parameter(_, None) => {}
            PassShader::Selected(place, _, resource) => {
                let parameter = place.parameter;
                for (element, &id) in place.objects().iter().enumerate().take(LISTED - all.len()) {
                    let Some(range) = self.object(id) else { continue };
                    let found = Found::Selected { parameter, element, resource };
                    all.push(EffectShader { name: format!("{}[{element}]", name()), stage, range, found });
                }
            }
        }
    }

    /// Values nest as deep as types, which reading bounds.
    fn of_parameter(&self, place: Place<'_>, name: String, all: &mut Vec<EffectShader>) {
        if all.len() >= LISTED {
            return;
        }
        let ty = self.ty(place.ty);
        let subscript = |element: usize| if ty.elements > 0 { format!("[{element}]") } else { String::new() };
        match place.value {
            Value::Objects(ids) if ty.base.is_shader() => {
                let stage = if ty.base == BaseType::VertexShader { Stage::Vertex } else { Stage::Pixel };
                let found = Found::OfParameter { parameter: place.parameter };
                for (element, &id) in ids.iter().enumerate().take(LISTED - all.len()) {
                    if let Some(range) = self.object(id) {
                        all.push(EffectShader { name: format!("{name}{}", subscript(element)), stage, range, found });
                    }
                }
            }
            Value::Struct(values) if !ty.members.is_empty() => {
                for (position, value) in values.iter().enumerate() {
                    let Some(&member) = ty.members.get(position % ty.members.len()) else { continue };
                    if !matches!(value, Value::Objects(_) | Value::Struct(_)) {
                        continue;
                    }
                    let element = subscript(position / ty.members.len());
                    let name = format!("{name}{element}.{}", self.name(member));
                    self.of_parameter(Place { ty: member, value, element: None, ..place }, name, all);
                }
            }
            Value::None | Value::Words(_) | Value::Objects(_) | Value::Samplers(_) | Value::Struct(_) => {}
        }
    }
}
