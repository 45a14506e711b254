//! Uninterpreted functions.

use super::*;
use crate::proof::Fun;

fn lit(l: Literal) -> Lit {
    match l {
        Literal::Lit(l) => l,
        Literal::Constant(_) => panic!("a constant"),
    }
}

fn at_most(v: &mut Vocabulary, a: NumVar, b: NumVar, c: i64) -> Lit {
    lit(v.less_eq(&linear(&[a, b], &[1, -1], -c)))
}

#[test]
fn equal_arguments_have_equal_values() {
    for sort in [Sort::Int, Sort::Real] {
        let (mut v, x) = variables(&[sort; 3]);
        let f = Fun(0);
        let (fx, fy) = (v.apply(f, &[x[0], x[2]], sort), v.apply(f, &[x[1], x[2]], sort));
        let equal = [at_most(&mut v, x[0], x[1], 0), at_most(&mut v, x[1], x[0], 0)];
        let results = at_most(&mut v, fx, fy, 0);
        let apart = at_most(&mut v, x[0], x[1], -1);
        let mut driver = Driver::new(v);
        assert_eq!(driver.decide(&[equal[0], equal[1], !results]), Answer::Unsat);
        assert_eq!(driver.decide(&[equal[0], equal[1], results]), Answer::Sat);
        assert_eq!(driver.decide(&[equal[0], !results]), Answer::Sat);
        assert_eq!(driver.decide(&[apart, !results]), Answer::Sat);
        assert_eq!(driver.decide(&[equal[0], !equal[0]]), Answer::Unsat);
    }
}

#[test]
fn cycles_of_applications() {
    // f³(x) = x and f²(x) = x imply f(x) = x.
    let (mut v, x) = variables(&[Sort::Int]);
    let f = Fun(7);
    let mut powers = vec![x[0]];
    for i in 0..3 {
        let next = v.apply(f, &[powers[i]], Sort::Int);
        powers.push(next);
    }
    let mut lits = Vec::new();
    for k in [2, 3] {
        lits.push(at_most(&mut v, powers[k], x[0], 0));
        lits.push(at_most(&mut v, x[0], powers[k], 0));
    }
    let less = at_most(&mut v, powers[1], x[0], -1);
    let more = at_most(&mut v, x[0], powers[1], -1);
    let mut driver = Driver::new(v);
    assert_eq!(driver.decide(&[&lits[..], &[less]].concat()), Answer::Unsat);
    assert_eq!(driver.decide(&[&lits[..], &[more]].concat()), Answer::Unsat);
    assert_eq!(driver.decide(&lits), Answer::Sat);
    assert_eq!(driver.decide(&[&lits[..2], &[more]].concat()), Answer::Sat);
}

#[test]
fn pigeons_by_functions() {
    // 0 ≤ xᵢ ≤ 1 and f(xᵢ) pairwise different for three of them has no solution; for two it has.
    for (n, expected) in [(2, Answer::Sat), (3, Answer::Unsat)] {
        let (mut v, x) = variables(&vec![Sort::Int; n]);
        let mut lits = Vec::new();
        let values: Vec<NumVar> = x.iter().map(|x| v.apply(Fun(0), &[*x], Sort::Int)).collect();
        for (i, a) in x.iter().enumerate() {
            lits.push(lit(v.less_eq(&linear(&[*a], &[1], -1))));
            lits.push(lit(v.less_eq(&linear(&[*a], &[-1], 0))));
            if i > 0 {
                lits.push(at_most(&mut v, values[i - 1], values[i], -1));
            }
        }
        assert_eq!(Driver::new(v).decide(&lits), expected);
    }
}
