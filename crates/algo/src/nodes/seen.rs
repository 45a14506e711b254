//! The states that executions pass, and states that none need pass.
//!
//! What holds in all states of the first kind is a candidate, unless it holds in all of the second as well: then it says nothing.

use super::layout::{Field, Layout};
use super::steps::is_pointer;
use crate::guess;
use crate::guess::sample::{Samples, State};
use crate::system::{Cut, System};
use plumb_cfa::interp::Random;
use plumb_cfa::Program;
use plumb_term::eval::{Evaluator, Value};
use plumb_term::{IBig, IntTy, Scalar, Term, Var};
use std::collections::{BTreeMap, BTreeSet};

/// States that are looked at.
const MAX_STATES: usize = 120;
/// Nodes of one state that are looked at.
const MAX_NODES: usize = 12;
/// Values of a member or a variable that are told apart.
pub(super) const MAX_VALUES: usize = 5;
/// States that are made up.
const ARBITRARY: usize = 320;

/// States and what is seen in them.
pub struct Seen<'a> {
    pub(super) program: &'a Program,
    pub(super) layout: &'a Layout,
    pub(super) cuts: &'a [Cut],
    pub(super) states: Vec<&'a [State]>,
    /// The values of members that are no nodes.
    pub(super) values: BTreeMap<Field, Vec<IBig>>,
    /// The members that have pointed to nodes.
    pub(super) links: BTreeSet<Field>,
    /// The constants of the program that enclose the values of a member.
    pub(super) bounds: BTreeMap<Field, Vec<Bound>>,
}

/// A bound of a number.
pub(super) enum Bound {
    /// From below.
    Least(IBig),
    /// From above.
    Most(IBig),
}

/// A state, perhaps with one of its nodes.
pub(super) type Observation<'a> = (&'a State, Option<IBig>);

impl<'a> Seen<'a> {
    /// The states of executions.
    pub fn new(program: &'a Program, system: &'a System, layout: &'a Layout, samples: &'a [Samples]) -> Seen<'a> {
        let constants = guess::constants(system);
        let states = samples.iter().map(|s| &s.any[..s.any.len().min(MAX_STATES)]).collect();
        let mut seen =
            Seen { program, layout, cuts: &system.cuts, states, values: BTreeMap::new(), links: BTreeSet::new(), bounds: BTreeMap::new() };
        let mut counts: BTreeMap<(Field, IBig), usize> = BTreeMap::new();
        let mut led: BTreeMap<Field, usize> = BTreeMap::new();
        for cut in 0..seen.cuts.len() {
            for (state, node) in seen.nodes(cut) {
                let Some(node) = node else { continue };
                for f in &layout.fields {
                    let term = layout.value(program, Term::int(node.clone()), f);
                    let Some(n) = seen.number(cut, state, term) else { continue };
                    if layout.may_point(f) && seen.is_node(cut, state, &layout.pointer.wrap(&n)) {
                        *led.entry(f.clone()).or_default() += 1;
                    } else {
                        *counts.entry((f.clone(), n)).or_default() += 1;
                    }
                }
            }
        }
        // A number may be the address of a node by chance.
        let others = |f: &Field| counts.iter().filter(|((g, n), _)| g == f && *n != IBig::ZERO).map(|c| c.1).sum::<usize>();
        seen.links = led.into_iter().filter(|(f, n)| *n > others(f)).map(|l| l.0).collect();
        for f in &layout.fields {
            let mut of: Vec<(usize, IBig)> = counts.iter().filter(|((g, _), _)| g == f).map(|((_, n), c)| (*c, n.clone())).collect();
            of.sort_by(|a, b| b.cmp(a));
            if let (Scalar::Int(ty), false) = (f.ty, seen.links.contains(f)) {
                let signed = IntTy::signed(ty.bits);
                let all: BTreeSet<IBig> = of.iter().map(|(_, n)| signed.wrap(n)).collect();
                let below = all.first().and_then(|least| constants.range(..=least).next_back()).map(|c| Bound::Least(c.clone()));
                let above = all.last().and_then(|most| constants.range(most..).next()).map(|c| Bound::Most(c.clone()));
                seen.bounds.insert(f.clone(), [below, above].into_iter().flatten().collect());
            }
            seen.values.insert(f.clone(), of.into_iter().take(MAX_VALUES).map(|v| v.1).collect());
        }
        seen
    }

    /// Whether there are nodes that point to nodes.
    pub fn has_links(&self) -> bool {
        !self.links.is_empty()
    }

    /// The states of a cut point with each of their nodes.
    pub(super) fn nodes(&self, cut: usize) -> Vec<Observation<'a>> {
        let mut out = Vec::new();
        for s in self.states[cut] {
            let Some(top) = self.top(cut, s) else { continue };
            let mut node = self.layout.base.clone();
            for _ in 0..MAX_NODES {
                if node >= top {
                    break;
                }
                out.push((s, Some(node.clone())));
                node += &self.layout.stride;
            }
        }
        out
    }

    /// States that no execution need pass: members and pointers have any of the values that were seen somewhere.
    pub(super) fn arbitrary(&self, cut: usize, quantified: bool) -> Vec<(State, Option<IBig>)> {
        let mut random = Random::new(1);
        let node = |random: &mut Random, n: usize| &self.layout.base + &self.layout.stride * IBig::from(random.below(n));
        let any = |random: &mut Random, n: usize| match random.below(4) {
            0 => IBig::from(random.below(3)),
            1 => random.integer(self.layout.pointer),
            _ => node(random, n),
        };
        let one = |random: &mut Random| {
            let nodes = 1 + random.below(4);
            let state: State = self.cuts[cut]
                .needed
                .iter()
                .enumerate()
                .map(|(i, v)| match self.states[cut][random.below(self.states[cut].len())].get(i) {
                    _ if *v == self.program.heap_top => {
                        let skew = if random.below(8) == 0 { random.below(16) } else { 0 };
                        Value::Int(&self.layout.base + &self.layout.stride * IBig::from(nodes) + IBig::from(skew))
                    }
                    Some(Value::Mem(m)) => {
                        let mut memory = m.clone();
                        for f in self.layout.fields.iter().filter(|f| f.memory == *v) {
                            for i in 0..nodes {
                                let known = &self.values[f];
                                let content = match random.below(2) {
                                    0 if !known.is_empty() => known[random.below(known.len())].clone(),
                                    _ => any(random, nodes),
                                };
                                let at = &self.layout.base + &self.layout.stride * IBig::from(i) + &f.offset;
                                memory.store(f.ty, &at, &Value::Int(content));
                            }
                        }
                        Value::Mem(memory)
                    }
                    Some(Value::Int(_)) if is_pointer(self.program, *v) => Value::Int(any(random, nodes)),
                    Some(seen) => seen.clone(),
                    None => Value::default_of(self.program.var(*v).ty),
                })
                .collect();
            (state, quantified.then(|| node(random, nodes)))
        };
        (0..ARBITRARY).map(|_| one(&mut random)).collect()
    }

    pub(super) fn is_node(&self, cut: usize, state: &State, n: &IBig) -> bool {
        let aligned = *n >= self.layout.base && (n - &self.layout.base) % &self.layout.stride == IBig::ZERO;
        aligned && self.top(cut, state).is_some_and(|top| *n < top)
    }

    /// The value of a term that is a number.
    pub(super) fn number(&self, cut: usize, state: &State, t: Term) -> Option<IBig> {
        match self.eval(cut, &(state, None), &[t]).pop() {
            Some(Some(Value::Int(n))) => Some(n),
            _ => None,
        }
    }

    /// The values of terms.
    pub(super) fn eval(&self, cut: usize, (state, node): &Observation<'_>, terms: &[Term]) -> Vec<Option<Value>> {
        let needed = &self.cuts[cut].needed;
        let every = self.layout.every();
        let env = |v: Var| {
            if v == every {
                return node.clone().map(Value::Int);
            }
            needed.binary_search(&v.id).ok().and_then(|i| state.get(i).cloned())
        };
        let mut evaluator = Evaluator::new(&env);
        terms.iter().map(|t| evaluator.eval(*t)).collect()
    }

    fn top(&self, cut: usize, state: &State) -> Option<IBig> {
        let i = self.cuts[cut].needed.binary_search(&self.program.heap_top).ok()?;
        match state.get(i) {
            Some(Value::Int(n)) => Some(n.clone()),
            _ => None,
        }
    }
}
