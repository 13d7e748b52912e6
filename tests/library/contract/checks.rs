//! What must hold for every game, checked along random games.

use std::collections::{HashMap, HashSet};

use dobutsu_ga::game::{Game, MoveError, Referee, Symmetric, Symmetry, legal_moves};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const GAMES: u64 = 300;

/// Reading a move looks through all ways to write all moves: where every move is read, so many positions are enough.
const READ_POSITIONS: usize = 1000;

fn random_game<G: Game>(rules: G::Rules, random: &mut impl Rng) -> Referee<G> {
    let mut game = Referee::new(G::start(rules));
    while game.verdict().is_none() {
        let moves = legal_moves(game.position());
        game.play(moves[random.random_range(0..moves.len())]);
    }
    game
}

/// Every position of many random games, first and last ones included.
fn positions<G: Game>(rules: G::Rules) -> Vec<G> {
    let game = |seed| random_game::<G>(rules, &mut ChaCha8Rng::seed_from_u64(seed)).positions().to_vec();
    (0..GAMES).flat_map(game).collect()
}

fn open<G: Game>(rules: G::Rules) -> impl Iterator<Item = G> {
    positions::<G>(rules).into_iter().filter(|position| position.outcome().is_none())
}

fn finished<G: Game>(rules: G::Rules) -> Vec<G> {
    let finished: Vec<G> = positions::<G>(rules).into_iter().filter(|p| p.outcome().is_some()).collect();
    assert!(!finished.is_empty(), "no random game was decided: this test would test nothing");
    finished
}

/// Moves to compare where their order does not matter; a set would take several times as long.
fn sorted<M: Ord>(mut moves: Vec<M>) -> Vec<M> {
    moves.sort_unstable();
    moves
}

pub fn generated_moves_are_the_accepted_ones<G: Game>(rules: G::Rules, conceivable: &[G::Move]) {
    for position in positions::<G>(rules) {
        let generated = legal_moves(&position);
        assert!(generated.iter().all(|m| position.try_play(*m).is_ok()), "in {position:?}");
        // Not by `try_play`, which would explain each of the many refusals at length.
        let accepted = conceivable.iter().copied().filter(|m| position.is_legal(*m)).collect();
        assert_eq!(sorted(generated), sorted(accepted), "a move twice, or too many or few, in {position:?}");
    }
}

pub fn counted_moves_are_the_generated_ones<G: Game>(rules: G::Rules) {
    let mut buffer = Vec::new();
    for position in positions::<G>(rules) {
        assert_eq!(position.count_moves(&mut buffer), legal_moves(&position).len(), "in {position:?}");
        assert!(buffer.is_empty());
    }
}

pub fn a_finished_game_refuses_moves<G: Game>(rules: G::Rules, conceivable: &[G::Move]) {
    for position in finished::<G>(rules) {
        assert!(legal_moves(&position).is_empty());
        assert!(position.decided_by().is_some());
        for m in conceivable {
            assert!(
                matches!(position.try_play(*m), Err(MoveError::GameOver { .. })),
                "{m:?} in {position:?}"
            );
        }
    }
}

pub fn an_open_game_has_a_move<G: Game>(rules: G::Rules) {
    for position in open::<G>(rules) {
        assert!(!legal_moves(&position).is_empty(), "{position:?} is neither over nor can it go on");
    }
}

pub fn symmetries_lead_there_and_back<G: Symmetric>(rules: G::Rules) {
    for position in positions::<G>(rules) {
        for symmetry in Symmetry::ALL {
            assert_eq!(position.transform(symmetry).transform(symmetry), position);
            for m in legal_moves(&position) {
                assert_eq!(G::transform_move(G::transform_move(m, symmetry), symmetry), m);
            }
        }
    }
}

pub fn symmetries_keep_the_game<G: Symmetric>(rules: G::Rules) {
    for position in positions::<G>(rules) {
        for symmetry in Symmetry::ALL {
            let seen = position.transform(symmetry);
            assert_eq!(seen.outcome(), position.outcome().map(|outcome| symmetry.outcome(outcome)));
            assert_eq!(seen.side_to_move() == position.side_to_move(), symmetry != Symmetry::Turn);
            let moves = legal_moves(&position);
            let mapped = moves.iter().map(|m| G::transform_move(*m, symmetry)).collect();
            assert_eq!(sorted(mapped), sorted(legal_moves(&seen)), "{symmetry:?} of {position:?}");
            for m in moves {
                let there = seen.play(G::transform_move(m, symmetry));
                assert_eq!(
                    there,
                    position.play(m).transform(symmetry),
                    "{symmetry:?} of {m:?} in {position:?}"
                );
            }
        }
    }
}

pub fn keys_tell_positions_apart<G: Game>(rules: G::Rules) {
    let mut seen: HashMap<G::Key, G> = HashMap::new();
    for position in positions::<G>(rules) {
        assert_eq!(*seen.entry(position.key()).or_insert(position), position);
    }
}

pub fn text_reads_back<G: Game>(rules: G::Rules) {
    for position in positions::<G>(rules) {
        let text = position.to_string();
        match G::parse(&text, rules) {
            Ok(read) => assert_eq!(read, position, "{text}"),
            Err(error) => panic!("{text} does not read back: {error}"),
        }
    }
}

pub fn move_text_reads_back<G: Game>(rules: G::Rules) {
    let positions: Vec<G> = open(rules).collect();
    for position in positions.iter().copied().step_by(positions.len().div_ceil(READ_POSITIONS)) {
        let mut texts = HashSet::new();
        for m in legal_moves(&position) {
            for text in position.move_texts(m) {
                assert_eq!(position.parse_move(&text), Ok(m), "{text} in {position:?}");
                assert!(texts.insert(text.to_lowercase()), "{text} means two moves in {position:?}");
            }
        }
        assert!(matches!(position.parse_move("no such move"), Err(MoveError::Illegal { .. })));
    }
}

pub fn undo_takes_everything_back<G: Game>(rules: G::Rules) {
    for seed in 0..GAMES / 10 {
        let mut game = random_game::<G>(rules, &mut ChaCha8Rng::seed_from_u64(seed));
        let before = (game.positions().to_vec(), game.moves().to_vec(), game.verdict());
        let mut undone = Vec::new();
        while let Some(m) = game.undo() {
            undone.push(m);
        }
        assert_eq!(*game.position(), G::start(rules));
        for m in undone.into_iter().rev() {
            game.try_play(m).expect("a move taken back can be played again");
        }
        assert_eq!((game.positions().to_vec(), game.moves().to_vec(), game.verdict()), before);
    }
}
