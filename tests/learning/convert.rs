//! Networks of version 1 of the format, as an earlier version of this program wrote them.

use crate::common::{Scratch, prints, refuses};

#[test]
fn networks_of_version_1_are_refused_until_they_are_converted() {
    let scratch = Scratch::new("convert");
    for (game, old) in [
        ("dobutsu", &include_bytes!("format1/dobutsu.safetensors")[..]),
        ("hasami", include_bytes!("format1/hasami.safetensors")),
    ] {
        let [path, out, broken] =
            ["old", "new", "broken"].map(|name| scratch.path(&format!("{game}-{name}.safetensors")));
        std::fs::write(&path, old).unwrap();
        let player = format!("net={path}");
        let play = ["match", "--game", game, &player, "random", "--games", "2"];
        refuses(&play, "it has version 1 of the format: `dobutsu-ga convert-network FILE --in-place`");
        prints(&["convert-network", &path, "--out", &out]);
        assert_eq!(std::fs::read(&path).unwrap(), old, "it stays as it was");
        refuses(&["convert-network", &path, "--out", &out], "exists already");
        refuses(&["convert-network", &path], "--in-place");
        refuses(&["convert-network", &path, &path, "--out", &out], "--out takes one FILE");
        prints(&["convert-network", &path, "--in-place"]);
        assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&out).unwrap());
        prints(&play);
        refuses(&["convert-network", &path, "--in-place"], "it has version 2 of the format already");
        let mut damaged = old.to_vec();
        *damaged.last_mut().unwrap() ^= 1;
        std::fs::write(&broken, damaged).unwrap();
        refuses(&["convert-network", &broken, "--in-place"], "its checksum is another");
    }
    refuses(&["convert-network", &scratch.path("nowhere"), "--in-place"], "there is no file");
}

/// A run that an earlier version began is not taken up.
#[test]
fn checkpoints_of_an_earlier_version_are_refused() {
    let scratch = Scratch::new("convert-checkpoint");
    let folder = scratch.path("run");
    let args = ["learn", "dqn", "--hidden", "2", "--episodes", "2", "--batch", "8", "--replay", "80"];
    let args = [&args[..], &["--ply-cap", "60", "--validation-games", "2", "--out", &folder]].concat();
    prints(&args);
    let checkpoint = scratch.0.join("run/learner.safetensors");
    std::fs::write(&checkpoint, include_bytes!("format1/checkpoint.safetensors")).unwrap();
    refuses(&args, "it belongs to another version of this program (--force begins anew)");
}
