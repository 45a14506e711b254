//! Parsing and printing snippets.
#![allow(dead_code)] // Each test program uses its own part.

use plumb_cfront::ast::{BlockItem, ExternalDecl, FunctionDef, TranslationUnit};
use plumb_cfront::{parse, print, Diagnostic, Interner};
use plumb_term::SourceMap;

/// A parsed snippet with its names.
pub struct Parsed {
    pub unit: TranslationUnit,
    pub names: Interner,
    pub sources: SourceMap,
}

impl Parsed {
    /// The only or last function.
    pub fn function(&self) -> &FunctionDef {
        let mut functions = self.unit.items.iter().rev().filter_map(|item| match item {
            ExternalDecl::Function(function) => Some(&**function),
            _ => None,
        });
        functions.next().expect("a function")
    }
}

pub fn try_parse(text: &[u8]) -> Result<Parsed, (Diagnostic, SourceMap)> {
    let (mut sources, mut names) = (SourceMap::new(), Interner::new());
    match parse(text, "t.c", &mut sources, &mut names) {
        Ok(unit) => Ok(Parsed { unit, names, sources }),
        Err(error) => Err((error, sources)),
    }
}

pub fn parsed(text: &str) -> Parsed {
    try_parse(text.as_bytes()).unwrap_or_else(|(error, sources)| panic!("{}\nin: {text}", error.show(&sources)))
}

/// The error of a snippet, as a user sees it.
pub fn error(text: &str) -> String {
    match try_parse(text.as_bytes()) {
        Ok(_) => panic!("accepted: {text}"),
        Err((error, sources)) => error.show(&sources).to_string(),
    }
}

/// The print of declarations, in one line.
pub fn decl(text: &str) -> String {
    let parsed = parsed(text);
    one_line(&print::unit(&parsed.unit, &parsed.names))
}

/// The print of the last statement of a function body, in one line.
pub fn stmt(text: &str) -> String {
    let parsed = parsed(&format!("typedef int T; void f(int a, int b, int c) {{ {text} }}"));
    match parsed.function().body.items.last() {
        Some(BlockItem::Stmt(stmt)) => one_line(&print::stmt(stmt, &parsed.names)),
        other => panic!("not a statement: {other:?}"),
    }
}

/// The print of an expression.
pub fn expr(text: &str) -> String {
    let text = stmt(&format!("{text};"));
    text.strip_suffix(';').expect("an expression statement").to_owned()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
