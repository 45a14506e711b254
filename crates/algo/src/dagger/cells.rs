//! Arrays in numeric domains: distinguished cells.
//!
//! A memory of numbers has no dimension. Smashing gives it one for all its cells together, expansion one for each cell. Here there is one for the *distinguished* cell number `k`, whatever `k`
//! is: `k` and the cell's value `c` are two more variables, so what holds of them holds for all cells. An invariant that does not mention `k` is what smashing finds, one with `k = 3` is
//! what expansion finds, and `0 ≤ k < i ⟹ c = 0` is what neither can.
//!
//! - A way that reads cell `n` gets `c` if `n = k`, else any value; one that stores to `n` changes `c` if `n = k`.
//! - An execution that violates the property does so for each `k`; it is enough to exclude one. So a way to an error may assume that the last cell it read is
//!   the distinguished one, if no loop lies between: that choice is made when the last loop head is left ([`super::phases`]).
//! - Numeric domains are convex, cells before and after a loop's counter are not. So loop heads are told apart by whether the loop has come by the cell ([`super::phases`]).
//!
//! Addresses are taken not to wrap, numbers of cells to lie within the object. That is a belief: the proof says "for all k" about the program's memory, and the checker
//! accepts or rejects it. Error paths are executed exactly, as always.
//!
//! Sources: Monniaux and Gonnord, "Cell morphing" (SAS 2016), for the cells; Gopan, Reps and Sagiv, "A framework for numeric analysis of array operations" (POPL 2005), for the
//! partition before, at and after a counter.

use super::control::{needed, Control, Way};
use super::phases::{self, Product};
use crate::arrays::clauses::stores;
use crate::arrays::frame::{accesses, frames_at, Access, Frame};
use crate::arrays::reads::Reads;
use crate::ideal::Addresses;
use plumb_cfa::wto::Wto;
use plumb_cfa::{Loc, Point, Program, VarInfo, VarKind};
use plumb_term::visit::{substitute, vars};
use plumb_term::{Cell, IBig, IntTy, Scalar, Span, Term, Var, VarId, VarTy};
use plumb_verdict::Proof;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Reads are numbered from here on: control flow numbers its inputs from [`VarId::FIRST_AUX`] on.
const FIRST_READ: u32 = VarId::FIRST_AUX.0 + (1 << 28);

/// So many distinguished cells at most.
const MAX_COLUMNS: usize = 8;

/// How distinguished cells are numbered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbering {
    /// The cells of all columns have one number.
    Parallel,
    /// Each column's cell has its own.
    Each,
}

/// A distinguished cell.
#[derive(Clone, Debug)]
struct Column {
    memory: VarId,
    /// Which column of the memory's frame.
    column: usize,
    ty: Scalar,
    /// Its number: which key.
    key: usize,
    /// The variable that has its value.
    value: VarId,
}

/// A way as distinguished cells see it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The way, without memories.
    pub way: Way,
    /// By key: when the way comes by the cell; nothing if it accesses none that the key numbers.
    pub touches: Vec<Option<Term>>,
    /// By key: that the last cell that was read is the distinguished one.
    pub reads: Vec<Option<Term>>,
}

/// A program with distinguished cells.
pub struct Cells {
    /// The program with the variables of keys and cells, which it does not use.
    pub program: Program,
    /// Its control flow with these variables, and loop heads told apart.
    pub control: Control,
    columns: Vec<Column>,
    keys: Vec<VarId>,
    /// By key: the numbers that are looked at.
    within: Vec<Term>,
    /// By place, the memories' frames.
    frames: Vec<BTreeMap<VarId, Frame>>,
    /// By location of the program, its place: the innermost loop around it.
    places: Vec<usize>,
    /// By location of the new control flow, that of the program.
    origins: Vec<Loc>,
}

impl Cells {
    /// Of a program whose calls are inlined; nothing if it has no arrays of numbers that matter, or only one where each should have its number.
    pub fn new(program: &Program, control: &Control, numbering: Numbering) -> Option<Cells> {
        let all: BTreeSet<VarId> = control.needed.iter().flatten().copied().collect();
        let number = |m: VarId| match program.var(m).ty {
            VarTy::Mem(Cell::Scalar(Scalar::Int(i))) => Some(Scalar::Int(i)),
            _ => None,
        };
        let memories: Vec<(VarId, Scalar)> = all.iter().filter_map(|m| Some((*m, number(*m)?))).collect();
        if memories.is_empty() {
            return None;
        }
        let mut view = Addresses::default();
        let mut ways = control.ways.clone();
        for w in &mut ways {
            w.guard = view.term(w.guard);
            w.updates.values_mut().for_each(|t| *t = view.term(*t));
        }
        let wto = Wto::new(&control.shape(), control.entry);
        let places: Vec<usize> = (0..control.needed.len() as u32).map(|l| wto.innermost(Loc(l)).map_or(0, |c| 1 + c.0 as usize)).collect();
        let mut made: BTreeSet<Access> = BTreeSet::new();
        for w in &ways {
            let at = places[w.from.index()];
            w.updates.values().chain([&w.guard]).for_each(|t| accesses(program, at, *t, &mut made));
        }
        let spoken: Vec<VarId> = all.iter().copied().collect();
        let count = 1 + places.iter().copied().max().unwrap_or(0);
        let frames = frames_at(program, &vec![spoken.as_slice(); count], &made);
        let mut cells = Cells {
            program: program.clone(),
            control: control.clone(),
            columns: Vec::new(),
            keys: Vec::new(),
            within: Vec::new(),
            frames,
            places,
            origins: Vec::new(),
        };
        for (m, ty) in memories {
            let columns = cells.frames[0].get(&m).map_or(0, Frame::columns);
            for column in 0..columns {
                if numbering == Numbering::Each || cells.keys.is_empty() {
                    let key = cells.ghost("k", VarTy::Int);
                    cells.keys.push(key);
                }
                let value = cells.ghost("cell", VarTy::Scalar(ty));
                cells.columns.push(Column { memory: m, column, ty, key: cells.keys.len() - 1, value });
            }
        }
        let one = cells.keys.len() < 2;
        if cells.columns.len() > MAX_COLUMNS || (numbering == Numbering::Each && one) {
            return None;
        }
        cells.within = (0..cells.keys.len()).map(|k| cells.range(k)).collect();
        let mut next = FIRST_READ;
        let seen: Vec<Seen> = ways.iter().map(|w| cells.seen(w, &mut next)).collect();
        cells.build(&seen, &wto);
        Some(cells)
    }

    /// How many distinguished cells there are.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// The program's location that a location of the control flow is a copy of.
    pub fn origin(&self, l: Loc) -> Loc {
        self.origins[l.index()]
    }

    fn ghost(&mut self, name: &str, ty: VarTy) -> VarId {
        let id = VarId(self.program.vars.len() as u32);
        let (name, c_type) = (name.to_string(), String::new());
        self.program.vars.push(VarInfo { name, c_type, ty, func: None, kind: VarKind::Temp, span: Span::NONE });
        id
    }

    /// The numbers of cells that are looked at: those of an object, if it is known which one.
    fn range(&self, key: usize) -> Term {
        let k = self.key(key);
        let of = self.columns.iter().filter(|c| c.key == key);
        let extents = of.flat_map(|c| self.frames.iter().filter_map(|f| f.get(&c.memory))).map(|f| f.extent(&self.program));
        let most: Option<IBig> = extents.collect::<Option<Vec<IBig>>>().and_then(|e| e.into_iter().max());
        Term::int(0).less_eq(k).and(most.map_or_else(Term::tt, |n| k.less(Term::int(n))))
    }

    fn key(&self, key: usize) -> Term {
        Term::var(Var::new(self.keys[key], VarTy::Int))
    }

    fn frame(&self, at: Loc, c: &Column) -> &Frame {
        &self.frames[self.places[at.index()]][&c.memory]
    }

    /// The distinguished cell that has the number if the address is its own; further conditions go to `facts`.
    fn located(&self, at: Loc, memory: VarId, address: Term, reads: &mut Reads<'_>, facts: &mut Vec<Term>) -> Option<(usize, Term)> {
        let first = self.columns.iter().position(|c| c.memory == memory)?;
        let frame = self.frame(at, &self.columns[first]);
        match frame.locate(address) {
            Some((column, n)) => Some((first + column, n)),
            None if frame.columns() == 1 => {
                let n = reads.fresh(VarTy::Int);
                facts.push(frame.address(0, n).equals(address));
                Some((first, n))
            }
            None => None,
        }
    }

    /// A way without memories.
    fn seen(&self, w: &Way, next: &mut u32) -> Seen {
        let program = &self.program;
        let mut reads = Reads::new(next);
        let mut facts: Vec<Term> = Vec::new();
        let guard = reads.scalar(w.guard);
        let mut updates: BTreeMap<VarId, Term> = BTreeMap::new();
        for (v, t) in w.updates.iter().filter(|(v, _)| !program.is_memory(**v)) {
            updates.insert(*v, reads.scalar(*t));
        }
        let asked = reads.made.len();
        for c in &self.columns {
            let address = self.frame(w.to, c).address(c.column, self.key(c.key));
            let address = substitute(address, &|v| updates.get(&v.id).copied());
            let memory = w.updates.get(&c.memory).copied().unwrap_or_else(|| program.term(c.memory));
            updates.insert(c.value, reads.read(c.ty, memory, address));
        }
        let values: Vec<Term> = w.updates.values().copied().collect();
        let written: Vec<(VarId, Term)> = stores(&values).into_iter().map(|(m, a)| (m, reads.scalar(a))).collect();
        // What is read is the distinguished cell's value if the number is its own. A read's address may depend on those before it.
        let mut touches: Vec<Vec<Term>> = vec![Vec::new(); self.keys.len()];
        let mut last: Vec<Option<Term>> = vec![None; self.keys.len()];
        let mut known: FxHashMap<VarId, Term> = FxHashMap::default();
        let made = reads.made.clone();
        let accessed = made.iter().map(|r| (r.memory, r.address, Some(r.value))).chain(written.into_iter().map(|(m, a)| (m, a, None)));
        for (i, (memory, address, value)) in accessed.enumerate() {
            let address = substitute(address, &|v| known.get(&v.id).copied());
            let Some((column, n)) = self.located(w.from, memory, address, &mut reads, &mut facts) else { continue };
            let c = &self.columns[column];
            let here = n.equals(self.key(c.key));
            if let Some(x) = value.and_then(Term::as_var) {
                known.insert(x.id, Term::ite(here, program.term(c.value), Term::var(x)));
            }
            if !vars([n]).iter().any(|v| self.keys.contains(&v.id)) && !here.is_false() {
                touches[c.key].push(here);
                if i < asked {
                    last[c.key] = Some(here);
                }
            }
        }
        let put = |t: Term| substitute(t, &|v| known.get(&v.id).copied());
        let guard = put(Term::all(facts.into_iter().chain([guard])));
        let mut updates: BTreeMap<VarId, Term> = updates.into_iter().map(|(v, t)| (v, put(t))).collect();
        updates.retain(|v, t| *t != program.term(*v));
        let way = Way { guard, updates, ..w.clone() };
        let touches = touches.into_iter().map(|t| (!t.is_empty()).then(|| put(Term::any(t)))).collect();
        Seen { way, touches, reads: last.into_iter().map(|t| t.map(put)).collect() }
    }

    /// The control flow of ways as they are seen.
    fn build(&mut self, seen: &[Seen], wto: &Wto) {
        let start = Term::all(self.within.iter().copied());
        let whole: Vec<Way> = seen.iter().map(|s| self.with_all(s, start)).collect();
        let needed = needed(self.control.needed.len(), &whole);
        let Product { mut control, origins } = phases::product(&self.control, seen, wto, start);
        control.needed = origins.iter().map(|l| needed[l.index()].clone()).collect();
        self.control = control;
        self.origins = origins;
    }

    /// A way that mentions all that its copies mention.
    fn with_all(&self, s: &Seen, start: Term) -> Way {
        let about = s.touches.iter().chain(&s.reads).flatten().copied();
        // What is said does not matter here, but for its variables.
        let mention = Term::all(about.map(|t| t.or(start.not())));
        Way { guard: s.way.guard.and(mention), ..s.way.clone() }
    }

    /// A proof about the program's memory: for all numbers of cells.
    pub fn proof(&self, proof: Proof, known: &BTreeMap<Point, Vec<Term>>) -> Proof {
        let Proof { method, invariants } = proof;
        let mut at: BTreeMap<Point, Vec<Term>> = BTreeMap::new();
        for (point, t) in invariants {
            let loc = self.origin(point.loc);
            at.entry(Point { loc, ..point }).or_default().push(t);
        }
        let within: Vec<Term> = self.within.iter().flat_map(|t| t.conjuncts()).collect();
        let beyond: Vec<Term> = self.within.iter().map(|t| t.not()).collect();
        let invariants = at.into_iter().map(|(point, states)| {
            let fact = known.get(&point).map_or_else(Term::tt, |ts| Term::all(ts.iter().copied()));
            let said: BTreeSet<Term> = fact.conjuncts().into_iter().chain(within.iter().copied()).collect();
            let news = |t: Term| Term::all(t.conjuncts().into_iter().filter(|c| !said.contains(c)));
            let one_of = Term::any(beyond.iter().copied().chain(states.into_iter().map(news)));
            let t = self.about_memory(point.loc, one_of);
            (point, t.and(fact))
        });
        Proof { method, invariants: invariants.collect() }
    }

    /// A formula about distinguished cells as one about memories, at a location of the program.
    fn about_memory(&self, at: Loc, t: Term) -> Term {
        let bound = |key: usize| Term::var(Var::new(VarId(VarId::FIRST_BOUND.0 + key as u32), VarTy::Scalar(Scalar::Int(IntTy::I64))));
        substitute(t, &|v| {
            if let Some(key) = self.keys.iter().position(|k| *k == v.id) {
                return Some(bound(key));
            }
            let c = self.columns.iter().find(|c| c.value == v.id)?;
            Some(Term::load(c.ty, self.program.term(c.memory), self.frame(at, c).address(c.column, bound(c.key))))
        })
    }
}
