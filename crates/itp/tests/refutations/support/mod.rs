//! What the tests of proofs and interpolants share.

pub mod eval;
pub mod fm;
pub mod graph;
pub mod prover;
pub mod random;
pub mod solving;
