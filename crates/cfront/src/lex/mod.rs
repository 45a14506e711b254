//! From bytes to tokens (C11 6.4, with GNU C's additions).
//!
//! One pass, without allocation per token: a [`Token`] names a slice of the source, literals are decoded when the parser
//! asks ([`literal`]). Line markers and `#pragma pack` are applied on the way ([`directive`]); comments and other pragmas
//! vanish. Input is bytes: what is not UTF-8 is fine in comments and plain strings, and an error elsewhere.

mod directive;
pub(crate) mod literal;
pub(crate) mod splice;
pub(crate) mod token;

use std::collections::BTreeSet;

pub use directive::needs_preprocessor;
use plumb_term::{FileId, SourceMap, Span};
use rustc_hash::FxHashMap;

use crate::{Diagnostic, Interner, Symbol};
use token::{Tok, Token, KEYWORDS};

/// Errors travel boxed, to keep results small.
pub(crate) type Fallible<T> = Result<T, Box<Diagnostic>>;

/// Reads tokens one by one; after the last there are only [`Tok::Eof`].
pub(crate) struct Lexer<'a> {
    src: &'a [u8],
    pos: usize,
    file: FileId,
    line: u32,
    /// Where the current line starts, moved right by one for each UTF-8 continuation byte on it, so that the distance
    /// to `pos` counts characters.
    line_start: usize,
    at_line_start: bool,
    /// Starts of physical lines that no newline precedes (see [`splice`]), and how many lie behind.
    joins: &'a [usize],
    joined: usize,
    pack: u8,
    pack_stack: Vec<(Option<Symbol>, u8)>,
    files: FxHashMap<&'a [u8], FileId>,
    /// Files that line markers call system headers.
    pub(crate) system: BTreeSet<FileId>,
    sources: &'a mut SourceMap,
    names: &'a mut Interner,
}

impl<'a> Lexer<'a> {
    /// A lexer at the start of `src`, which is [`splice::splice`]d with physical line starts `joins`.
    pub(crate) fn new(
        src: &'a [u8],
        joins: &'a [usize],
        name: &str,
        sources: &'a mut SourceMap,
        names: &'a mut Interner,
    ) -> Fallible<Self> {
        let file = sources.intern(name);
        if u32::try_from(src.len()).is_err() {
            return Err(Box::new(Diagnostic::unsupported(Span { file, line: 1, col: 1 }, "a source file of 4 GB or more")));
        }
        let pos = if src.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
        Ok(Lexer {
            src,
            pos,
            file,
            line: 1,
            line_start: pos,
            at_line_start: true,
            joins,
            joined: 0,
            pack: 0,
            pack_stack: Vec::new(),
            files: FxHashMap::default(),
            system: BTreeSet::new(),
            sources,
            names,
        })
    }

    /// The source bytes of a token.
    pub(crate) fn slice(&self, token: Token) -> &'a [u8] {
        &self.src[token.start as usize..token.end as usize]
    }

    /// The spellings read so far.
    pub(crate) fn names(&mut self) -> &mut Interner {
        self.names
    }

    /// The next token.
    pub(crate) fn next(&mut self) -> Fallible<Token> {
        self.skip_blanks()?;
        self.at_line_start = false;
        let span = self.here();
        let start = self.pos;
        let mut symbol = Symbol(0);
        let tok = match self.peek(0) {
            0 if self.pos == self.src.len() => Tok::Eof,
            b'_' | b'$' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => match self.literal_prefix() {
                Some((skip, quote)) => {
                    self.pos += skip;
                    self.quoted(span, quote)?
                }
                None => {
                    symbol = self.identifier(span)?;
                    KEYWORDS.get(symbol.index()).map_or(Tok::Ident, |&(_, tok)| tok)
                }
            },
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            quote @ (b'"' | b'\'') => self.quoted(span, quote)?,
            _ => self.punctuator(span)?,
        };
        Ok(Token { tok, pack: self.pack, span, symbol, start: start as u32, end: self.pos as u32 })
    }

    /// The byte `ahead` of the current one; 0 beyond the end.
    fn peek(&self, ahead: usize) -> u8 {
        self.src.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn here(&mut self) -> Span {
        self.pass_joins();
        Span { file: self.file, line: self.line, col: (self.pos - self.line_start + 1) as u32 }
    }

    fn pass_joins(&mut self) {
        while let Some(&start) = self.joins.get(self.joined).filter(|&&start| start <= self.pos) {
            self.joined += 1;
            self.line = self.line.wrapping_add(1);
            self.line_start = start;
        }
    }

    /// Steps over a newline.
    fn newline(&mut self) {
        self.pass_joins();
        self.pos += 1;
        self.line = self.line.wrapping_add(1);
        self.line_start = self.pos;
    }

    /// Steps over any byte but a newline.
    fn step(&mut self) {
        self.line_start += usize::from(matches!(self.peek(0), 0x80..=0xBF));
        self.pos += 1;
    }

    fn skip_blanks(&mut self) -> Fallible<()> {
        loop {
            match self.peek(0) {
                b' ' | b'\t' | b'\r' | 0x0B | 0x0C => self.pos += 1,
                b'\n' => {
                    self.newline();
                    self.at_line_start = true;
                }
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => self.skip_comment()?,
                b'#' if self.at_line_start => {
                    self.pos += 1;
                    self.directive()?;
                }
                b'%' if self.at_line_start && self.peek(1) == b':' => {
                    self.pos += 2;
                    self.directive()?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// To the end of the line, not beyond it.
    fn skip_line(&mut self) {
        while self.pos < self.src.len() && self.src[self.pos] != b'\n' {
            self.step();
        }
    }

    fn skip_comment(&mut self) -> Fallible<()> {
        let open = self.here();
        self.pos += 2;
        loop {
            match self.peek(0) {
                b'*' if self.peek(1) == b'/' => {
                    self.pos += 2;
                    return Ok(());
                }
                b'\n' => self.newline(),
                0 if self.pos == self.src.len() => return Err(invalid(open, "this comment is never closed")),
                _ => self.step(),
            }
        }
    }

    /// Whether a string or character constant with an encoding prefix starts here: prefix length and quote.
    fn literal_prefix(&self) -> Option<(usize, u8)> {
        let skip = match self.peek(0) {
            b'u' if self.peek(1) == b'8' => 2,
            b'u' | b'U' | b'L' => 1,
            _ => return None,
        };
        matches!(self.peek(skip), b'"' | b'\'').then(|| (skip, self.peek(skip)))
    }

    fn identifier(&mut self, span: Span) -> Fallible<Symbol> {
        let start = self.pos;
        let rest = &self.src[start..];
        let len = rest.iter().position(|&b| !is_identifier(b)).unwrap_or(rest.len());
        let bytes = &rest[..len];
        let Ok(name) = std::str::from_utf8(bytes) else {
            return Err(invalid(span, "this is neither C nor UTF-8 text"));
        };
        self.pos = start + len;
        if !name.is_ascii() {
            self.line_start += bytes.len() - name.chars().count();
        }
        Ok(self.names.intern(name))
    }

    fn number(&mut self) -> Tok {
        loop {
            match self.peek(0) {
                b'e' | b'E' | b'p' | b'P' if matches!(self.peek(1), b'+' | b'-') => self.pos += 2,
                b'.' => self.pos += 1,
                byte if is_identifier(byte) => self.step(),
                _ => return Tok::Number,
            }
        }
    }

    fn quoted(&mut self, span: Span, quote: u8) -> Fallible<Tok> {
        self.pos += 1;
        loop {
            match self.peek(0) {
                b'\\' if !matches!(self.peek(1), 0 | b'\n') => {
                    self.pos += 1;
                    self.step();
                }
                byte if byte == quote => {
                    self.pos += 1;
                    return Ok(if quote == b'"' { Tok::Str } else { Tok::Char });
                }
                b'\n' => break,
                0 if self.pos == self.src.len() => break,
                _ => self.step(),
            }
        }
        Err(invalid(span, if quote == b'"' { "this string literal is never closed" } else { "this character constant is never closed" }))
    }

    fn punctuator(&mut self, span: Span) -> Fallible<Tok> {
        let (len, tok) = match (self.peek(0), self.peek(1), self.peek(2)) {
            (b'(', ..) => (1, Tok::LParen),
            (b')', ..) => (1, Tok::RParen),
            (b'[', ..) => (1, Tok::LBracket),
            (b']', ..) => (1, Tok::RBracket),
            (b'{', ..) => (1, Tok::LBrace),
            (b'}', ..) => (1, Tok::RBrace),
            (b',', ..) => (1, Tok::Comma),
            (b';', ..) => (1, Tok::Semi),
            (b':', b'>', _) => (2, Tok::RBracket),
            (b':', ..) => (1, Tok::Colon),
            (b'?', ..) => (1, Tok::Question),
            (b'~', ..) => (1, Tok::Tilde),
            (b'.', b'.', b'.') => (3, Tok::Ellipsis),
            (b'.', ..) => (1, Tok::Dot),
            (b'-', b'>', _) => (2, Tok::Arrow),
            (b'-', b'-', _) => (2, Tok::MinusMinus),
            (b'-', b'=', _) => (2, Tok::MinusAssign),
            (b'-', ..) => (1, Tok::Minus),
            (b'+', b'+', _) => (2, Tok::PlusPlus),
            (b'+', b'=', _) => (2, Tok::PlusAssign),
            (b'+', ..) => (1, Tok::Plus),
            (b'*', b'=', _) => (2, Tok::StarAssign),
            (b'*', ..) => (1, Tok::Star),
            (b'/', b'=', _) => (2, Tok::SlashAssign),
            (b'/', ..) => (1, Tok::Slash),
            (b'%', b'>', _) => (2, Tok::RBrace),
            (b'%', b'=', _) => (2, Tok::PercentAssign),
            (b'%', ..) => (1, Tok::Percent),
            (b'&', b'&', _) => (2, Tok::AmpAmp),
            (b'&', b'=', _) => (2, Tok::AmpAssign),
            (b'&', ..) => (1, Tok::Amp),
            (b'|', b'|', _) => (2, Tok::PipePipe),
            (b'|', b'=', _) => (2, Tok::PipeAssign),
            (b'|', ..) => (1, Tok::Pipe),
            (b'^', b'=', _) => (2, Tok::CaretAssign),
            (b'^', ..) => (1, Tok::Caret),
            (b'!', b'=', _) => (2, Tok::Ne),
            (b'!', ..) => (1, Tok::Bang),
            (b'=', b'=', _) => (2, Tok::EqEq),
            (b'=', ..) => (1, Tok::Assign),
            (b'<', b'<', b'=') => (3, Tok::ShlAssign),
            (b'<', b'<', _) => (2, Tok::Shl),
            (b'<', b'=', _) => (2, Tok::Le),
            (b'<', b':', _) => (2, Tok::LBracket),
            (b'<', b'%', _) => (2, Tok::LBrace),
            (b'<', ..) => (1, Tok::Lt),
            (b'>', b'>', b'=') => (3, Tok::ShrAssign),
            (b'>', b'>', _) => (2, Tok::Shr),
            (b'>', b'=', _) => (2, Tok::Ge),
            (b'>', ..) => (1, Tok::Gt),
            (byte @ b'!'..=b'~', ..) => return Err(invalid(span, format!("'{}' has no meaning here", byte as char))),
            (byte, ..) => return Err(invalid(span, format!("byte 0x{byte:02x} has no meaning in C"))),
        };
        self.pos += len;
        Ok(tok)
    }
}

fn is_identifier(byte: u8) -> bool {
    matches!(byte, b'_' | b'$' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | 0x80..)
}

pub(crate) fn invalid(span: Span, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::invalid(span, message))
}
