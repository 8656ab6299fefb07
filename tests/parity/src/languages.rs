//! The languages of parity cases, besides the IR's own text.

use crate::translate;
use aquatint_base::{Diags, SourceId};
use aquatint_d3d9::assemble::{AssembleOptions, assemble};
use aquatint_d3d9::driver::{self, PointSize};
use aquatint_d3d9::lower::{FloatRules, Options};
use aquatint_ir::{Binding, Module, RegisterClass, Scalar, Stage};
use aquatint_testkit::parity::case::{Case, Resource, Shader};
use aquatint_testkit::parity::number::Field;
use aquatint_testkit::parity::{Scene, StageCode};

/// The scene of a case.
///
/// # Errors
/// What is wrong with a shader.
pub fn scene(case: &Case) -> Result<Scene, String> {
    Scene::new(case, &mut |case, shader, before| match shader.language.as_str() {
        "d3d9" => direct3d9(case, shader, before),
        other => Err(format!("line {}: no language '{other}'", shader.line - 1)),
    })
}

/// Assembles and lowers; the constants become the block at b0. Options: `ieee` for those float rules.
fn direct3d9(case: &Case, shader: &Shader, _: Option<&Module>) -> Result<StageCode, String> {
    let mut options = Options::default();
    for option in &shader.options {
        match option.as_str() {
            "ieee" => options.float = FloatRules::Ieee,
            other => return Err(format!("line {}: no option '{other}'", shader.line - 1)),
        }
    }
    let mut diags = Diags::new();
    let words = assemble(&shader.text, SourceId::default(), &AssembleOptions::default(), &mut diags);
    let words =
        words.ok_or_else(|| format!("the text begins in line {}: {}", shader.line, translate::reason(&diags)))?;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut lowered = translate::lower_only(&translate::decode(&bytes)?, &options)?;
    if shader.stage == Stage::Vertex {
        let point_size = Some(PointSize { fixed: Some([1.0, 64.0, 1.0]) });
        driver::apply(&mut lowered, &driver::Options { point_size, ..driver::Options::default() });
    }
    translate::clean(&mut lowered.module)?;
    let mut floats = vec![[0.0; 4]; 256];
    let (mut ints, mut bools) = (vec![[0; 4]; 16], vec![false; 16]);
    for constant in case.inputs.constants.iter().filter(|constant| constant.stage == shader.stage) {
        let first = constant.first as usize;
        let past = || format!("constant {}{first} is past its file", constant.file);
        match constant.file {
            'b' => {
                for (index, &bit) in constant.bits.iter().enumerate() {
                    *bools.get_mut(first + index).ok_or_else(past)? = bit != 0;
                }
            }
            file => {
                for (index, bits) in constant.bits.as_chunks::<4>().0.iter().enumerate() {
                    match file {
                        'c' => *floats.get_mut(first + index).ok_or_else(past)? = bits.map(f32::from_bits),
                        _ => *ints.get_mut(first + index).ok_or_else(past)? = bits.map(|bits| bits as i32),
                    }
                }
            }
        }
    }
    let bytes = lowered.reflection.pack(&floats, &ints, &bools);
    let space = u32::from(shader.stage == Stage::Fragment);
    let binding = Binding { class: RegisterClass::B, register: 0, space };
    let word = |(index, word): (usize, &[u8; 4])| Field {
        offset: 4 * index,
        kind: Scalar::U32,
        bits: u64::from(u32::from_le_bytes(*word)),
        behind: 0,
    };
    let fields = bytes.as_chunks::<4>().0.iter().enumerate().map(word).collect();
    Ok(StageCode { module: lowered.module, resources: vec![(binding, Resource::Buffer(fields))] })
}
