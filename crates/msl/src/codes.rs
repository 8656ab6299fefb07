//! The diagnostics of this writer (sheet D14). Every one of them is raised in [`crate::check`].

aquatint_base::codes! {
    NO_FORM "AQ5100" Unsupported "a construct without a Metal form"
        "Metal Shading Language has no way to say this. The message names the construct; rewrite it with one that has a form.";
    STAGE "AQ5101" Unsupported "a stage that is not vertex, fragment or kernel"
        "Only vertex, fragment and compute entry points can be written for Metal. Other stages have no Metal 2.4 counterpart.";
    WIDE "AQ5102" Unsupported "64-bit arithmetic that Metal lacks"
        "Metal has no double, no 64-bit integer vectors in buffers, almost no 64-bit atomics and no 64-bit wave arithmetic. Use 32 bits.";
    INTEGER_MATRIX "AQ5103" Unsupported "an integer or bool matrix"
        "Metal's matrices hold float or half. Use an array of vectors.";
    UNBOUNDED "AQ5104" Unsupported "an unbounded resource array"
        "Metal binds each element to an index, so the number of elements must be known.";
    INDEX_LIMIT "AQ5105" Unsupported "a resource index past Metal's limit"
        "A function sees buffers 0 to 30, textures 0 to 127 and samplers 0 to 15; buffer 30 carries the vertex attributes.";
    CULL_DISTANCE "AQ5106" Unsupported "cull distances"
        "Metal has clip distances only. Clip, or cull on the host.";
    ARRAY_LENGTH "AQ5107" Unsupported "the length of a buffer"
        "Metal does not tell a shader how long a buffer is. Pass the length in a constant buffer.";
    TEXTURE_ATOMIC "AQ5108" Unsupported "an atomic on a texture"
        "Atomics on textures came with Metal 3.1 and are not used here. Use a buffer.";
    VERTEX_WAVE "AQ5109" Unsupported "wave operations in a vertex shader"
        "A vertex function has no SIMD-group attributes. Move the wave operation to a fragment or compute entry point.";
    COMPARE_DIMENSION "AQ5111" Unsupported "comparison sampling of a 1D or 3D texture"
        "Metal compares on depth textures, which are 2D or cube. Use a 2D texture of height 1, or compare in the shader.";
    OFFSET_DIMENSION "AQ5112" Unsupported "a texel offset on a cube or 1D texture"
        "Metal takes offsets on 2D and 3D textures only. Add the offset to the coordinate instead.";
    OVERLAP "AQ5113" Unsupported "overlapping members"
        "Members that share bytes cannot be members of one Metal struct. Give them places of their own.";
    OFFSET_CONSTANT "AQ5114" Unsupported "a texel offset that is not constant"
        "Metal's texel offsets are part of the instruction. Add the offset to the coordinate instead.";
    GATHER_DEPTH "AQ5115" Unsupported "gathering another channel than red from a depth texture"
        "A texture that is compared anywhere in the entry becomes a depth texture, which has one channel. Gather red, or bind the texture twice.";
    FRAGMENT_BARRIER "AQ5117" Unsupported "a barrier outside a compute shader"
        "Metal has barriers in kernels only. Move the work to a compute entry point.";
    SYSTEM_VALUE "AQ5118" Unsupported "a system value that Metal lacks in this stage"
        "There is no attribute for it. Compute the value on the host or in another stage.";
    IO_TYPE "AQ5125" Unsupported "a stage input or output of a type that Metal refuses"
        "Stage inputs and outputs are 16- and 32-bit scalars and vectors; at most 31 vertex attributes.";
    WORKGROUP_MEMORY "AQ5126" Unsupported "more than 32768 bytes of threadgroup memory"
        "Metal guarantees 32 KiB a threadgroup. Use smaller arrays, or a storage buffer.";
    WORKGROUP_SIZE "AQ5127" Unsupported "a threadgroup of more than 1024 threads"
        "Metal's largest threadgroup has 1024 threads. Make the workgroup smaller and dispatch more of them.";
    LEVEL_DROPPED "AQ5191" Unsupported "a level argument on a 1D texture"
        "Metal's 1D textures have one level, so the argument has no effect and is dropped.";
    NO_ENTRY "AQ3021" Invalid "no such entry point"
        "The module has no entry point of that name. Names are case-sensitive; the message lists what there is, or `aquatint cat` does.";
    NEEDS "AQ4008" Limit "too many functions with too many globals"
        "Each function gets the globals that it needs as parameters, so the text grows with their product. Split the module.";
    NESTING "AQ4004" Limit "regions nested too deeply"
        "The nesting of a function's control flow is bounded, so that no input can exhaust the stack. Move inner parts to functions.";
    TYPE_NESTING "AQ4009" Limit "types nested too deeply"
        "The nesting of a type is bounded, so that no input can exhaust the stack.";
}
