//! k-induction over blocks, strengthened by invariants: those of the interval analysis, or any that somebody gives.
//!
//! A *block* leads from one cut point (entry or loop head, under its calls) to the next. For growing k: no error is reached within k
//! blocks from the entry (base), and none in the block after k blocks from any cut point, in any state of the invariants (step); an execution
//! that passed an error location would have ended there, so passing k blocks assumes their assertions. Frontiers of both are
//! kept, so that each k adds one block.

use crate::query::{Answer, Queries};
use crate::trace;
use crate::unroll::{add, Bound, State, Unroller, Wave, BLOCK_POINTS};
use plumb_cfa::unwind::{Orders, Unwound};
use plumb_cfa::{Point, Program};
use plumb_term::{Budget, Term};
use plumb_transform::interval;
use plumb_verdict::{Method, Proof, Reason, ReasonKind, Verdict};
use std::collections::btree_map::{BTreeMap, Entry};

/// The largest k tried.
const MAX_K: u32 = 10_000;

type Frontier = BTreeMap<Unwound, State>;

struct Run<'p> {
    program: &'p Program,
    orders: &'p Orders<'p>,
    budget: &'p Budget,
    /// Executes from the entry: its inputs are those of real executions.
    base: Unroller<'p>,
    /// Executes from all states of the invariants.
    step: Unroller<'p>,
    queries: Queries<'p>,
    invariants: BTreeMap<Point, Term>,
}

/// Tries to prove safety by induction, finding errors on the way.
pub fn run(program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str)) -> Verdict {
    let orders = Orders::new(program);
    progress("interval analysis");
    let quarter = budget.part(4);
    let facts = interval::analyse(program, &orders, &quarter).unwrap_or_default();
    let invariants = facts.into_iter().map(|(p, ts)| (p, Term::all(ts))).collect();
    run_with(program, invariants, budget, progress)
}

/// The same with invariants of any origin. They are part of the proof, so the checker sees to it that they hold.
pub fn run_with(program: &Program, invariants: BTreeMap<Point, Term>, budget: &Budget, progress: &mut dyn FnMut(&str)) -> Verdict {
    let orders = Orders::new(program);
    let mut run = Run {
        program,
        orders: &orders,
        budget,
        base: Unroller::new(program, &orders),
        step: Unroller::new(program, &orders),
        queries: Queries::new(program, budget),
        invariants,
    };
    run.search(progress).unwrap_or_else(Verdict::Unknown)
}

impl Run<'_> {
    fn search(&mut self, progress: &mut dyn FnMut(&str)) -> Result<Verdict, Reason> {
        let mut base = self.base.entry();
        let mut steps = self.cut_points()?;
        for k in 0..MAX_K {
            progress(&format!("k-induction, k = {k}"));
            let (next, errors) = self.advance(base, true)?;
            base = next;
            match self.queries.any(errors) {
                Answer::Sat(model) => {
                    return Ok(Verdict::Unsafe(trace::from_model(self.program, &self.base.asked, &|v| model.var(v))));
                }
                Answer::Unsat => {}
                Answer::Unknown(why) => return Err(Reason::new(why)),
            }
            let mut failed = None;
            for (i, (_, frontier)) in steps.iter_mut().enumerate() {
                let (next, errors) = self.advance(std::mem::take(frontier), false)?;
                *frontier = next;
                if failed.is_some() {
                    continue;
                }
                match self.queries.any(errors) {
                    Answer::Unsat => {}
                    Answer::Sat(_) => failed = Some(i),
                    Answer::Unknown(why) => return Err(Reason::new(why)),
                }
            }
            // Where the step failed it will probably fail again: ask there first.
            if let Some(i) = failed {
                steps[..=i].rotate_right(1);
            } else {
                let method = if k == 0 { Method::Inductive } else { Method::KInduction { k } };
                return Ok(Verdict::Safe(Proof { method, invariants: self.invariants.clone() }));
            }
        }
        Err(Reason::new(ReasonKind::Incomplete(format!("not {MAX_K}-inductive"))))
    }

    fn wave(&mut self, from: Frontier, base: bool) -> Result<Wave, Reason> {
        let unroller = if base { &mut self.base } else { &mut self.step };
        let wave = unroller.wave(from, Bound::Block, BLOCK_POINTS, self.budget);
        wave.ok_or_else(|| {
            Reason::new(if self.budget.is_over() {
                ReasonKind::Time
            } else {
                ReasonKind::Incomplete("a block between two loop heads is too large".into())
            })
        })
    }

    /// All cut points but the entry, each with the frontier that consists of all states of its invariant.
    fn cut_points(&mut self) -> Result<Vec<(Point, Frontier)>, Reason> {
        let mut found: BTreeMap<Point, Frontier> = BTreeMap::new();
        let mut work = vec![self.step.entry()];
        while let Some(from) = work.pop() {
            let wave = self.wave(from, false)?;
            for (what, span, condition) in wave.unsupported {
                if !matches!(self.queries.any([condition]), Answer::Unsat) {
                    return Err(Reason::new(ReasonKind::Unsupported(what)).at(span));
                }
            }
            for (at, _) in wave.waiting {
                let p = at.point();
                if self.orders.calls().is_recursive(p.func) || p.stack.iter().any(|s| self.orders.calls().is_recursive(s.func)) {
                    let name = &self.program.function(p.func).name;
                    return Err(Reason::new(ReasonKind::Incomplete(format!("k-induction does not treat the recursion around `{name}`"))));
                }
                if let Entry::Vacant(e) = found.entry(p) {
                    let p = e.key();
                    let mut s = State::default();
                    if let Some(path) = s.path.and(invariant(&self.invariants, p)) {
                        s.path = path;
                    }
                    let frontier = BTreeMap::from([(Unwound::start(self.orders, p), s)]);
                    e.insert(frontier.clone());
                    work.push(frontier);
                }
            }
        }
        Ok(found.into_iter().collect())
    }

    /// One block further, with the invariants assumed where it ends; and the conditions of errors on the way.
    fn advance(&mut self, from: Frontier, base: bool) -> Result<(Frontier, Vec<Term>), Reason> {
        let wave = self.wave(from, base)?;
        let mut next = Frontier::new();
        for (at, mut s) in wave.waiting {
            let p = at.point();
            let holds = self.step.value(&s, &at, invariant(&self.invariants, &p));
            let Some(path) = s.path.and(holds) else { continue };
            s.path = path;
            add(self.program, &mut next, Unwound::start(self.orders, &p), s);
        }
        Ok((next, wave.errors.into_iter().map(|e| e.1).collect()))
    }
}

fn invariant(invariants: &BTreeMap<Point, Term>, p: &Point) -> Term {
    invariants.get(p).copied().unwrap_or_else(Term::tt)
}
