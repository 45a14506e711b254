//! `plumb check`: the strategy over worker processes, and what is printed at the end.

use crate::args::{Asserted, CheckArgs};
use crate::exit;
use crate::limits;
use crate::message::{share, Message, Observed, Request, Step};
use crate::output;
use crate::pool::{End, Killed, Pool, Worker};
use crate::progress::Progress;
use crate::property::Property;
use crate::task;
use plumb_export::html::{Drawing, Drawings};
use plumb_export::{Answer, Report};
use plumb_verdict::Facts;
use std::time::{Duration, Instant};

/// How often the limits are looked at.
const TICK: Duration = Duration::from_millis(20);
/// What a worker may take beyond its own share before it is killed.
const GRACE: Duration = Duration::from_millis(300);

/// How long the drawing of a page may take.
const DRAWING: Duration = Duration::from_secs(10);

/// One configuration's run that gave no definite answer.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Which.
    pub config: String,
    /// How long it ran.
    pub seconds: f64,
    /// What it says.
    pub report: Report,
    /// Its graph.
    pub dot: Option<String>,
    /// The same for a page.
    pub arg: Option<Drawing>,
}

/// The part of its time after which a configuration counts as cut off; one that ends before has given up, and would do so again.
const CUT_OFF: f64 = 0.75;

/// How many times the time that it had a configuration gets for a proof that the checker did not get to the end of.
const PROLONGED: u32 = 4;

/// What came of it.
#[derive(Debug)]
pub struct Outcome {
    /// The definite answer.
    pub answer: Option<Box<crate::message::Answered>>,
    /// The attempts without one, in order.
    pub attempts: Vec<Attempt>,
    /// The rule that chose the configurations, as a sentence.
    pub rule: Option<String>,
    /// Wall time.
    pub seconds: f64,
    /// CPU time.
    pub cpu_seconds: f64,
}

/// Runs the command; the exit code.
pub fn main(args: &CheckArgs) -> u8 {
    if args.parent.is_some_and(|p| !limits::live_with(p)) {
        return exit::UNKNOWN;
    }
    let asked = match task::read(&args.files, args.property.as_deref()) {
        Ok(t) => t,
        Err(message) => return exit::usage(&message),
    };
    if let Some(name) = &args.config {
        if !plumb_engine::configs().iter().any(|c| c.name == name) {
            return exit::usage(&format!("there is no configuration '{name}'; `plumb configs` lists them"));
        }
    }
    let functions = match &asked.property {
        Property::Default => None,
        Property::Unreachable { functions, .. } => Some(functions.clone()),
        Property::Unsupported(text) => {
            output::unsupported(args, text);
            return exit::UNKNOWN;
        }
    };
    for file in &asked.files {
        if let Err(e) = std::fs::File::open(file) {
            return exit::usage(&format!("{}: {e}", file.display()));
        }
    }
    let properties = match specifications(args, functions, &asked.property) {
        Ok(p) => p,
        Err(message) => return exit::usage(&message),
    };
    let several = properties.len() > 1;
    // The time is shared with the properties that are left.
    let (begin, mut codes) = (Instant::now(), Vec::new());
    let cpu_time = [args.cpu_time.map(Duration::from_secs_f64), limits::inherited_cpu_time()].into_iter().flatten().min();
    for (i, property) in properties.iter().enumerate() {
        let rest = (properties.len() - i) as u32;
        let left = Duration::from_secs_f64(args.time).saturating_sub(begin.elapsed()) / rest;
        let used = limits::cpu_time(None).unwrap_or_default();
        let cpu_left = cpu_time.map(|t| t.saturating_sub(used) / rest);
        let request = Request { time: left, cpu_time: cpu_left, ..request(args, &asked, property) };
        if let Some(name) = &property.name {
            output::between(args, name, i, several);
        }
        let describe = args.report.as_ref().map(|_| Request { describe: true, plan: None, ..request.clone() });
        match Pool::of_this_program().and_then(|pool| run(request, pool)) {
            Ok(outcome) => {
                let drawings = describe.map(drawn).unwrap_or_default();
                codes.push(output::finish(args, &asked, &outcome, &drawings));
            }
            Err(message) => return exit::usage(&message),
        }
    }
    if args.json && several {
        exit::say("]\n");
    }
    // One that is violated counts more than one that is not decided, and that more than those that hold.
    [exit::USAGE, exit::REFUTED, exit::UNKNOWN].into_iter().find(|c| codes.contains(c)).unwrap_or(exit::PROVED)
}

/// One property to check.
struct Wanted {
    /// Its name, if several can be checked at once.
    name: Option<String>,
    error_functions: Option<Vec<String>>,
    specification: String,
    automaton: Option<Observed>,
}

/// What is to be checked: the property, or each automaton or line of `--spec`.
fn specifications(args: &CheckArgs, functions: Option<Vec<String>>, property: &Property) -> Result<Vec<Wanted>, String> {
    let Some(path) = &args.spec else {
        let mut specification = property.specification().to_owned();
        if args.asserted == Some(Asserted::Bounds) {
            specification.push_str("\nand every access to an array of known length is within its bounds");
        }
        return Ok(vec![Wanted { name: None, error_functions: functions, specification, automaton: None }]);
    };
    let file = path.display().to_string();
    let text = std::fs::read(path).map(|b| String::from_utf8_lossy(&b).into_owned()).map_err(|e| format!("{file}: {e}"))?;
    let names = plumb_cpas::automaton::spec::names(&text);
    if names.is_empty() {
        return match Property::parse(&text).map_err(|e| format!("{file}: {e}, and there is no automaton"))? {
            Property::Unreachable { functions, .. } => {
                let one = |f: &String| Wanted {
                    name: Some(format!("unreachable {f}")),
                    error_functions: Some(vec![f.clone()]),
                    specification: crate::property::unreachable(f),
                    automaton: None,
                };
                Ok(functions.iter().map(one).collect())
            }
            other => Err(format!("{file}: the property is not supported: {other}")),
        };
    }
    let one = |(index, name): (usize, String)| Wanted {
        specification: format!("automaton {name} of {file}"),
        name: Some(name),
        error_functions: Some(Vec::new()),
        automaton: Some(Observed { file: file.clone(), text: text.clone(), index }),
    };
    Ok(names.into_iter().enumerate().map(one).collect())
}

/// What workers are asked.
fn request(args: &CheckArgs, asked: &task::Task, property: &Wanted) -> Request {
    Request {
        files: asked.files.iter().map(|f| f.to_string_lossy().into_owned()).collect(),
        error_functions: property.error_functions.clone(),
        specification: property.specification.clone(),
        automaton: property.automaton.clone(),
        bounds: args.asserted == Some(Asserted::Bounds),
        validate: None,
        meaning: args.meaning.semantics(asked.model).into(),
        plan: args.config.as_deref().map(|c| vec![Step::alone(c)]),
        known: String::new(),
        index: 0,
        jobs: usize::from(args.jobs),
        time: Duration::from_secs_f64(args.time),
        cpu_time: None,
        parent: std::process::id(),
        memory: args.memory.unwrap_or_else(|| limits::machine_memory().map_or(8 << 30, |m| m / 4 * 3)),
        witness: args.witness.as_ref().or(args.report.as_ref()).map(|_| std::env::args().collect::<Vec<_>>().join(" ")),
        witness_format: args.witness_format.into(),
        test: args.test.as_ref().map(|t| t.to_string_lossy().into_owned()),
        dot: args.dot.is_some(),
        arg: args.report.is_some(),
        describe: false,
    }
}

/// The program for a page, drawn by one more worker; nothing if that takes too long.
fn drawn(request: Request) -> Drawings {
    let deadline = Instant::now() + DRAWING;
    let Ok(mut pool) = Pool::of_this_program() else { return Drawings::default() };
    if pool.start(&Request { time: DRAWING, cpu_time: None, index: 0, ..request }, DRAWING).is_err() {
        return Drawings::default();
    }
    loop {
        match pool.next(deadline.saturating_duration_since(Instant::now())) {
            Some((_, Some(Message::Drawn(d)))) => return *d,
            Some((_, Some(Message::Progress(_)))) => {}
            _ => return Drawings::default(),
        }
    }
}

/// Runs the plan within the limits; an error is a located message about bad input.
pub fn run(request: Request, pool: Pool) -> Result<Outcome, String> {
    let mut run = Run::new(request, pool);
    run.start(0)?;
    while !run.pool.running.is_empty() {
        if let Some((index, message)) = run.pool.next(TICK) {
            if run.hear(index, message)? {
                break;
            }
        }
        run.watch();
        run.start_waiting()?;
    }
    let cpu_seconds = run.pool.cpu_time().as_secs_f64();
    run.pool.end();
    run.progress.clear();
    Ok(Outcome { answer: run.answer, attempts: run.attempts, rule: run.rule, seconds: run.begin.elapsed().as_secs_f64(), cpu_seconds })
}

struct Run {
    request: Request,
    begin: Instant,
    pool: Pool,
    /// The configurations, once known, and how many were started.
    plan: Option<Vec<Step>>,
    started: usize,
    answer: Option<Box<crate::message::Answered>>,
    attempts: Vec<Attempt>,
    rule: Option<String>,
    progress: Progress,
    out_of_time: bool,
    /// The board: what workers have found to hold.
    board: Facts,
    /// The configurations that got a longer turn for a proof.
    prolonged: Vec<String>,
}

impl Run {
    fn new(request: Request, pool: Pool) -> Run {
        let plan = request.plan.clone();
        Run {
            request,
            begin: Instant::now(),
            pool,
            plan,
            started: 0,
            answer: None,
            attempts: Vec::new(),
            rule: None,
            progress: Progress::new(),
            out_of_time: false,
            board: Facts::default(),
            prolonged: Vec::new(),
        }
    }

    /// The time that is left, and the processor time if that is limited.
    fn left(&self) -> (Duration, Option<Duration>) {
        let time = self.request.time.saturating_sub(self.begin.elapsed());
        (time, self.request.cpu_time.map(|t| t.saturating_sub(self.pool.cpu_time())))
    }

    fn start(&mut self, index: usize) -> Result<(), String> {
        let (time, cpu_time) = if index == 0 { (self.request.time, self.request.cpu_time) } else { self.left() };
        let known = if self.board.is_empty() { String::new() } else { self.board.write() };
        let request = Request { plan: self.plan.clone(), index, time, cpu_time, known, ..self.request.clone() };
        let mine = self.plan.as_ref().map_or(time, |p| share(time, cpu_time, p, index, self.request.jobs));
        self.started = index + 1;
        self.pool.start(&request, mine)
    }

    fn start_waiting(&mut self) -> Result<(), String> {
        while let Some(plan) = &self.plan {
            if self.out_of_time || self.started >= plan.len() || self.pool.running.len() >= self.request.jobs {
                break;
            }
            self.start(self.started)?;
        }
        Ok(())
    }

    /// Whether a definite answer came.
    fn hear(&mut self, index: usize, message: Option<Message>) -> Result<bool, String> {
        match message {
            Some(Message::Plan(plan)) => {
                let mine = share(self.request.time, self.request.cpu_time, &plan, index, self.request.jobs);
                if let Some(w) = self.pool.worker(index) {
                    w.allowed = mine;
                }
                self.plan = Some(plan);
            }
            Some(Message::Rule(text)) => self.rule = Some(text),
            Some(Message::Progress(text)) => {
                let config = self.config(index);
                self.progress.show(&config, &text);
            }
            Some(Message::Invalid(text)) => return Err(text),
            Some(Message::Drawn(_)) => {}
            Some(Message::Result(answered)) => {
                if answered.report.verdict != Answer::Unknown {
                    self.answer = Some(answered);
                    return Ok(true);
                }
                if let Some(w) = self.pool.worker(index) {
                    w.answer = Some(*answered);
                }
            }
            None => {
                if let Some((worker, end)) = self.pool.reap(index) {
                    self.note(&worker, end);
                }
            }
        }
        Ok(false)
    }

    fn config(&self, index: usize) -> String {
        self.plan.as_ref().and_then(|p| p.get(index)).map(|s| s.config.clone()).unwrap_or_default()
    }

    fn note(&mut self, worker: &Worker, end: End) {
        let config = self.config(worker.index);
        let seconds = worker.started.elapsed().as_secs_f64();
        let cut_off = matches!(end, End::Time) || worker.used() >= worker.allowed.mul_f64(CUT_OFF);
        if !cut_off {
            self.drop_later(&config);
        }
        let reason = match end {
            End::Answered(answered) => {
                if let Some(facts) = answered.facts.as_deref().and_then(|text| Facts::read(text).ok()) {
                    self.board.add(&facts);
                }
                if answered.open_proof && cut_off {
                    self.prolong(&config, worker.allowed);
                }
                self.attempts.push(Attempt { config, seconds, report: answered.report, dot: answered.dot, arg: answered.arg });
                return;
            }
            End::Time => format!("no answer within its {seconds:.1} s"),
            End::Memory => "the memory limit was reached".to_owned(),
            End::Crash(what) => what,
        };
        let mut report = output::blank(&self.request.specification, &config);
        report.reason = reason;
        self.attempts.push(Attempt { config, seconds, report, dot: None, arg: None });
    }

    /// Takes a configuration out of what is still to be started.
    fn drop_later(&mut self, config: &str) {
        if let Some(plan) = &mut self.plan {
            let mut later = plan.split_off(self.started.min(plan.len()));
            later.retain(|s| s.again || s.config != config);
            plan.append(&mut later);
        }
    }

    /// Lets a configuration that found a proof, which the checker had too little time for, begin again at once; not a second time.
    fn prolong(&mut self, config: &str, had: Duration) {
        let (time, cpu_time) = self.left();
        if cpu_time.map_or(time, |t| t.min(time)) < had {
            return;
        }
        let Some(plan) = self.plan.as_mut().filter(|_| !self.prolonged.iter().any(|c| c == config)) else { return };
        self.prolonged.push(config.to_owned());
        let at = self.started.min(plan.len());
        // Half of what is left.
        let weight = plan[at..].iter().map(|s| s.weight).sum::<u32>().max(1);
        let most = u32::try_from((had * PROLONGED).as_millis()).ok();
        plan.insert(at, Step { config: config.to_owned(), weight, most, again: true });
    }

    fn watch(&mut self) {
        let (time, cpu_time) = self.left();
        if time.is_zero() || cpu_time.is_some_and(|t| t.is_zero()) {
            self.out_of_time = true;
        }
        let over = self.out_of_time;
        for w in &mut self.pool.running {
            w.look();
            if over || w.used() >= w.allowed + GRACE {
                w.kill(Killed::Time);
            }
        }
        self.pool.keep_memory(self.request.memory);
        self.progress.tick();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_cfa::Semantics;

    /// A run whose workers are shell scripts; they get the request on standard input and do not care.
    fn script(text: &str, plan: &[&str], time: f64, memory: u64) -> Result<Outcome, String> {
        scripted(text, plan, time, None, memory)
    }

    fn scripted(text: &str, plan: &[&str], time: f64, cpu_time: Option<f64>, memory: u64) -> Result<Outcome, String> {
        let request = Request {
            files: Vec::new(),
            error_functions: None,
            specification: "CHECK".into(),
            automaton: None,
            bounds: false,
            validate: None,
            meaning: Semantics::default().into(),
            plan: (!plan.is_empty()).then(|| plan.iter().map(|c| Step::alone(c)).collect()),
            known: String::new(),
            index: 0,
            jobs: 1,
            time: Duration::from_secs_f64(time),
            cpu_time: cpu_time.map(Duration::from_secs_f64),
            parent: std::process::id(),
            memory,
            witness: None,
            witness_format: Default::default(),
            test: None,
            dot: false,
            arg: false,
            describe: false,
        };
        run(request, Pool::of(["sh", "-c", text].map(Into::into).to_vec()))
    }

    fn reasons(outcome: &Outcome) -> Vec<&str> {
        outcome.attempts.iter().map(|a| a.report.reason.as_str()).collect()
    }

    #[test]
    fn a_crash_costs_one_attempt_and_is_named() {
        let outcome = script("echo boo >&2; kill -SEGV $$", &["a", "b"], 20.0, 1 << 32).unwrap();
        assert_eq!(reasons(&outcome), ["the engine was ended by signal 11: boo"; 2]);
        assert_eq!(outcome.attempts[1].config, "b");
        let outcome = script("echo 'memory allocation of 99 bytes failed' >&2; kill -ABRT $$", &["a"], 20.0, 1 << 32).unwrap();
        assert_eq!(reasons(&outcome), ["the memory limit was reached"]);
        let outcome = script("exit 7", &[], 20.0, 1 << 32).unwrap();
        assert_eq!(reasons(&outcome), ["the engine ended with status 7"]);
    }

    #[test]
    fn what_gave_up_is_not_tried_again() {
        let outcome = script("exit 7", &["a", "b", "a", "a", "b"], 20.0, 1 << 32).unwrap();
        assert_eq!(outcome.attempts.iter().map(|a| a.config.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn an_open_proof_gets_one_longer_turn_at_once() {
        let report = serde_json::to_string(&output::blank("CHECK", "a")).unwrap();
        let open = |open: bool| format!(r#"{{"result":{{"report":{report},"witness":null,"test":null,"dot":null,"open_proof":{open}}}}}"#);
        let configs = |o: &Outcome| o.attempts.iter().map(|a| a.config.clone()).collect::<Vec<_>>();
        let outcome = script(&format!("sleep 0.5; echo '{}'", open(true)), &["a", "b", "c"], 1.8, 1 << 32).unwrap();
        assert_eq!(configs(&outcome)[..2], ["a", "a"], "{:?}", configs(&outcome));
        assert!(!configs(&outcome)[2..].contains(&"a".to_owned()), "{:?}", configs(&outcome));
        // One that gave up, and one without a proof, do not.
        for text in [format!("echo '{}'", open(true)), format!("sleep 0.5; echo '{}'", open(false))] {
            assert_eq!(configs(&script(&text, &["a", "b"], 1.2, 1 << 32).unwrap()), ["a", "b"]);
        }
    }

    #[test]
    fn a_hang_ends_with_the_time() {
        let outcome = script("sleep 100 & sleep 100", &["a", "a"], 1.2, 1 << 32).unwrap();
        assert_eq!(outcome.attempts.len(), 2, "what is cut off has not given up");
        assert!(outcome.attempts.iter().all(|a| a.report.reason.starts_with("no answer within")), "{:?}", reasons(&outcome));
        assert!((1.0..2.2).contains(&outcome.seconds), "{} s", outcome.seconds);
    }

    #[test]
    fn cpu_time_counts() {
        let burn = "while :; do :; done & while :; do :; done";
        let outcome = scripted(burn, &["a"], 60.0, Some(1.0), 1 << 32).unwrap();
        assert!(outcome.seconds < 50.0 && outcome.cpu_seconds < 2.5, "{} s, {} s of the processor", outcome.seconds, outcome.cpu_seconds);
        // Two steps share it, and waiting costs nothing.
        let outcome = scripted("sleep 1; while :; do :; done", &["a", "b"], 60.0, Some(2.0), 1 << 32).unwrap();
        assert_eq!(outcome.attempts.len(), 2);
        assert!(outcome.seconds > 2.0, "{} s", outcome.seconds);
    }

    #[test]
    fn a_flood_of_memory_ends_at_the_limit() {
        let outcome = script("exec tail /dev/zero", &["a"], 30.0, 200 << 20).unwrap();
        assert_eq!(reasons(&outcome), ["the memory limit was reached"]);
    }

    #[test]
    fn plans_progress_nonsense_and_bad_input() {
        let text = r#"p() { echo "{\"config\":\"$1\",\"weight\":1}"; }; echo "{\"plan\":[$(p x),$(p y),$(p z)]}"; echo nonsense; echo '{"progress":"p"}'; exit 1"#;
        let outcome = script(text, &[], 20.0, 1 << 32).unwrap();
        assert_eq!(outcome.attempts.iter().map(|a| a.config.as_str()).collect::<Vec<_>>(), ["x", "y", "z"]);
        let bad = script(r#"echo '{"invalid":"a.c:1:2: error: no"}'; sleep 50"#, &[], 20.0, 1 << 32);
        assert_eq!(bad.unwrap_err(), "a.c:1:2: error: no");
    }
}
