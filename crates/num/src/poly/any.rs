//! A double description with the smallest coefficients that hold it: words, or big integers where words overflow.

use std::hash::{Hash, Hasher};

use super::coef::{Coef, Overflow};
use super::dd::{Dd, Side};
use super::mat::Mat;
use crate::int::Int;
use crate::linear::{Dim, LinExpr};

/// `Big` only if some entry does not fit the fast path, so that the representation is canonical.
#[derive(Clone, Debug)]
pub enum AnyDd {
    Small(Dd<i64>),
    Big(Dd<Int>),
}

/// An operation on double descriptions, for any coefficients. Rust has no generic closures, so operations are types.
pub trait Op {
    /// Runs on the arguments; `None` is the empty polyhedron.
    fn run<T: Coef>(&self, args: &[&Dd<T>]) -> Result<Option<Dd<T>>, Overflow>;
}

/// Runs an operation with words if the arguments and the result allow, with big integers otherwise.
pub fn run<O: Op>(op: &O, args: &[&AnyDd]) -> Option<AnyDd> {
    let small = match args {
        [AnyDd::Small(a)] => Some(op.run(&[a])),
        [AnyDd::Small(a), AnyDd::Small(b)] => Some(op.run(&[a, b])),
        _ => {
            let all = args.iter().map(|a| if let AnyDd::Small(dd) = a { Some(dd) } else { None });
            all.collect::<Option<Vec<&Dd<i64>>>>().map(|all| op.run(&all))
        }
    };
    if let Some(Ok(done)) = small {
        return done.map(AnyDd::Small);
    }
    let big: Vec<Dd<Int>> = args.iter().map(|a| a.to_big()).collect();
    match op.run(&big.iter().collect::<Vec<_>>()) {
        Ok(done) => done.map(demote),
        Err(Overflow) => unreachable!("big integers do not overflow"),
    }
}

fn demote(dd: Dd<Int>) -> AnyDd {
    let fits = dd.cols() <= i64::MAX_COLS
        && [&dd.cons.lin, &dd.cons.ray, &dd.gens.lin, &dd.gens.ray].iter().all(|m| m.data().iter().all(|v| i64::from_int(v).is_ok()));
    if !fits {
        return AnyDd::Big(dd);
    }
    let mat = |m: &Mat<Int>| Mat::from_data(m.cols(), m.data().iter().map(|v| v.to_i64().unwrap_or(0)).collect());
    let side = |s: &Side<Int>| Side { lin: mat(&s.lin), ray: mat(&s.ray) };
    AnyDd::Small(Dd { cons: side(&dd.cons), gens: side(&dd.gens), sat: dd.sat })
}

impl AnyDd {
    /// The whole space of `n` dimensions.
    pub fn universe(n: usize) -> AnyDd {
        if n < i64::MAX_COLS {
            AnyDd::Small(Dd::universe(n + 1))
        } else {
            AnyDd::Big(Dd::universe(n + 1))
        }
    }

    pub fn to_big(&self) -> Dd<Int> {
        match self {
            AnyDd::Big(dd) => dd.clone(),
            AnyDd::Small(dd) => {
                let mat = |m: &Mat<i64>| Mat::from_data(m.cols(), m.data().iter().map(|v| Int::from(*v)).collect());
                let side = |s: &Side<i64>| Side { lin: mat(&s.lin), ray: mat(&s.ray) };
                Dd { cons: side(&dd.cons), gens: side(&dd.gens), sat: dd.sat.clone() }
            }
        }
    }

    /// Whether both sides are there.
    pub fn has_generators(&self) -> bool {
        match self {
            AnyDd::Small(dd) => dd.has_generators(),
            AnyDd::Big(dd) => dd.has_generators(),
        }
    }

    /// The groups of related columns.
    pub fn components(&self) -> Vec<Vec<usize>> {
        match self {
            AnyDd::Small(dd) => dd.components(),
            AnyDd::Big(dd) => dd.components(),
        }
    }

    /// The factor of one group.
    pub fn factor(&self, group: &[usize]) -> AnyDd {
        match self {
            AnyDd::Small(dd) => AnyDd::Small(dd.factor(group)),
            AnyDd::Big(dd) => demote(dd.factor(group)),
        }
    }
}

/// Equality of what minimal constraints say. Whether positivity is listed, and which coefficients hold the generators, is of no account.
impl PartialEq for AnyDd {
    fn eq(&self, other: &Self) -> bool {
        fn same<T: Coef>(a: &Dd<T>, b: &Dd<T>) -> bool {
            a.cons.lin == b.cons.lin && sorted(&a.cons.ray) == sorted(&b.cons.ray)
        }
        match (self, other) {
            (AnyDd::Small(a), AnyDd::Small(b)) => same(a, b),
            (AnyDd::Big(a), AnyDd::Big(b)) => same(a, b),
            (a, b) => same(&a.to_big(), &b.to_big()),
        }
    }
}

impl Eq for AnyDd {}

impl Hash for AnyDd {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Entry by entry: a word and a big integer of the same value have the same hash.
        fn all<T: Coef, H: Hasher>(dd: &Dd<T>, state: &mut H) {
            dd.cons.lin.data().iter().for_each(|v| v.hash(state));
            sorted(&dd.cons.ray).iter().for_each(|row| row.iter().for_each(|v| v.hash(state)));
        }
        match self {
            AnyDd::Small(dd) => all(dd, state),
            AnyDd::Big(dd) => all(dd, state),
        }
    }
}

/// The inequalities in order, without positivity.
fn sorted<T: Coef>(m: &Mat<T>) -> Vec<&[T]> {
    let mut rows: Vec<&[T]> = m.iter().filter(|row| !Dd::is_positivity(row)).collect();
    rows.sort();
    rows
}

/// The expression as a row over `dims` (sorted), which must include its dimensions.
pub fn to_row<T: Coef>(e: &LinExpr, dims: &[Dim]) -> Result<Vec<T>, Overflow> {
    let mut row = vec![T::zero(); dims.len() + 1];
    row[0] = T::from_int(e.constant_part())?;
    for (d, c) in e.terms() {
        if let Ok(j) = dims.binary_search(d) {
            row[j + 1] = T::from_int(c)?;
        }
    }
    Ok(row)
}

/// The row as an expression over `dims`.
pub fn to_expr<T: Coef>(row: &[T], dims: &[Dim]) -> LinExpr {
    let terms = dims.iter().zip(&row[1..]).filter(|(_, c)| !c.is_zero()).map(|(d, c)| (*d, c.to_int())).collect();
    LinExpr::from_sorted(terms, row[0].to_int())
}
