//! Places for the globals that a program mentions, and its interface.

use super::pointer::{Place, StaticPointer};
use super::{MAX_ITEMS, Translator};
use crate::interpret::Error;
use crate::interpret::program::{Interface, ResourceUse};
use aquatint_base::HashSet;
use aquatint_ir::walk::Walk;
use aquatint_ir::{FunctionId, Global, GlobalId, GlobalKind, Io, Scalar, Space, SpecConstant, Type, TypeId, types};

impl Translator<'_> {
    /// Gives every global that the functions mention its place: inputs first, so that a run can keep them.
    pub(super) fn globals(&mut self, functions: &[FunctionId]) -> Result<(), Error> {
        let module = self.module;
        let mut used: HashSet<GlobalId> = HashSet::default();
        for &id in functions {
            let function = &module.functions[id];
            for inst in Walk::new(function).insts() {
                used.extend(function.operands(inst).iter().filter_map(|value| value.as_global()));
            }
        }
        let is_input = |global: &Global| matches!(global.kind, GlobalKind::Input(_));
        for inputs in [true, false] {
            for (id, global) in module.globals.iter().filter(|(id, _)| used.contains(id)) {
                if is_input(global) == inputs {
                    let place = self.global(id, global)?;
                    self.globals.insert(id, place);
                }
            }
            if inputs {
                self.program.input_words = self.program.lane_words;
            }
        }
        Ok(())
    }

    fn global(&mut self, id: GlobalId, global: &Global) -> Result<Place, Error> {
        let value = self.module.types.get(global.value_ty);
        let fits = matches!(value, Type::Pointer { pointee, .. } if pointee == global.ty);
        if !fits && global.space != Space::Handle {
            return Err(Error::Malformed("a global whose pointer has another type"));
        }
        let pointer = |base, offset, strides| Place::Pointer(StaticPointer { base, offset, strides });
        Ok(match global.kind {
            GlobalKind::Input(io) | GlobalKind::Output(io) => {
                let words = self.words_of(global.ty)?;
                let address = self.lane_memory(words)?;
                let interface = self.interface(global, io, words, address);
                let input = matches!(global.kind, GlobalKind::Input(_));
                if input { &mut self.program.inputs } else { &mut self.program.outputs }.push(interface);
                pointer(1, u64::from(address), 0)
            }
            GlobalKind::Private(init) => {
                let words = self.words_of(global.ty)?;
                let address = self.lane_memory(words)?;
                let spec = self.module.spec_constants.iter().find(|spec| spec.global == id);
                let init = init.or(spec.map(|spec| spec.default));
                if let Some(init) = init {
                    let start = self.program.init_words.len() as u32;
                    let mut all = std::mem::take(&mut self.program.init_words);
                    let count = self.flatten(init, &mut all);
                    self.program.init_words = all;
                    if count? != words || self.program.init_words.len() as u64 > MAX_ITEMS {
                        return Err(Error::Malformed("a first value of another type"));
                    }
                    if let Some(bits) = spec.and_then(|spec| self.chosen(spec, global.ty))
                        && let Some(first) = self.program.init_words.get_mut(start as usize)
                    {
                        *first = bits;
                    }
                    self.program.inits.push((address, start..start + words));
                }
                pointer(1, u64::from(address), 0)
            }
            GlobalKind::Workgroup => {
                let words = u64::from(self.words_of(global.ty)?);
                let address = u64::from(self.program.shared_words);
                if address + words > MAX_ITEMS {
                    return Err(Error::TooLarge("workgroup memory"));
                }
                self.program.shared_words = (address + words) as u32;
                pointer(1, address, 0)
            }
            GlobalKind::Push | GlobalKind::Resource { .. } => {
                let number = self.program.resources.len() as u64 + 1;
                let resource = self.resource(global)?;
                self.program.resources.push(resource);
                if global.space == Space::Handle {
                    let slot = self.program.constants.len() as u32;
                    self.program.constants.push(number << 32);
                    Place::Handle(slot)
                } else {
                    pointer(number << 32, 0, self.strides_of(global.ty, None))
                }
            }
        })
    }

    /// The bits that the host chose for a specialisation constant.
    fn chosen(&self, spec: &SpecConstant, ty: TypeId) -> Option<u64> {
        let &(_, bits) = self.program.options.spec.iter().find(|(id, _)| *id == spec.id)?;
        let (kind, _) = types::lanes_of(ty)?;
        Some(if kind == Scalar::Bool { u64::from(bits != 0) } else { aquatint_ir::constants::mask(kind, bits) })
    }

    fn interface(&self, global: &Global, io: Io, words: u32, address: u32) -> Interface {
        let usage = io.usage.map(|usage| (self.module.name(usage.name).to_owned(), usage.index));
        let name = self.module.name(global.name).to_owned();
        Interface { name, io, usage, kind: self.first_kind(global.ty), count: words as usize, address }
    }

    /// Kind of the first scalar of a type.
    fn first_kind(&self, mut ty: TypeId) -> Scalar {
        // `words_of` has bounded the depth.
        loop {
            ty = match self.module.types.get(ty) {
                Type::Scalar(kind) | Type::Vector(kind, _) | Type::Matrix { scalar: kind, .. } => return kind,
                Type::Array { element, .. } => element,
                Type::Struct(id) => match self.module.types.structs.get(id).and_then(|s| s.members.first()) {
                    Some(member) => member.ty,
                    None => return Scalar::U32,
                },
                _ => return Scalar::U32,
            };
        }
    }

    fn resource(&mut self, global: &Global) -> Result<ResourceUse, Error> {
        let name = self.module.name(global.name).to_owned();
        let mut resource =
            ResourceUse { name, binding: global.binding(), count: Some(1), texture: None, sampler: false };
        // Refuses types that nest too deeply before the walk down.
        self.words_of(global.ty)?;
        let mut ty = global.ty;
        while self.is_descriptor_array(ty)
            && let Type::Array { element, length, .. } = self.module.types.get(ty)
        {
            resource.count = resource.count.zip(length).and_then(|(a, b)| a.checked_mul(b));
            ty = element;
        }
        match self.module.types.get(ty) {
            Type::Texture(texture) => resource.texture = Some(texture),
            Type::Sampler { .. } => resource.sampler = true,
            _ => {}
        }
        Ok(resource)
    }
}
