//! Transformations of a double description: projection, new dimensions, affine maps. All but the projection of a dimension
//! that no equality defines leave the faces of the polyhedron as they are, so they need no conversion.

use super::coef::{Coef, Overflow};
use super::dd::{unit, Dd, Side};
use super::minimize::eliminate;

impl<T: Coef> Dd<T> {
    /// Quantifies the dimensions of the given columns and removes the columns.
    pub fn forget(&mut self, gone: &[usize]) -> Result<(), Overflow> {
        self.forget_and_join(gone, &Side::new(self.cols() - gone.len()))
    }

    /// The same, and adds generators over the columns that are left, all in one conversion.
    pub fn forget_and_join(&mut self, gone: &[usize], more: &Side<T>) -> Result<(), Overflow> {
        let cols = self.cols();
        let mut place = 0..;
        let from: Vec<Option<usize>> = (0..cols).map(|c| if gone.contains(&c) { None } else { place.next() }).collect();
        // A dimension that an equality defines is substituted: the projection is one-to-one, so generators and saturation stay.
        let mut new = Side::new(cols);
        for &g in gone {
            if !self.substitute_defined(g)? {
                new.lin.push(&unit(cols, g));
            }
        }
        let lines = new.lin.rows();
        new.lin.append(&more.lin.select(&from));
        new.ray.append(&more.ray.select(&from));
        if !new.lin.is_empty() || !new.ray.is_empty() {
            self.add_generators(&new)?;
        }
        // In echelon form the lines of the quantified dimensions are unit rows, and nothing else is left in their columns.
        let other: Vec<bool> = self.gens.lin.iter().map(|l| (0..cols).any(|c| !gone.contains(&c) && !l[c].is_zero())).collect();
        self.gens.lin.retain(|i| other[i]);
        self.drop_columns(gone, lines != gone.len())
    }

    /// The same if equalities define all these dimensions, for which no generators are needed; otherwise `false`, and the
    /// value is not to be used.
    pub fn forget_defined(&mut self, gone: &[usize]) -> Result<bool, Overflow> {
        for &g in gone {
            if !self.substitute_defined(g)? {
                return Ok(false);
            }
        }
        self.drop_columns(gone, true)?;
        Ok(true)
    }

    /// Removes columns that are zero but for equalities that say so. The forms have to be restored if a dimension was substituted.
    fn drop_columns(&mut self, gone: &[usize], substituted: bool) -> Result<(), Overflow> {
        let keep: Vec<Option<usize>> = (0..self.cols()).filter(|c| !gone.contains(c)).map(Some).collect();
        for mat in [&mut self.cons.lin, &mut self.cons.ray, &mut self.gens.lin, &mut self.gens.ray] {
            *mat = mat.select(&keep);
        }
        if substituted {
            for mat in [&mut self.gens.lin, &mut self.gens.ray] {
                (0..mat.rows()).for_each(|i| T::normalize(mat.row_mut(i)));
            }
            self.reduce()?;
        }
        Ok(())
    }

    /// If an equality mentions column `g`, uses it to remove the column from all constraints and drops it, and clears the column
    /// in the generators.
    fn substitute_defined(&mut self, g: usize) -> Result<bool, Overflow> {
        let Some(at) = self.cons.lin.iter().position(|r| !r[g].is_zero()) else { return Ok(false) };
        let mut row = self.cons.lin.row(at).to_vec();
        self.cons.lin.remove(at);
        if row[g].sign() < 0 {
            row.iter_mut().for_each(T::negate);
        }
        let mut scratch = Vec::with_capacity(row.len());
        for mat in [&mut self.cons.lin, &mut self.cons.ray] {
            for i in 0..mat.rows() {
                eliminate(mat, i, g, &row, &mut scratch)?;
            }
        }
        for mat in [&mut self.gens.lin, &mut self.gens.ray] {
            (0..mat.rows()).for_each(|i| mat.row_mut(i)[g] = T::zero());
        }
        // The dimension is now fixed at zero, which the description must say until the column is gone.
        self.cons.lin.push(&unit(self.cols(), g));
        Ok(true)
    }

    /// Inserts a column before column `at` for a new dimension with the value of `e`, a row of the new width that is zero there.
    pub fn define(&self, at: usize, e: &[T]) -> Result<Dd<T>, Overflow> {
        let from: Vec<Option<usize>> = (0..e.len()).map(|j| if j < at { Some(j) } else { (j > at).then(|| j - 1) }).collect();
        let side = |s: &Side<T>| Side { lin: s.lin.select(&from), ray: s.ray.select(&from) };
        let mut out = Dd { cons: side(&self.cons), gens: side(&self.gens), sat: self.sat.clone() };
        for mat in [&mut out.gens.lin, &mut out.gens.ray] {
            for i in 0..mat.rows() {
                let value = T::prod_to_coef(&T::dot(e, mat.row(i)))?;
                mat.row_mut(i)[at] = value;
            }
        }
        if self.has_constraints() {
            let mut equality = e.to_vec();
            equality.iter_mut().for_each(T::negate);
            equality[at] = T::one();
            out.cons.lin.push(&equality);
        }
        out.reduce()?;
        Ok(out)
    }

    /// The columns reordered: column `j` of the result is column `from[j]`.
    pub fn permuted(&self, from: &[usize]) -> Result<Dd<T>, Overflow> {
        let from: Vec<Option<usize>> = from.iter().copied().map(Some).collect();
        let side = |s: &Side<T>| Side { lin: s.lin.select(&from), ray: s.ray.select(&from) };
        let mut out = Dd { cons: side(&self.cons), gens: side(&self.gens), sat: self.sat.clone() };
        out.reduce()?;
        Ok(out)
    }

    /// The image of `x := e` where `x` is the dimension of column `x` and occurs in `e` (a row): the map is invertible, so
    /// both sides are transformed in place and the saturation stays.
    pub fn assign_invertible(&mut self, x: usize, e: &[T]) -> Result<(), Overflow> {
        replace_coordinate(&mut self.gens, x, e)?;
        substitute_inverse(&mut self.cons, x, e)?;
        self.reduce()
    }

    /// The preimage of the same map.
    pub fn substitute_invertible(&mut self, x: usize, e: &[T]) -> Result<(), Overflow> {
        // The constraint `α·x + β` becomes `α·e + β`; generators go through the inverse map.
        for mat in [&mut self.cons.lin, &mut self.cons.ray] {
            let mut scratch = Vec::with_capacity(e.len());
            for i in 0..mat.rows() {
                let alpha = mat.row(i)[x].clone();
                if !alpha.is_zero() {
                    mat.row_mut(i)[x] = T::zero();
                    mat.combine_into(i, &T::one().lift(), &alpha.lift(), e, &mut scratch)?;
                }
            }
        }
        // v_x becomes (v_x - rest·v)/a: scale the row by |a| and keep the others.
        let (a, positive) = magnitude(&e[x]);
        let mut rest = e.to_vec();
        rest[x] = T::zero();
        for mat in [&mut self.gens.lin, &mut self.gens.ray] {
            for i in 0..mat.rows() {
                let row = mat.row_mut(i);
                let mut difference = rest.clone();
                difference.iter_mut().for_each(T::negate);
                difference[x] = T::one();
                let mut v = T::prod_to_coef(&T::dot(&difference, row))?;
                if !positive {
                    v.negate();
                }
                for (j, entry) in row.iter_mut().enumerate() {
                    *entry =
                        if j == x { v.clone() } else { T::prod_to_coef(&T::dot(std::slice::from_ref(&a), std::slice::from_ref(entry)))? };
                }
                T::normalize(row);
            }
        }
        self.reduce()
    }
}

/// `|a|`, and whether `a` is positive.
fn magnitude<T: Coef>(a: &T) -> (T, bool) {
    let mut m = a.clone();
    let positive = m.sign() > 0;
    if !positive {
        m.negate();
    }
    (m, positive)
}

/// Sets coordinate `x` of every generator to its value of `e`.
fn replace_coordinate<T: Coef>(gens: &mut Side<T>, x: usize, e: &[T]) -> Result<(), Overflow> {
    for mat in [&mut gens.lin, &mut gens.ray] {
        for i in 0..mat.rows() {
            let row = mat.row_mut(i);
            row[x] = T::prod_to_coef(&T::dot(e, row))?;
            T::normalize(row);
        }
    }
    Ok(())
}

/// Replaces `x` by `(x - r)/a` in constraints, where `e = a·x + r`: `α·x + β` becomes `|a|·β ± α·(x - r)`.
fn substitute_inverse<T: Coef>(cons: &mut Side<T>, x: usize, e: &[T]) -> Result<(), Overflow> {
    let (a, positive) = magnitude(&e[x]);
    let mut inverse = e.to_vec();
    inverse.iter_mut().for_each(T::negate);
    inverse[x] = T::one();
    let mut scratch = Vec::with_capacity(e.len());
    for mat in [&mut cons.lin, &mut cons.ray] {
        for i in 0..mat.rows() {
            let mut alpha = mat.row(i)[x].clone();
            if alpha.is_zero() {
                continue;
            }
            mat.row_mut(i)[x] = T::zero();
            if !positive {
                alpha.negate();
            }
            mat.combine_into(i, &a.lift(), &alpha.lift(), &inverse, &mut scratch)?;
        }
    }
    Ok(())
}
