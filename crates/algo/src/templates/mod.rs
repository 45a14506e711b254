//! Invariants from templates: constraints on their coefficients instead of iteration (seed 001, Section 6.3).
//!
//! An invariant is guessed but for its coefficients: `a·x + b·y + c·n + d = 0` at each location, or a conjunction of a few such equations and
//! inequalities ([`Shape`]). That it holds at the entry, is preserved by every edge and excludes the error are implications between linear
//! constraints, for all values of the program's variables. Farkas' lemma ([`farkas`]) turns each into constraints on coefficients and
//! multipliers alone; a solution is an invariant. What the intervals know is a premise of all.
//!
//! Multipliers of template premises are 0 or ±1, so that the constraints are linear; every other multiplier is any number. Locations, edges and
//! their linear actions are those of DAGGER. Proofs are checked on the program as it is; errors are not found here.

mod farkas;

use crate::dagger::search::Model;
use crate::flat::Bounded;
use farkas::{Constraints, Kind};
use plumb_cfa::{Point, Program};
use plumb_smt::{CheckResult, Limits, OwnSolver, Solver};
use plumb_term::Budget;
use plumb_verdict::{Method, Notes, Proof, Reason, ReasonKind, Verdict};

/// What is guessed at every location: equations and inequalities.
type Shape = &'static [Kind];

/// The shapes, from few to many unknowns.
const SHAPES: &[Shape] = &[
    &[Kind::Equation],
    &[Kind::Inequality],
    &[Kind::Equation, Kind::Inequality],
    &[Kind::Inequality, Kind::Inequality],
    &[Kind::Equation, Kind::Inequality, Kind::Inequality],
    &[Kind::Equation, Kind::Equation, Kind::Inequality],
];

/// More unknowns are not tried.
const MOST_UNKNOWNS: usize = 4_000;

/// Runs the search; `accept` says whether a candidate is a proof.
pub fn run(
    program: &Program,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    accept: &dyn Fn(&Proof, &Budget) -> bool,
    notes: &mut Notes,
) -> Verdict {
    progress("preparing the control flow");
    // Bounds are not worth guessing.
    let bounded = match Bounded::new(program, budget) {
        Ok(done) => done,
        Err(reason) => return Verdict::Unknown(reason),
    };
    let model = bounded.model();
    let mut rejected = 0;
    for (i, shape) in SHAPES.iter().enumerate() {
        let shown: Vec<&str> = shape.iter().map(|k| if *k == Kind::Equation { "=" } else { "≥" }).collect();
        progress(&format!("templates {}", shown.join(" ")));
        let constraints = Constraints::new(&model, shape);
        if constraints.unknowns() > MOST_UNKNOWNS {
            break;
        }
        let part = budget.part((SHAPES.len() - i) as u32);
        if let Some(proof) = solved(&model, &constraints, &part) {
            let proof = bounded.proof(proof);
            if accept(&proof, budget) {
                notes.figure("template", shown.join(" ").as_str());
                notes.figure("unknowns", constraints.unknowns());
                return Verdict::Safe(proof);
            }
            rejected += 1;
        }
        if budget.is_over() {
            return Verdict::Unknown(Reason::new(ReasonKind::Time));
        }
    }
    let why = match rejected {
        0 => "no template has a solution that excludes the error".to_owned(),
        n => format!("{n} solutions of templates are no proofs under the exact meaning, and no other was found"),
    };
    Verdict::Unknown(Reason::new(ReasonKind::Incomplete(why)))
}

/// The invariants of a solution, if one is found in time.
fn solved(model: &Model<'_>, constraints: &Constraints, budget: &Budget) -> Option<Proof> {
    let mut solver = OwnSolver::new(&Limits::default());
    solver.set_budget(budget);
    constraints.terms().iter().for_each(|t| solver.assert(*t));
    // Small coefficients first: they generalise, and are found sooner.
    for bound in [1, 4, 64] {
        solver.push();
        constraints.bounded(bound).iter().for_each(|t| solver.assert(*t));
        match solver.check() {
            CheckResult::Sat => {
                let values = solver.model()?;
                let at = |l| Point { stack: Vec::new(), func: model.program.entry, loc: l };
                let heads = model.control.cuts.iter().filter_map(|l| Some((at(*l), constraints.solution(&model.space, *l, &values)?)));
                return Some(Proof { method: Method::Inductive, invariants: heads.collect() });
            }
            CheckResult::Unsat => {}
            CheckResult::Unknown(_) => return None,
        }
        solver.pop();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_cfa::{Integers, Semantics};
    use plumb_cfront::{load, Input, Options};
    use plumb_term::{Term, VarId};

    /// The example of Section 6.3, over the integers of the chapter: the template `ax + by + cn + d = 0` becomes `y = 2x + 1`.
    #[test]
    fn the_example_of_section_6_3() {
        let text = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
            int main(void) { int x, y, n = __VERIFIER_nondet_int(); if (n <= 0) { return 1; } x = 0; y = 1;
            while (x != n) { x = x + 1; y = y + 2; } if (y != 2 * n + 1) reach_error(); return 0; }";
        let options = Options { semantics: Semantics { integers: Integers::Ideal, ..Semantics::default() }, ..Options::default() };
        let program = load(&[Input { name: "test.c".into(), bytes: text.into() }], &options).unwrap();
        let mut notes = Notes::default();
        let verdict = run(&program, &Budget::unlimited(), &mut |_| {}, &|_, _| true, &mut notes);
        let Verdict::Safe(proof) = verdict else { panic!("{verdict:?}") };
        let v = |name: &str| program.term(VarId(program.vars.iter().position(|v| v.name == name).unwrap() as u32));
        let expected = v("y").equals(v("x").add(v("x")).add(Term::int(1)));
        let mut solver = OwnSolver::new(&Limits::default());
        assert_eq!(proof.invariants.len(), 1);
        assert!(proof.invariants.values().all(|t| solver.implies(*t, expected) == Some(true)), "{:?}", proof.invariants);
    }
}
