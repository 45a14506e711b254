//! Divisibility by one number as an unknown predicate.
//!
//! **Problem.** That an address is where an object of an array or of the heap begins is a remainder. A solver that has hundreds of them looks for cuts and normal forms
//! instead of for conflicts.
//!
//! **The picture.** The remainder becomes an unknown predicate of the address. What arithmetic knows of it is said where a formula compares addresses: the distance of two
//! places where objects begin is a multiple of their room, so an equation with another distance is false, and an inequality is as strict as the next multiple.
//!
//! **Contract.** With divisibility for the predicate, every lemma is true and every term has the value that it had: what has a model has one afterwards. The
//! converse need not hold, so only a refutation counts.

use crate::pushed::Pushed;
use plumb_term::visit::{linear_form, postorder, vars, Rewriter};
use plumb_term::{Cell, IBig, IntTy, Kind, Scalar, Sort, Term, Var, VarId, VarTy};
use std::collections::{BTreeMap, BTreeSet};

/// Larger formulas are not looked at.
const MOST_SIZE: usize = 50_000;
/// Choices in one number that are looked into.
const MOST_CHOICES: usize = 6;
/// What the predicate yields: zero where it holds.
const ANSWER: Scalar = Scalar::Int(IntTy::unsigned(8));

/// A formula without the remainders by one number, whose loads are pushed through stores, with the models of `formula`, and more; nothing if no remainder is
/// compared with zero in it, or it is too large.
pub fn without_remainders(formula: Term) -> Option<Term> {
    if postorder([formula]).len() > MOST_SIZE {
        return None;
    }
    let mut multiples = Multiples::of([formula])?;
    let plain = multiples.term(Pushed::default().term(formula));
    (postorder([plain]).len() <= MOST_SIZE).then(|| plain.and(multiples.lemmas([plain])))
}

/// The predicate that stands for one of the divisibilities of some terms.
pub struct Multiples {
    modulus: IBig,
    /// What makes the numbers of interest multiples.
    offset: IBig,
    predicate: Term,
    rewriter: Rewriter,
}

impl Multiples {
    /// The divisibility that most remainders of some terms are about; nothing if none is compared with zero.
    pub fn of(terms: impl IntoIterator<Item = Term>) -> Option<Multiples> {
        let terms: Vec<Term> = terms.into_iter().collect();
        let mut often: BTreeMap<(IBig, IBig), usize> = BTreeMap::new();
        for n in postorder(terms.iter().copied()) {
            if let Some((number, modulus)) = divisibility(n) {
                let offset = over(&linear_form(number).0, modulus);
                *often.entry((modulus.clone(), offset)).or_default() += 1;
            }
        }
        let (modulus, offset) = often.into_iter().max_by_key(|o| o.1)?.0;
        let next = vars(terms).iter().map(|v| v.id.0).max().unwrap_or(0).max(VarId::FIRST_AUX.0).checked_add(1)?;
        let predicate = Term::var(Var::new(VarId(next), VarTy::Mem(Cell::Scalar(ANSWER))));
        Some(Multiples { modulus, offset, predicate, rewriter: Rewriter::new() })
    }

    /// A term with the predicate instead of remainders.
    pub fn term(&mut self, t: Term) -> Term {
        let mut rewriter = std::mem::take(&mut self.rewriter);
        let out = rewriter.rewrite(t, &mut |n| match divisibility(n) {
            Some((number, modulus)) if *modulus == self.modulus => Some(self.divides(number, MOST_CHOICES)),
            _ => None,
        });
        self.rewriter = rewriter;
        out
    }

    /// What is true of the comparisons in terms that have the predicate.
    pub fn lemmas(&self, terms: impl IntoIterator<Item = Term>) -> Term {
        let mut lemmas = BTreeSet::new();
        for n in postorder(terms) {
            match n.kind() {
                Kind::Eq(a, b) if a.sort() == Sort::Int => lemmas.extend(self.equation(n, a.sub(*b))),
                Kind::Le(a, b) => lemmas.extend(self.inequality(n, a.sub(*b))),
                Kind::Wrap(_, a) => _ = lemmas.insert(n.equals(*a).implies(same(self.is_one(n), self.is_one(*a)))),
                _ => {}
            }
        }
        Term::all(lemmas)
    }

    /// What is true of `atom`, which says that `difference` is zero.
    fn equation(&self, atom: Term, difference: Term) -> Option<Term> {
        let (constant, ends) = self.ends(difference)?;
        let both = Term::all(ends.iter().map(|e| self.is_one(*e)));
        if over(&constant, &self.modulus) != IBig::ZERO {
            return Some(both.and(atom).not());
        }
        let all = match ends[..] {
            [a, b] => same(self.is_one(a), self.is_one(b)),
            _ => both,
        };
        Some(atom.implies(all)).filter(|t| !t.is_true())
    }

    /// What is true of `atom`, which says that `difference` is at most zero.
    fn inequality(&self, atom: Term, difference: Term) -> Option<Term> {
        let (constant, ends) = self.ends(difference)?;
        // The difference is a multiple and so much.
        let over = over(&constant, &self.modulus);
        if over == IBig::ZERO {
            return None;
        }
        let both = Term::all(ends.iter().map(|e| self.is_one(*e)));
        let less = difference.add(Term::int(&self.modulus - &over)).less_eq(Term::int(0));
        let more = Term::int(over).less_eq(difference);
        Some(both.implies(atom.implies(less).and(atom.or(more))))
    }

    /// If a sum is, up to multiples, a number or the distance of two: these, and what is added if they are of interest.
    fn ends(&self, sum: Term) -> Option<(IBig, Vec<Term>)> {
        let (mut constant, parts) = linear_form(sum);
        let single: Vec<&(IBig, Term)> = parts.iter().filter(|(k, _)| over(k, &self.modulus) != IBig::ZERO).collect();
        let is_unit = |k: &IBig| *k == IBig::ONE || *k == -IBig::ONE;
        match single[..] {
            [(k, _)] if is_unit(k) => constant -= k * &self.offset,
            [(k, _), (l, _)] if is_unit(k) && *k == -l => {}
            _ => return None,
        }
        Some((constant, single.iter().map(|(_, t)| *t).collect()))
    }

    /// That a number is one of those of interest.
    fn is_one(&self, number: Term) -> Term {
        self.divides(number.add(Term::int(self.offset.clone())), MOST_CHOICES)
    }

    /// That the modulus divides a number; of so many choices, by cases.
    fn divides(&self, number: Term, choices: usize) -> Term {
        let (constant, parts) = linear_form(number);
        let parts: Vec<(IBig, Term)> = parts.into_iter().filter(|(k, _)| over(k, &self.modulus) != IBig::ZERO).collect();
        let choice = parts.iter().find_map(|(k, t)| match t.kind() {
            Kind::Ite(c, a, b) if choices > 0 => Some((k, *t, *c, *a, *b)),
            _ => None,
        });
        if let Some((k, choice, c, a, b)) = choice {
            let with = |t: Term| self.divides(number.add(t.sub(choice).scale(k)), choices - 1);
            return Term::ite(c, with(a), with(b));
        }
        let constant = over(&constant, &self.modulus);
        if parts.is_empty() {
            return Term::bool(constant == IBig::ZERO);
        }
        let at = parts.into_iter().fold(Term::int(constant), |sum, (k, t)| sum.add(t.scale(&k)));
        Term::load(ANSWER, self.predicate, at).equals(Term::int(0))
    }
}

/// If a formula says that a number is divisible by a constant: both.
fn divisibility(t: Term) -> Option<(Term, &'static IBig)> {
    let Kind::Eq(a, b) = t.kind() else { return None };
    let (Kind::Rem(number, modulus), Some(zero)) = (a.kind(), b.as_int()) else { return None };
    modulus.as_int().filter(|m| *zero == IBig::ZERO && **m > IBig::ONE).map(|m| (*number, m))
}

/// What is left of a number after division, never negative.
fn over(n: &IBig, modulus: &IBig) -> IBig {
    let rest = n % modulus;
    if rest < IBig::ZERO {
        rest + modulus
    } else {
        rest
    }
}

/// That two formulas have one value.
fn same(a: Term, b: Term) -> Term {
    a.implies(b).and(b.implies(a))
}
