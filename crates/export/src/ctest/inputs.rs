//! The inputs of an execution as C: functions that return or write them, variables that hold them.

use super::asm;
use super::edit::Edits;
use super::entry;
use super::support::{c_type, constant, listed, Support};
use crate::execution::Execution;
use crate::subject::Subject;
use plumb_cfa::interp::LENT_FROM;
use plumb_cfa::interp::{Event, Write};
use plumb_cfa::{InputSource, Op, Program};
use plumb_term::eval::Value;
use plumb_term::{IntTy, Scalar, VarId, VarTy};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Functions whose recorded input is whether they fail.
pub(super) const ALLOCATORS: [&str; 6] = ["malloc", "calloc", "realloc", "aligned_alloc", "memalign", "valloc"];

/// Variables of the C library that it needs itself.
const LIBRARY_VARIABLES: [&str; 12] =
    ["stdin", "stdout", "stderr", "environ", "__environ", "optarg", "optind", "opterr", "optopt", "timezone", "daylight", "tzname"];

/// Whether a variable belongs to the C library.
pub(super) fn is_library_variable(name: &str) -> bool {
    LIBRARY_VARIABLES.contains(&name)
}

/// The name that C gives a reading function, whatever the headers call it.
fn reader(name: &str) -> Option<&str> {
    let plain = name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name);
    matches!(plain, "scanf" | "fscanf" | "sscanf").then_some(plain)
}

pub(super) fn scalar(program: &Program, v: VarId) -> Option<Scalar> {
    match program.var(v).ty {
        VarTy::Scalar(s) => Some(s),
        // A mathematical integer: what the function returns is converted where it is called.
        VarTy::Int => Some(Scalar::Int(IntTy::I64)),
        _ => None,
    }
}

/// Whether a value can be that of a variable in the compiled program; a mathematical integer need not.
fn check_machine(program: &Program, var: VarId, value: &Value) -> Result<(), String> {
    match (program.var(var).ty, value) {
        (VarTy::Int, Value::Int(v)) if *v < IntTy::I32.min() || *v > IntTy::I32.max() => {
            Err(format!("the path depends on the mathematical integer {v}"))
        }
        _ => Ok(()),
    }
}

pub(super) fn value_of(event: &Event, var: VarId) -> Option<&Value> {
    event.writes.iter().find_map(|w| match w {
        Write::Var(v, value) if *v == var => value.as_ref(),
        _ => None,
    })
}

pub(super) fn op_of<'p>(program: &'p Program, event: &Event) -> Option<&'p Op> {
    Some(&program.function(event.func).graph.edge(event.edge?).op)
}

/// Refuses an input that is a pointer into an object: the compiled program has its objects elsewhere.
pub(super) fn check_pointer(program: &Program, var: VarId, value: &Value) -> Result<(), String> {
    let address = match value {
        Value::Int(v) if program.var(var).c_type.contains('*') => u64::try_from(v).ok(),
        _ => None,
    };
    let Some(address) = address.filter(|a| *a != 0) else { return Ok(()) };
    let object = program.object_at(address).map(|o| &o.name);
    match object.or_else(|| program.functions.iter().find(|f| f.addr == address).map(|f| &f.name)) {
        Some(name) => Err(format!("the path depends on a pointer from outside that points to {name}")),
        None if (program.heap_base..LENT_FROM).contains(&address) => {
            Err("the path may depend on a pointer from outside into memory that the program allocates".to_owned())
        }
        None => Ok(()),
    }
}

/// Whether an input of this name is a function's result; others stand for variables without a definition and arguments of `main`.
fn is_result(program: &Program, in_entry: bool, var: VarId, name: &str) -> bool {
    !(in_entry && (program.var(var).name == name || matches!(name, "argc" | "main")))
}

/// A call of a reading function: the writes, and what it returns.
struct Reading {
    written: String,
    result: String,
}

/// Functions without a body return the values of the execution, in order; variables without a definition start with theirs.
pub(super) fn functions(subject: &Subject<'_>, execution: &Execution, support: &mut Support<'_>, edits: &mut Edits) -> Result<(), String> {
    let program = subject.program;
    let mut lists: BTreeMap<&str, (Scalar, Vec<Value>)> = BTreeMap::new();
    for (id, f) in (0u32..).zip(&program.functions) {
        let in_entry = program.entry.0 == id;
        for (_, edge) in f.graph.edges() {
            if let Op::Havoc { var, source: InputSource::Nondet(name) | InputSource::Extern(name) } = &edge.op {
                let own = ALLOCATORS.contains(&name.as_str()) || reader(name).is_some() || !is_result(program, in_entry, *var, name);
                if let Some(ty) = scalar(program, *var).filter(|_| !own) {
                    lists.entry(name).or_insert((ty, Vec::new()));
                }
            }
        }
    }
    let mut readings: BTreeMap<&str, Vec<Reading>> = BTreeMap::new();
    let mut outputs = asm::Outputs::default();
    for event in &execution.inputs {
        let Some(Op::Havoc { var, source }) = op_of(program, event) else { continue };
        let (Some(ty), Some(value)) = (scalar(program, *var), value_of(event, *var)) else { continue };
        check_machine(program, *var, value)?;
        match source {
            InputSource::Nondet(name) | InputSource::Extern(name) if !is_result(program, event.func == program.entry, *var, name) => {
                match name.as_str() {
                    "argc" => entry::argument_count(subject, value, support, edits)?,
                    "main" => return Err("the path depends on an argument of main".to_owned()),
                    _ if is_library_variable(name) => {}
                    _ => support.variable(name, c_type(ty), &format!(" = {}", constant(value, ty))),
                }
            }
            InputSource::Nondet(name) | InputSource::Extern(name) => {
                if let Some(reader) = reader(name) {
                    readings.entry(reader).or_default().push(Reading { written: String::new(), result: constant(value, ty) });
                } else if let Some((_, values)) = lists.get_mut(name.as_str()) {
                    check_pointer(program, *var, value)?;
                    values.push(value.clone());
                }
            }
            InputSource::Written(name) => {
                if let Some(reading) = reader(name).and_then(|r| readings.get_mut(r)?.last_mut()) {
                    let _ = write!(reading.written, " *({} *)__builtin_va_arg(list, void *) = {};", c_type(ty), constant(value, ty));
                }
            }
            InputSource::Asm => outputs.add(event, ty, value),
            InputSource::Abstracted(what) => return Err(format!("the path depends on {what}, which plumb does not compute")),
            InputSource::Uninit(_) => {}
        }
    }
    outputs.write(subject, support, edits)?;
    for (name, calls) in readings {
        read_back(name, &calls, support);
    }
    for (name, (ty, values)) in lists {
        support.function(name, c_type(ty), "void", &listed(&values, ty));
    }
    for e in &program.externs {
        if e.name != "asm" && reader(&e.name).is_none() {
            support.function(&e.name, "void", "void", "");
        }
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

/// A reading function that writes what the execution read, call by call. The headers of C libraries give it other symbols.
fn read_back(name: &str, calls: &[Reading], support: &mut Support<'_>) {
    let next = support.fresh("read");
    let calls: String =
        calls.iter().enumerate().map(|(i, Reading { written, result })| format!(" case {i}:{written} return {result};")).collect();
    support.define(&format!(
        "static int {next}(__builtin_va_list list) {{ static unsigned turn; switch (turn++) {{{calls} }} (void)list; return -1; }}\n"
    ));
    let parameters = if name == "scanf" { "const char *format, ..." } else { "void *from, const char *format, ..." };
    let body =
        format!("__builtin_va_list list; int n; __builtin_va_start(list, format); n = {next}(list); __builtin_va_end(list); return n;");
    for prefix in ["", "__isoc99_", "__isoc23_"] {
        support.function(&format!("{prefix}{name}"), "int", parameters, &body);
    }
}
