//! Players that slip, and the levels of each game that are made of them.

use crate::common::{Scratch, assert_same, command, contents, prints, refuses};
use dobutsu_ga::arena::{Conditions, match_pairing, play_all};
use dobutsu_ga::game::{Game, Referee};
use dobutsu_ga::games::{dobutsu, hasami, kyoto, quoridor};
use dobutsu_ga::players::{Effort, Playable, PlayerSpec, WITHIN};
use dobutsu_ga::random::stream;
use dobutsu_ga::search::SearchLimits;

fn player<G: Playable>(text: &str) -> PlayerSpec<G> {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The moves of some games between two players.
fn games<G: Playable>(players: [&str; 2], rules: G::Rules) -> Vec<Vec<G::Move>> {
    let conditions = Conditions::new(rules, 5);
    let played = play_all(&players.map(player::<G>), &match_pairing(6), &conditions, &|| ());
    played.into_iter().map(|game| game.moves).collect()
}

#[test]
fn who_never_slips_draws_no_lots_about_it() {
    let rules = dobutsu::Rules::Official;
    let plain = games::<dobutsu::Position>(["material:depth=2", "mobility:depth=1"], rules);
    assert_eq!(
        plain,
        games::<dobutsu::Position>(["material:depth=2:slips=0", "mobility:depth=1:slips=0"], rules)
    );
    assert_ne!(plain, games::<dobutsu::Position>(["material:depth=2:slips=0.5", "mobility:depth=1"], rules));
}

#[test]
fn a_slip_is_part_of_what_a_player_is() {
    let spec = player::<dobutsu::Position>("strong:depth=4:slips=0.25");
    assert_eq!(spec.effort(), Effort::Depth(4));
    assert!(spec.describe().starts_with("slips=0.25 sees=0.5 "), "{}", spec.describe());
    assert!(!player::<dobutsu::Position>("strong:depth=4:slips=0").describe().contains("slips"));
    let deeper = player::<dobutsu::Position>("material:slips=0.25").at_depth(3).unwrap();
    assert!(deeper.describe().starts_with("slips=0.25 sees=0.5 depth=3 "), "{}", deeper.describe());
    let help = dobutsu_ga::players::help::<dobutsu::Position>();
    assert!(help.contains("  slips=P ") && help.contains("  sees=P "), "{help}");
}

#[test]
fn a_glance_never_overlooks_a_win_at_once_and_never_asks_for_the_answer() {
    // The chick can catch the lion.
    let catch = dobutsu::Position::start(dobutsu::Rules::Official);
    let catch =
        ["b2b3", "a4a3"].iter().fold(catch, |position, m| position.play(position.parse_move(m).unwrap()));
    let mut blind = player::<dobutsu::Position>("material:depth=6:slips=1:sees=0").build();
    let mut all = player::<dobutsu::Position>("material:depth=6:slips=1:sees=1").build();
    for game in 0..50 {
        let mut random = stream(1, 0, game);
        let chosen =
            blind.choose(&Referee::new(catch), &mut random, &SearchLimits::NONE, &mut |_| ()).unwrap();
        assert_eq!(catch.move_text(chosen), "b3b4+");
        // At the start it sees that a chick can be taken, and not that the chick will be taken back.
        let start = dobutsu::Position::start(dobutsu::Rules::Official);
        let chosen = all.choose(&Referee::new(start), &mut random, &SearchLimits::NONE, &mut |_| ()).unwrap();
        assert_eq!(start.move_text(chosen), "b2b3");
    }
}

/// Eight to ten different ones, of which each goes by depth.
fn levels_are_sound<G: Playable>() {
    let levels = G::OFFER.levels;
    assert!((8..=10).contains(&levels.len()), "{}: {}", G::NAME, levels.len());
    for (at, level) in levels.iter().enumerate() {
        assert!(
            levels[..at].iter().all(|other| other.key != level.key && other.player != level.player),
            "{level}"
        );
        let spec = player::<G>(level.player);
        match spec.effort() {
            Effort::Depth(_) => {}
            Effort::None => assert!(level.player.starts_with("perfect"), "{level}"),
            other => panic!("{level}: {other:?}"),
        }
    }
    let last = levels.last().unwrap();
    assert_eq!(player::<G>(last.player).blunders().rate, 0.0, "the last level does not slip");
}

#[test]
fn levels_go_by_depth() {
    levels_are_sound::<dobutsu::Position>();
    levels_are_sound::<kyoto::Position>();
    levels_are_sound::<quoridor::Position>();
    levels_are_sound::<hasami::Position>();
    assert_eq!(dobutsu_ga::games::GameName::ALL.len(), 4, "another game: its levels belong here");
}

/// The table in the repository is about these levels, and says of each step what the ladder promises.
fn the_table_holds<G: Playable>(folder: &str) {
    let read = |name: &str| std::fs::read_to_string(format!("{folder}/{name}")).unwrap();
    let csv = read("ladder.csv");
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let column = |row: usize, name: &str| rows[row][rows[0].iter().position(|head| *head == name).unwrap()];
    assert_eq!(rows.len(), G::OFFER.levels.len(), "{folder}: a row for each step, and the header");
    for (row, pair) in (1..).zip(G::OFFER.levels.windows(2)) {
        assert_eq!([column(row, "level"), column(row, "below")], [pair[1].key, pair[0].key], "{folder}");
        assert_eq!(
            [column(row, "player"), column(row, "against")],
            [pair[1].player, pair[0].player],
            "{folder}"
        );
        assert_eq!(column(row, "games"), "400", "{folder}");
        let score: f64 = column(row, "score").parse().unwrap();
        assert!(WITHIN.contains(&score), "{folder}: {} scores {score} against {}", pair[1], pair[0]);
        let different: usize = column(row, "different").parse().unwrap();
        // Players that slip draw lots: a game that comes again is one that is likely.
        assert!(different >= 100, "{folder}: only {different} games of {} differ", pair[1]);
    }
    let rules = format!("rules = \"{}\"\n", G::OFFER.ladder_rules.unwrap_or_default());
    assert!(read("run.toml").contains(&rules) && read("run.toml").contains("command = \"ladder\""));
}

#[test]
fn the_committed_tables_hold() {
    the_table_holds::<dobutsu::Position>("results/ladder");
    the_table_holds::<kyoto::Position>("results/kyoto/ladder");
    the_table_holds::<quoridor::Position>("results/quoridor/ladder");
    the_table_holds::<hasami::Position>("results/hasami/ladder");
}

#[test]
fn the_command_makes_the_table_on_any_number_of_threads_and_overwrites_nothing() {
    let scratch = Scratch::new("ladder");
    let ladder = |games: &str, threads: &str, out: &str| {
        // A table that the user may have is not ours to test with.
        let args = ["ladder", "--games", games, "--threads", threads, "--out", out];
        command(&args).env("DOBUTSU_GA_TABLE", scratch.path("none.table")).output().unwrap()
    };
    let (one, two) = (scratch.path("one"), scratch.path("two"));
    let output = ladder("2", "1", &one);
    assert!(output.status.success(), "{output:?}");
    let (told, text) = (String::from_utf8(output.stderr).unwrap(), String::from_utf8(output.stdout).unwrap());
    assert!(told.contains("Lion · Perfect is left out: the player perfect needs the solution"), "{told}");
    assert!(
        text.contains("official rules") && text.contains("Hen · Easy") && text.contains("written to"),
        "{text}"
    );
    // The columns line up: each player stands below the word.
    let rows: Vec<Vec<char>> =
        text.lines().skip(2).take_while(|line| !line.is_empty()).map(|line| line.chars().collect()).collect();
    let header: String = rows[0].iter().collect();
    let at = header.find("player").unwrap();
    assert_eq!(
        rows.len(),
        dobutsu::Position::OFFER.levels.iter().filter(|level| !level.player.starts_with("perfect")).count()
    );
    assert!(rows[1..].iter().all(|row| row[at] != ' ' && row[at - 1] == ' '), "{text}");
    assert!(ladder("2", "2", &two).status.success());
    assert_same(&contents(&one), &contents(&two), "one and two threads");
    assert_eq!(contents(&one).keys().filter(|name| !name.starts_with('.')).count(), 3);
    let again = String::from_utf8(ladder("2", "2", &one).stdout).unwrap();
    assert!(again.contains("came out again, byte for byte"), "{again}");
    let other = ladder("4", "1", &one);
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("holds results of other settings"));
    assert_same(&contents(&one), &contents(&two), "one and two threads");
    refuses(&["ladder", "--games", "3"], "must be even");
    refuses(&["ladder", "--rules", "house"], "there is no rule set 'house'");
    assert!(prints(&["ladder", "--help"]).contains("70 to 80 %"));
}
