//! The solver with its theory of arithmetic on random formulas: refutations are replayed by the checker, models are evaluated, and in a small box both are compared
//! with enumeration.

mod common;

use common::enumerate::points;
use common::formula::{satisfiable, Variables, F};
use common::Rng;
use plumb_itp::linear::{Linear, NumVar};
use plumb_itp::proof::Fun;
use plumb_itp::{proof_check, Answer, Budget, Config, Solver, Sort};
use plumb_num::{Int, Rat};

/// A solver with numbers of these sorts and some Booleans.
fn solver(sorts: &[Sort], booleans: usize) -> (Solver, Variables) {
    let mut solver = Solver::new(Config::default());
    let numbers = sorts.iter().map(|s| solver.number(*s)).collect();
    let booleans = (0..booleans).map(|_| solver.boolean()).collect();
    (solver, Variables { booleans, numbers })
}

fn assert_in_parts(rng: &mut Rng, solver: &mut Solver, variables: &Variables, formulas: &[F]) {
    for f in formulas {
        if rng.chance(2) {
            solver.part();
        }
        let literal = f.build(solver, variables);
        solver.assert(literal);
    }
}

/// Whether a formula is true.
fn holds(f: &F, booleans: &[bool], numbers: &[Rat]) -> bool {
    let value = |a: &[i64], c: i64| a.iter().zip(numbers).fold(Rat::from(c), |sum, (a, x)| &sum + &(&Rat::from(*a) * x)).signum();
    let sub = |f: &F| holds(f, booleans, numbers);
    match f {
        F::Constant(b) => *b,
        F::Bool(i) => booleans[*i],
        F::LessEq(a, c) => value(a, *c) <= 0,
        F::Less(a, c) => value(a, *c) < 0,
        F::Equal(a, c) => value(a, *c) == 0,
        F::Not(f) => !sub(f),
        F::And(fs) => fs.iter().all(sub),
        F::Or(fs) => fs.iter().any(sub),
        F::Implies(f, g) => !sub(f) || sub(g),
        F::Iff(f, g) => sub(f) == sub(g),
        F::Ite(c, f, g) => sub(if sub(c) { f } else { g }),
    }
}

/// Checks the evidence of an answer.
fn judge(solver: &mut Solver, variables: &Variables, answer: Answer, formulas: &[F]) {
    match answer {
        Answer::Sat => {
            let model = solver.model().expect("a model");
            for (i, &x) in variables.numbers.iter().enumerate() {
                let is_integer = solver.vocabulary().numbers()[x.index()].sort == Sort::Int;
                assert!(!is_integer || model.number(x).is_integer(), "variable {i}");
            }
            let booleans: Vec<bool> = variables.booleans.iter().map(|&b| model.lit(b)).collect();
            let numbers: Vec<Rat> = variables.numbers.iter().map(|&x| model.number(x)).collect();
            for f in formulas {
                assert!(holds(f, &booleans, &numbers), "{f:?} is not true in the model");
            }
        }
        Answer::Unsat => {
            let proof = solver.refutation().expect("a refutation");
            proof_check::check(&proof, &[]).expect("a proof");
        }
        Answer::Unknown(_) => {}
    }
}

#[test]
fn in_a_box_as_by_enumeration() {
    let mut rng = Rng::new(21);
    let mut answers = [0, 0];
    for _ in 0..800 {
        let (booleans, numbers) = (rng.below(4), 1 + rng.below(3));
        let (mut solver, variables) = solver(&vec![Sort::Int; numbers], booleans);
        let mut formulas: Vec<F> = (0..1 + rng.below(7)).map(|_| F::random(&mut rng, booleans, numbers, 3)).collect();
        for i in 0..numbers {
            for (sign, c) in [(-1, 0), (1, -3)] {
                let mut unit = vec![0; numbers];
                unit[i] = sign;
                formulas.push(F::LessEq(unit, c));
            }
        }
        assert_in_parts(&mut rng, &mut solver, &variables, &formulas);
        let answer = solver.check(&[], &Budget::unlimited());
        let expected = satisfiable(&formulas, booleans, &points(numbers, 3));
        assert_eq!(answer, if expected { Answer::Sat } else { Answer::Unsat });
        answers[usize::from(expected)] += 1;
        judge(&mut solver, &variables, answer, &formulas);
    }
    assert!(answers[0] > 200 && answers[1] > 200, "{answers:?}");
}

#[test]
fn without_bounds_and_with_both_sorts() {
    let mut rng = Rng::new(22);
    let mut answers = [0; 3];
    for _ in 0..800 {
        let (booleans, numbers) = (rng.below(4), 2 + rng.below(4));
        let sorts: Vec<Sort> = (0..numbers).map(|_| if rng.chance(3) { Sort::Real } else { Sort::Int }).collect();
        let (mut solver, variables) = solver(&sorts, booleans);
        let formulas: Vec<F> = (0..2 + rng.below(8)).map(|_| F::random(&mut rng, booleans, numbers, 2)).collect();
        assert_in_parts(&mut rng, &mut solver, &variables, &formulas);
        let answer = solver.check(&[], &Budget::unlimited());
        answers[match answer {
            Answer::Sat => 0,
            Answer::Unsat => 1,
            Answer::Unknown(_) => 2,
        }] += 1;
        judge(&mut solver, &variables, answer, &formulas);
    }
    assert!(answers[0] > 200 && answers[1] > 100 && answers[2] < 8, "{answers:?}");
}

#[test]
fn with_functions() {
    let mut rng = Rng::new(23);
    let mut answers = [0; 3];
    for _ in 0..500 {
        let (mut solver, mut variables) = solver(&[Sort::Int; 2], 2);
        let mut applications: Vec<(Fun, Vec<NumVar>, NumVar)> = Vec::new();
        for _ in 0..2 + rng.below(3) {
            let function = Fun(rng.below(2) as u32);
            let mut argument = || variables.numbers[rng.below(variables.numbers.len())];
            let arguments = if function.0 == 0 { vec![argument()] } else { vec![argument(), argument()] };
            let x = solver.apply(function, &arguments, Sort::Int);
            if !variables.numbers.contains(&x) {
                variables.numbers.push(x);
            }
            applications.push((function, arguments, x));
        }
        let numbers = variables.numbers.len();
        let formulas: Vec<F> = (0..4 + rng.below(6)).map(|_| F::random(&mut rng, 2, numbers, 2)).collect();
        assert_in_parts(&mut rng, &mut solver, &variables, &formulas);
        let answer = solver.check(&[], &Budget::unlimited());
        answers[match answer {
            Answer::Sat => 0,
            Answer::Unsat => 1,
            Answer::Unknown(_) => 2,
        }] += 1;
        judge(&mut solver, &variables, answer, &formulas);
        if answer == Answer::Sat {
            let model = solver.model().unwrap();
            let values = |xs: &[NumVar]| xs.iter().map(|x| model.number(*x)).collect::<Vec<Rat>>();
            for (f, a, x) in &applications {
                for (g, b, y) in &applications {
                    assert!(f != g || values(a) != values(b) || model.number(*x) == model.number(*y), "not a function");
                }
            }
        }
    }
    assert!(answers[0] > 100 && answers[1] > 60 && answers[2] < 8, "{answers:?}");
}

/// One solver, many questions: what was retracted and what was learned leave no trace in the answers.
#[test]
fn questions_in_scopes() {
    let mut rng = Rng::new(24);
    for _ in 0..60 {
        let (booleans, numbers) = (2, 3);
        let (mut one, variables) = solver(&[Sort::Int; 3], booleans);
        let mut scopes: Vec<Vec<F>> = vec![Vec::new()];
        for _ in 0..25 {
            match rng.below(4) {
                0 => {
                    one.push();
                    scopes.push(Vec::new());
                }
                1 if scopes.len() > 1 => {
                    one.pop();
                    scopes.pop();
                }
                _ => {
                    let f = F::random(&mut rng, booleans, numbers, 2);
                    let literal = f.build(&mut one, &variables);
                    one.assert(literal);
                    scopes.last_mut().unwrap().push(f);
                    let answer = one.check(&[], &Budget::unlimited());
                    let all = scopes.concat();
                    judge(&mut one, &variables, answer, &all);
                    let (mut other, variables) = solver(&[Sort::Int; 3], booleans);
                    assert_in_parts(&mut rng, &mut other, &variables, &all);
                    let fresh = other.check(&[], &Budget::unlimited());
                    assert!(answer == fresh || matches!((answer, fresh), (Answer::Unknown(_), _) | (_, Answer::Unknown(_))));
                }
            }
        }
    }
}

/// Parity and divisors through Boolean structure.
#[test]
fn divisibility_under_choices() {
    let mut solver = Solver::new(Config::default());
    let x: Vec<NumVar> = (0..4).map(|_| solver.number(Sort::Int)).collect();
    let linear = |terms: &[(usize, i64)], c: i64| Linear::new(terms.iter().map(|(i, a)| (x[*i], Int::from(*a))), Int::from(c));
    // z = 2x or z = 6x + 4; z = 2y + 1 or z = 4y - 1.
    for options in
        [[linear(&[(2, 1), (0, -2)], 0), linear(&[(2, 1), (0, -6)], -4)], [linear(&[(2, 1), (1, -2)], -1), linear(&[(2, 1), (1, -4)], 1)]]
    {
        solver.part();
        let either: Vec<_> = options.iter().map(|t| solver.equal(t)).collect();
        solver.add_clause(&either);
    }
    assert_eq!(solver.check(&[], &Budget::unlimited()), Answer::Unsat);
    proof_check::check(&solver.refutation().unwrap(), &[]).unwrap();
}
