//! How a learner that plays itself went on, cycle by cycle.

use std::fmt::Write;

use super::axis::Axis;
use super::chart::{Figure, Line, Panel};
use super::duels::csv_field;
use super::grade::{GradeRow, grade_csv, percent};
use super::layout;
use super::picture::{self, Format, Picture};
use super::table::{Rows, TableError, TableFiles};
use super::tactics;
use crate::experiment::{AlphaZeroResult, Grade, Source, TAUGHT};
use crate::learn::alphazero::{AlphaZeroSettings, CycleRow, Share};

/// The table of a run: a line for each cycle. What could not be measured is empty.
pub fn cycles_csv(settings: &AlphaZeroSettings, rows: &[CycleRow]) -> String {
    let mut text = String::from(
        "cycle,games,plies,first_wins,draws,second_wins,batches,policy_loss,value_loss,gate,replaced,careless,policy_careless,careless_of,policy_keeps,tree_keeps,keeps_of,value_right,tree_value_right,right_of",
    );
    for opponent in &settings.opponents {
        let name = csv_field(&format!("score against {opponent}"));
        let _ = write!(text, ",{name}");
    }
    text.push('\n');
    for row in rows {
        let CycleRow {
            cycle,
            games,
            plies,
            ended: [first, draws, second],
            batches,
            policy_loss,
            value_loss,
            ..
        } = row;
        let gate = row.gate.map(|gate| format!("{gate:.4}")).unwrap_or_default();
        let m = &row.measured;
        let share = |share: &Share| share.share().map(|share| format!("{share:.4}")).unwrap_or_default();
        let _ = write!(
            text,
            "{cycle},{games},{plies},{first},{draws},{second},{batches},{policy_loss:.4},{value_loss:.4},{gate},{},{},{},{},{},{},{},{},{},{}",
            u8::from(row.replaced),
            share(&m.careless),
            share(&m.policy_careless),
            m.careless.of,
            share(&m.policy_keeps),
            share(&m.tree_keeps),
            m.tree_keeps.of,
            share(&m.value_right),
            share(&m.tree_value_right),
            m.value_right.of,
        );
        for number in 0..settings.opponents.len() {
            let _ = write!(text, ",{}", share(&points(row, number)));
        }
        text.push('\n');
    }
    text
}

/// Half points against an opponent.
fn points(row: &CycleRow, opponent: usize) -> Share {
    row.measured.against.get(opponent).map_or_else(Share::default, |[wins, draws, losses]| Share {
        count: 2 * wins + draws,
        of: 2 * (wins + draws + losses),
    })
}

/// What an experiment gives.
type Files = Vec<(&'static str, Vec<u8>)>;

/// Files and tables of a run as an experiment.
pub fn alphazero_report(result: &AlphaZeroResult, network: Vec<u8>) -> (Files, String) {
    let AlphaZeroResult { settings, rows, ceiling, grades } = result;
    let mut files: Files = vec![(layout::NETWORK, network)];
    files.extend(cycles_tables(settings, rows));
    let mut text = cycles_markdown(settings, rows);
    if !grades.is_empty() {
        let row = |(name, grade): &(String, Grade)| GradeRow {
            name: name.clone(),
            depth: None,
            grades: vec![(Source::OwnGames, grade.clone())],
        };
        let table: Vec<GradeRow> = grades.iter().map(row).collect();
        files.push((layout::GRADES, grade_csv(&table)));
        text += "\nJudged by perfect play, each on positions of its own games (percent, 95 % interval with pairs of games as the unit):\n\n";
        text += "| player | keeps a won or drawn position | perfect move |\n|---|---|---|\n";
        for (name, grade) in grades {
            let _ = writeln!(text, "| {name} | {} | {} |", percent(grade.kept), percent(grade.perfect));
        }
    }
    if let Some(ceiling) = ceiling {
        let _ = writeln!(
            text,
            "\nOver {} positions of its own games the value of the network taught by the solution is right about who wins in {} %.",
            ceiling.value_right.of,
            in_percent(&ceiling.value_right),
        );
    }
    (files, text)
}

fn in_percent(share: &Share) -> String {
    share.share().map_or("-".to_string(), |share| format!("{:.1}", 100.0 * share))
}

/// Some of the cycles, in a table that can be read.
pub fn cycles_markdown(settings: &AlphaZeroSettings, rows: &[CycleRow]) -> String {
    const LINES: usize = 13;
    let AlphaZeroSettings { preset, seed, channels, blocks, mcts, .. } = settings;
    let sum = |count: fn(&CycleRow) -> u64| rows.iter().map(count).sum::<u64>();
    let mut text = format!(
        "Preset {preset}, seed {seed}: {channels} filters, {blocks} blocks, {} simulations ({}) a move in self-play. {} cycles, {} games, {} positions, {} batches of {}. Measured with {} simulations in the same way ({}) in {} games after four random moves against each opponent, and where the game is solved against itself.\n\n",
        mcts.simulations,
        mcts.tree_policy,
        rows.len(),
        sum(|row| row.games),
        sum(|row| row.plies),
        sum(|row| row.batches),
        settings.batch,
        settings.measure_simulations,
        settings.measuring().tree_policy,
        settings.measure_games,
    );
    let judged = rows.iter().any(|row| row.measured.tree_keeps.of > 0);
    let mut header = vec![
        "cycle".to_string(),
        "plies a game".to_string(),
        "loss of moves".to_string(),
        "loss of value".to_string(),
    ];
    header.extend(settings.opponents.iter().map(|opponent| format!("% against {opponent}")));
    header.extend(["% left en prise", "% by the policy alone"].map(String::from));
    if judged {
        header.extend(["% kept, policy", "% kept, tree", "% value right"].map(String::from));
    }
    if settings.weaknesses {
        header.extend(tactics::HEADS.map(String::from));
    }
    let _ = writeln!(text, "| {} |\n|{}", header.join(" | "), "---|".repeat(header.len()));
    let step = rows.len().div_ceil(LINES).max(1);
    let chosen = rows.iter().enumerate().filter(|(i, _)| i % step == 0 || i + 1 == rows.len());
    for (_, row) in chosen {
        let m = &row.measured;
        let mut cells = vec![
            row.cycle.to_string(),
            format!("{:.1}", row.plies as f64 / row.games.max(1) as f64),
            format!("{:.3}", row.policy_loss),
            format!("{:.3}", row.value_loss),
        ];
        cells.extend((0..settings.opponents.len()).map(|number| in_percent(&points(row, number))));
        cells.extend([&m.careless, &m.policy_careless].map(in_percent));
        if judged {
            cells.extend([&m.policy_keeps, &m.tree_keeps, &m.value_right].map(in_percent));
        }
        if settings.weaknesses {
            cells.extend(tactics::shares(&m.weaknesses).map(|share| in_percent(&share)));
        }
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text += "\nLeft en prise: moves after which the other side could win at once, of those moves where another choice would have prevented it (games against the opponents); and the same if the policy alone had chosen.\n";
    if settings.weaknesses {
        let _ = writeln!(text, "\n{}", tactics::MEANING);
    }
    text
}

/// So many cycles are taken together in pictures: a cycle is measured with few games.
const TOGETHER: usize = 5;

/// What the axis of such points is called.
const LATELY: &str = "cycle (five together)";

/// The cycles of a run, by the table of them.
struct CycleTable(Rows);

impl CycleTable {
    fn column(&self, name: &str) -> Result<Vec<(f64, f64)>, TableError> {
        self.0.map(|row| row.numbers(["cycle", name]).map(|[cycle, value]| (cycle, value)))
    }

    /// A share over the cycles in percent, each point of the last few together, weighted by what each is a share of.
    fn lately(&self, share: &str, of: Option<&str>) -> Result<Vec<(f64, f64)>, TableError> {
        let rows = self.0.map(|row| {
            let weight = of.map_or(Ok(1.0), |of| row.number(of))?;
            Ok((row.number::<f64>("cycle")?, row.maybe::<f64>(share)?.map(|share| (share * weight, weight))))
        })?;
        let point = |last: usize| {
            let part = rows[..=last].iter().rev().take(TOGETHER).filter_map(|(_, share)| *share);
            let (count, of) =
                part.fold((0.0, 0.0), |(count, of), (more, weight)| (count + more, of + weight));
            (of > 0.0).then(|| (rows[last].0, 100.0 * count / of))
        };
        Ok((0..rows.len()).filter_map(point).collect())
    }

    fn axis(&self, name: &str) -> Axis {
        Axis::counting(name, self.0.iter().count() as f64)
    }
}

/// Names and contents of the tables of the cycles and of their pictures.
pub fn cycles_files(
    settings: &AlphaZeroSettings,
    rows: &[CycleRow],
    format: Format,
) -> Vec<(String, Vec<u8>)> {
    let tables = cycles_tables(settings, rows);
    let pictures = cycles_pictures(&TableFiles::of(&tables)).expect("what was written can be read back");
    let tables = tables.into_iter().map(|(name, bytes)| (name.to_string(), bytes));
    tables.chain(pictures.iter().flat_map(|picture| picture.files(format))).collect()
}

/// The table of the cycles, and that of weak moves if they are counted.
fn cycles_tables(settings: &AlphaZeroSettings, rows: &[CycleRow]) -> Files {
    let mut tables = vec![(layout::CYCLES, cycles_csv(settings, rows).into_bytes())];
    if settings.weaknesses {
        tables.push((layout::WEAKNESSES, tactics::csv(rows).into_bytes()));
    }
    tables
}

/// The pictures of the cycles of a run, from its tables.
pub fn cycles_pictures(tables: &TableFiles) -> Result<Vec<Picture>, TableError> {
    let mut pictures = vec![cycles_picture(tables)?];
    if tables.has(layout::WEAKNESSES) {
        pictures.push(tactics::picture(tables)?);
    }
    Ok(pictures)
}

/// Two panels: losses at the left; at the right strength, and what the solved game says where there is one. From the table.
fn cycles_picture(tables: &TableFiles) -> Result<Picture, TableError> {
    let cycles = CycleTable(tables.rows(layout::CYCLES)?);
    let losses = vec![
        Line::solid("moves (cross-entropy)", picture::BLUE, cycles.column("policy_loss")?),
        Line::solid("value (squared error)", picture::RED, cycles.column("value_loss")?),
    ];
    let colors = [picture::GREEN, picture::BLUE, picture::ORANGE, picture::PURPLE];
    let mut shares = Vec::new();
    let scores = cycles.0.header().iter().filter(|name| name.starts_with("score against"));
    for (name, color) in scores.zip(colors) {
        shares.push(Line::solid(name, color, cycles.lately(name, None)?));
    }
    for (name, color, share, of) in [
        ("value kept by tree", picture::RED, "tree_keeps", "keeps_of"),
        ("value kept by policy", picture::PURPLE, "policy_keeps", "keeps_of"),
        ("left en prise", picture::ORANGE, "careless", "careless_of"),
        ("left en prise by the policy", picture::GREEN, "policy_careless", "careless_of"),
    ] {
        let points = cycles.lately(share, Some(of))?;
        if !points.is_empty() {
            shares.push(Line::dashed(name, color, points));
        }
    }
    let heights: Vec<f64> = losses.iter().flat_map(Line::heights).chain([0.0]).collect();
    let panel = |title: &str, x: &str, y: Axis, lines: Vec<Line>| Panel {
        title: title.to_string(),
        x: cycles.axis(x),
        y,
        lines,
    };
    let panels = vec![
        panel("Losses", "cycle", Axis::covering("loss", heights), losses),
        panel("Strength", LATELY, Axis::covering("percent", [0.0, 100.0]), shares),
    ];
    let figure =
        Figure { title: String::new(), columns: 2, panel: (600.0, 440.0), one_legend: false, panels };
    Ok(figure.draw(layout::CYCLES_PICTURE))
}

/// The pictures of an experiment, from its tables.
pub fn alphazero_pictures(title: &str, tables: &TableFiles) -> Result<Vec<Picture>, TableError> {
    let mut pictures = cycles_pictures(tables)?;
    if tables.has(layout::GRADES) {
        pictures.push(judged_picture(title, tables)?);
    }
    Ok(pictures)
}

/// What perfect play says of the network over the cycles, between linear evaluators and what the same network can be at best.
fn judged_picture(title: &str, tables: &TableFiles) -> Result<Picture, TableError> {
    let cycles = CycleTable(tables.rows(layout::CYCLES)?);
    let x = cycles.axis(LATELY);
    let mut lines = vec![
        Line::solid("network with its tree", picture::BLUE, cycles.lately("tree_keeps", Some("keeps_of"))?),
        Line::solid(
            "network, policy alone",
            picture::GREEN,
            cycles.lately("policy_keeps", Some("keeps_of"))?,
        ),
        Line::solid("network, value right", picture::PURPLE, cycles.lately("value_right", Some("right_of"))?),
    ];
    let graded = tables
        .rows(layout::GRADES)?
        .map(|row| Ok((row.text("player")?.to_string(), row.maybe::<f64>("value_kept")?)))?;
    // First the network, with its tree and its policy alone; then the one taught by the solution, if there is one; then others.
    let mut others = [picture::ORANGE, picture::RED, picture::GRAY, picture::BLACK].into_iter().cycle();
    let mut taught =
        [("taught by the solution, tree", picture::BLUE), ("taught by the solution, policy", picture::GREEN)]
            .into_iter();
    for (name, kept) in graded.iter().skip(2) {
        let own = if name.starts_with(TAUGHT) { taught.next() } else { None };
        let (name, color) =
            own.or_else(|| Some((name.as_str(), others.next()?))).unwrap_or((name, picture::GRAY));
        lines.extend(kept.map(|kept| Line::level(name, color, &x, 100.0 * kept)));
    }
    let y = Axis::covering(
        "percent, judged by perfect play",
        lines.iter().flat_map(Line::heights).chain([100.0]),
    );
    Ok(Figure::single(title, x, y, lines).draw(layout::JUDGED_PICTURE))
}
