//! POST in a domain of predicates and numbers (NUMPREDDOM, seed 000), which UFO's paper does not have.
//!
//! A label is γ of an element over the variables that are followed as numbers and the predicates that are known at the cut point ([`precision`]). A block from cut point to cut point is a formula with many paths; its image is found
//! path by path ([`image`]): the abstract transformers of the paths that are known are applied and joined, and as long as the solver has a state
//! that the result lacks, its path is one more. So a path's transformer is made once for each precision, and the solver is asked for what is new; its last answer, that nothing is, is
//! the obligation of POST. With more numbers or predicates the domain is made anew; a label from before, or from an interpolant, is read into it.
//!
//! **Convergence.** At the head of a component, once there are enough active heads, the element is widened against the last head's, up to the comparisons of the program; a few heads later, up to
//! nothing.

mod image;
mod precision;

use super::post::{Block, Edge, Post};
use crate::system::{CutId, System};
use image::{Domain, Paths, Transfer, Widen};
use plumb_cfa::Program;
use plumb_num::LinCons;
use plumb_numpred::program::Frame;
use plumb_numpred::{Full, NumPredDom, Structure, Timing, WithDomain};
use plumb_smt::Answers;
use plumb_smt::Entailment;
use plumb_term::{Budget, Term};
use plumb_verdict::Notes;
use precision::Precision;
use std::rc::Rc;
use std::time::Duration;

/// For one question about a predicate update; what is not answered is not known, which only weakens the transformer.
const PATIENCE: Duration = Duration::from_millis(500);

/// An element of NEX with more parts than this is better one diagram (the lesson of Fig. 8(b) of seed 000).
const MANY_PARTS: usize = 48;

/// POST in one of the structures.
pub struct Combined {
    structure: Structure,
    /// Why this one, where it is chosen by what the elements are.
    chosen: Option<String>,
    precision: Precision,
    domain: Box<dyn Transfer>,
    paths: Paths,
    timing: Rc<Timing>,
}

impl Combined {
    /// For a system, in a structure, or in one that suits the elements. The numbers are those that refinements find, or, with `room` for so many at each cut point, those that are computed with.
    pub fn new(
        structure: Option<Structure>,
        program: &Program,
        system: &System,
        room: Option<usize>,
        budget: &Budget,
    ) -> Result<Combined, String> {
        let chosen = structure.is_none().then(|| "there are no predicates yet".to_owned());
        let structure = structure.unwrap_or(Structure::NexPoint);
        let precision = Precision::new(structure, program, system, room);
        let timing = Rc::new(Timing::default());
        let domain = domain(structure, &precision, &timing).map_err(|e| e.to_string())?;
        let answers = Answers::new(budget, PATIENCE).map_err(|e| e.to_string())?;
        Ok(Combined { structure, chosen, precision, domain, paths: Paths::new(answers), timing })
    }

    /// Takes the structure that suits the next domain, where it is a matter of choice. NDD stays: what had many parts has them again.
    fn choose(&mut self) {
        if self.chosen.is_none() || self.structure == Structure::Ndd {
            return;
        }
        let (structure, why) = suited(self.precision.numbers(), self.precision.predicates(), self.domain.parts());
        self.structure = structure;
        self.chosen = Some(why);
    }
}

/// The structure for so many numbers and predicates, after elements of so many parts, and why: none is needed where one half is empty, NEX costs least while elements have few parts, NDD shares
/// what they have in common.
fn suited(numbers: usize, predicates: usize, parts: usize) -> (Structure, String) {
    match (numbers, predicates) {
        (_, 0) => (Structure::NexPoint, "there are no predicates".to_owned()),
        (0, _) => (Structure::NexPoint, "there are no numbers".to_owned()),
        _ if parts > MANY_PARTS => (Structure::Ndd, format!("an element of NEX had {parts} parts")),
        _ => (Structure::Nex, format!("elements have few parts, at most {parts}")),
    }
}

/// The domain of a precision.
fn domain(structure: Structure, precision: &Precision, timing: &Rc<Timing>) -> Result<Box<dyn Transfer>, Full> {
    let frame = precision.frame();
    let thresholds = precision.thresholds();
    structure.make(frame.vocabulary().clone(), Make { frame, thresholds, timing: timing.clone() })
}

struct Make {
    frame: Frame,
    thresholds: Vec<LinCons>,
    timing: Rc<Timing>,
}

impl WithDomain for Make {
    type Out = Box<dyn Transfer>;

    fn with<D: NumPredDom + 'static>(self, domain: D) -> Box<dyn Transfer> {
        Box::new(Domain::new(domain, self.frame, self.thresholds, self.timing))
    }
}

impl Post for Combined {
    fn post(&mut self, solver: &mut Entailment, label: Term, block: Block<'_>) -> Term {
        self.arrive(solver, block.to, &[Edge { label, block }], &[])
    }

    /// Diagrams that have become too large say nothing.
    fn arrive(&mut self, solver: &mut Entailment, to: CutId, edges: &[Edge<'_>], active: &[Term]) -> Term {
        let kept = |p: Term| self.precision.keeps(to, p);
        // As many heads as are not widened are widened up to thresholds: one after the other, these are as many as there are states of a machine.
        let delay = self.precision.delay();
        let widen = active.last().filter(|_| active.len() >= delay).map(|last| Widen { last: *last, stops: active.len() < 2 * delay });
        self.domain.label(&mut self.paths, &kept, solver, edges, widen).unwrap_or_else(|Full| {
            self.timing.full();
            Term::tt()
        })
    }

    fn learn(&mut self, cut: CutId, label: Term) {
        self.precision.hear(cut, label, false);
    }

    fn learn_whole(&mut self, cut: CutId, label: Term) {
        self.precision.hear(cut, label, true);
    }

    fn sharpen(&mut self) -> bool {
        if self.precision.refine() {
            self.choose();
            self.precision.arrange(self.domain.suited());
            if let Ok(domain) = domain(self.structure, &self.precision, &self.timing) {
                self.domain = domain;
            }
        }
        false
    }

    fn strengthens(&self) -> bool {
        true
    }

    fn predicates(&self) -> usize {
        self.precision.predicates()
    }

    fn size(&self) -> usize {
        self.precision.size()
    }

    fn describe(&self, notes: &mut Notes) {
        notes.figure("structure", self.structure.name());
        if let Some(why) = &self.chosen {
            notes.remarks.push(format!("predicates and numbers are combined as {}: {why}", self.structure.name()));
        }
        notes.figure("numeric variables", self.precision.numbers());
        notes.figure("known paths", self.paths.count());
        for (name, time) in self.timing.figures() {
            notes.figure(name, time);
        }
        if self.timing.was_full() {
            notes.remarks.push(Full.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_structure_suits_the_elements() {
        let of = |numbers, predicates, parts| suited(numbers, predicates, parts).0;
        assert_eq!([of(3, 0, 1), of(0, 3, 1)], [Structure::NexPoint; 2]);
        assert_eq!([of(3, 3, 1), of(3, 3, MANY_PARTS)], [Structure::Nex; 2]);
        assert_eq!(of(3, 3, MANY_PARTS + 1), Structure::Ndd);
    }
}
