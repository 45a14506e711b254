//! Depth, garbage collection, and the heap as a formula.

use super::state::{Heap, ObjectId, Place};
use plumb_cfa::Program;
use plumb_term::visit::substitute;
use plumb_term::{Sort, Term, VarId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl Heap {
    /// The objects that the cells of an object point to.
    fn successors(&self, o: ObjectId) -> Vec<ObjectId> {
        self.fields(o).filter_map(|(_, t)| self.address(t)).map(|a| a.0).collect()
    }

    /// The objects within so many steps of an address, and whether there are others further away.
    fn reached(&self, from: Term, steps: usize) -> (BTreeSet<ObjectId>, bool) {
        let mut seen: BTreeSet<ObjectId> = self.address(from).map(|a| a.0).into_iter().collect();
        let mut level: Vec<ObjectId> = seen.iter().copied().collect();
        let mut count = usize::from(!level.is_empty());
        while !level.is_empty() {
            let next: Vec<ObjectId> = level.iter().flat_map(|o| self.successors(*o)).filter(|o| seen.insert(*o)).collect();
            if !next.is_empty() {
                count += 1;
            }
            level = next;
        }
        (seen, count > steps)
    }

    /// Forgets variables, and cells at fixed addresses, whose structures are deeper than `depth` objects, then collects what nothing reaches, and
    /// numbers the other objects anew.
    pub(super) fn collect(&mut self, depth: usize) {
        if self.sizes.is_empty() {
            return;
        }
        let mut kept: BTreeSet<ObjectId> = BTreeSet::new();
        let (mut deep_vars, mut deep_cells): (Vec<VarId>, Vec<Place>) = (Vec::new(), Vec::new());
        for (v, t) in self.vars.iter() {
            let (objects, deep) = self.reached(t, depth);
            if deep {
                deep_vars.push(v);
            } else {
                kept.extend(objects);
            }
        }
        for (p, c) in self.cells.iter().filter(|(p, _)| p.1.is_none()) {
            let (objects, deep) = self.reached(c.1, depth);
            if deep {
                deep_cells.push(*p);
            } else {
                kept.extend(objects);
            }
        }
        deep_vars.into_iter().for_each(|v| self.vars.set(v, None));
        if !deep_cells.is_empty() {
            let cells = Arc::make_mut(&mut self.cells);
            cells.retain(|p, _| !deep_cells.contains(p));
        }
        if kept.len() < self.sizes.len() {
            self.renumber(&kept);
        }
    }

    /// Keeps these objects, in their order.
    fn renumber(&mut self, kept: &BTreeSet<ObjectId>) {
        let new: BTreeMap<ObjectId, ObjectId> = kept.iter().enumerate().map(|(i, o)| (*o, ObjectId(i as u32))).collect();
        let moved = |t: Term| match self.address(t) {
            Some((o, at)) => new.get(&o).map(|o| o.base().plus(at)),
            None => Some(t),
        };
        let vars: Vec<(VarId, Option<Term>)> = self.vars.iter().map(|(v, t)| (v, moved(t))).collect();
        let place = |p: &Place| match p.1 {
            Some(o) => new.get(&o).map(|o| (p.0, Some(*o), p.2)),
            None => Some(*p),
        };
        let cells = self.cells.iter().filter_map(|(p, c)| Some((place(p)?, (c.0, moved(c.1)?)))).collect();
        let sizes = kept.iter().filter_map(|o| self.sizes.get(o.0 as usize)).copied().collect();
        vars.into_iter().for_each(|(v, t)| self.vars.set(v, t));
        (self.cells, self.sizes) = (Arc::new(cells), sizes);
    }

    /// Terms over the program's variables for the addresses of the objects: by a variable, or by a cell of an object that has one.
    fn names(&self, program: &Program) -> BTreeMap<ObjectId, Term> {
        let mut names: BTreeMap<ObjectId, Term> = BTreeMap::new();
        for (v, t) in self.vars.iter() {
            if let Some((o, at)) = self.address(t) {
                names.entry(o).or_insert_with(|| program.term(v).plus(-at));
            }
        }
        loop {
            let mut found = Vec::new();
            for ((m, object, at), (ty, t)) in self.cells.iter() {
                let base = match object {
                    Some(o) => names.get(o).copied(),
                    None => Some(Term::int(0)),
                };
                if let (Some(base), Some((o, offset))) = (base, self.address(*t).filter(|a| !names.contains_key(&a.0))) {
                    found.push((o, Term::load(*ty, program.term(*m), base.plus(*at)).plus(-offset)));
                }
            }
            if found.is_empty() {
                return names;
            }
            for (o, t) in found {
                names.entry(o).or_insert(t);
            }
        }
    }

    /// The state as formulas: what variables and cells hold, and the order of the objects between the borders of the heap.
    pub(super) fn formulas(&self, program: &Program) -> Vec<Term> {
        let names = self.names(program);
        let named = |t: Term| substitute(t, &|v| names.iter().find(|(o, _)| o.base().as_var() == Some(v)).map(|(_, t)| *t));
        let same = |x: Term, t: Term| match x.sort() {
            Sort::Float(_) => Term::fbits(x).equals(Term::fbits(t)),
            _ => x.equals(t),
        };
        let mut out: Vec<Term> = self.vars.iter().map(|(v, t)| same(program.term(v), named(t))).collect();
        for ((m, object, at), (ty, t)) in self.cells.iter() {
            let base = match object {
                Some(o) => names.get(o).copied(),
                None => Some(Term::int(0)),
            };
            out.extend(base.map(|base| same(Term::load(*ty, program.term(*m), base.plus(*at)), named(*t))));
        }
        let mut end = Term::int(program.heap_base);
        for (i, size) in self.sizes.iter().enumerate() {
            if let Some(base) = names.get(&ObjectId(i as u32)) {
                out.push(end.less_eq(*base));
                end = base.plus(size + 1);
            }
        }
        let top = program.term(program.heap_top);
        out.push(end.less_eq(top));
        out.retain(|t| !t.is_true());
        out
    }
}
