//! Products as unknowns: a linear formula that every model of a formula with products satisfies.
//!
//! **Problem.** Neither encoding decides much about products of variables: bits are blasted to multipliers, and integers with wraps around
//! products are beyond Z3. But most of what programs and their invariants say of products holds in every commutative ring.
//!
//! **Contract.** If the formula has a model, so has [`linearised`] of it: only a refutation counts. Sums and products are brought to normal form
//! ([`Poly`]), modulo 2^w below a wrap to w bits; each product of atoms is an unknown of its own, so that ring identities
//! vanish, and so does what follows from equations by division ([`divided`]). What linear reasoning then lacks are consequences `d = 0 ⇒ m·d = 0` of equations `d = 0`; they are added for the multipliers `m`
//! that lead to products that occur. It is the reduction of a polynomial by others, left to the linear solver
//! (as in Lazard's view of Gröbner bases, EUROCAL 1983), with all Boolean structure.

use crate::congruent::divided;
use crate::split::split;
use plumb_term::poly::{congruence, Monomial, Poly};
use plumb_term::visit::{postorder, rebuild, size, vars};
use plumb_term::{IBig, IntTy, Kind, Sort, Term, Var, VarId, VarTy};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Larger formulas are not looked at.
const MOST_SIZE: usize = 20_000;
/// Consequences of equations that are added.
const MOST_LEMMAS: usize = 300;
/// Products that consequences are sought for, by modulus.
const MOST_PRODUCTS: usize = 150;
/// Equations with more summands have no consequences.
const MOST_PARTS: usize = 30;
/// How often the products of consequences lead to further ones.
const ROUNDS: usize = 2;

/// A linear formula with the models of `formula`, and more; nothing if there are no products in it, or too many.
pub fn linearised(formula: Term) -> Option<Term> {
    let terms = postorder([formula]);
    if terms.len() > MOST_SIZE || !terms.iter().any(|t| is_nonlinear(*t)) {
        return None;
    }
    let next = vars([formula]).iter().map(|v| v.id.0).max().unwrap_or(0).max(VarId::FIRST_AUX.0).checked_add(1)?;
    let mut l = Linearise { next, ..Linearise::default() };
    let cases: Vec<Term> = split(formula).into_iter().map(|f| l.term(divided(f))).collect();
    let lemmas = l.lemmas();
    Some(Term::any(cases).and(Term::all(lemmas)).and(l.signs()))
}

/// Whether a solver for linear arithmetic does not understand the operator.
fn is_nonlinear(t: Term) -> bool {
    matches!(t.kind(), Kind::Mul(..)) || is_opaque(t)
}

fn is_opaque(t: Term) -> bool {
    matches!(t.kind(), Kind::Div(_, b) | Kind::Rem(_, b) if b.as_int().is_none())
}

/// An equation: `difference ≡ 0` modulo 2^bits, or exactly.
struct Equation {
    difference: Term,
    bits: Option<u16>,
    /// Whether it holds in any case.
    valid: bool,
}

#[derive(Default)]
struct Linearise {
    next: u32,
    names: BTreeMap<Monomial, Term>,
    done: FxHashMap<Term, Term>,
    /// The products that occur, by modulus.
    products: BTreeMap<Option<u16>, BTreeSet<Monomial>>,
    equations: Vec<Equation>,
    known: FxHashSet<(Term, Option<u16>)>,
}

impl Linearise {
    /// The linear view of a term.
    fn term(&mut self, t: Term) -> Term {
        let mut stack = vec![t];
        while let Some(&n) = stack.last() {
            if self.done.contains_key(&n) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            match self.step(n, &mut stack) {
                Some(new) => {
                    self.done.insert(n, new);
                    stack.pop();
                }
                // Nothing to wait for: as it is.
                None if stack.len() == before => {
                    self.done.insert(n, n);
                    stack.pop();
                }
                None => {}
            }
        }
        self.done[&t]
    }

    /// One term, once what it needs is done; what is missing goes to the stack.
    fn step(&mut self, n: Term, stack: &mut Vec<Term>) -> Option<Term> {
        match n.kind() {
            Kind::Wrap(ty, a) => {
                let sum = self.sum(&Poly::of(*a, Some(ty.bits)), Some(ty.bits), stack)?;
                Some(sum.wrap(*ty))
            }
            Kind::Lin(_) | Kind::Mul(..) => {
                let poly = Poly::of(n, None);
                if poly.is_atom(n) {
                    return Some(self.name(&Monomial::new(vec![n])));
                }
                self.sum(&poly, None, stack)
            }
            Kind::Eq(a, b) if a.sort() == Sort::Int => {
                if let Some((bits, p)) = congruence(*a, *b) {
                    self.equation(p, Some(bits), false);
                    let sum = self.sum(&Poly::of(p, Some(bits)), Some(bits), stack)?;
                    return Some(sum.wrap(IntTy::signed(bits)).equals(Term::int(0)));
                }
                self.equation(b.sub(*a), None, false);
                self.rebuilt(n, stack)
            }
            Kind::Le(a, b) => {
                self.equation(b.sub(*a), None, false);
                self.rebuilt(n, stack)
            }
            _ if is_opaque(n) => {
                self.factor(n);
                Some(self.name(&Monomial::new(vec![n])))
            }
            _ => self.rebuilt(n, stack),
        }
    }

    fn rebuilt(&mut self, n: Term, stack: &mut Vec<Term>) -> Option<Term> {
        let before = stack.len();
        stack.extend(n.children().filter(|c| !self.done.contains_key(c)));
        (stack.len() == before).then(|| rebuild(n, &|c| self.done[&c]))
    }

    /// A polynomial with its products as unknowns.
    fn sum(&mut self, poly: &Poly, bits: Option<u16>, stack: &mut Vec<Term>) -> Option<Term> {
        let before = stack.len();
        let atoms = poly.parts().filter(|(m, _)| m.degree() == 1).flat_map(|(m, _)| m.atoms());
        stack.extend(atoms.filter(|a| !self.done.contains_key(a) && !matches!(a.kind(), Kind::Mul(..))));
        if stack.len() > before {
            return None;
        }
        for (m, _) in poly.parts().filter(|(m, _)| m.degree() > 1) {
            if self.products.entry(bits).or_default().insert(m.clone()) {
                m.atoms().iter().for_each(|a| self.factor(*a));
            }
        }
        Some(poly.term(&mut |m| match m.atoms() {
            [a] if !matches!(a.kind(), Kind::Mul(..)) => self.done[a],
            _ => self.name(m),
        }))
    }

    /// The unknown for a product.
    fn name(&mut self, m: &Monomial) -> Term {
        if let Some(t) = self.names.get(m) {
            return *t;
        }
        let t = Term::var(Var::new(VarId(self.next), VarTy::Int));
        self.next = self.next.saturating_add(1);
        self.names.insert(m.clone(), t);
        t
    }

    fn equation(&mut self, difference: Term, bits: Option<u16>, valid: bool) {
        if self.known.insert((difference, bits)) {
            self.equations.push(Equation { difference, bits, valid });
        }
    }

    /// What a factor of a product is equal to, perhaps.
    fn factor(&mut self, a: Term) {
        match a.kind() {
            Kind::Wrap(_, x) => self.equation(a.sub(*x), None, false),
            Kind::Ite(_, x, y) => {
                self.equation(a.sub(*x), None, false);
                self.equation(a.sub(*y), None, false);
            }
            // Also for a divisor that is zero.
            Kind::Div(x, y) | Kind::Rem(x, y) => self.equation(x.div(*y).mul(*y).add(x.rem(*y)).sub(*x), None, true),
            _ => {}
        }
    }

    /// Consequences of the equations for the products that occur.
    fn lemmas(&mut self) -> Vec<Term> {
        let mut out = Vec::new();
        let mut seen: BTreeSet<(usize, Option<u16>, Monomial)> = BTreeSet::new();
        for _ in 0..ROUNDS {
            let now: Vec<(Option<u16>, Vec<Monomial>)> =
                self.products.iter().map(|(bits, ms)| (*bits, ms.iter().take(MOST_PRODUCTS).cloned().collect())).collect();
            for i in 0..self.equations.len() {
                if out.len() >= MOST_LEMMAS || size(self.equations[i].difference) > MOST_SIZE / 100 {
                    continue;
                }
                for (bits, products) in &now {
                    // An equation modulo 2^v says nothing modulo a higher power.
                    let Equation { difference, bits: of, valid } = self.equations[i];
                    if of.is_some_and(|v| bits.is_none_or(|w| w > v)) {
                        continue;
                    }
                    let poly = Poly::of(difference, *bits);
                    if poly.parts().count() > MOST_PARTS {
                        continue;
                    }
                    let mut multipliers: BTreeSet<Monomial> = valid.then(Monomial::default).into_iter().collect();
                    for (m, _) in poly.parts().filter(|(m, _)| m.degree() > 0) {
                        multipliers.extend(products.iter().filter_map(|p| p.divided_by(m)).filter(|q| q.degree() > 0));
                    }
                    for m in multipliers {
                        if out.len() < MOST_LEMMAS && seen.insert((i, *bits, m.clone())) {
                            let premise = if valid { Some(Term::tt()) } else { self.vanishes(&Poly::of(difference, of), of) };
                            let conclusion = self.vanishes(&poly.times_monomial(&m), *bits);
                            out.extend(premise.zip(conclusion).map(|(p, c)| p.implies(c)));
                        }
                    }
                }
            }
        }
        out
    }

    /// `poly ≡ 0`, with products as unknowns.
    fn vanishes(&mut self, poly: &Poly, bits: Option<u16>) -> Option<Term> {
        for (m, _) in poly.parts().filter(|(m, _)| m.degree() == 1) {
            m.atoms().iter().filter(|a| !matches!(a.kind(), Kind::Mul(..))).for_each(|a| _ = self.term(*a));
        }
        let sum = self.sum(poly, bits, &mut Vec::new())?;
        Some(bits.map_or(sum, |b| sum.wrap(IntTy::signed(b))).equals(Term::int(0)))
    }

    /// Squares are not negative, and products of bounded factors are bounded.
    fn signs(&self) -> Term {
        let facts = self.names.iter().flat_map(|(m, name)| {
            let square = m.degree() > 0 && m.degree() % 2 == 0 && m.atoms().chunks(2).all(|p| p[0] == p[1]);
            let range = m.term().range();
            let low = if square { Some(0) } else { range.lo };
            let low = low.map(|l| Term::int(IBig::from(l)).less_eq(*name));
            let high = range.hi.map(|h| name.less_eq(Term::int(IBig::from(h))));
            low.into_iter().chain(high)
        });
        Term::all(facts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::eval::{eval, Value};
    use plumb_term::Scalar;

    /// A linear congruential generator: the same formulas every time.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % n
        }

        fn polynomial(&mut self) -> Term {
            let product = |d: &mut Dice| (0..d.below(4)).map(|_| variable(d.below(3) as u32)).map(Term::var).reduce(Term::mul);
            let parts =
                (0..1 + self.below(3)).map(|_| product(self).unwrap_or_else(|| Term::int(1)).scale(&IBig::from(self.below(9) as i64 - 4)));
            Term::sum(parts.collect::<Vec<_>>())
        }

        fn atom(&mut self) -> Term {
            let (p, zero) = (self.polynomial(), Term::int(0));
            let wrapped = |bits: u16| p.wrap(IntTy::signed(bits));
            match self.below(8) {
                0 => p.equals(zero),
                1 => p.less_eq(zero),
                2 => wrapped(2).less_eq(zero),
                3 | 4 => wrapped(2).equals(zero),
                _ => wrapped(4).equals(zero),
            }
        }

        fn formula(&mut self) -> Term {
            let literal = |d: &mut Dice| if d.below(3) == 0 { d.atom().not() } else { d.atom() };
            Term::all((0..4).map(|_| if self.below(3) == 0 { literal(self).or(literal(self)) } else { literal(self) }).collect::<Vec<_>>())
        }
    }

    fn variable(i: u32) -> Var {
        Var::new(VarId(i), VarTy::Scalar(Scalar::Int(IntTy::signed(4))))
    }

    /// Cases, and division in each of them, have the models of the formula.
    #[test]
    fn cases_and_division_are_equivalent() {
        let (mut dice, mut shorter) = (Dice(1), 0);
        for _ in 0..3_000 {
            let f = dice.formula();
            let cases: Vec<Term> = split(f).into_iter().map(divided).collect();
            shorter += usize::from(Term::any(cases.iter().copied()) != f);
            for _ in 0..40 {
                let values = [0; 3].map(|_: i64| dice.below(16) as i64 - 8);
                let env = |v: Var| Some(Value::Int(IBig::from(values[v.id.0 as usize])));
                let holds = |t: Term| eval(t, &env) == Some(Value::Bool(true));
                assert_eq!(holds(f), cases.iter().any(|c| holds(*c)), "{f} for {values:?}: {cases:?}");
            }
        }
        assert!(shorter > 1_000, "{shorter}");
    }
}
