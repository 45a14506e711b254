//! The theory of linear arithmetic over rationals and integers with uninterpreted functions.
//!
//! **Rationals.** The general simplex of Dutertre and de Moura ("A fast linear-arithmetic solver for DPLL(T)", CAV 2006): a
//! `tableau` of equations between columns, `bounds` of columns asserted by literals, `simplex` repairs violated bounds by pivoting. A row
//! that cannot be repaired is a Farkas certificate; rows and bounds imply literals (`propagate`), explained on demand (`explain`).
//!
//! **Integers.** `integer` looks at a rational solution: small moves (`patch`), divisibility of single rows, then of all equations together (`diophantine`), then cuts whose
//! variables occur together in a part, then branching. Each step is a lemma with a certificate or a new atom to decide.
//!
//! **Functions.** `congruence` compares applications in the model and adds instances of congruence that it violates.

mod atoms;
mod bounds;
mod congruence;
mod diophantine;
mod explain;
mod integer;
mod model;
mod num;
mod patch;
mod propagate;
mod simplex;
mod tableau;
#[cfg(test)]
mod tests;
mod value;

use crate::linear::{Linear, NumVar, Sort};
use crate::lit::Lit;
use crate::proof::Atom;
use crate::theory::{Final, Lemma, Theory};
use crate::vocabulary::Vocabulary;
use atoms::Threshold;
use bounds::{Bounds, Side};
use explain::Records;
use plumb_num::{Int, Rat};
use propagate::Agenda;
use rustc_hash::FxHashMap;
use simplex::Repair;
use tableau::{Col, Tableau};
use value::Value;

/// What a column stands for.
#[derive(Clone, Debug)]
struct Form {
    /// The terms; a single one with coefficient one for a variable.
    terms: Vec<(NumVar, Int)>,
    /// Whether all variables are integers.
    integer: bool,
    /// The atoms that bound it, by ascending thresholds.
    atoms: Vec<u32>,
}

/// A level: what to undo.
#[derive(Clone, Copy, Debug)]
struct Mark {
    bounds: usize,
    known: usize,
    records: usize,
}

/// The decision procedure. See the module's documentation.
#[derive(Clone, Debug, Default)]
pub struct Arithmetic {
    tableau: Tableau,
    bounds: Bounds,
    forms: Vec<Form>,
    /// The columns of variables.
    columns: Vec<Col>,
    /// The columns of forms with several variables.
    slacks: FxHashMap<Vec<(NumVar, Int)>, Col>,
    thresholds: Vec<Threshold>,
    /// The threshold of a Boolean variable.
    threshold_of: Vec<Option<u32>>,
    repair: Repair,
    agenda: Agenda,
    records: Records,
    /// Whether an atom has been asserted or propagated, and the stack of those.
    is_known: Vec<bool>,
    known: Vec<u32>,
    levels: Vec<Mark>,
    integer: integer::Effort,
    congruence: congruence::Applications,
    model: model::Model,
    statistics: Statistics,
    time: Option<plumb_term::Budget>,
    /// Whether a computation ended early because the time was over.
    is_late: bool,
}

/// What it took, for profiles.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Pivots of the simplex.
    pub pivots: u64,
    /// Changes of a bound.
    pub bounds: u64,
    /// Conflicts of rows and bounds.
    pub conflicts: u64,
    /// Literals propagated by bounds of the same form.
    pub implied_by_bounds: u64,
    /// Literals propagated by rows.
    pub implied_by_rows: u64,
    /// Conflicts of divisibility.
    pub divisibility: u64,
    /// Cuts.
    pub cuts: u64,
    /// Branchings.
    pub splits: u64,
    /// Instances of congruence.
    pub congruences: u64,
}

impl Arithmetic {
    /// A theory that knows nothing yet.
    pub fn new() -> Arithmetic {
        Arithmetic::default()
    }

    /// What it took so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    fn threshold(&self, lit: Lit) -> Option<&Threshold> {
        self.threshold_of[lit.var().index()].map(|i| &self.thresholds[i as usize])
    }

    fn new_column(&mut self, terms: Vec<(NumVar, Int)>, integer: bool, value: Value) -> Col {
        let col = self.tableau.column();
        self.bounds.column(value);
        self.repair.column();
        self.forms.push(Form { terms, integer, atoms: Vec::new() });
        col
    }

    /// The column of a primitive form with a positive first coefficient.
    fn column_of_form(&mut self, terms: Vec<(NumVar, Int)>, integer: bool) -> Col {
        if let [(x, a)] = &terms[..] {
            debug_assert!(a.is_one());
            return self.columns[x.index()];
        }
        if let Some(&col) = self.slacks.get(&terms) {
            return col;
        }
        let row: Vec<(Col, Int)> = terms.iter().map(|(x, a)| (self.columns[x.index()], a.clone())).collect();
        let value = row.iter().fold(Value::ZERO, |v, (c, a)| &v + &self.bounds.value(*c).scaled(a, &Int::ONE));
        let col = self.new_column(terms.clone(), integer, value);
        self.slacks.insert(terms, col);
        let row = self.tableau.add_row(col, &row);
        self.agenda.row(row);
        col
    }

    fn declare_atom(&mut self, lit: Lit, t: &Linear, integer: bool) {
        let (form, mut threshold) = atoms::read(lit.var(), t, integer);
        threshold.col = self.column_of_form(form, integer);
        let id = self.thresholds.len() as u32;
        let atoms = &self.forms[threshold.col.index()].atoms;
        let at = atoms.partition_point(|&i| self.thresholds[i as usize].at_most < threshold.at_most);
        self.forms[threshold.col.index()].atoms.insert(at, id);
        self.agenda.atom(id);
        self.thresholds.push(threshold);
        self.threshold_of[lit.var().index()] = Some(id);
    }

    fn is_known(&self, lit: Lit) -> bool {
        self.is_known[lit.var().index()]
    }

    fn know(&mut self, lit: Lit) {
        let var = lit.var();
        if !self.is_known[var.index()] {
            self.is_known[var.index()] = true;
            self.known.push(var.0);
        }
    }

    fn assert_bound(&mut self, col: Col, side: Side, value: Value, lit: Lit) -> Result<(), Lemma> {
        let range = self.bounds.of(col);
        let (weaker, opposite) = match side {
            Side::Lower => (range.lower.as_ref().is_some_and(|l| l.value >= value), range.upper.as_ref().filter(|u| u.value < value)),
            Side::Upper => (range.upper.as_ref().is_some_and(|u| u.value <= value), range.lower.as_ref().filter(|l| l.value > value)),
        };
        if weaker {
            return Ok(());
        }
        if let Some(other) = opposite {
            self.statistics.conflicts += 1;
            return Err(self.weakened(vec![(other.time, Int::ONE)], Some((lit, &Int::MINUS_ONE))));
        }
        self.statistics.bounds += 1;
        self.bounds.set(col, side, value, lit);
        self.agenda.bound(col, side);
        let range = self.bounds.of(col);
        let is_basic = self.tableau.row_of(col).is_some();
        if is_basic && range.fixed().is_some() {
            self.repair.became_fixed(col);
        }
        if range.violated().is_some() {
            self.repair.enqueue(col, is_basic);
        }
        Ok(())
    }
}

impl Theory for Arithmetic {
    fn declare(&mut self, vocabulary: &Vocabulary) {
        for (i, number) in vocabulary.numbers().iter().enumerate().skip(self.columns.len()) {
            let x = NumVar(i as u32);
            let col = self.new_column(vec![(x, Int::ONE)], number.sort == Sort::Int, Value::ZERO);
            self.columns.push(col);
            if let Some((function, arguments)) = &number.application {
                self.congruence.add(*function, x, arguments);
            }
        }
        for (i, meaning) in vocabulary.booleans().iter().enumerate().skip(self.threshold_of.len()) {
            self.threshold_of.push(None);
            self.is_known.push(false);
            if let Atom::LessEq(t) = &meaning.atom {
                let lit = crate::lit::BoolVar(i as u32).positive();
                self.declare_atom(lit, t, vocabulary.is_integer(t));
            }
        }
        self.records.grow(self.threshold_of.len());
    }

    fn begin(&mut self, time: &plumb_term::Budget) {
        self.time = Some(time.clone());
        self.is_late = false;
        self.integer.refill();
    }

    fn work(&self) -> u64 {
        self.tableau.work()
    }

    fn push(&mut self) {
        self.levels.push(Mark { bounds: self.bounds.mark(), known: self.known.len(), records: self.records.mark() });
    }

    fn pop(&mut self, levels: usize) {
        if levels == 0 {
            return;
        }
        let keep = self.levels.len() - levels;
        let mark = self.levels[keep];
        self.levels.truncate(keep);
        self.bounds.undo_to(mark.bounds);
        self.records.undo_to(mark.records);
        for var in self.known.drain(mark.known..) {
            self.is_known[var as usize] = false;
        }
        self.agenda.clear();
    }

    fn assert(&mut self, lit: Lit) -> Result<(), Lemma> {
        let Some(threshold) = self.threshold(lit) else { return Ok(()) };
        let (col, side, value) = if lit == threshold.le {
            (threshold.col, Side::Upper, threshold.at_most.clone())
        } else {
            (threshold.col, Side::Lower, threshold.at_least.clone())
        };
        self.know(lit);
        self.assert_bound(col, side, value, lit)
    }

    fn propagate(&mut self, implied: &mut Vec<Lit>) -> Result<(), Lemma> {
        self.make_feasible()?;
        if self.is_late {
            return Ok(());
        }
        self.eliminate_fixed();
        self.imply(implied);
        Ok(())
    }

    fn explain(&mut self, lit: Lit) -> Lemma {
        self.recorded(lit)
    }

    fn check(&mut self, vocabulary: &mut Vocabulary) -> Final {
        // Cuts and branching have moved nothing since `propagate`, but a caller may ask without it.
        if let Err(lemma) = self.make_feasible() {
            return Final::Conflict(lemma);
        }
        if self.is_late {
            return Final::Unknown;
        }
        if let Some(answer) = self.check_integers(vocabulary) {
            return answer;
        }
        self.settle_infinitesimal();
        match self.check_congruence(vocabulary) {
            Some(answer) => answer,
            None => {
                self.integer.refill();
                Final::Consistent
            }
        }
    }

    fn value(&self, x: NumVar) -> Rat {
        match self.columns.get(x.index()) {
            Some(&col) => self.concrete(col),
            None => Rat::ZERO,
        }
    }
}
