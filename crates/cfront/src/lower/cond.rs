//! Conditions and short-circuit evaluation.
//!
//! A condition is a Boolean term where its parts can be evaluated unconditionally: no edge was emitted for them and they load
//! nothing. Otherwise it is control flow, with a set of locations where it holds and one where it does not.

use plumb_cfa::{Loc, Op};
use plumb_term::Term;

use super::cx::Mark;
use super::expr::bool_value;
use super::place::Value;
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::types::{Kind, Ty, Types};
use plumb_term::Span;

/// The outcome of a condition.
enum Cond {
    /// A term over the current state.
    Term(Term),
    /// The locations where it is decided.
    Branched { yes: Vec<Loc>, no: Vec<Loc> },
}

impl<'a> Lowerer<'a> {
    fn cond(&mut self, e: &'a Expr) -> Fallible<Cond> {
        match &e.kind {
            ExprKind::Unary { op: UnaryOp::Not, operand } => Ok(match self.cond(operand)? {
                Cond::Term(t) => Cond::Term(t.not()),
                Cond::Branched { yes, no } => Cond::Branched { yes: no, no: yes },
            }),
            ExprKind::Binary { op: BinaryOp::LogAnd, lhs, rhs, .. } => self.junction(lhs, rhs, true),
            ExprKind::Binary { op: BinaryOp::LogOr, lhs, rhs, .. } => self.junction(lhs, rhs, false),
            ExprKind::Comma(parts) => {
                let Some((last, init)) = parts.split_last() else { return Ok(Cond::Term(Term::tt())) };
                for part in init {
                    self.effect(part)?;
                }
                self.cond(last)
            }
            _ => {
                if let Some(test) = self.sign_test(e)? {
                    return Ok(Cond::Term(test));
                }
                let v = self.expr(e)?;
                self.cx.span = e.span;
                Ok(Cond::Term(self.truth(&v, e.span)?))
            }
        }
    }

    /// `lhs && rhs`, or `lhs || rhs`.
    fn junction(&mut self, lhs: &'a Expr, rhs: &'a Expr, is_and: bool) -> Fallible<Cond> {
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        match self.cond(lhs)? {
            Cond::Term(a) => {
                let (mark, loads) = (self.cx.mark(), self.cx.loads);
                match self.cond(rhs)? {
                    Cond::Term(b) if !self.cx.changed(mark) && self.cx.loads == loads => {
                        return Ok(Cond::Term(if is_and { a.and(b) } else { a.or(b) }));
                    }
                    second => {
                        let go_on = if is_and { a } else { a.not() };
                        let skipped = self.skip_from(mark, go_on);
                        if is_and { &mut no } else { &mut yes }.push(skipped);
                        self.decide(second, &mut yes, &mut no);
                    }
                }
            }
            Cond::Branched { yes: y, no: n } => {
                let (on, off) = if is_and { (y, n) } else { (n, y) };
                if is_and { &mut no } else { &mut yes }.extend(off);
                self.cx.cur = self.join(on);
                let second = self.cond(rhs)?;
                self.decide(second, &mut yes, &mut no);
            }
        }
        Ok(Cond::Branched { yes, no })
    }

    /// Makes what was emitted since `mark` conditional; returns the location where it is skipped.
    pub(super) fn skip_from(&mut self, mark: Mark, go_on: Term) -> Loc {
        let inner = self.cx.split(mark);
        let skipped = self.cx.new_loc();
        self.cx.edge(mark.loc, inner, Op::Assume(go_on));
        self.cx.edge(mark.loc, skipped, Op::Assume(go_on.not()));
        skipped
    }

    fn decide(&mut self, cond: Cond, yes: &mut Vec<Loc>, no: &mut Vec<Loc>) {
        match cond {
            Cond::Term(t) => {
                let (y, n) = self.fork(t);
                yes.push(y);
                no.push(n);
            }
            Cond::Branched { yes: y, no: n } => {
                yes.extend(y);
                no.extend(n);
            }
        }
    }

    /// Two ways on from here.
    pub(super) fn fork(&mut self, t: Term) -> (Loc, Loc) {
        let from = self.cx.cur;
        let (yes, no) = (self.cx.new_loc(), self.cx.new_loc());
        self.cx.edge(from, yes, Op::Assume(t));
        self.cx.edge(from, no, Op::Assume(t.not()));
        (yes, no)
    }

    /// One location that all of these lead to.
    pub(super) fn join(&mut self, locs: Vec<Loc>) -> Loc {
        if let [only] = locs[..] {
            return only;
        }
        let to = self.cx.new_loc();
        for from in locs {
            self.cx.edge(from, to, Op::Skip);
        }
        to
    }

    /// Where to go on if the condition holds, and if not.
    pub(super) fn branch(&mut self, e: &'a Expr) -> Fallible<(Loc, Loc)> {
        self.cx.span = e.span;
        match self.cond(e)? {
            Cond::Term(t) => Ok(self.fork(t)),
            Cond::Branched { yes, no } => {
                let yes = self.join(yes);
                let no = self.join(no);
                Ok((yes, no))
            }
        }
    }

    /// The condition as a term, through a variable if it took control flow.
    pub(super) fn cond_term(&mut self, e: &'a Expr) -> Fallible<Term> {
        match self.cond(e)? {
            Cond::Term(t) => Ok(t),
            Cond::Branched { yes, no } => {
                let t = self.temp(Types::INT);
                let end = self.cx.new_loc();
                for (locs, value) in [(yes, 1), (no, 0)] {
                    let from = self.join(locs);
                    self.cx.edge(from, end, Op::Assign(vec![(t, Term::int(value))]));
                }
                self.cx.cur = end;
                Ok(self.term(t).differs(Term::int(0)))
            }
        }
    }

    /// `&&` and `||` as values.
    pub(super) fn logical(&mut self, e: &'a Expr) -> Fallible<Value> {
        Ok(bool_value(self.cond_term(e)?))
    }

    /// `cond ? then : otherwise`
    pub(super) fn conditional(&mut self, cond: &'a Expr, then: Option<&'a Expr>, otherwise: &'a Expr, span: Span) -> Fallible<Value> {
        let Some(then) = then else { return self.elvis(cond, otherwise, span) };
        let c = match self.cond(cond)? {
            Cond::Term(c) => match c.as_bool() {
                // A constant condition decides which operand is evaluated, but not the type.
                Some(known) => {
                    let (live, dead) = if known { (then, otherwise) } else { (otherwise, then) };
                    let v = self.expr(live)?;
                    let dead_null = self.is_null_constant(dead)?;
                    let dead_ty = self.rvalue_type(dead)?;
                    let dead = Value::plain(dead_ty, if dead_null { Term::int(0) } else { Term::int(1) });
                    let ty = self.conditional_type(&v, &dead);
                    return self.convert_if_scalar(&v, ty, span);
                }
                None => c,
            },
            Cond::Branched { yes, no } => {
                let (yes, no) = (self.join(yes), self.join(no));
                self.cx.cur = yes;
                let a = self.expr(then)?;
                let a_end = self.cx.cur;
                self.cx.cur = no;
                let b = self.expr(otherwise)?;
                let b_end = self.cx.cur;
                return self.merge(a, a_end, b, b_end, span);
            }
        };
        let (mark, loads) = (self.cx.mark(), self.cx.loads);
        let a = self.expr(then)?;
        let pure = !self.cx.changed(mark) && self.cx.loads == loads && a.mem.is_none();
        if pure {
            let b = self.expr(otherwise)?;
            if !self.cx.changed(mark) && self.cx.loads == loads && b.mem.is_none() {
                let ty = self.conditional_type(&a, &b);
                let (a, b) = (self.convert_if_scalar(&a, ty, span)?, self.convert_if_scalar(&b, ty, span)?);
                if !self.cx.changed(mark) {
                    let node = self.either(&a, &b);
                    return Ok(Value::new(ty, Term::ite(c, a.term, b.term), node));
                }
                // A conversion had to be guarded: it belongs to its branch.
                let a_loc = self.skip_from(mark, c.not());
                let b_end = self.cx.cur;
                return self.merge(a, a_loc, b, b_end, span);
            }
            let a_loc = self.skip_from(mark, c.not());
            let b_end = self.cx.cur;
            return self.merge(a, a_loc, b, b_end, span);
        }
        let b_loc = self.skip_from(mark, c);
        let a_end = self.cx.cur;
        self.cx.cur = b_loc;
        let b = self.expr(otherwise)?;
        let b_end = self.cx.cur;
        self.merge(a, a_end, b, b_end, span)
    }

    /// GNU `cond ?: otherwise`.
    fn elvis(&mut self, cond: &'a Expr, otherwise: &'a Expr, span: Span) -> Fallible<Value> {
        let v = self.expr(cond)?;
        let v = self.save(&v);
        let c = self.truth(&v, span)?;
        let (yes, no) = self.fork(c);
        self.cx.cur = no;
        let b = self.expr(otherwise)?;
        let b_end = self.cx.cur;
        self.merge(v, yes, b, b_end, span)
    }

    /// What a value that is one of two may point to.
    pub(super) fn either(&mut self, a: &Value, b: &Value) -> super::cx::Prov {
        match (a.node, b.node) {
            (Some(x), Some(y)) if x == y => Some(x),
            (Some(x), Some(y)) => {
                if self.types.is_pointer(a.ty) && self.types.is_pointer(b.ty) {
                    self.pts.unify(x, y);
                    Some(x)
                } else {
                    let node = self.pts.fresh();
                    self.pts.flow(x, node, false);
                    self.pts.flow(y, node, false);
                    Some(node)
                }
            }
            (x, y) => x.or(y),
        }
    }

    fn convert_if_scalar(&mut self, v: &Value, ty: Ty, span: Span) -> Fallible<Value> {
        if ty == Types::VOID {
            return Ok(Value::void());
        }
        self.convert(v, ty, span)
    }

    /// The values of two branches in one place.
    fn merge(&mut self, a: Value, a_end: Loc, b: Value, b_end: Loc, span: Span) -> Fallible<Value> {
        let ty = self.conditional_type(&a, &b);
        let end = self.cx.new_loc();
        if ty == Types::VOID {
            self.cx.edge(a_end, end, Op::Skip);
            self.cx.edge(b_end, end, Op::Skip);
            self.cx.cur = end;
            return Ok(Value::void());
        }
        if let (Some(x), Some(y)) = (a.mem, b.mem) {
            let t = self.temp(Types::VOID_PTR);
            let pointer = self.pointer_ty();
            self.cx.edge(a_end, end, Op::Assign(vec![(t, x.addr.wrap(pointer))]));
            self.cx.edge(b_end, end, Op::Assign(vec![(t, y.addr.wrap(pointer))]));
            self.pts.unify(x.node, y.node);
            self.cx.cur = end;
            let mem = super::place::Mem { addr: self.term(t), node: x.node, shape: crate::pointsto::Shape::Raw, known: x.known && y.known };
            return Ok(Value::aggregate(ty, mem));
        }
        if self.types.scalar(ty).is_none() {
            self.cx.cur = end;
            return self.invalid(span, format!("operands of types '{}' and '{}' do not fit '?:'", self.show(a.ty), self.show(b.ty)));
        }
        let t = self.temp(ty);
        let node = self.var_node(t);
        for (v, at) in [(a, a_end), (b, b_end)] {
            self.cx.cur = at;
            let v = self.convert(&v, ty, span)?;
            self.flow(&v, ty, node);
            let from = self.cx.cur;
            self.cx.edge(from, end, Op::Assign(vec![(t, v.term)]));
        }
        self.cx.cur = end;
        Ok(self.read_var(t, ty))
    }

    /// The type of a conditional expression (C11 6.5.15).
    fn conditional_type(&mut self, a: &Value, b: &Value) -> Ty {
        if self.types.is_arithmetic(a.ty) && self.types.is_arithmetic(b.ty) {
            return self.types.usual(a.ty, b.ty);
        }
        let null = |v: &Value| v.node.is_none() && v.term.as_int().is_some_and(|n| *n == 0.into());
        match (self.types.pointee(a.ty), self.types.pointee(b.ty)) {
            (Some(x), Some(y)) => {
                if null(a) && x == Types::VOID {
                    b.ty
                } else if null(b) && y == Types::VOID {
                    a.ty
                } else if y == Types::VOID && !matches!(self.types.kind(x), Kind::Function(_)) {
                    b.ty
                } else {
                    a.ty
                }
            }
            (Some(_), None) => a.ty,
            (None, Some(_)) => b.ty,
            _ if a.ty == Types::VOID || b.ty == Types::VOID => Types::VOID,
            _ => a.ty,
        }
    }

    fn is_null_constant(&mut self, e: &'a Expr) -> Fallible<bool> {
        let v = self.unevaluated(|l| l.expr(e))?;
        Ok(v.node.is_none() && v.term.as_int().is_some_and(|n| *n == 0.into()))
    }
}
