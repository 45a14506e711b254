//! The half matrix of an octagon and its tight closure.
//!
//! Variable `k` has two literals, `V₂ₖ = xₖ` and `V₂ₖ₊₁ = -xₖ`. Entry `(i, j)` bounds `Vⱼ - Vᵢ` from above. Entries `(i, j)` and
//! `(j̄, ī)` say the same, where `ī` is `i` with its last bit flipped, so only `j ≤ i|1` is stored (Miné, *The octagon abstract
//! domain*, HOSC 2006).
//!
//! Over the integers the canonical form is the *tight* closure: shortest paths, then unary bounds rounded to even, then
//! `(i, j)` lowered to the sum of the halves of `(i, ī)` and `(j̄, j)`. One round of each suffices (Bagnara, Hill, Zaffanella, *An
//! improved tight closure algorithm for integer octagonal constraints*, VMCAI 2008). Adding one constraint to a closed matrix needs
//! one pass over the matrix instead of one per variable.

use crate::dbm::{each, Bound, Dbm, Family, Matrix};
use crate::int::Int;

/// The kind of matrix octagons use.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Octagonal {}

impl Family for Octagonal {
    type Of<B: Bound> = Half<B>;
}

/// A half matrix over `n` variables. As a [`Matrix`], its place `(u, v)` is the bound of `V_u + V_v`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Half<B> {
    n: usize,
    cells: Vec<B>,
}

/// Where row `i` starts.
#[inline]
fn start(i: usize) -> usize {
    (i + 1) * (i + 1) / 2
}

impl<B: Bound> Matrix<B> for Half<B> {
    fn top(n: usize) -> Half<B> {
        let mut m = Half { n, cells: vec![B::INF; 2 * n * (n + 1)] };
        for i in 0..2 * n {
            m.cells[start(i) + i] = B::ZERO;
        }
        m
    }

    fn len(&self) -> usize {
        self.n
    }

    fn cells(&self) -> &[B] {
        &self.cells
    }

    fn from_cells(n: usize, cells: Vec<B>) -> Half<B> {
        Half { n, cells }
    }

    fn at(&self, u: usize, v: usize) -> &B {
        self.sum(u, v)
    }

    fn lower(&mut self, u: usize, v: usize, b: B) {
        if b < *self.sum(u, v) {
            self.set_sum(u, v, b);
        }
    }

    /// Tight closure by shortest paths over all variables. False if there is no integer solution; the matrix is then
    /// meaningless.
    fn close(&mut self) -> bool {
        let (mut row, mut bar) = (Vec::new(), Vec::new());
        let (mut via, mut via_bar) = (Vec::new(), Vec::new());
        for k in 0..self.n {
            self.full_row(2 * k, &mut row);
            self.full_row(2 * k + 1, &mut bar);
            paths(&row, &bar, &row[2 * k + 1], &mut via);
            paths(&bar, &row, &bar[2 * k], &mut via_bar);
            self.relax(&bar, &via, &row, &via_bar);
            if self.has_negative_cycle() {
                return false;
            }
        }
        self.tighten()
    }

    /// Tight closure of a tightly closed matrix after the bound of `V_u + V_v` is lowered to `c`: one pass. False if there is no
    /// integer solution.
    fn add(&mut self, u: usize, v: usize, c: &B) -> bool {
        if *c >= *self.sum(u, v) {
            return true;
        }
        // The new edges: v̄ → u, and by coherence ū → v.
        let (mut from_u, mut from_v) = (Vec::new(), Vec::new());
        self.full_row(u, &mut from_u);
        self.full_row(v, &mut from_v);
        let through = |row: &[B]| row.iter().map(|b| b.sum(c)).collect::<Vec<B>>();
        let (first, second) = (through(&from_u), through(&from_v));
        // A path may use both edges: v̄ → u ⇝ ū → v, or the other way round.
        let (mut via, mut via_bar) = (Vec::new(), Vec::new());
        paths(&first, &second, &from_u[u ^ 1].sum(c), &mut via);
        paths(&second, &first, &from_v[v ^ 1].sum(c), &mut via_bar);
        // Column v̄ is row v read through coherence: (i, v̄) = (v, ī).
        self.relax(&from_v, &via, &from_u, &via_bar);
        !self.has_negative_cycle() && self.tighten()
    }
}

impl<B: Bound> Half<B> {
    /// The bound of `Vⱼ - Vᵢ`.
    #[inline]
    pub(crate) fn get(&self, i: usize, j: usize) -> &B {
        if j <= (i | 1) {
            &self.cells[start(i) + j]
        } else {
            &self.cells[start(j ^ 1) + (i ^ 1)]
        }
    }

    /// The bound of `V_u + V_v`; for `u = v` that of `2·V_u`.
    #[inline]
    pub(crate) fn sum(&self, u: usize, v: usize) -> &B {
        self.get(v ^ 1, u)
    }

    /// Sets the bound of `V_u + V_v`.
    pub(crate) fn set_sum(&mut self, u: usize, v: usize, b: B) {
        let (i, j) = if u <= ((v ^ 1) | 1) { (v ^ 1, u) } else { (u ^ 1, v) };
        self.cells[start(i) + j] = b;
    }

    /// The matrix of the chosen variables, in the order given.
    pub(crate) fn select(&self, vars: &[usize]) -> Half<B> {
        let mut out = Half { n: vars.len(), cells: Vec::with_capacity(2 * vars.len() * (vars.len() + 1)) };
        for i in 0..2 * vars.len() {
            for j in 0..=(i | 1) {
                out.cells.push(self.get(2 * vars[i / 2] + i % 2, 2 * vars[j / 2] + j % 2).clone());
            }
        }
        out
    }

    /// The closed matrix after `x := ±x + k`, where `minus` is `-k`: only the bounds of `x` move.
    pub(crate) fn moved(&self, x: usize, negate: bool, k: &B, minus: &B) -> Half<B> {
        let mut out = self.clone();
        for (new, by) in [(2 * x, k), (2 * x + 1, minus)] {
            let old = new ^ usize::from(negate);
            for v in (0..2 * self.n).filter(|v| v / 2 != x) {
                out.set_sum(new, v, self.sum(old, v).sum(by));
            }
            out.set_sum(new, new, self.sum(old, old).sum(by).sum(by));
        }
        out
    }

    /// Row `i` in full length.
    fn full_row(&self, i: usize, out: &mut Vec<B>) {
        out.clear();
        out.extend_from_slice(&self.cells[start(i)..start(i) + (i | 1) + 1]);
        for j in (i | 1) + 1..2 * self.n {
            out.push(self.cells[start(j ^ 1) + (i ^ 1)].clone());
        }
    }

    /// `(i, j) := min((i, j), c₁[ī] + r₁[j], c₂[ī] + r₂[j])`.
    fn relax(&mut self, c1: &[B], r1: &[B], c2: &[B], r2: &[B]) {
        let mut cells = self.cells.as_mut_slice();
        for i in 0..2 * self.n {
            let (row, rest) = cells.split_at_mut((i | 1) + 1);
            cells = rest;
            let (a, b) = (&c1[i ^ 1], &c2[i ^ 1]);
            match (a.is_inf(), b.is_inf()) {
                (true, true) => {}
                (false, true) => relax_one(row, a, r1),
                (true, false) => relax_one(row, b, r2),
                (false, false) => {
                    for ((m, x), y) in row.iter_mut().zip(r1).zip(r2) {
                        let s = a.plus(x).min(b.plus(y));
                        if s < *m {
                            *m = s;
                        }
                    }
                }
            }
        }
    }

    fn has_negative_cycle(&self) -> bool {
        (0..self.n).any(|k| self.cells[start(2 * k) + 2 * k] < B::ZERO)
    }

    /// The last two steps of tight closure on a matrix of shortest paths, and infinity made canonical.
    fn tighten(&mut self) -> bool {
        // half[i]: the bound of -Vᵢ, from (i, ī).
        let half: Vec<B> = (0..2 * self.n).map(|i| self.cells[start(i) + (i ^ 1)].half()).collect();
        for k in 0..self.n {
            if half[2 * k].sum(&half[2 * k + 1]) < B::ZERO {
                return false;
            }
        }
        let flipped: Vec<B> = (0..2 * self.n).map(|j| half[j ^ 1].clone()).collect();
        let mut cells = self.cells.as_mut_slice();
        for (i, h) in half.iter().enumerate() {
            let (row, rest) = cells.split_at_mut((i | 1) + 1);
            cells = rest;
            if !h.is_inf() {
                relax_one(row, h, &flipped);
                row[i] = B::ZERO;
            }
            for m in row.iter_mut().filter(|m| m.is_inf()) {
                *m = B::INF;
            }
        }
        true
    }

    /// Whether a bound between two variables says more than their unary bounds do.
    fn related(&self, half: &[B], a: usize, b: usize) -> bool {
        [(2 * a, 2 * b), (2 * a, 2 * b + 1), (2 * a + 1, 2 * b), (2 * a + 1, 2 * b + 1)]
            .into_iter()
            .any(|(u, v)| *self.sum(u, v) < half[u ^ 1].sum(&half[v ^ 1]))
    }

    /// The finest partition of the constrained variables of a closed matrix such that the octagon is the product of its parts:
    /// two variables belong together if a bound between them says more than their unary bounds.
    pub(crate) fn parts(&self) -> Vec<Vec<usize>> {
        let half: Vec<B> = (0..2 * self.n).map(|i| self.cells[start(i) + (i ^ 1)].half()).collect();
        let mut left: Vec<usize> = (0..self.n).collect();
        let mut out = Vec::new();
        while !left.is_empty() {
            let mut part = vec![left.remove(0)];
            let mut next = 0;
            while next < part.len() {
                let a = part[next];
                next += 1;
                let (mine, others) = left.into_iter().partition(|&b| self.related(&half, a, b));
                left = others;
                part.extend::<Vec<usize>>(mine);
            }
            let free = part.len() == 1 && half[2 * part[0]].is_inf() && half[2 * part[0] + 1].is_inf();
            if !free {
                part.sort_unstable();
                out.push(part);
            }
        }
        out
    }
}

/// `m[j] := min(m[j], a + row[j])` for a finite `a`.
fn relax_one<B: Bound>(m: &mut [B], a: &B, row: &[B]) {
    for (m, x) in m.iter_mut().zip(row) {
        let s = a.plus(x);
        if s < *m {
            *m = s;
        }
    }
}

/// `min(row[j], step + other[j])` in `out`.
fn paths<B: Bound>(row: &[B], other: &[B], step: &B, out: &mut Vec<B>) {
    out.clear();
    out.extend_from_slice(row);
    if !step.is_inf() {
        relax_one(out, step, other);
    }
}

impl Dbm<Octagonal> {
    /// The bound of `V_u + V_v`, `None` for infinity.
    pub(crate) fn sum(&self, u: usize, v: usize) -> Option<Int> {
        self.get(u, v)
    }

    /// The bound of `V_u`, `None` for infinity.
    pub(crate) fn upper(&self, u: usize) -> Option<Int> {
        each!(self, m => m.sum(u, u).half().to_int())
    }
}
