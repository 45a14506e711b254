//! Properties on random terms. `PLUMB_CASES` sets how many; without it, as many as take a few seconds.

mod agree;
mod boxes;
mod circuit;
#[path = "../../../term/tests/common/mod.rs"]
mod common;
mod exchange;
mod linearised;
mod multiples;
mod own;
mod projection;
