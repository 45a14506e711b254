//! Instances of quantified hypotheses.
//!
//! A hypothesis `∀k. φ(k)` may be used as `φ(t)` for any integer term `t` whose value is one of `k`'s type: that only weakens it, so whatever
//! is chosen here is sound, and what is not found costs a proof, never the truth. Chosen are the bound variable itself (in a goal it is
//! the constant of which nothing else is known) and the terms that make a memory access of `φ` meet one of the
//! obligation: if `φ` reads `m` at `c·k + r` and the obligation accesses `m` at `a`, then `(a - r) / c`.

use plumb_cfa::effect::in_type;
use plumb_term::visit::{linear_form, postorder, substitute, vars, Rewriter};
use plumb_term::{IBig, Kind, Sort, Term, Var, VarId};
use plumb_verdict::bound;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Terms for one bound variable.
const MAX_TERMS: usize = 40;
/// Instances of one conjunct.
const MAX_INSTANCES: usize = 400;
/// Rounds: an instance may access memory where the obligation did not.
const ROUNDS: usize = 2;

/// Instances of the quantified conjuncts that speak of the memory cells that `formula` speaks of.
pub fn instances(quantified: &[Term], formula: Term) -> Term {
    let mut all = Term::tt();
    if quantified.is_empty() || formula.is_false() {
        return all;
    }
    let patterns = patterns(quantified);
    for _ in 0..ROUNDS {
        let now = formula.and(all);
        let terms = terms(&patterns, now);
        let before = all;
        all = Term::all(quantified.iter().flat_map(|c| instantiate(*c, &terms)));
        if all == before {
            break;
        }
    }
    all
}

/// A read `c·k + rest` of a memory.
struct Pattern {
    memory: VarId,
    factor: IBig,
    rest: Term,
}

/// The reads of each bound variable that it determines alone.
fn patterns(quantified: &[Term]) -> BTreeMap<Var, Vec<Pattern>> {
    let mut out: BTreeMap<Var, Vec<Pattern>> = BTreeMap::new();
    for c in quantified {
        bound(*c).into_iter().for_each(|k| _ = out.entry(k).or_default());
    }
    for (memory, address) in accesses(Term::all(quantified.iter().copied())) {
        let (_, parts) = linear_form(address);
        for (factor, atom) in parts {
            let Some(k) = atom.as_var().filter(|v| v.id >= VarId::FIRST_BOUND) else { continue };
            let rest = address.sub(atom.scale(&factor));
            if bound(rest).is_empty() {
                out.entry(k).or_default().push(Pattern { memory, factor, rest });
            }
        }
    }
    out
}

/// The addresses at which a formula reads and writes memories, with the variables of the memories, in order of appearance.
fn accesses(formula: Term) -> Vec<(VarId, Term)> {
    let mut roots: FxHashMap<Term, Vec<VarId>> = FxHashMap::default();
    let mut seen: FxHashSet<(VarId, Term)> = FxHashSet::default();
    let mut out = Vec::new();
    for t in postorder([formula]) {
        if let Kind::Load(_, m, a) | Kind::Store(_, m, a, _) = t.kind() {
            let of = roots.get(m).cloned().unwrap_or_default();
            out.extend(of.into_iter().map(|m| (m, *a)).filter(|access| seen.insert(*access)));
        }
        if matches!(t.sort(), Sort::Mem(_)) {
            let mut of: Vec<VarId> = match t.kind() {
                Kind::Var(v) => vec![v.id],
                _ => t.children().filter_map(|c| roots.get(&c)).flatten().copied().collect(),
            };
            of.sort_unstable();
            of.dedup();
            roots.insert(t, of);
        }
    }
    out
}

/// The terms for each bound variable.
fn terms(patterns: &BTreeMap<Var, Vec<Pattern>>, formula: Term) -> BTreeMap<Var, Vec<Term>> {
    let goals: FxHashSet<Var> = vars([formula]).into_iter().collect();
    let accesses = accesses(formula);
    let mut idle = Rewriter::new();
    let mut out = BTreeMap::new();
    for (k, patterns) in patterns {
        let mut found: Vec<Term> = Vec::new();
        for p in patterns {
            for (_, a) in accesses.iter().filter(|(m, _)| *m == p.memory) {
                found.extend([without_wraps(&mut idle, *a), *a].map(|address| quotient(address.sub(p.rest), &p.factor)));
            }
        }
        // Of structures, members that are accessed have an offset: what is left without one is a structure, most likely.
        found.sort_by_key(|t| linear_form(*t).0 != IBig::ZERO);
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let own = goals.contains(k).then(|| Term::var(*k));
        let terms = own.into_iter().chain(found).filter(|t| seen.insert(*t)).take(MAX_TERMS).collect();
        out.insert(*k, terms);
    }
    out
}

/// An address as if no computation left its type: where that is so, it is the simpler one.
fn without_wraps(rewriter: &mut Rewriter, t: Term) -> Term {
    rewriter.rewrite(t, &mut |n| match n.kind() {
        // Below a load or a choice values, not addresses, are computed.
        Kind::Load(..) | Kind::Ite(..) => Some(n),
        Kind::Wrap(_, a) if !matches!(a.kind(), Kind::Wrap(..)) => Some(*a),
        _ => None,
    })
}

/// `t / c`: part by part where that is exact.
fn quotient(t: Term, c: &IBig) -> Term {
    let (constant, parts) = linear_form(t);
    let exact = |n: &IBig| n % c == IBig::ZERO;
    if exact(&constant) && parts.iter().all(|(n, _)| exact(n)) {
        Term::sum(parts.iter().map(|(n, atom)| atom.scale(&(n / c))).chain([Term::int(&constant / c)]))
    } else {
        t.div(Term::int(c.clone()))
    }
}

/// A conjunct with all combinations of terms for its bound variables, each under the condition that the terms have values of the variables'
/// types.
fn instantiate(conjunct: Term, terms: &BTreeMap<Var, Vec<Term>>) -> Vec<Term> {
    let mut choices: Vec<BTreeMap<Var, Term>> = vec![BTreeMap::new()];
    for k in bound(conjunct) {
        let terms = terms.get(&k).map_or(&[][..], Vec::as_slice);
        let extended = choices.iter().flat_map(|c| {
            terms.iter().map(move |t| {
                let mut c = c.clone();
                c.insert(k, *t);
                c
            })
        });
        choices = extended.take(MAX_INSTANCES).collect();
    }
    let instance = |choice: &BTreeMap<Var, Term>| {
        let typed = Term::all(choice.iter().map(|(k, t)| in_type(*t, k.ty)));
        typed.implies(substitute(conjunct, &|v| choice.get(&v).copied()))
    };
    choices.iter().map(instance).collect()
}
