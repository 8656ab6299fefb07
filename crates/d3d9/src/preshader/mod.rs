//! Preshaders and fx expressions.
