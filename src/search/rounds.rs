//! Deeper and deeper, round by round.

use std::ops::RangeInclusive;

use super::{Report, Value};

/// What a round over some moves has found, and whether the time was up before its end.
pub(super) struct Round<M> {
    /// The best move and its value, if any was looked at.
    pub best: Option<(M, Value)>,
    /// How many positions were looked at so far.
    pub nodes: u64,
    /// Whether it was cut short.
    pub stopped: bool,
}

/// What the next round begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum First {
    /// The best of the one before: what is found by a round that was cut short counts.
    Best,
    /// What the one before began with, so that the last round finds what it would find by itself.
    Same,
}

/// Looks at these moves once for each depth until the time is up or the game is settled; `None` if there are no moves. `tell` hears
/// of each round.
pub(super) fn deepen<M: Copy + PartialEq>(
    depths: RangeInclusive<u32>,
    mut moves: Vec<M>,
    first: First,
    mut round: impl FnMut(u32, &[M]) -> Round<M>,
    tell: &mut dyn FnMut(&Report<M>),
) -> Option<Report<M>> {
    let any = *moves.first()?;
    let mut report = Report { best: any, value: Value::MIN, depth: 0, nodes: 0, line: vec![any] };
    for depth in depths {
        let Round { best, nodes, stopped } = round(depth, &moves);
        report.nodes = nodes;
        if let Some((best, value)) = best.filter(|_| !stopped || first == First::Best || report.depth == 0) {
            let depth = if stopped { report.depth } else { depth };
            report = Report { best, value, depth, nodes, line: vec![best] };
            tell(&report);
        }
        // A forced end within the horizon does not change any more.
        if stopped || report.value.decided_in().is_some_and(|plies| plies <= depth) {
            break;
        }
        if let Some(at) = moves.iter().position(|m| *m == report.best).filter(|_| first == First::Best) {
            moves[..=at].rotate_right(1);
        }
    }
    Some(report)
}
