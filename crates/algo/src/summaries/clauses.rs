//! A program with recursive functions as Horn clauses.
//!
//! Each recursive function has two relations: what holds when it is called, over its [`Interface`], and its summary, between the values at the
//! call and those at the return. A block ends at a loop head, at a return or at a call of a recursive function; after a call goes on what the
//! callee's summary allows:
//!
//! ```text
//!   start(x) ∧ block ⇒ called_g(arguments)
//!   start(x) ∧ block ∧ returned_g(arguments, results) ⇒ after(x')
//! ```
//!
//! The relations after calls are not needed by a proof, so clauses are resolved along them: in what remains a clause has a summary for each
//! call on one path through a block. Loop heads within a recursive function know the values at its call ([`at_entry`]).
//!
//! Source: Grebenshchikov et al., "Synthesizing software verifiers from proof rules" (PLDI 2012), §4; the tabulation of Reps, Horwitz, Sagiv
//! (POPL 1995), which the seed on arrays cites for its procedures, computes the same relations.

use super::interface::Interface;
use crate::houdini::Clause;
use crate::unroll::{Bound, State, Unroller, BLOCK_POINTS};
use plumb_cfa::unwind::{Orders, Unwound};
use plumb_cfa::{FuncId, Op, Point, Program};
use plumb_term::visit::{substitute, vars};
use plumb_term::{Budget, Term, Var, VarId, VarTy};
use plumb_verdict::{at_entry, Reason, ReasonKind};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Variables for what calls return and write.
const FIRST: u32 = VarId::FIRST_AUX.0 + (1 << 28);
/// More clauses are not made.
const MAX_CLAUSES: usize = 3000;

/// What a relation is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// The calls of a function.
    Called(FuncId),
    /// A function's summary.
    Returned(FuncId),
    /// A loop head.
    Head(Point),
    /// The location after a call; resolved away.
    After(Point),
}

/// A relation.
#[derive(Clone, Debug)]
pub struct Relation {
    /// What it is about.
    pub place: Place,
    /// What it is over.
    pub vars: Vec<Var>,
}

/// Relations and clauses.
#[derive(Debug, Default)]
pub struct System {
    /// The relations; those after calls have no clauses any more.
    pub relations: Vec<Relation>,
    /// The clauses.
    pub clauses: Vec<Clause>,
    /// The recursive functions that are called, with their interfaces.
    pub functions: BTreeMap<FuncId, Interface>,
}

/// Where a block starts: a relation, or the entry of the program.
#[derive(Clone, Copy, Debug)]
struct Start {
    relation: Option<usize>,
    /// The recursive function that it is in.
    root: Option<FuncId>,
    /// Whether that is just called: its values at the entry are the current ones.
    entering: bool,
}

/// How a block ends.
enum End {
    Error(Term),
    Head { to: usize, at: Unwound, s: State },
    Return { at: Unwound, s: State },
    Call(Call),
}

impl End {
    /// The loop head, or the location after a call, where execution goes on.
    fn target(&self) -> Option<usize> {
        match self {
            End::Head { to, .. } => Some(*to),
            End::Call(c) => c.after.as_ref().map(|a| a.0),
            End::Error(_) | End::Return { .. } => None,
        }
    }
}

/// A call of a recursive function.
struct Call {
    callee: FuncId,
    /// Its entry, and the state there.
    at: Unwound,
    s: State,
    /// What takes the result.
    dst: Option<VarId>,
    /// Where it returns to.
    after: Option<(usize, Unwound)>,
    /// What it returns and leaves in the variables of its interface.
    outs: BTreeMap<VarId, Var>,
}

struct Builder<'a> {
    program: &'a Program,
    orders: &'a Orders<'a>,
    unroller: Unroller<'a>,
    system: System,
    numbers: BTreeMap<Place, usize>,
    work: Vec<(Point, Start)>,
    ends: Vec<(Start, End)>,
    next: u32,
}

impl System {
    /// The clauses of a program.
    pub fn new(program: &Program, orders: &Orders<'_>, budget: &Budget) -> Result<System, Reason> {
        let entry = Point { stack: Vec::new(), func: program.entry, loc: program.function(program.entry).entry };
        let mut b = Builder {
            program,
            orders,
            unroller: Unroller::new(program, orders),
            system: System::default(),
            numbers: BTreeMap::new(),
            work: vec![(entry, Start { relation: None, root: None, entering: false })],
            ends: Vec::new(),
            next: FIRST,
        };
        while let Some((point, start)) = b.work.pop() {
            b.block(&point, start, budget)?;
        }
        b.name();
        b.clauses()?;
        Ok(b.system)
    }

    /// The number of a function's relation.
    pub fn number(&self, place: &Place) -> Option<usize> {
        self.relations.iter().position(|r| r.place == *place)
    }

    /// What each relation is over.
    pub fn names(&self) -> Vec<Vec<Var>> {
        self.relations.iter().map(|r| r.vars.clone()).collect()
    }
}

impl Builder<'_> {
    /// The number of a relation; when it is new, work starts there.
    fn relation(&mut self, place: Place, root: Option<FuncId>) -> usize {
        if let Some(n) = self.numbers.get(&place) {
            return *n;
        }
        let n = self.system.relations.len();
        let mut start = Start { relation: Some(n), root, entering: false };
        match &place {
            Place::Called(f) => {
                let entry = Point { stack: Vec::new(), func: *f, loc: self.program.function(*f).entry };
                start = Start { root: Some(*f), entering: true, ..start };
                self.work.push((entry, start));
            }
            Place::Head(p) | Place::After(p) => self.work.push((p.clone(), start)),
            Place::Returned(_) => {}
        }
        self.system.relations.push(Relation { place: place.clone(), vars: Vec::new() });
        self.numbers.insert(place, n);
        n
    }

    /// Executes one block.
    fn block(&mut self, from: &Point, start: Start, budget: &Budget) -> Result<(), Reason> {
        let states = BTreeMap::from([(Unwound::start(self.orders, from), State::default())]);
        let Some(wave) = self.unroller.wave(states, Bound::Call, BLOCK_POINTS, budget) else {
            let what = ReasonKind::Incomplete("a block between two loop heads is too large".into());
            return Err(Reason::new(if budget.is_over() { ReasonKind::Time } else { what }));
        };
        self.ends.extend(wave.errors.into_iter().map(|e| (start, End::Error(e.1))));
        self.ends.extend(wave.unsupported.into_iter().map(|u| (start, End::Error(u.2))));
        self.ends.extend(wave.returned.into_iter().filter(|_| start.root.is_some()).map(|(at, s)| (start, End::Return { at, s })));
        for (at, s) in wave.waiting {
            let end = if at.depth() > 0 && self.orders.calls().is_recursive(at.func) {
                self.call(at, s, start.root)
            } else {
                End::Head { to: self.relation(Place::Head(at.point()), start.root), at, s }
            };
            self.ends.push((start, end));
        }
        Ok(())
    }

    /// A block ends at the entry of a recursive function.
    fn call(&mut self, at: Unwound, s: State, root: Option<FuncId>) -> End {
        let callee = at.func;
        let interface = Interface::new(self.program, self.orders, callee);
        let mut outs = BTreeMap::new();
        for v in &interface.outs {
            outs.insert(*v, self.fresh(self.program.var(*v).ty));
        }
        self.system.functions.entry(callee).or_insert(interface);
        self.relation(Place::Called(callee), None);
        self.relation(Place::Returned(callee), None);
        let (mut dst, mut after) = (None, None);
        if let Some((site, next)) = at.ret(self.orders) {
            if let Op::Call { dst: Some(d), .. } = &self.program.function(site.func).graph.edge(site.edge).op {
                dst = Some(*d);
            }
            let head = self.orders.wto(next.func).headed_by(next.loc).is_some();
            let p = next.point();
            after = Some((self.relation(if head { Place::Head(p) } else { Place::After(p) }, root), next));
        }
        End::Call(Call { callee, at, s, dst, after, outs })
    }

    fn fresh(&mut self, ty: VarTy) -> Var {
        self.next += 1;
        Var::new(VarId(self.next), ty)
    }

    /// The value of `v` after a call returned to `next`; none if nothing is known of it.
    fn after(&self, call: &Call, next: &Unwound, v: VarId) -> Option<Term> {
        let result = self.program.function(call.callee).result;
        if call.dst == Some(v) && result.is_some() {
            return result.and_then(|r| call.outs.get(&r)).map(|o| Term::var(*o));
        }
        let info = self.program.var(v);
        let own = info.func.is_some_and(|f| next.activations(f) > 0);
        if !own && self.system.functions[&call.callee].writes.contains(&v) {
            return call.outs.get(&v).filter(|_| info.func.is_none()).map(|o| Term::var(*o));
        }
        Some(self.value(&call.s, next, v))
    }

    fn value(&self, s: &State, at: &Unwound, v: VarId) -> Term {
        self.unroller.value(s, at, self.program.term(v))
    }

    /// The variables that matter at each relation: those of conditions and arguments, and those that needed values depend on.
    fn needed(&self) -> Vec<BTreeSet<VarId>> {
        let mut needed: Vec<BTreeSet<VarId>> = vec![BTreeSet::new(); self.system.relations.len()];
        let of = |t: Term| vars([t]).into_iter().map(|v| v.id).filter(|v| *v < VarId::FIRST_AUX).collect::<Vec<_>>();
        let mut done: BTreeSet<(usize, VarId)> = BTreeSet::new();
        for (start, end) in &self.ends {
            let Some(r) = start.relation else { continue };
            match end {
                End::Error(t) => needed[r].extend(of(*t)),
                End::Head { s, .. } => needed[r].extend(of(s.path.condition())),
                End::Return { at, s } => {
                    needed[r].extend(of(s.path.condition()));
                    let outs = start.root.and_then(|f| self.system.functions.get(&f)).map_or(&[][..], |i| &i.outs);
                    outs.iter().for_each(|v| needed[r].extend(of(self.value(s, at, *v))));
                }
                End::Call(c) => {
                    needed[r].extend(of(c.s.path.condition()));
                    self.system.functions[&c.callee].ins.iter().for_each(|v| needed[r].extend(of(self.value(&c.s, &c.at, *v))));
                }
            }
        }
        loop {
            let before = done.len();
            for (i, (start, end)) in self.ends.iter().enumerate() {
                let Some(to) = end.target() else { continue };
                for v in needed[to].clone() {
                    if done.insert((i, v)) {
                        if let (Some(r), Some(t)) = (start.relation, self.carried(end, v)) {
                            needed[r].extend(of(t));
                        }
                    }
                }
            }
            if done.len() == before {
                return needed;
            }
        }
    }

    /// The value of `v` at the end of a block.
    fn carried(&self, end: &End, v: VarId) -> Option<Term> {
        match end {
            End::Head { at, s, .. } => Some(self.value(s, at, v)),
            End::Call(c) => c.after.as_ref().and_then(|(_, next)| self.after(c, next, v)),
            End::Error(_) | End::Return { .. } => None,
        }
    }

    /// Says what each relation is over.
    fn name(&mut self) {
        let needed = self.needed();
        let roots: BTreeMap<usize, FuncId> = self.ends.iter().filter_map(|(s, _)| Some((s.relation?, s.root?))).collect();
        for (n, needed) in needed.into_iter().enumerate() {
            let var = |v: &VarId| Var::new(*v, self.program.var(*v).ty);
            let ins = |f: &FuncId| self.system.functions.get(f).map_or_else(Vec::new, |i| i.ins.clone());
            let entries = |f: &FuncId| ins(f).iter().map(|v| at_entry(var(v))).collect::<Vec<Var>>();
            self.system.relations[n].vars = match &self.system.relations[n].place {
                Place::Called(f) => ins(f).iter().map(var).collect(),
                Place::Returned(f) => entries(f).into_iter().chain(self.system.functions[f].outs.iter().map(var)).collect(),
                Place::Head(_) | Place::After(_) => needed.iter().map(var).chain(roots.get(&n).map_or_else(Vec::new, entries)).collect(),
            };
        }
    }

    /// The clauses, resolved along the relations after calls.
    fn clauses(&mut self) -> Result<(), Reason> {
        let ends = std::mem::take(&mut self.ends);
        let mut raw: Vec<Clause> = Vec::new();
        for (start, end) in &ends {
            let body: Vec<(usize, Vec<Term>)> =
                start.relation.map(|r| (r, self.system.relations[r].vars.iter().map(|v| Term::var(*v)).collect())).into_iter().collect();
            let entry = |v: Var| Term::var(if start.entering { v.at(0) } else { v });
            match end {
                End::Error(t) => raw.push(Clause { body, condition: *t, head: None }),
                End::Head { to, at, s } => {
                    let value = |v: &Var| if v.version == 0 { self.value(s, at, v.id) } else { entry(*v) };
                    let head = Some((*to, self.system.relations[*to].vars.iter().map(value).collect()));
                    raw.push(Clause { body, condition: s.path.condition(), head });
                }
                End::Return { at, s } => {
                    let Some(to) = start.root.and_then(|f| self.numbers.get(&Place::Returned(f))) else { continue };
                    let value = |v: &Var| if v.version == 0 { self.value(s, at, v.id) } else { entry(*v) };
                    let head = Some((*to, self.system.relations[*to].vars.iter().map(value).collect()));
                    raw.push(Clause { body, condition: s.path.condition(), head });
                }
                End::Call(c) => {
                    let (called, returned) = (self.numbers[&Place::Called(c.callee)], self.numbers[&Place::Returned(c.callee)]);
                    let interface = &self.system.functions[&c.callee];
                    let args: Vec<Term> = interface.ins.iter().map(|v| self.value(&c.s, &c.at, *v)).collect();
                    let condition = c.s.path.condition();
                    raw.push(Clause { body: body.clone(), condition, head: Some((called, args.clone())) });
                    let Some((to, next)) = &c.after else { continue };
                    let results = interface.outs.iter().map(|v| Term::var(c.outs[v]));
                    let summary = (returned, args.into_iter().chain(results).collect());
                    let mut values = Vec::new();
                    for v in self.system.relations[*to].vars.clone() {
                        values.push(match v.version {
                            0 => self.after(c, next, v.id).unwrap_or_else(|| Term::var(self.fresh(v.ty))),
                            _ => entry(v),
                        });
                    }
                    raw.push(Clause { body: body.into_iter().chain([summary]).collect(), condition, head: Some((*to, values)) });
                }
            }
        }
        self.resolve(raw)
    }

    fn resolve(&mut self, raw: Vec<Clause>) -> Result<(), Reason> {
        let after: Vec<bool> = self.system.relations.iter().map(|r| matches!(r.place, Place::After(_))).collect();
        let starts_after = |c: &Clause| c.body.first().is_some_and(|(r, _)| after[*r]);
        let (rest, mut work): (Vec<Clause>, Vec<Clause>) = raw.into_iter().partition(starts_after);
        work.reverse();
        while let Some(c) = work.pop() {
            if c.condition.is_false() {
                continue;
            }
            let Some((to, values)) = c.head.clone().filter(|(to, _)| after[*to]) else {
                if self.system.clauses.len() >= MAX_CLAUSES {
                    return Err(Reason::new(ReasonKind::Incomplete(
                        "there are too many paths through calls of recursive functions".into(),
                    )));
                }
                self.system.clauses.push(c);
                continue;
            };
            let map: FxHashMap<Var, Term> = self.system.relations[to].vars.iter().copied().zip(values).collect();
            let put = |t: Term| substitute(t, &|v| map.get(&v).copied());
            let all = |ts: &[Term]| ts.iter().map(|t| put(*t)).collect::<Vec<Term>>();
            for d in rest.iter().filter(|d| d.body.first().is_some_and(|(r, _)| *r == to)) {
                let further = d.body[1..].iter().map(|(r, a)| (*r, all(a)));
                work.push(Clause {
                    body: c.body.iter().cloned().chain(further).collect(),
                    condition: c.condition.and(put(d.condition)),
                    head: d.head.as_ref().map(|(r, a)| (*r, all(a))),
                });
            }
        }
        Ok(())
    }
}
