//! Contracts of recursive functions.
//!
//! The program becomes a system of Horn clauses in which each recursive function has a precondition and a summary ([`clauses`]). Candidates for
//! them come from two sources. Spacer solves the clauses, first as if arithmetic never left its type, then exactly. And functions are
//! executed, memoised, and what their results have in common is kept as far as it is inductive ([`learn`], [`crate::houdini`]): that finds
//! products, sums modulo the type, and tables of functions that grow too fast for any formula. Whatever is found is left to the checker.
//!
//! Sources: Komuravelli, Gurfinkel, Chaki, "SMT-based model checking for recursive programs" (CAV 2014) for the clauses; Flanagan, Leino,
//! "Houdini, an annotation assistant for ESC/Java" (FME 2001) for candidates; seed 003, §5, for recursion by procedure summaries.

pub mod clauses;
pub mod evaluate;
mod fit;
pub mod interface;
pub mod learn;

use crate::houdini::Houdini;
use crate::ideal::Ideal;
use clauses::{Place, System};
use evaluate::Known;
use learn::{learn, Formulas};
use plumb_cfa::unwind::Orders;
use plumb_cfa::{Point, Program};
use plumb_smt::{Horn, HornAnswer, Limits, RelationId};
use plumb_term::{Budget, Term, Var};
use plumb_verdict::{Contract, Method, Proof, Reason, ReasonKind, Verdict};
use std::collections::BTreeMap;
use std::time::Duration;

/// A question about candidates that takes longer counts against them.
const PATIENCE: Duration = Duration::from_millis(400);
/// The most time to make contracts shorter.
const THINNING: Duration = Duration::from_secs(1);

/// Looks for contracts; `accept` says whether a candidate is a proof.
pub fn run(program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str), accept: &dyn Fn(&Proof, &Budget) -> bool) -> Verdict {
    search(program, budget, progress, accept).unwrap_or_else(Verdict::Unknown)
}

/// Where candidates come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    /// Spacer, without wraps.
    Ideal,
    /// Spacer, with exact wraps.
    Exact,
    /// Executions.
    Learnt,
}

/// What Spacer can do it mostly does at once.
const SHORT: Duration = Duration::from_millis(1500);

/// Sources in turn, with the part of the remaining time that each gets, and the most.
const ROUNDS: [(Source, u32, Duration); 5] = [
    (Source::Ideal, 12, SHORT),
    (Source::Learnt, 2, Duration::MAX),
    (Source::Exact, 4, Duration::MAX),
    (Source::Ideal, 2, Duration::MAX),
    (Source::Exact, 1, Duration::MAX),
];

fn search(
    program: &Program,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    accept: &dyn Fn(&Proof, &Budget) -> bool,
) -> Result<Verdict, Reason> {
    let orders = Orders::new(program);
    let system = System::new(program, &orders, budget)?;
    let mut last = Reason::new(ReasonKind::Incomplete("no contracts for the recursive functions were found".into()));
    for (source, part, most) in ROUNDS {
        let part = budget.part(part).at_most(most);
        let found = match source {
            Source::Learnt => {
                progress("contracts from executions");
                inductive(&system, &part)
            }
            Source::Ideal | Source::Exact => {
                let exact = source == Source::Exact;
                progress(if exact { "summaries as Horn clauses, exact" } else { "summaries as Horn clauses, without wraps" });
                match solve(&system, exact, &part) {
                    Ok(HornAnswer::Solved(solution)) => Some(solution),
                    Ok(HornAnswer::Unsolvable) if exact => {
                        return Err(Reason::new(ReasonKind::Incomplete(
                            "the Horn clauses have no solution: an error may be reachable".into(),
                        )));
                    }
                    Ok(HornAnswer::Unsolvable) => None,
                    Ok(HornAnswer::Unknown(r)) => {
                        last = Reason::new(ReasonKind::Solver(r.to_string()));
                        None
                    }
                    Err(e) => {
                        last = Reason::new(ReasonKind::Solver(e));
                        None
                    }
                }
            }
        };
        if let Some(proof) = found.map(|solution| proof(&system, &solution)) {
            if accept(&proof, &budget.part(2)) {
                return Ok(Verdict::Safe(proof));
            }
            last = Reason::new(ReasonKind::Incomplete("contracts were found, but not accepted by the checker".into()));
        }
        if budget.is_over() {
            return Err(Reason::new(ReasonKind::Time));
        }
    }
    Err(last)
}

/// The contracts and invariants of a solution.
pub(crate) fn proof(system: &System, solution: &[Term]) -> Proof {
    let of = |place: Place| system.number(&place).map_or_else(Term::tt, |n| solution[n]);
    let contract = |f| (f, Contract { pre: of(Place::Called(f)), post: of(Place::Returned(f)) });
    let contracts = system.functions.keys().map(|f| contract(*f)).collect();
    let mut invariants: BTreeMap<Point, Term> = BTreeMap::new();
    for (r, t) in system.relations.iter().zip(solution) {
        if let Place::Head(p) = &r.place {
            invariants.insert(p.clone(), *t);
        }
    }
    Proof { method: Method::Contracts { contracts }, invariants }
}

/// A solution from executions. The formulas of a first round, as far as they hold, tell the results of calls that are too large to execute
/// in a second one.
fn inductive(system: &System, budget: &Budget) -> Option<Vec<Term>> {
    let mut known = Formulas::new();
    let mut left: Vec<Vec<Term>> = vec![Vec::new(); system.relations.len()];
    let names = system.names();
    for round in 0..2 {
        let learnt = learn(system, &known, &budget.part(4));
        let mut candidates = left;
        candidates.iter_mut().zip(learnt.candidates).for_each(|(all, new)| {
            for t in new.into_iter().filter(|t| !t.is_true()) {
                if !all.contains(&t) {
                    all.push(t);
                }
            }
        });
        let mut houdini = Houdini::new(&names, &system.clauses, &candidates, PATIENCE, budget)?;
        houdini.weaken(budget)?;
        if let Some(found) = houdini.concise(THINNING, budget) {
            return Some(found.into_iter().map(Term::all).collect());
        }
        left = houdini.left();
        if round == 0 {
            for (f, formulas) in learnt.formulas {
                let Some(n) = system.number(&Place::Returned(f)) else { continue };
                let outs = &names[n][system.functions[&f].ins.len()..];
                let said = |k: &Known, v: &Var, t: Term| k.guard.implies(Term::var(*v).equals(t));
                let holds = |k: &Known| outs.iter().zip(&k.values).all(|(v, t)| left[n].contains(&said(k, v, *t)));
                known.insert(f, formulas.into_iter().filter(holds).collect());
            }
        }
    }
    None
}

/// Spacer's solution.
fn solve(system: &System, exact: bool, budget: &Budget) -> Result<HornAnswer, String> {
    let mut horn = Horn::new(&Limits::default()).map_err(|e| e.to_string())?;
    let mut ideal = Ideal::without_splices();
    let mut view = |t: Term| if exact { t } else { ideal.term(t) };
    let mut relations: Vec<RelationId> = Vec::new();
    for (i, r) in system.relations.iter().enumerate() {
        relations.push(horn.relation(&format!("r{i}"), &r.vars).map_err(|e| e.to_string())?);
    }
    for c in &system.clauses {
        let mut all = |ts: &[Term]| ts.iter().map(|t| view(*t)).collect::<Vec<Term>>();
        let body: Vec<(RelationId, Vec<Term>)> = c.body.iter().map(|(r, a)| (relations[*r], all(a))).collect();
        let head = c.head.as_ref().map(|(r, a)| (relations[*r], all(a)));
        let condition = view(c.condition);
        horn.clause_at(&body, condition, head.as_ref().map(|(r, a)| (*r, a.as_slice()))).map_err(|e| e.to_string())?;
    }
    Ok(horn.solve(budget))
}
