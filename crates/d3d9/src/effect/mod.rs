//! The fx_2_0 effect container.
