//! Printing as glibc's `printf` does: `%f`, `%e`, `%g` and `%a`, from the exact value, rounded to nearest even.
//!
//! Flags and field width are left to the caller, except `#` for `%g`, which decides what is stripped. The result is as long as the
//! precision demands; bounding that is the caller's business too.

use super::decimal::Decimal;
use super::number::{rounds_away, split, Value};
use super::{Float, FloatTy, RoundMode};

impl Float {
    /// `%.{precision}f`.
    pub fn format_f(self, precision: usize) -> String {
        self.with_decimal(false, |mut decimal| {
            decimal.round(decimal.point.saturating_add(saturate(precision)));
            fixed(&decimal, precision)
        })
    }

    /// `%.{precision}e`, or `E` if `upper`.
    pub fn format_e(self, precision: usize, upper: bool) -> String {
        self.with_decimal(upper, |mut decimal| {
            decimal.round(saturate(precision).saturating_add(1));
            scientific(&decimal, precision, upper, false)
        })
    }

    /// `%.{precision}g`, or `G` if `upper`; with `alt` (the flag `#`) trailing zeros and the point stay.
    pub fn format_g(self, precision: usize, alt: bool, upper: bool) -> String {
        self.with_decimal(upper, |mut decimal| {
            let precision = saturate(precision.max(1));
            decimal.round(precision);
            let exponent = decimal.exponent();
            let digits = if alt { precision } else { (decimal.significant_digits() as i64).max(1) };
            if exponent < -4 || exponent >= precision {
                return scientific(&decimal, (digits - 1) as usize, upper, alt);
            }
            let mut text = fixed(&decimal, (digits - 1 - exponent).max(0) as usize);
            if alt && !text.contains('.') {
                text.push('.');
            }
            text
        })
    }

    /// `%a`, or `%.{precision}a`, with `A` if `upper`.
    ///
    /// The leading digit holds one bit, and four for `F80`; an `F32` is printed as the `F64` that C passes for it.
    pub fn format_a(self, precision: Option<usize>, upper: bool) -> String {
        if self.ty == FloatTy::F32 {
            return self.convert(FloatTy::F64).format_a(precision, upper);
        }
        if let Some(text) = self.special(upper) {
            return text;
        }
        let text = self.hexadecimal(precision);
        if upper {
            text.to_uppercase()
        } else {
            text
        }
    }

    /// The sign and the digits that `magnitude` makes of the exact value, or the name of a datum that has none.
    fn with_decimal(self, upper: bool, magnitude: impl FnOnce(Decimal) -> String) -> String {
        let decimal = match self.unpack() {
            Value::Finite(number) => Decimal::exact(&number),
            _ => Decimal::zero(),
        };
        self.special(upper).unwrap_or_else(|| format!("{}{}", self.sign_text(), magnitude(decimal)))
    }

    fn sign_text(self) -> &'static str {
        if self.sign_bit() {
            "-"
        } else {
            ""
        }
    }

    /// The text of infinities and NaNs.
    fn special(self, upper: bool) -> Option<String> {
        let name = match (self.is_nan(), self.is_infinite(), upper) {
            (true, _, false) => "nan",
            (true, _, true) => "NAN",
            (_, true, false) => "inf",
            (_, true, true) => "INF",
            _ => return None,
        };
        Some(format!("{}{name}", self.sign_text()))
    }

    /// The hexadecimal form of a finite number, straight from the fields: subnormals are not normalised.
    fn hexadecimal(self, precision: Option<usize>) -> String {
        let ty = self.ty;
        let field = self.exponent_field();
        // How many binary digits the leading hexadecimal digit holds, and the significand with that digit on top.
        let lead_bits = if ty.has_explicit_integer_bit() { 4 } else { 1 };
        let fraction_bits = ty.precision() - lead_bits;
        let implicit = u128::from(field != 0 && !ty.has_explicit_integer_bit()) << fraction_bits;
        let mant = self.significand_field() | implicit;
        let mut exponent = if self.is_zero() { 0 } else { field.max(1) as i32 - ty.max_exponent() - (lead_bits as i32 - 1) };
        let places = fraction_bits as usize / 4;
        let shown = match precision {
            None => places - (mant.trailing_zeros() as usize / 4).min(places),
            Some(precision) => precision.min(places),
        };
        let drop = 4 * (places - shown) as u32;
        let (kept, half, rest) = split(mant, drop);
        let rounded = kept + u128::from(rounds_away(RoundMode::NearestEven, false, kept & 1 == 1, half, rest));
        let mut lead = rounded >> (4 * shown);
        if lead > 15 {
            // The carry left the leading digit: its successor is a one, four binary places up.
            lead = 1;
            exponent += 4;
        }
        let mut text = format!("{}0x{lead:x}", self.sign_text());
        let padding = precision.unwrap_or(0).saturating_sub(shown);
        if shown + padding > 0 {
            text.push('.');
        }
        if shown > 0 {
            let fraction = rounded & ((1 << (4 * shown)) - 1);
            text.push_str(&format!("{fraction:0shown$x}"));
        }
        text.extend(std::iter::repeat_n('0', padding));
        text.push_str(&format!("p{exponent:+}"));
        text
    }
}

fn saturate(precision: usize) -> i64 {
    i64::try_from(precision).unwrap_or(i64::MAX)
}

/// The digits with `precision` of them after the point; the decimal has been rounded to that.
fn fixed(decimal: &Decimal, precision: usize) -> String {
    let mut text = String::new();
    if decimal.point <= 0 {
        text.push('0');
    }
    text.extend((0..decimal.point).map(|i| decimal.digit(i)));
    if precision > 0 {
        text.push('.');
        text.extend((0..saturate(precision)).map(|i| decimal.digit(decimal.point.saturating_add(i))));
    }
    text
}

/// One digit, `precision` digits after the point, and the exponent; the decimal has been rounded to that.
fn scientific(decimal: &Decimal, precision: usize, upper: bool, keep_point: bool) -> String {
    let mut text = String::from(decimal.digit(0));
    if precision > 0 || keep_point {
        text.push('.');
    }
    text.extend((1..=saturate(precision)).map(|i| decimal.digit(i)));
    let exponent = decimal.exponent();
    let sign = if exponent < 0 { '-' } else { '+' };
    text.push(if upper { 'E' } else { 'e' });
    text.push_str(&format!("{sign}{:02}", exponent.unsigned_abs()));
    text
}
