//! What the front end says when it cannot go on: a position and a sentence.

use std::fmt;

use plumb_term::{SourceMap, Span};

/// Whose problem a [`Diagnostic`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The input is not C (nor GNU C): the user has to change it.
    Invalid,
    /// The input is fine, but plumb does not give it a meaning yet.
    Unsupported,
}

/// An error with its place in the user's source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Where it happened.
    pub span: Span,
    /// Whether the input or plumb is at fault.
    pub problem: Problem,
    /// One sentence without the position, in lower case and without a full stop.
    pub message: String,
}

impl Diagnostic {
    /// The input at `span` is not valid C.
    pub fn invalid(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { span, problem: Problem::Invalid, message: message.into() }
    }

    /// The construct at `span` is valid but not supported.
    pub fn unsupported(span: Span, message: impl Into<String>) -> Self {
        Diagnostic { span, problem: Problem::Unsupported, message: message.into() }
    }

    /// `file:line:column: error: sentence`, as compilers print it.
    pub fn show<'a>(&'a self, sources: &'a SourceMap) -> impl fmt::Display + 'a {
        struct Show<'a>(&'a Diagnostic, &'a SourceMap);
        impl fmt::Display for Show<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let kind = match self.0.problem {
                    Problem::Invalid => "error",
                    Problem::Unsupported => "unsupported",
                };
                write!(f, "{}: {kind}: {}", self.1.show(self.0.span), self.0.message)
            }
        }
        Show(self, sources)
    }
}
