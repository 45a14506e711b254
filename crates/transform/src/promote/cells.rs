//! Which scalars in memory can become variables.
//!
//! Where an address is computed, an access may be to any scalar of its region. Of regions that consist of a few scalars of one type, each a variable whose address the program takes, all become
//! variables: `*p = e` is then `x = p == &x ? e : x` for each of them (seed 000, Section IV, has these cases for pointers). Elsewhere such an access keeps the region in memory.

use plumb_cfa::{Effect, ObjectId, Op, Program, RegionId, VarKind};
use plumb_term::visit::postorder;
use plumb_term::{Cell, Kind, Scalar, Sort, Term, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// A scalar that can become a variable.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Its region.
    pub region: RegionId,
    /// Its address.
    pub addr: u64,
    /// Its type.
    pub ty: Scalar,
    /// Its object.
    pub object: ObjectId,
}

/// Regions with more scalars stay in memory if addresses are computed.
const FEW: usize = 6;

/// The region of a variable that holds one.
pub fn region_of(program: &Program, v: VarId) -> Option<RegionId> {
    match program.vars.get(v.0 as usize)?.kind {
        VarKind::Region(r) => Some(r),
        _ => None,
    }
}

/// A constant address or size.
pub fn constant(t: Term) -> Option<u64> {
    t.as_int().and_then(|v| u64::try_from(v).ok())
}

/// What happens to one region.
#[derive(Default)]
struct Uses {
    /// Something that is no access of a scalar, or of another one than the region holds.
    opaque: bool,
    /// An access at an address that is computed.
    computed: bool,
    /// Accesses of scalars.
    scalars: BTreeSet<(u64, Scalar)>,
    /// Writes of bytes: start and length.
    bytes: BTreeSet<(u64, u64)>,
}

/// The scalars that can become variables, by region and address: looks at every access of the program.
pub fn find(program: &Program) -> Vec<Found> {
    let mut uses: Vec<Uses> = program.regions.iter().map(|_| Uses::default()).collect();
    for f in &program.functions {
        for (_, e) in f.graph.edges() {
            look(program, &e.op, &mut uses);
        }
    }
    let mut out = Vec::new();
    for (i, u) in uses.iter().enumerate().filter(|(_, u)| !u.opaque) {
        let region = RegionId(i as u32);
        match u.computed {
            true => out.extend(few(program, region)),
            false => select(program, region, u, &mut out),
        }
    }
    out
}

/// The objects of a region, if they are a few scalars of its type.
fn few(program: &Program, region: RegionId) -> Vec<Found> {
    let Cell::Scalar(ty) = program.region(region).cell else { return Vec::new() };
    let objects = program.objects.iter().enumerate().filter(|(_, o)| o.region == region);
    let found: Vec<Found> = objects.map(|(i, o)| Found { region, addr: o.addr, ty, object: ObjectId(i as u32) }).collect();
    let single = |f: &Found| {
        let o = &program.objects[f.object.0 as usize];
        o.size == ty.bytes() && !o.read_only
    };
    if found.len() <= FEW && found.iter().all(single) && program.allocations().all(|(_, r)| r != region) {
        found
    } else {
        Vec::new()
    }
}

impl Uses {
    /// A scalar is accessed; `held` is what the region holds.
    fn access(&mut self, addr: Term, ty: Scalar, held: Cell) {
        match constant(addr) {
            Some(a) => _ = self.scalars.insert((a, ty)),
            None => self.computed = true,
        }
        // An address that is computed may be this one.
        self.opaque |= constant(addr).is_none() && held != Cell::Scalar(ty);
    }
}

fn look(program: &Program, op: &Op, uses: &mut [Uses]) {
    match op {
        Op::Call { args, .. } => args.iter().for_each(|t| term(program, *t, None, uses)),
        Op::Output { args, .. } => args.iter().for_each(|(_, t)| term(program, *t, None, uses)),
        Op::Free { addr } | Op::EndLife { addr } => term(program, *addr, None, uses),
        Op::Halt { status } => status.iter().for_each(|t| term(program, *t, None, uses)),
        Op::HavocMem { region, addr, len } => {
            let u = &mut uses[region.0 as usize];
            match constant(*addr).zip(constant(*len)) {
                Some(range) => _ = u.bytes.insert(range),
                None => u.opaque = true,
            }
            term(program, *addr, None, uses);
            term(program, *len, None, uses);
        }
        op => {
            let Some(effect) = Effect::of(op, program) else { return };
            term(program, effect.assume, None, uses);
            for (v, t) in &effect.updates {
                term(program, *t, region_of(program, *v), uses);
            }
        }
    }
}

/// The accesses in a term; `target` is the region whose new contents it is.
fn term(program: &Program, t: Term, target: Option<RegionId>, uses: &mut [Uses]) {
    // The memory terms that are accounted for by what stands above them: the inner memories of chains, and what loads read.
    let mut fine: BTreeSet<Term> = BTreeSet::new();
    let mut now = t;
    if let Some(r) = target {
        loop {
            fine.insert(now);
            let u = &mut uses[r.0 as usize];
            match now.kind() {
                Kind::Store(ty, inner, a, _) => {
                    u.access(*a, *ty, program.region(r).cell);
                    now = *inner;
                }
                Kind::Splice { mem, src, lo, len } => {
                    match (src.kind(), constant(*lo).zip(constant(*len))) {
                        (Kind::ZeroMem(_), Some(range)) => _ = u.bytes.insert(range),
                        _ => u.opaque = true,
                    }
                    fine.insert(*src);
                    now = *mem;
                }
                Kind::Var(v) if region_of(program, v.id) == Some(r) => break,
                _ => {
                    u.opaque = true;
                    break;
                }
            }
        }
    }
    let all = postorder([t]);
    for n in &all {
        if let Kind::Load(ty, m, a) = n.kind() {
            if let Some(r) = m.as_var().and_then(|v| region_of(program, v.id)) {
                fine.insert(*m);
                uses[r.0 as usize].access(*a, *ty, program.region(r).cell);
            }
        }
    }
    // A memory that occurs anywhere else: compared, chosen, copied from.
    for n in &all {
        let chain = matches!(n.sort(), Sort::Mem(_)) && !fine.contains(n);
        let inner = n
            .children()
            .any(|c| matches!(c.sort(), Sort::Mem(_)) && c.as_var().is_some() && !matches!(n.kind(), Kind::Load(..)) && !fine.contains(n));
        if chain || inner {
            for v in plumb_term::visit::vars([*n]) {
                if let Some(r) = region_of(program, v.id) {
                    uses[r.0 as usize].opaque = true;
                }
            }
        }
    }
}

/// The scalars of objects in which no access overlaps another.
fn select(program: &Program, region: RegionId, u: &Uses, out: &mut Vec<Found>) {
    let width = |ty: Scalar| match program.region(region).cell {
        Cell::Byte => ty.bytes(),
        Cell::Scalar(_) => 1,
    };
    let mut objects: BTreeMap<ObjectId, Vec<(u64, Scalar)>> = BTreeMap::new();
    for (addr, ty) in &u.scalars {
        let i = program.objects.partition_point(|o| o.addr <= *addr);
        let Some(o) = i.checked_sub(1).map(|i| &program.objects[i]) else { return };
        // An access outside the region's objects could touch any of them.
        if o.region != region || addr - o.addr + width(*ty) > o.size {
            return;
        }
        objects.entry(ObjectId(i as u32 - 1)).or_default().push((*addr, *ty));
    }
    for (id, cells) in objects {
        let o = &program.objects[id.0 as usize];
        let apart = cells.windows(2).all(|w| w[0].0 + width(w[0].1) <= w[1].0);
        let whole = u.bytes.iter().all(|(lo, len)| {
            let hi = lo.saturating_add(*len);
            cells.iter().all(|(a, ty)| (*lo <= *a && a + width(*ty) <= hi) || a + width(*ty) <= *lo || hi <= *a)
        });
        if apart && whole && !o.read_only {
            out.extend(cells.iter().map(|(addr, ty)| Found { region, addr: *addr, ty: *ty, object: id }));
        }
    }
}
