//! Composition: two analyses of the same program as one (Section 3.6).
//!
//! The domain is the direct product. The transfer relation takes every pair of successors and, unless told otherwise, strengthens each side by
//! what the other knows of it; a pair that one side finds contradictory is no successor. Products nest, so that any number of analyses compose;
//! strengthening passes through, so that every component hears of all others.

use crate::cpa::{Cover, Cpa, Domain, Note, Site};
use crate::facts::{Both, Facts, Known, Nothing};
use crate::flow::{Place, Stack, Step};
use plumb_term::{Range, Term};
use std::hash::{Hash, Hasher};

/// The composite merge operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Merge {
    /// The components' own operators, if the result has all of the new state; otherwise the states stay apart. So two data-flow analyses
    /// join, and a model checker's component keeps what differs in it apart.
    #[default]
    Agree,
    /// The second component's own operator where the first components are equal, else apart: Section 5.1, "predicated lattices".
    SecondIfFirstEqual,
    /// Each component's own operator, whatever the other does.
    Each,
}

/// The composite of two analyses.
#[derive(Clone, Debug)]
pub struct Product<A, B> {
    /// The first component.
    pub first: A,
    /// The second component.
    pub second: B,
    merge: Merge,
    strengthens: bool,
}

impl<A, B> Product<A, B> {
    /// Two analyses that strengthen each other and merge where both agree.
    pub fn new(first: A, second: B) -> Product<A, B> {
        Product { first, second, merge: Merge::default(), strengthens: true }
    }

    /// The same with another merge operator.
    #[must_use]
    pub fn merging(self, merge: Merge) -> Product<A, B> {
        Product { merge, ..self }
    }

    /// The same without strengthening: the direct product.
    #[must_use]
    pub fn direct(self) -> Product<A, B> {
        Product { strengthens: false, ..self }
    }
}

impl<A: Domain, B: Domain> Domain for Product<A, B> {
    type State = (A::State, B::State);

    fn leq(&self, a: &Self::State, b: &Self::State) -> bool {
        self.first.leq(&a.0, &b.0) && self.second.leq(&a.1, &b.1)
    }

    fn join(&self, a: &Self::State, b: &Self::State) -> Self::State {
        (self.first.join(&a.0, &b.0), self.second.join(&a.1, &b.1))
    }
}

impl<A: Cpa, B: Cpa> Cpa for Product<A, B> {
    type Key = (A::Key, B::Key);
    type Prec = (A::Prec, B::Prec);

    fn name(&self) -> &'static str {
        "composite"
    }

    fn initial(&self) -> Vec<Self::State> {
        let second = self.second.initial();
        self.first.initial().into_iter().flat_map(|a| second.iter().map(move |b| (a.clone(), b.clone()))).collect()
    }

    fn key(&self, e: &Self::State) -> Self::Key {
        (self.first.key(&e.0), self.second.key(&e.1))
    }

    fn transfer(&self, e: &Self::State, step: &Step) -> Vec<Self::State> {
        let first = self.first.transfer(&e.0, step);
        if first.is_empty() {
            return Vec::new();
        }
        let second = self.second.transfer(&e.1, step);
        let pairs = first.iter().flat_map(|a| second.iter().map(move |b| (a.clone(), b.clone())));
        if self.strengthens {
            pairs.filter_map(|pair| self.strengthen(pair, step, &Nothing)).collect()
        } else {
            pairs.collect()
        }
    }

    fn strengthen(&self, (a, b): Self::State, step: &Step, others: &dyn Facts) -> Option<Self::State> {
        if !self.strengthens {
            return Some((a, b));
        }
        let a = self.first.strengthen(a, step, &Both(&Known(&self.second, &b), others))?;
        let b = self.second.strengthen(b, step, &Both(&Known(&self.first, &a), others))?;
        Some((a, b))
    }

    fn merge(&self, new: &Self::State, old: &Self::State, at: Site) -> Self::State {
        match self.merge {
            Merge::SecondIfFirstEqual if new.0 != old.0 => old.clone(),
            Merge::SecondIfFirstEqual => (old.0.clone(), self.second.merge(&new.1, &old.1, at)),
            Merge::Each => (self.first.merge(&new.0, &old.0, at), self.second.merge(&new.1, &old.1, at)),
            Merge::Agree => {
                let first = self.first.merge(&new.0, &old.0, at);
                if !self.first.leq(&new.0, &first) {
                    return old.clone();
                }
                let second = self.second.merge(&new.1, &old.1, at);
                if !self.second.leq(&new.1, &second) {
                    return old.clone();
                }
                (first, second)
            }
        }
    }

    fn never_merges(&self) -> bool {
        match self.merge {
            Merge::SecondIfFirstEqual => self.second.never_merges(),
            Merge::Agree | Merge::Each => self.first.never_merges() && self.second.never_merges(),
        }
    }

    /// By states whose first component includes that of `e`, as the second one's check says.
    fn stop(&self, e: &Self::State, reached: &mut dyn Iterator<Item = &Self::State>) -> Option<Cover> {
        let (mut inside, mut others) = (Vec::new(), false);
        let mut seconds = reached.enumerate().filter_map(|(i, r)| {
            let included = self.first.leq(&e.0, &r.0);
            if included {
                inside.push(i);
            } else {
                others = true;
            }
            included.then_some(&r.1)
        });
        match self.second.stop(&e.1, &mut seconds)? {
            Cover::By(i) => inside.get(i).copied().map(Cover::By),
            Cover::Together => (!others).then_some(Cover::Together),
        }
    }

    fn probe(&self, e: &Self::State, like: &Self::State) -> Option<u64> {
        let mut h = rustc_hash::FxHasher::default();
        self.first.probe(&e.0, &like.0)?.hash(&mut h);
        self.second.probe(&e.1, &like.1)?.hash(&mut h);
        Some(h.finish())
    }

    fn prec(&self, e: Self::State, precision: &Self::Prec, at: Site) -> Option<Self::State> {
        Some((self.first.prec(e.0, &precision.0, at)?, self.second.prec(e.1, &precision.1, at)?))
    }

    fn narrow(&self, old: &Self::State, new: &Self::State) -> Self::State {
        (self.first.narrow(&old.0, &new.0), self.second.narrow(&old.1, &new.1))
    }

    fn place(&self, e: &Self::State) -> Option<Place> {
        self.first.place(&e.0).or_else(|| self.second.place(&e.1))
    }

    fn stack(&self, e: &Self::State) -> Option<Stack> {
        self.first.stack(&e.0).or_else(|| self.second.stack(&e.1))
    }

    fn range(&self, e: &Self::State, t: Term) -> Range {
        self.first.range(&e.0, t).intersection(self.second.range(&e.1, t))
    }

    fn truth(&self, e: &Self::State, t: Term) -> Option<bool> {
        self.first.truth(&e.0, t).or_else(|| self.second.truth(&e.1, t))
    }

    fn formulas(&self, e: &Self::State) -> Vec<Term> {
        let mut all = self.first.formulas(&e.0);
        all.extend(self.second.formulas(&e.1));
        all
    }

    fn assumptions(&self, e: &Self::State) -> Vec<Term> {
        let mut all = self.first.assumptions(&e.0);
        all.extend(self.second.assumptions(&e.1));
        all
    }

    fn is_target(&self, e: &Self::State) -> bool {
        self.first.is_target(&e.0) || self.second.is_target(&e.1)
    }

    fn notes(&self, e: &Self::State) -> Vec<Note> {
        let mut all = self.first.notes(&e.0);
        all.extend(self.second.notes(&e.1));
        all
    }
}
