// The names of `simd` are Metal's own.
#pragma once
#include <metal_stdlib>
