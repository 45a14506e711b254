//! Transportation problems: the cheapest way to send what the left has to the right.
//!
//! The least upper bound of a linear expression over a closed matrix is, by linear-programming duality, the cheapest way to put the expression
//! together from the matrix's bounds. Closure makes all variables that do not occur in it superfluous (a bound through them is in the
//! matrix already), which leaves a transportation problem over its terms. It is solved by successive shortest paths.

use crate::int::Int;

/// Larger problems are not attempted.
const TERMS: usize = 12;
/// Augmentations before giving up.
const STEPS: usize = 400;

/// The least total cost of moving `supply[i]` from each left `i` such that each right `j` gets `demand[j]`, at cost `cost[i][j]` per unit
/// (`None`: impossible). The sums of supply and demand agree. `None` if it cannot be done, or was not found with bounded effort.
pub(crate) fn cheapest(cost: &[Vec<Option<Int>>], mut supply: Vec<Int>, mut demand: Vec<Int>) -> Option<Int> {
    let (n, m) = (supply.len(), demand.len());
    if n.max(m) > TERMS {
        return None;
    }
    let mut flow = vec![vec![Int::ZERO; m]; n];
    for _ in 0..STEPS {
        if supply.iter().all(Int::is_zero) {
            let mut total = Int::ZERO;
            for (f, c) in flow.iter().flatten().zip(cost.iter().flatten()) {
                if let (false, Some(c)) = (f.is_zero(), c) {
                    total += &(f * c);
                }
            }
            return Some(total);
        }
        let path = cheapest_path(cost, &flow, &supply, &demand)?;
        augment(&path, &mut flow, &mut supply, &mut demand);
    }
    None
}

/// A cheapest augmenting path as alternating left and right indices: left, right, left, …, right.
fn cheapest_path(cost: &[Vec<Option<Int>>], flow: &[Vec<Int>], supply: &[Int], demand: &[Int]) -> Option<Vec<usize>> {
    let (n, m) = (supply.len(), demand.len());
    let mut left: Vec<Option<Int>> = supply.iter().map(|s| s.is_positive().then_some(Int::ZERO)).collect();
    let mut right: Vec<Option<Int>> = vec![None; m];
    // from_right[j]: the left node before right j; from_left[i]: the right node before left i.
    let (mut from_right, mut from_left) = (vec![0; m], vec![None; n]);
    // Bellman and Ford; there is no negative cycle along a cheapest flow, so n + m rounds reach the fixpoint.
    for _ in 0..=n + m {
        let mut changed = false;
        for i in 0..n {
            let Some(at) = left[i].clone() else { continue };
            for j in 0..m {
                let Some(c) = &cost[i][j] else { continue };
                let d = &at + c;
                if right[j].as_ref().is_none_or(|r| d < *r) {
                    right[j] = Some(d);
                    from_right[j] = i;
                    changed = true;
                }
            }
        }
        for j in 0..m {
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
    let (_, end) = (0..m).filter(|j| demand[*j].is_positive()).filter_map(|j| right[j].clone().map(|d| (d, j))).min()?;
    let mut path = vec![end];
    let mut at = end;
    while path.len() <= n + m {
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
