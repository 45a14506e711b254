//! Families of unrolled loops.

use crate::formula::{Problem, F};

/// From steps and variables to a problem.
type Family = fn(usize, usize) -> Problem;

/// The families.
pub const ALL: [(&str, Family); 10] = [
    ("count", count),
    ("guards", guards),
    ("reset", reset),
    ("search", search),
    ("state", state),
    ("nested", nested),
    ("mixture", mixture),
    ("parity", parity),
    ("clauses", clauses),
    ("machine", machine),
];

/// `next = now + by` for one variable.
fn shift(now: usize, next: usize, by: i64) -> F {
    F::Eq(vec![(next, 1), (now, -1)], by)
}

/// `now` unchanged but for the given ones.
fn step(now: &[usize], next: &[usize], guard: Vec<F>, shifts: &[i64]) -> F {
    let mut all = guard;
    all.extend(now.iter().zip(next).zip(shifts).map(|((x, y), by)| shift(*x, *y, *by)));
    F::And(all)
}

fn start(p: &mut Problem, v: usize, value: i64) -> Vec<usize> {
    let now = p.fresh(v);
    p.steps.push(F::And(now.iter().map(|x| F::Eq(vec![(*x, 1)], value)).collect()));
    now
}

/// A straight line: each variable grows with the one before it; the last bound does not hold.
fn count(n: usize, v: usize) -> Problem {
    let mut p = Problem::default();
    let mut now = start(&mut p, v, 0);
    for _ in 0..n {
        let next = p.fresh(v);
        let mut all = vec![shift(now[0], next[0], 1)];
        all.extend((1..v).map(|i| F::Eq(vec![(next[i], 1), (now[i], -1), (now[i - 1], -1)], 0)));
        p.steps.push(F::And(all));
        now = next;
    }
    p.steps.push(F::Le(vec![(now[v - 1], 1)], -1));
    p
}

/// One of several guarded moves in each step, all of which keep `x₀ ≤ x₁ + 1`.
fn guards(n: usize, v: usize) -> Problem {
    let mut p = Problem::default();
    let mut now = start(&mut p, v, 0);
    for _ in 0..n {
        let next = p.fresh(v);
        let mut up = vec![0; v];
        up[0] = 1;
        let mut other = vec![1; v];
        other[0] = 0;
        let mut rest = vec![0; v];
        rest[v - 1] = 2;
        let cases = vec![
            step(&now, &next, vec![F::Le(vec![(now[0], 1), (now[1], -1)], 0)], &up),
            step(&now, &next, vec![F::Le(vec![(now[1], 1), (now[0], -1)], -1)], &other),
            step(&now, &next, vec![F::Le(vec![(now[v - 1], 1)], 5)], &rest),
        ];
        p.steps.push(F::Or(cases));
        now = next;
    }
    p.steps.push(F::Le(vec![(now[1], 1), (now[0], -1)], -2));
    p
}

/// A counter that is reset at ten, others count the resets and the steps; the counts do not fit.
fn reset(n: usize, v: usize) -> Problem {
    let mut p = Problem::default();
    let mut now = start(&mut p, v, 0);
    for _ in 0..n {
        let next = p.fresh(v);
        let mut up = vec![1; v];
        up[1] = 0;
        let mut back = vec![F::Le(vec![(now[0], -1)], -10), F::Eq(vec![(next[0], 1)], 0), shift(now[1], next[1], 1)];
        back.extend((2..v).map(|i| shift(now[i], next[i], 1)));
        p.steps.push(F::Or(vec![step(&now, &next, vec![F::Le(vec![(now[0], 1)], 9)], &up), F::And(back)]));
        now = next;
    }
    p.steps.push(F::Le(vec![(now[1], -11), (now[0], -1), (now[2], 1)], -1));
    p
}

/// A bound that is reached by some choices only: satisfiable.
fn search(n: usize, v: usize) -> Problem {
    let mut p = Problem::default();
    let mut now = start(&mut p, v, 0);
    for i in 0..n {
        let next = p.fresh(v);
        let cases = (0..3).map(|c| {
            let shifts: Vec<i64> = (0..v).map(|j| ((c * 7 + j * 3 + i * 5) % 5) as i64 - 1).collect();
            step(&now, &next, vec![F::Le(vec![(now[c % v], 1)], 4 * n as i64)], &shifts)
        });
        p.steps.push(F::Or(cases.collect()));
        now = next;
    }
    p.steps.push(F::And((0..v).map(|j| F::Le(vec![(now[j], -1)], -(n as i64) / 2)).collect()));
    p
}

/// A state machine: variable 0 is the state, moves depend on it, the last state is not reached with a small counter.
fn state(n: usize, v: usize) -> Problem {
    let mut p = Problem::default();
    let mut now = start(&mut p, v, 0);
    for _ in 0..n {
        let next = p.fresh(v);
        let cases = (0..4i64).map(|s| {
            let mut moves = vec![F::Eq(vec![(now[0], 1)], s), shift(now[1], next[1], s + 1)];
            moves.extend((2..v).map(|i| shift(now[i], next[i], (s + i as i64) % 3)));
            let stay = F::Eq(vec![(next[0], 1)], s);
            let go = F::And(vec![F::Eq(vec![(next[0], 1)], (s + 1) % 4), F::Le(vec![(now[1], -1)], -3 * s)]);
            moves.push(F::Or(vec![stay, go]));
            F::And(moves)
        });
        p.steps.push(F::Or(cases.collect()));
        now = next;
    }
    p.steps.push(F::And(vec![F::Eq(vec![(now[0], 1)], 3), F::Le(vec![(now[1], 1)], 3)]));
    p
}

/// Two nested loops: `x₀` is the place, `x₁` and `x₂` the counters, others copies that move along; a copy differs in the end.
fn nested(n: usize, v: usize) -> Problem {
    let mut p = Problem::default();
    let mut now = start(&mut p, v, 0);
    for _ in 0..n {
        let next = p.fresh(v);
        let at = |x: &[usize], s: i64| F::Eq(vec![(x[0], 1)], s);
        let keep = |from: usize| (from..v).map(|i| shift(now[i], next[i], 0)).collect::<Vec<F>>();
        let mut enter =
            vec![at(&now, 0), F::Le(vec![(now[1], 1)], 4), at(&next, 1), shift(now[1], next[1], 0), F::Eq(vec![(next[2], 1)], 0)];
        enter.extend(keep(3));
        let mut inner = vec![at(&now, 1), F::Le(vec![(now[2], 1), (now[1], -1)], 2), at(&next, 1), shift(now[1], next[1], 0)];
        inner.push(shift(now[2], next[2], 1));
        inner.extend((3..v).map(|i| shift(now[i], next[i], i as i64)));
        let mut leave = vec![at(&now, 1), F::Le(vec![(now[1], 1), (now[2], -1)], -3), at(&next, 0), shift(now[1], next[1], 1)];
        leave.extend(keep(2));
        let mut stop = vec![at(&now, 0), F::Le(vec![(now[1], -1)], -5), at(&next, 2)];
        stop.extend(keep(1));
        let mut stay = vec![at(&now, 2), at(&next, 2)];
        stay.extend(keep(1));
        p.steps.push(F::Or([enter, inner, leave, stop, stay].into_iter().map(F::And).collect()));
        now = next;
    }
    p.steps.push(F::And(vec![F::Eq(vec![(now[0], 1)], 2), F::Le(vec![(now[1], -1)], -6)]));
    p
}

/// Sums with several coefficients under choices without guards; the last inequality follows from all choices.
fn mixture(n: usize, v: usize) -> Problem {
    let mut p = Problem::default();
    let mut now = start(&mut p, v, 1);
    for i in 0..n {
        let next = p.fresh(v);
        let cases = (0..2i64).map(|c| {
            let mut all: Vec<F> = (1..v).map(|j| shift(now[j], next[j], (c + j as i64 + i as i64) % 3)).collect();
            all.push(F::Eq(vec![(next[0], 1), (now[0], -1), (now[1], -1 - c), (now[v - 1], -1)], c));
            all.push(F::Le(vec![(now[1], 1 - 2 * c), (now[2], 2 * c - 1)], i as i64 % 4));
            F::And(all)
        });
        p.steps.push(F::Or(cases.collect()));
        now = next;
    }
    p.steps.push(F::Le(vec![(now[0], 1)], n as i64));
    p
}

/// All variables change by even numbers, the sum at the end is odd.
fn parity(n: usize, v: usize) -> Problem {
    let mut p = Problem::default();
    let mut now = start(&mut p, v, 2);
    for _ in 0..n {
        let next = p.fresh(v);
        let halves = p.fresh(v);
        let all = (0..v).map(|i| F::Eq(vec![(next[i], 1), (now[i], -1), (halves[i], -2)], 0));
        p.steps.push(F::And(all.collect()));
        now = next;
    }
    p.steps.push(F::Eq(now.iter().map(|x| (*x, 1)).collect(), 7));
    p
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Random clauses of inequalities over bounded integers.
fn clauses(n: usize, v: usize) -> Problem {
    let mut p = Problem::default();
    let mut random = Random(n as u64);
    let x = p.fresh(4 * v);
    p.steps.push(F::And(x.iter().flat_map(|x| [F::Le(vec![(*x, 1)], 1000), F::Le(vec![(*x, -1)], 1000)]).collect()));
    for _ in 0..n {
        let atoms = (0..3).map(|_| {
            let terms = (0..2 + random.below(2)).map(|_| (x[random.below(x.len())], random.below(9) as i64 - 4)).collect();
            F::Le(terms, random.below(40) as i64 - 38)
        });
        p.steps.push(F::Or(atoms.collect()));
    }
    p
}

/// A program over words: a location, conditions on sums, updates with coefficients; bounds as of machine integers.
fn machine(n: usize, v: usize) -> Problem {
    let mut p = Problem::default();
    let mut random = Random(3);
    let mut now = start(&mut p, v, 0);
    let places = 6;
    let code: Vec<[usize; 7]> = (0..2 * places).map(|_| std::array::from_fn(|_| random.below(1000))).collect();
    for _ in 0..n {
        let next = p.fresh(v);
        let cases = code.iter().enumerate().map(|(i, c)| {
            let (at, to) = ((i / 2) as i64, c[0] as i64 % places as i64);
            let (a, b) = (1 + c[1] % (v - 1), 1 + c[2] % (v - 1));
            let mut all = vec![F::Eq(vec![(now[0], 1)], at), F::Eq(vec![(next[0], 1)], to)];
            let (guard, limit) = (vec![(now[a], 2), (now[b], -1)], c[3] as i64 % 30);
            all.push(match i % 2 {
                0 => F::Le(guard, limit),
                _ => F::Le(guard.iter().map(|(x, k)| (*x, -k)).collect(), -limit - 1),
            });
            for j in 1..v {
                all.push(match j == 1 + c[4] % (v - 1) {
                    true => F::Eq(vec![(next[j], 1), (now[j], -1), (now[a], -(c[5] as i64 % 3))], c[6] as i64 % 7 - 2),
                    false => shift(now[j], next[j], 0),
                });
            }
            F::And(all)
        });
        p.steps.push(F::Or(cases.collect()));
        let words = next.iter().flat_map(|x| [F::Le(vec![(*x, 1)], (1 << 31) - 1), F::Le(vec![(*x, -1)], 1 << 31)]);
        p.steps.push(F::And(words.collect()));
        now = next;
    }
    p.steps.push(F::And(vec![F::Le(vec![(now[1], -1)], -1_000_000), F::Le(vec![(now[2], 1)], -5)]));
    p
}
