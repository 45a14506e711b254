//! Uninitialised memory on which the path depends gets its contents where the object begins: after a declaration, around a call,
//! in `malloc`, or, if it is the environment's, before `main`.

use super::edit::{declarator_end, in_parentheses, Edits};
use super::entry;
use super::heap::allocator;
use super::inputs::{is_library_variable, op_of, value_of, ALLOCATORS};
use super::lent::lend;
use super::support::Support;
use crate::execution::Execution;
use crate::scan;
use crate::source::Place;
use crate::subject::Subject;
use plumb_cfa::interp::{Event, Origin};
use plumb_cfa::{Edge, EdgeId, FuncId, InputSource, Object, Op, Program, Storage};
use plumb_term::eval::Value;
use plumb_term::{visit, IBig, Kind, VarId};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The last block of the heap is taken to be this large.
const LAST_BLOCK: u64 = 1 << 16;

/// Bytes to set in an object, by offset.
type Bytes = Vec<(u64, u8)>;

/// Bytes to set in an object for each beginning of its lifetime (none: for all).
type Contents = BTreeMap<Option<u64>, Bytes>;

/// Whether a call fills memory with any contents.
fn writes_anything(subject: &Subject<'_>) -> bool {
    let program = subject.program;
    let edges = program.functions.iter().flat_map(|f| f.graph.edges());
    let mut filling = edges.filter(|(_, e)| matches!(e.op, Op::HavocMem { .. }));
    filling.any(|(_, e)| {
        let place = subject.sources.place(&program.sources, e.span);
        place.is_some_and(|p| scan::ident_at(subject.sources.text(p), p.offset) == "__VERIFIER_nondet_memory")
    })
}

/// Makes the contents of uninitialised memory explicit.
pub(super) fn memory(subject: &Subject<'_>, execution: &Execution, support: &mut Support<'_>, edits: &mut Edits) -> Result<(), String> {
    let program = subject.program;
    let mut objects: BTreeMap<u64, Contents> = BTreeMap::new();
    let mut heap: BTreeMap<usize, Bytes> = BTreeMap::new();
    let mut frames: BTreeMap<(FuncId, EdgeId), BTreeMap<usize, Bytes>> = BTreeMap::new();
    let calls = allocations(program, execution);
    let mut lent = Bytes::new();
    if execution.cells.iter().any(|(cell, _)| cell.origin != Origin::Initial) && writes_anything(subject) {
        return Err("the path may depend on memory into which __VERIFIER_nondet_memory writes".to_owned());
    }
    for (cell, content) in &execution.cells {
        let bytes = (0..cell.ty.bytes()).map(|i| (content >> (8 * i)) as u8);
        if cell.ty.bytes() == program.pointer().bytes() && is_elsewhere(program, &calls, *content) {
            return Err("the path may depend on a pointer in uninitialised memory that points to an object of the program".to_owned());
        }
        if execution.lent.iter().any(|(addr, size)| (*addr..addr + size).contains(&cell.addr)) {
            if cell.origin != Origin::Initial {
                return Err("the path depends on memory from outside that changes".to_owned());
            }
            lent.extend(bytes.enumerate().map(|(i, b)| (cell.addr + i as u64, b)));
        } else if let Some(object) = program.object_at(cell.addr) {
            let turn = match cell.origin {
                Origin::Initial => None,
                Origin::Havoc(n) => Some(n),
            };
            let list = objects.entry(object.addr).or_default().entry(turn).or_default();
            list.extend(bytes.enumerate().map(|(i, b)| (cell.addr - object.addr + i as u64, b)));
        } else {
            let before = calls.iter().filter_map(|a| Some((a.base.filter(|b| *b <= cell.addr)?, a)));
            let (base, call) = before.max_by_key(|(base, _)| *base).ok_or("the path depends on memory that nothing made")?;
            let list = match call.frame {
                None => heap.entry(call.turn).or_default(),
                Some(at) => frames.entry(at).or_default().entry(call.turn).or_default(),
            };
            list.extend(bytes.enumerate().map(|(i, b)| (cell.addr - base + i as u64, b)));
        }
    }
    lend(subject, &execution.lent, &lent, support)?;
    undefined(program, execution, &mut objects, support);
    for (addr, turns) in objects {
        let Some(object) = program.object_at(addr) else { continue };
        let vector = ["<argv>", "<envp>"].iter().position(|n| *n == object.name);
        match vector {
            Some(i) => {
                entry::argument_vector(subject, i + 1, object.size, &turns.into_values().flatten().collect::<Bytes>(), support, edits)?
            }
            None => fill(subject, execution, object, &turns, support, edits)?,
        }
    }
    for ((func, edge), turns) in frames {
        let missing = || "the declaration of an uninitialised object was not found in the source text".to_owned();
        let span = program.function(func).graph.edge(edge).span;
        let place = subject.sources.place(&program.sources, span).ok_or_else(missing)?;
        let name = scan::ident_at(subject.sources.text(place), place.offset).to_owned();
        let turns: Vec<(usize, &Bytes)> = turns.iter().map(|(turn, bytes)| (*turn, bytes)).collect();
        let contents = contents(&[], &turns, support);
        begin(subject, place, &name, &contents, edits).ok_or_else(missing)?;
    }
    let fails: Vec<usize> = calls.iter().filter(|a| a.frame.is_none() && a.base.is_none()).map(|a| a.turn).collect();
    if !heap.is_empty() || !fails.is_empty() {
        allocator(&heap, &fails, support);
    }
    Ok(())
}

/// Whether a word may be a pointer into an object, which the compiled program has elsewhere.
fn is_elsewhere(program: &Program, calls: &[Allocation], content: u128) -> bool {
    let Ok(address) = u64::try_from(content) else { return false };
    let heap = calls.iter().filter_map(|c| c.base).max().map(|last| program.heap_base..last + LAST_BLOCK);
    program.object_at(address).is_some() || heap.is_some_and(|h| h.contains(&address))
}

/// A call of an allocation function, or a dynamic object of another kind.
#[derive(Debug)]
struct Allocation {
    /// The block; none if the call failed.
    base: Option<u64>,
    /// Where an object that lives no longer than its function is made; none on the heap.
    frame: Option<(FuncId, EdgeId)>,
    /// How many were made there before; on the heap, how many anywhere.
    turn: usize,
}

/// Allocations in order. Where they can fail, an input before each says whether it does.
fn allocations(program: &Program, execution: &Execution) -> Vec<Allocation> {
    let mut out: Vec<Allocation> = Vec::new();
    let mut turns: BTreeMap<Option<(FuncId, EdgeId)>, usize> = BTreeMap::new();
    let mut turn = |frame| {
        let next = turns.entry(frame).or_default();
        *next += 1;
        *next - 1
    };
    let mut asked = false;
    for event in &execution.inputs {
        match op_of(program, event) {
            Some(Op::Havoc { source: InputSource::Extern(name), .. }) if ALLOCATORS.contains(&name.as_str()) => {
                out.push(Allocation { base: None, frame: None, turn: turn(None) });
                asked = true;
            }
            Some(Op::Alloc { dst, storage, .. }) => {
                let base = match value_of(event, *dst) {
                    Some(Value::Int(v)) => u64::try_from(v + header(program, event.func, *dst)).ok(),
                    _ => None,
                };
                let heap = *storage == Storage::Heap;
                match out.last_mut().filter(|last| heap && asked && last.base.is_none()) {
                    Some(last) => last.base = base,
                    None => {
                        let frame = event.edge.filter(|_| !heap).map(|e| (event.func, e));
                        out.push(Allocation { base, frame, turn: turn(frame) });
                    }
                }
                asked &= !heap;
            }
            _ => {}
        }
    }
    out
}

/// What lies before the address that the program gets for a new block: `dst` is moved over it.
fn header(program: &Program, func: FuncId, dst: VarId) -> IBig {
    let moved = |(_, edge): (EdgeId, &Edge)| match &edge.op {
        Op::Assign(updates) => updates.iter().filter(|u| u.0 == dst).find_map(|(_, t)| {
            let inner = match t.kind() {
                Kind::Wrap(_, x) => *x,
                _ => *t,
            };
            let (constant, parts) = visit::linear_form(inner);
            matches!(&parts[..], [(_, atom)] if atom.as_var().is_some_and(|v| v.id == dst)).then_some(constant)
        }),
        _ => None,
    };
    program.function(func).graph.edges().find_map(moved).unwrap_or(IBig::ZERO)
}

/// C that sets the bytes of the object at `p`.
pub(super) fn stores(bytes: &[(u64, u8)]) -> String {
    bytes.iter().fold(String::new(), |mut out, (at, b)| {
        let _ = write!(out, " p[{at}] = {b};");
        out
    })
}

/// The address of the object whose contents begin here.
fn begins(program: &Program, event: &Event) -> Option<u64> {
    match op_of(program, event) {
        Some(Op::HavocMem { addr, .. }) => addr.as_int().and_then(|a| u64::try_from(a).ok()),
        _ => None,
    }
}

/// Objects that are declared and never defined: the test defines them with their contents.
fn undefined(program: &Program, execution: &Execution, objects: &mut BTreeMap<u64, Contents>, support: &mut Support<'_>) {
    for event in execution.inputs.iter().filter(|e| e.func == program.entry) {
        let Some(object) = begins(program, event).and_then(|a| program.object_at(a)) else { continue };
        if object.name.starts_with('<') {
            continue;
        }
        let bytes: Bytes = objects.remove(&object.addr).into_iter().flat_map(|turns| turns.into_values().flatten()).collect();
        if !is_library_variable(&object.name) {
            let list: String = bytes.iter().map(|(at, b)| format!(" [{at}] = {b},")).collect();
            let rest = format!("[{}] = {{{list} }}", object.size.max(1));
            support.variable(&object.name, "__attribute__((aligned(16))) unsigned char", &rest);
        }
    }
}

/// A function that sets the contents of an object, by how often it was called before; its name.
fn contents(always: &[(u64, u8)], turns: &[(usize, &Bytes)], support: &mut Support<'_>) -> String {
    let mut body = String::from("unsigned char *p = object; static unsigned turn;");
    body.push_str(&stores(always));
    body.push_str(" switch (turn++) {");
    for (turn, bytes) in turns {
        let _ = write!(body, " case {turn}:{} break;", stores(bytes));
    }
    body.push_str(" } return object;");
    let name = support.fresh("contents");
    support.declare(&format!("void *{name}(void *);\n"));
    support.define(&format!("void *{name}(void *object) {{ {body} }}\n"));
    name
}

/// Calls `contents` where the object `name` at `place` begins; none if the text there is neither a declaration nor a call.
fn begin(subject: &Subject<'_>, place: Place, name: &str, contents: &str, edits: &mut Edits) -> Option<()> {
    let text = subject.sources.text(place);
    let at = |offset| Place { offset, ..place };
    // The columns of a line with macros in it are those after their expansion.
    let blank = text[place.offset..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    let place = Place { offset: place.offset + blank, ..place };
    if let Some(close) = scan::call_end(text, place.offset) {
        let called = scan::ident_at(text, place.offset);
        if called.ends_with("alloca") {
            edits.insert(place, format!("{contents}("));
            edits.insert(at(close + 1), ")".to_owned());
        } else {
            edits.insert(place, "({ __auto_type plumb_result = ".to_owned());
            edits.insert(at(close + 1), format!("; {contents}((void *)&plumb_result); plumb_result; }})"));
        }
        return Some(());
    }
    if name.is_empty() || name.starts_with('<') {
        return None;
    }
    let end = declarator_end(text, place.offset, name)?;
    if in_parentheses(text, place.offset) {
        // Between the parentheses of a `for` there is no room for a statement, but for one more declarator.
        edits.insert(at(end.at), format!(", *plumb_{contents} = {contents}((void *)&{name})"));
    } else {
        edits.insert(at(end.after), format!(" {contents}((void *)&{name});"));
    }
    Some(())
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
    // The beginnings of the object's lifetime, by their numbers among all such events.
    let begun = execution.inputs.iter().filter(|e| matches!(op_of(program, e), Some(Op::HavocMem { .. })));
    let lifetimes = (0u64..).zip(begun).filter(|(_, e)| begins(program, e) == Some(object.addr)).map(|(nth, _)| nth);
    let by_turn: Vec<(usize, &Bytes)> = lifetimes.enumerate().filter_map(|(turn, nth)| Some((turn, turns.get(&Some(nth))?))).collect();
    let always = turns.get(&None).map_or(&[][..], Vec::as_slice);
    let contents = contents(always, &by_turn, support);
    begin(subject, place, &object.name, &contents, edits).ok_or_else(missing)
}
