//! DAG interpolants from one refutation of the own solver.
//!
//! Part `i` of the refuted formula holds the edges that leave node `i`, each under its guard, as [`plumb_itp::interpolate::dag`] asks. What is known of
//! the ranges of a node's variables is stated twice, on the edges that enter the node and at the node itself, so that neither side of
//! a cut has to learn it from the other.

use super::alias::Shared;
use super::block::Blocking;
use super::cells::Cells;
use super::copies::Copies;
use super::general::General;
use super::translate::{not, Translator};
use crate::encode::Unencodable;
use crate::interpolate::{decide, Answer, Dag, Decision, EdgeId, Interpolator, Witness};
use crate::solver::Reason;
use plumb_itp::interpolate::dag::{labels, Node};
use plumb_itp::interpolate::{reduce, Strength};
use plumb_itp::solver::{Answer as Checked, Budget as Limits, Config, Solver, Why};
use plumb_itp::{Lit, Literal, Proof};
use plumb_term::visit::{postorder, size};
use plumb_term::{Budget, Sort, Term};
use std::time::Duration;

/// A label of more subterms than this is not used.
const LARGE: usize = 160;
/// If a refutation gives a larger one than this, labels come from obligations.
const SMALL: usize = 40;
/// Steps that the removal of other nodes' variables from one label may take.
const EFFORT: usize = 500;
/// Time for making clauses smaller, at least and at most; between the two as long as a few checks take.
const ALLOWANCE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

/// The own interpolating solver as an engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Own {
    strength: Strength,
    /// Whether labels come from obligations whatever the refutation gives.
    blocking: bool,
}

impl Own {
    /// With labels of the given strength. [`Strength::Pudlak`] has none for whole graphs: every label is then computed from one step.
    pub fn new(strength: Strength) -> Own {
        Own { strength, blocking: false }
    }

    /// With labels from obligations, where these can be met, whatever the refutation gives.
    pub fn blocking() -> Own {
        Own { blocking: true, ..Own::default() }
    }
}

/// The literals of a translated graph.
pub(super) struct Guards {
    /// For each node.
    pub(super) nodes: Vec<Lit>,
    /// For each edge that is on a path from the entry to the error.
    pub(super) edges: Vec<Option<Lit>>,
}

impl Guards {
    /// A literal for each node.
    pub(super) fn new(dag: &Shared, translator: &mut Translator) -> Guards {
        let nodes = dag.nodes.iter().map(|_| translator.solver.boolean()).collect();
        Guards { nodes, edges: vec![None; dag.edges.len()] }
    }
}

impl Interpolator for Own {
    fn name(&self) -> &'static str {
        if self.blocking {
            "own by obligations"
        } else {
            "own"
        }
    }

    fn fits(&self, dag: &Dag) -> bool {
        !postorder(dag.edges().iter().map(|e| e.formula)).iter().any(|t| matches!(t.sort(), Sort::Float(_)))
    }

    fn dag(&mut self, dag: &Dag, budget: &Budget) -> Answer {
        match self.solve(dag, budget) {
            Ok(answer) => answer,
            Err(why) => Answer::Unknown(Reason::Unencodable(why)),
        }
    }
}

impl Own {
    fn solve(self, dag: &Dag, budget: &Budget) -> Result<Answer, Unencodable> {
        let useful = dag.useful();
        let plain = |n: usize| useful.plain(n);
        if useful.is_empty() {
            return Ok(Answer::Labels((0..dag.nodes().len()).map(|n| plain(n).unwrap_or_else(Term::tt)).collect()));
        }
        let cells = Cells::new(dag, dag.fresh())?;
        let mut translator = Translator::new(Solver::new(Config::default()));
        let shared = Shared::new(&cells.dag, &useful.edges);
        let guards = encode(&shared, &useful.edges, &mut translator)?;
        match translator.solver.check(&[], &Limits::within(budget.clone())) {
            Checked::Unsat => {}
            Checked::Sat => return Ok(path(dag, &guards, &translator, budget)),
            Checked::Unknown(Why::Time) => return Ok(Answer::Unknown(Reason::Time)),
            Checked::Unknown(Why::Memory) => return Ok(Answer::Unknown(Reason::Memory)),
            Checked::Unknown(why) => return Ok(Answer::Unknown(Reason::Incomplete(format!("{why:?}")))),
        }
        let allowance = (translator.solver.statistics().time * 4).clamp(ALLOWANCE.0, ALLOWANCE.1);
        let Some(proof) = translator.solver.refutation() else {
            return Ok(Answer::Unknown(Reason::Incomplete("the refutation was not kept".into())));
        };
        let found = self.read(&shared, &reduce(&proof), &guards, &translator, &plain);
        let large = found.iter().any(|t| t.is_none_or(|t| size(t) > SMALL));
        let mut labels = Err(Reason::Time);
        if self.blocking || large || dag.has_copies() {
            let copies = Copies::new(dag, &shared, &useful.nodes);
            let share = match budget.left() {
                Some(left) if self.blocking || large => budget.at_most(left / 2),
                // What it finds is welcome, but not needed.
                _ => budget.at_most(allowance),
            };
            labels = Blocking::new(&shared, &copies, &useful.edges, &share).labels(&plain);
        }
        if labels.is_err() || !(self.blocking || large) {
            let general = General::new(&shared, &useful.edges, self.strength, allowance, budget).labels(found);
            labels = match (general, labels) {
                (Ok(general), Ok(blocking)) => Ok(general.into_iter().zip(blocking).map(|(a, b)| a.and(b)).collect()),
                (general, _) => general,
            };
        }
        Ok(match labels {
            Ok(labels) => Answer::Labels(labels.into_iter().enumerate().map(|(n, t)| cells.back(shared.label(n, t))).collect()),
            Err(why) => Answer::Unknown(why),
        })
    }

    /// The labels of a refutation; nothing for a node where it gives none or a large one.
    fn read(
        self,
        dag: &Shared,
        proof: &Proof,
        guards: &Guards,
        translator: &Translator,
        plain: &dyn Fn(usize) -> Option<Term>,
    ) -> Vec<Option<Term>> {
        let nodes: Vec<Node> = dag
            .nodes
            .iter()
            .zip(&guards.nodes)
            .map(|(vars, guard)| Node {
                guard: guard.var(),
                numbers: vars.iter().filter_map(|v| translator.numbers.get(v).copied()).collect(),
                booleans: vars.iter().filter_map(|v| translator.booleans.get(v).map(|l| l.var())).collect(),
            })
            .collect();
        let found = labels(proof, self.strength, &nodes, EFFORT).unwrap_or_default();
        let mut found = found.into_iter().map(Result::ok);
        (0..dag.nodes.len())
            .map(|n| {
                let label = found.next().flatten();
                plain(n).or_else(|| label.and_then(|f| translator.term(&f)).filter(|t| size(*t) <= LARGE))
            })
            .collect()
    }
}

/// Asserts the graph's condition, a part for each node but the error.
fn encode(dag: &Shared, useful: &[bool], translator: &mut Translator) -> Result<Guards, Unencodable> {
    let mut guards = Guards::new(dag, translator);
    translator.leave_free(dag.nodes.iter().flatten().copied());
    translator.solver.assert(Literal::Lit(guards.nodes[0]));
    for n in 0..dag.nodes.len() - 1 {
        if n > 0 {
            translator.next_part();
        }
        encode_from(dag, useful, n, &mut guards, translator)?;
    }
    Ok(guards)
}

/// Asserts, in the current part, that a path that comes to node `n` leaves it by one of its edges.
pub(super) fn encode_from(
    dag: &Shared,
    useful: &[bool],
    n: usize,
    guards: &mut Guards,
    translator: &mut Translator,
) -> Result<(), Unencodable> {
    let leaving: Vec<usize> = (0..dag.edges.len()).filter(|i| useful[*i] && dag.edges[*i].from.0 == n).collect();
    if leaving.is_empty() {
        return Ok(());
    }
    let here = Literal::Lit(guards.nodes[n]);
    translator.set_guard(here);
    dag.nodes[n].iter().for_each(|v| translator.range_of(*v));
    let mut choice = vec![not(here)];
    for i in leaving {
        let edge = &dag.edges[i];
        let taken = translator.solver.boolean();
        guards.edges[i] = Some(taken);
        let taken = Literal::Lit(taken);
        choice.push(taken);
        translator.solver.add_clause(&[not(taken), Literal::Lit(guards.nodes[edge.to.0])]);
        translator.imply(&[taken], edge.formula)?;
        translator.set_guard(taken);
        dag.nodes[edge.to.0].iter().for_each(|v| translator.range_of(*v));
        translator.set_guard(here);
    }
    translator.solver.add_clause(&choice);
    Ok(())
}

/// The path of the solver's model, decided once more by itself: what was abstract or left out may make it impossible.
fn path(dag: &Dag, guards: &Guards, translator: &Translator, budget: &Budget) -> Answer {
    let unreadable = || Answer::Unknown(Reason::Incomplete("the model cannot be read".into()));
    let Some(model) = translator.solver.model() else { return unreadable() };
    let mut taken = Vec::new();
    let mut at = Dag::ENTRY;
    while at != dag.error() {
        let next = (0..dag.edges().len()).find(|i| dag.edges()[*i].from == at && guards.edges[*i].is_some_and(|l| model.lit(l)));
        let Some(i) = next else { return unreadable() };
        taken.push(EdgeId(i));
        at = dag.edges()[i].to;
    }
    let formulas = dag.edges().iter().enumerate().map(|(i, e)| if taken.contains(&EdgeId(i)) { e.formula } else { Term::ff() });
    match decide(&dag.with_formulas(formulas), budget) {
        Decision::Sat(Witness { path, values }) => Answer::Model(Witness { path, values }),
        Decision::Unsat => Answer::Unknown(Reason::Incomplete("an operator that is taken as unknown, or an address that is".into())),
        Decision::Unknown(why) => Answer::Unknown(why),
    }
}
