//! Linking: names with linkage across units, what is reachable from `main`, which functions are recursive.

use plumb_cfa::FuncId;
use plumb_term::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::effects::Manner;
use super::place::LValue;
use super::scan::{self, DeclKey, Mentions, Scan};
use super::scope::{Entry, Tag};
use super::Lowerer;
use crate::ast::*;
use crate::lex::Fallible;
use crate::pointsto::Node;
use crate::types::Ty;
use crate::{ErrorSpec, Interner, Symbol};

/// A translation unit and its file scope.
pub(crate) struct Unit<'a> {
    pub tree: &'a TranslationUnit,
    pub scan: Scan,
    pub names: FxHashMap<Symbol, Entry>,
    pub tags: FxHashMap<Symbol, Tag>,
    /// Whether it is plumb's C library.
    pub library: bool,
}

impl<'a> Unit<'a> {
    pub fn new(tree: &'a TranslationUnit, names: &Interner, library: bool) -> Unit<'a> {
        Unit { tree, scan: scan::scan(tree, names), names: FxHashMap::default(), tags: FxHashMap::default(), library }
    }
}

/// A variable with static storage.
#[derive(Clone, Debug)]
pub(crate) struct Global<'a> {
    pub name: Symbol,
    pub ty: Ty,
    pub align: Option<u64>,
    pub span: Span,
    /// Initialiser and the unit it is written in.
    pub init: Option<(&'a Init, usize)>,
    /// Whether a definition (perhaps tentative) was seen.
    pub defined: bool,
    /// Whether its address is taken.
    pub taken: bool,
    pub place: Option<LValue>,
    /// Where the initialiser's mentions are.
    pub key: Option<DeclKey>,
    /// The function it is local to, for its name.
    pub within: Option<String>,
    /// Whether it is weak and nobody defines it: its address may be null.
    pub odd: bool,
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Func<'a> {
    pub name: Symbol,
    pub span: Span,
    pub ty: Ty,
    pub def: Option<(usize, &'a FunctionDef)>,
    pub weak: bool,
    pub id: Option<FuncId>,
    pub addr: Option<u64>,
    pub recursive: bool,
    pub noreturn: bool,
    pub library: bool,
    /// What its address points to, once that is taken.
    pub node: Option<Node>,
    /// What its declarations say about its effects.
    pub manner: Manner,
    /// What is unsupported about calling it, and about its address.
    pub odd: Option<String>,
    pub odd_address: Option<String>,
}

impl<'a> Lowerer<'a> {
    pub(super) fn link(&mut self, spec: &ErrorSpec) -> Fallible<()> {
        for unit in 0..self.units.len() {
            self.unit = unit;
            self.declare_unit()?;
        }
        self.resolve_aliases();
        for unit in 0..self.units.len() {
            for name in self.units[unit].scan.taken_globals.clone() {
                if let Some(Entry::Global(g)) = self.resolve(unit, name) {
                    self.globals[g].taken = true;
                }
            }
        }
        self.choose_property(spec);
        self.find_odd_functions();
        let Some(main) = self.main() else {
            let span = Span { file: plumb_term::FileId(0), line: 1, col: 1 };
            return self.invalid(span, "there is no function 'main'");
        };
        let reached = self.reachable(main);
        self.find_recursion(&reached);
        let resizes: Vec<Symbol> = ["realloc", "reallocarray", "__builtin_realloc"].into_iter().filter_map(|n| self.names.get(n)).collect();
        self.sized_blocks = reached.iter().filter_map(|f| self.mentions(*f)).any(|(_, m)| resizes.iter().any(|s| m.called.contains(s)));
        let code = 0x1000 + 16 * (self.funcs.len() as u64 + 2048);
        self.next_addr = self.next_addr.max(code.next_multiple_of(0x10000));
        Ok(())
    }

    pub(super) fn main(&self) -> Option<usize> {
        match self.linked.get(&self.known.main?) {
            Some(Entry::Func(f)) if self.funcs[*f].def.is_some() => Some(*f),
            _ => None,
        }
    }

    pub(super) fn resolve(&self, unit: usize, name: Symbol) -> Option<Entry> {
        self.units[unit].names.get(&name).or_else(|| self.linked.get(&name)).copied()
    }

    /// The library's definition of a function that the program does not define.
    pub(super) fn library_function(&self, name: Symbol) -> Option<usize> {
        let unit = self.units.last().filter(|u| u.library)?;
        match unit.names.get(&name) {
            Some(Entry::Func(f)) if self.funcs[*f].def.is_some() => Some(*f),
            _ => None,
        }
    }

    fn choose_property(&mut self, spec: &ErrorSpec) {
        let names = self.names;
        match spec {
            ErrorSpec::Calls(calls) => self.error_calls = calls.iter().filter_map(|n| names.get(n)).collect(),
            ErrorSpec::Default => {
                let errors: Vec<Symbol> = ["reach_error", "__VERIFIER_error"].into_iter().filter_map(|n| names.get(n)).collect();
                let mentioned = |s: &Symbol| {
                    let aliased = self.aliases.iter().any(|(_, target)| target == s);
                    aliased
                        || self
                            .units
                            .iter()
                            .filter(|u| !u.library)
                            .any(|u| u.scan.mentions.values().any(|m| m.called.contains(s) || m.used.contains(s)))
                };
                let called: FxHashSet<Symbol> = errors.iter().copied().filter(mentioned).collect();
                if called.is_empty() {
                    self.assert_is_error = true;
                    self.error_calls = ["__assert_fail", "__assert", "__assert_rtn", "__assert_perror_fail"]
                        .into_iter()
                        .filter_map(|n| names.get(n))
                        .collect();
                    self.error_label = names.get("ERROR");
                } else {
                    self.error_calls = errors.into_iter().collect();
                }
            }
        }
        // Another name of an error function is one; aliases of aliases have to wait for their turn.
        loop {
            let errors = &self.error_calls;
            let further = |(name, target): &&(Symbol, Symbol)| errors.contains(target) && !errors.contains(name);
            let Some((name, _)) = self.aliases.iter().find(further).copied() else { break };
            self.error_calls.insert(name);
        }
    }

    fn mentions(&self, f: usize) -> Option<(usize, &Mentions)> {
        let (unit, def) = self.funcs[f].def?;
        Some((unit, self.units[unit].scan.mentions.get(&DeclKey::of(def))?))
    }

    /// The functions reachable from `main`; on the way those that can be called through pointers.
    fn reachable(&mut self, main: usize) -> FxHashSet<usize> {
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        let mut seen_globals: FxHashSet<usize> = FxHashSet::default();
        let mut taken: FxHashSet<usize> = FxHashSet::default();
        let mut work = vec![main];
        let mut global_work: Vec<usize> = Vec::new();
        loop {
            let (unit, called, used) = if let Some(f) = work.pop() {
                if !seen.insert(f) {
                    continue;
                }
                match self.mentions(f) {
                    Some((unit, m)) => (unit, m.called.iter().copied().collect::<Vec<_>>(), m.used.iter().copied().collect::<Vec<_>>()),
                    None => continue,
                }
            } else if let Some(g) = global_work.pop() {
                if !seen_globals.insert(g) {
                    continue;
                }
                let (Some((_, unit)), Some(key)) = (self.globals[g].init, self.globals[g].key) else { continue };
                let Some(m) = self.units[unit].scan.mentions.get(&key) else { continue };
                (unit, Vec::new(), m.used.iter().chain(&m.called).copied().collect())
            } else {
                break;
            };
            for (names, is_call) in [(called, true), (used, false)] {
                for name in names {
                    match self.resolve(unit, name) {
                        Some(Entry::Func(f)) => {
                            if !is_call {
                                taken.insert(f);
                            }
                            work.push(self.body_of(f));
                        }
                        Some(Entry::Global(g)) => global_work.push(g),
                        _ => {}
                    }
                }
            }
        }
        self.targets = taken.into_iter().collect();
        self.targets.sort_unstable();
        seen
    }

    /// The function that provides the body: itself, or the library's.
    pub(super) fn body_of(&self, f: usize) -> usize {
        if self.funcs[f].def.is_some() || self.is_foreign(f) {
            return f;
        }
        self.library_function(self.funcs[f].name).unwrap_or(f)
    }

    fn callees(&self, f: usize) -> Vec<usize> {
        let Some((unit, m)) = self.mentions(f) else { return Vec::new() };
        let mut out = Vec::new();
        let mut indirect = m.indirect;
        for name in &m.called {
            match self.resolve(unit, *name) {
                Some(Entry::Func(g)) => out.push(self.body_of(g)),
                Some(Entry::Global(_)) => indirect = true,
                _ => {}
            }
        }
        if indirect {
            out.extend(self.targets.iter().map(|t| self.body_of(*t)));
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Marks the functions on cycles of the call graph (Tarjan's components, without recursion).
    fn find_recursion(&mut self, reached: &FxHashSet<usize>) {
        let mut order: Vec<usize> = reached.iter().copied().collect();
        order.sort_unstable();
        let n = self.funcs.len();
        let (mut index, mut low, mut on_stack) = (vec![u32::MAX; n], vec![0u32; n], vec![false; n]);
        let (mut next, mut stack) = (0u32, Vec::new());
        for root in order {
            if index[root] != u32::MAX {
                continue;
            }
            let mut frames: Vec<(usize, Vec<usize>, usize)> = Vec::new();
            let mut enter = Some(root);
            loop {
                if let Some(f) = enter.take() {
                    index[f] = next;
                    low[f] = next;
                    next += 1;
                    stack.push(f);
                    on_stack[f] = true;
                    frames.push((f, self.callees(f), 0));
                }
                let Some((f, callees, at)) = frames.last_mut() else { break };
                let f = *f;
                if let Some(&g) = callees.get(*at) {
                    *at += 1;
                    if g == f {
                        self.funcs[f].recursive = true;
                    }
                    if index[g] == u32::MAX {
                        enter = Some(g);
                    } else if on_stack[g] {
                        low[f] = low[f].min(index[g]);
                    }
                    continue;
                }
                frames.pop();
                if let Some((parent, _, _)) = frames.last() {
                    low[*parent] = low[*parent].min(low[f]);
                }
                if low[f] == index[f] {
                    let at = stack.iter().rposition(|g| *g == f).unwrap_or(0);
                    let component = stack.split_off(at);
                    for g in &component {
                        on_stack[*g] = false;
                        self.funcs[*g].recursive |= component.len() > 1;
                    }
                }
            }
        }
    }

    fn resolve_aliases(&mut self) {
        for unit in 0..self.units.len() {
            let tree = self.units[unit].tree;
            for item in &tree.items {
                let ExternalDecl::Decl(d) = item else { continue };
                for i in &d.declarators {
                    let names = self.names;
                    let attrs = d.specs.attrs.iter().chain(&i.declarator.attrs);
                    for attr in attrs.filter(|a| names.name(a.name) == "alias") {
                        let (Some(name), Some(AttrArg::Expr(Expr { kind: ExprKind::Str(target), .. }))) =
                            (i.declarator.name, attr.args.first())
                        else {
                            continue;
                        };
                        let target = std::str::from_utf8(&target.bytes).ok().and_then(|t| self.names.get(t));
                        let target = target.and_then(|t| self.resolve(unit, t));
                        match (self.resolve(unit, name.symbol), target) {
                            (Some(Entry::Func(f)), Some(Entry::Func(t))) if self.funcs[f].def.is_none() => {
                                self.funcs[f].def = self.funcs[t].def;
                                self.aliases.push((name.symbol, self.funcs[t].name));
                            }
                            (Some(Entry::Global(_)), Some(target @ Entry::Global(_))) => {
                                self.units[unit].names.insert(name.symbol, target);
                                self.linked.insert(name.symbol, target);
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
    }
}
