//! What the tests of proofs and interpolants share. Each test uses its part of it.

#![allow(dead_code)]

pub mod eval;
pub mod fm;
pub mod prover;
pub mod random;
