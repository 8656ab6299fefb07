//! Direct3D 9 shader bytecode: every shader version from vs_1_0 and ps_1_0 to vs_3_sw and ps_3_sw, the D3DX constant
//! table, preshaders and the fx_2_0 effect container.

pub mod assemble;
pub mod codes;
pub mod ctab;
pub mod disassemble;
pub mod driver;
pub mod effect;
pub mod lower;
pub mod preshader;
pub mod tokens;
