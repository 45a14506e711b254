//! Interpolation: every engine on random problems, against the plain check and the validation of labels, and the textual form of
//! problems. `PLUMB_CASES` sets how many, `PLUMB_FIRST` with which to begin; without them, as many as take a few seconds.

#[path = "../../../term/tests/common/mod.rs"]
#[allow(dead_code)]
mod common;
mod engines;
mod gen;
mod recorded;
mod shapes;
mod text;
