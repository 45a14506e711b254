//! Polynomials with integer coefficients over integer terms: the normal form of sums and products, over ℤ or modulo 2^w.
//!
//! Modulo 2^w a wrap to at least w bits is the identity, so that a computation of a machine is a polynomial in the values it started from: two
//! computations are the same ring element if and only if their normal forms are equal. Source: the standard normal form of
//! commutative rings (Grégoire, Mahboubi, "Proving equalities in a commutative ring done right in Coq", TPHOLs 2005).

use crate::linear::Sum;
use crate::node::{Kind, Term};
use crate::ty::{IntTy, Sort};
use dashu_int::IBig;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A product with more monomials is taken as an atom.
const MOST_MONOMIALS: usize = 300;
/// And so is one of a higher degree.
const MOST_DEGREE: usize = 12;

/// A product of atoms: sorted, with repetitions; the empty one is 1.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Monomial(Vec<Term>);

impl Monomial {
    /// The product of some atoms.
    pub fn new(mut atoms: Vec<Term>) -> Monomial {
        atoms.sort_unstable();
        Monomial(atoms)
    }

    /// The atoms, sorted, with repetitions.
    pub fn atoms(&self) -> &[Term] {
        &self.0
    }

    /// The number of atoms.
    pub fn degree(&self) -> usize {
        self.0.len()
    }

    /// The product.
    #[must_use]
    pub fn times(&self, o: &Monomial) -> Monomial {
        Monomial::new(self.0.iter().chain(&o.0).copied().collect())
    }

    /// What has to be multiplied with `o` to get this one, if anything.
    pub fn divided_by(&self, o: &Monomial) -> Option<Monomial> {
        let mut rest = self.0.clone();
        for a in &o.0 {
            let at = rest.iter().position(|b| b == a)?;
            rest.remove(at);
        }
        Some(Monomial(rest))
    }

    /// The product as a term.
    pub fn term(&self) -> Term {
        self.0.iter().copied().reduce(Term::mul).unwrap_or_else(|| Term::int(1))
    }
}

/// A sum of monomials with nonzero coefficients; modulo 2^w they are in the signed range of w bits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Poly {
    bits: Option<u16>,
    parts: BTreeMap<Monomial, IBig>,
}

impl Poly {
    /// The normal form of an integer term, over ℤ or modulo 2^bits.
    pub fn of(t: Term, bits: Option<u16>) -> Poly {
        let mut done: FxHashMap<Term, Poly> = FxHashMap::default();
        let mut stack = vec![(t, false)];
        while let Some((n, expanded)) = stack.pop() {
            if done.contains_key(&n) {
                continue;
            }
            let inner: Vec<Term> = match n.kind() {
                Kind::Lin(_) | Kind::Mul(..) => n.children().collect(),
                Kind::Wrap(ty, a) if bits.is_some_and(|b| ty.bits >= b) => vec![*a],
                _ => Vec::new(),
            };
            if !expanded && !inner.is_empty() {
                stack.push((n, true));
                stack.extend(inner.into_iter().map(|c| (c, false)));
                continue;
            }
            let poly = match n.kind() {
                Kind::Int(v) => Poly::constant(v.clone(), bits),
                Kind::Lin(lin) => {
                    let mut sum = Poly::constant(lin.constant.clone(), bits);
                    for (k, a) in &lin.parts {
                        sum.add_scaled(k, &done[a]);
                    }
                    sum
                }
                Kind::Mul(a, b) => done[a].times(&done[b]).unwrap_or_else(|| Poly::atom(n, bits)),
                Kind::Wrap(_, a) if !inner.is_empty() => done[a].clone(),
                _ => Poly::atom(n, bits),
            };
            done.insert(n, poly);
        }
        done.remove(&t).unwrap_or_default()
    }

    fn constant(k: IBig, bits: Option<u16>) -> Poly {
        let mut p = Poly { bits, parts: BTreeMap::new() };
        p.add_part(Monomial::default(), k);
        p
    }

    fn atom(t: Term, bits: Option<u16>) -> Poly {
        let mut p = Poly { bits, parts: BTreeMap::new() };
        p.add_part(Monomial(vec![t]), IBig::ONE);
        p
    }

    /// Adds `k·m`.
    pub fn add_part(&mut self, m: Monomial, k: IBig) {
        let sum = self.parts.remove(&m).unwrap_or_default() + k;
        let sum = self.bits.map_or_else(|| sum.clone(), |b| IntTy::signed(b).wrap(&sum));
        if sum != IBig::ZERO {
            self.parts.insert(m, sum);
        }
    }

    /// Adds `k·o`.
    pub fn add_scaled(&mut self, k: &IBig, o: &Poly) {
        for (m, c) in &o.parts {
            self.add_part(m.clone(), k * c);
        }
    }

    /// The product, unless it is too large.
    pub fn times(&self, o: &Poly) -> Option<Poly> {
        if self.degree() + o.degree() > MOST_DEGREE || self.parts.len() * o.parts.len() > MOST_MONOMIALS {
            return None;
        }
        let mut out = Poly { bits: self.bits, parts: BTreeMap::new() };
        for (m, k) in &self.parts {
            out.add_scaled(k, &o.times_monomial(m));
        }
        Some(out)
    }

    /// The product with a monomial.
    #[must_use]
    pub fn times_monomial(&self, m: &Monomial) -> Poly {
        Poly { bits: self.bits, parts: self.parts.iter().map(|(n, k)| (n.times(m), k.clone())).collect() }
    }

    /// The highest degree of a monomial.
    pub fn degree(&self) -> usize {
        self.parts.keys().map(Monomial::degree).max().unwrap_or(0)
    }

    /// Monomials and their coefficients, in order.
    pub fn parts(&self) -> impl Iterator<Item = (&Monomial, &IBig)> {
        self.parts.iter()
    }

    /// Whether it is the atom itself.
    pub fn is_atom(&self, t: Term) -> bool {
        self.parts.len() == 1 && self.parts.first_key_value().is_some_and(|(m, k)| m.0 == [t] && *k == IBig::ONE)
    }

    /// The sum as a term, each monomial given by `name`.
    pub fn term(&self, name: &mut dyn FnMut(&Monomial) -> Term) -> Term {
        let mut sum = Sum::default();
        for (m, k) in &self.parts {
            if m.degree() == 0 {
                sum.constant += k;
            } else {
                sum.add(k, name(m));
            }
        }
        sum.term()
    }
}

/// An equation of integers as a congruence: `Some((w, p))` if `a = b` holds exactly if `p ≡ 0` modulo 2^w. That is so if one side is a wrap and the other one
/// has a value of its type.
pub fn congruence(a: Term, b: Term) -> Option<(u16, Term)> {
    if a.sort() != Sort::Int {
        return None;
    }
    let (constant, parts) = Sum::of(a.sub(b)).parts();
    for (i, (k, t)) in parts.iter().enumerate() {
        let Kind::Wrap(ty, x) = t.kind() else { continue };
        if *k != IBig::ONE && *k != IBig::NEG_ONE {
            continue;
        }
        // k·wrap(x) + rest = 0, so wrap(x) = -k·rest.
        let mut value = Sum::constant(-k * &constant);
        for (_, (c, s)) in parts.iter().enumerate().filter(|(j, _)| *j != i) {
            value.add(&(-k * c), *s);
        }
        let value = value.term();
        if value.range().fits(*ty) {
            return Some((ty.bits, x.sub(value)));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ty::{Scalar, VarId, VarTy};

    fn var(id: u32) -> Term {
        Term::program_var(VarId(id), VarTy::Scalar(Scalar::Int(IntTy::I32)))
    }

    #[test]
    fn a_computation_modulo_a_power_of_two_is_a_polynomial() {
        let (x, y) = (var(1), var(2));
        let int = |t: Term| t.wrap(IntTy::I32);
        // (x + y)² computed step by step, and expanded.
        let sum = int(x.add(y));
        let square = int(sum.mul(sum));
        let expanded = int(x.mul(x).add(x.mul(y).scale(&IBig::from(2))).add(y.mul(y)));
        assert_eq!(Poly::of(square, Some(32)), Poly::of(expanded, Some(32)));
        // Over ℤ the inner wraps remain.
        assert_ne!(Poly::of(square, None), Poly::of(expanded, None));
        // A wrap to fewer bits is no identity.
        assert_ne!(Poly::of(square, Some(64)), Poly::of(expanded, Some(64)));
        assert!(Poly::of(x.scale(&(IBig::ONE << 32)), Some(32)).parts().next().is_none());
    }

    #[test]
    fn equations_of_wrapped_terms_are_congruences() {
        let (x, y) = (var(1), var(2));
        let square = x.mul(x).wrap(IntTy::I32);
        let (bits, p) = congruence(y, square).unwrap();
        assert_eq!((bits, Poly::of(p, Some(32)).degree()), (32, 2));
        // y + 1 may be no value of the type.
        assert!(congruence(y.plus(1), square).is_none());
        assert!(congruence(x, y).is_none());
    }
}
