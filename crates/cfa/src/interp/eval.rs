//! Execution of compiled terms: `i128` where everything fits, the definitions of [`plumb_term::eval`] otherwise.

use super::code::{Code, Do, IntOp, Src, View};
use super::memory::{Memory, Supply};
use super::outcome::Stop;
use super::value::Val;
use plumb_term::eval as exact;
use plumb_term::{Float, IBig, IntTy, Scalar};

/// What instructions read and write.
pub(super) struct Machine<'a> {
    pub(super) code: &'a Code,
    pub(super) vars: &'a [Val],
    pub(super) regs: &'a mut [Val],
    pub(super) memory: &'a mut Memory,
    pub(super) supply: &'a mut Supply,
}

impl Machine<'_> {
    /// The value of an operand.
    pub(super) fn get(&self, s: Src) -> &Val {
        match s {
            Src::Var(v) => &self.vars[v as usize],
            Src::Reg(r) => &self.regs[r as usize],
            Src::Const(c) => &self.code.consts[c as usize],
        }
    }

    /// Computes all registers.
    pub(super) fn run(&mut self) -> Result<(), Stop> {
        let code = self.code;
        for i in &code.instrs {
            let v = self.compute(&i.what)?;
            self.regs[i.dst as usize] = v;
        }
        Ok(())
    }

    fn compute(&mut self, what: &Do) -> Result<Val, Stop> {
        match what {
            Do::Lin { constant, parts } => self.linear(*constant, parts),
            Do::LinBig { lin, parts } => {
                let mut sum = lin.constant.clone();
                for ((k, _), s) in lin.parts.iter().zip(parts) {
                    let v = self.get(*s);
                    if let Val::Poison(_) = v {
                        return Ok(v.clone());
                    }
                    sum += k * v.integer()?;
                }
                Ok(Val::big(sum))
            }
            Do::Int(op, a, b) => integers(*op, self.get(*a), self.get(*b)),
            Do::Eq(a, b) => match (self.get(*a), self.get(*b)) {
                (Val::Int(a), Val::Int(b)) => Ok(Val::bool(a == b)),
                (p @ Val::Poison(_), _) | (_, p @ Val::Poison(_)) => Ok(p.clone()),
                (a, b) => Ok(Val::bool(a.integer()? == b.integer()?)),
            },
            Do::Wrap(ty, a) => wrap(*ty, self.get(*a)),
            Do::Not(a) => match self.get(*a) {
                p @ Val::Poison(_) => Ok(p.clone()),
                v => Ok(Val::bool(!v.truth()?)),
            },
            Do::Junction { unit, of } => {
                let mut result = Val::bool(*unit);
                for s in of {
                    match self.get(*s) {
                        p @ Val::Poison(_) => result = p.clone(),
                        v if v.truth()? != *unit => return Ok(Val::bool(!unit)),
                        _ => {}
                    }
                }
                Ok(result)
            }
            Do::Ite(c, a, b) => match self.get(*c) {
                p @ Val::Poison(_) => Ok(p.clone()),
                v => Ok(self.get(if v.truth()? { *a } else { *b }).clone()),
            },
            Do::Load { ty, region, addr, partial } => {
                let addr = self.get(*addr).clone();
                match self.memory.load(*ty, *region, &addr, self.supply)? {
                    Val::Poison(_) if *partial => self.memory.load_known(*ty, *region, &addr, self.supply),
                    v => Ok(v),
                }
            }
            Do::LoadView { ty, view, addr } => {
                let addr = self.get(*addr).clone();
                self.load_view(*ty, *view, &addr)
            }
            other => self.floats(other),
        }
    }

    fn linear(&self, constant: i128, parts: &[(i128, Src)]) -> Result<Val, Stop> {
        let mut sum = Some(constant);
        for (k, s) in parts {
            sum = match (sum, self.get(*s)) {
                (Some(sum), Val::Int(v)) if *k == 1 => sum.checked_add(*v),
                (Some(sum), Val::Int(v)) => v.checked_mul(*k).and_then(|p| sum.checked_add(p)),
                (_, p @ Val::Poison(_)) => return Ok(p.clone()),
                _ => None,
            };
        }
        if let Some(sum) = sum {
            return Ok(Val::Int(sum));
        }
        let mut sum = IBig::from(constant);
        for (k, s) in parts {
            sum += IBig::from(*k) * self.get(*s).integer()?;
        }
        Ok(Val::big(sum))
    }

    fn floats(&self, what: &Do) -> Result<Val, Stop> {
        let operands = match what {
            Do::FBin(_, a, b) | Do::FCmp(_, a, b) => [*a, *b],
            Do::FUn(_, a)
            | Do::FTest(_, a)
            | Do::FFromInt(_, a)
            | Do::FToInt(_, a)
            | Do::FCast(_, a)
            | Do::FBits(a)
            | Do::FFromBits(_, a) => [*a, *a],
            _ => return Err(Stop::ill_sorted()),
        };
        let (a, b) = (self.get(operands[0]), self.get(operands[1]));
        if let Some(p @ Val::Poison(_)) = [a, b].into_iter().find(|v| matches!(v, Val::Poison(_))) {
            return Ok(p.clone());
        }
        Ok(match what {
            Do::FBin(op, ..) => Val::Float(exact::fbin(*op, a.float()?, b.float()?)),
            Do::FCmp(op, ..) => Val::bool(exact::fcmp(*op, a.float()?, b.float()?)),
            Do::FUn(op, _) => Val::Float(exact::fun(*op, a.float()?)),
            Do::FTest(test, _) => Val::bool(exact::ftest(*test, a.float()?)),
            Do::FFromInt(ty, _) => Val::Float(Float::from_int(*ty, &a.integer()?)),
            Do::FToInt(ty, _) => Val::big(exact::fto_int(*ty, a.float()?)),
            Do::FCast(ty, _) => Val::Float(a.float()?.convert(*ty)),
            Do::FBits(_) => Val::big(IBig::from(a.float()?.bits)),
            Do::FFromBits(ty, _) => Val::Float(Float::from_bits(*ty, exact::low_bits(&a.integer()?, ty.bits() as u16))),
            _ => return Err(Stop::ill_sorted()),
        })
    }

    /// A load through a memory that differs from the current one: the youngest write that covers the access decides.
    fn load_view(&mut self, ty: Scalar, mut view: u32, addr: &Val) -> Result<Val, Stop> {
        let n = IBig::from(ty.bytes());
        if let Val::Poison(_) = addr {
            return Err(addr.misuse());
        }
        let a = addr.integer()?;
        loop {
            match &self.code.views[view as usize] {
                View::Region(r) => return self.memory.load(ty, *r, addr, self.supply),
                View::Zero => return Ok(Val::from_bits(ty, 0)),
                View::Store { ty: stored, inner, addr: at, value } => {
                    let at = self.get(*at).integer()?;
                    if &a + &n <= at || &at + IBig::from(stored.bytes()) <= a {
                        view = *inner;
                    } else if at == a && *stored == ty {
                        let v = self.get(*value);
                        return Ok(v.bits()?.map_or_else(|| v.clone(), |bits| Val::from_bits(ty, bits)));
                    } else {
                        break;
                    }
                }
                View::Splice { mem, src, lo, len } => {
                    let (lo, len) = (self.get(*lo).integer()?, self.get(*len).integer()?);
                    let hi = &lo + len;
                    if lo <= a && &a + &n <= hi {
                        view = *src;
                    } else if &a + &n <= lo || hi <= a || hi <= lo {
                        view = *mem;
                    } else {
                        break;
                    }
                }
                View::Ite(c, x, y) => view = if self.get(*c).truth()? { *x } else { *y },
            }
        }
        let mut bits = 0u128;
        for k in 0..ty.bytes() {
            match self.byte(view, &(&a + IBig::from(k)))? {
                Some(b) => bits |= u128::from(b) << (8 * k),
                None => return Ok(Val::Poison(super::value::Taint::Memory)),
            }
        }
        Ok(Val::from_bits(ty, bits))
    }

    /// One byte of a memory; none if it is uninitialised in strict mode.
    pub(super) fn byte(&mut self, mut view: u32, addr: &IBig) -> Result<Option<u8>, Stop> {
        loop {
            match &self.code.views[view as usize] {
                View::Region(r) => {
                    let a = u64::try_from(addr).map_err(|_| Stop::Undefined(super::outcome::UbKind::OutOfBounds))?;
                    return self.memory.byte(Some(*r), a, self.supply);
                }
                View::Zero => return Ok(Some(0)),
                View::Store { ty, inner, addr: at, value } => {
                    let distance = addr - self.get(*at).integer()?;
                    match u64::try_from(&distance) {
                        Ok(d) if d < ty.bytes() => return Ok(self.get(*value).bits()?.map(|bits| (bits >> (8 * d)) as u8)),
                        _ => view = *inner,
                    }
                }
                View::Splice { mem, src, lo, len } => {
                    let (lo, len) = (self.get(*lo).integer()?, self.get(*len).integer()?);
                    view = if *addr >= lo && *addr < lo + len { *src } else { *mem };
                }
                View::Ite(c, x, y) => view = if self.get(*c).truth()? { *x } else { *y },
            }
        }
    }
}

fn wrap(ty: IntTy, v: &Val) -> Result<Val, Stop> {
    match v {
        Val::Int(i) => match ty.wrap_i128(*i) {
            Some(w) => Ok(Val::Int(w)),
            None => Ok(Val::big(ty.wrap(&IBig::from(*i)))),
        },
        Val::Poison(_) => Ok(v.clone()),
        other => Ok(Val::big(ty.wrap(&other.integer()?))),
    }
}

fn integers(op: IntOp, a: &Val, b: &Val) -> Result<Val, Stop> {
    if let (Val::Int(a), Val::Int(b)) = (a, b) {
        if let Some(v) = small(op, *a, *b) {
            return Ok(v);
        }
    }
    for v in [a, b] {
        if let Val::Poison(_) = v {
            return Ok(v.clone());
        }
    }
    let (a, b) = (a.integer()?, b.integer()?);
    Ok(match op {
        IntOp::Le => Val::bool(a <= b),
        IntOp::Mul => Val::big(a * b),
        IntOp::Div => Val::big(exact::div(&a, &b)),
        IntOp::Rem => Val::big(exact::rem(&a, &b)),
        IntOp::And => Val::big(a & b),
        IntOp::Or => Val::big(a | b),
        IntOp::Xor => Val::big(a ^ b),
        IntOp::Shl => Val::big(exact::shift_count(&b).map_or(IBig::ZERO, |n| a << n)),
        IntOp::Shr => Val::big(exact::shift_count(&b).map_or(IBig::ZERO, |n| exact::floor_shr(&a, n))),
    })
}

/// The result if it fits; `None` where the exact way must decide.
fn small(op: IntOp, a: i128, b: i128) -> Option<Val> {
    let v = match op {
        IntOp::Le => i128::from(a <= b),
        IntOp::Mul => a.checked_mul(b)?,
        IntOp::Div if b == 0 => 0,
        // 64-bit division is several times faster than 128-bit division.
        IntOp::Div => match (i64::try_from(a), i64::try_from(b)) {
            (Ok(x), Ok(y)) if y != -1 => i128::from(x / y),
            _ => a.checked_div(b)?,
        },
        IntOp::Rem if b == 0 => a,
        IntOp::Rem => match (i64::try_from(a), i64::try_from(b)) {
            (Ok(x), Ok(y)) if y != -1 => i128::from(x % y),
            _ => a.checked_rem(b)?,
        },
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::Shl if !(0..=255).contains(&b) => 0,
        IntOp::Shl => {
            let n = u32::try_from(b).ok().filter(|n| *n < 127)?;
            let v = a << n;
            (v >> n == a).then_some(v)?
        }
        IntOp::Shr if !(0..=255).contains(&b) => 0,
        IntOp::Shr => a >> b.min(127),
    };
    Some(Val::Int(v))
}
