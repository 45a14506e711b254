//! A cut point with the circuits of the blocks that start there, and the lemmas that are known of its states, by level.

use super::cube::{Cube, Layout, StateBit};
use super::Stop;
use crate::system::{CutId, Step, System};
use plumb_smt::{Bit, Session, Unencodable};
use plumb_term::visit::Rewriter;
use plumb_term::{Budget, Term, Var, VarId};
use plumb_verdict::{Reason, ReasonKind};
use rustc_hash::FxHashMap;

/// A block to another cut point.
pub(super) struct Way {
    /// An index of [`System::transitions`].
    pub(super) transition: usize,
    pub(super) to: usize,
    condition: Bit,
    /// The bits of the state at its end, as the layout there numbers them.
    values: Vec<Bit>,
}

/// A cut point.
pub(super) struct Place {
    session: Session,
    /// The bits of its state.
    state: Vec<Bit>,
    /// What else the blocks depend on.
    inputs: Vec<Bit>,
    pub(super) ways: Vec<Way>,
    /// The blocks that end badly.
    pub(super) errors: Vec<(Step, Bit)>,
    /// What switches on the lemmas of a level; none at the entry, where every state is possible.
    levels: Vec<Bit>,
}

/// What a state leads to.
#[derive(Clone, Copy)]
pub(super) enum Goal<'c> {
    /// An error, by its number among those of the place.
    Error(usize),
    /// A state of a cube, by a way of the place.
    Cube(usize, &'c [StateBit]),
}

/// The answer to whether a goal is reached.
pub(super) enum Reach {
    /// From all states of this cube, with the same inputs.
    From(Cube),
    /// Not even a state with these bits is.
    Never(Cube),
}

/// What it takes that a goal is not reached.
pub(super) enum Reliance {
    /// These clauses, by number.
    On(Vec<usize>),
    /// All of them do not suffice.
    Nothing,
}

fn unbuilt(why: Option<Unencodable>) -> Stop {
    match why {
        None => Stop::Time,
        Some(why) => Stop::Reason(Reason::new(ReasonKind::Incomplete(format!("no circuit for {why}")))),
    }
}

impl Place {
    /// The place of a cut point, without levels.
    pub(super) fn new(cut: usize, system: &System, layouts: &[Layout], budget: &Budget) -> Result<Place, Stop> {
        let mut session = Session::new();
        let mut state = Vec::new();
        for p in &layouts[cut].parts {
            state.append(&mut session.bits(p.term, p.ty, budget).map_err(unbuilt)?);
        }
        let mut ways = Vec::new();
        for (i, t) in system.transitions.iter().enumerate().filter(|(_, t)| t.from.0 == cut && !t.condition.is_false()) {
            let condition = session.truth(t.condition, budget).map_err(unbuilt)?;
            let mut values = Vec::new();
            let end: FxHashMap<VarId, Term> = system.cuts[t.to.0].needed.iter().copied().zip(t.values.iter().copied()).collect();
            let mut at_end = Rewriter::new();
            for p in &layouts[t.to.0].parts {
                let value = at_end.rewrite(p.term, &mut |n| end.get(&n.as_var()?.id).copied());
                values.append(&mut session.bits(value, p.ty, budget).map_err(unbuilt)?);
            }
            ways.push(Way { transition: i, to: t.to.0, condition, values });
        }
        let errors = system.errors.iter().enumerate().map(|(i, (c, t))| (*c, Step::Error(i), *t));
        let unsupported = system.unsupported.iter().enumerate().map(|(i, u)| (u.0, Step::Unsupported(i), u.1));
        let mut bad = Vec::new();
        for (_, step, t) in errors.chain(unsupported).filter(|e| e.0 == CutId(cut)) {
            bad.push((step, session.truth(t, budget).map_err(unbuilt)?));
        }
        let own = |v: &Option<Var>| v.is_some_and(|v| layouts[cut].parts.iter().any(|p| p.term == Term::var(v)));
        let inputs = session.leaves().into_iter().filter(|(v, _)| !own(v)).flat_map(|l| l.1).collect();
        Ok(Place { session, state, inputs, ways, errors: bad, levels: Vec::new() })
    }

    /// One more level.
    pub(super) fn grow(&mut self) {
        self.levels.push(self.session.fresh());
    }

    /// No state of a cube is reached within `level` blocks.
    pub(super) fn exclude(&mut self, cube: &[StateBit], level: usize) {
        self.exclude_if(self.levels[level], cube);
    }

    /// No state of a cube is reached, while the bit is assumed.
    pub(super) fn switched(&mut self, cube: &[StateBit]) -> Bit {
        let switch = self.session.fresh();
        self.exclude_if(switch, cube);
        switch
    }

    fn exclude_if(&mut self, switch: Bit, cube: &[StateBit]) {
        let clause: Vec<Bit> = cube.iter().map(|b| !self.bit(b)).chain([!switch]).collect();
        self.session.clause(&clause);
    }

    /// Which clauses with these switches are needed so that a goal is not reached.
    pub(super) fn relies(&mut self, goal: Goal<'_>, switches: &[Bit], budget: &Budget) -> Result<Reliance, Stop> {
        let assumed: Vec<Bit> = switches.iter().copied().chain(self.wanted(goal)).collect();
        match self.session.ask(&assumed, budget) {
            None => Err(Stop::Time),
            Some(true) => Ok(Reliance::Nothing),
            Some(false) => Ok(Reliance::On((0..switches.len()).filter(|i| self.session.failed(switches[*i])).collect())),
        }
    }

    fn bit(&self, b: &StateBit) -> Bit {
        self.state[b.number as usize].being(b.value)
    }

    /// Whether a goal is reached from a state that satisfies the lemmas from `level` on, and is not in the cube `outside`.
    pub(super) fn ask(&mut self, goal: Goal<'_>, level: usize, outside: Option<&[StateBit]>, budget: &Budget) -> Result<Reach, Stop> {
        let mut assumed: Vec<Bit> = self.levels.get(level..).unwrap_or_default().to_vec();
        let temporary = outside.map(|cube| self.switched(cube));
        assumed.extend(temporary);
        let wanted = self.wanted(goal);
        assumed.extend(&wanted);
        let reach = match self.session.ask(&assumed, budget) {
            None => return Err(Stop::Time),
            Some(true) => {
                let of = |bits: &[Bit]| -> Vec<bool> { bits.iter().map(|b| self.session.value(*b)).collect() };
                let (state, inputs) = (of(&self.state), of(&self.inputs));
                Reach::From(self.lifted(&wanted, &state, &inputs, budget)?)
            }
            Some(false) => Reach::Never(match goal {
                Goal::Error(_) => Cube::new(),
                Goal::Cube(way, cube) => {
                    let values = &self.ways[way].values;
                    cube.iter().filter(|b| self.session.failed(values[b.number as usize].being(b.value))).copied().collect()
                }
            }),
        };
        if let Some(switch) = temporary {
            self.session.clause(&[!switch]);
        }
        Ok(reach)
    }

    fn wanted(&self, goal: Goal<'_>) -> Vec<Bit> {
        match goal {
            Goal::Error(i) => vec![self.errors[i].1],
            Goal::Cube(way, cube) => {
                let way = &self.ways[way];
                // Predicates first: what comes first is needed rather than what follows from it.
                [way.condition].into_iter().chain(cube.iter().rev().map(|b| way.values[b.number as usize].being(b.value))).collect()
            }
        }
    }

    /// The bits of a state that suffice, with these inputs, to reach what is wanted: a block is a function, so the state and the inputs contradict its contrary.
    fn lifted(&mut self, wanted: &[Bit], state: &[bool], inputs: &[bool], budget: &Budget) -> Result<Cube, Stop> {
        let switch = self.session.fresh();
        let contrary: Vec<Bit> = wanted.iter().map(|b| !*b).chain([!switch]).collect();
        self.session.clause(&contrary);
        let own: Vec<Bit> = self.state.iter().zip(state).map(|(b, v)| b.being(*v)).collect();
        let given = self.inputs.iter().zip(inputs).map(|(b, v)| b.being(*v));
        let assumed: Vec<Bit> = [switch].into_iter().chain(given).chain(own.iter().rev().copied()).collect();
        let answer = self.session.ask(&assumed, budget);
        let needed = |(i, b): (usize, &Bit)| -> Option<StateBit> {
            (answer != Some(false) || self.session.failed(*b)).then_some(StateBit { number: i as u32, value: state[i] })
        };
        let cube = own.iter().enumerate().filter_map(needed).collect();
        self.session.clause(&[!switch]);
        if answer.is_none() {
            return Err(Stop::Time);
        }
        Ok(cube)
    }
}
