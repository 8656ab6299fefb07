//! What the driver's passes make of shaders of every version is accepted by both writers, by SPIR-V's validator, and by the
//! cleaning passes, which leave its meaning as it was.

use aquatint_base::Diags;
use aquatint_d3d9::assemble::{AssembleOptions, assemble};
use aquatint_d3d9::driver::{
    self, AlphaTest, CompareFunction, FogBlend, FogCoordinate, FogFactor, PointSize, VertexFog,
};
use aquatint_d3d9::lower;
use aquatint_ir::Module;
use aquatint_parity::{spirv_val, translate};
use aquatint_spirv::Environment;
use aquatint_testkit::execute::{Plan, compare};
use aquatint_testkit::module;

const VERTEX: &[&str] = &[
    "vs_1_1\ndcl_position v0\nm4x4 oPos, v0, c0\nmov oD0, c4\nmov oT0, v0\n",
    "vs_2_0\ndcl_position v0\nmov oPos, v0\nmov oD0, v0\nmov oD1, v0\nmov oFog, v0.x\nmov oPts, v0.y\nmov oT3, v0\n",
    "vs_3_0\ndcl_position v0\ndcl_position o0\ndcl_color o1\ndcl_texcoord o2.xy\nmov o0, v0\nmov o1, v0\nif b0\nret\nendif\nadd o0, v0, \
     v0\nmov o2, v0\n",
    "vs_3_0\ndcl_position v0\ndcl_texcoord o0\nmov o0, v0\n",
];

const PIXEL: &[&str] = &[
    "ps_1_1\ntex t0\ntexbem t1, t0\nmul r0, t1, v0\n",
    "ps_1_4\ntexld r0, t0\nphase\nmul r0, r0, v0\n",
    "ps_2_0\ndcl t0\ndcl v0\ndcl v1\ndcl_2d s0\ntexld r0, t0, s0\nmad r0, r0, v0, v1\nmov oC0, r0\nmov oC1, r0\n",
    "ps_2_x\ndcl t0\nif b0\nmov oC0, t0\nret\nendif\nmov oC0, c0\nmov oDepth, t0.x\n",
    "ps_3_0\ndcl_texcoord v0\ndcl_color_centroid v1\ndcl vPos.xy\nmov r0, v0\nadd r0.xy, r0, vPos\nmul oC0, r0, v1\n",
    "ps_3_0\ndcl_texcoord v0\nmov oC1, v0\n",
];

/// Each pass alone, in its variants, and all at once. The names are for messages.
fn variants(pixel: bool) -> Vec<(String, driver::Options)> {
    let none = driver::Options::default;
    let mut all =
        vec![("none".to_owned(), none()), ("flat".to_owned(), driver::Options { flat_colors: true, ..none() })];
    let mut add = |name: String, options| all.push((name, options));
    if pixel {
        for function in CompareFunction::ALL {
            for reference in [None, Some(128.0)] {
                let test = AlphaTest { function, reference };
                add(format!("{test:?}"), driver::Options { alpha_test: Some(test), ..none() });
            }
        }
        for factor in [FogFactor::Vertex, FogFactor::Linear, FogFactor::Exp, FogFactor::Exp2] {
            for coordinate in [FogCoordinate::Z, FogCoordinate::W] {
                for (color, range) in [(None, None), (Some([0.5; 3]), Some([0.0, 1.0, 0.5]))] {
                    let fog = FogBlend { factor, coordinate, color, range };
                    add(format!("{fog:?}"), driver::Options { fog: Some(fog), ..none() });
                }
            }
        }
        add("srgb".to_owned(), driver::Options { srgb_write: 3, ..none() });
        add("clamp".to_owned(), driver::Options { clamp_targets: 0xFF, ..none() });
        add("sprite".to_owned(), driver::Options { point_sprite: true, ..none() });
        let test = AlphaTest { function: CompareFunction::GreaterEqual, reference: None };
        let fog = FogBlend { factor: FogFactor::Linear, coordinate: FogCoordinate::W, color: None, range: None };
        let every = driver::Options {
            alpha_test: Some(test),
            fog: Some(fog),
            srgb_write: 1,
            clamp_targets: 1,
            point_sprite: true,
            flat_colors: true,
            ..none()
        };
        add("all".to_owned(), every);
    } else {
        for fog in [VertexFog::Default(0.0), VertexFog::Depth, VertexFog::W] {
            add(format!("{fog:?}"), driver::Options { vertex_fog: Some(fog), ..none() });
        }
        for fixed in [None, Some([1.0, 64.0, 2.0])] {
            add(format!("size {fixed:?}"), driver::Options { point_size: Some(PointSize { fixed }), ..none() });
        }
        for clip_planes in [1, 6] {
            add(format!("{clip_planes} planes"), driver::Options { clip_planes, ..none() });
        }
        add("half pixel".to_owned(), driver::Options { half_pixel: true, ..none() });
        let every = driver::Options {
            vertex_fog: Some(VertexFog::Default(1.0)),
            point_size: Some(PointSize::default()),
            clip_planes: 6,
            half_pixel: true,
            flat_colors: true,
            ..none()
        };
        add("all".to_owned(), every);
    }
    all
}

/// The text of a shader after the driver's passes.
fn driven(text: &str, options: &driver::Options) -> Module {
    let mut diags = Diags::new();
    let words = assemble(text, Default::default(), &AssembleOptions::default(), &mut diags)
        .unwrap_or_else(|| panic!("{}", module::rendered("shader", text, &diags)));
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let shader = translate::decode(&bytes).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let lowering = lower::Options { msaa: true, ..lower::Options::default() };
    let mut lowered = translate::lower_only(&shader, &lowering).unwrap_or_else(|why| panic!("{why}\n{text}"));
    driver::apply(&mut lowered, options);
    lowered.module
}

#[test]
fn driven_shaders_pass_both_writers() {
    let mut spirv = Vec::new();
    for (pixel, texts) in [(false, VERTEX), (true, PIXEL)] {
        for (name, options) in variants(pixel) {
            for text in texts {
                let module = driven(text, &options);
                let what = || format!("{name}\n{text}\n{}", aquatint_ir::text::print(&module));
                module::check(&module).and_then(|()| module::round_trip(&module)).unwrap_or_else(|why| panic!("{why}"));
                let mut cleaned = module.clone();
                translate::clean(&mut cleaned).unwrap_or_else(|why| panic!("{why}\n{}", what()));
                compare(&module, &cleaned, &Plan { seeds: 1..3, ..Plan::default() })
                    .unwrap_or_else(|difference| panic!("{name}\n{difference}"));
                let mut diags = Diags::new();
                let options = aquatint_msl::Options::direct3d9();
                let metal = aquatint_msl::write(&cleaned, "main", &options, &mut diags);
                assert!(metal.is_some(), "{}\n{}", translate::reason(&diags), what());
                let mut diags = Diags::new();
                let options = aquatint_spirv::Options { environment: Environment::Vulkan1_1, ..Default::default() };
                let words = aquatint_spirv::write(&cleaned, "main", &options, &mut diags);
                spirv.push((words.unwrap_or_else(|| panic!("{}\n{}", translate::reason(&diags), what())), what()));
            }
        }
    }
    if !spirv_val::is_installed() {
        eprintln!("NOT CHECKED: spirv-val is not installed, so no module was validated");
        return;
    }
    let modules: Vec<_> = spirv.iter().map(|(words, _)| (words.as_slice(), Environment::Vulkan1_1)).collect();
    for (result, (_, what)) in spirv_val::validate_all(&modules).into_iter().zip(&spirv) {
        assert_eq!(result, Ok(()), "{what}");
    }
}
