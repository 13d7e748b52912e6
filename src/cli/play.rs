//! `dobutsu-ga play`: a game against a player, in the terminal.

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;

use super::recorder::{Recorded, Recorder};
use super::setting::players_help;
use super::{CliError, GameArg, Patient, RulesArg, input, position, seed, tell, variant, visible};
use crate::eval::Genome;
use crate::files::quoted;
use crate::games::{BySide, GameTag, Outcome, Referee, Side, Told, Verdict, legal_moves};
use crate::lab::Lab;
use crate::players::{Player, PlayerSpec, worth_of_moves};
use crate::random::stream;
use crate::search::{Limit, Strong};
use crate::solve::Solutions;

/// Play a game against a player in the terminal
///
/// Type a move in any notation or its number in the list, or undo, hint, moves, board, help or quit.
#[derive(clap::Args)]
#[command(after_help = play_help())]
pub(super) struct Args {
    /// The opponent [default: the game's first evaluator, which a newcomer can beat; `strong` is harder]
    player: Option<String>,
    #[command(flatten)]
    game: GameArg,
    /// Which side you play: first or second
    #[arg(long, value_name = "SIDE", default_value = "first", value_parser = side)]
    side: Side,
    #[command(flatten)]
    rules: RulesArg,
    /// Where the opponent's chance comes from: the same seed and the same moves give the same game
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = seed)]
    seed: u64,
    /// How to draw the pieces: letters, or dobutsu kana, kyoto kanji, quoridor lines
    #[arg(long, value_name = "STYLE")]
    style: Option<String>,
    /// Begin from this position
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Keep the game in this file, also if it is not finished: a line of JSON, or CSA if its name ends in .csa (kyoto)
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    /// Overwrite the file of records
    #[arg(long)]
    force: bool,
}

fn play_help() -> String {
    let examples = "Examples:\n  dobutsu-ga play\n  dobutsu-ga play strong --side second --records mine.jsonl\n  \
                    dobutsu-ga play --game kyoto --style kanji --records mine.csa\n";
    format!("{examples}\n{}", players_help())
}

fn side(text: &str) -> Result<Side, String> {
    let named = |side: &Side| side.to_string() == text;
    Side::BOTH.into_iter().find(named).ok_or_else(|| "choose first or second".to_string())
}

/// What the person is called in records.
const PERSON: &str = "person";

/// How long a hint may take, where it must be searched for.
const HINT_TIME: Duration = Duration::from_millis(500);

/// More of a line is not read: no move is longer.
const LONGEST_LINE: u64 = 1_000;

const HELP: &str = "Type a move in any notation that `moves` lists, or its number there. Also:
  undo   take your last move back
  hint   what a strong player would do
  moves  list the legal moves
  board  draw the board again
  quit   stop here (the game is kept if --records says where)
";

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    with_game!(args.game.game, G => run_for::<G>(args, out))
}

fn run_for<G: Lab>(args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
    let rules = args.rules.of::<G>()?;
    let usual = || G::GENOMES[0].name.to_string();
    let spec: PlayerSpec<G> = args.player.clone().unwrap_or_else(usual).parse()?;
    spec.check(rules)?;
    let start = position::<G>(args.fen.as_deref(), rules)?;
    if start.outcome().is_some() {
        return Err(input(format!("the game is over in {start}: begin from another position")));
    }
    let style = variant(args.style.as_deref())?;
    let recorder = args.records.as_ref().map(|path| Recorder::new::<G>(path, args.force)).transpose()?;
    let mut table = Table {
        game: Referee::new(start),
        person: args.side,
        player: spec.build(),
        name: spec.to_string(),
        random: stream(args.seed, 0, 0),
        style,
    };
    let mut out = Patient::new(out);
    let verdict = table.play(&mut io::stdin().lock(), &mut out)?;
    if let Some(mut recorder) = recorder {
        recorder.write_recorded(&Recorded::told(table.told(verdict, args.seed), 0, args.seed))?;
        recorder.finish()?;
    }
    table.say_goodbye(args, &mut out)?;
    out.finish()
}

/// A game between a person and a player.
struct Table<G: Lab> {
    game: Referee<G>,
    person: Side,
    player: Box<dyn Player<G>>,
    name: String,
    random: ChaCha8Rng,
    style: G::Style,
}

/// What a person asks for.
enum Wish<M> {
    Play(M),
    Undo,
    Hint,
    Moves,
    Board,
    Help,
    Quit,
}

impl<G: Lab> Table<G> {
    /// Plays until the game is over, or the person has had enough; then there is no verdict.
    fn play(&mut self, input: &mut dyn BufRead, out: &mut Patient<'_>) -> Result<Option<Verdict>, CliError> {
        let pieces = G::SIDES[self.person];
        writeln!(
            out,
            "You are the {} player ({pieces}) against {}. `help` says what to type.",
            self.person, self.name
        )?;
        loop {
            if let Some(verdict) = self.game.verdict() {
                self.show_board(out)?;
                self.say_who_won(verdict, out)?;
                return Ok(Some(verdict));
            }
            if self.game.position().side_to_move() != self.person {
                match self.player.choose(&self.game, &mut self.random) {
                    Ok(m) => self.game.play(m),
                    Err(forfeit) => {
                        let verdict = forfeit.verdict(!self.person);
                        writeln!(out, "{} gives up: {}.", self.name, visible(&forfeit.why))?;
                        self.say_who_won(verdict, out)?;
                        return Ok(Some(verdict));
                    }
                }
                continue;
            }
            self.show_board(out)?;
            writeln!(out, "Your turn.")?;
            if !self.let_person_move(input, out)? {
                return Ok(None);
            }
        }
    }

    /// Listens until the person has moved or taken a move back; `false` if they have had enough.
    fn let_person_move(&mut self, input: &mut dyn BufRead, out: &mut Patient<'_>) -> Result<bool, CliError> {
        loop {
            write!(out, "> ")?;
            out.flush()?;
            // Who cannot see the game any more has had enough too.
            let line = if out.failed.is_some() { None } else { read_line(input) };
            let Some(line) = line else {
                writeln!(out)?;
                return Ok(false);
            };
            match self.understand(line.trim()) {
                Ok(Wish::Play(m)) => {
                    self.game.play(m);
                    return Ok(true);
                }
                Ok(Wish::Undo) if self.undo() => return Ok(true),
                Ok(Wish::Undo) => writeln!(out, "There is no move of yours to take back.")?,
                Ok(Wish::Hint) => writeln!(out, "{}", self.hint())?,
                Ok(Wish::Moves) => self.list_moves(out)?,
                Ok(Wish::Board) => self.show_board(out)?,
                Ok(Wish::Help) => write!(out, "{HELP}")?,
                Ok(Wish::Quit) => return Ok(false),
                Err(sentence) => writeln!(out, "{sentence}")?,
            }
        }
    }

    fn understand(&self, text: &str) -> Result<Wish<G::Move>, String> {
        let position = self.game.position();
        let moves = legal_moves(position);
        match text.to_ascii_lowercase().as_str() {
            "" => Err("Type a move, or `help`.".to_string()),
            "undo" | "u" => Ok(Wish::Undo),
            "hint" => Ok(Wish::Hint),
            "moves" => Ok(Wish::Moves),
            "board" => Ok(Wish::Board),
            "help" | "?" => Ok(Wish::Help),
            "quit" | "q" | "exit" => Ok(Wish::Quit),
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                // Some games write moves with digits alone.
                if let Ok(m) = position.parse_move(digits) {
                    return Ok(Wish::Play(m));
                }
                let number = digits.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                let m = number.and_then(|number| moves.get(number));
                m.map(|m| Wish::Play(*m)).ok_or_else(|| {
                    let text: String = digits.chars().take(20).collect();
                    format!("There is no move {text}: `moves` lists 1 to {}.", moves.len())
                })
            }
            _ => position.parse_move(text).map(Wish::Play).map_err(|_| {
                let text: String = text.chars().take(40).collect();
                format!(
                    "'{}' is no legal move: `moves` lists them, `help` says what else can be typed.",
                    visible(&text)
                )
            }),
        }
    }

    /// Takes moves back until it is the person's turn again; `false` if the person has not moved yet.
    fn undo(&mut self) -> bool {
        let before = &self.game.positions()[..self.game.moves().len()];
        let own = |position: &G| position.side_to_move() == self.person;
        let Some(to) = before.iter().rposition(own) else { return false };
        while self.game.moves().len() > to {
            self.game.undo();
        }
        true
    }

    /// What perfect play says where the game is solved, else what a strong search says.
    fn hint(&self) -> String {
        let position = self.game.position();
        let solutions = G::Solutions::at(None);
        let solution = solutions.is_there(position.rules()).then(|| solutions.get(position.rules()).ok());
        if let Some(solution) = solution.flatten() {
            let worths = worth_of_moves(&self.game, &*solution);
            if let Some((m, worth)) = worths.into_iter().max_by_key(|(_, worth)| *worth) {
                return format!("{}: with perfect play a {worth} for you.", self.texts(position, m));
            }
        }
        let genome = Genome::named(G::STRONG).unwrap_or_else(Genome::untrained);
        let found = Strong::new(G::evaluator(&genome)).search(position, Limit::Time(HINT_TIME));
        let Some(report) = found else { return "There is nothing to play.".to_string() };
        let mut at = *position;
        let mut line = Vec::new();
        for m in &report.line {
            line.push(at.move_text(*m));
            at = at.play(*m);
        }
        format!(
            "{}: {} plies ahead it is worth {} to you; expected is {}.",
            self.texts(position, report.best),
            report.depth,
            report.value,
            line.join(" ")
        )
    }

    /// A move in every notation.
    fn texts(&self, position: &G, m: G::Move) -> String {
        let texts = position.move_texts(m);
        format!("{} ({})", texts[0], texts[1..G::NOTATIONS.len()].join(", "))
    }

    fn list_moves(&self, out: &mut dyn Write) -> Result<(), CliError> {
        let position = self.game.position();
        for (number, m) in (1..).zip(legal_moves(position)) {
            let texts = position.move_texts(m);
            let columns: Vec<String> =
                texts.iter().take(G::NOTATIONS.len()).map(|text| format!("{text:<7}")).collect();
            writeln!(out, "{number:>4}  {}", columns.join(" ").trim_end())?;
        }
        Ok(())
    }

    /// The board, after the last move.
    fn show_board(&self, out: &mut dyn Write) -> Result<(), CliError> {
        let (positions, moves) = (self.game.positions(), self.game.moves());
        writeln!(out)?;
        if let Some((m, before)) = moves.last().zip(positions.iter().rev().nth(1)) {
            let who = if before.side_to_move() == self.person { "You play" } else { "The opponent plays" };
            writeln!(out, "{}. {who} {}", moves.len(), self.texts(before, *m))?;
        }
        Ok(write!(out, "{}", self.game.position().diagram(self.style))?)
    }

    fn say_who_won(&self, Verdict { outcome, by }: Verdict, out: &mut dyn Write) -> Result<(), CliError> {
        match outcome {
            Outcome::Draw => writeln!(out, "The game is drawn by {by}.")?,
            Outcome::Win(side) if side == self.person => writeln!(out, "You have won by {by}.")?,
            Outcome::Win(_) => writeln!(out, "You have lost by {by}.")?,
        }
        Ok(())
    }

    /// Where the game is, or how it could be kept.
    fn say_goodbye(&self, args: &Args, out: &mut dyn Write) -> Result<(), CliError> {
        if let Some(path) = &args.records {
            let path = quoted(path);
            writeln!(out, "The game is in {path}: `dobutsu-ga replay {path}` shows it.")?;
        } else if !self.game.moves().is_empty() {
            writeln!(out, "To see it again: {}", self.show_command(args))?;
            writeln!(out, "The game is not saved: --records FILE keeps the next one.")?;
        }
        Ok(())
    }

    /// The command that shows the last position.
    fn show_command(&self, args: &Args) -> String {
        let mut words = vec!["dobutsu-ga show".to_string()];
        if !GameTag::<G>::default().is_unsaid() {
            words.push(format!("--game {}", G::NAME));
        }
        words.extend(args.rules.rules.as_ref().map(|rules| format!("--rules {rules}")));
        words.extend(args.fen.as_ref().map(|fen| quoted(fen.as_ref())));
        let told = self.game.positions().iter().zip(self.game.moves());
        words.extend(told.map(|(position, m)| position.move_text(*m)));
        words.join(" ")
    }

    /// The game as a record has it.
    fn told(&self, verdict: Option<Verdict>, seed: u64) -> Told<G> {
        let start = self.game.positions()[0];
        let mut names = BySide { first: PERSON.to_string(), second: PERSON.to_string() };
        names[!self.person] = self.name.clone();
        let comments = vec![format!("{} rules, seed {seed}", start.rules())];
        Told { line: 1, names, comments, start, moves: self.game.moves().to_vec(), verdict }
    }
}

/// The next line that is typed; `None` at the end of the input, whatever ended it: the game so far can still be kept.
fn read_line(input: &mut dyn BufRead) -> Option<String> {
    let mut line = Vec::new();
    if let Err(error) = input.take(LONGEST_LINE).read_until(b'\n', &mut line) {
        tell(format_args!("cannot read what is typed: {error}"));
        return None;
    }
    (!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned())
}
