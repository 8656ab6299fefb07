//! Metal of real shaders, parsed and type-checked by clang against the stand-in for Metal's library.

use aquatint_base::Diags;
use aquatint_d3d9::{driver, lower};
use aquatint_parity::{corpus_streams, full, in_repository, translate};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Without `AQUATINT_FULL=1`, one stream in so many.
const SAMPLE: usize = 25;

/// What clang says against a text, if anything.
fn refused(text: &str) -> Option<String> {
    let mut child = Command::new("clang")
        .args(["-x", "c++", "--target=aarch64-linux-gnu", "-march=armv8.2-a+fp16", "-std=c++17", "-fsyntax-only"])
        .args(["-Wall", "-Werror", "-Wno-unknown-attributes", "-Wno-unused", "-Wno-unknown-pragmas"])
        .arg("-DAQUATINT_CHECK_LAYOUT")
        .arg("-I")
        .arg(in_repository("crates/msl/tests/stand_in"))
        .arg("-")
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("clang starts");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("clang reads");
    let result = child.wait_with_output().expect("clang ends");
    (!result.status.success()).then(|| String::from_utf8_lossy(&result.stderr).into_owned())
}

/// All that a driver can do around a shader, at once.
fn everything() -> driver::Options {
    driver::Options {
        alpha_test: Some(driver::AlphaTest { function: driver::CompareFunction::Greater, reference: None }),
        fog: Some(driver::FogBlend {
            factor: driver::FogFactor::Exp2,
            coordinate: driver::FogCoordinate::W,
            color: None,
            range: None,
        }),
        srgb_write: 1,
        clamp_targets: 1,
        flat_colors: true,
        vertex_fog: Some(driver::VertexFog::Depth),
        point_size: Some(driver::PointSize::default()),
        clip_planes: 6,
        half_pixel: true,
        ..driver::Options::default()
    }
}

#[test]
fn metal_of_real_shaders_passes_the_stand_in() {
    let Some(files) = corpus_streams() else {
        return println!("skipped: the corpus of real shaders is absent");
    };
    if Command::new("clang").arg("--version").output().is_err() {
        return println!("NOT CHECKED: clang is not installed");
    }
    let (mut checked, mut wrong) = (0, Vec::new());
    for path in files.iter().step_by(if full() { 1 } else { SAMPLE }) {
        let bytes = std::fs::read(path).expect("a stream of the corpus");
        let Ok(shader) = translate::decode(&bytes) else { continue };
        for driven in [false, true] {
            let Ok(mut lowered) = translate::lower(&shader, &lower::Options::default()) else { continue };
            if driven {
                driver::apply(&mut lowered, &everything());
            }
            translate::clean(&mut lowered.module).expect("the passes keep the rules");
            let mut diags = Diags::new();
            let options = aquatint_msl::Options::direct3d9();
            let text =
                aquatint_msl::write_owned(lowered.module, "main", &options, &mut diags).expect("Metal has it all");
            if let Some(errors) = refused(&text) {
                wrong.push(format!("{} driven={driven}\n{errors}", path.display()));
            }
            checked += 1;
        }
    }
    println!("{checked} Metal sources checked");
    assert!(checked > 0 && wrong.is_empty(), "{}", wrong.join("\n"));
}
