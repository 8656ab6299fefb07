// error AQ5106: cull distances have no form in Metal
// error AQ5102: Metal has no double
// error AQ5107: the length of a buffer cannot be asked for
