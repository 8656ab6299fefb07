// An evening sea: procedural waves under a procedural sky, on a square over the whole picture.
//
//   aquatint render --ps examples/ocean.ps.asm --size 640x400 -o ocean.png
//
// Each pixel casts a ray. Above the horizon it sees the sky, a subroutine; below, it meets the plane of the water, whose
// slope is the sum of waves in a loop, and sees the sky once more by reflection, as much as Fresnel's law lets through.

ps_3_0

dcl_texcoord0 v0.xy

//         x: minus the middle   y: minus the horizon   scale of x   scale of y
def c0, -0.5, -0.43, 1.75, -1.09
//         0    1    1/2    2
def c1, 0, 1, 0.5, 2
//         1/2pi         1/2  2pi         -pi
def c2, 0.159154937, 0.5, 6.28318548, -3.14159274
//      direction of the sun
def c3, 0.2137, 0.0750, 0.9740, 0
//      colours: horizon, zenith, sun, deep water, light through the water
def c4, 0.86, 0.36, 0.13, 0
def c5, 0.035, 0.075, 0.24, 0
def c6, 1.25, 0.62, 0.27, 0
def c7, 0.004, 0.028, 0.05, 0
def c8, 0.012, 0.10, 0.11, 0
//      exponents: haze around the sun, glow, disc; steepness of the sky's ramp
def c9, 9, 110, 5200, 0.62
//      first frequency, first slope, growth of frequency, decay of slope
def c10, 1.7, 0.36, 1.31, 0.86
//      next direction: cosine and sine of a turn; shift of phase; drag of the domain
def c11, -0.3624, 0.9320, 2.399, 0.34
//      height of the zenith's colour, damping by distance, Fresnel's least and rest
def c12, 2.1, 0.06, 0.02, 0.98
//      haze by distance
def c14, -0.013, 0, 0, 0
//      exposure, 1/gamma, weight of the disc
def c13, -1.45, 0.4545, 24, 0.42
//      waves
defi i0, 14, 0, 0, 0

// The ray, r1.
add r0.xy, v0, c0
mul r0.xy, r0, c0.zwzw
mov r0.z, c1.y
nrm r1.xyz, r0

if_ge r1.y, c1.x
  mov r4.xyz, r1
  call l0
  mov r5.xyz, r3
else
  // Distance to the water one unit below, r2.w; place on it, r2.xy.
  rcp r2.w, -r1.y
  mul r2.xy, r1.xzzz, r2.w
  // Slopes add up in r6; r7 = frequency, slope, phase; r8 = direction.
  mov r6.xy, c1.x
  mov r7.xy, c10
  mov r7.z, c1.y
  mov r8.xy, c1.yxxx
  rep i0
    dp2add r9.x, r2, r8, c1.x
    mad r9.x, r9.x, r7.x, r7.z
    mad r9.x, r9.x, c2.x, c2.y
    frc r9.x, r9.x
    mad r9.x, r9.x, c2.z, c2.w
    sincos r10.xy, r9.x
    // exp2(sin - 1) * cos: crests are narrow, troughs wide.
    add r9.y, r10.y, -c1.y
    exp r9.y, r9.y
    mul r9.y, r9.y, r10.x
    mul r9.y, r9.y, r7.y
    mad r6.xy, r8, r9.y, r6
    // The place drifts against the slope, which breaks the pattern up.
    rcp r9.z, r7.x
    mul r9.z, r9.z, r9.y
    mul r9.z, r9.z, c11.w
    mad r2.xy, r8, -r9.z, r2
    // The next wave: finer, flatter, in another direction.
    mul r7.xy, r7, c10.zwzw
    add r7.z, r7.z, c11.z
    mul r9.xy, r8.yxyx, c11.y
    mad r10.x, r8.x, c11.x, -r9.x
    mad r10.y, r8.y, c11.x, r9.y
    mov r8.xy, r10
  endrep
  // Far waves are smaller than a pixel: flatten them.
  mad r9.x, r2.w, c12.y, c1.y
  rcp r9.x, r9.x
  mul r6.xy, r6, r9.x
  mov r9.xz, -r6.xyyy
  mov r9.y, c1.y
  nrm r10.xyz, r9
  // Reflected ray, turned up where it would go down.
  dp3 r9.x, r1, r10
  add r9.y, r9.x, r9.x
  mad r4.xyz, r10, -r9.y, r1
  abs r4.y, r4.y
  call l0
  // Fresnel: 0.02 + 0.98 (1 - cos)^5.
  add_sat r9.x, c1.y, r9.x
  mul r9.y, r9.x, r9.x
  mul r9.y, r9.y, r9.y
  mul r9.x, r9.x, r9.y
  mad r9.x, r9.x, c12.w, c12.z
  // The water's own colour, brighter where a wave leans toward the eye.
  mad_sat r9.y, r6.y, c1.w, c1.z
  mov r11.xyz, c7
  mad r11.xyz, c8, r9.y, r11
  lrp r5.xyz, r9.x, r3, r11
  // Haze.
  mul r9.x, r2.w, c14.x
  exp r9.x, r9.x
  mov r4.xyz, r1
  mov r4.y, c1.x
  call l0
  lrp r5.xyz, r9.x, r5, r3
endif

// Exposure: 1 - exp2(-k c), then the encoding of screens.
mul r0.xyz, r5, c13.x
exp r1.x, r0.x
exp r1.y, r0.y
exp r1.z, r0.z
add_sat r0.xyz, c1.y, -r1
pow r1.x, r0.x, c13.y
pow r1.y, r0.y, c13.y
pow r1.z, r0.z, c13.y
mov r1.w, c1.y
mov oC0, r1
ret

// The sky in direction r4, to r3. Changes r12 and r13.
label l0
  nrm r12.xyz, r4
  // From the horizon's colour to the zenith's.
  mul_sat r13.x, r12.y, c12.x
  pow r13.x, r13.x, c9.w
  lrp r3.xyz, r13.x, c5, c4
  // The sun: haze, glow, disc.
  dp3_sat r13.x, r12, c3
  pow r13.y, r13.x, c9.x
  pow r13.z, r13.x, c9.y
  pow r13.w, r13.x, c9.z
  mul r13.y, r13.y, c13.w
  add r13.y, r13.y, r13.z
  mad r13.y, r13.w, c13.z, r13.y
  mad r3.xyz, c6, r13.y, r3
ret
