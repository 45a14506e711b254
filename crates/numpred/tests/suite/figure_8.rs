//! The templates of Fig. 8 of the paper, statement by statement, in the domain alone: no solver, no blocks, no widening.

use plumb_num::{Dim, LinCons, LinExpr};
use plumb_numpred::transformer::{apply, compile, Abstracted};
use plumb_numpred::{Expr, Full, NumPredDom, Transformer, Update, Vocabulary, WithDomain};

const X: Dim = Dim(0);

fn v(x: Dim) -> LinExpr {
    LinExpr::var(x)
}

fn is(x: Dim, c: i64) -> LinCons {
    LinCons::eq(v(x), c.into())
}

fn set(x: Dim, c: i64) -> Transformer {
    Transformer::Numeric(vec![(x, Update::Linear(LinExpr::constant(c)))])
}

fn step<D: NumPredDom>(d: &D, t: &Abstracted<D::Elem>, a: &D::Elem) -> Result<D::Elem, Full> {
    d.reduce(&apply(d, t, a)?)
}

/// `x = 0; while (x < C) ++x; assert(x == C)`, with V_N = {x}: the union of all rounds, one after the other. Whether the assertion is proved.
pub struct Counter(pub i64);

impl Counter {
    pub fn vocabulary(&self) -> Vocabulary {
        Vocabulary::new([], [X])
    }
}

impl WithDomain for Counter {
    type Out = Result<bool, Full>;

    fn with<D: NumPredDom + 'static>(self, d: D) -> Result<bool, Full> {
        let below = Expr::cons(LinCons::lt(v(X), self.0.into()));
        let round = compile(&d, &Transformer::Conditional(below.clone(), vec![(X, Update::Linear(v(X) + 1.into()))]))?;
        let mut head = step(&d, &compile(&d, &set(X, 0))?, &d.top())?;
        for _ in 0..=self.0 {
            let next = step(&d, &round, &head)?;
            if d.leq(&next, &head)? {
                let wrong = below.negated().and(Expr::cons(is(X, self.0).negated()));
                return d.is_bottom(&step(&d, &compile(&d, &Transformer::Assume(wrong))?, &head)?);
            }
            head = d.join(&head, &next)?;
        }
        Ok(false)
    }
}

/// `n = 1; if (x0 < 0) n = 0; … else if (xC < 0) n = 0; if (x0 < 0) assert(n == 0); … else if (xC < 0) assert(n == 0)`, with V_N = {n, x0, …, xC} and V_P = {x0 < 0, …, xC < 0}.
/// Whether all assertions are proved.
pub struct Cascade(pub u32);

impl Cascade {
    fn negative(i: u32) -> LinCons {
        LinCons::lt(v(Dim(i + 1)), 0.into())
    }

    pub fn vocabulary(&self) -> Vocabulary {
        Vocabulary::new((0..=self.0).map(|i| Some(Cascade::negative(i))), (0..=self.0 + 1).map(Dim))
    }
}

impl WithDomain for Cascade {
    type Out = Result<bool, Full>;

    fn with<D: NumPredDom + 'static>(self, d: D) -> Result<bool, Full> {
        let assume = |c: LinCons| compile(&d, &Transformer::Assume(Expr::cons(c)));
        let cleared = compile(&d, &set(X, 0))?;
        let mut after = d.bottom();
        let mut otherwise = step(&d, &compile(&d, &set(X, 1))?, &d.top())?;
        for i in 0..=self.0 {
            let taken = step(&d, &assume(Cascade::negative(i))?, &otherwise)?;
            after = d.join(&after, &step(&d, &cleared, &taken)?)?;
            otherwise = step(&d, &assume(Cascade::negative(i).negated())?, &otherwise)?;
        }
        otherwise = d.join(&after, &otherwise)?;
        for i in 0..=self.0 {
            let taken = step(&d, &assume(Cascade::negative(i))?, &otherwise)?;
            if !d.is_bottom(&step(&d, &assume(is(X, 0).negated())?, &taken)?)? {
                return Ok(false);
            }
            otherwise = step(&d, &assume(Cascade::negative(i).negated())?, &otherwise)?;
        }
        Ok(!d.is_bottom(&otherwise)?)
    }
}
