//! Metal functions run on the CPU: what they give is what Metal's documentation says.

use aquatint_exec::raster::Topology;
use aquatint_metal_cpu::run::{Compute, Draw, Error, Limits, Runner, Stage, Target, Written};
use std::time::Duration;

const HEAD: &str = "#include <metal_stdlib>\nusing namespace metal;\n";

fn words(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn read(written: &Written, index: u32) -> Vec<u32> {
    let bytes = &written.buffers.iter().find(|(known, _)| *known == index).expect("the buffer is written").1;
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Runs a kernel whose buffer 0 has `count` words, zero before.
fn kernel(text: &str, threads: u32, simd: u32, count: usize) -> Vec<u32> {
    let mut stage = Stage::new(&format!("{HEAD}{text}"), "k");
    stage.buffers.push((0, words(&vec![0; count])));
    let mut job = Compute::new(stage, [1, 1, 1], [threads, 1, 1]);
    job.simd = simd;
    read(&Runner::new().dispatch(&job).expect("the kernel runs"), 0)
}

const FULL: &str = "struct Full { float4 position [[position]]; float2 uv [[user(locn0)]]; };
vertex Full full(uint id [[vertex_id]]) {
    Full out;
    out.uv = float2(float((id << 1) & 2u), float(id & 2u));
    out.position = float4(out.uv * float2(2.0f, -2.0f) + float2(-1.0f, 1.0f), 0.0f, 1.0f);
    return out;
}
struct In { float4 place [[position]]; float2 uv [[user(locn0)]]; };
";

/// Draws a triangle over a whole target of that size.
fn picture(width: u32, height: u32, text: &str) -> Vec<[f32; 4]> {
    let source = format!("{HEAD}{FULL}{text}");
    let target = Target::new(width, height);
    let stages = [Stage::new(&source, "full"), Stage::new(&source, "f")];
    let [vertex, fragment] = stages;
    let draw = Draw::new(vertex, fragment, Topology::TriangleList, 3, &target);
    let mut picture = Runner::new().render(&target, &[draw]).expect("the draw runs");
    picture.colors.swap_remove(0)
}

#[test]
fn a_kernel_writes_its_place() {
    let all = kernel(
        "kernel void k(device uint* to [[buffer(0)]], uint3 at [[thread_position_in_grid]]) { to[at.x] = at.x * 3u; }",
        8,
        32,
        8,
    );
    assert_eq!(all, [0, 3, 6, 9, 12, 15, 18, 21]);
}

#[test]
fn pixels_see_their_centres() {
    let all = picture(4, 2, "fragment float4 f(In in [[stage_in]]) { return in.place; }");
    let places: Vec<[f32; 2]> = all.iter().map(|texel| [texel[0], texel[1]]).collect();
    assert_eq!(
        places,
        [[0.5, 0.5], [1.5, 0.5], [2.5, 0.5], [3.5, 0.5], [0.5, 1.5], [1.5, 1.5], [2.5, 1.5], [3.5, 1.5]]
    );
}

#[test]
fn derivatives_are_those_of_the_quad() {
    // Values 0, 1, 4, 9 in x and 0, 10 in y: a quad has one derivative, from its first row and column.
    let all = picture(
        4,
        2,
        "fragment float4 f(In in [[stage_in]]) {
            float2 at = floor(in.place.xy);
            float v = at.x * at.x + 10.0f * at.y;
            return float4(dfdx(v), dfdy(v), fwidth(v), 0.0f);
        }",
    );
    assert_eq!(all[0], [1.0, 10.0, 11.0, 0.0]);
    assert_eq!(all[1], [1.0, 10.0, 11.0, 0.0]);
    assert_eq!(all[2], [5.0, 10.0, 15.0, 0.0]);
    assert_eq!(all[7], [5.0, 10.0, 15.0, 0.0]);
}

#[test]
fn helpers_feed_derivatives_and_write_nothing() {
    // A point of one pixel: three of the four threads of its quad are helpers.
    let source = format!(
        "{HEAD}struct V {{ float4 p [[position]]; float size [[point_size]]; }};
        vertex V v() {{ V o; o.p = float4(-0.75f, 0.75f, 0.0f, 1.0f); o.size = 1.0f; return o; }}
        struct In {{ float4 place [[position]]; }};
        fragment float4 f(In in [[stage_in]], device atomic_uint* runs [[buffer(0)]], device uint* at [[buffer(1)]]) {{
            atomic_fetch_add_explicit(runs, 1u, memory_order_relaxed);
            at[uint(in.place.y) * 4u + uint(in.place.x)] = simd_is_helper_thread() ? 2u : 1u;
            return float4(dfdx(in.place.x * 3.0f), dfdy(in.place.y * 5.0f), 0.0f, 1.0f);
        }}"
    );
    let target = Target::new(4, 4);
    let mut fragment = Stage::new(&source, "f");
    fragment.buffers.push((0, words(&[0])));
    fragment.buffers.push((1, words(&[0; 16])));
    let draw = Draw::new(Stage::new(&source, "v"), fragment, Topology::PointList, 1, &target);
    let picture = Runner::new().render(&target, &[draw]).expect("the draw runs");
    assert_eq!(picture.colors[0][0], [3.0, 5.0, 0.0, 1.0]);
    assert_eq!(picture.colors[0].iter().filter(|texel| **texel != [0.0; 4]).count(), 1);
    assert_eq!(read(&picture.written[0][1], 0), [1], "one thread counts");
    let mut stored = [0; 16];
    stored[0] = 1;
    assert_eq!(read(&picture.written[0][1], 1), stored);
}

#[test]
fn a_discarded_thread_goes_on_as_a_helper() {
    let source = format!(
        "{HEAD}{FULL}fragment float4 f(In in [[stage_in]], device uint* stored [[buffer(0)]]) {{
            uint2 at = uint2(in.place.xy);
            if (at.x == 1u) {{ discard_fragment(); }}
            float d = dfdx(in.place.x * 2.0f);
            stored[at.y * 2u + at.x] = 7u;
            return float4(d, simd_is_helper_thread() ? 1.0f : 0.0f, 0.0f, 1.0f);
        }}"
    );
    let target = Target::new(2, 2);
    let mut fragment = Stage::new(&source, "f");
    fragment.buffers.push((0, words(&[0; 4])));
    let draw = Draw::new(Stage::new(&source, "full"), fragment, Topology::TriangleList, 3, &target);
    let picture = Runner::new().render(&target, &[draw]).expect("the draw runs");
    let lit = [2.0, 0.0, 0.0, 1.0];
    assert_eq!(picture.colors[0], [lit, [0.0; 4], lit, [0.0; 4]], "derivatives go on, colours do not");
    assert_eq!(read(&picture.written[0][1], 0), [7, 0, 7, 0], "stores do not either");
}

#[test]
fn threadgroup_barriers_order_a_reduction() {
    let source = format!(
        "{HEAD}kernel void k(device uint* to [[buffer(0)]], threadgroup uint* part [[threadgroup(0)]],
                uint i [[thread_index_in_threadgroup]], uint3 group [[threadgroup_position_in_grid]],
                uint3 size [[threads_per_threadgroup]]) {{
            part[i] = i + 1u + group.x * 1000u;
            threadgroup_barrier(mem_flags::mem_threadgroup);
            for (uint half_size = size.x / 2u; half_size > 0u; half_size /= 2u) {{
                if (i < half_size) {{ part[i] += part[i + half_size]; }}
                threadgroup_barrier(mem_flags::mem_threadgroup);
            }}
            if (i == 0u) {{ to[group.x] = part[0]; }}
        }}"
    );
    let mut stage = Stage::new(&source, "k");
    stage.buffers.push((0, words(&[0; 3])));
    let mut job = Compute::new(stage, [3, 1, 1], [256, 1, 1]);
    job.memory.push((0, 1024));
    let written = Runner::new().dispatch(&job).expect("the kernel runs");
    let sum = 256 * 257 / 2;
    assert_eq!(read(&written, 0), [sum, sum + 256_000, sum + 512_000]);
}

#[test]
fn threadgroup_variables_belong_to_the_group() {
    let all = kernel(
        "kernel void k(device uint* to [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
            threadgroup uint part[64];
            part[i] = i * i;
            threadgroup_barrier(mem_flags::mem_threadgroup);
            to[i] = part[63u - i];
        }",
        64,
        32,
        64,
    );
    assert!(all.iter().enumerate().all(|(i, &value)| value as usize == (63 - i) * (63 - i)), "{all:?}");
}

#[test]
fn simd_groups_have_the_size_that_was_asked_for() {
    for simd in [4, 8, 16, 32, 64] {
        let all = kernel(
            "kernel void k(device uint* to [[buffer(0)]], uint i [[thread_index_in_threadgroup]],
                    uint lane [[thread_index_in_simdgroup]], uint size [[threads_per_simdgroup]],
                    uint group [[simdgroup_index_in_threadgroup]], uint groups [[simdgroups_per_threadgroup]]) {
                to[i * 5u] = simd_sum(1u);
                to[i * 5u + 1u] = simd_prefix_exclusive_sum(2u);
                to[i * 5u + 2u] = size * 100u + lane;
                to[i * 5u + 3u] = group * 100u + groups;
                to[i * 5u + 4u] = simd_max(i);
            }",
            64,
            simd,
            64 * 5,
        );
        for i in 0..64 {
            let (lane, group) = (i % simd, i / simd);
            let last = group * simd + simd - 1;
            let place = i as usize * 5;
            let expected = [simd, 2 * lane, simd * 100 + lane, group * 100 + 64 / simd, last];
            assert_eq!(all[place..place + 5], expected, "thread {i} of groups of {simd}");
        }
    }
}

#[test]
fn only_active_lanes_take_part() {
    let all = kernel(
        "kernel void k(device uint* to [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
            uint inside = 0u;
            if (i % 3u == 0u) {
                inside = simd_sum(i);
                if (i > 10u) { inside += 1000u * uint(simd_sum(1u)); }
            } else {
                inside = simd_sum(1u) * 10u;
            }
            to[i * 4u] = inside;
            to[i * 4u + 1u] = simd_sum(1u);
            uint turns = 0u;
            for (uint n = 0u; n < i % 4u; n++) { turns += simd_sum(1u); }
            to[i * 4u + 2u] = turns;
            to[i * 4u + 3u] = simd_is_first() ? 1u : 0u;
        }",
        32,
        32,
        32 * 4,
    );
    let third: Vec<u32> = (0..32).filter(|i| i % 3 == 0).collect();
    let sum: u32 = third.iter().sum();
    for i in 0..32_u32 {
        let place = i as usize * 4;
        let late = third.iter().filter(|&&i| i > 10).count() as u32;
        let inside = match (i % 3, i > 10) {
            (0, false) => sum,
            (0, true) => sum + 1000 * late,
            _ => (32 - third.len() as u32) * 10,
        };
        // Turn n has the lanes whose count is above n: 24, 16, 8.
        let turns = [0, 24, 40, 48][i as usize % 4];
        assert_eq!(all[place..place + 4], [inside, 32, turns, u32::from(i == 0)], "thread {i}");
    }
}

#[test]
fn shuffles_and_votes() {
    let all = kernel(
        "kernel void k(device uint* to [[buffer(0)]], ushort i [[thread_index_in_simdgroup]]) {
            uint v = 100u + uint(i);
            device uint* at = to + uint(i) * 10u;
            at[0] = simd_shuffle(v, ushort(31u - uint(i)));
            at[1] = simd_shuffle_xor(v, ushort(5));
            at[2] = simd_broadcast(v, ushort(7));
            at[3] = simd_broadcast_first(v);
            at[4] = uint(simd_vote::vote_t(simd_ballot(i % 2 == 1)));
            at[5] = simd_all(v >= 100u) ? 1u : 0u;
            at[6] = simd_any(v == 131u) ? 1u : 0u;
            at[7] = quad_shuffle_xor(v, ushort(2));
            at[8] = quad_broadcast(v, ushort(1));
            at[9] = simd_prefix_inclusive_sum(1u);
        }",
        32,
        32,
        320,
    );
    for i in 0..32_u32 {
        let place = i as usize * 10;
        let quad = 100 + (i & !3);
        let expected = [131 - i, 100 + (i ^ 5), 107, 100, 0xAAAA_AAAA, 1, 1, 100 + (i ^ 2), quad + 1, i + 1];
        assert_eq!(all[place..place + 10], expected, "lane {i}");
    }
}

#[test]
fn a_crash_is_reported_and_the_runner_goes_on() {
    let mut runner = Runner::new();
    let mut stage = Stage::new(
        &format!(
            "{HEAD}kernel void k(device uint* to [[buffer(0)]], constant uint& far [[buffer(1)]]) {{ to[ulong(far) << 20] = 1u; }}"
        ),
        "k",
    );
    stage.buffers.push((0, words(&[0])));
    stage.buffers.push((1, words(&[0x4000_0000])));
    let job = Compute::new(stage, [1, 1, 1], [1, 1, 1]);
    let error = runner.dispatch(&job).expect_err("a store beyond all memory");
    assert!(matches!(&error, Error::Crash { signal: 11, said } if said.contains("fault")), "{error}");
    let mut good = job.clone();
    good.kernel.buffers[1].1 = words(&[0]);
    assert_eq!(read(&runner.dispatch(&good).expect("the next job runs"), 0), [1]);
}

#[test]
fn a_stack_overflow_is_called_so() {
    let source = format!(
        "{HEAD}kernel void k(device uint* to [[buffer(0)]]) {{
            volatile uint all[200000];
            for (uint i = 0u; i < 200000u; i++) {{ all[199999u - i] = i + to[0]; }}
            to[0] = all[5];
        }}"
    );
    let mut stage = Stage::new(&source, "k");
    stage.buffers.push((0, words(&[0])));
    let error = Runner::new().dispatch(&Compute::new(stage, [1, 1, 1], [1, 1, 1])).expect_err("800 KB of locals");
    assert!(matches!(&error, Error::Crash { said, .. } if said.contains("stack overflow")), "{error}");
}

#[test]
fn a_hang_is_reported_and_the_runner_goes_on() {
    let limits = Limits { time: Duration::from_millis(700), ..Limits::default() };
    let mut runner = Runner::with_limits(limits);
    let source = format!(
        "{HEAD}kernel void k(device uint* to [[buffer(0)]]) {{
            volatile device uint* seen = to;
            while (seen[0] == 0u) {{ seen[1] += 1u; }}
        }}"
    );
    let mut stage = Stage::new(&source, "k");
    stage.buffers.push((0, words(&[0, 0])));
    let mut job = Compute::new(stage, [1, 1, 1], [1, 1, 1]);
    let error = runner.dispatch(&job).expect_err("an endless loop");
    assert!(matches!(error, Error::TimedOut(_)), "{error}");
    job.kernel.buffers[0].1 = words(&[1, 0]);
    assert_eq!(read(&runner.dispatch(&job).expect("the next job runs"), 0), [1, 0]);
}

#[test]
fn too_much_memory_is_reported() {
    let limits = Limits { memory: 600 << 20, ..Limits::default() };
    let mut stage = Stage::new(&format!("{HEAD}kernel void k(device uint* to [[buffer(0)]]) {{ to[0] = 1u; }}"), "k");
    stage.buffers.push((0, vec![0; 400 << 20]));
    let error = Runner::with_limits(limits).dispatch(&Compute::new(stage, [1, 1, 1], [1, 1, 1]));
    assert_eq!(error, Err(Error::Memory));
}

#[test]
fn threads_at_different_barriers_are_an_error() {
    let source = format!(
        "{HEAD}kernel void k(device uint* to [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {{
            if (i < 5u) {{ threadgroup_barrier(mem_flags::mem_device); to[i] = 1u; }}
            else {{ threadgroup_barrier(mem_flags::mem_device); to[i] = 2u; }}
        }}"
    );
    let mut stage = Stage::new(&source, "k");
    stage.buffers.push((0, words(&[0; 8])));
    let error = Runner::new().dispatch(&Compute::new(stage, [1, 1, 1], [8, 1, 1])).expect_err("no barrier opens");
    assert!(error.to_string().contains("different barriers"), "{error}");
}

#[test]
fn a_missing_argument_is_said() {
    let stage = Stage::new(&format!("{HEAD}kernel void k(device uint* to [[buffer(3)]]) {{ to[0] = 1u; }}"), "k");
    let error = Runner::new().dispatch(&Compute::new(stage, [1, 1, 1], [1, 1, 1])).expect_err("buffer 3 is missing");
    assert!(matches!(&error, Error::Job(why) if why.contains("buffer 3 ('to')")), "{error}");
    let stage = Stage::new(&format!("{HEAD}fragment float4 f() {{ return float4(1.0f); }}"), "f");
    let error = Runner::new().dispatch(&Compute::new(stage, [1, 1, 1], [1, 1, 1])).expect_err("it is no kernel");
    assert!(matches!(&error, Error::Job(why) if why.contains("Fragment function")), "{error}");
}

#[test]
fn what_does_not_compile_is_said() {
    let stage = Stage::new(&format!("{HEAD}kernel void k(device uint* to [[buffer(0)]]) {{ to[0] = missing; }}"), "k");
    let error = Runner::new().dispatch(&Compute::new(stage, [1, 1, 1], [1, 1, 1])).expect_err("a name is missing");
    assert!(matches!(&error, Error::Compile(why) if why.contains("missing")), "{error}");
}

#[test]
fn integer_division_never_traps() {
    // By zero: all ones, quotient and remainder; the least number by -1: itself, and 0.
    let all = kernel(
        "template<typename T> void divide(device uint* to, T p, T q) { to[0] = uint(p / q); to[1] = uint(p % q); }
        kernel void k(device uint* to [[buffer(0)]]) {
            int zero = int(to[12]), least = int(to[12]) - 2147483647 - 1, minus = zero - 1;
            divide(to, zero + 7, zero);
            divide(to + 2, uint(zero + 7), uint(zero));
            divide(to + 4, least, minus);
            divide(to + 6, long(zero) - 9223372036854775807l - 1l, long(minus));
            divide(to + 8, ulong(7), ulong(zero));
            divide(to + 10, zero + 7, zero + 2);
            int4 v = int4(7, 8, 9, 10) / int4(zero, zero + 2, zero, zero + 3);
            to[12] = uint(v.x); to[13] = uint(v.y); to[14] = uint(v.w);
        }",
        1,
        32,
        15,
    );
    let ones = u32::MAX;
    assert_eq!(all, [ones, ones, ones, ones, 0x8000_0000, 0, 0, 0, ones, ones, 3, 1, ones, 4, 3]);
}
