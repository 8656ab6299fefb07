//! Diagnostic codes of the Direct3D 9 front-end.
