//! `switch`, labels and `goto`, also computed.

use plumb_cfa::{Loc, Op, Ub};
use plumb_term::{IBig, Span, Term};

use super::cx::{Computed, Goto, LabelInfo, Live, Switch, Target};
use super::place::Value;
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::types::Types;
use crate::Symbol;

/// Label values are numbered from here, above all addresses.
const LABELS: u64 = 0xf800_0000;

impl<'a> Lowerer<'a> {
    pub(super) fn switch(&mut self, value: &'a Expr, body: &'a Stmt, span: Span) -> Fallible<()> {
        let v = self.expr(value)?;
        let ty = self.types.promote(v.ty);
        let v = self.convert(&v, ty, value.span)?;
        if !self.types.is_integer(ty) {
            return self.invalid(value.span, "'switch' needs an integer");
        }
        // Cases compare with it one after the other: read memory once.
        let v = if v.term.as_var().is_some() { v } else { self.save(&v) };
        let mark = self.cx.mark();
        // What stands before the first label is unreachable.
        let dispatch = self.cx.cur;
        self.cx.cur = self.cx.new_loc();
        let end = self.cx.new_loc();
        let scopes = self.cx.scopes.len();
        self.cx.switches.push(Switch { value: v.term, ty, cases: Vec::new(), default: None, mark });
        self.cx.breaks.push(Target { loc: end, scopes });
        let before = std::mem::replace(&mut self.cx.in_switch_body, true);
        let result = match &body.kind {
            StmtKind::Block(b) => {
                self.enter_scope(b.local_labels.iter().map(|n| n.symbol).collect());
                let result = self.block_items(b);
                self.cx.span = b.close;
                self.leave_scope();
                result
            }
            _ => self.stmt(body),
        };
        self.cx.in_switch_body = before;
        self.cx.breaks.pop();
        let Some(switch) = self.cx.switches.pop() else { return result };
        result?;
        let from = self.cx.cur;
        self.cx.edge(from, end, Op::Skip);
        // The locals' havocs were inserted between the dispatch location and here.
        let mut at = dispatch;
        while let Some(edge) = self.cx.edges[mark.edges..].iter().rev().find(|e| e.from == at) {
            at = edge.to;
        }
        let dispatch = at;
        let none = Term::all(switch.cases.iter().map(|c| c.0.not()));
        for (cond, loc, case_span) in &switch.cases {
            self.cx.span = *case_span;
            self.cx.edge(dispatch, *loc, Op::Assume(*cond));
        }
        let (loc, default_span) = switch.default.unwrap_or((end, span));
        self.cx.span = default_span;
        self.cx.edge(dispatch, loc, Op::Assume(none));
        self.cx.cur = end;
        Ok(())
    }

    /// Labels before a statement.
    pub(super) fn labels(&mut self, labels: &'a [Label]) -> Fallible<()> {
        for label in labels {
            self.cx.span = label.span;
            match &label.kind {
                LabelKind::Named(name, _) => self.define_label(name)?,
                LabelKind::Case(e) => {
                    let value = self.case_value(e)?;
                    self.case(label.span, &value, &value)?;
                }
                LabelKind::CaseRange(a, b) => {
                    let (low, high) = (self.case_value(a)?, self.case_value(b)?);
                    self.case(label.span, &low, &high)?;
                }
                LabelKind::Default => {
                    let loc = self.arrive();
                    match self.cx.switches.last_mut() {
                        Some(switch) => switch.default = Some((loc, label.span)),
                        None => return self.invalid(label.span, "'default' outside of a switch"),
                    }
                }
            }
        }
        Ok(())
    }

    /// A location of its own that control also falls into.
    fn arrive(&mut self) -> Loc {
        let from = self.cx.cur;
        let loc = self.cx.new_loc();
        self.cx.edge(from, loc, Op::Skip);
        self.cx.cur = loc;
        loc
    }

    fn case_value(&mut self, e: &'a Expr) -> Fallible<IBig> {
        let value = self.const_int(e)?;
        match self.cx.switches.last() {
            Some(switch) if !self.ideal() => Ok(self.types.integer(switch.ty).map_or(value.clone(), |t| t.wrap(&value))),
            _ => Ok(value),
        }
    }

    fn case(&mut self, span: Span, low: &IBig, high: &IBig) -> Fallible<()> {
        let loc = self.arrive();
        match self.cx.switches.last_mut() {
            Some(switch) => {
                let cond = switch.value.within(low, high);
                switch.cases.push((if low == high { switch.value.equals(Term::int(low.clone())) } else { cond }, loc, span));
                Ok(())
            }
            None => self.invalid(span, "'case' outside of a switch"),
        }
    }

    /// The label `name`: of the innermost block that declares it with `__label__`, else of the function.
    fn label_key(&self, name: Symbol) -> (u32, Symbol) {
        let local = self.cx.scopes.iter().rev().find(|s| s.local_labels.contains(&name));
        (local.map_or(0, |s| s.id), name)
    }

    fn label(&mut self, key: (u32, Symbol), span: Span) -> Loc {
        if let Some(info) = self.cx.labels.get(&key) {
            return info.loc;
        }
        let loc = self.cx.new_loc();
        self.cx.labels.insert(key, LabelInfo { loc, scopes: None, live: Vec::new(), first_use: span });
        loc
    }

    fn define_label(&mut self, name: &Name) -> Fallible<()> {
        let key = self.label_key(name.symbol);
        let loc = self.label(key, name.span);
        let from = self.cx.cur;
        self.cx.edge(from, loc, Op::Skip);
        self.cx.cur = loc;
        let info = &mut self.cx.locs[loc.index()];
        info.span = name.span;
        info.label = Some(self.names.name(name.symbol).to_owned());
        let path = self.cx.scope_path();
        let live = self.cx.live_from(0);
        if let Some(label) = self.cx.labels.get_mut(&key) {
            label.live = live;
            if label.scopes.replace(path).is_some() && self.cx.unevaluated == 0 {
                return self.invalid(name.span, format!("the label '{}' is defined twice", self.name(name.symbol)));
            }
        }
        if self.error_label == Some(name.symbol) && !self.units[self.unit].library {
            self.restrict_error(name.span);
            let error = self.cx.cur;
            self.cx.locs[error.index()].span = name.span;
            self.cx.errors.push(error);
            self.cx.cur = self.cx.new_loc();
        }
        Ok(())
    }

    pub(super) fn goto(&mut self, name: &Name) -> Fallible<()> {
        let key = self.label_key(name.symbol);
        self.label(key, name.span);
        // A location of its own: the current one may turn out to be where a condition is tested.
        self.cx.emit(Op::Skip);
        let live = self.cx.live_from(0);
        let goto = Goto { from: self.cx.cur, label: key, live, span: name.span, cond: None };
        self.cx.gotos.push(goto);
        self.cx.cur = self.cx.new_loc();
        Ok(())
    }

    /// GNU `&&label`.
    pub(super) fn label_value(&mut self, name: &Name) -> Value {
        let key = self.label_key(name.symbol);
        self.label(key, name.span);
        Value::plain(Types::VOID_PTR, Self::label_address(key))
    }

    /// Labels have no addresses of their own: a number that no object has. It depends on the name alone, since a static table of
    /// labels is initialised outside of its function.
    fn label_address(key: (u32, Symbol)) -> Term {
        Term::int(LABELS + u64::from(key.1 .0))
    }

    pub(super) fn goto_computed(&mut self, e: &'a Expr, span: Span) -> Fallible<()> {
        let v = self.expr(e)?;
        let v = self.convert(&v, Types::VOID_PTR, span)?;
        let v = self.save(&v);
        self.cx.emit(Op::Skip);
        let live = self.cx.live_from(0);
        let from = self.cx.cur;
        self.cx.computed.push(Computed { from, value: v.term, live, span });
        self.cx.cur = self.cx.new_loc();
        Ok(())
    }

    /// Connects jumps with their labels, once all are known.
    pub(super) fn resolve_gotos(&mut self) -> Fallible<()> {
        for Computed { from, value, live, span } in std::mem::take(&mut self.cx.computed) {
            self.cx.span = span;
            self.cx.cur = from;
            let mut targets: Vec<(u32, Symbol)> = self.cx.labels.iter().filter(|l| l.1.scopes.is_some()).map(|l| *l.0).collect();
            targets.sort_unstable_by_key(|key| (key.1 .0, key.0));
            targets.dedup_by_key(|key| key.1);
            let known = Term::any(targets.iter().map(|key| value.equals(Self::label_address(*key))));
            self.guard(known, Ub::BadCall);
            let from = self.cx.cur;
            for key in targets {
                let cond = Some(value.equals(Self::label_address(key)));
                self.cx.gotos.push(Goto { from, label: key, live: live.clone(), span, cond });
            }
        }
        for goto in std::mem::take(&mut self.cx.gotos) {
            let Some(LabelInfo { loc, scopes, live, first_use }) = self.cx.labels.get(&goto.label).cloned() else { continue };
            let Some(scopes) = scopes else {
                return self.invalid(first_use, format!("the label '{}' is not defined", self.name(goto.label.1)));
            };
            self.cx.span = goto.span;
            self.cx.cur = goto.from;
            if let Some(cond) = goto.cond {
                self.cx.emit(Op::Assume(cond));
            }
            let left: Vec<Live> = goto.live.iter().filter(|(id, _)| !scopes.contains(id)).map(|(_, l)| *l).collect();
            for object in left {
                self.cx.emit(Op::EndLife { addr: object.addr });
            }
            // A jump past a declaration begins the object's life all the same.
            let begun =
                live.iter().filter(|(_, l)| !goto.live.iter().any(|(_, g)| g.addr == l.addr)).filter_map(|(_, l)| Some((l.addr, l.fixed?)));
            for (addr, (node, len)) in begun {
                self.cx.emit(Op::HavocMem { region: plumb_cfa::RegionId(node.0), addr, len });
            }
            self.cx.jump(loc);
        }
        Ok(())
    }
}
