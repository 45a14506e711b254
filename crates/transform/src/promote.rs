//! Promotion of memory to variables: where every access of a region in the whole program has a constant address, the objects whose
//! scalars are always accessed with one type each become variables; where a region is a few scalars, addresses may be computed ([`cells`]). Exact: what an address that is none of
//! theirs leads to stays in the memory.
//!
//! Access through a pointer that an analysis has resolved, globals whose address is taken somewhere and fields of fixed objects then cost
//! no array reasoning. An object stays in memory if two accesses overlap without being the same, or if a write of bytes (the contents of a new
//! object, zeros) covers a scalar in part.
//!
//! **Proofs** come back with `load(memory, address)` for the variables. **Traces**: the inputs for the variables of one object become
//! the contents of that object again; values that a variable has before anything writes it are inputs at the entry here and
//! initial contents of the region there.

mod cells;

use crate::draft::{map_terms, Draft};
use crate::pass::{BackTranslation, Identity, Pass, PassError};
use crate::points::PointMap;
use crate::walk::walk;
use cells::Found;
use plumb_cfa::liveness::Liveness;
use plumb_cfa::{EdgeId, FuncId, Function, InputSource, LocInfo, Op, Program, RegionId, VarInfo, VarKind};
use plumb_term::eval::{MemValue, Value};
use plumb_term::visit::{postorder, rebuild, substitute};
use plumb_term::{Cell, IBig, Kind, Scalar, Term, Var, VarId, VarTy};
use plumb_verdict::{InputValue, Proof, Trace};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How far a trace is followed to find the contents of objects.
const STEPS: u64 = 20_000_000;

/// Promotes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Promote;

impl Pass for Promote {
    fn name(&self) -> &'static str {
        "promote"
    }

    fn run(&self, program: Program) -> Result<(Program, Box<dyn BackTranslation>), PassError> {
        Ok(self.apply(&program).unwrap_or_else(|| (program, Box::new(Identity))))
    }
}

impl Promote {
    /// The program with variables for cells, and the way back; none if no cell can be promoted.
    pub fn apply(&self, program: &Program) -> Option<(Program, Box<dyn BackTranslation>)> {
        let cells = cells::find(program);
        if cells.is_empty() {
            return None;
        }
        let (old, mut new) = (program.clone(), program.clone());
        let mut promoted = Promoted { by_cell: BTreeMap::new(), by_var: BTreeMap::new() };
        for Found { region, addr, ty, object } in cells {
            let o = &old.objects[object.0 as usize];
            let name = old.lvalue(addr, ty).unwrap_or_else(|| format!("{}+{}", o.name, addr - o.addr));
            let id = VarId(new.vars.len() as u32);
            let info = VarInfo { name, c_type: ty.to_string(), ty: VarTy::Scalar(ty), func: o.func, kind: VarKind::Temp, span: o.span };
            new.vars.push(info);
            if let Some(f) = o.func {
                new.functions[f.0 as usize].locals.push(id);
            }
            promoted.by_cell.insert((region, addr), (ty, id));
            promoted.by_var.insert(id, (region, addr, ty));
        }
        let mut points = PointMap::default();
        let mut splits: BTreeMap<(FuncId, EdgeId), (FuncId, EdgeId)> = BTreeMap::new();
        let vars = new.vars.clone();
        for (i, f) in old.functions.iter().enumerate() {
            let made = promote_function(&old, f, &promoted, &vars);
            let id = FuncId(i as u32);
            for (n, e) in made.edges.iter().enumerate() {
                splits.insert((id, EdgeId(n as u32)), (id, *e));
            }
            let locals = new.functions[i].locals.clone();
            new.functions[i] = Function { locals, ..points.add(made) };
        }
        let first = initial_inputs(&mut new, &promoted, &mut points, &mut splits);
        let back = Back { old, new: new.clone(), promoted, points, splits, first };
        Some((new, Box::new(back)))
    }
}

/// The variables that stand for cells.
#[derive(Clone, Debug)]
struct Promoted {
    by_cell: BTreeMap<(RegionId, u64), (Scalar, VarId)>,
    by_var: BTreeMap<VarId, (RegionId, u64, Scalar)>,
}

impl Promoted {
    /// The variables of cells in `[lo, lo+len)` of a region.
    fn within(&self, region: RegionId, lo: u64, len: u64) -> Vec<(u64, Scalar, VarId)> {
        let cells = self.by_cell.range((region, lo)..(region, lo.saturating_add(len)));
        cells.map(|((_, a), (ty, v))| (*a, *ty, *v)).collect()
    }

    /// The variables of a region, by address.
    fn of(&self, region: RegionId) -> impl Iterator<Item = (u64, Scalar, VarId)> + '_ {
        self.by_cell.range((region, 0)..=(region, u64::MAX)).map(|((_, a), (ty, v))| (*a, *ty, *v))
    }

    /// The term with loads of promoted cells replaced.
    fn rewrite(&self, program: &Program, vars: &[VarInfo], t: Term) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for n in postorder([t]) {
            let new = rebuild(n, &|c| done[&c]);
            done.insert(n, self.loaded(program, vars, new).unwrap_or(new));
        }
        done[&t]
    }

    /// What is loaded, if that can be a variable.
    fn loaded(&self, program: &Program, vars: &[VarInfo], load: Term) -> Option<Term> {
        let Kind::Load(ty, m, a) = load.kind() else { return None };
        // The memory below may be one that was written on the same edge before: loads look through that when they are built.
        let region = cells::region_of(program, m.as_var()?.id)?;
        let term = |v: VarId| Term::program_var(v, vars[v.0 as usize].ty);
        match a.as_int() {
            Some(a) => self.by_cell.get(&(region, u64::try_from(a).ok()?)).map(|(_, v)| term(*v)),
            None => {
                let fits = |c: &(u64, Scalar, VarId)| c.1 == *ty;
                Some(self.of(region).filter(fits).fold(load, |rest, (addr, _, v)| Term::ite(a.equals(Term::int(addr)), term(v), rest)))
            }
        }
    }
}

fn promote_function(old: &Program, f: &Function, promoted: &Promoted, vars: &[VarInfo]) -> crate::draft::Made {
    let mut draft = Draft::new(f);
    let rewrite = |t: Term| promoted.rewrite(old, vars, t);
    for (e, edge) in f.graph.edges() {
        match &edge.op {
            Op::Assign(updates) => {
                let mut out = Vec::new();
                for (v, t) in updates {
                    match cells::region_of(old, *v) {
                        Some(r) => writes(old, promoted, vars, r, *v, *t, &mut out),
                        None => out.push((*v, rewrite(*t))),
                    }
                }
                draft.edges[e.index()].op = if out.is_empty() { Op::Skip } else { Op::Assign(out) };
            }
            Op::HavocMem { region, addr, len } => {
                let range = cells::constant(*addr).zip(cells::constant(*len));
                let inside = range.map_or_else(Vec::new, |(a, n)| promoted.within(*region, a, n));
                split(&mut draft, e, &inside, vars);
            }
            op => draft.edges[e.index()].op = map_terms(op, &mut |t| rewrite(t)),
        }
    }
    draft.finish()
}

/// Puts an input for each variable after the edge with the contents of their object. The contents stay, for the cells that are
/// not variables.
fn split(draft: &mut Draft<'_>, e: EdgeId, inside: &[(u64, Scalar, VarId)], vars: &[VarInfo]) {
    for (_, _, v) in inside.iter().rev() {
        let edge = draft.edges[e.index()].clone();
        let middle = draft.add_loc(LocInfo { span: edge.span, ..LocInfo::default() }, edge.from);
        let op = Op::Havoc { var: *v, source: InputSource::Uninit(vars[v.0 as usize].name.clone()) };
        draft.edges.push(crate::draft::DraftEdge { from: middle, op, ..edge });
        draft.edges[e.index()].to = middle;
    }
}

/// The assignments that `memory := t` becomes: variables for promoted cells, and the memory with what else is written.
fn writes(old: &Program, promoted: &Promoted, vars: &[VarInfo], r: RegionId, memory: VarId, t: Term, out: &mut Vec<(VarId, Term)>) {
    let mut chain = Vec::new();
    let mut now = t;
    while let Kind::Store(_, inner, ..) | Kind::Splice { mem: inner, .. } = now.kind() {
        chain.push(now);
        now = *inner;
    }
    let rewrite = |t: Term| promoted.rewrite(old, vars, t);
    let mut rest = rewrite(now);
    let mut values: BTreeMap<VarId, Term> = BTreeMap::new();
    for link in chain.into_iter().rev() {
        match link.kind() {
            Kind::Store(ty, _, a, v) => {
                let (at, value) = (rewrite(*a), rewrite(*v));
                let stored = match ty {
                    Scalar::Int(i) => value.wrap(*i),
                    Scalar::Float(_) => value,
                };
                let known = cells::constant(*a).and_then(|a| promoted.by_cell.get(&(r, a)));
                if let Some((_, var)) = known {
                    values.insert(*var, stored);
                    continue;
                }
                // In a region with variables, an address that is not constant may be that of any of them.
                let any = promoted.of(r).filter(|_| cells::constant(*a).is_none());
                for (addr, _, var) in any {
                    let old = values.get(&var).copied().unwrap_or_else(|| Term::program_var(var, vars[var.0 as usize].ty));
                    values.insert(var, Term::ite(at.equals(Term::int(addr)), stored, old));
                }
                rest = Term::store(*ty, rest, at, value);
            }
            Kind::Splice { src, lo, len, .. } => {
                let range = cells::constant(*lo).zip(cells::constant(*len));
                for (_, ty, var) in range.map_or_else(Vec::new, |(a, n)| promoted.within(r, a, n)) {
                    let zero = match ty {
                        Scalar::Int(_) => Term::int(0),
                        Scalar::Float(t) => Term::float(plumb_term::Float { ty: t, bits: 0 }),
                    };
                    values.insert(var, zero);
                }
                rest = Term::splice(rest, rewrite(*src), rewrite(*lo), rewrite(*len));
            }
            _ => {}
        }
    }
    if rest.as_var().is_none_or(|v| v.id != memory) {
        out.push((memory, rest));
    }
    out.extend(values);
}

/// Makes inputs at the entry of the variables that are live there, and returns them in order.
fn initial_inputs(
    new: &mut Program,
    promoted: &Promoted,
    points: &mut PointMap,
    splits: &mut BTreeMap<(FuncId, EdgeId), (FuncId, EdgeId)>,
) -> Vec<VarId> {
    let entry = new.entry;
    let live = Liveness::new(new).live(entry, new.function(entry).entry);
    let first: Vec<VarId> = live.into_iter().filter(|v| promoted.by_var.contains_key(v)).collect();
    if !first.is_empty() {
        let names: Vec<(VarId, String)> = first.iter().map(|v| (*v, new.var(*v).name.clone())).collect();
        let made = crate::draft::prefixed(new.function(entry), &names);
        points.replace(entry, &made);
        let old: Vec<Option<(FuncId, EdgeId)>> = made.edges.iter().map(|e| splits.get(&(entry, *e)).copied()).collect();
        splits.retain(|k, _| k.0 != entry);
        for (n, o) in old.into_iter().enumerate() {
            // The first edges are the new inputs; they stand for no edge.
            if let (Some(o), true) = (o, n >= first.len()) {
                splits.insert((entry, EdgeId(n as u32)), o);
            }
        }
        new.functions[entry.0 as usize] = made.function;
    }
    first
}

/// The way back.
struct Back {
    old: Program,
    new: Program,
    promoted: Promoted,
    points: PointMap,
    /// The edge of the old program that each edge stands for, the new inputs at the entry aside.
    splits: BTreeMap<(FuncId, EdgeId), (FuncId, EdgeId)>,
    /// The variables whose inputs come first.
    first: Vec<VarId>,
}

impl Back {
    /// Puts a value into a memory.
    fn put(&self, memory: &mut MemValue, v: VarId, value: &Value) {
        if let Some((_, addr, ty)) = self.promoted.by_var.get(&v) {
            memory.store(*ty, &IBig::from(*addr), value);
        }
    }

    fn cell(&self, r: RegionId) -> Cell {
        self.old.region(r).cell
    }
}

impl BackTranslation for Back {
    fn proof(&self, proof: Proof) -> Proof {
        let load = |v: Var| {
            let (r, addr, ty) = self.promoted.by_var.get(&v.id)?;
            let region = self.old.region(*r);
            let memory = Var::new(region.var, VarTy::Mem(region.cell)).at(v.version);
            Some(Term::load(*ty, Term::var(memory), Term::int(*addr)))
        };
        let method = proof.method.rewritten(&mut |t| substitute(t, &load));
        self.points.proof(Proof { method, invariants: proof.invariants }, &mut |_, t| substitute(t, &load))
    }

    fn trace(&self, trace: Trace) -> Trace {
        let mut memory = trace.memory.clone();
        let mut inputs: Vec<InputValue> = Vec::new();
        let mut given = trace.inputs.iter();
        let mut taken = 0;
        let mut supply = |f: FuncId, e: EdgeId, _: &plumb_cfa::Input| {
            let input = given.next()?;
            let value = input.value.clone();
            let var = match &self.new.function(f).graph.edge(e).op {
                Op::Havoc { var, .. } => Some(*var),
                _ => None,
            };
            match var.filter(|v| self.promoted.by_var.contains_key(v)) {
                Some(v) if taken < self.first.len() => {
                    taken += 1;
                    let (r, ..) = self.promoted.by_var[&v];
                    self.put(memory.entry(r).or_insert_with(|| MemValue::zero(self.cell(r))), v, &value);
                }
                // The contents of its object are the last memory that was taken.
                Some(v) => match inputs.last_mut() {
                    Some(InputValue { value: Value::Mem(m), .. }) => self.put(m, v, &value),
                    _ => return None,
                },
                None => {
                    let (of, oe) = self.splits.get(&(f, e)).copied()?;
                    let span = self.old.function(of).graph.edge(oe).span;
                    inputs.push(InputValue { source: input.source.clone(), span, value: value.clone() });
                }
            }
            Some(value)
        };
        walk(&self.new, &trace.memory, STEPS, &mut supply, &mut |_, _, _, _| {});
        Trace { inputs, memory }
    }
}
