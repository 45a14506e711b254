//! What the tests of the command line share.

#![allow(dead_code)]

pub mod witness;

use std::process::Command;
use std::sync::OnceLock;

/// The program under test.
pub fn plumb() -> Command {
    Command::new(env!("CARGO_BIN_EXE_plumb"))
}

/// Whether gcc can compile and link for 32 bits here.
pub fn has_multilib() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| {
        let dir = std::env::temp_dir().join(format!("plumb-m32-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let source = dir.join("m.c");
        std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
        let ok = Command::new("gcc").arg("-m32").arg("-o").arg(dir.join("m")).arg(&source).output().is_ok_and(|o| o.status.success());
        std::fs::remove_dir_all(&dir).unwrap();
        ok
    })
}

/// A file in a fresh folder that is removed with the value.
pub struct Scratch(pub std::path::PathBuf);

impl Scratch {
    /// A folder.
    pub fn new(name: &str) -> Scratch {
        let dir = std::env::temp_dir().join(format!("plumb-test-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Scratch(dir)
    }

    /// A file in it.
    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> std::path::PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
