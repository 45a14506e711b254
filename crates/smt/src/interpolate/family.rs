//! Families of graphs that unroll the same blocks: how problems are recorded.
//!
//! A program gives rise to many graphs, one for each depth of unrolling, all made of copies of the blocks between its cut points. A
//! [`Family`] keeps each block once, over variables before it (version 0), after it (version 1) and of its own, and each graph as a list of
//! the cut points its nodes copy and the blocks its edges copy.

use super::dag::{Dag, Edge, Malformed, NodeId};
use plumb_term::visit::{substitute, vars};
use plumb_term::{Term, Var, VarId};
use std::collections::BTreeMap;

/// A formula between two cut points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The cut point it starts at.
    pub from: usize,
    /// The cut point it ends at.
    pub to: usize,
    /// Over the variables of its start in version 0, of its end in version 1, and others in version 0.
    pub formula: Term,
}

/// One graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// The cut point of each node.
    pub nodes: Vec<usize>,
    /// The block and the two nodes of each edge.
    pub edges: Vec<(usize, NodeId, NodeId)>,
}

/// Blocks and the graphs that are made of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Family {
    /// Its name.
    pub name: String,
    /// The variables of each cut point, in version 0.
    pub cuts: Vec<Vec<Var>>,
    /// The blocks.
    pub blocks: Vec<Block>,
    /// The graphs.
    pub members: Vec<Member>,
}

impl Family {
    /// The graph of a member: the copies at node `n` have version `n + 1`.
    pub fn dag(&self, member: &Member) -> Result<Dag, Malformed> {
        let version = |n: usize| n as u32 + 1;
        let mut nodes = Vec::with_capacity(member.nodes.len());
        for (n, c) in member.nodes.iter().enumerate() {
            let cut = self.cuts.get(*c).ok_or(Malformed::Empty)?;
            nodes.push(cut.iter().map(|v| v.at(version(n))).collect());
        }
        let mut edges = Vec::with_capacity(member.edges.len());
        for (i, (b, from, to)) in member.edges.iter().enumerate() {
            let fits = |block: &&Block| member.nodes.get(from.0) == Some(&block.from) && member.nodes.get(to.0) == Some(&block.to);
            let block = self.blocks.get(*b).filter(fits).ok_or(Malformed::Order(super::EdgeId(i)))?;
            let own = version(member.nodes.len() + i);
            let start = &self.cuts[block.from];
            let formula = substitute(block.formula, &|v| {
                Some(Term::var(match v.version {
                    0 if start.contains(&v) => v.at(version(from.0)),
                    0 => v.at(own),
                    _ => v.at(version(to.0)),
                }))
            });
            edges.push(Edge { from: *from, to: *to, formula });
        }
        Dag::new(nodes, edges)
    }

    /// The family of one graph, each node a cut point and each edge a block, variables renumbered.
    pub fn of_dag(name: &str, dag: &Dag) -> Family {
        let mut numbers: BTreeMap<Var, Var> = BTreeMap::new();
        let mut number = |v: Var| {
            let next = numbers.len() as u32;
            *numbers.entry(v).or_insert_with(|| Var::new(VarId(next), v.ty))
        };
        let cuts: Vec<Vec<Var>> = dag.nodes().iter().map(|list| list.iter().map(|v| number(*v)).collect()).collect();
        let mut blocks = Vec::new();
        for e in dag.edges() {
            let after = &dag.nodes()[e.to.0];
            let map: BTreeMap<Var, Var> = vars([e.formula]).into_iter().map(|v| (v, number(v))).collect();
            let place = |v: Var| map.get(&v).map(|new| Term::var(new.at(u32::from(after.contains(&v)))));
            blocks.push(Block { from: e.from.0, to: e.to.0, formula: substitute(e.formula, &place) });
        }
        let edges = dag.edges().iter().enumerate().map(|(i, e)| (i, e.from, e.to)).collect();
        let member = Member { name: name.to_string(), nodes: (0..dag.nodes().len()).collect(), edges };
        Family { name: name.to_string(), cuts, blocks, members: vec![member] }
    }
}
