//! Dispatches.

use super::bound::{Bound, Function, Memory};
use super::interface;
use super::job::{Compute, Written};
use super::plan::builtin;
use super::schedule::{MAX_SIMD, MAX_THREADS, Threads};
use super::signature::StageKind;

/// Runs a kernel function over a grid, one threadgroup after another.
pub(super) fn dispatch(threads: &mut Threads, job: &Compute, function: &Function) -> Result<Written, String> {
    let count =
        job.threads.iter().try_fold(1_u32, |product, &side| product.checked_mul(side)).unwrap_or(u32::MAX) as usize;
    if count == 0 || count > MAX_THREADS {
        return Err(format!("a threadgroup has 1 to {MAX_THREADS} threads, not {count}"));
    }
    let simd = job.simd as usize;
    if !simd.is_power_of_two() || !(4..=MAX_SIMD).contains(&simd) {
        return Err(format!("a SIMD group has 4, 8, 16, 32 or 64 threads, not {simd}"));
    }
    let mut bound = Bound::new(function, &job.kernel, StageKind::Kernel, count)?;
    let mut memory = Vec::new();
    for &(index, bytes) in &job.memory {
        let mut made = Memory::zeroed(bytes as usize);
        let place = bound.memory_table.get_mut(index as usize).ok_or_else(|| format!("index {index} is too large"))?;
        *place = made.address();
        memory.push(made);
    }
    for resource in &bound.plan.memory {
        if bound.memory_table.get(resource.index as usize).is_none_or(|&address| address == 0) {
            return Err(format!("threadgroup memory {} ('{}') is not given", resource.index, resource.name));
        }
    }
    let [width, height, depth] = job.threads;
    let [groups_x, groups_y, groups_z] = job.groups;
    let grid: [u32; 3] = std::array::from_fn(|axis| job.groups[axis].wrapping_mul(job.threads[axis]));
    let groups_of = |size: usize| count.div_ceil(size) as u32;
    let in_group = (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
    let in_group: Vec<[u32; 3]> = in_group.collect();
    for (thread, &at) in in_group.iter().enumerate() {
        let index = thread as u32;
        let mut set = |name: &str, words: &[u32]| bound.set_builtin(thread, builtin(name), words);
        set("thread_position_in_threadgroup", &at);
        set("thread_index_in_threadgroup", &[index]);
        set("threads_per_threadgroup", &job.threads);
        set("dispatch_threads_per_threadgroup", &job.threads);
        set("threadgroups_per_grid", &job.groups);
        set("threads_per_grid", &grid);
        set("grid_size", &grid);
        set("thread_index_in_simdgroup", &[index % job.simd]);
        set("threads_per_simdgroup", &[job.simd]);
        set("thread_execution_width", &[job.simd]);
        set("simdgroup_index_in_threadgroup", &[index / job.simd]);
        set("simdgroups_per_threadgroup", &[groups_of(simd)]);
        set("dispatch_simdgroups_per_threadgroup", &[groups_of(simd)]);
        set("thread_index_in_quadgroup", &[index % 4]);
        set("quadgroup_index_in_threadgroup", &[index / 4]);
        set("quadgroups_per_threadgroup", &[groups_of(4)]);
        set("dispatch_quadgroups_per_threadgroup", &[groups_of(4)]);
    }
    let [place, group] = ["thread_position_in_grid", "threadgroup_position_in_grid"].map(builtin);
    for z in 0..groups_z {
        for y in 0..groups_y {
            for x in 0..groups_x {
                for (thread, at) in in_group.iter().enumerate() {
                    let whole = [x * width + at[0], y * height + at[1], z * depth + at[2]];
                    bound.set_builtin(thread, place, &whole);
                    bound.set_builtin(thread, group, &[x, y, z]);
                }
                memory.iter_mut().for_each(|memory| memory.bytes_mut().fill(0));
                // SAFETY: threads and objects stay where they are during the run.
                unsafe {
                    let threads: *mut Threads = &mut *threads;
                    interface::enter(threads, &raw mut bound.objects, StageKind::Kernel);
                    Threads::run(threads, bound.entry, bound.arguments(count), simd, 0).map_err(|e| e.to_string())?;
                }
            }
        }
    }
    Ok(bound.written())
}
