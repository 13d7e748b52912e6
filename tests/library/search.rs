//! Faster searches agree with the plain ones: value and set of best moves.

use dobutsu_ga::game::{Evaluator, Game, Limits, Outcome, ReadingSet, Referee, Side, Symmetry, legal_moves};
use dobutsu_ga::games::dobutsu::eval::{
    CheckReading, CountedFor, DobutsuEvaluator, Gene, Genome, MobilityReading, Readings, TryReading,
};
use dobutsu_ga::games::dobutsu::{Move, Position, Rules};
use dobutsu_ga::games::kyoto;
use dobutsu_ga::games::kyoto::eval::KyotoEvaluator;
use dobutsu_ga::random::stream;
use dobutsu_ga::search::{
    AlphaBeta, ByGain, ByValue, Config, Deepening, SearchInfo, SearchLimits, Terminal, Value, alphabeta,
    minimax,
};
use proptest::prelude::*;

/// The search that promises the values of alpha-beta.
fn exact<G: Game, E: Evaluator<G> + Clone>(
    evaluator: E,
    position: &G,
    limits: SearchLimits,
) -> SearchInfo<G::Move> {
    let mut search = Deepening::new(evaluator.clone(), ByValue(evaluator), Config::EXACT);
    search.search(position, &limits, &mut |_| ()).unwrap()
}

/// The search of the strong players of the shogi games, in a game.
fn selective<G: Game, E: Evaluator<G> + Clone>(
    evaluator: E,
    game: &Referee<G>,
    limits: SearchLimits,
) -> SearchInfo<G::Move> {
    let config = Config { table_slots: 1 << 12, selective: true, reorder: true, repetitions: true };
    let mut search = Deepening::new(evaluator.clone(), ByGain(evaluator), config);
    search.search_game(game, &limits, &mut |_| ()).unwrap()
}

/// A position some random plies after the start, never a finished one.
fn position() -> impl Strategy<Value = Position> {
    position_of(Rules::ALL)
}

fn position_of<G: Game>(rules: [G::Rules; 2]) -> impl Strategy<Value = G> {
    (proptest::collection::vec(any::<u16>(), 0..40), 0..2usize).prop_map(move |(choices, chosen)| {
        let mut position = G::start(rules[chosen]);
        for choice in choices {
            let moves = legal_moves(&position);
            let next = position.play(moves[choice as usize % moves.len()]);
            if next.outcome().is_some() {
                break;
            }
            position = next;
        }
        position
    })
}

/// Small values make ties, zero features make the fast path.
fn genome() -> impl Strategy<Value = Genome> {
    (proptest::collection::vec(0..6i32, 12), any::<bool>()).prop_map(|(values, material_only)| {
        let mut genome = Genome::BASE;
        for (gene, value) in Gene::ALL.into_iter().zip(values) {
            let value = if material_only && gene >= Gene::Mobility { 0 } else { value };
            genome = genome.with(gene, 1000 * value).unwrap();
        }
        genome
    })
}

fn readings() -> impl Strategy<Value = Readings> {
    let index = any::<proptest::sample::Index>;
    (index(), index(), index(), index()).prop_map(|(mobility, check, try_, side)| {
        let side = side.index(27);
        Readings {
            mobility: *mobility.get(&MobilityReading::ALL),
            mobility_for: CountedFor::ALL[side % 3],
            check: *check.get(&CheckReading::ALL),
            check_for: CountedFor::ALL[side / 3 % 3],
            try_: *try_.get(&TryReading::ALL),
            try_for: CountedFor::ALL[side / 9],
        }
    })
}

fn reading(mut genome: Genome, readings: Readings) -> Genome {
    genome.readings = readings;
    genome
}

fn terminal() -> impl Strategy<Value = Terminal> {
    prop_oneof![Just(Terminal::Paper), Just(Terminal::Exact), Just(Terminal::Through)]
}

/// Minimax once more, as in a textbook: every leaf is played and valued from scratch.
fn textbook(
    position: &Position,
    depth: u32,
    ply: u32,
    root: Side,
    evaluator: &DobutsuEvaluator,
    terminal: Terminal,
) -> Value {
    if let (Terminal::Exact, Some(Outcome::Win(winner))) = (terminal, position.outcome()) {
        return if winner == root { Value::win_in(ply) } else { Value::loss_in(ply) };
    }
    let position = if terminal == Terminal::Through { &position.reopened() } else { position };
    if depth == 0 || position.outcome().is_some() {
        return Value::points(evaluator.value(position, root));
    }
    let values = legal_moves(position)
        .into_iter()
        .map(|m| textbook(&position.play(m), depth - 1, ply + 1, root, evaluator, terminal));
    if position.turn() == root { values.max().unwrap() } else { values.min().unwrap() }
}

/// Weights for Kyoto Shogi: of one size, small ones make ties.
fn kyoto_evaluator() -> impl Strategy<Value = KyotoEvaluator> {
    (proptest::collection::vec(0..6i32, 13), prop_oneof![Just(1), Just(1000), Just(2_000_000)])
        .prop_map(|(values, size)| KyotoEvaluator::new(std::array::from_fn(|gene| size * values[gene])))
}

/// Whether some line of so many plies ends the game.
fn ends_within(position: &Position, plies: u32) -> bool {
    position.outcome().is_some()
        || plies > 0 && legal_moves(position).into_iter().any(|m| ends_within(&position.play(m), plies - 1))
}

fn next_move_does_what_it_says<G: Game>(position: &G) {
    let children = legal_moves(position).into_iter().map(|m| position.play(m));
    let ends: Vec<G> = children.filter(|child| child.outcome().is_some()).collect();
    match position.next_move_wins() {
        Some(wins) => assert_eq!(wins, !ends.is_empty(), "{position:?}"),
        None => assert!(ends.iter().all(|end| matches!(end.decided_by(), Some("stuck" | "mate")))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn alphabeta_is_minimax_is_the_textbook(
        position in position(), genome in genome(), readings in readings(), depth in 1..4u32, terminal in terminal()
    ) {
        let evaluator = DobutsuEvaluator::new(reading(genome, readings));
        let plain = minimax(&position, depth, &evaluator, terminal);
        let root = position.turn();
        let values: Vec<(Move, Value)> = legal_moves(&position).into_iter()
            .map(|m| (m, textbook(&position.play(m), depth - 1, 1, root, &evaluator, terminal))).collect();
        let best = values.iter().map(|(_, value)| *value).max().unwrap();
        prop_assert_eq!(plain.value, best);
        let equal: Vec<Move> = values.iter().filter(|(_, value)| *value == best).map(|(m, _)| *m).collect();
        prop_assert_eq!(&plain.best, &equal);
        let fast = alphabeta(&position, depth, &evaluator, terminal);
        prop_assert_eq!((fast.value, fast.best), (plain.value, plain.best));
        prop_assert!(fast.leaves <= plain.leaves);
    }

    #[test]
    fn deeper_alphabeta_is_minimax(position in position(), genome in genome(), terminal in terminal()) {
        let evaluator = DobutsuEvaluator::new(genome);
        let plain = minimax(&position, 4, &evaluator, terminal);
        let fast = alphabeta(&position, 4, &evaluator, terminal);
        prop_assert_eq!((fast.value, fast.best), (plain.value, plain.best));
    }

    #[test]
    fn alphabeta_is_minimax_in_kyoto_shogi(
        position in position_of::<kyoto::Position>(kyoto::Rules::ALL), evaluator in kyoto_evaluator(),
        depth in 1..4u32, terminal in terminal()
    ) {
        let plain = minimax(&position, depth, &evaluator, terminal);
        let fast = alphabeta(&position, depth, &evaluator, terminal);
        prop_assert_eq!((fast.value, fast.best), (plain.value, plain.best));
        prop_assert!(fast.leaves <= plain.leaves);
    }

    #[test]
    fn what_the_next_move_can_do_is_what_trying_all_of_them_shows(
        position in position(), kyoto in position_of::<kyoto::Position>(kyoto::Rules::ALL)
    ) {
        next_move_does_what_it_says(&position);
        next_move_does_what_it_says(&kyoto);
    }

    #[test]
    fn a_reopened_game_goes_on_with_what_is_left(choices in proptest::collection::vec(any::<u16>(), 60), genome in genome(), readings in readings()) {
        let evaluator = DobutsuEvaluator::new(reading(genome, readings));
        let mut position = Position::start(Rules::Official);
        for choice in choices {
            let moves = legal_moves(&position);
            let Some(m) = moves.get(choice as usize % moves.len().max(1)) else { break };
            let next = position.play(*m).reopened();
            prop_assert_eq!(evaluator.value(&position.play(*m), Side::First), evaluator.value(&next, Side::First));
            prop_assert_eq!(next.outcome().is_some(), legal_moves(&next).is_empty());
            // Nothing comes back: a lion that was caught is neither on the board nor dropped.
            for side in Side::BOTH {
                prop_assert!(position.lion(side).is_some() || next.lion(side).is_none());
            }
            position = next;
        }
    }

    #[test]
    fn the_strong_search_is_never_worse_than_alphabeta(
        position in position(), genome in genome(), readings in readings(), depth in 1..6u32
    ) {
        let evaluator = DobutsuEvaluator::new(reading(genome, readings));
        let plain = alphabeta(&position, depth, &evaluator, Terminal::Exact);
        let report = exact(evaluator, &position, SearchLimits::depth(depth));
        prop_assert_eq!(report.value, plain.value, "{:?} at depth {}", position, depth);
        prop_assert!(plain.best.contains(&report.best));
        prop_assert_eq!(report.line[0], report.best);
        let mut after = position;
        for m in &report.line {
            prop_assert!(after.is_legal(*m));
            after = after.play(*m);
        }
    }

    #[test]
    fn a_value_after_a_move_is_the_value_after_playing_it(position in position(), genome in genome(), readings in readings()) {
        let evaluator = DobutsuEvaluator::new(reading(genome, readings));
        for side in Side::BOTH {
            let partial = evaluator.partial(&position, side);
            prop_assert_eq!(evaluator.complete(&position, partial, side), evaluator.value(&position, side));
            for m in legal_moves(&position) {
                let next = position.play(m);
                let partial = evaluator.partial_after(&position, partial, m, side);
                prop_assert_eq!(evaluator.complete(&next, partial, side), evaluator.value(&next, side));
            }
        }
    }

    #[test]
    fn values_are_the_same_from_either_side_and_in_the_mirror(position in position(), genome in genome()) {
        let evaluator = DobutsuEvaluator::new(genome);
        let value = evaluator.value(&position, Side::First);
        prop_assert_eq!(evaluator.value(&position, Side::Second), -value);
        prop_assert_eq!(evaluator.value(&position.transform(Symmetry::Mirror), Side::First), value);
        prop_assert_eq!(evaluator.value(&position.transform(Symmetry::Turn), Side::Second), value);
    }
}

#[test]
fn the_start_is_worth_nothing_and_a_catch_is_a_lion_in_hand() {
    let evaluator = DobutsuEvaluator::new(Genome::BASE);
    assert_eq!(evaluator.value(&Position::start(Rules::Paper), Side::First), 0);
    let caught = Position::parse("g1e/1c1/1C1/ELG[L] b 0 1", Rules::Paper).unwrap();
    assert_eq!(evaluator.value(&caught, Side::First), 150_000);
    // A hen on the board for a chick, an elephant in hand for one on the board of the other side.
    let ahead = Position::parse("gl1/1c1/1+C1/ELG[E] w 0 1", Rules::Paper).unwrap();
    assert_eq!(evaluator.value(&ahead, Side::First), (8 - 4 + 5 + 3) * 1000);
}

#[test]
fn features_count_what_their_names_say() {
    let value = |fen: &str, gene: Gene, name: &str, reading: &str| {
        let mut genome =
            Gene::ALL.into_iter().fold(Genome::BASE, |genome, gene| genome.with(gene, 0).unwrap());
        genome = genome.with(gene, 1000).unwrap();
        genome.readings.set(name, reading).unwrap();
        let position = Position::parse(fen, Rules::Official).unwrap();
        DobutsuEvaluator::new(genome).value(&position, Side::First) / 1000
    };
    // First: lion b1 with a giraffe beside it and a chick and two elephants in hand; second: a lone lion on b4 that
    // can step to five squares, and a giraffe and a chick in hand.
    let fen = "1l1/3/3/GL1[CEEcg] w 0 1";
    // Steps: giraffe a2; lion a2 b2 c2 c1. Drops: nine empty squares for each of two kinds (three pieces).
    assert_eq!(value(fen, Gene::Mobility, "mobility", "moves"), 5 - 5);
    assert_eq!(value(fen, Gene::Mobility, "mobility", "attacks"), 7 - 5);
    assert_eq!(value(fen, Gene::Mobility, "mobility", "squares"), 4 - 5);
    assert_eq!(value(fen, Gene::Mobility, "mobility", "drops"), 5 + 18 - 5 - 18);
    assert_eq!(value(fen, Gene::Mobility, "mobility", "held"), 5 + 27 - 5 - 18);
    assert_eq!(value(fen, Gene::Mobility, "mobility", "empty"), 5 + 18 - 5 - 18);
    assert_eq!(value(fen, Gene::Mobility, "mobility", "free"), 5 - 5);
    assert_eq!(value(fen, Gene::Mobility, "mobility", "covered"), 6 - 5);
    assert_eq!(value(fen, Gene::Mobility, "mobility", "without-lion"), 1);
    assert_eq!(value(fen, Gene::Mobility, "mobility", "attacks-held"), 7 + 27 - 5 - 18);
    assert_eq!(value(fen, Gene::Mobility, "mobility", "squares-drops"), 9 - 9);
    // Here the lion can capture a giraffe, which attacks it too: `empty` leaves both out, `moves` does not.
    let check = "1l1/3/1g1/1L1[CGEEc] w 0 1";
    assert_eq!(value(check, Gene::Mobility, "mobility", "empty"), (4 + 27) - (5 + 3 + 9));
    assert_eq!(value(check, Gene::Mobility, "mobility", "moves"), 5 - (5 + 4));
    assert_eq!(value(check, Gene::Check, "check", "attack"), -1);
    assert_eq!(value(check, Gene::Check, "check", "given"), -1);
    assert_eq!(value(check, Gene::Check, "check", "next"), 0);
    assert_eq!(value("1l1/3/1g1/1L1[CGEEc] b 0 1", Gene::Check, "check", "next"), -1);
    // A lion one step from the far rank, whose three squares there are all attacked but one.
    let goal = "g2/1L1/l2/3[CCEEG] w 0 1";
    assert_eq!(value(goal, Gene::Try, "try", "reach"), 1 - 1);
    assert_eq!(value(goal, Gene::Try, "try", "next"), 1);
    assert_eq!(value(goal, Gene::Try, "try", "safe"), 1 - 1);
    assert_eq!(value("gg1/1L1/l2/3[CCEE] w 0 1", Gene::Try, "try", "safe"), -1);
    assert_eq!(
        value("1g1/1Lg/l2/3[CCEE] w 0 1", Gene::Try, "try", "safe"),
        1 - 1,
        "the giraffe on b4 is not guarded"
    );
}

#[test]
fn a_forced_win_is_found_and_told() {
    // The giraffe takes the lion next; after b3b4 nothing can be done about it.
    let position = Position::parse("gle/1C1/3/ELG[C] w 0 1", Rules::Paper).unwrap();
    let report = exact(DobutsuEvaluator::new(Genome::MOBILITY), &position, SearchLimits::depth(6));
    assert_eq!(position.uci(report.best), "b3b4+");
    assert_eq!(report.value.to_string(), "win in 1");
    assert!(report.value > Value::win_in(3) && Value::win_in(3) > Value::points(i32::from(i16::MAX)));
}

#[test]
fn a_time_limit_is_kept() {
    let time = std::time::Duration::from_millis(50);
    let begin = std::time::Instant::now();
    let report = exact(
        DobutsuEvaluator::new(Genome::MOBILITY),
        &Position::start(Rules::Official),
        SearchLimits::time(time),
    );
    assert!(report.depth >= 1);
    // Generous, since the machine may be busy: what counts is that it stops at all.
    assert!(begin.elapsed() < std::time::Duration::from_secs(5));
}

#[test]
fn a_search_through_the_end_is_the_papers_where_no_end_is_near() {
    let evaluator = DobutsuEvaluator::new(Genome::FULL);
    let mut compared = 0;
    for choice in 0..200 {
        let mut position = Position::start(Rules::ALL[choice % 2]);
        for ply in 0..choice % 7 {
            let moves = legal_moves(&position);
            let next = position.play(moves[(choice * 7 + ply * 5) % moves.len()]);
            position = if next.outcome().is_none() { next } else { position };
        }
        for depth in 1..4 {
            let [paper, through] = [Terminal::Paper, Terminal::Through]
                .map(|mode| alphabeta(&position, depth, &evaluator, mode));
            if !ends_within(&position, depth) {
                assert_eq!(paper, through, "{position} at depth {depth}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn a_search_through_the_end_catches_the_other_lion_too() {
    // Either lion can catch the other. Stopping there, the first to catch is a lion ahead; going on, the other side's
    // chick catches back, and the exchange is worth nothing.
    let position = Position::parse("1c1/1l1/1L1/3[CGEGE] w 0 1", Rules::Paper).unwrap();
    let lions_alone = Genome::ZERO.with(Gene::HandLion, 100_000).unwrap();
    let evaluator = DobutsuEvaluator::new(lions_alone);
    let value = |terminal| minimax(&position, 2, &evaluator, terminal).value.to_string();
    assert_eq!(value(Terminal::Paper), "+100.00");
    assert_eq!(value(Terminal::Through), "+0.00");
    assert_eq!(value(Terminal::Exact), "win in 1");
}

#[test]
fn a_side_with_nothing_to_move_ends_even_a_reopened_game() {
    for fen in ["3/1L1/3/3[CCGGEEL] b 0 1", "3/1L1/3/c2[CGGEEL] b 0 1"] {
        let over = Position::parse(fen, Rules::Paper).unwrap().reopened();
        assert!(over.outcome().is_some() && legal_moves(&over).is_empty(), "{fen}");
    }
    let open = Position::parse("3/1L1/3/3[CGGEELc] b 0 1", Rules::Paper).unwrap().reopened();
    assert_eq!((open.outcome(), legal_moves(&open).len()), (None, 11));
}

#[test]
fn a_win_by_leaving_no_move_is_not_overlooked() {
    // The second player's pieces wall each other in: whatever leaves them so wins.
    let walled_in = Position::parse("3/3/ccL/lge[GE] w 0 1 judged", Rules::Official).unwrap();
    // Here every step of the lion is a capture, which opens the wall.
    let opening = Position::parse("GEl/LGE/CC1/3[-] b 0 1", Rules::Paper).unwrap();
    for position in [walled_in, opening] {
        assert_eq!(position.next_move_wins(), None);
        for genome in [Genome::BASE, Genome::FULL] {
            let evaluator = DobutsuEvaluator::new(genome);
            for depth in 1..5 {
                let plain = minimax(&position, depth, &evaluator, Terminal::Exact);
                let fast = alphabeta(&position, depth, &evaluator, Terminal::Exact);
                assert_eq!((fast.value, fast.best), (plain.value, plain.best), "{position} at depth {depth}");
            }
        }
    }
    let evaluator = DobutsuEvaluator::new(Genome::BASE);
    assert_eq!(alphabeta(&walled_in, 3, &evaluator, Terminal::Exact).value, Value::win_in(1));
    assert_eq!(alphabeta(&opening, 1, &evaluator, Terminal::Exact).value.decided_in(), None);
}

#[test]
fn a_kyoto_shogi_player_does_not_wall_itself_in() {
    // A lance is all that counts, and each of three steps of the tokin makes one; but on b2 it leaves the king and both
    // pawns without a move, and the game is lost whatever the first player does.
    let position = kyoto::Position::parse("2K2/5/5/p1+l2/kp3[SSNNL] b 0 1", kyoto::Rules::Capture).unwrap();
    let evaluator = KyotoEvaluator::new(std::array::from_fn(|gene| 1000 * i32::from(gene == 7)));
    for terminal in [Terminal::Paper, Terminal::Exact] {
        let plain = minimax(&position, 2, &evaluator, terminal);
        let texts: Vec<String> = plain.best.iter().map(|m| position.move_text(*m)).collect();
        assert_eq!(texts, ["c2c3-", "c2d2-"], "{terminal}");
        let fast = alphabeta(&position, 2, &evaluator, terminal);
        assert_eq!((fast.value, fast.best), (plain.value, plain.best), "{terminal}");
    }
}

/// What the deep search says of a position, as far as it can be checked by looking at everything.
fn deep_claims_only_what_is_true<G: Game, E: Evaluator<G> + Clone>(position: &G, evaluator: E, depth: u32) {
    let report = selective(evaluator.clone(), &Referee::new(*position), SearchLimits::depth(depth));
    assert!(position.is_legal(report.best), "{position}");
    if let Some(plies) = report.value.decided_in().filter(|plies| *plies <= depth + 1) {
        let exact = alphabeta(position, plies, &evaluator, Terminal::Exact);
        assert_eq!(
            exact.value.decided_in().map(|found| found <= plies),
            Some(true),
            "{position}: {}",
            report.value
        );
        assert_eq!(exact.value > Value::DRAW, report.value > Value::DRAW, "{position}: {}", report.value);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_deep_search_claims_no_win_that_is_none(position in position(), genome in genome(), depth in 1..5u32) {
        deep_claims_only_what_is_true(&position, DobutsuEvaluator::new(genome), depth);
    }

    #[test]
    fn the_deep_search_claims_no_win_that_is_none_in_kyoto(
        position in position_of::<kyoto::Position>(kyoto::Rules::ALL),
        evaluator in kyoto_evaluator(),
        depth in 1..4u32
    ) {
        deep_claims_only_what_is_true(&position, evaluator, depth);
    }

    /// Who is told to go deeper and deeper ends with what the search to that depth finds.
    #[test]
    fn deepening_ends_with_the_plain_search(position in position(), genome in genome(), depth in 1..4u32) {
        let evaluator = DobutsuEvaluator::new(genome);
        for terminal in [Terminal::Paper, Terminal::Exact, Terminal::Through] {
            let mut search = AlphaBeta::new(depth, terminal);
            let mut rounds = Vec::new();
            search.deepen(&position, &evaluator, &SearchLimits::NONE, &mut |info| rounds.push(info.clone()));
            let plain = alphabeta(&position, depth, &evaluator, terminal);
            prop_assert_eq!(search.best(), &plain.best[..]);
            prop_assert_eq!(rounds.last().unwrap().value, plain.value);
            // The next search is a plain one again.
            prop_assert_eq!(search.search(&position, &evaluator), plain.value);
        }
    }
}

/// A won game is not given away by going to and fro, and a lost one is drawn if it can be.
#[test]
fn the_deep_search_knows_what_was_there_before() {
    let start = Position::parse("1l1/3/3/1L1[GGEECC] w 0 1", Rules::Official).unwrap();
    let mut game = Referee::new(start);
    for text in ["b1a1", "b4a4", "a1b1", "a4b4"] {
        let m = game.position().parse_move(text).unwrap();
        game.try_play(m).unwrap();
    }
    let evaluator = DobutsuEvaluator::new(Genome::BASE);
    let report = selective(evaluator, &game, SearchLimits::depth(4));
    assert!(report.value > Value::DRAW, "{}", report.value);
    // The other side would be glad of the same position again.
    let mut losing = game.clone();
    let m = losing.position().parse_move("b1a1").unwrap();
    losing.try_play(m).unwrap();
    let report = selective(evaluator, &losing, SearchLimits::depth(2));
    let back = losing.position().play(report.best);
    assert!(game.positions().contains(&back), "{back}");
}

/// A line of four plies that gives check twice and comes back to where it began, from a random position by these rules.
fn perpetual_check(rules: kyoto::Rules) -> Vec<kyoto::Position> {
    let mut random = stream(28, 3, 0);
    loop {
        let mut position = kyoto::Position::start(rules);
        for _ in 0..60 {
            let next = position.play(position.random_move(&mut random));
            position = if next.outcome().is_none() { next } else { kyoto::Position::start(rules) };
        }
        let after = |position: &kyoto::Position| -> Vec<kyoto::Position> {
            legal_moves(position).into_iter().map(|m| position.play(m)).collect()
        };
        for checked in after(&position).into_iter().filter(kyoto::Position::in_check) {
            for away in after(&checked) {
                for again in after(&away).into_iter().filter(kyoto::Position::in_check) {
                    if let Some(back) = after(&again).into_iter().find(|back| back.key() == position.key()) {
                        return vec![position, checked, away, again, back];
                    }
                }
            }
        }
    }
}

/// The deep search scores a repetition as the rules of the game do, and only if they are in force.
#[test]
fn the_deep_search_knows_what_a_repetition_is_worth() {
    let line = perpetual_check(kyoto::Rules::Legal);
    let value = |limits: Limits| {
        let mut game = Referee::within(line[0], limits);
        for (from, to) in line.iter().zip(&line[1..4]) {
            let m = legal_moves(from).into_iter().find(|m| from.play(*m) == *to).unwrap();
            game.try_play(m).unwrap();
        }
        selective(KyotoEvaluator::new([0; 13]), &game, SearchLimits::depth(1)).value
    };
    let on = Limits::of::<kyoto::Position>();
    assert_eq!(value(on), Value::win_in(1), "who gives perpetual check loses");
    assert_eq!(value(Limits { repetition: false, ..on }).decided_in(), None);
}

/// A round that was cut short is not claimed.
#[test]
fn the_deep_search_says_how_deep_it_has_looked() {
    let position = Position::start(Rules::Official);
    let evaluator = DobutsuEvaluator::new(Genome::FULL);
    let search = |limits| selective(evaluator, &Referee::new(position), limits);
    let whole: Vec<u64> = (1..6).map(|depth| search(SearchLimits::depth(depth)).nodes).collect();
    for nodes in [100, 500, 1000, 2000, 4000] {
        let report = search(SearchLimits { nodes: Some(nodes), ..SearchLimits::depth(5) });
        let done = whole.iter().filter(|needed| **needed < nodes).count();
        assert_eq!(report.depth as usize, done, "{nodes} nodes, {whole:?}");
    }
}
