//! Which games are there, and what can each do? The only place that lists them.

use crate::eval::Weighted;
use crate::experiment::Studied;
use crate::games::{Shown, Side, Spoken, Tactics, Weakness, dobutsu, hasami, kyoto, quoridor};
use crate::players::{
    DOBUTSU_LEVELS, DeepPlayer, Extra, FirstOrAny, HASAMI_EXTRAS, HASAMI_LEVELS, KYOTO_LEVELS, KeenPlayer,
    Level, LookAhead, Networked, Playable, Player, QUORIDOR_LEVELS, ReportManner, network_players,
};
use crate::search::Limit;
use crate::solve::{Exact, Unsolved};

/// Everything that commands and the page ask of a game.
pub trait Lab: Studied + Shown {}

impl<G: Studied + Shown> Lab for G {}

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
                    $($d crate::lab::GameName::$name => {
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

impl Networked for dobutsu::Position {
    const CHAMPION: &'static [u8] = include_bytes!("../results/alphazero/network.safetensors");
}

impl Playable for dobutsu::Position {
    type Manner = LookAhead;
    const YARDSTICKS: &'static [&'static str] = &["random", "strong:depth=6"];
    const EXTRAS: &'static [Extra<Self>] = &network_players::<Self>();
    const LEVELS: &'static [Level] = DOBUTSU_LEVELS;

    fn ladder_rules() -> dobutsu::Rules {
        dobutsu::Rules::Official
    }

    fn strong(evaluator: <Self as Weighted>::Evaluator, limit: Limit) -> Box<dyn Player<Self>> {
        Box::new(KeenPlayer::new(evaluator, limit))
    }
}

impl Studied for dobutsu::Position {
    const EXPERIMENTS: &'static [(&'static str, &'static str)] = &[
        ("table1", include_str!("../experiments/table1.toml")),
        ("table2", include_str!("../experiments/table2.toml")),
        ("table3", include_str!("../experiments/table3.toml")),
        ("table5", include_str!("../experiments/table5.toml")),
        ("table7", include_str!("../experiments/table7.toml")),
        ("table8", include_str!("../experiments/table8.toml")),
        ("table5-exact", include_str!("../experiments/table5-exact.toml")),
        ("table7-exact", include_str!("../experiments/table7-exact.toml")),
        ("table8-exact", include_str!("../experiments/table8-exact.toml")),
        ("table5-3ply", include_str!("../experiments/table5-3ply.toml")),
        ("table5-3ply-figure12", include_str!("../experiments/table5-3ply-figure12.toml")),
        ("table7-3ply", include_str!("../experiments/table7-3ply.toml")),
        ("table7-3ply-figure12", include_str!("../experiments/table7-3ply-figure12.toml")),
        ("table8-3ply", include_str!("../experiments/table8-3ply.toml")),
        ("table8-3ply-figure12", include_str!("../experiments/table8-3ply-figure12.toml")),
        ("path", include_str!("../experiments/path.toml")),
        ("figure2", include_str!("../experiments/figure2.toml")),
        ("figure3", include_str!("../experiments/figure3.toml")),
        ("figure15", include_str!("../experiments/figure15.toml")),
        ("robust", include_str!("../experiments/robust.toml")),
        ("robust-full", include_str!("../experiments/robust-full.toml")),
        ("oracle", include_str!("../experiments/oracle.toml")),
        ("forensic", include_str!("../experiments/forensic.toml")),
        ("fairy", include_str!("../experiments/fairy.toml")),
        ("fairy-start", include_str!("../experiments/fairy-start.toml")),
        ("fairy-time", include_str!("../experiments/fairy-time.toml")),
        ("alphazero", include_str!("../experiments/alphazero.toml")),
        ("islands", include_str!("../experiments/islands.toml")),
    ];

    fn published(fixed: Option<Side>) -> Option<&'static str> {
        Some(match fixed {
            None => "table5",
            Some(Side::First) => "table7",
            Some(Side::Second) => "table8",
        })
    }
}

impl Exact for kyoto::Position {
    type Solutions = Unsolved;
}

impl Networked for kyoto::Position {
    const CHAMPION: &'static [u8] = include_bytes!("../results/kyoto/alphazero/network.safetensors");
}

impl Playable for kyoto::Position {
    type Manner = LookAhead;
    const YARDSTICKS: &'static [&'static str] = &["random", "B:depth=3"];
    const TACTICS: Option<fn(&Self, kyoto::Move) -> Tactics> = Some(kyoto::Position::tactics);
    const EXTRAS: &'static [Extra<Self>] = &network_players::<Self>();
    const LEVELS: &'static [Level] = KYOTO_LEVELS;

    fn strong(evaluator: <Self as Weighted>::Evaluator, limit: Limit) -> Box<dyn Player<Self>> {
        Box::new(KeenPlayer::new(evaluator, limit))
    }
}

impl Studied for kyoto::Position {
    const EXPERIMENTS: &'static [(&'static str, &'static str)] = &[
        ("table6", include_str!("../experiments/kyoto/table6.toml")),
        ("listing", include_str!("../experiments/kyoto/listing.toml")),
        ("robust", include_str!("../experiments/kyoto/robust.toml")),
        ("fairy", include_str!("../experiments/kyoto/fairy.toml")),
        ("fairy-time", include_str!("../experiments/kyoto/fairy-time.toml")),
        ("alphazero", include_str!("../experiments/kyoto/alphazero.toml")),
        ("table10", include_str!("../experiments/kyoto/table10.toml")),
        ("table11", include_str!("../experiments/kyoto/table11.toml")),
        ("labels", include_str!("../experiments/kyoto/labels.toml")),
        ("simulations", include_str!("../experiments/kyoto/simulations.toml")),
    ];
}

impl Spoken for quoridor::Position {}

impl Exact for quoridor::Position {
    type Solutions = Unsolved;
}

impl Playable for quoridor::Position {
    type Manner = ReportManner;
    const LEVELS: &'static [Level] = QUORIDOR_LEVELS;

    fn strong(evaluator: <Self as Weighted>::Evaluator, limit: Limit) -> Box<dyn Player<Self>> {
        Box::new(DeepPlayer::new(evaluator, limit))
    }
}

impl Studied for quoridor::Position {
    const EXPERIMENTS: &'static [(&'static str, &'static str)] = &[
        ("pa", include_str!("../experiments/quoridor/pa.toml")),
        ("pa-ones", include_str!("../experiments/quoridor/pa-ones.toml")),
        ("pa-literal", include_str!("../experiments/quoridor/pa-literal.toml")),
        ("learners", include_str!("../experiments/quoridor/learners.toml")),
        ("weights", include_str!("../experiments/quoridor/weights.toml")),
        ("walls", include_str!("../experiments/quoridor/walls.toml")),
        ("walls-time", include_str!("../experiments/quoridor/walls-time.toml")),
        ("beam", include_str!("../experiments/quoridor/beam.toml")),
        ("beam-time", include_str!("../experiments/quoridor/beam-time.toml")),
    ];
}

impl Spoken for hasami::Position {}

impl Exact for hasami::Position {
    type Solutions = Unsolved;
}

impl Playable for hasami::Position {
    type Manner = FirstOrAny;
    const EXTRAS: &'static [Extra<Self>] = HASAMI_EXTRAS;
    const LEVELS: &'static [Level] = HASAMI_LEVELS;
    const WEAKNESSES: &'static [Weakness<Self>] = hasami::WEAKNESSES;
}

impl Studied for hasami::Position {
    const EXPERIMENTS: &'static [(&'static str, &'static str)] = &[
        ("table13", include_str!("../experiments/hasami/table13.toml")),
        ("table14", include_str!("../experiments/hasami/table14.toml")),
        ("table14-start", include_str!("../experiments/hasami/table14-start.toml")),
        ("learning", include_str!("../experiments/hasami/learning.toml")),
        ("weaknesses", include_str!("../experiments/hasami/weaknesses.toml")),
        ("wish", include_str!("../experiments/hasami/wish.toml")),
    ];
}
