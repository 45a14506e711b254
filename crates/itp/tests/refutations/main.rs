//! Proofs of small random problems, and what is read off them: checked, written, cut, labelled, simplified.

mod dag;
mod fuzz;
mod interpolation;
mod proof_check;
mod simplify;
mod support;

/// How many random problems a test takes: the slice that suits every build, or what the environment asks for.
fn cases(default: u64) -> u64 {
    std::env::var("PLUMB_ITP_CASES").ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}
