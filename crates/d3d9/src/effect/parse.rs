//! Bytes to effect: wrapper, header and structure area.

use aquatint_base::{Diagnostic, Diags, HashMap, Id, SourceId};

use super::container::{NoEffect, effect_range};
use super::model::{Annotation, Effect, FxType, Object, Parameter, Pass, State, Technique};
use super::states;
use crate::codes;
use crate::ctab::bytes::Bytes;

/// Reads an effect: bare, in an XNA wrapper, or in an uncompressed `.xnb` file.
///
/// Damage is reported as [`codes::E_FX`]. `None` where there is no effect or its header is damaged; else what could be
/// read: a bad parameter keeps its place without a type or value, a bad resource is left out, and reading ends where
/// the structure area does. Work and memory are linear in the file.
pub fn parse(bytes: &[u8], source: SourceId, diags: &mut Diags) -> Option<Effect> {
    let whole = Bytes { data: bytes, base: 0, source };
    let range = match effect_range(bytes) {
        Ok(range) => range,
        Err(reason) => {
            let (message, help) = match reason {
                NoEffect::Compressed => ("the .xnb file is compressed", "decompress it first"),
                NoEffect::MonoGame => ("this is a MonoGame effect, not an fx_2_0 one", "list its embedded containers"),
                NoEffect::Unknown => ("no fx_2_0 effect in this file", "an effect begins with FEFF0901 or BCF00BCF"),
            };
            diags.push(Diagnostic::error(&codes::E_FX, message).at(whole.span(0, 4), "").help(help));
            return None;
        }
    };
    let bytes = Bytes { data: bytes.get(..range.end)?, ..whole };
    let start = range.start as u64;
    let mut parser = Parser {
        bytes,
        data: start + 8,
        size: 0,
        at: start + 4,
        part: "header",
        effect: Effect { offset: range.start, ..Effect::default() },
        types: HashMap::default(),
        members_left: 1 << 16,
        words_left: bytes.data.len() / 2 + (1 << 16),
        text_left: 4 * bytes.data.len() + (1 << 16),
        diags,
    };
    parser.header()?;
    // What was read before the damage stays.
    let _ = parser.structure();
    let Parser { mut effect, .. } = parser;
    for (index, parameter) in effect.parameters.iter().enumerate() {
        if let Some(name) = effect.types.get(parameter.ty).and_then(|ty| ty.name.clone()) {
            effect.by_name.entry(name).or_insert(index);
        }
    }
    effect.bytes = bytes.data.to_vec();
    Some(effect)
}

/// The structure area ended, or cannot be followed further; the reason was reported.
pub(super) struct Stop;

pub(super) struct Parser<'a> {
    /// The file up to the end of the effect.
    pub bytes: Bytes<'a>,
    /// Where offsets count from: the byte after the structure offset.
    pub data: u64,
    /// Bytes of the data area.
    pub size: u64,
    /// Where in the structure area the reader stands.
    pub at: u64,
    /// What it is reading there, for messages.
    pub part: &'static str,
    pub effect: Effect,
    /// Type records by offset, each read once: with the offset after it and how deep structs nest in it.
    pub types: HashMap<u32, Option<(Id<FxType>, u64, u32)>>,
    /// Struct members that may still be read (1.17).
    pub members_left: usize,
    /// Words and nodes of values, and bytes of text, that may still be read: entries can point at the same bytes, so
    /// the file's length alone does not bound them.
    pub words_left: usize,
    pub text_left: usize,
    pub diags: &'a mut Diags,
}

impl Parser<'_> {
    pub fn error(&mut self, at: u64, len: u64, message: String) {
        let span = self.bytes.span(at, len);
        self.diags.push(Diagnostic::error(&codes::E_FX, message).at(span, "effect"));
    }

    pub fn warn(&mut self, at: u64, len: u64, message: String) {
        let span = self.bytes.span(at, len);
        self.diags.push(Diagnostic::warning(&codes::E_FX, message).at(span, "effect"));
    }

    /// The next word of the structure area.
    pub fn next(&mut self) -> Result<u32, Stop> {
        let Some(word) = self.bytes.u32(self.at) else {
            self.error(self.at, 4, format!("effect ends inside its {}", self.part));
            return Err(Stop);
        };
        self.at += 4;
        Ok(word)
    }

    pub fn words<const N: usize>(&mut self) -> Result<[u32; N], Stop> {
        let mut all = [0; N];
        for word in &mut all {
            *word = self.next()?;
        }
        Ok(all)
    }

    /// Checks a count before anything is read or allocated for it: each entry takes `each` bytes at least.
    pub fn count(&mut self, count: u32, each: u64, what: &str) -> Result<u32, Stop> {
        let left = self.bytes.len().saturating_sub(self.at);
        if u64::from(count) * each > left {
            self.error(self.at, 4, format!("{count} {what} do not fit the {left} bytes that are left"));
            return Err(Stop);
        }
        Ok(count)
    }

    fn header(&mut self) -> Option<()> {
        let size = u64::from(self.next().ok()?);
        if self.data + size > self.bytes.len() {
            let room = self.bytes.len().saturating_sub(self.data);
            self.error(
                self.at - 4,
                4,
                format!("structure area at offset {size} lies outside the effect of {room} bytes"),
            );
            return None;
        }
        self.size = size;
        self.at = self.data + size;
        Some(())
    }

    fn structure(&mut self) -> Result<(), Stop> {
        // The third word counts shader objects; compilers differ in it, and nothing needs it.
        let [parameters, techniques, _, objects] = self.words()?;
        let parameters = self.count(parameters, 16, "parameters")?;
        let techniques = self.count(techniques, 12, "techniques")?;
        // An object is there because a value holds its id.
        if u64::from(objects) > self.bytes.len() / 4 {
            self.error(self.at - 4, 4, format!("{objects} objects do not fit the file"));
            return Err(Stop);
        }
        self.effect.objects = vec![Object::default(); objects as usize];

        self.part = "parameters";
        for _ in 0..parameters {
            let at = self.at;
            let [ty, value, flags, annotations] = self.words()?;
            let ty = self.ty(ty, at);
            let value = self.value(value, ty, at);
            let parameter = Parameter { ty, flags, value, annotations: self.annotations(annotations)? };
            self.effect.parameters.push(parameter);
        }
        self.part = "techniques";
        for _ in 0..techniques {
            let at = self.at;
            let [name, annotations, passes] = self.words()?;
            let name = self.string(name, at);
            let annotations = self.annotations(annotations)?;
            let passes = self.count(passes, 12, "passes")?;
            // Entered first, so that its passes stay when the file ends inside it.
            self.effect.techniques.push(Technique { name, annotations, passes: Vec::new() });
            for _ in 0..passes {
                self.pass()?;
            }
        }
        self.objects()
    }

    fn pass(&mut self) -> Result<(), Stop> {
        let at = self.at;
        let [name, annotations, states] = self.words()?;
        let name = self.string(name, at);
        let annotations = self.annotations(annotations)?;
        let states = self.count(states, 16, "states")?;
        let mut pass = Pass { name, annotations, states: Vec::new() };
        let mut result = Ok(());
        for _ in 0..states {
            let at = self.at;
            match self.words() {
                Ok(words) => {
                    let state = self.state(words, at, false);
                    pass.states.push(state);
                }
                Err(stop) => {
                    result = Err(stop);
                    break;
                }
            }
        }
        if let Some(technique) = self.effect.techniques.last_mut() {
            technique.passes.push(pass);
        }
        result
    }

    fn annotations(&mut self, count: u32) -> Result<Vec<Annotation>, Stop> {
        let count = self.count(count, 8, "annotations")?;
        let mut all = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let at = self.at;
            let [ty, value] = self.words()?;
            let ty = self.ty(ty, at);
            all.push(Annotation { ty, value: self.value(value, ty, at) });
        }
        Ok(all)
    }

    /// A state assignment whose words stand at `at`.
    pub fn state(&mut self, words: [u32; 4], at: u64, in_sampler: bool) -> State {
        let [operation, index, ty, value] = words;
        if states::find(operation).is_none() {
            let last = states::STATES.len() - 1;
            self.warn(at, 4, format!("state operation {operation} does not exist, the last one is {last}"));
        }
        let ty = self.ty(ty, at);
        let value = if in_sampler && self.effect.ty(ty).base.is_sampler() {
            self.error(at, 16, "sampler state holds another sampler".into());
            super::Value::None
        } else {
            self.value(value, ty, at)
        };
        State { operation, index, ty, value, resource: None }
    }
}
