//! The data structures by name.

use crate::domain::NumPredDom;
use crate::numbers::Numbers;
use crate::{Full, Mtndd, Ndd, Nex, NexPoint, Vocabulary};

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
        let numbers = Numbers::for_variables(vocabulary.numeric().len());
        Ok(match self {
            Structure::Numbers | Structure::Predicates | Structure::NexPoint => then.with(NexPoint::new(vocabulary, numbers)),
            Structure::Nex => then.with(Nex::new(vocabulary, numbers)),
            Structure::Mtndd => then.with(Mtndd::new(vocabulary, numbers)?),
            Structure::Ndd => then.with(Ndd::new(vocabulary, numbers)?),
        })
    }
}
