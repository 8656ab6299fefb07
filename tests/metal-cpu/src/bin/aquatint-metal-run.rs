//! The process in which compiled Metal functions run; see `aquatint_metal_cpu::run`.

fn main() {
    aquatint_metal_cpu::run::child_main();
}
