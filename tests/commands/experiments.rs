//! docs/experiments.md: every example runs, and every kind has one.

use std::collections::BTreeSet;

use crate::common::{Scratch, command};
use dobutsu_ga::games::{dobutsu, hasami, kyoto, quoridor};
use dobutsu_ga::run::kinds;

/// The examples of the page.
fn examples() -> Vec<String> {
    let page = include_str!("../../docs/experiments.md");
    let blocks = page.split("```toml\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap().to_string()).collect()
}

#[test]
fn every_example_runs() {
    let scratch = Scratch::new("experiment-examples");
    let nowhere = scratch.path("none.table");
    for (number, text) in examples().iter().enumerate() {
        let file = scratch.path(&format!("example{number}.toml"));
        std::fs::write(&file, text).unwrap();
        let output = command(&["reproduce", &file, "--out", &scratch.path("results")])
            .env("DOBUTSU_GA_TABLE", &nowhere)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).to_string();
        if text.contains("[arms]") {
            // It is understood, and asks for the solution of the game, which is not here.
            assert!(said.contains("dobutsu-ga solve"), "{text}\n{said}");
            continue;
        }
        assert!(output.status.success(), "{text}\n{said}");
        let summary = scratch.0.join(format!("results/example{number}"));
        let there = |name: &str| summary.join(name).exists();
        assert!((there("summary.md") || there("table.md")) && there("run.toml"), "{text}");
    }
}

#[test]
fn every_kind_has_an_example() {
    let mut all: Vec<&str> = kinds::<dobutsu::Position>().iter().map(|kind| kind.name).collect();
    all.extend(kinds::<kyoto::Position>().iter().map(|kind| kind.name));
    all.extend(kinds::<quoridor::Position>().iter().map(|kind| kind.name));
    all.extend(kinds::<hasami::Position>().iter().map(|kind| kind.name));
    let examples = examples();
    for kind in all {
        let is_there =
            |text: &String| text.contains(&format!("\n[{kind}]")) || text.contains(&format!("\n[{kind}."));
        assert!(examples.iter().any(is_there), "docs/experiments.md has no example of '{kind}'");
    }
}

/// `compare` writes an experiment file of arms and checks its input.
#[test]
fn compare_checks_what_it_is_given() {
    let scratch = Scratch::new("compare");
    let out = scratch.path("results");
    let compare = |more: &[&str]| {
        let args = [&["compare", "--seeds", "1..2", "--generations", "3", "--out", &out][..], more].concat();
        let output = command(&args).env("DOBUTSU_GA_TABLE", scratch.path("none.table")).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).to_string()
    };
    for (vary, words) in [
        ("population", "write SETTING=A,B"),
        ("people=5,10", "the tuner has no setting 'people'"),
        ("population=5,many", "'many' is no population, it must be from 2 to 1000"),
        ("elite=2,9", "elite=9: elite is 9: it must be from 1 to 5"),
    ] {
        let said = compare(&["--vary", vary]);
        assert!(said.contains(words), "{vary}: {said}");
    }
    assert!(compare(&["--vary", "elite=1,2", "--seed", "3"]).contains("takes its seeds from --seeds"));
    assert!(compare(&["--vary", "depth=2,3", "--game", "kyoto"]).contains("kyoto is not solved"));
    // Everything is understood; the solution of the game is missing.
    let said = compare(&["--vary", "population=5,10", "--vary", "elite=1,2"]);
    assert!(said.contains("dobutsu-ga solve"), "{said}");
    let file = std::fs::read_to_string(format!("{out}/compare-population-5-10--elite-1-2.toml")).unwrap();
    for name in
        ["population=5, elite=1", "population=5, elite=2", "population=10, elite=1", "population=10, elite=2"]
    {
        assert!(file.contains(&format!("name = \"{name}\"")), "{file}");
    }
}

/// With --force nothing of another definition stays in its folder.
#[test]
fn force_never_mixes_two_definitions() {
    let scratch = Scratch::new("experiment-force");
    let file = scratch.path("mine.toml");
    let out = scratch.path("results");
    let examples = examples();
    let with = |kind: &str| examples.iter().find(|text| text.contains(&format!("\n[{kind}]"))).unwrap();
    let reproduce = |kind: &str, force: &[&str]| {
        std::fs::write(&file, with(kind)).unwrap();
        command(&[&["reproduce", &file, "--out", &out][..], force].concat()).output().unwrap()
    };
    let names = || {
        let entries = std::fs::read_dir(scratch.0.join("results/mine")).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<BTreeSet<_>>()
    };
    assert!(reproduce("duels", &[]).status.success());
    let duels = names();
    // What is not ours stays.
    std::fs::write(scratch.0.join("results/mine/notes.txt"), "mine").unwrap();
    assert_eq!(reproduce("tuner", &[]).status.code(), Some(2));
    assert!(reproduce("tuner", &["--force"]).status.success());
    let tuner = names();
    assert!(!tuner.contains("duels.csv") && tuner.contains("notes.txt"), "{tuner:?}");
    std::fs::remove_file(scratch.0.join("results/mine/notes.txt")).unwrap();
    assert!(reproduce("duels", &["--force"]).status.success());
    assert_eq!(names(), duels);
}
