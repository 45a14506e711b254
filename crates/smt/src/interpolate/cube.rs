//! Cubes: conjunctions of atoms over some variables, all of whose states are bad for the same reason as one.
//!
//! A model satisfies a conjunction; of its disjunctions and conditionals it chooses one branch each, and what is left are atoms. Variables that are
//! not kept go one after the other: by an equation, by the bound that is tightest in the model (Loos and Weispfenning's virtual substitution, guided by a model as
//! Komuravelli, Gurfinkel and Chaki, *SMT-based model checking for recursive programs*, CAV 2014, do), and by their value where neither is possible.

use super::nnf::conjuncts;
use super::resolve::within_type;
use crate::model::Model;
use plumb_term::eval::{Evaluator, Value};
use plumb_term::linear::Sum;
use plumb_term::visit::{linear_form, rebuild, substitute, vars};
use plumb_term::{Cell, Float, IBig, IntTy, Kind, Scalar, Sort, Term, Var, VarTy};
use rustc_hash::{FxHashMap, FxHashSet};

/// Cells that a memory's value may have.
const MAX_CELLS: usize = 32;

/// The values of a model; what terms share is evaluated once.
struct Values<'m> {
    evaluator: Evaluator<'m>,
}

impl Values<'_> {
    fn holds(&mut self, t: Term) -> bool {
        self.evaluator.eval(t) == Some(Value::Bool(true))
    }

    fn int(&mut self, t: Term) -> Option<IBig> {
        match self.evaluator.eval(t)? {
            Value::Int(v) => Some(v),
            _ => None,
        }
    }
}

/// A conjunction of atoms over `keep` that the model satisfies and that implies one of the cases for some values of the other variables.
pub(crate) fn cube(cases: &[Vec<Term>], keep: &FxHashSet<Var>, model: &Model) -> Option<Vec<Term>> {
    let value = |v: Var| model.var(v);
    let mut values = Values { evaluator: Evaluator::new(&value) };
    let case = cases.iter().find(|c| c.iter().all(|t| values.holds(*t)))?;
    let mut atoms = implicant(case, &mut values);
    loop {
        let mut seen = FxHashSet::default();
        atoms.retain(|t| !t.is_true() && seen.insert(*t));
        let others: Vec<Var> = vars(atoms.iter().copied()).into_iter().filter(|v| !keep.contains(v)).collect();
        let Some(first) = others.first() else { return Some(without_implied(atoms)) };
        let open = others.iter().find_map(|y| Some((*y, removal(&atoms, *y, &mut values)?)));
        let (y, value) = match open {
            Some((y, Removal::By(value))) => (y, value),
            Some((y, Removal::Idle)) => {
                atoms.retain(|t| !vars([*t]).contains(&y));
                continue;
            }
            None => (*first, constant(&model.var(*first)?)?),
        };
        let within = within_type(y, value);
        atoms = atoms.iter().flat_map(|t| conjuncts(substitute(*t, &|v| (v == y).then_some(value)))).chain(within).collect();
    }
}

/// Atoms without those that equations with constants among them imply: `x = 3` says that `x` is not 5.
fn without_implied(atoms: Vec<Term>) -> Vec<Term> {
    let fixed = |t: &Term| match t.kind() {
        Kind::Eq(a, b) => a.as_var().filter(|_| b.as_int().is_some()).map(|v| (v, *b)),
        _ => None,
    };
    let values: FxHashMap<Var, Term> = atoms.iter().filter_map(fixed).collect();
    atoms.into_iter().filter(|t| fixed(t).is_some() || !substitute(*t, &|v| values.get(&v).copied()).is_true()).collect()
}

/// How a variable goes.
enum Removal {
    /// It may have this value.
    By(Term),
    /// What is said of it is true for some value, whatever the others are.
    Idle,
}

/// How an integer goes that occurs with factors ±1 in linear atoms only.
fn removal(atoms: &[Term], y: Var, values: &mut Values<'_>) -> Option<Removal> {
    let (least, greatest) = match y.ty {
        VarTy::Int => (None, None),
        VarTy::Scalar(Scalar::Int(ty)) => (Some(Term::int(IntTy::min(ty))), Some(Term::int(IntTy::max(ty)))),
        _ => return None,
    };
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for t in atoms.iter().filter(|t| vars([**t]).contains(&y)) {
        match t.kind() {
            Kind::Le(a, b) => match limit(*a, *b, y)? {
                (true, s) => upper.push(s),
                (false, s) => lower.push(s),
            },
            Kind::Eq(a, b) if a.sort() == Sort::Int => {
                return Some(Removal::By(limit(*a, *b, y)?.1));
            }
            Kind::Not(n) => match n.kind() {
                Kind::Eq(a, b) if a.sort() == Sort::Int => {
                    let s = limit(*a, *b, y)?.1;
                    if values.int(Term::var(y))? < values.int(s)? {
                        upper.push(s.plus(-1));
                    } else {
                        lower.push(s.plus(1));
                    }
                }
                _ => return None,
            },
            _ => return None,
        }
    }
    // Nothing on one side: far out there, all of the other side's bounds hold.
    match (lower.is_empty(), upper.is_empty(), least, greatest) {
        (_, true, _, Some(most)) => return Some(Removal::By(most)),
        (true, _, Some(least), _) => return Some(Removal::By(least)),
        (_, true, ..) | (true, ..) => return Some(Removal::Idle),
        _ => {}
    }
    let mut tightest = |list: Vec<Term>, sign: i8| -> Option<Term> {
        let mut best: Option<(IBig, Term)> = None;
        for s in list {
            let value = values.int(s)? * IBig::from(sign);
            if best.as_ref().is_none_or(|b| value > b.0) {
                best = Some((value, s));
            }
        }
        best.map(|b| b.1)
    };
    let value = if lower.len() <= upper.len() {
        tightest(lower.into_iter().chain(least).collect(), 1)?
    } else {
        tightest(upper.into_iter().chain(greatest).collect(), -1)?
    };
    Some(Removal::By(value))
}

/// `a ≤ b` as a bound on `y`: whether it is one from above, and which.
fn limit(a: Term, b: Term, y: Var) -> Option<(bool, Term)> {
    let (constant, parts) = linear_form(a.sub(b));
    let (mine, others): (Vec<_>, Vec<_>) = parts.into_iter().partition(|p| p.1 == Term::var(y));
    let [(k, _)] = mine.as_slice() else { return None };
    let unit = *k == IBig::ONE || *k == IBig::NEG_ONE;
    if !unit || vars(others.iter().map(|p| p.1)).contains(&y) {
        return None;
    }
    // k·y + rest ≤ 0
    let mut rest = Sum::constant(-(k * &constant));
    others.iter().for_each(|(c, atom)| rest.add(&-(k * c), *atom));
    Some((*k == IBig::ONE, rest.term()))
}

/// Atoms that the model satisfies and that imply the terms, which it satisfies.
fn implicant(terms: &[Term], values: &mut Values<'_>) -> Vec<Term> {
    let mut out = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut chosen: FxHashMap<Term, Term> = FxHashMap::default();
    let mut todo: Vec<Term> = terms.iter().rev().copied().collect();
    while let Some(t) = todo.pop() {
        for c in conjuncts(t) {
            if !seen.insert(c) {
                continue;
            }
            match branch(c, values) {
                Some(t) => todo.push(t),
                None => match chosen_values(c, values, &mut chosen, &mut todo) {
                    same if same == c => out.push(c),
                    other => todo.push(other),
                },
            }
        }
    }
    out
}

/// What the model chooses of a formula that is not an atom.
fn branch(t: Term, values: &mut Values<'_>) -> Option<Term> {
    let (n, sign) = match t.kind() {
        Kind::Not(n) => (*n, false),
        _ => (t, true),
    };
    let signed = |t: Term| if sign { t } else { t.not() };
    match n.kind() {
        Kind::And(ts) | Kind::Or(ts) => ts.iter().map(|t| signed(*t)).find(|t| values.holds(*t)),
        Kind::Ite(c, a, b) => Some(if values.holds(*c) { c.and(signed(*a)) } else { c.not().and(signed(*b)) }),
        Kind::Eq(a, b) if a.sort() == Sort::Bool => Some(if values.holds(*a) { a.and(signed(*b)) } else { a.not().and(signed(b.not())) }),
        _ => None,
    }
}

/// A term with the conditional values in it replaced by those that the model chooses; the conditions of that are something more to do.
fn chosen_values(t: Term, values: &mut Values<'_>, done: &mut FxHashMap<Term, Term>, conditions: &mut Vec<Term>) -> Term {
    let mut stack = vec![(t, false)];
    while let Some((n, ready)) = stack.pop() {
        if done.contains_key(&n) {
            continue;
        }
        let operands: Vec<Term> = match n.kind() {
            Kind::Ite(c, a, b) => {
                let yes = values.holds(*c);
                if ready {
                    conditions.push(if yes { *c } else { c.not() });
                }
                vec![if yes { *a } else { *b }]
            }
            _ => n.children().collect(),
        };
        if ready {
            let new = match n.kind() {
                Kind::Ite(..) => done[&operands[0]],
                _ if operands.is_empty() => n,
                _ => rebuild(n, &|c| done[&c]),
            };
            done.insert(n, new);
        } else {
            stack.push((n, true));
            stack.extend(operands.into_iter().map(|c| (c, false)));
        }
    }
    done[&t]
}

/// The term that has this value, if it is short.
fn constant(value: &Value) -> Option<Term> {
    match value {
        Value::Bool(b) => Some(Term::bool(*b)),
        Value::Int(v) => Some(Term::int(v.clone())),
        Value::Float(f) => Some(Term::float(*f)),
        Value::Mem(m) => {
            if *m.background() != plumb_term::IBig::ZERO {
                return None;
            }
            let mut t = Term::zero_mem(m.cell());
            let mut cells = 0;
            for (lo, hi, v) in m.runs() {
                let mut at = lo.clone();
                while at < *hi {
                    cells += 1;
                    if cells > MAX_CELLS {
                        return None;
                    }
                    let (ty, value) = match m.cell() {
                        Cell::Byte => (Scalar::Int(IntTy::U8), Term::int(v.clone())),
                        Cell::Scalar(s @ Scalar::Int(_)) => (s, Term::int(v.clone())),
                        Cell::Scalar(s @ Scalar::Float(f)) => (s, Term::float(Float::from_bits(f, u128::try_from(v).ok()?))),
                    };
                    t = Term::store(ty, t, Term::int(at.clone()), value);
                    at += plumb_term::IBig::ONE;
                }
            }
            Some(t)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::VarId;

    fn machine(id: u32) -> Var {
        Var::new(VarId(id), VarTy::Scalar(Scalar::Int(IntTy::I32)))
    }

    fn of(case: &[Term], keep: &[Var], values: &[(Var, i32)]) -> Vec<Term> {
        let values: FxHashMap<Var, Value> = values.iter().map(|(v, k)| (*v, Value::Int(IBig::from(*k)))).collect();
        cube(&[case.to_vec()], &keep.iter().copied().collect(), &Model::of_values(values)).expect("a cube")
    }

    #[test]
    fn a_variable_goes_by_the_tightest_bound() {
        let [x, y, z] = [1, 2, 3].map(machine);
        let [a, b, c] = [x, y, z].map(Term::var);
        // Of x ≤ y and 3 ≤ y, the first is tighter here.
        let got = of(&[a.less_eq(b), Term::int(3).less_eq(b), b.less(c), b.less(Term::int(50))], &[x, z], &[(x, 5), (y, 7), (z, 9)]);
        assert_eq!(got.len(), 3);
        for t in [Term::int(3).less_eq(a), a.less(c), a.less(Term::int(50))] {
            assert!(got.contains(&t), "{t} in {got:?}");
        }
    }

    #[test]
    fn what_one_side_alone_bounds_is_idle() {
        let [x, y] = [1, 2].map(machine);
        let (a, b) = (Term::var(x), Term::var(y));
        assert_eq!(of(&[a.less_eq(b), a.less_eq(Term::int(4))], &[x], &[(x, 1), (y, 3)]), vec![a.less_eq(Term::int(4))]);
    }

    #[test]
    fn a_machine_variable_stays_in_its_range() {
        let [x, y] = [1, 2].map(machine);
        let (a, b) = (Term::var(x), Term::var(y));
        // y is x + 1, so x is not the greatest number.
        let got = of(&[b.equals(a.plus(1)), b.less_eq(Term::int(9))], &[x], &[(x, 1), (y, 2)]);
        assert!(got.contains(&a.less_eq(Term::int(8))), "{got:?}");
        let got = of(&[b.equals(a.plus(1))], &[x], &[(x, 1), (y, 2)]);
        assert_eq!(got, conjuncts(a.plus(1).within(&IntTy::I32.min(), &IntTy::I32.max())));
    }

    #[test]
    fn one_disjunct_is_chosen() {
        let [x, y] = [1, 2].map(machine);
        let (a, b) = (Term::var(x), Term::var(y));
        let case = a.less(Term::int(0)).or(a.equals(b)).and(b.less(Term::int(7)));
        assert_eq!(of(&[case], &[x], &[(x, 4), (y, 4)]), vec![a.less(Term::int(7))]);
    }

    #[test]
    fn what_a_value_implies_goes() {
        let [x, y] = [1, 2].map(machine);
        let (a, b) = (Term::var(x), Term::var(y));
        let case = [a.differs(Term::int(5)), a.equals(Term::int(3)), a.less_eq(Term::int(9)), a.less_eq(b)];
        assert_eq!(of(&case, &[x, y], &[(x, 3), (y, 4)]), vec![a.equals(Term::int(3)), a.less_eq(b)]);
    }
}
