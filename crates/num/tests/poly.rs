//! Polyhedra: what the laws and the oracle do not cover.

use plumb_num::interpolate::{self, is_interpolant};
use plumb_num::{Dim, Int, Interval, Lattice, LinCons, LinExpr, NumDomain, Poly, Polyhedra, Rat};
use proptest::prelude::*;

fn v(i: u32) -> LinExpr {
    LinExpr::var(Dim(i))
}

fn k(n: i64) -> LinExpr {
    LinExpr::constant(n)
}

const D: Polyhedra = Polyhedra { integer: false };

#[test]
fn blocks_are_the_finest_product() {
    let mut cs = Vec::new();
    for i in 0..50 {
        cs.push(LinCons::ge(v(2 * i), v(2 * i + 1)));
        cs.push(LinCons::ge(v(2 * i + 1), k(i64::from(i))));
    }
    let e = D.of_constraints(&cs);
    assert_eq!(e.partition().len(), 50);
    assert_eq!(D.constraints(&e).len(), 100);
    // Relating two blocks merges them, forgetting the link takes them apart again.
    let linked = D.assume(&e, &LinCons::ge(v(0), v(2)));
    assert_eq!(linked.partition().len(), 49);
    let apart = D.forget(&linked, &[Dim(0)]);
    assert_eq!(apart.partition()[..2], [vec![Dim(1)], vec![Dim(2), Dim(3)]]);
    // Fixing a value splits a block.
    let fixed = D.assume(&e, &LinCons::eq(v(1), k(7)));
    assert_eq!(fixed.partition()[..2], [vec![Dim(0)], vec![Dim(1)]]);
}

#[test]
fn numbers_grow_beyond_words_and_come_back() {
    let huge = Int::from(i64::MAX) * Int::from(i64::MAX);
    let e = D.of_constraints(&[
        LinCons::eq(v(0).scaled(&Int::from(3)), v(1) + LinExpr::constant(huge.clone())),
        LinCons::ge(v(1), k(0)),
        LinCons::le(v(1), k(5)),
    ]);
    let third = Rat::new(huge.clone(), Int::from(3));
    assert_eq!(e.rational_bounds(&v(0)).and_then(|b| b.0), Some(third));
    let small = D.assign(&e, Dim(0), &(v(0).scaled(&Int::from(3)) - LinExpr::constant(huge)));
    assert_eq!(small, D.of_constraints(&[LinCons::eq(v(0), v(1)), LinCons::ge(v(1), k(0)), LinCons::le(v(1), k(5))]));
}

#[test]
fn integer_tightening_cuts_fractions() {
    // 2x = y + z and y = z + 1 forces an odd sum: rational points only.
    let cs = [LinCons::eq(v(0).scaled(&Int::from(2)), v(1) + v(2)), LinCons::eq(v(1), v(2) + k(1))];
    let e = D.of_constraints(&cs);
    assert!(!D.is_bottom(&e) && D.is_bottom(&Polyhedra::integer().of_constraints(&cs)));
    // 3x = y with 1 <= y <= 8: the shadow on x ends at 8/3.
    let cs = [LinCons::eq(v(0).scaled(&Int::from(3)), v(1)), LinCons::ge(v(1), k(1)), LinCons::le(v(1), k(8))];
    let shadow = D.forget(&D.of_constraints(&cs), &[Dim(1)]);
    assert_eq!(shadow.rational_bounds(&v(0)).and_then(|b| b.1), Some(Rat::new(8.into(), 3.into())));
    assert!(D.entails(&shadow, &LinCons::le(v(0), k(2))), "entailment is over the integers");
    assert_eq!(D.tighten(&shadow, 3), D.of_constraints(&[LinCons::ge(v(0), k(1)), LinCons::le(v(0), k(2))]));
    assert_eq!(D.bounds(&shadow, &v(0)), Interval::new(1, 2));
}

#[test]
fn exact_joins_are_recognised() {
    let range = |lo, hi| D.of_constraints(&[LinCons::ge(v(0), k(lo)), LinCons::le(v(0), k(hi))]);
    assert!(D.join_is_exact(&range(0, 3), &range(2, 6)));
    assert!(D.join_is_exact(&range(0, 3), &range(4, 6)), "nothing lies between 3 and 4");
    assert!(!D.join_is_exact(&range(0, 3), &range(5, 6)));
    let corner = D.of_constraints(&[LinCons::eq(v(0), k(1)), LinCons::eq(v(1), k(1))]);
    assert!(!D.join_is_exact(&D.of_constraints(&[LinCons::eq(v(0), k(0)), LinCons::eq(v(1), k(2))]), &D.assign(&corner, Dim(0), &k(2))));
}

#[test]
fn disequalities_cut_at_the_border_only() {
    let e = D.of_constraints(&[LinCons::ge(v(0), k(0)), LinCons::le(v(0), k(9))]);
    assert_eq!(D.bounds(&D.assume(&e, &LinCons::ne(v(0), k(0))), &v(0)).lo, Some(Int::ONE));
    assert_eq!(D.assume(&e, &LinCons::ne(v(0), k(4))), e);
    let point = D.assume(&e, &LinCons::eq(v(0), k(4)));
    assert!(D.is_bottom(&D.assume(&point, &LinCons::ne(v(0), k(4)))));
}

#[test]
fn widening_up_to_and_narrowing() {
    let old = D.of_constraints(&[LinCons::eq(v(0), k(0))]);
    let new = D.of_constraints(&[LinCons::ge(v(0), k(0)), LinCons::le(v(0), k(1))]);
    let limit = LinCons::le(v(0), k(10));
    assert_eq!(D.widen(&old, &new), D.of_constraints(&[LinCons::ge(v(0), k(0))]));
    let bounded = D.of_constraints(&[LinCons::ge(v(0), k(0)), limit.clone()]);
    assert_eq!(D.widen_up_to(&old, &new, &[limit, LinCons::le(v(0), k(-1))]), bounded);
    let wide = D.widen(&old, &new);
    assert_eq!(D.narrow(&wide, &bounded), bounded);
    assert_eq!(D.narrow(&bounded, &new), bounded, "a bound that is there is not improved");
}

/// A polyhedron around a random point, so that it is not empty.
fn body(dims: std::ops::Range<u32>) -> impl Strategy<Value = Poly> {
    let n = (dims.end - dims.start) as usize;
    let cons = (proptest::collection::vec(-3i64..4, n), 0i64..5);
    (proptest::collection::vec(cons, 1..6), proptest::collection::vec(-6i64..7, n)).prop_map(move |(rows, centre)| {
        let cs: Vec<LinCons> = rows
            .iter()
            .map(|(coefs, slack)| {
                let at: i64 = coefs.iter().zip(&centre).map(|(a, b)| a * b).sum();
                LinCons::ge(LinExpr::new(dims.clone().map(Dim).zip(coefs.iter().copied()), slack - at), k(0))
            })
            .collect();
        D.of_constraints(&cs)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn interpolants_are_checked(a in body(0..3), b in body(1..4)) {
        let (ca, cb) = (D.constraints(&a), D.constraints(&b));
        let disjoint = D.is_bottom(&D.meet(&a, &b));
        prop_assert_eq!(D.interpolate(&a, &b).is_some(), disjoint);
        prop_assert_eq!(interpolate::farkas(&ca, &cb).is_some(), disjoint);
        if disjoint {
            let farkas = interpolate::farkas(&ca, &cb).into_iter().collect::<Vec<_>>();
            let two = interpolate::poly2(&D, &a, &b).unwrap_or_default();
            let both = D.interpolate(&a, &b).unwrap_or_default();
            for i in [farkas, two, both] {
                prop_assert!(is_interpolant(&ca, &cb, &i), "{i:?} for {a:?} and {b:?}");
            }
            for i in interpolate::poly1(&D, &a, &b).into_iter().flatten() {
                prop_assert!(is_interpolant(&ca, &cb, &[i]));
            }
        }
    }

    #[test]
    fn samples_are_points(a in body(0..3)) {
        let p = D.sample(&a);
        prop_assert!(p.is_some(), "the centre is an integer point of {a:?}");
        let p = p.unwrap_or_default();
        prop_assert!(D.constraints(&a).iter().all(|c| c.holds(&p)));
    }

    #[test]
    fn generators_satisfy_the_constraints_and_span_the_polyhedron(a in body(0..3), coefs in proptest::collection::vec(-5i64..6, 3)) {
        use plumb_num::GeneratorKind::{Line, Point, Ray};
        // Every expression is as large on the generators as on the polyhedron. A dimension without constraints has its line unlisted.
        let used = D.support(&a);
        let e = LinExpr::new((0..3).map(Dim).zip(coefs).filter(|t| used.contains(&t.0)), 1);
        let along = |g: &plumb_num::Generator| g.coords.iter().fold(Int::ZERO, |s, (d, c)| s + &e.coeff(*d) * c);
        let endless = |g: &plumb_num::Generator| match g.kind {
            Point => false,
            Ray => along(g).is_positive(),
            Line => !along(g).is_zero(),
        };
        let value = |g: &plumb_num::Generator| &Rat::new(along(g), g.divisor.clone()) + &Rat::ONE;
        let largest = a.generators().iter().filter(|g| g.kind == Point).map(value).max();
        let sup = if a.generators().iter().any(endless) { None } else { largest };
        prop_assert_eq!(a.rational_bounds(&e).and_then(|b| b.1), sup, "{} on {:?}", e, a);
        for g in a.generators() {
            for (e, kind) in a.rational_constraints().unwrap_or_default() {
                let k = if g.kind == Point { e.constant_part() * &g.divisor } else { Int::ZERO };
                let s = g.coords.iter().fold(k, |s, (d, c)| s + &e.coeff(*d) * c);
                let ok = match (g.kind, kind) {
                    (Line, _) | (_, plumb_num::ConsKind::Eq) => s.is_zero(),
                    (Point | Ray, _) => !s.is_negative(),
                };
                prop_assert!(ok, "{g:?} against {e}");
            }
        }
    }
}
