//! Constant propagation ℂ𝕆 (Section 4.2), and explicit values: the same analysis with [`plumb_cpa::Separate`] around it.
//!
//! A state maps variables, and memory cells at constant addresses, to constants; what is absent can have any value. A term is evaluated by putting
//! in the constants and simplifying, which is the meaning that `plumb-term` gives it, floats included.
//!
//! **Precision.** [`Tracked`] says which variables are followed (Section 6.2).

mod refine;
mod state;
mod transfer;

pub use refine::TrackMore;
pub use state::Valuation;

use plumb_cfa::{Program, VarKind};
use plumb_cpa::{Cpa, Domain, Facts, Note, Site, Step};
use plumb_term::visit::vars;
use plumb_term::{Kind, Range, Sort, Term, VarId};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

/// The contents of larger objects are not told to users: nobody reads the elements of a table before each line.
const SMALL: u64 = 64;

/// The analysis.
#[derive(Clone, Copy, Debug)]
pub struct Values<'a> {
    program: &'a Program,
}

/// Which variables are followed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Tracked {
    /// All of them.
    #[default]
    All,
    /// These, memories by their regions' variables.
    Only(BTreeSet<VarId>),
}

impl<'a> Values<'a> {
    /// Of a program.
    pub fn new(program: &'a Program) -> Values<'a> {
        Values { program }
    }
}

impl Domain for Values<'_> {
    type State = Valuation;

    fn leq(&self, a: &Valuation, b: &Valuation) -> bool {
        b.is_part_of(a)
    }

    fn join(&self, a: &Valuation, b: &Valuation) -> Valuation {
        a.common(b)
    }
}

impl Cpa for Values<'_> {
    type Key = ();
    type Prec = Tracked;

    fn name(&self) -> &'static str {
        "value"
    }

    fn initial(&self) -> Vec<Valuation> {
        vec![Valuation::default()]
    }

    fn key(&self, _e: &Valuation) {}

    fn transfer(&self, e: &Valuation, step: &Step) -> Vec<Valuation> {
        transfer::post(self.program, e, step).into_iter().collect()
    }

    fn strengthen(&self, mut e: Valuation, step: &Step, others: &dyn Facts) -> Option<Valuation> {
        for c in others.assumptions() {
            e = transfer::assume(self.program, &e, c)?;
        }
        let about = vars(step.updates().iter().map(|u| u.1).chain([step.condition()])).into_iter().map(|v| v.id);
        for v in about.chain(step.updates().iter().map(|u| u.0)).filter(|v| *v < VarId::FIRST_AUX) {
            if e.var(v).is_none() && self.program.var(v).ty.sort() == Sort::Int {
                let r = others.range(self.program.term(v));
                match (r.lo, r.hi) {
                    (Some(lo), Some(hi)) if lo > hi => return None,
                    (Some(lo), Some(hi)) if lo == hi => e.set_var(v, Some(Term::int(lo))),
                    _ => {}
                }
            }
        }
        Some(e)
    }

    fn probe(&self, e: &Valuation, like: &Valuation) -> Option<u64> {
        let mut h = rustc_hash::FxHasher::default();
        for (v, _) in like.vars() {
            (v, e.var(v)?).hash(&mut h);
        }
        for (slot, ty, _) in like.cells() {
            (slot, e.cell(slot, ty)?).hash(&mut h);
        }
        Some(h.finish())
    }

    fn prec(&self, e: Valuation, precision: &Tracked, _at: Site) -> Option<Valuation> {
        Some(match precision {
            Tracked::All => e,
            Tracked::Only(vars) => e.restricted(vars),
        })
    }

    fn range(&self, e: &Valuation, t: Term) -> Range {
        e.eval(t).range()
    }

    fn truth(&self, e: &Valuation, t: Term) -> Option<bool> {
        e.eval(t).as_bool()
    }

    fn formulas(&self, e: &Valuation) -> Vec<Term> {
        let vars = e.vars().map(|(v, c)| is(self.program.term(v), c));
        let cells = e.cells().map(|((m, a), ty, c)| is(Term::load(ty, self.program.term(m), Term::int(a)), c));
        vars.chain(cells).collect()
    }

    fn notes(&self, e: &Valuation) -> Vec<Note> {
        let note = |var: Option<VarId>, name: &str, c: Term| Note { analysis: "value", var, text: format!("{name} = {}", constant(c)) };
        let vars = e.vars().filter(|(v, _)| self.program.var(*v).kind == VarKind::Source);
        let mut out: Vec<Note> = vars.map(|(v, c)| note(Some(v), &self.program.var(v).name, c)).collect();
        for ((mem, addr), ty, c) in e.cells() {
            let small = |a: &u64| self.program.object_at(*a).is_some_and(|o| o.size <= SMALL);
            let name = u64::try_from(addr).ok().filter(small).and_then(|a| self.program.lvalue(a, ty));
            out.extend(name.map(|name| note(Some(mem), &name, c)));
        }
        out
    }
}

/// The formula that a term has a constant value; floats by their bits.
fn is(t: Term, c: Term) -> Term {
    match t.sort() {
        Sort::Float(_) => Term::fbits(t).equals(Term::fbits(c)),
        _ => t.equals(c),
    }
}

/// A constant as C writes it.
fn constant(c: Term) -> String {
    match c.kind() {
        Kind::Int(v) => v.to_string(),
        Kind::Bool(b) => u8::from(*b).to_string(),
        _ => c.to_string(),
    }
}
