//! The abstract transformers of Fig. 5.
//!
//! ```text
//! τ    ::= τ_N | τ_a | τ_c | τ_P | τ_NP | τ; τ | τ ∨ τ
//! τ_NP ::= (e ? τ_N) ∧ τ_P        τ_P ::= p := choice(e, e) | τ_P ∧ τ_P        τ_c ::= e ? τ_N        τ_a ::= assume(e)        τ_N ::= x := v | τ_N ∧ τ_N
//! ```
//!
//! `p := choice(t, f)` makes p true where `t` holds, false where `f` does, and anything elsewhere: the relation `(p' ∧ ¬f) ∨ (¬p' ∧ ¬t)`. All base cases are one kind of step: restrict to a
//! condition, relate changed predicates to primed ones, then take the primed ones and assign the numbers in parallel.
//!
//! A condition is not abstracted as a whole before it is met, as the paper writes it: `α(x ≠ 0)` is everything in a convex domain, while `x ≠ 0` excludes all of an element in
//! which x is 0. So only the propositional part is prepared; numeric literals restrict the element itself, and a disjunction joins what its parts leave. That is at least as precise.

use crate::domain::NumPredDom;
use crate::expr::{Expr, Literal, Pred};
use crate::update::Update;
use plumb_dd::Full;
use plumb_num::Dim;
use std::collections::BTreeSet;

/// `pred := choice(t, f)`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Choice {
    /// The predicate.
    pub pred: Pred,
    /// What forces it to be true.
    pub t: Expr,
    /// What forces it to be false.
    pub f: Expr,
}

impl Choice {
    /// Whether the predicate may become anything.
    fn is_any(&self) -> bool {
        [&self.t, &self.f].iter().all(|e| **e == Expr::Bool(false))
    }

    /// `(p' ∧ ¬f) ∨ (¬p' ∧ ¬t)`.
    pub fn relation(&self) -> Expr {
        let next = |b: bool| Expr::Lit(Literal::Primed(self.pred, b));
        next(true).and(self.f.negated()).or(next(false).and(self.t.negated()))
    }
}

/// A transformer. Predicates that are terms over assigned variables are forgotten unless a choice says what becomes of them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Transformer {
    /// τ_N: distinct variables, assigned in parallel.
    Numeric(Vec<(Dim, Update)>),
    /// `assume(e)`.
    Assume(Expr),
    /// `e ? τ_N`.
    Conditional(Expr, Vec<(Dim, Update)>),
    /// τ_P: distinct predicates, assigned in parallel.
    Predicate(Vec<Choice>),
    /// `(e ? τ_N) ∧ τ_P`.
    Both(Expr, Vec<(Dim, Update)>, Vec<Choice>),
    /// `τ; τ`.
    Sequence(Vec<Transformer>),
    /// `τ ∨ τ`.
    Either(Vec<Transformer>),
}

/// A condition, prepared.
#[derive(Clone, Debug)]
pub enum Condition<E> {
    /// An element that says exactly what the condition says.
    Exact(E),
    /// A literal.
    Lit(Literal),
    /// All of them.
    All(Vec<Condition<E>>),
    /// One of them.
    Any(Vec<Condition<E>>),
}

/// A transformer, abstracted.
#[derive(Clone, Debug)]
pub enum Abstracted<E> {
    /// A base case.
    Step {
        /// What must hold before, and the relation of primed predicates to this state.
        condition: Condition<E>,
        /// The predicates that change.
        changed: BTreeSet<Pred>,
        /// The assignments.
        updates: Vec<(Dim, Update)>,
        /// The predicates whose new truth the assignments say.
        followed: BTreeSet<Pred>,
    },
    /// One after the other.
    Sequence(Vec<Abstracted<E>>),
    /// One of them.
    Either(Vec<Abstracted<E>>),
}

/// αPost: the abstraction of a transformer.
pub fn compile<D: NumPredDom>(domain: &D, t: &Transformer) -> Result<Abstracted<D::Elem>, Full> {
    let step = |guard: &Expr, updates: &[(Dim, Update)], choices: &[Choice]| {
        let mut changed: BTreeSet<Pred> = choices.iter().map(|c| c.pred).collect();
        let assigned: BTreeSet<Dim> = updates.iter().map(|u| u.0).collect();
        let touched = domain.vocabulary().tied().filter(|(_, c)| c.expr().dims().any(|d| assigned.contains(&d)));
        changed.extend(touched.map(|(p, _)| p));
        let (follow, said): (Vec<&Choice>, Vec<&Choice>) = choices.iter().partition(|c| domain.follows(c.pred, updates));
        let all = Expr::all(std::iter::once(guard.clone()).chain(said.into_iter().map(Choice::relation)));
        let followed = follow.into_iter().filter(|c| !c.is_any()).map(|c| c.pred).collect();
        Ok(Abstracted::Step { condition: condition(domain, &all)?, changed, updates: updates.to_vec(), followed })
    };
    let always = Expr::Bool(true);
    match t {
        Transformer::Numeric(n) => step(&always, n, &[]),
        Transformer::Assume(e) => step(e, &[], &[]),
        Transformer::Conditional(e, n) => step(e, n, &[]),
        Transformer::Predicate(p) => step(&always, &[], p),
        Transformer::Both(e, n, p) => step(e, n, p),
        Transformer::Sequence(ts) => Ok(Abstracted::Sequence(ts.iter().map(|t| compile(domain, t)).collect::<Result<_, _>>()?)),
        Transformer::Either(ts) => Ok(Abstracted::Either(ts.iter().map(|t| compile(domain, t)).collect::<Result<_, _>>()?)),
    }
}

/// Prepares a condition: what the domain can say exactly becomes one element.
pub fn condition<D: NumPredDom>(domain: &D, e: &Expr) -> Result<Condition<D::Elem>, Full> {
    if e.every(&|l| domain.is_exact(l)) {
        return Ok(Condition::Exact(domain.alpha(e)?));
    }
    let (conjunction, parts) = match e {
        Expr::And(ps) => (true, ps),
        Expr::Or(ps) => (false, ps),
        Expr::Lit(l) => return Ok(Condition::Lit(l.clone())),
        Expr::Bool(_) => return Ok(Condition::Exact(domain.alpha(e)?)),
    };
    let (exact, rest): (Vec<&Expr>, Vec<&Expr>) = parts.iter().partition(|p| p.every(&|l| domain.is_exact(l)));
    let mut out = Vec::new();
    if !exact.is_empty() {
        let exact = exact.into_iter().cloned();
        out.push(Condition::Exact(domain.alpha(&if conjunction { Expr::all(exact) } else { Expr::any(exact) })?));
    }
    for p in rest {
        out.push(condition(domain, p)?);
    }
    Ok(if conjunction { Condition::All(out) } else { Condition::Any(out) })
}

/// The states of an element in which a condition holds.
pub fn assume<D: NumPredDom>(domain: &D, a: &D::Elem, c: &Condition<D::Elem>) -> Result<D::Elem, Full> {
    match c {
        Condition::Exact(e) => domain.meet(a, e),
        Condition::Lit(l) => domain.assume_literal(a, l),
        Condition::All(cs) => {
            let mut now = a.clone();
            let none = domain.bottom();
            for c in cs {
                if now == none {
                    break;
                }
                now = assume(domain, &now, c)?;
            }
            Ok(now)
        }
        Condition::Any(cs) => cs.iter().try_fold(domain.bottom(), |sum, c| domain.join(&sum, &assume(domain, a, c)?)),
    }
}

/// Applies an abstracted transformer.
pub fn apply<D: NumPredDom>(domain: &D, t: &Abstracted<D::Elem>, a: &D::Elem) -> Result<D::Elem, Full> {
    match t {
        Abstracted::Step { condition, changed, updates, followed } => {
            domain.step(&assume(domain, a, condition)?, changed, updates, followed)
        }
        Abstracted::Sequence(ts) => ts.iter().try_fold(a.clone(), |a, t| apply(domain, t, &a)),
        Abstracted::Either(ts) => ts.iter().try_fold(domain.bottom(), |sum, t| domain.join(&sum, &apply(domain, t, a)?)),
    }
}

/// αPost(τ)(a).
pub fn post<D: NumPredDom>(domain: &D, t: &Transformer, a: &D::Elem) -> Result<D::Elem, Full> {
    apply(domain, &compile(domain, t)?, a)
}
