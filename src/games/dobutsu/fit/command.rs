//! `dobutsu-ga fit`: what the features of a position are worth, by the solved game.

use std::io::Write;
use std::path::PathBuf;

use clap::ValueEnum;
use rayon::prelude::*;

use super::{FITTED, Fitted, Known, Leaf, Weight, fit, fit_games};
use crate::command::{CliError, SolutionArgs, input, not_solved, on_threads, seed, thread_count, variant};
use crate::experiment::{Sample, game_positions};
use crate::files::Claim;
use crate::game::Side;
use crate::games::GameName;
use crate::games::dobutsu::eval::Gene;
use crate::games::dobutsu::solve::Table;
use crate::games::dobutsu::{Position, Rules};
use crate::learn::GeneSet;
use crate::random::stream;

/// Fit piece values and feature weights to the solved game by logistic regression
///
/// A weight says how the log odds of winning change with one more of a feature on the own side, or one less on the other.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  dobutsu-ga fit\n  dobutsu-ga fit --sample games --side first --leaf quiet --genes full --out fitted.toml"
)]
pub(crate) struct Args {
    /// Which weights: piece values, or also mobility, check and try
    #[arg(long, default_value_t = GeneSet::Material, value_name = "SET")]
    genes: GeneSet,
    /// Where features are counted: at the position itself, or where the best line of captures ends
    #[arg(long, value_enum, default_value_t = Leaf::Position, value_name = "WHERE")]
    leaf: Leaf,
    /// Which positions: all (any position there is) or games (of random moves and of the untrained values)
    #[arg(long, value_enum, default_value_t = Sample::All, value_name = "FROM")]
    sample: Sample,
    /// Only positions with this side to move
    #[arg(long, value_name = "SIDE")]
    side: Option<Side>,
    /// How many positions, or all with --sample all: every single one, which takes minutes
    #[arg(long, value_name = "N|all", default_value = "200000", value_parser = position_count)]
    positions: PositionCount,
    /// Where all chance comes from [default: 1]
    #[arg(long, value_name = "S", value_parser = seed)]
    seed: Option<u64>,
    #[command(flatten)]
    solution: SolutionArgs,
    /// Write the weights as a genome file, with a giraffe on the board at 100 points (less if a weight would be above 3000)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite that file
    #[arg(long)]
    force: bool,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PositionCount {
    Some(usize),
    All,
}

fn position_count(text: &str) -> Result<PositionCount, String> {
    match text.parse() {
        _ if text == "all" => Ok(PositionCount::All),
        Ok(count) if (1_000..=50_000_000).contains(&count) => Ok(PositionCount::Some(count)),
        _ => Err("the number of positions must be from 1000 to 50000000, or all".to_string()),
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    args.solution.game.must_be(GameName::Dobutsu, |game| not_solved("fit", game))?;
    let rules: Rules = variant(args.solution.rules.as_deref())?;
    if args.positions == PositionCount::All && (args.sample != Sample::All || args.side.is_some()) {
        return Err(input(
            "--positions all is for --sample all without --side: games have no end of positions, and sides are alike",
        ));
    }
    if args.positions == PositionCount::All && args.seed.is_some() {
        return Err(input("--positions all leaves nothing to chance: --seed has no meaning with it"));
    }
    let table = Table::open(args.solution.table.as_deref(), rules)?;
    let place = args.out.as_ref().map(|path| Claim::new(path, args.force)).transpose()?;
    let fitted = on_threads(args.threads, || args.fit(&table))?;
    if let Some(place) = place {
        let text = format!(
            "# Fitted to the solved game ({} rules), see `dobutsu-ga fit`.\n{}",
            rules,
            fitted.genome().to_toml()
        );
        place.write(text.as_bytes())?;
    }
    writeln!(
        out,
        "{} positions ({}), {}, {} rules. Log odds of winning for one more, with 95 % intervals:\n",
        fitted.positions,
        args.sample.to_possible_value().map_or(String::new(), |value| value.get_name().to_string()),
        args.leaf.name(),
        rules
    )?;
    write_weights(out, &fitted)?;
    if let Some(path) = &args.out {
        writeln!(out, "\nWritten to {}", path.display())?;
    }
    Ok(())
}

impl Args {
    fn genes(&self) -> &'static [Gene] {
        match self.genes {
            GeneSet::Material => FITTED.split_at(7).0,
            GeneSet::Full => &FITTED,
        }
    }

    fn fit(&self, table: &Table) -> Fitted {
        let seed = self.seed.unwrap_or(1);
        let wanted = |position: &Position| self.side.is_none_or(|side| position.turn() == side);
        let positions: Vec<Position> = match (self.sample, self.positions) {
            (_, PositionCount::All) => {
                let all = (0..table.numbers()).into_par_iter().filter_map(|number| table.position(number));
                return fit(table, all, self.genes(), self.leaf);
            }
            (Sample::All, PositionCount::Some(count)) => {
                let mut random = stream(seed, 9, 0);
                std::iter::from_fn(|| Some(table.any_position(&mut random)))
                    .filter(wanted)
                    .take(count)
                    .collect()
            }
            (Sample::Games, PositionCount::Some(count)) => {
                let games = game_positions(table.rules(), seed, count, self.side);
                return fit_games(table, &games, self.genes(), self.leaf);
            }
        };
        fit(table, positions.into_par_iter(), self.genes(), self.leaf)
    }
}

fn write_weights(out: &mut dyn Write, fitted: &Fitted) -> Result<(), CliError> {
    let giraffe = fitted.weights.get(1).map_or(1.0, |giraffe| giraffe.value);
    writeln!(out, "{:<17} {:>7}  {:<17} {:>12}", "feature", "weight", "95 % interval", "giraffe = 5")?;
    let interval = |weight: &Weight| match weight.known {
        Known::Between(low, high) => format!("[{low:.3}, {high:.3}]"),
        Known::Unbounded => "none, see below".to_string(),
        Known::Nothing => "none, never there".to_string(),
    };
    for (gene, weight) in fitted.genes.iter().zip(&fitted.weights) {
        let (name, value) = (gene.to_string(), weight.value);
        writeln!(out, "{name:<17} {value:>7.3}  {:<17} {:>12.2}", interval(weight), 5.0 * value / giraffe)?;
    }
    writeln!(out, "{:<17} {:>7.3}  {}", "to move", fitted.tempo.value, interval(&fitted.tempo))?;
    let unbounded: Vec<String> = fitted
        .genes
        .iter()
        .zip(&fitted.weights)
        .filter(|(_, weight)| weight.known == Known::Unbounded)
        .map(|(gene, _)| gene.to_string())
        .collect();
    if !unbounded.is_empty() {
        writeln!(
            out,
            "\nNo result goes against {}: the larger the weight, the better the fit, without end. All weights above are those of \
             Firth's method (Jeffreys' prior), which ends somewhere: the more positions, the later.",
            unbounded.join(" and ")
        )?;
    }
    writeln!(
        out,
        "\nLog loss {:.4} bits a position (1 is knowing nothing); tells the winner of {:.1} % of the decided positions.",
        fitted.loss,
        100.0 * fitted.accuracy
    )?;
    Ok(())
}
