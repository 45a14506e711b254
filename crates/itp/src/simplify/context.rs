//! What siblings say settles atoms further down: in `a ∧ (b ∨ (a ∧ c))` the inner `a` is true, in `a ∨ (b ∧ (a ∨ c))` false.

use crate::pool::{Id, Node, Op, Pool};

/// Formulas visited at most.
const BUDGET: usize = 20_000;
/// Nesting entered at most.
const DEPTH: usize = 60;
/// Atoms remembered at most.
const KNOWN: usize = 64;

/// `id` with atoms replaced that their context decides.
pub fn simplify(pool: &mut Pool, id: Id) -> Id {
    let mut context = Context { known: Vec::new(), budget: BUDGET };
    context.visit(pool, id, DEPTH)
}

struct Context {
    /// Atoms that hold here.
    known: Vec<Id>,
    budget: usize,
}

impl Context {
    fn visit(&mut self, pool: &mut Pool, id: Id, depth: usize) -> Id {
        let Node::Connect(op, children) = pool.node(id).clone() else { return self.atom(pool, id) };
        if depth == 0 || self.budget < children.len() {
            return id;
        }
        self.budget -= children.len();
        let outside = self.known.len();
        let (atoms, composite): (Vec<Id>, Vec<Id>) = children.iter().partition(|c| pool.is_atom(**c));
        let mut out: Vec<Id> = Vec::with_capacity(children.len());
        for a in atoms {
            let a = self.atom(pool, a);
            out.push(a);
            // Beside a disjunct, the others may be taken as false.
            let fact = if op == Op::And { Some(a) } else { pool.negate_atom(a) };
            if self.known.len() < outside + KNOWN {
                self.known.extend(fact.filter(|f| *f != Id::TRUE));
            }
        }
        for c in composite {
            out.push(self.visit(pool, c, depth - 1));
        }
        self.known.truncate(outside);
        pool.connect(op, out)
    }

    fn atom(&self, pool: &mut Pool, id: Id) -> Id {
        if self.known.contains(&id) {
            return Id::TRUE;
        }
        let negation = pool.negate_atom(id);
        if negation.is_some_and(|n| self.known.contains(&n)) {
            return Id::FALSE;
        }
        let Some(bound) = pool.bound(id) else { return id };
        for k in self.known.iter().filter_map(|k| pool.bound(*k)) {
            if k.implies(bound) {
                return Id::TRUE;
            }
            if k.excludes(bound) {
                return Id::FALSE;
            }
        }
        id
    }
}
