//! Gates: conjunctions, exclusive disjunctions and choices over inputs, each stored once.
//!
//! Constants, equal and opposite operands never make a gate, and a conjunction looks one level into its operands: most of what a program's constants decide
//! is gone before the solver sees it.

use rustc_hash::FxHashMap;
use std::ops::Not;

/// A gate or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Lit(u32);

impl Lit {
    pub(super) const FALSE: Lit = Lit(0);
    pub(super) const TRUE: Lit = Lit(1);

    pub(super) fn of(value: bool) -> Lit {
        Lit(u32::from(value))
    }

    /// Its value, if it is a constant.
    pub(super) fn constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    fn gate(self) -> usize {
        self.0 as usize >> 1
    }

    fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// Negated if `by`.
    fn flipped(self, by: bool) -> Lit {
        Lit(self.0 ^ u32::from(by))
    }

    /// Its value, given those of the gates.
    #[cfg(test)]
    pub(super) fn worth(self, gates: &[u64]) -> u64 {
        if self.is_negated() {
            !gates[self.gate()]
        } else {
            gates[self.gate()]
        }
    }

    /// As the literal of a clause; gate 0 is the constant and has none.
    pub(super) fn dimacs(self) -> i32 {
        let number = self.gate() as i32;
        if self.is_negated() {
            -number
        } else {
            number
        }
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Gate {
    /// An input, or the constant.
    Leaf,
    And(Lit, Lit),
    Xor(Lit, Lit),
    Ite(Lit, Lit, Lit),
}

/// A circuit.
#[derive(Default)]
pub(super) struct Gates {
    /// From the second on; the first is the constant.
    gates: Vec<Gate>,
    known: FxHashMap<Gate, u32>,
}

impl Gates {
    /// How many gates there are.
    pub(super) fn len(&self) -> usize {
        self.gates.len()
    }

    fn add(&mut self, gate: Gate) -> Lit {
        self.gates.push(gate);
        Lit((self.gates.len() as u32) << 1)
    }

    fn stored(&mut self, gate: Gate) -> Lit {
        if let Some(&known) = self.known.get(&gate) {
            return Lit(known);
        }
        let lit = self.add(gate);
        self.known.insert(gate, lit.0);
        lit
    }

    fn kind(&self, lit: Lit) -> Gate {
        lit.gate().checked_sub(1).map_or(Gate::Leaf, |i| self.gates[i])
    }

    /// A new input.
    pub(super) fn input(&mut self) -> Lit {
        self.add(Gate::Leaf)
    }

    pub(super) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (a.constant(), b.constant()) {
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            (Some(false), _) | (_, Some(false)) => return Lit::FALSE,
            _ if a == b => return a,
            _ if a == !b => return Lit::FALSE,
            _ => {}
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Gate::And(x, y) = self.kind(other) {
                match other.is_negated() {
                    false if one == x || one == y => return other,
                    false if one == !x || one == !y => return Lit::FALSE,
                    true if one == !x || one == !y => return one,
                    true if one == x => return self.and(one, !y),
                    true if one == y => return self.and(one, !x),
                    _ => {}
                }
            }
        }
        self.stored(Gate::And(a.min(b), a.max(b)))
    }

    pub(super) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(super) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        if let Some(value) = a.constant() {
            return b.flipped(value);
        }
        if let Some(value) = b.constant() {
            return a.flipped(value);
        }
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.flipped(a.is_negated()), b.flipped(b.is_negated()));
        if a == b {
            return Lit::of(negated);
        }
        self.stored(Gate::Xor(a.min(b), a.max(b))).flipped(negated)
    }

    pub(super) fn ite(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if let Some(value) = c.constant() {
            return if value { a } else { b };
        }
        match (a.constant(), b.constant()) {
            _ if a == b => return a,
            _ if a == !b => return !self.xor(c, a),
            (Some(true), _) => return self.or(c, b),
            (Some(false), _) => return self.and(!c, b),
            (_, Some(true)) => return self.or(!c, a),
            (_, Some(false)) => return self.and(c, a),
            _ if a == c => return self.or(c, b),
            _ if a == !c => return self.and(!c, b),
            _ if b == c => return self.and(c, a),
            _ if b == !c => return self.or(!c, a),
            _ => {}
        }
        let (c, a, b) = if c.is_negated() { (!c, b, a) } else { (c, a, b) };
        let negated = a.is_negated();
        self.stored(Gate::Ite(c, a.flipped(negated), b.flipped(negated))).flipped(negated)
    }

    /// The conjunction of many, as a tree of low depth.
    pub(super) fn all(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut lits: Vec<Lit> = lits.into_iter().collect();
        lits.sort_unstable();
        lits.dedup();
        while lits.len() > 1 {
            lits = lits.chunks(2).map(|pair| pair.iter().fold(Lit::TRUE, |a, b| self.and(a, *b))).collect();
        }
        lits.first().copied().unwrap_or(Lit::TRUE)
    }

    /// The disjunction of many.
    pub(super) fn any(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.all(lits.into_iter().map(Not::not))
    }

    /// What every gate is worth, the constant first, in 64 cases at once.
    #[cfg(test)]
    pub(super) fn simulated(&self, input: &dyn Fn(Lit) -> u64) -> Vec<u64> {
        let mut values = vec![0u64];
        for (i, gate) in self.gates.iter().enumerate() {
            let of = |l: Lit| l.worth(&values);
            let value = match *gate {
                Gate::Leaf => input(Lit((i as u32 + 1) << 1)),
                Gate::And(a, b) => of(a) & of(b),
                Gate::Xor(a, b) => of(a) ^ of(b),
                Gate::Ite(c, a, b) => of(c) & of(a) | !of(c) & of(b),
            };
            values.push(value);
        }
        values
    }

    /// The clauses that define the gates below `roots` (Tseitin), but for those that were seen before.
    pub(super) fn clauses(&self, roots: &[Lit], seen: &mut Vec<bool>, clause: &mut dyn FnMut(&[i32])) {
        seen.resize(self.gates.len() + 1, false);
        let mut stack: Vec<Lit> = roots.to_vec();
        while let Some(lit) = stack.pop() {
            if std::mem::replace(&mut seen[lit.gate()], true) {
                continue;
            }
            let g = lit.flipped(lit.is_negated()).dimacs();
            match self.kind(lit) {
                Gate::Leaf => {}
                Gate::And(a, b) => {
                    stack.extend([a, b]);
                    let (a, b) = (a.dimacs(), b.dimacs());
                    clause(&[-g, a]);
                    clause(&[-g, b]);
                    clause(&[g, -a, -b]);
                }
                Gate::Xor(a, b) => {
                    stack.extend([a, b]);
                    let (a, b) = (a.dimacs(), b.dimacs());
                    clause(&[-g, a, b]);
                    clause(&[-g, -a, -b]);
                    clause(&[g, -a, b]);
                    clause(&[g, a, -b]);
                }
                Gate::Ite(c, a, b) => {
                    stack.extend([c, a, b]);
                    let (c, a, b) = (c.dimacs(), a.dimacs(), b.dimacs());
                    clause(&[-c, -a, g]);
                    clause(&[-c, a, -g]);
                    clause(&[c, -b, g]);
                    clause(&[c, b, -g]);
                    // They follow, but not by propagation.
                    clause(&[-a, -b, g]);
                    clause(&[a, b, -g]);
                }
            }
        }
    }
}
