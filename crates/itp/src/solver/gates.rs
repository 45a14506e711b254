//! Formulas as literals: a gate names a formula over literals, and its clauses are added when, and in the direction in which, it is used.
//!
//! A gate belongs to the part in which it was made, and so do its clauses; equal gates of one part are one. Only the direction that is used is
//! defined (Plaisted and Greenbaum 1986): what a gate with the irrelevant value says about its inputs is nothing, so the
//! search need not decide them.

use crate::lit::{BoolVar, Lit};
use crate::proof::Part;
use rustc_hash::FxHashMap;

/// A formula over literals.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Gate {
    /// At least two literals, ascending, of different variables.
    And(Vec<Lit>),
    /// Two positive literals, ascending.
    Iff(Lit, Lit),
    /// Condition (positive), then, else.
    Ite(Lit, Lit, Lit),
}

#[derive(Clone, Debug)]
struct Definition {
    gate: Gate,
    part: Part,
    var: BoolVar,
    /// Whether the clauses for the value false, true were added.
    done: [bool; 2],
}

/// The gates of a solver, in an order in which inputs come first.
#[derive(Clone, Debug, Default)]
pub(super) struct Gates {
    definitions: Vec<Definition>,
    by_gate: FxHashMap<(Part, Gate), BoolVar>,
    by_var: FxHashMap<BoolVar, u32>,
}

impl Gates {
    /// The variable of `gate` in `part`, made by `fresh` if there is none.
    pub(super) fn name(&mut self, part: Part, gate: Gate, fresh: impl FnOnce() -> BoolVar) -> BoolVar {
        let definitions = &mut self.definitions;
        let by_var = &mut self.by_var;
        *self.by_gate.entry((part, gate)).or_insert_with_key(|(_, gate)| {
            let var = fresh();
            by_var.insert(var, definitions.len() as u32);
            definitions.push(Definition { gate: gate.clone(), part, var, done: [false; 2] });
            var
        })
    }

    /// Whether `var` names a gate.
    pub(super) fn is_gate(&self, var: BoolVar) -> bool {
        self.by_var.contains_key(&var)
    }

    /// The gate of `var`, if it belongs to `part`.
    pub(super) fn in_part(&self, var: BoolVar, part: Part) -> Option<&Gate> {
        let d = &self.definitions[*self.by_var.get(&var)? as usize];
        (d.part == part).then_some(&d.gate)
    }

    /// The clauses, with their part, that `lit` being true needs and that were not given out before.
    pub(super) fn demand(&mut self, lit: Lit, clauses: &mut Vec<(Part, Vec<Lit>)>) {
        let mut todo = vec![lit];
        while let Some(lit) = todo.pop() {
            let Some(&i) = self.by_var.get(&lit.var()) else { continue };
            let d = &mut self.definitions[i as usize];
            if std::mem::replace(&mut d.done[usize::from(lit.is_positive())], true) {
                continue;
            }
            let first = clauses.len();
            // Each clause says: if `lit`, then one of the others.
            let mut add = |others: &[Lit]| {
                clauses.push((d.part, std::iter::once(!lit).chain(others.iter().copied()).collect()));
            };
            match (&d.gate, lit.is_positive()) {
                (Gate::And(inputs), true) => inputs.iter().for_each(|&a| add(&[a])),
                (Gate::And(inputs), false) => add(&inputs.iter().map(|&a| !a).collect::<Vec<_>>()),
                (&Gate::Iff(a, b), true) => [[!a, b], [a, !b]].iter().for_each(|c| add(c)),
                (&Gate::Iff(a, b), false) => [[a, b], [!a, !b]].iter().for_each(|c| add(c)),
                (&Gate::Ite(c, t, e), true) => [[!c, t], [c, e], [t, e]].iter().for_each(|c| add(c)),
                (&Gate::Ite(c, t, e), false) => [[!c, !t], [c, !e], [!t, !e]].iter().for_each(|c| add(c)),
            }
            todo.extend(clauses[first..].iter().flat_map(|(_, c)| c[1..].iter().copied()));
        }
    }

    /// Sets the variables of gates to what they stand for.
    pub(super) fn evaluate(&self, values: &mut [bool]) {
        for d in &self.definitions {
            let is = |l: Lit| values[l.var().index()] == l.is_positive();
            values[d.var.index()] = match &d.gate {
                Gate::And(inputs) => inputs.iter().all(|&a| is(a)),
                &Gate::Iff(a, b) => is(a) == is(b),
                &Gate::Ite(c, t, e) => is(if is(c) { t } else { e }),
            };
        }
    }
}
