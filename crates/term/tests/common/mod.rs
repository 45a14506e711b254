//! Random terms of every operator, and random values.

use plumb_term::eval::{MemValue, Value};
use plumb_term::{Cell, FBinOp, FCmpOp, FTest, FUnOp, Float, FloatTy, IBig, IntTy, Scalar, Sort, Term, Var, VarId, VarTy};

/// How many cases to run: `fast` in CI, or what `PLUMB_CASES` says.
pub fn cases(fast: u64) -> u64 {
    std::env::var("PLUMB_CASES").ok().and_then(|s| s.parse().ok()).unwrap_or(fast)
}

/// SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// A number with an interesting size.
    pub fn number(&mut self) -> IBig {
        let raw = match self.below(4) {
            0 => IBig::from(self.below(8)),
            1 => IBig::ONE << self.below(130),
            2 => IBig::from(self.wide() >> self.below(128)),
            _ => IBig::from(self.below(300)),
        };
        let near = raw + IBig::from(self.below(3)) - IBig::ONE;
        if self.one_in(3) {
            -near
        } else {
            near
        }
    }

    pub fn value_of(&mut self, ty: IntTy) -> IBig {
        match self.below(4) {
            0 => ty.min(),
            1 => ty.max(),
            _ => ty.wrap(&self.number()),
        }
    }

    /// Patterns of every class, the odd x87 ones included.
    pub fn float(&mut self, ty: FloatTy) -> Float {
        match self.below(8) {
            0 => self.pick(&[Float::zero(ty), Float::zero(ty).neg(), Float::one(ty), Float::inf(ty), Float::inf(ty).neg()]),
            1 => self.pick(&[Float::nan(ty), Float::max_finite(ty), Float::min_positive(ty), Float::min_subnormal(ty)]),
            2 | 3 => Float::from_int(ty, &IBig::from(self.below(2000) as i64 - 1000)),
            4 => Float::from_int(ty, &self.number()),
            5 => {
                let a = Float::from_int(ty, &self.number());
                a.div(Float::from_int(ty, &IBig::from(1 + self.below(9))))
            }
            _ => Float::from_bits(ty, self.wide()),
        }
    }
}

pub const FORMATS: [FloatTy; 4] = [FloatTy::F32, FloatTy::F64, FloatTy::F80, FloatTy::F128];

pub const CELLS: [Cell; 6] = [
    Cell::Byte,
    Cell::Byte,
    Cell::Scalar(Scalar::Int(IntTy::I32)),
    Cell::Scalar(Scalar::Int(IntTy::U64)),
    Cell::Scalar(Scalar::Float(FloatTy::F64)),
    Cell::Scalar(Scalar::Float(FloatTy::F80)),
];

/// What a generator may use.
#[derive(Clone, Copy)]
pub struct Menu {
    /// Variables over all of ℤ.
    pub unbounded: bool,
    pub floats: bool,
    pub memories: bool,
}

pub struct Terms {
    pub random: Random,
    pub menu: Menu,
}

impl Terms {
    pub fn new(seed: u64, menu: Menu) -> Terms {
        Terms { random: Random::new(seed), menu }
    }

    fn var(&mut self, base: u32, ty: VarTy) -> Term {
        let id = VarId(base + self.random.below(2) as u32);
        Term::program_var(id, ty)
    }

    pub fn int_ty(&mut self) -> IntTy {
        let bits = self.random.pick(&[1, 5, 8, 8, 16, 32, 32, 32, 33, 64, 64, 128]);
        IntTy { bits, signed: self.random.one_in(2) }
    }

    pub fn of_sort(&mut self, sort: Sort, depth: u32) -> Term {
        match sort {
            Sort::Bool => self.boolean(depth),
            Sort::Int => self.int(depth),
            Sort::Float(ty) => self.float(ty, depth),
            Sort::Mem(c) => self.memory(c, depth),
        }
    }

    pub fn any_sort(&mut self) -> Sort {
        loop {
            match self.random.below(8) {
                0 | 1 => return Sort::Bool,
                2..=5 => return Sort::Int,
                6 if self.menu.floats => return Sort::Float(self.random.pick(&FORMATS)),
                7 if self.menu.memories => return Sort::Mem(self.cell()),
                _ => {}
            }
        }
    }

    fn cell(&mut self) -> Cell {
        loop {
            let c = self.random.pick(&CELLS);
            if self.menu.floats || !matches!(c, Cell::Scalar(Scalar::Float(_))) {
                return c;
            }
        }
    }

    pub fn boolean(&mut self, depth: u32) -> Term {
        if depth == 0 {
            return if self.random.one_in(4) { Term::bool(self.random.one_in(2)) } else { self.var(0, VarTy::Bool) };
        }
        let d = depth - 1;
        match self.random.below(13) {
            0 => self.boolean(d).not(),
            1 => Term::all([self.boolean(d), self.boolean(d), self.boolean(d)]),
            2 => Term::any([self.boolean(d), self.boolean(d), self.boolean(d)]),
            3 => Term::ite(self.boolean(d), self.boolean(d), self.boolean(d)),
            4 => self.boolean(d).equals(self.boolean(d)),
            5 => self.int(d).equals(self.int(d)),
            6 | 7 => self.int(d).less_eq(self.int(d)),
            8 => self.int(d).less(self.int(d)),
            9 if self.menu.memories => {
                let c = self.cell();
                self.memory(c, d).equals(self.memory(c, d))
            }
            10 | 11 if self.menu.floats => {
                let ty = self.random.pick(&FORMATS);
                let op = self.random.pick(&[FCmpOp::Eq, FCmpOp::Lt, FCmpOp::Le]);
                Term::fcmp(op, self.float(ty, d), self.float(ty, d))
            }
            12 if self.menu.floats => {
                let ty = self.random.pick(&FORMATS);
                let test = self.random.pick(&[FTest::Nan, FTest::Infinite, FTest::Normal, FTest::Subnormal, FTest::Zero, FTest::SignBit]);
                Term::ftest(test, self.float(ty, d))
            }
            _ => self.int(d).differs(self.int(d)),
        }
    }

    pub fn int(&mut self, depth: u32) -> Term {
        if depth == 0 {
            if self.menu.unbounded && self.random.one_in(5) {
                return self.var(100, VarTy::Int);
            }
            if self.random.one_in(3) {
                return Term::int(self.random.number());
            }
            let ty = self.int_ty();
            return self.var(10, VarTy::Scalar(Scalar::Int(ty)));
        }
        let d = depth - 1;
        match self.random.below(20) {
            0 | 1 => self.int(d).add(self.int(d)),
            2 => self.int(d).sub(self.int(d)),
            3 => {
                let k = self.random.number();
                self.int(d).scale(&k)
            }
            4 => self.int(d).mul(self.int(d)),
            5 => self.int(d).div(self.int(d)),
            6 => self.int(d).rem(self.int(d)),
            7..=10 => {
                let ty = self.int_ty();
                self.int(d).wrap(ty)
            }
            11 => self.int(d).bit_and(self.int(d)),
            12 => self.int(d).bit_or(self.int(d)),
            13 => self.int(d).bit_xor(self.int(d)),
            14 => {
                let n = self.count(d);
                let shifted = self.int(d).shl(n);
                let ty = self.int_ty();
                if self.random.one_in(3) {
                    shifted
                } else {
                    shifted.wrap(ty)
                }
            }
            15 => {
                let n = self.count(d);
                self.int(d).shr(n)
            }
            16 => Term::ite(self.boolean(d), self.int(d), self.int(d)),
            17 if self.menu.memories => {
                let ty = self.int_ty();
                self.load(Scalar::Int(ty), d)
            }
            18 if self.menu.floats => {
                let (ty, to) = (self.random.pick(&FORMATS), self.int_ty());
                Term::fto_int(to, self.float(ty, d))
            }
            19 if self.menu.floats => {
                let ty = self.random.pick(&FORMATS);
                Term::fbits(self.float(ty, d))
            }
            _ => self.int(d).bit_not(),
        }
    }

    pub fn count(&mut self, depth: u32) -> Term {
        match self.random.below(3) {
            0 => Term::int(self.random.below(70) as i64 - 2),
            1 => {
                let ty = self.random.pick(&[IntTy::U8, IntTy::I32, IntTy::unsigned(5), IntTy::signed(8)]);
                self.var(20, VarTy::Scalar(Scalar::Int(ty)))
            }
            _ => self.int(depth).wrap(IntTy::unsigned(6)),
        }
    }

    pub fn float(&mut self, ty: FloatTy, depth: u32) -> Term {
        if depth == 0 {
            if self.random.one_in(4) {
                return Term::float(self.random.float(ty));
            }
            return self.var(30, VarTy::Scalar(Scalar::Float(ty)));
        }
        let d = depth - 1;
        match self.random.below(10) {
            0..=3 => {
                let op =
                    self.random.pick(&[FBinOp::Add, FBinOp::Sub, FBinOp::Mul, FBinOp::Div, FBinOp::Min, FBinOp::Max, FBinOp::CopySign]);
                Term::fbin(op, self.float(ty, d), self.float(ty, d))
            }
            4 => {
                let op = self.random.pick(&[FUnOp::Neg, FUnOp::Abs, FUnOp::Sqrt, FUnOp::Floor, FUnOp::Ceil]);
                Term::fun(op, self.float(ty, d))
            }
            5 => {
                let op = self.random.pick(&[FUnOp::Trunc, FUnOp::Round, FUnOp::Rint]);
                Term::fun(op, self.float(ty, d))
            }
            6 => {
                let from = self.int_ty();
                Term::ffrom_int(ty, self.int(d).wrap(from))
            }
            7 => {
                let from = self.random.pick(&FORMATS);
                Term::fcast(ty, self.float(from, d))
            }
            8 => Term::ffrom_bits(ty, self.int(d).wrap(IntTy::unsigned(ty.bits() as u16))),
            _ if self.menu.memories => self.load(Scalar::Float(ty), d),
            _ => Term::ite(self.boolean(d), self.float(ty, d), self.float(ty, d)),
        }
    }

    /// A small nonnegative number.
    pub fn address(&mut self) -> Term {
        let base = match self.random.below(3) {
            0 => return Term::int(self.random.below(24) as i64),
            1 => self.var(40, VarTy::Scalar(Scalar::Int(IntTy::unsigned(4)))),
            _ => self.var(40, VarTy::Scalar(Scalar::Int(IntTy::unsigned(5)))),
        };
        base.plus(self.random.below(6) as i64)
    }

    fn load(&mut self, ty: Scalar, depth: u32) -> Term {
        let cell = match self.random.below(3) {
            0 if CELLS.contains(&Cell::Scalar(ty)) => Cell::Scalar(ty),
            _ => Cell::Byte,
        };
        let addr = self.address();
        Term::load(ty, self.memory(cell, depth), addr)
    }

    pub fn memory(&mut self, cell: Cell, depth: u32) -> Term {
        if depth == 0 {
            return if self.random.one_in(4) { Term::zero_mem(cell) } else { self.var(50, VarTy::Mem(cell)) };
        }
        let d = depth - 1;
        match self.random.below(6) {
            0..=2 => {
                let ty = match cell {
                    Cell::Scalar(s) => s,
                    Cell::Byte if self.menu.floats && self.random.one_in(3) => Scalar::Float(self.random.pick(&FORMATS)),
                    Cell::Byte => Scalar::Int(self.int_ty()),
                };
                let value = match ty {
                    Scalar::Int(t) => {
                        let v = self.int(d);
                        if self.random.one_in(6) {
                            v
                        } else {
                            v.wrap(t)
                        }
                    }
                    Scalar::Float(t) => self.float(t, d),
                };
                let addr = self.address();
                Term::store(ty, self.memory(cell, d), addr, value)
            }
            3 => Term::ite(self.boolean(d), self.memory(cell, d), self.memory(cell, d)),
            _ => {
                let len = match self.random.below(4) {
                    0 => Term::int(self.random.below(12) as i64),
                    1 => Term::int(100),
                    2 => self.var(60, VarTy::Scalar(Scalar::Int(IntTy::signed(5)))),
                    _ => self.var(60, VarTy::Scalar(Scalar::Int(IntTy::I32))),
                };
                let lo = self.address();
                Term::splice(self.memory(cell, d), self.memory(cell, d), lo, len)
            }
        }
    }

    /// A value for a variable.
    pub fn value(&mut self, v: Var) -> Value {
        match v.ty {
            VarTy::Bool => Value::Bool(self.random.one_in(2)),
            VarTy::Int => Value::Int(self.random.number()),
            VarTy::Scalar(Scalar::Int(t)) => Value::Int(self.random.value_of(t)),
            VarTy::Scalar(Scalar::Float(t)) => Value::Float(self.random.float(t)),
            VarTy::Mem(c) => {
                let mut m = MemValue::zero(c);
                for _ in 0..self.random.below(6) {
                    let at = IBig::from(self.random.below(40));
                    let value = match c {
                        Cell::Byte => IBig::from(self.random.below(256)),
                        Cell::Scalar(Scalar::Int(t)) => self.random.value_of(t),
                        Cell::Scalar(Scalar::Float(t)) => IBig::from(self.random.float(t).bits),
                    };
                    m.set(at, value);
                }
                Value::Mem(m)
            }
        }
    }
}

/// The term that has this value (memories: with a background of zeros).
pub fn literal(v: &Value) -> Term {
    match v {
        Value::Bool(b) => Term::bool(*b),
        Value::Int(v) => Term::int(v.clone()),
        Value::Float(f) => Term::float(*f),
        Value::Mem(m) => {
            assert_eq!(*m.background(), IBig::ZERO);
            let mut t = Term::zero_mem(m.cell());
            for (lo, hi, v) in m.runs() {
                let mut at = lo.clone();
                while at < *hi {
                    let (ty, value) = match m.cell() {
                        Cell::Byte => (Scalar::Int(IntTy::U8), Term::int(v.clone())),
                        Cell::Scalar(s @ Scalar::Int(_)) => (s, Term::int(v.clone())),
                        Cell::Scalar(s @ Scalar::Float(f)) => (s, Term::float(Float::from_bits(f, u128::try_from(v).expect("a pattern")))),
                    };
                    t = Term::store(ty, t, Term::int(at.clone()), value);
                    at += IBig::ONE;
                }
            }
            t
        }
    }
}
