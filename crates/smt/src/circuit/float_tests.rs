//! Every operation against the evaluator: on special values and random patterns by simulation of the gates, on some of them by the solver as well.

use super::build::{Builder, Part};
use super::*;
use plumb_term::eval::eval;
use plumb_term::{FCmpOp, FTest, FUnOp, FloatTy, VarId};

const FORMATS: [FloatTy; 2] = [FloatTy::F32, FloatTy::F64];
const BINARY: [FBinOp; 7] = [FBinOp::Add, FBinOp::Sub, FBinOp::Mul, FBinOp::Div, FBinOp::Min, FBinOp::Max, FBinOp::CopySign];
const UNARY: [FUnOp; 8] = [FUnOp::Neg, FUnOp::Abs, FUnOp::Sqrt, FUnOp::Floor, FUnOp::Ceil, FUnOp::Trunc, FUnOp::Round, FUnOp::Rint];
const COMPARISONS: [FCmpOp; 3] = [FCmpOp::Eq, FCmpOp::Lt, FCmpOp::Le];
const TESTS: [FTest; 6] = [FTest::Nan, FTest::Infinite, FTest::Normal, FTest::Subnormal, FTest::Zero, FTest::SignBit];
const WIDTHS: [u16; 10] = [1, 2, 5, 8, 24, 32, 33, 53, 64, 128];

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

fn variable(id: u32, ty: Scalar) -> (Var, Term) {
    let t = Term::program_var(VarId(id), VarTy::Scalar(ty));
    let Kind::Var(v) = t.kind() else { panic!("a variable") };
    (*v, t)
}

fn types() -> impl Iterator<Item = IntTy> {
    WIDTHS.into_iter().flat_map(|bits| [IntTy::signed(bits), IntTy::unsigned(bits)])
}

/// Patterns of every class, with both signs.
fn special(ty: FloatTy) -> Vec<Float> {
    let (f, bits) = (ty.significand_bits(), |b: u128| Float::from_bits(ty, b));
    let (one, nan) = (Float::one(ty).bits, Float::nan(ty).bits);
    let infinity = Float::inf(ty).bits;
    let mut out: Vec<Float> =
        [0, 1, 2, 3, (1 << f) - 1, 1 << f, (1 << f) + 1, 2 << f, infinity, infinity - 1, nan, nan + 5].map(bits).into();
    out.extend([infinity + 1, nan - 1, one, one + 1, one - 1, one + 2, one + 3, one - 2, (infinity >> 1) + 7, 3 << (f - 1)].map(bits));
    // Halves, the ends of machine types, and numbers next to them.
    let halves = [1, 3, 5, 7].map(|n| Float::from_int(ty, &IBig::from(n)).div(Float::from_int(ty, &IBig::from(2))));
    let ends = [f, f + 1, f - 1, 7, 8, 31, 32, 63, 64, 127].map(|n| Float::from_int(ty, &(IBig::ONE << n as usize)));
    for x in halves.into_iter().chain(ends) {
        out.extend([x, bits(x.bits + 1), bits(x.bits - 1)]);
    }
    let opposite: Vec<Float> = out.iter().map(|x| x.neg()).collect();
    out.extend(opposite);
    out
}

/// Random patterns, many of them subnormal or near one another.
fn pair(ty: FloatTy, random: &mut Random) -> [Float; 2] {
    let x = u128::from(random.next()) & (u128::MAX >> (128 - ty.bits()));
    let y = match random.next() % 6 {
        0 => x ^ (1 << (ty.bits() - 1)) ^ u128::from(random.next() % 8),
        1 => x ^ u128::from(random.next() >> (random.next() % 64)),
        2 => x.wrapping_add(u128::from(random.next() % 64) << ty.significand_bits()),
        // Products and quotients about the least and the greatest numbers.
        3 => (u128::from(ty.max_exponent() as u32) << ty.significand_bits()).wrapping_sub(x) ^ u128::from(random.next() % 4),
        _ => u128::from(random.next()),
    };
    let thin = |b: u128, n: u64| match n % 4 {
        0 => b & !(((1 << (ty.exponent_bits())) - 1) << ty.significand_bits()),
        1 => b & !((1 << (n / 4 % u64::from(ty.significand_bits()))) - 1),
        _ => b,
    };
    let (x, y) = (thin(x, random.next()), thin(y, random.next()));
    if random.next() % 2 == 0 { [x, y] } else { [y, x] }.map(|b| Float::from_bits(ty, b))
}

fn pairs(ty: FloatTy) -> Vec<Vec<Value>> {
    let (list, mut random) = (special(ty), Random(ty.bits().into()));
    let mut out: Vec<[Float; 2]> = list.iter().flat_map(|x| list.iter().map(|y| [*x, *y])).collect();
    out.extend((0..20_000).map(|_| pair(ty, &mut random)));
    out.into_iter().map(|p| p.map(Value::Float).into()).collect()
}

fn singles(ty: FloatTy) -> Vec<Vec<Value>> {
    let mut random = Random(ty.bits().into());
    let mut out = special(ty);
    out.extend((0..2_000).flat_map(|_| pair(ty, &mut random)));
    // About one, where digits are behind the point.
    let (f, one) = (ty.significand_bits(), Float::one(ty).bits);
    let near = |r: u64| {
        one.wrapping_add(u128::from(r % 160) << f).wrapping_sub(20 << f) ^ u128::from(r >> 8 & ((1 << f) - 1)) >> (r % u64::from(f))
    };
    out.extend((0..6_000).map(|_| Float::from_bits(ty, near(random.next()) | u128::from(random.next() % 2) << (ty.bits() - 1))));
    out.into_iter().map(|x| vec![Value::Float(x)]).collect()
}

fn value_bit(value: &Value, i: usize) -> bool {
    use dashu_int::ops::BitTest;
    match value {
        Value::Bool(b) => *b,
        Value::Int(n) => n.bit(i),
        Value::Float(x) => x.bits >> i & 1 == 1,
        Value::Mem(_) => panic!("a memory"),
    }
}

/// Whether a value is a NaN that an operation yields: its sign and payload are open.
fn leaves_open(t: Term, value: &Value) -> bool {
    let copies = matches!(t.kind(), Kind::FUn(FUnOp::Neg | FUnOp::Abs, _) | Kind::FBin(FBinOp::CopySign, ..));
    !copies && matches!(value, Value::Float(f) if f.is_nan())
}

fn precision(t: Term) -> usize {
    match t.sort() {
        Sort::Float(ty) => ty.precision() as usize,
        other => panic!("a float, not {other:?}"),
    }
}

/// The circuit of `t` yields what the evaluator does, for each list of values of the variables; and how many gates it has.
fn agrees(t: Term, vars: &[Var], samples: &[Vec<Value>]) -> usize {
    let mut builder = Builder::default();
    let part = match t.sort() {
        Sort::Bool => Part::Bool(t),
        Sort::Int => {
            let width = builder.interval(t).ok().expect("bounds").width();
            Part::Bits(t, width)
        }
        _ => Part::Pattern(t),
    };
    let word = builder.word(part, &Budget::unlimited()).expect("a circuit");
    for chunk in samples.chunks(64) {
        let mut inputs: FxHashMap<Lit, u64> = FxHashMap::default();
        for (k, v) in vars.iter().enumerate() {
            for (i, lit) in builder.inputs.get(v).into_iter().flat_map(|w| w.iter().enumerate()) {
                let bits = chunk.iter().enumerate().fold(0, |n, (j, s)| n | u64::from(value_bit(&s[k], i)) << j);
                inputs.insert(*lit, bits);
            }
        }
        let gates = builder.gates.simulated(&|l| inputs.get(&l).copied().unwrap_or(0));
        for (j, sample) in chunk.iter().enumerate() {
            let env = |v: Var| vars.iter().position(|w| *w == v).map(|k| sample[k].clone());
            let expected = eval(t, &env).expect("a value");
            let open = if leaves_open(t, &expected) { Some((word.len() - 1, precision(t) - 2)) } else { None };
            for (i, lit) in word.iter().enumerate().filter(|(i, _)| open.is_none_or(|(sign, payload)| *i >= payload && *i != sign)) {
                assert_eq!(lit.worth(&gates) >> j & 1 == 1, value_bit(&expected, i), "bit {i} of {t} for {sample:x?}: {expected:x?}");
            }
        }
    }
    builder.gates.len()
}

/// By the solver: with the variables fixed, the term has its value and no other.
fn solver_agrees(t: impl Fn(&[Term]) -> Term, tys: &[Scalar], samples: &[Vec<Value>]) {
    let literal = |v: &Value| match v {
        Value::Int(n) => Term::int(n.clone()),
        Value::Float(x) => Term::float(*x),
        _ => panic!("a scalar"),
    };
    let (mut fixed, mut right) = (Vec::new(), Vec::new());
    for (j, sample) in samples.iter().enumerate() {
        let vars: Vec<Term> = tys.iter().enumerate().map(|(k, ty)| variable((10 * j + k) as u32, *ty).1).collect();
        fixed.extend(vars.iter().zip(sample).map(|(v, value)| v.equals(literal(value))));
        let constants: Vec<Term> = sample.iter().map(literal).collect();
        let (term, value) = (t(&vars), t(&constants));
        let open = matches!(value.kind(), Kind::Float(f) if leaves_open(term, &Value::Float(*f)));
        right.push(if open { Term::ftest(FTest::Nan, term) } else { term.equals(value) });
    }
    let (fixed, right) = (Term::all(fixed), Term::all(right));
    let ask = |formula: Term| Circuit::new(formula).expect("a circuit").run(Duration::MAX, &Budget::unlimited());
    assert!(matches!(ask(fixed.and(right)), Found::Sat(_)), "{right}");
    assert!(matches!(ask(fixed.and(right.not())), Found::Unsat), "{right}");
}

/// A few of many.
fn some(samples: &[Vec<Value>], n: usize) -> Vec<Vec<Value>> {
    samples.iter().step_by(samples.len() / n + 1).cloned().collect()
}

#[test]
fn operations_on_two_floats() {
    for ty in FORMATS {
        let ((v, x), (w, y)) = (variable(1, Scalar::Float(ty)), variable(2, Scalar::Float(ty)));
        let samples = pairs(ty);
        for op in BINARY {
            agrees(Term::fbin(op, x, y), &[v, w], &samples);
            solver_agrees(|v| Term::fbin(op, v[0], v[1]), &[Scalar::Float(ty); 2], &some(&samples, 5));
        }
        for op in COMPARISONS {
            agrees(Term::fcmp(op, x, y), &[v, w], &samples);
        }
        agrees(x.equals(y), &[v, w], &samples);
    }
}

#[test]
fn operations_on_one_float() {
    for ty in FORMATS {
        let (v, x) = variable(1, Scalar::Float(ty));
        let samples = singles(ty);
        for op in UNARY {
            agrees(Term::fun(op, x), &[v], &samples);
            solver_agrees(|v| Term::fun(op, v[0]), &[Scalar::Float(ty)], &some(&samples, 7));
        }
        TESTS.iter().for_each(|test| _ = agrees(Term::ftest(*test, x), &[v], &samples));
        agrees(Term::fbits(x), &[v], &samples);
    }
}

#[test]
fn operations_have_few_gates() {
    let measured = [(FBinOp::Add, [1_090, 2_299]), (FBinOp::Mul, [3_261, 13_332]), (FBinOp::Div, [3_576, 14_024])];
    for (i, ty) in FORMATS.into_iter().enumerate() {
        let ((v, x), (w, y)) = (variable(1, Scalar::Float(ty)), variable(2, Scalar::Float(ty)));
        for (op, gates) in measured {
            let built = agrees(Term::fbin(op, x, y), &[v, w], &[]);
            assert!(built <= gates[i], "{op:?} of {ty:?}: {built}");
            // The same operands the other way round share all but the choice of a NaN.
            let both = agrees(Term::fcmp(FCmpOp::Eq, Term::fbin(op, x, y), Term::fbin(op, y, x)), &[v, w], &[]);
            assert!(op == FBinOp::Div || both < built + 20 * ty.bits() as usize, "{op:?} of {ty:?}: {both}");
        }
        assert!(agrees(Term::fun(FUnOp::Sqrt, x), &[v], &[]) <= [1_755, 6_915][i]);
    }
}

#[test]
fn conversions() {
    for ty in FORMATS {
        let (v, x) = variable(1, Scalar::Float(ty));
        let samples = singles(ty);
        for to in FORMATS.into_iter().filter(|to| *to != ty) {
            agrees(Term::fcast(to, x), &[v], &samples);
            solver_agrees(|v| Term::fcast(to, v[0]), &[Scalar::Float(ty)], &some(&samples, 20));
        }
        for to in types() {
            agrees(Term::fto_int(to, x), &[v], &samples);
        }
        let mut random = Random(7);
        for from in types() {
            let (v, n) = variable(1, Scalar::Int(from));
            let mut values = vec![from.min(), from.max(), IBig::ZERO];
            // Where rounding is to halves, for both formats.
            for k in 0..usize::from(from.bits) {
                for digits in [23, 24, 25, 52, 53, 54] {
                    let (top, low) = (IBig::ONE << k, IBig::ONE << k.saturating_sub(digits));
                    values.extend([
                        &top - &low,
                        &top + &low,
                        &top + (&low << 1),
                        &top + (&low << 1) + IBig::ONE,
                        &top - IBig::ONE,
                        top + IBig::ONE,
                    ]);
                }
            }
            values.extend(
                (0..500).map(|_| IBig::from(u128::from(random.next()) << 64 | u128::from(random.next())) >> (random.next() % 128) as usize),
            );
            let samples: Vec<Vec<Value>> = values.iter().flat_map(|n| [n.clone(), -n]).map(|n| vec![Value::Int(from.wrap(&n))]).collect();
            agrees(Term::ffrom_int(ty, n), &[v], &samples);
            agrees(Term::ffrom_bits(ty, n), &[v], &samples);
        }
        // More than 128 bits overflow also in the narrow format.
        let (v, n) = variable(1, Scalar::Int(IntTy::I64));
        let wide = Term::ffrom_int(ty, n.mul(n).mul(n));
        agrees(wide, &[v], &[0, 1, -3, i64::MAX, i64::MIN, 1 << 42, (1 << 43) - 1].map(|n| vec![Value::Int(IBig::from(n))]));
    }
}

#[test]
fn laws_are_proved() {
    for ty in FORMATS {
        let ((_, x), (_, y)) = (variable(1, Scalar::Float(ty)), variable(2, Scalar::Float(ty)));
        let is_sat = |formula: Term| match Circuit::new(formula).expect("a circuit").run(Duration::MAX, &Budget::unlimited()) {
            Found::Sat(_) => true,
            Found::Unsat => false,
            _ => panic!("{formula} is not decided"),
        };
        let (sum, difference) = (Term::fbin(FBinOp::Add, x, y), Term::fbin(FBinOp::Sub, x, y));
        let zero = Term::float(Float::zero(ty));
        let nan = |t: Term| Term::ftest(FTest::Nan, t);
        // Equal but for NaNs, of which the first counts.
        assert!(!is_sat(sum.differs(Term::fbin(FBinOp::Add, y, x)).and(nan(sum).not())));
        // Thanks to the subnormal numbers, a difference is zero only if the numbers are equal.
        let finite = Term::all([x, y].map(|t| Term::ftest(FTest::Infinite, t).not()));
        let vanishes = Term::fcmp(FCmpOp::Eq, difference, zero);
        assert!(!is_sat(vanishes.and(Term::fcmp(FCmpOp::Eq, x, y).not()).and(finite)));
        assert!(is_sat(Term::fcmp(FCmpOp::Eq, sum, x).and(Term::fcmp(FCmpOp::Eq, y, zero).not()).and(finite)));
        // A number is not NaN, and only NaN is not equal to itself.
        assert!(!is_sat(Term::fcmp(FCmpOp::Eq, x, x).equals(nan(x))));
    }
}

#[test]
fn floats_in_memories() {
    let is_sat = |formula: Term| matches!(super::tests::ask(formula), Found::Sat(_));
    for ty in FORMATS {
        let scalar = Scalar::Float(ty);
        let (_, x) = variable(1, scalar);
        let (_, i) = variable(2, Scalar::Int(IntTy::U8));
        for cell in [Cell::Byte, Cell::Scalar(scalar)] {
            let m = Term::program_var(VarId(3), VarTy::Mem(cell));
            let stored = Term::store(scalar, m, i, x);
            let read = Term::load(scalar, stored, Term::int(8));
            assert!(!is_sat(i.equals(Term::int(8)).and(read.differs(x))));
            // What was there before comes with the model.
            let half = Term::float(Float::one(ty).div(Float::from_int(ty, &IBig::from(2))));
            let signaling = Term::float(Float::from_bits(ty, Float::inf(ty).bits + 1));
            let (a, b) = (Term::load(scalar, m, i), Term::load(scalar, m, Term::int(200)));
            assert!(is_sat(a.equals(half).and(b.equals(signaling)).and(read.equals(x))));
            assert!(!is_sat(a.equals(half).and(b.equals(signaling)).and(i.equals(Term::int(200)))));
        }
    }
}

#[test]
fn other_formats_and_fmod_have_no_circuit() {
    for ty in [FloatTy::F80, FloatTy::F128] {
        let (_, x) = variable(1, Scalar::Float(ty));
        assert!(Circuit::new(Term::ftest(FTest::Nan, x)).is_none());
        assert!(Circuit::new(Term::fto_int(IntTy::I32, x).equals(Term::int(3))).is_none());
        let m = Term::program_var(VarId(3), VarTy::Mem(Cell::Scalar(Scalar::Float(ty))));
        assert!(Circuit::new(Term::fbits(Term::load(Scalar::Float(ty), m, Term::int(3))).equals(Term::int(3))).is_none());
        let (_, y) = variable(1, Scalar::Float(FloatTy::F64));
        assert!(Circuit::new(Term::ftest(FTest::Nan, Term::fcast(ty, y))).is_none());
    }
    let (_, x) = variable(1, Scalar::Float(FloatTy::F64));
    assert!(Circuit::new(Term::ftest(FTest::Nan, Term::fbin(FBinOp::Rem, x, x))).is_none());
}

#[test]
fn nothing_is_known_of_the_sign_of_a_computed_nan() {
    for ty in FORMATS {
        let (_, x) = variable(1, Scalar::Float(ty));
        let zero = Term::fcmp(FCmpOp::Eq, x, Term::float(Float::zero(ty)));
        let sign = Term::ftest(FTest::SignBit, Term::fbin(FBinOp::Div, x, x));
        for claim in [sign, sign.not()] {
            let found = Circuit::new(zero.and(claim)).expect("a circuit").run(Duration::MAX, &Budget::unlimited());
            assert!(!matches!(found, Found::Unsat), "{claim}");
        }
    }
}
