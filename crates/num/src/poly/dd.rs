//! A non-empty convex polyhedron in minimal double description.
//!
//! A polyhedron in n dimensions is the section at 1 of a cone in n + 1 dimensions. Column 0 is the homogeneous coordinate:
//! the constraint `k + Σ aᵢxᵢ ⋈ 0` is the row `(k, a₁, …, aₙ)`, a point `v/d` is `(d, v₁, …, vₙ)` with `d > 0`, a ray or line
//! `(0, v₁, …, vₙ)`. The constraint `1 ≥ 0` (*positivity*, the row `(1, 0, …, 0)`) is kept where it is a facet of the cone.
//!
//! Invariants: both sides are irredundant; linear parts are in reduced row echelon form and their pivot columns are
//! zero in the other rows of the side, so each side is unique up to the order of rows; `sat` is exact; there is a point.

use std::collections::BTreeSet;

use super::coef::{Coef, Overflow};
use super::convert::{add_constraint, Effect, Target};
use super::mat::{subset, Bits, Mat};
use super::minimize::{eliminate, minimize_source, reduce_by, row_echelon};

/// One side of a double description: equalities and inequalities, or lines and rays (points are rays of the cone).
#[derive(Clone, Debug)]
pub struct Side<T> {
    pub lin: Mat<T>,
    pub ray: Mat<T>,
}

impl<T: Coef> Side<T> {
    /// Nothing, with `cols` columns.
    pub fn new(cols: usize) -> Self {
        Side { lin: Mat::new(cols), ray: Mat::new(cols) }
    }

    fn reduce(&mut self) -> Result<(), Overflow> {
        if !self.lin.is_empty() {
            row_echelon(&mut self.lin)?;
            reduce_by(&self.lin, &mut self.ray)?;
        }
        Ok(())
    }
}

/// See the module documentation.
#[derive(Clone, Debug)]
pub struct Dd<T> {
    pub cons: Side<T>,
    pub gens: Side<T>,
    /// Rows are `gens.ray`, columns are `cons.ray`.
    pub sat: Bits,
}

impl<T: Coef> Dd<T> {
    /// The whole space with `cols - 1` dimensions.
    pub fn universe(cols: usize) -> Self {
        let (mut cons, mut gens) = (Side::new(cols), Side::new(cols));
        cons.ray.push(&unit(cols, 0));
        gens.ray.push(&unit(cols, 0));
        (1..cols).for_each(|j| gens.lin.push(&unit(cols, j)));
        Dd { cons, gens, sat: Bits::new(1, 1) }
    }

    /// A copy with room for what an operation is going to add.
    pub fn roomy_clone(&self) -> Self {
        let side = |s: &Side<T>| Side { lin: s.lin.roomy_clone(1), ray: s.ray.roomy_clone(4 + s.ray.rows() / 2) };
        Dd { cons: side(&self.cons), gens: side(&self.gens), sat: self.sat.roomy_clone(4 + self.gens.ray.rows() / 2) }
    }

    /// Number of columns: the dimensions and one.
    pub fn cols(&self) -> usize {
        self.cons.ray.cols()
    }

    /// Adds constraints; `false` if nothing is left (the value is then not to be used).
    pub fn add_constraints(&mut self, new: &Side<T>) -> Result<bool, Overflow> {
        if let Some(by_constraint) = add(&mut self.cons, &mut self.gens, &mut self.sat, new)? {
            self.sat = by_constraint.transposed();
        }
        Ok(self.gens.ray.iter().any(|r| !r[0].is_zero()))
    }

    /// Adds generators: the convex hull with them. The cone is self-dual, so this is adding constraints to the other side.
    pub fn add_generators(&mut self, new: &Side<T>) -> Result<(), Overflow> {
        let mut dual = self.sat.transposed();
        if let Some(by_generator) = add(&mut self.gens, &mut self.cons, &mut dual, new)? {
            self.sat = by_generator;
        }
        Ok(())
    }

    /// Restores the echelon forms after columns have been transformed.
    pub fn reduce(&mut self) -> Result<(), Overflow> {
        self.cons.reduce()?;
        self.gens.reduce()
    }

    /// Whether the row is the positivity constraint.
    pub fn is_positivity(row: &[T]) -> bool {
        row[1..].iter().all(T::is_zero)
    }

    /// Quantifies the dimensions of the given columns and removes the columns.
    pub fn forget(&mut self, gone: &[usize]) -> Result<(), Overflow> {
        let cols = self.cols();
        // A dimension that an equality defines is substituted: the projection is one-to-one, so generators and saturation stay.
        let mut lines = Side::new(cols);
        for &g in gone {
            if !self.substitute_defined(g)? {
                lines.lin.push(&unit(cols, g));
            }
        }
        if !lines.lin.is_empty() {
            self.add_generators(&lines)?;
        }
        let keep: Vec<Option<usize>> = (0..cols).filter(|c| !gone.contains(c)).map(Some).collect();
        // In echelon form the lines of the quantified dimensions are unit rows, and nothing else is left in their columns.
        let other: Vec<bool> = self.gens.lin.iter().map(|l| keep.iter().flatten().any(|&c| !l[c].is_zero())).collect();
        self.gens.lin.retain(|i| other[i]);
        for mat in [&mut self.cons.lin, &mut self.cons.ray, &mut self.gens.lin, &mut self.gens.ray] {
            *mat = mat.select(&keep);
        }
        if lines.lin.rows() != gone.len() {
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
        let mut equality = e.to_vec();
        equality.iter_mut().for_each(T::negate);
        equality[at] = T::one();
        out.cons.lin.push(&equality);
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

    /// The product with the whole space in the columns where `from` is `None`.
    pub fn with_free(&self, from: &[Option<usize>]) -> Dd<T> {
        let side = |s: &Side<T>| Side { lin: s.lin.select(from), ray: s.ray.select(from) };
        let mut out = Dd { cons: side(&self.cons), gens: side(&self.gens), sat: self.sat.clone() };
        let cols = from.len();
        (0..cols).filter(|&j| from[j].is_none()).for_each(|j| out.gens.lin.push(&unit(cols, j)));
        // Unit rows of new columns are independent of the others: sorting by pivot restores the echelon form.
        out.gens.lin.sort_by_key(|row| super::minimize::pivot_column(row));
        out
    }

    /// The product of two polyhedra in `cols` columns; `left[j]` and `right[j]` say which column of the argument column `j` is
    /// (column 0 belongs to both).
    pub fn product(&self, other: &Dd<T>, left: &[Option<usize>], right: &[Option<usize>]) -> Result<Dd<T>, Overflow> {
        let cols = left.len();
        let (mut cons, mut gens) = (Side::new(cols), Side::new(cols));
        for (from, map) in [(self, left), (other, right)] {
            cons.lin.append(&from.cons.lin.select(map));
            gens.lin.append(&from.gens.lin.select(map));
        }
        // Columns: the left inequalities, the right ones, positivity if it is a facet of both.
        let facets = |dd: &Dd<T>| (0..dd.cons.ray.rows()).filter(|&i| !Self::is_positivity(dd.cons.ray.row(i))).collect::<Vec<_>>();
        let (fl, fr) = (facets(self), facets(other));
        let positivity = fl.len() < self.cons.ray.rows() && fr.len() < other.cons.ray.rows();
        let (cl, cr) = (self.cons.ray.select(left), other.cons.ray.select(right));
        fl.iter().for_each(|&i| cons.ray.push(cl.row(i)));
        fr.iter().for_each(|&i| cons.ray.push(cr.row(i)));
        if positivity {
            cons.ray.push(&unit(cols, 0));
        }
        let total = cons.ray.rows();
        let (gl, gr) = (self.gens.ray.select(left), other.gens.ray.select(right));
        let is_ray = |g: &Mat<T>, i: usize| g.row(i)[0].is_zero();
        let mut rows: Vec<(Option<usize>, Option<usize>)> = Vec::new();
        rows.extend((0..gl.rows()).filter(|&i| is_ray(&gl, i)).map(|i| (Some(i), None)));
        rows.extend((0..gr.rows()).filter(|&i| is_ray(&gr, i)).map(|i| (None, Some(i))));
        for i in (0..gl.rows()).filter(|&i| !is_ray(&gl, i)) {
            rows.extend((0..gr.rows()).filter(|&j| !is_ray(&gr, j)).map(|j| (Some(i), Some(j))));
        }
        let mut sat = Bits::new(rows.len(), total);
        let mut scratch = Vec::with_capacity(cols);
        for (r, (i, j)) in rows.iter().enumerate() {
            match (i, j) {
                (Some(i), Some(j)) => {
                    // (d₁, v₁) and (d₂, v₂) give d₂·(d₁, v₁, 0) + d₁·(0, 0, v₂).
                    let (a, b) = (gl.row(*i), gr.row(*j));
                    let mut tail = b.to_vec();
                    tail[0] = T::zero();
                    scratch.clear();
                    T::combine(&b[0].lift(), a, &a[0].lift(), &tail, &mut scratch)?;
                    gens.ray.push(&scratch);
                }
                (Some(i), None) => gens.ray.push(gl.row(*i)),
                (None, Some(j)) => gens.ray.push(gr.row(*j)),
                (None, None) => {}
            }
            for (c, f) in fl.iter().enumerate() {
                if i.is_none_or(|i| self.sat.get(i, *f)) {
                    sat.set(r, c);
                }
            }
            for (c, f) in fr.iter().enumerate() {
                if j.is_none_or(|j| other.sat.get(j, *f)) {
                    sat.set(r, fl.len() + c);
                }
            }
            if positivity && (i.is_none() || j.is_none()) {
                sat.set(r, total - 1);
            }
        }
        Ok(Dd { cons, gens, sat })
    }

    /// The groups of columns that the constraints relate, each sorted, in order of their first column. Columns that no
    /// constraint mentions are in no group. Because both sides are reduced, this is the finest decomposition into a product.
    pub fn components(&self) -> Vec<Vec<usize>> {
        let cols = self.cols();
        if self.is_one_component() {
            return vec![(1..cols).collect()];
        }
        let mut root: Vec<usize> = (0..cols).collect();
        let mut used = vec![false; cols];
        fn find(root: &mut [usize], mut i: usize) -> usize {
            while root[i] != i {
                root[i] = root[root[i]];
                i = root[i];
            }
            i
        }
        for row in self.cons.lin.iter().chain(self.cons.ray.iter()) {
            let mut first = None;
            for c in (1..cols).filter(|&c| !row[c].is_zero()) {
                used[c] = true;
                match first {
                    None => first = Some(find(&mut root, c)),
                    Some(f) => {
                        let g = find(&mut root, c);
                        root[g.max(f)] = g.min(f);
                        first = Some(g.min(f));
                    }
                }
            }
        }
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); cols];
        for c in (1..cols).filter(|&c| used[c]) {
            groups[find(&mut root, c)].push(c);
        }
        groups.retain(|g| !g.is_empty());
        groups
    }

    /// Whether all columns are related; a quick test that may say no for wide rows.
    fn is_one_component(&self) -> bool {
        let cols = self.cols();
        if !(2..=64).contains(&cols) {
            return false;
        }
        let mask = |row: &[T]| (1..cols).filter(|&c| !row[c].is_zero()).fold(0u64, |m, c| m | 1 << c);
        let all = (u64::MAX >> (64 - cols)) & !1;
        let mut reached = 2;
        loop {
            let rows = self.cons.lin.iter().chain(self.cons.ray.iter());
            let next = rows.fold(reached, |r, row| if mask(row) & r != 0 { r | mask(row) } else { r });
            if next == all || next == reached {
                // Column 1 alone is a component only if something constrains it.
                return next == all && (cols > 2 || !self.cons.lin.is_empty() || self.cons.ray.iter().any(|r| mask(r) != 0));
            }
            reached = next;
        }
    }

    /// The factor of the group of columns `group`, one of [`Dd::components`].
    pub fn factor(&self, group: &[usize]) -> Dd<T> {
        let map: Vec<Option<usize>> = [Some(0)].into_iter().chain(group.iter().copied().map(Some)).collect();
        let cols = map.len();
        let touches = |row: &[T]| group.iter().any(|&c| !row[c].is_zero());
        let (mut cons, mut gens) = (Side::new(cols), Side::new(cols));
        let pick = |from: &Mat<T>, to: &mut Mat<T>| {
            for row in from.iter().filter(|r| touches(r)) {
                to.push(&map.iter().flatten().map(|&c| row[c].clone()).collect::<Vec<_>>());
            }
        };
        pick(&self.cons.lin, &mut cons.lin);
        pick(&self.gens.lin, &mut gens.lin);
        let facets: Vec<usize> = (0..self.cons.ray.rows()).filter(|&i| touches(self.cons.ray.row(i))).collect();
        pick(&self.cons.ray, &mut cons.ray);
        let mut seen: BTreeSet<Vec<T>> = BTreeSet::new();
        let mut origin: Vec<usize> = Vec::new();
        for (i, row) in self.gens.ray.iter().enumerate() {
            let mut projected: Vec<T> = map.iter().flatten().map(|&c| row[c].clone()).collect();
            if projected.iter().all(T::is_zero) {
                continue;
            }
            T::normalize(&mut projected);
            if seen.insert(projected.clone()) {
                gens.ray.push(&projected);
                origin.push(i);
            }
        }
        let mut sat = Bits::new(origin.len(), facets.len() + 1);
        let is_ray: Vec<bool> = (0..origin.len()).map(|r| gens.ray.row(r)[0].is_zero()).collect();
        for (r, &i) in origin.iter().enumerate() {
            facets.iter().enumerate().filter(|(_, f)| self.sat.get(i, **f)).for_each(|(c, _)| sat.set(r, c));
            if is_ray[r] {
                sat.set(r, facets.len());
            }
        }
        let by_facet = sat.transposed();
        let implied = (0..facets.len()).any(|f| subset(by_facet.row(facets.len()), by_facet.row(f)));
        if implied {
            let mut narrow = Bits::new(origin.len(), facets.len());
            for r in 0..origin.len() {
                (0..facets.len()).filter(|&c| sat.get(r, c)).for_each(|c| narrow.set(r, c));
            }
            sat = narrow;
        } else {
            cons.ray.push(&unit(cols, 0));
        }
        Dd { cons, gens, sat }
    }
}

/// The unit row of column `j`.
fn unit<T: Coef>(cols: usize, j: usize) -> Vec<T> {
    let mut row = vec![T::zero(); cols];
    row[j] = T::one();
    row
}

/// Adds `new` to the source side and brings the generated side and its saturation up to date. Returns the saturation seen from
/// the source, or `None` if nothing has changed.
fn add<T: Coef>(source: &mut Side<T>, target: &mut Side<T>, sat: &mut Bits, new: &Side<T>) -> Result<Option<Bits>, Overflow> {
    let (lines, equalities) = (target.lin.rows(), source.lin.rows());
    sat.grow_cols(source.ray.rows() + new.ray.rows());
    let mut scratch = T::borrow_scratch();
    let mut t = Target { lines: &mut target.lin, rays: &mut target.ray, sat };
    let mut changed = false;
    for c in new.lin.iter() {
        if add_constraint(&mut t, c, None, source.lin.rows(), &mut scratch)? == Effect::Cut {
            source.lin.push(c);
            changed = true;
        }
    }
    for c in new.ray.iter() {
        if add_constraint(&mut t, c, Some(source.ray.rows()), source.lin.rows(), &mut scratch)? == Effect::Cut {
            source.ray.push(c);
            changed = true;
        }
    }
    T::return_scratch(scratch);
    sat.grow_cols(source.ray.rows());
    if !changed {
        return Ok(None);
    }
    let by_source = minimize_source(&mut source.lin, &mut source.ray, sat, target.lin.rows())?;
    if source.lin.rows() != equalities {
        source.reduce()?;
    } else {
        reduce_by(&source.lin, &mut source.ray)?;
    }
    if target.lin.rows() != lines {
        target.reduce()?;
    }
    Ok(Some(by_source))
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
