//! Numbers in fields of a format.

use plumb_term::{Float, IBig};

/// Flags, width and precision of a conversion.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spec {
    pub(super) left: bool,
    pub(super) plus: bool,
    pub(super) space: bool,
    pub(super) alternate: bool,
    pub(super) zero: bool,
    pub(super) width: usize,
    pub(super) precision: Option<usize>,
}

impl Spec {
    /// Prints a text, padded with blanks.
    pub(super) fn pad(&self, out: &mut Vec<u8>, text: &[u8]) {
        let fill = self.width.saturating_sub(text.len());
        let (before, after) = if self.left { (0, fill) } else { (fill, 0) };
        out.extend(std::iter::repeat_n(b' ', before));
        out.extend_from_slice(text);
        out.extend(std::iter::repeat_n(b' ', after));
    }

    /// Prints a number: zeros go between prefix (sign, base) and digits.
    fn number(&self, out: &mut Vec<u8>, prefix: &str, digits: &str, zeros: bool) {
        let fill = if zeros && !self.left { self.width.saturating_sub(prefix.len() + digits.len()) } else { 0 };
        self.pad(out, format!("{prefix}{}{digits}", "0".repeat(fill)).as_bytes());
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (_, _, true) => " ",
            _ => "",
        }
    }
}

/// Prints an integer; `conversion` is one of `d`, `u`, `o`, `x`, `X`.
pub(super) fn integer(out: &mut Vec<u8>, spec: &Spec, conversion: u8, v: &IBig) {
    let negative = *v < IBig::ZERO;
    let magnitude = if negative { -v } else { v.clone() };
    let mut digits = match conversion {
        b'o' => format!("{:o}", u128::try_from(&magnitude).unwrap_or(0)),
        b'x' => format!("{:x}", u128::try_from(&magnitude).unwrap_or(0)),
        b'X' => format!("{:X}", u128::try_from(&magnitude).unwrap_or(0)),
        _ => magnitude.to_string(),
    };
    if spec.precision == Some(0) && *v == IBig::ZERO {
        digits.clear();
    }
    if let Some(p) = spec.precision {
        digits = format!("{}{digits}", "0".repeat(p.saturating_sub(digits.len())));
    }
    if conversion == b'o' && spec.alternate && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    let prefix = match conversion {
        b'd' => spec.sign(negative),
        b'x' if spec.alternate && *v != IBig::ZERO => "0x",
        b'X' if spec.alternate && *v != IBig::ZERO => "0X",
        _ => "",
    };
    spec.number(out, prefix, &digits, spec.zero && spec.precision.is_none());
}

/// Prints a float; `conversion` is one of `f`, `e`, `g`, `a` or their capitals.
pub(super) fn real(out: &mut Vec<u8>, spec: &Spec, conversion: u8, v: Float) {
    let upper = conversion.is_ascii_uppercase();
    let precision = spec.precision.unwrap_or(6);
    let mut text = match conversion.to_ascii_lowercase() {
        b'f' => v.format_f(precision),
        b'e' => v.format_e(precision, upper),
        b'g' => v.format_g(precision, spec.alternate, upper),
        _ => v.format_a(spec.precision, upper),
    };
    if upper {
        text = text.to_uppercase();
    }
    let negative = text.starts_with('-');
    let mut digits = text.trim_start_matches('-').to_owned();
    if !v.is_finite() {
        return spec.number(out, spec.sign(negative), &digits, false);
    }
    if spec.alternate && !digits.contains('.') {
        // The point stands before the exponent.
        let exponent = if conversion.eq_ignore_ascii_case(&b'a') { ['p', 'P'] } else { ['e', 'E'] };
        let at = digits.find(exponent).unwrap_or(digits.len());
        digits.insert(at, '.');
    }
    let mut prefix = spec.sign(negative).to_owned();
    if conversion.eq_ignore_ascii_case(&b'a') {
        let rest = digits.split_off(2);
        prefix.push_str(&digits);
        digits = rest;
    }
    spec.number(out, &prefix, &digits, spec.zero);
}
