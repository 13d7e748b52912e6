//! The crossing of all readings, small: the same bytes on any number of threads, and when killed and taken up again.

use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{Scratch, assert_same, command, contents, prints};

/// The experiment that comes with the program, with few games and two of the 36 ways to read mobility.
fn small() -> String {
    let mut text = include_str!("../../experiments/forensic.toml").to_string();
    for line in [
        "table1-games = 2",
        "mobility-games = 4",
        "scan-games = 1",
        "finalists = 3",
        "final-games = 10",
        "test-games = 20",
        "permutations = 19\nmobilities = 1",
    ] {
        let (key, _) = line.split_once(" = ").unwrap();
        let old = text.lines().find(|old| old.starts_with(key)).unwrap().to_string();
        text = text.replacen(&old, line, 1);
    }
    text
}

#[test]
fn the_same_bytes_on_any_number_of_threads_and_when_killed() {
    let scratch = Scratch::new("forensic");
    let file = scratch.path("forensic.toml");
    std::fs::write(&file, small()).unwrap();
    let out = |name: &str| scratch.path(name);
    let run =
        |name: &str, threads: &str| prints(&["reproduce", &file, "--out", &out(name), "--threads", threads]);
    let said = run("one", "1");
    assert!(said.contains("25920 combinations were tried"), "{said}");
    let whole = contents(scratch.0.join("one/forensic"));
    let names: Vec<&String> = whole.keys().collect();
    let expected = ".checksums finalists.csv run.toml summary.md test.csv test.png test.svg worlds.csv";
    assert_eq!(names, expected.split(' ').collect::<Vec<_>>());
    let finalists = String::from_utf8_lossy(&whole["finalists.csv"]);
    assert!(finalists.starts_with("array,terminal,") && finalists.lines().count() > 3, "{finalists}");
    run("two", "2");
    assert_same(&contents(scratch.0.join("two/forensic")), &whole, "two threads");
    // Killed when some of it is done, twice.
    for steps in [3, 12] {
        let mut child = command(&["reproduce", &file, "--out", &out("killed")])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let done = || {
            let kept = std::fs::read_dir(scratch.0.join("killed/forensic/.progress"));
            kept.map_or(0, |entries| entries.count())
        };
        let begun = Instant::now();
        while done() < steps && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(done() >= steps);
    }
    run("killed", "2");
    let _ = std::fs::remove_file(scratch.0.join("killed/forensic/.lock"));
    assert_same(&contents(scratch.0.join("killed/forensic")), &whole, "killed and taken up");
}
