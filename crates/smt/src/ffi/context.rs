//! Contexts, parameters and the library itself.

use super::ast::{Ast, Sort};
use dashu_int::IBig;
use std::cell::{OnceCell, RefCell};
use std::ffi::{CStr, CString};
use std::rc::Rc;
use z3_sys::*;

/// The version of the linked library: major, minor, build.
pub(crate) fn library_version() -> (u32, u32, u32) {
    let (mut major, mut minor, mut build, mut revision) = (0, 0, 0, 0);
    // SAFETY: four valid places to write to.
    unsafe { Z3_get_version(&mut major, &mut minor, &mut build, &mut revision) };
    (major, minor, build)
}

/// Sets a parameter of the whole library.
pub(crate) fn set_global(key: &str, value: &str) {
    let (key, value) = (c_string(key), c_string(value));
    // SAFETY: both strings live over the call.
    unsafe { Z3_global_param_set(key.as_ptr(), value.as_ptr()) };
}

pub(super) fn c_string(s: &str) -> CString {
    CString::new(s.replace('\0', "")).unwrap_or_default()
}

/// The string behind a pointer that Z3 owns; empty for null.
pub(super) fn from_c(p: Z3_string) -> String {
    if p.is_null() {
        return String::new();
    }
    // SAFETY: Z3 returns null or a terminated string that lives until the next call; it is copied at once.
    unsafe { CStr::from_ptr(p) }.to_string_lossy().into_owned()
}

/// A Z3 context, shared by everything made in it.
#[derive(Clone)]
pub(crate) struct Context(pub(super) Rc<Inner>);

pub(super) struct Inner {
    pub(super) raw: Z3_context,
    failure: RefCell<Option<String>>,
    /// A valid expression to stand for one that could not be built. Not counted as a reference to the context.
    truth: OnceCell<Z3_ast>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        // SAFETY: every other handle holds an `Rc` of this, so this is the last use.
        unsafe { Z3_del_context(self.raw) };
    }
}

/// Interrupts the work of a context, from any thread.
pub(crate) struct Interrupter(Z3_context);

// SAFETY: `Z3_interrupt` is the one function that may be called while another thread uses the context. The owner makes
// sure that the context outlives the interrupter.
unsafe impl Send for Interrupter {}

impl Interrupter {
    /// Makes the running check, tactic or simplification give up soon.
    pub(crate) fn interrupt(&self) {
        // SAFETY: see above.
        unsafe { Z3_interrupt(self.0) };
    }
}

impl Context {
    /// A context with the given parameters; `None` when the library cannot make one.
    pub(crate) fn new(params: &[(&str, &str)]) -> Option<Context> {
        // SAFETY: the configuration is used for one context and deleted; errors do not call back.
        unsafe {
            let config = Z3_mk_config()?;
            for (key, value) in params {
                let (key, value) = (c_string(key), c_string(value));
                Z3_set_param_value(config, key.as_ptr(), value.as_ptr());
            }
            let raw = Z3_mk_context_rc(config);
            Z3_del_config(config);
            let raw = raw?;
            Z3_set_error_handler(raw, None);
            let context = Context(Rc::new(Inner { raw, failure: RefCell::default(), truth: OnceCell::new() }));
            let truth = Z3_mk_true(raw)?;
            Z3_inc_ref(raw, truth);
            context.0.truth.set(truth).ok()?;
            Some(context)
        }
    }

    /// For a watchdog that ends before this context does.
    pub(crate) fn interrupter(&self) -> Interrupter {
        Interrupter(self.0.raw)
    }

    /// What went wrong while an expression was built, if anything did.
    pub(crate) fn failure(&self) -> Option<String> {
        self.0.failure.borrow().clone()
    }

    /// Notes that something could not be built.
    pub(super) fn fail(&self) {
        // SAFETY: the message is copied at once.
        let message = unsafe { from_c(Z3_get_error_msg(self.0.raw, Z3_get_error_code(self.0.raw))) };
        self.0.failure.borrow_mut().get_or_insert(message);
    }

    pub(super) fn wrap(&self, ast: Option<Z3_ast>) -> Ast {
        match ast.or_else(|| {
            self.fail();
            self.0.truth.get().copied()
        }) {
            Some(raw) => Ast::own(self, raw),
            None => unreachable!("the context was made with its truth"),
        }
    }

    fn symbol(&self, name: &str) -> Option<Z3_symbol> {
        let name = c_string(name);
        // SAFETY: the string lives over the call.
        unsafe { Z3_mk_string_symbol(self.0.raw, name.as_ptr()) }
    }

    /// The constant of this name and sort.
    pub(crate) fn constant(&self, name: &str, sort: &Sort) -> Ast {
        // SAFETY: live handles of this context.
        self.wrap(self.symbol(name).and_then(|s| unsafe { Z3_mk_const(self.0.raw, s, sort.raw) }))
    }

    /// A truth value.
    pub(crate) fn bool(&self, b: bool) -> Ast {
        // SAFETY: no arguments but the context.
        self.wrap(unsafe {
            if b {
                Z3_mk_true(self.0.raw)
            } else {
                Z3_mk_false(self.0.raw)
            }
        })
    }

    /// A numeral of an integer or bit-vector sort (there modulo the width).
    pub(crate) fn numeral(&self, v: &IBig, sort: &Sort) -> Ast {
        // SAFETY: live handles of this context; the string lives over the call.
        self.wrap(unsafe {
            match i64::try_from(v) {
                Ok(v) => Z3_mk_int64(self.0.raw, v, sort.raw),
                Err(_) => Z3_mk_numeral(self.0.raw, c_string(&v.to_string()).as_ptr(), sort.raw),
            }
        })
    }

    /// An integer numeral.
    pub(crate) fn int(&self, v: &IBig) -> Ast {
        self.numeral(v, &self.int_sort())
    }

    /// A bit-vector numeral, modulo 2^w.
    pub(crate) fn bv(&self, v: &IBig, w: u32) -> Ast {
        self.numeral(v, &self.bv_sort(w))
    }

    pub(super) fn wrap_sort(&self, sort: Option<Z3_sort>) -> Sort {
        match sort.or_else(|| {
            self.fail();
            // SAFETY: no arguments but the context.
            unsafe { Z3_mk_bool_sort(self.0.raw) }
        }) {
            Some(raw) => Sort::own(self, raw),
            None => self.bool_sort(),
        }
    }

    /// The Boolean sort.
    pub(crate) fn bool_sort(&self) -> Sort {
        // SAFETY: no arguments but the context.
        self.wrap_sort(unsafe { Z3_mk_bool_sort(self.0.raw) })
    }

    /// The integers.
    pub(crate) fn int_sort(&self) -> Sort {
        // SAFETY: no arguments but the context.
        self.wrap_sort(unsafe { Z3_mk_int_sort(self.0.raw) })
    }

    /// Bit-vectors.
    pub(crate) fn bv_sort(&self, w: u32) -> Sort {
        // SAFETY: no handles.
        self.wrap_sort(unsafe { Z3_mk_bv_sort(self.0.raw, w) })
    }

    /// Floats with `exponent` exponent bits and `precision` significant digits.
    pub(crate) fn fp_sort(&self, exponent: u32, precision: u32) -> Sort {
        // SAFETY: no handles.
        self.wrap_sort(unsafe { Z3_mk_fpa_sort(self.0.raw, exponent, precision) })
    }

    /// Arrays.
    pub(crate) fn array_sort(&self, domain: &Sort, range: &Sort) -> Sort {
        // SAFETY: live handles of this context.
        self.wrap_sort(unsafe { Z3_mk_array_sort(self.0.raw, domain.raw, range.raw) })
    }

    /// A parameter set.
    pub(crate) fn params(&self) -> Option<Params> {
        // SAFETY: the handle owns one reference.
        let raw = unsafe { Z3_mk_params(self.0.raw) }?;
        unsafe { Z3_params_inc_ref(self.0.raw, raw) };
        Some(Params { context: self.clone(), raw })
    }
}

/// A set of parameters for solvers and tactics.
pub(crate) struct Params {
    context: Context,
    pub(super) raw: Z3_params,
}

impl Params {
    /// Sets a number.
    pub(crate) fn uint(self, key: &str, value: u32) -> Params {
        if let Some(key) = self.context.symbol(key) {
            // SAFETY: live handles of this context.
            unsafe { Z3_params_set_uint(self.context.0.raw, self.raw, key, value) };
        }
        self
    }

    /// Sets a truth value.
    pub(crate) fn bool(self, key: &str, value: bool) -> Params {
        if let Some(key) = self.context.symbol(key) {
            // SAFETY: live handles of this context.
            unsafe { Z3_params_set_bool(self.context.0.raw, self.raw, key, value) };
        }
        self
    }
}

impl Drop for Params {
    fn drop(&mut self) {
        // SAFETY: gives back the reference of `Context::params`.
        unsafe { Z3_params_dec_ref(self.context.0.raw, self.raw) };
    }
}
