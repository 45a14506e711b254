//! NUMPREDDOM: the statements of the paper, and the laws of its domains on random operations.

mod figure_8;
mod laws;
mod paper;
mod support;
