//! Outputs: stored once at each end of the entry function (sheet 3.3 to 3.5, 3.7).

use super::Lower;
use super::interface::Output;
use super::lanes::{self, Lane, Lanes4};
use super::reflection::Interface;
use super::semantics::{self, Semantic};
use super::state::{COLOR, DEPTH, FOG, POINT_SIZE, POSITION, Slot, TARGET, TEMP, TEXCOORD, mask_lanes, slot_of};
use crate::tokens::{RegisterKind, Usage};
use aquatint_base::Name;
use aquatint_ir::function::Def as ValueDef;
use aquatint_ir::types::{self, Scalar, Space, TypeId};
use aquatint_ir::walk::Walk;
use aquatint_ir::{Builtin, FunctionId, GlobalId, GlobalKind, InstId, Io, Module, Op, Value};
use smallvec::SmallVec;

impl Lower<'_, '_> {
    /// Stores all outputs.
    pub fn epilogue(&mut self) {
        if self.shader.version.is_pixel() { self.pixel_outputs() } else { self.vertex_outputs() }
    }

    fn pixel_outputs(&mut self) {
        let written = self.written.clone();
        if self.shader.version.is_ps_1() {
            let r0 = self.state.slots[TEMP];
            self.store_target(0, r0, 0xF);
        } else {
            for target in 0..4 {
                let mask = written.0[TARGET + target];
                if mask != 0 {
                    let lanes = self.state.slots[TARGET + target];
                    self.store_target(target, lanes, mask);
                }
            }
        }
        if written.0[DEPTH] != 0 {
            let lane = self.state.slots[DEPTH][written.0[DEPTH].trailing_zeros() as usize & 3];
            let depth = lanes::gather(&mut self.b, &[lane]);
            let name = self.b.names.intern("oDepth");
            let global = self.output_global(name, types::F32, Io::built_in(Builtin::FragDepth));
            self.b.store(Value::global(global), depth);
        }
    }

    fn store_target(&mut self, target: usize, all: Lanes4, mask: u8) {
        let value = lanes::gather(&mut self.b, &all);
        let usage = self.b.names.intern("color");
        let io = Io::at(target as u32).named(usage, target as u32);
        let name = self.numbered("oC", target as u16, "");
        let global = self.output_global(name, types::VEC4F, io);
        self.note_output(Interface {
            semantic: Semantic::new(Usage::Color, target as u8),
            register: target as u16,
            mask,
            location: Some(target as u32),
            centroid: false,
        });
        self.b.store(Value::global(global), value);
    }

    fn output_global(&mut self, name: Name, ty: TypeId, io: Io) -> GlobalId {
        let found = self.b.globals.iter().find(|(_, g)| {
            g.space == Space::Output
                && g.io().is_some_and(|o| o.builtin == io.builtin && o.location == io.location && o.usage == io.usage)
        });
        match found {
            Some((id, _)) => id,
            None => self.add_named_global(name, ty, Space::Output, GlobalKind::Output(io)),
        }
    }

    fn note_output(&mut self, interface: Interface) {
        let same =
            |o: &Output| o.interface.semantic == interface.semantic && o.interface.location == interface.location;
        if !self.output_globals.iter().any(same) {
            self.output_globals.push(Output { interface });
        }
    }

    fn vertex_outputs(&mut self) {
        let outputs = match self.shader.version.major {
            0..=2 => self.fixed_outputs(),
            _ => self.declared_outputs(),
        };
        let semantics: SmallVec<[Semantic; 16]> =
            outputs.iter().filter(|o| !is_system(o.semantic)).map(|o| o.semantic).collect();
        let locations = semantics::locations(&semantics, &self.options.locations);
        let position = Semantic::new(Usage::Position, 0);
        if !outputs.iter().any(|o| o.semantic == position) {
            let one = Lane::scalar(self.b.f32(1.0));
            let zero = self.zero_lane(Scalar::F32);
            self.store_position([zero, zero, zero, one]);
        }
        for output in outputs {
            let location = locations.iter().find(|(s, _)| *s == output.semantic).map(|&(_, location)| location);
            self.note_output(Interface {
                semantic: output.semantic,
                register: output.register,
                mask: output.mask,
                location: location.filter(|_| !is_system(output.semantic)),
                centroid: false,
            });
            if output.semantic == position {
                self.store_position(output.lanes);
            } else if is_system(output.semantic) {
                let first = output.mask.trailing_zeros() as usize & 3;
                let size = lanes::gather(&mut self.b, &output.lanes[first..=first]);
                let name = self.b.names.intern("oPts");
                let global = self.output_global(name, types::F32, Io::built_in(Builtin::PointSize));
                self.b.store(Value::global(global), size);
            } else if let Some(location) = location {
                let mut value = lanes::gather(&mut self.b, &output.lanes);
                if output.clamp {
                    value = self.b.op(Op::FSaturate, &[value]);
                }
                let usage = self.b.names.intern(output.semantic.usage.name());
                let io = Io::at(location).named(usage, u32::from(output.semantic.index));
                let global = self.output_global(output.name, types::VEC4F, io);
                self.b.store(Value::global(global), value);
            }
        }
    }

    fn store_position(&mut self, all: Lanes4) {
        let value = lanes::gather(&mut self.b, &all);
        let mut io = Io::built_in(Builtin::Position);
        io.invariant = true;
        let name = self.b.names.intern("oPos");
        let global = self.output_global(name, types::VEC4F, io);
        self.b.store(Value::global(global), value);
    }

    /// oPos, oFog, oPts, oD#, oT# of vs_1_1 and vs_2: colours and fog are clamped to 0–1 (sheet 3.5).
    fn fixed_outputs(&mut self) -> Vec<Leaving> {
        let written = self.written.clone();
        let mut all = Vec::new();
        let rows: [(Slot, usize, Usage, &str, bool); 5] = [
            (POSITION, 1, Usage::Position, "oPos", false),
            (FOG, 1, Usage::Fog, "oFog", true),
            (POINT_SIZE, 1, Usage::PSize, "oPts", false),
            (COLOR, 2, Usage::Color, "oD", true),
            (TEXCOORD, 8, Usage::TexCoord, "oT", false),
        ];
        for (base, count, usage, name, clamp) in rows {
            for index in 0..count {
                let mask = written.0[base + index];
                if mask == 0 {
                    continue;
                }
                let mut lanes = self.state.slots[base + index];
                if usage == Usage::Fog {
                    // A scalar: its written lane, in every lane.
                    lanes = [lanes[mask.trailing_zeros() as usize & 3]; 4];
                }
                let name = if count == 1 { self.b.names.intern(name) } else { self.numbered(name, index as u16, "") };
                let semantic = Semantic::new(usage, index as u8);
                all.push(Leaving { semantic, register: index as u16, mask, lanes, clamp, name });
            }
        }
        all
    }

    /// o# of vs_3: one output for each declared semantic; a register may hold several, with lanes of their own.
    fn declared_outputs(&mut self) -> Vec<Leaving> {
        let mut all: Vec<Leaving> = Vec::new();
        let zero = self.zero_lane(Scalar::F32);
        let all_written = self.written.clone();
        let version = self.shader.version;
        for position in 0..self.declared.len() {
            let declaration = self.declared[position];
            let destination = &declaration.destination;
            if destination.register.kind != RegisterKind::Output {
                continue;
            }
            let Some((usage, number)) = declaration.semantic(version) else { continue };
            let semantic = Semantic::new(usage, number);
            let index = destination.register.index;
            // A position that is declared and never written is as good as none: (0, 0, 0, 1).
            let written = slot_of(RegisterKind::Output, index).is_some_and(|slot| all_written.0[slot] != 0);
            if semantic == Semantic::new(Usage::Position, 0) && !written && self.output_array.is_none() {
                continue;
            }
            let lanes = match self.output_array {
                Some(array) => {
                    let index = self.b.i32(i32::from(index));
                    let place = self.b.access(array, index);
                    lanes::whole(self.b.load(place))
                }
                None => match slot_of(RegisterKind::Output, index) {
                    Some(slot) => self.state.slots[slot],
                    None => [zero; 4],
                },
            };
            let mask = destination.mask.0 & 0xF;
            let position = match all.iter().position(|l| l.semantic == semantic) {
                Some(position) => position,
                None => {
                    let shared = all.iter().any(|l| l.register == index);
                    let name = match shared {
                        true => self.b.names.intern(&format!("o{index}_{}", semantic.text())),
                        false => self.numbered("o", index, ""),
                    };
                    all.push(Leaving { semantic, register: index, mask: 0, lanes: [zero; 4], clamp: false, name });
                    all.len() - 1
                }
            };
            let leaving = &mut all[position];
            leaving.mask |= mask;
            for lane in mask_lanes(mask) {
                leaving.lanes[lane] = lanes[lane];
            }
        }
        all
    }
}

/// A vertex output on its way out.
struct Leaving {
    semantic: Semantic,
    register: u16,
    mask: u8,
    lanes: Lanes4,
    clamp: bool,
    name: Name,
}

/// POSITION0 and PSIZE0 are the pipeline's, not varyings.
fn is_system(semantic: Semantic) -> bool {
    semantic.index == 0 && matches!(semantic.usage, Usage::Position | Usage::PSize)
}

/// Marks what flows into the position as precise: passes of one technique must get the same position (sheet 2.1).
///
/// Which way a value came is not followed: what any region of a structured instruction hands out counts for all its results,
/// and what is stored to any variable counts for all loads. Linear but for the nesting, which is bounded.
pub fn mark_position_precise(module: &mut Module, function: FunctionId) {
    let Some(position) = module.find_builtin(Builtin::Position, Space::Output) else { return };
    let function = &mut module.functions[function];
    let mut work: SmallVec<[Value; 16]> = SmallVec::new();
    // Values that go to variables, until one is loaded from.
    let mut stored: SmallVec<[Value; 16]> = SmallVec::new();
    let mut owners: SmallVec<[Option<InstId>; 8]> = SmallVec::from_elem(None, function.regions.len());
    for inst in Walk::new(function).insts() {
        for &region in function.regions_of(inst) {
            owners[region.index()] = Some(inst);
        }
        if let (Op::Store, &[place, value]) = (function.insts[inst].op, function.operands(inst)) {
            match place.as_global() {
                Some(global) if global == position => work.push(value),
                Some(_) => {}
                None => stored.push(value),
            }
        }
    }
    let mut seen: SmallVec<[bool; 128]> = SmallVec::from_elem(false, function.locals.len());
    while let Some(value) = work.pop() {
        let Some(local) = value.as_local() else { continue };
        if std::mem::replace(&mut seen[local.index()], true) {
            continue;
        }
        let inst = match function.locals[local].def {
            ValueDef::Result(inst, _) => inst,
            // A value that a loop carries: what it starts with, and what its passes go on with.
            ValueDef::Param(region, _) => match owners[region.index()] {
                Some(inst) => inst,
                None => continue,
            },
        };
        let op = function.insts[inst].op;
        work.extend_from_slice(function.operands(inst));
        match op {
            Op::Load | Op::Access => {}
            Op::Var => work.append(&mut stored),
            _ if op.is_structured() => {
                // Once for all its results and parameters.
                for region in function.regions_of(inst).to_vec() {
                    if owners[region.index()].take().is_some() {
                        let inner = Walk::from(function, region).insts();
                        let ends = inner.filter(|&inner| function.insts[inner].op.is_terminator());
                        ends.for_each(|end| work.extend_from_slice(function.operands(end)));
                    }
                }
            }
            _ => function.insts[inst].precise = true,
        }
    }
}
