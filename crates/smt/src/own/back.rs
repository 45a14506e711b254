//! Interpolants as terms.

use super::translate::Translator;
use plumb_itp::{Formula, Linear};
use plumb_num::Int;
use plumb_term::{IBig, Term};

impl Translator {
    /// The term of a formula; nothing if a variable has no meaning outside of its part.
    pub(crate) fn term(&self, f: &Formula) -> Option<Term> {
        // Formulas are as deep as proofs are: an explicit stack, shared parts once each.
        let mut done: rustc_hash::FxHashMap<*const Formula, Term> = rustc_hash::FxHashMap::default();
        let mut todo: Vec<(&Formula, bool)> = vec![(f, false)];
        while let Some((g, ready)) = todo.pop() {
            let key: *const Formula = g;
            if done.contains_key(&key) {
                continue;
            }
            let term = match g {
                Formula::Constant(b) => Term::bool(*b),
                Formula::Boolean(v, value) => {
                    let t = *self.names.get(v)?;
                    if *value {
                        t
                    } else {
                        t.not()
                    }
                }
                // The own solver is asked about integers only here, where strictness has become weak.
                Formula::LessEq(t, false) => self.form(t)?.less_eq(Term::int(IBig::ZERO)),
                Formula::LessEq(t, true) => self.form(t)?.less(Term::int(IBig::ZERO)),
                Formula::Divides(k, t) => self.form(t)?.rem(Term::int(big(k))).equals(Term::int(IBig::ZERO)),
                Formula::And(fs) | Formula::Or(fs) => {
                    if !ready {
                        todo.push((g, true));
                        todo.extend(fs.iter().map(|f| (f, false)));
                        continue;
                    }
                    let terms = fs.iter().map(|f| done[&std::ptr::from_ref(f)]);
                    if matches!(g, Formula::And(_)) {
                        Term::all(terms)
                    } else {
                        Term::any(terms)
                    }
                }
            };
            done.insert(key, term);
        }
        done.get(&std::ptr::from_ref(f)).copied()
    }

    fn form(&self, t: &Linear) -> Option<Term> {
        let mut sum = vec![Term::int(big(t.offset()))];
        for (x, a) in t.terms() {
            sum.push(self.meaning.get(x)?.scale(&big(a)));
        }
        Some(Term::sum(sum))
    }
}

/// As an integer of terms.
pub(super) fn big(v: &Int) -> IBig {
    match v.to_i128() {
        Some(v) => IBig::from(v),
        None => v.to_string().parse().unwrap_or(IBig::ZERO),
    }
}
