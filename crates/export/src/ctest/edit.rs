//! Insertions into a copy of the source.

use crate::scan::{Scanner, Token, TokenKind};
use crate::source::Place;

/// Insertions, each at a byte of one input file.
#[derive(Clone, Debug, Default)]
pub(super) struct Edits {
    insertions: Vec<(Place, String)>,
}

impl Edits {
    /// Inserts `text` at `place`; several at one place stand in the order they were made.
    pub(super) fn insert(&mut self, place: Place, text: String) {
        self.insertions.push((place, text));
    }

    /// The one file that is edited, if any.
    pub(super) fn file(&self) -> Result<Option<usize>, String> {
        let first = self.insertions.first().map(|i| i.0.file);
        if self.insertions.iter().any(|i| Some(i.0.file) != first) {
            return Err("values would have to be made explicit in more than one source file".to_owned());
        }
        Ok(first)
    }

    /// The file with the insertions.
    pub(super) fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        let mut sorted: Vec<&(Place, String)> = self.insertions.iter().collect();
        sorted.sort_by_key(|i| i.0.offset);
        let mut out = Vec::with_capacity(bytes.len() + 64 * sorted.len());
        let mut done = 0;
        for (place, text) in sorted {
            out.extend(&bytes[done..place.offset]);
            out.extend(text.as_bytes());
            done = place.offset;
        }
        out.extend(&bytes[done..]);
        out
    }
}

/// Where a declarator ends and where its declaration does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DeclaratorEnd {
    /// The byte of the `,`, `;` or `=` after the declarator.
    pub at: usize,
    /// That byte.
    pub byte: u8,
    /// After the `;` of the declaration.
    pub after: usize,
}

/// The end of the declarator of `name` that starts at or soon after `pos`.
pub(super) fn declarator_end(text: &[u8], pos: usize, name: &str) -> Option<DeclaratorEnd> {
    let mut tokens = Scanner::new(text, pos);
    tokens.by_ref().take(64).find(|t| t.kind == TokenKind::Ident && &text[t.start..t.end] == name.as_bytes())?;
    // A declarator may start inside parentheses, as in `int (*f)(int, int);`: what lies deeper than the lowest level is not its end.
    let (mut depth, mut base) = (0i64, 0i64);
    let mut end: Option<Token> = None;
    for t in tokens {
        let TokenKind::Punct(b) = t.kind else { continue };
        match b {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth -= 1;
                base = base.min(depth);
            }
            b',' | b'=' | b':' if depth == base && end.is_none() => end = Some(t),
            b';' if depth == base => {
                let first = end.unwrap_or(t);
                return Some(DeclaratorEnd { at: first.start, byte: text[first.start], after: t.end });
            }
            _ => {}
        }
    }
    None
}

/// Whether a position lies between parentheses.
pub(super) fn in_parentheses(text: &[u8], pos: usize) -> bool {
    let mut stack = Vec::new();
    for t in Scanner::new(text, 0).take_while(|t| t.start < pos) {
        match t.kind {
            TokenKind::Punct(b @ (b'(' | b'{')) => stack.push(b),
            TokenKind::Punct(b')' | b'}') => {
                stack.pop();
            }
            _ => {}
        }
    }
    stack.last() == Some(&b'(')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str, name: &str) -> (String, String) {
        let e = declarator_end(text.as_bytes(), 0, name).unwrap();
        (text[..e.at].to_owned(), text[e.after..].to_owned())
    }

    #[test]
    fn ends_of_declarators() {
        assert_eq!(split("int x; y;", "x"), ("int x".into(), " y;".into()));
        assert_eq!(split("int x, y; z", "x"), ("int x".into(), " z".into()));
        assert_eq!(split("int x, *y[3]; z", "y"), ("int x, *y[3]".into(), " z".into()));
        assert_eq!(split("int (*f)(int, int), g; z", "f"), ("int (*f)(int, int)".into(), " z".into()));
        assert_eq!(split("struct { int a; } s = {1, 2}; z", "s"), ("struct { int a; } s ".into(), " z".into()));
        assert_eq!(declarator_end(b"int x", 0, "x"), None);
    }

    #[test]
    fn what_lies_between_parentheses() {
        let text = b"f(a) { for (int b; ;) { c; } }";
        let at = |c: u8| text.iter().position(|b| *b == c).unwrap();
        assert!(in_parentheses(text, at(b'a')) && in_parentheses(text, at(b'b')));
        assert!(!in_parentheses(text, at(b'c')) && !in_parentheses(text, 0));
    }

    #[test]
    fn insertions_keep_their_order() {
        let mut e = Edits::default();
        for (offset, text) in [(3, "C"), (1, "A"), (1, "B")] {
            e.insert(Place { file: 0, offset }, text.into());
        }
        assert_eq!(e.apply(b"0123"), b"0AB12C3");
        e.insert(Place { file: 1, offset: 0 }, "x".into());
        assert!(e.file().is_err());
    }
}
