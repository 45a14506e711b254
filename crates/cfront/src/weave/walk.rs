//! The walk over the syntax tree that puts claims in their places.

use std::mem;

use plumb_term::{SourceMap, Span};

use super::claims::{ProbeKind, Weave, When};
use super::places::{Places, Spot};
use super::{INVARIANT, RESULT, TAP, WAYPOINTS};
use crate::ast::*;
use crate::lex::Fallible;
use crate::{parse, Diagnostic, Interner, Symbol};

/// Puts the claims of `weave` into the tree; whether each has found a place there. An error is about an expression of the witness.
pub(crate) fn weave(tree: &mut TranslationUnit, weave: &Weave, sources: &mut SourceMap, names: &mut Interner) -> Fallible<Vec<bool>> {
    let typedefs = typedefs(tree);
    let mut walker = Walker {
        places: Places::new(&weave.probes),
        invariant: names.intern(INVARIANT),
        waypoints: names.intern(WAYPOINTS),
        tap: names.intern(TAP),
        result: names.intern(RESULT),
        typedefs,
        function: String::new(),
        sources,
        names,
    };
    for item in &mut tree.items {
        if let ExternalDecl::Function(f) = item {
            walker.function = f.name().map(|n| walker.names.name(n.symbol).to_owned()).unwrap_or_default();
            walker.block(&mut f.body)?;
        }
    }
    Ok(walker.places.placed)
}

/// The names of types at file scope.
fn typedefs(tree: &TranslationUnit) -> Vec<Symbol> {
    let declarations = tree.items.iter().filter_map(|i| match i {
        ExternalDecl::Decl(d) if d.specs.storage == Storage::Typedef => Some(d),
        _ => None,
    });
    declarations.flat_map(|d| d.declarators.iter().filter_map(|i| i.declarator.name.map(|n| n.symbol))).collect()
}

struct Walker<'a> {
    places: Places<'a>,
    invariant: Symbol,
    waypoints: Symbol,
    tap: Symbol,
    result: Symbol,
    typedefs: Vec<Symbol>,
    function: String,
    sources: &'a mut SourceMap,
    names: &'a mut Interner,
}

impl Walker<'_> {
    fn take(&mut self, spot: Spot, span: Span) -> Vec<usize> {
        self.places.take(spot, span, &self.function, self.sources)
    }

    fn block(&mut self, b: &mut Block) -> Fallible<()> {
        let mut items = Vec::with_capacity(b.items.len());
        for mut item in mem::take(&mut b.items) {
            match &mut item {
                BlockItem::Decl(d) => {
                    let before = self.before(d.span)?;
                    items.extend(before.into_iter().map(BlockItem::Stmt));
                    self.declaration(d)?;
                }
                BlockItem::Stmt(s) if !matches!(s.kind, StmtKind::Labeled { .. }) => {
                    let before = self.before(s.span)?;
                    items.extend(before.into_iter().map(BlockItem::Stmt));
                    self.inside(s)?;
                }
                BlockItem::Stmt(s) => self.stmt(s)?,
                BlockItem::StaticAssert(_) => {}
            }
            items.push(item);
        }
        b.items = items;
        Ok(())
    }

    fn declaration(&mut self, d: &mut Declaration) -> Fallible<()> {
        for i in &mut d.declarators {
            if let Some(init) = &mut i.init {
                self.init(init)?;
            }
        }
        Ok(())
    }

    fn init(&mut self, init: &mut Init) -> Fallible<()> {
        match init {
            Init::Expr(e) => self.expr(e),
            Init::List(list) => list.items.iter_mut().try_for_each(|i| self.init(&mut i.init)),
        }
    }

    /// A statement that is not an item of a block, or has labels: whoever jumps to a label executes the statement behind it.
    fn stmt(&mut self, s: &mut Stmt) -> Fallible<()> {
        let mut before = Vec::new();
        let s = match &mut s.kind {
            StmtKind::Labeled { labels, body } => {
                for label in labels {
                    before.extend(self.before(label.span)?);
                }
                &mut **body
            }
            _ => s,
        };
        before.extend(self.before(s.span)?);
        self.inside(s)?;
        if !before.is_empty() {
            let span = s.span;
            let body = mem::replace(s, Stmt { span, kind: StmtKind::Empty(Vec::new()) });
            let items = before.into_iter().chain([body]).map(BlockItem::Stmt).collect();
            s.kind = StmtKind::Block(Block { span, local_labels: Vec::new(), items, close: span });
        }
        Ok(())
    }

    /// What comes before the statement at `span`.
    fn before(&mut self, span: Span) -> Fallible<Vec<Stmt>> {
        let claims = self.take(Spot::Statement, span);
        let calls = self.visit(&claims, span)?;
        Ok(calls.into_iter().map(|e| Stmt { span, kind: StmtKind::Expr(e) }).collect())
    }

    /// Assertions of the invariants among the claims, and one visit of the waypoints.
    fn visit(&mut self, claims: &[usize], span: Span) -> Fallible<Vec<Expr>> {
        let (mut out, mut points) = (Vec::new(), Vec::new());
        for &i in claims {
            match &self.places.probe(i).kind {
                ProbeKind::LoopInvariant(text) | ProbeKind::LocationInvariant(text) => {
                    let args = vec![number(i as i128, span), self.parsed(i, text)?];
                    out.push(call(self.invariant, args, span));
                }
                ProbeKind::Waypoint { when, .. } => {
                    let condition = match when {
                        When::Assumption(text) | When::Return(Some(text)) => self.parsed(i, text)?,
                        When::Case(value) => {
                            let result = Expr { span, kind: ExprKind::Ident(self.result) };
                            let (lhs, rhs) = (Box::new(result), Box::new(number(*value, span)));
                            Expr { span, kind: ExprKind::Binary { op: BinaryOp::Eq, op_span: span, lhs, rhs } }
                        }
                        When::Branch(_) | When::Enter | When::Return(None) => number(1, span),
                    };
                    points.extend([number(i as i128, span), condition]);
                }
            }
        }
        if !points.is_empty() {
            out.push(call(self.waypoints, points, span));
        }
        Ok(out)
    }

    /// An expression of the witness, which must have no effects.
    fn parsed(&mut self, claim: usize, text: &str) -> Fallible<Expr> {
        let name = format!("<expression {claim} of the witness>");
        let text = text.replace("\\result", RESULT);
        let e = parse::expression(text.as_bytes(), &name, &self.typedefs, self.sources, self.names)?;
        match impure(&e) {
            Some((span, what)) => Err(Box::new(Diagnostic::invalid(span, format!("{what} has no place in a witness")))),
            None => Ok(e),
        }
    }

    fn inside(&mut self, s: &mut Stmt) -> Fallible<()> {
        let span = s.span;
        match &mut s.kind {
            StmtKind::Empty(_) | StmtKind::Goto(_) | StmtKind::Continue | StmtKind::Break | StmtKind::Asm(_) => Ok(()),
            StmtKind::Expr(e) | StmtKind::GotoComputed(e) => self.expr(e),
            StmtKind::Return(e) => e.iter_mut().try_for_each(|e| self.expr(e)),
            StmtKind::Block(b) => self.block(b),
            StmtKind::Labeled { .. } => self.stmt(s),
            StmtKind::If { arms, otherwise } => {
                for (i, arm) in arms.iter_mut().enumerate() {
                    self.expr(&mut arm.cond)?;
                    self.branch(&mut arm.cond, &[arm.span])?;
                    if i > 0 {
                        // An `else if` is no item of a block: what comes before it comes before its condition.
                        let claims = self.take(Spot::Statement, arm.span);
                        self.ahead(&mut arm.cond, &claims, arm.span)?;
                    }
                    self.stmt(&mut arm.then)?;
                }
                otherwise.iter_mut().try_for_each(|s| self.stmt(s))
            }
            StmtKind::Switch { value, body } => {
                self.expr(value)?;
                let claims = self.take(Spot::Switch, span);
                self.tapped(value, &claims)?;
                self.stmt(body)
            }
            StmtKind::While { cond, body } => {
                self.expr(cond)?;
                self.branch(cond, &[span])?;
                let claims = self.take(Spot::Loop, span);
                self.ahead(cond, &claims, span)?;
                self.stmt(body)
            }
            StmtKind::DoWhile { body, while_span, cond } => {
                self.expr(cond)?;
                self.branch(cond, &[span, *while_span])?;
                self.stmt(body)?;
                let claims = self.take(Spot::Loop, span);
                let calls = self.visit(&claims, span)?;
                if !calls.is_empty() {
                    let first = mem::replace(&mut **body, Stmt { span, kind: StmtKind::Empty(Vec::new()) });
                    let calls = calls.into_iter().map(|e| Stmt { span, kind: StmtKind::Expr(e) });
                    let items = calls.chain([first]).map(BlockItem::Stmt).collect();
                    body.kind = StmtKind::Block(Block { span, local_labels: Vec::new(), items, close: span });
                }
                Ok(())
            }
            StmtKind::For { init, cond, step, body } => {
                match init {
                    ForInit::None => {}
                    ForInit::Expr(e) => self.expr(e)?,
                    ForInit::Decl(d) => self.declaration(d)?,
                }
                cond.iter_mut().try_for_each(|e| self.expr(e))?;
                let mut test = cond.take().map_or_else(|| number(1, span), |c| *c);
                self.branch(&mut test, &[span])?;
                let claims = self.take(Spot::Loop, span);
                self.ahead(&mut test, &claims, span)?;
                *cond = Some(Box::new(test));
                step.iter_mut().try_for_each(|e| self.expr(e))?;
                self.stmt(body)
            }
        }
    }

    /// Visits the claims before `e` is evaluated.
    fn ahead(&mut self, e: &mut Expr, claims: &[usize], span: Span) -> Fallible<()> {
        let mut parts = self.visit(claims, span)?;
        if !parts.is_empty() {
            let at = e.span;
            parts.push(mem::replace(e, number(0, at)));
            *e = Expr { span: at, kind: ExprKind::Comma(parts) };
        }
        Ok(())
    }

    /// Visits waypoints on either side of a condition: `c` becomes `c ? (yes, 1) : (no, 0)`.
    fn branch(&mut self, cond: &mut Expr, spans: &[Span]) -> Fallible<()> {
        let claims: Vec<usize> = spans.iter().flat_map(|s| self.take(Spot::Branch, *s)).collect();
        if claims.is_empty() {
            return Ok(());
        }
        let span = cond.span;
        let mut sides = [Vec::new(), Vec::new()];
        for &i in &claims {
            if let ProbeKind::Waypoint { when: When::Branch(side), .. } = self.places.probe(i).kind {
                sides[usize::from(side)].push(i);
            }
        }
        let [no, yes] = sides;
        let mut side = |claims: &[usize], value: i128| -> Fallible<Box<Expr>> {
            let mut e = number(value, span);
            self.ahead(&mut e, claims, span)?;
            Ok(Box::new(e))
        };
        let (then, otherwise) = (Some(side(&yes, 1)?), side(&no, 0)?);
        let tested = Box::new(mem::replace(cond, number(0, span)));
        *cond = Expr { span, kind: ExprKind::Conditional { cond: tested, then, otherwise } };
        Ok(())
    }

    /// Visits waypoints once the value is there.
    fn tapped(&mut self, value: &mut Expr, claims: &[usize]) -> Fallible<()> {
        let span = value.span;
        for mut visit in self.visit(claims, span)? {
            if let ExprKind::Call { callee, args, .. } = &mut visit.kind {
                callee.kind = ExprKind::Ident(self.tap);
                args.insert(0, mem::replace(value, number(0, span)));
            }
            *value = visit;
        }
        Ok(())
    }

    /// Calls within an expression, innermost first.
    fn expr(&mut self, e: &mut Expr) -> Fallible<()> {
        match &mut e.kind {
            ExprKind::Call { callee, args, rparen } => {
                let rparen = *rparen;
                self.expr(callee)?;
                args.iter_mut().try_for_each(|a| self.expr(a))?;
                let claims = self.take(Spot::Call, rparen);
                let is_entry = |i: &usize| matches!(self.places.probe(*i).kind, ProbeKind::Waypoint { when: When::Enter, .. });
                let (enter, leave): (Vec<usize>, Vec<usize>) = claims.into_iter().partition(is_entry);
                // A function is entered when its last argument has been evaluated.
                let ExprKind::Call { args, .. } = &mut e.kind else { return Ok(()) };
                match args.last_mut() {
                    Some(last) => self.tapped(last, &enter)?,
                    None => self.ahead(e, &enter, rparen)?,
                }
                self.tapped(e, &leave)
            }
            ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } | ExprKind::ConvertVector { operand, .. } => {
                self.expr(operand)
            }
            ExprKind::Binary { lhs, rhs, .. } | ExprKind::Assign { lhs, rhs, .. } => {
                self.expr(lhs)?;
                self.expr(rhs)
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                self.expr(cond)?;
                then.iter_mut().try_for_each(|e| self.expr(e))?;
                self.expr(otherwise)
            }
            ExprKind::Comma(parts) => parts.iter_mut().try_for_each(|e| self.expr(e)),
            ExprKind::Index { base, index } => {
                self.expr(base)?;
                self.expr(index)
            }
            ExprKind::Member { base, .. } => self.expr(base),
            ExprKind::CompoundLiteral { init, .. } => init.items.iter_mut().try_for_each(|i| self.init(&mut i.init)),
            ExprKind::StmtExpr(b) => self.block(b),
            ExprKind::ChooseExpr(parts) => parts.iter_mut().try_for_each(|e| self.expr(e)),
            ExprKind::VaArg { list, .. } => self.expr(list),
            ExprKind::Ident(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Char(_)
            | ExprKind::Str(_)
            | ExprKind::SizeofExpr(_)
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofExpr { .. }
            | ExprKind::AlignofType { .. }
            | ExprKind::LabelAddr(_)
            | ExprKind::Generic(_)
            | ExprKind::Offsetof { .. }
            | ExprKind::TypesCompatible(_) => Ok(()),
        }
    }
}

fn call(function: Symbol, args: Vec<Expr>, span: Span) -> Expr {
    let callee = Box::new(Expr { span, kind: ExprKind::Ident(function) });
    Expr { span, kind: ExprKind::Call { callee, args, rparen: span } }
}

fn number(value: i128, span: Span) -> Expr {
    let constant =
        IntConst { value: value.unsigned_abs(), base: IntBase::Decimal, unsigned: false, size: IntSize::Plain, imaginary: false };
    let e = Expr { span, kind: ExprKind::Int(constant) };
    if value < 0 {
        return Expr { span, kind: ExprKind::Unary { op: UnaryOp::Minus, operand: Box::new(e) } };
    }
    e
}

/// The first part of an expression that may have an effect, or that a witness has no use for.
fn impure(e: &Expr) -> Option<(Span, &'static str)> {
    match &e.kind {
        ExprKind::Ident(_) | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Char(_) => None,
        ExprKind::SizeofExpr(_) | ExprKind::SizeofType(_) | ExprKind::AlignofExpr { .. } | ExprKind::AlignofType { .. } => None,
        ExprKind::Unary { op: UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec, .. } => {
            Some((e.span, "an increment"))
        }
        ExprKind::Unary { operand, .. } | ExprKind::Cast { operand, .. } | ExprKind::Member { base: operand, .. } => impure(operand),
        ExprKind::Binary { lhs, rhs, .. } | ExprKind::Index { base: lhs, index: rhs } => impure(lhs).or_else(|| impure(rhs)),
        ExprKind::Conditional { cond, then: Some(then), otherwise } => impure(cond).or_else(|| impure(then)).or_else(|| impure(otherwise)),
        ExprKind::Assign { .. } => Some((e.span, "an assignment")),
        ExprKind::Call { .. } => Some((e.span, "a call")),
        _ => Some((e.span, "this kind of expression")),
    }
}
