//! Labels of random graphs, checked at every pair of points of a grid.

use crate::cases;
use crate::support::eval::{variables, Point};
use crate::support::prover::{Answer, Problem};
use crate::support::random::Random;
use plumb_itp::interpolate::dag::{labels, Node};
use plumb_itp::interpolate::{reduce, Strength};
use plumb_itp::{proof_check, Formula, Linear, Literal, NumVar, Sort};
use plumb_num::Int;
use std::collections::BTreeSet;

/// What an edge does: constraints `t ≤ 0` over the copies of the variables at its two ends.
struct Edge {
    from: usize,
    to: usize,
    constraints: Vec<Linear>,
}

struct Graph {
    problem: Problem,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
}

fn linear(terms: &[(NumVar, i64)], c: i64) -> Linear {
    Linear::new(terms.iter().map(|&(x, a)| (x, Int::from(a))), Int::from(c))
}

/// A graph with assignments and assumptions on its edges: `x := a·x + b·y + c` or `x` unchanged, and a comparison.
fn graph(r: &mut Random) -> Graph {
    let mut problem = Problem::default();
    let (n, width) = (r.range(3, 6) as usize, r.range(1, 2) as usize);
    let nodes: Vec<Node> = (0..n)
        .map(|_| Node {
            guard: problem.vocabulary.boolean(),
            numbers: (0..width).map(|_| problem.vocabulary.number(Sort::Int)).collect(),
            booleans: Vec::new(),
        })
        .collect();
    let mut edges = Vec::new();
    for from in 0..n - 1 {
        for to in from + 1..n {
            if to == from + 1 || r.chance(35) {
                let constraints = constraints(r, &nodes[from], &nodes[to], from == 0, to == n - 1);
                edges.push(Edge { from, to, constraints });
            }
        }
    }
    encode(&mut problem, &nodes, &edges);
    Graph { problem, nodes, edges }
}

fn constraints(r: &mut Random, from: &Node, to: &Node, first: bool, last: bool) -> Vec<Linear> {
    let mut out = Vec::new();
    for (i, &x) in to.numbers.iter().enumerate() {
        let y = from.numbers[i];
        let t = if first && r.chance(80) {
            linear(&[(x, 1)], r.range(-1, 1))
        } else if r.chance(15) {
            continue;
        } else if r.chance(15) {
            linear(&[(x, 1), (y, -2)], r.range(-1, 1))
        } else {
            let other = from.numbers[r.below(from.numbers.len() as u64) as usize];
            let extra = if r.chance(25) && other != y { r.range(-1, 1) } else { 0 };
            linear(&[(x, 1), (y, -1), (other, extra)], if r.chance(60) { r.range(-1, 1) } else { 0 })
        };
        out.extend([t.clone(), t.times(&Int::MINUS_ONE)]);
    }
    if last || r.chance(40) {
        let x = from.numbers[r.below(from.numbers.len() as u64) as usize];
        let y = from.numbers[r.below(from.numbers.len() as u64) as usize];
        let second = if r.chance(40) { r.range(-1, 1) } else { 0 };
        out.push(linear(&[(x, if r.chance(50) { 1 } else { -1 }), (y, second)], r.range(0, 2)));
    }
    out
}

/// The clauses of ARGCOND.
fn encode(p: &mut Problem, nodes: &[Node], edges: &[Edge]) {
    let lit = |l: plumb_itp::Lit| Literal::Lit(l);
    p.clause(0, &[lit(nodes[0].guard.positive())]);
    for (i, node) in nodes[..nodes.len() - 1].iter().enumerate() {
        let part = i as u32;
        let mut leave = vec![lit(node.guard.negative())];
        for e in edges.iter().filter(|e| e.from == i) {
            let taken = p.vocabulary.boolean();
            leave.push(lit(taken.positive()));
            p.clause(part, &[lit(taken.negative()), lit(nodes[e.to].guard.positive())]);
            for t in &e.constraints {
                let l = p.vocabulary.less_eq(t);
                p.clause(part, &[lit(taken.negative()), l]);
            }
        }
        p.clause(part, &leave);
    }
}

/// Calls `visit` with all values of the given variables in the grid.
fn each(point: &mut Point, vars: &[NumVar], radius: i64, visit: &mut dyn FnMut(&Point)) {
    match vars.split_first() {
        None => visit(point),
        Some((x, rest)) => {
            for v in -radius..=radius {
                point.numbers[x.index()] = 2 * v;
                each(point, rest, radius, visit);
            }
        }
    }
}

fn check(graph: &Graph, found: &[Formula], what: &str) {
    assert_eq!(found[0], Formula::Constant(true), "{what}: the entry");
    assert_eq!(found.last(), Some(&Formula::Constant(false)), "{what}: the error");
    for (node, label) in graph.nodes.iter().zip(found) {
        let (mut numbers, mut booleans) = (BTreeSet::new(), BTreeSet::new());
        variables(label, &mut numbers, &mut booleans);
        assert!(numbers.iter().all(|x| node.numbers.contains(x)) && booleans.is_empty(), "{what}: {label:?} has foreign variables");
    }
    let total = graph.problem.vocabulary.numbers().len();
    for e in &graph.edges {
        let vars: Vec<NumVar> = graph.nodes[e.from].numbers.iter().chain(&graph.nodes[e.to].numbers).copied().collect();
        let mut point = Point { numbers: vec![0; total], booleans: Vec::new() };
        each(&mut point, &vars, 4, &mut |p| {
            let step = e.constraints.iter().all(|t| p.formula(&Formula::LessEq(t.clone(), false)));
            let ok = !step || !p.formula(&found[e.from]) || p.formula(&found[e.to]);
            assert!(ok, "{what}: edge {}-{} leads from {:?} out of {:?}", e.from, e.to, found[e.from], found[e.to]);
        });
    }
}

#[test]
fn labels_are_inductive() {
    let (mut refuted, mut whole, mut foreign, mut constant) = (0, 0, 0, 0);
    for seed in 0..cases(120) {
        let graph = graph(&mut Random::new(seed));
        let Answer::Proof(proof) = graph.problem.prove(1500) else { continue };
        refuted += 1;
        for (proof, name) in [(proof.clone(), "whole"), (reduce(&proof), "reduced")] {
            proof_check::check(&proof, &[]).unwrap_or_else(|e| panic!("{seed}: {e}"));
            for strength in [Strength::McMillan, Strength::Dual] {
                let found = labels(&proof, strength, &graph.nodes).unwrap();
                match found.into_iter().collect::<Result<Vec<Formula>, _>>() {
                    Ok(found) => {
                        whole += 1;
                        constant += usize::from(found.iter().all(|f| matches!(f, Formula::Constant(_))));
                        check(&graph, &found, &format!("{seed} {strength:?} {name}"));
                    }
                    Err(_) => foreign += 1,
                }
            }
        }
    }
    println!("{refuted} refuted, {whole} labelled, {constant} of them constant, {foreign} with foreign variables left");
    assert!(refuted > 20 && foreign * 50 < whole && constant * 3 < whole, "{refuted} {whole} {foreign} {constant}");
}
