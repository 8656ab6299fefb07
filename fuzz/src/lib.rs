//! What the fuzz targets check. A target hands its bytes to the function of its name here; whatever is wrong is a panic.
//!
//! | module | holds |
//! |---|---|
//! | [`bytecode`] | `tokens`, `disassemble`, `assemble` |
//! | [`tables`] | `ctab`, `preshader`, `effect` |
//! | [`hlsl`] | `hlsl`, `hlsl_preprocess` |
//! | [`ir_text`](mod@ir_text) | `ir_text`, and what every verified module must withstand |
//! | [`meaning`](mod@meaning) | `meaning`: passes by what they do |
//! | [`settings`] | options made from bytes |
//! | [`mutate`] | mutations of bytecode and of text |

pub mod bytecode;
pub mod hlsl;
pub mod ir_text;
pub mod meaning;
pub mod mutate;
pub mod settings;
pub mod tables;

use aquatint_base::Diags;

/// Refusals have a reason, and what is accepted has no error.
#[track_caller]
pub fn agree<T>(result: &Option<T>, diags: &Diags) {
    assert_eq!(result.is_none(), diags.has_errors(), "{:?}", diags.iter().next());
}
