//! Clauses without a theory: verdicts against enumeration, models, cores, refutations, scopes.

mod common;

use common::replay::replay;
use common::Rng;
use plumb_itp::proof::Part;
use plumb_itp::theory::NoTheory;
use plumb_itp::{Answer, Budget, Config, Lit, Literal, Solver, Why};

type Cnf = Vec<Vec<i32>>;

fn random_cnf(rng: &mut Rng, variables: usize, clauses: usize, lengths: (i64, i64)) -> Cnf {
    let lit = |rng: &mut Rng| (rng.below(variables) as i32 + 1) * if rng.chance(2) { 1 } else { -1 };
    (0..clauses).map(|_| (0..rng.range(lengths.0, lengths.1)).map(|_| lit(rng)).collect()).collect()
}

fn enumerate(cnf: &[Vec<i32>], variables: usize) -> bool {
    (0..1u32 << variables).any(|bits| cnf.iter().all(|c| c.iter().any(|l| (bits >> (l.abs() - 1) & 1 == 1) == (*l > 0))))
}

struct Problem {
    solver: Solver<NoTheory>,
    vars: Vec<Lit>,
    asserted: Vec<(Part, Vec<Lit>)>,
}

impl Problem {
    fn new(variables: usize) -> Problem {
        Problem::with(variables, Config::default())
    }

    fn with(variables: usize, config: Config) -> Problem {
        let mut solver = Solver::with_theory(config, NoTheory);
        let vars = (0..variables).map(|_| solver.boolean()).collect();
        Problem { solver, vars, asserted: Vec::new() }
    }

    fn lit(&self, l: i32) -> Lit {
        let v = self.vars[l.unsigned_abs() as usize - 1];
        if l > 0 {
            v
        } else {
            !v
        }
    }

    fn add(&mut self, clause: &[i32]) {
        let lits: Vec<Lit> = clause.iter().map(|&l| self.lit(l)).collect();
        self.solver.add_clause(&lits.iter().map(|&l| Literal::Lit(l)).collect::<Vec<_>>());
        let mut sorted = lits;
        sorted.sort_unstable();
        sorted.dedup();
        self.asserted.push((self.solver.current_part(), sorted));
    }

    /// Like `add`, but a first negative literal is the guard.
    fn add_guarded(&mut self, clause: &[i32]) {
        let Some(guard) = clause.iter().position(|l| *l < 0) else {
            self.add(clause);
            return;
        };
        let others = clause.iter().enumerate().filter(|o| o.0 != guard).map(|o| Literal::Lit(self.lit(*o.1)));
        let others: Vec<Literal> = others.collect();
        self.solver.add_guarded(self.lit(clause[guard]).var(), &others);
    }

    fn check(&mut self, assumptions: &[i32]) -> Answer {
        let lits: Vec<Lit> = assumptions.iter().map(|&l| self.lit(l)).collect();
        self.solver.check(&lits, &Budget::unlimited())
    }

    fn check_model(&self, cnf: &[Vec<i32>]) {
        let model = self.solver.model().expect("a model");
        for c in cnf {
            assert!(c.iter().any(|&l| model.lit(self.lit(l))), "{c:?} holds in the model");
        }
    }

    /// Replays the refutation; returns its last clause.
    fn replay(&self) -> Vec<Lit> {
        let proof = self.solver.refutation().expect("a refutation");
        let input = |part: Part, clause: &[Lit]| {
            let mut clause = clause.to_vec();
            clause.sort_unstable();
            self.asserted.contains(&(part, clause))
        };
        replay(&proof, input, |_| false)
    }
}

#[test]
fn small_problems_are_decided_as_by_enumeration() {
    let mut rng = Rng::new(1);
    let mut unsat = 0;
    for round in 0..4000 {
        let variables = 1 + rng.below(10);
        let lengths = if round % 2 == 0 { (3, 3) } else { (1, 4) };
        let clauses = (variables as f64 * (3.0 + 2.0 * (rng.below(100) as f64 / 100.0))) as usize;
        let cnf = random_cnf(&mut rng, variables, clauses, lengths);
        let mut p = Problem::new(variables);
        for c in &cnf {
            if rng.chance(5) {
                p.solver.part();
            }
            p.add(c);
        }
        match p.check(&[]) {
            Answer::Sat => {
                assert!(enumerate(&cnf, variables), "round {round}");
                p.check_model(&cnf);
            }
            Answer::Unsat => {
                assert!(!enumerate(&cnf, variables), "round {round}");
                assert!(p.replay().is_empty());
                unsat += 1;
            }
            Answer::Unknown(why) => panic!("{why:?}"),
        }
    }
    assert!(unsat > 1000 && unsat < 3000, "{unsat}");
}

#[test]
fn larger_problems_near_the_threshold_have_models_or_refutations() {
    let mut rng = Rng::new(2);
    let mut answers = [0, 0];
    for _ in 0..40 {
        let variables = 60 + rng.below(60);
        let mut cnf = Cnf::new();
        while cnf.len() < (variables as f64 * 4.26) as usize {
            cnf.extend(random_cnf(&mut rng, variables, 1, (3, 3)).into_iter().filter(|c| {
                let v: std::collections::BTreeSet<i32> = c.iter().map(|l| l.abs()).collect();
                v.len() == 3
            }));
        }
        let mut p = Problem::new(variables);
        cnf.iter().for_each(|c| p.add(c));
        match p.check(&[]) {
            Answer::Sat => {
                p.check_model(&cnf);
                answers[0] += 1;
            }
            _ => {
                assert!(p.replay().is_empty());
                answers[1] += 1;
            }
        }
    }
    assert!(answers[0] > 5 && answers[1] > 5, "{answers:?}");
}

fn pigeons(p: &mut Problem, holes: i32) {
    let at = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    for pigeon in 0..=holes {
        p.add(&(0..holes).map(|h| at(pigeon, h)).collect::<Vec<_>>());
    }
    for hole in 0..holes {
        for a in 0..=holes {
            for b in 0..a {
                p.add(&[-at(a, hole), -at(b, hole)]);
            }
        }
    }
}

#[test]
fn pigeons_need_holes() {
    for holes in 1..=7 {
        let mut p = Problem::new((holes * (holes + 1)) as usize);
        pigeons(&mut p, holes);
        assert_eq!(p.check(&[]), Answer::Unsat);
        assert!(p.replay().is_empty());
    }
}

#[test]
fn budgets_end_a_search() {
    let mut p = Problem::new(12 * 13);
    pigeons(&mut p, 12);
    let conflicts = Budget { conflicts: Some(100), ..Budget::unlimited() };
    assert_eq!(p.solver.check(&[], &conflicts), Answer::Unknown(Why::Conflicts));
    assert!(p.solver.statistics().conflicts <= 101);
    let time = Budget::within(plumb_term::Budget::within(std::time::Duration::from_millis(50)));
    assert_eq!(p.solver.check(&[], &time), Answer::Unknown(Why::Time));
    let memory = Budget { memory: Some(1), ..Budget::unlimited() };
    assert_eq!(p.solver.check(&[], &memory), Answer::Unknown(Why::Memory));
    assert!(p.solver.model().is_none() && p.solver.core().is_none() && p.solver.refutation().is_none());
}

#[test]
fn cores_are_unsatisfiable_assumptions() {
    let mut rng = Rng::new(3);
    let mut real = 0;
    for _ in 0..1500 {
        let variables = 2 + rng.below(8);
        let clauses = variables * 3;
        let cnf = random_cnf(&mut rng, variables, clauses, (2, 3));
        let mut p = Problem::new(variables);
        cnf.iter().for_each(|c| p.add(c));
        for _ in 0..4 {
            let count = rng.below(variables + 2);
            let assumptions: Vec<i32> =
                (0..count).map(|_| (rng.below(variables) as i32 + 1) * if rng.chance(2) { 1 } else { -1 }).collect();
            let with = |extra: &[i32]| cnf.iter().cloned().chain(extra.iter().map(|&l| vec![l])).collect::<Cnf>();
            let expected = enumerate(&with(&assumptions), variables);
            match p.check(&assumptions) {
                Answer::Sat => {
                    assert!(expected);
                    p.check_model(&with(&assumptions));
                }
                _ => {
                    assert!(!expected);
                    let core = p.solver.core().unwrap().to_vec();
                    let core: Vec<i32> = assumptions.iter().copied().filter(|&a| core.contains(&p.lit(a))).collect();
                    assert_eq!(core.iter().collect::<std::collections::BTreeSet<_>>().len(), p.solver.core().unwrap().len());
                    assert!(!enumerate(&with(&core), variables));
                    if core.iter().any(|l| core.contains(&-l)) {
                        continue;
                    }
                    real += usize::from(!core.is_empty());
                    let mut last = p.replay();
                    last.sort_unstable();
                    let mut negated: Vec<Lit> = p.solver.core().unwrap().iter().map(|&l| !l).collect();
                    negated.sort_unstable();
                    assert_eq!(last, negated);
                }
            }
        }
    }
    assert!(real > 500, "{real}");
}

#[test]
fn scopes_answer_as_a_fresh_solver_does() {
    let mut rng = Rng::new(4);
    let mut answers = [0, 0];
    for _ in 0..300 {
        let variables = 4 + rng.below(7);
        let mut p = Problem::new(variables);
        let mut scopes: Vec<Cnf> = vec![Cnf::new()];
        for _ in 0..30 {
            match rng.below(5) {
                0 => {
                    p.solver.push();
                    scopes.push(Cnf::new());
                }
                1 if scopes.len() > 1 => {
                    p.solver.pop();
                    scopes.pop();
                }
                2..=3 => {
                    for c in random_cnf(&mut rng, variables, 3, (2, 3)) {
                        if rng.chance(4) {
                            p.solver.part();
                        }
                        p.add(&c);
                        scopes.last_mut().unwrap().push(c);
                    }
                }
                _ => {
                    let all = scopes.concat();
                    match p.check(&[]) {
                        Answer::Sat => {
                            p.check_model(&all);
                            answers[0] += 1;
                        }
                        answer => {
                            assert_eq!(answer, Answer::Unsat);
                            assert!(!enumerate(&all, variables));
                            assert_eq!(p.solver.core(), Some(&[][..]));
                            assert!(p.replay().is_empty());
                            let open = all.iter().map(|c| {
                                let mut c: Vec<Lit> = c.iter().map(|&l| p.lit(l)).collect();
                                c.sort_unstable();
                                c.dedup();
                                c
                            });
                            let open: Vec<Vec<Lit>> = open.collect();
                            for step in p.solver.refutation().unwrap().steps {
                                if let plumb_itp::proof::Reason::Input(_) = step.reason {
                                    let mut clause = step.clause;
                                    clause.sort_unstable();
                                    assert!(open.contains(&clause), "no clause of a closed scope");
                                }
                            }
                            answers[1] += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(answers[0] > 100 && answers[1] > 100, "{answers:?}");
}

#[test]
fn without_proofs_the_answers_are_the_same() {
    let mut rng = Rng::new(5);
    for _ in 0..500 {
        let variables = 3 + rng.below(8);
        let cnf = random_cnf(&mut rng, variables, variables * 4, (3, 3));
        let mut solver = Solver::with_theory(Config { proofs: false, ..Config::default() }, NoTheory);
        let vars: Vec<Lit> = (0..variables).map(|_| solver.boolean()).collect();
        for c in &cnf {
            let lit = |l: &i32| Literal::Lit(if *l > 0 { vars[*l as usize - 1] } else { !vars[-*l as usize - 1] });
            solver.add_clause(&c.iter().map(lit).collect::<Vec<_>>());
        }
        let expected = if enumerate(&cnf, variables) { Answer::Sat } else { Answer::Unsat };
        assert_eq!(solver.check(&[], &Budget::unlimited()), expected);
        assert!(solver.refutation().is_none());
    }
}

#[test]
fn a_long_search_forgets_and_still_has_a_proof() {
    let mut p = Problem::with(8 * 9, Config { log_words: 1000, ..Config::default() });
    pigeons(&mut p, 8);
    assert_eq!(p.check(&[]), Answer::Unsat);
    assert!(p.solver.statistics().conflicts > 5000, "long enough for many reductions");
    assert!(p.replay().is_empty());
}

#[test]
fn guarded_clauses_are_clauses() {
    let mut rng = Rng::new(6);
    let mut answers = [0, 0];
    for _ in 0..2000 {
        let variables = 2 + rng.below(8);
        let clauses = variables * 3 + rng.below(variables * 2);
        let cnf = random_cnf(&mut rng, variables, clauses, (2, 3));
        let mut p = Problem::new(variables);
        cnf.iter().for_each(|c| p.add_guarded(c));
        let sat = p.check(&[]) == Answer::Sat;
        assert_eq!(sat, enumerate(&cnf, variables));
        answers[usize::from(sat)] += 1;
        if sat {
            p.check_model(&cnf);
        }
    }
    assert!(answers[0] > 300 && answers[1] > 300, "{answers:?}");
}

#[test]
fn branches_not_taken_are_not_decided() {
    let mut solver = Solver::with_theory(Config::default(), NoTheory);
    let mut branches = Vec::new();
    for _ in 0..200 {
        let clauses: Vec<Literal> = (0..10)
            .map(|_| {
                let some = [0; 3].map(|_| Literal::Lit(solver.boolean()));
                solver.or(&some)
            })
            .collect();
        branches.push(solver.and(&clauses));
    }
    let one = solver.or(&branches);
    solver.assert(one);
    assert_eq!(solver.check(&[], &Budget::unlimited()), Answer::Sat);
    assert!(solver.model().unwrap().literal(one));
    assert!(solver.statistics().decisions <= 11, "{:?}", solver.statistics());
}
