//! Sums, differences and multiples: linear forms.

use crate::node::{Kind, Lin, Term};
use dashu_int::IBig;

/// A linear form under construction.
#[derive(Clone, Debug, Default)]
pub struct Sum {
    /// The constant.
    pub constant: IBig,
    parts: Vec<(Term, IBig)>,
}

impl Sum {
    /// The form without atoms.
    pub fn constant(constant: IBig) -> Sum {
        Sum { constant, parts: Vec::new() }
    }

    /// The linear form of an integer term.
    pub fn of(t: Term) -> Sum {
        let mut s = Sum::default();
        s.add(&IBig::ONE, t);
        s
    }

    /// Adds `k·t`.
    pub fn add(&mut self, k: &IBig, t: Term) {
        match t.kind() {
            Kind::Int(v) => self.constant += k * v,
            Kind::Lin(lin) => {
                self.constant += k * &lin.constant;
                self.parts.extend(lin.parts.iter().map(|(c, a)| (*a, k * c)));
            }
            _ => self.parts.push((t, k.clone())),
        }
    }

    /// Atoms in order of age with their nonzero coefficients.
    pub fn parts(mut self) -> (IBig, Vec<(IBig, Term)>) {
        self.parts.sort_by_key(|p| p.0);
        let mut out: Vec<(IBig, Term)> = Vec::with_capacity(self.parts.len());
        for (t, k) in self.parts {
            match out.last_mut() {
                Some((c, last)) if *last == t => *c += k,
                _ => out.push((k, t)),
            }
        }
        out.retain(|(c, _)| *c != IBig::ZERO);
        (self.constant, out)
    }

    /// The term.
    pub fn term(self) -> Term {
        let (constant, parts) = self.parts();
        Term::linear(constant, parts)
    }
}

impl Term {
    /// `constant + Σ coeff·atom` from parts as [`Sum::parts`] yields them.
    pub(crate) fn linear(constant: IBig, parts: Vec<(IBig, Term)>) -> Term {
        match parts.as_slice() {
            [] => Term::int(constant),
            [(k, t)] if *k == IBig::ONE && constant == IBig::ZERO => *t,
            _ => Term::intern(Kind::Lin(Lin { constant, parts: parts.into() })),
        }
    }

    /// Sum of many.
    pub fn sum(ts: impl IntoIterator<Item = Term>) -> Term {
        let mut s = Sum::default();
        for t in ts {
            s.add(&IBig::ONE, t);
        }
        s.term()
    }

    /// Sum.
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn add(self, o: Term) -> Term {
        Term::sum([self, o])
    }

    /// Difference.
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn sub(self, o: Term) -> Term {
        let mut s = Sum::of(self);
        s.add(&IBig::NEG_ONE, o);
        s.term()
    }

    /// Negation.
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn neg(self) -> Term {
        self.scale(&IBig::NEG_ONE)
    }

    /// Multiple by a constant.
    #[must_use]
    pub fn scale(self, k: &IBig) -> Term {
        let mut s = Sum::default();
        s.add(k, self);
        s.term()
    }

    /// Sum with a constant.
    #[must_use]
    pub fn plus(self, k: impl Into<IBig>) -> Term {
        self.add(Term::int(k))
    }

    /// The constant `self − o`, if the two differ by one.
    pub fn difference(self, o: Term) -> Option<IBig> {
        if self == o {
            return Some(IBig::ZERO);
        }
        // Linear forms are in normal form: no need to build the sum.
        let plus = |lin: &Lin, t: Term| matches!(&*lin.parts, [(k, a)] if *k == IBig::ONE && *a == t);
        match (self.kind(), o.kind()) {
            (Kind::Int(a), Kind::Int(b)) => Some(a - b),
            (Kind::Lin(a), Kind::Lin(b)) => (a.parts == b.parts).then(|| &a.constant - &b.constant),
            (Kind::Lin(a), _) => plus(a, o).then(|| a.constant.clone()),
            (_, Kind::Lin(b)) => plus(b, self).then(|| -&b.constant),
            _ => None,
        }
    }
}
