//! Chains of steps: how the engines grow.
//!
//! At each step the first variable grows by an input and one more; each other one takes what its neighbour had, plus the input. None ever
//! exceeds the first.

use crate::{heat, show};
use plumb_smt::interpolate::{Dag, Edge, Interpolator, NodeId};
use plumb_term::{Term, Var, VarId, VarTy};

const SIZES: [(usize, usize); 4] = [(10, 3), (30, 3), (60, 4), (120, 5)];

/// A chain.
pub fn chain(steps: usize, vars: usize) -> Dag {
    let var = |i: usize, at: usize| Var { id: VarId(i as u32), version: at as u32 + 1, ty: VarTy::Int };
    let term = |i: usize, at: usize| Term::var(var(i, at));
    let mut nodes: Vec<Vec<Var>> = vec![Vec::new()];
    nodes.extend((1..=steps + 1).map(|n| (0..vars).map(|i| var(i, n)).collect()));
    nodes.push(Vec::new());
    let edge = |from: usize, formula: Term| Edge { from: NodeId(from), to: NodeId(from + 1), formula };
    let mut edges = vec![edge(0, Term::all((0..vars).map(|i| term(i, 1).equals(Term::int(0)))))];
    for n in 1..=steps {
        let input = Term::var(Var { id: VarId(vars as u32), version: n as u32, ty: VarTy::Int });
        let some = Term::any([0, 1, 3].map(|k| input.equals(Term::int(k))));
        let mut parts = vec![some, term(0, n + 1).equals(term(0, n).add(input).plus(1))];
        for i in 1..vars {
            parts.push(term(i, n + 1).equals(term(i - 1, n).add(input)));
        }
        edges.push(edge(n, Term::all(parts)));
    }
    edges.push(edge(steps + 1, term(0, steps + 1).less(term(vars - 1, steps + 1))));
    Dag::new(nodes, edges).unwrap_or_else(|e| unreachable!("own copies: {e}"))
}

/// Runs the family.
pub fn run(engines: &mut [Box<dyn Interpolator>]) {
    let names: Vec<String> = engines.iter().map(|e| format!("{:>12}", e.name())).collect();
    println!("{:>12} {:>12} {}", "steps/vars", "check", names.join(" "));
    for (steps, vars) in SIZES {
        let h = heat(engines, &chain(steps, vars));
        let times: Vec<String> = h.runs.iter().map(|r| format!("{:>12}", show(r.time))).collect();
        println!("{:>12} {:>12} {}", format!("{steps}/{vars}"), show(h.check), times.join(" "));
    }
}
