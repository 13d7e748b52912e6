//! Pictures: drawn from tables, as PNG and as SVG, and drawn again without playing.

use std::path::Path;

use crate::common::{Scratch, assert_same, contents, prints, refuses};
use dobutsu_ga::experiment::built_in_names;
use dobutsu_ga::games::{dobutsu, hasami, kyoto, quoridor};
use dobutsu_ga::report::{Format, Language};
use dobutsu_ga::run::{Lab, redraw};

/// What the repository shows is what the commands draw.
#[test]
fn committed_pictures_are_drawn_from_the_committed_tables() {
    fn check<G: Lab>(names: impl IntoIterator<Item = String>) {
        for name in names {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results").join(&name);
            let pictures =
                redraw::<G>(&folder, Language::En, None).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(!pictures.is_empty(), "{name}");
            for (file, bytes) in pictures.iter().flat_map(|picture| picture.files(Format::Both)) {
                let committed = std::fs::read(folder.join(&file));
                assert!(
                    committed.is_ok_and(|committed| committed == bytes),
                    "{name}/{file} is not what redraw draws"
                );
                assert!(bytes.len() < 300_000, "{name}/{file} has {} bytes", bytes.len());
            }
        }
    }
    check::<dobutsu::Position>(
        built_in_names::<dobutsu::Position>().into_iter().chain(["guideline".to_string()]),
    );
    check::<kyoto::Position>(built_in_names::<kyoto::Position>());
    check::<quoridor::Position>(built_in_names::<quoridor::Position>());
    check::<hasami::Position>(
        built_in_names::<hasami::Position>().into_iter().chain(["hasami/champion".to_string()]),
    );
}

const RUN: [&str; 7] = ["--generations", "25", "--seed", "5", "--fix-side", "second", "--no-validate"];

/// Deletes the pictures of a folder and draws them again.
fn drawn_again(folder: &str, more: &[&str]) {
    let before = contents(folder);
    let pictures = before.keys().filter(|name| name.ends_with(".png") || name.ends_with(".svg"));
    for name in pictures {
        std::fs::remove_file(Path::new(folder).join(name)).unwrap();
    }
    prints(&[&["redraw", folder], more].concat());
    assert_same(&contents(folder), &before, "drawn again");
}

#[test]
fn pictures_drawn_again_are_the_same() {
    let scratch = Scratch::new("redraw");
    let run = scratch.path("run");
    prints(&[&RUN[..], &["--out", &run]].concat());
    drawn_again(&run, &[]);
    let sweep = scratch.path("sweep");
    prints(&[
        "sweep",
        "--game",
        "kyoto",
        "--seeds",
        "1..2",
        "--generations",
        "2",
        "--games-per-pair",
        "2",
        "--depth",
        "1",
        "--out",
        &sweep,
    ]);
    drawn_again(&sweep, &[]);
    let weights = scratch.path("pa");
    prints(&["learn", "pa", "--rounds", "3", "--depth", "1", "--validation-games", "2", "--out", &weights]);
    drawn_again(&weights, &[]);
    prints(&["reproduce", "table2", "--games", "3", "--out", &scratch.path("results")]);
    drawn_again(&scratch.path("results/table2"), &[]);
    let file = format!("{}/experiments/table3.toml", env!("CARGO_MANIFEST_DIR"));
    let mine = scratch.path("mine.toml");
    std::fs::copy(&file, &mine).unwrap();
    prints(&["reproduce", &mine, "--games", "3", "--out", &scratch.path("results")]);
    drawn_again(&scratch.path("results/mine"), &["--experiment", &mine]);
}

#[test]
fn the_format_is_chosen_and_changes_nothing_else() {
    let scratch = Scratch::new("format");
    let folders = ["png", "svg", "both"].map(|format| {
        let folder = scratch.path(format);
        prints(&[&RUN[..], &["--out", &folder, "--format", format]].concat());
        contents(&folder)
    });
    let [png, svg, both] = &folders;
    let without = |folder: &std::collections::BTreeMap<String, Vec<u8>>, ending: &str| -> Vec<String> {
        folder.keys().filter(|name| !name.ends_with(ending)).cloned().collect()
    };
    assert_eq!(png.keys().cloned().collect::<Vec<_>>(), without(both, ".svg"));
    assert_eq!(svg.keys().cloned().collect::<Vec<_>>(), without(both, ".png"));
    for (name, bytes) in png.iter().chain(svg) {
        assert!(both[name] == *bytes, "{name}");
    }
    // A run is complete with the pictures that were asked for.
    assert!(prints(&["resume", &scratch.path("png"), "--format", "png"]).contains("is complete"));
    prints(&["redraw", &scratch.path("png"), "--format", "svg"]);
    assert_same(&contents(scratch.path("png")), both, "the other format drawn later");
}

#[test]
fn pictures_can_be_drawn_again_in_japanese() {
    let scratch = Scratch::new("japanese");
    let run = scratch.path("run");
    prints(&[&RUN[..], &["--out", &run]].concat());
    prints(&["redraw", &run, "--lang", "ja", "--format", "svg"]);
    let genes = String::from_utf8(contents(&run)["genes.svg"].clone()).unwrap();
    assert!(genes.contains("ひよこ（盤上）") && !genes.contains("chick"), "{genes}");
}

/// A finished run is complete only as long as its files are what was written; pictures can always be drawn again.
#[test]
fn a_changed_digit_is_found() {
    let scratch = Scratch::new("digit");
    let run = scratch.path("run");
    prints(&[&RUN[..], &["--out", &run]].concat());
    for name in [
        "run.toml",
        "generations.csv",
        "population.csv",
        "convergence.csv",
        "strength.csv",
        "champion.toml",
        "summary.md",
    ] {
        let path = Path::new(&run).join(name);
        let whole = std::fs::read(&path).unwrap();
        let mut bytes = whole.clone();
        let digit = bytes.iter().rposition(u8::is_ascii_digit).unwrap();
        bytes[digit] = if bytes[digit] == b'1' { b'2' } else { b'1' };
        std::fs::write(&path, bytes).unwrap();
        for command in ["resume", "redraw"] {
            refuses(&[command, &run], "");
        }
        std::fs::write(&path, whole).unwrap();
    }
    assert!(prints(&["resume", &run]).contains("is complete"));
    prints(&["redraw", &run]);
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let scratch = Scratch::new("undrawn");
    let folder = scratch.path("run");
    std::fs::create_dir(&folder).unwrap();
    refuses(&["redraw", &folder], "holds no results: there is no run.toml in it");
    std::fs::write(Path::new(&folder).join("run.toml"), "experiment = \"table2\"\n").unwrap();
    refuses(&["redraw", &folder], "there is no table 'table.csv': the work that writes it is not finished");
    std::fs::write(Path::new(&folder).join("table.csv"), "first_wins,second_wins,draws,plies\n1,2,three,4\n")
        .unwrap();
    refuses(
        &["redraw", &folder],
        "the table 'table.csv' is damaged or was edited (line 2): 'three' is no draws",
    );
    std::fs::write(Path::new(&folder).join("run.toml"), "experiment = \"mine\"\n").unwrap();
    refuses(&["redraw", &folder], "'mine', which is none of the program's own: say --experiment");
    std::fs::write(Path::new(&folder).join("run.toml"), "game = \"go\"\nexperiment = \"table2\"\n").unwrap();
    refuses(&["redraw", &folder], "there is no game 'go'");
    refuses(&["grade", "random", "--format", "svg"], "--format has no effect without --out");
}
