//! The precision of NUMPREDDOM as POST: which variables are followed as numbers, and which predicates at which cut point.
//!
//! **Refinement** (Section VI of seed 000). A refutation of all paths to the error speaks of some variables at each cut point, by its labels: those that are integers and are not followed yet
//! are followed from then on; only where there is none, the labels' atoms become predicates, at the cut points where they were said. Once numbers alone have not been enough, both are taken
//! together: another exploration with the numbers alone would only ask for the predicates again. Where these are known, too, it is widening that loses what they say: then it begins later.

use super::super::numeric::track;
use crate::space::Space;
use crate::system::{CutId, System};
use plumb_cfa::Program;
use plumb_num::{ConsKind, Dim, LinCons, LinExpr};
use plumb_numpred::program::Frame;
use plumb_numpred::Structure;
use plumb_term::visit::{atoms, size, vars};
use plumb_term::{Term, Var, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Longer predicates are not followed.
const MAX_ATOM: usize = 40;
/// This many heads of a component are not widened at first.
const DELAY: usize = 2;
/// Nor are more than this many ever.
const MAX_DELAY: usize = 16;
/// This many comparisons are widened up to.
const MAX_THRESHOLDS: usize = 400;

/// A precision, and what refinements have said since.
pub(super) struct Precision {
    follows_predicates: bool,
    numbers: BTreeSet<Var>,
    /// Each predicate with the cut points where it is followed.
    predicates: BTreeMap<Term, BTreeSet<CutId>>,
    /// The predicates in the order of the diagrams' variables.
    order: Vec<Term>,
    /// The variables that can be followed as numbers, by the cut points where they matter.
    candidates: BTreeSet<Var>,
    new_numbers: BTreeSet<Var>,
    new_predicates: BTreeSet<(Term, CutId)>,
    /// Whether labels were heard as a whole, since their atoms were known.
    heard_whole: bool,
    /// How many heads of a component are not widened.
    delay: usize,
    /// What the program compares with zero, over the variables' numbers.
    compared: Vec<LinExpr>,
}

impl Precision {
    pub(super) fn new(structure: Structure, program: &Program, system: &System, room: Option<usize>) -> Precision {
        let of_cut = |room: usize| track::tracked(program, system, room).into_iter().flatten().collect::<BTreeSet<Var>>();
        let candidates = if structure.numbers() { of_cut(usize::MAX) } else { BTreeSet::new() };
        let numbers = match room {
            Some(room) if structure.numbers() => of_cut(room),
            _ => BTreeSet::new(),
        };
        let space = Space::new(candidates.iter().copied());
        let conditions = system.transitions.iter().flat_map(track::decisions).chain(system.errors.iter().map(|e| e.1));
        let compared: BTreeSet<LinExpr> = conditions.flat_map(|c| space.compared(c)).collect();
        // The space numbers its dimensions in the order of the variables; here a variable's number is its dimension.
        let order: Vec<Var> = candidates.iter().copied().collect();
        let compared = compared.into_iter().map(|e| e.rename(|d| Dim(order[d.index()].id.0))).collect();
        Precision {
            follows_predicates: structure.predicates(),
            numbers,
            predicates: BTreeMap::new(),
            order: Vec::new(),
            candidates,
            new_numbers: BTreeSet::new(),
            new_predicates: BTreeSet::new(),
            heard_whole: false,
            delay: DELAY,
            compared,
        }
    }

    /// V_N and V_P.
    pub(super) fn frame(&self) -> Frame {
        Frame::new(self.numbers.iter().copied(), self.order.iter().copied())
    }

    /// Orders the predicates: as given where that is known, others after the last one that speaks of a variable of theirs.
    pub(super) fn arrange(&mut self, suited: Option<Vec<Term>>) {
        if let Some(suited) = suited {
            self.order = suited;
        }
        for p in self.predicates.keys() {
            if !self.order.contains(p) {
                let own = vars([*p]);
                let near = self.order.iter().rposition(|o| vars([*o]).iter().any(|v| own.contains(v)));
                self.order.insert(near.map_or(self.order.len(), |i| i + 1), *p);
            }
        }
    }

    /// What widening stops at: the comparisons of what is followed, and those that are off by one.
    pub(super) fn thresholds(&self) -> Vec<LinCons> {
        let followed = |e: &&LinExpr| e.dims().all(|d| self.numbers.iter().any(|v| v.id == VarId(d.0)));
        let both = self.compared.iter().filter(followed).flat_map(|e| [e.clone(), -e.clone()]);
        let near = both.flat_map(|e| [-1, 0, 1].map(|slack: i64| LinCons::new(e.clone() + slack.into(), ConsKind::Ge)));
        near.take(MAX_THRESHOLDS).collect()
    }

    /// Whether a predicate is followed at a cut point.
    pub(super) fn keeps(&self, cut: CutId, p: Term) -> bool {
        self.predicates.get(&p).is_some_and(|at| at.contains(&cut))
    }

    /// How many numbers there are.
    pub(super) fn numbers(&self) -> usize {
        self.numbers.len()
    }

    /// How many predicates there are.
    pub(super) fn predicates(&self) -> usize {
        self.predicates.len()
    }

    /// What grows with every refinement.
    pub(super) fn size(&self) -> usize {
        let followed = self.numbers.len() + self.predicates.values().map(BTreeSet::len).sum::<usize>();
        followed + self.new_numbers.len() + self.new_predicates.len() + self.delay + usize::from(self.waits())
    }

    /// Whether nothing new was heard, so that it is widening that loses too much: then later.
    fn waits(&self) -> bool {
        self.heard_whole && self.new_numbers.is_empty() && self.new_predicates.is_empty() && self.delay < MAX_DELAY
    }

    /// How many heads of a component are not widened.
    pub(super) fn delay(&self) -> usize {
        self.delay
    }

    /// Hears a label of a cut point: its atoms, or its conjuncts as a whole.
    pub(super) fn hear(&mut self, cut: CutId, label: Term, whole: bool) {
        let useful = |p: &Term| {
            let about = vars([*p]);
            p.as_bool().is_none() && size(*p) <= MAX_ATOM && about.iter().all(|v| v.version == 0 && v.id < VarId::FIRST_AUX)
        };
        self.heard_whole |= whole;
        let parts = if whole { label.conjuncts() } else { atoms(label) };
        for p in parts.into_iter().filter(useful) {
            let new = vars([p]).into_iter().filter(|v| self.candidates.contains(v) && !self.numbers.contains(v));
            self.new_numbers.extend(new);
            if self.follows_predicates && !self.keeps(cut, p) && !self.keeps(cut, p.not()) {
                let known = if self.predicates.contains_key(&p.not()) { p.not() } else { p };
                self.new_predicates.insert((known, cut));
            }
        }
    }

    /// Takes up what was heard; whether there was anything.
    pub(super) fn refine(&mut self) -> bool {
        if self.waits() {
            self.delay *= 2;
        }
        self.heard_whole = false;
        let (numbers, predicates) = (std::mem::take(&mut self.new_numbers), std::mem::take(&mut self.new_predicates));
        let any = !numbers.is_empty() || !predicates.is_empty();
        if numbers.is_empty() || !self.predicates.is_empty() {
            predicates.into_iter().for_each(|(p, cut)| {
                self.predicates.entry(p).or_default().insert(cut);
            });
        }
        self.numbers.extend(numbers);
        any
    }
}
