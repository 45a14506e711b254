//! Refinement of the predicates by interpolants: lazy abstraction with a precision for each place (Section 6.2).
//!
//! The formulas of the path's blocks, with a copy of each variable for each of its values, contradict each other; the interpolator says at each block's
//! end why. Where the exploration has united paths of a block, all of them are refuted at once if that is possible. The atoms of what it says there are the new predicates of that place.

use super::tree::Tree;
use super::{Blocks, PredicateAnalysis, Predicates, Region};
use crate::verify::{Path, Refiner};
use plumb_cfa::Point;
use plumb_cpa::{Flow, Place, Site, StepId};
use plumb_smt::interpolate::{Answer, Chain, Interpolator, Sequence};
use plumb_smt::{CheckResult, Encoding, Limits, Solver, Z3Solver};
use plumb_term::visit::{atoms, substitute, vars, Rewriter};
use plumb_term::{Budget, Kind, Sort, Term, Var, VarId, VarTy};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

/// For the core of a contradiction.
const PATIENCE: Duration = Duration::from_secs(2);
/// Paths have fewer inputs than this; the unknown values of products are numbered from here on.
const FIRST_PRODUCT: u32 = 1 << 24;

/// What holds whenever an execution comes to a point.
#[derive(Debug)]
pub struct Lasting {
    /// By point.
    pub at: Vec<(Point, Term)>,
    /// Whether it excludes the error by itself: no predicate is needed then.
    pub suffices: bool,
}

/// Takes what interpolants say at points, and says what of all that was said so far holds there always, if there is more of it than before.
pub type Learn<'b> = Box<dyn FnMut(&[(Point, Term)], &Budget) -> Option<Lasting> + 'b>;

/// Takes predicates from interpolants.
pub struct Interpolate<'b> {
    blocks: Blocks,
    /// Whether products of variables are unknown values.
    linear: bool,
    budget: &'b Budget,
    engine: RefCell<Chain>,
    learn: RefCell<Option<Learn<'b>>>,
}

impl<'b> Interpolate<'b> {
    /// For an analysis with these blocks.
    pub fn new(blocks: Blocks, budget: &'b Budget) -> Interpolate<'b> {
        Interpolate { blocks, linear: false, budget, engine: RefCell::default(), learn: RefCell::new(None) }
    }

    /// For an analysis of linear arithmetic.
    #[must_use]
    pub fn linear(self) -> Interpolate<'b> {
        Interpolate { linear: true, ..self }
    }

    /// With somebody who finds out what holds always; the program has no calls.
    #[must_use]
    pub fn learning(self, learn: Learn<'b>) -> Interpolate<'b> {
        Interpolate { learn: RefCell::new(Some(learn)), ..self }
    }

    /// What holds always at places, if labels bring something new.
    fn facts(&self, labels: &[(Place, Term)]) -> Option<Lasting> {
        let mut learn = self.learn.borrow_mut();
        let at = |p: &Place| Point { stack: Vec::new(), func: p.func, loc: p.loc };
        let labels: Vec<(Point, Term)> = labels.iter().map(|(p, t)| (at(p), *t)).collect();
        learn.as_mut()?(&labels, self.budget)
    }

    /// The interpolants at the ends of the blocks of a path from a state of which something is given.
    pub(crate) fn labels(&self, flow: &Flow<'_>, given: Term, path: &[StepId], ends: &dyn Fn(Site) -> bool) -> Option<Vec<(Place, Term)>> {
        let mut formulas = Vec::new();
        let mut places = Vec::new();
        let mut version: BTreeMap<VarId, u32> = BTreeMap::new();
        let mut block: Vec<Term> = given.conjuncts();
        let mut inputs = 0;
        let mut products: BTreeMap<Term, Term> = BTreeMap::new();
        for step in path.iter().map(|s| flow.step(*s)) {
            let first = inputs;
            inputs += step.effect.inputs.len() as u32;
            let mut now = |t: Term| {
                let t = substitute(t, &|v| {
                    Some(Term::var(if v.id < VarId::FIRST_AUX {
                        v.at(version.get(&v.id).copied().unwrap_or(0))
                    } else {
                        Var { id: VarId(v.id.0 + first), ..v }
                    }))
                });
                if self.linear {
                    without_products(t, &mut products)
                } else {
                    t
                }
            };
            block.push(now(step.condition()));
            let values: Vec<(VarId, Term)> = step.updates().iter().map(|(v, t)| (*v, now(*t))).collect();
            for (v, value) in values {
                let next = version.entry(v).or_insert(0);
                *next += 1;
                let x = Term::var(Var::new(v, flow.program().var(v).ty).at(*next));
                block.push(same(x, value));
            }
            // Whether calls are told apart makes no difference here: that only says where recursion is cut.
            let site = Site { place: Some(step.to), cut: flow.is_cut(step.to, true) };
            if self.blocks == Blocks::Edges || ends(site) {
                formulas.push(std::mem::take(&mut block));
                places.push(step.to);
            }
        }
        formulas.push(block);
        self.interpolants(formulas, places)
    }

    /// The interpolants between formulas, which are lists of conjuncts, over the variables of the program.
    fn interpolants(&self, mut formulas: Vec<Vec<Term>>, places: Vec<Place>) -> Option<Vec<(Place, Term)>> {
        // What the contradiction does not need only makes interpolants longer.
        match contradiction(&formulas, self.budget) {
            Some(Some(core)) => formulas.iter_mut().for_each(|f| f.retain(|t| core.contains(t))),
            Some(None) => return None,
            None => {}
        }
        let sequence = Sequence::new(formulas.into_iter().map(Term::all).collect()).ok()?;
        let Answer::Labels(labels) = self.engine.borrow_mut().sequence(&sequence, self.budget) else { return None };
        let now = |label: Term| substitute(label, &|v| Some(Term::var(v.at(0))));
        Some(places.into_iter().zip(labels.into_iter().skip(1).map(now)).collect())
    }
}

/// Conjuncts that contradict each other, if that is found out soon.
pub(crate) fn core(formulas: &[Vec<Term>], budget: &Budget) -> Option<FxHashSet<Term>> {
    contradiction(formulas, budget).flatten()
}

/// The same: `Some(None)` if there is no contradiction, `None` if that is not found out soon.
fn contradiction(formulas: &[Vec<Term>], budget: &Budget) -> Option<Option<FxHashSet<Term>>> {
    let limits = Limits { query_time: Some(PATIENCE), ..Limits::default() };
    let mut solver = Z3Solver::new(Encoding::Int, &limits).ok()?;
    solver.set_budget(budget);
    let all: Vec<Term> = formulas.iter().flatten().copied().filter(|t| !t.is_true()).collect();
    match solver.check_assuming(&all) {
        CheckResult::Unsat => Some(Some(solver.unsat_core().into_iter().collect())),
        CheckResult::Sat => Some(None),
        CheckResult::Unknown(_) => None,
    }
}

/// Every product of variables as an unknown value of its own.
fn without_products(t: Term, known: &mut BTreeMap<Term, Term>) -> Term {
    Rewriter::new().rewrite(t, &mut |n| match n.kind() {
        Kind::Mul(..) => {
            let id = VarId(VarId::FIRST_AUX.0 + FIRST_PRODUCT + known.len() as u32);
            Some(*known.entry(n).or_insert_with(|| Term::var(Var::new(id, VarTy::Int))))
        }
        _ => None,
    })
}

/// Equality on every sort; floats are compared by their bits.
pub(crate) fn same(x: Term, value: Term) -> Term {
    match x.sort() {
        Sort::Float(_) => Term::fbits(x).equals(Term::fbits(value)),
        _ => x.equals(value),
    }
}

/// What is false is a predicate; of anything else its atoms are: they serve other paths, too.
fn parts(label: Term) -> Vec<Term> {
    if label.is_false() {
        vec![label]
    } else {
        atoms(label)
    }
}

/// A precision with more predicates and other facts, if it differs.
fn refined(prec: &Predicates, found: impl Iterator<Item = (Place, Term)>, facts: Option<&Lasting>) -> Option<Predicates> {
    let mut out = prec.clone();
    if let Some(facts) = facts {
        out.known = facts.at.iter().map(|(p, t)| (Place { func: p.func, loc: p.loc }, *t)).collect();
        if facts.suffices {
            out.at.clear();
            return (out != *prec).then_some(out);
        }
    }
    for (place, p) in found.filter(|(_, p)| !p.is_true() && !prec.everywhere.contains(p)) {
        out.at.entry(place).or_default().insert(p);
    }
    (out != *prec).then_some(out)
}

/// A precision with what labels say. With the conjuncts themselves, abstractions along the path imply the labels, so it is excluded for good.
fn with_labels(prec: &Predicates, labels: &[(Place, Term)], facts: Option<&Lasting>) -> Option<Predicates> {
    let of = |parts: fn(Term) -> Vec<Term>| labels.iter().flat_map(move |(at, t)| parts(*t).into_iter().map(|p| (*at, p)));
    refined(prec, of(parts), facts).or_else(|| refined(prec, of(Term::conjuncts), facts))
}

impl Refiner<PredicateAnalysis<'_>> for Interpolate<'_> {
    fn excluded(&self, flow: &Flow<'_>, paths: &[Path<PredicateAnalysis<'_>>], prec: &Predicates) -> Option<Predicates> {
        if self.blocks != Blocks::Loops {
            return None;
        }
        let with_places = paths.iter().map(|p| p.steps.iter().map(|s| flow.step(*s).to).zip(&p.states).collect());
        let paths: Vec<Vec<(Place, &Region)>> = with_places.collect();
        let labels = Tree::new(flow.program(), &paths, prec).labels(&mut *self.engine.borrow_mut(), self.budget)?;
        let facts = self.facts(&labels);
        with_labels(prec, &labels, facts.as_ref())
    }

    fn together(&self) -> bool {
        self.blocks == Blocks::Loops
    }

    fn refine(
        &self,
        flow: &Flow<'_>,
        path: &Path<PredicateAnalysis<'_>>,
        contradiction: &[usize],
        prec: &Predicates,
    ) -> Option<Predicates> {
        let errors = |p: Place| flow.is_error(p) || flow.unsupported(p).is_some();
        let ends = |s: Site| s.cut || s.place.is_some_and(errors);
        let labels = self.labels(flow, Term::tt(), &path.steps, &ends).unwrap_or_default();
        let facts = self.facts(&labels);
        // Where interpolants say nothing new, the path's own conditions may still tell another analysis of a composite something.
        with_labels(prec, &labels, facts.as_ref()).or_else(|| {
            let steps = || path.steps.iter().map(|s| flow.step(*s)).enumerate();
            let places = |from: usize| {
                let later = steps()
                    .skip(from)
                    .map(|(_, s)| s)
                    .filter(|s| self.blocks == Blocks::Edges || ends(Site { place: Some(s.to), cut: s.to_cut }));
                later.map(|s| s.to)
            };
            let conditions =
                steps().filter(|(i, _)| contradiction.contains(i)).flat_map(|(i, s)| atoms(s.condition()).into_iter().map(move |p| (i, p)));
            let of_program = conditions.filter(|(_, p)| vars([*p]).iter().all(|v| v.id < VarId::FIRST_AUX));
            refined(prec, of_program.flat_map(|(i, p)| places(i).map(move |at| (at, p))), facts.as_ref())
        })
    }
}
