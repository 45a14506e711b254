//! Functions compiled for execution.

use super::code::{Code, Compiler, Src, View};
use crate::graph::{EdgeId, Loc};
use crate::op::{InputSource, Op, Storage, Ub};
use crate::program::{FuncId, Function, Program, RegionId};
use crate::wto::Wto;
use plumb_term::{Scalar, Span, VarId, VarTy};
use std::cell::Cell;

/// What an edge does once its registers are computed.
#[derive(Debug)]
pub(super) enum Action {
    Skip,
    Assume(Src),
    Guard(Src, Ub),
    /// One variable.
    Set(VarId, Src),
    /// One scalar in memory.
    Store {
        region: u32,
        ty: Scalar,
        addr: Src,
        value: Src,
    },
    /// Any parallel assignment: variables, and regions with the views they take.
    Assign {
        vars: Vec<(VarId, Src)>,
        regions: Vec<(u32, u32)>,
    },
    Havoc {
        var: VarId,
        ty: VarTy,
        source: InputSource,
    },
    HavocMem {
        region: u32,
        addr: Src,
        len: Src,
    },
    EndLife(Src),
    Alloc {
        dst: VarId,
        size: Src,
        region: RegionId,
        storage: Storage,
        zeroed: bool,
    },
    Free(Src),
    Call {
        func: FuncId,
        args: Vec<Src>,
        dst: Option<VarId>,
    },
    Output {
        name: String,
        args: Vec<(Scalar, Src)>,
        dst: Option<VarId>,
    },
    Halt(Option<Src>),
    Unsupported(String),
    /// The edge breaks the contract of the automaton.
    Broken(String),
}

#[derive(Debug)]
pub(super) struct EdgePlan {
    pub(super) id: EdgeId,
    pub(super) to: Loc,
    pub(super) span: Span,
    pub(super) code: Code,
    pub(super) action: Action,
    /// Whether it was ever crossed.
    pub(super) crossed: Cell<bool>,
}

/// The edges of each location, in order.
#[derive(Debug)]
pub(super) struct LocPlan {
    pub(super) out: Vec<EdgePlan>,
    pub(super) is_error: bool,
    /// Whether a loop starts here.
    pub(super) is_head: bool,
}

#[derive(Debug)]
pub(super) struct FuncPlan {
    pub(super) func: FuncId,
    pub(super) locs: Vec<LocPlan>,
    pub(super) exit: Loc,
    /// How many registers its edges need at most.
    pub(super) registers: u32,
}

impl FuncPlan {
    pub(super) fn new(program: &Program, func: FuncId, f: &Function) -> FuncPlan {
        let mut registers = 0;
        let wto = Wto::new(&f.graph, f.entry);
        let locs = f.graph.locs().map(|l| {
            let out = f.graph.out_edges(l).iter().map(|id| {
                let e = f.graph.edge(*id);
                let mut c = Compiler::new(program);
                let action = action(&mut c, program, &e.op).unwrap_or_else(Action::Broken);
                registers = registers.max(c.code.registers);
                EdgePlan { id: *id, to: e.to, span: e.span, code: c.code, action, crossed: Cell::new(false) }
            });
            LocPlan { out: out.collect(), is_error: f.errors.contains(&l), is_head: wto.headed_by(l).is_some() }
        });
        let locs = locs.collect();
        FuncPlan { func, locs, exit: f.exit, registers }
    }
}

fn action(c: &mut Compiler<'_>, program: &Program, op: &Op) -> Result<Action, String> {
    let scalar = |v: VarId| match program.vars.get(v.0 as usize) {
        Some(info) if !matches!(info.ty, VarTy::Mem(_)) => Ok(info.ty),
        _ => Err(format!("variable {} is no scalar of the program", v.0)),
    };
    let region = |r: RegionId| if (r.0 as usize) < program.regions.len() { Ok(r.0) } else { Err(format!("there is no region {}", r.0)) };
    Ok(match op {
        Op::Skip => Action::Skip,
        Op::Assume(t) => Action::Assume(c.value(*t)?),
        Op::Guard { cond, ub } => Action::Guard(c.value(*cond)?, *ub),
        Op::Assign(updates) => {
            let (mut vars, mut regions) = (Vec::new(), Vec::new());
            for (v, t) in updates {
                if scalar(*v).is_ok() {
                    vars.push((*v, c.value(*t)?));
                } else {
                    regions.push((c.region(*v)?, c.memory(*t)?));
                }
            }
            match (vars.as_slice(), regions.as_slice()) {
                ([(v, s)], []) => Action::Set(*v, *s),
                ([], [(r, view)]) => match c.code.views[*view as usize] {
                    View::Store { ty, inner, addr, value } if matches!(c.code.views[inner as usize], View::Region(i) if i == *r) => {
                        Action::Store { region: *r, ty, addr, value }
                    }
                    _ => Action::Assign { vars, regions },
                },
                _ => Action::Assign { vars, regions },
            }
        }
        Op::Havoc { var, source } => Action::Havoc { var: *var, ty: scalar(*var)?, source: source.clone() },
        Op::HavocMem { region: r, addr, len } => Action::HavocMem { region: region(*r)?, addr: c.value(*addr)?, len: c.value(*len)? },
        Op::EndLife { addr } => Action::EndLife(c.value(*addr)?),
        Op::Alloc { dst, size, region: r, storage, zeroed } => {
            scalar(*dst)?;
            Action::Alloc { dst: *dst, size: c.value(*size)?, region: RegionId(region(*r)?), storage: *storage, zeroed: *zeroed }
        }
        Op::Free { addr } => Action::Free(c.value(*addr)?),
        Op::Call { func, args, dst } => {
            let Some(f) = program.functions.get(func.0 as usize) else {
                return Err(format!("there is no function {}", func.0));
            };
            if f.params.len() != args.len() {
                return Err(format!("a call of '{}' has {} arguments for {} parameters", f.name, args.len(), f.params.len()));
            }
            if dst.is_some() && f.result.is_none() {
                return Err(format!("the result of '{}' is used, but it has none", f.name));
            }
            dst.map_or(Ok(VarTy::Int), scalar)?;
            let args = args.iter().map(|a| c.value(*a)).collect::<Result<_, _>>()?;
            Action::Call { func: *func, args, dst: *dst }
        }
        Op::Output { name, args, dst } => {
            dst.map_or(Ok(VarTy::Int), scalar)?;
            let args = args.iter().map(|(ty, a)| Ok((*ty, c.value(*a)?))).collect::<Result<_, String>>()?;
            Action::Output { name: name.clone(), args, dst: *dst }
        }
        Op::Halt { status } => Action::Halt(status.map(|s| c.value(s)).transpose()?),
        Op::Unsupported(sentence) => Action::Unsupported(sentence.clone()),
    })
}
