//! Buffers and images.

use crate::scope::{Object, Scope};
use crate::{Error, Gpu};
use ash::vk;

/// A buffer that the host can read and write.
#[derive(Clone, Copy)]
pub(crate) struct HostBuffer {
    pub buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    size: u64,
}

/// An image with its view.
#[derive(Clone, Copy)]
pub(crate) struct DeviceImage {
    pub image: vk::Image,
    pub view: vk::ImageView,
}

impl Gpu {
    fn memory_type(&self, bits: u32, wanted: vk::MemoryPropertyFlags) -> Result<u32, Error> {
        let types = self.memory.memory_types_as_slice();
        let found = types.iter().enumerate().find(|(i, t)| bits >> i & 1 == 1 && t.property_flags.contains(wanted));
        found.map(|(i, _)| i as u32).ok_or_else(|| Error("no memory of the kind".to_owned()))
    }

    /// A buffer with contents (at least one word).
    pub(crate) fn buffer(
        &self,
        scope: &mut Scope<'_>,
        usage: vk::BufferUsageFlags,
        bytes: &[u8],
    ) -> Result<HostBuffer, Error> {
        let made = self.empty_buffer(scope, usage, bytes.len().max(4).next_multiple_of(4) as u64)?;
        // SAFETY: the memory is host visible, coherent, not mapped, and large enough.
        unsafe {
            let place = self.device.map_memory(made.memory, 0, made.size, vk::MemoryMapFlags::empty())?;
            std::ptr::write_bytes(place.cast::<u8>(), 0, made.size as usize);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), place.cast(), bytes.len());
            self.device.unmap_memory(made.memory);
        }
        Ok(made)
    }

    pub(crate) fn empty_buffer(
        &self,
        scope: &mut Scope<'_>,
        usage: vk::BufferUsageFlags,
        size: u64,
    ) -> Result<HostBuffer, Error> {
        // SAFETY: plain creation; the scope owns what is made.
        unsafe {
            let buffer = self.device.create_buffer(&vk::BufferCreateInfo::default().size(size).usage(usage), None)?;
            scope.own(Object::Buffer(buffer));
            let needs = self.device.get_buffer_memory_requirements(buffer);
            let flags = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
            let info = vk::MemoryAllocateInfo::default()
                .allocation_size(needs.size)
                .memory_type_index(self.memory_type(needs.memory_type_bits, flags)?);
            let memory = self.device.allocate_memory(&info, None)?;
            scope.own(Object::Memory(memory));
            self.device.bind_buffer_memory(buffer, memory, 0)?;
            Ok(HostBuffer { buffer, memory, size })
        }
    }

    /// The contents of a buffer.
    pub(crate) fn read(&self, buffer: HostBuffer) -> Result<Vec<u8>, Error> {
        // SAFETY: the memory is host visible and coherent, and the device is done with it.
        unsafe {
            let place = self.device.map_memory(buffer.memory, 0, buffer.size, vk::MemoryMapFlags::empty())?;
            let bytes = std::slice::from_raw_parts(place.cast::<u8>(), buffer.size as usize).to_vec();
            self.device.unmap_memory(buffer.memory);
            Ok(bytes)
        }
    }

    /// An image and a view of all of it.
    pub(crate) fn image(
        &self,
        scope: &mut Scope<'_>,
        info: &vk::ImageCreateInfo<'_>,
        view: vk::ImageViewType,
        aspect: vk::ImageAspectFlags,
    ) -> Result<DeviceImage, Error> {
        // SAFETY: plain creation; the scope owns what is made.
        unsafe {
            let image = self.device.create_image(info, None)?;
            scope.own(Object::Image(image));
            let needs = self.device.get_image_memory_requirements(image);
            let allocate = vk::MemoryAllocateInfo::default()
                .allocation_size(needs.size)
                .memory_type_index(self.memory_type(needs.memory_type_bits, vk::MemoryPropertyFlags::empty())?);
            let memory = self.device.allocate_memory(&allocate, None)?;
            scope.own(Object::Memory(memory));
            self.device.bind_image_memory(image, memory, 0)?;
            let range = whole(aspect, info.mip_levels, info.array_layers);
            let view = vk::ImageViewCreateInfo::default()
                .image(image)
                .view_type(view)
                .format(info.format)
                .subresource_range(range);
            let view = self.device.create_image_view(&view, None)?;
            scope.own(Object::View(view));
            Ok(DeviceImage { image, view })
        }
    }

    /// Records a change of layout with a barrier for everything.
    pub(crate) fn transition(
        &self,
        commands: vk::CommandBuffer,
        image: vk::Image,
        range: vk::ImageSubresourceRange,
        from: vk::ImageLayout,
        to: vk::ImageLayout,
    ) {
        let all = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
        let barrier = vk::ImageMemoryBarrier::default()
            .src_access_mask(all)
            .dst_access_mask(all)
            .old_layout(from)
            .new_layout(to)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(image)
            .subresource_range(range);
        let stage = vk::PipelineStageFlags::ALL_COMMANDS;
        // SAFETY: the command buffer is being recorded.
        unsafe {
            self.device.cmd_pipeline_barrier(
                commands,
                stage,
                stage,
                vk::DependencyFlags::empty(),
                &[],
                &[],
                &[barrier],
            );
        }
    }
}

/// All levels and layers.
pub(crate) fn whole(aspect: vk::ImageAspectFlags, levels: u32, layers: u32) -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange {
        aspect_mask: aspect,
        base_mip_level: 0,
        level_count: levels,
        base_array_layer: 0,
        layer_count: layers,
    }
}
