//! A label from a proof of its own: an interpolant of all paths to a node on one side and one step to where a later label does not hold on the other.
//!
//! Only the node's own variables are common to the two sides, so nothing has to be removed. The label holds whenever the node is reached and leads to the later labels only.

use super::alias::Shared;
use super::translate::{not, Translator};
use crate::encode::Unencodable;
use crate::solver::Reason;
use plumb_itp::interpolate::{reduce, sequence, Strength};
use plumb_itp::solver::{Answer, Budget as Limits, Config, Solver};
use plumb_itp::Literal;
use plumb_term::{Budget, Term};

/// A label for `node` that excludes steps to where `labels` do not hold.
pub(super) fn label(
    dag: &Shared,
    useful: &[bool],
    labels: &[Term],
    node: usize,
    strength: Strength,
    budget: &Budget,
) -> Result<Term, Reason> {
    let translator = encode(dag, useful, labels, node).map_err(Reason::Unencodable)?;
    read(translator, strength, budget)
}

fn encode(dag: &Shared, useful: &[bool], labels: &[Term], node: usize) -> Result<Translator, Unencodable> {
    let mut translator = Translator::new(Solver::new(Config::default()));
    translator.leave_free(dag.nodes.iter().flatten().copied());
    let before = leading_to(dag, useful, node);
    let guards: Vec<Literal> = before.iter().map(|_| Literal::Lit(translator.solver.boolean())).collect();
    for n in (0..=node).filter(|n| before[*n]) {
        dag.nodes[n].iter().for_each(|v| translator.range_of(*v));
        let mut choice = vec![not(guards[n])];
        for (_, e) in dag.edges.iter().enumerate().filter(|(i, e)| useful[*i] && e.to.0 == n) {
            let taken = Literal::Lit(translator.solver.boolean());
            choice.push(taken);
            translator.solver.add_clause(&[not(taken), guards[e.from.0]]);
            translator.imply(&[taken], e.formula)?;
        }
        if n > 0 {
            translator.solver.add_clause(&choice);
        }
    }
    translator.solver.assert(guards[node]);
    translator.next_part();
    dag.nodes[node].iter().for_each(|v| translator.range_of(*v));
    let mut choice = Vec::new();
    for (_, e) in dag.edges.iter().enumerate().filter(|(i, e)| useful[*i] && e.from.0 == node) {
        let taken = Literal::Lit(translator.solver.boolean());
        choice.push(taken);
        dag.nodes[e.to.0].iter().for_each(|v| translator.range_of(*v));
        translator.imply(&[taken], e.formula)?;
        let violated = translator.literal(labels[e.to.0].not())?;
        translator.solver.add_clause(&[not(taken), violated]);
    }
    translator.solver.add_clause(&choice);
    Ok(translator)
}

/// The nodes from which useful edges lead to `node`, and itself.
fn leading_to(dag: &Shared, useful: &[bool], node: usize) -> Vec<bool> {
    let mut before = vec![false; node + 1];
    before[node] = true;
    for n in (1..=node).rev() {
        if !before[n] {
            continue;
        }
        for (_, e) in dag.edges.iter().enumerate().filter(|(i, e)| useful[*i] && e.to.0 == n) {
            before[e.from.0] = true;
        }
    }
    before
}

fn read(mut translator: Translator, strength: Strength, budget: &Budget) -> Result<Term, Reason> {
    match translator.solver.check(&[], &Limits::within(budget.clone())) {
        Answer::Unsat => {}
        Answer::Sat => return Err(Reason::Incomplete("a label does not exclude the error".into())),
        Answer::Unknown(_) if budget.is_over() => return Err(Reason::Time),
        Answer::Unknown(why) => return Err(Reason::Incomplete(format!("{why:?}"))),
    }
    let incomplete = |why: &dyn ToString| Reason::Incomplete(why.to_string());
    let proof = translator.solver.refutation().ok_or_else(|| incomplete(&"the refutation was not kept"))?;
    let found = sequence(&reduce(&proof), strength).map_err(|why| incomplete(&why))?;
    match found.into_iter().next() {
        Some(Ok(f)) => translator.term(&f).ok_or_else(|| incomplete(&"a label has a variable that is no node's")),
        Some(Err(why)) => Err(incomplete(&why)),
        // Without a second part there is nothing that could follow.
        None => Ok(Term::tt()),
    }
}
