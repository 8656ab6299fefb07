//! Structured control flow under divergent masks.

use crate::{compute, kernel, store, try_compute, u};
use aquatint_exec::interpret::{Error, Machine, Program, Resources};

#[test]
fn if_joins_the_yields_of_both_sides() {
    let body = format!(
        "%c: bool = ilt %i, 2
    %r: u32 = if %c {{ %a: u32 = iadd %i, 10 yield %a }} else {{ %b: u32 = imul %i, 100 yield %b }}
    {}",
        store("%r")
    );
    assert_eq!(compute(&kernel(4, "", &body), 4), [10, 11, 200, 300]);
}

#[test]
fn nested_loops_break_and_continue_lane_by_lane() {
    // For lane i: the sum over x < 4, x odd skipped, of the number of y below min(x + i, 3).
    let body = format!(
        "%r: u32 = loop (%x: u32 = 0, %s: u32 = 0) {{
        %more: bool = ilt %x, 4
        if %more {{ yield }} else {{ break %s }}
        %low: u32 = and %x, 1
        %odd: bool = ieq %low, 1
        if %odd {{ continue %x, %s }} else {{ yield }}
        %limit: u32 = iadd %x, %i
        %n: u32 = loop (%y: u32 = 0) {{
            %stop: bool = ige %y, %limit
            if %stop {{ break %y }} else {{ yield }}
            %three: bool = ige %y, 3
            if %three {{ break %y }} else {{ yield }}
            continue %y
        }} continuing (%y2: u32) {{
            %y3: u32 = iadd %y2, 1
            next %y3
        }}
        %t: u32 = iadd %s, %n
        continue %x, %t
    }} continuing (%x2: u32, %s2: u32) {{
        %x3: u32 = iadd %x2, 1
        next %x3, %s2
    }}
    {}",
        store("%r")
    );
    // x = 0 and x = 2: min(i, 3) + min(2 + i, 3).
    assert_eq!(compute(&kernel(5, "", &body), 5), [2, 4, 5, 6, 6]);
}

#[test]
fn loop_runs_a_different_number_of_times_in_each_of_seventy_lanes() {
    let body = format!(
        "%r: u32 = loop (%k: u32 = 0, %s: u32 = 0) {{
        %done: bool = ige %k, %i
        if %done {{ break %s }} else {{ yield }}
        continue %k, %s
    }} continuing (%k2: u32, %s2: u32) {{
        %k3: u32 = iadd %k2, 1
        %s3: u32 = iadd %s2, %k3
        next %k3, %s3
    }}
    {}",
        store("%r")
    );
    let expected: Vec<u32> = (0..70).map(|i| i * (i + 1) / 2).collect();
    assert_eq!(compute(&kernel(70, "", &body), 70), expected);
}

#[test]
fn a_break_in_the_continuing_region_tests_at_the_end() {
    let body = format!(
        "%r: u32 = loop (%k: u32 = 0) {{
        continue %k
    }} continuing (%k2: u32) {{
        %k3: u32 = iadd %k2, 1
        %done: bool = ige %k3, %i
        if %done {{ break %k3 }} else {{ yield }}
        next %k3
    }}
    {}",
        store("%r")
    );
    assert_eq!(compute(&kernel(4, "", &body), 4), [1, 1, 2, 3]);
}

#[test]
fn switch_falls_through_with_values_and_has_a_default() {
    let body = format!(
        "%r: u32 = switch %i {{
        case 0 {{ %a: u32 = iadd %i, 100 fallthrough %a }}
        case 1, 2 (%b: u32) {{ %c: u32 = iadd %b, 1 yield %c }}
        default {{ yield 7:u32 }}
        case 5 {{ yield 55:u32 }}
    }}
    {}",
        store("%r")
    );
    // Lanes 1 and 2 enter the second case directly: its parameter is zero there.
    assert_eq!(compute(&kernel(6, "", &body), 6), [101, 1, 1, 7, 7, 55]);
}

#[test]
fn break_and_continue_leave_a_loop_from_inside_a_switch() {
    let body = format!(
        "%r: u32 = loop (%k: u32 = 0, %s: u32 = 0) {{
        %t: u32 = switch %k {{
            case 0 {{ yield 1:u32 }}
            case 1 {{ continue %k, %s }}
            case 2 {{ %two: bool = ieq %i, 2 if %two {{ break 99:u32 }} else {{ yield }} yield 10:u32 }}
            default {{ break %s }}
        }}
        %s1: u32 = iadd %s, %t
        continue %k, %s1
    }} continuing (%k2: u32, %s2: u32) {{
        %k3: u32 = iadd %k2, 1
        next %k3, %s2
    }}
    {}",
        store("%r")
    );
    assert_eq!(compute(&kernel(3, "", &body), 3), [11, 11, 99]);
}

#[test]
fn return_inside_a_loop_ends_the_callee_for_its_lanes_only() {
    let text = format!(
        "{}
fn @first_multiple(%of: u32, %from: u32) -> u32 {{
    %none: u32 = loop (%k: u32 = %from) {{
        %far: bool = igt %k, 20
        if %far {{ break 0:u32 }} else {{ yield }}
        %m: u32 = irem %k, %of
        %hit: bool = ieq %m, 0
        if %hit {{ return %k }} else {{ yield }}
        continue %k
    }} continuing (%k2: u32) {{
        %k3: u32 = iadd %k2, 1
        next %k3
    }}
    return %none
}}",
        kernel(
            4,
            "",
            &format!(
                "%n: u32 = iadd %i, 5
    %a: u32 = call @first_multiple(%n, 11)
    %zero: u32 = call @first_multiple(%n, 21)
    %sum: u32 = iadd %a, %zero
    {}",
                store("%sum")
            )
        )
    );
    assert_eq!(compute(&text, 4), [15, 12, 14, 16]);
}

#[test]
fn calls_inside_divergent_branches_and_pointer_parameters() {
    let text = format!(
        "{}
fn @bump(%p: ptr<function, u32>, %by: u32) {{
    %v: u32 = load %p
    %w: u32 = iadd %v, %by
    store %p, %w
    return
}}",
        kernel(
            3,
            "",
            &format!(
                "%v: ptr<function, array<u32, 2>> = var
    %first: ptr<function, u32> = access %v[0]
    %own: ptr<function, u32> = access %v[1]
    call @bump(%first, 1)
    %odd: bool = ieq %i, 1
    if %odd {{ call @bump(%first, 10) call @bump(%own, 5) yield }} else {{ yield }}
    %a: u32 = load %first
    %b: u32 = load %own
    %s: u32 = iadd %a, %b
    {}",
                store("%s")
            )
        )
    );
    assert_eq!(compute(&text, 3), [1, 16, 1]);
}

#[test]
fn a_variable_in_a_loop_is_zero_again_in_each_pass() {
    let body = format!(
        "%r: u32 = loop (%k: u32 = 0, %s: u32 = 0) {{
        %v: ptr<function, u32> = var
        %old: u32 = load %v
        store %v, 7
        %s1: u32 = iadd %s, %old
        %done: bool = ige %k, 3
        if %done {{ break %s1 }} else {{ yield }}
        continue %k, %s1
    }} continuing (%k2: u32, %s2: u32) {{
        %k3: u32 = iadd %k2, 1
        next %k3, %s2
    }}
    {}",
        store("%r")
    );
    assert_eq!(compute(&kernel(1, "", &body), 1), [0]);
}

#[test]
fn discard_goes_on_as_a_helper_and_terminate_does_not() {
    let text = "module
global @x : input<f32> location(0)
global @color : output<f32> location(0)
global @hits : storage<array<u32, stride(4)>> binding(class u, register 0) writable
entry fragment \"main\" @main
fn @main() {
    %x: f32 = load @x
    %kill: bool = feq %x, 1.0
    if %kill { discard yield } else { yield }
    %gone: bool = feq %x, 4.0
    if %gone { terminate } else { yield }
    %d: f32 = ddx %x
    store @color, %d
    %p: ptr<storage, u32> = access @hits[0]
    %old: u32 = atomic.add %p, 1
    return
}";
    let module = crate::parse(text);
    let program = Program::new(&module, "main").unwrap();
    let mut machine = Machine::new(&program, 4).unwrap();
    let mut resources = Resources::new();
    resources.set_buffer(u(0), vec![0; 4]);
    let (x, color) = (program.input_at(0).unwrap(), program.output_at(0).unwrap());
    // The discarded lane 1 still gives its quad a derivative; lane 3 terminates.
    for (lane, number) in [0.0, 1.0, 2.0, 4.0].into_iter().enumerate() {
        machine.set_f32(x, lane, &[number]);
    }
    machine.run(&mut resources, 4).unwrap();
    assert_eq!([0, 1, 2, 3].map(|lane| machine.is_live(lane)), [true, false, true, false]);
    assert_eq!(machine.get_f32(color, 0)[0], 1.0);
    assert_eq!(machine.get_f32(color, 2)[0], 1.0);
    assert_eq!(crate::words(&resources.buffer(u(0)).unwrap().bytes), [2]);
}

#[test]
fn an_infinite_loop_uses_up_the_budget() {
    let body = "loop () { continue } continuing { next }
    return";
    let mut resources = Resources::new();
    resources.set_buffer(u(0), vec![0; 4]);
    assert_eq!(try_compute(&kernel(4, "", body), &mut resources), Err(Error::Steps));
}

#[test]
fn unreachable_is_an_error_only_where_it_is_reached() {
    let body = |below: u32| {
        format!(
            "%c: bool = ilt %i, {below}
    if %c {{ yield }} else {{ unreachable }}
    {}",
            store("1")
        )
    };
    let mut resources = Resources::new();
    resources.set_buffer(u(0), vec![0; 16]);
    assert_eq!(try_compute(&kernel(4, "", &body(4)), &mut resources), Ok(vec![1; 4]));
    assert!(matches!(try_compute(&kernel(4, "", &body(3)), &mut resources), Err(Error::Unreachable(_))));
}
