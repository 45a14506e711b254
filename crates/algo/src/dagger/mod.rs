//! DAGGER: abstract interpretation that refines itself (seed 002: Gulavani, Chakraborty, Nori, Rajamani, *Automatically Refining Abstract
//! Interpretations*, TACAS 2008).
//!
//! **The picture.** The program, its calls inlined, becomes a control-flow graph of loop heads, merge locations and errors ([`control`]), whose
//! edges are exact linear actions ([`cases`], [`action`]). *Abstraction* ([`explore`]; `AbstractTREE` of Fig. 2, the DAG exploration of Section 3)
//! unrolls it into nodes that carry one element of a numeric domain each: images are joined where paths merge and widened where loop heads are
//! entered again, `s'' ∇_T (s'' ⊔ img)` with `s''` from `Sel`. When errors are reached, *refinement* ([`refine`]; `RefineTREE`, and Section 3 for DAGs)
//! propagates sets of error preimages backwards through all paths at once. Either they arrive at the root: then the solver decides whether a path can
//! be executed ([`realise`]); or on every path there is a refinement node, whose state meets the error though the image of its predecessor does not. There
//! ([`apply`]; `ApplyRefinement`) a merge is split, a widening gets interpolants into its set `T`, or the join is given up for an implicit disjunction.
//!
//! **Hint DAG.** Nodes have names that are the same in every abstraction ([`order`]). What was refined at a name, and the state that a widening had
//! there, are hints for the next abstraction, so that an eliminated counterexample stays eliminated. Abstraction starts again at the first refined node; what comes
//! before it stays.
//!
//! **What differs from the paper.** Exploration goes along a weak topological order, so inner loops are stable before what follows them is looked at, and
//! the exits of a loop's iterations merge as well (and are split when that was too coarse). Errors are refined all at once when nothing is left to explore. Machine
//! integers are exact: the rounds of a wrap are cases like those of a disjunction, so bounds that keep arithmetic from wrapping are found as other
//! interpolants are. What the domain believes of an error path is never believed: the solver is asked. `dagger` widens by the domain's own operator, which keeps more
//! than the paper's ([`Generalisation`]); the paper's other configurations have the paper's.
//!
//! **Arrays.** The paper has scalars only. Where arrays of numbers matter, further searches follow ([`turns`]) in which any one cell is a dimension ([`cells`]) and loop heads are told apart by
//! whether the loop has come by it ([`phases`]); what they prove holds for all cells.

pub(crate) mod action;
mod apply;
pub(crate) mod cases;
mod cells;
pub(crate) mod control;
mod explore;
mod interpolate;
mod isolate;
mod oracle;
mod order;
mod phases;
mod proof;
mod realise;
mod refine;
pub(crate) mod search;
#[cfg(test)]
mod tests;
mod turns;

use crate::flat::{flat, Sliced};
use control::Control;
use plumb_cfa::Program;
use plumb_num::{interruptible, Boxes, Octagons, Polyhedra};
use plumb_term::Budget;
use plumb_transform::BackTranslation;
use plumb_verdict::{Method, Notes, Proof, Reason, ReasonKind, Verdict};
use search::{Model, Search};

/// How paths are explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exploration {
    /// Every path on its own (Section 2).
    Tree,
    /// Paths are merged where they meet (Section 3).
    Dag,
}

/// How a widening is refined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Widening {
    /// It becomes a join (∇).
    Plain,
    /// It stops at interpolants (∇_I).
    Interpolated,
}

/// Which operator generalises before anything is refined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generalisation {
    /// The paper's (end of Section 4): the constraints of the old element that hold in the new one.
    Paper,
    /// The domain's own widening; for polyhedra that is Halbwachs' (1979), which also finds constraints of the new element.
    Domain,
}

/// Where interpolants come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interpolation {
    /// The paper's algorithms for octagons and polyhedra (Section 4).
    Paper,
    /// Farkas certificates of disjointness.
    Farkas,
}

/// The numeric domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// Octagons first, polyhedra where they do not suffice.
    Auto,
    /// Intervals.
    Box,
    /// Octagons.
    Octagon,
    /// Convex polyhedra.
    Polyhedra,
}

/// Which member of the family runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Tree or DAG.
    pub exploration: Exploration,
    /// With or without interpolants.
    pub widening: Widening,
    /// Whether error preimages are remembered at refinement nodes.
    pub cache: bool,
    /// What a widening is.
    pub generalisation: Generalisation,
    /// Where interpolants come from.
    pub interpolation: Interpolation,
    /// The domain.
    pub domain: Domain,
}

impl Options {
    /// The paper's DAGGER column: DAG, interpolated widening, cache.
    pub const DAGGER: Options = Options {
        exploration: Exploration::Dag,
        widening: Widening::Interpolated,
        cache: true,
        generalisation: Generalisation::Domain,
        interpolation: Interpolation::Paper,
        domain: Domain::Auto,
    };
    /// DAG + ∇_I, as published.
    pub const DAG_IWIDEN: Options = Options { cache: false, generalisation: Generalisation::Paper, ..Options::DAGGER };
    /// DAG + ∇.
    pub const DAG_WIDEN: Options = Options { widening: Widening::Plain, ..Options::DAG_IWIDEN };
    /// TREE + ∇_I.
    pub const TREE_IWIDEN: Options = Options { exploration: Exploration::Tree, ..Options::DAG_IWIDEN };
    /// TREE + ∇.
    pub const TREE_WIDEN: Options = Options { exploration: Exploration::Tree, ..Options::DAG_WIDEN };

    /// The same over another domain.
    pub const fn over(self, domain: Domain) -> Options {
        Options { domain, ..self }
    }
}

/// Why a search ends without an answer.
#[derive(Debug)]
pub(crate) enum Stop {
    Time,
    /// The domain cannot tell states and errors apart.
    Inseparable,
    Reason(Reason),
}

/// Says whether a candidate is a proof.
pub type Accept<'a> = &'a dyn Fn(&Proof, &Budget) -> bool;

/// Runs a member of the family. Arrays of numbers are looked at by distinguished cells where the search without them fails.
pub fn run(
    options: Options,
    program: &Program,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    accept: Accept<'_>,
    notes: &mut Notes,
) -> Verdict {
    prepared(program, budget, progress, notes, |flat, back, control, progress, notes| {
        let accept = |proof: &Proof, budget: &Budget| accept(&back.proof(proof.clone()), budget);
        turns::Turns { options, program: flat, control, budget, accept: &accept }.run(progress, notes)
    })
}

/// The same about scalars alone: what arrays hold is unknown.
pub fn run_scalars(options: Options, program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str), notes: &mut Notes) -> Verdict {
    prepared(program, budget, progress, notes, |flat, _, control, progress, notes| {
        search(options, &Model::new(flat, control), budget, progress, notes)
    })
}

/// Runs a search on the program with its calls inlined, and tells the outcome for the program itself.
fn prepared(
    program: &Program,
    budget: &Budget,
    progress: &mut dyn FnMut(&str),
    notes: &mut Notes,
    search: impl FnOnce(&Program, &dyn BackTranslation, &Control, &mut dyn FnMut(&str), &mut Notes) -> Verdict,
) -> Verdict {
    progress("preparing the control flow");
    let (flat, back) = match flat(program, Sliced::Yes, budget) {
        Ok(done) => done,
        Err(reason) => return Verdict::Unknown(reason),
    };
    let Some(control) = Control::new(&flat, flat.function(flat.entry), budget) else {
        return Verdict::Unknown(Reason::new(ReasonKind::Time));
    };
    match search(&flat, &*back, &control, progress, notes) {
        Verdict::Safe(proof) => Verdict::Safe(back.proof(proof)),
        Verdict::Unsafe(trace) => Verdict::Unsafe(back.trace(trace)),
        unknown => {
            let believed = std::mem::take(&mut notes.facts.at);
            notes.facts.at = back.proof(Proof { method: Method::Inductive, invariants: believed }).invariants;
            unknown
        }
    }
}

/// Searches in the domain that is asked for, or in those that suit the program, one after the other.
fn search(options: Options, model: &Model<'_>, budget: &Budget, progress: &mut dyn FnMut(&str), notes: &mut Notes) -> Verdict {
    let domains = match options.domain {
        Domain::Auto if model.is_octagonal() => vec![Domain::Octagon, Domain::Polyhedra],
        Domain::Auto => vec![Domain::Polyhedra],
        one => vec![one],
    };
    let mut last = Reason::new(ReasonKind::Time);
    for (i, domain) in domains.iter().enumerate() {
        let part = match budget.left() {
            Some(t) if i + 1 < domains.len() => budget.at_most(t / 3),
            _ => budget.clone(),
        };
        let mut found = Notes::default();
        let options = options.over(*domain);
        let mut searched = || match domain {
            Domain::Box => Search::new(Boxes, options, model, &part).run(progress, &mut found),
            Domain::Octagon if i + 1 < domains.len() => Search::new(Octagons, options, model, &part).modest().run(progress, &mut found),
            Domain::Octagon => Search::new(Octagons, options, model, &part).run(progress, &mut found),
            Domain::Polyhedra | Domain::Auto => Search::new(Polyhedra::default(), options, model, &part).run(progress, &mut found),
        };
        let outcome = interruptible(part.watch(), &mut searched).unwrap_or(Err(Stop::Time));
        let name = match domain {
            Domain::Box => "box",
            Domain::Octagon => "octagon",
            Domain::Polyhedra | Domain::Auto => "polyhedra",
        };
        if let Err(stop) = &outcome {
            notes.facts.add(&found.facts);
            notes.remarks.push(match stop {
                Stop::Time => format!("{name}: out of time"),
                Stop::Inseparable => format!("{name}: the domain cannot separate states and errors"),
                Stop::Reason(r) => format!("{name}: {}", r.kind),
            });
        }
        if outcome.is_ok() || i + 1 == domains.len() {
            notes.figure("domain", name);
            notes.figures.append(&mut found.figures);
        }
        match outcome {
            Ok(verdict) => return verdict,
            Err(Stop::Reason(r)) => return Verdict::Unknown(r),
            Err(Stop::Time) => last = Reason::new(ReasonKind::Time),
            Err(Stop::Inseparable) => {
                let why = format!("{name}: an error path that cannot be executed is not excluded by any refinement");
                last = Reason::new(ReasonKind::Incomplete(why));
            }
        }
        if budget.is_over() {
            break;
        }
    }
    Verdict::Unknown(last)
}
