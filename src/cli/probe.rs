//! `dobutsu-ga probe`: what perfect play makes of a position.

use std::io::Write;

use serde_json::json;

use super::{CliError, Solution, needs_solution, session};
use crate::game::{Game, Side, Solved};
use crate::games::GameName;
use crate::games::dobutsu::Position;
use crate::games::dobutsu::solve::Table;
use crate::session::{referee, text_game};

/// Ask the solved game: who wins this position, what each move is worth, and how perfect play goes on
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  dobutsu-ga probe\n  dobutsu-ga probe 'gl1/1e1/3/ELG[Cc] w' --rules official --json"
)]
pub(super) struct Args {
    /// The position as FEN; without it the start, `figure12` for the one that the Dobutsu thesis draws
    #[arg(num_args = 0..)]
    fen: Vec<String>,
    #[command(flatten)]
    solution: Solution,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    needs_solution("probe", args.solution.game.game)?;
    let fen = (!args.fen.is_empty()).then(|| args.fen.join(" "));
    let game = text_game(GameName::Dobutsu, None);
    let session = session(&*game, fen.as_deref(), args.solution.rules.name())?;
    let position = *referee::<Position>(&*session).position();
    let table = args.solution.open()?;
    if args.json {
        let moves: Vec<_> = table
            .moves(&position)
            .into_iter()
            .map(|(m, worth)| json!({ "move": position.move_text(m), "value": worth.word(), "plies": worth.plies() }))
            .collect();
        let worth = table.probe(&position);
        let answer = json!({
            "fen": position.to_string(),
            "rules": args.solution.rules,
            "value": worth.word(),
            "plies": worth.plies(),
            "over": position.decided_by(),
            "moves": moves,
            "line": line(&table, &position),
        });
        return Ok(writeln!(out, "{answer:#}")?);
    }
    let who = match position.turn() {
        Side::First => "first",
        Side::Second => "second",
    };
    writeln!(out, "FEN    {position}\nRules  {}", args.solution.rules)?;
    if let Some(by) = position.decided_by() {
        return Ok(writeln!(out, "\nThe game is over: the {} player has won by {by}.", !position.turn())?);
    }
    writeln!(out, "Value  {} for the {who} player, who is to move", table.probe(&position))?;
    writeln!(out, "\nMove   Value")?;
    for (m, worth) in table.moves(&position) {
        writeln!(out, "{:<6} {worth}", position.move_text(m))?;
    }
    let line = line(&table, &position);
    let shown = line.chunks(10).map(|moves| moves.join(" ")).collect::<Vec<_>>().join("\n  ");
    let end = if table.probe(&position) == Solved::Draw { ", until a position comes again" } else { "" };
    let plies = if line.len() == 1 { "ply" } else { "plies" };
    writeln!(out, "\nPerfect play ({} {plies}{end}):\n  {shown}", line.len())?;
    Ok(())
}

fn line(table: &Table, position: &Position) -> Vec<String> {
    let mut at = *position;
    let mut texts = Vec::new();
    for m in table.line(position) {
        texts.push(at.move_text(m));
        at = at.play(m);
    }
    texts
}
