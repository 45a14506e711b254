//! Contracts as the checker uses them: what a call needs, what it may change, what it promises.
//!
//! A contract speaks only of what caller and callee both see: the callee's parameters (at the call), its result (at the return) and the
//! variables of no function (globals, memories and the counter of addresses, at both). So at a call the parameters are the arguments and the result is
//! what the caller gets, whatever the names of locals. What the callee and those it calls may write is found here, from the program: a contract
//! cannot forget any of it.

use crate::proof::Rejected;
use plumb_cfa::callgraph::CallGraph;
use plumb_cfa::{Effect, FuncId, Op, Program};
use plumb_term::visit::vars;
use plumb_term::{Term, Var, VarId};
use plumb_verdict::{Contract, AT_ENTRY};
use std::collections::{BTreeMap, BTreeSet};

/// A function as its callers see it.
#[derive(Debug)]
pub struct Summary {
    /// Which function.
    pub func: FuncId,
    /// What is required and promised.
    pub contract: Contract,
    /// All variables that the function or a function it calls, directly or through others, may write.
    pub writes: BTreeSet<VarId>,
}

/// The functions that have contracts.
#[derive(Debug, Default)]
pub struct Contracts(BTreeMap<FuncId, Summary>);

impl Contracts {
    /// Of the functions of a program; rejected if one speaks of what is not its own to speak of.
    pub fn new(program: &Program, calls: &CallGraph, contracts: &BTreeMap<FuncId, Contract>) -> Result<Contracts, Rejected> {
        let mut out = BTreeMap::new();
        for (func, contract) in contracts {
            let Some(function) = program.functions.get(func.0 as usize) else {
                return Err(ill_formed("a contract is for a function that the program does not have".into()));
            };
            if !speaks_of_interface(program, *func, contract) {
                return Err(ill_formed(format!("the contract of `{}` speaks of variables that its callers do not know", function.name)));
            }
            out.insert(*func, Summary { func: *func, contract: *contract, writes: writes(program, calls, *func) });
        }
        Ok(Contracts(out))
    }

    /// The contract of a function.
    pub fn get(&self, func: FuncId) -> Option<&Summary> {
        self.0.get(&func)
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &Summary> {
        self.0.values()
    }
}

fn ill_formed(why: String) -> Rejected {
    Rejected { why, span: None, undecided: false }
}

fn speaks_of_interface(program: &Program, func: FuncId, contract: &Contract) -> bool {
    let function = program.function(func);
    let known = |v: &Var| program.vars.get(v.id.0 as usize).is_some_and(|info| info.ty == v.ty);
    let shared = |v: &Var| program.var(v.id).func.is_none();
    let parameter = |v: &Var| function.params.contains(&v.id);
    let all = |t: Term, allowed: &dyn Fn(&Var) -> bool| vars([t]).iter().all(|v| known(v) && allowed(v));
    all(contract.pre, &|v| v.version == 0 && (shared(v) || parameter(v)))
        && all(contract.post, &|v| match v.version {
            0 => shared(v) || function.result == Some(v.id),
            AT_ENTRY => shared(v) || parameter(v),
            _ => false,
        })
}

/// What a call of `func` may write, parameters included.
fn writes(program: &Program, calls: &CallGraph, func: FuncId) -> BTreeSet<VarId> {
    let mut out = BTreeSet::new();
    for f in calls.bottom_up(func) {
        let function = program.function(f);
        out.extend(function.params.iter().chain(&function.result).copied());
        for (_, edge) in function.graph.edges() {
            if let Op::Call { dst, .. } = &edge.op {
                out.extend(dst.iter().copied());
            }
            let effect = Effect::of(&edge.op, program);
            out.extend(effect.iter().flat_map(|e| &e.updates).map(|(v, _)| *v));
        }
    }
    out
}
