//! The contract that every game must keep. A new game adds one line at the bottom.

mod checks;

use dobutsu_ga::game::Usual;
use dobutsu_ga::games::dobutsu::Rules;
use dobutsu_ga::games::{dobutsu, hasami, kyoto, quoridor};

/// One test for each promise, over random games of one game and one rule set.
macro_rules! contract {
    ($name:ident, $game:ty, $rules:expr, $conceivable:expr) => {
        mod $name {
            use super::*;

            #[test]
            fn generated_moves_are_the_accepted_ones() {
                crate::contract::checks::generated_moves_are_the_accepted_ones::<$game>(
                    $rules,
                    &$conceivable,
                );
            }
            #[test]
            fn counted_moves_are_the_generated_ones() {
                crate::contract::checks::counted_moves_are_the_generated_ones::<$game>($rules);
            }
            #[test]
            fn a_finished_game_refuses_moves() {
                crate::contract::checks::a_finished_game_refuses_moves::<$game>($rules, &$conceivable);
            }
            #[test]
            fn an_open_game_has_a_move() {
                crate::contract::checks::an_open_game_has_a_move::<$game>($rules);
            }
            #[test]
            fn keys_tell_positions_apart() {
                crate::contract::checks::keys_tell_positions_apart::<$game>($rules);
            }
            #[test]
            fn text_reads_back() {
                crate::contract::checks::text_reads_back::<$game>($rules);
            }
            #[test]
            fn move_text_reads_back() {
                crate::contract::checks::move_text_reads_back::<$game>($rules);
            }
            #[test]
            fn undo_takes_everything_back() {
                crate::contract::checks::undo_takes_everything_back::<$game>($rules);
            }
        }
    };
}

/// The same for the symmetries of a game that has them.
macro_rules! symmetric {
    ($name:ident, $game:ty, $rules:expr) => {
        mod $name {
            #[allow(unused_imports)]
            use super::*;
            #[test]
            fn symmetries_lead_there_and_back() {
                crate::contract::checks::symmetries_lead_there_and_back::<$game>($rules);
            }
            #[test]
            fn symmetries_keep_the_game() {
                crate::contract::checks::symmetries_keep_the_game::<$game>($rules);
            }
        }
    };
}

contract!(dobutsu_paper, dobutsu::Position, Rules::Paper, dobutsu::Move::conceivable().collect::<Vec<_>>());
contract!(
    dobutsu_official,
    dobutsu::Position,
    Rules::Official,
    dobutsu::Move::conceivable().collect::<Vec<_>>()
);
contract!(
    kyoto_capture,
    kyoto::Position,
    kyoto::Rules::Capture,
    kyoto::Move::conceivable().collect::<Vec<_>>()
);
contract!(kyoto_legal, kyoto::Position, kyoto::Rules::Legal, kyoto::Move::conceivable().collect::<Vec<_>>());
contract!(
    quoridor_usual,
    quoridor::Position,
    Usual::Usual,
    quoridor::Move::conceivable().collect::<Vec<_>>()
);
contract!(
    hasami_report,
    hasami::Position,
    hasami::Rules::Report,
    hasami::Move::conceivable().collect::<Vec<_>>()
);
contract!(
    hasami_lines,
    hasami::Position,
    hasami::Rules::Lines,
    hasami::Move::conceivable().collect::<Vec<_>>()
);
contract!(
    hasami_sudden,
    hasami::Position,
    hasami::Rules::Sudden,
    hasami::Move::conceivable().collect::<Vec<_>>()
);
contract!(
    hasami_five,
    hasami::Position,
    hasami::Rules::Five,
    hasami::Move::conceivable().collect::<Vec<_>>()
);
contract!(toy, crate::toy::tictactoe::Position, Usual::Usual, (0..20).collect::<Vec<u8>>());

symmetric!(dobutsu_paper_seen, dobutsu::Position, Rules::Paper);
symmetric!(dobutsu_official_seen, dobutsu::Position, Rules::Official);
symmetric!(kyoto_capture_seen, kyoto::Position, kyoto::Rules::Capture);
symmetric!(kyoto_legal_seen, kyoto::Position, kyoto::Rules::Legal);
symmetric!(quoridor_usual_seen, quoridor::Position, Usual::Usual);
symmetric!(hasami_report_seen, hasami::Position, hasami::Rules::Report);
symmetric!(hasami_lines_seen, hasami::Position, hasami::Rules::Lines);
symmetric!(hasami_sudden_seen, hasami::Position, hasami::Rules::Sudden);
symmetric!(hasami_five_seen, hasami::Position, hasami::Rules::Five);
