//! Functions: equal arguments have equal values.
//!
//! Lazily, by the model: two applications of one function whose arguments have equal values and whose results have not violate an instance of
//! congruence, which becomes a lemma over the atoms `a ≤ b` and `b ≤ a`. The search decides those atoms, and the same
//! instance is not violated again. Instances between applications with a common part come first, since they interpolate.

use super::Arithmetic;
use crate::linear::{Linear, NumVar};
use crate::lit::Lit;
use crate::proof::{Certificate, Fun};
use crate::theory::{Final, Lemma};
use crate::vocabulary::{Literal, Vocabulary};
use plumb_num::{Int, Rat};
use rustc_hash::FxHashMap;

/// The applications, in the order in which they were declared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Applications {
    all: Vec<Application>,
}

#[derive(Clone, Debug)]
struct Application {
    function: Fun,
    result: NumVar,
    arguments: Vec<NumVar>,
}

impl Applications {
    pub(crate) fn add(&mut self, function: Fun, result: NumVar, arguments: &[NumVar]) {
        self.all.push(Application { function, result, arguments: arguments.to_vec() });
    }
}

/// Instances added at once.
const MOST_LEMMAS: usize = 16;

impl Arithmetic {
    /// Instances of congruence that the model violates, or nothing.
    pub(crate) fn check_congruence(&mut self, vocabulary: &mut Vocabulary) -> Option<Final> {
        let mut violated: Vec<(bool, usize, usize)> = Vec::new();
        let mut classes: FxHashMap<(Fun, Vec<Rat>), Vec<usize>> = FxHashMap::default();
        for (i, one) in self.congruence.all.iter().enumerate() {
            let values = one.arguments.iter().map(|a| self.rational(*a)).collect();
            let class = classes.entry((one.function, values)).or_default();
            let result = self.rational(one.result);
            for &j in class.iter() {
                let other = &self.congruence.all[j];
                if self.rational(other.result) != result {
                    violated.push((!self.is_pure(i, j, vocabulary), j, i));
                }
            }
            class.push(i);
        }
        if violated.is_empty() {
            return None;
        }
        violated.sort_unstable();
        let pure = violated.partition_point(|v| !v.0);
        violated.truncate(if pure > 0 { pure.min(MOST_LEMMAS) } else { MOST_LEMMAS });
        let mut lemmas = Vec::new();
        for (_, i, j) in violated {
            let (x, y) = (self.congruence.all[i].result, self.congruence.all[j].result);
            let (i, j) = if self.rational(x) > self.rational(y) { (i, j) } else { (j, i) };
            lemmas.extend(self.instance(i, j, vocabulary));
        }
        crate::theory::Theory::declare(self, vocabulary);
        self.statistics.congruences += lemmas.len() as u64;
        Some(if lemmas.is_empty() { Final::Unknown } else { Final::Refine { lemmas, splits: Vec::new() } })
    }

    fn rational(&self, x: NumVar) -> Rat {
        crate::theory::Theory::value(self, x)
    }

    /// Whether the equations of the instance are in the vocabulary of some part each.
    fn is_pure(&self, i: usize, j: usize, vocabulary: &Vocabulary) -> bool {
        let (one, other) = (&self.congruence.all[i], &self.congruence.all[j]);
        let pairs = one.arguments.iter().zip(&other.arguments).chain([(&one.result, &other.result)]);
        pairs.filter(|(a, b)| a != b).all(|(a, b)| !vocabulary.common_parts(&difference(*a, *b)).is_empty())
    }

    /// The instance whose conclusion is that the value of application `i` is at most that of `j`.
    fn instance(&self, i: usize, j: usize, vocabulary: &mut Vocabulary) -> Option<Lemma> {
        let (one, other) = (&self.congruence.all[i], &self.congruence.all[j]);
        let mut clause = Vec::new();
        for (&a, &b) in one.arguments.iter().zip(&other.arguments) {
            if a != b {
                clause.push(!at_most(a, b, vocabulary)?);
                clause.push(!at_most(b, a, vocabulary)?);
            }
        }
        clause.push(at_most(one.result, other.result, vocabulary)?);
        Some(Lemma { clause, certificate: Certificate::Congruence(one.result, other.result) })
    }
}

fn difference(a: NumVar, b: NumVar) -> Linear {
    Linear::new([(a, Int::ONE), (b, Int::MINUS_ONE)], Int::ZERO)
}

/// The literal that says `a ≤ b`; the variables are distinct.
fn at_most(a: NumVar, b: NumVar, vocabulary: &mut Vocabulary) -> Option<Lit> {
    let Literal::Lit(lit) = vocabulary.less_eq(&difference(a, b)) else { return None };
    vocabulary.place(lit.var());
    Some(lit)
}
