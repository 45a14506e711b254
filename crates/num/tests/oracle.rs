//! Every operation against the Parma Polyhedra Library, on random chains of operations.
//!
//! A pool of polyhedra is kept in both libraries; each step applies one operation to both and compares the results
//! exactly. `PLUMB_ORACLE_OPS` sets the number of operations (the default is a slice for CI; 100000 takes some minutes).

mod common;

use common::{constraints, expression, to_ppl, Rng};
use plumb_num::{Dim, Int, Lattice, LinCons, LinExpr, NumDomain, Point, Poly, Polyhedra, Rat};
use plumb_num_oracle as ppl;

struct Pair<'s> {
    mine: Poly,
    theirs: ppl::Poly<'s>,
}

fn operations() -> usize {
    std::env::var("PLUMB_ORACLE_OPS").ok().and_then(|v| v.parse().ok()).unwrap_or(6000)
}

/// One random operation on a random pair of the pool; the name is for the report.
fn step<'s>(session: &'s ppl::Session, d: &Polyhedra, rng: &mut Rng, dims: usize, pool: &[Pair<'s>], coef: i64) -> (String, Pair<'s>) {
    let (i, j) = (rng.below(pool.len()), rng.below(pool.len()));
    let (a, b) = (&pool[i], &pool[j]);
    let mut theirs = a.theirs.clone();
    let x = rng.below(dims);
    let (name, mine) = match rng.below(13) {
        12 | 0..=3 => {
            let c = rng.cons(dims, 3, coef, 2 * coef, 5);
            theirs.add(&constraints(session, dims, std::slice::from_ref(&c)));
            (format!("assume {c}"), d.assume(&a.mine, &c))
        }
        4 => {
            theirs.meet(&b.theirs);
            ("meet".into(), d.meet(&a.mine, &b.mine))
        }
        5 | 6 => {
            theirs.hull(&b.theirs);
            ("hull".into(), d.join(&a.mine, &b.mine))
        }
        7 => {
            theirs.hull(&b.theirs);
            let new = d.join(&a.mine, &b.mine);
            theirs.widen_from(&a.theirs);
            ("widen".into(), d.widen(&a.mine, &new))
        }
        8 => {
            let e = rng.expr(dims, 3, coef, coef);
            theirs.assign(x, &expression(session, dims, &e));
            (format!("x{x} := {e}"), d.assign(&a.mine, Dim(x as u32), &e))
        }
        9 => {
            let e = rng.expr(dims, 3, coef, coef);
            theirs.preimage(x, &expression(session, dims, &e));
            (format!("preimage x{x} := {e}"), d.preimage_assign(&a.mine, Dim(x as u32), &e))
        }
        10 => {
            let y = rng.below(dims);
            theirs.forget(&[x, y]);
            (format!("forget x{x}, x{y}"), d.forget(&a.mine, &[Dim(x as u32), Dim(y as u32)]))
        }
        _ => {
            let shift = rng.below(dims);
            let map: Vec<usize> = (0..dims).map(|i| (i + shift) % dims).collect();
            theirs.permute(&map);
            let named: Vec<(Dim, Dim)> = map.iter().enumerate().map(|(i, t)| (Dim(i as u32), Dim(*t as u32))).collect();
            (format!("rotate by {shift}"), d.rename(&a.mine, &named))
        }
    };
    (name, Pair { mine, theirs })
}

/// A new polyhedron: nothing known, some random constraints, or a bounded body.
fn fresh<'s>(session: &'s ppl::Session, rng: &mut Rng, dims: usize, coef: i64) -> Pair<'s> {
    let d = Polyhedra::default();
    let mut theirs = ppl::Poly::universe(session, dims);
    let style = rng.below(4);
    let mut cons = Vec::new();
    if style >= 2 {
        for x in 0..dims as u32 {
            let (lo, width) = (rng.range(-coef, coef), rng.range(0, 2 * coef));
            cons.push(LinCons::ge(LinExpr::var(Dim(x)), LinExpr::constant(lo)));
            cons.push(LinCons::le(LinExpr::var(Dim(x)), LinExpr::constant(lo + width)));
        }
    }
    if style != 0 {
        // Half-spaces around a common point, so that the body is not empty too often.
        let centre: Point = (0..dims as u32).map(|x| (Dim(x), Int::from(rng.range(-coef, coef)))).collect();
        for _ in 0..rng.below(2 * dims + 1) {
            let e = rng.expr(dims, dims.min(4), coef.min(1 << 20), 0);
            let slack = rng.range(0, 3);
            let at = e.eval(&centre) - Int::from(slack);
            cons.push(LinCons::ge(e, LinExpr::constant(at)));
        }
    }
    theirs.add(&constraints(session, dims, &cons));
    Pair { mine: d.of_constraints(&cons), theirs }
}

fn run(session: &ppl::Session, seed: u64, dims: usize, steps: usize, coef: i64) {
    let d = Polyhedra::default();
    let mut rng = Rng(seed);
    let mut pool: Vec<Pair> = (0..4).map(|_| fresh(session, &mut rng, dims, coef)).collect();
    for (k, p) in pool.iter().enumerate() {
        assert!(to_ppl(session, dims, &p.mine) == p.theirs, "seed {seed}, start {k}: {:?}", p.mine);
    }
    for n in 0..steps {
        let (mut name, mut next) = step(session, &d, &mut rng, dims, &pool, coef);
        // Every third time a few operations more without a question in between, so that they pile up.
        for _ in 0..if n % 3 == 0 { rng.below(4) } else { 0 } {
            let other = &pool[rng.below(pool.len())];
            let two = [next, Pair { mine: other.mine.clone(), theirs: other.theirs.clone() }];
            let (more, after) = step(session, &d, &mut rng, dims, &two, coef);
            name = format!("{name}; {more}");
            next = after;
        }
        let context = || format!("seed {seed}, step {n}: {name} gives {:?}", next.mine);
        assert_eq!(next.mine.is_empty(), next.theirs.is_empty(), "emptiness: {}", context());
        let mirrored = to_ppl(session, dims, &next.mine);
        assert!(mirrored == next.theirs, "result: {}", context());
        let e = rng.expr(dims, 3, coef, coef);
        if let Some((lo, hi)) = next.mine.rational_bounds(&e) {
            let text = |v: &Rat| (v.num().to_string(), v.den().to_string());
            let mine = [lo.as_ref().map(text), hi.as_ref().map(text)];
            assert_eq!(mine, next.theirs.bounds(&expression(session, dims, &e)), "bounds of {e}: {}", context());
        }
        let k = rng.below(pool.len());
        assert_eq!(d.leq(&next.mine, &pool[k].mine), pool[k].theirs.contains(&next.theirs), "inclusion: {}", context());
        assert_eq!(d.leq(&pool[k].mine, &next.mine), next.theirs.contains(&pool[k].theirs), "inclusion: {}", context());
        assert_eq!(next.mine == pool[k].mine, next.theirs == pool[k].theirs, "equality: {}", context());
        let size = next.mine.rational_constraints().map_or(0, |c| c.len());
        if next.mine.is_empty() || size > 24 || next.mine.generators().len() > 80 {
            next = fresh(session, &mut rng, dims, coef);
        }
        pool[k] = next;
    }
}

#[test]
fn agrees_with_ppl() {
    let session = match ppl::Session::open() {
        Ok(s) => s,
        Err(why) => {
            eprintln!("not compared: {why}");
            return;
        }
    };
    let chains = operations().div_ceil(25);
    for chain in 0..chains {
        run(&session, chain as u64, 1 + chain % 6, 25, if chain % 7 == 6 { 1 << 40 } else { 4 });
    }
}
