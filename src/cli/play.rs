//! `dobutsu-ga play`: a game against a player, in the terminal.

use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;

use super::recorder::Recorder;
use super::setting::players_help;
use super::{CliError, GameArg, Patient, RulesArg, input, seed, session, tell, visible};
use crate::files::quoted;
use crate::game::{BySide, GameRecord, Outcome, Side, UNSAID_GAME, Verdict};
use crate::players::OnDisk;
use crate::players::Playable;
use crate::random::stream;
use crate::search::SearchLimits;
use crate::session::{MoveInfo, Notation, Session, TextGame, TextPlayer, referee, text_game};

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
    let name = args.game.game;
    let game = text_game(name, None);
    let rules = args.rules.of(&*game)?;
    let spec =
        game.player(args.player.as_deref().unwrap_or(game.facts().weights.genomes[0].name), &OnDisk)?;
    spec.check(rules)?;
    let session = session(&*game, args.fen.as_deref(), rules)?;
    if session.is_decided() {
        return Err(input(format!("the game is over in {}: begin from another position", session.fen())));
    }
    let style = game.style(args.style.as_deref()).map_err(input)?;
    let records = args.records.as_ref();
    let keep = records.map(|path| with_game!(name, G => keeper::<G>(path, args.force))).transpose()?;
    let mut table = Table {
        game,
        session,
        person: args.side,
        player: spec.build(),
        name: spec.to_string(),
        random: stream(args.seed, 0, 0),
        style,
    };
    let mut out = Patient::new(out);
    let verdict = table.play(&mut io::stdin().lock(), &mut out)?;
    if let Some(keep) = keep {
        keep(&table, verdict, args.seed)?;
    }
    table.say_goodbye(args, &mut out)?;
    out.finish()
}

/// A game between a person and a player.
struct Table {
    game: Arc<dyn TextGame>,
    session: Box<dyn Session>,
    person: Side,
    player: Box<dyn TextPlayer>,
    name: String,
    random: ChaCha8Rng,
    style: &'static str,
}

/// What a person asks for.
enum Wish {
    /// A move, which is made already.
    Moved,
    Undo,
    Hint,
    Moves,
    Board,
    Help,
    Quit,
}

impl Table {
    /// Plays until the game is over, or the person has had enough; then there is no verdict.
    fn play(&mut self, input: &mut dyn BufRead, out: &mut Patient<'_>) -> Result<Option<Verdict>, CliError> {
        let pieces = self.game.facts().sides[self.person];
        writeln!(
            out,
            "You are the {} player ({pieces}) against {}. `help` says what to type.",
            self.person, self.name
        )?;
        loop {
            if let Some(verdict) = self.session.verdict() {
                self.show_board(out)?;
                self.say_who_won(verdict, out)?;
                return Ok(Some(verdict));
            }
            if self.session.turn() != self.person {
                let (game, random) = (&*self.session, &mut self.random);
                match self.player.choose(game, random, &SearchLimits::NONE, Notation::Usual, &mut |_| ()) {
                    Ok(m) => self.session.play(&m).map_err(|error| CliError::Input(error.to_string()))?,
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
                Ok(Wish::Moved) => return Ok(true),
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

    fn understand(&mut self, text: &str) -> Result<Wish, String> {
        match text.to_ascii_lowercase().as_str() {
            "" => Err("Type a move, or `help`.".to_string()),
            "undo" | "u" => Ok(Wish::Undo),
            "hint" => Ok(Wish::Hint),
            "moves" => Ok(Wish::Moves),
            "board" => Ok(Wish::Board),
            "help" | "?" => Ok(Wish::Help),
            "quit" | "q" | "exit" => Ok(Wish::Quit),
            // Some games write moves with digits alone.
            _ if self.session.play(text).is_ok() => Ok(Wish::Moved),
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                let moves = self.session.moves();
                let number = digits.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
                let m = number.and_then(|number| moves.get(number));
                m.and_then(|m| self.session.play(&m.text).ok()).map(|()| Wish::Moved).ok_or_else(|| {
                    let text: String = digits.chars().take(20).collect();
                    format!("There is no move {text}: `moves` lists 1 to {}.", moves.len())
                })
            }
            _ => {
                let text: String = text.chars().take(40).collect();
                Err(format!(
                    "'{}' is no legal move: `moves` lists them, `help` says what else can be typed.",
                    visible(&text)
                ))
            }
        }
    }

    /// Takes moves back until it is the person's turn again; `false` if the person has not moved yet.
    fn undo(&mut self) -> bool {
        let own = |m: &MoveInfo| m.side == self.person;
        let Some(to) = self.session.history().iter().rposition(own) else { return false };
        while self.session.plies() > to {
            self.session.undo();
        }
        true
    }

    /// What perfect play says where the game is solved, else what a strong search says.
    fn hint(&self) -> String {
        let rules = self.session.rules();
        if self.game.is_solved(&rules)
            && let Ok(worths) = self.game.solution(&rules)
            && let Some((m, worth)) = worths(&*self.session).into_iter().max_by_key(|(_, worth)| *worth)
        {
            return format!("{}: with perfect play a {worth} for you.", self.texts(&m));
        }
        let found = self.game.search()(&*self.session, &SearchLimits::time(HINT_TIME));
        let Some(report) = found else { return "There is nothing to play.".to_string() };
        format!(
            "{}: {} plies ahead it is worth {} to you; expected is {}.",
            self.texts(&report.best),
            report.depth,
            report.value,
            report.line.join(" ")
        )
    }

    /// A legal move in every notation.
    fn texts(&self, text: &str) -> String {
        let found = self.session.moves().into_iter().find(|m| m.text == text);
        found.map_or_else(|| text.to_string(), |m| m.to_string())
    }

    fn list_moves(&self, out: &mut dyn Write) -> Result<(), CliError> {
        for (number, m) in (1..).zip(self.session.moves()) {
            writeln!(out, "{number:>4}  {}", m.columns(7))?;
        }
        Ok(())
    }

    /// The board, after the last move.
    fn show_board(&self, out: &mut dyn Write) -> Result<(), CliError> {
        writeln!(out)?;
        if let Some(m) = self.session.history().last() {
            let who = if m.side == self.person { "You play" } else { "The opponent plays" };
            writeln!(out, "{}. {who} {m}", self.session.plies())?;
        }
        Ok(write!(out, "{}", self.session.diagram(self.style))?)
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
        } else if self.session.plies() > 0 {
            writeln!(out, "To see it again: {}", self.show_command(args))?;
            writeln!(out, "The game is not saved: --records FILE keeps the next one.")?;
        }
        Ok(())
    }

    /// The command that shows the last position.
    fn show_command(&self, args: &Args) -> String {
        let mut words = vec!["dobutsu-ga show".to_string()];
        if args.game.game.name() != UNSAID_GAME {
            words.push(format!("--game {}", args.game.game));
        }
        words.extend(args.rules.rules.as_ref().map(|rules| format!("--rules {rules}")));
        words.extend(args.fen.as_ref().map(|fen| quoted(fen.as_ref())));
        words.extend(self.session.history().into_iter().map(|m| m.text));
        words.join(" ")
    }
}

/// Writes a game to a file; the number is the seed.
type Keep = Box<dyn FnOnce(&Table, Option<Verdict>, u64) -> Result<(), CliError>>;

/// Claims the file of records now, to write a game there later.
fn keeper<G: Playable>(path: &Path, force: bool) -> Result<Keep, CliError> {
    let mut recorder = Recorder::<G>::new(path, force)?;
    Ok(Box::new(move |table, verdict, seed| {
        let game = referee::<G>(&*table.session);
        let (start, moves) = (game.positions()[0], game.moves().to_vec());
        let mut names = BySide { first: PERSON.to_string(), second: PERSON.to_string() };
        names[!table.person] = table.name.clone();
        let comments = vec![format!("{} rules, seed {seed}", start.rules())];
        let (seed, limits) = (Some(seed), game.limits());
        recorder.write(&GameRecord {
            names,
            comments,
            seed,
            limits,
            moves,
            verdict,
            ..GameRecord::new(start)
        })?;
        recorder.finish()
    }))
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
