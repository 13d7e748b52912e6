//! `dobutsu-ga show`: a position, and what can be played in it.

use std::io::Write;

use super::{CliError, GameArg, RulesArg, describe, input, session};
use crate::session::{Session, Start, TextGame, text_game};

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
    let game = text_game(args.game.game, None);
    let (fen, moves) = split_fen(&*game, &args.words);
    let (rules, style) = (args.rules.of(&*game)?, game.style(args.style.as_deref()).map_err(input)?);
    let mut session = session(&*game, fen.as_deref(), rules)?;
    for (i, text) in moves.iter().enumerate() {
        let wrong = |error: &dyn std::fmt::Display| input(format!("move {}: {error}", i + 1));
        if let Some(verdict) = session.verdict() {
            return Err(wrong(&format!("'{text}' comes after the end. {}", describe(verdict))));
        }
        session.play(text).map_err(|error| wrong(&error))?;
    }
    write!(out, "{}", session.diagram(style))?;
    writeln!(out, "\nFEN    {}", session.fen())?;
    writeln!(out, "Rules  {rules}")?;
    match session.verdict() {
        Some(verdict) => writeln!(out, "\n{}", describe(verdict))?,
        None => write_moves(out, &*game, &*session)?,
    }
    Ok(())
}

/// Takes the FEN off the front: one quoted word, or its fields as separate words.
fn split_fen<'a>(game: &dyn TextGame, words: &'a [String]) -> (Option<String>, &'a [String]) {
    let is_start = |word: &str| word == "startpos" || game.facts().arrays.names.contains(&word);
    let usual = game.facts().rules.names[0];
    let is_position =
        |count: &usize| game.session(usual, Start::Fen(&words[..*count].join(" ")), None).is_ok();
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

fn write_moves(out: &mut dyn Write, game: &dyn TextGame, session: &dyn Session) -> Result<(), CliError> {
    let (who, moves) = (session.turn(), session.moves());
    let pieces = game.facts().sides[who];
    writeln!(out, "\nThe {who} player ({pieces}) is to move and has {} legal moves:", moves.len())?;
    for m in moves {
        writeln!(out, "  {}", m.columns(6))?;
    }
    Ok(())
}
