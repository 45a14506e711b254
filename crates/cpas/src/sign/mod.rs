//! Signs: whether an integer variable can be negative, zero or positive. The example of `docs/writing-an-analysis.md`.

use plumb_cfa::chunks::Chunks;
use plumb_cfa::{Program, VarKind};
use plumb_cpa::{ranges, Cpa, Domain, Facts, Note, Step};
use plumb_term::visit::vars;
use plumb_term::{Range, Sort, Term, VarId};

/// A set of signs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sign(u8);

const NEGATIVE: (u8, Range) = (1, Range { lo: None, hi: Some(-1) });
const ZERO: (u8, Range) = (2, Range { lo: Some(0), hi: Some(0) });
const POSITIVE: (u8, Range) = (4, Range { lo: Some(1), hi: None });
const SIGNS: [(u8, Range); 3] = [NEGATIVE, ZERO, POSITIVE];

impl Sign {
    /// The signs of the integers in a range.
    pub fn of(r: Range) -> Sign {
        let has = |s: u8| match s {
            1 => r.lo.is_none_or(|l| l < 0),
            2 => r.contains(0),
            _ => r.hi.is_none_or(|h| h > 0),
        };
        Sign(SIGNS.iter().map(|s| s.0).filter(|s| has(*s)).sum())
    }

    /// The least range with all integers of these signs.
    pub fn range(self) -> Range {
        SIGNS.iter().filter(|s| self.0 & s.0 != 0).map(|s| s.1).reduce(Range::join).unwrap_or(Range::ALL)
    }
}

/// The signs of some variables; the others can have any of their type.
#[derive(Clone, Debug, Default)]
pub struct Signs(Chunks<Sign>);

impl PartialEq for Signs {
    fn eq(&self, o: &Signs) -> bool {
        self.0.differences(&o.0).is_empty()
    }
}

/// The analysis.
#[derive(Clone, Copy, Debug)]
pub struct SignAnalysis<'a>(pub &'a Program);

impl SignAnalysis<'_> {
    /// The signs of a variable.
    pub fn of(&self, e: &Signs, v: VarId) -> Sign {
        e.0.get(v).unwrap_or_else(|| Sign::of(self.0.term(v).range()))
    }

    /// Sets the signs of a variable; `None` if there are none left.
    fn set(&self, e: &mut Signs, v: VarId, s: Sign) -> Option<()> {
        let any = Sign::of(self.0.term(v).range());
        e.0.set(v, Some(s).filter(|s| *s != any));
        (s.0 != 0).then_some(())
    }

    fn follows(&self, v: VarId) -> bool {
        v < VarId::FIRST_AUX && self.0.var(v).ty.sort() == Sort::Int
    }

    /// Of each variable of a condition the signs with which no conjunct is false; `None` if there are none.
    fn assume(&self, mut e: Signs, cond: Term) -> Option<Signs> {
        for c in cond.conjuncts() {
            for v in vars([c]).into_iter().map(|v| v.id).filter(|v| self.follows(*v)) {
                let now = self.of(&e, v).0;
                let case = |s: Range| ranges::refutes(&|u| if u == v { s } else { self.of(&e, u).range() }, c);
                let left = SIGNS.iter().filter(|s| now & s.0 != 0 && !case(s.1)).map(|s| s.0).sum();
                self.set(&mut e, v, Sign(left))?;
            }
        }
        Some(e).filter(|_| !cond.is_false())
    }
}

impl Domain for SignAnalysis<'_> {
    type State = Signs;

    fn leq(&self, a: &Signs, b: &Signs) -> bool {
        a.0.differences(&b.0).iter().all(|d| self.of(a, d.0).0 & !self.of(b, d.0).0 == 0)
    }

    fn join(&self, a: &Signs, b: &Signs) -> Signs {
        let mut out = a.clone();
        for (v, ..) in a.0.differences(&b.0) {
            self.set(&mut out, v, Sign(self.of(a, v).0 | self.of(b, v).0));
        }
        out
    }
}

impl Cpa for SignAnalysis<'_> {
    type Key = ();
    type Prec = ();

    fn name(&self) -> &'static str {
        "sign"
    }

    fn initial(&self) -> Vec<Signs> {
        vec![Signs::default()]
    }

    fn key(&self, _e: &Signs) {}

    fn transfer(&self, e: &Signs, step: &Step) -> Vec<Signs> {
        let Some(before) = self.assume(e.clone(), step.condition()) else { return Vec::new() };
        let mut after = before.clone();
        for (v, t) in step.updates().iter().filter(|u| self.follows(u.0)) {
            self.set(&mut after, *v, Sign::of(self.range(&before, *t)));
        }
        vec![after]
    }

    fn strengthen(&self, mut e: Signs, step: &Step, others: &dyn Facts) -> Option<Signs> {
        for (v, _) in step.updates().iter().filter(|u| self.follows(u.0)) {
            let theirs = Sign::of(others.range(self.0.term(*v)));
            let both = Sign(self.of(&e, *v).0 & theirs.0);
            self.set(&mut e, *v, both)?;
        }
        Some(e)
    }

    fn range(&self, e: &Signs, t: Term) -> Range {
        ranges::eval(t, &|v| self.of(e, v).range())
    }

    fn formulas(&self, e: &Signs) -> Vec<Term> {
        let zero = |t: Term, s: Sign| if s.0 & ZERO.0 == 0 { t.differs(Term::int(0)) } else { Term::tt() };
        e.0.iter().map(|(v, s)| (self.0.term(v), s)).map(|(t, s)| t.in_range(s.range()).and(zero(t, s))).collect()
    }

    fn notes(&self, e: &Signs) -> Vec<Note> {
        let known = e.0.iter().filter(|(v, _)| self.0.var(*v).kind == VarKind::Source);
        let what = |s: Sign| ["", "< 0", "= 0", "<= 0", "> 0", "!= 0", ">= 0", "any"][usize::from(s.0 & 7)];
        known.map(|(v, s)| Note { analysis: "sign", var: Some(v), text: format!("{} {}", self.0.var(v).name, what(s)) }).collect()
    }
}
