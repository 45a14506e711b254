//! The syntax tree as C text again.
//!
//! Every operator is parenthesised, so the text shows the structure of the tree; it has the meaning of the original (a
//! compiler makes the same code of both, see `examples/roundtrip.rs`). Line breaks follow statements; positions are not kept.

mod decl;
mod expr;
mod literal;
mod stmt;

use crate::ast::{Expr, ExternalDecl, Stmt, TranslationUnit};
use crate::{Interner, Symbol};

/// The text of a file.
pub fn unit(unit: &TranslationUnit, names: &Interner) -> String {
    let mut printer = Printer { out: String::new(), names, pack: None };
    for item in &unit.items {
        match item {
            ExternalDecl::Decl(decl) => printer.declaration(decl),
            ExternalDecl::Function(function) => printer.function(function),
            ExternalDecl::Asm(asm) => {
                printer.asm(asm);
                printer.put(";");
            }
            ExternalDecl::StaticAssert(assert) => printer.static_assert(assert),
        }
        printer.put("\n");
    }
    printer.out
}

/// The text of an expression.
pub fn expr(expr: &Expr, names: &Interner) -> String {
    let mut printer = Printer { out: String::new(), names, pack: None };
    printer.expr(expr);
    printer.out
}

/// The text of a statement.
pub fn stmt(stmt: &Stmt, names: &Interner) -> String {
    let mut printer = Printer { out: String::new(), names, pack: None };
    printer.stmt(stmt);
    printer.out
}

struct Printer<'a> {
    out: String,
    names: &'a Interner,
    /// The `#pragma pack` that the text so far leaves in force.
    pack: Option<u8>,
}

impl Printer<'_> {
    /// Adds `text`; closing punctuation clings to what is before it.
    fn put(&mut self, text: &str) {
        if text.starts_with([';', ',', ')', ':']) {
            self.out.truncate(self.out.trim_end_matches(' ').len());
        }
        self.out.push_str(text);
    }

    fn name(&mut self, symbol: Symbol) {
        self.out.push_str(self.names.name(symbol));
    }

    /// What `print` adds, taken out of the text again: declarators are built from the inside.
    fn captured(&mut self, print: impl FnOnce(&mut Self)) -> String {
        let start = self.out.len();
        print(self);
        self.out.split_off(start)
    }

    fn list<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.put(", ");
            }
            print(self, item);
        }
    }
}
