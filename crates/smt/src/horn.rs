//! Constrained Horn clauses, solved by Z3's Spacer.
//!
//! A [`Horn`] problem has *relations* over typed variables and *clauses* `R(x) ∧ condition ⇒ S(values)` or `R(x) ∧ condition ⇒ false`. An
//! answer is a formula for each relation such that every clause is valid: an inductive invariant when relations are cut
//! points and clauses are blocks. Integers are encoded as integers; what cannot be encoded or translated back ends in `Unknown`.
//!
//! Source: Komuravelli, Gurfinkel, Chaki, "SMT-based model checking for recursive programs" (CAV 2014).

use crate::back::Back;
use crate::encode::{Encoder, Encoding, Task, Unencodable};
use crate::ffi::{forall, set_global, Ast, Context, DeclKind, RawSolver, Relation};
use crate::solver::{Limits, Reason, SetupError};
use crate::watchdog::Watchdog;
use plumb_term::{Budget, Sort, Term, Var};
use std::collections::HashSet;

/// Index of a relation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RelationId(usize);

/// What Spacer found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HornAnswer {
    /// A formula for each relation, over its variables, in the order in which they were declared.
    Solved(Vec<Term>),
    /// There is no solution.
    Unsolvable,
    /// Not decided.
    Unknown(Reason),
}

/// A system of Horn clauses.
pub struct Horn {
    // Before the context: it ends first.
    watchdog: Option<Watchdog>,
    encoder: Encoder,
    raw: RawSolver,
    relations: Vec<(Relation, Vec<Var>)>,
}

impl Horn {
    /// A system without clauses.
    pub fn new(limits: &Limits) -> Result<Horn, SetupError> {
        crate::z3::check_version()?;
        if let Some(megabytes) = limits.memory {
            set_global("memory_max_size", &megabytes.to_string());
        }
        let context = Context::new(&[]).ok_or(SetupError::Library)?;
        let raw = RawSolver::new(&context, Some("HORN")).ok_or(SetupError::Library)?;
        // Transformations that remove relations give them solutions with quantifiers.
        let mut params = context.params().ok_or(SetupError::Library)?;
        for transformation in ["xform.inline_eager", "xform.inline_linear", "xform.slice", "xform.coi"] {
            params = params.bool(transformation, false);
        }
        raw.set(&params);
        let watchdog = Watchdog::new(context.interrupter());
        Ok(Horn { watchdog, encoder: Encoder::new(context, Encoding::Int), raw, relations: Vec::new() })
    }

    /// Declares a relation over distinct variables.
    pub fn relation(&mut self, name: &str, vars: &[Var]) -> Result<RelationId, Unencodable> {
        let mut sorts = Vec::with_capacity(vars.len());
        for v in vars {
            sorts.push(self.encoder.encode(task(Term::var(*v)))?.sort());
        }
        let relation = Relation::new(&self.encoder.context, name, &sorts).ok_or_else(|| Unencodable("a relation".into()))?;
        self.relations.push((relation, vars.to_vec()));
        Ok(RelationId(self.relations.len() - 1))
    }

    /// Adds `body(its variables) ∧ condition ⇒ head(values)`; no body is true, no head is false.
    pub fn clause(&mut self, body: Option<RelationId>, condition: Term, head: Option<(RelationId, &[Term])>) -> Result<(), Unencodable> {
        self.clause_of(body.as_slice(), condition, head)
    }

    /// As [`Horn::clause`], with any number of relations that hold all at once; none is true.
    pub fn clause_of(&mut self, body: &[RelationId], condition: Term, head: Option<(RelationId, &[Term])>) -> Result<(), Unencodable> {
        let own = |r: &RelationId| (*r, self.relations[r.0].1.iter().map(|v| Term::var(*v)).collect());
        let body: Vec<(RelationId, Vec<Term>)> = body.iter().map(own).collect();
        self.clause_at(&body, condition, head)
    }

    /// As [`Horn::clause_of`], with relations that hold of any terms: a clause may use a relation several times.
    pub fn clause_at(
        &mut self,
        body: &[(RelationId, Vec<Term>)],
        condition: Term,
        head: Option<(RelationId, &[Term])>,
    ) -> Result<(), Unencodable> {
        let mut trail = Vec::new();
        let mut premises = Vec::new();
        let mut tasks = vec![Task::Bool(condition)];
        for (_, arguments) in body {
            tasks.extend(arguments.iter().map(|t| task(*t)));
        }
        let before_head = tasks.len();
        if let Some((_, values)) = head {
            tasks.extend(values.iter().map(|t| task(*t)));
        }
        let mut encoded = Vec::with_capacity(tasks.len());
        for t in tasks {
            encoded.push(self.encoder.encode(t)?);
            self.encoder.activate(t, &mut trail, &mut |axiom| premises.push(axiom.clone()));
        }
        self.encoder.deactivate(&trail);
        let mut at = 1;
        for (r, arguments) in body {
            premises.push(self.relations[r.0].0.of(&encoded[at..at + arguments.len()]));
            at += arguments.len();
        }
        premises.push(encoded[0].clone());
        let context = &self.encoder.context;
        let conclusion = match head {
            Some((head, _)) => self.relations[head.0].0.of(&encoded[before_head..]),
            None => context.bool(false),
        };
        let clause = Ast::and(context, &premises).implies(&conclusion);
        let bound = self.constants(&clause)?;
        self.raw.assert(&forall(context, &bound, &clause));
        Ok(())
    }

    /// Solves the system.
    pub fn solve(&mut self, budget: &Budget) -> HornAnswer {
        if let Some(failure) = self.encoder.context.failure() {
            return HornAnswer::Unknown(Reason::Incomplete(failure));
        }
        let answer = match &self.watchdog {
            Some(w) => w.guard(budget, || self.raw.check(&[])),
            None => self.raw.check(&[]),
        };
        match answer {
            Some(false) => HornAnswer::Unsolvable,
            None if budget.is_over() => HornAnswer::Unknown(Reason::Time),
            None => HornAnswer::Unknown(Reason::Incomplete(self.raw.reason_unknown())),
            Some(true) => match self.solution() {
                Some(terms) => HornAnswer::Solved(terms),
                None => HornAnswer::Unknown(Reason::Incomplete("the solution cannot be expressed".into())),
            },
        }
    }

    /// The symbols of a clause, each once.
    fn constants(&self, clause: &Ast) -> Result<Vec<Ast>, Unencodable> {
        let nullary: HashSet<usize> = self.relations.iter().filter(|r| r.1.is_empty()).map(|r| r.0.of(&[]).key()).collect();
        let mut seen = HashSet::new();
        let mut out = Vec::new();
        let mut stack = vec![clause.clone()];
        while let Some(a) = stack.pop() {
            if !seen.insert(a.key()) {
                continue;
            }
            if a.is_lambda() {
                return Err(Unencodable("a splice of unknown length in a Horn clause".into()));
            }
            let operands = a.operands();
            if operands.is_empty() && a.operator() == Some(DeclKind::Uninterpreted) && !nullary.contains(&a.key()) {
                out.push(a);
            } else {
                stack.extend(operands);
            }
        }
        Ok(out)
    }

    fn solution(&self) -> Option<Vec<Term>> {
        let model = self.raw.model()?;
        let symbols = self.encoder.symbols.clone();
        let mut out = Vec::with_capacity(self.relations.len());
        for (relation, vars) in &self.relations {
            let places: Option<Vec<Ast>> = vars.iter().map(|v| symbols.borrow().get(v).cloned()).collect();
            out.push(Back::new(&symbols).term(&relation.meaning(&model, &places?)?)?);
        }
        Some(out)
    }
}

/// The view of a term as an argument of a relation.
fn task(t: Term) -> Task {
    match t.sort() {
        Sort::Bool => Task::Bool(t),
        Sort::Int => Task::Int(t),
        Sort::Float(_) => Task::Pattern(t),
        Sort::Mem(_) => Task::Mem(t),
    }
}
