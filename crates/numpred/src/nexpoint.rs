//! NEXPOINT (Section V.A): a set of valuations and one numeric element, 2^(2^P) × N.

use crate::domain::NumPredDom;
use crate::expr::{Literal, Logic, Pred};
use crate::props::Props;
use crate::restrict::{Reducer, Restrict};
use crate::update::{self, Update};
use crate::vocabulary::Vocabulary;
use plumb_dd::{Bdd, Full};
use plumb_num::{Dim, LinCons, NumDomain};
use std::collections::BTreeSet;

/// The domain.
#[derive(Debug)]
pub struct NexPoint<D: NumDomain> {
    vocabulary: Vocabulary,
    domain: D,
    props: Props,
    restrict: Restrict<D::Elem>,
}

/// A pair (p, n); one that is seen to be empty is (∅, ⊥).
#[derive(Clone, PartialEq, Debug)]
pub struct Point<E> {
    set: Bdd,
    num: E,
}

impl<D: NumDomain> NexPoint<D> {
    /// Over a numeric domain.
    pub fn new(vocabulary: Vocabulary, domain: D) -> NexPoint<D> {
        NexPoint { restrict: Restrict::new(domain.top()), vocabulary, domain, props: Props::new() }
    }

    fn pair(&self, set: Bdd, num: D::Elem) -> Point<D::Elem> {
        if set == Bdd::FALSE || self.domain.is_bottom(&num) {
            self.bottom()
        } else {
            Point { set, num }
        }
    }
}

impl<D: NumDomain> NumPredDom for NexPoint<D> {
    type Num = D;
    type Elem = Point<D::Elem>;

    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn top(&self) -> Self::Elem {
        Point { set: Bdd::TRUE, num: self.domain.top() }
    }

    fn bottom(&self) -> Self::Elem {
        Point { set: Bdd::FALSE, num: self.domain.bottom() }
    }

    fn is_bottom(&self, a: &Self::Elem) -> Result<bool, Full> {
        Ok(a.set == Bdd::FALSE)
    }

    fn is_top(&self, a: &Self::Elem) -> Result<bool, Full> {
        Ok(a.set == Bdd::TRUE && self.domain.is_top(&a.num))
    }

    fn leq(&self, a: &Self::Elem, b: &Self::Elem) -> Result<bool, Full> {
        Ok(self.props.implies(a.set, b.set)? && self.domain.leq(&a.num, &b.num))
    }

    fn join(&self, a: &Self::Elem, b: &Self::Elem) -> Result<Self::Elem, Full> {
        Ok(Point { set: self.props.or(a.set, b.set)?, num: self.domain.join(&a.num, &b.num) })
    }

    fn meet(&self, a: &Self::Elem, b: &Self::Elem) -> Result<Self::Elem, Full> {
        Ok(self.pair(self.props.and(a.set, b.set)?, self.domain.meet(&a.num, &b.num)))
    }

    fn widen_up_to(&self, old: &Self::Elem, new: &Self::Elem, thresholds: &[LinCons]) -> Result<Self::Elem, Full> {
        let both = self.join(old, new)?;
        if old.set == Bdd::FALSE {
            return Ok(both);
        }
        Ok(Point { set: both.set, num: self.domain.widen_up_to(&old.num, &both.num, thresholds) })
    }

    fn alpha_p(&self, p: Pred, primed: bool, positive: bool) -> Result<Self::Elem, Full> {
        Ok(Point { set: self.props.literal(p, primed, positive)?, num: self.domain.top() })
    }

    fn alpha_n(&self, c: &LinCons) -> Result<Self::Elem, Full> {
        Ok(self.pair(Bdd::TRUE, self.domain.of_constraints(std::slice::from_ref(c))))
    }

    fn gamma_in<L: Logic>(&self, a: &Self::Elem, logic: &mut L) -> L::Formula {
        let mut parts = vec![self.props.gamma(a.set, logic)];
        for c in self.domain.constraints(&a.num) {
            parts.push(if c.is_never() { logic.constant(false) } else { logic.literal(&Literal::Cons(c)) });
        }
        logic.and(parts)
    }

    fn exists(&self, predicates: &BTreeSet<Pred>, a: &Self::Elem) -> Result<Self::Elem, Full> {
        Ok(Point { set: self.props.exists(predicates, a.set)?, num: a.num.clone() })
    }

    fn unprime(&self, a: &Self::Elem) -> Result<Self::Elem, Full> {
        Ok(Point { set: self.props.unprime(a.set)?, num: a.num.clone() })
    }

    fn reduce(&self, a: &Self::Elem) -> Result<Self::Elem, Full> {
        let pieces = [(a.set, a.num.clone())];
        let parts = Reducer::new(&self.props, &self.vocabulary, &self.domain, &self.restrict, &pieces).run()?;
        let sum = parts.into_iter().try_fold(self.bottom(), |sum, (set, num)| self.join(&sum, &Point { set, num }))?;
        Ok(sum)
    }

    fn post_n(&self, a: &Self::Elem, updates: &[(Dim, Update)]) -> Result<Self::Elem, Full> {
        Ok(self.pair(a.set, update::post(&self.domain, &a.num, updates)))
    }

    fn assume_literal(&self, a: &Self::Elem, l: &Literal) -> Result<Self::Elem, Full> {
        let mut out = a.clone();
        for p in self.vocabulary.proj_p(l) {
            if let Literal::Pred(p, b) | Literal::Primed(p, b) = p {
                let primed = matches!(l, Literal::Primed(..));
                out.set = self.props.and(out.set, self.props.literal(p, primed, b)?)?;
            }
        }
        if let Some(c) = self.vocabulary.proj_n(l) {
            out.num = self.domain.assume(&out.num, &c);
        }
        Ok(self.pair(out.set, out.num))
    }
}
