//! `dobutsu-ga solve`: the whole game, solved and kept in a table.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::{Table, TableError, TryEnds, forward_value};
use crate::command::{
    CliError, GameArg, Progress, grouped, input, not_solved, on_threads, tell, thread_count,
};
use crate::files;
use crate::files::Claim;
use crate::game::{Game, Solution, Solved};
use crate::games::GameName;
use crate::games::dobutsu::{Position, Rules};
use crate::random::{below, stream};

/// Solve the whole game: who wins every position, and in how many plies
///
/// The table goes to the user's cache folder, where probe, grade, the player `perfect` and others look for it. It is made once
/// for each set of rules and takes 260 MB (official) or 130 MB (paper).
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  dobutsu-ga solve\n  dobutsu-ga solve --rules official --verify --count")]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// Rules for a try: paper (always wins) or official (wins if the lion cannot be captured at once)
    #[arg(long, default_value_t, value_name = "RULES")]
    rules: Rules,
    /// The file for the table [default: $DOBUTSU_GA_TABLE or RULES.table in the user's cache folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Solve even if the table is there already
    #[arg(long)]
    force: bool,
    /// Check the table: every entry against its moves, and some positions solved again without it
    #[arg(long)]
    verify: bool,
    /// Count the positions that can come about in a game
    #[arg(long)]
    count: bool,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    args.game.must_be(GameName::Dobutsu, |game| not_solved("solve", game))?;
    let path = Table::place(args.out.as_deref(), args.rules)?;
    let there = if args.force { None } else { existing(&path, args.rules)? };
    let table = match there {
        Some(table) => {
            writeln!(out, "The table is there already: {} (--force makes it again)", path.display())?;
            table
        }
        None => on_threads(args.threads, || solve(&path, args.rules))??,
    };
    write_counts(out, &table)?;
    if args.verify {
        verify(args, &table, out)?;
    }
    if args.count {
        writeln!(
            out,
            "\nPositions that can come about in a game, side to move and mirror folded. A game ends when the lion can be caught, and"
        )?;
        for (ends_when, words) in [
            (TryEnds::WhenMade, "when a try has won:"),
            (TryEnds::WhenPossible, "when a try can win (nothing is played from there):"),
        ] {
            out.flush()?;
            let reachable = on_threads(args.threads, || table.reachable(ends_when))?;
            writeln!(out, "{words}\n{reachable}")?;
        }
    }
    Ok(())
}

/// The table that is there, if any. What is no table of these rules is not overwritten.
fn existing(path: &Path, rules: Rules) -> Result<Option<Table>, CliError> {
    match Table::open(Some(path), rules) {
        Ok(table) => Ok(Some(table)),
        Err(TableError::Missing { .. }) => Ok(None),
        Err(TableError::NoTable(path)) => {
            Err(input(format!("'{}' is there and is no table: --force overwrites it", path.display())))
        }
        Err(error) => Err(error.into()),
    }
}

fn solve(path: &Path, rules: Rules) -> Result<Table, CliError> {
    if let Some(folder) = path.parent() {
        files::create_folder(folder)?;
    }
    let _claim = Claim::new(path, true)?;
    let begin = Instant::now();
    let progress = Progress::new(&format!("solving ({rules} rules)"), 100, "%");
    let table = Table::solve(rules, &|done, total| progress.set(done * 100 / total))?;
    drop(progress);
    let solved = begin.elapsed().as_secs_f64();
    table.save(path)?;
    tell(format_args!(
        "Solved in {solved:.1} s, written in {:.1} s to {}",
        begin.elapsed().as_secs_f64() - solved,
        path.display()
    ));
    Ok(table)
}

fn write_counts(out: &mut dyn Write, table: &Table) -> Result<(), CliError> {
    let counts = table.counts();
    let start = Position::start(table.rules());
    writeln!(out, "\n{} rules. The start, for the first player: {}.", table.rules(), table.probe(&start))?;
    for (m, worth) in table.moves(&start) {
        writeln!(out, "  {:<5} {worth}", start.move_text(m))?;
    }
    writeln!(
        out,
        "\nAll positions, side to move and mirror folded, in which the lion cannot be caught at once:\n  \
         won   {:>13}\n  lost  {:>13}\n  drawn {:>13}\n  total {:>13}\nThe longest win takes {} plies.",
        grouped(counts.won),
        grouped(counts.lost),
        grouped(counts.drawn),
        grouped(counts.won + counts.lost + counts.drawn),
        counts.longest
    )?;
    Ok(())
}

/// How many positions are solved again, and to which distance that takes no long time.
const SAMPLE: usize = 2_000;
const SAMPLE_PLIES: u8 = 5;

fn verify(args: &Args, table: &Table, out: &mut dyn Write) -> Result<(), CliError> {
    let progress = Progress::new("verifying", 100, "%");
    let checked = on_threads(args.threads, || table.verify(&|done, total| progress.set(done * 100 / total)))?;
    drop(progress);
    checked.map_err(input)?;
    writeln!(out, "\nEvery entry is what its moves make of the position.")?;
    let mut random = stream(1, 0, 0);
    let mut decided = 0;
    for position in std::iter::from_fn(|| Some(table.position(below(&mut random, table.numbers()))))
        .flatten()
        .take(SAMPLE)
    {
        let found = table.probe(&position);
        let within = found.plies().filter(|plies| *plies <= SAMPLE_PLIES);
        decided += usize::from(within.is_some());
        let expected: Option<Solved> = within.map(|_| found);
        if forward_value(&position, SAMPLE_PLIES) != expected {
            return Err(input(format!(
                "the table says {found} of '{position}', and looking ahead {SAMPLE_PLIES} plies does not"
            )));
        }
    }
    writeln!(
        out,
        "{} random positions, solved again without the table up to {SAMPLE_PLIES} plies: all agree, {} of them decided by then.",
        grouped(SAMPLE as u64),
        grouped(decided as u64)
    )?;
    Ok(())
}

impl From<TableError> for CliError {
    fn from(error: TableError) -> CliError {
        match error {
            TableError::File(error) => error.into(),
            other => input(other),
        }
    }
}
