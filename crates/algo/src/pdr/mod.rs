//! Property-directed reachability on bits: clauses that hold of the states that so many blocks reach, until they hold of all.
//!
//! **Problem.** State machines, protocols and schedulers have invariants that say which combinations of a few small variables do not occur: no bounds, no linear relations, and
//! too many for predicates that are found one by one.
//!
//! **Picture.** For each cut point and each level k there is a frame: clauses over bits of the variables that hold of all states that k blocks reach. A state from which the last frame reaches an
//! error is an obligation: either a state of the frame before leads to it, which is the next obligation, or it is excluded, and so are all states that share the few bits that mattered
//! ([`Search::generalised`]). Clauses that hold one block further move on; when a level has none left, the next one is an invariant. Obligations that go back to the entry are a path to the error.
//!
//! Blocks are functions of states and inputs, so each is a circuit ([`place`]), and a state that reaches a goal is *lifted* to the bits that matter by one more question. The entry is a cut point
//! without predecessors where every state is possible: there are no initial states to exclude by accident.
//!
//! **Limits.** States are machine integers and truth values. What memories and floats hold at a cut point is not followed: they are inputs of the block, so that a program may have them, but a
//! proof may not depend on them.
//!
//! **Source.** Bradley, *SAT-Based Model Checking without Unrolling*, VMCAI 2011; Eén, Mishchenko, Brayton, *Efficient Implementation of Property Directed Reachability*, FMCAD 2011; one frame for
//! each location as in Lange, Neuhäußer, Noll, *IC3 Software Model Checking on Control Flow Automata*, FMCAD 2015.

mod cube;
mod place;
mod predicates;
mod thin;

use crate::realise::realise;
use crate::system::{Step, System};
use cube::{covers, Cube, Layout, StateBit};
use place::{Goal, Place, Reach};
use plumb_cfa::unwind::Orders;
use plumb_cfa::{Point, Program};
use plumb_term::{Budget, Scalar, Term, VarId, VarTy};
use plumb_transform::interval;
use plumb_verdict::{Method, Notes, Proof, Reason, ReasonKind, Verdict};
use predicates::predicates;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// The entry.
const ENTRY: usize = 0;

/// Why the search ends without an answer.
enum Stop {
    Time,
    Reason(Reason),
}

impl Stop {
    fn internal(why: &str) -> Stop {
        Stop::Reason(Reason::new(ReasonKind::Internal(why.into())))
    }
}

impl From<Reason> for Stop {
    fn from(r: Reason) -> Stop {
        Stop::Reason(r)
    }
}

/// States from which an error is reached, to be excluded at a level.
struct Obligation {
    cut: usize,
    cube: Cube,
    /// The block that leads on.
    step: Step,
    /// The obligation that it leads to; none behind the last one.
    next: Option<usize>,
}

/// A search.
struct Search<'p> {
    budget: &'p Budget,
    system: System,
    layouts: Vec<Layout>,
    places: Vec<Place>,
    /// The blocks into each cut point: where they start, and which of the ways there they are.
    into: Vec<Vec<(usize, usize)>>,
    /// By cut point and level: what is excluded there and at the levels before.
    excluded: Vec<Vec<Vec<Cube>>>,
    /// By cut point and variable: how many clauses have spoken of it.
    use_of: Vec<Vec<usize>>,
    top: usize,
    questions: usize,
}

/// Searches for an inductive invariant or a path to the error.
pub fn run(program: &Program, budget: &Budget, progress: &mut dyn FnMut(&str), notes: &mut Notes) -> Verdict {
    let orders = Orders::new(program);
    progress("interval analysis");
    let facts: BTreeMap<Point, Vec<Term>> = interval::analyse(program, &orders, &budget.part(8)).unwrap_or_default();
    let mut search = match Search::new(program, &orders, &facts, budget) {
        Ok(search) => search,
        Err(stop) => return unknown(stop),
    };
    let found = search.search(progress);
    notes.figure("levels", search.top);
    let clauses = match &found {
        Ok(Found::Invariant(clauses)) => clauses.iter().map(Vec::len).sum(),
        _ => search.excluded.iter().flatten().map(Vec::len).sum::<usize>(),
    };
    notes.figure("clauses", clauses);
    notes.figure("questions", search.questions);
    match found {
        Ok(Found::Path(path)) => match realise(program, &orders, &search.system, path, budget) {
            Ok(Some(verdict)) => verdict,
            Ok(None) => Verdict::Unknown(search.without(program)),
            Err(r) => Verdict::Unknown(r),
        },
        Ok(Found::Invariant(clauses)) => {
            let fact = |p: &Point| facts.get(p).map_or_else(Term::tt, |ts| Term::all(ts.iter().copied()));
            let holds = |(layout, cubes): (&Layout, Vec<Cube>)| Term::all(cubes.iter().map(|c| layout.term(c).not()));
            let points = search.system.cuts.iter().map(|c| &c.point);
            let frames = search.layouts.iter().zip(clauses).map(holds);
            let invariants = points.zip(frames).map(|(p, t)| (p.clone(), t.and(fact(p)))).collect();
            Verdict::Safe(Proof { method: Method::Inductive, invariants })
        }
        Err(stop) => unknown(stop),
    }
}

fn unknown(stop: Stop) -> Verdict {
    Verdict::Unknown(match stop {
        Stop::Time => Reason::new(ReasonKind::Time),
        Stop::Reason(r) => r,
    })
}

/// How a search ends.
enum Found {
    /// The blocks of a path to the error.
    Path(Vec<Step>),
    /// By cut point, what is excluded always.
    Invariant(Vec<Vec<Cube>>),
}

impl<'p> Search<'p> {
    fn new(program: &Program, orders: &Orders<'_>, facts: &BTreeMap<Point, Vec<Term>>, budget: &'p Budget) -> Result<Search<'p>, Stop> {
        let system = System::new(program, orders, facts, budget)?;
        let compared = predicates(&system);
        let layouts: Vec<Layout> = system.cuts.iter().map(|c| Layout::new(program, &c.needed, &compared)).collect();
        let mut places = Vec::new();
        let mut into = vec![Vec::new(); system.cuts.len()];
        for c in 0..system.cuts.len() {
            let place = Place::new(c, &system, &layouts, budget)?;
            place.ways.iter().enumerate().for_each(|(i, w)| into[w.to].push((c, i)));
            places.push(place);
        }
        let excluded = vec![Vec::new(); system.cuts.len()];
        let use_of = layouts.iter().map(|l| vec![0; l.parts.len()]).collect();
        let mut search = Search { budget, system, layouts, places, into, excluded, use_of, top: 0, questions: 0 };
        search.grow();
        Ok(search)
    }

    /// The frames of one more level, of which nothing is known.
    fn grow(&mut self) {
        for (c, place) in self.places.iter_mut().enumerate() {
            self.excluded[c].push(Vec::new());
            if c != ENTRY {
                place.grow();
            }
        }
    }

    fn search(&mut self, progress: &mut dyn FnMut(&str)) -> Result<Found, Stop> {
        // Level 0: no block was executed.
        if let Some(obligation) = self.bad(0)? {
            return Ok(Found::Path(vec![obligation.step]));
        }
        loop {
            self.top += 1;
            self.grow();
            progress(&format!("level {}", self.top));
            while let Some(obligation) = self.bad(self.top)? {
                if let Some(path) = self.discharge(obligation)? {
                    return Ok(Found::Path(path));
                }
            }
            if let Some(level) = self.propagate()? {
                return Ok(Found::Invariant(self.thinned(level)?));
            }
        }
    }

    fn ask(&mut self, place: usize, goal: Goal<'_>, level: usize, outside: Option<&[StateBit]>) -> Result<Reach, Stop> {
        self.questions += 1;
        if self.budget.is_over() {
            return Err(Stop::Time);
        }
        self.places[place].ask(goal, level, outside, self.budget)
    }

    /// Why a path that was found cannot be executed.
    fn without(&self, program: &Program) -> Reason {
        let is_open = |v: &VarId| !matches!(program.var(*v).ty, VarTy::Bool | VarTy::Scalar(Scalar::Int(_)));
        match self.system.cuts.iter().flat_map(|c| &c.needed).find(|v| is_open(v)) {
            Some(v) => Reason::new(ReasonKind::Incomplete(format!(
                "a proof depends on what `{}` holds, which is not followed",
                program.var(*v).name
            ))),
            None => Reason::new(ReasonKind::Internal("a path of states could not be executed".into())),
        }
    }

    /// States of a level from which a block leads to an error.
    fn bad(&mut self, level: usize) -> Result<Option<Obligation>, Stop> {
        for cut in 0..self.places.len() {
            if cut != ENTRY && level == 0 {
                continue;
            }
            for i in 0..self.places[cut].errors.len() {
                if let Reach::From(cube) = self.ask(cut, Goal::Error(i), level, None)? {
                    let step = self.places[cut].errors[i].0;
                    return Ok(Some(Obligation { cut, cube, step, next: None }));
                }
            }
        }
        Ok(None)
    }

    /// Excludes an obligation and all that lead to it, or finds that they are reached.
    fn discharge(&mut self, first: Obligation) -> Result<Option<Vec<Step>>, Stop> {
        let mut all = vec![first];
        let mut queue = BinaryHeap::from([Reverse((self.top, 0))]);
        while let Some(Reverse((level, i))) = queue.pop() {
            let (cut, cube) = (all[i].cut, all[i].cube.clone());
            if cut == ENTRY {
                let steps = std::iter::successors(Some(i), |i| all[*i].next).map(|i| all[i].step);
                return Ok(Some(steps.collect()));
            }
            let mut level = level;
            // Another clause may exclude it already.
            while level <= self.top && self.excluded[cut][level..].iter().flatten().any(|c| covers(c, &cube)) {
                level += 1;
            }
            if level > self.top {
                continue;
            }
            match self.predecessor(cut, &cube, level)? {
                Origin::Reached(from, step, states) => {
                    all.push(Obligation { cut: from, cube: states, step, next: Some(i) });
                    queue.push(Reverse((level - 1, all.len() - 1)));
                    queue.push(Reverse((level, i)));
                }
                Origin::None(core) => {
                    let mut clause = self.generalised(cut, core, level)?;
                    let mut holds = level;
                    while holds < self.top {
                        let Origin::None(core) = self.predecessor(cut, &clause, holds + 1)? else { break };
                        clause = core;
                        holds += 1;
                    }
                    self.exclude(cut, clause, holds);
                    if holds < self.top {
                        queue.push(Reverse((holds + 1, i)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Whether a state of the level before, outside of the cube, leads into the cube.
    fn predecessor(&mut self, cut: usize, cube: &[StateBit], level: usize) -> Result<Origin, Stop> {
        let mut needed: Vec<StateBit> = Vec::new();
        for k in 0..self.into[cut].len() {
            let (from, way) = self.into[cut][k];
            if from != ENTRY && level == 1 {
                continue;
            }
            let outside = (from == cut).then_some(cube);
            match self.ask(from, Goal::Cube(way, cube), level - 1, outside)? {
                Reach::From(states) => return Ok(Origin::Reached(from, Step::Block(self.places[from].ways[way].transition), states)),
                Reach::Never(core) => needed.extend(core),
            }
        }
        needed.sort_unstable();
        needed.dedup();
        Ok(Origin::None(needed))
    }

    /// A larger cube that the level before does not lead into: bits are left out, whole variables first, and those first that clauses seldom speak of.
    fn generalised(&mut self, cut: usize, mut cube: Cube, level: usize) -> Result<Cube, Stop> {
        let mut parts: Vec<(usize, usize)> = self.use_of[cut].iter().copied().zip(0..).collect();
        parts.sort_unstable();
        for (_, part) in parts {
            let part = self.layouts[cut].parts[part];
            let own = part.of(&cube).to_vec();
            if own.is_empty() || self.shrunk(cut, &mut cube, &own, level)? || own.len() == 1 {
                continue;
            }
            for bit in own {
                if cube.contains(&bit) {
                    self.shrunk(cut, &mut cube, &[bit], level)?;
                }
            }
        }
        Ok(cube)
    }

    /// Leaves bits out of a cube, if the level before does not lead into what it is then.
    fn shrunk(&mut self, cut: usize, cube: &mut Cube, bits: &[StateBit], level: usize) -> Result<bool, Stop> {
        let without: Cube = cube.iter().filter(|b| !bits.contains(b)).copied().collect();
        let Origin::None(core) = self.predecessor(cut, &without, level)? else { return Ok(false) };
        *cube = core;
        Ok(true)
    }

    /// No state of a cube is reached within `level` blocks.
    fn exclude(&mut self, cut: usize, cube: Cube, level: usize) {
        for weaker in &mut self.excluded[cut][..=level] {
            weaker.retain(|c| !covers(&cube, c));
        }
        for (part, uses) in self.layouts[cut].parts.iter().zip(&mut self.use_of[cut]) {
            *uses += usize::from(!part.of(&cube).is_empty());
        }
        self.places[cut].exclude(&cube, level);
        self.excluded[cut][level].push(cube);
    }

    /// Moves on what holds one block further; the level whose frames are inductive, if there is one.
    fn propagate(&mut self) -> Result<Option<usize>, Stop> {
        for level in 1..self.top {
            for cut in 0..self.places.len() {
                for cube in self.excluded[cut][level].clone() {
                    // Another one that moved on may have replaced it.
                    if !self.excluded[cut][level].contains(&cube) {
                        continue;
                    }
                    if let Origin::None(core) = self.predecessor(cut, &cube, level + 1)? {
                        self.exclude(cut, core, level + 1);
                    }
                }
            }
            if self.excluded.iter().all(|e| e[level].is_empty()) {
                return Ok(Some(level + 1));
            }
        }
        Ok(None)
    }
}

/// Where states come from.
enum Origin {
    /// From the states of a cube at a cut point, by a block.
    Reached(usize, Step, Cube),
    /// From nowhere; nor do any states with these bits.
    None(Cube),
}
