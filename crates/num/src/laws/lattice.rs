//! Laws of the order, of join and meet, of the element as data, and of interpolation.

use std::collections::BTreeSet;
use std::hash::BuildHasher;

use super::gen::{member, singleton, Case};
use super::{law, Claims};
use crate::domain::NumDomain;
use crate::linear::{Dim, LinCons, Point};

/// Partial order up to `==`, bounds, exactness of the extremes.
pub fn lattice<D: NumDomain>(d: &D, _: Claims, case: &mut Case) -> Result<(), String> {
    let ((a, pa), (b, pb), (c, _)) = (case.elem(d), case.elem(d), case.elem(d));
    for (e, points) in [(&a, &pa), (&b, &pb)] {
        law!(d.leq(e, e), "leq is not reflexive on {e:?}");
        law!(d.leq(&d.bottom(), e) && d.leq(e, &d.top()), "{e:?} is not between bottom and top");
        law!(d.is_bottom(e) == d.leq(e, &d.bottom()), "is_bottom disagrees with the order on {e:?}");
        law!(d.is_top(e) == d.leq(&d.top(), e), "is_top disagrees with the order on {e:?}");
        for p in points {
            law!(member(d, e, p), "{e:?} has lost {p:?}");
            law!(d.leq(&singleton(d, p), e), "the point {p:?} is not below {e:?}");
        }
        law!(points.is_empty() || !d.is_bottom(e), "an inhabited element is bottom");
    }
    law!(!d.is_bottom(&d.top()) && d.is_bottom(&d.bottom()), "bottom or top is wrong");
    let (j, m) = (d.join(&a, &b), d.meet(&a, &b));
    law!(d.leq(&a, &j) && d.leq(&b, &j), "join {j:?} is not above {a:?} and {b:?}");
    law!(d.leq(&m, &a) && d.leq(&m, &b), "meet {m:?} is not below {a:?} and {b:?}");
    law!(j == d.join(&b, &a), "join of {a:?} and {b:?} does not commute");
    law!(m == d.meet(&b, &a), "meet of {a:?} and {b:?} does not commute");
    law!(a == d.join(&a, &a) && a == d.meet(&a, &a), "join or meet is not idempotent on {a:?}");
    law!(a == d.join(&a, &d.bottom()) && a == d.meet(&a, &d.top()), "bottom or top is not neutral for {a:?}");
    for p in pa.iter().filter(|p| member(d, &b, p)).chain(pb.iter().filter(|p| member(d, &a, p))) {
        law!(member(d, &m, p), "meet of {a:?} and {b:?} has lost {p:?}");
    }
    for p in pa.iter().chain(&pb) {
        law!(member(d, &j, p), "join of {a:?} and {b:?} has lost {p:?}");
    }
    if d.leq(&a, &b) {
        law!(pa.iter().all(|p| member(d, &b, p)), "{a:?} below {b:?}, but a point is not inside");
        law!(!d.leq(&b, &a) || a == b, "{a:?} and {b:?} are below each other and not equal");
    }
    let upper = d.join(&j, &c);
    law!(d.leq(&a, &upper), "leq is not transitive through {j:?} and {upper:?}");
    let lower = d.meet(&m, &c);
    law!(d.leq(&lower, &a), "leq is not transitive through {m:?} and {lower:?}");
    if d.join_is_exact(&a, &b) {
        for _ in 0..8 {
            let p = match pa.first() {
                Some(p) => case.near(p),
                None => case.point(),
            };
            law!(!member(d, &j, &p) || member(d, &a, &p) || member(d, &b, &p), "join of {a:?} and {b:?} is not exact at {p:?}");
        }
    }
    Ok(())
}

/// The element as data: canonical form and hash, constraints, support, renaming, dimensions, sample points.
pub fn structure<D: NumDomain>(d: &D, claims: Claims, case: &mut Case) -> Result<(), String> {
    let (e, points) = case.elem(d);
    let hasher = std::hash::BuildHasherDefault::<std::hash::DefaultHasher>::default();
    let same = |a: &D::Elem, b: &D::Elem| a == b && hasher.hash_one(a) == hasher.hash_one(b);
    let cs = d.constraints(&e);
    law!(cs.iter().all(|c| d.entails(&e, c)), "{e:?} does not entail its constraints {cs:?}");
    law!(cs == d.constraints(&e.clone()), "constraints are not deterministic on {e:?}");
    if claims.linear {
        let rebuilt = d.of_constraints(&cs);
        law!(same(&rebuilt, &e), "{e:?} rebuilt from its constraints {cs:?} is {rebuilt:?}");
        let mut shuffled: Vec<LinCons> = cs;
        for i in (1..shuffled.len()).rev() {
            shuffled.swap(i, case.rng.below(i as u64 + 1) as usize);
        }
        let rebuilt = d.assume_all(&d.top(), &shuffled);
        law!(same(&rebuilt, &e), "{e:?} rebuilt in another order is {rebuilt:?}");
    }
    law!(same(&d.join(&e, &e), &e), "a join with itself changes the form of {e:?}");

    let support = d.support(&e);
    law!(support.windows(2).all(|w| w[0] < w[1]), "support {support:?} is not sorted");
    if !d.is_bottom(&e) {
        let rest: Vec<Dim> = case.dims.iter().copied().filter(|x| !support.contains(x)).collect();
        law!(same(&d.forget(&e, &rest), &e), "{e:?} changes when dimensions outside its support are forgotten");
        law!(d.is_top(&d.forget(&e, &support)), "{e:?} is not top without its support");
    }
    let turn: Vec<(Dim, Dim)> = case.dims.iter().copied().zip(case.dims.iter().copied().cycle().skip(1)).collect();
    let back: Vec<(Dim, Dim)> = turn.iter().map(|(a, b)| (*b, *a)).collect();
    let turned = d.rename(&e, &turn);
    law!(same(&d.rename(&turned, &back), &e), "renaming there and back changes {e:?}");
    let shifted: Vec<(Dim, Dim)> = case.dims.iter().map(|x| (*x, Dim(x.0 + 20))).collect();
    let moved = d.rename(&e, &shifted);
    for p in &points {
        let q: Point = turn.iter().map(|(a, b)| (*b, p[a].clone())).collect();
        law!(member(d, &turned, &q), "renaming {turn:?} of {e:?} has lost {q:?}");
        let q: Point = shifted.iter().map(|(a, b)| (*b, p[a].clone())).collect();
        law!(member(d, &moved, &q), "renaming {shifted:?} of {e:?} has lost {q:?}");
    }
    let (at, count) = (case.dim(), case.rng.range(1, 3) as u32);
    let wider = d.add_dims(&e, at, count);
    law!(same(&d.remove_dims(&wider, at, count), &e), "adding and removing dimensions at {at} changes {e:?}");
    if let Some(p) = d.sample(&e) {
        law!(member(d, &e, &p), "the sample {p:?} is not in {e:?}");
    }
    law!(d.sample(&d.bottom()).is_none(), "bottom has a sample");
    Ok(())
}

/// Interpolants of disjoint elements: entailed by the first, disjoint from the second, over common dimensions.
pub fn interpolation<D: NumDomain>(d: &D, _: Claims, case: &mut Case) -> Result<(), String> {
    let ((a, pa), (mut b, mut pb)) = (case.elem(d), case.elem(d));
    if case.rng.one_in(2) {
        // Most random pairs meet; take from `b` what lies beyond a constraint of `a`.
        let cs: Vec<LinCons> = d.constraints(&a).iter().flat_map(LinCons::negated_cases).collect();
        if !cs.is_empty() {
            let c = &cs[case.rng.below(cs.len() as u64) as usize];
            b = d.assume(&b, c);
            pb.retain(|p| c.holds(p));
        }
    }
    let Some(i) = d.interpolate(&a, &b) else { return Ok(()) };
    law!(d.is_bottom(&d.meet(&a, &b)), "{a:?} and {b:?} are not disjoint and have an interpolant");
    law!(i.iter().all(|c| d.entails(&a, c)), "{a:?} does not entail its interpolant {i:?} with {b:?}");
    law!(pa.iter().all(|p| i.iter().all(|c| c.holds(p))), "the interpolant {i:?} of {a:?} and {b:?} misses a point");
    law!(!pb.iter().any(|p| i.iter().all(|c| c.holds(p))), "the interpolant {i:?} of {a:?} and {b:?} meets the second");
    law!(d.is_bottom(&d.assume_all(&b, &i)), "the interpolant {i:?} of {a:?} does not exclude {b:?}");
    if !d.is_bottom(&a) && !d.is_bottom(&b) {
        let (sa, sb) = (d.support(&a), d.support(&b));
        let used: BTreeSet<Dim> = i.iter().flat_map(|c| c.expr().dims().collect::<Vec<_>>()).collect();
        law!(used.iter().all(|x| sa.contains(x) && sb.contains(x)), "{i:?} uses dimensions that {a:?} and {b:?} do not share");
    }
    Ok(())
}
