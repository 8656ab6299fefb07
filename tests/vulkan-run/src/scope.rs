//! The Vulkan objects of one job, destroyed together in reverse order.

use ash::vk;

/// An object to destroy.
pub(crate) enum Object {
    Buffer(vk::Buffer),
    BufferView(vk::BufferView),
    Image(vk::Image),
    View(vk::ImageView),
    Memory(vk::DeviceMemory),
    Sampler(vk::Sampler),
    Layout(vk::DescriptorSetLayout),
    Pool(vk::DescriptorPool),
    PipelineLayout(vk::PipelineLayout),
    Module(vk::ShaderModule),
    RenderPass(vk::RenderPass),
    Framebuffer(vk::Framebuffer),
    Pipeline(vk::Pipeline),
}

/// Owns objects until it is dropped. The device must be idle then.
pub struct Scope<'d> {
    pub(crate) device: &'d ash::Device,
    objects: Vec<Object>,
}

impl<'d> Scope<'d> {
    pub(crate) fn new(device: &'d ash::Device) -> Self {
        Self { device, objects: Vec::new() }
    }

    pub(crate) fn own(&mut self, object: Object) {
        self.objects.push(object);
    }
}

impl Drop for Scope<'_> {
    fn drop(&mut self) {
        // SAFETY: every object was made by this device and is used by nothing any more: jobs wait for their fence.
        unsafe {
            for object in self.objects.drain(..).rev() {
                let d = self.device;
                match object {
                    Object::Buffer(o) => d.destroy_buffer(o, None),
                    Object::BufferView(o) => d.destroy_buffer_view(o, None),
                    Object::Image(o) => d.destroy_image(o, None),
                    Object::View(o) => d.destroy_image_view(o, None),
                    Object::Memory(o) => d.free_memory(o, None),
                    Object::Sampler(o) => d.destroy_sampler(o, None),
                    Object::Layout(o) => d.destroy_descriptor_set_layout(o, None),
                    Object::Pool(o) => d.destroy_descriptor_pool(o, None),
                    Object::PipelineLayout(o) => d.destroy_pipeline_layout(o, None),
                    Object::Module(o) => d.destroy_shader_module(o, None),
                    Object::RenderPass(o) => d.destroy_render_pass(o, None),
                    Object::Framebuffer(o) => d.destroy_framebuffer(o, None),
                    Object::Pipeline(o) => d.destroy_pipeline(o, None),
                }
            }
        }
    }
}
