//! The textual form of a program: everything it consists of, in a fixed order and a notation close to C.
//!
//! For reading, for comparing in tests and for bug reports: two programs print the same exactly if they have the same
//! variables, regions, objects, functions, locations and edges. Variables print as `name#index`, so that equal C names stay apart.

use crate::graph::Loc;
use crate::op::{InputSource, Op, Storage};
use crate::program::{FuncId, Function, Program, VarKind};
use plumb_term::{Cell, Term, VarId, VarTy};
use std::fmt;

/// A program as text.
pub struct Text<'p>(pub &'p Program);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let p = self.0;
        let s = p.semantics;
        writeln!(
            f,
            "program {:?}, signed overflow {:?}, integers {:?}, malloc may fail: {}",
            s.model, s.signed_overflow, s.integers, s.malloc_may_fail
        )?;
        writeln!(f, "entry {}, heap {} from {:#x}", func_name(p, p.entry), var_name(p, p.heap_top), p.heap_base)?;
        for e in &p.externs {
            writeln!(f, "extern {}  // {}", e.name, p.sources.show(e.span))?;
        }
        for (i, v) in p.vars.iter().enumerate() {
            let place = v.func.map_or_else(|| "global".to_owned(), |g| format!("in {}", func_name(p, g)));
            let kind = match v.kind {
                VarKind::Source => "",
                VarKind::Temp => ", temporary",
                VarKind::Result => ", result",
                VarKind::Region(_) => ", region",
                VarKind::HeapTop => ", heap top",
            };
            let name = var_name(p, VarId(i as u32));
            writeln!(f, "var {name}: {} ({}) {place}{kind}  // {}", var_ty(v.ty), v.c_type, p.sources.show(v.span))?;
        }
        for (i, r) in p.regions.iter().enumerate() {
            writeln!(f, "region {i}: {} of {}", var_name(p, r.var), cell(r.cell))?;
        }
        for o in &p.objects {
            let place = o.func.map_or_else(|| "static".to_owned(), |g| format!("in {}", func_name(p, g)));
            let constant = if o.read_only { ", read-only" } else { "" };
            let span = p.sources.show(o.span);
            writeln!(
                f,
                "object {:?} at {:#x}, {} bytes, region {}, {place}{constant}: {:?}  // {span}",
                o.name, o.addr, o.size, o.region.0, o.layout
            )?;
        }
        for i in 0..p.functions.len() {
            write_function(p, FuncId(i as u32), f)?;
        }
        Ok(())
    }
}

fn write_function(p: &Program, id: FuncId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Function { name, span, params, result, locals, graph, entry, exit, addr, errors } = p.function(id);
    let list = |vs: &[VarId]| vs.iter().map(|v| var_name(p, *v)).collect::<Vec<_>>().join(", ");
    write!(f, "\nfunction {name}({})", list(params))?;
    if let Some(r) = result {
        write!(f, " -> {}", var_name(p, *r))?;
    }
    writeln!(f, " at {addr:#x}  // {}", p.sources.show(*span))?;
    writeln!(f, "  locals {}", list(locals))?;
    let errors = errors.iter().map(|l| loc_name(*l)).collect::<Vec<_>>().join(", ");
    writeln!(f, "  entry {}, exit {}, errors [{errors}]", loc_name(*entry), loc_name(*exit))?;
    for l in graph.locs() {
        write!(f, "  {}:", loc_name(l))?;
        let info = graph.loc(l);
        if let Some(label) = &info.label {
            write!(f, " label {label}")?;
        }
        if let Some(s) = info.loop_span {
            write!(f, " loop {}", p.sources.show(s))?;
        }
        writeln!(f, "  // {}", p.sources.show(info.span))?;
        for e in graph.out_edges(l) {
            let e = graph.edge(*e);
            writeln!(f, "    {} -> {}  // {}", op(p, &e.op), loc_name(e.to), p.sources.show(e.span))?;
        }
    }
    Ok(())
}

/// A location, `L12`.
pub fn loc_name(l: Loc) -> String {
    format!("L{}", l.0)
}

fn func_name(p: &Program, f: FuncId) -> String {
    p.functions.get(f.0 as usize).map_or_else(|| format!("function {}", f.0), |f| f.name.clone())
}

/// A variable, `name#index`.
pub fn var_name(p: &Program, v: VarId) -> String {
    let name = p.vars.get(v.0 as usize).map_or("?", |v| v.name.as_str());
    format!("{name}#{}", v.0)
}

fn var_ty(ty: VarTy) -> String {
    match ty {
        VarTy::Bool => "bool".into(),
        VarTy::Int => "integer".into(),
        VarTy::Scalar(s) => s.to_string(),
        VarTy::Mem(c) => format!("memory of {}", cell(c)),
    }
}

fn cell(c: Cell) -> String {
    match c {
        Cell::Byte => "bytes".into(),
        Cell::Scalar(s) => s.to_string(),
    }
}

/// A term with the program's names.
pub fn term(p: &Program, t: Term) -> String {
    let name = |v: plumb_term::Var| match v.version {
        0 => var_name(p, v.id),
        n => format!("{}@{n}", var_name(p, v.id)),
    };
    let text = plumb_term::print::show(t, &name).to_string();
    text
}

fn source(s: &InputSource) -> String {
    match s {
        InputSource::Nondet(n) => format!("nondet {n}"),
        InputSource::Uninit(n) => format!("uninitialised {n}"),
        InputSource::Extern(n) => format!("extern {n}"),
        InputSource::Written(n) => format!("written by {n}"),
        InputSource::Asm => "asm".into(),
        InputSource::Abstracted(n) => format!("abstracted {n}"),
    }
}

/// An operation.
pub fn op(p: &Program, op: &Op) -> String {
    let t = |t: &Term| term(p, *t);
    let v = |v: &VarId| var_name(p, *v);
    let to = |dst: &Option<VarId>| dst.as_ref().map_or_else(String::new, |d| format!("{} := ", v(d)));
    match op {
        Op::Skip => "skip".into(),
        Op::Assume(c) => format!("assume {}", t(c)),
        Op::Guard { cond, ub } => format!("guard {} else {}", t(cond), ub.describe()),
        Op::Assign(updates) => {
            let left = updates.iter().map(|(x, _)| v(x)).collect::<Vec<_>>().join(", ");
            let right = updates.iter().map(|(_, e)| t(e)).collect::<Vec<_>>().join(", ");
            format!("{left} := {right}")
        }
        Op::Havoc { var, source: s } => format!("{} := any ({})", v(var), source(s)),
        Op::HavocMem { region, addr, len } => format!("{} [{}, +{}) := any", v(&p.region(*region).var), t(addr), t(len)),
        Op::EndLife { addr } => format!("end of life of {}", t(addr)),
        Op::Alloc { dst, size, region, storage, zeroed } => {
            let storage = match storage {
                Storage::Heap => "heap",
                Storage::Frame => "frame",
                Storage::Block => "block",
            };
            let zeroed = if *zeroed { ", zeroed" } else { "" };
            format!("{} := new {} bytes in region {} on the {storage}{zeroed}", v(dst), t(size), region.0)
        }
        Op::Free { addr } => format!("free {}", t(addr)),
        Op::Call { func, args, dst } => {
            format!("{}{}({})", to(dst), func_name(p, *func), args.iter().map(t).collect::<Vec<_>>().join(", "))
        }
        Op::Output { name, args, dst } => {
            let args = args.iter().map(|(ty, a)| format!("{ty} {}", t(a))).collect::<Vec<_>>().join(", ");
            format!("{}output {name}({args})", to(dst))
        }
        Op::Halt { status } => match status {
            Some(s) => format!("halt {}", t(s)),
            None => "halt by signal".into(),
        },
        Op::Unsupported(what) => format!("unsupported {what:?}"),
    }
}
