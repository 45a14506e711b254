//! The vocabulary: what is said of one node, of its place among the others, and of the variables.

use super::candidates::Extent;
use super::layout::Field;
use super::seen::{Bound, Seen, MAX_VALUES};
use super::steps::is_pointer;
use plumb_term::{IBig, IntTy, Scalar, Term, VarTy};
use std::collections::{BTreeMap, BTreeSet};

/// Variables that are numbers.
const MAX_NUMBERS: usize = 5;

/// Atoms about what is read at an address, unless it is null: what is read there says nothing.
pub(super) fn of_nodes(address: Term, atoms: Vec<Term>) -> Vec<Term> {
    atoms.into_iter().map(|a| address.equals(Term::int(0)).or(a)).collect()
}

impl Seen<'_> {
    /// The variables that hold pointers to nodes.
    pub(super) fn pointers(&self, cut: usize) -> Vec<Term> {
        let needed = self.cuts[cut].needed.iter().filter(|v| is_pointer(self.program, **v)).map(|v| self.program.term(*v));
        let points = |t: &Term| self.states[cut].iter().any(|s| self.number(cut, s, *t).is_some_and(|n| self.is_node(cut, s, &n)));
        needed.filter(points).collect()
    }

    /// Atoms without members: of pointers, counters and flags.
    pub(super) fn plain(&self, cut: usize, pointers: &[Term]) -> Vec<Term> {
        let (layout, zero) = (self.layout, Term::int(0));
        let mut out = vec![layout.is_end(layout.top), layout.top.equals(Term::int(layout.base.clone()))];
        for (i, p) in pointers.iter().enumerate() {
            out.extend([p.equals(zero), p.differs(zero), layout.is_node(*p)]);
            out.push(p.equals(zero).or(layout.is_node(*p)));
            out.push(p.equals(Term::int(layout.base.clone())));
            out.push(p.plus(layout.stride.clone()).equals(layout.top));
            for q in &pointers[..i] {
                out.extend([
                    p.equals(*q),
                    p.differs(*q),
                    p.less_eq(*q),
                    q.less_eq(*p),
                    p.plus(layout.stride.clone()).equals(*q),
                    q.plus(layout.stride.clone()).equals(*p),
                ]);
            }
        }
        out.extend(self.counting(cut, pointers));
        for term in self.numbers(cut, pointers) {
            let values: Option<BTreeSet<IBig>> = self.states[cut].iter().map(|s| self.number(cut, s, term)).collect();
            if let Some(values) = values.filter(|v| v.len() <= MAX_VALUES) {
                for n in values {
                    out.extend([term.equals(Term::int(n.clone())), term.differs(Term::int(n))]);
                }
            }
        }
        out
    }

    /// Atoms about the place of a node.
    pub(super) fn place(&self, node: Term, pointers: &[Term]) -> Vec<Term> {
        let layout = self.layout;
        let mut out = vec![node.equals(Term::int(layout.base.clone())), node.plus(layout.stride.clone()).equals(layout.top)];
        out.extend(out.clone().into_iter().map(Term::not));
        for p in pointers {
            out.extend([node.equals(*p), node.differs(*p), node.less(*p), p.less(node), node.less_eq(*p), p.less_eq(node)]);
        }
        out
    }

    /// Atoms about the members of a node, the simple ones first.
    pub(super) fn about(&self, cut: usize, node: Term, pointers: &[Term], extent: Extent) -> Vec<Term> {
        let layout = self.layout;
        let numbers = self.numbers(cut, pointers);
        let value = |n: Term, f: &Field| layout.value(self.program, n, f);
        let mut out = Vec::new();
        for f in &layout.fields {
            out.extend(self.values[f].iter().map(|c| value(node, f).equals(Term::int(c.clone()))));
        }
        if extent > Extent::One {
            out.extend(out.clone().into_iter().map(Term::not));
        }
        for (f, bounds) in &self.bounds {
            let Scalar::Int(ty) = f.ty else { continue };
            let number = value(node, f).wrap(IntTy::signed(ty.bits));
            out.extend(bounds.iter().map(|b| match b {
                Bound::Least(c) => Term::int(c.clone()).less_eq(number),
                Bound::Most(c) => number.less_eq(Term::int(c.clone())),
            }));
            out.extend(numbers.iter().flat_map(|n| [n.less_eq(number), number.less_eq(*n)]));
        }
        for f in &self.links {
            let next = layout.target(self.program, node, f);
            let (before, after) = (node.plus(-layout.stride.clone()), node.plus(layout.stride.clone()));
            out.push(next.equals(Term::int(0)).or(layout.is_node(next)));
            out.extend([layout.is_node(next), next.equals(before), next.equals(after), next.equals(node)]);
            out.extend(pointers.iter().filter(|p| **p != node).map(|p| next.equals(*p)));
            if extent == Extent::One {
                continue;
            }
            out.extend(pointers.iter().filter(|p| **p != node).map(|p| next.differs(*p)));
            let mut there = Vec::new();
            for g in &layout.fields {
                let (value, known) = (value(next, g), self.values[g].iter().take(3));
                there.extend(known.flat_map(|c| [value.equals(Term::int(c.clone())), value.differs(Term::int(c.clone()))]));
                if self.links.contains(g) {
                    there.push(layout.target(self.program, next, g).equals(node));
                }
            }
            if self.values[f].contains(&IBig::ZERO) {
                there = of_nodes(next, there);
            }
            out.extend(there);
        }
        out
    }

    /// Equations between numbers of nodes and places in the order of allocation: what counters count.
    fn counting(&self, cut: usize, pointers: &[Term]) -> Vec<Term> {
        let numbers = self.numbers(cut, pointers);
        let differences = numbers.iter().flat_map(|a| numbers.iter().filter(move |b| *b != a).map(move |b| a.sub(*b)));
        let counts: Vec<Term> = numbers.iter().flat_map(|n| [*n, n.neg()]).chain(differences).collect();
        let mut out = Vec::new();
        for place in pointers.iter().chain([&self.layout.top]) {
            for count in &counts {
                let rest = place.sub(count.scale(&self.layout.stride));
                let mut rests: BTreeMap<IBig, BTreeSet<IBig>> = BTreeMap::new();
                for s in self.states[cut] {
                    if let (Some(rest), Some(count)) = (self.number(cut, s, rest), self.number(cut, s, *count)) {
                        rests.entry(rest).or_default().insert(count);
                    }
                }
                // What is counted from the first node comes first.
                let mut often: Vec<(bool, usize, IBig)> =
                    rests.into_iter().filter(|(_, c)| c.len() > 2).map(|(n, c)| (n == self.layout.base, c.len(), n)).collect();
                often.sort_by(|a, b| b.cmp(a));
                out.extend(often.into_iter().take(2).map(|(_, _, n)| rest.equals(Term::int(n))));
            }
        }
        out
    }

    /// The variables that are numbers.
    fn numbers(&self, cut: usize, pointers: &[Term]) -> Vec<Term> {
        let needed = self.cuts[cut].needed.iter().filter(|v| **v != self.program.heap_top);
        let integers = needed.filter(|v| matches!(self.program.var(**v).ty, VarTy::Int | VarTy::Scalar(Scalar::Int(_))));
        integers.map(|v| self.program.term(*v)).filter(|t| !pointers.contains(t)).take(MAX_NUMBERS).collect()
    }
}
