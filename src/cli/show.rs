//! `dobutsu-ga show`: a position, and what can be played in it.

use std::io::Write;

use clap::ValueEnum;

use super::{CliError, describe, input, position};
use crate::games::dobutsu::{Position, Rules, Style, diagram};
use crate::games::{Game, Referee, Side, legal_moves};

/// Show a position: board, hands, whose turn, legal moves, outcome
///
/// Moves may be written as in UCI (b2b3, b3b4+, C@a2; rank 1 at the bottom) or as in the paper
/// (B3-B2, chick*A3; rank 1 at the top).
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  dobutsu-ga show\n  dobutsu-ga show b2b3 B1-B2\n  \
                        dobutsu-ga show 'gl1/1e1/3/ELG[Cc] w 0 2' C@a2 --style kana")]
pub(super) struct Args {
    /// A FEN (the start if there is none), then the moves to play from there
    #[arg(value_name = "FEN|MOVES")]
    words: Vec<String>,
    /// Rules for a try: paper (always wins) or official (wins if the lion cannot be captured at once)
    #[arg(long, default_value_t, value_name = "RULES")]
    rules: Rules,
    /// Draw the pieces as letters, or as kana as in the paper
    #[arg(long, value_enum, default_value_t = StyleName::Letters)]
    style: StyleName,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum StyleName {
    Letters,
    Kana,
}

impl From<StyleName> for Style {
    fn from(name: StyleName) -> Style {
        match name {
            StyleName::Letters => Style::Letters,
            StyleName::Kana => Style::Kana,
        }
    }
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let (fen, moves) = split_fen(&args.words);
    let mut game = Referee::new(position(fen.as_deref(), args.rules)?);
    for (i, text) in moves.iter().enumerate() {
        let wrong = |error: &dyn std::fmt::Display| input(format!("move {}: {error}", i + 1));
        if let Some(verdict) = game.verdict() {
            return Err(wrong(&format!("'{text}' comes after the end. {}", describe(verdict))));
        }
        let m = game.position().parse_move(text).map_err(|error| wrong(&error))?;
        game.try_play(m).map_err(|error| wrong(&error))?;
    }
    write!(out, "{}", diagram(game.position(), args.style.into()))?;
    writeln!(out, "\nFEN    {}", game.position())?;
    writeln!(out, "Rules  {}", args.rules)?;
    match game.verdict() {
        Some(verdict) => writeln!(out, "\n{}", describe(verdict))?,
        None => write_moves(out, game.position())?,
    }
    Ok(())
}

/// Takes the FEN off the front: one quoted word, or its fields as separate words.
fn split_fen(words: &[String]) -> (Option<String>, &[String]) {
    let Some(first) =
        words.first().filter(|word| word.contains('/') || ["startpos", "figure12"].contains(&word.as_str()))
    else {
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

fn write_moves(out: &mut dyn Write, position: &Position) -> Result<(), CliError> {
    let moves = legal_moves(position);
    let who = match position.turn() {
        Side::First => "The first player (capitals, hiragana) is to move",
        Side::Second => "The second player (small letters, katakana) is to move",
    };
    writeln!(out, "\n{who} and has {} legal moves:", moves.len())?;
    for m in moves {
        let [uci, paper] = &position.move_texts(m)[..] else { continue };
        writeln!(out, "  {uci:<6} {paper}")?;
    }
    Ok(())
}
