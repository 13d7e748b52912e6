//! Who may ask: pages of other sites must not reach a server that listens for this machine only.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::App;
use super::error::ApiError;

/// The page needs nothing from elsewhere and may not be framed.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Lets a request pass if it comes from our own page or from no page at all, and marks every answer.
pub(super) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = match refusal(app.loopback.is_some(), request.method(), request.headers()) {
        Some(error) => error.into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
    set(header::CONTENT_SECURITY_POLICY, POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    // What is not marked otherwise is news.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn refusal(loopback: bool, method: &Method, headers: &HeaderMap) -> Option<ApiError> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let host = text(header::HOST).unwrap_or_default();
    // A name that some site lets point at this machine (DNS rebinding) must not open the door.
    if loopback && !is_this_machine(host) {
        let host: String = host.chars().take(100).collect();
        return Some(ApiError::forbidden(format!(
            "this server answers as localhost only, not as '{host}': see --bind"
        )));
    }
    let origin = text(header::ORIGIN)?;
    let same = origin.split_once("://").is_some_and(|(_, from)| from == host);
    let changes = method != Method::GET && method != Method::HEAD;
    (changes && !same)
        .then(|| ApiError::forbidden("pages of other sites may not use this server: open its own page"))
}

fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let ip = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    let whole = host.parse::<SocketAddr>().map(|address| address.ip());
    name.eq_ignore_ascii_case("localhost") || ip.or(whole).is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_pass() {
        for host in
            ["localhost", "localhost:4010", "LOCALHOST:1", "127.0.0.1:4010", "127.0.0.1", "[::1]:80", "[::1]"]
        {
            assert!(is_this_machine(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "example.org:4010",
            "localhost.example.org",
            "10.0.0.1:4010",
            "127.0.0.1.example.org",
        ] {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
