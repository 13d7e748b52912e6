//! What an unlucky or a hostile user meets: closed pipes, full disks, two writers, killed runs, contradictions.
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Scratch, assert_same, command, contents, fails, prints, refuses};

/// Runs a command whose output nobody reads.
fn unread(args: &[&str]) {
    let mut child = command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn results_are_written_even_if_nobody_reads_the_output() {
    let scratch = Scratch::new("unread");
    let (first, second) = (scratch.path("match.jsonl"), scratch.path("tournament.jsonl"));
    unread(&["match", "material", "random", "--games", "4", "--records", &first]);
    unread(&["tournament", "material", "random", "mobility", "--games", "2", "--records", &second]);
    assert_eq!(std::fs::read_to_string(&first).unwrap().lines().count(), 4);
    assert_eq!(std::fs::read_to_string(&second).unwrap().lines().count(), 6);
    let out = scratch.path("results");
    unread(&["reproduce", "table2", "--games", "2", "--out", &out]);
    assert!(scratch.0.join("results/table2/table.csv").exists());
    assert!(scratch.0.join("results/table2/run.toml").exists());
}

#[test]
fn a_full_output_is_an_error_after_the_results_are_written() {
    let scratch = Scratch::new("full");
    let out = scratch.path("results");
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output =
        command(&["reproduce", "table2", "--games", "2", "--out", &out]).stdout(full()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write the output"));
    assert!(scratch.0.join("results/table2/run.toml").exists());
}

/// A line of progress comes every ten seconds: it must not end the run that it speaks of.
#[test]
fn a_run_goes_on_when_nobody_hears_of_it() {
    let scratch = Scratch::new("unheard");
    let folder = scratch.path("run");
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut child = command(&["--generations", "1000000", "--threads", "1", "--out", &folder])
        .args(["--fix-side", "first"])
        .stdout(Stdio::null())
        .stderr(full)
        .spawn()
        .unwrap();
    // Most of the time it is held, and leaves the processor to other tests; the clock goes on.
    std::thread::sleep(Duration::from_millis(1_000));
    crate::common::signal(&child, "-STOP");
    std::thread::sleep(Duration::from_millis(9_500));
    crate::common::signal(&child, "-CONT");
    std::thread::sleep(Duration::from_millis(2_000));
    let ended = child.try_wait().unwrap();
    let _ = child.kill();
    let _ = child.wait();
    assert!(ended.is_none(), "the run ended with its first line of progress: {ended:?}");
}

#[test]
fn experiments_that_need_the_solution_say_so_before_any_work() {
    let scratch = Scratch::new("unsolved");
    let (file, out, nowhere) = (scratch.path("mine.toml"), scratch.path("out"), scratch.path("none.table"));
    let grid = include_str!("../../experiments/table2.toml").replacen("material:depth=2", "perfect", 1);
    let (from, to) = ("[tuner.settings]", "[tuner.settings]\nfitness = \"oracle\"");
    let tuner = include_str!("../../experiments/table7.toml").replacen(from, to, 1);
    for text in [grid, tuner] {
        std::fs::write(&file, text).unwrap();
        let output =
            command(&["reproduce", &file, "--out", &out]).env("DOBUTSU_GA_TABLE", &nowhere).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("the experiment 'mine'") && said.contains("`dobutsu-ga solve"), "{said}");
        assert!(!std::path::Path::new(&out).exists());
    }
}

#[test]
fn contradictions_are_refused_by_name() {
    let scratch = Scratch::new("contradictions");
    let out = scratch.path("run");
    let refuse = |args: &[&str], words: &[&str]| {
        let output = fails(&[args, &["--out", &out]].concat(), "leave one of them out");
        let said = String::from_utf8_lossy(&output.stderr).to_string();
        words.iter().for_each(|word| assert!(said.contains(word), "{args:?}: {said}"));
        assert!(!std::path::Path::new(&out).exists(), "{args:?}");
    };
    for option in [["--converge-window", "50"], ["--converge-sd", "20"], ["--watch", "mean"]] {
        for with in [["--preset", "robust"], ["--fix-side", "first"], ["--survivors", "2"]] {
            refuse(&[option, with].concat(), &[option[0], &with.join(" ")]);
        }
    }
    for option in [["--hall", "3"], ["--games-per-pair", "4"], ["--draw-points", "0.5"]] {
        refuse(&[option, ["--fitness", "random"]].concat(), &[option[0], "--fitness random"]);
    }
    for option in [["--mutation-kind", "step"], ["--mutation-range", "0..9"]] {
        refuse(&[option, ["--mutation", "0"]].concat(), &[option[0], "--mutation 0"]);
    }
    refuse(&["--doubt", "3"], &["--doubt", "--survivors 0"]);
    refuse(&["--validation-games", "30", "--no-validate"], &["--validation-games", "--no-validate"]);
    // The same from a file: a whole one of another preset, and a line that means nothing.
    let config = scratch.path("config.toml");
    prints(&["--generations", "2", "--no-validate", "--out", &scratch.path("paper")]);
    let run = scratch.path("paper/run.toml");
    refuse(&["--config", &run, "--preset", "robust"], &["preset = \"paper\"", "--preset"]);
    std::fs::write(&config, "fix-side = \"first\"\nwatch = \"mean\"\n").unwrap();
    refuse(&["--config", &config], &["watch", "--fix-side first"]);
    // What is given again as it is by default in its preset is no contradiction.
    prints(&["--config", &run, "--preset", "paper", "--no-validate", "--out", &out]);
    refuses(
        &["fit", "--positions", "all", "--seed", "3"],
        "--positions all leaves nothing to chance: --seed has no meaning with it",
    );
    refuses(
        &["grade", "material:depth=2", "random", "--depths", "1-3"],
        "--depths has no meaning for material:depth=2, random",
    );
}

#[test]
fn doubt_is_an_option() {
    let scratch = Scratch::new("doubt");
    let out = scratch.path("run");
    let robust = ["--preset", "robust", "--generations", "1", "--population", "8", "--games-per-pair", "2"];
    prints(&[&robust[..], &["--doubt", "77", "--no-validate", "--out", &out]].concat());
    let run = std::fs::read_to_string(scratch.path("run/run.toml")).unwrap();
    assert!(run.contains("doubt = 77\n"), "{run}");
}

#[test]
fn a_run_killed_before_it_was_first_saved_begins_again() {
    let scratch = Scratch::new("early");
    let (whole, folder) = (scratch.path("whole"), scratch.path("run"));
    let args = ["--generations", "30", "--no-validate", "--out"];
    prints(&[&args[..], &[&whole]].concat());
    let settings = std::fs::read(scratch.path("whole/run.toml")).unwrap();
    // Whatever of these was there when the power went.
    let leftovers: [&[&str]; 4] = [
        &[".lock"],
        &[".lock", "generations.csv", "population.csv"],
        &[".lock", "generations.csv", "population.csv", ".run.toml.123.dobutsu-ga-tmp"],
        &[".lock", "generations.csv", "population.csv", "run.toml", ".checkpoint.json.9.dobutsu-ga-tmp"],
    ];
    for (i, names) in leftovers.iter().enumerate() {
        for way in ["again", "resume"] {
            std::fs::create_dir(&folder).unwrap();
            for name in *names {
                let content = if *name == "run.toml" { &settings[..] } else { b"generat" };
                std::fs::write(scratch.0.join("run").join(name), content).unwrap();
            }
            match way {
                "resume" if names.contains(&"run.toml") => {
                    prints(&["resume", &folder, "--no-validate"]);
                }
                "resume" => refuses(&["resume", &folder], "there is no run.toml in it"),
                _ => {
                    prints(&[&args[..], &[&folder]].concat());
                }
            }
            if way == "again" || names.contains(&"run.toml") {
                assert_same(&contents(&folder), &contents(&whole), &format!("{way}, leftovers {i}"));
            }
            std::fs::remove_dir_all(&folder).unwrap();
        }
    }
    // Something of the user's is never taken for leftovers.
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(scratch.path("run/notes.txt"), "precious").unwrap();
    refuses(&[&args[..], &[&folder]].concat(), "is not empty");
}

/// A match that is at work until it is dropped.
struct Working(Child);

impl Working {
    fn start(args: &[&str], sign: &std::path::Path) -> Working {
        let child = command(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        while !sign.exists() {
            assert!(begun.elapsed() < Duration::from_secs(20), "{} never came", sign.display());
            std::thread::sleep(Duration::from_millis(5));
        }
        Working(child)
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn of_two_writers_the_second_is_told_before_it_works() {
    let scratch = Scratch::new("writers");
    let file = scratch.path("games.jsonl");
    let long = ["match", "material:depth=5", "material:depth=5", "--games", "100000", "--records", &file];
    let working = Working::start(&long, &scratch.0.join(".games.jsonl.dobutsu-ga-lock"));
    let begun = Instant::now();
    refuses(&long, "another process is writing it");
    refuses(&[&long[..], &["--force"]].concat(), "another process is writing it");
    assert!(begun.elapsed() < Duration::from_secs(10));
    drop(working);
    // A killed writer leaves nothing in the way.
    prints(&["match", "random", "random", "--games", "2", "--records", &file]);
    assert_eq!(std::fs::read_to_string(&file).unwrap().lines().count(), 2);
    assert_eq!(std::fs::read_dir(&scratch.0).unwrap().count(), 1);
}

#[test]
fn force_spares_devices_links_and_live_runs() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new("force");
    let (precious, link, fifo) = (scratch.path("precious"), scratch.path("link"), scratch.path("fifo"));
    std::fs::write(&precious, "precious").unwrap();
    symlink(&precious, &link).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let records = |file| ["match", "random", "random", "--games", "2", "--force", "--records", file];
    refuses(&records(&link), "it is a link: name the file itself");
    refuses(&records(&fifo), "it is not a file that could be written");
    refuses(&records("/dev/null"), "it is not a file that could be written");
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    // A growing file of a run is no way to another file either.
    let run = scratch.path("run");
    std::fs::create_dir(&run).unwrap();
    symlink(&precious, scratch.path("run/generations.csv")).unwrap();
    prints(&["--generations", "3", "--no-validate", "--out", &run, "--force"]);
    assert_eq!(std::fs::read_to_string(&precious).unwrap(), "precious");

    let live = scratch.path("results/table2");
    let _working = Working::start(
        &["--generations", "1000000", "--fix-side", "first", "--out", &live],
        &scratch.0.join("results/table2/checkpoint.json"),
    );
    let reproduce = ["reproduce", "table2", "--games", "2", "--force", "--out", &scratch.path("results")];
    refuses(&reproduce, "another process is working there");
    refuses(&records(&scratch.path("results/table2/generations.csv")), "working in its folder");
}

#[test]
fn a_changed_byte_is_noticed() {
    let scratch = Scratch::new("byte");
    let folder = scratch.path("run");
    let start = ["--generations", "100000", "--checkpoint-every", "20", "--out", &folder];
    {
        let working = Working::start(&start, &scratch.0.join("run/checkpoint.json"));
        std::thread::sleep(Duration::from_millis(400));
        drop(working);
    }
    for name in ["generations.csv", "population.csv"] {
        let path = scratch.0.join("run").join(name);
        let good = std::fs::read(&path).unwrap();
        let mut bad = good.clone();
        let digit = bad.iter().position(|byte| *byte == b'0').unwrap();
        bad[digit] = b'1';
        std::fs::write(&path, &bad).unwrap();
        refuses(&["resume", &folder], "it was changed after the run was saved");
        std::fs::write(&path, &good).unwrap();
    }
    let sweep = scratch.path("sweep");
    let args =
        ["sweep", "--seeds", "1..2", "--generations", "20", "--validation-games", "10", "--out", &sweep];
    prints(&args);
    let path = scratch.path("sweep/seeds.jsonl");
    let good = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, good.replacen("\"generations\":20", "\"generations\":21", 1)).unwrap();
    fails(&args, "seeds.jsonl' is damaged or was edited");
    // The lines know it by themselves, too.
    std::fs::remove_file(scratch.path("sweep/.checksums")).unwrap();
    fails(&args, "seeds.jsonl' is damaged or was edited (line 1)");
    // Results of other settings do not pass for these.
    std::fs::write(&path, &good).unwrap();
    let run = scratch.path("sweep/run.toml");
    let text = std::fs::read_to_string(&run).unwrap();
    std::fs::write(&run, text.replace("generations = 20", "generations = 21")).unwrap();
    let other =
        ["sweep", "--seeds", "1..2", "--generations", "21", "--validation-games", "10", "--out", &sweep];
    fails(&other, "seeds.jsonl' is damaged or was edited (line 1)");
}

#[test]
fn resume_says_what_a_folder_holds_instead() {
    let scratch = Scratch::new("instead");
    let sweep = scratch.path("sweep");
    prints(&["sweep", "--seeds", "1..1", "--generations", "5", "--validation-games", "4", "--out", &sweep]);
    assert!(prints(&["resume", &sweep]).contains("Written to"));
    let out = scratch.path("results");
    prints(&["reproduce", "table2", "--games", "2", "--out", &out]);
    assert!(
        prints(&["resume", &scratch.path("results/table2")])
            .contains("is complete: `dobutsu-ga reproduce table2`")
    );
    let tuned = concat!(env!("CARGO_MANIFEST_DIR"), "/results/table5");
    assert!(prints(&["resume", tuned]).contains("is complete: `dobutsu-ga reproduce table5`"));
    // An experiment of a file is named by that file.
    let file = scratch.path("curve.toml");
    let text = "title = \"A curve\"\nquestion = \"Which?\"\nanalysis = \"\"\n[curve]\nseeds = \"1..2\"\npopulation = 4\nelite = 1\nmutations = [0.1]\ngenerations = 3\n";
    std::fs::write(&file, text).unwrap();
    prints(&["reproduce", &file, "--out", &out]);
    let curve = scratch.path("results/curve");
    assert!(prints(&["resume", &curve]).contains(&format!("is complete: `dobutsu-ga reproduce {file}`")));
    std::fs::remove_file(scratch.path("results/curve/summary.md")).unwrap();
    assert!(prints(&["resume", &curve]).contains("results/curve"));
    let summary = std::fs::read_to_string(scratch.path("results/curve/summary.md")).unwrap();
    assert!(!summary.contains("## Analysis"), "{summary}");
    let guideline = concat!(env!("CARGO_MANIFEST_DIR"), "/results/guideline");
    refuses(&["resume", guideline], "the results of `dobutsu-ga guideline`");
    let run = scratch.path("run");
    prints(&["--generations", "5", "--no-validate", "--out", &run]);
    let settings = scratch.path("run/run.toml");
    let text = std::fs::read_to_string(&settings).unwrap();
    let newer = text.replace("version = \"0.", "version = \"9.") + "telepathy = true\n";
    std::fs::write(&settings, newer).unwrap();
    refuses(&["resume", &run], "was begun by version 9.");
}

#[test]
fn deleted_reports_are_made_again() {
    let scratch = Scratch::new("deleted");
    let folder = scratch.path("run");
    prints(&["--generations", "25", "--out", &folder, "--validation-games", "20"]);
    let whole = contents(&folder);
    for name in ["summary.md", "genes.png", "champion.toml"] {
        std::fs::remove_file(scratch.0.join("run").join(name)).unwrap();
    }
    prints(&["resume", &folder]);
    assert_same(&contents(&folder), &whole, "reports made again");
    assert!(prints(&["resume", &folder]).contains("is complete"));
}

#[test]
fn hints_can_be_pasted_into_a_shell() {
    let scratch = Scratch::new("hints");
    let folder = scratch.path("my run's");
    prints(&["--generations", "3", "--no-validate", "--out", &folder]);
    let quoted = format!("'{}'", folder.replace('\'', r"'\''"));
    refuses(&["--generations", "3", "--out", &folder], &format!("`dobutsu-ga resume {quoted}`"));
    let table = scratch.path("my table");
    refuses(&["probe", "--table", &table], &format!("--out '{table}'`"));
}

#[test]
fn a_record_cannot_steer_the_terminal() {
    let scratch = Scratch::new("control");
    let file = scratch.path("games.jsonl");
    prints(&["match", "random", "random", "--games", "2", "--records", &file]);
    let good = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, good.replace("\"first\":\"random\"", "\"first\":\"\\u001b[2Jrandom\\u0007\""))
        .unwrap();
    let shown = prints(&["replay", &file]);
    assert!(!shown.contains('\u{1b}') && !shown.contains('\u{7}') && shown.contains("random"), "{shown}");
    std::fs::write(&file, good.replace("\"rules\":\"paper\"", "\"rules\":\"\\u001b[2J\"")).unwrap();
    let output = fails(&["replay", &file], "there is no rule set");
    assert!(!output.stderr.contains(&0x1b));
}

#[test]
fn numbers_mean_what_they_say() {
    let scratch = Scratch::new("numbers");
    for args in [
        &["match", "random", "random"][..],
        &["tournament", "random", "random"],
        &["reproduce", "table2"],
        &["grade", "random"],
        &["fit"],
        &[],
    ] {
        let args = [args, &["--seed", "9223372036854775808"]].concat();
        refuses(&args, "must be from 0 to 9223372036854775807");
    }
    refuses(&["sweep", "--seeds", "9223372036854775807..9223372036854775808"], "is no range");
    prints(&["match", "random", "random", "--games", "2", "--seed", "9223372036854775807"]);
    refuses(&["match", "random", "random", "--games", "1"], "because sides are swapped: 2 or more");
    refuses(&["match", "random", "random", "--games", "1000001"], "must be from 2 to 1000000");
    refuses(&["match", "random", "random", "--sprt", "elo0=0,elo1=5,elo1=9"], "elo1 is there twice");
    refuses(&["--draw-points", "1e-10"], "with at most three decimals");
    refuses(&["--converge-sd", "0.00001"], "with at most three decimals");
    let genome = scratch.path("genome.toml");
    let text = include_str!("../../assets/genomes/dobutsu/table5.toml");
    std::fs::write(&genome, text.replace("chick = 286", "chick = 1e-10")).unwrap();
    refuses(&["match", &format!("genome={genome}"), "random"], "a gene has at most three decimals");
}

#[test]
fn a_fifo_among_the_files_of_a_run_does_not_hold_anybody_up() {
    let scratch = Scratch::new("fifo");
    let folder = scratch.path("run");
    prints(&["--generations", "3", "--no-validate", "--out", &folder]);
    let path = scratch.path("run/checkpoint.json");
    std::fs::remove_file(&path).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let mut child =
        command(&["resume", &folder]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(2), "{said}");
    assert!(said.contains("it is not a plain file"), "{said}");
}

/// What is no plain file would be waited for, or read, for ever.
#[test]
fn files_that_people_name_are_plain_files() {
    let scratch = Scratch::new("plain");
    let fifo = scratch.path("fifo.toml");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let long = scratch.path("long.toml");
    std::fs::write(&long, "#".repeat(1_000_001)).unwrap();
    let out = scratch.path("out");
    for (path, why) in [
        (&*fifo, "it is not a plain file"),
        ("/dev/zero", "it is not a plain file"),
        (&long, "it has more than 1000000 bytes"),
    ] {
        refuses(&["match", &format!("genome={path}"), "random", "--games", "2"], why);
        refuses(&["--config", path, "--out", &out], why);
    }
    refuses(&["reproduce", &fifo, "--out", &out], "it is not a plain file");
    refuses(&["probe", "--table", &fifo], "it is not a plain file");
    refuses(&["solve", "--out", &fifo], "it is not a plain file");
    refuses(
        &["serve", "--port", "0", "--results", &long],
        "is a file: --results takes the folder of the runs",
    );
}

/// The larger limit lets the program number the positions, but not keep a byte for each of the 259 million; the smaller one not
/// even that.
#[test]
#[cfg(target_os = "linux")]
fn solving_without_memory_ends_with_a_sentence() {
    let scratch = Scratch::new("memory");
    let ours = env!("CARGO_BIN_EXE_dobutsu-ga");
    let size = std::fs::metadata(ours).unwrap().len() / 1024;
    let solve = |limit: u64| {
        let line = format!(
            "ulimit -v {limit}; exec '{ours}' solve --rules official --threads 1 --out '{}'",
            scratch.path("t.table")
        );
        std::process::Command::new("sh").args(["-c", &line]).output().unwrap()
    };
    for limit in [size + 250_000, size + 60_000] {
        let output = solve(limit);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("error: there is not enough memory to solve the game"), "{said}");
    }
}
