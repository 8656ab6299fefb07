//! One shader, one input, every executor: all must agree.
