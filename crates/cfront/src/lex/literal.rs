//! Decoding literals (C11 6.4.4 and 6.4.5) from the bytes of their tokens.

use plumb_term::Span;

use super::{invalid, Fallible};
use crate::ast::{CharConst, Encoding, ExprKind, FloatConst, FloatSuffix, IntBase, IntConst, IntSize, StrConst};

/// An integer or floating constant.
pub(crate) fn number(text: &[u8], span: Span) -> Fallible<ExprKind> {
    let bad = || invalid(span, format!("'{}' is not a number", String::from_utf8_lossy(text)));
    let text = std::str::from_utf8(text).map_err(|_| bad())?;
    let (base, digits) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (IntBase::Hex, &text[2..]),
        [b'0', b'b' | b'B', ..] => (IntBase::Binary, &text[2..]),
        [b'0', ..] => (IntBase::Octal, text),
        _ => (IntBase::Decimal, text),
    };
    let is_float = match base {
        IntBase::Hex => digits.contains(['.', 'p', 'P']),
        IntBase::Binary => false,
        IntBase::Octal | IntBase::Decimal => digits.contains(['.', 'e', 'E']) || is_decimal_with_float_suffix(digits),
    };
    if is_float {
        return float(text, base == IntBase::Hex).map(ExprKind::Float).ok_or_else(bad);
    }
    let radix = match base {
        IntBase::Binary => 2,
        IntBase::Octal => 8,
        IntBase::Decimal => 10,
        IntBase::Hex => 16,
    };
    let len = digits.bytes().position(|b| !(b as char).is_digit(radix)).unwrap_or(digits.len());
    if len == 0 {
        return Err(bad());
    }
    let mut value = 0u128;
    for digit in digits[..len].chars() {
        value = value
            .checked_mul(u128::from(radix))
            .and_then(|v| v.checked_add(u128::from(digit.to_digit(radix)?)))
            .ok_or_else(|| invalid(span, "this integer constant does not fit any type"))?;
    }
    let (unsigned, size, imaginary) = int_suffix(&digits[len..]).ok_or_else(bad)?;
    Ok(ExprKind::Int(IntConst { value, base, unsigned, size, imaginary }))
}

/// `1df`, `2dd`, `3dl`: decimal floating constants need no point. (`1f` is not a constant.)
fn is_decimal_with_float_suffix(digits: &str) -> bool {
    matches!(digits.trim_start_matches(|c: char| c.is_ascii_digit()), "df" | "dd" | "dl" | "DF" | "DD" | "DL")
}

fn int_suffix(suffix: &str) -> Option<(bool, IntSize, bool)> {
    let (mut unsigned, mut size, mut imaginary) = (false, IntSize::Plain, false);
    let mut rest = suffix;
    while let Some(first) = rest.chars().next() {
        let len = match first {
            'u' | 'U' if !unsigned => {
                unsigned = true;
                1
            }
            'i' | 'I' | 'j' | 'J' if !imaginary => {
                imaginary = true;
                1
            }
            'l' | 'L' if size == IntSize::Plain => {
                let double = rest[1..].starts_with(first);
                size = if double { IntSize::LongLong } else { IntSize::Long };
                1 + usize::from(double)
            }
            _ => return None,
        };
        rest = &rest[len..];
    }
    Some((unsigned, size, imaginary))
}

fn float(text: &str, hex: bool) -> Option<FloatConst> {
    let bytes = text.as_bytes();
    let digits =
        |from: usize, hex: bool| bytes[from..].iter().take_while(|b| if hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() }).count();
    let mut at = if hex { 2 } else { 0 };
    let whole = digits(at, hex);
    at += whole;
    let mut fraction = 0;
    if bytes.get(at) == Some(&b'.') {
        fraction = digits(at + 1, hex);
        at += 1 + fraction;
    }
    if whole + fraction == 0 {
        return None;
    }
    let marker = if hex { [b'p', b'P'] } else { [b'e', b'E'] };
    if bytes.get(at).is_some_and(|b| marker.contains(b)) {
        at += 1;
        at += usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
        let exponent = digits(at, false);
        if exponent == 0 {
            return None;
        }
        at += exponent;
    } else if hex {
        return None;
    }
    let lower = text[at..].to_ascii_lowercase();
    let (suffix, imaginary) = match float_suffix(&lower) {
        Some(suffix) => (suffix, false),
        None => {
            let inner = lower.strip_suffix(['i', 'j']).or_else(|| lower.strip_prefix(['i', 'j']))?;
            (float_suffix(inner)?, true)
        }
    };
    Some(FloatConst { text: text[..at].into(), suffix, imaginary })
}

fn float_suffix(suffix: &str) -> Option<FloatSuffix> {
    Some(match suffix {
        "" => FloatSuffix::None,
        "f" => FloatSuffix::F,
        "l" => FloatSuffix::L,
        "f16" => FloatSuffix::F16,
        "f32" => FloatSuffix::F32,
        "f64" => FloatSuffix::F64,
        "f128" | "q" => FloatSuffix::F128,
        "f32x" => FloatSuffix::F32x,
        "f64x" => FloatSuffix::F64x,
        "w" => FloatSuffix::W,
        "df" => FloatSuffix::Df,
        "dd" => FloatSuffix::Dd,
        "dl" => FloatSuffix::Dl,
        _ => return None,
    })
}

/// A character constant; several characters combine as gcc combines them.
pub(crate) fn character(text: &[u8], span: Span) -> Fallible<CharConst> {
    let (encoding, body) = split_prefix(text);
    let mut units = Vec::new();
    decode(body, encoding, span, &mut |unit| units.push(unit))?;
    let last = *units.last().ok_or_else(|| invalid(span, "an empty character constant"))?;
    let value = match encoding {
        Encoding::Plain if units.len() == 1 => i64::from(last as u8 as i8),
        Encoding::Plain => i64::from(units.iter().fold(0u32, |value, unit| (value << 8) | (unit & 0xFF)) as i32),
        Encoding::Wide => i64::from(last as i32),
        Encoding::Utf8 | Encoding::Char16 | Encoding::Char32 => i64::from(last),
    };
    Ok(CharConst { value, encoding })
}

/// One string from adjacent literals; a prefix on any of them holds for all.
pub(crate) fn string(pieces: &[(&[u8], Span)]) -> Fallible<StrConst> {
    let mut encoding = Encoding::Plain;
    for &(text, span) in pieces {
        match split_prefix(text).0 {
            Encoding::Plain => {}
            own if encoding == Encoding::Plain || encoding == own => encoding = own,
            _ => return Err(invalid(span, "this string literal cannot be joined with one of another encoding")),
        }
    }
    let mut bytes = Vec::with_capacity(pieces.iter().map(|(text, _)| text.len()).sum());
    for &(text, span) in pieces {
        decode(split_prefix(text).1, encoding, span, &mut |unit| {
            bytes.extend_from_slice(&unit.to_le_bytes()[..encoding.unit_size()]);
        })?;
    }
    Ok(StrConst { encoding, bytes: bytes.into() })
}

/// The encoding of a token and the text between its quotes.
fn split_prefix(text: &[u8]) -> (Encoding, &[u8]) {
    let (encoding, skip) = match text {
        [b'u', b'8', ..] => (Encoding::Utf8, 2),
        [b'u', ..] => (Encoding::Char16, 1),
        [b'U', ..] => (Encoding::Char32, 1),
        [b'L', ..] => (Encoding::Wide, 1),
        _ => (Encoding::Plain, 0),
    };
    (encoding, text.get(skip + 1..text.len().saturating_sub(1)).unwrap_or(&[]))
}

/// Resolves escapes and re-encodes, code unit by code unit.
fn decode(mut body: &[u8], encoding: Encoding, span: Span, emit: &mut dyn FnMut(u32)) -> Fallible<()> {
    while let Some((&first, rest)) = body.split_first() {
        if first != b'\\' {
            if encoding.unit_size() == 1 {
                emit(u32::from(first));
                body = rest;
            } else {
                let (c, len) = utf8_char(body).ok_or_else(|| invalid(span, "this wide literal is not valid UTF-8"))?;
                emit_char(c, encoding, emit);
                body = &body[len..];
            }
            continue;
        }
        let Some((&escape, after)) = rest.split_first() else { break };
        body = after;
        let simple = match escape {
            b'n' => 10,
            b't' => 9,
            b'r' => 13,
            b'a' => 7,
            b'b' => 8,
            b'f' => 12,
            b'v' => 11,
            b'e' | b'E' => 27,
            b'0'..=b'7' => {
                let len = 1 + after.iter().take(2).take_while(|b| matches!(b, b'0'..=b'7')).count();
                body = &rest[len..];
                rest[..len].iter().fold(0, |n, &d| n * 8 + u32::from(d - b'0'))
            }
            b'x' => {
                let len = after.iter().take_while(|b| b.is_ascii_hexdigit()).count();
                if len == 0 {
                    return Err(invalid(span, "'\\x' without hexadecimal digits"));
                }
                body = &after[len..];
                hex(&after[..len])
            }
            b'u' | b'U' => {
                let len = if escape == b'u' { 4 } else { 8 };
                let digits = after.get(..len).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
                let c = digits.and_then(|digits| char::from_u32(hex(digits)));
                emit_char(c.ok_or_else(|| invalid(span, "this is not a universal character name"))?, encoding, emit);
                body = &after[len..];
                continue;
            }
            0x80.. => {
                // An escaped character of several bytes is that character.
                body = rest;
                continue;
            }
            other => u32::from(other),
        };
        emit(match encoding.unit_size() {
            1 => simple & 0xFF,
            2 => simple & 0xFFFF,
            _ => simple,
        });
    }
    Ok(())
}

/// The value of hexadecimal digits, modulo 2^32.
fn hex(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |n, &d| (n << 4) | (d as char).to_digit(16).unwrap_or(0))
}

fn utf8_char(bytes: &[u8]) -> Option<(char, usize)> {
    let len = match *bytes.first()? {
        0..=0x7F => 1,
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    };
    let c = std::str::from_utf8(bytes.get(..len)?).ok()?.chars().next()?;
    Some((c, len))
}

fn emit_char(c: char, encoding: Encoding, emit: &mut dyn FnMut(u32)) {
    match encoding {
        Encoding::Plain | Encoding::Utf8 => c.encode_utf8(&mut [0; 4]).bytes().for_each(|b| emit(u32::from(b))),
        Encoding::Char16 => c.encode_utf16(&mut [0; 2]).iter().for_each(|&u| emit(u32::from(u))),
        Encoding::Char32 | Encoding::Wide => emit(u32::from(c)),
    }
}
