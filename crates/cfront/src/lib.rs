//! The C front end: C11 with GNU extensions, as people write it and as `gcc -E` leaves it.
//!
//! Source bytes become tokens, tokens a syntax tree ([`ast`]) that keeps what the user wrote and where, trees a
//! [`plumb_cfa::Program`] ([`load`]). All positions are the user's own: line markers (`# 12 "f.c"`) are applied while
//! reading. The first error wins and is a [`Diagnostic`]: a position and a sentence. What plumb gives no meaning to is no
//! error: it becomes an edge that makes the verdict unknown if it is reached.

pub mod ast;
mod diagnostic;
mod lex;
pub mod library;
mod load;
mod lower;
pub mod parse;
pub mod pointsto;
pub mod preprocess;
pub mod print;
mod symbol;
pub mod types;
pub mod weave;

pub use diagnostic::{Diagnostic, Problem};
pub use lex::needs_preprocessor;
pub use load::{load, load_woven, ErrorSpec, Input, LoadError, Options};
pub use parse::parse;
pub use symbol::{Interner, Symbol};
