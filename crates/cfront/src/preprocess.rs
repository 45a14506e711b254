//! Files that still need the preprocessor are run through the system compiler.
//!
//! Programs are read with 32-bit types unless the user says otherwise, and many systems have a compiler that knows these types but no headers for them (Debian
//! has them in `gcc-multilib`). The C library's 64-bit headers serve both widths, except for one generated file that lists missing functions and may be
//! empty: it is supplied where the headers for 32 bits are missing.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use plumb_cfa::DataModel;

/// The source after `cc -E`, read from the file `name` if there is one (so that its includes are found next to it), else from `source`.
pub fn preprocess(name: &str, source: &[u8], model: DataModel) -> Result<Vec<u8>, String> {
    let compiler = Compiler::of_system();
    let width = match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    match compiler.run(name, source, &[width.into()])? {
        Ok(text) => Ok(text),
        Err(message) if model == DataModel::Ilp32 && message.contains("No such file") => {
            let again = Headers::supplied(&compiler).map(|headers| {
                let options = [OsString::from(width)].into_iter().chain(headers.options()).collect::<Vec<_>>();
                compiler.run(name, source, &options)
            });
            match again {
                Some(Ok(Ok(text))) => Ok(text),
                // The user's own mistake shows where the headers are there.
                Some(Ok(Err(message))) => Err(failed(&message)),
                _ => Err(failed(&message)),
            }
        }
        Err(message) => Err(failed(&message)),
    }
}

fn failed(message: &str) -> String {
    let first = message.lines().find(|l| l.contains("error")).or_else(|| message.lines().next()).unwrap_or("no message");
    format!("the preprocessor failed: {first}")
}

/// The compiler of the system, or the one that `CC` names, with its options.
struct Compiler {
    words: Vec<String>,
}

impl Compiler {
    fn of_system() -> Compiler {
        let named: Vec<String> = std::env::var("CC").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
        Compiler { words: if named.is_empty() { vec!["cc".to_owned()] } else { named } }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        command
    }

    /// The text, or what the compiler says against it.
    fn run(&self, name: &str, source: &[u8], options: &[OsString]) -> Result<Result<Vec<u8>, String>, String> {
        let mut command = self.command();
        command.args(["-E", "-std=gnu11"]).args(options);
        if let Some(dir) = Path::new(name).parent() {
            let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
            command.arg("-I").arg(dir);
        }
        command.args(["-x", "c", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child =
            command.spawn().map_err(|e| format!("the file needs the preprocessor, but '{}' cannot be run: {e}", self.words.join(" ")))?;
        let writer = child.stdin.take().map(|mut pipe| {
            // The marker gives positions the user's file name.
            let mut input = format!("# 1 \"{}\"\n", name.replace('\\', "\\\\").replace('"', "\\\"")).into_bytes();
            input.extend_from_slice(source);
            std::thread::spawn(move || pipe.write_all(&input))
        });
        let output = child.wait_with_output().map_err(|e| format!("the preprocessor failed: {e}"))?;
        if let Some(writer) = writer {
            // A compiler that stops early closes the pipe; its status tells.
            let _ = writer.join();
        }
        Ok(if output.status.success() { Ok(output.stdout) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) })
    }
}

/// What stands in for headers of 32 bits, as long as it lives.
struct Headers {
    /// A folder with the generated file, empty.
    stubs: PathBuf,
    /// Where the system has those of 64 bits, if it keeps them apart.
    apart: Option<PathBuf>,
}

impl Headers {
    fn supplied(compiler: &Compiler) -> Option<Headers> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let unique = format!("plumb-headers-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let stubs = std::env::temp_dir().join(unique);
        std::fs::create_dir(&stubs).ok()?;
        // From here on the folder is removed again.
        let mut headers = Headers { stubs, apart: None };
        std::fs::create_dir(headers.stubs.join("gnu")).ok()?;
        std::fs::write(headers.stubs.join("gnu/stubs-32.h"), "").ok()?;
        let told = compiler.command().arg("-print-multiarch").stdin(Stdio::null()).output().ok()?;
        let triplet = String::from_utf8(told.stdout).ok()?;
        headers.apart = Some(Path::new("/usr/include").join(triplet.trim())).filter(|d| !triplet.trim().is_empty() && d.is_dir());
        Some(headers)
    }

    /// Behind all others, so that what the system has counts.
    fn options(&self) -> impl Iterator<Item = OsString> + '_ {
        let folders = [Some(&self.stubs), self.apart.as_ref()].into_iter().flatten();
        folders.flat_map(|d| [OsString::from("-idirafter"), d.into()])
    }
}

impl Drop for Headers {
    fn drop(&mut self) {
        // What is left in the folder for temporary files does no harm.
        let _ = std::fs::remove_dir_all(&self.stubs);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str =
        "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\nint64_t a;\n#if __WORDSIZE == 32\nint narrow;\n#endif\n";

    #[test]
    fn headers_of_32_bits_need_not_be_installed() {
        let text = String::from_utf8(preprocess("x.c", SOURCE.as_bytes(), DataModel::Ilp32).unwrap()).unwrap();
        assert!(text.contains("int narrow;") && text.contains("typedef unsigned int size_t;"), "{text}");
        let text = String::from_utf8(preprocess("x.c", SOURCE.as_bytes(), DataModel::Lp64).unwrap()).unwrap();
        assert!(!text.contains("int narrow;") && text.contains("typedef long unsigned int size_t;"), "{text}");
    }

    /// The stand-in says the same as the headers of the system, where these are there.
    #[test]
    fn supplied_headers_mean_the_same() {
        let compiler = Compiler::of_system();
        let Ok(Ok(installed)) = compiler.run("x.c", SOURCE.as_bytes(), &["-m32".into()]) else { return };
        let headers = Headers::supplied(&compiler).unwrap();
        // As if there were only the headers that the compiler and the library share.
        let own = compiler.command().arg("-print-file-name=include").output().unwrap().stdout;
        let own = String::from_utf8(own).unwrap();
        let options = ["-m32", "-nostdinc", "-idirafter", own.trim(), "-idirafter", "/usr/include"].map(OsString::from);
        let options: Vec<OsString> = options.into_iter().chain(headers.options()).collect();
        let supplied = compiler.run("x.c", SOURCE.as_bytes(), &options).unwrap().unwrap();
        let code = |text: &[u8]| -> Vec<String> {
            String::from_utf8_lossy(text).lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty()).map(str::to_owned).collect()
        };
        assert_eq!(code(&supplied), code(&installed));
    }

    #[test]
    fn mistakes_are_told_and_nothing_is_left_behind() {
        let why = preprocess("x.c", b"#include <stdlib.h>\n#include \"there_is_none.h\"\n", DataModel::Ilp32).unwrap_err();
        assert!(why.contains("there_is_none.h"), "{why}");
        let prefix = format!("plumb-headers-{}-", std::process::id());
        let headers = Headers::supplied(&Compiler::of_system()).unwrap();
        let path = headers.stubs.clone();
        assert!(path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(&prefix)) && path.join("gnu/stubs-32.h").exists());
        drop(headers);
        assert!(!path.exists());
    }
}
