//! How the stages meet: semantics, locations, defaults, built-ins (sheet 3).

use crate::shader::{draw, lower, lower_with};
use aquatint_d3d9::lower::{LinkedOutputs, Lowered, Options, Semantic};
use aquatint_d3d9::tokens::Usage;
use aquatint_ir::{Builtin, Sampling};

const D3D8: [(&str, u32); 16] = [
    ("position", 0),
    ("blendweight", 0),
    ("blendindices", 0),
    ("normal", 0),
    ("psize", 0),
    ("color", 0),
    ("color", 1),
    ("texcoord", 0),
    ("texcoord", 1),
    ("texcoord", 2),
    ("texcoord", 3),
    ("texcoord", 4),
    ("texcoord", 5),
    ("texcoord", 6),
    ("texcoord", 7),
    ("position", 1),
];

#[test]
fn vs11_undeclared_inputs_d3d8() {
    for (register, &port) in D3D8.iter().enumerate() {
        let lowered = lower(&format!("vs_1_1\nmov oPos, v{register}\nmov oT0, v{register}\n"));
        assert_eq!(draw(&lowered).input(port, [1.0, 2.0, 3.0, 4.0]).texcoord(), [1.0, 2.0, 3.0, 4.0], "v{register}");
        // The attribute's number is the register's.
        assert_eq!(lowered.reflection.inputs[0].location, Some(register as u32));
    }
    // Only registers that are not declared have these meanings.
    let lowered = lower("vs_1_1\ndcl_normal v0\nmov oPos, v0\nmov oT0, v3\n");
    let semantics: Vec<_> = lowered.reflection.inputs.iter().map(|i| (i.register, i.semantic.text())).collect();
    assert_eq!(semantics, [(0, "normal".to_owned()), (3, "normal".to_owned())]);
}

fn location(lowered: &Lowered, output: bool, semantic: Semantic) -> Option<u32> {
    let list = if output { &lowered.reflection.outputs } else { &lowered.reflection.inputs };
    list.iter().find(|i| i.semantic == semantic)?.location
}

#[test]
fn link_by_semantic_not_number() {
    // Usual and unusual semantics, in registers of other numbers and another order.
    let semantics = [
        ("texcoord3", Semantic::new(Usage::TexCoord, 3)),
        ("texcoord12", Semantic::new(Usage::TexCoord, 12)),
        ("color1", Semantic::new(Usage::Color, 1)),
        ("tangent", Semantic::new(Usage::Tangent, 0)),
        ("blendweight3", Semantic::new(Usage::BlendWeight, 3)),
        ("position1", Semantic::new(Usage::Position, 1)),
        ("sample2", Semantic::new(Usage::Sample, 2)),
        ("depth", Semantic::new(Usage::Depth, 0)),
        ("fog", Semantic::new(Usage::Fog, 0)),
    ];
    let mut vs = "vs_3_0\ndcl_position v0\ndcl_position o0\nmov o0, v0\n".to_owned();
    let mut ps = "ps_3_0\nmov r0, c0\n".to_owned();
    for (index, (name, _)) in semantics.iter().enumerate() {
        let (output, input) = (index + 1, semantics.len() - 1 - index);
        vs = vs.replace("mov o0", &format!("dcl_{name} o{output}\nmov o0")) + &format!("mov o{output}, c{index}\n");
        ps = ps.replace("mov r0", &format!("dcl_{name} v{input}\nmov r0")) + &format!("add r0, r0, v{input}\n");
    }
    let (vs, ps) = (lower(&vs), lower(&(ps + "mov oC0, r0\n")));
    let mut seen = Vec::new();
    for (name, semantic) in semantics {
        let at = location(&vs, true, semantic);
        assert!(at.is_some() && at == location(&ps, false, semantic), "{name}");
        seen.push(at);
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), semantics.len());
}

/// Semantics without a fixed location agree by a map where the stages name different sets of them.
#[test]
fn a_map_links_stages_that_name_different_sets() {
    let wanted = Semantic::new(Usage::Sample, 2);
    let vs = "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_blendweight3 o1\ndcl_sample2 o2\nmov o0, v0\nmov o1, v0\nmov o2, v0\n";
    let ps = "ps_3_0\ndcl_sample2 v0\nmov oC0, v0\n";
    assert_ne!(location(&lower(vs), true, wanted), location(&lower(ps), false, wanted));
    let options = Options { locations: vec![(wanted, 40)], ..Options::default() };
    assert_eq!(location(&lower_with(vs, &options), true, wanted), Some(40));
    assert_eq!(location(&lower_with(ps, &options), false, wanted), Some(40));
}

#[test]
fn packed_inputs_of_both_stages() {
    // Three semantics in one register, lanes by their own names, as one vertex input and one pixel input.
    let ps = "ps_3_0\ndcl_texcoord3 v1.x\ndcl_fog v1.y\ndcl_color v1.zw\nmov oC0, v1\n";
    let vs = "vs_3_0\ndcl_texcoord3 v1.x\ndcl_fog v1.y\ndcl_color v1.zw\ndcl_position o0\ndcl_texcoord o1\nmov o0, v1\nmov o1, v1\n";
    let inputs = [
        (("texcoord", 3), [1.0, 2.0, 3.0, 4.0]),
        (("fog", 0), [5.0, 6.0, 7.0, 8.0]),
        (("color", 0), [-1.0, -2.0, -3.0, -4.0]),
    ];
    let (ps, vs) = (lower(ps), lower(vs));
    let fed = |lowered| inputs.iter().fold(draw(lowered), |draw, &(port, value)| draw.input(port, value));
    let want = [1.0, 6.0, -3.0, -4.0];
    assert_eq!(fed(&ps).color(), want);
    assert_eq!(fed(&vs).texcoord(), want);
    // Three attributes: the register's own, and two behind all registers.
    let mut locations: Vec<_> = vs.reflection.inputs.iter().map(|i| i.location.unwrap()).collect();
    locations.sort_unstable();
    assert_eq!(locations, [1, 16, 17]);
}

#[test]
fn one_semantic_on_two_inputs() {
    let lowered = lower("vs_2_0\ndcl_position v0\ndcl_position v5\nmov oPos, v0\nadd oT0, v0, v5\n");
    let locations: Vec<_> = lowered.reflection.inputs.iter().map(|i| i.location).collect();
    assert_eq!(locations, [Some(0), Some(5)]);
    // A host binds the element to both attributes.
    let draw = draw(&lowered).input(0, [1.0; 4]).input(5, [2.0; 4]);
    assert_eq!(draw.texcoord(), [3.0; 4]);
}

#[test]
fn split_outputs_and_inputs() {
    let vs = "vs_3_0\ndcl_position v0\ndcl_position o0.xy\ndcl_position o3.zw\ndcl_texcoord1 o1.xz\ndcl_texcoord1 o2.yw\nmov o0, c0\nmov \
              o3, c1\nmov o1, c0\nmov o2, c1\n";
    let lowered = lower(vs);
    let ran = draw(&lowered).c(0, [1.0, 2.0, 3.0, 4.0]).c(1, [5.0, 6.0, 7.0, 8.0]).run();
    assert_eq!(ran.output(("texcoord", 1)), Some([1.0, 6.0, 3.0, 8.0]));
    assert_eq!(ran.output(Builtin::Position), Some([1.0, 2.0, 7.0, 8.0]));
    let ps = "ps_3_0\ndcl_texcoord1 v0.xz\ndcl_texcoord1 v1.yw\nadd oC0, v0, v1\n";
    let lowered = lower(ps);
    assert_eq!(lowered.reflection.inputs.len(), 1);
    // The lanes that are not declared are 0.
    assert_eq!(draw(&lowered).input(("texcoord", 1), [1.0, 2.0, 3.0, 4.0]).color(), [1.0, 2.0, 3.0, 4.0]);
}

fn linked(text: &str, major: u8, written: &[(Usage, u8, u8)]) -> Lowered {
    let written = written.iter().map(|&(usage, index, mask)| (Semantic::new(usage, index), mask)).collect();
    lower_with(text, &Options { linked: Some(LinkedOutputs { major, written }), ..Options::default() })
}

#[test]
fn defaults_color0_color1_texcoord() {
    let text = |register: &str| format!("ps_2_0\ndcl {register}\nmov oC0, {register}\n");
    let color = |lowered: &Lowered, port: (&str, u32)| draw(lowered).input(port, [0.5; 4]).color();
    // Not written at all, the x and y lanes, and wholly.
    for (register, usage, port, default) in [
        ("v0", (Usage::Color, 0), ("color", 0), 1.0),
        ("v1", (Usage::Color, 1), ("color", 1), 0.0),
        ("t0", (Usage::TexCoord, 0), ("texcoord", 0), 0.0),
        ("t7", (Usage::TexCoord, 7), ("texcoord", 7), 0.0),
    ] {
        let (usage, index) = usage;
        assert_eq!(color(&linked(&text(register), 2, &[]), port), [default; 4], "{register}");
        let partly = linked(&text(register), 2, &[(usage, index, 0b0011)]);
        assert_eq!(color(&partly, port), [0.5, 0.5, default, default], "{register}");
        // Two outputs of one semantic count together.
        let split = linked(&text(register), 2, &[(usage, index, 0b0011), (usage, index, 0b1000)]);
        assert_eq!(color(&split, port), [0.5, 0.5, default, 0.5], "{register}");
        assert_eq!(color(&linked(&text(register), 2, &[(usage, index, 0b1111)]), port), [0.5; 4], "{register}");
    }
    // Stages that are not linked take what comes.
    assert_eq!(color(&lower(&text("v0")), ("color", 0)), [0.5; 4]);
}

#[test]
fn defaults_sm3() {
    for (name, port, usage) in [("color", ("color", 0), Usage::Color), ("texcoord", ("texcoord", 0), Usage::TexCoord)] {
        let text = format!("ps_3_0\ndcl_{name} v0\nmov oC0, v0\n");
        assert_eq!(draw(&linked(&text, 3, &[])).input(port, [0.5; 4]).color(), [0.0; 4]);
        let partly = linked(&text, 3, &[(usage, 0, 0b0101)]);
        assert_eq!(draw(&partly).input(port, [0.5; 4]).color(), [0.5, 0.0, 0.5, 0.0]);
    }
    // Through an index as well.
    let text = "ps_3_0\ndcl_color v0\ndcl_texcoord v1\ndefi i0, 2, 0, 1, 0\nmov r0, c0\nloop aL, i0\nadd r0, r0, v0[aL]\nendloop\nmov oC0, r0\n";
    let partly = linked(text, 3, &[(Usage::Color, 0, 0b0001), (Usage::TexCoord, 0, 0b1111)]);
    let draw = draw(&partly).input(("color", 0), [0.5; 4]).input(("texcoord", 0), [2.0; 4]);
    assert_eq!(draw.color(), [2.5, 2.0, 2.0, 2.0]);
}

/// What a vertex shader does not write: its own defaults, lane by lane.
#[test]
fn vertex_outputs_that_are_partly_written() {
    let text = "vs_2_0\ndcl_position v0\nmov oPos.xy, v0\nmov oD0.x, c0\nmov oD1.y, c0\nmov oT3.z, c0\n";
    let ran = draw(&lower(text)).c(0, [0.25; 4]).input(("position", 0), [3.0; 4]).run();
    assert_eq!(ran.output(Builtin::Position), Some([3.0, 3.0, 0.0, 1.0]));
    assert_eq!(ran.output(("color", 0)), Some([0.25, 1.0, 1.0, 1.0]));
    assert_eq!(ran.output(("color", 1)), Some([0.0, 0.25, 0.0, 0.0]));
    assert_eq!(ran.output(("texcoord", 3)), Some([0.0, 0.0, 0.25, 0.0]));
    assert_eq!(ran.output(("texcoord", 0)), None);
}

/// Sheet 1.12: a position that is never written is (0, 0, 0, 1), declared or not.
#[test]
fn position_never_written() {
    for text in [
        "vs_1_1\nmov oT0, v0\n",
        "vs_2_0\ndcl_position v0\nmov oT0, v0\n",
        "vs_3_0\ndcl_position v0\ndcl_texcoord o0\nmov o0, v0\n",
        "vs_3_0\ndcl_position v0\ndcl_position o1\ndcl_texcoord o0\nmov o0, v0\n",
    ] {
        let ran = draw(&lower(text)).input(("position", 0), [5.0; 4]).run();
        assert_eq!(ran.output(Builtin::Position), Some([0.0, 0.0, 0.0, 1.0]), "{text}");
    }
}

#[test]
fn fog_is_a_scalar_of_any_lane() {
    for (mask, want) in [("", 0.25), (".x", 0.25), (".y", 0.5)] {
        let text = format!("vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oFog{mask}, c0\n");
        let ran = draw(&lower(&text)).c(0, [0.25, 0.5, 0.75, 1.0]).run();
        assert_eq!(ran.output(("fog", 0)).unwrap()[0], want, "{mask}");
    }
}

fn sampling(lowered: &Lowered) -> Vec<(String, bool)> {
    lowered.reflection.inputs.iter().map(|i| (i.semantic.text(), i.centroid)).collect()
}

#[test]
fn centroid_color_msaa() {
    let text = "ps_3_0\ndcl_color v0\ndcl_color1 v1\ndcl_texcoord v2\ndcl_texcoord1_centroid v3\nadd r0, v0, v1\nadd r0, r0, v2\nadd oC0, r0, v3\n";
    let named = |list: &[(&str, bool)]| list.iter().map(|&(name, c)| (name.to_owned(), c)).collect::<Vec<_>>();
    let plain = named(&[("texcoord", false), ("texcoord1", true), ("color", false), ("color1", false)]);
    assert_eq!(sampling(&lower(text)), plain);
    let msaa = lower_with(text, &Options { msaa: true, ..Options::default() });
    assert_eq!(sampling(&msaa), named(&[("texcoord", false), ("texcoord1", true), ("color", true), ("color1", true)]));
    // ps_2_0's colours too, and a vertex shader's inputs never.
    let ps = lower_with("ps_2_0\ndcl v0\nmov oC0, v0\n", &Options { msaa: true, ..Options::default() });
    assert_eq!(sampling(&ps), named(&[("color", true)]));
    let vs = "vs_2_0\ndcl_position v0\ndcl_color v1\nmov oPos, v0\nmov oD0, v1\n";
    let vs = lower_with(vs, &Options { msaa: true, ..Options::default() });
    assert!(sampling(&vs).iter().all(|(_, centroid)| !centroid));
    let outputs = vs.module.globals.iter().filter_map(|(_, g)| g.io());
    assert!(outputs.into_iter().all(|io| io.sampling == Sampling::Center));
}

#[test]
fn vpos_and_vface() {
    let text = "ps_3_0\ndcl vPos.xy\ndcl vFace\nmov r0.xy, vPos\nmov r0.zw, vFace.x\nmov oC0, r0\n";
    let lowered = lower(text);
    assert!(lowered.reflection.uses_vpos && lowered.reflection.uses_vface);
    for (front, want) in [(1.0, 1.0), (0.0, -1.0)] {
        let draw =
            draw(&lowered).input(Builtin::Position, [3.5, 5.5, 0.25, 4.0]).input(Builtin::FrontFacing, [front; 4]);
        assert_eq!(draw.color(), [3.0, 5.0, want, want]);
    }
    // z and w of vPos are 0.
    let lowered = lower("ps_3_0\ndcl vPos\nmov oC0, vPos\n");
    let draw = draw(&lowered).input(Builtin::Position, [0.5, 100.5, 0.25, 4.0]);
    assert_eq!(draw.color(), [0.0, 100.0, 0.0, 0.0]);
}

/// A target that is never named is not written; lanes of a named one that are not written are 0.
#[test]
fn pixel_targets() {
    let lowered = lower("ps_3_0\nmov oC0.xz, c0\nmov oC2, c0\nmov oDepth, c0.y\n");
    let ran = draw(&lowered).c(0, [0.25, 0.5, 0.75, 1.0]).run();
    assert_eq!(ran.output(0), Some([0.25, 0.0, 0.75, 0.0]));
    assert_eq!(ran.output(1), None);
    assert_eq!(ran.output(2), Some([0.25, 0.5, 0.75, 1.0]));
    assert_eq!(ran.scalars(Builtin::FragDepth, 0), Some(vec![0.5]));
}
