//! Which dimension a variable has.
//!
//! Globals come first, then the variables of the functions on the stack, one activation after the other. A callee's dimensions are
//! free again when it has returned, and temporaries of lowering that are never needed together share dimensions, so that a library
//! that pays for each dimension does not pay for what the analysed programs do not have.

use plumb_cfa::liveness::Liveness;
use plumb_cfa::{Effect, FuncId, Function, Op, Program, VarInfo, VarKind};
use plumb_num::Dim;
use plumb_term::{Sort, VarId};

/// The numbers of variables within their scopes.
pub struct Space {
    slots: Vec<Option<u32>>,
    globals: u32,
    sizes: Vec<u32>,
}

/// An activation: a function and its first dimension.
#[derive(Clone, Copy)]
pub struct Frame {
    pub func: FuncId,
    base: u32,
}

impl Space {
    /// Integer scalars take part; pointers, which are integers too, do not.
    pub fn new(program: &Program, live: &Liveness) -> Space {
        let mut space = Space { slots: vec![None; program.vars.len()], globals: 0, sizes: vec![0; program.functions.len()] };
        for (slot, var) in space.slots.iter_mut().zip(&program.vars).filter(|(_, var)| counts(var) && !is_local_temporary(var)) {
            let next = var.func.map_or(&mut space.globals, |f| &mut space.sizes[f.0 as usize]);
            *slot = Some(*next);
            *next += 1;
        }
        for (i, f) in program.functions.iter().enumerate() {
            space.share(program, live, FuncId(i as u32), f);
        }
        space
    }

    /// Gives each temporary the first dimension that is free wherever it is live or has just been written.
    fn share(&mut self, program: &Program, live: &Liveness, id: FuncId, f: &Function) {
        let size = &mut self.sizes[id.0 as usize];
        let mut taken: Vec<Vec<bool>> = Vec::new();
        let temporaries = f.locals.iter().filter(|v| counts(program.var(**v)) && is_local_temporary(program.var(**v)));
        for v in temporaries {
            let mut needed: Vec<bool> = f.graph.locs().map(|l| live.is_live(id, l, *v)).collect();
            for (_, e) in f.graph.edges().filter(|(_, e)| writes(program, &e.op, *v)) {
                needed[e.to.index()] = true;
            }
            let free = taken.iter().position(|t| t.iter().zip(&needed).all(|(a, b)| !(*a && *b)));
            let at = free.unwrap_or(taken.len());
            match taken.get_mut(at) {
                Some(t) => t.iter_mut().zip(&needed).for_each(|(a, b)| *a |= *b),
                None => taken.push(needed),
            }
            self.slots[v.0 as usize] = Some(*size + at as u32);
        }
        *size += taken.len() as u32;
    }

    /// The activation of the entry.
    pub fn entry(&self, func: FuncId) -> Frame {
        Frame { func, base: self.globals }
    }

    /// The activation of a callee.
    pub fn callee(&self, caller: Frame, func: FuncId) -> Frame {
        Frame { func, base: caller.base + self.sizes[caller.func.0 as usize] }
    }

    /// The dimension of a variable that is global or local to the activation's function.
    pub fn dim(&self, program: &Program, frame: Frame, v: VarId) -> Option<Dim> {
        let slot = self.slots.get(v.0 as usize).copied().flatten()?;
        match program.var(v).func {
            None => Some(Dim(slot)),
            Some(f) => (f == frame.func).then_some(Dim(frame.base + slot)),
        }
    }

    /// Whether a dimension belongs to the activation.
    pub fn is_local(&self, frame: Frame, d: Dim) -> bool {
        (frame.base..frame.base + self.sizes[frame.func.0 as usize]).contains(&d.0)
    }
}

fn counts(var: &VarInfo) -> bool {
    let pointer = var.kind == VarKind::HeapTop || var.c_type.contains('*');
    var.ty.sort() == Sort::Int && !pointer
}

fn is_local_temporary(var: &VarInfo) -> bool {
    var.kind == VarKind::Temp && var.func.is_some()
}

fn writes(program: &Program, op: &Op, v: VarId) -> bool {
    match op {
        Op::Call { dst, .. } => *dst == Some(v),
        op => Effect::of(op, program).is_some_and(|e| e.updates.iter().any(|(x, _)| *x == v)),
    }
}
