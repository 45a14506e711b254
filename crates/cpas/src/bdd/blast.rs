//! Terms as vectors of decision diagrams: two's complement, the least significant bit first, the last one is the sign.

use super::layout::{Bits, Layout};
use plumb_dd::{Bdd, Full, Manager};
use plumb_term::visit::postorder;
use plumb_term::{IBig, Kind, Sort, Term, VarId};
use rustc_hash::FxHashMap;

/// Wider values are not computed.
const MAX_WIDTH: usize = 40;
/// The bits of both factors of a product, together.
const MAX_PRODUCT: usize = 20;

/// The bits of an integer.
pub(super) type Vector = Vec<Bdd>;

/// The truth of which nothing is known.
const OPEN: (Bdd, Bdd) = (Bdd::FALSE, Bdd::TRUE);

/// What is known of a term.
#[derive(Clone)]
enum Value {
    Bits(Vector),
    /// Where it must be true, and where it may.
    Truth(Bdd, Bdd),
}

/// Computes with bits.
pub(super) struct Blaster<'a> {
    pub(super) dd: &'a mut Manager,
    pub(super) layout: &'a Layout,
}

impl Blaster<'_> {
    /// The bits of an integer term; nothing if it depends on what is not followed.
    pub(super) fn int(&mut self, t: Term) -> Result<Option<Vector>, Full> {
        Ok(match self.value(t)? {
            Some(Value::Bits(b)) => Some(b),
            _ => None,
        })
    }

    /// Where a condition must be true, and where it may: the same where it depends only on what is followed exactly.
    pub(super) fn truth(&mut self, t: Term) -> Result<(Bdd, Bdd), Full> {
        Ok(match self.value(t)? {
            Some(Value::Truth(must, may)) => (must, may),
            _ => OPEN,
        })
    }

    fn value(&mut self, t: Term) -> Result<Option<Value>, Full> {
        let mut done: FxHashMap<Term, Option<Value>> = FxHashMap::default();
        for n in postorder([t]) {
            let v = self.node(n, &done)?;
            done.insert(n, v);
        }
        Ok(done.remove(&t).flatten())
    }

    fn node(&mut self, n: Term, done: &FxHashMap<Term, Option<Value>>) -> Result<Option<Value>, Full> {
        let bits = |t: &Term| match done.get(t) {
            Some(Some(Value::Bits(b))) => Some(b.clone()),
            _ => None,
        };
        let truth = |t: &Term| match done.get(t) {
            Some(Some(Value::Truth(must, may))) => (*must, *may),
            _ => OPEN,
        };
        let exactly = |t: &Term| Some(truth(t)).filter(|(must, may)| must == may).map(|(f, _)| f);
        let both = |a: &Term, b: &Term| bits(a).zip(bits(b));
        let out = match n.kind() {
            Kind::Bool(b) => Some(Value::Truth(Bdd::constant(*b), Bdd::constant(*b))),
            Kind::Int(c) => constant(c).map(Value::Bits),
            Kind::Var(v) if v.version == 0 && v.id < VarId::FIRST_AUX && !self.layout.cuts.contains_key(&v.id) => {
                match self.layout.bits.get(&v.id) {
                    Some(b) => self.variable(*b)?.map(Value::Bits),
                    None => None,
                }
            }
            Kind::Not(a) => {
                let (must, may) = truth(a);
                Some(Value::Truth(self.dd.not(may)?, self.dd.not(must)?))
            }
            Kind::And(parts) | Kind::Or(parts) => {
                let is_and = matches!(n.kind(), Kind::And(_));
                let (mut must, mut may) = (Bdd::constant(is_and), Bdd::constant(is_and));
                for p in parts.iter() {
                    let (x, y) = truth(p);
                    must = if is_and { self.dd.and(must, x)? } else { self.dd.or(must, x)? };
                    may = if is_and { self.dd.and(may, y)? } else { self.dd.or(may, y)? };
                }
                Some(Value::Truth(must, may))
            }
            Kind::Eq(a, b) if a.sort() == Sort::Bool => match (exactly(a), exactly(b)) {
                (Some(x), Some(y)) => {
                    let same = self.dd.iff(x, y)?;
                    Some(Value::Truth(same, same))
                }
                _ => None,
            },
            Kind::Eq(a, b) if a.sort() == Sort::Int => match both(a, b) {
                Some((x, y)) => {
                    let same = self.equal(&x, &y)?;
                    Some(Value::Truth(same, same))
                }
                None => {
                    let (must, may) = self.compared(n)?;
                    Some(Value::Truth(must, may))
                }
            },
            Kind::Le(a, b) => match both(a, b) {
                // a ≤ b if b - a is not negative
                Some((x, y)) => {
                    let d = self.difference(&y, &x)?;
                    let negative = d.last().copied().unwrap_or(Bdd::FALSE);
                    let holds = self.dd.not(negative)?;
                    Some(Value::Truth(holds, holds))
                }
                None => {
                    let (must, may) = self.compared(n)?;
                    Some(Value::Truth(must, may))
                }
            },
            Kind::Ite(c, a, b) if n.sort() == Sort::Int => match (exactly(c), both(a, b)) {
                (Some(c), Some((x, y))) => {
                    let width = x.len().max(y.len());
                    let mut out = Vec::with_capacity(width);
                    for i in 0..width {
                        out.push(self.dd.ite(c, bit(&x, i), bit(&y, i))?);
                    }
                    Some(Value::Bits(out))
                }
                _ => None,
            },
            Kind::Lin(lin) => {
                let mut sum = constant(&lin.constant);
                for (k, a) in lin.parts.iter() {
                    sum = match (sum, bits(a), constant(k)) {
                        (Some(sum), Some(a), Some(k)) => match self.product(&a, &k)? {
                            Some(part) => Some(self.sum(&sum, &part, Bdd::FALSE)?),
                            None => None,
                        },
                        _ => None,
                    };
                }
                sum.map(Value::Bits)
            }
            Kind::Mul(a, b) => match both(a, b) {
                Some((x, y)) if x.len() + y.len() <= MAX_PRODUCT => self.product(&x, &y)?.map(Value::Bits),
                _ => None,
            },
            Kind::Wrap(ty, a) => bits(a).map(|x| {
                let mut low: Vector = (0..usize::from(ty.bits)).map(|i| bit(&x, i)).collect();
                if !ty.signed {
                    low.push(Bdd::FALSE);
                }
                Value::Bits(low)
            }),
            Kind::BitAnd(a, b) | Kind::BitOr(a, b) | Kind::BitXor(a, b) => match both(a, b) {
                Some((x, y)) => {
                    let mut out = Vector::new();
                    for i in 0..x.len().max(y.len()) {
                        let (p, q) = (bit(&x, i), bit(&y, i));
                        out.push(match n.kind() {
                            Kind::BitAnd(..) => self.dd.and(p, q)?,
                            Kind::BitOr(..) => self.dd.or(p, q)?,
                            _ => self.dd.xor(p, q)?,
                        });
                    }
                    Some(Value::Bits(out))
                }
                None => None,
            },
            _ => None,
        };
        // A constant sign that repeats says nothing.
        Ok(out.map(trimmed).filter(|v| !matches!(v, Value::Bits(b) if b.len() > MAX_WIDTH)))
    }

    fn variable(&mut self, b: Bits) -> Result<Option<Vector>, Full> {
        let mut out = Vector::new();
        for i in 0..b.count {
            out.push(self.dd.var(b.level(i))?);
        }
        out.push(Bdd::FALSE);
        match constant(&IBig::from(b.lo)) {
            Some(lo) => Ok(Some(self.sum(&out, &lo, Bdd::FALSE)?)),
            None => Ok(None),
        }
    }

    fn equal(&mut self, x: &[Bdd], y: &[Bdd]) -> Result<Bdd, Full> {
        let mut all = Bdd::TRUE;
        for i in 0..x.len().max(y.len()) {
            let same = self.dd.iff(bit(x, i), bit(y, i))?;
            all = self.dd.and(all, same)?;
        }
        Ok(all)
    }

    /// `x + y + carry`, one bit wider than both.
    fn sum(&mut self, x: &[Bdd], y: &[Bdd], carry: Bdd) -> Result<Vector, Full> {
        let (mut carry, mut out) = (carry, Vector::new());
        for i in 0..=x.len().max(y.len()) {
            let (a, b) = (bit(x, i), bit(y, i));
            let half = self.dd.xor(a, b)?;
            out.push(self.dd.xor(half, carry)?);
            let both = self.dd.and(a, b)?;
            carry = self.dd.ite(half, carry, both)?;
        }
        Ok(out)
    }

    /// `x - y`.
    pub(super) fn difference(&mut self, x: &[Bdd], y: &[Bdd]) -> Result<Vector, Full> {
        let mut negated = Vector::new();
        for b in y {
            negated.push(self.dd.not(*b)?);
        }
        self.sum(x, &negated, Bdd::TRUE)
    }

    /// The product; the sign of `y` counts negative.
    fn product(&mut self, x: &[Bdd], y: &[Bdd]) -> Result<Option<Vector>, Full> {
        if x.len() + y.len() > MAX_WIDTH {
            return Ok(None);
        }
        let mut out = vec![Bdd::FALSE];
        for (i, b) in y.iter().enumerate().filter(|(_, b)| **b != Bdd::FALSE) {
            let mut part = vec![Bdd::FALSE; i];
            for a in x {
                part.push(self.dd.and(*a, *b)?);
            }
            out = if i + 1 == y.len() { self.difference(&out, &part)? } else { self.sum(&out, &part, Bdd::FALSE)? };
            if let Value::Bits(short) = trimmed(Value::Bits(out.clone())) {
                out = short;
            }
        }
        Ok(Some(out))
    }
}

/// A bit of a number, the sign beyond its width.
fn bit(x: &[Bdd], i: usize) -> Bdd {
    x.get(i).or(x.last()).copied().unwrap_or(Bdd::FALSE)
}

fn trimmed(v: Value) -> Value {
    match v {
        Value::Bits(mut b) => {
            while b.len() > 1 && b[b.len() - 1] == b[b.len() - 2] {
                b.pop();
            }
            Value::Bits(b)
        }
        v => v,
    }
}

/// The bits of a constant.
fn constant(c: &IBig) -> Option<Vector> {
    let v = i128::try_from(c).ok()?;
    let width = 129 - (if v < 0 { !v } else { v }).leading_zeros() as usize;
    (width <= MAX_WIDTH).then(|| (0..width).map(|i| Bdd::constant(v >> i & 1 == 1)).collect())
}
