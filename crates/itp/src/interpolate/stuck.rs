//! What to do where Fourier and Motzkin's elimination is not exact over the integers.
//!
//! Three ways out, all exact. If the quantified variables occur in linked rows `r + α·d ≤ 0` only as multiples of one form `d` with coprime coefficients, then `d` takes all integer
//! values and one variable can stand for it. And linked rows with nothing but quantified variables say yes or no: an integer point settles it.
//! Otherwise the rows are scaled so that `x` has the coefficient `±m` in all of them: `L ≤ m·x` and `m·x ≤ U` have no solution iff with `r` the residue of `U` modulo `m`, `U - r < L`. All lower
//! and all upper limits have one iff each pair has, so the elimination is a disjunction over pairs and residues.

use crate::linear::{Linear, NumVar};
use crate::pool::{Id, Pool};
use plumb_num::{integer, simplex, Dim, Int, LinCons, LinExpr};

/// `t ≤ 0`, or `t < 0` if true; the latter over rationals only.
type Row = (Linear, bool);

/// Rows with the same solutions in the variables that are kept, nearer to the end; nothing if no way out applies. `integer` says which variables are quantified and integer.
pub fn advance(rows: &[Row], integer: &dyn Fn(NumVar) -> bool, keep: &dyn Fn(NumVar) -> bool) -> Option<Vec<Row>> {
    let foreign = |t: &Linear| t.terms().iter().map(|t| t.0).filter(|x| !keep(*x)).collect::<Vec<_>>();
    let start = rows.iter().find_map(|r| foreign(&r.0).first().copied())?;
    let (mut linked, mut rest): (Vec<Row>, Vec<Row>) = (Vec::new(), rows.to_vec());
    let mut vars = vec![start];
    loop {
        let (more, others): (Vec<Row>, Vec<Row>) = rest.into_iter().partition(|r| foreign(&r.0).iter().any(|x| vars.contains(x)));
        rest = others;
        if more.is_empty() {
            break;
        }
        vars.extend(more.iter().flat_map(|r| foreign(&r.0)));
        linked.extend(more);
    }
    if !vars.iter().all(|x| integer(*x)) || linked.iter().any(|r| r.1) {
        return None;
    }
    if let Some(simpler) = along_one_form(&linked, keep) {
        rest.extend(simpler);
        return Some(rest);
    }
    if linked.iter().any(|r| r.0.terms().iter().any(|t| keep(t.0))) {
        return None;
    }
    let constraints: Vec<LinCons> = linked.iter().map(|r| constraint(&r.0)).collect();
    if integer::point(&constraints).is_some() {
        return Some(rest);
    }
    match simplex::solve(&constraints) {
        simplex::Feasibility::Infeasible(_) => Some(vec![(Linear::constant(Int::ONE), false)]),
        simplex::Feasibility::Feasible(_) => None,
    }
}

fn constraint(t: &Linear) -> LinCons {
    let negated = t.terms().iter().map(|(x, a)| (Dim(x.0), -a));
    LinCons::ge(LinExpr::new(negated, -t.offset()), LinExpr::default())
}

/// The rows with one variable instead of the form that all of them are about; nothing if there is no such form, or it is a variable already.
fn along_one_form(rows: &[Row], keep: &dyn Fn(NumVar) -> bool) -> Option<Vec<Row>> {
    let mut form: Option<Vec<(NumVar, Int)>> = None;
    let mut out = Vec::with_capacity(rows.len());
    for (t, strict) in rows {
        let (kept, foreign): (Vec<_>, Vec<_>) = t.terms().iter().cloned().partition(|(x, _)| keep(*x));
        let gcd = foreign.iter().fold(Int::ZERO, |g, (_, a)| g.gcd(a));
        let factor = if foreign.first()?.1.is_negative() { -gcd } else { gcd };
        let direction: Vec<(NumVar, Int)> = foreign.iter().map(|(x, a)| (*x, a.div_exact(&factor))).collect();
        let stand_in = direction.first()?.0;
        if direction.len() < 2 || *form.get_or_insert_with(|| direction.clone()) != direction {
            return None;
        }
        out.push((Linear::new(kept.into_iter().chain([(stand_in, factor)]), t.offset().clone()), *strict));
    }
    Some(out)
}

/// Coefficients are scaled up to this number at most.
const MODULUS: i64 = 24;
/// Pairs of limits, times residues, at most.
const CASES: usize = 200;

/// The negation of `∃x: rows ∧ ¬divisible` for the one of `vars` that is cheapest, as a formula.
pub fn by_residues(
    pool: &mut Pool,
    rows: &[Row],
    divisible: &[(Int, Linear)],
    vars: &[NumVar],
    integer: &dyn Fn(NumVar) -> bool,
) -> Option<Id> {
    let modulus = |x: NumVar| rows.iter().map(|r| r.0.coefficient(x)).filter(|a| !a.is_zero()).fold(Int::ONE, |m, a| m.lcm(&a));
    let free = |x: NumVar| divisible.iter().all(|d| d.1.coefficient(x).is_zero());
    let pure = |r: &&Row| !r.1 && r.0.terms().iter().all(|t| integer(t.0));
    let fits = |x: NumVar| free(x) && rows.iter().filter(|r| !r.0.coefficient(x).is_zero()).all(|r| pure(&r));
    let (m, x) = vars.iter().copied().filter(|x| fits(*x)).map(|x| (modulus(x), x)).min()?;
    let steps = m.to_i64().filter(|m| *m <= MODULUS)?;
    let mut out = Vec::new();
    let (mut uppers, mut lowers) = (Vec::new(), Vec::new());
    for (t, strict) in rows {
        let a = t.coefficient(x);
        if a.is_zero() {
            let row = pool.less_eq(t, *strict);
            out.push(pool.negate_atom(row)?);
            continue;
        }
        let t = t.times(&m.div_exact(&a.abs()));
        let rest = Linear::new(t.terms().iter().filter(|u| u.0 != x).cloned(), t.offset().clone());
        // m·x + rest ≤ 0 is m·x ≤ -rest; -m·x + rest ≤ 0 is rest ≤ m·x.
        if a.is_positive() {
            uppers.push(rest.times(&Int::MINUS_ONE));
        } else {
            lowers.push(rest);
        }
    }
    if uppers.len() * lowers.len() * steps as usize > CASES {
        return None;
    }
    for upper in &uppers {
        for lower in &lowers {
            for r in 0..steps {
                let multiple = upper.plus(&Int::from(-r), &Linear::constant(Int::ONE));
                let divides = pool.divides(&m, &multiple);
                let below = pool.less_eq(&multiple.plus(&Int::MINUS_ONE, lower), true);
                out.push(pool.and(vec![divides, below]));
            }
        }
    }
    for (n, t) in divisible {
        out.push(pool.divides(n, t));
    }
    Some(pool.or(out))
}
