//! The checker for linear programs on one abstract program after the other: what it has learnt to tell apart stays.

use super::reach::{space, Apart, Found, Reach};
use super::Checked;
use crate::dagger::control::Control;
use crate::space::Space;
use plumb_num::{Boxes, NumDomain, Octagons, Polyhedra};
use plumb_term::visit::{atoms, linear_form};
use plumb_term::{Budget, IBig, Kind, Sort, Term, VarId};
use plumb_transform::array_index::Abstraction;
use plumb_verdict::{Notes, Reason, ReasonKind};
use std::collections::BTreeSet;

/// Programs with more variables are checked with octagons.
const MAX_POLYHEDRA: u32 = 8;

/// In intervals, no more states are kept apart than this: relations are looked at then.
const MAX_BOXES: usize = 20_000;

/// How closely states are looked at where variables are explicit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
enum Level {
    /// Intervals, joined where the explicit variables agree.
    #[default]
    Boxes,
    /// Intervals, one for each path. A path is found as one of those that were joined and need not be the one that leads to the error: this tells.
    ApartBoxes,
    /// Relations, joined.
    Relations,
    /// Relations, one for each path.
    ApartRelations,
}

/// How closely the checker looks.
#[derive(Debug, Default)]
pub struct Linear {
    /// The variables that are explicit.
    explicit: BTreeSet<VarId>,
    level: Level,
    nodes: usize,
    searches: u64,
}

impl Linear {
    /// Looks more closely: these variables exclude a path that was found. False if that cannot be.
    pub fn closer(&mut self, variables: &BTreeSet<VarId>) -> bool {
        let before = self.explicit.len();
        self.explicit.extend(variables.iter().copied());
        if self.explicit.len() > before {
            self.level = Level::default();
            return true;
        }
        let next = match self.level {
            Level::Boxes => Level::ApartBoxes,
            Level::ApartBoxes => Level::Relations,
            Level::Relations | Level::ApartRelations => Level::ApartRelations,
        };
        std::mem::replace(&mut self.level, next) != next
    }

    /// Looks at a program of which more is kept.
    pub fn refined(&mut self) {
        self.level = Level::default();
    }

    /// Checks an abstract program of one function.
    pub fn check(&mut self, a: &Abstraction, budget: &Budget, notes: &mut Notes) -> Checked {
        let program = &a.program;
        let Some(control) = Control::new(program, program.function(program.entry), budget) else {
            return Checked::Unknown(Reason::new(ReasonKind::Time));
        };
        let space = space(program, &control);
        let octagons = space.end().0 > MAX_POLYHEDRA || is_octagonal(&control);
        let (found, domain) = loop {
            let apart = match self.level {
                Level::ApartBoxes | Level::ApartRelations => Apart::All,
                _ => Apart::Explicit(self.explicit.clone()),
            };
            let boxes = !self.explicit.is_empty() && self.level < Level::Relations;
            let ((found, nodes), domain) = if boxes {
                (search(Boxes, a, &control, &space, (&apart, MAX_BOXES), budget), "box")
            } else if octagons {
                (search(Octagons, a, &control, &space, (&apart, usize::MAX), budget), "octagon")
            } else {
                (search(Polyhedra::default(), a, &control, &space, (&apart, usize::MAX), budget), "polyhedra")
            };
            self.nodes += nodes;
            self.searches += 1;
            match found {
                Found::TooMany => self.level = Level::Relations,
                found => break (found, domain),
            }
        };
        notes.figure("domain", domain);
        notes.figure("explicit variables", self.explicit.len());
        notes.figure("states", self.nodes);
        notes.figure("searches", self.searches);
        match found {
            Found::Safe(proof) => Checked::Safe(proof),
            Found::Path(edges) => Checked::Path(edges.into_iter().filter_map(|e| a.edge((program.entry, e))).collect()),
            Found::Unsupported(what, span) => Checked::Unknown(Reason::new(ReasonKind::Unsupported(what)).at(span)),
            Found::Time | Found::TooMany => Checked::Unknown(Reason::new(ReasonKind::Time)),
        }
    }
}

/// What a search in a domain finds, and how many nodes it took.
fn search<D: NumDomain>(
    domain: D,
    a: &Abstraction,
    control: &Control,
    space: &Space,
    (apart, limit): (&Apart, usize),
    budget: &Budget,
) -> (Found, usize) {
    let mut reach = Reach::new(domain, &a.program, control, space, apart, budget);
    let found = reach.run(limit);
    (found, reach.size())
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
