//! Terms as literals and linear forms of the own solver, in the current part.
//!
//! What a term needs besides itself (the value of a conditional, a quotient, the definition of a gate) is defined in the same part, by total
//! definitions that no guard has to protect.

use crate::encode::Unencodable;
use dashu_int::ops::BitTest;
use plumb_itp::arith::Arithmetic;
use plumb_itp::solver::Solver;
use plumb_itp::{Linear, Literal, NumVar, Part, Sort as NumSort};
use plumb_num::Int;
use plumb_term::visit::postorder;
use plumb_term::{IBig, Kind, Scalar, Sort, Term, Var, VarTy};
use rustc_hash::{FxHashMap, FxHashSet};
use std::mem::Discriminant;

/// Translates terms for one solver.
pub(crate) struct Translator {
    pub(crate) solver: Solver<Arithmetic>,
    part: Part,
    /// What facts about values depend on.
    guard: Literal,
    /// Variables whose ranges the caller asserts.
    free: FxHashSet<Var>,
    pub(super) numbers: FxHashMap<Var, NumVar>,
    pub(super) booleans: FxHashMap<Var, plumb_itp::Lit>,
    /// What numeric variables that outlive a part stand for.
    pub(super) meaning: FxHashMap<NumVar, Term>,
    pub(super) names: FxHashMap<plumb_itp::BoolVar, Term>,
    ints: FxHashMap<(Part, Term), Linear>,
    bools: FxHashMap<(Part, Term), Literal>,
    named: FxHashMap<(Part, Linear), NumVar>,
    functions: FxHashMap<Discriminant<Kind>, plumb_itp::proof::Fun>,
}

impl Translator {
    pub(crate) fn new(mut solver: Solver<Arithmetic>) -> Translator {
        let part = solver.part();
        Translator {
            solver,
            part,
            guard: Literal::Constant(true),
            free: FxHashSet::default(),
            numbers: FxHashMap::default(),
            booleans: FxHashMap::default(),
            meaning: FxHashMap::default(),
            names: FxHashMap::default(),
            ints: FxHashMap::default(),
            bools: FxHashMap::default(),
            named: FxHashMap::default(),
            functions: FxHashMap::default(),
        }
    }

    /// Opens the next part.
    pub(crate) fn next_part(&mut self) -> Part {
        self.part = self.solver.part();
        self.part
    }

    /// From now on, facts about the ranges of values are asserted under `guard` only.
    pub(crate) fn set_guard(&mut self, guard: Literal) {
        self.guard = guard;
    }

    /// Leaves the ranges of these variables to the caller.
    pub(crate) fn leave_free(&mut self, vars: impl IntoIterator<Item = Var>) {
        self.free.extend(vars);
    }

    /// Asserts the range of a variable's type, under the guard.
    pub(crate) fn range_of(&mut self, v: Var) {
        if let VarTy::Scalar(Scalar::Int(ty)) = v.ty {
            let x = Linear::var(self.variable(v, Term::var(v)));
            self.bound(&x, Some(ty.min()), Some(ty.max()));
        }
    }

    /// The literal of a Boolean term.
    pub(crate) fn literal(&mut self, t: Term) -> Result<Literal, Unencodable> {
        self.translate(t)?;
        Ok(self.bools[&(self.part, t)])
    }

    /// Asserts that `guard` implies `t`, conjunct by conjunct.
    pub(crate) fn imply(&mut self, guard: &[Literal], t: Term) -> Result<(), Unencodable> {
        for c in t.conjuncts() {
            let mut clause: Vec<Literal> = guard.iter().map(|g| not(*g)).collect();
            match c.kind() {
                Kind::Or(ts) => {
                    for d in ts.iter() {
                        clause.push(self.literal(*d)?);
                    }
                }
                _ => clause.push(self.literal(c)?),
            }
            self.solver.add_clause(&clause);
        }
        Ok(())
    }

    /// Fills the tables for `t` and all below it.
    fn translate(&mut self, t: Term) -> Result<(), Unencodable> {
        let part = self.part;
        if self.bools.contains_key(&(part, t)) || self.ints.contains_key(&(part, t)) {
            return Ok(());
        }
        for n in postorder([t]) {
            match n.sort() {
                Sort::Bool if !self.bools.contains_key(&(part, n)) => {
                    let literal = self.boolean(n)?;
                    self.bools.insert((part, n), literal);
                }
                Sort::Int if !self.ints.contains_key(&(part, n)) => {
                    let linear = self.integer(n)?;
                    self.ints.insert((part, n), linear);
                }
                Sort::Bool | Sort::Int => {}
                Sort::Float(_) => return Err(Unencodable("a floating-point term, for the own solver".into())),
                Sort::Mem(_) => return Err(Unencodable("a memory, for the own solver".into())),
            }
        }
        Ok(())
    }

    pub(super) fn int(&self, t: Term) -> Linear {
        self.ints[&(self.part, t)].clone()
    }

    fn bool(&self, t: Term) -> Literal {
        self.bools[&(self.part, t)]
    }

    fn boolean(&mut self, t: Term) -> Result<Literal, Unencodable> {
        Ok(match t.kind() {
            Kind::Bool(b) => Literal::Constant(*b),
            Kind::Var(v) => {
                let lit = match self.booleans.get(v) {
                    Some(l) => *l,
                    None => {
                        let l = self.solver.boolean();
                        self.booleans.insert(*v, l);
                        self.names.insert(l.var(), t);
                        l
                    }
                };
                Literal::Lit(lit)
            }
            Kind::Not(a) => not(self.bool(*a)),
            Kind::And(ts) => {
                let lits: Vec<Literal> = ts.iter().map(|a| self.bool(*a)).collect();
                self.solver.and(&lits)
            }
            Kind::Or(ts) => {
                let lits: Vec<Literal> = ts.iter().map(|a| self.bool(*a)).collect();
                self.solver.or(&lits)
            }
            Kind::Ite(c, a, b) => {
                let (c, a, b) = (self.bool(*c), self.bool(*a), self.bool(*b));
                self.solver.ite(c, a, b)
            }
            Kind::Eq(a, b) if a.sort() == Sort::Bool => {
                let (a, b) = (self.bool(*a), self.bool(*b));
                self.solver.iff(a, b)
            }
            Kind::Eq(a, b) if a.sort() == Sort::Int => {
                let d = self.int(*a).plus(&Int::MINUS_ONE, &self.int(*b));
                self.solver.equal(&d)
            }
            Kind::Le(a, b) => {
                let d = self.int(*a).plus(&Int::MINUS_ONE, &self.int(*b));
                self.solver.less_eq(&d)
            }
            _ => return Err(Unencodable("a test of memories or floats, for the own solver".into())),
        })
    }

    fn integer(&mut self, t: Term) -> Result<Linear, Unencodable> {
        Ok(match t.kind() {
            Kind::Int(k) => Linear::constant(Int::from(k.clone())),
            Kind::Var(v) => Linear::var(self.variable(*v, t)),
            Kind::Lin(lin) => {
                let mut sum = Linear::constant(Int::from(lin.constant.clone()));
                for (k, a) in lin.parts.iter() {
                    sum = sum.plus(&Int::from(k.clone()), &self.int(*a));
                }
                sum
            }
            Kind::Ite(c, a, b) => {
                let (c, a, b) = (self.bool(*c), self.int(*a), self.int(*b));
                self.choose(c, &a, &b, t)
            }
            Kind::Wrap(ty, a) => self.wrap(*ty, *a),
            Kind::Div(a, b) if b.as_int().is_some_and(|k| *k != IBig::ZERO) => self.quotient(*a, *b).0,
            Kind::Rem(a, b) if b.as_int().is_some_and(|k| *k != IBig::ZERO) => self.quotient(*a, *b).1,
            Kind::Shl(a, n) if shift(*n).is_some() => self.int(*a).times(&power(shift(*n).unwrap_or(0))),
            Kind::Shr(a, n) if shift(*n).is_some() => self.floor(&self.int(*a), &power(shift(*n).unwrap_or(0))).0,
            Kind::BitAnd(a, b) => match (low_mask(*a), low_mask(*b)) {
                (_, Some(k)) => self.floor(&self.int(*a), &power(k)).1,
                (Some(k), _) => self.floor(&self.int(*b), &power(k)).1,
                _ => self.opaque(t),
            },
            Kind::Mul(..) | Kind::Div(..) | Kind::Rem(..) | Kind::BitOr(..) | Kind::BitXor(..) | Kind::Shl(..) | Kind::Shr(..) => {
                self.opaque(t)
            }
            _ => return Err(Unencodable("a read of memory or a float's bits, for the own solver".into())),
        })
    }

    fn variable(&mut self, v: Var, t: Term) -> NumVar {
        if let Some(x) = self.numbers.get(&v) {
            return *x;
        }
        let x = self.solver.number(NumSort::Int);
        self.numbers.insert(v, x);
        self.meaning.insert(x, t);
        if !self.free.contains(&v) {
            self.range_of(v);
        }
        x
    }

    /// Asserts bounds of a form, under the guard.
    pub(super) fn bound(&mut self, x: &Linear, lo: Option<IBig>, hi: Option<IBig>) {
        if let Some(lo) = lo {
            let below = Linear::constant(Int::from(lo)).plus(&Int::MINUS_ONE, x);
            let l = self.solver.less_eq(&below);
            self.fact(l);
        }
        if let Some(hi) = hi {
            let above = x.plus(&Int::MINUS_ONE, &Linear::constant(Int::from(hi)));
            let l = self.solver.less_eq(&above);
            self.fact(l);
        }
    }

    /// Asserts a fact under the guard.
    pub(super) fn fact(&mut self, l: Literal) {
        self.solver.add_clause(&[not(self.guard), l]);
    }

    /// A variable whose value is that of `t`, in the current part.
    pub(super) fn name(&mut self, t: &Linear) -> NumVar {
        if let ([(x, a)], true) = (t.terms(), t.offset().is_zero()) {
            if a.is_one() {
                return *x;
            }
        }
        if let Some(x) = self.named.get(&(self.part, t.clone())) {
            return *x;
        }
        let x = self.solver.number(NumSort::Int);
        let same = self.solver.equal(&Linear::var(x).plus(&Int::MINUS_ONE, t));
        self.solver.assert(same);
        self.named.insert((self.part, t.clone()), x);
        x
    }

    /// `t`, as an unknown function of its operands.
    fn opaque(&mut self, t: Term) -> Linear {
        let next = plumb_itp::proof::Fun(self.functions.len() as u32);
        let function = *self.functions.entry(std::mem::discriminant(t.kind())).or_insert(next);
        let arguments: Vec<NumVar> = t.children().map(|c| self.int(c)).collect::<Vec<_>>().iter().map(|c| self.name(c)).collect();
        let x = self.solver.apply(function, &arguments, NumSort::Int);
        self.meaning.insert(x, t);
        let range = t.range();
        self.bound(&Linear::var(x), range.lo.map(IBig::from), range.hi.map(IBig::from));
        Linear::var(x)
    }

    /// The value that is `a` where `c` holds and `b` elsewhere.
    pub(super) fn choose(&mut self, c: Literal, a: &Linear, b: &Linear, t: Term) -> Linear {
        match c {
            Literal::Constant(true) => return a.clone(),
            Literal::Constant(false) => return b.clone(),
            Literal::Lit(_) => {}
        }
        if a == b {
            return a.clone();
        }
        let x = Linear::var(self.solver.number(NumSort::Int));
        for (guard, value) in [(c, a), (not(c), b)] {
            let d = x.plus(&Int::MINUS_ONE, value);
            let (up, down) = (self.solver.less_eq(&d), self.solver.less_eq(&d.times(&Int::MINUS_ONE)));
            self.solver.add_clause(&[not(guard), up]);
            self.solver.add_clause(&[not(guard), down]);
        }
        let range = t.range();
        self.bound(&x, range.lo.map(IBig::from), range.hi.map(IBig::from));
        x
    }
}

/// The opposite.
pub(crate) fn not(l: Literal) -> Literal {
    match l {
        Literal::Constant(b) => Literal::Constant(!b),
        Literal::Lit(l) => Literal::Lit(!l),
    }
}

/// A constant shift count within the range of the operator's definition.
fn shift(n: Term) -> Option<usize> {
    n.as_i128().and_then(|k| usize::try_from(k).ok()).filter(|k| *k <= 255)
}

/// The number of bits of a mask `2ⁿ-1`.
fn low_mask(t: Term) -> Option<usize> {
    let k = t.as_int()?;
    let n = k.bit_len();
    (*k > IBig::ZERO && *k == (IBig::ONE << n) - IBig::ONE).then_some(n)
}

/// `2ⁿ`.
pub(super) fn power(n: usize) -> Int {
    Int::from(IBig::ONE << n)
}
