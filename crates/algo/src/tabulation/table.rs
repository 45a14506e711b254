//! The tables: what is known of each relation, grown until the steps add nothing.
//!
//! An entry of a loop head's relation is a set of *path edges* of Reps, Horwitz and Sagiv: pairs of a state at the entry of the function and a state
//! here. An entry of a function's summary is a set of *summary edges*. Where their sets are finite and a pair is added at a time, an entry is a polyhedron
//! over both states, and entries that are not told apart ([`Apart`]) are joined and, in the end, widened: a loop or a recursion of any
//! length takes a few rounds.

use super::step::{between, points, Cache, Step};
use plumb_num::{Dim, Int, LinCons, LinExpr, NumDomain};
use plumb_term::Budget;
use std::collections::{BTreeMap, BTreeSet};

/// So many changes of an entry are joins, later ones widenings.
const DELAY: u32 = 3;
/// Rounds that take back what widenings lost.
const DESCENTS: usize = 2;
/// The most entries of a relation; what is more is joined.
const MAX_ENTRIES: usize = 80;
/// The most comparisons at which the widenings of a relation stop.
const MAX_THRESHOLDS: usize = 60;

/// Which states of a relation are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Apart {
    /// None: one polyhedron is all that is known.
    No,
    /// Those that come by different clauses, the last one on the way: a function's summary has a case for each path through its body.
    Clauses,
    /// Those that come by different clauses, in different cases, and used summaries that come by different clauses.
    Uses,
    /// Those that come by different clauses, and those of calls with different known arguments: each such call has a summary of its own.
    Calls,
}

/// The budget is over.
#[derive(Clone, Copy, Debug)]
pub struct Over;

/// The clause that an image comes by, then those of the summaries that it used, and the case of the clause.
type Way = Vec<usize>;

/// What tells an entry from others: the way it came, and the known values at the call.
type Key = (Way, Vec<Option<Int>>);

struct Entry<E> {
    state: E,
    /// The dimensions that are one point.
    known: Vec<Option<Int>>,
    changes: u32,
}

/// A relation, as the tables see it.
#[derive(Clone, Debug)]
pub struct Shape {
    /// How many dimensions it has.
    pub dims: usize,
    /// The dimensions that belong to a call.
    pub call: Vec<usize>,
    /// Whether it is about the calls of a function.
    pub called: bool,
    /// Whether it is the summary of a function.
    pub summary: bool,
}

/// The tables of all relations.
pub struct Table<'a, D: NumDomain> {
    domain: D,
    apart: Apart,
    steps: &'a [Step],
    shapes: &'a [Shape],
    budget: &'a Budget,
    caches: Vec<Cache>,
    relations: Vec<BTreeMap<Key, Entry<D::Elem>>>,
    /// By relation, the steps that rely on it, and as which premise.
    users: Vec<Vec<(usize, usize)>>,
    thresholds: Vec<Vec<LinCons>>,
    /// The entries that are new, each to be followed first into calls.
    pending: BTreeSet<(usize, bool, Key)>,
}

impl<'a, D: NumDomain> Table<'a, D> {
    /// Empty tables.
    pub fn new(domain: D, apart: Apart, steps: &'a [Step], shapes: &'a [Shape], budget: &'a Budget) -> Table<'a, D> {
        let mut users = vec![Vec::new(); shapes.len()];
        let mut thresholds: Vec<BTreeSet<LinCons>> = vec![BTreeSet::new(); shapes.len()];
        for (i, s) in steps.iter().enumerate() {
            s.premises.iter().enumerate().for_each(|(p, premise)| users[premise.relation].push((i, p)));
            s.compared().into_iter().for_each(|(r, c)| _ = thresholds[r].insert(c));
        }
        Table {
            domain,
            apart,
            steps,
            shapes,
            budget,
            caches: steps.iter().map(|_| Cache::default()).collect(),
            relations: shapes.iter().map(|_| BTreeMap::new()).collect(),
            users,
            thresholds: thresholds.into_iter().map(|t| t.into_iter().take(MAX_THRESHOLDS).collect()).collect(),
            pending: BTreeSet::new(),
        }
    }

    /// Adds until nothing is new, then takes back what widenings lost; whether no error follows.
    pub fn tabulate(&mut self) -> Result<bool, Over> {
        for (i, s) in self.steps.iter().enumerate().filter(|(_, s)| s.premises.is_empty()) {
            if let Some(to) = s.head {
                let top = self.domain.top();
                s.images(&self.domain, &top, &mut self.caches[i]).into_iter().for_each(|(_, e)| self.arrive(to, &[i], e));
            }
        }
        // Callees have larger numbers than their callers: they are settled first, for all that a caller knows.
        while let Some((r, calls, key)) = self.pending.pop_last() {
            for (i, p) in self.users[r].clone() {
                if let Some(to) = self.steps[i].head.filter(|to| self.shapes[*to].called == calls) {
                    self.follow(i, Some((p, &key)))?.into_iter().for_each(|(way, e)| self.arrive(to, &way, e));
                }
            }
        }
        // Cases and known values depend on the states: from smaller ones, others would arise than there are entries for.
        if matches!(self.apart, Apart::No | Apart::Clauses) {
            for _ in 0..DESCENTS {
                self.descend()?;
            }
        }
        for (i, s) in self.steps.iter().enumerate().filter(|(_, s)| s.head.is_none()) {
            let reached = match s.premises.is_empty() {
                true => !s.images(&self.domain, &self.domain.top(), &mut self.caches[i]).is_empty(),
                false => !self.follow(i, None)?.is_empty(),
            };
            if reached {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How many entries there are.
    pub fn size(&self) -> usize {
        self.relations.iter().map(BTreeMap::len).sum()
    }

    /// The entries of a relation, as constraints.
    pub fn constraints(&self, relation: usize) -> impl Iterator<Item = Vec<LinCons>> + '_ {
        self.relations[relation].values().map(|e| self.domain.constraints(&e.state))
    }

    /// What follows by a step from all entries of its premises; of one premise from one entry, if given.
    fn follow(&mut self, i: usize, given: Option<(usize, &Key)>) -> Result<Vec<(Way, D::Elem)>, Over> {
        let step = &self.steps[i];
        let mut out = Vec::new();
        let mut open = vec![(0, vec![i], self.domain.top())];
        while let Some((p, way, so_far)) = open.pop() {
            if self.budget.is_over() {
                return Err(Over);
            }
            let Some(premise) = step.premises.get(p) else {
                let images = step.images(&self.domain, &so_far, &mut self.caches[i]);
                out.extend(images.into_iter().map(|(case, e)| (way.iter().copied().chain([case]).collect(), e)));
                continue;
            };
            for (key, entry) in &self.relations[premise.relation] {
                if given.is_some_and(|(q, only)| q == p && only != key) || !step.allows(&self.domain, &so_far, p, &entry.known) {
                    continue;
                }
                let both = self.domain.meet(&so_far, &step.placed(&self.domain, p, &entry.state));
                if !self.domain.is_bottom(&both) {
                    let used = key.0.first().filter(|_| self.shapes[premise.relation].summary);
                    open.push((p + 1, way.iter().chain(used).copied().collect(), both));
                }
            }
        }
        Ok(out)
    }

    fn key(&self, relation: usize, way: &[usize], known: &[Option<Int>]) -> Key {
        let last = || way.iter().take(1).copied().collect();
        let key = match self.apart {
            Apart::No => Key::default(),
            Apart::Clauses => (last(), Vec::new()),
            Apart::Uses => (way.to_vec(), Vec::new()),
            Apart::Calls => (last(), self.shapes[relation].call.iter().map(|d| known[*d].clone()).collect()),
        };
        let table = &self.relations[relation];
        if table.len() < MAX_ENTRIES || table.contains_key(&key) {
            key
        } else {
            Key::default()
        }
    }

    fn arrive(&mut self, relation: usize, way: &[usize], image: D::Elem) {
        let known = points(&self.domain, &image, self.shapes[relation].dims);
        let key = self.key(relation, way, &known);
        let Some(entry) = self.relations[relation].get_mut(&key) else {
            self.relations[relation].insert(key.clone(), Entry { state: image, known, changes: 0 });
            self.pending.extend([(relation, true, key.clone()), (relation, false, key)]);
            return;
        };
        if self.domain.leq(&image, &entry.state) {
            return;
        }
        let joined = self.domain.join(&entry.state, &image);
        entry.state = if entry.changes < DELAY {
            joined
        } else {
            // The bounds of single dimensions stay where they are stable, whether or not they are facets.
            let bounds = (0..self.shapes[relation].dims as u32).map(Dim);
            let bounds = bounds.flat_map(|d| between(d, &self.domain.bounds(&entry.state, &LinExpr::var(d))));
            let up_to: Vec<LinCons> = self.thresholds[relation].iter().cloned().chain(bounds).collect();
            self.domain.widen_up_to(&entry.state, &joined, &up_to)
        };
        entry.known = points(&self.domain, &entry.state, self.shapes[relation].dims);
        // What arrives before the entry is used is one change.
        if self.pending.insert((relation, true, key.clone())) {
            entry.changes += 1;
        }
        self.pending.insert((relation, false, key));
    }

    /// One round down: what follows from the entries, as far as it is within them.
    fn descend(&mut self) -> Result<(), Over> {
        let mut new: Vec<BTreeMap<Key, D::Elem>> = self.shapes.iter().map(|_| BTreeMap::new()).collect();
        for i in 0..self.steps.len() {
            let Some(to) = self.steps[i].head else { continue };
            for (way, e) in self.follow(i, None)? {
                let key = self.key(to, &way, &points(&self.domain, &e, self.shapes[to].dims));
                let joined = match new[to].get(&key) {
                    Some(old) => self.domain.join(old, &e),
                    None => e,
                };
                new[to].insert(key, joined);
            }
        }
        for (r, mut new) in new.into_iter().enumerate() {
            let old = std::mem::take(&mut self.relations[r]);
            for (key, mut entry) in old {
                // What nothing leads to is not reached at all.
                if let Some(e) = new.remove(&key) {
                    entry.state = self.domain.meet(&entry.state, &e);
                    entry.known = points(&self.domain, &entry.state, self.shapes[r].dims);
                    self.relations[r].insert(key, entry);
                }
            }
        }
        Ok(())
    }
}
