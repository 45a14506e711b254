//! From blocks of a program to abstract transformers (Section IV): what a precision (V_N, V_P) makes of a condition and parallel assignments over terms.
//!
//! * [`Frame`] is the precision: the integer variables that are followed as numbers, and predicates, which may speak of anything.
//! * [`transformer`] abstracts a block. Numbers and conditions are read structurally ([`cases`]): choices and the wraps of machine arithmetic become cases, `τ ∨ τ`, each guarded by its
//!   condition. A predicate whose new value is such a condition is updated exactly; of any other an [`Oracle`], a solver, says which cubes over the predicates, and over
//!   equations of the addresses that are read, force it to be true or false ([`choice`]).
//! * [`path()`] is the path of a block that a state takes: where a block has more paths than can be read by cases, they are abstracted one by one, as a solver finds them.
//!
//! **Contract.** The transformer over-approximates the block: if an execution of the block leads from one state to another, the transformer leads from the one's valuation and point to the
//! other's. An oracle that does not know costs precision only.

mod cases;
mod choice;
mod frame;
mod path;

pub use cases::read;
pub use choice::Oracle;
pub use frame::{Frame, Terms};
pub use path::path;

use crate::expr::{Expr, Pred};
use crate::transformer::{Choice, Transformer};
use crate::update::Update;
use cases::{cases, Case};
use plumb_num::Dim;
use plumb_term::visit::{substitute, vars};
use plumb_term::{Term, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// A block: when it is taken, and the values that it leaves, over the state before and inputs, which are auxiliary variables.
#[derive(Clone, Debug)]
pub struct Block {
    /// When it is taken.
    pub condition: Term,
    /// The new values.
    pub values: BTreeMap<VarId, Term>,
}

impl Block {
    /// A term over the state after the block, over the one before.
    pub fn before(&self, t: Term) -> Term {
        substitute(t, &|v| self.values.get(&v.id).copied())
    }
}

/// What is kept at the end of a block; the rest is forgotten there.
pub struct Kept<'a> {
    /// The variables, and with them what predicates say of others.
    pub live: &'a dyn Fn(VarId) -> bool,
    /// The predicates.
    pub predicates: &'a dyn Fn(Term) -> bool,
}

/// The transformer of a block.
pub fn transformer(frame: &Frame, block: &Block, kept: &Kept<'_>, oracle: &mut dyn Oracle) -> Transformer {
    let live = kept.live;
    let about = |p: Term| vars([p]);
    let mut forgotten: Vec<Choice> = Vec::new();
    let mut changed: Vec<(Pred, Term)> = Vec::new();
    for (p, t) in frame.predicates() {
        if !(kept.predicates)(t) || about(t).iter().any(|v| !live(v.id)) {
            forgotten.push(Choice { pred: p, t: Expr::Bool(false), f: Expr::Bool(false) });
        } else if about(t).iter().any(|v| block.values.contains_key(&v.id)) {
            changed.push((p, block.before(t)));
        }
    }
    let dead: BTreeSet<Dim> = frame.numeric().filter(|v| !live(v.id)).map(|v| Dim(v.id.0)).collect();
    let exact: Vec<(Pred, Term)> = changed.iter().copied().filter(|(_, t)| frame.is_readable(*t)).collect();
    let mut others = Vec::new();
    for (pred, wp) in changed.iter().filter(|c| !exact.contains(c)) {
        let (t, f) = choice::choice(frame, block.condition, *wp, oracle);
        others.push(Choice { pred: *pred, t, f });
    }
    let guard = choice::guard(frame, block.condition, oracle);
    let assigned: Vec<(VarId, Term)> =
        block.values.iter().filter(|(v, _)| frame.is_number(**v) && live(**v)).map(|(v, t)| (*v, *t)).collect();
    let mut out = Vec::new();
    for Case { guards, locals, updates, conditions } in cases(frame, block.condition, &assigned, &exact) {
        let mut updates: Vec<(Dim, Update)> = updates;
        updates.extend(dead.iter().copied().chain(locals).map(|d| (d, Update::any())));
        let mut choices: Vec<Choice> = forgotten.clone();
        choices.extend(others.iter().cloned());
        choices.extend(conditions.into_iter().map(|(pred, e)| match e {
            Some(e) => Choice { pred, f: e.negated(), t: e },
            None => Choice { pred, t: Expr::Bool(false), f: Expr::Bool(false) },
        }));
        let guard = frame.vocabulary().concise(Expr::all(guards.into_iter().chain([guard.clone()])));
        out.push(if choices.is_empty() && updates.is_empty() {
            Transformer::Assume(guard)
        } else {
            Transformer::Both(guard, updates, choices)
        });
    }
    match out.len() {
        1 => out.remove(0),
        _ => Transformer::Either(out),
    }
}
