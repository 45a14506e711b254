//! The program as a transition system over its cut points.
//!
//! Each block, from one cut point to the next ones and to the error, is composed into single transitions: a condition over the
//! variables at its start and fresh inputs, and the values of the variables at its end. At each cut point only the variables
//! count whose values can still matter for reaching the error: what no condition and no needed variable depends on is left out,
//! which is liveness and cone of influence in one.

use crate::unroll::{Bound, State, Unroller, BLOCK_POINTS};
use plumb_cfa::unwind::{Orders, Unwound};
use plumb_cfa::{Point, Program};
use plumb_term::visit::{substitute, vars};
use plumb_term::{Budget, Span, Term, VarId};
use plumb_verdict::{Reason, ReasonKind};
use std::collections::{BTreeMap, BTreeSet};

/// Index of a cut point in a [`System`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CutId(pub usize);

/// A cut point.
#[derive(Clone, Debug)]
pub struct Cut {
    /// Where.
    pub point: Point,
    /// The variables that matter there, ascending.
    pub needed: Vec<VarId>,
}

/// A block between two cut points.
#[derive(Clone, Debug)]
pub struct Transition {
    /// Its start.
    pub from: CutId,
    /// Its end.
    pub to: CutId,
    /// When it is taken, over the variables (version 0) at its start and inputs.
    pub condition: Term,
    /// The values of the needed variables at its end, in their order.
    pub values: Vec<Term>,
}

/// A block, by where it leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// To the next cut point: an index of [`System::transitions`].
    Block(usize),
    /// Into an error: an index of [`System::errors`].
    Error(usize),
    /// Into a construct that plumb does not treat: an index of [`System::unsupported`].
    Unsupported(usize),
}

/// The transition system; the first cut point is the entry, where any state is possible.
#[derive(Clone, Debug, Default)]
pub struct System {
    /// The cut points.
    pub cuts: Vec<Cut>,
    /// The blocks.
    pub transitions: Vec<Transition>,
    /// Cut points from whose block an error can be reached, with the condition.
    pub errors: Vec<(CutId, Term)>,
    /// Unsupported constructs, with the condition.
    pub unsupported: Vec<(CutId, Term, String, Span)>,
}

impl System {
    /// The system of a program without recursion. What `facts` says of the variables that matter at a cut point is assumed there.
    pub fn new(program: &Program, orders: &Orders<'_>, facts: &BTreeMap<Point, Vec<Term>>, budget: &Budget) -> Result<System, Reason> {
        System::keeping(&[], program, orders, facts, budget)
    }

    /// The same with variables that matter everywhere.
    pub fn keeping(
        kept: &[VarId],
        program: &Program,
        orders: &Orders<'_>,
        facts: &BTreeMap<Point, Vec<Term>>,
        budget: &Budget,
    ) -> Result<System, Reason> {
        let mut unroller = Unroller::new(program, orders);
        let mut system = System::default();
        let mut known: BTreeMap<Point, CutId> = BTreeMap::new();
        let mut ends: Vec<(CutId, CutId, Unwound, State)> = Vec::new();
        let mut cut = |system: &mut System, p: Point| {
            *known.entry(p.clone()).or_insert_with(|| {
                system.cuts.push(Cut { point: p, needed: Vec::new() });
                CutId(system.cuts.len() - 1)
            })
        };
        for (at, _) in unroller.entry() {
            cut(&mut system, at.point());
        }
        let mut next = 0;
        while next < system.cuts.len() {
            let (from, p) = (CutId(next), system.cuts[next].point.clone());
            next += 1;
            let start = BTreeMap::from([(Unwound::start(orders, &p), State::default())]);
            let Some(wave) = unroller.wave(start, Bound::Block, BLOCK_POINTS, budget) else {
                return Err(Reason::new(if budget.is_over() {
                    ReasonKind::Time
                } else {
                    ReasonKind::Incomplete("a block between two loop heads is too large".into())
                }));
            };
            system.errors.extend(wave.errors.into_iter().map(|e| (from, e.1)));
            system.unsupported.extend(wave.unsupported.into_iter().map(|(what, span, c)| (from, c, what, span)));
            for (at, s) in wave.waiting {
                let q = at.point();
                if at.activations(at.func) > 1 {
                    let name = &program.function(q.func).name;
                    let reason = Reason::new(ReasonKind::Incomplete(format!("the recursion of `{name}` is not treated")));
                    return Err(match q.stack.last() {
                        Some(call) => reason.at(program.function(call.func).graph.edge(call.edge).span),
                        None => reason,
                    });
                }
                let to = cut(&mut system, q);
                ends.push((from, to, at, s));
            }
        }
        let needed = needed(kept, program, &unroller, &system, &ends);
        for (c, n) in system.cuts.iter_mut().zip(&needed) {
            c.needed = n.iter().copied().collect();
        }
        let known: Vec<Term> = system.cuts.iter().zip(&needed).map(|(c, n)| relevant(facts.get(&c.point), n)).collect();
        for (from, to, at, s) in ends {
            let values = needed[to.0].iter().map(|v| unroller.value(&s, &at, program.term(*v))).collect();
            system.transitions.push(Transition { from, to, condition: s.path.condition(), values });
        }
        known.into_iter().enumerate().for_each(|(c, fact)| system.assume(CutId(c), fact));
        Ok(system)
    }

    /// The value that a block leaves in a variable, if the variable matters at its end.
    pub fn value(&self, block: &Transition, v: VarId) -> Option<Term> {
        let i = self.cuts[block.to.0].needed.binary_search(&v).ok()?;
        block.values.get(i).copied()
    }

    /// A term over the variables at a block's end, over those at its start.
    pub fn before(&self, block: &Transition, t: Term) -> Term {
        substitute(t, &|v| self.value(block, v.id))
    }

    /// Assumes at a cut point what holds there always.
    pub fn assume(&mut self, cut: CutId, fact: Term) {
        for t in self.transitions.iter_mut().filter(|t| t.from == cut) {
            t.condition = t.condition.and(fact);
        }
        for e in self.errors.iter_mut().filter(|e| e.0 == cut) {
            e.1 = e.1.and(fact);
        }
        for u in self.unsupported.iter_mut().filter(|u| u.0 == cut) {
            u.1 = u.1.and(fact);
        }
    }
}

/// The facts that speak only of needed variables.
fn relevant(facts: Option<&Vec<Term>>, needed: &BTreeSet<VarId>) -> Term {
    let about = |t: &&Term| vars([**t]).iter().all(|v| needed.contains(&v.id));
    Term::all(facts.into_iter().flatten().filter(about).copied())
}

/// The variables that matter at each cut point: those that are kept, those of conditions, and those that needed variables' values depend on.
fn needed(
    kept: &[VarId],
    program: &Program,
    unroller: &Unroller<'_>,
    system: &System,
    ends: &[(CutId, CutId, Unwound, State)],
) -> Vec<BTreeSet<VarId>> {
    let mut needed: Vec<BTreeSet<VarId>> = vec![kept.iter().copied().collect(); system.cuts.len()];
    let add = |set: &mut BTreeSet<VarId>, t: Term| set.extend(vars([t]).into_iter().map(|v| v.id).filter(|v| *v < VarId::FIRST_AUX));
    for (c, t) in &system.errors {
        add(&mut needed[c.0], *t);
    }
    for (c, t, _, _) in &system.unsupported {
        add(&mut needed[c.0], *t);
    }
    for (from, _, _, s) in ends {
        add(&mut needed[from.0], s.path.condition());
    }
    let mut done: BTreeSet<(usize, VarId)> = BTreeSet::new();
    loop {
        let mut changed = false;
        for (i, (from, to, at, s)) in ends.iter().enumerate() {
            for v in needed[to.0].clone() {
                if done.insert((i, v)) {
                    add(&mut needed[from.0], unroller.value(s, at, program.term(v)));
                    changed = true;
                }
            }
        }
        if !changed {
            return needed;
        }
    }
}
