//! All of MPI. The first process runs the command and shares its work out; the others wait for pieces of it.
//!
//! MPI is called by the main thread of each process only: in the first one the command runs on another thread and hands its work to the
//! main thread, in the others the main thread hands pieces to a pool of threads. Messages are waited for by looking now and then, so
//! that whoever waits leaves the cores to those who work.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use ::mpi::Threading;
use ::mpi::topology::SimpleCommunicator;
use ::mpi::traits::{Communicator, Destination, MatchedReceiveVec, Source};
use rayon::ThreadPool;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Done, Work};
use crate::program;

/// What a message is.
const WORK: i32 = 1;
const PIECE: i32 = 2;
const DONE: i32 = 3;
const QUIT: i32 = 4;

/// Messages are looked for after a sixteenth of the time waited so far, but not more and not less often than this: every look takes
/// a little of the time of those who work.
const LOOK_AFTER: (Duration, Duration) = (Duration::from_micros(50), Duration::from_millis(1));

/// So many pieces for each of its threads another process has at most: one to do and one in advance.
const IN_ADVANCE: usize = 2;

/// As much as the main thread of a process usually has.
const STACK: usize = 8 << 20;

/// Does a piece of a work that came from another process.
pub(crate) type Hand = Arc<dyn Fn(&[u8]) -> Vec<u8> + Send + Sync>;

/// Finds who can do pieces of a work: by its kind, its game and what its pieces have in common.
type FindHand = fn(&str, &str, &[u8]) -> Result<Hand, String>;

/// How a work is told to another process.
#[derive(Serialize, Deserialize)]
struct Told {
    kind: String,
    game: String,
    threads: usize,
    work: Vec<u8>,
}

/// A work under way in the first process.
struct Job {
    told: Vec<u8>,
    threads: usize,
    pieces: Vec<Vec<u8>>,
    /// The next piece that nobody has taken.
    next: AtomicUsize,
}

impl Job {
    fn take(&self) -> Option<usize> {
        let piece = self.next.fetch_add(1, Ordering::Relaxed);
        (piece < self.pieces.len()).then_some(piece)
    }

    /// How many pieces nobody has taken.
    fn left(&self) -> usize {
        self.pieces.len().saturating_sub(self.next.load(Ordering::Relaxed))
    }

    /// Nobody takes another piece.
    fn stop(&self) {
        self.next.store(self.pieces.len(), Ordering::Relaxed);
    }
}

/// To the main thread: a work, and where to bring what the others make of it.
type Order = (Arc<Job>, Sender<(usize, Vec<u8>)>);

static POST: OnceLock<Post> = OnceLock::new();

/// Where the first process hands its work in.
pub(super) struct Post {
    orders: Sender<Order>,
    /// There is one work at a time; what comes up within it stays where it is.
    busy: AtomicBool,
}

/// Whether there are other processes to share work with. In those themselves there are not.
pub(crate) fn is_many() -> bool {
    POST.get().is_some()
}

/// The way to other processes, if there are any and they are not at work already.
pub(super) fn free_post() -> Option<&'static Post> {
    POST.get().filter(|post| !post.busy.swap(true, Ordering::Acquire))
}

impl Post {
    pub(super) fn run<W: Work, E: Send>(
        &self,
        work: &W,
        items: &[W::Item],
        step: &(dyn Fn() + Sync),
        done: &Done<'_, W, E>,
    ) -> Result<Vec<W::Output>, E> {
        let threads = rayon::current_num_threads();
        let told = Told { kind: W::KIND.to_string(), game: W::GAME.to_string(), threads, work: packed(work) };
        let pieces = items.iter().map(packed).collect();
        let job = Arc::new(Job { told: packed(&told), threads, pieces, next: AtomicUsize::new(0) });
        let outputs: Vec<Mutex<Option<W::Output>>> = items.iter().map(|_| Mutex::default()).collect();
        let failed: Mutex<Option<E>> = Mutex::default();
        let finish = |piece: usize, output: W::Output| {
            if let Err(error) = done(piece, &output) {
                job.stop();
                locked(&failed).get_or_insert(error);
            }
            *locked(&outputs[piece]) = Some(output);
        };
        let (sender, others) = channel();
        self.orders.send((job.clone(), sender)).expect("the main thread waits for orders");
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for (piece, bytes) in others {
                    let output = unpacked(&bytes)
                        .unwrap_or_else(|error| panic!("a message of another build: {error}"));
                    (0..work.steps(&items[piece])).for_each(|_| step());
                    finish(piece, output);
                }
            });
            rayon::broadcast(|_| {
                while let Some(piece) = job.take() {
                    finish(piece, work.run(&items[piece], step));
                }
            });
        });
        self.busy.store(false, Ordering::Release);
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => {
                let output = |output: Mutex<Option<W::Output>>| {
                    output.into_inner().unwrap_or_else(PoisonError::into_inner)
                };
                Ok(outputs.into_iter().filter_map(output).collect())
            }
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn packed<T: Serialize>(value: &T) -> Vec<u8> {
    rmp_serde::to_vec_named(value).expect("numbers and texts can be packed")
}

fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    rmp_serde::from_slice(bytes).map_err(|error| error.to_string())
}

/// Who does pieces of such a work.
pub(crate) fn hand<W: Work>(work: &[u8]) -> Result<Hand, String> {
    let work: W = unpacked(work)?;
    Ok(Arc::new(move |piece| {
        let piece = unpacked(piece).unwrap_or_else(|error| panic!("a message of another build: {error}"));
        packed(&work.run(&piece, &|| ()))
    }))
}

/// Runs the command, with the help of all other processes that `mpirun` or `srun` has started.
pub(crate) fn start(command: fn() -> ExitCode, find: FindHand) -> ExitCode {
    // Without them MPI is not even asked: to start it takes a while.
    let launched = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "MPI_LOCALNRANKS"];
    if launched.iter().all(|name| std::env::var_os(name).is_none()) {
        return command();
    }
    let Some((universe, _)) = ::mpi::initialize_with_threading(Threading::Funneled) else { return command() };
    let mail = Mail { world: universe.world(), early: RefCell::default() };
    match (mail.world.rank(), mail.world.size()) {
        (_, 1) => command(),
        (0, _) => {
            abort_on_panic("the first process");
            lead(&mail, command)
        }
        (rank, _) => {
            abort_on_panic(&format!("process {rank}"));
            follow(&mail, find);
            ExitCode::SUCCESS
        }
    }
}

/// A process that is gone would leave the others waiting for ever; when one is aborted, `mpirun` ends all.
fn abort_on_panic(who: &str) {
    let (who, usual) = (who.to_string(), std::panic::take_hook());
    std::panic::set_hook(Box::new(move |info| {
        usual(info);
        eprintln!("{who} of the job has failed: all are ended. What was saved can be taken up.");
        std::process::abort();
    }));
}

/// A message: from whom, what it is, and what it says.
type Letter = (i32, i32, Vec<u8>);

/// Sends and receives.
struct Mail {
    world: SimpleCommunicator,
    /// What came while something was sent.
    early: RefCell<VecDeque<Letter>>,
}

impl Mail {
    fn receive(&self) -> Option<Letter> {
        self.early.borrow_mut().pop_front().or_else(|| self.look())
    }

    fn look(&self) -> Option<Letter> {
        let (bytes, status) = self.world.any_process().immediate_matched_probe()?.matched_receive_vec::<u8>();
        Some((status.source_rank(), status.tag(), bytes))
    }

    /// Large messages wait for whoever is to receive them, and that one may be sending: so this one receives meanwhile.
    fn send(&self, to: i32, tag: i32, bytes: &[u8]) {
        ::mpi::request::scope(|scope| {
            let mut sent = self.world.process_at_rank(to).immediate_send_with_tag(scope, bytes, tag);
            while let Err(pending) = sent.test() {
                sent = pending;
                match self.look() {
                    Some(letter) => self.early.borrow_mut().push_back(letter),
                    None => std::thread::sleep(LOOK_AFTER.0),
                }
            }
        });
    }
}

/// Somebody who waits for messages: often looking at first, then less and less.
struct Waiting(Instant);

impl Waiting {
    fn pause(&self) -> Duration {
        (self.0.elapsed() / 16).clamp(LOOK_AFTER.0, LOOK_AFTER.1)
    }

    fn over(&mut self) {
        self.0 = Instant::now();
    }
}

/// A piece or what came of it: its number, then the rest.
fn numbered(number: usize, bytes: &[u8]) -> Vec<u8> {
    let mut letter = (number as u64).to_le_bytes().to_vec();
    letter.extend_from_slice(bytes);
    letter
}

fn number_of(letter: &[u8]) -> (usize, &[u8]) {
    let (number, bytes) = letter.split_first_chunk().expect("a numbered message");
    (u64::from_le_bytes(*number) as usize, bytes)
}

/// The main thread of the first process, while the command runs on another.
fn lead(mail: &Mail, command: fn() -> ExitCode) -> ExitCode {
    // Whoever ends the job, `mpirun` for the sake of a process that is gone or a person, lets this one say so.
    let _ = ctrlc::set_handler(|| {
        eprintln!(
            "The job was ended, by somebody or because one of its processes is gone. What was saved is whole: the same command, or \
             `dobutsu-ga resume FOLDER` for a run of the tuner, goes on from there, with any number of processes."
        );
        program::kill_all();
        std::process::exit(143);
    });
    let (orders, taken) = channel();
    let _ = POST.set(Post { orders, busy: AtomicBool::new(false) });
    let command =
        std::thread::Builder::new().stack_size(STACK).spawn(command).expect("a thread can be started");
    let size = mail.world.size();
    while !command.is_finished() {
        match taken.recv_timeout(LOOK_AFTER.1) {
            Ok(order) => share_out(mail, size, order),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
    }
    (1..size).for_each(|rank| mail.send(rank, QUIT, &[]));
    command.join().unwrap_or(ExitCode::FAILURE)
}

/// Gives every other process as many pieces at a time as it has threads, and as many in advance while there are enough for all, until none
/// are left and all are back.
fn share_out(mail: &Mail, size: i32, (job, results): Order) {
    let mut at_work = vec![0; size as usize];
    let mut knows = vec![false; size as usize];
    let all_threads = job.threads * size as usize;
    let mut give = |rank: i32, at_work: &mut Vec<usize>| {
        let to = rank as usize;
        while at_work[to] < job.threads || at_work[to] < IN_ADVANCE * job.threads && job.left() >= all_threads
        {
            let Some(piece) = job.take() else { return };
            if !std::mem::replace(&mut knows[to], true) {
                mail.send(rank, WORK, &job.told);
            }
            mail.send(rank, PIECE, &numbered(piece, &job.pieces[piece]));
            at_work[to] += 1;
        }
    };
    (1..size).for_each(|rank| give(rank, &mut at_work));
    let mut waiting = Waiting(Instant::now());
    while at_work.iter().any(|count| *count > 0) {
        let Some((rank, DONE, letter)) = mail.receive() else {
            std::thread::sleep(waiting.pause());
            continue;
        };
        waiting.over();
        let (piece, bytes) = number_of(&letter);
        // Whoever waits for it may have given up; the others still have to be heard.
        let _ = results.send((piece, bytes.to_vec()));
        at_work[rank as usize] -= 1;
        give(rank, &mut at_work);
    }
}

/// The main thread of every other process.
fn follow(mail: &Mail, find: FindHand) {
    let (finished, results) = channel::<(usize, Vec<u8>)>();
    let (mut hand, mut pool): (Option<Hand>, Option<ThreadPool>) = (None, None);
    let mut waiting = Waiting(Instant::now());
    let (mut at_work, mut threads) = (0, 1);
    loop {
        // With all threads at work nothing is urgent, and with as much in advance nothing else will come.
        let (busy, full) = (at_work >= threads, at_work >= IN_ADVANCE * threads);
        let letter = if full { None } else { mail.receive() };
        if letter.is_some() {
            waiting.over();
        }
        match letter {
            Some((_, WORK, letter)) => match begin(&letter, find, &mut pool) {
                Ok(found) => (hand, threads) = (Some(found.0), found.1),
                Err(error) => panic!("cannot do its share of the work: {error}"),
            },
            Some((_, PIECE, letter)) => {
                let (Some(hand), Some(pool)) = (&hand, &pool) else {
                    panic!("a work comes before its pieces")
                };
                let (hand, finished) = (hand.clone(), finished.clone());
                at_work += 1;
                pool.spawn(move || {
                    let (piece, bytes) = number_of(&letter);
                    let _ = finished.send((piece, hand(bytes)));
                });
            }
            Some(_) => return,
            None => {
                let pause = match (full, busy) {
                    (true, _) => Duration::MAX,
                    (_, true) => LOOK_AFTER.1,
                    _ => waiting.pause(),
                };
                if let Ok((piece, bytes)) = results.recv_timeout(pause) {
                    waiting.over();
                    at_work -= 1;
                    mail.send(0, DONE, &numbered(piece, &bytes));
                }
            }
        }
    }
}

/// Gets ready for a work: whoever does its pieces, and threads, as many as asked but no more than there are cores. Also tells how many
/// were asked for.
fn begin(letter: &[u8], find: FindHand, pool: &mut Option<ThreadPool>) -> Result<(Hand, usize), String> {
    let Told { kind, game, threads, work } = unpacked(letter)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let own = threads.min(cores);
    if pool.as_ref().is_none_or(|pool| pool.current_num_threads() != own) {
        let new = rayon::ThreadPoolBuilder::new().num_threads(own).build();
        *pool = Some(new.map_err(|error| error.to_string())?);
    }
    Ok((find(&kind, &game, &work)?, threads))
}
