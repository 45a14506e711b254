//! Conditions and values of a block, read structurally, by cases.
//!
//! A number is a linear expression and a range of what may come on top. Its variables are those of V_N and, within the block, others and inputs, where they are related to these;
//! operators that are not linear have a range. Where a choice or a
//! wrap of machine arithmetic has several outcomes, each is a case with its condition as a guard. With too many cases the rest is read roughly: as ranges.

use super::frame::Frame;
use crate::expr::{Expr, Literal, Pred};
use crate::update::Update;
use plumb_num::{Dim, Int, LinCons, LinExpr};
use plumb_term::visit::{atoms, postorder, vars};
use plumb_term::{IBig, IntTy, Kind, Range, Sort, Term, Var, VarId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// More cases than this are not told apart.
const MAX_CASES: usize = 24;
/// So many variables outside V_N are related to it within a block: every one is a dimension more.
const MAX_LOCALS: usize = 8;
/// What is nested deeper counts as unknown.
const MAX_DEPTH: u32 = 100;

/// One case of a block.
pub(super) struct Case {
    /// What holds before.
    pub(super) guards: Vec<Expr>,
    /// The dimensions that end with the block.
    pub(super) locals: Vec<Dim>,
    /// What numbers become.
    pub(super) updates: Vec<(Dim, Update)>,
    /// What predicates become; nothing where a rough case does not say.
    pub(super) conditions: Vec<(Pred, Option<Expr>)>,
}

/// A linear expression and what may come on top.
#[derive(Clone)]
struct Form {
    expr: LinExpr,
    rest: Range,
}

/// There are several cases of a term.
struct Decide(Term, usize);

struct Reader<'a> {
    frame: &'a Frame,
    decided: FxHashMap<Term, usize>,
    rough: bool,
    guards: Vec<Expr>,
    locals: &'a BTreeMap<VarId, Var>,
}

/// The integer variables outside V_N that are related to it: read by what is assigned, or compared with it or with each other. One that is read once only relates nothing: its range says as
/// much.
fn locals(frame: &Frame, condition: Term, assigned: &[(VarId, Term)]) -> BTreeMap<VarId, Var> {
    let compared: Vec<Vec<Var>> = atoms(condition).into_iter().map(|a| vars([a])).collect();
    let values: Vec<Vec<Var>> = assigned.iter().map(|a| vars([a.1])).collect();
    let choices =
        postorder(assigned.iter().map(|a| a.1)).into_iter().filter_map(|t| if let Kind::Ite(c, ..) = t.kind() { Some(*c) } else { None });
    let decided: Vec<Vec<Var>> = choices.flat_map(atoms).collect::<BTreeSet<Term>>().into_iter().map(|a| vars([a])).collect();
    let mut reads: BTreeMap<VarId, u32> = BTreeMap::new();
    for v in [&compared, &values, &decided].into_iter().flatten().flatten() {
        *reads.entry(v.id).or_default() += 1;
    }
    let other = |v: &Var| v.version == 0 && v.ty.sort() == Sort::Int && !frame.is_number(v.id) && reads.get(&v.id).is_some_and(|n| *n > 1);
    let mut out: BTreeMap<VarId, Var> = BTreeMap::new();
    for v in values.iter().flatten().filter(|v| other(v)) {
        if out.len() < MAX_LOCALS {
            out.insert(v.id, *v);
        }
    }
    loop {
        let before = out.len();
        for all in compared.iter().filter(|all| all.len() <= MAX_LOCALS) {
            if all.iter().any(|v| frame.is_number(v.id) || out.contains_key(&v.id)) {
                for v in all.iter().filter(|v| other(v)) {
                    if out.len() >= MAX_LOCALS {
                        return out;
                    }
                    out.insert(v.id, *v);
                }
            }
        }
        if out.len() == before {
            return out;
        }
    }
}

/// The cases of a condition, of assignments and of conditions that must be read exactly.
pub(super) fn cases(frame: &Frame, condition: Term, assigned: &[(VarId, Term)], exact: &[(Pred, Term)]) -> Vec<Case> {
    let mut out = Vec::new();
    let mut open: Vec<FxHashMap<Term, usize>> = vec![FxHashMap::default()];
    let mut tried = 0;
    let locals = locals(frame, condition, assigned);
    while let Some(decided) = open.pop() {
        tried += 1;
        let mut reader = Reader { frame, decided, rough: tried > MAX_CASES, guards: Vec::new(), locals: &locals };
        match reader.read(condition, assigned, exact) {
            Ok(case) => {
                if !case.guards.contains(&Expr::Bool(false)) {
                    out.push(case);
                }
            }
            Err(Decide(t, options)) => {
                for option in (0..options).rev() {
                    let mut with = reader.decided.clone();
                    with.insert(t, option);
                    open.push(with);
                }
            }
        }
    }
    out
}

/// An expression that holds wherever a condition does, without cases.
pub fn read(frame: &Frame, condition: Term) -> Expr {
    let none = BTreeMap::new();
    let mut reader = Reader { frame, decided: FxHashMap::default(), rough: true, guards: Vec::new(), locals: &none };
    reader.condition(condition, true, 0).unwrap_or(Expr::Bool(true))
}

impl Reader<'_> {
    fn read(&mut self, condition: Term, assigned: &[(VarId, Term)], exact: &[(Pred, Term)]) -> Result<Case, Decide> {
        for v in self.locals.values() {
            let (x, range) = (LinExpr::var(Frame::local(v.id)), Term::var(*v).range());
            let lo = range.lo.map(|lo| Expr::cons(LinCons::ge(x.clone(), LinExpr::constant(lo))));
            self.guards.extend(lo.into_iter().chain(range.hi.map(|hi| Expr::cons(LinCons::le(x, LinExpr::constant(hi))))));
        }
        let c = self.condition(condition, true, 0)?;
        self.guards.push(c);
        let mut updates = Vec::new();
        for (v, t) in assigned {
            let f = self.number(*t, 0)?;
            let end = |b: Option<i128>| b.map(|b| f.expr.clone() + LinExpr::constant(b));
            let update = match f.exact() {
                Some(e) => Update::Linear(e),
                None => Update::Between(end(f.rest.lo), end(f.rest.hi)),
            };
            updates.push((Dim(v.0), update));
        }
        let mut conditions = Vec::new();
        for (p, t) in exact {
            conditions.push((*p, self.exactly(*t)?));
        }
        let locals = self.locals.keys().map(|v| Frame::local(*v)).collect();
        Ok(Case { guards: std::mem::take(&mut self.guards), locals, updates, conditions })
    }

    /// The outcome of a term with several; nothing where cases are not told apart.
    fn decide(&mut self, t: Term, options: usize) -> Result<Option<usize>, Decide> {
        match self.decided.get(&t) {
            Some(d) => Ok(Some(*d)),
            None if self.rough => Ok(None),
            None => Err(Decide(t, options)),
        }
    }

    fn number(&mut self, t: Term, depth: u32) -> Result<Form, Decide> {
        let within = |rest: Range| Ok(Form { expr: LinExpr::default(), rest });
        if t.sort() != Sort::Int || depth > MAX_DEPTH {
            return within(t.range());
        }
        let d = depth + 1;
        match t.kind() {
            Kind::Int(v) => Ok(Form { expr: LinExpr::constant(Int::from(v.clone())), rest: Range::new(0, 0) }),
            Kind::Var(v) if v.version == 0 && self.frame.is_number(v.id) => {
                Ok(Form { expr: LinExpr::var(Dim(v.id.0)), rest: Range::new(0, 0) })
            }
            Kind::Var(v) if v.version == 0 && self.locals.contains_key(&v.id) => {
                Ok(Form { expr: LinExpr::var(Frame::local(v.id)), rest: Range::new(0, 0) })
            }
            Kind::Lin(lin) => {
                let mut sum = Form { expr: LinExpr::constant(Int::from(lin.constant.clone())), rest: Range::new(0, 0) };
                for (k, a) in lin.parts.iter() {
                    let part = self.number(*a, d)?;
                    sum = Form { expr: sum.expr.plus_scaled(&part.expr, &Int::from(k.clone())), rest: sum.rest.plus(part.rest.scale(k)) };
                }
                Ok(sum)
            }
            Kind::Wrap(ty, a) => self.wrap(t, *ty, *a, d),
            Kind::Ite(c, a, b) => match self.decide(t, 2)? {
                None => within(a.range().join(b.range())),
                Some(which) => {
                    let taken = which == 0;
                    let guard = self.condition(*c, taken, d)?;
                    self.guards.push(guard);
                    self.number(if taken { *a } else { *b }, d)
                }
            },
            _ => within(t.range()),
        }
    }

    /// A wrap of something linear: it fits, or is too large, or too small.
    fn wrap(&mut self, t: Term, ty: IntTy, a: Term, depth: u32) -> Result<Form, Decide> {
        let whole = Form { expr: LinExpr::default(), rest: Range::of_type(ty) };
        let inner = self.number(a, depth)?;
        let (Some(e), Range { lo: Some(lo), hi: Some(hi) }) = (inner.exact(), Range::of_type(ty)) else {
            return Ok(if inner.exact().is_none() && a.range().fits(ty) { inner } else { whole });
        };
        if a.range().fits(ty) {
            return Ok(inner);
        }
        let size = hi - lo + 1;
        let Some(which) = self.decide(t, 3)? else { return Ok(whole) };
        let constant = LinExpr::constant;
        let once = |bound: Option<i128>, sign: i128| bound.is_some_and(|b| (lo - size..=hi + size).contains(&b)).then_some(sign * size);
        match which {
            0 => {
                self.guards.push(Expr::cons(LinCons::ge(e.clone(), constant(lo))));
                self.guards.push(Expr::cons(LinCons::le(e.clone(), constant(hi))));
                Ok(inner)
            }
            1 if a.range().hi.is_some_and(|h| h <= hi) => Ok(self.never(whole)),
            1 => {
                self.guards.push(Expr::cons(LinCons::gt(e.clone(), constant(hi))));
                Ok(once(a.range().hi, -1).map_or(whole, |k| Form { expr: e + constant(k), rest: Range::new(0, 0) }))
            }
            _ if a.range().lo.is_some_and(|l| l >= lo) => Ok(self.never(whole)),
            _ => {
                self.guards.push(Expr::cons(LinCons::lt(e.clone(), constant(lo))));
                Ok(once(a.range().lo, 1).map_or(whole, |k| Form { expr: e + constant(k), rest: Range::new(0, 0) }))
            }
        }
    }

    fn never(&mut self, f: Form) -> Form {
        self.guards.push(Expr::Bool(false));
        f
    }

    /// An expression that holds wherever a condition does.
    fn condition(&mut self, t: Term, positive: bool, depth: u32) -> Result<Expr, Decide> {
        if let Some((p, same)) = self.frame.predicate(t) {
            return Ok(Expr::Lit(Literal::Pred(p, same == positive)));
        }
        if depth > MAX_DEPTH {
            return Ok(Expr::Bool(true));
        }
        let d = depth + 1;
        let zero = LinExpr::default();
        match t.kind() {
            Kind::Bool(b) => Ok(Expr::Bool(*b == positive)),
            Kind::Not(n) => self.condition(*n, !positive, d),
            Kind::And(ts) | Kind::Or(ts) => {
                let parts: Vec<Expr> = ts.iter().map(|t| self.condition(*t, positive, d)).collect::<Result<_, _>>()?;
                Ok(if matches!(t.kind(), Kind::And(_)) == positive { Expr::all(parts) } else { Expr::any(parts) })
            }
            Kind::Le(a, b) => {
                let f = self.number(a.sub(*b), d)?;
                let bound = |b: Option<i128>| b.map(|b| f.expr.clone() + LinExpr::constant(b));
                Ok(match (positive, bound(f.rest.lo), bound(f.rest.hi)) {
                    (true, Some(least), _) => Expr::cons(LinCons::le(least, zero)),
                    (false, _, Some(most)) => Expr::cons(LinCons::gt(most, zero)),
                    _ => Expr::Bool(true),
                })
            }
            Kind::Eq(a, b) if a.sort() == Sort::Int => {
                let f = self.number(a.sub(*b), d)?;
                if let Some(e) = f.exact() {
                    return Ok(Expr::cons(if positive { LinCons::eq(e, zero) } else { LinCons::ne(e, zero) }));
                }
                if !positive {
                    return Ok(Expr::Bool(true));
                }
                let least = f.rest.lo.map(|b| Expr::cons(LinCons::le(f.expr.clone() + LinExpr::constant(b), zero.clone())));
                let most = f.rest.hi.map(|b| Expr::cons(LinCons::ge(f.expr.clone() + LinExpr::constant(b), zero)));
                Ok(Expr::all(least.into_iter().chain(most)))
            }
            Kind::Eq(a, b) if a.sort() == Sort::Bool => {
                let both = self.condition(*a, true, d)?.and(self.condition(*b, positive, d)?);
                Ok(both.or(self.condition(*a, false, d)?.and(self.condition(*b, !positive, d)?)))
            }
            Kind::Ite(c, a, b) if t.sort() == Sort::Bool => {
                let yes = self.condition(*c, true, d)?.and(self.condition(*a, positive, d)?);
                Ok(yes.or(self.condition(*c, false, d)?.and(self.condition(*b, positive, d)?)))
            }
            _ => Ok(Expr::Bool(true)),
        }
    }

    /// A condition without loss, if the case is not rough: both it and its negation are read exactly then.
    fn exactly(&mut self, t: Term) -> Result<Option<Expr>, Decide> {
        let (yes, no) = (self.condition(t, true, 0)?, self.condition(t, false, 0)?);
        Ok((yes.negated() == no || no.negated() == yes).then_some(yes))
    }
}

impl Form {
    fn exact(&self) -> Option<LinExpr> {
        let k = self.rest.lo.filter(|l| self.rest.hi == Some(*l))?;
        Some(self.expr.clone() + LinExpr::constant(IBig::from(k)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::VarTy;

    #[test]
    fn locals_relate_something_and_are_few() {
        let v = |i: u32| Term::program_var(VarId(i), VarTy::Int);
        let frame = Frame::new([v(0)].iter().filter_map(|t| t.as_var()), []);
        let names =
            |condition: Term, value: Term| locals(&frame, condition, &[(VarId(0), value)]).into_keys().map(|v| v.0).collect::<Vec<_>>();
        // x := y + z where y ≤ 5: y relates the condition to the value, the range of z says as much as z.
        assert_eq!(names(v(1).less_eq(Term::int(5)), v(1).add(v(2))), [1]);
        // What a choice asks about and gives is read twice.
        assert_eq!(names(Term::tt(), Term::ite(v(3).less_eq(Term::int(0)), v(3), v(4))), [3]);
        let many = Term::all((10..40).map(|i| v(i).less_eq(v(0))));
        assert_eq!(names(many, Term::sum((10..40).map(v))).len(), MAX_LOCALS);
    }
}
