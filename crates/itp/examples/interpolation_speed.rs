//! How long interpolation takes, next to the search that made the proof: step families and unrolled loops of growing size.
//!
//! `cargo run --release -p plumb-itp --example interpolation_speed`

use plumb_itp::interpolate::dag::{labels, Node};
use plumb_itp::interpolate::{reduce, sequence, Strength};
use plumb_itp::proof::Proof;
use plumb_itp::simplify::Measure;
use plumb_itp::{proof_check, Budget, Config, Formula, Linear, Lit, Literal, NumVar, Solver, Sort};
use plumb_num::Int;
use std::time::Instant;

fn linear(terms: &[(NumVar, i64)], c: i64) -> Linear {
    Linear::new(terms.iter().map(|&(x, a)| (x, Int::from(a))), Int::from(c))
}

/// `steps` parts over `width` variables, each a choice between two increments, and a bound at the end that cannot be exceeded.
fn steps(steps: usize, width: usize) -> Option<Proof> {
    let mut s = Solver::new(Config::default());
    s.part();
    let mut now: Vec<NumVar> = (0..width).map(|_| s.number(Sort::Int)).collect();
    for &x in &now {
        let l = s.equal(&linear(&[(x, 1)], 0));
        s.assert(l);
    }
    for _ in 0..steps {
        s.part();
        let next: Vec<NumVar> = (0..width).map(|_| s.number(Sort::Int)).collect();
        for (i, (&x, &y)) in next.iter().zip(&now).enumerate() {
            let one = s.equal(&linear(&[(x, 1), (y, -1)], -1));
            let more = s.equal(&linear(&[(x, 1), (y, -1), (now[(i + 1) % width], -1)], 0));
            let cap = s.less_eq(&linear(&[(x, 1)], -1000));
            let (one, more) = (s.and(&[one, cap]), s.and(&[more, cap]));
            let l = s.or(&[one, more]);
            s.assert(l);
        }
        now = next;
    }
    s.part();
    let l = s.less_eq(&linear(&[(now[0], 1)], 1));
    s.assert(l);
    s.check(&[], &Budget::unlimited());
    s.refutation()
}

/// The unrolling of `x := y := 0; while (*) { x += 1; y += 1 or y += 2 }` with `assert(x ≤ y)`.
fn unrolled(n: usize) -> (Option<Proof>, Vec<Node>) {
    let mut s = Solver::new(Config::default());
    let nodes: Vec<(Lit, NumVar, NumVar)> = (0..n).map(|_| (s.boolean(), s.number(Sort::Int), s.number(Sort::Int))).collect();
    for i in 0..n - 1 {
        s.part();
        let (c, x, y) = nodes[i];
        let mut leave = vec![Literal::Lit(!c)];
        if i == 0 {
            s.assert(Literal::Lit(c));
        }
        let mut edge = |s: &mut Solver, to: usize, atoms: Vec<Literal>| {
            let e = s.boolean();
            leave.push(Literal::Lit(e));
            s.add_clause(&[Literal::Lit(!e), Literal::Lit(nodes[to].0)]);
            for a in atoms {
                s.add_clause(&[Literal::Lit(!e), a]);
            }
        };
        let both = |s: &mut Solver, t: &Linear| [s.less_eq(t), s.less_eq(&t.times(&Int::MINUS_ONE))];
        if i == 0 {
            let (_, x1, y1) = nodes[1];
            let start = [linear(&[(x1, 1)], 0), linear(&[(y1, 1)], 0)].iter().flat_map(|t| both(&mut s, t)).collect();
            edge(&mut s, 1, start);
        } else {
            let bad = s.less_eq(&linear(&[(y, 1), (x, -1)], 1));
            edge(&mut s, n - 1, vec![bad]);
            for by in [1, 2] {
                if i + 1 < n - 1 {
                    let (_, x1, y1) = nodes[i + 1];
                    let step = [linear(&[(x1, 1), (x, -1)], -1), linear(&[(y1, 1), (y, -1)], -by)];
                    let step = step.iter().flat_map(|t| both(&mut s, t)).collect();
                    edge(&mut s, i + 1, step);
                }
            }
        }
        s.add_clause(&leave);
    }
    s.check(&[], &Budget::unlimited());
    let nodes = nodes.iter().map(|(c, x, y)| Node { guard: c.var(), numbers: vec![*x, *y], booleans: Vec::new() }).collect();
    (s.refutation(), nodes)
}

fn atoms(found: &[Formula]) -> usize {
    found.iter().map(|f| Measure::of(f).atoms).sum()
}

fn main() {
    let seconds = |t: Instant| t.elapsed().as_secs_f64();
    for (n, width) in [(4, 2), (6, 2), (8, 2)] {
        let start = Instant::now();
        let Some(proof) = steps(n, width) else { continue };
        let search = seconds(start);
        let start = Instant::now();
        let checked = proof_check::check(&proof, &[]).is_ok();
        let checking = seconds(start);
        let start = Instant::now();
        let small = reduce(&proof);
        let reducing = seconds(start);
        let start = Instant::now();
        let found: Vec<Formula> = sequence(&proof, Strength::McMillan).into_iter().flatten().flatten().collect();
        let cutting = seconds(start);
        let start = Instant::now();
        let fewer: Vec<Formula> = sequence(&small, Strength::McMillan).into_iter().flatten().flatten().collect();
        println!(
            "steps {n}/{width}: search {search:.3}, check {checking:.3} ({checked}), reduce {reducing:.3} ({} to {} steps), sequence {cutting:.3} ({} atoms), reduced {:.3} ({} atoms)",
            proof.steps.len(), small.steps.len(), atoms(&found), seconds(start), atoms(&fewer)
        );
    }
    for n in [10, 20, 40, 80, 160] {
        let start = Instant::now();
        let (Some(proof), nodes) = unrolled(n) else { continue };
        let search = seconds(start);
        let start = Instant::now();
        let found: Vec<Formula> = labels(&proof, Strength::McMillan, &nodes, 40_000).into_iter().flatten().flatten().collect();
        println!(
            "loop {n}: search {search:.3}, labels {:.3}, {} of {} nodes, {} steps, {} atoms; middle {:?}",
            seconds(start),
            found.len(),
            nodes.len(),
            proof.steps.len(),
            atoms(&found),
            found.get(n / 2)
        );
    }
}
