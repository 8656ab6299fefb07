//! Draws with SPIR-V on a Vulkan device, for tests.
