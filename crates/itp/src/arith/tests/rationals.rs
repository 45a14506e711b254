//! Conjunctions over the rationals.

use super::*;
use plumb_num::simplex::{solve, Feasibility};
use plumb_num::{Dim, LinCons, LinExpr};
use proptest::prelude::*;

pub(super) fn constraint(vars: usize, coefficient: i64, constant: i64) -> impl Strategy<Value = Constraint> {
    (prop::collection::vec(prop_oneof![2 => Just(0), 3 => -coefficient..=coefficient], vars), -constant..=constant, any::<bool>())
        .prop_map(|(terms, constant, strict)| Constraint { terms, constant, strict })
}

/// Whether a conjunction has a rational solution: with `t` and `e` positive and scaled, `Σ aᵢ·xᵢ + c·t + e ≤ 0` for strict ones.
fn feasible(constraints: &[Constraint], vars: usize) -> bool {
    let (t, e) = (Dim(vars as u32), Dim(vars as u32 + 1));
    let mut cs = vec![LinCons::ge(LinExpr::var(t), 1.into()), LinCons::ge(LinExpr::var(e), 1.into())];
    for c in constraints {
        let terms = c.terms.iter().enumerate().map(|(i, a)| (Dim(i as u32), *a)).chain([(t, c.constant), (e, i64::from(c.strict))]);
        cs.push(LinCons::le(LinExpr::new(terms, 0), 0.into()));
    }
    matches!(solve(&cs), Feasibility::Feasible(_))
}

fn agrees(constraints: &[Constraint], vars: usize) {
    let (mut vocabulary, numbers) = variables(&vec![Sort::Real; vars]);
    let expected = feasible(constraints, vars);
    let Some(lits) = literals(&mut vocabulary, &numbers, constraints) else {
        assert!(!expected);
        return;
    };
    let answer = Driver::new(vocabulary).decide(&lits);
    assert_eq!(answer, if expected { Answer::Sat } else { Answer::Unsat });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn random_conjunctions(cs in prop::collection::vec(constraint(4, 5, 20), 1..12)) {
        agrees(&cs, 4);
    }

    #[test]
    fn random_conjunctions_with_large_coefficients(cs in prop::collection::vec(constraint(3, 1_000_000_000_000, 1_000_000_000_000_000), 1..8)) {
        agrees(&cs, 3);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn wide_conjunctions(cs in prop::collection::vec(constraint(9, 3, 9), 8..24)) {
        agrees(&cs, 9);
    }
}

#[test]
fn strict_chains() {
    for n in [2usize, 5, 40] {
        let chain: Vec<Constraint> = (0..n)
            .map(|i| {
                let mut terms = vec![0; n + 1];
                (terms[i], terms[i + 1]) = (1, -1);
                Constraint { terms, constant: 0, strict: true }
            })
            .collect();
        let mut ends = vec![0; n + 1];
        (ends[n], ends[0]) = (1, -1);
        for (constant, expected) in [(0, Answer::Unsat), (-1, Answer::Sat)] {
            let mut all = chain.clone();
            all.push(Constraint { terms: ends.clone(), constant, strict: false });
            let (mut vocabulary, numbers) = variables(&vec![Sort::Real; n + 1]);
            let lits = literals(&mut vocabulary, &numbers, &all).unwrap();
            assert_eq!(Driver::new(vocabulary).decide(&lits), expected);
        }
    }
}

#[test]
fn coefficients_beyond_words() {
    // x ≤ 10^30·y, y ≤ 10^-30·z, x > z.
    let (mut vocabulary, v) = variables(&[Sort::Real; 3]);
    let big: Int = "1000000000000000000000000000000".parse().unwrap();
    let a = vocabulary.less_eq(&Linear::new([(v[0], Int::ONE), (v[1], -&big)], Int::ZERO));
    let b = vocabulary.less_eq(&Linear::new([(v[1], big.clone()), (v[2], Int::MINUS_ONE)], Int::ZERO));
    let c = vocabulary.less(&Linear::new([(v[2], Int::ONE), (v[0], Int::MINUS_ONE)], Int::ZERO));
    let d = vocabulary.less_eq(&Linear::new([(v[0], Int::ONE)], -big));
    let lits: Vec<Lit> = [a, b, c, d].into_iter().map(|l| if let Literal::Lit(l) = l { l } else { panic!() }).collect();
    let mut driver = Driver::new(vocabulary);
    assert_eq!(driver.decide(&lits[..2]), Answer::Sat);
    assert_eq!(driver.decide(&lits[..3]), Answer::Unsat);
    assert_eq!(driver.decide(&[lits[0], !lits[2], !lits[3]]), Answer::Sat);
}
