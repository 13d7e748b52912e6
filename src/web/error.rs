//! Every refusal is one sentence in JSON, with the status that fits.

use axum::Json;
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::de::DeserializeOwned;

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

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut told = serde_json::json!({ "error": self.sentence });
        if let Some(code) = self.code {
            told["code"] = code.into();
            told["with"] = self.with.into();
        }
        (self.status, Json(told)).into_response()
    }
}

impl From<BytesRejection> for ApiError {
    fn from(rejection: BytesRejection) -> ApiError {
        ApiError::new(rejection.status(), format!("the request is not understood: {}", rejection.body_text()))
    }
}

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> ApiError {
        ApiError::new(rejection.status(), format!("the request is not understood: {}", rejection.body_text()))
    }
}

impl From<PathRejection> for ApiError {
    fn from(rejection: PathRejection) -> ApiError {
        ApiError::new(rejection.status(), format!("the address is not understood: {}", rejection.body_text()))
    }
}

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> ApiError {
        ApiError::new(rejection.status(), format!("the address is not understood: {}", rejection.body_text()))
    }
}

/// A request's JSON, with our own words if it is none.
pub(super) struct Input<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Input<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Input<T>, ApiError> {
        let axum::Json(value) = axum::Json::from_request(request, state).await?;
        Ok(Input(value))
    }
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
