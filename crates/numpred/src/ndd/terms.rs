//! The terms of an NDD and their variables.
//!
//! Every term has one variable, its negation is the opposite phase: `x > 0` and `x ≤ 0` are `v` and `¬v`. A predicate that is a numeric term and that term share a variable. Predicates come
//! first, each followed by its shadow (primed) variable; numeric terms get variables when they first occur.

use crate::expr::Literal;
use crate::props::literal;
use crate::vocabulary::Vocabulary;
use plumb_num::{ConsKind, LinCons};
use rustc_hash::FxHashMap;

/// The terms.
#[derive(Debug)]
pub(crate) struct Terms {
    /// The number of levels of predicates.
    predicates: u32,
    /// The constraints of all levels; predicates that are none have none.
    of: Vec<Option<LinCons>>,
    levels: FxHashMap<LinCons, u32>,
}

/// A constraint or its negation, whichever stands for both, and whether it is the constraint itself.
fn phase(c: &LinCons) -> (LinCons, bool) {
    let leads = c.expr().terms().first().is_none_or(|t| !t.1.is_negative());
    match c.kind() {
        ConsKind::Ne => (c.negated(), false),
        ConsKind::Ge if !leads => (c.negated(), false),
        ConsKind::Eq | ConsKind::Ge => (c.clone(), true),
    }
}

impl Terms {
    pub(crate) fn new(vocabulary: &Vocabulary) -> Terms {
        let mut out = Terms { predicates: 2 * vocabulary.count(), of: Vec::new(), levels: FxHashMap::default() };
        for p in vocabulary.predicates() {
            let meaning = vocabulary.meaning(p).cloned();
            if let Some(c) = &meaning {
                // The variable is true where the predicate is; a meaning that is a negation has the level in its other phase.
                out.levels.entry(phase(c).0).or_insert(2 * p.0);
            }
            out.of.extend([meaning, None]);
        }
        out
    }

    /// The constraint of a level, if it has one.
    pub(crate) fn cons(&self, level: u32) -> Option<&LinCons> {
        self.of.get(level as usize)?.as_ref()
    }

    /// Whether a level is that of a predicate, primed or not.
    pub(crate) fn is_predicate(&self, level: u32) -> bool {
        level < self.predicates
    }

    /// The level and phase of a constraint.
    pub(crate) fn level(&mut self, c: &LinCons) -> (u32, bool) {
        let (key, _) = phase(c);
        let known = self.levels.get(&key).copied();
        let level = known.unwrap_or_else(|| {
            let next = self.of.len() as u32;
            self.levels.insert(key.clone(), next);
            self.of.push(Some(key));
            next
        });
        (level, self.cons(level) == Some(c))
    }

    /// The literal of a level.
    pub(crate) fn literal(&self, level: u32, value: bool) -> Literal {
        match self.cons(level).filter(|_| !self.is_predicate(level)) {
            Some(c) => Literal::Cons(if value { c.clone() } else { c.negated() }),
            None => literal(level, value),
        }
    }
}
