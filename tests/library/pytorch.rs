//! The networks that the program carries, against PyTorch: files have its names and order.

use dobutsu_ga::games::hasami::net::{INPUTS, QNetwork};
use dobutsu_ga::games::{dobutsu, hasami, kyoto};
use dobutsu_ga::nets::Planar;
use dobutsu_ga::nets::dual::{DualNetwork, Heads, InferenceNetwork, Inputs};
use dobutsu_ga::players::{Playable, PlayerSpec};

const BOARDS: usize = 3;

/// The formula of `pytorch/load_networks.py`.
fn numbers(seed: u64) -> impl Iterator<Item = f64> {
    (0..).map(move |i| {
        ((i * 48271 + seed * 16807 + 11) * 69621 % 2_147_483_647_u64) as f64 / 1_073_741_823.5 - 1.0
    })
}

fn agree(game: &str, name: &str, ours: &[f32]) {
    let expected: serde_json::Value =
        serde_json::from_str(include_str!("../pytorch/load_networks.json")).unwrap();
    let theirs = expected[game][name].as_array().unwrap();
    assert_eq!(theirs.len(), ours.len(), "{game} {name}");
    for (place, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
        let (ours, theirs) = (f64::from(*ours), theirs.as_f64().unwrap());
        let near = (ours - theirs).abs() <= 1e-4 * (1.0 + theirs.abs());
        assert!(near, "{game} {name} {place}: ours {ours}, PyTorch's {theirs}");
    }
}

fn dual<G: Planar>(file: &[u8], seed: u64) {
    let network = DualNetwork::from_bytes(file, G::NAME, G::shape(1, 0, Heads::default())).unwrap();
    let shape = network.shape;
    let mut inputs = Inputs::new(&shape, BOARDS);
    let count = shape.board.squares() * BOARDS * shape.planes;
    for (i, n) in numbers(seed).take(count).enumerate() {
        let (square, board, plane) =
            (i / (BOARDS * shape.planes), i / shape.planes % BOARDS, i % shape.planes);
        inputs.set(board, square, plane, if n > 0.7 { 1.0 } else { 0.0 });
    }
    let evaluated = InferenceNetwork::new(&network).evaluate(&inputs);
    let actions = || (0..shape.actions()).step_by(7);
    let logits = (0..BOARDS).flat_map(|board| actions().map(move |action| (board, action)));
    let logits: Vec<f32> = logits.map(|(board, action)| evaluated.logit(board, action)).collect();
    agree(G::NAME, "logits", &logits);
    agree(G::NAME, "values", &(0..BOARDS).map(|board| evaluated.value(board)).collect::<Vec<_>>());
}

#[test]
fn networks_say_in_pytorch_what_they_say_here() {
    dual::<dobutsu::Position>(include_bytes!("../../assets/networks/dobutsu.safetensors"), 5000);
    dual::<kyoto::Position>(include_bytes!("../../assets/networks/kyoto.safetensors"), 6000);
    let network = QNetwork::from_bytes(include_bytes!("../../assets/networks/hasami.safetensors")).unwrap();
    let inputs = numbers(7000).take(BOARDS * INPUTS).map(|n| (1.5 * n).trunc() as f32).collect();
    let values = network.mlp.through_head(network.mlp.through_body(inputs, None).last());
    let some = values.chunks(network.outputs.count()).flat_map(|row| row.iter().step_by(37)).copied();
    agree("hasami", "values", &some.collect::<Vec<_>>());
}

/// Committed results name networks by fingerprints that do not depend on the format of files.
#[test]
fn networks_have_the_fingerprints_that_results_name() {
    fn named<G: Playable>(player: &str, results: &str) {
        let player: PlayerSpec<G> = player.parse().unwrap();
        let line = format!("# {player}: {}\n", player.describe());
        assert!(std::fs::read_to_string(results).unwrap().contains(&line), "{line} is not in {results}");
    }
    named::<kyoto::Position>("alphazero:simulations=100", "results/kyoto/table10/run.toml");
    for name in ["listing", "sound"] {
        let player = format!("net=results/hasami/{name}/network.safetensors");
        named::<hasami::Position>(&player, "results/hasami/weaknesses/run.toml");
    }
    named::<hasami::Position>("dqn", "results/hasami/weaknesses/run.toml");
}
