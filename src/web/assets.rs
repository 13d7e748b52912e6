//! The page itself, embedded in the program: nothing is read from the disk and nothing comes from elsewhere.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::OnceLock;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::error::ApiError;
use super::guard::Token;
use crate::files::fingerprint;

macro_rules! embedded {
    ($($name:literal),* $(,)?) => { &[$(($name, include_bytes!(concat!("page/", $name)))),*] };
}

/// Names and contents of all files of the page.
pub(super) const FILES: &[(&str, &[u8])] = embedded![
    "index.html",
    "base.css",
    "board.css",
    "runs.css",
    "icon.svg",
    "icon-180.png",
    "icon-192.png",
    "icon-512.png",
    "app.webmanifest",
    "app.js",
    "api.js",
    "away.js",
    "store.js",
    "dom.js",
    "words.js",
    "words-en.js",
    "words-ja.js",
    "games.js",
    "labels.js",
    "levels.js",
    "opponents.js",
    "pieces.js",
    "shogi.js",
    "quoridor.js",
    "hasami.js",
    "walls.js",
    "mason.js",
    "piece.js",
    "board.js",
    "drag.js",
    "menu.js",
    "setup.js",
    "play.js",
    "game.js",
    "clock.js",
    "sound.js",
    "transfer.js",
    "analysis.js",
    "review.js",
    "rules.js",
    "runs.js",
    "warmup.js",
    "number.js",
    "run.js",
    "cycles.js",
    "report.js",
    "progress.js",
    "multiples.js",
    "chart.js",
    "gestures.js",
    "picture.js",
    "markdown.js",
];

/// Where the first page has the token of the server that sends it.
const TOKEN_PLACE: &str = "{token}";

/// A file of the page, or nothing new if the browser has it already; packed, if the browser can unpack it.
pub(super) fn file(name: &str, token: &Token, asked: &HeaderMap) -> Result<Response, ApiError> {
    let Some((name, content)) = FILES.iter().find(|(known, _)| *known == name) else {
        let name: String = name.chars().take(100).collect();
        return Err(ApiError::not_found(format!("there is no page '/{name}': the way in is /")));
    };
    let wants = |name: header::HeaderName| {
        asked.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_string()
    };
    let packed = wants(header::ACCEPT_ENCODING).split(',').any(|way| way.trim().starts_with("gzip"));
    // A page that a browser kept from an earlier server has another token and thus another tag.
    let content = match (*name, packed) {
        ("index.html", _) => {
            let page = String::from_utf8_lossy(content).replace(TOKEN_PLACE, token.text());
            if packed { gzip(page.as_bytes()) } else { page.into_bytes() }
        }
        (_, true) => packed_files()[name].clone(),
        (_, false) => content.to_vec(),
    };
    let tag = format!("\"{}\"", fingerprint(&content));
    let known = wants(header::IF_NONE_MATCH) == tag;
    let mut headers = HeaderMap::new();
    let mut set = |name, value: &str| _ = value.parse().map(|value| headers.insert(name, value));
    set(header::CONTENT_TYPE, kind(name));
    set(header::CACHE_CONTROL, "no-cache");
    set(header::ETAG, &tag);
    set(header::VARY, "accept-encoding");
    if packed {
        set(header::CONTENT_ENCODING, "gzip");
    }
    Ok(match known {
        true => (StatusCode::NOT_MODIFIED, headers).into_response(),
        false => (headers, content).into_response(),
    })
}

/// All files packed: once, when the first is asked for.
fn packed_files() -> &'static HashMap<&'static str, Vec<u8>> {
    static PACKED: OnceLock<HashMap<&'static str, Vec<u8>>> = OnceLock::new();
    PACKED.get_or_init(|| FILES.iter().map(|(name, content)| (*name, gzip(content))).collect())
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(content).and_then(|()| packer.finish()).expect("memory takes everything")
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => "image/svg+xml",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the first visit loads: everything but the part about runs, which comes when it is asked for, and large icons.
    #[test]
    fn the_first_page_is_small() {
        let runs = ["runs.css", "runs.js", "run.js", "cycles.js", "report.js", "progress.js", "markdown.js"];
        let more = ["warmup.js", "number.js"];
        let charts = ["multiples.js", "chart.js", "gestures.js", "picture.js"];
        let icons = ["icon-192.png", "icon-512.png"];
        let late = [&runs[..], &more[..], &charts[..], &icons[..]].concat();
        let size = |late: &[&str]| -> usize {
            packed_files()
                .iter()
                .filter(|(name, _)| !late.contains(name))
                .map(|(_, packed)| packed.len())
                .sum()
        };
        assert!(size(&late) < 110_000, "{}", size(&late));
        assert!(size(&[]) < 180_000, "{}", size(&[]));
    }

    #[test]
    fn nothing_comes_from_elsewhere() {
        for (name, content) in FILES {
            // The name of the SVG format is an address by which nothing is fetched.
            let rest = String::from_utf8_lossy(content).replace("http://www.w3.org/2000/svg", "");
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
            std::str::from_utf8(content).unwrap().lines().filter_map(key).collect()
        };
        let english = keys("words-en.js");
        assert!(english.len() > 50);
        assert_eq!(english, keys("words-ja.js"));
    }
}
