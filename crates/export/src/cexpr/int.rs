//! Integer terms in C: exact values, and values modulo a power of two for wraps.

use super::{prec, Printer, Text};
use plumb_term::{IBig, IntTy, Kind, Range, Scalar, Term, VarTy};

/// An expression whose C type, after promotion, is `ty` and whose value is the term's.
#[derive(Clone, Debug)]
pub(super) struct CInt {
    pub text: Text,
    pub ty: IntTy,
}

impl CInt {
    fn new(text: impl Into<String>, prec: u8, ty: IntTy) -> CInt {
        CInt { text: Text::new(text, prec), ty }
    }

    /// Cast to `ty` unless it has that type.
    pub(super) fn to(&self, ty: IntTy) -> CInt {
        if self.ty == ty {
            return self.clone();
        }
        if let (Some(v), true) = (self.literal(), ty == IntTy::I64 && self.ty == IntTy::I32) {
            return literal_as(&v, ty);
        }
        CInt::new(format!("({}){}", c_int(ty), self.text.under(prec::UNARY)), prec::UNARY, ty)
    }

    fn literal(&self) -> Option<IBig> {
        self.text.text.parse::<i64>().ok().map(IBig::from)
    }
}

/// The C name of an integer type; 64 bits are `long long` under both data models.
pub fn c_int(ty: IntTy) -> &'static str {
    match (ty.bits, ty.signed) {
        (0..=8, true) => "signed char",
        (0..=8, false) => "unsigned char",
        (9..=16, true) => "short",
        (9..=16, false) => "unsigned short",
        (17..=32, true) => "int",
        (17..=32, false) => "unsigned int",
        (33..=64, true) => "long long",
        (33..=64, false) => "unsigned long long",
        (_, true) => "__int128",
        (_, false) => "unsigned __int128",
    }
}

/// A C constant of `ty` (`int` or a 64-bit type) with this value, which must fit.
pub(super) fn literal_as(v: &IBig, ty: IntTy) -> CInt {
    let suffix = match (ty.bits, ty.signed) {
        (32, true) => "",
        (32, false) => "U",
        (_, true) => "LL",
        (_, false) => "ULL",
    };
    if ty.signed && *v == ty.min() {
        return CInt::new(format!("{}{suffix} - 1", v + IBig::ONE), prec::ADD, ty);
    }
    let level = if *v < IBig::ZERO { prec::UNARY } else { prec::PRIMARY };
    CInt::new(format!("{v}{suffix}"), level, ty)
}

fn promoted(ty: IntTy) -> Option<IntTy> {
    match ty.bits {
        0..=31 => Some(IntTy::I32),
        32 | 64 => Some(ty),
        _ => None,
    }
}

impl Printer<'_> {
    /// The term with its exact value.
    pub(super) fn int(&self, t: Term, depth: u32) -> Option<CInt> {
        let depth = depth.checked_sub(1)?;
        let out = match t.kind() {
            Kind::Int(v) => {
                let ty = [IntTy::I32, IntTy::I64, IntTy::U64].into_iter().find(|ty| ty.contains(v))?;
                literal_as(v, ty)
            }
            Kind::Var(v) => {
                if self.is_pointer(t) {
                    return None;
                }
                let ty = match v.ty {
                    VarTy::Scalar(Scalar::Int(ty)) => promoted(ty)?,
                    VarTy::Int => IntTy::I32,
                    _ => return None,
                };
                CInt::new(self.leaf(t)?, prec::PRIMARY, ty)
            }
            Kind::Load(Scalar::Int(ty), ..) => CInt::new(self.leaf(t)?, prec::PRIMARY, promoted(*ty)?),
            Kind::Lin(lin) => self.sum(&lin.constant, &lin.parts, depth)?,
            Kind::Mul(a, b) => {
                let operands = [self.int(*a, depth)?, self.int(*b, depth)?];
                self.binary("*", prec::MUL, &[a.range(), b.range(), t.range()], &operands)?
            }
            Kind::Div(a, b) | Kind::Rem(a, b) if !b.range().contains(0) => {
                let operands = [self.int(*a, depth)?, self.int(*b, depth)?];
                let op = if matches!(t.kind(), Kind::Div(..)) { "/" } else { "%" };
                self.binary(op, prec::MUL, &[a.range(), b.range(), t.range()], &operands)?
            }
            Kind::BitAnd(a, b) => self.bitwise("&", prec::BIT_AND, t, *a, *b, depth)?,
            Kind::BitOr(a, b) => self.bitwise("|", prec::BIT_OR, t, *a, *b, depth)?,
            Kind::BitXor(a, b) => self.bitwise("^", prec::BIT_XOR, t, *a, *b, depth)?,
            Kind::Shr(a, n) if n.range().lo.is_some_and(|l| l >= 0) && n.range().hi.is_some_and(|h| h < 32) => {
                let (x, n) = (self.int(*a, depth)?, self.int(*n, depth)?);
                let ty = self.carrier(&[a.range()], &[&x])?;
                let x = if self.ideal { x } else { x.to(ty) };
                CInt::new(format!("{} >> {}", x.text.under(prec::SHIFT), n.text.under(prec::SHIFT + 1)), prec::SHIFT, ty)
            }
            Kind::Wrap(ty, inner) => self.wrap(*ty, *inner, depth)?,
            Kind::Ite(c, a, b) => {
                let c = self.boolean(*c, depth)?;
                let (x, y) = (self.int(*a, depth)?, self.int(*b, depth)?);
                let ty = self.carrier(&[a.range(), b.range()], &[&x, &y])?;
                let (a, b) = if self.ideal { (x, y) } else { (x.to(ty), y.to(ty)) };
                let text = format!("{} ? {} : {}", c.under(prec::OR), a.text.under(prec::COND), b.text.under(prec::COND));
                CInt::new(text, prec::COND, ty)
            }
            _ => return None,
        };
        (out.text.text.len() <= self.longest).then_some(out)
    }

    pub(super) fn is_pointer(&self, t: Term) -> bool {
        t.as_var().is_some_and(|v| self.scopes.program().vars.get(v.id.0 as usize).is_some_and(|i| i.c_type.contains(['*', '['])))
    }

    /// The type in which operands and results of these ranges can be computed exactly.
    fn carrier(&self, ranges: &[Range], operands: &[&CInt]) -> Option<IntTy> {
        if self.ideal {
            return Some(IntTy::I32);
        }
        let small = operands.iter().all(|c| c.ty == IntTy::I32);
        [IntTy::I32, IntTy::I64, IntTy::U64].into_iter().find(|ty| (*ty != IntTy::I32 || small) && ranges.iter().all(|r| r.fits(*ty)))
    }

    fn binary(&self, op: &str, level: u8, ranges: &[Range], operands: &[CInt; 2]) -> Option<CInt> {
        let [a, b] = operands;
        let ty = self.carrier(ranges, &[a, b])?;
        let cast = |c: &CInt| if self.ideal { c.clone() } else { c.to(ty) };
        Some(CInt::new(format!("{} {op} {}", cast(a).text.under(level), cast(b).text.under(level + 1)), level, ty))
    }

    fn bitwise(&self, op: &str, level: u8, t: Term, a: Term, b: Term, depth: u32) -> Option<CInt> {
        if self.ideal {
            return None;
        }
        let operands = [self.int(a, depth)?, self.int(b, depth)?];
        self.binary(op, level, &[a.range(), b.range(), t.range()], &operands)
    }

    /// `constant + Σ k·a`: positive parts first, every partial sum in range of the chosen type.
    fn sum(&self, constant: &IBig, parts: &[(IBig, Term)], depth: u32) -> Option<CInt> {
        let mut ordered: Vec<&(IBig, Term)> = parts.iter().collect();
        ordered.sort_by_key(|p| p.0 < IBig::ZERO);
        let mut ranges = Vec::new();
        let mut total = Range::new(0, 0);
        for (k, a) in &ordered {
            let part = a.range().scale(k);
            total = total.plus(part);
            ranges.extend([a.range(), part, total]);
        }
        ranges.push(total.plus(Range::of_value(constant)));
        ranges.push(Range::of_value(constant));
        let operands: Vec<CInt> = ordered.iter().map(|p| self.int(p.1, depth)).collect::<Option<_>>()?;
        let ty = self.carrier(&ranges, &operands.iter().collect::<Vec<_>>())?;
        let mut text = String::new();
        for ((k, _), atom) in ordered.iter().zip(&operands) {
            let atom = if self.ideal { atom.clone() } else { atom.to(ty) };
            push_part(&mut text, k, &atom.text);
        }
        if *constant != IBig::ZERO {
            let negative = *constant < IBig::ZERO;
            let size = if negative { -constant.clone() } else { constant.clone() };
            text.push_str(if negative { " - " } else { " + " });
            text.push_str(&size.to_string());
        }
        Some(CInt::new(text, prec::ADD, ty))
    }

    fn wrap(&self, ty: IntTy, inner: Term, depth: u32) -> Option<CInt> {
        if self.ideal || ty.bits > 64 {
            return None;
        }
        let base = IntTy::unsigned(if ty.bits <= 32 { 32 } else { 64 });
        let modular = self.modular(inner, base, depth)?;
        if ty == base {
            return Some(CInt { text: modular, ty });
        }
        if matches!(ty.bits, 8 | 16 | 32 | 64) {
            return Some(CInt::new(format!("({}){}", c_int(ty), modular.under(prec::UNARY)), prec::UNARY, promoted(ty)?));
        }
        if ty.signed {
            return None;
        }
        let mask = literal_as(&ty.max(), base);
        Some(CInt::new(format!("{} & {}", modular.under(prec::BIT_AND), mask.text.text), prec::BIT_AND, base))
    }

    /// An expression of the unsigned type `base` that is congruent to the term modulo 2^bits.
    fn modular(&self, t: Term, base: IntTy, depth: u32) -> Option<Text> {
        let depth = depth.checked_sub(1)?;
        match t.kind() {
            Kind::Int(v) => Some(literal_as(&base.wrap(v), base).text),
            Kind::Wrap(inner, x) if inner.bits >= base.bits => self.modular(*x, base, depth),
            Kind::Lin(lin) => {
                let near = IntTy::signed(base.bits);
                let mut parts: Vec<(IBig, Term)> = lin.parts.iter().map(|(k, a)| (near.wrap(k), *a)).collect();
                parts.sort_by_key(|p| p.0 < IBig::ZERO);
                let mut text = String::new();
                for (k, a) in &parts {
                    push_part(&mut text, k, &self.modular(*a, base, depth)?);
                }
                let constant = near.wrap(&lin.constant);
                if constant != IBig::ZERO {
                    let negative = constant < IBig::ZERO;
                    let size = if negative { -constant } else { constant };
                    text.push_str(if negative { " - " } else { " + " });
                    text.push_str(&literal_as(&size, base).text.text);
                }
                Some(Text::new(text, prec::ADD))
            }
            Kind::Mul(a, b) => {
                let (a, b) = (self.modular(*a, base, depth)?, self.modular(*b, base, depth)?);
                Some(Text::new(format!("{} * {}", a.under(prec::MUL), b.under(prec::MUL + 1)), prec::MUL))
            }
            _ => Some(self.int(t, depth)?.to(base).text),
        }
    }
}

fn push_part(text: &mut String, k: &IBig, atom: &Text) {
    let negative = *k < IBig::ZERO;
    let size = if negative { -k.clone() } else { k.clone() };
    match (text.is_empty(), negative) {
        (true, true) => text.push('-'),
        (true, false) => {}
        (false, true) => text.push_str(" - "),
        (false, false) => text.push_str(" + "),
    }
    if size == IBig::ONE {
        let level = if negative && text == "-" { prec::UNARY } else { prec::ADD + 1 };
        text.push_str(&atom.under(level));
    } else {
        text.push_str(&format!("{size} * {}", atom.under(prec::MUL + 1)));
    }
}
