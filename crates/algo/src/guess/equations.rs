//! Polynomial equations that hold of all samples.
//!
//! The values of all monomials up to a degree in all samples are a matrix; its null space are the equations (Müller-Olm, Seidl, "Computing polynomial
//! program invariants", IPL 2004, from executions instead of the program as in Sharma et al., ESOP 2013). Computed modulo a prime, read as rational
//! numbers and checked against the samples. Monomials are ordered by degree, so that each equation expresses one monomial by lower ones;
//! those that are multiples of others are left out.

use plumb_term::{IBig, IntTy, Term};

/// The field.
const PRIME: u64 = (1 << 61) - 1;
/// Numerators and denominators are at most this large.
const HEIGHT: u64 = 1 << 24;

/// By number of variables: the degree of the monomials.
fn degree(vars: usize) -> usize {
    match vars {
        0..=4 => 4,
        5..=6 => 3,
        7..=12 => 2,
        _ => 1,
    }
}

/// The greatest number of variables.
const MOST_VARS: usize = 60;

/// Products of variables, as ascending lists of their indices, by degree.
fn monomials(vars: usize, degree: usize) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..degree {
        let mut next = Vec::new();
        for m in &last {
            for v in m.last().copied().unwrap_or(0)..vars {
                let mut longer = m.clone();
                longer.push(v);
                next.push(longer);
            }
        }
        all.extend(next.iter().cloned());
        last = next;
    }
    all
}

fn times(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) % u128::from(PRIME)) as u64
}

fn inverse(a: u64) -> u64 {
    let (mut base, mut exponent, mut out) = (a, PRIME - 2, 1);
    while exponent > 0 {
        if exponent & 1 == 1 {
            out = times(out, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    out
}

fn residue(n: &IBig) -> u64 {
    let p = IBig::from(PRIME);
    let r = n % &p;
    u64::try_from(if r < IBig::ZERO { r + p } else { r }).unwrap_or(0)
}

/// The numerator and denominator of a small rational number with this residue.
fn rational(r: u64) -> Option<(i64, i64)> {
    let (mut a, mut b) = (i128::from(PRIME), i128::from(r));
    let (mut s, mut t) = (0i128, 1i128);
    while b > i128::from(HEIGHT) {
        let q = a / b;
        (a, b) = (b, a - q * b);
        (s, t) = (t, s - q * t);
    }
    let (n, d) = if t < 0 { (-b, -t) } else { (b, t) };
    (d > 0 && d <= i128::from(HEIGHT)).then_some((n as i64, d as i64))
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 {
        a.abs()
    } else {
        gcd(b, a % b)
    }
}

/// Rows in echelon form, without zero rows, and the columns of their leading ones.
fn echelon(mut rows: Vec<Vec<u64>>, columns: usize) -> (Vec<Vec<u64>>, Vec<usize>) {
    let mut pivots = Vec::new();
    for c in 0..columns {
        let done = pivots.len();
        let Some(found) = (done..rows.len()).find(|i| rows[*i][c] != 0) else { continue };
        rows.swap(done, found);
        let scale = inverse(rows[done][c]);
        rows[done].iter_mut().for_each(|x| *x = times(*x, scale));
        let row = rows[done].clone();
        for (i, other) in rows.iter_mut().enumerate() {
            if i != done && other[c] != 0 {
                let k = PRIME - other[c];
                for (x, y) in other.iter_mut().zip(&row) {
                    *x = (*x + times(k, *y)) % PRIME;
                }
            }
        }
        pivots.push(c);
    }
    rows.truncate(pivots.len());
    (rows, pivots)
}

/// The equations, as coefficients of monomials.
fn null_space(samples: &[Vec<IBig>], monomials: &[Vec<usize>]) -> Vec<Vec<i64>> {
    let values = |s: &Vec<IBig>| -> Vec<u64> {
        let residues: Vec<u64> = s.iter().map(residue).collect();
        monomials.iter().map(|m| m.iter().fold(1, |k, v| times(k, residues[*v]))).collect()
    };
    let (rows, pivots) = echelon(samples.iter().map(values).collect(), monomials.len());
    let mut out: Vec<Vec<i64>> = Vec::new();
    let mut leading: Vec<&Vec<usize>> = Vec::new();
    for f in (0..monomials.len()).filter(|c| pivots.binary_search(c).is_err()) {
        if leading.iter().any(|m| divides(m, &monomials[f])) {
            continue;
        }
        leading.push(&monomials[f]);
        let fractions: Option<Vec<(usize, i64, i64)>> =
            pivots.iter().zip(&rows).filter(|(_, r)| r[f] != 0).map(|(c, r)| rational(PRIME - r[f]).map(|(n, d)| (*c, n, d))).collect();
        let Some(fractions) = fractions else { continue };
        let common = fractions.iter().try_fold(1i64, |l, (_, _, d)| (l / gcd(l, *d)).checked_mul(*d));
        let Some(common) = common.filter(|l| *l <= HEIGHT as i64) else { continue };
        let mut coefficients = vec![0; monomials.len()];
        coefficients[f] = common;
        for (c, n, d) in fractions {
            coefficients[c] = n.saturating_mul(common / d);
        }
        if samples.iter().all(|s| vanishes(&coefficients, monomials, s)) {
            out.push(coefficients);
        }
    }
    out
}

fn divides(m: &[usize], n: &[usize]) -> bool {
    let mut rest = n.to_vec();
    m.iter().all(|v| rest.iter().position(|w| w == v).map(|i| rest.remove(i)).is_some())
}

fn vanishes(coefficients: &[i64], monomials: &[Vec<usize>], sample: &[IBig]) -> bool {
    let mut sum = IBig::ZERO;
    for (k, m) in coefficients.iter().zip(monomials).filter(|(k, _)| **k != 0) {
        sum += m.iter().fold(IBig::from(*k), |p, v| p * &sample[*v]);
    }
    sum == IBig::ZERO
}

/// An equation between variables.
pub struct Equation {
    /// What is zero, as a term over ℤ.
    pub sum: Term,
    /// Its degree.
    pub degree: usize,
}

impl Equation {
    /// The equation modulo 2^bits.
    pub fn modulo(&self, bits: u16) -> Term {
        self.sum.wrap(IntTy::signed(bits)).equals(Term::int(0))
    }

    /// The equation over ℤ.
    pub fn exact(&self) -> Term {
        self.sum.equals(Term::int(0))
    }
}

/// The equations between `vars` that hold of all samples, each of which has a value for each of them.
pub fn equations(vars: &[Term], samples: &[Vec<IBig>]) -> Vec<Equation> {
    if vars.is_empty() || vars.len() > MOST_VARS {
        return Vec::new();
    }
    let mut degree = degree(vars.len());
    let mut monomials = monomials(vars.len(), degree);
    // With few samples much is an equation.
    while degree > 1 && samples.len() < monomials.len() + monomials.len() / 4 {
        degree -= 1;
        monomials.retain(|m| m.len() <= degree);
    }
    if samples.len() < monomials.len().min(4) {
        return Vec::new();
    }
    let mut out = Vec::new();
    for coefficients in null_space(samples, &monomials) {
        let parts = coefficients.iter().zip(&monomials).filter(|(k, _)| **k != 0);
        let degree = parts.clone().map(|(_, m)| m.len()).max().unwrap_or(0);
        let product = |m: &Vec<usize>| m.iter().map(|v| vars[*v]).reduce(Term::mul).unwrap_or_else(|| Term::int(1));
        out.push(Equation { sum: Term::sum(parts.map(|(k, m)| product(m).scale(&IBig::from(*k)))), degree });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::{Scalar, VarId, VarTy};

    fn var(i: u32) -> Term {
        Term::program_var(VarId(i), VarTy::Scalar(Scalar::Int(IntTy::I32)))
    }

    #[test]
    fn sums_of_squares_are_a_cubic_law() {
        let sample = |n: i64| vec![IBig::from(n), IBig::from((0..=n).map(|i| i * i).sum::<i64>())];
        let samples: Vec<Vec<IBig>> = (0..40).map(sample).collect();
        let (n, s) = (var(0), var(1));
        let found = equations(&[n, s], &samples);
        // 6s = 2n³ + 3n² + n, up to a factor; no multiples of it.
        assert_eq!(found.len(), 1, "{:?}", found.iter().map(|e| e.sum).collect::<Vec<_>>());
        assert_eq!(found[0].degree, 3);
        let k = |t: Term, c: i64| t.scale(&IBig::from(c));
        let law = Term::sum([k(s, 6), k(n.mul(n).mul(n), -2), k(n.mul(n), -3), k(n, -1)]);
        assert!(found[0].exact() == law.equals(Term::int(0)) || found[0].sum == law || found[0].sum == law.neg());
    }

    #[test]
    fn without_a_law_there_is_no_equation() {
        let samples: Vec<Vec<IBig>> = (0..40i64).map(|n| vec![IBig::from(n), IBig::from((n * n * 7919 + n * 31) % 101)]).collect();
        assert!(equations(&[var(0), var(1)], &samples).is_empty());
    }
}
