//! Products of double descriptions and their factors.

use std::collections::BTreeSet;

use super::coef::{Coef, Overflow};
use super::dd::{unit, Dd, Side};
use super::mat::{subset, Bits, Mat};

impl<T: Coef> Dd<T> {
    /// The product with the whole space in the columns where `from` is `None`.
    pub fn with_free(&self, from: &[Option<usize>]) -> Dd<T> {
        let side = |s: &Side<T>| Side { lin: s.lin.select(from), ray: s.ray.select(from) };
        let mut out = Dd { cons: side(&self.cons), gens: side(&self.gens), sat: self.sat.clone() };
        let cols = from.len();
        if self.has_generators() {
            (0..cols).filter(|&j| from[j].is_none()).for_each(|j| out.gens.lin.push(&unit(cols, j)));
        }
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

    /// The same product without generators, whose number is the product of those of the arguments.
    pub fn constraint_product(&self, other: &Dd<T>, left: &[Option<usize>], right: &[Option<usize>]) -> Dd<T> {
        let mut cons = Side::new(left.len());
        for (from, map) in [(self, left), (other, right)] {
            cons.lin.append(&from.cons.lin.select(map));
            cons.ray.append(&from.cons.ray.select(map));
        }
        // Rows of different factors share no column but the first, so sorting by pivot restores the echelon form.
        cons.lin.sort_by_key(|row| super::minimize::pivot_column(row));
        let facet: Vec<bool> = cons.ray.iter().map(|row| !Self::is_positivity(row)).collect();
        cons.ray.retain(|i| facet[i]);
        Dd::without_generators(cons)
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
        if !self.has_generators() {
            return Dd::without_generators(cons);
        }
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
