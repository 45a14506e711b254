//! A naive prover: a semantic tree, with the theory asked at every node. Slow and obvious; it makes proofs for small problems.

use super::fm::{self, Outcome};
use plumb_itp::proof::{Certificate, Proof, Reason, Step, StepId};
use plumb_itp::{BoolVar, Linear, Lit, Literal, NumVar, Part, Sort, Vocabulary};
use plumb_num::{Int, Rat};

/// Clauses in parts.
#[derive(Clone, Default)]
pub struct Problem {
    pub vocabulary: Vocabulary,
    pub parts: u32,
    pub inputs: Vec<(Part, Vec<Lit>)>,
}

/// What the prover found.
pub enum Answer {
    Proof(Proof),
    Satisfiable,
    GaveUp,
}

impl Problem {
    /// Adds a clause; constants are simplified away.
    pub fn clause(&mut self, part: u32, literals: &[Literal]) {
        let mut clause = Vec::new();
        for l in literals {
            match l {
                Literal::Constant(true) => return,
                Literal::Constant(false) => {}
                Literal::Lit(l) => {
                    if clause.contains(&!*l) {
                        return;
                    }
                    if !clause.contains(l) {
                        clause.push(*l);
                    }
                }
            }
        }
        self.parts = self.parts.max(part + 1);
        clause.iter().for_each(|l| self.vocabulary.occurs(l.var(), Part(part)));
        self.inputs.push((Part(part), clause));
    }

    /// Decides the problem, with a budget of nodes.
    pub fn prove(&self, budget: usize) -> Answer {
        let mut p = Prover { vocabulary: self.vocabulary.clone(), clauses: Vec::new(), steps: Vec::new(), assignment: Vec::new(), budget };
        for (part, clause) in &self.inputs {
            p.clauses.push((clause.clone(), Reason::Input(*part), None));
        }
        p.congruences();
        match p.refute() {
            Err(Stop::Satisfiable) => Answer::Satisfiable,
            Err(Stop::GaveUp) => Answer::GaveUp,
            Ok(last) => {
                p.steps.truncate(last.0 as usize + 1);
                let (booleans, numbers) = (p.vocabulary.booleans().to_vec(), p.vocabulary.numbers().to_vec());
                Answer::Proof(Proof { parts: self.parts, booleans, numbers, steps: p.steps })
            }
        }
    }
}

enum Stop {
    Satisfiable,
    GaveUp,
}

struct Prover {
    vocabulary: Vocabulary,
    clauses: Vec<(Vec<Lit>, Reason, Option<StepId>)>,
    steps: Vec<Step>,
    assignment: Vec<Option<bool>>,
    budget: usize,
}

impl Prover {
    fn value(&self, l: Lit) -> Option<bool> {
        self.assignment.get(l.var().index()).copied().flatten().map(|v| v == l.is_positive())
    }

    fn set(&mut self, v: BoolVar, value: Option<bool>) {
        if self.assignment.len() <= v.index() {
            self.assignment.resize(v.index() + 1, None);
        }
        self.assignment[v.index()] = value;
    }

    fn congruences(&mut self) {
        let numbers = self.vocabulary.numbers().to_vec();
        let less_eq = |v: &mut Vocabulary, x: NumVar, y: NumVar| {
            let t = Linear::new([(x, Int::ONE), (y, Int::MINUS_ONE)], Int::ZERO);
            let Literal::Lit(l) = v.less_eq(&t) else { unreachable!("two variables") };
            v.place(l.var());
            l
        };
        for (i, n) in numbers.iter().enumerate() {
            for (j, m) in numbers.iter().enumerate().filter(|(j, _)| *j != i) {
                let (Some((f, a)), Some((g, b))) = (&n.application, &m.application) else { continue };
                if f != g {
                    continue;
                }
                let mut clause: Vec<Lit> = Vec::new();
                for (&a, &b) in a.iter().zip(b).filter(|(a, b)| a != b) {
                    for l in [!less_eq(&mut self.vocabulary, a, b), !less_eq(&mut self.vocabulary, b, a)] {
                        if !clause.contains(&l) {
                            clause.push(l);
                        }
                    }
                }
                let (x, y) = (NumVar(i as u32), NumVar(j as u32));
                let last = less_eq(&mut self.vocabulary, x, y);
                if !clause.contains(&!last) && !clause.contains(&last) {
                    clause.push(last);
                    self.clauses.push((clause, Reason::Lemma(Certificate::Congruence(x, y)), None));
                }
            }
        }
    }

    fn step(&mut self, clause: Vec<Lit>, reason: Reason) -> StepId {
        self.steps.push(Step { clause, reason });
        StepId(self.steps.len() as u32 - 1)
    }

    /// A step whose clause the assignment makes false.
    fn refute(&mut self) -> Result<StepId, Stop> {
        self.budget = self.budget.checked_sub(1).ok_or(Stop::GaveUp)?;
        let mut open: Option<(usize, Lit)> = None;
        for i in 0..self.clauses.len() {
            let clause = &self.clauses[i].0;
            if clause.iter().any(|l| self.value(*l) == Some(true)) {
                continue;
            }
            let free: Vec<Lit> = clause.iter().copied().filter(|l| self.value(*l).is_none()).collect();
            let Some(&l) = free.first() else {
                if let Some(s) = self.clauses[i].2 {
                    return Ok(s);
                }
                let (clause, reason) = (self.clauses[i].0.clone(), self.clauses[i].1.clone());
                let s = self.step(clause, reason);
                self.clauses[i].2 = Some(s);
                return Ok(s);
            };
            if open.is_none_or(|(n, _)| free.len() < n) {
                open = Some((free.len(), l));
            }
        }
        let asserted: Vec<Lit> = (0..self.assignment.len() as u32)
            .filter_map(|v| self.assignment[v as usize].map(|value| Lit::new(BoolVar(v), value)))
            .filter(|l| self.constraint(*l).is_some())
            .collect();
        if let Some((clause, certificate)) = self.divisibility(&asserted) {
            return Ok(self.step(clause, Reason::Lemma(certificate)));
        }
        let rows: Vec<(Linear, bool)> = asserted.iter().filter_map(|l| self.constraint(*l)).collect();
        let point = match fm::solve(&rows) {
            Outcome::GaveUp => return Err(Stop::GaveUp),
            Outcome::Farkas(multipliers) => {
                let used: Vec<(Lit, Rat)> = asserted.into_iter().zip(multipliers).filter(|(_, q)| !q.is_zero()).collect();
                let clause = used.iter().map(|(l, _)| !*l).collect();
                let certificate = Certificate::Farkas(used.into_iter().map(|u| u.1).collect());
                return Ok(self.step(clause, Reason::Lemma(certificate)));
            }
            Outcome::Point(point) => point,
        };
        let decision = match open {
            // The way that makes a clause with one open literal false comes first.
            Some((_, l)) => !l,
            None => {
                let integer = |x: &NumVar| self.vocabulary.numbers()[x.index()].sort == Sort::Int;
                let Some((x, q)) = point.iter().find(|(x, q)| integer(x) && !q.is_integer()) else { return Err(Stop::Satisfiable) };
                let t = Linear::new([(*x, Int::ONE)], -q.floor());
                let Literal::Lit(l) = self.vocabulary.less_eq(&t) else { unreachable!("a variable") };
                self.vocabulary.place(l.var());
                l
            }
        };
        self.split(decision)
    }

    fn split(&mut self, decision: Lit) -> Result<StepId, Stop> {
        let var = decision.var();
        self.set(var, Some(decision.is_positive()));
        let first = self.refute();
        self.set(var, None);
        let first = first?;
        if !self.steps[first.0 as usize].clause.contains(&!decision) {
            return Ok(first);
        }
        self.set(var, Some(!decision.is_positive()));
        let second = self.refute();
        self.set(var, None);
        let second = second?;
        if !self.steps[second.0 as usize].clause.contains(&decision) {
            return Ok(second);
        }
        let mut clause: Vec<Lit> = self.steps[first.0 as usize].clause.iter().copied().filter(|l| *l != !decision).collect();
        for &l in self.steps[second.0 as usize].clause.iter().filter(|l| **l != decision) {
            if !clause.contains(&l) {
                clause.push(l);
            }
        }
        Ok(self.step(clause, Reason::Chain { first, rest: vec![(var, second)] }))
    }

    fn constraint(&self, l: Lit) -> Option<(Linear, bool)> {
        let proof = Proof {
            booleans: vec![self.vocabulary.booleans().get(l.var().index())?.clone()],
            numbers: self.vocabulary.numbers().to_vec(),
            ..Proof::default()
        };
        proof.constraint(Lit::new(BoolVar(0), l.is_positive()))
    }

    /// Two equalities, or one, with small multipliers that exclude integers.
    fn divisibility(&self, asserted: &[Lit]) -> Option<(Vec<Lit>, Certificate)> {
        let mut equalities: Vec<(Lit, Lit, Linear)> = Vec::new();
        for &l in asserted {
            let (t, _) = self.constraint(l)?;
            if !self.vocabulary.is_integer(&t) {
                continue;
            }
            let opposite = t.times(&Int::MINUS_ONE);
            let other = asserted.iter().find(|m| self.constraint(**m).is_some_and(|(u, s)| !s && u == opposite));
            if let Some(&m) = other.filter(|m| l < **m) {
                equalities.push((l, m, t));
            }
        }
        let factors: Vec<Rat> = (2..7i64).flat_map(|d| (1 - d..d).map(move |n| Rat::new(Int::from(n), Int::from(d)))).collect();
        for (i, e) in equalities.iter().enumerate() {
            for f in &equalities[i + 1..] {
                for (p, q) in factors.iter().flat_map(|p| factors.iter().map(move |q| (p, q))) {
                    let vars = e.2.terms().iter().chain(f.2.terms()).map(|t| t.0);
                    let at = |a: &Int, b: &Int| &(p * &Rat::from(a.clone())) + &(q * &Rat::from(b.clone()));
                    let integral = vars.clone().all(|x| at(&e.2.coefficient(x), &f.2.coefficient(x)).is_integer());
                    if integral && !at(e.2.offset(), f.2.offset()).is_integer() && !p.is_zero() && !q.is_zero() {
                        return Some((vec![!e.0, !e.1, !f.0, !f.1], Certificate::Divisibility(vec![p.clone(), q.clone()])));
                    }
                }
            }
        }
        None
    }
}
