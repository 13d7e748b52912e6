//! How long the solution takes to read and to ask. Needs the tables that `dobutsu-ga solve` makes.

use std::hint::black_box;
use std::time::Instant;

use dobutsu_ga::game::{Game, legal_moves};
use dobutsu_ga::games::dobutsu::solve::Table;
use dobutsu_ga::games::dobutsu::{Position, Rules};
use dobutsu_ga::random::{pick, stream};

fn main() {
    for rules in Rules::ALL {
        let begin = Instant::now();
        let table = match Table::open(None, rules) {
            Ok(table) => table,
            Err(error) => {
                println!("{rules}: {error}");
                continue;
            }
        };
        println!("{rules}: read and checked in {:.0} ms", begin.elapsed().as_secs_f64() * 1e3);
        let mut random = stream(1, 0, 0);
        let positions: Vec<Position> = (0..1_000_000).map(|_| table.any_position(&mut random)).collect();
        // As in use: every move of every position of a game is looked up.
        let mut around = Vec::new();
        while around.len() < 1_000_000 {
            let mut position = Position::start(rules);
            while !position.is_over() {
                let moves = legal_moves(&position);
                around.extend(moves.iter().map(|m| position.play(*m)));
                position = position.play(pick(&mut random, &moves));
            }
        }
        let begin = Instant::now();
        around.iter().for_each(|position| {
            black_box(table.probe(black_box(position)));
        });
        let each = begin.elapsed().as_secs_f64() * 1e9 / around.len() as f64;
        println!("{rules}: a probe of a move in a game takes {each:.0} ns");
        for round in 1..=3 {
            let begin = Instant::now();
            positions.iter().for_each(|position| {
                black_box(table.probe(black_box(position)));
            });
            let each = begin.elapsed().as_secs_f64() * 1e9 / positions.len() as f64;
            println!("{rules}: a probe of a random position takes {each:.0} ns (round {round})");
        }
    }
}
