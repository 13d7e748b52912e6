//! The thesis's warm-up as a moving picture: one run of the genetic algorithm that follows the sine.

use axum::Json;
use axum::extract::{Query, rejection::QueryRejection};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::error::{ApiError, blocking, in_order};
use super::live::whole;
use crate::experiment::{CurveBest, CurveWork, built_in_settings, curve_bests};
use crate::games::dobutsu;
use crate::random::MOST_SEED;

/// The experiments whose run it is, by the size of their elite, from 1.
const EXPERIMENTS: [&str; 2] = ["figure2", "figure3"];

/// What can be chosen about a run, as it was typed: what is no whole number is refused in our own words.
#[derive(Deserialize)]
pub(super) struct Wanted {
    seed: Option<String>,
    elite: Option<String>,
    /// In per cent.
    mutation: Option<String>,
}

/// The best individuals of a run.
#[derive(Serialize)]
struct CurveInfo {
    best: Vec<CurveBest>,
    /// How many generations the run has.
    generations: u32,
}

/// `GET /api/curve?seed=1&elite=1&mutation=1`: the best individuals of the run that the experiment has made with this seed.
pub(super) async fn curve(query: Result<Query<Wanted>, QueryRejection>) -> Result<Json<Value>, ApiError> {
    let Query(wanted) = query?;
    let elite = whole("elite", &typed(wanted.elite), 1, EXPERIMENTS.len() as u64)?;
    let mutation = whole("mutation", &typed(wanted.mutation), 0, 100)?;
    let seed = whole("seed", &typed(wanted.seed), 0, MOST_SEED)?;
    blocking(move || {
        let name = EXPERIMENTS[elite as usize - 1];
        let work: CurveWork = built_in_settings::<dobutsu::Position, _>(name, "curve");
        let best = curve_bests(&work, mutation as f64 / 100.0, seed);
        in_order(CurveInfo { best, generations: work.generations })
    })
    .await
}

/// A part of the query as JSON would have it.
fn typed(given: Option<String>) -> Value {
    given.map_or(Value::Null, |text| text.parse::<u64>().map_or(Value::String(text), Value::from))
}
