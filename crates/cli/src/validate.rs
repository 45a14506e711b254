//! `plumb validate`: whether somebody else's witness is right, and why.
//!
//! The witness is woven into the program (see `plumb_cfront::weave`) and the woven program is verified like any other, under the same
//! limits, by the same engines, with every answer certified. A correctness witness is confirmed by a proof that its invariants hold
//! and that the error is not reached; k-induction, which goes first, assumes invariants of earlier iterations while it shows
//! the next. It is refuted by an execution in which an invariant fails, or which reaches the error. A violation
//! witness is confirmed by an execution along its waypoints that reaches its target, and refuted by a proof that there is none.

use crate::args::ValidateArgs;
use crate::check::{self, Outcome};
use crate::exit::{self, say};
use crate::limits;
use crate::message::{Request, Step};
use crate::output;
use crate::pool::Pool;
use crate::property::Property;
use crate::task;
use crate::witness::{self, Kind, Model, Witness};
use plumb_cfa::DataModel;
use plumb_cfront::weave::{Place, ProbeKind};
use plumb_export::explain::{exact_place, explain};
use plumb_export::sha256::sha256;
use plumb_export::{Answer, Report};
use std::path::PathBuf;
use std::time::Duration;

/// Runs the command; the exit code.
pub fn main(args: &ValidateArgs) -> u8 {
    if args.parent.is_some_and(|p| !limits::live_with(p)) {
        return exit::UNKNOWN;
    }
    match judge(args) {
        Ok(judgement) => {
            say(&if args.json { judgement.json() } else { judgement.text() });
            judgement.result.code()
        }
        Err(message) => exit::usage(&message),
    }
}

/// What is said of a witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Result3 {
    Confirmed,
    Refuted,
    Undecided,
}

impl Result3 {
    fn code(self) -> u8 {
        match self {
            Result3::Confirmed => exit::PROVED,
            Result3::Refuted => exit::REFUTED,
            Result3::Undecided => exit::UNKNOWN,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Result3::Confirmed => "CONFIRMED",
            Result3::Refuted => "REFUTED",
            Result3::Undecided => "NOT DECIDED",
        }
    }
}

struct Judgement {
    result: Result3,
    kind: Kind,
    why: String,
    /// The evidence: a path or invariants.
    evidence: Option<Report>,
    seconds: f64,
}

impl Judgement {
    fn text(&self) -> String {
        let mut out = format!("{}: {} [{:.2} s]\n", self.result.word(), self.why, self.seconds);
        if let Some(report) = &self.evidence {
            out.push_str(&explain(report));
        }
        out
    }

    fn json(&self) -> String {
        let result = self.result.word().to_ascii_lowercase();
        let kind = match self.kind {
            Kind::Correctness => "correctness",
            Kind::Violation => "violation",
        };
        let value = serde_json::json!({
            "tool": "plumb", "version": env!("CARGO_PKG_VERSION"), "format": output::JSON_FORMAT,
            "result": result, "witness": kind, "reason": self.why, "evidence": self.evidence, "wall_seconds": self.seconds,
        });
        serde_json::to_string_pretty(&value).map_or_else(|_| String::new(), |s| s + "\n")
    }
}

fn judge(args: &ValidateArgs) -> Result<Judgement, String> {
    let name = args.witness.display().to_string();
    let bytes = std::fs::read(&args.witness).map_err(|e| format!("{name}: {e}"))?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{name}: not UTF-8 text"))?;
    let witness = witness::read(&text).map_err(|e| format!("{name}:{e}"))?;
    let files = task::read(&args.files, None)?.files;
    same_program(&name, &text, &witness, &files)?;
    let undecided = |why: String| Judgement { result: Result3::Undecided, kind: witness.kind, why, evidence: None, seconds: 0.0 };
    if !witness.unsupported.is_empty() {
        return Ok(undecided(format!("the witness has parts that plumb cannot check: {}", witness.unsupported.join(", "))));
    }
    let property = Property::parse(&witness.task.specification).map_err(|e| format!("{name}: the specification: {e}"))?;
    let error_functions = match &property {
        // What plumb calls the error of a program without a property file is at least this.
        Property::Unreachable { functions, .. } if *functions == ["reach_error"] => None,
        Property::Default => None,
        Property::Unreachable { functions, .. } => Some(functions.clone()),
        Property::Unsupported(text) => return Ok(undecided(format!("the property is not supported: {text}"))),
    };
    let model = match witness.task.data_model {
        Model::ILP32 => DataModel::Ilp32,
        Model::LP64 => DataModel::Lp64,
    };
    let request = Request {
        files: files.iter().map(|f| f.to_string_lossy().into_owned()).collect(),
        error_functions,
        specification: property.specification().to_owned(),
        automaton: None,
        bounds: false,
        validate: Some(text),
        meaning: args.meaning.semantics(Some(model)).into(),
        plan: args.config.as_deref().map(|c| vec![Step::alone(c)]),
        known: String::new(),
        index: 0,
        jobs: usize::from(args.jobs),
        time: Duration::from_secs_f64(args.time),
        cpu_time: [args.cpu_time.map(Duration::from_secs_f64), limits::inherited_cpu_time()].into_iter().flatten().min(),
        parent: std::process::id(),
        memory: args.memory.unwrap_or_else(|| limits::machine_memory().map_or(8 << 30, |m| m / 4 * 3)),
        witness: None,
        witness_format: Default::default(),
        test: None,
        dot: false,
        arg: false,
        describe: false,
    };
    let outcome = check::run(request, Pool::of_this_program()?)?;
    Ok(conclude(&witness, &outcome))
}

/// The witness names the hashes of its program; an error is a message with the place of the one that differs.
fn same_program(name: &str, text: &str, witness: &Witness, files: &[PathBuf]) -> Result<(), String> {
    let hashes = &witness.task.input_file_hashes;
    for file in files {
        let bytes = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let base = |p: &str| p.rsplit('/').next().unwrap_or(p).to_owned();
        let own = base(&file.to_string_lossy());
        let stated = hashes.iter().find(|(n, _)| base(n) == own).or_else(|| hashes.iter().next().filter(|_| hashes.len() == 1));
        let Some((_, stated)) = stated else { return Err(format!("{name}: the witness names no hash of {own}")) };
        let actual = sha256(&bytes);
        if !stated.eq_ignore_ascii_case(&actual) {
            let place = text.lines().enumerate().find_map(|(i, l)| l.find(stated.as_str()).map(|at| (i + 1, at + 1)));
            let (line, column) = place.unwrap_or((1, 1));
            return Err(format!("{name}:{line}:{column}: the witness is for another program: {} has the SHA-256 {actual}", file.display()));
        }
    }
    Ok(())
}

fn conclude(witness: &Witness, outcome: &Outcome) -> Judgement {
    let report = outcome.answer.as_ref().map(|a| a.report.clone());
    let verdict = report.as_ref().map_or(Answer::Unknown, |r| r.verdict);
    let place = report.as_ref().and_then(|r| r.position.as_ref()).map(exact_place).unwrap_or_default();
    let failed = outcome.answer.as_ref().and_then(|a| a.invariant);
    let (result, why) = match (witness.kind, verdict) {
        (Kind::Correctness, Answer::True) => (
            Result3::Confirmed,
            match witness.weave.probes.len() {
                0 => "the property holds (the witness has no invariants)".to_owned(),
                1 => "the invariant holds, and so does the property".to_owned(),
                n => format!("the {n} invariants hold, and so does the property"),
            },
        ),
        (Kind::Correctness, Answer::False) => match failed.and_then(|i| witness.weave.probes.get(i)) {
            Some(p) => (Result3::Refuted, format!("an execution violates the invariant {} at {}", text_of(&p.kind), show(&p.place))),
            None => (Result3::Refuted, format!("the property is violated: the error at {place} is reached")),
        },
        (Kind::Violation, Answer::False) => (Result3::Confirmed, format!("an execution along the waypoints reaches the target at {place}")),
        (Kind::Violation, Answer::True) => {
            let target = witness.weave.target.as_ref().map(|t| show(&t.1)).unwrap_or_default();
            (Result3::Refuted, format!("no execution along the waypoints reaches an error at the target, {target}"))
        }
        (_, Answer::Unknown) => {
            let reasons: Vec<String> = outcome.attempts.iter().map(|a| format!("{}: {}", a.config, a.report.reason)).collect();
            let common = outcome.attempts.first().map(|a| a.report.reason.clone()).filter(|_| reasons.len() < 2);
            (Result3::Undecided, common.unwrap_or_else(|| reasons.join("; ")))
        }
    };
    let evidence = report.filter(|_| verdict != Answer::Unknown);
    Judgement { result, kind: witness.kind, why, evidence, seconds: outcome.seconds }
}

fn text_of(kind: &ProbeKind) -> String {
    match kind {
        ProbeKind::LoopInvariant(t) | ProbeKind::LocationInvariant(t) => format!("'{t}'"),
        ProbeKind::Waypoint { .. } => String::new(),
    }
}

/// A place of a witness, for messages.
pub fn show(p: &Place) -> String {
    match p.column {
        Some(c) => format!("{}:{}:{c}", p.file, p.line),
        None => format!("{}:{}", p.file, p.line),
    }
}
