//! Networks with two heads: gradients against finite differences, a training step against PyTorch, planes and moves of the games,
//! files that read back and files that do not.

use dobutsu_ga::game::{Game, Side, Symmetry, legal_moves};
use dobutsu_ga::games::{dobutsu, kyoto};
use dobutsu_ga::nets::dual::{
    DualNetwork, Heads, InferenceNetwork, Inputs, Over, Shape, Shard, StepHow, Training,
};
use dobutsu_ga::nets::{Planar, encoded};
use dobutsu_ga::random::stream;

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

/// Positions of games by lot.
fn positions<G: Game>(count: usize, seed: u64) -> Vec<G> {
    let mut random = stream(seed, 2, 3);
    let start = G::start(G::Rules::default());
    let mut position = start;
    let mut all = Vec::new();
    while all.len() < count {
        all.push(position);
        position = position.play(position.random_move(&mut random));
        if position.outcome().is_some() {
            position = start;
        }
    }
    all
}

/// Something to learn from these positions, in shards of this size.
fn shards<G: Planar>(shape: &Shape, positions: &[G], size: usize) -> Vec<Shard> {
    let policy = |position: &G| {
        let moves = legal_moves(position);
        let sum: f32 = (1..=moves.len()).map(|n| n as f32).sum();
        moves.iter().zip(1..).map(|(m, n)| (position.action(*m) as u32, n as f32 / sum)).collect()
    };
    let value = |n: usize| [1.0, -1.0, 0.0, 0.5][n % 4];
    let shard = |part: &[G]| Shard {
        inputs: encoded(shape, part),
        policies: part.iter().map(policy).collect(),
        values: (0..part.len()).map(value).collect(),
    };
    positions.chunks(size).map(shard).collect()
}

#[test]
fn gradients_agree_with_finite_differences() {
    for (heads, over) in [(Heads::Squares, Over::Legal), (Heads::Pooled, Over::All)] {
        let shape = dobutsu::Position::shape(5, 2, heads);
        let batch = shards(&shape, &positions::<dobutsu::Position>(9, 1), 4);
        let training = Training::new(DualNetwork::random(shape, &mut stream(3, 1, 1)));
        let how = StepHow { rate: 0.01, l2: 0.01, over };
        let (_, gradient) = training.gradient(&batch, &how);
        // Layer by layer, so that none hides behind another; the numbers of a layer lie together.
        for part in gradient.chunks(gradient.len() / 8).zip((0..).step_by(gradient.len() / 8)) {
            let (ours, first) = part;
            let (mut far, mut long) = (0.0, 0.0);
            for place in (0..ours.len()).step_by(7) {
                let at = |shift: f32| {
                    let mut shifted = training.clone();
                    shifted.network.numbers[first + place] += shift;
                    let (losses, _) = shifted.gradient(&batch, &how);
                    losses.policy + losses.value + losses.weights
                };
                let slope = (at(1e-3) - at(-1e-3)) / 2e-3;
                // Where a ReLU bends between the two points there is no one slope.
                far += (slope - f64::from(ours[place])).powi(2);
                long += slope * slope;
            }
            assert!(far <= 0.02 * long, "{heads}, from {first} on: {far} of {long}");
        }
    }
}

#[test]
fn a_batch_in_other_shards_or_on_more_threads_teaches_the_same() {
    let shape = kyoto::Position::shape(8, 2, Heads::Squares);
    let all = positions::<kyoto::Position>(48, 1);
    let network = DualNetwork::random(shape, &mut stream(3, 1, 1));
    let how = StepHow { rate: 0.01, l2: 0.001, over: Over::Legal };
    let learned = |size: usize, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut training = Training::new(network.clone());
            for _ in 0..3 {
                training.step(&shards(&shape, &all, size), &how);
            }
            training
        })
    };
    let one = learned(16, 1);
    assert!(one == learned(16, 2) && one == learned(16, 4), "threads do not matter");
    let other = learned(48, 1);
    let far = one.network.numbers.iter().zip(&other.network.numbers).map(|(a, b)| (a - b).abs());
    let far: Vec<f32> = far.collect();
    // Adam makes much of the sign of gradients near nought: a few numbers differ by a step.
    assert!(far.iter().filter(|far| **far > 1e-3).count() * 200 < far.len(), "shards are only a way to work");
    assert!(one != other, "but sums are rounded");
}

#[test]
fn what_plays_agrees_with_what_was_learned_whatever_the_batch() {
    for heads in [Heads::Squares, Heads::Pooled] {
        let shape = kyoto::Position::shape(12, 2, heads);
        let all = positions::<kyoto::Position>(40, 2);
        let mut training = Training::new(DualNetwork::random(shape, &mut stream(3, 1, 1)));
        let how = StepHow { rate: 0.0, l2: 0.0, over: Over::Legal };
        // Without any step only what norms have seen changes: to what this batch is like.
        for _ in 0..200 {
            training.step(&shards(&shape, &all, 40), &how);
        }
        let (losses, _) = training.gradient(&shards(&shape, &all, 40), &how);
        let network = InferenceNetwork::new(&training.network);
        let together = network.evaluate(&encoded(&shape, &all));
        let mut errors = 0.0;
        for (row, position) in all.iter().enumerate() {
            let alone = network.evaluate(&encoded(&shape, &[*position]));
            assert!(near(f64::from(alone.value(0)), f64::from(together.value(row)), 1e-5));
            for m in legal_moves(position) {
                let action = position.action(m);
                let (alone, together) = (alone.logit(0, action), together.logit(row, action));
                assert!(near(f64::from(alone), f64::from(together), 1e-4), "{alone} {together}");
            }
            let target = [1.0, -1.0, 0.0, 0.5][row % 4];
            errors += f64::from(together.value(row) - target).powi(2) / all.len() as f64;
        }
        assert!(near(errors, losses.value, 0.02), "{errors} {}", losses.value);
    }
}

/// The formula of `pytorch/dual_step.py`.
fn numbers(count: usize, bound: f64, seed: u64) -> impl Iterator<Item = f64> {
    (0..count as u64).map(move |i| {
        (((i * 48271 + seed * 16807 + 11) * 69621 % 2_147_483_647) as f64 / 1_073_741_823.5 - 1.0) * bound
    })
}

/// The paper's whole network, 4.9 million numbers.
fn paper_network() -> DualNetwork {
    let shape = kyoto::Position::shape(128, 16, Heads::Pooled);
    let mut network = DualNetwork::random(shape, &mut stream(1, 1, 1));
    let mut all: Vec<f64> = Vec::new();
    for k in 0..33 {
        let inputs = if k == 0 { 34 } else { 128 };
        all.extend(numbers(9 * inputs * 128, (6.0 / (9 * inputs) as f64).sqrt(), 3 * k));
        all.extend(numbers(128, 0.2, 3 * k + 1).map(|n| 1.0 + n));
        all.extend(numbers(128, 0.2, 3 * k + 2));
    }
    all.extend(numbers(128 * 1050, (6.0_f64 / 128.0).sqrt(), 1000));
    all.extend(numbers(1050, 0.1, 1001));
    all.extend(numbers(128, (6.0_f64 / 128.0).sqrt(), 1002));
    all.extend(numbers(1, 0.1, 1003));
    assert_eq!(all.len(), network.numbers.len());
    network.numbers = all.into_iter().map(|n| n as f32).collect();
    let means = (0..33).flat_map(|k| numbers(128, 0.3, 2000 + k));
    let variances = (0..33).flat_map(|k| numbers(128, 0.5, 3000 + k).map(|n| 1.0 + n));
    network.running = means.chain(variances).map(|n| n as f32).collect();
    network
}

const ROWS: usize = 12;

/// Its boards, some of the rows.
fn paper_inputs(shape: &Shape, rows: std::ops::Range<usize>) -> Inputs {
    let mut inputs = Inputs::new(shape, rows.len());
    for (i, n) in numbers(25 * ROWS * 34, 1.0, 4000).enumerate() {
        let (square, row, plane) = (i / (ROWS * 34), i / 34 % ROWS, i % 34);
        if n > 0.5 && rows.contains(&row) {
            inputs.set(row - rows.start, square, plane, 1.0);
        }
    }
    inputs
}

#[test]
fn the_papers_whole_network_agrees_with_pytorch() {
    let expected: serde_json::Value =
        serde_json::from_str(include_str!("../pytorch/dual_step.json")).unwrap();
    let list = |name: &str| -> Vec<f64> {
        expected[name].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
    };
    let within = |tolerance: f64, name: &str, ours: Vec<f64>| {
        let theirs = list(name);
        assert_eq!(ours.len(), theirs.len(), "{name}");
        for (place, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            assert!(near(*ours, *theirs, tolerance), "{name} {place}: ours {ours}, PyTorch's {theirs}");
        }
    };
    let agree = |name: &str, ours: Vec<f64>| within(1e-4, name, ours);
    let network = paper_network();
    let shape = network.shape;
    let valued = InferenceNetwork::new(&network).evaluate(&paper_inputs(&shape, 0..ROWS));
    let outputs = (0..ROWS).flat_map(|row| (0..1050).step_by(97).map(move |action| (row, action)));
    agree("logits", outputs.map(|(row, action)| f64::from(valued.logit(row, action))).collect());
    agree("values", (0..ROWS).map(|row| f64::from(valued.value(row))).collect());
    let shard = |rows: std::ops::Range<usize>| {
        let policy =
            |row: usize| (0..3).map(|k| (((row * 97 + k * 131) % 1050) as u32, [0.5, 0.3, 0.2][k])).collect();
        Shard {
            inputs: paper_inputs(&shape, rows.clone()),
            policies: rows.clone().map(policy).collect(),
            values: rows.map(|row| [1.0, 0.0, -1.0][row % 3]).collect(),
        }
    };
    let batch = [shard(0..5), shard(5..ROWS)];
    let how = StepHow { rate: 0.001, l2: 0.0005, over: Over::All };
    let mut training = Training::new(network);
    let every = |numbers: &[f32], step: usize| numbers.iter().step_by(step).map(|n| f64::from(*n)).collect();
    let (losses, gradient) = training.gradient(&batch, &how);
    agree("losses", vec![losses.policy, losses.value, losses.weights]);
    // Through 33 layers in single precision, where each rounding may open or shut a ReLU; theirs are in double precision.
    within(1e-3, "gradient", every(&gradient, 40009));
    training.step(&batch, &how);
    agree("numbers", every(&training.network.numbers, 40009));
    agree("running", every(&training.network.running, 97));
}

/// Every position looks different, every move has an output of its own, and both sides and both hands see the same.
fn planes_and_moves<G: Planar>(actions: usize) {
    let shape = G::shape(4, 1, Heads::Squares);
    assert_eq!(shape.actions(), actions);
    let seen = |position: &G| format!("{:?}", encoded(&shape, &[*position]));
    for position in positions::<G>(300, 5) {
        let mut outputs: Vec<usize> =
            legal_moves(&position).into_iter().map(|m| position.action(m)).collect();
        assert!(outputs.iter().all(|output| *output < actions));
        let turned = position.transform(Symmetry::Turn);
        assert_eq!(seen(&position), seen(&turned), "who is to move sees itself below");
        for m in legal_moves(&position) {
            assert_eq!(position.action(m), turned.action(G::transform_move(m, Symmetry::Turn)));
            let next = position.play(m);
            assert_ne!(seen(&position), seen(&next));
        }
        outputs.sort_unstable();
        outputs.dedup();
        assert_eq!(outputs.len(), legal_moves(&position).len(), "{position}");
    }
}

#[test]
fn positions_are_planes_and_moves_are_outputs() {
    planes_and_moves::<dobutsu::Position>(132);
    planes_and_moves::<kyoto::Position>(1050);
}

#[test]
fn the_papers_planes_are_in_its_order() {
    // In hand the first player has a pawn (or rook), the second everything else.
    let position = kyoto::Position::parse("2k2/5/5/2P2/2K2[Pssnnll] w 0 1", kyoto::Rules::Capture).unwrap();
    assert_eq!(position.side_to_move(), Side::First);
    let mut set = Vec::new();
    position.planes(&mut |square, plane| set.push((plane, square)));
    let of = |plane: usize| set.iter().filter(|(p, _)| *p == plane).count();
    let single: Vec<(usize, usize)> = set.iter().copied().filter(|(plane, _)| of(*plane) == 1).collect();
    // Own pawn and king, the other king; whole planes for what can be dropped.
    assert_eq!(single, [(0, 17), (8, 22), (25, 2)]);
    let whole: Vec<usize> = (0..34).filter(|plane| of(*plane) == 25).collect();
    assert_eq!(whole, [9, 14, 27, 28, 29, 30, 32, 33]);
}

#[test]
fn a_file_reads_back_and_a_wrong_one_says_why() {
    let shape = dobutsu::Position::shape(6, 2, Heads::Squares);
    let network = DualNetwork::random(shape, &mut stream(3, 1, 1));
    let bytes = network.to_bytes("dobutsu", "made by a test");
    let any = dobutsu::Position::shape(1, 0, Heads::Pooled);
    assert!(DualNetwork::from_bytes(&bytes, "dobutsu", any).unwrap() == network);
    let why = |bytes: &[u8], game: &str, shape| DualNetwork::from_bytes(bytes, game, shape).unwrap_err();
    assert_eq!(why(&bytes, "kyoto", any), "it is a network of dobutsu, not of kyoto");
    assert!(why(&bytes[..bytes.len() / 2], "dobutsu", any).starts_with("it is no whole safetensors file"));
    let other_board = kyoto::Position::shape(1, 0, Heads::Pooled);
    assert!(why(&bytes, "dobutsu", other_board).contains("has the shape"));
    // One bit of a weight, and one letter of what the file says of itself.
    let name = bytes.windows(6).position(|part| part == b"a test").unwrap();
    for place in [bytes.len() - 4, name] {
        let mut bytes = bytes.clone();
        bytes[place] ^= 1;
        assert_eq!(why(&bytes, "dobutsu", any), "it is damaged or was edited: its checksum is another");
    }
    let mut broken = network.clone();
    broken.numbers[7] = f32::NAN;
    assert!(why(&broken.to_bytes("dobutsu", ""), "dobutsu", any).contains("NaN"));
    broken = network.clone();
    *broken.running.last_mut().unwrap() = -1.0;
    assert_eq!(why(&broken.to_bytes("dobutsu", ""), "dobutsu", any), "it has a variance below zero");
    let dqn = include_bytes!("../../results/hasami/champion/network.safetensors");
    assert_eq!(why(dqn, "dobutsu", any), "it is no network of `dobutsu-ga learn alphazero`");
}
