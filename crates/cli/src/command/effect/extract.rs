//! `aquatint effect extract`: shaders as files, the rest as JSON.

use super::{Opened, version};
use crate::exit::Failure;
use crate::files;
use aquatint::base::Id;
use aquatint::d3d9::ctab::{self, BaseType, RegisterSet};
use aquatint::d3d9::effect::{
    Annotation, Content, Effect, EffectShader, EmbeddedKind, Found, FxType, Parameter, State, Value,
};
use aquatint::d3d9::preshader::Destination;
use serde_json::{Map, Value as Json, json};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::Path;

/// Values that one JSON holds at most: entries of a hostile effect can share types and values, and so stand for far more
/// than the file has.
const VALUES: usize = 1 << 20;

/// Writes the shaders and `effect.json`; the number of shaders.
pub fn run(file: &Opened, directory: &Path) -> Result<usize, Failure> {
    files::make_directory(directory)?;
    let mut names = Names::default();
    let mut count = 0;
    let mut json = Map::new();
    json.insert("input".into(), file.name.as_str().into());
    if let Some(effect) = &file.effect {
        let mut shaders = Vec::new();
        let mut written: HashMap<Range<usize>, String> = HashMap::new();
        for shader in effect.shaders() {
            // A parameter's shader that a pass takes is in the pass's file already.
            if let (Found::OfParameter { .. }, Some(name)) = (shader.found, written.get(&shader.range)) {
                shaders.push(about(effect, &shader, name));
                continue;
            }
            let name = names.unique(&shader.name, ".bin");
            files::write(Some(&directory.join(&name)), effect.bytes(shader.range.clone()))?;
            count += 1;
            shaders.push(about(effect, &shader, &name));
            written.insert(shader.range.clone(), name);
        }
        let mut writer = Writer { effect, left: VALUES };
        json.insert("shaders".into(), Json::Array(shaders));
        json.insert("parameters".into(), writer.parameters());
        json.insert("techniques".into(), writer.techniques());
    }
    let mut containers = Vec::new();
    for (number, container) in file.containers.iter().enumerate() {
        let mut one = json!({ "offset": container.range.start, "bytes": container.range.len() });
        let whole = names.unique(&format!("container_{number}"), ".dxbc");
        files::write(Some(&directory.join(&whole)), file.bytes.get(container.range.clone()).unwrap_or(&[]))?;
        one["file"] = whole.into();
        if let EmbeddedKind::Dxbc { level_9: Some(range) } = &container.kind {
            let bytes = file.bytes.get(range.clone()).unwrap_or(&[]);
            let stage = version(bytes);
            let name = names.unique(&format!("container_{number}_{}", stage.get(..2).unwrap_or("")), ".bin");
            files::write(Some(&directory.join(&name)), bytes)?;
            count += 1;
            one["level_9"] = json!({ "file": name, "version": stage });
        }
        containers.push(one);
    }
    if !containers.is_empty() {
        json.insert("containers".into(), Json::Array(containers));
    }
    let text = format!("{:#}\n", Json::Object(json));
    files::write(Some(&directory.join("effect.json")), text.as_bytes())?;
    Ok(count)
}

/// File names that differ, also where letter case does not count.
#[derive(Default)]
struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// `technique/pass/vs[2]` as `technique_pass_vs_2` and an extension.
    fn unique(&mut self, name: &str, extension: &str) -> String {
        let mut stem = String::new();
        for c in name.chars().take(120) {
            match c {
                ']' => {}
                c if c.is_ascii_alphanumeric() || c == '-' => stem.push(c),
                _ => stem.push('_'),
            }
        }
        let mut file = format!("{stem}{extension}");
        let mut number = 2;
        while !self.taken.insert(file.to_ascii_lowercase()) {
            file = format!("{stem}~{number}{extension}");
            number += 1;
        }
        file
    }
}

/// A shader: its file, and what it takes from the effect.
fn about(effect: &Effect, shader: &EffectShader, file: &str) -> Json {
    let bytes = effect.bytes(shader.range.clone());
    let parameter = |index: usize| effect.parameters.get(index).map(|p| effect.name(p.ty).to_owned());
    let (how, from) = match shader.found {
        Found::Inline => ("pass", None),
        Found::Parameter { parameter: index } => ("parameter", parameter(index)),
        Found::Selected { parameter: index, .. } => ("selected", parameter(index)),
        Found::OfParameter { parameter: index } => ("of_parameter", parameter(index)),
    };
    let mut ignored = aquatint::base::Diags::new();
    let table = ctab::of_stream(bytes, 0, aquatint::base::SourceId(0), &mut ignored).unwrap_or_default();
    let constants = table.constants.iter().map(|constant| {
        json!({
            "name": constant.name,
            "register": format!("{}{}", constant.set.letter(), constant.index),
            "count": constant.count,
            "is_sampler": constant.set == RegisterSet::Sampler,
        })
    });
    let samplers = effect.sampler_bindings(&table).into_iter().map(|binding| {
        json!({
            "register": binding.register,
            "parameter": parameter(binding.parameter),
            "element": binding.element,
            "texture": binding.texture.and_then(parameter),
        })
    });
    json!({
        "name": shader.name,
        "stage": shader.stage.name(),
        "file": file,
        "version": version(bytes),
        "found": how,
        "parameter": from,
        "constants": constants.collect::<Vec<_>>(),
        "samplers": samplers.collect::<Vec<_>>(),
    })
}

struct Writer<'e> {
    effect: &'e Effect,
    left: usize,
}

impl Writer<'_> {
    fn parameters(&mut self) -> Json {
        let effect = self.effect;
        effect.parameters.iter().map(|parameter| self.parameter(parameter)).collect()
    }

    fn parameter(&mut self, parameter: &Parameter) -> Json {
        let ty = self.effect.ty(parameter.ty);
        let mut one = self.typed(ty);
        one.insert("semantic".into(), ty.semantic.clone().into());
        one.insert("shared".into(), (parameter.flags & Parameter::SHARED != 0).into());
        one.insert("literal".into(), (parameter.flags & Parameter::LITERAL != 0).into());
        one.insert("annotations".into(), self.annotations(&parameter.annotations));
        let value = self.value(parameter.ty, &parameter.value);
        one.insert("value".into(), value);
        Json::Object(one)
    }

    /// Name, type and size.
    fn typed(&self, ty: &FxType) -> Map<String, Json> {
        let mut one = Map::new();
        one.insert("name".into(), ty.name.clone().into());
        one.insert("type".into(), ty.base.name().into());
        one.insert("rows".into(), ty.rows.into());
        one.insert("columns".into(), ty.columns.into());
        one.insert("elements".into(), ty.elements.into());
        one
    }

    fn annotations(&mut self, annotations: &[Annotation]) -> Json {
        let mut all = Map::new();
        for annotation in annotations {
            let value = self.value(annotation.ty, &annotation.value);
            all.insert(self.effect.name(annotation.ty).to_owned(), value);
        }
        Json::Object(all)
    }

    fn techniques(&mut self) -> Json {
        let effect = self.effect;
        let techniques = effect.techniques.iter().map(|technique| {
            let passes: Vec<Json> = technique
                .passes
                .iter()
                .map(|pass| {
                    json!({
                        "name": pass.name,
                        "annotations": self.annotations(&pass.annotations),
                        "states": self.states(&pass.states),
                    })
                })
                .collect();
            json!({ "name": technique.name, "annotations": self.annotations(&technique.annotations), "passes": passes })
        });
        techniques.collect()
    }

    fn states(&mut self, states: &[State]) -> Json {
        states.iter().map(|state| self.state(state)).collect()
    }

    fn state(&mut self, state: &State) -> Json {
        let mut one = Map::new();
        let name = state.info().map_or_else(|| format!("state {}", state.operation), |info| info.name.to_owned());
        one.insert("state".into(), name.into());
        if state.info().is_some_and(|info| info.is_indexed()) {
            one.insert("index".into(), state.index.into());
        }
        match self.effect.content(state) {
            Some(Content::Shader(range)) => one.insert("shader_bytes".into(), range.len().into()),
            Some(Content::NullShader) => one.insert("value".into(), Json::Null),
            Some(Content::Expression(expression)) => {
                let text: Vec<String> = expression.disassemble(Destination::Expression).collect();
                one.insert("expression".into(), text.into())
            }
            Some(Content::Reference(path)) => one.insert("parameter".into(), path.as_str().into()),
            Some(Content::Selector { array, .. }) => one.insert("selected_from".into(), array.as_str().into()),
            Some(Content::Data(range)) => one.insert("data_bytes".into(), range.len().into()),
            None => {
                let value = self.value(state.ty, &state.value);
                one.insert("value".into(), value)
            }
        };
        Json::Object(one)
    }

    /// Nests as deep as types, which reading bounds.
    fn value(&mut self, ty: Id<FxType>, value: &Value) -> Json {
        if self.left == 0 {
            return Json::Null;
        }
        self.left -= 1;
        let info = self.effect.ty(ty);
        match value {
            Value::None => Json::Null,
            Value::Words(words) => {
                self.left = self.left.saturating_sub(words.len());
                match words.as_slice() {
                    [only] => number(info.base, *only),
                    all => all.iter().map(|&word| number(info.base, word)).collect(),
                }
            }
            Value::Objects(ids) => ids.iter().map(|&id| self.object(info.base, id)).collect(),
            Value::Samplers(elements) => {
                let all: Vec<Json> = elements.iter().map(|states| self.states(states)).collect();
                Json::Array(all)
            }
            Value::Struct(values) => {
                let members = info.members.clone();
                let mut elements = Vec::new();
                for values in values.chunks(members.len().max(1)) {
                    let mut one = Map::new();
                    for (&member, value) in members.iter().zip(values) {
                        let value = self.value(member, value);
                        one.insert(self.effect.name(member).to_owned(), value);
                    }
                    elements.push(Json::Object(one));
                }
                if elements.len() == 1 && info.elements == 0 { elements.remove(0) } else { Json::Array(elements) }
            }
        }
    }

    fn object(&self, base: BaseType, id: u32) -> Json {
        match base {
            BaseType::String => self.effect.string(id).into(),
            _ => self.effect.object(id).map_or(Json::Null, |range| json!({ "bytes": range.len() })),
        }
    }
}

/// A number; one that JSON cannot say is its bits as text.
fn number(base: BaseType, word: u32) -> Json {
    match base {
        BaseType::Bool => (word != 0).into(),
        BaseType::Float => {
            let value = f32::from_bits(word);
            if value.is_finite() { value.into() } else { format!("0x{word:08X}").into() }
        }
        _ => (word as i32).into(),
    }
}
