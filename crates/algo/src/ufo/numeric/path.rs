//! The path that a model takes through a block, as linear constraints.
//!
//! A block is a formula with as many paths as its Booleans allow. A model of it picks one: of each disjunction a true part, of each choice the
//! taken side, of each wrap its quotient. What is left is a conjunction of linear constraints over the values before the block, and linear expressions
//! for the values after it; an operator that is not linear counts as an unknown number within the range of its shape. The path's
//! states include the model's, so that joining their image makes progress past the model (path focusing: Monniaux, Gonnord, SAS 2011).

use crate::space::big;
use plumb_num::{ConsKind, Dim, Int, LinCons, LinExpr};
use plumb_smt::Model;
use plumb_term::eval::{Evaluator, Value};
use plumb_term::{IBig, IntTy, Kind, Sort, Term, Var};
use rustc_hash::{FxHashMap, FxHashSet};

/// The constraints between the end dimensions on the path of `model` through `facts`; `ends` gives each end dimension's value.
/// Dimensions from `fresh` on stand for values before the block. Nothing if the model does not tell.
pub fn path(model: &Model, facts: &[Term], ends: &[(Dim, Term)], fresh: Dim) -> Option<Vec<LinCons>> {
    let env = |v: Var| model.var(v);
    let mut reader = Reader {
        values: Evaluator::new(&env),
        numbers: Vec::new(),
        comparisons: Vec::new(),
        linear: FxHashMap::default(),
        divisions: FxHashMap::default(),
        next: fresh,
        constraints: Vec::new(),
    };
    reader.choose(facts, ends)?;
    reader.read()?;
    let mut equations = Vec::new();
    for (d, t) in ends {
        equations.push((*d, reader.linear.get(t)?.clone()));
    }
    Some(eliminate(equations, reader.constraints, fresh))
}

struct Reader<'e> {
    values: Evaluator<'e>,
    /// The integer terms on the path.
    numbers: Vec<Term>,
    /// The comparisons on the path, with their truth.
    comparisons: Vec<(Term, bool)>,
    linear: FxHashMap<Term, LinExpr>,
    /// Quotients and remainders by constants.
    divisions: FxHashMap<(Term, IBig), (LinExpr, LinExpr)>,
    next: Dim,
    constraints: Vec<LinCons>,
}

impl Reader<'_> {
    fn int(&mut self, t: Term) -> Option<IBig> {
        match self.values.eval(t)? {
            Value::Int(v) => Some(v),
            _ => None,
        }
    }

    fn truth(&mut self, t: Term) -> Option<bool> {
        match self.values.eval(t)? {
            Value::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// Collects what lies on the path, from the roots down.
    fn choose(&mut self, facts: &[Term], ends: &[(Dim, Term)]) -> Option<()> {
        let mut todo: Vec<Term> = facts.iter().copied().chain(ends.iter().map(|e| e.1)).collect();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        while let Some(t) = todo.pop() {
            if !seen.insert(t) {
                continue;
            }
            match t.sort() {
                Sort::Bool => {
                    let truth = self.truth(t)?;
                    match t.kind() {
                        Kind::Not(a) => todo.push(*a),
                        Kind::And(ts) | Kind::Or(ts) => {
                            if truth == matches!(t.kind(), Kind::And(_)) {
                                todo.extend(ts.iter().copied());
                            } else {
                                todo.push(self.deciding(ts, truth, &seen)?);
                            }
                        }
                        Kind::Ite(c, a, b) => todo.extend([*c, if self.truth(*c)? { *a } else { *b }]),
                        Kind::Eq(a, b) if a.sort() == Sort::Bool => todo.extend([*a, *b]),
                        Kind::Eq(a, b) if a.sort() == Sort::Int => {
                            self.comparisons.push((t, truth));
                            todo.extend([*a, *b]);
                        }
                        Kind::Le(a, b) => {
                            self.comparisons.push((t, truth));
                            todo.extend([*a, *b]);
                        }
                        _ => {}
                    }
                }
                Sort::Int => {
                    self.numbers.push(t);
                    match t.kind() {
                        Kind::Ite(c, a, b) => todo.extend([*c, if self.truth(*c)? { *a } else { *b }]),
                        Kind::Lin(lin) => todo.extend(lin.parts.iter().map(|p| p.1)),
                        Kind::Wrap(_, a) => todo.push(*a),
                        Kind::Div(a, k) | Kind::Rem(a, k) if divisor(*k).is_some() => todo.push(*a),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        // Older terms are parts of younger ones.
        self.numbers.sort_unstable();
        self.comparisons.sort_unstable();
        Some(())
    }

    /// A part with the given truth, one that is on the path anyway if there is one.
    fn deciding(&mut self, parts: &[Term], truth: bool, seen: &FxHashSet<Term>) -> Option<Term> {
        let mut first = None;
        for p in parts {
            if self.truth(*p)? == truth {
                if seen.contains(p) {
                    return Some(*p);
                }
                first = first.or(Some(*p));
            }
        }
        first
    }

    /// Turns what lies on the path into linear expressions and constraints.
    fn read(&mut self) -> Option<()> {
        for t in std::mem::take(&mut self.numbers) {
            let e = match t.kind() {
                Kind::Int(v) => LinExpr::constant(Int::from(v.clone())),
                Kind::Lin(lin) => {
                    let mut sum = LinExpr::constant(Int::from(lin.constant.clone()));
                    for (k, a) in &lin.parts {
                        sum = sum.plus_scaled(self.linear.get(a)?, &Int::from(k.clone()));
                    }
                    sum
                }
                Kind::Ite(c, a, b) => {
                    let taken = if self.truth(*c)? { a } else { b };
                    self.linear.get(taken)?.clone()
                }
                Kind::Wrap(ty, a) => {
                    let ty: IntTy = *ty;
                    let rounds = (self.int(*a)? - self.int(t)?) / ty.modulus();
                    let e = self.linear.get(a)?.clone() - LinExpr::constant(Int::from(rounds * ty.modulus()));
                    self.between(&e, Some(ty.min()), Some(ty.max()));
                    e
                }
                Kind::Div(a, k) if divisor(*k).is_some() => self.divide(*a, divisor(*k)?)?.0,
                Kind::Rem(a, k) if divisor(*k).is_some() => self.divide(*a, divisor(*k)?)?.1,
                _ => self.unknown(t),
            };
            self.linear.insert(t, e);
        }
        for (t, truth) in std::mem::take(&mut self.comparisons) {
            let (Kind::Le(a, b) | Kind::Eq(a, b)) = t.kind() else { continue };
            let difference = self.linear.get(b)?.clone() - self.linear.get(a)?.clone();
            let one = LinExpr::constant(1);
            let c = match (t.kind(), truth) {
                (Kind::Le(..), true) => LinCons::new(difference, ConsKind::Ge),
                (Kind::Le(..), false) => LinCons::new(-difference - one, ConsKind::Ge),
                (_, true) => LinCons::new(difference, ConsKind::Eq),
                (_, false) if self.int(*a)? < self.int(*b)? => LinCons::new(difference - one, ConsKind::Ge),
                (_, false) => LinCons::new(-difference - one, ConsKind::Ge),
            };
            self.constraints.push(c);
        }
        Some(())
    }

    fn fresh(&mut self) -> LinExpr {
        let x = LinExpr::var(self.next);
        self.next.0 += 1;
        x
    }

    /// A number of which only the range is known.
    fn unknown(&mut self, t: Term) -> LinExpr {
        let x = self.fresh();
        let range = t.range();
        self.between(&x, range.lo.map(IBig::from), range.hi.map(IBig::from));
        x
    }

    fn between(&mut self, e: &LinExpr, lo: Option<IBig>, hi: Option<IBig>) {
        if let Some(lo) = lo {
            self.constraints.push(LinCons::ge(e.clone(), LinExpr::constant(Int::from(lo))));
        }
        if let Some(hi) = hi {
            self.constraints.push(LinCons::le(e.clone(), LinExpr::constant(Int::from(hi))));
        }
    }

    /// C's quotient and remainder of `a` by `k`: they round towards zero, so the remainder has the sign of `a`.
    fn divide(&mut self, a: Term, k: &IBig) -> Option<(LinExpr, LinExpr)> {
        if let Some(known) = self.divisions.get(&(a, k.clone())) {
            return Some(known.clone());
        }
        let x = self.linear.get(&a)?.clone();
        let (q, r) = (self.fresh(), self.fresh());
        self.constraints.push(LinCons::eq(x.clone(), r.plus_scaled(&q, &Int::from(k.clone()))));
        let most = if *k < IBig::ZERO { -k.clone() } else { k.clone() } - IBig::ONE;
        if self.int(a)? >= IBig::ZERO {
            self.between(&x, Some(IBig::ZERO), None);
            self.between(&r, Some(IBig::ZERO), Some(most));
        } else {
            self.between(&x, None, Some(-IBig::ONE));
            self.between(&r, Some(-most), Some(IBig::ZERO));
        }
        self.divisions.insert((a, k.clone()), (q.clone(), r.clone()));
        Some((q, r))
    }
}

/// A constant that one can divide by.
fn divisor(t: Term) -> Option<&'static IBig> {
    t.as_int().filter(|k| **k != IBig::ZERO)
}

/// Solves the equations `end = value` and those among the constraints for dimensions from `fresh` on, as far as coefficients of one allow, so that
/// domains of simple constraints see what relates the end dimensions.
fn eliminate(ends: Vec<(Dim, LinExpr)>, constraints: Vec<LinCons>, fresh: Dim) -> Vec<LinCons> {
    let mut equations: Vec<LinExpr> = ends.into_iter().map(|(d, e)| e - LinExpr::var(d)).collect();
    // Copies and shifts first: they lose nothing.
    equations.sort_by_key(|e| e.terms().len());
    let mut rest = Vec::new();
    for c in constraints {
        if c.kind() == ConsKind::Eq {
            equations.push(c.expr().clone());
        } else {
            rest.push(c);
        }
    }
    for i in 0..equations.len() {
        let e = equations[i].clone();
        let Some((x, a)) = e.terms().iter().find(|(x, a)| *x >= fresh && a.abs().is_one()).cloned() else { continue };
        // a·x + others = 0, so x = -a·others for a = ±1.
        let by = e.substitute(x, &LinExpr::default()).scaled(&-&a);
        equations[i] = LinExpr::default();
        for f in &mut equations {
            if !f.coeff(x).is_zero() {
                *f = f.substitute(x, &by);
            }
        }
        for c in &mut rest {
            if !c.expr().coeff(x).is_zero() {
                *c = LinCons::new(c.expr().substitute(x, &by), c.kind());
            }
        }
    }
    rest.extend(equations.into_iter().map(|e| LinCons::new(e, ConsKind::Eq)));
    rest.retain(|c| !c.is_always());
    rest.sort();
    rest.dedup();
    rest
}

/// Whether the values that a model gives satisfy a constraint.
pub fn refutes(model: &Model, ends: &FxHashMap<Dim, Term>, c: &LinCons) -> Option<bool> {
    let mut sum = big(c.expr().constant_part());
    for (x, k) in c.expr().terms() {
        sum += big(k) * model.int(*ends.get(x)?)?;
    }
    Some(match c.kind() {
        ConsKind::Ge => sum < IBig::ZERO,
        ConsKind::Eq => sum != IBig::ZERO,
        ConsKind::Ne => sum == IBig::ZERO,
    })
}
