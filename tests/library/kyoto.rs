//! Kyoto Shogi itself: perft against the data files and against the slow rules, and single facts of the rules.

#[path = "../slow/kyoto.rs"]
mod slow;

use std::collections::{BTreeSet, HashMap};

use crate::perft_files::Case;
use dobutsu_ga::game::{Blunder, Game, Genome, Outcome, Referee, Side, Tactics, Weighted, legal_moves};
use dobutsu_ga::games::kyoto::eval::KyotoEvaluator;
use dobutsu_ga::games::kyoto::{Position, Rules};
use dobutsu_ga::search::{Terminal, alphabeta};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use slow::Slow;

fn cases() -> Vec<Case<Rules>> {
    crate::perft_files::cases(include_str!("../perft/kyoto.perft"))
}

#[test]
fn perft_agrees_with_the_data_files() {
    crate::perft_files::agrees_with_the_library::<Position>(cases());
}

#[test]
fn perft_agrees_with_the_slow_rules() {
    crate::perft_files::agrees_with(cases(), |fen, rules, depth| {
        Slow::new(fen, rules == Rules::Legal).perft(depth)
    });
}

#[test]
fn both_rules_agree_move_by_move_over_random_games() {
    for seed in 0..400 {
        let rules = Rules::ALL[seed as usize % 2];
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut game = Referee::new(Position::start(rules));
        let mut slow = Slow::new(&game.position().to_string(), rules == Rules::Legal);
        loop {
            let position = *game.position();
            let fast: BTreeSet<String> =
                legal_moves(&position).into_iter().map(|m| position.move_text(m)).collect();
            let children = slow.children();
            assert_eq!(fast, children.iter().map(|(text, _)| text.clone()).collect(), "{position:?}");
            assert_eq!(position.outcome().is_some(), children.is_empty(), "{position:?}");
            if game.verdict().is_some() {
                break;
            }
            let (text, next) = children[random.random_range(0..children.len())].clone();
            game.try_play(position.parse_move(&text).unwrap()).unwrap();
            slow = next;
        }
    }
}

fn after(fen: &str, rules: Rules, moves: &[&str]) -> Position {
    let start = Position::parse(fen, rules).unwrap();
    moves.iter().fold(start, |position, text| position.play(position.parse_move(text).unwrap()))
}

const START: &str = "p+nks+l/5/5/5/+LSK+NP[-] w 0 1";

/// A first player's win in 17 plies from the paper on minimax players, as it stands there.
const PAPER_GAME: [&str; 17] = [
    "+1514HI", "-4142KE", "+4544KA", "-2122KA", "+4422GI", "-1122KY", "+0043GI", "-2223TO", "+1424HU",
    "-2322KY", "+4334KA", "-0033GI", "+3443GI", "-2224TO", "+2524KE", "-0023HI", "+2432KI",
];

#[test]
fn the_game_in_the_paper_can_be_played() {
    let end = after(START, Rules::Capture, &PAPER_GAME);
    assert_eq!(end.outcome(), None);
    // The second player is in check, and whatever it does, its king is captured.
    for reply in legal_moves(&end) {
        let next = end.play(reply);
        let capture = legal_moves(&next).into_iter().find(|m| next.play(*m).decided_by() == Some("catch"));
        assert!(capture.is_some() || next.outcome() == Some(Outcome::Win(Side::First)), "{next:?}");
    }
    // By the legal rules it is mate, if nobody left the king in danger before.
    let mate = Position::parse(&end.to_string(), Rules::Legal).unwrap();
    assert_eq!((mate.outcome(), mate.decided_by()), (Some(Outcome::Win(Side::First)), Some("mate")));
}

#[test]
fn every_move_turns_the_piece_over_but_not_the_king() {
    let there = after(START, Rules::Capture, &["e1e2+", "c5c4", "e2e3-", "a5a4+", "a1a2-"]);
    assert_eq!(there.to_string(), "1+n1s+l/+p1k2/4P/L4/1SK+N1[-] b 0 1");
}

#[test]
fn a_captured_piece_can_be_dropped_with_either_face_up() {
    let position = after("4k/5/2p2/2S2/K4[NNLLPs] w 0 1", Rules::Capture, &["c2c3+", "e5e4"]);
    assert_eq!(position.hand(Side::First).count(dobutsu_ga::games::kyoto::HandPiece::Pawn), 2);
    let texts: Vec<String> = legal_moves(&position).into_iter().map(|m| position.move_text(m)).collect();
    for drop in ["P@a5", "+P@a5", "N@e5", "+N@e5"] {
        assert!(texts.contains(&drop.to_string()), "{drop}");
    }
    // Two pawns on a file, the second where it can never move.
    let dead = after(&position.to_string(), Rules::Legal, &["P@a4", "e4e3", "P@a5"]);
    assert!(dead.outcome().is_none());
}

#[test]
fn a_king_may_be_left_in_danger_only_by_the_capture_rules() {
    let check = "2k2/2+p2/5/5/2K2[NNLLPSS] w 0 1";
    let free = Position::parse(check, Rules::Capture).unwrap();
    let bound = Position::parse(check, Rules::Legal).unwrap();
    assert!(free.parse_move("c1c2").is_ok() && bound.parse_move("c1c2").is_err());
    assert!(free.parse_move("P@a1").is_ok() && bound.parse_move("P@a1").is_err());
    assert!(bound.parse_move("P@c2").is_ok() && bound.parse_move("c1b1").is_ok());
    let caught = after(check, Rules::Capture, &["P@a1", "c4c1-"]);
    assert_eq!((caught.outcome(), caught.decided_by()), (Some(Outcome::Win(Side::Second)), Some("catch")));
}

#[test]
fn a_dropped_pawn_may_give_mate() {
    let mate = after("k4/5/+L1+L2/5/4K[NNPPSs] w 0 1", Rules::Legal, &["P@a4"]);
    assert_eq!(mate.outcome(), None, "the king takes the pawn or goes aside");
    let mate = after("k4/2+N2/+L4/5/4K[NLPPSS] w 0 1", Rules::Legal, &["P@a4"]);
    assert_eq!((mate.outcome(), mate.decided_by()), (Some(Outcome::Win(Side::First)), Some("mate")));
}

#[test]
fn a_player_without_a_move_has_lost() {
    // The first player's king and three pieces that can never move again fill a corner.
    let stuck = after("KL2k/NN3/5/5/5[lppss] b 0 1", Rules::Capture, &["e5e4"]);
    assert_eq!((stuck.outcome(), stuck.decided_by()), (Some(Outcome::Win(Side::Second)), Some("stuck")));
    assert!(legal_moves(&stuck).is_empty());
    // Two rooks attack all squares around the king but not the king: only the legal rules call that lost.
    let lonely = "K4/4+p/5/5/1+p2k[nnllss] w 0 1";
    let legal = Position::parse(lonely, Rules::Legal).unwrap();
    assert_eq!((legal.outcome(), legal.decided_by()), (Some(Outcome::Win(Side::Second)), Some("stuck")));
    assert_eq!(Position::parse(lonely, Rules::Capture).unwrap().decided_by(), None);
}

#[test]
fn the_fourth_occurrence_is_a_draw() {
    let mut game = Referee::new(Position::start(Rules::Capture));
    let shuffle = ["c1c2", "c5c4", "c2c1", "c4c5"];
    for text in shuffle.iter().chain(&shuffle).chain(&shuffle) {
        assert_eq!(game.verdict(), None);
        game.try_play(game.position().parse_move(text).unwrap()).unwrap();
    }
    assert_eq!(game.verdict().unwrap().outcome, Outcome::Draw);
}

/// How often the first player wins if both draw among their best moves, exactly: players that draw few lots play few
/// different games, so all of them can be followed.
fn exact_share(first: &str, second: &str) -> f64 {
    let evaluators = [first, second].map(|name| Position::evaluator(&Genome::named(name).unwrap()));
    let mut known: HashMap<Position, f64> = HashMap::new();
    fn share(
        position: Position,
        plies_left: u32,
        evaluators: &[KyotoEvaluator; 2],
        known: &mut HashMap<Position, f64>,
    ) -> f64 {
        if let Some(outcome) = position.outcome() {
            return if outcome == Outcome::Win(Side::First) { 1.0 } else { 0.0 };
        }
        assert!(plies_left > 0, "these games end by themselves");
        if let Some(share) = known.get(&position) {
            return *share;
        }
        let best = alphabeta(&position, 3, &evaluators[position.turn() as usize], Terminal::Paper).best;
        let shares = best.iter().map(|m| share(position.play(*m), plies_left - 1, evaluators, known));
        let mean = shares.sum::<f64>() / best.len() as f64;
        known.insert(position, mean);
        mean
    }
    share(Position::start(Rules::Capture), 500, &evaluators, &mut known)
}

/// An independent program counts 50.5 % and 38.6 % in 2,000 games each, 100 % and 0 % in 600: all within sampling of these.
#[test]
fn the_paper_s_sets_win_as_often_as_an_independent_program_says() {
    assert_eq!((exact_share("B", "S"), exact_share("S", "S")), (1.0 / 2.0, 3.0 / 8.0));
    assert_eq!((exact_share("A", "A"), exact_share("S", "A")), (1.0, 0.0));
}

#[test]
fn weak_moves_are_found_one_exchange_ahead() {
    use Blunder::{CheckNotAnswered, IntoCheck, PieceGivenAway};
    let checked = "k1+p2/5/5/5/2K2[PSSNNLL] w 0 1";
    let beside = "k+p3/5/5/5/2K2[PSSNNLL] w 0 1";
    let protected = "1+n2k/s4/5/5/+P3K[PSNLL] w 0 1";
    let pinned = "2k2/2s2/5/5/2+P1K[PSNNLL] w 0 1";
    let loose = "2k2/2s2/5/5/3+PK[PSNNLL] w 0 1";
    for (fen, text, answerable_check, weakness) in [
        // A rook gives check.
        (checked, "P@e3", true, Some(CheckNotAnswered)),
        (checked, "c1c2", true, Some(CheckNotAnswered)),
        (checked, "c1b1", true, None),
        (checked, "S@c2", true, None),                 // the king recaptures
        (checked, "S@c3", true, Some(PieceGivenAway)), // nothing does
        (beside, "c1b1", false, Some(IntoCheck)),
        (beside, "c1d1", false, None),
        // A rook captures a silver that a gold protects, or steps in front of it as a pawn.
        (protected, "a1a4-", false, None),
        (protected, "a1a3-", false, Some(PieceGivenAway)),
        (protected, "a1b1-", false, None),
        // A silver that captures would leave its king to a rook, or not.
        (pinned, "S@b3", false, None),
        (loose, "S@b3", false, Some(PieceGivenAway)),
    ] {
        let position = Position::parse(fen, Rules::Capture).unwrap();
        let m = position.parse_move(text).unwrap();
        assert_eq!(position.tactics(m), Tactics { answerable_check, weakness }, "{text} in {fen}");
    }
    // What no move avoids is no weakness of the one that was chosen: two rooks leave the king no square.
    let mated = Position::parse("+p+p2k/5/5/5/K4[ssnnll] w 0 1", Rules::Capture).unwrap();
    assert!(mated.in_check());
    for m in legal_moves(&mated) {
        let Tactics { answerable_check, weakness } = mated.tactics(m);
        assert_eq!((answerable_check, weakness), (false, None), "{}", mated.move_text(m));
    }
}
