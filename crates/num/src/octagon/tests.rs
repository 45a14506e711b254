//! Laws and examples for octagons.

use super::*;
use crate::domain::NumDomain;
use crate::lattice::Lattice;
use crate::laws::gen::Case;
use crate::linear::{Dim, LinCons, LinExpr};
use crate::simplex::{self, Feasibility};

crate::laws!(laws, Octagons, crate::laws::Claims { adjoint: crate::laws::Adjoint::Signed, linear: true });

fn v(i: u32) -> LinExpr {
    LinExpr::var(Dim(i))
}

#[test]
fn integer_tightening_finds_emptiness_that_rationals_do_not() {
    // x + y = 1 and x - y = 0 has the rational solution (1/2, 1/2) only.
    let cs = [LinCons::eq(v(0) + v(1), 1.into()), LinCons::eq(v(0), v(1))];
    assert!(matches!(simplex::solve(&cs), Feasibility::Feasible(_)));
    assert!(Octagons.is_bottom(&Octagons.of_constraints(&cs)));
}

#[test]
fn unrelated_dimensions_stay_in_blocks_of_their_own() {
    let mut cs: Vec<LinCons> = (0..40).map(|i| LinCons::ge(v(i), 0.into())).collect();
    cs.extend((0..20).map(|i| LinCons::le(v(2 * i), v(2 * i + 1))));
    let e = Octagons.of_constraints(&cs);
    assert_eq!(e.block_sizes(), [2; 20]);
    // A bound that the unary ones imply relates nothing.
    let e = Octagons.assume(&e, &LinCons::ge(v(0) + v(39), 0.into()));
    assert_eq!(e.block_sizes(), [2; 20]);
    let e = Octagons.assume(&e, &LinCons::ge(v(0) + v(39), 1.into()));
    assert_eq!(e.block_sizes().len(), 19);
    let e = Octagons.forget(&e, &[Dim(39)]);
    assert_eq!(e.block_sizes().len(), 20);
}

#[test]
fn interpolants_of_the_paper() {
    let d = Octagons;
    let a = d.of_constraints(&[LinCons::le(v(0), v(1)), LinCons::le(v(1), 3.into())]);
    let b = d.of_constraints(&[LinCons::ge(v(0), 5.into()), LinCons::ge(v(2), 0.into())]);
    assert_eq!(d.interpolate(&a, &b), Some(vec![LinCons::le(v(0), 4.into())]));
    // The contradiction alternates between the two: no single bound separates them.
    let a = d.of_constraints(&[LinCons::le(v(0), v(1)), LinCons::le(v(2), v(3))]);
    let b = d.of_constraints(&[LinCons::le(v(1), v(2)), LinCons::lt(v(3), v(0))]);
    let i = d.interpolate(&a, &b).unwrap();
    assert!(crate::interpolate::is_interpolant(&d.constraints(&a), &d.constraints(&b), &i));
    assert_eq!(d.interpolate(&a, &a), None);
}

/// Disjoint octagons over overlapping dimensions always have an interpolant, and every constraint of `InterpolateOct` is one by itself.
#[test]
fn disjoint_octagons_have_interpolants() {
    let mut single = 0;
    for number in 0..4000 {
        let mut rng = crate::laws::gen::Rng::new(number);
        let mut elem = |from: u32| {
            let mut cs = Vec::new();
            for _ in 0..5 {
                let (x, y) = (from + rng.below(3) as u32, from + rng.below(3) as u32);
                let terms = [(Dim(x), rng.range(-1, 1)), (Dim(y), if x == y { 0 } else { rng.range(-1, 1) })];
                cs.push(LinCons::ge(LinExpr::new(terms, rng.range(-4, 2)), 0.into()));
            }
            Octagons.of_constraints(&cs)
        };
        let (a, b) = (elem(0), elem(1));
        let found = Octagons.interpolate(&a, &b);
        assert_eq!(found.is_some(), Octagons.is_bottom(&Octagons.meet(&a, &b)), "case {number}: {a:?} and {b:?}");
        let Some(i) = found.filter(|_| !a.is_bottom() && !b.is_bottom()) else { continue };
        let is = |i: &[LinCons]| {
            let common = i.iter().all(|c| c.expr().dims().all(|d| [Dim(1), Dim(2)].contains(&d)));
            common && i.iter().all(|c| Octagons.entails(&a, c)) && Octagons.is_bottom(&Octagons.assume_all(&b, i))
        };
        assert!(is(&i), "case {number}: {i:?} for {a:?} and {b:?}");
        if let Some(bounds) = super::interpolate::separating(&a, &b) {
            single += 1;
            assert!(bounds.iter().all(|c| is(std::slice::from_ref(c))), "case {number}: {bounds:?} for {a:?} and {b:?}");
        }
    }
    assert!(single > 100, "{single} separated by one bound");
}

/// Bounds of general expressions against the simplex: no smaller bound is feasible, no larger one needed.
#[test]
fn bounds_are_the_exact_optimum() {
    let mut finite = 0;
    for number in 0..1500 {
        let mut case = Case::new(number);
        let (e, _) = case.elem(&Octagons);
        let expr = case.expr() + case.expr();
        if Octagons.is_bottom(&e) {
            continue;
        }
        let bounds = Octagons.bounds(&e, &expr);
        let cs = Octagons.constraints(&e);
        let feasible = |c: LinCons| matches!(simplex::solve(&cs.iter().cloned().chain([c]).collect::<Vec<_>>()), Feasibility::Feasible(_));
        let Some(hi) = bounds.hi else { continue };
        finite += 1;
        // hi is the floor of the optimum: expr ≥ hi is feasible, expr ≥ hi + 1 is not.
        let ge = |k: crate::Int| {
            // Written with a fresh dimension, so that normalisation does not round.
            let t = LinExpr::var(Dim(50));
            [LinCons::eq(t.clone(), expr.clone()), LinCons::ge(t, LinExpr::constant(k))]
        };
        let mut with = cs.clone();
        with.extend(ge(&hi + &crate::Int::ONE));
        assert!(matches!(simplex::solve(&with), Feasibility::Infeasible(_)), "case {number}: {expr:?} on {e:?} exceeds {hi}");
        assert!(feasible(LinCons::always()));
        let mut with = cs.clone();
        with.extend(ge(hi.clone()));
        assert!(matches!(simplex::solve(&with), Feasibility::Feasible(_)), "case {number}: {expr:?} on {e:?} does not reach {hi}");
    }
    assert!(finite > 300, "{finite}");
}

#[test]
fn numbers_beyond_machine_words_are_exact() {
    let huge: crate::Int = "100000000000000000000000000000000000000000".parse().unwrap();
    let k = |n: &crate::Int| LinExpr::constant(n.clone());
    let e = Octagons.of_constraints(&[LinCons::le(v(0), k(&huge)), LinCons::le(v(1) - v(0), k(&huge))]);
    assert_eq!(Octagons.bounds(&e, &v(1)).hi, Some(&huge + &huge));
    let small = Octagons.assume(&e, &LinCons::eq(v(0), 1.into()));
    let small = Octagons.assume(&small, &LinCons::eq(v(1), 2.into()));
    assert_eq!(small, Octagons.of_constraints(&[LinCons::eq(v(0), 1.into()), LinCons::eq(v(1), 2.into())]));
}

/// Incremental and full closure agree.
#[test]
fn one_by_one_and_all_at_once_give_the_same() {
    for number in 0..3000 {
        let mut case = Case::new(number);
        let p = case.point();
        let cs: Vec<LinCons> = (0..8).map(|_| if case.rng.one_in(4) { case.cons() } else { case.cons_at(&p) }).collect();
        let octagonal: Vec<LinCons> = cs.into_iter().filter(|c| super::cons::OctCons::of_cons(c).is_some()).collect();
        let together = Octagons.of_constraints(&octagonal);
        let one_by_one = octagonal.iter().fold(Octagons.top(), |e, c| Octagons.assume(&e, c));
        assert_eq!(together, one_by_one, "case {number}: {octagonal:?}");
    }
}
