//! Constant folding: variables and cells that the interval analysis knows to have one value where they are read are replaced by
//! it, conditions that it decides disappear, and so do edges that are never taken and locations that are never reached. Exact.
//!
//! **Proofs** come back with the ranges at loop heads as additional facts, which are inductive by themselves and imply what was folded
//! ([`Ranges::reasons`]). **Traces** come back as they are: no input is removed that an execution takes.

use crate::draft::{map_terms, Draft};
use crate::interval::env::Env;
use crate::interval::transfer::{self, Eval};
use crate::interval::Ranges;
use crate::pass::{BackTranslation, Identity, Pass, PassError};
use crate::points::{strengthen, PointMap};
use plumb_cfa::choice::not_preempted;
use plumb_cfa::unwind::Orders;
use plumb_cfa::{FuncId, Op, Point, Program};
use plumb_term::visit::Rewriter;
use plumb_term::{Budget, Kind, Term, VarId};
use plumb_verdict::{Proof, Trace};
use std::collections::BTreeMap;

/// Folds constants. If the budget ends before the analysis does, nothing is folded.
#[derive(Clone, Debug)]
pub struct Fold {
    /// For the analysis.
    pub budget: Budget,
}

impl Pass for Fold {
    fn name(&self) -> &'static str {
        "fold"
    }

    fn run(&self, program: Program) -> Result<(Program, Box<dyn BackTranslation>), PassError> {
        let orders = Orders::new(&program);
        let Some(ranges) = Ranges::new(&program, &orders, &self.budget) else {
            drop(orders);
            return Ok((program, Box::new(Identity)));
        };
        let reasons = ranges.reasons(&program, &orders);
        let mut points = PointMap::default();
        let mut functions = Vec::new();
        for (i, f) in program.functions.iter().enumerate() {
            let id = FuncId(i as u32);
            let wto = orders.wto(id);
            let mut draft = Draft::new(f);
            for (e, edge) in f.graph.edges() {
                let folded = ranges.at(id, edge.from).map(|env| fold(&program, env, &edge.op, not_preempted(&f.graph, e)));
                match folded {
                    Some(Some(op)) => draft.edges[e.index()].op = op,
                    Some(None) => draft.cut(e, wto),
                    // Where no execution comes, only the shape of loops matters.
                    None => draft.edges[e.index()].op = Op::Skip,
                }
            }
            functions.push(points.add(draft.finish()));
        }
        drop(orders);
        Ok((Program { functions, ..program }, Box::new(Back { points, reasons })))
    }
}

/// The operation in the states of `env`; `None` if it is never started.
fn fold(program: &Program, env: &Env, op: &Op, not_preempted: Term) -> Option<Op> {
    let env = transfer::assume(program, env, not_preempted, 0)?;
    let mut rewriter = Rewriter::new();
    let mut constants = |t: Term| rewriter.rewrite(t, &mut |n| constant(program, &env, n));
    Some(match op {
        Op::Assume(c) | Op::Guard { cond: c, .. } => match Eval::new(program, &env).truth(*c, 0) {
            // A guard that fails ends the execution as an assumption does.
            Some(false) => return None,
            Some(true) => Op::Skip,
            None => match map_terms(op, &mut constants) {
                Op::Assume(c) | Op::Guard { cond: c, .. } if c.is_true() => Op::Skip,
                Op::Assume(c) if c.is_false() => return None,
                op => op,
            },
        },
        op => map_terms(op, &mut constants),
    })
}

/// The value of a variable or of a cell that has only one.
fn constant(program: &Program, env: &Env, t: Term) -> Option<Term> {
    match t.kind() {
        Kind::Var(v) if v.version == 0 && v.id < VarId::FIRST_AUX && !program.is_memory(v.id) => env.constant(program, v.id).map(Term::int),
        Kind::Load(..) => {
            let r = Eval::new(program, env).range(t);
            r.lo.filter(|l| r.hi == Some(*l)).map(Term::int)
        }
        _ => None,
    }
}

/// The way back.
struct Back {
    points: PointMap,
    reasons: BTreeMap<Point, Term>,
}

impl BackTranslation for Back {
    fn proof(&self, proof: Proof) -> Proof {
        strengthen(self.points.proof(proof, &mut |_, t| t), &self.reasons)
    }

    fn trace(&self, trace: Trace) -> Trace {
        trace
    }
}
