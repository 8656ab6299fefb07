//! Buffers and images.

use crate::scope::{Object, Scope};
use crate::{Error, Gpu, Image, ImageKind, Texels};
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

    /// A sampled image with its texels; the upload is recorded by [`Upload::record`].
    pub(crate) fn sampled_image(&self, scope: &mut Scope<'_>, given: &Image) -> Result<(DeviceImage, Upload), Error> {
        let (format, texel, bytes) = match &given.texels {
            Texels::Float(all) => {
                (vk::Format::R32G32B32A32_SFLOAT, 16, all.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>())
            }
            Texels::Rgba8(all) => (vk::Format::R8G8B8A8_UNORM, 4, all.clone()),
        };
        let cube = given.kind == ImageKind::Cube;
        let layers = if cube { 6 } else { 1 };
        let [width, height, depth] = given.size;
        let volume = given.kind == ImageKind::D3;
        let mut regions = Vec::new();
        let mut offset = 0u64;
        for level in 0..given.levels {
            let at = |size: u32| (size >> level).max(1);
            let depth = if volume { at(depth) } else { 1 };
            let extent = vk::Extent3D { width: at(width), height: at(height), depth };
            regions.push(
                vk::BufferImageCopy::default()
                    .buffer_offset(offset)
                    .image_subresource(vk::ImageSubresourceLayers {
                        aspect_mask: vk::ImageAspectFlags::COLOR,
                        mip_level: level,
                        base_array_layer: 0,
                        layer_count: layers,
                    })
                    .image_extent(extent),
            );
            offset += u64::from(extent.width) * u64::from(extent.height) * u64::from(depth) * u64::from(layers) * texel;
        }
        if offset != bytes.len() as u64 {
            return Err(Error(format!("an image has {} bytes of texels, its shape says {offset}", bytes.len())));
        }
        let info = vk::ImageCreateInfo::default()
            .image_type(if volume { vk::ImageType::TYPE_3D } else { vk::ImageType::TYPE_2D })
            .flags(if cube { vk::ImageCreateFlags::CUBE_COMPATIBLE } else { vk::ImageCreateFlags::empty() })
            .format(format)
            .extent(vk::Extent3D { width, height, depth: if volume { depth } else { 1 } })
            .mip_levels(given.levels)
            .array_layers(layers)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST);
        let view = match given.kind {
            ImageKind::D2 => vk::ImageViewType::TYPE_2D,
            ImageKind::Cube => vk::ImageViewType::CUBE,
            ImageKind::D3 => vk::ImageViewType::TYPE_3D,
        };
        let image = self.image(scope, &info, view, vk::ImageAspectFlags::COLOR)?;
        let staging = self.buffer(scope, vk::BufferUsageFlags::TRANSFER_SRC, &bytes)?;
        Ok((image, Upload { staging, image: image.image, regions, levels: given.levels, layers }))
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

/// Texels on their way to an image.
pub(crate) struct Upload {
    staging: HostBuffer,
    image: vk::Image,
    regions: Vec<vk::BufferImageCopy>,
    levels: u32,
    layers: u32,
}

impl Upload {
    /// Records the copy, and makes the image one to sample.
    pub(crate) fn record(&self, gpu: &Gpu, commands: vk::CommandBuffer) {
        let range = whole(vk::ImageAspectFlags::COLOR, self.levels, self.layers);
        let (start, copy) = (vk::ImageLayout::UNDEFINED, vk::ImageLayout::TRANSFER_DST_OPTIMAL);
        gpu.transition(commands, self.image, range, start, copy);
        // SAFETY: the command buffer is being recorded; the regions fit the buffer, which `sampled_image` checked.
        unsafe { gpu.device.cmd_copy_buffer_to_image(commands, self.staging.buffer, self.image, copy, &self.regions) };
        gpu.transition(commands, self.image, range, copy, vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL);
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
