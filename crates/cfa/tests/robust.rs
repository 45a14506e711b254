//! No program makes the interpreter panic, however malformed: random operations with random (also ill-sorted, also
//! foreign) operands, under small limits, strict or not.

mod support;

use plumb_cfa::interp::{Collected, Interpreter, Limits, Outcome, Random as RandomInputs, Recorder};
use plumb_cfa::{FuncId, InputSource, Loc, Op, RegionId, Storage, Ub};
use plumb_term::{Cell, FBinOp, Float, FloatTy, IBig, IntTy, Scalar, Term, VarId, VarTy};
use support::{Build, I32, U32};

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn scalar(&mut self) -> Scalar {
        match self.below(4) {
            0 => Scalar::Float([FloatTy::F32, FloatTy::F64, FloatTy::F80, FloatTy::F128][self.below(4) as usize]),
            _ => Scalar::Int(IntTy { bits: [1, 8, 13, 32, 64, 128][self.below(6) as usize], signed: self.below(2) == 0 }),
        }
    }

    fn var(&mut self, b: &Build) -> Term {
        let n = b.program.vars.len() as u64;
        let id = VarId(self.below(n + 1) as u32);
        match b.program.vars.get(id.0 as usize) {
            Some(info) if self.below(50) > 0 => Term::program_var(id, info.ty),
            _ => Term::program_var(id, VarTy::Int),
        }
    }

    fn value(&mut self, b: &Build, depth: u32) -> Term {
        if depth == 0 {
            return match self.below(6) {
                0 => Term::int(IBig::ONE << self.below(200) as usize),
                1 => Term::int([0x10000, 0x20000, 0x20010, support::HEAP_BASE][self.below(4) as usize] + self.below(12)),
                2 => Term::int(self.below(40) as i64 - 8),
                3 => Term::float(Float::one(FloatTy::F64)),
                _ => loop {
                    let t = self.var(b);
                    if !matches!(t.sort(), plumb_term::Sort::Mem(_)) {
                        break t;
                    }
                },
            };
        }
        let d = depth - 1;
        let (x, y) = (self.value(b, d), self.value(b, d));
        let ints = x.sort() == plumb_term::Sort::Int && y.sort() == plumb_term::Sort::Int;
        match self.below(9) {
            0 if ints => x.add(y),
            1 if ints => x.mul(y),
            2 if ints => x.div(y),
            3 if ints => x.shl(y),
            4 if ints => x.shr(y).bit_or(y),
            5 if ints => x.wrap(IntTy::unsigned(6)),
            6 if x.sort() == y.sort() => Term::ite(Term::int(3).less(self.value(b, 0).wrap_if_int()), x, y),
            7 => {
                let (ty, m) = (self.scalar(), self.memory(b, d));
                Term::load(ty, m, x)
            }
            _ => Term::fbin(FBinOp::Add, x, y),
        }
    }

    fn memory(&mut self, b: &Build, depth: u32) -> Term {
        let region = RegionId(self.below(2) as u32);
        if depth == 0 {
            return b.program.memory(region);
        }
        let d = depth - 1;
        let (inner, addr) = (self.memory(b, d), self.value(b, 0));
        match self.below(4) {
            0 => Term::zero_mem(b.program.region(region).cell),
            1 => {
                let len = self.value(b, 0);
                Term::splice(inner, self.memory(b, d), addr, len)
            }
            _ => {
                let (ty, value) = (self.scalar(), self.value(b, d));
                Term::store(ty, inner, addr, value)
            }
        }
    }

    fn op(&mut self, b: &Build) -> Op {
        let var = VarId(self.below(b.program.vars.len() as u64 + 1) as u32);
        let region = RegionId(self.below(3) as u32);
        match self.below(14) {
            0 => Op::Skip,
            1 => Op::Assume(Term::int(1).less_eq(self.value(b, 2).wrap_if_int())),
            2 => Op::Guard { cond: self.value(b, 1), ub: Ub::Overlap },
            3 | 4 => Op::Assign(vec![(var, self.value(b, 3))]),
            5 | 6 => Op::Assign(vec![(b.mem_var(RegionId(region.0 % 2)), self.memory(b, 3)), (var, self.value(b, 2))]),
            7 => Op::Havoc { var, source: InputSource::Uninit(String::new()) },
            8 => Op::HavocMem { region, addr: self.value(b, 0), len: self.value(b, 0) },
            9 => Op::EndLife { addr: self.value(b, 1) },
            10 => {
                let storage = [Storage::Heap, Storage::Frame, Storage::Block][self.below(3) as usize];
                Op::Alloc { dst: var, size: self.value(b, 0), region, storage, zeroed: self.below(2) == 0 }
            }
            11 => Op::Free { addr: self.value(b, 1) },
            12 => Op::Call { func: FuncId(self.below(3) as u32), args: vec![self.value(b, 1)], dst: (self.below(2) == 0).then_some(var) },
            _ => {
                let args = (0..self.below(4)).map(|_| (self.scalar(), self.value(b, 1))).collect();
                let name = ["printf", "puts", "fputs:", "putchar", "fwrite", "vprintf", "perror", "nothing"][self.below(8) as usize];
                Op::Output { name: name.to_owned(), args, dst: Some(var) }
            }
        }
    }
}

trait WrapIfInt {
    fn wrap_if_int(self) -> Term;
}

impl WrapIfInt for Term {
    /// Any value as an integer, so that it can be compared.
    fn wrap_if_int(self) -> Term {
        match self.sort() {
            plumb_term::Sort::Float(_) => Term::fbits(self),
            _ => self.wrap(IntTy::I64),
        }
    }
}

#[test]
fn no_program_makes_it_panic() {
    let mut ends = [0u32; 8];
    for seed in 0..6000 {
        let r = &mut Random(seed);
        let mut b = Build::new();
        let f = b.function("f", Some(I32));
        b.param(f, "p", U32);
        for ty in [VarTy::Bool, VarTy::Int, I32, U32, VarTy::Scalar(Scalar::Float(FloatTy::F64))] {
            b.local(FuncId(0), "x", ty);
            b.local(f, "y", ty);
        }
        let (bytes, ints) = (b.region(Cell::Byte), b.region(Cell::Scalar(support::INT)));
        b.object(0x10000, 12, bytes, None);
        b.object(0x20000, 12, ints, None);
        b.object(0x20010, 4, ints, Some(f));
        for func in [FuncId(0), f] {
            for _ in 0..4 {
                b.loc(func);
            }
            for _ in 0..12 {
                let (from, to) = (Loc(r.below(6) as u32), Loc(r.below(6) as u32));
                let op = if r.below(12) == 0 { b.set_heap() } else { r.op(&b) };
                b.edge(func, from, to, op);
            }
        }
        let limits = Limits { steps: 300, memory: 1 << 16, call_depth: 12 };
        let inputs = Box::new(RandomInputs::new(seed));
        let mut run = Interpreter::new(&b.program, inputs, Box::new(Collected::default()), limits).recording(Recorder::last(5));
        if seed % 2 == 0 {
            run = run.strict();
        }
        let outcome = run.run();
        ends[match outcome {
            Outcome::Exit(_) => 0,
            Outcome::Halted { .. } => 1,
            Outcome::Error { .. } => 2,
            Outcome::Undefined { .. } => 3,
            Outcome::Unsupported { .. } => 4,
            Outcome::LimitReached(_) => 5,
            Outcome::BadInput { .. } => 6,
            Outcome::InternalError { .. } => 7,
        }] += 1;
    }
    assert!(ends[0] > 0 && ends[1] > 20 && ends[3] > 100 && ends[5] > 20 && ends[7] > 100, "all kinds of ends are met: {ends:?}");
}
