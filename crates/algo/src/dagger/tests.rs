//! The paper's figures and programs of their kind, under the family's members.

use super::cells::{Cells, Numbering};
use super::search::{Model, Operation, Search};
use super::{run, search, Control, Domain, Options};
use plumb_cfa::{Integers, Loc, Program, Semantics};
use plumb_cfront::{load, ErrorSpec, Input, Options as Front};
use plumb_num::{LinCons, LinExpr, NumDomain, Polyhedra};
use plumb_term::Budget;
use plumb_transform::{Inline, Pass, Pipeline, Slice};
use plumb_verdict::{Figure, Notes, Verdict};
use std::time::Duration;

const HEADER: &str = "void reach_error(void); extern int __VERIFIER_nondet_int(void);\n";

/// Figure 1 without the boxed code.
const FIGURE_1: &str = "int main(void) { int x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) { x = x + 1; y = y + 100; }
        else if (__VERIFIER_nondet_int()) { if (x >= 4) { x = x + 1; y = y + 1; } }
    }
    if (x >= 4 && y <= 2) reach_error();
    return 0; }";

fn program(text: &str, integers: Integers) -> Program {
    let options = Front { semantics: Semantics { integers, ..Semantics::default() }, property: ErrorSpec::Default };
    let text = format!("{HEADER}{text}");
    load(&[Input { name: "test.c".into(), bytes: text.into_bytes() }], &options).unwrap_or_else(|e| panic!("{e}"))
}

fn verdict(options: Options, text: &str, integers: Integers, seconds: u64) -> (Verdict, Notes) {
    let mut notes = Notes::default();
    let program = program(text, integers);
    let budget = Budget::within(Duration::from_secs(seconds));
    (run(options, &program, &budget, &mut |_| {}, &|_, _| true, &mut notes), notes)
}

fn count(notes: &Notes, name: &str) -> u64 {
    match notes.figures.iter().find(|f| f.0 == name) {
        Some((_, Figure::Count(n))) => *n,
        other => panic!("{name}: {other:?}"),
    }
}

fn proves(options: Options, text: &str) -> Notes {
    let (v, notes) = verdict(options, text, Integers::Ideal, 20);
    assert!(matches!(v, Verdict::Safe(_)), "{options:?}: {v:?}");
    notes
}

#[test]
fn figure_1_needs_the_interpolant() {
    // The paper's widening gives up equations as a whole, and needs more refinements to find them again.
    for (options, most) in [(Options::DAGGER, 3), (Options::DAG_IWIDEN, 20), (Options::TREE_IWIDEN, 20)] {
        let notes = proves(options.over(Domain::Polyhedra), FIGURE_1);
        assert!(count(&notes, "refinements") <= most && count(&notes, "interpolants") > 0, "{notes:?}");
    }
    // Widening refined to joins goes on for ever: the dotted boundaries of Fig. 1.
    let (v, notes) = verdict(Options::DAG_WIDEN.over(Domain::Polyhedra), FIGURE_1, Integers::Ideal, 1);
    assert!(matches!(v, Verdict::Unknown(_)) && count(&notes, "refinements") > 5, "{v:?} {notes:?}");
}

#[test]
fn apply_refinement_on_figure_1() {
    let whole = Pipeline::new().then(Inline::default()).then(Slice).run(program(FIGURE_1, Integers::Ideal)).unwrap().0;
    let control = Control::new(&whole, whole.function(whole.entry), &Budget::unlimited()).unwrap();
    let model = Model::new(&whole, &control);
    let budget = Budget::unlimited();
    let d = Polyhedra::default();
    let dim = |name: &str| {
        let v = whole.vars.iter().position(|v| v.name == name).unwrap();
        LinExpr::var(model.space.dim(plumb_term::VarId(v as u32)).unwrap())
    };
    let (x, y) = (dim("x"), dim("y"));
    let segment = |n: i64| {
        d.of_constraints(&[
            LinCons::ge(x.clone(), 0.into()),
            LinCons::le(x.clone(), n.into()),
            LinCons::eq(y.clone(), x.scaled(&100.into())),
        ])
    };
    // After the steep branch, the flat one: widening keeps y <= 100 * x and gives up the lower side.
    let after = |n: i64| d.of_constraints(&[LinCons::eq(x.clone(), n.into()), LinCons::eq(y.clone(), (n + 99).into())]);
    let old = plumb_num::Lattice::join(&d, &segment(1), &after(2));
    let joined = plumb_num::Lattice::join(&d, &old, &after(3));
    let error = d.of_constraints(&[LinCons::ge(x.clone(), 1.into()), LinCons::lt(y.clone(), x.clone())]);
    let head = *control.cuts.first().unwrap();
    let mut search = Search::new(d, Options::DAGGER, &model, &budget);
    // The join stays clear of the error: an interpolant does, and the widening that stops at it.
    assert_eq!(search.separate(head, &old, &joined, std::slice::from_ref(&error)), Operation::Widen);
    let t = &search.interpolants[head.index()];
    assert!(t.contains(&LinCons::ge(y.clone(), x.clone())), "{t:?}");
    let widened = search.apply(Operation::Widen, head, &old, &joined, &joined);
    assert!(!search.meets(&widened, &error) && d.entails(&widened, &LinCons::ge(y.clone(), x.clone())));
    // An error between the two ends is met by the join: only a disjunction avoids it.
    let between = d.of_constraints(&[LinCons::eq(x.clone(), 1.into())]);
    assert_eq!(search.separate(head, &segment(0), &joined, &[between]), Operation::Image);
    // Without interpolants, the widening becomes a join.
    let mut plain = Search::new(d, Options::DAG_WIDEN, &model, &budget);
    assert_eq!(plain.separate(head, &old, &joined, &[error]), Operation::Join);
    assert!(plain.interpolants.iter().all(|t| t.is_empty()));
}

/// Halbwachs' widening sees that `x = y` stays when `x = 0` and `y = 0` go; the paper's has no such constraint to keep.
#[test]
fn the_papers_widening_keeps_constraints_and_finds_none() {
    let text = "int main(void) { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { x++; y++; } if (x != y) reach_error(); return 0; }";
    let refinements = |options: Options| count(&proves(options.over(Domain::Polyhedra), text), "refinements");
    assert_eq!(refinements(Options::DAGGER), 0);
    assert!(refinements(Options::DAG_IWIDEN) > 0);
}

#[test]
fn branches_in_a_row_blow_up_the_tree_alone() {
    let branches =
        |n: usize| (0..n).map(|i| format!("if (__VERIFIER_nondet_int()) x = x + 1; else x = x + {};\n", 2 << i)).collect::<String>();
    let text = |n: usize| format!("int main(void) {{ int x = 0; {} if (x > {}) reach_error(); return 0; }}", branches(n), 2 << n);
    let nodes = |options, n| count(&proves(options, &text(n)), "nodes made");
    assert!(nodes(Options::DAGGER, 9) <= 2 * nodes(Options::DAGGER, 5));
    assert!(nodes(Options::TREE_IWIDEN, 9) >= 8 * nodes(Options::TREE_IWIDEN, 5));
}

#[test]
fn a_merge_that_is_too_coarse_is_split() {
    let text = "int main(void) { int x, y; if (__VERIFIER_nondet_int()) { x = 1; y = 0; } else { x = 0; y = 1; }
        int n = __VERIFIER_nondet_int(); if (n > 0) n = 1; else n = 0;
        if (2 * x == 1) reach_error(); if (x == y) reach_error(); if (3 * x + y == 2) reach_error(); return 0; }";
    let notes = proves(Options::DAGGER, text);
    assert!(count(&notes, "splits") > 0, "{notes:?}");
}

#[test]
fn a_loop_head_becomes_a_disjunction() {
    // The first state, 0, and the later ones, at least 10, have no convex hull without 5.
    let text = "int main(void) { int x = 0; while (__VERIFIER_nondet_int()) { if (x == 5) reach_error(); if (x == 0) x = 10; else x = x + 1; } return 0; }";
    for options in [Options::DAGGER, Options::TREE_IWIDEN] {
        let notes = proves(options, text);
        assert!(count(&notes, "disjunctions") + count(&notes, "repairs from the cache") > 0, "{notes:?}");
    }
}

#[test]
fn errors_are_found_with_their_inputs() {
    let text = "int main(void) { int n = __VERIFIER_nondet_int(), x = 0; while (x < 7) { x = x + 1; n = n - 3; } if (n == 2) reach_error(); return 0; }";
    for options in [Options::DAGGER, Options::TREE_WIDEN, Options::DAG_WIDEN] {
        let (v, _) = verdict(options, text, Integers::Ideal, 20);
        let Verdict::Unsafe(trace) = v else { panic!("{options:?}: {v:?}") };
        assert_eq!(trace.inputs.last().map(|i| i.value.clone()), Some(plumb_term::eval::Value::Int(23.into())));
    }
}

#[test]
fn machine_integers_wrap() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(); if (x + 1 < x) reach_error(); return 0; }";
    assert!(matches!(verdict(Options::DAGGER, text, Integers::Ideal, 20).0, Verdict::Safe(_)));
    let Verdict::Unsafe(trace) = verdict(Options::DAGGER, text, Integers::Machine, 20).0 else { panic!("not found") };
    assert_eq!(trace.inputs[0].value, plumb_term::eval::Value::Int(i64::from(i32::MAX).into()));
    // The bound of the loop keeps the sum from wrapping, which has to be found.
    let bounded = "int main(void) { int x = 0, y = 0; while (__VERIFIER_nondet_int()) { if (x < 1000) { x = x + 1; y = y + 2; } }
        if (y < x) reach_error(); return 0; }";
    assert!(matches!(verdict(Options::DAGGER, bounded, Integers::Machine, 20).0, Verdict::Safe(_)));
}

#[test]
fn locations_that_cannot_join_are_passed() {
    let flat = Pipeline::new().then(Inline::default()).then(Slice).run(program(FIGURE_1, Integers::Ideal)).unwrap().0;
    let control = Control::new(&flat, flat.function(flat.entry), &Budget::unlimited()).unwrap();
    let locs: std::collections::BTreeSet<Loc> = control.ways.iter().flat_map(|w| [w.from, w.to]).collect();
    let joins =
        |l: &Loc| control.ways.iter().filter(|w| w.to == *l).count() > 1 || control.cuts.contains(l) || control.targets.contains_key(l);
    assert!(locs.iter().all(|l| *l == control.entry || joins(l)), "{locs:?}");
}

/// What a search with distinguished cells says, without the turns before it; and how many locations a loop head became at most.
fn by_cells(text: &str, numbering: Numbering) -> (Verdict, usize) {
    let text = format!("int main(void) {{ {text} return 0; }}");
    let flat = Pipeline::new().then(Inline::default()).then(Slice).run(program(&text, Integers::Machine)).unwrap().0;
    let budget = Budget::within(Duration::from_secs(60));
    let control = Control::new(&flat, flat.function(flat.entry), &budget).unwrap();
    let view = Cells::new(&flat, &control, numbering).unwrap();
    let copies = view.control.cuts.iter().map(|l| view.control.cuts.iter().filter(|m| view.origin(**m) == view.origin(*l)).count()).max();
    let model = Model::new(&view.program, &view.control);
    (search(Options::DAGGER, &model, &budget, &mut |_| {}, &mut Notes::default()), copies.unwrap_or(0))
}

#[test]
fn cells_before_and_after_the_counter_are_told_apart() {
    let fill = |n: u32, value: &str| {
        format!("int a[{n}]; for (int i = 0; i < {n}; i++) a[i] = {value}; for (int i = 0; i < {n}; i++) if (a[i] != 7) reach_error();")
    };
    let (safe, copies) = by_cells(&fill(3000, "7"), Numbering::Parallel);
    // Two loops come by the cell or do not: the second's head stands for four locations.
    assert!(matches!(safe, Verdict::Safe(_)) && copies == 4, "{safe:?}, {copies}");
    let (bad, _) = by_cells(&fill(3, "i == 2 ? 6 : 7"), Numbering::Parallel);
    assert!(matches!(bad, Verdict::Unsafe(_)), "{bad:?}");
}

#[test]
fn cells_of_different_numbers_need_a_number_each() {
    let turned = |n: u32, done: u32| {
        let m = n - 1;
        format!(
            "int a[{n}], b[{n}]; for (int i = 0; i < {n}; i++) a[i] = __VERIFIER_nondet_int();
             for (int i = 0; i < {done}; i++) b[{m} - i] = a[i];
             for (int i = 0; i < {n}; i++) if (b[i] != a[{m} - i]) reach_error();"
        )
    };
    let (safe, _) = by_cells(&turned(500, 500), Numbering::Each);
    assert!(matches!(safe, Verdict::Safe(_)), "{safe:?}");
    let (bad, _) = by_cells(&turned(3, 2), Numbering::Each);
    assert!(matches!(bad, Verdict::Unsafe(_)), "{bad:?}");
}
