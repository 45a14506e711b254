//! Octagon closure: the same random octagonal constraints, closed by both libraries.

use crate::common::{constraints, Rng};
use crate::{geometric_mean, race};
use plumb_num::octagon::OctMatrix;
use plumb_num::{Dim, LinCons, LinExpr};
use plumb_num_oracle as ppl;

/// A chain through all variables (so that they are one block), bounds, and random constraints, all true at one point.
fn random(rng: &mut Rng, vars: usize) -> Vec<LinCons> {
    let at: Vec<i64> = (0..vars).map(|_| rng.range(-50, 50)).collect();
    let lit = |rng: &mut Rng, i: usize| (Dim(i as u32), if rng.below(2) == 0 { 1 } else { -1 });
    let mut pairs: Vec<(usize, usize)> = (1..vars).map(|i| (i - 1, i)).collect();
    pairs.extend((0..2 * vars).map(|_| (rng.below(vars), rng.below(vars))).filter(|(i, j)| i != j));
    pairs.extend((0..vars).filter(|i| i % 3 == 0).map(|i| (i, i)));
    let mut out = Vec::new();
    for (i, j) in pairs {
        let (a, b) = (lit(rng, i), lit(rng, j));
        let terms = if i == j { vec![a] } else { vec![a, b] };
        let value: i64 = terms.iter().map(|(d, c)| c * at[d.index()]).sum();
        out.push(LinCons::le(LinExpr::new(terms, 0), LinExpr::constant(value + rng.range(0, 20))));
    }
    out
}

pub fn run(session: &ppl::Session) -> f64 {
    println!("{:>5} {:>12} {:>12} {:>7}   (octagon closure)", "vars", "num", "PPL", "ratio");
    let mut ratios = Vec::new();
    for vars in [20, 50, 100] {
        let cs = random(&mut Rng(vars as u64), vars);
        let mine = OctMatrix::from_constraints(vars, &cs);
        let mut theirs = ppl::Octagon::universe(session, vars);
        theirs.add(&constraints(session, vars, &cs));
        // Closing is all that is timed, and the copy that has to be closed.
        let close_mine = || assert!(mine.clone().close(), "the constraints have a common point");
        let close_theirs = || assert!(!theirs.clone().close(), "the constraints have a common point");
        let spent = race(5, close_mine, close_theirs);
        println!("{vars:>5} {:>12.2?} {:>12.2?} {:>7.3}", spent.num, spent.ppl, spent.ratio());
        ratios.push(spent.ratio());
    }
    geometric_mean(&ratios)
}
