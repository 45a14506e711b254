//! Symbols of `libppl_c` and `libgmp`, and the few conversions every wrapper needs.

use std::ffi::{c_char, c_int, c_long, c_void, CStr, CString};

/// An opaque PPL object.
pub type Handle = *mut c_void;

/// GMP's `__mpz_struct`.
#[repr(C)]
pub struct Mpz {
    alloc: c_int,
    size: c_int,
    limbs: *mut c_void,
}

extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

const RTLD_NOW: c_int = 2;
const LIBRARIES: [&CStr; 2] = [c"libppl_c.so.4", c"libppl_c.so"];

macro_rules! api {
    ($($name:ident = $symbol:literal : fn($($arg:ty),*) -> $ret:ty;)*) => {
        /// The functions in use.
        pub struct Api {
            $(pub $name: unsafe extern "C" fn($($arg),*) -> $ret,)*
        }

        impl Api {
            fn resolve(library: *mut c_void) -> Result<Api, String> {
                Ok(Api {
                    $($name: {
                        let name = concat!($symbol, "\0");
                        // SAFETY: `library` came from dlopen and `name` ends in NUL.
                        let found = unsafe { dlsym(library, name.as_ptr().cast()) };
                        if found.is_null() {
                            return Err(format!("libppl_c has no `{}`", $symbol));
                        }
                        // SAFETY: ppl_c.h and gmp.h declare the symbol with this signature.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($arg),*) -> $ret>(found) }
                    },)*
                })
            }
        }
    };
}

api! {
    initialize = "ppl_initialize": fn() -> c_int;
    restore_rounding = "ppl_restore_pre_PPL_rounding": fn() -> c_int;
    mpz_init = "__gmpz_init": fn(*mut Mpz) -> ();
    mpz_clear = "__gmpz_clear": fn(*mut Mpz) -> ();
    mpz_set_si = "__gmpz_set_si": fn(*mut Mpz, c_long) -> ();
    mpz_set_str = "__gmpz_set_str": fn(*mut Mpz, *const c_char, c_int) -> c_int;
    mpz_sizeinbase = "__gmpz_sizeinbase": fn(*const Mpz, c_int) -> usize;
    mpz_get_str = "__gmpz_get_str": fn(*mut c_char, c_int, *const Mpz) -> *mut c_char;
    new_coefficient = "ppl_new_Coefficient": fn(*mut Handle) -> c_int;
    assign_coefficient = "ppl_assign_Coefficient_from_mpz_t": fn(Handle, *mut Mpz) -> c_int;
    coefficient_to_mpz = "ppl_Coefficient_to_mpz_t": fn(Handle, *mut Mpz) -> c_int;
    delete_coefficient = "ppl_delete_Coefficient": fn(Handle) -> c_int;
    new_expression = "ppl_new_Linear_Expression_with_dimension": fn(*mut Handle, usize) -> c_int;
    add_to_coefficient = "ppl_Linear_Expression_add_to_coefficient": fn(Handle, usize, Handle) -> c_int;
    add_to_inhomogeneous = "ppl_Linear_Expression_add_to_inhomogeneous": fn(Handle, Handle) -> c_int;
    delete_expression = "ppl_delete_Linear_Expression": fn(Handle) -> c_int;
    new_constraint = "ppl_new_Constraint": fn(*mut Handle, Handle, c_int) -> c_int;
    delete_constraint = "ppl_delete_Constraint": fn(Handle) -> c_int;
    constraint_type = "ppl_Constraint_type": fn(Handle) -> c_int;
    constraint_coefficient = "ppl_Constraint_coefficient": fn(Handle, usize, Handle) -> c_int;
    constraint_constant = "ppl_Constraint_inhomogeneous_term": fn(Handle, Handle) -> c_int;
    constraint_dimension = "ppl_Constraint_space_dimension": fn(Handle, *mut usize) -> c_int;
    new_system = "ppl_new_Constraint_System": fn(*mut Handle) -> c_int;
    delete_system = "ppl_delete_Constraint_System": fn(Handle) -> c_int;
    system_insert = "ppl_Constraint_System_insert_Constraint": fn(Handle, Handle) -> c_int;
    new_iterator = "ppl_new_Constraint_System_const_iterator": fn(*mut Handle) -> c_int;
    delete_iterator = "ppl_delete_Constraint_System_const_iterator": fn(Handle) -> c_int;
    system_begin = "ppl_Constraint_System_begin": fn(Handle, Handle) -> c_int;
    system_end = "ppl_Constraint_System_end": fn(Handle, Handle) -> c_int;
    iterator_get = "ppl_Constraint_System_const_iterator_dereference": fn(Handle, *mut Handle) -> c_int;
    iterator_next = "ppl_Constraint_System_const_iterator_increment": fn(Handle) -> c_int;
    iterator_equal = "ppl_Constraint_System_const_iterator_equal_test": fn(Handle, Handle) -> c_int;
    new_poly = "ppl_new_C_Polyhedron_from_space_dimension": fn(*mut Handle, usize, c_int) -> c_int;
    copy_poly = "ppl_new_C_Polyhedron_from_C_Polyhedron": fn(*mut Handle, Handle) -> c_int;
    delete_poly = "ppl_delete_Polyhedron": fn(Handle) -> c_int;
    poly_is_empty = "ppl_Polyhedron_is_empty": fn(Handle) -> c_int;
    poly_contains = "ppl_Polyhedron_contains_Polyhedron": fn(Handle, Handle) -> c_int;
    poly_equals = "ppl_Polyhedron_equals_Polyhedron": fn(Handle, Handle) -> c_int;
    poly_add_constraints = "ppl_Polyhedron_add_constraints": fn(Handle, Handle) -> c_int;
    poly_relation = "ppl_Polyhedron_relation_with_Constraint": fn(Handle, Handle) -> c_int;
    poly_maximize = "ppl_Polyhedron_maximize": fn(Handle, Handle, Handle, Handle, *mut c_int) -> c_int;
    poly_minimize = "ppl_Polyhedron_minimize": fn(Handle, Handle, Handle, Handle, *mut c_int) -> c_int;
    poly_meet = "ppl_Polyhedron_intersection_assign": fn(Handle, Handle) -> c_int;
    poly_hull = "ppl_Polyhedron_poly_hull_assign": fn(Handle, Handle) -> c_int;
    poly_hull_if_exact = "ppl_Polyhedron_poly_hull_assign_if_exact": fn(Handle, Handle) -> c_int;
    poly_h79 = "ppl_Polyhedron_H79_widening_assign": fn(Handle, Handle) -> c_int;
    poly_image = "ppl_Polyhedron_affine_image": fn(Handle, usize, Handle, Handle) -> c_int;
    poly_preimage = "ppl_Polyhedron_affine_preimage": fn(Handle, usize, Handle, Handle) -> c_int;
    poly_forget = "ppl_Polyhedron_unconstrain_space_dimensions": fn(Handle, *const usize, usize) -> c_int;
    poly_map = "ppl_Polyhedron_map_space_dimensions": fn(Handle, *const usize, usize) -> c_int;
    poly_constraints = "ppl_Polyhedron_get_minimized_constraints": fn(Handle, *mut Handle) -> c_int;
    poly_generators = "ppl_Polyhedron_get_minimized_generators": fn(Handle, *mut Handle) -> c_int;
    new_octagon = "ppl_new_Octagonal_Shape_mpz_class_from_space_dimension": fn(*mut Handle, usize, c_int) -> c_int;
    copy_octagon = "ppl_new_Octagonal_Shape_mpz_class_from_Octagonal_Shape_mpz_class": fn(*mut Handle, Handle) -> c_int;
    delete_octagon = "ppl_delete_Octagonal_Shape_mpz_class": fn(Handle) -> c_int;
    octagon_add_constraints = "ppl_Octagonal_Shape_mpz_class_add_constraints": fn(Handle, Handle) -> c_int;
    octagon_is_empty = "ppl_Octagonal_Shape_mpz_class_is_empty": fn(Handle) -> c_int;
    octagon_constraints = "ppl_Octagonal_Shape_mpz_class_get_constraints": fn(Handle, *mut Handle) -> c_int;
    octagon_join = "ppl_Octagonal_Shape_mpz_class_upper_bound_assign": fn(Handle, Handle) -> c_int;
    octagon_meet = "ppl_Octagonal_Shape_mpz_class_intersection_assign": fn(Handle, Handle) -> c_int;
    octagon_contains = "ppl_Octagonal_Shape_mpz_class_contains_Octagonal_Shape_mpz_class": fn(Handle, Handle) -> c_int;
}

const CONSTRAINT_EQUAL: c_int = 2;
const CONSTRAINT_GREATER_OR_EQUAL: c_int = 3;

impl Api {
    /// Opens the library and initialises it.
    pub fn load() -> Result<Api, String> {
        for name in LIBRARIES {
            // SAFETY: the name ends in NUL; loading runs the library's constructors, which PPL supports.
            let library = unsafe { dlopen(name.as_ptr(), RTLD_NOW) };
            if library.is_null() {
                continue;
            }
            let api = Api::resolve(library)?;
            // SAFETY: first call into the library; the rounding mode PPL sets for floating point is put back at once.
            let status = unsafe {
                let status = (api.initialize)();
                (api.restore_rounding)();
                status
            };
            return if status < 0 { Err(format!("ppl_initialize failed with {status}")) } else { Ok(api) };
        }
        Err("libppl_c.so was not found; install the package libppl-c4 or libppl-dev".to_string())
    }

    /// A coefficient of the given value.
    pub fn coefficient(&self, value: Value) -> Owned<'_> {
        let mut z = self.mpz();
        match value {
            // SAFETY: `z` is initialised.
            Value::Word(v) => unsafe { (self.mpz_set_si)(&mut z.value, v as c_long) },
            Value::Text(s) => {
                let text = CString::new(s).unwrap_or_default();
                // SAFETY: `z` is initialised and `text` ends in NUL.
                let status = unsafe { (self.mpz_set_str)(&mut z.value, text.as_ptr(), 10) };
                assert_eq!(status, 0, "`{s}` is not a decimal integer");
            }
        }
        let mut handle = std::ptr::null_mut();
        // SAFETY: both calls get valid pointers; the coefficient copies `z`.
        unsafe {
            check((self.new_coefficient)(&mut handle));
            check((self.assign_coefficient)(handle, &mut z.value));
        }
        Owned { handle, delete: self.delete_coefficient, _api: self }
    }

    fn mpz(&self) -> OwnedMpz<'_> {
        let mut value = Mpz { alloc: 0, size: 0, limbs: std::ptr::null_mut() };
        // SAFETY: mpz_init initialises the structure it is given.
        unsafe { (self.mpz_init)(&mut value) };
        OwnedMpz { value, api: self }
    }

    /// The value of a coefficient.
    pub fn decimal(&self, coefficient: Handle) -> String {
        let mut z = self.mpz();
        // SAFETY: the buffer has room for the digits, a sign and NUL, as mpz_get_str asks.
        unsafe {
            check((self.coefficient_to_mpz)(coefficient, &mut z.value));
            let mut buffer = vec![0u8; (self.mpz_sizeinbase)(&z.value, 10) + 2];
            (self.mpz_get_str)(buffer.as_mut_ptr().cast(), 10, &z.value);
            CStr::from_bytes_until_nul(&buffer).map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
        }
    }

    /// A linear expression in a space of `dims` dimensions.
    pub fn expression<'a>(&self, dims: usize, terms: impl Iterator<Item = (usize, Value<'a>)>, constant: Value) -> Owned<'_> {
        let mut handle = std::ptr::null_mut();
        // SAFETY: an out pointer.
        unsafe { check((self.new_expression)(&mut handle, dims)) };
        let expression = Owned { handle, delete: self.delete_expression, _api: self };
        for (d, v) in terms {
            let c = self.coefficient(v);
            // SAFETY: live handles.
            unsafe { check((self.add_to_coefficient)(expression.handle, d, c.handle)) };
        }
        let c = self.coefficient(constant);
        // SAFETY: live handles.
        unsafe { check((self.add_to_inhomogeneous)(expression.handle, c.handle)) };
        expression
    }

    /// The constraint `expression = 0` or `expression ≥ 0`.
    pub fn constraint(&self, expression: &Owned, equality: bool) -> Owned<'_> {
        let mut handle = std::ptr::null_mut();
        let kind = if equality { CONSTRAINT_EQUAL } else { CONSTRAINT_GREATER_OR_EQUAL };
        // SAFETY: a live handle and an out pointer.
        unsafe { check((self.new_constraint)(&mut handle, expression.handle, kind)) };
        Owned { handle, delete: self.delete_constraint, _api: self }
    }

    /// The constraints of a system that belongs to somebody else.
    pub fn read_system(&self, system: Handle, dims: usize) -> Vec<crate::Constraint> {
        let iterator = || {
            let mut handle = std::ptr::null_mut();
            // SAFETY: an out pointer.
            unsafe { check((self.new_iterator)(&mut handle)) };
            Owned { handle, delete: self.delete_iterator, _api: self }
        };
        let (at, end) = (iterator(), iterator());
        let value = self.coefficient(Value::Word(0));
        let mut out = Vec::new();
        // SAFETY: live handles; constraints read through the iterator are borrowed from the system.
        unsafe {
            check((self.system_begin)(system, at.handle));
            check((self.system_end)(system, end.handle));
            while check((self.iterator_equal)(at.handle, end.handle)) == 0 {
                let mut c = std::ptr::null_mut();
                check((self.iterator_get)(at.handle, &mut c));
                let mut own = 0;
                check((self.constraint_dimension)(c, &mut own));
                let coefficients = (0..dims).map(|d| {
                    if d >= own {
                        return "0".to_string();
                    }
                    check((self.constraint_coefficient)(c, d, value.handle));
                    self.decimal(value.handle)
                });
                let coefficients = coefficients.collect();
                check((self.constraint_constant)(c, value.handle));
                let constant = self.decimal(value.handle);
                let equality = check((self.constraint_type)(c)) == CONSTRAINT_EQUAL;
                out.push(crate::Constraint { coefficients, constant, equality });
                check((self.iterator_next)(at.handle));
            }
        }
        out
    }
}

/// An integer on its way in.
#[derive(Clone, Copy)]
pub enum Value<'a> {
    Word(i64),
    Text(&'a str),
}

/// A handle that is deleted when dropped.
pub struct Owned<'a> {
    pub handle: Handle,
    pub delete: unsafe extern "C" fn(Handle) -> c_int,
    pub _api: &'a Api,
}

impl Drop for Owned<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle is owned and deleted once.
        unsafe { (self.delete)(self.handle) };
    }
}

struct OwnedMpz<'a> {
    value: Mpz,
    api: &'a Api,
}

impl Drop for OwnedMpz<'_> {
    fn drop(&mut self) {
        // SAFETY: initialised in `Api::mpz`.
        unsafe { (self.api.mpz_clear)(&mut self.value) };
    }
}

/// A status of PPL: negative is an error, which here means a bug of the test.
pub fn check(status: c_int) -> c_int {
    assert!(status >= 0, "PPL error {status}");
    status
}
