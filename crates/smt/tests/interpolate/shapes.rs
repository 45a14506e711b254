//! Problems by hand: what is refused, and labels that must not pass.

use plumb_smt::interpolate::{
    validate, validate_tree, Answer, CoreGuided, Dag, Edge, EdgeId, Interpolator, Invalid, Malformed, NodeId, Sequence, Spacer, Tree,
    TreeNode,
};
use plumb_smt::{Own, Strength};
use plumb_term::{Budget, FCmpOp, FloatTy, Scalar, Term, Var, VarId, VarTy};

fn int(id: u32, version: u32) -> Var {
    Var { id: VarId(id), version, ty: VarTy::Int }
}

fn edge(from: usize, to: usize, formula: Term) -> Edge {
    Edge { from: NodeId(from), to: NodeId(to), formula }
}

/// x = 0; then twice x += 1 or x += 2; error if x > 4.
fn counting() -> Dag {
    let x: Vec<Var> = (0..4).map(|n| int(0, n)).collect();
    let t = |n: usize| Term::var(x[n]);
    let step = |from: usize, to: usize, k: i64| edge(from, to, t(to).equals(t(from).plus(k)));
    let edges = vec![
        edge(0, 1, t(1).equals(Term::int(0))),
        step(1, 2, 1),
        step(1, 2, 2),
        step(2, 3, 1),
        step(2, 3, 2),
        edge(3, 4, t(3).greater(Term::int(4))),
    ];
    let mut nodes: Vec<Vec<Var>> = x.iter().map(|v| vec![*v]).collect();
    nodes.push(Vec::new());
    Dag::new(nodes, edges).expect("well-formed")
}

#[test]
fn labels_of_a_counter() {
    let dag = counting();
    for engine in [&mut CoreGuided as &mut dyn Interpolator, &mut Spacer] {
        let Answer::Labels(labels) = engine.dag(&dag, &Budget::unlimited()) else { panic!("{}", engine.name()) };
        assert_eq!(validate(&dag, &labels, &Budget::unlimited()), Ok(()));
    }
}

/// A machine goes round three states; what excludes the fourth is said of all copies of its loop, in the same words.
#[test]
fn a_clause_of_one_copy_is_one_of_the_earlier_ones() {
    let at = |n: usize| Term::var(int(0, n as u32));
    let is = |n: usize, k: i64| at(n).equals(Term::int(k));
    let step = |n: usize| {
        Term::any([is(n, 0).and(is(n + 1, 1)), is(n, 1).and(is(n + 1, 2)), is(n, 2).and(is(n + 1, 0)), is(n, 3).and(is(n + 1, 3))])
    };
    let mut edges = vec![edge(0, 1, is(1, 0))];
    edges.extend((1..5).map(|n| edge(n, n + 1, step(n))));
    edges.push(edge(5, 6, is(5, 3)));
    let nodes = (0..7).map(|n| if n == 0 || n == 6 { vec![] } else { vec![int(0, n)] }).collect();
    let places = (0..7).map(|n| (n > 0 && n < 6).then_some(0)).collect();
    let dag = Dag::new(nodes, edges).expect("well-formed").with_places(places);
    let Answer::Labels(labels) = Own::blocking().dag(&dag, &Budget::unlimited()) else { panic!("no labels") };
    assert_eq!(validate(&dag, &labels, &Budget::unlimited()), Ok(()));
    for n in 1..6 {
        assert_eq!(labels[n], at(n).less_eq(Term::int(2)), "{labels:?}");
    }
}

/// x = 0; y = x; z = x; then x, y, z are told apart: a label has to say that the copies were equal.
#[test]
fn copies_of_one_variable_stay_apart_in_labels() {
    let at = |id: u32, n: u32| Term::var(int(id, n));
    let edges = vec![
        edge(0, 1, at(0, 1).equals(Term::int(0))),
        edge(1, 2, Term::all([at(0, 2).equals(at(0, 1)), at(1, 2).equals(at(0, 1))])),
        edge(2, 3, Term::all([at(0, 3).equals(at(0, 2)), at(1, 3).equals(at(1, 2).plus(1))])),
        edge(3, 4, at(1, 3).sub(at(0, 3)).greater(Term::int(1))),
    ];
    let nodes = vec![vec![], vec![int(0, 1)], vec![int(0, 2), int(1, 2)], vec![int(0, 3), int(1, 3)], vec![]];
    let dag = Dag::new(nodes, edges).expect("well-formed");
    for strength in [Strength::McMillan, Strength::Pudlak, Strength::Dual] {
        let Answer::Labels(labels) = Own::new(strength).dag(&dag, &Budget::unlimited()) else { panic!("{strength:?}") };
        assert_eq!(validate(&dag, &labels, &Budget::unlimited()), Ok(()), "{strength:?}: {labels:?}");
    }
}

#[test]
fn wrong_labels_are_refused() {
    let dag = counting();
    let b = Budget::unlimited();
    let at_most = |n: u32, k: i64| Term::var(int(0, n)).less_eq(Term::int(k));
    let good = vec![Term::tt(), at_most(1, 0), at_most(2, 2), at_most(3, 4), Term::ff()];
    assert_eq!(validate(&dag, &good, &b), Ok(()));
    let with = |i: usize, t: Term| {
        let mut bad = good.clone();
        bad[i] = t;
        validate(&dag, &bad, &b)
    };
    assert_eq!(with(2, at_most(2, 1)), Err(Invalid::Edge(EdgeId(2))));
    assert_eq!(with(3, at_most(3, 5)), Err(Invalid::Edge(EdgeId(5))));
    assert_eq!(with(0, at_most(0, 5)), Err(Invalid::Entry));
    assert_eq!(with(4, Term::tt()), Err(Invalid::Error));
    assert_eq!(with(1, at_most(2, 0)), Err(Invalid::Vocabulary(NodeId(1), int(0, 2))));
    assert_eq!(validate(&dag, &good[1..], &b), Err(Invalid::Shape));
}

#[test]
fn malformed_problems_are_refused() {
    let (x, y) = (int(0, 0), int(1, 0));
    let t = Term::var(x).less(Term::var(y));
    assert_eq!(Dag::new(vec![vec![x]], vec![]), Err(Malformed::Empty));
    assert_eq!(Dag::new(vec![vec![x], vec![x]], vec![]), Err(Malformed::Variable(x)));
    assert_eq!(Dag::new(vec![vec![x], vec![y]], vec![edge(1, 0, t)]), Err(Malformed::Order(EdgeId(0))));
    assert_eq!(Dag::new(vec![vec![x], vec![]], vec![edge(0, 1, Term::var(x))]), Err(Malformed::Sort(EdgeId(0))));
    let skipping = vec![edge(0, 1, t), edge(1, 2, t)];
    assert_eq!(Dag::new(vec![vec![x], vec![], vec![]], skipping), Err(Malformed::Variable(x)));
    let missing = Sequence::with_cuts(vec![t, t], vec![vec![x]]);
    assert_eq!(missing, Err(Malformed::Variable(y)));
    let node = |vars: Vec<Var>, children: Vec<NodeId>, formula: Term| TreeNode { vars, children, formula };
    assert_eq!(Tree::new(vec![node(vec![], vec![], t), node(vec![], vec![], t)]), Err(Malformed::Order(EdgeId(0))));
    assert_eq!(Tree::new(vec![node(vec![x], vec![], t), node(vec![], vec![NodeId(0)], t)]), Err(Malformed::Variable(y)));
}

#[test]
fn nodes_off_the_way_have_plain_labels() {
    let x: Vec<Var> = (0..5).map(|n| int(0, n)).collect();
    let t = |n: usize| Term::var(x[n]);
    // Node 1 is not reached, node 2 does not reach the error.
    let edges =
        vec![edge(1, 3, Term::tt()), edge(0, 2, Term::tt()), edge(0, 3, t(3).equals(Term::int(1))), edge(3, 4, t(3).equals(Term::int(2)))];
    let mut nodes: Vec<Vec<Var>> = x.iter().map(|v| vec![*v]).collect();
    nodes[4].clear();
    let dag = Dag::new(nodes, edges).expect("well-formed");
    for engine in [&mut CoreGuided as &mut dyn Interpolator, &mut Spacer] {
        let Answer::Labels(labels) = engine.dag(&dag, &Budget::unlimited()) else { panic!("{}", engine.name()) };
        assert_eq!((labels[1], labels[2]), (Term::ff(), Term::tt()));
        assert_eq!(validate(&dag, &labels, &Budget::unlimited()), Ok(()));
    }
}

#[test]
fn no_path_at_all() {
    let dag = Dag::new(vec![vec![], vec![], vec![]], vec![edge(0, 1, Term::tt()), edge(1, 2, Term::ff())]).expect("well-formed");
    for engine in [&mut CoreGuided as &mut dyn Interpolator, &mut Spacer] {
        assert_eq!(engine.dag(&dag, &Budget::unlimited()), Answer::Labels(vec![Term::tt(), Term::tt(), Term::ff()]));
    }
}

#[test]
fn floats_by_the_core() {
    let ty = VarTy::Scalar(Scalar::Float(FloatTy::F32));
    let x: Vec<Var> = (0..3).map(|n| Var { id: VarId(0), version: n, ty }).collect();
    let one = Term::float(plumb_term::Float::one(FloatTy::F32));
    let (a, b, c) = (Term::var(x[0]), Term::var(x[1]), Term::var(x[2]));
    let less = |a: Term, b: Term| Term::fcmp(FCmpOp::Lt, a, b);
    let doubled = Term::fbin(plumb_term::FBinOp::Add, b, b);
    let edges = vec![edge(0, 1, less(one, a).and(b.equals(a))), edge(1, 2, c.equals(doubled)), edge(2, 3, less(c, one))];
    let mut nodes: Vec<Vec<Var>> = x.iter().map(|v| vec![*v]).collect();
    nodes.push(Vec::new());
    let dag = Dag::new(nodes, edges).expect("well-formed");
    let Answer::Labels(labels) = CoreGuided.dag(&dag, &Budget::unlimited()) else { panic!("no labels") };
    assert_eq!(validate(&dag, &labels, &Budget::unlimited()), Ok(()));
}

#[test]
fn trees_of_two_leaves() {
    let (x, y) = (int(0, 0), int(1, 0));
    let (a, b) = (Term::var(x), Term::var(y));
    let leaf = |v: Var, formula: Term| TreeNode { vars: vec![v], children: vec![], formula };
    let root = TreeNode { vars: vec![], children: vec![NodeId(0), NodeId(1)], formula: a.add(b).greater(Term::int(7)) };
    let tree = Tree::new(vec![leaf(x, a.less(Term::int(3))), leaf(y, b.less(Term::int(4))), root]).expect("well-formed");
    for engine in [&mut CoreGuided as &mut dyn Interpolator, &mut Spacer] {
        let Answer::Labels(labels) = engine.tree(&tree, &Budget::unlimited()) else { panic!("{}", engine.name()) };
        assert_eq!(validate_tree(&tree, &labels, &Budget::unlimited()), Ok(()));
        let mut bad = labels.clone();
        bad[0] = Term::tt();
        assert_eq!(validate_tree(&tree, &bad, &Budget::unlimited()), Err(Invalid::Edge(EdgeId(2))));
    }
}

/// What an operator that is taken as unknown gives at a node's variables belongs to the node: a label has to say something of it.
#[test]
fn unknown_operators_at_a_nodes_variables_are_the_nodes() {
    let [x, y, z] = [0, 1, 2].map(|i| Var { id: VarId(i), version: 1, ty: VarTy::Scalar(Scalar::Int(plumb_term::IntTy::I32)) });
    let (a, b, c) = (Term::var(x), Term::var(y), Term::var(z));
    let both = a.bit_and(b);
    let first = both.equals(Term::int(5)).and(c.equals(both));
    let second = c.less_eq(Term::int(9)).and(both.less(Term::int(2)));
    let sequence = Sequence::new(vec![first, second]).expect("two formulas");
    for mut engine in [Own::default(), Own::new(Strength::Dual), Own::new(Strength::Pudlak), Own::blocking()] {
        let Answer::Labels(labels) = engine.sequence(&sequence, &Budget::unlimited()) else { panic!("{}", engine.name()) };
        assert_eq!(sequence.validate(&labels, &Budget::unlimited()), Ok(()), "{labels:?}");
    }
}
