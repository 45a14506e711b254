//! Programs that take no input: their one execution decides.

use plumb_cfa::interp::{Discard, Interpreter, Limits, NoInputs, Outcome};
use plumb_cfa::Program;
use plumb_term::Budget;
use plumb_verdict::{Method, Proof};
use std::collections::BTreeMap;

/// That the program has one execution, which ends well, if that is so and can be seen in time.
pub fn proof(program: &Program, budget: &Budget) -> Option<Proof> {
    let mut machine = Interpreter::new(program, Box::new(NoInputs), Box::new(Discard), Limits::default()).strict().within(budget.clone());
    let ends_well = matches!(machine.run(), Outcome::Exit(_) | Outcome::Halted { .. }) && !machine.depends_on_abstraction();
    ends_well.then(|| Proof { method: Method::Execution, invariants: BTreeMap::new() })
}
