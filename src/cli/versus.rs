//! `dobutsu-ga match` and `dobutsu-ga tournament`: who is stronger, and how sure is that?

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::PathBuf;

use super::progress::Progress;
use super::recorder::Recorder;
use super::{CliError, GameArg, RulesArg, input, on_threads, players, seed, thread_count, variant};
use crate::arena::{
    Conditions, Decision, Estimate, Openings, PairCounts, Pairing, Scored, Sprt, Standings, Tally, elo,
    gauntlet, likelihood_of_superiority, match_pairing, normalized_elo, play_games, ratings, round_robin,
    schedule, score_interval,
};
use crate::games::{BySide, DEFAULT_PLY_CAP, Limits};
use crate::job::Watch;
use crate::lab::Lab;
use crate::players::{PlayerSpec, help};

/// The players that a help text explains: the usual game's.
fn players_help() -> String {
    let usual = with_game!(crate::lab::GameName::default(), G => help::<G>());
    format!("{usual}`dobutsu-ga players --game GAME` lists those of other games.")
}

/// Play two players against each other, sides swapped in pairs of games
#[derive(clap::Args)]
#[command(after_help = players_help())]
pub(super) struct MatchArgs {
    /// The first player
    #[arg(value_name = "A")]
    a: String,
    /// The second player
    #[arg(value_name = "B")]
    b: String,
    /// Stop as soon as it is clear which of two strengths (normalized Elo) is true, as in elo0=0,elo1=20
    #[arg(long, value_name = "SPEC")]
    sprt: Option<Sprt>,
    #[command(flatten)]
    common: Common,
}

/// Play everybody against everybody and rate them jointly
#[derive(clap::Args)]
#[command(after_help = players_help())]
pub(super) struct TournamentArgs {
    /// The players
    #[arg(value_name = "PLAYER", num_args = 2.., required = true)]
    players: Vec<String>,
    /// Only the first player plays the others
    #[arg(long)]
    gauntlet: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(clap::Args)]
struct Common {
    /// How many games each pair of players plays (even: they swap sides)
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = game_count)]
    games: usize,
    /// Where all chance comes from: the same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = seed)]
    seed: u64,
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    rules: RulesArg,
    /// How the pieces stand at first, where a game has more than one array: dobutsu official or figure12
    #[arg(long, value_name = "ARRAY")]
    array: Option<String>,
    /// Whether the game's rule about repeated positions holds
    #[arg(long, value_name = "on|off", default_value = "on")]
    repetition: OnOff,
    /// Begin each pair of games with this many random moves, after which neither side can win at once
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=20))]
    opening_plies: u16,
    /// Where those may lead: calm (see above), drawn (with perfect play), or far=N (drawn, or decided in N plies or more)
    #[arg(long, value_name = "KIND")]
    openings: Option<Openings>,
    /// Call a game a draw after this many plies
    #[arg(long, value_name = "N", default_value_t = DEFAULT_PLY_CAP as u16, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    ply_cap: u16,
    /// Write every game to this file: one line of JSON each, or CSA if its name ends in .csa (kyoto)
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Overwrite the file of records
    #[arg(long)]
    force: bool,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<usize>,
}

const MOST_GAMES: usize = 1_000_000;

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum OnOff {
    On,
    Off,
}

fn game_count(text: &str) -> Result<usize, String> {
    match text.parse::<usize>() {
        Ok(games) if (1..=MOST_GAMES).contains(&games) && games % 2 == 0 => Ok(games),
        Ok(1) => Err("the number of games must be even, because sides are swapped: 2 or more".to_string()),
        Ok(games) if games % 2 == 1 && games < MOST_GAMES => Err(format!(
            "the number of games must be even, because sides are swapped: {} or {}",
            games - 1,
            games + 1
        )),
        _ => Err(format!("the number of games must be from 2 to {MOST_GAMES}")),
    }
}

impl Common {
    fn conditions<G: Lab>(&self) -> Result<Conditions<G>, CliError> {
        Ok(Conditions {
            rules: self.rules.of::<G>()?,
            array: variant(self.array.as_deref())?,
            seed: self.seed,
            opening_plies: usize::from(self.opening_plies),
            openings: self.openings.unwrap_or_default(),
            limits: Limits { ply_cap: usize::from(self.ply_cap), repetition: self.repetition == OnOff::On },
        })
    }

    /// Before any work: the players must be able to play, and the records must have a place that overwrites nothing.
    fn check<G: Lab>(
        &self,
        players: &[PlayerSpec<G>],
        conditions: &Conditions<G>,
    ) -> Result<Option<Recorder>, CliError> {
        players.iter().try_for_each(|player| player.check(conditions.rules))?;
        if self.opening_plies >= self.ply_cap {
            return Err(input("--opening-plies must be less than --ply-cap: no game would be played"));
        }
        if self.openings.is_some() && self.opening_plies == 0 {
            return Err(input("--openings has no effect without --opening-plies"));
        }
        conditions.check().map_err(input)?;
        Recorder::wanted::<G>(&self.records, self.force)
    }
}

/// With a SPRT the games are played in portions of this many pairs; where it stops does not depend on the portions.
const PORTION: usize = 64;

/// With records they are played in portions of this many pairs, so that no more than that is held at once.
const RECORDED_PORTION: usize = 2_000;

pub(super) fn run_match(args: &MatchArgs, out: &mut dyn Write) -> Result<(), CliError> {
    with_game!(args.common.game.game, G => run_match_for::<G>(args, out))
}

fn run_match_for<G: Lab>(args: &MatchArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let players = players::<G>(&[args.a.clone(), args.b.clone()])?;
    let conditions = args.common.conditions::<G>()?;
    let recorder = args.common.check(&players, &conditions)?;
    let pairings = match_pairing(args.common.games);
    let games = on_threads(args.common.threads, || {
        play(&players, &pairings, &conditions, args.sprt.as_ref(), recorder)
    })??;
    let standings = Standings::new(2, &pairings, &games);
    writeln!(out, "{} against {}: {}\n", args.a, args.b, about(&conditions, games.len()))?;
    warn_of_copies(out, &games)?;
    write_tallies(out, &[args.a.clone(), args.b.clone()], &standings)?;
    let (tally, pairs) = (standings.total(0), standings.pairs[0]);
    let score = score_interval(&tally, &pairs);
    writeln!(out, "\nFor {} (95 % intervals):", args.a)?;
    writeln!(out, "  score            {}", interval(score, 3))?;
    writeln!(out, "  Elo              {}", interval(score.map(elo), 0))?;
    let normalized = match normalized_elo(&pairs) {
        Some(normalized) => interval(normalized, 0),
        None => "not defined: all pairs ended alike".to_string(),
    };
    writeln!(out, "  normalized Elo   {normalized}")?;
    writeln!(out, "  likelihood of superiority {:.1} %", 100.0 * likelihood_of_superiority(&tally))?;
    let [ll, ld, middle, wd, ww] = pairs.0;
    writeln!(out, "  pairs LL {ll}, LD {ld}, LW or DD {middle}, WD {wd}, WW {ww}")?;
    if let Some(sprt) = &args.sprt {
        let (fail, pass) = sprt.bounds();
        let verdict = match sprt.decide(&pairs) {
            Decision::Passed => format!("passed: {} or more", sprt.elo1),
            Decision::Failed => format!("failed: {} or less", sprt.elo0),
            Decision::Undecided => "undecided: more games are needed".to_string(),
        };
        writeln!(out, "  SPRT             LLR {:.2} ({fail:.2}, {pass:.2}), {verdict}", sprt.llr(&pairs))?;
        if sprt.decide(&pairs) != Decision::Undecided {
            writeln!(
                out,
                "\nThe test stopped the match because the result was clear. That makes scores too extreme, on average, and the \
                 intervals above no 95 % ones: for an unbiased score, play a fixed number of games with another seed."
            )?;
        }
    }
    Ok(())
}

fn play<G: Lab>(
    players: &[PlayerSpec<G>],
    pairings: &[Pairing],
    conditions: &Conditions<G>,
    sprt: Option<&Sprt>,
    mut recorder: Option<Recorder>,
) -> Result<Vec<Scored>, CliError> {
    let all = schedule(pairings);
    let progress = Progress::new("playing", all.len() as u64, "games");
    let portion = match (sprt, &recorder) {
        (Some(_), _) => 2 * PORTION,
        (None, Some(_)) => 2 * RECORDED_PORTION,
        (None, None) => all.len(),
    };
    let mut games: Vec<Scored> = Vec::new();
    let mut pairs = PairCounts::default();
    'playing: for slots in all.chunks(portion) {
        let new = play_games(players, pairings, slots, conditions, &|| progress.step());
        for pair in new.chunks(2) {
            for played in pair {
                if let Some(recorder) = &mut recorder {
                    recorder.write(played, players, conditions)?;
                }
                games.push(played.scored);
            }
            let [one, two] = [&pair[0].scored, &pair[1].scored];
            pairs.add(one.half_points_of_first() + 2 - two.half_points_of_first());
            if sprt.is_some_and(|sprt| sprt.decide(&pairs) != Decision::Undecided) {
                break 'playing;
            }
        }
    }
    recorder.map_or(Ok(()), Recorder::finish)?;
    Ok(games)
}

/// Players that never draw lots play the same game again and again: many games then prove little.
fn warn_of_copies(out: &mut dyn Write, games: &[Scored]) -> Result<(), CliError> {
    let distinct: HashSet<_> =
        games.iter().map(|game| (game.pairing, game.first, game.fingerprint)).collect();
    if distinct.len() * 10 < games.len() {
        writeln!(
            out,
            "Only {} of these {} games differ: the intervals below are far too narrow. --opening-plies makes the games differ.\n",
            distinct.len(),
            games.len()
        )?;
    }
    Ok(())
}

pub(super) fn run_tournament(args: &TournamentArgs, out: &mut dyn Write) -> Result<(), CliError> {
    with_game!(args.common.game.game, G => run_tournament_for::<G>(args, out))
}

fn run_tournament_for<G: Lab>(args: &TournamentArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let players = &players::<G>(&args.players)?;
    let pairings = match args.gauntlet {
        true => gauntlet(players.len(), args.common.games),
        false => round_robin(players.len(), args.common.games),
    };
    let total = pairings.len() * args.common.games;
    if total > MOST_GAMES {
        return Err(input(format!(
            "{} pairings make {total} games: at most {MOST_GAMES} can be played",
            pairings.len()
        )));
    }
    let conditions = args.common.conditions::<G>()?;
    let recorder = args.common.check(players, &conditions)?;
    let games = on_threads(args.common.threads, || play(players, &pairings, &conditions, None, recorder))??;
    let standings = Standings::new(players.len(), &pairings, &games);
    let names = &args.players;
    writeln!(out, "{} players: {}\n", players.len(), about(&conditions, games.len()))?;
    warn_of_copies(out, &games)?;
    write_tallies(out, names, &standings)?;
    let ratings = ratings(players.len(), &games);
    let mut ranked = ratings.players.clone();
    ranked.sort_by(|a, b| b.elo.value.total_cmp(&a.elo.value));
    let width = names.iter().map(String::len).max().unwrap_or(0);
    writeln!(out, "\nJoint ratings, Elo above the average of the field (95 % intervals):")?;
    for (rank, rating) in (1..).zip(&ranked) {
        writeln!(out, "{rank:>3}  {:<width$}  {}", names[rating.player], interval(rating.elo, 0))?;
    }
    writeln!(out, "\nMoving first is worth {} Elo.", interval(ratings.first_mover, 0))?;
    writeln!(out, "\nPairings, score of the first named (95 % interval):")?;
    let mut scores = HashMap::new();
    for (pairing, (results, pairs)) in pairings.iter().zip(standings.pairings.iter().zip(&standings.pairs)) {
        let results = results.first + results.second;
        // With few games a pairing, many pairings have the same results, and their interval takes a while.
        let score = *scores.entry((results, *pairs)).or_insert_with(|| score_interval(&results, pairs));
        let (first, second) = (&names[pairing.first], &names[pairing.second]);
        writeln!(out, "  {first:<width$}  v  {second:<width$}  {}", interval(score, 3))?;
    }
    Ok(())
}

fn about<G: Lab>(conditions: &Conditions<G>, games: usize) -> String {
    let Conditions { rules, array, seed, opening_plies, openings, limits } = conditions;
    let opening = match opening_plies {
        0 => String::new(),
        plies => format!(", {plies} random plies first ({openings})"),
    };
    let array = match *array == G::Array::default() {
        true => String::new(),
        false => format!(", {array} array"),
    };
    let repetition = if limits.repetition { "" } else { ", repetition allowed" };
    format!("{games} games, seed {seed}, {rules} rules{array}{repetition}{opening}")
}

fn interval(estimate: Estimate, decimals: usize) -> String {
    let sign = |value: f64| match (decimals, value) {
        (0, value) => format!("{value:+.0}"),
        (decimals, value) => format!("{value:.decimals$}"),
    };
    format!("{} [{}, {}]", sign(estimate.value), sign(estimate.low), sign(estimate.high))
}

fn write_tallies(out: &mut dyn Write, names: &[String], standings: &Standings) -> Result<(), CliError> {
    let width = names.iter().map(String::len).max().unwrap_or(0).max(6);
    writeln!(
        out,
        "{:<width$}  {:<6} {:>7} {:>7} {:>7} {:>7}  {:>6}",
        "player", "moves", "games", "wins", "draws", "losses", "score"
    )?;
    for (name, BySide { first, second }) in names.iter().zip(&standings.players) {
        for (moves, tally) in [("first", *first), ("second", *second), ("both", *first + *second)] {
            let Tally { wins, draws, losses } = tally;
            let games = tally.games();
            writeln!(
                out,
                "{name:<width$}  {moves:<6} {games:>7} {wins:>7} {draws:>7} {losses:>7}  {:>6.3}",
                tally.score()
            )?;
        }
    }
    Ok(())
}
