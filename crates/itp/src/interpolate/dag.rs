//! Labels for the nodes of a directed acyclic graph, from one refutation.
//!
//! **Problem.** Nodes `v₀ … vₙ₋₁` in topological order, `v₀` the entry, `vₙ₋₁` the error, a formula on each edge between the two nodes' own copies of the variables. No
//! path from entry to error satisfies all of its edges. Find a label for each node, over its own variables, such that label(u) ∧ edge(u,v) ⇒ label(v), with
//! `true` at the entry and `false` at the error.
//!
//! **The picture.** The refuted formula is ARGCOND of Albarghouthi, Gurfinkel, Chechik, *From under-approximations to over-approximations and back*, TACAS 2012, Section 5: part `i` has the
//! outgoing edges of `vᵢ`: `¬cᵢ ∨ eᵢⱼ ∨ …`, `eᵢⱼ → cⱼ`, `eᵢⱼ → edge(vᵢ,vⱼ)`, and part 0 also has `c₀`. The error has no clauses. The interpolant `Iᵢ` of the cut before `vᵢ` describes the states in which the
//! nodes from `vᵢ` on are entered from earlier ones. The label is `Iᵢ` with `cᵢ` true, for all values of the later guards and of the variables of other nodes (the paper's CLEAN).
//!
//! **Why this is inductive** (Theorem 3 there). Take a state of `vᵢ` in its label and a step to `vⱼ`. With `cᵢ, eᵢⱼ, cⱼ` true, the guards between them false and any values of the later guards and the other nodes' copies, the parts `i … j-1`
//! hold, and so does `Iᵢ`. By the sequence property `Iⱼ` holds.
//!
//! In McMillan's system a Boolean enters an interpolant with the sign that it has in A, where guards of later nodes are positive: `Iᵢ` is monotone in them, so "for all" is "false", and they are replaced while
//! the interpolant is built, which keeps it small. In the dual system they occur with both signs.
//!
//! **Contract.** What a caller owes: a guard occurs in the clauses of earlier parts positively only; a part whose guards of edges are all false holds for
//! any values of the nodes' variables. [`Strength::Pudlak`] is refused. CLEAN is exact or fails for that node.
//!
//! **Functions.** The value of a function at a node's variables is the node's as well, and a label may speak of it. Of others' it must not, and CLEAN cannot
//! take them for any number, since the same function at equal arguments has the same value: such a node gets no label.

use super::forall::Forall;
use super::{in_pool, reduce, Error, PartSet, Strength};
use crate::formula::Formula;
use crate::linear::NumVar;
use crate::lit::BoolVar;
use crate::pool::Pool;
use crate::proof::{Number, Proof};
use crate::simplify::improve;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// Steps of quantifier elimination for each node where all labels are wanted.
const EFFORT: usize = 40_000;
/// Nesting of quantifier elimination.
const DEPTH: usize = 300;

/// A node of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The variable that says that the path goes through this node.
    pub guard: BoolVar,
    /// The node's copies of numeric variables.
    pub numbers: Vec<NumVar>,
    /// The node's copies of Boolean variables.
    pub booleans: Vec<BoolVar>,
}

/// Why a node has no label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unlabelled {
    /// The proof mixes variables of both sides of the cut before the node.
    Mixed,
    /// Variables of other nodes could not be removed exactly within the budget.
    Foreign,
}

impl fmt::Display for Unlabelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unlabelled::Mixed => "the proof mixes variables of both sides of the cut before the node",
            Unlabelled::Foreign => "variables of other nodes could not be removed",
        })
    }
}

impl std::error::Error for Unlabelled {}

/// A label for each node, over the node's variables only, simplified. `effort` is the number of steps that the removal of other nodes' variables may take for each node.
pub fn labels(proof: &Proof, strength: Strength, nodes: &[Node], effort: usize) -> Result<Vec<Result<Formula, Unlabelled>>, Error> {
    if strength == Strength::Pudlak {
        return Err(Error::Unfit);
    }
    let order: FxHashMap<BoolVar, usize> = nodes.iter().enumerate().map(|(i, n)| (n.guard, i)).collect();
    let sets: Vec<PartSet> = (0..nodes.len() as u32).map(PartSet::below).collect();
    let mut pool = Pool::new(proof.numbers.iter().map(|n| n.sort));
    // In the dual system later guards have both signs and are quantified like all else that is not the node's.
    let value = |i: usize, v: BoolVar| match order.get(&v) {
        Some(&w) if w == i => Some(true),
        Some(_) if strength == Strength::McMillan => Some(false),
        _ => None,
    };
    let ids = in_pool(proof, strength, &sets, &mut pool, &value)?;
    let mut made = FxHashMap::default();
    let mut out = Vec::with_capacity(nodes.len());
    for (node, id) in nodes.iter().zip(ids) {
        let numbers = with_applications(proof, node.numbers.iter().copied().collect());
        let booleans: FxHashSet<BoolVar> = node.booleans.iter().copied().collect();
        let (keep_number, keep_boolean) = (|x: NumVar| numbers.contains(&x), |v: BoolVar| booleans.contains(&v));
        let mut forall = Forall::new(proof, &keep_number, &keep_boolean, effort);
        let label = match id {
            Err(_) => Err(Unlabelled::Mixed),
            Ok(id) => {
                let id = improve(&mut pool, id);
                forall.eliminate(&mut pool, id, DEPTH).ok_or(Unlabelled::Foreign)
            }
        };
        let label = label.map(|id| improve(&mut pool, id));
        out.push(label.map(|id| pool.export(id, &mut made)));
    }
    Ok(out)
}

/// Numbers, and the values of functions at them.
fn with_applications(proof: &Proof, mut numbers: FxHashSet<NumVar>) -> FxHashSet<NumVar> {
    let applied = |(i, n): (usize, &Number)| Some((NumVar(i as u32), n.application.as_ref()?.1.clone()));
    let mut left: Vec<(NumVar, Vec<NumVar>)> = proof.numbers.iter().enumerate().filter_map(applied).collect();
    loop {
        let before = left.len();
        left.retain(|(x, arguments)| {
            let own = arguments.iter().all(|a| numbers.contains(a));
            if own {
                numbers.insert(*x);
            }
            !own
        });
        if left.len() == before {
            return numbers;
        }
    }
}

/// Labels for all nodes, from the first system that gives them: McMillan's, its dual, then the same with the reduced proof. The error is that of the first one: a node
/// that it gives no label, with the reason.
pub fn all_labels(proof: &Proof, nodes: &[Node]) -> Result<Vec<Formula>, (usize, Unlabelled)> {
    let attempt = |proof: &Proof, strength: Strength| -> Result<Vec<Formula>, (usize, Unlabelled)> {
        let found = labels(proof, strength, nodes, EFFORT).map_err(|_| (0, Unlabelled::Mixed))?;
        found.into_iter().enumerate().map(|(i, label)| label.map_err(|e| (i, e))).collect()
    };
    let first = match attempt(proof, Strength::McMillan) {
        Ok(found) => return Ok(found),
        Err(e) => e,
    };
    if let Ok(found) = attempt(proof, Strength::Dual) {
        return Ok(found);
    }
    let reduced = reduce(proof);
    attempt(&reduced, Strength::McMillan).or_else(|_| attempt(&reduced, Strength::Dual)).map_err(|_| first)
}
