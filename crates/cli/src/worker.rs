//! The worker: one engine on one program, in a process of its own.
//!
//! It binds itself to its limits before it reads the request, so that everything counts: parsing, lowering, solving, explaining. The
//! work happens on a thread with a large stack; a panic there becomes an answer that says so. Nothing but messages goes to
//! standard output.

use crate::claimed::claimed;
use crate::front;
use crate::guided::guided;
use crate::limits;
use crate::message::{share, Answered, Message, Request, Step};
use crate::validate;
use crate::witness::{self as claims, Kind, Witness};
use plumb_cfa::{Program, Semantics};
use plumb_cfront::weave::{failing_invariant, Weave};
use plumb_cpas::automaton::spec::compile;
use plumb_cpas::automaton::weave;
use plumb_export::witness::Producer;
use plumb_export::{ctest, dot, html, report, witness, Execution, Report, Sources, Subject};
use plumb_term::Budget;
use plumb_verdict::{Facts, Reason, ReasonKind, Verdict};
use std::io::{Read, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The message of the last panic, with its place.
static PANIC: Mutex<String> = Mutex::new(String::new());

fn send(message: &Message) {
    if let Ok(mut line) = serde_json::to_vec(message) {
        line.push(b'\n');
        let mut out = std::io::stdout().lock();
        // When nobody listens any more, nobody needs the answer.
        if out.write_all(&line).and_then(|()| out.flush()).is_err() {
            std::process::exit(0);
        }
    }
}

/// Runs the request on standard input.
pub fn main() {
    let start = Instant::now();
    let mut text = String::new();
    let request: Request = match std::io::stdin().read_to_string(&mut text).map(|_| serde_json::from_str(&text)) {
        Ok(Ok(r)) => r,
        _ => std::process::exit(3),
    };
    limits::bind(request.memory, request.cpu_time.unwrap_or(request.time));
    if limits::is_orphan(request.parent) {
        return;
    }
    std::panic::set_hook(Box::new(|info| {
        let mut text = PANIC.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *text = info.to_string().replace('\n', " ");
    }));
    let mut stack = limits::stack_size(request.memory);
    loop {
        let job = request.clone();
        match std::thread::Builder::new().stack_size(stack).spawn(move || work(&job, start)) {
            Ok(thread) => {
                if thread.join().is_err() {
                    let text = PANIC.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
                    failed(&request, ReasonKind::Internal(text));
                }
                return;
            }
            Err(_) if stack > 1 << 20 => stack /= 4,
            Err(_) => return failed(&request, ReasonKind::Memory),
        }
    }
}

/// An answer without a program to speak of.
fn failed(request: &Request, kind: ReasonKind) {
    let program = front::empty(request.meaning.into());
    let sources = Sources::default();
    let config = request.plan.as_ref().and_then(|p| p.get(request.index)).map_or("", |s| s.config.as_str());
    let subject = Subject { program: &program, sources: &sources, specification: &request.specification, error_functions: &[], config };
    let report = report::unknown(&subject, &Reason::new(kind), &Facts::default());
    send(&Message::Result(Box::new(Answered {
        report,
        witness: None,
        test: None,
        dot: None,
        arg: None,
        invariant: None,
        facts: None,
        open_proof: false,
    })));
}

fn work(request: &Request, start: Instant) {
    let semantics: Semantics = request.meaning.into();
    send(&Message::Progress("reading".to_owned()));
    let witness = match request.validate.as_deref().map(claims::read).transpose() {
        Ok(w) => w,
        Err(text) => return send(&Message::Invalid(text)),
    };
    let claimed = witness.as_ref().map(|w| w.weave.clone()).unwrap_or_default();
    let mut loaded = match front::load_woven(&request.files, semantics, request.error_functions.as_deref(), &claimed) {
        Ok(l) => l,
        Err(front::Failure::Invalid(text)) => return send(&Message::Invalid(text)),
        Err(front::Failure::Unsupported(text)) => return failed(request, ReasonKind::Unsupported(text)),
    };
    if let Some(observed) = &request.automaton {
        let woven = compile(&observed.text, &loaded.program).map_err(|e| e.to_string()).and_then(|automata| {
            let automaton = automata.get(observed.index).ok_or("there is no such automaton")?;
            weave(&loaded.program, automaton, &|word| loaded.files.iter().any(|f| mentions(&f.bytes, word)))
        });
        match woven {
            Ok(program) => loaded.program = program,
            Err(sentence) => return send(&Message::Invalid(format!("{}: {sentence}", observed.file))),
        }
    }
    if request.bounds {
        loaded.program = plumb_transform::assert_bounds(&loaded.program).0;
    }
    if let Some(i) = loaded.unplaced.first() {
        let place = validate::show(&claimed.probes[*i].place);
        let why = format!("nothing stands at {place} that a claim of this kind can be about");
        return failed(request, ReasonKind::Incomplete(why));
    }
    if request.describe {
        let sources = Sources::new(loaded.files);
        let subject = Subject {
            program: &loaded.program,
            sources: &sources,
            specification: &request.specification,
            error_functions: &[],
            config: "",
        };
        return send(&Message::Drawn(Box::new(html::functions(&subject))));
    }
    let plan = request.plan.clone().unwrap_or_else(|| {
        let rule = plumb_engine::rule_for(&loaded.program);
        send(&Message::Rule(format!("for programs {}, as {}", rule.kind, rule.because)));
        let mut plan: Vec<Step> =
            rule.steps.iter().map(|s| Step { config: s.config.to_owned(), weight: s.weight, most: s.most, again: s.again }).collect();
        // Induction comes first for a witness, with half of the time: it shows claims that are inductive, and unrolls along waypoints.
        if let Some(first) = witness.as_ref().and_then(|_| plan.iter().position(|s| s.config == "kinduction")) {
            plan[..=first].rotate_right(1);
            (plan[0].weight, plan[0].most) = (plan[1..].iter().map(|s| s.weight).sum(), None);
        }
        send(&Message::Plan(plan.clone()));
        plan
    });
    let Some(config) = plan.get(request.index).map(|s| s.config.as_str()) else {
        return failed(request, ReasonKind::Incomplete("no configuration suits this program".to_owned()));
    };
    let mine = share(request.time, request.cpu_time, &plan, request.index, request.jobs);
    // A little is kept back for the explanation, so that an engine that heeds its budget is not killed.
    let reserve = (mine / 20).min(Duration::from_millis(300));
    let mine = mine.saturating_sub(reserve);
    let budget = match request.cpu_time {
        None => Budget::within(mine.saturating_sub(start.elapsed())),
        Some(_) => {
            let work = mine.saturating_sub(limits::own_cpu_time());
            Budget::within(request.time.saturating_sub(reserve + start.elapsed())).working(limits::own_cpu_time, work)
        }
    };
    let sources = Sources::new(std::mem::take(&mut loaded.files));
    if let Some(Witness { kind, .. }) = witness.as_ref().filter(|_| request.index == 0) {
        send(&Message::Progress("following the witness".to_owned()));
        if let Some((verdict, config)) = as_claimed(*kind, &loaded.program, &sources, &claimed, &budget) {
            let (specification, error_functions) = (&request.specification, &loaded.error_functions);
            let subject = Subject { program: &loaded.program, sources: &sources, specification, error_functions, config };
            return send(&Message::Result(Box::new(explained(request, &subject, &verdict, &Facts::default()))));
        }
    }
    let mut last = Instant::now();
    // What cannot be read is not known.
    let known = Facts::read(&request.known).unwrap_or_default();
    let answer = plumb_engine::verify(&loaded.program, config, &known, &budget, &mut |text| {
        if last.elapsed() >= Duration::from_millis(50) {
            last = Instant::now();
            send(&Message::Progress(text.to_owned()));
        }
    });
    let Some(answer) = answer else {
        return failed(request, ReasonKind::Internal(format!("there is no configuration {config}")));
    };
    let subject = Subject {
        program: &loaded.program,
        sources: &sources,
        specification: &request.specification,
        error_functions: &loaded.error_functions,
        config,
    };
    let mut answered = explained(request, &subject, &answer.verdict, &answer.facts);
    answered.facts = (!answer.facts.is_empty()).then(|| answer.facts.write());
    answered.dot = answer.notes.graph.as_ref().filter(|_| request.dot).map(|g| dot::dot(&subject, g));
    answered.arg = answer.notes.graph.as_ref().filter(|_| request.arg).map(|g| html::reachability(&subject, g));
    answered.report.remarks = answer.notes.remarks;
    answered.report.statistics = answer.notes.figures.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect();
    send(&Message::Result(Box::new(answered)));
}

/// Whether a name occurs in a C text, but not as that of a function with a body: one that is never called is no part of the program.
fn mentions(text: &[u8], name: &str) -> bool {
    let part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let mut found = false;
    let mut at = 0;
    while at < text.len() {
        let end = at + text[at..].iter().take_while(|b| part(b)).count();
        if end > at && &text[at..end] == name.as_bytes() {
            found = true;
            if is_definition(&text[end..]) {
                return false;
            }
        }
        at = end + 1;
    }
    found
}

/// Whether a parenthesised list and an opening brace follow.
fn is_definition(rest: &[u8]) -> bool {
    let (mut depth, mut listed) = (0u32, false);
    for b in rest.iter().filter(|b| !b.is_ascii_whitespace()) {
        match (b, depth) {
            (b'(', 0) if listed => return false,
            (b'(', _) => (depth, listed) = (depth + 1, true),
            (b')', 1..) => depth -= 1,
            (b'{', 0) => return listed,
            (_, 0) => return false,
            _ => {}
        }
    }
    false
}

/// The verdict that a witness names by itself, without a search, and how: the execution of its waypoints, or its invariants as a proof.
fn as_claimed(kind: Kind, program: &Program, sources: &Sources, woven: &Weave, budget: &Budget) -> Option<(Verdict, &'static str)> {
    let half = budget.part(2);
    let (claim, config) = match kind {
        Kind::Violation => (Verdict::Unsafe(guided(program, sources, woven, &half)?), "replay"),
        Kind::Correctness => (Verdict::Safe(claimed(program)?), "claims"),
    };
    let verdict = plumb_engine::certify(program, claim, &half).0;
    (!matches!(verdict, Verdict::Unknown(_))).then_some((verdict, config))
}

fn explained(request: &Request, subject: &Subject<'_>, verdict: &Verdict, facts: &Facts) -> Answered {
    let producer = request.witness.as_ref().map(|command_line| Producer {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        creation_time: now(),
        command_line: command_line.clone(),
    });
    let answered = |report: Report, witness, test| Answered {
        report,
        witness,
        test,
        dot: None,
        arg: None,
        invariant: None,
        facts: None,
        open_proof: false,
    };
    match verdict {
        Verdict::Unknown(reason) => {
            let open_proof = matches!(reason.kind, ReasonKind::ProofUndecided(_));
            Answered { open_proof, ..answered(report::unknown(subject, reason, facts), None, None) }
        }
        Verdict::Safe(proof) => {
            let report = report::proved(subject, proof);
            let witness = producer.map(|p| witness::correctness(subject, &report, &p, request.witness_format));
            answered(report, witness, None)
        }
        Verdict::Unsafe(trace) => match Execution::replay(subject.program, trace) {
            Err(why) => answered(report::unknown(subject, &Reason::new(ReasonKind::TraceRejected(why)), facts), None, None),
            Ok(execution) => {
                let report = report::refuted(subject, &execution);
                let witness = producer.map(|p| witness::violation(subject, &report, &execution, &p, request.witness_format));
                let test = request.test.as_ref().map(|name| ctest::c_test(subject, &execution, name));
                let mut answered = answered(report, witness, test);
                answered.invariant = failed_invariant(subject.program, &execution);
                answered
            }
        },
    }
}

/// Which invariant of a witness fails at the end of an execution.
fn failed_invariant(program: &Program, execution: &Execution) -> Option<usize> {
    let label = program.function(execution.func).graph.loc(execution.loc).label.as_deref()?;
    failing_invariant(label)
}

/// The time in ISO 8601, UTC.
fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    iso8601(seconds)
}

/// Days to dates by the 400-year cycle of the calendar, counted from March so that leap days come last.
fn iso8601(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::iso8601;

    #[test]
    fn dates() {
        assert_eq!(iso8601(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso8601(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(iso8601(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(iso8601(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
