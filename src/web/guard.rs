//! Who may ask: pages of other sites must not reach this server, and only its own page may change anything.

use std::hash::{BuildHasher, RandomState};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::App;
use super::error::ApiError;

/// The header in which the page sends back its token.
const TOKEN: &str = "x-dobutsu-token";

/// The page needs nothing from elsewhere and may not be framed.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Lets a request pass if it comes from our own page or from no page at all, and marks every answer.
pub(super) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = match refusal(&app.hosts, request.method(), request.headers()) {
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

fn refusal(hosts: &Hosts, method: &Method, headers: &HeaderMap) -> Option<ApiError> {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let host = text(header::HOST).unwrap_or_default();
    if !hosts.welcome(host) {
        let name: String = without_port(host).chars().take(100).collect();
        return Some(ApiError::forbidden(format!(
            "this server does not answer as '{name}': if that is its name, start it with --allow-host {name}"
        )));
    }
    let origin = text(header::ORIGIN)?;
    let same = origin.split_once("://").is_some_and(|(_, from)| from == host);
    let changes = method != Method::GET && method != Method::HEAD;
    (changes && !same)
        .then(|| ApiError::forbidden("pages of other sites may not use this server: open its own page"))
}

/// As whom the server answers. Any site can let a name of its own point at this machine (DNS rebinding) and would then be
/// taken for our own page: only names that somebody vouches for open the door, and addresses, which no site can lend itself.
pub(super) struct Hosts {
    /// Whether only this machine can reach the server.
    loopback: bool,
    names: Vec<String>,
}

impl Hosts {
    /// Names must be good: the first that is not comes back.
    pub(super) fn new(address: IpAddr, names: &[String]) -> Result<Hosts, String> {
        match names.iter().find(|name| !is_host_name(name)) {
            Some(bad) => Err(bad.clone()),
            None => Ok(Hosts { loopback: address.is_loopback(), names: names.to_vec() }),
        }
    }

    fn welcome(&self, host: &str) -> bool {
        let name = without_port(host);
        let address = match name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(inner) => inner.parse().map(|ip: Ipv6Addr| IpAddr::V6(ip)),
            None => name.parse().map(|ip: Ipv4Addr| IpAddr::V4(ip)),
        };
        let named = |known: &str| name.eq_ignore_ascii_case(known);
        address.is_ok_and(|ip| !self.loopback || ip.is_loopback())
            || named("localhost")
            || self.names.iter().any(|known| named(known))
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

fn is_host_name(name: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let part = |part: &str| {
        (1..=63).contains(&part.len())
            && part.bytes().all(letter)
            && !part.starts_with('-')
            && !part.ends_with('-')
    };
    name.len() <= 253 && name.split('.').all(part)
}

/// What only our own page knows: a new one for every server.
pub(super) struct Token(String);

impl Token {
    pub(super) fn new() -> Token {
        // The standard library keys its hashes from the system's randomness, and whoever does not know the key can
        // guess none of them.
        let key = RandomState::new();
        Token(format!("{:016x}{:016x}", key.hash_one(1), key.hash_one(2)))
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// All of it is looked at however early it differs: how long that takes tells nothing.
    fn matches(&self, sent: &[u8]) -> bool {
        let differences = |(ours, theirs): (u8, &u8)| ours ^ theirs;
        sent.len() == self.0.len()
            && self.0.bytes().zip(sent).map(differences).fold(0, |all, one| all | one) == 0
    }
}

/// What changes something takes this from its request: the proof that our own page sent it.
pub(super) struct OwnPage;

impl FromRequestParts<Arc<App>> for OwnPage {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<OwnPage, ApiError> {
        let sent = parts.headers.get(TOKEN).map(HeaderValue::as_bytes).unwrap_or_default();
        match app.token.matches(sent) {
            true => Ok(OwnPage),
            false => Err(ApiError::forbidden(format!(
                "only this server's own page may do that, with its token in the header {TOKEN}: load the page again"
            ))
            .called("token", [])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(address: &str, names: &[&str]) -> Hosts {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        Hosts::new(address.parse().unwrap(), &names).unwrap()
    }

    #[test]
    fn only_names_of_this_machine_pass() {
        let hosts = hosts("127.0.0.1", &["games.example.org"]);
        for host in [
            "localhost",
            "localhost:4010",
            "LOCALHOST:1",
            "127.0.0.1:4010",
            "127.0.0.1",
            "[::1]:80",
            "[::1]",
            "games.example.org",
            "Games.Example.Org:4010",
        ] {
            assert!(hosts.welcome(host), "{host}");
        }
        for host in [
            "",
            ":80",
            "example.org",
            "example.org:4010",
            "localhost.example.org",
            "10.0.0.1:4010",
            "[2001:db8::1]:4010",
            "127.0.0.1.example.org",
            "x.games.example.org",
        ] {
            assert!(!hosts.welcome(host), "{host}");
        }
    }

    /// Others are let in by the server's address, which no site can claim, but by no name that nobody vouched for.
    #[test]
    fn an_open_server_answers_to_addresses_and_to_its_names() {
        let hosts = hosts("0.0.0.0", &["lab"]);
        for host in
            ["10.0.0.1:4010", "192.168.1.7", "[2001:db8::1]:4010", "127.0.0.1", "localhost:1", "lab:4010"]
        {
            assert!(hosts.welcome(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "example.org:4010",
            "10.0.0.1.example.org",
            "2001:db8::1",
            "[10.0.0.1]",
            "[lab]",
        ] {
            assert!(!hosts.welcome(host), "{host}");
        }
    }

    #[test]
    fn a_token_is_long_new_and_compared_whole() {
        let (token, other) = (Token::new(), Token::new());
        assert_eq!(token.text().len(), 32);
        assert_ne!(token.text(), other.text());
        assert!(token.matches(token.text().as_bytes()));
        for wrong in ["", &token.text()[1..], other.text(), &format!("{}0", token.text())] {
            assert!(!token.matches(wrong.as_bytes()), "{wrong}");
        }
    }
}
