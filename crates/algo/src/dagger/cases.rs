//! The cases of a way as linear actions.
//!
//! Guards with disjunctions and disequalities, choices among values, quotients' signs and the wraps of machine arithmetic are told apart: each case is one
//! conjunction of linear constraints and linear values. So nothing that is linear in a case is lost. An operator that is not linear counts as a
//! number of which the range is known, and the action says that it is not exact; so is what is left when there are too many cases.

use super::action::Action;
use super::control::Way;
use crate::space::Space;
use plumb_num::{Boxes, ConsKind, Dim, Int, IntBox, Lattice, LinCons, LinExpr, NumDomain};
use plumb_term::{IBig, IntTy, Kind, Range, Sort, Term, Var, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A way with more cases is approximated.
const MAX_CASES: usize = 96;
/// The rounds of a wrap are told apart if there are at most so many; of others, whether there are any.
const MAX_ROUNDS: i128 = 5;
/// What is nested deeper counts as unknown.
const MAX_DEPTH: u32 = 160;

/// The actions of a way; `alive` are the variables that matter at its end.
pub fn cases(space: &Space, way: &Way, needed: &BTreeSet<VarId>, alive: &BTreeSet<VarId>) -> Vec<Action> {
    cases_from(space, way, needed, alive, Boxes.top())
}

/// The actions of a way from states in a box: what the box decides is not told apart, and the actions do not repeat it.
pub fn cases_from(space: &Space, way: &Way, needed: &BTreeSet<VarId>, alive: &BTreeSet<VarId>, within: IntBox) -> Vec<Action> {
    let mut out: Vec<Action> = Vec::new();
    let mut open: Vec<FxHashMap<(Question, Term), usize>> = vec![FxHashMap::default()];
    let mut tried = 0;
    while let Some(decided) = open.pop() {
        tried += 1;
        let mut reader = Reader {
            space,
            decided,
            // Beyond the limit nothing is decided any more: what is not clear is unknown.
            rough: tried > MAX_CASES,
            linear: FxHashMap::default(),
            assumed: FxHashMap::default(),
            inputs: FxHashMap::default(),
            next: space.end(),
            known: within.clone(),
            guards: Vec::new(),
            exact: true,
        };
        match reader.read(way, needed, alive) {
            Ok(action) => {
                if let Some(a) = action.reduced().filter(|a| !out.contains(a)) {
                    out.push(a);
                }
            }
            Err(Stop::Never) => {}
            Err(Stop::Decide(question, t, options)) => {
                for option in (0..options).rev() {
                    let mut with = reader.decided.clone();
                    with.insert((question, t), option);
                    open.push(with);
                }
            }
        }
    }
    out
}

/// Why reading a case stops.
enum Stop {
    /// The case has no states.
    Never,
    /// There are several cases of a term.
    Decide(Question, Term, usize),
}

/// What is told apart about a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Question {
    /// Its truth: the first case is that it holds.
    Truth,
    /// Which of its parts makes a disjunction true or a conjunction false.
    Part,
    /// On which side two different numbers lie.
    Side,
    /// The sign of a number.
    Sign,
    /// The rounds of a wrap.
    Rounds,
}

struct Reader<'s> {
    space: &'s Space,
    decided: FxHashMap<(Question, Term), usize>,
    rough: bool,
    linear: FxHashMap<Term, LinExpr>,
    assumed: FxHashMap<Term, bool>,
    inputs: FxHashMap<VarId, Dim>,
    next: Dim,
    /// What the guards say of single dimensions.
    known: IntBox,
    guards: Vec<LinCons>,
    exact: bool,
}

impl Reader<'_> {
    fn read(&mut self, way: &Way, needed: &BTreeSet<VarId>, alive: &BTreeSet<VarId>) -> Result<Action, Stop> {
        self.assume(way.guard, true, 0)?;
        let mut updates = Vec::new();
        for (v, t) in &way.updates {
            if let Some(d) = self.space.dim(*v).filter(|_| alive.contains(v)) {
                updates.push((d, self.number(*t, 0)?));
            }
        }
        let inputs = (self.space.end().0..self.next.0).map(Dim).collect();
        let gone = needed.iter().chain(way.updates.keys()).filter(|v| !alive.contains(v));
        let mut dead: Vec<Dim> = gone.filter_map(|v| self.space.dim(*v)).collect();
        dead.sort_unstable();
        dead.dedup();
        Ok(Action { guards: std::mem::take(&mut self.guards), updates, inputs, dead, exact: self.exact })
    }

    /// The case of a term; nothing where cases are not told apart.
    fn decide(&mut self, question: Question, t: Term, options: usize) -> Result<Option<usize>, Stop> {
        match self.decided.get(&(question, t)) {
            Some(d) => Ok(Some(*d)),
            None if self.rough => {
                self.exact = false;
                Ok(None)
            }
            None => Err(Stop::Decide(question, t, options)),
        }
    }

    fn guard(&mut self, c: LinCons) -> Result<(), Stop> {
        if c.is_always() {
            return Ok(());
        }
        self.known = Boxes.assume(&self.known, &c);
        if c.is_never() || Boxes.is_bottom(&self.known) {
            return Err(Stop::Never);
        }
        self.guards.push(c);
        Ok(())
    }

    fn between(&mut self, e: &LinExpr, lo: Option<IBig>, hi: Option<IBig>) -> Result<(), Stop> {
        if let Some(lo) = lo {
            self.guard(LinCons::ge(e.clone(), LinExpr::constant(Int::from(lo))))?;
        }
        if let Some(hi) = hi {
            self.guard(LinCons::le(e.clone(), LinExpr::constant(Int::from(hi))))?;
        }
        Ok(())
    }

    fn fresh(&mut self, range: Range) -> Result<LinExpr, Stop> {
        let x = LinExpr::var(self.next);
        self.next.0 += 1;
        self.between(&x, range.lo.map(IBig::from), range.hi.map(IBig::from))?;
        Ok(x)
    }

    /// States that a condition has a truth value.
    fn assume(&mut self, t: Term, truth: bool, depth: u32) -> Result<(), Stop> {
        if let Some(known) = self.assumed.get(&t) {
            return if *known == truth { Ok(()) } else { Err(Stop::Never) };
        }
        if depth > MAX_DEPTH {
            self.exact = false;
            return Ok(());
        }
        self.assumed.insert(t, truth);
        let d = depth + 1;
        match t.kind() {
            Kind::Bool(b) if *b == truth => Ok(()),
            Kind::Bool(_) => Err(Stop::Never),
            Kind::Not(a) => self.assume(*a, !truth, d),
            Kind::And(ts) | Kind::Or(ts) => {
                if truth == matches!(t.kind(), Kind::And(_)) {
                    // What is linear first: it may settle what would have to be split.
                    return ts.iter().try_for_each(|a| self.assume(*a, truth, d));
                }
                match self.decide(Question::Part, t, ts.len())? {
                    Some(i) => self.assume(ts[i], truth, d),
                    None => Ok(()),
                }
            }
            Kind::Ite(c, a, b) => match self.decide(Question::Truth, *c, 2)? {
                Some(i) => {
                    self.assume(*c, i == 0, d)?;
                    self.assume(if i == 0 { *a } else { *b }, truth, d)
                }
                None => Ok(()),
            },
            Kind::Eq(a, b) if a.sort() == Sort::Bool => match self.decide(Question::Truth, *a, 2)? {
                Some(i) => {
                    self.assume(*a, i == 0, d)?;
                    self.assume(*b, (i == 0) == truth, d)
                }
                None => Ok(()),
            },
            Kind::Le(a, b) => {
                let difference = self.number(*b, d)? - self.number(*a, d)?;
                let c = LinCons::new(difference, ConsKind::Ge);
                self.guard(if truth { c } else { c.negated() })
            }
            Kind::Eq(a, b) if a.sort() == Sort::Int => {
                let difference = self.number(*b, d)? - self.number(*a, d)?;
                if truth {
                    return self.guard(LinCons::new(difference, ConsKind::Eq));
                }
                let one = LinExpr::constant(1);
                let bounds = Boxes.bounds(&self.known, &difference);
                let side = if bounds.lo.is_some_and(|l| !l.is_negative()) {
                    Some(0)
                } else if bounds.hi.is_some_and(|h| !h.is_positive()) {
                    Some(1)
                } else {
                    self.decide(Question::Side, t, 2)?
                };
                match side {
                    Some(0) => self.guard(LinCons::ge(difference, one)),
                    Some(_) => self.guard(LinCons::ge(-difference, one)),
                    None => Ok(()),
                }
            }
            _ => {
                self.exact = false;
                Ok(())
            }
        }
    }

    /// An integer term as a linear expression.
    fn number(&mut self, t: Term, depth: u32) -> Result<LinExpr, Stop> {
        if let Some(e) = self.linear.get(&t) {
            return Ok(e.clone());
        }
        let e = self.number_of(t, depth)?;
        self.linear.insert(t, e.clone());
        Ok(e)
    }

    fn number_of(&mut self, t: Term, depth: u32) -> Result<LinExpr, Stop> {
        if depth > MAX_DEPTH {
            return self.unknown(t);
        }
        let d = depth + 1;
        match t.kind() {
            Kind::Int(v) => Ok(LinExpr::constant(Int::from(v.clone()))),
            Kind::Var(v) => self.variable(*v, t),
            Kind::Lin(lin) => {
                let mut sum = LinExpr::constant(Int::from(lin.constant.clone()));
                for (k, a) in &lin.parts {
                    sum = sum.plus_scaled(&self.number(*a, d)?, &Int::from(k.clone()));
                }
                Ok(sum)
            }
            Kind::Ite(c, a, b) => match self.decide(Question::Truth, *c, 2)? {
                Some(i) => {
                    self.assume(*c, i == 0, d)?;
                    self.number(if i == 0 { *a } else { *b }, d)
                }
                None => self.unknown(t),
            },
            Kind::Wrap(ty, a) => self.wrapped(t, *ty, *a, d),
            Kind::Mul(a, b) => {
                let (x, y) = (self.number(*a, d)?, self.number(*b, d)?);
                match (self.constant(&x), self.constant(&y)) {
                    (Some(k), _) => Ok(y.scaled(&k)),
                    (_, Some(k)) => Ok(x.scaled(&k)),
                    _ => self.unknown(t),
                }
            }
            Kind::Div(a, k) | Kind::Rem(a, k) if k.as_int().is_some_and(|k| *k != IBig::ZERO) => {
                let Some(k) = k.as_int() else { return self.unknown(t) };
                self.divided(t, *a, k, d)
            }
            _ => self.unknown(t),
        }
    }

    fn variable(&mut self, v: Var, t: Term) -> Result<LinExpr, Stop> {
        if let Some(d) = self.space.dim(v.id).filter(|_| v.version == 0) {
            return Ok(LinExpr::var(d));
        }
        if v.id < VarId::FIRST_AUX {
            return self.unknown(t);
        }
        if let Some(d) = self.inputs.get(&v.id) {
            return Ok(LinExpr::var(*d));
        }
        self.inputs.insert(v.id, self.next);
        self.fresh(t.range())
    }

    /// The value of an expression that the guards fix.
    fn constant(&self, e: &LinExpr) -> Option<Int> {
        let b = Boxes.bounds(&self.known, e);
        b.lo.filter(|l| b.hi.as_ref() == Some(l))
    }

    /// A number of which only the range is known.
    fn unknown(&mut self, t: Term) -> Result<LinExpr, Stop> {
        self.exact = false;
        self.fresh(t.range())
    }

    /// A wrap: its argument minus so many rounds of the type's modulus.
    fn wrapped(&mut self, t: Term, ty: IntTy, a: Term, depth: u32) -> Result<LinExpr, Stop> {
        let e = self.number(a, depth)?;
        // The variables are in their types; the argument would be unbounded otherwise. As guards on many variables these bounds would be a cube with
        // all its corners.
        let dims: Vec<Dim> = e.dims().filter(|d| *d < self.space.end()).collect();
        for d in &dims {
            let r = self.space.var(*d).range();
            let kept = self.guards.len();
            self.between(&LinExpr::var(*d), r.lo.map(IBig::from), r.hi.map(IBig::from))?;
            if dims.len() > 2 {
                self.guards.truncate(kept);
            }
        }
        let bounds = Boxes.bounds(&self.known, &e);
        let modulus = Int::from(ty.modulus());
        let low = Int::from(ty.min());
        let round = |b: &Int| (b - &low).div_floor(&modulus);
        let (first, last) = (bounds.lo.as_ref().map(round), bounds.hi.as_ref().map(round));
        let fixed = |rounds: &Int| e.clone() - LinExpr::constant(rounds * &modulus);
        let value = match (&first, &last) {
            (Some(f), Some(l)) if f == l => return Ok(fixed(f)),
            (Some(f), Some(l)) if (l - f).to_i128().is_some_and(|n| n < MAX_ROUNDS) => {
                let options = (l - f).to_i128().map_or(0, |n| n as usize + 1);
                self.decide(Question::Rounds, t, options)?.map(|i| fixed(&(f + &Int::from(i as i64))))
            }
            // It is idle, or there are some rounds.
            _ => match self.decide(Question::Rounds, t, 3)? {
                Some(0) => Some(e.clone()),
                Some(i) => {
                    let rounds = self.fresh(if i == 1 { Range { lo: Some(1), hi: None } } else { Range { lo: None, hi: Some(-1) } })?;
                    self.exact = false;
                    Some(e.plus_scaled(&rounds, &-&modulus))
                }
                None => None,
            },
        };
        let value = match value {
            Some(v) => v,
            None => {
                let rounds = self.fresh(Range::ALL)?;
                e.plus_scaled(&rounds, &-&modulus)
            }
        };
        self.between(&value, Some(ty.min()), Some(ty.max()))?;
        Ok(value)
    }

    /// C's quotient or remainder by a constant: they round towards zero, so the remainder has the sign of the dividend.
    fn divided(&mut self, t: Term, a: Term, k: &IBig, depth: u32) -> Result<LinExpr, Stop> {
        let x = self.number(a, depth)?;
        let bounds = Boxes.bounds(&self.known, &x);
        let side = if bounds.lo.is_some_and(|l| !l.is_negative()) {
            Some(0)
        } else if bounds.hi.is_some_and(|h| h.is_negative()) {
            Some(1)
        } else {
            self.decide(Question::Sign, a, 2)?
        };
        let (q, r) = (self.fresh(Range::ALL)?, self.fresh(Range::ALL)?);
        self.guard(LinCons::eq(x.clone(), r.plus_scaled(&q, &Int::from(k.clone()))))?;
        let most = if *k < IBig::ZERO { -k.clone() } else { k.clone() } - IBig::ONE;
        match side {
            Some(0) => {
                self.between(&x, Some(IBig::ZERO), None)?;
                self.between(&r, Some(IBig::ZERO), Some(most))?;
            }
            Some(_) => {
                self.between(&x, None, Some(-IBig::ONE))?;
                self.between(&r, Some(-most), Some(IBig::ZERO))?;
            }
            None => self.between(&r, Some(-most.clone()), Some(most))?,
        }
        let (quotient, remainder) = match t.kind() {
            Kind::Div(..) => (t, a.rem(Term::int(k.clone()))),
            _ => (a.div(Term::int(k.clone())), t),
        };
        self.linear.insert(quotient, q.clone());
        self.linear.insert(remainder, r.clone());
        Ok(if quotient == t { q } else { r })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_cfa::Loc;
    use plumb_num::Polyhedra;
    use plumb_term::VarTy;
    use std::collections::BTreeMap;

    const X: Var = Var { id: VarId(0), ty: VarTy::Int, version: 0 };
    const Y: Var = Var { id: VarId(1), ty: VarTy::Int, version: 0 };

    /// The values of `y` that a way gives to each `x` of a range, by its cases and by the terms themselves.
    fn agree(guard: Term, value: Term) {
        let space = Space::new([X, Y]);
        let way = Way { from: Loc(0), to: Loc(1), guard, updates: BTreeMap::from([(Y.id, value)]), path: Vec::new() };
        let all = BTreeSet::from([X.id, Y.id]);
        let cases = cases(&space, &way, &all, &all);
        let d = Polyhedra::default();
        let (x, y) = (LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
        for k in -7i64..8 {
            let env = |v: Var| (v == X).then(|| plumb_term::eval::Value::Int(k.into()));
            let taken = plumb_term::eval::eval(guard, &env) == Some(plumb_term::eval::Value::Bool(true));
            let Some(plumb_term::eval::Value::Int(expected)) = plumb_term::eval::eval(value, &env) else { panic!("no value") };
            let here = d.of_constraints(&[LinCons::eq(x.clone(), LinExpr::constant(k))]);
            let images: Vec<_> = cases.iter().map(|a| a.image(&d, &here)).filter(|e| !d.is_bottom(e)).collect();
            let covers = |e: &plumb_num::Poly| {
                let at = d.assume(e, &LinCons::eq(y.clone(), LinExpr::constant(Int::from(expected.clone()))));
                !d.is_bottom(&at)
            };
            let covered = images.iter().any(covers);
            // Rational states of an action that is not exact may be more.
            assert!(covered == taken || (covered && cases.iter().any(|a| !a.exact)), "x = {k}");
        }
    }

    #[test]
    fn every_state_is_in_a_case() {
        let x = Term::var(X);
        let int = |k: i64| Term::int(k);
        let zero = x.equals(int(0));
        // The same term as a condition of values and as a guard, both ways.
        let chosen = Term::ite(zero, int(5), Term::ite(x.less_eq(int(2)), x.neg(), x.scale(&3.into())));
        agree(Term::tt(), chosen);
        agree(zero.not(), chosen);
        let either = x.less_eq(int(-3)).or(int(4).less_eq(x));
        agree(either, Term::ite(either, x, int(0)));
        agree(Term::tt(), Term::ite(either, x, int(0)));
        agree(either.not(), Term::ite(zero, int(1), int(2)));
    }

    #[test]
    fn quotients_and_wraps_are_told_apart() {
        let x = Term::var(X);
        agree(Term::tt(), x.div(Term::int(3)).plus(1));
        agree(x.rem(Term::int(2)).equals(Term::int(0)).not().and(Term::int(0).less_eq(x)), x);
        let near = x.plus(i64::from(i32::MAX) - 2).wrap(IntTy::I32);
        agree(Term::tt(), near);
        agree(near.less_eq(Term::int(0)), near.plus(1));
    }
}
