//! Names in scope inside functions; file scopes belong to the units.

use plumb_term::Term;
use rustc_hash::FxHashMap;

use super::place::LValue;
use super::Lowerer;
use crate::types::{EnumId, RecordId, Ty};
use crate::Symbol;

/// What an identifier stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    /// A variable or parameter of a function.
    Local(LValue),
    /// A variable with linkage, or a static local.
    Global(usize),
    /// A function.
    Func(usize),
    /// A type, with the alignment asked for.
    Typedef(Ty, Option<u64>),
    /// An enumeration constant.
    Const(Term, Ty),
}

/// What a tag stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

/// Block scopes with undo.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scopes {
    names: FxHashMap<Symbol, Vec<(u32, Entry)>>,
    tags: FxHashMap<Symbol, Vec<(u32, Tag)>>,
    undo: Vec<(Symbol, bool)>,
    marks: Vec<usize>,
}

impl Scopes {
    pub fn enter(&mut self) {
        self.marks.push(self.undo.len());
    }

    pub fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for (name, is_tag) in self.undo.drain(mark..) {
            if is_tag {
                self.tags.get_mut(&name).map(Vec::pop);
            } else {
                self.names.get_mut(&name).map(Vec::pop);
            }
        }
    }

    /// 0 at file scope.
    pub fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    pub fn bind(&mut self, name: Symbol, entry: Entry) {
        let depth = self.depth();
        self.names.entry(name).or_default().push((depth, entry));
        self.undo.push((name, false));
    }

    pub fn bind_tag(&mut self, name: Symbol, tag: Tag) {
        let depth = self.depth();
        self.tags.entry(name).or_default().push((depth, tag));
        self.undo.push((name, true));
    }

    pub fn name(&self, name: Symbol) -> Option<(u32, Entry)> {
        self.names.get(&name)?.last().copied()
    }

    pub fn tag(&self, name: Symbol) -> Option<(u32, Tag)> {
        self.tags.get(&name)?.last().copied()
    }
}

impl Lowerer<'_> {
    /// What `name` stands for here.
    pub(super) fn lookup(&self, name: Symbol) -> Option<Entry> {
        match self.scopes.name(name) {
            Some((_, entry)) => Some(entry),
            None => self.units[self.unit].names.get(&name).copied(),
        }
    }

    /// The tag `name`; only of the innermost scope if `here`.
    pub(super) fn lookup_tag(&self, name: Symbol, here: bool) -> Option<Tag> {
        match self.scopes.tag(name) {
            Some((depth, tag)) if !here || depth == self.scopes.depth() => Some(tag),
            None if !here || self.scopes.depth() == 0 => self.units[self.unit].tags.get(&name).copied(),
            _ => None,
        }
    }

    pub(super) fn bind(&mut self, name: Symbol, entry: Entry) {
        if self.scopes.depth() == 0 {
            self.units[self.unit].names.insert(name, entry);
        } else {
            self.scopes.bind(name, entry);
        }
    }

    pub(super) fn bind_tag(&mut self, name: Symbol, tag: Tag) {
        if self.scopes.depth() == 0 {
            self.units[self.unit].tags.insert(name, tag);
        } else {
            self.scopes.bind_tag(name, tag);
        }
    }
}
