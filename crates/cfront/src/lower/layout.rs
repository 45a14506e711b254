//! The layout of objects, for messages.

use plumb_cfa::Layout;

use super::Lowerer;
use crate::types::{Kind, Len, Ty};

/// Structures nested deeper than this are shown as bytes.
const MAX_DEPTH: u32 = 16;

impl Lowerer<'_> {
    pub(super) fn layout(&self, ty: Ty, depth: u32) -> Layout {
        if depth > MAX_DEPTH {
            return Layout::Opaque;
        }
        match self.types.kind(ty) {
            Kind::Array(elem, len) => match (len, self.types.size(*elem)) {
                (Len::Fixed(len), Some(stride)) if stride > 0 => {
                    Layout::Array { elem: Box::new(self.layout(*elem, depth + 1)), stride, len: *len }
                }
                _ => Layout::Opaque,
            },
            Kind::Record(r) => {
                let record = self.types.record(*r);
                if record.is_union() {
                    return Layout::Opaque;
                }
                let member = |f: &crate::types::Field| {
                    let name = f.name.map(|n| self.name(n).to_owned()).unwrap_or_default();
                    let inner = if f.bits.is_some() { Layout::Opaque } else { self.layout(f.ty, depth + 1) };
                    (name, f.offset(), inner)
                };
                Layout::Struct(record.fields.iter().map(member).collect())
            }
            _ => self.types.scalar(ty).map_or(Layout::Opaque, Layout::Scalar),
        }
    }
}
