//! How general labels are: the number and the size of their atoms.

use plumb_term::visit::{postorder, size};
use plumb_term::{Kind, Sort, Term};
use std::collections::BTreeSet;

/// The number of distinct atoms of some labels, up to sign and to the copies of variables, and the sum of their sizes.
pub fn measure(labels: &[Term]) -> (usize, usize) {
    let mut atoms: BTreeSet<Term> = BTreeSet::new();
    for t in postorder(labels.iter().copied()).into_iter().filter(|t| is_atom(*t)) {
        let plain = plumb_term::visit::substitute(t, &|v| Some(Term::var(v.at(0))));
        if plain.as_bool().is_none() {
            atoms.insert(plain.min(plain.not()));
        }
    }
    (atoms.len(), atoms.iter().map(|t| size(*t)).sum())
}

fn is_atom(t: Term) -> bool {
    match t.kind() {
        Kind::Var(_) => t.sort() == Sort::Bool,
        Kind::Le(..) | Kind::FCmp(..) | Kind::FTest(..) => true,
        Kind::Eq(a, _) => a.sort() != Sort::Bool,
        _ => false,
    }
}
