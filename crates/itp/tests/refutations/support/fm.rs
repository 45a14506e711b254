//! Fourier and Motzkin's elimination with multipliers: an oracle for small conjunctions, over the rationals.

use plumb_itp::{Linear, NumVar};
use plumb_num::{Int, Rat};
use std::collections::BTreeMap;

/// A bound, and whether it is excluded.
type Limit = (Rat, bool);

#[derive(Clone)]
struct Row {
    terms: BTreeMap<NumVar, Rat>,
    constant: Rat,
    strict: bool,
    multipliers: Vec<Rat>,
}

/// What a conjunction of `t ≤ 0` and `t < 0` is.
pub enum Outcome {
    /// A solution; integer where that is easy.
    Point(BTreeMap<NumVar, Rat>),
    /// Multipliers, not negative, of a contradictory sum.
    Farkas(Vec<Rat>),
    /// Too many rows.
    GaveUp,
}

impl Row {
    fn coefficient(&self, x: NumVar) -> Rat {
        self.terms.get(&x).cloned().unwrap_or(Rat::ZERO)
    }

    fn scaled(&self, q: &Rat) -> Row {
        Row {
            terms: self.terms.iter().map(|(x, a)| (*x, a * q)).collect(),
            constant: &self.constant * q,
            strict: self.strict,
            multipliers: self.multipliers.iter().map(|m| m * q).collect(),
        }
    }

    fn plus(&self, other: &Row) -> Row {
        let mut terms = self.terms.clone();
        for (x, a) in &other.terms {
            let sum = &terms.get(x).cloned().unwrap_or(Rat::ZERO) + a;
            terms.insert(*x, sum);
        }
        terms.retain(|_, a| !a.is_zero());
        Row {
            terms,
            constant: &self.constant + &other.constant,
            strict: self.strict || other.strict,
            multipliers: self.multipliers.iter().zip(&other.multipliers).map(|(a, b)| a + b).collect(),
        }
    }

    fn is_contradiction(&self) -> bool {
        self.terms.is_empty() && (self.constant.signum() > 0 || (self.constant.signum() == 0 && self.strict))
    }
}

/// Decides a conjunction.
pub fn solve(constraints: &[(Linear, bool)]) -> Outcome {
    let n = constraints.len();
    let mut rows: Vec<Row> = constraints
        .iter()
        .enumerate()
        .map(|(i, (t, strict))| Row {
            terms: t.terms().iter().map(|(x, a)| (*x, Rat::from(a.clone()))).collect(),
            constant: Rat::from(t.offset().clone()),
            strict: *strict,
            multipliers: (0..n).map(|j| if i == j { Rat::ONE } else { Rat::ZERO }).collect(),
        })
        .collect();
    let mut eliminated: Vec<(NumVar, Vec<Row>)> = Vec::new();
    loop {
        if let Some(row) = rows.iter().find(|r| r.is_contradiction()) {
            return Outcome::Farkas(row.multipliers.clone());
        }
        rows.retain(|r| !r.terms.is_empty());
        let cost = |x: NumVar| {
            let ups = rows.iter().filter(|r| r.coefficient(x).signum() > 0).count();
            let downs = rows.iter().filter(|r| r.coefficient(x).signum() < 0).count();
            ups * downs
        };
        let vars: std::collections::BTreeSet<NumVar> = rows.iter().flat_map(|r| r.terms.keys().copied()).collect();
        let Some(x) = vars.into_iter().min_by_key(|x| cost(*x)) else { break };
        let (with, without): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|r| !r.coefficient(x).is_zero());
        rows = without;
        for u in with.iter().filter(|r| r.coefficient(x).signum() > 0) {
            for d in with.iter().filter(|r| r.coefficient(x).signum() < 0) {
                let (a, b) = (u.coefficient(x), -&d.coefficient(x));
                let sum = u.scaled(&(&Rat::ONE / &a)).plus(&d.scaled(&(&Rat::ONE / &b)));
                let same = |r: &Row| r.terms == sum.terms;
                match rows.iter().position(same) {
                    Some(i) if rows[i].constant > sum.constant || (rows[i].constant == sum.constant && (rows[i].strict || !sum.strict)) => {
                    }
                    Some(i) => rows[i] = sum,
                    None => rows.push(sum),
                }
            }
        }
        if rows.len() > 300 {
            return Outcome::GaveUp;
        }
        eliminated.push((x, with));
    }
    let mut point: BTreeMap<NumVar, Rat> = BTreeMap::new();
    for (x, rows) in eliminated.iter().rev() {
        let (mut low, mut high): (Option<Limit>, Option<Limit>) = (None, None);
        for r in rows {
            let mut rest = r.constant.clone();
            for (y, a) in r.terms.iter().filter(|t| t.0 != x) {
                rest = &rest + &(a * point.get(y).unwrap_or(&Rat::ZERO));
            }
            let a = r.coefficient(*x);
            let bound = &(-&rest) / &a;
            let slot = if a.signum() > 0 { &mut high } else { &mut low };
            let tighter = slot.as_ref().is_none_or(|(b, s)| {
                if a.signum() > 0 {
                    bound < *b || (bound == *b && r.strict && !s)
                } else {
                    bound > *b || (bound == *b && r.strict && !s)
                }
            });
            if tighter {
                *slot = Some((bound, r.strict));
            }
        }
        point.insert(*x, between(low, high));
    }
    Outcome::Point(point)
}

fn between(low: Option<Limit>, high: Option<Limit>) -> Rat {
    let fits =
        |v: &Rat| low.as_ref().is_none_or(|(l, s)| v > l || (v == l && !s)) && high.as_ref().is_none_or(|(h, s)| v < h || (v == h && !s));
    let mut candidates = vec![Rat::ZERO];
    if let Some((l, _)) = &low {
        candidates.push(Rat::from(l.ceil()));
        candidates.push(Rat::from(&l.floor() + &Int::ONE));
        candidates.push(l.clone());
    }
    if let Some((h, _)) = &high {
        candidates.push(Rat::from(h.floor()));
        candidates.push(Rat::from(&h.ceil() - &Int::ONE));
        candidates.push(h.clone());
    }
    if let (Some((l, _)), Some((h, _))) = (&low, &high) {
        candidates.push(&(l + h) / &Rat::from(2));
    }
    candidates.into_iter().find(fits).expect("the projection is exact")
}
