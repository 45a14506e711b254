//! Uninitialised variables on which the path depends get their values at their declarations.

use super::edit::{declarator_end, Edits};
use super::inputs::{check_pointer, op_of, scalar, value_of};
use super::support::{c_type, listed, Support};
use crate::execution::Execution;
use crate::scan;
use crate::source::Place;
use crate::subject::Subject;
use plumb_cfa::interp::Event;
use plumb_cfa::{EdgeId, FuncId, Op, VarKind};
use plumb_term::eval::Value;
use plumb_term::{Scalar, VarId};
use std::collections::BTreeMap;

/// Makes the values of uninitialised variables and missing results explicit.
pub(super) fn variables(subject: &Subject<'_>, execution: &Execution, support: &mut Support<'_>, edits: &mut Edits) -> Result<(), String> {
    let program = subject.program;
    for var in &execution.unset {
        let info = program.var(*var);
        let missing = || format!("the declaration of the uninitialised variable {} was not found in the source text", info.name);
        match info.kind {
            VarKind::Source => {}
            VarKind::Result => {
                result(subject, execution, *var, support, edits)?;
                continue;
            }
            _ => return Err("the path depends on a value that was never computed".to_owned()),
        }
        let begun = |e: &&Event| matches!(op_of(program, e), Some(Op::Havoc { var: v, .. }) if v == var);
        // In a block that can be entered past the declaration the variable begins twice; the declaration itself comes last.
        let declared = execution.inputs.iter().rev().find(begun).map(|e| (e.func, e.edge));
        let values: Vec<Value> = execution
            .inputs
            .iter()
            .filter(begun)
            .filter(|e| Some((e.func, e.edge)) == declared)
            .filter_map(|e| value_of(e, *var).cloned())
            .collect();
        let place = subject.sources.place(&program.sources, info.span).ok_or_else(missing)?;
        let end = declarator_end(subject.sources.text(place), place.offset, &info.name).ok_or_else(missing)?;
        if end.byte == b'=' {
            return Err(format!("the initialisation of {} is jumped over", info.name));
        }
        let ty = scalar(program, *var).ok_or_else(missing)?;
        values.iter().try_for_each(|v| check_pointer(program, *var, v))?;
        let name = function(&values, ty, info.c_type.contains('*'), support);
        edits.insert(Place { offset: end.at, ..place }, format!(" = {name}()"));
    }
    Ok(())
}

/// A function that returns the values in order; its name.
fn function(values: &[Value], ty: Scalar, pointer: bool, support: &mut Support<'_>) -> String {
    let name = support.fresh("value");
    let (result, body) = if pointer {
        ("void *", listed(values, ty).replace("? values[next++]", "? (void *)(unsigned long)values[next++]"))
    } else {
        (c_type(ty), listed(values, ty))
    };
    support.declare(&format!("{result} {name}(void);\n"));
    support.define(&format!("{result} {name}(void) {{ {body} }}\n"));
    name
}

/// A function that ends without a result gets one where it ends: at its last brace, or after a bare `return`.
fn result(subject: &Subject<'_>, execution: &Execution, var: VarId, support: &mut Support<'_>, edits: &mut Edits) -> Result<(), String> {
    let program = subject.program;
    let mut ends: BTreeMap<(FuncId, EdgeId), Vec<Value>> = BTreeMap::new();
    for event in &execution.inputs {
        if let (Some(Op::Havoc { var: v, .. }), Some(edge)) = (op_of(program, event), event.edge) {
            if let Some(value) = value_of(event, var).filter(|_| *v == var) {
                ends.entry((event.func, edge)).or_default().push(value.clone());
            }
        }
    }
    let info = program.var(var);
    for ((func, edge), values) in ends {
        let f = program.function(func);
        let missing = || format!("the end of the function {} was not found in the source text", f.name);
        let ty = scalar(program, var).ok_or_else(missing)?;
        let name = function(&values, ty, info.c_type.contains('*'), support);
        let here = subject.sources.place(&program.sources, f.graph.edge(edge).span);
        match here.filter(|p| scan::ident_at(subject.sources.text(*p), p.offset) == "return") {
            Some(place) => edits.insert(Place { offset: place.offset + "return".len(), ..place }, format!(" {name}()")),
            None => {
                let bodies = subject.sources.files().iter().enumerate();
                let mut closing = bodies.filter_map(|(file, text)| Some((file, scan::function_body(&text.bytes, &f.name)?.1)));
                let (file, offset) = closing.next().ok_or_else(missing)?;
                edits.insert(Place { file, offset }, format!(" return {name}(); "));
            }
        }
    }
    Ok(())
}
