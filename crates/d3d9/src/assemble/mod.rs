//! Assembly text to shader tokens.
