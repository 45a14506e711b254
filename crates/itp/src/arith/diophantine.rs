//! Integer solvability of equations, with a certificate.
//!
//! Equations `Σ aᵢ·xᵢ + c = 0` are solved one after the other. After substitution of what is solved, an equation whose coefficients have a common
//! divisor that does not divide its constant has no solution; the multipliers of the given equations in it, divided by that
//! divisor, are the certificate (Schrijver, "Theory of Linear and Integer Programming", Corollary 4.1a). Otherwise it is solved for a
//! variable with coefficient ±1; where there is none, `x := t - Σ (aᵢ div aₖ)·xᵢ` introduces an integer `t`, whose coefficient is
//! the smallest one, and the remainders are smaller still (Griggio, "A practical approach to satisfiability modulo linear integer arithmetic",
//! JSAT 2012, Section 4.1).

use plumb_num::{Int, Rat};
use std::collections::BTreeMap;

/// `Σ terms + constant = 0`, which is `Σ multipliers·given equations`.
#[derive(Clone, Debug, Default)]
struct Equation {
    terms: BTreeMap<usize, Int>,
    constant: Int,
    multipliers: BTreeMap<usize, Rat>,
}

impl Equation {
    /// Adds `factor·other`.
    fn add(&mut self, factor: &Int, other: &Equation) {
        for (x, a) in &other.terms {
            add_to(&mut self.terms, *x, &(a * factor));
        }
        self.constant += &(&other.constant * factor);
        let factor = Rat::from(factor.clone());
        for (i, m) in &other.multipliers {
            let sum = match self.multipliers.get(i) {
                Some(old) => old + &(m * &factor),
                None => m * &factor,
            };
            if sum.is_zero() {
                self.multipliers.remove(i);
            } else {
                self.multipliers.insert(*i, sum);
            }
        }
    }

    fn divide(&mut self, g: &Int) {
        for a in self.terms.values_mut() {
            *a = a.div_exact(g);
        }
        self.constant = self.constant.div_exact(g);
        let g = Rat::from(g.clone());
        for m in self.multipliers.values_mut() {
            *m = &*m / &g;
        }
    }
}

fn add_to(terms: &mut BTreeMap<usize, Int>, x: usize, a: &Int) {
    let sum = match terms.get(&x) {
        Some(old) => old + a,
        None => a.clone(),
    };
    if sum.is_zero() {
        terms.remove(&x);
    } else {
        terms.insert(x, sum);
    }
}

/// What became of the equations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Outcome {
    /// They have an integer solution.
    Solvable,
    /// The sum of the given equations with these multipliers has integer coefficients and a constant that is not an integer.
    Unsolvable(Vec<(usize, Rat)>),
    /// It took more than the given number of steps.
    Exhausted,
}

/// Decides whether the equations `Σ terms + constant = 0` have an integer solution. `steps` limits the additions of terms and counts down.
pub(crate) fn solve(equations: impl IntoIterator<Item = (Vec<(usize, Int)>, Int)>, variables: usize, steps: &mut usize) -> Outcome {
    // Substitutions `x = …` as equations with coefficient ±1 for `x`; a later one is free of the variables of earlier ones.
    let mut solved: Vec<(usize, Equation)> = Vec::new();
    let mut solved_at: Vec<Option<usize>> = vec![None; variables];
    for (i, (terms, constant)) in equations.into_iter().enumerate() {
        let mut eq = Equation { terms: BTreeMap::new(), constant, multipliers: BTreeMap::from([(i, Rat::ONE)]) };
        for (x, a) in &terms {
            add_to(&mut eq.terms, *x, a);
        }
        while let Some(at) = eq.terms.keys().filter_map(|x| solved_at[*x]).min() {
            let (x, by) = &solved[at];
            let factor = -(&eq.terms[x] * &by.terms[x]);
            let cost = by.terms.len() + by.multipliers.len() + eq.terms.len();
            eq.add(&factor, by);
            match steps.checked_sub(cost) {
                Some(left) => *steps = left,
                None => return Outcome::Exhausted,
            }
        }
        loop {
            let g = eq.terms.values().fold(Int::ZERO, |g, a| g.gcd(a));
            if g.is_zero() {
                break;
            }
            if !g.divides(&eq.constant) {
                let g = Rat::from(g);
                return Outcome::Unsolvable(eq.multipliers.iter().map(|(i, m)| (*i, m / &g)).collect());
            }
            if !g.is_one() {
                eq.divide(&g);
            }
            let Some((&x, a)) = eq.terms.iter().min_by_key(|(x, a)| (a.abs(), **x)) else { break };
            let a = a.clone();
            if a.abs().is_one() {
                solved_at[x] = Some(solved.len());
                solved.push((x, eq));
                break;
            }
            let fresh = solved_at.len();
            solved_at.push(None);
            let mut definition = Equation::default();
            for (y, b) in &eq.terms {
                add_to(&mut definition.terms, *y, &b.div_floor(&a));
            }
            add_to(&mut definition.terms, fresh, &Int::MINUS_ONE);
            // The coefficient of x in the definition is one.
            match steps.checked_sub(2 * definition.terms.len()) {
                Some(left) => *steps = left,
                None => return Outcome::Exhausted,
            }
            eq.add(&-&a, &definition);
            solved_at[x] = Some(solved.len());
            solved.push((x, definition));
        }
    }
    Outcome::Solvable
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn system(rows: &[(&[i64], i64)]) -> Vec<(Vec<(usize, Int)>, Int)> {
        rows.iter().map(|(a, c)| (a.iter().enumerate().map(|(i, v)| (i, Int::from(*v))).collect(), Int::from(*c))).collect()
    }

    fn is_certificate(rows: &[(Vec<(usize, Int)>, Int)], multipliers: &[(usize, Rat)]) -> bool {
        let mut sums: BTreeMap<usize, Rat> = BTreeMap::new();
        let mut constant = Rat::ZERO;
        for (i, m) in multipliers {
            for (x, a) in &rows[*i].0 {
                let sum = sums.get(x).unwrap_or(&Rat::ZERO) + &(m * &Rat::from(a.clone()));
                sums.insert(*x, sum);
            }
            constant = &constant + &(m * &Rat::from(rows[*i].1.clone()));
        }
        sums.values().all(Rat::is_integer) && !constant.is_integer()
    }

    #[test]
    fn parity_across_equations() {
        // z = 2x, z = 2y + 1.
        let rows = system(&[(&[2, 0, -1], 0), (&[0, 2, -1], 1)]);
        let Outcome::Unsolvable(m) = solve(rows.clone(), 3, &mut 1000) else { panic!() };
        assert!(is_certificate(&rows, &m));
    }

    #[test]
    fn coprime_coefficients_are_solvable() {
        assert_eq!(solve(system(&[(&[6, 10, 15], 1)]), 3, &mut 1000), Outcome::Solvable);
        assert_eq!(solve(system(&[(&[6, 10, 15], 1), (&[1, 1, 1], 4)]), 3, &mut 1000), Outcome::Solvable);
    }

    proptest! {
        #[test]
        fn certificates_hold_and_solutions_are_not_excluded(
            rows in prop::collection::vec(prop::collection::vec(-7i64..8, 3), 1..4),
            point in prop::collection::vec(-9i64..9, 3), noise in prop::collection::vec(-2i64..3, 3),
        ) {
            let at = |a: &[i64]| -a.iter().zip(&point).map(|(a, x)| a * x).sum::<i64>();
            let given: Vec<_> = rows.iter().map(|a| (&a[..], at(a))).collect();
            prop_assert_eq!(solve(system(&given), 3, &mut 100_000), Outcome::Solvable);
            let given: Vec<_> = rows.iter().zip(&noise).map(|(a, n)| (&a[..], at(a) + n)).collect();
            let given = system(&given);
            if let Outcome::Unsolvable(m) = solve(given.clone(), 3, &mut 100_000) {
                prop_assert!(is_certificate(&given, &m));
            }
        }
    }
}
