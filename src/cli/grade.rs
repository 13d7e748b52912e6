//! `dobutsu-ga grade`: how good are a player's moves, measured by the solved game?

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use super::{
    CliError, FormatArg, Progress, SolutionArgs, input, needs_solution, on_threads, players, seed,
    thread_count, variant,
};
use crate::experiment::{Grader, Source};
use crate::game::{Side, Solutions};
use crate::players::{Playable, PlayerSpec};
use crate::report::{
    GradeRow, TableFiles, grade_csv, grade_picture, grade_table, has_depths, layout, percent,
};
use crate::run::{RunDir, Watch, grade_all};

/// Grade players by the solved game: how often they keep what a position is worth
///
/// Each player is asked for a move in a sample of positions: from games against itself, from games of random moves, and from all
/// positions there are. A player that looks ahead and does not say how far is graded at each depth of --depths.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  dobutsu-ga grade material full\n  \
                        dobutsu-ga grade random table5:terminal=exact:depth=2 perfect --rules official\n\n\
                        Players are named as in `dobutsu-ga match`.")]
pub(super) struct Args {
    /// The players
    #[arg(value_name = "PLAYER", required = true)]
    players: Vec<String>,
    /// At which depths, as in 2 or 1-6 [default: 1-6]
    #[arg(long, value_name = "FROM-TO", value_parser = depths)]
    depths: Option<(u32, u32)>,
    /// How many positions from each source, and from the games of each seed
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    positions: u32,
    /// Where all chance comes from
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = seed)]
    seed: u64,
    /// With how many seeds games are played, from --seed on: the more, the less depends on which games they happen to be
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    seeds: u32,
    #[command(flatten)]
    solution: SolutionArgs,
    /// Also write grade.csv and grade.md into this folder, and a picture of them if players are graded at several depths
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Overwrite grades of other settings in that folder
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    format: FormatArg,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

fn depths(text: &str) -> Result<(u32, u32), String> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) if 1 <= from && from <= to && to <= 8 => Ok((from, to)),
        _ => Err("depths are from 1 to 8, as in 2 or 1-6".to_string()),
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    with_game!(args.solution.game.game, G => run_for::<G>(args, out))
}

fn run_for<G: Playable>(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    needs_solution::<G>("grade")?;
    let rules: G::Rules = variant(args.solution.rules.as_deref())?;
    let solutions = G::Solutions::at(args.solution.table.as_deref());
    let own_table = |player: &PlayerSpec<G>| match &args.solution.table {
        Some(_) => player.clone().with_solutions(&solutions),
        None => player.clone(),
    };
    let players: Vec<PlayerSpec<G>> = players(&args.players)?.iter().map(own_table).collect();
    players.iter().try_for_each(|player| player.check(rules))?;
    if args.depths.is_some() && players.iter().all(|player| player.at_depth(1).is_none()) {
        let players: Vec<String> = players.iter().map(PlayerSpec::to_string).collect();
        return Err(input(format!(
            "--depths has no meaning for {}: it is for players that look ahead and do not say how far",
            players.join(", ")
        )));
    }
    if args.format.format.is_some() && args.out.is_none() {
        return Err(input("--format has no effect without --out: leave it out, or say where to write"));
    }
    let solution = solutions.get(rules)?;
    let rules = rules.to_string();
    let mut folder = match &args.out {
        Some(path) => Some(RunDir::prepare(path, args.run_toml(&rules), args.force)?),
        None => None,
    };
    if let Some(folder) = &mut folder {
        folder.open()?;
    }
    let grader = Grader {
        solution: &*solution,
        seed: args.seed,
        positions: args.positions as usize,
        seeds: args.seeds as usize,
    };
    let begin = |total| -> Box<dyn Watch> { Box::new(Progress::new("grading", total, "samples")) };
    let rows =
        on_threads(args.threads, || grade_all(&grader, &players, args.depths(), &begin))?.map_err(input)?;
    let written = match &folder {
        Some(folder) => {
            let mut files = vec![
                (layout::GRADE.to_string(), grade_csv(&rows)),
                (layout::GRADE_PAGE.to_string(), args.markdown(&rules, &rows).into_bytes()),
            ];
            // It shows what depth does: without depths there is nothing to see.
            if has_depths(&rows) {
                let picture = grade_picture(&TableFiles::of(&files), None).map_err(input)?;
                files.extend(picture.files(args.format.get()));
            }
            Some(folder.write(&files)?)
        }
        None => None,
    };
    writeln!(out, "{}; in %, with 95 % intervals\n", args.about(&rules))?;
    write_rows(out, &rows)?;
    if let (Some(folder), Some(same)) = (&folder, written) {
        let what = if same { "came out again, byte for byte, in" } else { "written to" };
        writeln!(out, "\nGrades {what} {}", folder.path().display())?;
    }
    Ok(())
}

fn write_rows(out: &mut dyn Write, rows: &[GradeRow]) -> Result<(), CliError> {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max(6);
    writeln!(
        out,
        "{:<width$} depth source        {:<19} {:<19} {:<19} given away  blunders first/second",
        "player", "value kept", "win kept", "perfect"
    )?;
    for row in rows {
        for (source, grade) in &row.grades {
            let share = |share: crate::experiment::Share| {
                share.estimate().map_or("-".to_string(), |share| format!("{:.1}", 100.0 * share.value))
            };
            writeln!(
                out,
                "{:<width$} {:>5} {:<13} {:<19} {:<19} {:<19} {:>10}  {:>8} {:>12}",
                row.name,
                row.depth.map_or("-".to_string(), |depth| depth.to_string()),
                source.name(),
                percent(grade.kept),
                percent(grade.wins_kept),
                percent(grade.perfect),
                grade.plies_given_away().map_or("-".to_string(), |plies| format!("{plies:.2}")),
                share(grade.blunders[Side::First]),
                share(grade.blunders[Side::Second]),
            )?;
        }
    }
    Ok(())
}

impl Args {
    fn depths(&self) -> (u32, u32) {
        self.depths.unwrap_or((1, 6))
    }

    fn run_toml(&self, rules: &str) -> String {
        let players = &self.players;
        let (from, to) = self.depths();
        format!(
            "version = {:?}\ncommand = \"grade\"\nplayers = {players:?}\ndepths = \"{from}-{to}\"\npositions = {}\nseed = {}\nseeds = {}\nrules = \"{}\"\n",
            env!("CARGO_PKG_VERSION"),
            self.positions,
            self.seed,
            self.seeds,
            rules
        )
    }

    /// On what the grades rest, in words.
    fn about(&self, rules: &str) -> String {
        let seeds = match self.seeds {
            1 => format!("seed {}", self.seed),
            seeds => format!("seeds {} to {}", self.seed, self.seed.wrapping_add(u64::from(seeds) - 1)),
        };
        format!(
            "Up to {} different positions from games and {} from all, {} rules, {seeds}",
            u64::from(self.positions) * u64::from(self.seeds),
            self.positions,
            rules
        )
    }

    fn markdown(&self, rules: &str, rows: &[GradeRow]) -> String {
        let mut text = format!(
            "# Grades by the solved game\n\n{} (how many is in grade.csv). Shares in % with 95 % intervals; positions of the same pair of games count as alike as they turn out to be.\n",
            self.about(rules)
        );
        for source in Source::ALL {
            let _ = write!(text, "\n## {}\n\n{}", source.name(), grade_table(rows, source));
        }
        text
    }
}
