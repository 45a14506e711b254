//! The inputs of an execution as C: functions that return them, initial values of variables, contents of memory.

use super::edit::{declarator_end, Edits};
use super::support::{c_type, listed, Support};
use crate::execution::Execution;
use crate::source::Place;
use crate::subject::Subject;
use plumb_cfa::interp::{Event, Origin, Write};
use plumb_cfa::{InputSource, Object, Op, Program, Storage, VarKind};
use plumb_term::eval::Value;
use plumb_term::{Scalar, VarId, VarTy};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Bytes to set in an object, by offset, for each beginning of its lifetime (none: for all).
type Contents = BTreeMap<Option<u64>, Vec<(u64, u8)>>;

/// Functions whose recorded input is whether they fail.
const ALLOCATORS: [&str; 6] = ["malloc", "calloc", "realloc", "aligned_alloc", "memalign", "valloc"];

/// Functions that write through their arguments: their effect cannot be supplied as a result.
const WRITERS: [&str; 6] = ["scanf", "fscanf", "sscanf", "read", "fread", "fgets"];

fn scalar(program: &Program, v: VarId) -> Option<Scalar> {
    match program.var(v).ty {
        VarTy::Scalar(s) => Some(s),
        _ => None,
    }
}

fn value_of(event: &Event, var: VarId) -> Option<&Value> {
    event.writes.iter().find_map(|w| match w {
        Write::Var(v, value) if *v == var => value.as_ref(),
        _ => None,
    })
}

fn op_of<'p>(program: &'p Program, event: &Event) -> Option<&'p Op> {
    Some(&program.function(event.func).graph.edge(event.edge?).op)
}

/// Functions without a body return the values of the execution, in order.
pub(super) fn functions(subject: &Subject<'_>, execution: &Execution, support: &mut Support<'_>) -> Result<(), String> {
    let program = subject.program;
    let mut lists: BTreeMap<&str, (Scalar, Vec<Value>)> = BTreeMap::new();
    for f in &program.functions {
        for (_, edge) in f.graph.edges() {
            if let Op::Havoc { var, source: InputSource::Nondet(name) | InputSource::Extern(name) } = &edge.op {
                if let Some(ty) = scalar(program, *var).filter(|_| !ALLOCATORS.contains(&name.as_str())) {
                    lists.entry(name).or_insert((ty, Vec::new()));
                }
            }
        }
    }
    for event in &execution.events {
        let Some(Op::Havoc { var, source }) = op_of(program, event) else { continue };
        match source {
            InputSource::Nondet(name) | InputSource::Extern(name) => {
                if WRITERS.contains(&name.as_str()) {
                    return Err(format!("the path depends on what {name} writes"));
                }
                if ALLOCATORS.contains(&name.as_str()) {
                    continue;
                }
                if let Some(((_, values), value)) = lists.get_mut(name.as_str()).zip(value_of(event, *var)) {
                    values.push(value.clone());
                }
            }
            InputSource::Asm => return Err("the path depends on the outputs of an asm statement".to_owned()),
            InputSource::Abstracted(what) => return Err(format!("the path depends on {what}, which plumb does not compute")),
            InputSource::Uninit(_) => {}
        }
    }
    for (name, (ty, values)) in lists {
        support.function(name, c_type(ty), "void", &listed(&values, ty));
    }
    for e in &program.externs {
        support.function(&e.name, "void", "void", "");
    }
    // Calls in code that was never lowered must link too.
    let mut named: Vec<String> = Vec::new();
    for f in subject.sources.files() {
        for t in crate::scan::Scanner::new(&f.bytes, 0) {
            let word = &f.bytes[t.start..t.end];
            if word.starts_with(b"__VERIFIER_nondet_") && !named.iter().any(|n| n.as_bytes() == word) {
                named.push(String::from_utf8_lossy(word).into_owned());
            }
        }
    }
    for name in named {
        support.function(&name, "long long", "void", "return 0;");
    }
    Ok(())
}

/// Uninitialised variables that are read get their values at their declarations.
pub(super) fn variables(subject: &Subject<'_>, execution: &Execution, support: &mut Support<'_>, edits: &mut Edits) -> Result<(), String> {
    let program = subject.program;
    for var in execution.uninitialised_reads(program) {
        let info = program.var(var);
        if info.kind != VarKind::Source {
            return Err("the path depends on a value that was never computed".to_owned());
        }
        let begun = |e: &&Event| matches!(op_of(program, e), Some(Op::Havoc { var: v, .. }) if *v == var);
        // In a block that can be entered past the declaration the variable begins twice; the declaration itself comes last.
        let declared = execution.events.iter().rev().find(begun).map(|e| (e.func, e.edge));
        let values: Vec<Value> = execution
            .events
            .iter()
            .filter(begun)
            .filter(|e| Some((e.func, e.edge)) == declared)
            .filter_map(|e| value_of(e, var).cloned())
            .collect();
        let missing = || format!("the declaration of the uninitialised variable {} was not found in the source text", info.name);
        let place = subject.sources.place(&program.sources, info.span).ok_or_else(missing)?;
        let end = declarator_end(subject.sources.text(place), place.offset, &info.name).ok_or_else(missing)?;
        if end.byte == b'=' {
            return Err(format!("the initialisation of {} is jumped over", info.name));
        }
        let ty = scalar(program, var).ok_or_else(missing)?;
        let name = support.fresh("value");
        let (result, body) = if info.c_type.contains('*') {
            ("void *", listed(&values, ty).replace("? values[next++]", "? (void *)(unsigned long)values[next++]"))
        } else {
            (c_type(ty), listed(&values, ty))
        };
        support.declare(&format!("{result} {name}(void);\n"));
        support.define(&format!("{result} {name}(void) {{ {body} }}\n"));
        edits.insert(Place { offset: end.at, ..place }, format!(" = {name}()"));
    }
    Ok(())
}

/// Uninitialised memory that is read gets its contents after the declaration, or in `malloc`.
pub(super) fn memory(subject: &Subject<'_>, execution: &Execution, support: &mut Support<'_>, edits: &mut Edits) -> Result<(), String> {
    let program = subject.program;
    let mut objects: BTreeMap<u64, Contents> = BTreeMap::new();
    let mut heap: BTreeMap<usize, Vec<(u64, u8)>> = BTreeMap::new();
    let calls = allocations(program, execution);
    for (cell, content) in &execution.cells {
        let bytes = (0..cell.ty.bytes()).map(|i| (content >> (8 * i)) as u8);
        if let Some(object) = program.object_at(cell.addr) {
            let turn = match cell.origin {
                Origin::Initial => None,
                Origin::Havoc(n) => Some(n),
            };
            let list = objects.entry(object.addr).or_default().entry(turn).or_default();
            list.extend(bytes.enumerate().map(|(i, b)| (cell.addr - object.addr + i as u64, b)));
        } else {
            let (index, base) = allocation(&calls, cell.addr)?;
            heap.entry(index).or_default().extend(bytes.enumerate().map(|(i, b)| (cell.addr - base + i as u64, b)));
        }
    }
    for (addr, turns) in objects {
        if let Some(object) = program.object_at(addr) {
            fill(subject, execution, object, &turns, support, edits)?;
        }
    }
    let fails: Vec<usize> = calls.iter().filter(|a| a.heap).enumerate().filter(|(_, a)| a.base.is_none()).map(|(i, _)| i).collect();
    if !heap.is_empty() || !fails.is_empty() {
        allocator(&heap, &fails, support);
    }
    Ok(())
}

/// A call of an allocation function, or a dynamic object of another kind.
#[derive(Debug)]
struct Allocation {
    /// The block; none if the call failed.
    base: Option<u64>,
    heap: bool,
}

/// Allocations in order. Where they can fail, an input before each says whether it does.
fn allocations(program: &Program, execution: &Execution) -> Vec<Allocation> {
    let mut out: Vec<Allocation> = Vec::new();
    let mut asked = false;
    for event in &execution.events {
        match op_of(program, event) {
            Some(Op::Havoc { source: InputSource::Extern(name), .. }) if ALLOCATORS.contains(&name.as_str()) => {
                out.push(Allocation { base: None, heap: true });
                asked = true;
            }
            Some(Op::Alloc { dst, storage, .. }) => {
                let base = match value_of(event, *dst) {
                    Some(Value::Int(v)) => u64::try_from(v).ok(),
                    _ => None,
                };
                let heap = *storage == Storage::Heap;
                match out.last_mut().filter(|last| heap && asked && last.base.is_none()) {
                    Some(last) => last.base = base,
                    None => out.push(Allocation { base, heap }),
                }
                asked &= !heap;
            }
            _ => {}
        }
    }
    out
}

/// Which call of an allocation function made the block around `addr`, and where the block starts.
fn allocation(calls: &[Allocation], addr: u64) -> Result<(usize, u64), String> {
    let before = calls.iter().enumerate().filter_map(|(i, a)| Some((a.base.filter(|b| *b <= addr)?, i)));
    match before.max().filter(|(_, i)| calls[*i].heap) {
        Some((base, i)) => Ok((calls[..i].iter().filter(|a| a.heap).count(), base)),
        None => Err("the path depends on uninitialised memory of a variable-length array, alloca or a recursive function".to_owned()),
    }
}

fn stores(bytes: &[(u64, u8)]) -> String {
    bytes.iter().fold(String::new(), |mut out, (at, b)| {
        let _ = write!(out, " p[{at}] = {b};");
        out
    })
}

fn fill(
    subject: &Subject<'_>,
    execution: &Execution,
    object: &Object,
    turns: &Contents,
    support: &mut Support<'_>,
    edits: &mut Edits,
) -> Result<(), String> {
    let program = subject.program;
    let missing = || format!("the declaration of the uninitialised object {} was not found in the source text", object.name);
    let place = subject.sources.place(&program.sources, object.span).ok_or_else(missing)?;
    let end = declarator_end(subject.sources.text(place), place.offset, &object.name).ok_or_else(missing)?;
    // The beginnings of the object's lifetime, by their numbers among all such events.
    let mut lifetimes = Vec::new();
    let mut nth = 0;
    for event in &execution.events {
        if let Some(Op::HavocMem { addr, .. }) = op_of(program, event) {
            if addr.as_int().and_then(|a| u64::try_from(a).ok()) == Some(object.addr) {
                lifetimes.push(nth);
            }
            nth += 1;
        }
    }
    let mut body = String::from("unsigned char *p = object; static unsigned turn; ");
    if let Some(bytes) = turns.get(&None) {
        let _ = write!(body, "{}", stores(bytes));
    }
    body.push_str(" switch (turn++) {");
    for (turn, lifetime) in lifetimes.iter().enumerate() {
        if let Some(bytes) = turns.get(&Some(*lifetime)) {
            let _ = write!(body, " case {turn}:{} break;", stores(bytes));
        }
    }
    body.push_str(" }");
    let name = support.fresh("contents");
    support.declare(&format!("void {name}(void *);\n"));
    support.define(&format!("void {name}(void *object) {{ {body} }}\n"));
    edits.insert(Place { offset: end.after, ..place }, format!(" {name}((void *)&{});", object.name));
    Ok(())
}

/// An allocator of its own, so that the contents of new blocks are known.
fn allocator(heap: &BTreeMap<usize, Vec<(u64, u8)>>, fails: &[usize], support: &mut Support<'_>) {
    let mut cases = String::new();
    for (index, bytes) in heap {
        let _ = write!(cases, " case {index}:{} break;", stores(bytes));
    }
    let failing: String = fails.iter().map(|i| format!(" case {i}:")).collect();
    let failing = if fails.is_empty() { String::new() } else { format!("switch (turn) {{{failing} turn++; return 0; }}\n  ") };
    support.define(&format!(
        "static unsigned char plumb_pool[1 << 26] __attribute__((aligned(16)));\n\
         static unsigned long plumb_used = 16;\n\
         static void *plumb_allocate(unsigned long size, int zeroed) {{\n  static unsigned turn;\n  \
         unsigned char *p = plumb_pool + plumb_used;\n  if (size > sizeof plumb_pool - plumb_used - 64) return 0;\n  {failing}\
         *(unsigned long *)(p - 16) = size;\n  plumb_used += (size + 47) / 16 * 16;\n  \
         if (zeroed) turn++; else switch (turn++) {{{cases} }}\n  return p;\n}}\n\
         static void plumb_quiet(void) __attribute__((constructor));\n\
         extern int plumb_setvbuf(void *, char *, int, unsigned long) __asm__(\"setvbuf\");\n\
         extern void *plumb_stdout __asm__(\"stdout\");\n\
         static void plumb_quiet(void) {{ plumb_setvbuf(plumb_stdout, 0, 2, 0); }}\n"
    ));
    support.function("malloc", "void *", "unsigned long size", "return plumb_allocate(size, 0);");
    support.function("calloc", "void *", "unsigned long n, unsigned long size", "return plumb_allocate(n * size, 1);");
    support.function("free", "void", "void *p", "(void)p;");
    let copy = "unsigned char *new = plumb_allocate(size, 0), *old = p; \
                unsigned long i, n = old ? *(unsigned long *)(old - 16) : 0; \
                if (new) for (i = 0; i < n && i < size; i++) new[i] = old[i]; return new;";
    support.function("realloc", "void *", "void *p, unsigned long size", copy);
}
