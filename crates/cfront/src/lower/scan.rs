//! A first walk over the syntax tree, with C's scopes: whose address is taken, and who mentions whom.
//!
//! Lowering needs to know before the first line of a body whether a variable lives in memory, which functions can be called
//! through pointers, and which functions are recursive. Declarations are identified by the address of their node in the tree,
//! which does not move; the addresses are only compared, so nothing depends on their values.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::*;
use crate::{Interner, Symbol};

/// The identity of a declaration: the address of its node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct DeclKey(usize);

impl DeclKey {
    pub fn of<T>(node: &T) -> DeclKey {
        DeclKey(std::ptr::from_ref(node) as usize)
    }
}

/// The names of file scope that a function body or an initialiser mentions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mentions {
    /// In the position of a callee.
    pub called: FxHashSet<Symbol>,
    /// Elsewhere.
    pub used: FxHashSet<Symbol>,
    /// Whether something else than a name of file scope is called.
    pub indirect: bool,
    /// Whether there are labels.
    pub labels: bool,
    /// Named labels, for the property.
    pub label_names: FxHashSet<Symbol>,
}

/// What the walk over one translation unit found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scan {
    /// Local variables whose address is taken.
    pub taken: FxHashSet<DeclKey>,
    /// Names of file scope whose address is taken.
    pub taken_globals: FxHashSet<Symbol>,
    /// By function definition or file-scope declarator.
    pub mentions: FxHashMap<DeclKey, Mentions>,
}

#[derive(Clone, Copy)]
enum Local {
    Object(DeclKey),
    FileScope,
}

struct Walk<'n> {
    out: Scan,
    now: Mentions,
    bound: FxHashMap<Symbol, Vec<Local>>,
    undo: Vec<Symbol>,
    names: &'n Interner,
}

/// Walks one unit.
pub(crate) fn scan(unit: &TranslationUnit, names: &Interner) -> Scan {
    let mut w = Walk { out: Scan::default(), now: Mentions::default(), bound: FxHashMap::default(), undo: Vec::new(), names };
    for item in &unit.items {
        match item {
            ExternalDecl::Decl(d) => {
                w.specs(&d.specs);
                for init in &d.declarators {
                    w.now = Mentions::default();
                    w.derived(&init.declarator.derived);
                    if let Some(init) = &init.init {
                        w.init(init);
                    }
                    let found = std::mem::take(&mut w.now);
                    w.out.mentions.insert(DeclKey::of(&init.declarator), found);
                }
            }
            ExternalDecl::Function(f) => {
                w.now = Mentions::default();
                w.function(f);
                let found = std::mem::take(&mut w.now);
                w.out.mentions.insert(DeclKey::of(&**f), found);
            }
            ExternalDecl::Asm(_) | ExternalDecl::StaticAssert(_) => {}
        }
    }
    w.out
}

impl Walk<'_> {
    fn bind(&mut self, name: Symbol, local: Local) {
        self.bound.entry(name).or_default().push(local);
        self.undo.push(name);
    }

    fn leave(&mut self, depth: usize) {
        for name in self.undo.drain(depth..) {
            if let Some(stack) = self.bound.get_mut(&name) {
                stack.pop();
            }
        }
    }

    fn lookup(&self, name: Symbol) -> Local {
        self.bound.get(&name).and_then(|s| s.last().copied()).unwrap_or(Local::FileScope)
    }

    fn function(&mut self, f: &FunctionDef) {
        let depth = self.undo.len();
        self.derived(&f.declarator.derived);
        match f.params() {
            Some(Params::Prototype { params, .. }) => {
                for p in params {
                    if let Some(name) = p.declarator.name {
                        self.bind(name.symbol, Local::Object(DeclKey::of(&p.declarator)));
                    }
                }
            }
            Some(Params::Names(names)) => {
                for name in names {
                    self.bind(name.symbol, Local::Object(DeclKey::of(name)));
                }
            }
            _ => {}
        }
        for d in &f.old_params {
            for i in &d.declarators {
                if let Some(name) = i.declarator.name {
                    self.bind(name.symbol, Local::Object(DeclKey::of(&i.declarator)));
                }
            }
        }
        self.items(&f.body.items);
        self.leave(depth);
    }

    fn items(&mut self, items: &[BlockItem]) {
        for item in items {
            match item {
                BlockItem::Decl(d) => self.declaration(d),
                BlockItem::Stmt(s) => self.stmt(s),
                BlockItem::StaticAssert(_) => {}
            }
        }
    }

    fn block(&mut self, b: &Block) {
        let depth = self.undo.len();
        self.items(&b.items);
        self.leave(depth);
    }

    fn declaration(&mut self, d: &Declaration) {
        self.specs(&d.specs);
        for i in &d.declarators {
            self.derived(&i.declarator.derived);
            if let Some(name) = i.declarator.name {
                let outside = d.specs.storage == Storage::Extern || matches!(i.declarator.derived.last(), Some(Derived::Function { .. }));
                self.bind(name.symbol, if outside { Local::FileScope } else { Local::Object(DeclKey::of(&i.declarator)) });
            }
            if let Some(init) = &i.init {
                self.init(init);
            }
        }
    }

    fn specs(&mut self, specs: &DeclSpecs) {
        match &specs.ty {
            TypeSpec::TypeofExpr(e) => self.expr(e),
            TypeSpec::TypeofType(t) | TypeSpec::Atomic(t) => self.type_name(t),
            _ => {}
        }
    }

    fn derived(&mut self, derived: &[Derived]) {
        for d in derived {
            match d {
                Derived::Array { size: ArraySize::Expr(e), .. } => self.expr(e),
                Derived::Function { params: Params::Prototype { params, .. }, .. } => {
                    for p in params {
                        self.derived(&p.declarator.derived);
                    }
                }
                _ => {}
            }
        }
    }

    fn type_name(&mut self, t: &TypeName) {
        self.specs(&t.specs);
        self.derived(&t.derived);
    }

    fn init(&mut self, init: &Init) {
        match init {
            Init::Expr(e) => self.expr(e),
            Init::List(list) => self.init_list(list),
        }
    }

    fn init_list(&mut self, list: &InitList) {
        for item in &list.items {
            for d in &item.designators {
                if let DesignatorKind::Index(e) = &d.kind {
                    self.expr(e);
                }
            }
            self.init(&item.init);
        }
    }

    fn stmt(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Empty(_) | StmtKind::Goto(_) | StmtKind::Continue | StmtKind::Break => {}
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::GotoComputed(e) => self.expr(e),
            StmtKind::Block(b) => self.block(b),
            StmtKind::If { arms, otherwise } => {
                for arm in arms {
                    self.expr(&arm.cond);
                    self.stmt(&arm.then);
                }
                if let Some(s) = otherwise {
                    self.stmt(s);
                }
            }
            StmtKind::Switch { value, body } => {
                self.expr(value);
                self.stmt(body);
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond, .. } => {
                self.expr(cond);
                self.stmt(body);
            }
            StmtKind::For { init, cond, step, body } => {
                let depth = self.undo.len();
                match init {
                    ForInit::None => {}
                    ForInit::Expr(e) => self.expr(e),
                    ForInit::Decl(d) => self.declaration(d),
                }
                for e in [cond, step].into_iter().flatten() {
                    self.expr(e);
                }
                self.stmt(body);
                self.leave(depth);
            }
            StmtKind::Return(e) => {
                if let Some(e) = e {
                    self.expr(e);
                }
            }
            StmtKind::Labeled { labels, body } => {
                for l in labels {
                    match &l.kind {
                        LabelKind::Named(name, _) => {
                            self.now.labels = true;
                            self.now.label_names.insert(name.symbol);
                        }
                        LabelKind::Case(e) => self.expr(e),
                        LabelKind::CaseRange(a, b) => {
                            self.expr(a);
                            self.expr(b);
                        }
                        LabelKind::Default => {}
                    }
                }
                self.stmt(body);
            }
            StmtKind::Asm(asm) => {
                for op in asm.outputs.iter().chain(&asm.inputs) {
                    self.expr(&op.expr);
                }
            }
        }
    }

    fn mention(&mut self, name: Symbol, called: bool) {
        match self.lookup(name) {
            Local::FileScope if called => {
                self.now.called.insert(name);
            }
            Local::FileScope => {
                self.now.used.insert(name);
            }
            Local::Object(_) => self.now.indirect |= called,
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Ident(name) => self.mention(*name, false),
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Char(_) | ExprKind::Str(_) | ExprKind::LabelAddr(_) => {}
            ExprKind::Unary { op, operand } => {
                if let (UnaryOp::AddrOf, ExprKind::Ident(name)) = (op, &operand.kind) {
                    match self.lookup(*name) {
                        Local::Object(key) => {
                            self.out.taken.insert(key);
                        }
                        Local::FileScope => {
                            self.out.taken_globals.insert(*name);
                        }
                    }
                }
                self.expr(operand);
            }
            ExprKind::Binary { lhs, rhs, .. } | ExprKind::Assign { lhs, rhs, .. } => {
                self.expr(lhs);
                self.expr(rhs);
            }
            ExprKind::Conditional { cond, then, otherwise } => {
                self.expr(cond);
                if let Some(then) = then {
                    self.expr(then);
                }
                self.expr(otherwise);
            }
            ExprKind::Comma(parts) => parts.iter().for_each(|e| self.expr(e)),
            ExprKind::Call { callee, args, .. } => {
                let mut out_pointer = false;
                match &callee.kind {
                    ExprKind::Ident(name) => {
                        self.mention(*name, true);
                        out_pointer = is_out_pointer_builtin(self.names.name(*name));
                    }
                    ExprKind::Unary { op: UnaryOp::Deref, operand } if matches!(operand.kind, ExprKind::Ident(_)) => {
                        if let ExprKind::Ident(name) = operand.kind {
                            self.mention(name, true);
                        }
                    }
                    _ => {
                        self.now.indirect = true;
                        self.expr(callee);
                    }
                }
                for (i, arg) in args.iter().enumerate() {
                    match &arg.kind {
                        // The builtin assigns to the variable itself: no pointer comes about.
                        ExprKind::Unary { op: UnaryOp::AddrOf, operand } if out_pointer && i == 2 => self.expr(operand),
                        _ => self.expr(arg),
                    }
                }
            }
            ExprKind::Index { base, index } => {
                self.expr(base);
                self.expr(index);
            }
            ExprKind::Member { base, .. } => self.expr(base),
            ExprKind::Cast { ty, operand } => {
                self.type_name(ty);
                self.expr(operand);
            }
            ExprKind::CompoundLiteral { ty, init } => {
                self.type_name(ty);
                self.init_list(init);
            }
            ExprKind::SizeofExpr(e) | ExprKind::AlignofExpr { operand: e, .. } => self.expr(e),
            ExprKind::SizeofType(t) | ExprKind::AlignofType { ty: t, .. } => self.type_name(t),
            ExprKind::StmtExpr(b) => self.block(b),
            ExprKind::Generic(g) => {
                if let GenericControl::Expr(e) = &g.control {
                    self.expr(e);
                }
                g.arms.iter().for_each(|(_, e)| self.expr(e));
            }
            ExprKind::VaArg { list, ty } => {
                self.expr(list);
                self.type_name(ty);
            }
            ExprKind::Offsetof { path, .. } => {
                for step in path {
                    if let OffsetofStep::Index(e) = step {
                        self.expr(e);
                    }
                }
            }
            ExprKind::TypesCompatible(_) => {}
            ExprKind::ChooseExpr(parts) => parts.iter().for_each(|e| self.expr(e)),
            ExprKind::ConvertVector { operand, .. } => self.expr(operand),
        }
    }
}

/// Builtins that store through a pointer in the third argument and do nothing else with it.
pub(crate) fn is_out_pointer_builtin(name: &str) -> bool {
    name.starts_with("__builtin_") && name.ends_with("_overflow")
}
