//! The arguments of a printing function, and the memory they point to.

use super::super::memory::{Memory, Supply};
use super::super::outcome::{Stop, UbKind};
use super::super::value::{wrap_bits, Val};
use crate::program::DataModel;
use plumb_term::{Float, FloatTy, IntTy, Scalar};

/// Reads the program's memory.
pub(in super::super) struct Reader<'a> {
    pub(in super::super) memory: &'a mut Memory,
    pub(in super::super) supply: &'a mut Supply,
}

impl Reader<'_> {
    /// A byte that is printed: it must be initialised.
    pub(super) fn byte(&mut self, addr: u64) -> Result<u8, Stop> {
        self.memory.byte(None, addr, self.supply)?.ok_or(Stop::Undefined(UbKind::UninitMemory))
    }

    /// `n` bytes.
    pub(super) fn bytes(&mut self, addr: u64, n: u64) -> Result<Vec<u8>, Stop> {
        (0..n).map(|i| self.byte(addr.wrapping_add(i))).collect()
    }

    /// The bytes up to a null byte, at most `limit`.
    pub(super) fn string(&mut self, addr: u64, limit: u64) -> Result<Vec<u8>, Stop> {
        let mut text = Vec::new();
        while (text.len() as u64) < limit {
            match self.byte(addr.wrapping_add(text.len() as u64))? {
                0 => break,
                b => text.push(b),
            }
        }
        Ok(text)
    }

    fn bits(&mut self, addr: u64, n: u64) -> Result<u128, Stop> {
        let mut bits = 0;
        for k in 0..n {
            bits |= u128::from(self.byte(addr.wrapping_add(k))?) << (8 * k);
        }
        Ok(bits)
    }
}

/// The arguments not yet used: passed directly, or through a `va_list`.
pub(in super::super) enum Arguments<'a> {
    Direct(std::slice::Iter<'a, (Scalar, Val)>),
    /// The address of the next one.
    InMemory(u64),
}

fn bad<T>(what: &str) -> Result<T, Stop> {
    Err(Stop::Undefined(UbKind::BadArgument(what.to_owned())))
}

impl<'a> Arguments<'a> {
    pub(super) fn new(args: &'a [(Scalar, Val)]) -> Arguments<'a> {
        Arguments::Direct(args.iter())
    }

    /// Variadic arguments in a block of memory: one after the other, in slots of a multiple of the stack's word.
    pub(super) fn in_memory(list: u64) -> Arguments<'a> {
        Arguments::InMemory(list)
    }

    /// The next value of a type.
    fn next(&mut self, ty: Scalar, reader: &mut Reader<'_>, model: DataModel) -> Result<Val, Stop> {
        match self {
            Arguments::Direct(args) => match args.next() {
                None => bad("a printing function has fewer arguments than its format needs"),
                Some((have, v)) => match (have, ty) {
                    (Scalar::Int(_), Scalar::Int(t)) => match v.bits()? {
                        Some(bits) => Ok(wrap_bits(t, bits)),
                        None => Err(v.misuse()),
                    },
                    (Scalar::Float(_), Scalar::Float(t)) => Ok(Val::Float(v.float()?.convert(t))),
                    _ => bad("an argument of a printing function does not have the type that its format names"),
                },
            },
            Arguments::InMemory(at) => {
                let slot = slot(ty, model);
                let bits = reader.bits(*at, ty.bytes())?;
                *at = at.wrapping_add(slot);
                Ok(Val::from_bits(ty, bits))
            }
        }
    }

    pub(super) fn int(&mut self, ty: IntTy, reader: &mut Reader<'_>, model: DataModel) -> Result<Val, Stop> {
        self.next(Scalar::Int(ty), reader, model)
    }

    pub(super) fn float(&mut self, ty: FloatTy, reader: &mut Reader<'_>, model: DataModel) -> Result<Float, Stop> {
        self.next(Scalar::Float(ty), reader, model)?.float()
    }

    pub(super) fn byte(&mut self, reader: &mut Reader<'_>, model: DataModel) -> Result<u8, Stop> {
        match self.int(IntTy::I32, reader, model)? {
            Val::Int(v) => Ok(v as u8),
            other => Err(other.misuse()),
        }
    }

    pub(super) fn address(&mut self, reader: &mut Reader<'_>, model: DataModel) -> Result<u64, Stop> {
        match self.int(model.pointer(), reader, model)? {
            Val::Int(v) => u64::try_from(v).map_err(|_| Stop::ill_sorted()),
            other => Err(other.misuse()),
        }
    }

    /// The next direct argument, as an unsigned number.
    pub(super) fn pointer(&mut self, model: DataModel) -> Result<u64, Stop> {
        let Arguments::Direct(args) = self else { return Err(Stop::ill_sorted()) };
        let Some((_, v)) = args.next() else { return bad("a printing function has too few arguments") };
        match (v.bits()?, v, model.pointer()) {
            (Some(bits), Val::Int(_), t) => match wrap_bits(t, bits) {
                Val::Int(a) => u64::try_from(a).map_err(|_| Stop::ill_sorted()),
                _ => Err(Stop::ill_sorted()),
            },
            (None, v, _) => Err(v.misuse()),
            _ => Err(Stop::ill_sorted()),
        }
    }

    /// The string that the next direct argument points to.
    pub(super) fn string(&mut self, reader: &mut Reader<'_>) -> Result<Vec<u8>, Stop> {
        let addr = self.pointer(DataModel::Lp64)?;
        reader.string(addr, u64::MAX)
    }

    /// Whether the next direct argument is a null pointer.
    pub(super) fn peek_null(&self) -> bool {
        match self {
            Arguments::Direct(args) => matches!(args.as_slice().first(), Some((_, Val::Int(0)))),
            Arguments::InMemory(_) => false,
        }
    }
}

/// How many bytes a variadic argument takes in the block.
fn slot(ty: Scalar, model: DataModel) -> u64 {
    let word = match model {
        DataModel::Ilp32 => 4,
        DataModel::Lp64 => 8,
    };
    ty.bytes().div_ceil(word) * word
}
