//! Explicit heaps H = (v, h).

use plumb_cfa::chunks::Chunks;
use plumb_cfa::Program;
use plumb_term::visit::{linear_form, postorder, rebuild};
use plumb_term::{IBig, Kind, Range, Scalar, Sort, Term, Var, VarId, VarTy};
use rustc_hash::{FxHashMap, FxHasher};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// An object of the heap, the oldest is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub u32);

/// Addresses of objects are variables from here on; inputs of a step have smaller numbers.
const FIRST: u32 = VarId::FIRST_AUX.0 + (1 << 25);

impl ObjectId {
    /// The unknown address of its first byte.
    pub(super) fn base(self) -> Term {
        Term::var(Var::new(VarId(FIRST + self.0), VarTy::Int))
    }

    fn of(t: Term) -> Option<ObjectId> {
        t.as_var().and_then(|v| v.id.0.checked_sub(FIRST)).map(ObjectId)
    }
}

/// A cell: its memory, its object (none for what has a fixed address) and its place there.
pub(super) type Place = (VarId, Option<ObjectId>, i128);

/// What is known of variables and cells: constants, and addresses in objects.
#[derive(Clone, Debug, Default)]
pub struct Heap {
    pub(super) vars: Chunks<Term>,
    pub(super) cells: Arc<BTreeMap<Place, (Scalar, Term)>>,
    /// In bytes.
    pub(super) sizes: Vec<i128>,
}

impl PartialEq for Heap {
    fn eq(&self, o: &Heap) -> bool {
        self.sizes == o.sizes && self.vars.differences(&o.vars).is_empty() && (Arc::ptr_eq(&self.cells, &o.cells) || self.cells == o.cells)
    }
}

fn end(at: i128, ty: Scalar) -> i128 {
    at.saturating_add(i128::from(ty.bytes() as u32))
}

impl Heap {
    /// The value of a variable.
    pub fn var(&self, v: VarId) -> Option<Term> {
        self.vars.get(v)
    }

    /// The variables with values, ascending.
    pub fn vars(&self) -> impl Iterator<Item = (VarId, Term)> + '_ {
        self.vars.iter()
    }

    pub(super) fn set_var(&mut self, v: VarId, value: Option<Term>) {
        self.vars.set(v, value);
    }

    /// The sizes of the objects, the oldest first.
    pub fn objects(&self) -> &[i128] {
        &self.sizes
    }

    /// The known cells of an object, by their places.
    pub fn fields(&self, object: ObjectId) -> impl Iterator<Item = (i128, Term)> + '_ {
        self.cells.iter().filter(move |(p, _)| p.1 == Some(object)).map(|(p, c)| (p.2, c.1))
    }

    /// A new object.
    pub(super) fn allocate(&mut self, size: i128) -> ObjectId {
        self.sizes.push(size);
        ObjectId(self.sizes.len() as u32 - 1)
    }

    /// The object and the place in it that an address names, from its first byte to one past its last.
    pub fn address(&self, t: Term) -> Option<(ObjectId, i128)> {
        if t.as_i128().is_some() {
            return None;
        }
        let (constant, parts) = linear_form(t);
        let [(k, base)] = parts.as_slice() else { return None };
        let object = ObjectId::of(*base).filter(|_| *k == IBig::ONE)?;
        let at = i128::try_from(&constant).ok()?;
        (0..=*self.sizes.get(object.0 as usize)?).contains(&at).then_some((object, at))
    }

    /// Whether a term is a constant or an address in an object.
    pub(super) fn is_value(&self, t: Term) -> bool {
        matches!(t.kind(), Kind::Int(_) | Kind::Bool(_) | Kind::Float(_)) || (t.sort() == Sort::Int && self.address(t).is_some())
    }

    /// A value for users.
    pub(super) fn show(&self, t: Term) -> String {
        match self.address(t) {
            Some((o, 0)) => format!("object {}", o.0 + 1),
            Some((o, at)) => format!("object {} + {at}", o.0 + 1),
            None => t.to_string(),
        }
    }

    fn place(&self, m: VarId, addr: Term) -> Option<Place> {
        match addr.as_i128() {
            Some(a) => Some((m, None, a)),
            None => self.address(addr).map(|(o, at)| (m, Some(o), at)),
        }
    }

    /// The term with what is known put in and simplified; comparisons of addresses are decided where the layout of the heap does.
    pub(super) fn eval(&self, program: &Program, t: Term) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        for n in postorder([t]) {
            let new = match n.kind() {
                Kind::Var(v) if v.id < VarId::FIRST_AUX => self.vars.get(v.id).unwrap_or(n),
                _ => rebuild(n, &|c| done[&c]),
            };
            let new = match new.kind() {
                Kind::Load(ty, m, a) => m.as_var().and_then(|m| self.load(m.id, *ty, self.plain(*a))).unwrap_or(new),
                Kind::Wrap(..) => self.plain(new),
                Kind::Eq(a, b) if a.sort() == Sort::Int => self.compare(program, a.sub(*b), true).map_or(new, Term::bool),
                Kind::Le(a, b) => self.compare(program, a.sub(*b), false).map_or(new, Term::bool),
                _ => new,
            };
            done.insert(n, new);
        }
        done[&t]
    }

    /// An address without the wrap around it: objects lie within the range of pointers.
    fn plain(&self, t: Term) -> Term {
        match t.kind() {
            Kind::Wrap(ty, a) if !ty.signed && ty.bits >= 32 && self.address(*a).is_some() => *a,
            _ => t,
        }
    }

    fn load(&self, m: VarId, ty: Scalar, addr: Term) -> Option<Term> {
        self.cells.get(&self.place(m, addr)?).filter(|c| c.0 == ty).map(|c| c.1)
    }

    /// Whether `d = 0`, or `d ≤ 0`, for a difference of addresses: objects lie between the borders of the heap, in the order of their age, and no two
    /// touch.
    fn compare(&self, program: &Program, d: Term, equal: bool) -> Option<bool> {
        let (constant, parts) = linear_form(d);
        let c = i128::try_from(&constant).ok()?;
        let bases: Vec<(bool, ObjectId)> = parts
            .iter()
            .map(|(k, t)| Some((*k == IBig::ONE, ObjectId::of(*t).filter(|_| *k == IBig::ONE || *k == -IBig::ONE)?)))
            .collect::<Option<_>>()?;
        let size = |o: ObjectId| self.sizes.get(o.0 as usize).copied();
        // What the sum of the bases is between.
        let sum = match bases.as_slice() {
            [(positive, _)] => {
                let (lo, hi) = (i128::from(program.heap_base), i128::try_from(&program.heap_limit()).ok()?);
                if *positive {
                    Range::new(lo, hi)
                } else {
                    Range::new(-hi, -lo)
                }
            }
            [(true, a), (false, b)] | [(false, b), (true, a)] if a != b => {
                if a < b {
                    Range { lo: None, hi: Some(-size(*a)? - 1) }
                } else {
                    Range { lo: Some(size(*b)? + 1), hi: None }
                }
            }
            _ => return None,
        };
        let d = sum.plus(Range::new(c, c));
        match (equal, d.lo, d.hi) {
            (true, ..) if !d.contains(0) => Some(false),
            (false, _, Some(hi)) if hi <= 0 => Some(true),
            (false, Some(lo), _) if lo > 0 => Some(false),
            _ => None,
        }
    }

    /// A write to a cell; what it may overlap is forgotten.
    pub(super) fn write(&mut self, m: VarId, ty: Scalar, addr: Term, value: Option<Term>) {
        let Some((m, object, at)) = self.place(m, addr) else {
            self.forget_memory(m);
            return;
        };
        self.forget(m, object, at, end(at, ty));
        if let Some(value) = value {
            Arc::make_mut(&mut self.cells).insert((m, object, at), (ty, value));
        }
    }

    fn forget_memory(&mut self, m: VarId) {
        Arc::make_mut(&mut self.cells).retain(|p, _| p.0 != m);
    }

    fn forget(&mut self, m: VarId, object: Option<ObjectId>, lo: i128, hi: i128) {
        let near = self.cells.range((m, object, lo.saturating_sub(16))..(m, object, hi));
        let gone: Vec<Place> = near.filter(|(p, c)| end(p.2, c.0) > lo).map(|(p, _)| *p).collect();
        if !gone.is_empty() {
            let cells = Arc::make_mut(&mut self.cells);
            cells.retain(|p, _| !gone.contains(p));
        }
    }

    /// Memory `m` becomes the memory term `t`, which has been evaluated.
    pub(super) fn set_memory(&mut self, m: VarId, t: Term) {
        let mut writes = Vec::new();
        let mut now = t;
        loop {
            match now.kind() {
                Kind::Store(_, inner, ..) | Kind::Splice { mem: inner, .. } => {
                    writes.push(now);
                    now = *inner;
                }
                Kind::Var(v) if v.id == m => break,
                _ => {
                    self.forget_memory(m);
                    break;
                }
            }
        }
        for w in writes.into_iter().rev() {
            match w.kind() {
                Kind::Store(ty, _, addr, v) => {
                    let value = Some(self.plain(*v)).filter(|v| self.is_value(*v));
                    self.write(m, *ty, self.plain(*addr), value);
                }
                Kind::Splice { lo, len, .. } => match (self.place(m, self.plain(*lo)), len.as_i128()) {
                    (Some((m, object, at)), Some(len)) => self.forget(m, object, at, at.saturating_add(len.max(0))),
                    _ => self.forget_memory(m),
                },
                _ => {}
            }
        }
    }

    /// Whether `other` knows all that this knows, so that this stands for more.
    pub(super) fn is_part_of(&self, other: &Heap) -> bool {
        other.sizes.starts_with(&self.sizes)
            && self.vars.differences(&other.vars).iter().all(|d| d.1.is_none())
            && (Arc::ptr_eq(&self.cells, &other.cells) || self.cells.iter().all(|(p, c)| other.cells.get(p) == Some(c)))
    }

    /// What both know of the objects that have the same numbers and sizes.
    pub(super) fn common(&self, other: &Heap) -> Heap {
        let mut out = self.clone();
        for (v, ..) in self.vars.differences(&other.vars) {
            out.vars.set(v, None);
        }
        Arc::make_mut(&mut out.cells).retain(|p, c| other.cells.get(p) == Some(c));
        let same = self.sizes.iter().zip(&other.sizes).take_while(|(a, b)| a == b).count();
        out.forget_objects(&|o| (o.0 as usize) < same);
        out
    }

    /// Forgets the objects that are not kept, and what points to them or lies in them; their numbers stay.
    pub(super) fn forget_objects(&mut self, keep: &dyn Fn(ObjectId) -> bool) {
        let kept = |t: Term| self.address(t).is_none_or(|(o, _)| keep(o));
        let vars: Vec<VarId> = self.vars.iter().filter(|(_, t)| !kept(*t)).map(|(v, _)| v).collect();
        let cells: Vec<Place> = self.cells.iter().filter(|(p, c)| !p.1.is_none_or(keep) || !kept(c.1)).map(|(p, _)| *p).collect();
        vars.into_iter().for_each(|v| self.vars.set(v, None));
        if !cells.is_empty() {
            let own = Arc::make_mut(&mut self.cells);
            own.retain(|p, _| !cells.contains(p));
        }
        self.collect(usize::MAX);
    }

    /// An index for the termination check: the values here of what `like` knows.
    pub(super) fn probe(&self, like: &Heap) -> Option<u64> {
        let mut h = FxHasher::default();
        if !self.sizes.starts_with(&like.sizes) {
            return None;
        }
        like.sizes.hash(&mut h);
        for (v, _) in like.vars.iter() {
            (v, self.vars.get(v)?).hash(&mut h);
        }
        for (p, c) in like.cells.iter() {
            (p, self.cells.get(p).filter(|own| own.0 == c.0)?).hash(&mut h);
        }
        Some(h.finish())
    }
}
