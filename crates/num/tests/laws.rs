//! The laws catch what they are there to catch: boxes with one flaw each fail the group that covers it.

use plumb_num::laws::gen::Case;
use plumb_num::laws::{self, Adjoint, Claims};
use plumb_num::{Boxes, Dim, Int, IntBox, Interval, Lattice, LinCons, LinExpr, NumDomain, Point};

#[derive(Clone, Copy, PartialEq, Debug)]
enum Flaw {
    None,
    JoinForgetsRight,
    MeetForgetsRight,
    OrderSaysYes,
    WideningIsJoin,
    WideningIsOld,
    NarrowingIsNew,
    GuardOffByOne,
    ImageUsesOnlyTheConstant,
    ForgetDoesNothing,
    RenameDoesNothing,
    BoundsTooTight,
    PreimageIsImage,
    ParallelIsSequential,
    SampleIsZero,
    ConstraintsIncomplete,
    InterpolantIsTop,
    EveryJoinIsExact,
    LargeNumbersLost,
}

struct Flawed(Flaw);

impl Lattice for Flawed {
    type Elem = IntBox;

    fn bottom(&self) -> IntBox {
        Boxes.bottom()
    }

    fn top(&self) -> IntBox {
        Boxes.top()
    }

    fn is_bottom(&self, a: &IntBox) -> bool {
        Boxes.is_bottom(a)
    }

    fn leq(&self, a: &IntBox, b: &IntBox) -> bool {
        Boxes.leq(a, b) || (self.0 == Flaw::OrderSaysYes && !Boxes.is_bottom(b))
    }

    fn join(&self, a: &IntBox, b: &IntBox) -> IntBox {
        match self.0 {
            Flaw::JoinForgetsRight if !Boxes.is_bottom(a) => a.clone(),
            _ => Boxes.join(a, b),
        }
    }

    fn meet(&self, a: &IntBox, b: &IntBox) -> IntBox {
        match self.0 {
            Flaw::MeetForgetsRight if !Boxes.is_bottom(b) => a.clone(),
            _ => Boxes.meet(a, b),
        }
    }

    fn widen(&self, old: &IntBox, new: &IntBox) -> IntBox {
        match self.0 {
            Flaw::WideningIsJoin => Boxes.join(old, new),
            Flaw::WideningIsOld => old.clone(),
            _ => Boxes.widen(old, new),
        }
    }

    fn narrow(&self, old: &IntBox, new: &IntBox) -> IntBox {
        match self.0 {
            Flaw::NarrowingIsNew if !Boxes.is_bottom(new) => Boxes.assume(new, &LinCons::ge(Dim(0).into(), 1.into())),
            _ => Boxes.narrow(old, new),
        }
    }
}

impl NumDomain for Flawed {
    fn assume(&self, e: &IntBox, c: &LinCons) -> IntBox {
        let large = |c: &LinCons| c.expr().constant_part().abs() > Int::from(i64::MAX);
        match self.0 {
            Flaw::GuardOffByOne if c.expr().terms().len() == 2 => {
                Boxes.assume(e, &LinCons::new(c.expr().clone() - LinExpr::constant(1), c.kind()))
            }
            Flaw::LargeNumbersLost if large(c) && c.expr().terms().len() > 1 => Boxes.bottom(),
            _ => Boxes.assume(e, c),
        }
    }

    fn assign(&self, e: &IntBox, x: Dim, expr: &LinExpr) -> IntBox {
        match self.0 {
            Flaw::ImageUsesOnlyTheConstant => Boxes.assign(e, x, &LinExpr::constant(expr.constant_part().clone())),
            _ => Boxes.assign(e, x, expr),
        }
    }

    fn forget(&self, e: &IntBox, dims: &[Dim]) -> IntBox {
        match self.0 {
            Flaw::ForgetDoesNothing => e.clone(),
            _ => Boxes.forget(e, dims),
        }
    }

    fn rename(&self, e: &IntBox, map: &[(Dim, Dim)]) -> IntBox {
        match self.0 {
            Flaw::RenameDoesNothing => e.clone(),
            _ => Boxes.rename(e, map),
        }
    }

    fn bounds(&self, e: &IntBox, expr: &LinExpr) -> Interval {
        let b = Boxes.bounds(e, expr);
        match (self.0, &b.lo) {
            (Flaw::BoundsTooTight, Some(lo)) if expr.terms().len() == 2 => Interval { lo: Some(lo + &Int::ONE), hi: b.hi },
            _ => b,
        }
    }

    fn constraints(&self, e: &IntBox) -> Vec<LinCons> {
        let mut cs = Boxes.constraints(e);
        if self.0 == Flaw::ConstraintsIncomplete && cs.len() > 1 {
            cs.pop();
        }
        cs
    }

    fn support(&self, e: &IntBox) -> Vec<Dim> {
        Boxes.support(e)
    }

    fn assign_parallel(&self, e: &IntBox, assignments: &[(Dim, LinExpr)]) -> IntBox {
        match self.0 {
            Flaw::ParallelIsSequential => assignments.iter().fold(e.clone(), |e, (x, expr)| self.assign(&e, *x, expr)),
            _ => Boxes.assign_parallel(e, assignments),
        }
    }

    fn preimage_parallel(&self, e: &IntBox, assignments: &[(Dim, LinExpr)]) -> IntBox {
        match self.0 {
            Flaw::PreimageIsImage => Boxes.assign_parallel(e, assignments),
            _ => Boxes.preimage_parallel(e, assignments),
        }
    }

    fn sample(&self, e: &IntBox) -> Option<Point> {
        match self.0 {
            Flaw::SampleIsZero => (!Boxes.is_bottom(e)).then(Point::new),
            _ => Boxes.sample(e),
        }
    }

    fn interpolate(&self, a: &IntBox, b: &IntBox) -> Option<Vec<LinCons>> {
        match self.0 {
            Flaw::InterpolantIsTop => Some(Vec::new()),
            _ => Boxes.interpolate(a, b),
        }
    }

    fn join_is_exact(&self, a: &IntBox, b: &IntBox) -> bool {
        self.0 == Flaw::EveryJoinIsExact || Boxes.join_is_exact(a, b)
    }
}

/// Whether the group fails within a few hundred cases.
fn caught(flaw: Flaw, group: fn(&Flawed, Claims, &mut Case) -> Result<(), String>) -> bool {
    let claims = Claims { adjoint: Adjoint::Signed, linear: true };
    (0..600).any(|number| group(&Flawed(flaw), claims, &mut Case::new(number)).is_err())
}

#[test]
fn every_flaw_is_caught_by_the_laws_of_its_kind() {
    use Flaw::*;
    for flaw in [JoinForgetsRight, MeetForgetsRight, OrderSaysYes, EveryJoinIsExact] {
        assert!(caught(flaw, laws::lattice), "{flaw:?}");
    }
    for flaw in [WideningIsJoin, WideningIsOld, NarrowingIsNew] {
        assert!(caught(flaw, laws::widening), "{flaw:?}");
    }
    for flaw in [GuardOffByOne, ImageUsesOnlyTheConstant, ForgetDoesNothing, BoundsTooTight, ParallelIsSequential, LargeNumbersLost] {
        assert!(caught(flaw, laws::transfer), "{flaw:?}");
    }
    assert!(caught(PreimageIsImage, laws::preimage));
    for flaw in [RenameDoesNothing, SampleIsZero, ConstraintsIncomplete] {
        assert!(caught(flaw, laws::structure), "{flaw:?}");
    }
    assert!(caught(InterpolantIsTop, laws::interpolation));
}

#[test]
fn no_flaw_is_seen_where_there_is_none() {
    for group in [laws::lattice, laws::widening, laws::transfer, laws::preimage, laws::structure, laws::interpolation] {
        assert!(!caught(Flaw::None, group));
    }
}
