//! The rules of the default strategy: which configurations run, in which order, with which share of the time. All of it is data;
//! a rule looks at [`Features`] only.
//!
//! Every plan has two halves. In the first, each engine that may do has a short time: what an engine can do it mostly does at once. The
//! second half gives those that profit from it a long time. Executions come first, since they cost next to nothing.

use super::Features;

/// A configuration that a plan tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its name.
    pub config: &'static str,
    /// Its share of the time, in proportion to the others'.
    pub weight: u32,
    /// The most milliseconds it gets.
    pub most: Option<u32>,
    /// Whether a configuration that gave up in an earlier turn gets this one all the same.
    pub again: bool,
}

/// A long turn.
const fn step(config: &'static str, weight: u32) -> Step {
    Step { config, weight, most: None, again: false }
}

/// A short turn: what it does not use is left to the others.
const fn short(config: &'static str, weight: u32, most: u32) -> Step {
    Step { config, weight, most: Some(most), again: false }
}

/// A plan, and when it is followed.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// What kind of program it is for, as a phrase.
    pub kind: &'static str,
    /// Whether a program is of this kind.
    pub applies: fn(&Features) -> bool,
    /// The configurations, in order.
    pub steps: &'static [Step],
    /// What speaks for it.
    pub because: &'static str,
}

/// From how many edges on a program is large.
const LARGE: usize = 2_500;

/// The rules; the first one that applies counts, and the last one always does.
pub const RULES: &[Rule] = &[
    Rule {
        kind: "without loops",
        applies: |f| !f.loops && !f.recursion,
        steps: &[short("execute", 1, 300), step("bmc", 9)],
        because: "one unwinding covers all executions",
    },
    Rule {
        kind: "recursive",
        applies: |f| f.recursion,
        steps: &[
            short("execute", 1, 300),
            short("bmc", 4, 4000),
            // In 4 s it proves 18 of 23 recursive programs, one of them left open by the others in 20 s.
            short("linear", 4, 4000),
            short("summaries", 6, 6000),
            step("bmc", 6),
            step("summaries", 7),
        ],
        because: "recursion that ends soon is unwound, other recursion has contracts; the other engines do not treat it",
    },
    Rule {
        kind: "without inputs, with loops",
        applies: |f| !f.inputs,
        steps: &[
            // Of eight programs without inputs that the other plans left open in 20 s, it proves five, each in less than a second.
            short("execute", 30, 15000),
            short("kinduction", 9, 4000),
            short("bmc", 6, 4000),
            short("value-sep", 8, 6000),
            short("arrays", 8, 6000),
            short("guess", 8, 6000),
            short("nodes", 6, 5000),
            short("cp", 5, 3000),
            short("horn", 5, 3000),
            short("dagger", 3, 2000),
            step("bmc", 10),
            step("arrays", 8),
            step("horn", 8),
            step("kinduction", 8),
        ],
        because: "the only execution decides, if it ends soon",
    },
    Rule {
        kind: "with loops over what is allocated",
        applies: |f| f.indexing && f.allocates && f.edges < LARGE,
        steps: &[
            short("execute", 4, 300),
            short("kinduction", 8, 3000),
            short("bmc", 6, 3000),
            // Of 26 programs with lists and trees of any size that the plan without it left open in 20 s, it proves 7, six of them in 5 s. Where nothing is linked it ends at once.
            short("nodes", 60, 10000),
            // See below.
            short("folds", 60, 10000),
            // Of 18 programs over arrays that the plans left open in 20 s when it had a third of this, it proves 10, half of them in 4 s.
            short("arrays", 30, 8000),
            short("value-sep", 10, 6000),
            short("bdd", 4, 4000),
            short("cp", 4, 3000),
            short("horn", 4, 3000),
            // Its patience grows with its time.
            Step { again: true, ..step("execute", 12) },
            step("nodes", 20),
            step("arrays", 14),
            step("bmc", 16),
            step("horn", 12),
            step("cp", 8),
            step("value-sep", 8),
        ],
        because: "what holds of all nodes of a list is an invariant with a quantifier over addresses, which one engine finds",
    },
    Rule {
        kind: "with loops that compute addresses",
        applies: |f| f.indexing,
        steps: &[
            short("execute", 4, 300),
            short("kinduction", 9, 4000),
            // Loops over arrays of a thousand cells are unwound in half a second.
            short("bmc", 5, 3000),
            // Of 21 programs that compute sums, maxima or checksums of arrays and were left open in 20 s without it, it proves 20. Where no loop folds an array it ends at once.
            short("folds", 60, 10000),
            // See above.
            short("arrays", 30, 10000),
            // See below.
            short("value-sep", 10, 8000),
            short("bdd", 6, 5000),
            short("cp", 5, 3000),
            short("horn", 5, 3000),
            short("dagger", 3, 2000),
            // Its patience grows with its time.
            Step { again: true, ..step("execute", 12) },
            step("arrays", 20),
            step("bmc", 14),
            step("horn", 12),
            step("cp", 10),
            step("value-sep", 8),
        ],
        because: "what holds for all cells of an array is an invariant with a quantifier, which one engine finds",
    },
    Rule {
        kind: "large, with loops",
        applies: |f| f.edges >= LARGE,
        steps: &[
            short("execute", 4, 300),
            // Of 15 large state machines that the plan for all loops left open in 20 s, diagrams prove 9, each in 2 to 4 s, and values refute 3 in 3 to 4 s.
            short("kinduction", 10, 4000),
            short("bdd", 30, 15000),
            short("value-sep", 28, 10000),
            short("bmc", 10, 5000),
            short("cp", 6, 3000),
            // Its patience grows with its time.
            Step { again: true, ..step("execute", 14) },
            step("bmc", 16),
            step("value-sep", 24),
            step("cp", 14),
            step("kinduction", 18),
        ],
        because: "most large programs are state machines, whose states diagrams and explicit values follow; other engines do not get far in a short time",
    },
    Rule {
        kind: "with loops and products",
        applies: |f| f.products,
        steps: &[
            short("execute", 4, 300),
            // Of 37 programs, most of them with products, that the plan for all loops left open in 20 s, it proves 22 in 5 s, 15 of these in 1.2 s.
            short("guess", 24, 8000),
            short("kinduction", 12, 6000),
            short("bdd", 6, 6000),
            short("value-sep", 12, 8000),
            short("bmc", 7, 4000),
            short("cp", 5, 3000),
            short("horn", 6, 4000),
            short("dagger", 3, 2000),
            // Its patience grows with its time.
            Step { again: true, ..step("execute", 10) },
            // So does its.
            Step { again: true, ..step("guess", 30) },
            step("bmc", 16),
            step("horn", 16),
            step("cp", 8),
            step("value-sep", 8),
            step("kinduction", 16),
        ],
        because: "what such loops preserve are equations of polynomials, which executions suggest and algebra confirms",
    },
    Rule {
        kind: "with loops",
        applies: |_| true,
        steps: &[
            short("execute", 4, 300),
            short("kinduction", 12, 6000),
            // It knows soon when it cannot do it; of 16 state machines that it proves, the slowest takes 4 s.
            short("bdd", 14, 15000),
            // Of 36 programs with loops that the plan without it left open in 20 s, it proves 4 in 8 s.
            short("guess", 9, 6000),
            // Of 87 programs that the plans without it left open in 15 s, it decides 18 (state machines, protocols), 17 of them in 5 s.
            short("value-sep", 12, 8000),
            // Of 57 programs that the plans without it left open in 20 s, it proves three (bits, and a protocol), each in 2 to 3 s; of 68 programs of all kinds, 16 in 4 s.
            short("pdr", 38, 12000),
            // Induction unrolls as well, but spends most of its time on its step: sequentialised protocols have errors that unrolling alone finds in a second.
            short("bmc", 7, 4000),
            short("cp", 6, 3000),
            short("horn", 7, 4000),
            short("dagger", 5, 3000),
            // Its patience grows with its time.
            Step { again: true, ..step("execute", 12) },
            step("bmc", 16),
            step("horn", 20),
            step("cp", 17),
            step("guess", 14),
            step("value-sep", 8),
            step("kinduction", 18),
        ],
        because: "induction, guesses, diagrams, clauses over bits, interpolants, Horn clauses and abstract interpretation each prove programs that the others do not",
    },
];
