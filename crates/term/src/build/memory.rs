//! Loads, stores and splices.

use crate::node::{Kind, Term};
use crate::ty::{Cell, IntTy, Scalar, Sort};
use dashu_int::IBig;

/// How many stores a load looks through.
const LOOK_THROUGH: usize = 4096;

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
                    Some(d) => match punned(ty, addr, (*sty, *inner, *v), &d) {
                        Some(found) => return found,
                        None => break,
                    },
                    None => break,
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

/// What a load of type `ty` at `addr`, which is `d` above the address of a store, finds if one of them lies within the other and one is of a float: how
/// programs get at the patterns of floats.
fn punned(ty: Scalar, addr: Term, (sty, before, v): (Scalar, Term, Term), d: &IBig) -> Option<Term> {
    let floats = matches!(ty, Scalar::Float(_)) || matches!(sty, Scalar::Float(_));
    let (read, written) = (i64::try_from(ty.bytes()).ok()?, i64::try_from(sty.bytes()).ok()?);
    let d = i64::try_from(d).ok()?;
    if !floats || before.sort() != Sort::Mem(Cell::Byte) {
        return None;
    }
    if d >= 0 && d + read <= written {
        let shifted = pattern(sty, v).shr(Term::int(8 * d));
        return Some(of_pattern(ty, shifted));
    }
    if d > 0 || d + read < written || !matches!(ty, Scalar::Float(_)) {
        return None;
    }
    // The bytes below, those of the store, and the bytes above, which are fewer than were asked for.
    let piece = |from: i64, to: i64| {
        if from == to {
            return Term::int(0);
        }
        let bits = IntTy::unsigned(8 * (to - from) as u16);
        Term::load(Scalar::Int(bits), before, addr.add(Term::int(from))).shl(Term::int(8 * from))
    };
    let (from, to) = (-d, written - d);
    let own = pattern(sty, v).wrap(IntTy::unsigned(8 * written as u16)).shl(Term::int(8 * from));
    Some(of_pattern(ty, Term::sum([piece(0, from), own, piece(to, read)])))
}

/// The bytes of a stored value as one number, up to bits beyond the type.
fn pattern(ty: Scalar, v: Term) -> Term {
    match ty {
        Scalar::Int(_) => v,
        Scalar::Float(_) => Term::fbits(v),
    }
}

/// The scalar whose bytes are the low bits of a number.
fn of_pattern(ty: Scalar, bits: Term) -> Term {
    match ty {
        Scalar::Int(t) => bits.wrap(t),
        Scalar::Float(t) => Term::ffrom_bits(t, bits),
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
