//! What the README says of results is what the results say.

use std::path::Path;

use dobutsu_ga::experiment::{built_in_names, built_in_prose};
use dobutsu_ga::games::{dobutsu, hasami, kyoto, quoridor};
use dobutsu_ga::players::{Playable, entries};
use dobutsu_ga::run::{Definition, Lab};

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Line ends do not matter in prose.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn numbers_of_the_readme_come_from_the_results() {
    let readme = flat(&read("README.md"));
    for (words, file) in [
        ("0.483 [0.468, 0.499]", "results/table5/summary.md"),
        ("0.557 [0.523, 0.591]", "results/table5-3ply/summary.md"),
        ("+0.090 [+0.050, +0.130]", "results/table5-3ply/summary.md"),
        ("in 6 of 30 runs", "results/table5/summary.md"),
        ("0 of 30", "results/table5/summary.md"),
        ("933120 combinations", "results/forensic/summary.md"),
        ("82.8 [81.2, 84.4]", "results/hasami/table14/summary.md"),
    ] {
        assert!(readme.contains(words), "README: {words}");
        assert!(flat(&read(file)).contains(words), "{file}: {words}");
    }
}

/// Whatever an experiment is today, its committed results were made by it.
#[test]
fn committed_results_belong_to_their_experiments() {
    fn check<G: Lab>() {
        for name in built_in_names::<G>() {
            let definition = Definition::<G>::find(&name).unwrap();
            // What networks learned is told of one kind of processor, which need not be this one.
            let settings = |text: String| -> Vec<String> {
                text.lines().filter(|line| !line.starts_with("processor = ")).map(String::from).collect()
            };
            let committed = settings(read(&format!("results/{name}/run.toml")));
            assert_eq!(committed, settings(definition.run_toml(&name)), "{name}");
        }
    }
    check::<dobutsu::Position>();
    check::<kyoto::Position>();
    check::<quoridor::Position>();
    check::<hasami::Position>();
}

/// The overviews list every experiment with its question and its finding.
#[test]
fn overviews_are_complete() {
    fn check<G: dobutsu_ga::players::Playable>(overview: &str) {
        let overview = read(overview);
        for name in built_in_names::<G>() {
            let prose = built_in_prose::<G>(&name).unwrap();
            let folder = name.rsplit('/').next().unwrap();
            assert!(
                prose.asks.ends_with('?') && prose.finds.ends_with('.'),
                "{name}: {} {}",
                prose.asks,
                prose.finds
            );
            let row = format!("| [{folder}]({folder}) | {} | {} |", prose.asks, prose.finds);
            assert!(overview.contains(&row), "{row}");
        }
    }
    check::<dobutsu::Position>("results/README.md");
    check::<kyoto::Position>("results/kyoto/README.md");
    check::<quoridor::Position>("results/quoridor/README.md");
    check::<hasami::Position>("results/hasami/README.md");
}

#[test]
fn links_lead_somewhere() {
    for page in ["README.md", "docs/page.md", "docs/tuner.md", "docs/players.md", "docs/statistics.md"]
        .into_iter()
        .chain(["docs/solved.md", "docs/rules.md", "docs/kyoto.md", "docs/records.md", "docs/commands.md"])
        .chain([
            "docs/adding-a-game.md",
            "docs/quoridor.md",
            "docs/hasami.md",
            "docs/quoridor-protocol.md",
            "docs/engines.md",
            "docs/alphazero.md",
            "docs/papers.md",
            "docs/cluster.md",
            "docs/experiments.md",
            "results/README.md",
            "results/kyoto/README.md",
            "results/quoridor/README.md",
            "results/hasami/README.md",
        ])
    {
        let text = read(page);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
        // Code between fences has brackets of its own.
        let prose: String = text.split("```").step_by(2).collect();
        let links = prose.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with("http")) {
            let link = link.split('#').next().unwrap_or(link);
            assert!(folder.parent().unwrap().join(link).exists(), "{page}: {link}");
        }
    }
}

/// Every player that comes with the program is on the page of players.
#[test]
fn all_players_are_explained() {
    let page = read("docs/players.md");
    fn names<G: Playable>() -> Vec<&'static str> {
        entries::<G>().iter().map(|entry| entry.name).collect()
    }
    let names = [
        names::<dobutsu::Position>(),
        names::<kyoto::Position>(),
        names::<quoridor::Position>(),
        names::<hasami::Position>(),
    ];
    for name in names.concat().into_iter().filter(|name| *name != "genome=FILE") {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}

/// What the program carries is what the results have that `assets/README.md` names.
#[test]
fn assets_are_copies_of_the_results_that_they_name() {
    let bytes = |path: &str| std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    for (network, result) in [
        ("dobutsu", "results/alphazero/network.safetensors"),
        ("kyoto", "results/kyoto/alphazero/network.safetensors"),
        ("hasami", "results/hasami/champion/network.safetensors"),
    ] {
        assert!(bytes(&format!("assets/networks/{network}.safetensors")) == bytes(result), "{network}");
    }
    use dobutsu_ga::games::dobutsu::eval::Genome;
    for (name, result) in [("fitted", "fit-games-full"), ("quiet", "fit-all-quiet")] {
        let fitted = Genome::from_toml(&read(&format!("results/guideline/{result}.toml"))).unwrap();
        assert_eq!(Genome::named(name), Some(fitted), "{name}");
    }
    for (name, seed) in [("robust", "3"), ("robust-full", "1")] {
        let runs = read(&format!("results/{name}/runs.csv"));
        let row = runs.lines().find(|row| row.starts_with(&format!("{seed},tournament,"))).unwrap();
        let genome = Genome::named(name).unwrap();
        let evolved = if name == "robust" { 9 } else { 12 };
        for (value, cell) in genome.values()[..evolved].iter().zip(row.split(',').skip(3)) {
            assert_eq!(f64::from(*value) / 1000.0, cell.parse::<f64>().unwrap(), "{name}: {row}");
        }
    }
}

/// What a binary contains, beside our own: crates of the default build for Linux with their licences and copyright lines.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn contained_crates() -> Vec<String> {
    use serde_json::Value;
    let output = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--offline", "--format-version", "1"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let find =
        |list: &Value, id: &Value| list.as_array().unwrap().iter().find(|one| one["id"] == *id).cloned();
    let root = metadata["resolve"]["root"].clone();
    let (mut lines, mut seen, mut waiting) = (Vec::new(), vec![root.clone()], vec![root.clone()]);
    while let Some(id) = waiting.pop() {
        let package = find(&metadata["packages"], &id).unwrap();
        if id != root {
            let text = |key: &str| package[key].as_str().unwrap_or_default().to_string();
            let copyright = copyright(Path::new(&text("manifest_path")).parent().unwrap());
            let licence = text("license").replace('/', " OR ");
            lines.push(format!("| {} | {} | {licence} | {copyright} |", text("name"), text("version")));
        }
        for dependency in find(&metadata["resolve"]["nodes"], &id).unwrap()["deps"].as_array().unwrap() {
            let kinds = dependency["dep_kinds"].as_array().unwrap();
            let package = find(&metadata["packages"], &dependency["pkg"]).unwrap();
            // Macros do their work while the program is built, and are not in it.
            let is_macro = |target: &Value| target["kind"][0] == "proc-macro";
            let is_in = kinds.iter().any(|kind| kind["kind"].is_null())
                && !package["targets"].as_array().unwrap().iter().any(is_macro);
            if is_in && !seen.contains(&dependency["pkg"]) {
                seen.push(dependency["pkg"].clone());
                waiting.push(dependency["pkg"].clone());
            }
        }
    }
    lines.sort();
    lines
}

/// The copyright lines in the licence files of a crate.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn copyright(folder: &Path) -> String {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut found: Vec<String> = Vec::new();
    for file in files.iter().filter(|file| file.is_file()) {
        let name = file.file_name().unwrap().to_string_lossy().to_lowercase();
        if !["licen", "copying", "notice", "copyright"].iter().any(|begin| name.starts_with(begin)) {
            continue;
        }
        let text = String::from_utf8_lossy(&std::fs::read(file).unwrap()).to_string();
        for line in text.lines().map(|line| line.trim().trim_end_matches(&['|', '.'][..])) {
            let is_one = line.starts_with("Copyright ")
                && (line.contains("(c)") || line.contains(|c: char| c.is_ascii_digit()))
                && !line.contains('[')
                && !line.contains('{');
            if is_one && !found.iter().any(|known| known == line) {
                found.push(line.to_string());
            }
        }
    }
    found.join("; ").replace('|', "/")
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn licences_of_what_a_binary_contains_are_listed() {
    const HEAD: &str = "| crate | version | licence | copyright |\n|---|---|---|---|\n";
    let notices = read("THIRD-PARTY.md");
    let (before, rest) = notices.split_once(HEAD).expect("a table");
    let (_, after) = rest.split_once("\n\n").expect("licences after the table");
    let lines = contained_crates();
    let listed = format!("{before}{HEAD}{}\n\n{after}", lines.join("\n"));
    if std::env::var_os("UPDATE_NOTICES").is_some() {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("THIRD-PARTY.md"), &listed).unwrap();
    } else {
        assert!(listed == notices, "UPDATE_NOTICES=1 cargo test --test commands writes THIRD-PARTY.md anew");
    }
    // Of every licence that a crate has, there is one whose text is here.
    for line in &lines {
        let licence = line.split('|').nth(3).unwrap();
        let is_here = |name: &str| after.contains(&format!("## {}\n", name.trim()));
        let kept = licence.split(" OR ").any(|choice| choice.split(" AND ").all(is_here));
        assert!(kept, "the text of one of these licences is missing: {line}");
    }
}
