//! Metal functions run on the CPU: what they give is what Metal's documentation says.

use aquatint_exec::raster::Topology;
use aquatint_metal_cpu::run::{Compute, Draw, Runner, Stage, Target, Written};

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
