//! Every constructor against the evaluator's definition of its operator: normalisation never changes a value.

mod common;

use common::{cases, Menu, Random, Terms, CELLS, FORMATS};
use plumb_term::eval::{self, Evaluator, MemValue, Value};
use plumb_term::{visit, Cell, FBinOp, FCmpOp, FTest, FUnOp, Float, FloatTy, IBig, IntTy, Range, Scalar, Sort, Term, Var, VarId, VarTy};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A generator with an assignment that grows with the variables it meets.
struct Bench {
    terms: Terms,
    values: RefCell<BTreeMap<Var, Value>>,
    seed: u64,
}

impl Bench {
    fn new(seed: u64) -> Bench {
        let menu = Menu { unbounded: true, floats: true, memories: true };
        Bench { terms: Terms::new(seed, menu), values: RefCell::default(), seed }
    }

    fn eval(&mut self, t: Term) -> Value {
        for v in visit::vars([t]) {
            let value = self.terms.value(v);
            self.values.borrow_mut().entry(v).or_insert(value);
        }
        let env = |v: Var| self.values.borrow().get(&v).cloned();
        Evaluator::new(&env).eval(t).expect("every variable has a value")
    }

    fn expect(&mut self, built: Term, value: Value, what: &str, parts: &[Term]) {
        let got = self.eval(built);
        let shown: Vec<String> = parts.iter().map(|t| format!("\n  {t} = {:?}", self.eval(*t))).collect();
        assert_eq!(got, value, "seed {}: {what} of {}\n became {built}", self.seed, shown.concat());
        if let Value::Int(v) = &got {
            assert!(in_range(built.range(), v), "seed {}: {built} = {v} is outside {:?}", self.seed, built.range());
        }
    }

    fn int(&mut self, depth: u32) -> (Term, IBig) {
        let t = self.terms.int(depth);
        match self.eval(t) {
            Value::Int(v) => (t, v),
            other => panic!("{t} = {other:?}"),
        }
    }

    fn boolean(&mut self, depth: u32) -> (Term, bool) {
        let t = self.terms.boolean(depth);
        match self.eval(t) {
            Value::Bool(v) => (t, v),
            other => panic!("{t} = {other:?}"),
        }
    }

    fn float(&mut self, ty: FloatTy, depth: u32) -> (Term, Float) {
        let t = self.terms.float(ty, depth);
        match self.eval(t) {
            Value::Float(v) => (t, v),
            other => panic!("{t} = {other:?}"),
        }
    }

    fn memory(&mut self, cell: Cell, depth: u32) -> (Term, MemValue) {
        let t = self.terms.memory(cell, depth);
        match self.eval(t) {
            Value::Mem(v) => (t, v),
            other => panic!("{t} = {other:?}"),
        }
    }

    fn address(&mut self) -> (Term, IBig) {
        let t = self.terms.address();
        match self.eval(t) {
            Value::Int(v) => (t, v),
            other => panic!("{t} = {other:?}"),
        }
    }
}

fn in_range(r: Range, v: &IBig) -> bool {
    r.lo.is_none_or(|l| IBig::from(l) <= *v) && r.hi.is_none_or(|h| *v <= IBig::from(h))
}

fn run(fast: u64, test: impl Fn(&mut Bench)) {
    for seed in 0..cases(fast) {
        test(&mut Bench::new(seed));
    }
}

/// Operands that share atoms, as the ones of real programs do: small sums over two variables, and wraps of them.
fn related(b: &mut Bench) -> ((Term, IBig), (Term, IBig)) {
    let (x, y) = (b.terms.int(0), b.terms.int(0));
    let mut operand = || {
        let r = &mut b.terms.random;
        let k = |r: &mut Random| IBig::from(r.below(7) as i64 - 3);
        let (k1, k2, c) = (k(r), k(r), if r.one_in(3) { r.number() } else { k(r) });
        let sum = x.scale(&k1).add(y.scale(&k2)).plus(c);
        let ty = b.terms.int_ty();
        let t = match b.terms.random.below(4) {
            0 => sum,
            1 => sum.wrap(ty).add(x),
            2 => Term::ite(b.terms.boolean(0), Term::int(b.terms.random.number()), Term::int(3)).add(y),
            _ => sum.wrap(ty),
        };
        let Value::Int(v) = b.eval(t) else { panic!("{t} is no integer") };
        (t, v)
    };
    (operand(), operand())
}

fn integer_operators(b: &mut Bench, (s, x): (Term, IBig), (t, y): (Term, IBig)) {
    let p = [s, t];
    let int = |v: IBig| Value::Int(v);
    b.expect(s.add(t), int(&x + &y), "add", &p);
    b.expect(s.sub(t), int(&x - &y), "sub", &p);
    b.expect(s.mul(t), int(&x * &y), "mul", &p);
    b.expect(s.neg(), int(-&x), "neg", &p);
    b.expect(s.bit_not(), int(-&x - IBig::ONE), "bit_not", &p);
    b.expect(s.div(t), int(eval::div(&x, &y)), "div", &p);
    b.expect(s.rem(t), int(eval::rem(&x, &y)), "rem", &p);
    b.expect(s.bit_and(t), int(&x & &y), "bit_and", &p);
    b.expect(s.bit_or(t), int(&x | &y), "bit_or", &p);
    b.expect(s.bit_xor(t), int(&x ^ &y), "bit_xor", &p);
    b.expect(s.equals(t), Value::Bool(x == y), "equals", &p);
    b.expect(s.differs(t), Value::Bool(x != y), "differs", &p);
    b.expect(s.less_eq(t), Value::Bool(x <= y), "less_eq", &p);
    b.expect(s.less(t), Value::Bool(x < y), "less", &p);
    b.expect(s.greater(t), Value::Bool(x > y), "greater", &p);
    b.expect(s.greater_eq(t).not(), Value::Bool(x < y), "not greater_eq", &p);
    let ty = b.terms.int_ty();
    b.expect(s.wrap(ty), int(ty.wrap(&x)), &format!("wrap {ty}"), &p);
    let mask = match b.terms.random.below(3) {
        0 => (IBig::ONE << b.terms.random.below(130)) - IBig::ONE,
        _ => b.terms.random.number(),
    };
    let m = Term::int(mask.clone());
    b.expect(s.bit_and(m), int(&x & &mask), &format!("mask {mask}"), &p);
    b.expect(s.bit_or(m), int(&x | &mask), &format!("or {mask}"), &p);
    b.expect(s.bit_xor(m), int(&x ^ &mask), &format!("xor {mask}"), &p);
    b.expect(s.div(m), int(eval::div(&x, &mask)), &format!("div {mask}"), &p);
    b.expect(s.rem(m), int(eval::rem(&x, &mask)), &format!("rem {mask}"), &p);
    b.expect(s.less_eq(m), Value::Bool(x <= mask), &format!("at most {mask}"), &p);
    b.expect(m.equals(s), Value::Bool(x == mask), &format!("equal to {mask}"), &p);
    if let Some(d) = s.difference(t) {
        assert_eq!(d, &x - &y, "difference of {s} and {t}");
    }
}

#[test]
fn integer_operators_mean_what_they_say() {
    run(2000, |b| {
        let depth = (b.seed % 4) as u32;
        let (x, y) = (b.int(depth), b.int(depth));
        integer_operators(b, x, y);
    });
}

#[test]
fn integer_operators_on_related_operands() {
    run(2500, |b| {
        let (x, y) = related(b);
        integer_operators(b, x, y);
    });
}

#[test]
fn shifts_are_products_and_floored_quotients() {
    run(2000, |b| {
        let (s, x) = b.int(2);
        let n = b.terms.count(1);
        let Value::Int(k) = b.eval(n) else { panic!("{n} is no integer") };
        let count = eval::shift_count(&k);
        let left = count.map_or(IBig::ZERO, |k| &x << k);
        let right = count.map_or(IBig::ZERO, |k| eval::floor_shr(&x, k));
        b.expect(s.shl(n), Value::Int(left.clone()), "shl", &[s, n]);
        b.expect(s.shr(n), Value::Int(right), "shr", &[s, n]);
        let ty = b.terms.int_ty();
        b.expect(s.shl(n).wrap(ty), Value::Int(ty.wrap(&left)), "wrapped shl", &[s, n]);
    });
}

#[test]
fn boolean_operators_mean_what_they_say() {
    run(2000, |b| {
        let ((s, x), (t, y), (u, z)) = (b.boolean(2), b.boolean(2), b.boolean(1));
        let p = [s, t, u];
        b.expect(s.not(), Value::Bool(!x), "not", &p);
        b.expect(s.and(t).and(u), Value::Bool(x && y && z), "and", &p);
        b.expect(s.or(t).or(u), Value::Bool(x || y || z), "or", &p);
        b.expect(Term::all([s, t, u.not(), s]), Value::Bool(x && y && !z), "all", &p);
        b.expect(Term::any([s, t.not(), u, t]), Value::Bool(true), "any", &p);
        b.expect(s.implies(t), Value::Bool(!x || y), "implies", &p);
        b.expect(s.equals(t), Value::Bool(x == y), "equals", &p);
        b.expect(Term::ite(s, t, u), Value::Bool(if x { y } else { z }), "ite", &p);
        let ((c, v), (d, w)) = related(b);
        b.expect(Term::ite(s, c, d), Value::Int(if x { v.clone() } else { w.clone() }), "ite", &[s, c, d]);
        let k = b.terms.random.number();
        let nested = Term::ite(s, Term::int(k.clone()), Term::ite(t, Term::int(7), Term::ite(s, c, Term::int(7))));
        let nested_value = if x { k } else { IBig::from(7) };
        let want = if x || y { nested_value } else { IBig::from(7) };
        b.expect(nested, Value::Int(want.clone()), "nested ite", &[s, t]);
        b.expect(nested.less_eq(d), Value::Bool(want <= w), "comparison of ites", &[s, t, d]);
        b.expect(nested.equals(Term::int(7)), Value::Bool(want == IBig::from(7)), "equality of ites", &[s, t]);
    });
}

#[test]
fn float_operators_fold_as_they_evaluate() {
    use FBinOp::*;
    run(600, |b| {
        let ty = b.terms.random.pick(&FORMATS);
        let ((s, x), (t, y)) = (b.float(ty, 2), b.float(ty, 1));
        let p = [s, t];
        for op in [Add, Sub, Mul, Div, Rem, Min, Max, CopySign] {
            b.expect(Term::fbin(op, s, t), Value::Float(eval::fbin(op, x, y)), &format!("{op:?}"), &p);
        }
        use FUnOp::*;
        for op in [Neg, Abs, Sqrt, Floor, Ceil, Trunc, Round, Rint] {
            b.expect(Term::fun(op, s), Value::Float(eval::fun(op, x)), &format!("{op:?}"), &p);
        }
        for op in [FCmpOp::Eq, FCmpOp::Lt, FCmpOp::Le] {
            b.expect(Term::fcmp(op, s, t), Value::Bool(eval::fcmp(op, x, y)), &format!("{op:?}"), &p);
        }
        for test in [FTest::Nan, FTest::Infinite, FTest::Normal, FTest::Subnormal, FTest::Zero, FTest::SignBit] {
            b.expect(Term::ftest(test, s), Value::Bool(eval::ftest(test, x)), &format!("{test:?}"), &p);
        }
        let (to, ints) = (b.terms.random.pick(&FORMATS), b.terms.int_ty());
        b.expect(Term::fcast(to, s), Value::Float(if to == ty { x } else { x.convert(to) }), "cast", &p);
        b.expect(Term::fto_int(ints, s), Value::Int(eval::fto_int(ints, x)), "to integer", &p);
        b.expect(Term::fbits(s), Value::Int(IBig::from(x.bits)), "bits", &p);
        let (i, v) = b.int(2);
        b.expect(Term::ffrom_int(ty, i), Value::Float(Float::from_int(ty, &v)), "from integer", &[i]);
        let from = Float::from_bits(ty, eval::low_bits(&v, ty.bits() as u16));
        b.expect(Term::ffrom_bits(ty, i), Value::Float(from), "from bits", &[i]);
        b.expect(Term::fbits(Term::ffrom_bits(ty, i)), Value::Int(IBig::from(from.bits)), "bits of from bits", &[i]);
    });
}

#[test]
fn loads_read_what_stores_and_splices_left() {
    run(2500, |b| {
        let cell = b.terms.random.pick(&CELLS);
        let (m, before) = b.memory(cell, 3);
        let ty = match cell {
            Cell::Scalar(s) => s,
            Cell::Byte if b.terms.random.one_in(3) => Scalar::Float(b.terms.random.pick(&FORMATS)),
            Cell::Byte => Scalar::Int(b.terms.int_ty()),
        };
        let ((at, a), (from, f)) = (b.address(), b.address());
        b.expect(Term::load(ty, m, at), before.load(ty, &a), "load", &[m, at]);
        let (value, v) = match ty {
            Scalar::Int(_) => {
                let (t, v) = b.int(1);
                (t, Value::Int(v))
            }
            Scalar::Float(t) => {
                let (t, v) = b.float(t, 1);
                (t, Value::Float(v))
            }
        };
        let mut after = before.clone();
        after.store(ty, &a, &v);
        let stored = Term::store(ty, m, at, value);
        b.expect(stored, Value::Mem(after.clone()), "store", &[m, at, value]);
        b.expect(Term::load(ty, stored, from), after.load(ty, &f), "load over store", &[m, at, value, from]);
        b.expect(Term::load(ty, stored, at), after.load(ty, &a), "load of the stored", &[m, at, value]);
        let mut twice = after.clone();
        twice.store(ty, &a, &Value::Int(IBig::from(3)));
        if let Scalar::Int(_) = ty {
            b.expect(Term::store(ty, stored, at, Term::int(3)), Value::Mem(twice), "store over store", &[m, at]);
        }
        let (src, other) = b.memory(cell, 2);
        let (len, n) = if b.terms.random.one_in(2) {
            let n = IBig::from(b.terms.random.below(14));
            (Term::int(n.clone()), n)
        } else {
            b.int(0)
        };
        let spliced = Term::splice(stored, src, from, len);
        let joined = after.splice(&other, &f, &n);
        b.expect(spliced, Value::Mem(joined.clone()), "splice", &[stored, src, from, len]);
        let near = from.plus(b.terms.random.below(12) as i64 - 4);
        let Value::Int(c) = b.eval(near) else { panic!("{near} is no integer") };
        b.expect(Term::load(ty, spliced, near), joined.load(ty, &c), "load over splice", &[stored, src, from, len, near]);
    });
}

#[test]
fn rebuilding_and_substituting_keep_the_value() {
    run(1500, |b| {
        let sort = b.terms.any_sort();
        let t = b.terms.of_sort(sort, 4);
        let value = b.eval(t);
        let rebuilt = visit::Rewriter::new().rewrite(t, &mut |_| None);
        b.expect(rebuilt, value.clone(), "rebuild", &[t]);
        // Values instead of variables: everything folds. Memories stay, they have no literal node.
        let values = b.values.borrow().clone();
        let folded = visit::substitute(t, &|v| values.get(&v).map(common::literal));
        b.expect(folded, value, "substitute", &[t]);
        if !matches!(sort, Sort::Mem(_)) && visit::postorder([t]).iter().all(|n| !matches!(n.sort(), Sort::Mem(_))) {
            assert!(folded.children().next().is_none(), "{folded} does not fold");
        }
    });
}

#[test]
fn types_are_the_ranges_they_claim() {
    for bits in 1..=128u16 {
        for ty in [IntTy::signed(bits), IntTy::unsigned(bits)] {
            assert!(ty.contains(&ty.min()) && ty.contains(&ty.max()), "{ty}");
            assert_eq!(ty.wrap(&(ty.max() + IBig::ONE)), ty.min(), "{ty}");
            assert_eq!(ty.wrap(&(ty.min() - IBig::ONE)), ty.max(), "{ty}");
            assert_eq!(ty.max() - ty.min() + IBig::ONE, ty.modulus(), "{ty}");
        }
    }
}

/// A wrap whose operand has one value only that fits an equation goes; whatever the equation becomes, it means the same.
#[test]
fn equations_lose_wraps_that_can_be_undone() {
    let (char, uchar) = (IntTy { bits: 8, signed: true }, IntTy { bits: 8, signed: false });
    let [x, y] = [1, 2].map(|i| Term::var(Var::new(VarId(i), VarTy::Scalar(Scalar::Int(char)))));
    let k = |n: i64| Term::int(n);
    assert_eq!(x.plus(1).wrap(char).equals(k(0)), x.equals(k(-1)));
    assert_eq!(x.plus(1).wrap(char).equals(k(-128)), x.equals(k(127)));
    assert_eq!(x.wrap(uchar).equals(k(200)), x.equals(k(-56)));
    assert_eq!(x.sub(y).wrap(char).equals(k(0)), x.equals(y));
    let ones = x.plus(100).wrap(char);
    let equations = [
        (ones, y),
        (ones, k(-30)),
        (k(7), x.neg().wrap(char)),
        (x.add(y).wrap(char), k(3)),
        (x.scale(&IBig::from(2)).wrap(char), k(4)),
        (x.sub(y).wrap(uchar), k(250)),
        (x.wrap(uchar), y.wrap(uchar)),
        (x.wrap(uchar), y),
        (ones.scale(&IBig::from(2)), k(6)),
    ];
    for (a, b) in equations {
        let equation = a.equals(b);
        for (i, j) in (-128..128).flat_map(|i| [-128, -57, -1, 0, 1, 56, 127].map(|j| (i, j))) {
            let value = |v: Var| Some(Value::Int(IBig::from(if v.id == VarId(1) { i } else { j })));
            let mut evaluator = Evaluator::new(&value);
            let same = evaluator.eval(a) == evaluator.eval(b);
            assert_eq!(evaluator.eval(equation), Some(Value::Bool(same)), "{a} = {b} became {equation}, at {i}, {j}");
        }
    }
}

#[test]
fn patterns_of_floats_are_read_through_memory() {
    let mut random = Random::new(3);
    let int = |bits| Scalar::Int(IntTy { bits, signed: bits % 3 == 0 });
    let types: Vec<Scalar> = [8, 16, 24, 32, 64].map(int).into_iter().chain(FORMATS.map(Scalar::Float)).collect();
    let memory = Term::var(Var::new(VarId(0), VarTy::Mem(Cell::Byte)));
    let mut content = MemValue::filled(Cell::Byte, IBig::from(0xa7));
    (0..40).for_each(|i| content.set(IBig::from(80 + i), IBig::from(random.below(256))));
    let (mut direct, mut all) = (0, 0);
    for (written, read) in types.iter().flat_map(|w| types.iter().map(move |r| (*w, *r))) {
        let value = match written {
            Scalar::Int(t) => Term::int(random.value_of(t)),
            Scalar::Float(t) => Term::float(random.float(t)),
        };
        for d in -16..=16 {
            let stored = Term::store(written, memory, Term::int(100), value);
            let loaded = Term::load(read, stored, Term::int(100 + d));
            let mut after = content.clone();
            let value = eval::eval(value, &|_| None).expect("a constant");
            after.store(written, &IBig::from(100), &value);
            let got = eval::eval(loaded, &|_| Some(Value::Mem(content.clone())));
            assert_eq!(got, Some(after.load(read, &IBig::from(100 + d))), "{read} at {d} over {written}: {loaded}");
            all += 1;
            direct += u32::from(!visit::postorder([loaded]).contains(&stored));
        }
    }
    assert!(direct * 2 > all, "{direct} of {all} do without the store");
}
