//! The tree of moves: against a plain copy of the paper's rule, and what users rely on.

use std::hash::{DefaultHasher, Hash, Hasher};

use dobutsu_ga::game::{Game, Outcome, Referee, legal_moves};
use dobutsu_ga::games::{dobutsu, kyoto};
use dobutsu_ga::nets::Planar;
use dobutsu_ga::nets::dual::{DualNetwork, Heads, InferenceNetwork};
use dobutsu_ga::random::{gamma, gumbel, normal, stream};
use dobutsu_ga::search::{BatchedEvaluator, Fpu, MctsSettings, Tree, TreePolicy};

/// What somebody thinks of a position who knows nothing but always says the same.
fn opinion<G: Game>(position: &G) -> (Vec<f32>, f32) {
    let number = |salt: usize| {
        let mut hasher = DefaultHasher::new();
        (position, salt).hash(&mut hasher);
        (hasher.finish() >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    let count = legal_moves(position).len();
    ((0..count).map(|n| 2.0 * number(n + 1)).collect(), number(0))
}

fn grown<G: Game>(game: &Referee<G>, settings: MctsSettings) -> Tree<G> {
    let mut tree = Tree::new(game, settings);
    grow(&mut tree);
    tree
}

fn grow<G: Game>(tree: &mut Tree<G>) {
    loop {
        let leaves: Vec<_> = std::iter::from_fn(|| tree.select()).collect();
        if leaves.is_empty() {
            return;
        }
        for leaf in leaves {
            let (logits, value) = opinion(&leaf.position);
            tree.expand(&leaf, &logits, value);
        }
    }
}

/// A node as one would write it down first.
struct Plain<G: Game> {
    game: Referee<G>,
    prior: f32,
    visits: u32,
    total: f32,
    children: Vec<Plain<G>>,
}

impl<G: Game> Plain<G> {
    /// The paper's rule: -w/n of the child (0 if unvisited) + p √t / (1 + n). Returns the value for the side to move.
    fn evaluate(&mut self) -> f32 {
        let value = if let Some(verdict) = self.game.verdict() {
            match verdict.outcome {
                Outcome::Draw => 0.0,
                Outcome::Win(side) if side == self.game.position().side_to_move() => 1.0,
                Outcome::Win(_) => -1.0,
            }
        } else if self.children.is_empty() {
            let (logits, value) = opinion(self.game.position());
            let sum: f32 = logits.iter().map(|logit| logit.exp()).sum();
            for (m, logit) in legal_moves(self.game.position()).into_iter().zip(logits) {
                let mut game = self.game.clone();
                game.play(m);
                let prior = logit.exp() / sum;
                self.children.push(Plain { game, prior, visits: 0, total: 0.0, children: Vec::new() });
            }
            value
        } else {
            let t: u32 = self.children.iter().map(|child| child.visits).sum();
            let score = |child: &Plain<G>| {
                let mean = if child.visits == 0 { 0.0 } else { -child.total / child.visits as f32 };
                mean + child.prior * (t as f32).sqrt() / (1 + child.visits) as f32
            };
            let mut best = 0;
            for number in 1..self.children.len() {
                let (this, that) = (&self.children[number], &self.children[best]);
                // At first all scores are nought: then the likelier move.
                if (score(this), this.prior) > (score(that), that.prior) {
                    best = number;
                }
            }
            -self.children[best].evaluate()
        };
        self.visits += 1;
        self.total += value;
        value
    }
}

fn agrees_with_the_paper<G: Game>() {
    let mut random = stream(1, 2, 3);
    for _ in 0..40 {
        let mut game = Referee::new(G::start(G::Rules::default()));
        for _ in 0..random_plies(&mut random) {
            if game.verdict().is_none() {
                game.play(game.position().random_move(&mut random));
            }
        }
        if game.verdict().is_some() {
            continue;
        }
        let tree = grown(&game, MctsSettings::PAPER);
        let mut plain = Plain { game, prior: 1.0, visits: 0, total: 0.0, children: Vec::new() };
        (0..=MctsSettings::PAPER.simulations).for_each(|_| _ = plain.evaluate());
        let ours: Vec<u32> = tree.tried().iter().map(|tried| tried.visits).collect();
        let theirs: Vec<u32> = plain.children.iter().map(|child| child.visits).collect();
        // Where there is no choice we do not look.
        if ours.len() > 1 {
            assert_eq!(ours, theirs, "{}", plain.game.position());
        }
    }
}

fn random_plies(random: &mut rand_chacha::ChaCha8Rng) -> usize {
    dobutsu_ga::random::below(random, 12)
}

#[test]
fn the_tree_grows_by_the_papers_rule() {
    agrees_with_the_paper::<dobutsu::Position>();
    agrees_with_the_paper::<kyoto::Position>();
}

fn dobutsu(fen: &str) -> Referee<dobutsu::Position> {
    Referee::new(dobutsu::Position::parse(fen, dobutsu::Rules::Paper).unwrap())
}

/// With proofs a win in one is seen, and a move that loses at once is not made while there is another.
#[test]
fn what_is_proven_is_known() {
    // The lion on b3 can be caught by the chick on b2; instead, every other move is worse.
    let game = dobutsu("g1e/1l1/1C1/ELG[C] w 0 1");
    let catch = game.position().parse_move("b2b3").unwrap();
    for tree_policy in [TreePolicy::Puct, TreePolicy::Gumbel] {
        let tree = grown(&game, MctsSettings { tree_policy, simulations: 100, ..MctsSettings::SMALL });
        assert_eq!((tree.best(), tree.value()), (catch, 1.0), "{tree_policy}");
        let tried = tree.tried();
        assert!(tried.iter().map(|tried| tried.visits).sum::<u32>() < 100, "nothing more is to be found out");
        let policy = tree.policy();
        let place = tried.iter().position(|tried| tried.m == catch).unwrap();
        assert!(policy[place] > 0.95, "{tree_policy} {}", policy[place]);
        assert_eq!(tree.draw(1.0, &mut stream(1, 1, 1)), tree.best());
    }
    let without =
        grown(&game, MctsSettings { solver: false, tree_policy: TreePolicy::Puct, ..MctsSettings::SMALL });
    assert!(without.tried().iter().map(|tried| tried.visits).sum::<u32>() == MctsSettings::SMALL.simulations);
    // Now the other side is to move and its lion hangs: some moves save it.
    let game = dobutsu("g1e/1l1/1C1/ELG[C] b 0 1");
    for tree_policy in [TreePolicy::Puct, TreePolicy::Gumbel] {
        let tree = grown(&game, MctsSettings { tree_policy, simulations: 300, ..MctsSettings::SMALL });
        let next = game.position().play(tree.best());
        let caught = legal_moves(&next).into_iter().any(|m| next.play(m).outcome().is_some());
        assert!(next.outcome().is_some() || !caught, "{tree_policy}: {next}");
    }
}

#[test]
fn what_was_found_is_kept_for_the_next_move() {
    let game = Referee::new(kyoto::Position::start(kyoto::Rules::Capture));
    let settings = MctsSettings { tree_policy: TreePolicy::Puct, simulations: 60, ..MctsSettings::SMALL };
    let mut tree = grown(&game, settings);
    let m = tree.best();
    let visits = tree.tried().iter().find(|tried| tried.m == m).unwrap().visits;
    tree.advance(m);
    let before: u32 = tree.tried().iter().map(|tried| tried.visits).sum();
    // The first visit evaluated the position itself.
    assert_eq!(before, visits - 1);
    grow(&mut tree);
    let after: u32 = tree.tried().iter().map(|tried| tried.visits).sum();
    assert_eq!(after, before + 60);
    assert_eq!(tree.game().moves(), [m]);
    // A move that was never looked at begins a new tree.
    let never = tree.tried().iter().find(|tried| tried.visits == 0).map(|tried| tried.m);
    if let Some(m) = never {
        tree.advance(m);
        grow(&mut tree);
        assert_eq!(tree.tried().iter().map(|tried| tried.visits).sum::<u32>(), 60);
    }
}

#[test]
fn however_many_wait_as_many_are_tried() {
    let game = Referee::new(kyoto::Position::start(kyoto::Rules::Capture));
    for leaf_batch in [1, 4, 16] {
        for tree_policy in [TreePolicy::Puct, TreePolicy::Gumbel] {
            let settings = MctsSettings {
                tree_policy,
                leaf_batch,
                simulations: 50,
                solver: false,
                ..MctsSettings::SMALL
            };
            let tree = grown(&game, settings);
            let tried: u32 = tree.tried().iter().map(|tried| tried.visits).sum();
            assert_eq!(tried, 50, "{tree_policy} {leaf_batch}");
            assert!((tree.policy().iter().sum::<f32>() - 1.0).abs() < 1e-4);
        }
    }
}

/// A fourth (third) time is a draw, wherever the first times were.
#[test]
fn the_tree_knows_the_history() {
    let mut game = Referee::new(dobutsu::Position::start(dobutsu::Rules::Paper));
    for text in ["c1c2", "a4a3", "c2c1", "a3a4", "c1c2", "a4a3", "c2c1"] {
        game.play(game.position().parse_move(text).unwrap());
    }
    let tree = grown(&game, MctsSettings { simulations: 200, fpu: Fpu::Zero, ..MctsSettings::PAPER });
    let draw = game.position().parse_move("a3a4").unwrap();
    let drawn = tree.tried().into_iter().find(|tried| tried.m == draw).unwrap();
    assert!(drawn.visits > 0 && drawn.value == Some(0.0), "{drawn:?}");
}

#[test]
fn gumbels_candidates_are_halved() {
    let game = Referee::new(kyoto::Position::start(kyoto::Rules::Capture));
    let settings = MctsSettings { simulations: 32, candidates: 8, solver: false, ..MctsSettings::SMALL };
    let mut tree = Tree::new(&game, settings);
    let leaf = tree.select().unwrap();
    let (logits, value) = opinion(&leaf.position);
    tree.expand(&leaf, &logits, value);
    tree.add_noise(0.25, 0.3, &mut stream(5, 6, 7));
    grow(&mut tree);
    let mut visits: Vec<u32> = tree.tried().iter().map(|tried| tried.visits).collect();
    visits.sort_unstable_by(|a, b| b.cmp(a));
    // Eight, then four, then two, each round with a third of the simulations.
    assert_eq!(visits[..8].iter().sum::<u32>(), 32, "{visits:?}");
    assert!(visits[7] > 0 && visits[8..].iter().all(|visits| *visits == 0), "{visits:?}");
    assert!(visits[1] > visits[2] && visits[3] > visits[4], "{visits:?}");
}

/// Means and variances of textbooks, over a hundred thousand numbers each.
#[test]
fn chance_is_distributed_as_it_should_be() {
    let mut random = stream(1, 2, 3);
    let mut moments = |draw: &mut dyn FnMut(&mut rand_chacha::ChaCha8Rng) -> f64| {
        let drawn: Vec<f64> = (0..100_000).map(|_| draw(&mut random)).collect();
        let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
        (mean, drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / drawn.len() as f64)
    };
    let mut near = |draw: &mut dyn FnMut(&mut rand_chacha::ChaCha8Rng) -> f64, mean: f64, variance: f64| {
        let (ours, wide) = moments(draw);
        assert!((ours - mean).abs() < 0.02 && (wide - variance).abs() < 0.05 * variance, "{ours} {wide}");
    };
    near(&mut normal, 0.0, 1.0);
    near(&mut |random| f64::from(gumbel(random)), 0.5772, 1.6449);
    for shape in [0.3, 1.0, 2.5] {
        near(&mut |random| gamma(shape, random), shape, shape);
    }
}

/// Moves are drawn as often as they were tried; at temperature 0 the most tried one; noise changes what is tried.
#[test]
fn lots_follow_visits_and_noise_changes_them() {
    let game = Referee::new(kyoto::Position::start(kyoto::Rules::Capture));
    let settings = MctsSettings { solver: false, ..MctsSettings::PAPER };
    let tree = grown(&game, settings);
    let mut random = stream(4, 5, 6);
    let most = tree.tried().into_iter().max_by_key(|tried| tried.visits).unwrap().m;
    assert_eq!((tree.best(), tree.draw(0.0, &mut random)), (most, most));
    let drawn: Vec<_> = (0..20_000).map(|_| tree.draw(1.0, &mut random)).collect();
    for tried in tree.tried() {
        let share = drawn.iter().filter(|m| **m == tried.m).count() as f64 / drawn.len() as f64;
        assert!((share - f64::from(tried.visits) / 100.0).abs() < 0.015, "{tried:?}: {share}");
    }
    let mut noisy = Tree::new(&game, settings);
    let leaf = noisy.select().unwrap();
    let (logits, value) = opinion(&leaf.position);
    noisy.expand(&leaf, &logits, value);
    noisy.add_noise(0.5, 0.3, &mut random);
    let priors: f32 = noisy.tried().iter().map(|tried| tried.prior).sum();
    assert!((priors - 1.0).abs() < 1e-4, "a policy stays one");
    grow(&mut noisy);
    assert_ne!(noisy.policy(), tree.policy());
}

/// A network remembers what it evaluated, is not asked twice about a position, and a root that it remembers waits for its noise.
#[test]
fn a_network_is_asked_once() {
    let game = Referee::new(dobutsu::Position::start(dobutsu::Rules::Paper));
    let shape = dobutsu::Position::shape(4, 1, Heads::Squares);
    let network = InferenceNetwork::new(&DualNetwork::random(shape, &mut stream(1, 1, 1)));
    let settings = MctsSettings { simulations: 30, ..MctsSettings::PAPER };
    let mut evaluator = BatchedEvaluator::new(&network);
    let mut trees = [Tree::new(&game, settings), Tree::new(&game, settings)];
    let [one, other] = &mut trees;
    while evaluator.round(&mut [one, other]) {}
    assert_eq!(one.policy(), other.policy());
    let evaluated = evaluator.positions;
    assert!(evaluated <= 31, "two trees that are alike need no more than one: {evaluated}");
    let mut again = Tree::new(&game, settings);
    assert!(evaluator.round(&mut [&mut again]) && again.is_evaluated());
    assert!(again.tried().iter().all(|tried| tried.visits == 0), "now is the time for noise");
    while evaluator.round(&mut [&mut again]) {}
    assert_eq!((evaluator.positions, again.policy()), (evaluated, one.policy()));
}
