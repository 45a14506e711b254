//! Walking a program along its logical reading ([`plumb_cfa::effect`]) from given inputs, to see which edge takes which.
//!
//! A trace is a list of inputs without places. A pass that removes or splits inputs finds their places by walking. What a walk yields
//! is replayed by the interpreter afterwards; this is not another definition of the semantics.

use plumb_cfa::callgraph::CallGraph;
use plumb_cfa::{CallSite, EdgeId, Effect, FuncId, Input, Loc, Op, Program, RegionId};
use plumb_term::eval::{Evaluator, MemValue, Value};
use plumb_term::{Float, IBig, Kind, Scalar, Term, Var, VarId, VarTy};
use std::collections::BTreeMap;

/// How a walk ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At an error.
    Error(FuncId, Loc),
    /// At the end of the program, or where no edge can be crossed.
    Stopped,
    /// Nobody had an input, or the steps were used up.
    Incomplete,
}

/// Zero of a type.
pub fn zero(ty: VarTy) -> Value {
    match ty {
        VarTy::Bool => Value::Bool(false),
        VarTy::Int | VarTy::Scalar(Scalar::Int(_)) => Value::Int(IBig::ZERO),
        VarTy::Scalar(Scalar::Float(t)) => Value::Float(Float { ty: t, bits: 0 }),
        VarTy::Mem(c) => Value::Mem(MemValue::zero(c)),
    }
}

struct Frame {
    /// The callee's variables as its activation below has them, if it is recursive.
    saved: Vec<(VarId, Value)>,
}

/// A change of a memory.
enum Write {
    Scalar(Scalar, IBig, Value),
    Splice(MemValue, IBig, IBig),
}

enum Update {
    Var(VarId, Value),
    Memory(VarId, Vec<Write>),
}

/// A walk: the values of the variables, and what is called.
struct Walk<'p> {
    program: &'p Program,
    calls: CallGraph,
    vars: Vec<Value>,
    sites: Vec<CallSite>,
    frames: Vec<Frame>,
}

/// Gives the value for an input of an edge.
pub type Supply<'a> = &'a mut dyn FnMut(FuncId, EdgeId, &Input) -> Option<Value>;

/// Is told the pending calls, the place and the values of the variables.
pub type See<'a> = &'a mut dyn FnMut(&[CallSite], FuncId, Loc, &[Value]);

/// Is told an edge.
pub type Cross<'a> = &'a mut dyn FnMut(FuncId, EdgeId);

/// Walks from the entry; `see` is told every location that is come to.
pub fn walk(program: &Program, memory: &BTreeMap<RegionId, MemValue>, steps: u64, supply: Supply<'_>, see: See<'_>) -> End {
    observe(program, memory, steps, supply, see, &mut |_, _| {})
}

/// Walks from the entry; `see` is told every location that is come to, `cross` every edge that is taken, calls included.
pub fn observe(
    program: &Program,
    memory: &BTreeMap<RegionId, MemValue>,
    mut steps: u64,
    supply: Supply<'_>,
    see: See<'_>,
    cross: Cross<'_>,
) -> End {
    let mut vars: Vec<Value> = program.vars.iter().map(|v| zero(v.ty)).collect();
    for (r, m) in memory {
        vars[program.region(*r).var.0 as usize] = Value::Mem(m.clone());
    }
    vars[program.heap_top.0 as usize] = Value::Int(IBig::from(program.heap_base));
    let mut w = Walk { program, calls: CallGraph::new(program), vars, sites: Vec::new(), frames: Vec::new() };
    let (mut func, mut loc) = (program.entry, program.function(program.entry).entry);
    loop {
        see(&w.sites, func, loc, &w.vars);
        let f = program.function(func);
        if f.errors.contains(&loc) {
            return End::Error(func, loc);
        }
        if loc == f.exit {
            match w.leave(func) {
                Some(at) => (func, loc) = at,
                None => return End::Stopped,
            }
            continue;
        }
        if steps == 0 {
            return End::Incomplete;
        }
        steps -= 1;
        match w.step(func, loc, supply, cross) {
            Ok(Some(at)) => (func, loc) = at,
            Ok(None) => return End::Stopped,
            Err(()) => return End::Incomplete,
        }
    }
}

impl Walk<'_> {
    fn step(&mut self, func: FuncId, loc: Loc, supply: Supply<'_>, cross: Cross<'_>) -> Result<Option<(FuncId, Loc)>, ()> {
        let program = self.program;
        let graph = &program.function(func).graph;
        for id in graph.out_edges(loc) {
            let edge = graph.edge(*id);
            if let Op::Assume(c) = edge.op {
                if self.eval(&[c], &[])?.first() == Some(&Value::Bool(true)) {
                    cross(func, *id);
                    return Ok(Some((func, edge.to)));
                }
                continue;
            }
            if let Op::Call { func: callee, args, .. } = &edge.op {
                let values = self.eval(args, &[])?;
                let f = program.function(*callee);
                let saved = if self.calls.is_recursive(*callee) { self.locals(*callee) } else { Vec::new() };
                self.sites.push(CallSite { func, edge: *id });
                self.frames.push(Frame { saved });
                for (p, v) in f.params.iter().zip(values) {
                    self.vars[p.0 as usize] = v;
                }
                cross(func, *id);
                return Ok(Some((*callee, f.entry)));
            }
            let Some(effect) = Effect::of(&edge.op, program) else { return Ok(None) };
            if self.eval(&[effect.assume], &[])?.first() != Some(&Value::Bool(true)) {
                return Ok(None);
            }
            let mut inputs = Vec::new();
            for i in &effect.inputs {
                inputs.push((i.var, supply(func, *id, i).ok_or(())?));
            }
            let updates = self.updates(&effect, &inputs)?;
            for u in updates {
                self.apply(u);
            }
            cross(func, *id);
            return Ok(Some((func, edge.to)));
        }
        Ok(None)
    }

    fn leave(&mut self, func: FuncId) -> Option<(FuncId, Loc)> {
        let (site, frame) = (self.sites.pop()?, self.frames.pop()?);
        let result = self.program.function(func).result.map(|r| self.vars[r.0 as usize].clone());
        for (v, value) in frame.saved {
            self.vars[v.0 as usize] = value;
        }
        let edge = self.program.function(site.func).graph.edge(site.edge);
        if let (Op::Call { dst: Some(d), .. }, Some(r)) = (&edge.op, result) {
            self.vars[d.0 as usize] = r;
        }
        Some((site.func, edge.to))
    }

    fn locals(&self, f: FuncId) -> Vec<(VarId, Value)> {
        let own = self.program.vars.iter().enumerate().filter(|(_, v)| v.func == Some(f));
        own.map(|(i, _)| (VarId(i as u32), self.vars[i].clone())).collect()
    }

    fn eval(&self, terms: &[Term], inputs: &[(Var, Value)]) -> Result<Vec<Value>, ()> {
        let env = |v: Var| match inputs.iter().find(|i| i.0 == v) {
            Some((_, value)) => Some(value.clone()),
            None => self.vars.get(v.id.0 as usize).cloned(),
        };
        let mut e = Evaluator::new(&env);
        terms.iter().map(|t| e.eval(*t).ok_or(())).collect()
    }

    fn updates(&self, effect: &Effect, inputs: &[(Var, Value)]) -> Result<Vec<Update>, ()> {
        let mut out = Vec::new();
        for (v, t) in &effect.updates {
            out.push(match self.program.is_memory(*v) {
                true => self.writes(*v, *t, inputs)?,
                false => Update::Var(*v, self.eval(&[*t], inputs)?.swap_remove(0)),
            });
        }
        Ok(out)
    }

    /// What turns a memory into the value of `t`: a chain of writes is not evaluated as a whole, so that the memory need not be copied.
    fn writes(&self, m: VarId, t: Term, inputs: &[(Var, Value)]) -> Result<Update, ()> {
        let mut writes = Vec::new();
        let mut now = t;
        loop {
            match now.kind() {
                Kind::Store(ty, inner, a, v) => {
                    let values = self.eval(&[*a, *v], inputs)?;
                    let [Value::Int(a), v] = values.as_slice() else { return Err(()) };
                    writes.push(Write::Scalar(*ty, a.clone(), v.clone()));
                    now = *inner;
                }
                Kind::Splice { mem, src, lo, len } => {
                    let values = self.eval(&[*src, *lo, *len], inputs)?;
                    let [Value::Mem(src), Value::Int(lo), Value::Int(len)] = values.as_slice() else { return Err(()) };
                    writes.push(Write::Splice(src.clone(), lo.clone(), len.clone()));
                    now = *mem;
                }
                Kind::Var(v) if v.id == m => {
                    writes.reverse();
                    return Ok(Update::Memory(m, writes));
                }
                _ => return Ok(Update::Var(m, self.eval(&[t], inputs)?.swap_remove(0))),
            }
        }
    }

    fn apply(&mut self, update: Update) {
        match update {
            Update::Var(v, value) => self.vars[v.0 as usize] = value,
            Update::Memory(m, writes) => {
                if let Value::Mem(memory) = &mut self.vars[m.0 as usize] {
                    for w in writes {
                        match w {
                            Write::Scalar(ty, a, v) => memory.store(ty, &a, &v),
                            Write::Splice(src, lo, len) => *memory = memory.splice(&src, &lo, &len),
                        }
                    }
                }
            }
        }
    }
}
