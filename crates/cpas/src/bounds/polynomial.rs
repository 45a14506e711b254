//! Polynomials in one variable with rational coefficients.

use plumb_num::Rat;
use std::fmt;

/// `Σ cₖ nᵏ`; the last coefficient is not zero.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Polynomial(Vec<Rat>);

impl Polynomial {
    /// With these coefficients, that of `n⁰` first.
    pub fn new(mut coefficients: Vec<Rat>) -> Polynomial {
        while coefficients.last().is_some_and(Rat::is_zero) {
            coefficients.pop();
        }
        Polynomial(coefficients)
    }

    /// A number.
    pub fn constant(k: i64) -> Polynomial {
        Polynomial::new(vec![Rat::from(k)])
    }

    /// The highest power; none if this is zero.
    pub fn degree(&self) -> Option<usize> {
        self.0.len().checked_sub(1)
    }

    /// The coefficient of `nᵏ`.
    pub fn coefficient(&self, k: usize) -> Rat {
        self.0.get(k).cloned().unwrap_or_else(|| Rat::from(0))
    }

    /// The value.
    pub fn at(&self, n: &Rat) -> Rat {
        self.0.iter().rev().fold(Rat::from(0), |acc, c| &(&acc * n) + c)
    }

    /// The sum.
    #[must_use]
    pub fn add(&self, o: &Polynomial) -> Polynomial {
        let longest = self.0.len().max(o.0.len());
        Polynomial::new((0..longest).map(|k| &self.coefficient(k) + &o.coefficient(k)).collect())
    }

    /// The product.
    #[must_use]
    pub fn mul(&self, o: &Polynomial) -> Polynomial {
        let mut out = vec![Rat::from(0); self.0.len() + o.0.len()];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in o.0.iter().enumerate() {
                out[i + j] = &out[i + j] + &(a * b);
            }
        }
        Polynomial::new(out)
    }
}

impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (k, c) in self.0.iter().enumerate().rev().filter(|(_, c)| !c.is_zero()) {
            let negative = c.signum() < 0;
            match (first, negative) {
                (true, false) => {}
                (true, true) => write!(f, "-")?,
                (false, false) => write!(f, " + ")?,
                (false, true) => write!(f, " - ")?,
            }
            first = false;
            let size = if negative { -c } else { c.clone() };
            let shown = if size.is_integer() { size.to_string() } else { format!("({size})") };
            match k {
                0 => write!(f, "{shown}")?,
                _ if size == Rat::from(1) => write!(f, "n")?,
                _ => write!(f, "{shown}n")?,
            }
            if k > 1 {
                write!(f, "^{k}")?;
            }
        }
        if first {
            write!(f, "0")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poly(c: &[i64]) -> Polynomial {
        Polynomial::new(c.iter().map(|k| Rat::from(*k)).collect())
    }

    #[test]
    fn arithmetic_and_text() {
        let (a, b) = (poly(&[1, -2]), poly(&[3, 0, 1]));
        assert_eq!(a.mul(&b), poly(&[3, -6, 1, -2]));
        assert_eq!(a.add(&poly(&[0, 2])), poly(&[1]));
        assert_eq!(a.mul(&b).to_string(), "-2n^3 + n^2 - 6n + 3");
        assert_eq!(poly(&[]).to_string(), "0");
        assert_eq!(poly(&[0, 1]).at(&Rat::from(7)), Rat::from(7));
    }
}
