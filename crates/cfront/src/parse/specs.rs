//! Declaration specifiers (C11 6.7.1 to 6.7.5) and type names.

use plumb_term::Span;

use super::Parser;
use crate::ast::{AlignAs, Attribute, BuiltinType, DeclSpecs, Derived, Name, Quals, Storage, TypeName, TypeSpec};
use crate::lex::token::{Tok, Token};
use crate::lex::{invalid, Fallible};

/// Type keywords seen so far; they may come in any order.
#[derive(Default)]
struct Words {
    any: bool,
    short: bool,
    long: u8,
    signed: bool,
    unsigned: bool,
    int: bool,
    complex: bool,
    /// `char`, `double`, `void`, ...: at most one.
    base: Option<BuiltinType>,
}

impl Parser<'_> {
    /// Whether `token` can start a type name.
    pub(super) fn starts_type(&self, token: Token) -> bool {
        match token.tok {
            Tok::Ident => self.scopes.is_typedef(token.symbol),
            Tok::Struct | Tok::Union | Tok::Enum | Tok::Typeof | Tok::AutoType | Tok::Alignas => true,
            Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => true,
            tok => is_type_word(tok),
        }
    }

    /// Whether `token` can start a declaration (attributes and `__extension__` aside).
    pub(super) fn starts_declaration(&self, token: Token) -> bool {
        match token.tok {
            Tok::Typedef | Tok::Extern | Tok::Static | Tok::Auto | Tok::Register | Tok::ThreadLocal => true,
            Tok::Inline | Tok::Noreturn => true,
            _ => self.starts_type(token),
        }
    }

    /// A type name, as in casts.
    pub(super) fn type_name(&mut self) -> Fallible<TypeName> {
        self.enter()?;
        let name = self.measured(|p| {
            let span = p.cur.span;
            while p.eat(Tok::Extension)? {}
            if !p.starts_type(p.cur) && !p.at(Tok::Attribute) {
                return Err(p.unexpected("a type"));
            }
            let specs = p.specifiers(Vec::new())?;
            if specs.storage != Storage::None || specs.inline || specs.noreturn || specs.thread_local {
                return Err(invalid(span, "a type name cannot have a storage class"));
            }
            let mut derived: Vec<Derived> = Vec::new();
            p.abstract_declarator(&mut derived)?;
            p.grow()?;
            Ok(TypeName { span, specs, derived })
        })?;
        self.leave();
        Ok(name)
    }

    /// Declaration specifiers; `attrs` have been read before them. Nothing at all is an implicit `int`.
    pub(super) fn specifiers(&mut self, attrs: Vec<Attribute>) -> Fallible<DeclSpecs> {
        let span = attrs.first().map_or(self.cur.span, |attr| attr.span);
        let mut specs = DeclSpecs {
            span,
            storage: Storage::None,
            thread_local: false,
            inline: false,
            noreturn: false,
            quals: Quals::default(),
            align: Vec::new(),
            attrs,
            ty: TypeSpec::ImplicitInt,
        };
        let mut words = Words::default();
        let mut named: Option<TypeSpec> = None;
        loop {
            let tok = self.cur.tok;
            let at = self.cur.span;
            let has_type = words.any || named.is_some();
            match tok {
                Tok::Typedef => self.storage(&mut specs, Storage::Typedef)?,
                Tok::Extern => self.storage(&mut specs, Storage::Extern)?,
                Tok::Static => self.storage(&mut specs, Storage::Static)?,
                Tok::Auto => self.storage(&mut specs, Storage::Auto)?,
                Tok::Register => self.storage(&mut specs, Storage::Register)?,
                Tok::ThreadLocal => {
                    self.bump()?;
                    specs.thread_local = true;
                }
                Tok::Inline => {
                    self.bump()?;
                    specs.inline = true;
                }
                Tok::Noreturn => {
                    self.bump()?;
                    specs.noreturn = true;
                }
                Tok::Extension => {
                    self.bump()?;
                }
                Tok::Attribute => self.attributes(&mut specs.attrs)?,
                Tok::Alignas => specs.align.push(self.align_as()?),
                Tok::Atomic if self.peek()?.tok == Tok::LParen => {
                    self.bump()?;
                    self.bump()?;
                    let ty = Box::new(self.type_name()?);
                    self.expect(Tok::RParen)?;
                    take_type(&mut named, has_type, TypeSpec::Atomic(ty), at)?;
                }
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => self.qualifier(&mut specs.quals)?,
                Tok::Struct | Tok::Union => {
                    let record = self.record()?;
                    take_type(&mut named, has_type, TypeSpec::Record(Box::new(record)), at)?;
                }
                Tok::Enum => {
                    let spec = self.enumeration()?;
                    take_type(&mut named, has_type, TypeSpec::Enum(Box::new(spec)), at)?;
                }
                Tok::Typeof => {
                    let ty = self.type_of()?;
                    take_type(&mut named, has_type, ty, at)?;
                }
                Tok::AutoType => {
                    self.bump()?;
                    take_type(&mut named, has_type, TypeSpec::AutoType, at)?;
                }
                Tok::Ident if !has_type && self.scopes.is_typedef(self.cur.symbol) => {
                    let token = self.bump()?;
                    named = Some(TypeSpec::Typedef(Name { symbol: token.symbol, span: token.span }));
                }
                tok if is_type_word(tok) => {
                    if named.is_some() {
                        return Err(two_types(at));
                    }
                    words.add(tok, at)?;
                    self.bump()?;
                }
                _ => break,
            }
        }
        specs.ty = match named {
            Some(ty) => ty,
            None => words.finish(span)?,
        };
        Ok(specs)
    }

    fn storage(&mut self, specs: &mut DeclSpecs, storage: Storage) -> Fallible<()> {
        let span = self.bump()?.span;
        if specs.storage != Storage::None && specs.storage != storage {
            return Err(invalid(span, "two storage classes in one declaration"));
        }
        specs.storage = storage;
        Ok(())
    }

    /// One qualifier, added to `quals`; the current token is one.
    pub(super) fn qualifier(&mut self, quals: &mut Quals) -> Fallible<()> {
        match self.bump()?.tok {
            Tok::Const => quals.is_const = true,
            Tok::Volatile => quals.is_volatile = true,
            Tok::Restrict => quals.is_restrict = true,
            _ => quals.is_atomic = true,
        }
        Ok(())
    }

    fn align_as(&mut self) -> Fallible<AlignAs> {
        self.bump()?;
        self.expect(Tok::LParen)?;
        let align = if self.starts_type(self.cur) {
            AlignAs::Type(Box::new(self.type_name()?))
        } else {
            AlignAs::Expr(Box::new(self.conditional()?))
        };
        self.expect(Tok::RParen)?;
        Ok(align)
    }

    fn type_of(&mut self) -> Fallible<TypeSpec> {
        self.bump()?;
        self.expect(Tok::LParen)?;
        // `__extension__` may precede either operand.
        while self.eat(Tok::Extension)? {}
        let ty = if self.starts_type(self.cur) {
            TypeSpec::TypeofType(Box::new(self.type_name()?))
        } else {
            TypeSpec::TypeofExpr(Box::new(self.expr()?))
        };
        self.expect(Tok::RParen)?;
        Ok(ty)
    }
}

fn take_type(named: &mut Option<TypeSpec>, has_type: bool, ty: TypeSpec, span: Span) -> Fallible<()> {
    if has_type {
        return Err(two_types(span));
    }
    *named = Some(ty);
    Ok(())
}

fn two_types(span: Span) -> Box<crate::Diagnostic> {
    invalid(span, "two types in one declaration")
}

fn is_type_word(tok: Tok) -> bool {
    matches!(tok, Tok::Short | Tok::Int | Tok::Long | Tok::Signed | Tok::Unsigned | Tok::Complex) || base_word(tok).is_some()
}

fn base_word(tok: Tok) -> Option<BuiltinType> {
    Some(match tok {
        Tok::Void => BuiltinType::Void,
        Tok::Bool => BuiltinType::Bool,
        Tok::CharKw => BuiltinType::Char,
        Tok::Float => BuiltinType::Float,
        Tok::Double => BuiltinType::Double,
        Tok::Int128 | Tok::Int128T => BuiltinType::Int128,
        Tok::UnsignedInt128T => BuiltinType::UnsignedInt128,
        Tok::VaList => BuiltinType::VaList,
        Tok::Float16 => BuiltinType::Float16,
        Tok::Float32 => BuiltinType::Float32,
        Tok::Float64 => BuiltinType::Float64,
        Tok::Float128 => BuiltinType::Float128,
        Tok::Float32x => BuiltinType::Float32x,
        Tok::Float64x => BuiltinType::Float64x,
        Tok::Float80 => BuiltinType::Float80,
        Tok::Decimal32 => BuiltinType::Decimal32,
        Tok::Decimal64 => BuiltinType::Decimal64,
        Tok::Decimal128 => BuiltinType::Decimal128,
        _ => return None,
    })
}

impl Words {
    fn add(&mut self, tok: Tok, span: Span) -> Fallible<()> {
        let repeated = match tok {
            Tok::Short => std::mem::replace(&mut self.short, true),
            Tok::Int => std::mem::replace(&mut self.int, true),
            Tok::Signed => std::mem::replace(&mut self.signed, true),
            Tok::Unsigned => std::mem::replace(&mut self.unsigned, true),
            Tok::Complex => std::mem::replace(&mut self.complex, true),
            Tok::Long => {
                self.long += 1;
                self.long > 2
            }
            _ => std::mem::replace(&mut self.base, base_word(tok)).is_some(),
        };
        self.any = true;
        if repeated {
            return Err(invalid(span, format!("'{}' does not combine with the type before it", tok.text())));
        }
        Ok(())
    }

    /// The type that the keywords name together (C11 6.7.2, constraint 2).
    fn finish(self, span: Span) -> Fallible<TypeSpec> {
        if !self.any {
            return Ok(TypeSpec::ImplicitInt);
        }
        let Words { short, long, signed, unsigned, int, complex, base, .. } = self;
        let sign = (signed, unsigned);
        let plain = !int && !short;
        let ty = match (base, sign) {
            (_, (true, true)) => None,
            (None, _) if short && long > 0 => None,
            (None, _) if complex && !short && !int && long == 0 && sign == (false, false) => Some(BuiltinType::Double),
            (None, (_, unsigned)) => Some(match (short, long, unsigned) {
                (true, _, false) => BuiltinType::Short,
                (true, _, true) => BuiltinType::UnsignedShort,
                (false, 0, false) => BuiltinType::Int,
                (false, 0, true) => BuiltinType::UnsignedInt,
                (false, 1, false) => BuiltinType::Long,
                (false, 1, true) => BuiltinType::UnsignedLong,
                (false, _, false) => BuiltinType::LongLong,
                (false, _, true) => BuiltinType::UnsignedLongLong,
            }),
            (Some(BuiltinType::Double), (false, false)) if plain && long == 1 => Some(BuiltinType::LongDouble),
            (Some(_), _) if !plain || long > 0 => None,
            (Some(BuiltinType::Char), (true, false)) => Some(BuiltinType::SignedChar),
            (Some(BuiltinType::Char), (false, true)) => Some(BuiltinType::UnsignedChar),
            (Some(BuiltinType::Int128), (true, false)) => Some(BuiltinType::Int128),
            (Some(BuiltinType::Int128), (false, true)) => Some(BuiltinType::UnsignedInt128),
            (Some(base), (false, false)) => Some(base),
            _ => None,
        };
        let no_complex = matches!(ty, Some(BuiltinType::Void | BuiltinType::Bool | BuiltinType::VaList));
        match ty {
            Some(ty) if !complex => Ok(TypeSpec::Builtin(ty)),
            Some(ty) if !no_complex => Ok(TypeSpec::Complex(ty)),
            _ => Err(invalid(span, "these type specifiers do not combine")),
        }
    }
}
