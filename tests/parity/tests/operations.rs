//! Each operation on edge values, as a compute shader on Vulkan and on the interpreter: what the SPIR-V writer's raise
//! passes promise (`crates/spirv/src/raise.rs`), measured on a device.
//!
//! NaN equals NaN, the sign of a zero does not count, and a denormal operand or result may be flushed. Operations that the
//! device computes approximately have a tolerance, relative or absolute, whichever is wider.

use aquatint_base::{Diags, Limits, SourceId};
use aquatint_exec::interpret::{Machine, Program, Resources};
use aquatint_ir::{Binding, Module, RegisterClass};
use aquatint_parity::{on_vulkan, translate};
use aquatint_spirv::{Environment, Options};
use aquatint_vulkan_run::{Compute, Gpu, Resource};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Kind {
    F32,
    I32,
    U32,
    Bool,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Kind::F32 => "f32",
            Kind::I32 => "i32",
            Kind::U32 => "u32",
            Kind::Bool => "bool",
        }
    }
}

/// A row of the table below.
struct Row {
    /// The expression, with `%x`, `%y`, `%z` for the operands.
    expression: &'static str,
    operands: &'static [Kind],
    result: Kind,
    /// Relative and absolute tolerance.
    tolerance: (f32, f32),
    /// Left out where the first operand fails this.
    domain: fn(f32) -> bool,
}

const EXACT: (f32, f32) = (0.0, 0.0);
/// Division and square root: 2.5 and 3 units in the last place (Vulkan's precision table).
const CLOSE: (f32, f32) = (4e-7, 1e-38);
/// Exponentials, logarithms, powers and angles on Mesa's CPU driver.
const ROUGH: (f32, f32) = (2e-4, 1e-5);

const fn any(_: f32) -> bool {
    true
}

/// Where angles are reduced exactly enough.
fn small(x: f32) -> bool {
    x.abs() < 200.0
}

/// The sign of a power of minus zero is lost, as the writer says.
fn not_minus_zero(x: f32) -> bool {
    x != 0.0 || x.is_sign_positive()
}

const F: Kind = Kind::F32;
const I: Kind = Kind::I32;
const U: Kind = Kind::U32;

const fn row(expression: &'static str, operands: &'static [Kind], result: Kind, tolerance: (f32, f32)) -> Row {
    Row { expression, operands, result, tolerance, domain: any }
}

const fn within(domain: fn(f32) -> bool, row: Row) -> Row {
    Row { domain, ..row }
}

const ROWS: &[Row] = &[
    row("fadd %x, %y", &[F, F], F, EXACT),
    row("fsub %x, %y", &[F, F], F, EXACT),
    row("fmul %x, %y", &[F, F], F, EXACT),
    row("fdiv %x, %y", &[F, F], F, CLOSE),
    row("rcp %x", &[F], F, CLOSE),
    row("fneg %x", &[F], F, EXACT),
    row("fabs %x", &[F], F, EXACT),
    row("fmin %x, %y", &[F, F], F, EXACT),
    row("fmax %x, %y", &[F, F], F, EXACT),
    row("fclamp %x, %y, %z", &[F, F, F], F, EXACT),
    row("fsaturate %x", &[F], F, EXACT),
    row("floor %x", &[F], F, EXACT),
    row("ceil %x", &[F], F, EXACT),
    row("round %x", &[F], F, EXACT),
    row("trunc %x", &[F], F, EXACT),
    row("fract %x", &[F], F, EXACT),
    row("sqrt %x", &[F], F, CLOSE),
    row("rsqrt %x", &[F], F, CLOSE),
    row("fsign %x", &[F], F, EXACT),
    row("step %x, %y", &[F, F], F, EXACT),
    row("smoothstep %x, %y, %z", &[F, F, F], F, CLOSE),
    row("mix %x, %y, %z", &[F, F, F], F, CLOSE),
    row("exp2 %x", &[F], F, ROUGH),
    row("log2 %x", &[F], F, ROUGH),
    within(not_minus_zero, row("pow %x, %y", &[F, F], F, ROUGH)),
    within(small, row("sin %x", &[F], F, ROUGH)),
    within(small, row("cos %x", &[F], F, ROUGH)),
    row("ldexp %x, %y", &[F, I], F, EXACT),
    row("feq %x, %y", &[F, F], Kind::Bool, EXACT),
    row("fne %x, %y", &[F, F], Kind::Bool, EXACT),
    row("flt %x, %y", &[F, F], Kind::Bool, EXACT),
    row("fle %x, %y", &[F, F], Kind::Bool, EXACT),
    row("fgt %x, %y", &[F, F], Kind::Bool, EXACT),
    row("fge %x, %y", &[F, F], Kind::Bool, EXACT),
    row("isnan %x", &[F], Kind::Bool, EXACT),
    row("isinf %x", &[F], Kind::Bool, EXACT),
    row("isfinite %x", &[F], Kind::Bool, EXACT),
    row("convert %x", &[F], I, EXACT),
    row("convert %x", &[F], U, EXACT),
    row("convert %x", &[I], F, EXACT),
    row("convert %x", &[U], F, EXACT),
    row("fmul.legacy %x, %y", &[F, F], F, EXACT),
    row("fma.legacy %x, %y, %z", &[F, F, F], F, CLOSE),
    row("lrp.legacy %x, %y, %z", &[F, F, F], F, CLOSE),
    row("rcp.d3d9 %x", &[F], F, CLOSE),
    row("rsqrt.d3d9 %x", &[F], F, CLOSE),
    row("exp2.d3d9 %x", &[F], F, ROUGH),
    row("log2.d3d9 %x", &[F], F, ROUGH),
    row("pow.d3d9 %x, %y", &[F, F], F, ROUGH),
    row("fract.d3d9 %x", &[F], F, EXACT),
    row("min.d3d9 %x, %y", &[F, F], F, EXACT),
    row("max.d3d9 %x, %y", &[F, F], F, EXACT),
    row("sgn.d3d9 %x", &[F], F, EXACT),
    row("iadd %x, %y", &[I, I], I, EXACT),
    row("imul %x, %y", &[I, I], I, EXACT),
    row("imulhi %x, %y", &[I, I], I, EXACT),
    row("imulhi %x, %y", &[U, U], U, EXACT),
    row("idiv %x, %y", &[I, I], I, EXACT),
    row("idiv %x, %y", &[U, U], U, EXACT),
    row("irem %x, %y", &[I, I], I, EXACT),
    row("irem %x, %y", &[U, U], U, EXACT),
    row("idiv %x, 7", &[I], I, EXACT),
    row("irem %x, -7", &[I], I, EXACT),
    row("irem %x, 10", &[U], U, EXACT),
    row("ineg %x", &[I], I, EXACT),
    row("iabs %x", &[I], I, EXACT),
    row("isign %x", &[I], I, EXACT),
    row("imin %x, %y", &[I, I], I, EXACT),
    row("imax %x, %y", &[U, U], U, EXACT),
    row("iclamp %x, %y, %z", &[I, I, I], I, EXACT),
    row("and %x, %y", &[U, U], U, EXACT),
    row("not %x", &[U], U, EXACT),
    row("shl %x, %y", &[U, U], U, EXACT),
    row("shr %x, %y", &[I, I], I, EXACT),
    row("shr %x, %y", &[U, U], U, EXACT),
    row("popcount %x", &[U], U, EXACT),
    row("first_low %x", &[U], U, EXACT),
    row("first_high %x", &[I], I, EXACT),
    row("first_high %x", &[U], U, EXACT),
    row("reverse %x", &[U], U, EXACT),
    row("bits.extract %x, %y, %z", &[I, U, U], I, EXACT),
    row("bits.extract %x, %y, %z", &[U, U, U], U, EXACT),
    row("bits.insert %x, %x, %y, %z", &[U, U, U], U, EXACT),
    row("ilt %x, %y", &[I, I], Kind::Bool, EXACT),
    row("ilt %x, %y", &[U, U], Kind::Bool, EXACT),
];

const FLOATS: &[f32] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    1.5,
    2.5,
    -2.5,
    3.0,
    0.001,
    -0.001,
    100.25,
    -7.75,
    -1e-9,
    1e10,
    -1e10,
    2147483648.0,
    -2147483648.0,
    2147483520.0,
    4294967296.0,
    4294967040.0,
    f32::MAX,
    f32::MIN,
    f32::MIN_POSITIVE,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

const INTEGERS: &[u32] = &[
    0,
    1,
    2,
    3,
    7,
    8,
    31,
    32,
    33,
    63,
    100,
    150,
    300,
    0x1234_5678,
    0x7FFF_FFFF,
    0x8000_0000,
    0x8000_0001,
    0xFFFF_FF00,
    0xFFFF_FFFE,
    0xFFFF_FFFF,
];

fn values(kind: Kind, operands: usize) -> Vec<u32> {
    let all: Vec<u32> = match kind {
        Kind::F32 => FLOATS.iter().map(|x| x.to_bits()).collect(),
        _ => INTEGERS.to_vec(),
    };
    // Three operands at a time are many: every third value.
    if operands == 3 { all.into_iter().step_by(2).collect() } else { all }
}

/// All combinations of edge values, a list an operand.
fn combinations(row: &Row) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for &kind in row.operands {
        let values = values(kind, row.operands.len());
        all = all.iter().flat_map(|c| values.iter().map(move |&v| [c.as_slice(), &[v]].concat())).collect();
    }
    all.retain(|c| row.operands[0] != F || (row.domain)(f32::from_bits(c[0])));
    (0..row.operands.len()).map(|i| all.iter().map(|c| c[i]).collect()).collect()
}

fn module(row: &Row) -> Module {
    let mut globals = String::new();
    let mut body = String::from("    %g: vec3<u32> = load @gid\n    %i: u32 = extract %g[0]\n");
    for (index, (kind, name)) in row.operands.iter().zip(["x", "y", "z"]).enumerate() {
        globals.push_str(&format!(
            "global @{name}: storage<array<{}, stride(4)>> binding(class t, register {index})\n",
            kind.name()
        ));
        let kind = kind.name();
        body.push_str(&format!("    %p{name}: ptr<storage, {kind}> = access @{name}[%i]\n"));
        body.push_str(&format!("    %{name}: {kind} = load %p{name}\n"));
    }
    body.push_str(&format!("    %r: {} = {}\n", row.result.name(), row.expression));
    let (stored, kind) = match row.result {
        Kind::Bool => {
            body.push_str("    %w: u32 = convert %r\n");
            ("%w", "u32")
        }
        other => ("%r", other.name()),
    };
    body.push_str(&format!("    %po: ptr<storage, {kind}> = access @o[%i]\n    store %po, {stored}\n    return\n"));
    let text = format!(
        "module\n{globals}global @o: storage<array<{kind}, stride(4)>> binding(class u, register 0) writable\n\
         global @gid: input<vec3<u32>> builtin(global_invocation)\n\
         entry compute \"main\" @main workgroup_size(1, 1, 1)\nfn @main() {{\n{body}}}\n"
    );
    let mut diags = Diags::new();
    let module = aquatint_ir::text::parse(&text, SourceId::default(), &Limits::default(), &mut diags);
    let module = module.unwrap_or_else(|| panic!("{}\n{text}", translate::reason(&diags)));
    translate::verify(&module).unwrap_or_else(|e| panic!("{e}\n{text}"));
    module
}

fn words_of(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn interpreted(module: &Module, inputs: &[Vec<u32>], count: usize) -> Vec<u32> {
    let program = Program::new(module, "main").expect("a program");
    let mut machine = Machine::for_workgroup(&program).expect("a machine");
    let mut resources = Resources::new();
    let at = |class, register| Binding { class, register, space: 0 };
    for (register, input) in (0..).zip(inputs) {
        resources.set_buffer(at(RegisterClass::T, register), bytes_of(input));
    }
    resources.set_buffer(at(RegisterClass::U, 0), vec![0; count * 4]);
    machine.dispatch(&mut resources, [count as u32, 1, 1]).expect("a run");
    words_of(&resources.buffer(at(RegisterClass::U, 0)).expect("the result").bytes)
}

fn on_device(gpu: &Gpu, options: &Options, module: &Module, inputs: &[Vec<u32>], count: usize) -> Vec<u32> {
    let mut diags = Diags::new();
    let shader = aquatint_spirv::write(module, "main", options, &mut diags);
    let shader = shader.unwrap_or_else(|| panic!("{}", translate::reason(&diags)));
    let mut bindings = Vec::new();
    for (register, input) in (0..).zip(inputs) {
        bindings.push(((0, options.binding(RegisterClass::T, register)), Resource::Storage(bytes_of(input))));
    }
    bindings.push(((0, options.binding(RegisterClass::U, 0)), Resource::Storage(vec![0; count * 4])));
    let job = Compute { shader: &shader, bindings, push: Vec::new(), groups: [count as u32, 1, 1] };
    let results = gpu.dispatch(&job).expect("a dispatch");
    words_of(&results.last().expect("the result").1)
}

fn is_denormal(bits: u32) -> bool {
    bits & 0x7F80_0000 == 0 && bits & 0x007F_FFFF != 0
}

fn same(row: &Row, got: u32, want: u32) -> bool {
    if row.result != F || got == want {
        return got == want;
    }
    let (got_number, want_number) = (f32::from_bits(got), f32::from_bits(want));
    let (relative, absolute) = row.tolerance;
    // What is within the tolerance of the end of the range may pass it.
    if got_number.is_infinite() && want_number.abs() * (1.0 + relative) == f32::INFINITY && want_number.is_finite() {
        return (got_number > 0.0) == (want_number > 0.0);
    }
    if want_number.is_nan() || !want_number.is_finite() || !got_number.is_finite() {
        return want_number.is_nan() && got_number.is_nan();
    }
    let flushed = is_denormal(want) && (got_number == 0.0 || is_denormal(got));
    flushed || (got_number - want_number).abs() <= absolute.max(relative * want_number.abs())
}

#[test]
fn operations_mean_the_same_on_vulkan() {
    let gpu = match on_vulkan::device() {
        Ok(gpu) => gpu,
        Err(why) => return println!("SKIPPED: {why}"),
    };
    println!("on {}", gpu.name());
    // The oldest environment as it is, and the newest with all that the device promises about floats.
    let newest =
        Options { environment: Environment::Vulkan1_3, float_controls: gpu.has_float_controls(), ..Options::default() };
    let mut all = vec![Options::default()];
    if gpu.version() >= (1, 3) {
        all.push(newest);
    }
    let (mut failures, mut checked) = (String::new(), 0);
    for options in &all {
        for row in ROWS {
            check(&gpu, options, row, &mut failures, &mut checked);
        }
    }
    println!("{checked} results compared");
    assert!(failures.is_empty(), "\n{failures}");
}

fn show(kind: Kind, bits: u32) -> String {
    match kind {
        Kind::F32 => format!("{:e}", f32::from_bits(bits)),
        Kind::I32 => (bits as i32).to_string(),
        Kind::U32 | Kind::Bool => bits.to_string(),
    }
}

fn check(gpu: &Gpu, options: &Options, row: &Row, failures: &mut String, checked: &mut usize) {
    const SHOWN: usize = 8;
    let module = module(row);
    let inputs = combinations(row);
    let count = inputs[0].len();
    let (want, got) = (interpreted(&module, &inputs, count), on_device(gpu, options, &module, &inputs, count));
    let wrong: Vec<usize> = (0..count).filter(|&i| !same(row, got[i], want[i])).collect();
    *checked += count;
    for &i in wrong.iter().take(SHOWN) {
        let operands: Vec<String> = row.operands.iter().zip(&inputs).map(|(&k, v)| show(k, v[i])).collect();
        let (want, got) = (show(row.result, want[i]), show(row.result, got[i]));
        failures.push_str(&format!("{} ({}) is {want}, Vulkan {got}\n", row.expression, operands.join(", ")));
    }
    if wrong.len() > SHOWN {
        failures.push_str(&format!("{}: {} of {count} in all\n", row.expression, wrong.len()));
    }
}
