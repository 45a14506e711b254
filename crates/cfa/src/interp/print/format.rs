//! Format strings of `printf` (ISO C11 7.21.6.1, as glibc prints).

use super::super::outcome::{Stop, UbKind};
use super::args::{Arguments, Reader};
use super::number::{integer, real, Spec};
use crate::program::DataModel;
use plumb_term::{FloatTy, IntTy};

/// Widths and precisions beyond this are not printed.
const MAX_FIELD: usize = 1 << 24;

/// Length modifiers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    None,
    Char,
    Short,
    Long,
    LongLong,
    Size,
    LongDouble,
}

impl Length {
    fn bits(self, model: DataModel) -> u16 {
        match (self, model) {
            (Length::None, _) => 32,
            (Length::Char, _) => 8,
            (Length::Short, _) => 16,
            (Length::Long | Length::Size, DataModel::Ilp32) => 32,
            _ => 64,
        }
    }
}

struct Scanner<'a> {
    rest: &'a [u8],
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    fn eat(&mut self, c: u8) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    fn take(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// A decimal number; 0 if there is none.
    fn number(&mut self) -> usize {
        let mut n = 0usize;
        while let Some(c @ b'0'..=b'9') = self.peek() {
            n = n.saturating_mul(10).saturating_add(usize::from(c - b'0'));
            self.rest = &self.rest[1..];
        }
        n
    }

    fn length(&mut self) -> Length {
        match self.peek() {
            Some(b'h') => {
                self.take();
                if self.eat(b'h') {
                    Length::Char
                } else {
                    Length::Short
                }
            }
            Some(b'l') => {
                self.take();
                if self.eat(b'l') {
                    Length::LongLong
                } else {
                    Length::Long
                }
            }
            Some(b'j' | b'q') => {
                self.take();
                Length::LongLong
            }
            Some(b'z' | b't' | b'Z') => {
                self.take();
                Length::Size
            }
            Some(b'L') => {
                self.take();
                Length::LongDouble
            }
            _ => Length::None,
        }
    }
}

/// The text of a format and its arguments.
pub(super) fn format(text: &[u8], args: &mut Arguments<'_>, reader: &mut Reader<'_>, model: DataModel) -> Result<Vec<u8>, Stop> {
    let mut out = Vec::new();
    let mut s = Scanner { rest: text };
    while let Some(c) = s.take() {
        if c != b'%' {
            out.push(c);
            continue;
        }
        let (spec, length) = specification(&mut s, args, reader, model)?;
        let Some(conversion) = s.take() else {
            return Err(Stop::Undefined(UbKind::BadArgument("a format ends within a conversion".to_owned())));
        };
        match conversion {
            b'%' => out.push(b'%'),
            b'd' | b'i' => {
                let v = args.int(IntTy::signed(length.bits(model)), reader, model)?.integer()?;
                integer(&mut out, &spec, b'd', &v);
            }
            b'u' | b'o' | b'x' | b'X' => {
                let v = args.int(IntTy::unsigned(length.bits(model)), reader, model)?.integer()?;
                integer(&mut out, &spec, conversion, &v);
            }
            b'c' if length == Length::None => {
                let c = args.byte(reader, model)?;
                spec.pad(&mut out, &[c]);
            }
            b's' if length == Length::None => {
                let addr = args.address(reader, model)?;
                let limit = spec.precision.unwrap_or(usize::MAX);
                let text = match addr {
                    0 if limit >= 6 => b"(null)".to_vec(),
                    0 => Vec::new(),
                    _ => reader.string(addr, limit as u64)?,
                };
                spec.pad(&mut out, &text);
            }
            b'p' => {
                let addr = args.address(reader, model)?;
                if addr == 0 {
                    spec.pad(&mut out, b"(nil)");
                } else {
                    integer(&mut out, &Spec { alternate: true, ..spec }, b'x', &addr.into());
                }
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let ty = if length == Length::LongDouble { FloatTy::F80 } else { FloatTy::F64 };
                let v = args.float(ty, reader, model)?;
                real(&mut out, &spec, conversion, v);
            }
            other => {
                let shown = char::from(other);
                return Err(Stop::Unsupported(format!("the conversion '%{shown}' of a format is not supported")));
            }
        }
    }
    Ok(out)
}

/// Flags, width, precision and length modifier.
fn specification(s: &mut Scanner<'_>, args: &mut Arguments<'_>, reader: &mut Reader<'_>, model: DataModel) -> Result<(Spec, Length), Stop> {
    let mut spec = Spec::default();
    loop {
        match s.peek() {
            Some(b'-') => spec.left = true,
            Some(b'+') => spec.plus = true,
            Some(b' ') => spec.space = true,
            Some(b'#') => spec.alternate = true,
            Some(b'0') => spec.zero = true,
            // Grouping: there is none in the C locale.
            Some(b'\'') => {}
            _ => break,
        }
        s.take();
    }
    let mut star = |s: &mut Scanner<'_>| -> Result<i128, Stop> {
        if s.eat(b'*') {
            i128::try_from(args.int(IntTy::I32, reader, model)?.integer()?).map_err(|_| Stop::ill_sorted())
        } else {
            Ok(s.number() as i128)
        }
    };
    let width = star(s)?;
    spec.left |= width < 0;
    spec.width = width.unsigned_abs() as usize;
    if s.eat(b'.') {
        spec.precision = usize::try_from(star(s)?).ok();
    }
    if spec.width > MAX_FIELD || spec.precision.is_some_and(|p| p > MAX_FIELD && p != usize::MAX) {
        return Err(Stop::Unsupported("a field of a format is wider than supported".to_owned()));
    }
    Ok((spec, s.length()))
}
