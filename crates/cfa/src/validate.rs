//! The contract between whoever builds a [`Program`] and whoever reads it, as a check.
//!
//! Every assigned term has its variable's sort and, for machine integers, visibly lies in the variable's range; memory is
//! assigned from the same region's memory and accessed in its region's cells; calls fit their callees; terms mention only variables that exist,
//! have that type and belong to the function; nothing leaves an exit or an error location. The check is linear in the size of the program's
//! terms (shared subterms are looked at once per function).

use crate::graph::{Edge, Loc};
use crate::op::Op;
use crate::program::{FuncId, Function, Program};
use plumb_term::{Cell, IntTy, Kind, Scalar, Sort, Span, Term, Var, VarId, VarTy};
use rustc_hash::FxHashSet;

/// A breach of the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// In which function.
    pub func: FuncId,
    /// At which edge's source.
    pub span: Span,
    /// What is wrong.
    pub message: String,
}

/// Checks a program; the first breach, if there is one.
pub fn validate(program: &Program) -> Result<(), Breach> {
    for (i, f) in program.functions.iter().enumerate() {
        let mut check = Check { program, func: FuncId(i as u32), seen: FxHashSet::default() };
        check.function(f)?;
    }
    Ok(())
}

struct Check<'p> {
    program: &'p Program,
    func: FuncId,
    seen: FxHashSet<Term>,
}

type Checked = Result<(), String>;

fn ensure(ok: bool, message: impl FnOnce() -> String) -> Checked {
    if ok {
        Ok(())
    } else {
        Err(message())
    }
}

impl Check<'_> {
    fn function(&mut self, f: &Function) -> Result<(), Breach> {
        let breach = |span, message| Breach { func: self.func, span, message };
        let exists = |l: Loc| l.index() < f.graph.num_locs();
        if !exists(f.entry) || !exists(f.exit) || !f.errors.iter().all(|l| exists(*l)) {
            return Err(breach(f.span, "a location does not exist".to_owned()));
        }
        for l in f.errors.iter().chain([&f.exit]) {
            if !f.graph.out_edges(*l).is_empty() {
                return Err(breach(f.span, format!("an edge leaves the final location {}", l.0)));
            }
        }
        for v in f.params.iter().chain(&f.locals).chain(&f.result) {
            if self.program.vars.get(v.0 as usize).is_none_or(|info| info.func != Some(self.func)) {
                return Err(breach(f.span, format!("variable {} does not belong to the function", v.0)));
            }
        }
        for (_, e) in f.graph.edges() {
            self.edge(e).map_err(|message| Breach { func: self.func, span: e.span, message })?;
        }
        Ok(())
    }

    fn edge(&mut self, e: &Edge) -> Checked {
        match &e.op {
            Op::Skip | Op::Unsupported(_) => Ok(()),
            Op::Assume(t) | Op::Guard { cond: t, .. } => self.sorted(*t, Sort::Bool),
            Op::Assign(updates) => {
                for (i, (v, t)) in updates.iter().enumerate() {
                    ensure(!updates[..i].iter().any(|u| u.0 == *v), || format!("variable {} is assigned twice", v.0))?;
                    self.assign(*v, *t)?;
                }
                Ok(())
            }
            Op::Havoc { var, .. } => {
                let ty = self.var_ty(*var)?;
                ensure(!matches!(ty, VarTy::Mem(_)), || "a memory is made arbitrary as a variable".to_owned())
            }
            Op::HavocMem { region, addr, len } => {
                self.region(region.0)?;
                self.sorted(*addr, Sort::Int)?;
                self.sorted(*len, Sort::Int)
            }
            Op::EndLife { addr } | Op::Free { addr } => self.sorted(*addr, Sort::Int),
            Op::Alloc { dst, size, region, .. } => {
                self.region(region.0)?;
                let pointer = VarTy::Scalar(Scalar::Int(self.program.pointer()));
                ensure(self.var_ty(*dst)? == pointer, || "an address goes into a variable that is no pointer".to_owned())?;
                self.sorted(*size, Sort::Int)
            }
            Op::Call { func, args, dst } => self.call(*func, args, *dst),
            Op::Output { args, dst, .. } => {
                for (s, t) in args {
                    self.value(*t, VarTy::Scalar(*s))?;
                }
                dst.map_or(Ok(()), |v| self.var_ty(v).map(|_| ()))
            }
            Op::Halt { status } => status.map_or(Ok(()), |t| self.sorted(t, Sort::Int)),
        }
    }

    fn assign(&mut self, v: VarId, t: Term) -> Checked {
        let ty = self.var_ty(v)?;
        self.value(t, ty)?;
        if let VarTy::Mem(_) = ty {
            let mut root = t;
            loop {
                match root.kind() {
                    Kind::Store(_, m, ..) | Kind::Splice { mem: m, .. } => root = *m,
                    Kind::ZeroMem(_) => return Ok(()),
                    Kind::Var(x) if x.id == v => return Ok(()),
                    _ => return Err(format!("memory {} is assigned from another one", v.0)),
                }
            }
        }
        Ok(())
    }

    fn call(&mut self, func: FuncId, args: &[Term], dst: Option<VarId>) -> Checked {
        let Some(callee) = self.program.functions.get(func.0 as usize) else { return Err("the callee does not exist".to_owned()) };
        ensure(args.len() == callee.params.len(), || format!("{} arguments for '{}'", args.len(), callee.name))?;
        for (t, p) in args.iter().zip(&callee.params) {
            let ty = self.program.var(*p).ty;
            self.value(*t, ty)?;
        }
        match (dst, callee.result) {
            (None, _) => Ok(()),
            (Some(v), Some(r)) => {
                let (to, from) = (self.var_ty(v)?, self.program.var(r).ty);
                ensure(to == from, || format!("the result of '{}' goes into a variable of another type", callee.name))
            }
            (Some(_), None) => Err(format!("'{}' has no result", callee.name)),
        }
    }

    fn var_ty(&self, v: VarId) -> Result<VarTy, String> {
        match self.program.vars.get(v.0 as usize) {
            Some(info) if info.func.is_none() || info.func == Some(self.func) => Ok(info.ty),
            Some(info) => Err(format!("variable '{}' belongs to another function", info.name)),
            None => Err(format!("variable {} does not exist", v.0)),
        }
    }

    fn region(&self, r: u32) -> Checked {
        ensure((r as usize) < self.program.regions.len(), || format!("region {r} does not exist"))
    }

    fn sorted(&mut self, t: Term, sort: Sort) -> Checked {
        ensure(t.sort() == sort, || format!("a term of sort {:?} where {sort:?} is due", t.sort()))?;
        self.term(t)
    }

    /// A term whose values all belong to `ty`.
    fn value(&mut self, t: Term, ty: VarTy) -> Checked {
        self.sorted(t, ty.sort())?;
        match ty {
            VarTy::Scalar(Scalar::Int(i)) => ensure(in_range(t, i), || format!("a value that may not fit {i}: {t}")),
            _ => Ok(()),
        }
    }

    fn term(&mut self, t: Term) -> Checked {
        let mut stack = vec![t];
        while let Some(n) = stack.pop() {
            if !self.seen.insert(n) {
                continue;
            }
            self.node(n)?;
            stack.extend(n.children());
        }
        Ok(())
    }

    fn node(&self, n: Term) -> Checked {
        match n.kind() {
            Kind::Var(Var { id, version, ty }) => {
                ensure(*version == 0, || "a variable at another version".to_owned())?;
                let declared = self.var_ty(*id)?;
                ensure(declared == *ty, || format!("variable {} is used as {ty:?} but is {declared:?}", id.0))
            }
            Kind::Load(s, m, _) | Kind::Store(s, m, ..) => match m.sort() {
                Sort::Mem(Cell::Byte) => Ok(()),
                Sort::Mem(Cell::Scalar(c)) => ensure(c == *s, || format!("an access of type {s} to cells of type {c}")),
                other => Err(format!("an access to a term of sort {other:?}")),
            },
            Kind::Splice { mem, src, .. } => ensure(mem.sort() == src.sort(), || "a splice of different memories".to_owned()),
            _ => Ok(()),
        }
    }
}

/// Whether the shape of a term shows that its value is one of `ty`. Ranges end at 2^127, so 128-bit values are told by their types.
fn in_range(t: Term, ty: IntTy) -> bool {
    let mut stack = vec![t];
    while let Some(t) = stack.pop() {
        let shown = t.range().fits(ty)
            || match t.kind() {
                Kind::Wrap(w, _) | Kind::Load(Scalar::Int(w), ..) => *w == ty,
                Kind::Var(Var { ty: VarTy::Scalar(Scalar::Int(v)), .. }) => *v == ty,
                Kind::Int(v) => ty.contains(v),
                Kind::Ite(_, a, b) => {
                    stack.extend([*a, *b]);
                    true
                }
                _ => false,
            };
        if !shown {
            return false;
        }
    }
    true
}
