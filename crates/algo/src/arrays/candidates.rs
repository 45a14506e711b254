//! What invariants over cells may say: read off the program.
//!
//! A candidate is `lo ≤ k < hi → R`: all cells in a range of numbers are in a relation to each other, their number and the scalars. Relations
//! come from the property (what the error's condition says of the cells it reads, negated) and from the assignments (the value that a block
//! leaves in the cell that it writes), each with the loop's counter expressed by the cell's number. The ends of ranges are the numbers of the cells that
//! blocks access and what counters are compared with.

use crate::arrays::clauses::{Clause, Clauses, Place, Used};
use plumb_term::visit::{atoms, linear_form, postorder, substitute, vars};
use plumb_term::{IBig, Kind, Sort, Term, Var, VarId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// More candidates at one cut point are not looked at.
const MAX_CANDIDATES: usize = 1600;

/// How many candidates there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// Relations.
    relations: usize,
    /// Ends of ranges at one cut point.
    ends: usize,
    /// Comparisons of scalars with constants, under which relations may hold.
    flags: usize,
    /// Whether a cell may be in one of two relations.
    either: bool,
}

impl Extent {
    /// The obvious ones.
    pub const FEW: Extent = Extent { relations: 16, ends: 7, flags: 0, either: false };
    /// All that are worth a try.
    pub const MANY: Extent = Extent { relations: 48, ends: 12, flags: 3, either: true };
}

/// A relation on cells; `key` is the number that is bounded by ranges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Relation {
    key: Var,
    formula: Term,
}

/// The candidates at each cut point, over the variables of its relation.
pub fn candidates(clauses: &Clauses<'_>, list: &[Clause], extent: Extent) -> Vec<Vec<Term>> {
    let relations = relations(clauses, list, extent);
    let scalars = scalar_atoms(list);
    let ends = ends(clauses, list, extent.ends);
    let mut out = Vec::new();
    for (c, place) in clauses.places().iter().enumerate() {
        let known: FxHashSet<VarId> = clauses.vars(place).into_iter().map(|v| v.id).collect();
        let here = |t: &Term| vars([*t]).iter().all(|v| known.contains(&v.id));
        let mut all = Set::default();
        // Any state is possible at the entry.
        if c > 0 {
            scalars.iter().filter(|t| here(t)).for_each(|t| all.add(*t));
            for r in relations.iter().filter(|r| here(&r.formula)) {
                all.add(r.formula);
                for guard in ranges(Term::var(r.key), ends[c].iter().filter(|t| here(t)).copied().collect()) {
                    all.add(guard.implies(r.formula));
                }
            }
        }
        out.push(all.order);
    }
    out
}

/// A list without repetitions.
#[derive(Default)]
struct Set {
    order: Vec<Term>,
    seen: FxHashSet<Term>,
}

impl Set {
    fn add(&mut self, t: Term) {
        if !t.is_true() && !t.is_false() && self.order.len() < MAX_CANDIDATES && self.seen.insert(t) {
            self.order.push(t);
        }
    }
}

/// `lo ≤ k < hi` for all pairs of ends.
fn ranges(k: Term, ends: Vec<Term>) -> Vec<Term> {
    let mut out = Vec::new();
    for lo in &ends {
        for hi in ends.iter().filter(|hi| *hi != lo) {
            let empty = hi.difference(*lo).is_some_and(|d| d <= IBig::ZERO);
            if !empty {
                out.push(lo.less_eq(k).and(k.less(*hi)));
            }
        }
    }
    out
}

fn is_scalar(v: &Var) -> bool {
    v.id < VarId::FIRST_AUX
}

/// Whether a term speaks of scalars of the program only.
fn over_scalars(t: Term) -> bool {
    vars([t]).iter().all(is_scalar) && !postorder([t]).iter().any(|n| matches!(n.kind(), Kind::Load(..)))
}

/// The solutions of `t = k` for a scalar of `t`.
fn solve(t: Term, k: Term) -> Vec<(Var, Term)> {
    let (_, parts) = linear_form(t);
    let mut out = Vec::new();
    for (n, atom) in parts {
        let Some(x) = atom.as_var().filter(is_scalar) else { continue };
        let rest = t.sub(atom.scale(&n));
        if n == IBig::ONE {
            out.push((x, k.sub(rest)));
        } else if n == IBig::NEG_ONE {
            out.push((x, rest.sub(k)));
        }
    }
    out
}

/// Comparisons of scalars in conditions, also by one weaker, and their negations.
fn scalar_atoms(list: &[Clause]) -> Vec<Term> {
    let mut out = Set::default();
    for atom in list.iter().flat_map(|c| atoms(c.core)).filter(|t| over_scalars(*t)) {
        out.add(atom);
        out.add(atom.not());
        if let Kind::Le(a, b) = atom.kind() {
            out.add(a.less_eq(b.plus(1)));
            out.add(b.less_eq(a.plus(2)));
            // Not less, hence not greater by more than one, hence equal in the end.
            out.add(a.plus(1).less_eq(*b));
            out.add(b.less_eq(*a));
        }
    }
    out.order
}

/// The ends of ranges at each cut point.
fn ends(clauses: &Clauses<'_>, list: &[Clause], most: usize) -> Vec<Vec<Term>> {
    let mut own: Vec<Set> = clauses.places().iter().map(|_| Set::default()).collect();
    own.iter_mut().for_each(|s| s.add(Term::int(0)));
    for c in list {
        let Some((from, _)) = c.body.first() else { continue };
        let numbers: BTreeSet<Term> = c.cells.iter().map(|u| u.number).filter(|t| over_scalars(*t)).collect();
        let counters: BTreeSet<Var> = vars(numbers.iter().copied()).into_iter().filter(is_scalar).collect();
        for t in &numbers {
            own[*from].add(*t);
            own[*from].add(t.plus(1));
        }
        for atom in atoms(c.core).into_iter().filter(|t| over_scalars(*t)) {
            let Kind::Le(a, b) = atom.kind() else { continue };
            let difference = b.sub(*a);
            for (x, bound) in solve(difference, Term::int(0)).into_iter().filter(|(x, _)| counters.contains(x)) {
                // a ≤ b is x ≤ bound or bound ≤ x.
                let upper = linear_form(difference).1.iter().any(|(n, t)| t.as_var() == Some(x) && *n < IBig::ZERO);
                own[*from].add(if upper { bound.plus(1) } else { bound });
            }
        }
    }
    // What is an end after a block is one before it, in terms of the values before.
    for _ in 0..2 {
        for c in list {
            let (Some((from, _)), Some((to, values))) = (c.body.first(), &c.head) else { continue };
            let names = &clauses.places()[*to].scalars;
            let value = |v: Var| names.iter().position(|n| *n == v.id).map(|i| values[i]);
            for t in own[*to].order.clone().into_iter().take(most) {
                let before = substitute(t, &value);
                if over_scalars(before) && before.as_int().is_none_or(|n| *n >= IBig::ZERO) {
                    own[*from].add(before);
                }
            }
        }
    }
    let all: Vec<Term> = own.iter().flat_map(|s| s.order.iter().copied()).collect();
    own.into_iter()
        .zip(clauses.places())
        .map(|(mut s, place)| {
            let mut here = |t: &Term| vars([*t]).iter().all(|v| place.scalars.contains(&v.id));
            s.order.retain(&mut here);
            all.iter().filter(|t| here(t)).for_each(|t| s.add(*t));
            s.order.truncate(most);
            s.order
        })
        .collect()
}

/// The relations that the program suggests.
fn relations(clauses: &Clauses<'_>, list: &[Clause], extent: Extent) -> Vec<Relation> {
    let mut found: Vec<Relation> = Vec::new();
    let add = |found: &mut Vec<Relation>, r: Relation| {
        let useful = !r.formula.is_true() && !r.formula.is_false();
        if useful && found.len() < extent.relations && !found.contains(&r) {
            found.push(r);
        }
    };
    // Functions of a cell's old value.
    let mut updates: Vec<(Var, Var, Term)> = Vec::new();
    for c in list {
        let Some((from, _)) = c.body.first() else { continue };
        let place = &clauses.places()[*from];
        match &c.head {
            None => {
                for formula in negated(c) {
                    for u in &c.cells {
                        for r in about(place, c, u, None, formula) {
                            add(&mut found, r);
                        }
                    }
                }
            }
            Some((to, values)) => {
                let end = &clauses.places()[*to];
                for (s, slot) in end.slots.iter().enumerate() {
                    let after = values[position(clauses, end, s)];
                    for u in c.cells.iter().filter(|u| u.memory == slot.memory && u.value.is_none()) {
                        for r in about(place, c, u, Some(Term::var(slot.key)), after) {
                            let value = Term::var(slot.value);
                            if vars([r.formula]).contains(&slot.value) {
                                updates.push((slot.key, slot.value, r.formula));
                            } else {
                                add(&mut found, Relation { key: slot.key, formula: value.equals(r.formula) });
                            }
                        }
                    }
                }
            }
        }
    }
    for _ in 0..2 {
        for (key, value, after) in &updates {
            for r in found.clone() {
                if let Some(before) = defined(r.formula, *value) {
                    let now = substitute(*after, &|v| (v == *value).then_some(before));
                    add(&mut found, Relation { key: *key, formula: Term::var(*value).equals(now) });
                }
            }
        }
    }
    for (i, r) in found.clone().into_iter().enumerate().filter(|_| extent.either) {
        for q in found.clone().into_iter().take(i).filter(|q| q.key == r.key) {
            if is_definition(q.formula) && is_definition(r.formula) && found.len() < extent.relations / 2 {
                add(&mut found, Relation { key: r.key, formula: q.formula.or(r.formula) });
            }
        }
    }
    for flag in flags(list).into_iter().take(extent.flags) {
        for r in found.clone() {
            for literal in [flag, flag.not()] {
                add(&mut found, Relation { key: r.key, formula: literal.or(r.formula) });
            }
        }
    }
    found
}

fn is_definition(t: Term) -> bool {
    matches!(t.kind(), Kind::Eq(..))
}

/// `value = f`: the `f`.
fn defined(t: Term, value: Var) -> Option<Term> {
    let Kind::Eq(a, b) = t.kind() else { return None };
    if a.sort() != Sort::Int {
        return None;
    }
    let (_, parts) = linear_form(b.sub(*a));
    let (n, atom) = parts.iter().find(|(_, t)| t.as_var() == Some(value))?;
    let rest = b.sub(*a).sub(atom.scale(n));
    match n {
        n if *n == IBig::ONE => Some(rest.neg()),
        n if *n == IBig::NEG_ONE => Some(rest),
        _ => None,
    }
    .filter(|f| !vars([*f]).contains(&value))
}

/// Where the value of a slot stands among the arguments of its relation.
fn position(clauses: &Clauses<'_>, place: &Place<'_>, slot: usize) -> usize {
    let value = place.slots[slot].value;
    clauses.vars(place).iter().position(|v| *v == value).unwrap_or(0)
}

/// Scalars that are compared with constants for equality.
fn flags(list: &[Clause]) -> Vec<Term> {
    let mut out = Set::default();
    for atom in list.iter().flat_map(|c| atoms(c.core)).filter(|t| over_scalars(*t) && vars([*t]).len() == 1) {
        if matches!(atom.kind(), Kind::Eq(..)) {
            out.add(atom);
        }
    }
    out.order
}

/// What the absence of an error says: of the cells, and of the cells under what the condition says of scalars.
fn negated(c: &Clause) -> Vec<Term> {
    let reads: FxHashSet<Var> = c.cells.iter().filter_map(|u| u.value?.as_var()).collect();
    let conjuncts = c.core.conjuncts();
    let of_cells = |t: &Term| vars([*t]).iter().any(|v| reads.contains(v));
    let cells = Term::all(conjuncts.iter().copied().filter(of_cells));
    vec![cells.not(), c.core.not()]
}

/// `formula`, which speaks of what a block reads, as a relation on cells: the counter in the number of the cell `main` is
/// expressed by the cell's number, which is `key` if that is given.
fn about(place: &Place<'_>, c: &Clause, main: &Used, key: Option<Term>, formula: Term) -> Vec<Relation> {
    let mut out = Vec::new();
    let Some(slot) = place.slots.iter().find(|s| s.memory == main.memory) else { return out };
    let own = key.unwrap_or_else(|| Term::var(slot.key));
    let Some(key) = own.as_var() else { return out };
    let mut solutions: Vec<Option<(Var, Term)>> = solve(main.number, own).into_iter().map(Some).collect();
    if solutions.is_empty() || main.number == own {
        solutions.push(None);
    }
    for solution in solutions {
        let by_key = |t: Term| substitute(t, &|v| solution.filter(|s| s.0 == v).map(|s| s.1));
        let mut apart: Vec<Term> = Vec::new();
        let mut values: Vec<(Term, Term)> = Vec::new();
        let mentioned = vars([formula]);
        let mut possible = true;
        for u in &c.cells {
            let Some(read) = u.value.filter(|t| t.as_var().is_some_and(|v| mentioned.contains(&v))) else { continue };
            let number = by_key(u.number);
            let slots = place.slots.iter().filter(|s| s.memory == u.memory);
            // A slot with this very number, or one whose number can be tied to it.
            let fits = |s: &&super::clauses::Slot| Term::var(s.key) == number;
            let free = |s: &&super::clauses::Slot| s.key != key && !values.iter().any(|(_, v)| *v == Term::var(s.value));
            match slots.clone().find(fits).or_else(|| slots.clone().find(free)) {
                Some(s) => {
                    apart.push(Term::var(s.key).equals(number));
                    values.push((read, Term::var(s.value)));
                }
                None => possible = false,
            }
        }
        if !possible {
            continue;
        }
        let replaced = substitute(by_key(formula), &|v| values.iter().find(|(r, _)| r.as_var() == Some(v)).map(|x| x.1));
        let known = |v: &Var| is_scalar(v) || place.slots.iter().any(|s| s.key == *v || s.value == *v) || *v == key;
        let replaced = if replaced.sort() == Sort::Bool {
            Term::all(apart).implies(replaced)
        } else if Term::all(apart).is_true() {
            replaced
        } else {
            continue;
        };
        if vars([replaced]).iter().all(known) {
            out.push(Relation { key, formula: replaced });
        }
    }
    out
}
