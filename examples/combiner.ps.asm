// Eight instructions of the year 2001: two textures, a colour from the vertices, and the tricks of the combiners.
//
//   aquatint render --ps examples/combiner.ps.asm --tex 0=gradient --tex 1=noise --size 256x256 -o combiner.png

ps_1_1

def c0, 0.90, 0.72, 0.35, 0.65
def c1, 0.08, 0.10, 0.22, 1

tex t0                      // base
tex t1                      // detail, grey around one half

mul_x2 r0.rgb, t0, t1       // detail texturing: grey leaves the base as it is
+ mov r0.a, t1.b            // in the same slot, the detail goes to alpha
mad_x4_sat r1.rgb, t1_bias, v0, c1
sub_sat r1.a, r0.a, c0.a    // where the detail passes a threshold …
cnd r0.a, r0.a, c0.a, c1.a
lrp r0.rgb, r0.a, r0, r1    // … the two are blended
mad_sat r0.rgb, c0, r1.a, r0
