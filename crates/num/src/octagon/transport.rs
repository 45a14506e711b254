//! Exact bounds of a linear expression over an octagon.
//!
//! Write the expression as `Σ mᵢ·uᵢ + k` with literals `uᵢ` and multiplicities `mᵢ > 0`. By linear-programming duality its least upper bound over the
//! rationals is the cheapest way to cover every `uᵢ` exactly `mᵢ` times by bounds `uᵢ + uⱼ ≤ cᵢⱼ` of the matrix; closure makes
//! all other literals superfluous, because a bound through them is in the matrix already. Doubling turns it into a transportation problem: `mᵢ`
//! units leave each `uᵢ` on the left and arrive at each `uᵢ` on the right, at cost `cᵢⱼ` per unit; half the optimum is the bound. It is solved by
//! successive shortest paths.

use super::blocks::Octagon;
use super::cons::Lit;
use crate::int::Int;
use crate::linear::LinExpr;

/// Expressions with more terms get the sum of the unary bounds: sound, not the least.
const TERMS: usize = 12;
/// Augmentations before giving up in the same way.
const STEPS: usize = 400;

/// The least upper bound of the expression, rounded down; `None` for none. The element is not bottom.
pub(crate) fn upper(e: &Octagon, expr: &LinExpr) -> Option<Int> {
    let lits: Vec<(Lit, Int)> = expr.terms().iter().map(|(d, c)| (Lit::new(*d, c.is_negative()), c.abs())).collect();
    let k = expr.constant_part();
    match &lits[..] {
        [] => Some(k.clone()),
        [(u, m)] => Some(&(e.upper(*u)? * m) + k),
        [(u, m), (v, n)] if m == n => Some(&(e.sum(*u, *v)? * m) + k),
        _ => Some(&covering(e, &lits).or_else(|| unary(e, &lits))? + k),
    }
}

fn unary(e: &Octagon, lits: &[(Lit, Int)]) -> Option<Int> {
    lits.iter().try_fold(Int::ZERO, |sum, (u, m)| Some(sum + e.upper(*u)? * m))
}

/// Half the optimum of the transportation problem, rounded down.
fn covering(e: &Octagon, lits: &[(Lit, Int)]) -> Option<Int> {
    let n = lits.len();
    if n > TERMS {
        return None;
    }
    let cost: Vec<Vec<Option<Int>>> = lits.iter().map(|(u, _)| lits.iter().map(|(v, _)| e.sum(*u, *v)).collect()).collect();
    let mut flow = vec![vec![Int::ZERO; n]; n];
    let mut supply: Vec<Int> = lits.iter().map(|l| l.1.clone()).collect();
    let mut demand = supply.clone();
    for _ in 0..STEPS {
        if supply.iter().all(Int::is_zero) {
            let mut total = Int::ZERO;
            for (f, c) in flow.iter().flatten().zip(cost.iter().flatten()) {
                if let (false, Some(c)) = (f.is_zero(), c) {
                    total += &(f * c);
                }
            }
            return Some(total.div_floor(&Int::new(2)));
        }
        let path = cheapest(&cost, &flow, &supply, &demand)?;
        augment(&path, &mut flow, &mut supply, &mut demand);
    }
    None
}

/// A cheapest augmenting path as alternating left and right indices: left, right, left, …, right.
fn cheapest(cost: &[Vec<Option<Int>>], flow: &[Vec<Int>], supply: &[Int], demand: &[Int]) -> Option<Vec<usize>> {
    let n = cost.len();
    let mut left: Vec<Option<Int>> = supply.iter().map(|s| s.is_positive().then_some(Int::ZERO)).collect();
    let mut right: Vec<Option<Int>> = vec![None; n];
    // from_right[j]: the left node before right j; from_left[i]: the right node before left i.
    let (mut from_right, mut from_left) = (vec![0; n], vec![None; n]);
    // Bellman and Ford; there is no negative cycle along a cheapest flow, so 2n rounds reach the fixpoint.
    for _ in 0..=2 * n {
        let mut changed = false;
        for i in 0..n {
            let Some(at) = left[i].clone() else { continue };
            for j in 0..n {
                let Some(c) = &cost[i][j] else { continue };
                let d = &at + c;
                if right[j].as_ref().is_none_or(|r| d < *r) {
                    right[j] = Some(d);
                    from_right[j] = i;
                    changed = true;
                }
            }
        }
        for j in 0..n {
            let Some(at) = right[j].clone() else { continue };
            for i in 0..n {
                let (false, Some(c)) = (flow[i][j].is_zero(), &cost[i][j]) else { continue };
                let d = &at - c;
                if left[i].as_ref().is_none_or(|l| d < *l) {
                    left[i] = Some(d);
                    from_left[i] = Some(j);
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let (_, end) = (0..n).filter(|j| demand[*j].is_positive()).filter_map(|j| right[j].clone().map(|d| (d, j))).min()?;
    let mut path = vec![end];
    let mut at = end;
    while path.len() <= 2 * n {
        let i = from_right[at];
        path.push(i);
        match from_left[i] {
            Some(j) => {
                path.push(j);
                at = j;
            }
            None => {
                path.reverse();
                return Some(path);
            }
        }
    }
    None
}

fn augment(path: &[usize], flow: &mut [Vec<Int>], supply: &mut [Int], demand: &mut [Int]) {
    let (first, last) = (path[0], path[path.len() - 1]);
    let mut amount = supply[first].clone().min(demand[last].clone());
    // Steps back along existing flow: path[odd] → path[even].
    for step in path.windows(2).skip(1).step_by(2) {
        amount = amount.min(flow[step[1]][step[0]].clone());
    }
    for (n, step) in path.windows(2).enumerate() {
        if n % 2 == 0 {
            flow[step[0]][step[1]] += &amount;
        } else {
            flow[step[1]][step[0]] -= &amount;
        }
    }
    supply[first] -= &amount;
    demand[last] -= &amount;
}
