//! `dobutsu-ga probe`: what perfect play makes of a position.

use std::io::Write;

use serde_json::json;

use super::{CliError, SolutionArgs, input, needs_solution, session};
use crate::game::{Side, Solution, Solutions, Solved};
use crate::players::Playable;
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
    solution: SolutionArgs,
    /// Answer in JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    with_game!(args.solution.game.game, G => run_for::<G>(args, out))
}

fn run_for<G: Playable>(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    needs_solution::<G>("probe")?;
    let fen = (!args.fen.is_empty()).then(|| args.fen.join(" "));
    let game = text_game(args.solution.game.game, None);
    let rules = game.rules(args.solution.rules.as_deref()).map_err(input)?;
    let session = session(&*game, fen.as_deref(), rules)?;
    let position = *referee::<G>(&*session).position();
    let solution = G::Solutions::at(args.solution.table.as_deref()).get(position.rules())?;
    if args.json {
        let moves: Vec<_> = solution
            .moves(&position)
            .into_iter()
            .map(|(m, worth)| json!({ "move": position.move_text(m), "value": worth.word(), "plies": worth.plies() }))
            .collect();
        let worth = solution.probe(&position);
        let answer = json!({
            "fen": position.to_string(),
            "rules": rules,
            "value": worth.word(),
            "plies": worth.plies(),
            "over": position.decided_by(),
            "moves": moves,
            "line": line(&*solution, &position),
        });
        return Ok(writeln!(out, "{answer:#}")?);
    }
    let who = match position.side_to_move() {
        Side::First => "first",
        Side::Second => "second",
    };
    writeln!(out, "FEN    {position}\nRules  {rules}")?;
    if let Some(by) = position.decided_by() {
        return Ok(writeln!(
            out,
            "\nThe game is over: the {} player has won by {by}.",
            !position.side_to_move()
        )?);
    }
    writeln!(out, "Value  {} for the {who} player, who is to move", solution.probe(&position))?;
    writeln!(out, "\nMove   Value")?;
    for (m, worth) in solution.moves(&position) {
        writeln!(out, "{:<6} {worth}", position.move_text(m))?;
    }
    let line = line(&*solution, &position);
    let shown = line.chunks(10).map(|moves| moves.join(" ")).collect::<Vec<_>>().join("\n  ");
    let end = if solution.probe(&position) == Solved::Draw { ", until a position comes again" } else { "" };
    let plies = if line.len() == 1 { "ply" } else { "plies" };
    writeln!(out, "\nPerfect play ({} {plies}{end}):\n  {shown}", line.len())?;
    Ok(())
}

fn line<G: Playable>(solution: &dyn Solution<G>, position: &G) -> Vec<String> {
    let mut at = *position;
    let mut texts = Vec::new();
    for m in solution.line(position) {
        texts.push(at.move_text(m));
        at = at.play(m);
    }
    texts
}
