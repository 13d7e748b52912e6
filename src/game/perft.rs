//! Counts move sequences: the one number that tells whether move generation is right, and how fast it is.

use super::Game;
use crate::parallel;

/// The number of sequences of exactly `depth` legal moves; a game that ends sooner adds none.
///
/// ```
/// use dobutsu_ga::game::Game;
/// use dobutsu_ga::game::perft::perft;
/// use dobutsu_ga::games::dobutsu::{Position, Rules};
/// assert_eq!(perft(&Position::start(Rules::Paper), 4), 976);
/// ```
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    count(position, depth, &mut Vec::new())
}

/// One buffer serves the whole tree: each node uses the part behind its parent's moves.
fn count<G: Game>(position: &G, depth: u32, buffer: &mut Vec<G::Move>) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_moves(buffer) as u64,
        _ => {
            let start = buffer.len();
            position.moves(buffer);
            let end = buffer.len();
            let mut total = 0;
            for i in start..end {
                total += count(&position.play(buffer[i]), depth - 1, buffer);
            }
            buffer.truncate(start);
            total
        }
    }
}

/// The same number as [`perft`], counted on all threads of the current rayon pool.
pub fn perft_parallel<G: Game>(position: &G, depth: u32) -> u64 {
    // Three plies down there are enough subtrees to keep every core busy to the end.
    let split = depth.saturating_sub(1).min(3);
    let mut frontier = vec![*position];
    for _ in 0..split {
        frontier = frontier.iter().flat_map(children).collect();
    }
    parallel::map(&frontier, |_, child| perft(child, depth - split)).into_iter().sum()
}

/// For each legal move, the number of sequences of `depth` moves that begin with it, on all threads.
pub fn divide<G: Game>(position: &G, depth: u32) -> Vec<(G::Move, u64)> {
    super::legal_moves(position)
        .into_iter()
        .map(|m| (m, perft_parallel(&position.play(m), depth.saturating_sub(1))))
        .collect()
}

fn children<G: Game>(position: &G) -> Vec<G> {
    super::legal_moves(position).into_iter().map(|m| position.play(m)).collect()
}
