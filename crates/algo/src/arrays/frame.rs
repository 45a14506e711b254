//! How the cells of a memory are numbered at a cut point: `base + offset + stride·k`, in columns that have an offset each.
//!
//! With the address of the array as base and the size of an element as stride, `k` is what C calls the index, and what loops compare with their
//! counters; the members of structures are columns. The stride divides the factors of all variables in addresses; the base is the object or
//! the pointer that most accesses start from.

use crate::system::System;
use plumb_cfa::{Program, RegionId, VarKind};
use plumb_smt::memories;
use plumb_term::visit::{linear_form, postorder};
use plumb_term::{IBig, Kind, Term, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// More columns are one with a smaller stride.
const MAX_COLUMNS: usize = 4;

/// Numbers of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The address of the cell with number 0 and offset 0, over the variables at the cut point.
    base: Term,
    /// The distance of cells of a column with successive numbers.
    stride: IBig,
    /// The columns' offsets, ascending, less than the stride.
    columns: Vec<IBig>,
}

impl Frame {
    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.columns.len()
    }

    /// The address of a cell.
    pub fn address(&self, column: usize, k: Term) -> Term {
        self.base.add(k.scale(&self.stride)).plus(self.columns[column].clone())
    }

    /// How many cells a column has, if its first cell is that of an object.
    pub fn extent(&self, program: &Program) -> Option<IBig> {
        let base = self.base.as_i128()?;
        let object = program.objects.iter().find(|o| i128::from(o.addr) == base)?;
        Some((IBig::from(object.size) + &self.stride - IBig::ONE) / &self.stride)
    }

    /// Column and number of the cell at an address, if they are obvious.
    pub fn locate(&self, address: Term) -> Option<(usize, Term)> {
        let (constant, parts) = linear_form(address.sub(self.base));
        let parts = parts.iter().map(|(n, atom)| exact(n, &self.stride).then(|| atom.scale(&(n / &self.stride))));
        let parts = parts.collect::<Option<Vec<Term>>>()?;
        let column = self.columns.iter().position(|c| exact(&(&constant - c), &self.stride))?;
        let whole = (&constant - &self.columns[column]) / &self.stride;
        Some((column, Term::sum(parts.into_iter().chain([Term::int(whole)]))))
    }
}

fn exact(n: &IBig, by: &IBig) -> bool {
    n % by == IBig::ZERO
}

/// Where accesses start: a variable that is a pointer, or a fixed address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Base {
    Pointer(VarId),
    Fixed(u64),
}

/// An access: the place it is made from, the memory and the address.
pub type Access = (usize, VarId, Term);

/// The frames of each cut point's memories.
pub fn frames(program: &Program, system: &System) -> Vec<BTreeMap<VarId, Frame>> {
    let mut made = BTreeSet::new();
    for t in &system.transitions {
        t.values.iter().chain([&t.condition]).for_each(|v| accesses(program, t.from.0, *v, &mut made));
    }
    system.errors.iter().for_each(|(c, t)| accesses(program, c.0, *t, &mut made));
    let needed: Vec<&[VarId]> = system.cuts.iter().map(|c| c.needed.as_slice()).collect();
    frames_at(program, &needed, &made)
}

/// The frames of the memories that are needed at each place.
pub fn frames_at(program: &Program, needed: &[&[VarId]], accesses: &BTreeSet<Access>) -> Vec<BTreeMap<VarId, Frame>> {
    let mut votes: BTreeMap<(VarId, Option<usize>, Base), usize> = BTreeMap::new();
    let mut offsets: BTreeMap<VarId, Offsets> = BTreeMap::new();
    for (place, memory, address) in accesses {
        let Some(base) = base(program, needed[*place], *memory, *address) else { continue };
        for at in [None, Some(*place)] {
            *votes.entry((*memory, at, base)).or_default() += 1;
        }
        let (constant, parts) = linear_form(address.sub(start(program, base)));
        let known = offsets.entry(*memory).or_default();
        known.factors = parts.iter().fold(known.factors.clone(), |g, (n, _)| gcd(g, n.clone()));
        known.constants.insert(constant);
    }
    let columns: BTreeMap<VarId, (IBig, Vec<IBig>)> = offsets.into_iter().filter_map(|(m, o)| Some((m, o.columns()?))).collect();
    let mut out = Vec::with_capacity(needed.len());
    for (place, needed) in needed.iter().enumerate() {
        let mut frames = BTreeMap::new();
        for m in needed.iter().filter(|v| program.is_memory(**v)) {
            let usable = |b: Base| if let Base::Pointer(p) = b { needed.contains(&p) } else { true };
            let best = |at: Option<usize>| {
                let range = votes.iter().filter(|((memory, place, base), _)| memory == m && *place == at && usable(*base));
                range.max_by_key(|((_, _, base), n)| (**n, std::cmp::Reverse(*base))).map(|((_, _, base), _)| *base)
            };
            let frame = match (best(Some(place)).or_else(|| best(None)), columns.get(m)) {
                (Some(b), Some((stride, columns))) => Frame { base: start(program, b), stride: stride.clone(), columns: columns.clone() },
                _ => Frame { base: Term::int(0), stride: IBig::ONE, columns: vec![IBig::ZERO] },
            };
            frames.insert(*m, frame);
        }
        out.push(frames);
    }
    out
}

fn start(program: &Program, base: Base) -> Term {
    match base {
        Base::Pointer(p) => program.term(p),
        Base::Fixed(a) => Term::int(a),
    }
}

/// What addresses of a memory are made of, besides where they start.
#[derive(Default)]
struct Offsets {
    /// The greatest common divisor of the factors of variables.
    factors: IBig,
    constants: BTreeSet<IBig>,
}

impl Offsets {
    /// Stride and columns; nothing if all cells have one address.
    fn columns(&self) -> Option<(IBig, Vec<IBig>)> {
        let all = self.constants.iter().fold(self.factors.clone(), |g, n| gcd(g, n.clone()));
        let rest = |n: &IBig, by: &IBig| ((n % by) + by) % by;
        if self.factors > IBig::ZERO {
            let columns: BTreeSet<IBig> = self.constants.iter().map(|n| rest(n, &self.factors)).collect();
            if columns.len() <= MAX_COLUMNS {
                return Some((self.factors.clone(), columns.into_iter().collect()));
            }
        }
        (all > IBig::ZERO).then(|| (all, vec![IBig::ZERO]))
    }
}

/// Adds the accesses that a term makes.
pub fn accesses(program: &Program, place: usize, t: Term, out: &mut BTreeSet<Access>) {
    for n in postorder([t]) {
        let (Kind::Load(_, m, a) | Kind::Store(_, m, a, _)) = n.kind() else { continue };
        for v in memories(*m).into_iter().filter_map(Term::as_var).filter(|v| v.id < VarId::FIRST_AUX && program.is_memory(v.id)) {
            out.insert((place, v.id, *a));
        }
    }
}

/// What an access starts from.
fn base(program: &Program, needed: &[VarId], memory: VarId, address: Term) -> Option<Base> {
    let (constant, parts) = linear_form(address);
    let pointer = |t: Term| {
        let v = t.as_var().filter(|v| v.id < VarId::FIRST_AUX)?;
        (needed.contains(&v.id) && program.var(v.id).c_type.contains('*')).then_some(v.id)
    };
    let pointers: Vec<VarId> = parts.iter().filter(|(n, _)| *n == IBig::ONE).filter_map(|(_, t)| pointer(*t)).collect();
    if let Some(p) = pointers.first() {
        return Some(Base::Pointer(*p));
    }
    let VarKind::Region(region) = program.var(memory).kind else { return None };
    Some(Base::Fixed(object(program, region, &constant)?))
}

/// The object of a region that a fixed address is in or next to.
fn object(program: &Program, region: RegionId, address: &IBig) -> Option<u64> {
    let objects = program.objects.iter().filter(|o| o.region == region);
    let far = |a: u64| if IBig::from(a) > *address { IBig::from(a) - address } else { address - IBig::from(a) };
    let inside = |o: &&plumb_cfa::Object| IBig::from(o.addr) <= *address && *address < IBig::from(o.addr + o.size);
    objects.clone().find(inside).or_else(|| objects.min_by_key(|o| far(o.addr))).map(|o| o.addr)
}

/// The greatest common divisor.
pub(crate) fn gcd(a: IBig, b: IBig) -> IBig {
    let (mut a, mut b) = (a, b);
    while b != IBig::ZERO {
        (a, b) = (b.clone(), a % b);
    }
    if a < IBig::ZERO {
        -a
    } else {
        a
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::{Var, VarTy};

    fn var(i: u32) -> Term {
        Term::var(Var::new(VarId(i), VarTy::Int))
    }

    fn offsets(factors: u32, constants: &[i32]) -> Option<(IBig, Vec<IBig>)> {
        Offsets { factors: factors.into(), constants: constants.iter().map(|c| IBig::from(*c)).collect() }.columns()
    }

    #[test]
    fn members_of_structures_are_columns() {
        assert_eq!(offsets(8, &[0, 4, 12, -4]), Some((8.into(), vec![0.into(), 4.into()])));
        // Single cells far apart tell the size of an element only.
        assert_eq!(offsets(0, &[0, 8, 12]), Some((4.into(), vec![0.into()])));
        assert_eq!(offsets(0, &[0]), None);
        assert_eq!(offsets(20, &[0, 4, 8, 12, 16]), Some((4.into(), vec![0.into()])));
    }

    #[test]
    fn addresses_have_columns_and_numbers() {
        let (i, p) = (var(0), var(1));
        let frame = Frame { base: p, stride: 8.into(), columns: vec![0.into(), 4.into()] };
        assert_eq!(frame.locate(p.add(i.scale(&8.into())).plus(12)), Some((1, i.plus(1))));
        assert_eq!(frame.locate(p.add(i.scale(&16.into())).plus(-8)), Some((0, i.scale(&2.into()).plus(-1))));
        assert_eq!(frame.locate(p.add(i.scale(&4.into()))), None);
        assert_eq!(frame.locate(p.plus(2)), None);
        let (column, number) = frame.locate(frame.address(1, i)).expect("its own address");
        assert_eq!((column, number), (1, i));
    }
}
