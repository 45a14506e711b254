//! Statements and loops.

use plumb_cfa::{Loc, Op};
use plumb_term::Span;

use super::cx::Target;
use super::place::Value;
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::types::Types;

impl<'a> Lowerer<'a> {
    pub(super) fn block(&mut self, b: &'a Block) -> Fallible<()> {
        self.enter_scope(b.local_labels.iter().map(|n| n.symbol).collect());
        let result = self.block_items(b);
        self.cx.span = b.close;
        self.leave_scope();
        result
    }

    /// The items of a block, in a scope that is open.
    pub(super) fn block_items(&mut self, b: &'a Block) -> Fallible<()> {
        let before = (self.cx.jumped_into, self.cx.in_switch_body);
        self.cx.jumped_into = self.cx.has_labels && has_label_after_declaration(b);
        let result = b.items.iter().try_for_each(|item| self.block_item(item));
        (self.cx.jumped_into, self.cx.in_switch_body) = before;
        result
    }

    fn block_item(&mut self, item: &'a BlockItem) -> Fallible<()> {
        match item {
            BlockItem::Decl(d) => self.local_declaration(d),
            BlockItem::Stmt(s) => {
                let before = std::mem::take(&mut self.cx.in_switch_body);
                let result = self.stmt(s);
                self.cx.in_switch_body = before;
                result
            }
            BlockItem::StaticAssert(a) => self.static_assert(a),
        }
    }

    /// GNU `({ ... })`: the value of the last expression statement.
    pub(super) fn stmt_expr(&mut self, b: &'a Block) -> Fallible<Value> {
        if self.scopes.depth() == 0 {
            return self.invalid(b.span, "a statement expression outside of a function");
        }
        self.enter_scope(b.local_labels.iter().map(|n| n.symbol).collect());
        let result = self.stmt_expr_items(b);
        self.cx.span = b.close;
        self.leave_scope();
        result
    }

    fn stmt_expr_items(&mut self, b: &'a Block) -> Fallible<Value> {
        let before = (std::mem::take(&mut self.cx.jumped_into), std::mem::take(&mut self.cx.in_switch_body));
        let mut value = Value::void();
        for (i, item) in b.items.iter().enumerate() {
            match last_expression(item).filter(|_| i + 1 == b.items.len()) {
                Some((labels, e)) => {
                    self.labels(labels)?;
                    let v = self.expr(e)?;
                    // The block's objects die; its value does not.
                    value = match v.mem {
                        Some(mem) if self.types.is_record(v.ty) && self.cx.unevaluated == 0 => {
                            let own = self.outer_object(v.ty, e.span)?;
                            self.copy(own, mem, v.ty, e.span)?;
                            Value::aggregate(v.ty, own)
                        }
                        _ if v.ty == Types::VOID => v,
                        _ => self.save(&v),
                    };
                }
                None => self.block_item(item)?,
            }
        }
        (self.cx.jumped_into, self.cx.in_switch_body) = before;
        Ok(value)
    }

    /// An object in the scope around the innermost one.
    fn outer_object(&mut self, ty: crate::types::Ty, span: Span) -> Fallible<super::place::Mem> {
        let inner = self.cx.scopes.pop();
        let result = self.temp_object(ty, span);
        self.cx.scopes.extend(inner);
        result
    }

    pub(super) fn stmt(&mut self, s: &'a Stmt) -> Fallible<()> {
        self.cx.span = s.span;
        match &s.kind {
            StmtKind::Empty(_) => Ok(()),
            StmtKind::Expr(e) => self.effect(e),
            StmtKind::Block(b) => self.block(b),
            StmtKind::If { arms, otherwise } => self.if_chain(arms, otherwise.as_deref()),
            StmtKind::Switch { value, body } => self.switch(value, body, s.span),
            StmtKind::While { cond, body } => self.while_loop(Some(cond), None, body, s.span),
            StmtKind::DoWhile { body, while_span, cond } => self.do_loop(body, cond, s.span, *while_span),
            StmtKind::For { init, cond, step, body } => {
                self.enter_scope(Vec::new());
                match init {
                    ForInit::None => {}
                    ForInit::Expr(e) => self.effect(e)?,
                    ForInit::Decl(d) => self.local_declaration(d)?,
                }
                self.while_loop(cond.as_deref(), step.as_deref(), body, s.span)?;
                self.leave_scope();
                Ok(())
            }
            StmtKind::Goto(name) => self.goto(name),
            StmtKind::GotoComputed(e) => self.goto_computed(e, s.span),
            StmtKind::Continue => match self.cx.continues.last().copied() {
                Some(target) => self.leave_to(target),
                None => self.invalid(s.span, "'continue' outside of a loop"),
            },
            StmtKind::Break => match self.cx.breaks.last().copied() {
                Some(target) => self.leave_to(target),
                None => self.invalid(s.span, "'break' outside of a loop or switch"),
            },
            StmtKind::Return(value) => self.return_stmt(value.as_ref(), s.span),
            StmtKind::Labeled { labels, body } => {
                self.labels(labels)?;
                self.stmt(body)
            }
            StmtKind::Asm(asm) => self.asm(asm),
        }
    }

    fn leave_to(&mut self, target: Target) -> Fallible<()> {
        self.end_lifetimes(target.scopes);
        self.cx.jump(target.loc);
        Ok(())
    }

    fn if_chain(&mut self, arms: &'a [IfArm], otherwise: Option<&'a Stmt>) -> Fallible<()> {
        let end = self.cx.new_loc();
        for arm in arms {
            self.cx.span = arm.span;
            let (yes, no) = self.branch(&arm.cond)?;
            self.cx.cur = yes;
            self.stmt(&arm.then)?;
            let from = self.cx.cur;
            self.cx.edge(from, end, Op::Skip);
            self.cx.cur = no;
        }
        if let Some(s) = otherwise {
            self.stmt(s)?;
        }
        let from = self.cx.cur;
        self.cx.edge(from, end, Op::Skip);
        self.cx.cur = end;
        Ok(())
    }

    fn loop_head(&mut self, span: Span) -> Loc {
        self.cx.span = span;
        let head = self.cx.new_loc();
        self.cx.locs[head.index()].loop_span = Some(span);
        let from = self.cx.cur;
        self.cx.edge(from, head, Op::Skip);
        self.cx.cur = head;
        head
    }

    fn in_loop(&mut self, brk: Loc, cont: Loc, body: &'a Stmt) -> Fallible<()> {
        let scopes = self.cx.scopes.len();
        self.cx.breaks.push(Target { loc: brk, scopes });
        self.cx.continues.push(Target { loc: cont, scopes });
        let result = self.stmt(body);
        self.cx.breaks.pop();
        self.cx.continues.pop();
        result
    }

    fn while_loop(&mut self, cond: Option<&'a Expr>, step: Option<&'a Expr>, body: &'a Stmt, span: Span) -> Fallible<()> {
        let head = self.loop_head(span);
        let end = self.cx.new_loc();
        if let Some(cond) = cond {
            let (yes, no) = self.branch(cond)?;
            self.cx.edge(no, end, Op::Skip);
            self.cx.cur = yes;
        }
        let next = if step.is_some() { self.cx.new_loc() } else { head };
        self.in_loop(end, next, body)?;
        if let Some(step) = step {
            let from = self.cx.cur;
            self.cx.edge(from, next, Op::Skip);
            self.cx.cur = next;
            self.effect(step)?;
        }
        let from = self.cx.cur;
        self.cx.edge(from, head, Op::Skip);
        self.cx.cur = end;
        Ok(())
    }

    fn do_loop(&mut self, body: &'a Stmt, cond: &'a Expr, span: Span, while_span: Span) -> Fallible<()> {
        let head = self.loop_head(span);
        let (test, end) = (self.cx.new_loc(), self.cx.new_loc());
        self.in_loop(end, test, body)?;
        self.cx.span = while_span;
        let from = self.cx.cur;
        self.cx.edge(from, test, Op::Skip);
        self.cx.cur = test;
        let (yes, no) = self.branch(cond)?;
        self.cx.edge(yes, head, Op::Skip);
        self.cx.edge(no, end, Op::Skip);
        self.cx.cur = end;
        Ok(())
    }

    fn return_stmt(&mut self, value: Option<&'a Expr>, span: Span) -> Fallible<()> {
        if let Some(e) = value {
            if self.cx.ret == Types::VOID {
                self.effect(e)?;
            } else {
                let v = match &e.kind {
                    ExprKind::Call { .. } => self.call_expr(e, true)?,
                    _ => self.expr(e)?,
                };
                self.cx.span = span;
                if let (Some(to), Some(_)) = (self.cx.result_object, v.mem) {
                    let place = super::place::LValue { ty: self.cx.ret, place: super::place::Place::Mem(to) };
                    self.assign_place(&place, &v, span)?;
                } else if let Some(result) = self.cx.result {
                    let ret = self.cx.ret;
                    let v = self.convert(&v, ret, span)?;
                    self.set_var(result, &v);
                }
            }
        } else if let Some(result) = self.cx.result {
            let source = plumb_cfa::InputSource::Uninit(format!("result of {}", self.cx.name));
            self.cx.emit(Op::Havoc { var: result, source });
        }
        self.cx.span = span;
        self.end_lifetimes(0);
        let exit = self.cx.exit;
        self.cx.jump(exit);
        Ok(())
    }
}

/// The value of a statement expression: its last expression, and the labels before it.
fn last_expression(item: &BlockItem) -> Option<(&[Label], &Expr)> {
    let BlockItem::Stmt(s) = item else { return None };
    match &s.kind {
        StmtKind::Expr(e) => Some((&[], e)),
        StmtKind::Labeled { labels, body } => match &body.kind {
            StmtKind::Expr(e) => Some((labels, e)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a named label stands somewhere in the block after a declaration of the block itself.
fn has_label_after_declaration(b: &Block) -> bool {
    let first = b.items.iter().position(|i| matches!(i, BlockItem::Decl(_)));
    first.is_some_and(|at| b.items[at..].iter().any(|i| matches!(i, BlockItem::Stmt(s) if has_label(s))))
}

fn has_label(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Labeled { labels, body } => labels.iter().any(|l| matches!(l.kind, LabelKind::Named(..))) || has_label(body),
        StmtKind::Block(b) => b.items.iter().any(|i| matches!(i, BlockItem::Stmt(s) if has_label(s))),
        StmtKind::If { arms, otherwise } => arms.iter().any(|a| has_label(&a.then)) || otherwise.as_deref().is_some_and(has_label),
        StmtKind::Switch { body, .. } | StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. } => {
            has_label(body)
        }
        _ => false,
    }
}
