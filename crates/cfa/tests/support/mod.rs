//! Programs built by hand.
#![allow(dead_code)]

use plumb_cfa::interp::{Collected, Inputs, Interpreter, Limits, Outcome, Zero};
use plumb_cfa::{
    DataModel, FuncId, Function, Graph, Layout, Loc, LocInfo, Object, Op, Program, Region, RegionId, Semantics, VarInfo, VarKind,
};
use plumb_term::{Cell, IntTy, Scalar, SourceMap, Span, Term, VarId, VarTy};

pub const I32: VarTy = VarTy::Scalar(Scalar::Int(IntTy::I32));
pub const U32: VarTy = VarTy::Scalar(Scalar::Int(IntTy::U32));
pub const INT: Scalar = Scalar::Int(IntTy::I32);
pub const HEAP_BASE: u64 = 0x10_0000;

pub struct Build {
    pub program: Program,
}

impl Build {
    /// A program with an empty entry function (0) that has a result.
    pub fn new() -> Build {
        Build::with_model(DataModel::Ilp32)
    }

    pub fn with_model(model: DataModel) -> Build {
        let program = Program {
            semantics: Semantics { model, ..Semantics::default() },
            sources: SourceMap::new(),
            vars: Vec::new(),
            regions: Vec::new(),
            objects: Vec::new(),
            functions: Vec::new(),
            entry: FuncId(0),
            heap_top: VarId(0),
            heap_base: HEAP_BASE,
            externs: Vec::new(),
        };
        let mut b = Build { program };
        b.global("heap_top", VarTy::Int, VarKind::HeapTop);
        b.function("entry", Some(I32));
        b
    }

    pub fn global(&mut self, name: &str, ty: VarTy, kind: VarKind) -> VarId {
        self.add_var(name, ty, kind, None)
    }

    fn add_var(&mut self, name: &str, ty: VarTy, kind: VarKind, func: Option<FuncId>) -> VarId {
        let id = VarId(self.program.vars.len() as u32);
        let info = VarInfo { name: name.to_owned(), c_type: String::new(), ty, func, kind, span: Span::NONE };
        self.program.vars.push(info);
        if let Some(f) = func {
            self.program.functions[f.0 as usize].locals.push(id);
        }
        id
    }

    pub fn local(&mut self, f: FuncId, name: &str, ty: VarTy) -> VarId {
        self.add_var(name, ty, VarKind::Source, Some(f))
    }

    pub fn param(&mut self, f: FuncId, name: &str, ty: VarTy) -> VarId {
        let v = self.local(f, name, ty);
        self.program.functions[f.0 as usize].params.push(v);
        v
    }

    pub fn region(&mut self, cell: Cell) -> RegionId {
        let id = RegionId(self.program.regions.len() as u32);
        let var = self.global("mem", VarTy::Mem(cell), VarKind::Region(id));
        self.program.regions.push(Region { var, cell });
        id
    }

    pub fn object(&mut self, addr: u64, size: u64, region: RegionId, func: Option<FuncId>) {
        let name = format!("o{addr:x}");
        let object = Object { name, addr, size, region, func, read_only: false, layout: Layout::Opaque, span: Span::NONE };
        self.program.objects.push(object);
    }

    /// A read-only object with this text; returns the operation that initialises it.
    pub fn literal(&mut self, addr: u64, region: RegionId, text: &str) -> Op {
        let bytes: Vec<u8> = text.bytes().chain([0]).collect();
        self.object(addr, bytes.len() as u64, region, None);
        self.program.objects.last_mut().unwrap().read_only = true;
        let char = Scalar::Int(IntTy::signed(8));
        let stores = bytes
            .iter()
            .enumerate()
            .fold(self.program.memory(region), |m, (i, b)| Term::store(char, m, Term::int(addr + i as u64), Term::int(*b as i8)));
        Op::Assign(vec![(self.program.region(region).var, stores)])
    }

    pub fn function(&mut self, name: &str, result: Option<VarTy>) -> FuncId {
        let id = FuncId(self.program.functions.len() as u32);
        let mut graph = Graph::new();
        let (entry, exit) = (graph.add_loc(LocInfo::default()), graph.add_loc(LocInfo::default()));
        self.program.functions.push(Function {
            name: name.to_owned(),
            span: Span::NONE,
            params: Vec::new(),
            result: None,
            locals: Vec::new(),
            graph,
            entry,
            exit,
            addr: 0x1000 + 16 * u64::from(id.0),
            errors: Vec::new(),
        });
        if let Some(ty) = result {
            let v = self.add_var("result", ty, VarKind::Result, Some(id));
            self.program.functions[id.0 as usize].result = Some(v);
        }
        id
    }

    pub fn result(&self, f: FuncId) -> VarId {
        self.program.function(f).result.unwrap()
    }

    pub fn loc(&mut self, f: FuncId) -> Loc {
        self.program.functions[f.0 as usize].graph.add_loc(LocInfo::default())
    }

    pub fn error(&mut self, f: FuncId) -> Loc {
        let l = self.loc(f);
        self.program.functions[f.0 as usize].errors.push(l);
        l
    }

    /// An edge, at a line of its own.
    pub fn edge(&mut self, f: FuncId, from: Loc, to: Loc, op: Op) {
        let g = &mut self.program.functions[f.0 as usize].graph;
        let line = g.num_edges() as u32 + 1;
        g.add_edge(from, to, op, Span { line, col: 1, ..Span::NONE });
    }

    /// A straight line from one location to a new one.
    pub fn chain(&mut self, f: FuncId, from: Loc, ops: Vec<Op>) -> Loc {
        ops.into_iter().fold(from, |l, op| {
            let next = self.loc(f);
            self.edge(f, l, next, op);
            next
        })
    }

    /// A function that is a straight line from entry to exit.
    pub fn body(&mut self, f: FuncId, ops: Vec<Op>) {
        let (entry, exit) = (self.program.function(f).entry, self.program.function(f).exit);
        let end = self.chain(f, entry, ops);
        self.edge(f, end, exit, Op::Skip);
    }

    pub fn t(&self, v: VarId) -> Term {
        self.program.term(v)
    }

    pub fn mem_var(&self, r: RegionId) -> VarId {
        self.program.region(r).var
    }

    pub fn store(&self, r: RegionId, ty: Scalar, addr: Term, value: Term) -> Op {
        Op::Assign(vec![(self.mem_var(r), Term::store(ty, self.program.memory(r), addr, value))])
    }

    pub fn load(&self, r: RegionId, ty: Scalar, addr: Term) -> Term {
        Term::load(ty, self.program.memory(r), addr)
    }

    pub fn set_heap(&self) -> Op {
        set(self.program.heap_top, Term::int(self.program.heap_base))
    }

    pub fn run(&self) -> Outcome {
        self.run_with(Box::new(Zero)).0
    }

    pub fn run_strict(&self) -> Outcome {
        Interpreter::new(&self.program, Box::new(Zero), Box::new(Collected::default()), limits()).strict().run()
    }

    pub fn run_with(&self, inputs: Box<dyn Inputs>) -> (Outcome, String) {
        let out = Collected::default();
        let outcome = Interpreter::new(&self.program, inputs, Box::new(out.clone()), limits()).run();
        (outcome, String::from_utf8_lossy(&out.stdout()).into_owned())
    }
}

pub fn limits() -> Limits {
    Limits { steps: 1_000_000, memory: 1 << 20, call_depth: 10_000 }
}

pub fn set(v: VarId, t: Term) -> Op {
    Op::Assign(vec![(v, t)])
}
