//! Loads, stores and splices.

use crate::node::{Kind, Term};
use crate::ty::{Cell, Scalar, Sort};
use dashu_int::IBig;

/// How many stores a load looks through.
const LOOK_THROUGH: usize = 256;

impl Term {
    /// The memory whose bytes are all zero (whose scalars are all zero).
    pub fn zero_mem(cell: Cell) -> Term {
        Term::intern(Kind::ZeroMem(cell))
    }

    /// Reads a scalar of type `ty` at `addr`.
    pub fn load(ty: Scalar, mem: Term, addr: Term) -> Term {
        let mut m = mem;
        for _ in 0..LOOK_THROUGH {
            match m.kind() {
                Kind::ZeroMem(_) => return zero(ty),
                Kind::Store(sty, inner, a, v) => match addr.difference(*a) {
                    Some(d) if d == IBig::ZERO && *sty == ty => return stored(ty, *v),
                    Some(d) if disjoint(&d, ty, *sty, mem) => m = *inner,
                    _ => break,
                },
                Kind::Splice { mem: inner, src, lo, len } => match (addr.difference(*lo), len.as_int()) {
                    (Some(d), Some(n)) => {
                        let end = &d + IBig::from(extent(ty, mem));
                        if d >= IBig::ZERO && end <= *n {
                            m = *src;
                        } else if end <= IBig::ZERO || d >= *n {
                            m = *inner;
                        } else {
                            break;
                        }
                    }
                    _ => break,
                },
                _ => break,
            }
        }
        Term::intern(Kind::Load(ty, m, addr))
    }

    /// The memory with a scalar of type `ty` written at `addr`.
    pub fn store(ty: Scalar, mem: Term, addr: Term, value: Term) -> Term {
        let mem = match mem.kind() {
            Kind::Store(t, inner, a, _) if *t == ty && *a == addr => *inner,
            _ => mem,
        };
        Term::intern(Kind::Store(ty, mem, addr, value))
    }

    /// `src` on `[lo, lo+len)`, `mem` elsewhere.
    pub fn splice(mem: Term, src: Term, lo: Term, len: Term) -> Term {
        if mem == src || len.as_int().is_some_and(|n| *n <= IBig::ZERO) {
            return mem;
        }
        Term::intern(Kind::Splice { mem, src, lo, len })
    }
}

/// What a load of type `ty` finds where `v` was stored as one: bits beyond the type are lost.
fn stored(ty: Scalar, v: Term) -> Term {
    match ty {
        Scalar::Int(t) => v.wrap(t),
        Scalar::Float(_) => v,
    }
}

/// How many addresses an access of type `ty` touches: bytes, or the one address of a scalar cell.
fn extent(ty: Scalar, mem: Term) -> u64 {
    match mem.sort() {
        Sort::Mem(Cell::Scalar(_)) => 1,
        _ => ty.bytes(),
    }
}

/// Whether an access of type `read` at distance `d` above a store of type `write` misses it.
fn disjoint(d: &IBig, read: Scalar, write: Scalar, mem: Term) -> bool {
    *d >= IBig::from(extent(write, mem)) || -d >= IBig::from(extent(read, mem))
}

fn zero(ty: Scalar) -> Term {
    match ty {
        Scalar::Int(_) => Term::int(0),
        Scalar::Float(t) => Term::float(crate::float::Float { ty: t, bits: 0 }),
    }
}
