//! Closed forms and bounds of recurrences, by the three standard methods (seed 001, Section 6.6).
//!
//! A recurrence says what a function of `n` is in terms of its values on smaller arguments: the cost of a recursive function.
//! - *Substitution* ([`substitution`]): guess a polynomial but for its coefficients, compare coefficients, solve; as with
//!   templates of invariants.
//! - *Iteration* ([`Division::expanded`], [`Division::leading`]): unroll the recurrence into a sum, and bound the sum.
//! - *Master method* ([`Division::master`]): a theorem with three cases, one of which may match.

use super::polynomial::Polynomial;
use plumb_num::{Int, Rat};
use std::fmt;

/// The solution `T` of `T(n) = T(n - 1) + cost(n)`, `T(n₀) = v`, among the polynomials of degree at most `degree`.
///
/// With `T(n) = Σ cₖ nᵏ`, comparing the coefficients of `nʲ` in `T(n) - T(n - 1) = cost(n)` gives `Σ_{k>j} cₖ (-1)^{k-j+1} (k over j) = costⱼ`: solved from
/// the highest `j` down, one new coefficient at a time. The boundary condition gives `c₀`. `None` if no polynomial of that degree is a solution.
pub fn substitution(degree: usize, cost: &Polynomial, boundary: (i64, Rat)) -> Option<Polynomial> {
    if cost.degree().is_some_and(|d| d >= degree) {
        return None;
    }
    let mut c = vec![Rat::from(0); degree + 1];
    for j in (0..degree).rev() {
        let mut rest = cost.coefficient(j);
        for (k, known) in c.iter().enumerate().skip(j + 2) {
            let sign = if (k - j) % 2 == 1 { 1 } else { -1 };
            rest = &rest - &(&(&binomial(k, j) * known) * &Rat::from(sign));
        }
        c[j + 1] = &rest / &Rat::from(j as i64 + 1);
    }
    let open = Polynomial::new(c.clone());
    c[0] = &boundary.1 - &open.at(&Rat::from(boundary.0));
    Some(Polynomial::new(c))
}

fn binomial(n: usize, k: usize) -> Rat {
    (0..k).fold(Rat::from(1), |acc, i| &(&acc * &Rat::from((n - i) as i64)) / &Rat::from(i as i64 + 1))
}

/// `T(n) = a·T(n/b) + f(n)`, where `n/b` is rounded down or up; `a ≥ 1`, `b ≥ 2`.
#[derive(Clone, PartialEq, Debug)]
pub struct Division {
    calls: u32,
    by: u32,
    cost: Polynomial,
}

/// A recurrence unrolled some times: `Σ aⁱ·f(⌊n/bⁱ⌋) + aᵐ·T(⌊n/bᵐ⌋)`.
#[derive(Clone, PartialEq, Debug)]
pub struct Expansion {
    /// `(aⁱ, bⁱ)` of each summand.
    pub summands: Vec<(Int, Int)>,
    /// `(aᵐ, bᵐ)` of the rest.
    pub rest: (Int, Int),
}

/// A growth in Θ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Growth {
    /// The exponent of `n`.
    pub exponent: Exponent,
    /// Whether a factor `log n` comes in.
    pub log: bool,
}

/// The exponent of a power of `n`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exponent {
    /// A fraction in lowest terms.
    Ratio(u32, u32),
    /// `log_b a`, irrational.
    Log(u32, u32),
}

impl Division {
    /// The recurrence `T(n) = calls·T(n/by) + cost(n)`; `None` if it is none of this form.
    pub fn new(calls: u32, by: u32, cost: Polynomial) -> Option<Division> {
        (calls >= 1 && by >= 2).then_some(Division { calls, by, cost })
    }

    /// Unrolled: one summand for each unrolling.
    pub fn expanded(&self, times: u32) -> Expansion {
        let summands = (0..times).map(|i| (power(self.calls, i), power(self.by, i))).collect();
        Expansion { summands, rest: (power(self.calls, times), power(self.by, times)) }
    }

    /// By iteration: `T(n) ≤ q·nᵏ + o(nᵏ)` with this `q` and `k`, where the summands fall geometrically, that is, where `a < bᵏ` for the degree `k` of the cost:
    /// `c nᵏ Σᵢ (a/bᵏ)ⁱ = c/(1 - a/bᵏ) nᵏ`, and the rest `Θ(n^(log_b a))` is smaller.
    pub fn leading(&self) -> Option<(Rat, usize)> {
        let k = self.cost.degree()?;
        let ratio = Rat::new(Int::from(i64::from(self.calls)), power(self.by, k as u32));
        let one = Rat::from(1);
        (ratio < one && self.cost.coefficient(k).signum() > 0).then(|| (&self.cost.coefficient(k) / &(&one - &ratio), k))
    }

    /// By the master theorem. For a polynomial cost one of its cases always applies: `f(n) = Θ(nᵏ)`, and `k` is less than, equal to or greater than
    /// `log_b a`; in the third `a·f(n/b) ≤ c·f(n)` with `c` anything between `a/bᵏ` and 1. `None` for a cost that is not positive in the end.
    pub fn master(&self) -> Option<Growth> {
        let exponent = Exponent::log(self.by, self.calls);
        let Some(k) = self.cost.degree() else { return Some(Growth { exponent, log: false }) };
        if self.cost.coefficient(k).signum() <= 0 {
            return None;
        }
        let of_cost = power(self.by, k as u32);
        Some(match of_cost.cmp(&Int::from(i64::from(self.calls))) {
            std::cmp::Ordering::Less => Growth { exponent, log: false },
            std::cmp::Ordering::Equal => Growth { exponent, log: true },
            std::cmp::Ordering::Greater => Growth { exponent: Exponent::Ratio(k as u32, 1), log: false },
        })
    }
}

impl Exponent {
    /// `log_base(of)`.
    fn log(base: u32, of: u32) -> Exponent {
        let ((g, i), (h, j)) = (root(of), root(base));
        if of == 1 {
            Exponent::Ratio(0, 1)
        } else if g == h {
            let common = gcd(i, j);
            Exponent::Ratio(i / common, j / common)
        } else {
            Exponent::Log(base, of)
        }
    }
}

fn power(base: u32, exponent: u32) -> Int {
    (0..exponent).fold(Int::from(1), |acc, _| &acc * &Int::from(i64::from(base)))
}

/// `n = gⁱ` with the greatest such `i`.
fn root(n: u32) -> (u32, u32) {
    let power = |g: u32| {
        let (mut i, mut p) = (0, 1u64);
        while p < u64::from(n) {
            p *= u64::from(g);
            i += 1;
        }
        (p == u64::from(n)).then_some((g, i))
    };
    (2..).take_while(|g| u64::from(*g) * u64::from(*g) <= u64::from(n)).find_map(power).unwrap_or((n, 1))
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 {
        a
    } else {
        gcd(b, a % b)
    }
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let log = if self.log { "log n" } else { "1" };
        match &self.exponent {
            Exponent::Ratio(0, _) => return write!(f, "{log}"),
            Exponent::Ratio(1, 1) => write!(f, "n")?,
            Exponent::Ratio(p, 1) => write!(f, "n^{p}")?,
            Exponent::Ratio(p, q) => write!(f, "n^({p}/{q})")?,
            Exponent::Log(b, a) => write!(f, "n^(log_{b} {a})")?,
        }
        if self.log {
            write!(f, " log n")?;
        }
        Ok(())
    }
}

impl fmt::Display for Division {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let a = if self.calls == 1 { String::new() } else { self.calls.to_string() };
        write!(f, "{a}T(n/{}) + {}", self.by, self.cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poly(c: &[i64]) -> Polynomial {
        Polynomial::new(c.iter().map(|k| Rat::from(*k)).collect())
    }

    /// `T(n) = T(n-1) + 6n`, `T(1) = 2`, with a template of degree 3: `a = 0`, `b = c = 3`, `d = -4`.
    #[test]
    fn example_14_substitution() {
        let t = substitution(3, &poly(&[0, 6]), (1, Rat::from(2))).unwrap();
        let coefficients: Vec<Rat> = [3, 2, 1, 0].iter().map(|k| t.coefficient(*k)).collect();
        assert_eq!(coefficients, [0, 3, 3, -4].map(Rat::from));
        assert_eq!(t.to_string(), "3n^2 + 3n - 4");
        assert_eq!(substitution(2, &poly(&[0, 6]), (1, Rat::from(2))), Some(t), "a smaller template has the same solution");
        assert_eq!(substitution(1, &poly(&[0, 6]), (1, Rat::from(2))), None, "a line is too small");
    }

    #[test]
    fn substitution_satisfies_the_recurrence() {
        for cost in [poly(&[]), poly(&[1]), poly(&[-2, 0, 5]), poly(&[7, 3, 0, 1]), poly(&[0, 0, 0, 0, 2])] {
            let t = substitution(6, &cost, (3, Rat::from(11))).unwrap();
            let at = |n: i64| t.at(&Rat::from(n));
            assert_eq!(at(3), Rat::from(11));
            for n in -5..20 {
                assert_eq!(at(n), &at(n - 1) + &cost.at(&Rat::from(n)), "{cost} at {n}");
            }
        }
    }

    /// `T(n) = 3T(⌊n/4⌋) + n`: `n + 3⌊n/4⌋ + 9⌊n/16⌋ + 27T(⌊n/64⌋)`, and `4n + o(n)`.
    #[test]
    fn example_15_iteration() {
        let r = Division::new(3, 4, poly(&[0, 1])).unwrap();
        let of = |pairs: &[(i64, i64)]| pairs.iter().map(|(a, b)| (Int::from(*a), Int::from(*b))).collect::<Vec<_>>();
        let e = r.expanded(3);
        assert_eq!(e.summands, of(&[(1, 1), (3, 4), (9, 16)]));
        assert_eq!(vec![e.rest], of(&[(27, 64)]));
        assert_eq!(r.leading(), Some((Rat::from(4), 1)));
        assert_eq!(r.master().unwrap().to_string(), "n");
        // The bound holds: with T(0) = 0, T(n) ≤ 4n.
        let mut t = vec![0u64; 5000];
        for n in 1..t.len() {
            t[n] = 3 * t[n / 4] + n as u64;
            assert!(t[n] <= 4 * n as u64);
        }
    }

    #[test]
    fn iteration_needs_falling_summands() {
        assert_eq!(Division::new(4, 4, poly(&[0, 1])).unwrap().leading(), None);
        assert_eq!(Division::new(1, 2, poly(&[3])).unwrap().leading(), None);
        assert_eq!(Division::new(1, 2, poly(&[9, 0, 3])).unwrap().leading(), Some((Rat::from(4), 2)));
    }

    /// `T(n) = 9T(n/3) + n`: case 1, `Θ(n²)`.
    #[test]
    fn example_16_master_method() {
        let growth = Division::new(9, 3, poly(&[0, 1])).unwrap().master();
        assert_eq!(growth, Some(Growth { exponent: Exponent::Ratio(2, 1), log: false }));
        assert_eq!(growth.unwrap().to_string(), "n^2");
    }

    #[test]
    fn every_case_of_the_master_theorem() {
        let theta = |a, b, cost: &[i64]| Division::new(a, b, poly(cost)).unwrap().master().unwrap().to_string();
        assert_eq!(theta(2, 2, &[0, 1]), "n log n", "merge sort");
        assert_eq!(theta(1, 2, &[1]), "log n", "binary search");
        assert_eq!(theta(7, 2, &[0, 0, 1]), "n^(log_2 7)", "Strassen");
        assert_eq!(theta(8, 4, &[0, 1]), "n^(3/2)");
        assert_eq!(theta(3, 2, &[0, 0, 1]), "n^2");
        assert_eq!(theta(1, 2, &[0, 1]), "n");
        assert_eq!(theta(4, 2, &[]), "n^2", "no cost but the calls");
        assert_eq!(Division::new(2, 2, poly(&[0, -1])).unwrap().master(), None);
        assert_eq!(Division::new(0, 2, poly(&[1])), None);
        assert_eq!(Division::new(2, 1, poly(&[1])), None);
    }
}
