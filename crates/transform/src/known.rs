//! What is known is assumed: facts at loop heads become `assume` edges. Exact, as far as the facts hold.
//!
//! The assumption stands behind the head, `head → assume F → head'`, so that the head stays a head and every block from it has the fact.
//! A fact is a formula at a point, an edge belongs to a location: where several stacks of calls lead to a location, what is known under all
//! of them is assumed.
//!
//! **Proofs** come back strengthened by the facts: if `I` is inductive for the new program and `F` for the old one, `I ∧ F` is inductive for
//! the old one. **Traces** come back as they are: no input is added.

use crate::draft::{Draft, DraftEdge, Made};
use crate::pass::BackTranslation;
use crate::points::{strengthen, PointMap};
use plumb_cfa::callgraph::CallGraph;
use plumb_cfa::wto::Wto;
use plumb_cfa::{FuncId, Function, Loc, LocInfo, Op, Program};
use plumb_term::Term;
use plumb_verdict::{is_ground, Facts, Proof, Trace};
use std::collections::{BTreeMap, BTreeSet};

/// Assumes facts.
#[derive(Clone, Copy, Debug)]
pub struct Known<'f>(pub &'f Facts);

impl Known<'_> {
    /// The new program and the way back; nothing if no fact can be assumed.
    pub fn apply(&self, program: &Program) -> Option<(Program, Box<dyn BackTranslation>)> {
        let mut assumed = self.by_location(program);
        let mut points = PointMap::default();
        let mut functions = Vec::new();
        let mut any = false;
        for (i, f) in program.functions.iter().enumerate() {
            let here = assumed.remove(&FuncId(i as u32)).unwrap_or_default();
            let heads = Wto::new(&f.graph, f.entry);
            let here: BTreeMap<Loc, Term> = here.into_iter().filter(|(l, _)| heads.headed_by(*l).is_some()).collect();
            any |= !here.is_empty();
            functions.push(points.add(assuming(f, &here)));
        }
        any.then(|| {
            let back = Back { points, facts: self.0.clone() };
            (Program { functions, ..program.clone() }, Box::new(back) as Box<dyn BackTranslation>)
        })
    }

    /// What holds at a location under all stacks of calls.
    fn by_location(&self, program: &Program) -> BTreeMap<FuncId, BTreeMap<Loc, Term>> {
        let contexts = contexts(program);
        let mut found: BTreeMap<(FuncId, Loc), (usize, BTreeSet<Term>)> = BTreeMap::new();
        for (p, t) in &self.0.at {
            let here: BTreeSet<Term> = t.conjuncts().into_iter().filter(|c| is_ground(*c)).collect();
            let (seen, common) = found.entry((p.func, p.loc)).or_insert_with(|| (0, here.clone()));
            *seen += 1;
            common.retain(|c| here.contains(c));
        }
        let mut out: BTreeMap<FuncId, BTreeMap<Loc, Term>> = BTreeMap::new();
        for ((f, l), (seen, common)) in found {
            let all = Term::all(common);
            if contexts.get(f.0 as usize).is_some_and(|n| *n == Some(seen)) && !all.is_true() {
                out.entry(f).or_default().insert(l, all);
            }
        }
        out
    }
}

/// How many stacks of calls lead to each function; nothing if that is not known.
fn contexts(program: &Program) -> Vec<Option<usize>> {
    let calls = CallGraph::new(program);
    let mut out: Vec<Option<usize>> = vec![Some(0); program.functions.len()];
    let mut order = calls.bottom_up(program.entry);
    order.reverse();
    out[program.entry.0 as usize] = Some(1);
    for f in order {
        let mine = out[f.0 as usize].filter(|_| !calls.is_recursive(f));
        out[f.0 as usize] = mine;
        for (_, e) in program.function(f).graph.edges() {
            if let Op::Call { func, .. } = &e.op {
                let theirs = &mut out[func.0 as usize];
                *theirs = theirs.zip(mine).and_then(|(a, b)| a.checked_add(b));
            }
        }
    }
    out
}

/// The function with assumptions behind locations.
fn assuming(f: &Function, facts: &BTreeMap<Loc, Term>) -> Made {
    let mut draft = Draft::new(f);
    for (at, fact) in facts {
        let Some(first) = f.graph.out_edges(*at).first().copied() else { continue };
        let span = f.graph.loc(*at).span;
        let behind = draft.add_loc(LocInfo { span, ..LocInfo::default() }, *at);
        draft.edges.iter_mut().filter(|e| e.from == *at).for_each(|e| e.from = behind);
        draft.edges.push(DraftEdge { old: first, from: *at, to: behind, op: Op::Assume(*fact), span, alive: true });
    }
    draft.finish()
}

struct Back {
    points: PointMap,
    facts: Facts,
}

impl BackTranslation for Back {
    fn proof(&self, proof: Proof) -> Proof {
        strengthen(self.points.proof(proof, &mut |_, t| t), &self.facts.at)
    }

    fn trace(&self, trace: Trace) -> Trace {
        trace
    }
}
