//! Dispatches.

use crate::bind::Bound;
use crate::memory::HostBuffer;
use crate::scope::{Object, Scope};
use crate::{Compute, Error, Gpu};
use ash::vk;

/// Contents of buffers and images by (set, binding).
pub type Contents = Vec<((u32, u32), Vec<u8>)>;

impl Gpu {
    /// Runs a compute shader. What it may have written (storage buffers, texel buffers and images) afterwards, by (set,
    /// binding), in the order of the bindings; each is padded to whole words.
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
        let mut back = Vec::new();
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
            }
            back = self.back(commands, &bound);
            Ok(())
        })?;
        back.into_iter().map(|(place, buffer)| Ok((place, self.read(buffer)?))).collect()
    }

    /// Records that the host sees what shaders wrote.
    pub(crate) fn back(&self, commands: vk::CommandBuffer, bound: &Bound) -> Vec<((u32, u32), HostBuffer)> {
        let everything = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
        let barrier = vk::MemoryBarrier::default().src_access_mask(everything).dst_access_mask(everything);
        let all = vk::PipelineStageFlags::ALL_COMMANDS;
        let host = vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::HOST_READ);
        let none = vk::DependencyFlags::empty();
        // SAFETY: the command buffer is being recorded.
        unsafe { self.device.cmd_pipeline_barrier(commands, all, all, none, &[barrier], &[], &[]) };
        let back = bound.record_back(self, commands);
        // SAFETY: as above.
        unsafe {
            self.device.cmd_pipeline_barrier(commands, all, vk::PipelineStageFlags::HOST, none, &[host], &[], &[]);
        }
        back
    }
}
