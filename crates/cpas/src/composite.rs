//! The analyses that `plumb analyze` knows, as one composite in which each can be switched off.
//!
//! **To add an analysis**, add its folder and one line to the table below; see `docs/writing-an-analysis.md`.

use crate::configs::HEAP_DEPTH;
use crate::heap::ExplicitHeap;
use crate::interval::Intervals;
use crate::numeric::Numeric;
use crate::reachdef::ReachingDefinitions;
use crate::sign::SignAnalysis;
use crate::value::{Tracked, Values};
use plumb_cpa::{Flow, Product, Separate};
use plumb_num::{Octagons, Polyhedra, Zones};

/// An analysis that can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// What `--cpa` takes.
    pub name: &'static str,
    /// One line for users.
    pub summary: &'static str,
}

macro_rules! product_of {
    ($a:ty) => { Option<$a> };
    ($a:ty, $($rest:ty),+) => { Product<Option<$a>, product_of!($($rest),+)> };
}

macro_rules! nested {
    ($make:ident; $a:expr) => { $a };
    ($make:ident; $a:expr, $($rest:expr),+) => { $make($a, nested!($make; $($rest),+)) };
}

fn pair<A, B>(a: A, b: B) -> (A, B) {
    (a, b)
}

fn product<A, B>(a: A, b: B) -> Product<A, B> {
    Product::new(a, b)
}

/// `name: Type = constructor, precision, "summary";` for each analysis.
macro_rules! composite {
    ($flow:ident, $life:lifetime; $($name:literal: $ty:ty = $new:expr, $prec:expr, $summary:literal;)+) => {
        /// The composite of all forward analyses.
        pub type Composite<$life> = product_of!($($ty),+);

        /// The forward analyses, in the order of their reports.
        pub const FORWARD: &[Entry] = &[$(Entry { name: $name, summary: $summary }),+];

        /// The composite with the named analyses switched on.
        pub fn composite<$life>($flow: &$life Flow<$life>, names: &[&str]) -> Composite<$life> {
            nested!(product; $(names.contains(&$name).then(|| $new)),+)
        }

        /// Its precision: everything is followed.
        pub fn precision<$life>() -> <Composite<$life> as plumb_cpa::Cpa>::Prec {
            nested!(pair; $($prec),+)
        }
    };
}

composite! { flow, 'a;
    "value": Values<'a> = Values::new(flow.program()), Tracked::All, "constants, joined where branches meet";
    "value-sep": Separate<Values<'a>> = Separate(Values::new(flow.program())), Tracked::All, "explicit values, never joined: precise, and without end on unbounded loops";
    "interval": Intervals<'a> = Intervals::new(flow.program()), (), "bounds of integers";
    "sign": SignAnalysis<'a> = SignAnalysis(flow.program()), (), "signs of integers";
    "reachdef": ReachingDefinitions<'a> = ReachingDefinitions::new(flow), (), "reaching definitions: the lines that may have assigned a variable last";
    "heap": ExplicitHeap<'a> = ExplicitHeap::new(flow.program(), HEAP_DEPTH), (), "explicit heaps: small structures built with malloc, never joined";
    "zone": Numeric<'a, Zones> = Numeric::new(flow.program(), "zone", Zones), (), "bounds of differences of two variables";
    "octagon": Numeric<'a, Octagons> = Numeric::new(flow.program(), "octagon", Octagons), (), "bounds of sums and differences of two variables";
    "polyhedra": Numeric<'a, Polyhedra> = Numeric::new(flow.program(), "polyhedra", Polyhedra::default()), (), "linear inequalities";
}
