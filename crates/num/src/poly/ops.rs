//! The operations on blocks, each for any coefficients.

use super::any::{to_row, Op};
use super::block::columns;
use super::coef::{Coef, Overflow};
use super::cuts::Cut;
use super::dd::{Dd, Side};
use super::mat::Mat;
use super::widen::h79;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr};

/// Intersects with constraints over `dims`: rows, and those of the further arguments, which are the blocks among the cuts.
pub struct Intersect<'a> {
    pub dims: &'a [Dim],
    pub cuts: &'a [Cut],
}

impl Op for Intersect<'_> {
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow> {
        let mut side = Side::new(self.dims.len() + 1);
        let mut blocks = args[1..].iter();
        for cut in self.cuts {
            match cut {
                Cut::Row(c) => {
                    let mut row: Vec<T> = to_row(&c.0, self.dims)?;
                    T::normalize(&mut row);
                    match c.1 {
                        ConsKind::Eq => side.lin.push(&row),
                        ConsKind::Ge => side.ray.push(&row),
                        ConsKind::Ne => {}
                    }
                }
                Cut::Block(b) => {
                    if let Some(arg) = blocks.next() {
                        let map = columns(b, self.dims);
                        side.lin.append(&arg.cons.lin.select(&map));
                        side.ray.append(&arg.cons.ray.select(&map));
                    }
                }
            }
        }
        let mut dd = args[0].roomy_clone();
        Ok(dd.add_constraints(&side)?.then_some(dd))
    }
}

/// The hull of what the arguments generate. The first, if it is a `base`, has constraints and is projected on the columns
/// that are not `quantified`.
pub struct Generated<'a> {
    pub base: bool,
    pub quantified: &'a [usize],
}

impl Op for Generated<'_> {
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow> {
        let (base, more) = args.split_at(usize::from(self.base));
        if let ([base], [more], []) = (base, more, self.quantified) {
            let mut dd = base.roomy_clone();
            dd.add_generators(&more.gens)?;
            return Ok(Some(dd));
        }
        let mut new = Side::new(args[0].cols() - self.quantified.len());
        for dd in more {
            new.lin.append(&dd.gens.lin);
            new.ray.append(&dd.gens.ray);
        }
        let [base] = base else { return Dd::from_generators(&new).map(Some) };
        let mut dd = base.roomy_clone();
        if self.quantified.is_empty() {
            dd.add_generators(&new)?;
        } else {
            dd.forget_and_join(self.quantified, &new)?;
        }
        Ok(Some(dd))
    }
}

/// The generators in chosen columns, which is a projection, without constraints.
pub struct GeneratorsOf<'a>(pub &'a [Option<usize>]);

impl Op for GeneratorsOf<'_> {
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow> {
        Ok(Some(args[0].generators_in(self.0)))
    }
}

/// The generators of all arguments, without constraints.
pub struct AllGenerators;

impl Op for AllGenerators {
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow> {
        let mut gens = Side::new(args[0].cols());
        for dd in args {
            gens.lin.append(&dd.gens.lin);
            gens.ray.append(&dd.gens.ray);
        }
        Ok(Some(Dd::without_constraints(gens)))
    }
}

/// The widening of the first by the second, of which the constraints suffice; `None` if that is the second.
pub struct Widen;

impl Op for Widen {
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow> {
        Ok(h79(args[0], args[1]))
    }
}

/// Quantifies the dimensions of the given columns and removes them.
pub struct Forget<'a>(pub &'a [usize]);

impl Op for Forget<'_> {
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow> {
        let mut dd = args[0].clone();
        dd.forget(self.0)?;
        Ok(Some(dd))
    }
}

/// The same where equalities define the dimensions; `None` if they do not.
pub struct ForgetDefined<'a>(pub &'a [usize]);

impl Op for ForgetDefined<'_> {
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow> {
        if self.0.iter().any(|&g| args[0].cons.lin.iter().all(|row| row[g].is_zero())) {
            return Ok(None);
        }
        let mut dd = args[0].clone();
        Ok(dd.forget_defined(self.0)?.then_some(dd))
    }
}

/// Adds a dimension with the value of an expression; `dims` are the old dimensions and the new one.
pub struct Define<'a> {
    pub dims: &'a [Dim],
    pub x: Dim,
    pub expr: &'a LinExpr,
}

impl Op for Define<'_> {
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow> {
        if self.dims.len() >= T::MAX_COLS {
            return Err(Overflow);
        }
        let row: Vec<T> = to_row(self.expr, self.dims)?;
        let at = 1 + self.dims.partition_point(|d| *d < self.x);
        args[0].define(at, &row).map(Some)
    }
}

/// The image of `x := e` for an expression over `dims` in which `x` occurs.
pub struct AssignInvertible<'a> {
    pub dims: &'a [Dim],
    pub x: Dim,
    pub expr: &'a LinExpr,
}

impl Op for AssignInvertible<'_> {
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow> {
        let row = to_row(self.expr, self.dims)?;
        let mut dd = args[0].clone();
        if let Ok(j) = self.dims.binary_search(&self.x) {
            dd.assign_invertible(j + 1, &row)?;
        }
        Ok(Some(dd))
    }
}

/// The preimage of `x := e` where `x` occurs in `e = a·x + r`: `x` becomes `(x - r)/a`.
pub struct PreimageInvertible<'a>(pub AssignInvertible<'a>);

impl Op for PreimageInvertible<'_> {
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow> {
        let row = to_row(self.0.expr, self.0.dims)?;
        let mut dd = args[0].clone();
        if let Ok(j) = self.0.dims.binary_search(&self.0.x) {
            dd.substitute_invertible(j + 1, &row)?;
        }
        Ok(Some(dd))
    }
}

/// Adds the generators to a description without.
pub struct Convert;

impl Op for Convert {
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow> {
        args[0].converted().map(Some)
    }
}

/// Reorders columns.
pub struct Permute<'a>(pub &'a [usize]);

impl Op for Permute<'_> {
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow> {
        args[0].permuted(self.0).map(Some)
    }
}

/// The product of two polyhedra; see [`Dd::product`].
pub struct Product<'a> {
    pub left: &'a [Option<usize>],
    pub right: &'a [Option<usize>],
}

impl Op for Product<'_> {
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow> {
        if self.left.len() > T::MAX_COLS {
            return Err(Overflow);
        }
        args[0].product(args[1], self.left, self.right).map(Some)
    }
}

/// The constraints of a polyhedron in wider columns, and those of a second one: their product without generators.
pub struct ConstraintProduct<'a> {
    pub left: &'a [Option<usize>],
    pub right: &'a [Option<usize>],
}

impl Op for ConstraintProduct<'_> {
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow> {
        if self.left.len() > T::MAX_COLS {
            return Err(Overflow);
        }
        Ok(Some(args[0].constraint_product(args[1], self.left, self.right)))
    }
}

/// The product with the whole space of new columns; see [`Dd::with_free`].
pub struct WithFree<'a>(pub &'a [Option<usize>]);

impl Op for WithFree<'_> {
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow> {
        if self.0.len() > T::MAX_COLS {
            return Err(Overflow);
        }
        Ok(Some(args[0].with_free(self.0)))
    }
}

/// Cuts every inequality down to the nearest one with integer points on its boundary (one round).
pub struct Tighten;

impl Op for Tighten {
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow> {
        let dims: Vec<Dim> = (0..args[0].cols() as u32 - 1).map(Dim).collect();
        let mut side = Side::new(args[0].cols());
        let tight = |m: &Mat<T>, kind: ConsKind, into: &mut Mat<T>| -> Result<bool, Overflow> {
            for row in m.iter().filter(|r| !Dd::is_positivity(r)) {
                let c = LinCons::new(super::any::to_expr(row, &dims), kind);
                if c.is_never() {
                    return Ok(false);
                }
                let new: Vec<T> = to_row(c.expr(), &dims)?;
                if new != row {
                    into.push(&new);
                }
            }
            Ok(true)
        };
        let mut ignored = Mat::new(args[0].cols());
        if !tight(&args[0].cons.lin, ConsKind::Eq, &mut ignored)? || !tight(&args[0].cons.ray, ConsKind::Ge, &mut side.ray)? {
            return Ok(None);
        }
        let mut dd = args[0].clone();
        Ok(dd.add_constraints(&side)?.then_some(dd))
    }
}
