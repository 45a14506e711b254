//! Calls: of functions with bodies, through pointers, of functions that nobody defines.

use plumb_cfa::{Extern, FuncId, InputSource, Op, Ub, VarKind};
use plumb_term::{FCmpOp, Float, IBig, Scalar, Span, Term, VarId};

use super::assign::calls_nothing;
use super::cx::{IndirectCall, Mark};
use super::place::{LValue, Mem, Place, Value};
use super::scope::Entry;
use super::{determined, Instance, Lowerer};
use crate::ast::*;
use crate::lex::Fallible;
use crate::pointsto::Shape;
use crate::types::{Kind, Ty, Types};
use crate::Symbol;

/// How a parameter or result travels.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot {
    /// In a variable.
    Var(VarId, Ty),
    /// In an object of the callee, for aggregates.
    Object(Mem, Ty),
}

/// How a function is called.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signature {
    pub params: Vec<Slot>,
    /// The parameter that holds the address of the variadic arguments.
    pub varargs: Option<VarId>,
    pub result: Option<Slot>,
}

/// Calls of one library function beyond this many share bodies.
const MAX_CLONES: usize = 64;

/// What the C standard and POSIX say of the results of functions that plumb does not model.
fn library_range(name: &str) -> Option<(i64, i64)> {
    match name {
        "rand" | "random" | "lrand48" => Some((0, i64::from(i32::MAX))),
        "mrand48" => Some((i64::from(i32::MIN), i64::from(i32::MAX))),
        "getpid" | "getppid" => Some((1, i64::MAX)),
        "time" | "clock" | "ftell" | "open" | "creat" | "fileno" | "dup" | "socket" => Some((-1, i64::MAX)),
        "fclose" | "fseek" | "close" | "remove" | "rename" | "unlink" | "rmdir" | "chdir" | "access" | "usleep" => Some((-1, 0)),
        "isatty" => Some((0, 1)),
        "getchar" | "getc" | "fgetc" | "_IO_getc" | "getchar_unlocked" | "getc_unlocked" => Some((-1, 255)),
        _ => None,
    }
}

impl<'a> Lowerer<'a> {
    /// A call. With `direct` an aggregate result may be read from the callee's own object, which the next call overwrites.
    pub(super) fn call_expr(&mut self, e: &'a Expr, direct: bool) -> Fallible<Value> {
        let ExprKind::Call { callee, args, .. } = &e.kind else { return self.expr(e) };
        let span = e.span;
        self.cx.span = span;
        let value = match &callee.kind {
            ExprKind::Ident(name) => match self.lookup(*name) {
                Some(Entry::Func(f)) => self.call_named(f, args, span)?,
                None => {
                    if let Some(value) = self.woven_call(*name, args, span)? {
                        value
                    } else if let Some(value) = self.builtin(*name, args, span)? {
                        value
                    } else {
                        let f = match self.linked.get(name) {
                            Some(Entry::Func(f)) => *f,
                            _ => self.declare_implicit(*name, span),
                        };
                        self.call_named(f, args, span)?
                    }
                }
                Some(_) => self.call_pointer(callee, args, span)?,
            },
            ExprKind::Unary { op: UnaryOp::Deref | UnaryOp::AddrOf, operand } => match &operand.kind {
                ExprKind::Ident(name) => match self.lookup(*name) {
                    Some(Entry::Func(f)) => self.call_named(f, args, span)?,
                    _ => self.call_pointer(callee, args, span)?,
                },
                _ => self.call_pointer(callee, args, span)?,
            },
            _ => self.call_pointer(callee, args, span)?,
        };
        match value.mem {
            Some(mem) if !direct && self.cx.unevaluated == 0 => {
                let own = self.temp_object(value.ty, span)?;
                self.copy(own, mem, value.ty, span)?;
                Ok(Value::aggregate(value.ty, own))
            }
            _ => Ok(value),
        }
    }

    /// Something of a type, where nothing is evaluated.
    pub(super) fn dummy(&mut self, ty: Ty) -> Value {
        if ty == Types::VOID {
            return Value::void();
        }
        if self.types.scalar(ty).is_some() {
            let t = self.temp(ty);
            return self.read_var(t, ty);
        }
        let node = self.pts.fresh();
        Value::aggregate(ty, Mem { addr: Term::int(0x10000), node, shape: Shape::Raw, known: true })
    }

    fn call_named(&mut self, f: usize, args: &'a [Expr], span: Span) -> Fallible<Value> {
        let name = self.funcs[f].name;
        let ret = self.types.as_function(self.funcs[f].ty).map_or(Types::INT, |t| t.ret);
        if self.is_odd(f, span) {
            return Ok(self.dummy(ret));
        }
        if self.error_calls.contains(&name) {
            self.calls_in(args)?;
            self.error_here();
            return Ok(self.dummy(ret));
        }
        if self.funcs[f].def.is_none() && !self.is_foreign(f) {
            if let Some(value) = self.builtin(name, args, span)? {
                return if value.ty == Types::VOID || self.types.scalar(ret).is_none() {
                    Ok(value)
                } else {
                    self.convert(&value, ret, span)
                };
            }
        }
        if self.cx.unevaluated > 0 {
            return Ok(self.dummy(ret));
        }
        let values = self.arguments(f, args)?;
        self.call_function(f, &values, span)
    }

    /// The error is reached.
    pub(super) fn error_here(&mut self) {
        if self.cx.unevaluated == 0 {
            // A location of its own: the current one may turn out to be where a condition is tested.
            self.cx.emit(Op::Skip);
            self.restrict_error(self.cx.span);
            let error = self.cx.cur;
            // The location may have been made by the statement before; the error is here.
            self.cx.locs[error.index()].span = self.cx.span;
            self.cx.errors.push(error);
            self.cx.cur = self.cx.new_loc();
        }
    }

    /// Evaluates those arguments of a call that ends the execution which may end it earlier; the others do not matter.
    pub(super) fn calls_in(&mut self, args: &'a [Expr]) -> Fallible<()> {
        args.iter().filter(|e| !calls_nothing(e)).try_for_each(|e| self.effect(e))
    }

    /// Argument values, each as it was when it was evaluated.
    pub(super) fn evaluate_all(&mut self, args: &'a [Expr]) -> Fallible<Vec<Value>> {
        let mut values: Vec<(Value, Mark)> = Vec::with_capacity(args.len());
        for arg in args {
            let v = self.expr(arg)?;
            values.push((v, self.cx.mark()));
        }
        Ok(values.into_iter().map(|(v, mark)| self.protect(mark, &v)).collect())
    }

    /// Argument values converted to the parameters' types where those are known.
    fn arguments(&mut self, f: usize, args: &'a [Expr]) -> Fallible<Vec<Value>> {
        let params = self.types.as_function(self.funcs[f].ty).and_then(|t| t.params.clone());
        self.arguments_for(params.as_deref(), args)
    }

    fn arguments_for(&mut self, params: Option<&[Ty]>, args: &'a [Expr]) -> Fallible<Vec<Value>> {
        let mut values: Vec<(Value, Mark)> = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            let v = self.expr(arg)?;
            let v = match params.and_then(|p| p.get(i)) {
                Some(ty) => self.convert_argument(&v, *ty, arg.span)?,
                None => self.promote_argument(&v, arg.span)?,
            };
            values.push((v, self.cx.mark()));
        }
        Ok(values.into_iter().map(|(v, mark)| self.protect(mark, &v)).collect())
    }

    fn convert_argument(&mut self, v: &Value, ty: Ty, span: Span) -> Fallible<Value> {
        // A transparent union takes the value of any member.
        if let (Some(r), true) = (self.types.as_record(ty), self.types.scalar(v.ty).is_some()) {
            if self.types.record(r).is_union() {
                let mem = self.temp_object(ty, span)?;
                self.assign_place(&LValue { ty: v.ty, place: Place::Mem(mem) }, v, span)?;
                return Ok(Value::aggregate(ty, mem));
            }
        }
        self.convert(v, ty, span)
    }

    /// Calls a function given its evaluated arguments.
    pub(super) fn call_function(&mut self, f: usize, args: &[Value], span: Span) -> Fallible<Value> {
        let body = self.body_of(f);
        if self.is_odd(f, span) {
            return Ok(self.odd_result(f));
        }
        if self.funcs[body].def.is_none() {
            return self.call_extern(f, args, span);
        }
        let id = self.instance(body, false)?;
        let value = self.call_instance(id, args, span)?;
        let noreturn = self.funcs[f].noreturn;
        if noreturn {
            self.cx.stop(Op::Guard { cond: Term::ff(), ub: Ub::Unreachable });
        }
        // The caller's declaration decides the type.
        let ret = self.types.as_function(self.funcs[f].ty).map_or(Types::INT, |t| t.ret);
        if value.ty == Types::VOID && self.types.scalar(ret).is_some() {
            return Ok(self.dummy(ret));
        }
        Ok(value)
    }

    pub(super) fn call_instance(&mut self, id: FuncId, args: &[Value], span: Span) -> Fallible<Value> {
        let signature = self.instances[id.0 as usize].signature.clone();
        let mut terms = Vec::with_capacity(signature.params.len());
        for (i, slot) in signature.params.iter().enumerate() {
            match (slot, args.get(i)) {
                (Slot::Var(v, ty), Some(arg)) => {
                    let arg = self.convert(arg, *ty, span)?;
                    let node = self.var_node(*v);
                    self.flow(&arg, *ty, node);
                    terms.push(arg.term);
                }
                (Slot::Var(v, ty), None) => {
                    let name = self.vars[v.0 as usize].name.clone();
                    let value = self.havoc(*ty, InputSource::Uninit(name));
                    terms.push(value.term);
                }
                (Slot::Object(mem, ty), Some(arg)) => {
                    let place = LValue { ty: *ty, place: Place::Mem(*mem) };
                    self.assign_place(&place, arg, span)?;
                }
                (Slot::Object(..), None) => {}
            }
        }
        if let Some(v) = signature.varargs {
            let rest = args.get(signature.params.len()..).unwrap_or(&[]);
            let block = self.pass_varargs(rest, span)?;
            let node = self.var_node(v);
            self.flow(&block, Types::CHAR_PTR, node);
            terms.push(block.term);
        }
        self.cx.span = span;
        match signature.result {
            None => {
                self.cx.emit(Op::Call { func: id, args: terms, dst: None });
                Ok(Value::void())
            }
            Some(Slot::Object(mem, ty)) => {
                self.cx.emit(Op::Call { func: id, args: terms, dst: None });
                Ok(Value::aggregate(ty, mem))
            }
            Some(Slot::Var(v, ty)) => {
                let dst = self.temp(ty);
                let node = self.var_node(v);
                self.var_nodes[dst.0 as usize] = Some(node);
                self.cx.emit(Op::Call { func: id, args: terms, dst: Some(dst) });
                Ok(self.read_var(dst, ty))
            }
        }
    }

    /// The instance of a defined function; library functions get one per call, so that unrelated calls do not mix their memory.
    pub(super) fn instance(&mut self, f: usize, shared: bool) -> Fallible<FuncId> {
        if self.funcs[f].library && !shared {
            let clones = self.library_clones.entry(f).or_default();
            if clones.len() >= MAX_CLONES {
                return Ok(clones[0]);
            }
            // Calls among library functions share the first clone, so that recursion ends.
            if self.units[self.unit].library {
                if let Some(first) = clones.first() {
                    return Ok(*first);
                }
            }
            let id = self.new_instance(f)?;
            self.library_clones.entry(f).or_default().push(id);
            return Ok(id);
        }
        if let Some(id) = self.funcs[f].id {
            return Ok(id);
        }
        let id = self.new_instance(f)?;
        self.funcs[f].id = Some(id);
        Ok(id)
    }

    fn new_instance(&mut self, f: usize) -> Fallible<FuncId> {
        let id = FuncId(self.instances.len() as u32);
        self.instances.push(Instance { func: f, signature: Signature::default(), body: None });
        let signature = self.signature(f, id)?;
        self.instances[id.0 as usize].signature = signature;
        self.queue.push(id);
        Ok(id)
    }

    /// A call of a function without a body: any result of its type.
    fn call_extern(&mut self, f: usize, args: &[Value], span: Span) -> Fallible<Value> {
        let name = self.name(self.funcs[f].name).to_owned();
        if self.has_hidden_effects(f, args) {
            self.unsupported(span, format!("the effects of the function '{name}'"));
        }
        let ret = self.types.as_function(self.funcs[f].ty).map_or(Types::INT, |t| t.ret);
        let noreturn = self.funcs[f].noreturn;
        self.note_extern(&name, span);
        let value = self.extern_result(&name, ret, span)?;
        if noreturn {
            self.cx.stop(Op::Halt { status: None });
        }
        Ok(value)
    }

    pub(super) fn note_extern(&mut self, name: &str, span: Span) {
        if self.extern_names.insert(name.to_owned()) {
            self.externs.push(Extern { name: name.to_owned(), span });
        }
    }

    pub(super) fn extern_result(&mut self, name: &str, ret: Ty, span: Span) -> Fallible<Value> {
        if ret == Types::VOID {
            return Ok(Value::void());
        }
        if self.types.scalar(ret).is_some() {
            if determined::is_determined(name) {
                return Ok(self.havoc(ret, InputSource::Abstracted(name.to_owned())));
            }
            let value = self.havoc(ret, InputSource::Extern(name.to_owned()));
            if let (Some((low, high)), true) = (library_range(name), self.types.is_integer(ret)) {
                self.assume(Term::int(low).less_eq(value.term).and(value.term.less_eq(Term::int(high))));
            }
            if let ("drand48", Some(Scalar::Float(t))) = (name, self.types.scalar(ret)) {
                let border = |n: u8| Term::float(Float::from_int(t, &IBig::from(n)));
                self.assume(Term::fcmp(FCmpOp::Le, border(0), value.term).and(Term::fcmp(FCmpOp::Lt, value.term, border(1))));
            }
            return Ok(value);
        }
        if let Kind::Unsupported(what) = self.types.kind(ret) {
            let what = (*what).to_owned();
            self.unsupported(span, what);
            return Ok(self.int_zero());
        }
        if determined::is_determined(name) {
            self.unsupported(span, format!("the function '{name}'"));
            return Ok(self.dummy(ret));
        }
        let mem = self.temp_object(ret, span)?;
        self.mark_contents_external(&mem);
        Ok(Value::aggregate(ret, mem))
    }

    /// A call through a pointer: one branch for each function it may mean.
    fn call_pointer(&mut self, callee: &'a Expr, args: &'a [Expr], span: Span) -> Fallible<Value> {
        let pointer = self.expr(callee)?;
        let Some(ty) = self.types.as_function(pointer.ty) else {
            if self.types.is_integer(pointer.ty) && self.cx.unevaluated == 0 {
                self.unsupported(span, "a call of an integer");
                return Ok(self.int_zero());
            }
            return self.invalid(span, format!("a value of type '{}' cannot be called", self.show(pointer.ty)));
        };
        if self.cx.unevaluated > 0 {
            return Ok(self.dummy(ty.ret));
        }
        let mark = self.cx.mark();
        let values = self.arguments_for(ty.params.as_deref(), args)?;
        let pointer = self.protect(mark, &pointer);
        self.cx.span = span;
        self.call_through(&pointer, &ty, &values, span)
    }

    pub(super) fn call_through(&mut self, pointer: &Value, ty: &crate::types::FuncType, values: &[Value], span: Span) -> Fallible<Value> {
        let targets: Vec<usize> = self.targets.clone().into_iter().filter(|f| self.callable_as(*f, ty, values.len())).collect();
        let addresses: Vec<Term> = targets.iter().map(|f| Term::int(self.function_address(*f))).collect();
        let known = Term::any(addresses.iter().map(|a| pointer.term.equals(*a)));
        if known.is_false() {
            self.cx.stop(Op::Guard { cond: known, ub: Ub::BadCall });
            return Ok(self.dummy(ty.ret));
        }
        self.guard(known, Ub::BadCall);
        let guarded = self.cx.cur;
        let scalar = self.types.scalar(ty.ret).is_some();
        let result = if scalar { Some(self.temp(ty.ret)) } else { None };
        let object = if !scalar && self.types.is_record(ty.ret) { Some(self.temp_object(ty.ret, span)?) } else { None };
        let end = self.cx.new_loc();
        let start = self.cx.cur;
        let mut branches = Vec::with_capacity(targets.len());
        for (f, addr) in targets.iter().zip(&addresses) {
            let branch = self.cx.new_loc();
            let chosen = pointer.term.equals(*addr);
            branches.push((*f, chosen, branch));
            self.cx.edge(start, branch, Op::Assume(chosen));
            self.cx.cur = branch;
            let value = match self.known_by_value(*f, values, span)? {
                Some(value) => value,
                None => self.call_function(*f, values, span)?,
            };
            if let Some(t) = result {
                if value.ty != Types::VOID {
                    let value = self.convert(&value, ty.ret, span)?;
                    self.set_var(t, &value);
                }
            }
            if let (Some(to), Some(_)) = (object, value.mem) {
                let place = LValue { ty: ty.ret, place: Place::Mem(to) };
                self.assign_place(&place, &value, span)?;
            }
            let from = self.cx.cur;
            self.cx.edge(from, end, Op::Skip);
        }
        if let Some(node) = pointer.node {
            self.cx.indirect.push(IndirectCall { node, known, start: guarded, branches });
        }
        self.cx.cur = end;
        Ok(match (result, object) {
            (Some(t), _) => self.read_var(t, ty.ret),
            (_, Some(mem)) => Value::aggregate(ty.ret, mem),
            _ => Value::void(),
        })
    }

    /// Whether a function can be called through a pointer of type `ty`.
    fn callable_as(&self, f: usize, ty: &crate::types::FuncType, given: usize) -> bool {
        let Some(own) = self.types.as_function(self.funcs[f].ty) else { return false };
        let alike = |a: Ty, b: Ty| match (self.types.scalar(a), self.types.scalar(b)) {
            (Some(x), Some(y)) => matches!(x, plumb_term::Scalar::Int(_)) == matches!(y, plumb_term::Scalar::Int(_)),
            (None, None) => self.types.size(a) == self.types.size(b),
            _ => false,
        };
        let returns = own.ret == ty.ret || ty.ret == Types::VOID || alike(own.ret, ty.ret);
        let takes = match (&own.params, &ty.params) {
            (Some(a), Some(b)) => {
                let common = a.iter().zip(b).all(|(x, y)| alike(*x, *y));
                common && (a.len() == b.len() || (own.variadic && a.len() <= b.len()))
            }
            (Some(a), None) => a.len() == given || (own.variadic && a.len() <= given),
            _ => true,
        };
        returns && takes
    }

    /// A function's address.
    pub(super) fn function_address(&mut self, f: usize) -> u64 {
        // A pointer to a library function and one to its declaration are the same.
        if let Some(addr) = self.funcs[f].addr {
            return addr;
        }
        let addr = self.next_code;
        self.next_code += 16;
        self.funcs[f].addr = Some(addr);
        addr
    }

    pub(super) fn function_value(&mut self, f: usize) -> Value {
        self.odd_address(f);
        let ty = self.funcs[f].ty;
        let node = self.funcs[f].node.unwrap_or_else(|| self.pts.object());
        self.funcs[f].node = Some(node);
        Value::new(ty, Term::int(self.function_address(f)), Some(node))
    }

    /// Calls a function of plumb's library by name.
    pub(super) fn call_library(&mut self, name: &str, args: &[Value], span: Span) -> Fallible<Value> {
        let f = self.names.get(name).and_then(|s: Symbol| self.library_function(s));
        match f {
            Some(f) => {
                let id = self.instance(f, false)?;
                self.call_instance(id, args, span)
            }
            None => {
                self.unsupported(span, format!("the function '{name}'"));
                Ok(self.int_zero())
            }
        }
    }

    /// A result variable of a function under construction.
    pub(super) fn result_var(&mut self, ty: Ty, id: FuncId, span: Span) -> VarId {
        let (var_ty, c_type) = (self.var_ty(ty), self.show(ty));
        self.new_var("<result>".to_owned(), c_type, var_ty, VarKind::Result, Some(id), span)
    }
}
