//! `aquatint render`: a picture of a shader, without a GPU.
//!
//! | module | holds |
//! |---|---|
//! | [`stage`] | a shader made ready to run |
//! | [`camera`] | matrices of the built-in camera, and which constants want them |
//! | [`constants`] | register files, filled from defaults, camera, JSON, options and preshader |
//! | [`image`] | PNG files, in and out |
//! | [`texture`] | textures and sampler states as options spell them |
//! | [`scene`] | vertices and what they carry |
//! | [`draw`] | the state, and drawing in bands on all cores |

mod camera;
mod constants;
mod draw;
mod image;
mod scene;
mod stage;
mod texture;

use crate::args::{high, low};
use crate::codes;
use crate::exit::{Exit, Failure, working_on};
use crate::files;
use crate::report::Reporter;
use aquatint::Target;
use aquatint::base::{Diagnostic, Diags, Sources};
use aquatint::d3d9::lower::LinkedOutputs;
use camera::Camera;
use constants::Given;
use scene::Scene;
use stage::Stage;

/// Draws the picture.
pub fn run(low: &low::Render, report: &Reporter) -> Result<Exit, Failure> {
    let warnings = low.shader.shows_warnings();
    let mut options = high::options(&low.shader, Target::Ir);
    let assembly = high::assembly(&low.shader);
    let load = |path, pixel, options: &_| Stage::load(path, pixel, options, &assembly, report, warnings);
    let vertex = low.vs.as_ref().map(|path| load(path, false, &options)).transpose()?;
    if let Some(vertex) = &vertex {
        options.d3d9.linked = Some(LinkedOutputs {
            major: vertex.reflection.version.major,
            written: vertex.reflection.outputs.iter().map(|output| (output.semantic, output.mask)).collect(),
        });
    }
    let pixel = load(&low.ps, true, &options)?;
    working_on(&files::display(&low.ps));

    let mut notes = Notes::default();
    let camera = Camera::new(low);
    let scene = Scene::new(low, vertex.is_some(), &camera);
    let given = Given::new(low, &camera)?;
    let constants = given.fill(vertex.as_ref(), &pixel, &mut notes);
    scene.check(vertex.as_ref(), &pixel, &mut notes);
    let textures = texture::Bindings::new(low, vertex.as_ref(), &pixel, &mut notes)?;
    if warnings {
        report.session(&notes.diags, &Sources::new(), true);
    }

    let vertex = vertex.as_ref();
    let picture =
        draw::Picture { low, scene: &scene, vertex, pixel: &pixel, constants: &constants, textures: &textures };
    let drawn = picture.draw()?;
    if let Some(path) = &low.depth_target {
        files::write(Some(path), &image::encode_depth(&drawn)?)?;
    }
    files::write(Some(&low.output), &image::encode(&drawn, low.alpha)?)?;
    Ok(Exit::Ok)
}

/// Warnings about what is not bound and what nobody takes.
#[derive(Default)]
pub struct Notes {
    diags: Diags,
}

impl Notes {
    /// Something that a shader reads is not given.
    pub fn unbound(&mut self, message: String, help: &str) {
        self.diags.push(Diagnostic::warning(&codes::AQ7001, message).help(help));
    }

    /// Something that is given has no taker.
    pub fn untaken(&mut self, message: String) {
        self.diags.push(Diagnostic::warning(&codes::AQ7002, message));
    }
}

/// A draw that cannot be made.
fn impossible(message: String) -> Diagnostic {
    Diagnostic::error(&codes::AQ7003, message)
}
