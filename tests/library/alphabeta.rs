//! Alpha-beta finds what minimax finds, value and best moves, in a thousand positions of every game.

use dobutsu_ga::game::{Evaluator, Game, Genome, Side, Variant, Weighted, legal_moves};
use dobutsu_ga::games::{dobutsu, hasami, kyoto, quoridor};
use dobutsu_ga::random::{below, stream};
use dobutsu_ga::search::{Terminal, alphabeta, minimax};

/// Minimax looks at no more leaves than about this, so that the whole takes seconds.
const LEAVES: u64 = 100_000;

/// Compares both searches to depth 4, or as deep as minimax can go. The depth reached.
fn agree<G: Game>(position: &G, evaluator: &impl Evaluator<G>, terminal: Terminal) -> u32 {
    let moves = legal_moves(position).len() as u64;
    let mut leaves = 1;
    for depth in 1..=4 {
        if leaves * moves > LEAVES {
            return depth - 1;
        }
        let plain = minimax(position, depth, evaluator, terminal);
        let fast = alphabeta(position, depth, evaluator, terminal);
        assert_eq!(
            (fast.value, fast.best),
            (plain.value, plain.best),
            "{position}, depth {depth}, terminal {terminal}"
        );
        leaves = plain.leaves;
    }
    4
}

/// The position after up to `plies` random moves, before the game ends.
fn wander<G: Game>(rules: G::Rules, plies: usize, item: u64) -> G {
    let mut random = stream(28, 1, item);
    let mut position = G::start(rules);
    for _ in 0..plies {
        let next = position.play(position.random_move(&mut random));
        if next.outcome().is_some() {
            break;
        }
        position = next;
    }
    position
}

/// A thousand random positions of a game, with each of these genomes in turn. How many were compared to depth 4.
fn a_thousand<G: Weighted>(genomes: &[&str], plies: usize) -> usize {
    let rules = G::Rules::VARIANTS;
    let terminals = [Terminal::Exact, Terminal::Paper];
    (0..1000)
        .filter(|item| {
            let position: G = wander(rules[item % rules.len()], item % plies, *item as u64);
            let genome = Genome::named(genomes[item % genomes.len()]).unwrap();
            agree(&position, &G::evaluator(&genome), terminals[item / 2 % 2]) == 4
        })
        .count()
}

#[test]
fn in_dobutsu_shogi() {
    let deep = a_thousand::<dobutsu::Position>(&["material", "full"], 40);
    assert!(deep > 300, "{deep}");
}

#[test]
fn in_kyoto_shogi() {
    a_thousand::<kyoto::Position>(&["S", "B", "A"], 30);
}

#[test]
fn in_quoridor() {
    // After a hundred random plies most games have no walls left.
    let deep = a_thousand::<quoridor::Position>(&["report", "plain"], 200);
    assert!(deep > 200, "{deep}");
}

/// Nine pieces against six or five, or equal numbers, crowded into a corner so that a side has few moves.
fn crowded(item: u64) -> Option<hasami::Position> {
    let mut random = stream(28, 2, item);
    let (width, height) = ([3, 4, 4, 5][below(&mut random, 4)], 4 + below(&mut random, 2));
    let few = 5 + below(&mut random, 3);
    let many = (few + below(&mut random, 5)).min(9);
    let mut cells = vec!['.'; width * height];
    let signs = if below(&mut random, 2) == 0 { ['p', 'P'] } else { ['P', 'p'] };
    for (sign, count) in signs.into_iter().zip([few, many]) {
        for _ in 0..count {
            let free: Vec<usize> = (0..cells.len()).filter(|cell| cells[*cell] == '.').collect();
            *cells.get_mut(*free.get(below(&mut random, free.len().max(1)))?)? = sign;
        }
    }
    let mut rows: Vec<String> = cells
        .chunks(width)
        .map(|row| {
            let row: String = row.iter().collect();
            format!("{}{}", row.replace('.', "1"), 9 - width)
        })
        .collect();
    rows.resize(9, "9".to_string());
    let turn = if signs[0] == 'P' { "w" } else { "b" };
    let rules = hasami::Rules::ALL[item as usize % hasami::Rules::ALL.len()];
    hasami::Position::parse(&format!("{} {turn}", rows.join("/")), rules)
        .ok()
        .filter(|position| position.outcome().is_none())
}

#[test]
fn in_hasami_shogi() {
    a_thousand::<hasami::Position>(&["report", "pieces"], 200);
}

/// Who does not answer a lead of three loses by his own move, a ply sooner than in the other games.
#[test]
fn in_hasami_shogi_where_a_lead_must_be_answered() {
    let evaluators =
        ["pieces", "report"].map(|name| hasami::Position::evaluator(&Genome::named(name).unwrap()));
    let (mut all, mut pending, mut deep) = (0, 0, 0);
    for position in (0..).filter_map(crowded).take(1000) {
        all += 1;
        pending += usize::from(position.is_lead_pending());
        deep += usize::from(agree(&position, &evaluators[all % 2], Terminal::Exact) == 4);
    }
    assert!(pending > 100 && deep > 100, "{pending} pending, {deep} to depth 4");

    let position = "p2P5/ppppP4/PpP6/PPPP5/9/9/9/9/9 b -";
    let position = hasami::Position::parse(position, hasami::Rules::Report).unwrap();
    assert_eq!(position.side_to_move(), Side::Second);
    let found = alphabeta(&position, 4, &evaluators[0], Terminal::Exact);
    let best: Vec<String> = found.best.iter().map(|m| position.move_text(*m)).collect();
    assert_eq!((found.value.to_string(), best.join(" ")), ("loss in 3".into(), "a9b9 a9c9 b8b9 c8c9".into()));
}
