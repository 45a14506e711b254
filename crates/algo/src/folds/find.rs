//! Loops that fold.

use super::is_own;
use crate::system::{System, Transition};
use plumb_cfa::Program;
use plumb_smt::Pushed;
use plumb_term::visit::{linear_form, postorder, substitute, vars, Rewriter};
use plumb_term::{Cell, IBig, Kind, Scalar, Sort, Term, Var, VarId, VarTy};

/// More are not looked at: what is said of each is said at all loops after it.
const MOST_FOLDS: usize = 10;
/// Cut points over which a constant is followed back.
const ORIGINS: usize = 6;

/// A loop of one block that counts by one and folds what it reads into a number.
pub struct Fold {
    /// Its cut point.
    pub cut: usize,
    /// What it counts with.
    pub counter: Var,
    /// The number.
    pub sum: Var,
    /// The type of the number.
    pub ty: Scalar,
    /// Where the counter starts.
    pub first: Term,
    /// The number then, over the state in which the loop is entered, if that says it.
    pub init: Option<Term>,
    /// What one more round makes of the number, over the variables at the cut point.
    pub step: Term,
    /// The memory in which a proof records the number, by the counter.
    pub memory: Var,
}

/// A loop that counts by one.
pub struct Count {
    /// What it counts with.
    pub counter: Var,
    /// Where it starts.
    pub first: Term,
    /// Where it ends: the least value with which it does not go on.
    pub limits: Vec<Term>,
}

impl Fold {
    /// The number after the round of the counter `i`, from the number `s`, with the cells of `i` that `k` has instead.
    pub fn round(&self, s: Term, i: Term, k: Term) -> Term {
        self.read(s, i, &mut |n| substitute(n, &|v| (v == self.counter).then_some(k)))
    }

    /// The same with a value instead of what is read.
    pub fn round_of(&self, s: Term, i: Term, value: Term) -> Term {
        self.read(s, i, &mut |_| value)
    }

    fn read(&self, s: Term, i: Term, load: &mut dyn FnMut(Term) -> Term) -> Term {
        Rewriter::new().rewrite(self.step, &mut |n| match n.kind() {
            Kind::Load(..) => Some(load(n)),
            Kind::Var(v) if *v == self.counter => Some(i),
            Kind::Var(v) if *v == self.sum => Some(s),
            _ => None,
        })
    }

    /// The number after the first `n` rounds.
    pub fn prefix(&self, n: u32) -> Option<Term> {
        let init = self.init?;
        Some((0..n).fold(init, |s, j| {
            let i = self.first.plus(j);
            self.round(s, i, i)
        }))
    }

    /// What is recorded for a counter.
    pub fn recorded(&self, i: Term) -> Term {
        Term::load(self.ty, Term::var(self.memory), i)
    }

    /// The type of the cells that the loop reads, if it is one.
    pub fn cells(&self) -> Option<Scalar> {
        let mut types = loads(self.step).filter_map(|t| if let Kind::Load(ty, ..) = t.kind() { Some(*ty) } else { None });
        let first = types.next()?;
        types.all(|t| t == first).then_some(first)
    }
}

/// The loads of a term.
pub fn loads(t: Term) -> impl Iterator<Item = Term> {
    postorder([t]).into_iter().filter(|n| matches!(n.kind(), Kind::Load(..)))
}

/// The counters of the loops of one block, by cut point.
pub fn counts(program: &Program, system: &System) -> Vec<Vec<Count>> {
    (0..system.cuts.len()).map(|c| counts_of(program, system, c)).collect()
}

fn counts_of(program: &Program, system: &System, cut: usize) -> Vec<Count> {
    let (around, entering) = blocks(system, cut);
    if around.is_empty() {
        return Vec::new();
    }
    let mut out = Vec::new();
    for v in &system.cuts[cut].needed {
        let counter = Var::new(*v, program.var(*v).ty);
        let after = |t: &&Transition| system.value(t, counter.id);
        if counter.ty.sort() != Sort::Int || !around.iter().all(|t| after(t) == Some(Term::var(counter).plus(1))) {
            continue;
        }
        let firsts: Vec<Term> = entering.iter().filter_map(after).collect();
        if let Some(first) = firsts.first().filter(|f| f.as_int().is_some() && firsts.iter().all(|t| t == *f)) {
            out.push(Count { counter, first: *first, limits: limits(system, cut, counter) });
        }
    }
    out
}

/// Where a counter ends: what the loop's rounds are below and its exits are not.
fn limits(system: &System, cut: usize, counter: Var) -> Vec<Term> {
    let mut below: Vec<Term> = Vec::new();
    let mut reached: Vec<Term> = Vec::new();
    for t in system.transitions.iter().filter(|t| t.from.0 == cut) {
        bounds(t.condition, counter, t.to.0 == cut, if t.to.0 == cut { &mut below } else { &mut reached });
    }
    for (_, condition) in system.errors.iter().filter(|e| e.0 .0 == cut) {
        bounds(*condition, counter, false, &mut reached);
    }
    below.retain(|b| reached.contains(b));
    below
}

/// The terms that a condition says a counter is below, or not below.
fn bounds(condition: Term, counter: Var, below: bool, out: &mut Vec<Term>) {
    for c in condition.conjuncts() {
        let Kind::Le(a, b) = c.kind() else { continue };
        // d ≤ 0
        let d = a.sub(*b);
        let (_, parts) = linear_form(d);
        let Some((factor, _)) = parts.iter().find(|(_, t)| *t == Term::var(counter)) else { continue };
        let bound = match below {
            true if *factor == IBig::ONE => Term::var(counter).sub(d).plus(1),
            false if *factor == -IBig::ONE => d.add(Term::var(counter)),
            _ => continue,
        };
        if vars([bound]).iter().all(|v| is_own(v) && *v != counter) && !out.contains(&bound) {
            out.push(bound);
        }
    }
}

/// The blocks around a loop and into it.
fn blocks(system: &System, cut: usize) -> (Vec<&Transition>, Vec<&Transition>) {
    system.transitions.iter().filter(|t| t.to.0 == cut).partition(|t| t.from.0 == cut)
}

/// The folds of a program whose loops count so, the first ones.
pub fn folds(program: &Program, system: &System, counts: &[Vec<Count>]) -> Vec<Fold> {
    let mut out: Vec<Fold> = Vec::new();
    for (cut, counts) in counts.iter().enumerate() {
        let (around, entering) = blocks(system, cut);
        let Some(Count { counter, first, .. }) = counts.first() else { continue };
        for v in system.cuts[cut].needed.iter().filter(|v| **v != counter.id) {
            if out.len() == MOST_FOLDS {
                return out;
            }
            let VarTy::Scalar(ty @ Scalar::Int(_)) = program.var(*v).ty else { continue };
            let sum = Var::new(*v, program.var(*v).ty);
            let Some(step) = step(system, &around, sum) else { continue };
            let init = init(system, &entering, sum);
            let memory = Var::new(VarId(VarId::FIRST_RECORD.0 + out.len() as u32), VarTy::Mem(Cell::Scalar(ty)));
            out.push(Fold { cut, counter: *counter, sum, ty, first: *first, init, step, memory });
        }
    }
    out
}

/// What the blocks around a loop make of a number, if it is folded from cells that stay as they are.
fn step(system: &System, around: &[&Transition], sum: Var) -> Option<Term> {
    let (last, others) = around.split_last()?;
    let shared: Vec<Term> =
        last.condition.conjuncts().into_iter().filter(|c| others.iter().all(|t| t.condition.conjuncts().contains(c))).collect();
    let mut pushed = Pushed::default();
    let mut step = pushed.term(system.value(last, sum.id)?);
    for t in others {
        let when = Term::all(t.condition.conjuncts().into_iter().filter(|c| !shared.contains(c)));
        step = Term::ite(pushed.term(when), pushed.term(system.value(t, sum.id)?), step);
    }
    let kept = |m: Var| around.iter().all(|t| system.value(t, m.id).is_none_or(|after| after == Term::var(m)));
    let fine = vars([step]).iter().all(|v| is_own(v) && (!matches!(v.ty, VarTy::Mem(_)) || kept(*v)));
    (fine && step != Term::var(sum) && loads(step).next().is_some()).then_some(step)
}

/// The number at first, over the state after the block into the loop.
fn init(system: &System, entering: &[&Transition], sum: Var) -> Option<Term> {
    let one = |t: &&Transition| {
        let before = system.value(t, sum.id)?;
        let constant = before.as_var().and_then(|v| constant(system, t.from.0, v, ORIGINS));
        constant.or_else(|| over_after(system, t, before)).filter(|init| !vars([*init]).contains(&sum))
    };
    let first = entering.first().and_then(one)?;
    entering.iter().all(|t| one(t) == Some(first)).then_some(first)
}

/// The constant that a variable holds at a cut point, if all that is assigned to it on the way, over so many cut points, is that constant.
fn constant(system: &System, cut: usize, v: Var, depth: usize) -> Option<Term> {
    let mut found = None;
    for t in system.transitions.iter().filter(|t| t.to.0 == cut) {
        let before = system.value(t, v.id)?;
        let one = match before.as_var() {
            Some(same) if same == v && t.from.0 == cut => continue,
            Some(other) if depth > 0 && is_own(&other) => constant(system, t.from.0, other, depth - 1)?,
            _ => before.as_int().map(|_| before)?,
        };
        if found.replace(one).is_some_and(|known| known != one) {
            return None;
        }
    }
    found
}

/// A term over the state before a block as one over the state after it: variables must have kept their values; a cell of a memory that has changed is read where it is now.
fn over_after(system: &System, t: &Transition, before: Term) -> Option<Term> {
    let kept = |v: Var| system.value(t, v.id) == Some(Term::var(v));
    let mut pushed = Pushed::default();
    let before = pushed.term(before);
    let out = Rewriter::new().rewrite(before, &mut |n| match n.kind() {
        Kind::Load(ty, m, a) => {
            let m = m.as_var().filter(|m| !kept(*m))?;
            let at = moved(ty, system.value(t, m.id)?, *a, n, &mut pushed)?;
            Some(Term::load(*ty, Term::var(m), at))
        }
        _ => None,
    });
    let is_there = |v: &Var| is_own(v) && (kept(*v) || (matches!(v.ty, VarTy::Mem(_)) && system.value(t, v.id).is_some()));
    vars([out]).iter().all(is_there).then_some(out)
}

/// An address at which a memory holds after a block what `cell` was before it: where the block has put it, or where it was.
fn moved(ty: &Scalar, after: Term, address: Term, cell: Term, pushed: &mut Pushed) -> Option<Term> {
    let addresses = postorder([after]).into_iter().filter_map(|n| if let Kind::Store(_, _, a, _) = n.kind() { Some(*a) } else { None });
    [address].into_iter().chain(addresses).find(|a| pushed.term(Term::load(*ty, after, *a)) == cell)
}
