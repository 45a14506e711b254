//! Exactness of joins: against all points in small boxes, zones and octagons, against PPL for polyhedra.

mod common;

use common::{to_ppl, Rng};
use plumb_num::{Boxes, Dim, LinCons, LinExpr, NumDomain, Octagons, Point, Polyhedra, Zones};
use plumb_num_oracle as ppl;

/// `0 ≤ xᵢ ≤ 4` and a few random constraints with unit coefficients.
fn small<D: NumDomain>(d: &D, rng: &mut Rng, dims: u32) -> D::Elem {
    let mut cs = Vec::new();
    for x in 0..dims {
        let (lo, width) = (rng.range(0, 4), rng.range(0, 4));
        cs.push(LinCons::ge(Dim(x).into(), lo.into()));
        cs.push(LinCons::le(Dim(x).into(), (lo + width).min(4).into()));
    }
    cs.extend((0..rng.below(3)).map(|_| rng.cons(dims as usize, 2, 1, 4, 9)));
    d.of_constraints(&cs)
}

/// Two random elements, or the two sides of a constraint in one, or two that follow each other in one dimension: the last two are often exact.
fn pair<D: NumDomain>(d: &D, rng: &mut Rng, dims: u32) -> (D::Elem, D::Elem) {
    let a = small(d, rng, dims);
    match rng.below(3) {
        0 => (a, small(d, rng, dims)),
        1 => {
            let c = rng.cons(dims as usize, 2, 1, 4, 99);
            (d.assume(&a, &c), d.assume(&a, &c.negated()))
        }
        _ => {
            let x = Dim(rng.below(dims as usize) as u32);
            let by = rng.range(1, 3);
            let b = d.assign(&a, x, &(LinExpr::var(x) + by.into()));
            (a, b)
        }
    }
}

/// Whether some integer point is in the join and in neither element, by looking at each.
fn adds_a_point<D: NumDomain>(d: &D, a: &D::Elem, b: &D::Elem, dims: u32) -> bool {
    let (join, a, b) = (d.constraints(&d.join(a, b)), d.constraints(a), d.constraints(b));
    let side = 9i64;
    (0..side.pow(dims)).any(|n| {
        let p: Point = (0..dims).map(|x| (Dim(x), (n / side.pow(x) % side - 1).into())).collect();
        let inside = |cs: &[LinCons]| cs.iter().all(|c| c.holds(&p));
        inside(&join) && !inside(&a) && !inside(&b)
    })
}

fn decides<D: NumDomain>(d: &D) {
    let (mut exact, mut other) = (0, 0);
    for seed in 0..600 {
        let mut rng = Rng(seed);
        let dims = 1 + rng.below(3) as u32;
        let (a, b) = pair(d, &mut rng, dims);
        let adds = adds_a_point(d, &a, &b, dims);
        assert_eq!(d.join_is_exact(&a, &b), !adds, "seed {seed}: {a:?} and {b:?}");
        let compared = !d.leq(&a, &b) && !d.leq(&b, &a);
        exact += usize::from(compared && !adds);
        other += usize::from(adds);
    }
    assert!(exact > 50 && other > 50, "{exact} exact, {other} not");
}

#[test]
fn exactness_is_decided_by_boxes_zones_and_octagons() {
    decides(&Boxes);
    decides(&Zones);
    decides(&Octagons);
}

/// Integer complements let polyhedra see more exact joins than there are over the rationals, and each of them is one.
#[test]
fn polyhedra_see_every_join_that_is_exact_over_the_rationals() {
    let d = Polyhedra::default();
    let session = ppl::Session::open();
    let (mut seen, mut rational) = (0, 0);
    for seed in 0..900 {
        let mut rng = Rng(seed);
        let dims = 1 + rng.below(3) as u32;
        let (a, b) = pair(&d, &mut rng, dims);
        let answer = d.join_is_exact(&a, &b);
        assert!(!answer || !adds_a_point(&d, &a, &b, dims), "seed {seed}: {a:?} and {b:?}");
        seen += usize::from(answer);
        if let Ok(session) = &session {
            let (x, y) = (to_ppl(session, dims as usize, &a), to_ppl(session, dims as usize, &b));
            let theirs = x.hull_is_exact(&y);
            assert!(answer || !theirs, "seed {seed}: {a:?} and {b:?}");
            rational += usize::from(theirs);
        }
    }
    assert!(seen > 100 && seen > rational && (session.is_err() || rational > 50), "{seen} seen, {rational} over the rationals");
}
