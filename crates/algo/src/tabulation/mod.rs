//! The model checker for linear programs with procedures: symbolic reachability with polyhedra and procedure summaries.
//!
//! Seed 003 (Armando, Benerecetti, Mantovani, TACAS 2007, Section 3) checks its abstract programs by the tabulation of Reps, Horwitz and Sagiv (*Precise
//! Interprocedural Dataflow Analysis via Graph Reachability*, POPL 1995) on linear constraints: path edges from the entry of a procedure to its
//! locations, summary edges from its entry to its exit, used at every call, so that parameters are by value and recursion is a matter of
//! the fixpoint. Here the edges of a location or procedure are polyhedra over both ends ([`table`]), one for all of them or a few that are told apart
//! ([`Apart`]), and widening makes the number of iterations of loops and the depth of recursion irrelevant. Calls of procedures that are not recursive are
//! executed in place, which is more precise than any summary.
//!
//! **Three domains of numbers.** The seed's programs range over ℝ, ℤ or ℤ_n. C has no reals; but computing as if nothing ever wrapped around, with polyhedra
//! that are not tightened to the integers (they are those of ℚ, and for linear constraints as good as those of ℝ), is a relaxation that costs least, and comes first
//! ([`Numbers::Rational`]). Then constraints are tightened to ℤ ([`Numbers::Integer`]). Machine integers, ℤ_n, are what a program computes with unless `--integers
//! ideal` is given ([`Numbers::Machine`]): each wrap is told apart into its rounds ([`crate::dagger::cases`]). What is found over ℚ or ℤ is a candidate: the
//! checker shows it for the numbers of the program, where it holds if the bounds that were found keep arithmetic in its types.
//!
//! The result is a contract for each recursive procedure and an invariant for each loop head ([`plumb_verdict::Method::Contracts`]). What polyhedra do not
//! exclude is searched for by unwinding, which also tells real errors.

pub mod step;
pub mod table;

use crate::bmc;
use crate::houdini::Clause;
use crate::ideal::Ideal;
use crate::space::Space;
use crate::summaries::clauses::{Place, System};
use crate::summaries::proof;
use plumb_cfa::unwind::Orders;
use plumb_cfa::Program;
use plumb_num::{interruptible, Polyhedra};
use plumb_term::visit::vars;
use plumb_term::{Budget, Term, Var};
use plumb_verdict::{Facts, Notes, Proof, Reason, Verdict, AT_ENTRY};
use step::{dimensions, Step};
use table::{Apart, Shape, Table};

/// The numbers that an attempt computes with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// Rational ones that never wrap around.
    Rational,
    /// Integers that never wrap around.
    Integer,
    /// The program's own.
    Machine,
}

/// Attempts in turn, with the part of the remaining time.
const ATTEMPTS: [(Numbers, Apart, u32); 8] = [
    (Numbers::Rational, Apart::No, 10),
    (Numbers::Integer, Apart::No, 10),
    (Numbers::Integer, Apart::Clauses, 8),
    (Numbers::Integer, Apart::Uses, 8),
    (Numbers::Machine, Apart::No, 8),
    (Numbers::Machine, Apart::Clauses, 6),
    (Numbers::Machine, Apart::Uses, 5),
    (Numbers::Machine, Apart::Calls, 3),
];

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
    let shapes: Vec<Shape> = system.relations.iter().map(|r| shape(&r.place, &r.vars)).collect();
    let steps = |clauses: &[Clause]| clauses.iter().map(|c| Step::new(program, &system, c)).collect::<Vec<Step>>();
    let (exact, ideal) = (steps(&system.clauses), steps(&without_wraps(&system.clauses)));
    for (numbers, apart, part) in ATTEMPTS {
        let name = format!("{} polyhedra, {}", name(numbers), told(apart));
        progress(&format!("tabulation with {name}"));
        let (steps, integer) = match numbers {
            Numbers::Rational => (&ideal, false),
            Numbers::Integer => (&ideal, true),
            Numbers::Machine => (&exact, true),
        };
        let part = budget.part(part);
        let mut table = Table::new(Polyhedra { integer }, apart, steps, &shapes, &part);
        let safe = interruptible(part.watch(), || table.tabulate());
        if let Ok(Ok(safe)) = safe {
            let solution: Vec<Term> = (0..shapes.len()).map(|r| formula(&system.relations[r].vars, &table, r)).collect();
            let found = proof(&system, &solution);
            if safe && accept(&found, &budget.part(2)) {
                notes.figure("domain", name.as_str());
                notes.figure("path and summary edges", table.size());
                return Ok(Some(found));
            }
            // What holds at loop heads outside of recursive functions may help others.
            let plain = |t: &Term| vars([*t]).iter().all(|v| v.version == 0);
            notes.facts = Facts::new(found.invariants.into_iter().filter(|(_, t)| plain(t)).collect());
        }
        if budget.is_over() {
            break;
        }
    }
    Ok(None)
}

fn name(numbers: Numbers) -> &'static str {
    match numbers {
        Numbers::Rational => "rational",
        Numbers::Integer => "integer",
        Numbers::Machine => "machine integer",
    }
}

/// The clauses as if arithmetic never left its type.
fn without_wraps(clauses: &[Clause]) -> Vec<Clause> {
    let mut ideal = Ideal::default();
    let mut view = |ts: &[Term]| ts.iter().map(|t| ideal.term(*t)).collect::<Vec<Term>>();
    let mut of = |c: &Clause| Clause {
        body: c.body.iter().map(|(r, args)| (*r, view(args))).collect(),
        condition: view(&[c.condition])[0],
        head: c.head.as_ref().map(|(r, args)| (*r, view(args))),
    };
    clauses.iter().map(&mut of).collect()
}

fn told(apart: Apart) -> &'static str {
    match apart {
        Apart::No => "one for each relation",
        Apart::Clauses => "one for each path",
        Apart::Uses => "one for each path and those of its calls",
        Apart::Calls => "one for each path and known call",
    }
}

/// The dimensions of a relation.
fn shape(place: &Place, vars: &[Var]) -> Shape {
    let dims = dimensions(vars);
    let of_call = |v: &Var| matches!(place, Place::Called(_)) || v.version == AT_ENTRY;
    let call = dims.iter().enumerate().filter(|(_, (_, v))| of_call(v)).map(|(i, _)| i).collect();
    Shape { dims: dims.len(), call, called: matches!(place, Place::Called(_)), summary: matches!(place, Place::Returned(_)) }
}

/// What a relation's table says, over the relation's variables.
fn formula(vars: &[Var], table: &Table<'_, Polyhedra>, relation: usize) -> Term {
    let space = Space::new(dimensions(vars).into_iter().map(|(_, v)| v));
    Term::any(table.constraints(relation).map(|cs| Term::all(cs.iter().map(|c| space.term(c)))))
}
