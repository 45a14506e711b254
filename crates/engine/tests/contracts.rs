//! Contracts of recursive functions: right ones are accepted, and whatever is wrong about them is noticed.

use plumb_cfa::{Point, Program, Semantics};
use plumb_cfront::{load, ErrorSpec, Input, Options};
use plumb_check::{check_proof, Rejected};
use plumb_engine::verify;
use plumb_term::{Budget, IntTy, Term, Var, VarId};
use plumb_verdict::{at_entry, Contract, Facts, Method, Proof, Verdict};
use std::collections::BTreeMap;
use std::time::Duration;

const PRELUDE: &str = "int __VERIFIER_nondet_int(void); void reach_error(void);\n";

fn program(body: &str) -> Program {
    let bytes = format!("{PRELUDE}{body}").into_bytes();
    let options = Options { semantics: Semantics::default(), property: ErrorSpec::Default };
    load(&[Input { name: "test.c".into(), bytes }], &options).unwrap_or_else(|e| panic!("{e}"))
}

/// A program with contracts for some of its functions.
struct Case {
    program: Program,
    contracts: Vec<(&'static str, Contract)>,
    invariants: BTreeMap<Point, Term>,
}

impl Case {
    fn new(body: &str) -> Case {
        Case { program: program(body), contracts: Vec::new(), invariants: BTreeMap::new() }
    }

    fn func(&self, name: &str) -> plumb_cfa::FuncId {
        let i = self.program.functions.iter().position(|f| f.name == name).unwrap_or_else(|| panic!("no {name}"));
        plumb_cfa::FuncId(i as u32)
    }

    /// The variable `name` of function `f`, or of none.
    fn var(&self, f: &str, name: &str) -> Var {
        let owner = (!f.is_empty()).then(|| self.func(f));
        let i = self.program.vars.iter().position(|v| v.name == name && v.func == owner).unwrap_or_else(|| panic!("no {name} of {f}"));
        Var::new(VarId(i as u32), self.program.vars[i].ty)
    }

    fn now(&self, f: &str, name: &str) -> Term {
        Term::var(self.var(f, name))
    }

    fn old(&self, f: &str, name: &str) -> Term {
        Term::var(at_entry(self.var(f, name)))
    }

    /// The loop head of a function that has one.
    fn head(&self, f: plumb_cfa::FuncId) -> plumb_cfa::Loc {
        let wto = plumb_cfa::wto::Wto::new(&self.program.function(f).graph, self.program.function(f).entry);
        self.program.function(f).graph.locs().find(|l| wto.headed_by(*l).is_some()).unwrap()
    }

    fn result(&self, f: &str) -> Term {
        self.program.term(self.program.function(self.func(f)).result.unwrap())
    }

    fn contract(&mut self, f: &'static str, pre: Term, post: Term) -> &mut Case {
        self.contracts.retain(|c| c.0 != f);
        self.contracts.push((f, Contract { pre, post }));
        self
    }

    fn check(&self) -> Result<(), Rejected> {
        let contracts = self.contracts.iter().map(|(f, c)| (self.func(f), *c)).collect();
        let proof = Proof { method: Method::Contracts { contracts }, invariants: self.invariants.clone() };
        check_proof(&self.program, &proof, &Budget::within(Duration::from_secs(60)))
    }

    /// Rejected for a reason, not for lack of time.
    fn rejected_for(&self, why: &str) {
        match self.check() {
            Ok(()) => panic!("accepted, but: {why}"),
            Err(r) => assert!(r.why.contains(why) && !r.undecided, "rejected, but not for `{why}`: {r}"),
        }
    }
}

fn int(n: i64) -> Term {
    Term::int(n)
}

const MCCARTHY: &str = "int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }
  int main(void) { int n = __VERIFIER_nondet_int(), r = f(n); if (n <= 101 && r != 91) reach_error(); return 0; }";

#[test]
fn a_recursive_function_is_proved_by_its_contract_and_no_other() {
    let mut c = Case::new(MCCARTHY);
    let (n, r) = (c.old("f", "n"), c.result("f"));
    let low = n.less_eq(int(100));
    let exact = low.implies(r.equals(int(91))).and(low.not().implies(r.equals(n.plus(-10))));
    assert_eq!(c.contract("f", Term::tt(), exact).check(), Ok(()));
    // Too weak for main, wrong for numbers above, wrong altogether, the opposite.
    c.contract("f", Term::tt(), int(91).less_eq(r)).rejected_for("the error");
    c.contract("f", Term::tt(), r.equals(int(91))).rejected_for("postcondition");
    c.contract("f", Term::tt(), low.implies(r.equals(int(90))).and(low.not().implies(r.equals(n.plus(-10))))).rejected_for("postcondition");
    c.contract("f", Term::tt(), exact.not()).rejected_for("postcondition");
    c.contract("f", Term::tt(), Term::ff()).rejected_for("postcondition");
    c.contract("f", Term::tt(), Term::tt()).rejected_for("the error");
    // Preconditions that main, or the function itself, does not keep.
    let m = c.now("f", "n");
    c.contract("f", m.less_eq(int(5000)), exact).rejected_for("precondition");
    c.contract("f", Term::ff(), exact).rejected_for("precondition");
    c.contract("f", Term::ff(), Term::ff()).rejected_for("precondition");
    // Without a contract there is no proof.
    c.contracts.clear();
    c.rejected_for("does not cover the recursion");
}

#[test]
fn preconditions_are_kept_by_recursive_calls() {
    let mut c = Case::new(
        "int f(int n) { if (n < 0) reach_error(); return n == 0 ? 0 : f(n - 1); }
         int main(void) { int n = __VERIFIER_nondet_int(); if (n > 3) f(n); return 0; }",
    );
    let n = c.now("f", "n");
    assert_eq!(c.contract("f", int(0).less_eq(n), Term::tt()).check(), Ok(()));
    c.contract("f", int(-1).less_eq(n), Term::tt()).rejected_for("the error");
    c.contract("f", Term::tt(), Term::tt()).rejected_for("the error");
    c.contract("f", int(3).less_eq(n), Term::tt()).rejected_for("precondition");
    c.contract("f", int(3).less(n), Term::tt()).rejected_for("precondition");
    c.contract("f", int(0).less_eq(n).and(n.less_eq(int(1000))), Term::tt()).rejected_for("precondition");
}

#[test]
fn globals_that_the_recursion_writes_are_not_kept() {
    let mut c = Case::new(
        "int g, h = 3; void f(int n) { if (n > 0) { g++; f(n - 1); } }
         int main(void) { g = 0; f(5); if (h != 3) reach_error(); if (g != 5) reach_error(); return 0; }",
    );
    let (n, before, g) = (c.old("f", "n"), c.old("", "g"), c.now("", "g"));
    let counts = g.equals(before.add(Term::ite(int(0).less(n), n, int(0))).wrap(IntTy::I32));
    assert_eq!(c.contract("f", Term::tt(), counts).check(), Ok(()));
    // Nothing said of a variable that is written: nothing known.
    c.contract("f", Term::tt(), Term::tt()).rejected_for("the error");
    c.contract("f", Term::tt(), g.equals(before)).rejected_for("postcondition");
    c.contract("f", Term::tt(), before.less_eq(g)).rejected_for("postcondition");
    // The same words with the value at the entry and at the exit exchanged.
    let exchanged = before.equals(g.add(Term::ite(int(0).less(n), n, int(0))).wrap(IntTy::I32));
    c.contract("f", Term::tt(), exchanged).rejected_for("postcondition");
}

#[test]
fn what_is_written_far_below_is_not_kept_either() {
    // Through a helper, through a pointer, in a static variable of a function.
    for (text, ok) in [
        (
            "int g; void set(void) { g = 1; } void f(int n) { if (n > 0) f(n - 1); else set(); }
          int main(void) { g = 0; f(1); if (g) reach_error(); return 0; }",
            false,
        ),
        (
            "int x = 7; void f(int n, int *p) { if (n > 0) f(n - 1, p); else *p = n; }
          int main(void) { f(1, &x); if (x != 7) reach_error(); return 0; }",
            false,
        ),
        (
            "void f(int n, int *p) { int y = n; if (n > 0) f(n - 1, &y); else *p = 1; if (n == 1 && y != 1) reach_error(); }
          int main(void) { int x = 0; f(1, &x); return 0; }",
            false,
        ),
        (
            "int next(void) { static int s = 0; s++; return s; } void f(int n) { if (n > 0) { f(n - 1); next(); } }
          int main(void) { f(1); if (next() != 1) reach_error(); return 0; }",
            false,
        ),
        (
            "int *a; void f(int n) { if (n > 0) f(n - 1); else a = malloc(4); }
          int main(void) { int *b = malloc(4); a = b; f(1); if (a != b) reach_error(); return 0; }",
            false,
        ),
        // An object of main that nobody else has the address of is not in the way of proofs about variables.
        (
            "int g; void f(int n) { if (n > 0) f(n - 1); else g = n; }
          int main(void) { int k = 5; f(1); if (k != 5) reach_error(); return 0; }",
            true,
        ),
    ] {
        let mut c = Case::new(&format!("void *malloc(unsigned);\n{text}"));
        c.contract("f", Term::tt(), Term::tt());
        if ok {
            assert_eq!(c.check(), Ok(()), "{text}");
        } else {
            c.rejected_for("the error");
        }
    }
}

#[test]
fn locals_are_of_one_activation_each() {
    let mut c = Case::new(
        "int f(int n) { int k = n; if (n > 0) f(n - 1); if (k != n) reach_error(); return k; }
         int main(void) { int n = 8; f(3); if (n != 8) reach_error(); return 0; }",
    );
    assert_eq!(c.contract("f", Term::tt(), Term::tt()).check(), Ok(()));
    // Its callers cannot speak of its locals, nor of its parameters when it returns, nor of somebody else's variables.
    let (k, n, m) = (c.now("f", "k"), c.now("f", "n"), c.now("main", "n"));
    for wrong in [k, n, m, c.old("main", "n"), c.old("f", "k"), Term::var(c.var("f", "n").at(1))] {
        c.contract("f", Term::tt(), wrong.less_eq(int(8))).rejected_for("speaks of variables");
    }
    for wrong in [k, m, c.old("f", "n"), c.result("f"), Term::var(Var::new(VarId::FIRST_BOUND, c.var("f", "n").ty))] {
        c.contract("f", wrong.less_eq(int(8)), Term::tt()).rejected_for("speaks of variables");
    }
    let missing = plumb_cfa::FuncId(1000);
    let contracts = BTreeMap::from([(missing, Contract { pre: Term::tt(), post: Term::tt() })]);
    let proof = Proof { method: Method::Contracts { contracts }, invariants: BTreeMap::new() };
    assert!(check_proof(&c.program, &proof, &Budget::unlimited()).is_err());
}

#[test]
fn one_contract_on_every_cycle_is_enough() {
    let text = "int odd(int n); int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 : even(n - 1); }
      int alone(int n) { return n <= 0 ? 0 : alone(n - 1); }
      int main(void) { int n = __VERIFIER_nondet_int(); if (even(n) > 1) reach_error(); return alone(n) * 0; }";
    let mut c = Case::new(text);
    let within = |r: Term| int(0).less_eq(r).and(r.less_eq(int(1)));
    let (even, odd) = (within(c.result("even")), within(c.result("odd")));
    c.contract("even", Term::tt(), even).rejected_for("does not cover the recursion of `alone`");
    c.contract("alone", Term::tt(), Term::tt());
    assert_eq!(c.check(), Ok(()));
    assert_eq!(c.contract("odd", Term::tt(), odd).check(), Ok(()));
    // Neither may rely on what the other does not promise.
    c.contract("odd", Term::tt(), c.result("odd").equals(int(1))).rejected_for("postcondition");
    c.contract("odd", Term::tt(), Term::tt()).rejected_for("postcondition");
}

#[test]
fn loops_in_recursive_functions_have_invariants_with_values_at_the_entry() {
    let mut c = Case::new(
        "int f(int n) { int i = 0; while (i < n) i++; if (n > 3) f(n - 2); return i; }
         int main(void) { if (f(__VERIFIER_nondet_int()) < 0) reach_error(); if (f(5) != 5) reach_error(); return 0; }",
    );
    let f = c.func("f");
    let point = Point { stack: Vec::new(), func: f, loc: c.head(f) };
    let (i, n, old, r) = (c.now("f", "i"), c.now("f", "n"), c.old("f", "n"), c.result("f"));
    let bounded = int(0).less_eq(i).and(i.less_eq(n).or(i.equals(int(0))));
    let post = int(0).less_eq(r).and(int(0).less_eq(old).implies(r.equals(old)));
    c.contract("f", Term::tt(), post);
    c.invariants.insert(point.clone(), bounded.and(n.equals(old)));
    assert_eq!(c.check(), Ok(()));
    // Without the relation to the entry, without an invariant, with a wrong one, with one about another copy.
    c.invariants.insert(point.clone(), bounded);
    c.rejected_for("postcondition");
    c.invariants.insert(point.clone(), bounded.and(n.equals(old)).and(i.less(n)));
    c.rejected_for("not preserved");
    c.invariants.insert(point.clone(), bounded.and(n.equals(old.plus(1))));
    c.rejected_for("not preserved");
    c.invariants.insert(point.clone(), bounded.and(n.equals(Term::var(c.var("f", "n").at(2)))));
    c.rejected_for("none of the program's");
    c.invariants.clear();
    c.rejected_for("postcondition");
}

#[test]
fn a_value_at_the_entry_means_nothing_outside_a_proof_by_contracts() {
    let c = Case::new("int main(void) { int i = 0; while (i < 9) i++; if (i != 9) reach_error(); return 0; }");
    let f = c.func("main");
    let point = Point { stack: Vec::new(), func: f, loc: c.head(f) };
    let proof = Proof { method: Method::Inductive, invariants: BTreeMap::from([(point, c.old("main", "i").less_eq(int(9)))]) };
    assert!(check_proof(&c.program, &proof, &Budget::unlimited()).is_err_and(|r| r.why.contains("none of the program's")));
}

/// The contracts that are found for the first program prove it, and not the second.
fn found(right: &str, wrong: &str) {
    let p = program(right);
    let budget = Budget::within(Duration::from_secs(60));
    let answer = verify(&p, "summaries", &Facts::default(), &budget, &mut |_| ()).unwrap();
    let Verdict::Safe(proof) = answer.verdict else { panic!("{:?}", answer.verdict) };
    let Method::Contracts { contracts } = &proof.method else { panic!("{:?}", proof.method) };
    assert_eq!(contracts.len(), 1);
    assert!(check_proof(&program(wrong), &proof, &budget).is_err());
}

#[test]
fn contracts_are_found_and_prove_nothing_else() {
    found(MCCARTHY, &MCCARTHY.replace("n <= 101", "n <= 102"));
    let counter = "int g; void f(int n) { if (n > 0) { g += 2; f(n - 1); } }
      int main(void) { f(__VERIFIER_nondet_int()); int h = g; f(2); f(-3); if (g != (int)(h + 4u)) reach_error(); return 0; }";
    found(counter, &counter.replace("h + 4u", "h + 5u"));
}
