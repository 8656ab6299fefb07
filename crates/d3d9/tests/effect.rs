//! Effects (sheet 5.4 and 6.7, cases of 7.3 row 52), and all of them in the corpus.

use aquatint_base::{Diags, SourceId};
use aquatint_d3d9::ctab::{self, BaseType, Class, Constant, ConstantTable, Member, RegisterSet};
use aquatint_d3d9::effect::states::{Group, STATES};
use aquatint_d3d9::effect::{self, Content, Effect, EmbeddedKind, Found, PassShader, Registers, Stage, Value};
use aquatint_d3d9::preshader;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const FLOAT: u32 = 3;
const INT: u32 = 2;
const TEXTURE_2D: u32 = 7;
const SAMPLER_2D: u32 = 12;
const PIXEL_SHADER: u32 = 15;
const VERTEX_SHADER: u32 = 16;
const VECTOR: u32 = 1;
const MATRIX: u32 = 2;
const OBJECT: u32 = 4;
const NONE: u32 = u32::MAX;

/// Puts an effect together, word by word as the sheet lays it out.
struct Builder {
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
    fn new() -> Self {
        // Offset 0 is a zero word.
        let (data, objects) = (vec![0], 1);
        let (parameters, techniques, small, large) = Default::default();
        Self { data, parameters, techniques, counts: [0; 2], objects, small, large, tables: [0; 2] }
    }

    fn put(&mut self, words: &[u32]) -> u32 {
        let at = 4 * self.data.len() as u32;
        self.data.extend(words);
        at
    }

    fn string(&mut self, text: &str) -> u32 {
        let words = blob(&[text.as_bytes(), b"\0"].concat());
        let at = self.put(&[text.len() as u32 + 1]);
        self.put(&words);
        at
    }

    fn ty(&mut self, base: u32, class: u32, name: &str, elements: u32, more: &[u32]) -> u32 {
        let name = self.string(name);
        self.put(&[&[base, class, name, 0, elements], more].concat())
    }

    fn id(&mut self) -> u32 {
        self.objects += 1;
        self.objects - 1
    }

    fn parameter(&mut self, ty: u32, value: u32, flags: u32, annotations: &[(u32, u32)]) -> u32 {
        self.parameters.extend([ty, value, flags, annotations.len() as u32]);
        self.parameters.extend(annotations.iter().flat_map(|&(ty, value)| [ty, value]));
        self.counts[0] += 1;
        self.counts[0] - 1
    }

    /// A technique with one pass, named T and P.
    fn technique(&mut self, states: &[[u32; 4]]) {
        let (name, pass) = (self.string("T"), self.string("P"));
        self.techniques.extend([name, 0, 1, pass, 0, states.len() as u32]);
        self.techniques.extend(states.iter().flatten());
        self.counts[1] += 1;
    }

    /// A state whose value is an object; gives the words and the id.
    fn object_state(&mut self, operation: u32, base: u32) -> [u32; 4] {
        let ty = self.ty(base, OBJECT, "", 0, &[]);
        let id = self.id();
        [operation, 0, ty, self.put(&[id])]
    }

    fn small(&mut self, id: u32, bytes: &[u8]) {
        self.small.extend([id, bytes.len() as u32]);
        self.small.extend(blob(bytes));
        self.tables[0] += 1;
    }

    fn large(&mut self, address: [u32; 4], usage: u32, bytes: &[u8]) {
        self.large.extend(address);
        self.large.extend([usage, bytes.len() as u32]);
        self.large.extend(blob(bytes));
        self.tables[1] += 1;
    }

    fn finish(&self) -> Vec<u8> {
        let mut words = vec![0xFEFF_0901, 4 * self.data.len() as u32];
        words.extend(&self.data);
        words.extend([self.counts[0], self.counts[1], 0, self.objects]);
        words.extend(self.parameters.iter().chain(&self.techniques));
        words.extend(self.tables);
        words.extend(self.small.iter().chain(&self.large));
        bytes(&words)
    }
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Bytes as words, padded.
fn blob(bytes: &[u8]) -> Vec<u32> {
    let mut padded = bytes.to_vec();
    padded.resize(bytes.len().next_multiple_of(4), 0);
    padded.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

fn read(bytes: &[u8]) -> (Option<Effect>, Diags) {
    let mut diags = Diags::new();
    let found = effect::parse(bytes, SourceId(0), &mut diags);
    assert!(found.is_some() || diags.has_errors());
    assert!(diags.iter().all(|d| !d.span().is_none() && d.span().end as usize <= bytes.len()));
    (found, diags)
}

fn good(bytes: &[u8]) -> Effect {
    let (found, diags) = read(bytes);
    assert!(diags.is_empty(), "{:?}", diags.iter().collect::<Vec<_>>());
    let found = found.unwrap();
    assert_eq!(found.trailing, 0);
    found
}

/// Reads, and gives the ids of codes with the messages.
fn bad(bytes: &[u8]) -> (Option<Effect>, Vec<String>) {
    let (found, diags) = read(bytes);
    assert!(diags.has_errors());
    (found, diags.iter().map(|d| format!("{}: {}", d.code, d.message)).collect())
}

const VS: [u8; 8] = [0, 2, 0xFE, 0xFF, 0xFF, 0xFF, 0, 0];
const PS: [u8; 8] = [0, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0];

fn comment(four_cc: &[u8; 4], words: &[u32]) -> Vec<u32> {
    [&[(words.len() as u32 + 1) << 16 | 0xFFFE, u32::from_le_bytes(*four_cc)], words].concat()
}

/// An expression that gives one literal.
fn expression(value: f64) -> Vec<u8> {
    let bits = value.to_bits();
    let literals = comment(b"CLIT", &[1, bits as u32, (bits >> 32) as u32]);
    let code = comment(b"FXLC", &[1, 0x1000_0001, 1, 0, 1, 0, 0, 4, 0, 0xF0F0_F0F0, 0x0F0F_0F0F]);
    bytes(&[&[0x4658_0200], &literals[..], &code, &[0xFFFF]].concat())
}

/// An effect with a shader of each kind: inline, of a parameter, selected from an array, NULL.
fn all_kinds() -> Vec<u8> {
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

#[test]
fn fx_all_shaders_listed() {
    let fx = good(&all_kinds());
    let found: Vec<_> = fx.shaders().map(|s| (s.name, s.stage, s.found)).collect();
    let expected = [
        ("T/P/vs", Stage::Vertex, Found::Inline),
        ("T/P/vs", Stage::Vertex, Found::Parameter { parameter: 0 }),
        ("T/P/ps[0]", Stage::Pixel, Found::Selected { parameter: 1, element: 0, resource: 0 }),
        ("T/P/ps[1]", Stage::Pixel, Found::Selected { parameter: 1, element: 1, resource: 0 }),
        ("One", Stage::Vertex, Found::OfParameter { parameter: 0 }),
        ("Many[0]", Stage::Pixel, Found::OfParameter { parameter: 1 }),
        ("Many[1]", Stage::Pixel, Found::OfParameter { parameter: 1 }),
    ];
    assert_eq!(found, expected.map(|(name, stage, found)| (name.to_owned(), stage, found)));
    assert!(fx.shaders().all(|s| fx.bytes(s.range) == if s.stage == Stage::Vertex { VS } else { PS }));
    let PassShader::Selected(_, index, _) = fx.pass_shader(1, 0, Stage::Pixel) else { panic!() };
    assert_eq!(index.eval(&[], &[]).unwrap().floats[0], 1.0);
}

#[test]
fn fx_null_shader() {
    let fx = good(&all_kinds());
    assert!(matches!(fx.pass_shader(0, 0, Stage::Pixel), PassShader::Null));
    assert!(matches!(fx.pass_shader(2, 0, Stage::Vertex), PassShader::None));
    assert_eq!(fx.techniques[2].passes[0].states[0].operation, 147);
    assert!(matches!(fx.pass_shader(2, 0, Stage::Pixel), PassShader::Null));
    let text = effect::print(&fx, &mut |_| "code".into());
    assert_eq!(text.matches("//No embedded pixel shader").count(), 2);
    assert_eq!(text.matches("//No embedded vertex shader").count(), 1);
}

/// A sampler array of two, the second with a texture and an address mode.
fn sampler_array() -> Builder {
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

fn table(
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
type Types = aquatint_base::Id<ctab::TypeInfo>;

#[test]
fn fx_sampler_states_and_texture() {
    let fx = good(&sampler_array().finish());
    let Value::Samplers(elements) = &fx.parameters[1].value else { panic!() };
    let state = &elements[1][1];
    assert_eq!((state.info().unwrap().name, state.info().unwrap().number), ("AddressU", 1));
    assert_eq!(state.value, Value::Words(vec![3]));
    assert_eq!(fx.content(&elements[1][0]), Some(&Content::Reference("Tex".into())));
    assert_eq!(fx.texture(&elements[1]), Some(0));
}

#[test]
fn fx_sampler_array() {
    let fx = good(&sampler_array().finish());
    let object = |t: &mut ConstantTable| t.add_type(Class::Object, BaseType::Sampler2D, [1, 1], 2, Vec::new());
    let table = table(RegisterSet::Sampler, "Samp", 4, 2, object);
    let found: Vec<_> = fx
        .sampler_bindings(&table)
        .iter()
        .map(|b| (b.register, b.parameter, b.element, b.states.len(), b.texture))
        .collect();
    assert_eq!(found, [(4, 1, 0, 0, None), (5, 1, 1, 2, Some(0))]);
}

/// struct S { float a; float2x3 m; int i[2]; } s[2], flag "shared", with an annotation.
fn struct_effect() -> Vec<u8> {
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

#[test]
fn fx_struct_params() {
    let fx = good(&struct_effect());
    let place = fx.resolve("s[1].m").unwrap();
    let expected: Vec<u32> = (12..18).map(|x| (x as f32).to_bits()).collect();
    assert_eq!(place.value, &Value::Words(expected));
    assert_eq!(fx.resolve("s[0].i[1]").unwrap().element, Some(1));
    for path in ["s.m", "s[2].m", "s[0].q", "t", "s[", "s[x]", "s[0][0]", "s[0].i[2]", "", ".", "s[0]m"] {
        assert!(fx.resolve(path).is_none(), "{path}");
    }
    // In registers: a, then the matrix by columns, then two ints, for each element.
    let types = |t: &mut ConstantTable| {
        let a = t.add_type(Class::Scalar, BaseType::Float, [1, 1], 1, Vec::new());
        let m = t.add_type(Class::MatrixColumns, BaseType::Float, [2, 3], 1, Vec::new());
        let i = t.add_type(Class::Scalar, BaseType::Int, [1, 1], 2, Vec::new());
        let member = |name: &str, ty| Member { name: name.into(), ty };
        t.add_type(Class::Struct, BaseType::Void, [1, 9], 2, vec![member("a", a), member("m", m), member("i", i)])
    };
    // The last register is not used by the shader.
    let table = table(RegisterSet::Float4, "s", 3, 11, types);
    let found = fx.upload(&table, &table.constants[0]).unwrap();
    let Registers::Float(found) = (assert_eq!(found.first, 3), found.registers).1 else { panic!() };
    let expected: [[f32; 2]; 11] = [
        [1., 0.],
        [2., 5.],
        [3., 6.],
        [4., 7.],
        [70., 0.],
        [71., 0.], //
        [11., 0.],
        [12., 15.],
        [13., 16.],
        [14., 17.],
        [80., 0.],
    ];
    assert_eq!(found, expected.map(|[x, y]| [x, y, 0.0, 0.0]));
}

#[test]
fn fx_annotations() {
    let fx = good(&struct_effect());
    let annotation = &fx.parameters[0].annotations[0];
    assert_eq!(fx.name(annotation.ty), "UIName");
    let Value::Objects(ids) = &annotation.value else { panic!() };
    assert_eq!(fx.string(ids[0]).as_deref(), Some("say \"hi\""));
}

#[test]
fn fx_shared_flag() {
    let fx = good(&struct_effect());
    assert_eq!(fx.parameters[0].flags, effect::Parameter::SHARED);
    assert!(effect::print(&fx, &mut |_| String::new()).starts_with("shared struct {\n    float a;\n"));
}

#[test]
fn fx_xna_wrapper() {
    let inner = struct_effect();
    let wrapped = [&bytes(&[0xBCF0_0BCF, 16, 0, 0])[..], &inner].concat();
    assert_eq!(good(&wrapped).offset, 16);
    // In an .xnb file of odd length before it, with bytes behind that are not the effect's.
    let mut file = b"XNBw\x05\x01....reader".to_vec();
    file.extend(bytes(&[wrapped.len() as u32]));
    file.extend(&wrapped);
    file.extend(b"tail");
    let fx = good(&file);
    assert_eq!((fx.offset, fx.parameters.len()), (16 + 4 + 16, 1));
    file[5] = 0x81;
    assert!(bad(&file).1[0].contains("compressed"));
    assert!(bad(b"MGFX\x0A\x01").1[0].contains("MonoGame"));
}

#[test]
fn fx_conversions() {
    let mut b = Builder::new();
    for (base, name) in [(FLOAT, "f"), (INT, "i"), (1, "b")] {
        let ty = b.ty(base, VECTOR, name, 0, &[2, 1]);
        let value = b.put(&if base == FLOAT { [(-2.7_f32).to_bits(), 0] } else { [1, 0] });
        b.parameter(ty, value, 0, &[]);
    }
    let fx = good(&b.finish());
    let upload = |name: &str, set| {
        let vector = |t: &mut ConstantTable| t.add_type(Class::Vector, BaseType::Float, [1, 2], 1, Vec::new());
        let table = table(set, name, 0, if set == RegisterSet::Bool { 2 } else { 1 }, vector);
        fx.upload(&table, &table.constants[0]).unwrap().registers
    };
    assert_eq!(upload("f", RegisterSet::Float4), Registers::Float(vec![[-2.7, 0.0, 0.0, 0.0]]));
    assert_eq!(upload("f", RegisterSet::Int4), Registers::Int(vec![[-2, 0, 0, 0]]));
    for name in ["f", "i", "b"] {
        assert_eq!(upload(name, RegisterSet::Bool), Registers::Bool(vec![true, false]));
    }
    assert_eq!(upload("i", RegisterSet::Float4), Registers::Float(vec![[1.0, 0.0, 0.0, 0.0]]));
    assert_eq!(upload("b", RegisterSet::Int4), Registers::Int(vec![[1, 0, 0, 0]]));
}

#[test]
fn fx_vector_columns_rows_order() {
    let mut b = Builder::new();
    let ty = b.ty(FLOAT, VECTOR, "v", 0, &[3, 1]);
    let matrix = b.ty(FLOAT, MATRIX, "m", 0, &[2, 4]);
    b.parameter(ty, 0, 0, &[]);
    b.parameter(matrix, 0, 0, &[]);
    let fx = good(&b.finish());
    let shape = |i: usize| (fx.ty(fx.parameters[i].ty).rows, fx.ty(fx.parameters[i].ty).columns);
    assert_eq!((shape(0), shape(1)), ((1, 3), (2, 4)));
    assert_eq!(effect::print(&fx, &mut |_| String::new()), "float3 v;\nfloat2x4 m;\n");
}

#[test]
fn fx_matrix_row_major_storage() {
    let mut b = Builder::new();
    let ty = b.ty(FLOAT, MATRIX, "m", 0, &[2, 3]);
    let words: Vec<u32> = (1..7).map(|x| (x as f32).to_bits()).collect();
    let value = b.put(&words);
    b.parameter(ty, value, 0, &[]);
    let fx = good(&b.finish());
    let upload = |class, count| {
        let table =
            table(RegisterSet::Float4, "m", 0, count, |t| t.add_type(class, BaseType::Float, [2, 3], 1, Vec::new()));
        fx.upload(&table, &table.constants[0]).unwrap().registers
    };
    assert_eq!(upload(Class::MatrixRows, 2), Registers::Float(vec![[1., 2., 3., 0.], [4., 5., 6., 0.]]));
    let columns = vec![[1., 4., 0., 0.], [2., 5., 0., 0.], [3., 6., 0., 0.]];
    assert_eq!(upload(Class::MatrixColumns, 3), Registers::Float(columns.clone()));
    assert_eq!(upload(Class::MatrixColumns, 2), Registers::Float(columns[..2].to_vec()));
}

#[test]
fn fx_point_size_max_id() {
    let at = |id: usize| (STATES[id].name, STATES[id].number);
    assert_eq!([at(62), at(65), at(71)], [("PointSize_Max", 166), ("PointScale_A", 158), ("DebugMonitorToken", 165)]);
    assert_eq!([at(0), at(31), at(39), at(47)], [("ZEnable", 7), ("Wrap0", 128), ("Wrap8", 198), ("Clipping", 136)]);
    assert_eq!(
        [at(73), at(88), at(102)],
        [("ColorWriteEnable", 168), ("TwoSidedStencilMode", 185), ("BlendOpAlpha", 209)]
    );
    assert_eq!(
        [at(103), at(120), at(165), at(177)],
        [("ColorOp", 1), ("Constant", 32), ("AddressU", 1), ("DMapOffset", 13)]
    );
    assert_eq!(
        [STATES[146].group, STATES[147].group, STATES[164].group],
        [Group::VertexShader, Group::PixelShader, Group::Texture]
    );
    assert_eq!((STATES.len(), STATES[178].group), (179, Group::Sampler));
}

#[test]
fn fx_unknown_state() {
    let mut b = Builder::new();
    let int = b.ty(INT, MATRIX, "", 0, &[1, 1]);
    let value = b.put(&[5]);
    b.technique(&[[179, 2, int, value]]);
    let (found, diags) = read(&b.finish());
    assert_eq!((diags.errors(), diags.warnings()), (0, 1));
    let fx = found.unwrap();
    assert_eq!(fx.techniques[0].passes[0].states[0].operation, 179);
    assert!(effect::print(&fx, &mut |_| String::new()).contains("state179[2] = 5;"));
}

#[test]
fn fx_expression_state() {
    let mut b = Builder::new();
    let float = b.ty(FLOAT, MATRIX, "", 0, &[1, 1]);
    let value = b.put(&[0]);
    b.technique(&[[18, 0, float, value]]);
    b.large([0, 0, NONE, 0], 0, &expression(0.1));
    let fx = good(&b.finish());
    let state = &fx.techniques[0].passes[0].states[0];
    let Some(Content::Expression(found)) = fx.content(state) else { panic!() };
    assert_eq!(found.eval(&[], &[]).unwrap().floats[0], 0.1);
    let text = effect::print(&fx, &mut |_| String::new());
    assert!(text.contains("FogStart = expression {\n            mov expr0.x, (0.1)\n        };"), "{text}");
}

#[test]
fn fx_text_numbers_survive() {
    let mut b = Builder::new();
    let ty = b.ty(FLOAT, VECTOR, "v", 0, &[4, 1]);
    let value = b.put(&[0x8000_0000, 1, 0x7F80_0000, 0xFFC0_0001]);
    b.parameter(ty, value, 0, &[]);
    let text = effect::print(&good(&b.finish()), &mut |_| String::new());
    assert_eq!(text, "float4 v = { -0.0, 1e-45, asfloat(0x7F800000), asfloat(0xFFC00001) };\n");
}

#[test]
fn fx_bad_resource_is_skipped() {
    for (address, usage, data) in [
        ([0, 0, NONE, 9], 0, &VS[..]),
        ([0, 7, NONE, 0], 0, &VS),
        ([9, 0, NONE, 0], 0, &VS),
        ([NONE, 9, 0, 0], 1, b"One\0"),
        ([0, 0, NONE, 0], 3, &VS),
        ([0, 0, NONE, 0], 1, b"One!"),
        ([0, 0, NONE, 0], 2, &bytes(&[900, 0])),
        ([0, 0, NONE, 0], 2, &bytes(&[4, 0x41, 0])),
    ] {
        let mut b = Builder::new();
        let states = [b.object_state(146, VERTEX_SHADER), b.object_state(147, PIXEL_SHADER)];
        b.technique(&states);
        b.large(address, usage, data);
        b.large([0, 0, NONE, 1], 0, &PS);
        let (found, messages) = bad(&b.finish());
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert_eq!(found.unwrap().shaders().map(|s| s.name).collect::<Vec<_>>(), ["T/P/ps"]);
    }
}

#[test]
fn fx_offset_outside() {
    for (ty, value) in [(u32::MAX, 0), (1 << 20, 0), (4, u32::MAX), (4, 24)] {
        let mut b = Builder::new();
        b.put(&[FLOAT, MATRIX, 0, 0, 0, 4, 4]);
        b.parameter(ty, value, 0, &[]);
        b.parameter(4, 0, 0, &[]);
        let (found, messages) = bad(&b.finish());
        let found = found.unwrap();
        assert!(messages[0].starts_with("E-FX"));
        assert_eq!((messages.len(), found.parameters.len()), (1, 2), "{ty} {value}");
        assert_eq!(found.ty(found.parameters[1].ty).rows, 4);
    }
    let mut file = struct_effect();
    file[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(bad(&file).0.is_none());
}

#[test]
fn fx_huge_counts() {
    let file = all_kinds();
    let structure = 8 + u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize;
    for at in (structure..file.len()).step_by(4) {
        for word in [u32::MAX, 0x7FFF_FFFF, 0x1000_0000, 65536] {
            let mut file = file.clone();
            file[at..at + 4].copy_from_slice(&word.to_le_bytes());
            if let (Some(fx), _) = read(&file) {
                effect::print(&fx, &mut |_| String::new());
            }
        }
    }
    // Elements, rows, members.
    for more in [[0, 0, u32::MAX, 4, 4], [0, 0, 2, u32::MAX, u32::MAX], [0, 0, u32::MAX, u32::MAX, u32::MAX]] {
        let mut b = Builder::new();
        let ty = b.put(&[&[FLOAT, MATRIX], &more[..]].concat());
        b.parameter(ty, 4, 0, &[]);
        assert_eq!(bad(&b.finish()).1.len(), 1);
    }
    let mut b = Builder::new();
    let ty = b.put(&[0, 5, 0, 0, u32::MAX, u32::MAX]);
    b.parameter(ty, 4, 0, &[]);
    assert_eq!(bad(&b.finish()).1.len(), 1);
}

#[test]
fn fx_struct_nesting_is_bounded() {
    let mut b = Builder::new();
    let ty = b.put(&[0, 5, 0, 0, 0, 1].repeat(5000));
    b.parameter(ty, 4, 0, &[]);
    assert!(bad(&b.finish()).1[0].contains("nest deeper"));
}

#[test]
fn fx_shared_values_do_not_fill_memory() {
    // 20,000 parameters share one value of 20,000 words: 1.6 GB if each had its own.
    let mut b = Builder::new();
    let ty = b.ty(FLOAT, MATRIX, "m", 20_000, &[1, 1]);
    let value = b.put(&vec![0; 20_000]);
    for _ in 0..20_000 {
        b.parameter(ty, value, 0, &[]);
    }
    let (found, messages) = bad(&b.finish());
    assert!(messages[0].contains("more space"));
    assert_eq!(found.unwrap().parameters.len(), 20_000);
}

#[test]
fn fx_truncated_every_length() {
    for file in [all_kinds(), sampler_array().finish(), struct_effect()] {
        for length in 0..file.len() {
            let (found, diags) = read(&file[..length]);
            // Only padding may be missing without an error.
            assert!(diags.has_errors() || (diags.warnings() > 0 && length + 4 > file.len()), "{length}");
            if let Some(fx) = found {
                effect::print(&fx, &mut |bytes| format!("{}", bytes.len()));
                fx.shaders().for_each(drop);
            }
        }
        good(&file);
    }
}

#[test]
fn fuzz_fx() {
    let mut files = vec![all_kinds(), sampler_array().finish(), struct_effect()];
    files.extend(
        containers("fxb").into_iter().flatten().map(|path| std::fs::read(path).unwrap()).filter(|f| f.len() < 6000),
    );
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed as usize
    };
    for round in 0..12_000 {
        let mut file = files[round % files.len()].clone();
        for _ in 0..1 + next() % 4 {
            let at = next() % file.len();
            file[at] = [0, 1, 0xFF, next() as u8][next() % 4];
        }
        if let (Some(fx), _) = read(&file) {
            effect::print(&fx, &mut |bytes| format!("{}", bytes.len()));
            for shader in fx.shaders() {
                let mut diags = Diags::new();
                if let Some(table) = ctab::of_stream(fx.bytes(shader.range), 0, SourceId(0), &mut diags) {
                    fx.sampler_bindings(&table);
                    table.constants.iter().for_each(|constant| drop(fx.upload(&table, constant)));
                }
            }
        }
        effect::embedded(&file);
    }
}

fn containers(extension: &str) -> Option<Vec<PathBuf>> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/d3d9/containers");
    if !Path::new(root).is_dir() {
        eprintln!("skipped: no corpus at {root}");
        return None;
    }
    let (mut files, mut folders) = (Vec::new(), vec![PathBuf::from(root)]);
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    Some(files)
}

/// Every shader has a version word and an end token, and its samplers and constants bind.
fn check_shaders(fx: &Effect, totals: &mut [usize; 5]) -> BTreeSet<usize> {
    let mut distinct = BTreeSet::new();
    for shader in fx.shaders() {
        let stream = fx.bytes(shader.range.clone());
        let version = if shader.stage == Stage::Vertex { [0xFE, 0xFF] } else { [0xFF, 0xFF] };
        assert_eq!(stream[2..4], version, "{}", shader.name);
        assert_eq!(stream[stream.len() - 4..], [0xFF, 0xFF, 0, 0], "{}", shader.name);
        totals[0] += 1;
        distinct.insert(shader.range.start);
        let mut diags = Diags::new();
        let table = ctab::of_stream(stream, 0, SourceId(0), &mut diags).unwrap();
        let samplers: usize = fx.sampler_bindings(&table).len();
        let mut wanted = 0;
        for constant in &table.constants {
            if constant.set == RegisterSet::Sampler {
                wanted += usize::from(constant.count);
            } else {
                assert!(fx.upload(&table, constant).is_some(), "{}: {}", shader.name, constant.name);
                totals[2] += 1;
            }
        }
        assert_eq!(samplers, wanted, "{}", shader.name);
        totals[1] += samplers;
        for comment in ctab::leading_comments(stream).filter(|comment| &comment.four_cc == b"PRES") {
            let found = preshader::parse(comment.payload, 0, SourceId(0), &mut diags).unwrap();
            let table = found.inputs.unwrap();
            for constant in &table.constants {
                assert!(fx.upload(&table, constant).is_some(), "{}: {}", shader.name, constant.name);
            }
            totals[3] += 1;
        }
        assert!(diags.is_empty());
    }
    totals[4] += distinct.len();
    distinct
}

#[test]
fn corpus_effects() {
    let Some(files) = containers("fxb") else { return };
    assert_eq!(files.len(), 45);
    let mut totals = [0; 5];
    for file in &files {
        let bytes = std::fs::read(file).unwrap();
        let fx = good(&bytes);
        let distinct = check_shaders(&fx, &mut totals);
        // Nothing is missed: each version word of a shader in the file begins one that is listed.
        let words = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        let versions = [0xFFFF_0200, 0xFFFF_0300, 0xFFFE_0200, 0xFFFE_0300, 0xFFFE_0101, 0xFFFF_0201, 0xFFFE_0201];
        let streams: BTreeSet<usize> = (0..bytes.len() - 8)
            .step_by(4)
            // A constant table repeats the version word.
            .filter(|&at| versions.contains(&words(at)) && !(at >= 12 && &bytes[at - 12..at - 8] == b"CTAB"))
            .collect();
        assert_eq!(distinct, streams, "{}", file.display());
        let text = effect::print(&fx, &mut |bytes| format!("// {} bytes", bytes.len()));
        assert!(fx.parameters.iter().all(|parameter| text.contains(fx.name(parameter.ty))));
    }
    let [listed, samplers, constants, preshaders, distinct] = totals;
    eprintln!(
        "{} effects: {distinct} shaders listed {listed} times, {samplers} samplers and {constants} constants bound, \
        {preshaders} preshaders",
        files.len()
    );
}

#[test]
fn corpus_xnb_and_level_9() {
    let (Some(xnb), Some(objects), Some(mono)) = (containers("xnb"), containers("o"), containers("mgfxo")) else {
        return;
    };
    let mut totals = [0; 5];
    let (mut effects, mut blobs, mut streams, mut chunks) = (0, [0; 3], [0; 3], [0; 3]);
    for (kind, files) in [xnb, objects, mono].into_iter().enumerate() {
        for file in files {
            let bytes = std::fs::read(&file).unwrap();
            chunks[kind] += bytes.windows(4).filter(|window| window == b"Aon9").count();
            for found in effect::embedded(&bytes) {
                match found.kind {
                    EmbeddedKind::Effect => {
                        assert!(!check_shaders(&good(&bytes), &mut totals).is_empty(), "{}", file.display());
                        effects += 1;
                    }
                    EmbeddedKind::Dxbc { level_9 } => {
                        blobs[kind] += 1;
                        let Some(range) = level_9 else { continue };
                        let stream = &bytes[range];
                        assert!(matches!(stream[1..4], [2, 0xFE | 0xFF, 0xFF]), "{}", file.display());
                        assert_eq!(stream[stream.len() - 4..], [0xFF, 0xFF, 0, 0], "{}", file.display());
                        streams[kind] += 1;
                    }
                }
            }
        }
    }
    eprintln!("{effects} XNA effects; DXBC blobs and level 9 streams in .xnb, .o, .mgfxo: {blobs:?} {streams:?}");
    assert_eq!(effects, 10);
    assert_eq!(streams, chunks, "every Aon9 chunk is listed");
}
