//! Conjunctions over the integers.

use super::rationals::constraint;
use super::*;
use proptest::prelude::*;

fn decide(constraints: &[Constraint], vars: usize) -> Answer {
    let (mut vocabulary, numbers) = variables(&vec![Sort::Int; vars]);
    match literals(&mut vocabulary, &numbers, constraints) {
        Some(lits) => Driver::new(vocabulary).decide(&lits),
        None => Answer::Unsat,
    }
}

fn le(terms: &[i64], constant: i64) -> Constraint {
    Constraint { terms: terms.to_vec(), constant, strict: false }
}

/// `Σ terms + constant = 0`.
fn eq(terms: &[i64], constant: i64) -> [Constraint; 2] {
    let negated: Vec<i64> = terms.iter().map(|a| -a).collect();
    [le(terms, constant), le(&negated, -constant)]
}

fn holds_at(c: &Constraint, point: &[i64]) -> bool {
    let sum = c.terms.iter().zip(point).map(|(a, x)| a * x).sum::<i64>() + c.constant;
    sum < 0 || !c.strict && sum == 0
}

fn in_box(constraints: &[Constraint], vars: usize, radius: i64) -> bool {
    let mut point = vec![-radius; vars];
    loop {
        if constraints.iter().all(|c| holds_at(c, &point)) {
            return true;
        }
        let Some(i) = point.iter().position(|x| *x < radius) else { return false };
        point[i] += 1;
        point[..i].fill(-radius);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn random_boxes(cs in prop::collection::vec(constraint(3, 6, 12), 1..7), equations in prop::collection::vec((prop::collection::vec(-6i64..=6, 3), -12i64..=12), 0..3)) {
        let mut cs = cs;
        cs.extend(equations.iter().flat_map(|(a, c)| eq(a, *c)));
        for i in 0..3 {
            let mut unit = vec![0; 3];
            unit[i] = 1;
            cs.push(le(&unit, -5));
            unit[i] = -1;
            cs.push(le(&unit, -5));
        }
        let expected = if in_box(&cs, 3, 5) { Answer::Sat } else { Answer::Unsat };
        prop_assert_eq!(decide(&cs, 3), expected);
    }

    /// Without a box there may be no answer, but not a wrong one; what has a solution nearby is found.
    #[test]
    fn random_without_bounds(cs in prop::collection::vec(constraint(3, 5, 12), 1..6)) {
        let answer = decide(&cs, 3);
        if in_box(&cs, 3, 4) {
            prop_assert_ne!(answer, Answer::Unsat);
        }
    }

    /// Integers and rationals in one atom.
    #[test]
    fn mixed_sorts_have_models(cs in prop::collection::vec(constraint(4, 4, 9), 1..7)) {
        let mut cs = cs;
        for i in [0, 2] {
            let mut unit = vec![0; 4];
            unit[i] = 1;
            cs.push(le(&unit, -3));
            unit[i] = -1;
            cs.push(le(&unit, -3));
        }
        let (mut vocabulary, numbers) = variables(&[Sort::Int, Sort::Real, Sort::Int, Sort::Real]);
        let answer = match literals(&mut vocabulary, &numbers, &cs) {
            Some(lits) => Driver::new(vocabulary).decide(&lits),
            None => Answer::Unsat,
        };
        if in_box(&cs, 4, 2) {
            prop_assert_eq!(answer, Answer::Sat);
        }
    }
}

#[test]
fn parity() {
    // 2x - 2y = 1 is excluded by rounding; z = 2x, z = 2y + 1 by divisibility, without any bounds.
    assert_eq!(decide(&eq(&[2, -2], -1), 2), Answer::Unsat);
    let mut cs = eq(&[2, 0, -1], 0).to_vec();
    cs.extend(eq(&[0, 2, -1], 1));
    assert_eq!(decide(&cs, 3), Answer::Unsat);
    // A chain of copies between.
    let n = 12;
    let unit = |entries: &[(usize, i64)]| {
        let mut terms = vec![0; n];
        for (i, a) in entries {
            terms[*i] = *a;
        }
        terms
    };
    let mut cs: Vec<Constraint> = (2..n - 1).flat_map(|i| eq(&unit(&[(i, 1), (i + 1, -1)]), -2)).collect();
    cs.extend(eq(&unit(&[(0, 2), (2, -1)]), 0));
    let mut odd = cs.clone();
    odd.extend(eq(&unit(&[(1, 2), (n - 1, -1)]), 1));
    assert_eq!(decide(&odd, n), Answer::Unsat);
    let mut even = cs;
    even.extend(eq(&unit(&[(1, 2), (n - 1, -1)]), 4));
    assert_eq!(decide(&even, n), Answer::Sat);
}

#[test]
fn common_divisors() {
    // 3x + 6y + z = 0 with 1 ≤ z ≤ 2 has no solution, and no variable but z has a bound.
    let mut cs = eq(&[3, 6, 1], 0).to_vec();
    cs.extend([le(&[0, 0, -1], 1), le(&[0, 0, 1], -2)]);
    assert_eq!(decide(&cs, 3), Answer::Unsat);
    cs[3].constant = -3;
    assert_eq!(decide(&cs, 3), Answer::Sat);
}

#[test]
fn systems_of_congruences() {
    // x ≡ 2 (3), x ≡ 3 (5), x ≡ 2 (7): 23 modulo 105; x ≡ 1 (6) and x ≡ 2 (4) exclude each other.
    let mut cs: Vec<Constraint> = [eq(&[1, -3, 0, 0], -2), eq(&[1, 0, -5, 0], -3), eq(&[1, 0, 0, -7], -2)].concat();
    cs.push(le(&[-1, 0, 0, 0], 0));
    cs.push(le(&[1, 0, 0, 0], -22));
    assert_eq!(decide(&cs, 4), Answer::Unsat);
    cs[7].constant = -23;
    assert_eq!(decide(&cs, 4), Answer::Sat);
    assert_eq!(decide(&[eq(&[1, -6, 0], -1), eq(&[1, 0, -4], -2)].concat(), 3), Answer::Unsat);
    assert_eq!(decide(&[eq(&[1, -6, 0], -1), eq(&[1, 0, -4], -3)].concat(), 3), Answer::Sat);
}

#[test]
fn large_coefficients() {
    let big = 1_000_000_000_000;
    // big·x = y, (big+1)·z = y; then y = 5 modulo 6, but big is even.
    let mut cs: Vec<Constraint> = [eq(&[big, 0, -1, 0], 0), eq(&[0, big + 1, -1, 0], 0)].concat();
    assert_eq!(decide(&cs, 4), Answer::Sat);
    cs.extend(eq(&[0, 0, 1, -6], -5));
    assert_eq!(decide(&cs, 4), Answer::Unsat);
}
