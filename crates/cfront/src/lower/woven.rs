//! The parts of a witness that [`crate::weave`] has put into the program.

use plumb_cfa::{Loc, Op, VarKind};
use plumb_term::{IntTy, Scalar, SourceMap, Span, Term, VarId, VarTy};

use super::cx::RawEdge;
use super::place::Value;
use super::scope::Entry;
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::types::Types;
use crate::weave::{invariant_label, is_at, ProbeKind, Weave, INVARIANT, RESULT, TAP, WAYPOINTS};
use crate::Symbol;

/// What lowering needs to know of a witness.
pub(crate) struct Woven<'a> {
    weave: &'a Weave,
    sources: SourceMap,
    invariant: Option<Symbol>,
    waypoints: Option<Symbol>,
    tap: Option<Symbol>,
    result: Option<Symbol>,
    /// How many segments of a violation have been passed.
    segment: Option<VarId>,
}

impl<'a> Lowerer<'a> {
    /// Prepares for the calls that weaving put into the trees.
    pub(super) fn expect_woven(&mut self, weave: &'a Weave, sources: &SourceMap) {
        if weave.is_empty() {
            return;
        }
        let segment = weave
            .target
            .is_some()
            .then(|| self.new_global_var("<segment>".to_owned(), "int", VarTy::Scalar(Scalar::Int(IntTy::I32)), VarKind::Temp, Span::NONE));
        let [invariant, waypoints, tap, result] = [INVARIANT, WAYPOINTS, TAP, RESULT].map(|n| self.names.get(n));
        self.woven = Some(Woven { weave, sources: sources.clone(), invariant, waypoints, tap, result, segment });
    }

    /// No segment has been passed at the start.
    pub(super) fn start_woven(&mut self) {
        if let Some(segment) = self.woven.as_ref().and_then(|w| w.segment) {
            self.cx.emit(Op::Assign(vec![(segment, Term::int(0))]));
        }
    }

    /// Lets only those executions reach the error here that the witness describes.
    pub(super) fn restrict_error(&mut self, span: Span) {
        let Some(woven) = &self.woven else { return };
        let (Some(segment), Some((length, target))) = (woven.segment, &woven.weave.target) else { return };
        let matches = is_at(target, span, &woven.sources) && target.function.as_ref().is_none_or(|f| *f == self.cx.name);
        let passed = if matches { self.term(segment).equals(Term::int(*length)) } else { Term::ff() };
        self.cx.emit(Op::Assume(passed));
    }

    /// The value of a call that weaving made; none if it did not.
    pub(super) fn woven_call(&mut self, name: Symbol, args: &'a [Expr], span: Span) -> Fallible<Option<Value>> {
        let Some(woven) = &self.woven else { return Ok(None) };
        let name = Some(name);
        if name == woven.tap {
            let Some((first, points)) = args.split_first() else { return Ok(None) };
            let value = self.expr(first)?;
            let value = if value.ty == Types::VOID { value } else { self.save(&value) };
            let result = woven_result(&value);
            self.visit(points, result, span)?;
            return Ok(Some(value));
        }
        if name == woven.invariant {
            self.assert_invariant(args, span)?;
        } else if name == woven.waypoints {
            self.visit(args, None, span)?;
        } else {
            return Ok(None);
        }
        Ok(Some(Value::void()))
    }

    fn assert_invariant(&mut self, args: &'a [Expr], span: Span) -> Fallible<()> {
        let [number, condition] = args else { return Ok(()) };
        if self.cx.unevaluated > 0 {
            return Ok(());
        }
        // As one term where that is possible, so that the claim can be found again.
        let mark = self.cx.mark();
        let term = self.cond_term(condition)?;
        let (yes, no) = self.fork(term);
        self.divert_guards(mark.edges, no);
        self.cx.span = span;
        let fails = self.cx.new_loc();
        self.cx.locs[fails.index()].label = index(number).map(invariant_label);
        self.cx.edge(no, fails, Op::Skip);
        self.cx.errors.push(fails);
        self.cx.cur = yes;
        Ok(())
    }

    /// Undefined behaviour of what was lowered since edge `first` leads to `to` instead of ending the execution.
    fn divert_guards(&mut self, first: usize, to: Loc) {
        let mut diverted = Vec::new();
        for edge in &mut self.cx.edges[first..] {
            if let Op::Guard { cond, .. } = edge.op {
                edge.op = Op::Assume(cond);
                diverted.push(RawEdge { from: edge.from, to, op: Op::Assume(cond.not()), span: edge.span });
            }
        }
        self.cx.edges.extend(diverted);
    }

    /// Whether a condition holds here, as a term; what has no defined value does not hold.
    fn holds(&mut self, e: &'a Expr) -> Fallible<Term> {
        let mark = self.cx.mark();
        let term = self.cond_term(e)?;
        if !self.cx.changed(mark) {
            return Ok(term);
        }
        let (yes, no) = self.fork(term);
        self.divert_guards(mark.edges, no);
        let (t, end) = (self.temp(Types::INT), self.cx.new_loc());
        self.cx.edge(yes, end, Op::Assign(vec![(t, Term::int(1))]));
        self.cx.edge(no, end, Op::Assign(vec![(t, Term::int(0))]));
        self.cx.cur = end;
        Ok(self.term(t).differs(Term::int(0)))
    }

    /// One visit of waypoints, given as pairs of number and condition: those of the current segment are passed where their
    /// conditions hold.
    fn visit(&mut self, points: &'a [Expr], result: Option<Entry>, span: Span) -> Fallible<()> {
        let Some((segment, names)) = self.woven.as_ref().and_then(|w| Some((w.segment?, w.result))) else { return Ok(()) };
        if self.cx.unevaluated > 0 {
            return Ok(());
        }
        self.scopes.enter();
        if let (Some(name), Some(entry)) = (names, result) {
            self.scopes.bind(name, entry);
        }
        let now = self.term(segment);
        let (mut next, mut avoided) = (now, Term::ff());
        for pair in points.chunks_exact(2) {
            let Some(point) = index(&pair[0]).and_then(|i| self.woven.as_ref()?.weave.probes.get(i)) else { continue };
            let ProbeKind::Waypoint { segment: number, avoid, .. } = &point.kind else { continue };
            let turn = now.equals(Term::int(*number));
            let here = self.holds(&pair[1])?.and(turn);
            if *avoid {
                avoided = avoided.or(here);
            } else {
                next = Term::ite(here, Term::int(*number + 1), next);
            }
        }
        self.scopes.leave();
        self.cx.span = span;
        self.assume(avoided.not());
        if next != now {
            self.cx.emit(Op::Assign(vec![(segment, next)]));
        }
        Ok(())
    }
}

/// What the name of the result stands for: a value that is no object in memory.
fn woven_result(value: &Value) -> Option<Entry> {
    (value.ty != Types::VOID && value.mem.is_none()).then_some(Entry::Const(value.term, value.ty))
}

/// The number of a probe.
fn index(e: &Expr) -> Option<usize> {
    match &e.kind {
        ExprKind::Int(c) => usize::try_from(c.value).ok(),
        _ => None,
    }
}
