//! Abstract states of the interval analysis: an interval for each scalar variable and for memory cells at known addresses.

use super::value::Interval;
use plumb_cfa::cells::Cells;
use plumb_cfa::chunks::Chunks;
use plumb_cfa::Program;
use plumb_term::{IntTy, Range, Scalar, Term, VarId};

/// What is known of the values; a variable or cell that is absent can have any value of its type.
#[derive(Clone, Debug, Default)]
pub struct Env {
    vars: Chunks<Interval>,
    cells: Cells<Interval>,
}

/// So many cells are known at most: a store copies a shared table.
const MAX_CELLS: usize = 2048;

/// The values of a machine type, without big integers where the bounds are small.
pub fn int_range(t: IntTy) -> Range {
    match t.bits {
        1..=126 if t.signed => Range::new(-(1 << (t.bits - 1)), (1 << (t.bits - 1)) - 1),
        1..=126 => Range::new(0, (1 << t.bits) - 1),
        _ => Range::of_type(t),
    }
}

/// The range that holds exactly what both hold; `None` if that is nothing.
pub fn meet(a: Range, b: Range) -> Option<Range> {
    let Range { lo, hi } = a.intersection(b);
    match (lo, hi) {
        (Some(l), Some(h)) if l > h => None,
        _ => Some(Range { lo, hi }),
    }
}

impl Env {
    /// The values of a variable.
    pub fn value(&self, program: &Program, v: VarId) -> Interval {
        self.vars.get(v).unwrap_or_else(|| Interval::of_type(program.var(v).ty))
    }

    /// The range of an integer variable.
    pub fn var(&self, program: &Program, v: VarId) -> Range {
        self.value(program, v).int()
    }

    /// Sets the values of a variable.
    pub fn set(&mut self, program: &Program, v: VarId, value: Interval) {
        let all = Interval::of_type(program.var(v).ty);
        let value = all.meet(value).unwrap_or(all);
        self.vars.set(v, (value != all).then_some(value));
    }

    /// Sets the range of an integer variable.
    pub fn set_var(&mut self, program: &Program, v: VarId, r: Range) {
        self.set(program, v, Interval::Int(r));
    }

    /// The values of the scalar of type `ty` at a constant address.
    pub fn cell(&self, mem: VarId, addr: i128, ty: Scalar) -> Option<Interval> {
        self.cells.get(mem, addr, ty)
    }

    /// A store of a scalar with values `value` somewhere in the addresses `addr`.
    pub fn store(&mut self, mem: VarId, ty: Scalar, addr: Range, value: Interval) {
        let (Some(lo), Some(hi)) = (addr.lo, addr.hi) else {
            self.forget_cells(mem, i128::MIN, i128::MAX);
            return;
        };
        if lo == hi {
            let known = (!value.is_unbounded()).then_some(value);
            self.cells.write(mem, ty, addr, known, MAX_CELLS);
            return;
        }
        // A weak update: cells of the same type that cannot be hit partially keep what both values share.
        let size = ty.bytes() as i128;
        for (at, cell_ty, r) in self.cells.overlapping(mem, lo, hi.saturating_add(size)) {
            if cell_ty == ty && size == 1 {
                self.cells.insert(mem, at, ty, r.join(value));
            } else {
                self.cells.remove(mem, at);
            }
        }
    }

    /// A store through a region whose cells are scalars, so that none is hit partially.
    pub fn store_whole(&mut self, mem: VarId, ty: Scalar, addr: Range, value: Interval) {
        if addr.lo.is_some() && addr.lo == addr.hi {
            self.store(mem, ty, addr, value);
            return;
        }
        let (lo, hi) = (addr.lo.unwrap_or(i128::MIN), addr.hi.unwrap_or(i128::MAX));
        for (at, cell_ty, r) in self.cells.overlapping(mem, lo, hi.saturating_add(1)) {
            if cell_ty == ty {
                self.cells.insert(mem, at, ty, r.join(value));
            } else {
                self.cells.remove(mem, at);
            }
        }
    }

    /// Forgets the cells of `mem` that overlap `[lo, hi)`.
    pub fn forget_cells(&mut self, mem: VarId, lo: i128, hi: i128) {
        self.cells.forget(mem, lo, hi);
    }

    /// The union, widened by `widen(old, new)` for each interval.
    pub fn join_with(&mut self, program: &Program, other: &Env, widen: &mut dyn FnMut(Interval, Interval) -> Interval) -> bool {
        let mut changed = false;
        for (v, a, b) in self.vars.differences(&other.vars) {
            let (Some(a), b) = (a, b.unwrap_or_else(|| Interval::of_type(program.var(v).ty))) else { continue };
            let j = a.join(b);
            if j != a {
                self.set(program, v, widen(a, j));
                changed = true;
            }
        }
        let mut union = |a: Interval, b: Option<Interval>| match a.join(b?) {
            j if j == a => Some(a),
            j => Some(widen(a, j)).filter(|r| !r.is_unbounded()),
        };
        self.cells.combine(&other.cells, &mut union) || changed
    }

    /// Whether this says all that the other says: its values are among the other's.
    pub fn leq(&self, program: &Program, other: &Env) -> bool {
        let vars = self.vars.differences(&other.vars);
        vars.into_iter().all(|(v, a, b)| b.is_none_or(|b| a.unwrap_or_else(|| Interval::of_type(program.var(v).ty)).within(b)))
            && other.cells.all(&self.cells, &mut |b, a| a.is_some_and(|a| a.within(b)))
    }

    /// Whether two states say the same, by a look at what they do not share.
    pub fn same(&self, other: &Env) -> bool {
        self.cells == other.cells && self.vars.differences(&other.vars).is_empty()
    }

    /// The variables, memories among them, of which something is known.
    pub fn known(&self) -> impl Iterator<Item = VarId> + '_ {
        self.vars.iter().map(|(v, _)| v).chain(self.cells.memories())
    }

    /// The value of a variable, if there is only one.
    pub fn constant(&self, program: &Program, v: VarId) -> Option<i128> {
        let r = self.var(program, v);
        r.lo.filter(|l| r.hi == Some(*l))
    }

    /// What is known of the variables and memories that `keep` admits, as formulas over the program's variables.
    pub fn facts(&self, program: &Program, keep: &dyn Fn(VarId) -> bool) -> Vec<Term> {
        let vars = self.vars.iter().filter(|(v, _)| keep(*v));
        let mut out: Vec<Term> = vars.map(|(v, r)| r.formula(program.term(v))).collect();
        let cells = self.cells.iter().filter(|((m, _), ..)| keep(*m));
        out.extend(cells.map(|((m, a), ty, r)| r.formula(Term::load(ty, program.term(m), Term::int(a)))));
        out.retain(|t| !t.is_true());
        out
    }
}
