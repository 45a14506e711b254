//! Primary expressions (C11 6.5.1) and the builtins whose operands are not expressions.

use plumb_term::Span;

use super::Parser;
use crate::ast::{Expr, ExprKind, Generic, GenericControl, OffsetofStep, TypeName};
use crate::lex::token::Tok;
use crate::lex::{literal, Fallible};

impl Parser<'_> {
    /// An expression without operators outside of parentheses. The levels below `(` count as nesting through
    /// [`Parser::expr`].
    pub(super) fn primary(&mut self) -> Fallible<Expr> {
        let span = self.cur.span;
        let kind = match self.cur.tok {
            Tok::Ident if !self.scopes.is_typedef(self.cur.symbol) => ExprKind::Ident(self.bump()?.symbol),
            Tok::Number => {
                let token = self.bump()?;
                literal::number(self.lexer.slice(token), span)?
            }
            Tok::Char => {
                let token = self.bump()?;
                ExprKind::Char(literal::character(self.lexer.slice(token), span)?)
            }
            Tok::Str => ExprKind::Str(self.strings()?),
            Tok::LParen => {
                self.bump()?;
                if !self.at(Tok::LBrace) {
                    let inner = self.expr()?;
                    self.expect(Tok::RParen)?;
                    return Ok(Expr { span, kind: inner.kind });
                }
                self.enter()?;
                let block = self.block()?;
                self.leave();
                self.expect(Tok::RParen)?;
                ExprKind::StmtExpr(Box::new(block))
            }
            Tok::Generic => self.generic()?,
            Tok::VaArg => {
                self.open_builtin()?;
                let list = Box::new(self.assignment()?);
                self.expect(Tok::Comma)?;
                let ty = self.last_type()?;
                ExprKind::VaArg { list, ty }
            }
            Tok::ConvertVector => {
                self.open_builtin()?;
                let operand = Box::new(self.assignment()?);
                self.expect(Tok::Comma)?;
                let ty = self.last_type()?;
                ExprKind::ConvertVector { operand, ty }
            }
            Tok::TypesCompatible => {
                self.open_builtin()?;
                let first = self.type_name()?;
                self.expect(Tok::Comma)?;
                let second = *self.last_type()?;
                ExprKind::TypesCompatible(Box::new((first, second)))
            }
            Tok::ChooseExpr => {
                self.open_builtin()?;
                let condition = self.assignment()?;
                self.expect(Tok::Comma)?;
                let then = self.assignment()?;
                self.expect(Tok::Comma)?;
                let otherwise = self.assignment()?;
                self.expect(Tok::RParen)?;
                ExprKind::ChooseExpr(Box::new([condition, then, otherwise]))
            }
            Tok::Offsetof => self.offsetof()?,
            _ => return Err(self.unexpected("an expression")),
        };
        self.grow()?;
        Ok(Expr { span, kind })
    }

    /// The braces of a compound literal whose type has been read.
    pub(super) fn compound_literal(&mut self, span: Span, ty: Box<TypeName>) -> Fallible<Expr> {
        let init = Box::new(self.init_list()?);
        self.grow()?;
        Ok(Expr { span, kind: ExprKind::CompoundLiteral { ty, init } })
    }

    fn open_builtin(&mut self) -> Fallible<()> {
        self.bump()?;
        self.expect(Tok::LParen)?;
        Ok(())
    }

    fn last_type(&mut self) -> Fallible<Box<TypeName>> {
        let ty = Box::new(self.type_name()?);
        self.expect(Tok::RParen)?;
        Ok(ty)
    }

    fn generic(&mut self) -> Fallible<ExprKind> {
        self.open_builtin()?;
        let control =
            if self.starts_type(self.cur) { GenericControl::Type(self.type_name()?) } else { GenericControl::Expr(self.assignment()?) };
        let mut arms = Vec::new();
        while self.eat(Tok::Comma)? {
            let ty = if self.eat(Tok::Default)? { None } else { Some(self.type_name()?) };
            self.expect(Tok::Colon)?;
            arms.push((ty, self.assignment()?));
        }
        self.expect(Tok::RParen)?;
        Ok(ExprKind::Generic(Box::new(Generic { control, arms })))
    }

    fn offsetof(&mut self) -> Fallible<ExprKind> {
        self.open_builtin()?;
        let ty = Box::new(self.type_name()?);
        self.expect(Tok::Comma)?;
        let mut path = vec![OffsetofStep::Field(self.ident("a member name")?)];
        loop {
            match self.cur.tok {
                Tok::Dot => {
                    self.bump()?;
                    path.push(OffsetofStep::Field(self.ident("a member name")?));
                }
                Tok::LBracket => {
                    self.bump()?;
                    path.push(OffsetofStep::Index(self.expr()?));
                    self.expect(Tok::RBracket)?;
                }
                _ => break,
            }
        }
        self.expect(Tok::RParen)?;
        Ok(ExprKind::Offsetof { ty, path })
    }
}
