//! Predicate analysis ℙ (Section 4.4) with adjustable blocks.
//!
//! **Problem.** What matters about a state is often whether some predicates hold: the strongest conjunction (Cartesian) or Boolean combination
//! of the predicates of the precision that a state satisfies is its abstraction. Computing it takes solver calls, so it pays to do it rarely: within a
//! *block* the analysis only collects the formula of the paths ([`crate::block`]), and abstracts at the block's end (the chapter's reference 22, adjustable-block
//! encoding). Blocks are single edges, as the chapter writes it, or reach from loop head to loop head.
//!
//! **Operators.** The transfer relation extends the formula; `merge` unites formulas of one block that meet, and keeps abstractions apart (merge-sep);
//! `prec` abstracts at the block's end, and finds states that stand for nothing. The precision is a set of predicates for each place; [`Interpolate`]
//! refines it by interpolants. What of them somebody has shown to hold always ([`Learn`]) is part of the precision, too: it is known at the start of every block.
//! A region is covered by all others at its place together (stop-join), since disjunctions lose nothing here.

mod abstraction;
pub(crate) mod refine;
mod tree;

pub use refine::{Interpolate, Lasting, Learn};

use crate::block::Formula;
use abstraction::Abstracter;
use plumb_cfa::{Op, Program};
use plumb_cpa::{Cover, Cpa, Domain, Facts, Place, Site, Step};
use plumb_term::visit::linear_form;
use plumb_term::{Budget, IBig, Kind, Range, Sort, Term};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Where abstractions are computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocks {
    /// After every edge.
    Edges,
    /// At loop heads, at entries of recursive functions and at the error.
    Loops,
}

/// Which combinations of predicates are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// The strongest conjunction of predicates and negated predicates.
    Cartesian,
    /// The strongest Boolean combination.
    Boolean,
}

/// The predicates to track. `false` is one, too: where there are others or it, it is found out whether a place is reached at all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Predicates {
    /// Everywhere.
    pub everywhere: BTreeSet<Term>,
    /// At a place, besides.
    pub at: BTreeMap<Place, BTreeSet<Term>>,
    /// What is known to hold whenever an execution comes to a place: no predicate has to say it.
    pub known: BTreeMap<Place, Term>,
}

impl Predicates {
    fn of(&self, at: Option<Place>) -> Vec<Term> {
        let here = at.and_then(|at| self.at.get(&at)).into_iter().flatten();
        let known = self.known(at).conjuncts();
        self.everywhere.iter().chain(here).copied().filter(|p| !known.contains(p)).collect()
    }

    fn known(&self, at: Option<Place>) -> Term {
        at.and_then(|at| self.known.get(&at)).copied().unwrap_or_else(Term::tt)
    }
}

/// The analysis.
#[derive(Debug)]
pub struct PredicateAnalysis<'a> {
    program: &'a Program,
    blocks: Blocks,
    shape: Shape,
    /// Whether products of variables are unknown values.
    linear: bool,
    /// Whether bounds that other analyses know count at the ends of blocks.
    reduced: bool,
    solver: RefCell<Abstracter>,
    /// How many abstractions there have been.
    starts: Cell<u64>,
}

/// A state: the abstraction at the start of the block, and the formula since.
#[derive(Clone, Debug)]
pub struct Region {
    region: Term,
    since: Formula,
    /// The number of the abstraction that started the block: formulas of different starts are not united, even if they start alike, so that the
    /// blocks of a path follow each other.
    start: u64,
    /// At the end of a block the formula that led here, for refinement.
    block: Option<Arc<Formula>>,
    /// Whether this is a violation that is to be found whatever others there are, since they are refined together.
    apart: bool,
}

impl PartialEq for Region {
    fn eq(&self, o: &Region) -> bool {
        self.region == o.region && self.since == o.since
    }
}

impl Region {
    /// The abstraction, over the program's variables, at the start of the block.
    pub fn abstraction(&self) -> Term {
        self.region
    }

    /// Whether this is the end of a block, so that the abstraction is all there is to say.
    pub fn is_abstract(&self) -> bool {
        self.since.is_empty()
    }
}

impl<'a> PredicateAnalysis<'a> {
    /// Of a program; an error is the solver's, which is asked nothing more when the budget is over.
    pub fn new(program: &'a Program, blocks: Blocks, shape: Shape, budget: &Budget) -> Result<PredicateAnalysis<'a>, String> {
        let solver = RefCell::new(Abstracter::new(shape, budget)?);
        Ok(PredicateAnalysis { program, blocks, shape, linear: false, reduced: false, solver, starts: Cell::new(0) })
    }

    /// The same over linear arithmetic alone: a product of variables is an unknown value.
    #[must_use]
    pub fn linear(self) -> PredicateAnalysis<'a> {
        PredicateAnalysis { linear: true, ..self }
    }

    /// The same as part of a reduced product: at the end of a block it takes the other analyses' bounds of what the block is about.
    #[must_use]
    pub fn reduced(self) -> PredicateAnalysis<'a> {
        PredicateAnalysis { reduced: true, ..self }
    }

    /// The start of a block, after the one with this formula.
    fn started(&self, region: Term, block: Formula) -> Region {
        self.starts.set(self.starts.get() + 1);
        Region { region, since: Formula::default(), start: self.starts.get(), block: Some(Arc::new(block)), apart: false }
    }

    /// Whether a block ends at a place.
    fn ends_block(&self, at: Site) -> bool {
        let Some(place) = at.place else { return true };
        let f = self.program.function(place.func);
        let unsupported = |e: &plumb_cfa::EdgeId| matches!(f.graph.edge(*e).op, Op::Unsupported(_));
        self.blocks == Blocks::Edges || at.cut || f.errors.contains(&place.loc) || f.graph.out_edges(place.loc).iter().any(unsupported)
    }
}

impl Domain for PredicateAnalysis<'_> {
    type State = Region;

    fn leq(&self, a: &Region, b: &Region) -> bool {
        if a == b || (a.region == b.region && b.since.includes(&a.since)) {
            return true;
        }
        if !a.is_abstract() || !b.is_abstract() {
            return false;
        }
        let (own, other) = (a.region.conjuncts(), b.region.conjuncts());
        other.iter().all(|c| own.contains(c)) || (self.shape == Shape::Boolean && self.solver.borrow_mut().implies(a.region, b.region))
    }

    fn join(&self, a: &Region, b: &Region) -> Region {
        if self.leq(a, b) {
            return b.clone();
        }
        if a.region == b.region {
            return Region { region: a.region, since: a.since.union(self.program, &b.since), start: b.start, block: None, apart: false };
        }
        let kept = |t: Term, o: Term| Term::all(t.conjuncts().into_iter().filter(|c| o.conjuncts().contains(c)));
        if a.is_abstract() && b.is_abstract() {
            let both = if self.shape == Shape::Boolean { a.region.or(b.region) } else { kept(a.region, b.region) };
            return Region { region: both, since: Formula::default(), start: b.start, block: None, apart: false };
        }
        Region { region: Term::tt(), since: Formula::default(), start: b.start, block: None, apart: false }
    }
}

impl Cpa for PredicateAnalysis<'_> {
    /// Within a block, where it started.
    type Key = Option<u64>;
    type Prec = Predicates;

    fn name(&self) -> &'static str {
        "predicate"
    }

    fn initial(&self) -> Vec<Region> {
        vec![Region { region: Term::tt(), since: Formula::default(), start: 0, block: None, apart: false }]
    }

    fn key(&self, e: &Region) -> Option<u64> {
        (!e.is_abstract()).then_some(e.start)
    }

    fn transfer(&self, e: &Region, step: &Step) -> Vec<Region> {
        let since = e.since.extended(step, self.linear);
        since.map(|since| Region { region: e.region, since, start: e.start, block: None, apart: false }).into_iter().collect()
    }

    fn strengthen(&self, mut e: Region, step: &Step, others: &dyn Facts) -> Option<Region> {
        for c in others.assumptions() {
            e.since = e.since.assuming(c)?;
        }
        if self.reduced && self.ends_block(Site { place: Some(step.to), cut: step.to_cut }) {
            let about = e.since.mentions();
            let numbers = about.into_iter().map(|v| self.program.term(v)).filter(|x| x.sort() == Sort::Int);
            for x in numbers {
                let known = others.range(x);
                if known != x.range() {
                    e.since = e.since.assuming(x.in_range(known))?;
                }
            }
        }
        Some(e)
    }

    fn merge(&self, new: &Region, old: &Region, _at: Site) -> Region {
        if old.is_abstract() || self.leq(new, old) {
            old.clone()
        } else {
            Region { region: old.region, since: new.since.union(self.program, &old.since), start: old.start, block: None, apart: false }
        }
    }

    fn never_merges(&self) -> bool {
        self.blocks == Blocks::Edges
    }

    /// Regions that are Boolean combinations may cover one together.
    fn stop(&self, e: &Region, reached: &mut dyn Iterator<Item = &Region>) -> Option<Cover> {
        if e.apart {
            return None;
        }
        let together = self.shape == Shape::Boolean && e.is_abstract();
        let mut regions = Vec::new();
        for (i, r) in reached.enumerate() {
            if e == r || (together && r.is_abstract() && r.region.is_true()) || (!together && self.leq(e, r)) {
                return Some(Cover::By(i));
            }
            if together && r.is_abstract() {
                regions.push(r.region);
            }
        }
        let covered = !regions.is_empty() && self.solver.borrow_mut().implies(e.region, Term::any(regions));
        covered.then_some(Cover::Together)
    }

    fn prec(&self, e: Region, precision: &Predicates, at: Site) -> Option<Region> {
        if !self.ends_block(at) {
            return Some(e);
        }
        let predicates = precision.of(at.place);
        // Without predicates, `false` among them, there is nothing to find out at a loop head.
        let error = at.place.is_some_and(|p| self.program.function(p.func).errors.contains(&p.loc));
        if predicates.is_empty() && at.cut && !error {
            return Some(self.started(precision.known(at.place), e.since));
        }
        let region = self.solver.borrow_mut().abstraction(e.region, &e.since, &predicates)?;
        let apart = error && self.blocks == Blocks::Loops;
        Some(Region { apart, ..self.started(region.and(precision.known(at.place)), e.since) })
    }

    fn range(&self, e: &Region, t: Term) -> Range {
        // What the abstraction and the conditions since say of a variable that the block has not changed.
        let Some(v) = t.as_var().filter(|v| e.since.keeps(v.id)) else { return t.range() };
        let known = e.region.and(e.since.condition());
        known.conjuncts().into_iter().fold(t.range(), |r, c| bounded(c, Term::var(v), r))
    }

    fn formulas(&self, e: &Region) -> Vec<Term> {
        if e.is_abstract() {
            e.region.conjuncts()
        } else {
            Vec::new()
        }
    }
}

/// The range of a term, reduced by a comparison of it with a constant.
fn bounded(c: Term, t: Term, r: Range) -> Range {
    let (difference, equal) = match c.kind() {
        Kind::Le(a, b) => (a.sub(*b), false),
        Kind::Eq(a, b) if a.sort() == Sort::Int => (a.sub(*b), true),
        _ => return r,
    };
    let (constant, parts) = linear_form(difference);
    let [(k, atom)] = parts.as_slice() else { return r };
    // k·t + constant ≤ 0, or = 0
    let (Ok(limit), true) = (i128::try_from(&-constant), *atom == t) else { return r };
    let (above, below) = (*k == IBig::ONE || equal, *k == -IBig::ONE || equal);
    if *k != IBig::ONE && *k != -IBig::ONE {
        return r;
    }
    let value = if *k == IBig::ONE { limit } else { -limit };
    Range {
        lo: if below { Some(r.lo.map_or(value, |l| l.max(value))) } else { r.lo },
        hi: if above { Some(r.hi.map_or(value, |h| h.min(value))) } else { r.hi },
    }
}
