//! An independent checker of refutations.
//!
//! **Problem.** A [`Proof`] comes from a search with many clever parts. That it is one can be seen without any of them: every
//! clause is an input of the part it names, a lemma whose certificate adds up, or the result of resolutions between earlier clauses.
//!
//! **Contract.** [`check`] accepts a proof only if its last clause follows, over the variables' sorts and with the functions they name, from the clauses that the proof
//! calls inputs. Which those are is for the caller to compare with what was asserted ([`inputs`]). It also accepts only proofs that are
//! *well-placed*: a variable occurs in a part if an input of that part has it, an atom only where its variables do, and an application only
//! where its arguments do, which is what interpolation relies on. The code shares nothing with the solver but the data types; arithmetic is exact.

mod lemma;
mod place;

use crate::lit::{BoolVar, Lit};
use crate::proof::{Part, Proof, Reason, StepId};
use std::fmt;

/// Why a proof is rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rejected {
    /// There is no step.
    Empty,
    /// The numeric variable of this index is not well-placed, or its application is not well-formed.
    Number(u32, &'static str),
    /// The Boolean variable of this index is not well-placed, or its atom is not well-formed.
    Boolean(u32, &'static str),
    /// This step does not hold.
    Step(StepId, Flaw),
    /// The last clause has a literal that is not the negation of an assumption.
    NotRefuted(Lit),
}

/// What is wrong with a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// A literal, a part or a step that does not exist, or a step that is not earlier.
    Unknown,
    /// A literal is repeated.
    Repeated(Lit),
    /// The variable does not occur in the part whose input it is in.
    NotInPart(BoolVar),
    /// A lemma's literal or certificate has the wrong form.
    Malformed(&'static str),
    /// The certificate does not add up.
    Sum,
    /// The clauses cannot be resolved on this variable: it does not occur once in each, with opposite signs.
    Pivot(BoolVar),
    /// The chain of resolutions yields another clause.
    Result,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejected::Empty => write!(f, "the proof has no steps"),
            Rejected::Number(i, what) => write!(f, "numeric variable {i}: {what}"),
            Rejected::Boolean(i, what) => write!(f, "Boolean variable {i}: {what}"),
            Rejected::Step(s, flaw) => write!(f, "step {}: {flaw}", s.0),
            Rejected::NotRefuted(l) => write!(f, "the last clause has {l:?}, which is no negated assumption"),
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Unknown => write!(f, "it names something that does not exist or comes later"),
            Flaw::Repeated(l) => write!(f, "literal {l:?} is repeated"),
            Flaw::NotInPart(v) => write!(f, "variable {} does not occur in the part of this input", v.0),
            Flaw::Malformed(what) => write!(f, "{what}"),
            Flaw::Sum => write!(f, "the certificate does not add up"),
            Flaw::Pivot(v) => write!(f, "no resolution on variable {} is possible", v.0),
            Flaw::Result => write!(f, "the resolutions yield another clause"),
        }
    }
}

impl std::error::Error for Rejected {}

/// The clauses that `proof` takes as given, with their parts, in order.
pub fn inputs(proof: &Proof) -> impl Iterator<Item = (Part, &[Lit])> {
    proof.steps.iter().filter_map(|s| match s.reason {
        Reason::Input(part) => Some((part, s.clause.as_slice())),
        _ => None,
    })
}

/// Checks that `proof` refutes its inputs together with `assumptions`: all steps hold and the last clause has only negations
/// of assumptions.
pub fn check(proof: &Proof, assumptions: &[Lit]) -> Result<(), Rejected> {
    place::check(proof)?;
    let mut marks = vec![false; 2 * proof.booleans.len()];
    for (i, step) in proof.steps.iter().enumerate() {
        let fail = |flaw| Rejected::Step(StepId(i as u32), flaw);
        if step.clause.iter().any(|l| l.var().index() >= proof.booleans.len()) {
            return Err(fail(Flaw::Unknown));
        }
        distinct(&step.clause, &mut marks).map_err(fail)?;
        match &step.reason {
            Reason::Input(part) => input(proof, &step.clause, *part).map_err(fail)?,
            Reason::Lemma(certificate) => lemma::check(proof, &step.clause, certificate).map_err(fail)?,
            Reason::Chain { first, rest } => chain(proof, i, *first, rest, &mut marks).map_err(fail)?,
        }
    }
    let last = proof.steps.last().ok_or(Rejected::Empty)?;
    match last.clause.iter().find(|l| !assumptions.contains(&!**l)) {
        Some(&l) => Err(Rejected::NotRefuted(l)),
        None => Ok(()),
    }
}

fn distinct(clause: &[Lit], marks: &mut [bool]) -> Result<(), Flaw> {
    let repeated = clause.iter().copied().find(|l| std::mem::replace(&mut marks[l.code()], true));
    clause.iter().for_each(|l| marks[l.code()] = false);
    repeated.map_or(Ok(()), |l| Err(Flaw::Repeated(l)))
}

fn input(proof: &Proof, clause: &[Lit], part: Part) -> Result<(), Flaw> {
    if part.0 >= proof.parts {
        return Err(Flaw::Unknown);
    }
    let stray = clause.iter().map(|l| l.var()).find(|v| proof.booleans[v.index()].parts.binary_search(&part).is_err());
    stray.map_or(Ok(()), |v| Err(Flaw::NotInPart(v)))
}

/// Resolves from left to right; `marks` is the current clause as a set and is left empty.
fn chain(proof: &Proof, at: usize, first: StepId, rest: &[(BoolVar, StepId)], marks: &mut [bool]) -> Result<(), Flaw> {
    if first.0 as usize >= at || rest.iter().any(|(v, s)| s.0 as usize >= at || v.index() >= proof.booleans.len()) {
        return Err(Flaw::Unknown);
    }
    let mut touched = Vec::new();
    let result = resolve(proof, at, first, rest, marks, &mut touched);
    touched.iter().for_each(|l: &Lit| marks[l.code()] = false);
    result
}

fn resolve(
    proof: &Proof,
    at: usize,
    first: StepId,
    rest: &[(BoolVar, StepId)],
    marks: &mut [bool],
    touched: &mut Vec<Lit>,
) -> Result<(), Flaw> {
    let mut add = |l: Lit, marks: &mut [bool]| {
        if !std::mem::replace(&mut marks[l.code()], true) {
            touched.push(l);
        }
    };
    for &l in &proof.steps[first.0 as usize].clause {
        add(l, marks);
    }
    for &(pivot, step) in rest {
        let clause = &proof.steps[step.0 as usize].clause;
        let mine = |l: Lit| marks[l.code()];
        let other = (clause.contains(&pivot.positive()), clause.contains(&pivot.negative()));
        let gone = match (mine(pivot.positive()), mine(pivot.negative()), other) {
            (true, false, (false, true)) => pivot.positive(),
            (false, true, (true, false)) => pivot.negative(),
            _ => return Err(Flaw::Pivot(pivot)),
        };
        marks[gone.code()] = false;
        for &l in clause.iter().filter(|l| **l != !gone) {
            add(l, marks);
        }
    }
    let clause = &proof.steps[at].clause;
    let size = touched.iter().collect::<std::collections::BTreeSet<_>>().into_iter().filter(|l| marks[l.code()]).count();
    if size == clause.len() && clause.iter().all(|l| marks[l.code()]) {
        Ok(())
    } else {
        Err(Flaw::Result)
    }
}
