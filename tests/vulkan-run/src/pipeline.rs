//! Render passes and graphics pipelines.

use crate::bind::compare_op;
use crate::job::{Attribute, StencilFace};
use crate::scope::{Object, Scope};
use crate::{BlendPart, Cull, Draw, Error, Gpu, Stencil, Target, Topology, VertexFormat};
use ash::vk;

/// The format of colour attachments.
pub(crate) const COLOR: vk::Format = vk::Format::R32G32B32A32_SFLOAT;

fn vertex_format(format: VertexFormat) -> vk::Format {
    use vk::Format as F;
    let of = |all: [vk::Format; 4], n: u8| all[usize::from(n.clamp(1, 4)) - 1];
    match format {
        VertexFormat::Float(n) => of([F::R32_SFLOAT, F::R32G32_SFLOAT, F::R32G32B32_SFLOAT, F::R32G32B32A32_SFLOAT], n),
        VertexFormat::Uint(n) => of([F::R32_UINT, F::R32G32_UINT, F::R32G32B32_UINT, F::R32G32B32A32_UINT], n),
        VertexFormat::Sint(n) => of([F::R32_SINT, F::R32G32_SINT, F::R32G32B32_SINT, F::R32G32B32A32_SINT], n),
        VertexFormat::Rgba8 => F::R8G8B8A8_UNORM,
        VertexFormat::Bgra8 => F::B8G8R8A8_UNORM,
    }
}

fn topology(topology: Topology) -> vk::PrimitiveTopology {
    match topology {
        Topology::Points => vk::PrimitiveTopology::POINT_LIST,
        Topology::Lines => vk::PrimitiveTopology::LINE_LIST,
        Topology::LineStrip => vk::PrimitiveTopology::LINE_STRIP,
        Topology::Triangles => vk::PrimitiveTopology::TRIANGLE_LIST,
        Topology::TriangleStrip => vk::PrimitiveTopology::TRIANGLE_STRIP,
        Topology::TriangleFan => vk::PrimitiveTopology::TRIANGLE_FAN,
    }
}

fn stencil_face(face: &StencilFace, stencil: &Stencil) -> vk::StencilOpState {
    vk::StencilOpState {
        fail_op: vk::StencilOp::from_raw(face.fail),
        pass_op: vk::StencilOp::from_raw(face.pass),
        depth_fail_op: vk::StencilOp::from_raw(face.depth_fail),
        compare_op: compare_op(face.compare),
        compare_mask: stencil.read_mask,
        write_mask: stencil.write_mask,
        reference: stencil.reference,
    }
}

impl Gpu {
    /// A render pass that clears everything, and leaves colours to be copied out.
    pub(crate) fn render_pass(&self, scope: &mut Scope<'_>, colors: u32) -> Result<vk::RenderPass, Error> {
        let mut attachments = Vec::new();
        let mut references = Vec::new();
        for index in 0..colors {
            references
                .push(vk::AttachmentReference { attachment: index, layout: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL });
            attachments.push(
                vk::AttachmentDescription::default()
                    .format(COLOR)
                    .samples(vk::SampleCountFlags::TYPE_1)
                    .load_op(vk::AttachmentLoadOp::CLEAR)
                    .store_op(vk::AttachmentStoreOp::STORE)
                    .final_layout(vk::ImageLayout::TRANSFER_SRC_OPTIMAL),
            );
        }
        attachments.push(
            vk::AttachmentDescription::default()
                .format(self.depth_format)
                .samples(vk::SampleCountFlags::TYPE_1)
                .load_op(vk::AttachmentLoadOp::CLEAR)
                .store_op(vk::AttachmentStoreOp::DONT_CARE)
                .stencil_load_op(vk::AttachmentLoadOp::CLEAR)
                .stencil_store_op(vk::AttachmentStoreOp::DONT_CARE)
                .final_layout(vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL),
        );
        let depth =
            vk::AttachmentReference { attachment: colors, layout: vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL };
        let subpasses = [vk::SubpassDescription::default()
            .pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)
            .color_attachments(&references)
            .depth_stencil_attachment(&depth)];
        let dependencies = [vk::SubpassDependency::default()
            .src_subpass(0)
            .dst_subpass(vk::SUBPASS_EXTERNAL)
            .src_stage_mask(vk::PipelineStageFlags::COLOR_ATTACHMENT_OUTPUT)
            .dst_stage_mask(vk::PipelineStageFlags::TRANSFER)
            .src_access_mask(vk::AccessFlags::COLOR_ATTACHMENT_WRITE)
            .dst_access_mask(vk::AccessFlags::TRANSFER_READ)];
        let info = vk::RenderPassCreateInfo::default()
            .attachments(&attachments)
            .subpasses(&subpasses)
            .dependencies(&dependencies);
        // SAFETY: plain creation; the scope owns what is made.
        let pass = unsafe { self.device.create_render_pass(&info, None)? };
        scope.own(Object::RenderPass(pass));
        Ok(pass)
    }

    pub(crate) fn shader_module(&self, scope: &mut Scope<'_>, words: &[u32]) -> Result<vk::ShaderModule, Error> {
        let info = vk::ShaderModuleCreateInfo::default().code(words);
        // SAFETY: the words are a module that the caller vouches for (`spirv-val`).
        let module = unsafe { self.device.create_shader_module(&info, None)? };
        scope.own(Object::Module(module));
        Ok(module)
    }

    pub(crate) fn graphics_pipeline(
        &self,
        scope: &mut Scope<'_>,
        target: &Target,
        draw: &Draw<'_>,
        pass: vk::RenderPass,
        layout: vk::PipelineLayout,
    ) -> Result<vk::Pipeline, Error> {
        let stages = [
            vk::PipelineShaderStageCreateInfo::default()
                .stage(vk::ShaderStageFlags::VERTEX)
                .module(self.shader_module(scope, draw.vertex)?)
                .name(c"main"),
            vk::PipelineShaderStageCreateInfo::default()
                .stage(vk::ShaderStageFlags::FRAGMENT)
                .module(self.shader_module(scope, draw.fragment)?)
                .name(c"main"),
        ];
        let attributes: Vec<_> = draw
            .attributes
            .iter()
            .map(|&Attribute { location, offset, format }| vk::VertexInputAttributeDescription {
                location,
                binding: 0,
                format: vertex_format(format),
                offset,
            })
            .collect();
        let buffers = [vk::VertexInputBindingDescription {
            binding: 0,
            stride: draw.stride,
            input_rate: vk::VertexInputRate::VERTEX,
        }];
        let mut input = vk::PipelineVertexInputStateCreateInfo::default().vertex_attribute_descriptions(&attributes);
        if !attributes.is_empty() {
            input = input.vertex_binding_descriptions(&buffers);
        }
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(topology(draw.topology));
        let viewports = [viewport(target, draw)];
        let extent = vk::Extent2D { width: target.width, height: target.height };
        let scissors = [vk::Rect2D { offset: vk::Offset2D::default(), extent }];
        let view = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
        let raster = vk::PipelineRasterizationStateCreateInfo::default()
            .polygon_mode(vk::PolygonMode::FILL)
            .cull_mode(match draw.cull {
                Cull::None => vk::CullModeFlags::NONE,
                Cull::Clockwise => vk::CullModeFlags::FRONT,
                Cull::CounterClockwise => vk::CullModeFlags::BACK,
            })
            .front_face(vk::FrontFace::CLOCKWISE)
            .line_width(1.0);
        let samples =
            vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let mut depth = vk::PipelineDepthStencilStateCreateInfo::default();
        if let Some(state) = draw.depth {
            depth = depth
                .depth_test_enable(true)
                .depth_write_enable(state.write)
                .depth_compare_op(compare_op(state.compare));
        }
        if let Some(state) = &draw.stencil {
            depth = depth
                .stencil_test_enable(true)
                .front(stencil_face(&state.front, state))
                .back(stencil_face(&state.back, state));
        }
        let part = |part: BlendPart| {
            (
                vk::BlendFactor::from_raw(part.source),
                vk::BlendFactor::from_raw(part.destination),
                vk::BlendOp::from_raw(part.operation),
            )
        };
        let mut attachment = vk::PipelineColorBlendAttachmentState::default()
            .color_write_mask(vk::ColorComponentFlags::from_raw(draw.write_mask & 15));
        let mut blend = vk::PipelineColorBlendStateCreateInfo::default();
        if let Some(state) = draw.blend {
            let ((cs, cd, co), (as_, ad, ao)) = (part(state.color), part(state.alpha));
            attachment = attachment
                .blend_enable(true)
                .src_color_blend_factor(cs)
                .dst_color_blend_factor(cd)
                .color_blend_op(co)
                .src_alpha_blend_factor(as_)
                .dst_alpha_blend_factor(ad)
                .alpha_blend_op(ao);
            blend = blend.blend_constants(state.constant);
        }
        let attachments = vec![attachment; target.colors as usize];
        let blend = blend.attachments(&attachments);
        let info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .viewport_state(&view)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .depth_stencil_state(&depth)
            .color_blend_state(&blend)
            .layout(layout)
            .render_pass(pass);
        // SAFETY: all structures live until the call returns; the scope owns what is made.
        let made = unsafe { self.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
        let pipelines = made.map_err(|(_, e)| Error(format!("vkCreateGraphicsPipelines: {e}")))?;
        scope.own(Object::Pipeline(pipelines[0]));
        Ok(pipelines[0])
    }
}

/// The viewport, turned over so that y of clip space points up.
fn viewport(target: &Target, draw: &Draw<'_>) -> vk::Viewport {
    let [x, y, width, height, min_depth, max_depth] =
        draw.viewport.unwrap_or([0.0, 0.0, target.width as f32, target.height as f32, 0.0, 1.0]);
    let half = match target.centre {
        crate::PixelCentre::Half => 0.0,
        // A centre at (0, 0) comes to lie where Vulkan has it.
        crate::PixelCentre::Integer => 0.5,
    };
    vk::Viewport { x: x + half, y: y + height + half, width, height: -height, min_depth, max_depth }
}
