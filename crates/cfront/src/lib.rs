//! The C front end: C11 with GNU extensions, as people write it and as `gcc -E` leaves it.
//!
//! Source bytes become tokens, tokens a syntax tree ([`ast`]) that keeps what the user wrote and where. All positions
//! are the user's own: line markers (`# 12 "f.c"`) are applied while reading. The first error wins and is a
//! [`Diagnostic`]: a position and a sentence.

pub mod ast;
mod diagnostic;
mod lex;
pub mod parse;
pub mod print;
mod symbol;

pub use diagnostic::{Diagnostic, Problem};
pub use lex::needs_preprocessor;
pub use parse::parse;
pub use symbol::{Interner, Symbol};
