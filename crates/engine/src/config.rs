//! Named configurations: each is one algorithm with fixed parameters and the paper it follows.

use plumb_algo::dagger::{self, Domain, Interpolation, Options};
use plumb_algo::eureka::{self, Checker, Start};
use plumb_algo::flat::Flat;
use plumb_algo::ufo::{self, Lemmas, Variant};
use plumb_algo::{arrays, backward, bmc, execute, folds, guess, horn, kinduction, nodes, pdr, summaries, tabulation, templates};
use plumb_cfa::{Point, Program};
use plumb_cpas::configs::{self as cpa, Config as Composite};
use plumb_cpas::numpred::{self, Structure};
use plumb_cpas::predicate::Lasting;
use plumb_term::{Budget, Term};
use plumb_transform::Promote;
use plumb_verdict::{Facts, Notes, Proof, Verdict};

/// What an algorithm gets.
pub(crate) struct Task<'a> {
    /// The program as most algorithms like it.
    pub(crate) program: &'a Program,
    given: &'a Program,
    about_given: bool,
    /// No error is within so many iterations of each loop.
    pub(crate) free: u32,
    pub(crate) budget: &'a Budget,
    pub(crate) progress: &'a mut dyn FnMut(&str),
    /// Whether a candidate is a proof.
    pub(crate) accept: &'a dyn Fn(&Proof, &Budget) -> bool,
    /// What it says of itself.
    pub(crate) notes: &'a mut Notes,
}

impl<'a> Task<'a> {
    /// A program as it is given and as it is prepared.
    pub(crate) fn new(
        given: &'a Program,
        prepared: &'a Program,
        free: u32,
        budget: &'a Budget,
        progress: &'a mut dyn FnMut(&str),
        accept: &'a dyn Fn(&Proof, &Budget) -> bool,
        notes: &'a mut Notes,
    ) -> Task<'a> {
        Task { program: prepared, given, free, about_given: false, budget, progress, accept, notes }
    }

    /// The program as it is given; the claim is then about this one.
    fn given(&mut self) -> &'a Program {
        self.about_given = true;
        self.given
    }

    /// Whether the claim is about the program as it is given.
    pub(crate) fn is_about_given(&self) -> bool {
        self.about_given
    }
}

/// An algorithm on the program without what is known, which would only give it more variables to follow.
fn unaided(t: &mut Task<'_>, run: impl FnOnce(&Program, &mut Task<'_>) -> Verdict) -> Verdict {
    let given = t.given();
    let Some((program, back)) = Promote.apply(given) else { return run(given, t) };
    match run(&program, t) {
        Verdict::Safe(proof) => Verdict::Safe(back.proof(proof)),
        Verdict::Unsafe(trace) => Verdict::Unsafe(back.trace(trace)),
        unknown => unknown,
    }
}

/// Runs an algorithm.
type Run = fn(&mut Task<'_>) -> Verdict;

/// A configuration.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// What `--config` takes.
    pub name: &'static str,
    /// One line for users.
    pub summary: &'static str,
    pub(crate) run: Run,
}

/// A member of DAGGER's family.
macro_rules! of_dagger {
    ($name:literal, $options:expr, $summary:literal) => {
        Config { name: $name, summary: $summary, run: |t| dagger::run($options, t.program, t.budget, t.progress, t.accept, t.notes) }
    };
}

const CONFIGS: &[Config] = &[
    Config {
        name: "bmc",
        summary: "bounded model checking with incremental unrolling; proves programs whose loops and recursion end",
        run: |t| bmc::run_from(t.program, t.free, t.budget, t.progress, t.notes),
    },
    Config {
        name: "execute",
        summary: "executions with chosen inputs; refutes, also where the error is a million steps away, and proves programs that take no input",
        run: |t| execute::run(t.given(), t.budget, t.progress, t.notes),
    },
    Config {
        name: "kinduction",
        summary: "k-induction over blocks between loop heads, strengthened by interval invariants",
        run: |t| kinduction::run(t.program, t.budget, t.progress),
    },
    Config {
        name: "kinduction-octagon",
        summary: "k-induction with the invariants of the analysis `octagon`",
        run: |t| induction_with(Composite::Octagon, t),
    },
    Config {
        name: "kinduction-polyhedra",
        summary: "k-induction with the invariants of the analysis `polyhedra`",
        run: |t| induction_with(Composite::Polyhedra, t),
    },
    Config {
        name: "kinduction-bdd",
        summary: "k-induction with the invariants of the analysis `bdd`",
        run: |t| induction_with(Composite::Bdd, t),
    },
    Config {
        name: "guess",
        summary: "k-induction with invariants that executions suggest: polynomial equations, bounds, remainders, also of phases of loops",
        run: |t| guess::run(t.program, t.budget, t.progress, t.notes),
    },
    Config {
        name: "pdr",
        summary: "property-directed reachability on the bits of the variables (IC3): state machines and protocols",
        run: |t| unaided(t, |program, t| pdr::run(program, t.budget, t.progress, t.notes)),
    },
    Config {
        name: "horn",
        summary: "inductive invariants as solutions of Horn clauses (Spacer), without and with exact wraps",
        run: |t| horn::run(t.program, t.budget, t.progress, t.accept),
    },
    Config {
        name: "summaries",
        summary: "contracts of recursive functions: summaries as solutions of Horn clauses (Spacer), and learnt from executions",
        run: |t| summaries::run(t.program, t.budget, t.progress, t.accept),
    },
    Config {
        name: "linear",
        summary:
            "linear programs with recursion: polyhedra as path and summary edges, by tabulation (the model checker of EUREKA), then unwinding",
        run: |t| tabulation::run(t.program, t.budget, t.progress, t.accept, t.notes),
    },
    Config {
        name: "arrays",
        summary:
            "invariants for all cells of arrays of any size: distinguished cells (Monniaux, Gonnord, SAS 2016), candidates, Horn clauses",
        run: |t| arrays::run(t.program, t.budget, t.progress, t.accept),
    },
    Config {
        name: "folds",
        summary: "sums, maxima and other folds of arrays: records of what loops computed, cell by cell (history variables)",
        run: |t| folds::run(t.program, t.budget, t.progress, t.accept),
    },
    Config {
        name: "nodes",
        summary: "lists and other linked structures of any size: what holds of every node, suggested by executions",
        run: |t| nodes::run(t.program, t.budget, t.progress, t.accept),
    },
    Config {
        name: "ufo",
        summary: "UFO with labels from interpolants alone (uUFO of Albarghouthi, Gurfinkel, Chechik, VMCAI 2012)",
        run: |t| ufo::run(Variant::Plain, t.program, t.budget, t.progress, t.notes),
    },
    Config {
        name: "ufo-cp",
        summary: "UFO with Cartesian predicate abstraction as POST (cpUFO)",
        run: |t| ufo::run(Variant::Cartesian, t.program, t.budget, t.progress, t.notes),
    },
    Config {
        name: "ufo-bp",
        summary: "UFO with Boolean predicate abstraction as POST (bpUFO)",
        run: |t| ufo::run(Variant::Boolean, t.program, t.budget, t.progress, t.notes),
    },
    Config {
        name: "ufo-box",
        summary: "UFO with intervals as POST, widened up to comparisons of the program and of labels",
        run: |t| ufo::run(Variant::Box, t.program, t.budget, t.progress, t.notes),
    },
    Config {
        name: "ufo-oct",
        summary: "UFO with octagons as POST",
        run: |t| ufo::run(Variant::Octagon, t.program, t.budget, t.progress, t.notes),
    },
    Config {
        name: "ufo-poly",
        summary: "UFO with convex polyhedra as POST",
        run: |t| ufo::run(Variant::Polyhedra, t.program, t.budget, t.progress, t.notes),
    },
    Config {
        name: "ufo-nexpoint",
        summary: "UFO with predicates and polyhedra in one domain as POST, a set of predicate valuations and one element (NEXPOINT of Gurfinkel and Chaki)",
        run: |t| ufo::run(Variant::Combined(Structure::NexPoint), t.program, t.budget, t.progress, t.notes),
    },
    Config {
        name: "ufo-nex",
        summary: "UFO with predicates and polyhedra in one domain as POST, an element for each set of predicate valuations (NEX)",
        run: |t| ufo::run(Variant::Combined(Structure::Nex), t.program, t.budget, t.progress, t.notes),
    },
    Config {
        name: "ufo-mtndd",
        summary: "UFO with predicates and polyhedra in one domain as POST, the same as multi-terminal decision diagrams (MTNDD)",
        run: |t| ufo::run(Variant::Combined(Structure::Mtndd), t.program, t.budget, t.progress, t.notes),
    },
    Config {
        name: "ufo-ndd",
        summary: "UFO with predicates and polyhedra in one domain as POST, as decision diagrams (NDD)",
        run: |t| ufo::run(Variant::Combined(Structure::Ndd), t.program, t.budget, t.progress, t.notes),
    },
    Config {
        name: "ufo-auto",
        summary: "UFO with the POST that suits the program's variables: polyhedra, octagons, intervals or predicates",
        run: |t| ufo::run(Variant::Auto, t.program, t.budget, t.progress, t.notes),
    },
    Config {
        name: "cp",
        summary: "Cartesian predicate abstraction alone, predicates from interpolants (CP)",
        run: |t| ufo::run(Variant::OnlyCartesian, t.program, t.budget, t.progress, t.notes),
    },
    Config {
        name: "bp",
        summary: "Boolean predicate abstraction alone, predicates from interpolants (BP)",
        run: |t| ufo::run(Variant::OnlyBoolean, t.program, t.budget, t.progress, t.notes),
    },
    Config {
        name: "dagger",
        summary:
            "DAGGER: octagons or polyhedra on a DAG with interpolated widening and cached error preimages (Gulavani et al., TACAS 2008)",
        run: |t| dagger::run(Options::DAGGER, t.program, t.budget, t.progress, t.accept, t.notes),
    },
    of_dagger!("dagger-box", Options::DAGGER.over(Domain::Box), "DAGGER with intervals"),
    of_dagger!("dagger-oct", Options::DAGGER.over(Domain::Octagon), "DAGGER with octagons"),
    of_dagger!("dagger-poly", Options::DAGGER.over(Domain::Polyhedra), "DAGGER with convex polyhedra"),
    Config {
        name: "dagger-farkas",
        summary: "DAGGER with Farkas certificates as interpolants",
        run: |t| {
            let options = Options { interpolation: Interpolation::Farkas, ..Options::DAGGER };
            dagger::run(options, t.program, t.budget, t.progress, t.accept, t.notes)
        },
    },
    of_dagger!("tree-widen", Options::TREE_WIDEN, "DAGGER's TREE + widening: every path on its own, widenings refined to joins"),
    of_dagger!("tree-widen-box", Options::TREE_WIDEN.over(Domain::Box), "DAGGER's TREE + widening, with intervals"),
    of_dagger!("tree-widen-oct", Options::TREE_WIDEN.over(Domain::Octagon), "DAGGER's TREE + widening, with octagons"),
    of_dagger!("tree-widen-poly", Options::TREE_WIDEN.over(Domain::Polyhedra), "DAGGER's TREE + widening, with convex polyhedra"),
    of_dagger!("tree-iwiden", Options::TREE_IWIDEN, "DAGGER's TREE + interpolated widening"),
    of_dagger!("tree-iwiden-box", Options::TREE_IWIDEN.over(Domain::Box), "DAGGER's TREE + interpolated widening, with intervals"),
    of_dagger!("tree-iwiden-oct", Options::TREE_IWIDEN.over(Domain::Octagon), "DAGGER's TREE + interpolated widening, with octagons"),
    of_dagger!(
        "tree-iwiden-poly",
        Options::TREE_IWIDEN.over(Domain::Polyhedra),
        "DAGGER's TREE + interpolated widening, with convex polyhedra"
    ),
    of_dagger!("dag-widen", Options::DAG_WIDEN, "DAGGER's DAG + widening: paths merged, widenings refined to joins"),
    of_dagger!("dag-widen-box", Options::DAG_WIDEN.over(Domain::Box), "DAGGER's DAG + widening, with intervals"),
    of_dagger!("dag-widen-oct", Options::DAG_WIDEN.over(Domain::Octagon), "DAGGER's DAG + widening, with octagons"),
    of_dagger!("dag-widen-poly", Options::DAG_WIDEN.over(Domain::Polyhedra), "DAGGER's DAG + widening, with convex polyhedra"),
    of_dagger!("dag-iwiden", Options::DAG_IWIDEN, "DAGGER's DAG + interpolated widening, without the cache"),
    of_dagger!("dag-iwiden-box", Options::DAG_IWIDEN.over(Domain::Box), "DAGGER's DAG + interpolated widening, with intervals"),
    of_dagger!("dag-iwiden-oct", Options::DAG_IWIDEN.over(Domain::Octagon), "DAGGER's DAG + interpolated widening, with octagons"),
    of_dagger!(
        "dag-iwiden-poly",
        Options::DAG_IWIDEN.over(Domain::Polyhedra),
        "DAGGER's DAG + interpolated widening, with convex polyhedra"
    ),
    Config {
        name: "backward",
        summary: "backward from the error with octagons, then polyhedra: no state of the entry may lead there (CPA, Section 6.1 there)",
        run: |t| backward::run(t.program, t.budget, t.progress, t.notes),
    },
    Config {
        name: "templates",
        summary: "linear invariants as solutions of constraints on their coefficients, by Farkas' lemma (CPA, Section 6.3 there)",
        run: |t| templates::run(t.program, t.budget, t.progress, t.accept, t.notes),
    },
    Config {
        name: "eureka",
        summary:
            "EUREKA: programs with arrays, by the variables and array elements that matter (Armando, Benerecetti, Mantovani, TACAS 2007)",
        run: |t| {
            let options = eureka::Options { checker: Checker::Linear, start: Start::Numerals };
            eureka::run(options, t.program, t.budget, t.progress, t.accept, t.notes)
        },
    },
    Config {
        name: "eureka-ufo",
        summary: "EUREKA with UFO as its model checker",
        run: |t| {
            let options = eureka::Options { checker: Checker::Ufo(Variant::Auto), start: Start::Numerals };
            eureka::run(options, t.program, t.budget, t.progress, t.accept, t.notes)
        },
    },
    Config {
        name: "eureka-dagger",
        summary: "EUREKA with DAGGER as its model checker",
        run: |t| {
            let options = eureka::Options { checker: Checker::Dagger(Options::DAGGER), start: Start::Numerals };
            eureka::run(options, t.program, t.budget, t.progress, t.accept, t.notes)
        },
    },
    Config {
        name: "value",
        summary: "constant propagation (CPA, merge-join; Section 4.2 of Beyer, Gulwani, Schmidt, Handbook of Model Checking 2018)",
        run: |t| cpa::run(Composite::Value, t.program, t.budget, t.progress, t.accept),
    },
    Config {
        name: "value-sep",
        summary: "explicit values (CPA, merge-sep) of the variables that refinement finds (Section 6.2 there)",
        run: |t| cpa::run(Composite::ValueSep, t.program, t.budget, t.progress, t.accept),
    },
    Config {
        name: "interval",
        summary: "intervals with widening to the program's constants and narrowing (CPA)",
        run: |t| cpa::run(Composite::Interval, t.program, t.budget, t.progress, t.accept),
    },
    Config {
        name: "value-interval",
        summary: "constants and intervals that strengthen each other (CPA, reduced product)",
        run: |t| cpa::run(Composite::ValueInterval, t.program, t.budget, t.progress, t.accept),
    },
    Config {
        name: "predicate",
        summary: "Boolean predicate abstraction from loop head to loop head, predicates from interpolants, then with invariants that executions suggest (CPA, adjustable blocks)",
        run: predicates,
    },
    Config {
        name: "predicate-edges",
        summary:
            "Cartesian predicate abstraction after every edge, in linear arithmetic, predicates from interpolants (CPA, Section 4.4 there)",
        run: |t| cpa::run(Composite::PredicateEdges, t.program, t.budget, t.progress, t.accept),
    },
    Config {
        name: "predicate-value-direct",
        summary: "predicated lattice: constants, joined where the predicates agree, without strengthening (CPA, Section 5.1 there)",
        run: |t| cpa::run(Composite::PredicateValueDirect, t.program, t.budget, t.progress, t.accept),
    },
    Config {
        name: "predicate-value",
        summary: "the predicated lattice with strengthening of the constants by the predicates (CPA, Section 5.2 there)",
        run: |t| cpa::run(Composite::PredicateValue, t.program, t.budget, t.progress, t.accept),
    },
    Config {
        name: "predicate-value-interval",
        summary: "predicates from loop head to loop head, constants and intervals that strengthen each other (CPA, reduced product)",
        run: |t| cpa::run(Composite::PredicateValueInterval, t.program, t.budget, t.progress, t.accept),
    },
    Config {
        name: "heap",
        summary: "explicit heaps: structures built with malloc, up to a depth, garbage collected (CPA, Section 4.5 there)",
        run: |t| cpa::run(Composite::Heap, t.program, t.budget, t.progress, t.accept),
    },
    Config {
        name: "bdd",
        summary: "sets of values as binary decision diagrams, joined without loss (CPA, Section 4.6 there)",
        run: |t| cpa::run(Composite::Bdd, t.program, t.budget, t.progress, t.accept),
    },
    Config {
        name: "predicate-heap",
        summary: "predicates from loop head to loop head, strengthened by explicit heaps (CPA, Section 5.3 there)",
        run: |t| cpa::run(Composite::PredicateHeap, t.program, t.budget, t.progress, t.accept),
    },
    Config { name: "octagon", summary: "octagons and intervals (CPA)", run: |t| analysis(Composite::Octagon, t) },
    Config { name: "polyhedra", summary: "convex polyhedra and intervals (CPA)", run: |t| analysis(Composite::Polyhedra, t) },
    Config {
        name: "na",
        summary: "numeric abstraction of the variables that refinement finds (NA of Gurfinkel and Chaki, FMCAD 2008)",
        run: |t| combined(Some(Structure::Numbers), t),
    },
    Config {
        name: "pa",
        summary: "predicate abstraction from unsatisfiable cores and interpolants (PA there)",
        run: |t| combined(Some(Structure::Predicates), t),
    },
    Config {
        name: "nexpoint",
        summary: "NUMPREDDOM: a set of predicate valuations and one numeric element (NEXPOINT there)",
        run: |t| combined(Some(Structure::NexPoint), t),
    },
    Config {
        name: "nex",
        summary: "NUMPREDDOM: a numeric element for each set of predicate valuations (NEX there)",
        run: |t| combined(Some(Structure::Nex), t),
    },
    Config {
        name: "mtndd",
        summary: "NUMPREDDOM: the same as multi-terminal decision diagrams (MTNDD there)",
        run: |t| combined(Some(Structure::Mtndd), t),
    },
    Config {
        name: "ndd",
        summary: "NUMPREDDOM: decision diagrams over predicates and linear constraints (NDD there)",
        run: |t| combined(Some(Structure::Ndd), t),
    },
    Config {
        name: "numpred",
        summary: "NUMPREDDOM in the structure that suits the elements: NEX while they have few parts, NDD beyond",
        run: |t| combined(None, t),
    },
    Config {
        name: "cpa-na",
        summary: "numeric abstraction as that paper explores: from join to join, refined by unsatisfiable cores of one path, then interpolants (CPA)",
        run: |t| from_join_to_join(Structure::Numbers, t),
    },
    Config { name: "cpa-pa", summary: "predicate abstraction from join to join (CPA)", run: |t| from_join_to_join(Structure::Predicates, t) },
    Config { name: "cpa-nexpoint", summary: "NEXPOINT from join to join (CPA)", run: |t| from_join_to_join(Structure::NexPoint, t) },
    Config { name: "cpa-nex", summary: "NEX from join to join (CPA)", run: |t| from_join_to_join(Structure::Nex, t) },
    Config { name: "cpa-mtndd", summary: "MTNDD from join to join (CPA)", run: |t| from_join_to_join(Structure::Mtndd, t) },
    Config { name: "cpa-ndd", summary: "NDD from join to join (CPA)", run: |t| from_join_to_join(Structure::Ndd, t) },
];

/// Predicates and numbers in one domain: from loop head to loop head, and where that ends without an answer, from join to join.
fn combined(structure: Option<Structure>, t: &mut Task<'_>) -> Verdict {
    let verdict = ufo::run(Variant::OnlyCombined(structure), t.program, t.budget, t.progress, t.notes);
    if !matches!(verdict, Verdict::Unknown(_)) || t.budget.is_over() {
        return verdict;
    }
    *t.notes = Notes::default();
    from_join_to_join(structure.unwrap_or(Structure::Nex), t)
}

fn from_join_to_join(structure: Structure, t: &mut Task<'_>) -> Verdict {
    numpred::run(structure, t.program, t.budget, t.progress, t.accept, t.notes)
}

/// An analysis whose fixpoint is worth knowing even where it does not exclude the error.
fn analysis(which: Composite, t: &mut Task<'_>) -> Verdict {
    let verdict = cpa::run(which, t.program, t.budget, t.progress, t.accept);
    if let Verdict::Unknown(_) = verdict {
        t.notes.facts = Facts::new(cpa::invariants(which, t.program, t.budget));
    }
    verdict
}

/// Predicate analysis of the program in one function where that is possible. If predicates from interpolants are not enough soon, what executions suggest and
/// is inductive is known, too.
fn predicates(t: &mut Task<'_>) -> Verdict {
    let Ok(flat) = Flat::new(t.program, t.budget) else {
        return cpa::run(Composite::PredicateLoops, t.program, t.budget, t.progress, t.accept);
    };
    let verdict = predicates_of(&flat, &t.budget.part(8), t);
    if !matches!(verdict, Verdict::Unknown(_)) || t.budget.is_over() {
        return verdict;
    }
    (t.progress)("executions");
    let facts = guess::invariants(&flat.program, &t.budget.part(6));
    predicates_of(&flat.knowing(Facts::new(facts)), t.budget, t)
}

/// Predicate analysis of a program in one function, with facts that hold always among what interpolants say.
fn predicates_of(flat: &Flat, budget: &Budget, t: &mut Task<'_>) -> Verdict {
    let mut lemmas = Lemmas::new(&flat.program, budget);
    let accept = |p: &Proof, b: &Budget| (t.accept)(&flat.proof(p.clone()), b);
    let learn = Box::new(|labels: &[(Point, Term)], b: &Budget| {
        let lemmas = lemmas.as_mut()?;
        let at = lemmas.learn(labels, b)?;
        Some(Lasting { at, suffices: lemmas.suffice(b) })
    });
    flat.verdict(cpa::predicates(&flat.program, learn, budget, t.progress, &accept))
}

/// k-induction with the invariants that an analysis finds in a quarter of the time.
fn induction_with(analysis: Composite, t: &mut Task<'_>) -> Verdict {
    (t.progress)("looking for invariants");
    let quarter = t.budget.part(4);
    let invariants = cpa::invariants(analysis, t.program, &quarter);
    kinduction::run_with(t.program, invariants, t.budget, t.progress)
}

/// All configurations.
pub fn configs() -> &'static [Config] {
    CONFIGS
}
