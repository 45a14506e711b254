//! Reads of memories as terms over cells: a load over stores, choices and copies becomes a choice among what was stored and the cells of the memory variables below.

use crate::encode::Unencodable;
use plumb_term::visit::{postorder, rebuild};
use plumb_term::{Cell, IBig, IntTy, Kind, Scalar, Sort, Term, Var, VarTy};
use rustc_hash::FxHashMap;

/// What holds the cells of memory variables.
pub(super) trait Holder {
    /// The cell at an address, which is a term over scalars and cells.
    fn cell(&mut self, memory: Var, address: Term) -> Result<Term, Unencodable>;
}

/// What was computed so far, for one holder.
#[derive(Debug, Default)]
pub(super) struct Reads {
    /// Terms over cells.
    scalars: FxHashMap<Term, Term>,
    /// Contents of memories at addresses.
    contents: FxHashMap<(Term, Term), Term>,
}

/// The type of the cells of a memory variable.
pub(super) fn cell_type(memory: Var) -> Result<Scalar, Unencodable> {
    match memory.ty {
        VarTy::Mem(Cell::Byte) => Ok(Scalar::Int(IntTy::U8)),
        VarTy::Mem(Cell::Scalar(ty @ Scalar::Int(_))) => Ok(ty),
        _ => Err(Unencodable("a memory of floats, for the own solver".into())),
    }
}

impl Reads {
    /// Forgets everything: for another holder.
    pub(super) fn clear(&mut self) {
        self.scalars.clear();
        self.contents.clear();
    }

    /// A scalar term whose loads have become cells.
    pub(super) fn scalar(&mut self, t: Term, holder: &mut dyn Holder) -> Result<Term, Unencodable> {
        if let Some(done) = self.scalars.get(&t) {
            return Ok(*done);
        }
        for n in postorder([t]) {
            if self.scalars.contains_key(&n) {
                continue;
            }
            let new = match n.kind() {
                Kind::Load(ty, m, a) => {
                    let a = self.scalars[a];
                    match (m.sort(), ty) {
                        (Sort::Mem(Cell::Scalar(_)), _) => self.read(*m, a, holder)?,
                        (_, Scalar::Int(ty)) => {
                            let mut bytes = Vec::new();
                            for k in 0..ty.bytes() {
                                let byte = self.read(*m, a.plus(IBig::from(k)), holder)?;
                                bytes.push(byte.scale(&(IBig::ONE << (8 * k as usize))));
                            }
                            Term::sum(bytes).wrap(*ty)
                        }
                        (_, Scalar::Float(_)) => return Err(Unencodable("a float in a memory of bytes, for the own solver".into())),
                    }
                }
                _ if matches!(n.sort(), Sort::Mem(_)) => continue,
                Kind::Eq(a, _) if matches!(a.sort(), Sort::Mem(_)) => {
                    return Err(Unencodable("a comparison of memories, for the own solver".into()))
                }
                _ => rebuild(n, &|c| self.scalars[&c]),
            };
            self.scalars.insert(n, new);
        }
        Ok(self.scalars[&t])
    }

    /// The content of one cell of a memory term. Addresses are over scalars.
    pub(super) fn read(&mut self, memory: Term, address: Term, holder: &mut dyn Holder) -> Result<Term, Unencodable> {
        let mut todo = vec![memory];
        while let Some(m) = todo.last().copied() {
            if self.contents.contains_key(&(m, address)) {
                todo.pop();
                continue;
            }
            let (inner, other) = match m.kind() {
                Kind::Store(_, inner, ..) => (Some(*inner), None),
                Kind::Ite(_, a, b) => (Some(*a), Some(*b)),
                Kind::Splice { mem, src, .. } => (Some(*mem), Some(*src)),
                _ => (None, None),
            };
            let missing: Vec<Term> = inner.into_iter().chain(other).filter(|x| !self.contents.contains_key(&(*x, address))).collect();
            // A store at the very address hides what is below.
            if let Kind::Store(ty, _, a, v) = m.kind() {
                if matches!(m.sort(), Sort::Mem(Cell::Scalar(_))) {
                    let a = self.scalar(*a, holder)?;
                    if address.difference(a) == Some(IBig::ZERO) {
                        let v = self.stored(*ty, *v, holder)?;
                        self.contents.insert((m, address), v);
                        continue;
                    }
                }
            }
            if !missing.is_empty() {
                todo.extend(missing);
                continue;
            }
            let value = match m.kind() {
                Kind::Var(v) => holder.cell(*v, address)?,
                Kind::ZeroMem(_) => Term::int(0),
                Kind::Ite(c, a, b) => {
                    let c = self.scalar(*c, holder)?;
                    Term::ite(c, self.contents[&(*a, address)], self.contents[&(*b, address)])
                }
                Kind::Splice { mem, src, lo, len } => {
                    let (lo, len) = (self.scalar(*lo, holder)?, self.scalar(*len, holder)?);
                    let inside = lo.less_eq(address).and(address.less(lo.add(len)));
                    Term::ite(inside, self.contents[&(*src, address)], self.contents[&(*mem, address)])
                }
                Kind::Store(ty, inner, a, v) => {
                    let a = self.scalar(*a, holder)?;
                    let below = self.contents[&(*inner, address)];
                    match (m.sort(), ty) {
                        (Sort::Mem(Cell::Scalar(_)), _) => {
                            let v = self.stored(*ty, *v, holder)?;
                            Term::ite(address.equals(a), v, below)
                        }
                        (_, Scalar::Int(ty)) => {
                            let v = self.scalar(*v, holder)?;
                            let byte = |k: u64| v.shr(Term::int(8 * k)).bit_and(Term::int(255));
                            (0..ty.bytes()).fold(below, |rest, k| Term::ite(address.equals(a.plus(IBig::from(k))), byte(k), rest))
                        }
                        (_, Scalar::Float(_)) => return Err(Unencodable("a float in a memory of bytes, for the own solver".into())),
                    }
                }
                _ => return Err(Unencodable("a memory of unknown make, for the own solver".into())),
            };
            self.contents.insert((m, address), value);
        }
        Ok(self.contents[&(memory, address)])
    }

    /// What a load finds where `v` was stored.
    fn stored(&mut self, ty: Scalar, v: Term, holder: &mut dyn Holder) -> Result<Term, Unencodable> {
        match ty {
            Scalar::Int(ty) => Ok(self.scalar(v, holder)?.wrap(ty)),
            Scalar::Float(_) => Err(Unencodable("a memory of floats, for the own solver".into())),
        }
    }
}
