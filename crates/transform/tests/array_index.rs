//! Abstraction by variables and array elements: the theorems of Section 4 of seed 003, on random programs, and the abstractions of Table 1.

mod support;

use plumb_cfa::*;
use plumb_term::eval::{eval, Value};
use plumb_term::{Cell, IBig, IntTy, Kind, Scalar, Term, Var, VarId, VarTy};
use plumb_transform::array_index::{Abstraction, ArrayIndex, Element, Meaning, Precision};
use plumb_transform::walk::{observe, End};
use plumb_transform::*;
use plumb_verdict::Trace;
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;
use support::*;

const INT: Scalar = Scalar::Int(IntTy::I32);

fn element(i: u64, ty: Scalar) -> Element {
    Element { region: RegionId(0), addr: OBJECT + i, ty }
}

/// A pair (V, R) from the bits of a number: the first eight choose variables, the others elements, some of which overlap.
fn precision(bits: u16) -> Precision {
    let places = [(0, INT), (4, INT), (2, INT), (5, Scalar::Int(IntTy::U8)), (0, Scalar::Int(IntTy::U32))];
    let has = |i: usize| bits >> i & 1 == 1;
    Precision {
        variables: (0..9u32).filter(|v| *v != MEM.0 && has(*v as usize % 8)).map(VarId).collect(),
        elements: places.iter().enumerate().filter(|(i, _)| has(8 + i)).map(|(_, (a, ty))| element(*a, *ty)).collect(),
    }
}

/// An execution: the state before each edge and after the last, and the edges with the inputs they took.
struct Execution {
    states: Vec<Vec<Value>>,
    edges: Vec<(FuncId, EdgeId)>,
    inputs: Vec<Vec<Value>>,
    /// By edge, the state before it and after it.
    around: Vec<(usize, usize)>,
    end: End,
}

/// Gives an input of an edge; it is told the edges before.
type Give<'a> = &'a mut dyn FnMut(&[(FuncId, EdgeId)], FuncId, EdgeId, &Input) -> Option<Value>;

fn execute(p: &Program, steps: u64, give: Give<'_>) -> Execution {
    let states: RefCell<Vec<Vec<Value>>> = RefCell::default();
    let edges: RefCell<Vec<(FuncId, EdgeId)>> = RefCell::default();
    let taken: RefCell<Vec<Value>> = RefCell::default();
    let (mut inputs, mut around) = (vec![], vec![]);
    let mut supply = |f: FuncId, e: EdgeId, i: &Input| {
        let v = give(&edges.borrow(), f, e, i)?;
        taken.borrow_mut().push(v.clone());
        Some(v)
    };
    let mut see = |_: &[CallSite], _: FuncId, _: Loc, vars: &[Value]| states.borrow_mut().push(vars.to_vec());
    let mut cross = |f: FuncId, e: EdgeId| {
        edges.borrow_mut().push((f, e));
        inputs.push(taken.take());
        let n = states.borrow().len();
        around.push((n - 1, n));
    };
    let end = observe(p, &BTreeMap::new(), steps, &mut supply, &mut see, &mut cross);
    Execution { states: states.into_inner(), edges: edges.into_inner(), inputs, around, end }
}

fn concrete(p: &Program, seed: u64) -> Execution {
    let (_, trace) = run(p, seed, &mut |_, _, _, _| {});
    let mut given = trace.inputs.into_iter();
    execute(p, STEPS, &mut |_, _, _, _| given.next().map(|i| i.value))
}

fn value(t: Term, vars: &[Value]) -> Option<Value> {
    eval(t, &|v: Var| vars.get(v.id.0 as usize).cloned())
}

/// Follows an execution of the old program in the abstract one: each undefined value is what it stands for.
fn follow(old: &Program, a: &Abstraction, x: &Execution) -> Execution {
    let load = |e: Element, vars: &[Value]| value(Term::load(e.ty, old.memory(e.region), Term::int(e.addr)), vars);
    execute(&a.program, 20 * STEPS, &mut |before, f, e, _| {
        let at = before.iter().filter(|x| a.edge(**x).is_some()).count();
        match (a.undefined((f, e)).map(|u| u.meaning), &a.program.function(f).graph.edge(e).op) {
            (Some(Meaning::Before(t)), _) => value(t, &x.states[x.around.get(at)?.0]),
            (Some(Meaning::After(el)), _) => load(el, x.states.get(x.around.get(at)?.1)?),
            (None, Op::Havoc { var, .. }) if a.edge((f, e)).is_none() => load(a.element(*var)?, &x.states[0]),
            _ => x.inputs.get(at)?.first().cloned(),
        }
    })
}

fn mapped(a: &Abstraction, x: &Execution) -> Vec<(FuncId, EdgeId)> {
    x.edges.iter().filter_map(|e| a.edge(*e)).collect()
}

/// Theorem 1: what the old program executes, the abstract one executes, with the same values of what is kept; the way back leads to the same path.
fn sound(source: &Source, bits: u16, seed: u64) -> Result<(), TestCaseError> {
    let old = build(source);
    let kept = precision(bits);
    let a = ArrayIndex { precision: kept.clone() }.apply(&old);
    let x = concrete(&old, seed);
    let y = follow(&old, &a, &x);
    let (path, whole) = (mapped(&a, &y), x.end != End::Incomplete);
    prop_assert!(path.len() >= x.edges.len(), "{} of {}\n{}\n{}", path.len(), x.edges.len(), text::Text(&old), text::Text(&a.program));
    prop_assert_eq!(&path[..x.edges.len()], &x.edges[..]);
    for (i, at) in y.edges.iter().enumerate().filter(|(_, e)| a.edge(**e).is_some()).map(|(i, _)| i).zip(&x.around) {
        let (new, old_state) = (&y.states[y.around[i].0], &x.states[at.0]);
        for v in &kept.variables {
            prop_assert_eq!(
                &new[v.0 as usize],
                &old_state[v.0 as usize],
                "{:?} at step {}\n{}\n{}",
                v,
                i,
                text::Text(&old),
                text::Text(&a.program)
            );
        }
        for e in &kept.elements {
            let var = (0..a.program.vars.len() as u32).map(VarId).find(|v| a.element(*v) == Some(*e));
            let load = Term::load(e.ty, old.memory(e.region), Term::int(e.addr));
            let (is, should) = (var.map(|v| new[v.0 as usize].clone()), value(load, old_state));
            // The first values of elements that are not live are anything.
            prop_assert!(
                is == should || at.0 < 2,
                "{:?}: {:?}, not {:?} at step {}\n{}\n{}",
                e,
                is,
                should,
                i,
                text::Text(&old),
                text::Text(&a.program)
            );
        }
    }
    if whole && matches!(x.end, End::Error(..)) {
        prop_assert!(matches!(y.end, End::Error(..)));
        let inputs = y.inputs.iter().flatten().map(|v| plumb_verdict::InputValue {
            source: InputSource::Asm,
            span: plumb_term::Span::NONE,
            value: v.clone(),
        });
        let trace = Trace { inputs: inputs.collect(), memory: BTreeMap::new() };
        prop_assert_eq!(a.path(&trace), x.edges.clone());
        // With everything kept the abstraction is exact, and the inputs come back.
        if bits & 0x3ff == 0x3ff {
            prop_assert!(replays(&old, &a.trace(trace)), "{}\n{}", text::Text(&old), text::Text(&a.program));
        }
    }
    Ok(())
}

/// The values that an execution of one abstraction gives to the terms of the old program; anything where it does not know them.
struct Guess<'a> {
    old: &'a Program,
    precision: &'a Precision,
    by: &'a Abstraction,
    state: &'a [Value],
    undefined: &'a BTreeMap<Term, Value>,
}

impl Guess<'_> {
    fn value(&self, t: Term) -> Option<Value> {
        if let Some(v) = self.undefined.get(&t) {
            return Some(v.clone());
        }
        let ground = plumb_term::visit::Rewriter::new().rewrite(t, &mut |n| {
            if let Some(Value::Int(v)) = self.undefined.get(&n) {
                return Some(Term::int(v.clone()));
            }
            match n.kind() {
                Kind::Var(v) if self.precision.variables.contains(&v.id) => match &self.state[v.id.0 as usize] {
                    Value::Int(k) => Some(Term::int(k.clone())),
                    _ => None,
                },
                Kind::Var(v) if v.ty != VarTy::Mem(Cell::Byte) => Some(Term::int(0)),
                _ => None,
            }
        });
        // What is left are reads: of elements that are kept, and of others, which hold anything.
        let memory = |v: Var| {
            let mut m = plumb_term::eval::MemValue::zero(Cell::Byte);
            for e in &self.precision.elements {
                let var = (0..self.by.program.vars.len() as u32).map(VarId).find(|v| self.by.element(*v) == Some(*e))?;
                m.store(e.ty, &IBig::from(e.addr), &self.state[var.0 as usize]);
            }
            (v.id == self.old.regions[0].var).then_some(Value::Mem(m))
        };
        eval(ground, &memory)
    }
}

/// Theorem 2: what the finer abstraction executes, the coarser one executes.
fn monotone(source: &Source, fine: u16, coarse: u16, seed: u64) -> Result<(), TestCaseError> {
    let old = build(source);
    // Without overlaps, so that the memory that elements make up is one.
    let (fine, coarse) = (precision(fine & 0x3ff), precision(fine & coarse & 0x3ff));
    prop_assert!(coarse.is_part_of(&fine));
    let (f, c) = (ArrayIndex { precision: fine.clone() }.apply(&old), ArrayIndex { precision: coarse }.apply(&old));
    let (_, trace) = run(&f.program, seed, &mut |_, _, _, _| {});
    let mut given = trace.inputs.into_iter();
    let x = execute(&f.program, STEPS, &mut |_, _, _, _| given.next().map(|i| i.value));
    // By edge of the old program: the state before it, what the undefined values were, the input, the state after it.
    let mut steps = Vec::new();
    let mut undefined = BTreeMap::new();
    let mut after = BTreeMap::new();
    for (i, e) in x.edges.iter().enumerate() {
        match (f.undefined(*e).map(|u| u.meaning), f.edge(*e)) {
            (Some(Meaning::Before(t)), _) => _ = undefined.insert(t, x.inputs[i][0].clone()),
            (Some(Meaning::After(el)), _) => _ = after.insert(el, x.inputs[i][0].clone()),
            (None, Some(_)) => {
                steps.push((x.around[i], std::mem::take(&mut undefined), std::mem::take(&mut after), x.inputs[i].first().cloned()))
            }
            _ => {}
        }
    }
    let y = execute(&c.program, 20 * STEPS, &mut |before, g, e, _| {
        let at = before.iter().filter(|x| c.edge(**x).is_some()).count();
        let ((from, to), undefined, after, input) = steps.get(at)?;
        let guess = |state: usize| Guess { old: &old, precision: &fine, by: &f, state: &x.states[state], undefined };
        let load = |e: Element| Term::load(e.ty, old.memory(e.region), Term::int(e.addr));
        match (c.undefined((g, e)).map(|u| u.meaning), &c.program.function(g).graph.edge(e).op) {
            (Some(Meaning::Before(t)), _) => guess(*from).value(t),
            (Some(Meaning::After(el)), _) => after.get(&el).cloned().or_else(|| guess(*to).value(load(el))),
            (None, Op::Havoc { var, .. }) if c.edge((g, e)).is_none() => guess(*from).value(load(c.element(*var)?)),
            _ => input.clone(),
        }
    });
    let (path, wanted) = (mapped(&c, &y), mapped(&f, &x));
    prop_assert!(
        path.len() >= wanted.len(),
        "{} of {}\n{}\n{}\n{}",
        path.len(),
        wanted.len(),
        text::Text(&old),
        text::Text(&f.program),
        text::Text(&c.program)
    );
    prop_assert_eq!(&path[..wanted.len()], &wanted[..]);
    Ok(())
}

/// Programs that use their array: an access before every statement.
fn with_accesses(symbolic: bool) -> impl Strategy<Value = Source> {
    let constant = || (0u8..4, 0u8..4, -3i8..12, 0u8..8).prop_map(|(a, b, k, s)| E(a, b, k, s));
    let access = prop_oneof![
        4 => (0u8..2, constant()).prop_map(|(i, e)| S::Store(i, e)),
        3 => (0u8..4, 0u8..2).prop_map(|(v, i)| S::Load(v, i)),
        1 => Just(S::HavocObject),
        2 => (0u8..4).prop_map(move |v| if symbolic { S::Index(v) } else { S::Load(v, v) }),
    ];
    (source(symbolic), proptest::collection::vec(access, 8)).prop_map(|((main, f, g, jumps), accesses)| {
        let mut body: Vec<S> = accesses.iter().take(2).cloned().collect();
        for (s, a) in main.into_iter().zip(accesses.into_iter().cycle().skip(2)) {
            body.extend([a, s]);
        }
        (body, f, g, jumps)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, ..ProptestConfig::default() })]

    #[test]
    fn the_abstraction_is_sound(source in with_accesses(true), bits in 0u16..0x2000, seed in any::<u64>()) {
        sound(&source, bits, seed)?;
        sound(&source, bits | 0x3ff, seed)?;
    }

    #[test]
    fn the_abstraction_is_monotone(source in with_accesses(false), fine in any::<u16>(), coarse in any::<u16>(), seed in any::<u64>()) {
        monotone(&source, fine, coarse, seed)?;
    }
}
