//! The proof that a correctness witness names: its invariants at the heads of their loops, as they stand.
//!
//! Weaving puts each invariant behind the head of its loop, as a branching with an error on one side. Where all of them together are inductive and exclude the error, the checker
//! decides without any search, however large the program is. Where they are not, nothing is said: a search comes after.

use plumb_cfa::wto::Wto;
use plumb_cfa::{CallSite, FuncId, Graph, Loc, Op, Point, Program};
use plumb_cfront::weave::failing_invariant;
use plumb_term::Term;
use plumb_verdict::{Method, Proof};
use std::collections::BTreeMap;

/// More points than this, one for each stack of calls, are not looked at.
const MAX_POINTS: usize = 4_000;

/// The invariants that are woven into a program, as a proof; none if there are none at heads of loops, or too many stacks of calls.
pub fn claimed(program: &Program) -> Option<Proof> {
    let heads: Vec<Vec<(Loc, Term)>> = program.functions.iter().map(|f| at_heads(&f.graph, f.entry)).collect();
    let mut invariants = BTreeMap::new();
    let mut open: Vec<(Vec<CallSite>, FuncId)> = vec![(Vec::new(), program.entry)];
    let mut contexts = 0;
    while let Some((stack, func)) = open.pop() {
        contexts += 1;
        if contexts + invariants.len() > MAX_POINTS || stack.iter().any(|s| s.func == func) {
            return None;
        }
        invariants.extend(heads[func.0 as usize].iter().map(|(loc, t)| (Point { stack: stack.clone(), func, loc: *loc }, *t)));
        for (edge, e) in program.function(func).graph.edges() {
            if let Op::Call { func: callee, .. } = &e.op {
                let mut below = stack.clone();
                below.push(CallSite { func, edge });
                open.push((below, *callee));
            }
        }
    }
    (!invariants.is_empty()).then_some(Proof { method: Method::Inductive, invariants })
}

/// What is claimed at the heads of a function's loops.
fn at_heads(graph: &Graph, entry: Loc) -> Vec<(Loc, Term)> {
    let wto = Wto::new(graph, entry);
    let heads = graph.locs().filter(|l| wto.headed_by(*l).is_some());
    heads.map(|l| (l, behind(graph, l))).filter(|(_, t)| !t.is_true()).collect()
}

/// What is claimed behind a location, before anything else happens.
fn behind(graph: &Graph, head: Loc) -> Term {
    let mut claims = Vec::new();
    let mut at = head;
    for _ in 0..graph.num_locs() {
        let out: Vec<_> = graph.out_edges(at).iter().map(|e| graph.edge(*e)).collect();
        at = match out[..] {
            [only] if matches!(only.op, Op::Skip) => only.to,
            [a, b] => {
                let (holds, other) = if fails(graph, b.to) { (a, b) } else { (b, a) };
                match (&holds.op, &other.op) {
                    (Op::Assume(t), Op::Assume(_)) if fails(graph, other.to) => {
                        claims.push(*t);
                        holds.to
                    }
                    _ => break,
                }
            }
            _ => break,
        };
    }
    Term::all(claims)
}

/// Whether an invariant fails here.
fn fails(graph: &Graph, at: Loc) -> bool {
    let is_label = |l: Loc| graph.loc(l).label.as_deref().is_some_and(|label| failing_invariant(label).is_some());
    is_label(at) || matches!(graph.out_edges(at), [e] if matches!(graph.edge(*e).op, Op::Skip) && is_label(graph.edge(*e).to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_cfront::weave::{Place, Probe, ProbeKind, Weave};
    use plumb_cfront::{Input, Options};
    use plumb_term::Budget;
    use plumb_verdict::Verdict;

    const TEXT: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void count(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) {
    if (x != y) reach_error();
    if (x < 100) { x++; y++; }
  }
}
int main(void) { count(); count(); return 0; }
";

    fn woven(claims: &[&str]) -> Program {
        let place = Place { file: "p.c".into(), line: 5, column: Some(3), function: Some("count".into()) };
        let probe = |c: &&str| Probe { place: place.clone(), kind: ProbeKind::LoopInvariant((*c).to_owned()) };
        let weave = Weave { probes: claims.iter().map(probe).collect(), ..Weave::default() };
        let input = Input { name: "p.c".into(), bytes: TEXT.as_bytes().to_vec() };
        let (program, unplaced) = plumb_cfront::load_woven(&[input], &Options::default(), &weave).unwrap_or_else(|e| panic!("{e}"));
        assert!(unplaced.is_empty());
        program
    }

    fn accepted(program: &Program, proof: Proof) -> bool {
        matches!(plumb_engine::certify(program, Verdict::Safe(proof), &Budget::unlimited()).0, Verdict::Safe(_))
    }

    #[test]
    fn claims_are_found_under_every_stack_and_checked() {
        let program = woven(&["x == y", "x >= 0 && x <= 100"]);
        let proof = claimed(&program).unwrap();
        assert_eq!(proof.invariants.len(), 2, "one for each call");
        assert!(proof.invariants.values().all(|t| t.conjuncts().len() == 3), "{proof:?}");
        assert!(accepted(&program, proof));
        // What is not inductive is no proof.
        let program = woven(&["x >= 0 && x <= 100"]);
        assert!(!accepted(&program, claimed(&program).unwrap()));
        assert_eq!(claimed(&woven(&[])), None);
    }
}
