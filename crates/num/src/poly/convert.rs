//! One step of Chernikova's algorithm: adding a constraint to a cone in double description.
//!
//! A cone is kept as constraints (equalities, inequalities) and as generators (lines, rays) together with the saturation
//! matrix, whose bit (r, c) says that ray r satisfies inequality c with equality. A new constraint keeps the rays on
//! its positive side and adds, for each pair of *adjacent* rays on different sides, the point where their face meets the
//! hyperplane. Two rays are adjacent iff no third ray saturates all inequalities the two have in common (the
//! combinatorial test); a pair with too few common inequalities is rejected by counting alone.
//!
//! Sources: Chernikova 1968; Le Verge, *A note on Chernikova's algorithm*, 1992; Fukuda and Prodon, *Double description
//! method revisited*, 1996. The cone is self-dual, so the same code adds generators to constraints.

use super::coef::{Coef, Overflow};
use super::mat::{subset, Bits, Mat};
use crate::interrupt;

/// The generated side of a cone: lines and rays, with the saturation of the rays.
pub struct Target<'a, T> {
    pub lines: &'a mut Mat<T>,
    pub rays: &'a mut Mat<T>,
    /// Rows are rays, columns are the inequalities seen so far (with room for those to come).
    pub sat: &'a mut Bits,
}

/// What a constraint was for the cone it was added to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It holds already; nothing has changed, and it is redundant.
    Implied,
    /// It cut something off.
    Cut,
}

/// Memory that successive steps share.
#[derive(Debug)]
pub struct Scratch<T: Coef> {
    products: Vec<T::Prod>,
    pos: Vec<usize>,
    neg: Vec<usize>,
    common: Vec<u64>,
    row: Vec<T>,
    line: Vec<T>,
}

impl<T: Coef> Default for Scratch<T> {
    fn default() -> Self {
        Scratch { products: Vec::new(), pos: Vec::new(), neg: Vec::new(), common: Vec::new(), row: Vec::new(), line: Vec::new() }
    }
}

/// Adds the equality `c` (if `col` is `None`) or the inequality `c` whose column is `col`; columns beyond are still empty.
/// `equalities` is the number of independent equalities already in the cone.
pub fn add_constraint<T: Coef>(
    t: &mut Target<T>,
    c: &[T],
    col: Option<usize>,
    equalities: usize,
    scratch: &mut Scratch<T>,
) -> Result<Effect, Overflow> {
    if use_line(t, c, col, scratch)? {
        return Ok(Effect::Cut);
    }
    let m = t.rays.rows();
    scratch.products.clear();
    scratch.pos.clear();
    scratch.neg.clear();
    for (r, ray) in t.rays.iter().enumerate() {
        let p = T::dot(c, ray);
        match T::prod_sign(&p) {
            1 => scratch.pos.push(r),
            -1 => scratch.neg.push(r),
            _ => {}
        }
        scratch.products.push(p);
    }
    if scratch.neg.is_empty() && (col.is_some() || scratch.pos.is_empty()) {
        return Ok(Effect::Implied);
    }
    if let Some(col) = col {
        (0..m).filter(|&r| T::prod_sign(&scratch.products[r]) == 0).for_each(|r| t.sat.set(r, col));
    }
    if !scratch.pos.is_empty() && !scratch.neg.is_empty() {
        let need = (t.rays.cols()).saturating_sub(equalities + t.lines.rows() + 2);
        match t.sat.words() {
            1 => combine_adjacent::<T, 1>(t, col, need, scratch)?,
            2 => combine_adjacent::<T, 2>(t, col, need, scratch)?,
            _ => combine_adjacent::<T, 0>(t, col, need, scratch)?,
        }
    }
    let drop = |r: usize| {
        r < m && {
            let s = T::prod_sign(&scratch.products[r]);
            s < 0 || (s > 0 && col.is_none())
        }
    };
    t.rays.retain(|r| !drop(r));
    t.sat.retain_rows(|r| !drop(r));
    Ok(Effect::Cut)
}

/// If some line leaves the hyperplane of `c`, it alone has to give way: everything else is moved along it into the hyperplane,
/// and its positive half becomes a ray.
fn use_line<T: Coef>(t: &mut Target<T>, c: &[T], col: Option<usize>, scratch: &mut Scratch<T>) -> Result<bool, Overflow> {
    let Some(at) = t.lines.iter().position(|l| T::prod_sign(&T::dot(c, l)) != 0) else { return Ok(false) };
    let Scratch { line, row, .. } = scratch;
    line.clear();
    line.extend_from_slice(t.lines.row(at));
    t.lines.remove(at);
    let mut p = T::dot(c, line);
    if T::prod_sign(&p) < 0 {
        line.iter_mut().for_each(T::negate);
        p = T::prod_neg(&p);
    }
    for mat in [&mut *t.lines, &mut *t.rays] {
        for i in 0..mat.rows() {
            let q = T::dot(c, mat.row(i));
            if T::prod_sign(&q) != 0 {
                mat.combine_into(i, &p, &T::prod_neg(&q), line, row)?;
            }
        }
    }
    if let Some(col) = col {
        (0..t.rays.rows()).for_each(|r| t.sat.set(r, col));
        t.rays.push(line);
        t.sat.push_ones(col);
    }
    Ok(true)
}

/// Appends the combinations of adjacent rays. `W` is the number of words per saturation row, 0 if it is not a constant.
fn combine_adjacent<T: Coef, const W: usize>(
    t: &mut Target<T>,
    col: Option<usize>,
    need: usize,
    scratch: &mut Scratch<T>,
) -> Result<(), Overflow> {
    let Scratch { products, pos, neg, common, row, .. } = scratch;
    let m = products.len();
    let words = if W == 0 { t.sat.words() } else { W };
    common.clear();
    common.resize(words, 0);
    // The ray that spoiled the last pair is likely to spoil the next one.
    let mut spoiler = 0;
    for &i in pos.iter() {
        let mut steps = neg.len();
        for &j in neg.iter() {
            let old = &t.sat.data()[..m * words];
            let (a, b) = (&old[i * words..(i + 1) * words], &old[j * words..(j + 1) * words]);
            let mut count = 0;
            for w in 0..words {
                common[w] = a[w] & b[w];
                count += common[w].count_ones() as usize;
            }
            if count < need {
                continue;
            }
            let spoils = |k: usize| k != i && k != j && subset(common, &old[k * words..(k + 1) * words]);
            if spoils(spoiler) {
                continue;
            }
            steps += m;
            if let Some(k) = (0..m).find(|&k| spoils(k)) {
                spoiler = k;
                continue;
            }
            t.rays.push_combination(&T::prod_neg(&products[j]), i, &products[i], j, row)?;
            if let Some(col) = col {
                common[col / 64] |= 1 << (col % 64);
            }
            t.sat.push(common);
        }
        interrupt::count(steps);
    }
    Ok(())
}
