//! Laws of the transfer functions: soundness on points, and the adjunction of image and preimage.

use super::gen::{assigned, member, singleton, Case};
use super::{law, Adjoint, Claims};
use crate::domain::NumDomain;
use crate::int::Int;
use crate::linear::{Dim, LinExpr};

/// Every forward operation includes the image of every point.
pub fn transfer<D: NumDomain>(d: &D, claims: Claims, case: &mut Case) -> Result<(), String> {
    let (e, points) = case.elem(d);
    let (x, expr, c) = (case.dim(), case.expr(), case.cons());

    let assumed = d.assume(&e, &c);
    law!(d.leq(&assumed, &e), "assuming {c:?} leaves {e:?}: {assumed:?}");
    let entailed = d.entails(&e, &c);
    // A domain over the rationals may entail over the integers what still cuts off rational points.
    law!(!entailed || assumed == e || !claims.linear, "{e:?} entails {c:?}, yet assuming it gives {assumed:?}");
    let image = d.assign(&e, x, &expr);
    let forgotten = d.forget(&e, &[x]);
    law!(d.leq(&e, &forgotten), "{e:?} is not below itself without {x}");
    law!(!d.support(&forgotten).contains(&x), "{x} is still constrained in {forgotten:?}");
    let bounds = d.bounds(&e, &expr);
    law!(!d.is_bottom(&e) || bounds.is_empty(), "bottom has bounds");
    let keep: Vec<Dim> = case.dims.iter().copied().filter(|_| case.rng.one_in(2)).collect();
    let projected = d.project(&e, &keep);
    law!(d.support(&projected).iter().all(|x| keep.contains(x)), "projection of {e:?} on {keep:?} is {projected:?}");

    let parallel = case.assignments();
    let at_once = d.assign_parallel(&e, &parallel);
    let (lo, hi) = (case.rng.one_in(2).then(|| case.expr()), case.rng.one_in(2).then(|| case.expr()));
    let between = d.assign_between(&e, x, lo.as_ref(), hi.as_ref());

    for p in &points {
        law!(!c.holds(p) || member(d, &assumed, p), "assuming {c:?} in {e:?} has lost {p:?}: {assumed:?}");
        law!(c.holds(p) || !entailed, "{e:?} entails {c:?}, which {p:?} violates");
        let v = expr.eval(p);
        law!(bounds.contains(&v), "bounds of {expr:?} on {e:?} are {bounds:?}, but the value at {p:?} is {v}");
        let q = assigned(p, x, v);
        law!(member(d, &image, &q), "{x} := {expr:?} on {e:?} has lost {q:?}: {image:?}");
        let q = assigned(p, x, case.value());
        law!(member(d, &forgotten, &q), "forgetting {x} in {e:?} has lost {q:?}");
        law!(member(d, &projected, p), "projecting {e:?} on {keep:?} has lost {p:?}");
        let q = parallel.iter().fold(p.clone(), |q, (x, e)| assigned(&q, *x, e.eval(p)));
        law!(member(d, &at_once, &q), "{parallel:?} on {e:?} has lost {q:?}: {at_once:?}");
        let (l, h) = (lo.as_ref().map(|l| l.eval(p)), hi.as_ref().map(|h| h.eval(p)));
        let v = match (&l, &h) {
            (Some(l), Some(h)) if l > h => continue,
            (Some(l), _) if case.rng.one_in(2) => l.clone(),
            (_, Some(h)) => h.clone(),
            (Some(l), None) => l + &Int::from(case.rng.range(0, 5)),
            (None, None) => case.value(),
        };
        let q = assigned(p, x, v);
        law!(member(d, &between, &q), "{x} between {lo:?} and {hi:?} on {e:?} has lost {q:?}: {between:?}");
    }
    Ok(())
}

/// Preimages include every point whose image is inside, and are adjoint to images where the domain claims so.
pub fn preimage<D: NumDomain>(d: &D, claims: Claims, case: &mut Case) -> Result<(), String> {
    let (b, _) = case.elem(d);
    let (x, expr) = (case.dim(), case.expr());
    let p = case.point();
    let b_with = d.join(&b, &singleton(d, &assigned(&p, x, expr.eval(&p))));
    let pre = d.preimage_assign(&b_with, x, &expr);
    law!(member(d, &pre, &p), "the preimage of {b_with:?} under {x} := {expr:?} has lost {p:?}: {pre:?}");
    let parallel = case.assignments();
    let q = parallel.iter().fold(p.clone(), |q, (x, e)| assigned(&q, *x, e.eval(&p)));
    let b_with = d.join(&b, &singleton(d, &q));
    let pre = d.preimage_parallel(&b_with, &parallel);
    law!(member(d, &pre, &p), "the preimage of {b_with:?} under {parallel:?} has lost {p:?}: {pre:?}");
    let b_with = d.join(&b, &singleton(d, &p));
    let q = assigned(&p, x, case.value());
    law!(member(d, &d.preimage_forget(&b_with, &[x]), &q), "the preimage of {b_with:?} under {x} := * has lost {q:?}");

    let (a, _) = case.elem(d);
    let y = if claims.adjoint >= Adjoint::Copy { case.dim() } else { x };
    let c = LinExpr::constant(case.value());
    let expr = match case.rng.below(3) {
        0 if claims.adjoint >= Adjoint::Copy => c,
        1 if claims.adjoint >= Adjoint::Signed => c - LinExpr::var(y),
        _ => LinExpr::var(y) + c,
    };
    let image = d.assign(&a, x, &expr);
    let b = if case.rng.one_in(2) { d.join(&b, &image) } else { b };
    let pre = d.preimage_assign(&b, x, &expr);
    law!(d.leq(&image, &b) == d.leq(&a, &pre), "{x} := {expr:?} is not adjoint: image of {a:?} is {image:?}, preimage of {b:?} is {pre:?}");
    let forgotten = d.forget(&a, &[x]);
    law!(d.leq(&forgotten, &d.preimage_forget(&forgotten, &[x])), "{a:?} without {x} is not in its preimage");
    Ok(())
}
