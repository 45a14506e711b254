//! BDD analysis 𝔹ℙ𝔸 (Section 4.6): sets of variable assignments as binary decision diagrams.
//!
//! A state is a diagram over the bits of the variables that are followed ([`layout`]); it stands for the states whose variables are in that set. Assume operations
//! are conjunctions, assignments quantify the old value and set the new bits; `merge` is merge-join and loses nothing, since the union of two sets
//! is a diagram again. So the analysis is as precise as explicit values, for sets that explicit states would be too many for. Variables that take too many values
//! are followed by the regions between the constants they are compared with.

mod blast;
mod cuts;
mod explain;
mod layout;
mod refine;
mod regions;

pub use refine::run;

use blast::Blaster;
use cuts::Cuts;
use explain::Made;
use layout::{layout, Bits, Layout};
use plumb_cfa::liveness::Liveness;
use plumb_cfa::{FuncId, Program};
use plumb_cpa::{Cpa, Domain, Facts, Flow, Kind, Step};
use plumb_dd::{Bdd, Full, Manager};
use plumb_term::{Term, VarId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Nodes for all states together; then states are given up.
const MAX_NODES: usize = 4_000_000;
/// A set with more pieces has no formula.
const MAX_PIECES: usize = 20_000;

/// The analysis.
#[derive(Debug)]
pub struct Diagrams<'a> {
    program: &'a Program,
    layout: Layout,
    live: Liveness,
    dd: RefCell<Manager>,
    /// Where conditions may hold.
    conditions: RefCell<FxHashMap<Term, Bdd>>,
    /// What assignments lead to that are known by bounds.
    given: RefCell<FxHashMap<(VarId, Term), Bdd>>,
    /// The steps that were made, in order.
    log: RefCell<Vec<Made>>,
}

impl<'a> Diagrams<'a> {
    /// Of a program.
    pub fn new(program: &'a Program) -> Diagrams<'a> {
        Diagrams::with(program, &Cuts::new())
    }

    /// With regions that end at further values.
    fn with(program: &'a Program, further: &Cuts) -> Diagrams<'a> {
        let flow = Flow::forward(program);
        let dd = RefCell::new(Manager::new(MAX_NODES));
        let layout = layout(program, &flow, further);
        Diagrams {
            program,
            layout,
            live: Liveness::new(program),
            dd,
            conditions: RefCell::default(),
            given: RefCell::default(),
            log: RefCell::default(),
        }
    }

    /// The variables that are followed.
    pub fn followed(&self) -> impl Iterator<Item = VarId> + '_ {
        self.layout.bits.keys().copied()
    }

    fn assume(&self, e: Bdd, condition: Term) -> Result<Option<Bdd>, Full> {
        let mut dd = self.dd.borrow_mut();
        let known = self.conditions.borrow().get(&condition).copied();
        let allowed = match known {
            Some(allowed) => allowed,
            None => {
                let (_, may) = Blaster { dd: &mut dd, layout: &self.layout }.truth(condition)?;
                self.conditions.borrow_mut().insert(condition, may);
                may
            }
        };
        let out = dd.and(e, allowed)?;
        Ok((out != Bdd::FALSE).then_some(out))
    }

    fn post(&self, e: Bdd, step: &Step) -> Result<Option<Bdd>, Full> {
        let Some(before) = self.assume(e, step.condition())? else { return Ok(None) };
        let dying = self.dying(step);
        let assigned = self.assigned(step);
        let mut dd = self.dd.borrow_mut();
        if assigned.is_empty() {
            let dead = |level: u32| dying.iter().any(|b| b.has(level));
            return if dying.is_empty() { Ok(Some(before)) } else { dd.exists(before, &dead).map(Some) };
        }
        let next = self.related(&mut dd, before, &assigned)?;
        let old = |level: u32| {
            assigned.iter().any(|(_, b, _)| b.has(level))
                || dying.iter().any(|b| b.has(level) || (level > 0 && b.has(level - 1) && level % 2 == 1))
        };
        let next = dd.exists(next, &old)?;
        // What was not determined stays open; new bits take the places of the old ones.
        dd.rename(next, &|level| if level % 2 == 1 { level - 1 } else { level }).map(Some)
    }

    /// The variables with bits that a step assigns, and what it assigns to them.
    fn assigned(&self, step: &Step) -> Vec<(VarId, Bits, Term)> {
        step.updates().iter().filter_map(|(v, t)| Some((*v, *self.layout.bits.get(v)?, *t))).collect()
    }

    /// A set with the new values beside the old ones, at the levels between.
    fn related(&self, dd: &mut Manager, before: Bdd, assigned: &[(VarId, Bits, Term)]) -> Result<Bdd, Full> {
        let mut next = before;
        for (v, b, t) in assigned {
            let by_regions = self.layout.cuts.contains_key(v);
            let exactly = if by_regions { None } else { Blaster { dd, layout: &self.layout }.int(t.plus(-b.lo))? };
            let Some(bits) = exactly else {
                let given = self.given(dd, *v, *b, *t)?;
                next = dd.and(next, given)?;
                continue;
            };
            for i in 0..b.count {
                let value = bits.get(i as usize).or(bits.last()).copied().unwrap_or(Bdd::FALSE);
                let new = dd.var(b.level(i) + 1)?;
                let same = dd.iff(new, value)?;
                next = dd.and(next, same)?;
            }
        }
        Ok(next)
    }

    /// What a variable can get from a term that depends on more than is followed bit by bit.
    fn given(&self, dd: &mut Manager, v: VarId, b: Bits, t: Term) -> Result<Bdd, Full> {
        if let Some(known) = self.given.borrow().get(&(v, t)) {
            return Ok(*known);
        }
        let given = Blaster { dd, layout: &self.layout }.given(v, b, t)?;
        self.given.borrow_mut().insert((v, t), given);
        Ok(given)
    }

    /// The variables that are not needed any more after a step: relations with them would only make diagrams large.
    fn dying(&self, step: &Step) -> Vec<Bits> {
        let of = |f: FuncId| self.program.function(f).locals.iter().copied();
        let written = |v: VarId| step.updates().iter().any(|u| u.0 == v);
        let dies = |v: VarId| {
            let before = step.from.func != step.to.func || written(v) || self.live.is_live(step.from.func, step.from.loc, v);
            before && !self.live.is_live(step.to.func, step.to.loc, v)
        };
        let mut out: Vec<VarId> = of(step.to.func).filter(|v| dies(*v)).collect();
        if step.kind == Kind::Return {
            out.extend(of(step.from.func));
        }
        out.into_iter().filter_map(|v| self.layout.bits.get(&v).copied()).collect()
    }

    /// A result, or what is known when there is no room for it: nothing.
    fn or_top(result: Result<Option<Bdd>, Full>) -> Option<Bdd> {
        result.unwrap_or(Some(Bdd::TRUE))
    }

    /// The variable that a level belongs to.
    fn owner(&self, level: u32) -> Option<(VarId, Bits)> {
        self.layout.bits.iter().find(|(_, b)| b.has(level)).map(|(v, b)| (*v, *b))
    }

    /// The pieces of a variable's values, ascending, with what each leaves of the rest of the diagram; nothing if they are too many.
    fn pieces(&self, f: Bdd, b: Bits) -> Option<Vec<(i128, i128, Bdd)>> {
        let dd = self.dd.borrow();
        let mut out: Vec<(i128, i128, Bdd)> = Vec::new();
        let mut todo = vec![(f, b.count, 0i128)];
        while let Some((f, left, value)) = todo.pop() {
            match dd.node(f).filter(|n| left > 0 && b.has(n.0)) {
                Some((level, low, high)) if level == b.level(left - 1) => {
                    todo.push((high, left - 1, value | 1 << (left - 1)));
                    todo.push((low, left - 1, value));
                }
                // Bits that are not tested can be anything.
                Some(_) => {
                    todo.push((f, left - 1, value | 1 << (left - 1)));
                    todo.push((f, left - 1, value));
                }
                None => {
                    let (lo, hi) = (b.lo + value, b.lo + value + (1 << left) - 1);
                    match out.last_mut() {
                        Some(last) if last.2 == f && last.1 + 1 == lo => last.1 = hi,
                        _ => out.push((lo, hi, f)),
                    }
                }
            }
            if out.len() + todo.len() > MAX_PIECES {
                return None;
            }
        }
        Some(out)
    }

    /// A diagram as a formula: values by ranges, variable by variable.
    fn formula(&self, f: Bdd, done: &mut FxHashMap<Bdd, Term>) -> Option<Term> {
        if f.is_constant() {
            return Some(Term::bool(f == Bdd::TRUE));
        }
        if let Some(known) = done.get(&f) {
            return Some(*known);
        }
        let level = self.dd.borrow().node(f)?.0;
        let (v, bits) = self.owner(level)?;
        let mut of_rest: BTreeMap<Bdd, Vec<Term>> = BTreeMap::new();
        for (lo, hi, rest) in self.pieces(f, bits)? {
            if rest != Bdd::FALSE {
                of_rest.entry(rest).or_default().push(self.program.term(v).in_range(self.layout.values(v, lo, hi)));
            }
        }
        let mut cases = Vec::new();
        for (rest, ranges) in of_rest {
            cases.push(Term::any(ranges).and(self.formula(rest, done)?));
            if done.len() > MAX_PIECES {
                return None;
            }
        }
        let out = Term::any(cases);
        done.insert(f, out);
        Some(out)
    }
}

impl Domain for Diagrams<'_> {
    type State = Bdd;

    fn leq(&self, a: &Bdd, b: &Bdd) -> bool {
        self.dd.borrow_mut().implies(*a, *b).unwrap_or(*b == Bdd::TRUE)
    }

    fn join(&self, a: &Bdd, b: &Bdd) -> Bdd {
        self.dd.borrow_mut().or(*a, *b).unwrap_or(Bdd::TRUE)
    }
}

impl Cpa for Diagrams<'_> {
    type Key = ();
    type Prec = ();

    fn name(&self) -> &'static str {
        "bdd"
    }

    fn initial(&self) -> Vec<Bdd> {
        vec![Bdd::TRUE]
    }

    fn key(&self, _e: &Bdd) {}

    fn transfer(&self, e: &Bdd, step: &Step) -> Vec<Bdd> {
        let after = Self::or_top(self.post(*e, step));
        if let Some(after) = after {
            self.note(step, *e, after);
        }
        after.into_iter().collect()
    }

    fn strengthen(&self, e: Bdd, _step: &Step, others: &dyn Facts) -> Option<Bdd> {
        others.assumptions().into_iter().try_fold(e, |e, c| Self::or_top(self.assume(e, c)))
    }

    fn truth(&self, e: &Bdd, t: Term) -> Option<bool> {
        let mut dd = self.dd.borrow_mut();
        let (must, may) = Blaster { dd: &mut dd, layout: &self.layout }.truth(t).ok()?;
        if dd.and(*e, may).ok()? == Bdd::FALSE {
            return Some(false);
        }
        dd.implies(*e, must).ok()?.then_some(true)
    }

    fn formulas(&self, e: &Bdd) -> Vec<Term> {
        let bounds = self.layout.bounds.iter().map(|(v, r)| self.program.term(*v).in_range(*r));
        bounds.chain(self.formula(*e, &mut FxHashMap::default())).filter(|t| !t.is_true()).collect()
    }
}
