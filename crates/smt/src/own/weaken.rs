//! Labels made general: each keeps only the conjuncts that its successors need.
//!
//! Going backwards from the error, a node's label may lose every conjunct without which its edges still lead into the labels of their ends only: what enters the node
//! stays implied, since labels only become weaker. Which conjuncts are needed is read off the core of one small question per node. Generality is what makes
//! the labels of later copies of a loop head imply those of earlier ones.

use super::alias::Shared;
use super::translate::{not, Translator};
use crate::encode::Unencodable;
use plumb_itp::solver::{Answer, Budget as Limits, Config, Solver};
use plumb_itp::{Lit, Literal};
use plumb_term::{Budget, Term};

/// Conflicts that one question may take: a label that is hard to weaken stays as it is.
const CONFLICTS: u64 = 2_000;

/// Weakens labels in place; the first and the last stay as they are.
pub(super) fn weaken(dag: &Shared, useful: &[bool], labels: &mut [Option<Term>], budget: &Budget) -> Result<(), Unencodable> {
    for n in (1..labels.len() - 1).rev() {
        let Some(label) = labels[n].filter(|t| !t.is_true() && !t.is_false()) else { continue };
        if budget.is_over() {
            break;
        }
        if let Some(weaker) = needed(dag, useful, labels, n, label, budget)? {
            labels[n] = Some(weaker);
        }
    }
    Ok(())
}

/// The conjunction of the conjuncts of `label` that the edges of `node` need; nothing if that is not found out.
fn needed(
    dag: &Shared,
    useful: &[bool],
    labels: &[Option<Term>],
    node: usize,
    label: Term,
    budget: &Budget,
) -> Result<Option<Term>, Unencodable> {
    let mut translator = Translator::new(Solver::new(Config { proofs: false, ..Config::default() }));
    let mut choice = Vec::new();
    for (_, e) in dag.edges.iter().enumerate().filter(|(i, e)| useful[*i] && e.from.0 == node) {
        let taken = Literal::Lit(translator.solver.boolean());
        translator.imply(&[taken], e.formula)?;
        let violated = translator.literal(labels[e.to.0].unwrap_or_else(Term::ff).not())?;
        translator.solver.add_clause(&[not(taken), violated]);
        choice.push(taken);
    }
    translator.solver.add_clause(&choice);
    let mut conjuncts: Vec<(Lit, Term)> = Vec::new();
    for c in label.conjuncts() {
        if let Literal::Lit(l) = translator.literal(c)? {
            conjuncts.push((l, c));
        }
    }
    let limits = Limits { conflicts: Some(CONFLICTS), ..Limits::within(budget.clone()) };
    let all: Vec<Lit> = conjuncts.iter().map(|c| c.0).collect();
    let Some(mut kept) = core(&mut translator, &all, &limits) else { return Ok(None) };
    // A core need not be minimal: try without each of its members.
    let mut i = 0;
    while i < kept.len() {
        let mut fewer = kept.clone();
        fewer.remove(i);
        match core(&mut translator, &fewer, &limits) {
            Some(smaller) => kept = smaller,
            None => i += 1,
        }
    }
    Ok(Some(Term::all(conjuncts.iter().filter(|(l, _)| kept.contains(l)).map(|c| c.1))))
}

/// Assumptions, in their order, that suffice for a refutation.
fn core(translator: &mut Translator, assumptions: &[Lit], limits: &Limits) -> Option<Vec<Lit>> {
    match translator.solver.check(assumptions, limits) {
        Answer::Unsat => {
            let core = translator.solver.core()?;
            Some(assumptions.iter().copied().filter(|l| core.contains(l)).collect())
        }
        _ => None,
    }
}
