//! Expressions (C11 6.5): operators by precedence climbing.

use super::Parser;
use crate::ast::{BinaryOp, Expr, ExprKind, Name, UnaryOp};
use crate::lex::token::Tok;
use crate::lex::Fallible;

impl Parser<'_> {
    /// An expression, with commas.
    pub(super) fn expr(&mut self) -> Fallible<Expr> {
        self.measured(|p| {
            let first = p.assignment()?;
            if !p.at(Tok::Comma) {
                return Ok(first);
            }
            let span = first.span;
            let mut parts = vec![first];
            while p.eat(Tok::Comma)? {
                parts.push(p.assignment()?);
            }
            p.grow()?;
            Ok(Expr { span, kind: ExprKind::Comma(parts) })
        })
    }

    /// An expression without commas outside of parentheses.
    pub(super) fn assignment(&mut self) -> Fallible<Expr> {
        self.enter()?;
        let expr = self.measured(|p| {
            let lhs = p.conditional_tail()?;
            let Some(op) = assignment_op(p.cur.tok) else { return Ok(lhs) };
            let op_span = p.bump()?.span;
            let rhs = p.assignment()?;
            p.grow()?;
            Ok(Expr { span: lhs.span, kind: ExprKind::Assign { op, op_span, lhs: Box::new(lhs), rhs: Box::new(rhs) } })
        })?;
        self.leave();
        Ok(expr)
    }

    /// An expression as constants are: without assignment and comma.
    pub(super) fn conditional(&mut self) -> Fallible<Expr> {
        self.enter()?;
        let expr = self.measured(Self::conditional_tail)?;
        self.leave();
        Ok(expr)
    }

    fn conditional_tail(&mut self) -> Fallible<Expr> {
        let cond = self.binary(1)?;
        if !self.eat(Tok::Question)? {
            return Ok(cond);
        }
        let then = if self.at(Tok::Colon) { None } else { Some(Box::new(self.expr()?)) };
        self.expect(Tok::Colon)?;
        let otherwise = Box::new(self.conditional()?);
        self.grow()?;
        Ok(Expr { span: cond.span, kind: ExprKind::Conditional { cond: Box::new(cond), then, otherwise } })
    }

    /// Operands joined by binary operators of at least precedence `min`.
    fn binary(&mut self, min: u8) -> Fallible<Expr> {
        self.measured(|p| {
            let mut lhs = p.cast()?;
            while let Some((op, precedence)) = binary_op(p.cur.tok).filter(|&(_, precedence)| precedence >= min) {
                let op_span = p.bump()?.span;
                let rhs = p.binary(precedence + 1)?;
                p.grow()?;
                lhs = Expr { span: lhs.span, kind: ExprKind::Binary { op, op_span, lhs: Box::new(lhs), rhs: Box::new(rhs) } };
            }
            Ok(lhs)
        })
    }

    /// A cast, compound literal or unary expression.
    fn cast(&mut self) -> Fallible<Expr> {
        if !self.at(Tok::LParen) || !self.type_follows()? {
            return self.unary();
        }
        let span = self.bump()?.span;
        let ty = Box::new(self.type_name()?);
        self.expect(Tok::RParen)?;
        if self.at(Tok::LBrace) {
            let literal = self.compound_literal(span, ty)?;
            return self.postfix(literal);
        }
        let operand = Box::new(self.nested_cast()?);
        self.grow()?;
        Ok(Expr { span, kind: ExprKind::Cast { ty, operand } })
    }

    fn nested_cast(&mut self) -> Fallible<Expr> {
        self.enter()?;
        let operand = self.cast()?;
        self.leave();
        Ok(operand)
    }

    /// Whether the token after the current one starts a type name. No expression starts with an attribute.
    fn type_follows(&mut self) -> Fallible<bool> {
        let next = self.peek()?;
        Ok(next.tok == Tok::Attribute || self.starts_type(next))
    }

    fn unary(&mut self) -> Fallible<Expr> {
        let span = self.cur.span;
        let op = match self.cur.tok {
            Tok::PlusPlus => UnaryOp::PreInc,
            Tok::MinusMinus => UnaryOp::PreDec,
            Tok::Plus => UnaryOp::Plus,
            Tok::Minus => UnaryOp::Minus,
            Tok::Bang => UnaryOp::Not,
            Tok::Tilde => UnaryOp::BitNot,
            Tok::Star => UnaryOp::Deref,
            Tok::Amp => UnaryOp::AddrOf,
            Tok::Real => UnaryOp::Real,
            Tok::Imag => UnaryOp::Imag,
            Tok::Extension => {
                self.bump()?;
                return self.nested_cast();
            }
            Tok::AmpAmp => {
                self.bump()?;
                let label = self.ident("a label")?;
                return Ok(Expr { span, kind: ExprKind::LabelAddr(label) });
            }
            Tok::Sizeof | Tok::Alignof | Tok::AlignofMin => return self.size_or_alignment(),
            _ => {
                let primary = self.primary()?;
                return self.postfix(primary);
            }
        };
        self.bump()?;
        let operand = Box::new(self.nested_cast()?);
        self.grow()?;
        Ok(Expr { span, kind: ExprKind::Unary { op, operand } })
    }

    /// `sizeof` and the `alignof` family, of a type or of an expression.
    fn size_or_alignment(&mut self) -> Fallible<Expr> {
        let keyword = self.bump()?;
        let span = keyword.span;
        let preferred = keyword.tok == Tok::Alignof;
        self.enter()?;
        let operand = if self.at(Tok::LParen) && self.type_follows()? {
            let open = self.bump()?.span;
            let ty = Box::new(self.type_name()?);
            self.expect(Tok::RParen)?;
            if !self.at(Tok::LBrace) {
                self.grow()?;
                self.leave();
                let kind = if keyword.tok == Tok::Sizeof { ExprKind::SizeofType(ty) } else { ExprKind::AlignofType { ty, preferred } };
                return Ok(Expr { span, kind });
            }
            let literal = self.compound_literal(open, ty)?;
            self.postfix(literal)?
        } else {
            self.unary()?
        };
        self.grow()?;
        self.leave();
        let operand = Box::new(operand);
        let kind = if keyword.tok == Tok::Sizeof { ExprKind::SizeofExpr(operand) } else { ExprKind::AlignofExpr { operand, preferred } };
        Ok(Expr { span, kind })
    }

    /// Postfix operators after `expr`.
    fn postfix(&mut self, mut expr: Expr) -> Fallible<Expr> {
        let span = expr.span;
        loop {
            let kind = match self.cur.tok {
                Tok::LParen => {
                    self.bump()?;
                    let args = self.arguments()?;
                    let rparen = self.expect(Tok::RParen)?.span;
                    ExprKind::Call { callee: Box::new(expr), args, rparen }
                }
                Tok::LBracket => {
                    self.bump()?;
                    let index = Box::new(self.expr()?);
                    self.expect(Tok::RBracket)?;
                    ExprKind::Index { base: Box::new(expr), index }
                }
                arrow @ (Tok::Dot | Tok::Arrow) => {
                    self.bump()?;
                    let field: Name = self.ident("a member name")?;
                    ExprKind::Member { base: Box::new(expr), field, arrow: arrow == Tok::Arrow }
                }
                Tok::PlusPlus | Tok::MinusMinus => {
                    let op = if self.bump()?.tok == Tok::PlusPlus { UnaryOp::PostInc } else { UnaryOp::PostDec };
                    ExprKind::Unary { op, operand: Box::new(expr) }
                }
                _ => return Ok(expr),
            };
            self.grow()?;
            expr = Expr { span, kind };
        }
    }

    /// The arguments of a call, up to its closing parenthesis.
    fn arguments(&mut self) -> Fallible<Vec<Expr>> {
        let mut args = Vec::new();
        if !self.at(Tok::RParen) {
            args.push(self.assignment()?);
            while self.eat(Tok::Comma)? {
                args.push(self.assignment()?);
            }
        }
        Ok(args)
    }
}

fn assignment_op(tok: Tok) -> Option<Option<BinaryOp>> {
    Some(match tok {
        Tok::Assign => None,
        Tok::PlusAssign => Some(BinaryOp::Add),
        Tok::MinusAssign => Some(BinaryOp::Sub),
        Tok::StarAssign => Some(BinaryOp::Mul),
        Tok::SlashAssign => Some(BinaryOp::Div),
        Tok::PercentAssign => Some(BinaryOp::Rem),
        Tok::ShlAssign => Some(BinaryOp::Shl),
        Tok::ShrAssign => Some(BinaryOp::Shr),
        Tok::AmpAssign => Some(BinaryOp::BitAnd),
        Tok::PipeAssign => Some(BinaryOp::BitOr),
        Tok::CaretAssign => Some(BinaryOp::BitXor),
        _ => return None,
    })
}

/// A binary operator and its precedence; higher binds tighter.
fn binary_op(tok: Tok) -> Option<(BinaryOp, u8)> {
    Some(match tok {
        Tok::PipePipe => (BinaryOp::LogOr, 1),
        Tok::AmpAmp => (BinaryOp::LogAnd, 2),
        Tok::Pipe => (BinaryOp::BitOr, 3),
        Tok::Caret => (BinaryOp::BitXor, 4),
        Tok::Amp => (BinaryOp::BitAnd, 5),
        Tok::EqEq => (BinaryOp::Eq, 6),
        Tok::Ne => (BinaryOp::Ne, 6),
        Tok::Lt => (BinaryOp::Lt, 7),
        Tok::Gt => (BinaryOp::Gt, 7),
        Tok::Le => (BinaryOp::Le, 7),
        Tok::Ge => (BinaryOp::Ge, 7),
        Tok::Shl => (BinaryOp::Shl, 8),
        Tok::Shr => (BinaryOp::Shr, 8),
        Tok::Plus => (BinaryOp::Add, 9),
        Tok::Minus => (BinaryOp::Sub, 9),
        Tok::Star => (BinaryOp::Mul, 10),
        Tok::Slash => (BinaryOp::Div, 10),
        Tok::Percent => (BinaryOp::Rem, 10),
        _ => return None,
    })
}
