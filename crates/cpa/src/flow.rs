//! The program as a graph of steps, with calls and returns, forward or backward.
//!
//! A [`Step`] is what the chapter calls a control-flow edge *g*. An edge of the automaton that calls gives two: one into the callee and one
//! back. Each step has a logical reading, an [`Effect`]: a condition, and new values for some variables in terms of the old ones and of
//! inputs; also for calls (parameters take the arguments) and returns (the target takes the result). An analysis that treats
//! effects treats everything.
//!
//! In a *backward* flow the ends of every step are exchanged: `from` is where the edge ends. The effect is always the forward reading.
//!
//! **Recursion.** Variables of a recursive function exist once per activation, states know one. So a return forgets the locals of the callee and of
//! the caller if they are recursive: they take inputs.

use plumb_cfa::choice::not_preempted;
use plumb_cfa::unwind::Orders;
use plumb_cfa::{CallSite, Effect, FuncId, Input, InputSource, Loc, Op, Program};
use plumb_term::{Span, Term, Var, VarId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A location of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The function.
    pub func: FuncId,
    /// The location in it.
    pub loc: Loc,
}

/// Pending calls, outermost first.
pub type Stack = Arc<[CallSite]>;

/// Which way states move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Direction {
    /// As executions do.
    #[default]
    Forward,
    /// Against them.
    Backward,
}

/// Index of a step in its [`Flow`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StepId(pub u32);

/// What part of an edge a step is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// All of it, within a function.
    Edge,
    /// From the call to the entry of the callee.
    Call,
    /// From the exit of the callee to the location after the call.
    Return,
}

/// How a step changes the stack of calls, in the direction of the flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// It stays in its function.
    Within,
    /// It goes into the function called at the site.
    Enter(CallSite),
    /// It goes back to the function of the site.
    Leave(CallSite),
}

/// A control-flow edge *g*.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its number.
    pub id: StepId,
    /// The function and edge it belongs to; for calls and returns those of the call.
    pub site: CallSite,
    /// What part of the edge.
    pub kind: Kind,
    /// Where it starts, in the direction of the flow.
    pub from: Place,
    /// Where it ends.
    pub to: Place,
    /// Its forward reading.
    pub effect: Effect,
    /// The source construct.
    pub span: Span,
    /// Whether it ends at a cut of a flow whose calls are told apart ([`Flow::is_cut`]).
    pub to_cut: bool,
    direction: Direction,
}

impl Step {
    /// The change of the stack.
    pub fn movement(&self) -> Move {
        match (self.kind, self.direction) {
            (Kind::Edge, _) => Move::Within,
            (Kind::Call, Direction::Forward) | (Kind::Return, Direction::Backward) => Move::Enter(self.site),
            (Kind::Return, Direction::Forward) | (Kind::Call, Direction::Backward) => Move::Leave(self.site),
        }
    }

    /// When it can be taken, in the state before.
    pub fn condition(&self) -> Term {
        self.effect.assume
    }

    /// The new values, all evaluated in the state before.
    pub fn updates(&self) -> &[(VarId, Term)] {
        &self.effect.updates
    }
}

/// The steps of a program.
#[derive(Debug)]
pub struct Flow<'p> {
    program: &'p Program,
    direction: Direction,
    orders: Orders<'p>,
    steps: Vec<Step>,
    /// By function and location; empty for functions that are never called.
    out: Vec<Vec<Vec<StepId>>>,
    /// The functions that can be called, callers first where there is no recursion.
    functions: Vec<FuncId>,
    unsupported: BTreeMap<Place, (String, Span)>,
}

impl<'p> Flow<'p> {
    /// As executions go.
    pub fn forward(program: &'p Program) -> Flow<'p> {
        Flow::new(program, Direction::Forward)
    }

    /// Against executions.
    pub fn backward(program: &'p Program) -> Flow<'p> {
        Flow::new(program, Direction::Backward)
    }

    fn new(program: &'p Program, direction: Direction) -> Flow<'p> {
        let orders = Orders::new(program);
        let mut functions = orders.calls().bottom_up(program.entry);
        functions.reverse();
        let mut flow = Flow {
            program,
            direction,
            orders,
            steps: Vec::new(),
            out: vec![Vec::new(); program.functions.len()],
            functions: functions.clone(),
            unsupported: BTreeMap::new(),
        };
        for f in &functions {
            flow.out[f.0 as usize] = vec![Vec::new(); program.function(*f).graph.num_locs()];
        }
        for f in functions {
            flow.add_function(f);
        }
        flow
    }

    fn add_function(&mut self, func: FuncId) {
        let program = self.program;
        let graph = &program.function(func).graph;
        for (id, edge) in graph.edges() {
            let (from, to) = (Place { func, loc: edge.from }, Place { func, loc: edge.to });
            let site = CallSite { func, edge: id };
            let admitted = not_preempted(graph, id);
            if admitted.is_false() {
                continue;
            }
            match &edge.op {
                Op::Unsupported(what) => {
                    self.unsupported.insert(from, (what.clone(), edge.span));
                }
                Op::Call { func: callee, args, dst } => {
                    let f = program.function(*callee);
                    let updates = f.params.iter().copied().zip(args.iter().copied()).collect();
                    let entry = Place { func: *callee, loc: f.entry };
                    self.add(site, Kind::Call, from, entry, Effect { assume: admitted, updates, inputs: Vec::new() }, edge.span);
                    let exit = Place { func: *callee, loc: f.exit };
                    let effect = self.returned(func, *callee, *dst);
                    self.add(site, Kind::Return, exit, to, effect, edge.span);
                }
                op => {
                    let Some(mut effect) = Effect::of(op, program) else { continue };
                    effect.assume = effect.assume.and(admitted);
                    if !effect.assume.is_false() {
                        self.add(site, Kind::Edge, from, to, effect, edge.span);
                    }
                }
            }
        }
    }

    /// What a return does: the target takes the result; what other activations own is forgotten.
    fn returned(&self, caller: FuncId, callee: FuncId, dst: Option<VarId>) -> Effect {
        let mut effect = Effect { assume: Term::tt(), updates: Vec::new(), inputs: Vec::new() };
        if let (Some(dst), Some(result)) = (dst, self.program.function(callee).result) {
            effect.updates.push((dst, self.program.term(result)));
        }
        let mut forgotten: Vec<VarId> = Vec::new();
        for f in [caller, callee] {
            if self.orders.calls().is_recursive(f) {
                forgotten.extend(self.program.function(f).locals.iter().filter(|v| Some(**v) != dst));
            }
        }
        forgotten.sort_unstable();
        forgotten.dedup();
        for v in forgotten {
            let ty = self.program.var(v).ty;
            let var = Var::new(VarId(VarId::FIRST_AUX.0 + effect.inputs.len() as u32), ty);
            effect.inputs.push(Input { var, source: InputSource::Abstracted(self.program.function(callee).name.clone()) });
            effect.updates.push((v, Term::var(var)));
        }
        effect
    }

    fn add(&mut self, site: CallSite, kind: Kind, from: Place, to: Place, effect: Effect, span: Span) {
        let (from, to) = match self.direction {
            Direction::Forward => (from, to),
            Direction::Backward => (to, from),
        };
        let id = StepId(self.steps.len() as u32);
        let to_cut = self.is_cut(to, true);
        self.steps.push(Step { id, site, kind, from, to, effect, span, to_cut, direction: self.direction });
        self.out[from.func.0 as usize][from.loc.index()].push(id);
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Which way.
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// The weak topological orders of the functions, and the call graph.
    pub fn orders(&self) -> &Orders<'p> {
        &self.orders
    }

    /// All steps.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// A step.
    pub fn step(&self, id: StepId) -> &Step {
        &self.steps[id.0 as usize]
    }

    /// The steps that leave a place.
    pub fn leaving(&self, at: Place) -> &[StepId] {
        self.out[at.func.0 as usize].get(at.loc.index()).map_or(&[], Vec::as_slice)
    }

    /// The functions that can be called from the entry, callers first where there is no recursion.
    pub fn functions(&self) -> &[FuncId] {
        &self.functions
    }

    /// The places of all functions that can be called.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.functions.iter().flat_map(|f| self.program.function(*f).graph.locs().map(|loc| Place { func: *f, loc }))
    }

    /// Where executions start.
    pub fn entry(&self) -> Place {
        Place { func: self.program.entry, loc: self.program.function(self.program.entry).entry }
    }

    /// Whether reaching this place violates the property.
    pub fn is_error(&self, at: Place) -> bool {
        self.program.function(at.func).errors.contains(&at.loc)
    }

    /// Whether every loop through this place has it as its head; each cycle within a function has a head.
    pub fn is_head(&self, at: Place) -> bool {
        self.orders.wto(at.func).headed_by(at.loc).is_some()
    }

    /// Whether chains of states through this place may be infinite: at loop heads, at the entries and exits of functions that are recursive (one may
    /// return to itself again and again), and at all entries where calls are not told apart. Every cycle of steps has such a place.
    pub fn is_cut(&self, at: Place, calls_told_apart: bool) -> bool {
        let function = self.program.function(at.func);
        let recursive = || self.orders.calls().is_recursive(at.func);
        self.is_head(at) || (at.loc == function.entry && (!calls_told_apart || recursive())) || (at.loc == function.exit && recursive())
    }

    /// The construct at this place that has no meaning, if there is one: what executions do from here on is not known.
    pub fn unsupported(&self, at: Place) -> Option<&(String, Span)> {
        self.unsupported.get(&at)
    }
}
