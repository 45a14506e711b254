//! What may hold of records, and of what is computed from the same cells later.
//!
//! With `r` the record of a fold that starts at `l` and ends at `n`, and `i` the counter of a later loop:
//!
//! * the record belongs to the array, `r[k+1] = step(r[k], k, a[k])` for all `k` of a range, or to the array moved by one, `r[k+2] = step(r[k+1], k+1, a[k])`;
//! * its first entries are those of the array as it is now, though cells may have been exchanged: `r[l+2] = step²(init, a[l], a[l+1])`;
//! * a number is what the record says: `s = r[i]`, `s = 2·r[n] - r[i]` and the like, or `step(s, i, t) = r[i+1]` where `t` is a cell that was taken out and comes last;
//! * a result is computed from the whole: `v = f(r[n])` where some loop ends with `v = f(s)`.

use super::find::{Count, Fold};
use super::is_own;
use crate::system::System;
use plumb_cfa::Program;
use plumb_term::visit::{linear_form, substitute, vars};
use plumb_term::{IBig, Kind, Scalar, Term, Var, VarId, VarTy};
use std::collections::BTreeSet;

/// Cells that are held in variables and that are looked at.
const MAX_HELD: usize = 4;
/// Entries at the beginning of a record that are looked at.
const PREFIX: u32 = 2;

/// The number of a cell, which may be any.
pub fn any(fold: &Fold) -> Var {
    Var::new(VarId::FIRST_BOUND, fold.counter.ty)
}

/// Candidates by cut point.
pub fn candidates(program: &Program, system: &System, folds: &[Fold], counts: &[Vec<Count>]) -> Vec<Vec<Term>> {
    let limits: Vec<Term> = counts.iter().flatten().flat_map(|c| c.limits.iter().copied()).collect();
    let held = held(program, system);
    let results = results(program, system, folds);
    let reached = reached(system);
    let mut out = Vec::with_capacity(system.cuts.len());
    for (cut, counts) in counts.iter().enumerate() {
        let mut here = Here::new(&system.cuts[cut].needed, &limits);
        here.same_limits();
        for count in counts {
            here.counted(count);
        }
        let before: Vec<&Fold> = folds.iter().filter(|f| reached[f.cut].contains(&cut)).collect();
        for f in &before {
            if f.cut == cut {
                here.during(f);
                continue;
            }
            here.belongs(f, counts.first());
            here.begins(f, &held);
            for now in folds.iter().filter(|now| now.cut == cut && now.ty == f.ty) {
                here.again(f, now, &held);
            }
            here.results(f, &results);
            for other in before.iter().filter(|o| o.cut < f.cut && o.cut != cut && o.ty == f.ty) {
                here.alike(f, other);
            }
        }
        out.push(here.found);
    }
    out
}

/// What is said at one cut point.
struct Here {
    needed: BTreeSet<VarId>,
    limits: Vec<Term>,
    found: Vec<Term>,
}

impl Here {
    fn new(needed: &[VarId], limits: &[Term]) -> Here {
        let mut here = Here { needed: needed.iter().copied().collect(), limits: Vec::new(), found: Vec::new() };
        for t in limits {
            if here.says(*t) && !here.limits.contains(t) {
                here.limits.push(*t);
            }
        }
        here
    }

    /// Whether a term has a meaning here.
    fn says(&self, t: Term) -> bool {
        vars([t]).iter().all(|v| !is_own(v) || self.needed.contains(&v.id))
    }

    fn add(&mut self, t: Term) {
        if !t.is_true() && self.says(t) && !self.found.contains(&t) {
            self.found.push(t);
        }
    }

    /// The range of a counter.
    fn counted(&mut self, count: &Count) {
        self.add(count.first.less_eq(Term::var(count.counter)));
        for limit in &count.limits {
            self.add(Term::var(count.counter).less_eq(*limit));
        }
    }

    /// Loops end at the same number, by whatever name: that of a parameter, or of the argument.
    fn same_limits(&mut self) {
        let limits = self.limits.clone();
        for (i, a) in limits.iter().enumerate() {
            limits[..i].iter().filter(|b| a.difference(**b).is_none()).for_each(|b| self.add(a.equals(*b)));
        }
    }

    /// While a loop folds: what it has recorded goes to the round before.
    fn during(&mut self, f: &Fold) {
        let (i, s, k) = (Term::var(f.counter), Term::var(f.sum), Term::var(any(f)));
        let last = i.plus(-1);
        let next = |k: Term| f.recorded(k.plus(1)).equals(f.round(f.recorded(k), k, k));
        self.add(f.first.less_eq(k).and(k.less(last)).implies(next(k)));
        self.add(f.first.less(i).implies(s.equals(f.round(f.recorded(last), last, last))));
        if let Some(init) = f.init {
            self.add(f.first.less(i).implies(f.recorded(f.first).equals(init)));
            self.add(i.equals(f.first).implies(s.equals(init)));
        }
    }

    /// The record belongs to the array, as it is or moved by one.
    fn belongs(&mut self, f: &Fold, now: Option<&Count>) {
        let k = Term::var(any(f));
        let i = now.map(|c| Term::var(c.counter));
        for by in 0..2u32 {
            let moved = |k: Term| f.recorded(k.plus(1 + by)).equals(f.round(f.recorded(k.plus(by)), k.plus(by), k));
            let first = f.first.plus(-i64::from(by));
            let lows = (0..=PREFIX).map(|j| first.plus(j).less_eq(k)).chain(i.map(|i| first.less_eq(k).and(i.less_eq(k))));
            for low in lows {
                for high in self.limits.clone().into_iter().chain(i) {
                    self.add(low.and(k.less(high)).implies(moved(k)));
                }
            }
        }
    }

    /// The record begins as the array does.
    fn begins(&mut self, f: &Fold, held: &[(Var, Scalar)]) {
        let Some(init) = f.init else { return };
        for (n, prefix) in (0..=PREFIX).filter_map(|n| Some((n, f.prefix(n)?))) {
            self.add(f.recorded(f.first.plus(n)).equals(prefix));
        }
        for (t, _) in held.iter().filter(|(_, ty)| f.cells() == Some(*ty)) {
            match init.kind() {
                Kind::Load(..) => self.add(f.recorded(f.first).equals(Term::var(*t))),
                _ => self.add(f.recorded(f.first.plus(1)).equals(f.round_of(init, f.first, Term::var(*t)))),
            }
        }
    }

    /// A loop that folds what another one has folded before.
    fn again(&mut self, f: &Fold, now: &Fold, held: &[(Var, Scalar)]) {
        let (i, s) = (Term::var(now.counter), Term::var(now.sum));
        let same = s.equals(f.recorded(i));
        for n in 0..=PREFIX {
            let begin = now.first.plus(n);
            self.add(begin.less_eq(i).implies(same));
            if let Some(prefix) = now.prefix(n) {
                self.add(i.equals(begin).implies(s.equals(prefix)));
            }
        }
        for limit in self.limits.clone() {
            // The cell that was taken out has come last, or is to come.
            let of = held.iter().filter(|(_, ty)| f.cells() == Some(*ty));
            let taken = of.map(|(t, _)| now.round_of(s, i, Term::var(*t))).chain([now.round(s, i, limit.plus(-1))]);
            for last in taken {
                for n in 0..=PREFIX {
                    let begin = now.first.plus(n);
                    self.add(begin.less_eq(i).and(i.less(limit)).implies(last.equals(f.recorded(i.plus(1)))));
                }
            }
            self.add(limit.less_eq(i).implies(s.equals(f.recorded(limit))));
        }
        let (Some(factor), Scalar::Int(ty)) = (factor(f, now), f.ty) else { return };
        for limit in self.limits.clone() {
            for times in -2i32..=2 {
                let whole = f.recorded(limit).scale(&times.into());
                self.add(s.equals(whole.add(f.recorded(i).scale(&factor)).wrap(ty)));
            }
        }
    }

    /// What is computed from the whole of a fold, as it is from another one somewhere.
    fn results(&mut self, f: &Fold, results: &[(Var, Term, Var)]) {
        for (v, made, hole) in results.iter().filter(|(_, _, hole)| hole.ty == f.sum.ty) {
            for n in self.limits.clone() {
                let whole = f.recorded(n);
                self.add(Term::var(*v).equals(substitute(*made, &|x| (x == *hole).then_some(whole))));
            }
        }
    }

    /// Two folds come to the same.
    fn alike(&mut self, f: &Fold, other: &Fold) {
        for n in self.limits.clone() {
            self.add(other.recorded(n).equals(f.recorded(n)));
        }
    }
}

/// How many times what one loop adds another one adds.
fn factor(f: &Fold, now: &Fold) -> Option<IBig> {
    let added = |g: &Fold| {
        let step = if let Kind::Wrap(_, inner) = g.step.kind() { *inner } else { g.step };
        let added = step.sub(Term::var(g.sum));
        let common = substitute(added, &|v| (v == g.counter).then_some(Term::var(f.counter)));
        (!vars([common]).contains(&g.sum)).then_some(common)
    };
    let (theirs, ours) = (added(f)?, added(now)?);
    let leading = |t: Term| linear_form(t).1.into_iter().next();
    let ((n, _), (m, _)) = (leading(ours)?, leading(theirs)?);
    let factor = n / m;
    (theirs.scale(&factor) == ours && factor != IBig::ZERO).then_some(factor)
}

/// The variables that get the value of a cell somewhere, with the type of the cell.
fn held(program: &Program, system: &System) -> Vec<(Var, Scalar)> {
    let mut out: Vec<(Var, Scalar)> = Vec::new();
    for t in &system.transitions {
        for (v, after) in system.cuts[t.to.0].needed.iter().zip(&t.values) {
            let v = Var::new(*v, program.var(*v).ty);
            if let (Kind::Load(ty, ..), VarTy::Scalar(_)) = (after.kind(), v.ty) {
                if !out.contains(&(v, *ty)) && out.len() < MAX_HELD {
                    out.push((v, *ty));
                }
            }
        }
    }
    out
}

/// What blocks after folds make of the numbers, and of nothing else: the variable that gets it, the value and the number in it.
fn results(program: &Program, system: &System, folds: &[Fold]) -> Vec<(Var, Term, Var)> {
    let mut out: Vec<(Var, Term, Var)> = Vec::new();
    for f in folds {
        for t in system.transitions.iter().filter(|t| t.from.0 == f.cut && t.to.0 != f.cut) {
            for (v, after) in system.cuts[t.to.0].needed.iter().zip(&t.values) {
                if vars([*after]) == [f.sum] {
                    out.push((Var::new(*v, program.var(*v).ty), *after, f.sum));
                }
            }
        }
    }
    out
}

/// Which cut points are reached from which.
fn reached(system: &System) -> Vec<BTreeSet<usize>> {
    let next = |from: usize| system.transitions.iter().filter(move |t| t.from.0 == from).map(|t| t.to.0);
    let all = |from: usize| {
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        let mut work: Vec<usize> = next(from).collect();
        while let Some(c) = work.pop() {
            if seen.insert(c) {
                work.extend(next(c));
            }
        }
        seen
    };
    (0..system.cuts.len()).map(all).collect()
}
