//! Parts, scopes and assertions.

use super::gates::Gate;
use super::{Last, Solver};
use crate::lit::{BoolVar, Lit};
use crate::proof::{Atom, Part};
use crate::theory::Theory;
use crate::vocabulary::Literal;

impl<T: Theory> Solver<T> {
    /// Opens a new part: assertions and gates go there from now on. The first one is 0; without a call all goes to part 0.
    pub fn part(&mut self) -> Part {
        self.current = Part(self.parts);
        self.parts += 1;
        self.current
    }

    /// Goes back to a part, or opens all up to it.
    pub fn set_part(&mut self, part: Part) {
        self.current = part;
        self.parts = self.parts.max(part.0 + 1);
    }

    /// The part to which assertions go.
    pub fn current_part(&self) -> Part {
        self.current
    }

    /// Opens a scope.
    pub fn push(&mut self) {
        let var = self.vocabulary.boolean();
        self.hidden.resize(var.index(), false);
        self.hidden.push(true);
        self.scopes.push(var.positive());
    }

    /// Takes back what was asserted since the last scope was opened. Without an open scope, nothing happens.
    pub fn pop(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            self.last = Last::Nothing;
            self.search.grow(&self.vocabulary);
            self.search.add_input(self.current, &mut [!scope], None);
        }
    }

    /// How many scopes are open.
    pub fn scopes(&self) -> usize {
        self.scopes.len()
    }

    /// Asserts that `literal` is true, in the current part and scope.
    pub fn assert(&mut self, literal: Literal) {
        let Literal::Lit(lit) = literal else {
            self.add_clause(&[literal]);
            return;
        };
        // A conjunction is asserted by its conjuncts, a disjunction as a clause.
        let mut todo = vec![lit];
        while let Some(lit) = todo.pop() {
            match self.gates.in_part(lit.var(), self.current) {
                Some(Gate::And(inputs)) if lit.is_positive() => todo.extend(inputs.iter().rev()),
                Some(Gate::And(inputs)) => {
                    let clause: Vec<Lit> = inputs.iter().map(|&a| !a).collect();
                    self.assert_plain(&clause);
                }
                _ => self.assert_plain(&[lit]),
            }
        }
    }

    /// Asserts that one of `literals` is true, in the current part and scope.
    pub fn add_clause(&mut self, literals: &[Literal]) {
        let mut clause = Vec::with_capacity(literals.len());
        for l in literals {
            match l {
                Literal::Constant(true) => return,
                Literal::Constant(false) => {}
                Literal::Lit(l) => clause.push(*l),
            }
        }
        self.assert_plain(&clause);
    }

    /// Asserts that one of `literals` is true if `guard` is, in the current part and scope. Unlike with [`add_clause`](Solver::add_clause), the search need not
    /// satisfy it before `guard` has a value; a Boolean that ends up without one is false in the model.
    pub fn add_guarded(&mut self, guard: BoolVar, literals: &[Literal]) {
        let mut clause = vec![guard.negative()];
        for l in literals {
            match l {
                Literal::Constant(true) => return,
                Literal::Constant(false) => {}
                Literal::Lit(l) => clause.push(*l),
            }
        }
        clause.iter().for_each(|&l| self.define(l));
        self.suggest(&clause[1..]);
        clause.extend(self.scopes.last().map(|s| !*s));
        // A gate is not false for want of a value, nor is an atom.
        let is_free = self.vocabulary.atom(guard) == &Atom::Boolean && !self.gates.is_gate(guard);
        self.submit(self.current, clause, is_free.then_some(guard.negative()));
    }

    fn assert_plain(&mut self, lits: &[Lit]) {
        for &l in lits {
            self.define(l);
        }
        self.suggest(lits);
        let scope = self.scopes.last().map(|s| !*s);
        self.submit(self.current, lits.iter().copied().chain(scope).collect(), None);
    }

    /// Adds the clauses of gates that `lit` being true needs.
    pub(super) fn define(&mut self, lit: Lit) {
        let mut clauses = Vec::new();
        self.gates.demand(lit, &mut clauses);
        for (part, clause) in clauses {
            self.suggest(&clause[1..]);
            let guard = clause[0];
            self.submit(part, clause, Some(guard));
        }
    }

    /// A literal is there to make its clause true: then the others need no value.
    fn suggest(&mut self, lits: &[Lit]) {
        self.search.grow(&self.vocabulary);
        lits.iter().for_each(|&l| self.search.suggest(l));
    }

    /// Gives a clause to the search.
    fn submit(&mut self, part: Part, mut clause: Vec<Lit>, guard: Option<Lit>) {
        self.last = Last::Nothing;
        self.parts = self.parts.max(part.0 + 1);
        clause.sort_unstable();
        clause.dedup();
        if clause.windows(2).any(|w| w[0] == !w[1]) {
            return;
        }
        for l in &clause {
            if !self.is_hidden(*l) {
                self.vocabulary.occurs(l.var(), part);
            }
        }
        self.search.grow(&self.vocabulary);
        self.search.add_input(part, &mut clause, guard);
    }
}
