//! The machine: a stack of activations, variables, memory, and the loop that crosses edges.

use super::accelerate::{self, Accelerator, Crossing};
use super::code::{Src, View};
use super::eval::Machine;
use super::inputs::{Ask, Inputs};
use super::memory::{Fill, Kind, Memory, Supply};
use super::outcome::{Halt, Limit, Outcome, Stop, UbKind};
use super::plan::{Action, EdgePlan, FuncPlan};
use super::print::{self, Output, Reader};
use super::record::{Event, Given, Recorder, Write};
use super::value::{Taint, Val};
use super::Limits;
use crate::graph::Loc;
use crate::op::{InputSource, Storage};
use crate::program::{FuncId, Program, RegionId, HEAP_ALIGN};
use plumb_term::eval::Value;
use plumb_term::{Budget, IBig, IntTy, Scalar, Span, VarId, VarTy};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Between two looks at the budget so many edges are crossed.
const LOOK: u64 = 1 << 14;

/// Shorter executions are never accelerated: they are quick, and their record can be shown.
const SHORT: u64 = 1 << 16;

/// An activation of a function.
struct Frame {
    plan: Rc<FuncPlan>,
    loc: Loc,
    /// What takes the result, in the caller.
    dst: Option<VarId>,
    /// The locals of the activation of the same function below, while this one uses them.
    saved: Option<Vec<Val>>,
    /// Objects that die with it, by address.
    objects: Vec<u64>,
}

/// A concrete execution of a program. See [`super`].
pub struct Interpreter<'p> {
    program: &'p Program,
    limits: Limits,
    budget: Budget,
    output: Box<dyn Output>,
    supply: Supply,
    memory: Memory,
    /// The regions whose objects are the environment's.
    lent: BTreeSet<RegionId>,
    vars: Vec<Val>,
    regs: Vec<Val>,
    plans: Vec<Option<Rc<FuncPlan>>>,
    active: Vec<u32>,
    frames: Vec<Frame>,
    steps: u64,
    edges: u64,
    abstracted: bool,
    recorder: Option<Recorder>,
    accelerator: Option<Accelerator>,
    broken: Option<Stop>,
}

/// The memory at the start; one without objects, and why, if that is not possible.
fn memory(program: &Program, lent: &BTreeSet<RegionId>, limits: Limits) -> (Memory, Option<Stop>) {
    match Memory::new(program, lent, limits.memory) {
        Ok(m) => (m, None),
        Err(stop) => (Memory::empty(limits.memory), Some(stop)),
    }
}

/// What a step leads to.
enum Next {
    Stay,
    Enter(Frame),
    End(Outcome),
}

impl<'p> Interpreter<'p> {
    /// The program at its start.
    pub fn new(program: &'p Program, inputs: Box<dyn Inputs>, output: Box<dyn Output>, limits: Limits) -> Interpreter<'p> {
        let supply = Supply { inputs, strict: false, asked: None };
        let lent = program.lent_regions();
        let (memory, broken) = memory(program, &lent, limits);
        Interpreter {
            program,
            limits,
            budget: Budget::unlimited(),
            output,
            supply,
            memory,
            lent,
            vars: vec![Val::Unset; program.vars.len()],
            regs: Vec::new(),
            plans: vec![None; program.functions.len()],
            active: vec![0; program.functions.len()],
            frames: Vec::new(),
            steps: 0,
            edges: 0,
            abstracted: false,
            recorder: None,
            accelerator: None,
            broken,
        }
    }

    /// Reports the use of uninitialised variables and memory as undefined behaviour, instead of taking inputs for them. Copying them is
    /// not a use; deciding a branch, forming an address and printing is.
    #[must_use]
    pub fn strict(mut self) -> Self {
        self.supply.strict = true;
        self.lent = BTreeSet::new();
        (self.memory, self.broken) = memory(self.program, &self.lent, self.limits);
        self
    }

    /// Stops when the budget is over.
    #[must_use]
    pub fn within(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Jumps over iterations of loops that go on in a straight line: the outcome and the number of steps are the same, but a record lacks
    /// what is jumped over.
    #[must_use]
    pub fn accelerated(mut self) -> Self {
        self.accelerator = Some(Accelerator::default());
        self
    }

    /// Records what happens; read it with [`Interpreter::recorder`].
    #[must_use]
    pub fn recording(mut self, recorder: Recorder) -> Self {
        self.recorder = Some(recorder);
        self.supply.asked = Some(Vec::new());
        self
    }

    /// Whether an input was an over-approximation of what the program determines ([`InputSource::Abstracted`]): then the
    /// execution may be none of the C program's.
    pub fn depends_on_abstraction(&self) -> bool {
        self.abstracted
    }

    /// The program at its start again, with other inputs and without a record; what was computed to execute it is kept.
    #[must_use]
    pub fn restarted(mut self, inputs: Box<dyn Inputs>, limits: Limits) -> Self {
        (self.memory, self.broken) = memory(self.program, &self.lent, limits);
        self.supply.inputs = inputs;
        (self.recorder, self.supply.asked) = (None, None);
        self.limits = limits;
        self.vars.fill(Val::Unset);
        self.active.fill(0);
        self.frames.clear();
        (self.steps, self.abstracted) = (0, false);
        if let Some(accelerator) = &mut self.accelerator {
            *accelerator = Accelerator::default();
        }
        self
    }

    /// How many different edges this machine has crossed since it was made, in all its executions.
    pub fn edges_crossed(&self) -> u64 {
        self.edges
    }

    /// How many edges were crossed.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// What was recorded.
    pub fn recorder(&self) -> Option<&Recorder> {
        self.recorder.as_ref()
    }

    /// The memory that the environment has lent so far: addresses and sizes, ascending.
    pub fn lent(&self) -> Vec<(u64, u64)> {
        self.memory.lent()
    }

    /// The value of a scalar variable now; none if it has none.
    pub fn value(&self, var: VarId) -> Option<Value> {
        self.vars.get(var.0 as usize)?.to_value(self.program.var(var).ty)
    }

    /// The byte at an address now; none outside live objects, and for one that is uninitialised.
    pub fn byte(&self, addr: u64) -> Option<u8> {
        self.memory.peek(addr)
    }

    /// Where execution is: the activations, the innermost last.
    pub fn stack(&self) -> impl DoubleEndedIterator<Item = (FuncId, Loc)> + '_ {
        self.frames.iter().map(|f| (f.plan.func, f.loc))
    }

    /// Executes until the end.
    pub fn run(&mut self) -> Outcome {
        let outcome = self.execute();
        if let (Some(recorder), Some(asked)) = (&mut self.recorder, &mut self.supply.asked) {
            recorder.cells.append(asked);
        }
        outcome
    }

    fn execute(&mut self) -> Outcome {
        if let Some(stop) = self.broken.take() {
            return stop.at(Span::NONE);
        }
        match self.activate(self.program.entry, None) {
            Ok(mut frame) => loop {
                match self.run_frame(&mut frame) {
                    Ok(Next::Enter(callee)) => self.frames.push(std::mem::replace(&mut frame, callee)),
                    Ok(Next::Stay) => match self.leave(frame) {
                        Ok(caller) => frame = caller,
                        Err(outcome) => return outcome,
                    },
                    Ok(Next::End(outcome)) => {
                        self.frames.push(frame);
                        return outcome;
                    }
                    Err((stop, span)) => {
                        self.frames.push(frame);
                        return self.named(stop).at(span);
                    }
                }
            },
            Err(stop) => stop.at(Span::NONE),
        }
    }

    /// Crosses edges within one activation until it calls, returns ([`Next::Stay`]) or ends.
    fn run_frame(&mut self, frame: &mut Frame) -> Result<Next, (Stop, Span)> {
        let plan = frame.plan.clone();
        if self.regs.len() < plan.registers as usize {
            self.regs.resize(plan.registers as usize, Val::Unset);
        }
        self.memory.writable_literals = self.frames.is_empty();
        loop {
            let here = &plan.locs[frame.loc.index()];
            if here.is_error {
                return Ok(Next::End(Outcome::Error { func: plan.func, loc: frame.loc }));
            }
            if frame.loc == plan.exit {
                return Ok(Next::Stay);
            }
            if here.is_head && self.steps > SHORT && self.accelerator.is_some() {
                self.jump(plan.func, frame.loc);
            }
            if self.steps >= self.limits.steps {
                return Ok(Next::End(Outcome::LimitReached(Limit::Steps)));
            }
            if self.steps % LOOK == LOOK - 1 && self.budget.is_over() {
                return Ok(Next::End(Outcome::LimitReached(Limit::Budget)));
            }
            let mut crossed = false;
            for edge in &here.out {
                let span = edge.span;
                self.machine(edge).run().map_err(|s| (s, span))?;
                if let Action::Assume(cond) = edge.action {
                    if !self.machine(edge).get(cond).truth().map_err(|s| (s, span))? {
                        continue;
                    }
                }
                let next = self.act(frame, edge).map_err(|s| (s, span))?;
                if let Next::End(_) = next {
                    return Ok(next);
                }
                self.steps += 1;
                if !edge.crossed.replace(true) {
                    self.edges += 1;
                }
                frame.loc = edge.to;
                self.watch(Crossing::Edge(plan.func, edge.id));
                if let Next::Enter(_) = next {
                    return Ok(next);
                }
                crossed = true;
                break;
            }
            if !crossed {
                let span = self.program.function(plan.func).graph.loc(frame.loc).span;
                return Ok(Next::End(Outcome::Halted { halt: Halt::Blocked, span }));
            }
        }
    }

    /// Notes a step of an iteration that is watched.
    fn watch(&mut self, crossing: Crossing) {
        if let Some(accelerator) = &mut self.accelerator {
            if accelerator.is_watching() {
                accelerator.cross(crossing);
            }
        }
    }

    /// Jumps over iterations of the loop whose head is reached, if one was watched and others will do the same.
    fn jump(&mut self, func: FuncId, head: Loc) {
        let depth = self.frames.len();
        let Some(accelerator) = &mut self.accelerator else { return };
        let Some(crossings) = accelerator.arrive(func, head, depth) else { return };
        let left = self.limits.steps.saturating_sub(self.steps);
        let state = |v: VarId| self.value(v);
        let Some(jump) = accelerate::jump(self.program, &crossings, &state, left) else { return };
        for (v, n) in jump.values {
            self.vars[v.0 as usize] = Val::big(n);
        }
        let skipped = jump.iterations.saturating_mul(jump.edges);
        self.steps = self.steps.saturating_add(skipped);
        if let Some(recorder) = &mut self.recorder {
            recorder.skip(skipped);
        }
        if let Some(accelerator) = &mut self.accelerator {
            accelerator.encourage(func, head);
        }
    }

    fn machine<'m>(&'m mut self, edge: &'m EdgePlan) -> Machine<'m> {
        Machine { code: &edge.code, vars: &self.vars, regs: &mut self.regs, memory: &mut self.memory, supply: &mut self.supply }
    }

    fn get<'m>(&'m self, edge: &'m EdgePlan, s: Src) -> &'m Val {
        match s {
            Src::Var(v) => &self.vars[v as usize],
            Src::Reg(r) => &self.regs[r as usize],
            Src::Const(c) => &edge.code.consts[c as usize],
        }
    }

    /// Does what an edge does, its registers being computed.
    fn act(&mut self, frame: &mut Frame, edge: &EdgePlan) -> Result<Next, Stop> {
        let mut writes = self.recorder.is_some().then(Vec::new);
        match &edge.action {
            Action::Skip | Action::Assume(_) => {}
            Action::Guard(cond, ub) => {
                if !self.get(edge, *cond).truth()? {
                    return Err(Stop::Undefined(UbKind::Guard(*ub)));
                }
            }
            Action::Set(var, src) => {
                let v = self.get(edge, *src).clone();
                self.set(*var, v, &mut writes)?;
            }
            Action::Store { region, ty, addr, value } => {
                let (addr, value) = (self.get(edge, *addr).clone(), self.get(edge, *value).clone());
                self.store(*region, *ty, &addr, &value, &mut writes)?;
            }
            Action::Assign { vars, regions } => self.assign(edge, vars, regions, &mut writes)?,
            Action::Havoc { var, ty, source } => {
                let v = self.input(*var, *ty, source, edge.span)?;
                self.set(*var, v, &mut writes)?;
            }
            Action::HavocMem { region, addr, len } => {
                let (addr, len) = (self.get(edge, *addr).clone(), self.get(edge, *len).clone());
                if let Some(object) = self.memory.havoc(*region, &addr, &len, &mut self.supply)? {
                    frame.objects.push(object);
                }
            }
            Action::EndLife(addr) => match self.get(edge, *addr) {
                Val::Int(a) => {
                    if let Ok(a) = u64::try_from(*a) {
                        self.memory.end_life(a);
                        if let Some(i) = frame.objects.iter().rposition(|o| *o == a) {
                            frame.objects.swap_remove(i);
                        }
                    }
                }
                Val::Big(_) => {}
                // The object may never have been made: its scope was entered past its declaration.
                Val::Unset | Val::Poison(_) => {}
                other => return Err(other.misuse()),
            },
            Action::Alloc { dst, size, region, storage, zeroed } => {
                let size = self.get(edge, *size).clone();
                let top = self.vars[self.program.heap_top.0 as usize].clone();
                let kind = if *storage == Storage::Heap { Kind::Heap } else { Kind::Frame };
                let addr = self.memory.allocate(&top, &size, *region, kind, *zeroed)?;
                if kind == Kind::Frame {
                    frame.objects.push(addr);
                }
                let unit = IBig::from(HEAP_ALIGN);
                let rounded = (size.integer()? + IBig::from(2 * HEAP_ALIGN - 1)) / &unit * unit;
                let after = Val::big(top.integer()? + rounded);
                self.set(*dst, top, &mut writes)?;
                self.set(self.program.heap_top, after, &mut None)?;
            }
            Action::Free(addr) => {
                let addr = self.get(edge, *addr).clone();
                self.memory.free(&addr)?;
            }
            Action::Call { func, args, dst } => {
                if self.frames.len() as u64 + 1 >= self.limits.call_depth {
                    return Err(Stop::Limit(Limit::CallDepth));
                }
                let values: Vec<Val> = args.iter().map(|a| self.get(edge, *a).clone()).collect();
                if self.active[func.0 as usize] > 0 {
                    self.accelerator.iter_mut().for_each(Accelerator::forget);
                }
                let callee = self.activate(*func, *dst)?;
                let params = &self.program.function(*func).params;
                for (p, v) in params.iter().zip(values) {
                    self.set(*p, v, &mut writes)?;
                }
                self.record(edge, frame, writes);
                return Ok(Next::Enter(callee));
            }
            Action::Output { name, args, dst } => {
                let args: Vec<(Scalar, Val)> = args.iter().map(|(ty, s)| (*ty, self.get(edge, *s).clone())).collect();
                let mut reader = Reader { memory: &mut self.memory, supply: &mut self.supply };
                let printed = print::call(name, &args, &mut reader, self.program.semantics.model)?;
                if let Some(stream) = printed.stream {
                    self.output.write(stream, &printed.text);
                }
                if let Some(dst) = dst {
                    self.supply.inputs.printed().map_err(Stop::Input)?;
                    let v = match self.program.var(*dst).ty {
                        VarTy::Scalar(Scalar::Int(t)) => Val::big(t.wrap(&IBig::from(printed.result))),
                        _ => Val::Int(printed.result),
                    };
                    self.set(*dst, v, &mut writes)?;
                }
            }
            Action::Halt(status) => {
                self.record(edge, frame, writes);
                let Some(status) = status else {
                    return Ok(Next::End(Outcome::Halted { halt: Halt::Abort, span: edge.span }));
                };
                let status = exit_status(self.get(edge, *status))?;
                return Ok(Next::End(Outcome::Exit(status)));
            }
            Action::Unsupported(sentence) => return Err(Stop::Unsupported(sentence.clone())),
            Action::Broken(sentence) => return Err(Stop::Internal(sentence.clone())),
        }
        self.record(edge, frame, writes);
        Ok(Next::Stay)
    }

    fn record(&mut self, edge: &EdgePlan, frame: &Frame, writes: Option<Vec<Write>>) {
        if let (Some(recorder), Some(writes)) = (&mut self.recorder, writes) {
            recorder.push(self.program, Event { depth: self.frames.len(), func: frame.plan.func, edge: Some(edge.id), writes });
        }
    }

    fn set(&mut self, var: VarId, v: Val, writes: &mut Option<Vec<Write>>) -> Result<(), Stop> {
        let slot = &mut self.vars[var.0 as usize];
        let ty = self.program.vars[var.0 as usize].ty;
        check_range(&v, ty)?;
        if let Some(writes) = writes {
            writes.push(Write::Var(var, v.to_value(ty)));
        }
        *slot = v;
        Ok(())
    }

    fn store(&mut self, region: u32, ty: Scalar, addr: &Val, value: &Val, writes: &mut Option<Vec<Write>>) -> Result<(), Stop> {
        self.memory.store(ty, region, addr, value)?;
        if let (Some(writes), Val::Int(a)) = (writes, addr) {
            writes.push(Write::Memory { addr: *a as u64, ty, value: value.to_value(VarTy::Scalar(ty)) });
        }
        Ok(())
    }

    /// A parallel assignment: all operands first, then memory, then variables.
    fn assign(
        &mut self,
        edge: &EdgePlan,
        vars: &[(VarId, Src)],
        regions: &[(u32, u32)],
        writes: &mut Option<Vec<Write>>,
    ) -> Result<(), Stop> {
        let values: Vec<Val> = vars.iter().map(|(_, s)| self.get(edge, *s).clone()).collect();
        let mut changes = Vec::new();
        for (region, view) in regions {
            self.changes(edge, *region, *view, &mut changes)?;
        }
        for (region, change) in changes {
            match change {
                Change::Zero => self.memory.zero_region(region),
                Change::Store { ty, addr, value } => {
                    let (addr, value) = (self.get(edge, addr).clone(), self.get(edge, value).clone());
                    self.store(region, ty, &addr, &value, writes)?;
                }
                Change::Fill { lo, len, fill } => {
                    let lo = self.get(edge, lo).clone();
                    self.memory.fill(region, &lo, len, &fill)?;
                }
            }
        }
        for ((var, _), v) in vars.iter().zip(values) {
            self.set(*var, v, writes)?;
        }
        Ok(())
    }

    /// What must be written to a region, in order, so that it becomes a view of itself.
    fn changes(&mut self, edge: &EdgePlan, region: u32, mut view: u32, out: &mut Vec<(u32, Change)>) -> Result<(), Stop> {
        let start = out.len();
        loop {
            match &edge.code.views[view as usize] {
                View::Region(r) if *r == region => break,
                View::Region(_) => return Err(Stop::Internal("a region takes the contents of another".to_owned())),
                View::Zero => {
                    out.push((region, Change::Zero));
                    break;
                }
                View::Store { ty, inner, addr, value } => {
                    out.push((region, Change::Store { ty: *ty, addr: *addr, value: *value }));
                    view = *inner;
                }
                View::Splice { mem, src, lo, len } => {
                    let n = match self.get(edge, *len) {
                        Val::Int(n) => u64::try_from((*n).max(0)).map_err(|_| Stop::Undefined(UbKind::OutOfBounds))?,
                        Val::Big(_) => return Err(Stop::Undefined(UbKind::OutOfBounds)),
                        other => return Err(other.misuse()),
                    };
                    if n > 0 {
                        let fill = self.contents(edge, *src, *lo, n)?;
                        out.push((region, Change::Fill { lo: *lo, len: n, fill }));
                    }
                    view = *mem;
                }
                View::Ite(c, x, y) => view = if self.get(edge, *c).truth()? { *x } else { *y },
            }
        }
        out[start..].reverse();
        Ok(())
    }

    /// The bytes of a view in `[lo, lo+n)`.
    fn contents(&mut self, edge: &EdgePlan, view: u32, lo: Src, n: u64) -> Result<Fill, Stop> {
        if let View::Zero = edge.code.views[view as usize] {
            return Ok(Fill::Zero);
        }
        let lo = self.get(edge, lo).integer()?;
        let mut bytes = Vec::new();
        for k in 0..n {
            if k >= self.limits.memory {
                return Err(Stop::Limit(Limit::Memory));
            }
            bytes.push(self.machine(edge).byte(view, &(&lo + IBig::from(k)))?);
        }
        Ok(Fill::Bytes(bytes))
    }

    fn input(&mut self, var: VarId, ty: VarTy, source: &InputSource, span: Span) -> Result<Val, Stop> {
        if self.supply.strict && matches!(source, InputSource::Uninit(_)) {
            self.give(source, span, None);
            return Ok(Val::Poison(Taint::Variable(var.0)));
        }
        self.abstracted |= matches!(source, InputSource::Abstracted(_));
        let value = self.supply.inputs.value(&Ask { ty, source, var, span }).map_err(Stop::Input)?;
        self.give(source, span, Some(&value));
        Val::of_type(value, ty).ok_or_else(|| Stop::Input("an input is not a value of the type that is asked for".to_owned()))
    }

    fn give(&mut self, source: &InputSource, span: Span, value: Option<&Value>) {
        if let Some(recorder) = &mut self.recorder {
            recorder.given.push(Given { source: source.clone(), span, value: value.cloned() });
        }
    }

    /// A new activation.
    fn activate(&mut self, func: FuncId, dst: Option<VarId>) -> Result<Frame, Stop> {
        let index = func.0 as usize;
        let program = self.program;
        let Some(f) = program.functions.get(index) else {
            return Err(Stop::Internal("the program has no entry function".to_owned()));
        };
        let plan = self.plans[index].get_or_insert_with(|| Rc::new(FuncPlan::new(program, func, f))).clone();
        let recursive = self.active[index] > 0;
        let mut fresh = |v: &VarId| std::mem::take(&mut self.vars[v.0 as usize]);
        let saved = recursive.then(|| f.locals.iter().map(&mut fresh).collect());
        if cfg!(debug_assertions) && !recursive {
            // A value of an earlier activation must not be read: nothing says what it is.
            f.locals.iter().for_each(|v| drop(fresh(v)));
        }
        self.active[index] += 1;
        Ok(Frame { plan, loc: f.entry, dst, saved, objects: Vec::new() })
    }

    /// Ends an activation at its exit and goes on in the caller.
    fn leave(&mut self, frame: Frame) -> Result<Frame, Outcome> {
        let func = frame.plan.func;
        let f = self.program.function(func);
        for addr in &frame.objects {
            self.memory.end_life(*addr);
        }
        self.active[func.0 as usize] -= 1;
        let result = f.result.map(|r| self.vars[r.0 as usize].clone());
        if let Some(saved) = frame.saved {
            for (v, old) in f.locals.iter().zip(saved) {
                self.vars[v.0 as usize] = old;
            }
        }
        self.watch(Crossing::Return(func, frame.dst));
        if let Some(accelerator) = &mut self.accelerator {
            accelerator.leave(self.frames.len().saturating_sub(1));
        }
        let Some(caller) = self.frames.pop() else {
            return Err(match result.as_ref().map_or(Ok(0), exit_status) {
                Ok(status) => Outcome::Exit(status),
                Err(stop) => self.named(stop).at(f.graph.loc(f.exit).span),
            });
        };
        if let (Some(dst), Some(v)) = (frame.dst, result) {
            let mut writes = self.recorder.is_some().then(Vec::new);
            let span = f.graph.loc(f.exit).span;
            self.set(dst, v, &mut writes).map_err(|s| s.at(span))?;
            if let (Some(recorder), Some(writes)) = (&mut self.recorder, writes) {
                recorder.push(self.program, Event { depth: self.frames.len(), func: caller.plan.func, edge: None, writes });
            }
        }
        Ok(caller)
    }

    /// Puts the name of a variable where its number stands.
    fn named(&self, stop: Stop) -> Stop {
        match stop {
            Stop::Undefined(UbKind::UninitVariable(number)) => {
                let name = number.parse().ok().and_then(|i: usize| self.program.vars.get(i)).map_or(number, |v| v.name.clone());
                Stop::Undefined(UbKind::UninitVariable(name))
            }
            other => other,
        }
    }
}

/// One write to a region.
enum Change {
    Zero,
    Store { ty: Scalar, addr: Src, value: Src },
    Fill { lo: Src, len: u64, fill: Fill },
}

fn exit_status(v: &Val) -> Result<i32, Stop> {
    match v.bits()? {
        Some(bits) => match IntTy::I32.wrap_i128(bits as i128) {
            Some(v) => Ok(v as i32),
            None => Err(Stop::ill_sorted()),
        },
        None => Err(v.misuse()),
    }
}

/// A value assigned to a variable must lie in its type.
fn check_range(v: &Val, ty: VarTy) -> Result<(), Stop> {
    let fits = match (v, ty) {
        (Val::Int(i), VarTy::Scalar(Scalar::Int(t))) => t.wrap_i128(*i) == Some(*i),
        (Val::Big(b), VarTy::Scalar(Scalar::Int(t))) => t.contains(b),
        (Val::Int(_) | Val::Big(_), VarTy::Int) => true,
        (Val::Int(i), VarTy::Bool) => (0..=1).contains(i),
        (Val::Float(f), VarTy::Scalar(Scalar::Float(t))) => f.ty == t,
        (Val::Poison(_) | Val::Unset, _) => true,
        _ => false,
    };
    if fits {
        Ok(())
    } else {
        Err(Stop::Internal(format!("a value outside of its type {ty:?} is assigned to a variable")))
    }
}
