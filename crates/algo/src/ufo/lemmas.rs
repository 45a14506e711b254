//! Inductive facts for other engines: what their labels say of one path and holds always.

use super::inductive::Inductive;
use crate::system::{CutId, System};
use plumb_cfa::unwind::Orders;
use plumb_cfa::{Point, Program};
use plumb_smt::Entailment;
use plumb_term::visit::vars;
use plumb_term::{Budget, Term};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The time that is always granted.
const GRANTED: Duration = Duration::from_secs(1);

/// Labels of cut points, and what of them is inductive (see [`super::inductive`]).
pub struct Lemmas {
    system: System,
    inductive: Inductive,
    cuts: BTreeMap<Point, CutId>,
    start: Instant,
}

impl Lemmas {
    /// For a program without recursion; nothing for others, or if the budget is over first.
    pub fn new(program: &Program, budget: &Budget) -> Option<Lemmas> {
        let orders = Orders::new(program);
        let system = System::new(program, &orders, &BTreeMap::new(), budget).ok()?;
        let cuts = system.cuts.iter().enumerate().map(|(i, c)| (c.point.clone(), CutId(i))).collect();
        let inductive = Inductive::new(&system);
        Some(Lemmas { system, inductive, cuts, start: Instant::now() })
    }

    /// Takes labels of one path; what holds always at cut points, if there is more of it than before. At most a quarter of the time goes here.
    pub fn learn(&mut self, labels: &[(Point, Term)], budget: &Budget) -> Option<Vec<(Point, Term)>> {
        let mut new = false;
        for (p, t) in labels {
            if let Some(cut) = self.cuts.get(p) {
                // Of what does not matter at a cut point the blocks do not say what becomes of it.
                let needed = &self.system.cuts[cut.0].needed;
                let about = |t: &Term| vars([*t]).iter().all(|v| needed.binary_search(&v.id).is_ok());
                new |= self.inductive.propose(*cut, Term::all(t.all_conjuncts().into_iter().filter(about)));
            }
        }
        let allowed = GRANTED + self.start.elapsed() / 4;
        if !new || self.inductive.spent >= allowed {
            return None;
        }
        let (start, before) = (Instant::now(), self.inductive.facts());
        let share = budget.at_most(allowed - self.inductive.spent);
        if let Some(found) = self.inductive.greatest(&self.system, &share) {
            self.inductive.establish(found, &mut self.system, budget);
        }
        self.inductive.spent += start.elapsed();
        let known = || self.cuts.iter().map(|(p, c)| (p.clone(), self.inductive.known(*c))).filter(|(_, t)| !t.is_true());
        (self.inductive.facts() > before).then(|| known().collect())
    }

    /// Whether what holds always excludes the error by itself.
    pub fn suffice(&self, budget: &Budget) -> bool {
        let Ok(mut solver) = Entailment::new(budget) else { return false };
        let errors = self.system.errors.iter().map(|e| e.1).chain(self.system.unsupported.iter().map(|u| u.1));
        errors.into_iter().all(|condition| solver.entails(condition, Term::ff()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::{Cut, Transition};
    use plumb_cfa::{FuncId, Loc};
    use plumb_term::{Var, VarId, VarTy};

    fn var(i: u32) -> Term {
        Term::var(Var::new(VarId(i), VarTy::Int))
    }

    fn point(i: u32) -> Point {
        Point { stack: Vec::new(), func: FuncId(0), loc: Loc(i) }
    }

    /// x = 0; then x becomes x + 1 while it is less than 5. Another variable does not matter.
    fn counting() -> Lemmas {
        let cuts = vec![Cut { point: point(0), needed: Vec::new() }, Cut { point: point(1), needed: vec![VarId(0)] }];
        let enter = Transition { from: CutId(0), to: CutId(1), condition: Term::tt(), values: vec![Term::int(0)] };
        let step = Transition { from: CutId(1), to: CutId(1), condition: var(0).less(Term::int(5)), values: vec![var(0).plus(1)] };
        let errors = vec![(CutId(1), var(0).greater(Term::int(7)))];
        let system = System { cuts, transitions: vec![enter, step], errors, unsupported: Vec::new() };
        let cuts = BTreeMap::from([(point(0), CutId(0)), (point(1), CutId(1))]);
        Lemmas { inductive: Inductive::new(&system), system, cuts, start: Instant::now() }
    }

    #[test]
    fn facts_may_suffice() {
        let (mut lemmas, budget) = (counting(), Budget::unlimited());
        assert!(!lemmas.suffice(&budget));
        let bound = var(0).less_eq(Term::int(5));
        assert_eq!(lemmas.learn(&[(point(1), bound)], &budget), Some(vec![(point(1), bound)]));
        assert!(lemmas.suffice(&budget));
    }

    #[test]
    fn of_variables_that_do_not_matter_nothing_is_known() {
        let (mut lemmas, budget) = (counting(), Budget::unlimited());
        assert_eq!(lemmas.learn(&[(point(1), var(1).less_eq(Term::int(5)))], &budget), None);
        let both = var(1).less_eq(Term::int(5)).and(var(0).less_eq(Term::int(6)));
        assert_eq!(lemmas.learn(&[(point(1), both)], &budget), Some(vec![(point(1), var(0).less_eq(Term::int(6)))]));
    }
}
