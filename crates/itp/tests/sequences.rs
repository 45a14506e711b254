//! From formulas to interpolants: random sequences of parts, refuted by the solver, cut everywhere, compared with enumeration.

mod common;

use common::enumerate::{points, value, Point};
use common::formula::{satisfiable, Variables, F};
use common::Rng;
use plumb_itp::interpolate::{sequence, Error, Strength};
use plumb_itp::{Answer, Budget, Config, Formula, Linear, Lit, NumVar, Proof, Solver, Sort};
use plumb_num::Int;

const BOUND: i64 = 2;
const NUMBERS: usize = 4;
const BOOLEANS: usize = 3;

/// Each part speaks of two neighbours among the numbers, so that some are shared; none is absurd alone.
fn part(rng: &mut Rng, points: &[Point]) -> F {
    loop {
        let first = rng.below(NUMBERS - 1);
        let f = restrict(&F::random(rng, BOOLEANS, NUMBERS, 2), first);
        if satisfiable(std::slice::from_ref(&f), BOOLEANS, points) {
            return f;
        }
    }
}

/// Leaves only the numbers `first` and `first + 1` and the Boolean `first` in a formula.
fn restrict(f: &F, first: usize) -> F {
    let only = |a: &[i64]| a.iter().enumerate().map(|(i, &a)| if i == first || i == first + 1 { a } else { 0 }).collect::<Vec<i64>>();
    let sub = |f: &F| Box::new(restrict(f, first));
    match f {
        F::Constant(b) => F::Constant(*b),
        F::Bool(_) => F::Bool(first),
        F::LessEq(a, c) => F::LessEq(only(a), *c),
        F::Less(a, c) => F::Less(only(a), *c),
        F::Equal(a, c) => F::Equal(only(a), *c),
        F::Not(f) => F::Not(sub(f)),
        F::And(fs) => F::And(fs.iter().map(|f| *sub(f)).collect()),
        F::Or(fs) => F::Or(fs.iter().map(|f| *sub(f)).collect()),
        F::Implies(f, g) => F::Implies(sub(f), sub(g)),
        F::Iff(f, g) => F::Iff(sub(f), sub(g)),
        F::Ite(c, f, g) => F::Ite(sub(c), sub(f), sub(g)),
    }
}

fn holds(f: &Formula, booleans: &[(Lit, bool)], point: &[i64]) -> bool {
    match f {
        Formula::Constant(b) => *b,
        Formula::Boolean(v, sign) => booleans.iter().find(|b| b.0.var() == *v).expect("no gate is shared").1 == *sign,
        Formula::LessEq(t, strict) => value(t, point) < i64::from(!strict),
        Formula::Divides(m, t) => value(t, point) % m.to_string().parse::<i64>().unwrap() == 0,
        Formula::And(fs) => fs.iter().all(|f| holds(f, booleans, point)),
        Formula::Or(fs) => fs.iter().any(|f| holds(f, booleans, point)),
    }
}

fn variables(f: &Formula, numbers: &mut Vec<NumVar>, booleans: &mut Vec<plumb_itp::BoolVar>) {
    match f {
        Formula::Constant(_) => {}
        Formula::Boolean(v, _) => booleans.push(*v),
        Formula::LessEq(t, _) | Formula::Divides(_, t) => numbers.extend(t.terms().iter().map(|t| t.0)),
        Formula::And(fs) | Formula::Or(fs) => fs.iter().for_each(|f| variables(f, numbers, booleans)),
    }
}

/// Every variable of an interpolant occurs before and after its cut.
fn is_shared(f: &Formula, proof: &Proof, cut: u32) -> bool {
    let (mut numbers, mut booleans) = (Vec::new(), Vec::new());
    variables(f, &mut numbers, &mut booleans);
    let both = |parts: &[plumb_itp::Part]| parts.iter().any(|p| p.0 < cut) && parts.iter().any(|p| p.0 >= cut);
    numbers.iter().all(|x| both(&proof.numbers[x.index()].parts)) && booleans.iter().all(|b| both(&proof.booleans[b.index()].parts))
}

fn bounds(s: &mut Solver, numbers: &[NumVar]) {
    for &x in numbers {
        if s.vocabulary().numbers()[x.index()].parts.contains(&s.current_part()) {
            let low = s.less_eq(&Linear::new([(x, Int::MINUS_ONE)], Int::ZERO));
            let high = s.less_eq(&Linear::new([(x, Int::ONE)], Int::from(-BOUND)));
            s.assert(low);
            s.assert(high);
        }
    }
}

#[test]
fn interpolants_of_random_sequences() {
    let mut rng = Rng::new(31);
    let all: Vec<Point> = points(NUMBERS, BOUND);
    let (mut cuts, mut mixed, mut proper) = (0, 0, 0);
    for round in 0..1500 {
        let mut s = Solver::new(Config::default());
        let numbers: Vec<NumVar> = (0..NUMBERS).map(|_| s.number(Sort::Int)).collect();
        let booleans: Vec<Lit> = (0..BOOLEANS).map(|_| s.boolean()).collect();
        let v = Variables { booleans, numbers };
        let count = 3 + rng.below(6);
        let parts: Vec<F> = (0..count).map(|_| part(&mut rng, &all)).collect();
        for f in &parts {
            s.part();
            let literal = f.build(&mut s, &v);
            s.assert(literal);
            bounds(&mut s, &v.numbers);
        }
        if s.check(&[], &Budget::unlimited()) != Answer::Unsat {
            continue;
        }
        let proof = s.refutation().unwrap();
        let strength = [Strength::McMillan, Strength::Pudlak, Strength::Dual][round % 3];
        let interpolants = sequence(&proof, strength).expect("a refutation");
        let assignments: Vec<Vec<bool>> = (0..1 << BOOLEANS).map(|b: usize| (0..BOOLEANS).map(|i| b >> i & 1 == 1).collect()).collect();
        // true, the interpolants, false: each with the next part implies the next one.
        let mut labels = vec![Some(Formula::Constant(true))];
        for (i, interpolant) in interpolants.into_iter().enumerate() {
            cuts += 1;
            match interpolant {
                Ok(f) => {
                    assert!(is_shared(&f, &proof, i as u32 + 1), "{f:?} is shared");
                    proper += usize::from(!matches!(f, Formula::Constant(_)));
                    labels.push(Some(f));
                }
                Err(e) => {
                    assert_eq!(e, Error::Mixed);
                    mixed += 1;
                    labels.push(None);
                }
            }
        }
        labels.push(Some(Formula::Constant(false)));
        assert_eq!(labels.len(), count + 1);
        for (i, f) in parts.iter().enumerate() {
            let (Some(before), Some(after)) = (&labels[i], &labels[i + 1]) else { continue };
            for a in &assignments {
                let named: Vec<(Lit, bool)> = v.booleans.iter().copied().zip(a.iter().copied()).collect();
                for p in &all {
                    let step = !holds(before, &named, p) || !f.holds(a, p) || holds(after, &named, p);
                    assert!(step, "round {round}: {before:?} and {f:?} imply {after:?} at {a:?} {p:?}");
                }
            }
        }
    }
    assert!(cuts > 1000 && proper > 200 && mixed * 50 < cuts, "{cuts} {proper} {mixed}");
}
