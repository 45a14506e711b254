//! Constants.

use std::fmt::Write;

use super::Printer;
use crate::ast::{CharConst, Encoding, FloatConst, FloatSuffix, IntBase, IntConst, IntSize, StrConst};

impl Printer<'_> {
    pub(super) fn int(&mut self, int: &IntConst) {
        // Writing to a string cannot fail.
        let _ = match int.base {
            IntBase::Binary => write!(self.out, "{:#b}", int.value),
            IntBase::Octal if int.value == 0 => write!(self.out, "0"),
            IntBase::Octal => write!(self.out, "0{:o}", int.value),
            IntBase::Decimal => write!(self.out, "{}", int.value),
            IntBase::Hex => write!(self.out, "{:#x}", int.value),
        };
        self.put(if int.unsigned { "u" } else { "" });
        self.put(match int.size {
            IntSize::Plain => "",
            IntSize::Long => "l",
            IntSize::LongLong => "ll",
        });
        self.put(if int.imaginary { "i" } else { "" });
    }

    pub(super) fn float(&mut self, float: &FloatConst) {
        self.put(&float.text);
        self.put(match float.suffix {
            FloatSuffix::None => "",
            FloatSuffix::F => "f",
            FloatSuffix::L => "l",
            FloatSuffix::F16 => "f16",
            FloatSuffix::F32 => "f32",
            FloatSuffix::F64 => "f64",
            FloatSuffix::F128 => "f128",
            FloatSuffix::F32x => "f32x",
            FloatSuffix::F64x => "f64x",
            FloatSuffix::W => "w",
            FloatSuffix::Df => "df",
            FloatSuffix::Dd => "dd",
            FloatSuffix::Dl => "dl",
        });
        self.put(if float.imaginary { "i" } else { "" });
    }

    pub(super) fn character(&mut self, character: &CharConst) {
        let value = character.value;
        let _ = match (character.encoding, u8::try_from(value)) {
            (Encoding::Plain, Ok(byte @ b' '..=b'~')) if byte != b'\'' && byte != b'\\' => write!(self.out, "'{}'", byte as char),
            // An `int` (and `wchar_t` is one): the number says the same.
            (Encoding::Plain | Encoding::Wide, _) if value < 0 => write!(self.out, "({value})"),
            (Encoding::Plain | Encoding::Wide, _) => write!(self.out, "{value}"),
            (encoding, _) => write!(self.out, "{}'\\x{value:x}'", prefix(encoding)),
        };
    }

    pub(super) fn string(&mut self, string: &StrConst) {
        let prefix = prefix(string.encoding);
        self.put(prefix);
        self.put("\"");
        for unit in string.units() {
            let _ = match unit {
                0x20..=0x7E if !matches!(unit as u8, b'"' | b'\\' | b'?') => write!(self.out, "{}", unit as u8 as char),
                0..=0o777 => write!(self.out, "\\{unit:03o}"),
                // A hexadecimal escape ends only where its literal does.
                _ => write!(self.out, "\\x{unit:x}\" {prefix}\""),
            };
        }
        self.put("\"");
    }
}

fn prefix(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => "",
        Encoding::Utf8 => "u8",
        Encoding::Char16 => "u",
        Encoding::Char32 => "U",
        Encoding::Wide => "L",
    }
}
