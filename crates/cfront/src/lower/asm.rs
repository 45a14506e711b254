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
        for input in &asm.inputs {
            self.operand(&input.expr, false)?;
        }
        for output in &asm.outputs {
            let place = self.lvalue(&output.expr)?;
            self.cx.span = output.span;
            if self.types.scalar(place.ty).is_some() {
                let value = self.havoc(place.ty, InputSource::Asm);
                self.store(&place, &value);
            } else if let (super::place::Place::Mem(mem), Some(size)) = (place.place, self.size_term(place.ty)) {
                self.havoc_object(&mem, size);
            }
        }
        if !asm.outputs.is_empty() {
            self.note_extern("asm", asm.span);
        }
        Ok(())
    }
}
