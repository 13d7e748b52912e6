//! How games are played, the same for every command that plays many: `match`, `tournament`, `records`.

use super::{CliError, GameArg, RulesArg, array, input, on_or_off, seed, thread_count, variant};
use crate::arena::{Conditions, Openings};
use crate::game::Limits;
use crate::games::GameName;
use crate::players::{Playable, PlayerSpec};
use crate::session::text_game;

/// The players that a help text explains: the usual game's.
pub(super) fn players_help() -> String {
    let usual = text_game(GameName::default(), None).players_help();
    format!("{usual}`dobutsu-ga players --game GAME` lists those of other games.")
}

#[derive(clap::Args)]
pub(super) struct Setting {
    /// Where all chance comes from: the same seed gives the same games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = seed)]
    seed: u64,
    #[command(flatten)]
    pub(super) game: GameArg,
    #[command(flatten)]
    rules: RulesArg,
    /// How the pieces stand at first, where a game has more than one array: dobutsu official or figure12
    #[arg(long, value_name = "ARRAY")]
    array: Option<String>,
    /// Whether the game's rule about repeated positions holds
    #[arg(long, value_name = "on|off", default_value = "on", value_parser = on_or_off, action = clap::ArgAction::Set)]
    repetition: bool,
    /// Begin with this many random moves, after which neither side can win at once [default: 0; 6 for `records`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=20))]
    opening_plies: Option<u16>,
    /// Where those may lead: calm (see above), drawn (with perfect play), or far=N (drawn, or decided in N plies or more)
    #[arg(long, value_name = "KIND")]
    openings: Option<Openings>,
    /// Call a game a draw after this many plies [default: 500; 2000 in hasami]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    ply_cap: Option<u16>,
    /// Overwrite the file of records
    #[arg(long)]
    pub(super) force: bool,
    /// How many threads to use [default: all cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    pub(super) threads: Option<usize>,
}

/// No command plays more games.
pub(super) const MOST_GAMES: usize = 1_000_000;

impl Setting {
    /// The conditions of games between these players, who must be able to play by them. Without `--opening-plies` there are
    /// `usual_plies`.
    pub(super) fn conditions<G: Playable>(
        &self,
        players: &[PlayerSpec<G>],
        usual_plies: u16,
    ) -> Result<Conditions<G>, CliError> {
        let opening_plies = usize::from(self.opening_plies.unwrap_or(usual_plies));
        let ply_cap = self.ply_cap.map_or(G::PLY_CAP, usize::from);
        let conditions = Conditions {
            rules: variant(self.rules.rules.as_deref())?,
            array: array::<G>(self.array.as_deref())?,
            seed: self.seed,
            opening_plies,
            openings: self.openings.unwrap_or_default(),
            limits: Limits { ply_cap, repetition: self.repetition },
        };
        players.iter().try_for_each(|player| player.check(conditions.rules))?;
        if opening_plies >= ply_cap {
            return Err(input("--opening-plies must be less than --ply-cap: no game would be played"));
        }
        if self.openings.is_some() && opening_plies == 0 {
            return Err(input("--openings has no effect without --opening-plies"));
        }
        conditions.check().map_err(input)?;
        Ok(conditions)
    }
}

/// The conditions in words.
pub(super) fn about<G: Playable>(conditions: &Conditions<G>, games: usize) -> String {
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
