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

/// Adds the equality `c` (if `col` is `None`) or the inequality `c` whose column is `col`; columns beyond are still empty.
/// `equalities` is the number of independent equalities already in the cone.
pub fn add_constraint<T: Coef>(t: &mut Target<T>, c: &[T], col: Option<usize>, equalities: usize) -> Result<Effect, Overflow> {
    if use_line(t, c, col)? {
        return Ok(Effect::Cut);
    }
    let m = t.rays.rows();
    let mut products = Vec::with_capacity(m);
    let (mut pos, mut neg, mut zero) = (Vec::new(), Vec::new(), Vec::new());
    for r in 0..m {
        let p = T::dot(c, t.rays.row(r));
        match T::prod_sign(&p) {
            1 => pos.push(r),
            -1 => neg.push(r),
            _ => zero.push(r),
        }
        products.push(p);
    }
    if neg.is_empty() && (col.is_some() || pos.is_empty()) {
        return Ok(Effect::Implied);
    }
    if let Some(col) = col {
        zero.iter().for_each(|&r| t.sat.set(r, col));
    }
    let need = (t.rays.cols()).saturating_sub(equalities + t.lines.rows() + 2);
    match t.sat.words() {
        1 => combine_adjacent::<T, 1>(t, &pos, &neg, &products, col, need)?,
        2 => combine_adjacent::<T, 2>(t, &pos, &neg, &products, col, need)?,
        _ => combine_adjacent::<T, 0>(t, &pos, &neg, &products, col, need)?,
    }
    let drop = |r: usize| {
        r < m && {
            let s = T::prod_sign(&products[r]);
            s < 0 || (s > 0 && col.is_none())
        }
    };
    t.rays.retain(|r| !drop(r));
    t.sat.retain_rows(|r| !drop(r));
    Ok(Effect::Cut)
}

/// If some line leaves the hyperplane of `c`, it alone has to give way: everything else is moved along it into the hyperplane,
/// and its positive half becomes a ray.
fn use_line<T: Coef>(t: &mut Target<T>, c: &[T], col: Option<usize>) -> Result<bool, Overflow> {
    let products: Vec<T::Prod> = t.lines.iter().map(|l| T::dot(c, l)).collect();
    let Some(at) = products.iter().position(|p| T::prod_sign(p) != 0) else { return Ok(false) };
    let mut line = t.lines.row(at).to_vec();
    let mut p = products[at].clone();
    if T::prod_sign(&p) < 0 {
        line.iter_mut().for_each(T::negate);
        p = T::prod_neg(&p);
    }
    let mut scratch = Vec::with_capacity(line.len());
    for (i, q) in products.iter().enumerate() {
        if i != at && T::prod_sign(q) != 0 {
            t.lines.combine_into(i, &p, &T::prod_neg(q), &line, &mut scratch)?;
        }
    }
    for r in 0..t.rays.rows() {
        let q = T::dot(c, t.rays.row(r));
        if T::prod_sign(&q) != 0 {
            t.rays.combine_into(r, &p, &T::prod_neg(&q), &line, &mut scratch)?;
        }
        if let Some(col) = col {
            t.sat.set(r, col);
        }
    }
    t.lines.remove(at);
    if let Some(col) = col {
        t.rays.push(&line);
        t.sat.push_ones(col);
    }
    Ok(true)
}

/// Appends the combinations of adjacent rays. `W` is the number of words per saturation row, 0 if it is not a constant.
fn combine_adjacent<T: Coef, const W: usize>(
    t: &mut Target<T>,
    pos: &[usize],
    neg: &[usize],
    products: &[T::Prod],
    col: Option<usize>,
    need: usize,
) -> Result<(), Overflow> {
    let m = products.len();
    let words = if W == 0 { t.sat.words() } else { W };
    let old: Vec<u64> = t.sat.data()[..m * words].to_vec();
    let mut common = vec![0u64; words];
    let mut scratch = Vec::with_capacity(t.rays.cols());
    // The ray that spoiled the last pair is likely to spoil the next one.
    let mut spoiler = 0;
    for &i in pos {
        let a = &old[i * words..(i + 1) * words];
        for &j in neg {
            let b = &old[j * words..(j + 1) * words];
            let mut count = 0;
            for w in 0..words {
                common[w] = a[w] & b[w];
                count += common[w].count_ones() as usize;
            }
            if count < need {
                continue;
            }
            let spoils = |k: usize| k != i && k != j && subset(&common, &old[k * words..(k + 1) * words]);
            if spoils(spoiler) {
                continue;
            }
            if let Some(k) = (0..m).find(|&k| spoils(k)) {
                spoiler = k;
                continue;
            }
            let (p, q) = (&products[i], &products[j]);
            t.rays.push_combination(&T::prod_neg(q), i, p, j, &mut scratch)?;
            if let Some(col) = col {
                common[col / 64] |= 1 << (col % 64);
            }
            t.sat.push(&common);
        }
    }
    Ok(())
}
