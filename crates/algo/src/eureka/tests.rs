//! Section 2's example: the abstractions of Table 1, the trace of Table 2, the refinement, the proof; and programs of its kind.

use super::encode::encode;
use super::*;
use plumb_cfa::{Integers, Op, Semantics};
use plumb_cfront::{load, ErrorSpec, Input, Options as Front};
use plumb_transform::array_index::Meaning;
use std::time::Duration;

/// The program P of Table 1; its lines are those of the paper.
const SECTION_2: &str = "extern void reach_error(void); int main() { int i, a[30];
a[1] = 9;
i = 0;
while (a[i] != 9) {
a[i] = 2 * i;
i = i + 1; }
if (!(i <= 1)) reach_error(); }";

const UFO: Options = Options { checker: Checker::Ufo(ufo::Variant::Plain), start: Start::Scalars };
const LINEAR: Options = Options { checker: Checker::Linear, start: Start::Scalars };
const DAGGER: Options = Options { checker: Checker::Dagger(dagger::Options::DAGGER), start: Start::Scalars };

/// The program in one function.
fn program(text: &str, integers: Integers) -> Program {
    let options = Front { semantics: Semantics { integers, ..Semantics::default() }, property: ErrorSpec::Default };
    let whole = load(&[Input { name: "test.c".into(), bytes: text.into() }], &options).unwrap_or_else(|e| panic!("{e}"));
    flat(&whole, Sliced::No, &Budget::unlimited()).unwrap().0
}

fn refined(options: Options, p: &Program) -> Outcome {
    let budget = Budget::within(Duration::from_secs(20));
    abstraction_refinement(options, p, starting(options.start, p), &budget, &mut |_| {}, &|_, _| true, &mut Notes::default())
}

/// The path as the paper writes it: the numbers of statements, 0 for the error.
fn numbers(p: &Program, path: &[(FuncId, EdgeId)]) -> Vec<u32> {
    let mut out: Vec<u32> = Vec::new();
    for (f, e) in path {
        let line = p.function(*f).graph.edge(*e).span.line;
        // The first line is the head of the function.
        if line > 1 && out.last() != Some(&(line - 1)) {
            out.push(line - 1);
        }
    }
    out.push(0);
    out
}

/// What the abstract program does at a line, printed, without skips and bounds.
fn printed(a: &Abstraction, line: u32) -> Vec<String> {
    let mut out = Vec::new();
    for f in &a.program.functions {
        for (_, e) in f.graph.edges().filter(|(_, e)| e.span.line == line + 1) {
            if matches!(&e.op, Op::Assume(_) | Op::Assign(_)) {
                // Without the numbers of variables.
                let text = plumb_cfa::text::op(&a.program, &e.op);
                let mut parts = text.split('#');
                let mut line = parts.next().unwrap_or_default().to_owned();
                parts.for_each(|p| line.push_str(p.trim_start_matches(|c: char| c.is_ascii_digit())));
                out.push(line);
            }
        }
    }
    out
}

#[test]
fn table_1() {
    let p = program(SECTION_2, Integers::Ideal);
    let first = Precision::scalars(&p);
    let p0 = ArrayIndex { precision: first.clone() }.apply(&p);
    assert!(printed(&p0, 1).is_empty() && printed(&p0, 4).is_empty());
    assert_eq!(printed(&p0, 2), ["i := 0"]);
    assert_eq!(printed(&p0, 3), ["assume !(u0 == 9)", "assume (u0 == 9)"]);
    assert_eq!(printed(&p0, 5), ["i := (i + 1)"]);
    let a1 = *numerals(&p).iter().next().unwrap();
    assert_eq!(a1.name(&p), "a[1]");
    let p1 = ArrayIndex { precision: Precision { elements: BTreeSet::from([a1]), ..first } }.apply(&p);
    assert_eq!(printed(&p1, 1), ["a[1] := 9"]);
    assert_eq!(printed(&p1, 3), ["assume !(ite((i == 1), a[1], u0) == 9)", "assume (ite((i == 1), a[1], u0) == 9)"]);
    assert_eq!(printed(&p1, 4), ["a[1] := ite((i == 1), wrap_i32((2*i)), a[1])"]);
    assert_eq!(printed(&p1, 6), printed(&p0, 6));
    let undefined: Vec<_> = (0..p1.program.functions.len() as u32)
        .flat_map(|f| (0..p1.program.functions[f as usize].graph.num_edges() as u32).map(move |e| (FuncId(f), EdgeId(e))))
        .filter_map(|at| p1.undefined(at))
        .collect();
    // What the declaration leaves in a[1], and what the loop's condition reads elsewhere.
    let kinds: Vec<bool> = undefined.iter().map(|u| matches!(u.meaning, Meaning::After(e) if e == a1)).collect();
    assert_eq!(kinds, [true, false]);
}

#[test]
fn section_2_needs_one_element() {
    for options in [UFO, DAGGER, LINEAR] {
        for integers in [Integers::Ideal, Integers::Machine] {
            let p = program(SECTION_2, integers);
            let o = refined(options, &p);
            assert!(matches!(o.verdict, Verdict::Safe(_)), "{options:?}: {:?}", o.verdict);
            assert_eq!(o.traces.iter().map(|t| numbers(&p, t)).collect::<Vec<_>>(), [[1, 2, 3, 4, 5, 3, 4, 5, 3, 6, 0]]);
            let names: Vec<String> = o.precisions[1].elements.iter().map(|e| e.name(&p)).collect();
            assert_eq!((names, o.precisions.len()), (vec!["a[1]".to_owned()], 2));
        }
    }
}

#[test]
fn from_nothing_variables_are_found_too() {
    let p = program(SECTION_2, Integers::Ideal);
    let o = refined(Options { start: Start::Nothing, ..UFO }, &p);
    assert!(matches!(o.verdict, Verdict::Safe(_)), "{:?}", o.verdict);
    let last = o.precisions.last().unwrap();
    let kept: Vec<&str> = last.variables.iter().map(|v| p.var(*v).name.as_str()).collect();
    assert_eq!(kept, ["i"]);
    assert_eq!(last.elements.len(), 1);
    assert!(o.precisions.windows(2).all(|w| w[0].is_part_of(&w[1]) && w[0] != w[1]));
}

#[test]
fn a_real_trace_is_an_answer() {
    let p = program(&SECTION_2.replace("i <= 1", "i <= 0"), Integers::Machine);
    for options in [UFO, LINEAR] {
        let o = refined(options, &p);
        assert!(matches!(o.verdict, Verdict::Unsafe(_)), "{:?}", o.verdict);
    }
}

/// Insertion sort of four inputs.
const SORT: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void); int main(void) { int a[4], i, j, x;
    for (i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int();
    for (i = 1; i < 4; i++) { x = a[i]; j = i; while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; j--; } a[j] = x; }
    for (i = 0; i < 3; i++) if (a[i] > a[i + 1]) reach_error();
    return 0; }";

#[test]
fn sorting_needs_every_element_and_explicit_indices() {
    let o = refined(LINEAR, &program(SORT, Integers::Machine));
    assert!(matches!(o.verdict, Verdict::Safe(_)), "{:?}", o.verdict);
    assert_eq!(o.precisions.last().unwrap().elements.len(), 4);
    let o = refined(LINEAR, &program(&SORT.replace("i = 1;", "i = 2;"), Integers::Machine));
    assert!(matches!(o.verdict, Verdict::Unsafe(_)), "{:?}", o.verdict);
}

#[test]
fn long_loops_are_not_unrolled() {
    let text = SECTION_2.replace("a[30]", "a[100000]").replace("a[1] =", "a[70000] =").replace("i <= 1", "i <= 70000");
    let p = program(&text, Integers::Machine);
    let start = starting(Start::Numerals, &p);
    let mut notes = Notes::default();
    let o = abstraction_refinement(LINEAR, &p, start, &Budget::within(Duration::from_secs(20)), &mut |_| {}, &|_, _| true, &mut notes);
    assert!(matches!(o.verdict, Verdict::Safe(_)) && o.traces.is_empty(), "{:?}", o.verdict);
    assert!(notes.figures.iter().any(|f| f.0 == "states" && matches!(f.1, Figure::Count(n) if n < 10)), "{notes:?}");
}

#[test]
fn contradictions_are_found_by_values_alone() {
    let p = program(SECTION_2, Integers::Ideal);
    let o = refined(UFO, &p);
    let encoded = encode(&p, &o.traces[0], &Budget::unlimited()).unwrap();
    // Step 6 of Table 2: what is read at a[1] is 9.
    let last = encoded.formulae.last().unwrap();
    assert!(last.term.is_false());
    let names = last.needs.iter().map(|n| match n {
        Need::Variable(v) => p.var(v).name.clone(),
        Need::Element(e) => e.name(&p),
        Need::Select(s) => panic!("{s:?}"),
    });
    assert_eq!(names.collect::<Vec<_>>(), ["i", "a[1]"]);
}
