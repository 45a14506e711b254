//! Where the installed program finds the Z3 library: beside it in a release archive, else where it was built.

fn main() {
    let here = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    println!("cargo:rustc-link-arg-bins=-Wl,-rpath,$ORIGIN/../lib/plumb");
    println!("cargo:rustc-link-arg-bins=-Wl,-rpath,{here}/../../.deps/z3/lib");
    println!("cargo:rerun-if-changed=build.rs");
}
