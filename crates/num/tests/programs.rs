//! The example programs: which domains prove their assertions, and whether every invariant includes random executions.

use plumb_num::laws::gen::Rng;
use plumb_num::program::analysis::{analyse, Options};
use plumb_num::program::{parse, Cond, Program, Stmt, Value};
use plumb_num::{AffineEqualities, BoxWith, Boxes, Congruences, Dim, Int, LinCons, LinExpr, NumDomain, Octagons, Point, Polyhedra, Zones};

fn programs() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/programs");
    let mut out: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the folder of examples")
        .map(|f| f.expect("a file").path())
        .map(|p| (p.display().to_string(), std::fs::read_to_string(&p).expect("a text")))
        .collect();
    out.sort();
    assert!(out.len() >= 12, "the example programs are missing");
    out
}

/// The states in which loop heads are reached in a random execution of bounded length.
struct Run<'a> {
    rng: &'a mut Rng,
    fuel: usize,
    heads: Vec<(usize, Point)>,
}

/// `None`: the execution ends here (an assumption fails, or the fuel is used up).
impl Run<'_> {
    fn block(&mut self, mut p: Point, body: &[Stmt]) -> Option<Point> {
        for s in body {
            p = self.statement(p, s)?;
        }
        Some(p)
    }

    fn statement(&mut self, p: Point, s: &Stmt) -> Option<Point> {
        self.fuel = self.fuel.checked_sub(1)?;
        match s {
            Stmt::Assign(pairs) => {
                let mut q = p.clone();
                for (x, v) in pairs {
                    q.insert(*x, self.value(&p, v)?);
                }
                Some(q)
            }
            Stmt::Assume(c) | Stmt::Assert { cond: c, .. } => self.holds(&p, c).then_some(p),
            Stmt::If(c, then, otherwise) => {
                let branch = if self.holds(&p, c) { then } else { otherwise };
                self.block(p, branch)
            }
            Stmt::While { cond, body, number } => {
                let mut p = p;
                loop {
                    self.heads.push((*number, p.clone()));
                    if !self.holds(&p, cond) {
                        return Some(p);
                    }
                    self.fuel = self.fuel.checked_sub(1)?;
                    p = self.block(p, body)?;
                }
            }
            Stmt::Choose(branches) => {
                let i = self.rng.below(branches.len() as u64) as usize;
                self.block(p, &branches[i])
            }
        }
    }

    fn value(&mut self, p: &Point, v: &Value) -> Option<Int> {
        let step = Int::from(self.rng.range(0, 5));
        match v {
            Value::Expr(e) => Some(e.eval(p)),
            Value::Between(None, None) => Some(Int::from(self.rng.range(-50, 50))),
            Value::Between(Some(lo), None) => Some(lo.eval(p) + step),
            Value::Between(None, Some(hi)) => Some(hi.eval(p) - step),
            Value::Between(Some(lo), Some(hi)) => {
                let (lo, hi) = (lo.eval(p), hi.eval(p));
                (lo <= hi).then(|| (lo + step).min(hi))
            }
        }
    }

    fn holds(&mut self, p: &Point, c: &Cond) -> bool {
        match c {
            Cond::Cons(c) => c.holds(p),
            Cond::All(cs) => cs.iter().all(|c| self.holds(p, c)),
            Cond::One(cs) => cs.iter().any(|c| self.holds(p, c)),
            Cond::Any => self.rng.one_in(2),
        }
    }
}

/// Whether the domain proves all assertions; every loop head of every run must be in its invariant.
fn check<D: NumDomain>(name: &str, domain: &D, p: &Program, heads: &[(usize, Point)], options: Options) -> bool {
    let found = analyse(domain, p, options);
    for (number, point) in heads {
        let invariant = found.invariants[*number].as_ref().unwrap_or_else(|| panic!("{name}: loop {number} is reached at {point:?}"));
        let at = |(x, v): (&Dim, &Int)| LinCons::eq(LinExpr::var(*x), LinExpr::constant(v.clone()));
        let here = domain.assume_all(invariant, &point.iter().map(at).collect::<Vec<_>>());
        assert!(!domain.is_bottom(&here), "{name}: {point:?} is not in the invariant {invariant:?} of loop {number}");
    }
    found.proved.iter().all(|p| *p)
}

fn provers(p: &Program, heads: &[(usize, Point)], o: Options) -> Vec<&'static str> {
    let all = [
        ("box", check("box", &Boxes, p, heads, o)),
        ("congruence", check("congruence", &Congruences, p, heads, o)),
        ("box-congruence", check("box-congruence", &BoxWith(Congruences), p, heads, o)),
        ("affine", check("affine", &AffineEqualities, p, heads, o)),
        ("box-affine", check("box-affine", &BoxWith(AffineEqualities), p, heads, o)),
        ("zone", check("zone", &Zones, p, heads, o)),
        ("octagon", check("octagon", &Octagons, p, heads, o)),
        ("poly", check("poly", &Polyhedra::default(), p, heads, o)),
    ];
    all.into_iter().filter(|a| a.1).map(|a| a.0).collect()
}

#[test]
fn each_program_is_proved_by_the_domains_it_names() {
    let mut rng = Rng::new(7);
    for (file, text) in programs() {
        let p = parse(&text).unwrap_or_else(|e| panic!("{file}:{e}"));
        let mut heads = Vec::new();
        for _ in 0..30 {
            let start: Point = (0..p.names.len() as u32).map(|i| (Dim(i), Int::from(rng.range(-5, 60)))).collect();
            let mut run = Run { rng: &mut rng, fuel: 200, heads: Vec::new() };
            run.block(start, &p.body);
            heads.extend(run.heads);
        }
        heads.sort();
        heads.dedup();
        let named = text.lines().find_map(|l| l.strip_prefix("# holds in:")).unwrap_or_else(|| panic!("{file} names no domains"));
        let expected: Vec<&str> = named.split_whitespace().collect();
        assert_eq!(provers(&p, &heads, Options::default()), expected, "{file}");
        // Other strategies are as sound.
        provers(&p, &heads, Options { delay: 0, descending: 0, thresholds: false });
        provers(&p, &heads, Options { delay: 3, descending: 5, thresholds: false });
    }
}

#[test]
fn errors_say_where_and_what() {
    let cases = [
        ("var x\nx = 1;", "2:1: expected `;`, found `x`"),
        ("var x, x;", "1:8: `x` is declared already"),
        ("x = 1;", "1:1: `x` is not declared"),
        ("var x, y; x = 2 * (x + y) * y;", "1:27: a product of two variables is not linear"),
        ("var x; while (x) { }", "1:16: expected a comparison, found `)`"),
        ("var x; if (x < 1) { x = 2;", "1:27: expected `}`, found the end of the text"),
        ("var x, y; x, x = 1, 2;", "1:14: a variable is assigned twice"),
        ("var x, y; x, y = 1;", "1:19: expected `,` and a value for every variable, found `;`"),
        ("var x; x = 1 @ 2;", "1:14: `@` does not belong to the language"),
        ("var if;", "1:5: expected a name, found `if`"),
        ("var x; assume ((x < 1) && x >);", "1:30: expected an expression, found `)`"),
    ];
    for (text, message) in cases {
        assert_eq!(parse(text).expect_err(text).to_string(), message, "{text}");
    }
    let deep = format!("var x; assume {}x > 0{};", "(".repeat(5000), ")".repeat(5000));
    assert!(parse(&deep).expect_err("too deep").message.contains("levels of nesting"));
    let deep = format!("var x; {} {}", "if (*) {".repeat(5000), "}".repeat(5000));
    assert!(parse(&deep).expect_err("too deep").message.contains("levels of nesting"));
}
