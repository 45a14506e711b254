//! Who calls whom, and which functions are recursive.

use crate::op::Op;
use crate::program::{FuncId, Program};

/// The call graph of a program's functions.
#[derive(Clone, Debug)]
pub struct CallGraph {
    callees: Vec<Vec<FuncId>>,
    recursive: Vec<bool>,
}

impl CallGraph {
    /// The calls on all edges.
    pub fn new(program: &Program) -> CallGraph {
        let callees: Vec<Vec<FuncId>> = program
            .functions
            .iter()
            .map(|f| {
                let mut c: Vec<FuncId> = f.graph.edges().filter_map(|(_, e)| callee(&e.op)).collect();
                c.sort_unstable();
                c.dedup();
                c
            })
            .collect();
        let recursive = recursive(&callees);
        CallGraph { callees, recursive }
    }

    /// The functions that `f` calls, ascending.
    pub fn callees(&self, f: FuncId) -> &[FuncId] {
        &self.callees[f.0 as usize]
    }

    /// Whether `f` can call itself, directly or through others.
    pub fn is_recursive(&self, f: FuncId) -> bool {
        self.recursive[f.0 as usize]
    }

    /// Functions reachable from `root` by calls, callees before callers where there is no recursion.
    pub fn bottom_up(&self, root: FuncId) -> Vec<FuncId> {
        let mut seen = vec![false; self.callees.len()];
        let mut out = Vec::new();
        let mut stack = vec![(root, 0)];
        seen[root.0 as usize] = true;
        while let Some((f, i)) = stack.last_mut() {
            let f = *f;
            if let Some(c) = self.callees(f).get(*i) {
                *i += 1;
                if !std::mem::replace(&mut seen[c.0 as usize], true) {
                    stack.push((*c, 0));
                }
            } else {
                out.push(f);
                stack.pop();
            }
        }
        out
    }
}

fn callee(op: &Op) -> Option<FuncId> {
    match op {
        Op::Call { func, .. } => Some(*func),
        _ => None,
    }
}

/// The functions on cycles: strongly connected components by Tarjan's algorithm, with an explicit stack.
fn recursive(callees: &[Vec<FuncId>]) -> Vec<bool> {
    let n = callees.len();
    let mut out = vec![false; n];
    let (mut index, mut low, mut on_stack) = (vec![0u32; n], vec![0u32; n], vec![false; n]);
    let mut next = 1;
    let mut stack = Vec::new();
    for root in 0..n {
        let mut path = vec![(root, 0)];
        while let Some((f, i)) = path.last_mut() {
            let f = *f;
            if *i == 0 {
                if index[f] != 0 {
                    path.pop();
                    continue;
                }
                (index[f], low[f], on_stack[f]) = (next, next, true);
                next += 1;
                stack.push(f);
            }
            if let Some(c) = callees[f].get(*i).map(|c| c.0 as usize) {
                *i += 1;
                out[f] |= c == f;
                if index[c] == 0 {
                    path.push((c, 0));
                } else if on_stack[c] {
                    low[f] = low[f].min(index[c]);
                }
                continue;
            }
            path.pop();
            if let Some((p, _)) = path.last() {
                low[*p] = low[*p].min(low[f]);
            }
            if low[f] == index[f] {
                let at = stack.iter().rposition(|x| *x == f).unwrap_or(0);
                let component = stack.split_off(at);
                for x in &component {
                    on_stack[*x] = false;
                    out[*x] |= component.len() > 1;
                }
            }
        }
    }
    out
}
