//! The tables and pictures of a run's folder, to look at and to keep: only what the folder lists, and only what such folders hold.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::mpsc::channel;
use tokio_stream::wrappers::ReceiverStream;

use super::App;
use super::connections::Answering;
use super::error::{ApiError, blocking};

/// At most so many files of a folder are named.
const MOST: usize = 100;
/// A file is sent in pieces of this length: whoever reads slowly holds up nobody, and fills no memory.
const PIECE: usize = 64 << 10;

/// What a file is, by the end of its name; nothing if it is none that is shown.
fn kind(name: &str) -> Option<&'static str> {
    let (stem, end) = name.rsplit_once('.')?;
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    if stem.is_empty() || stem.len() > 100 || !stem.bytes().all(plain) {
        return None;
    }
    match end {
        "csv" => Some("text/csv; charset=utf-8"),
        "toml" | "md" => Some("text/plain; charset=utf-8"),
        "png" => Some("image/png"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}

/// The names of the files of a folder that are shown, in order.
pub(super) fn names(app: &App, folder: &Path) -> Vec<String> {
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let name = |entry: io::Result<std::fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
    let shown = |name: &String| kind(name).is_some() && app.results.file(folder, name).is_some();
    let mut names: Vec<String> = entries.take(10 * MOST).filter_map(name).filter(shown).collect();
    names.sort();
    names.truncate(MOST);
    names
}

/// A file of a run's folder.
#[derive(Serialize)]
pub(super) struct FileInfo {
    bytes: u64,
    name: String,
}

/// The same with their lengths.
pub(super) fn list(app: &App, folder: &Path) -> Vec<FileInfo> {
    let length = |name: String| {
        let data = app.results.file(folder, &name).and_then(|file| file.metadata().ok());
        FileInfo { bytes: data.map_or(0, |data| data.len()), name }
    };
    names(app, folder).into_iter().map(length).collect()
}

/// `GET /api/runs/{id}/files/{name}`: one of them.
pub(super) async fn send(
    app: Arc<App>,
    id: String,
    name: String,
    answering: Arc<Answering>,
) -> Result<Response, ApiError> {
    let shown: String = name.chars().take(100).collect();
    let (file, length, kind) = blocking(move || {
        let folder = app.results.folder(&id)?;
        let missing = || ApiError::not_found(format!("the run '{id}' has no file '{shown}' to show"));
        app.results.kind(&folder).ok_or_else(missing)?;
        let kind = kind(&name).ok_or_else(missing)?;
        let file = app.results.file(&folder, &name).ok_or_else(missing)?;
        let length = file.metadata().map_err(|_| missing())?.len();
        Ok((file, length, kind))
    })
    .await?;
    let (sender, receiver) = channel(2);
    // A file that grows meanwhile ends where it ended at first.
    let mut rest = file.take(length);
    tokio::spawn(async move {
        loop {
            let read = tokio::task::spawn_blocking(move || {
                let piece = piece(&mut rest);
                (rest, piece)
            });
            let Ok((after, piece)) = read.await else { break };
            rest = after;
            let over = piece.as_ref().map_or(true, Bytes::is_empty);
            if sender.send(piece).await.is_err() || over {
                break;
            }
        }
        drop(answering);
    });
    let headers = [(header::CONTENT_TYPE, kind.to_string()), (header::CONTENT_LENGTH, length.to_string())];
    Ok((headers, Body::from_stream(ReceiverStream::new(receiver))).into_response())
}

/// The next piece of a file; an empty one is its end.
fn piece(rest: &mut io::Take<File>) -> io::Result<Bytes> {
    let mut piece = Vec::with_capacity(PIECE);
    rest.take(PIECE as u64).read_to_end(&mut piece)?;
    Ok(Bytes::from(piece))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_run_folders_hold_is_shown() {
        for name in
            ["generations.csv", "genes.png", "genes.svg", "scores-2.png", "summary.md", "champion.toml"]
        {
            assert!(kind(name).is_some(), "{name}");
        }
        for name in [
            "",
            ".csv",
            "csv",
            ".lock",
            "a.b.csv",
            "../a.csv",
            "a/b.csv",
            "a\\b.csv",
            "A.csv",
            "a.html",
            "a.js",
            "a.csv.",
            "checkpoint.json",
            "network.safetensors",
            "a\u{0}.csv",
            "é.csv",
        ] {
            assert_eq!(kind(name), None, "{name}");
        }
    }
}
