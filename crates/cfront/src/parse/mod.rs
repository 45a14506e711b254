//! Recursive descent for C11 + GNU C.
//!
//! The grammar is C11 annex A with the extensions gcc documents; where they overlap, gcc's reading wins. Typedef names are
//! told from other identifiers by scope ([`scope`]). There is no error recovery: the first error ends the parse.
//!
//! **Bounds.** Input may nest as deep as it likes, the stack may not. The parser descends at most [`MAX_NESTING`] levels, and
//! builds no tree higher than [`MAX_HEIGHT`] (a chain `a + b + c ...` adds one level of height per operator without any
//! nesting); beyond either there is a located error. [`on_deep_stack`] gives a stack on which that depth is safe, for the
//! parser and for whoever recurses over its result.

mod attr;
mod decl;
mod declarator;
mod expr;
mod init;
mod primary;
mod record;
mod scope;
mod specs;
mod stmt;

use std::{io, mem, panic, thread};

use plumb_term::{SourceMap, Span};

use crate::ast::{Name, StrConst, TranslationUnit};
use crate::lex::splice::splice;
use crate::lex::token::{Tok, Token};
use crate::lex::{invalid, literal, Fallible, Lexer};
use crate::{Diagnostic, Interner, Symbol};
use scope::Scopes;

/// Levels of nesting (parentheses, blocks, declarators, ...) beyond which a program is refused.
pub const MAX_NESTING: u32 = 2_000;

/// Height beyond which a syntax tree is refused.
pub const MAX_HEIGHT: u32 = 10_000;

const STACK_BYTES: usize = 256 << 20;

/// Parses one source file, which the preprocessor has seen or does not need. `name` is the file's name until a line marker
/// gives another one.
pub fn parse(src: &[u8], name: &str, sources: &mut SourceMap, names: &mut Interner) -> Result<TranslationUnit, Diagnostic> {
    let start = Span { file: sources.intern(name), line: 1, col: 1 };
    let result = on_deep_stack(|| {
        let (text, joins) = splice(src);
        let lexer = Lexer::new(&text, &joins, name, sources, names)?;
        let before = Token { tok: Tok::Eof, pack: 0, span: start, symbol: Symbol(0), start: 0, end: 0 };
        let mut parser = Parser { lexer, cur: before, ahead: None, scopes: Scopes::default(), depth: 0, peak: 0 };
        parser.bump()?;
        parser.translation_unit()
    });
    match result {
        Ok(parsed) => parsed.map_err(|error| *error),
        Err(error) => Err(Diagnostic::unsupported(start, format!("no thread to parse in: {error}"))),
    }
}

/// Parses an expression that stands alone, with these names of types. The caller is on a deep stack.
pub(crate) fn expression(
    src: &[u8],
    name: &str,
    typedefs: &[Symbol],
    sources: &mut SourceMap,
    names: &mut Interner,
) -> Fallible<crate::ast::Expr> {
    let start = Span { file: sources.intern(name), line: 1, col: 1 };
    let (text, joins) = splice(src);
    let lexer = Lexer::new(&text, &joins, name, sources, names)?;
    let before = Token { tok: Tok::Eof, pack: 0, span: start, symbol: Symbol(0), start: 0, end: 0 };
    let mut parser = Parser { lexer, cur: before, ahead: None, scopes: Scopes::default(), depth: 0, peak: 0 };
    typedefs.iter().for_each(|t| parser.scopes.declare(*t, true));
    parser.bump()?;
    let e = parser.expr()?;
    match parser.at(Tok::Eof) {
        true => Ok(e),
        false => Err(parser.unexpected("the end of the expression")),
    }
}

/// Runs `work` on a stack large enough to recurse over any tree [`parse`] returns, with up to 25 kB per level. The memory
/// is reserved, not used, until the depth is there.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        Ok(worker.join().unwrap_or_else(|payload| panic::resume_unwind(payload)))
    })
}

/// The state of a parse: two tokens of the input, the names in scope, and the bounds used up.
struct Parser<'a> {
    lexer: Lexer<'a>,
    cur: Token,
    ahead: Option<Token>,
    scopes: Scopes,
    /// Levels of nesting around the current token.
    depth: u32,
    /// Height of the highest tree built since it was last reset; see [`Parser::measured`].
    peak: u32,
}

impl Parser<'_> {
    /// Moves to the next token and returns the one left behind.
    fn bump(&mut self) -> Fallible<Token> {
        let next = match self.ahead.take() {
            Some(token) => token,
            None => self.next_token()?,
        };
        Ok(mem::replace(&mut self.cur, next))
    }

    /// The token after the current one.
    fn peek(&mut self) -> Fallible<Token> {
        if let Some(token) = self.ahead {
            return Ok(token);
        }
        let token = self.next_token()?;
        self.ahead = Some(token);
        Ok(token)
    }

    /// The next token of the file, after `_Pragma("...")` operators.
    fn next_token(&mut self) -> Fallible<Token> {
        loop {
            let token = self.lexer.next()?;
            if token.tok != Tok::PragmaOp {
                return Ok(token);
            }
            let [open, text, close] = [self.lexer.next()?, self.lexer.next()?, self.lexer.next()?];
            if [open.tok, text.tok, close.tok] != [Tok::LParen, Tok::Str, Tok::RParen] {
                return Err(invalid(token.span, "'_Pragma' needs a string in parentheses"));
            }
            let text = literal::string(&[(self.lexer.slice(text), text.span)])?;
            self.lexer.pragma(&text.bytes, token.span)?;
        }
    }

    fn at(&self, tok: Tok) -> bool {
        self.cur.tok == tok
    }

    fn eat(&mut self, tok: Tok) -> Fallible<bool> {
        let found = self.at(tok);
        if found {
            self.bump()?;
        }
        Ok(found)
    }

    fn expect(&mut self, tok: Tok) -> Fallible<Token> {
        if self.at(tok) {
            self.bump()
        } else {
            Err(self.unexpected(&format!("'{}'", tok.text())))
        }
    }

    fn ident(&mut self, what: &str) -> Fallible<Name> {
        if self.at(Tok::Ident) {
            let token = self.bump()?;
            Ok(Name { symbol: token.symbol, span: token.span })
        } else {
            Err(self.unexpected(what))
        }
    }

    /// One or more adjacent string literals.
    fn strings(&mut self) -> Fallible<StrConst> {
        let first = self.expect(Tok::Str)?;
        if !self.at(Tok::Str) {
            return literal::string(&[(self.lexer.slice(first), first.span)]);
        }
        let mut pieces = vec![(self.lexer.slice(first), first.span)];
        while self.at(Tok::Str) {
            let piece = self.bump()?;
            pieces.push((self.lexer.slice(piece), piece.span));
        }
        literal::string(&pieces)
    }

    /// The error that the current token is not what the grammar wants here.
    fn unexpected(&mut self, wanted: &str) -> Box<Diagnostic> {
        let found = match self.cur.tok {
            Tok::Eof => "the end of the file".to_owned(),
            Tok::Str => "a string literal".to_owned(),
            _ => format!("'{}'", String::from_utf8_lossy(self.lexer.slice(self.cur))),
        };
        invalid(self.cur.span, format!("expected {wanted} before {found}"))
    }

    /// One level deeper; each success is paired with [`Parser::leave`] (not after errors, which end the parse).
    fn enter(&mut self) -> Fallible<()> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            return Err(Box::new(Diagnostic::unsupported(self.cur.span, format!("nesting of more than {MAX_NESTING} levels"))));
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Runs `build`, within which `peak` starts at 0 and is the height of the highest tree among the siblings built so far.
    fn measured<T>(&mut self, build: impl FnOnce(&mut Self) -> Fallible<T>) -> Fallible<T> {
        let outer = mem::replace(&mut self.peak, 0);
        let built = build(self)?;
        self.peak = self.peak.max(outer);
        Ok(built)
    }

    /// Accounts for a new node above all trees since the last reset of `peak`.
    fn grow(&mut self) -> Fallible<()> {
        self.peak += 1;
        if self.peak > MAX_HEIGHT {
            let message = format!("a construct of more than {MAX_HEIGHT} chained parts");
            return Err(Box::new(Diagnostic::unsupported(self.cur.span, message)));
        }
        Ok(())
    }
}
