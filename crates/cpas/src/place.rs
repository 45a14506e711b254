//! Where the memory accesses of a path must lie for an execution to follow it.
//!
//! **Problem.** Formulas take any address for one that has memory: of a pointer from outside, a model says anything. The interpreter follows a path
//! only through objects of the accessed region, or through memory that the environment lends where the program has none.
//!
//! **Contract.** [`Places::of`] gives, for the accesses of one step, conditions that hold if each lies in an object that is made before, or, in a region that is lent, in
//! the zone of that region. They choose among models: an object may have died, so the execution is replayed all the same.

use plumb_cfa::interp::LENT_FROM;
use plumb_cfa::{Op, Program, RegionId};
use plumb_cpa::{Kind, Step};
use plumb_term::visit::postorder;
use plumb_term::{Kind as Formula, Term, Var, VarId};
use rustc_hash::FxHashMap;

/// The bytes of a zone of the environment's memory, and how many zones there are.
const ZONE: u64 = 1 << 24;
const ZONES: u64 = 32;
/// Of a region with more objects nothing is said.
const MOST_OBJECTS: usize = 24;

/// The objects that there are after a part of a path.
pub(crate) struct Places<'p> {
    program: &'p Program,
    /// By the variables of memories.
    regions: FxHashMap<VarId, RegionId>,
    lent: Vec<RegionId>,
    /// Addresses and sizes.
    objects: FxHashMap<RegionId, Vec<(Term, Term)>>,
}

impl<'p> Places<'p> {
    /// The fixed objects.
    pub(crate) fn new(program: &'p Program) -> Places<'p> {
        let regions = (0u32..).zip(&program.regions).map(|(i, r)| (r.var, RegionId(i))).collect();
        let mut objects: FxHashMap<RegionId, Vec<(Term, Term)>> = FxHashMap::default();
        for o in &program.objects {
            objects.entry(o.region).or_default().push((Term::int(o.addr), Term::int(o.size)));
        }
        Places { program, regions, lent: program.lent_regions().into_iter().collect(), objects }
    }

    /// Where the accesses of a step must lie, and the object it makes; `now` puts values for the variables before it.
    pub(crate) fn of(&mut self, step: &Step, now: &dyn Fn(Term) -> Term) -> Vec<Term> {
        let terms = step.updates().iter().map(|u| u.1).chain([step.condition()]);
        let access = |n: Term| match n.kind() {
            Formula::Load(ty, m, a) | Formula::Store(ty, m, a, _) => Some((self.region(*m)?, *a, ty.bytes())),
            _ => None,
        };
        let accesses: Vec<(RegionId, Term, u64)> = postorder(terms).into_iter().filter_map(access).collect();
        let out = accesses.into_iter().map(|(r, a, n)| self.place(r, now(a), n)).filter(|t| !t.is_true()).collect();
        if let (Kind::Edge, Some(Op::Alloc { size, region, .. })) = (step.kind, self.op(step)) {
            let (at, size) = (now(self.program.term(self.program.heap_top)), now(*size));
            self.objects.entry(*region).or_default().push((at, size));
        }
        out
    }

    fn op(&self, step: &Step) -> Option<&'p Op> {
        let program = self.program;
        Some(&program.functions.get(step.site.func.0 as usize)?.graph.edge(step.site.edge).op)
    }

    /// The region that a memory is of.
    fn region(&self, mut memory: Term) -> Option<RegionId> {
        loop {
            match memory.kind() {
                Formula::Var(Var { id, .. }) => return self.regions.get(id).copied(),
                Formula::Store(_, m, ..) => memory = *m,
                _ => return None,
            }
        }
    }

    /// That `bytes` bytes at an address are in place.
    fn place(&self, region: RegionId, address: Term, bytes: u64) -> Term {
        if let Some(zone) = self.lent.iter().position(|r| *r == region) {
            let first = LENT_FROM + ZONE * (zone as u64 % ZONES);
            let inside = Term::int(first).less_eq(address).and(address.less_eq(Term::int(first + ZONE - bytes)));
            return inside.and(address.rem(Term::int(bytes)).equals(Term::int(0)));
        }
        let objects = self.objects.get(&region).map_or(&[][..], Vec::as_slice);
        // What has a fixed address is there, or never.
        if address.as_int().is_some() || objects.len() > MOST_OBJECTS {
            return Term::tt();
        }
        let inside = |(at, size): &(Term, Term)| at.less_eq(address).and(address.add(Term::int(bytes)).less_eq(at.add(*size)));
        Term::any(objects.iter().map(inside))
    }
}
