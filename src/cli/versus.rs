//! `dobutsu-ga match` and `dobutsu-ga tournament`: who is stronger, and how sure is that?

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use super::recorder::Recorder;
use super::setting::{MOST_GAMES, Setting, about, players_help};
use super::{CliError, input, on_threads, players, stop_flag, tell, visible};
use crate::arena::{
    Conditions, Decision, Estimate, Games, PairCounts, Pairing, Played, Scored, Sprt, Standings, Tally, elo,
    gauntlet, likelihood_of_superiority, match_pairing, normalized_elo, ratings, round_robin, schedule,
    score_interval,
};
use crate::command::Progress;
use crate::game::{BySide, Outcome, Side};
use crate::players::Playable;
use crate::players::PlayerSpec;
use crate::run::Watch;

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
    /// Stop as soon as it is clear which of two strengths (normalized Elo) is true, as in elo0=0,elo1=20; after --games at the latest
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
    /// How many games each pair of players plays (even: they swap sides) [default: 100; with --sprt at most 100000]
    #[arg(long, value_name = "N", value_parser = game_count)]
    games: Option<usize>,
    #[command(flatten)]
    setting: Setting,
    /// Write every game to this file: one line of JSON each, or as its name ends: .pgn, .uci, .csa (kyoto)
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
}

pub(super) fn game_count(text: &str) -> Result<usize, String> {
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
    /// Claims the file of records, if one is wanted, before any work: it must overwrite nothing.
    fn recorder<G: Playable>(&self) -> Result<Option<Recorder<G>>, CliError> {
        self.records.as_ref().map(|path| Recorder::new(path, self.setting.force)).transpose()
    }
}

/// How many games are played unless asked otherwise; a SPRT must be free to go on until it is clear.
const GAMES: usize = 100;
const SPRT_GAMES: usize = 100_000;

/// With a SPRT the games are played in portions of this many pairs; where it stops does not depend on the portions.
const PORTION: usize = 64;

/// With records they are played in portions of this many pairs, so that no more than that is held at once.
const RECORDED_PORTION: usize = 2_000;

pub(super) fn run_match(args: &MatchArgs, out: &mut dyn Write) -> Result<(), CliError> {
    with_game!(args.common.setting.game.game, G => run_match_for::<G>(args, out))
}

fn run_match_for<G: Playable>(args: &MatchArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let players = players::<G>(&[args.a.clone(), args.b.clone()])?;
    let conditions = args.common.setting.conditions(&players, 0)?;
    let recorder = args.common.recorder::<G>()?;
    let pairings =
        match_pairing(args.common.games.unwrap_or(if args.sprt.is_some() { SPRT_GAMES } else { GAMES }));
    let Finished { games, faults, stopped } = on_threads(args.common.setting.threads, || {
        play(&players, &pairings, &conditions, args.sprt.as_ref(), recorder)
    })??;
    let standings = Standings::new(2, &pairings, &games);
    writeln!(out, "{} against {}: {}\n", args.a, args.b, about(&conditions, games.len()))?;
    warn_of_copies(out, &games)?;
    warn_of_faults(out, &players, &faults)?;
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
    stopped.map_or(Ok(()), Err)
}

/// The games that are over.
struct Finished {
    games: Vec<Scored>,
    faults: Vec<Fault>,
    /// Whether Ctrl-C kept the others from being played.
    stopped: Option<CliError>,
}

/// Plays all games, or until the SPRT decides or Ctrl-C stops them.
fn play<G: Playable>(
    players: &[PlayerSpec<G>],
    pairings: &[Pairing],
    conditions: &Conditions<G>,
    sprt: Option<&Sprt>,
    mut recorder: Option<Recorder<G>>,
) -> Result<Finished, CliError> {
    let all = schedule(pairings);
    let progress = Progress::new("playing", all.len() as u64, "games");
    let portion = match (sprt, &recorder) {
        (Some(_), _) => 2 * PORTION,
        (None, Some(_)) => 2 * RECORDED_PORTION,
        (None, None) => all.len(),
    };
    let (mut games, mut faults): (Vec<Scored>, Vec<Fault>) = (Vec::new(), Vec::new());
    let mut pairs = PairCounts::default();
    let (arena, stop) = (Games::new(players, pairings, conditions), stop_flag());
    'playing: for slots in all.chunks(portion) {
        let new = arena.play(stop, slots, &|| progress.step());
        for pair in new.chunk_by(|one, two| one.scored.is_pair_of(&two.scored)) {
            for played in pair {
                if let Some(recorder) = &mut recorder {
                    recorder.write(&played.record(players, conditions))?;
                }
                games.push(played.scored);
                faults.extend(Fault::of(played));
            }
            if let [one, two] = pair {
                pairs.add(one.scored.half_points_of_first() + 2 - two.scored.half_points_of_first());
            }
            if sprt.is_some_and(|sprt| sprt.decide(&pairs) != Decision::Undecided) {
                break 'playing;
            }
        }
        if stop.load(Ordering::Relaxed) {
            break;
        }
    }
    let stopped = stop.load(Ordering::Relaxed).then(|| {
        tell(format_args!("Stopped after {} of {} games.", games.len(), all.len()));
        CliError::Stopped
    });
    match stopped {
        Some(stopped) if games.is_empty() => Err(stopped),
        stopped => {
            recorder.map_or(Ok(()), Recorder::finish)?;
            Ok(Finished { games, faults, stopped })
        }
    }
}

/// A game that a program has lost by something else than its play.
struct Fault {
    player: usize,
    why: String,
}

impl Fault {
    fn of<G: Playable>(played: &Played<G>) -> Option<Fault> {
        let forfeit = played.forfeit.as_ref().filter(|forfeit| forfeit.is_fault())?;
        let Scored { first, second, verdict, .. } = played.scored;
        let player = if verdict.outcome == Outcome::Win(Side::Second) { first } else { second };
        Some(Fault { player, why: forfeit.why.clone() })
    }
}

/// So many faults are told one by one.
const MOST_FAULTS: usize = 5;

/// Who fails has lost: that says nothing about how well it plays.
fn warn_of_faults<G: Playable>(
    out: &mut dyn Write,
    players: &[PlayerSpec<G>],
    faults: &[Fault],
) -> Result<(), CliError> {
    if faults.is_empty() {
        return Ok(());
    }
    let games =
        if faults.len() == 1 { "1 game was".to_string() } else { format!("{} games were", faults.len()) };
    writeln!(out, "{games} decided by a fault of a program, not by its play:")?;
    for Fault { player, why } in faults.iter().take(MOST_FAULTS) {
        writeln!(out, "  {}: {}", players[*player], visible(why))?;
    }
    if faults.len() > MOST_FAULTS {
        writeln!(out, "  and {} more; --records FILE keeps all of them", faults.len() - MOST_FAULTS)?;
    }
    Ok(writeln!(out)?)
}

/// Players that never draw lots play the same game again and again: many games then prove little.
fn warn_of_copies(out: &mut dyn Write, games: &[Scored]) -> Result<(), CliError> {
    let distinct: HashSet<_> =
        games.iter().map(|game| (game.pairing, game.first, game.fingerprint)).collect();
    if distinct.len() < games.len() {
        let much = if distinct.len() * 10 < games.len() { "far too narrow" } else { "too narrow" };
        writeln!(
            out,
            "Only {} of these {} games differ: the intervals below are {much}. --opening-plies makes the games differ.\n",
            distinct.len(),
            games.len()
        )?;
    }
    Ok(())
}

pub(super) fn run_tournament(args: &TournamentArgs, out: &mut dyn Write) -> Result<(), CliError> {
    with_game!(args.common.setting.game.game, G => run_tournament_for::<G>(args, out))
}

fn run_tournament_for<G: Playable>(args: &TournamentArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let players = &players::<G>(&args.players)?;
    let games = args.common.games.unwrap_or(GAMES);
    let pairings = match args.gauntlet {
        true => gauntlet(players.len(), games),
        false => round_robin(players.len(), games),
    };
    let total = pairings.len() * games;
    if total > MOST_GAMES {
        return Err(input(format!(
            "{} pairings make {total} games: at most {MOST_GAMES} can be played",
            pairings.len()
        )));
    }
    let conditions = args.common.setting.conditions(players, 0)?;
    let recorder = args.common.recorder::<G>()?;
    let Finished { games, faults, stopped } =
        on_threads(args.common.setting.threads, || play(players, &pairings, &conditions, None, recorder))??;
    let standings = Standings::new(players.len(), &pairings, &games);
    let names = &args.players;
    writeln!(out, "{} players: {}\n", players.len(), about(&conditions, games.len()))?;
    warn_of_copies(out, &games)?;
    warn_of_faults(out, players, &faults)?;
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
    stopped.map_or(Ok(()), Err)
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
