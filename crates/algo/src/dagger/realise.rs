//! From an error path to the inputs of an execution: the path's edges are executed symbolically, exactly, and the solver decides.

use super::control::Target;
use super::search::Search;
use super::Stop;
use crate::query::{Answer, Queries};
use crate::trace;
use crate::unroll::Asked;
use plumb_cfa::choice::not_preempted;
use plumb_cfa::store::Store;
use plumb_cfa::Effect;
use plumb_num::NumDomain;
use plumb_term::visit::Rewriter;
use plumb_term::{Kind, Term, Var, VarId};
use plumb_verdict::{Reason, ReasonKind, Verdict};

impl<D: NumDomain> Search<'_, D> {
    /// The verdict that the execution of a path gives; nothing if it cannot be executed.
    pub(super) fn realise(&mut self, path: &[usize]) -> Result<Option<Verdict>, Stop> {
        let (condition, asked) = self.execute(path);
        let target = path.last().and_then(|e| self.target(self.model.edges[*e].to));
        let mut queries = Queries::new(self.model.program, self.budget);
        match queries.any([condition]) {
            Answer::Unsat => Ok(None),
            Answer::Unknown(ReasonKind::Time) => Err(Stop::Time),
            Answer::Unknown(why) => Err(Stop::Reason(Reason::new(why))),
            Answer::Sat(model) => match target {
                Some(Target::Unsupported(what, span)) => Err(Stop::Reason(Reason::new(ReasonKind::Unsupported(what.clone())).at(*span))),
                _ => Ok(Some(Verdict::Unsafe(trace::from_model(self.model.program, &asked, &|v| model.var(v))))),
            },
        }
    }

    /// When a path is executed, and the inputs it takes.
    pub(super) fn execute(&self, path: &[usize]) -> (Term, Vec<Asked>) {
        let program = self.model.program;
        let graph = &program.function(program.entry).graph;
        let mut store = Store::default();
        let mut condition = Vec::new();
        let mut asked: Vec<Asked> = Vec::new();
        let edges = path.iter().flat_map(|e| &self.model.control.ways[self.model.edges[*e].way].path);
        for id in edges {
            let first = VarId::FIRST_AUX.0 + asked.len() as u32;
            let mut rewriter = Rewriter::new();
            let mut value = |t: Term| {
                rewriter.rewrite(t, &mut |n| match n.kind() {
                    Kind::Var(v) if v.id >= VarId::FIRST_AUX => {
                        Some(Term::var(Var { id: VarId(first + (v.id.0 - VarId::FIRST_AUX.0)), ..*v }))
                    }
                    Kind::Var(v) if v.version == 0 => Some(store.get(program, 0, v.id)),
                    _ => None,
                })
            };
            condition.push(value(not_preempted(graph, *id)));
            let Some(effect) = Effect::of(&graph.edge(*id).op, program) else { continue };
            condition.push(value(effect.assume));
            let values: Vec<(VarId, Term)> = effect.updates.iter().map(|(v, t)| (*v, value(*t))).collect();
            for (v, t) in values {
                store.set(0, v, t);
            }
            for (i, input) in effect.inputs.iter().enumerate() {
                let var = Var { id: VarId(first + i as u32), ..input.var };
                asked.push(Asked { var, source: input.source.clone(), span: graph.edge(*id).span, condition: Term::tt() });
            }
        }
        (Term::all(condition), asked)
    }
}
