//! A non-empty convex polyhedron in minimal double description.
//!
//! A polyhedron in n dimensions is the section at 1 of a cone in n + 1 dimensions. Column 0 is the homogeneous coordinate:
//! the constraint `k + Σ aᵢxᵢ ⋈ 0` is the row `(k, a₁, …, aₙ)`, a point `v/d` is `(d, v₁, …, vₙ)` with `d > 0`, a ray or line
//! `(0, v₁, …, vₙ)`. The constraint `1 ≥ 0` (*positivity*, the row `(1, 0, …, 0)`) is kept where it is a facet of the cone.
//!
//! A description may be *without generators*: it then has the constraints of a non-empty polyhedron that satisfy the
//! invariants below, except that positivity may be missing. [`Dd::converted`] adds the other side. Or it may be *without
//! constraints*: it then has some generators, perhaps redundant, among them a point; see [`Dd::from_generators`].
//!
//! Invariants: both sides are irredundant; linear parts are in reduced row echelon form and their pivot columns are
//! zero in the other rows of the side, so each side is unique up to the order of rows; `sat` is exact; there is a point.

use super::coef::{Coef, Overflow};
use super::convert::{add_constraint, Effect, Target};
use super::mat::{Bits, Mat};
use super::minimize::{minimize_source, reduce_by, row_echelon};

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

    pub fn reduce(&mut self) -> Result<(), Overflow> {
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

    /// The non-empty polyhedron of irredundant and reduced constraints, without generators.
    pub fn without_generators(cons: Side<T>) -> Self {
        let gens = Side::new(cons.ray.cols());
        let sat = Bits::new(0, cons.ray.rows());
        Dd { cons, gens, sat }
    }

    /// What generators with a point generate, without constraints.
    pub fn without_constraints(gens: Side<T>) -> Self {
        let cons = Side::new(gens.ray.cols());
        let sat = Bits::new(gens.ray.rows(), 0);
        Dd { cons, gens, sat }
    }

    /// Whether the constraints are there: a cone with a point is not the whole space.
    pub fn has_constraints(&self) -> bool {
        !self.cons.ray.is_empty() || !self.cons.lin.is_empty()
    }

    /// The full description of what generators generate; there is a point among them.
    pub fn from_generators(gens: &Side<T>) -> Result<Self, Overflow> {
        let cols = gens.ray.cols();
        // The cone of the origin: every hyperplane is an equality. The point makes the first one, positivity, an inequality.
        let mut cons = Side::new(cols);
        (0..cols).for_each(|j| cons.lin.push(&unit(cols, j)));
        let mut out = Dd { cons, gens: Side::new(cols), sat: Bits::new(0, 0) };
        let (mut points, mut others) = (Side::new(cols), Side::new(cols));
        gens.ray.iter().for_each(|g| if g[0].is_zero() { &mut others } else { &mut points }.ray.push(g));
        others.lin.append(&gens.lin);
        points.ray.append(&others.ray);
        points.lin = others.lin;
        out.add_generators(&points)?;
        out.reduce()?;
        Ok(out)
    }

    /// The generators in chosen columns, which is a projection, without constraints.
    pub fn generators_in(&self, from: &[Option<usize>]) -> Self {
        let mut gens = Side { lin: self.gens.lin.select(from), ray: self.gens.ray.select(from) };
        for mat in [&mut gens.lin, &mut gens.ray] {
            (0..mat.rows()).for_each(|i| T::normalize(mat.row_mut(i)));
            let there: Vec<bool> = mat.iter().map(|row| row.iter().any(|v| !v.is_zero())).collect();
            mat.retain(|i| there[i]);
        }
        Dd::without_constraints(gens)
    }

    /// Whether the generators are there: a polyhedron that is not empty has a point.
    pub fn has_generators(&self) -> bool {
        !self.gens.ray.is_empty()
    }

    /// The full description of what the constraints say.
    pub fn converted(&self) -> Result<Self, Overflow> {
        let mut out = Dd::universe(self.cols());
        let nonempty = out.add_constraints(&self.cons)?;
        debug_assert!(nonempty, "a description without generators is of a non-empty polyhedron");
        Ok(out)
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
}

/// The unit row of column `j`.
pub(super) fn unit<T: Coef>(cols: usize, j: usize) -> Vec<T> {
    let mut row = vec![T::zero(); cols];
    row[j] = T::one();
    row
}

#[cfg(test)]
thread_local! {
    /// How often this thread has brought one side up to date with the other.
    pub static CONVERSIONS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Adds `new` to the source side and brings the generated side and its saturation up to date. Returns the saturation seen from
/// the source, or `None` if nothing has changed.
fn add<T: Coef>(source: &mut Side<T>, target: &mut Side<T>, sat: &mut Bits, new: &Side<T>) -> Result<Option<Bits>, Overflow> {
    #[cfg(test)]
    CONVERSIONS.set(CONVERSIONS.get() + 1);
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
