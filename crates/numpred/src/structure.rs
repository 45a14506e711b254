//! The data structures by name, and the numeric domain that a number of variables allows.

use crate::domain::NumPredDom;
use crate::{Full, Mtndd, Ndd, Nex, NexPoint, Vocabulary};
use plumb_num::{Boxes, NumDomain, Octagons, Polyhedra};

/// Up to so many numeric variables there are polyhedra, beyond octagons.
const FOR_POLYHEDRA: usize = 12;
/// Up to so many there are octagons, beyond intervals.
const FOR_OCTAGONS: usize = 40;

/// A data structure of the domain, or one half of it alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Structure {
    /// Numbers alone.
    Numbers,
    /// Predicates alone.
    Predicates,
    /// NEXPOINT.
    NexPoint,
    /// NEX.
    Nex,
    /// MTNDD.
    Mtndd,
    /// NDD.
    Ndd,
}

/// What is to be done with a domain, whichever it is.
pub trait WithDomain {
    /// What comes of it.
    type Out;

    /// Does it.
    fn with<D: NumPredDom + 'static>(self, domain: D) -> Self::Out;
}

impl Structure {
    /// Whether numbers are followed.
    pub fn numbers(self) -> bool {
        self != Structure::Predicates
    }

    /// Whether predicates are.
    pub fn predicates(self) -> bool {
        self != Structure::Numbers
    }

    /// The paper's name.
    pub fn name(self) -> &'static str {
        match self {
            Structure::Numbers => "numeric",
            Structure::Predicates => "predicate",
            Structure::NexPoint => "NEXPOINT",
            Structure::Nex => "NEX",
            Structure::Mtndd => "MTNDD",
            Structure::Ndd => "NDD",
        }
    }

    /// Makes the domain of a vocabulary, over the numeric domain that the number of its variables allows.
    pub fn make<W: WithDomain>(self, vocabulary: Vocabulary, then: W) -> Result<W::Out, Full> {
        match vocabulary.numeric().len() {
            n if n <= FOR_POLYHEDRA => self.over(vocabulary, Polyhedra::default(), then),
            n if n <= FOR_OCTAGONS => self.over(vocabulary, Octagons, then),
            _ => self.over(vocabulary, Boxes, then),
        }
    }

    fn over<N: NumDomain + Clone + 'static, W: WithDomain>(self, vocabulary: Vocabulary, domain: N, then: W) -> Result<W::Out, Full> {
        Ok(match self {
            Structure::Numbers | Structure::Predicates | Structure::NexPoint => then.with(NexPoint::new(vocabulary, domain)),
            Structure::Nex => then.with(Nex::new(vocabulary, domain)),
            Structure::Mtndd => then.with(Mtndd::new(vocabulary, domain)?),
            Structure::Ndd => then.with(Ndd::new(vocabulary, domain)?),
        })
    }
}
