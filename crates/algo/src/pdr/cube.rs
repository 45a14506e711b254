//! Sets of states of a cut point, by the values of some bits of its variables and of what the program compares.

use plumb_cfa::Program;
use plumb_term::visit::vars;
use plumb_term::{IBig, IntTy, Scalar, Term, VarId, VarTy};

/// A bit of a state and its value. Bits are numbered through the parts of the state, each from its least significant bit on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct StateBit {
    pub(super) number: u32,
    pub(super) value: bool,
}

/// The states in which all of the bits have their values; ascending.
pub(super) type Cube = Vec<StateBit>;

/// Whether every state of `b` is one of `a`.
pub(super) fn covers(a: &[StateBit], b: &[StateBit]) -> bool {
    let mut rest = b.iter();
    a.iter().all(|x| rest.any(|y| x == y))
}

/// A variable, or a predicate over variables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) term: Term,
    pub(super) ty: VarTy,
    pub(super) first: u32,
    pub(super) count: u32,
}

impl Part {
    /// Those bits of a cube that are its own.
    pub(super) fn of<'c>(&self, cube: &'c [StateBit]) -> &'c [StateBit] {
        let at = |n: u32| cube.partition_point(|b| b.number < n);
        &cube[at(self.first)..at(self.first + self.count)]
    }
}

/// How the bits of a cut point's states are numbered: those of the variables, then the predicates, which follow from them.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) parts: Vec<Part>,
}

impl Layout {
    /// The layout with those of the predicates that speak of its variables. Memories and floats are not followed: they are any at each cut point.
    pub(super) fn new(program: &Program, needed: &[VarId], predicates: &[Term]) -> Layout {
        let mut first = 0;
        let mut parts = Vec::new();
        let mut add = |term: Term, ty: VarTy, count: u32| {
            parts.push(Part { term, ty, first, count });
            first += count;
        };
        for v in needed {
            let ty = program.var(*v).ty;
            match ty {
                VarTy::Bool => add(program.term(*v), ty, 1),
                VarTy::Scalar(Scalar::Int(int)) => add(program.term(*v), ty, u32::from(int.bits)),
                _ => {}
            }
        }
        for p in predicates.iter().filter(|p| vars([**p]).iter().all(|v| needed.contains(&v.id))) {
            add(*p, VarTy::Bool, 1);
        }
        Layout { parts }
    }

    /// That a state is in a cube, over the variables.
    pub(super) fn term(&self, cube: &[StateBit]) -> Term {
        Term::all(self.parts.iter().map(|p| match (p.of(cube), p.ty) {
            ([], _) => Term::tt(),
            ([b, ..], VarTy::Bool) => {
                if b.value {
                    p.term
                } else {
                    p.term.not()
                }
            }
            (bits, VarTy::Scalar(Scalar::Int(ty))) => integer(p.term, ty, p.first, bits),
            _ => Term::tt(),
        }))
    }
}

/// That some bits of an integer have their values: the highest ones are bounds, the others are read off.
fn integer(x: Term, ty: IntTy, first: u32, bits: &[StateBit]) -> Term {
    let width = u32::from(ty.bits);
    let one = |at: u32| IBig::ONE << at as usize;
    let weight = |b: &StateBit| if b.value { one(b.number - first) } else { IBig::ZERO };
    let high = bits.iter().rev().enumerate().take_while(|(i, b)| b.number - first + 1 + *i as u32 == width).count();
    let (low, high) = bits.split_at(bits.len() - high);
    let mut out = Term::tt();
    if !high.is_empty() {
        let lo = ty.wrap(&high.iter().map(weight).fold(IBig::ZERO, |a, b| a + b));
        let hi = &lo + one(width - high.len() as u32) - IBig::ONE;
        out = Term::int(lo).less_eq(x).and(x.less_eq(Term::int(hi)));
    }
    if !low.is_empty() {
        let mask = low.iter().map(|b| one(b.number - first)).fold(IBig::ZERO, |a, b| a + b);
        let value = low.iter().map(weight).fold(IBig::ZERO, |a, b| a + b);
        out = out.and(x.bit_and(Term::int(mask)).equals(Term::int(value)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::eval::{eval, Value};

    fn bits(list: &[(u32, bool)]) -> Cube {
        list.iter().map(|(number, value)| StateBit { number: *number, value: *value }).collect()
    }

    #[test]
    fn terms_say_what_bits_say() {
        for ty in [IntTy::U8, IntTy::signed(8)] {
            let scalar = VarTy::Scalar(Scalar::Int(ty));
            let layout = Layout { parts: vec![Part { term: Term::program_var(VarId(0), scalar), ty: scalar, first: 3, count: 8 }] };
            // Every choice of three among five positions, the sign among them, with every value.
            for chosen in 0..32u32 {
                for values in 0..32u32 {
                    let positions = [0, 2, 5, 6, 7];
                    let list: Vec<(u32, bool)> =
                        (0..5).filter(|i| chosen >> i & 1 == 1).map(|i| (3 + positions[i as usize], values >> i & 1 == 1)).collect();
                    let term = layout.term(&bits(&list));
                    for x in 0..=255u32 {
                        let expected = list.iter().all(|(n, v)| (x >> (n - 3) & 1 == 1) == *v);
                        let value = Value::Int(ty.wrap(&IBig::from(x)));
                        assert_eq!(eval(term, &|_| Some(value.clone())), Some(Value::Bool(expected)), "{ty:?} {list:?} {x}");
                    }
                }
            }
        }
    }

    #[test]
    fn fewer_bits_cover_more() {
        let (a, b) = (bits(&[(1, true), (4, false)]), bits(&[(0, true), (1, true), (4, false)]));
        assert!(covers(&a, &b) && !covers(&b, &a) && covers(&[], &a) && covers(&a, &a));
        assert!(!covers(&bits(&[(4, true)]), &a));
    }
}
