//! Slicing: only what can influence whether an error is reached stays. Exact.
//!
//! Repeated until nothing changes:
//! * edges after which no error can be reached, in the function or after any of its returns, end the execution at once (they go, or
//!   lead into a dead end where a later edge would be taken in their place);
//! * assignments, inputs and arguments of variables that are not live (strongly: see [`plumb_cfa::liveness`]) go;
//! * a branch whose ways meet again without having done anything goes. Every way must be open to every state and free of loops, so no
//!   assumption, no guard and no loop is lost: what did not terminate still does not.
//!
//! **What is preserved.** An execution of the new program reaches the error exactly if one of the old program does. Effects that only the
//! interpreter knows (lifetimes, output, exit status) are lost.
//!
//! **Proofs** come back over the old points. A formula may speak about a variable where it is no longer live, whose assignments are gone
//! here but not there; such variables are eliminated, by an equation if the formula has one, otherwise with the
//! conjuncts that mention them, which weakens it. **Traces** come back with zeros for the inputs that went.

use crate::draft::Draft;
use crate::pass::{BackTranslation, Pass, PassError};
use crate::points::PointMap;
use crate::walk::{walk, zero, End};
use plumb_cfa::callgraph::CallGraph;
use plumb_cfa::liveness::Liveness;
use plumb_cfa::wto::Wto;
use plumb_cfa::{EdgeId, Effect, FuncId, Graph, Loc, Op, Program};
use plumb_term::eval::Value;
use plumb_term::visit::{linear_form, substitute, vars};
use plumb_term::{IBig, Kind, Scalar, Term, VarId, VarTy};
use plumb_verdict::{InputValue, Proof, Trace};
use std::collections::{BTreeMap, BTreeSet};

/// The most rounds; later ones rarely find anything.
const ROUNDS: u32 = 8;
/// How far a trace is followed to place the inputs that went.
const STEPS: u64 = 20_000_000;

/// Slices.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slice;

impl Pass for Slice {
    fn name(&self) -> &'static str {
        "slice"
    }

    fn run(&self, program: Program) -> Result<(Program, Box<dyn BackTranslation>), PassError> {
        let old = program.clone();
        let mut now = program;
        let mut removed: BTreeSet<VarId> = BTreeSet::new();
        let mut points: Option<PointMap> = None;
        for _ in 0..ROUNDS {
            let before = size(&now);
            let dead = remove_dead(&mut now);
            let (next, map) = prune(now);
            now = next;
            points = Some(points.map_or(map.clone(), |p| p.then(&map)));
            let changed = !dead.is_empty() || size(&now) != before;
            removed.extend(dead);
            if !changed {
                break;
            }
        }
        let points = points.unwrap_or_default();
        let mut kept = BTreeSet::new();
        for (i, f) in now.functions.iter().enumerate() {
            let f_id = FuncId(i as u32);
            for (e, edge) in f.graph.edges() {
                if Effect::of(&edge.op, &now).is_some_and(|x| !x.inputs.is_empty()) {
                    kept.insert((f_id, points.edge(f_id, e)));
                }
            }
        }
        let back = Back { old, new: now.clone(), live: Liveness::new(&now), points, removed, kept };
        Ok((now, Box::new(back)))
    }
}

fn size(p: &Program) -> usize {
    p.functions.iter().map(|f| f.graph.num_edges() + f.graph.num_locs()).sum()
}

fn zero_term(ty: VarTy) -> Option<Term> {
    match ty {
        VarTy::Bool => Some(Term::ff()),
        VarTy::Int | VarTy::Scalar(Scalar::Int(_)) => Some(Term::int(0)),
        VarTy::Scalar(Scalar::Float(t)) => Some(Term::float(plumb_term::Float { ty: t, bits: 0 })),
        VarTy::Mem(_) => None,
    }
}

/// Removes what changes dead variables only; returns the variables that lost something.
fn remove_dead(program: &mut Program) -> BTreeSet<VarId> {
    let live = Liveness::new(program);
    let mut removed = BTreeSet::new();
    let mut changes: Vec<(usize, EdgeId, Op)> = Vec::new();
    for (i, f) in program.functions.iter().enumerate() {
        let id = FuncId(i as u32);
        for (e, edge) in f.graph.edges() {
            let needed = |v: VarId| live.is_live(id, edge.to, v);
            let op = match &edge.op {
                Op::Assign(updates) => {
                    let (stay, go): (Vec<_>, Vec<_>) = updates.iter().copied().partition(|(v, _)| needed(*v));
                    removed.extend(go.iter().map(|u| u.0));
                    match (stay.is_empty(), go.is_empty()) {
                        (_, true) => continue,
                        (true, _) => Op::Skip,
                        _ => Op::Assign(stay),
                    }
                }
                Op::Havoc { var, .. } if !needed(*var) => {
                    removed.insert(*var);
                    Op::Skip
                }
                Op::HavocMem { region, .. } if !needed(program.region(*region).var) => {
                    removed.insert(program.region(*region).var);
                    Op::Skip
                }
                Op::Alloc { dst, region, zeroed, .. } => {
                    let mut written = vec![*dst, program.heap_top];
                    written.extend(zeroed.then(|| program.region(*region).var));
                    if written.iter().any(|v| needed(*v)) {
                        continue;
                    }
                    removed.extend(written);
                    Op::Skip
                }
                Op::Output { dst, .. } => match dst {
                    Some(d) if needed(*d) => continue,
                    d => {
                        removed.extend(*d);
                        Op::Skip
                    }
                },
                Op::Free { .. } | Op::EndLife { .. } => Op::Skip,
                Op::Call { func, args, dst } => {
                    let callee = program.function(*func);
                    let result = dst.filter(|d| needed(*d));
                    let pass = |(p, a): (&VarId, &Term)| {
                        let zero = zero_term(program.var(*p).ty).filter(|_| !live.is_live(*func, callee.entry, *p));
                        zero.filter(|z| z != a).map_or((*a, None), |z| (z, Some(*p)))
                    };
                    let passed: Vec<(Term, Option<VarId>)> = callee.params.iter().zip(args).map(pass).collect();
                    let lost: Vec<VarId> = passed.iter().filter_map(|p| p.1).chain(dst.filter(|_| result.is_none())).collect();
                    if lost.is_empty() {
                        continue;
                    }
                    removed.extend(lost);
                    Op::Call { func: *func, args: passed.into_iter().map(|p| p.0).collect(), dst: result }
                }
                _ => continue,
            };
            changes.push((i, e, op));
        }
    }
    for (f, e, op) in changes {
        *program.functions[f].graph.op_mut(e) = op;
    }
    removed
}

/// Removes what leads to no error and the branches that do nothing.
fn prune(program: Program) -> (Program, PointMap) {
    let reaches = reaching(&program);
    let calls = CallGraph::new(&program);
    let mut targets: Vec<Vec<Loc>> = program.functions.iter().map(|f| f.graph.locs().collect()).collect();
    for id in calls.bottom_up(program.entry) {
        let f = program.function(id);
        let wto = Wto::new(&f.graph, f.entry);
        let silent = |op: &Op| match op {
            Op::Skip | Op::Assume(_) => true,
            Op::Call { func, dst: None, .. } => {
                let g = program.function(*func);
                !calls.is_recursive(*func) && targets[func.0 as usize][g.entry.index()] == g.exit && g.entry != g.exit
            }
            _ => false,
        };
        let mut target: Vec<Loc> = f.graph.locs().collect();
        for l in wto.order().iter().rev() {
            let fixed = wto.headed_by(*l).is_some() || *l == f.exit || f.errors.contains(l);
            let out = f.graph.out_edges(*l);
            if fixed || !out.iter().all(|e| silent(&f.graph.edge(*e).op)) || !exhaustive(&f.graph, *l) {
                continue;
            }
            let mut ways: Vec<Loc> = out.iter().map(|e| target[f.graph.edge(*e).to.index()]).collect();
            ways.sort_unstable();
            ways.dedup();
            if let [t] = ways.as_slice() {
                target[l.index()] = *t;
            }
        }
        targets[id.0 as usize] = target;
    }
    let mut points = PointMap::default();
    let mut functions = Vec::new();
    for (i, f) in program.functions.iter().enumerate() {
        let mut draft = Draft::new(f);
        for (e, edge) in f.graph.edges() {
            let reach = &reaches[i];
            let inside = match &edge.op {
                Op::Call { func, .. } => reaches[func.0 as usize][program.function(*func).entry.index()],
                _ => false,
            };
            // A function's entry can reach an error inside it or after its return; only then is the call worth keeping.
            if !reach[edge.to.index()] {
                draft.stop(e, inside || matches!(edge.op, Op::Unsupported(_)));
                continue;
            }
            draft.edges[e.index()].to = targets[i][edge.to.index()];
            if let Op::Call { func, dst: None, .. } = &edge.op {
                let g = program.function(*func);
                if !calls.is_recursive(*func) && g.entry != g.exit && targets[func.0 as usize][g.entry.index()] == g.exit {
                    draft.edges[e.index()].op = Op::Skip;
                }
            }
        }
        // A location whose ways all do nothing is left only as an entry: its first edge stands for all.
        let entry = f.entry;
        if targets[i][entry.index()] != entry && reaches[i][entry.index()] {
            for (n, e) in f.graph.out_edges(entry).iter().enumerate() {
                let edge = &mut draft.edges[e.index()];
                edge.alive = n == 0;
                edge.op = Op::Skip;
                edge.to = targets[i][entry.index()];
            }
        }
        functions.push(points.add(draft.finish()));
    }
    (Program { functions, ..program }, points)
}

/// Whether every state can cross one of the edges, as far as their shape tells.
fn exhaustive(graph: &Graph, l: Loc) -> bool {
    let mut conditions: Vec<Term> = Vec::new();
    for e in graph.out_edges(l) {
        match &graph.edge(*e).op {
            Op::Assume(c) => conditions.push(*c),
            _ => return true,
        }
    }
    let covered = |c: &Term| {
        let rest = match c.kind() {
            Kind::And(parts) => parts.to_vec(),
            _ => vec![*c],
        };
        rest.iter().all(|p| conditions.contains(&p.not()))
    };
    Term::any(conditions.iter().copied()).is_true() || conditions.iter().any(covered)
}

/// From which locations an error can be reached, in the function or after its return.
fn reaching(program: &Program) -> Vec<Vec<bool>> {
    let mut reach: Vec<Vec<bool>> = program.functions.iter().map(|f| vec![false; f.graph.num_locs()]).collect();
    let mut todo: Vec<(usize, Loc)> = Vec::new();
    let mut callers: Vec<Vec<(usize, Loc, Loc)>> = vec![Vec::new(); program.functions.len()];
    for (i, f) in program.functions.iter().enumerate() {
        todo.extend(f.errors.iter().map(|l| (i, *l)));
        for (_, e) in f.graph.edges() {
            match &e.op {
                Op::Call { func, .. } => callers[func.0 as usize].push((i, e.from, e.to)),
                // Reaching it makes the answer unknown, which must not get lost.
                Op::Unsupported(_) => todo.push((i, e.from)),
                _ => {}
            }
        }
    }
    while let Some((i, l)) = todo.pop() {
        if std::mem::replace(&mut reach[i][l.index()], true) {
            continue;
        }
        let f = &program.functions[i];
        // Into a call's way out only through the callee's exit.
        for e in f.graph.in_edges(l) {
            let edge = f.graph.edge(*e);
            match &edge.op {
                Op::Call { func, .. } => todo.push((func.0 as usize, program.function(*func).exit)),
                _ => todo.push((i, edge.from)),
            }
        }
        if l == f.entry {
            todo.extend(callers[i].iter().map(|(g, from, _)| (*g, *from)));
        }
    }
    reach
}

/// The way back.
struct Back {
    old: Program,
    new: Program,
    live: Liveness,
    points: PointMap,
    /// The variables of which assignments are gone.
    removed: BTreeSet<VarId>,
    /// The edges of the old program whose inputs are still there.
    kept: BTreeSet<(FuncId, EdgeId)>,
}

impl BackTranslation for Back {
    fn proof(&self, proof: Proof) -> Proof {
        self.points.proof(proof, &mut |p, t| {
            let gone = |v: VarId| self.removed.contains(&v) && !self.live.is_live_at(&self.new, p, v);
            eliminate(t, &gone)
        })
    }

    fn trace(&self, trace: Trace) -> Trace {
        let mut given = trace.inputs.iter();
        let mut inputs: Vec<InputValue> = Vec::new();
        let mut supply = |f: FuncId, e: EdgeId, i: &plumb_cfa::Input| {
            let value: Value = match self.kept.contains(&(f, e)) {
                true => given.next()?.value.clone(),
                false => zero(i.var.ty),
            };
            let span = self.old.function(f).graph.edge(e).span;
            inputs.push(InputValue { source: i.source.clone(), span, value: value.clone() });
            Some(value)
        };
        match walk(&self.old, &trace.memory, STEPS, &mut supply, &mut |_, _, _, _| {}) {
            End::Error(..) => Trace { inputs, memory: trace.memory },
            // The replay will say what is wrong with it.
            End::Stopped | End::Incomplete => trace,
        }
    }
}

/// A formula without the variables that are `gone`, implied by `t`.
pub(crate) fn eliminate(t: Term, gone: &dyn Fn(VarId) -> bool) -> Term {
    let mentions = |t: Term| vars([t]).into_iter().find(|v| gone(v.id));
    let mut conjuncts = t.all_conjuncts();
    while let Some((i, v, value)) = conjuncts.iter().enumerate().find_map(|(i, c)| solved(*c, gone).map(|(v, t)| (i, v, t))) {
        let VarTy::Scalar(Scalar::Int(ty)) = v.ty else {
            conjuncts.swap_remove(i);
            continue;
        };
        // What the equation says of the other variables: the value lies in the type's range.
        conjuncts[i] = value.within(&ty.min(), &ty.max());
        for c in &mut conjuncts {
            *c = substitute(*c, &|w| (w == v).then_some(value));
        }
    }
    let mut out: BTreeMap<usize, Term> = BTreeMap::new();
    for (i, c) in conjuncts.into_iter().enumerate() {
        if mentions(c).is_none() {
            out.insert(i, c);
        }
    }
    Term::all(out.into_values())
}

/// `v = value` from an equation of integers in which `v`, which is to go, has the coefficient 1 or −1.
fn solved(c: Term, gone: &dyn Fn(VarId) -> bool) -> Option<(plumb_term::Var, Term)> {
    let Kind::Eq(a, b) = c.kind() else { return None };
    if a.sort() != plumb_term::Sort::Int {
        return None;
    }
    let (_, parts) = linear_form(a.sub(*b));
    for (k, atom) in &parts {
        let Some(v) = atom.as_var().filter(|v| gone(v.id) && matches!(v.ty, VarTy::Scalar(Scalar::Int(_)))) else { continue };
        if *k != IBig::ONE && *k != IBig::NEG_ONE {
            continue;
        }
        // k·v + rest = 0, so v = −k·rest.
        let rest = a.sub(*b).sub(atom.scale(k));
        let value = rest.scale(&-k);
        if !vars([value]).contains(&v) {
            return Some((v, value));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::Var;

    /// Facts on many variables are one conjunct of what they strengthen; those on variables that stay must not go with the others.
    #[test]
    fn what_is_said_of_variables_that_stay_stays_in_conjunctions_of_any_length() {
        let at_most = |i: u32| Term::var(Var::new(VarId(i), VarTy::Int)).less_eq(Term::int(3));
        let facts = Term::all((0..100).map(at_most));
        let whole = facts.and(at_most(200));
        assert!(whole.conjuncts().len() < 101, "the conjunction is flat");
        assert_eq!(eliminate(whole, &|v| v == VarId(7)).all_conjuncts().len(), 100);
        assert_eq!(eliminate(whole, &|v| v < VarId(100)), at_most(200));
    }
}
