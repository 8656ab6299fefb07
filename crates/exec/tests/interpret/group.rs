//! Derivatives, quads and waves.

use crate::{compute, kernel, parse, parse_unverified, store};
use aquatint_exec::interpret::{Machine, Program, Resources};

/// Runs a fragment body over one quad whose `%x` is 1, 3, 10, 20, and gives the f32 output of each lane.
fn quad(body: &str) -> [f32; 4] {
    let text = format!(
        "module
global @x : input<f32> location(0)
global @color : output<f32> location(0)
entry fragment \"main\" @main
fn @main() {{
    %x: f32 = load @x
    {body}
    store @color, %r
    return
}}"
    );
    let module = parse(&text);
    let program = Program::new(&module, "main").unwrap();
    let mut machine = Machine::new(&program, 4).unwrap();
    for (lane, number) in [1.0, 3.0, 10.0, 20.0].into_iter().enumerate() {
        machine.set_f32(program.input_at(0).unwrap(), lane, &[number]);
    }
    machine.run(&mut Resources::new(), 4).unwrap();
    [0, 1, 2, 3].map(|lane| machine.get_f32(program.output_at(0).unwrap(), lane)[0])
}

#[test]
fn coarse_and_fine_derivatives() {
    assert_eq!(quad("%r: f32 = ddx %x"), [2.0; 4]);
    assert_eq!(quad("%r: f32 = ddx.coarse %x"), [2.0; 4]);
    assert_eq!(quad("%r: f32 = ddx.fine %x"), [2.0, 2.0, 10.0, 10.0]);
    assert_eq!(quad("%r: f32 = ddy %x"), [9.0; 4]);
    assert_eq!(quad("%r: f32 = ddy.fine %x"), [9.0, 17.0, 9.0, 17.0]);
}

#[test]
fn quads_read_their_neighbours() {
    assert_eq!(quad("%r: f32 = quad.across_x %x"), [3.0, 1.0, 20.0, 10.0]);
    assert_eq!(quad("%r: f32 = quad.across_y %x"), [10.0, 20.0, 1.0, 3.0]);
    assert_eq!(quad("%r: f32 = quad.diagonal %x"), [20.0, 10.0, 3.0, 1.0]);
    assert_eq!(quad("%r: f32 = quad.at %x, 2:u32"), [10.0; 4]);
    let votes = |op: &str, from: &str| {
        quad(&format!("%c: bool = fgt %x, {from} %v: bool = quad.{op} %c %r: f32 = select %v, 1.0, 0.0"))
    };
    assert_eq!(votes("any", "15.0"), [1.0; 4]);
    assert_eq!(votes("any", "25.0"), [0.0; 4]);
    assert_eq!(votes("all", "0.0"), [1.0; 4]);
    assert_eq!(votes("all", "1.0"), [0.0; 4]);
}

#[test]
fn a_vertex_has_no_derivative() {
    let module = parse_unverified(
        "module
global @x : input<f32> location(0)
global @r : output<f32> location(0)
entry vertex \"main\" @main
fn @main() { %x: f32 = load @x %d: f32 = ddx %x store @r, %d return }",
    );
    let program = Program::new(&module, "main").unwrap();
    let mut machine = Machine::new(&program, 4).unwrap();
    machine.set_f32(program.input_at(0).unwrap(), 1, &[5.0]);
    machine.run(&mut Resources::new(), 4).unwrap();
    assert_eq!(machine.get_f32(program.output_at(0).unwrap(), 0)[0], 0.0);
}

/// Six lanes of a wave of 32; those with `%i` = 1 or 4 take no part. Others store 1000.
fn wave(operation: &str, ty: &str, to_u32: &str) -> Vec<u32> {
    let body = format!(
        "%one: bool = ieq %i, 1
    %four: bool = ieq %i, 4
    %out: bool = or %one, %four
    %r: u32 = if %out {{ yield 1000:u32 }} else {{
        %v: u32 = iadd %i, 2
        %low: u32 = and %i, 1
        %odd: bool = ieq %low, 1
        %w: {ty} = wave.{operation}
        {to_u32}
        yield %u
    }}
    {}",
        store("%r")
    );
    compute(&kernel(6, "", &body), 6)
}

#[test]
fn waves_see_the_active_lanes_only() {
    let n = |operation: &str| wave(operation, "u32", "%u: u32 = iadd %w, 0");
    let c = |operation: &str| wave(operation, "bool", "%u: u32 = convert %w");
    let x = |operation: &str| wave(operation, "vec4<u32>", "%u: u32 = extract %w[0]");
    // Active: lanes 0, 2, 3, 5 with %v = 2, 4, 5, 7; odd are 3 and 5.
    assert_eq!(c("is_first"), [1, 1000, 0, 0, 1000, 0]);
    assert_eq!(n("lane_index"), [0, 1000, 2, 3, 1000, 5]);
    assert_eq!(n("lane_count"), [32, 1000, 32, 32, 1000, 32]);
    assert_eq!(c("any_true %odd"), [1, 1000, 1, 1, 1000, 1]);
    assert_eq!(c("all_true %odd"), [0, 1000, 0, 0, 1000, 0]);
    assert_eq!(c("all_equal %v"), [0, 1000, 0, 0, 1000, 0]);
    assert_eq!(c("all_equal 3:u32"), [1, 1000, 1, 1, 1000, 1]);
    assert_eq!(x("ballot %odd"), [0b101000, 1000, 0b101000, 0b101000, 1000, 0b101000]);
    assert_eq!(n("count_bits %odd"), [2, 1000, 2, 2, 1000, 2]);
    assert_eq!(n("prefix_count_bits %odd"), [0, 1000, 0, 0, 1000, 1]);
    assert_eq!(n("read_first %v"), [2, 1000, 2, 2, 1000, 2]);
    assert_eq!(n("read_at %v, 3:u32"), [5, 1000, 5, 5, 1000, 5]);
    assert_eq!(n("read_at %v, 1:u32"), [0, 1000, 0, 0, 1000, 0]);
    assert_eq!(n("sum %v"), [18, 1000, 18, 18, 1000, 18]);
    assert_eq!(n("product %v"), [280, 1000, 280, 280, 1000, 280]);
    assert_eq!(n("and %v"), [0, 1000, 0, 0, 1000, 0]);
    assert_eq!(n("or %v"), [7, 1000, 7, 7, 1000, 7]);
    assert_eq!(n("xor %v"), [4, 1000, 4, 4, 1000, 4]);
    assert_eq!(n("min %v"), [2, 1000, 2, 2, 1000, 2]);
    assert_eq!(n("max %v"), [7, 1000, 7, 7, 1000, 7]);
    assert_eq!(n("prefix_sum %v"), [0, 1000, 2, 6, 1000, 11]);
    assert_eq!(n("prefix_product %v"), [1, 1000, 2, 8, 1000, 40]);
    assert_eq!(x("match %low"), [0b000101, 1000, 0b000101, 0b101000, 1000, 0b101000]);
    let mask = "vec4<u32>(44, 0, 0, 0)"; // lanes 2, 3, 5
    assert_eq!(n(&format!("multi_prefix_count_bits %odd, {mask}")), [0, 1000, 0, 0, 1000, 1]);
    assert_eq!(n(&format!("multi_prefix_sum %v, {mask}")), [0, 1000, 0, 4, 1000, 9]);
    assert_eq!(n(&format!("multi_prefix_product %v, {mask}")), [1, 1000, 1, 4, 1000, 20]);
    assert_eq!(n(&format!("multi_prefix_and %v, {mask}")), [u32::MAX, 1000, u32::MAX, 4, 1000, 4]);
    assert_eq!(n(&format!("multi_prefix_or %v, {mask}")), [0, 1000, 0, 4, 1000, 5]);
    assert_eq!(n(&format!("multi_prefix_xor %v, {mask}")), [0, 1000, 0, 4, 1000, 1]);
}

#[test]
fn a_workgroup_has_several_waves() {
    let body = format!("%s: u32 = wave.sum %i {}", store("%s"));
    let got = compute(&kernel(40, "", &body), 40);
    assert_eq!((got[0], got[31], got[32], got[39]), (496, 496, 284, 284));
}
