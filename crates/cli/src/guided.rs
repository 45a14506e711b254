//! The execution that a violation witness names: the interpreter runs, and takes its inputs from the waypoints.
//!
//! A witness that says what every call returns determines the execution, however long it is, so no search is needed. Values are
//! guessed from `\result == c` at the call that asks, and from `x == c` in the assumptions still to come for a variable without an
//! initial value; everything else is zero. A wrong guess does no harm: the woven program itself decides whether its error is
//! reached, and a search comes after.

use plumb_cfa::interp::{Ask, CellAsk, Discard, Inputs, Interpreter, Limits, Outcome};
use plumb_cfa::{InputSource, Program};
use plumb_cfront::weave::{Place, ProbeKind, Weave, When};
use plumb_export::{scan, Sources};
use plumb_term::eval::{MemValue, Value};
use plumb_term::{Budget, Cell, Float, IBig, Scalar, Span, VarTy};
use plumb_verdict::{InputValue, Trace};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The inputs of an execution to the error that the waypoints name; none if following them does not lead there.
pub fn guided(program: &Program, sources: &Sources, weave: &Weave, budget: &Budget) -> Option<Trace> {
    // A variable may be given a value again before it is read; or each value is that of another activation.
    [false, true].into_iter().find_map(|once| attempt(program, sources, weave, once, &budget.part(2)))
}

fn attempt(program: &Program, sources: &Sources, weave: &Weave, once: bool, budget: &Budget) -> Option<Trace> {
    let taken = Rc::new(RefCell::new(Vec::new()));
    let ends = call_ends(program, sources);
    let inputs = Guide { points: points(weave), next: 0, once, used: Vec::new(), ends, taken: Rc::clone(&taken) };
    let mut machine = Interpreter::new(program, Box::new(inputs), Box::new(Discard), Limits::default()).within(budget.clone());
    let reached = matches!(machine.run(), Outcome::Error { .. });
    let inputs = taken.take();
    reached.then_some(Trace { inputs, memory: BTreeMap::new() })
}

/// A waypoint that names values.
struct Point {
    place: Place,
    /// What is compared (`\result` or a variable) with which constant.
    values: Vec<(String, String)>,
    is_return: bool,
}

fn points(weave: &Weave) -> Vec<Point> {
    let follow = weave.probes.iter().filter_map(|p| match &p.kind {
        ProbeKind::Waypoint { avoid: false, when: When::Return(Some(text)), .. } => Some((p, text, true)),
        ProbeKind::Waypoint { avoid: false, when: When::Assumption(text), .. } => Some((p, text, false)),
        _ => None,
    });
    follow.map(|(p, text, is_return)| Point { place: p.place.clone(), values: equalities(text), is_return }).collect()
}

/// The conjuncts `name == constant` of a C expression, by their texts.
fn equalities(text: &str) -> Vec<(String, String)> {
    let sides = text.split("&&").filter_map(|c| c.trim().trim_start_matches('(').trim_end_matches(')').split_once("=="));
    sides.map(|(a, b)| (a.trim().to_owned(), b.trim().to_owned())).collect()
}

/// Where the calls that take inputs end, by where they begin.
fn call_ends(program: &Program, sources: &Sources) -> HashMap<Span, (u32, u32)> {
    let map = &program.sources;
    let edges = program.functions.iter().flat_map(|f| f.graph.edges().map(|(_, e)| e));
    let asks = edges.filter(|e| e.op.takes_input() && e.span.is_known()).map(|e| e.span);
    asks.filter_map(|span| {
        let place = sources.place(map, span)?;
        let close = scan::call_end(sources.text(place), place.offset)?;
        Some((span, sources.position_after(map, span, close)?))
    })
    .collect()
}

struct Guide {
    points: Vec<Point>,
    /// The first waypoint that no call has answered.
    next: usize,
    /// Whether an assumption gives a variable its value once only, or until the next call is answered.
    once: bool,
    /// Assumptions that have given a variable its value.
    used: Vec<(usize, String)>,
    ends: HashMap<Span, (u32, u32)>,
    taken: Rc<RefCell<Vec<InputValue>>>,
}

impl Guide {
    fn returned(&mut self, span: Span) -> Option<String> {
        let (line, column) = *self.ends.get(&span)?;
        let at = self.next + self.points[self.next..].iter().position(|p| p.is_return)?;
        let point = &self.points[at];
        if point.place.line != line || point.place.column.is_some_and(|c| c != column) {
            return None;
        }
        self.next = at + 1;
        point.values.iter().find(|(n, _)| n == "\\result").map(|(_, v)| v.clone())
    }

    fn assumed(&mut self, name: &str) -> Option<String> {
        for (i, point) in self.points.iter().enumerate().skip(self.next).filter(|(_, p)| !p.is_return) {
            let value = point.values.iter().find(|(n, _)| n == name);
            if let Some((_, v)) = value.filter(|_| !self.used.iter().any(|(j, n)| *j == i && n == name)) {
                if self.once {
                    self.used.push((i, name.to_owned()));
                }
                return Some(v.clone());
            }
        }
        None
    }

    fn take(&self, source: InputSource, span: Span, value: Value) -> Value {
        self.taken.borrow_mut().push(InputValue { source, span, value: value.clone() });
        value
    }
}

/// A C constant as a value of the type; zero for what is none.
fn constant(text: Option<&str>, ty: VarTy) -> Value {
    let text = text.unwrap_or("0").trim();
    let integer = || {
        let (sign, digits) = text.strip_prefix('-').map_or((1, text), |d| (-1, d.trim()));
        let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
        let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(hex) => IBig::from_str_radix(hex, 16).ok()?,
            None => IBig::from_str_radix(digits, 10).ok()?,
        };
        Some(value * IBig::from(sign))
    };
    match ty {
        VarTy::Bool => Value::Bool(integer().is_some_and(|v| v != IBig::ZERO)),
        VarTy::Int => Value::Int(integer().unwrap_or(IBig::ZERO)),
        VarTy::Scalar(Scalar::Int(t)) => Value::Int(integer().filter(|v| t.contains(v)).unwrap_or(IBig::ZERO)),
        VarTy::Scalar(Scalar::Float(t)) => {
            let plain = text.trim_end_matches(['f', 'F', 'l', 'L']);
            Value::Float(Float::parse(t, plain).unwrap_or_else(|| Float::zero(t)))
        }
        VarTy::Mem(c) => Value::Mem(MemValue::zero(c)),
    }
}

impl Inputs for Guide {
    fn value(&mut self, ask: &Ask<'_>) -> Result<Value, String> {
        let text = match ask.source {
            InputSource::Nondet(_) | InputSource::Extern(_) => self.returned(ask.span),
            InputSource::Uninit(name) => self.assumed(name),
            _ => None,
        };
        Ok(self.take(ask.source.clone(), ask.span, constant(text.as_deref(), ask.ty)))
    }

    fn cell(&mut self, _: &CellAsk) -> Result<u128, String> {
        Ok(0)
    }

    fn printed(&mut self) -> Result<(), String> {
        self.take(InputSource::Extern(String::new()), Span::NONE, Value::Int(IBig::ZERO));
        Ok(())
    }

    fn havoc_mem(&mut self, _nth: u64) -> Result<(), String> {
        self.take(InputSource::Uninit(String::new()), Span::NONE, Value::Mem(MemValue::zero(Cell::Byte)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb_term::IntTy;

    #[test]
    fn constants_are_read_as_c_writes_them() {
        let int = VarTy::Scalar(Scalar::Int(IntTy::I32));
        for (text, value) in [("-5", -5), ("0x1F", 31), ("7UL", 7), ("2147483648", 0), ("x", 0)] {
            assert_eq!(constant(Some(text), int), Value::Int(value.into()), "{text}");
        }
        let found = equalities("\\result == -3");
        assert_eq!(found, [("\\result".to_owned(), "-3".to_owned())]);
        assert_eq!(equalities("x == 1 && y < 2 && (z == 3)").len(), 2);
    }
}
