//! Control-flow automata: what a C program means to plumb.
//!
//! A [`Program`] is a set of [`Function`]s; each is a [`Graph`] of locations joined by edges that carry one [`Op`]. Expressions
//! are the pure, total terms of `plumb-term`: the front end has made evaluation order, short-circuit, promotions and
//! conversions explicit, and has put a [`Op::Guard`] before everything that C leaves undefined.
//!
//! * **Variables** hold scalars. An object whose address is taken, and every aggregate, lives in memory.
//! * **Memory** is flat: pointers are unsigned integers. Objects with static storage, and automatic objects of functions
//!   that are not recursive, have fixed addresses ([`Object`]); all others come from [`Op::Alloc`], which takes addresses from
//!   the counter [`Program::heap_top`] and never reuses one. So the machine is deterministic up to its inputs.
//! * **Regions** partition the memory: no access through one region ever touches an object of another (found by a points-to
//!   analysis, checked by the interpreter at run time). Each region is a variable of memory sort.
//! * **Inputs** are the only nondeterminism: [`Op::Havoc`] and [`Op::HavocMem`].

pub mod callgraph;
pub mod cells;
pub mod choice;
pub mod chunks;
pub mod dominators;
pub mod dot;
pub mod effect;
pub mod graph;
pub mod interp;
pub mod layout;
pub mod liveness;
pub mod loops;
pub mod op;
pub mod point;
pub mod program;
pub mod store;
pub mod text;
pub mod unwind;
pub mod validate;
pub mod wto;

pub use effect::{Effect, Input};
pub use graph::{Edge, EdgeId, Graph, Loc, LocInfo};
pub use layout::Layout;
pub use op::{InputSource, Op, Storage, Ub};
pub use point::{CallSite, Point};
pub use program::{
    DataModel, Extern, FuncId, Function, Integers, Object, ObjectId, Program, Region, RegionId, Semantics, SignedOverflow, VarInfo, VarKind,
};
