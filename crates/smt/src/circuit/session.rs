//! Many questions about the same terms: their circuits stay in one SAT solver, and each question assumes some of their bits.
//!
//! **Contract.** The bits of a term are those of its value in every model of the clauses, as for [`super::Circuit`]. Answers are about the clauses and what is assumed; after a
//! `Some(true)`, [`Session::value`] reads the model, after a `Some(false)`, [`Session::failed`] says which assumptions were needed, until the next clause or question.

use super::build::{Builder, Part, Unbuilt};
use super::gates::Lit;
use super::Watch;
use crate::encode::Unencodable;
use plumb_term::{Budget, Scalar, Sort, Term, Var, VarTy};
use std::ops::Not;

/// A bit of a term, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bit(Lit);

impl Bit {
    /// A bit whose value is known.
    pub fn constant(value: bool) -> Bit {
        Bit(Lit::of(value))
    }

    /// Itself or its negation, so that it is true if the bit has this value.
    pub fn being(self, value: bool) -> Bit {
        if value {
            self
        } else {
            !self
        }
    }
}

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit(!self.0)
    }
}

/// Circuits in a solver.
pub struct Session {
    builder: Builder,
    solver: cadical::Solver<Watch>,
    /// The gates whose clauses the solver has.
    sent: Vec<bool>,
    /// A false constant was assumed: the last answer is about that alone.
    contradiction: bool,
}

impl Session {
    /// Without circuits.
    pub fn new() -> Session {
        Session { builder: Builder::default(), solver: cadical::Solver::new(), sent: Vec::new(), contradiction: false }
    }

    /// The bits of a value of a type, the least significant first. No circuit within the budget is told apart from none at all.
    pub fn bits(&mut self, t: Term, ty: VarTy, budget: &Budget) -> Result<Vec<Bit>, Option<Unencodable>> {
        let part = match (ty, t.sort()) {
            (VarTy::Bool, Sort::Bool) => Part::Bool(t),
            (VarTy::Scalar(Scalar::Int(ty)), Sort::Int) => Part::Bits(t, u32::from(ty.bits)),
            _ => return Err(Some(Unencodable("a value without bits".into()))),
        };
        let unbuilt = |why| match why {
            Unbuilt::Time => None,
            Unbuilt::Beyond(why) => Some(why),
        };
        let word = self.builder.word(part, budget).map_err(unbuilt)?;
        // Reads of the same memory at the same address are the same.
        self.builder.congruent(budget).map_err(unbuilt)?;
        let roots = std::mem::take(&mut self.builder.congruence.roots);
        self.send(word.iter().copied().chain(roots.iter().copied()));
        roots.into_iter().for_each(|r| self.clause(&[Bit(r)]));
        Ok(word.iter().copied().map(Bit).collect())
    }

    /// The bit of a formula.
    pub fn truth(&mut self, t: Term, budget: &Budget) -> Result<Bit, Option<Unencodable>> {
        Ok(self.bits(t, VarTy::Bool, budget)?[0])
    }

    /// A bit of its own.
    pub fn fresh(&mut self) -> Bit {
        Bit(self.builder.gates.input())
    }

    /// The bits of all variables that circuits have, and of what they read of memories that are variables.
    pub fn leaves(&self) -> Vec<(Option<Var>, Vec<Bit>)> {
        let bits = |word: &[Lit]| word.iter().copied().map(Bit).collect();
        let variables = self.builder.inputs.iter().map(|(v, word)| (Some(*v), bits(word)));
        variables.chain(self.builder.reads.values().flatten().map(|(_, word)| (None, bits(word)))).collect()
    }

    /// From now on, one of the bits must hold.
    pub fn clause(&mut self, bits: &[Bit]) {
        if bits.contains(&Bit(Lit::TRUE)) {
            return;
        }
        self.send(bits.iter().map(|b| b.0));
        self.solver.add_clause(bits.iter().filter(|b| b.0 != Lit::FALSE).map(|b| b.0.dimacs()).collect::<Vec<_>>());
    }

    /// Whether the clauses have a model in which all of the bits hold.
    pub fn ask(&mut self, assumed: &[Bit], budget: &Budget) -> Option<bool> {
        self.contradiction = assumed.contains(&Bit(Lit::FALSE));
        if self.contradiction {
            return Some(false);
        }
        self.send(assumed.iter().map(|b| b.0));
        self.solver.set_callbacks(Some(Watch(budget.clone())));
        self.solver.solve_with(assumed.iter().filter(|b| b.0 != Lit::TRUE).map(|b| b.0.dimacs()))
    }

    /// A bit of the model.
    pub fn value(&self, bit: Bit) -> bool {
        match bit.0.constant() {
            Some(value) => value,
            None => self.solver.status() == Some(true) && self.solver.value(bit.0.dimacs()).unwrap_or(false),
        }
    }

    /// Whether an assumption was needed for a contradiction.
    pub fn failed(&self, bit: Bit) -> bool {
        match bit.0.constant() {
            Some(value) => !value,
            None => !self.contradiction && self.solver.status() == Some(false) && self.solver.failed(bit.0.dimacs()),
        }
    }

    fn send(&mut self, lits: impl Iterator<Item = Lit>) {
        let roots: Vec<Lit> = lits.collect();
        let solver = &mut self.solver;
        self.builder.gates.clauses(&roots, &mut self.sent, &mut |clause| solver.add_clause(clause.iter().copied()));
    }
}

impl Default for Session {
    fn default() -> Session {
        Session::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::{IntTy, VarId};

    fn var(id: u32, ty: IntTy) -> (Term, VarTy) {
        let ty = VarTy::Scalar(Scalar::Int(ty));
        (Term::program_var(VarId(id), ty), ty)
    }

    fn number(session: &Session, bits: &[Bit]) -> u64 {
        bits.iter().rev().fold(0, |n, b| n << 1 | u64::from(session.value(*b)))
    }

    #[test]
    fn questions_assume_bits_and_say_which_they_needed() {
        let mut s = Session::new();
        let budget = Budget::unlimited();
        let ((x, ty), (y, _)) = (var(0, IntTy::U8), var(1, IntTy::U8));
        let xs = s.bits(x, ty, &budget).unwrap();
        let sum = s.bits(x.add(y).wrap(IntTy::U8), ty, &budget).unwrap();
        let is_small = s.truth(y.less(Term::int(2)), &budget).unwrap();
        let is_six: Vec<Bit> = sum.iter().enumerate().map(|(i, b)| b.being(6 >> i & 1 == 1)).collect();
        let assumed: Vec<Bit> = is_six.iter().copied().chain([is_small]).collect();
        assert_eq!(s.ask(&assumed, &budget), Some(true));
        let (a, b) = (number(&s, &xs), number(&s, &sum));
        assert!(b == 6 && (a == 5 || a == 6), "{a} {b}");
        // Of x = 200 the highest bit alone contradicts it.
        let with: Vec<Bit> = assumed.iter().copied().chain([xs[7]]).collect();
        assert_eq!(s.ask(&with, &budget), Some(false));
        assert!(s.failed(xs[7]) && s.failed(is_small));
        // A clause stays, an assumption does not.
        assert_eq!(s.ask(&[xs[7]], &budget), Some(true));
        s.clause(&[!xs[7], Bit::constant(false)]);
        assert_eq!(s.ask(&[xs[7]], &budget), Some(false));
        assert_eq!(s.ask(&[!xs[7], Bit::constant(false)], &budget), Some(false));
        assert!(!s.failed(!xs[7]) && s.failed(Bit::constant(false)));
    }

    #[test]
    fn reads_of_a_memory_agree() {
        let mut s = Session::new();
        let budget = Budget::unlimited();
        let cell = plumb_term::Cell::Scalar(Scalar::Int(IntTy::U8));
        let memory = Term::program_var(VarId(9), VarTy::Mem(cell));
        let ((i, ty), (j, _)) = (var(0, IntTy::U8), var(1, IntTy::U8));
        let read = |at: Term| Term::load(Scalar::Int(IntTy::U8), memory, at);
        let [a, b] = [read(i), read(j)].map(|t| s.truth(t.equals(Term::int(7)), &budget).unwrap());
        let same = s.truth(i.equals(j), &budget).unwrap();
        assert_eq!(s.ask(&[a, !b], &budget), Some(true));
        assert_eq!(s.ask(&[a, !b, same], &budget), Some(false));
        assert!(s.bits(memory, ty, &budget).is_err());
        assert_eq!(s.leaves().len(), 4);
    }
}
