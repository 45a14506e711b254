//! From a model of an error's condition to the inputs of an execution.

use crate::unroll::Asked;
use plumb_cfa::{Program, RegionId};
use plumb_term::eval::{Evaluator, Value};
use plumb_term::Var;
use plumb_verdict::{InputValue, Trace};

/// The inputs, in order, of the execution that a model describes. `value` gives the model's values of variables.
pub fn from_model(program: &Program, asked: &[Asked], value: &dyn Fn(Var) -> Option<Value>) -> Trace {
    let complete = |v: Var| Some(value(v).unwrap_or_else(|| Value::default_of(v.ty)));
    let mut eval = Evaluator::new(&complete);
    let mut trace = Trace::default();
    for a in asked {
        if eval.eval(a.condition) == Some(Value::Bool(true)) {
            let value = complete(a.var).unwrap_or_else(|| Value::default_of(a.var.ty));
            trace.inputs.push(InputValue { source: a.source.clone(), span: a.span, value });
        }
    }
    for (i, r) in program.regions.iter().enumerate() {
        if let Some(Value::Mem(m)) = value(Var::new(r.var, program.var(r.var).ty)) {
            trace.memory.insert(RegionId(i as u32), m);
        }
    }
    trace
}
