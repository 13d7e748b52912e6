//! Who is connected: never more than the system has room for, and nobody who asks by halves keeps others out.

use std::io::ErrorKind;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Extension, FromRequest, Request};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

use super::error::ApiError;

/// How many may be connected at once: half of the open files that a system usually grants, the rest is for runs.
const MOST: usize = 512;
/// How long the head of a request may take to arrive, and after it the body.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest head of a request.
const LONGEST_HEAD: usize = 64 << 10;
/// So many are cut when the system itself has no room for another: files must be opened too.
const SPARE: usize = 16;
/// How long those who are cut may take to go.
const PAUSE: Duration = Duration::from_millis(10);

/// What a connection is doing, and since when. The order is that in which connections are cut: first those that wait for
/// (the rest of) a request, then those that are being answered, each from the oldest on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Doing {
    Waiting(Instant),
    Answering(Instant),
}

/// What a connection is doing, as its requests tell it.
#[derive(Clone)]
pub(super) struct Activity(Arc<Mutex<Doing>>);

impl Activity {
    fn new() -> Activity {
        Activity(Arc::new(Mutex::new(Doing::Waiting(Instant::now()))))
    }

    fn set(&self, doing: Doing) {
        *self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = doing;
    }

    fn get(&self) -> Doing {
        *self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// As long as this is held, its connection is being answered.
pub(super) struct Answering(Activity);

impl Answering {
    fn new(activity: Activity) -> Answering {
        activity.set(Doing::Answering(Instant::now()));
        Answering(activity)
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.set(Doing::Waiting(Instant::now()));
    }
}

/// An open connection.
struct Connection {
    activity: Activity,
    task: AbortHandle,
}

/// Answers whoever connects, for ever.
pub(super) async fn serve(listener: TcpListener, router: Router) {
    let mut open: Vec<Connection> = Vec::new();
    loop {
        let accepted = listener.accept().await;
        open.retain(|connection| !connection.task.is_finished());
        match accepted {
            Ok((stream, _)) => {
                if open.len() >= MOST {
                    cut_one(&mut open);
                }
                let activity = Activity::new();
                let task = tokio::spawn(answer(stream, router.clone(), activity.clone())).abort_handle();
                open.push(Connection { activity, task });
            }
            // Somebody went away before we came to the door.
            Err(error)
                if matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset) => {}
            // The system has no room, most likely for no more open files.
            Err(_) => {
                (0..SPARE).for_each(|_| cut_one(&mut open));
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// A newcomer asks at once; who has kept silent for longest is missed least.
fn cut_one(open: &mut Vec<Connection>) {
    let last = (0..open.len()).min_by_key(|at| open[*at].activity.get());
    if let Some(at) = last {
        open.swap_remove(at).task.abort();
    }
}

async fn answer(stream: TcpStream, router: Router, activity: Activity) {
    let service = TowerToHyperService::new(router.layer(Extension(activity)));
    // Only HTTP/1 is spoken here; to find that out, the builder would wait without a limit.
    let mut builder = Builder::new(TokioExecutor::new()).http1_only();
    builder.http1().timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(LONGEST_HEAD);
    // If it fails, there is nobody left to tell.
    let _ = builder.serve_connection(TokioIo::new(stream), service).await;
}

/// Waits for the whole of a request, but not for ever, before anybody begins to answer it.
pub(super) async fn whole(
    Extension(activity): Extension<Activity>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    let arriving = Request::from_parts(parts.clone(), body);
    let read = tokio::time::timeout(PATIENCE, Bytes::from_request(arriving, &())).await;
    let body = match read {
        Ok(Ok(body)) => body,
        Ok(Err(rejection)) => return ApiError::from(rejection).into_response(),
        Err(_) => {
            let sentence =
                format!("the request was not there after {} s: send it faster", PATIENCE.as_secs());
            return ApiError::new(StatusCode::REQUEST_TIMEOUT, sentence).into_response();
        }
    };
    let answering = Arc::new(Answering::new(activity));
    let mut request = Request::from_parts(parts, Body::from(body));
    // An answer that goes on after it was begun keeps this.
    request.extensions_mut().insert(answering.clone());
    next.run(request).await
}
