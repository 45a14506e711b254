//! Explicit-heap analysis ℍ (Section 4.5): concrete instances of data structures, up to a depth.
//!
//! A state H = (v, h) maps variables to integers or to addresses in objects, and the known cells of objects to the same. Objects are known by
//! number, not by address: a state stands for every heap of its shape, wherever the allocator put it, so that a program that builds and drops the
//! same structure for ever has finitely many states. Numbers ascend with age, addresses do too.
//!
//! **Bounds.** A variable whose structure is deeper than [`ExplicitHeap::new`]'s bound is forgotten, what no variable reaches is collected;
//! an integer that was computed is followed while it is small. So there are finitely many states.
//!
//! States are never merged (merge-sep) and cover each other alone (stop-sep).

mod collect;
mod state;

pub use state::{Heap, ObjectId};

use plumb_cfa::liveness::Liveness;
use plumb_cfa::{Op, Program};
use plumb_cpa::{Cpa, Domain, Facts, Kind as StepKind, Note, Site, Step};
use plumb_term::visit::linear_form;
use plumb_term::{Cell, IBig, Kind, Range, Sort, Term, VarId};

/// A computed integer beyond this is not followed: counters would give states without end.
const MAX_COMPUTED: i128 = 1024;
/// Objects that `calloc` clears are known cell by cell up to this size.
const MAX_CLEARED: i128 = 256;

/// The analysis.
#[derive(Debug)]
pub struct ExplicitHeap<'a> {
    program: &'a Program,
    /// Where given, variables that are dead are forgotten.
    live: Option<Liveness>,
    depth: usize,
}

impl<'a> ExplicitHeap<'a> {
    /// Of a program; structures deeper than `depth` objects are not tracked.
    pub fn new(program: &'a Program, depth: usize) -> ExplicitHeap<'a> {
        ExplicitHeap { program, live: None, depth }
    }

    /// The same without what the conditions of the program do not depend on: fewer states.
    #[must_use]
    pub fn without_dead(self) -> ExplicitHeap<'a> {
        ExplicitHeap { live: Some(Liveness::new(self.program)), ..self }
    }

    /// The states in which a condition holds; `None` if there are none.
    fn assume(&self, e: &Heap, condition: Term) -> Option<Heap> {
        let mut out = e.clone();
        for c in out.eval(self.program, condition).conjuncts() {
            match c.kind() {
                _ if c.is_false() => return None,
                Kind::Var(v) if v.id < VarId::FIRST_AUX => out.set_var(v.id, Some(Term::tt())),
                Kind::Not(n) => {
                    if let Some(v) = n.as_var().filter(|v| v.id < VarId::FIRST_AUX) {
                        out.set_var(v.id, Some(Term::ff()));
                    }
                }
                Kind::Eq(a, b) if a.sort() == Sort::Int => {
                    if let Some((v, value)) = solved(a.sub(*b)) {
                        out.set_var(v, Some(value));
                    }
                }
                _ => {}
            }
        }
        Some(out)
    }

    /// The successor along a step, not yet bounded.
    fn post(&self, e: &Heap, step: &Step) -> Option<Heap> {
        let before = self.assume(e, step.condition())?;
        let mut after = before.clone();
        let op = &self.program.function(step.site.func).graph.edge(step.site.edge).op;
        if let (StepKind::Edge, Op::Alloc { dst, size, region, zeroed, .. }) = (step.kind, op) {
            let size = before.eval(self.program, *size).as_i128().filter(|s| *s >= 0);
            let region = self.program.region(*region);
            match (size, region.cell) {
                (Some(size), cell) => {
                    let object = after.allocate(size);
                    after.set_var(*dst, Some(object.base()));
                    if let (true, Cell::Scalar(ty), true) = (*zeroed, cell, size <= MAX_CLEARED) {
                        let bytes = i128::from(ty.bytes() as u32);
                        (0..size / bytes).for_each(|i| after.write(region.var, ty, object.base().plus(i * bytes), Some(Term::int(0))));
                    }
                }
                (None, _) => after.set_var(*dst, None),
            }
            after.set_var(self.program.heap_top, None);
            return Some(after);
        }
        for (v, t) in step.updates() {
            let value = before.eval(self.program, *t);
            if self.program.is_memory(*v) {
                after.set_memory(*v, value);
            } else {
                let small = |c: Term| *t == c || c.as_i128().is_none_or(|i| i.abs() <= MAX_COMPUTED);
                after.set_var(*v, Some(value).filter(|c| after.is_value(*c) && small(*c)));
            }
        }
        Some(after)
    }

    /// Forgets the variables of the function that are dead, what is too deep, and what is then not reached.
    fn bounded(&self, mut e: Heap, step: &Step) -> Heap {
        if let Some(live) = &self.live {
            let locals = &self.program.function(step.to.func).locals;
            let dead = |v: &&VarId| e.var(**v).is_some() && !live.is_live(step.to.func, step.to.loc, **v);
            let dead: Vec<VarId> = locals.iter().filter(dead).copied().collect();
            dead.into_iter().for_each(|v| e.set_var(v, None));
        }
        e.collect(self.depth);
        e
    }
}

/// `x` and `t` of an equation `x - t = 0`, where `x` is a variable of the program and `t` has none.
fn solved(difference: Term) -> Option<(VarId, Term)> {
    let (constant, parts) = linear_form(difference);
    let is_own = |t: &Term| t.as_var().is_some_and(|v| v.id < VarId::FIRST_AUX);
    let mut own = parts.iter().filter(|(_, t)| is_own(t));
    let (k, x) = own.next().filter(|(k, _)| *k == IBig::ONE || *k == -IBig::ONE)?;
    if own.next().is_some() || parts.iter().any(|(_, t)| t.as_var().is_none()) {
        return None;
    }
    let rest = parts.iter().filter(|(_, t)| t != x).fold(Term::int(constant), |sum, (k, t)| sum.add(t.mul(Term::int(k.clone()))));
    let value = if *k == IBig::ONE { rest.neg() } else { rest };
    Some((x.as_var()?.id, value))
}

impl Domain for ExplicitHeap<'_> {
    type State = Heap;

    fn leq(&self, a: &Heap, b: &Heap) -> bool {
        b.is_part_of(a)
    }

    fn join(&self, a: &Heap, b: &Heap) -> Heap {
        a.common(b)
    }
}

impl Cpa for ExplicitHeap<'_> {
    type Key = ();
    type Prec = ();

    fn name(&self) -> &'static str {
        "heap"
    }

    fn initial(&self) -> Vec<Heap> {
        vec![Heap::default()]
    }

    fn key(&self, _e: &Heap) {}

    fn transfer(&self, e: &Heap, step: &Step) -> Vec<Heap> {
        self.post(e, step).map(|next| self.bounded(next, step)).into_iter().collect()
    }

    fn strengthen(&self, mut e: Heap, _step: &Step, others: &dyn Facts) -> Option<Heap> {
        for c in others.assumptions() {
            e = self.assume(&e, c)?;
        }
        Some(e)
    }

    fn merge(&self, _new: &Heap, old: &Heap, _at: Site) -> Heap {
        old.clone()
    }

    fn never_merges(&self) -> bool {
        true
    }

    fn probe(&self, e: &Heap, like: &Heap) -> Option<u64> {
        e.probe(like)
    }

    fn range(&self, e: &Heap, t: Term) -> Range {
        let value = e.eval(self.program, t);
        if value.as_i128().is_some() {
            value.range()
        } else {
            t.range()
        }
    }

    fn truth(&self, e: &Heap, t: Term) -> Option<bool> {
        e.eval(self.program, t).as_bool()
    }

    fn formulas(&self, e: &Heap) -> Vec<Term> {
        e.formulas(self.program)
    }

    fn notes(&self, e: &Heap) -> Vec<Note> {
        let shown = e.vars().filter(|(v, c)| self.program.var(*v).kind == plumb_cfa::VarKind::Source && c.as_i128().is_none());
        let note = |(v, c): (VarId, Term)| {
            let (object, offset) = e.address(c)?;
            let fields: Vec<String> = e.fields(object).map(|(at, value)| format!("+{at}: {}", e.show(value))).collect();
            let place = if offset == 0 { String::new() } else { format!(" + {offset}") };
            let name = &self.program.var(v).name;
            Some(Note {
                analysis: "heap",
                var: Some(v),
                text: format!("{name} = object {}{place} {{{}}}", object.0 + 1, fields.join(", ")),
            })
        };
        shown.filter_map(note).collect()
    }
}
