//! Files that still need the preprocessor are run through the system compiler.

use std::io::Write;
use std::process::{Command, Stdio};

use plumb_cfa::DataModel;

/// The source after `cc -E`, read from the file `name` if there is one (so that its includes are found next to it), else from `source`.
pub fn preprocess(name: &str, source: &[u8], model: DataModel) -> Result<Vec<u8>, String> {
    let width = match model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let compiler = std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty()).unwrap_or_else(|| "cc".to_owned());
    let mut words = compiler.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words).args(["-E", width, "-std=gnu11"]);
    if let Some(dir) = std::path::Path::new(name).parent() {
        let dir = if dir.as_os_str().is_empty() { std::path::Path::new(".") } else { dir };
        command.arg("-I").arg(dir);
    }
    command.args(["-x", "c", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|e| format!("the file needs the preprocessor, but '{compiler}' cannot be run: {e}"))?;
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
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        let first = message.lines().find(|l| l.contains("error")).or_else(|| message.lines().next()).unwrap_or("no message");
        return Err(format!("the preprocessor failed: {first}"));
    }
    Ok(output.stdout)
}
