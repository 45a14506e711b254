//! An analysis that can be switched off: `None` has one state, which says nothing. So the set of analyses of a composite can be chosen
//! when the program runs, while its type stays fixed.

use crate::cpa::{Cpa, Domain, Note, Site};
use crate::facts::Facts;
use crate::flow::{Place, Stack, Step};
use plumb_term::{Range, Term};

/// The analysis and a state of it, if it is switched on.
fn on<'a, C: Cpa>(cpa: &'a Option<C>, e: &'a Option<C::State>) -> Option<(&'a C, &'a C::State)> {
    cpa.as_ref().zip(e.as_ref())
}

impl<C: Cpa> Domain for Option<C> {
    type State = Option<C::State>;

    fn leq(&self, a: &Self::State, b: &Self::State) -> bool {
        match (self, a, b) {
            (Some(c), Some(a), Some(b)) => c.leq(a, b),
            _ => true,
        }
    }

    fn join(&self, a: &Self::State, b: &Self::State) -> Self::State {
        on(self, a).zip(b.as_ref()).map(|((c, a), b)| c.join(a, b))
    }
}

impl<C: Cpa> Cpa for Option<C> {
    type Key = Option<C::Key>;
    type Prec = C::Prec;

    fn name(&self) -> &'static str {
        self.as_ref().map_or("nothing", Cpa::name)
    }

    fn initial(&self) -> Vec<Self::State> {
        match self {
            Some(c) => c.initial().into_iter().map(Some).collect(),
            None => vec![None],
        }
    }

    fn key(&self, e: &Self::State) -> Self::Key {
        on(self, e).map(|(c, e)| c.key(e))
    }

    fn transfer(&self, e: &Self::State, step: &Step) -> Vec<Self::State> {
        match on(self, e) {
            Some((c, e)) => c.transfer(e, step).into_iter().map(Some).collect(),
            None => vec![None],
        }
    }

    fn strengthen(&self, e: Self::State, step: &Step, others: &dyn Facts) -> Option<Self::State> {
        match (self, e) {
            (Some(c), Some(e)) => c.strengthen(e, step, others).map(Some),
            _ => Some(None),
        }
    }

    fn merge(&self, new: &Self::State, old: &Self::State, at: Site) -> Self::State {
        on(self, new).zip(old.as_ref()).map(|((c, new), old)| c.merge(new, old, at))
    }

    fn never_merges(&self) -> bool {
        self.as_ref().is_none_or(Cpa::never_merges)
    }

    fn probe(&self, e: &Self::State, like: &Self::State) -> Option<u64> {
        match on(self, e).zip(like.as_ref()) {
            Some(((c, e), like)) => c.probe(e, like),
            None => Some(0),
        }
    }

    fn prec(&self, e: Self::State, precision: &Self::Prec, at: Site) -> Option<Self::State> {
        match (self, e) {
            (Some(c), Some(e)) => c.prec(e, precision, at).map(Some),
            _ => Some(None),
        }
    }

    fn narrow(&self, old: &Self::State, new: &Self::State) -> Self::State {
        on(self, old).zip(new.as_ref()).map(|((c, old), new)| c.narrow(old, new))
    }

    fn place(&self, e: &Self::State) -> Option<Place> {
        on(self, e).and_then(|(c, e)| c.place(e))
    }

    fn stack(&self, e: &Self::State) -> Option<Stack> {
        on(self, e).and_then(|(c, e)| c.stack(e))
    }

    fn range(&self, e: &Self::State, t: Term) -> Range {
        on(self, e).map_or_else(|| t.range(), |(c, e)| c.range(e, t))
    }

    fn truth(&self, e: &Self::State, t: Term) -> Option<bool> {
        on(self, e).map_or_else(|| t.as_bool(), |(c, e)| c.truth(e, t))
    }

    fn formulas(&self, e: &Self::State) -> Vec<Term> {
        on(self, e).map_or_else(Vec::new, |(c, e)| c.formulas(e))
    }

    fn assumptions(&self, e: &Self::State) -> Vec<Term> {
        on(self, e).map_or_else(Vec::new, |(c, e)| c.assumptions(e))
    }

    fn is_target(&self, e: &Self::State) -> bool {
        on(self, e).is_some_and(|(c, e)| c.is_target(e))
    }

    fn notes(&self, e: &Self::State) -> Vec<Note> {
        on(self, e).map_or_else(Vec::new, |(c, e)| c.notes(e))
    }
}
