//! Explicit heaps: Example 9 of the chapter, structures that only this analysis follows, and the bound that makes it end.

use crate::support::{before_line, corpus, includes_concrete_states, load, states_at, var};
use crate::verify::{answer, Answer};
use plumb_cpa::{Exploration, Flow, Order, Outcome, Product};
use plumb_cpas::configs::Config;
use plumb_cpas::heap::ObjectId;
use plumb_cpas::{Callstack, ExplicitHeap, Location};
use plumb_term::{Budget, Term};
use std::time::Duration;

/// A doubly-linked list of five elements; addresses are numbered from 1 in the order of the list, 0 is null.
#[test]
fn example_9_a_doubly_linked_list() {
    let program = load(
        "extern void *malloc(unsigned long); extern int __VERIFIER_nondet_int(void);
struct elem { int data; struct elem *succ; struct elem *prev; };
struct elem *l1;
int main(void) {
  struct elem *last = 0;
  for (int i = 0; i < 5; i++) {
    struct elem *e = malloc(sizeof(struct elem));
    e->data = __VERIFIER_nondet_int(); e->succ = 0; e->prev = last;
    if (last) last->succ = e; else l1 = e;
    last = e;
  }
  return l1->data;
}",
    );
    let flow = Flow::forward(&program);
    let cpa = Product::new(Location::from_entry(&flow), ExplicitHeap::new(&program, 8));
    let prec = ((), ());
    let mut run = Exploration::new(&flow, &cpa, &prec, Order::Bfs);
    assert_eq!(run.run(&Budget::unlimited()), Outcome::Complete);
    let at = states_at(&cpa, run.arg(), before_line(&program, "main", 12));
    let [(_, heap)] = at.as_slice() else { panic!("{} states", at.len()) };
    let number = |t: Term| t.as_i128().unwrap_or_else(|| i128::from(heap.address(t).unwrap().0 .0) + 1);
    assert_eq!(number(heap.var(var(&program, "l1")).unwrap()), 1);
    assert_eq!(heap.objects(), [12; 5]);
    for i in 0..5 {
        // data is ⊤: it has no entry.
        let fields: Vec<(i128, i128)> = heap.fields(ObjectId(i as u32)).map(|(at, t)| (at, number(t))).collect();
        assert_eq!(fields, [(4, if i < 4 { i + 2 } else { 0 }), (8, i)], "element {}", i + 1);
    }
}

const LISTS: &str =
    "extern void *malloc(unsigned long); extern void free(void *); extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
    struct node { int data; struct node *next; };
    int main(void) { while (__VERIFIER_nondet_int()) {
        struct node *list = 0;
        for (int i = 1; i <= 4; i++) { struct node *n = malloc(sizeof *n); n->data = i; n->next = list; list = n; }
        int sum = 0; for (struct node *p = list; p; p = p->next) sum = sum + p->data;
        if (sum != 10) reach_error();
        while (list) { struct node *n = list->next; free(list); list = n; } }
      return 0; }";

const TREES: &str = "extern void *malloc(unsigned long); extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
    struct tree { int key; struct tree *left, *right; };
    struct tree *leaf(int key) { struct tree *t = malloc(sizeof *t); t->key = key; t->left = 0; t->right = 0; return t; }
    int main(void) { while (__VERIFIER_nondet_int()) {
        struct tree *t = leaf(4); t->left = leaf(2); t->right = leaf(6); t->left->right = leaf(3);
        struct tree *p = t, *q = t; int way = __VERIFIER_nondet_int();
        while (p->left && p->right) { q = p; p = way ? p->left : p->right; }
        if (p->key != 2 && p->key != 6) reach_error(); if (p->right && p->right->key != 3) reach_error(); if (q->key != 4) reach_error(); }
      return 0; }";

/// The same structures are built and dropped for ever, each time elsewhere.
#[test]
fn lists_and_trees_that_other_analyses_do_not_follow() {
    for (name, text) in [("lists", LISTS), ("trees", TREES)] {
        let program = load(text);
        for other in [Config::Value, Config::ValueSep, Config::ValueInterval, Config::Octagon, Config::PredicateLoops] {
            assert_eq!(answer(other, &program, 1), Answer::Unknown, "{name}, {other:?}");
        }
        assert_eq!(answer(Config::Heap, &program, 20), Answer::True, "{name}");
    }
    let program = load(&LISTS.replace("sum != 10", "sum == 10"));
    assert_eq!(answer(Config::Heap, &program, 20), Answer::False);
}

/// Section 5.3: the heap tells the predicates what a list holds, the predicates know the versions of a lock.
#[test]
fn predicates_with_heaps_prove_what_neither_does() {
    let program = load(
        "extern void *malloc(unsigned long); extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
        struct node { int data; struct node *next; };
        int main(void) { int lock = 0, old = 0, new = __VERIFIER_nondet_int();
            struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b), *c = malloc(sizeof *c);
            a->data = 1; a->next = b; b->data = 2; b->next = c; c->data = 3; c->next = 0;
            do { if (lock != 0) reach_error(); lock = a->next->next->data - 2; old = new;
                if (__VERIFIER_nondet_int()) { lock = 0; new = new + 1; } } while (new != old);
            if (lock != a->data) reach_error(); return 0; }",
    );
    assert_eq!(answer(Config::Heap, &program, 3), Answer::Unknown);
    assert_eq!(answer(Config::PredicateHeap, &program, 20), Answer::True);
}

/// A list without end: beyond the bound it is not tracked, and the exploration ends.
#[test]
fn structures_beyond_the_bound_are_given_up() {
    let program = load(
        "extern void *malloc(unsigned long); extern int __VERIFIER_nondet_int(void);
        struct node { struct node *next; };
        int main(void) { struct node *list = 0; while (__VERIFIER_nondet_int()) { struct node *n = malloc(sizeof *n); n->next = list; list = n; }
            return list != 0; }",
    );
    let flow = Flow::forward(&program);
    for depth in [1, 3, 6] {
        let cpa = Product::new(Location::from_entry(&flow), ExplicitHeap::new(&program, depth));
        let prec = ((), ());
        let mut run = Exploration::new(&flow, &cpa, &prec, Order::ReversePostOrder);
        assert_eq!(run.run(&Budget::within(Duration::from_secs(20))), Outcome::Complete);
        let most = run.arg().nodes().map(|(_, e)| e.1.objects().len()).max();
        assert_eq!(most, Some(depth + 1), "depth {depth}: the list, and the element before it is linked");
    }
}

#[test]
fn no_run_leaves_the_explicit_heaps() {
    let (mut compared, mut complete) = (0, 0);
    for (name, program) in corpus().into_iter().step_by(2) {
        let flow = Flow::forward(&program);
        let cpa = Product::new(Product::new(Location::from_entry(&flow), Callstack::new(&flow)), ExplicitHeap::new(&program, 4));
        let prec = (((), ()), ());
        let mut run = Exploration::new(&flow, &cpa, &prec, Order::ReversePostOrder);
        if run.run(&Budget::within(Duration::from_millis(300))) == Outcome::Complete {
            complete += 1;
            compared += includes_concrete_states(&name, &program, &cpa, run.arg(), 2);
        }
    }
    assert!(complete > 20 && compared > 10_000, "{complete} complete, {compared} comparisons");
}
