//! S-expressions: words and lists.

use std::fmt;

/// Lists nest at most this deep.
const MAX_DEPTH: usize = 120;

/// A word or a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sexp {
    /// A word.
    Atom(String),
    /// A list.
    List(Vec<Sexp>),
}

/// Why a text cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError(pub String);

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TextError {}

impl Sexp {
    /// The word.
    pub fn atom(&self) -> Result<&str, TextError> {
        match self {
            Sexp::Atom(w) => Ok(w),
            Sexp::List(_) => Err(TextError(format!("a word was expected, not {self}"))),
        }
    }

    /// The elements of a list.
    pub fn list(&self) -> Result<&[Sexp], TextError> {
        match self {
            Sexp::List(l) => Ok(l),
            Sexp::Atom(w) => Err(TextError(format!("a list was expected, not {w}"))),
        }
    }

    /// A list's first word and its other elements.
    pub fn call(&self) -> Result<(&str, &[Sexp]), TextError> {
        let (head, rest) = self.list()?.split_first().ok_or_else(|| TextError("an empty list".into()))?;
        Ok((head.atom()?, rest))
    }

    /// A word that is a natural number.
    pub fn number(&self) -> Result<usize, TextError> {
        let w = self.atom()?;
        w.parse().map_err(|_| TextError(format!("a number was expected, not {w}")))
    }
}

impl fmt::Display for Sexp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sexp::Atom(w) => f.write_str(w),
            Sexp::List(l) => {
                f.write_str("(")?;
                for (i, s) in l.iter().enumerate() {
                    if i > 0 {
                        f.write_str(" ")?;
                    }
                    s.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}

/// The expressions of a text; `;` starts a comment that ends with its line.
pub fn parse(text: &str) -> Result<Vec<Sexp>, TextError> {
    let mut stack: Vec<Vec<Sexp>> = vec![Vec::new()];
    for line in text.lines() {
        let line = line.split(';').next().unwrap_or_default();
        let mut word = String::new();
        for c in line.chars().chain([' ']) {
            if !(c == '(' || c == ')' || c.is_whitespace()) {
                word.push(c);
                continue;
            }
            if let (false, Some(top)) = (word.is_empty(), stack.last_mut()) {
                top.push(Sexp::Atom(std::mem::take(&mut word)));
            }
            match c {
                '(' if stack.len() > MAX_DEPTH => return Err(TextError(format!("lists nest deeper than {MAX_DEPTH}"))),
                '(' => stack.push(Vec::new()),
                ')' => {
                    let list = stack.pop().unwrap_or_default();
                    let top = stack.last_mut().ok_or_else(|| TextError("a parenthesis closes nothing".into()))?;
                    top.push(Sexp::List(list));
                }
                _ => {}
            }
        }
    }
    match (stack.pop(), stack.is_empty()) {
        (Some(all), true) => Ok(all),
        _ => Err(TextError("a parenthesis is not closed".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_comments() {
        let all = parse("(a (b 1)c) ; no (matter\n d").expect("well-formed");
        assert_eq!(all.iter().map(|s| s.to_string()).collect::<Vec<_>>(), ["(a (b 1) c)", "d"]);
        assert!(parse("(a").is_err() && parse("a)").is_err());
        assert!(parse(&"(".repeat(1_000_000)).is_err());
    }
}
