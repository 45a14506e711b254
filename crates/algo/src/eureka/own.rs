//! The checker for linear programs on one abstract program after the other: what it has learnt to tell apart stays.

use super::reach::{space, Apart, Found, Reach};
use super::{traced, Accept, Checked};
use crate::dagger::control::Control;
use crate::space::Space;
use crate::{bmc, tabulation};
use plumb_cfa::Op;
use plumb_num::{interruptible, Boxes, NumDomain, Octagons, Polyhedra};
use plumb_term::visit::{atoms, linear_form};
use plumb_term::{Budget, IBig, Kind, Sort, Term, VarId};
use plumb_transform::array_index::Abstraction;
use plumb_transform::BackTranslation;
use plumb_verdict::{Notes, Proof, Reason, ReasonKind};
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
    /// No domain: paths as formulas, which are exact. Products of variables, remainders and bits are beyond all relations of the domains; loops must end.
    Exact,
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
            Level::Relations => Level::ApartRelations,
            Level::ApartRelations | Level::Exact => Level::Exact,
        };
        std::mem::replace(&mut self.level, next) != next
    }

    /// Looks at a program of which more is kept.
    pub fn refined(&mut self) {
        self.level = Level::default();
    }

    /// Checks an abstract program.
    pub fn check(
        &mut self,
        a: &Abstraction,
        budget: &Budget,
        progress: &mut dyn FnMut(&str),
        accept: Accept<'_>,
        notes: &mut Notes,
    ) -> Checked {
        let program = &a.program;
        if self.level == Level::Exact {
            self.searches += 1;
            notes.figure("domain", "formulas");
            notes.figure("searches", self.searches);
            return traced(a, bmc::run(program, budget, progress));
        }
        if program.function(program.entry).graph.edges().any(|(_, e)| matches!(e.op, Op::Call { .. })) {
            return with_calls(a, budget, progress, accept, notes);
        }
        let Some(control) = Control::new(program, program.function(program.entry), budget) else {
            return Checked::Unknown(Reason::new(ReasonKind::Time));
        };
        let space = space(program, &control);
        let octagons = space.end().0 > MAX_POLYHEDRA || is_octagonal(&control);
        // What is left is for formulas.
        let share = budget.left().map_or_else(|| budget.clone(), |left| budget.at_most(left / 4 * 3));
        let (found, domain) = loop {
            let apart = match self.level {
                Level::ApartBoxes | Level::ApartRelations => Apart::All,
                _ => Apart::Explicit(self.explicit.clone()),
            };
            let boxes = !self.explicit.is_empty() && self.level < Level::Relations;
            let ((found, nodes), domain) = if boxes {
                (search(Boxes, a, &control, &space, (&apart, MAX_BOXES), &share), "box")
            } else if octagons {
                (search(Octagons, a, &control, &space, (&apart, usize::MAX), &share), "octagon")
            } else {
                (search(Polyhedra::default(), a, &control, &space, (&apart, usize::MAX), &share), "polyhedra")
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
            Found::Time if !budget.is_over() => {
                self.level = Level::Exact;
                self.check(a, budget, progress, accept, notes)
            }
            Found::Time | Found::TooMany => Checked::Unknown(Reason::new(ReasonKind::Time)),
        }
    }
}

/// A program whose calls are recursive: tabulation, and where that does not exclude the error, unwinding.
fn with_calls(a: &Abstraction, budget: &Budget, progress: &mut dyn FnMut(&str), accept: Accept<'_>, notes: &mut Notes) -> Checked {
    let concrete = |p: &Proof, b: &Budget| accept(&a.proof(p.clone()), b);
    match tabulation::prove(&a.program, &budget.part(2), progress, &concrete, notes) {
        Ok(Some(proof)) => Checked::Safe(proof),
        Ok(None) => traced(a, bmc::run(&a.program, budget, progress)),
        Err(reason) => Checked::Unknown(reason),
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
    let found = interruptible(budget.watch(), || reach.run(limit)).unwrap_or(Found::Time);
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
