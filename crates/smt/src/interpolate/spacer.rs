//! Interpolants as solutions of recursion-free Horn clauses, by Z3's Spacer: a relation for each node, a clause for each edge.
//!
//! Robust and general, but slow: Spacer rediscovers by its own search what one refutation of the graph's condition would tell.
//! Source: Rümmer, Hojjat, Kuncak, "Disjunctive interpolants for Horn-clause verification" (CAV 2013), for the correspondence.

use super::condition::{decide, Decision};
use super::dag::Dag;
use super::tree::Tree;
use super::{Answer, Interpolator};
use crate::apart::apart;
use crate::encode::Unencodable;
use crate::horn::{Horn, HornAnswer, RelationId};
use crate::solver::{Limits, Reason};
use plumb_term::{Budget, Term, Var};

/// The engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spacer;

impl Interpolator for Spacer {
    fn name(&self) -> &'static str {
        "spacer"
    }

    fn dag(&mut self, dag: &Dag, budget: &Budget) -> Answer {
        let (dag, time) = (dag.clone(), budget.clone());
        apart(budget, move || Spacer::solve(&dag, &time)).unwrap_or(Answer::Unknown(Reason::Time))
    }

    fn tree(&mut self, tree: &Tree, budget: &Budget) -> Answer {
        let (tree, time) = (tree.clone(), budget.clone());
        apart(budget, move || Spacer::solve_tree(&tree, &time)).unwrap_or(Answer::Unknown(Reason::Time))
    }
}

impl Spacer {
    fn solve(dag: &Dag, budget: &Budget) -> Answer {
        let useful = dag.useful();
        let plain = |n: usize| useful.plain(n);
        if useful.is_empty() {
            return Answer::Labels((0..dag.nodes().len()).filter_map(plain).collect());
        }
        let system = || -> Result<(Horn, Vec<Option<usize>>), Reason> {
            let mut horn = Horn::new(&Limits::default()).map_err(|e| Reason::Incomplete(e.to_string()))?;
            let mut relations: Vec<Option<RelationId>> = vec![None; dag.nodes().len()];
            let mut places = vec![None; dag.nodes().len()];
            let open = dag.nodes().iter().enumerate().filter(|(i, _)| plain(*i).is_none());
            for (count, (i, vars)) in open.enumerate() {
                relations[i] = Some(horn.relation(&format!("n{i}"), vars).map_err(Reason::Unencodable)?);
                places[i] = Some(count);
            }
            for (_, e) in dag.edges().iter().enumerate().filter(|(i, _)| useful.edges[*i]) {
                let head = relations[e.to.0].map(|r| (r, values(&dag.nodes()[e.to.0])));
                let body: Vec<RelationId> = relations[e.from.0].into_iter().collect();
                clause(&mut horn, &body, e.formula, head).map_err(Reason::Unencodable)?;
            }
            Ok((horn, places))
        };
        let (mut horn, places) = match system() {
            Ok(made) => made,
            Err(why) => return Answer::Unknown(why),
        };
        match horn.solve(budget) {
            HornAnswer::Solved(found) => {
                let label = |(n, place): (usize, &Option<usize>)| place.map_or_else(|| plain(n).unwrap_or_else(Term::tt), |p| found[p]);
                Answer::Labels(places.iter().enumerate().map(label).collect())
            }
            HornAnswer::Unsolvable => match decide(dag, budget) {
                Decision::Sat(w) => Answer::Model(w),
                Decision::Unsat => Answer::Unknown(Reason::Incomplete("the Horn solver and the plain check disagree".into())),
                Decision::Unknown(why) => Answer::Unknown(why),
            },
            HornAnswer::Unknown(why) => Answer::Unknown(why),
        }
    }

    fn solve_tree(tree: &Tree, budget: &Budget) -> Answer {
        let solve = || -> Result<HornAnswer, Reason> {
            let mut horn = Horn::new(&Limits::default()).map_err(|e| Reason::Incomplete(e.to_string()))?;
            let root = tree.nodes().len() - 1;
            let mut relations = Vec::with_capacity(root);
            for (i, n) in tree.nodes()[..root].iter().enumerate() {
                relations.push(horn.relation(&format!("n{i}"), &n.vars).map_err(Reason::Unencodable)?);
            }
            for (i, n) in tree.nodes().iter().enumerate() {
                let body: Vec<RelationId> = n.children.iter().map(|c| relations[c.0]).collect();
                let head = relations.get(i).map(|r| (*r, values(&n.vars)));
                clause(&mut horn, &body, n.formula, head).map_err(Reason::Unencodable)?;
            }
            Ok(horn.solve(budget))
        };
        match solve() {
            Ok(HornAnswer::Solved(mut found)) => {
                found.push(Term::ff());
                Answer::Labels(found)
            }
            // The first of these problems is the whole tree, which has a model.
            Ok(HornAnswer::Unsolvable) => tree.one_by_one(|dag| Spacer::solve(dag, budget)),
            // A solution with quantifiers, for instance: smaller systems have simpler ones.
            Ok(HornAnswer::Unknown(Reason::Incomplete(_))) => tree.one_by_one(|dag| Spacer::solve(dag, budget)),
            Ok(HornAnswer::Unknown(why)) | Err(why) => Answer::Unknown(why),
        }
    }
}

fn values(vars: &[Var]) -> Vec<Term> {
    vars.iter().map(|v| Term::var(*v)).collect()
}

fn clause(horn: &mut Horn, body: &[RelationId], condition: Term, head: Option<(RelationId, Vec<Term>)>) -> Result<(), Unencodable> {
    horn.clause_of(body, condition, head.as_ref().map(|(r, v)| (*r, v.as_slice())))
}
