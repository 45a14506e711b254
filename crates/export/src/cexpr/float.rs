//! Floating-point terms in C.

use super::{prec, Printer, Text};
use plumb_term::{FBinOp, FUnOp, Float, FloatTy, Kind, Term, VarId};
use plumb_verdict::AT_ENTRY;

/// The C name of a format.
pub fn c_float(ty: FloatTy) -> &'static str {
    match ty {
        FloatTy::F32 => "float",
        FloatTy::F64 => "double",
        FloatTy::F80 => "long double",
        FloatTy::F128 => "__float128",
    }
}

/// What ends a constant of a format.
fn suffix(ty: FloatTy) -> &'static str {
    match ty {
        FloatTy::F32 => "f",
        FloatTy::F64 => "",
        FloatTy::F80 => "L",
        FloatTy::F128 => "Q",
    }
}

/// A C constant with exactly this value; an expression of gcc's builtins for infinities and NaNs.
pub fn float_literal(f: Float) -> String {
    let suffix = suffix(f.ty);
    let sign = if f.sign_bit() { "-" } else { "" };
    if f.is_nan() {
        return format!("{sign}__builtin_nan(\"\")");
    }
    if f.is_infinite() {
        return format!("{sign}__builtin_inf()");
    }
    format!("{}{suffix}", f.format_a(None, false))
}

/// An expression with this value that calls nothing, as witnesses want it: where there is no literal, a quotient.
pub fn float_expression(f: Float) -> String {
    if !f.is_nan() && !f.is_infinite() {
        return float_literal(f);
    }
    let (sign, suffix) = (if f.sign_bit() { "-" } else { "" }, suffix(f.ty));
    format!("{sign}{}{suffix} / 0.0{suffix}", if f.is_nan() { "0.0" } else { "1.0" })
}

/// A float as people read it: decimal, and as short as it is exact.
pub fn float_text(f: Float) -> String {
    (1..=f.ty.decimal_digits())
        .map(|digits| f.format_g(digits, false, false))
        .find(|text| Float::parse(f.ty, text).is_some_and(|back| back.bits == f.bits))
        .unwrap_or_else(|| f.format_g(f.ty.decimal_digits(), false, false))
}

impl Printer<'_> {
    pub(super) fn float(&self, t: Term, depth: u32) -> Option<Text> {
        let depth = depth.checked_sub(1)?;
        Some(match t.kind() {
            Kind::Float(f) if f.is_nan() || f.is_infinite() => Text::new(float_expression(*f), prec::MUL),
            Kind::Float(f) => {
                let short = float_text(*f);
                let point = if short.contains(['.', 'e', 'n', 'i']) { "" } else { ".0" };
                let suffix = match f.ty {
                    FloatTy::F32 => "f",
                    FloatTy::F80 => "L",
                    _ => "",
                };
                Text::new(format!("{short}{point}{suffix}"), prec::UNARY)
            }
            Kind::Var(_) | Kind::Load(..) => Text::new(self.leaf(t)?, prec::PRIMARY),
            Kind::Ite(c, a, b) => {
                let (c, a, b) = (self.boolean(*c, depth)?, self.float(*a, depth)?, self.float(*b, depth)?);
                Text::new(format!("{} ? {} : {}", c.under(prec::OR), a.under(prec::COND), b.under(prec::COND)), prec::COND)
            }
            Kind::FBin(op, a, b) => {
                let (sign, level) = match op {
                    FBinOp::Add => ("+", prec::ADD),
                    FBinOp::Sub => ("-", prec::ADD),
                    FBinOp::Mul => ("*", prec::MUL),
                    FBinOp::Div => ("/", prec::MUL),
                    _ => return None,
                };
                let (a, b) = (self.float(*a, depth)?, self.float(*b, depth)?);
                Text::new(format!("{} {sign} {}", a.under(level), b.under(level + 1)), level)
            }
            Kind::FUn(FUnOp::Neg, a) => Text::new(format!("-({})", self.float(*a, depth)?.text), prec::UNARY),
            Kind::FFromInt(ty, a) => Text::new(format!("({}){}", c_float(*ty), self.int(*a, depth)?.text.under(prec::UNARY)), prec::UNARY),
            Kind::FCast(ty, a) => Text::new(format!("({}){}", c_float(*ty), self.float(*a, depth)?.under(prec::UNARY)), prec::UNARY),
            _ => return None,
        })
    }

    /// The name of a variable or of memory at a fixed address.
    pub(super) fn leaf(&self, t: Term) -> Option<String> {
        match t.kind() {
            Kind::Var(v) if self.bound && v.id >= VarId::FIRST_BOUND => Some(self.bound_name(*v)),
            Kind::Var(v) if self.contract && v.version == 0 && self.scopes.program().function(self.func).result == Some(v.id) => {
                Some("\\result".to_owned())
            }
            Kind::Var(v) if self.contract && v.version == AT_ENTRY => {
                let name = self.scopes.var(v.id, self.func, self.at)?;
                let parameter = self.scopes.program().function(self.func).params.contains(&v.id);
                Some(if parameter { name.to_owned() } else { format!("\\old({name})") })
            }
            Kind::Var(v) if v.version == 0 => self.scopes.var(v.id, self.func, self.at).map(str::to_owned),
            Kind::Load(ty, mem, addr) => {
                // A record of a proof is no memory of the program.
                let of = mem.as_var().filter(|m| m.id < VarId::FIRST_AUX)?;
                let old = Some(of).filter(|m| m.version == 0 || (self.contract && m.version == AT_ENTRY))?.version != 0;
                if self.bound && addr.as_int().is_none() {
                    return self.element(*ty, *addr);
                }
                let addr = u64::try_from(addr.as_int()?).ok()?;
                let program = self.scopes.program();
                let object = program.object_at(addr).filter(|o| self.scopes.object(o, self.func, self.at))?;
                let name = object.layout.lvalue(&object.name, addr - object.addr, *ty)?;
                Some(if old { format!("\\old({name})") } else { name })
            }
            _ => None,
        }
    }
}
