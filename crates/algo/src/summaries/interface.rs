//! What a function shares with its callers: parameters, result, and the variables of no function that it or its callees touch.

use plumb_cfa::unwind::Orders;
use plumb_cfa::{Effect, FuncId, Op, Program};
use plumb_term::visit::vars;
use plumb_term::VarId;
use std::collections::BTreeSet;

/// The interface of a function.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    /// The parameters, then the scalars of no function that are read or written: what counts when it is called.
    pub ins: Vec<VarId>,
    /// The result, then the scalars of no function that are written: what counts when it returns.
    pub outs: Vec<VarId>,
    /// All variables that a call may write.
    pub writes: BTreeSet<VarId>,
}

impl Interface {
    /// Of one function.
    pub fn new(program: &Program, orders: &Orders<'_>, func: FuncId) -> Interface {
        let (mut touched, mut writes) = (BTreeSet::new(), BTreeSet::new());
        for f in orders.calls().bottom_up(func) {
            let function = program.function(f);
            writes.extend(function.params.iter().chain(&function.result).copied());
            for (_, edge) in function.graph.edges() {
                if let Op::Call { dst, .. } = &edge.op {
                    writes.extend(dst.iter().copied());
                }
                let effect = Effect::of(&edge.op, program);
                let updates = || effect.iter().flat_map(|e| &e.updates);
                writes.extend(updates().map(|u| u.0));
                let read = edge.op.operands().into_iter().chain(updates().map(|u| u.1));
                touched.extend(vars(read).into_iter().map(|v| v.id).filter(|v| *v < VarId::FIRST_AUX));
            }
        }
        touched.extend(writes.iter().copied());
        let shared = |v: &VarId| program.var(*v).func.is_none() && !program.is_memory(*v);
        let function = program.function(func);
        Interface {
            ins: function.params.iter().copied().chain(touched.into_iter().filter(shared)).collect(),
            outs: function.result.into_iter().chain(writes.iter().copied().filter(shared)).collect(),
            writes,
        }
    }
}
