//! The tuner, run as a user would: the same bytes always, whatever happens on the way.

use std::process::Stdio;
use std::time::Duration;

use crate::common::{Scratch, assert_same, command, contents, fails, prints, refuses};
use dobutsu_ga::arena::play_one;
use dobutsu_ga::experiment::{PaperRun, TunerWork};
use dobutsu_ga::game::{Game, Referee};
use dobutsu_ga::games::dobutsu::eval::{DobutsuEvaluator, Gene, Genome};
use dobutsu_ga::games::dobutsu::{Move, Position, Rules};
use dobutsu_ga::learn::Settings;
use dobutsu_ga::players::{Forfeit, FullWidthPlayer, Player};
use dobutsu_ga::random::{below, pick, stream};
use dobutsu_ga::search::{SearchInfo, SearchLimits, Terminal, minimax, path_minimax};
use rand_chacha::ChaCha8Rng;

const QUICK: [&str; 4] = ["--generations", "60", "--seed", "5"];

fn tuner<'a>(folder: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&QUICK[..], &["--out", folder], more].concat()
}

#[test]
fn the_same_bytes_for_every_number_of_threads() {
    let scratch = Scratch::new("threads");
    let folders = ["1", "2", "8"].map(|threads| {
        let folder = scratch.path(threads);
        prints(&tuner(&folder, &["--threads", threads]));
        contents(folder)
    });
    assert_same(&folders[0], &folders[1], "two threads");
    assert_same(&folders[0], &folders[2], "eight threads");
    let names: Vec<&String> = folders[0].keys().collect();
    let expected = ".checksums champion.toml checkpoint.json chick.png chick.svg convergence.csv generations.csv genes.png genes.svg \
                    population.csv run.toml strength.csv strength.png strength.svg summary.md";
    assert_eq!(names, expected.split_whitespace().collect::<Vec<_>>());
}

/// Short runs of every kind, kept as they came out once: whatever is rebuilt inside, these bytes stay.
#[test]
fn short_runs_come_out_as_they_always_did() {
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let runs: [(&str, &[&str]); 4] = [
        ("paper", &["--generations", "120", "--seed", "5"]),
        ("robust", &["--preset", "robust", "--generations", "3", "--seed", "5", "--games-per-pair", "20"]),
        (
            "full",
            &[
                "--preset",
                "robust",
                "--genes",
                "full",
                "--generations",
                "3",
                "--seed",
                "6",
                "--games-per-pair",
                "4",
            ],
        ),
        (
            "path",
            &["--evaluate", "path", "--terminal", "exact", "--rules", "official", "--generations", "20"],
        ),
    ];
    let scratch = Scratch::new("golden");
    for (name, flags) in runs {
        let folder = scratch.path(name);
        let more: &[&str] = if name == "path" { &["--seed", "7", "--fix-side", "second"] } else { &[] };
        prints(&[flags, more, &["--no-validate", "--out", &folder]].concat());
        for file in std::fs::read_dir(golden.join(name)).unwrap() {
            let file = file.unwrap();
            if file.file_name() == "pictures.txt" {
                let text = std::fs::read_to_string(file.path()).unwrap();
                for (picture, fingerprint) in text.lines().filter_map(|line| line.split_once(' ')) {
                    let bytes = std::fs::read(scratch.0.join(name).join(picture)).unwrap();
                    assert_eq!(dobutsu_ga::files::fingerprint(&bytes), fingerprint, "{name}/{picture}");
                }
                continue;
            }
            let ours = std::fs::read(scratch.0.join(name).join(file.file_name())).unwrap();
            assert!(ours == std::fs::read(file.path()).unwrap(), "{}", file.path().display());
        }
    }
}

fn kill_after(args: &[&str], milliseconds: u64) {
    let mut child = command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(milliseconds));
    let _ = child.kill();
    child.wait().unwrap();
}

#[cfg(unix)]
#[test]
fn an_interrupt_saves_and_says_how_to_go_on() {
    let scratch = Scratch::new("interrupt");
    let (whole, folder) = (scratch.path("whole"), scratch.path("stopped"));
    let settings = ["--generations", "3000", "--fix-side", "second", "--no-validate"];
    prints(&[&settings[..], &["--out", &whole]].concat());
    let child = command(&[&settings[..], &["--out", &folder]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // As soon as there is something to go on with, and a moment for the program to start listening.
    while !std::path::Path::new(&folder).join("checkpoint.json").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(50));
    crate::common::signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains(&format!("To go on: dobutsu-ga resume {folder} --no-validate")), "{said}");
    prints(&["resume", &folder, "--no-validate"]);
    assert_same(&contents(&folder), &contents(&whole), "stopped and resumed");
    assert!(prints(&["resume", &folder]).contains("is complete: --generations N extends it"));
}

/// The games after the last generation can take longer than all before: they can be stopped and taken up too.
#[test]
#[cfg(unix)]
fn the_measuring_games_can_be_stopped() {
    let scratch = Scratch::new("measuring");
    let (whole, folder) = (scratch.path("whole"), scratch.path("stopped"));
    let settings = ["--generations", "2", "--validation-games", "20000"];
    prints(&[&settings[..], &["--out", &whole]].concat());
    let child = command(&[&settings[..], &["--out", &folder]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The next generation would be the third: there is none.
    let over = || {
        let checkpoint = std::fs::read_to_string(scratch.0.join("stopped/checkpoint.json"));
        checkpoint.is_ok_and(|text| text.contains("generation\\\":3"))
    };
    while !over() {
        std::thread::sleep(Duration::from_millis(2));
    }
    crate::common::signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains(&format!("To go on: dobutsu-ga resume {folder}")), "{said}");
    assert!(!scratch.0.join("stopped/summary.md").exists());
    prints(&["resume", &folder]);
    assert_same(&contents(&folder), &contents(&whole), "stopped while measuring");
}

#[test]
fn a_damaged_checkpoint_is_refused() {
    let scratch = Scratch::new("damaged");
    let folder = scratch.path("run");
    prints(&tuner(&folder, &["--no-validate"]));
    let checkpoint = format!("{folder}/checkpoint.json");
    let good = std::fs::read_to_string(&checkpoint).unwrap();
    std::fs::write(&checkpoint, &good[..good.len() / 2]).unwrap();
    refuses(&["resume", &folder], "is damaged or was edited");
    std::fs::write(&checkpoint, good.replacen("generation\\\":61", "generation\\\":60", 1)).unwrap();
    refuses(&["resume", &folder], "is damaged or was edited");
    std::fs::write(&checkpoint, &good).unwrap();
    let settings = format!("{folder}/run.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(&settings, text.replace("seed = 5", "seed = 6")).unwrap();
    refuses(&["resume", &folder], "belongs to other settings than run.toml says");
    std::fs::write(&settings, text.replace("seed = 5", "seed = \"five\"")).unwrap();
    refuses(&["resume", &folder], "run.toml' is damaged or was edited");
    std::fs::write(&settings, text.replace("version = \"", "version = \"0.0.")).unwrap();
    refuses(&["resume", &folder], "was begun by version 0.0.");
    std::fs::remove_file(&checkpoint).unwrap();
    std::fs::write(&settings, text).unwrap();
    refuses(&["resume", &folder], "there is no checkpoint.json in it");
    refuses(&["resume", &scratch.path("nowhere")], "there is no run.toml in it");
}

#[test]
fn a_table_that_lost_lines_is_refused() {
    let scratch = Scratch::new("shorter");
    let folder = scratch.path("run");
    let start = ["--generations", "100000", "--checkpoint-every", "20", "--out", &folder];
    kill_after(&start, 400);
    std::fs::write(format!("{folder}/generations.csv"), "generation\n").unwrap();
    refuses(&["resume", &folder], "it is shorter than when the run was saved");
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let scratch = Scratch::new("shared");
    let folder = scratch.path("run");
    let mut child = command(&["--generations", "100000", "--fix-side", "first", "--out", &folder])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(300));
    refuses(&["resume", &folder], "another process is working there");
    refuses(&tuner(&folder, &["--force"]), "another process is working there");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn the_champion_has_the_values_that_were_frozen_last() {
    let scratch = Scratch::new("frozen");
    let folder = scratch.path("run");
    let settings = [
        "--watch",
        "mean",
        "--converge-sd",
        "100",
        "--converge-window",
        "20",
        "--population",
        "10",
        "--seed",
        "2",
    ];
    prints(&[&settings[..], &["--out", &folder, "--no-validate"]].concat());
    let checkpoint = std::fs::read_to_string(format!("{folder}/checkpoint.json")).unwrap();
    let convergence = std::fs::read_to_string(format!("{folder}/convergence.csv")).unwrap();
    for row in convergence.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let thousandths = cells[2].replace('.', "").trim_start_matches('0').to_string();
        let frozen = format!("{{\\\"generation\\\":{},\\\"value\\\":{thousandths}}}", cells[1]);
        assert!(checkpoint.contains(&frozen), "{row}: {frozen} is not in {checkpoint}");
    }
}

#[test]
fn an_earlier_run_is_never_overwritten_unasked() {
    let scratch = Scratch::new("taken");
    let folder = scratch.path("run");
    prints(&tuner(&folder, &["--no-validate"]));
    let before = contents(&folder);
    refuses(&tuner(&folder, &[]), "is not empty: `dobutsu-ga resume");
    assert_same(&contents(&folder), &before, "refused");
    prints(&tuner(&folder, &["--no-validate", "--force"]));
    assert_same(&contents(&folder), &before, "forced");
}

#[test]
fn bad_settings_get_a_sentence_and_write_nothing() {
    let scratch = Scratch::new("bad");
    let folder = scratch.path("run");
    let config = scratch.path("config.toml");
    let refuse = |more: &[&str], words: &str| refuses(&[&["--out", &folder], more].concat(), words);
    refuse(&["--population", "1"], "population is 1: it must be from 2 to 1000");
    refuse(&["--elite", "6"], "elite is 6: it must be from 1 to 5");
    refuse(&["--mutation", "7"], "mutation is 7: it must be from 0 to 1");
    refuse(&["--mutation", "NaN"], "mutation is NaN");
    for range in ["500..0", "7..7"] {
        refuse(&[&format!("--mutation-range={range}")], "is no range of whole points, as in 0..500");
    }
    for range in ["0..10001", "-1..5"] {
        let words = format!("mutation-range is {range}: it must be from 0 to 10000 points");
        refuse(&[&format!("--mutation-range={range}")], &words);
    }
    refuse(&["--generations", "0"], "generations is 0: it must be from 1");
    refuse(&["--games-per-pair", "3"], "games-per-pair is 3: it must be even");
    refuse(&["--depth", "9"], "depth is 9: it must be from 1 to 6");
    refuse(&["--fix-side", "third"], "it must be first, second or both");
    refuse(&["--config", &scratch.path("nowhere.toml")], "cannot be used: No such file");
    for (text, words) in [
        ("population = 5\npopulation = 6\n", "cannot be used: duplicate key"),
        ("poplation = 5\n", "cannot be used: unknown field `poplation`"),
        ("population = \"five\"\n", "cannot be used: invalid type"),
        ("elite = 9\n", "elite is 9: it must be from 1 to 5"),
        ("preset = \"weak\"\n", "cannot be used: there is no preset 'weak': choose paper or robust"),
    ] {
        std::fs::write(&config, text).unwrap();
        refuse(&["--config", &config], words);
    }
    assert!(!std::path::Path::new(&folder).exists());
    let file = scratch.path("file");
    std::fs::write(&file, "").unwrap();
    refuses(&["--out", &format!("{file}/run")], "cannot look into the folder");
    refuses(&["sweep", "--seeds", "9..1"], "is no range of at most 10000 seeds");
    refuses(&["sweep", "--null", "--fitness", "random"], "cannot be used with --fitness random");
    refuses(&["sweep", "--seed", "3"], "a sweep takes its seeds from --seeds");
    refuses(&["--population", "1000", "--games-per-pair", "10000"], "it must be at most 2000000");
    refuses(&["--seed", "18446744073709551615"], "it must be from 0 to 9223372036854775807");
    refuses(&["reproduce", "figure2", "--games", "3"], "--games and --seed are for tables of games");
}

#[test]
fn flags_win_over_the_config_file_and_the_file_over_the_preset() {
    let scratch = Scratch::new("config");
    let (config, folder) = (scratch.path("config.toml"), scratch.path("run"));
    std::fs::write(&config, "seed = 7\npopulation = 4\ndraw-points = 0.5\ngenerations = 3\n").unwrap();
    prints(&["--config", &config, "--population", "3", "--out", &folder, "--no-validate"]);
    let run = std::fs::read_to_string(format!("{folder}/run.toml")).unwrap();
    for line in
        ["seed = 7", "population = 3", "draw-points = 0.5", "elite = 2", "mutation = 0.03", "version = "]
    {
        assert!(run.contains(line), "{line} is not in\n{run}");
    }
    // What a run says of itself can be run again.
    let again = scratch.path("again");
    prints(&["--config", &format!("{folder}/run.toml"), "--out", &again, "--no-validate"]);
    assert_same(&contents(&again), &contents(&folder), "from its own run.toml");
    // So can what a sweep says, and a fixed side can be taken back.
    let (sweep, one) = (scratch.path("sweep"), scratch.path("one"));
    let short = ["--generations", "3", "--validation-games", "4", "--fix-side", "second"];
    prints(&[&["sweep", "--seeds", "1..2", "--out", &sweep][..], &short].concat());
    let from_sweep = ["--config", &format!("{sweep}/run.toml"), "--out", &one, "--no-validate"];
    prints(&from_sweep);
    let run = || std::fs::read_to_string(format!("{one}/run.toml")).unwrap();
    assert!(run().contains("fix-side = \"second\"") && run().contains("generations = 3"), "{}", run());
    prints(&[&from_sweep[..], &["--fix-side", "both", "--force"]].concat());
    assert!(!run().contains("fix-side"), "{}", run());
}

/// Presets are files, and help shows what they say.
#[test]
fn help_shows_the_defaults_of_the_preset_files() {
    let help = prints(&["--help"]);
    for (file, preset) in [("paper", "paper"), ("robust", "robust")] {
        let path = format!("{}/experiments/presets/{file}.toml", env!("CARGO_MANIFEST_DIR"));
        let table: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
        let population = table["population"].as_integer().unwrap();
        assert!(help.contains(&format!("{preset}: {population}")), "{help}");
    }
    assert!(help.contains("[default: 2; kyoto: 3]"), "the depth of each game\n{help}");
}

#[test]
fn every_option_runs() {
    let scratch = Scratch::new("options");
    let options: [&[&str]; 10] = [
        &["--crossover", "uniform", "--watch", "mean", "--draw-points", "0.5"],
        &["--crossover", "blend", "--terminal", "exact", "--rules", "official"],
        &["--genes", "full", "--population", "3"],
        &["--evaluate", "path", "--population", "3"],
        &["--fitness", "random"],
        &["--depth", "1", "--games-per-pair", "4"],
        &["--converge-window", "5", "--converge-sd", "500"],
        &["--fix-side", "second", "--mutation-range", "10..20", "--lang", "ja"],
        &["--survivors", "2", "--mutation-kind", "step", "--hall", "3"],
        &["--preset", "robust", "--games-per-pair", "2", "--population", "8", "--validation-games", "10"],
    ];
    for (i, more) in options.iter().enumerate() {
        let folder = scratch.path(&format!("run{i}"));
        let said = prints(&[&["--generations", "10", "--out", &folder][..], more].concat());
        assert!(said.contains("written to"), "{more:?}: {said}");
        let champion = format!("genome={folder}/champion.toml");
        prints(&["match", &champion, "random", "--games", "2"]);
    }
    // A window of five generations and a huge deviation freeze everything at once.
    let run = std::fs::read_to_string(scratch.path("run6/convergence.csv")).unwrap();
    assert!(run.lines().skip(1).all(|line| line.split(',').nth(1) == Some("5")), "{run}");
}

#[test]
fn a_sweep_takes_up_where_it_was_killed() {
    let scratch = Scratch::new("sweep");
    let (whole, folder) = (scratch.path("whole"), scratch.path("killed"));
    let sweep = ["sweep", "--seeds", "1..6", "--generations", "150", "--validation-games", "40", "--null"];
    let said = prints(&[&sweep[..], &["--out", &whole]].concat());
    assert!(said.contains("6 runs with coin tosses"), "{said}");
    let again = [&sweep[..], &["--out", &folder]].concat();
    for milliseconds in [40, 90, 150] {
        kill_after(&again, milliseconds);
    }
    prints(&again);
    assert_same(&contents(&folder), &contents(&whole), "killed three times");
    let rows = std::fs::read_to_string(format!("{whole}/runs.csv")).unwrap();
    assert_eq!(rows.lines().count(), 1 + 12);
    fails(&["sweep", "--seeds", "1..7", "--out", &folder], "holds results of other settings");
    // Nothing of other settings is ever taken up, even if the new sweep is killed at once.
    let other =
        ["sweep", "--seeds", "1..6", "--generations", "140", "--validation-games", "40", "--out", &folder];
    kill_after(&[&other[..], &["--force"]].concat(), 20);
    prints(&[&other[..], &["--force"]].concat());
    let fresh = scratch.path("fresh");
    prints(&[&other[..7], &["--out", &fresh]].concat());
    assert_same(&contents(&folder), &contents(&fresh), "forced over other settings");
    std::fs::write(format!("{folder}/seeds.jsonl"), "{}\n").unwrap();
    fails(&other, "seeds.jsonl' is damaged or was edited");
}

/// Coin tosses by themselves are runs like any others.
#[test]
fn a_sweep_of_coin_tosses_counts_its_runs() {
    let scratch = Scratch::new("sweep-random");
    let folder = scratch.path("random");
    let short = ["--seeds", "1..3", "--generations", "3", "--validation-games", "10"];
    let said = prints(&[&["sweep", "--fitness", "random", "--out", &folder][..], &short].concat());
    assert!(said.contains("3 runs, seeds 1 to 3") && said.contains("mean over 3 seeds"), "{said}");
    let rows = std::fs::read_to_string(format!("{folder}/runs.csv")).unwrap();
    assert_eq!(rows.lines().skip(1).filter(|row| row.contains(",random,")).count(), 3, "{rows}");
    let before = contents(&folder);
    prints(&["redraw", &folder]);
    assert_same(&contents(&folder), &before, "redrawn");
}

/// Seeds are kept for one list of rivals only: results against others must not be taken for them.
#[test]
fn kept_seeds_belong_to_their_rivals() {
    let with = |rivals: &[&str]| {
        let rivals = rivals.iter().map(|name| name.to_string()).collect();
        let (seeds, settings) = ("1..2".parse().unwrap(), Settings::paper::<Position>());
        TunerWork { seeds, null: false, settings, rivals, paper: PaperRun::default() }.identity()
    };
    assert_ne!(with(&["table5"]), with(&[]));
    assert_ne!(with(&["table5"]), with(&["table7"]));
}

/// The reference player: plain minimax, the whole list of best moves, one drawn from the same stream.
struct Reference(DobutsuEvaluator, Terminal);

impl Player<Position> for Reference {
    fn choose(
        &mut self,
        game: &Referee<Position>,
        random: &mut ChaCha8Rng,
        _: &SearchLimits,
        _: &mut dyn FnMut(&SearchInfo<Move>),
    ) -> Result<Move, Forfeit> {
        Ok(pick(random, &minimax(game.position(), 2, &self.0, self.1).best))
    }
}

#[test]
fn the_fast_player_plays_the_reference_players_games() {
    for seed in 0..400 {
        let mut random = stream(seed, 1, 1);
        // Small whole numbers make ties; hens below chicks and hands above boards make odd preferences.
        let mut genome = || {
            Gene::MATERIAL.iter().fold(Genome::ZERO, |genome, gene| {
                genome.with(*gene, 1000 * below(&mut random, 8) as i32).unwrap()
            })
        };
        let (first, second) = (DobutsuEvaluator::new(genome()), DobutsuEvaluator::new(genome()));
        let rules = Rules::ALL[seed as usize % 2];
        let terminal = match seed % 5 {
            0 | 1 => Terminal::Exact,
            2 => Terminal::Through,
            _ => Terminal::Paper,
        };
        let mut fast = Referee::new(Position::start(rules));
        let fast_end = play_one(
            &mut fast,
            &mut FullWidthPlayer::new(first, 2, terminal),
            &mut FullWidthPlayer::new(second, 2, terminal),
            &mut stream(seed, 0, 0),
        );
        let mut plain = Referee::new(Position::start(rules));
        let plain_end = play_one(
            &mut plain,
            &mut Reference(first, terminal),
            &mut Reference(second, terminal),
            &mut stream(seed, 0, 0),
        );
        assert_eq!((fast.moves(), fast_end), (plain.moves(), plain_end), "seed {seed}");
    }
}

#[test]
fn the_path_counts_every_position_on_the_way() {
    let evaluator = DobutsuEvaluator::new(Genome::BASE);
    let start = Position::start(Rules::Paper);
    let one = |depth| path_minimax(&start, depth, &evaluator, Terminal::Paper);
    // At one ply the path is the leaf.
    assert_eq!(one(1).value, minimax(&start, 1, &evaluator, Terminal::Paper).value);
    assert_eq!(one(1).best, minimax(&start, 1, &evaluator, Terminal::Paper).best);
    // Capturing the chick (4 + 1) and losing the capturer (4 + 1): 5 on the way, 0 at the end, 5 along the path.
    assert_eq!(minimax(&start, 2, &evaluator, Terminal::Paper).value.to_string(), "+0.00");
    assert_eq!(one(2).value.to_string(), "+5.00");
    assert_eq!(one(2).best.iter().map(|m| start.uci(*m)).collect::<Vec<_>>(), ["b2b3"]);
}
