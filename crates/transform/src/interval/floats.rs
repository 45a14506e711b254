//! The abstract meaning of floating-point terms and conditions.

use super::env::Env;
use super::transfer::{self, Eval, MAX_DEPTH};
use super::value::Interval;
use plumb_cfa::Program;
use plumb_term::{FCmpOp, FRange, FTest, FloatTy, Kind, Range, Sort, Term, VarId};

impl Eval<'_> {
    /// The values of a float term.
    pub fn float(&mut self, ty: FloatTy, t: Term, depth: u32) -> FRange {
        let all = FRange::all(ty);
        if t.sort() != Sort::Float(ty) || depth > MAX_DEPTH {
            return all;
        }
        if let Some(Interval::Float(f)) = self.remembered(t) {
            return f;
        }
        let d = depth + 1;
        let f = match t.kind() {
            Kind::Float(f) => FRange::of(*f),
            Kind::Var(v) if v.id < VarId::FIRST_AUX => match self.env.value(self.program, v.id) {
                Interval::Float(f) => f,
                Interval::Int(_) => all,
            },
            Kind::Ite(c, a, b) => match self.truth(*c, d) {
                Some(true) => self.float(ty, *a, d),
                Some(false) => self.float(ty, *b, d),
                None => self.float(ty, *a, d).join(self.float(ty, *b, d)),
            },
            Kind::FBin(op, a, b) => FRange::binary(*op, self.float(ty, *a, d), self.float(ty, *b, d)),
            Kind::FUn(op, a) => FRange::unary(*op, self.float(ty, *a, d)),
            Kind::FFromInt(_, a) => FRange::from_int(ty, self.at_depth(*a, d)),
            Kind::FCast(_, a) => self.any_float(*a, d).map_or(all, |f| f.cast(ty)),
            Kind::FFromBits(_, a) => FRange::from_bits(ty, self.at_depth(*a, d)),
            Kind::Load(cell, m, a) => match self.loaded(*cell, *m, *a, d) {
                Some(Interval::Float(f)) => f,
                _ => all,
            },
            _ => all,
        };
        self.remember(t, Interval::Float(f));
        f
    }

    /// The values of a term, if it is a float.
    pub fn any_float(&mut self, t: Term, depth: u32) -> Option<FRange> {
        match t.sort() {
            Sort::Float(ty) => Some(self.float(ty, t, depth)),
            _ => None,
        }
    }

    /// The truth of a condition on floats.
    pub(super) fn float_truth(&mut self, t: Term, depth: u32) -> Option<bool> {
        match t.kind() {
            Kind::FCmp(op, a, b) => FRange::compare(*op, self.any_float(*a, depth)?, self.any_float(*b, depth)?),
            Kind::FTest(test, a) => self.any_float(*a, depth)?.test(*test),
            _ => None,
        }
    }
}

/// The states in which a comparison has this truth value; `None` if there are none. May keep too many.
pub(super) fn assume_compare(program: &Program, env: &Env, op: FCmpOp, a: Term, b: Term, truth: bool) -> Option<Env> {
    let mut eval = Eval::new(program, env);
    let (Some(x), Some(y)) = (eval.any_float(a, 0), eval.any_float(b, 0)) else { return Some(env.clone()) };
    let (x, y) = FRange::refine(op, x, y, truth);
    let e = restrict(program, env, a, x, 0)?;
    restrict(program, &e, b, y, 0)
}

/// The states in which a class test has this truth value.
pub(super) fn assume_test(program: &Program, env: &Env, test: FTest, a: Term, truth: bool) -> Option<Env> {
    let Some(x) = Eval::new(program, env).any_float(a, 0) else { return Some(env.clone()) };
    restrict(program, env, a, x.refine_test(test, truth), 0)
}

/// Keeps the states in which the value of `t` is in `limit`. An operand is limited to what gives such values, as far as evaluation shows.
pub(super) fn restrict(program: &Program, env: &Env, t: Term, limit: FRange, depth: u32) -> Option<Env> {
    let now = Eval::new(program, env).float(limit.ty, t, 0);
    let wanted = now.meet(limit);
    if wanted.is_empty() {
        return None;
    }
    if wanted == now || depth > 6 {
        return Some(env.clone());
    }
    let possible = |f: FRange| !f.meet(wanted).is_empty();
    let operand = |env: &Env, a: Term, result: &dyn Fn(FRange) -> FRange| {
        let Some(x) = Eval::new(program, env).any_float(a, 0) else { return Some(env.clone()) };
        restrict(program, env, a, x.shaved(&mut |part| possible(result(part))), depth + 1)
    };
    match t.kind() {
        Kind::Var(v) if v.id < VarId::FIRST_AUX => {
            let mut out = env.clone();
            out.set(program, v.id, Interval::Float(wanted));
            Some(out)
        }
        Kind::Load(ty, m, a) => {
            let addr = Eval::new(program, env).range(*a);
            let mut out = env.clone();
            if let (Some(m), Some(lo), true) = (m.as_var(), addr.lo, addr.lo == addr.hi) {
                out.store(m.id, *ty, Range::new(lo, lo), Interval::Float(wanted));
            }
            Some(out)
        }
        Kind::FCast(ty, a) => operand(env, *a, &|x| x.cast(*ty)),
        Kind::FUn(op, a) => operand(env, *a, &|x| FRange::unary(*op, x)),
        Kind::FBin(op, a, b) => {
            let y = Eval::new(program, env).float(limit.ty, *b, 0);
            let e = operand(env, *a, &|x| FRange::binary(*op, x, y))?;
            let x = Eval::new(program, &e).float(limit.ty, *a, 0);
            operand(&e, *b, &|y| FRange::binary(*op, x, y))
        }
        Kind::FFromInt(ty, a) => {
            let r = Eval::new(program, env).range(*a);
            let (Some(lo), Some(hi)) = (r.lo, r.hi) else { return Some(env.clone()) };
            let kept = plumb_term::range::shaved(lo, hi, &mut |l, h| possible(FRange::from_int(*ty, Range::new(l, h))));
            let (lo, hi) = kept?;
            transfer::limit(program, env, *a, Range::new(lo, hi))
        }
        _ => Some(env.clone()),
    }
}
