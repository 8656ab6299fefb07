// warning AQ5191: the level of a 1D texture is dropped
// error AQ5112: a texel offset on kind 1d
// error AQ5108: an atomic on a texture
