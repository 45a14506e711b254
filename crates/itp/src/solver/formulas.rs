//! Building formulas: numbers, atoms and gates, simplified where it is free.

use super::gates::Gate;
use super::Solver;
use crate::linear::{Linear, NumVar, Sort};
use crate::lit::Lit;
use crate::proof::Fun;
use crate::theory::Theory;
use crate::vocabulary::Literal;
use plumb_num::Int;

impl<T: Theory> Solver<T> {
    /// A new number.
    pub fn number(&mut self, sort: Sort) -> NumVar {
        self.vocabulary.number(sort)
    }

    /// The number that is the value of `function` at `arguments`.
    pub fn apply(&mut self, function: Fun, arguments: &[NumVar], sort: Sort) -> NumVar {
        self.vocabulary.apply(function, arguments, sort)
    }

    /// A new Boolean.
    pub fn boolean(&mut self) -> Lit {
        self.vocabulary.boolean().positive()
    }

    /// `t ≤ 0`.
    pub fn less_eq(&mut self, t: &Linear) -> Literal {
        self.vocabulary.less_eq(t)
    }

    /// `t < 0`.
    pub fn less(&mut self, t: &Linear) -> Literal {
        self.vocabulary.less(t)
    }

    /// `t = 0`, which is `t ≤ 0 ∧ -t ≤ 0`.
    pub fn equal(&mut self, t: &Linear) -> Literal {
        if self.vocabulary.is_integer(t) {
            let gcd = t.terms().iter().fold(Int::ZERO, |g, (_, a)| g.gcd(a));
            if !gcd.is_zero() && &t.offset().div_floor(&gcd) * &gcd != *t.offset() {
                return Literal::Constant(false);
            }
        }
        let (le, ge) = (self.less_eq(t), self.less_eq(&t.times(&Int::MINUS_ONE)));
        self.and(&[le, ge])
    }

    /// Negation.
    pub fn not(&self, a: Literal) -> Literal {
        negate(a)
    }

    /// Conjunction.
    pub fn and(&mut self, inputs: &[Literal]) -> Literal {
        let mut lits = Vec::with_capacity(inputs.len());
        for a in inputs {
            match a {
                Literal::Constant(false) => return Literal::Constant(false),
                Literal::Constant(true) => {}
                Literal::Lit(l) => lits.push(*l),
            }
        }
        lits.sort_unstable();
        lits.dedup();
        if lits.windows(2).any(|w| w[0] == !w[1]) {
            return Literal::Constant(false);
        }
        match lits[..] {
            [] => Literal::Constant(true),
            [l] => Literal::Lit(l),
            _ => self.gate(Gate::And(lits)),
        }
    }

    /// Disjunction.
    pub fn or(&mut self, inputs: &[Literal]) -> Literal {
        let negated: Vec<Literal> = inputs.iter().map(|&a| negate(a)).collect();
        negate(self.and(&negated))
    }

    /// `a ⇒ b`.
    pub fn implies(&mut self, a: Literal, b: Literal) -> Literal {
        self.or(&[negate(a), b])
    }

    /// Equivalence.
    pub fn iff(&mut self, a: Literal, b: Literal) -> Literal {
        match (a, b) {
            (Literal::Constant(a), b) => negate_unless(a, b),
            (a, Literal::Constant(b)) => negate_unless(b, a),
            (Literal::Lit(a), Literal::Lit(b)) if a.var() == b.var() => Literal::Constant(a == b),
            (Literal::Lit(a), Literal::Lit(b)) => {
                let same = a.is_positive() == b.is_positive();
                let (low, high) = (a.var().min(b.var()), a.var().max(b.var()));
                negate_unless(same, self.gate(Gate::Iff(low.positive(), high.positive())))
            }
        }
    }

    /// `then` where `condition` holds, `otherwise` elsewhere.
    pub fn ite(&mut self, condition: Literal, then: Literal, otherwise: Literal) -> Literal {
        let c = match condition {
            Literal::Constant(true) => return then,
            Literal::Constant(false) => return otherwise,
            Literal::Lit(c) => c,
        };
        let (t, e) = match (then, otherwise) {
            _ if then == otherwise => return then,
            (Literal::Constant(true), e) => return self.or(&[condition, e]),
            (Literal::Constant(false), e) => return self.and(&[negate(condition), e]),
            (t, Literal::Constant(true)) => return self.or(&[negate(condition), t]),
            (t, Literal::Constant(false)) => return self.and(&[condition, t]),
            (Literal::Lit(t), Literal::Lit(e)) => (t, e),
        };
        if t == !e {
            return self.iff(condition, then);
        }
        if t.var() == c.var() {
            let value = Literal::Constant(t == c);
            return self.ite(condition, value, otherwise);
        }
        if e.var() == c.var() {
            let value = Literal::Constant(e != c);
            return self.ite(condition, then, value);
        }
        match c.is_positive() {
            true => self.gate(Gate::Ite(c, t, e)),
            false => self.gate(Gate::Ite(!c, e, t)),
        }
    }

    fn gate(&mut self, gate: Gate) -> Literal {
        let vocabulary = &mut self.vocabulary;
        Literal::Lit(self.gates.name(self.current, gate, || vocabulary.boolean()).positive())
    }
}

fn negate(a: Literal) -> Literal {
    negate_unless(false, a)
}

fn negate_unless(keep: bool, a: Literal) -> Literal {
    match a {
        a if keep => a,
        Literal::Constant(b) => Literal::Constant(!b),
        Literal::Lit(l) => Literal::Lit(!l),
    }
}
