//! From a safe graph to a proof (seed 004, Theorem 1): at each cut point the disjunction of the labels of its nodes is an invariant.

use super::arg::NodeId;
use super::Ufo;
use crate::system::CutId;
use plumb_cfa::Point;
use plumb_term::Term;
use plumb_verdict::{Method, Proof};
use std::time::{Duration, Instant};

/// How long a proof may be made shorter.
const TIDYING: Duration = Duration::from_millis(500);

impl Ufo<'_> {
    /// The proof that a safe graph is; `fact` is what was assumed at each point.
    pub(super) fn proof(&mut self, visited: &[NodeId], fact: &dyn Fn(&Point) -> Term) -> Proof {
        let mut labels: Vec<Vec<Term>> = vec![Vec::new(); self.system.cuts.len()];
        for n in visited {
            let node = self.arg.node(*n);
            if let (Some(CutId(c)), false) = (node.cut, node.covered) {
                labels[c].push(node.label);
            }
        }
        let start = Instant::now();
        let shortened: Vec<Term> = labels.into_iter().map(|ts| self.without_subsumed(ts, start)).collect();
        let known = |(i, t): (usize, Term)| t.and(self.inductive.known(CutId(i)));
        let shortened = shortened.into_iter().enumerate().map(known);
        let invariants = self.system.cuts.iter().zip(shortened).map(|(c, t)| (c.point.clone(), t.and(fact(&c.point)))).collect();
        Proof { method: Method::Inductive, invariants }
    }

    /// The disjunction of labels, without those that another one includes, as widened ones do: shorter to check and to read.
    fn without_subsumed(&mut self, labels: Vec<Term>, start: Instant) -> Term {
        if !self.post.strengthens() {
            return Term::any(labels);
        }
        let mut kept: Vec<Term> = Vec::new();
        // Later labels tend to be the weaker ones.
        for t in labels.into_iter().rev() {
            let included = kept.iter().any(|k| start.elapsed() < TIDYING && self.entailment.entails(t, *k));
            if !included {
                kept.push(t);
            }
        }
        kept.reverse();
        Term::any(kept)
    }
}
