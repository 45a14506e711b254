//! How an object in memory is made of scalars, so that addresses can be shown as C expressions.

use plumb_term::Scalar;

/// The structure of a type in memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Layout {
    /// One scalar.
    Scalar(Scalar),
    /// `len` elements, `stride` bytes apart.
    Array {
        /// Of one element.
        elem: Box<Layout>,
        /// Size of one element in bytes.
        stride: u64,
        /// How many.
        len: u64,
    },
    /// Members with their byte offsets.
    Struct(Vec<(String, u64, Layout)>),
    /// Bytes without a structure worth naming: unions, bit-fields, dynamic objects.
    Opaque,
}

impl Layout {
    /// The C expression, starting from `base`, of the scalar of type `ty` at `offset`, if there is one.
    pub fn lvalue(&self, base: &str, offset: u64, ty: Scalar) -> Option<String> {
        match self {
            Layout::Scalar(s) => (offset == 0 && *s == ty).then(|| base.to_owned()),
            Layout::Array { elem, stride, len } => {
                let index = offset.checked_div(*stride).filter(|i| i < len)?;
                elem.lvalue(&format!("{base}[{index}]"), offset % stride, ty)
            }
            Layout::Struct(members) => members
                .iter()
                .filter(|(_, at, _)| *at <= offset)
                .find_map(|(name, at, inner)| inner.lvalue(&format!("{base}.{name}"), offset - at, ty)),
            Layout::Opaque => None,
        }
    }
}
