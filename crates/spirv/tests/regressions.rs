//! Modules on which the writer once went wrong, each the smallest.

use aquatint_base::{Diags, Limits, SourceId};
use aquatint_ir::{text, verify};
use aquatint_spirv::{Options, codes, write};

/// What the writer says of a module that it must refuse.
fn refusal(input: &str, options: &Options) -> String {
    let mut diags = Diags::new();
    let module = text::parse(input, SourceId(0), &Limits::default(), &mut diags);
    let module = module.unwrap_or_else(|| panic!("{:?}", diags.iter().next()));
    assert!(verify::verify(&module, &mut diags), "{:?}", diags.iter().next());
    assert!(write(&module, "main", options, &mut diags).is_none());
    let error = diags.iter().next().expect("a refusal has a reason");
    assert_eq!(error.code, &codes::AQ5001);
    error.message.clone()
}

#[test]
fn a_binding_past_the_largest_number_is_refused() {
    let module = |class: &str, register: u32, ty: &str| {
        format!(
            "module\nglobal @r: {ty} binding(class {class}, register {register})\nentry fragment \"main\" @main\n\
             fn @main() {{ return }}\n"
        )
    };
    let texture = module("t", u32::MAX - 15, "texture_2d<f32>");
    assert!(refusal(&texture, &Options::default()).contains("4294967280"));
    let sampler = module("s", 2, "sampler");
    let options = Options { shifts: [0, 0, u32::MAX - 1, 0], ..Options::default() };
    assert!(refusal(&sampler, &options).contains("register 2"));
}

/// spirv-val counts components in 32 bits, where this location is location 0.
#[test]
fn a_location_that_no_device_has_is_refused() {
    let input = "module\nglobal @a: input<vec4<f32>> location(0)\nglobal @b: input<vec4<f32>> location(2147483648)\n\
                 entry vertex \"main\" @main\nfn @main() { return }\n";
    assert!(refusal(input, &Options::default()).contains("2147483648"));
}
