//! The logical reading of an edge ([`Effect`]) and its execution agree: on random states and operations, the
//! interpreter reaches exactly the state that the effect's updates evaluate to.

mod support;

use plumb_cfa::interp::{Discard, Halt, Interpreter, Outcome, Replay, UbKind};
use plumb_cfa::{Effect, InputSource, Op, RegionId, Storage, Ub};
use plumb_term::eval::{eval, MemValue, Value};
use plumb_term::{Cell, FBinOp, FCmpOp, FTest, FUnOp, Float, FloatTy, IBig, IntTy, Scalar, Sort, Term, Var, VarId, VarTy};
use std::collections::BTreeMap;
use support::{set, Build, HEAP_BASE};

const BYTES: RegionId = RegionId(0);
const INTS: RegionId = RegionId(1);
const DOUBLES: RegionId = RegionId(2);
/// Address and size of the object of each region.
const OBJECTS: [(u64, u64); 3] = [(0x10000, 64), (0x20000, 64), (0x30000, 128)];
const FLOATS: [FloatTy; 4] = [FloatTy::F32, FloatTy::F64, FloatTy::F80, FloatTy::F128];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = self.0 ^ (self.0 >> 33);
        x.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 11
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    fn integer(&mut self) -> IBig {
        let near = IBig::from(self.below(5) as i64 - 2);
        match self.below(6) {
            0 | 1 => IBig::from(self.below(20) as i64 - 10),
            2 => IBig::from(self.next() as i64) - IBig::from(1u64 << 52),
            3 => (IBig::ONE << self.pick(&[7, 8, 15, 16, 31, 32, 63, 64, 126, 127, 128, 129, 200])) + near,
            4 => near - (IBig::ONE << self.pick(&[7, 8, 15, 31, 63, 64, 126, 127, 128])),
            _ => IBig::from(self.next()) * IBig::from(self.next()),
        }
    }

    fn float(&mut self, ty: FloatTy) -> Float {
        match self.below(4) {
            0 => Float::from_bits(ty, u128::from(self.next()) << 64 | u128::from(self.next()) << 20),
            1 => self.pick(&[
                Float::zero(ty),
                Float::one(ty),
                Float::inf(ty),
                Float::nan(ty),
                Float::max_finite(ty),
                Float::min_subnormal(ty),
            ]),
            _ => Float::from_int(ty, &IBig::from(self.below(2000) as i64 - 1000)).div(Float::from_int(ty, &IBig::from(16))),
        }
    }

    fn value(&mut self, ty: VarTy) -> Value {
        match ty {
            VarTy::Bool => Value::Bool(self.below(2) == 1),
            VarTy::Int => Value::Int(self.integer()),
            VarTy::Scalar(Scalar::Int(t)) => Value::Int(t.wrap(&self.integer())),
            VarTy::Scalar(Scalar::Float(t)) => Value::Float(self.float(t)),
            VarTy::Mem(c) => Value::Mem(MemValue::zero(c)),
        }
    }
}

fn constant(v: &Value) -> Term {
    match v {
        Value::Bool(b) => Term::bool(*b),
        Value::Int(v) => Term::int(v.clone()),
        Value::Float(f) => Term::float(*f),
        Value::Mem(_) => unreachable!("only scalars"),
    }
}

/// Random terms over the variables of a program.
struct Terms<'a> {
    r: &'a mut Random,
    vars: &'a [(VarId, VarTy)],
    memories: &'a [Term],
}

impl Terms<'_> {
    fn leaf(&mut self, sort: Sort) -> Term {
        let fitting: Vec<_> = self.vars.iter().filter(|v| v.1.sort() == sort).copied().collect();
        if !fitting.is_empty() && self.r.below(4) > 0 {
            let (id, ty) = self.r.pick(&fitting);
            return Term::program_var(id, ty);
        }
        match sort {
            Sort::Bool => Term::bool(self.r.below(2) == 1),
            Sort::Int => Term::int(self.r.integer()),
            Sort::Float(t) => Term::float(self.r.float(t)),
            Sort::Mem(_) => unreachable!("only scalars"),
        }
    }

    fn int_ty(&mut self) -> IntTy {
        IntTy { bits: self.r.pick(&[1, 3, 8, 16, 31, 32, 64, 128]), signed: self.r.below(2) == 1 }
    }

    fn int(&mut self, depth: u32) -> Term {
        if depth == 0 {
            return self.leaf(Sort::Int);
        }
        let d = depth - 1;
        match self.r.below(16) {
            0 => self.int(d).add(self.int(d)),
            1 => self.int(d).sub(self.int(d)),
            2 => self.int(d).mul(self.int(d)),
            3 => self.int(d).div(self.int(d)),
            4 => self.int(d).rem(self.int(d)),
            5 | 6 => {
                let ty = self.int_ty();
                self.int(d).wrap(ty)
            }
            7 => self.int(d).bit_and(self.int(d)),
            8 => self.int(d).bit_or(self.int(d)),
            9 => self.int(d).bit_xor(self.int(d)),
            10 => {
                let n = self.int(d).wrap(IntTy::unsigned(8));
                let n = if self.r.below(4) == 0 { n.sub(Term::int(3)) } else { n.wrap(IntTy::unsigned(6)) };
                self.int(d).shl(n)
            }
            11 => {
                let n = self.int(d).wrap(IntTy::signed(10));
                self.int(d).shr(n)
            }
            12 => Term::ite(self.boolean(d), self.int(d), self.int(d)),
            13 => {
                let (ty, float) = (self.int_ty(), self.r.pick(&FLOATS));
                Term::fto_int(ty, self.float(float, d))
            }
            14 => {
                let float = self.r.pick(&FLOATS);
                Term::fbits(self.float(float, d))
            }
            _ => self.load_int(d),
        }
    }

    fn load_int(&mut self, d: u32) -> Term {
        if self.r.below(2) == 0 {
            let ty = IntTy { bits: self.r.pick(&[8, 16, 24, 32, 64, 128]), signed: self.r.below(2) == 1 };
            let (m, a) = (self.memory(BYTES, d), self.address(BYTES, d));
            Term::load(Scalar::Int(ty), m, a)
        } else {
            let (m, a) = (self.memory(INTS, d), self.address(INTS, d));
            Term::load(support::INT, m, a)
        }
    }

    fn boolean(&mut self, depth: u32) -> Term {
        if depth == 0 {
            return self.leaf(Sort::Bool);
        }
        let d = depth - 1;
        match self.r.below(8) {
            0 => self.int(d).less_eq(self.int(d)),
            1 => self.int(d).equals(self.int(d)),
            2 => self.boolean(d).not(),
            3 => Term::all([self.boolean(d), self.boolean(d), self.boolean(d)]),
            4 => Term::any([self.boolean(d), self.boolean(d)]),
            5 => self.boolean(d).equals(self.boolean(d)),
            6 => {
                let op = self.r.pick(&[FCmpOp::Eq, FCmpOp::Lt, FCmpOp::Le]);
                let ty = self.r.pick(&FLOATS);
                Term::fcmp(op, self.float(ty, d), self.float(ty, d))
            }
            _ => {
                use FTest::*;
                let test = self.r.pick(&[Nan, Infinite, Normal, Subnormal, Zero, SignBit]);
                let ty = self.r.pick(&FLOATS);
                Term::ftest(test, self.float(ty, d))
            }
        }
    }

    fn float(&mut self, ty: FloatTy, depth: u32) -> Term {
        if depth == 0 {
            return self.leaf(Sort::Float(ty));
        }
        let d = depth - 1;
        match self.r.below(7) {
            0 | 1 => {
                use FBinOp::*;
                let op = self.r.pick(&[Add, Sub, Mul, Div, Rem, Min, Max, CopySign]);
                Term::fbin(op, self.float(ty, d), self.float(ty, d))
            }
            2 => {
                use FUnOp::*;
                let op = self.r.pick(&[Neg, Abs, Sqrt, Floor, Ceil, Trunc, Round, Rint]);
                Term::fun(op, self.float(ty, d))
            }
            3 => Term::ffrom_int(ty, self.int(d)),
            4 => {
                let from = self.r.pick(&FLOATS);
                Term::fcast(ty, self.float(from, d))
            }
            5 => Term::ffrom_bits(ty, self.int(d)),
            _ if ty == FloatTy::F64 && self.r.below(2) == 0 => {
                let (m, a) = (self.memory(DOUBLES, d), self.address(DOUBLES, d));
                Term::load(Scalar::Float(ty), m, a)
            }
            _ => {
                let (m, a) = (self.memory(BYTES, d), self.address(BYTES, d));
                Term::load(Scalar::Float(ty), m, a)
            }
        }
    }

    /// An address at which any access of the region's types lies in its object.
    fn address(&mut self, region: RegionId, depth: u32) -> Term {
        let base = Term::int(OBJECTS[region.0 as usize].0);
        if region == BYTES {
            let i = self.int(depth.min(1)).wrap(IntTy::unsigned(5));
            let j = Term::int(self.r.below(16));
            base.add(i).add(j)
        } else {
            let stride = if region == INTS { 4 } else { 8 };
            base.add(self.int(depth.min(1)).wrap(IntTy::unsigned(4)).scale(&IBig::from(stride)))
        }
    }

    /// A memory that the region's variable may take.
    fn memory(&mut self, region: RegionId, depth: u32) -> Term {
        if depth == 0 || self.r.below(3) == 0 {
            return self.memories[region.0 as usize];
        }
        let d = depth - 1;
        match self.r.below(12) {
            0 => Term::zero_mem(match self.memories[region.0 as usize].sort() {
                Sort::Mem(c) => c,
                _ => unreachable!("memories"),
            }),
            1 => Term::ite(self.boolean(d), self.memory(region, d), self.memory(region, d)),
            2..=4 => {
                let cut = if region == BYTES { 1 } else { 8 };
                let lo = Term::int(OBJECTS[region.0 as usize].0).add(self.int(0).wrap(IntTy::unsigned(2)).scale(&IBig::from(cut)));
                let len = self.int(0).wrap(IntTy::signed(3)).scale(&IBig::from(cut));
                let src = if self.r.below(2) == 0 {
                    match self.memories[region.0 as usize].sort() {
                        Sort::Mem(c) => Term::zero_mem(c),
                        _ => unreachable!("memories"),
                    }
                } else {
                    self.memory(region, d)
                };
                Term::splice(self.memory(region, d), src, lo, len)
            }
            _ => {
                let inner = self.memory(region, d);
                let addr = self.address(region, d);
                let (ty, value) = match region {
                    BYTES if self.r.below(3) == 0 => {
                        let ty = self.r.pick(&FLOATS);
                        (Scalar::Float(ty), self.float(ty, d))
                    }
                    BYTES => {
                        let ty = IntTy { bits: self.r.pick(&[8, 16, 24, 32, 64, 128]), signed: self.r.below(2) == 1 };
                        (Scalar::Int(ty), self.int(d).wrap(ty))
                    }
                    INTS => (support::INT, self.int(d).wrap(IntTy::I32)),
                    _ => (Scalar::Float(FloatTy::F64), self.float(FloatTy::F64, d)),
                };
                Term::store(ty, inner, addr, value)
            }
        }
    }

    fn of_type(&mut self, ty: VarTy, depth: u32) -> Term {
        match ty {
            VarTy::Bool => self.boolean(depth),
            VarTy::Int => self.int(depth),
            VarTy::Scalar(Scalar::Int(t)) => self.int(depth).wrap(t),
            VarTy::Scalar(Scalar::Float(t)) => self.float(t, depth),
            VarTy::Mem(_) => unreachable!("only scalars"),
        }
    }
}

/// What the state is before the edge.
type State = BTreeMap<VarId, Value>;

struct Case {
    build: Build,
    vars: Vec<(VarId, VarTy)>,
    memories: Vec<Term>,
    before: State,
}

fn case(r: &mut Random) -> Case {
    let mut b = Build::new();
    let entry = b.program.entry;
    let mut types = vec![VarTy::Bool, VarTy::Bool, VarTy::Int];
    for (bits, signed) in [(1, false), (8, true), (16, false), (32, true), (32, false), (64, true), (64, false), (128, true), (128, false)]
    {
        types.push(VarTy::Scalar(Scalar::Int(IntTy { bits, signed })));
    }
    types.extend(FLOATS.map(|t| VarTy::Scalar(Scalar::Float(t))));
    let vars: Vec<(VarId, VarTy)> = types.iter().map(|ty| (b.local(entry, "x", *ty), *ty)).collect();
    for (cell, (addr, size)) in [Cell::Byte, Cell::Scalar(support::INT), Cell::Scalar(Scalar::Float(FloatTy::F64))].into_iter().zip(OBJECTS)
    {
        let region = b.region(cell);
        b.object(addr, size, region, None);
    }
    let memories = (0..3).map(|i| b.program.memory(RegionId(i))).collect();
    let mut before: State = vars.iter().map(|(v, ty)| (*v, r.value(*ty))).collect();
    before.insert(b.program.heap_top, Value::Int(IBig::from(HEAP_BASE)));
    for region in &b.program.regions {
        before.insert(region.var, Value::Mem(MemValue::zero(region.cell)));
    }
    Case { build: b, vars, memories, before }
}

/// A memory with random contents in a range.
fn contents(r: &mut Random, region: RegionId, lo: u64, hi: u64, cell: Cell) -> MemValue {
    let mut m = MemValue::zero(cell);
    let step = match region {
        BYTES => 1,
        INTS => 4,
        _ => 8,
    };
    for a in (lo..hi).step_by(step) {
        let v = match cell {
            Cell::Byte => IBig::from(r.below(256)),
            Cell::Scalar(Scalar::Int(t)) => t.wrap(&r.integer()),
            Cell::Scalar(Scalar::Float(t)) => IBig::from(r.float(t).bits),
        };
        m.set(IBig::from(a), v);
    }
    m
}

/// Loads that show all cells of a range, with new variables that take them.
fn probes(b: &mut Build, region: RegionId, lo: u64, hi: u64) -> Vec<(VarId, Term, Op)> {
    let entry = b.program.entry;
    let ty = match region {
        BYTES => Scalar::Int(IntTy::U8),
        INTS => support::INT,
        _ => Scalar::Float(FloatTy::F64),
    };
    let mut out = Vec::new();
    for a in (lo..hi).step_by(ty.bytes() as usize) {
        let v = b.local(entry, "probe", VarTy::Scalar(ty));
        let t = b.load(region, ty, Term::int(a));
        out.push((v, t, set(v, t)));
    }
    out
}

/// Executes `op` from the state and compares with its logical reading.
fn check(mut c: Case, op: Op, inputs: Vec<Value>, initial: BTreeMap<RegionId, MemValue>, ranges: &[(RegionId, u64, u64)]) {
    let b = &mut c.build;
    for (region, m) in &initial {
        c.before.insert(b.mem_var(*region), Value::Mem(m.clone()));
    }
    let entry = b.program.entry;
    let mut ops: Vec<Op> = vec![b.set_heap()];
    ops.extend(c.vars.iter().map(|(v, _)| set(*v, constant(&c.before[v]))));
    ops.push(op.clone());
    let mut shown = Vec::new();
    for (region, lo, hi) in ranges {
        shown.extend(probes(b, *region, *lo, *hi));
    }
    ops.extend(shown.iter().map(|s| s.2.clone()));
    b.body(entry, ops);
    // The status is not what this is about.
    b.program.functions[0].result = None;

    let effect = Effect::of(&op, &b.program).expect("an operation with a logical reading");
    let given: BTreeMap<VarId, Value> = effect.inputs.iter().map(|i| i.var.id).zip(inputs.iter().cloned()).collect();
    assert_eq!(given.len(), inputs.len(), "one value for each input of {op:?}");
    let before = c.before.clone();
    let env = |v: Var| given.get(&v.id).or_else(|| before.get(&v.id)).cloned();
    let admitted = eval(effect.assume, &env) == Some(Value::Bool(true));
    let mut after = before.clone();
    for (v, t) in &effect.updates {
        after.insert(*v, eval(*t, &env).unwrap_or_else(|| panic!("{t:?} has a value")));
    }

    let replay = Replay::new(inputs, initial);
    let mut interpreter = Interpreter::new(&b.program, Box::new(replay), Box::new(Discard), support::limits());
    let outcome = interpreter.run();
    let context = || format!("{op:?}\nfrom {before:?}");
    if !admitted {
        match op {
            Op::Assume(_) => assert!(matches!(outcome, Outcome::Halted { halt: Halt::Blocked, .. }), "{outcome:?}: {}", context()),
            Op::Guard { ub, .. } => {
                assert!(matches!(outcome, Outcome::Undefined { ub: UbKind::Guard(u), .. } if u == ub), "{outcome:?}: {}", context());
            }
            _ => unreachable!("only assumptions and guards can fail"),
        }
        return;
    }
    assert_eq!(outcome, Outcome::Exit(0), "{}", context());
    for (v, _) in c.vars.iter().chain([&(b.program.heap_top, VarTy::Int)]) {
        assert_eq!(interpreter.value(*v), Some(after[v].clone()), "variable {} after {}", v.0, context());
    }
    let later = |v: Var| after.get(&v.id).cloned();
    for (v, t, _) in &shown {
        assert_eq!(interpreter.value(*v), eval(*t, &later), "{t:?} after {}", context());
    }
}

fn all_objects() -> Vec<(RegionId, u64, u64)> {
    OBJECTS.iter().enumerate().map(|(i, (addr, size))| (RegionId(i as u32), *addr, addr + size)).collect()
}

fn initial(r: &mut Random, c: &Case) -> BTreeMap<RegionId, MemValue> {
    let regions = c.build.program.regions.iter().enumerate();
    regions
        .map(|(i, region)| {
            let (addr, size) = OBJECTS[i];
            let id = RegionId(i as u32);
            (id, contents(r, id, addr, addr + size, region.cell))
        })
        .collect()
}

fn cases() -> u64 {
    std::env::var("PLUMB_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(1500)
}

#[test]
fn assignments() {
    for seed in 0..cases() {
        let r = &mut Random(seed);
        let c = case(r);
        let mut updates: Vec<(VarId, Term)> = Vec::new();
        let mut terms = Terms { r, vars: &c.vars, memories: &c.memories };
        for (v, ty) in &c.vars {
            if terms.r.below(3) == 0 {
                updates.push((*v, terms.of_type(*ty, 4)));
            }
        }
        for i in 0..3 {
            if terms.r.below(2) == 0 {
                updates.push((c.build.mem_var(RegionId(i)), terms.memory(RegionId(i), 5)));
            }
        }
        let start = initial(r, &c);
        check(c, Op::Assign(updates), Vec::new(), start, &all_objects());
    }
}

#[test]
fn single_assignments() {
    for seed in 0..cases() {
        let r = &mut Random(seed ^ 0x5555_0000);
        let c = case(r);
        let mut terms = Terms { r, vars: &c.vars, memories: &c.memories };
        let (v, ty) = terms.r.pick(&c.vars);
        let op = match terms.r.below(2) {
            0 => set(v, terms.of_type(ty, 6)),
            _ => {
                let region = RegionId(terms.r.below(3) as u32);
                Op::Assign(vec![(c.build.mem_var(region), terms.memory(region, 3))])
            }
        };
        let start = initial(r, &c);
        check(c, op, Vec::new(), start, &all_objects());
    }
}

#[test]
fn assumptions_and_guards() {
    for seed in 0..cases() {
        let r = &mut Random(seed ^ 0xaaaa_0000);
        let c = case(r);
        let mut terms = Terms { r, vars: &c.vars, memories: &c.memories };
        let cond = terms.boolean(6);
        let op = if seed % 2 == 0 { Op::Assume(cond) } else { Op::Guard { cond, ub: Ub::ShiftCount } };
        let start = initial(r, &c);
        check(c, op, Vec::new(), start, &all_objects());
    }
}

#[test]
fn inputs_of_variables() {
    for seed in 0..cases() / 4 {
        let r = &mut Random(seed ^ 0x1234_0000);
        let c = case(r);
        let (var, ty) = r.pick(&c.vars);
        let value = r.value(ty);
        check(c, Op::Havoc { var, source: InputSource::Nondet("x".to_owned()) }, vec![value], BTreeMap::new(), &all_objects());
    }
}

#[test]
fn inputs_of_memory() {
    for seed in 0..cases() / 4 {
        let r = &mut Random(seed ^ 0x4321_0000);
        let c = case(r);
        let region = RegionId(r.below(3) as u32);
        let (addr, size) = OBJECTS[region.0 as usize];
        let unit = if region == BYTES { 1 } else { 8 };
        let (lo, len) = if r.below(3) == 0 { (0, size) } else { (unit * r.below(4), unit * r.below(5)) };
        let cell = c.build.program.region(region).cell;
        let fresh = contents(r, region, addr, addr + size, cell);
        let op = Op::HavocMem { region, addr: Term::int(addr + lo), len: Term::int(len) };
        let start = initial(r, &c);
        check(c, op, vec![Value::Mem(fresh)], start, &all_objects());
    }
}

#[test]
fn allocations() {
    for seed in 0..cases() / 4 {
        let r = &mut Random(seed ^ 0x7777_0000);
        let mut c = case(r);
        let entry = c.build.program.entry;
        let dst = c.build.local(entry, "p", support::U32);
        c.vars.push((dst, support::U32));
        c.before.insert(dst, Value::Int(IBig::ZERO));
        let region = RegionId(r.below(3) as u32);
        let size = 8 * r.below(9);
        let cell = c.build.program.region(region).cell;
        let heap = contents(r, region, HEAP_BASE, HEAP_BASE + 80, cell);
        let mut start = BTreeMap::new();
        start.insert(region, heap);
        let zeroed = r.below(2) == 0;
        let op = Op::Alloc { dst, size: Term::int(size), region, storage: Storage::Heap, zeroed };
        let mut ranges = all_objects();
        ranges.push((region, HEAP_BASE, HEAP_BASE + size));
        check(c, op, Vec::new(), start, &ranges);
    }
}
