//! Reflection as JSON: what a renderer must know of a translated shader (sheet 4.2).

use crate::stream::Metadata;
use aquatint::d3d9::ctab::{ConstantTable, RegisterSet};
use aquatint::d3d9::driver::extras;
use aquatint::d3d9::lower::reflection::{Def, Interface, Reflection, RegisterFile, RegisterRange};
use aquatint::ir::{Module, RegisterClass};
use aquatint::{Options, msl};
use serde_json::{Map, Value, json};

/// Version of the layout of the JSON: it grows when a member changes its meaning.
const FORMAT: u32 = 1;

/// What the reflection is about, beside the reflection itself.
pub struct About<'a> {
    /// Name of the input.
    pub input: &'a str,
    /// The optimised module.
    pub module: &'a Module,
    /// How it is written.
    pub options: &'a Options,
    /// Its constant table.
    pub metadata: &'a Metadata,
}

/// The reflection as JSON text.
pub fn text(reflection: &Reflection, about: &About<'_>) -> String {
    let mut text = format!("{:#}", value(reflection, about));
    text.push('\n');
    text
}

/// Lanes of a mask: `xyzw`.
fn lanes(mask: u8) -> String {
    "xyzw".chars().enumerate().filter(|(lane, _)| mask >> lane & 1 != 0).map(|(_, lane)| lane).collect()
}

fn interface(one: &Interface) -> Value {
    json!({
        "usage": one.semantic.usage.name(),
        "index": one.semantic.index,
        "register": one.register,
        "mask": lanes(one.mask),
        "location": one.location,
        "centroid": one.centroid,
    })
}

fn value(reflection: &Reflection, about: &About<'_>) -> Value {
    let stage = if reflection.version.is_pixel() { "fragment" } else { "vertex" };
    // Vertex resources are in set 0, those of fragments in set 1.
    let set = u32::from(reflection.version.is_pixel());
    let spirv = |class, register| about.options.spirv.binding(class, u32::from(register));
    let table = about.metadata.table.as_ref();
    let msl_name = about.options.msl.as_ref().and_then(|msl| msl.entry_name.clone());
    let samplers: Vec<Value> = reflection
        .samplers
        .iter()
        .map(|sampler| {
            let register = sampler.register;
            json!({
                "register": register,
                "name": table.and_then(|t| name_of(t, RegisterSet::Sampler, register)),
                "kind": sampler.kind.name(),
                "compare": sampler.compare,
                "msl": { "texture": register, "sampler": register },
                "spirv": {
                    "set": set,
                    "texture_binding": spirv(RegisterClass::T, register),
                    "sampler_binding": spirv(RegisterClass::S, register),
                },
            })
        })
        .collect();
    let ints_at = 16 * reflection.floats.packed_count();
    let bools_at = ints_at + 16 * reflection.ints.packed_count();
    json!({
        "format": FORMAT,
        "input": about.input,
        "shader": reflection.version.name(),
        "stage": stage,
        "entry": {
            "ir": reflection.entry,
            "msl": msl_name.unwrap_or_else(|| msl::entry_function_name(&reflection.entry)),
            "spirv": reflection.entry,
        },
        "inputs": reflection.inputs.iter().map(interface).collect::<Vec<_>>(),
        "outputs": reflection.outputs.iter().map(interface).collect::<Vec<_>>(),
        "samplers": samplers,
        "uniforms": {
            "bytes": reflection.uniform_bytes(),
            "msl": { "buffer": 0 },
            "spirv": { "set": set, "binding": spirv(RegisterClass::B, 0) },
            "floats": file(&reflection.floats, RegisterSet::Float4, 0, 16, table),
            "ints": file(&reflection.ints, RegisterSet::Int4, ints_at, 16, table),
            "bools": file(&reflection.bools, RegisterSet::Bool, bools_at, 4, table),
        },
        "defs": {
            "floats": reflection.float_defs.iter().map(float_def).collect::<Vec<_>>(),
            "ints": reflection.int_defs.iter().map(|def| json!({
                "register": def.register, "value": def.bits.map(|bits| bits as i32),
            })).collect::<Vec<_>>(),
            "bools": reflection.bool_defs.iter().map(|def| json!({
                "register": def.register, "value": def.bits,
            })).collect::<Vec<_>>(),
        },
        "preshader": preshader(reflection, about),
        "driver_block": driver_block(reflection, about, set),
        "flags": {
            "writes_depth": reflection.writes_depth,
            "uses_vpos": reflection.uses_vpos,
            "uses_vface": reflection.uses_vface,
            "uses_kill": reflection.uses_kill,
            "uses_derivatives": reflection.uses_derivatives,
            "writes_fog": reflection.writes_fog,
            "writes_point_size": reflection.writes_point_size,
            "bump_stages": stages(reflection.bump_stages),
            "projectable_stages": stages(reflection.projectable_stages),
        },
        "counts": {
            "instructions": reflection.instructions,
            "slots": reflection.slots.0,
            "texture_slots": reflection.slots.1,
            "temporaries": reflection.temps,
        },
    })
}

fn stages(bits: u8) -> Vec<u32> {
    (0..8).filter(|stage| bits >> stage & 1 != 0).collect()
}

/// A float constant: its numbers, and its bits for those that JSON cannot say.
fn float_def(def: &Def<[u32; 4]>) -> Value {
    json!({
        "register": def.register,
        "value": def.bits.map(f32::from_bits),
        "bits": def.bits.map(|bits| format!("{bits:08X}")),
    })
}

/// The constant whose registers include that one: its name, with the place in it where it takes several.
fn name_of(table: &ConstantTable, set: RegisterSet, register: u16) -> Option<String> {
    let constant = table.covering(set, register.into())?;
    Some(match constant.count {
        0 | 1 => constant.name.clone(),
        _ => format!("{}+{}", constant.name, register.saturating_sub(constant.index)),
    })
}

/// A register file: what to upload, in order.
fn file(file: &RegisterFile, set: RegisterSet, base: u32, size: u32, table: Option<&ConstantTable>) -> Value {
    let register = |(packed, register): (usize, usize)| {
        let mut one = Map::new();
        one.insert("register".into(), register.into());
        one.insert("packed".into(), packed.into());
        one.insert("offset".into(), (base as usize + packed * size as usize).into());
        if let Some(name) = table.and_then(|table| name_of(table, set, register as u16)) {
            one.insert("name".into(), name.into());
        }
        Value::Object(one)
    };
    json!({
        "offset": base,
        "count": file.packed_count(),
        "relative": file.relative,
        "ranges": ranges(&file.ranges),
        "registers": file.registers().enumerate().map(register).collect::<Vec<_>>(),
    })
}

fn ranges(ranges: &[RegisterRange]) -> Vec<Value> {
    ranges.iter().map(|range| json!({ "first": range.first, "count": range.count, "packed": range.packed })).collect()
}

/// What the preshader writes before a draw, and the constants that it reads.
fn preshader(reflection: &Reflection, about: &About<'_>) -> Value {
    let Some(preshader) = &about.metadata.preshader else { return Value::Null };
    let inputs = preshader
        .inputs
        .iter()
        .flat_map(|table| &table.constants)
        .map(|constant| json!({ "name": constant.name, "register": constant.index, "count": constant.count }));
    json!({
        "writes_floats": reflection.preshader_floats.iter()
            .map(|range| json!({ "first": range.first, "count": range.count })).collect::<Vec<_>>(),
        "inputs": inputs.collect::<Vec<_>>(),
    })
}

/// The driver's block, where the code reads it: b1 of the stage.
fn driver_block(reflection: &Reflection, about: &About<'_>, set: u32) -> Value {
    let used = about.module.globals.iter().any(|(_, global)| {
        global.binding().is_some_and(|binding| binding.class == RegisterClass::B && binding.register == 1)
    });
    if !used {
        return Value::Null;
    }
    let members = match reflection.version.is_pixel() {
        true => json!([
            { "name": "alpha_ref", "offset": 0, "type": "float" },
            { "name": "fog_enable", "offset": 4, "type": "float" },
            { "name": "fog_color", "offset": 16, "type": "float4" },
            { "name": "fog_range", "offset": 32, "type": "float4" },
            { "name": "bump", "offset": 48, "type": "float4[16]" },
        ]),
        false => json!([
            { "name": "half_pixel", "offset": 0, "type": "float4" },
            { "name": "point_size", "offset": 16, "type": "float4" },
            { "name": "clip_planes", "offset": 32, "type": "float4[6]" },
        ]),
    };
    json!({
        "bytes": if reflection.version.is_pixel() { extras::PIXEL_BYTES } else { extras::VERTEX_BYTES },
        "msl": { "buffer": 1 },
        "spirv": { "set": set, "binding": about.options.spirv.binding(RegisterClass::B, 1) },
        "members": members,
    })
}
