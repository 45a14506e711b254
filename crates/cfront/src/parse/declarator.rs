//! Declarators (C11 6.7.6 and 6.7.7): from inside-out syntax to a list of derivations.

use super::Parser;
use crate::ast::{ArraySize, BuiltinType, Declarator, Derived, Name, Param, Params, Quals, Storage, TypeSpec};
use crate::lex::token::Tok;
use crate::lex::Fallible;

/// Whether a declarator names something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Required,
    /// As for parameters.
    Optional,
    /// As in type names.
    Forbidden,
}

impl Parser<'_> {
    /// A declarator with a name.
    pub(super) fn declarator(&mut self) -> Fallible<Declarator> {
        self.any_declarator(Naming::Required)
    }

    /// The derivations of a type name, added to `derived`.
    pub(super) fn abstract_declarator(&mut self, derived: &mut Vec<Derived>) -> Fallible<()> {
        if matches!(self.cur.tok, Tok::Star | Tok::LParen | Tok::LBracket) {
            derived.append(&mut self.any_declarator(Naming::Forbidden)?.derived);
        }
        Ok(())
    }

    fn any_declarator(&mut self, naming: Naming) -> Fallible<Declarator> {
        self.measured(|p| {
            let mut declarator = Declarator::default();
            p.derive(naming, &mut declarator)?;
            Ok(declarator)
        })
    }

    /// Adds the derivations that stand here to `out`: pointers bind weakest and so apply first, then the suffixes from
    /// right to left, then what is in parentheses.
    fn derive(&mut self, naming: Naming, out: &mut Declarator) -> Fallible<()> {
        while self.at(Tok::Star) {
            let pointer = self.pointer()?;
            out.derived.push(pointer);
        }
        let mut inner = Vec::new();
        let tok = self.cur.tok;
        match tok {
            Tok::Ident if naming != Naming::Forbidden => out.name = Some(self.ident("a name")?),
            Tok::LParen if naming == Naming::Required || !self.parameters_follow()? => {
                self.enter()?;
                self.bump()?;
                self.attributes(&mut out.attrs)?;
                let mut nested = Declarator::default();
                self.derive(naming, &mut nested)?;
                self.expect(Tok::RParen)?;
                self.leave();
                out.name = nested.name;
                out.attrs.append(&mut nested.attrs);
                inner = nested.derived;
            }
            _ if naming == Naming::Required => return Err(self.unexpected("a name")),
            _ => {}
        }
        let first = out.derived.len();
        loop {
            let suffix = match self.cur.tok {
                Tok::LBracket => self.array_suffix()?,
                Tok::LParen => self.function_suffix()?,
                _ => break,
            };
            self.grow()?;
            out.derived.push(suffix);
        }
        out.derived[first..].reverse();
        out.derived.append(&mut inner);
        Ok(())
    }

    /// Whether `(` here opens the parameters of a nameless function rather than a parenthesised declarator.
    fn parameters_follow(&mut self) -> Fallible<bool> {
        let next = self.peek()?;
        Ok(matches!(next.tok, Tok::RParen | Tok::Ellipsis) || self.starts_declaration(next))
    }

    fn pointer(&mut self) -> Fallible<Derived> {
        let span = self.expect(Tok::Star)?.span;
        let mut quals = Quals::default();
        let mut attrs = Vec::new();
        loop {
            match self.cur.tok {
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => self.qualifier(&mut quals)?,
                Tok::Attribute => self.attributes(&mut attrs)?,
                _ => break,
            }
        }
        self.grow()?;
        Ok(Derived::Pointer { span, quals, attrs })
    }

    fn array_suffix(&mut self) -> Fallible<Derived> {
        let span = self.expect(Tok::LBracket)?.span;
        let mut quals = Quals::default();
        let mut is_static = false;
        loop {
            match self.cur.tok {
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => self.qualifier(&mut quals)?,
                Tok::Static => {
                    self.bump()?;
                    is_static = true;
                }
                _ => break,
            }
        }
        let tok = self.cur.tok;
        let size = match tok {
            Tok::RBracket => ArraySize::Unspecified,
            Tok::Star if self.peek()?.tok == Tok::RBracket => {
                self.bump()?;
                ArraySize::Star
            }
            _ => ArraySize::Expr(Box::new(self.expr()?)),
        };
        self.expect(Tok::RBracket)?;
        Ok(Derived::Array { span, quals, is_static, size })
    }

    fn function_suffix(&mut self) -> Fallible<Derived> {
        self.enter()?;
        let span = self.expect(Tok::LParen)?.span;
        self.scopes.push();
        let params = match self.cur.tok {
            Tok::RParen => Params::Unspecified,
            Tok::Ident if !self.scopes.is_typedef(self.cur.symbol) => self.name_list()?,
            _ => self.prototype()?,
        };
        self.scopes.pop();
        let rparen = self.expect(Tok::RParen)?.span;
        self.leave();
        Ok(Derived::Function { span, params, rparen })
    }

    /// The parameters of an old-style function.
    fn name_list(&mut self) -> Fallible<Params> {
        let mut names: Vec<Name> = Vec::new();
        loop {
            let name = self.ident("the name of a parameter")?;
            if !matches!(self.cur.tok, Tok::Comma | Tok::RParen) {
                return Err(self.unknown_type(name));
            }
            names.push(name);
            if !self.eat(Tok::Comma)? {
                return Ok(Params::Names(names));
            }
        }
    }

    fn prototype(&mut self) -> Fallible<Params> {
        let mut params = Vec::new();
        loop {
            if self.eat(Tok::Ellipsis)? {
                return Ok(Params::Prototype { params, variadic: true });
            }
            params.push(self.param()?);
            if !self.eat(Tok::Comma)? {
                break;
            }
        }
        if let [only] = params.as_slice() {
            let is_void = matches!(only.specs.ty, TypeSpec::Builtin(BuiltinType::Void));
            if is_void && only.declarator.name.is_none() && only.declarator.derived.is_empty() && only.specs.storage == Storage::None {
                params.clear();
            }
        }
        Ok(Params::Prototype { params, variadic: false })
    }

    fn param(&mut self) -> Fallible<Param> {
        let span = self.cur.span;
        while self.eat(Tok::Extension)? {}
        if !self.starts_declaration(self.cur) && !self.at(Tok::Attribute) {
            if self.at(Tok::Ident) {
                let name = self.ident("a type")?;
                return Err(self.unknown_type(name));
            }
            return Err(self.unexpected("a parameter"));
        }
        let specs = self.specifiers(Vec::new())?;
        let mut declarator = self.any_declarator(Naming::Optional)?;
        if let Some(name) = declarator.name {
            self.scopes.declare(name.symbol, false);
        }
        self.attributes(&mut declarator.attrs)?;
        Ok(Param { span, specs, declarator })
    }
}
