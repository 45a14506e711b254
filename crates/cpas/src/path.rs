//! A path of the abstract reachability graph, executed symbolically and exactly: can it be taken, and with which inputs?

use crate::place::Places;
use plumb_cfa::{DataModel, InputSource, Integers, Program, RegionId};
use plumb_cpa::{Flow, Kind, StepId};
use plumb_smt::{CheckResult, Encoding, Limits, Model, Reason, Solver, Z3Solver};
use plumb_term::eval::Value;
use plumb_term::visit::substitute;
use plumb_term::{Budget, Span, Term, Var, VarId};
use plumb_verdict::{InputValue, ReasonKind, Trace};
use rustc_hash::FxHashMap;
use std::time::Duration;

/// What is known of a path.
#[derive(Debug)]
pub enum Feasibility {
    /// Executions take it; the inputs of one.
    Feasible(Trace),
    /// None does; positions of steps whose conditions contradict each other.
    Infeasible(Vec<usize>),
    /// Not decided.
    Unknown(ReasonKind),
}

/// An input of an execution: its variable, where it comes from, and where it is taken.
type TakenInput = (Var, InputSource, Span);

/// The conditions of a path over the state at its start and its inputs.
struct Symbolic {
    /// With the position of the step; true ones are left out.
    conditions: Vec<(usize, Term)>,
    inputs: Vec<TakenInput>,
    /// That accesses lie where the interpreter has memory.
    placed: Vec<Term>,
}

/// Executes a path; `None` if it goes through a recursion, whose activations a path of steps does not tell apart. Where accesses lie is found out if
/// there are `places`.
fn execute(flow: &Flow<'_>, path: &[StepId], mut places: Option<Places<'_>>) -> Option<Symbolic> {
    let mut store: FxHashMap<VarId, Term> = FxHashMap::default();
    let mut out = Symbolic { conditions: Vec::new(), inputs: Vec::new(), placed: Vec::new() };
    for (i, step) in path.iter().map(|s| flow.step(*s)).enumerate() {
        if step.kind == Kind::Return && !step.effect.inputs.is_empty() {
            return None;
        }
        let base = out.inputs.len() as u32;
        for input in &step.effect.inputs {
            let var = Var::new(VarId(VarId::FIRST_AUX.0 + out.inputs.len() as u32), input.var.ty);
            out.inputs.push((var, input.source.clone(), step.span));
        }
        let value = |v: Var| {
            if v.id < VarId::FIRST_AUX {
                return store.get(&v.id).copied();
            }
            let (fresh, ..) = out.inputs.get((base + v.id.0 - VarId::FIRST_AUX.0) as usize)?;
            Some(Term::var(*fresh))
        };
        let condition = substitute(step.condition(), &value);
        let new: Vec<(VarId, Term)> = step.updates().iter().map(|(v, t)| (*v, substitute(*t, &value))).collect();
        let placed = places.as_mut().map(|p| p.of(step, &|t| substitute(t, &value)));
        out.placed.extend(placed.into_iter().flatten());
        if !condition.is_true() {
            out.conditions.push((i, condition));
        }
        store.extend(new);
    }
    Some(out)
}

/// Decides whether executions take a path.
pub fn feasibility(flow: &Flow<'_>, path: &[StepId], budget: &Budget) -> Feasibility {
    let Some(symbolic) = execute(flow, path, None) else {
        return Feasibility::Unknown(ReasonKind::Incomplete("the path to the error goes through a recursion".into()));
    };
    if let Some((i, _)) = symbolic.conditions.iter().find(|(_, c)| c.is_false()) {
        return Feasibility::Infeasible(vec![*i]);
    }
    let program = flow.program();
    let feasible = |model: &Model| Feasibility::Feasible(trace(program, &symbolic.inputs, model));
    let model = match decide(program, &symbolic.conditions, budget) {
        Ok(Ok(model)) => model,
        Ok(Err(core)) => return Feasibility::Infeasible(core),
        Err(why) => return Feasibility::Unknown(why),
    };
    let places = execute(flow, path, Some(Places::new(program))).map_or_else(Vec::new, |s| s.placed);
    let placed = Term::all(places);
    if model.holds(placed) == Some(true) {
        return feasible(&model);
    }
    let conditions: Vec<(usize, Term)> = symbolic.conditions.iter().copied().chain([(usize::MAX, placed)]).collect();
    match decide(program, &conditions, budget) {
        Ok(Ok(placed)) => feasible(&placed),
        Ok(Err(_)) => Feasibility::Unknown(ReasonKind::Incomplete("a path to the error needs memory where the program has none".into())),
        // The model may be one of an execution all the same.
        Err(_) => feasible(&model),
    }
}

/// The conditions of a path over the state at its start and its inputs.
pub(crate) fn conditions(flow: &Flow<'_>, path: &[StepId]) -> Vec<Term> {
    execute(flow, path, None).map_or_else(Vec::new, |s| s.conditions.into_iter().map(|c| c.1).collect())
}

/// Positions of steps whose conditions contradict what is given of the state before the path, if that is found out soon.
pub(crate) fn contradicts(flow: &Flow<'_>, given: Term, path: &[StepId], budget: &Budget) -> Option<Vec<usize>> {
    let mut conditions = execute(flow, path, None)?.conditions;
    if let Some((i, _)) = conditions.iter().find(|(_, c)| c.is_false()) {
        return Some(vec![*i]);
    }
    conditions.push((usize::MAX, given));
    let core = decide(flow.program(), &conditions, &budget.at_most(Duration::from_secs(1))).ok()?.err()?;
    Some(core.into_iter().filter(|i| *i != usize::MAX).collect())
}

/// A model of numbered conditions, bit-precise, or the numbers of those that contradict each other.
pub(crate) fn decide(program: &Program, conditions: &[(usize, Term)], budget: &Budget) -> Result<Result<Model, Vec<usize>>, ReasonKind> {
    let bits = match program.semantics.model {
        DataModel::Ilp32 => Encoding::BITS32,
        DataModel::Lp64 => Encoding::BITS64,
    };
    let encodings = match program.semantics.integers {
        Integers::Machine => vec![bits, Encoding::Int],
        Integers::Ideal => vec![Encoding::Int],
    };
    let mut slice = Duration::from_millis(500);
    while !budget.is_over() {
        let (mut why, mut timed_out) = (ReasonKind::Time, false);
        for encoding in &encodings {
            match ask(*encoding, slice, conditions, budget) {
                Ok(answer) => return Ok(answer),
                Err(ReasonKind::Time) => timed_out = true,
                Err(other) => why = other,
            }
        }
        if !timed_out {
            return Err(why);
        }
        slice = slice.saturating_mul(4);
    }
    Err(ReasonKind::Time)
}

fn ask(
    encoding: Encoding,
    slice: Duration,
    conditions: &[(usize, Term)],
    budget: &Budget,
) -> Result<Result<Model, Vec<usize>>, ReasonKind> {
    let limits = Limits { query_time: Some(slice), ..Limits::default() };
    let mut solver = Z3Solver::new(encoding, &limits).map_err(|e| ReasonKind::Internal(e.to_string()))?;
    solver.set_budget(budget);
    let terms: Vec<Term> = conditions.iter().map(|c| c.1).collect();
    match solver.check_assuming(&terms) {
        CheckResult::Sat => solver.model().map(Ok).ok_or_else(|| ReasonKind::Solver("no model".into())),
        CheckResult::Unsat => {
            let core = solver.unsat_core();
            let all = || conditions.iter().map(|c| c.0).collect::<Vec<_>>();
            let of_core: Vec<usize> = conditions.iter().filter(|c| core.contains(&c.1)).map(|c| c.0).collect();
            Ok(Err(if of_core.is_empty() { all() } else { of_core }))
        }
        CheckResult::Unknown(Reason::Time) => Err(ReasonKind::Time),
        CheckResult::Unknown(Reason::Memory) => Err(ReasonKind::Memory),
        CheckResult::Unknown(r) => Err(ReasonKind::Solver(r.to_string())),
    }
}

/// The inputs of the execution that a model describes.
fn trace(program: &Program, inputs: &[TakenInput], model: &Model) -> Trace {
    let mut out = Trace::default();
    for (var, source, span) in inputs {
        let value = model.var(*var).unwrap_or_else(|| Value::default_of(var.ty));
        out.inputs.push(InputValue { source: source.clone(), span: *span, value });
    }
    for (i, r) in program.regions.iter().enumerate() {
        if let Some(Value::Mem(m)) = model.var(Var::new(r.var, program.var(r.var).ty)) {
            out.memory.insert(RegionId(i as u32), m);
        }
    }
    out
}
