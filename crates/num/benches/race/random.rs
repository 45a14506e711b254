//! Random polyhedra: each operation on polytopes around a common centre, results minimised on both sides.

use crate::common::{constraints, expression, to_ppl, Rng};
use crate::{geometric_mean, race, Spent};
use plumb_num::{Dim, Int, Lattice, LinCons, LinExpr, NumDomain, Point, Poly, Polyhedra};
use plumb_num_oracle as ppl;

/// A cone-like corner, a lid, and some random cuts: bounded, full-dimensional, with a number of vertices both libraries can hold.
fn body(rng: &mut Rng, dims: usize, cuts: usize) -> Vec<LinCons> {
    let centre: Point = (0..dims as u32).map(|x| (Dim(x), Int::from(rng.range(-3, 3)))).collect();
    let around = |e: LinExpr, slack: i64| {
        let at = e.eval(&centre) - Int::from(slack);
        LinCons::ge(e, LinExpr::constant(at))
    };
    let mut out: Vec<LinCons> = (0..dims as u32).map(|x| around(LinExpr::var(Dim(x)), 1 + i64::from(x % 3))).collect();
    out.push(around(LinExpr::new((0..dims as u32).map(|x| (Dim(x), -1)), 0), 4));
    for _ in 0..cuts {
        let slack = rng.range(0, 5);
        out.push(around(rng.expr(dims, 3, 3, 0), slack));
    }
    out
}

pub fn run(session: &ppl::Session) -> f64 {
    println!("{:>5} {:>10} {:>12} {:>12} {:>7}", "dims", "operation", "num", "PPL", "ratio");
    let mut ratios = Vec::new();
    for (dims, cuts, instances) in [(4, 6, 60), (8, 5, 20), (12, 4, 6)] {
        let mut by_op: Vec<(&str, Spent)> = Vec::new();
        for seed in 0..instances {
            for (i, (name, spent)) in instance(session, seed, dims, cuts).into_iter().enumerate() {
                match by_op.get_mut(i) {
                    Some(slot) => slot.1.add(spent),
                    None => by_op.push((name, spent)),
                }
            }
        }
        let mut total = Spent::default();
        for (name, spent) in &by_op {
            total.add(*spent);
            println!("{dims:>5} {name:>10} {:>12.2?} {:>12.2?} {:>7.3}", spent.num, spent.ppl, spent.ratio());
        }
        println!("{dims:>5} {:>10} {:>12.2?} {:>12.2?} {:>7.3}", "all", total.num, total.ppl, total.ratio());
        ratios.push(total.ratio());
    }
    geometric_mean(&ratios)
}

fn instance<'s>(session: &'s ppl::Session, seed: u64, dims: usize, cuts: usize) -> Vec<(&'static str, Spent)> {
    const ROUNDS: usize = 3;
    let d = Polyhedra::default();
    let mut rng = Rng(seed * 1000 + dims as u64);
    let (ca, cb) = (body(&mut rng, dims, cuts), body(&mut rng, dims, cuts));
    let (sa, sb) = (constraints(session, dims, &ca), constraints(session, dims, &cb));
    let build = |cs: &ppl::Constraints| {
        let mut p = ppl::Poly::universe(session, dims);
        p.add(cs);
        p.minimize();
        p
    };
    let (a, b) = (d.of_constraints(&ca), d.of_constraints(&cb));
    let (pa, pb) = (build(&sa), build(&sb));
    let hull = d.join(&a, &b);
    [&a, &b, &hull].iter().for_each(|e| e.minimize());
    let phull = {
        let mut h = pa.clone();
        h.hull(&pb);
        h.minimize();
        h
    };
    let x = rng.below(dims);
    let dim = Dim(x as u32);
    let shift = LinExpr::new([(dim, 2), (Dim(((x + 1) % dims) as u32), -1)], 3);
    let fresh = LinExpr::new([(Dim(((x + 1) % dims) as u32), 2), (Dim(((x + 2) % dims) as u32), 1)], -1);
    let guard = {
        let e = rng.expr(dims, 3, 3, 4);
        LinCons::ge(e, LinExpr::constant(0))
    };
    let sguard = constraints(session, dims, std::slice::from_ref(&guard));
    let (eshift, efresh) = (expression(session, dims, &shift), expression(session, dims, &fresh));
    let with = |p: &ppl::Poly<'s>, f: &dyn Fn(&mut ppl::Poly<'s>)| {
        let mut p = p.clone();
        f(&mut p);
        p.minimize();
        p
    };
    let contest = |name: &'static str, mine: &dyn Fn() -> Poly, theirs: &dyn Fn() -> ppl::Poly<'s>| {
        let mine = || {
            let made = mine();
            made.minimize();
            made
        };
        assert!(to_ppl(session, dims, &mine()) == theirs(), "{name}, seed {seed}, {dims} dimensions: the results differ");
        (name, race(ROUNDS, mine, theirs))
    };
    vec![
        contest("build", &|| d.of_constraints(&ca), &|| build(&sa)),
        contest("assume", &|| d.assume(&a, &guard), &|| with(&pa, &|p| p.add(&sguard))),
        contest("meet", &|| d.meet(&a, &b), &|| with(&pa, &|p| p.meet(&pb))),
        contest("hull", &|| d.join(&a, &b), &|| with(&pa, &|p| p.hull(&pb))),
        contest("widen", &|| d.widen(&a, &hull), &|| with(&phull, &|p| p.widen_from(&pa))),
        contest("shift", &|| d.assign(&a, dim, &shift), &|| with(&pa, &|p| p.assign(x, &eshift))),
        contest("assign", &|| d.assign(&a, dim, &fresh), &|| with(&pa, &|p| p.assign(x, &efresh))),
        contest("preimage", &|| d.preimage_assign(&a, dim, &fresh), &|| with(&pa, &|p| p.preimage(x, &efresh))),
        contest("forget", &|| d.forget(&a, &[dim]), &|| with(&pa, &|p| p.forget(&[x]))),
        ("leq", race(ROUNDS, || (d.leq(&a, &hull), d.leq(&hull, &a)), || (phull.contains(&pa), pa.contains(&phull)))),
    ]
}
