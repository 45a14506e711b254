//! Negation, conjunction, disjunction.

use crate::node::{Kind, Term};

/// Operand lists longer than this are not merged into a flat one again: nesting keeps construction linear.
const FLAT: usize = 64;

impl Term {
    /// Negation; comparisons of integers turn around instead of growing a `Not`.
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn not(self) -> Term {
        match self.kind() {
            Kind::Bool(b) => Term::bool(!b),
            Kind::Not(t) => *t,
            Kind::Le(a, b) => b.less(*a),
            _ => Term::intern(Kind::Not(self)),
        }
    }

    /// Conjunction.
    #[must_use]
    pub fn and(self, o: Term) -> Term {
        Term::all([self, o])
    }

    /// Disjunction.
    #[must_use]
    pub fn or(self, o: Term) -> Term {
        Term::any([self, o])
    }

    /// Implication.
    #[must_use]
    pub fn implies(self, o: Term) -> Term {
        self.not().or(o)
    }

    /// Conjunction of many; true when there are none.
    pub fn all(ts: impl IntoIterator<Item = Term>) -> Term {
        junction(ts, true)
    }

    /// Disjunction of many; false when there are none.
    pub fn any(ts: impl IntoIterator<Item = Term>) -> Term {
        junction(ts, false)
    }

    /// The conjuncts of a conjunction, or the term alone.
    pub fn conjuncts(self) -> Vec<Term> {
        match self.kind() {
            Kind::And(ts) => ts.to_vec(),
            Kind::Bool(true) => Vec::new(),
            _ => vec![self],
        }
    }

    /// The conjuncts of a conjunction and of conjunctions in it: long ones are not flattened when they become part of another.
    pub fn all_conjuncts(self) -> Vec<Term> {
        let mut out = Vec::new();
        let mut open = vec![self];
        while let Some(t) = open.pop() {
            match t.kind() {
                Kind::And(ts) => open.extend(ts.iter().rev()),
                Kind::Bool(true) => {}
                _ => out.push(t),
            }
        }
        out
    }
}

fn junction(ts: impl IntoIterator<Item = Term>, is_and: bool) -> Term {
    let mut flat: Vec<Term> = Vec::new();
    for t in ts {
        match t.kind() {
            Kind::Bool(b) if *b == is_and => {}
            Kind::Bool(_) => return Term::bool(!is_and),
            Kind::And(inner) if is_and && inner.len() <= FLAT => flat.extend(inner.iter()),
            Kind::Or(inner) if !is_and && inner.len() <= FLAT => flat.extend(inner.iter()),
            _ => flat.push(t),
        }
    }
    flat.sort_unstable();
    flat.dedup();
    // `Not` of something is younger than it: one look per negation suffices.
    for t in &flat {
        if let Kind::Not(n) = t.kind() {
            if flat.binary_search(n).is_ok() {
                return Term::bool(!is_and);
            }
        }
    }
    match flat.len() {
        0 => Term::bool(is_and),
        1 => flat[0],
        _ if is_and => Term::intern(Kind::And(flat.into())),
        _ => Term::intern(Kind::Or(flat.into())),
    }
}
