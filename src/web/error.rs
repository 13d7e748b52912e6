//! Every refusal is one sentence in JSON, with the status that fits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;
use tokio::sync::Semaphore;

/// No more than this is shown of what was sent.
const LONGEST_SHOWN: usize = 60;

/// Why a request cannot be answered: `{"error": "sentence"}`, and for what a person may do wrong a word and details by which the
/// page can say it in its own language: `{"error": …, "code": "move", "with": ["3", "b2b9"]}`.
#[derive(Debug)]
pub(super) struct ApiError {
    status: StatusCode,
    sentence: String,
    code: Option<&'static str>,
    with: Vec<String>,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, sentence: impl ToString) -> ApiError {
        ApiError { status, sentence: sentence.to_string(), code: None, with: Vec::new() }
    }

    /// The same with the word by which the page knows it.
    pub(super) fn called<const N: usize>(self, code: &'static str, with: [String; N]) -> ApiError {
        ApiError { code: Some(code), with: with.into(), ..self }
    }

    /// What was asked for makes no sense, and the sentence says why.
    pub(super) fn unusable(sentence: impl ToString) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, sentence)
    }

    pub(super) fn not_found(sentence: impl ToString) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, sentence)
    }

    /// It cannot be done now.
    pub(super) fn conflict(sentence: impl ToString) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, sentence)
    }

    pub(super) fn forbidden(sentence: impl ToString) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, sentence)
    }

    /// Something that is not the asker's fault.
    pub(super) fn internal(sentence: impl ToString) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, sentence)
    }
}

/// The answer that tells it.
#[derive(Serialize)]
struct Refusal {
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    with: Option<Vec<String>>,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let with = self.code.map(|_| self.with);
        (self.status, Json(Refusal { code: self.code, error: self.sentence, with })).into_response()
    }
}

impl From<BytesRejection> for ApiError {
    fn from(rejection: BytesRejection) -> ApiError {
        ApiError::new(rejection.status(), not_arrived(rejection.status()))
    }
}

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> ApiError {
        let sentence = match rejection {
            JsonRejection::JsonSyntaxError(_) => "the request is not understood: it is no JSON",
            JsonRejection::MissingJsonContentType(_) => {
                "the request is not understood: it does not say that it is JSON (Content-Type: application/json)"
            }
            _ => not_arrived(rejection.status()),
        };
        ApiError::new(rejection.status(), sentence)
    }
}

/// A request that could not be read at all.
fn not_arrived(status: StatusCode) -> &'static str {
    match status {
        StatusCode::PAYLOAD_TOO_LARGE => "the request is not understood: it is longer than any should be",
        _ => "the request is not understood: it did not arrive as a whole",
    }
}

impl From<PathRejection> for ApiError {
    fn from(rejection: PathRejection) -> ApiError {
        ApiError::new(rejection.status(), "the address is not understood: a part of it is no text")
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> ApiError {
        ApiError::new(
            rejection.status(),
            "the address is not understood: what stands behind '?' makes no sense",
        )
    }
}

/// A request's JSON, with our own words if it is none or not as it should be.
pub(super) struct Input<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Input<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Input<T>, ApiError> {
        let axum::Json(sent) = axum::Json::<Value>::from_request(request, state).await?;
        let read = serde_path_to_error::deserialize(&sent);
        let complaint = |error| {
            ApiError::unusable(format!("the request is not understood: {}", complaint(&error, &sent)))
        };
        read.map(Input).map_err(complaint)
    }
}

/// What is wrong with which field. What a type of ours says of itself is a sentence already; the rest are the words of a
/// deserializer, which mean nothing to whoever filled in a form.
fn complaint(error: &serde_path_to_error::Error<serde_json::Error>, sent: &Value) -> String {
    let words = error.inner().to_string();
    let named = |beginning: &str| words.strip_prefix(beginning)?.split('`').next().map(String::from);
    if let Some(field) = named("missing field `") {
        return format!("'{field}' is missing");
    }
    if let Some(field) = named("unknown field `") {
        return format!("unknown field '{field}'");
    }
    let given = error.path().iter().try_fold(sent, |inside, part| match part {
        Segment::Map { key } => inside.get(key),
        Segment::Seq { index } => inside.get(index),
        _ => Some(inside),
    });
    let given: String = given.map(Value::to_string).unwrap_or_default().chars().take(LONGEST_SHOWN).collect();
    let place = match error.path().iter().next() {
        Some(_) => format!("'{}'", error.path()),
        None => "it".to_string(),
    };
    match words.split_once(", expected ") {
        Some((_, choices)) if words.starts_with("unknown variant") => {
            format!("{place} cannot be {given}: choose {}", choices.replace("one of ", "").replace('`', ""))
        }
        _ if words.starts_with("invalid ") => format!("{place} cannot be {given}"),
        _ => words,
    }
}

/// An answer with its keys in the order of the alphabet, also where a structure stands in another.
pub(super) fn in_order(answer: impl Serialize) -> Result<Json<Value>, ApiError> {
    serde_json::to_value(answer).map(Json).map_err(ApiError::internal)
}

/// Cancels the work of a request when the request is dropped, as happens when the connection closes.
#[derive(Default)]
pub(super) struct CancelOnDrop(Arc<AtomicBool>);

impl CancelOnDrop {
    /// The stop flag; set on drop.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The same for work of a kind of which only some may go on at once: the rest wait for each other, never others for them.
pub(super) async fn queued<T: Send + 'static>(
    permits: Arc<Semaphore>,
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let permit = permits.acquire_owned().await.map_err(ApiError::internal)?;
    blocking(move || {
        // Given back when the work ends, also if the asker has gone by then.
        let _permit = permit;
        work()
    })
    .await
}

/// Runs work that keeps a core busy where it cannot hold up other requests.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(_) => Err(ApiError::internal("this request failed inside the program: that is a bug")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Colour {
        Red,
        Blue,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Sent {
        count: u32,
        #[serde(default)]
        moves: Vec<String>,
        #[serde(default)]
        colour: Option<Colour>,
    }

    fn of(sent: Value) -> String {
        complaint(&serde_path_to_error::deserialize::<_, Sent>(&sent).unwrap_err(), &sent)
    }

    #[test]
    fn complaints_name_the_field_and_what_was_given() {
        assert_eq!(of(json!({ "count": 10.5 })), "'count' cannot be 10.5");
        assert_eq!(of(json!({ "count": -1 })), "'count' cannot be -1");
        assert_eq!(of(json!({})), "'count' is missing");
        assert_eq!(of(json!({ "count": 1, "more": 2 })), "unknown field 'more'");
        assert_eq!(of(json!({ "count": 1, "moves": ["a", 7] })), "'moves[1]' cannot be 7");
        assert_eq!(
            of(json!({ "count": 1, "colour": "green" })),
            "'colour' cannot be \"green\": choose red or blue"
        );
        assert_eq!(of(json!(7)), "it cannot be 7");
        assert!(of(json!({ "count": "x".repeat(1000) })).len() < 100);
    }
}
