//! Polynomials reduced by the equations of a formula.
//!
//! **Problem.** Invariants of computations with products are mostly equations of polynomials modulo 2^w, and that a loop preserves them is a matter of algebra: the equation after the loop
//! is a combination of those before. A solver for linear arithmetic has to find the quotient of every wrap, and takes long even if there is little to find.
//!
//! **Contract.** [`divided`] gives an equivalent formula: the equations that are conjuncts of it stay, and every other polynomial is replaced by its remainder in the division by them, if that is
//! shorter, over ℤ or modulo 2^w. A combination of the equations becomes 0. Division is by monomials of highest degree (as for Gröbner bases; Cox, Little, O'Shea, "Ideals, Varieties, and
//! Algorithms", §2.3) whose coefficients are invertible; an equation that has no such monomial is used as it is, to eliminate the one with the least power of two in its coefficient.

use plumb_term::poly::{congruence, Monomial, Poly};
use plumb_term::visit::Rewriter;
use plumb_term::{IBig, IntTy, Kind, Sort, Term};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Equations that are divided by.
const MOST_EQUATIONS: usize = 40;
/// Steps of one division.
const MOST_STEPS: usize = 400;
/// A remainder with more monomials is given up.
const MOST_PARTS: usize = 200;

/// An equivalent formula in which polynomials are reduced by the equations that hold.
pub fn divided(formula: Term) -> Term {
    let conjuncts = formula.conjuncts();
    let equations: Vec<(Term, Option<u16>)> = conjuncts.iter().filter_map(|c| equation(*c)).take(MOST_EQUATIONS).collect();
    if equations.is_empty() {
        return formula;
    }
    let mut bases: BTreeMap<Option<u16>, Basis> = BTreeMap::new();
    let mut memory = Rewriter::new();
    let mut leaf = |t: Term| {
        let (p, bits) = match t.kind() {
            Kind::Wrap(ty, a) => (*a, Some(ty.bits)),
            Kind::Eq(..) => equation(t)?,
            _ => return None,
        };
        let poly = Poly::of(p, bits);
        if poly.degree() < 2 && !(matches!(t.kind(), Kind::Eq(..)) && bits.is_some()) {
            return None;
        }
        let rest = bases.entry(bits).or_insert_with(|| Basis::new(&equations, bits)).remainder(&poly)?;
        // One that is no simpler has larger coefficients, mostly.
        let length = |p: &Poly| (p.parts().count(), p.degree());
        if length(&rest) >= length(&poly) {
            return None;
        }
        let rest = rest.term(&mut Monomial::term);
        Some(match (t.kind(), bits) {
            (Kind::Wrap(ty, _), _) => rest.wrap(*ty),
            (_, Some(bits)) => rest.wrap(IntTy::signed(bits)).equals(Term::int(0)),
            (_, None) => rest.equals(Term::int(0)),
        })
    };
    Term::all(conjuncts.iter().map(|c| if equation(*c).is_some() { *c } else { memory.rewrite(*c, &mut leaf) }))
}

/// What an equation says is zero, modulo a power of two or exactly.
fn equation(t: Term) -> Option<(Term, Option<u16>)> {
    match t.kind() {
        Kind::Eq(a, b) if a.sort() == Sort::Int => Some(congruence(*a, *b).map_or_else(|| (a.sub(*b), None), |(bits, p)| (p, Some(bits)))),
        _ => None,
    }
}

/// An equation `lead = -rest`.
struct Row {
    poly: Poly,
    lead: Monomial,
    /// The power of two in the coefficient of the lead; the rest of the coefficient is 1.
    twos: usize,
    /// Whether multiples of the lead are replaced, too.
    divides: bool,
}

/// Equations, each reduced by those before it.
struct Basis {
    rows: Vec<Row>,
}

impl Basis {
    fn new(equations: &[(Term, Option<u16>)], bits: Option<u16>) -> Basis {
        // An equation modulo 2^v says nothing modulo a higher power.
        let usable = equations.iter().filter(|(_, of)| of.is_none_or(|v| bits.is_some_and(|w| w <= v)));
        let mut polys: Vec<Poly> = usable.map(|(p, _)| Poly::of(*p, bits)).filter(|p| p.parts().count() <= MOST_PARTS).collect();
        polys.sort_by_key(|p| (p.degree(), p.parts().count()));
        let mut basis = Basis { rows: Vec::new() };
        for poly in polys {
            let poly = basis.remainder(&poly).unwrap_or(poly);
            basis.rows.extend(row(poly, bits));
        }
        basis
    }

    /// What is left of a polynomial; nothing if that is the polynomial itself, or too much.
    fn remainder(&self, poly: &Poly) -> Option<Poly> {
        let mut rest = poly.clone();
        for step in 0..MOST_STEPS {
            let Some((row, by, k)) = self.step(&rest) else {
                return (step > 0).then_some(rest);
            };
            rest.add_scaled(&-k, &row.poly.times_monomial(&by));
            if rest.parts().count() > MOST_PARTS {
                return None;
            }
        }
        None
    }

    /// A row, times a monomial and a number, whose lead is in the polynomial: the greatest such monomial.
    fn step(&self, poly: &Poly) -> Option<(&Row, Monomial, IBig)> {
        let mut parts: Vec<(&Monomial, &IBig)> = poly.parts().collect();
        parts.sort_by(|a, b| by_degree(b.0, a.0));
        parts.into_iter().find_map(|(m, c)| {
            self.rows.iter().find_map(|row| {
                let by = m.divided_by(&row.lead).filter(|by| row.divides || by.degree() == 0)?;
                let k = (twos(c) >= row.twos).then(|| c >> row.twos)?;
                Some((row, by, k))
            })
        })
    }
}

/// Solves an equation for the monomial with the least power of two in its coefficient, the greatest of these.
fn row(poly: Poly, bits: Option<u16>) -> Option<Row> {
    let solvable = |c: &IBig| bits.is_some() || *c == IBig::ONE || *c == IBig::NEG_ONE;
    let parts = || poly.parts().filter(|(m, _)| m.degree() > 0);
    let (lead, c) = parts().filter(|(_, c)| solvable(c)).min_by(|a, b| twos(a.1).cmp(&twos(b.1)).then_with(|| by_degree(b.0, a.0)))?;
    let (lead, twos) = (lead.clone(), twos(c));
    let inverse = match bits {
        Some(bits) => inverse(&(c >> twos), bits),
        None => c.clone(),
    };
    let mut monic = Poly::of(Term::int(0), bits);
    monic.add_scaled(&inverse, &poly);
    // Among equal degrees any order will do, as long as there is no circle: rows are reduced by earlier ones, and the steps are counted.
    Some(Row { divides: lead.degree() == poly.degree(), poly: monic, lead, twos })
}

/// By degree, then as they are stored: an order that multiplication keeps.
fn by_degree(a: &Monomial, b: &Monomial) -> Ordering {
    a.degree().cmp(&b.degree()).then_with(|| b.cmp(a))
}

/// How often two divides a number that is not zero.
fn twos(n: &IBig) -> usize {
    n.trailing_zeros().unwrap_or(0)
}

/// The inverse of an odd number modulo 2^bits, by Newton's iteration: each step doubles the bits that are right.
fn inverse(odd: &IBig, bits: u16) -> IBig {
    let ty = IntTy::signed(bits);
    let mut x = odd.clone();
    let mut right = 3;
    while right < bits {
        x = ty.wrap(&(&x * (IBig::from(2) - odd * &x)));
        right *= 2;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::{Scalar, VarId, VarTy};

    fn var(id: u32) -> Term {
        Term::program_var(VarId(id), VarTy::Scalar(Scalar::Int(IntTy::I32)))
    }

    fn times(k: i64, ts: &[Term]) -> Term {
        ts.iter().copied().reduce(Term::mul).unwrap_or_else(|| Term::int(1)).scale(&IBig::from(k))
    }

    fn vanishes(by: &Basis, t: Term) -> bool {
        by.remainder(&Poly::of(t, Some(32))).is_some_and(|p| p.parts().next().is_none())
    }

    #[test]
    fn inverses_are_inverses() {
        for bits in [1, 3, 8, 32, 64, 128] {
            for n in [1, 3, -5, 1_000_001] {
                let product = IBig::from(n) * inverse(&IBig::from(n), bits);
                assert_eq!(IntTy::signed(bits).wrap(&(product - IBig::ONE)), IBig::ZERO, "{n} modulo 2^{bits}");
            }
        }
    }

    /// The invariants of a loop that sums up to cubes: n grows by 1, x by y, y by z, z by 6.
    #[test]
    fn what_a_loop_preserves_is_a_combination_of_what_holds() {
        let [n, x, y, z] = [1, 2, 3, 4].map(var);
        let laws = |n: Term, x: Term, y: Term, z: Term| {
            [
                z.sub(times(6, &[n])).plus(-6),
                times(3, &[n, n]).add(times(3, &[n])).sub(y).plus(1),
                times(1, &[n, y]).add(times(2, &[n])).sub(times(3, &[x])).sub(y).plus(1),
            ]
        };
        let now: Vec<(Term, Option<u16>)> = laws(n, x, y, z).into_iter().map(|t| (t, Some(32))).collect();
        let basis = Basis::new(&now, Some(32));
        for t in laws(n.plus(1), x.add(y), y.add(z), z.plus(6)) {
            assert!(vanishes(&basis, t), "{t}");
        }
        assert!(!vanishes(&basis, laws(n.plus(1), x, y.add(z), z.plus(6))[2]));
        assert!(Basis::new(&now, Some(64)).rows.is_empty(), "nothing is known modulo 2^64");
    }

    /// 6x = 2n³ + 3n² + n, which cannot be solved for n³ modulo 2^32.
    #[test]
    fn even_leading_coefficients() {
        let [n, x] = [1, 2].map(var);
        let law = |n: Term, x: Term| times(6, &[x]).sub(times(2, &[n, n, n])).sub(times(3, &[n, n])).sub(n);
        let basis = Basis::new(&[(law(n, x), Some(32))], Some(32));
        let next = n.plus(1);
        assert!(vanishes(&basis, law(next, x.add(next.mul(next)))));
        assert!(!vanishes(&basis, law(next, x)));
        // Twice an equation does not say as much as the equation.
        let twice = Basis::new(&[(law(n, x).scale(&IBig::from(2)), Some(32))], Some(32));
        assert!(vanishes(&twice, law(n, x).scale(&IBig::from(6))) && !vanishes(&twice, law(n, x)));
    }

    #[test]
    fn the_equations_stay_and_the_rest_is_divided() {
        let [x, y, z] = [1, 2, 3].map(var);
        let square = x.mul(x).wrap(IntTy::I32).equals(y);
        let cube = x.mul(x).mul(x).wrap(IntTy::I32);
        assert!(divided(square.and(cube.differs(x.mul(y).wrap(IntTy::I32)))).is_false());
        let other = square.and(z.less_eq(cube));
        let out = divided(other);
        assert!(out.conjuncts().contains(&square) && out != other && divided(out) == out, "{out}");
        // Over ℤ only what has the coefficient 1 is replaced.
        let twice = x.mul(y).scale(&IBig::from(2)).equals(z);
        assert!(divided(twice.and(x.mul(y).differs(z))).conjuncts().len() == 2);
        assert!(divided(x.mul(y).equals(z).and(x.mul(y).mul(y).differs(y.mul(z)))).is_false());
    }
}
