//! Contracts learnt from executions: candidates that hold of all calls that were executed.
//!
//! Of the values that a function leaves: polynomials over the values at the call, modulo the type, for all calls or for those under a
//! condition that the function itself tests or that fixes one value; bounds; and single calls with their results, which together are a table of the function where
//! it has no formula. Which of them hold of all calls is for [`crate::houdini`] to find out.

use super::clauses::{Place, Relation, System};
use super::evaluate::{Evaluator, Known};
use super::fit::fit;
use plumb_cfa::FuncId;
use plumb_term::eval::{eval, Value};
use plumb_term::visit::{atoms, linear_form, substitute, vars};
use plumb_term::{Budget, IBig, IntTy, Scalar, Term, Var, VarTy};
use plumb_verdict::at_entry;
use std::collections::{BTreeMap, BTreeSet};

/// Tries of clauses for one call, and for all calls of one function.
const FUEL_OF_CALL: u32 = 1_000;
const FUEL: u32 = 30_000;
/// A value with which so many more calls failed, after long, than succeeded is not tried again.
const PATIENCE: i32 = 2;
const LONG: u32 = 100;
/// The most values a call is executed with.
const MAX_SEEDS: usize = 700;
/// Polynomials are sought through values of at most this size.
const SMALL: i64 = 1 << 20;
/// The most conditions of one function.
const MAX_GUARDS: usize = 40;
/// The most single calls of one function.
const MAX_POINTS: usize = 150;
/// The most constants of the program.
const MAX_CONSTANTS: usize = 24;

/// A call that was executed: the values of the summary's variables.
type Sample = Vec<IBig>;

/// Formulas of functions, by function.
pub type Formulas = BTreeMap<FuncId, Vec<Known>>;

/// What was learnt.
#[derive(Default)]
pub struct Learnt {
    /// By relation.
    pub candidates: Vec<Vec<Term>>,
    /// Those candidates of summaries that determine all values at the return.
    pub formulas: Formulas,
}

/// Executes functions and looks at what they return; calls under `known` formulas are not executed.
pub fn learn(system: &System, known: &Formulas, budget: &Budget) -> Learnt {
    let mut learnt = Learnt { candidates: vec![Vec::new(); system.relations.len()], formulas: Formulas::new() };
    let constants = constants(system);
    let mut evaluator = Evaluator::new(system, known);
    for f in system.functions.keys() {
        let mut fuel = FUEL;
        let mut failed: BTreeMap<(usize, IBig), i32> = BTreeMap::new();
        for seed in seeds(system, *f, known.contains_key(f)) {
            if budget.is_over() || fuel == 0 {
                break;
            }
            let values = || seed.iter().cloned().enumerate();
            if values().any(|v| failed.get(&v).is_some_and(|n| *n > PATIENCE)) {
                continue;
            }
            let given = fuel.min(FUEL_OF_CALL);
            evaluator.fuel = given;
            let change = if evaluator.call(*f, &seed).is_some() { -1 } else { 1 };
            let spent = given - evaluator.fuel;
            if change < 0 || spent >= LONG {
                values().for_each(|v| *failed.entry(v).or_default() += change);
            }
            fuel -= spent;
        }
    }
    let mut samples: BTreeMap<FuncId, Vec<Sample>> = BTreeMap::new();
    for ((f, ins), outs) in &evaluator.table {
        if let Some(outs) = outs {
            samples.entry(*f).or_default().push(ins.iter().chain(outs).cloned().collect());
        }
    }
    for (n, r) in system.relations.iter().enumerate() {
        learnt.candidates[n] = match &r.place {
            Place::Called(_) => bounds(&r.vars, &constants),
            Place::Returned(f) => {
                let of = samples.get(f).map_or(&[][..], Vec::as_slice);
                let function = Function { system, func: *f, summary: r, samples: of };
                let (candidates, formulas) = function.candidates();
                learnt.formulas.insert(*f, formulas);
                candidates
            }
            Place::Head(_) => {
                let now: Vec<Var> = r.vars.iter().copied().filter(|v| v.version == 0).collect();
                let kept = now.iter().filter(|v| r.vars.contains(&at_entry(**v))).map(|v| Term::var(*v).equals(Term::var(at_entry(*v))));
                kept.chain(bounds(&now, &constants)).collect()
            }
            Place::After(_) => Vec::new(),
        };
    }
    learnt
}

fn machine(v: Var) -> Option<IntTy> {
    match v.ty {
        VarTy::Scalar(Scalar::Int(ty)) => Some(ty),
        _ => None,
    }
}

fn is_int(v: &Var) -> bool {
    matches!(v.ty, VarTy::Int | VarTy::Scalar(Scalar::Int(_)))
}

/// The numbers that conditions compare with, the smallest first.
fn constants(system: &System) -> Vec<IBig> {
    let mut out: BTreeSet<IBig> = BTreeSet::from([IBig::ZERO, IBig::ONE]);
    for atom in system.clauses.iter().flat_map(|c| atoms(c.condition)) {
        for side in atom.children().filter(|t| t.sort() == plumb_term::Sort::Int) {
            let (constant, _) = linear_form(side);
            out.extend([constant.clone() - IBig::ONE, constant.clone() + IBig::ONE, constant.clone()]);
            out.insert(-constant);
        }
    }
    let size = |n: &IBig| if *n < IBig::ZERO { -n.clone() } else { n.clone() };
    let mut out: Vec<IBig> = out.into_iter().collect();
    out.sort_by_key(size);
    out.truncate(MAX_CONSTANTS);
    out
}

/// Comparisons of variables with constants and with each other.
fn bounds(vars: &[Var], constants: &[IBig]) -> Vec<Term> {
    let vars: Vec<Term> = vars.iter().filter(|v| is_int(v)).map(|v| Term::var(*v)).collect();
    let mut out = Vec::new();
    for (i, v) in vars.iter().enumerate() {
        for c in constants {
            out.extend([v.less_eq(Term::int(c.clone())), v.greater_eq(Term::int(c.clone()))]);
        }
        for w in &vars[..i] {
            out.extend([v.less_eq(*w), v.greater_eq(*w)]);
        }
    }
    out
}

/// Values to call a function with: all small ones, and with `more` larger ones next to small ones.
fn seeds(system: &System, f: FuncId, more: bool) -> Vec<Vec<IBig>> {
    let Some(called) = system.number(&Place::Called(f)) else { return Vec::new() };
    let vars = &system.relations[called].vars;
    let small: Vec<i64> = match vars.len() {
        0 | 1 => (-4..=80).collect(),
        2 if more => (-1..=64).collect(),
        2 => (-2..=8).collect(),
        3 => vec![0, 1, 2, 3, -1, 5],
        _ => vec![0, 1, 2],
    };
    let mut out: Vec<Vec<IBig>> = vec![Vec::new()];
    for v in vars {
        let fits = |n: &&i64| machine(*v).is_none_or(|ty| ty.min() <= IBig::from(**n) && IBig::from(**n) <= ty.max());
        out = out
            .iter()
            .flat_map(|s| small.iter().filter(fits).map(move |n| s.iter().cloned().chain([IBig::from(*n)]).collect::<Vec<IBig>>()))
            .filter(|s| vars.len() != 2 || s.len() < 2 || s.iter().any(|n| *n <= IBig::from(8)))
            .take(4 * MAX_SEEDS)
            .collect();
    }
    // Small ones first: larger ones are then found in the table.
    let weight = |s: &Vec<IBig>| s.iter().map(|n| if *n < IBig::ZERO { -n.clone() } else { n.clone() }).sum::<IBig>();
    out.sort_by_key(weight);
    out.truncate(MAX_SEEDS);
    out
}

/// One function with its executions.
struct Function<'a> {
    system: &'a System,
    func: FuncId,
    summary: &'a Relation,
    samples: &'a [Sample],
}

impl Function<'_> {
    fn ins(&self) -> &[Var] {
        &self.summary.vars[..self.system.functions[&self.func].ins.len()]
    }

    fn outs(&self) -> &[Var] {
        &self.summary.vars[self.ins().len()..]
    }

    fn candidates(&self) -> (Vec<Term>, Vec<Known>) {
        let (mut out, mut formulas) = (Vec::new(), Vec::new());
        if !self.summary.vars.iter().all(is_int) {
            return (out, formulas);
        }
        // What is not executed may still keep a value.
        for v in self.outs() {
            out.extend(self.ins().iter().filter(|x| x.id == v.id).map(|x| Term::var(*x).equals(Term::var(*v))));
        }
        let guards = self.guards();
        for guard in &guards {
            let samples: Vec<&Sample> = self.samples.iter().filter(|s| self.under(*guard, s)).collect();
            if samples.iter().all(|s| formulas.iter().any(|k: &Known| self.under(k.guard, s))) {
                continue;
            }
            let found: Vec<Option<Term>> = (0..self.outs().len()).map(|i| self.polynomial(&samples, i)).collect();
            for (v, t) in self.outs().iter().zip(&found) {
                out.extend(t.map(|t| guard.implies(Term::var(*v).equals(t))));
            }
            formulas.extend(found.into_iter().collect::<Option<Vec<Term>>>().map(|values| Known { guard: *guard, values }));
        }
        for guard in guards.iter().take(8) {
            out.extend(self.limits(*guard));
        }
        let covered = |s: &Sample| formulas.iter().any(|k| self.under(k.guard, s));
        let mut points: Vec<&Sample> = self.samples.iter().filter(|s| !covered(s)).collect();
        let size = |s: &&Sample| s[..self.ins().len()].iter().map(|n| if *n < IBig::ZERO { -n.clone() } else { n.clone() }).max();
        points.sort_by_key(size);
        points.truncate(MAX_POINTS);
        out.extend(points.into_iter().map(|s| {
            let equal = |(v, n): (&Var, &IBig)| Term::var(*v).equals(Term::int(n.clone()));
            let (ins, outs) = s.split_at(self.ins().len());
            Term::all(self.ins().iter().zip(ins).map(equal)).implies(Term::all(self.outs().iter().zip(outs).map(equal)))
        }));
        (out, formulas)
    }

    fn under(&self, guard: Term, s: &Sample) -> bool {
        let env = |v: Var| self.summary.vars.iter().position(|w| *w == v).map(|i| Value::Int(s[i].clone()));
        eval(guard, &env) == Some(Value::Bool(true))
    }

    /// Conditions on the values at the call: true, those that the function tests, and those that fix one value.
    fn guards(&self) -> Vec<Term> {
        let mut out = vec![Term::tt()];
        let called = self.system.number(&Place::Called(self.func));
        let own = |t: Term| vars([t]).iter().all(|v| self.ins().contains(&at_entry(*v)));
        let entry = |t: Term| substitute(t, &|v| Some(Term::var(at_entry(v))));
        for c in self.system.clauses.iter().filter(|c| c.body.first().map(|b| b.0) == called) {
            let path: Vec<Term> = c.condition.conjuncts().into_iter().filter(|t| own(*t)).map(entry).collect();
            for a in atoms(c.condition).into_iter().filter(|t| own(*t)).map(entry) {
                out.extend([a, a.not()]);
            }
            out.push(Term::all(path));
        }
        if self.ins().len() <= 4 {
            out.extend(self.ins().iter().flat_map(|v| (-1..=5).map(|n| Term::var(*v).equals(Term::int(n)))));
        }
        let mut seen = BTreeSet::new();
        out.retain(|t| !t.is_false() && seen.insert(*t));
        out.truncate(MAX_GUARDS);
        out
    }

    /// What the value number `i` at the return is, as a polynomial of least degree, at most two.
    fn polynomial(&self, samples: &[&Sample], i: usize) -> Option<Term> {
        let n = self.ins().len();
        let limit = IBig::from(SMALL);
        let small = |s: &&&Sample| s.iter().all(|n| -limit.clone() < *n && *n < limit);
        let samples: Vec<&&Sample> = samples.iter().filter(small).collect();
        let mut monomials: Vec<(Vec<usize>, Term)> = vec![(Vec::new(), Term::int(1))];
        for degree in 0..=2 {
            if degree == 1 {
                monomials.extend((0..n).map(|j| (vec![j], Term::var(self.ins()[j]))));
            } else if degree == 2 && n <= 4 {
                let pairs = (0..n).flat_map(|j| (j..n).map(move |k| (j, k)));
                monomials.extend(pairs.map(|(j, k)| (vec![j, k], Term::var(self.ins()[j]).mul(Term::var(self.ins()[k])))));
            }
            let row = |s: &&&Sample| -> Vec<IBig> {
                let product = |m: &(Vec<usize>, Term)| m.0.iter().fold(IBig::ONE, |p, j| p * &s[*j]);
                monomials.iter().map(product).chain([s[n + i].clone()]).collect()
            };
            if let Some(found) = fit(&samples.iter().map(row).collect::<Vec<_>>()) {
                let sum = Term::sum(monomials.iter().zip(&found).map(|(m, c)| m.1.scale(c)));
                return Some(machine(self.outs()[i]).map_or(sum, |ty| sum.wrap(ty)));
            }
        }
        None
    }

    /// The least and greatest values at the return, and distances from those at the call.
    fn limits(&self, guard: Term) -> Vec<Term> {
        let samples: Vec<&Sample> = self.samples.iter().filter(|s| self.under(guard, s)).collect();
        let n = self.ins().len();
        let mut out = Vec::new();
        for (i, y) in self.outs().iter().enumerate() {
            let mut between = |t: Term, of: &dyn Fn(&Sample) -> IBig| {
                let values = || samples.iter().map(|s| of(s));
                let small = |n: &IBig| -IBig::from(SMALL) < *n && *n < IBig::from(SMALL);
                let (lo, hi) = (values().min().filter(small), values().max().filter(small));
                if samples.len() > 2 {
                    out.extend(lo.map(|n| guard.implies(t.greater_eq(Term::int(n)))));
                    out.extend(hi.map(|n| guard.implies(t.less_eq(Term::int(n)))));
                }
            };
            between(Term::var(*y), &|s| s[n + i].clone());
            for (j, x) in self.ins().iter().enumerate().take(4) {
                between(Term::var(*y).sub(Term::var(*x)), &|s| &s[n + i] - &s[j]);
                between(Term::var(*y).add(Term::var(*x)), &|s| &s[n + i] + &s[j]);
            }
        }
        out
    }
}
