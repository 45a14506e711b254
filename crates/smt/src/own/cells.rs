//! Memories as cells: a graph over memories becomes one over scalars, by the reads that matter.
//!
//! At each node a memory is stood for by the cells at the addresses that some edge or some later node reads. An edge that defines a node's
//! memory by stores, `m' = store(m, a, v)`, defines each of its cells by a read over those stores, which in turn reads cells of `m`:
//! from the error backwards, a finite set of cells per node. An address is a term over the node's variables; before an edge, it is what the edge's
//! values say of it. Cells of one memory whose addresses may be equal are related by congruence, at the node.
//!
//! **Contract.** Labels of the reduced graph, with cells read as loads, are labels of the original one. A path of the reduced graph need not be one of the original:
//! an address that depends on an input, or one too many, is not followed, and its cell may then hold anything.

use super::reads::{cell_type, Holder, Reads};
use crate::encode::Unencodable;
use crate::interpolate::{Dag, Edge};
use plumb_term::visit::{linear_form, postorder, substitute, vars};
use plumb_term::{IBig, Kind, Sort, Term, Var, VarId, VarTy};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Cells of one node beyond which addresses are not followed.
const MAX_CELLS: usize = 200;
/// Pairs of cells of one node that are related by congruence.
const MAX_PAIRS: usize = 400;

/// A graph over scalars, and the way back.
pub(super) struct Cells {
    /// The reduced graph: the same nodes and edges.
    pub(super) dag: Dag,
    /// What each cell's variable is.
    loads: FxHashMap<Var, Term>,
}

impl Cells {
    /// Reduces a graph; a graph without memories stays as it is.
    pub(super) fn new(dag: &Dag, next: u32) -> Result<Cells, Unencodable> {
        let memories = dag.nodes().iter().flatten().any(|v| matches!(v.ty, VarTy::Mem(_)));
        if !memories && !postorder(dag.edges().iter().map(|e| e.formula)).iter().any(|t| matches!(t.sort(), Sort::Mem(_))) {
            return Ok(Cells { dag: dag.clone(), loads: FxHashMap::default() });
        }
        Reduction::new(dag, next)?.run()
    }

    /// A label of the reduced graph over the original variables.
    pub(super) fn back(&self, label: Term) -> Term {
        unfold(label, &self.loads)
    }
}

/// A term with cells read as loads. A cell's address may read other cells.
fn unfold(t: Term, loads: &FxHashMap<Var, Term>) -> Term {
    let mut t = t;
    while vars([t]).iter().any(|v| loads.contains_key(v)) {
        t = substitute(t, &|v| loads.get(&v).copied());
    }
    t
}

/// What an edge says of its target.
struct Split {
    /// The value of each variable of the target that has one.
    values: FxHashMap<Var, Term>,
    /// The conjuncts that are not about memories.
    rest: Vec<Term>,
}

struct Reduction<'d> {
    dag: &'d Dag,
    splits: Vec<Split>,
    places: Places,
    /// What was computed for the edge at hand.
    reads: Reads,
}

/// Where cells are.
struct Places {
    /// For each node, the cells by memory and address.
    cells: Vec<BTreeMap<(Var, Term), Var>>,
    /// The node that owns a variable or a cell.
    owner: FxHashMap<Var, usize>,
    loads: FxHashMap<Var, Term>,
    next: u32,
    /// The node whose edge is at hand.
    node: usize,
    /// Cells of that edge whose address the node cannot name.
    local: BTreeMap<(Var, Term), Var>,
}

impl<'d> Reduction<'d> {
    fn new(dag: &'d Dag, next: u32) -> Result<Reduction<'d>, Unencodable> {
        let mut owner = FxHashMap::default();
        for (n, list) in dag.nodes().iter().enumerate() {
            owner.extend(list.iter().map(|v| (*v, n)));
        }
        let splits = dag.edges().iter().map(|e| split(e, &dag.nodes()[e.to.0])).collect::<Result<_, _>>()?;
        let cells = vec![BTreeMap::new(); dag.nodes().len()];
        let places = Places { cells, owner, loads: FxHashMap::default(), next, node: 0, local: BTreeMap::new() };
        Ok(Reduction { dag, splits, places, reads: Reads::default() })
    }

    fn run(mut self) -> Result<Cells, Unencodable> {
        let mut formulas = vec![Term::tt(); self.dag.edges().len()];
        // From the last node on: what a node's successors read is known when the node's turn comes.
        for n in (0..self.dag.nodes().len()).rev() {
            for (i, e) in self.dag.edges().iter().enumerate().filter(|(_, e)| e.from.0 == n) {
                formulas[i] = self.edge(i, n, e.to.0)?;
            }
            let congruence = self.congruence(n);
            for (i, _) in self.dag.edges().iter().enumerate().filter(|(_, e)| e.from.0 == n) {
                formulas[i] = formulas[i].and(congruence);
            }
        }
        let scalars = |list: &Vec<Var>| list.iter().copied().filter(|v| !matches!(v.ty, VarTy::Mem(_))).collect::<Vec<_>>();
        let nodes =
            self.dag.nodes().iter().zip(&self.places.cells).map(|(vs, cs)| scalars(vs).into_iter().chain(cs.values().copied()).collect());
        let edges = self.dag.edges().iter().zip(formulas).map(|(e, formula)| Edge { formula, ..e.clone() }).collect();
        let dag = Dag::new(nodes.collect(), edges).map_err(|e| Unencodable(e.to_string()))?;
        Ok(Cells { dag, loads: self.places.loads })
    }

    /// The formula of edge `i` over cells.
    fn edge(&mut self, i: usize, from: usize, to: usize) -> Result<Term, Unencodable> {
        self.places.node = from;
        self.places.local.clear();
        self.reads.clear();
        let mut facts = Vec::new();
        for t in std::mem::take(&mut self.splits[i].rest) {
            facts.push(self.reads.scalar(t, &mut self.places)?);
        }
        let targets: Vec<((Var, Term), Var)> = self.places.cells[to].iter().map(|(k, v)| (*k, *v)).collect();
        for ((memory, address), cell) in targets {
            let values = &self.splits[i].values;
            let before = substitute(unfold(address, &self.places.loads), &|v| values.get(&v).copied());
            let named = vars([before]).iter().all(|v| self.places.owner.get(v) != Some(&to));
            let (Some(value), true) = (values.get(&memory).copied(), named) else {
                continue;
            };
            let before = self.reads.scalar(before, &mut self.places)?;
            let read = self.reads.read(value, before, &mut self.places)?;
            facts.push(Term::var(cell).equals(read));
        }
        // A cell that only this edge knows equals the node's cell at the same address.
        for ((memory, a), x) in std::mem::take(&mut self.places.local) {
            for ((_, b), y) in self.places.cells[from].iter().filter(|(k, _)| k.0 == memory) {
                facts.push(a.equals(*b).implies(Term::var(x).equals(Term::var(*y))));
            }
        }
        Ok(Term::all(facts))
    }

    /// Cells of one memory at equal addresses are equal.
    fn congruence(&self, node: usize) -> Term {
        let list: Vec<((Var, Term), Var)> = self.places.cells[node].iter().map(|(k, v)| (*k, *v)).collect();
        let mut facts = Vec::new();
        for (i, ((m, a), x)) in list.iter().enumerate() {
            for ((n, b), y) in list[..i].iter().rev().take_while(|((n, _), _)| n == m) {
                debug_assert_eq!(m, n);
                let same = a.equals(*b);
                if same.is_false() {
                    continue;
                }
                if facts.len() == MAX_PAIRS {
                    return Term::all(facts);
                }
                facts.push(same.implies(Term::var(*x).equals(Term::var(*y))));
            }
        }
        Term::all(facts)
    }
}

impl Holder for Places {
    /// The node's if the node can name the address, the edge's otherwise.
    fn cell(&mut self, memory: Var, address: Term) -> Result<Term, Unencodable> {
        let node = self.node;
        let own = |v: &Var| self.owner.get(v) == Some(&node);
        let named = vars([address]).iter().all(own) && own(&memory);
        let known = if named { &self.cells[node] } else { &self.local };
        if let Some(x) = known.get(&(memory, address)) {
            return Ok(Term::var(*x));
        }
        let ty = cell_type(memory)?;
        let x = Var::new(VarId(self.next), VarTy::Scalar(ty));
        self.next += 1;
        if named && self.cells[node].len() < MAX_CELLS {
            self.cells[node].insert((memory, address), x);
            self.owner.insert(x, node);
            self.loads.insert(x, Term::load(ty, Term::var(memory), address));
        } else {
            self.local.insert((memory, address), x);
        }
        Ok(Term::var(x))
    }
}

/// Reads an edge's conjuncts: definitions of the target's variables, and the rest without those of memories.
fn split(edge: &Edge, target: &[Var]) -> Result<Split, Unencodable> {
    let targets: FxHashSet<Var> = target.iter().copied().collect();
    let mut values: FxHashMap<Var, Term> = FxHashMap::default();
    let mut rest = Vec::new();
    let plain = |t: Term| vars([t]).iter().all(|v| !targets.contains(v));
    for c in edge.formula.conjuncts() {
        if let Kind::Eq(a, b) = c.kind() {
            if matches!(a.sort(), Sort::Mem(_)) {
                let defined = [(*a, *b), (*b, *a)].into_iter().find(|(x, t)| x.as_var().is_some_and(|v| targets.contains(&v)) && plain(*t));
                let Some((x, t)) = defined.and_then(|(x, t)| Some((x.as_var()?, t))) else {
                    return Err(Unencodable("a relation of memories, for the own solver".into()));
                };
                if values.insert(x, t).is_some() {
                    return Err(Unencodable("two values of one memory, for the own solver".into()));
                }
                continue;
            }
            if a.sort() == Sort::Int {
                if let Some((x, t)) = solve(*a, *b, &targets) {
                    if plain(t) {
                        values.entry(x).or_insert(t);
                    }
                }
            }
        }
        rest.push(c);
    }
    Ok(Split { values, rest })
}

/// `x = t` for a target `x` with coefficient ±1 in `a = b`.
fn solve(a: Term, b: Term, targets: &FxHashSet<Var>) -> Option<(Var, Term)> {
    let (constant, parts) = linear_form(a.sub(b));
    let at =
        parts.iter().position(|(k, t)| (*k == IBig::ONE || *k == IBig::NEG_ONE) && t.as_var().is_some_and(|v| targets.contains(&v)))?;
    let x = parts[at].1.as_var()?;
    // k·x + rest = 0, so x = -k·rest as k = ±1.
    let k = -parts[at].0.clone();
    let rest = parts.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, (c, t))| t.scale(&(c * &k)));
    Some((x, Term::sum(rest.chain([Term::int(constant * &k)]))))
}
