//! Drawing into float targets and reading them back.

use crate::bind::Bound;
use crate::memory::whole;
use crate::pipeline::COLOR;
use crate::scope::{Object, Scope};
use crate::{Contents, Draw, Error, Gpu, Target};
use ash::vk;

/// By attachment: texels, rows top down.
pub type Pictures = Vec<Vec<[f32; 4]>>;

impl Gpu {
    /// Draws one after another into a cleared target. For each colour attachment its texels, rows top down, four floats a
    /// texel.
    ///
    /// # Errors
    /// What Vulkan refuses.
    pub fn render(&self, target: &Target, draws: &[Draw<'_>]) -> Result<Vec<Vec<[f32; 4]>>, Error> {
        self.render_and_read(target, draws).map(|(texels, _)| texels)
    }

    /// [`Gpu::render`], and what each draw's stages wrote to storage buffers and images, by draw.
    ///
    /// # Errors
    /// What Vulkan refuses.
    pub fn render_and_read(&self, target: &Target, draws: &[Draw<'_>]) -> Result<(Pictures, Vec<Contents>), Error> {
        let mut scope = Scope::new(&self.device);
        let scope = &mut scope;
        let extent = vk::Extent3D { width: target.width, height: target.height, depth: 1 };
        let image = |format, usage| {
            vk::ImageCreateInfo::default()
                .image_type(vk::ImageType::TYPE_2D)
                .format(format)
                .extent(extent)
                .mip_levels(1)
                .array_layers(1)
                .samples(vk::SampleCountFlags::TYPE_1)
                .usage(usage)
        };
        let flat = vk::ImageViewType::TYPE_2D;
        let mut colors = Vec::new();
        for _ in 0..target.colors {
            let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC;
            colors.push(self.image(scope, &image(COLOR, usage), flat, vk::ImageAspectFlags::COLOR)?);
        }
        let usage = vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT;
        let aspect = vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL;
        let depth = self.image(scope, &image(self.depth_format, usage), flat, aspect)?;
        let pass = self.render_pass(scope, target.colors)?;
        let views: Vec<_> = colors.iter().map(|c| c.view).chain([depth.view]).collect();
        let info = vk::FramebufferCreateInfo::default()
            .render_pass(pass)
            .attachments(&views)
            .width(target.width)
            .height(target.height)
            .layers(1);
        // SAFETY: plain creation; the scope owns what is made.
        let framebuffer = unsafe { self.device.create_framebuffer(&info, None)? };
        scope.own(Object::Framebuffer(framebuffer));

        let mut prepared = Vec::new();
        for draw in draws {
            let stages = vk::ShaderStageFlags::VERTEX | vk::ShaderStageFlags::FRAGMENT;
            let bound = self.bind(scope, &draw.bindings, draw.push.len(), stages)?;
            let pipeline = self.graphics_pipeline(scope, target, draw, pass, bound.layout)?;
            let vertices = self.buffer(scope, vk::BufferUsageFlags::VERTEX_BUFFER, &draw.vertices)?;
            let indices = match &draw.indices {
                Some(indices) => {
                    let bytes: Vec<u8> = indices.iter().flat_map(|i| i.to_le_bytes()).collect();
                    Some(self.buffer(scope, vk::BufferUsageFlags::INDEX_BUFFER, &bytes)?.buffer)
                }
                None => None,
            };
            prepared.push((draw, bound, pipeline, vertices.buffer, indices));
        }
        let texels = u64::from(target.width) * u64::from(target.height);
        let mut readback = Vec::new();
        for _ in &colors {
            readback.push(self.empty_buffer(scope, vk::BufferUsageFlags::TRANSFER_DST, texels * 16)?);
        }
        let mut clears = vec![vk::ClearValue { color: vk::ClearColorValue { float32: target.clear } }; colors.len()];
        clears.push(vk::ClearValue {
            depth_stencil: vk::ClearDepthStencilValue { depth: target.clear_depth, stencil: target.clear_stencil },
        });
        let mut backs = Vec::new();
        self.run(|commands| {
            prepared.iter().flat_map(|(_, bound, ..)| &bound.uploads).for_each(|upload| upload.record(self, commands));
            let area = vk::Rect2D {
                offset: vk::Offset2D::default(),
                extent: vk::Extent2D { width: target.width, height: target.height },
            };
            let begin = vk::RenderPassBeginInfo::default()
                .render_pass(pass)
                .framebuffer(framebuffer)
                .render_area(area)
                .clear_values(&clears);
            // SAFETY: the command buffer is being recorded, and everything bound lives in the scope.
            unsafe {
                self.device.cmd_begin_render_pass(commands, &begin, vk::SubpassContents::INLINE);
                for (draw, bound, pipeline, vertices, indices) in &prepared {
                    self.record(commands, draw, bound, *pipeline, *vertices, *indices);
                }
                self.device.cmd_end_render_pass(commands);
                let source = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
                for (color, buffer) in colors.iter().zip(&readback) {
                    let range = whole(vk::ImageAspectFlags::COLOR, 1, 1);
                    self.transition(commands, color.image, range, source, source);
                    let region = vk::BufferImageCopy::default()
                        .image_subresource(vk::ImageSubresourceLayers {
                            aspect_mask: vk::ImageAspectFlags::COLOR,
                            mip_level: 0,
                            base_array_layer: 0,
                            layer_count: 1,
                        })
                        .image_extent(extent);
                    self.device.cmd_copy_image_to_buffer(commands, color.image, source, buffer.buffer, &[region]);
                }
            }
            backs = prepared.iter().map(|(_, bound, ..)| self.back(commands, bound)).collect();
            Ok(())
        })?;
        let mut pictures = Vec::new();
        for buffer in readback {
            pictures.push(texels_of(&self.read(buffer)?));
        }
        let mut contents = Vec::new();
        for back in backs {
            let read = back.into_iter().map(|(place, buffer)| Ok((place, self.read(buffer)?)));
            contents.push(read.collect::<Result<Contents, Error>>()?);
        }
        Ok((pictures, contents))
    }

    /// # Safety
    /// The command buffer is being recorded within a render pass.
    unsafe fn record(
        &self,
        commands: vk::CommandBuffer,
        draw: &Draw<'_>,
        bound: &Bound,
        pipeline: vk::Pipeline,
        vertices: vk::Buffer,
        indices: Option<vk::Buffer>,
    ) {
        let point = vk::PipelineBindPoint::GRAPHICS;
        // SAFETY: see above; all handles are this device's.
        unsafe {
            self.device.cmd_bind_pipeline(commands, point, pipeline);
            if !bound.sets.is_empty() {
                self.device.cmd_bind_descriptor_sets(commands, point, bound.layout, 0, &bound.sets, &[]);
            }
            if !draw.push.is_empty() {
                let stages = vk::ShaderStageFlags::VERTEX | vk::ShaderStageFlags::FRAGMENT;
                self.device.cmd_push_constants(commands, bound.layout, stages, 0, &draw.push);
            }
            self.device.cmd_bind_vertex_buffers(commands, 0, &[vertices], &[0]);
            match indices {
                Some(indices) => {
                    self.device.cmd_bind_index_buffer(commands, indices, 0, vk::IndexType::UINT32);
                    self.device.cmd_draw_indexed(commands, draw.count, draw.instances, 0, 0, 0);
                }
                None => self.device.cmd_draw(commands, draw.count, draw.instances, 0, 0),
            }
        }
    }
}

fn texels_of(bytes: &[u8]) -> Vec<[f32; 4]> {
    let lane = |c: &[u8], i: usize| f32::from_le_bytes([c[4 * i], c[4 * i + 1], c[4 * i + 2], c[4 * i + 3]]);
    bytes.chunks_exact(16).map(|c| [lane(c, 0), lane(c, 1), lane(c, 2), lane(c, 3)]).collect()
}
