//! Whole programs: functions, variables, memory.

use crate::graph::{Graph, Loc};
use crate::layout::Layout;
use crate::op::Op;
use plumb_term::{Cell, IBig, IntTy, Scalar, SourceMap, Span, Term, VarId, VarTy};
use std::collections::BTreeSet;

/// Index of a function in its [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FuncId(pub u32);

/// Index of a region in its [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RegionId(pub u32);

/// Index of an object in its [`Program`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObjectId(pub u32);

/// The sizes of `int`, `long` and pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    /// 32-bit `int`, `long` and pointers.
    #[default]
    Ilp32,
    /// 32-bit `int`, 64-bit `long` and pointers.
    Lp64,
}

impl DataModel {
    /// The type of pointers.
    pub fn pointer(self) -> IntTy {
        match self {
            DataModel::Ilp32 => IntTy::U32,
            DataModel::Lp64 => IntTy::U64,
        }
    }
}

/// What signed overflow does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SignedOverflow {
    /// Two's complement, as `gcc -fwrapv`.
    #[default]
    Wrap,
    /// Executions with an overflow are not considered (each operation is guarded).
    Assume,
}

/// What integers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Integers {
    /// The machine's.
    #[default]
    Machine,
    /// Mathematical: variables of integer type are unbounded and arithmetic does not wrap.
    Ideal,
}

/// The meaning chosen on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Semantics {
    /// Sizes of types.
    pub model: DataModel,
    /// Signed overflow.
    pub signed_overflow: SignedOverflow,
    /// Integers.
    pub integers: Integers,
    /// Whether `malloc` and its like may return a null pointer.
    pub malloc_may_fail: bool,
}

/// What a variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarKind {
    /// A variable of the C program.
    Source,
    /// A value that lowering needed.
    Temp,
    /// The result of a function.
    Result,
    /// The contents of a region.
    Region(RegionId),
    /// The address of the next allocation.
    HeapTop,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct VarInfo {
    /// The C name, or one for dumps.
    pub name: String,
    /// The C type, for messages (`unsigned int`).
    pub c_type: String,
    /// What it ranges over.
    pub ty: VarTy,
    /// The function it is local to.
    pub func: Option<FuncId>,
    /// What it stands for.
    pub kind: VarKind,
    /// Its declaration.
    pub span: Span,
}

/// A part of the memory.
#[derive(Clone, Debug)]
pub struct Region {
    /// The variable that holds its contents.
    pub var: VarId,
    /// What its cells are. With [`Cell::Scalar`], every access has exactly that type, at addresses that never overlap.
    pub cell: Cell,
}

/// An object with a fixed address.
#[derive(Clone, Debug)]
pub struct Object {
    /// The C name; string literals have their text.
    pub name: String,
    /// The first byte.
    pub addr: u64,
    /// Size in bytes.
    pub size: u64,
    /// Where its contents live.
    pub region: RegionId,
    /// The function it is automatic in; none for static storage.
    pub func: Option<FuncId>,
    /// Whether writing to it is undefined (string literals).
    pub read_only: bool,
    /// Its structure.
    pub layout: Layout,
    /// Its declaration.
    pub span: Span,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its C name.
    pub name: String,
    /// Its name in the definition.
    pub span: Span,
    /// Parameters, in order; a variadic function's further arguments are not passed this way.
    pub params: Vec<VarId>,
    /// The variable that holds the result at the exit.
    pub result: Option<VarId>,
    /// All its variables: parameters, result, locals, temporaries.
    pub locals: Vec<VarId>,
    /// Its control flow.
    pub graph: Graph,
    /// Where it begins.
    pub entry: Loc,
    /// Where it returns; no edge leaves it.
    pub exit: Loc,
    /// Its address as a function pointer.
    pub addr: u64,
    /// Locations whose reaching violates the property; no edge leaves them.
    pub errors: Vec<Loc>,
}

/// A function without a body that is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extern {
    /// Its name.
    pub name: String,
    /// The first call.
    pub span: Span,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The meaning it was lowered with.
    pub semantics: Semantics,
    /// The names of the source files.
    pub sources: SourceMap,
    /// Variables, by [`VarId`].
    pub vars: Vec<VarInfo>,
    /// The partition of memory.
    pub regions: Vec<Region>,
    /// Objects with fixed addresses, ascending.
    pub objects: Vec<Object>,
    /// Functions with bodies.
    pub functions: Vec<Function>,
    /// Where execution starts: a function that initialises static objects and calls `main`.
    pub entry: FuncId,
    /// The counter from which [`crate::Op::Alloc`] takes addresses.
    pub heap_top: VarId,
    /// Where the counter starts.
    pub heap_base: u64,
    /// Functions that have no body: their results are inputs.
    pub externs: Vec<Extern>,
}

/// Heap objects start at multiples of this, as `malloc` promises.
pub const HEAP_ALIGN: u64 = 16;

impl Program {
    /// The regions where the program never puts an object: what it finds there is its environment's.
    pub fn lent_regions(&self) -> BTreeSet<RegionId> {
        let mut out: BTreeSet<RegionId> = (0..self.regions.len() as u32).map(RegionId).collect();
        for o in &self.objects {
            out.remove(&o.region);
        }
        for (_, e) in self.functions.iter().flat_map(|f| f.graph.edges()) {
            if let Op::Alloc { region, .. } = &e.op {
                out.remove(region);
            }
        }
        out
    }

    /// A variable's facts.
    pub fn var(&self, v: VarId) -> &VarInfo {
        &self.vars[v.0 as usize]
    }

    /// A variable as a term over the current state.
    pub fn term(&self, v: VarId) -> Term {
        Term::program_var(v, self.var(v).ty)
    }

    /// A function.
    pub fn function(&self, f: FuncId) -> &Function {
        &self.functions[f.0 as usize]
    }

    /// A region.
    pub fn region(&self, r: RegionId) -> &Region {
        &self.regions[r.0 as usize]
    }

    /// The contents of a region as a term over the current state.
    pub fn memory(&self, r: RegionId) -> Term {
        self.term(self.region(r).var)
    }

    /// The type of pointers.
    pub fn pointer(&self) -> IntTy {
        self.semantics.model.pointer()
    }

    /// The heap counter after an allocation of `size` bytes: the object, rounded up, and a gap, so that a pointer past the
    /// end of one object never equals another.
    pub fn heap_after(&self, top: Term, size: Term) -> Term {
        let unit = Term::int(HEAP_ALIGN);
        let rounded = size.plus(2 * HEAP_ALIGN - 1).div(unit).mul(unit);
        top.add(rounded)
    }

    /// The room that each allocation of the program takes on the heap, with its region; where the size is not constant, what divides it.
    pub fn allocations(&self) -> impl Iterator<Item = (IBig, RegionId)> + '_ {
        self.functions.iter().flat_map(|f| f.graph.edges()).filter_map(|(_, e)| match &e.op {
            Op::Alloc { size, region, .. } => {
                let room = self.heap_after(Term::int(0), *size).as_int().cloned().unwrap_or_else(|| HEAP_ALIGN.into());
                Some((room, *region))
            }
            _ => None,
        })
    }

    /// The last address an allocation may reach.
    pub fn heap_limit(&self) -> IBig {
        match self.semantics.model {
            DataModel::Ilp32 => IBig::from(0xf000_0000u64),
            DataModel::Lp64 => IBig::from(0x7fff_0000_0000u64),
        }
    }

    /// The object that holds an address.
    pub fn object_at(&self, addr: u64) -> Option<&Object> {
        let i = self.objects.partition_point(|o| o.addr <= addr);
        self.objects[..i].last().filter(|o| addr - o.addr < o.size.max(1))
    }

    /// The C expression for the scalar of type `ty` at a fixed address.
    pub fn lvalue(&self, addr: u64, ty: Scalar) -> Option<String> {
        let o = self.object_at(addr)?;
        o.layout.lvalue(&o.name, addr - o.addr, ty)
    }

    /// The variables of memory sort.
    pub fn is_memory(&self, v: VarId) -> bool {
        matches!(self.var(v).ty, VarTy::Mem(_))
    }
}
