//! Numeric variables and linear forms: the atoms of the theory.

use plumb_num::Int;

/// What a numeric variable ranges over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// The integers.
    Int,
    /// The rationals.
    Real,
}

/// A numeric variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NumVar(pub u32);

impl NumVar {
    /// The index, for tables.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// `Σ aᵢ·xᵢ + c` with integer coefficients: variables ascending, no coefficient zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Linear {
    terms: Vec<(NumVar, Int)>,
    constant: Int,
}

impl Linear {
    /// The constant `c`.
    pub fn constant(c: Int) -> Linear {
        Linear { terms: Vec::new(), constant: c }
    }

    /// The variable `x`.
    pub fn var(x: NumVar) -> Linear {
        Linear { terms: vec![(x, Int::ONE)], constant: Int::ZERO }
    }

    /// The sum of the given terms, in any order, with repetitions.
    pub fn new(terms: impl IntoIterator<Item = (NumVar, Int)>, constant: Int) -> Linear {
        let mut terms: Vec<(NumVar, Int)> = terms.into_iter().collect();
        terms.sort_by_key(|t| t.0);
        let mut merged: Vec<(NumVar, Int)> = Vec::with_capacity(terms.len());
        for (x, a) in terms {
            match merged.last_mut() {
                Some((y, b)) if *y == x => *b += &a,
                _ => merged.push((x, a)),
            }
        }
        merged.retain(|t| !t.1.is_zero());
        Linear { terms: merged, constant }
    }

    /// The terms, variables ascending.
    pub fn terms(&self) -> &[(NumVar, Int)] {
        &self.terms
    }

    /// The constant.
    pub fn offset(&self) -> &Int {
        &self.constant
    }

    /// The coefficient of `x`.
    pub fn coefficient(&self, x: NumVar) -> Int {
        self.terms.binary_search_by_key(&x, |t| t.0).map_or(Int::ZERO, |i| self.terms[i].1.clone())
    }

    /// Whether no variable occurs.
    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// `self + factor·other`.
    pub fn plus(&self, factor: &Int, other: &Linear) -> Linear {
        let scaled = other.terms.iter().map(|(x, a)| (*x, a * factor));
        Linear::new(self.terms.iter().cloned().chain(scaled), &self.constant + &(&other.constant * factor))
    }

    /// `factor·self`.
    pub fn times(&self, factor: &Int) -> Linear {
        Linear::default().plus(factor, self)
    }
}
