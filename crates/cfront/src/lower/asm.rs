//! `asm` statements: inputs are evaluated, outputs take any value.

use plumb_cfa::InputSource;

use super::Lowerer;
use crate::ast::Asm;
use crate::lex::Fallible;

impl<'a> Lowerer<'a> {
    pub(super) fn asm(&mut self, asm: &'a Asm) -> Fallible<()> {
        if !asm.labels.is_empty() {
            self.unsupported(asm.span, "'asm goto'");
            return Ok(());
        }
        let mut inputs = Vec::with_capacity(asm.inputs.len());
        for input in &asm.inputs {
            let memory = input.constraint.bytes.iter().all(|c| matches!(c, b'm' | b'o' | b'V'));
            inputs.push(if memory {
                self.operand(&input.expr, false)?;
                None
            } else {
                let v = self.expr(&input.expr)?;
                Some(self.save(&v)).filter(|v| self.types.scalar(v.ty).is_some())
            });
        }
        // Without instructions, an output that shares its register with an input has the input's value.
        if asm.template.is_empty() {
            if let ([output], [input], [Some(value)]) = (&asm.outputs[..], &asm.inputs[..], &inputs[..]) {
                if &*input.constraint.bytes == b"0" {
                    let place = self.lvalue(&output.expr)?;
                    return self.assign_place(&place, value, output.span).map(|_| ());
                }
            }
            if asm.outputs.iter().all(|o| o.constraint.bytes.first() == Some(&b'+')) {
                return Ok(());
            }
        }
        for output in &asm.outputs {
            let place = self.lvalue(&output.expr)?;
            self.cx.span = output.span;
            if self.types.scalar(place.ty).is_some() {
                let value = self.havoc(place.ty, InputSource::Asm);
                let node = self.node_of(&value);
                let old = self.load(&place);
                for from in inputs.iter().flatten().chain([&old]).filter_map(|v| v.node) {
                    self.pts.flow(from, node, true);
                }
                self.store(&place, &value);
            } else if let (super::place::Place::Mem(mem), Some(size)) = (place.place, self.size_term(place.ty)) {
                self.havoc_object(&mem, size);
                self.mark_contents_external(&mem);
            }
        }
        if !asm.outputs.is_empty() {
            self.note_extern("asm", asm.span);
        }
        Ok(())
    }
}
