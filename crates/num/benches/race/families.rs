//! Families with many variables in small blocks: cost must follow the blocks, not the number of variables.
//!
//! A state of `n` variables in blocks of two, each block a triangle; then, block after block, the steps of a loop on the
//! block: guard, two assignments, join, widening.

use std::time::{Duration, Instant};

use crate::common::{constraints, expression};
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

/// What PPL needs for one block: guard and assignments.
struct Step<'s> {
    guard: ppl::Constraints<'s>,
    assignments: [(usize, ppl::Expression<'s>); 2],
}

struct Prepared<'s> {
    session: &'s ppl::Session,
    start: ppl::Constraints<'s>,
    steps: Vec<Step<'s>>,
}

fn prepare(session: &ppl::Session, vars: usize) -> Prepared<'_> {
    let blocks = vars / 2;
    let start: Vec<LinCons> = (0..blocks).flat_map(triangle).collect();
    let plus = |v: usize, k: i64| (v, expression(session, vars, &(var(v) + LinExpr::constant(k))));
    let step = |b: usize| Step {
        guard: constraints(session, vars, &[LinCons::le(var(2 * b), 3.into())]),
        assignments: [plus(2 * b, 1), plus(2 * b + 1, 2)],
    };
    Prepared { session, start: constraints(session, vars, &start), steps: (0..blocks).map(step).collect() }
}

fn with_ppl(p: &Prepared, vars: usize) {
    let mut state = ppl::Poly::universe(p.session, vars);
    state.add(&p.start);
    for step in &p.steps {
        let mut body = state.clone();
        body.add(&step.guard);
        step.assignments.iter().for_each(|(x, e)| body.assign(*x, e));
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
                let prepared = prepare(session, vars);
                let spent = race(5, || with_num(vars), || with_ppl(&prepared, vars));
                (spent.num, format!("{:.2?}", spent.ppl))
            }
            None => {
                let best = (0..20).map(|_| timed(|| with_num(vars))).min().unwrap_or_default();
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
