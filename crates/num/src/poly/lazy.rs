//! Tests that conversion is lazy: they count how often one description is brought up to date with the other.

use super::block::Block;
use super::dd::CONVERSIONS;
use super::Poly;
use crate::linear::{Dim, LinCons, LinExpr};
use crate::{Lattice, NumDomain, Polyhedra};

const D: Polyhedra = Polyhedra { integer: false };

fn var(d: u32) -> LinExpr {
    LinExpr::var(Dim(d))
}

/// What `f` gives, and the number of conversions it takes.
fn counting<R>(f: impl FnOnce() -> R) -> (usize, R) {
    let before = CONVERSIONS.get();
    let out = f();
    (CONVERSIONS.get() - before, out)
}

fn conversions(f: impl FnOnce()) -> usize {
    counting(f).0
}

/// `0 ≤ x₀ ≤ x₁ ≤ … ≤ x₈ ≤ n`, with both descriptions: a block with ten facets, which is not small.
fn ordered(n: i64) -> Poly {
    let steps = (0..8).map(|i| LinCons::ge(var(i + 1), var(i)));
    let cons: Vec<LinCons> = steps.chain([LinCons::ge(var(0), 0.into()), LinCons::le(var(8), n.into())]).collect();
    let e = D.of_constraints(&cons);
    assert_eq!(e.generators().len(), 10);
    assert!(e.settled().unwrap().iter().all(|b| !b.is_small()));
    e
}

/// The guard `a·x₀ + x₁ ≤ k`, which cuts `ordered(100)`.
fn guard(a: i64, k: i64) -> LinCons {
    LinCons::le(var(0).scaled(&a.into()) + var(1), k.into())
}

#[test]
fn building_converts_on_the_first_question_only() {
    let cons = [LinCons::ge(var(0), 0.into()), LinCons::ge(var(1), var(0)), LinCons::le(var(1), 9.into())];
    let (n, e) = counting(|| D.of_constraints(&cons));
    assert_eq!(n, 0);
    let copy = e.clone();
    assert_eq!(conversions(|| assert!(!e.is_empty())), 1);
    assert_eq!(conversions(|| assert!(D.leq(&copy, &e) && copy == e && copy.generators().len() == 3)), 0, "clones share the result");
}

#[test]
fn a_chain_of_guards_converts_once() {
    let start = ordered(100);
    let (n, end) = counting(|| (1..30).fold(start.clone(), |e, i| D.assume(&e, &guard(i, 200 - i))));
    assert_eq!(n, 0, "guards only pile up");
    assert_eq!(conversions(|| assert!(!D.is_bottom(&end))), 1);
    // Step by step, with a question after each, gives the same.
    let stepwise = |e: Poly, i| {
        let e = D.assume(&e, &guard(i, 200 - i));
        assert!(!D.is_bottom(&e));
        e
    };
    assert_eq!((1..30).fold(start, stepwise), end);
}

#[test]
fn a_chain_of_meets_converts_once() {
    let parts: Vec<Poly> = (1..20).map(|i| D.of_constraints(&[guard(i, 200 - i)])).collect();
    parts.iter().for_each(Poly::minimize);
    let start = ordered(100);
    let (n, end) = counting(|| parts.iter().fold(start.clone(), |e, p| D.meet(&e, p)));
    assert_eq!(n, 0);
    let (n, ()) = counting(|| end.minimize());
    assert_eq!(n, 1);
    let cons: Vec<LinCons> = (1..20).map(|i| guard(i, 200 - i)).collect();
    assert_eq!(end, D.assume_all(&start, &cons));
    // Elements that wait themselves are met without converting either of them.
    let (a, b) = (D.assume(&start, &guard(2, 50)), D.assume(&start, &guard(5, 80)));
    let (n, both) = counting(|| D.meet(&a, &b));
    assert_eq!(n, 0);
    assert_eq!(both, D.assume_all(&start, &[guard(2, 50), guard(5, 80)]));
}

#[test]
fn guards_and_preimages_pile_up_together() {
    let start = ordered(100);
    let weakest = || {
        let e = D.assume(&start, &guard(3, 90));
        let e = D.preimage_assign(&e, Dim(0), &(var(0) + 1.into()));
        let e = D.assume(&e, &guard(4, 80));
        let e = D.preimage_assign(&e, Dim(1), &(var(0) + var(2) - 3.into()));
        D.preimage_assign(&e, Dim(2), &var(7))
    };
    let (n, e) = counting(weakest);
    assert_eq!(n, 0);
    let (n, ()) = counting(|| e.minimize());
    assert_eq!(n, 1);
    // By hand: substitution in the constraints from the last assignment to the first.
    let at = |c: LinCons, x: u32, by: LinExpr| LinCons::new(c.expr().substitute(Dim(x), &by), c.kind());
    let back = |c: LinCons| at(at(c, 1, var(0) + var(2) - 3.into()), 2, var(7));
    let mut cons: Vec<LinCons> = D.constraints(&start);
    cons.push(guard(3, 90));
    let mut all: Vec<LinCons> = cons.into_iter().map(|c| back(at(c, 0, var(0) + 1.into()))).collect();
    all.push(back(guard(4, 80)));
    assert_eq!(e, D.of_constraints(&all));
}

#[test]
fn invertible_assignments_move_waiting_guards() {
    let start = ordered(100);
    let (n, end) = counting(|| {
        (1..20).fold(start.clone(), |e, i| {
            let e = D.assume(&e, &guard(i, 300));
            D.assign(&e, Dim(0), &(var(1) - var(0).scaled(&2.into()) + i.into()))
        })
    });
    assert_eq!(n, 0);
    let stepwise = (1..20).fold(start, |e, i| {
        let e = D.assume(&e, &guard(i, 300));
        e.minimize();
        let e = D.assign(&e, Dim(0), &(var(1) - var(0).scaled(&2.into()) + i.into()));
        e.minimize();
        e
    });
    assert_eq!(end, stepwise);
}

/// Points that are not on one line.
fn point(i: i64) -> Poly {
    let e = D.of_constraints(&[LinCons::eq(var(0), i.into()), LinCons::eq(var(1), (i * i).into())]);
    e.minimize();
    e
}

#[test]
fn a_chain_of_joins_converts_once() {
    let start = ordered(9);
    let lines: Vec<Poly> = (0..10).map(|i: i64| D.assign(&start, Dim(1), &(var(1) + (i * i).into()))).collect();
    let (n, hull) = counting(|| lines.iter().fold(D.bottom(), |e, l| D.join(&e, l)));
    assert_eq!(n, 0, "generators only pile up");
    let question = || assert!(!D.is_bottom(&hull) && D.bounds(&hull, &var(1)).hi == Some(90.into()));
    assert_eq!(conversions(question), 0, "they suffice for bounds");
    assert_eq!(conversions(|| assert!(!D.leq(&hull, &lines[0]))), 0, "and for inclusion");
    assert_eq!(conversions(|| assert!(lines.iter().all(|l| D.leq(l, &hull)))), 1, "the other way needs constraints");
    let stepwise = lines.iter().fold(D.bottom(), |e, l| {
        let e = D.join(&e, l);
        e.minimize();
        e
    });
    assert_eq!(hull, stepwise);
}

/// `0 ≤ x₀ ≤ 9` and `-i ≤ xᵢ - x₀ ≤ i` for the other four: a block with 10 facets and 32 vertices.
fn skewed_cube() -> Poly {
    let near = |i: u32| {
        let slack = LinExpr::constant(i64::from(i));
        [LinCons::le(var(i) - var(0), slack.clone()), LinCons::ge(var(i) - var(0), -slack)]
    };
    let cons: Vec<LinCons> = (1..5).flat_map(near).chain([LinCons::ge(var(0), 0.into()), LinCons::le(var(0), 9.into())]).collect();
    let e = D.of_constraints(&cons);
    assert_eq!(e.generators().len(), 32);
    e
}

#[test]
fn joins_and_assignments_do_not_convert_back_and_forth() {
    let start = skewed_cube();
    let images = |e: &Poly, i: i64| {
        let a = D.assign(e, Dim(0), &(var(0) + var(1) - i.into()));
        let b = D.forget(&D.rename(e, &[(Dim(2), Dim(7))]), &[Dim(7)]);
        let b = D.assign(&b, Dim(2), &(var(1) - var(0)));
        (a, D.assign(&b, Dim(3), &(var(0).scaled(&2.into()) + i.into())))
    };
    let (n, end) = counting(|| {
        let (a, b) = images(&start, 1);
        images(&D.join(&a, &b), 2).1
    });
    assert_eq!(n, 0);
    assert_eq!(conversions(|| end.minimize()), 1);
    let eager = {
        let (a, b) = images(&start, 1);
        [&a, &b].iter().for_each(|e| e.minimize());
        let hull = D.join(&a, &b);
        hull.minimize();
        images(&hull, 2).1
    };
    assert_eq!(end, eager);
}

#[test]
fn a_long_chain_of_assignments_converts_once() {
    let start = skewed_cube();
    let chain = |e: Poly, i: u32| D.assign(&e, Dim(1 + i % 4), &(var(0) + var(1 + (i + 1) % 4) - i64::from(i).into()));
    let (n, end) = counting(|| (0..12).fold(start.clone(), chain));
    assert_eq!(n, 0);
    assert_eq!(conversions(|| end.minimize()), 1);
    let stepwise = (0..12).fold(start, |e, i| {
        let e = chain(e, i);
        e.minimize();
        e
    });
    assert_eq!(end, stepwise);
}

#[test]
fn projection_waits_for_a_question_about_constraints() {
    let start = skewed_cube();
    let (n, e) = counting(|| D.forget(&start, &[Dim(0)]));
    assert_eq!(n, 0);
    let (n, hi) = counting(|| D.bounds(&e, &(var(2) - var(1))).hi);
    assert_eq!((n, hi), (0, Some(3.into())), "generators suffice");
    let rows = |i: u32| (1..5).filter(move |j| *j != i).map(move |j| LinCons::le(var(i) - var(j), i64::from(i + j).into()));
    let ends = |i: u32| [LinCons::ge(var(i), (-i64::from(i)).into()), LinCons::le(var(i), i64::from(9 + i).into())];
    let expected = D.of_constraints(&(1..5).flat_map(|i| rows(i).chain(ends(i)).collect::<Vec<_>>()).collect::<Vec<_>>());
    expected.minimize();
    assert_eq!(conversions(|| assert_eq!(e, expected)), 1);
    // A dimension that an equality defines goes without any conversion.
    let defined = D.assign(&start, Dim(5), &(var(0) + var(2)));
    defined.minimize();
    assert_eq!(conversions(|| D.forget(&defined, &[Dim(5)]).minimize()), 0);
}

#[test]
fn points_join_to_their_hull() {
    let hull = (0..8).fold(D.bottom(), |e, i| D.join(&e, &point(i)));
    assert_eq!(hull.generators().len(), 8);
    assert_eq!(D.bounds(&hull, &(var(1) - var(0).scaled(&7.into()))).hi, Some(0.into()));
}

#[test]
fn long_chains_stay_small() {
    let start = ordered(1000);
    let end = (1..500).fold(start, |e, i| D.assume(&e, &guard(1, 2000 - i)));
    assert_eq!(D.bounds(&end, &(var(0) + var(1))).hi, Some(1501.into()));
    let hull = (0..600).fold(D.bottom(), |e, i| D.join(&e, &point(i % 40)));
    assert_eq!(hull.generators().len(), 40);
}

/// `0 ≤ x ≤ y ≤ n` and `0 ≤ z ≤ m`.
fn stage(n: i64, m: i64) -> Poly {
    let cons = [
        LinCons::ge(var(0), 0.into()),
        LinCons::ge(var(1), var(0)),
        LinCons::le(var(1), n.into()),
        LinCons::ge(var(2), 0.into()),
        LinCons::le(var(2), m.into()),
    ];
    D.of_constraints(&cons)
}

fn converted(e: &Poly) -> Vec<bool> {
    e.settled().unwrap().iter().map(Block::is_converted).collect()
}

#[test]
fn a_widening_is_converted_on_first_need_and_once() {
    let wide = D.widen(&stage(1, 1), &stage(2, 2));
    let copy = wide.clone();
    assert_eq!(converted(&wide), [false, false]);
    assert_eq!(wide.partition(), [vec![Dim(0), Dim(1)], vec![Dim(2)]]);
    assert!(D.leq(&stage(7, 9), &wide));
    let rows = wide.rational_constraints();
    let expected = [LinCons::ge(var(0), 0.into()), LinCons::ge(var(1), var(0)), LinCons::ge(var(2), 0.into())];
    assert_eq!(wide, D.of_constraints(&expected));
    assert_eq!(converted(&wide), [false, false], "constraints suffice");
    assert!(!D.leq(&wide, &stage(7, 9)));
    assert_eq!(converted(&copy), [true, false], "only the block that was asked for");
    assert_eq!(wide.generators().len(), 4);
    assert_eq!(converted(&copy), [true, true]);
    assert_eq!(wide.rational_constraints(), rows, "they were minimal before");
}

#[test]
fn a_widening_that_is_the_new_element_keeps_its_blocks() {
    let origin = D.of_constraints(&[LinCons::eq(var(0), 0.into()), LinCons::eq(var(1), 0.into())]);
    let cone = D.of_constraints(&[LinCons::ge(var(0), 0.into()), LinCons::ge(var(1), var(0))]);
    let wide = D.widen(&origin, &cone);
    assert_eq!(wide.settled().unwrap().len(), 1);
    assert!(wide.settled().unwrap().differences(cone.settled().unwrap()).0.is_empty());
}

#[test]
fn many_factors_on_the_right_of_a_meet_are_not_multiplied() {
    let cube: Vec<LinCons> = (0..40).flat_map(|i| [LinCons::ge(var(i), 0.into()), LinCons::le(var(i), 1.into())]).collect();
    // The left side is one block with 41 vertices; the product of the blocks of the right side has 2⁴⁰.
    let sum = (1..40).fold(var(0), |s, i| s + var(i));
    let corner: Vec<LinCons> = (0..40).map(|i| LinCons::ge(var(i), 0.into())).chain([LinCons::le(sum, 1.into())]).collect();
    let simplex = D.of_constraints(&corner);
    assert_eq!(D.meet(&simplex, &D.of_constraints(&cube)), simplex);
}

#[test]
fn factors_are_cut_before_the_next_one_is_multiplied() {
    // A cube of 30 dimensions, one after the other made equal to the first: never more than four vertices at a time.
    let cube: Vec<LinCons> = (0..30).flat_map(|i| [LinCons::ge(var(i), 0.into()), LinCons::le(var(i), 1.into())]).collect();
    let cube = D.of_constraints(&cube);
    cube.minimize();
    let (n, diagonal) = counting(|| (1..30).fold(cube, |e, i| D.assume(&e, &LinCons::eq(var(0), var(i)))));
    assert_eq!(n, 0);
    assert_eq!(diagonal.generators().len(), 2);
}
