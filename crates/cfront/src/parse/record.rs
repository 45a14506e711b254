//! Structures, unions and enumerations (C11 6.7.2.1 and 6.7.2.2).

use super::Parser;
use crate::ast::{Declarator, EnumSpec, Enumerator, FieldDeclarator, FieldGroup, Member, Name, RecordKind, RecordSpec, Storage};
use crate::lex::token::Tok;
use crate::lex::{invalid, Fallible};

impl Parser<'_> {
    /// `struct` or `union`, from the keyword on.
    pub(super) fn record(&mut self) -> Fallible<RecordSpec> {
        let keyword = self.bump()?;
        let kind = if keyword.tok == Tok::Struct { RecordKind::Struct } else { RecordKind::Union };
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = self.tag()?;
        let mut record = RecordSpec { span: keyword.span, kind, tag, members: None, attrs, pack: None };
        if self.eat(Tok::LBrace)? {
            self.enter()?;
            record.members = Some(self.measured(|p| {
                let members = p.members()?;
                p.grow()?;
                Ok(members)
            })?);
            self.leave();
            let close = self.expect(Tok::RBrace)?;
            record.pack = (close.pack != 0).then_some(close.pack);
            self.attributes(&mut record.attrs)?;
        } else if record.tag.is_none() {
            return Err(self.unexpected("a tag or '{'"));
        }
        Ok(record)
    }

    fn tag(&mut self) -> Fallible<Option<Name>> {
        if self.at(Tok::Ident) {
            self.ident("a tag").map(Some)
        } else {
            Ok(None)
        }
    }

    fn members(&mut self) -> Fallible<Vec<Member>> {
        let mut members = Vec::new();
        while !self.at(Tok::RBrace) {
            match self.cur.tok {
                Tok::Semi => {
                    self.bump()?;
                }
                Tok::StaticAssert => members.push(Member::StaticAssert(self.static_assert()?)),
                _ => members.push(Member::Fields(self.fields()?)),
            }
        }
        Ok(members)
    }

    fn fields(&mut self) -> Fallible<FieldGroup> {
        let span = self.cur.span;
        while self.eat(Tok::Extension)? {}
        if !self.starts_type(self.cur) && !self.at(Tok::Attribute) {
            return Err(self.unexpected("the type of a member"));
        }
        let specs = self.specifiers(Vec::new())?;
        if specs.storage != Storage::None || specs.inline || specs.noreturn || specs.thread_local {
            return Err(invalid(span, "a member cannot have a storage class"));
        }
        let mut declarators = Vec::new();
        if !self.at(Tok::Semi) && !self.at(Tok::RBrace) {
            loop {
                declarators.push(self.field()?);
                if !self.eat(Tok::Comma)? {
                    break;
                }
            }
        }
        // gcc forgives a missing semicolon before the closing brace.
        if !self.at(Tok::RBrace) {
            self.expect(Tok::Semi)?;
        }
        Ok(FieldGroup { span, specs, declarators })
    }

    fn field(&mut self) -> Fallible<FieldDeclarator> {
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let mut declarator = if self.at(Tok::Colon) { Declarator::default() } else { self.declarator()? };
        let bits = if self.eat(Tok::Colon)? { Some(self.conditional()?) } else { None };
        self.attributes(&mut attrs)?;
        declarator.attrs.append(&mut attrs);
        Ok(FieldDeclarator { declarator, bits })
    }

    /// `enum`, from the keyword on.
    pub(super) fn enumeration(&mut self) -> Fallible<EnumSpec> {
        let span = self.bump()?.span;
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = self.tag()?;
        let mut spec = EnumSpec { span, tag, enumerators: None, attrs };
        if self.eat(Tok::LBrace)? {
            let mut enumerators = Vec::new();
            while !self.at(Tok::RBrace) {
                enumerators.push(self.enumerator()?);
                if !self.eat(Tok::Comma)? {
                    break;
                }
            }
            self.expect(Tok::RBrace)?;
            self.attributes(&mut spec.attrs)?;
            spec.enumerators = Some(enumerators);
        } else if spec.tag.is_none() {
            return Err(self.unexpected("a tag or '{'"));
        }
        Ok(spec)
    }

    fn enumerator(&mut self) -> Fallible<Enumerator> {
        let name = self.ident("the name of a constant")?;
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let value = if self.eat(Tok::Assign)? { Some(self.conditional()?) } else { None };
        self.scopes.declare(name.symbol, false);
        Ok(Enumerator { name, attrs, value })
    }
}
