//! Terms as words.
//!
//! As in [`crate::encode`], a term is wanted in a *view* ([`Part`]): an integer modulo 2^w, a truth value, the pattern of a float, a cell of a memory. Building a part asks for other
//! parts; the walk keeps its own stack, because terms of unrolled programs are deep.

use super::gates::{Gates, Lit};
use super::memory::Congruence;
use super::words::{resize, Word};
use super::{MOST_GATES, MOST_PARTS};
use crate::bounds::{bit_len, Bounds, Interval, MAX_BITS};
use crate::encode::Unencodable;
use plumb_term::{Budget, Cell, IBig, Kind, Scalar, Sort, Term, Var, VarTy};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A term in a view.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Part {
    /// A formula: a word of one bit.
    Bool(Term),
    /// An integer modulo 2^w.
    Bits(Term, u32),
    /// The bit pattern of a float.
    Pattern(Term),
    /// The cell of a memory at an address.
    Cell(Term, Term),
}

/// Why there is no circuit.
#[derive(Debug)]
pub(super) enum Unbuilt {
    /// Not yet: the time is over.
    Time,
    /// The formula has none, or too large a one.
    Beyond(Unencodable),
}

/// Why a step ended without a word.
pub(super) enum Stop {
    /// Parts are missing; they are noted in [`Builder::missing`].
    Wait,
    Unencodable(Unencodable),
}

pub(super) type Built = Result<Word, Stop>;

pub(super) fn unencodable<T>(why: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Unencodable(Unencodable(why.into())))
}

/// Builds circuits.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) gates: Gates,
    pub(super) inputs: BTreeMap<Var, Word>,
    /// What is read of memories that are variables, by address.
    pub(super) reads: BTreeMap<Var, Vec<(Term, Word)>>,
    pub(super) congruence: Congruence,
    bounds: Bounds,
    built: FxHashMap<Part, Word>,
    missing: Vec<Part>,
    /// How often a part was looked at.
    steps: u32,
}

impl Builder {
    /// Goes on with the circuit of a formula, whose roots it is when it is done.
    pub(super) fn go_on(&mut self, formula: Term, budget: &Budget) -> Result<Vec<Lit>, Unbuilt> {
        let mut roots: Vec<Lit> = Vec::new();
        for c in formula.conjuncts() {
            roots.push(self.word(Part::Bool(c), budget)?[0]);
        }
        self.congruent(budget)?;
        roots.append(&mut self.congruence.roots);
        Ok(roots)
    }

    /// The word of a part.
    pub(super) fn word(&mut self, part: Part, budget: &Budget) -> Result<Word, Unbuilt> {
        let mut stack = vec![part];
        while let Some(&top) = stack.last() {
            if self.built.contains_key(&top) {
                stack.pop();
                continue;
            }
            self.steps = self.steps.wrapping_add(1);
            if self.gates.len() > MOST_GATES || self.built.len() > MOST_PARTS {
                return Err(Unbuilt::Beyond(Unencodable("a formula of this size".into())));
            }
            if self.steps % 256 == 0 && budget.is_over() {
                return Err(Unbuilt::Time);
            }
            self.missing.clear();
            match self.build(top) {
                Ok(word) => {
                    self.built.insert(top, word);
                    stack.pop();
                }
                Err(Stop::Wait) => stack.append(&mut self.missing),
                Err(Stop::Unencodable(why)) => return Err(Unbuilt::Beyond(why)),
            }
        }
        Ok(self.built[&part].clone())
    }

    fn build(&mut self, part: Part) -> Built {
        match part {
            Part::Bool(t) => Ok(Rc::new([self.truth(t)?])),
            Part::Bits(t, w) => self.bits(t, w),
            Part::Pattern(t) => self.pattern(t),
            Part::Cell(mem, at) => self.cell(mem, at),
        }
    }

    pub(super) fn need(&mut self, part: Part) -> Built {
        match self.built.get(&part) {
            Some(word) => Ok(word.clone()),
            None => {
                self.missing.push(part);
                Err(Stop::Wait)
            }
        }
    }

    /// Several at once, so that all that are missing are noted.
    pub(super) fn needs<const N: usize>(&mut self, parts: [Part; N]) -> Result<[Word; N], Stop> {
        let words = parts.map(|p| self.need(p));
        if words.iter().any(Result::is_err) {
            return Err(Stop::Wait);
        }
        Ok(words.map(|w| w.unwrap_or_else(|_| Rc::new([]))))
    }

    /// The same for a list.
    pub(super) fn need_all(&mut self, parts: impl IntoIterator<Item = Part>) -> Result<Vec<Word>, Stop> {
        let words: Vec<Built> = parts.into_iter().map(|p| self.need(p)).collect();
        words.into_iter().collect()
    }

    fn pair(&mut self, a: Term, b: Term, w: u32) -> Result<[Word; 2], Stop> {
        self.needs([Part::Bits(a, w), Part::Bits(b, w)])
    }

    pub(super) fn interval(&mut self, t: Term) -> Result<Interval, Stop> {
        match self.bounds.of(t) {
            Some(i) => Ok(i),
            None => unencodable(format!("an integer without bounds within {MAX_BITS} bits")),
        }
    }

    pub(super) fn input(&mut self, v: Var, w: u32) -> Word {
        if let Some(known) = self.inputs.get(&v) {
            return known.clone();
        }
        let word = self.gates.inputs(w);
        self.inputs.insert(v, word.clone());
        word
    }

    fn truth(&mut self, t: Term) -> Result<Lit, Stop> {
        use Kind::*;
        match t.kind() {
            Bool(b) => Ok(Lit::of(*b)),
            Var(v) => Ok(self.input(*v, 1)[0]),
            Not(a) => Ok(!self.need(Part::Bool(*a))?[0]),
            And(ts) | Or(ts) => {
                let or = matches!(t.kind(), Or(_));
                let lits = self.need_all(ts.iter().map(|t| Part::Bool(*t)))?;
                let all = self.gates.all(lits.iter().map(|w| if or { !w[0] } else { w[0] }));
                Ok(if or { !all } else { all })
            }
            Ite(c, a, b) => {
                let [c, a, b] = self.needs([Part::Bool(*c), Part::Bool(*a), Part::Bool(*b)])?;
                Ok(self.gates.ite(c[0], a[0], b[0]))
            }
            Eq(a, b) => match a.sort() {
                Sort::Bool => {
                    let [a, b] = self.needs([Part::Bool(*a), Part::Bool(*b)])?;
                    Ok(!self.gates.xor(a[0], b[0]))
                }
                Sort::Int => {
                    let (i, j) = (self.interval(*a)?, self.interval(*b)?);
                    // Modulo this width they differ exactly if they differ.
                    let gap = (&i.hi - &j.lo).max(&j.hi - &i.lo).max(IBig::ONE);
                    let [a, b] = self.pair(*a, *b, bit_len(&gap))?;
                    Ok(self.gates.same(&a, &b))
                }
                Sort::Float(_) => {
                    let [a, b] = self.needs([Part::Pattern(*a), Part::Pattern(*b)])?;
                    Ok(self.gates.same(&a, &b))
                }
                Sort::Mem(_) => unencodable("the equality of memories"),
            },
            Le(a, b) => {
                let (i, j) = (self.interval(*a)?, self.interval(*b)?);
                let unsigned = i.is_nonneg() && j.is_nonneg();
                let w = if unsigned { i.width().max(j.width()) } else { i.signed_width().max(j.signed_width()) };
                let [a, b] = self.pair(*a, *b, w)?;
                Ok(!if unsigned { self.gates.below(&b, &a) } else { self.gates.below_signed(&b, &a) })
            }
            FCmp(op, a, b) => self.fcompare(*op, *a, *b),
            FTest(test, a) => self.fclass(*test, *a),
            _ => unencodable("a formula of this kind"),
        }
    }

    fn bits(&mut self, t: Term, w: u32) -> Built {
        use Kind::*;
        if w as usize > MAX_BITS + 1 {
            return unencodable(format!("an integer of {w} bits"));
        }
        if let Int(v) = t.kind() {
            return Ok(self.gates.numeral(v, w));
        }
        if let Some(i) = self.bounds.of(t) {
            // What needs fewer bits is computed narrow.
            let exact = i.width();
            if exact < w {
                let narrow = self.need(Part::Bits(t, exact))?;
                return Ok(resize(&narrow, !i.is_nonneg(), w));
            }
        }
        match t.kind() {
            Ite(c, a, b) => {
                let [c, a, b] = self.needs([Part::Bool(*c), Part::Bits(*a, w), Part::Bits(*b, w)])?;
                Ok(self.gates.choose(c[0], &a, &b))
            }
            Wrap(ty, a) => {
                let inner = self.need(Part::Bits(*a, u32::from(ty.bits).min(w)))?;
                Ok(resize(&inner, ty.signed, w))
            }
            BitAnd(a, b) | BitOr(a, b) | BitXor(a, b) => {
                let [a, b] = self.pair(*a, *b, w)?;
                let op = match t.kind() {
                    BitAnd(..) => Gates::and,
                    BitOr(..) => Gates::or,
                    _ => Gates::xor,
                };
                Ok(self.gates.bitwise(&a, &b, op))
            }
            Shl(a, n) => self.shl(*a, *n, w),
            Shr(a, n) => self.shr(*a, *n, w),
            Var(v) => match v.ty {
                VarTy::Scalar(Scalar::Int(ty)) => {
                    let word = self.input(*v, u32::from(ty.bits));
                    Ok(resize(&word, ty.signed, w))
                }
                _ => unencodable("an integer variable without bounds"),
            },
            Lin(lin) => {
                let atoms = self.need_all(lin.parts.iter().map(|p| Part::Bits(p.1, w)))?;
                let mut sum = self.gates.numeral(&lin.constant, w);
                for ((k, _), atom) in lin.parts.iter().zip(&atoms) {
                    let scaled = self.gates.scaled(atom, k);
                    sum = self.gates.plus(&sum, &scaled);
                }
                Ok(sum)
            }
            Mul(a, b) => {
                let [a, b] = self.pair(*a, *b, w)?;
                Ok(self.gates.times(&a, &b))
            }
            Div(a, b) => self.division(*a, *b, w, true),
            Rem(a, b) => self.division(*a, *b, w, false),
            Load(Scalar::Int(ty), m, a) => {
                let Sort::Mem(cell) = m.sort() else { return unencodable("a memory was expected") };
                let (count, stored) = match cell {
                    Cell::Byte => (ty.bytes() as i64, 8 * ty.bytes() as u32),
                    Cell::Scalar(_) => (1, u32::from(ty.bits)),
                };
                let cells = self.need_all((0..count).map(|i| Part::Cell(*m, a.plus(i))))?;
                let all: Vec<Lit> = cells.iter().flat_map(|c| c.iter().copied()).collect();
                Ok(resize(&resize(&all, false, stored.min(u32::from(ty.bits))), ty.signed, w))
            }
            FBits(a) => Ok(resize(&self.need(Part::Pattern(*a))?, false, w)),
            FToInt(ty, a) => Ok(resize(&self.truncated(*ty, *a)?, ty.signed, w)),
            _ => unencodable("an integer of this kind"),
        }
    }

    fn division(&mut self, a: Term, b: Term, w: u32, quotient: bool) -> Built {
        let (i, j) = (self.interval(a)?, self.interval(b)?);
        let unsigned = i.is_nonneg() && j.is_nonneg();
        // The least value divided by −1 needs a bit more.
        let wide = if unsigned { i.width().max(j.width()) } else { i.signed_width().max(j.signed_width()) + 1 };
        let [x, y] = self.pair(a, b, wide)?;
        let (q, r) = if unsigned { self.gates.divided(&x, &y) } else { self.gates.divided_signed(&x, &y) };
        let zero: Word = vec![Lit::FALSE; wide as usize].into();
        let by_zero = self.gates.same(&y, &zero);
        let result = if quotient { self.gates.choose(by_zero, &zero, &q) } else { self.gates.choose(by_zero, &x, &r) };
        Ok(resize(&result, !unsigned, w))
    }

    fn shl(&mut self, a: Term, n: Term, w: u32) -> Built {
        let counts = self.interval(n)?;
        let [x, count] = self.needs([Part::Bits(a, w), Part::Bits(n, counts.width())])?;
        let shifted = self.gates.shift(&x, &count, true, Lit::FALSE);
        Ok(self.within_counts(&counts, &count, &shifted))
    }

    fn shr(&mut self, a: Term, n: Term, w: u32) -> Built {
        let (i, counts) = (self.interval(a)?, self.interval(n)?);
        let [x, count] = self.needs([Part::Bits(a, i.width()), Part::Bits(n, counts.width())])?;
        let signed = !i.is_nonneg();
        let fill = if signed { x[x.len() - 1] } else { Lit::FALSE };
        let shifted = self.gates.shift(&x, &count, false, fill);
        let shifted = self.within_counts(&counts, &count, &shifted);
        Ok(resize(&shifted, signed, w))
    }

    /// `shifted` for counts in `0..=255`, zero for others.
    fn within_counts(&mut self, counts: &Interval, count: &[Lit], shifted: &[Lit]) -> Word {
        if counts.is_nonneg() && counts.hi <= IBig::from(255) {
            return shifted.into();
        }
        // A negative count is large when read without its sign.
        let wide = counts.width().max(9);
        let count = resize(count, !counts.is_nonneg(), wide);
        let most = self.gates.numeral(&IBig::from(255), wide);
        let outside = self.gates.below(&most, &count);
        shifted.iter().map(|l| self.gates.and(!outside, *l)).collect()
    }
}
