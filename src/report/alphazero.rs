//! How a learner that plays itself went on, cycle by cycle.

use std::fmt::Write;

use super::duels::csv_field;
use super::picture::{self, Corner, Line, Panel, png};
use crate::learn::alphazero::{AlphaZeroSettings, CycleRow, Share};

/// The table of a run: a line for each cycle. What could not be measured is empty.
pub fn cycles_csv(settings: &AlphaZeroSettings, rows: &[CycleRow]) -> String {
    let mut text = String::from(
        "cycle,games,plies,first_wins,draws,second_wins,batches,policy_loss,value_loss,gate,replaced,careless,careless_of,policy_keeps,tree_keeps,keeps_of,value_right,tree_value_right,right_of",
    );
    for opponent in &settings.opponents {
        let name = csv_field(&format!("score against {opponent}"));
        let _ = write!(text, ",{name}");
    }
    text.push('\n');
    for row in rows {
        let CycleRow {
            cycle,
            games,
            plies,
            ended: [first, draws, second],
            batches,
            policy_loss,
            value_loss,
            ..
        } = row;
        let gate = row.gate.map(|gate| format!("{gate:.4}")).unwrap_or_default();
        let m = &row.measured;
        let share = |share: &Share| share.share().map(|share| format!("{share:.4}")).unwrap_or_default();
        let _ = write!(
            text,
            "{cycle},{games},{plies},{first},{draws},{second},{batches},{policy_loss:.4},{value_loss:.4},{gate},{},{},{},{},{},{},{},{},{}",
            u8::from(row.replaced),
            share(&m.careless),
            m.careless.of,
            share(&m.policy_keeps),
            share(&m.tree_keeps),
            m.tree_keeps.of,
            share(&m.value_right),
            share(&m.tree_value_right),
            m.value_right.of,
        );
        for number in 0..settings.opponents.len() {
            let score =
                m.against.get(number).map(score).map(|score| format!("{score:.4}")).unwrap_or_default();
            let _ = write!(text, ",{score}");
        }
        text.push('\n');
    }
    text
}

/// Points a game.
fn score([wins, draws, losses]: &[u64; 3]) -> f64 {
    (*wins as f64 + 0.5 * *draws as f64) / (wins + draws + losses).max(1) as f64
}

/// Two panels: losses at the left; at the right strength, and what the solved game says where there is one.
pub fn cycles_picture(settings: &AlphaZeroSettings, rows: &[CycleRow]) -> Vec<u8> {
    let line = |value: &dyn Fn(&CycleRow) -> Option<f64>| -> Vec<(f64, f64)> {
        rows.iter().filter_map(|row| Some((f64::from(row.cycle), value(row)?))).collect()
    };
    let losses = vec![
        Line::solid("moves (cross-entropy)", picture::BLUE, line(&|row| Some(row.policy_loss))),
        Line::solid("value (squared error)", picture::RED, line(&|row| Some(row.value_loss))),
    ];
    let colors = [picture::GREEN, picture::BLUE, picture::ORANGE, picture::PURPLE];
    let mut right: Vec<Line> = settings
        .opponents
        .iter()
        .zip(colors)
        .enumerate()
        .map(|(number, (opponent, color))| {
            let name = format!("score against {opponent}");
            Line::solid(&name, color, line(&|row| row.measured.against.get(number).map(score)))
        })
        .collect();
    let keeps = line(&|row| row.measured.tree_keeps.share());
    if !keeps.is_empty() {
        right.push(Line::dashed("value kept by tree", picture::RED, keeps));
        right.push(Line::dashed(
            "value kept by policy",
            picture::PURPLE,
            line(&|row| row.measured.policy_keeps.share()),
        ));
    }
    let careless = line(&|row| row.measured.careless.share());
    right.push(Line::dashed("lost at once, unforced", picture::ORANGE, careless));
    let top = losses.iter().flat_map(Line::heights).fold(0.1, f64::max);
    let last = rows.len().max(2) as f64;
    png(1500, 620, |area| {
        let (left, right_area) = area.split_horizontally(750);
        let panel = |title: &str, axis: &'static str, y: std::ops::Range<f64>| Panel {
            title: title.to_string(),
            x: ("cycle", 1.0..last),
            y: (axis, y),
            font: 22.0,
        };
        panel("Losses", "loss", 0.0..1.05 * top).draw_with_legend(
            &left,
            &losses,
            &[],
            &[],
            Corner::LowerRight,
        );
        panel("Strength", "share", 0.0..1.02).draw_with_legend(
            &right_area,
            &right,
            &[],
            &[],
            Corner::LowerRight,
        );
    })
}
