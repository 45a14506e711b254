//! The interface of NUMPREDDOM (Fig. 3 and 4).

use crate::expr::{Expr, Expressions, Literal, Logic, Pred};
use crate::update::Update;
use crate::vocabulary::Vocabulary;
use plumb_dd::Full;
use plumb_num::{Dim, LinCons, NumDomain};
use std::collections::BTreeSet;
use std::fmt::Debug;

/// A domain of sets of states, where a state is a valuation of predicates and a point.
///
/// # Obligations
///
/// Write γ for the set of states of an element, over V_P ∪ V_P' and V_N. Predicates that are numeric terms have their constraint's truth in every state (see
/// [`crate`]); sets are compared on such states. For all elements:
///
/// - `γ(bottom) = ∅`, `γ(top)` is everything; `is_bottom(a)` implies `γ(a) = ∅`, `is_top(a)` that `γ(a)` is everything, `leq(a, b)` that `γ(a) ⊆ γ(b)`. Each may say no where
///   it holds.
/// - `meet` includes the intersection, `join` and `widen` the union. Chains `wᵢ₊₁ = widen(wᵢ, aᵢ)` become stationary in the sense that `leq(aᵢ, wᵢ)` from some `i` on.
/// - `alpha_p`, `alpha_n` and `assume_literal` include the states of their argument in which the literal holds.
/// - `exists(V, a)` includes every state that agrees outside `V` with one of `γ(a)`.
/// - `unprime(a)`, where `a` says nothing of the unprimed predicates whose primed ones it speaks of, renames the primed ones.
/// - `reduce(a)` has the states of `γ(a)`: it only says more of them.
/// - `post_n` includes the image of the parallel assignment. What it says of predicates that are terms over assigned variables is the caller's duty ([`NumPredDom::step`]).
///
/// # Order
///
/// For the same sequence of operations without widening, NDD ⊑ MTNDD = NEX ⊑ NEXPOINT.
pub trait NumPredDom {
    /// The numeric domain.
    type Num: NumDomain;
    /// The elements.
    type Elem: Clone + Debug + PartialEq;

    /// V_P and V_N.
    fn vocabulary(&self) -> &Vocabulary;
    /// The greatest element.
    fn top(&self) -> Self::Elem;
    /// The least element.
    fn bottom(&self) -> Self::Elem;
    /// Whether there is known to be no state.
    fn is_bottom(&self, a: &Self::Elem) -> Result<bool, Full>;
    /// Whether every state is known to be in.
    fn is_top(&self, a: &Self::Elem) -> Result<bool, Full>;
    /// The order.
    fn leq(&self, a: &Self::Elem, b: &Self::Elem) -> Result<bool, Full>;
    /// An upper bound.
    fn join(&self, a: &Self::Elem, b: &Self::Elem) -> Result<Self::Elem, Full>;
    /// The states of both.
    fn meet(&self, a: &Self::Elem, b: &Self::Elem) -> Result<Self::Elem, Full>;
    /// The widening, up to thresholds: what both arguments satisfy of them may be kept.
    fn widen_up_to(&self, old: &Self::Elem, new: &Self::Elem, thresholds: &[LinCons]) -> Result<Self::Elem, Full>;
    /// α_P of a literal of a predicate.
    fn alpha_p(&self, p: Pred, primed: bool, positive: bool) -> Result<Self::Elem, Full>;
    /// α_N of a constraint over V_N.
    fn alpha_n(&self, c: &LinCons) -> Result<Self::Elem, Full>;
    /// γ as a formula.
    fn gamma_in<L: Logic>(&self, a: &Self::Elem, logic: &mut L) -> L::Formula;
    /// Quantifies predicates of this state.
    fn exists(&self, predicates: &BTreeSet<Pred>, a: &Self::Elem) -> Result<Self::Elem, Full>;
    /// Renames primed predicates to unprimed ones.
    fn unprime(&self, a: &Self::Elem) -> Result<Self::Elem, Full>;
    /// Lets each part of the element restrict the other.
    fn reduce(&self, a: &Self::Elem) -> Result<Self::Elem, Full>;
    /// αPost_N of a parallel assignment.
    fn post_n(&self, a: &Self::Elem, updates: &[(Dim, Update)]) -> Result<Self::Elem, Full>;

    /// The states in which a literal holds.
    fn assume_literal(&self, a: &Self::Elem, l: &Literal) -> Result<Self::Elem, Full> {
        self.meet(a, &self.alpha_literal(l)?)
    }

    /// Whether `alpha_literal` says exactly what the literal says, so that conditions made of such literals can be prepared.
    fn is_exact(&self, l: &Literal) -> bool {
        match l {
            Literal::Pred(p, _) => self.vocabulary().meaning(*p).is_none(),
            Literal::Primed(..) => true,
            Literal::Cons(_) => false,
        }
    }

    /// Whether the numbers after an assignment say what becomes of a predicate, so that no choice needs to: [`NumPredDom::step`] is told then that cases of it are worth telling apart.
    fn follows(&self, _p: Pred, _updates: &[(Dim, Update)]) -> bool {
        false
    }

    /// α of a literal: `meet(α_P(proj_P(l)), α_N(proj_N(l)))`.
    fn alpha_literal(&self, l: &Literal) -> Result<Self::Elem, Full> {
        let mut out = match self.vocabulary().proj_n(l) {
            Some(c) => self.alpha_n(&c)?,
            None => self.top(),
        };
        for p in self.vocabulary().proj_p(l) {
            let part = match p {
                Literal::Pred(p, b) => self.alpha_p(p, false, b)?,
                Literal::Primed(p, b) => self.alpha_p(p, true, b)?,
                Literal::Cons(_) => continue,
            };
            out = self.meet(&out, &part)?;
        }
        Ok(out)
    }

    /// α of an expression: by meets and joins over its structure.
    fn alpha(&self, e: &Expr) -> Result<Self::Elem, Full> {
        match e {
            Expr::Bool(true) => Ok(self.top()),
            Expr::Bool(false) => Ok(self.bottom()),
            Expr::Lit(l) => self.alpha_literal(l),
            Expr::And(ps) => ps.iter().try_fold(self.top(), |a, p| self.meet(&a, &self.alpha(p)?)),
            Expr::Or(ps) => ps.iter().try_fold(self.bottom(), |a, p| self.join(&a, &self.alpha(p)?)),
        }
    }

    /// γ as an expression.
    fn gamma(&self, a: &Self::Elem) -> Expr {
        self.gamma_in(a, &mut Expressions)
    }

    /// The widening.
    fn widen(&self, old: &Self::Elem, new: &Self::Elem) -> Result<Self::Elem, Full> {
        self.widen_up_to(old, new, &[])
    }

    /// How many parts an element has that are looked at one by one.
    fn parts(&self, _a: &Self::Elem) -> usize {
        1
    }

    /// An order of the predicates in which the diagrams of elements are smaller, if they are large and there is one: for the next domain over the same predicates.
    fn sifted(&self, _elems: &[&Self::Elem]) -> Option<Vec<Pred>> {
        None
    }

    /// The end of a step in parallel: of an element that relates `changed` predicates to their primed ones, the primed ones after the assignment. It is
    /// `unprime(exists(changed, a))`, then `post_n`, where predicates and numbers are apart. Of the `followed` ones, which have no primed ones, the numbers say what becomes.
    fn step(
        &self,
        a: &Self::Elem,
        changed: &BTreeSet<Pred>,
        updates: &[(Dim, Update)],
        _followed: &BTreeSet<Pred>,
    ) -> Result<Self::Elem, Full> {
        let now = if changed.is_empty() { a.clone() } else { self.unprime(&self.exists(changed, a)?)? };
        if updates.is_empty() {
            return Ok(now);
        }
        self.post_n(&now, updates)
    }
}
