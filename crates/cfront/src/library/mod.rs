//! plumb's C library: C source for the functions that programs use without defining them.
//!
//! It is parsed with every program and lowered on demand. Positions in it name the pseudo file [`NAME`].

/// The file name of positions in the library.
pub const NAME: &str = "<prelude>";

/// Its source.
pub(crate) const SOURCE: &str = include_str!("libc.c");
