//! Universal quantification over variables that a formula should not have, exactly.
//!
//! `∀x` passes through conjunctions, and through disjunctions whose children share no quantified variable. What is left are disjunctions of atoms that do share some:
//! the negation is an existentially quantified conjunction of linear constraints, which Fourier and Motzkin's elimination projects, exactly over rationals and
//! over integers if one coefficient of each combined pair is a unit; beyond that see [`stuck`]. Nested disjunctions are multiplied out as far as a budget allows.

use super::stuck;
use crate::linear::{Linear, NumVar, Sort};
use crate::lit::BoolVar;
use crate::pool::{Id, Node, Op, Pool};
use crate::proof::Proof;
use plumb_num::Int;
use rustc_hash::FxHashMap;

/// What is quantified.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Var {
    Number(NumVar),
    Boolean(BoolVar),
}

/// The elimination of all variables that `keep_*` does not keep.
pub struct Forall<'a> {
    /// For the variables' sorts.
    pub proof: &'a Proof,
    /// Which numeric variables stay.
    pub keep_number: &'a dyn Fn(NumVar) -> bool,
    /// Which Boolean variables stay.
    pub keep_boolean: &'a dyn Fn(BoolVar) -> bool,
    /// How many steps are left.
    pub budget: usize,
    dirty: FxHashMap<Id, Vec<Var>>,
    done: FxHashMap<Id, Id>,
}

impl<'a> Forall<'a> {
    /// An elimination with a budget.
    pub fn new(
        proof: &'a Proof,
        keep_number: &'a dyn Fn(NumVar) -> bool,
        keep_boolean: &'a dyn Fn(BoolVar) -> bool,
        budget: usize,
    ) -> Forall<'a> {
        Forall { proof, keep_number, keep_boolean, budget, dirty: FxHashMap::default(), done: FxHashMap::default() }
    }

    /// The quantified variables of `id`, ascending.
    fn quantified(&mut self, pool: &Pool, id: Id) -> Vec<Var> {
        let mut stack = vec![(id, false)];
        while let Some((f, ready)) = stack.pop() {
            if self.dirty.contains_key(&f) {
                continue;
            }
            let mut vars: Vec<Var> = match pool.node(f) {
                Node::Constant(_) => Vec::new(),
                Node::Boolean(v, _) => (!(self.keep_boolean)(*v)).then_some(Var::Boolean(*v)).into_iter().collect(),
                Node::LessEq(t, _) | Node::Divides(_, t) => {
                    t.terms().iter().map(|t| t.0).filter(|x| !(self.keep_number)(*x)).map(Var::Number).collect()
                }
                Node::Connect(_, children) => {
                    if !ready {
                        stack.push((f, true));
                        stack.extend(children.iter().map(|c| (*c, false)));
                        continue;
                    }
                    children.iter().flat_map(|c| self.dirty[c].iter().copied()).collect()
                }
            };
            vars.sort_unstable();
            vars.dedup();
            self.dirty.insert(f, vars);
        }
        self.dirty[&id].clone()
    }

    /// `∀…: id`, or nothing if that cannot be said exactly within the budget. `depth` bounds the nesting.
    pub fn eliminate(&mut self, pool: &mut Pool, id: Id, depth: usize) -> Option<Id> {
        let quantified = self.quantified(pool, id);
        if quantified.is_empty() {
            return Some(id);
        }
        // The value of a function is not any number.
        if quantified.iter().any(|v| matches!(v, Var::Number(x) if self.proof.numbers[x.index()].application.is_some())) {
            return None;
        }
        if let Some(&done) = self.done.get(&id) {
            return Some(done);
        }
        let width = if let Node::Connect(_, children) = pool.node(id) { children.len() } else { 0 };
        self.budget = self.budget.checked_sub(1 + width / 4)?;
        let depth = depth.checked_sub(1)?;
        let result = match pool.node(id).clone() {
            Node::Constant(_) => id,
            // A form that is not constant in a quantified variable takes values above zero, and values that are no multiples.
            Node::Boolean(..) | Node::LessEq(..) | Node::Divides(..) => Id::FALSE,
            Node::Connect(Op::And, children) => {
                let mut out = Vec::with_capacity(children.len());
                for &c in children.iter() {
                    out.push(self.eliminate(pool, c, depth)?);
                    if out.last() == Some(&Id::FALSE) {
                        break;
                    }
                }
                pool.and(out)
            }
            Node::Connect(Op::Or, children) => self.disjunction(pool, &children, depth)?,
        };
        self.done.insert(id, result);
        Some(result)
    }

    fn disjunction(&mut self, pool: &mut Pool, children: &[Id], depth: usize) -> Option<Id> {
        let mut out = Vec::new();
        for group in self.components(pool, children) {
            out.push(self.group(pool, &group, depth)?);
        }
        Some(pool.or(out))
    }

    /// Children that are linked by common quantified variables, together; all clean ones alone.
    fn components(&mut self, pool: &Pool, children: &[Id]) -> Vec<Vec<Id>> {
        let mut groups: Vec<(Vec<Var>, Vec<Id>)> = Vec::new();
        for &c in children {
            let mut vars = self.quantified(pool, c);
            let mut members = vec![c];
            let mut rest = Vec::new();
            for (v, m) in groups {
                if v.iter().any(|x| vars.binary_search(x).is_ok()) {
                    vars.extend(v);
                    vars.sort_unstable();
                    vars.dedup();
                    members.extend(m);
                } else {
                    rest.push((v, m));
                }
            }
            rest.push((vars, members));
            groups = rest;
        }
        groups.into_iter().map(|g| g.1).collect()
    }

    fn group(&mut self, pool: &mut Pool, group: &[Id], depth: usize) -> Option<Id> {
        if let [single] = group {
            return self.eliminate(pool, *single, depth);
        }
        let smallest = group
            .iter()
            .enumerate()
            .filter_map(|(i, &c)| match pool.node(c) {
                Node::Connect(Op::And, inner) => Some((inner.len(), i)),
                _ => None,
            })
            .min();
        let Some((_, i)) = smallest else { return self.atoms(pool, group, depth) };
        // (a ∧ b) ∨ r is (a ∨ r) ∧ (b ∨ r).
        let mut out = Vec::new();
        for inner in pool.children(Op::And, group[i]) {
            let mut clause: Vec<Id> = group.to_vec();
            clause[i] = inner;
            let clause = pool.or(clause);
            out.push(self.eliminate(pool, clause, depth)?);
            if out.last() == Some(&Id::FALSE) {
                break;
            }
        }
        Some(pool.and(out))
    }

    /// `∀` of a disjunction of atoms. Opposite Booleans have made the disjunction true before.
    fn atoms(&mut self, pool: &mut Pool, group: &[Id], depth: usize) -> Option<Id> {
        let mut rows: Vec<(Linear, bool)> = Vec::new();
        let mut divisible: Vec<(Int, Linear)> = Vec::new();
        for &c in group {
            match pool.node(c) {
                Node::Divides(m, t) => divisible.push((m.clone(), t.clone())),
                Node::LessEq(..) => {
                    let negated = pool.negate_atom(c)?;
                    let Node::LessEq(t, strict) = pool.node(negated) else { return None };
                    rows.push((t.clone(), *strict));
                }
                _ => {}
            }
        }
        loop {
            let variables = |t: &Linear| t.terms().iter().map(|t| t.0).filter(|x| !(self.keep_number)(*x)).collect::<Vec<_>>();
            let mut vars: Vec<NumVar> = rows.iter().map(|r| &r.0).chain(divisible.iter().map(|d| &d.1)).flat_map(variables).collect();
            vars.sort_unstable();
            vars.dedup();
            if vars.is_empty() {
                break;
            }
            match vars.iter().filter_map(|&x| self.cost(&rows, &divisible, x).map(|c| (c, x))).min() {
                Some((cost, x)) => {
                    self.budget = self.budget.checked_sub(1 + cost)?;
                    divisible.retain(|(_, t)| t.coefficient(x).is_zero());
                    rows = self.project(pool, &rows, x)?;
                }
                None => {
                    self.budget = self.budget.checked_sub(10)?;
                    let integer = |x: NumVar| self.proof.numbers[x.index()].sort == Sort::Int;
                    let quantified = |x: NumVar| integer(x) && !(self.keep_number)(x);
                    match stuck::advance(&rows, &quantified, self.keep_number).filter(|_| divisible.is_empty()) {
                        Some(next) => rows = next,
                        None => {
                            let next = stuck::by_residues(pool, &rows, &divisible, &vars, &integer)?;
                            return self.eliminate(pool, next, depth);
                        }
                    }
                }
            }
        }
        // What is left is the negation of the result.
        let mut out = Vec::new();
        for (t, strict) in rows {
            let row = pool.less_eq(&t, strict);
            out.push(pool.negate_atom(row)?);
        }
        for (m, t) in divisible {
            out.push(pool.divides(&m, &t));
        }
        Some(pool.or(out))
    }

    /// How many rows the elimination of `x` makes; nothing if it is not exact.
    fn cost(&self, rows: &[(Linear, bool)], divisible: &[(Int, Linear)], x: NumVar) -> Option<usize> {
        let coefficients: Vec<Int> = rows.iter().map(|r| r.0.coefficient(x)).filter(|a| !a.is_zero()).collect();
        let ups = coefficients.iter().filter(|a| a.is_positive()).count();
        let downs = coefficients.len() - ups;
        let moduli = divisible.iter().filter(|d| !d.1.coefficient(x).is_zero()).count();
        if ups == 0 || downs == 0 {
            // Far out, one of two neighbours is no multiple of one modulus; of several, it depends.
            return (moduli <= 1).then_some(0);
        }
        if moduli > 0 {
            return None;
        }
        let real = self.proof.numbers[x.index()].sort == Sort::Real;
        let unit = |positive: bool| coefficients.iter().filter(|a| a.is_positive() == positive).all(|a| a.abs().is_one());
        // An integer between rational bounds needs more than a unit if other variables are not integers.
        let integer = rows.iter().filter(|r| !r.0.coefficient(x).is_zero()).all(|r| self.is_integer(&r.0));
        (real || (integer && (unit(true) || unit(false)))).then_some(ups * downs)
    }

    fn is_integer(&self, t: &Linear) -> bool {
        t.terms().iter().all(|(x, _)| self.proof.numbers[x.index()].sort == Sort::Int)
    }

    fn project(&self, pool: &mut Pool, rows: &[(Linear, bool)], x: NumVar) -> Option<Vec<(Linear, bool)>> {
        let (with, mut out): (Vec<_>, Vec<_>) = rows.iter().cloned().partition(|r| !r.0.coefficient(x).is_zero());
        let (ups, downs): (Vec<_>, Vec<_>) = with.into_iter().partition(|r| r.0.coefficient(x).is_positive());
        let mut ids = Vec::new();
        for (u, u_strict) in &ups {
            for (d, d_strict) in &downs {
                let (a, b) = (u.coefficient(x), d.coefficient(x).abs());
                let g = a.gcd(&b);
                let sum = u.times(&b.div_exact(&g)).plus(&a.div_exact(&g), d);
                ids.push(pool.less_eq(&sum, *u_strict || *d_strict));
            }
        }
        // The conjunction keeps the tightest bounds only.
        let all = pool.and(ids);
        for id in pool.children(Op::And, all) {
            match pool.node(id) {
                Node::LessEq(t, strict) => out.push((t.clone(), *strict)),
                // Contradictory: nothing is left to satisfy, so the disjunction holds always.
                Node::Constant(false) => out.push((Linear::constant(Int::ONE), false)),
                _ => return None,
            }
        }
        Some(out)
    }
}
