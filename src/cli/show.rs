//! `dobutsu-ga show`: a position, and what can be played in it.

use std::io::Write;

use super::{CliError, GameArg, RulesArg, describe, input, position, variant};
use crate::games::{Game, Referee, Shown, Side, legal_moves};
use crate::lab::Lab;

/// Show a position: board, hands, whose turn, legal moves, outcome
///
/// Moves may be written as in UCI (b2b3, b3b4+, C@a2; rank 1 at the bottom), or in the game's other notations: dobutsu as in
/// the Dobutsu thesis (B3-B2, chick*A3; rank 1 at the top), kyoto as in CSA (+1514HI) and USI (1e1d); quoridor has squares and walls (e2, e3h, e3v).
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  dobutsu-ga show\n  dobutsu-ga show b2b3 B1-B2\n  \
                        dobutsu-ga show 'gl1/1e1/3/ELG[Cc] w 0 2' C@a2 --style kana\n  \
                        dobutsu-ga show --game kyoto +1514HI --style kanji")]
pub(super) struct Args {
    /// A FEN (the start if there is none), then the moves to play from there
    #[arg(value_name = "FEN|MOVES")]
    words: Vec<String>,
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    rules: RulesArg,
    /// How to draw the pieces: letters, or dobutsu kana, kyoto kanji, quoridor lines
    #[arg(long, value_name = "STYLE")]
    style: Option<String>,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    with_game!(args.game.game, G => run_for::<G>(args, out))
}

fn run_for<G: Lab>(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let (fen, moves) = split_fen::<G>(&args.words);
    let (rules, style) = (args.rules.of::<G>()?, variant(args.style.as_deref())?);
    let mut game = Referee::new(position::<G>(fen.as_deref(), rules)?);
    for (i, text) in moves.iter().enumerate() {
        let wrong = |error: &dyn std::fmt::Display| input(format!("move {}: {error}", i + 1));
        if let Some(verdict) = game.verdict() {
            return Err(wrong(&format!("'{text}' comes after the end. {}", describe(verdict))));
        }
        let m = game.position().parse_move(text).map_err(|error| wrong(&error))?;
        game.try_play(m).map_err(|error| wrong(&error))?;
    }
    write!(out, "{}", game.position().diagram(style))?;
    writeln!(out, "\nFEN    {}", game.position())?;
    writeln!(out, "Rules  {rules}")?;
    match game.verdict() {
        Some(verdict) => writeln!(out, "\n{}", describe(verdict))?,
        None => write_moves(out, game.position())?,
    }
    Ok(())
}

/// Takes the FEN off the front: one quoted word, or its fields as separate words.
fn split_fen<G: Game>(words: &[String]) -> (Option<String>, &[String]) {
    let is_start = |word: &str| word == "startpos" || word.parse::<G::Array>().is_ok();
    let is_position = |count: &usize| G::parse(&words[..*count].join(" "), G::Rules::default()).is_ok();
    if let Some(count) = (1..=words.len().min(8)).rev().find(is_position) {
        return (Some(words[..count].join(" ")), &words[count..]);
    }
    // Not one that is in order, but perhaps meant as one: whoever reads it says what is wrong.
    let meant = |word: &&String| word.contains(['/', ' ']) || is_start(word);
    let Some(first) = words.first().filter(meant) else {
        return (None, words);
    };
    let is_field = |word: &&String| {
        ["w", "b", "-", "judged"].contains(&word.as_str()) || word.chars().all(|c| c.is_ascii_digit())
    };
    let fields = words[1..].iter().take_while(is_field).count();
    (
        Some([first].into_iter().chain(&words[1..=fields]).cloned().collect::<Vec<_>>().join(" ")),
        &words[1 + fields..],
    )
}

fn write_moves<G: Shown>(out: &mut dyn Write, position: &G) -> Result<(), CliError> {
    let moves = legal_moves(position);
    let (who, pieces) = match position.side_to_move() {
        Side::First => ("first", G::SIDES.first),
        Side::Second => ("second", G::SIDES.second),
    };
    writeln!(out, "\nThe {who} player ({pieces}) is to move and has {} legal moves:", moves.len())?;
    for m in moves {
        let texts = position.move_texts(m);
        let columns: Vec<String> =
            texts.iter().take(G::NOTATIONS.len()).map(|text| format!("{text:<6}")).collect();
        writeln!(out, "  {}", columns.join(" ").trim_end())?;
    }
    Ok(())
}
