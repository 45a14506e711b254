//! Memories that go, as the values at the addresses where they are read.
//!
//! A memory variable of which only cells matter can be replaced by one variable for each address (Ackermann): reads at equal addresses are
//! equal, nothing else relates them. Reads of stores and choices are cases first.

use super::eliminate::fresh;
use plumb_term::visit::{postorder, rebuild, vars};
use plumb_term::{Cell, IntTy, Kind, Scalar, Sort, Term, Var, VarTy};
use rustc_hash::FxHashMap;

/// More addresses than this give too many pairs.
const MAX_READS: usize = 12;

/// The conjuncts with one of the memories among `others` replaced by its values; `None` if none is read in a simple enough way.
pub(super) fn as_values(list: &[Term], others: &[Var], next: &mut u32) -> Option<Vec<Term>> {
    let mut candidates = others.iter().filter(|v| matches!(v.ty, VarTy::Mem(_)));
    candidates.find_map(|m| read_only(list, *m, next))
}

fn read_only(list: &[Term], m: Var, next: &mut u32) -> Option<Vec<Term>> {
    let list = reads_apart(list, m);
    let memory = Term::var(m);
    let mut reads: Vec<(Scalar, Term)> = Vec::new();
    for t in postorder(list.iter().copied()) {
        match t.kind() {
            Kind::Load(ty, of, at) if *of == memory => reads.push((*ty, *at)),
            _ if t.children().any(|c| c == memory) => return None,
            _ => {}
        }
    }
    // Reads of several widths overlap in ways that their values do not show.
    let ty = reads.first()?.0;
    let whole = match m.ty {
        VarTy::Mem(Cell::Scalar(s)) => s == ty,
        _ => ty == Scalar::Int(IntTy::U8),
    };
    if !whole || reads.iter().any(|r| r.0 != ty || vars([r.1]).contains(&m)) || reads.len() > MAX_READS {
        return None;
    }
    let values: Vec<Term> = reads.iter().map(|_| Term::var(fresh(next, VarTy::Scalar(ty)))).collect();
    let by_address: FxHashMap<Term, Term> = reads.iter().map(|r| r.1).zip(values.iter().copied()).collect();
    let mut out: Vec<Term> = replace(&list, &|t| match t.kind() {
        Kind::Load(_, of, at) if *of == memory => by_address.get(at).copied(),
        _ => None,
    });
    for i in 0..reads.len() {
        for j in 0..i {
            out.push(reads[i].1.equals(reads[j].1).implies(values[i].equals(values[j])));
        }
    }
    Some(out)
}

/// Reads of memories that are made from `m`, as cases over reads of `m` itself; for memories whose cells are read as a whole.
fn reads_apart(list: &[Term], m: Var) -> Vec<Term> {
    let from_m = |t: Term| t.sort() == m.ty.sort() && vars([t]).contains(&m);
    replace_until(list, &|t| {
        let Kind::Load(ty, of, at) = t.kind() else { return None };
        let single = match of.sort() {
            Sort::Mem(Cell::Scalar(s)) => s == *ty,
            _ => *ty == Scalar::Int(IntTy::U8),
        };
        if !single || !from_m(*of) {
            return None;
        }
        match of.kind() {
            Kind::Ite(c, a, b) => Some(Term::ite(*c, Term::load(*ty, *a, *at), Term::load(*ty, *b, *at))),
            Kind::Store(sty, inner, to, v) if sty == ty => {
                let stored = match ty {
                    Scalar::Int(t) => v.wrap(*t),
                    Scalar::Float(_) => *v,
                };
                Some(Term::ite(to.equals(*at), stored, Term::load(*ty, *inner, *at)))
            }
            Kind::Splice { mem, src, lo, len } => {
                let inside = lo.less_eq(*at).and(at.less(lo.add(*len)));
                Some(Term::ite(inside, Term::load(*ty, *src, *at), Term::load(*ty, *mem, *at)))
            }
            _ => None,
        }
    })
}

/// Replaces until nothing changes; stores nest finitely.
fn replace_until(list: &[Term], f: &dyn Fn(Term) -> Option<Term>) -> Vec<Term> {
    let mut list = list.to_vec();
    for _ in 0..64 {
        let new = replace(&list, f);
        if new == list {
            break;
        }
        list = new;
    }
    list
}

/// Replaces subterms, operands first.
fn replace(list: &[Term], f: &dyn Fn(Term) -> Option<Term>) -> Vec<Term> {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for t in postorder(list.iter().copied()) {
        let rebuilt = rebuild(t, &|c| done[&c]);
        done.insert(t, f(rebuilt).unwrap_or(rebuilt));
    }
    list.iter().map(|t| done[t]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::VarId;

    #[test]
    fn equal_addresses_have_equal_values() {
        let ty = Scalar::Int(IntTy::I32);
        let m = Var::new(VarId(1), VarTy::Mem(Cell::Scalar(ty)));
        let [i, j] = [2, 3].map(|n| Term::var(Var::new(VarId(n), VarTy::Int)));
        let stored = Term::store(ty, Term::var(m), j, Term::int(7));
        let list = [Term::load(ty, stored, i).equals(Term::int(3))];
        let mut next = 100;
        let values = as_values(&list, &[m], &mut next).expect("cells only");
        let y = Term::var(Var::new(VarId(100), VarTy::Scalar(ty)));
        // The cell is 7 at j, so i differs from j.
        assert_eq!(values, vec![Term::ite(j.equals(i), Term::int(7), y).equals(Term::int(3))]);
        assert!(as_values(&[Term::var(m).equals(Term::zero_mem(Cell::Scalar(ty)))], &[m], &mut next).is_none());
    }
}
