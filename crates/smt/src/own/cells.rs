//! Memories as cells: a graph over memories becomes one over scalars, by the reads that matter.
//!
//! At each node a memory is stood for by the cells at the addresses that some edge or some later node reads. An edge that defines a node's
//! memory by stores, `m' = store(m, a, v)`, defines each of its cells by a read over those stores, which in turn reads cells of `m`:
//! from the error backwards, a finite set of cells per node. An address is a term over the node's variables; before an edge, it is what the edge's
//! values say of it. Cells of one memory whose addresses may be equal are related by congruence, at the node.
//!
//! **Contract.** Labels of the reduced graph, with cells read as loads, are labels of the original one. A path of the reduced graph need not be one of the original:
//! an address that depends on an input, or one too many, is not followed, and its cell may then hold anything.

use crate::encode::Unencodable;
use crate::interpolate::{Dag, Edge};
use plumb_term::visit::{linear_form, postorder, rebuild, substitute, vars};
use plumb_term::{Cell, IBig, IntTy, Kind, Scalar, Sort, Term, Var, VarId, VarTy};
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
    /// For each node, the cells by memory and address.
    cells: Vec<BTreeMap<(Var, Term), Var>>,
    /// The node that owns a variable or a cell.
    owner: FxHashMap<Var, usize>,
    loads: FxHashMap<Var, Term>,
    next: u32,
    /// Cells of the edge at hand whose address the node cannot name.
    local: BTreeMap<(Var, Term), Var>,
    /// What was computed for the edge at hand: terms over cells, and contents of memories at addresses.
    scalars: FxHashMap<Term, Term>,
    reads: FxHashMap<(Term, Term), Term>,
}

impl<'d> Reduction<'d> {
    fn new(dag: &'d Dag, next: u32) -> Result<Reduction<'d>, Unencodable> {
        let mut owner = FxHashMap::default();
        for (n, list) in dag.nodes().iter().enumerate() {
            owner.extend(list.iter().map(|v| (*v, n)));
        }
        let splits = dag.edges().iter().map(|e| split(e, &dag.nodes()[e.to.0])).collect::<Result<_, _>>()?;
        let cells = vec![BTreeMap::new(); dag.nodes().len()];
        Ok(Reduction {
            dag,
            splits,
            cells,
            owner,
            loads: FxHashMap::default(),
            next,
            local: BTreeMap::new(),
            scalars: FxHashMap::default(),
            reads: FxHashMap::default(),
        })
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
        let nodes = self.dag.nodes().iter().zip(&self.cells).map(|(vs, cs)| scalars(vs).into_iter().chain(cs.values().copied()).collect());
        let edges = self.dag.edges().iter().zip(formulas).map(|(e, formula)| Edge { formula, ..e.clone() }).collect();
        let dag = Dag::new(nodes.collect(), edges).map_err(|e| Unencodable(e.to_string()))?;
        Ok(Cells { dag, loads: self.loads })
    }

    /// The formula of edge `i` over cells.
    fn edge(&mut self, i: usize, from: usize, to: usize) -> Result<Term, Unencodable> {
        self.local.clear();
        self.scalars.clear();
        self.reads.clear();
        let mut facts = Vec::new();
        for t in std::mem::take(&mut self.splits[i].rest) {
            facts.push(self.scalar(t, from)?);
        }
        let targets: Vec<((Var, Term), Var)> = self.cells[to].iter().map(|(k, v)| (*k, *v)).collect();
        for ((memory, address), cell) in targets {
            let values = &self.splits[i].values;
            let before = substitute(unfold(address, &self.loads), &|v| values.get(&v).copied());
            let named = vars([before]).iter().all(|v| self.owner.get(v) != Some(&to));
            let (Some(value), true) = (values.get(&memory).copied(), named) else {
                continue;
            };
            let before = self.scalar(before, from)?;
            let read = self.read(value, before, from)?;
            facts.push(Term::var(cell).equals(read));
        }
        // A cell that only this edge knows equals the node's cell at the same address.
        for ((memory, a), x) in std::mem::take(&mut self.local) {
            for ((_, b), y) in self.cells[from].iter().filter(|(k, _)| k.0 == memory) {
                facts.push(a.equals(*b).implies(Term::var(x).equals(Term::var(*y))));
            }
        }
        Ok(Term::all(facts))
    }

    /// A scalar term whose loads have become cells.
    fn scalar(&mut self, t: Term, node: usize) -> Result<Term, Unencodable> {
        if let Some(done) = self.scalars.get(&t) {
            return Ok(*done);
        }
        for n in postorder([t]) {
            if self.scalars.contains_key(&n) {
                continue;
            }
            let new = match n.kind() {
                Kind::Load(ty, m, a) => {
                    let a = self.scalars[a];
                    match (m.sort(), ty) {
                        (Sort::Mem(Cell::Scalar(_)), _) => self.read(*m, a, node)?,
                        (_, Scalar::Int(ty)) => {
                            let mut bytes = Vec::new();
                            for k in 0..ty.bytes() {
                                let byte = self.read(*m, a.plus(IBig::from(k)), node)?;
                                bytes.push(byte.scale(&(IBig::ONE << (8 * k as usize))));
                            }
                            Term::sum(bytes).wrap(*ty)
                        }
                        (_, Scalar::Float(_)) => return Err(Unencodable("a float in a memory of bytes, for the own solver".into())),
                    }
                }
                _ if matches!(n.sort(), Sort::Mem(_)) => continue,
                Kind::Eq(a, _) if matches!(a.sort(), Sort::Mem(_)) => {
                    return Err(Unencodable("a comparison of memories, for the own solver".into()))
                }
                _ => rebuild(n, &|c| self.scalars[&c]),
            };
            self.scalars.insert(n, new);
        }
        Ok(self.scalars[&t])
    }

    /// The content of one cell of a memory term. Addresses are over scalars.
    fn read(&mut self, memory: Term, address: Term, node: usize) -> Result<Term, Unencodable> {
        let mut todo = vec![memory];
        while let Some(m) = todo.last().copied() {
            if self.reads.contains_key(&(m, address)) {
                todo.pop();
                continue;
            }
            let (inner, other) = match m.kind() {
                Kind::Store(_, inner, ..) => (Some(*inner), None),
                Kind::Ite(_, a, b) => (Some(*a), Some(*b)),
                Kind::Splice { mem, src, .. } => (Some(*mem), Some(*src)),
                _ => (None, None),
            };
            let missing: Vec<Term> = inner.into_iter().chain(other).filter(|x| !self.reads.contains_key(&(*x, address))).collect();
            // A store at the very address hides what is below.
            if let Kind::Store(ty, _, a, v) = m.kind() {
                if matches!(m.sort(), Sort::Mem(Cell::Scalar(_))) {
                    let a = self.scalar(*a, node)?;
                    if address.difference(a) == Some(IBig::ZERO) {
                        let v = self.stored(*ty, *v, node)?;
                        self.reads.insert((m, address), v);
                        continue;
                    }
                }
            }
            if !missing.is_empty() {
                todo.extend(missing);
                continue;
            }
            let value = match m.kind() {
                Kind::Var(v) => self.cell(*v, address, node)?,
                Kind::ZeroMem(_) => Term::int(0),
                Kind::Ite(c, a, b) => {
                    let c = self.scalar(*c, node)?;
                    Term::ite(c, self.reads[&(*a, address)], self.reads[&(*b, address)])
                }
                Kind::Splice { mem, src, lo, len } => {
                    let (lo, len) = (self.scalar(*lo, node)?, self.scalar(*len, node)?);
                    let inside = lo.less_eq(address).and(address.less(lo.add(len)));
                    Term::ite(inside, self.reads[&(*src, address)], self.reads[&(*mem, address)])
                }
                Kind::Store(ty, inner, a, v) => {
                    let a = self.scalar(*a, node)?;
                    let below = self.reads[&(*inner, address)];
                    match (m.sort(), ty) {
                        (Sort::Mem(Cell::Scalar(_)), _) => {
                            let v = self.stored(*ty, *v, node)?;
                            Term::ite(address.equals(a), v, below)
                        }
                        (_, Scalar::Int(ty)) => {
                            let v = self.scalar(*v, node)?;
                            let byte = |k: u64| v.shr(Term::int(8 * k)).bit_and(Term::int(255));
                            (0..ty.bytes()).fold(below, |rest, k| Term::ite(address.equals(a.plus(IBig::from(k))), byte(k), rest))
                        }
                        (_, Scalar::Float(_)) => return Err(Unencodable("a float in a memory of bytes, for the own solver".into())),
                    }
                }
                _ => return Err(Unencodable("a memory of unknown make, for the own solver".into())),
            };
            self.reads.insert((m, address), value);
        }
        Ok(self.reads[&(memory, address)])
    }

    /// What a load finds where `v` was stored.
    fn stored(&mut self, ty: Scalar, v: Term, node: usize) -> Result<Term, Unencodable> {
        match ty {
            Scalar::Int(ty) => Ok(self.scalar(v, node)?.wrap(ty)),
            Scalar::Float(_) => Err(Unencodable("a memory of floats, for the own solver".into())),
        }
    }

    /// The cell of a memory variable: the node's if the node can name the address, the edge's otherwise.
    fn cell(&mut self, memory: Var, address: Term, node: usize) -> Result<Term, Unencodable> {
        let own = |v: &Var| self.owner.get(v) == Some(&node);
        let named = vars([address]).iter().all(own) && own(&memory);
        let known = if named { &self.cells[node] } else { &self.local };
        if let Some(x) = known.get(&(memory, address)) {
            return Ok(Term::var(*x));
        }
        let (named, ty) = match memory.ty {
            VarTy::Mem(Cell::Byte) => (named, Scalar::Int(IntTy::U8)),
            VarTy::Mem(Cell::Scalar(ty @ Scalar::Int(_))) => (named, ty),
            _ => return Err(Unencodable("a memory of floats, for the own solver".into())),
        };
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

    /// Cells of one memory at equal addresses are equal.
    fn congruence(&self, node: usize) -> Term {
        let list: Vec<((Var, Term), Var)> = self.cells[node].iter().map(|(k, v)| (*k, *v)).collect();
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
