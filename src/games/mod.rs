//! Which games are there, and what can each do? The only place that lists them.

#[cfg(feature = "cli")]
use std::io::Write;

#[cfg(feature = "cli")]
use crate::command::{CliError, input, tell, variant, visible};
#[cfg(feature = "cli")]
use crate::game::Coordinates;
use crate::players::GameInfo;
#[cfg(feature = "cli")]
use crate::players::PlayerSpec;

#[cfg(feature = "pictures")]
use crate::run::{Resumed, RunError, Training};

pub(crate) mod board9;
pub mod dobutsu;
pub mod hasami;
pub mod kyoto;
pub mod quoridor;
mod shogi;

/// Makes the list of games: [`GameName`], and the one match that turns a name into a type.
macro_rules! lab {
    ($d:tt $($name:ident = $text:literal, $help:literal, $module:ident;)*) => {
        crate::variants! {
            /// A game, by its name.
            pub enum GameName, "game" {
                $(#[doc = $help] $name = $text, $help;)*
            }
        }

        /// Runs a piece of code for the game of a name: inside, everything is of that one type.
        macro_rules! with_game {
            ($d name:expr, $d game:ident => $d body:expr) => {
                match $d name {
                    $($d crate::games::GameName::$name => {
                        type $d game = $d crate::games::$module::Position;
                        $d body
                    })*
                }
            };
        }
    };
}

lab! { $
    Dobutsu = "dobutsu", "animal shogi, 3x4: solved", dobutsu;
    Kyoto = "kyoto", "Kyoto Shogi, 5x5: pieces turn over with every move", kyoto;
    Quoridor = "quoridor", "Quoridor, 9x9: pawns and walls", quoridor;
    Hasami = "hasami", "Hasami Shogi, 9x9: pieces between two others are taken", hasami;
}

/// A game as data.
pub fn info(name: GameName) -> GameInfo {
    with_game!(name, G => GameInfo::of::<G>())
}

/// Runs a piece of code for the game of a name if it has an encoding for networks, and another one if not.
#[cfg(feature = "pictures")]
macro_rules! with_planar_game {
    ($name:expr, $game:ident => $body:expr, $other:pat => $else:expr) => {
        match $name {
            $crate::games::GameName::Dobutsu => {
                type $game = $crate::games::dobutsu::Position;
                $body
            }
            $crate::games::GameName::Kyoto => {
                type $game = $crate::games::kyoto::Position;
                $body
            }
            $other => $else,
        }
    };
}

/// Commands about one game.
#[cfg(feature = "cli")]
#[derive(clap::Subcommand)]
pub(crate) enum GameCommand {
    Solve(dobutsu::solve::command::Args),
    Fit(dobutsu::fit::command::Args),
    Guideline(dobutsu::experiments::guideline_command::Args),
}

#[cfg(feature = "cli")]
impl GameCommand {
    /// Runs it.
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<(), CliError> {
        match self {
            GameCommand::Solve(args) => dobutsu::solve::command::run(args, out),
            GameCommand::Fit(args) => dobutsu::fit::command::run(args, out),
            GameCommand::Guideline(args) => dobutsu::experiments::guideline_command::run(args, out),
        }
    }
}

/// Learners of one game.
#[cfg(feature = "cli")]
#[derive(clap::Subcommand)]
pub(crate) enum Learner {
    Pa(quoridor::pa::command::Args),
    Dqn(Box<hasami::dqn::command::Args>),
}

#[cfg(feature = "cli")]
impl Learner {
    /// Runs it.
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<(), CliError> {
        match self {
            Learner::Pa(args) => quoridor::pa::command::run(args, out),
            Learner::Dqn(args) => hasami::dqn::command::run(args, out),
        }
    }
}

/// Takes up the run of a learner.
#[cfg(feature = "pictures")]
pub(crate) type Resume = fn(&Resumed<'_>) -> Result<Box<dyn Training>, RunError>;

/// What takes up a run of the learner that this command started.
#[cfg(feature = "pictures")]
pub(crate) fn learner_of(command: &str) -> Option<Resume> {
    match command {
        quoridor::pa::COMMAND => Some(quoridor::pa::PaTraining::resume),
        hasami::dqn::COMMAND => Some(hasami::dqn::DqnTraining::resume),
        _ => None,
    }
}

/// Lets a player of this game answer a server by the protocol of a course, on standard input and output.
#[cfg(feature = "cli")]
pub(crate) fn serve_course(
    game: GameName,
    player: &str,
    rules: Option<&str>,
    seed: u64,
    order: Coordinates,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    match game {
        GameName::Quoridor => {
            let spec: PlayerSpec<quoridor::Position> = player.parse()?;
            spec.check(variant(rules)?)?;
            let mut complain = |sentence: &str| tell(format_args!("error: {}", visible(sentence)));
            let mut engine = quoridor::course::Engine::new(spec, seed, order);
            Ok(engine.serve(std::io::stdin().lock(), out, &mut complain)?)
        }
        other => Err(input(format!("{other} has no course protocol: choose --game quoridor"))),
    }
}
