//! What conforming effects say.

use super::builder::*;
use aquatint_d3d9::ctab::{BaseType, Class, ConstantTable, Member, RegisterSet};
use aquatint_d3d9::effect::states::{Group, STATES};
use aquatint_d3d9::effect::{self, Content, Found, PassShader, Registers, Stage, Value};

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
