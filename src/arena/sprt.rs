//! The sequential probability ratio test: play until one of two hypotheses is clearly the better one.
//!
//! A generalized SPRT over pairs of games on the scale of normalized Elo, where one unit means the same certainty per game
//! whatever the share of draws.

use std::str::FromStr;

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::standings::moments;
use super::{Estimate, PairCounts};

/// Normalized Elo of one standard deviation per game.
const PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

/// Which of two strengths (in normalized Elo) is the true one?
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The strength if the test fails.
    pub elo0: f64,
    /// The strength if it passes.
    pub elo1: f64,
    /// How often to pass wrongly.
    pub alpha: f64,
    /// How often to fail wrongly.
    pub beta: f64,
}

/// What the games so far say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Not enough games.
    Undecided,
    /// `elo1` it is.
    Passed,
    /// `elo0` it is.
    Failed,
}

impl Sprt {
    /// The log likelihood ratio of `elo1` over `elo0`; 0 while there are no pairs.
    pub fn llr(&self, pairs: &PairCounts) -> f64 {
        let Some(deviations) = per_game_deviations(pairs) else { return 0.0 };
        let (t0, t1) = (self.elo0 / PER_DEVIATION, self.elo1 / PER_DEVIATION);
        let off = |t: f64| 1.0 + (deviations - t).powi(2);
        pairs.pairs() as f64 * (off(t0) / off(t1)).ln()
    }

    /// Below the first number the test has failed, above the second it has passed.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What to conclude.
    pub fn decide(&self, pairs: &PairCounts) -> Decision {
        let (fail, pass) = self.bounds();
        match self.llr(pairs) {
            llr if llr >= pass => Decision::Passed,
            llr if llr <= fail => Decision::Failed,
            _ => Decision::Undecided,
        }
    }
}

/// Normalized Elo with its 95 % interval; `None` if there are fewer than two pairs or all ended alike, because then nothing is known
/// of how much results vary.
///
/// It is `(mean - ½) / deviation` of a pair, and both are measured: with `t` for that ratio its variance is
/// `(1 - t * skewness + t² * (kurtosis - 1) / 4) / pairs` (the delta method for mean and variance of a sample). In even matches that
/// is the usual `1 / pairs`; in one-sided ones nearly all of the uncertainty is that of the deviation.
pub fn normalized_elo(pairs: &PairCounts) -> Option<Estimate> {
    let count = pairs.pairs() as f64;
    let (mean, variance) = pairs.moments();
    if count < 2.0 || variance < 1e-12 {
        return None;
    }
    let standard_moment = |power: i32| {
        let one = |(i, pairs): (usize, &u64)| *pairs as f64 * (i as f64 / 4.0 - mean).powi(power);
        pairs.0.iter().enumerate().map(one).sum::<f64>() / count / variance.sqrt().powi(power)
    };
    let t = (mean - 0.5) / variance.sqrt();
    let spread = 1.0 - t * standard_moment(3) + t * t * (standard_moment(4) - 1.0) / 4.0;
    let quantile = StudentsT::new(0.0, 1.0, count - 1.0).expect("two pairs").inverse_cdf(0.975);
    // On this scale the variance would not depend on `t` if results were normal. It keeps the interval of a one-sided match
    // from reaching as far down as up.
    let root = std::f64::consts::SQRT_2;
    let (scale, back) = (|t: f64| (t / root).asinh(), |x: f64| root * x.sinh());
    let half_width = quantile * (spread.max(0.0) / (count - 1.0) / (2.0 + t * t)).sqrt();
    // A pair is the mean of two games: the deviation of one game is larger by the root of two.
    let per_game = PER_DEVIATION / root;
    let (low, high) = (back(scale(t) - half_width), back(scale(t) + half_width));
    Some(Estimate { value: t, low, high }.map(|t| t * per_game))
}

/// By how many standard deviations of one game the score exceeds a half, for the test; `None` if there is no pair yet.
fn per_game_deviations(pairs: &PairCounts) -> Option<f64> {
    if pairs.pairs() == 0 {
        return None;
    }
    // A class that has not been seen is not impossible: half a pair of it keeps the variance of a clean sweep above nought.
    let weights = pairs.0.map(|count| if count == 0 { 0.5 } else { count as f64 });
    let (mean, variance) = moments(&weights);
    // A pair is the mean of two games: the variance of one game is twice as large.
    Some((mean - 0.5) / (2.0 * variance).sqrt())
}

/// Why a text is no SPRT.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is no SPRT: {why} (an example: elo0=0,elo1=20,alpha=0.05,beta=0.05)")]
pub struct SprtError {
    text: String,
    why: String,
}

impl FromStr for Sprt {
    type Err = SprtError;
    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let wrong = |why: String| SprtError { text: text.to_string(), why };
        let (mut elo0, mut elo1, mut alpha, mut beta) = (None, None, None, None);
        for part in text.split(',') {
            let (key, number) = part.split_once('=').ok_or_else(|| wrong(format!("'{part}' has no =")))?;
            let slot = match key {
                "elo0" => &mut elo0,
                "elo1" => &mut elo1,
                "alpha" => &mut alpha,
                "beta" => &mut beta,
                _ => return Err(wrong(format!("there is no '{key}'"))),
            };
            let number: f64 = number.parse().map_err(|_| wrong(format!("{key} is not a number")))?;
            if !number.is_finite() || number.abs() > 1000.0 {
                return Err(wrong(format!("{key} must be between -1000 and 1000")));
            }
            if slot.replace(number).is_some() {
                return Err(wrong(format!("{key} is there twice")));
            }
        }
        let sprt = Sprt {
            elo0: elo0.ok_or_else(|| wrong("elo0 is missing".to_string()))?,
            elo1: elo1.ok_or_else(|| wrong("elo1 is missing".to_string()))?,
            alpha: alpha.unwrap_or(0.05),
            beta: beta.unwrap_or(0.05),
        };
        if sprt.elo0 >= sprt.elo1 {
            return Err(wrong("elo0 must be below elo1".to_string()));
        }
        for (name, rate) in [("alpha", sprt.alpha), ("beta", sprt.beta)] {
            if !(0.0001..0.5).contains(&rate) {
                return Err(wrong(format!("{name} must be from 0.0001 to below 0.5")));
            }
        }
        Ok(sprt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values_come_out() {
        let pairs = PairCounts([379, 10170, 21828, 10640, 343]);
        let sprt: Sprt = "elo0=0,elo1=2".parse().unwrap();
        assert!((sprt.llr(&pairs) - 2.946).abs() < 0.0005, "{}", sprt.llr(&pairs));
        let elo = normalized_elo(&pairs).unwrap();
        assert!((elo.value - 3.05).abs() < 0.005 && (elo.high - elo.value - 2.31).abs() < 0.005, "{elo:?}");
        let few = PairCounts([3, 5, 20, 9, 7]);
        let sprt: Sprt = "elo0=0,elo1=50".parse().unwrap();
        assert!((sprt.llr(&few) - 1.341).abs() < 0.0005, "{}", sprt.llr(&few));
        assert_eq!(sprt.decide(&few), Decision::Undecided);
        assert_eq!(sprt.decide(&PairCounts([0, 0, 100, 0, 100])), Decision::Passed);
        assert_eq!(sprt.decide(&PairCounts([100, 0, 100, 0, 0])), Decision::Failed);
        assert_eq!(sprt.llr(&PairCounts::default()), 0.0);
        assert_eq!(sprt.decide(&PairCounts([0, 0, 0, 0, 200])), Decision::Passed);
        assert_eq!(sprt.decide(&PairCounts([200, 0, 0, 0, 0])), Decision::Failed);
    }

    /// Made in Python, from the pairs written out one by one: `t = (mean - 0.5) / std`, `scipy.stats.skew` and `kurtosis(fisher=False)`,
    /// `scipy.stats.t.ppf(0.975, n - 1)`, `f = sqrt(2) * arcsinh(t / sqrt(2))` with its derivative. A bootstrap of 20,000 resamples gives [582, 827] for the second.
    #[test]
    fn the_interval_knows_that_the_deviation_is_measured() {
        for (pairs, expected) in [
            ([12, 30, 80, 44, 34], [64.879, 29.950, 100.451]),
            ([1, 3, 20, 60, 316], [686.572, 574.496, 815.365]),
            ([0, 0, 4, 0, 96], [1203.552, 713.166, 1987.356]),
        ] {
            let Estimate { value, low, high } = normalized_elo(&PairCounts(pairs)).unwrap();
            for (found, expected) in [value, low, high].into_iter().zip(expected) {
                assert!((found - expected).abs() < 0.005, "{pairs:?}: {found} is not {expected}");
            }
        }
    }

    #[test]
    fn results_that_never_vary_have_no_normalized_elo() {
        for pairs in [[0, 0, 0, 0, 0], [0, 0, 0, 0, 1], [0, 0, 0, 0, 200], [0, 0, 90, 0, 0]] {
            assert_eq!(normalized_elo(&PairCounts(pairs)), None, "{pairs:?}");
        }
        assert!(normalized_elo(&PairCounts([0, 0, 0, 1, 200])).is_some());
    }

    #[test]
    fn the_bounds_are_walds() {
        // ln(0.1 / 0.95) and ln(0.9 / 0.05), as any table of the test has them.
        let sprt: Sprt = "elo0=0,elo1=2,alpha=0.05,beta=0.1".parse().unwrap();
        let (fail, pass) = sprt.bounds();
        assert!((fail + 2.2513).abs() < 0.0001 && (pass - 2.8904).abs() < 0.0001, "{fail} {pass}");
    }

    #[test]
    fn bad_texts_are_explained() {
        for (text, why) in [
            ("elo0=0", "elo1 is missing"),
            ("elo0=5,elo1=5", "elo0 must be below elo1"),
            ("elo0=0,elo1=x", "elo1 is not a number"),
            ("elo0=0,elo1=inf", "elo1 must be between"),
            ("elo0=0,elo1=5,alpha=0", "alpha must be"),
            ("elo0=0,elo2=5", "there is no 'elo2'"),
            ("elo0=0,elo1=5,elo0=1", "elo0 is there twice"),
            ("", "has no ="),
        ] {
            assert!(text.parse::<Sprt>().unwrap_err().to_string().contains(why), "{text}");
        }
    }
}
