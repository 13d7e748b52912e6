//! How a network learned: rewards and wins over the games it played.

use std::fmt::Write;

use super::picture::{self, Corner, Line, Panel, png};
use super::words::Language;
use crate::games::Side;
use crate::learn::dqn::EpisodeRow;

/// The first line of `learning.csv`.
pub const LEARNING_HEADER: &str = "episode,stage,side,epsilon,score,plies,reward,loss\n";

/// The table of a run, with all digits, so that it can be read back.
pub fn learning_csv(rows: &[EpisodeRow]) -> String {
    let mut text = LEARNING_HEADER.to_string();
    for EpisodeRow { episode, stage, side, epsilon, score, plies, reward, loss } in rows {
        let _ = writeln!(text, "{episode},{stage},{side},{epsilon},{score},{plies},{reward},{loss}");
    }
    text
}

/// Reads it back; `None` if it is not whole.
pub fn read_learning(text: &str) -> Option<Vec<EpisodeRow>> {
    let rows = text.strip_prefix(LEARNING_HEADER)?;
    let row = |(number, line): (u32, &str)| {
        let &[episode, stage, side, epsilon, score, plies, reward, loss] =
            line.split(',').collect::<Vec<_>>().as_slice()
        else {
            return None;
        };
        let row = EpisodeRow {
            episode: episode.parse().ok()?,
            stage: stage.parse().ok()?,
            side: side.parse::<Side>().ok()?,
            epsilon: epsilon.parse().ok()?,
            score: score.parse().ok()?,
            plies: plies.parse().ok()?,
            reward: reward.parse().ok()?,
            loss: loss.parse().ok()?,
        };
        (row.episode == number).then_some(row)
    };
    (1..).zip(rows.lines()).map(row).collect()
}

/// Means over a block of games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// The last game of the block.
    pub episode: u32,
    /// Points per game.
    pub score: f64,
    /// Rewards per game.
    pub reward: f64,
    /// Plies per game.
    pub plies: f64,
    /// The mean squared error.
    pub loss: f64,
    /// How often a move was drawn by lot.
    pub epsilon: f64,
    /// Points per game since the beginning, as the report draws them.
    pub so_far: f64,
}

/// The games in so many blocks, as equal as they can be.
pub fn blocks(rows: &[EpisodeRow], count: usize) -> Vec<Block> {
    let size = rows.len().div_ceil(count).max(1);
    let mut points = 0.0;
    let block = |part: &[EpisodeRow]| {
        let mean = |value: fn(&EpisodeRow) -> f64| part.iter().map(value).sum::<f64>() / part.len() as f64;
        points += part.iter().map(|row| row.score).sum::<f64>();
        let episode = part.last().map_or(0, |row| row.episode);
        Block {
            episode,
            score: mean(|row| row.score),
            reward: mean(|row| row.reward),
            plies: mean(|row| row.plies as f64),
            loss: mean(|row| row.loss),
            epsilon: mean(|row| row.epsilon),
            so_far: points / f64::from(episode),
        }
    };
    rows.chunks(size).map(block).collect()
}

/// How many blocks a picture shows.
pub(super) const BLOCKS: usize = 100;

/// Two panels: rewards and wins over the games, as in the report.
pub fn learning_picture(rows: &[EpisodeRow], language: Language) -> Vec<u8> {
    let blocks = blocks(rows, BLOCKS);
    let line = |value: fn(&Block) -> f64| -> Vec<(f64, f64)> {
        blocks.iter().map(|block| (f64::from(block.episode), value(block))).collect()
    };
    let words = match language {
        Language::En => ["Reward a game", "game", "reward", "Score", "of 1", "lately", "so far", "by lot"],
        Language::Ja => ["1局の点数", "局", "点数", "勝率", "勝率", "このごろ", "これまで", "乱数の手の割合"],
    };
    let [reward_title, x, reward, score_title, score, lately, so_far, by_lot] = words;
    two_panels(
        [reward_title, score_title],
        [(x, reward), (x, score)],
        [
            vec![Line::solid(lately, picture::BLUE, line(|block| block.reward))],
            vec![
                Line::solid(lately, picture::GREEN, line(|block| block.score)),
                Line::dashed(so_far, picture::BLUE, line(|block| block.so_far)),
                Line::dashed(by_lot, picture::ORANGE, line(|block| block.epsilon)),
            ],
        ],
        rows.len(),
    )
}

/// Rewards at the left, scores at the right.
pub(super) fn two_panels(
    titles: [&str; 2],
    axes: [(&'static str, &'static str); 2],
    lines: [Vec<Line>; 2],
    episodes: usize,
) -> Vec<u8> {
    let [rewards, scores] = lines;
    let all = rewards.iter().flat_map(Line::heights);
    let (low, high) = all.fold((0.0, 1.0), |(low, high): (f64, f64), y| (low.min(y), high.max(y)));
    let room = 0.05 * (high - low);
    let last = episodes.max(1) as f64;
    png(1500, 620, |area| {
        let (left, right) = area.split_horizontally(750);
        let panel = |number: usize, y: std::ops::Range<f64>| Panel {
            title: titles[number].to_string(),
            x: (axes[number].0, 0.0..last),
            y: (axes[number].1, y),
            font: 22.0,
        };
        panel(0, low - room..high + room).draw_with_legend(&left, &rewards, &[], &[], Corner::LowerRight);
        panel(1, 0.0..1.02).draw_with_legend(&right, &scores, &[], &[], Corner::LowerRight);
    })
}
