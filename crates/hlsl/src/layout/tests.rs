//! The worked examples of C5.

use super::*;
use crate::types::{ObjectKind, scalar};
use aquatint_base::Span;

struct Bench {
    types: Types,
    ir: ir::Types,
    names: Names,
    layouts: Layouts,
}

impl Bench {
    fn new(native16: bool) -> Self {
        Self {
            types: Types::new(),
            ir: ir::Types::new(),
            names: Names::new(),
            layouts: Layouts { native16, ..Layouts::default() },
        }
    }

    fn v(&mut self, kind: Kind, lanes: u8) -> Ty {
        self.types.vector(kind, lanes)
    }

    fn m(&mut self, rows: u8, columns: u8, row_major: bool) -> Ty {
        self.types.intern(Type::Matrix { kind: Kind::Float, rows, columns, row_major })
    }

    fn structure(&mut self, name: &str, fields: &[Ty]) -> Ty {
        let fields = self.fields(fields);
        let name = self.names.intern(name);
        let id = self.types.declare_struct(name, Span::NONE);
        self.types.complete_struct(id, fields);
        self.types.intern(Type::Struct(id))
    }

    fn fields(&mut self, tys: &[Ty]) -> Vec<Field> {
        tys.iter().enumerate().map(|(i, &ty)| Field::new(self.names.intern(&format!("f{i}")), ty, Span::NONE)).collect()
    }

    /// Offsets of the members and the size of the block.
    fn block(&mut self, fields: &[Ty], rule: Rule) -> (Vec<u32>, u32) {
        let fields = self.fields(fields);
        self.block_of(&fields, rule)
    }

    fn block_of(&mut self, fields: &[Field], rule: Rule) -> (Vec<u32>, u32) {
        let mut tables = Tables { types: &self.types, ir: &mut self.ir, names: &mut self.names };
        let laid = self.layouts.block(&mut tables, "Block", fields, rule, true).expect("a layout");
        let ir::Type::Struct(id) = self.ir.get(laid.ty) else { panic!("no struct") };
        let offsets = self.ir.structs[id].members.iter().map(|m| m.layout.map_or(0, |l| l.offset)).collect();
        (offsets, laid.size)
    }

    fn of(&mut self, ty: Ty, rule: Rule) -> Laid {
        let mut tables = Tables { types: &self.types, ir: &mut self.ir, names: &mut self.names };
        self.layouts.of(&mut tables, ty, rule).expect("a layout")
    }
}

const F: Ty = scalar(Kind::Float);

#[test]
fn c5_example_1() {
    let mut b = Bench::new(false);
    let (float2, float3) = (b.v(Kind::Float, 2), b.v(Kind::Float, 3));
    let s1 = b.structure("S1", &[float3]);
    let (d, e) = (b.m(2, 3, false), b.m(2, 3, true));
    let (f, g) = (b.types.array(F, 3), b.types.array(float2, 2));
    let members = [F, float3, s1, d, e, f, g];
    for (rule, offsets, size) in [
        (Rule::Legacy, [0, 4, 16, 32, 80, 112, 160], 192),
        (Rule::Relaxed140, [0, 4, 16, 32, 80, 112, 160], 192),
        (Rule::Std140, [0, 16, 32, 48, 96, 128, 176], 208),
        (Rule::Natural, [0, 4, 16, 28, 52, 76, 88], 104),
        (Rule::Relaxed430, [0, 4, 16, 32, 64, 96, 112], 128),
        (Rule::Std430, [0, 16, 32, 48, 80, 112, 128], 144),
    ] {
        assert_eq!(b.block(&members, rule), (offsets.to_vec(), size), "{rule:?}");
    }
}

#[test]
fn c5_example_2_tail_packing() {
    let mut b = Bench::new(false);
    let (float2, float3) = (b.v(Kind::Float, 2), b.v(Kind::Float, 3));
    let s = b.structure("S", &[float3, float2]);
    let (arr, sa) = (b.types.array(F, 3), b.types.array(s, 2));
    let members = [float2, arr, F, s, F, sa, F];
    assert_eq!(b.block(&members, Rule::Legacy), (vec![0, 16, 52, 64, 88, 96, 152], 160));
    assert_eq!(b.block(&members, Rule::Relaxed140), (vec![0, 16, 64, 80, 112, 128, 192], 208));
    assert_eq!(b.block(&members, Rule::Natural).0, [0, 8, 20, 24, 44, 48, 88]);
    assert_eq!((b.of(arr, Rule::Legacy).size, b.of(s, Rule::Legacy).size, b.of(sa, Rule::Legacy).size), (36, 24, 56));
    assert_eq!(
        (b.of(arr, Rule::Relaxed140).size, b.of(s, Rule::Relaxed140).size, b.of(sa, Rule::Relaxed140).size),
        (48, 32, 64)
    );
    assert_eq!(b.of(s, Rule::Natural).size, 20);
}

#[test]
fn c5_example_3_matrices() {
    let mut b = Bench::new(false);
    let float2 = b.v(Kind::Float, 2);
    let members = [
        b.m(3, 4, false),
        F,
        b.m(3, 4, true),
        b.m(3, 3, false),
        F,
        b.m(2, 2, false),
        float2,
        b.m(1, 4, false),
        b.m(4, 1, false),
        F,
    ];
    assert_eq!(b.block(&members, Rule::Legacy), (vec![0, 60, 64, 112, 156, 160, 184, 192, 256, 272], 288));
    assert_eq!(b.block(&members, Rule::Natural), (vec![0, 48, 52, 100, 136, 140, 156, 164, 180, 196], 200));
    let sizes: Vec<u32> = members.iter().map(|&m| b.of(m, Rule::Legacy).size).collect();
    assert_eq!(sizes, [60, 4, 48, 44, 4, 24, 8, 52, 16, 4]);
}

#[test]
fn c5_example_4_doubles() {
    let mut b = Bench::new(false);
    let d = scalar(Kind::Double);
    let (d2, d3) = (b.v(Kind::Double, 2), b.v(Kind::Double, 3));
    let members = [F, d, F, d2, d3, F];
    assert_eq!(b.block(&members, Rule::Legacy), (vec![0, 8, 16, 32, 48, 72], 80));
    assert_eq!(b.block(&members, Rule::Natural), (vec![0, 8, 16, 24, 40, 64], 72));
    assert_eq!(b.block(&members, Rule::Relaxed140).0, [0, 8, 16, 32, 64, 88]);
}

#[test]
fn c5_example_5_halves() {
    let mut b = Bench::new(true);
    let h = scalar(Kind::Half);
    let (h3, h4, ha) = (b.v(Kind::Half, 3), b.v(Kind::Half, 4), b.types.array(h, 3));
    let members = [h, h3, F, h4, ha, h];
    assert_eq!(b.block(&members, Rule::Legacy), (vec![0, 2, 8, 16, 32, 66], 80));
    assert_eq!(b.block(&members, Rule::Natural), (vec![0, 2, 8, 12, 20, 26], 28));
    assert_eq!(b.of(ha, Rule::Legacy).size, 34);
}

#[test]
fn c5_example_6_a_particle() {
    let mut b = Bench::new(false);
    let (f2, f3, f4) = (b.v(Kind::Float, 2), b.v(Kind::Float, 3), b.v(Kind::Float, 4));
    let m = b.m(3, 3, false);
    let members = [f3, F, f4, F, f2, m, scalar(Kind::Bool)];
    assert_eq!(b.block(&members, Rule::Natural), (vec![0, 12, 16, 32, 36, 44, 80], 84));
    assert_eq!(b.block(&members, Rule::Legacy), (vec![0, 12, 16, 32, 36, 48, 92], 96));
}

#[test]
fn c1_the_rule_of_each_buffer() {
    use Use::*;
    for (mode, rules) in [
        (Mode::Dx, [Rule::Legacy, Rule::Legacy, Rule::Natural, Rule::Natural, Rule::Natural]),
        (Mode::Vk, [Rule::Relaxed140, Rule::Relaxed430, Rule::Relaxed430, Rule::Natural, Rule::Relaxed430]),
        (Mode::Gl, [Rule::Std140, Rule::Std430, Rule::Std430, Rule::Natural, Rule::Std430]),
        (Mode::Scalar, [Rule::Natural; 5]),
    ] {
        assert_eq!([Constant, TextureBuffer, Structured, Bytes, Push].map(|of| mode.rule(of)), rules, "{mode:?}");
    }
}

#[test]
fn c2_9_what_has_no_packoffset_continues_after_the_highest_end() {
    let mut b = Bench::new(false);
    let f4 = b.v(Kind::Float, 4);
    let mut fields = b.fields(&[f4, F, F]);
    fields[0].offset = Some(32);
    fields[1].offset = Some(4);
    assert_eq!(b.block_of(&fields, Rule::Legacy), (vec![32, 4, 48], 64));
    fields[1].offset = Some(36);
    let mut tables = Tables { types: &b.types, ir: &mut b.ir, names: &mut b.names };
    let overlap = b.layouts.block(&mut tables, "Block", &fields, Rule::Legacy, true);
    assert_eq!(overlap, Err(Error::Overlap(1)));
}

#[test]
fn a4_3_matrices_of_one_line_are_held_as_vectors() {
    let mut b = Bench::new(false);
    let (row, column, one) = (b.m(1, 4, false), b.m(4, 1, true), b.m(1, 1, false));
    let mut tables = Tables { types: &b.types, ir: &mut b.ir, names: &mut b.names };
    assert_eq!(b.layouts.value(&mut tables, row), ir::VEC4F);
    assert_eq!(b.layouts.value(&mut tables, column), ir::VEC4F);
    assert_eq!(b.layouts.value(&mut tables, one), ir::F32);
}

#[test]
fn f4_types_are_bounded() {
    let mut b = Bench::new(false);
    let mut ty = F;
    for _ in 0..5 {
        ty = b.types.array(ty, 1 << 20);
    }
    let sampler = b.types.intern(Type::Object { kind: ObjectKind::SamplerState, element: crate::types::VOID });
    let mut tables = Tables { types: &b.types, ir: &mut b.ir, names: &mut b.names };
    assert_eq!(b.layouts.of(&mut tables, ty, Rule::Natural), Err(Error::TooLarge));
    assert_eq!(b.layouts.of(&mut tables, sampler, Rule::Natural), Err(Error::NoData));
}
