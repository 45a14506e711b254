//! Invariants as solutions of Horn clauses: the cut points are relations, the blocks are clauses, Spacer solves them.
//!
//! Two attempts. First without wraps: arithmetic is taken to stay in range, which is what most programs are written for and what
//! makes linear reasoning fast; the solution is only a candidate. Then with exact wraps. Each candidate is strengthened by the interval
//! analysis' facts and left to the checker.
//!
//! Source: Grebenshchikov et al., "Synthesizing software verifiers from proof rules" (PLDI 2012), for the encoding.

use crate::ideal::Ideal;
use crate::system::System;
use plumb_cfa::unwind::Orders;
use plumb_cfa::{Point, Program};
use plumb_smt::{Horn, HornAnswer, Limits, RelationId};
use plumb_term::{Budget, Term, Var};
use plumb_transform::interval;
use plumb_verdict::{Method, Proof, Reason, ReasonKind, Verdict};
use std::collections::BTreeMap;

/// Solves the program's Horn clauses; `accept` says whether a candidate is a proof.
pub fn run(program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str), accept: &dyn Fn(&Proof, &Budget) -> bool) -> Verdict {
    search(program, budget, progress, accept).unwrap_or_else(Verdict::Unknown)
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
    let system = System::new(program, &orders, &facts, budget)?;
    if system.errors.is_empty() && system.unsupported.is_empty() {
        let invariants = system.cuts.iter().map(|c| (c.point.clone(), fact(&c.point))).collect();
        return Ok(Verdict::Safe(Proof { method: Method::Inductive, invariants }));
    }
    let mut last = Reason::new(ReasonKind::Incomplete("no solution of the Horn clauses was found".into()));
    for exact in [false, true] {
        progress(if exact { "Horn clauses, exact" } else { "Horn clauses, without wraps" });
        let part = if exact { budget.clone() } else { share(2) };
        match solve(program, &system, exact, &part) {
            Ok(HornAnswer::Solved(solution)) => {
                let invariants = system.cuts.iter().zip(solution).map(|(c, t)| (c.point.clone(), t.and(fact(&c.point)))).collect();
                let proof = Proof { method: Method::Inductive, invariants };
                if exact || accept(&proof, &part) {
                    return Ok(Verdict::Safe(proof));
                }
            }
            Ok(HornAnswer::Unsolvable) if exact => {
                last = Reason::new(ReasonKind::Incomplete("the Horn clauses have no solution: an error may be reachable".into()));
            }
            Ok(HornAnswer::Unsolvable) => {}
            Ok(HornAnswer::Unknown(r)) => last = Reason::new(ReasonKind::Solver(r.to_string())),
            Err(e) => last = Reason::new(ReasonKind::Solver(e)),
        }
        if budget.is_over() {
            return Err(Reason::new(ReasonKind::Time));
        }
    }
    Err(last)
}

fn solve(program: &Program, system: &System, exact: bool, budget: &Budget) -> Result<HornAnswer, String> {
    let mut horn = Horn::new(&Limits::default()).map_err(|e| e.to_string())?;
    let mut ideal = Ideal::without_splices();
    let mut view = |t: Term| if exact { t } else { ideal.term(t) };
    let mut relations: Vec<RelationId> = Vec::new();
    for (i, c) in system.cuts.iter().enumerate() {
        let vars: Vec<Var> = c.needed.iter().map(|v| Var::new(*v, program.var(*v).ty)).collect();
        relations.push(horn.relation(&format!("cut{i}"), &vars).map_err(|e| e.to_string())?);
    }
    if let (Some(entry), Some(cut)) = (relations.first(), system.cuts.first()) {
        let any: Vec<Term> = cut.needed.iter().map(|v| program.term(*v)).collect();
        horn.clause(None, Term::tt(), Some((*entry, &any))).map_err(|e| e.to_string())?;
    }
    for t in &system.transitions {
        let values: Vec<Term> = t.values.iter().map(|v| view(*v)).collect();
        let condition = view(t.condition);
        horn.clause(Some(relations[t.from.0]), condition, Some((relations[t.to.0], &values))).map_err(|e| e.to_string())?;
    }
    let errors = system.errors.iter().map(|(c, t)| (c, t)).chain(system.unsupported.iter().map(|u| (&u.0, &u.1)));
    for (c, condition) in errors {
        let condition = view(*condition);
        horn.clause(Some(relations[c.0]), condition, None).map_err(|e| e.to_string())?;
    }
    Ok(horn.solve(budget))
}
