//! What the preprocessor leaves: line markers (`# 12 "f.c" 1 3`, `#line 12 "f.c"`) and pragmas.

use plumb_term::Span;

use super::{invalid, Fallible, Lexer};
use crate::Diagnostic;

/// Where system headers are, for line markers that have lost the flag 3, which says so.
const SYSTEM: [&[u8]; 4] = [b"/usr/include/", b"/usr/local/include/", b"/usr/lib/gcc/", b"/usr/lib64/gcc/"];

impl<'a> Lexer<'a> {
    /// The rest of a line after `#`. Stops before its newline.
    pub(super) fn directive(&mut self) -> Fallible<()> {
        let span = self.here();
        let start = self.pos;
        self.skip_line();
        let src: &'a [u8] = self.src;
        let mut rest = Words(&src[start..self.pos]);
        rest.blanks();
        if rest.0.is_empty() {
            return Ok(());
        }
        if rest.0[0].is_ascii_digit() {
            return self.line_marker(rest, span);
        }
        match rest.word() {
            b"line" => self.line_marker(rest, span),
            b"pragma" => self.pragma(rest.0, span),
            b"ident" | b"sccs" => Ok(()),
            other => {
                let name = String::from_utf8_lossy(other);
                Err(invalid(span, format!("'#{name}' is for the preprocessor, which has not been run on this text")))
            }
        }
    }

    /// `12 "f.c" flags`: the next line is line 12 of `f.c`.
    fn line_marker(&mut self, mut rest: Words<'a>, span: Span) -> Fallible<()> {
        rest.blanks();
        let digits = rest.digits();
        if digits.is_empty() {
            return Err(invalid(span, "a line marker needs a line number"));
        }
        let number = digits.iter().fold(0u32, |n, &d| n.saturating_mul(10).saturating_add(u32::from(d - b'0')));
        rest.blanks();
        if let Some(name) = rest.quoted() {
            self.file = match self.files.get(name) {
                Some(&file) => file,
                None => {
                    let file = self.sources.intern(&String::from_utf8_lossy(&unescape(name)));
                    self.files.insert(name, file);
                    file
                }
            };
            let flagged = rest.0.split(|b| b.is_ascii_whitespace()).any(|flag| flag == b"3");
            if flagged || SYSTEM.iter().any(|folder| name.starts_with(folder)) {
                self.system.insert(self.file);
            }
        }
        self.pass_joins();
        self.line = number.wrapping_sub(1);
        Ok(())
    }

    /// A pragma: `pack` changes the layout of records; almost all others mean nothing to a verifier.
    pub(crate) fn pragma(&mut self, text: &[u8], span: Span) -> Fallible<()> {
        let mut rest = Words(text);
        rest.blanks();
        match rest.word() {
            b"pack" => self.pragma_pack(rest, span),
            b"scalar_storage_order" => {
                rest.blanks();
                match rest.word() {
                    b"big" => Err(Box::new(Diagnostic::unsupported(span, "#pragma scalar_storage_order big-endian"))),
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// `pack()`, `pack(n)`, `pack(push)`, `pack(push, id, n)`, `pack(pop)`, `pack(pop, id)`; like gcc, anything else is
    /// ignored.
    fn pragma_pack(&mut self, mut rest: Words<'_>, span: Span) -> Fallible<()> {
        if !rest.punctuation(b'(') {
            return Ok(());
        }
        let (mut push, mut pop, mut id, mut value) = (false, false, None, None);
        rest.blanks();
        if !rest.0.starts_with(b")") {
            loop {
                rest.blanks();
                match rest.digits() {
                    [] => match rest.word() {
                        b"push" => push = true,
                        b"pop" => pop = true,
                        [] => return Ok(()),
                        word => id = Some(self.names.intern(&String::from_utf8_lossy(word))),
                    },
                    digits => value = Some(digits.iter().fold(0u32, |n, &d| n.saturating_mul(10).saturating_add(u32::from(d - b'0')))),
                }
                if !rest.punctuation(b',') {
                    break;
                }
            }
        } else {
            value = Some(0);
        }
        if !rest.punctuation(b')') {
            return Ok(());
        }
        if push {
            self.pack_stack.push((id, self.pack));
        } else if pop {
            let target = match id {
                Some(id) => self.pack_stack.iter().rposition(|&(entry, _)| entry == Some(id)),
                None => self.pack_stack.len().checked_sub(1),
            };
            if let Some(target) = target {
                self.pack = self.pack_stack[target].1;
                self.pack_stack.truncate(target);
            }
        }
        match value {
            Some(n @ (0 | 1 | 2 | 4 | 8 | 16)) => self.pack = n as u8,
            Some(n) => return Err(invalid(span, format!("{n} is not an alignment for #pragma pack"))),
            None => {}
        }
        Ok(())
    }
}

/// Whether `text` has directives that only a preprocessor can follow (`#include`, `#define`, `#if`, ...). May be true for
/// directives in comments, where preprocessing does no harm.
pub fn needs_preprocessor(text: &[u8]) -> bool {
    text.split(|&b| b == b'\n').any(|line| {
        let mut words = Words(line);
        words.blanks();
        let Some(rest) = words.0.strip_prefix(b"#").or_else(|| words.0.strip_prefix(b"%:")) else { return false };
        words = Words(rest);
        words.blanks();
        !matches!(words.word(), b"" | b"line" | b"pragma" | b"ident" | b"sccs" | [b'0'..=b'9', ..])
    })
}

/// The text of a directive, consumed from the left.
struct Words<'a>(&'a [u8]);

impl<'a> Words<'a> {
    fn blanks(&mut self) {
        self.take(|b| b.is_ascii_whitespace());
    }

    fn take(&mut self, of: impl Fn(u8) -> bool) -> &'a [u8] {
        let len = self.0.iter().position(|&b| !of(b)).unwrap_or(self.0.len());
        let (head, tail) = self.0.split_at(len);
        self.0 = tail;
        head
    }

    fn word(&mut self) -> &'a [u8] {
        self.take(|b| b.is_ascii_alphanumeric() || b == b'_')
    }

    fn digits(&mut self) -> &'a [u8] {
        self.take(|b| b.is_ascii_digit())
    }

    fn punctuation(&mut self, byte: u8) -> bool {
        self.blanks();
        let found = self.0.first() == Some(&byte);
        self.0 = &self.0[usize::from(found)..];
        found
    }

    /// The text between double quotes, escapes not resolved.
    fn quoted(&mut self) -> Option<&'a [u8]> {
        let rest = self.0.strip_prefix(b"\"")?;
        let mut end = 0;
        while *rest.get(end)? != b'"' {
            end += if rest[end] == b'\\' { 2 } else { 1 };
        }
        self.0 = &rest[end + 1..];
        Some(&rest[..end])
    }
}

/// File names in line markers escape quotes, backslashes and (in octal) what cannot be printed.
fn unescape(name: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(name.len());
    let mut at = 0;
    while let Some(&byte) = name.get(at) {
        at += 1;
        if byte != b'\\' {
            text.push(byte);
            continue;
        }
        let octal = name[at..].iter().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
        if octal > 0 {
            text.push(name[at..at + octal].iter().fold(0u8, |n, &d| n.wrapping_mul(8).wrapping_add(d - b'0')));
            at += octal;
        } else if let Some(&escaped) = name.get(at) {
            text.push(escaped);
            at += 1;
        }
    }
    text
}
