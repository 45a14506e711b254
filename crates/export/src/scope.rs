//! Which C names mean which variables at a place of the source.
//!
//! Invariants and values are shown by the user's names, so a name may be used only where it denotes that very variable: its
//! block is open, and no inner declaration hides it. Blocks are found by scanning the text; where the text does not tell (a
//! declaration made by a macro), the answer is no.

use crate::scan::{Scanner, Token, TokenKind};
use crate::source::{Place, Sources};
use plumb_cfa::{FuncId, Object, Program, VarKind};
use plumb_term::{Span, VarId};
use std::collections::HashMap;

/// The blocks of one file.
#[derive(Debug, Default)]
struct Blocks {
    /// Byte ranges of `{…}`, in order of their start.
    braces: Vec<(usize, usize)>,
    /// Headers `for (…)`.
    headers: Vec<Header>,
    /// From each offset on, the innermost open brace.
    changes: Vec<(usize, Option<usize>)>,
}

#[derive(Debug)]
struct Header {
    /// The keyword.
    start: usize,
    open: usize,
    close: usize,
    /// Where the governed statement ends.
    end: usize,
}

impl Blocks {
    fn of(text: &[u8]) -> Blocks {
        let mut b = Blocks::default();
        let mut open: Vec<usize> = Vec::new();
        let mut keyword = None;
        let tokens: Vec<Token> = Scanner::new(text, 0).collect();
        for (i, t) in tokens.iter().enumerate() {
            match t.kind {
                TokenKind::Punct(b'{') => {
                    open.push(b.braces.len());
                    b.braces.push((t.start, text.len()));
                    b.changes.push((t.start, open.last().copied()));
                }
                TokenKind::Punct(b'}') => {
                    if let Some(k) = open.pop() {
                        b.braces[k].1 = t.start;
                    }
                    b.changes.push((t.start, open.last().copied()));
                }
                TokenKind::Punct(b'(') => {
                    if let Some((start, (close, end))) = keyword.zip(header(&tokens[i..])) {
                        b.headers.push(Header { start, open: t.start, close, end });
                    }
                }
                _ => {}
            }
            keyword = (t.kind == TokenKind::Ident && &text[t.start..t.end] == b"for").then_some(t.start);
        }
        b
    }

    /// The innermost block around an offset; all of the file where there is none.
    fn around(&self, offset: usize) -> (usize, usize) {
        // A variable of a `for` header lives from the keyword on, as far as its loop is concerned.
        let i = self.headers.partition_point(|h| h.open < offset);
        if let Some(h) = self.headers[..i].last().filter(|h| offset < h.close) {
            return (h.start, h.end);
        }
        let i = self.changes.partition_point(|c| c.0 <= offset);
        self.changes[..i].last().and_then(|c| c.1).map_or((0, usize::MAX), |k| self.braces[k])
    }
}

/// For tokens that start with the parenthesis of a `for` header: where that closes and where the governed statement ends.
fn header(tokens: &[Token]) -> Option<(usize, usize)> {
    let close = closing(tokens, b'(', b')')?;
    let body = &tokens[close + 1..];
    let mut parens = 0i64;
    for (i, t) in body.iter().enumerate() {
        match t.kind {
            TokenKind::Punct(b'(') => parens += 1,
            TokenKind::Punct(b')') => parens -= 1,
            TokenKind::Punct(b';') if parens == 0 => return Some((tokens[close].start, t.start)),
            TokenKind::Punct(b'{') => return closing(&body[i..], b'{', b'}').map(|k| (tokens[close].start, body[i + k].start)),
            _ => {}
        }
    }
    None
}

fn closing(tokens: &[Token], open: u8, close: u8) -> Option<usize> {
    let mut depth = 0usize;
    tokens.iter().position(|t| {
        match t.kind {
            TokenKind::Punct(b) if b == open => depth += 1,
            TokenKind::Punct(b) if b == close => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

/// A declaration of a name.
#[derive(Clone, Copy, Debug)]
struct Declaration {
    func: Option<FuncId>,
    span: Span,
}

/// The names of a program and the blocks of its files.
#[derive(Debug)]
pub struct Scopes<'a> {
    program: &'a Program,
    sources: &'a Sources,
    names: HashMap<&'a str, Vec<Declaration>>,
    blocks: Vec<Blocks>,
}

impl<'a> Scopes<'a> {
    /// Scans the sources.
    pub fn new(program: &'a Program, sources: &'a Sources) -> Scopes<'a> {
        let mut names: HashMap<&str, Vec<Declaration>> = HashMap::new();
        for v in program.vars.iter().filter(|v| v.kind == VarKind::Source) {
            names.entry(&v.name).or_default().push(Declaration { func: v.func, span: v.span });
        }
        for o in &program.objects {
            names.entry(&o.name).or_default().push(Declaration { func: o.func, span: o.span });
        }
        let blocks = sources.files().iter().map(|f| Blocks::of(&f.bytes)).collect();
        Scopes { program, sources, names, blocks }
    }

    /// The program the names belong to.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// The texts.
    pub fn sources(&self) -> &'a Sources {
        self.sources
    }

    /// The name of a variable, if it denotes it at `at` in `func`.
    pub fn var(&self, v: VarId, func: FuncId, at: Span) -> Option<&'a str> {
        let info = self.program.vars.get(v.0 as usize).filter(|i| i.kind == VarKind::Source)?;
        self.denotes(&info.name, Declaration { func: info.func, span: info.span }, func, at).then_some(info.name.as_str())
    }

    /// Whether an object's name denotes it at `at` in `func`.
    pub fn object(&self, o: &Object, func: FuncId, at: Span) -> bool {
        let is_name = o.name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !o.name.is_empty();
        is_name
            && !o.name.starts_with(|c: char| c.is_ascii_digit())
            && self.denotes(&o.name, Declaration { func: o.func, span: o.span }, func, at)
    }

    fn denotes(&self, name: &str, decl: Declaration, func: FuncId, at: Span) -> bool {
        let Some(place) = self.sources.place(&self.program.sources, at) else { return false };
        let Some(block) = self.block(decl, func, place) else { return false };
        // Of the visible declarations, the one in the smallest block counts; of two in one block, nothing is sure.
        let rivals = self.names.get(name).map_or(&[][..], Vec::as_slice);
        rivals.iter().filter(|r| r.span != decl.span).all(|r| match self.block(*r, func, place) {
            None => true,
            Some(other) => other.0 < block.0,
        })
    }

    /// The block of a declaration, if it is visible at `place` in `func`.
    fn block(&self, decl: Declaration, func: FuncId, place: Place) -> Option<(usize, usize)> {
        if decl.func.is_some_and(|f| f != func) {
            return None;
        }
        let at = self.sources.place(&self.program.sources, decl.span)?;
        if at.file != place.file {
            return decl.func.is_none().then_some((0, usize::MAX));
        }
        let mut block = self.blocks[at.file].around(at.offset);
        if block == (0, usize::MAX) && decl.func.is_some() {
            // A parameter: inner to every global.
            block = (1, usize::MAX);
        }
        (block.0 <= place.offset && place.offset < block.1).then_some(block)
    }
}
