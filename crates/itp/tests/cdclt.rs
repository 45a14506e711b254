//! The search with a theory by enumeration: lemmas, explanations, splits, gates, scopes.

mod common;

use common::enumerate::{points, valid, Enumerate, Point};
use common::formula::{satisfiable, Variables, F};
use common::replay::replay;
use common::Rng;
use plumb_itp::{Answer, Budget, Config, Solver, Sort};

const BOUND: i64 = 3;

struct Problem {
    solver: Solver<Enumerate>,
    variables: Variables,
    points: Vec<Point>,
}

impl Problem {
    fn new(rng: &mut Rng, booleans: usize, numbers: usize) -> Problem {
        let theory = Enumerate::new(BOUND, rng.below(3), rng.chance(2), rng.next());
        let mut solver = Solver::with_theory(Config::default(), theory);
        let numbers = (0..numbers).map(|_| solver.number(Sort::Int)).collect::<Vec<_>>();
        let booleans = (0..booleans).map(|_| solver.boolean()).collect();
        let points = points(numbers.len(), BOUND);
        Problem { solver, variables: Variables { booleans, numbers }, points }
    }

    fn assert(&mut self, f: &F) {
        let literal = f.build(&mut self.solver, &self.variables);
        self.solver.assert(literal);
    }

    /// Checks the answer for these formulas, and its evidence.
    fn judge(&mut self, answer: Answer, formulas: &[F]) {
        let booleans = self.variables.booleans.len();
        match answer {
            Answer::Sat => {
                let model = self.solver.model().expect("a model");
                let values: Vec<bool> = self.variables.booleans.iter().map(|&b| model.lit(b)).collect();
                let point = self.variables.numbers.iter().map(|&x| model.number(x).to_string().parse().unwrap());
                let point: Vec<i64> = point.collect();
                assert!(self.points.contains(&point));
                for f in formulas {
                    assert!(f.holds(&values, &point), "{f:?}");
                    let literal = f.build(&mut self.solver, &self.variables);
                    // A formula that is built later may have gates that the model does not know.
                    if self.solver.model() == Some(model.clone()) {
                        assert!(model.literal(literal), "{f:?}");
                    }
                }
            }
            Answer::Unsat => {
                assert!(!satisfiable(formulas, booleans, &self.points), "{formulas:?}");
                let proof = self.solver.refutation().expect("a refutation");
                let last = replay(&proof, |_, _| true, |c| valid(&proof.booleans, c, &self.points));
                let core = self.solver.core().unwrap();
                assert!(last.len() == core.len() && last.iter().all(|l| core.contains(&!*l)));
            }
            Answer::Unknown(why) => panic!("{why:?}"),
        }
    }
}

#[test]
fn formulas_in_parts_are_decided_as_by_enumeration() {
    let mut rng = Rng::new(11);
    let mut answers = [0, 0];
    for _ in 0..1500 {
        let (booleans, numbers) = (rng.below(4), 1 + rng.below(3));
        let mut p = Problem::new(&mut rng, booleans, numbers);
        let formulas: Vec<F> = (0..1 + rng.below(7)).map(|_| F::random(&mut rng, booleans, numbers, 3)).collect();
        for f in &formulas {
            if rng.chance(2) {
                p.solver.part();
            }
            p.assert(f);
        }
        let answer = p.solver.check(&[], &Budget::unlimited());
        answers[usize::from(answer == Answer::Sat)] += 1;
        p.judge(answer, &formulas);
    }
    assert!(answers[0] > 300 && answers[1] > 300, "{answers:?}");
}

#[test]
fn scopes_and_assumptions_over_a_theory() {
    let mut rng = Rng::new(12);
    let mut answers = [0, 0];
    for _ in 0..150 {
        let (booleans, numbers) = (rng.below(4), 1 + rng.below(3));
        let mut p = Problem::new(&mut rng, booleans, numbers);
        let mut scopes: Vec<Vec<F>> = vec![Vec::new()];
        for _ in 0..20 {
            match rng.below(5) {
                0 => {
                    p.solver.push();
                    scopes.push(Vec::new());
                }
                1 if scopes.len() > 1 => {
                    p.solver.pop();
                    scopes.pop();
                }
                2 => {
                    let f = F::random(&mut rng, booleans, numbers, 3);
                    p.solver.part();
                    p.assert(&f);
                    scopes.last_mut().unwrap().push(f);
                }
                _ => {
                    let mut all = scopes.concat();
                    let mut assumptions = Vec::new();
                    for _ in 0..rng.below(3) {
                        let f = F::random(&mut rng, booleans, numbers, 2);
                        if let plumb_itp::Literal::Lit(l) = f.build(&mut p.solver, &p.variables) {
                            if !assumptions.contains(&!l) && !assumptions.contains(&l) {
                                assumptions.push(l);
                                all.push(f);
                            }
                        }
                    }
                    let answer = p.solver.check(&assumptions, &Budget::unlimited());
                    answers[usize::from(answer == Answer::Sat)] += 1;
                    p.judge(answer, &all);
                }
            }
        }
    }
    assert!(answers[0] > 100 && answers[1] > 100, "{answers:?}");
}
