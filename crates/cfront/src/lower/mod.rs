//! From the syntax tree to automata: type checking and lowering in one pass.
//!
//! **Order.** First a walk with C's scopes ([`scan`]) finds whose address is taken and who mentions whom. Then the file scopes of all
//! units are declared and linked ([`link`], [`decl`]), so that sizes are known. Then bodies are lowered on demand, starting from `main`; what nobody
//! mentions costs nothing and says nothing. Static initialisers of what was mentioned become the first edges of
//! the entry function. At the end the points-to classes become regions ([`finish`]).
//!
//! **Expressions** lower to edges emitted so far and a pure term ([`place::Value`]); see [`cx`] for how values survive later side effects.
//!
//! **Memory.** Objects get their fixed addresses when they are declared. A load or store names its points-to node by a placeholder
//! variable of memory sort; the placeholders give way to the regions' variables when the classes are final.

mod alloc;
mod arith;
mod asm;
mod assign;
mod atomic;
mod bitfield;
mod builtin;
mod call;
mod cond;
mod convert;
mod copy;
mod cx;
mod decl;
mod determined;
mod effects;
mod expr;
mod finish;
mod foreign;
mod function;
mod indirect;
mod init;
mod jump;
mod known;
mod layout;
mod library;
mod link;
mod literal;
mod local;
mod lvalue;
mod math;
mod memory;
mod odd;
mod overflow;
mod patch;
mod place;
mod pointer;
mod resolve;
mod rounding;
mod scan;
mod scope;
mod stmt;
mod variadic;
mod woven;

use plumb_cfa::{Extern, FuncId, InputSource, Layout, Op, Program, Semantics, Ub, VarInfo, VarKind};
use plumb_term::{Cell, IntTy, Scalar, SourceMap, Span, Term, VarId, VarTy};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::TranslationUnit;
use crate::lex::Fallible;
use crate::pointsto::{Node, PointsTo};
use crate::types::{Ty, Types};
use crate::weave::Weave;
use crate::{Diagnostic, ErrorSpec, Interner, Symbol};
use cx::Cx;
use link::{Func, Global, Unit};
use place::{Mem, Value};
use scope::Scopes;

/// Placeholders for the memory of a points-to node are numbered from here.
const MEMORY_BASE: u32 = 1 << 29;

/// An object with a fixed address.
#[derive(Clone, Debug)]
struct ObjectInfo {
    name: String,
    addr: u64,
    size: u64,
    node: Node,
    func: Option<FuncId>,
    read_only: bool,
    layout: Layout,
    span: Span,
}

/// A function body that is (to be) lowered: definitions are lowered once, library functions once per call.
#[derive(Clone, Debug)]
struct Instance {
    func: usize,
    signature: call::Signature,
    body: Option<Cx>,
}

/// The state of lowering.
struct Lowerer<'a> {
    names: &'a Interner,
    known: literal::Known,
    semantics: Semantics,
    types: Types,
    units: Vec<Unit<'a>>,
    unit: usize,
    scopes: Scopes,
    globals: Vec<Global<'a>>,
    funcs: Vec<Func<'a>>,
    linked: FxHashMap<Symbol, scope::Entry>,
    static_locals: FxHashMap<scan::DeclKey, usize>,
    /// Globals whose initialiser is among the edges of the entry function.
    initialised: FxHashSet<usize>,
    /// Functions that can be called through pointers.
    targets: Vec<usize>,
    error_calls: FxHashSet<Symbol>,
    /// Functions that are other names of functions, and of which.
    aliases: Vec<(Symbol, Symbol)>,
    error_label: Option<Symbol>,
    assert_is_error: bool,
    /// Whether heap blocks start with their size, for `realloc`.
    sized_blocks: bool,
    vars: Vec<VarInfo>,
    var_nodes: Vec<Option<Node>>,
    global_vars: FxHashSet<VarId>,
    pts: PointsTo,
    objects: Vec<ObjectInfo>,
    next_addr: u64,
    next_code: u64,
    strings: FxHashMap<Vec<u8>, usize>,
    vla_counts: FxHashMap<u32, Term>,
    instances: Vec<Instance>,
    queue: Vec<FuncId>,
    library_clones: FxHashMap<usize, Vec<FuncId>>,
    externs: Vec<Extern>,
    extern_names: FxHashSet<String>,
    /// Nodes with objects that are not static: automatic and allocated ones.
    dynamic_nodes: Vec<Node>,
    heap_top: VarId,
    /// The entry function, while another one is lowered.
    suspended: Option<Cx>,
    /// The witness that is part of the program.
    woven: Option<woven::Woven<'a>>,
    /// The rounding mode, if the program sets it.
    rounding: Option<VarId>,
    cx: Cx,
}

/// Lowers parsed units, the last of which is the library, to a program.
pub(crate) fn lower(
    trees: &[TranslationUnit],
    names: &Interner,
    sources: SourceMap,
    semantics: Semantics,
    spec: &ErrorSpec,
    weave: &Weave,
) -> Fallible<Program> {
    let mut lowerer = Lowerer::new(trees, names, semantics);
    lowerer.expect_woven(weave, &sources);
    lowerer.expect_rounding();
    lowerer.link(spec)?;
    lowerer.lower_all()?;
    let room = match semantics.model {
        plumb_cfa::DataModel::Ilp32 => 0xe000_0000,
        plumb_cfa::DataModel::Lp64 => 0x7000_0000_0000,
    };
    if lowerer.next_addr > room {
        let largest = lowerer.objects.iter().max_by_key(|o| o.size).map_or(Span::NONE, |o| o.span);
        return Err(Box::new(Diagnostic::unsupported(largest, "objects larger than the address space")));
    }
    Ok(lowerer.finish(sources))
}

impl<'a> Lowerer<'a> {
    fn new(trees: &'a [TranslationUnit], names: &'a Interner, semantics: Semantics) -> Lowerer<'a> {
        let entry = Cx::new(FuncId(0), "<entry>".to_owned(), Span::NONE);
        let mut lowerer = Lowerer {
            names,
            known: literal::Known::new(names),
            semantics,
            types: Types::new(semantics.model),
            units: Vec::new(),
            unit: 0,
            scopes: Scopes::default(),
            globals: Vec::new(),
            funcs: Vec::new(),
            linked: FxHashMap::default(),
            static_locals: FxHashMap::default(),
            initialised: FxHashSet::default(),
            targets: Vec::new(),
            error_calls: FxHashSet::default(),
            aliases: Vec::new(),
            error_label: None,
            assert_is_error: false,
            sized_blocks: false,
            vars: Vec::new(),
            var_nodes: Vec::new(),
            global_vars: FxHashSet::default(),
            pts: PointsTo::default(),
            objects: Vec::new(),
            next_addr: 0x10000,
            next_code: 0x1000,
            strings: FxHashMap::default(),
            vla_counts: FxHashMap::default(),
            instances: Vec::new(),
            queue: Vec::new(),
            library_clones: FxHashMap::default(),
            externs: Vec::new(),
            extern_names: FxHashSet::default(),
            dynamic_nodes: Vec::new(),
            heap_top: VarId(0),
            suspended: None,
            woven: None,
            rounding: None,
            cx: entry,
        };
        lowerer.heap_top = lowerer.new_global_var("<heap top>".to_owned(), "", VarTy::Int, VarKind::HeapTop, Span::NONE);
        lowerer.units = trees.iter().enumerate().map(|(i, tree)| Unit::new(tree, names, i + 1 == trees.len())).collect();
        lowerer
    }

    // Positions and messages.

    fn invalid<T>(&self, span: Span, message: impl Into<String>) -> Fallible<T> {
        Err(Box::new(Diagnostic::invalid(span, message)))
    }

    fn name(&self, symbol: Symbol) -> &'a str {
        self.names.name(symbol)
    }

    fn show(&self, ty: Ty) -> String {
        self.types.show(ty, self.names)
    }

    /// An execution that gets here makes the verdict unknown.
    fn unsupported(&mut self, span: Span, what: impl Into<String>) {
        self.cx.span = span;
        self.cx.stop(Op::Unsupported(what.into()));
    }

    // Variables.

    fn new_var(&mut self, name: String, c_type: String, ty: VarTy, kind: VarKind, func: Option<FuncId>, span: Span) -> VarId {
        let id = VarId(self.vars.len() as u32);
        self.vars.push(VarInfo { name, c_type, ty, func, kind, span });
        self.var_nodes.push(None);
        id
    }

    fn new_global_var(&mut self, name: String, c_type: &str, ty: VarTy, kind: VarKind, span: Span) -> VarId {
        let id = self.new_var(name, c_type.to_owned(), ty, kind, None, span);
        self.global_vars.insert(id);
        id
    }

    /// A variable of the function being lowered.
    fn new_local(&mut self, name: String, ty: Ty, kind: VarKind, span: Span) -> VarId {
        let (var_ty, c_type) = (self.var_ty(ty), self.show(ty));
        let id = self.new_var(name, c_type, var_ty, kind, Some(self.cx.func), span);
        self.cx.locals.push(id);
        self.cx.local_set.insert(id);
        id
    }

    fn temp(&mut self, ty: Ty) -> VarId {
        let name = format!("<t{}>", self.vars.len());
        let span = self.cx.span;
        self.new_local(name, ty, VarKind::Temp, span)
    }

    /// What a variable of a scalar C type ranges over.
    fn var_ty(&self, ty: Ty) -> VarTy {
        match self.types.scalar(ty) {
            Some(Scalar::Int(_)) if self.ideal() && self.types.is_integer(ty) => VarTy::Int,
            Some(s) => VarTy::Scalar(s),
            None => VarTy::Scalar(Scalar::Int(IntTy::I32)),
        }
    }

    fn ideal(&self) -> bool {
        self.semantics.integers == plumb_cfa::Integers::Ideal
    }

    fn term(&self, v: VarId) -> Term {
        Term::program_var(v, self.vars[v.0 as usize].ty)
    }

    /// What the values of a variable may point to.
    fn var_node(&mut self, v: VarId) -> Node {
        let slot = v.0 as usize;
        match self.var_nodes[slot] {
            Some(node) => node,
            None => {
                let node = self.pts.fresh();
                self.var_nodes[slot] = Some(node);
                node
            }
        }
    }

    fn read_var(&mut self, v: VarId, ty: Ty) -> Value {
        let node = self.var_node(v);
        Value::new(ty, self.term(v), Some(node))
    }

    /// Lets what `value` points to flow into `node`, which describes places of type `ty`.
    fn flow(&mut self, value: &Value, ty: Ty, node: Node) {
        let Some(from) = value.node else { return };
        if self.types.is_pointer(ty) && self.types.is_pointer(value.ty) {
            self.pts.unify(from, node);
        } else {
            self.pts.flow(from, node, false);
        }
    }

    /// `v := value`, which has the variable's type.
    fn set_var(&mut self, v: VarId, value: &Value) {
        let node = self.var_node(v);
        self.flow(value, value.ty, node);
        self.cx.emit(Op::Assign(vec![(v, value.term)]));
    }

    /// The value in a variable of its own.
    fn save(&mut self, value: &Value) -> Value {
        if value.mem.is_some() || self.types.scalar(value.ty).is_none() || value.term.as_int().is_some() {
            return *value;
        }
        let t = self.temp(value.ty);
        self.set_var(t, value);
        Value { term: self.term(t), ..*value }
    }

    /// The value as it was at `mark`, whatever has been emitted since.
    fn protect(&mut self, mark: cx::Mark, value: &Value) -> Value {
        if let Some(mem) = value.mem {
            let addr = Value::new(Types::VOID_PTR, mem.addr.wrap(self.pointer_ty()), Some(mem.node));
            let addr = self.protect(mark, &addr);
            return Value::aggregate(value.ty, Mem { addr: addr.term, ..mem });
        }
        let globals = &self.global_vars;
        if !self.cx.disturbed(mark, value.term, &|v| globals.contains(&v)) {
            return *value;
        }
        let t = self.temp(value.ty);
        let node = self.var_node(t);
        self.flow(value, value.ty, node);
        self.cx.insert(mark, Op::Assign(vec![(t, value.term)]));
        Value { term: self.term(t), ..*value }
    }

    fn havoc(&mut self, ty: Ty, source: InputSource) -> Value {
        let t = self.temp(ty);
        self.havoc_var(t, ty, source);
        self.read_var(t, ty)
    }

    /// The variable takes any value of its C type.
    fn havoc_var(&mut self, v: VarId, ty: Ty, source: InputSource) {
        if self.types.is_pointer(ty) && !matches!(source, InputSource::Uninit(_)) {
            let node = self.var_node(v);
            self.pts.mark_external(node);
        }
        self.cx.emit(Op::Havoc { var: v, source });
        if *self.types.kind(ty) == crate::types::Kind::Bool {
            let term = self.term(v);
            self.cx.emit(Op::Assign(vec![(v, Term::ite(term.equals(Term::int(0)), Term::int(0), Term::int(1)))]));
        }
    }

    // Guards.

    fn guard(&mut self, cond: Term, ub: Ub) {
        if !cond.is_true() {
            self.cx.emit(Op::Guard { cond, ub });
        }
    }

    fn assume(&mut self, cond: Term) {
        if !cond.is_true() {
            self.cx.emit(Op::Assume(cond));
        }
    }

    // Memory.

    /// The contents of the region of `node`, to be named later.
    fn memory(&self, node: Node) -> Term {
        Term::program_var(Self::memory_var(node), VarTy::Mem(Cell::Byte))
    }

    fn memory_var(node: Node) -> VarId {
        VarId(MEMORY_BASE + node.0)
    }

    fn pointer_ty(&self) -> IntTy {
        self.semantics.model.pointer()
    }

    /// Reserves a fixed address.
    fn new_object(&mut self, name: String, ty: Ty, size: u64, align: u64, func: Option<FuncId>, span: Span) -> Mem {
        let addr = self.next_addr.next_multiple_of(align.clamp(16, 1 << 20));
        self.next_addr = addr.saturating_add(size.max(1)).saturating_add(16).min(1 << 60);
        let node = self.pts.object();
        if func.is_some() {
            self.dynamic_nodes.push(node);
        }
        let layout = self.layout(ty, 0);
        self.objects.push(ObjectInfo { name, addr, size, node, func, read_only: false, layout, span });
        Mem { addr: Term::int(addr), node, shape: crate::pointsto::Shape::Raw, known: true }
    }
}
