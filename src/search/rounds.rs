//! Deeper and deeper, round by round.

use std::ops::RangeInclusive;

use super::{Report, Value};

/// What a round over some moves has found, and whether the time was up before its end.
pub(super) struct Round<M> {
    /// The best move and its value, if any was looked at.
    pub best: Option<(M, Value)>,
    /// Whether it was cut short.
    pub stopped: bool,
}

/// Looks at these moves once for each depth until the time is up or the game is settled; `None` if there are no moves. The best of a
/// round that was cut short counts: each begins with the best of the one before.
pub(super) fn deepen<M: Copy + PartialEq>(
    depths: RangeInclusive<u32>,
    mut moves: Vec<M>,
    mut round: impl FnMut(u32, &[M]) -> Round<M>,
) -> Option<Report<M>> {
    let first = *moves.first()?;
    let mut report = Report { best: first, value: Value::MIN, depth: 0, nodes: 0, line: vec![first] };
    for depth in depths {
        let Round { best, stopped } = round(depth, &moves);
        if let Some((best, value)) = best {
            report = Report { best, value, depth, nodes: 0, line: vec![best] };
        }
        // A forced end within the horizon does not change any more.
        if stopped || report.value.decided_in().is_some_and(|plies| plies <= depth) {
            break;
        }
        if let Some(at) = moves.iter().position(|m| *m == report.best) {
            moves[..=at].rotate_right(1);
        }
    }
    Some(report)
}
