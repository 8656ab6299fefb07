//! The interpreter against values by hand.

mod draw;
mod flow;
mod group;
mod hostile;
mod memory;
mod ops;
mod texture;

use aquatint_base::Limits;
use aquatint_exec::interpret::{Error, Machine, Options, Program, Resources};
use aquatint_ir::{Binding, Module, RegisterClass};
use aquatint_testkit::module;

/// Reads a module and verifies it.
#[track_caller]
fn parse(text: &str) -> Module {
    module::parse("module", text).unwrap_or_else(|why| panic!("{why}"))
}

/// Reads a module that may break rules.
#[track_caller]
fn parse_unverified(text: &str) -> Module {
    module::read("module", text).unwrap_or_else(|why| panic!("{why}"))
}

/// The read-write register `n`.
const fn u(register: u32) -> Binding {
    Binding { class: RegisterClass::U, register, space: 0 }
}

/// The texture or read-only buffer register `n`.
const fn t(register: u32) -> Binding {
    Binding { class: RegisterClass::T, register, space: 0 }
}

/// The sampler register `n`.
const fn s(register: u32) -> Binding {
    Binding { class: RegisterClass::S, register, space: 0 }
}

/// The constant buffer register `n`.
const fn b(register: u32) -> Binding {
    Binding { class: RegisterClass::B, register, space: 0 }
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|&chunk| u32::from_le_bytes(chunk)).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    words(bytes).into_iter().map(f32::from_bits).collect()
}

/// Runs one workgroup of a compute module with the resources, and gives the words of `u0`.
#[track_caller]
fn compute_with(text: &str, resources: &mut Resources) -> Vec<u32> {
    try_compute(text, resources).unwrap()
}

fn try_compute(text: &str, resources: &mut Resources) -> Result<Vec<u32>, Error> {
    let module = parse(text);
    let options = Options { limits: Limits { steps: 1 << 20, ..Limits::default() }, ..Options::default() };
    let program = Program::with_options(&module, "main", options)?;
    let mut machine = Machine::for_workgroup(&program)?;
    machine.run_workgroup(resources, [0; 3], [1; 3])?;
    Ok(words(&resources.buffer(u(0)).unwrap().bytes))
}

/// The same with `size` words of zeros at `u0` and nothing else bound.
#[track_caller]
fn compute(text: &str, size: usize) -> Vec<u32> {
    let mut resources = Resources::new();
    resources.set_buffer(u(0), vec![0; size * 4]);
    compute_with(text, &mut resources)
}

/// A compute module of `lanes` invocations whose body sees `%i`, its number, and `@out`, words at `u0`.
fn kernel(lanes: u32, globals: &str, body: &str) -> String {
    format!(
        "module
global @out : storage<array<u32, stride(4)>> binding(class u, register 0) writable
global @index : input<u32> builtin(local_index)
{globals}
entry compute \"main\" @main workgroup_size({lanes}, 1, 1)
fn @main() {{
    %i: u32 = load @index
    {body}
}}"
    )
}

/// The ending of a kernel that stores `value` (of type u32) to its own word.
fn store(value: &str) -> String {
    format!(
        "%place: ptr<storage, u32> = access @out[%i]
    store %place, {value}
    return"
    )
}
