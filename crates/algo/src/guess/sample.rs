//! States that executions pass at the cut points, and states further down a straight line that they would pass.
//!
//! The transition system is executed on drawn inputs. A block that leads back to its start and changes the state by the same amount twice is
//! taken many times at once, as far as it would still be taken: loops of millions of iterations are sampled at their beginning and at their
//! end. Between, nothing is checked: a sample is evidence, never proof.

use crate::execute::values::{Constants, Manner};
use crate::system::{CutId, System};
use plumb_cfa::interp::Random;
use plumb_cfa::Program;
use plumb_term::eval::{Evaluator, Value};
use plumb_term::{Budget, IBig, Var, VarId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Executions that are tried.
const RUNS: usize = 600;
/// Blocks of one.
const LENGTH: usize = 40;
/// States that are kept at one cut point.
const KEPT: usize = 400;
/// Values beyond are not small.
const SMALL: i64 = 1 << 20;

/// A state: the values of the needed variables of its cut point.
pub type State = Vec<Value>;

/// The states seen at one cut point.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// All of them.
    pub any: Vec<State>,
    /// Those of executions that have seen small numbers only: no computation has wrapped, most likely.
    pub small: Vec<State>,
}

/// States at the cut points of a system, by cut point.
pub fn collect(program: &Program, system: &System, budget: &Budget) -> Vec<Samples> {
    let mut sampler = Sampler {
        program,
        system,
        constants: Constants::of(program),
        random: Random::new(0),
        seen: vec![BTreeSet::new(); system.cuts.len()],
        samples: vec![Samples::default(); system.cuts.len()],
    };
    let mut fruitless = 0;
    for run in 0..RUNS {
        if budget.is_over() || fruitless > RUNS / 6 {
            break;
        }
        let before = sampler.count();
        sampler.execute(run, budget);
        fruitless = if sampler.count() > before { 0 } else { fruitless + 1 };
    }
    sampler.samples
}

struct Sampler<'p> {
    program: &'p Program,
    system: &'p System,
    constants: Constants,
    random: Random,
    seen: Vec<BTreeSet<String>>,
    samples: Vec<Samples>,
}

/// How an execution draws its inputs.
struct Inputs<'a> {
    constants: &'a Constants,
    random: Random,
    manners: BTreeMap<VarId, Manner>,
    /// Whether all of them are small.
    small: bool,
}

impl Inputs<'_> {
    fn draw(&mut self, v: Var) -> Value {
        let small = self.small;
        let random = &mut self.random;
        let manner = *self.manners.entry(v.id).or_insert_with(|| {
            const BOUNDS: [u32; 5] = [2, 5, 12, 30, 100];
            match random.below(6) {
                _ if !small => Manner::draw(random),
                0 => Manner::Zero,
                1 => Manner::Around(BOUNDS[random.below(BOUNDS.len())]),
                _ => Manner::UpTo(BOUNDS[random.below(BOUNDS.len())]),
            }
        });
        self.constants.value(manner, v.ty, random)
    }
}

impl Sampler<'_> {
    fn count(&self) -> usize {
        self.samples.iter().map(|s| s.any.len()).sum()
    }

    fn execute(&mut self, run: usize, budget: &Budget) {
        let constants = self.constants.clone();
        let random = Random::new(run as u64);
        let mut inputs = Inputs { constants: &constants, random, manners: BTreeMap::new(), small: run % 4 != 3 };
        let mut at = CutId(0);
        let Some(entry) = self.system.cuts.first() else { return };
        let mut state: State = entry.needed.iter().map(|v| inputs.draw(Var::new(*v, self.program.var(*v).ty))).collect();
        let mut small = true;
        let mut last: Option<Vec<IBig>> = None;
        for step in 0..LENGTH {
            if step % 8 == 0 && budget.is_over() {
                return;
            }
            let Some((to, next)) = self.step(at, &state, &mut inputs) else { return };
            let change = (to == at).then(|| difference(&state, &next)).flatten();
            let line = change.is_some() && change == last && self.random.below(2) == 0;
            let next = match &change {
                Some(by) if line => self.along(at, &state, by, &mut inputs).unwrap_or(next),
                _ => next,
            };
            small &= next.iter().all(is_small);
            self.keep(to, &next, small);
            (at, state, last) = (to, next, change);
        }
    }

    /// The block that is taken, with new inputs.
    fn step(&self, at: CutId, state: &[Value], inputs: &mut Inputs<'_>) -> Option<(CutId, State)> {
        let needed = &self.system.cuts[at.0].needed;
        let drawn: RefCell<(BTreeMap<Var, Value>, &mut Inputs<'_>)> = RefCell::new((BTreeMap::new(), inputs));
        let env = |v: Var| match needed.binary_search(&v.id) {
            Ok(i) if v.version == 0 => state.get(i).cloned(),
            _ => {
                let (known, inputs) = &mut *drawn.borrow_mut();
                Some(known.entry(v).or_insert_with(|| inputs.draw(v)).clone())
            }
        };
        let mut eval = Evaluator::new(&env);
        let mut out = self.system.transitions.iter().filter(|t| t.from == at);
        let taken = out.find(|t| eval.eval(t.condition) == Some(Value::Bool(true)))?;
        let next: Option<State> = taken.values.iter().map(|t| eval.eval(*t)).collect();
        Some((taken.to, next?))
    }

    /// The last state of `state + k·by` from which the block does the same as now.
    fn along(&self, at: CutId, state: &[Value], by: &[IBig], inputs: &mut Inputs<'_>) -> Option<State> {
        if by.iter().all(|d| *d == IBig::ZERO) {
            return None;
        }
        let mut same = |k: u64| -> Option<State> {
            let there = moved(state, by, k);
            let (to, next) = self.step(at, &there, inputs)?;
            (to == at && difference(&there, &next).as_deref() == Some(by)).then_some(next)
        };
        let (mut low, mut best) = (0, None);
        for exponent in 1..40 {
            match same(1 << exponent) {
                Some(next) => (low, best) = (1 << exponent, Some(next)),
                None => break,
            }
        }
        let mut step = low / 2;
        while step > 0 {
            if let Some(next) = same(low + step) {
                (low, best) = (low + step, Some(next));
            }
            step /= 2;
        }
        best
    }

    fn keep(&mut self, cut: CutId, state: &State, small: bool) {
        let samples = &mut self.samples[cut.0];
        if samples.any.len() < KEPT && self.seen[cut.0].insert(format!("{state:?}")) {
            samples.any.push(state.clone());
            if small {
                samples.small.push(state.clone());
            }
        }
    }
}

fn is_small(v: &Value) -> bool {
    match v {
        Value::Int(n) => *n < IBig::from(SMALL) && *n > IBig::from(-SMALL),
        _ => true,
    }
}

/// What was added to each number; nothing if something else changed.
fn difference(a: &[Value], b: &[Value]) -> Option<Vec<IBig>> {
    let pairs = a.iter().zip(b).map(|(x, y)| match (x, y) {
        (Value::Int(x), Value::Int(y)) => Some(y - x),
        (x, y) => (x == y).then_some(IBig::ZERO),
    });
    pairs.collect()
}

fn moved(state: &[Value], by: &[IBig], k: u64) -> State {
    let add = |(v, d): (&Value, &IBig)| match v {
        Value::Int(n) => Value::Int(n + d * IBig::from(k)),
        other => other.clone(),
    };
    state.iter().zip(by).map(add).collect()
}
