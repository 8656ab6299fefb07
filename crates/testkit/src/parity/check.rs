//! Whether all executors agree with each other and with what is expected.

use super::case::{Allowance, Case, Expected, Resource, Tolerance, register_name};
use super::execute::{Executor, Failure, Memory, Results};
use super::number::{self, Field};
use super::probe;
use super::read::{AGREED, expected};
use super::scene::{Scene, Work};
use crate::bless;
use aquatint_ir::types::{TextureKind, Type};
use aquatint_ir::{Binding, Scalar};
use std::path::Path;

/// Most differences that a message shows.
const SHOWN: usize = 12;

/// What became of a case.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Executors that gave what they should.
    pub agreeing: Vec<String>,
    /// Executors that gave nothing, or something else, as the case allows: a line each.
    pub allowed: Vec<String>,
    /// Scalars that were compared.
    pub scalars: usize,
    /// The results of the first executor, written as a section of a case.
    pub text: String,
}

/// A scalar that is not what it should be.
#[derive(Clone, PartialEq, Debug)]
pub struct Wrong {
    /// Where: target, texel, lane; or register and offset.
    pub place: String,
    /// Its kind.
    pub kind: Scalar,
    /// What was expected.
    pub want: u64,
    /// What came.
    pub got: u64,
}

/// One scalar of results, named.
struct Item {
    place: String,
    kind: Scalar,
    bits: u64,
}

/// All scalars of results, in an order that is the same for all executors.
fn items(scene: &Scene, results: &Results) -> Vec<Item> {
    let mut all = Vec::new();
    if let Work::Draw(draw) = &scene.work {
        for color in scene.colors() {
            let texels = results.targets.get(color as usize).map(Vec::as_slice).unwrap_or_default();
            for (index, texel) in (0u32..).zip(texels) {
                let (x, y) = (index % draw.target.width, index / draw.target.width);
                for (lane, number) in ["r", "g", "b", "a"].into_iter().zip(texel) {
                    let place = format!("target {color} texel ({x}, {y}) lane {lane}");
                    all.push(Item { place, kind: Scalar::F32, bits: u64::from(number.to_bits()) });
                }
            }
        }
    }
    for (binding, resource) in scene.written() {
        let name = register_name(*binding);
        for field in fields(scene, *binding, resource, results) {
            let place = format!("{name} byte {}", field.offset);
            all.push(Item { place, kind: field.kind, bits: field.bits });
        }
    }
    all
}

/// Components of a texel that the format of a storage texture has.
fn channels(scene: &Scene, binding: Binding) -> u8 {
    for module in scene.modules() {
        for (_, global) in module.globals.iter().filter(|(_, global)| global.binding() == Some(binding)) {
            if let Type::Texture(texture) = module.types.get(global.ty)
                && let TextureKind::Storage(format, _) = texture.kind
                && format.scalar().is_some()
            {
                return format.channels_bits().0;
            }
        }
    }
    4
}

/// The scalars of a read-write resource. Offsets of texels count 16 bytes a texel.
fn fields(scene: &Scene, binding: Binding, resource: &Resource, results: &Results) -> Vec<Field> {
    let memory = results.memory(binding);
    let texels = |kind: Scalar| {
        let Some(Memory::Texels(texels)) = memory else { return Vec::new() };
        let lanes = usize::from(channels(scene, binding));
        let field = |(at, &bits): (usize, &u32)| Field { offset: 4 * at, kind, bits: u64::from(bits), behind: 0 };
        texels.as_flattened().iter().enumerate().filter(|(at, _)| at % 4 < lanes).map(field).collect()
    };
    match resource {
        Resource::Buffer(given) => {
            let Some(Memory::Bytes(bytes)) = memory else { return Vec::new() };
            let of = |f: &Field| Some(Field { bits: number::field_of(bytes, f.offset, f.kind)?, ..*f });
            given.iter().filter_map(of).collect()
        }
        Resource::Texels(kind, _) => texels(*kind),
        Resource::Texture { kind, .. } => texels(*kind),
        Resource::Sampler(..) => Vec::new(),
    }
}

fn compare(scene: &Scene, tolerance: Tolerance, want: &Results, got: &Results) -> Vec<Wrong> {
    let (want, got) = (items(scene, want), items(scene, got));
    let mut wrong = Vec::new();
    if want.len() != got.len() {
        let place = format!("the number of results ({} and {})", want.len(), got.len());
        wrong.push(Wrong { place, kind: Scalar::U32, want: want.len() as u64, got: got.len() as u64 });
    }
    for (want, got) in want.into_iter().zip(got) {
        if !tolerance.accepts(want.kind, got.bits, want.bits) {
            wrong.push(Wrong { place: want.place, kind: want.kind, want: want.bits, got: got.bits });
        }
    }
    wrong
}

/// What results have instead of what a case expects.
fn against(scene: &Scene, tolerance: Tolerance, expected: &[Expected], got: &Results) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    for line in expected {
        match line {
            Expected::Texel(color, x, y, rgba) => {
                let width = match &scene.work {
                    Work::Draw(draw) => draw.target.width,
                    Work::Dispatch(_) => 0,
                };
                let texel = got.targets.get(*color as usize).and_then(|all| all.get((y * width + x) as usize));
                for (index, lane) in ["r", "g", "b", "a"].into_iter().enumerate() {
                    let want = u64::from(rgba[index].to_bits());
                    let found = texel.map(|texel| u64::from(texel[index].to_bits()));
                    if *x >= width || found.is_none_or(|found| !tolerance.accepts(Scalar::F32, found, want)) {
                        let place = format!("target {color} texel ({x}, {y}) lane {lane}");
                        wrong.push(Wrong { place, kind: Scalar::F32, want, got: found.unwrap_or_default() });
                    }
                }
            }
            Expected::Buffer(binding, fields) => {
                let bytes = match got.memory(*binding) {
                    Some(Memory::Bytes(bytes)) => bytes.as_slice(),
                    _ => &[],
                };
                wrong_fields(&mut wrong, tolerance, *binding, fields, bytes);
            }
            Expected::Texture(binding, fields) => {
                let bytes: Vec<u8> = match got.memory(*binding) {
                    Some(Memory::Texels(texels)) => {
                        texels.as_flattened().iter().flat_map(|word| word.to_le_bytes()).collect()
                    }
                    _ => Vec::new(),
                };
                wrong_fields(&mut wrong, tolerance, *binding, fields, &bytes);
            }
        }
    }
    wrong
}

fn wrong_fields(all: &mut Vec<Wrong>, tolerance: Tolerance, binding: Binding, fields: &[Field], bytes: &[u8]) {
    for field in fields {
        let got = number::field_of(bytes, field.offset, field.kind);
        if got.is_none_or(|got| !tolerance.accepts(field.kind, got, field.bits)) {
            let place = format!("{} byte {}", register_name(binding), field.offset);
            all.push(Wrong { place, kind: field.kind, want: field.bits, got: got.unwrap_or_default() });
        }
    }
}

fn shown(wrong: &[Wrong]) -> String {
    let mut text = String::new();
    for Wrong { place, kind, want, got } in wrong.iter().take(SHOWN) {
        let (want, got) = (number::show(*kind, *want), number::show(*kind, *got));
        text.push_str(&format!("    {place}: {got} instead of {want}\n"));
    }
    if wrong.len() > SHOWN {
        text.push_str(&format!("    … {} in all\n", wrong.len()));
    }
    text
}

/// Results as lines of a case.
fn written(scene: &Scene, results: &Results) -> String {
    let mut text = String::new();
    if let Work::Draw(draw) = &scene.work {
        for color in scene.colors() {
            let texels = results.targets.get(color as usize).map(Vec::as_slice).unwrap_or_default();
            for (index, texel) in (0u32..).zip(texels) {
                let (x, y) = (index % draw.target.width, index / draw.target.width);
                let lanes = texel.map(|lane| number::plain(Scalar::F32, u64::from(lane.to_bits())));
                text.push_str(&format!("texel {color} {x} {y} {}\n", lanes.join(" ")));
            }
        }
    }
    for (binding, resource) in scene.written() {
        let word = if matches!(resource, Resource::Buffer(_)) { "buffer" } else { "texture" };
        text.push_str(&format!("{word} {}", register_name(*binding)));
        let (mut kind, mut end) = (None, 0);
        for field in fields(scene, *binding, resource, results) {
            if field.offset > end {
                text.push_str(&format!(" pad {}", field.offset - end));
            }
            if kind != Some(field.kind) {
                text.push_str(&format!(" {}", field.kind.name()));
                kind = Some(field.kind);
            }
            text.push_str(&format!(" {}", number::plain(field.kind, field.bits)));
            end = field.offset + field.kind.bytes() as usize;
        }
        text.push('\n');
    }
    text
}

/// Runs a scene on all executors and compares: with what the case expects, with what was agreed on before, and the others
/// with the first executor.
///
/// # Errors
/// All that is wrong: which executor gives what, where and in which bits, and the first value of the IR that differs.
pub fn check(case: &Case, scene: &Scene, executors: &[&dyn Executor]) -> Result<Report, String> {
    let mut report = Report::default();
    let mut wrong = String::new();
    let mut reference: Option<(&dyn Executor, Results)> = None;
    let agreed: Vec<Expected> = case.agreed.as_deref().map_or(Ok(Vec::new()), |text| {
        let line = |line: &str| {
            let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
            expected(key, rest)
        };
        text.lines().map(line).collect::<Result<_, _>>()
    })?;
    for &executor in executors {
        let name = executor.name();
        let allowed = |what: &dyn Fn(&Allowance) -> bool| {
            case.allowed(name).find(|(allowance, _)| what(allowance)).map(|(_, reason)| reason.to_owned())
        };
        if let Some(why) = allowed(&|allowance| *allowance == Allowance::Skips) {
            report.allowed.push(format!("{name} does not run it: {why}"));
            continue;
        }
        let results = match executor.run(scene) {
            Ok(results) => results,
            Err(failure) => {
                let code = match &failure {
                    Failure::Refused { code, .. } => Some(code.clone()),
                    _ => None,
                };
                let refuses = |a: &Allowance| matches!((a, &code), (Allowance::Refuses(a), Some(b)) if a == b);
                match allowed(&refuses) {
                    Some(why) => report.allowed.push(format!("{name} refused: {}: {why}", code.unwrap_or_default())),
                    None => wrong.push_str(&format!("  {name}: {failure}\n")),
                }
                continue;
            }
        };
        if let Some((_, stale, _)) =
            case.allowances.iter().find(|(own, a, _)| own == name && matches!(a, Allowance::Refuses(_)))
        {
            wrong.push_str(&format!("  {name} runs it: the allowance {stale:?} is out of date\n"));
        }
        let mut found = against(scene, case.tolerance, &case.expected, &results);
        let mut text = String::new();
        if !found.is_empty() {
            text.push_str(&format!("  {name} gives not what is expected:\n{}", shown(&found)));
        }
        let before = against(scene, case.tolerance, &agreed, &results);
        if !before.is_empty() && !bless::is_asked() {
            text.push_str(&format!("  {name} gives not what was agreed on:\n{}", shown(&before)));
            found.extend(before);
        }
        match &reference {
            None => {
                report.scalars = items(scene, &results).len();
                report.text = written(scene, &results);
            }
            Some((first, want)) => {
                let differs = compare(scene, case.tolerance, want, &results);
                if !differs.is_empty() {
                    let than = first.name();
                    text.push_str(&format!("  {name} gives something else than {than}:\n{}", shown(&differs)));
                    if allowed(&|allowance| *allowance == Allowance::Differs).is_none() {
                        text.push_str(&probe::first_difference(scene, case.tolerance, *first, executor));
                    }
                    found.extend(differs);
                }
            }
        }
        match allowed(&|allowance| *allowance == Allowance::Differs) {
            Some(why) if !found.is_empty() => report.allowed.push(format!("{name} differs: {why}")),
            Some(_) => wrong.push_str(&format!("  {name} agrees: its 'differs' is out of date\n")),
            None if found.is_empty() => report.agreeing.push(name.to_owned()),
            None => wrong.push_str(&text),
        }
        if reference.is_none() {
            reference = Some((executor, results));
        }
    }
    if report.agreeing.is_empty() && wrong.is_empty() {
        wrong.push_str("  no executor ran it\n");
    }
    if wrong.is_empty() { Ok(report) } else { Err(format!("{} ({}):\n{wrong}", case.name, case.title)) }
}

/// Writes what executors agreed on into a case's file, where blessing is asked for, at least two of them agreed, and the
/// case has no expectation of its own.
///
/// # Errors
/// What the file system says.
pub fn record(path: &Path, case: &Case, report: &Report) -> Result<(), String> {
    if !bless::is_asked() || report.agreeing.len() < 2 || !case.expected.is_empty() {
        return Ok(());
    }
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let head = text.split_once(&format!("\n{AGREED}\n")).map_or(text.as_str(), |(head, _)| head);
    bless::replace(path, &format!("{}\n\n{AGREED}\n{}", head.trim_end(), report.text))
}
