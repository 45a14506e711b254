//! Families with many variables in small blocks: cost must follow the blocks, not the number of variables.
//!
//! A state of `n` variables in blocks of two, each block a triangle; then, block after block, the steps of a loop on the
//! block: guard, two assignments, join, widening.

use std::time::{Duration, Instant};

use crate::common::{add, terms};
use crate::race;
use plumb_num::{Dim, Lattice, LinCons, LinExpr, NumDomain, Polyhedra};
use plumb_num_oracle as ppl;

/// PPL has 3^blocks vertices to look at; beyond this many it is not started.
const MOST_VERTICES: u64 = 5_000;

fn var(i: usize) -> LinExpr {
    LinExpr::var(Dim(i as u32))
}

fn triangle(block: usize) -> [LinCons; 3] {
    let (x, y) = (var(2 * block), var(2 * block + 1));
    [LinCons::ge(x.clone(), 0.into()), LinCons::ge(y.clone(), x.clone()), LinCons::le(y + x, 10.into())]
}

fn with_num(vars: usize) {
    let d = Polyhedra::default();
    let blocks = vars / 2;
    let start: Vec<LinCons> = (0..blocks).flat_map(triangle).collect();
    let mut state = d.of_constraints(&start);
    for b in 0..blocks {
        let (x, y) = (Dim(2 * b as u32), Dim(2 * b as u32 + 1));
        let body = d.assume(&state, &LinCons::le(LinExpr::var(x), 3.into()));
        let body = d.assign(&body, x, &(LinExpr::var(x) + 1.into()));
        let body = d.assign(&body, y, &(LinExpr::var(y) + 2.into()));
        let joined = d.join(&state, &body);
        state = d.widen(&state, &joined);
    }
    assert!(!d.is_bottom(&state));
}

fn with_ppl(session: &ppl::Session, vars: usize) {
    let blocks = vars / 2;
    let mut state = ppl::Poly::universe(session, vars);
    (0..blocks).flat_map(triangle).for_each(|c| add(&mut state, &c));
    for b in 0..blocks {
        let (x, y) = (2 * b, 2 * b + 1);
        let mut body = state.clone();
        add(&mut body, &LinCons::le(var(x), 3.into()));
        for (v, step) in [(x, 1), (y, 2)] {
            let (t, constant) = terms(&(var(v) + LinExpr::constant(step)));
            body.assign(v, ppl::Row { terms: &t, constant });
        }
        body.hull(&state);
        body.widen_from(&state);
        state = body;
    }
    assert!(!state.is_empty());
}

pub fn run(session: &ppl::Session) {
    println!("{:>5} {:>12} {:>14} {:>14}", "vars", "num", "num per block", "PPL");
    for vars in [6, 8, 10, 12, 14, 20, 50, 100] {
        let vertices = 3u64.checked_pow(vars as u32 / 2).filter(|v| *v <= MOST_VERTICES);
        let (num, theirs) = match vertices {
            Some(_) => {
                let spent = race(2, || with_num(vars), || with_ppl(session, vars));
                (spent.num, format!("{:.2?}", spent.ppl))
            }
            None => {
                let best = (0..5).map(|_| timed(|| with_num(vars))).min().unwrap_or_default();
                (best, format!("3^{} vertices", vars / 2))
            }
        };
        println!("{vars:>5} {num:>12.2?} {:>14.2?} {theirs:>14}", num / (vars as u32 / 2));
    }
}

fn timed(f: impl FnOnce()) -> Duration {
    let start = Instant::now();
    f();
    start.elapsed()
}
