//! Dispatches.

use crate::scope::{Object, Scope};
use crate::{Compute, Error, Gpu};
use ash::vk;

/// Contents of buffers by (set, binding).
pub type Contents = Vec<((u32, u32), Vec<u8>)>;

impl Gpu {
    /// Runs a compute shader. The storage buffers afterwards, by (set, binding), in the order of the bindings; each is
    /// padded to whole words.
    ///
    /// # Errors
    /// What Vulkan refuses.
    pub fn dispatch(&self, job: &Compute<'_>) -> Result<Contents, Error> {
        let mut scope = Scope::new(&self.device);
        let scope = &mut scope;
        let bound = self.bind(scope, &job.bindings, job.push.len(), vk::ShaderStageFlags::COMPUTE)?;
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(self.shader_module(scope, job.shader)?)
            .name(c"main");
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(bound.layout);
        // SAFETY: all structures live until the call returns; the scope owns what is made.
        let made = unsafe { self.device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) };
        let pipeline = made.map_err(|(_, e)| Error(format!("vkCreateComputePipelines: {e}")))?[0];
        scope.own(Object::Pipeline(pipeline));
        self.run(|commands| {
            bound.uploads.iter().for_each(|upload| upload.record(self, commands));
            let point = vk::PipelineBindPoint::COMPUTE;
            // SAFETY: the command buffer is being recorded, and everything bound lives in the scope.
            unsafe {
                self.device.cmd_bind_pipeline(commands, point, pipeline);
                if !bound.sets.is_empty() {
                    self.device.cmd_bind_descriptor_sets(commands, point, bound.layout, 0, &bound.sets, &[]);
                }
                if !job.push.is_empty() {
                    let stages = vk::ShaderStageFlags::COMPUTE;
                    self.device.cmd_push_constants(commands, bound.layout, stages, 0, &job.push);
                }
                let [x, y, z] = job.groups;
                self.device.cmd_dispatch(commands, x, y, z);
                let barrier = vk::MemoryBarrier::default()
                    .src_access_mask(vk::AccessFlags::SHADER_WRITE)
                    .dst_access_mask(vk::AccessFlags::HOST_READ);
                let (from, to) = (vk::PipelineStageFlags::COMPUTE_SHADER, vk::PipelineStageFlags::HOST);
                let none = vk::DependencyFlags::empty();
                self.device.cmd_pipeline_barrier(commands, from, to, none, &[barrier], &[], &[]);
            }
            Ok(())
        })?;
        bound.storage.iter().map(|&(place, buffer)| Ok((place, self.read(buffer)?))).collect()
    }
}
