//! The abstract meaning of terms, conditions and effects over ranges.

use super::env::{int_range, meet, Env};
use super::floats;
use super::value::Interval;
use plumb_cfa::{Effect, Program};
use plumb_term::visit::linear_form;
use plumb_term::{Cell, Kind, Range, Scalar, Sort, Term, VarId};
use rustc_hash::FxHashMap;

/// Terms nested deeper than this count as unknown: ranges of deep terms are rarely useful, and recursion stays bounded.
pub(super) const MAX_DEPTH: u32 = 64;
/// So many subterms are evaluated before results are remembered: most terms are small, and a table costs more than they do.
const SMALL: u32 = 64;

/// Evaluates terms in one abstract state.
pub struct Eval<'a> {
    pub(super) program: &'a Program,
    pub(super) env: &'a Env,
    memo: FxHashMap<Term, Interval>,
    work: u32,
}

impl<'a> Eval<'a> {
    /// In the state `env`.
    pub fn new(program: &'a Program, env: &'a Env) -> Eval<'a> {
        Eval { program, env, memo: FxHashMap::default(), work: 0 }
    }

    /// The range of an integer term.
    pub fn range(&mut self, t: Term) -> Range {
        self.at_depth(t, 0)
    }

    /// What was found of a term, where results are remembered.
    pub(super) fn remembered(&mut self, t: Term) -> Option<Interval> {
        self.work += 1;
        if self.work > SMALL {
            self.memo.get(&t).copied()
        } else {
            None
        }
    }

    pub(super) fn remember(&mut self, t: Term, value: Interval) {
        if self.work > SMALL {
            self.memo.insert(t, value);
        }
    }

    /// The values of a term that is no truth value and no memory.
    pub fn value(&mut self, t: Term) -> Interval {
        match self.any_float(t, 0) {
            Some(f) => Interval::Float(f),
            None => Interval::Int(self.range(t)),
        }
    }

    /// What a load from a memory variable at one address gives.
    pub(super) fn loaded(&mut self, ty: Scalar, m: Term, a: Term, depth: u32) -> Option<Interval> {
        let addr = self.at_depth(a, depth);
        match (m.as_var(), addr.lo) {
            (Some(m), Some(lo)) if addr.hi == Some(lo) => self.env.cell(m.id, lo, ty),
            _ => None,
        }
    }

    pub(super) fn at_depth(&mut self, t: Term, depth: u32) -> Range {
        if t.sort() != Sort::Int || depth > MAX_DEPTH {
            return t.range();
        }
        if let Some(Interval::Int(r)) = self.remembered(t) {
            return r;
        }
        let d = depth + 1;
        let r = match t.kind() {
            Kind::Var(v) if v.id < VarId::FIRST_AUX => self.env.var(self.program, v.id),
            Kind::Ite(c, a, b) => match self.truth(*c, d) {
                Some(true) => self.at_depth(*a, d),
                Some(false) => self.at_depth(*b, d),
                None => self.at_depth(*a, d).join(self.at_depth(*b, d)),
            },
            Kind::Lin(lin) => lin.parts.iter().fold(Range::of_value(&lin.constant), |r, (k, a)| r.plus(self.at_depth(*a, d).scale(k))),
            Kind::Mul(a, b) => self.at_depth(*a, d).times(self.at_depth(*b, d)),
            Kind::Div(a, b) => self.at_depth(*a, d).quotients(self.at_depth(*b, d)),
            Kind::Rem(a, b) => self.at_depth(*a, d).remainders(self.at_depth(*b, d)),
            Kind::Wrap(ty, a) => {
                let inner = self.at_depth(*a, d);
                if inner.fits(*ty) {
                    inner
                } else {
                    int_range(*ty)
                }
            }
            Kind::BitAnd(a, b) => {
                let (x, y) = (self.at_depth(*a, d), self.at_depth(*b, d));
                let mut r = x.bitwise(y);
                for side in [x, y] {
                    if side.lo.is_some_and(|l| l >= 0) {
                        r = meet(r, Range { lo: Some(0), hi: side.hi }).unwrap_or(r);
                    }
                }
                r
            }
            Kind::BitOr(a, b) | Kind::BitXor(a, b) => self.at_depth(*a, d).bitwise(self.at_depth(*b, d)),
            Kind::Shr(a, k) => match k.as_i128() {
                Some(k @ 0..=126) => {
                    let r = self.at_depth(*a, d);
                    Range { lo: r.lo.map(|l| l >> k), hi: r.hi.map(|h| h >> k) }
                }
                _ => t.range(),
            },
            Kind::Load(ty, m, a) => self.loaded(*ty, *m, *a, d).map_or_else(|| t.range(), Interval::int),
            Kind::FToInt(ty, a) => self.any_float(*a, d).map_or_else(|| t.range(), |f| f.to_int(*ty)),
            Kind::FBits(a) => self.any_float(*a, d).map_or_else(|| t.range(), |f| f.bits()),
            _ => t.range(),
        };
        let r = meet(r, t.range()).unwrap_or(r);
        self.remember(t, Interval::Int(r));
        r
    }

    /// The truth of a condition, where the ranges decide it.
    pub fn truth(&mut self, t: Term, depth: u32) -> Option<bool> {
        if depth > MAX_DEPTH {
            return None;
        }
        let d = depth + 1;
        match t.kind() {
            Kind::Bool(b) => Some(*b),
            Kind::Not(a) => self.truth(*a, d).map(|b| !b),
            Kind::And(ts) => self.junction(ts, d, true),
            Kind::Or(ts) => self.junction(ts, d, false),
            Kind::Le(a, b) => {
                let (x, y) = (self.at_depth(*a, d), self.at_depth(*b, d));
                match (x, y) {
                    (Range { hi: Some(h), .. }, Range { lo: Some(l), .. }) if h <= l => Some(true),
                    (Range { lo: Some(l), .. }, Range { hi: Some(h), .. }) if l > h => Some(false),
                    _ => None,
                }
            }
            Kind::Eq(a, b) if a.sort() == Sort::Int => {
                let (x, y) = (self.at_depth(*a, d), self.at_depth(*b, d));
                if meet(x, y).is_none() {
                    Some(false)
                } else if x.lo.is_some() && x.lo == x.hi && x == y {
                    Some(true)
                } else {
                    None
                }
            }
            Kind::FCmp(..) | Kind::FTest(..) => self.float_truth(t, d),
            _ => None,
        }
    }

    fn junction(&mut self, ts: &[Term], depth: u32, is_and: bool) -> Option<bool> {
        let mut all = true;
        for t in ts {
            match self.truth(*t, depth) {
                Some(b) if b != is_and => return Some(!is_and),
                Some(_) => {}
                None => all = false,
            }
        }
        all.then_some(is_and)
    }
}

/// The states of `env` in which `t` is true; `None` if there are none. May keep too many.
pub fn assume(program: &Program, env: &Env, t: Term, depth: u32) -> Option<Env> {
    match Eval::new(program, env).truth(t, 0) {
        Some(false) => return None,
        Some(true) => return Some(env.clone()),
        None => {}
    }
    if depth > 8 {
        return Some(env.clone());
    }
    match t.kind() {
        Kind::And(ts) => {
            let mut e = env.clone();
            for t in ts {
                e = assume(program, &e, *t, depth + 1)?;
            }
            Some(e)
        }
        Kind::Or(ts) => {
            let mut out: Option<Env> = None;
            for t in ts {
                if let Some(e) = assume(program, env, *t, depth + 1) {
                    match &mut out {
                        None => out = Some(e),
                        Some(o) => {
                            o.join_with(program, &e, &mut |_, new| new);
                        }
                    }
                }
            }
            out
        }
        Kind::Le(a, b) => at_most(program, env, a.sub(*b)),
        Kind::Eq(a, b) if a.sort() == Sort::Int => {
            let e = at_most(program, env, a.sub(*b))?;
            at_most(program, &e, b.sub(*a))
        }
        Kind::FCmp(op, a, b) => floats::assume_compare(program, env, *op, *a, *b, true),
        Kind::FTest(test, a) => floats::assume_test(program, env, *test, *a, true),
        Kind::Not(n) => match n.kind() {
            Kind::FCmp(op, a, b) => floats::assume_compare(program, env, *op, *a, *b, false),
            Kind::FTest(test, a) => floats::assume_test(program, env, *test, *a, false),
            Kind::Eq(a, b) if a.sort() == Sort::Int => differ(program, env, *a, *b),
            Kind::And(ts) => assume(program, env, Term::any(ts.iter().map(|t| t.not())), depth + 1),
            Kind::Or(ts) => assume(program, env, Term::all(ts.iter().map(|t| t.not())), depth + 1),
            _ => Some(env.clone()),
        },
        _ => Some(env.clone()),
    }
}

/// Refines by the bounds of `r` on `t`.
pub(super) fn limit(program: &Program, env: &Env, t: Term, r: Range) -> Option<Env> {
    let mut out = env.clone();
    if let Some(lo) = r.lo {
        out = at_most(program, &out, Term::int(lo).sub(t))?;
    }
    if let Some(hi) = r.hi {
        out = at_most(program, &out, t.sub(Term::int(hi)))?;
    }
    Some(out)
}

/// Refines by `t ≤ 0`.
fn at_most(program: &Program, env: &Env, t: Term) -> Option<Env> {
    let (constant, parts) = linear_form(t);
    let mut out = env.clone();
    let ranges: Vec<Range> = {
        let mut eval = Eval::new(program, env);
        parts.iter().map(|(k, a)| eval.range(*a).scale(k)).collect()
    };
    for (i, (k, atom)) in parts.iter().enumerate() {
        let others = ranges.iter().enumerate().filter(|(j, _)| *j != i).fold(Range::of_value(&constant), |r, (_, x)| r.plus(*x));
        // k·atom ≤ −others, at most when the others are least.
        let Some(rest) = others.lo.and_then(i128::checked_neg) else { continue };
        let Ok(k) = i128::try_from(k) else { continue };
        let limit = if k > 0 {
            Range { lo: None, hi: Some(rest.div_euclid(k)) }
        } else {
            Range { lo: k.checked_neg().map(|k| -rest.div_euclid(k)), hi: None }
        };
        out = restrict(program, &out, *atom, limit)?;
    }
    Some(out)
}

/// Keeps the states in which the value of `atom` lies in `to`.
fn restrict(program: &Program, env: &Env, atom: Term, to: Range) -> Option<Env> {
    let now = Eval::new(program, env).range(atom);
    let r = meet(now, to)?;
    if r == now {
        return Some(env.clone());
    }
    let mut out = env.clone();
    match atom.kind() {
        Kind::Var(v) if v.id < VarId::FIRST_AUX => out.set_var(program, v.id, r),
        // An idle wrap passes the limit on.
        Kind::Wrap(ty, inner) if Eval::new(program, env).range(*inner).fits(*ty) => return limit(program, env, *inner, r),
        Kind::FToInt(ty, a) => {
            let Some(x) = Eval::new(program, env).any_float(*a, 0) else { return Some(out) };
            let kept = x.shaved(&mut |part| meet(part.to_int(*ty), r).is_some());
            return floats::restrict(program, env, *a, kept, 0);
        }
        Kind::Load(ty, m, a) => {
            let addr = Eval::new(program, env).range(*a);
            if let (Some(m), Some(lo), true) = (m.as_var(), addr.lo, addr.lo == addr.hi) {
                out.store(m.id, *ty, Range::new(lo, lo), Interval::Int(r));
            }
        }
        _ => {}
    }
    Some(out)
}

/// Refines by `a ≠ b`: a bound that the other side equals moves by one.
fn differ(program: &Program, env: &Env, a: Term, b: Term) -> Option<Env> {
    let mut out = env.clone();
    for (x, y) in [(a, b), (b, a)] {
        let (rx, ry) = {
            let mut eval = Eval::new(program, &out);
            (eval.range(x), eval.range(y))
        };
        if let (Some(v), true) = (ry.lo, ry.lo == ry.hi) {
            let mut r = rx;
            if r.lo == Some(v) {
                r.lo = v.checked_add(1);
            }
            if r.hi == Some(v) {
                r.hi = v.checked_sub(1);
            }
            if r != rx {
                meet(r, r)?;
                out = restrict(program, &out, x, r)?;
            }
        }
    }
    Some(out)
}

/// The states after an effect.
pub fn apply(program: &Program, env: &Env, effect: &Effect) -> Option<Env> {
    let before = assume(program, env, effect.assume, 0)?;
    let mut eval = Eval::new(program, &before);
    let mut scalars: Vec<(VarId, Interval)> = Vec::new();
    let mut memories: Vec<(VarId, Vec<Write>)> = Vec::new();
    for (v, t) in &effect.updates {
        if program.is_memory(*v) {
            memories.push((*v, writes(*v, *t, &mut eval)));
        } else if t.sort() != Sort::Bool {
            scalars.push((*v, eval.value(*t)));
        }
    }
    let mut after = before.clone();
    for (v, r) in scalars {
        after.set(program, v, r);
    }
    for (m, ws) in memories {
        let whole = matches!(program.var(m).ty, plumb_term::VarTy::Mem(Cell::Scalar(_)));
        for w in ws {
            match w {
                Write::Scalar(ty, addr, value) if whole => after.store_whole(m, ty, addr, value),
                Write::Scalar(ty, addr, value) => after.store(m, ty, addr, value),
                Write::Bytes(lo, hi) => after.forget_cells(m, lo, hi),
            }
        }
    }
    Some(after)
}

enum Write {
    Scalar(Scalar, Range, Interval),
    Bytes(i128, i128),
}

/// The writes that turn memory `m` into `t`, oldest first.
fn writes(m: VarId, t: Term, eval: &mut Eval<'_>) -> Vec<Write> {
    let mut out = Vec::new();
    let mut now = t;
    loop {
        match now.kind() {
            Kind::Store(ty, inner, a, v) => {
                out.push(Write::Scalar(*ty, eval.range(*a), eval.value(*v)));
                now = *inner;
            }
            Kind::Splice { mem, lo, len, .. } => {
                let (lo, len) = (eval.range(*lo), eval.range(*len));
                let end = lo.plus(len).hi.unwrap_or(i128::MAX);
                out.push(Write::Bytes(lo.lo.unwrap_or(i128::MIN), end));
                now = *mem;
            }
            Kind::Var(v) if v.id == m => break,
            _ => {
                out.push(Write::Bytes(i128::MIN, i128::MAX));
                break;
            }
        }
    }
    out.reverse();
    out
}
