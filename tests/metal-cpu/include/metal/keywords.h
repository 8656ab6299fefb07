// Metal's keywords, and OpenCL's out of the way.
#pragma once

// OpenCL's own words are names in Metal.
#define global aq_name_global
#define local aq_name_local
#define generic aq_name_generic
#define pipe aq_name_pipe
#define read_only aq_name_read_only
#define write_only aq_name_write_only
#define read_write aq_name_read_write
#define image1d_t aq_name_image1d_t
#define image1d_array_t aq_name_image1d_array_t
#define image1d_buffer_t aq_name_image1d_buffer_t
#define image2d_t aq_name_image2d_t
#define image2d_array_t aq_name_image2d_array_t
#define image3d_t aq_name_image3d_t
#define sampler_t aq_name_sampler_t
#define event_t aq_name_event_t
#define clk_event_t aq_name_clk_event_t
#define queue_t aq_name_queue_t
#define reserve_id_t aq_name_reserve_id_t
#define vec_step aq_name_vec_step
#define addrspace_cast aq_name_addrspace_cast
// OpenCL has atomic types and memory orders of these names in the global scope.
#define atomic_int aq_atomic_int
#define atomic_uint aq_atomic_uint
#define atomic_bool aq_atomic_bool
#define atomic_long aq_atomic_long
#define atomic_ulong aq_atomic_ulong
#define atomic_float aq_atomic_float
#define atomic_double aq_name_atomic_double
#define atomic_flag aq_name_atomic_flag
#define atomic_size_t aq_name_atomic_size_t
#define atomic_intptr_t aq_name_atomic_intptr_t
#define atomic_uintptr_t aq_name_atomic_uintptr_t
#define atomic_ptrdiff_t aq_name_atomic_ptrdiff_t

// What Apple's headers mark functions with.
#define METAL_FUNC inline __attribute__((always_inline))
#define METAL_CONST_ARG(...)
#define METAL_ASM(...)
#define METAL_INTERNAL
#if __METAL_VERSION__ >= 320
#define coherent
#endif

#define thread __private
#define device __global
#define threadgroup __local
#define constant __constant

// What an entry function is shows in the AST.
#define vertex __attribute__((annotate("vertex")))
#define fragment __attribute__((annotate("fragment")))
#define kernel __attribute__((annotate("kernel")))
