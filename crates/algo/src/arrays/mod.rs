//! Invariants that hold for all cells of arrays, whatever their size.
//!
//! At each cut point distinguished cells stand for all ([`clauses`]): a fact about the scalars and the cell number `k`, whatever `k` is, is an
//! invariant with "for all k". Facts are looked for in rounds: among candidates that the program suggests ([`candidates`], [`houdini`]),
//! and as solutions of the Horn clauses by Spacer; of the cells with one number of all memories, which is what initialising, copying and comparing
//! need, of one cell of each memory, of two. Counters are taken to stay in range. What is found is strengthened by the interval
//! analysis' facts and left to the checker, which instantiates it.

pub mod candidates;
pub mod clauses;
pub mod frame;
pub mod general;
mod progress;
pub mod reads;

use crate::houdini;
use crate::ideal::Ideal;
use crate::system::System;
use candidates::Extent;
use clauses::{Cells, Clause, Clauses};
use plumb_cfa::unwind::Orders;
use plumb_cfa::{Point, Program};
use plumb_smt::HornAnswer;
use plumb_term::visit::{as_bound, postorder, substitute, vars};
use plumb_term::{Budget, Kind, Range, Term, Var, VarId};
use plumb_transform::interval;
use plumb_verdict::{Method, Proof, Reason, ReasonKind, Verdict};
use std::collections::BTreeMap;
use std::time::Duration;

/// A question about candidates that takes longer counts against them.
const PATIENCE: Duration = Duration::from_millis(1500);

/// How a round looks for invariants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Search {
    /// Among candidates that the program suggests.
    Among(Extent),
    /// By Spacer, for any sizes.
    General,
    /// By Spacer, for the program's constants.
    Ideal,
}

/// The rounds, with the shares of the time that is left.
const ROUNDS: [(Search, Cells, u32); 10] = [
    (Search::Among(Extent::OBVIOUS), Cells::Parallel, 4),
    (Search::Among(Extent::OBVIOUS), Cells::Each(1), 5),
    (Search::Among(Extent::FEW), Cells::Parallel, 4),
    (Search::Among(Extent::FEW), Cells::Each(1), 4),
    (Search::Among(Extent::FEW), Cells::Each(2), 4),
    (Search::Among(Extent::MANY), Cells::Parallel, 3),
    (Search::Among(Extent::MANY), Cells::Each(1), 3),
    (Search::Among(Extent::MANY), Cells::Each(2), 3),
    (Search::General, Cells::Parallel, 2),
    (Search::Ideal, Cells::Parallel, 1),
];

/// Looks for quantified invariants; `accept` says whether a candidate is a proof.
pub fn run(program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str), accept: &dyn Fn(&Proof, &Budget) -> bool) -> Verdict {
    search(program, budget, progress, accept).unwrap_or_else(Verdict::Unknown)
}

/// Candidates, by relation, that are inductive together and exclude the error; nothing if there are none, or no time.
fn inductive(names: &[Vec<Var>], rules: &[houdini::Clause], candidates: &[Vec<Term>], budget: &Budget) -> Option<Vec<Vec<Term>>> {
    let mut houdini = houdini::Houdini::new(names, rules, candidates, PATIENCE, budget)?;
    houdini.weaken(budget)?;
    houdini.needed(budget)
}

fn search(
    program: &Program,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    accept: &dyn Fn(&Proof, &Budget) -> bool,
) -> Result<Verdict, Reason> {
    let orders = Orders::new(program);
    progress("interval analysis");
    let share = |n: u32| budget.part(n);
    let facts: BTreeMap<Point, Vec<Term>> = interval::analyse(program, &orders, &share(8)).unwrap_or_default();
    let fact = |p: &Point| facts.get(p).map_or_else(Term::tt, |ts| Term::all(ts.iter().copied()));
    let mut exact = System::new(program, &orders, &BTreeMap::new(), budget)?;
    // What is known of single cells says nothing of all.
    let scalar = |t: &Term| !postorder([*t]).iter().any(|n| matches!(n.kind(), Kind::Load(..)));
    let about = |t: &Term, needed: &[VarId]| vars([*t]).iter().all(|v| needed.contains(&v.id));
    let known: Vec<Term> =
        exact.cuts.iter().map(|c| Term::all(fact(&c.point).conjuncts().into_iter().filter(|t| scalar(t) && about(t, &c.needed)))).collect();
    fold(program, &mut exact, &facts);
    let (ideal, data) = (seen(&exact, Ideal::default()), seen(&exact, Ideal::of_counters()));
    let prove = |solution: Vec<Term>| {
        let invariants = exact.cuts.iter().zip(solution).map(|(c, t)| (c.point.clone(), t.and(fact(&c.point)))).collect();
        Proof { method: Method::Inductive, invariants }
    };
    let frames = frame::frames(program, &ideal);
    let mut last = Reason::new(ReasonKind::Incomplete("no invariant for all cells of the arrays was found".into()));
    for (search, cells, part) in ROUNDS {
        let system = if matches!(search, Search::Among(_)) { &data } else { &ideal };
        let clauses = Clauses::new(program, system, &frames, cells, &known);
        // One cell is one cell, however it is chosen.
        if cells == Cells::Each(1) && clauses.width() <= 1 {
            continue;
        }
        let part = share(part);
        let found = match search {
            Search::Among(extent) => {
                let list = clauses.clauses(system);
                if cells == Cells::Each(2) && !list.iter().any(Clause::uses_two) {
                    continue;
                }
                let candidates = candidates::candidates(&clauses, &list, extent);
                let number: usize = candidates.iter().map(Vec::len).sum();
                progress(&format!("{number} candidates over {} cells", clauses.width()));
                let names: Vec<Vec<Var>> = clauses.places().iter().map(|p| clauses.vars(p)).collect();
                let rules: Vec<houdini::Clause> = list.iter().map(Clause::rule).collect();
                inductive(&names, &rules, &candidates, &part).map(|found| {
                    clauses.places().iter().zip(found).map(|(p, ts)| clauses.invariant(p, Term::all(ts))).collect::<Vec<Term>>()
                })
            }
            Search::General | Search::Ideal => {
                let general = search == Search::General;
                progress(&format!("Horn clauses over {} cells{}", clauses.width(), if general { ", for any sizes" } else { "" }));
                match clauses.solve(system, general, &part) {
                    Ok(HornAnswer::Solved(solution)) => Some(solution),
                    Ok(_) => None,
                    Err(e) => {
                        last = Reason::new(ReasonKind::Solver(e));
                        None
                    }
                }
            }
        };
        if let Some(proof) = found.map(prove) {
            // It is right more often than not: the check may take its time.
            if accept(&proof, &share(2)) {
                return Ok(Verdict::Safe(proof));
            }
            last = Reason::new(ReasonKind::Incomplete("an invariant for all cells was found, but not accepted by the checker".into()));
        }
        if budget.is_over() {
            return Err(Reason::new(ReasonKind::Time));
        }
    }
    Err(last)
}

/// Puts constants for the variables that have one value at a cut point: sizes, above all; not for pointers, which cells are counted from.
fn fold(program: &Program, system: &mut System, facts: &BTreeMap<Point, Vec<Term>>) {
    for c in 0..system.cuts.len() {
        let facts = facts.get(&system.cuts[c].point).map_or(&[][..], Vec::as_slice);
        let mut bounds: BTreeMap<Var, Range> = BTreeMap::new();
        for (v, r) in facts.iter().flat_map(|t| t.conjuncts()).filter_map(as_bound) {
            let known = bounds.entry(v).or_insert(Range::ALL);
            *known = known.intersection(r);
        }
        bounds.retain(|v, r| r.lo.is_some() && r.lo == r.hi && !program.var(v.id).c_type.contains('*'));
        if bounds.is_empty() {
            continue;
        }
        let value = |v: Var| bounds.get(&v).and_then(|r| r.lo).map(Term::int);
        let put = |t: &mut Term| *t = substitute(*t, &value);
        for t in system.transitions.iter_mut().filter(|t| t.from.0 == c) {
            put(&mut t.condition);
            t.values.iter_mut().for_each(put);
        }
        system.errors.iter_mut().filter(|e| e.0 .0 == c).for_each(|e| put(&mut e.1));
        system.unsupported.iter_mut().filter(|u| u.0 .0 == c).for_each(|u| put(&mut u.1));
    }
}

/// A view of a system.
fn seen(system: &System, mut view: Ideal) -> System {
    let mut out = system.clone();
    for t in &mut out.transitions {
        t.condition = view.term(t.condition);
        t.values.iter_mut().for_each(|v| *v = view.term(*v));
    }
    out.errors.iter_mut().for_each(|e| e.1 = view.term(e.1));
    out.unsupported.iter_mut().for_each(|u| u.1 = view.term(u.1));
    out
}
