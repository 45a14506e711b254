//! What invariants over cells may say: read off the program.
//!
//! A candidate is `lo ≤ k < hi → R`: all cells in a range of numbers are in a relation to each other, their number and the scalars. Relations
//! come from the property (what the error's condition says of the cells it reads, negated) and from the assignments (the value that a block
//! leaves in the cell that it writes), each with the loop's counter expressed by the cell's number. The ends of ranges are the numbers of the cells that
//! blocks access and what counters are compared with.

use crate::arrays::clauses::{Clause, Clauses, Place, Used};
use crate::arrays::progress::{ended, progressions, sequences, Constant};
use plumb_term::visit::{atoms, linear_form, postorder, substitute, vars};
use plumb_term::{IBig, Kind, Sort, Term, Var, VarId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// More candidates at one cut point are not looked at.
const MAX_CANDIDATES: usize = 1200;

/// Over so many blocks the ends of ranges are carried.
const CARRIED: usize = 4;

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
    /// How often relations are composed.
    compositions: usize,
}

impl Extent {
    /// What the program says itself.
    pub const OBVIOUS: Extent = Extent { relations: 24, ends: 6, flags: 0, either: false, compositions: 0 };
    /// What follows from that in one or two steps.
    pub const FEW: Extent = Extent { relations: 40, ends: 8, flags: 0, either: false, compositions: 2 };
    /// All that are worth a try.
    pub const MANY: Extent = Extent { relations: 160, ends: 12, flags: 3, either: true, compositions: 4 };
}

/// A relation on cells; `key` is the number that is bounded by ranges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Relation {
    key: Var,
    /// What it says, if the premise holds; for the value that a block leaves in a cell, that value.
    formula: Term,
    premise: Term,
}

impl Relation {
    fn new(key: Var, premise: Term, formula: Term) -> Relation {
        Relation { key, formula, premise }
    }

    fn whole(&self) -> Term {
        self.premise.implies(self.formula)
    }
}

/// The candidates at each cut point, over the variables of its relation.
pub fn candidates(clauses: &Clauses<'_>, list: &[Clause], extent: Extent) -> Vec<Vec<Term>> {
    let relations = relations(clauses, list, extent);
    let mut scalars = scalar_atoms(clauses, list);
    scalars.extend(progressions(clauses, list, &constants(clauses, &relations)));
    scalars.extend(equalities(clauses, list));
    let ends = ends(clauses, list, extent.ends);
    let mut out = Vec::new();
    for (c, place) in clauses.places().iter().enumerate() {
        let known: FxHashSet<VarId> = clauses.vars(place).into_iter().map(|v| v.id).collect();
        let here = |t: &Term| vars([*t]).iter().all(|v| known.contains(&v.id));
        let mut all = Set::default();
        // Any state is possible at the entry.
        if c > 0 {
            scalars.iter().filter(|t| here(t)).for_each(|t| all.add(*t));
            if extent.either {
                let names: BTreeSet<Var> = vars(ends[c].iter().copied()).into_iter().collect();
                for (x, y) in names.iter().flat_map(|x| names.iter().map(move |y| (x, y))).filter(|(x, y)| x != y) {
                    all.add(Term::var(*x).less_eq(Term::var(*y)));
                }
            }
            for r in relations.iter().filter(|r| here(&r.whole())) {
                all.add(r.whole());
                for guard in ranges(Term::var(r.key), ends[c].iter().filter(|t| here(t)).copied().collect()) {
                    all.add(guard.implies(r.whole()));
                }
            }
        }
        out.push(all.order);
    }
    out
}

/// A list without repetitions.
#[derive(Default)]
pub(super) struct Set {
    pub(super) order: Vec<Term>,
    seen: FxHashSet<Term>,
}

impl Set {
    pub(super) fn add(&mut self, t: Term) {
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

/// Whether a variable is the value of a cell.
fn is_value(v: &Var) -> bool {
    v.id >= VarId::FIRST_AUX && v.id < VarId::FIRST_BOUND
}

fn is_scalar(v: &Var) -> bool {
    v.id < VarId::FIRST_AUX
}

/// Whether a term speaks of scalars of the program only.
pub(super) fn over_scalars(t: Term) -> bool {
    vars([t]).iter().all(is_scalar) && !postorder([t]).iter().any(|n| matches!(n.kind(), Kind::Load(..)))
}

/// A counter expressed by the number of a cell.
#[derive(Clone, Copy)]
pub(super) struct Solution {
    pub(super) counter: Var,
    pub(super) value: Term,
    /// When there is one.
    pub(super) premise: Term,
}

/// The solutions of `t = k` for a scalar of `t`.
pub(super) fn solve(t: Term, k: Term) -> Vec<Solution> {
    let (_, parts) = linear_form(t);
    let mut out = Vec::new();
    for (n, atom) in parts {
        let Some(counter) = atom.as_var().filter(is_scalar) else { continue };
        let rest = k.sub(t.sub(atom.scale(&n)));
        let (size, rest) = if n < IBig::ZERO { (-n, rest.neg()) } else { (n, rest) };
        let size = Term::int(size);
        // Whole parts and remainders vanish for a factor of one.
        out.push(Solution { counter, value: rest.div(size), premise: rest.rem(size).equals(Term::int(0)) });
    }
    out
}

/// Comparisons of scalars in conditions, also by one weaker, and their negations.
fn scalar_atoms(clauses: &Clauses<'_>, list: &[Clause]) -> Vec<Term> {
    let mut out = Set::default();
    for c in list {
        // What a condition says of an input it says of the variable that takes it.
        let taken: Vec<(Var, Term)> = c.head.iter().flat_map(|(to, values)| inputs(&clauses.places()[*to], values, clauses)).collect();
        for atom in atoms(c.core) {
            let atom = substitute(atom, &|v| taken.iter().find(|t| t.0 == v).map(|t| t.1));
            if !over_scalars(atom) {
                continue;
            }
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
    }
    out.order
}

/// The inputs that are the values of scalars at the end of a block.
fn inputs(place: &Place<'_>, values: &[Term], clauses: &Clauses<'_>) -> Vec<(Var, Term)> {
    let names = clauses.vars(place);
    let scalars = names.iter().zip(values).take(place.scalars.len());
    scalars.filter_map(|(name, value)| Some((value.as_var().filter(|v| !is_scalar(v))?, Term::var(*name)))).collect()
}

/// Equalities of scalars that are given the same value.
fn equalities(clauses: &Clauses<'_>, list: &[Clause]) -> Vec<Term> {
    let mut out = Set::default();
    for (to, values) in list.iter().filter_map(|c| c.head.as_ref()) {
        let place = &clauses.places()[*to];
        let names = clauses.vars(place);
        for i in 0..place.scalars.len() {
            for j in (0..i).filter(|j| values[*j] == values[i] && values[i].as_int().is_none() && values[i].sort() == Sort::Int) {
                out.add(Term::var(names[i]).equals(Term::var(names[j])));
            }
        }
    }
    out.order
}

/// The ends of ranges at each cut point, the likely ones first: numbers of cells that are accessed and what their counters are compared with;
/// what becomes one of these in the next block; what counters are compared with elsewhere; the cells after those that are accessed.
fn ends(clauses: &Clauses<'_>, list: &[Clause], most: usize) -> Vec<Vec<Term>> {
    let mut own: Vec<Set> = clauses.places().iter().map(|_| Set::default()).collect();
    own.iter_mut().for_each(|s| s.add(Term::int(0)));
    let mut bounds = Set::default();
    let mut after: Vec<Set> = clauses.places().iter().map(|_| Set::default()).collect();
    for c in list {
        let Some((from, _)) = c.body.first() else { continue };
        let numbers: BTreeSet<Term> = c.cells.iter().map(|u| u.number).filter(|t| over_scalars(*t)).collect();
        let counters: BTreeSet<Var> = vars(numbers.iter().copied()).into_iter().filter(is_scalar).collect();
        for t in &numbers {
            own[*from].add(*t);
            after[*from].add(t.plus(1));
        }
        for atom in atoms(c.core).into_iter().filter(|t| over_scalars(*t)) {
            let Kind::Le(a, b) = atom.kind() else { continue };
            let difference = b.sub(*a);
            for s in solve(difference, Term::int(0)).into_iter().filter(|s| counters.contains(&s.counter) && s.premise.is_true()) {
                // a ≤ b is x ≤ bound or bound ≤ x.
                let upper = linear_form(difference).1.iter().any(|(n, t)| t.as_var() == Some(s.counter) && *n < IBig::ZERO);
                let bound = if upper { s.value.plus(1) } else { s.value };
                own[*from].add(bound);
                bounds.add(bound);
            }
        }
    }
    // What is an end after a block is one before it, in terms of the values before.
    for _ in 0..2 {
        for c in list {
            let (Some((from, _)), Some((to, values))) = (c.body.first(), &c.head) else { continue };
            if from == to {
                continue;
            }
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
    let carried = carried(clauses, list, &own, most);
    let mut out = Vec::new();
    for (((mut all, carried), after), place) in own.into_iter().zip(carried).zip(after).zip(clauses.places()) {
        let rest = all.order.split_off(all.order.len().min(2));
        carried.order.into_iter().chain(rest).for_each(|t| all.order.extend((!all.order.contains(&t)).then_some(t)));
        bounds.order.iter().chain(&after.order).for_each(|t| all.add(*t));
        all.order.retain(|t| vars([*t]).iter().all(|v| place.scalars.contains(&v.id)));
        all.order.truncate(most);
        out.push(all.order);
    }
    out
}

/// Ends at the cut points after loops: where the ends of a loop are when its counters have reached their bounds.
fn carried(clauses: &Clauses<'_>, list: &[Clause], own: &[Set], most: usize) -> Vec<Set> {
    let mut out: Vec<Set> = clauses.places().iter().map(|_| Set::default()).collect();
    for _ in 0..CARRIED {
        for c in list {
            let (Some((from, _)), Some((to, values))) = (c.body.first(), &c.head) else { continue };
            if from == to {
                continue;
            }
            let names = &clauses.places()[*to].scalars;
            let stays = |v: &Var| names.iter().position(|n| *n == v.id).is_some_and(|i| values[i] == Term::var(*v));
            let new = own[*from].order.iter().take(most).flat_map(|t| ended(c, *t));
            let all: Vec<Term> = new.chain(out[*from].order.clone()).filter(|t| over_scalars(*t) && vars([*t]).iter().all(stays)).collect();
            all.into_iter().for_each(|t| out[*to].add(t));
        }
    }
    out.iter_mut().for_each(|s| s.order.truncate(most / 2));
    out
}

/// The relations that the program suggests.
fn relations(clauses: &Clauses<'_>, list: &[Clause], extent: Extent) -> Vec<Relation> {
    let mut found: Vec<Relation> = Vec::new();
    let add = |found: &mut Vec<Relation>, r: Relation| {
        let useful = !r.premise.is_false() && vars([r.formula]).iter().any(is_value);
        if useful && found.len() < extent.relations && !found.contains(&r) {
            found.push(r);
        }
    };
    // Functions of a cell's old value.
    let mut updates: Vec<(Var, Relation)> = Vec::new();
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
                    for u in c.cells.iter().filter(|u| u.memory == slot.memory && u.column == slot.column && u.value.is_none()) {
                        for r in about(place, c, u, Some(Term::var(slot.key)), after) {
                            let value = Term::var(slot.value);
                            if vars([r.formula]).contains(&slot.value) {
                                updates.push((slot.value, r));
                            } else {
                                add(&mut found, Relation::new(r.key, r.premise, same(value, r.formula)));
                            }
                        }
                    }
                }
            }
        }
    }
    for (key, formula) in sequences(clauses, list) {
        add(&mut found, Relation::new(key, Term::tt(), formula));
    }
    // What a value is in terms of another one, and that in terms of a third.
    for _ in 0..extent.compositions {
        let before = found.clone();
        for (value, update) in &updates {
            for r in before.iter().filter(|r| r.key == update.key) {
                if let Some(old) = defined(r.formula, *value) {
                    let now = substitute(update.formula, &|v| (v == *value).then_some(old));
                    let premise = r.premise.and(update.premise);
                    add(&mut found, Relation::new(r.key, premise, Term::var(*value).equals(now)));
                }
            }
        }
        for r in &before {
            for value in vars([r.formula]).into_iter().filter(is_value) {
                for q in before.iter().filter(|q| *q != r && q.key == r.key) {
                    if let Some(old) = defined(q.formula, value) {
                        let formula = substitute(r.formula, &|v| (v == value).then_some(old));
                        add(&mut found, Relation::new(r.key, r.premise.and(q.premise), formula));
                    }
                }
            }
        }
        if found.len() == before.len() {
            break;
        }
    }
    for (i, r) in found.clone().into_iter().enumerate().filter(|_| extent.either) {
        for q in found.clone().into_iter().take(i).filter(|q| q.key == r.key) {
            if is_definition(q.formula) && is_definition(r.formula) && found.len() < extent.relations / 2 {
                add(&mut found, Relation::new(r.key, q.premise.and(r.premise), q.formula.or(r.formula)));
            }
        }
    }
    for flag in flags(list).into_iter().take(extent.flags) {
        for r in found.clone() {
            for literal in [flag, flag.not()] {
                add(&mut found, Relation::new(r.key, r.premise, literal.or(r.formula)));
            }
        }
    }
    found
}

/// The constants that relations give to cells.
fn constants(clauses: &Clauses<'_>, relations: &[Relation]) -> Vec<Constant> {
    let mut out: Vec<Constant> = Vec::new();
    for r in relations {
        let Kind::Eq(a, b) = r.formula.kind() else { continue };
        let Some((value, n)) = a.as_var().zip(b.as_int()).or_else(|| b.as_var().zip(a.as_int())) else { continue };
        let slot = clauses.places().iter().flat_map(|p| &p.slots).find(|s| s.value == value);
        out.extend(slot.map(|s| (s.memory, s.column, n.clone())).filter(|c| !out.contains(c)));
    }
    out
}

fn is_definition(t: Term) -> bool {
    matches!(t.kind(), Kind::Eq(..))
}

fn same(a: Term, b: Term) -> Term {
    match a.sort() {
        Sort::Float(_) => Term::fbits(a).equals(Term::fbits(b)),
        _ => a.equals(b),
    }
}

/// `value = f`: the `f`.
pub(super) fn defined(t: Term, value: Var) -> Option<Term> {
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
pub(super) fn position(clauses: &Clauses<'_>, place: &Place<'_>, slot: usize) -> usize {
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
    let Some(slot) = place.slots.iter().find(|s| s.memory == main.memory && s.column == main.column) else { return out };
    let own = key.unwrap_or_else(|| Term::var(slot.key));
    let Some(key) = own.as_var() else { return out };
    // In the cell itself the comparisons of numbers are decided.
    let formula = substitute(formula, &|v| (v == key && main.value.is_none()).then_some(main.number));
    let counters = vars([main.number]);
    let mut solutions: Vec<Option<Solution>> = solve(main.number, own).into_iter().map(Some).collect();
    if !vars([formula]).iter().any(|v| counters.contains(v)) {
        // What does not depend on the counter holds of all cells, or of those that it reaches.
        solutions.retain(|s| s.is_some_and(|s| !s.premise.is_true()));
        solutions.push(None);
    }
    for solution in solutions {
        let by_key = |t: Term| match solution {
            Some(s) => substitute(t, &|v| (v == s.counter).then_some(s.value)),
            None => t,
        };
        let mut apart: Vec<Term> = Vec::new();
        let mut values: Vec<(Term, Term)> = Vec::new();
        let formula = by_key(formula);
        let mentioned = vars([formula]);
        let mut possible = true;
        for u in &c.cells {
            let Some(read) = u.value.filter(|t| t.as_var().is_some_and(|v| mentioned.contains(&v))) else { continue };
            let number = if u.number == main.number || u.number == own { own } else { by_key(u.number) };
            let slots = place.slots.iter().filter(|s| s.memory == u.memory && s.column == u.column);
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
        let replaced = substitute(formula, &|v| values.iter().find(|(r, _)| r.as_var() == Some(v)).map(|x| x.1));
        apart.extend(solution.map(|s| s.premise));
        let known = |v: &Var| is_scalar(v) || place.slots.iter().any(|s| s.key == *v || s.value == *v) || *v == key;
        if vars([replaced]).iter().all(known) {
            out.push(Relation { key, formula: replaced, premise: Term::all(apart) });
        }
    }
    out
}
