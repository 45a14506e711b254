//! Random elements together with integer points that are inside by construction.

use crate::domain::NumDomain;
use crate::int::Int;
use crate::linear::{ConsKind, Dim, LinCons, LinExpr, Point};

/// A small deterministic generator (SplitMix64).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in `0..n`; zero for `n = 0`.
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            0
        } else {
            self.next() % n
        }
    }

    /// A number in `lo..=hi`.
    pub fn range(&mut self, lo: i64, hi: i64) -> i64 {
        lo + self.below((hi - lo + 1) as u64) as i64
    }

    /// True once in `n`.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

/// An element with points known to be inside.
pub type Inhabited<E> = (E, Vec<Point>);

/// One random case: its generator, its dimensions and the size of its numbers.
#[derive(Clone, Debug)]
pub struct Case {
    /// The generator.
    pub rng: Rng,
    /// The dimensions of the case.
    pub dims: Vec<Dim>,
    scale: Int,
}

impl Case {
    /// The case of a number. Later cases have more dimensions; one in six has numbers around and beyond machine words.
    pub fn new(number: u64) -> Case {
        let mut rng = Rng::new(number);
        let most = if number < 100 { 2 } else { 4 };
        let count = 1 + rng.below(most);
        let gap = 1 + rng.below(2) as u32;
        let dims = (0..count as u32).map(|i| Dim(i * gap)).collect();
        let scale = match rng.below(24) {
            0 => Int::from(1i64 << 49),
            1 => Int::from(i64::MAX),
            2 => Int::from(1i128 << 109),
            3 => Int::from(i128::MAX) * Int::from(i64::MAX),
            _ => Int::ONE,
        };
        Case { rng, dims, scale }
    }

    /// A dimension of the case.
    pub fn dim(&mut self) -> Dim {
        let i = self.rng.below(self.dims.len() as u64) as usize;
        self.dims[i]
    }

    /// A number, most often small.
    pub fn value(&mut self) -> Int {
        let small = Int::from(self.rng.range(-9, 9));
        if self.scale.is_one() || self.rng.one_in(3) {
            small
        } else {
            &self.scale * &Int::from(self.rng.range(-2, 2)) + small
        }
    }

    /// A point that gives every dimension of the case a value.
    pub fn point(&mut self) -> Point {
        let dims = self.dims.clone();
        dims.into_iter().map(|d| (d, self.value())).collect()
    }

    /// An expression; coefficients are most often units, so that weakly relational domains see what they can hold.
    pub fn expr(&mut self) -> LinExpr {
        let terms = self.rng.range(0, 3);
        let terms: Vec<(Dim, Int)> = (0..terms)
            .map(|_| {
                let c = if self.rng.one_in(4) { self.rng.range(-4, 4) } else { 1 - 2 * self.rng.range(0, 1) };
                (self.dim(), Int::from(c))
            })
            .collect();
        LinExpr::new(terms, self.value())
    }

    /// A parallel assignment to some of the dimensions.
    pub fn assignments(&mut self) -> Vec<(Dim, LinExpr)> {
        let dims = self.dims.clone();
        let chosen: Vec<Dim> = dims.into_iter().filter(|_| self.rng.one_in(2)).collect();
        chosen.into_iter().map(|x| (x, self.expr())).collect()
    }

    /// A constraint of any kind.
    pub fn cons(&mut self) -> LinCons {
        let kind = [ConsKind::Ge, ConsKind::Ge, ConsKind::Ge, ConsKind::Eq, ConsKind::Ne][self.rng.below(5) as usize];
        LinCons::new(self.expr(), kind)
    }

    /// A constraint without `≠` that holds at the point.
    pub fn cons_at(&mut self, p: &Point) -> LinCons {
        let e = self.expr();
        let e = e.clone() - LinExpr::constant(e.eval(p));
        if self.rng.one_in(5) {
            LinCons::new(e, ConsKind::Eq)
        } else {
            LinCons::new(e + LinExpr::constant(self.rng.range(0, 6)), ConsKind::Ge)
        }
    }

    /// An element with points; one in twelve is bottom or top.
    pub fn elem<D: NumDomain>(&mut self, d: &D) -> Inhabited<D::Elem> {
        let (mut e, mut points) = match self.rng.below(12) {
            0 if self.rng.one_in(2) => (d.bottom(), vec![]),
            0 => (d.top(), vec![self.point(), self.point()]),
            1..=4 => {
                let p = self.point();
                let cs: Vec<LinCons> = (0..self.rng.range(0, 5)).map(|_| self.cons_at(&p)).collect();
                let near = (0..4).map(|_| self.near(&p)).filter(|q| cs.iter().all(|c| c.holds(q))).collect::<Vec<_>>();
                (d.of_constraints(&cs), near.into_iter().chain([p]).collect())
            }
            5..=6 => {
                let cs: Vec<LinCons> = (0..self.rng.range(0, 4)).map(|_| self.cons()).collect();
                let points = (0..6).map(|_| self.point()).filter(|q| cs.iter().all(|c| c.holds(q))).collect();
                (d.of_constraints(&cs), points)
            }
            _ => {
                let points: Vec<Point> = (0..self.rng.range(1, 3)).map(|_| self.point()).collect();
                let e = points.iter().fold(d.bottom(), |e, p| d.join(&e, &singleton(d, p)));
                (e, points)
            }
        };
        if self.rng.one_in(3) {
            for _ in 0..self.rng.range(1, 3) {
                (e, points) = self.step(d, &e, points);
            }
        }
        (e, points)
    }

    /// A point at a small distance.
    pub fn near(&mut self, p: &Point) -> Point {
        p.iter().map(|(d, v)| (*d, v + &Int::from(self.rng.range(-2, 2)))).collect()
    }

    /// One random operation on an element and its points.
    fn step<D: NumDomain>(&mut self, d: &D, e: &D::Elem, mut points: Vec<Point>) -> Inhabited<D::Elem> {
        match self.rng.below(5) {
            0 => {
                let c = self.cons();
                points.retain(|p| c.holds(p));
                (d.assume(e, &c), points)
            }
            1 => {
                let (x, expr) = (self.dim(), self.expr());
                points.iter_mut().for_each(|p| *p = assigned(p, x, expr.eval(p)));
                (d.assign(e, x, &expr), points)
            }
            2 => {
                let x = self.dim();
                points.iter_mut().for_each(|p| *p = assigned(p, x, self.value()));
                (d.forget(e, &[x]), points)
            }
            3 => {
                let p = self.point();
                let new = d.join(e, &singleton(d, &p));
                points.push(p);
                (d.widen(e, &new), points)
            }
            _ => {
                let c = points.first().cloned().map_or_else(LinCons::always, |p| self.cons_at(&p));
                points.retain(|p| c.holds(p));
                (d.meet(e, &d.of_constraints(&[c])), points)
            }
        }
    }
}

/// `p[x ↦ v]`.
pub fn assigned(p: &Point, x: Dim, v: Int) -> Point {
    let mut q = p.clone();
    q.insert(x, v);
    q
}

/// The element of one point, on the dimensions the point mentions.
pub fn singleton<D: NumDomain>(d: &D, p: &Point) -> D::Elem {
    let cs: Vec<LinCons> = p.iter().map(|(x, v)| LinCons::eq(LinExpr::var(*x), LinExpr::constant(v.clone()))).collect();
    d.of_constraints(&cs)
}

/// Whether the domain admits that the point may be inside: it satisfies the constraints, and meeting it is not empty.
/// A point of `γ(e)` always is.
pub fn member<D: NumDomain>(d: &D, e: &D::Elem, p: &Point) -> bool {
    d.constraints(e).iter().all(|c| c.holds(p)) && !d.is_bottom(&d.meet(e, &singleton(d, p)))
}
