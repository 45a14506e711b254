//! Replaying a trace in PPL.

use super::{constraints, expression};
use plumb_num::trace::{ElemId, Trace, TraceOp};
use plumb_num::ConsKind;
use plumb_num_oracle as ppl;

/// A trace with everything PPL wants to be given already built.
pub struct Prepared<'s> {
    session: &'s ppl::Session,
    dims: usize,
    ops: Vec<(Op<'s>, Vec<ElemId>)>,
}

enum Op<'s> {
    Top,
    Bottom,
    Assume(ElemId, ppl::Constraints<'s>),
    Assign(ElemId, usize, ppl::Expression<'s>),
    Preimage(ElemId, usize, ppl::Expression<'s>),
    Forget(ElemId, Vec<usize>),
    Permute(ElemId, Vec<usize>),
    Join(ElemId, ElemId),
    Meet(ElemId, ElemId),
    Widen(ElemId, ElemId),
    Leq(ElemId, ElemId, bool),
    IsBottom(ElemId, bool),
    Entails(ElemId, ppl::Constraints<'s>, bool),
    Bounds(ElemId, ppl::Expression<'s>),
}

impl<'s> Prepared<'s> {
    pub fn new(session: &'s ppl::Session, trace: &Trace) -> Self {
        let dims = trace.dims() as usize;
        let ops = trace.ops.iter().zip(trace.last_uses()).map(|(op, last)| (prepare(session, dims, op), last)).collect();
        Prepared { session, dims, ops }
    }

    /// Carries the trace out; `look` sees every element as it is made. Answers must be the recorded ones. Elements are
    /// modified in place where they are not used again, as a client of PPL would.
    pub fn run(&self, mut look: impl FnMut(&ppl::Poly<'s>)) {
        let mut elems: Vec<Option<ppl::Poly<'s>>> = Vec::new();
        for (op, last) in &self.ops {
            let mut take = |id: &ElemId| {
                let slot = &mut elems[id.0 as usize];
                let elem = if last.contains(id) { slot.take() } else { slot.clone() };
                elem.expect("an operand is live until its last use")
            };
            let made = match op {
                Op::Top => ppl::Poly::universe(self.session, self.dims),
                Op::Bottom => ppl::Poly::empty(self.session, self.dims),
                Op::Assume(a, cs) => {
                    let mut p = take(a);
                    p.add(cs);
                    p
                }
                Op::Assign(a, x, e) => {
                    let mut p = take(a);
                    p.assign(*x, e);
                    p
                }
                Op::Preimage(a, x, e) => {
                    let mut p = take(a);
                    p.preimage(*x, e);
                    p
                }
                Op::Forget(a, dims) => {
                    let mut p = take(a);
                    p.forget(dims);
                    p
                }
                Op::Permute(a, map) => {
                    let mut p = take(a);
                    p.permute(map);
                    p
                }
                Op::Join(a, b) | Op::Meet(a, b) | Op::Widen(b, a) if a == b => take(a),
                Op::Join(a, b) => {
                    let mut p = take(a);
                    p.hull(live(&elems, b));
                    p
                }
                Op::Meet(a, b) => {
                    let mut p = take(a);
                    p.meet(live(&elems, b));
                    p
                }
                Op::Widen(old, new) => {
                    let mut p = take(new);
                    p.widen_from(live(&elems, old));
                    p
                }
                question => {
                    self.ask(question, &elems);
                    last.iter().for_each(|id| elems[id.0 as usize] = None);
                    continue;
                }
            };
            look(&made);
            elems.push(Some(made));
            last.iter().for_each(|id| elems[id.0 as usize] = None);
        }
    }

    fn ask(&self, question: &Op<'s>, elems: &[Option<ppl::Poly<'s>>]) {
        match question {
            Op::Leq(a, b, answer) => assert_eq!(live(elems, b).contains(live(elems, a)), *answer),
            Op::IsBottom(a, answer) => assert_eq!(live(elems, a).is_empty(), *answer),
            // PPL decides over the rationals, which is the stronger statement.
            Op::Entails(a, c, answer) => assert!(!live(elems, a).entails(c) || *answer),
            Op::Bounds(a, e) => {
                live(elems, a).bounds(e);
            }
            _ => unreachable!("operations that make elements are handled before"),
        }
    }
}

fn live<'a, 's>(elems: &'a [Option<ppl::Poly<'s>>], id: &ElemId) -> &'a ppl::Poly<'s> {
    elems[id.0 as usize].as_ref().expect("an operand is live until its last use")
}

fn prepare<'s>(session: &'s ppl::Session, dims: usize, op: &TraceOp) -> Op<'s> {
    match op {
        TraceOp::Top => Op::Top,
        TraceOp::Bottom => Op::Bottom,
        TraceOp::Assume(a, cs) => Op::Assume(*a, constraints(session, dims, cs)),
        TraceOp::Assign(a, x, e) => Op::Assign(*a, x.index(), expression(session, dims, e)),
        TraceOp::Preimage(a, x, e) => Op::Preimage(*a, x.index(), expression(session, dims, e)),
        TraceOp::Forget(a, ds) => Op::Forget(*a, ds.iter().map(|d| d.index()).collect()),
        TraceOp::Rename(a, map) => {
            // A permutation: the names that become free go to the dimensions that lose theirs.
            let mut to: Vec<usize> = (0..dims).collect();
            map.iter().for_each(|(x, y)| to[x.index()] = y.index());
            let free: Vec<usize> = map.iter().filter(|m| map.iter().all(|n| n.1 != m.0)).map(|m| m.0.index()).collect();
            let lost = map.iter().filter(|m| map.iter().all(|n| n.0 != m.1)).map(|m| m.1.index());
            lost.zip(free).for_each(|(x, y)| to[x] = y);
            Op::Permute(*a, to)
        }
        TraceOp::Join(a, b) => Op::Join(*a, *b),
        TraceOp::Meet(a, b) => Op::Meet(*a, *b),
        TraceOp::Widen(a, b) => Op::Widen(*a, *b),
        TraceOp::Leq(a, b, answer) => Op::Leq(*a, *b, *answer),
        TraceOp::IsBottom(a, answer) => Op::IsBottom(*a, *answer),
        TraceOp::Entails(a, c, _) if c.kind() == ConsKind::Ne => Op::Bounds(*a, expression(session, dims, c.expr())),
        TraceOp::Entails(a, c, answer) => Op::Entails(*a, constraints(session, dims, std::slice::from_ref(c)), *answer),
        TraceOp::Bounds(a, e) => Op::Bounds(*a, expression(session, dims, e)),
    }
}
