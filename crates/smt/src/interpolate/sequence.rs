//! Sequences of formulas over shared variables.

use super::dag::{Dag, Edge, EdgeId, Malformed, NodeId};
use super::{Answer, Witness};
use plumb_term::visit::{substitute, vars};
use plumb_term::{Sort, Term, Var, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Formulas A₁, …, Aₙ and the variables at the cuts between them. An interpolant may mention what stands at its cut, which is at least
/// every variable that occurs on both sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sequence {
    formulas: Vec<Term>,
    cuts: Vec<Vec<Var>>,
}

impl Sequence {
    /// The sequence with the cuts that the formulas need.
    pub fn new(formulas: Vec<Term>) -> Result<Sequence, Malformed> {
        let mut spans: BTreeMap<Var, (usize, usize)> = BTreeMap::new();
        for (i, t) in formulas.iter().enumerate() {
            for v in vars([*t]) {
                spans.entry(v).or_insert((i, i)).1 = i;
            }
        }
        let mut cuts = vec![Vec::new(); formulas.len().saturating_sub(1)];
        for (v, (first, last)) in spans {
            cuts[first..last].iter_mut().for_each(|c| c.push(v));
        }
        Sequence::with_cuts(formulas, cuts)
    }

    /// The sequence with these variables at its cuts, one less than formulas.
    pub fn with_cuts(formulas: Vec<Term>, cuts: Vec<Vec<Var>>) -> Result<Sequence, Malformed> {
        if formulas.is_empty() || cuts.len() + 1 != formulas.len() {
            return Err(Malformed::Empty);
        }
        let mut ended: BTreeSet<Var> = BTreeSet::new();
        for (i, t) in formulas.iter().enumerate() {
            if t.sort() != Sort::Bool {
                return Err(Malformed::Sort(EdgeId(i)));
            }
            let left: BTreeSet<Var> = if i == 0 { BTreeSet::new() } else { cuts[i - 1].iter().copied().collect() };
            let right: BTreeSet<Var> = cuts.get(i).into_iter().flatten().copied().collect();
            let here: BTreeSet<Var> = vars([*t]).into_iter().chain(left.iter().copied()).chain(right.iter().copied()).collect();
            if let Some(v) = here.iter().find(|v| ended.contains(v)) {
                return Err(Malformed::Variable(*v));
            }
            ended.extend(here.difference(&right));
        }
        Ok(Sequence { formulas, cuts })
    }

    /// The formulas.
    pub fn formulas(&self) -> &[Term] {
        &self.formulas
    }

    /// The variables at each cut.
    pub fn cuts(&self) -> &[Vec<Var>] {
        &self.cuts
    }

    /// The graph that is a path, with own copies at each cut, and the way back. A variable that passes by is copied.
    pub fn as_dag(&self) -> (Dag, Names) {
        let all = vars(self.formulas.iter().copied()).into_iter().chain(self.cuts.iter().flatten().copied());
        let mut next = all.map(|v| v.id.0).max().unwrap_or(0).max(VarId::FIRST_AUX.0) + 1;
        let mut names = Names::default();
        let mut copies: Vec<BTreeMap<Var, Var>> = vec![BTreeMap::new()];
        for cut in &self.cuts {
            let mut map = BTreeMap::new();
            for v in cut {
                map.entry(*v).or_insert_with(|| {
                    next += 1;
                    let copy = Var { id: VarId(next - 1), version: 0, ty: v.ty };
                    names.originals.insert(copy, *v);
                    copy
                });
            }
            copies.push(map);
        }
        copies.push(BTreeMap::new());
        let mut edges = Vec::with_capacity(self.formulas.len());
        for (i, t) in self.formulas.iter().enumerate() {
            let (left, right) = (&copies[i], &copies[i + 1]);
            let renamed = substitute(*t, &|v| left.get(&v).or_else(|| right.get(&v)).map(|c| Term::var(*c)));
            let kept = left.iter().filter_map(|(v, a)| right.get(v).map(|b| Term::var(*a).equals(Term::var(*b))));
            let formula = Term::all(kept.chain([renamed]));
            edges.push(Edge { from: NodeId(i), to: NodeId(i + 1), formula });
        }
        let nodes = copies.iter().map(|m| m.values().copied().collect()).collect();
        (Dag::of_parts(nodes, edges), names)
    }

    /// Checks labels of [`super::Interpolator::sequence`]: as [`super::validate`] does for the graph.
    pub fn validate(&self, labels: &[Term], budget: &plumb_term::Budget) -> Result<(), super::Invalid> {
        let (dag, names) = self.as_dag();
        let copies: Vec<BTreeMap<Var, Var>> =
            dag.nodes().iter().map(|list| list.iter().map(|c| (names.originals[c], *c)).collect()).collect();
        let renamed = |(i, t): (usize, &Term)| substitute(*t, &|v| copies.get(i).and_then(|m| m.get(&v)).map(|c| Term::var(*c)));
        let labels: Vec<Term> = labels.iter().enumerate().map(renamed).collect();
        super::validate(&dag, &labels, budget)
    }
}

/// Which variables the copies of a sequence's graph stand for.
#[derive(Clone, Debug, Default)]
pub struct Names {
    originals: BTreeMap<Var, Var>,
}

impl Names {
    /// An answer for the sequence.
    pub fn back(&self, answer: Answer) -> Answer {
        let original = |v: Var| self.originals.get(&v).copied();
        match answer {
            Answer::Labels(labels) => Answer::Labels(labels.into_iter().map(|t| substitute(t, &|v| original(v).map(Term::var))).collect()),
            Answer::Model(w) => {
                let values = w.values.into_iter().map(|(v, value)| (original(v).unwrap_or(v), value)).collect();
                Answer::Model(Witness { path: w.path, values })
            }
            unknown => unknown,
        }
    }
}
