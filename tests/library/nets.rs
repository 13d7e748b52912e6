//! Networks: gradients against finite differences, training steps against PyTorch, files that read back and files that do not.

use dobutsu_ga::game::{Game, Side, Symmetric, Symmetry, legal_moves};
use dobutsu_ga::games::hasami::dqn::{Dqn, DqnPreset, DqnSettings, Experience, Maximum, Replay};
use dobutsu_ga::games::hasami::net::{INPUTS, Outputs, QNetwork, Seen, seen_move};
use dobutsu_ga::games::hasami::{Bitboard, Move, Position, Rules, Square};
use dobutsu_ga::nets::{Adam, Dropout, Mlp, cross_entropy, dot, squared_error};
use dobutsu_ga::random::stream;

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

/// A loss that uses every output: the sum of their squared distances from a pattern.
fn loss(mlp: &Mlp, inputs: &[f32], dropout: Option<Dropout>) -> (f64, Vec<f32>) {
    let mut random = stream(7, 7, 7);
    let pass = mlp.through_body(inputs.to_vec(), dropout.map(|dropout| (dropout, &mut random)));
    let outputs = mlp.through_head(pass.last());
    let mut sum = 0.0;
    let mut back = Vec::new();
    for (i, output) in outputs.iter().enumerate() {
        let (error, gradient) = squared_error(*output, (i % 5) as f32 * 0.3);
        sum += f64::from(error);
        back.push(gradient);
    }
    (sum, mlp.backward(&pass, &back))
}

#[test]
fn gradients_agree_with_finite_differences() {
    let mut random = stream(1, 2, 3);
    let mlp = Mlp::random(&[6, 9, 8, 7, 5], &mut random);
    let inputs: Vec<f32> = (0..6 * 11).map(|i| ((i * 37 % 19) as f32 - 9.0) / 9.0).collect();
    for dropout in [None, Some(Dropout { layer: 1, share: 0.3 })] {
        let (_, gradients) = loss(&mlp, &inputs, dropout);
        let mut checked = 0;
        for (place, gradient) in gradients.iter().enumerate() {
            let at = |shift: f32| {
                let mut shifted = mlp.clone();
                shifted.numbers[place] += shift;
                loss(&shifted, &inputs, dropout).0
            };
            let slope = (at(3e-4) - at(-3e-4)) / 6e-4;
            // Where a ReLU bends between the two points there is no one slope: such places are few.
            checked += u32::from(near(slope, f64::from(*gradient), 0.02));
        }
        let all = 6 * 9 + 9 * 8 + 8 * 7 + 7 * 5 + 9 + 8 + 7 + 5;
        assert!(checked >= all * 95 / 100, "{checked} of {all}");
    }
}

#[test]
fn losses_agree_with_finite_differences() {
    let outputs = [0.3, -1.2, 2.0, 0.7];
    let target = [0.1, 0.2, 0.6, 0.1];
    let (_, gradient) = cross_entropy(&outputs, &target);
    for place in 0..4 {
        let at = |shift: f32| {
            let mut shifted = outputs;
            shifted[place] += shift;
            f64::from(cross_entropy(&shifted, &target).0)
        };
        assert!(near((at(1e-2) - at(-1e-2)) / 2e-2, f64::from(gradient[place]), 1e-3));
    }
    // Large numbers do not overflow.
    let (loss, gradient) = cross_entropy(&[1000.0, 0.0], &[0.0, 1.0]);
    assert!(loss == 1000.0 && gradient == [1.0, -1.0], "{loss} {gradient:?}");
}

#[test]
fn a_row_is_multiplied_as_a_batch_is() {
    let layer = Mlp::random(&[37, 21], &mut stream(1, 1, 1));
    let inputs: Vec<f32> = (0..37 * 5).map(|i| (i as f32).sin()).collect();
    let together = layer.through_head(&inputs);
    for (row, input) in inputs.chunks(37).enumerate() {
        for (output, alone) in layer.through_head(input).iter().enumerate() {
            assert!(near(f64::from(*alone), f64::from(together[row * 21 + output]), 1e-5));
        }
    }
    let row = &layer.numbers[layer.head().row(3)];
    let plain: f32 = inputs[..37].iter().zip(row).map(|(a, b)| a * b).sum();
    assert!(near(f64::from(dot(&inputs[..37], row)), f64::from(plain), 1e-5));
}

#[test]
fn dropout_leaves_out_its_share_and_keeps_the_mean() {
    let mlp = Mlp::random(&[4, 400, 3], &mut stream(5, 5, 5));
    let inputs = vec![0.5; 4 * 50];
    let mut random = stream(6, 6, 6);
    let dropout = Dropout { layer: 0, share: 0.3 };
    let plain = mlp.through_body(inputs.clone(), None);
    let dropped = mlp.through_body(inputs, Some((dropout, &mut random)));
    let on: Vec<usize> = (0..plain.last().len()).filter(|i| plain.last()[*i] > 0.0).collect();
    let kept = on.iter().filter(|i| dropped.last()[**i] > 0.0).count() as f64 / on.len() as f64;
    assert!((kept - 0.7).abs() < 0.02, "{kept}");
    for i in on {
        let (before, after) = (plain.last()[i], dropped.last()[i]);
        assert!(after == 0.0 || near(f64::from(after), f64::from(before) / 0.7, 1e-5));
    }
}

/// The formula of `pytorch/dqn_step.py`.
fn number(i: u64, seed: u64) -> f64 {
    ((i * 48271 + seed * 16807 + 11) * 69621 % 2_147_483_647) as f64 / 1_073_741_823.5 - 1.0
}

fn formula_network(outputs: Outputs, seed: u64) -> QNetwork {
    let mut mlp = Mlp::zero(&[INPUTS, 128, 128, 128, outputs.count()]);
    for (k, layer) in (0..).zip(&mlp.layers) {
        let bound = 1.0 / (layer.inputs as f64).sqrt();
        for (range, seed) in [(layer.weights(), seed + 2 * k), (layer.bias(), seed + 2 * k + 1)] {
            let formula = (0..).map(|i| (number(i, seed) * bound) as f32);
            mlp.numbers[range].iter_mut().zip(formula).for_each(|(place, number)| *place = number);
        }
    }
    QNetwork { outputs, mlp }
}

fn formula_squares(start: usize, step: usize, not_in: &[usize]) -> Vec<usize> {
    let mut found = Vec::new();
    for k in 0.. {
        let square = (start + k * step) % 81;
        if !found.contains(&square) && !not_in.contains(&square) {
            found.push(square);
        }
        if found.len() == 9 {
            break;
        }
    }
    found
}

fn formula_batch() -> Vec<Experience> {
    let set = |squares: &[usize]| {
        Bitboard::from_bits(squares.iter().fold(0, |bits, square| bits | 1 << square)).unwrap()
    };
    let example = |e: usize| {
        let own = formula_squares(e * 7, 11, &[]);
        let other = formula_squares(e * 5 + 40, 13, &own);
        let from = own[e % 9];
        let to = from / 9 * 9 + (from % 9 + 1 + e % 8) % 9;
        let next_own = formula_squares(e * 3 + 1, 17, &[]);
        let next_other = formula_squares(e * 2 + 30, 19, &next_own);
        Experience {
            board: Seen { own: set(&own), other: set(&other) },
            m: Move { from: Square::ALL[from], to: Square::ALL[to] },
            reward: (10.0 * number(e as u64, 99)) as f32,
            next: Seen { own: set(&next_own), other: set(&next_other) },
            own_next: true,
            done: e.is_multiple_of(7),
        }
    };
    (0..96).map(example).collect()
}

/// Three steps of the whole network of the report: losses and weights are PyTorch's.
#[test]
fn training_steps_agree_with_pytorch() {
    let expected: serde_json::Value = serde_json::from_str(include_str!("../pytorch/dqn_step.json")).unwrap();
    for (outputs, maximum, double) in
        [(Outputs::Pairs, Maximum::All, false), (Outputs::Moves, Maximum::Legal, true)]
    {
        let expected = &expected[outputs.name()];
        // All that the script has, whatever a preset is today.
        let settings = DqnSettings {
            maximum,
            double,
            learning_rate: 0.001,
            learning_rate_end: 0.001,
            discount: 0.99,
            dropout: 0.0,
            ..DqnSettings::preset(DqnPreset::Sound)
        };
        let network = formula_network(outputs, 100);
        let adam = Adam::new(network.mlp.numbers.len());
        let mut learner =
            Dqn::with(&settings, network, formula_network(outputs, 200), adam, Replay::new(1)).unwrap();
        for step in 0..3 {
            let loss = learner.learn(&formula_batch());
            let theirs = expected["losses"][step].as_f64().unwrap();
            assert!(near(loss, theirs, 2e-6), "{outputs}, step {step}: {loss}, PyTorch {theirs}");
        }
        for (k, layer) in learner.network.mlp.layers.iter().enumerate() {
            for (part, range) in [layer.weights(), layer.bias()].into_iter().enumerate() {
                let numbers = &learner.network.mlp.numbers[range];
                let theirs = &expected["weights"][2 * k + part];
                let sum: f64 = numbers.iter().map(|n| f64::from(*n)).sum();
                let squares: f64 = numbers.iter().map(|n| f64::from(*n) * f64::from(*n)).sum();
                assert!(near(sum, theirs["sum"].as_f64().unwrap(), 1e-4), "{outputs} {k} {part}: {sum}");
                assert!(near(squares, theirs["squares"].as_f64().unwrap(), 1e-5), "{outputs} {k} {part}");
                for (i, some) in theirs["some"].as_array().unwrap().iter().enumerate() {
                    let ours = f64::from(numbers[numbers.len() * i / 7]);
                    assert!((ours - some.as_f64().unwrap()).abs() < 2e-6, "{outputs} {k} {part} {i}: {ours}");
                }
            }
        }
        for (experience, sum) in formula_batch().iter().zip(expected["chosen"].as_array().unwrap()) {
            let mlp = &learner.network.mlp;
            let row = mlp.head().row(outputs.number(experience.m));
            let ours: f64 = mlp.numbers[row].iter().map(|n| f64::from(*n)).sum();
            assert!(near(ours, sum.as_f64().unwrap(), 1e-5), "{outputs}: {ours}");
        }
    }
}

#[test]
fn every_legal_move_has_an_output_of_its_own() {
    assert_eq!((Outputs::Moves.count(), Outputs::Pairs.count()), (1296, 14641));
    let mut random = stream(3, 1, 4);
    let mut position = Position::start(Rules::Report);
    while position.outcome().is_none() {
        let side = position.turn();
        for outputs in Outputs::ALL {
            let mut numbers: Vec<usize> =
                legal_moves(&position).into_iter().map(|m| outputs.number(seen_move(m, side))).collect();
            let count = numbers.len();
            numbers.sort_unstable();
            numbers.dedup();
            assert_eq!(numbers.len(), count);
            assert!(numbers.iter().all(|number| *number < outputs.count()));
        }
        position = position.play(position.random_move(&mut random));
    }
}

/// Turned round, the network sees the same board and values the same moves alike.
#[test]
fn both_sides_are_seen_alike() {
    let network = QNetwork::random(&[16, 16], Outputs::Moves, &mut stream(1, 1, 2));
    let mut random = stream(3, 1, 5);
    let mut position = Position::start(Rules::Report);
    for _ in 0..40 {
        let turned = position.transform(Symmetry::Turn);
        let mut values: Vec<(Move, f32)> = network
            .values(&turned)
            .into_iter()
            .map(|(m, value)| (Position::transform_move(m, Symmetry::Turn), value))
            .collect();
        let mut ours = network.values(&position);
        ours.sort_by_key(|(m, _)| *m);
        values.sort_by_key(|(m, _)| *m);
        assert_eq!(ours, values);
        position = position.play(position.random_move(&mut random));
    }
    assert_eq!(Seen::by(&position, Side::First), Seen::by(&position.transform(Symmetry::Turn), Side::Second));
}

#[test]
fn files_read_back_and_bad_ones_say_why() {
    let network = QNetwork::random(&[8, 8], Outputs::Moves, &mut stream(1, 1, 3));
    let bytes = network.to_bytes("a test");
    assert_eq!(QNetwork::from_bytes(&bytes).unwrap(), network);
    assert_eq!(bytes, network.to_bytes("a test"), "the same network, the same bytes");
    let wrong = |bytes: &[u8], words: &str| {
        let error = QNetwork::from_bytes(bytes).expect_err("such a file is no network");
        assert!(error.contains(words), "{error}");
    };
    for length in [0, 7, 100, bytes.len() - 1] {
        wrong(&bytes[..length], "no whole safetensors file");
    }
    wrong(b"not a network at all, but long enough to be one", "no whole safetensors file");
    let replaced = |from: &str, to: &str| {
        // Of equal length, so that the header's length stays right.
        let text = from.len() == to.len();
        assert!(text);
        let at = bytes.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
        [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()
    };
    wrong(&replaced("hasami", "kyotoo"), "it is a network of kyotoo, not of hasami");
    wrong(
        &replaced(r#"version\":2"#, r#"version\":9"#),
        "it has version 9 of the format, this program reads 2",
    );
    wrong(&replaced(r#"outputs\":\"moves"#, r#"outputs\":\"pairs"#), "it has 1296 outputs: pairs need 14641");
    wrong(&replaced("fc2.weight", "fc9.weight"), "it holds more than its layers");
    wrong(&replaced("fc2.bias", "fc9.bias"), "it has no 'fc2.bias'");
    let mut nan = bytes.clone();
    let end = nan.len();
    nan[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    wrong(&nan, "NaN");
}
