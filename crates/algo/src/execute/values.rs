//! Which values executions are given.
//!
//! Programs compare inputs with constants they contain, with bounds that are small, and with the borders of their types. A place that asks for
//! inputs draws them in one *manner* throughout an execution: an array is filled with values of one kind while its length is
//! of another.

use plumb_cfa::callgraph::CallGraph;
use plumb_cfa::interp::{Random, LENT_FROM};
use plumb_cfa::Op;
use plumb_cfa::Program;
use plumb_term::eval::Value;
use plumb_term::visit::postorder;
use plumb_term::{Float, FloatTy, IBig, IntTy, Kind, Scalar, Term, VarTy};
use std::collections::BTreeSet;

/// Pointers from outside point to so many places, so far apart.
const LENT_PIECES: usize = 8;
const LENT_APART: u64 = 4096;

/// How a place draws its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// Zero.
    Zero,
    /// Between 0 and this.
    UpTo(u32),
    /// Between minus this and this.
    Around(u32),
    /// A constant of the program, or one beside it.
    Constant,
    /// Any value; small ones and the borders of the type are frequent.
    Any,
    /// Each time another one of the manners above.
    Mixed,
}

impl Manner {
    /// One of the manners that are not mixed.
    fn unmixed(random: &mut Random) -> Manner {
        const BOUNDS: [u32; 6] = [1, 2, 5, 10, 100, 1000];
        let bound = BOUNDS[random.below(BOUNDS.len())];
        match random.below(8) {
            0 => Manner::Zero,
            1 | 2 => Manner::UpTo(bound),
            3 => Manner::Around(bound),
            4 | 5 => Manner::Constant,
            _ => Manner::Any,
        }
    }

    /// A manner for a place.
    pub fn draw(random: &mut Random) -> Manner {
        if random.below(4) == 0 {
            Manner::Mixed
        } else {
            Manner::unmixed(random)
        }
    }
}

/// The constants of a program.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    integers: Vec<IBig>,
    floats: Vec<Float>,
    /// The type of pointers, if some can point to memory of the environment.
    pointers: Option<IntTy>,
}

impl Constants {
    /// Those of the functions that can be called.
    pub fn of(program: &Program) -> Constants {
        let roots = CallGraph::new(program).bottom_up(program.entry).into_iter().flat_map(|f| {
            let edges = program.function(f).graph.edges();
            // What holds of the arguments of `main` says nothing about what the program compares.
            let own = edges.filter(|(_, e)| f != program.entry || !matches!(e.op, Op::Assume(_)));
            own.flat_map(|(_, e)| e.op.operands()).collect::<Vec<Term>>()
        });
        let (mut integers, mut floats) = (BTreeSet::new(), BTreeSet::new());
        for t in postorder(roots) {
            match t.kind() {
                Kind::Int(n) => {
                    integers.insert(n.clone());
                }
                Kind::Lin(l) => {
                    integers.insert(l.constant.clone());
                    integers.insert(-l.constant.clone());
                }
                Kind::Float(f) => {
                    floats.insert(*f);
                }
                _ => {}
            }
        }
        let pointers = (!program.lent_regions().is_empty()).then(|| program.pointer());
        Constants { integers: integers.into_iter().collect(), floats: floats.into_iter().collect(), pointers }
    }

    /// A value of a scalar type.
    pub fn value(&self, manner: Manner, ty: VarTy, random: &mut Random) -> Value {
        match ty {
            VarTy::Bool => Value::Bool(manner != Manner::Zero && random.below(2) == 1),
            VarTy::Int => Value::Int(self.integer(manner, IntTy::I64, random)),
            VarTy::Scalar(Scalar::Int(t)) => Value::Int(self.integer(manner, t, random)),
            VarTy::Scalar(Scalar::Float(t)) => Value::Float(self.float(manner, t, random)),
            VarTy::Mem(_) => Value::default_of(ty),
        }
    }

    fn integer(&self, manner: Manner, ty: IntTy, random: &mut Random) -> IBig {
        let below = |n: u32, random: &mut Random| IBig::from(random.below(n as usize + 1));
        if self.pointers == Some(ty) && manner != Manner::Zero && random.below(2) == 0 {
            return IBig::from(LENT_FROM + LENT_APART * random.below(LENT_PIECES) as u64);
        }
        match manner {
            Manner::Zero => IBig::ZERO,
            Manner::UpTo(n) => ty.wrap(&below(n, random)),
            Manner::Around(n) => ty.wrap(&(below(2 * n, random) - IBig::from(n))),
            Manner::Constant if !self.integers.is_empty() => {
                let near = IBig::from(random.below(5)) - IBig::from(2);
                let near = if random.below(2) == 0 { IBig::ZERO } else { near };
                ty.wrap(&(&self.integers[random.below(self.integers.len())] + near))
            }
            Manner::Constant | Manner::Any => random.integer(ty),
            Manner::Mixed => self.integer(Manner::unmixed(random), ty, random),
        }
    }

    fn float(&self, manner: Manner, ty: FloatTy, random: &mut Random) -> Float {
        let whole = |n: i64| Float::from_int(ty, &IBig::from(n));
        match manner {
            Manner::Zero => whole(0),
            Manner::UpTo(n) => fraction(ty, random).mul(whole(i64::from(n))),
            Manner::Around(n) => fraction(ty, random).mul(whole(2 * i64::from(n))).sub(whole(i64::from(n))),
            Manner::Constant if !self.floats.is_empty() => {
                let mut pick = || self.floats[random.below(self.floats.len())].convert(ty);
                let (a, b) = (pick(), pick());
                // One of them, or something between two of them.
                match random.below(3) {
                    0 => a,
                    1 => b.sub(b).sub(a),
                    _ => a.add(b.sub(a).mul(fraction(ty, random))),
                }
            }
            Manner::Constant | Manner::Any => random.float(ty),
            Manner::Mixed => self.float(Manner::unmixed(random), ty, random),
        }
    }
}

/// Between 0 and 1.
fn fraction(ty: FloatTy, random: &mut Random) -> Float {
    const PARTS: usize = 1 << 16;
    Float::from_int(ty, &IBig::from(random.below(PARTS + 1))).div(Float::from_int(ty, &IBig::from(PARTS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_follow_their_manner() {
        let constants = Constants { integers: vec![4711.into()], floats: vec![Float::parse(FloatTy::F64, "0.5").unwrap()], pointers: None };
        let mut random = Random::new(1);
        let mut int = |manner, ty| (0..400).map(|_| constants.integer(manner, ty, &mut random)).collect::<BTreeSet<IBig>>();
        assert_eq!(int(Manner::Zero, IntTy::I32).len(), 1);
        assert_eq!(int(Manner::UpTo(2), IntTy::I32), [0, 1, 2].map(IBig::from).into());
        assert_eq!(int(Manner::Around(1), IntTy::I32), [-1, 0, 1].map(IBig::from).into());
        assert_eq!(int(Manner::Constant, IntTy::I32), [4709, 4710, 4711, 4712, 4713].map(IBig::from).into());
        assert!(int(Manner::Any, IntTy::I32).len() > 100 && int(Manner::Mixed, IntTy::I32).len() > 50);
        assert!(int(Manner::Mixed, IntTy::U8).iter().all(|n| IntTy::U8.contains(n)));
        let mut random = Random::new(2);
        for _ in 0..100 {
            let x = constants.float(Manner::UpTo(2), FloatTy::F32, &mut random);
            assert!((0.0..=2.0).contains(&x.to_f32()));
        }
        let mixed = VarTy::Scalar(Scalar::Float(FloatTy::F64));
        assert!(matches!(constants.value(Manner::Mixed, mixed, &mut random), Value::Float(f) if f.ty == FloatTy::F64));
    }
}
