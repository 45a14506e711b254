//! Horn clauses over cells.
//!
//! At each cut point a relation `P(x, k₁, v₁, …, kₙ, vₙ)` over the scalars `x` and *distinguished cells*: `vᵢ` is what a memory has in its cell
//! number `kᵢ`. It stands for the invariant `∀k. P(x, k, m[k])`, so a block that reads cells other than those it ends with
//! may use `P` once more, of the cells it reads: the clauses are not linear.
//!
//! Source: Monniaux and Gonnord, "Cell morphing: from array programs to array-free Horn clauses" (SAS 2016).

use crate::arrays::frame::Frame;
use crate::arrays::general::{nonnegative, unbounded, General};
use crate::arrays::reads::Reads;
use crate::houdini;
use crate::system::System;
use plumb_cfa::Program;
use plumb_smt::memories;
use plumb_smt::{Horn, HornAnswer, Limits, RelationId};
use plumb_term::visit::{postorder, substitute, vars};
use plumb_term::{Budget, Cell, IntTy, Kind, Scalar, Term, Var, VarId, VarTy};
use std::collections::BTreeMap;

/// Variables of clauses are numbered from here on; inputs of blocks are below.
const FIRST: u32 = VarId::FIRST_AUX.0 + (1 << 29);
/// More uses of a relation in one clause are not made.
const MAX_USES: usize = 16;

/// Which cells are distinguished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cells {
    /// One of each memory, all with the same number.
    Parallel,
    /// So many of each memory.
    Each(usize),
}

/// A distinguished cell of a relation.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Of which memory.
    pub memory: VarId,
    /// Of which column.
    pub column: usize,
    /// What it holds.
    ty: Scalar,
    /// Its number; the same for all parallel cells.
    pub key: Var,
    /// Its value.
    pub value: Var,
}

/// A cut point's relation.
pub struct Place<'a> {
    /// The scalars that it is over.
    pub scalars: Vec<VarId>,
    /// The cells that it is over.
    pub slots: Vec<Slot>,
    frames: &'a BTreeMap<VarId, Frame>,
}

/// A cell that a block uses, with its number at the block's start.
#[derive(Clone, Copy, Debug)]
pub struct Used {
    /// Of which memory.
    pub memory: VarId,
    /// Of which column.
    pub column: usize,
    /// Its number.
    pub number: Term,
    /// What was read there; nothing for a store.
    pub value: Option<Term>,
}

/// A clause; relations are numbered as the cut points are.
pub struct Clause {
    /// The uses of the relation at the start of the block, with their arguments.
    pub body: Vec<(usize, Vec<Term>)>,
    /// When the block is taken.
    pub condition: Term,
    /// The condition of the block alone, without what is said of reads.
    pub core: Term,
    /// The relation at the end with its arguments; none for an error.
    pub head: Option<(usize, Vec<Term>)>,
    /// The cells that are read or written.
    pub cells: Vec<Used>,
}

impl Clause {
    /// Whether two cells of one memory are used, besides those that the block ends with.
    pub fn uses_two(&self) -> bool {
        let own = |u: &&Used| !vars([u.number]).iter().any(|v| v.id >= VarId::FIRST_BOUND);
        let used: Vec<&Used> = self.cells.iter().filter(own).collect();
        let two = |(i, u): (usize, &&Used)| used[..i].iter().any(|w| w.memory == u.memory && w.column == u.column && w.number != u.number);
        used.iter().enumerate().any(two)
    }

    /// The clause alone.
    pub fn rule(&self) -> houdini::Clause {
        houdini::Clause { body: self.body.clone(), condition: self.condition, head: self.head.clone() }
    }

    fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        let arguments = self.body.iter().chain(&self.head).flat_map(|(_, a)| a.iter().copied());
        arguments.chain([self.condition])
    }
}

/// The clauses of a system.
pub struct Clauses<'a> {
    program: &'a Program,
    places: Vec<Place<'a>>,
    parallel: bool,
    /// By cut point: what holds there always.
    known: &'a [Term],
}

impl<'a> Clauses<'a> {
    /// For one choice of cells; `known` holds at the cut points always.
    pub fn new(
        program: &'a Program,
        system: &System,
        frames: &'a [BTreeMap<VarId, Frame>],
        cells: Cells,
        known: &'a [Term],
    ) -> Clauses<'a> {
        // The same cell has the same variables at all cut points.
        let mut names: BTreeMap<(VarId, usize, usize), u32> = BTreeMap::new();
        let mut places = Vec::new();
        for (cut, frames) in system.cuts.iter().zip(frames) {
            let (memories, scalars): (Vec<VarId>, Vec<VarId>) = cut.needed.iter().partition(|v| program.is_memory(**v));
            let copies = if let Cells::Each(n) = cells { n } else { 1 };
            let mut slots: Vec<Slot> = Vec::new();
            for m in memories {
                let VarTy::Mem(Cell::Scalar(ty)) = program.var(m).ty else { continue };
                let columns = frames.get(&m).map_or(0, Frame::columns);
                for (column, copy) in (0..columns).flat_map(|c| (0..copies).map(move |n| (c, n))) {
                    let next = names.len() as u32;
                    let number = *names.entry((m, column, copy)).or_insert(next);
                    let key = Var::new(VarId(VarId::FIRST_BOUND.0 + if cells == Cells::Parallel { 0 } else { number }), VarTy::Int);
                    let value = Var::new(VarId(FIRST + number), VarTy::Scalar(ty));
                    slots.push(Slot { memory: m, column, ty, key, value });
                }
            }
            places.push(Place { scalars, slots, frames });
        }
        Clauses { program, places, parallel: cells == Cells::Parallel, known }
    }

    /// The most cells that a relation has.
    pub fn width(&self) -> usize {
        self.places.iter().map(|p| p.slots.len()).max().unwrap_or(0)
    }

    /// An invariant with quantifiers for each cut point, if Spacer finds a solution; `general`ly for every size.
    pub fn solve(&self, system: &System, general: bool, budget: &Budget) -> Result<HornAnswer, String> {
        let clauses = self.clauses(system);
        let terms = || clauses.iter().flat_map(Clause::terms);
        let mut view = if general { General::new(terms(), FIRST + (1 << 21)) } else { General::default() };
        let parameters: Vec<Var> = view.parameters().collect();
        let mut horn = Horn::new(&Limits::default()).map_err(|e| e.to_string())?;
        let mut relations = Vec::new();
        for (i, p) in self.places.iter().enumerate() {
            let own = self.vars(p).into_iter().map(|v| if general { unbounded(v) } else { v });
            let vars: Vec<Var> = parameters.iter().copied().chain(own).collect();
            relations.push(horn.relation(&format!("cut{i}"), &vars).map_err(|e| e.to_string())?);
        }
        for c in &clauses {
            let mut seen = |t: Term| if general { view.term(t) } else { t };
            let mut arguments =
                |own: &[Term]| -> Vec<Term> { parameters.iter().map(|p| Term::var(*p)).chain(own.iter().map(|t| seen(*t))).collect() };
            let body: Vec<(RelationId, Vec<Term>)> = c.body.iter().map(|(from, a)| (relations[*from], arguments(a))).collect();
            let head: Option<(usize, Vec<Term>)> = c.head.as_ref().map(|(to, a)| (*to, arguments(a)));
            let mut condition = seen(c.condition);
            if general {
                condition = condition.and(Term::all(vars(c.terms()).into_iter().filter_map(nonnegative)));
            }
            if c.body.is_empty() {
                condition = condition.and(view.order());
            }
            let head = head.as_ref().map(|(to, a)| (relations[*to], a.as_slice()));
            horn.clause_at(&body, condition, head).map_err(|e| e.to_string())?;
        }
        Ok(match horn.solve(budget) {
            HornAnswer::Solved(terms) => {
                let back = |(p, t)| self.invariant(p, substitute(t, &|v| view.constant(v)));
                HornAnswer::Solved(self.places.iter().zip(terms).map(back).collect())
            }
            other => other,
        })
    }

    /// The relations of the cut points.
    pub fn places(&self) -> &[Place<'a>] {
        &self.places
    }

    /// The clauses.
    pub fn clauses(&self, system: &System) -> Vec<Clause> {
        let mut next = FIRST + (1 << 20);
        let mut out = Vec::new();
        if let Some(p) = self.places.first() {
            let any = self.vars(p).into_iter().map(Term::var).collect();
            out.push(Clause { body: Vec::new(), condition: Term::tt(), core: Term::tt(), head: Some((0, any)), cells: Vec::new() });
        }
        for t in &system.transitions {
            let mut reads = Reads::new(&mut next);
            let condition = reads.scalar(t.condition);
            let ends: BTreeMap<VarId, Term> = system.cuts[t.to.0].needed.iter().copied().zip(t.values.iter().copied()).collect();
            let to = &self.places[t.to.0];
            let mut head: Vec<Term> = to.scalars.iter().map(|v| reads.scalar(ends[v])).collect();
            for (i, s) in to.slots.iter().enumerate() {
                let address = to.frames[&s.memory].address(s.column, Term::var(s.key));
                let address = reads.scalar(substitute(address, &|v| ends.get(&v.id).copied()));
                let value = reads.read(s.ty, ends[&s.memory], address);
                head.extend((!self.parallel || i == 0).then(|| Term::var(s.key)));
                head.push(value);
            }
            let stores: Vec<(VarId, Term)> = stores(&t.values).into_iter().map(|(m, a)| (m, reads.scalar(a))).collect();
            let mut clause = self.clause(t.from.0, condition, &mut reads);
            clause.head = Some((t.to.0, head));
            for (memory, address) in stores {
                let place = self.places[t.from.0].frames.get(&memory).and_then(|f| f.locate(address));
                clause.cells.extend(place.map(|(column, number)| Used { memory, column, number, value: None }));
            }
            out.push(clause);
        }
        let errors = system.errors.iter().map(|(c, t)| (c, t)).chain(system.unsupported.iter().map(|u| (&u.0, &u.1)));
        for (c, condition) in errors {
            let mut reads = Reads::new(&mut next);
            let condition = reads.scalar(*condition);
            out.push(self.clause(c.0, condition, &mut reads));
        }
        out
    }

    /// The variables of a relation: scalars, then number and value of each cell; one number in all for parallel ones.
    pub fn vars(&self, p: &Place<'_>) -> Vec<Var> {
        let mut out: Vec<Var> = p.scalars.iter().map(|v| Var::new(*v, self.program.var(*v).ty)).collect();
        for (i, s) in p.slots.iter().enumerate() {
            out.extend((!self.parallel || i == 0).then_some(s.key));
            out.push(s.value);
        }
        out
    }

    /// A clause without a head: the relation at the start of a block is used of all cells that the block reads.
    fn clause(&self, start: usize, core: Term, reads: &mut Reads<'_>) -> Clause {
        let from = &self.places[start];
        let mut conditions = vec![core, self.known[start]];
        let mut cells: Vec<Used> = Vec::new();
        let own = reads.made.clone();
        // The numbers of the cells that are read, by memory and column.
        let mut numbers: BTreeMap<(VarId, usize), Vec<Term>> = BTreeMap::new();
        for read in &own {
            let Some(frame) = from.frames.get(&read.memory) else { continue };
            let (column, number) = match frame.locate(read.address) {
                Some(place) => place,
                None if frame.columns() == 1 => {
                    let k = reads.fresh(VarTy::Int);
                    conditions.push(frame.address(0, k).equals(read.address));
                    (0, k)
                }
                None => continue,
            };
            cells.push(Used { memory: read.memory, column, number, value: Some(read.value) });
            let of = numbers.entry((read.memory, column)).or_default();
            if !of.contains(&number) {
                of.push(number);
            }
        }
        let mut choices: Vec<Vec<Term>> = Vec::new();
        if self.parallel {
            let mut all: Vec<Term> = Vec::new();
            for k in from.slots.iter().flat_map(|s| numbers.get(&(s.memory, s.column)).into_iter().flatten()) {
                if !all.contains(k) {
                    all.push(*k);
                }
            }
            choices.extend(all.into_iter().take(MAX_USES).map(|k| vec![k; from.slots.len()]));
        } else {
            choices = combinations(&from.slots, &numbers);
        }
        if choices.is_empty() {
            let any = if self.parallel {
                vec![reads.fresh(VarTy::Int); from.slots.len()]
            } else {
                from.slots.iter().map(|_| reads.fresh(VarTy::Int)).collect()
            };
            choices.push(any);
        }
        let mut uses = Vec::new();
        for choice in choices {
            let mut arguments: Vec<Term> = from.scalars.iter().map(|v| self.program.term(*v)).collect();
            for (i, (s, k)) in from.slots.iter().zip(&choice).enumerate() {
                let value = match cells.iter().find(|u| u.memory == s.memory && u.column == s.column && u.number == *k) {
                    Some(Used { value: Some(read), .. }) => *read,
                    _ => reads.cell(s.memory, s.ty, from.frames[&s.memory].address(s.column, *k)),
                };
                arguments.extend((!self.parallel || i == 0).then_some(*k));
                arguments.push(value);
            }
            uses.push((start, arguments));
        }
        conditions.push(reads.consistent());
        Clause { body: uses, condition: Term::all(conditions), core, head: None, cells }
    }

    /// A solution as an invariant: values of cells are reads of memories, numbers of cells are bound variables.
    pub fn invariant(&self, p: &Place<'_>, solution: Term) -> Term {
        let key = |id: VarId| Term::var(Var::new(id, VarTy::Scalar(Scalar::Int(IntTy::I64))));
        substitute(solution, &|v| {
            if v.id >= VarId::FIRST_BOUND {
                return Some(key(v.id));
            }
            if v.id < VarId::FIRST_AUX {
                return Some(self.program.term(v.id));
            }
            let s = p.slots.iter().find(|s| s.value.id == v.id)?;
            Some(Term::load(s.ty, self.program.term(s.memory), p.frames[&s.memory].address(s.column, key(s.key.id))))
        })
    }
}

/// The memories and addresses that are written on the way to some values.
pub fn stores(values: &[Term]) -> Vec<(VarId, Term)> {
    let mut out = Vec::new();
    for n in postorder(values.iter().copied()) {
        let Kind::Store(_, m, a, _) = n.kind() else { continue };
        let roots = memories(*m).into_iter().filter_map(Term::as_var).filter(|v| v.id < VarId::FIRST_AUX);
        out.extend(roots.map(|v| (v.id, *a)));
    }
    out
}

/// For each slot a cell that is read: the cells that the block ends with, those that it reads otherwise, and mixtures.
fn combinations(slots: &[Slot], numbers: &BTreeMap<(VarId, usize), Vec<Term>>) -> Vec<Vec<Term>> {
    let of: Vec<&[Term]> = slots.iter().map(|s| numbers.get(&(s.memory, s.column)).map_or(&[][..], Vec::as_slice)).collect();
    if of.iter().any(|n| n.is_empty()) {
        return Vec::new();
    }
    let own: Vec<Term> = slots.iter().zip(&of).map(|(s, n)| if n.contains(&Term::var(s.key)) { Term::var(s.key) } else { n[0] }).collect();
    let is_key = |t: &Term| slots.iter().any(|s| Term::var(s.key) == *t);
    let mut out = vec![own.clone()];
    let mut add = |choice: Vec<Term>| {
        if out.len() < MAX_USES && !out.contains(&choice) {
            out.push(choice);
        }
    };
    product(&of.iter().map(|n| n.iter().copied().filter(|t| !is_key(t)).collect()).collect::<Vec<_>>()).into_iter().for_each(&mut add);
    for (i, n) in of.iter().enumerate() {
        for k in *n {
            let mut one = own.clone();
            one[i] = *k;
            add(one);
        }
    }
    product(&of.iter().map(|n| n.to_vec()).collect::<Vec<_>>()).into_iter().for_each(&mut add);
    out
}

/// All choices of one term from each list, as many as may be used.
fn product(lists: &[Vec<Term>]) -> Vec<Vec<Term>> {
    let mut out: Vec<Vec<Term>> = vec![Vec::new()];
    for list in lists {
        out = out.iter().flat_map(|c| list.iter().map(move |k| [c.as_slice(), &[*k]].concat())).take(MAX_USES).collect();
    }
    out
}
