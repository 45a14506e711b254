//! Location analysis 𝕃 (Section 4.1): which places are reached at all.
//!
//! The domain is flat: a place, or anywhere. In a composite it is what tells the algorithm which steps there are, and keeps the states of
//! different places apart: its key is the place.

use plumb_cpa::{Cpa, Domain, Flow, Place, Step};

/// The analysis.
#[derive(Clone, Debug)]
pub struct Location<'a> {
    flow: &'a Flow<'a>,
    start: Vec<Place>,
}

/// A state of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Located {
    /// Here.
    At(Place),
    /// ⊤: not known where.
    Anywhere,
}

impl<'a> Location<'a> {
    /// From the start of the program.
    pub fn from_entry(flow: &'a Flow<'a>) -> Location<'a> {
        Location { flow, start: vec![flow.entry()] }
    }

    /// From every place, as backward analyses do: executions can end, or go on for ever, anywhere.
    pub fn from_everywhere(flow: &'a Flow<'a>) -> Location<'a> {
        Location { flow, start: flow.places().collect() }
    }
}

impl Domain for Location<'_> {
    type State = Located;

    fn leq(&self, a: &Located, b: &Located) -> bool {
        a == b || *b == Located::Anywhere
    }

    fn join(&self, a: &Located, b: &Located) -> Located {
        if a == b {
            *a
        } else {
            Located::Anywhere
        }
    }
}

impl Cpa for Location<'_> {
    type Key = Located;
    type Prec = ();

    fn name(&self) -> &'static str {
        "location"
    }

    fn initial(&self) -> Vec<Located> {
        self.start.iter().map(|p| Located::At(*p)).collect()
    }

    fn key(&self, e: &Located) -> Located {
        *e
    }

    fn transfer(&self, e: &Located, step: &Step) -> Vec<Located> {
        match e {
            Located::At(l) if *l == step.from => vec![Located::At(step.to)],
            Located::At(_) => Vec::new(),
            Located::Anywhere => vec![Located::Anywhere],
        }
    }

    fn never_merges(&self) -> bool {
        true
    }

    fn merge(&self, _new: &Located, old: &Located, _at: plumb_cpa::Site) -> Located {
        *old
    }

    fn place(&self, e: &Located) -> Option<Place> {
        match e {
            Located::At(l) => Some(*l),
            Located::Anywhere => None,
        }
    }

    fn is_target(&self, e: &Located) -> bool {
        self.place(e).is_none_or(|l| self.flow.is_error(l))
    }
}
