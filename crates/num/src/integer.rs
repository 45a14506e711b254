//! Integer solutions of linear constraints.
//!
//! Equations are solved first, exactly: a unimodular change of variables (Euclid's algorithm on the coefficients) turns each
//! into a definition of one variable, or shows that it has no integer solution. What is left are inequalities, searched by
//! rounding and branch and bound over the exact simplex.

use std::collections::VecDeque;

use crate::int::Int;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr, Point};
use crate::rat::Rat;
use crate::simplex::{solve, Feasibility};

/// An integer solution of the constraints, if one was found within a fixed effort.
///
/// ```
/// use plumb_num::{integer, Dim, LinCons, LinExpr};
/// let (x, y) = (LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
/// let cs = [LinCons::eq(x.scaled(&7.into()), y.scaled(&5.into()) + 1.into()), LinCons::ge(x.clone(), 1000.into())];
/// let p = integer::point(&cs).unwrap();
/// assert!(cs.iter().all(|c| c.holds(&p)));
/// ```
pub fn point(cs: &[LinCons]) -> Option<Point> {
    let (definitions, rest) = eliminate_equations(cs)?;
    let mut point = search(&rest)?;
    for (x, e) in definitions.iter().rev() {
        let v = e.eval(&point);
        point.insert(*x, v);
    }
    for x in cs.iter().flat_map(|c| c.expr().dims()) {
        point.entry(x).or_insert(Int::ZERO);
    }
    Some(point)
}

/// Variables and what they stand for.
type Definitions = Vec<(Dim, LinExpr)>;

/// Definitions `x := e` to be evaluated in reverse order, and the constraints that are left, without equations. In a
/// definition of `x` by an expression with `x`, the `x` on the right is the variable that took its place. `None` if the
/// equations have no integer solution.
fn eliminate_equations(cs: &[LinCons]) -> Option<(Definitions, Vec<LinCons>)> {
    let mut rest: Vec<LinCons> = cs.to_vec();
    let mut definitions = Vec::new();
    loop {
        rest.retain(|c| !c.is_always());
        if rest.iter().any(LinCons::is_never) {
            return None;
        }
        let Some(at) = rest.iter().position(|c| c.kind() == ConsKind::Eq) else { return Some((definitions, rest)) };
        let e = rest[at].expr();
        // The smallest coefficient; a normalised equation has one.
        let (x, a) = e.terms().iter().min_by_key(|t| t.1.abs())?.clone();
        let by = if a.abs().is_one() {
            // x = -(e - a·x)/a
            let others = e.substitute(x, &LinExpr::default());
            others.scaled(&-&a)
        } else {
            // x = x' - Σ ⌊aⱼ/a⌋·xⱼ leaves a·x' + Σ (aⱼ mod a)·xⱼ.
            let quotients = e.terms().iter().filter(|t| t.0 != x).map(|(d, c)| (*d, -c.div_floor(&a)));
            LinExpr::new(quotients.chain([(x, Int::ONE)]), 0)
        };
        rest = rest.iter().map(|c| LinCons::new(c.expr().substitute(x, &by), c.kind())).collect();
        definitions.push((x, by));
    }
}

/// Branch and bound, breadth first: an unbounded polyhedron has infinite branches without integer points.
fn search(cs: &[LinCons]) -> Option<Point> {
    const NODES: usize = 100;
    let mut open: VecDeque<Vec<LinCons>> = VecDeque::from([Vec::new()]);
    let convex: Vec<LinCons> = cs.iter().filter(|c| c.kind() != ConsKind::Ne).cloned().collect();
    for _ in 0..NODES {
        let branch = open.pop_front()?;
        let all: Vec<LinCons> = convex.iter().chain(&branch).cloned().collect();
        let Feasibility::Feasible(p) = solve(&all) else { continue };
        let rounded: Point = p.iter().map(|(d, v)| (*d, (v + &Rat::new(Int::ONE, Int::new(2))).floor())).collect();
        if cs.iter().all(|c| c.holds(&rounded)) {
            return Some(rounded);
        }
        let with = |c: LinCons| branch.iter().cloned().chain([c]).collect::<Vec<_>>();
        if let Some((x, v)) = p.iter().find(|(_, v)| !v.is_integer()) {
            open.push_back(with(LinCons::ge(LinExpr::var(*x), LinExpr::constant(v.ceil()))));
            open.push_back(with(LinCons::le(LinExpr::var(*x), LinExpr::constant(v.floor()))));
        } else if let Some(violated) = cs.iter().find(|c| !c.holds(&rounded)) {
            open.extend(violated.cases().into_iter().map(with));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(800))]
        #[test]
        fn points_solve_and_equations_are_decided(
            rows in proptest::collection::vec((proptest::collection::vec(-6i64..7, 4), 0..3), 1..4),
            centre in proptest::collection::vec(-9i64..10, 4), shift in 0i64..2,
        ) {
            // Constraints through a known integer point; with a shift, the equations may have no solution.
            let cs: Vec<LinCons> = rows.iter().map(|(coefs, kind)| {
                let at: i64 = coefs.iter().zip(&centre).map(|(a, b)| a * b).sum();
                let e = LinExpr::new(coefs.iter().enumerate().map(|(i, c)| (Dim(i as u32), *c)), shift - at);
                LinCons::new(e, if *kind == 0 { ConsKind::Eq } else { ConsKind::Ge })
            }).collect();
            match point(&cs) {
                Some(p) => prop_assert!(cs.iter().all(|c| c.holds(&p))),
                None => prop_assert!(shift != 0 || cs.iter().any(|c| c.kind() == ConsKind::Ge)),
            }
        }
    }

    #[test]
    fn branching_and_disequality() {
        let (x, y) = (LinExpr::var(Dim(0)), LinExpr::var(Dim(1)));
        // 3x = 2y + 1 forces an odd x.
        let cs = [
            LinCons::eq(x.scaled(&3.into()), y.scaled(&2.into()) + LinExpr::constant(1)),
            LinCons::ge(x.clone(), 2.into()),
            LinCons::le(x.clone(), 4.into()),
        ];
        assert_eq!(point(&cs), Some(Point::from([(Dim(0), 3.into()), (Dim(1), 4.into())])));
        let cs = [LinCons::ge(x.clone(), 0.into()), LinCons::le(x.clone(), 1.into()), LinCons::ne(x, 0.into())];
        assert_eq!(point(&cs), Some(Point::from([(Dim(0), 1.into())])));
    }
}
