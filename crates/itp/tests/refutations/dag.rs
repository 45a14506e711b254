//! Labels of random graphs: from the naive prover's proofs checked at every pair of points of a grid, from the solver's by the solver, whose proofs are checked.

use crate::cases;
use crate::support::eval::{variables, Point};
use crate::support::graph::{graph, Graph, Size};
use crate::support::prover::Answer;
use crate::support::random::Random;
use crate::support::solving::{solve, Oracle, Verdict};
use plumb_itp::interpolate::dag::{all_labels, labels};
use plumb_itp::interpolate::{reduce, Strength};
use plumb_itp::proof::Proof;
use plumb_itp::simplify::{Measure, Simplifier};
use plumb_itp::{proof_check, Formula, NumVar};
use std::collections::BTreeSet;

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

fn check_ends_and_variables(graph: &Graph, found: &[Formula], what: &str) {
    assert_eq!(found[0], Formula::Constant(true), "{what}: the entry");
    assert_eq!(found.last(), Some(&Formula::Constant(false)), "{what}: the error");
    for (node, label) in graph.nodes.iter().zip(found) {
        let (mut numbers, mut booleans) = (BTreeSet::new(), BTreeSet::new());
        variables(label, &mut numbers, &mut booleans);
        let own = numbers.iter().all(|x| node.numbers.contains(x)) && booleans.iter().all(|v| node.booleans.contains(v));
        assert!(own, "{what}: {label:?} has foreign variables");
    }
}

fn check_on_grid(graph: &Graph, found: &[Formula], what: &str) {
    check_ends_and_variables(graph, found, what);
    let total = graph.problem.vocabulary.numbers().len();
    for e in &graph.edges {
        let vars: Vec<NumVar> = graph.nodes[e.from].numbers.iter().chain(&graph.nodes[e.to].numbers).copied().collect();
        let mut point = Point { numbers: vec![0; total], booleans: Vec::new() };
        let edge = e.formula();
        each(&mut point, &vars, 4, &mut |p| {
            let ok = !p.formula(&edge) || !p.formula(&found[e.from]) || p.formula(&found[e.to]);
            assert!(ok, "{what}: edge {}-{} leads from {:?} out of {:?}", e.from, e.to, found[e.from], found[e.to]);
        });
    }
}

/// The labels of a proof, if all nodes have one.
fn labels_by(graph: &Graph, proof: &Proof, strength: Strength) -> Option<Vec<Formula>> {
    labels(proof, strength, &graph.nodes, 40_000).unwrap().into_iter().collect::<Result<Vec<Formula>, _>>().ok()
}

#[test]
fn labels_are_inductive_on_a_grid() {
    let (mut refuted, mut whole, mut foreign, mut constant) = (0, 0, 0, 0);
    for seed in 0..cases(120) {
        let graph = graph(&mut Random::new(seed), Size::Small);
        let Answer::Proof(proof) = graph.problem.prove(1500) else { continue };
        refuted += 1;
        for (proof, name) in [(proof.clone(), "whole"), (reduce(&proof), "reduced")] {
            proof_check::check(&proof, &[]).unwrap_or_else(|e| panic!("{seed}: {e}"));
            for strength in [Strength::McMillan, Strength::Dual] {
                match labels_by(&graph, &proof, strength) {
                    Some(found) => {
                        whole += 1;
                        constant += usize::from(found.iter().all(|f| matches!(f, Formula::Constant(_))));
                        check_on_grid(&graph, &found, &format!("{seed} {strength:?} {name}"));
                    }
                    None => foreign += 1,
                }
            }
        }
    }
    println!("{refuted} refuted, {whole} labelled, {constant} of them constant, {foreign} with foreign variables left");
    assert!(refuted > 20 && foreign * 50 < whole && constant * 3 < whole, "{refuted} {whole} {foreign} {constant}");
}

#[test]
fn labels_of_the_solvers_proofs_are_inductive() {
    for size in [Size::Small, Size::Middle, Size::Reals, Size::Loops] {
        let (mut refuted, mut whole, mut second, mut foreign, mut unknown) = (0, 0, 0, 0, 0);
        let (mut sizes, mut simplified) = (0, 0);
        for seed in 0..cases(80) {
            let graph = graph(&mut Random::new(seed * 3 + 1), size);
            let Verdict::Proof(proof) = solve(&graph.problem) else { continue };
            refuted += 1;
            let oracle = Oracle::new(&graph.problem);
            let strength = if seed % 3 == 0 { Strength::Dual } else { Strength::McMillan };
            let proof = if seed % 2 == 0 { reduce(&proof) } else { proof };
            let found = match labels_by(&graph, &proof, strength) {
                Some(found) => found,
                None => {
                    second += 1;
                    let Ok(found) = all_labels(&proof, &graph.nodes) else {
                        foreign += 1;
                        continue;
                    };
                    found
                }
            };
            whole += 1;
            let what = format!("{size:?} {seed} {strength:?}");
            check_ends_and_variables(&graph, &found, &what);
            for e in &graph.edges {
                match oracle.implies(&[found[e.from].clone(), e.formula()], &found[e.to]) {
                    Some(holds) => assert!(holds, "{what}: edge {}-{} from {:?} out of {:?}", e.from, e.to, found[e.from], found[e.to]),
                    None => unknown += 1,
                }
            }
            let mut simplifier = Simplifier::new(proof.numbers.iter().map(|n| n.sort));
            sizes += found.iter().map(|f| Measure::of(f).atoms).sum::<usize>();
            simplified += found.iter().map(|f| Measure::of(&simplifier.simplify(f)).atoms).sum::<usize>();
        }
        println!(
            "{size:?}: {refuted} refuted, {whole} labelled, {second} at the second attempt, {foreign} not, {unknown} edges unknown, {sizes} atoms, {simplified} simplified"
        );
        assert!(whole > 5 && foreign * 20 <= whole && unknown == 0, "{size:?}: {refuted} {whole} {foreign} {unknown}");
    }
}
