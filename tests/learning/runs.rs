//! Every kind of long run: the same bytes on any number of threads, when it is killed at any moment and resumed, and when it is
//! extended after its end.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::common::{Scratch, assert_same, command, contents, fails, prints, refuses};
use dobutsu_ga::random::{below, stream};

/// A kind of run, small enough for a test.
struct Kind {
    name: &'static str,
    /// The command that starts it; `--out` and its folder follow.
    start: &'static [&'static str],
    /// The option that ends it, a short run and a longer one, if it can be extended.
    end: Option<[&'static str; 3]>,
}

const KINDS: [Kind; 6] = [
    Kind {
        name: "tuner",
        start: &["--fix-side", "first", "--seed", "3", "--checkpoint-every", "20", "--no-validate"],
        end: Some(["--generations", "300", "700"]),
    },
    Kind {
        name: "islands",
        start: &["--islands", "3", "--migrate-every", "5", "--fix-side", "first", "--no-validate"],
        end: Some(["--generations", "60", "120"]),
    },
    Kind {
        name: "sweep",
        start: &["sweep", "--seeds", "1..20", "--null", "--generations", "40", "--validation-games", "60"],
        end: None,
    },
    Kind {
        name: "pa",
        start: &["learn", "pa", "--depth", "1", "--validation-games", "20"],
        end: Some(["--rounds", "15", "40"]),
    },
    Kind {
        name: "dqn",
        start: &[
            "learn",
            "dqn",
            "--hidden",
            "12,8",
            "--batch",
            "150",
            "--replay",
            "700",
            "--update-interval",
            "16",
            "--validation-games",
            "2",
            "--epsilon",
            "0.5",
            "--ply-cap",
            "300",
            "--checkpoint-every",
            "2",
            // Otherwise the learning rate of every episode depends on the last one.
            "--learning-rate",
            "0.0001",
        ],
        end: Some(["--episodes", "8", "24"]),
    },
    Kind {
        name: "alphazero",
        start: &[
            "learn",
            "alphazero",
            "--game",
            "kyoto",
            "--filters",
            "4",
            "--blocks",
            "1",
            "--games",
            "130",
            "--simulations",
            "6",
            "--ply-cap",
            "30",
            "--measure-games",
            "4",
            "--measure-simulations",
            "4",
            "--opponent",
            "random",
            "--validation-games",
            "2",
            "--gate-games",
            "4",
            "--window",
            "1",
            "--rate-over",
            "cycle",
        ],
        end: Some(["--cycles", "1", "2"]),
    },
];

impl Kind {
    fn args<'a>(&self, end: usize, folder: &'a str, more: &[&'a str]) -> Vec<&'a str>
    where
        'static: 'a,
    {
        let end = self.end.map_or(Vec::new(), |options| vec![options[0], options[end]]);
        [self.start, &end, &["--out", folder], more].concat()
    }

    /// The command that goes on with a folder.
    fn resume<'a>(&self, folder: &'a str) -> Vec<&'a str> {
        let no_validate = self.start.iter().filter(|option| **option == "--no-validate");
        ["resume", folder].into_iter().chain(no_validate.copied()).collect()
    }
}

fn files(folder: &str) -> BTreeMap<String, Vec<u8>> {
    let mut files = contents(folder);
    files.remove(".lock");
    files
}

#[test]
fn any_number_of_threads() {
    let scratch = Scratch::new("runs-threads");
    for kind in &KINDS {
        let folders = ["1", "2", "8"].map(|threads| {
            let folder = scratch.path(&format!("{}-{threads}", kind.name));
            prints(&kind.args(1, &folder, &["--threads", threads]));
            files(&folder)
        });
        assert_same(&folders[0], &folders[1], &format!("{}: two threads", kind.name));
        assert_same(&folders[0], &folders[2], &format!("{}: eight threads", kind.name));
    }
}

#[test]
fn extended_after_its_end() {
    let scratch = Scratch::new("runs-extended");
    for kind in &KINDS {
        let Some([option, _, longer]) = kind.end else { continue };
        let (whole, extended) = (scratch.path(&format!("{}-whole", kind.name)), scratch.path(kind.name));
        prints(&kind.args(2, &whole, &[]));
        prints(&kind.args(1, &extended, &[]));
        prints(&[&kind.resume(&extended)[..], &[option, longer]].concat());
        // DQN does not keep its replay buffer after the end: what it learns then is something else.
        if kind.name != "dqn" {
            assert_same(&files(&extended), &files(&whole), &format!("{} extended", kind.name));
        }
        refuses(&["resume", &extended, option, "1"], "would shorten it");
        // All is done: nothing changes.
        let before = files(&extended);
        prints(&kind.resume(&extended));
        assert_same(&files(&extended), &before, &format!("{} once more", kind.name));
    }
    let tuner = scratch.path("tuner");
    refuses(&["resume", &tuner, "--cycles", "9"], "--cycles is not for a run of the tuner");
    fails(&["resume", &scratch.path("pa"), "--cycles", "9"], "--cycles is not for `learn pa`");
}

#[test]
fn other_settings_are_named() {
    let scratch = Scratch::new("runs-other");
    for kind in KINDS.iter().filter(|kind| kind.name != "tuner" && kind.name != "islands") {
        let folder = scratch.path(kind.name);
        prints(&kind.args(1, &folder, &[]));
        let (option, words) = match kind.name {
            "sweep" => (["--population", "4"], "settings.population is 5 there and 4 here"),
            _ => (["--seed", "77"], "learner.seed is 1 there and 77 here"),
        };
        fails(&kind.args(1, &folder, &option), words);
    }
}

/// How often each kind of run is killed; `KILLS=30` for a thorough test.
fn kills() -> usize {
    std::env::var("KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(8)
}

#[test]
fn killed_at_any_moment() {
    let scratch = Scratch::new("runs-killed");
    for (number, kind) in KINDS.iter().enumerate() {
        let whole = scratch.path(&format!("{}-whole", kind.name));
        let begun = Instant::now();
        prints(&kind.args(2, &whole, &[]));
        let whole = files(&whole);
        // A kill comes within a third of the time that the whole run takes, so that a run is killed several times.
        let most = (begun.elapsed().as_millis() as usize / 3).max(20);
        let mut random = stream(5, number as u64, 0);
        let (mut killed, mut runs) = (0, 0);
        while killed < kills() {
            runs += 1;
            let folder = scratch.path(&format!("{}-{runs}", kind.name));
            loop {
                // Before its settings are on the disk there is nothing to resume.
                let is_begun = Path::new(&folder).join("run.toml").exists();
                let args = if is_begun { kind.resume(&folder) } else { kind.args(2, &folder, &["--force"]) };
                let mut child = command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
                let end = Instant::now() + Duration::from_millis(below(&mut random, most) as u64);
                let mut status = None;
                while killed < kills() && status.is_none() && Instant::now() < end {
                    std::thread::sleep(Duration::from_millis(2));
                    status = child.try_wait().unwrap();
                }
                if status.is_none() && killed < kills() {
                    child.kill().unwrap();
                    killed += 1;
                    child.wait().unwrap();
                    continue;
                }
                let status = child.wait().unwrap();
                assert!(status.success(), "{}: {args:?}", kind.name);
                break;
            }
            assert_same(&files(&folder), &whole, &format!("{}: killed {killed} times", kind.name));
        }
    }
}

/// Ctrl-C prints the command that goes on.
#[cfg(unix)]
#[test]
fn ctrl_c_prints_how_to_go_on() {
    let scratch = Scratch::new("runs-interrupted");
    for kind in &KINDS {
        let folder = scratch.path(kind.name);
        let far = kind.end.map_or(Vec::new(), |[option, ..]| vec![option, "100000"]);
        let args = [kind.start, &far, &["--out", &folder]].concat();
        let args: Vec<&str> =
            args.into_iter().map(|arg| if arg == "1..20" { "1..9000" } else { arg }).collect();
        let child = command(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let limit = Instant::now() + Duration::from_secs(60);
        while !Path::new(&folder).join("run.toml").exists() {
            assert!(Instant::now() < limit, "{} does not begin", kind.name);
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(300));
        crate::common::signal(&child, "-INT");
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).to_string();
        assert_eq!(output.status.code(), Some(130), "{}: {said}", kind.name);
        assert!(said.contains(&format!("dobutsu-ga resume {folder}")), "{}: {said}", kind.name);
    }
}

/// The steps and the names of the numbers in a `metrics.jsonl`.
fn curve(folder: &str) -> (Vec<u64>, Vec<String>) {
    let text = std::fs::read_to_string(Path::new(folder).join("metrics.jsonl")).unwrap();
    let lines: Vec<serde_json::Map<String, serde_json::Value>> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let times: Vec<f64> = lines.iter().map(|line| line["seconds"].as_f64().unwrap()).collect();
    assert!(times.is_sorted() && lines[0]["wall_time"].as_f64().unwrap() > 1.7e9, "{text}");
    let steps = lines.iter().map(|line| line["step"].as_u64().unwrap()).collect();
    (steps, lines[0].keys().cloned().collect())
}

#[test]
fn learners_write_their_curve() {
    let scratch = Scratch::new("runs-curve");
    for (name, steps, number) in [("pa", 15, "accuracy"), ("dqn", 8, "loss"), ("alphazero", 1, "policy_loss")]
    {
        let kind = KINDS.iter().find(|kind| kind.name == name).unwrap();
        let folder = scratch.path(name);
        prints(&kind.args(1, &folder, &[]));
        let (there, names) = curve(&folder);
        assert_eq!(there, (1..=steps).collect::<Vec<u64>>(), "{name}");
        assert!(names.iter().any(|known| known == number), "{name}: {names:?}");
        // Done once more, no step comes twice.
        prints(&kind.args(1, &folder, &[]));
        assert_eq!(curve(&folder).0, there, "{name} once more");
    }
}

#[test]
fn networks_are_kept_and_started_from() {
    let scratch = Scratch::new("runs-networks");
    for (name, every, kept) in [("dqn", "3", "network-000006"), ("alphazero", "1", "network-000001")] {
        let kind = KINDS.iter().find(|kind| kind.name == name).unwrap();
        let (first, second) = (scratch.path(&format!("{name}-1")), scratch.path(&format!("{name}-2")));
        prints(&kind.args(1, &first, &["--keep-every", every]));
        let network = format!("{first}/{kept}.safetensors");
        let args = kind.args(1, &second, &["--init", &network]);
        prints(&args);
        let run = std::fs::read_to_string(format!("{second}/run.toml")).unwrap();
        assert!(run.contains(&format!("init = \"{network}\"")) && run.contains("init-fingerprint"), "{run}");
        let trained = |folder: &str| std::fs::read(format!("{folder}/network.safetensors")).unwrap();
        assert_ne!(trained(&first), trained(&second), "{name} begins with other weights");
        // All of it is kept: the file is not needed any more.
        std::fs::remove_file(&network).unwrap();
        prints(&kind.resume(&second));
        fails(&args, "cannot read");
        std::fs::write(&network, "nonsense").unwrap();
        let other = scratch.path(&format!("{name}-3"));
        fails(&kind.args(1, &other, &["--init", &network]), "--init");
        // A network of other layers does not fit.
        std::fs::write(&network, trained(&first)).unwrap();
        let mut args = kind.args(1, &other, &["--init", &network]);
        let (option, layers) = if name == "dqn" { ("--hidden", "9,9") } else { ("--filters", "5") };
        let place = args.iter().position(|arg| *arg == option).unwrap();
        args[place + 1] = layers;
        fails(&args, "--init");
    }
}
