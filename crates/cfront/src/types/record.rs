//! Structures and unions: members, and where gcc puts them.

use super::{Kind, Len, Ty, Types, MAX_SIZE};
use crate::ast::RecordKind;
use crate::Symbol;

/// Index of a record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RecordId(pub u32);

/// A member as declared.
#[derive(Clone, Debug)]
pub struct FieldSpec {
    /// Its name; none for unnamed bit-fields and anonymous records.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: Ty,
    /// The width of a bit-field.
    pub bits: Option<u32>,
    /// An alignment asked for by attribute or `_Alignas` of the member.
    pub align: Option<u64>,
    /// The alignment of a typedef that says its own.
    pub type_align: Option<u64>,
    /// Attribute `packed` on the member.
    pub packed: bool,
}

/// A member in place.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub name: Option<Symbol>,
    /// Its type.
    pub ty: Ty,
    /// Distance from the start of the record, in bits; a multiple of 8 except for bit-fields.
    pub bit_offset: u64,
    /// The width of a bit-field.
    pub bits: Option<u32>,
}

impl Field {
    /// Distance from the start of the record in whole bytes.
    pub fn offset(&self) -> u64 {
        self.bit_offset / 8
    }
}

/// A structure or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Structure or union.
    pub kind: RecordKind,
    /// Its tag.
    pub tag: Option<Symbol>,
    /// The members in order.
    pub fields: Vec<Field>,
    /// Alignment in bytes.
    pub align: u64,
    size: Option<u64>,
}

impl Record {
    /// Size in bytes; `None` while incomplete.
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// Whether it is a union.
    pub fn is_union(&self) -> bool {
        self.kind == RecordKind::Union
    }
}

impl Types {
    /// A new, incomplete record.
    pub fn new_record(&mut self, kind: RecordKind, tag: Option<Symbol>) -> RecordId {
        self.records.push(Record { kind, tag, fields: Vec::new(), align: 1, size: None });
        RecordId(self.records.len() as u32 - 1)
    }

    /// A record.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// Whether the type is complete (its size, constant or not, is known).
    pub fn is_complete(&self, ty: Ty) -> bool {
        match self.kind(ty) {
            Kind::Void => false,
            Kind::Array(t, n) => *n != Len::Unknown && self.is_complete(*t),
            Kind::Record(r) => self.record(*r).size.is_some(),
            _ => true,
        }
    }

    /// Lays out the members. `pack` is the limit of `#pragma pack`, `align` the alignment asked for by attribute.
    pub fn complete_record(&mut self, id: RecordId, specs: &[FieldSpec], packed: bool, pack: Option<u64>, align: Option<u64>) {
        let union = self.record(id).is_union();
        let mut fields = Vec::with_capacity(specs.len());
        let (mut end, mut size, mut record_align) = (0u64, 0u64, 1u64);
        for spec in specs {
            let packed = packed || spec.packed;
            let type_align = spec.type_align.unwrap_or_else(|| self.field_align(spec.ty));
            let limit = pack.unwrap_or(u64::MAX);
            // As gcc has it (`layout_decl`): what the member asks for, else its type; an empty bit-field ignores both ways of packing.
            let own = match spec.bits {
                Some(0) => type_align.max(spec.align.unwrap_or(1)),
                Some(_) => spec.align.unwrap_or(1).min(limit),
                None if packed => spec.align.unwrap_or(1).min(limit),
                None => type_align.max(spec.align.unwrap_or(1)).min(limit),
            };
            let start = if union { 0 } else { end };
            let start = if spec.bits.is_none_or(|n| n == 0) || spec.align.is_some() { start.next_multiple_of(own * 8) } else { start };
            let at = match spec.bits {
                None => {
                    record_align = record_align.max(own);
                    start
                }
                Some(0) => start,
                Some(width) => {
                    if spec.name.is_some() {
                        let of_type = match pack {
                            Some(limit) => type_align.min(limit),
                            None if packed => 1,
                            None => type_align,
                        };
                        record_align = record_align.max(own).max(of_type);
                    }
                    let unit = 8 * type_align;
                    let whole = 8 * self.size(spec.ty).unwrap_or(4);
                    let spans = (start % unit + u64::from(width)).div_ceil(unit);
                    if !packed && pack.is_none() && spans > whole / unit {
                        start.next_multiple_of(unit)
                    } else {
                        start
                    }
                }
            };
            let bits = match spec.bits {
                Some(width) => u64::from(width),
                None => 8 * self.size(spec.ty).unwrap_or(0),
            };
            // Far beyond every address space; such a record has no size.
            end = (at + bits).min(16 * MAX_SIZE);
            size = size.max(end);
            if spec.bits != Some(0) {
                fields.push(Field { name: spec.name, ty: spec.ty, bit_offset: at, bits: spec.bits });
            }
        }
        let align = record_align.max(align.unwrap_or(1));
        let record = &mut self.records[id.0 as usize];
        record.fields = fields;
        record.align = align;
        record.size = Some(size.div_ceil(8).next_multiple_of(align)).filter(|size| *size < MAX_SIZE);
    }

    /// The member `name` and its path through anonymous records: the bit offset from the start of `id`, and the field.
    pub fn find_field(&self, id: RecordId, name: Symbol) -> Option<(u64, &Field)> {
        // Anonymous records nest as deep as the syntax tree at most; the tree's height is bounded.
        for field in &self.record(id).fields {
            if field.name == Some(name) {
                return Some((field.bit_offset, field));
            }
            if let (None, None, Kind::Record(inner)) = (field.name, field.bits, self.kind(field.ty)) {
                if let Some((at, found)) = self.find_field(*inner, name) {
                    return Some((field.bit_offset + at, found));
                }
            }
        }
        None
    }
}
