//! Predicate abstraction: the strongest formula of a given shape over predicates that follows from the solver's facts.
//!
//! The facts are those of an [`Entailment`]; whoever asks has stated a block and what is known before it.
//!
//! Each predicate gets a Boolean variable of its own, so that a combination of truth values, a *row*, is read off a model without evaluating terms. Boolean
//! abstraction enumerates all rows and writes them as a decision diagram would: equal parts are shared, tests without effect vanish. Where there are too many it
//! falls back to the clauses of two literals that follow; Cartesian abstraction takes those of one. Rows that were seen refute most candidates, so few questions are left.

use crate::Entailment;
use plumb_term::{Term, Var, VarId, VarTy};

/// A good number of rows to enumerate at most.
pub const MOST_ROWS: usize = 1_024;

/// A predicate after a block, and its form before the block.
pub type Predicate = (Term, Term);

/// The strongest conjunction of predicates and their negations.
pub fn cartesian(solver: &mut Entailment, predicates: &[Predicate]) -> Term {
    solver.with(&[], |solver| Abstraction::new(solver, predicates).literals())
}

/// The strongest Boolean combination of predicates; if it has more rows than `most`, the strongest conjunction of clauses of two literals.
pub fn boolean(solver: &mut Entailment, predicates: &[Predicate], most: usize) -> Term {
    solver.with(&[], |solver| {
        let mut abstraction = Abstraction::new(solver, predicates);
        if abstraction.enumerate(most).is_some() {
            abstraction.rows.sort_unstable();
            return diagram(&abstraction.rows, &abstraction.after);
        }
        let literals = abstraction.literals();
        literals.and(abstraction.pairs())
    })
}

/// For each predicate whether it holds always (true), never (false), or neither is known.
pub fn literals(solver: &mut Entailment, predicates: &[Predicate]) -> Vec<Option<bool>> {
    solver.with(&[], |solver| Abstraction::new(solver, predicates).values())
}

struct Abstraction<'s> {
    solver: &'s mut Entailment,
    /// The predicates after the block.
    after: Vec<Term>,
    /// The Boolean variables of their forms before it.
    names: Vec<Term>,
    /// What models said.
    rows: Vec<Vec<bool>>,
    /// The predicates whose value is known.
    fixed: Vec<bool>,
}

impl<'s> Abstraction<'s> {
    fn new(solver: &'s mut Entailment, predicates: &[Predicate]) -> Abstraction<'s> {
        let name = |i: usize| Term::var(Var::new(VarId(u32::MAX - i as u32), VarTy::Bool));
        let names: Vec<Term> = (0..predicates.len()).map(name).collect();
        for (name, (_, before)) in names.iter().zip(predicates) {
            solver.assert(name.equals(*before));
        }
        Abstraction {
            solver,
            after: predicates.iter().map(|p| p.0).collect(),
            names,
            rows: Vec::new(),
            fixed: vec![false; predicates.len()],
        }
    }

    /// Whether the facts allow `t`; its row is kept. Nothing if that is not decided.
    fn ask(&mut self, t: Term) -> Option<bool> {
        let Some(model) = self.solver.model_of(t)? else { return Some(false) };
        let row = self.names.iter().map(|v| model.holds(*v)).collect::<Option<Vec<bool>>>()?;
        self.rows.push(row);
        Some(true)
    }

    /// All rows; nothing if there are too many or one is not decided.
    fn enumerate(&mut self, most: usize) -> Option<()> {
        while self.ask(Term::tt())? {
            if self.rows.len() > most {
                return None;
            }
            let row = self.rows.last()?;
            let other = self.names.iter().zip(row).map(|(v, holds)| literal(*v, !*holds));
            self.solver.assert(Term::any(other));
        }
        Some(())
    }

    /// The value of each predicate that has the same in every row there is.
    fn values(&mut self) -> Vec<Option<bool>> {
        let mut out = vec![None; self.names.len()];
        for (i, value) in out.iter_mut().enumerate() {
            for holds in [true, false] {
                if self.rows.iter().all(|r| r[i] == holds) && self.ask(literal(self.names[i], !holds)) == Some(false) {
                    *value = Some(holds);
                    self.fixed[i] = true;
                    break;
                }
            }
        }
        out
    }

    /// The literals that hold in every row there is.
    fn literals(&mut self) -> Term {
        let values = self.values();
        Term::all(values.into_iter().zip(&self.after).filter_map(|(holds, p)| Some(literal(*p, holds?))))
    }

    /// The clauses of two literals that hold in every row there is.
    fn pairs(&mut self) -> Term {
        let open: Vec<usize> = (0..self.names.len()).filter(|i| !self.fixed[*i]).collect();
        let mut out = Vec::new();
        for (k, &i) in open.iter().enumerate() {
            for &j in &open[k + 1..] {
                for (x, y) in [(true, true), (true, false), (false, true), (false, false)] {
                    let seen = self.rows.iter().any(|r| r[i] != x && r[j] != y);
                    if !seen && self.ask(literal(self.names[i], !x).and(literal(self.names[j], !y))) == Some(false) {
                        out.push(literal(self.after[i], x).or(literal(self.after[j], y)));
                    }
                }
            }
        }
        Term::all(out)
    }
}

fn literal(t: Term, holds: bool) -> Term {
    if holds {
        t
    } else {
        t.not()
    }
}

/// The formula of a sorted list of rows that agree on all but the last `predicates.len()` columns.
fn diagram(rows: &[Vec<bool>], predicates: &[Term]) -> Term {
    let Some((first, rest)) = predicates.split_first() else { return Term::bool(!rows.is_empty()) };
    if rows.is_empty() {
        return Term::ff();
    }
    let column = rows[0].len() - predicates.len();
    let split = rows.partition_point(|r| !r[column]);
    let (without, with) = (diagram(&rows[..split], rest), diagram(&rows[split..], rest));
    if without == with {
        return with;
    }
    first.and(with).or(first.not().and(without))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::visit::substitute;
    use plumb_term::Budget;

    fn var(i: u32) -> Term {
        Term::var(Var::new(VarId(i), VarTy::Int))
    }

    fn at_most(i: u32, k: i64) -> Term {
        var(i).less_eq(Term::int(k))
    }

    fn same(list: &[Term]) -> Vec<Predicate> {
        list.iter().map(|p| (*p, *p)).collect()
    }

    fn solver() -> Entailment {
        Entailment::new(&Budget::unlimited()).expect("a solver")
    }

    /// x is 0, 1 or 2.
    #[test]
    fn boolean_has_exactly_the_consistent_rows() {
        let predicates = same(&[at_most(0, 0), at_most(0, 1), Term::int(0).less_eq(var(0))]);
        let facts = [Term::int(0).less_eq(var(0)), at_most(0, 2)];
        let found = solver().with(&facts, |s| boolean(s, &predicates, MOST_ROWS));
        for k in -1..=3 {
            // 3 cannot be told from 2 by these predicates.
            assert_eq!(substitute(found, &|_| Some(Term::int(k))), Term::bool((0..=3).contains(&k)), "{k} in {found}");
        }
    }

    #[test]
    fn tests_without_effect_vanish() {
        let predicates = same(&[at_most(1, 5), at_most(0, 0)]);
        let found = solver().with(&[at_most(0, -3)], |s| boolean(s, &predicates, MOST_ROWS));
        assert_eq!(found, at_most(0, 0));
    }

    #[test]
    fn cartesian_forgets_what_predicates_have_to_do_with_each_other() {
        let predicates = same(&[at_most(0, 0), at_most(1, 0), at_most(0, 7)]);
        let facts = [at_most(0, 0).or(at_most(1, 0)), at_most(0, 5)];
        let found = solver().with(&facts, |s| cartesian(s, &predicates));
        assert_eq!(found, at_most(0, 7));
    }

    /// Twelve free predicates have more rows than are enumerated; the clause between two others must not be lost.
    #[test]
    fn pairs_where_there_are_too_many_rows() {
        let mut list: Vec<Term> = (2..14).map(|i| at_most(i, 0)).collect();
        list.extend([at_most(0, 0), at_most(1, 0), at_most(0, 9)]);
        let facts = [at_most(0, 0).or(at_most(1, 0)), at_most(0, 5)];
        let found = solver().with(&facts, |s| boolean(s, &same(&list), MOST_ROWS));
        assert_eq!(found, at_most(0, 9).and(at_most(0, 0).or(at_most(1, 0))));
    }
}
