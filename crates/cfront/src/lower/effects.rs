//! What functions without a body do besides returning something.
//!
//! **Problem.** A function that the program only declares returns any value and, as far as plumb is concerned, does nothing else. For a
//! part of the user's program that is missing, this is what users ask for, and the function is listed. For a function of the C
//! library it would be wrong: everybody knows what `fgets` does to its buffer.
//!
//! **Rule.** A function is the library's if a declaration stands in a system header, or if the C standard defines its name. A call of
//! one that plumb does not model is unsupported when it is reached, unless all that it is given are numbers, null pointers and pointers
//! through which it only reads (to `const`, to what the program cannot look into, or to streams). Some library functions
//! change the machine without a pointer; they are always unsupported.

use plumb_term::{IBig, Span};

use super::place::Value;
use super::Lowerer;
use crate::ast::*;
use crate::types::{Kind, Ty};

/// Functions of the C library, with their numbers of arguments, that write through pointers or call functions back, for programs that declare
/// them by hand: those of the standard, and those of POSIX that programs use.
const WRITERS: [(&str, usize); 107] = [
    ("asctime_r", 2),
    ("at_quick_exit", 1),
    ("atexit", 1),
    ("bsearch", 5),
    ("call_once", 2),
    ("clock_gettime", 2),
    ("ctime_r", 2),
    ("erand48", 1),
    ("explicit_bzero", 2),
    ("fegetenv", 1),
    ("fegetexceptflag", 2),
    ("feholdexcept", 1),
    ("fgetpos", 2),
    ("fgets", 3),
    ("fgetws", 3),
    ("fread", 4),
    ("frexp", 2),
    ("frexpf", 2),
    ("frexpl", 2),
    ("fstat", 2),
    ("ftw", 3),
    ("getcwd", 2),
    ("getdelim", 4),
    ("gethostname", 2),
    ("getline", 3),
    ("getrlimit", 2),
    ("gets", 1),
    ("gets_s", 2),
    ("gettimeofday", 2),
    ("gmtime_r", 2),
    ("localtime_r", 2),
    ("jrand48", 1),
    ("lsearch", 5),
    ("lstat", 2),
    ("mbrtowc", 4),
    ("mbsrtowcs", 4),
    ("mbstowcs", 3),
    ("mbtowc", 3),
    ("memccpy", 4),
    ("mkstemp", 1),
    ("mktime", 1),
    ("modf", 2),
    ("modff", 2),
    ("modfl", 2),
    ("nanosleep", 2),
    ("nftw", 4),
    ("nrand48", 1),
    ("on_exit", 2),
    ("pread", 4),
    ("pthread_join", 2),
    ("pthread_once", 2),
    ("qsort", 4),
    ("qsort_r", 5),
    ("rand_r", 1),
    ("random_r", 2),
    ("read", 3),
    ("readlink", 3),
    ("readv", 3),
    ("realpath", 2),
    ("recv", 4),
    ("recvfrom", 6),
    ("recvmsg", 3),
    ("remquo", 3),
    ("remquof", 3),
    ("remquol", 3),
    ("setbuf", 2),
    ("setvbuf", 4),
    ("sincos", 3),
    ("stpncpy", 3),
    ("strerror_r", 3),
    ("strftime", 4),
    ("strlcat", 3),
    ("strlcpy", 3),
    ("strsep", 2),
    ("strtod", 2),
    ("strtof", 2),
    ("strtok", 2),
    ("strtok_r", 3),
    ("strtol", 3),
    ("strtold", 2),
    ("strtoll", 3),
    ("strtoul", 3),
    ("strtoull", 3),
    ("strxfrm", 3),
    ("swab", 3),
    ("swprintf", 3),
    ("tdelete", 3),
    ("time", 1),
    ("tmpnam", 1),
    ("tsearch", 3),
    ("twalk", 2),
    ("uname", 1),
    ("vfscanf", 3),
    ("vscanf", 2),
    ("vsscanf", 3),
    ("waitpid", 3),
    ("wcrtomb", 3),
    ("wcscat", 2),
    ("wcscpy", 2),
    ("wcsncat", 3),
    ("wcsncpy", 3),
    ("wcstombs", 3),
    ("wcsxfrm", 3),
    ("wctomb", 2),
    ("wmemcpy", 3),
    ("wmemmove", 3),
    ("wmemset", 3),
];

/// Library functions that change the machine, or end the program, whatever they are given.
const CHANGERS: [(&str, usize); 10] = [
    ("getopt", 3),
    ("getopt_long", 5),
    ("getopt_long_only", 5),
    ("fesetround", 1),
    ("fesetenv", 1),
    ("feupdateenv", 1),
    ("feenableexcept", 1),
    ("raise", 1),
    ("kill", 2),
    ("pthread_kill", 2),
];

/// Beginnings of the names of library functions whose first argument is an object that no other code looks into.
const OWN_OBJECTS: [&str; 9] =
    ["pthread_mutex_", "pthread_mutexattr_", "pthread_cond_", "pthread_attr_", "pthread_rwlock_", "pthread_spin_", "sem_", "mtx_", "cnd_"];

/// Tags of structures that only the library looks into, although the program could.
const STREAMS: [&str; 3] = ["_IO_FILE", "__sFILE", "__dirstream"];

/// What the declarations of a function say about its effects.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manner {
    /// Whether one stands in a system header.
    pub system: bool,
    /// For each parameter of the last prototype, whether it points to something `const`.
    pub reads_only: Vec<bool>,
}

impl<'a> Lowerer<'a> {
    /// Takes note of a declaration.
    pub(super) fn note_manner(&mut self, f: usize, declarator: &'a Declarator) {
        let span = declarator.name.map_or(Span::NONE, |n| n.span);
        let system = self.units[self.unit].tree.system.contains(&span.file);
        let manner = &mut self.funcs[f].manner;
        manner.system |= system;
        if let Some(Derived::Function { params: Params::Prototype { params, .. }, .. }) = declarator.derived.last() {
            manner.reads_only = params.iter().map(points_to_const).collect();
        }
    }

    /// Whether a function without a body does something to the program, given these arguments, that plumb would not notice.
    pub(super) fn has_hidden_effects(&self, f: usize, args: &[Value]) -> bool {
        let func = &self.funcs[f];
        let name = self.name(func.name);
        let called = (name, args.len());
        if CHANGERS.contains(&called) {
            return true;
        }
        if !func.manner.system && !WRITERS.contains(&called) {
            return false;
        }
        let params = self.types.as_function(func.ty).and_then(|t| t.params.clone());
        let own = OWN_OBJECTS.iter().any(|p| name.starts_with(p));
        args.iter().enumerate().skip(usize::from(own)).any(|(i, arg)| {
            let ty = params.as_ref().and_then(|p| p.get(i)).copied().unwrap_or(arg.ty);
            let reads_only = func.manner.reads_only.get(i).copied().unwrap_or(false);
            !reads_only && arg.term.as_int().is_none_or(|v| *v != IBig::ZERO) && self.is_writable(ty)
        })
    }

    /// Whether the program could notice that something is written through a pointer of this type.
    fn is_writable(&self, ty: Ty) -> bool {
        let Some(pointee) = self.types.pointee(ty) else { return false };
        match self.types.kind(pointee) {
            Kind::Record(r) => {
                let stream = self.types.record(*r).tag.is_some_and(|t| STREAMS.contains(&self.name(t)));
                !stream && self.types.is_complete(pointee)
            }
            _ => true,
        }
    }
}

/// Whether a parameter is declared as a pointer (or an array) of something `const`.
fn points_to_const(param: &Param) -> bool {
    match param.declarator.derived.split_last() {
        Some((Derived::Pointer { .. } | Derived::Array { .. }, [])) => param.specs.quals.is_const,
        Some((Derived::Pointer { .. } | Derived::Array { .. }, [.., Derived::Pointer { quals, .. }])) => quals.is_const,
        _ => false,
    }
}
