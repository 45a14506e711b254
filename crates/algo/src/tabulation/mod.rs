//! The model checker for linear programs with procedures: symbolic reachability with polyhedra and procedure summaries.
//!
//! Seed 003 (Armando, Benerecetti, Mantovani, TACAS 2007, Section 3) checks its abstract programs by the tabulation of Reps, Horwitz and Sagiv (*Precise
//! Interprocedural Dataflow Analysis via Graph Reachability*, POPL 1995) on linear constraints: path edges from the entry of a procedure to its
//! locations, summary edges from its entry to its exit, used at every call, so that parameters are by value and recursion is a matter of
//! the fixpoint. Here the edges of a location or procedure are polyhedra over both ends ([`table`]), one for all of them or a few that are told apart
//! ([`Apart`]), and widening makes the number of iterations of loops and the depth of recursion irrelevant. Calls of procedures that are not recursive are
//! executed in place, which is more precise than any summary.
//!
//! **Three domains of numbers.** The seed's programs range over ℝ, ℤ or ℤ_n. C has no reals, but the polyhedra without integer tightening, which are
//! those of ℚ and so for linear constraints those of ℝ, are a relaxation that costs less: they come first. Then constraints are
//! tightened to ℤ. Machine integers, ℤ_n, are what programs compute with unless `--integers ideal` is given: each wrap is told apart into its
//! rounds ([`crate::dagger::cases`]), in all of these. A proof over the larger domain is one over the smaller: the checker asks for ℤ_n, or ℤ, in any case.
//!
//! The result is a contract for each recursive procedure and an invariant for each loop head ([`plumb_verdict::Method::Contracts`]). What polyhedra do not
//! exclude is searched for by unwinding, which also tells real errors.

pub mod step;
pub mod table;
#[cfg(test)]
mod tests;

use crate::bmc;
use crate::space::Space;
use crate::summaries::clauses::{Place, System};
use crate::summaries::proof;
use plumb_cfa::unwind::Orders;
use plumb_cfa::Program;
use plumb_num::{interruptible, Polyhedra};
use plumb_term::{Budget, Term, Var};
use plumb_verdict::{Notes, Proof, Reason, Verdict, AT_ENTRY};
use step::{dimensions, Step};
use table::{Apart, Shape, Table};

/// Attempts in turn: whether constraints are tightened to integers, and what is told apart; with the part of the remaining time.
const ATTEMPTS: [(bool, Apart, u32); 4] = [(false, Apart::No, 8), (true, Apart::No, 8), (true, Apart::Clauses, 4), (true, Apart::Calls, 3)];

/// Runs the checker; `accept` says whether a candidate is a proof.
pub fn run(
    program: &Program,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    accept: &dyn Fn(&Proof, &Budget) -> bool,
    notes: &mut Notes,
) -> Verdict {
    match prove(program, budget, progress, accept, notes) {
        Ok(Some(proof)) => Verdict::Safe(proof),
        Ok(None) => bmc::run(program, budget, progress),
        Err(reason) => Verdict::Unknown(reason),
    }
}

/// A proof by polyhedra, if they suffice for one.
pub fn prove(
    program: &Program,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    accept: &dyn Fn(&Proof, &Budget) -> bool,
    notes: &mut Notes,
) -> Result<Option<Proof>, Reason> {
    let orders = Orders::new(program);
    let system = System::new(program, &orders, budget)?;
    let steps: Vec<Step> = system.clauses.iter().map(|c| Step::new(program, &system, c)).collect();
    let shapes: Vec<Shape> = system.relations.iter().map(|r| shape(&r.place, &r.vars)).collect();
    for (integer, apart, part) in ATTEMPTS {
        let (numbers, told) = (if integer { "integer" } else { "rational" }, name(apart));
        progress(&format!("tabulation with {numbers} polyhedra, {told}"));
        let part = budget.part(part);
        let mut table = Table::new(Polyhedra { integer }, apart, &steps, &shapes, &part);
        let safe = interruptible(part.watch(), || table.tabulate());
        if let Ok(Ok(true)) = safe {
            let solution: Vec<Term> = (0..shapes.len()).map(|r| formula(&system.relations[r].vars, &table, r)).collect();
            let found = proof(&system, &solution);
            if accept(&found, &budget.part(2)) {
                notes.figure("domain", format!("{numbers} polyhedra, {told}").as_str());
                notes.figure("path and summary edges", table.size());
                return Ok(Some(found));
            }
        }
        if budget.is_over() {
            break;
        }
    }
    Ok(None)
}

fn name(apart: Apart) -> &'static str {
    match apart {
        Apart::No => "one for each relation",
        Apart::Clauses => "one for each path",
        Apart::Calls => "one for each path and known call",
    }
}

/// The dimensions of a relation.
fn shape(place: &Place, vars: &[Var]) -> Shape {
    let dims = dimensions(vars);
    let of_call = |v: &Var| matches!(place, Place::Called(_)) || v.version == AT_ENTRY;
    Shape { dims: dims.len(), call: dims.iter().enumerate().filter(|(_, (_, v))| of_call(v)).map(|(i, _)| i).collect() }
}

/// What a relation's table says, over the relation's variables.
fn formula(vars: &[Var], table: &Table<'_, Polyhedra>, relation: usize) -> Term {
    let space = Space::new(dimensions(vars).into_iter().map(|(_, v)| v));
    Term::any(table.constraints(relation).map(|cs| Term::all(cs.iter().map(|c| space.term(c)))))
}

