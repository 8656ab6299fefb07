//! Runs the `.case` file beside each pass of the driver. `UPDATE_EXPECT=1 cargo test -p aquatint-d3d9` writes what the passes
//! give into the files. Parameters stand in brackets in a case's name; what is not given is read from the driver's block.

use aquatint_d3d9::driver::{
    AlphaTest, CompareFunction, FogBlend, FogCoordinate, FogFactor, PointSize, VertexFog, alpha_test, clamp_targets,
    clip_planes, flat_colors, fog_blend, half_pixel, point_size, point_sprite, srgb_write, vertex_fog,
};
use aquatint_ir::{Module, text};
use aquatint_testkit::{Case, CaseFile, Found, module};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/driver")
}

fn numbers<const N: usize>(words: &[&str]) -> Option<[f32; N]> {
    let numbers: Vec<f32> = words.iter().filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().ok()
}

fn function(name: &str) -> CompareFunction {
    CompareFunction::ALL.into_iter().find(|function| function.name() == name).expect("a comparison")
}

/// Runs a pass with the parameters of a case.
fn run_pass(pass: &str, case: &Case, module: &mut Module) {
    let words: Vec<&str> = case.option().unwrap_or_default().split_whitespace().collect();
    let bits = || words.first().and_then(|word| u8::from_str_radix(word, 2).ok()).expect("targets as bits");
    match (pass, words.as_slice()) {
        ("alpha_test", [name, rest @ ..]) => {
            let reference = rest.first().map(|word| word.parse().expect("a reference"));
            alpha_test(module, &AlphaTest { function: function(name), reference });
        }
        ("fog_blend", [factor, rest @ ..]) => {
            let factor = match *factor {
                "vertex" => FogFactor::Vertex,
                "linear" => FogFactor::Linear,
                "exp" => FogFactor::Exp,
                "exp2" => FogFactor::Exp2,
                other => panic!("{other} is no fog"),
            };
            let coordinate = if rest.contains(&"w") { FogCoordinate::W } else { FogCoordinate::Z };
            let all: Option<[f32; 6]> = numbers(rest);
            let color = all.map(|[r, g, b, ..]| [r, g, b]);
            let range = all.map(|[_, _, _, start, end, density]| [start, end, density]);
            fog_blend(module, &FogBlend { factor, coordinate, color, range });
        }
        ("srgb_write", _) => srgb_write(module, bits()),
        ("clamp_targets", _) => clamp_targets(module, bits()),
        ("point_sprite", _) => point_sprite(module),
        ("flat_colors", _) => flat_colors(module),
        ("vertex_fog", ["depth"]) => vertex_fog(module, &VertexFog::Depth),
        ("vertex_fog", ["w"]) => vertex_fog(module, &VertexFog::W),
        ("vertex_fog", [factor]) => vertex_fog(module, &VertexFog::Default(factor.parse().expect("a factor"))),
        ("point_size", words) => point_size(module, &PointSize { fixed: numbers(words) }),
        ("clip_planes", [count]) => clip_planes(module, count.parse().expect("a count")),
        ("half_pixel", _) => half_pixel(module),
        _ => panic!("{}: no pass, or parameters that it does not have", case.title()),
    }
}

fn outcome(pass: &str, case: &Case) -> Result<Found, String> {
    let original = module::parse(&case.name, &case.input)?;
    let mut found = original.clone();
    run_pass(pass, case, &mut found);
    module::check(&found)?;
    module::round_trip(&found)?;
    if text::equal(&found, &original) {
        return Ok(Found::same());
    }
    let expected = case.expected.as_deref().filter(|_| !case.is_left_alone());
    let expected = expected.and_then(|expected| module::parse(&case.name, expected).ok());
    let right = expected.is_some_and(|expected| text::equal(&found, &expected));
    Ok(Found::judged(text::print(&found), right))
}

fn check(pass: &str) {
    let path = folder().join(format!("{pass}.case"));
    let file = CaseFile::read(&path).unwrap_or_else(|why| panic!("{why}"));
    file.check(|case| outcome(pass, case)).unwrap_or_else(|why| panic!("{pass}: {why}"));
    assert!(file.cases.iter().any(Case::is_left_alone), "{pass}: no case that the pass leaves alone");
}

macro_rules! passes {
    ($($name:ident)*) => {
        /// A test a pass; the module keeps their names apart from the passes.
        mod of {
            $(#[test] fn $name() { super::check(stringify!($name)); })*
        }

        const TESTED: &[&str] = &[$(stringify!($name)),*];
    };
}

passes! {
    alpha_test fog_blend srgb_write clamp_targets point_sprite flat_colors vertex_fog point_size clip_planes half_pixel
}

/// Every file of the folder that is a pass has its cases.
#[test]
fn every_pass_has_its_cases() {
    for path in CaseFile::folder(&folder(), "rs").expect("sources") {
        let stem = path.file_stem().and_then(|s| s.to_str()).expect("a name");
        let is_pass = !["mod", "extras", "outputs"].contains(&stem);
        assert_eq!(TESTED.contains(&stem), is_pass, "{stem}");
    }
}
