//! The page itself, embedded in the program: nothing is read from the disk and nothing comes from elsewhere.

use std::borrow::Cow;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::error::ApiError;
use super::guard::Token;
use crate::files::fingerprint;

macro_rules! embedded {
    ($($name:literal),* $(,)?) => { &[$(($name, include_str!(concat!("page/", $name)))),*] };
}

/// Names and contents of all files of the page.
pub(super) const FILES: &[(&str, &str)] = embedded![
    "index.html",
    "base.css",
    "board.css",
    "runs.css",
    "icon.svg",
    "app.js",
    "api.js",
    "dom.js",
    "words.js",
    "words-en.js",
    "words-ja.js",
    "games.js",
    "levels.js",
    "pieces.js",
    "shogi.js",
    "quoridor.js",
    "hasami.js",
    "walls.js",
    "mason.js",
    "piece.js",
    "board.js",
    "menu.js",
    "setup.js",
    "play.js",
    "game.js",
    "transfer.js",
    "analysis.js",
    "rules.js",
    "runs.js",
    "run.js",
    "cycles.js",
    "chart.js",
    "markdown.js",
];

/// Where the first page has the token of the server that sends it.
const TOKEN_PLACE: &str = "{token}";

/// A file of the page, or nothing new if the browser has it already.
pub(super) fn file(name: &str, token: &Token, asked: &HeaderMap) -> Result<Response, ApiError> {
    let Some((name, content)) = FILES.iter().find(|(known, _)| *known == name) else {
        let name: String = name.chars().take(100).collect();
        return Err(ApiError::not_found(format!("there is no page '/{name}': the way in is /")));
    };
    // A page that a browser kept from an earlier server has another token and thus another tag.
    let content = match *name {
        "index.html" => Cow::Owned(content.replace(TOKEN_PLACE, token.text())),
        _ => Cow::Borrowed(*content),
    };
    let tag = format!("\"{}\"", fingerprint(content.as_bytes()));
    let known = asked.get(header::IF_NONE_MATCH).is_some_and(|have| have.as_bytes() == tag.as_bytes());
    let headers =
        [(header::CONTENT_TYPE, kind(name)), (header::CACHE_CONTROL, "no-cache"), (header::ETAG, &tag)];
    Ok(match known {
        true => (StatusCode::NOT_MODIFIED, headers).into_response(),
        false => (headers, content).into_response(),
    })
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        _ => "image/svg+xml",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the first visit loads: everything but the part about runs, which comes when it is asked for.
    #[test]
    fn the_first_page_is_small() {
        let late = ["runs.css", "runs.js", "run.js", "cycles.js", "chart.js", "markdown.js"];
        let size = |late: &[&str]| -> usize {
            FILES.iter().filter(|(name, _)| !late.contains(name)).map(|(_, content)| content.len()).sum()
        };
        assert!(size(&late) < 200_000, "{}", size(&late));
        assert!(size(&[]) < 250_000, "{}", size(&[]));
    }

    #[test]
    fn nothing_comes_from_elsewhere() {
        for (name, content) in FILES {
            // The name of the SVG format is an address by which nothing is fetched.
            let rest = content.replace("http://www.w3.org/2000/svg", "");
            assert!(!rest.contains("http://") && !rest.contains("https://"), "{name}");
        }
    }

    /// Two lists of words that drift apart show up as holes on the page.
    #[test]
    fn both_languages_have_the_same_words() {
        let keys = |name: &str| -> Vec<String> {
            let (_, content) = FILES.iter().find(|(known, _)| *known == name).unwrap();
            let key = |line: &str| {
                let (key, _) = line.strip_prefix("  ")?.split_once(':')?;
                key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then(|| key.to_string())
            };
            content.lines().filter_map(key).collect()
        };
        let english = keys("words-en.js");
        assert!(english.len() > 50);
        assert_eq!(english, keys("words-ja.js"));
    }
}
