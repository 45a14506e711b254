//! What holds at cut points whenever an execution comes there, how far no error is, and the text of both.
//!
//! Engines publish facts and use those of others; since engines run in processes of their own, facts travel as text:
//!
//! ```text
//! (vars (ID TYPE) …)                the variables, written xID
//! (let TERM) …                      $0, $1, …
//! (at FUNCTION LOCATION (CALLER EDGE CALLER EDGE …) TERM) …
//! (free ITERATIONS)
//! ```
//!
//! Numbers are those of one program: both sides must have read it from the same text in the same way.

use plumb_cfa::{CallSite, EdgeId, FuncId, Loc, Point};
use plumb_term::text::{parse, read_term, read_type, type_name, Sexp, TextError, Writer};
use plumb_term::visit::vars;
use plumb_term::{Sort, Term, Var, VarId};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What is known of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// A formula over the program's variables (version 0) at each cut point; true where none is given.
    pub at: BTreeMap<Point, Term>,
    /// No error is reached within so many iterations of each loop.
    pub free: u32,
}

impl Facts {
    /// What holds at cut points, alone.
    pub fn new(at: BTreeMap<Point, Term>) -> Facts {
        Facts { at, free: 0 }
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.free == 0 && self.at.values().all(|t| t.is_true())
    }

    /// How many conjuncts there are.
    pub fn count(&self) -> usize {
        self.at.values().filter(|t| !t.is_true()).map(|t| t.conjuncts().len()).sum()
    }

    /// Adds what somebody else knows.
    pub fn add(&mut self, more: &Facts) {
        for (p, t) in &more.at {
            let known = self.at.entry(p.clone()).or_insert_with(Term::tt);
            *known = known.and(*t);
        }
        self.free = self.free.max(more.free);
    }

    /// The text.
    pub fn write(&self) -> String {
        let terms: Vec<Term> = self.at.values().copied().collect();
        let name = |v: Var| format!("x{}", v.id.0);
        let texts = Writer::new(&terms, &name);
        let list: Vec<String> = vars(terms).iter().map(|v| format!("({} {})", v.id.0, type_name(v.ty))).collect();
        let mut out = format!("(vars {})\n", list.join(" "));
        // Writing to a string does not fail.
        for t in texts.definitions() {
            let _ = writeln!(out, "(let {t})");
        }
        for (p, t) in &self.at {
            let stack: Vec<String> = p.stack.iter().map(|s| format!("{} {}", s.func.0, s.edge.0)).collect();
            let _ = writeln!(out, "(at {} {} ({}) {})", p.func.0, p.loc.0, stack.join(" "), texts.text(*t).unwrap_or("T"));
        }
        if self.free > 0 {
            let _ = writeln!(out, "(free {})", self.free);
        }
        out
    }

    /// The facts of a text.
    pub fn read(text: &str) -> Result<Facts, TextError> {
        let mut known: BTreeMap<String, Term> = BTreeMap::new();
        let mut facts = Facts::default();
        let mut defined = 0;
        for item in &parse(text)? {
            let (head, rest) = item.call()?;
            match (head, rest) {
                ("vars", list) => {
                    for v in list {
                        let [id, ty] = v.list()? else { return Err(TextError(format!("{v} is no variable"))) };
                        let var = Var { id: VarId(number(id)?), version: 0, ty: read_type(ty.atom()?)? };
                        known.insert(format!("x{}", var.id.0), Term::var(var));
                    }
                }
                ("let", [term]) => {
                    let term = read_term(term, &|w| known.get(w).copied())?;
                    known.insert(format!("${defined}"), term);
                    defined += 1;
                }
                ("at", [func, loc, stack, term]) => {
                    let pairs = stack.list()?.chunks(2).map(|c| match c {
                        [f, e] => Ok(CallSite { func: FuncId(number(f)?), edge: EdgeId(number(e)?) }),
                        _ => Err(TextError(format!("{stack} is no stack of calls"))),
                    });
                    let point = Point { stack: pairs.collect::<Result<_, _>>()?, func: FuncId(number(func)?), loc: Loc(number(loc)?) };
                    let term = read_term(term, &|w| known.get(w).copied())?;
                    if term.sort() != Sort::Bool {
                        return Err(TextError("a fact is no formula".into()));
                    }
                    facts.at.insert(point, term);
                }
                ("free", [n]) => facts.free = number(n)?,
                _ => return Err(TextError(format!("{head} is unknown here"))),
            }
        }
        Ok(facts)
    }
}

fn number(s: &Sexp) -> Result<u32, TextError> {
    u32::try_from(s.number()?).map_err(|_| TextError(format!("{s} is too large")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::{IntTy, Scalar, VarTy};

    fn var(id: u32) -> Term {
        Term::var(Var { id: VarId(id), version: 0, ty: VarTy::Scalar(Scalar::Int(IntTy::I32)) })
    }

    fn point(stack: &[(u32, u32)], func: u32, loc: u32) -> Point {
        let site = |s: &(u32, u32)| CallSite { func: FuncId(s.0), edge: EdgeId(s.1) };
        Point { stack: stack.iter().map(site).collect(), func: FuncId(func), loc: Loc(loc) }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let bound = var(3).less_eq(Term::int(10)).and(var(7).less_eq(var(3)));
        let at = BTreeMap::from([
            (point(&[], 0, 4), bound),
            (point(&[(0, 9), (2, 1)], 1, 2), bound.not().or(var(3).equals(var(12)))),
            (point(&[], 5, 0), Term::tt()),
        ]);
        let facts = Facts { at, free: 12 };
        assert_eq!(Facts::read(&facts.write()).unwrap(), facts);
        assert_eq!((facts.count(), facts.is_empty()), (3, false));
        assert_eq!(Facts::read(&Facts::default().write()).unwrap(), Facts::default());
    }

    #[test]
    fn nonsense_is_an_error() {
        for text in [
            "(at 0 0 () 5)",
            "(at 0 0 (1) T)",
            "(at 0 0 () x9)",
            "(vars (1 i32 2))",
            "(vars (1 foo))",
            "(fact)",
            "(at 0",
            "(at 0 -1 () T)",
            "(free)",
            "(free -1)",
        ] {
            assert!(Facts::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn facts_of_both_are_known() {
        let (a, b) = (var(1).less_eq(Term::int(5)), var(2).less_eq(Term::int(6)));
        let mut facts = Facts { at: BTreeMap::from([(point(&[], 0, 1), a)]), free: 3 };
        facts.add(&Facts::new(BTreeMap::from([(point(&[], 0, 1), b.and(a)), (point(&[], 0, 2), b)])));
        assert_eq!(facts, Facts { at: BTreeMap::from([(point(&[], 0, 1), a.and(b)), (point(&[], 0, 2), b)]), free: 3 });
    }
}
