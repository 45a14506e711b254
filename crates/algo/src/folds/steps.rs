//! Blocks as steps of Houdini, with instances of what is said of any cell.

use super::candidates::any;
use super::find::{Count, Fold};
use crate::houdini::Prepared;
use crate::system::System;
use plumb_smt::{Exchange, Pushed};
use plumb_term::visit::{substitute, vars};
use plumb_term::{Term, Var};

/// The cells around the first one that a block may meet, relative to it.
const FIRST: std::ops::Range<i32> = -1..3;

/// The steps of a system whose blocks record folds, with candidates at its cut points.
pub fn steps(system: &System, folds: &[Fold], counts: &[Vec<Count>], candidates: &[Vec<Term>]) -> Vec<Prepared> {
    let mut out = Vec::new();
    let before = |from: usize, view: &mut View| before(folds, &cells(system, folds, counts, from), from, &candidates[from], view);
    for t in &system.transitions {
        let mut view = View::of(t.values.iter().chain(&candidates[t.from.0]).chain(&candidates[t.to.0]).chain([&t.condition]));
        let there = |c: Term| substitute(c, &|v: Var| recorded(folds, t.from.0, v).or_else(|| system.value(t, v.id)));
        let before = before(t.from.0, &mut view);
        let after = candidates[t.to.0].iter().map(|c| view.term(there(*c))).collect();
        out.push(Prepared { condition: view.condition(t.condition), before, to: Some(t.to.0), after });
    }
    let errors = system.errors.iter().map(|(c, t)| (c.0, *t)).chain(system.unsupported.iter().map(|u| (u.0 .0, u.1)));
    for (from, condition) in errors {
        let mut view = View::of(candidates[from].iter().chain([&condition]));
        let before = before(from, &mut view);
        out.push(Prepared { condition: view.condition(condition), before, to: None, after: Vec::new() });
    }
    out
}

/// The terms of one block as the solver gets them: loads read what memories hold at its start, and operations on bits are functions that may be exchanged.
struct View {
    pushed: Pushed,
    exchange: Option<Exchange>,
}

impl View {
    /// For a block that these terms are about.
    fn of<'t>(terms: impl Iterator<Item = &'t Term>) -> View {
        View { pushed: Pushed::default(), exchange: Exchange::of(terms.copied()) }
    }

    fn term(&mut self, t: Term) -> Term {
        let t = self.pushed.term(t);
        self.exchange.as_mut().map_or(t, |e| e.term(t))
    }

    /// The block's condition, when all other terms are known.
    fn condition(&mut self, t: Term) -> Term {
        self.term(t).and(self.exchange.as_ref().map_or_else(Term::tt, Exchange::lemmas))
    }
}

/// What a record holds after a block from a cut point, if the block writes it.
fn recorded(folds: &[Fold], from: usize, v: Var) -> Option<Term> {
    let f = folds.iter().find(|f| f.memory == v && f.cut == from)?;
    Some(Term::store(f.ty, Term::var(v), Term::var(f.counter), Term::var(f.sum)))
}

/// The cells that a block from a cut point meets: any one, those that the counters name, the first and the last.
fn cells(system: &System, folds: &[Fold], counts: &[Vec<Count>], from: usize) -> Vec<Term> {
    let mut out: Vec<Term> = folds.first().map(|f| Term::var(any(f))).into_iter().collect();
    let mut add = |t: Term| {
        let says = vars([t]).iter().all(|v| system.cuts[from].needed.binary_search(&v.id).is_ok());
        if says && !out.contains(&t) {
            out.push(t);
        }
    };
    for c in &counts[from] {
        (-1..=1).for_each(|by| add(Term::var(c.counter).plus(by)));
    }
    for f in folds {
        FIRST.for_each(|n| add(f.first.plus(n)));
    }
    for limit in counts.iter().flatten().flat_map(|c| &c.limits) {
        add(limit.plus(-1));
    }
    out
}

/// What candidates say before a block.
fn before(folds: &[Fold], cells: &[Term], from: usize, candidates: &[Term], view: &mut View) -> Vec<(usize, usize, Term)> {
    let mut out = Vec::new();
    for (j, c) in candidates.iter().enumerate() {
        match folds.iter().map(any).find(|k| vars([*c]).contains(k)) {
            Some(k) => out.extend(cells.iter().map(|n| (from, j, view.term(substitute(*c, &|v| (v == k).then_some(*n)))))),
            None => out.push((from, j, view.term(*c))),
        }
    }
    out
}
