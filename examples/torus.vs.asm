// A lit, textured mesh: transforms, and hands on what torus.ps.asm needs.
//
// Names of the constants, as a compiler would have left them in the constant table, are in torus.vs.json:
//
//   aquatint asm examples/torus.vs.asm --ctab examples/torus.vs.json -o examples/torus.vs.bin

vs_2_0

dcl_position v0
dcl_normal v1
dcl_texcoord v2

m4x4 oPos, v0, c0       // g_mWorldViewProj, by columns
m3x3 oT1.xyz, v1, c4    // g_mWorld turns the normal
m4x3 r0.xyz, v0, c4
add oT2.xyz, c7, -r0    // g_vEyePos: toward the eye
mul oT0.xy, v2, c8      // g_vTiles
