//! A scanner that sees C text as tokens: enough to find parentheses, braces, labels and definitions around a position.
//!
//! It does not preprocess and never fails: comments and directives are skipped, anything unknown is punctuation.

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// An identifier or keyword.
    Ident,
    /// A number.
    Number,
    /// A string or character literal.
    Literal,
    /// One byte of punctuation.
    Punct(u8),
}

/// A token and its place, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// The first byte.
    pub start: usize,
    /// After the last byte.
    pub end: usize,
}

/// Iterator over the tokens of a text from some position on.
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    text: &'a [u8],
    pos: usize,
}

impl<'a> Scanner<'a> {
    /// Scans `text` from byte `pos`, which must not lie inside a comment or literal.
    pub fn new(text: &'a [u8], pos: usize) -> Scanner<'a> {
        Scanner { text, pos }
    }

    fn at(&self, i: usize) -> u8 {
        self.text.get(self.pos + i).copied().unwrap_or(0)
    }

    fn skip_line(&mut self) {
        while self.pos < self.text.len() && self.at(0) != b'\n' {
            // A backslash continues a directive on the next line.
            self.pos += if self.at(0) == b'\\' && self.at(1) == b'\n' { 2 } else { 1 };
        }
    }

    fn at_line_start(&self) -> bool {
        self.text[..self.pos].iter().rev().take_while(|b| **b != b'\n').all(u8::is_ascii_whitespace)
    }

    fn skip_blank(&mut self) {
        loop {
            match (self.at(0), self.at(1)) {
                (b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, _) => self.pos += 1,
                (b'/', b'/') => self.skip_line(),
                (b'/', b'*') => {
                    self.pos += 2;
                    while self.pos < self.text.len() && (self.at(0), self.at(1)) != (b'*', b'/') {
                        self.pos += 1;
                    }
                    self.pos += 2;
                }
                (b'#', _) if self.at_line_start() => self.skip_line(),
                _ => return,
            }
        }
    }
}

impl Iterator for Scanner<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_blank();
        if self.pos >= self.text.len() {
            return None;
        }
        let start = self.pos;
        let kind = match self.at(0) {
            b if is_ident_start(b) => {
                while is_ident(self.at(0)) {
                    self.pos += 1;
                }
                TokenKind::Ident
            }
            b if b.is_ascii_digit() => {
                while is_ident(self.at(0)) || self.at(0) == b'.' {
                    self.pos += 1;
                }
                TokenKind::Number
            }
            quote @ (b'"' | b'\'') => {
                self.pos += 1;
                while self.pos < self.text.len() && self.at(0) != quote && self.at(0) != b'\n' {
                    self.pos += if self.at(0) == b'\\' { 2 } else { 1 };
                }
                self.pos += 1;
                TokenKind::Literal
            }
            b => {
                self.pos += 1;
                TokenKind::Punct(b)
            }
        };
        self.pos = self.pos.min(self.text.len());
        Some(Token { kind, start, end: self.pos })
    }
}

fn is_ident_start(b: u8) -> bool {
    b.is_ascii_alphabetic() || b == b'_' || b == b'$' || b >= 0x80
}

fn is_ident(b: u8) -> bool {
    is_ident_start(b) || b.is_ascii_digit()
}

/// The identifier that starts at byte `pos`.
pub fn ident_at(text: &[u8], pos: usize) -> &str {
    let rest = text.get(pos..).unwrap_or(&[]);
    let len = rest.iter().take_while(|b| is_ident(**b)).count();
    std::str::from_utf8(&rest[..len]).unwrap_or("")
}

/// The closing parenthesis that matches the first opening one after `pos`, if only an identifier lies between.
pub fn call_end(text: &[u8], pos: usize) -> Option<usize> {
    let mut tokens = Scanner::new(text, pos);
    if tokens.next()?.kind != TokenKind::Ident || tokens.next()?.kind != TokenKind::Punct(b'(') {
        return None;
    }
    matching(&mut tokens, b'(', b')').map(|t| t.start)
}

/// The token that closes what has just been opened.
fn matching(tokens: &mut Scanner<'_>, open: u8, close: u8) -> Option<Token> {
    let mut depth = 1usize;
    tokens.find(|t| {
        match t.kind {
            TokenKind::Punct(b) if b == open => depth += 1,
            TokenKind::Punct(b) if b == close => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// Where the body of the function `name` is defined: the bytes of its braces.
pub fn function_body(text: &[u8], name: &str) -> Option<(usize, usize)> {
    let mut tokens = Scanner::new(text, 0);
    let mut depth = 0usize;
    while let Some(t) = tokens.next() {
        match t.kind {
            TokenKind::Punct(b'{') => depth += 1,
            TokenKind::Punct(b'}') => depth = depth.saturating_sub(1),
            TokenKind::Ident if depth == 0 && &text[t.start..t.end] == name.as_bytes() => {
                let mut ahead = tokens.clone();
                if ahead.next().map(|t| t.kind) != Some(TokenKind::Punct(b'(')) || matching(&mut ahead, b'(', b')').is_none() {
                    continue;
                }
                // Attributes and K&R parameter declarations may stand before the brace.
                let mut after = ahead.clone();
                let open =
                    after.find(|t| matches!(t.kind, TokenKind::Punct(b'{' | b'=' | b',' | b'}')) || is_prototype_end(t, &ahead, text));
                if let Some(open) = open.filter(|t| t.kind == TokenKind::Punct(b'{')) {
                    let close = matching(&mut after, b'{', b'}')?;
                    return Some((open.start, close.start));
                }
            }
            _ => {}
        }
    }
    None
}

/// Whether this semicolon ends a prototype: nothing but attributes came before it.
fn is_prototype_end(t: &Token, from: &Scanner<'_>, text: &[u8]) -> bool {
    if t.kind != TokenKind::Punct(b';') {
        return false;
    }
    let mut between = Scanner::new(&text[..t.start], from.pos);
    match between.next() {
        None => true,
        Some(first) => text[first.start..first.end].starts_with(b"__a"),
    }
}

/// Whether the identifier occurs in the text outside comments and literals.
pub fn mentions(text: &[u8], name: &str) -> bool {
    Scanner::new(text, 0).any(|t| t.kind == TokenKind::Ident && &text[t.start..t.end] == name.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        Scanner::new(text.as_bytes(), 0).map(|t| &text[t.start..t.end]).collect()
    }

    #[test]
    fn comments_literals_and_directives_are_not_code() {
        let text = "#define X { \\\n }\nint /* { */ a; // }\n\"}\\\"\" '{' b1 0x1f.p3";
        assert_eq!(words(text), ["int", "a", ";", "\"}\\\"\"", "'{'", "b1", "0x1f.p3"]);
    }

    #[test]
    fn calls_and_bodies_are_found() {
        let text = b"int f(int, int (*g)(void)); void f(a) int a; { if (a) { } } int z = f(1);";
        let (open, close) = function_body(text, "f").unwrap();
        assert_eq!(&text[open..=close], b"{ if (a) { } }");
        assert_eq!(function_body(text, "g"), None);
        assert_eq!(function_body(b"extern void f(void) __attribute__((noreturn)); int g(void) { f(); }", "f"), None);
        let call = b"x (a, (b), \")\") ;";
        assert_eq!(call_end(call, 0), Some(14));
        assert_eq!(call_end(b"x + (1)", 0), None);
    }

    #[test]
    fn unfinished_text_ends_quietly() {
        for text in ["/* x", "\"abc", "'", "f(", "f() {", "#", "\\"] {
            let _ = words(text);
            assert_eq!(function_body(text.as_bytes(), "f"), None);
        }
    }
}
