//! Executions of recursive functions, tabulated: what a function returns for given values, by its clauses.
//!
//! A call with the same values is executed once, so that `fib(46)` costs 46 calls. Calls whose result is already known by a formula are not
//! executed at all ([`Known`]). Only what a function does without inputs, and without memory, can be executed.

use super::clauses::{Place, System};
use crate::houdini::Clause;
use plumb_cfa::FuncId;
use plumb_term::eval::{eval, Value};
use plumb_term::{IBig, Term, Var};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Nested calls.
const MAX_DEPTH: u32 = 300;
/// Iterations of loops in one call.
const MAX_STEPS: u32 = 300;

/// What is proved of a function: under a condition on the values at the call, the values at the return are those of terms over them.
#[derive(Clone, Debug)]
pub struct Known {
    /// When.
    pub guard: Term,
    /// One for each variable at the return.
    pub values: Vec<Term>,
}

/// Calls that were executed, with their results; none for one that is being executed, or failed.
pub type Table = BTreeMap<(FuncId, Vec<IBig>), Option<Vec<IBig>>>;

/// Executes calls.
pub struct Evaluator<'a> {
    system: &'a System,
    known: &'a BTreeMap<FuncId, Vec<Known>>,
    /// Clauses may be tried so often.
    pub fuel: u32,
    /// What was executed.
    pub table: Table,
}

type Env = FxHashMap<Var, IBig>;

fn number(t: Term, env: &Env) -> Option<IBig> {
    match eval(t, &|v| env.get(&v).cloned().map(Value::Int))? {
        Value::Int(n) => Some(n),
        _ => None,
    }
}

fn holds(t: Term, env: &Env) -> Option<bool> {
    match eval(t, &|v| env.get(&v).cloned().map(Value::Int))? {
        Value::Bool(b) => Some(b),
        _ => None,
    }
}

impl<'a> Evaluator<'a> {
    /// Nothing executed yet.
    pub fn new(system: &'a System, known: &'a BTreeMap<FuncId, Vec<Known>>) -> Evaluator<'a> {
        Evaluator { system, known, fuel: 0, table: Table::new() }
    }

    /// What a function returns; none if that is not found out.
    pub fn call(&mut self, f: FuncId, ins: &[IBig]) -> Option<Vec<IBig>> {
        self.nested(f, ins, 0)
    }

    fn nested(&mut self, f: FuncId, ins: &[IBig], depth: u32) -> Option<Vec<IBig>> {
        let key = (f, ins.to_vec());
        if let Some(known) = self.table.get(&key) {
            return known.clone();
        }
        if let Some(outs) = self.by_formula(f, ins) {
            return Some(outs);
        }
        if depth > MAX_DEPTH || self.fuel == 0 {
            return None;
        }
        self.table.insert(key.clone(), None);
        let outs = self.execute(f, ins, depth);
        if outs.is_none() && (self.fuel == 0 || depth > 0) {
            // It may succeed from nearer.
            self.table.remove(&key);
        } else {
            self.table.insert(key, outs.clone());
        }
        outs
    }

    fn by_formula(&self, f: FuncId, ins: &[IBig]) -> Option<Vec<IBig>> {
        let returned = self.system.number(&Place::Returned(f))?;
        let env: Env = self.system.relations[returned].vars.iter().copied().zip(ins.iter().cloned()).collect();
        let known = self.known.get(&f)?.iter().find(|k| holds(k.guard, &env) == Some(true))?;
        known.values.iter().map(|t| number(*t, &env)).collect()
    }

    /// From relation to relation until the summary is reached.
    fn execute(&mut self, f: FuncId, ins: &[IBig], depth: u32) -> Option<Vec<IBig>> {
        let system = self.system;
        let mut at = (system.number(&Place::Called(f))?, ins.to_vec());
        for _ in 0..MAX_STEPS {
            let goes_on = |c: &&Clause| c.head.as_ref().is_some_and(|(to, _)| !matches!(system.relations[*to].place, Place::Called(_)));
            let mut next = None;
            for c in system.clauses.iter().filter(|c| c.body.first().is_some_and(|(r, _)| *r == at.0)).filter(goes_on) {
                let env: Env = system.relations[at.0].vars.iter().copied().zip(at.1.iter().cloned()).collect();
                if let Some(env) = self.fire(c, env, depth)? {
                    let (to, values) = c.head.as_ref()?;
                    next = Some((*to, values.iter().map(|t| number(*t, &env)).collect::<Option<Vec<IBig>>>()?));
                    break;
                }
            }
            at = next?;
            if system.relations[at.0].place == Place::Returned(f) {
                return Some(at.1.split_off(ins.len()));
            }
        }
        None
    }

    /// Whether a clause applies, with what its calls return; none if that cannot be found out.
    fn fire(&mut self, c: &Clause, mut env: Env, depth: u32) -> Option<Option<Env>> {
        self.fuel = self.fuel.checked_sub(1)?;
        let mut open = c.condition.conjuncts();
        let mut calls = c.body[1..].iter();
        loop {
            let mut undecided = Vec::new();
            for t in open {
                match holds(t, &env) {
                    Some(true) => {}
                    Some(false) => return Some(None),
                    None => undecided.push(t),
                }
            }
            open = undecided;
            let Some((r, arguments)) = calls.next() else {
                return open.is_empty().then_some(Some(env));
            };
            let Place::Returned(g) = self.system.relations[*r].place else { return None };
            let ins = self.system.functions[&g].ins.len();
            let values: Vec<IBig> = arguments[..ins].iter().map(|t| number(*t, &env)).collect::<Option<_>>()?;
            let outs = self.nested(g, &values, depth + 1)?;
            env.extend(arguments[ins..].iter().filter_map(|t| t.as_var()).zip(outs));
        }
    }
}
