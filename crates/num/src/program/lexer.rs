//! Tokens with positions.

use super::{Error, Position};
use crate::int::Int;

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Name(String),
    Number(Int),
    Symbol(&'static str),
    End,
}

impl Token {
    /// How an error message names the token.
    pub(super) fn shown(&self) -> String {
        match self {
            Token::Name(n) => format!("`{n}`"),
            Token::Number(n) => format!("`{n}`"),
            Token::Symbol(s) => format!("`{s}`"),
            Token::End => "the end of the text".to_string(),
        }
    }
}

/// Longer symbols first.
const SYMBOLS: [&str; 24] =
    ["<=", ">=", "==", "!=", "&&", "||", ":=", "<", ">", "=", "!", "+", "-", "*", "(", ")", "{", "}", "[", "]", ";", ",", "≤", "≥"];

/// The tokens of a text, `End` last. `#` and `//` begin comments.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Position)>, Error> {
    let mut out = Vec::new();
    let mut at = Position { line: 1, column: 1 };
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if c.is_whitespace() {
            c.len_utf8()
        } else if c == '#' || rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else {
            let (token, length) = token(rest).ok_or_else(|| Error { at, message: format!("`{c}` does not belong to the language") })?;
            out.push((token, at));
            length
        };
        for c in rest[..length].chars() {
            at = if c == '\n' {
                Position { line: at.line.saturating_add(1), column: 1 }
            } else {
                Position { column: at.column.saturating_add(1), ..at }
            };
        }
        rest = &rest[length..];
    }
    out.push((Token::End, at));
    Ok(out)
}

/// The token a text begins with, and its length in bytes.
fn token(text: &str) -> Option<(Token, usize)> {
    let run = |f: fn(char) -> bool| text.find(|c: char| !f(c)).unwrap_or(text.len());
    let first = text.chars().next()?;
    if first.is_ascii_digit() {
        let length = run(|c| c.is_ascii_digit());
        return Some((Token::Number(text[..length].parse().ok()?), length));
    }
    if first.is_alphabetic() || first == '_' {
        let length = run(|c| c.is_alphanumeric() || c == '_' || c == '\'');
        return Some((Token::Name(text[..length].to_string()), length));
    }
    SYMBOLS.iter().find(|s| text.starts_with(**s)).map(|s| (Token::Symbol(s), s.len()))
}
