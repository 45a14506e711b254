//! Random graphs with assignments and assumptions on their edges, as the clauses of ARGCOND.

use super::prover::Problem;
use super::random::Random;
use plumb_itp::interpolate::dag::Node;
use plumb_itp::{BoolVar, Formula, Linear, Lit, Literal, NumVar, Sort};
use plumb_num::Int;

/// A literal of an edge.
#[derive(Clone)]
pub enum Item {
    /// `t ≤ 0`.
    LessEq(Linear),
    /// A Boolean or its negation.
    Boolean(BoolVar, bool),
}

/// What an edge does: clauses over the copies of the variables at its two ends.
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub clauses: Vec<Vec<Item>>,
}

impl Edge {
    pub fn formula(&self) -> Formula {
        let item = |i: &Item| match i {
            Item::LessEq(t) => Formula::LessEq(t.clone(), false),
            Item::Boolean(v, value) => Formula::Boolean(*v, *value),
        };
        Formula::And(self.clauses.iter().map(|c| Formula::Or(c.iter().map(item).collect())).collect())
    }
}

/// A problem with its graph.
pub struct Graph {
    pub problem: Problem,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
}

/// What graphs look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// Few nodes and integers.
    Small,
    /// More nodes, integers and Booleans, larger coefficients.
    Middle,
    /// Rationals.
    Reals,
    /// The same step again and again, with branches: an unrolled loop.
    Loops,
}

fn linear(terms: &[(NumVar, i64)], c: i64) -> Linear {
    Linear::new(terms.iter().map(|&(x, a)| (x, Int::from(a))), Int::from(c))
}

fn equal(t: Linear) -> [Vec<Item>; 2] {
    [vec![Item::LessEq(t.clone())], vec![Item::LessEq(t.times(&Int::MINUS_ONE))]]
}

/// A random graph.
pub fn graph(r: &mut Random, size: Size) -> Graph {
    let mut problem = Problem::default();
    let (n, width, flags) = match size {
        Size::Small => (r.range(3, 6), r.range(1, 2), 0),
        Size::Middle => (r.range(4, 10), r.range(1, 3), r.range(0, 2)),
        Size::Reals => (r.range(3, 7), r.range(1, 3), r.range(0, 1)),
        Size::Loops => (r.range(6, 16), r.range(2, 3), 0),
    };
    let sort = if size == Size::Reals { Sort::Real } else { Sort::Int };
    let nodes: Vec<Node> = (0..n)
        .map(|_| Node {
            guard: problem.vocabulary.boolean(),
            numbers: (0..width).map(|_| problem.vocabulary.number(sort)).collect(),
            booleans: (0..flags).map(|_| problem.vocabulary.boolean()).collect(),
        })
        .collect();
    let edges = if size == Size::Loops { loops(r, &nodes) } else { random_edges(r, &nodes, size) };
    encode(&mut problem, &nodes, &edges);
    Graph { problem, nodes, edges }
}

fn random_edges(r: &mut Random, nodes: &[Node], size: Size) -> Vec<Edge> {
    let n = nodes.len();
    let mut edges = Vec::new();
    for from in 0..n - 1 {
        for to in from + 1..n {
            if to == from + 1 || r.chance(if n > 6 { 20 } else { 35 }) {
                let clauses = clauses(r, &nodes[from], &nodes[to], from == 0, to == n - 1, size);
                edges.push(Edge { from, to, clauses });
            }
        }
    }
    edges
}

fn clauses(r: &mut Random, from: &Node, to: &Node, first: bool, last: bool, size: Size) -> Vec<Vec<Item>> {
    let wide = if size == Size::Middle { 20 } else { 1 };
    let mut out = Vec::new();
    for (i, &x) in to.numbers.iter().enumerate() {
        let y = from.numbers[i];
        let t = if first && r.chance(80) {
            linear(&[(x, 1)], r.range(-wide, wide))
        } else if r.chance(15) {
            continue;
        } else if r.chance(15) {
            linear(&[(x, 1), (y, -2)], r.range(-1, 1))
        } else if size == Size::Middle && r.chance(10) {
            linear(&[(x, r.range(2, 3)), (y, -1)], r.range(-1, 1))
        } else {
            let other = from.numbers[r.below(from.numbers.len() as u64) as usize];
            let extra = if r.chance(25) && other != y { r.range(-1, 1) } else { 0 };
            linear(&[(x, 1), (y, -1), (other, extra)], if r.chance(60) { r.range(-wide, wide) } else { 0 })
        };
        out.extend(equal(t));
    }
    for (&b, &c) in to.booleans.iter().zip(&from.booleans) {
        match r.below(4) {
            0 => out.push(vec![Item::Boolean(b, r.chance(50))]),
            1 => {}
            _ => out.extend([vec![Item::Boolean(b, true), Item::Boolean(c, false)], vec![Item::Boolean(b, false), Item::Boolean(c, true)]]),
        }
    }
    if last || r.chance(40) {
        let x = from.numbers[r.below(from.numbers.len() as u64) as usize];
        let y = from.numbers[r.below(from.numbers.len() as u64) as usize];
        let second = if r.chance(40) { r.range(-1, 1) } else { 0 };
        let t = linear(&[(x, if r.chance(50) { 1 } else { -1 }), (y, second)], r.range(0, 2 * wide));
        let mut clause = vec![Item::LessEq(t)];
        if let Some(&b) = from.booleans.first().filter(|_| r.chance(50)) {
            clause.push(Item::Boolean(b, r.chance(50)));
        }
        out.push(clause);
    }
    out
}

/// `x := 0; y := 0; while (*) { x += a; y += b or y += c; }` and an assertion that holds: heads in a row, each with an edge to the error, the step a choice of two nodes.
fn loops(r: &mut Random, nodes: &[Node]) -> Vec<Edge> {
    let last = nodes.len() - 1;
    let (a, b) = (r.range(1, 3), r.range(1, 3));
    let spread = r.range(0, 2);
    let mut edges = Vec::new();
    let keep = |from: &Node, to: &Node, skip: usize| {
        let pairs = to.numbers.iter().zip(&from.numbers).enumerate().filter(move |(i, _)| *i >= skip);
        pairs.flat_map(|(_, (x, y))| equal(linear(&[(*x, 1), (*y, -1)], 0))).collect::<Vec<_>>()
    };
    for (from, node) in nodes[..last].iter().enumerate() {
        if from == 0 {
            let start = nodes[1].numbers.iter().flat_map(|x| equal(linear(&[(*x, 1)], 0))).collect();
            edges.push(Edge { from, to: 1, clauses: start });
            continue;
        }
        // b·x > a·y + spread·(something) never holds: y grows by at least b where x grows by a.
        let bad = linear(&[(node.numbers[0], -b), (node.numbers[1], a)], 1);
        edges.push(Edge { from, to: last, clauses: vec![vec![Item::LessEq(bad)]] });
        for (skip, extra) in [(1, 0), (2, spread)] {
            if from + skip < last {
                let to = &nodes[from + skip];
                let mut step = keep(node, to, 2);
                step.extend(equal(linear(&[(to.numbers[0], 1), (node.numbers[0], -1)], -a * skip as i64)));
                step.extend(equal(linear(&[(to.numbers[1], 1), (node.numbers[1], -1)], -b * skip as i64 - extra)));
                edges.push(Edge { from, to: from + skip, clauses: step });
            }
        }
    }
    edges
}

/// The clauses of ARGCOND.
fn encode(p: &mut Problem, nodes: &[Node], edges: &[Edge]) {
    let lit = |l: Lit| Literal::Lit(l);
    p.clause(0, &[lit(nodes[0].guard.positive())]);
    for (i, node) in nodes[..nodes.len() - 1].iter().enumerate() {
        let part = i as u32;
        let mut leave = vec![lit(node.guard.negative())];
        for e in edges.iter().filter(|e| e.from == i) {
            let taken = p.vocabulary.boolean();
            leave.push(lit(taken.positive()));
            p.clause(part, &[lit(taken.negative()), lit(nodes[e.to].guard.positive())]);
            for clause in &e.clauses {
                let mut literals = vec![lit(taken.negative())];
                for item in clause {
                    literals.push(match item {
                        Item::LessEq(t) => p.vocabulary.less_eq(t),
                        Item::Boolean(v, value) => lit(Lit::new(*v, *value)),
                    });
                }
                p.clause(part, &literals);
            }
        }
        p.clause(part, &leave);
    }
}
