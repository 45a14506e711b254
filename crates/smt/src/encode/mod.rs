//! Terms as Z3 expressions.
//!
//! A [`Task`] is a term in a *view*: an integer as a mathematical integer or modulo 2^w, a float as a value or as a pattern. Encoding a
//! task asks for other tasks; the results are remembered per solver. The walk keeps its own stack, because terms of
//! unrolled programs are deep: a build step that lacks an operand names it and is repeated later.
//!
//! Some expressions stand for a term only together with *axioms* (the range of a variable of machine type, the definition of a
//! helper). They are facts of the term's meaning, not of the caller, and hold in every model; [`Encoder::activate`]
//! yields those that the solver does not know yet in its present scopes.

mod bits;
mod boolean;
mod float;
mod int;
mod memory;

use crate::bounds::{Bounds, Interval};
use crate::ffi::{Ast, Context, Sort};
use plumb_term::{FloatTy, IBig, IntTy, Scalar, Term, Var, VarTy};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// How integers are represented. Both are exact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// Mathematical integers; wraps are divisions or case splits; bit operations go through bit-vectors.
    Int,
    /// Bit-vectors of the width that each context needs; addresses have this many bits and wrap around. Unbounded integer
    /// variables cannot be encoded.
    Bits {
        /// The width of addresses.
        address_bits: u32,
    },
}

impl Encoding {
    /// Bit-vectors for ILP32.
    pub const BITS32: Encoding = Encoding::Bits { address_bits: 32 };
    /// Bit-vectors for LP64.
    pub const BITS64: Encoding = Encoding::Bits { address_bits: 64 };
}

/// Why a term has no expression in an encoding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unencodable(pub String);

impl fmt::Display for Unencodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unencodable {}

/// A term in a view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Task {
    /// A formula.
    Bool(Term),
    /// An integer, as one ([`Encoding::Int`] only).
    Int(Term),
    /// An integer modulo 2^w.
    Bv(Term, u32),
    /// A float, as a value.
    Fp(Term),
    /// A float, as its pattern.
    Pattern(Term),
    /// A memory.
    Mem(Term),
    /// The cell of a memory at an address plus a number.
    Cell(Term, Term, u32),
    /// A literal that implies a formula: for assumptions.
    Proxy(Term),
}

/// Why a build step ended without an expression.
pub(crate) enum Stop {
    /// Operands are missing; they are noted in [`Encoder::missing`].
    Wait,
    Unencodable(Unencodable),
}

pub(crate) type Built = Result<Ast, Stop>;

pub(crate) fn unencodable<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Unencodable(Unencodable(why.into())))
}

struct Entry {
    ast: Ast,
    deps: Box<[u32]>,
    axioms: Box<[Ast]>,
    /// Whether this or something below has axioms.
    live: bool,
    /// Whether its axioms and those below are asserted in the present scopes.
    active: bool,
}

/// The symbols of the variables seen so far: shared with the models.
pub(crate) type Symbols = Rc<RefCell<FxHashMap<Var, Ast>>>;

/// The encoder of one solver.
pub(crate) struct Encoder {
    pub(crate) context: Context,
    pub(crate) encoding: Encoding,
    pub(crate) symbols: Symbols,
    bounds: Bounds,
    ids: FxHashMap<Task, u32>,
    entries: Vec<Entry>,
    lambdas: FxHashMap<Term, bool>,
    // The step under way.
    deps: Vec<u32>,
    missing: Vec<Task>,
    axioms: Vec<Ast>,
    helpers: u32,
}

impl Encoder {
    pub(crate) fn new(context: Context, encoding: Encoding) -> Encoder {
        Encoder {
            context,
            encoding,
            symbols: Symbols::default(),
            bounds: Bounds::default(),
            ids: FxHashMap::default(),
            entries: Vec::new(),
            lambdas: FxHashMap::default(),
            deps: Vec::new(),
            missing: Vec::new(),
            axioms: Vec::new(),
            helpers: 0,
        }
    }

    /// The expression of a task.
    pub(crate) fn encode(&mut self, task: Task) -> Result<Ast, Unencodable> {
        let mut stack = vec![task];
        while let Some(&top) = stack.last() {
            if self.ids.contains_key(&top) {
                stack.pop();
                continue;
            }
            self.deps.clear();
            self.missing.clear();
            self.axioms.clear();
            match self.build(top) {
                Ok(ast) => {
                    self.finish(top, ast);
                    stack.pop();
                }
                Err(Stop::Wait) => stack.append(&mut self.missing),
                Err(Stop::Unencodable(why)) => return Err(why),
            }
        }
        Ok(self.entries[self.ids[&task] as usize].ast.clone())
    }

    fn finish(&mut self, task: Task, ast: Ast) {
        let live = !self.axioms.is_empty() || self.deps.iter().any(|d| self.entries[*d as usize].live);
        let deps: Box<[u32]> =
            if live { self.deps.iter().copied().filter(|d| self.entries[*d as usize].live).collect() } else { Box::default() };
        let id = self.entries.len() as u32;
        self.entries.push(Entry { ast, deps, axioms: std::mem::take(&mut self.axioms).into(), live, active: !live });
        self.ids.insert(task, id);
    }

    /// Marks an encoded task as known to the solver; calls `assert` with each axiom that was not, and notes on `trail` what to
    /// forget when the scope ends.
    pub(crate) fn activate(&mut self, task: Task, trail: &mut Vec<u32>, assert: &mut dyn FnMut(&Ast)) {
        let Some(&id) = self.ids.get(&task) else { return };
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            let entry = &mut self.entries[id as usize];
            if entry.active {
                continue;
            }
            entry.active = true;
            trail.push(id);
            entry.axioms.iter().for_each(&mut *assert);
            stack.extend(entry.deps.iter());
        }
    }

    /// Forgets what a scope had made known.
    pub(crate) fn deactivate(&mut self, trail: &[u32]) {
        for id in trail {
            self.entries[*id as usize].active = false;
        }
    }

    /// The axioms of an encoded task and of everything below it.
    pub(crate) fn axioms_of(&self, task: Task) -> Vec<Ast> {
        let mut stack: Vec<u32> = self.ids.get(&task).copied().into_iter().collect();
        let mut seen = FxHashSet::default();
        let mut out = Vec::new();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                let entry = &self.entries[id as usize];
                out.extend(entry.axioms.iter().cloned());
                stack.extend(entry.deps.iter());
            }
        }
        out
    }

    /// How many tasks have been encoded.
    pub(crate) fn size(&self) -> usize {
        self.entries.len()
    }

    fn build(&mut self, task: Task) -> Built {
        match task {
            Task::Bool(t) => self.build_bool(t),
            Task::Int(t) => self.build_int(t),
            Task::Bv(t, w) => self.build_bv(t, w),
            Task::Fp(t) => self.build_fp(t),
            Task::Pattern(t) => self.build_pattern(t),
            Task::Mem(t) => self.build_mem(t),
            Task::Cell(mem, addr, offset) => self.build_cell(mem, addr, offset),
            Task::Proxy(t) => {
                let formula = self.need(Task::Bool(t))?;
                let proxy = self.context.constant(&format!("assume!{}", t.id()), &self.context.bool_sort());
                self.axioms.push(proxy.implies(&formula));
                Ok(proxy)
            }
        }
    }

    /// The expression of an operand.
    fn need(&mut self, task: Task) -> Built {
        match self.ids.get(&task) {
            Some(&id) => {
                self.deps.push(id);
                Ok(self.entries[id as usize].ast.clone())
            }
            None => {
                self.missing.push(task);
                Err(Stop::Wait)
            }
        }
    }

    /// The expressions of several operands.
    fn needs(&mut self, tasks: impl IntoIterator<Item = Task>) -> Result<Vec<Ast>, Stop> {
        let mut out = Vec::new();
        let mut stop = None;
        for task in tasks {
            match self.need(task) {
                Ok(ast) => out.push(ast),
                Err(s) => stop = Some(s),
            }
        }
        match stop {
            Some(s) => Err(s),
            None => Ok(out),
        }
    }

    fn need2(&mut self, a: Task, b: Task) -> Result<(Ast, Ast), Stop> {
        let (x, y) = (self.need(a), self.need(b));
        Ok((x?, y?))
    }

    fn need3(&mut self, a: Task, b: Task, c: Task) -> Result<(Ast, Ast, Ast), Stop> {
        let (x, y, z) = (self.need(a), self.need(b), self.need(c));
        Ok((x?, y?, z?))
    }

    /// The interval of an integer term.
    fn bounds(&mut self, t: Term) -> Option<Interval> {
        self.bounds.of(t)
    }

    /// The symbol of a variable, with the axiom of its range where the sort is wider.
    fn symbol(&mut self, v: Var) -> Ast {
        let known = self.symbols.borrow().get(&v).cloned();
        let ast = known.unwrap_or_else(|| {
            let sort = match v.ty {
                VarTy::Bool => self.context.bool_sort(),
                VarTy::Int => self.context.int_sort(),
                VarTy::Scalar(s) => scalar_sort(&self.context, self.encoding, s),
                VarTy::Mem(c) => memory::memory_sort(&self.context, self.encoding, c),
            };
            let ast = self.context.constant(&name(v), &sort);
            self.symbols.borrow_mut().insert(v, ast.clone());
            ast
        });
        if let (VarTy::Scalar(Scalar::Int(ty)), Encoding::Int) = (v.ty, self.encoding) {
            self.in_type(&ast, ty);
        }
        ast
    }

    /// The axiom that an integer expression has a value of type `ty`.
    fn in_type(&mut self, ast: &Ast, ty: IntTy) {
        self.axioms.push(self.context.int(&ty.min()).le(ast));
        self.axioms.push(ast.le(&self.context.int(&ty.max())));
    }

    /// A symbol that belongs to one task.
    fn helper(&mut self, what: &str, sort: &Sort) -> Ast {
        self.helpers += 1;
        self.context.constant(&format!("{what}!{}", self.helpers), sort)
    }
}

/// A readable name that is different for different variables.
fn name(v: Var) -> String {
    let ty = match v.ty {
        VarTy::Bool => "bool".to_string(),
        VarTy::Int => "int".to_string(),
        VarTy::Scalar(s) => s.to_string(),
        VarTy::Mem(plumb_term::Cell::Byte) => "bytes".to_string(),
        VarTy::Mem(plumb_term::Cell::Scalar(s)) => format!("cells_{s}"),
    };
    format!("v{}.{}:{ty}", v.id.0, v.version)
}

fn scalar_sort(context: &Context, encoding: Encoding, s: Scalar) -> Sort {
    match (s, encoding) {
        (Scalar::Int(_), Encoding::Int) => context.int_sort(),
        (Scalar::Int(ty), Encoding::Bits { .. }) => context.bv_sort(u32::from(ty.bits)),
        (Scalar::Float(ty), _) => context.bv_sort(ty.bits()),
    }
}

fn fp_sort(context: &Context, ty: FloatTy) -> Sort {
    context.fp_sort(ty.exponent_bits(), ty.precision())
}

fn pow2(n: u32) -> IBig {
    IBig::ONE << n as usize
}
