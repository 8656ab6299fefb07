//! Images with their texels, on their way to the device and back.

use crate::job::Word;
use crate::memory::{DeviceImage, HostBuffer, whole};
use crate::scope::Scope;
use crate::{Error, Gpu, Image, ImageKind, Texels};
use ash::vk;

/// The format of texels, bytes a texel, and all bytes.
pub(crate) fn format(texels: &Texels) -> (vk::Format, u64, Vec<u8>) {
    let words = |all: &[u32]| all.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let floats = |all: &[f32]| all.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    match texels {
        Texels::Float(all) => (vk::Format::R32G32B32A32_SFLOAT, 16, floats(all)),
        Texels::Rgba8(all) => (vk::Format::R8G8B8A8_UNORM, 4, all.clone()),
        Texels::Uint(all) => (vk::Format::R32G32B32A32_UINT, 16, words(all)),
        Texels::Sint(all) => (vk::Format::R32G32B32A32_SINT, 16, words(all)),
        Texels::Single(Word::Float, all) => (vk::Format::R32_SFLOAT, 4, words(all)),
        Texels::Single(Word::Uint, all) => (vk::Format::R32_UINT, 4, words(all)),
        Texels::Single(Word::Sint, all) => (vk::Format::R32_SINT, 4, words(all)),
        Texels::Depth(all) => (vk::Format::D32_SFLOAT, 4, floats(all)),
    }
}

/// Texels on their way to an image, and back where it is written.
pub(crate) struct Upload {
    staging: HostBuffer,
    image: vk::Image,
    aspect: vk::ImageAspectFlags,
    regions: Vec<vk::BufferImageCopy>,
    levels: u32,
    layers: u32,
    /// How the shader sees it.
    pub layout: vk::ImageLayout,
}

impl Gpu {
    /// An image with its texels; the upload is recorded by [`Upload::record`].
    pub(crate) fn texel_image(
        &self,
        scope: &mut Scope<'_>,
        given: &Image,
        storage: bool,
    ) -> Result<(DeviceImage, Upload), Error> {
        let (format, texel, bytes) = format(&given.texels);
        let depth_texels = matches!(given.texels, Texels::Depth(_));
        let aspect = if depth_texels { vk::ImageAspectFlags::DEPTH } else { vk::ImageAspectFlags::COLOR };
        let cube = given.kind == ImageKind::Cube;
        let layers = given.layers.unwrap_or(1) * if cube { 6 } else { 1 };
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
                        aspect_mask: aspect,
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
        let (ty, view) = match (given.kind, given.layers) {
            (ImageKind::D1, None) => (vk::ImageType::TYPE_1D, vk::ImageViewType::TYPE_1D),
            (ImageKind::D1, Some(_)) => (vk::ImageType::TYPE_1D, vk::ImageViewType::TYPE_1D_ARRAY),
            (ImageKind::D2, None) => (vk::ImageType::TYPE_2D, vk::ImageViewType::TYPE_2D),
            (ImageKind::D2, Some(_)) => (vk::ImageType::TYPE_2D, vk::ImageViewType::TYPE_2D_ARRAY),
            (ImageKind::Cube, None) => (vk::ImageType::TYPE_2D, vk::ImageViewType::CUBE),
            (ImageKind::Cube, Some(_)) => (vk::ImageType::TYPE_2D, vk::ImageViewType::CUBE_ARRAY),
            (ImageKind::D3, _) => (vk::ImageType::TYPE_3D, vk::ImageViewType::TYPE_3D),
        };
        let own = if storage {
            vk::ImageUsageFlags::STORAGE | vk::ImageUsageFlags::TRANSFER_SRC
        } else {
            vk::ImageUsageFlags::SAMPLED
        };
        let info = vk::ImageCreateInfo::default()
            .image_type(ty)
            .flags(if cube { vk::ImageCreateFlags::CUBE_COMPATIBLE } else { vk::ImageCreateFlags::empty() })
            .format(format)
            .extent(vk::Extent3D { width, height, depth: if volume { depth } else { 1 } })
            .mip_levels(given.levels)
            .array_layers(layers)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(own | vk::ImageUsageFlags::TRANSFER_DST);
        let image = self.image(scope, &info, view, aspect)?;
        let both = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
        let staging = self.buffer(scope, both, &bytes)?;
        let layout = if storage { vk::ImageLayout::GENERAL } else { vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL };
        let upload = Upload { staging, image: image.image, aspect, regions, levels: given.levels, layers, layout };
        Ok((image, upload))
    }

    /// A buffer of texels and a view of it.
    pub(crate) fn texel_buffer(
        &self,
        scope: &mut Scope<'_>,
        texels: &Texels,
        usage: vk::BufferUsageFlags,
    ) -> Result<(HostBuffer, vk::BufferView), Error> {
        let (format, _, bytes) = format(texels);
        let made = self.buffer(scope, usage, &bytes)?;
        let info = vk::BufferViewCreateInfo::default().buffer(made.buffer).format(format).range(vk::WHOLE_SIZE);
        // SAFETY: plain creation; the scope owns what is made.
        let view = unsafe { self.device.create_buffer_view(&info, None)? };
        scope.own(crate::scope::Object::BufferView(view));
        Ok((made, view))
    }
}

impl Upload {
    /// Records the copy, and makes the image one for the shader.
    pub(crate) fn record(&self, gpu: &Gpu, commands: vk::CommandBuffer) {
        let range = whole(self.aspect, self.levels, self.layers);
        let (start, copy) = (vk::ImageLayout::UNDEFINED, vk::ImageLayout::TRANSFER_DST_OPTIMAL);
        gpu.transition(commands, self.image, range, start, copy);
        // SAFETY: the command buffer is being recorded; the regions fit the buffer, which `texel_image` checked.
        unsafe { gpu.device.cmd_copy_buffer_to_image(commands, self.staging.buffer, self.image, copy, &self.regions) };
        gpu.transition(commands, self.image, range, copy, self.layout);
    }

    /// Records the copy back, to be read from the buffer that it gives.
    pub(crate) fn record_back(&self, gpu: &Gpu, commands: vk::CommandBuffer) -> HostBuffer {
        let range = whole(self.aspect, self.levels, self.layers);
        let source = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
        gpu.transition(commands, self.image, range, self.layout, source);
        // SAFETY: as for `record`.
        unsafe {
            gpu.device.cmd_copy_image_to_buffer(commands, self.image, source, self.staging.buffer, &self.regions);
        }
        self.staging
    }
}
