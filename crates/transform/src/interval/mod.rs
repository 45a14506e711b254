//! Interval analysis: a range for every scalar, integer or float, and for memory cells at known addresses.
//!
//! An abstract interpretation of the program as if all calls were inlined ([`fixpoint`]), with widening to thresholds (the constants of the
//! program's conditions) and a few descending steps; then a check ([`settle`]) that the states at loop heads are inductive, which narrowing
//! does not promise, and that also collects the states at all locations.
//!
//! Its invariants are hints for other engines: whether they hold is checked where they are used. Because they are inductive by
//! themselves, a pass that relies on them hands them to the checker as its reason ([`Ranges::reasons`]).

pub mod env;
mod fixpoint;
mod floats;
mod settle;
pub mod transfer;
pub mod value;
pub mod widen;

use env::Env;
use plumb_cfa::liveness::Liveness;
use plumb_cfa::unwind::Orders;
use plumb_cfa::{CallSite, FuncId, Loc, Op, Point, Program};
use plumb_term::{Budget, Term};
use std::collections::BTreeMap;

/// More points than this are not listed as unreached: each would add to a proof.
const MAX_UNREACHED: usize = 20_000;

/// What the analysis found.
#[derive(Clone, Debug)]
pub struct Ranges {
    /// The states at loop heads that are reached, each under its calls from the entry.
    heads: BTreeMap<Point, Env>,
    /// The states at each location of each function, under all its calls; none where no execution comes.
    states: Vec<Vec<Option<Env>>>,
}

/// The facts at each loop head, or nothing if the budget ends first.
pub fn analyse(program: &Program, orders: &Orders<'_>, budget: &Budget) -> Option<BTreeMap<Point, Vec<Term>>> {
    let ranges = Ranges::new(program, orders, budget)?;
    Some(ranges.heads.into_iter().map(|(p, e)| (p, e.facts(program, &|_| true))).collect())
}

impl Ranges {
    /// Analyses a program; nothing if the budget ends first.
    pub fn new(program: &Program, orders: &Orders<'_>, budget: &Budget) -> Option<Ranges> {
        let mut a = fixpoint::Analysis::new(program, orders, budget);
        a.ascend().ok()?;
        let states = a.settle().ok()?;
        Some(Ranges { heads: a.heads(), states })
    }

    /// The states at a location under all its calls; none if no execution comes there.
    pub fn at(&self, f: FuncId, l: Loc) -> Option<&Env> {
        self.states[f.0 as usize][l.index()].as_ref()
    }

    /// The state at a loop head under its calls, if it is reached.
    pub fn head(&self, point: &Point) -> Option<&Env> {
        self.heads.get(point)
    }

    /// For each loop head the facts on what is live there, false where no execution comes: an inductive invariant that implies
    /// what [`Ranges::at`] says.
    pub fn reasons(&self, program: &Program, orders: &Orders<'_>) -> BTreeMap<Point, Term> {
        let live = Liveness::new(program);
        let mut out: BTreeMap<Point, Term> = BTreeMap::new();
        for (p, e) in &self.heads {
            let keep = |v| live.is_live_at(program, p, v);
            let facts = Term::all(e.facts(program, &keep));
            if !facts.is_true() {
                out.insert(p.clone(), facts);
            }
        }
        for p in self.unreached(program, orders) {
            out.insert(p, Term::ff());
        }
        out
    }

    /// The loop heads, under their calls, that no execution reaches. Those below recursive calls are not listed.
    fn unreached(&self, program: &Program, orders: &Orders<'_>) -> Vec<Point> {
        let mut out = Vec::new();
        let mut todo: Vec<(Vec<CallSite>, FuncId)> = vec![(Vec::new(), program.entry)];
        while let Some((stack, func)) = todo.pop() {
            if out.len() + todo.len() > MAX_UNREACHED {
                break;
            }
            for head in orders.wto(func).heads() {
                let point = Point { stack: stack.clone(), func, loc: *head };
                if !self.heads.contains_key(&point) {
                    out.push(point);
                }
            }
            for (edge, e) in program.function(func).graph.edges() {
                let reachable = orders.wto(func).position(e.from).is_some();
                if let (Op::Call { func: callee, .. }, true) = (&e.op, reachable) {
                    if !orders.calls().is_recursive(*callee) {
                        let mut below = stack.clone();
                        below.push(CallSite { func, edge });
                        todo.push((below, *callee));
                    }
                }
            }
        }
        out
    }
}
