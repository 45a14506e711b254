//! The matrix of a zone and its closure.
//!
//! Node 0 is the constant zero, node `k + 1` the variable `k`. Entry `(i, j)` bounds `Vⱼ - Vᵢ` from above. Over the integers shortest paths are
//! the canonical form: nothing needs rounding.

use crate::dbm::{Bound, Family, Matrix};

/// The kind of matrix zones use.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Difference {}

impl Family for Difference {
    type Of<B: Bound> = Square<B>;
}

/// A full matrix over `n` variables and the constant zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Square<B> {
    n: usize,
    cells: Vec<B>,
}

impl<B: Bound> Square<B> {
    fn row(&self, i: usize) -> &[B] {
        &self.cells[i * (self.n + 1)..(i + 1) * (self.n + 1)]
    }

    /// `(a, b) := min((a, b), column[a] + row[b])` where `column` is that of node `i`.
    fn relax(&mut self, i: usize, row: &[B]) {
        for cells in self.cells.chunks_exact_mut(self.n + 1) {
            let a = cells[i].clone();
            if a.is_inf() {
                continue;
            }
            for (m, x) in cells.iter_mut().zip(row) {
                let s = a.plus(x);
                if s < *m {
                    *m = s;
                }
            }
        }
    }

    fn normalise(&mut self) {
        for m in self.cells.iter_mut().filter(|m| m.is_inf()) {
            *m = B::INF;
        }
    }

    /// The matrix of the chosen variables.
    pub(crate) fn select(&self, vars: &[usize]) -> Square<B> {
        let nodes: Vec<usize> = std::iter::once(0).chain(vars.iter().map(|v| v + 1)).collect();
        let cells = nodes.iter().flat_map(|i| nodes.iter().map(|j| self.at(*i, *j).clone())).collect();
        Square { n: vars.len(), cells }
    }

    /// The variables with a finite bound.
    pub(crate) fn constrained(&self) -> Vec<usize> {
        let free = |k: &usize| (0..=self.n).all(|i| i == k + 1 || (self.at(i, k + 1).is_inf() && self.at(k + 1, i).is_inf()));
        (0..self.n).filter(|k| !free(k)).collect()
    }
}

impl<B: Bound> Matrix<B> for Square<B> {
    fn top(n: usize) -> Square<B> {
        let mut m = Square { n, cells: vec![B::INF; (n + 1) * (n + 1)] };
        for i in 0..=n {
            m.cells[i * (n + 2)] = B::ZERO;
        }
        m
    }

    fn len(&self) -> usize {
        self.n
    }

    fn cells(&self) -> &[B] {
        &self.cells
    }

    fn from_cells(n: usize, cells: Vec<B>) -> Square<B> {
        Square { n, cells }
    }

    #[inline]
    fn at(&self, i: usize, j: usize) -> &B {
        &self.cells[i * (self.n + 1) + j]
    }

    fn lower(&mut self, i: usize, j: usize, b: B) {
        let cell = &mut self.cells[i * (self.n + 1) + j];
        if b < *cell {
            *cell = b;
        }
    }

    fn add(&mut self, i: usize, j: usize, b: &B) -> bool {
        if b >= self.at(i, j) {
            return true;
        }
        if self.at(j, i).sum(b) < B::ZERO {
            return false;
        }
        let through: Vec<B> = self.row(j).iter().map(|x| x.sum(b)).collect();
        self.relax(i, &through);
        self.normalise();
        true
    }

    fn close(&mut self) -> bool {
        for k in 0..=self.n {
            let row = self.row(k).to_vec();
            self.relax(k, &row);
            if (0..=self.n).any(|i| *self.at(i, i) < B::ZERO) {
                return false;
            }
        }
        self.normalise();
        true
    }
}
