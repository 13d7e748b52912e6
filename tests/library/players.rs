//! Names of players and genome files: what is wrong with them is said in a sentence.

use dobutsu_ga::games::dobutsu::Position;
use dobutsu_ga::games::dobutsu::eval::{Gene, Genome};
use dobutsu_ga::players::PlayerSpec;

#[test]
fn good_names_are_understood() {
    for name in [
        "random",
        "material",
        "material:depth=2",
        "mobility:depth=2:mobility=held",
        "full:depth=3:check=given:try=safe:check-for=own:terminal=exact",
        "strong",
        "strong:time=200ms",
        "strong:time=1.5s:mobility=moves",
        "strong:depth=4",
        "perfect",
        "perfect:table=some.table",
        "perfect:slips=0.1",
        "material:depth=1:slips=1:sees=0.25",
        "strong:depth=4:slips=0.05",
        "table5:terminal=exact",
        "full:depth=3:terminal=through",
        "material:terminal=through:evaluate=path",
        "robust-full:depth=3",
        "fitted",
        "quiet:depth=3",
        "engine=fairy-stockfish:variant=dobutsu:depth=6",
        "engine=./mine --a:b c:time=100ms:option.Skill Level=3",
    ] {
        assert_eq!(name.parse::<PlayerSpec<Position>>().unwrap().to_string(), name);
    }
}

#[test]
fn bad_names_are_explained() {
    for (name, sentence) in [
        ("", "there is no player ''"),
        (
            "Material",
            "there is no player 'Material': choose random, material, mobility, full, table5, table7, table8, robust",
        ),
        ("random:depth=2", "has no option 'depth': it takes none"),
        ("perfect:depth=2", "has no option 'depth': it takes table"),
        ("random:slips=0.5", "has no option 'slips': it takes none"),
        ("material:slips=2", "the option 'slips' of the player 'material:slips=2' must be from 0 to 1"),
        ("strong:depth=2:slips=-0.1", "must be from 0 to 1"),
        ("perfect:slips=nan", "must be from 0 to 1"),
        ("perfect:slips", "must be from 0 to 1"),
        (
            "material:slips=1:sees=half",
            "the option 'sees' of the player 'material:slips=1:sees=half' must be from 0 to 1",
        ),
        ("material:sees=0.5", "must be left out where slips is 0"),
        ("material:depth=0", "the option 'depth' of the player 'material:depth=0' must be from 1 to 10"),
        ("material:depth=99", "must be from 1 to 10"),
        ("material:depth=two", "must be from 1 to 10"),
        ("material:depth", "must be from 1 to 10"),
        ("material:depth=2:depth=3", "gives the option 'depth' twice"),
        ("material:time=1s", "has no option 'time'"),
        ("material:terminal=mate", "must be paper, exact or through"),
        ("full:mobility=much", "there is no mobility reading 'much': choose empty, moves, attacks"),
        ("strong:time=1", "must be from 1ms to 3600s"),
        ("strong:time=-1s", "must be from 1ms to 3600s"),
        ("strong:time=nans", "must be from 1ms to 3600s"),
        ("strong:depth=3:time=1s", "a depth or a time, not both"),
        ("genome=nowhere.toml", "the genome file 'nowhere.toml' cannot be used: No such file"),
    ] {
        let error = name.parse::<PlayerSpec<Position>>().unwrap_err().to_string();
        assert!(error.contains(sentence), "{name}: {error}");
    }
}

#[test]
fn genome_files_read_back_and_bad_ones_are_explained() {
    let genome = Genome::FULL.with(Gene::HandChick, 1_125).unwrap();
    let text = genome.to_toml();
    assert_eq!(Genome::from_toml(&text).unwrap(), genome);
    assert!(text.contains("chick = 1.125\n"), "{text}");
    for (from, to, sentence) in [
        ("hen = 8\n", "", "board.hen is missing"),
        ("hen = 8\n", "hen = 8\nfox = 1\n", "'board.fox' is no gene"),
        ("hen = 8\n", "hen = -8\n", "board.hen is -8: a gene must be from 0 to 10000"),
        ("hen = 8\n", "hen = nan\n", "board.hen is NaN: a gene must be"),
        ("hen = 8\n", "hen = inf\n", "board.hen is inf: a gene must be"),
        ("hen = 8\n", "hen = 10000.001\n", "a gene must be from 0 to 10000"),
        ("hen = 8\n", "hen = 1.0001\n", "at most three decimals"),
        ("hen = 8\n", "hen = \"8\"\n", "board.hen is not a number"),
        ("[board]", "[bored]", "'bored.chick' is no gene"),
        ("[board]", "[board", "it is not TOML"),
        ("check = \"next\"", "check = \"mate\"", "there is no check reading 'mate'"),
        ("check = \"next\"", "check = 3", "there is no check reading '3'"),
        ("check = \"next\"", "mate = \"next\"", "'readings.mate' is no reading: there are mobility"),
    ] {
        assert!(text.contains(from), "{from} is not in the file");
        let error = Genome::from_toml(&text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(sentence), "{to}: {error}");
    }
}
