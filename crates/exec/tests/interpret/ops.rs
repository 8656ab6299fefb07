//! Every pure operation once, through a whole program. Their corner cases are with the table's code in `ir`.

use crate::{compute, words};
use aquatint_ir::Op;
use aquatint_ir::op::Effect;

/// Runs `results = operation` and gives the words of the first result, then those of the second.
fn run(results: &str, operation: &str) -> Vec<u32> {
    let names: Vec<_> = results.split(';').map(str::trim).collect();
    let defined: Vec<_> = names.iter().enumerate().map(|(i, ty)| format!("%r{i}: {ty}")).collect();
    let second = if names.len() > 1 { "store.bytes @out, 64, %r1".to_owned() } else { String::new() };
    // Bytes are numbers and vectors: a bool goes out as 0 or 1, a matrix row by row.
    let first = match names[0].strip_prefix("mat").map(|shape| [&shape[..1], &shape[2..3]].map(|n| n.parse().unwrap()))
    {
        Some([rows, columns]) => {
            let row = |r: u32| {
                let at = r * columns * 4;
                format!("%row{r}: vec{columns}<f32> = extract %r0[{r}]\nstore.bytes @out, {at}, %row{r}\n")
            };
            (0..rows).map(row).collect()
        }
        None if names[0] == "bool" => "%n: u32 = convert %r0\nstore.bytes @out, 0, %n".to_owned(),
        None => "store.bytes @out, 0, %r0".to_owned(),
    };
    let text = format!(
        "module
global @out : storage<array<u32, stride(4)>> binding(class u, register 0) writable
entry compute \"main\" @main workgroup_size(1, 1, 1)
fn @main() {{
    {} = {operation}
    {first}
    {second}
    return
}}",
        defined.join(", ")
    );
    compute(&text, 32)
}

fn f(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

const MAX: f32 = f32::MAX;
const INF: f32 = f32::INFINITY;

#[test]
fn every_pure_operation_runs() {
    let one = |x: u32| vec![x];
    let minus = |x: i32| vec![x as u32];
    #[rustfmt::skip]
    let table: Vec<(&str, &str, Vec<u32>)> = vec![
        ("vec4<f32>", "construct vec2<f32>(1.0, 2.0), 3.0, 4.0", f(&[1.0, 2.0, 3.0, 4.0])),
        ("vec3<u32>", "splat 7", vec![7, 7, 7]),
        ("f32", "extract vec3<f32>(1.0, 2.0, 3.0)[2]", f(&[3.0])),
        ("vec2<f32>", "insert vec2<f32>(1.0, 2.0)[1], 9.0", f(&[1.0, 9.0])),
        ("f32", "extract.dyn vec3<f32>(1.0, 2.0, 3.0), 1:u32", f(&[2.0])),
        ("f32", "extract.dyn vec3<f32>(1.0, 2.0, 3.0), -1:i32", f(&[0.0])),
        ("vec2<f32>", "insert.dyn vec2<f32>(1.0, 2.0), 5.0, 0:u32", f(&[5.0, 2.0])),
        ("vec2<f32>", "insert.dyn vec2<f32>(1.0, 2.0), 5.0, 2:u32", f(&[1.0, 2.0])),
        ("vec3<f32>", "shuffle vec2<f32>(1.0, 2.0), [y, x, y]", f(&[2.0, 1.0, 2.0])),
        ("f32", "select false, 1.0, 2.0", f(&[2.0])),
        ("vec2<f32>", "select vec2<bool>(true, false), vec2<f32>(1.0, 2.0), vec2<f32>(3.0, 4.0)", f(&[1.0, 4.0])),
        ("i32", "convert -2.9:f32", minus(-2)),
        ("u32", "bitcast 1.0:f32", one(0x3F80_0000)),
        ("vec2<u32>", "bitcast 1.0:f64", vec![0, 0x3FF0_0000]),
        ("u32", "pack.half2x16 vec2<f32>(1.0, -2.0)", one(0xC000_3C00)),
        ("vec2<f32>", "unpack.half2x16 3221240832", f(&[1.0, -2.0])),
        ("u32", "pack.snorm4x8 vec4<f32>(1.0, -1.0, 0.0, 0.0)", one(0x0000_817F)),
        ("vec4<f32>", "unpack.snorm4x8 33151", f(&[1.0, -1.0, 0.0, 0.0])),
        ("u32", "pack.unorm4x8 vec4<f32>(1.0, 0.0, 0.0, 0.2)", one(0x3300_00FF)),
        ("vec4<f32>", "unpack.unorm4x8 255", f(&[1.0, 0.0, 0.0, 0.0])),
        ("u32", "pack.snorm2x16 vec2<f32>(1.0, -1.0)", one(0x8001_7FFF)),
        ("vec2<f32>", "unpack.snorm2x16 32767", f(&[1.0, 0.0])),
        ("u32", "pack.unorm2x16 vec2<f32>(1.0, 0.0)", one(0xFFFF)),
        ("vec2<f32>", "unpack.unorm2x16 65535", f(&[1.0, 0.0])),
        ("mat3x2<f32>", "transpose mat2x3<f32>(vec3<f32>(1.0, 2.0, 3.0), vec3<f32>(4.0, 5.0, 6.0))", f(&[1.0, 4.0, 2.0, 5.0, 3.0, 6.0])),
        ("f32", "determinant mat2x2<f32>(vec2<f32>(1.0, 2.0), vec2<f32>(3.0, 4.0))", f(&[-2.0])),
        ("vec2<f32>", "mul.mv mat2x2<f32>(vec2<f32>(1.0, 2.0), vec2<f32>(3.0, 4.0)), vec2<f32>(1.0, 10.0)", f(&[21.0, 43.0])),
        ("vec2<f32>", "mul.vm vec2<f32>(1.0, 10.0), mat2x2<f32>(vec2<f32>(1.0, 2.0), vec2<f32>(3.0, 4.0))", f(&[31.0, 42.0])),
        ("mat2x2<f32>", "mul.mm mat2x2<f32>(vec2<f32>(1.0, 2.0), vec2<f32>(3.0, 4.0)), mat2x2<f32>(vec2<f32>(0.0, 1.0), vec2<f32>(1.0, 0.0))", f(&[2.0, 1.0, 4.0, 3.0])),
        ("f32", "fadd 1.5, 2.25", f(&[3.75])),
        ("f32", "fsub 1.5, 2.25", f(&[-0.75])),
        ("f32", "fmul 1.5, 2.0", f(&[3.0])),
        ("f32", "fdiv 1.0, 4.0", f(&[0.25])),
        ("f32", "frem -5.5, 2.0", f(&[-1.5])),
        ("f32", "fneg 0.0", f(&[-0.0])),
        ("f32", "fabs -3.0", f(&[3.0])),
        ("f32", "fma 2.0, 3.0, 4.0", f(&[10.0])),
        ("f32", "fmin 2.0, 3.0", f(&[2.0])),
        ("f32", "fmax 2.0, 3.0", f(&[3.0])),
        ("f32", "fclamp 7.0, 2.0, 3.0", f(&[3.0])),
        ("f32", "fsaturate -3.0", f(&[0.0])),
        ("f32", "floor -0.5", f(&[-1.0])),
        ("f32", "ceil 0.5", f(&[1.0])),
        ("f32", "round 2.5", f(&[2.0])),
        ("f32", "trunc -1.5", f(&[-1.0])),
        ("f32", "fract 1.25", f(&[0.25])),
        ("f32", "sqrt 9.0", f(&[3.0])),
        ("f32", "rsqrt 4.0", f(&[0.5])),
        ("f32", "rcp 4.0", f(&[0.25])),
        ("f32", "exp2 3.0", f(&[8.0])),
        ("f32", "log2 8.0", f(&[3.0])),
        ("f32", "exp 0.0", f(&[1.0])),
        ("f32", "log 1.0", f(&[0.0])),
        ("f32", "pow 2.0, 3.0", f(&[8.0])),
        ("f32", "sin 0.0", f(&[0.0])),
        ("f32", "cos 0.0", f(&[1.0])),
        ("f32", "tan 0.0", f(&[0.0])),
        ("f32", "asin 0.0", f(&[0.0])),
        ("f32", "acos 1.0", f(&[0.0])),
        ("f32", "atan 0.0", f(&[0.0])),
        ("f32", "atan2 0.0, 1.0", f(&[0.0])),
        ("f32", "sinh 0.0", f(&[0.0])),
        ("f32", "cosh 0.0", f(&[1.0])),
        ("f32", "tanh 0.0", f(&[0.0])),
        ("f32", "fsign -4.0", f(&[-1.0])),
        ("f32", "step 1.0, 0.5", f(&[0.0])),
        ("f32", "smoothstep 0.0, 2.0, 0.5", f(&[0.15625])),
        ("f32", "mix 1.0, 3.0, 0.25", f(&[1.5])),
        ("f32", "ldexp 0.75, 3", f(&[6.0])),
        ("f32; i32", "frexp 6.0", [f(&[0.75]), one(3)].concat()),
        ("f32; f32", "modf -1.25", f(&[-0.25, -1.0])),
        ("f32", "dot vec2<f32>(1.0, 2.0), vec2<f32>(3.0, 4.0)", f(&[11.0])),
        ("vec3<f32>", "cross vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 1.0, 0.0)", f(&[0.0, 0.0, 1.0])),
        ("f32", "length vec2<f32>(3.0, 4.0)", f(&[5.0])),
        ("f32", "distance vec2<f32>(3.0, 4.0), vec2<f32>(0.0, 0.0)", f(&[5.0])),
        ("vec2<f32>", "normalize vec2<f32>(0.0, 4.0)", f(&[0.0, 1.0])),
        ("vec2<f32>", "reflect vec2<f32>(1.0, -1.0), vec2<f32>(0.0, 1.0)", f(&[1.0, 1.0])),
        ("vec2<f32>", "refract vec2<f32>(0.0, -1.0), vec2<f32>(0.0, 1.0), 1.0", f(&[0.0, -1.0])),
        ("vec2<f32>", "faceforward vec2<f32>(1.0, 2.0), vec2<f32>(0.0, 1.0), vec2<f32>(0.0, 1.0)", f(&[-1.0, -2.0])),
        ("f32", "fmul.legacy 0.0, inf", f(&[0.0])),
        ("f32", "fma.legacy 0.0, inf, 7.0", f(&[7.0])),
        ("f32", "dot.legacy vec2<f32>(0.0, 2.0), vec2<f32>(inf, 4.0)", f(&[8.0])),
        ("f32", "lrp.legacy 0.0, inf, 3.0", f(&[3.0])),
        ("vec3<f32>", "cross.legacy vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 1.0, 0.0)", f(&[0.0, 0.0, 1.0])),
        ("f32", "rcp.d3d9 0.0", f(&[MAX])),
        ("f32", "rsqrt.d3d9 -4.0", f(&[0.5])),
        ("f32", "exp2.d3d9 200.0", f(&[MAX])),
        ("f32", "log2.d3d9 0.0", f(&[-MAX])),
        ("f32", "pow.d3d9 -2.0, 3.0", f(&[8.0])),
        ("vec3<f32>", "nrm.d3d9 vec3<f32>(0.0, 0.0, 0.0)", f(&[0.0; 3])),
        ("vec4<f32>", "lit.d3d9 vec4<f32>(1.0, 3.0, 0.0, 2.0)", f(&[1.0, 1.0, 9.0, 1.0])),
        ("vec4<f32>", "dst.d3d9 vec4<f32>(1.0, 2.0, 3.0, 4.0), vec4<f32>(5.0, 6.0, 7.0, 8.0)", f(&[1.0, 12.0, 3.0, 8.0])),
        ("f32", "fract.d3d9 -0.5", f(&[0.5])),
        ("f32", "min.d3d9 1.0, 2.0", f(&[1.0])),
        ("f32", "max.d3d9 1.0, 2.0", f(&[2.0])),
        ("f32", "sgn.d3d9 -5.0", f(&[-1.0])),
        ("i32", "iadd 2147483647, 1", minus(i32::MIN)),
        ("u32", "isub 0, 1", one(u32::MAX)),
        ("i32", "imul -3, 5", minus(-15)),
        ("u32", "imulhi 4294967295, 2", one(1)),
        ("i32", "idiv 7, 0", minus(-1)),
        ("i32", "irem -7, 2", minus(-1)),
        ("i32", "ineg 5", minus(-5)),
        ("i32", "iabs -5", one(5)),
        ("i32", "isign -5", minus(-1)),
        ("i32", "imin -5, 3", minus(-5)),
        ("u32", "imax 5, 3", one(5)),
        ("i32", "iclamp 9, -1, 4", one(4)),
        ("u32; u32", "iadd.carry 4294967295, 3", vec![2, 1]),
        ("u32; u32", "isub.borrow 1, 3", vec![u32::MAX - 1, 1]),
        ("u32", "and 12, 10", one(8)),
        ("u32", "or 12, 10", one(14)),
        ("u32", "xor 12, 10", one(6)),
        ("u32", "not 0", one(u32::MAX)),
        ("u32", "shl 1, 33", one(2)),
        ("i32", "shr -8, 1", minus(-4)),
        ("u32", "popcount 255", one(8)),
        ("u32", "first_low 8", one(3)),
        ("u32", "first_high 9", one(3)),
        ("u32", "reverse 1", one(1 << 31)),
        ("i32", "bits.extract 43981, 4:u32, 8:u32", minus(0xBC - 256)),
        ("u32", "bits.insert 0, 255, 4:u32, 4:u32", one(0xF0)),
        ("vec4<u32>", "msad4 67305473, vec2<u32>(67305985, 134678021), vec4<u32>(10, 20, 30, 40)", vec![10, 23, 36, 49]),
        ("bool", "feq 1.0:f32, 1.0:f32", one(1)),
        ("bool", "fne 1.0:f32, 1.0:f32", one(0)),
        ("bool", "flt 1.0:f32, 2.0:f32", one(1)),
        ("bool", "fle 3.0:f32, 2.0:f32", one(0)),
        ("bool", "fgt 3.0:f32, 2.0:f32", one(1)),
        ("bool", "fge 1.0:f32, 2.0:f32", one(0)),
        ("bool", "ieq 1:i32, 1:i32", one(1)),
        ("bool", "ine 1:i32, 1:i32", one(0)),
        ("bool", "ilt -1:i32, 1:i32", one(1)),
        ("bool", "ile 2:i32, 1:i32", one(0)),
        ("bool", "igt 2:u32, 1:u32", one(1)),
        ("bool", "ige 1:u32, 2:u32", one(0)),
        ("bool", "any vec2<bool>(false, true)", one(1)),
        ("bool", "all vec2<bool>(false, true)", one(0)),
        ("bool", "isnan inf:f32", one(0)),
        ("bool", "isinf inf:f32", one(1)),
        ("bool", "isfinite inf:f32", one(0)),
    ];
    let mut seen = Vec::new();
    for (results, operation, expected) in &table {
        let got = run(results, operation);
        let two = results.contains(';');
        let got = if two { vec![got[0], got[16]] } else { got[..expected.len()].to_vec() };
        assert_eq!(&got, expected, "{operation}");
        seen.push(Op::from_name(operation.split(' ').next().unwrap()).unwrap());
    }
    for &op in Op::ALL {
        let elsewhere = matches!(op, Op::Var | Op::Access);
        assert!(op.effect() != Effect::Pure || elsewhere || seen.contains(&op), "{op:?} has no case");
    }
    assert_eq!(INF.to_bits(), 0x7F80_0000);
}

#[test]
fn aggregates_are_built_and_taken_apart() {
    let text = "module
struct %pair { a: vec2<f32>, b: array<u32, 3> }
global @out : storage<array<u32, stride(4)>> binding(class u, register 0) writable
entry compute \"main\" @main workgroup_size(1, 1, 1)
fn @main() {
    %list: array<u32, 3> = construct 5, 6, 7
    %pair: %pair = construct vec2<f32>(1.0, 2.0), %list
    %b: array<u32, 3> = extract %pair[1]
    %c: array<u32, 3> = insert %b[0], 9
    %d: array<u32, 3> = insert.dyn %c, 8, 2:u32
    %e: u32 = extract.dyn %d, 1:u32
    %f: u32 = extract.dyn %d, 3:u32
    %g: vec2<f32> = extract %pair[0]
    %chosen: array<u32, 3> = select true, %d, %b
    %c0: u32 = extract %chosen[0]
    %c1: u32 = extract %chosen[1]
    %c2: u32 = extract %chosen[2]
    %all: vec3<u32> = construct %c0, %c1, %c2
    store.bytes @out, 0, %all
    store.bytes @out, 12, %e
    store.bytes @out, 16, %f
    store.bytes @out, 20, %g
    return
}";
    assert_eq!(compute(text, 7), [9, 6, 8, 6, 0, 1.0_f32.to_bits(), 2.0_f32.to_bits()]);
}

#[test]
fn a_module_that_flushes_denormals_flushes_operands_and_results() {
    let body = |mode: &str| {
        format!(
            "module denormals({mode})
global @out : storage<array<u32, stride(4)>> binding(class u, register 0) writable
entry compute \"main\" @main workgroup_size(1, 1, 1)
fn @main() {{
    %tiny: f32 = bitcast 1:u32
    %small: f32 = bitcast 8388608:u32
    %a: f32 = fmul %tiny, 8388608.0
    %b: f32 = fmul %small, -0.5
    %c: bool = fgt %tiny, 0.0
    %d: f32 = fneg %tiny
    %v: vec2<f32> = splat %tiny
    %e: f32 = dot %v, vec2<f32>(8388608.0, 8388608.0)
    store.bytes @out, 0, %a
    store.bytes @out, 4, %b
    %cn: u32 = convert %c
    store.bytes @out, 8, %cn
    store.bytes @out, 12, %d
    store.bytes @out, 16, %e
    return
}}"
        )
    };
    assert_eq!(compute(&body("flush"), 5), [0, 0x8000_0000, 0, 0x8000_0001, 0]);
    assert_eq!(compute(&body("keep"), 5), [0x0080_0000, 0x8040_0000, 1, 0x8000_0001, 0x0100_0000]);
    assert_eq!(words(&[1, 0, 0, 0]), [1]);
}
