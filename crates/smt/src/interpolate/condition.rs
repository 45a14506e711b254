//! The condition of a graph: one formula that has a model exactly if some path can be executed.
//!
//! Each node and each edge has a Boolean *guard*. A node's guard implies that of one edge into it, an edge's guard implies its
//! formula and the guard of its start; so a model in which a node's guard holds has a path from the entry to that node. This is the seed's
//! ARGCOND, read backwards, which serves every node at once and not only the error.

use super::dag::{Dag, EdgeId, NodeId, Useful};
use super::Witness;
use crate::encode::Encoding;
use crate::model::Model;
use crate::solver::{CheckResult, Limits, Reason, Solver};
use crate::z3::Z3Solver;
use plumb_term::eval::{MemValue, Value};
use plumb_term::visit::{postorder, vars};
use plumb_term::{Budget, IBig, Kind, Sort, Term, Var, VarId, VarTy};
use std::collections::BTreeMap;
use std::time::Duration;

/// The first slice of time of each encoding, where there are two to try.
const SLICE: Duration = Duration::from_millis(400);

/// Whether a graph has a path that can be executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decision {
    /// It has none.
    Unsat,
    /// It has this one.
    Sat(Witness),
    /// Not decided.
    Unknown(Reason),
}

/// Decides a graph by one plain satisfiability check, without labels.
pub fn decide(dag: &Dag, budget: &Budget) -> Decision {
    let useful = dag.useful();
    if useful.is_empty() {
        return Decision::Unsat;
    }
    let condition = Condition::new(dag, &useful, dag.fresh());
    let asked = in_turn(dag.edges().iter().map(|e| e.formula), budget, |solver| {
        condition.facts.iter().for_each(|t| solver.assert(*t));
        for (i, e) in dag.edges().iter().enumerate().filter(|(i, _)| useful.edges[*i]) {
            solver.assert(condition.edges[i].implies(e.formula));
        }
        solver.assert(condition.nodes[dag.error().0]);
        match solver.check() {
            CheckResult::Unsat => Ok(Decision::Unsat),
            CheckResult::Sat => condition.witness(dag, solver).map(Decision::Sat),
            CheckResult::Unknown(why) => Err(why),
        }
    });
    asked.unwrap_or_else(Decision::Unknown)
}

/// Guards and what relates them.
pub(super) struct Condition {
    /// The guard of each node; true for the entry.
    pub(super) nodes: Vec<Term>,
    /// The guard of each edge; false where it is not useful. That it implies the formula is left to the caller.
    pub(super) edges: Vec<Term>,
    /// The relations.
    pub(super) facts: Vec<Term>,
}

impl Condition {
    /// Guards are variables numbered from `next` on.
    pub(super) fn new(dag: &Dag, useful: &Useful, mut next: u32) -> Condition {
        let mut guard = || {
            next += 1;
            Term::var(Var::new(VarId(next - 1), VarTy::Bool))
        };
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); dag.nodes().len()];
        for (i, e) in dag.edges().iter().enumerate().filter(|(i, _)| useful.edges[*i]) {
            into[e.to.0].push(i);
        }
        let mut c = Condition { nodes: vec![Term::tt()], edges: vec![Term::ff(); dag.edges().len()], facts: Vec::new() };
        for edges in &into[1..] {
            let node = guard();
            c.nodes.push(node);
            match edges.as_slice() {
                [] => {}
                [one] => c.edges[*one] = node,
                many => {
                    many.iter().for_each(|i| c.edges[*i] = guard());
                    c.facts.push(node.implies(Term::any(many.iter().map(|i| c.edges[*i]))));
                }
            }
            for i in edges {
                c.facts.push(c.edges[*i].implies(c.nodes[dag.edges()[*i].from.0]));
            }
        }
        c.facts.retain(|t| !t.is_true());
        c
    }

    /// The path of the solver's model that ends in the error.
    pub(super) fn witness(&self, dag: &Dag, solver: &mut Z3Solver) -> Result<Witness, Reason> {
        let unreadable = || Reason::Incomplete("the model cannot be read".into());
        let model = solver.model().ok_or_else(unreadable)?;
        let mut path = Vec::new();
        let mut at = dag.error();
        while at != Dag::ENTRY {
            let id = self.taken(dag, &model, at).ok_or_else(unreadable)?;
            path.push(id);
            at = dag.edges()[id.0].from;
        }
        path.reverse();
        let ends = std::iter::once(Dag::ENTRY).chain(path.iter().map(|id| dag.edges()[id.0].to));
        let mut values = BTreeMap::new();
        for v in ends.flat_map(|n| dag.nodes()[n.0].iter().copied()).chain(vars(path.iter().map(|id| dag.edges()[id.0].formula))) {
            values.insert(v, model.var(v).ok_or_else(unreadable)?);
        }
        let witness = Witness { path, values };
        if witness.executes(dag) {
            return Ok(witness);
        }
        // A negative address reads as a large one in the encoding to bits.
        let folded = Witness { values: witness.values.iter().map(|(v, value)| (*v, folded(value))).collect(), ..witness.clone() };
        if folded.executes(dag) {
            return Ok(folded);
        }
        // Which NaN an operation yields is open.
        let floats = postorder(witness.path.iter().map(|id| dag.edges()[id.0].formula)).iter().any(|t| matches!(t.sort(), Sort::Float(_)));
        if floats {
            Ok(witness)
        } else {
            Err(unreadable())
        }
    }

    /// An edge into `node` that the model takes.
    fn taken(&self, dag: &Dag, model: &Model, node: NodeId) -> Option<EdgeId> {
        let into = dag.edges().iter().enumerate().filter(|(_, e)| e.to == node);
        let taken: Vec<usize> = into.map(|(i, _)| i).filter(|i| model.holds(self.edges[*i]) == Some(true)).collect();
        let exact = taken.iter().find(|i| model.holds(dag.edges()[**i].formula) == Some(true));
        exact.or(taken.first()).map(|i| EdgeId(*i))
    }
}

/// The value with the upper half of 64-bit addresses read as negative.
fn folded(value: &Value) -> Value {
    let Value::Mem(m) = value else { return value.clone() };
    let (half, whole) = (IBig::ONE << 63, IBig::ONE << 64);
    let mut out = MemValue::filled(m.cell(), m.background().clone());
    for (lo, hi, v) in m.runs() {
        let low = hi.clone().min(half.clone());
        out.fill(lo.clone(), low, v.clone());
        let high = lo.clone().max(half.clone());
        out.fill(high - &whole, hi - &whole, v.clone());
    }
    Value::Mem(out)
}

/// The encodings for formulas, the most promising first.
pub(super) fn encodings(terms: impl IntoIterator<Item = Term>) -> Vec<Encoding> {
    let (mut bitwise, mut unbounded, mut wraps, mut far) = (false, false, false, false);
    for t in postorder(terms) {
        match t.kind() {
            Kind::BitAnd(..) | Kind::BitOr(..) | Kind::BitXor(..) | Kind::Shl(..) | Kind::Shr(..) => bitwise = true,
            Kind::FBin(..) | Kind::FUn(..) | Kind::FCmp(..) | Kind::FToInt(..) | Kind::FFromInt(..) | Kind::FBits(_) => bitwise = true,
            Kind::Var(v) => unbounded |= v.ty == VarTy::Int,
            Kind::Wrap(..) | Kind::Mul(..) => wraps = true,
            Kind::Load(_, _, at) | Kind::Store(_, _, at, _) | Kind::Splice { lo: at, .. } => far |= !is_near(*at),
            _ => {}
        }
    }
    match (unbounded, (bitwise || wraps) && !far) {
        (true, _) => vec![Encoding::Int],
        (false, true) => vec![Encoding::BITS64, Encoding::Int],
        (false, false) => vec![Encoding::Int, Encoding::BITS64],
    }
}

/// Whether addresses modulo 2^64 are as good as these.
fn is_near(address: Term) -> bool {
    const LIMIT: i128 = 1 << 62;
    let r = address.range();
    r.lo.is_some_and(|l| l >= -LIMIT) && r.hi.is_some_and(|h| h <= LIMIT)
}

/// Asks with a fresh solver in each encoding that fits the terms, in growing slices of time, until one answers.
pub(super) fn in_turn<T>(
    terms: impl IntoIterator<Item = Term> + Clone,
    budget: &Budget,
    mut ask: impl FnMut(&mut Z3Solver) -> Result<T, Reason>,
) -> Result<T, Reason> {
    let encodings = encodings(terms.clone());
    let splices = postorder(terms).iter().any(|t| matches!(t.kind(), Kind::Splice { .. }));
    let mut slice = SLICE;
    loop {
        let (mut late, mut why) = (false, Reason::Time);
        for encoding in &encodings {
            if budget.is_over() {
                return Err(Reason::Time);
            }
            let limits = Limits { query_time: (encodings.len() > 1).then_some(slice), ..Limits::default() };
            let made = match encoding {
                Encoding::Int if !splices => Z3Solver::without_tactics(*encoding, &limits),
                _ => Z3Solver::new(*encoding, &limits),
            };
            let mut solver = made.map_err(|e| Reason::Incomplete(e.to_string()))?;
            solver.set_budget(budget);
            match ask(&mut solver) {
                Ok(answer) => return Ok(answer),
                Err(Reason::Time) => late = true,
                Err(other) => why = other,
            }
        }
        if !late || budget.is_over() {
            return Err(if late { Reason::Time } else { why });
        }
        slice = slice.saturating_mul(4);
    }
}
