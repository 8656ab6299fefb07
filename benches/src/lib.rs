//! Aquatint's times beside its peers' on the same inputs in the same run. Only ratios count: wall clocks differ by machine and
//! by minute. `cargo bench -p aquatint-benches` prints the tables; see `benches/bytecode.rs`.
