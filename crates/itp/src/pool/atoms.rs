//! Normal forms of atoms.

use super::{Bound, Id, Node, Pool};
use crate::linear::{Linear, Sort};
use plumb_num::{Int, Rat};

impl Pool {
    /// Whether all variables of `t` are integers.
    pub fn is_integer(&self, t: &Linear) -> bool {
        t.terms().iter().all(|(x, _)| self.sorts[x.index()] == Sort::Int)
    }

    /// `t ≤ 0`, or `t < 0` if `strict`.
    pub fn less_eq(&mut self, t: &Linear, strict: bool) -> Id {
        if t.is_constant() {
            let sign = t.offset().signum();
            return Pool::constant(sign < 0 || (sign == 0 && !strict));
        }
        let mut g = t.terms().iter().fold(Int::ZERO, |g, (_, a)| g.gcd(a));
        if self.is_integer(t) {
            // t < 0 is t + 1 ≤ 0; then dividing rounds the constant up.
            let offset = if strict { t.offset() + &Int::ONE } else { t.offset().clone() };
            let offset = offset.div_ceil(&g);
            let t = Linear::new(t.terms().iter().map(|(x, a)| (*x, a.div_exact(&g))), offset);
            return self.intern(Node::LessEq(t, false));
        }
        g = g.gcd(t.offset());
        let t = Linear::new(t.terms().iter().map(|(x, a)| (*x, a.div_exact(&g))), t.offset().div_exact(&g));
        self.intern(Node::LessEq(t, strict))
    }

    /// `t = 0`.
    pub fn equal(&mut self, t: &Linear) -> Id {
        let halves = vec![self.less_eq(t, false), self.less_eq(&t.times(&Int::MINUS_ONE), false)];
        self.and(halves)
    }

    /// `modulus` divides `t`, for integer variables and a positive modulus.
    pub fn divides(&mut self, modulus: &Int, t: &Linear) -> Id {
        let half = modulus.div_floor(&Int::from(2));
        let residue = |a: &Int| {
            let r = a.rem_floor(modulus);
            if r > half {
                &r - modulus
            } else {
                r
            }
        };
        let t = Linear::new(t.terms().iter().map(|(x, a)| (*x, residue(a))), t.offset().rem_floor(modulus));
        let g = t.terms().iter().fold(modulus.clone(), |g, (_, a)| g.gcd(a));
        if !g.divides(t.offset()) {
            return Id::FALSE;
        }
        let modulus = modulus.div_exact(&g);
        if modulus.is_one() {
            return Id::TRUE;
        }
        let flip = t.terms().first().is_some_and(|(_, a)| a.is_negative());
        let d = if flip { -g } else { g };
        let offset = t.offset().div_exact(&d).rem_floor(&modulus);
        let t = Linear::new(t.terms().iter().map(|(x, a)| (*x, a.div_exact(&d))), offset);
        self.intern(Node::Divides(modulus, t))
    }

    /// The negation of an atom; nothing for divisibility and for connections.
    pub fn negate_atom(&mut self, id: Id) -> Option<Id> {
        match self.node(id).clone() {
            Node::Constant(b) => Some(Pool::constant(!b)),
            Node::Boolean(var, value) => Some(self.boolean(var, !value)),
            // Where all is integer, the strictness below adds the one.
            Node::LessEq(t, strict) => Some(self.less_eq(&t.times(&Int::MINUS_ONE), !strict)),
            Node::Divides(..) | Node::Connect(..) => None,
        }
    }

    /// The bound that `t ≤ 0` or `t < 0` is, for an atom in normal form.
    pub(super) fn read_bound(&mut self, t: &Linear, strict: bool) -> Bound {
        let integer = self.is_integer(t);
        let g = t.terms().iter().fold(Int::ZERO, |g, (_, a)| g.gcd(a));
        let upper = t.terms().first().is_none_or(|(_, a)| a.is_positive());
        let scale = if upper { g } else { -g };
        let direction: Vec<_> = t.terms().iter().map(|(x, a)| (*x, a.div_exact(&scale))).collect();
        let limit = Rat::new(-t.offset(), scale);
        let next = self.directions.len() as u32;
        Bound { direction: *self.directions.entry(direction).or_insert(next), upper, limit, strict, integer }
    }
}

impl Bound {
    /// Whether every value that satisfies `self` satisfies `other`.
    pub fn implies(&self, other: &Bound) -> bool {
        if self.direction != other.direction || self.upper != other.upper {
            return false;
        }
        let tighter = if self.upper { self.limit < other.limit } else { self.limit > other.limit };
        tighter || (self.limit == other.limit && (self.strict || !other.strict))
    }

    /// Whether no value satisfies both.
    pub fn excludes(&self, other: &Bound) -> bool {
        if self.direction != other.direction || self.upper == other.upper {
            return false;
        }
        let (upper, lower) = if self.upper { (self, other) } else { (other, self) };
        lower.limit > upper.limit || (lower.limit == upper.limit && (lower.strict || upper.strict))
    }

    /// Whether every value satisfies one of them.
    pub fn covers(&self, other: &Bound) -> bool {
        if self.direction != other.direction || self.upper == other.upper {
            return false;
        }
        let (upper, lower) = if self.upper { (self, other) } else { (other, self) };
        if self.integer {
            // Limits of integer bounds are integers.
            return lower.limit <= &upper.limit + &Rat::ONE;
        }
        lower.limit < upper.limit || (lower.limit == upper.limit && !(lower.strict && upper.strict))
    }
}
