//! Forward abstract interpretation along weak topological orders (Bourdoncle 1993), calls analysed in place.
//!
//! A recursive call is not followed: after it nothing is known. Loops are joined a few times, widened up to the comparisons met so
//! far, and go down once. The analysis ends early when its budget does; what was recorded until then is a trace all the same.

use std::collections::BTreeSet;

use plumb_cfa::choice::not_preempted;
use plumb_cfa::liveness::Liveness;
use plumb_cfa::unwind::Orders;
use plumb_cfa::{EdgeId, Effect, FuncId, Loc, Op, Program, VarKind};
use plumb_num::trace::{Recorder, Trace, Traced};
use plumb_num::{Dim, Lattice, LinCons, NumDomain, Poly, Polyhedra};
use plumb_term::{Budget, VarId};
use plumb_transform::interval::Ranges;

use crate::space::{Frame, Space};
use crate::transfer::Place;

/// Plain joins before widening.
const DELAY: u32 = 2;
/// Operations of one trace, after which the analysis ends.
const MAX_OPS: usize = 2_000;

type Elem = Traced<Poly>;

/// The budget is used up.
struct Over;

struct Analysis<'p> {
    program: &'p Program,
    orders: &'p Orders<'p>,
    ranges: &'p Ranges,
    live: Liveness,
    budget: &'p Budget,
    domain: Recorder<Polyhedra>,
    space: Space,
    /// Comparisons met so far: the thresholds.
    seen: BTreeSet<LinCons>,
    /// Whether neither an error nor a recursive call nor anything unsupported has been reached.
    safe: bool,
}

/// One activation: the states at its locations.
struct Activation {
    frame: Frame,
    entry: Elem,
    states: Vec<Option<Elem>>,
}

/// What the analysis of a program asks of the polyhedra, and whether it proves that no error is reached.
pub fn record(program: &Program, orders: &Orders<'_>, ranges: &Ranges, budget: &Budget) -> (Trace, bool) {
    let live = Liveness::new(program);
    let (domain, space) = (Recorder::new(Polyhedra::default()), Space::new(program, &live));
    let mut a = Analysis { program, orders, ranges, live, budget, domain, space, seen: BTreeSet::new(), safe: true };
    let (frame, top) = (a.space.entry(program.entry), a.domain.top());
    // An early end leaves a shorter trace.
    let finished = a.function(frame, top).is_ok();
    (a.domain.finish(), finished && a.safe)
}

impl Analysis<'_> {
    /// The states at the exit; none if it is not reached.
    fn function(&mut self, frame: Frame, entry: Elem) -> Result<Option<Elem>, Over> {
        let f = self.program.function(frame.func);
        let mut act = Activation { frame, entry, states: vec![None; f.graph.num_locs()] };
        self.sequence(&mut act, 0, self.orders.wto(frame.func).order().len())?;
        Ok(act.states[f.exit.index()].take())
    }

    fn sequence(&mut self, act: &mut Activation, from: usize, to: usize) -> Result<(), Over> {
        let orders = self.orders;
        let wto = orders.wto(act.frame.func);
        let mut i = from;
        while i < to {
            let l = wto.order()[i];
            if let Some(c) = wto.headed_by(l) {
                let end = wto.span(c).end;
                self.component(act, i, end)?;
                i = end;
            } else {
                act.states[l.index()] = self.arriving(act, l)?;
                i += 1;
            }
        }
        Ok(())
    }

    fn component(&mut self, act: &mut Activation, from: usize, to: usize) -> Result<(), Over> {
        let orders = self.orders;
        let body = &orders.wto(act.frame.func).order()[from..to];
        let head = body[0].index();
        body.iter().for_each(|l| act.states[l.index()] = None);
        act.states[head] = self.arriving(act, body[0])?;
        for round in 0.. {
            let Some(old) = act.states[head].clone() else { return Ok(()) };
            self.sequence(act, from + 1, to)?;
            let Some(new) = self.arriving(act, body[0])? else { return Ok(()) };
            if self.domain.leq(&new, &old) {
                // One step down; the states inside follow.
                if !self.domain.leq(&old, &new) {
                    act.states[head] = Some(self.domain.meet(&old, &new));
                    self.sequence(act, from + 1, to)?;
                }
                return Ok(());
            }
            let upper = self.domain.join(&old, &new);
            let thresholds: Vec<LinCons> = self.seen.iter().cloned().collect();
            let next = if round < DELAY { upper } else { self.domain.widen_up_to(&old, &upper, &thresholds) };
            act.states[head] = Some(next);
        }
        Ok(())
    }

    /// The join of what comes in over all edges, without what is dead.
    fn arriving(&mut self, act: &Activation, l: Loc) -> Result<Option<Elem>, Over> {
        let program = self.program;
        let f = program.function(act.frame.func);
        let mut out = (l == f.entry).then(|| act.entry.clone());
        for id in f.graph.in_edges(l) {
            let Some(before) = &act.states[f.graph.edge(*id).from.index()] else { continue };
            if let Some(after) = self.edge(act.frame, *id, before)? {
                let after = self.without_dead(act.frame, l, after);
                out = Some(match out {
                    None => after,
                    Some(o) => self.domain.join(&o, &after),
                });
            }
        }
        self.safe &= out.is_none() || !f.errors.contains(&l);
        Ok(out)
    }

    /// Forgets the temporaries that nothing reads any more.
    fn without_dead(&self, frame: Frame, l: Loc, e: Elem) -> Elem {
        let support = self.domain.support(&e);
        let locals = self.program.function(frame.func).locals.iter().filter(|v| self.program.var(**v).kind == VarKind::Temp);
        let (live, dead): (Vec<VarId>, Vec<VarId>) = locals.partition(|v| self.live.is_live(frame.func, l, **v));
        let dims = |vs: Vec<VarId>| -> BTreeSet<Dim> { vs.into_iter().filter_map(|v| self.space.dim(self.program, frame, v)).collect() };
        let (live, dead) = (dims(live), dims(dead));
        let dead: Vec<Dim> = dead.into_iter().filter(|d| !live.contains(d) && support.contains(d)).collect();
        if dead.is_empty() {
            e
        } else {
            self.domain.forget(&e, &dead)
        }
    }

    fn edge(&mut self, frame: Frame, id: EdgeId, before: &Elem) -> Result<Option<Elem>, Over> {
        if self.budget.is_over() || self.domain.recorded() >= MAX_OPS {
            return Err(Over);
        }
        let program = self.program;
        let graph = &program.function(frame.func).graph;
        let edge = graph.edge(id);
        let Some(env) = self.ranges.at(frame.func, edge.from) else { return Ok(None) };
        if let Op::Call { func, args, dst } = &edge.op {
            if self.orders.calls().is_recursive(*func) {
                self.safe = false;
                return Ok(Some(self.domain.top()));
            }
            let callee = self.space.callee(frame, *func);
            let place = Place { domain: &self.domain, program, space: &self.space, frame, env };
            let params = program.function(*func).params.iter().zip(args);
            let params: Vec<_> = params.filter_map(|(p, a)| Some((self.space.dim(program, callee, *p)?, Some(*a)))).collect();
            let entry = place.assign(before, &params);
            let after = self.function(callee, entry)?;
            return Ok(after.map(|e| self.returned(frame, callee, *func, *dst, e)));
        }
        let Some(effect) = Effect::of(&edge.op, program) else {
            self.safe = false;
            return Ok(None);
        };
        let place = Place { domain: &self.domain, program, space: &self.space, frame, env };
        let mut e = before.clone();
        for t in [not_preempted(graph, id), effect.assume] {
            if !t.is_true() {
                e = place.assume(&e, t, 0, &mut self.seen);
                if self.domain.is_bottom(&e) {
                    return Ok(None);
                }
            }
        }
        let updates = place.updates(&effect.updates);
        Ok(Some(if updates.is_empty() { e } else { place.assign(&e, &updates) }))
    }

    /// The caller's state after a call: the result is taken, the callee's variables are gone.
    fn returned(&self, frame: Frame, callee: Frame, func: FuncId, dst: Option<VarId>, e: Elem) -> Elem {
        let (d, program) = (&self.domain, self.program);
        let result = program.function(func).result.and_then(|r| self.space.dim(program, callee, r));
        let target = dst.and_then(|v| self.space.dim(program, frame, v));
        let e = match (target, result) {
            (Some(x), Some(r)) => d.assign(&e, x, &r.into()),
            (Some(x), None) => d.forget(&e, &[x]),
            (None, _) => e,
        };
        let gone: Vec<Dim> = d.support(&e).into_iter().filter(|x| self.space.is_local(callee, *x)).collect();
        if gone.is_empty() {
            e
        } else {
            d.forget(&e, &gone)
        }
    }
}
