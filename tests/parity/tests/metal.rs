//! Metal of real shaders: compiled by clang with our `metal_stdlib`, and held to the rules that C++ does not know.
//!
//! One stream in 25 by default, all with `AQUATINT_FULL=1`; each with and without the driver's passes, on two threads.

use aquatint_base::Diags;
use aquatint_d3d9::{driver, lower};
use aquatint_metal_cpu::check;
use aquatint_parity::{corpus_streams, full, translate};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Without `AQUATINT_FULL=1`, one stream in so many.
const SAMPLE: usize = 25;

/// What clang or a rule of Metal says against a text, if anything.
fn refused(text: &str) -> Option<String> {
    match check::check(text, &check::Options::default()) {
        Ok(report) if report.findings.is_empty() && report.warnings.is_empty() => None,
        Ok(report) => Some(format!("{:?} {:?}", report.findings, report.warnings)),
        Err(error) => Some(format!("{error:?}")),
    }
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
fn metal_of_real_shaders_compiles() {
    let Some(files) = corpus_streams() else {
        return println!("skipped: the corpus of real shaders is absent");
    };
    if Command::new("clang").arg("--version").output().is_err() {
        return println!("NOT CHECKED: clang is not installed");
    }
    let mut texts = Vec::new();
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
            texts.push((format!("{} driven={driven}", path.display()), text));
        }
    }
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some((name, text)) = texts.get(index) else { return };
                    if index > 0 && index % 250 == 0 {
                        println!("{index} of {} checked", texts.len());
                    }
                    if let Some(why) = refused(text) {
                        wrong.lock().expect("no thread panicked").push(format!("{name}\n{why}"));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no thread panicked");
    println!("{} Metal sources checked", texts.len());
    assert!(!texts.is_empty() && wrong.is_empty(), "{}", wrong.join("\n"));
}
