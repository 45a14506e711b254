//! The checker for linear programs on one abstract program after the other: what it has learnt to tell apart stays.

use super::reach::{space, Apart, Found, Reach};
use super::Checked;
use crate::dagger::control::Control;
use crate::space::Space;
use plumb_num::{NumDomain, Octagons, Polyhedra};
use plumb_term::visit::{atoms, linear_form};
use plumb_term::{Budget, IBig, Kind, Sort, Term, VarId};
use plumb_transform::array_index::Abstraction;
use plumb_verdict::{Notes, Reason, ReasonKind};
use std::collections::BTreeSet;

/// Programs with more variables are checked with octagons.
const MAX_POLYHEDRA: u32 = 8;

/// How closely the checker looks.
#[derive(Debug, Default)]
pub struct Linear {
    /// The variables that are explicit.
    explicit: BTreeSet<VarId>,
    /// Whether nothing is joined.
    apart: bool,
    nodes: usize,
    searches: u64,
}

impl Linear {
    /// Looks more closely: these variables exclude a path that was found. False if that cannot be.
    pub fn closer(&mut self, variables: &BTreeSet<VarId>) -> bool {
        let before = self.explicit.len();
        self.explicit.extend(variables.iter().copied());
        let more = self.explicit.len() > before;
        // A path is found as one of those that were joined: it need not be the one that leads to the error.
        let possible = more || !self.apart;
        self.apart = !more;
        possible
    }

    /// Looks as closely as before at a program of which more is kept.
    pub fn refined(&mut self) {
        self.apart = false;
    }

    /// Checks an abstract program of one function.
    pub fn check(&mut self, a: &Abstraction, budget: &Budget, notes: &mut Notes) -> Checked {
        let program = &a.program;
        let Some(control) = Control::new(program, program.function(program.entry), budget) else {
            return Checked::Unknown(Reason::new(ReasonKind::Time));
        };
        let space = space(program, &control);
        let apart = if self.apart { Apart::All } else { Apart::Explicit(self.explicit.clone()) };
        let octagons = space.end().0 > MAX_POLYHEDRA || is_octagonal(&control);
        let (found, nodes) = if octagons {
            search(Octagons, a, &control, &space, &apart, budget)
        } else {
            search(Polyhedra::default(), a, &control, &space, &apart, budget)
        };
        self.nodes += nodes;
        self.searches += 1;
        notes.figure("domain", if octagons { "octagon" } else { "polyhedra" });
        notes.figure("explicit variables", self.explicit.len());
        notes.figure("states", self.nodes);
        notes.figure("searches", self.searches);
        match found {
            Found::Safe(proof) => Checked::Safe(proof),
            Found::Path(edges) => Checked::Path(edges.into_iter().filter_map(|e| a.edge((program.entry, e))).collect()),
            Found::Unsupported(what, span) => Checked::Unknown(Reason::new(ReasonKind::Unsupported(what)).at(span)),
            Found::Time => Checked::Unknown(Reason::new(ReasonKind::Time)),
        }
    }
}

/// What a search in a domain finds, and how many nodes it took.
fn search<D: NumDomain>(domain: D, a: &Abstraction, control: &Control, space: &Space, apart: &Apart, budget: &Budget) -> (Found, usize) {
    let mut reach = Reach::new(domain, &a.program, control, space, apart, budget);
    let found = reach.run();
    let size = reach.size();
    (found, size)
}

/// Whether octagons can express what the program compares and assigns.
fn is_octagonal(control: &Control) -> bool {
    let unit = |t: Term, most: usize| {
        let (_, parts) = linear_form(t);
        parts.len() <= most && parts.iter().all(|(k, _)| *k == IBig::ONE || *k == IBig::NEG_ONE)
    };
    let compared = |t: Term| match t.kind() {
        Kind::Le(a, b) => unit(b.sub(*a), 2),
        Kind::Eq(a, b) if a.sort() == Sort::Int => unit(b.sub(*a), 2),
        _ => true,
    };
    control
        .ways
        .iter()
        .all(|w| atoms(w.guard).into_iter().all(compared) && w.updates.values().all(|t| t.sort() != Sort::Int || unit(*t, 1)))
}
