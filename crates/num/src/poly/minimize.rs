//! Removing redundancy from one side of a double description, given the other side and the saturation matrix.

use super::coef::{Coef, Overflow};
use super::mat::{subset, Bits, Mat};
use crate::interrupt;

/// Makes the source side (equalities `lin`, inequalities `ray`) irredundant with respect to a generated side with
/// `lines` independent lines, whose rays are the rows of `sat`. Inequalities that every ray saturates become equalities.
/// Returns the saturation matrix of what is left, seen from the source: rows are inequalities, columns are rays.
pub fn minimize_source<T: Coef>(lin: &mut Mat<T>, ray: &mut Mat<T>, sat: &Bits, lines: usize) -> Result<Bits, Overflow> {
    let mut by_source = sat.transposed();
    let (m, rays) = (ray.rows(), sat.rows());
    let counts: Vec<usize> = (0..m).map(|i| by_source.count(i)).collect();
    let mut keep = vec![true; m];
    let equalities = lin.rows();
    for i in 0..m {
        if counts[i] == rays {
            lin.push(ray.row(i));
            keep[i] = false;
        }
    }
    if lin.rows() != equalities {
        row_echelon(lin)?;
    }
    // A facet of a cone of dimension d (modulo lines) has at least d - 1 rays.
    let least = (ray.cols()).saturating_sub(lin.rows() + lines + 1);
    for i in 0..m {
        keep[i] = keep[i] && counts[i] >= least;
    }
    for i in 0..m {
        if !keep[i] {
            continue;
        }
        interrupt::count(m);
        let dominates = |j: usize| {
            j != i && keep[j] && (counts[j] > counts[i] || (counts[j] == counts[i] && j < i)) && subset(by_source.row(i), by_source.row(j))
        };
        keep[i] = !(0..m).any(dominates);
    }
    if keep.contains(&false) {
        ray.retain(|i| keep[i]);
        by_source.retain_rows(|i| keep[i]);
    }
    Ok(by_source)
}

/// Reduced row echelon form with primitive rows and positive pivots; dependent rows disappear. Pivots are sought in columns
/// 1, 2, … and in column 0 (the homogeneous coordinate) last. The form is unique for the row space.
pub fn row_echelon<T: Coef>(mat: &mut Mat<T>) -> Result<(), Overflow> {
    let cols = mat.cols();
    if mat.is_empty() {
        return Ok(());
    }
    let (mut scratch, mut pivot) = (Vec::with_capacity(cols), Vec::with_capacity(cols));
    let mut rank = 0;
    for c in (1..cols).chain([0]) {
        let Some(at) = (rank..mat.rows()).find(|&i| !mat.row(i)[c].is_zero()) else { continue };
        mat.swap_rows(rank, at);
        let row = mat.row_mut(rank);
        if row[c].sign() < 0 {
            row.iter_mut().for_each(T::negate);
        }
        T::normalize(row);
        pivot.clear();
        pivot.extend_from_slice(row);
        for i in 0..mat.rows() {
            if i != rank {
                eliminate(mat, i, c, &pivot, &mut scratch)?;
            }
        }
        rank += 1;
        if rank == mat.rows() {
            break;
        }
    }
    mat.retain(|i| i < rank);
    Ok(())
}

/// Makes the pivot columns of `lin` (in reduced row echelon form) zero in every row of `ray`.
pub fn reduce_by<T: Coef>(lin: &Mat<T>, ray: &mut Mat<T>) -> Result<(), Overflow> {
    let mut scratch = Vec::with_capacity(lin.cols());
    for row in lin.iter() {
        let Some(c) = pivot_column(row) else { continue };
        for i in 0..ray.rows() {
            eliminate(ray, i, c, row, &mut scratch)?;
        }
    }
    Ok(())
}

/// The pivot column of a row in echelon form.
pub fn pivot_column<T: Coef>(row: &[T]) -> Option<usize> {
    (1..row.len()).chain([0]).find(|&c| !row[c].is_zero())
}

/// Adds a multiple of `pivot` (positive in column `c`) to a positive multiple of row `i` so that column `c` becomes zero.
pub fn eliminate<T: Coef>(mat: &mut Mat<T>, i: usize, c: usize, pivot: &[T], scratch: &mut Vec<T>) -> Result<(), Overflow> {
    let a = mat.row(i)[c].lift();
    if T::prod_sign(&a) == 0 {
        return Ok(());
    }
    mat.combine_into(i, &pivot[c].lift(), &T::prod_neg(&a), pivot, scratch)
}
