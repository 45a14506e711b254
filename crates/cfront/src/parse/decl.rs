//! Declarations and function definitions (C11 6.7 and 6.9).

use plumb_term::Span;

use super::Parser;
use crate::ast::{
    Attribute, DeclSpecs, Declaration, Declarator, Derived, ExternalDecl, FunctionDef, InitDeclarator, Name, Params, Quals, StaticAssert,
    Storage, TranslationUnit, TypeSpec,
};
use crate::lex::token::Tok;
use crate::lex::{invalid, Fallible};
use crate::Diagnostic;

/// Whether a declaration has neither declarators nor specifiers.
fn says_nothing(decl: &Declaration) -> bool {
    let DeclSpecs { storage, thread_local, inline, noreturn, quals, align, attrs, ty, .. } = &decl.specs;
    let no_words = *storage == Storage::None && !thread_local && !inline && !noreturn && *quals == Quals::default();
    decl.declarators.is_empty() && no_words && align.is_empty() && attrs.is_empty() && matches!(ty, TypeSpec::ImplicitInt)
}

impl Parser<'_> {
    /// The whole file.
    pub(super) fn translation_unit(mut self) -> Fallible<TranslationUnit> {
        let mut items = Vec::new();
        while !self.at(Tok::Eof) {
            match self.cur.tok {
                Tok::Semi | Tok::Extension => {
                    self.bump()?;
                }
                Tok::Asm => {
                    let asm = self.asm()?;
                    self.eat(Tok::Semi)?;
                    items.push(ExternalDecl::Asm(Box::new(asm)));
                }
                Tok::StaticAssert => items.push(ExternalDecl::StaticAssert(self.static_assert()?)),
                _ => {
                    self.peak = 0;
                    let item = self.external()?;
                    // `__attribute__(());` says nothing at all.
                    if !matches!(&item, ExternalDecl::Decl(decl) if says_nothing(decl)) {
                        items.push(item);
                    }
                }
            }
        }
        Ok(TranslationUnit { items, system: std::mem::take(&mut self.lexer.system) })
    }

    /// A declaration or function definition at file scope.
    fn external(&mut self) -> Fallible<ExternalDecl> {
        let span = self.cur.span;
        let specs = self.specifiers(Vec::new())?;
        if self.eat(Tok::Semi)? {
            return Ok(ExternalDecl::Decl(Declaration { span, specs, declarators: Vec::new() }));
        }
        if !matches!(self.cur.tok, Tok::Ident | Tok::Star | Tok::LParen) {
            let wanted = if matches!(specs.ty, TypeSpec::ImplicitInt) { "a declaration" } else { "a name or ';'" };
            return Err(self.unexpected(wanted));
        }
        let first = self.declared(&specs)?;
        if self.at(Tok::Ident) && matches!(specs.ty, TypeSpec::ImplicitInt) && first.derived.is_empty() {
            if let Some(name) = first.name {
                return Err(self.unknown_type(name));
            }
        }
        let is_function = matches!(first.derived.last(), Some(Derived::Function { .. })) && specs.storage != Storage::Typedef;
        let is_old = self.starts_declaration(self.cur) || self.at(Tok::Extension);
        if is_function && (self.at(Tok::LBrace) || is_old) {
            return self.function(span, specs, first);
        }
        self.rest_of_declaration(span, specs, first).map(ExternalDecl::Decl)
    }

    /// The parameter declarations and body of a function.
    fn function(&mut self, span: Span, specs: DeclSpecs, declarator: Declarator) -> Fallible<ExternalDecl> {
        self.scopes.push();
        if let Some(Derived::Function { params, .. }) = declarator.derived.last() {
            match params {
                Params::Prototype { params, .. } => {
                    params.iter().filter_map(|param| param.declarator.name).for_each(|name| self.scopes.declare(name.symbol, false));
                }
                Params::Names(names) => names.iter().for_each(|name| self.scopes.declare(name.symbol, false)),
                Params::Unspecified => {}
            }
        }
        let mut old_params = Vec::new();
        while !self.at(Tok::LBrace) {
            while self.eat(Tok::Extension)? {}
            if !self.starts_declaration(self.cur) {
                return Err(self.unexpected("'{'"));
            }
            old_params.push(self.declaration(Vec::new())?);
        }
        let body = self.block()?;
        self.scopes.pop();
        Ok(ExternalDecl::Function(Box::new(FunctionDef { span, specs, declarator, old_params, body })))
    }

    /// A declaration within a function, with its semicolon; `attrs` have been read.
    pub(super) fn declaration(&mut self, attrs: Vec<Attribute>) -> Fallible<Declaration> {
        self.measured(|p| {
            let span = attrs.first().map_or(p.cur.span, |attr| attr.span);
            let specs = p.specifiers(attrs)?;
            if p.eat(Tok::Semi)? {
                return Ok(Declaration { span, specs, declarators: Vec::new() });
            }
            let first = p.declared(&specs)?;
            if p.at(Tok::LBrace) && p.scopes.is_nested() && matches!(first.derived.last(), Some(Derived::Function { .. })) {
                return Err(Box::new(Diagnostic::unsupported(span, "a function within a function")));
            }
            p.rest_of_declaration(span, specs, first)
        })
    }

    /// A declarator with its label and attributes; its name is in scope from here on.
    fn declared(&mut self, specs: &DeclSpecs) -> Fallible<Declarator> {
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let mut declarator = self.declarator()?;
        loop {
            match self.cur.tok {
                Tok::Asm => {
                    let asm = self.asm()?;
                    let is_label = asm.outputs.is_empty() && asm.inputs.is_empty() && asm.clobbers.is_empty() && asm.labels.is_empty();
                    if !is_label || declarator.asm_label.is_some() {
                        return Err(invalid(asm.span, "the assembler name of a declaration is one string"));
                    }
                    declarator.asm_label = Some(asm.template);
                }
                Tok::Attribute => self.attributes(&mut attrs)?,
                _ => break,
            }
        }
        declarator.attrs.append(&mut attrs);
        if let Some(name) = declarator.name {
            self.scopes.declare(name.symbol, specs.storage == Storage::Typedef);
        }
        Ok(declarator)
    }

    /// Initialisers and further declarators after the first one, with the semicolon.
    fn rest_of_declaration(&mut self, span: Span, specs: DeclSpecs, first: Declarator) -> Fallible<Declaration> {
        let mut declarators = Vec::new();
        let mut next = Some(first);
        while let Some(declarator) = next.take() {
            let init = if self.eat(Tok::Assign)? { Some(self.init()?) } else { None };
            declarators.push(InitDeclarator { declarator, init });
            if self.eat(Tok::Comma)? {
                next = Some(self.declared(&specs)?);
            }
        }
        if !self.at(Tok::Semi) {
            return Err(self.unexpected("',' or ';'"));
        }
        self.bump()?;
        Ok(Declaration { span, specs, declarators })
    }

    /// `_Static_assert(...);`
    pub(super) fn static_assert(&mut self) -> Fallible<StaticAssert> {
        let span = self.expect(Tok::StaticAssert)?.span;
        self.expect(Tok::LParen)?;
        let cond = self.conditional()?;
        let message = if self.eat(Tok::Comma)? { Some(self.strings()?) } else { None };
        self.expect(Tok::RParen)?;
        self.expect(Tok::Semi)?;
        Ok(StaticAssert { span, cond, message })
    }

    /// The error that `name` stands where only a type could.
    pub(super) fn unknown_type(&mut self, name: Name) -> Box<Diagnostic> {
        let text = self.lexer.names().name(name.symbol).to_owned();
        invalid(name.span, format!("'{text}' is not a known type"))
    }
}
