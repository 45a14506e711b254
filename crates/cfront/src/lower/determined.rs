//! Library functions without a model whose results the program determines.
//!
//! A function without a body returns any value: that is what an unknown part of the program, or its environment, may do. What `strtol` makes of "5" is not
//! unknown, plumb only does not compute it. Any value is then too many, which is right for a proof, but no error path may depend on it.

/// By name; those of C's standard, POSIX and glibc that plumb neither models nor refuses.
const DETERMINED: [&str; 60] = [
    "___errno",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "__errno_location",
    "__error",
    "atof",
    "btowc",
    "difftime",
    "fegetexcept",
    "fetestexcept",
    "ffs",
    "ffsl",
    "ffsll",
    "gamma",
    "htonl",
    "htons",
    "imaxabs",
    "imaxdiv",
    "j0",
    "j1",
    "jn",
    "lldiv",
    "memccpy",
    "memmem",
    "memrchr",
    "nan",
    "ntohl",
    "ntohs",
    "rawmemchr",
    "significand",
    "stpncpy",
    "strcasestr",
    "strchrnul",
    "strcoll",
    "strlcat",
    "strlcpy",
    "strsep",
    "strtod",
    "strtof",
    "strtoimax",
    "strtok",
    "strtok_r",
    "strtol",
    "strtold",
    "strtoll",
    "strtoq",
    "strtoul",
    "strtoull",
    "strtoumax",
    "strtouq",
    "strverscmp",
    "strxfrm",
    "towctrans",
    "towlower",
    "towupper",
    "wctob",
    "wctype",
    "y0",
    "y1",
    "yn",
];

/// Functions of mathematics, each also with the suffixes `f` and `l`.
const OF_FLOATS: [&str; 5] = ["ilogb", "nan", "nexttoward", "scalb", "scalbln"];

/// Whether the result of a function is determined by the program, although plumb does not compute it.
pub(super) fn is_determined(name: &str) -> bool {
    let of_floats = |n: &str| OF_FLOATS.contains(&n);
    DETERMINED.contains(&name) || of_floats(name) || name.strip_suffix(['f', 'l']).is_some_and(of_floats) || is_wide(name)
}

/// Wide characters and strings.
fn is_wide(name: &str) -> bool {
    let class = |n: &str| {
        ["alnum", "alpha", "blank", "cntrl", "ctype", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"].contains(&n)
    };
    let string = |n: &str| {
        [
            "casecmp", "cat", "chr", "cmp", "coll", "cpy", "cspn", "len", "ncasecmp", "ncat", "ncmp", "ncpy", "nlen", "pbrk", "rchr",
            "spn", "str", "tod", "tof", "tok", "tol", "told", "toll", "toul", "toull", "width", "xfrm",
        ]
        .contains(&n)
    };
    name.strip_prefix("isw").is_some_and(class)
        || name.strip_prefix("wcs").is_some_and(string)
        || matches!(name, "wmemchr" | "wmemcmp" | "wmemcpy" | "wmemmove" | "wmemset")
}
