//! The validation layer: what it has against a job fails the job.
//!
//! It is switched on where it is installed (Debian: `vulkan-validationlayers`), unless `AQUATINT_VULKAN_VALIDATION=0`.

use ash::vk;
use std::ffi::{CStr, c_char, c_void};
use std::sync::Mutex;

const LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

/// What is let pass, with the reason.
const TOLERATED: [(&str, &str); 3] = [
    // Software vertex processing has 8192 constants: 128 KiB, where the devices' limit is 64 KiB. Mesa's CPU driver reads
    // them all the same.
    ("VUID-VkWriteDescriptorSet-descriptorType-00332", "maxUniformBufferRange"),
    // Semantics of vs_3_0 have locations past 31 (tangent3 …), where the limit is 32 locations; Mesa's has more room.
    ("VUID-RuntimeSpirv-Location-06272", "exceeds component limit"),
    // Direct3D 9 lets a pixel shader declare what no vertex shader writes. The lowering puts the default in its place.
    ("UNASSIGNED-CoreValidation-Shader-InputNotProduced", "which is not written by vertex shader"),
];

/// Messages kept of one job.
const MOST: usize = 8;

/// A messenger, and what it heard.
pub(crate) struct Validation {
    functions: ash::ext::debug_utils::Instance,
    messenger: vk::DebugUtilsMessengerEXT,
    // In a box of its own: the layer holds its address.
    heard: Box<Mutex<Vec<String>>>,
}

/// Whether the layer is there and not switched off.
pub(crate) fn is_wanted(entry: &ash::Entry) -> bool {
    if std::env::var_os("AQUATINT_VULKAN_VALIDATION").is_some_and(|value| value == "0") {
        return false;
    }
    // SAFETY: a query.
    let layers = unsafe { entry.enumerate_instance_layer_properties() }.unwrap_or_default();
    layers.iter().any(|layer| layer.layer_name_as_c_str().is_ok_and(|name| name == LAYER))
}

/// The layers and extensions that an instance needs for it.
pub(crate) fn names() -> (Vec<*const c_char>, Vec<*const c_char>) {
    (vec![LAYER.as_ptr()], vec![ash::ext::debug_utils::NAME.as_ptr()])
}

impl Validation {
    /// Listens to an instance that has the layer. `None` where it cannot.
    pub(crate) fn new(entry: &ash::Entry, instance: &ash::Instance) -> Option<Self> {
        let functions = ash::ext::debug_utils::Instance::new(entry, instance);
        let heard: Box<Mutex<Vec<String>>> = Box::default();
        let info = vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR)
            .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION | vk::DebugUtilsMessageTypeFlagsEXT::GENERAL)
            .pfn_user_callback(Some(hear))
            .user_data(std::ptr::from_ref::<Mutex<Vec<String>>>(&heard).cast_mut().cast());
        // SAFETY: the mutex outlives the messenger, which `drop` destroys.
        let messenger = unsafe { functions.create_debug_utils_messenger(&info, None) }.ok()?;
        Some(Self { functions, messenger, heard })
    }

    /// What was heard since the last time.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.heard.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

impl Drop for Validation {
    fn drop(&mut self) {
        // SAFETY: the instance is alive: `Gpu` destroys it afterwards.
        unsafe { self.functions.destroy_debug_utils_messenger(self.messenger, None) };
    }
}

unsafe extern "system" fn hear(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer gives what the specification says; `user` is the mutex of `new`.
    unsafe {
        let (Some(data), Some(heard)) = (data.as_ref(), user.cast::<Mutex<Vec<String>>>().as_ref()) else {
            return vk::FALSE;
        };
        let text = data.message_as_c_str().map_or_else(String::new, |text| text.to_string_lossy().into_owned());
        if TOLERATED.iter().any(|(id, what)| text.contains(id) && text.contains(what)) {
            return vk::FALSE;
        }
        if let Ok(mut all) = heard.lock()
            && all.len() < MOST
        {
            all.push(text);
        }
    }
    vk::FALSE
}
