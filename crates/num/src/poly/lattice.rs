//! Join, meet and widening of products of blocks.

use std::collections::BTreeMap;

use super::block::Block;
use super::{ops, Poly};
use crate::domain::NumDomain;
use crate::linear::{Dim, LinCons};
use crate::Polyhedra;

/// The blocks that are the same object in both, and the rest of each.
fn shared(a: &Poly, b: &Poly) -> (Vec<Block>, Poly, Poly) {
    let (mut both, mut left, mut right) = (Vec::new(), Vec::new(), Vec::new());
    let (a, b) = (a.blocks(), b.blocks());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if j == b.len() || (i < a.len() && a[i].first() < b[j].first()) {
            left.push(a[i].clone());
            i += 1;
        } else if i == a.len() || b[j].first() < a[i].first() {
            right.push(b[j].clone());
            j += 1;
        } else {
            if a[i].is(&b[j]) {
                both.push(a[i].clone());
            } else {
                left.push(a[i].clone());
                right.push(b[j].clone());
            }
            i += 1;
            j += 1;
        }
    }
    (both, Poly::from_blocks(left), Poly::from_blocks(right))
}

/// The convex hull.
pub fn join(a: &Poly, b: &Poly) -> Poly {
    if a.included_in(b) {
        return b.clone();
    }
    if b.included_in(a) {
        return a.clone();
    }
    let (mut same, a, b) = shared(a, b);
    if let ([x], [y]) = (a.blocks(), b.blocks()) {
        if x.dims() == y.dims() {
            same.extend(x.apply2(y, &ops::Hull).into_iter().flat_map(Block::split));
            return Poly::from_blocks(same);
        }
    }
    let (a, b) = common_support(&a, &b);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for x in a.blocks() {
        if b.blocks().contains(x) {
            same.push(x.clone());
        } else {
            left.push(x.clone());
        }
    }
    right.extend(b.blocks().iter().filter(|y| !a.blocks().contains(y)).cloned());
    if left.is_empty() {
        return Poly::from_blocks(same);
    }
    let hull = Block::product(&left, &[]).apply2(&Block::product(&right, &[]), &ops::Hull);
    same.extend(hull.into_iter().flat_map(Block::split));
    Poly::from_blocks(same)
}

/// Forgets the dimensions that only one of the two constrains: their lines are in the hull.
fn common_support(a: &Poly, b: &Poly) -> (Poly, Poly) {
    let domain = Polyhedra::default();
    let (mut a, mut b) = (a.clone(), b.clone());
    loop {
        let (da, db) = (a.dims(), b.dims());
        if da == db {
            return (a, b);
        }
        let missing = |x: &[Dim], y: &[Dim]| x.iter().filter(|d| y.binary_search(d).is_err()).copied().collect::<Vec<_>>();
        (a, b) = (domain.forget(&a, &missing(&da, &db)), domain.forget(&b, &missing(&db, &da)));
    }
}

/// The intersection.
pub fn meet(a: &Poly, b: &Poly) -> Poly {
    if a.is_empty() || b.is_empty() {
        return Poly::bottom();
    }
    let (mut out, a, b) = shared(a, b);
    for (left, right) in components(&a, &b) {
        match (&left[..], &right[..]) {
            ([x], []) | ([], [x]) => out.push(x.clone()),
            ([x], [y]) if x == y => out.push(x.clone()),
            ([x], [y]) if x.dims() == y.dims() => match x.apply_constraints(y, &ops::Meet) {
                None => return Poly::bottom(),
                Some(b) => out.extend(b.split()),
            },
            _ => {
                let (x, y) = (Poly::from_blocks(left), Poly::from_blocks(right));
                let dims = x.dims();
                let extra: Vec<Dim> = y.dims().into_iter().filter(|d| dims.binary_search(d).is_err()).collect();
                let base = Block::product(x.blocks(), &extra);
                let other_dims = y.dims();
                let more: Vec<Dim> = dims.iter().filter(|d| other_dims.binary_search(d).is_err()).copied().collect();
                match base.apply_constraints(&Block::constraint_product(y.blocks(), &more), &ops::Meet) {
                    None => return Poly::bottom(),
                    Some(b) => out.extend(b.split()),
                }
            }
        }
    }
    Poly::from_blocks(out)
}

/// The standard widening, for `old ⊑ new`. Components in which the two agree stay.
pub fn widen(old: &Poly, new: &Poly) -> Poly {
    if old.is_empty() || new.is_empty() {
        return new.clone();
    }
    let (mut out, old, new) = shared(old, new);
    for (left, right) in components(&old, &new) {
        if right.is_empty() {
            continue;
        }
        if left == right {
            out.extend(right);
            continue;
        }
        let dims: Vec<Dim> = Poly::from_blocks(left.clone()).dims();
        let covered = Poly::from_blocks(right.clone()).dims();
        let extra: Vec<Dim> = dims.iter().filter(|d| covered.binary_search(d).is_err()).copied().collect();
        let more: Vec<Dim> = covered.iter().filter(|d| dims.binary_search(d).is_err()).copied().collect();
        let (l, r) = (Block::product(&left, &more), Block::constraint_product(&right, &extra));
        match l.apply_constraints(&r, &ops::Widen) {
            None => out.extend(right),
            Some(b) => out.extend(b.split()),
        }
    }
    Poly::from_blocks(out)
}

/// Groups the blocks of both by the dimensions they share.
fn components(a: &Poly, b: &Poly) -> Vec<(Vec<Block>, Vec<Block>)> {
    let all: Vec<(bool, &Block)> = a.blocks().iter().map(|x| (true, x)).chain(b.blocks().iter().map(|x| (false, x))).collect();
    let dims: Vec<&[Dim]> = all.iter().map(|x| x.1.dims()).collect();
    let mut groups: BTreeMap<usize, (Vec<Block>, Vec<Block>)> = BTreeMap::new();
    for ((left, block), root) in all.iter().zip(connected(&dims)) {
        let entry = groups.entry(root).or_default();
        if *left { &mut entry.0 } else { &mut entry.1 }.push((*block).clone());
    }
    groups.into_values().collect()
}

/// Groups constraints that share a dimension, directly or through the blocks of the elements.
pub fn groups<'a>(elements: &[&Poly], cons: &[&'a LinCons]) -> Vec<Vec<&'a LinCons>> {
    let of_cons: Vec<Vec<Dim>> = cons.iter().map(|c| c.expr().dims().collect()).collect();
    let blocks = elements.iter().flat_map(|e| e.blocks().iter().map(|b| b.dims()));
    let sets: Vec<&[Dim]> = of_cons.iter().map(Vec::as_slice).chain(blocks).collect();
    let mut out: BTreeMap<usize, Vec<&LinCons>> = BTreeMap::new();
    for (c, root) in cons.iter().zip(connected(&sets)) {
        out.entry(root).or_default().push(c);
    }
    out.into_values().collect()
}

/// For each set of dimensions the index of the first set it is connected to.
fn connected(sets: &[&[Dim]]) -> Vec<usize> {
    let mut root: Vec<usize> = (0..sets.len()).collect();
    fn find(root: &mut [usize], mut i: usize) -> usize {
        while root[i] != i {
            root[i] = root[root[i]];
            i = root[i];
        }
        i
    }
    let mut owner: BTreeMap<Dim, usize> = BTreeMap::new();
    for (i, set) in sets.iter().enumerate() {
        for d in *set {
            let j = *owner.entry(*d).or_insert(i);
            let (p, q) = (find(&mut root, i), find(&mut root, j));
            root[p.max(q)] = p.min(q);
        }
    }
    (0..sets.len()).map(|i| find(&mut root, i)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::LinExpr;
    use crate::Lattice;

    fn var(d: u32) -> LinExpr {
        LinExpr::var(Dim(d))
    }

    /// `0 ≤ x ≤ y ≤ n` and `0 ≤ z ≤ m`.
    fn stage(n: i64, m: i64) -> Poly {
        let cons = [
            LinCons::ge(var(0), 0.into()),
            LinCons::ge(var(1), var(0)),
            LinCons::le(var(1), n.into()),
            LinCons::ge(var(2), 0.into()),
            LinCons::le(var(2), m.into()),
        ];
        Polyhedra::default().of_constraints(&cons)
    }

    fn converted(e: &Poly) -> Vec<bool> {
        e.blocks().iter().map(Block::is_converted).collect()
    }

    #[test]
    fn a_widening_is_converted_on_first_need_and_once() {
        let d = Polyhedra::default();
        let wide = d.widen(&stage(1, 1), &stage(2, 2));
        let copy = wide.clone();
        assert_eq!(converted(&wide), [false, false]);
        assert_eq!(wide.partition(), [vec![Dim(0), Dim(1)], vec![Dim(2)]]);
        assert!(d.leq(&stage(7, 9), &wide));
        let rows = wide.rational_constraints();
        assert_eq!(converted(&wide), [false, false], "constraints suffice");
        assert!(!d.leq(&wide, &stage(7, 9)));
        assert_eq!(converted(&copy), [true, false], "only the block that was asked for");
        let expected = [LinCons::ge(var(0), 0.into()), LinCons::ge(var(1), var(0)), LinCons::ge(var(2), 0.into())];
        assert_eq!(wide, d.of_constraints(&expected));
        assert_eq!(converted(&copy), [true, true]);
        assert_eq!(wide.rational_constraints(), rows, "they were minimal before");
    }

    #[test]
    fn a_widening_that_is_the_new_element_keeps_its_blocks() {
        let d = Polyhedra::default();
        let origin = d.of_constraints(&[LinCons::eq(var(0), 0.into()), LinCons::eq(var(1), 0.into())]);
        let cone = d.of_constraints(&[LinCons::ge(var(0), 0.into()), LinCons::ge(var(1), var(0))]);
        let wide = d.widen(&origin, &cone);
        assert_eq!(wide.blocks().len(), 1);
        assert!(wide.blocks()[0].is(&cone.blocks()[0]));
    }

    #[test]
    fn many_factors_on_the_right_of_a_meet_are_not_multiplied() {
        let d = Polyhedra::default();
        let cube: Vec<LinCons> = (0..40).flat_map(|i| [LinCons::ge(var(i), 0.into()), LinCons::le(var(i), 1.into())]).collect();
        // The left side is one block with 41 vertices; the product of the blocks of the right side has 2⁴⁰.
        let sum = (1..40).fold(var(0), |s, i| s + var(i));
        let corner: Vec<LinCons> = (0..40).map(|i| LinCons::ge(var(i), 0.into())).chain([LinCons::le(sum, 1.into())]).collect();
        let simplex = d.of_constraints(&corner);
        assert_eq!(d.meet(&simplex, &d.of_constraints(&cube)), simplex);
    }
}
