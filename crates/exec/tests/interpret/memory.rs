//! Buffers and their layouts, variables, atomics.

use crate::{b, bytes, compute, compute_with, floats, kernel, parse, parse_unverified, store, t, u, words};
use aquatint_exec::interpret::{Machine, Options, Program, Resources};

fn f(x: f32) -> u32 {
    x.to_bits()
}

#[test]
fn a_struct_layout_says_where_everything_lies() {
    let text = "module
struct %inner { x: f32 @0, flag: bool @4 }
struct %block {
    a: f32 @0,
    v: vec3<f32> @16,
    columns: mat2x3<f32> @32 stride(16),
    rows: mat2x3<f32> @80 stride(16) row_major,
    list: array<f32, 3, stride(16)> @112,
    inner: array<%inner, 2, stride(16)> @160
} size(192)
global @c : uniform<%block> binding(class b, register 0)
global @out : storage<array<u32, stride(4)>> binding(class u, register 0) writable
entry compute \"main\" @main workgroup_size(1, 1, 1)
fn @main() {
    %pv: ptr<uniform, vec3<f32>> = access @c[.v]
    %v: vec3<f32> = load %pv
    store.bytes @out, 0, %v
    %pc: ptr<uniform, mat2x3<f32>> = access @c[.columns]
    %c: mat2x3<f32> = load %pc
    %c0: vec3<f32> = extract %c[0]
    %c1: vec3<f32> = extract %c[1]
    store.bytes @out, 12, %c0
    store.bytes @out, 24, %c1
    %pr: ptr<uniform, vec3<f32>> = access @c[.rows][1]
    %r: vec3<f32> = load %pr
    store.bytes @out, 36, %r
    %pe: ptr<uniform, f32> = access @c[.columns][1][2]
    %e: f32 = load %pe
    store.bytes @out, 48, %e
    %two: u32 = iadd 1, 1
    %pl: ptr<uniform, f32> = access @c[.list][%two]
    %l: f32 = load %pl
    store.bytes @out, 52, %l
    %pi: ptr<uniform, bool> = access @c[.inner][1][.flag]
    %i: bool = load %pi
    %in: u32 = convert %i
    store.bytes @out, 56, %in
    %pd: ptr<uniform, f32> = access @c[.columns][1][%two]
    %d: f32 = load %pd
    store.bytes @out, 60, %d
    %all: %block = load @c
    %inner: array<%inner, 2, stride(16)> = extract %all[5]
    %second: %inner = extract %inner[1]
    %x: f32 = extract %second[0]
    store.bytes @out, 64, %x
    return
}";
    let mut block = [0_u32; 48];
    block[0] = f(1.0);
    block[4..7].copy_from_slice(&[f(2.0), f(3.0), f(4.0)]);
    // Column-major 2x3: three stored columns of two, 16 bytes apart.
    for (column, pair) in [[10.0, 20.0], [11.0, 21.0], [12.0, 22.0]].into_iter().enumerate() {
        block[8 + column * 4] = f(pair[0]);
        block[9 + column * 4] = f(pair[1]);
    }
    for row in 0..2 {
        for column in 0..3 {
            block[20 + row * 4 + column] = f((row * 10 + column) as f32);
        }
    }
    block[28 + 8] = f(30.0);
    block[40 + 4] = f(40.0);
    block[40 + 5] = 0x100;
    let mut resources = Resources::new();
    resources.set_buffer(b(0), bytes(&block));
    resources.set_buffer(u(0), vec![0; 68]);
    let got = compute_with(text, &mut resources);
    let expected = [2.0, 3.0, 4.0, 10.0, 11.0, 12.0, 20.0, 21.0, 22.0, 10.0, 11.0, 12.0, 22.0, 30.0].map(f);
    assert_eq!(got[..14], expected);
    assert_eq!(got[14..], [1, f(22.0), f(40.0)]);
}

#[test]
fn out_of_range_reads_are_zero_and_writes_are_dropped() {
    let globals = "global @in : storage<array<u32, stride(4)>> binding(class t, register 0)";
    let body = "%n: u32 = array.length @in
    %far: u32 = iadd %i, %n
    %p: ptr<storage, u32> = access @in[%far]
    %x: u32 = load %p
    %q: ptr<storage, u32> = access @in[%i]
    %y: u32 = load %q
    %z: u32 = or %x, %y
    %w: ptr<storage, u32> = access @out[%i]
    store %w, %z
    %huge: u32 = iadd %i, 1073741823
    %o: ptr<storage, u32> = access @out[%huge]
    store %o, 77
    %old: u32 = atomic.add %o, 1
    store %w, %z
    return";
    let mut resources = Resources::new();
    // Three words and two bytes: the runtime array has three elements.
    let mut input = bytes(&[5, 6, 7]);
    input.extend([9, 9]);
    resources.set_buffer(t(0), input);
    resources.set_buffer(u(0), vec![0; 20]);
    assert_eq!(compute_with(&kernel(5, globals, body), &mut resources), [5, 6, 7, 0, 0]);
    // Nothing bound at all.
    let mut resources = Resources::new();
    resources.set_buffer(u(0), vec![0; 4]);
    assert_eq!(compute_with(&kernel(1, globals, body), &mut resources), [0]);
}

#[test]
fn a_step_beyond_a_sized_array_misses_though_the_buffer_goes_on() {
    let globals = "struct %block { few: array<u32, 2, stride(4)> @0, more: u32 @8 }
global @in : storage<%block> binding(class u, register 1) writable";
    let body = format!(
        "%p: ptr<storage, u32> = access @in[.few][%i]
    %x: u32 = load %p
    store %p, 3
    {}",
        store("%x")
    );
    let mut resources = Resources::new();
    resources.set_buffer(u(1), bytes(&[5, 6, 7]));
    resources.set_buffer(u(0), vec![0; 12]);
    assert_eq!(compute_with(&kernel(3, globals, &body), &mut resources), [5, 6, 0]);
    assert_eq!(words(&resources.buffer(u(1)).unwrap().bytes), [3, 3, 7]);
}

#[test]
fn local_arrays_read_zero_and_drop_writes_out_of_range() {
    let body = format!(
        "%v: ptr<function, array<u32, 3>> = var array<u32, 3>(10, 20, 30)
    %j: u32 = isub %i, 1
    %p: ptr<function, u32> = access %v[%j]
    store %p, 7
    %q: ptr<function, u32> = access %v[%i]
    %x: u32 = load %q
    %w: ptr<function, u32> = access %v[0]
    %y: u32 = load %w
    %m: u32 = imul %y, 100
    %s: u32 = iadd %x, %m
    {}",
        store("%s")
    );
    // Lane 0 writes at -1 (dropped); lane 1 writes element 0.
    assert_eq!(compute(&kernel(4, "", &body), 4), [1010, 720, 1030, 1000]);
}

#[test]
fn rows_and_lanes_of_local_matrices() {
    let body = format!(
        "%v: ptr<function, mat2x3<f32>> = var
    %p: ptr<function, vec3<f32>> = access %v[1]
    store %p, vec3<f32>(1.0, 2.0, 3.0)
    %q: ptr<function, f32> = access %p[%i]
    store %q, 9.0
    %m: mat2x3<f32> = load %v
    %row: vec3<f32> = extract %m[1]
    %x: f32 = extract %row[1]
    %n: u32 = convert %x
    {}",
        store("%n")
    );
    assert_eq!(compute(&kernel(4, "", &body), 4), [2, 9, 2, 2]);
}

#[test]
fn byte_buffers_load_and_store_any_type() {
    let globals = "global @raw : storage<array<u32, stride(4)>> binding(class u, register 1) writable";
    let body = "%v: vec3<f32> = load.bytes @raw, 4
    store.bytes @out, 0, %v
    %h: vec2<f16> = load.bytes @raw, 0
    %w: vec2<f32> = convert %h
    store.bytes @out, 12, %w
    %d: f64 = load.bytes @raw, 4
    %bits: vec2<u32> = bitcast %d
    store.bytes @out, 20, %bits
    %m: vec4<f32> = load.bytes @raw, 0
    store.bytes @raw, 18, %m
    store.bytes @out, 28, %m
    %far: vec2<u32> = load.bytes @raw, 28
    store.bytes @out, 44, %far
    return";
    let mut resources = Resources::new();
    resources.set_buffer(u(1), bytes(&[0xC000_3C00, f(1.0), f(2.0), f(3.0), 0, 0, 0, 42]));
    resources.set_buffer(u(0), vec![0; 52]);
    let got = compute_with(&kernel(1, globals, body), &mut resources);
    assert_eq!(got[..5], [f(1.0), f(2.0), f(3.0), f(1.0), f(-2.0)]);
    assert_eq!(got[5..7], [f(1.0), f(2.0)]);
    assert_eq!(got[7..11], [0xC000_3C00, f(1.0), f(2.0), f(3.0)]);
    // The last word exists, the one behind it does not; and the store at 18 went to 16.
    assert_eq!(got[11..], [f(3.0), 0]);
    assert_eq!(words(&resources.buffer(u(1)).unwrap().bytes)[4..], [0xC000_3C00, f(1.0), f(2.0), f(3.0)]);
}

#[test]
fn atomics_run_in_lane_order_and_give_the_value_before() {
    let globals = "global @cells : storage<array<i32, stride(4)>> binding(class u, register 1) writable
global @shared : workgroup<array<u32, 2>>";
    let body = format!(
        "%p: ptr<storage, i32> = access @cells[0]
    %a: i32 = atomic.add %p, 2
    %q: ptr<storage, i32> = access @cells[1]
    %n: i32 = convert %i
    %neg: i32 = ineg %n
    %min: i32 = atomic.min %q, %neg
    %r: ptr<storage, i32> = access @cells[2]
    %x: i32 = atomic.compare_exchange %r, 1, 5
    %s: ptr<storage, i32> = access @cells[3]
    %e: i32 = atomic.exchange %s, %n
    %sub: ptr<storage, i32> = access @cells[4]
    %t: i32 = atomic.sub %sub, 1
    %bits: ptr<workgroup, u32> = access @shared[1]
    %one: u32 = shl 1, %i
    %o: u32 = atomic.or %bits, %one
    barrier (execution, workgroup)
    %all: u32 = load %bits
    %ua: u32 = convert %a
    %sum: u32 = imul %all, 100
    %both: u32 = iadd %sum, %ua
    {}",
        store("%both")
    );
    let mut resources = Resources::new();
    resources.set_buffer(u(1), bytes(&[10, 0, 1, 7, 0]));
    resources.set_buffer(u(0), vec![0; 12]);
    assert_eq!(compute_with(&kernel(3, globals, &body), &mut resources), [710, 712, 714]);
    let cells = words(&resources.buffer(u(1)).unwrap().bytes);
    assert_eq!(cells, [16, -2_i32 as u32, 5, 2, -3_i32 as u32]);
}

#[test]
fn counters_give_the_slot() {
    let globals = "global @list : storage<array<u32, stride(4)>> binding(class u, register 1) writable counter";
    let body = format!(
        "%slot: u32 = counter.add.up @list
    %p: ptr<storage, u32> = access @list[%slot]
    store %p, %i
    %last: bool = ieq %i, 2
    %down: u32 = if %last {{ %d: u32 = counter.add.down @list yield %d }} else {{ yield 9:u32 }}
    %x: u32 = imul %down, 10
    %y: u32 = iadd %x, %slot
    {}",
        store("%y")
    );
    let mut resources = Resources::new();
    resources.set_buffer(u(1), vec![0; 12]);
    resources.set_buffer(u(0), vec![0; 12]);
    assert_eq!(compute_with(&kernel(3, globals, &body), &mut resources), [90, 91, 22]);
    assert_eq!(resources.buffer(u(1)).unwrap().counter, 2);
}

#[test]
fn private_variables_spec_constants_and_push_constants() {
    let text = kernel(
        1,
        "struct %push { k: u32 @0 }
global @own : private<array<u32, 2>> = array<u32, 2>(3, 4)
global @chosen : private<u32>
spec(7) @chosen = 5
global @pushed : push<%push>",
        &format!(
            "%p: ptr<private, u32> = access @own[1]
    %x: u32 = load %p
    store %p, 100
    %c: u32 = load @chosen
    %q: ptr<push, u32> = access @pushed[.k]
    %k: u32 = load %q
    %a: u32 = imul %c, 10
    %b: u32 = iadd %x, %a
    %d: u32 = imul %k, 100
    %e: u32 = iadd %b, %d
    {}",
            store("%e")
        ),
    );
    let module = parse(&text);
    let run = |spec: Vec<(u32, u64)>| {
        let program = Program::with_options(&module, "main", Options { spec, ..Options::default() }).unwrap();
        let mut machine = Machine::for_workgroup(&program).unwrap();
        let mut resources = Resources::new();
        resources.set_buffer(u(0), vec![0; 4]);
        resources.set_push(bytes(&[6]));
        // Twice: a run begins with the first values again.
        for _ in 0..2 {
            machine.run_workgroup(&mut resources, [0; 3], [1; 3]).unwrap();
        }
        words(&resources.buffer(u(0)).unwrap().bytes)
    };
    assert_eq!(run(Vec::new()), [654]);
    assert_eq!(run(vec![(7, 9)]), [694]);
}

#[test]
fn an_array_of_buffers_takes_registers_in_a_row() {
    let globals = "struct %block { x: f32 @0 } size(16)
global @all : uniform<array<%block, 3>> binding(class b, register 4)";
    let body = "%p: ptr<uniform, f32> = access @all[%i][.x]
    %x: f32 = load %p
    %at: u32 = imul %i, 4
    store.bytes @out, %at, %x
    return";
    let mut resources = Resources::new();
    resources.set_buffer(b(4), bytes(&[f(1.0)]));
    resources.set_buffer(b(6), bytes(&[f(3.0)]));
    resources.set_buffer(b(7), bytes(&[f(9.0)]));
    resources.set_buffer(u(0), vec![0; 16]);
    let program = Program::new(&parse_unverified(&kernel(4, globals, body)), "main").unwrap();
    let mut machine = Machine::for_workgroup(&program).unwrap();
    machine.run_workgroup(&mut resources, [0; 3], [1; 3]).unwrap();
    assert_eq!(floats(&resources.buffer(u(0)).unwrap().bytes), [1.0, 0.0, 3.0, 0.0]);
}

#[test]
fn a_dispatch_numbers_its_invocations() {
    let text = "module
global @out : storage<array<u32, stride(4)>> binding(class u, register 0) writable
global @global : input<vec3<u32>> builtin(global_invocation)
global @group : input<vec3<u32>> builtin(workgroup_id)
global @local : input<vec3<u32>> builtin(local_invocation)
global @count : input<vec3<u32>> builtin(workgroup_count)
entry compute \"main\" @main workgroup_size(2, 2, 1)
fn @main() {
    %g: vec3<u32> = load @global
    %x: u32 = extract %g[0]
    %y: u32 = extract %g[1]
    %c: vec3<u32> = load @count
    %cx: u32 = extract %c[0]
    %width: u32 = imul %cx, 2
    %row: u32 = imul %y, %width
    %at: u32 = iadd %row, %x
    %p: ptr<storage, u32> = access @out[%at]
    %w: vec3<u32> = load @group
    %wx: u32 = extract %w[0]
    %l: vec3<u32> = load @local
    %lx: u32 = extract %l[0]
    %t: u32 = imul %wx, 10
    %v: u32 = iadd %t, %lx
    store %p, %v
    return
}";
    let module = parse(text);
    let program = Program::new(&module, "main").unwrap();
    let mut machine = Machine::for_workgroup(&program).unwrap();
    let mut resources = Resources::new();
    resources.set_buffer(u(0), vec![0xFF; 48]);
    machine.dispatch(&mut resources, [3, 1, 1]).unwrap();
    assert_eq!(words(&resources.buffer(u(0)).unwrap().bytes), [0, 1, 10, 11, 20, 21, 0, 1, 10, 11, 20, 21]);
}
