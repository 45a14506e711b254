//! Random problems that look like pieces of programs.

use crate::common::Random;
use plumb_smt::interpolate::{Dag, Edge, NodeId, Sequence, Tree, TreeNode};
use plumb_term::{Cell, IBig, IntTy, Scalar, Term, Var, VarId, VarTy};

/// What formulas are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theory {
    /// Unbounded integers and Booleans, linear.
    Linear,
    /// Booleans and bytes.
    Boolean,
    /// Memories with constant and variable indices.
    Memory,
    /// Machine integers with wraps, quotients and remainders.
    Machine,
    /// Bit operations.
    Bits,
}

pub const THEORIES: [Theory; 5] = [Theory::Linear, Theory::Boolean, Theory::Memory, Theory::Machine, Theory::Bits];

const CELL: Scalar = Scalar::Int(IntTy::signed(8));

impl Theory {
    /// The types of the state's variables.
    fn state(self) -> Vec<VarTy> {
        let int = |bits| VarTy::Scalar(Scalar::Int(IntTy::signed(bits)));
        match self {
            Theory::Linear => vec![VarTy::Int, VarTy::Int, VarTy::Bool],
            Theory::Boolean => vec![VarTy::Bool, VarTy::Bool, VarTy::Bool, VarTy::Scalar(Scalar::Int(IntTy::U8))],
            Theory::Memory => vec![VarTy::Mem(Cell::Scalar(CELL)), int(8), int(8)],
            Theory::Machine => vec![int(8), int(8), VarTy::Scalar(Scalar::Int(IntTy::U8))],
            Theory::Bits => vec![int(6), VarTy::Scalar(Scalar::Int(IntTy::unsigned(6)))],
        }
    }
}

/// Makes formulas over the variables that are given each time.
pub struct Gen {
    pub random: Random,
    theory: Theory,
}

impl Gen {
    pub fn new(seed: u64, theory: Theory) -> Gen {
        Gen { random: Random::new(seed), theory }
    }

    fn constant(&mut self) -> Term {
        Term::int(self.random.below(9) as i64 - 4)
    }

    fn of(&mut self, scope: &[Var], wanted: impl Fn(VarTy) -> bool) -> Option<Term> {
        let fit: Vec<Var> = scope.iter().copied().filter(|v| wanted(v.ty)).collect();
        (!fit.is_empty()).then(|| Term::var(self.random.pick(&fit)))
    }

    fn number(&mut self, scope: &[Var]) -> Term {
        self.of(scope, |ty| matches!(ty, VarTy::Int | VarTy::Scalar(_))).unwrap_or_else(|| Term::int(1))
    }

    fn memory(&mut self, scope: &[Var]) -> Option<Term> {
        self.of(scope, |ty| matches!(ty, VarTy::Mem(_)))
    }

    fn index(&mut self, scope: &[Var]) -> Term {
        if self.random.one_in(2) {
            self.constant()
        } else {
            self.number(scope)
        }
    }

    /// An integer.
    pub fn int(&mut self, scope: &[Var], depth: u32) -> Term {
        if depth == 0 {
            return if self.random.one_in(4) { self.constant() } else { self.number(scope) };
        }
        let a = self.int(scope, depth - 1);
        let narrow = IntTy::signed(8);
        match (self.theory, self.random.below(6)) {
            (Theory::Memory, 0..=2) => match self.memory(scope) {
                Some(m) => Term::load(CELL, m, self.index(scope)),
                None => a,
            },
            (Theory::Machine, 0) => a.add(self.int(scope, depth - 1)).wrap(narrow),
            (Theory::Machine, 1) => a.div(Term::int(self.random.below(5) as i64 + 2)),
            (Theory::Machine, 2) => a.rem(Term::int(self.random.below(5) as i64 + 2)),
            (Theory::Bits, 0) => a.bit_and(self.int(scope, depth - 1)),
            (Theory::Bits, 1) => a.bit_or(self.int(scope, depth - 1)).wrap(IntTy::signed(6)),
            (Theory::Bits, 2) => a.bit_xor(self.int(scope, depth - 1)).wrap(IntTy::signed(6)),
            (Theory::Bits, 3) => a.shr(Term::int(1)),
            (_, 4) => a.scale(&IBig::from(self.random.below(5) as i64 - 2)).add(self.constant()),
            (Theory::Linear, 3) => Term::ite(self.formula(scope, 0), a, self.int(scope, depth - 1)),
            _ => a.add(self.int(scope, depth - 1)),
        }
    }

    /// A formula.
    pub fn formula(&mut self, scope: &[Var], depth: u32) -> Term {
        if depth == 0 {
            if let (true, Some(b)) = (self.random.one_in(3), self.of(scope, |ty| ty == VarTy::Bool)) {
                return if self.random.one_in(2) { b } else { b.not() };
            }
            let (a, b) = (self.int(scope, 1), if self.random.one_in(2) { self.constant() } else { self.int(scope, 1) });
            return match self.random.below(3) {
                0 => a.equals(b),
                1 => a.less(b),
                _ => a.less_eq(b),
            };
        }
        let (a, b) = (self.formula(scope, depth - 1), self.formula(scope, depth - 1));
        match self.random.below(4) {
            0 => a.or(b),
            1 => a.implies(b),
            _ => a.and(b),
        }
    }

    /// What a statement makes of the state: each new variable is assigned, a copy of another, kept or open.
    fn step(&mut self, before: &[Var], after: &[Var], local: Var) -> Term {
        let mut scope = before.to_vec();
        if self.random.one_in(3) {
            scope.push(local);
        }
        let mut parts = Vec::new();
        if self.random.one_in(2) {
            parts.push(self.formula(&scope, 1));
        }
        for v in after {
            let old = before.iter().find(|b| b.id == v.id).map(|b| Term::var(*b));
            let new = Term::var(*v);
            match (self.random.below(10), old) {
                (0, _) => {}
                (1..=4, _) => {
                    let value = match v.ty {
                        VarTy::Bool => self.formula(&scope, 0),
                        VarTy::Mem(_) => match self.memory(&scope) {
                            Some(m) => {
                                let (at, value) = (self.index(&scope), self.int(&scope, 1).wrap(IntTy::signed(8)));
                                Term::store(CELL, m, at, value)
                            }
                            None => new,
                        },
                        VarTy::Scalar(Scalar::Int(ty)) if self.random.one_in(2) => self.int(&scope, 1).wrap(ty),
                        _ => self.int(&scope, 1),
                    };
                    parts.push(new.equals(value));
                }
                (5, _) => {
                    let copied = self.of(before, |ty| ty == v.ty);
                    parts.extend(copied.map(|other| new.equals(other)));
                }
                (_, Some(old)) => parts.push(new.equals(old)),
                _ => {}
            }
        }
        Term::all(parts)
    }

    fn copies(&self, version: u32) -> Vec<Var> {
        let at = |(i, ty): (usize, VarTy)| Var { id: VarId(i as u32), version, ty };
        self.theory.state().into_iter().enumerate().map(at).collect()
    }

    fn local(&mut self, version: u32) -> Var {
        let ty = match self.theory {
            Theory::Linear => VarTy::Int,
            Theory::Memory if self.random.one_in(3) => VarTy::Mem(Cell::Scalar(CELL)),
            _ => VarTy::Scalar(Scalar::Int(IntTy::U8)),
        };
        Var { id: VarId(90), version, ty }
    }

    /// A graph with some branches that join.
    pub fn dag(&mut self) -> Dag {
        let n = 3 + self.random.below(5);
        let mut nodes: Vec<Vec<Var>> = (0..n).map(|i| self.copies(i as u32 + 1)).collect();
        nodes[n - 1].clear();
        let mut edges = Vec::new();
        let mut edge = |this: &mut Gen, from: usize, to: usize| {
            let local = this.local(100 + edges.len() as u32);
            let formula = this.step(&nodes[from], &nodes[to], local);
            let formula = if to + 1 == n { formula.and(this.formula(&nodes[from], 1)) } else { formula };
            edges.push(Edge { from: NodeId(from), to: NodeId(to), formula });
        };
        for to in 1..n {
            edge(self, to - 1, to);
            if self.random.one_in(3) {
                let from = self.random.below(to);
                edge(self, from, to);
            }
        }
        Dag::new(nodes, edges).expect("own copies")
    }

    /// Formulas over windows of a row of variables.
    pub fn sequence(&mut self) -> Sequence {
        let n = 2 + self.random.below(4);
        let row: Vec<Var> = (0..n as u32 + 2).flat_map(|i| self.copies(i)).collect();
        let width = 2 * self.theory.state().len();
        let mut formulas = Vec::new();
        for i in 0..n {
            let start = i * width / 2;
            let scope: Vec<Var> = row[start..start + width].to_vec();
            let (old, new) = scope.split_at(width / 2);
            let local = self.local(200 + i as u32);
            let step = self.step(old, new, local);
            // Now and then something from further back.
            let wide: Vec<Var> = row[..start + width].to_vec();
            let also = if self.random.one_in(3) { self.formula(&wide, 0) } else { self.formula(&scope, 0) };
            formulas.push(step.and(also));
        }
        Sequence::new(formulas).expect("cuts are computed")
    }

    /// A tree of at most three levels.
    pub fn tree(&mut self) -> Tree {
        let leaves = 2 + self.random.below(2);
        let mut nodes: Vec<TreeNode> = Vec::new();
        let mut open: Vec<NodeId> = Vec::new();
        for i in 0..leaves {
            let vars = self.copies(i as u32);
            let formula = self.formula(&vars, 1);
            nodes.push(TreeNode { vars, children: Vec::new(), formula });
            open.push(NodeId(i));
        }
        if self.random.one_in(2) {
            let children: Vec<NodeId> = open.drain(..2).collect();
            let vars = self.copies(10);
            let below: Vec<Var> = children.iter().flat_map(|c| nodes[c.0].vars.clone()).collect();
            let local = self.local(20);
            let formula = self.step(&below, &vars, local);
            nodes.push(TreeNode { vars, children, formula });
            open.push(NodeId(nodes.len() - 1));
        }
        let scope: Vec<Var> = open.iter().flat_map(|c| nodes[c.0].vars.clone()).collect();
        let formula = Term::all((0..3).map(|_| self.formula(&scope, 0)));
        nodes.push(TreeNode { vars: Vec::new(), children: open, formula });
        Tree::new(nodes).expect("own copies")
    }
}
