//! Instance, device and queue: one of each, for many jobs.

use crate::Error;
use crate::validation::{self, Validation};
use ash::vk;
use std::ffi::{CStr, c_char};

/// Why there is no device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unavailable(pub String);

impl std::fmt::Display for Unavailable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no Vulkan device: {}", self.0)
    }
}

/// A Vulkan device.
pub struct Gpu {
    // Keeps the library loaded.
    _entry: ash::Entry,
    instance: ash::Instance,
    pub(crate) device: ash::Device,
    pub(crate) queue: vk::Queue,
    pub(crate) pool: vk::CommandPool,
    pub(crate) fence: vk::Fence,
    pub(crate) memory: vk::PhysicalDeviceMemoryProperties,
    pub(crate) depth_format: vk::Format,
    pub(crate) custom_border: bool,
    name: String,
    api: u32,
    features: vk::PhysicalDeviceFeatures,
    float_controls: bool,
    subgroup: u32,
    // Dropped before the instance, which `Drop` destroys by hand.
    validation: Option<Validation>,
}

/// Extensions that are switched on where the device has them.
const WANTED: [&CStr; 3] = [
    ash::ext::shader_demote_to_helper_invocation::NAME,
    ash::khr::shader_float_controls::NAME,
    ash::ext::custom_border_color::NAME,
];

impl Gpu {
    /// Opens the device that the module's documentation says.
    ///
    /// # Errors
    /// Where there is no Vulkan, or no such device.
    pub fn open() -> Result<Self, Unavailable> {
        // SAFETY: the calls follow the specification; everything made here is destroyed in `drop`.
        unsafe {
            let entry = ash::Entry::load().map_err(|e| Unavailable(format!("the loader is not installed ({e})")))?;
            let version = entry.try_enumerate_instance_version().ok().flatten().unwrap_or(vk::API_VERSION_1_0);
            if version < vk::API_VERSION_1_1 {
                return Err(Unavailable("the loader knows Vulkan 1.0 only".to_owned()));
            }
            let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3.min(version));
            let validated = validation::is_wanted(&entry);
            let (layers, extensions) = if validated { validation::names() } else { Default::default() };
            let info = vk::InstanceCreateInfo::default()
                .application_info(&application)
                .enabled_layer_names(&layers)
                .enabled_extension_names(&extensions);
            let instance =
                entry.create_instance(&info, None).map_err(|e| Unavailable(format!("vkCreateInstance: {e}")))?;
            let validation = validated.then(|| Validation::new(&entry, &instance)).flatten();
            match Self::on_instance(&entry, &instance) {
                Ok((physical, name)) => Self::create(entry, instance, physical, name, validation),
                Err(why) => {
                    drop(validation);
                    instance.destroy_instance(None);
                    Err(why)
                }
            }
        }
    }

    unsafe fn on_instance(
        _: &ash::Entry,
        instance: &ash::Instance,
    ) -> Result<(vk::PhysicalDevice, String), Unavailable> {
        let wanted = std::env::var("AQUATINT_VULKAN_DEVICE").ok();
        // SAFETY: the instance is alive.
        let all = unsafe { instance.enumerate_physical_devices() }.map_err(|e| Unavailable(e.to_string()))?;
        let mut named: Vec<(vk::PhysicalDevice, String)> = Vec::new();
        for physical in all {
            // SAFETY: the handle comes from this instance.
            let properties = unsafe { instance.get_physical_device_properties(physical) };
            if properties.api_version < vk::API_VERSION_1_1 {
                continue;
            }
            let name =
                properties.device_name_as_c_str().map_or_else(|_| String::new(), |n| n.to_string_lossy().into_owned());
            named.push((physical, name));
        }
        let found = match &wanted {
            Some(wanted) => named.iter().find(|(_, name)| name.contains(wanted.as_str())),
            None => named.iter().find(|(_, name)| name.starts_with("llvmpipe")).or(named.first()),
        };
        let names: Vec<&str> = named.iter().map(|(_, name)| name.as_str()).collect();
        found.cloned().ok_or_else(|| Unavailable(format!("none of {names:?} is wanted")))
    }

    unsafe fn create(
        entry: ash::Entry,
        instance: ash::Instance,
        physical: vk::PhysicalDevice,
        name: String,
        validation: Option<Validation>,
    ) -> Result<Self, Unavailable> {
        // SAFETY: handles come from this instance; structures live as long as the calls that take them.
        unsafe {
            let api = instance.get_physical_device_properties(physical).api_version;
            let families = instance.get_physical_device_queue_family_properties(physical);
            let both = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
            let family = families.iter().position(|f| f.queue_flags.contains(both)).unwrap_or(0) as u32;
            let extensions = instance.enumerate_device_extension_properties(physical).unwrap_or_default();
            let has = |name: &CStr| extensions.iter().any(|e| e.extension_name_as_c_str().is_ok_and(|n| n == name));
            let names: Vec<*const c_char> = WANTED.iter().filter(|n| has(n)).map(|n| n.as_ptr()).collect();
            let mut v11 = vk::PhysicalDeviceVulkan11Features::default();
            let mut v12 = vk::PhysicalDeviceVulkan12Features::default();
            let mut demote = vk::PhysicalDeviceShaderDemoteToHelperInvocationFeatures::default();
            let mut border = vk::PhysicalDeviceCustomBorderColorFeaturesEXT::default();
            let mut features = vk::PhysicalDeviceFeatures2::default();
            if api >= vk::API_VERSION_1_2 {
                features = features.push_next(&mut v11).push_next(&mut v12);
            }
            if has(ash::ext::shader_demote_to_helper_invocation::NAME) || api >= vk::API_VERSION_1_3 {
                features = features.push_next(&mut demote);
            }
            if has(ash::ext::custom_border_color::NAME) {
                features = features.push_next(&mut border);
            }
            // All that there is: what a shader may use is its writer's affair.
            instance.get_physical_device_features2(physical, &mut features);
            let core = features.features;
            let priorities = [1.0];
            let queues =
                [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&priorities)];
            let info = vk::DeviceCreateInfo::default()
                .queue_create_infos(&queues)
                .enabled_extension_names(&names)
                .push_next(&mut features);
            let made = instance.create_device(physical, &info, None);
            let custom_border = border.custom_border_color_without_format == vk::TRUE;
            let device = match made {
                Ok(device) => device,
                Err(e) => {
                    drop(validation);
                    instance.destroy_instance(None);
                    return Err(Unavailable(format!("vkCreateDevice: {e}")));
                }
            };
            let queue = device.get_device_queue(family, 0);
            let pool_info = vk::CommandPoolCreateInfo::default()
                .queue_family_index(family)
                .flags(vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER);
            let pool = device.create_command_pool(&pool_info, None);
            let fence = device.create_fence(&vk::FenceCreateInfo::default(), None);
            let formats = [vk::Format::D24_UNORM_S8_UINT, vk::Format::D32_SFLOAT_S8_UINT];
            let depth_format = formats.into_iter().find(|&format| {
                let properties = instance.get_physical_device_format_properties(physical, format);
                properties.optimal_tiling_features.contains(vk::FormatFeatureFlags::DEPTH_STENCIL_ATTACHMENT)
            });
            let memory = instance.get_physical_device_memory_properties(physical);
            let mut controls = vk::PhysicalDeviceFloatControlsProperties::default();
            let mut subgroups = vk::PhysicalDeviceSubgroupProperties::default();
            let mut properties =
                vk::PhysicalDeviceProperties2::default().push_next(&mut controls).push_next(&mut subgroups);
            instance.get_physical_device_properties2(physical, &mut properties);
            let subgroup = subgroups.subgroup_size;
            let float_controls = controls.shader_signed_zero_inf_nan_preserve_float32 == vk::TRUE;
            let (Ok(pool), Ok(fence), Some(depth_format)) = (pool, fence, depth_format) else {
                device.destroy_device(None);
                drop(validation);
                instance.destroy_instance(None);
                return Err(Unavailable(format!("{name} is out of memory or has no depth format")));
            };
            Ok(Self {
                _entry: entry,
                instance,
                device,
                queue,
                pool,
                fence,
                memory,
                depth_format,
                custom_border,
                name,
                api,
                features: core,
                float_controls,
                subgroup,
                validation,
            })
        }
    }

    /// The device's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The Vulkan version of the device: major, minor.
    pub fn version(&self) -> (u32, u32) {
        (vk::api_version_major(self.api), vk::api_version_minor(self.api))
    }

    /// Whether shaders may use 64-bit floats.
    pub fn has_doubles(&self) -> bool {
        self.features.shader_float64 == vk::TRUE
    }

    /// Whether shaders may ask for NaN, infinities and the signs of zeros to be kept.
    pub fn has_float_controls(&self) -> bool {
        self.float_controls
    }

    /// Whether the validation layer watches.
    pub fn is_validated(&self) -> bool {
        self.validation.is_some()
    }

    /// Lanes of a subgroup.
    pub fn subgroup_size(&self) -> u32 {
        self.subgroup
    }

    /// Records commands, runs them, and waits. What the validation layer has against the job so far is an error.
    pub(crate) fn run(&self, record: impl FnOnce(vk::CommandBuffer) -> Result<(), Error>) -> Result<(), Error> {
        // SAFETY: the command buffer is used by this thread alone until the fence is passed; `&self` is not Sync-shared
        // by the callers (a mutex stands around it where threads meet).
        unsafe {
            let info = vk::CommandBufferAllocateInfo::default().command_pool(self.pool).command_buffer_count(1);
            let buffers = self.device.allocate_command_buffers(&info)?;
            let outcome = self.record_and_wait(&buffers, record);
            self.device.free_command_buffers(self.pool, &buffers);
            match self.validation.as_ref().map(Validation::take).unwrap_or_default() {
                said if said.is_empty() => outcome,
                said => Err(Error(format!("the validation layer: {}", said.join("\n")))),
            }
        }
    }

    unsafe fn record_and_wait(
        &self,
        buffers: &[vk::CommandBuffer],
        record: impl FnOnce(vk::CommandBuffer) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // SAFETY: as in `run`.
        unsafe {
            let begin = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
            self.device.begin_command_buffer(buffers[0], &begin)?;
            record(buffers[0])?;
            self.device.end_command_buffer(buffers[0])?;
            let submits = [vk::SubmitInfo::default().command_buffers(buffers)];
            self.device.queue_submit(self.queue, &submits, self.fence)?;
            // Ten seconds: a shader that goes on longer is stuck.
            let waited = self.device.wait_for_fences(&[self.fence], true, 10_000_000_000);
            if waited.is_err() {
                let _ = self.device.device_wait_idle();
            }
            self.device.reset_fences(&[self.fence])?;
            waited?;
            Ok(())
        }
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // SAFETY: jobs wait for their work, and their objects are gone.
        unsafe {
            let _ = self.device.device_wait_idle();
            self.device.destroy_fence(self.fence, None);
            self.device.destroy_command_pool(self.pool, None);
            self.device.destroy_device(None);
            self.validation = None;
            self.instance.destroy_instance(None);
        }
    }
}
