//! An exact simplex: feasibility over the rationals with a point or a Farkas certificate.
//!
//! The general simplex of Dutertre and de Moura (CAV 2006): one slack variable per constraint, `s = Σ aⱼxⱼ`, bounded by
//! the constant; `x` are free. Bland's rule makes it terminate. Every step is exact. It is meant for certificates and
//! single questions; the polyhedra do their own inclusion tests on generators.

use std::collections::BTreeMap;

use crate::int::Int;
use crate::linear::{ConsKind, Dim, LinCons};
use crate::rat::Rat;

/// The answer of [`solve`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feasibility {
    /// A rational solution; dimensions that are absent are zero.
    Feasible(BTreeMap<Dim, Rat>),
    /// Integer multipliers `mᵢ` of the constraints `eᵢ ⋈ 0`, non-negative for inequalities, such that `Σ mᵢ·eᵢ` is a
    /// negative constant.
    Infeasible(Vec<Int>),
}

/// Decides a conjunction of `≥` and `=` over the rationals. Constraints with `≠` are ignored.
///
/// ```
/// use plumb_num::{simplex, Dim, LinCons, LinExpr};
/// let x = LinExpr::var(Dim(0));
/// let cs = [LinCons::ge(x.clone(), 3.into()), LinCons::le(x, 2.into())];
/// assert_eq!(simplex::solve(&cs), simplex::Feasibility::Infeasible(vec![1.into(), 1.into()]));
/// ```
pub fn solve(cs: &[LinCons]) -> Feasibility {
    Tableau::new(cs).solve()
}

/// Rows express basic variables by non-basic ones. Variables `0..n` are the dimensions, `n..n+m` the slacks.
struct Tableau {
    dims: Vec<Dim>,
    lower: Vec<Option<Rat>>,
    upper: Vec<Option<Rat>>,
    value: Vec<Rat>,
    /// `basic[r]` is the variable of row `r`.
    basic: Vec<usize>,
    /// `nonbasic[c]` is the variable of column `c`.
    nonbasic: Vec<usize>,
    rows: Vec<Vec<Rat>>,
}

impl Tableau {
    fn new(cs: &[LinCons]) -> Tableau {
        let mut dims: Vec<Dim> = cs.iter().flat_map(|c| c.expr().dims().collect::<Vec<_>>()).collect();
        dims.sort();
        dims.dedup();
        let n = dims.len();
        let mut t = Tableau {
            lower: vec![None; n],
            upper: vec![None; n],
            value: vec![Rat::ZERO; n + cs.len()],
            basic: (n..n + cs.len()).collect(),
            nonbasic: (0..n).collect(),
            rows: Vec::with_capacity(cs.len()),
            dims,
        };
        for c in cs {
            let mut row = vec![Rat::ZERO; n];
            for (d, a) in c.expr().terms() {
                if let Ok(j) = t.dims.binary_search(d) {
                    row[j] = Rat::from(a.clone());
                }
            }
            t.rows.push(row);
            let bound = Rat::from(-c.expr().constant_part());
            t.upper.push((c.kind() == ConsKind::Eq).then(|| bound.clone()));
            t.lower.push((c.kind() != ConsKind::Ne).then_some(bound));
        }
        t
    }

    fn solve(mut self) -> Feasibility {
        loop {
            let Some((r, below)) = self.violated_row() else { return self.point() };
            let Some(c) = self.entering(r, below) else { return Feasibility::Infeasible(self.certificate(r, below)) };
            let target = if below { self.lower[self.basic[r]].clone() } else { self.upper[self.basic[r]].clone() };
            self.pivot(r, c, target.unwrap_or(Rat::ZERO));
        }
    }

    /// The violated basic variable of least index (Bland), and whether it is below its lower bound.
    fn violated_row(&self) -> Option<(usize, bool)> {
        (0..self.basic.len())
            .filter_map(|r| {
                let v = self.basic[r];
                if self.lower[v].as_ref().is_some_and(|l| self.value[v] < *l) {
                    Some((r, true))
                } else if self.upper[v].as_ref().is_some_and(|u| self.value[v] > *u) {
                    Some((r, false))
                } else {
                    None
                }
            })
            .min_by_key(|(r, _)| self.basic[*r])
    }

    /// The non-basic variable of least index that can move the row's variable towards its bound.
    fn entering(&self, r: usize, below: bool) -> Option<usize> {
        (0..self.nonbasic.len())
            .filter(|&c| {
                let (v, s) = (self.nonbasic[c], self.rows[r][c].signum());
                let up = (s > 0) == below;
                s != 0
                    && if up {
                        self.upper[v].as_ref().is_none_or(|u| self.value[v] < *u)
                    } else {
                        self.lower[v].as_ref().is_none_or(|l| self.value[v] > *l)
                    }
            })
            .min_by_key(|&c| self.nonbasic[c])
    }

    /// Swaps the variables of row `r` and column `c` and sets the leaving one to `target`.
    fn pivot(&mut self, r: usize, c: usize, target: Rat) {
        let (out, inc) = (self.basic[r], self.nonbasic[c]);
        let a = self.rows[r][c].clone();
        let step = &(&target - &self.value[out]) / &a;
        self.value[out] = target;
        self.value[inc] = &self.value[inc] + &step;
        for q in 0..self.rows.len() {
            if q != r && !self.rows[q][c].is_zero() {
                let b = self.basic[q];
                self.value[b] = &self.value[b] + &(&self.rows[q][c] * &step);
            }
        }
        // x_out = a·x_inc + rest  ⇒  x_inc = x_out/a - rest/a
        let inverse = &Rat::ONE / &a;
        let mut pivot_row = std::mem::take(&mut self.rows[r]);
        for (j, x) in pivot_row.iter_mut().enumerate() {
            *x = if j == c { inverse.clone() } else { -&(&*x * &inverse) };
        }
        for (q, row) in self.rows.iter_mut().enumerate() {
            if q == r || row[c].is_zero() {
                continue;
            }
            let factor = std::mem::replace(&mut row[c], Rat::ZERO);
            for (x, p) in row.iter_mut().zip(&pivot_row) {
                if !p.is_zero() {
                    *x = &*x + &(p * &factor);
                }
            }
        }
        self.rows[r] = pivot_row;
        self.basic[r] = inc;
        self.nonbasic[c] = out;
    }

    /// The row's variable `s` cannot reach its bound: `s - Σ βⱼnⱼ = 0` with every `nⱼ` at the bound that blocks it.
    fn certificate(&self, r: usize, below: bool) -> Vec<Int> {
        let n = self.dims.len();
        let mut rational = vec![Rat::ZERO; self.value.len() - n];
        let one = if below { Rat::ONE } else { -&Rat::ONE };
        rational[self.basic[r] - n] = one.clone();
        for (c, b) in self.rows[r].iter().enumerate() {
            if !b.is_zero() {
                rational[self.nonbasic[c] - n] = -&(b * &one);
            }
        }
        let scale = rational.iter().fold(Int::ONE, |l, q| l.lcm(q.den()));
        let scaled: Vec<Int> = rational.iter().map(|q| q.num() * &scale.div_exact(q.den())).collect();
        let g = scaled.iter().fold(Int::ZERO, |g, m| g.gcd(m));
        scaled.iter().map(|m| m.div_exact(&g)).collect()
    }

    fn point(self) -> Feasibility {
        Feasibility::Feasible(self.dims.iter().copied().zip(self.value).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::LinExpr;
    use proptest::prelude::*;

    fn constraints() -> impl Strategy<Value = Vec<LinCons>> {
        let one = (proptest::collection::vec(-4i64..5, 4), -9i64..10, 0..5).prop_map(|(cs, k, kind)| {
            let e = LinExpr::new(cs.into_iter().enumerate().map(|(i, c)| (Dim(i as u32), c)), k);
            LinCons::new(e, if kind == 0 { ConsKind::Eq } else { ConsKind::Ge })
        });
        proptest::collection::vec(one, 0..9)
    }

    fn at(e: &LinExpr, p: &BTreeMap<Dim, Rat>) -> Rat {
        e.terms().iter().fold(Rat::from(e.constant_part().clone()), |s, (d, c)| &s + &(&Rat::from(c.clone()) * &p[d]))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn every_answer_carries_its_proof(cs in constraints()) {
            match solve(&cs) {
                Feasibility::Feasible(p) => for c in &cs {
                    let v = at(c.expr(), &p);
                    let ok = v.is_zero() || (c.kind() == ConsKind::Ge && v.signum() > 0);
                    prop_assert!(ok);
                },
                Feasibility::Infeasible(m) => {
                    let sum = cs.iter().zip(&m).fold(LinExpr::default(), |s, (c, m)| s.plus_scaled(c.expr(), m));
                    prop_assert!(sum.as_constant().is_some_and(Int::is_negative));
                    prop_assert!(cs.iter().zip(&m).all(|(c, m)| c.kind() == ConsKind::Eq || !m.is_negative()));
                }
            }
        }
    }
}
