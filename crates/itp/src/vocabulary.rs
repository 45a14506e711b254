//! The variables of a problem: what they stand for and in which parts they occur.
//!
//! Linear atoms are normalised, so that equal constraints are one Boolean variable. Over integers `Σ aᵢ·xᵢ + c ≤ 0` is divided by
//! the greatest common divisor of the `aᵢ` with the constant rounded up (the tightening of a cut, for free), and of an atom and
//! its negation the one whose first coefficient is positive names the variable. With a rational variable, the atom is made primitive.

use crate::linear::{Linear, NumVar, Sort};
use crate::lit::{BoolVar, Lit};
use crate::proof::{Atom, Fun, Meaning, Number, Part};
use plumb_num::Int;
use rustc_hash::FxHashMap;

/// A literal, or a truth value where a constraint has no variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Literal {
    /// It does not depend on anything.
    Constant(bool),
    /// It is this literal.
    Lit(Lit),
}

impl Literal {
    fn negate(self) -> Literal {
        match self {
            Literal::Constant(b) => Literal::Constant(!b),
            Literal::Lit(l) => Literal::Lit(!l),
        }
    }
}

/// The variables of a problem.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    booleans: Vec<Meaning>,
    numbers: Vec<Number>,
    atoms: FxHashMap<Linear, BoolVar>,
    applications: FxHashMap<(Fun, Vec<NumVar>), NumVar>,
}

impl Vocabulary {
    /// A new numeric variable.
    pub fn number(&mut self, sort: Sort) -> NumVar {
        self.numbers.push(Number { sort, parts: Vec::new(), application: None });
        NumVar(self.numbers.len() as u32 - 1)
    }

    /// The variable that names the value of `function` at `arguments`: the same one for the same application.
    pub fn apply(&mut self, function: Fun, arguments: &[NumVar], sort: Sort) -> NumVar {
        let application = (function, arguments.to_vec());
        if let Some(&x) = self.applications.get(&application) {
            return x;
        }
        let x = self.number(sort);
        self.numbers[x.index()].application = Some(application.clone());
        self.applications.insert(application, x);
        x
    }

    /// A new plain Boolean variable.
    pub fn boolean(&mut self) -> BoolVar {
        self.name(Atom::Boolean)
    }

    fn name(&mut self, atom: Atom) -> BoolVar {
        self.booleans.push(Meaning { atom, parts: Vec::new(), mixed: false });
        BoolVar(self.booleans.len() as u32 - 1)
    }

    /// The Boolean variables.
    pub fn booleans(&self) -> &[Meaning] {
        &self.booleans
    }

    /// The numeric variables.
    pub fn numbers(&self) -> &[Number] {
        &self.numbers
    }

    /// What `var` stands for.
    pub fn atom(&self, var: BoolVar) -> &Atom {
        &self.booleans[var.index()].atom
    }

    /// Whether all variables of `t` are integers.
    pub fn is_integer(&self, t: &Linear) -> bool {
        t.terms().iter().all(|(x, _)| self.numbers[x.index()].sort == Sort::Int)
    }

    /// The literal that says `t ≤ 0`.
    pub fn less_eq(&mut self, t: &Linear) -> Literal {
        let Some((_, first)) = t.terms().first() else {
            return Literal::Constant(!t.offset().is_positive());
        };
        let integer = self.is_integer(t);
        if integer && first.is_negative() {
            // t ≤ 0 unless -t + 1 ≤ 0.
            let opposite = t.times(&Int::MINUS_ONE).plus(&Int::ONE, &Linear::constant(Int::ONE));
            return self.less_eq(&opposite).negate();
        }
        let t = normalise(t, integer);
        if let Some(&var) = self.atoms.get(&t) {
            return Literal::Lit(var.positive());
        }
        let var = self.name(Atom::LessEq(t.clone()));
        self.atoms.insert(t, var);
        Literal::Lit(var.positive())
    }

    /// The literal that says `t < 0`.
    pub fn less(&mut self, t: &Linear) -> Literal {
        self.less_eq(&t.times(&Int::MINUS_ONE)).negate()
    }

    /// Says that `var`, and with it every variable of its atom and every argument of those, occurs in `part`.
    pub fn occurs(&mut self, var: BoolVar, part: Part) {
        let meaning = &mut self.booleans[var.index()];
        if !insert(&mut meaning.parts, part) {
            return;
        }
        meaning.mixed = false;
        if let Atom::LessEq(t) = &meaning.atom {
            let mut todo: Vec<NumVar> = t.terms().iter().map(|t| t.0).collect();
            while let Some(x) = todo.pop() {
                let number = &mut self.numbers[x.index()];
                if insert(&mut number.parts, part) {
                    todo.extend(number.application.iter().flat_map(|(_, arguments)| arguments.iter().copied()));
                }
            }
        }
    }

    /// The parts in which all variables of `t` occur, ascending.
    pub fn common_parts(&self, t: &Linear) -> Vec<Part> {
        let mut terms = t.terms().iter();
        let Some((first, _)) = terms.next() else { return Vec::new() };
        let mut common = self.numbers[first.index()].parts.clone();
        for (x, _) in terms {
            let parts = &self.numbers[x.index()].parts;
            common.retain(|p| parts.binary_search(p).is_ok());
        }
        common
    }

    /// Lets an atom that no assertion has occur where all of its variables do; without such a part it is marked as mixed.
    pub fn place(&mut self, var: BoolVar) {
        let Atom::LessEq(t) = &self.booleans[var.index()].atom else { return };
        if self.booleans[var.index()].parts.is_empty() {
            let common = self.common_parts(t);
            let meaning = &mut self.booleans[var.index()];
            meaning.mixed = common.is_empty();
            meaning.parts = common;
        }
    }
}

/// Adds to an ascending list; whether it was not there.
fn insert(parts: &mut Vec<Part>, part: Part) -> bool {
    match parts.binary_search(&part) {
        Ok(_) => false,
        Err(i) => {
            parts.insert(i, part);
            true
        }
    }
}

fn normalise(t: &Linear, integer: bool) -> Linear {
    let mut g = t.terms().iter().fold(Int::ZERO, |g, (_, a)| g.gcd(a));
    if !integer {
        g = g.gcd(t.offset());
    }
    if g.is_one() {
        return t.clone();
    }
    // Rounding up is exact in the rational case.
    let offset = -(-t.offset()).div_floor(&g);
    Linear::new(t.terms().iter().map(|(x, a)| (*x, a.div_exact(&g))), offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linear(terms: &[(NumVar, i64)], c: i64) -> Linear {
        Linear::new(terms.iter().map(|&(x, a)| (x, Int::from(a))), Int::from(c))
    }

    #[test]
    fn an_integer_atom_and_its_negation_are_one_variable() {
        let mut v = Vocabulary::default();
        let (x, y) = (v.number(Sort::Int), v.number(Sort::Int));
        let Literal::Lit(a) = v.less_eq(&linear(&[(x, 2), (y, -4)], 3)) else { panic!() };
        // 2x - 4y + 3 ≤ 0 is x - 2y + 2 ≤ 0; its negation is -x + 2y - 1 ≤ 0.
        assert_eq!(v.atom(a.var()), &Atom::LessEq(linear(&[(x, 1), (y, -2)], 2)));
        assert_eq!(v.less_eq(&linear(&[(x, -1), (y, 2)], -1)), Literal::Lit(!a));
        assert_eq!(v.less_eq(&linear(&[(x, -3), (y, 6)], -5)), Literal::Lit(!a));
    }

    #[test]
    fn a_rational_atom_is_not_rounded() {
        let mut v = Vocabulary::default();
        let x = v.number(Sort::Real);
        let Literal::Lit(a) = v.less_eq(&linear(&[(x, 2)], 3)) else { panic!() };
        assert_eq!(v.atom(a.var()), &Atom::LessEq(linear(&[(x, 2)], 3)));
        assert_eq!(v.less(&linear(&[(x, -4)], -6)), Literal::Lit(!a));
    }

    #[test]
    fn made_up_atoms_live_where_all_their_variables_do() {
        let mut v = Vocabulary::default();
        let (x, y, z) = (v.number(Sort::Int), v.number(Sort::Int), v.number(Sort::Int));
        let Literal::Lit(a) = v.less_eq(&linear(&[(x, 1), (y, 1)], 0)) else { panic!() };
        let Literal::Lit(b) = v.less_eq(&linear(&[(y, 1), (z, 1)], 0)) else { panic!() };
        v.occurs(a.var(), Part(0));
        v.occurs(b.var(), Part(1));
        let Literal::Lit(c) = v.less_eq(&linear(&[(y, 1)], 7)) else { panic!() };
        let Literal::Lit(d) = v.less_eq(&linear(&[(x, 1), (z, 1)], 7)) else { panic!() };
        v.place(c.var());
        v.place(d.var());
        assert_eq!(v.booleans()[c.var().index()].parts, [Part(0), Part(1)]);
        assert!(v.booleans()[d.var().index()].mixed);
    }
}
