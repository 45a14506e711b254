//! Initialisers (C11 6.7.9), with GNU ranges and the old `field: value`.

use super::Parser;
use crate::ast::{Designator, DesignatorKind, Init, InitItem, InitList};
use crate::lex::token::Tok;
use crate::lex::Fallible;

impl Parser<'_> {
    /// What follows `=`.
    pub(super) fn init(&mut self) -> Fallible<Init> {
        if self.at(Tok::LBrace) {
            Ok(Init::List(self.init_list()?))
        } else {
            Ok(Init::Expr(self.assignment()?))
        }
    }

    /// `{ items }`
    pub(super) fn init_list(&mut self) -> Fallible<InitList> {
        self.enter()?;
        let list = self.measured(|p| {
            let span = p.expect(Tok::LBrace)?.span;
            let mut items = Vec::new();
            while !p.at(Tok::RBrace) {
                let designators = p.designation()?;
                items.push(InitItem { designators, init: p.init()? });
                if !p.eat(Tok::Comma)? {
                    break;
                }
            }
            p.expect(Tok::RBrace)?;
            p.grow()?;
            Ok(InitList { span, items })
        })?;
        self.leave();
        Ok(list)
    }

    /// `.a[3] =`, `[1 ... 2]` (GNU: without `=`) or `a:`; empty if there is none.
    fn designation(&mut self) -> Fallible<Vec<Designator>> {
        let mut path = Vec::new();
        if self.at(Tok::Ident) {
            if self.peek()?.tok == Tok::Colon {
                let name = self.ident("a member name")?;
                self.bump()?;
                path.push(Designator { span: name.span, kind: DesignatorKind::Field(name) });
            }
            return Ok(path);
        }
        loop {
            let span = self.cur.span;
            let kind = match self.cur.tok {
                Tok::Dot => {
                    self.bump()?;
                    DesignatorKind::Field(self.ident("a member name")?)
                }
                Tok::LBracket => {
                    self.bump()?;
                    let low = self.conditional()?;
                    let kind =
                        if self.eat(Tok::Ellipsis)? { DesignatorKind::Range(low, self.conditional()?) } else { DesignatorKind::Index(low) };
                    self.expect(Tok::RBracket)?;
                    kind
                }
                _ => break,
            };
            path.push(Designator { span, kind });
        }
        let assigned = self.eat(Tok::Assign)?;
        match path.as_slice() {
            [Designator { kind: DesignatorKind::Index(_) | DesignatorKind::Range(..), .. }] => Ok(path),
            [] => Ok(path),
            _ if assigned => Ok(path),
            _ => Err(self.unexpected("'='")),
        }
    }
}
