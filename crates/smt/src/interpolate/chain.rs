//! Several engines in turn.

use super::dag::Dag;
use super::sequence::Sequence;
use super::tree::Tree;
use super::{validate, validate_tree, Answer, CoreGuided, Interpolator, Invalid, Spacer};
use crate::own::Own;
use crate::solver::Reason;
use plumb_term::Budget;
use std::time::{Duration, Instant};

/// Who was asked, and what came of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// The engines that were asked, in order, with the time each took.
    pub asked: Vec<(&'static str, Duration)>,
    /// The one that answered.
    pub answered: Option<&'static str>,
}

/// Engines that are asked in order until one answers. An engine that does not [fit](Interpolator::fits) a problem is passed over.
///
/// The first engine may use up to half of the time, the others but the last up to four fifths of what is left: what the first cannot do is hard for all.
pub struct Chain {
    engines: Vec<Box<dyn Interpolator>>,
    report: Report,
}

impl Default for Chain {
    fn default() -> Chain {
        Chain::new(vec![Box::new(Own::default()), Box::new(CoreGuided), Box::new(Spacer)])
    }
}

impl Chain {
    /// A chain of these engines, the most promising first.
    pub fn new(engines: Vec<Box<dyn Interpolator>>) -> Chain {
        Chain { engines, report: Report::default() }
    }

    /// How the last problem went.
    pub fn report(&self) -> &Report {
        &self.report
    }

    fn run(
        &mut self,
        fits: impl Fn(&dyn Interpolator) -> bool,
        budget: &Budget,
        ask: impl Fn(&mut dyn Interpolator, &Budget) -> Answer,
        check: impl Fn(&[plumb_term::Term]) -> Result<(), Invalid>,
    ) -> Answer {
        self.report = Report::default();
        let chosen: Vec<usize> = (0..self.engines.len()).filter(|i| fits(self.engines[*i].as_ref())).collect();
        let mut why = Reason::Incomplete("no engine fits".into());
        for (k, i) in chosen.iter().enumerate() {
            if budget.is_over() {
                return Answer::Unknown(Reason::Time);
            }
            let last = k + 1 == chosen.len();
            let share = match budget.left() {
                Some(left) if !last && k == 0 => budget.at_most(left / 2),
                Some(left) if !last => budget.at_most(left * 4 / 5),
                _ => budget.clone(),
            };
            let engine = &mut self.engines[*i];
            let start = Instant::now();
            let answer = ask(engine.as_mut(), &share);
            self.report.asked.push((engine.name(), start.elapsed()));
            if let Answer::Unknown(reason) = answer {
                why = reason;
                continue;
            }
            if let (true, Answer::Labels(labels)) = (cfg!(debug_assertions), &answer) {
                // Not decided in time is no complaint.
                let verdict = check(labels);
                debug_assert!(matches!(verdict, Ok(()) | Err(Invalid::Undecided(..))), "{}: {verdict:?}", engine.name());
            }
            self.report.answered = Some(engine.name());
            return answer;
        }
        Answer::Unknown(why)
    }
}

impl Interpolator for Chain {
    fn name(&self) -> &'static str {
        "chain"
    }

    fn fits(&self, dag: &Dag) -> bool {
        self.engines.iter().any(|e| e.fits(dag))
    }

    fn dag(&mut self, dag: &Dag, budget: &Budget) -> Answer {
        self.run(|e| e.fits(dag), budget, |e, b| e.dag(dag, b), |labels| validate(dag, labels, budget))
    }

    fn sequence(&mut self, sequence: &Sequence, budget: &Budget) -> Answer {
        let (dag, _) = sequence.as_dag();
        self.run(|e| e.fits(&dag), budget, |e, b| e.sequence(sequence, b), |labels| sequence.validate(labels, budget))
    }

    fn tree(&mut self, tree: &Tree, budget: &Budget) -> Answer {
        let whole = tree.as_one();
        self.run(|e| e.fits(&whole), budget, |e, b| e.tree(tree, b), |labels| validate_tree(tree, labels, budget))
    }
}
