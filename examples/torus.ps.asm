// A lit, textured mesh: a key light with a highlight, light from sky and ground, and a rim toward the edge.
//
//   aquatint asm examples/torus.ps.asm --ctab examples/torus.ps.json -o examples/torus.ps.bin

ps_2_0

def c10, 0.5, 1, 0, 3.2

dcl t0.xy               // tiles of the texture
dcl t1.xyz              // normal
dcl t2.xyz              // toward the eye
dcl_2d s0               // g_Albedo
dcl_2d s1               // g_Grain

texld r0, t0, s0
texld r1, t0, s1
nrm r2.xyz, t1
nrm r3.xyz, t2
dp3_sat r4.x, r2, c0    // g_vLight
add r5.xyz, r3, c0
nrm r6.xyz, r5
dp3_sat r4.y, r2, r6
pow r4.z, r4.y, c1.w    // g_cHighlight, and its exponent
mul r4.z, r4.z, r4.x
// From sky and ground.
mad r4.w, r2.y, c10.x, c10.x
mov r5.xyz, c3          // g_cGround
lrp r7.xyz, r4.w, c2, r5 // g_cSky
mad r7.xyz, c4, r4.x, r7 // g_cLight
mul r0.xyz, r0, r7
// Grain in the texture makes the highlight uneven.
mul r1.x, r1.x, r4.z
mad r0.xyz, c1, r1.x, r0
// The rim.
dp3_sat r4.x, r2, r3
add r4.x, c10.y, -r4.x
pow r4.y, r4.x, c10.w
mad r0.xyz, c5, r4.y, r0 // g_cRim
mov r0.w, c10.y
mov oC0, r0
