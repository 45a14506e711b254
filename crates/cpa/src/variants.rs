//! Analyses with one operator exchanged: the operators are configuration, not part of the domain.

use crate::cpa::{Cover, Cpa, Domain, Note, Site};
use crate::facts::Facts;
use crate::flow::{Place, Stack, Step};
use plumb_term::{Range, Term};

/// The analysis with merge-sep: `merge(e, e') = e'`. States are never combined; what was a data-flow analysis explores like a model checker.
#[derive(Clone, Debug)]
pub struct Separate<C>(pub C);

/// The analysis with stop-join: `stop(e, R) = (e ⊑ ⊔R)`. Sound only for a power-set domain, in which ⟦a ⊔ b⟧ = ⟦a⟧ ∪ ⟦b⟧.
#[derive(Clone, Debug)]
pub struct StopJoin<C>(pub C);

/// Everything that the variant leaves to the analysis.
macro_rules! inherited {
    () => {
        fn name(&self) -> &'static str {
            self.0.name()
        }

        fn initial(&self) -> Vec<Self::State> {
            self.0.initial()
        }

        fn key(&self, e: &Self::State) -> Self::Key {
            self.0.key(e)
        }

        fn transfer(&self, e: &Self::State, step: &Step) -> Vec<Self::State> {
            self.0.transfer(e, step)
        }

        fn strengthen(&self, e: Self::State, step: &Step, others: &dyn Facts) -> Option<Self::State> {
            self.0.strengthen(e, step, others)
        }

        fn prec(&self, e: Self::State, precision: &Self::Prec, at: Site) -> Option<Self::State> {
            self.0.prec(e, precision, at)
        }

        fn narrow(&self, old: &Self::State, new: &Self::State) -> Self::State {
            self.0.narrow(old, new)
        }

        fn place(&self, e: &Self::State) -> Option<Place> {
            self.0.place(e)
        }

        fn stack(&self, e: &Self::State) -> Option<Stack> {
            self.0.stack(e)
        }

        fn range(&self, e: &Self::State, t: Term) -> Range {
            self.0.range(e, t)
        }

        fn truth(&self, e: &Self::State, t: Term) -> Option<bool> {
            self.0.truth(e, t)
        }

        fn formulas(&self, e: &Self::State) -> Vec<Term> {
            self.0.formulas(e)
        }

        fn assumptions(&self, e: &Self::State) -> Vec<Term> {
            self.0.assumptions(e)
        }

        fn is_target(&self, e: &Self::State) -> bool {
            self.0.is_target(e)
        }

        fn notes(&self, e: &Self::State) -> Vec<Note> {
            self.0.notes(e)
        }
    };
}

impl<C: Domain> Domain for Separate<C> {
    type State = C::State;

    fn leq(&self, a: &Self::State, b: &Self::State) -> bool {
        self.0.leq(a, b)
    }

    fn join(&self, a: &Self::State, b: &Self::State) -> Self::State {
        self.0.join(a, b)
    }
}

impl<C: Cpa> Cpa for Separate<C> {
    type Key = C::Key;
    type Prec = C::Prec;

    inherited!();

    fn merge(&self, _new: &Self::State, old: &Self::State, _at: Site) -> Self::State {
        old.clone()
    }

    fn never_merges(&self) -> bool {
        true
    }

    fn stop(&self, e: &Self::State, reached: &mut dyn Iterator<Item = &Self::State>) -> Option<Cover> {
        self.0.stop(e, reached)
    }

    fn probe(&self, e: &Self::State, like: &Self::State) -> Option<u64> {
        self.0.probe(e, like)
    }
}

impl<C: Domain> Domain for StopJoin<C> {
    type State = C::State;

    fn leq(&self, a: &Self::State, b: &Self::State) -> bool {
        self.0.leq(a, b)
    }

    fn join(&self, a: &Self::State, b: &Self::State) -> Self::State {
        self.0.join(a, b)
    }
}

impl<C: Cpa> Cpa for StopJoin<C> {
    type Key = C::Key;
    type Prec = C::Prec;

    inherited!();

    fn merge(&self, new: &Self::State, old: &Self::State, at: Site) -> Self::State {
        self.0.merge(new, old, at)
    }

    fn never_merges(&self) -> bool {
        self.0.never_merges()
    }

    fn stop(&self, e: &Self::State, reached: &mut dyn Iterator<Item = &Self::State>) -> Option<Cover> {
        let first = reached.next()?.clone();
        let all = reached.fold(first, |all, r| self.0.join(&all, r));
        self.0.leq(e, &all).then_some(Cover::Together)
    }
}
