//! Which scalars in memory can become variables.

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
    /// Something that is no access at a constant address.
    opaque: bool,
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
        select(program, RegionId(i as u32), u, &mut out);
    }
    out
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
                    match constant(*a) {
                        Some(a) => _ = u.scalars.insert((a, *ty)),
                        None => u.opaque = true,
                    }
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
                match constant(*a) {
                    Some(a) => _ = uses[r.0 as usize].scalars.insert((a, *ty)),
                    None => uses[r.0 as usize].opaque = true,
                }
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
