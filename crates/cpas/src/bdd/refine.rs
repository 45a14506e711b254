//! Verification with diagrams, with more regions from round to round while they help (CEGAR, Section 6.2).

use super::cuts::{excluding, Cuts};
use super::Diagrams;
use crate::callstack::Callstack;
use crate::location::Location;
use crate::path::{feasibility, Feasibility};
use crate::verify::{conclude, not_excluded, search, Accept, Goal};
use plumb_cfa::Program;
use plumb_cpa::{Flow, Product};
use plumb_term::Budget;
use plumb_verdict::{Reason, ReasonKind, Verdict};

/// Verifies a program; `accept` says whether a candidate is a proof.
pub fn run(program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str), accept: Accept<'_>) -> Verdict {
    let flow = Flow::forward(program);
    let mut cuts = Cuts::new();
    for round in 0u32.. {
        progress(&if round == 0 { "bdd analysis".to_owned() } else { format!("bdd analysis, refinement {round}") });
        match once(&flow, &cuts, budget, accept) {
            Ok(Round::Answer(verdict)) => return verdict,
            Ok(Round::Cuts(found)) => found.into_iter().for_each(|(v, more)| cuts.entry(v).or_default().extend(more)),
            Err(reason) => return Verdict::Unknown(reason),
        }
    }
    Verdict::Unknown(Reason::new(ReasonKind::Time))
}

enum Round {
    Answer(Verdict),
    /// Cuts, some of them new.
    Cuts(Cuts),
}

fn once(flow: &Flow<'_>, cuts: &Cuts, budget: &Budget, accept: Accept<'_>) -> Result<Round, Reason> {
    let control = Product::new(Location::from_entry(flow), Callstack::new(flow));
    let cpa = Product::new(control, Diagrams::with(flow.program(), cuts));
    let prec = (((), ()), ());
    let run = search(flow, &cpa, &prec, Goal::Violation, budget)?;
    let Some(target) = run.targets().first() else {
        return conclude(&run, budget, accept).map(|p| Round::Answer(Verdict::Safe(p)));
    };
    let path = cpa.second.path_to_error(flow, budget).unwrap_or_else(|| run.arg().path(*target));
    match feasibility(flow, &path, budget) {
        Feasibility::Feasible(trace) => Ok(Round::Answer(Verdict::Unsafe(trace))),
        Feasibility::Unknown(why) => Err(Reason::new(why)),
        Feasibility::Infeasible(contradiction) => {
            let found = excluding(flow, &cpa.second, &path, &contradiction);
            let is_new = |(v, more): (_, &std::collections::BTreeSet<i128>)| cuts.get(v).is_none_or(|known| !more.is_subset(known));
            if found.iter().any(is_new) && !budget.is_over() {
                Ok(Round::Cuts(found))
            } else {
                Err(not_excluded(flow, &path, "bdd"))
            }
        }
    }
}
