//! GNU attributes and `asm`.

use super::Parser;
use crate::ast::{Asm, AsmOperand, AttrArg, Attribute, Expr, ExprKind};
use crate::lex::token::{Tok, KEYWORDS};
use crate::lex::{invalid, Fallible};
use crate::Symbol;

impl Parser<'_> {
    /// All `__attribute__((...))` that stand here, added to `attrs`.
    pub(super) fn attributes(&mut self, attrs: &mut Vec<Attribute>) -> Fallible<()> {
        while self.eat(Tok::Attribute)? {
            self.expect(Tok::LParen)?;
            self.expect(Tok::LParen)?;
            loop {
                // Keywords may be attributes (`const`); nothing at all may stand between commas.
                if self.at(Tok::Ident) || is_keyword(self.cur.symbol, self.cur.tok) {
                    attrs.push(self.attribute()?);
                }
                if !self.eat(Tok::Comma)? {
                    break;
                }
            }
            self.expect(Tok::RParen)?;
            self.expect(Tok::RParen)?;
        }
        Ok(())
    }

    fn attribute(&mut self) -> Fallible<Attribute> {
        let token = self.bump()?;
        let names = self.lexer.names();
        let written = names.name(token.symbol);
        let name = match written.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")).map(str::to_owned) {
            Some(plain) if plain.starts_with(|c: char| !c.is_ascii_digit()) => names.intern(&plain),
            _ => token.symbol,
        };
        let mut args = Vec::new();
        if self.eat(Tok::LParen)? {
            if !self.at(Tok::RParen) {
                args.push(self.attribute_arg()?);
                while self.eat(Tok::Comma)? {
                    args.push(self.attribute_arg()?);
                }
            }
            self.expect(Tok::RParen)?;
        }
        Ok(Attribute { span: token.span, name, args })
    }

    fn attribute_arg(&mut self) -> Fallible<AttrArg> {
        // A lone word is a word, whatever it names elsewhere: `mode(DI)`, `format(printf, ...)`.
        if self.at(Tok::Ident) && matches!(self.peek()?.tok, Tok::Comma | Tok::RParen) {
            let word = self.bump()?;
            return Ok(AttrArg::Expr(Expr { span: word.span, kind: ExprKind::Ident(word.symbol) }));
        }
        if self.starts_type(self.cur) {
            Ok(AttrArg::Type(self.type_name()?))
        } else {
            Ok(AttrArg::Expr(self.assignment()?))
        }
    }

    /// An `asm` statement or declaration, without its semicolon.
    pub(super) fn asm(&mut self) -> Fallible<Asm> {
        let span = self.expect(Tok::Asm)?.span;
        let (mut volatile, mut inline, mut goto) = (false, false, false);
        loop {
            match self.cur.tok {
                Tok::Volatile => volatile = true,
                Tok::Inline => inline = true,
                Tok::Goto => goto = true,
                Tok::Const => {}
                _ => break,
            }
            self.bump()?;
        }
        self.expect(Tok::LParen)?;
        let template = self.strings()?;
        let mut asm = Asm { span, volatile, inline, goto, template, outputs: vec![], inputs: vec![], clobbers: vec![], labels: vec![] };
        let mut section = 0;
        while self.at(Tok::Colon) {
            let colon = self.bump()?.span;
            section += 1;
            match section {
                1 => asm.outputs = self.asm_operands()?,
                2 => asm.inputs = self.asm_operands()?,
                3 => {
                    while self.at(Tok::Str) {
                        asm.clobbers.push(self.strings()?);
                        if !self.eat(Tok::Comma)? {
                            break;
                        }
                    }
                }
                4 => {
                    while self.at(Tok::Ident) {
                        asm.labels.push(self.ident("a label")?);
                        if !self.eat(Tok::Comma)? {
                            break;
                        }
                    }
                }
                _ => return Err(invalid(colon, "'asm' has at most four lists of operands")),
            }
        }
        self.expect(Tok::RParen)?;
        Ok(asm)
    }

    fn asm_operands(&mut self) -> Fallible<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        while matches!(self.cur.tok, Tok::Str | Tok::LBracket) {
            let span = self.cur.span;
            let name = if self.eat(Tok::LBracket)? {
                let name = self.ident("the name of an operand")?;
                self.expect(Tok::RBracket)?;
                Some(name)
            } else {
                None
            };
            let constraint = self.strings()?;
            self.expect(Tok::LParen)?;
            let expr = self.expr()?;
            self.expect(Tok::RParen)?;
            operands.push(AsmOperand { span, name, constraint, expr });
            if !self.eat(Tok::Comma)? {
                break;
            }
        }
        Ok(operands)
    }
}

fn is_keyword(symbol: Symbol, tok: Tok) -> bool {
    KEYWORDS.get(symbol.index()).is_some_and(|&(_, keyword)| keyword == tok)
}
