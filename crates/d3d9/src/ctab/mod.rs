//! The D3DX constant table.
