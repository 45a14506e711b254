//! Constants: numbers with their suffixes, characters and strings with their encodings.

/// An integer constant; its type follows from value, base and suffix (C11 6.4.4.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntConst {
    /// The value, always exact.
    pub value: u128,
    /// How it was written; a decimal constant without `u` never becomes unsigned.
    pub base: IntBase,
    /// Suffix `u`.
    pub unsigned: bool,
    /// Suffix `l` or `ll`.
    pub size: IntSize,
    /// GNU suffix `i` or `j`: an imaginary constant.
    pub imaginary: bool,
}

/// The base of an integer constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntBase {
    /// `0b101` (GNU).
    Binary,
    /// `017`; also plain `0`.
    Octal,
    /// `42`.
    Decimal,
    /// `0x2a`.
    Hex,
}

/// The length suffix of an integer constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IntSize {
    /// None.
    Plain,
    /// `l`.
    Long,
    /// `ll`.
    LongLong,
}

/// A floating constant, not yet rounded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FloatConst {
    /// The digits as written, with exponent and a leading `0x` for hexadecimal ones, without suffix.
    pub text: Box<str>,
    /// The suffix, which gives the type.
    pub suffix: FloatSuffix,
    /// GNU suffix `i` or `j`: an imaginary constant.
    pub imaginary: bool,
}

impl FloatConst {
    /// Whether it is written in hexadecimal (`0x1.8p3`).
    pub fn is_hex(&self) -> bool {
        self.text.starts_with("0x") || self.text.starts_with("0X")
    }
}

/// The type suffix of a floating constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FloatSuffix {
    /// None: `double`.
    None,
    /// `f`: `float`.
    F,
    /// `l`: `long double`.
    L,
    /// `f16`: `_Float16`.
    F16,
    /// `f32`: `_Float32`.
    F32,
    /// `f64`: `_Float64`.
    F64,
    /// `f128` or `q`: `_Float128`.
    F128,
    /// `f32x`: `_Float32x`.
    F32x,
    /// `f64x`: `_Float64x`.
    F64x,
    /// `w`: `__float80`.
    W,
    /// `df`: `_Decimal32`.
    Df,
    /// `dd`: `_Decimal64`.
    Dd,
    /// `dl`: `_Decimal128`.
    Dl,
}

/// The encoding prefix of a character constant or string literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// None: `char`, type `int` for character constants.
    Plain,
    /// `u8`: `char`, UTF-8.
    Utf8,
    /// `u`: `char16_t` (`unsigned short`).
    Char16,
    /// `U`: `char32_t` (`unsigned int`).
    Char32,
    /// `L`: `wchar_t` (`int`).
    Wide,
}

impl Encoding {
    /// Bytes per code unit.
    pub fn unit_size(self) -> usize {
        match self {
            Encoding::Plain | Encoding::Utf8 => 1,
            Encoding::Char16 => 2,
            Encoding::Char32 | Encoding::Wide => 4,
        }
    }
}

/// A character constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CharConst {
    /// The value in the constant's type, as gcc computes it for a signed `char` (also for `'ab'`).
    pub value: i64,
    /// The prefix, which gives the type.
    pub encoding: Encoding,
}

/// A string literal; adjacent ones are joined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrConst {
    /// The prefix, which gives the element type.
    pub encoding: Encoding,
    /// The code units in little-endian order, escapes resolved, without the terminator.
    pub bytes: Box<[u8]>,
}

impl StrConst {
    /// The number of code units, without the terminator.
    pub fn len(&self) -> usize {
        self.bytes.len() / self.encoding.unit_size()
    }

    /// Whether it is `""`.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The code units, without the terminator.
    pub fn units(&self) -> impl Iterator<Item = u32> + '_ {
        self.bytes
            .chunks_exact(self.encoding.unit_size())
            .map(|unit| unit.iter().rev().fold(0, |value, &byte| (value << 8) | u32::from(byte)))
    }
}
