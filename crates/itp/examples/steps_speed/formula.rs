//! Formulas that can be asserted and printed.

use plumb_itp::theory::Theory;
use plumb_itp::{Linear, Literal, NumVar, Solver, Sort};
use plumb_num::Int;

/// A formula over numbered integers.
pub enum F {
    /// `Σ aᵢ·xᵢ ≤ c`.
    Le(Vec<(usize, i64)>, i64),
    /// `Σ aᵢ·xᵢ = c`.
    Eq(Vec<(usize, i64)>, i64),
    And(Vec<F>),
    Or(Vec<F>),
}

/// A conjunction of steps, each a part.
#[derive(Default)]
pub struct Problem {
    pub variables: usize,
    pub steps: Vec<F>,
}

impl Problem {
    pub fn fresh(&mut self, n: usize) -> Vec<usize> {
        self.variables += n;
        (self.variables - n..self.variables).collect()
    }

    pub fn assert_in<T: Theory>(&self, solver: &mut Solver<T>) {
        let numbers: Vec<NumVar> = (0..self.variables).map(|_| solver.number(Sort::Int)).collect();
        for f in &self.steps {
            solver.part();
            let l = build(f, &numbers, solver);
            solver.assert(l);
        }
    }

    pub fn smt_lib(&self) -> String {
        let mut out = String::from("(set-logic QF_LIA)\n");
        for i in 0..self.variables {
            out += &format!("(declare-fun x{i} () Int)\n");
        }
        for f in &self.steps {
            out += &format!("(assert {})\n", print(f));
        }
        out + "(check-sat)\n"
    }
}

fn build<T: Theory>(f: &F, numbers: &[NumVar], solver: &mut Solver<T>) -> Literal {
    let linear = |terms: &[(usize, i64)], c: i64| Linear::new(terms.iter().map(|(x, a)| (numbers[*x], Int::from(*a))), Int::from(-c));
    match f {
        F::Le(terms, c) => solver.less_eq(&linear(terms, *c)),
        F::Eq(terms, c) => solver.equal(&linear(terms, *c)),
        F::And(fs) => {
            let inputs: Vec<Literal> = fs.iter().map(|f| build(f, numbers, solver)).collect();
            solver.and(&inputs)
        }
        F::Or(fs) => {
            let inputs: Vec<Literal> = fs.iter().map(|f| build(f, numbers, solver)).collect();
            solver.or(&inputs)
        }
    }
}

fn print(f: &F) -> String {
    let number = |c: i64| if c < 0 { format!("(- {})", -c) } else { c.to_string() };
    let relation = |r: &str, terms: &[(usize, i64)], c: i64| {
        let sum: Vec<String> = terms.iter().map(|(x, a)| format!("(* {} x{x})", number(*a))).collect();
        format!("({r} (+ 0 {}) {})", sum.join(" "), number(c))
    };
    let join = |op: &str, fs: &[F]| format!("({op} {})", fs.iter().map(print).collect::<Vec<_>>().join(" "));
    match f {
        F::Le(terms, c) => relation("<=", terms, *c),
        F::Eq(terms, c) => relation("=", terms, *c),
        F::And(fs) => join("and", fs),
        F::Or(fs) => join("or", fs),
    }
}
