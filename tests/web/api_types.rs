//! The page is checked against the types of what the server answers: `src/web/page/api-types.d.ts`, made here from the source text of the
//! structs that are serialised. What this does not understand fails the test.

use std::fmt::Write;
use std::path::Path;

use dobutsu_ga::games::GameName;

/// The files with the types that are sent and received, and their names.
const SOURCES: &[(&str, &[&str])] = &[
    ("src/game/side.rs", &["Side", "BySide"]),
    ("src/game/view.rs", &["WallView", "PieceView", "HeldView", "MoveView"]),
    ("src/session/mod.rs", &["MoveInfo"]),
    ("src/web/play.rs", &["StateInfo", "VerdictInfo", "Answer"]),
    ("src/players/levels.rs", &["Level"]),
    ("src/web/opponents.rs", &["Offers", "Offered", "Offer", "Rung"]),
    ("src/web/judge.rs", &["Worth"]),
    ("src/web/analysis.rs", &["Analysis", "NoWorths", "Worths", "MoveWorth", "Thoughts", "Thought"]),
    ("src/web/review.rs", &["Review", "Ply"]),
    ("src/experiment/definition.rs", &["PaperRun", "PaperStrength"]),
    (
        "src/web/runs.rs",
        &[
            "Line",
            "ArticleLine",
            "RunLine",
            "SweepLine",
            "Detail",
            "Article",
            "ChartInfo",
            "ChartLine",
            "RunDetail",
            "Labels",
            "Row",
        ],
    ),
    ("src/web/cycles.rs", &["LearnerLine", "LearnerDetail"]),
    ("src/web/error.rs", &["Refusal"]),
    ("src/web/download.rs", &["FileInfo"]),
    ("src/web/warmup.rs", &["CurveInfo"]),
    ("src/experiment/curve.rs", &["CurveBest"]),
    ("src/web/live.rs", &["Wanted"]),
];

/// Types of other macros than `derive`, and what is put together of cached parts.
const OTHERS: &str = "
  type Preset = \"paper\" | \"robust\";
  type AlphaZeroPreset = \"small\" | \"paper\";
  type GeneSet = string;
  type PageLanguage = \"en\" | \"ja\";
  /** The answer to `GET /api/runs`. */
  interface Runs { overview: string | null; running: string[]; runs: Line[]; }
";

#[test]
fn the_page_knows_the_types_of_what_the_server_answers() {
    let names: Vec<String> = GameName::ALL.iter().map(|game| format!("\"{}\"", game.name())).collect();
    let mut types = format!(
        "// Made from the Rust structs by `UPDATE_API_TYPES=1 cargo test --test web api_types`: what the server answers.\n\n\
         declare namespace Api {{\n  type GameName = {};{}",
        names.join(" | "),
        OTHERS.trim_end()
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (file, names) in SOURCES {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        names.iter().for_each(|name| types += &declaration(&text, name));
    }
    types += "}\n";
    let committed = root.join("src/web/page/api-types.d.ts");
    if std::env::var_os("UPDATE_API_TYPES").is_some() {
        std::fs::write(&committed, &types).unwrap();
    }
    let known = std::fs::read_to_string(&committed).unwrap_or_default();
    assert!(
        known == types,
        "other types: renew them by `UPDATE_API_TYPES=1 cargo test --test web api_types`"
    );
}

/// The TypeScript of one type of a file.
fn declaration(text: &str, name: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_begin = |line: &&str| {
        let line = line.trim_start_matches("pub(super) ").trim_start_matches("pub ");
        let named = line.strip_prefix("struct ").or_else(|| line.strip_prefix("enum "));
        named.and_then(|rest| rest.strip_prefix(name)).is_some_and(|rest| rest.starts_with([' ', '<', '(']))
    };
    let begin = lines.iter().position(is_begin).unwrap_or_else(|| panic!("there is no type {name}"));
    let head = lines[..begin].iter().rposition(|line| line.is_empty()).map_or(0, |blank| blank + 1);
    let about = &lines[head..begin];
    assert!(about.iter().any(|line| line.contains("Serialize") || line.contains("Deserialize")), "{name}");
    let doc = comment("  ", about);
    if let Some((_, parts)) = lines[begin].split_once(&format!("struct {name}(")) {
        return format!("\n{doc}  type {name} = {};\n", typed(&format!("({}", parts.trim_end_matches(';'))));
    }
    let body: Vec<&str> = lines[begin + 1..].iter().take_while(|line| **line != "}").copied().collect();
    if lines[begin].contains("enum ") {
        return format!("\n{doc}  type {name} = {};\n", variants(about, &body).join(" | "));
    }
    let generic = if lines[begin].contains("<T>") { "<T>" } else { "" };
    let (extends, fields) = fields(&body, about);
    format!("\n{doc}  interface {name}{generic}{extends} {{\n{fields}  }}\n")
}

/// Names alone, or types told apart by a field.
fn variants(about: &[&str], body: &[&str]) -> Vec<String> {
    let tag = about.iter().find_map(|line| line.split_once("tag = \"")?.1.split('"').next());
    assert!(about.iter().any(|line| line.contains("rename_all = \"lowercase\"")), "{about:?}");
    let lines = body.iter().map(|line| line.trim()).filter(|line| !line.starts_with("//"));
    let variant = |line: &str| match (line.trim_end_matches(',').split_once('('), tag) {
        (None, None) => format!("\"{}\"", line.trim_end_matches(',').to_lowercase()),
        (Some((name, inner)), Some(tag)) => {
            let inner = typed(inner.strip_suffix(')').unwrap());
            format!("({{ {tag}: \"{}\" }} & {inner})", name.to_lowercase())
        }
        _ => panic!("no variant is known as {line}"),
    };
    lines.map(variant).collect()
}

/// What an interface extends, and its fields.
fn fields(body: &[&str], about: &[&str]) -> (String, String) {
    let kebab = about.iter().any(|line| line.contains("rename_all = \"kebab-case\""));
    let sent = about.iter().any(|line| line.contains("Deserialize"))
        && !about.iter().any(|line| line.contains("Serialize,") || line.contains("(Serialize"));
    let (mut extends, mut fields) = (String::new(), String::new());
    let mut before = Vec::new();
    for line in body.iter().map(|line| line.trim()) {
        if line.starts_with("//") || line.starts_with("#[") {
            before.push(line);
            continue;
        }
        let plain = line.trim_end_matches(',').trim_start_matches("pub(super) ").trim_start_matches("pub ");
        let (name, of) = plain.split_once(": ").unwrap_or_else(|| panic!("no field is known as {line}"));
        let (name, of) = (name.trim_start_matches("r#"), typed(of));
        let says = |word: &str| before.iter().any(|line| line.starts_with("#[serde") && line.contains(word));
        let name = if kebab { name.replace('_', "-") } else { name.to_string() };
        let name = if name.contains('-') { format!("\"{name}\"") } else { name };
        if says("flatten") {
            extends = format!(" extends {of}");
        } else if says("skip_serializing_if") {
            let _ = writeln!(
                fields,
                "{}    {name}?: {};",
                comment("    ", &before),
                of.trim_end_matches(" | null")
            );
        } else {
            let or = if sent && says("default") { "?" } else { "" };
            let _ = writeln!(fields, "{}    {name}{or}: {of};", comment("    ", &before));
        }
        before.clear();
    }
    (extends, fields)
}

/// What a type says of itself.
fn comment(indent: &str, lines: &[&str]) -> String {
    let says = lines.iter().filter_map(|line| line.trim().strip_prefix("/// "));
    let text: Vec<&str> = says.take_while(|line| !line.starts_with("```")).collect();
    if text.is_empty() { String::new() } else { format!("{indent}/** {} */\n", text.join(" ")) }
}

/// A type of Rust in TypeScript.
fn typed(of: &str) -> String {
    let inside = |name: &str| of.strip_prefix(name)?.strip_suffix('>');
    match of {
        "String" | "&'static str" => return "string".to_string(),
        "bool" => return "boolean".to_string(),
        "u32" | "u64" | "usize" | "f64" => return "number".to_string(),
        "Value" => return "unknown".to_string(),
        _ => {}
    }
    if let Some(of) = inside("Option<") {
        return format!("{} | null", typed(of));
    }
    if let Some(of) = inside("Vec<") {
        let of = typed(of);
        return if of.contains('|') { format!("({of})[]") } else { format!("{of}[]") };
    }
    if let Some(of) = inside("Box<") {
        return typed(of);
    }
    if let Some(of) = inside("BySide<") {
        return format!("BySide<{}>", typed(of));
    }
    if let Some((of, count)) = of.strip_prefix('[').and_then(|of| of.strip_suffix(']')?.split_once("; ")) {
        return format!("[{}]", vec![typed(of); count.parse().unwrap()].join(", "));
    }
    if let Some(parts) = of.strip_prefix('(').and_then(|of| of.strip_suffix(')')) {
        return format!("[{}]", parts.split(", ").map(typed).collect::<Vec<_>>().join(", "));
    }
    let of = of.trim_start_matches("&'static ");
    assert!(of.chars().all(char::is_alphanumeric), "no type of the page stands for {of}");
    of.to_string()
}
