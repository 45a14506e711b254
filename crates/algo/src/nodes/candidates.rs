//! What executions suggest of pointers and of every node.
//!
//! Atoms speak of the members of one node, of what its pointers lead to, and of its place among the others; candidates are short disjunctions of them that hold
//! in all states that were seen. Of every node `k` they are said under the condition that `k` is one.

use super::layout::{Field, Layout};
use super::steps::is_pointer;
use crate::guess;
use crate::guess::sample::{Samples, State};
use crate::system::{Cut, System};
use plumb_cfa::interp::Random;
use plumb_cfa::Program;
use plumb_term::eval::{Evaluator, Value};
use plumb_term::visit::vars;
use plumb_term::{IBig, IntTy, Scalar, Term, Var, VarId, VarTy};
use std::collections::{BTreeMap, BTreeSet};

/// States that are looked at.
const MAX_STATES: usize = 120;
/// Nodes of one state that are looked at.
const MAX_NODES: usize = 12;
/// Values of a member or a variable that are told apart.
const MAX_VALUES: usize = 5;
/// Variables that are numbers.
const MAX_NUMBERS: usize = 5;
/// Atoms of one node that are combined.
const MAX_ATOMS: usize = 90;

/// States that are made up.
const ARBITRARY: usize = 320;

/// Which disjunctions are tried.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Extent {
    /// Single atoms.
    One,
    /// Two.
    Two,
    /// Three.
    Three,
}

impl Extent {
    /// Candidates of a kind at one cut point.
    fn most(self) -> usize {
        match self {
            Extent::One => 80,
            Extent::Two => 300,
            Extent::Three => 800,
        }
    }
}

/// States and what is seen in them.
pub struct Seen<'a> {
    program: &'a Program,
    layout: &'a Layout,
    cuts: &'a [Cut],
    states: Vec<&'a [State]>,
    /// The values of members that are no nodes.
    values: BTreeMap<Field, Vec<IBig>>,
    /// The members that have pointed to nodes.
    links: BTreeSet<Field>,
    /// The constants of the program that enclose the values of a member.
    bounds: BTreeMap<Field, Vec<Bound>>,
}

/// A bound of a number.
enum Bound {
    Least(IBig),
    Most(IBig),
}

/// A state, perhaps with one of its nodes.
type Observation<'a> = (&'a State, Option<IBig>);

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
                    let Some(Value::Int(n)) = seen.eval(cut, &(state, None), &[term]).pop().flatten() else { continue };
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

    /// What is suggested at a cut point.
    pub fn candidates(&self, cut: usize, extent: Extent) -> Vec<Term> {
        let layout = self.layout;
        let states: Vec<Observation<'_>> = self.states[cut].iter().map(|s| (s, None)).collect();
        if states.is_empty() || !self.cuts[cut].needed.contains(&self.program.heap_top) {
            return Vec::new();
        }
        let every = Term::var(layout.every());
        let pointers = self.pointers(cut);
        let plain = self.plain(cut, &pointers);
        // Of single nodes.
        let mut out = Vec::new();
        let mut single = plain.clone();
        pointers.iter().for_each(|p| single.extend(self.about(cut, *p, &pointers, extent)));
        out.extend(self.clauses(cut, &states, &single, extent.min(Extent::Two)));
        // Of every node.
        let mut atoms = self.place(every, &pointers);
        atoms.extend(self.about(cut, every, &pointers, extent));
        if extent > Extent::One {
            atoms.extend(plain);
        }
        let guard = layout.is_node(every);
        let nodes = self.nodes(cut);
        out.extend(self.clauses(cut, &nodes, &atoms, extent).into_iter().map(|c| guard.implies(c)));
        if extent == Extent::Three {
            // The newest node is often not what the others are yet.
            let newest = every.plus(layout.stride.clone()).equals(layout.top);
            let older: Vec<Observation<'_>> =
                nodes.into_iter().filter(|o| self.eval(cut, o, &[newest]).pop().flatten() == Some(Value::Bool(false))).collect();
            out.extend(self.clauses(cut, &older, &atoms, extent).into_iter().map(|c| guard.and(newest.not()).implies(c)));
        }
        out
    }

    /// The variables that hold pointers to nodes.
    fn pointers(&self, cut: usize) -> Vec<Term> {
        let points = |v: &VarId| {
            let term = self.program.term(*v);
            self.states[cut]
                .iter()
                .any(|s| matches!(self.eval(cut, &(s, None), &[term]).pop(), Some(Some(Value::Int(n))) if self.is_node(cut, s, &n)))
        };
        let needed = self.cuts[cut].needed.iter().filter(|v| is_pointer(self.program, **v));
        needed.filter(|v| points(v)).map(|v| self.program.term(*v)).collect()
    }

    /// Atoms without members: of pointers, counters and flags.
    fn plain(&self, cut: usize, pointers: &[Term]) -> Vec<Term> {
        let (layout, zero) = (self.layout, Term::int(0));
        let mut out = vec![layout.is_end(layout.top), layout.top.equals(Term::int(layout.base.clone()))];
        for (i, p) in pointers.iter().enumerate() {
            out.extend([p.equals(zero), p.differs(zero), layout.is_node(*p)]);
            out.push(p.equals(zero).or(layout.is_node(*p)));
            out.push(p.equals(Term::int(layout.base.clone())));
            out.push(p.plus(layout.stride.clone()).equals(layout.top));
            for q in &pointers[..i] {
                out.extend([
                    p.equals(*q),
                    p.differs(*q),
                    p.less_eq(*q),
                    q.less_eq(*p),
                    p.plus(layout.stride.clone()).equals(*q),
                    q.plus(layout.stride.clone()).equals(*p),
                ]);
            }
        }
        out.extend(self.counting(cut, pointers));
        for term in self.numbers(cut).into_iter().filter(|t| !pointers.contains(t)) {
            let values: Option<BTreeSet<IBig>> = self.states[cut]
                .iter()
                .map(|s| match self.eval(cut, &(s, None), &[term]).pop() {
                    Some(Some(Value::Int(n))) => Some(n),
                    _ => None,
                })
                .collect();
            if let Some(values) = values.filter(|v| v.len() <= MAX_VALUES) {
                for n in values {
                    out.extend([term.equals(Term::int(n.clone())), term.differs(Term::int(n))]);
                }
            }
        }
        out
    }

    /// The variables that are numbers.
    fn numbers(&self, cut: usize) -> Vec<Term> {
        let needed = self.cuts[cut].needed.iter().filter(|v| **v != self.program.heap_top);
        let integers = needed.filter(|v| matches!(self.program.var(**v).ty, VarTy::Int | VarTy::Scalar(Scalar::Int(_))));
        integers.map(|v| self.program.term(*v)).take(MAX_NUMBERS).collect()
    }

    /// Equations between numbers of nodes and places in the order of allocation: what counters count.
    fn counting(&self, cut: usize, pointers: &[Term]) -> Vec<Term> {
        let numbers: Vec<Term> = self.numbers(cut).into_iter().filter(|t| !pointers.contains(t)).collect();
        let differences = numbers.iter().flat_map(|a| numbers.iter().filter(move |b| *b != a).map(move |b| a.sub(*b)));
        let counts: Vec<Term> = numbers.iter().flat_map(|n| [*n, n.neg()]).chain(differences).collect();
        let mut out = Vec::new();
        for place in pointers.iter().chain([&self.layout.top]) {
            for count in &counts {
                let rest = place.sub(count.scale(&self.layout.stride));
                let mut rests: BTreeMap<IBig, BTreeSet<IBig>> = BTreeMap::new();
                for s in self.states[cut] {
                    if let [Some(Value::Int(rest)), Some(Value::Int(count))] = self.eval(cut, &(s, None), &[rest, *count]).as_slice() {
                        rests.entry(rest.clone()).or_default().insert(count.clone());
                    }
                }
                // What is counted from the first node comes first.
                let mut often: Vec<(bool, usize, IBig)> =
                    rests.into_iter().filter(|(_, c)| c.len() > 2).map(|(n, c)| (n == self.layout.base, c.len(), n)).collect();
                often.sort_by(|a, b| b.cmp(a));
                out.extend(often.into_iter().take(2).map(|(_, _, n)| rest.equals(Term::int(n))));
            }
        }
        out
    }

    /// Atoms about the place of a node.
    fn place(&self, node: Term, pointers: &[Term]) -> Vec<Term> {
        let layout = self.layout;
        let mut out = vec![node.equals(Term::int(layout.base.clone())), node.plus(layout.stride.clone()).equals(layout.top)];
        out.extend(out.clone().into_iter().map(Term::not));
        for p in pointers {
            out.extend([node.equals(*p), node.differs(*p), node.less(*p), p.less(node), node.less_eq(*p), p.less_eq(node)]);
        }
        out
    }

    /// Atoms about the members of a node, the simple ones first.
    fn about(&self, cut: usize, node: Term, pointers: &[Term], extent: Extent) -> Vec<Term> {
        let layout = self.layout;
        let numbers: Vec<Term> = self.numbers(cut).into_iter().filter(|t| !pointers.contains(t)).collect();
        let value = |n: Term, f: &Field| layout.value(self.program, n, f);
        let mut out = Vec::new();
        for f in &layout.fields {
            out.extend(self.values[f].iter().map(|c| value(node, f).equals(Term::int(c.clone()))));
        }
        if extent > Extent::One {
            out.extend(out.clone().into_iter().map(Term::not));
        }
        for (f, bounds) in &self.bounds {
            let Scalar::Int(ty) = f.ty else { continue };
            let number = value(node, f).wrap(IntTy::signed(ty.bits));
            out.extend(bounds.iter().map(|b| match b {
                Bound::Least(c) => Term::int(c.clone()).less_eq(number),
                Bound::Most(c) => number.less_eq(Term::int(c.clone())),
            }));
            out.extend(numbers.iter().flat_map(|n| [n.less_eq(number), number.less_eq(*n)]));
        }
        for f in &self.links {
            let next = layout.target(self.program, node, f);
            let (before, after) = (node.plus(-layout.stride.clone()), node.plus(layout.stride.clone()));
            out.push(next.equals(Term::int(0)).or(layout.is_node(next)));
            out.extend([layout.is_node(next), next.equals(before), next.equals(after), next.equals(node)]);
            out.extend(pointers.iter().filter(|p| **p != node).map(|p| next.equals(*p)));
            if extent == Extent::One {
                continue;
            }
            for g in &layout.fields {
                let there = value(next, g);
                out.extend(
                    self.values[g].iter().take(3).flat_map(|c| [there.equals(Term::int(c.clone())), there.differs(Term::int(c.clone()))]),
                );
                if self.links.contains(g) {
                    out.push(layout.target(self.program, next, g).equals(node));
                }
            }
        }
        out
    }

    /// The disjunctions of atoms that hold in all observations and need all of their atoms.
    fn clauses(&self, cut: usize, observations: &[Observation<'_>], atoms: &[Term], extent: Extent) -> Vec<Term> {
        let every = self.layout.every();
        let quantified = observations.iter().any(|o| o.1.is_some());
        let mut kept: Vec<Term> = Vec::new();
        for a in atoms {
            if a.as_bool().is_none() && !kept.contains(a) {
                kept.push(*a);
            }
        }
        let speaks: Vec<bool> = kept.iter().map(|a| !quantified || vars([*a]).contains(&every)).collect();
        let arbitrary = self.arbitrary(cut, quantified);
        let arbitrary: Vec<Observation<'_>> = arbitrary.iter().map(|(s, n)| (s, n.clone())).collect();
        let (columns, anywhere) = (self.columns(cut, observations, &kept), self.columns(cut, &arbitrary, &kept));
        let mut out: Vec<Term> = Vec::new();
        // What any state satisfies says nothing.
        let mut add = |of: &[usize]| {
            let says = of.iter().any(|i| speaks[*i]) && !covers(&anywhere, of);
            if says && out.len() < extent.most() {
                out.push(Term::any(of.iter().map(|i| kept[*i])));
            }
        };
        (0..kept.len()).filter(|i| covers(&columns, &[*i])).for_each(|i| add(&[i]));
        // Atoms that are never true or always so combine to nothing new.
        let some: Vec<usize> =
            (0..kept.len()).filter(|i| !covers(&columns, &[*i]) && columns[*i].iter().any(|w| *w != 0)).take(MAX_ATOMS).collect();
        if extent == Extent::One {
            return out;
        }
        let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
        for (x, i) in some.iter().enumerate() {
            for j in some[x + 1..].iter().filter(|j| covers(&columns, &[*i, **j])) {
                pairs.insert((*i, *j));
                add(&[*i, *j]);
            }
        }
        if extent == Extent::Two {
            return out;
        }
        for (x, i) in some.iter().enumerate() {
            for (y, j) in some.iter().enumerate().skip(x + 1).filter(|(_, j)| !pairs.contains(&(*i, **j))) {
                for k in some[y + 1..].iter().filter(|k| !pairs.contains(&(*i, **k)) && !pairs.contains(&(*j, **k))) {
                    if covers(&columns, &[*i, *j, *k]) {
                        add(&[*i, *j, *k]);
                    }
                }
            }
        }
        out
    }

    /// By atom, a bit for each observation in which it holds.
    fn columns(&self, cut: usize, observations: &[Observation<'_>], atoms: &[Term]) -> Vec<Vec<u64>> {
        let words = observations.len().div_ceil(64);
        // Bits beyond the last observation hold always.
        let rest = if observations.len() % 64 == 0 { 0 } else { u64::MAX << (observations.len() % 64) };
        let mut out = vec![vec![0; words]; atoms.len()];
        for (o, observation) in observations.iter().enumerate() {
            for (column, v) in out.iter_mut().zip(self.eval(cut, observation, atoms)) {
                column[o / 64] |= u64::from(v == Some(Value::Bool(true))) << (o % 64);
            }
        }
        for column in out.iter_mut().filter(|c| c.iter().any(|w| *w != 0)) {
            column.iter_mut().last().into_iter().for_each(|w| *w |= rest);
        }
        out
    }

    /// States that no execution need pass: members and pointers have any of the values that were seen somewhere.
    fn arbitrary(&self, cut: usize, quantified: bool) -> Vec<(State, Option<IBig>)> {
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

    /// The states of a cut point with each of their nodes.
    fn nodes(&self, cut: usize) -> Vec<Observation<'a>> {
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

    fn top(&self, cut: usize, state: &State) -> Option<IBig> {
        let i = self.cuts[cut].needed.binary_search(&self.program.heap_top).ok()?;
        match state.get(i) {
            Some(Value::Int(n)) => Some(n.clone()),
            _ => None,
        }
    }

    fn is_node(&self, cut: usize, state: &State, n: &IBig) -> bool {
        let aligned = *n >= self.layout.base && (n - &self.layout.base) % &self.layout.stride == IBig::ZERO;
        aligned && self.top(cut, state).is_some_and(|top| *n < top)
    }

    /// The values of terms.
    fn eval(&self, cut: usize, (state, node): &Observation<'_>, terms: &[Term]) -> Vec<Option<Value>> {
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
}

/// Whether one of some columns has a bit everywhere.
fn covers(columns: &[Vec<u64>], of: &[usize]) -> bool {
    let words = of.first().map_or(0, |i| columns[*i].len());
    (0..words).all(|w| of.iter().fold(0, |bits, i| bits | columns[*i][w]) == u64::MAX)
}
