//! Effects put together word by word, and ways to read them.

use aquatint_base::{Diags, SourceId};
use aquatint_d3d9::ctab::{self, Constant, ConstantTable, RegisterSet};
use aquatint_d3d9::effect::{self, Effect};

pub const FLOAT: u32 = 3;
pub const INT: u32 = 2;
pub const TEXTURE_2D: u32 = 7;
pub const SAMPLER_2D: u32 = 12;
pub const PIXEL_SHADER: u32 = 15;
pub const VERTEX_SHADER: u32 = 16;
pub const VECTOR: u32 = 1;
pub const MATRIX: u32 = 2;
pub const OBJECT: u32 = 4;
pub const NONE: u32 = u32::MAX;

/// Puts an effect together, word by word as the sheet lays it out.
pub struct Builder {
    data: Vec<u32>,
    parameters: Vec<u32>,
    techniques: Vec<u32>,
    counts: [u32; 2],
    objects: u32,
    small: Vec<u32>,
    large: Vec<u32>,
    tables: [u32; 2],
}

impl Builder {
    pub fn new() -> Self {
        // Offset 0 is a zero word.
        let (data, objects) = (vec![0], 1);
        let (parameters, techniques, small, large) = Default::default();
        Self { data, parameters, techniques, counts: [0; 2], objects, small, large, tables: [0; 2] }
    }

    pub fn put(&mut self, words: &[u32]) -> u32 {
        let at = 4 * self.data.len() as u32;
        self.data.extend(words);
        at
    }

    pub fn string(&mut self, text: &str) -> u32 {
        let words = blob(&[text.as_bytes(), b"\0"].concat());
        let at = self.put(&[text.len() as u32 + 1]);
        self.put(&words);
        at
    }

    pub fn ty(&mut self, base: u32, class: u32, name: &str, elements: u32, more: &[u32]) -> u32 {
        let name = self.string(name);
        self.put(&[&[base, class, name, 0, elements], more].concat())
    }

    pub fn id(&mut self) -> u32 {
        self.objects += 1;
        self.objects - 1
    }

    pub fn parameter(&mut self, ty: u32, value: u32, flags: u32, annotations: &[(u32, u32)]) -> u32 {
        self.parameters.extend([ty, value, flags, annotations.len() as u32]);
        self.parameters.extend(annotations.iter().flat_map(|&(ty, value)| [ty, value]));
        self.counts[0] += 1;
        self.counts[0] - 1
    }

    /// A technique with one pass, named T and P.
    pub fn technique(&mut self, states: &[[u32; 4]]) {
        let (name, pass) = (self.string("T"), self.string("P"));
        self.techniques.extend([name, 0, 1, pass, 0, states.len() as u32]);
        self.techniques.extend(states.iter().flatten());
        self.counts[1] += 1;
    }

    /// A state whose value is an object; gives the words and the id.
    pub fn object_state(&mut self, operation: u32, base: u32) -> [u32; 4] {
        let ty = self.ty(base, OBJECT, "", 0, &[]);
        let id = self.id();
        [operation, 0, ty, self.put(&[id])]
    }

    pub fn small(&mut self, id: u32, bytes: &[u8]) {
        self.small.extend([id, bytes.len() as u32]);
        self.small.extend(blob(bytes));
        self.tables[0] += 1;
    }

    pub fn large(&mut self, address: [u32; 4], usage: u32, bytes: &[u8]) {
        self.large.extend(address);
        self.large.extend([usage, bytes.len() as u32]);
        self.large.extend(blob(bytes));
        self.tables[1] += 1;
    }

    pub fn finish(&self) -> Vec<u8> {
        let mut words = vec![0xFEFF_0901, 4 * self.data.len() as u32];
        words.extend(&self.data);
        words.extend([self.counts[0], self.counts[1], 0, self.objects]);
        words.extend(self.parameters.iter().chain(&self.techniques));
        words.extend(self.tables);
        words.extend(self.small.iter().chain(&self.large));
        bytes(&words)
    }
}

pub fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Bytes as words, padded.
pub fn blob(bytes: &[u8]) -> Vec<u32> {
    let mut padded = bytes.to_vec();
    padded.resize(bytes.len().next_multiple_of(4), 0);
    padded.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

pub fn read(bytes: &[u8]) -> (Option<Effect>, Diags) {
    let mut diags = Diags::new();
    let found = effect::parse(bytes, SourceId(0), &mut diags);
    assert!(found.is_some() || diags.has_errors());
    assert!(diags.iter().all(|d| !d.span().is_none() && d.span().end as usize <= bytes.len()));
    (found, diags)
}

pub fn good(bytes: &[u8]) -> Effect {
    let (found, diags) = read(bytes);
    assert!(diags.is_empty(), "{:?}", diags.iter().collect::<Vec<_>>());
    let found = found.unwrap();
    assert_eq!(found.trailing, 0);
    found
}

/// Reads, and gives the ids of codes with the messages.
pub fn bad(bytes: &[u8]) -> (Option<Effect>, Vec<String>) {
    let (found, diags) = read(bytes);
    assert!(diags.has_errors());
    (found, diags.iter().map(|d| format!("{}: {}", d.code, d.message)).collect())
}

pub const VS: [u8; 8] = [0, 2, 0xFE, 0xFF, 0xFF, 0xFF, 0, 0];
pub const PS: [u8; 8] = [0, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0];

pub fn comment(four_cc: &[u8; 4], words: &[u32]) -> Vec<u32> {
    [&[(words.len() as u32 + 1) << 16 | 0xFFFE, u32::from_le_bytes(*four_cc)], words].concat()
}

/// An expression that gives one literal.
pub fn expression(value: f64) -> Vec<u8> {
    let bits = value.to_bits();
    let literals = comment(b"CLIT", &[1, bits as u32, (bits >> 32) as u32]);
    let code = comment(b"FXLC", &[1, 0x1000_0001, 1, 0, 1, 0, 0, 4, 0, 0xF0F0_F0F0, 0x0F0F_0F0F]);
    bytes(&[&[0x4658_0200], &literals[..], &code, &[0xFFFF]].concat())
}

/// An effect with a shader of each kind: inline, of a parameter, selected from an array, NULL.
pub fn all_kinds() -> Vec<u8> {
    let mut b = Builder::new();
    let one = b.ty(VERTEX_SHADER, OBJECT, "One", 0, &[]);
    let id = b.id();
    let value = b.put(&[id]);
    b.parameter(one, value, 0, &[]);
    b.small(id, &VS);
    let array = b.ty(PIXEL_SHADER, OBJECT, "Many", 2, &[]);
    let ids = [b.id(), b.id()];
    let value = b.put(&ids);
    b.parameter(array, value, 0, &[]);
    ids.into_iter().for_each(|id| b.small(id, &PS));
    let states = [
        b.object_state(146, VERTEX_SHADER),
        b.object_state(147, PIXEL_SHADER),
        b.object_state(146, VERTEX_SHADER),
        b.object_state(147, PIXEL_SHADER),
    ];
    b.technique(&states[..2]);
    b.technique(&states[2..]);
    b.technique(&states[3..]);
    // Last pass and last state first, as compilers write them.
    let selector = [&bytes(&[8])[..], b"Many\0\0\0\0", &expression(1.0)].concat();
    b.large([1, 0, NONE, 1], 2, &selector);
    b.large([1, 0, NONE, 0], 1, b"One\0");
    b.large([0, 0, NONE, 1], 0, &[]);
    b.large([0, 0, NONE, 0], 0, &VS);
    b.finish()
}

/// A sampler array of two, the second with a texture and an address mode.
pub fn sampler_array() -> Builder {
    let mut b = Builder::new();
    let texture = b.ty(TEXTURE_2D, OBJECT, "Tex", 0, &[]);
    let id = b.id();
    let value = b.put(&[id]);
    b.parameter(texture, value, 0, &[]);
    b.small(id, &[]);
    let state_type = b.ty(TEXTURE_2D, OBJECT, "", 0, &[]);
    let id = b.id();
    let texture_value = b.put(&[id]);
    let int = b.ty(INT, MATRIX, "", 0, &[1, 1]);
    let three = b.put(&[3]);
    let ty = b.ty(SAMPLER_2D, OBJECT, "Samp", 2, &[]);
    let value = b.put(&[0, 2, 164, 0x100, state_type, texture_value, 165, 0x100, int, three]);
    b.parameter(ty, value, 0, &[]);
    b.large([NONE, 1, 1, 0], 1, b"Tex\0");
    b
}

pub fn table(
    set: RegisterSet,
    name: &str,
    index: u16,
    count: u16,
    build: impl Fn(&mut ConstantTable) -> Types,
) -> ConstantTable {
    let mut table = ConstantTable::default();
    let ty = build(&mut table);
    table.constants.push(Constant { name: name.into(), set, index, count, reserved: 0, ty, default: None });
    table
}
pub type Types = aquatint_base::Id<ctab::TypeInfo>;

/// struct S { float a; float2x3 m; int i[2]; } s[2], flag "shared", with an annotation.
pub fn struct_effect() -> Vec<u8> {
    let mut b = Builder::new();
    let names = ["a", "m", "i"].map(|name| b.string(name));
    let name = b.string("s");
    let ty = b.put(&[0, 5, name, 0, 2, 3]);
    b.put(&[FLOAT, 0, names[0], 0, 0, 1, 1]);
    b.put(&[FLOAT, MATRIX, names[1], 0, 0, 2, 3]);
    b.put(&[INT, 0, names[2], 0, 2, 1, 1]);
    let floats = |from: i32| (from..from + 7).map(|x| (x as f32).to_bits());
    let words: Vec<u32> = floats(1).chain([70, 71]).chain(floats(11)).chain([80, 81]).collect();
    let value = b.put(&words);
    let note = b.ty(4, OBJECT, "UIName", 0, &[]);
    let id = b.id();
    let note_value = b.put(&[id]);
    b.small(id, b"say \"hi\"\0");
    b.parameter(ty, value, 1, &[(note, note_value)]);
    b.finish()
}
