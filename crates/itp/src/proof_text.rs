//! Proofs as text, one fact a line, so that a refutation can be kept in a file and replayed elsewhere.
//!
//! ```text
//! parts 2
//! number int 0 1                 a numeric variable, in parts 0 and 1; numbered from 0 in order
//! number real 1 = 3 0 0          … that names the value of function 3 at variables 0 and 0
//! boolean 0                      a plain Boolean variable; numbered from 0 in order, with the atoms
//! atom 0 1 : 2 0 -3 1 : 5        2·x₀ - 3·x₁ + 5 ≤ 0
//! mixed : 1 0 -1 1 : 0           an atom that is mixed
//! input 0 : +0 -1                a clause of part 0; steps are numbered from 0 in order
//! farkas -1 +2 : 1/2 3           a lemma with its multipliers
//! divisibility -1 -2 : 1/3
//! congruence -1 -2 +3 : 4 5
//! chain +0 : 7 1 8 2 9           step 7 resolved on variable 1 with step 8, on 2 with 9
//! ```
//!
//! Reading accepts what has this form; whether it is a proof is for [`proof_check`](crate::proof_check) to say.

use crate::linear::{Linear, NumVar, Sort};
use crate::lit::{BoolVar, Lit};
use crate::proof::{Atom, Certificate, Fun, Meaning, Number, Part, Proof, Reason, Step, StepId};
use plumb_num::{Int, Rat};
use std::fmt::{self, Write as _};

/// A line that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: &'static str,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for ReadError {}

/// The proof as text.
pub fn write(proof: &Proof) -> String {
    let mut out = format!("parts {}\n", proof.parts);
    for n in &proof.numbers {
        out.push_str(if n.sort == Sort::Int { "number int" } else { "number real" });
        list(&mut out, n.parts.iter().map(|p| p.0));
        if let Some((f, arguments)) = &n.application {
            let _ = write!(out, " = {}", f.0);
            list(&mut out, arguments.iter().map(|x| x.0));
        }
        out.push('\n');
    }
    for m in &proof.booleans {
        match &m.atom {
            Atom::Boolean => {
                out.push_str("boolean");
                list(&mut out, m.parts.iter().map(|p| p.0));
            }
            Atom::LessEq(t) => {
                out.push_str(if m.mixed { "mixed" } else { "atom" });
                list(&mut out, m.parts.iter().map(|p| p.0));
                out.push_str(" :");
                for (x, a) in t.terms() {
                    let _ = write!(out, " {a} {}", x.0);
                }
                let _ = write!(out, " : {}", t.offset());
            }
        }
        out.push('\n');
    }
    for s in &proof.steps {
        write_step(&mut out, s);
    }
    out
}

fn list<T: fmt::Display>(out: &mut String, items: impl IntoIterator<Item = T>) {
    for item in items {
        let _ = write!(out, " {item}");
    }
}

fn write_step(out: &mut String, step: &Step) {
    let signed = |l: &Lit| format!("{}{}", if l.is_positive() { '+' } else { '-' }, l.var().0);
    match &step.reason {
        Reason::Input(part) => {
            let _ = write!(out, "input {} :", part.0);
            list(out, step.clause.iter().map(signed));
        }
        Reason::Lemma(certificate) => {
            out.push_str(match certificate {
                Certificate::Farkas(_) => "farkas",
                Certificate::Divisibility(_) => "divisibility",
                Certificate::Congruence(..) => "congruence",
            });
            list(out, step.clause.iter().map(signed));
            out.push_str(" :");
            match certificate {
                Certificate::Farkas(qs) | Certificate::Divisibility(qs) => list(out, qs),
                Certificate::Congruence(x, y) => list(out, [x.0, y.0]),
            }
        }
        Reason::Chain { first, rest } => {
            out.push_str("chain");
            list(out, step.clause.iter().map(signed));
            let _ = write!(out, " : {}", first.0);
            list(out, rest.iter().flat_map(|(p, s)| [p.0, s.0]));
        }
    }
    out.push('\n');
}

/// The proof that `text` describes.
pub fn read(text: &str) -> Result<Proof, ReadError> {
    let mut proof = Proof::default();
    for (i, line) in text.lines().enumerate() {
        read_line(&mut proof, line).map_err(|what| ReadError { line: i + 1, what })?;
    }
    Ok(proof)
}

type Read<T> = Result<T, &'static str>;

fn read_line(proof: &mut Proof, line: &str) -> Read<()> {
    let (head, tail) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    let fields: Vec<&str> = tail.split(':').map(str::trim).collect();
    let one = || (fields.len() == 1).then(|| fields[0]).ok_or("a colon too many");
    let two = || <[&str; 2]>::try_from(fields.clone()).map_err(|_| "two fields are expected");
    match head {
        "" => {}
        "parts" => proof.parts = word(one()?)?,
        "number" => proof.numbers.push(read_number(one()?)?),
        "boolean" => proof.booleans.push(Meaning { atom: Atom::Boolean, parts: parts(one()?)?, mixed: false }),
        "atom" | "mixed" => {
            let [places, terms, constant] = <[&str; 3]>::try_from(fields).map_err(|_| "three fields are expected")?;
            let words: Vec<&str> = terms.split_whitespace().collect();
            let term = |pair: &[&str]| match pair {
                [a, x] => Ok((NumVar(word(x)?), integer(a)?)),
                _ => Err("a coefficient has no variable"),
            };
            let terms = words.chunks(2).map(term).collect::<Read<Vec<_>>>()?;
            let atom = Atom::LessEq(Linear::new(terms, integer(constant)?));
            proof.booleans.push(Meaning { atom, parts: parts(places)?, mixed: head == "mixed" });
        }
        "input" => {
            let [part, literals] = two()?;
            proof.steps.push(Step { clause: clause(literals)?, reason: Reason::Input(Part(word(part)?)) });
        }
        "farkas" | "divisibility" | "congruence" => {
            let [literals, certificate] = two()?;
            let certificate = match head {
                "farkas" => Certificate::Farkas(rationals(certificate)?),
                "divisibility" => Certificate::Divisibility(rationals(certificate)?),
                _ => match words(certificate)?[..] {
                    [x, y] => Certificate::Congruence(NumVar(x), NumVar(y)),
                    _ => return Err("a congruence names two variables"),
                },
            };
            proof.steps.push(Step { clause: clause(literals)?, reason: Reason::Lemma(certificate) });
        }
        "chain" => {
            let [literals, premises] = two()?;
            let premises = words(premises)?;
            let Some((&first, rest)) = premises.split_first() else { return Err("a chain has a first step") };
            if rest.len() % 2 != 0 {
                return Err("a pivot has no step");
            }
            let rest = rest.chunks(2).map(|p| (BoolVar(p[0]), StepId(p[1]))).collect();
            proof.steps.push(Step { clause: clause(literals)?, reason: Reason::Chain { first: StepId(first), rest } });
        }
        _ => return Err("an unknown kind of line"),
    }
    Ok(())
}

fn read_number(text: &str) -> Read<Number> {
    let (left, application) = match text.split_once('=') {
        Some((left, right)) => (left.trim(), Some(words(right)?)),
        None => (text, None),
    };
    let (sort, places) = left.split_once(' ').unwrap_or((left, ""));
    let sort = match sort {
        "int" => Sort::Int,
        "real" => Sort::Real,
        _ => return Err("a sort is int or real"),
    };
    let application = match application.as_deref() {
        None => None,
        Some([f, arguments @ ..]) => Some((Fun(*f), arguments.iter().map(|x| NumVar(*x)).collect())),
        Some([]) => return Err("an application has a function"),
    };
    Ok(Number { sort, parts: parts(places)?, application })
}

fn word(text: &str) -> Read<u32> {
    text.parse().map_err(|_| "a number is expected")
}

fn words(text: &str) -> Read<Vec<u32>> {
    text.split_whitespace().map(word).collect()
}

fn parts(text: &str) -> Read<Vec<Part>> {
    Ok(words(text)?.into_iter().map(Part).collect())
}

fn integer(text: &str) -> Read<Int> {
    text.parse().map_err(|_| "an integer is expected")
}

fn rationals(text: &str) -> Read<Vec<Rat>> {
    text.split_whitespace()
        .map(|w| match w.split_once('/') {
            None => Ok(Rat::from(integer(w)?)),
            Some((n, d)) => {
                let d = integer(d)?;
                if d.is_zero() {
                    return Err("a denominator is zero");
                }
                Ok(Rat::new(integer(n)?, d))
            }
        })
        .collect()
}

fn clause(text: &str) -> Read<Vec<Lit>> {
    text.split_whitespace()
        .map(|w| {
            let (sign, var) = w.split_at_checked(1).ok_or("a literal has a sign and a variable")?;
            let var: u32 = word(var)?;
            if var > u32::MAX >> 1 {
                return Err("a variable is too large");
            }
            match sign {
                "+" => Ok(BoolVar(var).positive()),
                "-" => Ok(BoolVar(var).negative()),
                _ => Err("a literal begins with + or -"),
            }
        })
        .collect()
}
