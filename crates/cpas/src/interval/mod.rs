//! Intervals: bounds for every integer and float variable, and for memory cells at constant addresses.
//!
//! The abstract states and their transfer functions are those of `plumb-transform`'s interval analysis; here they are an analysis among others,
//! which can be composed, kept apart by merge-sep, and strengthened. Bounds that grow at a cut move to the next constant of the program's conditions,
//! and away after some rounds; [`plumb_cpa::descend`] brings back what that gave up.

use plumb_cfa::{Program, VarKind};
use plumb_cpa::{Cpa, Domain, Facts, Note, Site, Step};
use plumb_term::visit::vars;
use plumb_term::{Range, Sort, Term, VarId};
use plumb_transform::interval::env::{meet, Env};
use plumb_transform::interval::transfer::{self, Eval};
use plumb_transform::interval::value::Interval;
use plumb_transform::interval::widen::Thresholds;

/// Joins at a cut before widening.
const DELAY: u32 = 3;
/// Widenings to thresholds before all bounds are given up.
const THRESHOLD_STEPS: u32 = 30;

/// The analysis.
#[derive(Clone, Debug)]
pub struct Intervals<'a> {
    program: &'a Program,
    thresholds: Thresholds,
}

/// The bounds, and how often they have grown at a cut.
#[derive(Clone, Debug)]
pub struct Bounds {
    env: Env,
    rounds: u32,
}

impl PartialEq for Bounds {
    fn eq(&self, o: &Bounds) -> bool {
        self.env.same(&o.env)
    }
}

impl<'a> Intervals<'a> {
    /// Of a program.
    pub fn new(program: &'a Program) -> Intervals<'a> {
        Intervals { program, thresholds: Thresholds::of(program) }
    }

    /// The bounds of a variable.
    pub fn of(&self, e: &Bounds, v: VarId) -> Range {
        e.env.var(self.program, v)
    }

    fn widened(&self, rounds: u32, old: Interval, new: Interval) -> Interval {
        if rounds < DELAY {
            return new;
        }
        self.thresholds.widen(old, new, rounds >= DELAY + THRESHOLD_STEPS)
    }
}

impl Domain for Intervals<'_> {
    type State = Bounds;

    fn leq(&self, a: &Bounds, b: &Bounds) -> bool {
        a.env.leq(self.program, &b.env)
    }

    fn join(&self, a: &Bounds, b: &Bounds) -> Bounds {
        let mut out = b.clone();
        out.env.join_with(self.program, &a.env, &mut |_, new| new);
        out
    }
}

impl Cpa for Intervals<'_> {
    type Key = ();
    type Prec = ();

    fn name(&self) -> &'static str {
        "interval"
    }

    fn initial(&self) -> Vec<Bounds> {
        vec![Bounds { env: Env::default(), rounds: 0 }]
    }

    fn key(&self, _e: &Bounds) {}

    fn transfer(&self, e: &Bounds, step: &Step) -> Vec<Bounds> {
        transfer::apply(self.program, &e.env, &step.effect).into_iter().map(|env| Bounds { env, rounds: 0 }).collect()
    }

    fn strengthen(&self, mut e: Bounds, step: &Step, others: &dyn Facts) -> Option<Bounds> {
        for c in others.assumptions() {
            e.env = transfer::assume(self.program, &e.env, c, 0)?;
        }
        let about = vars(step.updates().iter().map(|u| u.1).chain([step.condition()])).into_iter().map(|v| v.id);
        for v in about.chain(step.updates().iter().map(|u| u.0)).filter(|v| *v < VarId::FIRST_AUX) {
            if self.program.var(v).ty.sort() == Sort::Int {
                let known = e.env.var(self.program, v);
                let r = meet(known, others.range(self.program.term(v)))?;
                if r != known {
                    e.env.set_var(self.program, v, r);
                }
            }
        }
        Some(e)
    }

    fn merge(&self, new: &Bounds, old: &Bounds, at: Site) -> Bounds {
        let mut out = old.clone();
        let rounds = if at.cut { old.rounds } else { 0 };
        if out.env.join_with(self.program, &new.env, &mut |old, new| self.widened(rounds, old, new)) {
            out.rounds += 1;
        }
        out
    }

    fn narrow(&self, old: &Bounds, new: &Bounds) -> Bounds {
        Bounds { env: new.env.clone(), rounds: old.rounds }
    }

    fn range(&self, e: &Bounds, t: Term) -> Range {
        Eval::new(self.program, &e.env).range(t)
    }

    fn truth(&self, e: &Bounds, t: Term) -> Option<bool> {
        Eval::new(self.program, &e.env).truth(t, 0)
    }

    fn formulas(&self, e: &Bounds) -> Vec<Term> {
        e.env.facts(self.program, &|_| true)
    }

    fn notes(&self, e: &Bounds) -> Vec<Note> {
        let known = e.env.known().filter(|v| self.program.var(*v).kind == VarKind::Source);
        let note = |v: VarId| {
            let (r, name) = (e.env.var(self.program, v), &self.program.var(v).name);
            let text = match (r.lo, r.hi) {
                (Some(lo), Some(hi)) if lo == hi => format!("{name} = {lo}"),
                (Some(lo), Some(hi)) => format!("{lo} <= {name} <= {hi}"),
                (Some(lo), None) => format!("{lo} <= {name}"),
                (None, Some(hi)) => format!("{name} <= {hi}"),
                (None, None) => return None,
            };
            Some(Note { analysis: "interval", var: Some(v), text })
        };
        known.filter_map(note).collect()
    }
}
