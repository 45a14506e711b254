//! How often loops turn and what recursive functions cost: proof rules instead of iteration (seed 001, Sections 6.4 and 6.6).
//!
//! **Problem.** A bound on the number of turns of a loop, as an expression over the state in which the loop is entered, or on the cost of a call, as a function of
//! the size of its arguments. **Approach.** A loop becomes a set of loop-free ways from its head to its head ([`transition`]); rules find ranking functions of the ways
//! and add them up ([`rules`]). A recursive function becomes a recurrence on the size of its arguments ([`cost`]), which textbook methods solve ([`recurrence`]).
//!
//! **Contract.** Bounds hold for executions of the program under machine integers, from the entry of the program on: what intervals know at a loop's head is
//! assumed. A bound is on turns since the loop was entered. Where no rule applies there is no bound; that says nothing.

mod cost;
pub mod polynomial;
pub mod recurrence;
mod rules;
mod transition;

pub use cost::{Cost, Recurrence};
pub use rules::Rank;

use plumb_cfa::loops::{Loop, Loops};
use plumb_cfa::unwind::Orders;
use plumb_cfa::{FuncId, Loc, Op, Program, VarKind};
use plumb_cpa::{Note, Place};
use plumb_term::print::show;
use plumb_term::visit::{linear_form, substitute, vars};
use plumb_term::{Budget, IBig, Term, VarTy};
use plumb_transform::interval::Ranges;
use rules::{width, Rules};
use std::collections::BTreeMap;
use transition::Body;

/// What was found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bounds {
    /// For each loop head: ranking functions that bound the turns together; none if no rule applies.
    loops: BTreeMap<Place, Option<Vec<Rank>>>,
    /// The same over the state where the loop is entered.
    entered: BTreeMap<Place, Vec<Rank>>,
    /// For functions that call themselves.
    costs: BTreeMap<FuncId, Option<Cost>>,
}

impl Bounds {
    /// Of all functions that can be called. Nothing if the budget is over first, or if there is no solver.
    pub fn new(program: &Program, budget: &Budget) -> Option<Bounds> {
        let orders = Orders::new(program);
        let ranges = Ranges::new(program, &orders, &budget.part(2));
        let mut rules = Rules::new(program, budget)?;
        let mut out = Bounds::default();
        for func in orders.calls().bottom_up(program.entry) {
            let f = program.function(func);
            let loops = Loops::new(&f.graph, orders.wto(func));
            let body = Body { program, func, loops: &loops };
            for (_, l) in loops.iter() {
                if budget.is_over() {
                    return None;
                }
                let known = ranges
                    .as_ref()
                    .and_then(|r| r.at(func, l.head))
                    .map(|e| e.facts(program, &|v| matches!(program.var(v).ty, VarTy::Scalar(_))));
                let ways = body.of_loop(l, Term::all(known.unwrap_or_default()));
                let ranks = ways.and_then(|w| rules.bound(&w));
                let at = Place { func, loc: l.head };
                if let Some(ranks) = &ranks {
                    out.entered.insert(at, ranks.iter().map(|r| at_entry(body, l, *r)).collect());
                }
                out.loops.insert(at, ranks);
            }
            if orders.calls().callees(func).contains(&func) {
                let cost = cost::cost(body, orders.calls(), &out, &mut rules);
                out.costs.insert(func, cost);
            }
        }
        Some(out)
    }

    /// The ranking functions, over the state at the head, that bound a loop together.
    pub fn of(&self, func: FuncId, head: Loc) -> Option<&[Rank]> {
        self.loops.get(&Place { func, loc: head })?.as_deref()
    }

    /// The same over the state where the loop is entered.
    pub fn entered(&self, func: FuncId, head: Loc) -> Option<&[Rank]> {
        self.entered.get(&Place { func, loc: head }).map(Vec::as_slice)
    }

    /// The cost of calls of a function that calls itself.
    pub fn cost(&self, func: FuncId) -> Option<&Cost> {
        self.costs.get(&func)?.as_ref()
    }

    /// What there is to say of a loop.
    pub(crate) fn of_loop(&self, program: &Program, at: Place) -> Option<Note> {
        let known = self.loops.get(&at)?;
        let text = match (known, self.entered.get(&at)) {
            (Some(_), Some(ranks)) => format!("at most {} turns", sum(program, ranks)),
            _ => "no bound is known".to_owned(),
        };
        Some(Note { analysis: NAME, var: None, text })
    }

    /// What there is to say of a function.
    pub(crate) fn of_function(&self, program: &Program, func: FuncId) -> Option<Note> {
        let known = self.costs.get(&func)?;
        let text = match known {
            Some(cost) => format!("a call with n = {} costs {}", text(program, cost.size), cost.bound),
            None => "recursive; no bound is known".to_owned(),
        };
        Some(Note { analysis: NAME, var: None, text })
    }
}

/// As it is called in lists.
pub(crate) const NAME: &str = "bounds";

/// A linear term over variables, what is added before what is taken away.
fn text(program: &Program, t: Term) -> String {
    let (constant, mut parts) = linear_form(t);
    parts.sort_by_key(|(k, _)| *k < IBig::ZERO);
    let mut out = String::new();
    let mut add = |k: IBig, what: String| {
        let negative = k < IBig::ZERO;
        let sign = match (out.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let size = if negative { -k } else { k };
        let factor = if what.is_empty() || size != IBig::ONE { size.to_string() } else { String::new() };
        let times = if what.is_empty() || factor.is_empty() { "" } else { "*" };
        out.push_str(&format!("{sign}{factor}{times}{what}"));
    };
    parts.into_iter().for_each(|(k, a)| add(k, show(a, &|v| program.var(v.id).name.clone()).to_string()));
    if constant != IBig::ZERO {
        add(constant, String::new());
    }
    out
}

/// The bound that ranking functions make together, in words.
pub fn sum(program: &Program, ranks: &[Rank]) -> String {
    let one = |r: &Rank| match r {
        Rank::Counting(r) => match r.as_int() {
            Some(k) => k.clone().max(0.into()).to_string(),
            None => format!("max(0, {})", text(program, *r)),
        },
        Rank::Halving(r) => format!("log2({}) + 1", text(program, *r)),
        Rank::Bits(v) => format!("LSB({}) <= {}", program.var(*v).name, width(program, *v)),
    };
    if ranks.is_empty() {
        return "0".to_owned();
    }
    let mut all: Vec<String> = ranks.iter().map(one).collect();
    all.sort();
    all.join(" + ")
}

/// A ranking function in terms of what is known where its loop is entered.
fn at_entry(body: Body<'_>, l: &Loop, rank: Rank) -> Rank {
    match rank {
        Rank::Counting(r) => Rank::Counting(known_at_entry(body, l, r)),
        Rank::Halving(r) => Rank::Halving(known_at_entry(body, l, r)),
        Rank::Bits(v) => Rank::Bits(v),
    }
}

/// A term over the state in which a loop is entered, by the assignments of constants and variables that lead there in a straight line.
fn known_at_entry(body: Body<'_>, l: &Loop, t: Term) -> Term {
    let graph = &body.program.function(body.func).graph;
    let ([entry], mut t) = (l.entries.as_slice(), t) else { return t };
    let mut edge = *entry;
    loop {
        let e = graph.edge(edge);
        let mentioned = vars([t]);
        match &e.op {
            Op::Skip | Op::Assume(_) | Op::Guard { .. } => {}
            Op::Assign(updates) => {
                // What the front end invented says nothing to a user.
                let named = |v: &Term| v.as_var().is_some_and(|v| body.program.var(v.id).kind == VarKind::Source);
                let simple = |v: &Term| v.as_int().is_some() || named(v);
                if updates.iter().any(|(v, value)| mentioned.iter().any(|m| m.id == *v) && !simple(value)) {
                    return t;
                }
                t = substitute(t, &|v| updates.iter().find(|u| u.0 == v.id).map(|u| u.1));
            }
            op if body.written(op).iter().all(|v| mentioned.iter().all(|m| m.id != *v)) => {}
            _ => return t,
        }
        match graph.in_edges(e.from) {
            [only] if *only != edge => edge = *only,
            _ => return t,
        }
    }
}
