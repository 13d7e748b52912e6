//! An axis: where values lie on it, and its ticks. It ends at a tick, where the values end.

/// No axis has more spaces between ticks.
const MOST_SPACES: i64 = 8;
/// Nor fewer, if there are so many whole numbers.
const FEWEST_SPACES: i64 = 3;

/// An axis with a name.
pub(crate) struct Axis {
    pub name: String,
    low: f64,
    high: f64,
    ticks: Vec<f64>,
    decimals: usize,
    logarithmic: bool,
    /// Whether values below the first tick lie there too.
    gathers: bool,
}

impl Axis {
    /// From the last tick below all of these values to the first above them.
    pub(crate) fn covering(name: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        Axis::even(name, values, 0.0)
    }

    /// An axis of whole numbers from nought on.
    pub(crate) fn counting(name: &str, last: f64) -> Axis {
        Axis::even(name, [0.0, last.max(1.0)], 1.0)
    }

    fn even(name: &str, values: impl IntoIterator<Item = f64>, least_step: f64) -> Axis {
        let (least, most) = ends(values);
        let most = if most > least { most } else { least + 1.0 };
        let ends = |step: f64| (floor(least / step), ceil(most / step));
        let spaces = |step: f64| ends(step).1 - ends(step).0;
        let steps = || round_numbers(most - least).into_iter().filter(|step| *step >= least_step);
        // How far the ends of the axis are from those of the values, in millionths of what there is between them.
        let beyond = |step: &f64| {
            let (first, last) = ends(*step);
            let more = (last - first) as f64 * step - (most - least);
            (1e6 * more / (most - least)).round() as i64
        };
        let wanted = steps().filter(|step| FEWEST_SPACES <= spaces(*step) && spaces(*step) <= MOST_SPACES);
        let step = wanted.min_by_key(beyond).or_else(|| steps().find(|step| spaces(*step) <= MOST_SPACES));
        let step = step.unwrap_or(most - least);
        let ticks: Vec<f64> =
            (floor(least / step)..=ceil(most / step)).map(|number| number as f64 * step).collect();
        let decimals = (-step.log10()).ceil().max(0.0) as usize;
        Axis {
            name: name.to_string(),
            low: ticks[0],
            high: ticks[ticks.len() - 1],
            ticks,
            decimals,
            logarithmic: false,
            gathers: false,
        }
    }

    /// A tick for each of these whole numbers, with some room on both sides.
    pub(crate) fn steps(name: &str, first: u32, last: u32) -> Axis {
        const ROOM: f64 = 0.35;
        let ticks = (first..=last.max(first)).map(f64::from).collect();
        let (low, high) = (f64::from(first) - ROOM, f64::from(last.max(first)) + ROOM);
        Axis { name: name.to_string(), low, high, ticks, decimals: 0, logarithmic: false, gathers: false }
    }

    /// As [`covering`](Axis::covering), but equal spaces are equal factors. Values must be above nought.
    pub(crate) fn logarithmic(name: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let (least, most) = ends(values);
        let (first, last) = (floor(least.log10()) as i32, ceil(most.log10()) as i32);
        let fine: Vec<f64> =
            (first..=last).flat_map(|power| [1.0, 2.0, 5.0].map(|n| n * 10f64.powi(power))).collect();
        let inside = |ticks: Vec<f64>| -> Vec<f64> {
            let below = ticks.iter().rposition(|tick| *tick <= least * (1.0 + 1e-9)).unwrap_or(0);
            let above = ticks.iter().position(|tick| *tick >= most * (1.0 - 1e-9)).unwrap_or(ticks.len() - 1);
            ticks[below..=above.max(below + 1).min(ticks.len() - 1)].to_vec()
        };
        let mut ticks = inside(fine);
        if ticks.len() as i64 > MOST_SPACES + 2 {
            ticks = inside((first..=last.max(first + 1)).map(|power| 10f64.powi(power)).collect());
        }
        let decimals = (-ticks[0].log10()).ceil().max(0.0) as usize;
        Axis {
            name: name.to_string(),
            low: ticks[0],
            high: ticks[ticks.len() - 1],
            ticks,
            decimals,
            logarithmic: true,
            gathers: false,
        }
    }

    /// The same, but whatever is less than `least` lies there too, and the tick there says so.
    pub(crate) fn logarithmic_from(least: f64, name: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let values: Vec<f64> = values.into_iter().collect();
        let gathers = values.iter().any(|value| *value < least);
        Axis { gathers, ..Axis::logarithmic(name, values.into_iter().map(|value| value.max(least))) }
    }

    /// Between which values it lies.
    pub(crate) fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// How far along the axis a value lies, from 0 to 1. What an axis cannot show lies at its end.
    pub(crate) fn share(&self, value: f64) -> f64 {
        let place = |value: f64| if self.logarithmic { value.log10() } else { value };
        let value = if self.logarithmic { value.max(self.low) } else { value };
        (place(value) - place(self.low)) / (place(self.high) - place(self.low))
    }

    /// The ticks and what they say.
    pub(crate) fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        self.ticks.iter().map(|tick| (*tick, self.label(*tick)))
    }

    fn label(&self, tick: f64) -> String {
        let needed = if self.logarithmic && tick >= 1.0 { 0 } else { self.decimals };
        let mut text = format!("{:.needed$}", tick.abs());
        if self.logarithmic && text.contains('.') {
            text.truncate(text.trim_end_matches('0').len());
        }
        if self.gathers && tick == self.low {
            text.insert(0, '≤');
        }
        // A minus as long as a plus, not a hyphen.
        if tick < 0.0 { format!("−{text}") } else { text }
    }
}

/// The least and the most of some values; what is not finite is on no axis.
fn ends(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let finite = values.into_iter().filter(|value| value.is_finite());
    let (least, most) = finite
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(value), most.max(value)));
    if least <= most { (least, most) } else { (0.0, 1.0) }
}

/// A value that should be a tick may be off by the last bit.
const SLACK: f64 = 1e-9;

fn floor(value: f64) -> i64 {
    (value + SLACK).floor() as i64
}

fn ceil(value: f64) -> i64 {
    (value - SLACK).ceil() as i64
}

/// Distances between ticks that are easy to read, the smallest first.
fn round_numbers(span: f64) -> Vec<f64> {
    let power = floor(span.log10()) as i32;
    let of = |power: i32| {
        let round = |n: f64| if power < 0 { n / 10f64.powi(-power) } else { n * 10f64.powi(power) };
        // A quarter of less than a hundred has decimals.
        let quarter = (power > 0).then(|| round(2.5));
        [Some(round(1.0)), Some(round(2.0)), quarter, Some(round(5.0))].into_iter().flatten()
    };
    (power - 2..=power.max(0) + 1).flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.ticks().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_end_where_values_end() {
        for values in [
            [0.0, 57.3],
            [-262.0, 14.0],
            [0.0, 1.0],
            [0.0, 5000.0],
            [64.2, 100.0],
            [0.03, 0.9],
            [0.0, 1600.0],
        ] {
            let axis = Axis::covering("", values);
            let (low, high) = axis.ends();
            let ticks: Vec<f64> = axis.ticks().map(|(tick, _)| tick).collect();
            assert_eq!((ticks[0], ticks[ticks.len() - 1]), (low, high), "{values:?}");
            assert!((2..=9).contains(&ticks.len()), "{values:?}: {ticks:?}");
            let step = ticks[1] - ticks[0];
            assert!(low <= values[0] && values[0] - low < step, "{values:?}: {ticks:?}");
            assert!(high >= values[1] && high - values[1] <= step, "{values:?}: {ticks:?}");
        }
        assert_eq!(labels(&Axis::covering("", [0.0, 100.0])), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(Axis::covering("", [3.0, 3.0]).ends(), (3.0, 4.0));
        let signed = ["−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2", "0.3", "0.4"];
        assert_eq!(labels(&Axis::covering("", [-0.3, 0.31])), signed);
    }

    #[test]
    fn what_is_counted_has_whole_ticks() {
        assert_eq!(labels(&Axis::counting("", 3.0)), ["0", "1", "2", "3"]);
        assert_eq!(labels(&Axis::counting("", 0.0)), ["0", "1"]);
        assert_eq!(labels(&Axis::counting("", 750.0)), ["0", "250", "500", "750"]);
        assert_eq!(labels(&Axis::steps("", 1, 4)), ["1", "2", "3", "4"]);
        assert_eq!(Axis::steps("", 1, 4).ends(), (0.65, 4.35));
    }

    #[test]
    fn equal_factors_are_equally_far_on_a_logarithmic_axis() {
        let axis = Axis::logarithmic("", [0.62, 153.0]);
        assert_eq!(labels(&axis), ["0.5", "1", "2", "5", "10", "20", "50", "100", "200"]);
        let far = |a: f64, b: f64| axis.share(b) - axis.share(a);
        assert!((far(1.0, 2.0) - far(50.0, 100.0)).abs() < 1e-9);
        assert_eq!((axis.share(0.5), axis.share(200.0), axis.share(0.0)), (0.0, 1.0, 0.0));
        assert_eq!(
            labels(&Axis::logarithmic("", [0.01, 5000.0])),
            ["0.01", "0.1", "1", "10", "100", "1000", "10000"]
        );
        let gathering = Axis::logarithmic_from(0.1, "", [0.0, 4.0]);
        assert_eq!(labels(&gathering), ["≤0.1", "0.2", "0.5", "1", "2", "5"]);
        assert_eq!(gathering.share(0.0), 0.0);
        assert_eq!(labels(&Axis::logarithmic_from(0.1, "", [3.0, 4.0])), ["2", "5"]);
        assert_eq!(labels(&Axis::logarithmic("", [1.0, 100.0])), ["1", "2", "5", "10", "20", "50", "100"]);
    }
}
