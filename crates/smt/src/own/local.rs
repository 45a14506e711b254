//! Labels node by node: interpolants of one step on one side and what can follow on the other.
//!
//! The refutation of a whole graph gives labels for all nodes at once, but where many paths cross a cut they can be large, or have variables of other
//! nodes that cannot be removed. Such a label is computed anew, in topological order. On one side are the edges that enter the node, each from its start's label;
//! on the other the paths that leave it, up to the error or to nodes whose label is known already and is violated there. Only the node's own
//! variables are common to the two, so nothing has to be removed; and by construction the new label is implied by its predecessors' and implies its successors'.

use super::alias::Shared;
use super::engine::{encode_from, Guards};
use super::translate::{not, Translator};
use crate::encode::Unencodable;
use crate::solver::Reason;
use plumb_itp::interpolate::{reduce, sequence, Strength};
use plumb_itp::solver::{Answer, Budget as Limits, Config, Solver};
use plumb_itp::Literal;
use plumb_term::{Budget, Term};

/// Fills the gaps of `labels`, whose first and last are known.
pub(super) fn complete(
    dag: &Shared,
    useful: &[bool],
    labels: &mut [Option<Term>],
    strength: Strength,
    budget: &Budget,
) -> Result<(), Reason> {
    for n in 1..labels.len() {
        if labels[n].is_none() {
            let label = label_of(dag, useful, labels, n, strength, budget).map_err(Reason::Unencodable)??;
            labels[n] = Some(label);
        }
    }
    Ok(())
}

fn label_of(
    dag: &Shared,
    useful: &[bool],
    labels: &[Option<Term>],
    node: usize,
    strength: Strength,
    budget: &Budget,
) -> Result<Result<Term, Reason>, Unencodable> {
    let mut translator = Translator::new(Solver::new(Config::default()));
    translator.leave_free(dag.nodes.iter().flatten().copied());
    let mut choice = Vec::new();
    for (_, e) in dag.edges.iter().enumerate().filter(|(i, e)| useful[*i] && e.to.0 == node) {
        let label = labels[e.from.0].unwrap_or_else(Term::tt);
        let taken = Literal::Lit(translator.solver.boolean());
        translator.set_guard(taken);
        dag.nodes[e.from.0].iter().for_each(|v| translator.range_of(*v));
        translator.imply(&[taken], label)?;
        translator.imply(&[taken], e.formula)?;
        dag.nodes[node].iter().for_each(|v| translator.range_of(*v));
        choice.push(taken);
    }
    translator.solver.add_clause(&choice);
    translator.next_part();
    encode_suffix(dag, useful, labels, node, &mut translator)?;
    match translator.solver.check(&[], &Limits::within(budget.clone())) {
        Answer::Unsat => {}
        Answer::Sat => return Ok(Err(Reason::Incomplete("a label does not exclude the error".into()))),
        Answer::Unknown(_) if budget.is_over() => return Ok(Err(Reason::Time)),
        Answer::Unknown(why) => return Ok(Err(Reason::Incomplete(format!("{why:?}")))),
    }
    let Some(proof) = translator.solver.refutation() else {
        return Ok(Err(Reason::Incomplete("the refutation was not kept".into())));
    };
    let incomplete = |why: plumb_itp::interpolate::Error| Reason::Incomplete(why.to_string());
    let found = match sequence(&reduce(&proof), strength) {
        Ok(list) => list.into_iter().next(),
        Err(why) => return Ok(Err(incomplete(why))),
    };
    let formula = match found {
        Some(Ok(f)) => f,
        Some(Err(why)) => return Ok(Err(incomplete(why))),
        // Without a second part there is nothing that could follow.
        None => return Ok(Ok(Term::tt())),
    };
    Ok(translator.term(&formula).ok_or_else(|| Reason::Incomplete("a label has a variable that is no node's".into())))
}

/// The paths that leave `node`, in the current part: up to the error, or to a node whose label is known and does not hold.
fn encode_suffix(
    dag: &Shared,
    useful: &[bool],
    labels: &[Option<Term>],
    node: usize,
    translator: &mut Translator,
) -> Result<(), Unencodable> {
    let mut guards = Guards::new(dag, translator);
    translator.solver.assert(Literal::Lit(guards.nodes[node]));
    let mut reached = vec![false; dag.nodes.len()];
    reached[node] = true;
    for n in node..dag.nodes.len() {
        if !reached[n] {
            continue;
        }
        let here = Literal::Lit(guards.nodes[n]);
        translator.set_guard(here);
        match labels[n] {
            Some(label) if n > node => {
                dag.nodes[n].iter().for_each(|v| translator.range_of(*v));
                let violated = translator.literal(label.not())?;
                translator.solver.add_clause(&[not(here), violated]);
            }
            _ => {
                encode_from(dag, useful, n, &mut guards, translator)?;
                for e in dag.edges.iter().enumerate().filter(|(i, e)| useful[*i] && e.from.0 == n).map(|(_, e)| e) {
                    reached[e.to.0] = true;
                }
            }
        }
    }
    Ok(())
}
