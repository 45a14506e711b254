//! Functions that only share their name with one of the C library.
//!
//! `int round(int)` or `int index(int)`, declared by the program and defined nowhere, are functions of a part of the program that is missing, not what
//! `<math.h>` and `<strings.h>` declare.

use super::{math, Lowerer};
use crate::types::Ty;

impl Lowerer<'_> {
    /// Whether the program declares a function in a way that the library's function of this name cannot be meant.
    pub(super) fn is_foreign(&self, f: usize) -> bool {
        let func = &self.funcs[f];
        if func.def.is_some() || func.library || func.manner.system {
            return false;
        }
        let Some(declared) = self.types.as_function(func.ty) else { return false };
        let Some(params) = &declared.params else { return false };
        let name = self.name(func.name);
        if math::is_function(name) {
            return params.first().is_none_or(|ty| !self.types.is_float(*ty));
        }
        let Some(library) = self.library_function(func.name).and_then(|g| self.types.as_function(self.funcs[g].ty)) else { return false };
        let Some(known) = &library.params else { return false };
        params.len() != known.len() || params.iter().zip(known).any(|(a, b)| !self.is_alike(*a, *b))
    }

    /// Whether both are pointers, integers or floats.
    fn is_alike(&self, a: Ty, b: Ty) -> bool {
        let class = |ty| (self.types.is_pointer(ty), self.types.is_integer(ty), self.types.is_float(ty));
        class(a) == class(b)
    }
}
