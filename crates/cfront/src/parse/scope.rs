//! Which identifiers are typedef names, here and now (C11 6.2.1).

use crate::Symbol;

/// The innermost meaning of every identifier, with a log to undo what a scope declared.
#[derive(Default)]
pub(super) struct Scopes {
    is_typedef: Vec<bool>,
    log: Vec<(Symbol, bool)>,
    marks: Vec<usize>,
}

impl Scopes {
    /// Opens a scope.
    pub(super) fn push(&mut self) {
        self.marks.push(self.log.len());
    }

    /// Closes the innermost scope.
    pub(super) fn pop(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for (symbol, was_typedef) in self.log.drain(mark..).rev() {
            self.is_typedef[symbol.index()] = was_typedef;
        }
    }

    /// Whether a scope other than the file's is open.
    pub(super) fn is_nested(&self) -> bool {
        !self.marks.is_empty()
    }

    /// Gives `symbol` a meaning in the innermost scope.
    pub(super) fn declare(&mut self, symbol: Symbol, typedef: bool) {
        let index = symbol.index();
        if index >= self.is_typedef.len() {
            if !typedef {
                return;
            }
            self.is_typedef.resize(index + 1, false);
        }
        if self.is_typedef[index] != typedef {
            self.log.push((symbol, self.is_typedef[index]));
            self.is_typedef[index] = typedef;
        }
    }

    /// Whether `symbol` names a type.
    pub(super) fn is_typedef(&self, symbol: Symbol) -> bool {
        self.is_typedef.get(symbol.index()).copied().unwrap_or(false)
    }
}
