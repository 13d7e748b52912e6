//! Whole commands, run as a user would.
#![allow(dead_code)] // Not every test needs everything.

pub mod server;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};

pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dobutsu-ga"));
    command.args(args);
    command
}

pub fn run(args: &[&str]) -> Output {
    command(args).output().expect("the program starts")
}

/// Sends a signal, as in `-INT`.
pub fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.expect("there is a kill").success());
}

/// What a good command prints.
pub fn prints(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Bad input: exit code 2, nothing on standard output, and a complaint with `words` in it.
pub fn refuses(args: &[&str], words: &str) {
    let output = fails(args, words);
    assert!(output.stdout.is_empty(), "{args:?}");
}

/// Exit code 2 and a complaint, after whatever was printed before.
pub fn fails(args: &[&str], words: &str) -> Output {
    let output = run(args);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {complaint}");
    assert!(complaint.contains("error: ") && complaint.contains(words), "{args:?}: {complaint}");
    output
}

/// A fresh folder that is gone when the test is over.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("dobutsu-ga-test-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Every file of a folder with its content.
pub fn contents(folder: impl AsRef<Path>) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap();
    let files = entries.map(|entry| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
    });
    // It knows the time.
    files.filter(|(name, _)| name != "metrics.jsonl").collect()
}

/// The same files with the same bytes; a readable complaint if not.
pub fn assert_same(ours: &BTreeMap<String, Vec<u8>>, theirs: &BTreeMap<String, Vec<u8>>, what: &str) {
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(ours), names(theirs), "{what}");
    for (name, bytes) in ours {
        assert!(bytes == &theirs[name], "{what}: {name} differs");
    }
}
