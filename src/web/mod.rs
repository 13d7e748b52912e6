//! How does one play and watch in a browser? A small server on the loopback address: the page is embedded, games are told
//! whole by every request and checked by the library's rules, runs are read from the results folder.

mod analysis;
mod assets;
mod connections;
mod cycles;
mod download;
mod error;
mod follow;
mod guard;
mod judge;
mod live;
mod opponents;
mod pace;
mod play;
mod results;
mod review;
mod runs;
mod strength;
mod warmup;

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::Response;
use axum::routing::{delete, get, post};
use axum::{Router, middleware};
use tokio::net::TcpListener;
use tokio::sync::{Notify, Semaphore};

use crate::game::SolutionError;
use crate::games::GameName;
use crate::session::{TextGame, text_game};
use error::ApiError;
use follow::Followers;
use guard::{Hosts, Token};
use live::Live;
use opponents::Opponents;
use pace::Paces;
use results::Results;
use runs::Cache;
use strength::Strengths;

/// The longest request.
const LONGEST_BODY: usize = 64 << 10;
/// How many long searches may go on at once.
const SLOW_SEARCHES: usize = 4;
/// Concurrent reviews and analyses. They have permits of their own, so moves never wait for them.
const JUDGES: usize = 2;
/// Concurrent reads of run folders. Many runs take long to read, and moves must not wait for that.
const READERS: usize = 2;
/// How many threads each core has for what is done soon.
const QUICK_THREADS_PER_CORE: usize = 2;

/// What a server is to do.
pub struct Options {
    /// On which address to listen.
    pub address: SocketAddr,
    /// Where runs are kept.
    pub results: PathBuf,
    /// The table of perfect play of Dobutsu Shogi, if it is not at its usual place.
    pub table: Option<PathBuf>,
    /// Under which names the server is reached, beside its addresses and `localhost`.
    pub allow_hosts: Vec<String>,
    /// How many bytes the runs may fill that are started from the page.
    pub runs_space: u64,
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // Each variant is its sentence.
pub enum ServeError {
    #[error("port {0} is taken: --port N chooses another one (0 takes any that is free)")]
    Taken(u16),
    #[error("cannot listen on {address}: {error}")]
    Listen { address: SocketAddr, error: io::Error },
    #[error("'{0}' is no host name: --allow-host takes the name alone, as in --allow-host games.example.org")]
    HostName(String),
    #[error(transparent)]
    Table(#[from] SolutionError),
    #[error("'{}' is a file: --results takes the folder of the runs", .0.display())]
    NoFolder(PathBuf),
    #[error("the server cannot start: {0}")]
    Start(#[from] io::Error),
}

/// What all requests share.
struct App {
    results: Results,
    summaries: Cache,
    details: Cache,
    games: [Arc<dyn TextGame>; GameName::ALL.len()],
    live: Live,
    paces: Paces,
    strengths: Strengths,
    slow: Arc<Semaphore>,
    judging: Arc<Semaphore>,
    reading: Arc<Semaphore>,
    followers: Followers,
    hosts: Hosts,
    token: Token,
    runs_space: u64,
}

impl App {
    fn opponents(&self) -> Opponents<'_> {
        Opponents { app: self }
    }

    fn game(&self, name: GameName) -> Arc<dyn TextGame> {
        self.games[name as usize].clone()
    }
}

/// A server that is listening.
pub struct Server {
    app: Arc<App>,
    runtime: tokio::runtime::Runtime,
    listener: TcpListener,
    stop: Arc<Notify>,
}

/// Ends a server from another thread.
#[derive(Clone)]
pub struct Stopper(Arc<Notify>);

impl Stopper {
    /// Ends the server; runs are saved first.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Begins to listen.
    pub fn bind(options: &Options) -> Result<Server, ServeError> {
        let address = options.address;
        // A folder that is not there yet comes with the first run.
        if options.results.exists() && !options.results.is_dir() {
            return Err(ServeError::NoFolder(options.results.clone()));
        }
        let app = Arc::new(App {
            results: Results::new(&options.results),
            summaries: Cache::default(),
            details: Cache::default(),
            games: games(options)?,
            live: Live::default(),
            paces: Paces::default(),
            strengths: Strengths::default(),
            slow: Arc::new(Semaphore::new(SLOW_SEARCHES)),
            judging: Arc::new(Semaphore::new(JUDGES)),
            reading: Arc::new(Semaphore::new(READERS)),
            followers: Followers::default(),
            hosts: Hosts::new(address.ip(), &options.allow_hosts).map_err(ServeError::HostName)?,
            token: Token::new(),
            runs_space: options.runs_space,
        });
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .max_blocking_threads(SLOW_SEARCHES + JUDGES + READERS + QUICK_THREADS_PER_CORE * cores)
            .build()?;
        let listener = runtime.block_on(TcpListener::bind(address)).map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => ServeError::Taken(address.port()),
            _ => ServeError::Listen { address, error },
        })?;
        Ok(Server { app, runtime, listener, stop: Arc::new(Notify::new()) })
    }

    /// Where it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// What ends it.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.stop.clone())
    }

    /// Answers until it is stopped.
    pub fn run(self) -> io::Result<()> {
        let router = router(self.app.clone());
        let (listener, stop) = (self.listener, self.stop);
        self.runtime.block_on(async move {
            let serving = tokio::spawn(connections::serve(listener, router));
            let ending = tokio::spawn(async move { stop.notified().await });
            // Connections that are open are cut: nobody is owed an answer, and followers would wait for ever.
            let _ = ending.await;
            serving.abort();
        });
        self.app.live.stop_all();
        self.runtime.shutdown_background();
        Ok(())
    }
}

/// The games; a table that was asked for must be good for some rules.
fn games(options: &Options) -> Result<[Arc<dyn TextGame>; GameName::ALL.len()], SolutionError> {
    let games = GameName::ALL.map(|name| text_game(name, options.table.as_deref()));
    let solved = &games[GameName::Dobutsu as usize];
    if options.table.is_some() && solved.solution("official").is_err() {
        solved.solution("paper")?;
    }
    Ok(games)
}

fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/state", post(play::state))
        .route("/api/move", post(play::choose))
        .route("/api/analyse", post(analysis::analyse))
        .route("/api/review", post(review::review))
        .route("/api/opponents", get(opponents::list))
        .route("/api/curve", get(warmup::curve))
        .route("/api/runs", get(runs::list).post(live::start))
        .route("/api/runs/{*id}", get(follow::show).post(live::resume).merge(delete(live::stop)))
        .route("/", get(first_page))
        .route("/{name}", get(page))
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn(connections::whole))
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(middleware::from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}

async fn first_page(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, ApiError> {
    assets::file("index.html", &app.token, &headers)
}

async fn page(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    assets::file(&name, &app.token, &headers)
}

async fn unknown(uri: Uri) -> ApiError {
    let path: String = uri.path().chars().take(100).collect();
    ApiError::not_found(format!("there is nothing at '{path}': the way in is /"))
}

async fn wrong_method(method: Method, uri: Uri) -> ApiError {
    let path: String = uri.path().chars().take(100).collect();
    let sentence = format!("{method} means nothing at '{path}'");
    ApiError::new(StatusCode::METHOD_NOT_ALLOWED, sentence)
}
