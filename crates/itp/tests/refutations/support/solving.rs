//! The solver on the tests' problems, and formulas asserted in it.

use super::prover::Problem;
use plumb_itp::proof::{Atom, Proof};
use plumb_itp::solver::{Answer, Budget, Config, Solver};
use plumb_itp::{proof_check, Formula, Linear, Lit, Literal, NumVar, Sort};
use plumb_num::Int;

/// What the solver says of a problem.
pub enum Verdict {
    Proof(Proof),
    Satisfiable,
    Unknown,
}

fn budget() -> Budget {
    Budget { conflicts: Some(20_000), ..Budget::unlimited() }
}

/// Decides a problem; a proof has passed the checker and has only inputs that were given.
pub fn solve(problem: &Problem) -> Verdict {
    let mut solver = Solver::new(Config::default());
    for n in problem.vocabulary.numbers() {
        match &n.application {
            None => solver.number(n.sort),
            Some((f, arguments)) => solver.apply(*f, arguments, n.sort),
        };
    }
    let mut names: Vec<Literal> = Vec::new();
    for m in problem.vocabulary.booleans() {
        names.push(match &m.atom {
            Atom::Boolean => Literal::Lit(solver.boolean()),
            Atom::LessEq(t) => solver.less_eq(t),
        });
    }
    for (part, clause) in &problem.inputs {
        solver.set_part(*part);
        let literals: Vec<Literal> =
            clause.iter().map(|l| if l.is_positive() { names[l.var().index()] } else { solver.not(names[l.var().index()]) }).collect();
        solver.add_clause(&literals);
    }
    match solver.check(&[], &budget()) {
        Answer::Unknown(_) => Verdict::Unknown,
        Answer::Sat => {
            let model = solver.model().expect("after sat there is a model");
            let holds = |l: &Lit| {
                let name = names[l.var().index()];
                model.literal(name) == l.is_positive()
            };
            assert!(problem.inputs.iter().all(|(_, c)| c.iter().any(holds)), "the model does not satisfy the clauses");
            for (i, n) in problem.vocabulary.numbers().iter().enumerate() {
                assert!(n.sort == Sort::Real || model.number(NumVar(i as u32)).is_integer(), "the model is not integer");
            }
            Verdict::Satisfiable
        }
        Answer::Unsat => {
            let mut proof = solver.refutation().expect("after unsat there is a proof");
            proof.parts = proof.parts.max(problem.parts);
            proof_check::check(&proof, &[]).unwrap_or_else(|e| panic!("{e}\n{}", plumb_itp::proof_text::write(&proof)));
            let sorted = |c: &[Lit]| {
                let mut c = c.to_vec();
                c.sort();
                c
            };
            let given: std::collections::BTreeSet<_> = problem.inputs.iter().map(|(p, c)| (*p, sorted(c))).collect();
            for (part, clause) in proof_check::inputs(&proof) {
                assert!(given.contains(&(part, sorted(clause))), "the proof uses {clause:?} of {part:?}, which was not given");
            }
            Verdict::Proof(proof)
        }
    }
}

/// Questions about formulas over numbers of given sorts; Booleans are numbered as in the problem.
pub struct Oracle {
    sorts: Vec<Sort>,
    booleans: usize,
}

impl Oracle {
    pub fn new(problem: &Problem) -> Oracle {
        Oracle { sorts: problem.vocabulary.numbers().iter().map(|n| n.sort).collect(), booleans: problem.vocabulary.booleans().len() }
    }

    /// Whether the formulas and the negation of the conclusion have no common model; the solver's proof of that is checked.
    pub fn implies(&self, premises: &[Formula], conclusion: &Formula) -> Option<bool> {
        let mut solver = Solver::new(Config::default());
        for s in &self.sorts {
            solver.number(*s);
        }
        let booleans: Vec<Lit> = (0..self.booleans).map(|_| solver.boolean()).collect();
        for p in premises {
            let l = literal(&mut solver, &booleans, p, true);
            solver.assert(l);
        }
        let l = literal(&mut solver, &booleans, conclusion, false);
        solver.assert(l);
        match solver.check(&[], &budget()) {
            Answer::Unknown(_) => None,
            Answer::Sat => Some(false),
            Answer::Unsat => {
                let proof = solver.refutation().expect("after unsat there is a proof");
                proof_check::check(&proof, &[]).unwrap_or_else(|e| panic!("{e}"));
                Some(true)
            }
        }
    }
}

/// `formula`, or its negation, as a literal.
fn literal(solver: &mut Solver, booleans: &[Lit], formula: &Formula, positive: bool) -> Literal {
    match formula {
        Formula::Constant(b) => Literal::Constant(*b == positive),
        Formula::Boolean(v, value) => {
            let l = booleans[v.index()];
            Literal::Lit(if *value == positive { l } else { !l })
        }
        Formula::LessEq(t, strict) => {
            let l = if *strict { solver.less(t) } else { solver.less_eq(t) };
            if positive {
                l
            } else {
                solver.not(l)
            }
        }
        Formula::Divides(m, t) => {
            // t = m·q + r with r = 0, or 1 ≤ r < m.
            let (q, r) = (solver.number(Sort::Int), solver.number(Sort::Int));
            let rest = t.plus(&-m, &Linear::var(q)).plus(&Int::MINUS_ONE, &Linear::var(r));
            let split = solver.equal(&rest);
            let (low, high) = if positive { (Int::ZERO, Int::ZERO) } else { (Int::ONE, m - &Int::ONE) };
            let at_least = solver.less_eq(&Linear::constant(low).plus(&Int::MINUS_ONE, &Linear::var(r)));
            let at_most = solver.less_eq(&Linear::var(r).plus(&Int::MINUS_ONE, &Linear::constant(high)));
            solver.and(&[split, at_least, at_most])
        }
        Formula::And(children) | Formula::Or(children) => {
            let literals: Vec<Literal> = children.iter().map(|c| literal(solver, booleans, c, positive)).collect();
            if matches!(formula, Formula::And(_)) == positive {
                solver.and(&literals)
            } else {
                solver.or(&literals)
            }
        }
    }
}
