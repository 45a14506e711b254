//! Operations of the abstract program.

use super::expr::{Elements, Meaning, Reader, Scope};
use plumb_cfa::{Op, RegionId, VarKind};
use plumb_term::{Cell, Scalar, Term, VarId, VarTy};

/// The abstract version of an operation.
pub fn abstracted(scope: Scope<'_>, op: &Op, reader: &mut Reader<'_>) -> Op {
    let Scope { program, precision, elements } = scope;
    let kept = |v: &VarId| precision.variables.contains(v);
    match op {
        Op::Skip | Op::EndLife { .. } | Op::Free { .. } => Op::Skip,
        Op::Assume(c) => Op::Assume(reader.expr(*c)),
        Op::Guard { cond, ub } => Op::Guard { cond: reader.expr(*cond), ub: *ub },
        Op::Assign(updates) => {
            let mut out = Vec::new();
            for (v, t) in updates {
                match program.var(*v).kind {
                    VarKind::Region(r) => write(elements, r, *t, reader, &mut out),
                    _ if kept(v) => out.push((*v, reader.expr(*t))),
                    _ => {}
                }
            }
            assign(out)
        }
        Op::Havoc { var, .. } if kept(var) => op.clone(),
        Op::Havoc { .. } => Op::Skip,
        Op::HavocMem { region, addr, len } => {
            let (lo, len) = (reader.expr(*addr), reader.expr(*len));
            let mut out = Vec::new();
            for (e, var) in elements.of(*region) {
                let old = Term::program_var(var, VarTy::Scalar(e.ty));
                let (here, hi) = (Term::int(e.addr), lo.add(len));
                let end = here.plus(match program.region(*region).cell {
                    Cell::Byte => e.ty.bytes(),
                    Cell::Scalar(_) => 1,
                });
                let touched = lo.less(end).and(here.less(hi));
                if !touched.is_false() {
                    let u = reader.undefined(VarTy::Scalar(e.ty), Meaning::After(e));
                    out.push((var, Term::ite(touched, u, old)));
                }
            }
            assign(out)
        }
        Op::Alloc { dst, size, region, zeroed, .. } => {
            let top = program.term(program.heap_top);
            let mut out = Vec::new();
            if kept(dst) {
                out.push((*dst, reader.expr(top)));
            }
            if kept(&program.heap_top) {
                let after = program.heap_after(top, *size);
                out.push((program.heap_top, reader.expr(after)));
            }
            if *zeroed {
                let zeros = Term::zero_mem(program.region(*region).cell);
                write(elements, *region, Term::splice(program.memory(*region), zeros, top, *size), reader, &mut out);
            }
            assign(out)
        }
        Op::Call { func, args, dst } => {
            let params = program.function(*func).params.iter();
            let args = params.zip(args).map(|(p, a)| if kept(p) { reader.expr(*a) } else { zero(program.var(*p).ty) });
            Op::Call { func: *func, args: args.collect(), dst: dst.filter(kept) }
        }
        Op::Output { name, dst, .. } => match dst.filter(kept) {
            Some(dst) => Op::Output { name: name.clone(), args: Vec::new(), dst: Some(dst) },
            None => Op::Skip,
        },
        Op::Halt { .. } => Op::Halt { status: None },
        Op::Unsupported(_) => op.clone(),
    }
}

fn assign(updates: Vec<(VarId, Term)>) -> Op {
    if updates.is_empty() {
        Op::Skip
    } else {
        Op::Assign(updates)
    }
}

/// The parallel assignment to the elements of a region whose new contents are `t`.
fn write(elements: &Elements, region: RegionId, t: Term, reader: &mut Reader<'_>, out: &mut Vec<(VarId, Term)>) {
    for (e, var) in elements.of(region) {
        let value = reader.select(e.ty, t, Term::int(e.addr), 0);
        if value.as_var().is_none_or(|v| v.id != var) {
            out.push((var, value));
        }
    }
}

/// Any value: nobody reads the parameter.
fn zero(ty: VarTy) -> Term {
    match ty {
        VarTy::Bool => Term::ff(),
        VarTy::Scalar(Scalar::Float(t)) => Term::float(plumb_term::Float { ty: t, bits: 0 }),
        VarTy::Int | VarTy::Scalar(Scalar::Int(_)) => Term::int(0),
        VarTy::Mem(c) => Term::zero_mem(c),
    }
}
