//! Descriptor sets from a list of resources.

use crate::image::Upload;
use crate::memory::HostBuffer;
use crate::scope::{Object, Scope};
use crate::{Address, Bindings, Border, Compare, Error, Filter, Gpu, Resource, Sampler};
use ash::vk;

/// Descriptor sets and what goes with them.
pub(crate) struct Bound {
    pub layout: vk::PipelineLayout,
    pub sets: Vec<vk::DescriptorSet>,
    pub uploads: Vec<Upload>,
    /// What the shader may have written, with its place.
    pub written: Vec<((u32, u32), Written)>,
}

/// What is read back.
#[derive(Clone, Copy)]
pub(crate) enum Written {
    /// A buffer.
    Buffer(HostBuffer),
    /// The image of an upload, by its number.
    Image(usize),
}

pub(crate) fn compare_op(compare: Compare) -> vk::CompareOp {
    match compare {
        Compare::Never => vk::CompareOp::NEVER,
        Compare::Less => vk::CompareOp::LESS,
        Compare::Equal => vk::CompareOp::EQUAL,
        Compare::LessEqual => vk::CompareOp::LESS_OR_EQUAL,
        Compare::Greater => vk::CompareOp::GREATER,
        Compare::NotEqual => vk::CompareOp::NOT_EQUAL,
        Compare::GreaterEqual => vk::CompareOp::GREATER_OR_EQUAL,
        Compare::Always => vk::CompareOp::ALWAYS,
    }
}

enum Info {
    Buffer(vk::DescriptorBufferInfo),
    Image(vk::DescriptorImageInfo),
    Texels(vk::BufferView),
}

impl Bound {
    /// Records that what was written comes back; behind it, where each is to be read.
    pub(crate) fn record_back(&self, gpu: &Gpu, commands: vk::CommandBuffer) -> Vec<((u32, u32), HostBuffer)> {
        let buffer = |written: Written| match written {
            Written::Buffer(buffer) => buffer,
            Written::Image(number) => self.uploads[number].record_back(gpu, commands),
        };
        self.written.iter().map(|&(place, written)| (place, buffer(written))).collect()
    }
}

impl Gpu {
    /// Makes descriptor sets and the pipeline layout for them.
    pub(crate) fn bind(
        &self,
        scope: &mut Scope<'_>,
        bindings: &Bindings,
        push: usize,
        stages: vk::ShaderStageFlags,
    ) -> Result<Bound, Error> {
        let count = bindings.iter().map(|((set, _), _)| set + 1).max().unwrap_or(0);
        let mut layouts = Vec::new();
        // SAFETY: plain creation; the scope owns what is made.
        unsafe {
            for set in 0..count {
                let entries: Vec<_> = bindings
                    .iter()
                    .filter(|((s, _), _)| *s == set)
                    .map(|((_, binding), resource)| {
                        vk::DescriptorSetLayoutBinding::default()
                            .binding(*binding)
                            .descriptor_type(kind(resource))
                            .descriptor_count(1)
                            .stage_flags(stages)
                    })
                    .collect();
                let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&entries);
                let layout = self.device.create_descriptor_set_layout(&info, None)?;
                scope.own(Object::Layout(layout));
                layouts.push(layout);
            }
            let range = vk::PushConstantRange::default().stage_flags(stages).size(push.next_multiple_of(4) as u32);
            let ranges = [range];
            let mut info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
            if push > 0 {
                info = info.push_constant_ranges(&ranges);
            }
            let layout = self.device.create_pipeline_layout(&info, None)?;
            scope.own(Object::PipelineLayout(layout));
            let mut bound = Bound { layout, sets: Vec::new(), uploads: Vec::new(), written: Vec::new() };
            if count == 0 {
                return Ok(bound);
            }
            let sizes: Vec<_> = [
                vk::DescriptorType::UNIFORM_BUFFER,
                vk::DescriptorType::STORAGE_BUFFER,
                vk::DescriptorType::SAMPLED_IMAGE,
                vk::DescriptorType::SAMPLER,
                vk::DescriptorType::STORAGE_IMAGE,
                vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
                vk::DescriptorType::STORAGE_TEXEL_BUFFER,
            ]
            .into_iter()
            .map(|ty| vk::DescriptorPoolSize { ty, descriptor_count: bindings.len() as u32 })
            .collect();
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(count).pool_sizes(&sizes);
            let pool = self.device.create_descriptor_pool(&info, None)?;
            scope.own(Object::Pool(pool));
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            bound.sets = self.device.allocate_descriptor_sets(&info)?;
            for ((set, binding), resource) in bindings {
                let info = self.resource(scope, &mut bound, (*set, *binding), resource)?;
                let mut write = vk::WriteDescriptorSet::default()
                    .dst_set(bound.sets[*set as usize])
                    .dst_binding(*binding)
                    .descriptor_type(kind(resource));
                let (mut buffers, mut images) =
                    ([vk::DescriptorBufferInfo::default()], [vk::DescriptorImageInfo::default()]);
                let mut views = [vk::BufferView::null()];
                write = match info {
                    Info::Buffer(info) => {
                        buffers[0] = info;
                        write.buffer_info(&buffers)
                    }
                    Info::Image(info) => {
                        images[0] = info;
                        write.image_info(&images)
                    }
                    Info::Texels(view) => {
                        views[0] = view;
                        write.texel_buffer_view(&views)
                    }
                };
                self.device.update_descriptor_sets(&[write], &[]);
            }
            Ok(bound)
        }
    }

    fn resource(
        &self,
        scope: &mut Scope<'_>,
        bound: &mut Bound,
        place: (u32, u32),
        resource: &Resource,
    ) -> Result<Info, Error> {
        let buffer = |buffer| Info::Buffer(vk::DescriptorBufferInfo::default().buffer(buffer).range(vk::WHOLE_SIZE));
        Ok(match resource {
            Resource::Uniform(bytes) => buffer(self.buffer(scope, vk::BufferUsageFlags::UNIFORM_BUFFER, bytes)?.buffer),
            Resource::Storage(bytes) => {
                let made = self.buffer(scope, vk::BufferUsageFlags::STORAGE_BUFFER, bytes)?;
                bound.written.push((place, Written::Buffer(made)));
                buffer(made.buffer)
            }
            Resource::Image(image) | Resource::StorageImage(image) => {
                let storage = matches!(resource, Resource::StorageImage(_));
                let (image, upload) = self.texel_image(scope, image, storage)?;
                let layout = upload.layout;
                if storage {
                    bound.written.push((place, Written::Image(bound.uploads.len())));
                }
                bound.uploads.push(upload);
                Info::Image(vk::DescriptorImageInfo::default().image_view(image.view).image_layout(layout))
            }
            Resource::TexelBuffer(texels) => {
                let usage = vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER;
                Info::Texels(self.texel_buffer(scope, texels, usage)?.1)
            }
            Resource::StorageTexelBuffer(texels) => {
                let usage = vk::BufferUsageFlags::STORAGE_TEXEL_BUFFER;
                let (buffer, view) = self.texel_buffer(scope, texels, usage)?;
                bound.written.push((place, Written::Buffer(buffer)));
                Info::Texels(view)
            }
            Resource::Sampler(sampler) => {
                Info::Image(vk::DescriptorImageInfo::default().sampler(self.sampler(scope, sampler)?))
            }
        })
    }

    fn sampler(&self, scope: &mut Scope<'_>, given: &Sampler) -> Result<vk::Sampler, Error> {
        let address = |a: Address| match a {
            Address::Wrap => vk::SamplerAddressMode::REPEAT,
            Address::Mirror => vk::SamplerAddressMode::MIRRORED_REPEAT,
            Address::Clamp => vk::SamplerAddressMode::CLAMP_TO_EDGE,
            Address::Border => vk::SamplerAddressMode::CLAMP_TO_BORDER,
            Address::MirrorOnce => vk::SamplerAddressMode::MIRROR_CLAMP_TO_EDGE,
        };
        let filter = |f: Filter| if f == Filter::Linear { vk::Filter::LINEAR } else { vk::Filter::NEAREST };
        let mut info = vk::SamplerCreateInfo::default()
            .mag_filter(filter(given.magnify))
            .min_filter(filter(given.minify))
            .mipmap_mode(match given.mip {
                Some(Filter::Linear) => vk::SamplerMipmapMode::LINEAR,
                _ => vk::SamplerMipmapMode::NEAREST,
            })
            .address_mode_u(address(given.address[0]))
            .address_mode_v(address(given.address[1]))
            .address_mode_w(address(given.address[2]))
            .mip_lod_bias(given.bias)
            .min_lod(given.levels[0])
            // Without mipmapping level 0 alone is read, yet minification must still be told from magnification.
            .max_lod(if given.mip.is_some() { given.levels[1] } else { 0.25 });
        if let Some(compare) = given.compare {
            info = info.compare_enable(true).compare_op(compare_op(compare));
        }
        let mut custom = vk::SamplerCustomBorderColorCreateInfoEXT::default();
        info = info.border_color(match given.border {
            Border::Transparent => vk::BorderColor::FLOAT_TRANSPARENT_BLACK,
            Border::Black => vk::BorderColor::FLOAT_OPAQUE_BLACK,
            Border::White => vk::BorderColor::FLOAT_OPAQUE_WHITE,
            Border::Custom(_) if !self.custom_border => {
                return Err(Error("the device has no border colours of one's own".to_owned()));
            }
            Border::Custom(_) => vk::BorderColor::FLOAT_CUSTOM_EXT,
        });
        if let Border::Custom(float32) = given.border {
            custom.custom_border_color = vk::ClearColorValue { float32 };
            info = info.push_next(&mut custom);
        }
        // SAFETY: plain creation; the scope owns what is made.
        let sampler = unsafe { self.device.create_sampler(&info, None)? };
        scope.own(Object::Sampler(sampler));
        Ok(sampler)
    }
}

fn kind(resource: &Resource) -> vk::DescriptorType {
    match resource {
        Resource::Uniform(_) => vk::DescriptorType::UNIFORM_BUFFER,
        Resource::Storage(_) => vk::DescriptorType::STORAGE_BUFFER,
        Resource::Image(_) => vk::DescriptorType::SAMPLED_IMAGE,
        Resource::StorageImage(_) => vk::DescriptorType::STORAGE_IMAGE,
        Resource::TexelBuffer(_) => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
        Resource::StorageTexelBuffer(_) => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
        Resource::Sampler(_) => vk::DescriptorType::SAMPLER,
    }
}
