//! Points and what holds at them: numeric values are halves.

use plumb_itp::proof::{Atom, Proof};
use plumb_itp::{BoolVar, Formula, Linear, Lit, NumVar, Part, Sort};
use plumb_num::Int;
use std::collections::BTreeSet;

/// An assignment: numbers as twice their value.
pub struct Point {
    pub numbers: Vec<i64>,
    pub booleans: Vec<bool>,
}

impl Point {
    fn twice(&self, t: &Linear) -> i64 {
        let terms: i64 = t.terms().iter().map(|(x, a)| a.to_i64().expect("small") * self.numbers[x.index()]).sum();
        terms + 2 * t.offset().to_i64().expect("small")
    }

    pub fn literal(&self, proof: &Proof, l: Lit) -> bool {
        let value = match &proof.booleans[l.var().index()].atom {
            Atom::Boolean => self.booleans[l.var().index()],
            Atom::LessEq(t) => self.twice(t) <= 0,
        };
        value == l.is_positive()
    }

    pub fn formula(&self, f: &Formula) -> bool {
        match f {
            Formula::Constant(b) => *b,
            Formula::Boolean(v, value) => self.booleans[v.index()] == *value,
            Formula::LessEq(t, strict) => self.twice(t) < 0 || (!strict && self.twice(t) == 0),
            Formula::Divides(m, t) => Int::from(self.twice(t)).rem_floor(&(m * &Int::from(2))).is_zero(),
            Formula::And(fs) => fs.iter().all(|f| self.formula(f)),
            Formula::Or(fs) => fs.iter().any(|f| self.formula(f)),
        }
    }

    /// Whether equal arguments have equal values.
    pub fn is_functional(&self, proof: &Proof) -> bool {
        let applications: Vec<_> = proof.numbers.iter().enumerate().filter_map(|(i, n)| Some((i, n.application.as_ref()?))).collect();
        let at = |xs: &[NumVar]| xs.iter().map(|x| self.numbers[x.index()]).collect::<Vec<_>>();
        applications
            .iter()
            .all(|(i, (f, a))| applications.iter().all(|(j, (g, b))| f != g || at(a) != at(b) || self.numbers[*i] == self.numbers[*j]))
    }
}

/// All points of a grid: integers of this radius, halves for rationals.
pub fn grid(proof: &Proof, radius: i64, visit: &mut dyn FnMut(&Point)) {
    let booleans: Vec<usize> = (0..proof.booleans.len()).filter(|i| proof.booleans[*i].atom == Atom::Boolean).collect();
    let mut point = Point { numbers: vec![0; proof.numbers.len()], booleans: vec![false; proof.booleans.len()] };
    fill(proof, radius, &booleans, 0, &mut point, visit);
}

fn fill(proof: &Proof, radius: i64, booleans: &[usize], at: usize, point: &mut Point, visit: &mut dyn FnMut(&Point)) {
    if at < proof.numbers.len() {
        let (range, step) = if proof.numbers[at].sort == Sort::Int { (2 * radius, 2) } else { (radius.min(3), 1) };
        for v in (-range..=range).step_by(step) {
            point.numbers[at] = v;
            fill(proof, radius, booleans, at + 1, point, visit);
        }
    } else if at < proof.numbers.len() + booleans.len() {
        for v in [false, true] {
            point.booleans[booleans[at - proof.numbers.len()]] = v;
            fill(proof, radius, booleans, at + 1, point, visit);
        }
    } else {
        visit(point);
    }
}

/// The numeric and plain Boolean variables of a formula.
pub fn variables(f: &Formula, numbers: &mut BTreeSet<NumVar>, booleans: &mut BTreeSet<BoolVar>) {
    match f {
        Formula::Constant(_) => {}
        Formula::Boolean(v, _) => {
            booleans.insert(*v);
        }
        Formula::LessEq(t, _) | Formula::Divides(_, t) => numbers.extend(t.terms().iter().map(|t| t.0)),
        Formula::And(fs) | Formula::Or(fs) => fs.iter().for_each(|f| variables(f, numbers, booleans)),
    }
}

/// Whether all variables of `f` occur both in `a` and outside.
pub fn is_common(proof: &Proof, f: &Formula, a: &dyn Fn(Part) -> bool) -> bool {
    let (mut numbers, mut booleans) = (BTreeSet::new(), BTreeSet::new());
    variables(f, &mut numbers, &mut booleans);
    let both = |parts: &[Part]| parts.iter().any(|p| a(*p)) && parts.iter().any(|p| !a(*p));
    numbers.iter().all(|x| both(&proof.numbers[x.index()].parts)) && booleans.iter().all(|v| both(&proof.booleans[v.index()].parts))
}
