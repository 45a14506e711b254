//! The solver over linear arithmetic: random formulas in bounded domains against enumeration, in unbounded ones by their evidence.

mod common;

use common::enumerate::{points, Point};
use common::formula::{satisfiable, Variables, F};
use common::Rng;
use plumb_itp::proof::Fun;
use plumb_itp::{proof_check, Answer, Budget, Config, Linear, Lit, Literal, NumVar, Solver, Sort, Why};
use plumb_num::{Int, Rat};

const BOUND: i64 = 3;

struct Problem {
    solver: Solver,
    variables: Variables,
}

impl Problem {
    fn new(booleans: usize, sorts: &[Sort]) -> Problem {
        let mut solver = Solver::new(Config::default());
        let numbers = sorts.iter().map(|&s| solver.number(s)).collect();
        let booleans = (0..booleans).map(|_| solver.boolean()).collect();
        Problem { solver, variables: Variables { booleans, numbers } }
    }

    fn build(&mut self, f: &F) -> Literal {
        f.build(&mut self.solver, &self.variables)
    }

    fn assert(&mut self, f: &F) {
        let literal = self.build(f);
        self.solver.assert(literal);
    }

    /// Asserts in the current part that all numbers are from 0 to `BOUND`.
    fn bound(&mut self) {
        for x in self.variables.numbers.clone() {
            let low = self.solver.less_eq(&Linear::new([(x, Int::MINUS_ONE)], Int::ZERO));
            let high = self.solver.less_eq(&Linear::new([(x, Int::ONE)], Int::from(-BOUND)));
            self.solver.assert(low);
            self.solver.assert(high);
        }
    }

    /// Checks the model, or the refutation; the answer itself is for others to judge.
    fn evidence(&self, answer: Answer, formulas: &[F], assumptions: &[Lit]) {
        match answer {
            Answer::Sat => {
                let model = self.solver.model().expect("a model");
                let values: Vec<bool> = self.variables.booleans.iter().map(|&b| model.lit(b)).collect();
                let point: Vec<Rat> = self.variables.numbers.iter().map(|&x| model.number(x)).collect();
                for (i, &x) in self.variables.numbers.iter().enumerate() {
                    let integer = self.solver.vocabulary().numbers()[x.index()].sort == Sort::Int;
                    assert!(!integer || point[i].is_integer());
                }
                for f in formulas {
                    assert!(f.holds_at(&values, &point), "{f:?} at {values:?} {point:?}");
                }
            }
            Answer::Unsat => {
                let proof = self.solver.refutation().expect("a refutation");
                proof_check::check(&proof, assumptions).unwrap_or_else(|r| panic!("{r} in {proof:?}"));
                let core = self.solver.core().unwrap();
                let last = &proof.steps.last().unwrap().clause;
                assert!(last.len() == core.len() && last.iter().all(|l| core.contains(&!*l)));
            }
            Answer::Unknown(why) => panic!("{why:?}"),
        }
    }
}

fn judge(answer: Answer, formulas: &[F], booleans: usize, points: &[Point]) {
    let expected = if satisfiable(formulas, booleans, points) { Answer::Sat } else { Answer::Unsat };
    assert_eq!(answer, expected, "{formulas:?}");
}

#[test]
fn bounded_integers_are_decided_as_by_enumeration() {
    let mut rng = Rng::new(21);
    let mut answers = [0, 0];
    for _ in 0..1500 {
        let (booleans, numbers) = (rng.below(4), 1 + rng.below(3));
        let mut p = Problem::new(booleans, &vec![Sort::Int; numbers]);
        p.bound();
        let formulas: Vec<F> = (0..1 + rng.below(7)).map(|_| F::random(&mut rng, booleans, numbers, 3)).collect();
        for f in &formulas {
            if rng.chance(2) {
                p.solver.part();
            }
            p.assert(f);
        }
        let answer = p.solver.check(&[], &Budget::unlimited());
        answers[usize::from(answer == Answer::Sat)] += 1;
        p.evidence(answer, &formulas, &[]);
        judge(answer, &formulas, booleans, &points(numbers, BOUND));
    }
    assert!(answers[0] > 300 && answers[1] > 300, "{answers:?}");
}

#[test]
fn scopes_and_assumptions() {
    let mut rng = Rng::new(22);
    let mut answers = [0, 0];
    for _ in 0..200 {
        let (booleans, numbers) = (rng.below(4), 1 + rng.below(3));
        let mut p = Problem::new(booleans, &vec![Sort::Int; numbers]);
        p.bound();
        let points = points(numbers, BOUND);
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
                    let mut assumptions: Vec<Lit> = Vec::new();
                    for _ in 0..rng.below(3) {
                        let f = F::random(&mut rng, booleans, numbers, 2);
                        if let Literal::Lit(l) = p.build(&f) {
                            if assumptions.iter().all(|a| a.var() != l.var()) {
                                assumptions.push(l);
                                all.push(f);
                            }
                        }
                    }
                    let answer = p.solver.check(&assumptions, &Budget::unlimited());
                    answers[usize::from(answer == Answer::Sat)] += 1;
                    p.evidence(answer, &all, &assumptions);
                    judge(answer, &all, booleans, &points);
                }
            }
        }
    }
    assert!(answers[0] > 200 && answers[1] > 200, "{answers:?}");
}

#[test]
fn unbounded_problems_have_evidence() {
    let mut rng = Rng::new(23);
    let (mut answers, mut unknown) = ([0, 0], 0);
    for round in 0..1000 {
        let (booleans, numbers) = (rng.below(4), 1 + rng.below(5));
        let sorts: Vec<Sort> =
            (0..numbers).map(|_| if round % 3 == 0 || round % 3 == 2 && rng.chance(2) { Sort::Real } else { Sort::Int }).collect();
        let mut p = Problem::new(booleans, &sorts);
        let formulas: Vec<F> = (0..2 + rng.below(9)).map(|_| F::random(&mut rng, booleans, numbers, 2)).collect();
        for f in &formulas {
            p.solver.part();
            p.assert(f);
        }
        let budget = Budget { conflicts: Some(10_000), ..Budget::within(plumb_term::Budget::within(std::time::Duration::from_secs(60))) };
        let answer = p.solver.check(&[], &budget);
        if let Answer::Unknown(why) = answer {
            assert_eq!(why, Why::Theory);
            unknown += 1;
            continue;
        }
        answers[usize::from(answer == Answer::Sat)] += 1;
        p.evidence(answer, &formulas, &[]);
    }
    assert!(answers[0] > 200 && answers[1] > 200 && unknown < 10, "{answers:?} {unknown}");
}

#[test]
fn functions_are_functions() {
    let mut rng = Rng::new(24);
    let mut answers = [0, 0];
    for _ in 0..400 {
        // x, y, z, f(x), f(y), f(z).
        let mut p = Problem::new(0, &[Sort::Int; 3]);
        let arguments = p.variables.numbers.clone();
        for x in arguments {
            let value: NumVar = p.solver.apply(Fun(0), &[x], Sort::Int);
            p.variables.numbers.push(value);
        }
        let formulas: Vec<F> = (0..2 + rng.below(6)).map(|_| F::random(&mut rng, 0, 6, 2)).collect();
        p.bound();
        for f in &formulas {
            p.solver.part();
            p.assert(f);
        }
        let answer = p.solver.check(&[], &Budget::unlimited());
        answers[usize::from(answer == Answer::Sat)] += 1;
        p.evidence(answer, &formulas, &[]);
        let all: Vec<Point> = points(6, BOUND);
        let functional = |q: &Point| (0..3).all(|i| (0..i).all(|j| q[i] != q[j] || q[3 + i] == q[3 + j]));
        judge(answer, &formulas, 0, &all.into_iter().filter(functional).collect::<Vec<_>>());
    }
    assert!(answers[0] > 50 && answers[1] > 50, "{answers:?}");
}

/// Rows that share their columns: making them feasible takes pivots.
#[test]
fn limits_of_work_and_time_end_a_check_of_the_theory() {
    let mut rng = Rng::new(11);
    let mut p = Problem::new(0, &[Sort::Int; 8]);
    let numbers = p.variables.numbers.clone();
    for _ in 0..8 {
        let terms: Vec<(NumVar, Int)> = numbers.iter().map(|x| (*x, Int::from(rng.below(19) as i64 - 9))).collect();
        let at_most = p.solver.less_eq(&Linear::new(terms.clone(), Int::from(-70)));
        let at_least = p.solver.less_eq(&Linear::new(terms.into_iter().map(|(x, a)| (x, -a)), Int::from(66)));
        p.solver.assert(at_most);
        p.solver.assert(at_least);
    }
    let little = Budget { work: Some(1), ..Budget::unlimited() };
    assert_eq!(p.solver.check(&[], &little), Answer::Unknown(Why::Theory));
    let none = Budget::within(plumb_term::Budget::within(std::time::Duration::ZERO));
    assert!(matches!(p.solver.check(&[], &none), Answer::Unknown(_)));
    // What was left undone is done by the next question.
    let enough = Budget::within(plumb_term::Budget::within(std::time::Duration::from_secs(60)));
    let answer = p.solver.check(&[], &enough);
    assert!(!matches!(answer, Answer::Unknown(Why::Time)), "{answer:?}");
    if answer == Answer::Sat {
        let model = p.solver.model().expect("a model");
        assert!(numbers.iter().all(|x| model.number(*x).is_integer()));
    }
}
