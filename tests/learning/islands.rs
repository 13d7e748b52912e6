//! Islands and shares of a sweep, run as a user would: what comes out does not depend on who did which part.

use crate::common::{Scratch, assert_same, contents, fails, prints, refuses};

const RUN: [&str; 8] = ["--islands", "4", "--migrate-every", "5", "--seed", "3", "--validation-games", "20"];

fn run<'a>(folder: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&RUN[..], &["--out", folder], more].concat()
}

#[test]
fn the_same_bytes_for_every_number_of_threads() {
    let scratch = Scratch::new("islands-threads");
    let folders = ["1", "2", "8"].map(|threads| {
        let folder = scratch.path(threads);
        prints(&run(&folder, &["--generations", "23", "--threads", threads]));
        contents(folder)
    });
    assert_same(&folders[0], &folders[1], "two threads");
    assert_same(&folders[0], &folders[2], "eight threads");
    let text = |name: &str| String::from_utf8(folders[0][name].clone()).unwrap();
    let toml = text("run.toml");
    for line in ["islands = 4", "migrate-every = 5", "migrants = 1", "topology = \"ring\""] {
        assert!(toml.contains(line), "{toml}");
    }
    let population = text("population.csv");
    assert!(population.starts_with("generation,rank,points,games,island,"), "{population}");
    // Five candidates on each of four islands in each of 23 generations.
    assert_eq!(population.lines().count(), 1 + 23 * 20);
    let homes = population.lines().skip(1).take(20).map(|line| line.split(',').nth(4).unwrap());
    assert_eq!(
        (1..=4).map(|island| homes.clone().filter(|home| *home == island.to_string()).count()).max(),
        Some(5)
    );
    let generations = text("generations.csv");
    assert_eq!(generations.lines().count(), 24);
    assert!(
        generations.lines().skip(1).all(|line| line.split(',').nth(3) == Some("80")),
        "games of all islands"
    );
}

#[test]
fn one_island_is_a_run_as_ever() {
    let scratch = Scratch::new("islands-one");
    let (plain, one) = (scratch.path("plain"), scratch.path("one"));
    let short = ["--generations", "10", "--seed", "4", "--no-validate"];
    prints(&[&short[..], &["--out", &plain]].concat());
    prints(&[&short[..], &["--islands", "1", "--out", &one]].concat());
    assert_same(&contents(&plain), &contents(&one), "one island");
}

#[test]
fn where_migrants_come_from_matters_and_the_first_island_begins_as_the_run_would() {
    let scratch = Scratch::new("islands-topology");
    let lines = |name: &str, more: &[&str]| -> Vec<String> {
        let folder = scratch.path(name);
        prints(&[&["--generations", "12", "--seed", "4", "--no-validate", "--out", &folder], more].concat());
        let text = String::from_utf8(contents(&folder)["population.csv"].clone()).unwrap();
        text.lines().skip(1).map(String::from).collect()
    };
    let ring = lines("ring", &["--islands", "3", "--migrate-every", "4"]);
    let full =
        lines("full", &["--islands", "3", "--migrate-every", "4", "--topology", "full", "--migrants", "2"]);
    assert_eq!(ring[..4 * 15], full[..4 * 15], "before they first meet");
    assert_ne!(ring, full);
    let alone = lines("alone", &[]);
    // Its genes are those of the fourth column on; on an island the fifth says where it lives.
    let genes = |line: &String, from: usize| line.split(',').skip(from).map(String::from).collect::<Vec<_>>();
    let first: Vec<_> = ring[..15].iter().filter(|line| line.split(',').nth(4) == Some("1")).collect();
    let mut ours: Vec<_> = first.iter().map(|line| genes(line, 5)).collect();
    let mut theirs: Vec<_> = alone[..5].iter().map(|line| genes(line, 4)).collect();
    ours.sort();
    theirs.sort();
    assert_eq!(ours, theirs);
}

#[test]
fn every_game_has_islands() {
    let scratch = Scratch::new("islands-games");
    for game in ["kyoto", "quoridor", "hasami"] {
        let folder = scratch.path(game);
        let more =
            ["--game", game, "--depth", "1", "--generations", "2", "--no-validate", "--population", "3"];
        let islands = ["--islands", "2", "--migrate-every", "1", "--out", &folder];
        let said = prints(&[&more[..], &islands].concat());
        assert!(said.contains("2 generations, 24 games"), "{said}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    refuses(&["--migrants", "1"], "--migrants has no effect with --islands 1");
    refuses(&["--migrate-every", "5", "--islands", "1"], "--migrate-every has no effect with --islands 1");
    refuses(&["--topology", "full"], "--topology has no effect with --islands 1");
    refuses(&["--islands", "0"], "islands is 0: it must be from 1 to 10000");
    refuses(&["--islands", "2", "--migrants", "5"], "migrants is 5: it must be from 1 to 4");
    refuses(&["--islands", "2", "--migrate-every", "0"], "migrate-every is 0");
    refuses(&["--islands", "2", "--topology", "star"], "invalid value 'star'");
}

const SWEEP: [&str; 8] =
    ["sweep", "--seeds", "1..4", "--null", "--generations", "30", "--validation-games", "20"];

#[test]
fn shares_of_a_sweep_are_joined_to_what_one_gives() {
    let scratch = Scratch::new("shares");
    let whole = scratch.path("whole");
    prints(&[&SWEEP[..], &["--out", &whole]].concat());
    let shares: Vec<String> = (1..=3).map(|share| scratch.path(&format!("share{share}"))).collect();
    for (number, share) in (1..).zip(&shares) {
        let said = prints(&[&SWEEP[..], &["--shard", &format!("{number}/3"), "--out", share]].concat());
        assert!(
            said.starts_with(&format!("Share {number}/3: {} of 8 runs", [3, 3, 2][number - 1])),
            "{said}"
        );
    }
    let merged = scratch.path("merged");
    // In any order.
    prints(&["sweep", "--merge", &shares[2], &shares[0], &shares[1], "--out", &merged]);
    assert_same(&contents(&merged), &contents(&whole), "merged");
    // Again, it is the same sweep.
    prints(&["sweep", "--merge", &shares[0], &shares[1], &shares[2], "--out", &merged]);
    let other = scratch.path("other");
    prints(&[
        "sweep",
        "--seeds",
        "1..4",
        "--generations",
        "20",
        "--validation-games",
        "20",
        "--shard",
        "3/3",
        "--out",
        &other,
    ]);
    refuses(&["sweep", "--merge", &shares[0], &shares[1]], "shares are missing: 3/3");
    refuses(&["sweep", "--merge", &shares[0], &shares[1], &other], "are shares of different sweeps");
    refuses(&["sweep", "--merge", &shares[0], &shares[0]], "are both share 1/3");
    refuses(&["sweep", "--merge", &whole], "it was not made by sweep --shard");
    refuses(&["sweep", "--merge", &scratch.path("nothing")], "there is no run.toml in it");
    fails(
        &["sweep", "--merge", &shares[0], &shares[1], &shares[2], "--out", &other],
        "holds results of other settings",
    );
    let seeds = scratch.path("share2/seeds.jsonl");
    let text = std::fs::read_to_string(&seeds).unwrap();
    std::fs::write(&seeds, text.lines().take(1).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    refuses(
        &["sweep", "--merge", &shares[0], &shares[1], &shares[2]],
        "is not complete: 1 of its 3 runs are done",
    );
    std::fs::write(&seeds, text.replacen("\"seed\":", "\"seed\": ", 1)).unwrap();
    refuses(&["sweep", "--merge", &shares[0], &shares[1], &shares[2]], "is damaged or was edited (line 1)");
    refuses(&["sweep", "--shard", "4/3"], "'4/3' is no share: 3/10 is the third of ten");
    refuses(&["sweep", "--shard", "0/3"], "is no share");
    refuses(&["sweep", "--seeds", "1..2", "--shard", "3/3"], "there are only 2 runs, so at most 2 shares");
    refuses(&["sweep", "--merge", &shares[0], "--depth", "3"], "cannot be used with");
    refuses(&["sweep", "--merge", &shares[0], "--seeds", "1..3"], "cannot be used with");
}
