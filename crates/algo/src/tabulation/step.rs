//! A clause as a step between elements of a numeric domain.
//!
//! The clauses of a program ([`System`]) say how calls, returns and loop heads follow from each other. A step gives each clause a space of its own: the
//! variables that its relations are about, a dimension for each argument of a summary that is no plain variable, and the dimensions of
//! the relation that follows. What the clause says is then one [`Way`], whose cases are linear actions ([`cases_from`]).

use crate::dagger::action::Action;
use crate::dagger::cases::cases_from;
use crate::dagger::control::Way;
use crate::houdini::Clause;
use crate::space::{big, Space};
use crate::summaries::clauses::System;
use plumb_cfa::{Loc, Program};
use plumb_num::simplex::{self, Feasibility};
use plumb_num::{Boxes, Dim, Int, Interval, Lattice, LinCons, LinExpr, NumDomain};
use plumb_term::visit::{substitute, vars};
use plumb_term::{Scalar, Term, Var, VarId, VarTy};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A relation's variables that are dimensions, in order.
pub fn dimensions(vars: &[Var]) -> Vec<(usize, Var)> {
    let number = |v: &Var| matches!(v.ty, VarTy::Int | VarTy::Scalar(Scalar::Int(_)));
    vars.iter().copied().enumerate().filter(|(_, v)| number(v)).collect()
}

/// A relation that a clause relies on.
#[derive(Debug)]
pub struct Premise {
    /// Its number.
    pub relation: usize,
    /// The arguments that are dimensions of the relation.
    arguments: Vec<Term>,
    /// From the relation's dimensions to the step's.
    map: Vec<(Dim, Dim)>,
    /// The same, with plain variables that the arguments are equal to.
    aliases: BTreeMap<Dim, Dim>,
}

/// A clause over a numeric domain.
#[derive(Debug)]
pub struct Step {
    /// What it relies on.
    pub premises: Vec<Premise>,
    /// What follows; nothing for an error.
    pub head: Option<usize>,
    space: Space,
    way: Way,
    /// The dimensions of the head, in the step.
    results: Vec<(Dim, Dim)>,
    before: BTreeSet<VarId>,
    after: BTreeSet<VarId>,
}

/// Names variables of a clause anew, so that each has a number of its own.
struct Names<'a> {
    program: &'a Program,
    vars: Vec<Var>,
    of: FxHashMap<Var, Term>,
}

impl Names<'_> {
    fn fresh(&mut self, ty: VarTy) -> (Dim, Term) {
        let d = Dim(self.vars.len() as u32);
        let v = Var::new(VarId(self.program.vars.len() as u32 + d.0), ty);
        self.vars.push(v);
        (d, Term::var(v))
    }
}

impl Step {
    /// The step of a clause.
    pub fn new(program: &Program, system: &System, clause: &Clause) -> Step {
        let mut names = Names { program, vars: Vec::new(), of: FxHashMap::default() };
        let head = clause.head.iter().flat_map(|(_, args)| args.iter().copied());
        let spoken = clause.body.iter().flat_map(|(_, args)| args.iter().copied()).chain([clause.condition]).chain(head);
        // The program's variables are dimensions, and the results of calls; other inputs are told apart by the cases.
        let number = |v: &Var| !dimensions(&[*v]).is_empty();
        let called: BTreeSet<Var> = clause.body.iter().flat_map(|(_, args)| args).filter_map(|a| a.as_var()).collect();
        let all: BTreeSet<Var> =
            vars(spoken).into_iter().filter(|v| number(v) && (v.id < VarId::FIRST_AUX || called.contains(v))).collect();
        let mut dims: BTreeMap<Var, Dim> = BTreeMap::new();
        for v in all {
            let (d, t) = names.fresh(v.ty);
            names.of.insert(v, t);
            dims.insert(v, d);
        }
        let mut claimed: BTreeSet<Var> = BTreeSet::new();
        let mut guard = Vec::new();
        let mut premises = Vec::new();
        for (relation, args) in &clause.body {
            let (mut map, mut aliases, mut arguments) = (Vec::new(), BTreeMap::new(), Vec::new());
            for (i, (n, v)) in dimensions(&system.relations[*relation].vars).into_iter().enumerate() {
                let from = Dim(i as u32);
                arguments.push(substitute(args[n], &|v| names.of.get(&v).copied()));
                match args[n].as_var().and_then(|a| dims.get(&a).map(|d| (a, *d))) {
                    Some((a, d)) if claimed.insert(a) => map.push((from, d)),
                    plain => {
                        let (d, t) = names.fresh(v.ty);
                        guard.push(t.equals(arguments[i]));
                        map.push((from, d));
                        aliases.extend(plain.map(|(_, p)| (p, from)));
                    }
                }
            }
            aliases.extend(map.iter().map(|(from, to)| (*to, *from)));
            premises.push(Premise { relation: *relation, arguments, map, aliases });
        }
        guard.push(substitute(clause.condition, &|v| names.of.get(&v).copied()));
        let before: BTreeSet<VarId> = names.vars.iter().map(|v| v.id).collect();
        let (mut results, mut updates, mut after) = (Vec::new(), BTreeMap::new(), BTreeSet::new());
        if let Some((to, args)) = &clause.head {
            for (i, (n, v)) in dimensions(&system.relations[*to].vars).into_iter().enumerate() {
                let value = substitute(args[n], &|v| names.of.get(&v).copied());
                let (d, _) = names.fresh(v.ty);
                let id = names.vars[d.index()].id;
                results.push((d, Dim(i as u32)));
                updates.insert(id, value);
                after.insert(id);
            }
        }
        let way = Way { from: Loc(0), to: Loc(0), guard: Term::all(guard), updates, path: Vec::new() };
        Step { premises, head: clause.head.as_ref().map(|h| h.0), space: Space::new(names.vars), way, results, before, after }
    }

    /// What a relation's element says in the step.
    pub fn placed<D: NumDomain>(&self, domain: &D, premise: usize, e: &D::Elem) -> D::Elem {
        domain.rename(e, &self.premises[premise].map)
    }

    /// Whether the values that are known so far allow a premise whose arguments are known to be these.
    pub fn allows<D: NumDomain>(&self, domain: &D, so_far: &D::Elem, premise: usize, known: &[Option<Int>]) -> bool {
        let p = &self.premises[premise];
        p.arguments.iter().zip(known).all(|(a, k)| {
            let (Some(k), Some(e)) = (k, self.space.expr(*a)) else { return true };
            domain.bounds(so_far, &e).contains(k)
        })
    }

    /// The states of the head that follow from states of the premises, with the number of the case; for an error, any states at all.
    pub fn images<D: NumDomain>(&self, domain: &D, state: &D::Elem, cache: &mut Cache) -> Vec<(usize, D::Elem)> {
        let sides: Vec<(Dim, Interval)> = (0..self.before.len() as u32)
            .map(|d| (Dim(d), domain.bounds(state, &LinExpr::var(Dim(d)))))
            .filter(|(_, i)| !i.is_full())
            .collect();
        let actions = cache.0.entry(sides).or_insert_with_key(|sides| self.actions(sides));
        let several = actions.len() > 1;
        let mut out = Vec::new();
        for (case, a) in actions.iter().enumerate() {
            let image = a.image(domain, state);
            if !domain.is_bottom(&image) && (!several || self.is_possible(domain, state, a)) {
                let moved = domain.rename(&domain.project(&image, &self.results.iter().map(|r| r.0).collect::<Vec<_>>()), &self.results);
                out.push((case, moved));
            }
        }
        out
    }

    /// Whether values of the variables' types may take the action. States do not say that their variables are in range, as cubes have many corners; so the
    /// cases of wraps would all seem possible where several variables decide.
    fn is_possible<D: NumDomain>(&self, domain: &D, state: &D::Elem, a: &Action) -> bool {
        let mut all = domain.constraints(state);
        all.extend(a.guards.iter().cloned());
        let dims: BTreeSet<Dim> = all.iter().flat_map(|c| c.expr().dims().collect::<Vec<_>>()).filter(|d| *d < self.space.end()).collect();
        for d in dims {
            let r = self.space.var(d).range();
            all.extend(between(d, &Interval { lo: r.lo.map(Int::from), hi: r.hi.map(Int::from) }));
        }
        matches!(simplex::solve(&all), Feasibility::Feasible(_))
    }

    /// The actions from states within a box.
    fn actions(&self, sides: &[(Dim, Interval)]) -> Vec<Action> {
        let mut within = Boxes.top();
        let mut known: FxHashMap<VarId, Term> = FxHashMap::default();
        for (d, i) in sides {
            within = Boxes.assume_all(&within, &between(*d, i));
            if let (Some(v), Some(var)) = (i.as_point(), self.space.var(*d).as_var()) {
                known.insert(var.id, Term::int(big(v)));
            }
        }
        let at = |t: Term| substitute(t, &|v| known.get(&v.id).filter(|_| v.version == 0).copied());
        let updates = self.way.updates.iter().map(|(v, t)| (*v, at(*t))).collect();
        let special = Way { guard: at(self.way.guard), updates, ..self.way.clone() };
        if special.guard.is_false() {
            return Vec::new();
        }
        cases_from(&self.space, &special, &self.before, &self.after, within)
    }

    /// What the clause compares, as constraints on the dimensions of each premise's relation.
    pub fn compared(&self) -> Vec<(usize, LinCons)> {
        let mut out = Vec::new();
        for e in self.space.compared(self.way.guard) {
            for p in &self.premises {
                let map: Option<Vec<(Dim, Dim)>> = e.dims().map(|d| p.aliases.get(&d).map(|to| (d, *to))).collect();
                let Some(map) = map.filter(|m| !m.is_empty()) else { continue };
                let to = |d: Dim| map.iter().find(|m| m.0 == d).map_or(d, |m| m.1);
                let mut moved = LinExpr::constant(e.constant_part().clone());
                for (d, k) in e.terms() {
                    moved = moved.plus_scaled(&LinExpr::var(to(*d)), k);
                }
                // Both sides, with and without the border.
                for e in [moved.clone(), -moved] {
                    out.extend([0, 1].map(|k| (p.relation, LinCons::ge(e.clone(), LinExpr::constant(k)))));
                }
            }
        }
        out
    }
}

/// That a dimension is in an interval.
pub fn between(d: Dim, i: &Interval) -> Vec<LinCons> {
    let x = LinExpr::var(d);
    let lo = i.lo.iter().map(|l| LinCons::ge(x.clone(), LinExpr::constant(l.clone())));
    let hi = i.hi.iter().map(|h| LinCons::le(x.clone(), LinExpr::constant(h.clone())));
    lo.chain(hi).collect()
}

/// Actions of one step that were computed before, by the bounds of the states they are for.
#[derive(Default)]
pub struct Cache(FxHashMap<Vec<(Dim, Interval)>, Vec<Action>>);

/// The box of a relation's element, as far as it is one point in a dimension.
pub fn points<D: NumDomain>(domain: &D, e: &D::Elem, dims: usize) -> Vec<Option<Int>> {
    (0..dims as u32).map(|d| domain.bounds(e, &LinExpr::var(Dim(d))).as_point().cloned()).collect()
}
