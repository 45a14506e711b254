//! How the cells of a memory are numbered at a cut point: `base + stride·k`.
//!
//! With the address of the array as base and the size of an element as stride, `k` is what C calls the index, and what loops compare with their
//! counters. The stride divides all distances between accesses; the base is the object or the pointer that most accesses
//! start from.

use crate::arrays::reads::memories;
use crate::system::{CutId, System};
use plumb_cfa::{Program, RegionId, VarKind};
use plumb_term::visit::{linear_form, postorder};
use plumb_term::{IBig, Kind, Term, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The address of the cell with number 0, over the variables at the cut point.
    pub base: Term,
    /// The distance of cells with successive numbers.
    pub stride: IBig,
}

impl Frame {
    /// The address of a cell.
    pub fn address(&self, k: Term) -> Term {
        self.base.add(k.scale(&self.stride))
    }

    /// The number of the cell at an address, if it is obvious.
    pub fn number(&self, address: Term) -> Option<Term> {
        let (constant, parts) = linear_form(address.sub(self.base));
        let exact = |n: &IBig| n % &self.stride == IBig::ZERO;
        let parts = parts.iter().map(|(n, atom)| exact(n).then(|| atom.scale(&(n / &self.stride)))).collect::<Option<Vec<Term>>>()?;
        exact(&constant).then(|| Term::sum(parts.into_iter().chain([Term::int(&constant / &self.stride)])))
    }
}

/// Where accesses start: a variable that is a pointer, or a fixed address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Base {
    Pointer(VarId),
    Fixed(u64),
}

/// The frames of each cut point's memories.
pub fn frames(program: &Program, system: &System) -> Vec<BTreeMap<VarId, Frame>> {
    let accesses = accesses(program, system);
    let mut votes: BTreeMap<(VarId, Option<CutId>, Base), usize> = BTreeMap::new();
    let mut strides: BTreeMap<VarId, IBig> = BTreeMap::new();
    for (cut, memory, address) in &accesses {
        let Some(base) = base(program, &system.cuts[cut.0].needed, *memory, *address) else { continue };
        for at in [None, Some(*cut)] {
            *votes.entry((*memory, at, base)).or_default() += 1;
        }
        let (constant, parts) = linear_form(address.sub(start(program, base)));
        let stride = strides.entry(*memory).or_insert(IBig::ZERO);
        for n in parts.iter().map(|p| &p.0).chain([&constant]) {
            *stride = gcd(stride.clone(), n.clone());
        }
    }
    // Fixed addresses that the accesses of one memory start from are apart by a multiple of the stride, too.
    for memory in strides.keys().copied().collect::<Vec<_>>() {
        let fixed: Vec<u64> =
            votes.keys().filter(|v| v.0 == memory).filter_map(|v| if let Base::Fixed(a) = v.2 { Some(a) } else { None }).collect();
        for pair in fixed.windows(2) {
            let apart = IBig::from(pair[1]) - IBig::from(pair[0]);
            strides.entry(memory).and_modify(|s| *s = gcd(s.clone(), apart));
        }
    }
    let mut out = Vec::with_capacity(system.cuts.len());
    for (c, cut) in system.cuts.iter().enumerate() {
        let mut frames = BTreeMap::new();
        for m in cut.needed.iter().filter(|v| program.is_memory(**v)) {
            let usable = |b: Base| if let Base::Pointer(p) = b { cut.needed.contains(&p) } else { true };
            let best = |at: Option<CutId>| {
                let range = votes.iter().filter(|((memory, cut, base), _)| memory == m && *cut == at && usable(*base));
                range.max_by_key(|((_, _, base), n)| (**n, std::cmp::Reverse(*base))).map(|((_, _, base), _)| *base)
            };
            let frame = match (best(Some(CutId(c))).or_else(|| best(None)), strides.get(m)) {
                (Some(b), Some(stride)) if *stride > IBig::ZERO => Frame { base: start(program, b), stride: stride.clone() },
                _ => Frame { base: Term::int(0), stride: IBig::ONE },
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

/// The accesses of the blocks from each cut point.
fn accesses(program: &Program, system: &System) -> BTreeSet<(CutId, VarId, Term)> {
    let mut out = BTreeSet::new();
    let mut add = |cut: CutId, t: Term| {
        for n in postorder([t]) {
            let (Kind::Load(_, m, a) | Kind::Store(_, m, a, _)) = n.kind() else { continue };
            for v in memories(*m).into_iter().filter_map(Term::as_var).filter(|v| v.id < VarId::FIRST_AUX && program.is_memory(v.id)) {
                out.insert((cut, v.id, *a));
            }
        }
    };
    for t in &system.transitions {
        t.values.iter().chain([&t.condition]).for_each(|v| add(t.from, *v));
    }
    system.errors.iter().for_each(|(c, t)| add(*c, *t));
    out
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

fn gcd(a: IBig, b: IBig) -> IBig {
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
