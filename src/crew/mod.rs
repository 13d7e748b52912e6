//! Who does the work? Pieces of work that do not depend on each other are shared among all threads of this process and, in a build with
//! MPI that was started by `mpirun`, among those of all its processes. What comes of them does not depend on who did them.

#[cfg(feature = "mpi")]
mod mpi;

#[cfg(feature = "mpi")]
pub(crate) use mpi::{Hand, hand, is_many, start};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::parallel;

/// What the pieces of a work have in common. It goes to every process once, then its pieces go to whoever is free.
pub trait Work: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// What it is, in a word: other processes know it by that.
    const KIND: &'static str;
    /// Of which game it is.
    const GAME: &'static str;
    /// One piece.
    type Item: Serialize + DeserializeOwned + Sync;
    /// What comes of it.
    type Output: Serialize + DeserializeOwned + Send;

    /// Does a piece of the work on the current rayon pool; `step` is told as it goes on.
    fn run(&self, item: &Self::Item, step: &(dyn Fn() + Sync)) -> Self::Output;

    /// How often `step` is told about this piece in all.
    fn steps(&self, item: &Self::Item) -> u64 {
        let _ = item;
        1
    }
}

/// Told of each piece that is done: its number, and what came of it.
pub type Done<'a, W, E> = dyn Fn(usize, &<W as Work>::Output) -> Result<(), E> + Sync + 'a;

/// Does all pieces of a work and returns what comes of them, in their order. `done` is told of each as soon as it is done; when that
/// fails, no other piece is begun.
pub fn run<W: Work, E: Send>(
    work: &W,
    items: &[W::Item],
    step: &(dyn Fn() + Sync),
    done: &Done<'_, W, E>,
) -> Result<Vec<W::Output>, E> {
    #[cfg(feature = "mpi")]
    if let Some(post) = mpi::free_post() {
        return post.run(work, items, step, done);
    }
    parallel::try_map(items, |i, item| {
        let output = work.run(item, step);
        done(i, &output)?;
        Ok(output)
    })
}

/// The same where nobody watches and nothing can fail.
pub fn run_all<W: Work>(work: &W, items: &[W::Item]) -> Vec<W::Output> {
    match run(work, items, &|| (), &|_, _| Ok::<(), std::convert::Infallible>(())) {
        Ok(outputs) => outputs,
        Err(never) => match never {},
    }
}

/// Whether there are other processes to share work with: not in this build.
#[cfg(not(feature = "mpi"))]
pub(crate) fn is_many() -> bool {
    false
}
