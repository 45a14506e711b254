//! NEX (Section V.B): functions from valuations to numeric elements, 2^P → N, as sets of pairs (p, n).
//!
//! The pairs satisfy C1 (neither part is empty), C2 (elements differ) and C3 (sets are disjoint), and are listed in the order of their diagrams, so that equal lists are equal functions.
//!
//! `NEXJoin` as printed joins the rest of one list with the whole of the other again, so that its output violates C3; what its text says is meant: split `p ⊔ p'` into `p ⊓ p'`, `p ⊓ ¬p'`,
//! `p' ⊓ ¬p`, and go on with what is left. `exists` on the diagrams alone would violate C3, too: pieces that come to overlap are joined.

use crate::domain::NumPredDom;
use crate::expr::{Literal, Logic, Pred};
use crate::props::{add, sifted, Pieces, Props};
use crate::restrict::{Reducer, Restrict};
use crate::update::{self, Update};
use crate::vocabulary::Vocabulary;
use plumb_dd::{Bdd, Full};
use plumb_num::{Dim, LinCons, NumDomain};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The domain.
#[derive(Debug)]
pub struct Nex<D: NumDomain> {
    vocabulary: Vocabulary,
    domain: D,
    props: Props,
    restrict: Restrict<D::Elem>,
}

impl<D: NumDomain> Nex<D> {
    /// Over a numeric domain.
    pub fn new(vocabulary: Vocabulary, domain: D) -> Nex<D> {
        Nex { restrict: Restrict::new(domain.top()), vocabulary, domain, props: Props::new() }
    }

    /// `norm`: from disjoint pairs ones that satisfy C1 to C3.
    fn norm(&self, pairs: impl IntoIterator<Item = (Bdd, D::Elem)>) -> Result<Pieces<D::Elem>, Full> {
        let mut by_elem: FxHashMap<D::Elem, usize> = FxHashMap::default();
        let mut out: Pieces<D::Elem> = Vec::new();
        for (p, n) in pairs {
            if p == Bdd::FALSE || self.domain.is_bottom(&n) {
                continue;
            }
            match by_elem.get(&n) {
                Some(i) => out[*i].0 = self.props.or(out[*i].0, p)?,
                None => {
                    by_elem.insert(n.clone(), out.len());
                    out.push((p, n));
                }
            }
        }
        out.sort_by_key(|p| p.0);
        Ok(out)
    }

    /// `NEXJoin` with any operation for the common part.
    fn combine(
        &self,
        a: &[(Bdd, D::Elem)],
        b: &[(Bdd, D::Elem)],
        op: impl Fn(&D::Elem, &D::Elem) -> D::Elem,
    ) -> Result<Pieces<D::Elem>, Full> {
        let mut rest: Pieces<D::Elem> = b.to_vec();
        let mut out = Vec::new();
        for (p, n) in a {
            let mut own = *p;
            for (q, m) in &mut rest {
                if own == Bdd::FALSE {
                    break;
                }
                let common = self.props.and(own, *q)?;
                if common != Bdd::FALSE {
                    out.push((common, if *m == *n { n.clone() } else { op(n, m) }));
                    *q = self.props.minus(*q, common)?;
                    own = self.props.minus(own, common)?;
                }
            }
            out.push((own, n.clone()));
            rest.retain(|r| r.0 != Bdd::FALSE);
        }
        out.extend(rest);
        self.norm(out)
    }

    /// The function whose value is the join of all pairs of a valuation.
    fn overlay(&self, pairs: Pieces<D::Elem>) -> Result<Pieces<D::Elem>, Full> {
        let mut disjoint: Pieces<D::Elem> = Vec::new();
        for (p, n) in pairs {
            disjoint = self.combine(&disjoint, &[(p, n)], |a, b| self.domain.join(a, b))?;
        }
        Ok(disjoint)
    }
}

impl<D: NumDomain> NumPredDom for Nex<D> {
    type Num = D;
    type Elem = Pieces<D::Elem>;

    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn top(&self) -> Self::Elem {
        vec![(Bdd::TRUE, self.domain.top())]
    }

    fn bottom(&self) -> Self::Elem {
        Vec::new()
    }

    fn is_bottom(&self, a: &Self::Elem) -> Result<bool, Full> {
        Ok(a.is_empty())
    }

    fn is_top(&self, a: &Self::Elem) -> Result<bool, Full> {
        Ok(matches!(a.as_slice(), [(Bdd::TRUE, n)] if self.domain.is_top(n)))
    }

    fn leq(&self, a: &Self::Elem, b: &Self::Elem) -> Result<bool, Full> {
        for (p, n) in a {
            let mut left = *p;
            for (q, m) in b {
                if left == Bdd::FALSE {
                    break;
                }
                let without = self.props.minus(left, *q)?;
                if without != left && self.domain.leq(n, m) {
                    left = without;
                }
            }
            if left != Bdd::FALSE {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn join(&self, a: &Self::Elem, b: &Self::Elem) -> Result<Self::Elem, Full> {
        if a == b {
            return Ok(a.clone());
        }
        self.combine(a, b, |n, m| self.domain.join(n, m))
    }

    fn meet(&self, a: &Self::Elem, b: &Self::Elem) -> Result<Self::Elem, Full> {
        let mut out = Vec::new();
        for (p, n) in a {
            for (q, m) in b {
                let common = self.props.and(*p, *q)?;
                if common != Bdd::FALSE {
                    out.push((common, self.domain.meet(n, m)));
                }
            }
        }
        self.norm(out)
    }

    fn widen_up_to(&self, old: &Self::Elem, new: &Self::Elem, thresholds: &[LinCons]) -> Result<Self::Elem, Full> {
        self.combine(old, new, |n, m| self.domain.widen_up_to(n, &self.domain.join(n, m), thresholds))
    }

    fn alpha_p(&self, p: Pred, primed: bool, positive: bool) -> Result<Self::Elem, Full> {
        Ok(vec![(self.props.literal(p, primed, positive)?, self.domain.top())])
    }

    fn alpha_n(&self, c: &LinCons) -> Result<Self::Elem, Full> {
        self.norm([(Bdd::TRUE, self.domain.of_constraints(std::slice::from_ref(c)))])
    }

    fn gamma_in<L: Logic>(&self, a: &Self::Elem, logic: &mut L) -> L::Formula {
        let mut pieces = Vec::new();
        for (p, n) in a {
            let mut parts = vec![self.props.gamma(*p, logic)];
            parts.extend(self.domain.constraints(n).into_iter().map(|c| logic.literal(&Literal::Cons(c))));
            pieces.push(logic.and(parts));
        }
        logic.or(pieces)
    }

    fn exists(&self, predicates: &BTreeSet<Pred>, a: &Self::Elem) -> Result<Self::Elem, Full> {
        let mut pairs = Vec::new();
        for (p, n) in a {
            pairs.push((self.props.exists(predicates, *p)?, n.clone()));
        }
        self.overlay(pairs)
    }

    fn unprime(&self, a: &Self::Elem) -> Result<Self::Elem, Full> {
        let mut pairs = Vec::new();
        for (p, n) in a {
            pairs.push((self.props.unprime(*p)?, n.clone()));
        }
        self.norm(pairs)
    }

    fn reduce(&self, a: &Self::Elem) -> Result<Self::Elem, Full> {
        if self.vocabulary.tied().next().is_none() {
            return Ok(a.clone());
        }
        let parts = Reducer::new(&self.props, &self.vocabulary, &self.domain, &self.restrict, a).run()?;
        self.norm(parts)
    }

    fn post_n(&self, a: &Self::Elem, updates: &[(Dim, Update)]) -> Result<Self::Elem, Full> {
        self.norm(a.iter().map(|(p, n)| (*p, update::post(&self.domain, n, updates))))
    }

    fn parts(&self, a: &Self::Elem) -> usize {
        a.len()
    }

    fn sifted(&self, elems: &[&Self::Elem]) -> Option<Vec<Pred>> {
        let roots: Vec<Bdd> = elems.iter().flat_map(|e| e.iter().map(|p| p.0)).collect();
        sifted(&self.props.dd.borrow(), &roots, self.vocabulary.count())
    }

    fn assume_literal(&self, a: &Self::Elem, l: &Literal) -> Result<Self::Elem, Full> {
        let mut set = Bdd::TRUE;
        for p in self.vocabulary.proj_p(l) {
            if let Literal::Pred(p, b) | Literal::Primed(p, b) = p {
                set = self.props.and(set, self.props.literal(p, matches!(l, Literal::Primed(..)), b)?)?;
            }
        }
        let cons = self.vocabulary.proj_n(l);
        let mut out: Pieces<D::Elem> = Vec::new();
        for (p, n) in a {
            let p = self.props.and(*p, set)?;
            if p == Bdd::FALSE {
                continue;
            }
            let n = cons.as_ref().map_or_else(|| n.clone(), |c| self.domain.assume(n, c));
            if !self.domain.is_bottom(&n) {
                add(&self.props, &mut out, p, n)?;
            }
        }
        out.sort_by_key(|p| p.0);
        Ok(out)
    }
}
