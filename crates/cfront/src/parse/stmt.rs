//! Statements and blocks (C11 6.8).

use super::Parser;
use crate::ast::{Block, BlockItem, Expr, ExprKind, ForInit, IfArm, Label, LabelKind, Name, Stmt, StmtKind};
use crate::lex::token::Tok;
use crate::lex::{invalid, Fallible};

impl Parser<'_> {
    /// `{ ... }`, a scope of its own.
    pub(super) fn block(&mut self) -> Fallible<Block> {
        self.measured(|p| {
            let span = p.expect(Tok::LBrace)?.span;
            p.scopes.push();
            let mut local_labels = Vec::new();
            while p.eat(Tok::LabelKw)? {
                local_labels.push(p.ident("a label")?);
                while p.eat(Tok::Comma)? {
                    local_labels.push(p.ident("a label")?);
                }
                p.expect(Tok::Semi)?;
            }
            let mut items = Vec::new();
            while !p.at(Tok::RBrace) {
                if p.at(Tok::Eof) {
                    return Err(invalid(span, "this '{' is never closed"));
                }
                items.push(p.block_item()?);
            }
            p.scopes.pop();
            let close = p.bump()?.span;
            p.grow()?;
            Ok(Block { span, local_labels, items, close })
        })
    }

    fn block_item(&mut self) -> Fallible<BlockItem> {
        match self.cur.tok {
            Tok::StaticAssert => return self.static_assert().map(BlockItem::StaticAssert),
            Tok::Extension => while self.eat(Tok::Extension)? {},
            Tok::Attribute => {
                let span = self.cur.span;
                let mut attrs = Vec::new();
                self.attributes(&mut attrs)?;
                if self.eat(Tok::Semi)? {
                    return Ok(BlockItem::Stmt(Stmt { span, kind: StmtKind::Empty(attrs) }));
                }
                return self.declaration(attrs).map(BlockItem::Decl);
            }
            _ => {}
        }
        if self.starts_declaration(self.cur) && !self.at_named_label()? {
            self.declaration(Vec::new()).map(BlockItem::Decl)
        } else {
            self.statement().map(BlockItem::Stmt)
        }
    }

    /// `name :`, also where the name is a typedef's.
    fn at_named_label(&mut self) -> Fallible<bool> {
        Ok(self.at(Tok::Ident) && self.peek()?.tok == Tok::Colon)
    }

    fn statement(&mut self) -> Fallible<Stmt> {
        self.enter()?;
        let stmt = self.measured(|p| {
            let span = p.cur.span;
            let kind = p.statement_kind()?;
            p.grow()?;
            Ok(Stmt { span, kind })
        })?;
        self.leave();
        Ok(stmt)
    }

    fn boxed_statement(&mut self) -> Fallible<Box<Stmt>> {
        self.statement().map(Box::new)
    }

    fn statement_kind(&mut self) -> Fallible<StmtKind> {
        let tok = self.cur.tok;
        let kind = match tok {
            Tok::LBrace => return self.block().map(StmtKind::Block),
            Tok::If => return self.if_chain(),
            Tok::Switch => {
                self.bump()?;
                let value = self.parenthesised()?;
                return Ok(StmtKind::Switch { value, body: self.boxed_statement()? });
            }
            Tok::While => {
                self.bump()?;
                let cond = self.parenthesised()?;
                return Ok(StmtKind::While { cond, body: self.boxed_statement()? });
            }
            Tok::For => return self.for_loop(),
            Tok::Case | Tok::Default => return self.labeled(),
            Tok::Ident if self.peek()?.tok == Tok::Colon => return self.labeled(),
            Tok::Do => {
                self.bump()?;
                let body = self.boxed_statement()?;
                let while_span = self.expect(Tok::While)?.span;
                let cond = self.parenthesised()?;
                StmtKind::DoWhile { body, while_span, cond }
            }
            Tok::Goto => {
                self.bump()?;
                if self.eat(Tok::Star)? {
                    StmtKind::GotoComputed(self.expr()?)
                } else {
                    StmtKind::Goto(self.ident("a label")?)
                }
            }
            Tok::Continue => {
                self.bump()?;
                StmtKind::Continue
            }
            Tok::Break => {
                self.bump()?;
                StmtKind::Break
            }
            Tok::Return => {
                self.bump()?;
                StmtKind::Return(if self.at(Tok::Semi) { None } else { Some(self.expr()?) })
            }
            Tok::Asm => StmtKind::Asm(Box::new(self.asm()?)),
            Tok::Semi => StmtKind::Empty(Vec::new()),
            Tok::Attribute => {
                let mut attrs = Vec::new();
                self.attributes(&mut attrs)?;
                StmtKind::Empty(attrs)
            }
            Tok::Else => return Err(self.unexpected("a statement")),
            _ => {
                let expr = self.expr()?;
                if let (ExprKind::Ident(symbol), Tok::Ident) = (&expr.kind, self.cur.tok) {
                    return Err(self.unknown_type(Name { symbol: *symbol, span: expr.span }));
                }
                StmtKind::Expr(expr)
            }
        };
        self.expect(Tok::Semi)?;
        Ok(kind)
    }

    fn parenthesised(&mut self) -> Fallible<Expr> {
        self.expect(Tok::LParen)?;
        let expr = self.expr()?;
        self.expect(Tok::RParen)?;
        Ok(expr)
    }

    fn if_chain(&mut self) -> Fallible<StmtKind> {
        let mut arms = Vec::new();
        loop {
            let span = self.expect(Tok::If)?.span;
            let cond = self.parenthesised()?;
            let then = self.statement()?;
            arms.push(IfArm { span, cond, then });
            if !self.eat(Tok::Else)? {
                return Ok(StmtKind::If { arms, otherwise: None });
            }
            if !self.at(Tok::If) {
                let otherwise = Some(self.boxed_statement()?);
                return Ok(StmtKind::If { arms, otherwise });
            }
        }
    }

    fn for_loop(&mut self) -> Fallible<StmtKind> {
        self.bump()?;
        self.expect(Tok::LParen)?;
        self.scopes.push();
        while self.eat(Tok::Extension)? {}
        let init = if self.starts_declaration(self.cur) || self.at(Tok::Attribute) {
            ForInit::Decl(Box::new(self.declaration(Vec::new())?))
        } else {
            let init = if self.at(Tok::Semi) { ForInit::None } else { ForInit::Expr(Box::new(self.expr()?)) };
            self.expect(Tok::Semi)?;
            init
        };
        let cond = if self.at(Tok::Semi) { None } else { Some(Box::new(self.expr()?)) };
        self.expect(Tok::Semi)?;
        let step = if self.at(Tok::RParen) { None } else { Some(Box::new(self.expr()?)) };
        self.expect(Tok::RParen)?;
        let body = self.boxed_statement()?;
        self.scopes.pop();
        Ok(StmtKind::For { init, cond, step, body })
    }

    /// One or more labels and the statement after them.
    fn labeled(&mut self) -> Fallible<StmtKind> {
        let mut labels = Vec::new();
        loop {
            let span = self.cur.span;
            let tok = self.cur.tok;
            let kind = match tok {
                Tok::Case => {
                    self.bump()?;
                    let low = self.conditional()?;
                    let kind = if self.eat(Tok::Ellipsis)? { LabelKind::CaseRange(low, self.conditional()?) } else { LabelKind::Case(low) };
                    self.expect(Tok::Colon)?;
                    kind
                }
                Tok::Default => {
                    self.bump()?;
                    self.expect(Tok::Colon)?;
                    LabelKind::Default
                }
                Tok::Ident if self.peek()?.tok == Tok::Colon => {
                    let name = self.ident("a label")?;
                    self.bump()?;
                    let mut attrs = Vec::new();
                    self.attributes(&mut attrs)?;
                    LabelKind::Named(name, attrs)
                }
                _ => break,
            };
            labels.push(Label { span, kind });
        }
        let span = self.cur.span;
        let body = if self.at(Tok::RBrace) || self.at(Tok::StaticAssert) || self.starts_declaration(self.cur) {
            Box::new(Stmt { span, kind: StmtKind::Empty(Vec::new()) })
        } else {
            self.boxed_statement()?
        };
        Ok(StmtKind::Labeled { labels, body })
    }
}
