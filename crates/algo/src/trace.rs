//! From a model of an error's condition to the inputs of an execution.

use crate::unroll::Asked;
use plumb_cfa::{Program, RegionId};
use plumb_term::eval::{Evaluator, MemValue, Value};
use plumb_term::{Float, IBig, Scalar, Var, VarTy};
use plumb_verdict::{InputValue, Trace};

/// The inputs, in order, of the execution that a model describes. `value` gives the model's values of variables.
pub fn from_model(program: &Program, asked: &[Asked], value: &dyn Fn(Var) -> Option<Value>) -> Trace {
    let complete = |v: Var| Some(value(v).unwrap_or_else(|| default_value(v.ty)));
    let mut eval = Evaluator::new(&complete);
    let mut trace = Trace::default();
    for a in asked {
        if eval.eval(a.condition) == Some(Value::Bool(true)) {
            let value = complete(a.var).unwrap_or_else(|| default_value(a.var.ty));
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

/// A value for a variable that the model leaves open.
fn default_value(ty: VarTy) -> Value {
    match ty {
        VarTy::Bool => Value::Bool(false),
        VarTy::Int | VarTy::Scalar(Scalar::Int(_)) => Value::Int(IBig::ZERO),
        VarTy::Scalar(Scalar::Float(ty)) => Value::Float(Float { ty, bits: 0 }),
        VarTy::Mem(cell) => Value::Mem(MemValue::zero(cell)),
    }
}
